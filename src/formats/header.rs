//! What the name of a column says: its role and its unit.

use crate::data::unit::{Kind, Unit};
use crate::error::{Error, unknown_name};

/// What a column is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Tells variants apart: 0 for the word itself, above for words that may mean it.
    Variant(u8),
    /// Part of the name of what was exercised.
    Benchmark,
    /// Names what was measured, a row each.
    Metric,
    /// The values, whatever they measure.
    Value,
    /// Values of a metric that the name gives.
    NamedValue,
    /// The unit of the row.
    Unit,
    /// Which way is better.
    Better,
    /// The process, fork, boot or file.
    Invocation,
    /// The block in which one run of each variant was measured.
    Block,
    /// Only the order of runs.
    Order,
    /// A parameter: part of the benchmark's name where it varies.
    Parameter,
    /// Not known.
    Other,
}

/// One column's name, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heading {
    /// As the file has it, without blanks around.
    pub(super) name: String,
    /// Without its unit.
    pub(super) stem: String,
    /// The unit in it.
    pub(super) unit: Option<String>,
}

const WORDS: &[(Role, &[&str])] = &[
    (Role::Variant(0), &["variant", "variants", "treatment", "arm"]),
    (
        Role::Variant(1),
        &[
            "version",
            "binary",
            "branch",
            "build",
            "config",
            "configuration",
            "engine",
            "tool",
            "implementation",
            "impl",
            "compiler",
            "allocator",
            "candidate",
            "label",
            "library",
            "system",
        ],
    ),
    (Role::Variant(2), &["name"]),
    (
        Role::Variant(3),
        &["command", "commit", "revision", "rev", "sha", "tag", "program"],
    ),
    (
        Role::Benchmark,
        &[
            "benchmark",
            "bench",
            "benchmark_name",
            "bench_name",
            "test",
            "test_name",
            "testcase",
            "test_case",
            "case",
            "workload",
            "scenario",
            "query",
            "task",
            "suite",
            "file",
            "filename",
            "method",
            "function",
            "operation",
            "group",
        ],
    ),
    (
        Role::Metric,
        &[
            "metric",
            "metric_name",
            "measure",
            "counter",
            "event",
            "criterion",
            "quantity",
        ],
    ),
    (
        Role::Value,
        &[
            "value",
            "values",
            "val",
            "result",
            "results",
            "measurement",
            "measured",
            "measured_value",
            "metric_value",
            "score",
            "count",
        ],
    ),
    (
        Role::NamedValue,
        &[
            "time",
            "times",
            "duration",
            "elapsed",
            "elapsed_time",
            "latency",
            "runtime",
            "run_time",
            "wall",
            "walltime",
            "wall_time",
            "wall_clock",
            "real",
            "real_time",
            "cpu_time",
            "user_time",
            "sys_time",
            "response_time",
            "rate",
            "throughput",
            "bandwidth",
            "iops",
            "tps",
            "qps",
            "rps",
            "pps",
            "fps",
            "speed",
            "cycles",
            "instructions",
        ],
    ),
    (Role::Unit, &["unit", "units", "time_unit"]),
    (Role::Better, &["better", "direction"]),
    (
        Role::Invocation,
        &[
            "invocation",
            "invocation_id",
            "fork",
            "fork_id",
            "process",
            "process_id",
            "pid",
            "run_id",
            "runid",
            "job_id",
            "boot",
            "boot_id",
            "launch",
            "session",
            "process_exec",
            "process_exec_idx",
            "exec",
        ],
    ),
    (Role::Block, &["block", "block_id", "pair", "pair_id"]),
    (
        Role::Order,
        &[
            "iteration",
            "iterations",
            "iter",
            "iters",
            "run",
            "runs",
            "index",
            "idx",
            "i",
            "rep",
            "reps",
            "repetition",
            "repeat",
            "trial",
            "round",
            "seq",
            "sequence",
            "sample",
            "attempt",
            "no",
            "nr",
            "number",
            "row",
            "id",
            "timestamp",
            "date",
            "datetime",
            "ts",
            "started_at",
            "start_time",
            "end_time",
            "warmup_iter",
            "",
        ],
    ),
    (
        Role::Parameter,
        &[
            "size",
            "n",
            "threads",
            "thread",
            "clients",
            "concurrency",
            "connections",
            "jobs",
            "depth",
            "queue_depth",
            "arg",
            "args",
            "param",
            "params",
            "parameter",
            "parameters",
            "input",
            "input_size",
            "length",
            "len",
            "block_size",
            "bs",
            "cores",
            "cpus",
            "nodes",
            "host",
            "machine",
            "os",
            "arch",
            "phase",
            "mode",
            "options",
            "flags",
            "engine_flags",
            "dataset",
            "scale",
            "warmup",
            "batch",
            "batch_size",
            "elements",
        ],
    ),
];

impl Heading {
    /// Takes a name apart.
    pub(super) fn parse(name: &str) -> Self {
        let name = name.trim();
        let whole = || clear_unit(&spaced(name)).map(|_| (name, Some(spaced(name))));
        let rate = name.contains("_per_") || name.contains(" per ");
        let (stem, unit) = bracketed(name)
            .or_else(|| whole().filter(|_| rate))
            .or_else(|| suffixed(name))
            .or_else(whole)
            .unwrap_or((name, None));
        Self { name: name.to_owned(), stem: stem.to_owned(), unit }
    }

