//! Draws as NetCDF-4, a group for each group of the schema.

use std::fs;
use std::io;
use std::path::Path;

use netcdf_writer::{Error, NcAttrValue, NcFileBuilder, NcWriteFormat, NcWriteOptions};

use super::tree::{Array, Attribute, Branch, Tree, Values};
use super::{Kind, Writer};
use crate::draws::Draws;

pub(super) const KIND: Kind = Kind {
    name: "netcdf",
    suffixes: &["nc"],
    about: "all groups, for ArviZ, xarray and everything that reads HDF5",
    writer: |_| Writer::File(write),
};

fn write(draws: &Draws, path: &Path) -> io::Result<()> {
    let bytes = encode(&Tree::of(draws)).map_err(io::Error::other)?;
    fs::write(path, bytes)
}

fn encode(tree: &Tree) -> Result<Vec<u8>, Error> {
    let mut file = NcFileBuilder::new();
    for (key, value) in &tree.attributes {
        file.add_attribute(key, attribute(value))?;
    }
    for branch in &tree.groups {
        for (key, value) in &branch.attributes {
            file.add_group_attribute(branch.name, key, attribute(value))?;
        }
        add_arrays(&mut file, branch)?;
    }
    let options = NcWriteOptions { format: NcWriteFormat::Nc4 };
    Ok(file.to_vec(options)?.1)
}

fn attribute(value: &Attribute) -> NcAttrValue {
    match value {
        Attribute::Text(text) => NcAttrValue::Strings(vec![text.clone()]),
        Attribute::Texts(texts) => NcAttrValue::Strings(texts.clone()),
    }
}

/// A coordinate bears the name of its dimension.
fn add_arrays(file: &mut NcFileBuilder, branch: &Branch) -> Result<(), Error> {
    let path = |name: &str| format!("{}/{name}", branch.name);
    let mut dimensions = Vec::new();
    for coordinate in &branch.coordinates {
        let size = coordinate.shape.iter().product::<usize>() as u64;
        let id = file.add_dimension_path(path(&coordinate.name), size)?;
        dimensions.push((coordinate.name.as_str(), id));
    }
    for array in branch.coordinates.iter().chain(&branch.arrays) {
        let own = array.dimensions.iter().filter_map(|name| {
            dimensions.iter().find(|(known, _)| known == name).map(|(_, id)| *id)
        });
        let own: Vec<_> = own.collect();
        add_array(file, &path(&array.name), array, &own)?;
    }
    Ok(())
}

fn add_array(
    file: &mut NcFileBuilder,
    path: &str,
    array: &Array,
    dimensions: &[netcdf_writer::DimensionId],
) -> Result<(), Error> {
    match &array.values {
        Values::Reals(values) => {
            let variable = file.add_variable_path::<f64>(path, dimensions)?;
            file.write_variable(variable, values)
        }
        Values::Counts(values) => {
            let variable = file.add_variable_path::<i64>(path, dimensions)?;
            file.write_variable(variable, values)
        }
        Values::Flags(values) => {
            let bytes: Vec<i8> = values.iter().map(|flag| i8::from(*flag)).collect();
            let variable = file.add_variable_path::<i8>(path, dimensions)?;
            // NetCDF has no type for it; xarray knows it by this attribute.
            let kind = NcAttrValue::Strings(vec!["bool".to_owned()]);
            file.add_variable_attribute(variable, "dtype", kind)?;
            file.write_variable(variable, &bytes)
        }
        Values::Texts(values) => {
            let variable = file.add_string_variable_path(path, dimensions)?;
            file.write_string_variable(variable, values)
        }
    }
}
