//! What was measured: runs, samples, metrics, units, directions, datasets, selection.

mod arrange;
mod assembly;
mod blocks;
mod combine;
mod dataset;
mod marks;
mod metric;
mod pair;
mod published;
mod reading;
mod sample;
mod selection;
mod summary_text;
pub mod unit;

pub use assembly::assemble;
pub use blocks::{BlockIds, Blocks};
pub use dataset::{Dataset, FilesAsInvocations, Series, Variant};
pub use marks::Mark;
pub use metric::{Direction, DirectionSource, Metric};
pub use pair::Pair;
pub use published::{Published, SpreadKind};
pub use reading::{Reading, Record, Runs, Skipped, Source, Values, VariantsBy};
pub use sample::{
    Measurements, Moments, Sample, Summary, finest_resolution, shortest_resolution,
};
pub use selection::{Rename, Selection, VariantBy};
pub use summary_text::parse_summary;

/// The format of what is given as a summary on the command line.
pub const SUMMARY: &str = "summary";
