//! Plain numbers: one a line, or in columns separated by blanks; `#` begins a remark.

use std::fmt::Write as _;

use super::column::{Column, Finest, one_invocation, settle};
use super::header::{Heading, find, list};
use super::number::{Convention, Evidence, Fault, parse};
use super::{File, Format, Options};
use crate::data::unit::{direction, direction_of_metric};
use crate::data::{Reading, Record};
use crate::error::Error;

/// How many lines of numbers and names are looked at to tell the format.
const HEAD: usize = 20;

/// The format.
#[derive(Debug)]
pub(super) struct Numbers;

impl Format for Numbers {
    fn name(&self) -> &'static str {
        "numbers"
    }

    fn description(&self) -> &'static str {
        "plain numbers, one a line or in columns, with `#` comments (as for ministat)"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let mut rows = rows(file.text).take(HEAD);
        let Some((_, first)) = rows.next() else { return false };
        let table = file.path.to_ascii_lowercase().ends_with(".csv");
        if table && first.contains(',') || is_list(file.text) {
            return false;
        }
        let second = rows.next();
        is_numbers(first)
            || (!first.starts_with(['{', '[', '<'])
                && !first.contains([',', ';', '\t'])
                && second.is_some_and(|(_, second)| {
                    is_numbers(second) && cells(first).count() >= cells(second).count()
                }))
    }

    fn read(&self, file: &File<'_>, options: &Options) -> Result<Reading, Error> {
        let table = Table::of(file)?;
        let index = table.choose(options)?;
        if let Some(wanted) = &options.variant_column {
            let what = format!("plain numbers have no column `{wanted}` of variants");
            return Err(Error::new(what)
                .in_file(file.path)
                .with_hint("give a table with a header line such as `variant,value`"));
        }
        let heading = table.headings.as_ref().and_then(|names| names.get(index));
        let unit = heading.and_then(|heading| heading.unit.clone());
        let mut column = Column::new(table.convention(index)?, unit);
        let mut runs = Vec::new();
        let mut finest = Finest::NONE;
        for (line, row) in table.rows() {
            let cell = table.cell(line, row, index)?;
            let (value, place) = column.read(cell).map_err(|(what, hint)| {
                let subject = match heading {
                    Some(heading) => format!("column `{}` {what}", heading.name),
                    None if table.width > 1 => format!("column {} {what}", index + 1),
                    None => format!("the line {what}"),
                };
                Error::new(subject).at_line(file.path, line).with_hint(hint)
            })?;
            runs.push(value);
            finest = finest.and(place);
        }
        let mut record = one_invocation(runs, finest);
        name(&mut record, heading, column.unit);
        Ok(Reading::new(self.name(), file.path, vec![record]))
    }
}

/// What a heading says of the numbers below it.
fn name(record: &mut Record, heading: Option<&Heading>, unit: Option<String>) {
    record.metric = heading.and_then(Heading::metric);
    record.direction = match unit.as_deref().and_then(direction) {
        None => record.metric.as_deref().and_then(direction_of_metric),
        Some(_) => None,
    };
    record.unit = unit;
}

/// The rows of a file, and what its columns are called.
struct Table<'a> {
    file: &'a File<'a>,
    headings: Option<Vec<Heading>>,
    /// The line of the names, where they are not behind `#`.
    header_line: Option<usize>,
    width: usize,
}

impl<'a> Table<'a> {
    fn of(file: &'a File<'a>) -> Result<Self, Error> {
        let mut head = rows(file.text);
        let none = || {
            Error::new("there are no numbers in it")
                .in_file(file.path)
                .with_hint("give one number a line")
        };
        let (first_line, first) = head.next().ok_or_else(none)?;
        let bare_header = !is_numbers(first) && cells(first).all(is_no_number);
        let (width, header_line) = if bare_header {
            let (_, second) = head.next().ok_or_else(none)?;
            (cells(second).count(), Some(first_line))
        } else {
            (cells(first).count(), None)
        };
        let header = match header_line {
            Some(_) => Some(first),
            None => commented_header(file.text, first_line, width),
        };
        let headings = header
            .map(|names| match width {
                // One heading keeps the blanks inside: `time (ms)`.
                1 => vec![Heading::parse(names)],
                _ => cells(names).map(Heading::parse).collect::<Vec<_>>(),
            })
            .filter(|headings| headings.len() == width);
        Ok(Self { file, headings, header_line, width })
    }

    fn rows(&self) -> impl Iterator<Item = (usize, &'a str)> {
        let header = self.header_line;
        rows(self.file.text).filter(move |(line, _)| Some(*line) != header)
    }

