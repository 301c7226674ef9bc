//! What pyperf writes as JSON: each run is a process, an invocation.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse};
use super::{File, Format, Options};
use crate::data::{Reading, Record};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Pyperf;

type Metadata = Map<String, Value>;

#[derive(Deserialize)]
struct Suite {
    #[serde(default)]
    metadata: Metadata,
    benchmarks: Vec<Benchmark>,
}

#[derive(Deserialize)]
struct Benchmark {
    #[serde(default)]
    metadata: Metadata,
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    #[serde(default)]
    metadata: Metadata,
    /// Already divided by the loops; a run that calibrates has none.
    #[serde(default)]
    values: Vec<Number>,
    #[serde(default)]
    warmups: Vec<Value>,
}

impl Format for Pyperf {
    fn name(&self) -> &'static str {
        "pyperf"
    }

    fn description(&self) -> &'static str {
        "JSON of pyperf and pyperformance; each process is an invocation"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        Outline::of(file.text).has(&["benchmarks[].runs"])
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let Suite { metadata, benchmarks } = parse(file, "pyperf")?;
        let mut gathering = Gathering::default();
        for benchmark in &benchmarks {
            benchmark.gather(&metadata, &mut gathering);
        }
        gathering.finish(self.name(), file.path)
    }
}

impl Benchmark {
    fn gather(&self, common: &Metadata, gathering: &mut Gathering) {
        // What all have in common moves up a level when a file is written.
        let find = |key: &str| {
            let runs = self.runs.iter().map(|run| &run.metadata);
            let mut levels = [&self.metadata, common].into_iter().chain(runs);
            levels.find_map(|level| level.get(key)).and_then(Value::as_str)
        };
        let record = record(find("name"), find("unit"));
        let mut invocations = Vec::new();
        for run in &self.runs {
            let values: Vec<f64> = run.values.iter().filter_map(|v| v.0).collect();
            let lost = run.values.len() - values.len();
            gathering.skip_many("values", lost, "they are not finite numbers");
            gathering.pass_over(
                "warm-up values",
                run.warmups.len(),
                "they are warm-up",
            );
            if run.values.is_empty() {
                gathering.pass_over("calibration runs", 1, "they have no values");
            }
            invocations.push(values);
        }
        gathering.invocations(record, invocations);
    }
}

fn record(name: Option<&str>, unit: Option<&str>) -> Record {
    match unit {
        None | Some("second") => named(name, "time", Some("s")),
        Some("byte") => named(name, "memory", Some("B")),
        Some("integer") => named(name, "value", None),
        Some(other) => named(name, "value", Some(other)),
    }
}
