//! What fio writes as JSON: one execution, one run of bandwidth, IOPS and latency.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse};
use super::load_test::kept_percentile;
use super::printed::beginning;
use super::{File, Format, Options};
use crate::data::Reading;
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Fio;

#[derive(Deserialize)]
struct Execution {
    jobs: Vec<Job>,
}

#[derive(Deserialize)]
struct Job {
    jobname: String,
    #[serde(default)]
    error: Number,
    read: Option<Side>,
    write: Option<Side>,
    trim: Option<Side>,
}

/// What was done in one direction; all zero where nothing was.
#[derive(Deserialize)]
struct Side {
    #[serde(default)]
    io_bytes: Number,
    /// In KiB/s.
    #[serde(default)]
    bw: Number,
    /// In bytes a second, since version 3.
    #[serde(default)]
    bw_bytes: Number,
    #[serde(default)]
    iops: Number,
    lat_ns: Option<Latency>,
    clat_ns: Option<Latency>,
    /// In µs, before version 3.
    lat: Option<Latency>,
    clat: Option<Latency>,
}

#[derive(Deserialize)]
struct Latency {
    #[serde(default)]
    mean: Number,
    /// By per cent: `99.000000`.
    #[serde(default)]
    percentile: BTreeMap<String, Number>,
    /// The histogram of `--output-format=json+`.
    bins: Option<IgnoredAny>,
}

impl Format for Fio {
    fn name(&self) -> &'static str {
        "fio"
    }

    fn description(&self) -> &'static str {
        "JSON of `fio --output-format=json`; each file is one run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let (_, json) = split(beginning(file.text));
        Outline::of(json).has(&["fio version", "jobs"])
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let (said, json) = split(file.text);
        // Lines keep their numbers when what fio said before is blanked out.
        let blank = "\n".repeat(said.matches('\n').count());
        let text = format!("{blank}{json}");
        let execution: Execution =
            parse(&File { path: file.path, text: &text }, "fio")?;
        let mut gathering = Gathering::default();
        for (at, job) in execution.jobs.iter().enumerate() {
            let same = |other: &&Job| other.jobname == job.jobname;
            let before = execution.jobs[..at].iter().filter(same).count();
            job.gather(before, &mut gathering);
        }
        if said.contains("terminating on signal") {
            gathering.skip("the rest of the execution", "fio was interrupted");
        }
        gathering.finish(self.name(), file.path)
    }
}

/// What fio says in words before its JSON, and the JSON.
fn split(text: &str) -> (&str, &str) {
    if text.starts_with('{') {
        return ("", text);
    }
    match text.find("\n{") {
        Some(at) => text.split_at(at + 1),
        None => ("", text),
    }
}

impl Job {
    /// `before` jobs of the same name ran beside it, and are benchmarks of their own.
    fn gather(&self, before: usize, gathering: &mut Gathering) {
        let name = match before {
            0 => self.jobname.clone(),
            before => format!("{}#{}", self.jobname, before + 1),
        };
        if let Some(error) = self.error.0.filter(|error| *error != 0.0) {
            gathering
                .skip(format!("job `{name}`"), format!("it failed: error {error}"));
            return;
        }
        let sides =
            [("read", &self.read), ("write", &self.write), ("trim", &self.trim)];
        for (direction, side) in sides {
            let Some(side) = side.as_ref().filter(|side| side.is_used()) else {
                continue;
            };
            side.gather(&format!("{name}/{direction}"), gathering);
        }
    }
}

impl Side {
    fn is_used(&self) -> bool {
        let amounts = [self.io_bytes, self.bw, self.iops];
        amounts.iter().any(|amount| amount.0.is_some_and(|amount| amount > 0.0))
    }

    fn gather(&self, name: &str, gathering: &mut Gathering) {
        let mut run = |metric: &str, unit, value: Option<f64>| {
            if let Some(value) = value.filter(|value| *value > 0.0) {
                gathering.run(named(Some(name), metric, Some(unit)), value);
            }
        };
        match self.bw_bytes.0 {
            Some(bytes) => run("bandwidth", "B/s", Some(bytes)),
            None => run("bandwidth", "KiB/s", self.bw.0),
        }
        run("iops", "iops", self.iops.0);
        let (unit, whole, completion) =
            if self.lat_ns.is_some() || self.clat_ns.is_some() {
                ("ns", &self.lat_ns, &self.clat_ns)
            } else {
                ("us", &self.lat, &self.clat)
            };
        if let Some(latency) = whole {
            run("mean latency", unit, latency.mean.0);
        }
        let latencies = [("latency", whole), ("completion latency", completion)];
        for (kind, latency) in latencies {
            for (percent, value) in latency.iter().flat_map(|one| &one.percentile) {
                if let Some(percent) = kept_percentile(percent) {
                    run(&format!("p{percent} {kind}"), unit, value.0);
                }
            }
        }
        let binned = |one: &&Latency| one.bins.is_some();
        let latencies = whole.iter().chain(completion);
        let why = "requests of one execution depend on one another";
        let histograms = latencies.filter(binned).count();
        gathering.pass_over(format!("histograms of `{name}`"), histograms, why);
    }
}
