//! What a variable is indexed by, with labels that are safe inside `mean[patch]`.

use std::collections::BTreeSet;

/// Named coordinates, such as the variants: `variant` with `base` and `patch`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dimension {
    name: String,
    indices: Vec<Index>,
}

/// One coordinate of a dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    dimension: String,
    label: String,
    safe: String,
}

impl Dimension {
    /// The labels in order, as the user wrote them.
    ///
    /// Readers split `mean[a,b]` at the comma, so `[`, `]` and `,` become `_` in names;
    /// where two labels would become the same, the later one gets a number: `a_b`,
    /// `a_b_2`.
    pub fn new<L: Into<String>>(
        name: impl Into<String>,
        labels: impl IntoIterator<Item = L>,
    ) -> Self {
        let name = name.into();
        let labels: Vec<String> = labels.into_iter().map(Into::into).collect();
        // A label that needs no change keeps its name whatever stands before it.
        let mut taken: Vec<String> =
            labels.iter().filter(|label| safe(label) == **label).cloned().collect();
        let mut seen = BTreeSet::new();
        let mut indices: Vec<Index> = Vec::with_capacity(labels.len());
        for label in labels {
            let repeated = !seen.insert(label.clone());
            let safe = if safe(&label) == label && !repeated {
                label.clone()
            } else {
                unused(&safe(&label), &taken)
            };
            taken.push(safe.clone());
            indices.push(Index { dimension: name.clone(), label, safe });
        }
        Self { name, indices }
    }

    /// What is indexed: `variant`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The coordinates, in order.
    pub fn indices(&self) -> &[Index] {
        &self.indices
    }
}

impl Index {
    /// The name of the dimension: `variant`.
    pub fn dimension(&self) -> &str {
        &self.dimension
    }

    /// The label as the user wrote it.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The label as it stands in variables' names; unique in its dimension.
    pub fn safe(&self) -> &str {
        &self.safe
    }
}

fn safe(label: &str) -> String {
    label.replace(['[', ']', ','], "_")
}

/// `name`, or the first of `name_2`, `name_3`, … that nobody has.
fn unused(name: &str, taken: &[String]) -> String {
    if !taken.iter().any(|other| other == name) {
        return name.to_owned();
    }
    (2..=taken.len() + 2)
        .map(|number| format!("{name}_{number}"))
        .find(|candidate| !taken.contains(candidate))
        .unwrap_or_else(|| name.to_owned())
}
