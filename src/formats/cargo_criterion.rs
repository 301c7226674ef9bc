//! The messages of cargo-criterion, an object a line: each sample is a run.

use serde::Deserialize;

use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse_line};
use super::lines::Lines;
use super::{File, Format, Options};
use crate::data::Reading;
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct CargoCriterion;

#[derive(Deserialize)]
struct Message {
    reason: String,
    #[serde(default)]
    id: String,
    #[serde(default)]
    iteration_count: Vec<Number>,
    #[serde(default)]
    measured_values: Vec<Number>,
    unit: Option<String>,
}

impl Format for CargoCriterion {
    fn name(&self) -> &'static str {
        "cargo-criterion"
    }

    fn description(&self) -> &'static str {
        "messages of `cargo criterion --message-format=json`"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let outline = Outline::of(file.text);
        outline.has(&["reason", "measured_values"])
            || outline.has(&["reason", "iteration_count"])
    }

    fn read(&self, file: &File<'_>, options: &Options) -> Result<Reading, Error> {
        let mut bytes = file.text.as_bytes();
        let mut lines = Lines::new(file.path, &mut bytes);
        read(&mut lines, options)
    }

    fn read_lines(
        &self,
        lines: &mut Lines<'_>,
        options: &Options,
    ) -> Option<Result<Reading, Error>> {
        Some(read(lines, options))
    }
}

fn read(lines: &mut Lines<'_>, _: &Options) -> Result<Reading, Error> {
    let mut gathering = Gathering::default();
    while let Some(text) = lines.next()? {
        let message = parse_line::<Message>(text, "cargo-criterion");
        let message = message.map_err(|fault| fault.at(lines.path(), lines.line()))?;
        if message.reason != "benchmark-complete" {
            continue;
        }
        if message.iteration_count.len() != message.measured_values.len() {
            return Err(Error::new(format!(
                "`{}` has {} values and {} numbers of iterations",
                message.id,
                message.measured_values.len(),
                message.iteration_count.len()
            ))
            .at_line(lines.path(), lines.line())
            .with_hint("run the benchmark again: the message is not whole"));
        }
        message.gather(&mut gathering);
    }
    gathering.finish("cargo-criterion", lines.path())
}

impl Message {
    /// One run a sample: its value for one iteration.
    fn gather(&self, gathering: &mut Gathering) {
        let unit = self.unit.as_deref();
        let time = unit.is_none_or(|unit| crate::data::unit::is_speed(Some(unit)));
        let metric = if time { "time" } else { "value" };
        let record = named(Some(&self.id), metric, unit.or(Some("ns")));
        let samples = self.iteration_count.iter().zip(&self.measured_values);
        let all = samples.len();
        let each = samples.filter_map(|(iterations, value)| {
            let each = value.0.zip(iterations.0).map(|(value, count)| value / count);
            each.filter(|each| each.is_finite())
        });
        let each: Vec<f64> = each.collect();
        let what = format!("samples of `{}`", self.id);
        let lost = all - each.len();
        gathering.skip_many(what, lost, "they have no value or no iterations");
        gathering.extend(record, each);
    }
}
