//! A difference as people read it: its median, its share of the baseline, its interval.

use super::number::{places, signed};
use super::scale::Scale;
use crate::analysis::Comparison;
use crate::draws::Summary;

/// Decimal places that the draws support, in shown units.
pub(super) struct Resolved {
    /// For the middle of a distribution.
    pub middle: i32,
    /// For the ends of its 95 % interval.
    pub ends: i32,
}

impl Resolved {
    pub(super) fn of(summary: &Summary, factor: f64) -> Self {
        // A normal distribution with this interval; its quantiles have these standard
        // errors (Kendall & Stuart, section 10.10): √(p(1−p))/φ times sd/√ESS.
        let width = summary.eti.map_or(0.0, |[low, high]| high - low);
        let sd = factor.abs() * width / (2.0 * 1.96);
        let unit = sd / summary.ess_bulk.unwrap_or(1.0).max(1.0).sqrt();
        Self { middle: places(1.253 * unit), ends: places(2.672 * unit) }
    }
}

/// The difference of the means in the unit of its scale, with the digits it supports.
pub(super) struct Difference {
    /// The posterior median: `+0.7`.
    pub median: String,
    /// The median relative change in per cent, where it can be given: `+0.4 %`.
    pub share: Option<String>,
    /// The ends of the 95 % interval.
    pub ends: [String; 2],
}

impl Difference {
    /// `None` where the draws are not finite.
    pub(super) fn of(comparison: &Comparison, scale: &Scale) -> Option<Self> {
        let summary = comparison.posterior("difference")?;
        let resolved = Resolved::of(summary, scale.factor);
        let share = comparison.posterior("relative_change").and_then(|change| {
            let places = Resolved::of(change, 100.0).middle;
            Some(format!("{} %", signed(100.0 * change.median?, places)))
        });
        Some(Self {
            median: signed(scale.factor * summary.median?, resolved.middle),
            share,
            ends: summary.eti?.map(|end| signed(scale.factor * end, resolved.ends)),
        })
    }
}
