//! The unit that values are shown in, and the factor that takes them there.

use crate::analysis::Comparison;
use crate::data::unit;

/// A display unit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scale {
    /// Shown value = value in the unit of the runs × factor.
    pub factor: f64,
    /// The unit as shown, where there is one.
    pub unit: Option<String>,
}

impl Scale {
    /// A unit in which the means are easy to read.
    pub(crate) fn of(comparison: &Comparison) -> Self {
        let size = comparison.baseline.mean.abs().max(comparison.candidate.mean.abs());
        match &comparison.metric.unit {
            Some(unit) => {
                let (factor, shown) = unit::human(size, unit);
                Self { factor, unit: Some(shown) }
            }
            None => Self { factor: 1.0, unit: None },
        }
    }

    /// A number with the unit behind it.
    pub(crate) fn with_unit(&self, number: &str) -> String {
        match &self.unit {
            Some(unit) => format!("{number} {unit}"),
            None => number.to_owned(),
        }
    }
}
