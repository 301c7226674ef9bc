//! Draws as JSON by the parameters of `ArviZ`'s `from_dict`: data, coords, dims, attrs.
//!
//! `ArviZ` 1.x has no reader of JSON; docs/draws.md has the lines that make arrays of the
//! lists. JSON has no name for what is no number or infinite: it is written as `null`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use super::tree::{Array, Attribute, Branch, DRAWN, Tree, Values};
use super::{Kind, Writer};
use crate::draws::Draws;

pub(super) const KIND: Kind = Kind {
    name: "json",
    suffixes: &["json"],
    about: "all groups, by the parameters of ArviZ's from_dict",
    writer: |_| Writer::File(write),
};

fn write(draws: &Draws, path: &Path) -> io::Result<()> {
    let tree = Tree::of(draws);
    let mut out = BufWriter::new(File::create(path)?);
    serde_json::to_writer(&mut out, &Document::of(&tree))?;
    out.write_all(b"\n")?;
    out.flush()
}

#[derive(Serialize)]
struct Document<'a> {
    data: Map<'a, Group<'a>>,
    coords: Map<'a, Nested<'a>>,
    dims: BTreeMap<&'a str, &'a [String]>,
    attrs: Map<'a, Attributes<'a>>,
}

impl<'a> Document<'a> {
    fn of(tree: &'a Tree) -> Self {
        let groups = || tree.groups.iter();
        let mut coords: Vec<(&str, Nested)> = Vec::new();
        for array in groups().flat_map(|group| &group.coordinates) {
            let name = array.name.as_str();
            // Chains and draws are counted by the reader, group by group.
            if !DRAWN.contains(&name) && coords.iter().all(|(known, _)| *known != name)
            {
                coords.push((name, Nested::of(array)));
            }
        }
        let arrays = groups().flat_map(|group| &group.arrays);
        let dims = arrays.map(|array| (array.name.as_str(), own_dimensions(array)));
        let attributes = |group: &'a Branch| Attributes(&group.attributes);
        let root = ("/", Attributes(&tree.attributes));
        let attrs = groups().map(|group| (group.name, attributes(group)));
        Self {
            data: Map(groups().map(|group| (group.name, Group(group))).collect()),
            coords: Map(coords),
            dims: dims.filter(|(_, dims)| !dims.is_empty()).collect(),
            attrs: Map(std::iter::once(root).chain(attrs).collect()),
        }
    }
}

/// The dimensions without those that every array of draws has.
fn own_dimensions(array: &Array) -> &[String] {
    let drawn =
        array.dimensions.iter().take_while(|name| DRAWN.contains(&name.as_str()));
    &array.dimensions[drawn.count()..]
}

/// Names in their order.
struct Map<'a, T>(Vec<(&'a str, T)>);

impl<T: Serialize> Serialize for Map<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

struct Group<'a>(&'a Branch);

impl Serialize for Group<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let arrays = self.0.arrays.iter();
        serializer.collect_map(arrays.map(|array| (&array.name, Nested::of(array))))
    }
}

struct Attributes<'a>(&'a [(String, Attribute)]);

impl Serialize for Attributes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in self.0 {
            match value {
                Attribute::Text(text) => map.serialize_entry(key, text)?,
                Attribute::Texts(texts) => map.serialize_entry(key, texts)?,
            }
        }
        map.end()
    }
}

/// An array, or a part of one, as lists in lists.
struct Nested<'a> {
    shape: &'a [usize],
    values: &'a Values,
    start: usize,
}

impl<'a> Nested<'a> {
    fn of(array: &'a Array) -> Self {
        Self { shape: &array.shape, values: &array.values, start: 0 }
    }
}

impl Serialize for Nested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some((&length, inner)) = self.shape.split_first() else {
            return match self.values {
                Values::Reals(values) => values[self.start].serialize(serializer),
                Values::Counts(values) => values[self.start].serialize(serializer),
                Values::Flags(values) => values[self.start].serialize(serializer),
                Values::Texts(values) => values[self.start].serialize(serializer),
            };
        };
        let stride: usize = inner.iter().product();
        let mut list = serializer.serialize_seq(Some(length))?;
        for i in 0..length {
            let start = self.start + i * stride;
            list.serialize_element(&Self { shape: inner, values: self.values, start })?;
        }
        list.end()
    }
}
