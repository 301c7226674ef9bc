//! What vitest and tinybench write as JSON: each sample is a run.

use serde::Deserialize;

use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse};
use super::{File, Format, Options};
use crate::data::{Reading, Record, Summary, Values};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Vitest;

#[derive(Deserialize)]
#[serde(untagged)]
enum Report {
    Vitest {
        files: Vec<TestFile>,
    },
    /// The tasks of a `Bench` of tinybench.
    Tinybench(Vec<Task>),
}

#[derive(Deserialize)]
struct TestFile {
    groups: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    #[serde(rename = "fullName", default)]
    name: String,
    benchmarks: Vec<Benchmark>,
}

#[derive(Deserialize)]
struct Benchmark {
    name: String,
    #[serde(flatten)]
    latency: Latency,
}

#[derive(Deserialize)]
struct Task {
    name: String,
    result: Option<Outcome>,
}

#[derive(Deserialize)]
struct Outcome {
    /// Since version 3; before, what is in it stood here.
    latency: Option<Latency>,
    #[serde(flatten)]
    own: Latency,
}

/// In ms.
#[derive(Deserialize)]
struct Latency {
    #[serde(default)]
    samples: Option<Vec<Number>>,
    #[serde(default, rename = "sampleCount", alias = "samplesCount")]
    count: Number,
    #[serde(default)]
    mean: Number,
    #[serde(default)]
    sd: Number,
}

impl Format for Vitest {
    fn name(&self) -> &'static str {
        "vitest"
    }

    fn description(&self) -> &'static str {
        "JSON of `vitest bench --outputJson`, and the tasks of tinybench"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let outline = Outline::of(file.text);
        outline.has(&["files", "files[].groups"])
            || outline.has(&["[].name", "[].result.latency"])
            || outline.has(&["[].name", "[].result.samples"])
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let mut gathering = Gathering::default();
        match parse(file, "vitest")? {
            Report::Vitest { files } => {
                for group in files.iter().flat_map(|file| &file.groups) {
                    for Benchmark { name, latency } in &group.benchmarks {
                        let name = format!("{} > {name}", group.name);
                        latency.gather(&name, &mut gathering);
                    }
                }
            }
            Report::Tinybench(tasks) => {
                for task in &tasks {
                    match &task.result {
                        Some(result) => {
                            let latency =
                                result.latency.as_ref().unwrap_or(&result.own);
                            latency.gather(&task.name, &mut gathering);
                        }
                        None => {
                            gathering
                                .skip(format!("`{}`", task.name), "it did not run");
                        }
                    }
                }
            }
        }
        gathering.finish(self.name(), file.path)
    }
}

impl Latency {
    fn gather(&self, name: &str, gathering: &mut Gathering) {
        let record = named(Some(name), "time", Some("ms"));
        let samples = self.samples.as_deref().unwrap_or_default();
        if samples.is_empty() {
            self.gather_summary(name, record, gathering);
            return;
        }
        let lost = samples.iter().filter(|sample| sample.0.is_none()).count();
        let what = format!("samples of `{name}`");
        gathering.skip_many(what, lost, "they are not finite numbers");
        gathering.extend(record, samples.iter().filter_map(|sample| sample.0));
    }

    /// Samples are only kept with `includeSamples`.
    fn gather_summary(&self, name: &str, record: Record, gathering: &mut Gathering) {
        let summary = match (self.count.0, self.mean.0, self.sd.0) {
            (Some(n), Some(mean), Some(sd)) => Summary::new(n as usize, mean, sd)
                .map_err(|error| error.what().to_owned()),
            (_, _, _) => Err("neither samples nor mean, SD and number are kept".into()),
        };
        match summary {
            Ok(summary) => {
                let values = Values::Summary(summary);
                gathering.record(Record { values, ..record });
            }
            Err(why) => gathering.skip(format!("the summary of `{name}`"), why),
        }
    }
}
