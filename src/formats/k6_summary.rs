//! The summary that k6 writes at the end of a test: one test is one run.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::gathering::Gathering;
use super::json::{Outline, parse};
use super::load_test::LoadTest;
use super::{File, Format, Options};
use crate::data::Reading;
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct K6Summary;

#[derive(Deserialize)]
struct Summary {
    metrics: Map<String, Value>,
}

/// The metrics that are read.
const READ: [&str; 3] = ["http_reqs", "http_req_failed", "http_req_duration"];

impl Format for K6Summary {
    fn name(&self) -> &'static str {
        "k6-summary"
    }

    fn description(&self) -> &'static str {
        "JSON of k6's summary (`--summary-export`, `handleSummary`); each file is one run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        Outline::of(file.text).has(&["metrics", "root_group"])
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let summary: Summary = parse(file, "k6")?;
        let mut gathering = Gathering::default();
        if summary.metrics.contains_key(READ[0]) {
            summary.test().gather(&mut gathering);
        } else {
            gathering.skip("test", "it made no HTTP requests");
        }
        let others =
            summary.metrics.keys().filter(|name| !READ.contains(&name.as_str()));
        let why =
            "of a summary, HTTP requests are read; `--out json=FILE` keeps the rest";
        gathering.skip_many("other metrics", others.count(), why);
        gathering.finish(self.name(), file.path)
    }
}

impl Summary {
    /// One figure of a metric, which `handleSummary` has one level further inside.
    fn figure(&self, metric: &str, figure: &str) -> Option<f64> {
        let metric = self.metrics.get(metric)?;
        metric.get("values").unwrap_or(metric).get(figure)?.as_f64()
    }

    fn test(&self) -> LoadTest {
        let mut test = LoadTest {
            requests: self.figure("http_reqs", "count"),
            throughput: self.figure("http_reqs", "rate"),
            ..LoadTest::default()
        };
        // What "passes" here is that a request failed.
        if let Some(failed) = self.figure("http_req_failed", "passes") {
            test.failed.push(("requests that failed", failed));
        }
        // In ms.
        let latency = |name| Some(self.figure("http_req_duration", name)? / 1e3);
        if let Some(mean) = latency("avg") {
            test.latencies.push(("mean latency".to_owned(), mean));
        }
        for (name, percent) in
            [("med", "50"), ("p(90)", "90"), ("p(95)", "95"), ("p(99)", "99")]
        {
            if let Some(seconds) = latency(name) {
                test.percentile(percent, seconds);
            }
        }
        test
    }
}
