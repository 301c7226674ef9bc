//! Draws laid out as the tree of labelled arrays that the `InferenceData` schema
//! describes, for the kinds that write arrays.
//!
//! The schema: <https://python.arviz.org/en/stable/schema/schema.html>. Each group has
//! its own coordinates; the first two dimensions are `chain` and `draw`, counted from 0.

use std::collections::BTreeMap;
use std::time::SystemTime;

use crate::draws::{DataArray, Draws, Group, Index, Kind, Variable};

/// The dimensions of every array of draws; the schema wants them first.
pub(super) const DRAWN: [&str; 2] = ["chain", "draw"];

/// Groups of arrays, with what is known of all of them.
pub(super) struct Tree {
    pub attributes: Vec<(String, Attribute)>,
    pub groups: Vec<Branch>,
}

/// One group, such as `posterior`: coordinates first, then the arrays along them.
pub(super) struct Branch {
    pub name: &'static str,
    pub attributes: Vec<(String, Attribute)>,
    pub coordinates: Vec<Array>,
    pub arrays: Vec<Array>,
}

/// Values in C order: the last dimension runs fastest.
pub(super) struct Array {
    pub name: String,
    pub dimensions: Vec<String>,
    pub shape: Vec<usize>,
    pub values: Values,
}

/// The values of an array, all of one type.
pub(super) enum Values {
    Reals(Vec<f64>),
    Counts(Vec<i64>),
    Flags(Vec<bool>),
    Texts(Vec<String>),
}

/// What is known of a group.
#[derive(Clone)]
pub(super) enum Attribute {
    Text(String),
    Texts(Vec<String>),
}

impl Tree {
    pub(super) fn of(draws: &Draws) -> Self {
        let attributes: Vec<(String, Attribute)> = attributes(draws, SystemTime::now())
            .into_iter()
            .map(|(key, value)| (key, Attribute::Text(value)))
            .collect();
        let mut groups = Vec::new();
        for (name, group) in draws.groups() {
            let mut attributes = attributes.clone();
            // ArviZ looks here for the dimensions of draws.
            let dims = DRAWN.map(str::to_owned).to_vec();
            attributes.push(("sample_dims".to_owned(), Attribute::Texts(dims)));
            let (coordinates, arrays) = drawn(group);
            groups.push(Branch { name: name.name(), attributes, coordinates, arrays });
        }
        for (name, arrays) in draws.data() {
            let attributes = attributes.clone();
            let (coordinates, arrays) = known(arrays);
            groups.push(Branch { name: name.name(), attributes, coordinates, arrays });
        }
        Self { attributes, groups }
    }
}

/// The facts noted with the draws, and who wrote them when, as the schema asks.
fn attributes(draws: &Draws, now: SystemTime) -> Vec<(String, String)> {
    let now = humantime::format_rfc3339_seconds(now).to_string();
    let written = [
        ("created_at", now.as_str()),
        ("creation_library", env!("CARGO_PKG_NAME")),
        ("creation_library_version", env!("CARGO_PKG_VERSION")),
        ("creation_library_language", "Rust"),
    ];
    let mut attributes = draws.metadata().to_vec();
    for (key, value) in written {
        if draws.fact(key).is_none() {
            attributes.push((key.to_owned(), value.to_owned()));
        }
    }
    attributes
}

fn drawn(group: &Group) -> (Vec<Array>, Vec<Array>) {
    let (chains, iterations) = (group.chains(), group.iterations());
    let labels = Labels::of(group.variables().iter().filter_map(Variable::index));
    let [chain, draw] = DRAWN;
    let mut coordinates = vec![counted(chain, chains), counted(draw, iterations)];
    coordinates.extend(labels.coordinates());
    let arrays = group.arrays().into_iter();
    let arrays = arrays.map(|(name, elements)| gathered(name, &elements, &labels));
    (coordinates, arrays.collect())
}

/// One array of chain × draw (× coordinate); not a number at coordinates where the
/// variable has no element.
fn gathered(name: &str, elements: &[&Variable], labels: &Labels<'_>) -> Array {
    let first = elements[0];
    let (chains, iterations) = first.values().dim();
    let mut dimensions = DRAWN.map(str::to_owned).to_vec();
    let mut shape = vec![chains, iterations];
    let mut width = 1;
    if let Some(index) = first.index() {
        width = labels.count(index.dimension());
        dimensions.push(index.dimension().to_owned());
        shape.push(width);
    }
    let mut values = vec![f64::NAN; chains * iterations * width];
    for element in elements {
        let place = element.index().map_or(0, |index| labels.place(index));
        let cells = values.iter_mut().skip(place).step_by(width);
        for (cell, value) in cells.zip(element.values()) {
            *cell = *value;
        }
    }
    let name = name.to_owned();
    Array { name, dimensions, shape, values: Values::of_kind(first.kind(), values) }
}

fn known(arrays: &[DataArray]) -> (Vec<Array>, Vec<Array>) {
    let indices = arrays.iter().flat_map(|array| array.dimension().indices());
    let labels = Labels::of(indices);
    let coordinates = labels.coordinates().collect();
    let arrays = arrays.iter().map(|array| {
        let dimension = array.dimension();
        let mut values = vec![f64::NAN; labels.count(dimension.name())];
        for (index, value) in dimension.indices().iter().zip(array.values()) {
            values[labels.place(index)] = *value;
        }
        Array {
            name: array.name().to_owned(),
            dimensions: vec![dimension.name().to_owned()],
            shape: vec![values.len()],
            values: Values::of_kind(array.kind(), values),
        }
    });
    (coordinates, arrays.collect())
}

