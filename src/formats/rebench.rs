//! What ReBench writes: tab-separated lines under `#!` lines that say how it was called.

use std::collections::{BTreeMap, BTreeSet};

use super::gathering::named;
use super::{File, Format, Options};
use crate::data::{Mark, Reading, Record, Values, VariantsBy, shortest_resolution};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct ReBench;

/// The columns before version 1.0, which wrote no header.
const OLD: [&str; 10] = [
    "time",
    "value",
    "unit",
    "criterion",
    "benchmark",
    "executor",
    "suite",
    "extraArgs",
    "warmup",
    "cores",
];

/// Columns that tell benchmarks of one name apart, where they vary.
const PARAMETERS: [&str; 6] =
    ["suite", "extraArgs", "cores", "inputSize", "varValue", "tag"];

impl Format for ReBench {
    fn name(&self) -> &'static str {
        "rebench"
    }

    fn description(&self) -> &'static str {
        "data files of ReBench; each executor is a variant"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        file.text.starts_with("#!")
            && rows(file.text).any(|(_, row)| row.contains('\t'))
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let lines = lines(file)?;
        let varying = varying(&lines);
        let mut places: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
        let mut records: Vec<(Record, Vec<Run<'_>>)> = Vec::new();
        for Line { cells, value } in &lines {
            let cell = |name: &str| cells.get(name).copied().unwrap_or_default();
            let names = ["executor", "benchmark", "criterion", "unit"];
            let key = names.into_iter().chain(varying.iter().copied()).map(cell);
            let at = *places.entry(key.collect()).or_insert(records.len());
            if at == records.len() {
                records.push((record(cells, &varying), Vec::new()));
            }
            records[at].1.push((cell("invocation"), *value));
        }
        if records.is_empty() {
            return Err(Error::new("there are no runs in it")
                .in_file(file.path)
                .with_hint("give the data file that ReBench wrote"));
        }
        let records = records.into_iter().map(|(record, runs)| filled(record, runs));
        let mut reading = Reading::new(self.name(), file.path, records.collect());
        reading.variants = VariantsBy::Structure;
        Ok(reading)
    }
}

/// The cells of a line by the name of their column.
type Cells<'a> = BTreeMap<&'a str, &'a str>;

/// The invocation, as the file numbers it, and the value.
type Run<'a> = (&'a str, f64);

/// One line of measurements.
struct Line<'a> {
    cells: Cells<'a>,
    value: f64,
}

fn lines<'a>(file: &File<'a>) -> Result<Vec<Line<'a>>, Error> {
    let mut columns: Vec<&str> = OLD.to_vec();
    let mut lines = Vec::new();
    for (number, row) in rows(file.text) {
        let cells: Vec<&str> = row.split('\t').map(str::trim).collect();
        if cells.contains(&"executor") && cells.contains(&"value") {
            columns = cells;
            continue;
        }
        let cells: Cells<'_> = columns.iter().copied().zip(cells).collect();
        let text = cells.get("value").copied().unwrap_or_default();
        let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
        let value = value.ok_or_else(|| {
            Error::new(format!("the value should be a finite number, not `{text}`"))
                .at_line(file.path, number)
                .with_hint("take the line out: this run has no value")
        })?;
        lines.push(Line { cells, value });
    }
    Ok(lines)
}

/// Lines that hold more than remarks, with their numbers.
fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
}

fn varying(lines: &[Line<'_>]) -> Vec<&'static str> {
    let varies = |name: &&str| {
        let values: BTreeSet<_> =
            lines.iter().map(|line| line.cells.get(*name)).collect();
        values.len() > 1
    };
    PARAMETERS.into_iter().filter(varies).collect()
}

fn record(cells: &Cells<'_>, varying: &[&str]) -> Record {
    let cell = |name: &str| cells.get(name).copied().filter(|cell| !cell.is_empty());
    let unit = cell("unit");
    let mut record = named(None, cell("criterion").unwrap_or("total"), unit);
    record.variant = cell("executor").map(str::to_owned);
    let marks = varying.iter().filter_map(|name| Some((*name, cell(name)?)));
    let marks = marks.map(|(name, value)| Mark::parameter(name, value)).collect();
    record.named_by(cell("benchmark").map(str::to_owned), marks);
    record
}

/// Runs by invocation; where the file numbers none, all are of one.
fn filled(mut record: Record, values: Vec<Run<'_>>) -> Record {
    let Values::Runs(runs) = &mut record.values else { return record };
    let mut last = None;
    runs.resolution = f64::MAX;
    for (invocation, value) in values {
        runs.invocations_named |= !invocation.is_empty();
        runs.resolution = runs.resolution.min(shortest_resolution(value));
        match runs.invocations.last_mut() {
            Some(runs) if last == Some(invocation) => runs.push(value),
            _ => runs.invocations.push(vec![value]),
        }
        last = Some(invocation);
    }
    record
}
