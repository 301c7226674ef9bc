//! What `BenchmarkDotNet` writes as full JSON: each launch is an invocation.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse};
use super::{File, Format, Options};
use crate::data::{Mark, Reading, Record, Summary, Values};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct BenchmarkDotNet;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Report {
    benchmarks: Vec<Benchmark>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Benchmark {
    full_name: Option<String>,
    namespace: Option<String>,
    #[serde(rename = "Type")]
    class: Option<String>,
    method: Option<String>,
    parameters: Option<String>,
    statistics: Option<Statistics>,
    measurements: Option<Vec<Measurement>>,
}

/// In ns for one operation.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Statistics {
    #[serde(default)]
    n: Number,
    #[serde(default)]
    mean: Number,
    #[serde(default)]
    standard_deviation: Number,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Measurement {
    #[serde(default)]
    iteration_mode: String,
    #[serde(default)]
    iteration_stage: String,
    #[serde(default)]
    launch_index: u64,
    #[serde(default)]
    operations: Number,
    #[serde(default)]
    nanoseconds: Number,
}

impl Format for BenchmarkDotNet {
    fn name(&self) -> &'static str {
        "benchmarkdotnet"
    }

    fn description(&self) -> &'static str {
        "full JSON of BenchmarkDotNet (`--exporters fulljson`); each launch is an \
         invocation"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let outline = Outline::of(file.text);
        outline.has(&["Benchmarks"])
            && (outline.has(&["HostEnvironmentInfo"])
                || outline.has(&["Benchmarks[].Measurements"])
                || outline.has(&["Benchmarks[].Statistics"]))
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let Report { benchmarks } = parse(file, "BenchmarkDotNet")?;
        let mut gathering = Gathering::default();
        for benchmark in &benchmarks {
            benchmark.gather(&mut gathering);
        }
        gathering.finish(self.name(), file.path)
    }
}

impl Measurement {
    fn is(&self, stage: &str) -> bool {
        // Some exporters leave out the mode, and write results only.
        matches!(self.iteration_mode.as_str(), "Workload" | "")
            && self.iteration_stage == stage
    }

    /// Of one operation, in ns.
    fn value(&self) -> Option<f64> {
        let value = self.nanoseconds.0? / self.operations.0?;
        Some(value).filter(|value| value.is_finite())
    }
}

impl Benchmark {
    /// The full name, which older versions leave to be put together.
    fn name(&self) -> Option<String> {
        if self.full_name.is_some() {
            return self.full_name.clone();
        }
        let parts = [&self.namespace, &self.class, &self.method];
        let parts: Vec<&str> =
            parts.into_iter().flatten().map(String::as_str).collect();
        let mut name = parts.join(".");
        if let Some(parameters) =
            self.parameters.as_ref().filter(|text| !text.is_empty())
        {
            name = format!("{name}({parameters})");
        }
        Some(name).filter(|name| !name.is_empty())
    }

    /// `Size=10&Mode=fast`.
    fn marks(&self) -> Vec<Mark> {
        let pairs = self.parameters.iter().flat_map(|text| text.split('&'));
        let pairs = pairs.filter_map(|pair| pair.split_once('='));
        pairs.map(|(key, value)| Mark::parameter(key.trim(), value.trim())).collect()
    }

    fn gather(&self, gathering: &mut Gathering) {
        let name = self.name();
        let shown = name.as_deref().unwrap_or("a benchmark");
        let mut record = named(name.as_deref(), "time", Some("ns/op"));
        // `Quick(Size: 10)`: the parameters stand in brackets.
        record.stem =
            name.as_deref().and_then(|name| name.split('(').next()).map(str::to_owned);
        record.marks = self.marks();
        let all = self.measurements.as_deref().unwrap_or_default();
        // Results are what was measured less the overhead of the harness.
        let stage = ["Result", "Actual"]
            .into_iter()
            .find(|stage| all.iter().any(|one| one.is(stage)));
        let Some(stage) = stage else {
            self.gather_summary(shown, record, gathering);
            return;
        };
        let mut launches: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for measurement in all {
            match (measurement.is(stage), measurement.value()) {
                (true, Some(value)) => {
                    launches.entry(measurement.launch_index).or_default().push(value);
                }
                (true, None) => {
                    let what = format!("results of `{shown}`");
                    gathering.skip(what, "they have no time or no operations");
                }
                (false, _) => {
                    let why = "only results count, not pilot, warm-up and overhead";
                    gathering.pass_over("other measurements", 1, why);
                }
            }
        }
        gathering.invocations(record, launches.into_values().collect());
    }

    fn gather_summary(&self, name: &str, record: Record, gathering: &mut Gathering) {
        let summary = self.statistics.as_ref().and_then(|statistics| {
            let (n, mean) = (statistics.n.0?, statistics.mean.0?);
            Some(Summary::new(n as usize, mean, statistics.standard_deviation.0?))
        });
        let why = match summary {
            Some(Ok(summary)) => {
                let values = Values::Summary(summary);
                gathering.record(Record { values, ..record });
                return;
            }
            Some(Err(error)) => error.what().to_owned(),
            None => "neither measurements nor mean, SD and number are kept".to_owned(),
        };
        gathering.skip(format!("the summary of `{name}`"), why);
    }
}
