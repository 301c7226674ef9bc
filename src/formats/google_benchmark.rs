//! What Google Benchmark writes as JSON.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::gathering::{Gathering, named};
use super::json::{Outline, parse};
use super::{File, Format, Options};
use crate::data::{Mark, Reading, Record};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct GoogleBenchmark;

#[derive(Deserialize)]
struct Report {
    benchmarks: Vec<Map<String, Value>>,
}

/// What each row says of itself; every other number is a counter of the user.
const OWN: [&str; 18] = [
    "name",
    "run_name",
    "run_type",
    "family_index",
    "per_family_instance_index",
    "repetitions",
    "repetition_index",
    "threads",
    // How often the loop ran for one row: a weight, not a number of runs.
    "iterations",
    "time_unit",
    "label",
    "error_occurred",
    "error_message",
    "skipped",
    "skip_message",
    "aggregate_name",
    "aggregate_unit",
    "big_o",
];

/// Names of aggregates in files that do not mark them otherwise.
const AGGREGATES: [&str; 6] = ["_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"];

impl Format for GoogleBenchmark {
    fn name(&self) -> &'static str {
        "google-benchmark"
    }

    fn description(&self) -> &'static str {
        "JSON of Google Benchmark (`--benchmark_out_format=json`)"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let outline = Outline::of(file.text);
        outline.has(&["benchmarks[].name"])
            && (["real_time", "cpu_time", "run_type", "iterations"].iter().any(|key| {
                let path = format!("benchmarks[].{key}");
                outline.has(&[path.as_str()])
            }) && !outline.has(&["benchmarks[].stats"]))
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let Report { benchmarks } = parse(file, "Google Benchmark")?;
        let mut gathering = Gathering::default();
        for row in &benchmarks {
            gather(row, &mut gathering);
        }
        gathering.finish(self.name(), file.path)
    }
}

fn gather(row: &Map<String, Value>, gathering: &mut Gathering) {
    let text = |key: &str| row.get(key).and_then(Value::as_str);
    let Some(name) = text("run_name").or_else(|| text("name")) else {
        gathering.skip("rows", "they have no name");
        return;
    };
    if is_aggregate(row, name) {
        let why = "they are computed from the runs";
        gathering.pass_over("aggregates (mean, median, …)", 1, why);
        return;
    }
    if let Some(why) = failure(row) {
        gathering.skip(format!("runs of `{name}`"), why);
        return;
    }
    let time_unit = text("time_unit").unwrap_or("ns");
    for (key, value) in row {
        let Some(value) = value.as_f64() else {
            if is_time(key) || (value.is_null() && !OWN.contains(&key.as_str())) {
                let what = format!("values of `{key}` in `{name}`");
                gathering.skip(what, "they are not finite numbers");
            }
            continue;
        };
        if is_time(key) {
            gathering.run(record(name, key, Some(time_unit)), value);
        } else if !OWN.contains(&key.as_str()) {
            gathering.run(record(name, key, counter_unit(key).as_deref()), value);
        }
    }
}

/// `BM_Sort/size:10/threads:4` has arguments with names.
fn record(name: &str, metric: &str, unit: Option<&str>) -> Record {
    let mut record = named(Some(name), metric, unit);
    let (pairs, words): (Vec<&str>, Vec<&str>) =
        name.split('/').partition(|part| is_argument(part));
    record.stem = Some(words.join("/"));
    let pairs = pairs.iter().filter_map(|part| part.split_once(':'));
    record.marks = pairs.map(|(key, value)| Mark::parameter(key, value)).collect();
    record
}

/// `size:10`, and not the `::` of a namespace.
fn is_argument(part: &str) -> bool {
    part.split_once(':').is_some_and(|(key, value)| {
        !key.is_empty() && !value.is_empty() && !value.contains(':')
    })
}

fn is_time(key: &str) -> bool {
    matches!(key, "real_time" | "cpu_time")
}

fn is_aggregate(row: &Map<String, Value>, name: &str) -> bool {
    match row.get("run_type").and_then(Value::as_str) {
        Some(kind) => kind != "iteration",
        None => AGGREGATES.iter().any(|end| name.ends_with(end)),
    }
}

/// Why a row has no result, where the benchmark says that it failed or was skipped.
fn failure(row: &Map<String, Value>) -> Option<String> {
    let says = |flag: &str| {
        row.get(flag).is_some_and(|v| !matches!(v, Value::Bool(false) | Value::Null))
    };
    let message = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default();
    if says("error_occurred") {
        Some(format!("it failed: `{}`", message("error_message")))
    } else if says("skipped") {
        Some(format!("it was skipped: `{}`", message("skip_message")))
    } else {
        None
    }
}

/// `bytes_per_second` is in bytes/s; other counters have no unit that is written down.
fn counter_unit(name: &str) -> Option<String> {
    match name {
        "bytes_per_second" => Some("B/s".to_owned()),
        "max_bytes_used" | "total_allocated_bytes" | "net_heap_growth" => {
            Some("B".to_owned())
        }
        _ => name.strip_suffix("_per_second").map(|of| format!("{of}/s")),
    }
}
