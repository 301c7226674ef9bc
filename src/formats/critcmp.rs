//! What `critcmp --export` writes: Criterion's estimates of each benchmark, no samples.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse};
use super::{File, Format, Options};
use crate::data::{Reading, Record, Summary, Values};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Critcmp;

#[derive(Deserialize)]
struct Export {
    benchmarks: BTreeMap<String, Benchmark>,
}

#[derive(Deserialize)]
struct Benchmark {
    #[serde(rename = "criterion_benchmark_v1")]
    about: About,
    #[serde(rename = "criterion_estimates_v1")]
    estimates: Estimates,
}

#[derive(Deserialize)]
struct About {
    full_id: Option<String>,
}

#[derive(Deserialize)]
struct Estimates {
    mean: Estimate,
    std_dev: Estimate,
}

/// In ns.
#[derive(Deserialize)]
struct Estimate {
    #[serde(default)]
    point_estimate: Number,
    #[serde(default)]
    standard_error: Number,
}

impl Format for Critcmp {
    fn name(&self) -> &'static str {
        "critcmp"
    }

    fn description(&self) -> &'static str {
        "JSON of `critcmp --export`: mean and SD of each benchmark"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let outline = Outline::of(file.text);
        outline.has(&["name", "benchmarks"])
            && outline.mentions("criterion_estimates_v1")
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let Export { benchmarks } = parse(file, "critcmp")?;
        let mut gathering = Gathering::default();
        let why =
            "critcmp keeps none: their number is what SD and standard error imply";
        gathering.pass_over("lists of samples", benchmarks.len(), why);
        for (key, benchmark) in &benchmarks {
            let name = benchmark.about.full_id.as_deref().unwrap_or(key);
            match benchmark.estimates.summary() {
                Ok(summary) => {
                    let values = Values::Summary(summary);
                    let record = named(Some(name), "time", Some("ns"));
                    gathering.record(Record { values, ..record });
                }
                Err(why) => gathering.skip(format!("the summary of `{name}`"), why),
            }
        }
        gathering.finish(self.name(), file.path)
    }
}

impl Estimates {
    /// The standard error is that of the bootstrap, √((n − 1)/n) · SD/√n, so that
    /// (SD / standard error)² is n²/(n − 1), which is n + 1 to less than 1/(n − 1).
    fn summary(&self) -> Result<Summary, String> {
        let estimates = (
            self.mean.point_estimate.0,
            self.std_dev.point_estimate.0,
            self.mean.standard_error.0,
        );
        let (Some(mean), Some(sd), Some(error)) = estimates else {
            return Err("mean, SD or standard error is missing".to_owned());
        };
        if error <= 0.0 {
            return Err("its standard error is 0".to_owned());
        }
        let n = (sd / error).powi(2).round() - 1.0;
        Summary::new(n as usize, mean, sd).map_err(|error| error.what().to_owned())
    }
}
