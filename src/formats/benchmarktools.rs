//! What Julia's BenchmarkTools saves: each sample of a trial is a run.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse};
use super::{File, Format, Options};
use crate::data::{Direction, Reading, Record};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct BenchmarkTools;

/// A value of Julia: the name of its type and its fields.
#[derive(Deserialize)]
struct Node(String, Fields);

/// The fields of all types that are saved.
#[derive(Deserialize)]
struct Fields {
    /// Of a group.
    data: Option<BTreeMap<String, Node>>,
    /// Of a trial, in ns for one evaluation.
    times: Option<Vec<Number>>,
    /// Of an estimate, likewise.
    #[serde(default)]
    time: Number,
    /// Of both, for one evaluation: one figure a trial.
    #[serde(default)]
    memory: Number,
    #[serde(default)]
    allocs: Number,
}

impl Format for BenchmarkTools {
    fn name(&self) -> &'static str {
        "benchmarktools"
    }

    fn description(&self) -> &'static str {
        "JSON of Julia's BenchmarkTools (`BenchmarkTools.save`); each sample is a run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let outline = Outline::of(file.text);
        ["[].BenchmarkTools", "[].Julia"].iter().any(|key| outline.has(&[key]))
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let (_, saved): (IgnoredAny, Vec<Node>) = parse(file, "BenchmarkTools")?;
        let mut gathering = Gathering::default();
        for node in &saved {
            node.gather("", &mut gathering);
        }
        gathering.finish(self.name(), file.path)
    }
}

impl Node {
    /// `path` is the keys of the groups around it.
    fn gather(&self, path: &str, gathering: &mut Gathering) {
        let Self(kind, fields) = self;
        let record = || named(Some(path).filter(|p| !p.is_empty()), "time", Some("ns"));
        let this = if path.is_empty() { String::new() } else { format!(" `{path}`") };
        match kind.rsplit('.').next().unwrap_or_default() {
            "BenchmarkGroup" => {
                for (key, node) in fields.data.iter().flatten() {
                    let slash = if path.is_empty() { "" } else { "/" };
                    node.gather(&format!("{path}{slash}{key}"), gathering);
                }
            }
            "Trial" => {
                let times = fields.times.as_deref().unwrap_or_default();
                let lost = times.iter().filter(|time| time.0.is_none()).count();
                let what = format!("samples of{this}");
                gathering.skip_many(what, lost, "they are not finite numbers");
                for time in times.iter().filter_map(|time| time.0) {
                    gathering.run(record(), time);
                }
                for (metric, unit, value) in [
                    ("memory", Some("B"), fields.memory),
                    ("allocations", None, fields.allocs),
                ] {
                    let mut record = Record { metric: Some(metric.into()), ..record() };
                    record.unit = unit.map(str::to_owned);
                    record.direction = Some(Direction::LowerIsBetter);
                    if let Some(value) = value.0 {
                        gathering.run(record, value);
                    }
                }
            }
            "TrialEstimate" => match fields.time.0 {
                Some(time) => {
                    gathering.run(record(), time);
                    let why = "save the trial itself: its estimate is one run";
                    gathering.skip("samples of an estimate", why);
                }
                None => gathering.skip(format!("estimate{this}"), "it has no time"),
            },
            kind => gathering.skip(format!("`{kind}`{this}"), "it is no measurement"),
        }
    }
}
