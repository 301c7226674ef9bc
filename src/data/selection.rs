//! What of the input to take, and how to read what it leaves open.

use std::str::FromStr;

use super::{Direction, SpreadKind};
use crate::error::Error;

/// The choices of the command line on input; the default takes everything as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// The name of the format, in place of detection.
    pub input_format: Option<String>,
    /// The column of values, by name or number from 1.
    pub column: Option<String>,
    /// What tells variants apart.
    pub variant_by: Option<VariantBy>,
    /// What a published spread is, where the file does not say.
    pub summary_spread: Option<SpreadKind>,
    /// The label of the baseline, after renaming.
    pub baseline: Option<String>,
    /// New names of variants.
    pub rename: Vec<Rename>,
    /// Names what has no benchmark's name, and selects what has one (a glob pattern).
    pub benchmark: Option<String>,
    /// Names what has no metric, and selects what has one.
    pub metric: Option<String>,
    /// Names what has no unit, and converts what has one.
    pub unit: Option<String>,
    /// Which way is better.
    pub direction: Option<Direction>,
    /// How many runs at the start of each invocation are warm-up.
    pub drop_first: usize,
    /// Whether several files of a variant are one invocation rather than one each.
    pub pool_files: bool,
}

/// What tells variants apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum VariantBy {
    /// `file`: each argument is a variant, whatever is inside.
    File,
    /// `inside`: what the files themselves name.
    Inside,
    /// `column:NAME`: a column of a table.
    Column(String),
    /// `command`: the command line that was measured.
    Command,
    /// `param:NAME`: a parameter of the benchmark.
    Parameter(String),
    /// `config:KEY`: a line of configuration, as in Go's files.
    Configuration(String),
}

impl FromStr for VariantBy {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (kind, name) = match text.split_once(':') {
            Some((kind, name)) => (kind, Some(name.trim())),
            None => (text, None),
        };
        match (kind, name) {
            ("file", None) => Ok(Self::File),
            ("inside", None) => Ok(Self::Inside),
            ("command", None) => Ok(Self::Command),
            ("column", Some(name)) if !name.is_empty() => Ok(Self::Column(name.into())),
            ("param", Some(name)) if !name.is_empty() => {
                Ok(Self::Parameter(name.into()))
            }
            ("config", Some(name)) if !name.is_empty() => {
                Ok(Self::Configuration(name.into()))
            }
            _ => Err(Error::new(format!(
                "`{text}` does not say what tells variants apart"
            ))
            .with_hint(
                "write `file`, `inside`, `command`, `param:NAME`, `config:KEY` or \
                 `column:NAME`",
            )),
        }
    }
}

/// `OLD=NEW`: a variant gets another name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rename {
    /// The label as read.
    pub old: String,
    /// The label to show.
    pub new: String,
}

impl FromStr for Rename {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        // A label may hold `=`; a new name is chosen freely and need not.
        match text.rsplit_once('=') {
            Some((old, new)) if !old.is_empty() && !new.is_empty() => {
                Ok(Self { old: old.to_owned(), new: new.to_owned() })
            }
            _ => Err(Error::new(format!("`{text}` renames nothing"))
                .with_hint("write `OLD=NEW`, such as `a1b2c3=patch`")),
        }
    }
}
