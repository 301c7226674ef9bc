//! What sysbench prints: a report is one run, lines of `--report-interval` are runs in
//! order.

use super::gathering::{Gathering, named};
use super::printed::{expect, first, head, number};
use super::{File, Format, Options};
use crate::data::Reading;
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Sysbench;

impl Format for Sysbench {
    fn name(&self) -> &'static str {
        "sysbench"
    }

    fn description(&self) -> &'static str {
        "text of `sysbench`; each test is one run, or each line of `--report-interval`"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        head(file.text).any(|line| begins(line) || interval(line).is_some())
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let mut tests: Vec<Test> = Vec::new();
        for (at, line) in file.text.lines().enumerate() {
            if begins(line) || tests.is_empty() {
                tests.push(Test { began: begins(line), ..Test::default() });
            }
            if let Some(test) = tests.last_mut() {
                test.line(line, file, at + 1)?;
            }
        }
        let mut gathering = Gathering::default();
        for test in tests {
            test.gather(file, &mut gathering)?;
        }
        gathering.finish(self.name(), file.path)
    }
}

/// `sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)`.
fn begins(line: &str) -> bool {
    let version = line.strip_prefix("sysbench ").unwrap_or_default();
    version.starts_with(|letter: char| letter.is_ascii_digit()) && version.contains(':')
        || version.contains("(using ")
}

/// What one execution says.
#[derive(Default)]
struct Test {
    /// Whether the start was seen.
    began: bool,
    threads: Option<String>,
    /// The rate that was asked for.
    target: Option<String>,
    /// Name, unit and value.
    rates: Vec<(&'static str, &'static str, f64)>,
    intervals: Vec<(f64, Option<f64>)>,
    /// Of the latencies in ms.
    minimum: Option<f64>,
    average: Option<f64>,
    percentile: Option<(String, f64)>,
    errors: f64,
    /// Whether the table of latencies is being read.
    in_latency: bool,
}

/// `[ 10s ] thds: 8 tps: 1234.56 qps: … lat (ms,95%): 8.90 err/s: 0.00 …`.
fn interval(line: &str) -> Option<(f64, Option<f64>)> {
    let (time, figures) = line.strip_prefix('[')?.split_once(']')?;
    time.trim().strip_suffix('s')?.parse::<f64>().ok()?;
    // Version 0.5 had commas.
    let value = |key: &str| {
        let (_, rest) = figures.split_once(key)?;
        number(first(rest).trim_end_matches(','))
    };
    let rate = value("tps:").or_else(|| value("eps:"))?;
    let latency = figures.split_once("lat (ms,").and_then(|(_, rest)| {
        let (_, rest) = rest.split_once("):")?;
        number(first(rest))
    });
    Some((rate, latency))
}

/// `257521 (143.01 per sec.)`: the rate.
fn per_second(text: &str) -> Option<f64> {
    let (_, rate) = text.split_once('(')?;
    rate.contains("per sec").then(|| number(first(rate)))?
}

impl Test {
    fn line(&mut self, line: &str, file: &File<'_>, at: usize) -> Result<(), Error> {
        if let Some(interval) = interval(line) {
            self.intervals.push(interval);
            return Ok(());
        }
        let Some((key, value)) = line.trim().split_once(':') else { return Ok(()) };
        let value = value.trim();
        let mut rate = |name, unit, value| self.rates.push((name, unit, value));
        match key {
            "Number of threads" => self.threads = Some(value.to_owned()),
            "Target transaction rate" => self.target = Some(value.to_owned()),
            "transactions" | "total number of operations" | "Total operations" => {
                if let Some(value) = per_second(value) {
                    rate("throughput", "ops/s", value);
                }
            }
            "events per second" | "events/s (eps)" => {
                let value = expect(value, "rate of events", file, at)?;
                // Transactions, where there are some, are the events.
                if self.rates.is_empty() {
                    self.rates.push(("throughput", "ops/s", value));
                }
            }
            "reads/s" => rate("reads", "ops/s", expect(value, "rate", file, at)?),
            "writes/s" => rate("writes", "ops/s", expect(value, "rate", file, at)?),
            "fsyncs/s" => rate("fsyncs", "ops/s", expect(value, "rate", file, at)?),
            "ignored errors" => self.errors += number(first(value)).unwrap_or(0.0),
            _ => self.latency(key, value, file, at)?,
        }
        Ok(())
    }

    fn latency(
        &mut self,
        key: &str,
        value: &str,
        file: &File<'_>,
        at: usize,
    ) -> Result<(), Error> {
        let milliseconds = || expect(value, "latency", file, at);
        match key {
            "Latency (ms)" => self.in_latency = true,
            "min" if self.in_latency => self.minimum = Some(milliseconds()?),
            "avg" if self.in_latency => self.average = Some(milliseconds()?),
            "sum" | "Threads fairness" => self.in_latency = false,
            _ if self.in_latency && key.ends_with("th percentile") => {
                let percent = key.trim_end_matches("th percentile");
                self.percentile = Some((percent.to_owned(), milliseconds()?));
            }
            _ => {}
        }
        Ok(())
    }

    fn gather(self, file: &File<'_>, gathering: &mut Gathering) -> Result<(), Error> {
        let benchmark =
            self.threads.as_ref().map(|threads| format!("{threads} threads"));
        let name = benchmark.as_deref();
        if self.began && self.rates.is_empty() {
            return Err(Error::new(
                "a report of sysbench in it has no throughput: it was cut off",
            )
            .at_line(file.path, file.text.lines().count())
            .with_hint("give the output to its end; nothing of a cut file is read"));
        }
        if let Some(target) = &self.target {
            let why = format!(
                "at most {target} were asked for: it is no result, the latency is"
            );
            let count = self.rates.len().max(self.intervals.len());
            gathering.pass_over("throughput", count, why);
        }
        let capped = self.target.is_some();
        if self.intervals.is_empty() {
            for (metric, unit, rate) in self.rates.iter().filter(|_| !capped) {
                gathering.run(named(name, metric, Some(unit)), *rate);
            }
            self.gather_latency(name, gathering);
        } else {
            for (rate, latency) in &self.intervals {
                if !capped {
                    gathering.run(named(name, "throughput", Some("ops/s")), *rate);
                }
                if let Some(latency) = latency {
                    let record = named(name, "percentile of latency", Some("ms"));
                    gathering.run(record, *latency);
                }
            }
            let why =
                "they sum up the lines of `--report-interval`, which are the runs";
            gathering.pass_over("final figures", self.rates.len(), why);
        }
        if self.errors > 0.0 {
            // A count beyond all others is one that cannot be held.
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "saturates, and counts are whole and not negative"
            )]
            let count = self.errors as usize;
            gathering.skip_many(
                "transactions",
                count,
                "they failed, and were tried again",
            );
        }
        Ok(())
    }

    fn gather_latency(&self, name: Option<&str>, gathering: &mut Gathering) {
        if let Some(average) = self.average {
            gathering.run(named(name, "mean latency", Some("ms")), average);
        }
        let Some((percent, value)) = &self.percentile else { return };
        if self.minimum.is_some_and(|minimum| *value < minimum) {
            let why = "it is below the smallest latency: sysbench counts in buckets, and \
                 had too few events";
            gathering.skip(format!("p{percent} latency"), why);
        // A percentile of 0 is one that was turned off.
        } else if *value > 0.0 {
            let metric = format!("p{percent} latency");
            gathering.run(named(name, &metric, Some("ms")), *value);
        }
    }
}