    /// The one column there is, or the one that the user names.
    fn choose(&self, options: &Options) -> Result<usize, Error> {
        let numbered = || (1..=self.width).map(|n| Heading::parse(&n.to_string()));
        let headings = self.headings.clone().unwrap_or_else(|| numbered().collect());
        if let Some(wanted) = &options.column {
            return find(&headings, wanted)
                .map_err(|error| error.in_file(self.file.path));
        }
        if self.width == 1 {
            return Ok(0);
        }
        let names = list(headings.iter().map(|heading| heading.name.as_str()));
        Err(Error::new(format!("there are {} columns of numbers: {names}", self.width))
            .in_file(self.file.path)
            .with_hint(format!("choose one: `--column {}`", headings[0].name)))
    }

    /// A file without a comma has nothing to settle.
    fn convention(&self, index: usize) -> Result<Convention, Error> {
        if !self.file.text.contains(',') {
            return Ok(Convention::Point);
        }
        let mut evidence = Evidence::default();
        for (line, row) in self.rows() {
            evidence.note(self.cell(line, row, index)?, || line);
        }
        settle(self.file.path, evidence)
    }

    fn cell(&self, line: usize, row: &'a str, index: usize) -> Result<&'a str, Error> {
        // One column keeps the blanks inside: `152.7 Mbit/s`.
        let no_blanks = || !row.bytes().any(|byte| byte.is_ascii_whitespace());
        if self.width == 1 && (no_blanks() || cells(row).nth(1).is_none()) {
            return Ok(row);
        }
        let mut row_cells = cells(row);
        let cell = row_cells.nth(index);
        let count = cells(row).count();
        match cell {
            Some(cell) if count == self.width => Ok(cell),
            _ => Err(Error::new(format!(
                "this line has {}, the first has {}",
                columns(count),
                self.width
            ))
            .at_line(self.file.path, line)
            .with_hint("give each line a number in every column")),
        }
    }
}

fn columns(count: usize) -> String {
    if count == 1 { "1 column".to_owned() } else { format!("{count} columns") }
}

/// The names behind the last `#` before the numbers, as many as there are columns.
fn commented_header(text: &str, before: usize, width: usize) -> Option<&str> {
    if width < 2 {
        return None;
    }
    let comments = text.lines().take(before - 1).filter_map(|line| {
        let names = line.trim().strip_prefix('#')?.trim();
        (cells(names).count() == width).then_some(names)
    });
    comments.last()
}

/// Lines that hold more than blanks and remarks, with their numbers.
fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('\n').enumerate().filter_map(|(index, line)| {
        let line = line.find('#').map_or(line, |at| &line[..at]).trim();
        (!line.is_empty()).then_some((index + 1, line))
    })
}

/// The columns of a line: a unit set apart by a blank belongs to its number.
fn cells(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let mut end = word_end(rest);
        let next = rest[end..].trim_start();
        let unit = &next[..word_end(next)];
        let is_unit = !unit.is_empty()
            && crate::data::unit::Unit::parse(unit).is_some()
            && parse(&rest[..end], Convention::Point).is_ok();
        if is_unit {
            end = rest.len() - next.len() + unit.len();
        }
        let (cell, after) = rest.split_at(end);
        rest = after;
        Some(cell)
    })
}

fn word_end(text: &str) -> usize {
    // Blanks inside a number (U+00A0 and the like) separate its thousands.
    text.find([' ', '\t', '\r', '\x0b', '\x0c']).unwrap_or(text.len())
}

/// Whether each line has the same two commas or more and no point: `100,200,300` are
/// three numbers rather than one with its thousands set apart.
fn is_list(text: &str) -> bool {
    let commas = |row: &str| row.matches(',').count();
    let mut counts = rows(text)
        .take(HEAD)
        .map(|(_, row)| if row.contains('.') { 0 } else { commas(row) });
    let first = counts.next().unwrap_or(0);
    first >= 2 && counts.all(|count| count == first)
}

fn is_numbers(line: &str) -> bool {
    cells(line).all(|cell| !is_no_number(cell))
}

/// Neither a number nor something that means one.
fn is_no_number(cell: &str) -> bool {
    let fault = |convention| parse(cell, convention).err();
    match (fault(Convention::Point), fault(Convention::Comma)) {
        (Some(Fault::NotANumber | Fault::Suffix | Fault::Separators), Some(other)) => {
            matches!(other, Fault::NotANumber | Fault::Suffix | Fault::Separators)
        }
        _ => false,
    }
}

/// Runs as a file of numbers, one a line, each in its shortest form.
pub fn write_numbers(runs: &[f64]) -> String {
    runs.iter().fold(String::new(), |mut text, run| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{run}");
        text
    })
}