fn counted(name: &str, count: usize) -> Array {
    Array {
        name: name.to_owned(),
        dimensions: vec![name.to_owned()],
        shape: vec![count],
        values: Values::Counts((0..).take(count).collect()),
    }
}

/// The coordinates of each dimension of a group, in order of first appearance.
struct Labels<'a> {
    dimensions: Vec<(&'a str, Vec<&'a Index>)>,
    /// By dimension and by the label that is unique in it.
    places: BTreeMap<(&'a str, &'a str), usize>,
}

impl<'a> Labels<'a> {
    fn of(indices: impl Iterator<Item = &'a Index>) -> Self {
        let mut labels = Self { dimensions: Vec::new(), places: BTreeMap::new() };
        for index in indices {
            let name = index.dimension();
            let known = labels.dimensions.iter().position(|(known, _)| *known == name);
            let at = known.unwrap_or_else(|| {
                labels.dimensions.push((name, Vec::new()));
                labels.dimensions.len() - 1
            });
            let indices = &mut labels.dimensions[at].1;
            labels.places.entry((name, index.safe())).or_insert_with(|| {
                indices.push(index);
                indices.len() - 1
            });
        }
        labels
    }

    fn count(&self, dimension: &str) -> usize {
        let found = self.dimensions.iter().find(|(name, _)| *name == dimension);
        found.map_or(0, |(_, indices)| indices.len())
    }

    fn place(&self, index: &Index) -> usize {
        self.places[&(index.dimension(), index.safe())]
    }

    /// The labels as the user wrote them; those of names where two are the same.
    fn coordinates(&self) -> impl Iterator<Item = Array> {
        self.dimensions.iter().map(|(name, indices)| {
            let mut labels: Vec<&str> = indices.iter().map(|i| i.label()).collect();
            labels.sort_unstable();
            labels.dedup();
            let unique = labels.len() == indices.len();
            let texts = indices.iter();
            let texts = texts.map(|i| if unique { i.label() } else { i.safe() });
            Array {
                name: (*name).to_owned(),
                dimensions: vec![(*name).to_owned()],
                shape: vec![indices.len()],
                values: Values::Texts(texts.map(str::to_owned).collect()),
            }
        })
    }
}

impl Values {
    /// Whole numbers stay real where one of them is missing.
    fn of_kind(kind: Kind, values: Vec<f64>) -> Self {
        match kind {
            Kind::Count | Kind::Flag if values.iter().any(|v| !v.is_finite()) => {
                Self::Reals(values)
            }
            Kind::Real => Self::Reals(values),
            Kind::Count => Self::Counts(values.iter().map(|v| *v as i64).collect()),
            Kind::Flag => Self::Flags(values.iter().map(|v| *v != 0.0).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::{DataName, Dimension, GroupName};
    use ndarray::array;

    #[test]
    fn a_coordinate_without_an_element_is_not_a_number() {
        let variant = Dimension::new("variant", ["base", "patch"]);
        let [base, patch] = variant.indices() else { panic!("two") };
        let mut draws = Draws::default();
        let posterior = draws.group_mut(GroupName::Posterior);
        posterior.push(Variable::indexed("mean", base, array![[1.0, 2.0]]));
        posterior.push(Variable::indexed("mean", patch, array![[3.0, 4.0]]));
        posterior.push(Variable::indexed("between", patch, array![[5.0, 6.0]]));
        let tree = Tree::of(&draws);
        let [mean, between] = tree.groups[0].arrays.as_slice() else { panic!("two") };
        assert_eq!(mean.shape, [1, 2, 2]);
        let Values::Reals(mean) = &mean.values else { panic!("reals") };
        assert_eq!(*mean, [1.0, 3.0, 2.0, 4.0]); // the variant runs fastest
        let Values::Reals(between) = &between.values else { panic!("reals") };
        assert!(between[0].is_nan() && between[2].is_nan());
        assert_eq!([between[1], between[3]], [5.0, 6.0]);
    }

    #[test]
    fn data_have_no_chains_and_share_the_coordinates_of_their_group() {
        let runs = |count: usize| {
            Dimension::new("run", (1..=count).map(|run| run.to_string()))
        };
        let mut draws = Draws::default();
        let long = DataArray::new("base", &runs(3), vec![1.0, 2.0, 3.0]);
        let short = DataArray::new("patch", &runs(2), vec![4.0, 5.0]);
        draws.push_data(DataName::ObservedData, long.of_kind(Kind::Count));
        draws.push_data(DataName::ObservedData, short.of_kind(Kind::Count));
        let tree = Tree::of(&draws);
        let branch = &tree.groups[0];
        assert_eq!(branch.name, "observed_data");
        assert!(branch.attributes.iter().all(|(key, _)| key != "sample_dims"));
        assert!(
            matches!(&branch.arrays[0].values, Values::Counts(v) if v == &[1, 2, 3])
        );
        // Whole numbers have no way to say that one is missing.
        assert!(matches!(&branch.arrays[1].values, Values::Reals(v) if v[2].is_nan()));
        assert_eq!(branch.arrays[1].dimensions, ["run"]);
    }

    #[test]
    fn facts_that_were_noted_stand_over_those_of_the_writer() {
        let mut draws = Draws::default();
        draws.note("created_at", "long ago");
        let attributes = attributes(&draws, SystemTime::UNIX_EPOCH);
        let created: Vec<&str> = attributes
            .iter()
            .filter(|(key, _)| key == "created_at")
            .map(|(_, value)| value.as_str())
            .collect();
        assert_eq!(created, ["long ago"]);
        let fresh = super::attributes(&Draws::default(), SystemTime::UNIX_EPOCH);
        assert_eq!(fresh[0].1, "1970-01-01T00:00:00Z");
    }
}
