//! What oha writes as JSON: each file is one run of throughput and latencies.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::gathering::Gathering;
use super::json::{Number, Outline, parse};
use super::load_test::{LoadTest, unfinished};
use super::{File, Format, Options};
use crate::data::Reading;
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Oha;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    summary: Totals,
    #[serde(default)]
    latency_percentiles: BTreeMap<String, Number>,
    #[serde(default)]
    status_code_distribution: BTreeMap<String, Number>,
    #[serde(default)]
    error_distribution: BTreeMap<String, Number>,
}

/// Times are in seconds.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Totals {
    #[serde(default)]
    average: Number,
    #[serde(default)]
    requests_per_sec: Number,
}

impl Format for Oha {
    fn name(&self) -> &'static str {
        "oha"
    }

    fn description(&self) -> &'static str {
        "JSON of `oha --output-format json`; each file is one run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        Outline::of(file.text).has(&[
            "summary.requestsPerSec",
            "latencyPercentiles",
            "summary.average",
        ])
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let report: Report = parse(file, "oha")?;
        let rate = report.summary.requests_per_sec.0;
        let mut test = LoadTest {
            throughput: Some(rate.ok_or_else(|| unfinished("oha", file))?),
            ..LoadTest::default()
        };
        if let Some(mean) = report.summary.average.0 {
            test.latencies.push(("mean latency".to_owned(), mean));
        }
        for (name, value) in &report.latency_percentiles {
            if let Some(seconds) = value.0 {
                test.percentile(name.trim_start_matches('p'), seconds);
            }
        }
        for (code, count) in &report.status_code_distribution {
            test.count_status(code, count.0.unwrap_or(0.0));
        }
        for count in report.error_distribution.values().filter_map(|count| count.0) {
            test.lost.push(("requests without answer", count));
        }
        let mut gathering = Gathering::default();
        test.gather(&mut gathering);
        gathering.finish(self.name(), file.path)
    }
}
