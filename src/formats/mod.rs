//! Input formats: one file each, one registry, detection by content.

use crate::data::Reading;
use crate::error::{Error, unknown_name};

mod column;
mod delimited;
mod groups;
mod header;
mod number;
mod numbers;
mod plan;
mod text;

pub use delimited::write_table;
pub use numbers::write_numbers;

/// A file whose bytes are text.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    /// As the user typed it, or `stdin`.
    pub path: &'a str,
    /// All of it, without a byte order mark.
    pub text: &'a str,
}

/// What the user says about the inside of files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// The column of values, by name or number from 1.
    pub column: Option<String>,
    /// The column that tells variants apart.
    pub variant_column: Option<String>,
}

/// One input format.
pub trait Format: Sync {
    /// Lower case, unique, as `--input-format` takes it.
    fn name(&self) -> &'static str;

    /// One line on what it is and who writes it.
    fn description(&self) -> &'static str;

    /// Whether the file looks like it.
    fn detect(&self, file: &File<'_>) -> bool;

    /// Reads a file of this format; anything else is an error, never a panic.
    ///
    /// # Errors
    /// With the file, the line where one is to blame, and what to do.
    fn read(&self, file: &File<'_>, options: &Options) -> Result<Reading, Error>;
}

/// Every format, in the order of detection: those that are told by a mark come first.
pub static FORMATS: &[&dyn Format] =
    &[&numbers::Numbers, &delimited::TABS, &delimited::SEMICOLONS, &delimited::COMMAS];

/// The format of that name.
///
/// # Errors
/// When there is none: the names are listed.
pub fn by_name(name: &str) -> Result<&'static dyn Format, Error> {
    FORMATS.iter().copied().find(|format| format.name() == name).ok_or_else(|| {
        unknown_name("input format", name, FORMATS.iter().map(|format| format.name()))
    })
}

/// The format that the content looks like.
///
/// # Errors
/// When it is like none, or when there is nothing in it.
pub fn detect(file: &File<'_>) -> Result<&'static dyn Format, Error> {
    let says_nothing = |line: &str| line.is_empty() || line.starts_with('#');
    if file.text.lines().map(str::trim).all(says_nothing) {
        return Err(Error::new("there are no runs in it: it is empty")
            .in_file(file.path)
            .with_hint("give one number a line, or a CSV table"));
    }
    FORMATS.iter().copied().find(|format| format.detect(file)).ok_or_else(|| {
        let names = header::list(FORMATS.iter().map(|format| format.name()));
        Error::new("its format is not known").in_file(file.path).with_hint(format!(
            "give one number a line or a CSV table; if it is one of {names}, say so \
             with `--input-format`"
        ))
    })
}

/// Reads the bytes of one file.
///
/// # Errors
/// As those of its format, or when it has none.
pub fn read_bytes(
    path: &str,
    bytes: Vec<u8>,
    format: Option<&'static dyn Format>,
    options: &Options,
) -> Result<Reading, Error> {
    let text = text::decode(path, bytes)?;
    let file = File { path, text: &text };
    let format = format.map_or_else(|| detect(&file), Ok)?;
    let reading = format.read(&file, options)?;
    if reading.records.is_empty() {
        return Err(Error::new("there are no runs in it")
            .in_file(path)
            .with_hint("give one number a line, or a CSV table"));
    }
    Ok(reading)
}