    /// What the column is for, given whether it holds numbers.
    pub(super) fn role(&self, numbers: bool) -> Role {
        let word = word(&self.stem);
        let known = WORDS.iter().find(|(_, words)| words.contains(&word.as_str()));
        match known.map(|(role, _)| *role) {
            // A time of day.
            Some(Role::NamedValue) if !numbers => Role::Order,
            Some(Role::Value) if !numbers && word == "measurement" => Role::Metric,
            Some(Role::Value) if !numbers => Role::Other,
            Some(Role::Metric | Role::Unit | Role::Better) if numbers => Role::Other,
            Some(role) => role,
            // `ms` and `ops_per_second` alone say what is measured.
            None if numbers
                && self.unit.is_some()
                && clear_unit(&spaced(&self.stem)).is_some() =>
            {
                Role::NamedValue
            }
            None => Role::Other,
        }
    }

    /// Whether it names a state of the source code.
    pub(super) fn is_revision(&self) -> bool {
        matches!(word(&self.stem).as_str(), "commit" | "revision" | "rev" | "sha")
    }

    /// The name of the metric, where the heading is more than a word for values.
    pub(super) fn metric(&self) -> Option<String> {
        let word = word(&self.stem);
        let generic = WORDS.iter().any(|(role, words)| {
            *role == Role::Value && words.contains(&word.as_str())
        });
        let only_unit = self.unit.as_deref() == Some(self.stem.as_str())
            && Unit::parse(&self.stem).is_some_and(|unit| {
                unit.kind() != Kind::Rate || self.stem.contains('/')
            });
        (!generic && !only_unit && !self.stem.is_empty()).then(|| self.stem.clone())
    }
}

/// `items_per_second` as a unit is spelt.
fn spaced(name: &str) -> String {
    match name.split_once("_per_") {
        Some((amount, "second" | "sec" | "s")) => format!("{amount}/s"),
        _ => name.to_owned(),
    }
}

/// `time (ms)` and `throughput [Mbit/s]`.
fn bracketed(name: &str) -> Option<(&str, Option<String>)> {
    let (stem, unit) = match name.strip_suffix(')') {
        Some(rest) => rest.rsplit_once('(')?,
        None => name.strip_suffix(']')?.rsplit_once('[')?,
    };
    Unit::parse(unit)?;
    Some((stem.trim(), Some(unit.trim().to_owned())))
}

/// `time_ms`.
fn suffixed(name: &str) -> Option<(&str, Option<String>)> {
    let (stem, unit) = name.rsplit_once(['_', ' ', '-'])?;
    let stem = stem.trim();
    clear_unit(unit)
        .filter(|_| !stem.is_empty() && !unit.contains("ops"))
        .map(|_| (stem, Some(unit.to_owned())))
}

/// A unit that is meant as one. One letter says too little, but for seconds; `min` is a
/// minimum; what is counted is a name.
fn clear_unit(text: &str) -> Option<Unit> {
    let clear = (text.len() > 1 || text == "s") && text != "min";
    Unit::parse(text).filter(|unit| clear && unit.kind() != Kind::Count)
}

/// In lower case, with `_` for all that is no letter or digit.
fn word(stem: &str) -> String {
    let lower = stem.trim().to_lowercase();
    let parts = lower.split(|letter: char| !letter.is_alphanumeric());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_")
}

/// The column that the user names: as it is spelt, in any case, or by number from 1.
pub(super) fn find(headings: &[Heading], wanted: &str) -> Result<usize, Error> {
    let wanted = wanted.trim();
    let by_name = |same: &dyn Fn(&Heading) -> bool| headings.iter().position(same);
    let number = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    by_name(&|heading| heading.name == wanted)
        .or_else(|| by_name(&|heading| heading.stem == wanted))
        .or_else(|| by_name(&|heading| word(&heading.name) == word(wanted)))
        .or_else(|| number.filter(|index| *index < headings.len()))
        .ok_or_else(|| {
            let names = headings.iter().map(|heading| heading.name.as_str());
            unknown_name("column", wanted, names)
        })
}

/// Columns as a list for a message.
pub(super) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_in_a_header_is_found_and_a_minimum_is_none() {
        for (name, stem, unit) in [
            ("time_ms", "time", Some("ms")),
            ("time (ms)", "time", Some("ms")),
            ("throughput [Mbit/s]", "throughput", Some("Mbit/s")),
            ("Duration s", "Duration", Some("s")),
            ("items_per_second", "items_per_second", Some("items/s")),
            ("items per second", "items per second", Some("items per second")),
            ("throughput_MB/s", "throughput", Some("MB/s")),
            ("throughput MB/s", "throughput", Some("MB/s")),
            ("ns/op", "ns/op", Some("ns/op")),
            ("time_min", "time_min", None),
            ("rg (whitelist)", "rg (whitelist)", None),
            ("iterations_count", "iterations_count", None),
        ] {
            let heading = Heading::parse(name);
            assert_eq!((heading.stem.as_str(), heading.unit.as_deref()), (stem, unit));
        }
    }

    #[test]
    fn roles_are_found_in_any_case_and_spelling() {
        let role = |name: &str, numbers| Heading::parse(name).role(numbers);
        assert_eq!(role("Variant", false), Role::Variant(0));
        assert_eq!(role(" Benchmark Name ", false), Role::Benchmark);
        assert_eq!(role("TIME (ms)", true), Role::NamedValue);
        assert_eq!(role("time", false), Role::Order);
        assert_eq!(role("Measurement", false), Role::Metric);
        assert_eq!(role("Measurement", true), Role::Value);
        assert_eq!(role("run-id", true), Role::Invocation);
        assert_eq!(role("p99 [us]", true), Role::Other);
        assert_eq!(role("MB/s", true), Role::NamedValue);
        assert_eq!(role("metric1", true), Role::Other);
    }
}
