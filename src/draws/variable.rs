//! One column of draws.

use ndarray::Array2;

use super::dimension::Index;

/// How the values of a variable are to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A real number.
    Real,
    /// A whole number.
    Count,
    /// 0 for no, 1 for yes.
    Flag,
}

/// One column of draws, a scalar: `difference`, or `mean` at `patch`.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    name: String,
    index: Option<Index>,
    full_name: String,
    kind: Kind,
    values: Array2<f64>,
}

impl Variable {
    /// A variable on its own. `values`: chains × iterations.
    pub fn new(name: impl Into<String>, values: Array2<f64>) -> Self {
        let name = name.into();
        Self { full_name: name.clone(), name, index: None, kind: Kind::Real, values }
    }

    /// One element of an indexed variable. `values`: chains × iterations.
    pub fn indexed(
        name: impl Into<String>,
        index: &Index,
        values: Array2<f64>,
    ) -> Self {
        let name = name.into();
        let full_name = format!("{name}[{}]", index.safe());
        Self { name, index: Some(index.clone()), full_name, kind: Kind::Real, values }
    }

    /// Says how the values are to be written; real numbers unless said.
    #[must_use]
    pub fn of_kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// The name without its index: `mean`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it stands in the indexed variable that it is part of.
    pub fn index(&self) -> Option<&Index> {
        self.index.as_ref()
    }

    /// The name of the column, as R's `posterior` writes it: `mean[patch]`.
    pub fn full_name(&self) -> &str {
        &self.full_name
    }

    /// How the values are to be written.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The draws: chains × iterations.
    pub fn values(&self) -> &Array2<f64> {
        &self.values
    }
}
