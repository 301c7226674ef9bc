//! What hey and oha print: each summary is one run of throughput and latencies.

use super::gathering::Gathering;
use super::load_test::{LoadTest, unfinished};
use super::printed::{after, expect, first, head, number, seconds};
use super::{File, Format, Options};
use crate::data::Reading;
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Hey;

const RATE: &str = "Requests/sec:";

impl Format for Hey {
    fn name(&self) -> &'static str {
        "hey"
    }

    fn description(&self) -> &'static str {
        "text of `hey` and `oha`; each summary is one run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let mut lines = head(file.text);
        lines.any(begins) && lines.any(|line| after(line, "Slowest:").is_some())
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let mut tests: Vec<LoadTest> = Vec::new();
        let mut errors = false;
        for (at, line) in file.text.lines().enumerate() {
            if begins(line) {
                tests.push(LoadTest::default());
                errors = false;
            } else if line.trim() == "Error distribution:" {
                errors = true;
            } else if let Some(test) = tests.last_mut() {
                test.read_report(line, errors, file, at + 1)?;
            }
        }
        if tests.iter().any(|test| test.throughput.is_none()) {
            return Err(unfinished("hey", file));
        }
        let mut gathering = Gathering::default();
        for test in tests {
            test.gather(&mut gathering);
        }
        gathering.finish(self.name(), file.path)
    }
}

fn begins(line: &str) -> bool {
    line.trim() == "Summary:"
}

impl LoadTest {
    fn read_report(
        &mut self,
        line: &str,
        errors: bool,
        file: &File<'_>,
        at: usize,
    ) -> Result<(), Error> {
        if let Some(rate) = after(line, RATE) {
            self.throughput = Some(expect(rate, "rate of requests", file, at)?);
        } else if let Some(mean) = after(line, "Average:").and_then(seconds) {
            self.latencies.push(("mean latency".to_owned(), mean));
        } else if let Some((percent, value)) = line.trim().split_once("% in ") {
            // Without any such request there is no time behind it.
            if let Some(seconds) = seconds(value) {
                self.percentile(percent.trim_end_matches('%'), seconds);
            }
        } else if let Some((code, rest)) =
            after(line, "[").and_then(|line| line.split_once(']'))
        {
            if errors {
                self.lost.extend(number(code).map(|n| ("requests without answer", n)));
            } else if rest.trim_end().ends_with("responses") {
                let count = expect(first(rest), "number of responses", file, at)?;
                self.count_status(code, count);
            }
        }
        Ok(())
    }

    /// Counts responses of a status: 2xx and 3xx are success.
    pub(super) fn count_status(&mut self, code: &str, count: f64) {
        *self.requests.get_or_insert(0.0) += count;
        if !code.starts_with(['2', '3']) {
            self.failed.push(("responses that are no success", count));
        }
    }
}
