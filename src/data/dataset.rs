//! Everything that was read, ready to compare.

use super::{Measurements, Metric, Skipped};

/// One variant of a series: a label, its measurements, where they came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// What the user, the file or the command line calls it.
    pub label: String,
    /// In the unit of the series' metric.
    pub measurements: Measurements,
    /// The files (as typed) that the values came from.
    pub sources: Vec<String>,
}

/// One benchmark under one metric: two variants or more, the baseline first.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What was exercised, where it has a name.
    pub benchmark: Option<String>,
    /// What was measured.
    pub metric: Metric,
    /// The baseline, then the candidates.
    pub variants: Vec<Variant>,
}

impl Series {
    /// Benchmark and metric, as a sentence names them.
    pub(crate) fn name(&self) -> String {
        named(self.benchmark.as_deref(), self.metric.name.as_deref())
    }
}

/// A benchmark and a metric, as a sentence names them.
pub(super) fn named(benchmark: Option<&str>, metric: Option<&str>) -> String {
    match (benchmark, metric) {
        (Some(benchmark), Some(metric)) => format!("`{benchmark}` ({metric})"),
        (Some(name), None) | (None, Some(name)) => format!("`{name}`"),
        (None, None) => "runs without a name".to_owned(),
    }
}

/// All series that can be compared, and what could not be.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dataset {
    /// In the order of the input.
    pub series: Vec<Series>,
    /// Benchmarks that cannot be compared, and why: a sentence each.
    pub unmatched: Vec<String>,
    /// Variants whose files were taken for an invocation each, since no file says.
    pub files_as_invocations: Vec<FilesAsInvocations>,
    /// What was passed over, with the file it is in.
    pub skipped: Vec<(String, Skipped)>,
}

/// A variant of which several files were read, each as one invocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilesAsInvocations {
    /// Its label.
    pub variant: String,
    /// How many files.
    pub files: usize,
}
