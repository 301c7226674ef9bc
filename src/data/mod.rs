//! What was measured: runs, samples, metrics, units, directions, datasets, selection.

mod dataset;
mod metric;
mod pair;
mod sample;

pub use dataset::{Dataset, Series, Variant};
pub use metric::{Direction, DirectionSource, Metric};
pub use pair::Pair;
pub use sample::{Measurements, Moments, Sample, Summary, shortest_resolution};
