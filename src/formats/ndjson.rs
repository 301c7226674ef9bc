//! Tables as JSON lines: an object a row, its keys the columns.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::delimited::read_rows;
use super::json::{parse_line, plain};
use super::lines::Lines;
use super::{File, Format, Options};
use crate::data::Reading;
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct JsonLines;

/// How many lines are looked at to tell the format.
const HEAD: usize = 2;

/// One row.
pub(super) type Object = Map<String, Value>;

impl Format for JsonLines {
    fn name(&self) -> &'static str {
        "ndjson"
    }

    fn description(&self) -> &'static str {
        "a table as JSON lines: an object a row, its keys the columns"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let mut lines =
            file.text.lines().map(str::trim).filter(|line| !line.is_empty());
        let is_object = |line: &str| {
            line.starts_with('{') && parse_line::<Object>(line, "a table").is_ok()
        };
        lines.by_ref().take(HEAD).filter(|line| is_object(line)).count() == HEAD
    }

    fn read(&self, file: &File<'_>, options: &Options) -> Result<Reading, Error> {
        let mut rows: Vec<(usize, Object)> = Vec::new();
        let mut bytes = file.text.as_bytes();
        let mut lines = Lines::new(file.path, &mut bytes);
        while let Some(text) = lines.next()? {
            let row = parse_line::<Object>(text, "a table of JSON lines");
            let row = row.map_err(|fault| fault.at(file.path, lines.line()))?;
            rows.push((lines.line(), row));
        }
        read_objects(self.name(), file.path, rows, options)
    }
}

/// Reads a table of objects, each with its line, under the name of a format.
pub(super) fn read_objects(
    format: &'static str,
    path: &str,
    rows: Vec<(usize, Object)>,
    options: &Options,
) -> Result<Reading, Error> {
    let mut names: Vec<String> = Vec::new();
    let mut flat_rows: Vec<(usize, Object)> = Vec::with_capacity(rows.len());
    for (line, row) in rows {
        let mut flat = Object::new();
        flatten("", row, &mut flat);
        for name in flat.keys() {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        flat_rows.push((line, flat));
    }
    let table = table(&names, &flat_rows);
    read_rows(format, &File { path, text: &table }, &names, options)
}

/// `{"stats": {"mean": 1}}` has the column `stats.mean`.
fn flatten(path: &str, object: Object, flat: &mut Object) {
    for (key, value) in object {
        let path = if path.is_empty() { key } else { format!("{path}.{key}") };
        match value {
            Value::Object(inner) => flatten(&path, inner, flat),
            value => {
                flat.insert(path, value);
            }
        }
    }
}

/// As CSV whose lines have the numbers that they have in the file.
fn table(names: &[String], rows: &[(usize, Object)]) -> String {
    let mut text = String::new();
    let mut line = 1;
    for (number, row) in rows {
        while line < *number {
            text.push('\n');
            line += 1;
        }
        for (at, name) in names.iter().enumerate() {
            let separator = if at > 0 { "," } else { "" };
            let cell = row.get(name).map(cell).unwrap_or_default();
            // Writing to a String cannot fail.
            let _ = write!(text, "{separator}\"{cell}\"");
        }
    }
    text
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => {
            plain(value).replace(['\n', '\r'], " ").replace('"', "\"\"")
        }
    }
}
