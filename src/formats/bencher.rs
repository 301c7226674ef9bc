//! The metric format of Bencher (BMF): each value is one run, its bounds are left out.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::gathering::{Gathering, named};
use super::json::parse;
use super::{File, Format, Options};
use crate::data::Reading;
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Bencher;

/// By benchmark and measure.
type Report = BTreeMap<String, BTreeMap<String, Metric>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Metric {
    value: f64,
    lower_value: Option<f64>,
    upper_value: Option<f64>,
}

/// The measures that Bencher has by itself, with their units.
const UNITS: [(&str, &str); 4] = [
    ("latency", "ns"),
    ("throughput", "ops/s"),
    ("build-time", "s"),
    ("file-size", "B"),
];

impl Format for Bencher {
    fn name(&self) -> &'static str {
        "bencher"
    }

    fn description(&self) -> &'static str {
        "Bencher's metric format (BMF); each value is one run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let text = file.text.trim_start();
        let report = || serde_json::from_str::<Report>(text).ok();
        text.starts_with('{')
            && report().is_some_and(|report| {
                !report.is_empty()
                    && report.values().all(|measures| !measures.is_empty())
            })
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let report: Report = parse(file, "Bencher")?;
        let mut gathering = Gathering::default();
        for (benchmark, measures) in &report {
            for (measure, metric) in measures {
                let known = UNITS.iter().find(|(name, _)| name == measure);
                let unit = known.map(|(_, unit)| *unit);
                gathering.run(named(Some(benchmark), measure, unit), metric.value);
                if metric.lower_value.or(metric.upper_value).is_some() {
                    let why = "the file does not say what they are bounds of";
                    gathering.pass_over("pairs of bounds", 1, why);
                }
            }
        }
        gathering.finish(self.name(), file.path)
    }
}
