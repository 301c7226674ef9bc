//! What wrk and wrk2 print: each test is one run of throughput and latencies.

use super::gathering::Gathering;
use super::load_test::{LoadTest, unfinished};
use super::printed::{after, expect, first, head, seconds};
use super::{File, Format, Options};
use crate::data::Reading;
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Wrk;

impl Format for Wrk {
    fn name(&self) -> &'static str {
        "wrk"
    }

    fn description(&self) -> &'static str {
        "text of `wrk` and `wrk2`; each test is one run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        head(file.text).any(begins)
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let mut gathering = Gathering::default();
        let mut test: Option<LoadTest> = None;
        for (at, line) in file.text.lines().enumerate() {
            if begins(line) {
                if test.is_some() {
                    return Err(unfinished("wrk", file));
                }
                test = Some(LoadTest::default());
            }
            let Some(now) = test.as_mut() else { continue };
            now.read_line(line, file, at + 1)?;
            // What follows is of no test.
            if now.throughput.is_some()
                && let Some(ended) = test.take()
            {
                ended.gather(&mut gathering);
            }
        }
        if test.is_some() {
            return Err(unfinished("wrk", file));
        }
        gathering.finish(self.name(), file.path)
    }
}

/// `Running 30s test @ http://localhost/`.
fn begins(line: &str) -> bool {
    line.starts_with("Running ") && line.contains(" test @ ")
}

impl LoadTest {
    fn read_line(
        &mut self,
        line: &str,
        file: &File<'_>,
        at: usize,
    ) -> Result<(), Error> {
        let number = |text: &str, what: &str| expect(first(text), what, file, at);
        let line = line.trim();
        if line.contains(" threads and ") && line.ends_with(" connections") {
            self.benchmark = Some(line.replace(" threads and ", " threads, "));
        } else if let Some(row) = after(line, "Latency ") {
            // That of the header of percentiles is none.
            if let Some(mean) = seconds(first(row)) {
                self.latencies.push(("mean latency".to_owned(), mean));
            }
        } else if let Some(rate) = after(line, "Requests/sec:") {
            self.throughput = Some(number(rate, "rate of requests")?);
        } else if let Some(count) = after(line, "Non-2xx or 3xx responses:") {
            self.failed
                .push(("responses that are no success", number(count, "count")?));
        } else if let Some(counts) = after(line, "Socket errors:") {
            for error in counts.split(',') {
                let (kind, count) = error.trim().split_once(' ').unwrap_or_default();
                self.lost.push((kind_of_error(kind), number(count, "count")?));
            }
        } else if let Some((count, _)) = line.split_once(" requests in ") {
            self.requests = Some(number(count, "number of requests")?);
        } else if let Some((percent, value)) = line.split_once('%')
            && let Some(seconds) = seconds(value)
        {
            self.percentile(percent, seconds);
        }
        Ok(())
    }
}

fn kind_of_error(kind: &str) -> &'static str {
    match kind {
        "connect" => "connections that failed",
        "read" => "failures to read",
        "write" => "failures to write",
        "timeout" => "requests that timed out",
        _ => "other socket errors",
    }
}
