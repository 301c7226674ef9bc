//! What JMH writes as JSON: each fork is an invocation, each iteration a run.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse, plain};
use super::{File, Format, Options};
use crate::data::{Direction, Mark, Reading, Record};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Jmh;

#[derive(Deserialize)]
struct Outcome {
    benchmark: String,
    #[serde(default)]
    mode: String,
    threads: Option<u64>,
    params: Option<Map<String, Value>>,
    #[serde(rename = "primaryMetric")]
    primary: Score,
    #[serde(rename = "secondaryMetrics", default)]
    secondary: Map<String, Value>,
}

/// Values and how often each was seen in one iteration.
type Histogram = Vec<(Number, Number)>;

#[derive(Deserialize)]
struct Score {
    #[serde(rename = "scoreUnit", default)]
    unit: String,
    /// By fork, then by iteration.
    #[serde(rename = "rawData")]
    raw: Option<Vec<Vec<Number>>>,
    /// By fork, then by iteration.
    #[serde(rename = "rawDataHistogram")]
    histogram: Option<Vec<Vec<Histogram>>>,
}

impl Format for Jmh {
    fn name(&self) -> &'static str {
        "jmh"
    }

    fn description(&self) -> &'static str {
        "JSON of JMH (`-rf json`); each fork is an invocation"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        Outline::of(file.text).has(&["[].benchmark", "[].primaryMetric"])
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let outcomes: Vec<Outcome> = parse(file, "JMH")?;
        let mut gathering = Gathering::default();
        for outcome in &outcomes {
            outcome.gather(&mut gathering);
        }
        gathering.finish(self.name(), file.path)
    }
}

impl Outcome {
    /// Parameters and threads, which make it another benchmark.
    fn marks(&self) -> Vec<Mark> {
        let params = self.params.iter().flatten();
        let mut marks: Vec<Mark> =
            params.map(|(name, value)| Mark::parameter(name, plain(value))).collect();
        if let Some(threads) = self.threads.filter(|threads| *threads > 1) {
            marks.push(Mark::parameter("threads", threads.to_string()));
        }
        marks
    }

    /// A score of this benchmark.
    fn record(&self, metric: &str, unit: Option<&str>) -> Record {
        let mut record = named(None, metric, unit);
        record.named_by(Some(self.benchmark.clone()), self.marks());
        record
    }

    fn gather(&self, gathering: &mut Gathering) {
        let (metric, direction) = meaning(&self.mode, &self.primary.unit);
        let mut record = self.record(metric, Some(&self.primary.unit));
        let name = record.benchmark.clone().unwrap_or_default();
        record.direction = direction;
        self.primary.gather(record, gathering);
        for (metric, score) in &self.secondary {
            // Of what is no score at all nothing can be compared.
            let Ok(score) = serde_json::from_value::<Score>(score.clone()) else {
                gathering.skip(format!("`{metric}` of `{name}`"), "it is no score");
                continue;
            };
            // Older versions mark their profilers' metrics with a dot in front.
            let metric = metric.trim_start_matches('·');
            let unit = Some(score.unit.as_str()).filter(|unit| *unit != "---");
            let mut record = self.record(metric, unit);
            // A rate of allocation is no throughput.
            let cost = metric.starts_with("gc.");
            record.direction = cost.then_some(Direction::LowerIsBetter);
            score.gather(record, gathering);
        }
    }
}

/// The metric of a mode, and which way is better: by the unit, whatever the mode says.
fn meaning(mode: &str, unit: &str) -> (&'static str, Option<Direction>) {
    if unit.starts_with("ops/") {
        return ("throughput", Some(Direction::HigherIsBetter));
    }
    let metric = match mode {
        "sample" => "sampled time",
        "ss" => "single-shot time",
        _ => "time",
    };
    let lower = unit.ends_with("/op") || unit.is_empty();
    let higher = unit.is_empty() && mode == "thrpt";
    match (higher, lower) {
        (true, _) => ("throughput", Some(Direction::HigherIsBetter)),
        (false, true) => (metric, Some(Direction::LowerIsBetter)),
        (false, false) => (metric, None),
    }
}

impl Score {
    fn gather(&self, record: Record, gathering: &mut Gathering) {
        let name = record.benchmark.clone().unwrap_or_default();
        let metric = record.metric.clone().unwrap_or_default();
        let forks: Vec<Vec<Option<f64>>> = match (&self.raw, &self.histogram) {
            (Some(raw), _) => raw.iter().map(|fork| scores(fork)).collect(),
            (None, Some(histogram)) => {
                histogram.iter().map(|fork| fork.iter().map(mean).collect()).collect()
            }
            (None, None) => Vec::new(),
        };
        let all = forks.iter().map(Vec::len).sum::<usize>();
        let what = format!("`{metric}` of `{name}`");
        if all == 0 {
            gathering.skip(what, "it has no iterations");
            return;
        }
        let finite: Vec<Vec<f64>> = forks
            .into_iter()
            .map(|fork| fork.into_iter().flatten().collect())
            .collect();
        let kept = finite.iter().map(Vec::len).sum::<usize>();
        let what = format!("iterations of {what}");
        gathering.skip_many(what, all - kept, "they are not finite numbers");
        gathering.invocations(record, finite);
    }
}

fn scores(fork: &[Number]) -> Vec<Option<f64>> {
    fork.iter().map(|score| score.0).collect()
}

/// The score of an iteration of which single operations were timed: their mean, as in
/// the other modes. Operations of one iteration are no runs of their own.
#[allow(clippy::ptr_arg, reason = "as the items of a list come")]
fn mean(iteration: &Histogram) -> Option<f64> {
    let mut sum = 0.0;
    let mut count = 0.0;
    for (value, times) in iteration {
        sum += value.0? * times.0?;
        count += times.0?;
    }
    Some(sum / count).filter(|mean| mean.is_finite())
}
