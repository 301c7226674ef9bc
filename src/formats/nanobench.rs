//! What nanobench writes as JSON: each epoch is a run.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse};
use super::{File, Format, Options};
use crate::data::{Direction, Reading};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Nanobench;

#[derive(Deserialize)]
struct Report {
    results: Vec<Outcome>,
}

#[derive(Deserialize)]
struct Outcome {
    #[serde(default)]
    title: String,
    name: String,
    #[serde(default)]
    unit: String,
    /// How many units one iteration handles.
    #[serde(default)]
    batch: Number,
    /// Values of one iteration each: `elapsed` in seconds, and counters.
    #[serde(default)]
    measurements: Vec<Map<String, Value>>,
}

impl Format for Nanobench {
    fn name(&self) -> &'static str {
        "nanobench"
    }

    fn description(&self) -> &'static str {
        "JSON of nanobench (`templates::json()`); each epoch is a run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let outline = Outline::of(file.text);
        outline.has(&["results[].measurements"]) || outline.has(&["results[].epochs"])
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let Report { results } = parse(file, "nanobench")?;
        let mut gathering = Gathering::default();
        for outcome in &results {
            outcome.gather(&mut gathering);
        }
        gathering.finish(self.name(), file.path)
    }
}

impl Outcome {
    fn gather(&self, gathering: &mut Gathering) {
        let parts = [self.title.as_str(), self.name.as_str()];
        let parts: Vec<&str> =
            parts.into_iter().filter(|part| !part.is_empty()).collect();
        let name = parts.join("/");
        let batch = self.batch.0.filter(|batch| *batch > 0.0).unwrap_or(1.0);
        let of = if self.unit.is_empty() { "op" } else { &self.unit };
        if self.measurements.is_empty() {
            gathering.skip(format!("`{name}`"), "it has no measurements");
        }
        for (key, value) in self.measurements.iter().flatten() {
            let Some(value) = value.as_f64().map(|value| value / batch) else {
                let what = format!("values of `{key}` in `{name}`");
                gathering.skip(what, "they are not finite numbers");
                continue;
            };
            match key.as_str() {
                "iterations" => {}
                "elapsed" => {
                    let unit = format!("s/{of}");
                    gathering.run(named(Some(&name), "time", Some(&unit)), value);
                }
                // Where the machine has no such counter, it reads 0 throughout.
                counter if self.is_zero(counter) => {}
                counter => {
                    let mut record = named(Some(&name), counter, None);
                    record.direction = Some(Direction::LowerIsBetter);
                    gathering.run(record, value);
                }
            }
        }
    }

    fn is_zero(&self, counter: &str) -> bool {
        let values = self.measurements.iter().filter_map(|one| one.get(counter));
        values.filter_map(Value::as_f64).all(|value| value == 0.0)
    }
}
