//! What Google Benchmark writes as JSON.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

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
    benchmarks: Vec<Row>,
}

/// One repetition, or an aggregate of several.
#[derive(Default)]
struct Row {
    /// Without what an aggregate adds to it.
    name: Option<String>,
    is_aggregate: Option<bool>,
    /// Why it has no result, where the benchmark says that it failed or was skipped.
    failure: Option<String>,
    time_unit: Option<String>,
    /// Times and counters of the user by their keys; `None` is no finite number.
    values: Vec<(String, Option<f64>)>,
}

/// What a row says of itself; every other number is a counter of the user.
const OWN: [&str; 10] = [
    "family_index",
    "per_family_instance_index",
    "repetitions",
    "repetition_index",
    "threads",
    // How often the loop ran for one row: a weight, not a number of runs.
    "iterations",
    "label",
    "aggregate_name",
    "aggregate_unit",
    "big_o",
];

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(RowVisitor)
    }
}

struct RowVisitor;

impl<'de> Visitor<'de> for RowVisitor {
    type Value = Row;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row of results")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row, A::Error> {
        let mut row = Row::default();
        let mut full_name = None;
        let mut failed = false;
        let mut skipped = false;
        let [mut error_message, mut skip_message] = [None, None];
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "name" => full_name = map.next_value()?,
                "run_name" => row.name = map.next_value()?,
                "run_type" => {
                    let kind: Option<String> = map.next_value()?;
                    row.is_aggregate = kind.map(|kind| kind != "iteration");
                }
                "time_unit" => row.time_unit = map.next_value()?,
                "error_occurred" => failed = says(&map.next_value()?),
                "error_message" => error_message = map.next_value()?,
                "skipped" => skipped = says(&map.next_value()?),
                "skip_message" => skip_message = map.next_value()?,
                own if OWN.contains(&own) => {
                    map.next_value::<IgnoredAny>()?;
                }
                other => match map.next_value()? {
                    Value::Number(number) => row.values.push((key, number.as_f64())),
                    Value::Null => row.values.push((key, None)),
                    _ if is_time(other) => row.values.push((key, None)),
                    _ => {}
                },
            }
        }
        row.name = row.name.or(full_name);
        row.failure = reason(failed, "it failed", error_message)
            .or_else(|| reason(skipped, "it was skipped", skip_message));
        Ok(row)
    }
}

/// Whether a flag is set; newer files have a reason in place of `true`.
fn says(flag: &Value) -> bool {
    !matches!(flag, Value::Bool(false) | Value::Null)
}

fn reason(holds: bool, what: &str, message: Option<String>) -> Option<String> {
    holds.then(|| format!("{what}: `{}`", message.unwrap_or_default()))
}

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
        // The repetitions of a benchmark follow one another, but where they are mixed.
        for repetitions in benchmarks.chunk_by(Row::is_beside) {
            gather(repetitions, &mut gathering);
        }
        gathering.finish(self.name(), file.path)
    }
}

/// Adds rows of the same benchmark that follow one another, all with the same keys.
fn gather(rows: &[Row], gathering: &mut Gathering) {
    let Some(name) = &rows[0].name else {
        gathering.skip_many("rows", rows.len(), "they have no name");
        return;
    };
    if rows[0].is_aggregate(name) {
        let why = "they are computed from the runs";
        gathering.pass_over("aggregates (mean, median, …)", rows.len(), why);
        return;
    }
    if let Some(why) = &rows[0].failure {
        gathering.skip_many(format!("runs of `{name}`"), rows.len(), why);
        return;
    }
    let time_unit = rows[0].time_unit.as_deref().unwrap_or("ns");
    for (at, (key, _)) in rows[0].values.iter().enumerate() {
        let unit = match key.as_str() {
            key if is_time(key) => Some(time_unit.to_owned()),
            counter => counter_unit(counter),
        };
        let values = rows.iter().map(|row| row.values[at].1);
        let missing = values.clone().filter(Option::is_none).count();
        let what = format!("values of `{key}` in `{name}`");
        gathering.skip_many(what, missing, "they are not finite numbers");
        gathering.extend(record(name, key, unit.as_deref()), values.flatten());
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

impl Row {
    fn is_aggregate(&self, name: &str) -> bool {
        let by_name = || AGGREGATES.iter().any(|end| name.ends_with(end));
        self.is_aggregate.unwrap_or_else(by_name)
    }

    /// Whether both say the same of their benchmark, and have the same keys.
    fn is_beside(&self, other: &Self) -> bool {
        fn keys(row: &Row) -> impl Iterator<Item = &String> {
            row.values.iter().map(|(key, _)| key)
        }
        self.name == other.name
            && self.is_aggregate == other.is_aggregate
            && self.failure == other.failure
            && self.time_unit == other.time_unit
            && keys(self).eq(keys(other))
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
