//! What `ApacheBench` prints: each test is one run of throughput and latencies.

use super::gathering::Gathering;
use super::load_test::{LoadTest, unfinished};
use super::printed::{after, expect, first, head, number};
use super::{File, Format, Options};
use crate::data::Reading;
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Ab;

const BEGIN: &str = "Concurrency Level:";

/// The header of `ab -g`: a row for each request.
const REQUESTS: &str = "starttime\tseconds\tctime\tdtime\tttime\twait";

/// `ab -g` sorts the requests by their time, so that how they came is not to be known.
fn requests_of_one_test(file: &File<'_>) -> Error {
    Error::new("these are the requests of one test, sorted by how long they took")
        .at_line(file.path, 1)
        .with_hint(
            "give what `ab` prints, of several tests; `--input-format tsv --column ttime` \
             takes requests for runs nonetheless",
        )
}

impl Format for Ab {
    fn name(&self) -> &'static str {
        "ab"
    }

    fn description(&self) -> &'static str {
        "text of `ab` (ApacheBench); each test is one run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        if file.text.starts_with(REQUESTS) {
            return true;
        }
        let mut lines = head(file.text);
        lines.any(|line| line.starts_with(BEGIN))
            && lines.any(|line| line.starts_with("Complete requests:"))
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        if file.text.starts_with(REQUESTS) {
            return Err(requests_of_one_test(file));
        }
        let mut tests: Vec<LoadTest> = Vec::new();
        for (at, line) in file.text.lines().enumerate() {
            if let Some(level) = after(line, BEGIN) {
                let benchmark = Some(format!("{level} connections"));
                tests.push(LoadTest { benchmark, ..LoadTest::default() });
            } else if let Some(test) = tests.last_mut() {
                test.read_row(line, file, at + 1)?;
            }
        }
        if tests.iter().any(|test| test.throughput.is_none()) {
            return Err(unfinished("ab", file));
        }
        let mut gathering = Gathering::default();
        for test in tests {
            test.gather(&mut gathering);
        }
        gathering.finish(self.name(), file.path)
    }
}

impl LoadTest {
    fn read_row(
        &mut self,
        line: &str,
        file: &File<'_>,
        at: usize,
    ) -> Result<(), Error> {
        let value = |text: &str, what: &str| expect(first(text), what, file, at);
        if let Some(count) = after(line, "Complete requests:") {
            self.requests = Some(value(count, "number of requests")?);
        } else if let Some(count) = after(line, "Failed requests:") {
            self.failed.push(("requests that failed", value(count, "count")?));
        } else if let Some(kinds) = after(line, "(Connect:") {
            // Pages that are made anew may well differ in length.
            let length = kinds.split_once("Length:").map(|(_, count)| count);
            let length = number(first(length.unwrap_or("0")).trim_end_matches(','));
            for (_, count) in &mut self.failed {
                *count = (*count - length.unwrap_or(0.0)).max(0.0);
            }
        } else if let Some(count) = after(line, "Non-2xx responses:") {
            self.failed.push(("responses that are no success", value(count, "count")?));
        } else if let Some(rate) = after(line, "Requests per second:") {
            self.throughput = Some(value(rate, "rate of requests")?);
        } else if let Some(time) = after(line, "Time per request:")
            && time.ends_with("(mean)")
        {
            let mean = value(time, "time")? / 1e3;
            self.latencies.push(("mean latency".to_owned(), mean));
        } else if let Some((percent, time)) = line.trim().split_once('%')
            && let Some(milliseconds) = number(first(time))
        {
            self.percentile(percent, milliseconds / 1e3);
        }
        Ok(())
    }
}
