//! What belongs to a fit and is not drawn: the runs, and what was known before.

use super::dimension::Dimension;
use super::variable::Kind;

/// A group of the `InferenceData` schema that has neither chains nor draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DataName {
    /// What was measured and is modelled.
    ObservedData,
    /// What else the model was given.
    ConstantData,
}

impl DataName {
    /// The name that the schema gives: `observed_data`.
    pub fn name(self) -> &'static str {
        match self {
            Self::ObservedData => "observed_data",
            Self::ConstantData => "constant_data",
        }
    }
}

/// Numbers along one dimension.
#[derive(Debug, Clone, PartialEq)]
pub struct DataArray {
    name: String,
    dimension: Dimension,
    kind: Kind,
    values: Vec<f64>,
}

impl DataArray {
    /// The values at the coordinates of a dimension, in order.
    ///
    /// # Panics
    /// When there are more values than coordinates or fewer: a mistake of the program.
    pub fn new(
        name: impl Into<String>,
        dimension: &Dimension,
        values: Vec<f64>,
    ) -> Self {
        let (name, dimension) = (name.into(), dimension.clone());
        let coordinates = dimension.indices().len();
        assert_eq!(values.len(), coordinates, "`{name}` has other coordinates");
        Self { name, dimension, kind: Kind::Real, values }
    }

    /// Says how the values are to be written; real numbers unless said.
    #[must_use]
    pub fn of_kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// What the numbers are.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What they run along.
    pub fn dimension(&self) -> &Dimension {
        &self.dimension
    }

    /// How the values are to be written.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The values, in the order of the coordinates.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
}
