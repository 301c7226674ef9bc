//! What was measured, in which unit, and which way is better.

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Smaller values are better: times, sizes, counts.
    LowerIsBetter,
    /// Larger values are better: rates, throughput.
    HigherIsBetter,
}

impl Direction {
    /// +1 where larger is slower, else −1: the sign that turns a difference into a
    /// slowdown.
    pub fn slowdown_sign(self) -> f64 {
        match self {
            Self::LowerIsBetter => 1.0,
            Self::HigherIsBetter => -1.0,
        }
    }

    /// `lower` or `higher`.
    pub fn name(self) -> &'static str {
        match self {
            Self::LowerIsBetter => "lower",
            Self::HigherIsBetter => "higher",
        }
    }
}

/// How the direction is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectionSource {
    /// The file says so.
    Format,
    /// It follows from the unit.
    Unit,
    /// The user said so.
    Option,
    /// Nothing says so: lower is assumed.
    Assumed,
}

impl DirectionSource {
    /// `format`, `unit`, `option` or `assumed`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Unit => "unit",
            Self::Option => "option",
            Self::Assumed => "assumed",
        }
    }
}

/// One measured quantity of a benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// Its name, where one is known.
    pub name: Option<String>,
    /// The unit of the values as they are kept, where one is known.
    pub unit: Option<String>,
    /// Which way is better.
    pub direction: Direction,
    /// How that is known.
    pub direction_source: DirectionSource,
}
