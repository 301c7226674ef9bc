//! What was read, before anything is concluded: text for people, JSON for programs.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde::Serialize;

use super::number::significant;
use crate::data::unit::{self, direction, direction_of_metric};
use crate::data::{
    Direction, Moments, Reading, Record, Selection, Skipped, Source, Values, assemble,
};

/// Everything that was read, as pretty JSON.
///
/// A value that cannot be known is `null`.
///
/// # Panics
/// Never: keys are text, and every number has a form in JSON.
pub fn inspect_json(sources: &[Source], selection: &Selection) -> String {
    let document = Document {
        schema: "patchodds/inspect/1",
        files: files(sources, selection).collect(),
    };
    let text = serde_json::to_string_pretty(&document);
    text.expect("names are text and numbers serialise") + "\n"
}

/// Everything that was read, as text.
pub fn inspect_text(sources: &[Source], selection: &Selection) -> String {
    let files = files(sources, selection).map(|file| file.text());
    files.collect::<Vec<_>>().join("\n")
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    files: Vec<FileOut<'a>>,
}

#[derive(Serialize)]
struct FileOut<'a> {
    path: &'a str,
    format: &'static str,
    comparable: bool,
    benchmarks: Vec<BenchmarkOut<'a>>,
    skipped: Vec<SkippedOut<'a>>,
}

#[derive(Serialize)]
struct BenchmarkOut<'a> {
    benchmark: Option<&'a str>,
    metric: Option<&'a str>,
    unit: Option<&'a str>,
    direction: Option<&'static str>,
    variants: Vec<VariantOut<'a>>,
}

#[derive(Serialize)]
struct VariantOut<'a> {
    label: &'a str,
    invocations: Option<usize>,
    runs: usize,
    summary: bool,
    mean: f64,
}

#[derive(Serialize)]
struct SkippedOut<'a> {
    what: &'a str,
    count: usize,
    why: &'a str,
}

fn files<'a>(
    sources: &'a [Source],
    selection: &'a Selection,
) -> impl Iterator<Item = FileOut<'a>> {
    let readings =
        |source: &'a Source| source.readings.iter().map(move |r| (source, r));
    sources.iter().flat_map(readings).map(|(source, reading)| FileOut {
        path: &reading.path,
        format: reading.format,
        comparable: is_comparable(source, reading, selection),
        benchmarks: benchmarks(source, reading),
        skipped: reading.skipped.iter().map(SkippedOut::of).collect(),
    })
}

/// Whether `compare` would work on this file alone.
fn is_comparable(source: &Source, reading: &Reading, selection: &Selection) -> bool {
    let alone = Source {
        label: source.label.clone(),
        labelled: false,
        readings: vec![reading.clone()],
    };
    assemble(vec![alone], selection).is_ok()
}

fn benchmarks<'a>(source: &'a Source, reading: &'a Reading) -> Vec<BenchmarkOut<'a>> {
    let mut found: Vec<BenchmarkOut<'a>> = Vec::new();
    let mut places = std::collections::BTreeMap::new();
    for record in &reading.records {
        let key = (&record.benchmark, &record.metric, &record.unit);
        let at = *places.entry(key).or_insert(found.len());
        if at == found.len() {
            found.push(BenchmarkOut::of(record));
        }
        let label = record.variant.as_ref().unwrap_or(&source.label);
        found[at].variants.push(VariantOut::of(label, &record.values));
    }
    found
}

/// Which way is better, as far as format, unit or name say.
fn better(record: &Record) -> Option<Direction> {
    let by_unit = || direction(record.unit.as_deref()?);
    let by_name = || direction_of_metric(record.metric.as_deref()?);
    record.direction.or_else(by_unit).or_else(by_name)
}

impl<'a> BenchmarkOut<'a> {
    fn of(record: &'a Record) -> Self {
        Self {
            benchmark: record.benchmark.as_deref(),
            metric: record.metric.as_deref(),
            unit: record.unit.as_deref(),
            direction: better(record).map(Direction::name),
            variants: Vec::new(),
        }
    }

    fn name(&self) -> String {
        let parts = [self.benchmark, self.metric].into_iter().flatten();
        parts.collect::<Vec<_>>().join(": ")
    }
}

impl<'a> VariantOut<'a> {
    fn of(label: &'a str, values: &Values) -> Self {
        let (invocations, moments) = match values {
            Values::Runs(runs) => {
                let all = runs.invocations.concat();
                (Some(runs.invocations.len()), Moments::of(&all))
            }
            Values::Summary(summary) => (None, summary.moments()),
            Values::Published(published) => {
                return Self {
                    label,
                    invocations: None,
                    runs: published.n,
                    summary: true,
                    mean: published.mean,
                };
            }
        };
        Self {
            label,
            invocations,
            runs: moments.n,
            summary: invocations.is_none(),
            mean: moments.mean,
        }
    }
}

impl<'a> SkippedOut<'a> {
    fn of(skipped: &'a Skipped) -> Self {
        Self { what: &skipped.what, count: skipped.count, why: &skipped.why }
    }
}

/// Significant digits of a mean that is there to be recognised.
const DIGITS: i32 = 4;

impl FileOut<'_> {
    fn text(&self) -> String {
        let alone = if self.comparable {
            "can be compared by itself"
        } else {
            "one side of a comparison"
        };
        let mut text = format!("{} ({}; {alone})\n\n", self.path, self.format);
        let mut table = Table::new();
        table
            .load_style(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(["benchmark", "variant", "runs", "mean", "unit", "better"]);
        for column in [2, 3] {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        for benchmark in &self.benchmarks {
            for variant in &benchmark.variants {
                table.add_row(row(benchmark, variant));
            }
        }
        for line in table.lines() {
            // Writing to a String cannot fail.
            let _ = writeln!(text, " {}", line.trim_end());
        }
        if !self.skipped.is_empty() {
            text.push_str("\n  left out\n");
        }
        for SkippedOut { what, count, why } in &self.skipped {
            let _ = writeln!(text, "    {count} × {what}: {why}");
        }
        text
    }
}

fn row(benchmark: &BenchmarkOut<'_>, variant: &VariantOut<'_>) -> [String; 6] {
    let runs = match variant.invocations {
        Some(invocations) if invocations > 1 => {
            format!("{} in {invocations} invocations", variant.runs)
        }
        None => format!("{} (summary)", variant.runs),
        Some(_) => variant.runs.to_string(),
    };
    let (mean, unit) = match benchmark.unit {
        Some(unit) => {
            let (factor, shown) = unit::human(variant.mean, unit);
            (variant.mean * factor, shown)
        }
        None => (variant.mean, String::new()),
    };
    let better = benchmark.direction.unwrap_or("not known").to_owned();
    let label = variant.label.to_owned();
    [benchmark.name(), label, runs, significant(mean, DIGITS), unit, better]
}
