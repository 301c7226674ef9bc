//! What one file says, before anything is concluded.

use super::{BlockIds, Direction, Mark, Published, Summary};

/// One file as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The name of its format.
    pub format: &'static str,
    /// As the user typed it, or `stdin`.
    pub path: String,
    /// In the order of the file.
    pub records: Vec<Record>,
    /// What was passed over.
    pub skipped: Vec<Skipped>,
    /// How the variants inside are told apart.
    pub variants: VariantsBy,
    /// Columns that might name variants and were not taken to.
    pub other_columns: Vec<String>,
}

impl Reading {
    /// The records of a file that names no variants.
    pub fn new(format: &'static str, path: &str, records: Vec<Record>) -> Self {
        Self {
            format,
            path: path.to_owned(),
            records,
            skipped: Vec::new(),
            variants: VariantsBy::Nothing,
            other_columns: Vec::new(),
        }
    }
}

/// How a file tells variants apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VariantsBy {
    /// It does not.
    Nothing,
    /// By a column of labels: such tables are concatenated.
    Column(String),
    /// By a column of values for each, or by another mark of the format.
    Structure,
}

/// Some part of a file that was passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// What it is, such as empty cells in a column.
    pub what: String,
    /// How many of them.
    pub count: usize,
    /// Why it was passed over.
    pub why: String,
    /// Whether that is how its format is read, and no measurement is missed: aggregates
    /// beside their runs, warm-up.
    pub routine: bool,
}

/// The runs, or their summary, of one variant, benchmark and metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// As the file names it.
    pub variant: Option<String>,
    /// As the file names it, with its parameters.
    pub benchmark: Option<String>,
    /// The benchmark without what its marks say, where there are any.
    pub stem: Option<String>,
    /// What else the file says of how it was measured.
    pub marks: Vec<Mark>,
    /// As the file names it.
    pub metric: Option<String>,
    /// As the file spells it.
    pub unit: Option<String>,
    /// Which way is better, where the file says so.
    pub direction: Option<Direction>,
    /// Whether the format marks it as the baseline.
    pub baseline: bool,
    /// What was measured.
    pub values: Values,
}

impl Record {
    /// Values that the file says nothing about.
    pub fn unnamed(values: Values) -> Self {
        Self {
            variant: None,
            benchmark: None,
            stem: None,
            marks: Vec::new(),
            metric: None,
            unit: None,
            direction: None,
            baseline: false,
            values,
        }
    }
}

/// What a record holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// The runs themselves.
    Runs(Runs),
    /// Number, mean and SD.
    Summary(Summary),
    /// Number, mean and a spread of which nobody says what it is.
    Published(Published),
}

/// Runs as they were read: all finite, in order, in the unit as printed.
#[derive(Debug, Clone, PartialEq)]
pub struct Runs {
    /// The runs of each invocation.
    pub invocations: Vec<Vec<f64>>,
    /// Whether the file tells its invocations apart; otherwise it is one itself.
    pub invocations_named: bool,
    /// The width of the finest last decimal place among the values as printed.
    pub resolution: f64,
    /// The block of each run of each invocation, where the file names blocks.
    pub blocks: Option<Vec<BlockIds>>,
}

impl Runs {
    /// How many there are in all invocations.
    pub fn len(&self) -> usize {
        self.invocations.iter().map(Vec::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.invocations.iter().all(Vec::is_empty)
    }
}

/// One argument of the command line, as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// What the user calls it, or what its name says.
    pub label: String,
    /// Whether the user gave the label.
    pub labelled: bool,
    /// One for each file; several files are invocations.
    pub readings: Vec<Reading>,
}
