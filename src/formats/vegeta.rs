//! What `vegeta report` writes, as text or JSON: each report is one run.
//!
//! Vegeta sends at the rate that it is told, so that the throughput is a result only
//! where the target fell behind.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::gathering::Gathering;
use super::json::{Number, Outline, parse};
use super::load_test::{LoadTest, unfinished};
use super::printed::{expect, head, number, seconds};
use super::{File, Format, Options};
use crate::data::Reading;
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Vegeta;

impl Format for Vegeta {
    fn name(&self) -> &'static str {
        "vegeta"
    }

    fn description(&self) -> &'static str {
        "`vegeta report`, text or JSON; each report is one run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        Outline::of(file.text).has(&["latencies.mean", "success", "throughput"])
            || head(file.text)
                .any(|line| row(line).is_some_and(|(key, ..)| key == FIRST))
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let attacks = if file.text.trim_start().starts_with('{') {
            let report: Report = parse(file, "vegeta")?;
            vec![report.attack()]
        } else {
            attacks(file)?
        };
        let mut gathering = Gathering::default();
        for attack in attacks {
            attack.gather(file, &mut gathering)?;
        }
        gathering.finish(self.name(), file.path)
    }
}

/// One attack, with the rate at which requests were sent.
#[derive(Default)]
struct Attack {
    rate: Option<f64>,
    test: LoadTest,
}

impl Attack {
    fn gather(
        mut self,
        file: &File<'_>,
        gathering: &mut Gathering,
    ) -> Result<(), Error> {
        /// The share of the rate above which the target kept up.
        const KEPT_UP: f64 = 0.99;
        if self.test.latencies.is_empty() || self.test.requests.is_none() {
            return Err(unfinished("vegeta", file));
        }
        let kept_up =
            |(throughput, rate): (f64, f64)| throughput.abs() >= KEPT_UP * rate;
        if self.test.throughput.zip(self.rate).is_some_and(kept_up) {
            let why = "it is the rate that was asked for, not a result";
            gathering.pass_over("throughput", 1, why);
            self.test.throughput = None;
        }
        self.test.gather(gathering);
        Ok(())
    }
}

/// The first row of a report.
const FIRST: &str = "Requests";

/// `Requests      [total, rate, throughput]  1200, 120.00, 65.87`.
fn row(line: &str) -> Option<(&str, Vec<&str>, Vec<&str>)> {
    let (key, rest) = line.split_once('[')?;
    let (names, values) = rest.split_once(']')?;
    let known = [FIRST, "Latencies", "Status Codes"].contains(&key.trim());
    (known && key.ends_with(' ')).then(|| (key.trim(), list(names), list(values)))
}

fn list(text: &str) -> Vec<&str> {
    text.split(',').map(str::trim).collect()
}

fn attacks(file: &File<'_>) -> Result<Vec<Attack>, Error> {
    let mut attacks: Vec<Attack> = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let Some((key, names, values)) = row(line) else { continue };
        if key == FIRST {
            attacks.push(Attack::default());
        }
        let Some(Attack { rate, test }) = attacks.last_mut() else { continue };
        for (name, value) in names.into_iter().zip(&values) {
            match (key, name) {
                (FIRST, "total") => {
                    let total = expect(value, "number of requests", file, at + 1)?;
                    test.requests = Some(total);
                }
                (FIRST, "rate") => *rate = number(value),
                (FIRST, "throughput") => test.throughput = number(value),
                ("Latencies", _) => test.latency(name, seconds(value)),
                _ => {}
            }
        }
        if key == "Status Codes" {
            let codes = values.iter().flat_map(|value| value.split_whitespace());
            for (code, count) in codes.filter_map(|word| word.split_once(':')) {
                test.fail(code, number(count).unwrap_or(0.0));
            }
        }
    }
    Ok(attacks)
}

impl LoadTest {
    /// A latency as vegeta calls it: `mean`, `50`, `50th`.
    fn latency(&mut self, name: &str, seconds: Option<f64>) {
        let Some(seconds) = seconds else { return };
        if name == "mean" {
            self.latencies.push(("mean latency".to_owned(), seconds));
        }
        self.percentile(name.trim_end_matches("th"), seconds);
    }

    /// Responses of a status; 0 stands for none.
    fn fail(&mut self, code: &str, count: f64) {
        match code {
            "0" => self.failed.push(("requests without answer", count)),
            code if code.starts_with(['2', '3']) => {}
            _ => self.failed.push(("responses that are no success", count)),
        }
    }
}

/// The JSON; times are in nanoseconds.
#[derive(Deserialize)]
struct Report {
    latencies: BTreeMap<String, Number>,
    #[serde(default)]
    requests: Number,
    #[serde(default)]
    rate: Number,
    #[serde(default)]
    throughput: Number,
    #[serde(default)]
    status_codes: BTreeMap<String, Number>,
}

impl Report {
    fn attack(&self) -> Attack {
        let mut test = LoadTest {
            requests: self.requests.0,
            throughput: self.throughput.0,
            ..LoadTest::default()
        };
        for (name, value) in &self.latencies {
            test.latency(name, value.0.map(|nanoseconds| nanoseconds / 1e9));
        }
        for (code, count) in &self.status_codes {
            test.fail(code, count.0.unwrap_or(0.0));
        }
        Attack { rate: self.rate.0, test }
    }
}
