//! Draws as a Zarr store of format 3, a folder or a zip of one.
//!
//! The format: <https://zarr-specs.readthedocs.io/en/latest/v3/core/v3.0.html>. Each array is
//! one chunk of plain bytes, so no codec is needed; the metadata of all arrays stand also
//! at the root, where xarray looks for them first.

use std::fs;
use std::io::{self, Cursor, Write};
use std::path::Path;

use serde_json::{Map, Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::tree::{Array, Attribute, Tree, Values};
use super::{Kind, Writer};
use crate::draws::Draws;

pub(super) const KIND: Kind = Kind {
    name: "zarr",
    suffixes: &["zarr", "zarr.zip"],
    about: "all groups, for ArviZ and xarray; a folder, or one file as `.zarr.zip`",
    writer,
};

/// The file that describes a group or an array.
const DESCRIPTION: &str = "zarr.json";

fn writer(name: &str) -> Writer {
    if name.to_lowercase().ends_with(".zip") {
        Writer::File(write_zip)
    } else {
        Writer::Folder { mark: DESCRIPTION, write: write_folder }
    }
}

fn write_folder(draws: &Draws, path: &Path) -> io::Result<()> {
    write_store(&Tree::of(draws), &mut |key, bytes| {
        let file = path.join(key);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(file, bytes)
    })
}

/// Made in memory: a zip that breaks off in a file is closed as if it were whole.
fn write_zip(draws: &Draws, path: &Path) -> io::Result<()> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let stored =
        SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    write_store(&Tree::of(draws), &mut |key, bytes| {
        let options = stored.large_file(u32::try_from(bytes.len()).is_err());
        zip.start_file(key, options)?;
        zip.write_all(bytes)
    })?;
    fs::write(path, zip.finish()?.into_inner())
}

/// Where the bytes of a key go.
type Put<'a> = dyn FnMut(&str, &[u8]) -> io::Result<()> + 'a;

fn write_store(tree: &Tree, put: &mut Put<'_>) -> io::Result<()> {
    let mut all = Map::new();
    for branch in &tree.groups {
        let description = group(&branch.attributes);
        put_description(put, branch.name, &description)?;
        all.insert(branch.name.to_owned(), description);
        for array in branch.coordinates.iter().chain(&branch.arrays) {
            let key = format!("{}/{}", branch.name, array.name);
            let description = describe(array);
            put_description(put, &key, &description)?;
            all.insert(key.clone(), description);
            put(&format!("{key}/{}", chunk_name(array)), &bytes(&array.values)?)?;
        }
    }
    let mut root = group(&tree.attributes);
    root["consolidated_metadata"] =
        json!({ "kind": "inline", "must_understand": false, "metadata": all });
    put(DESCRIPTION, &serde_json::to_vec_pretty(&root)?)
}

fn put_description(
    put: &mut Put<'_>,
    key: &str,
    description: &Value,
) -> io::Result<()> {
    put(&format!("{key}/{DESCRIPTION}"), &serde_json::to_vec_pretty(description)?)
}

fn group(attributes: &[(String, Attribute)]) -> Value {
    let attributes: Map<String, Value> = attributes
        .iter()
        .map(|(key, value)| {
            let value = match value {
                Attribute::Text(text) => json!(text),
                Attribute::Texts(texts) => json!(texts),
            };
            (key.clone(), value)
        })
        .collect();
    json!({ "zarr_format": 3, "node_type": "group", "attributes": attributes })
}

fn describe(array: &Array) -> Value {
    let little_endian =
        json!({ "name": "bytes", "configuration": { "endian": "little" } });
    let (data_type, fill_value, codec) = match array.values {
        Values::Reals(_) => ("float64", json!("NaN"), little_endian),
        Values::Counts(_) => ("int64", json!(0), little_endian),
        Values::Flags(_) => ("bool", json!(false), json!({ "name": "bytes" })),
        Values::Texts(_) => ("string", json!(""), json!({ "name": "vlen-utf8" })),
    };
    json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": array.shape,
        "data_type": data_type,
        "chunk_grid": {
            "name": "regular",
            "configuration": { "chunk_shape": array.shape },
        },
        "chunk_key_encoding": {
            "name": "default",
            "configuration": { "separator": "/" },
        },
        "fill_value": fill_value,
        "codecs": [codec],
        "attributes": {},
        "dimension_names": array.dimensions,
    })
}

/// The first chunk, `c/0/0`: there is no other.
fn chunk_name(array: &Array) -> String {
    let zeros = array.shape.iter().map(|_| "/0");
    std::iter::once("c").chain(zeros).collect()
}

fn bytes(values: &Values) -> io::Result<Vec<u8>> {
    Ok(match values {
        Values::Reals(values) => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
        Values::Counts(values) => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
        Values::Flags(values) => values.iter().map(|flag| u8::from(*flag)).collect(),
        Values::Texts(values) => texts(values)?,
    })
}

/// The codec `vlen-utf8`: the number of texts, then each with its length before it.
fn texts(values: &[String]) -> io::Result<Vec<u8>> {
    let count = |n: usize| u32::try_from(n).map_err(io::Error::other);
    let mut bytes = count(values.len())?.to_le_bytes().to_vec();
    for text in values {
        bytes.extend(count(text.len())?.to_le_bytes());
        bytes.extend(text.as_bytes());
    }
    Ok(bytes)
}
