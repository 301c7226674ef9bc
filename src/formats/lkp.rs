//! The Linux kernel's test robot, LKP: `matrix.json`, a list of values for each figure.

use serde_json::{Map, Value};

use super::gathering::{Gathering, named};
use super::header::Heading;
use super::json::parse;
use super::{File, Format, Options};
use crate::data::Reading;
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Lkp;

/// Where each value came from.
const SOURCES: &str = "stats_source";

impl Format for Lkp {
    fn name(&self) -> &'static str {
        "lkp"
    }

    fn description(&self) -> &'static str {
        "`matrix.json` of LKP; each execution of a job is a run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let text = file.text.trim_start();
        let matrix = || serde_json::from_str::<Map<String, Value>>(text).ok();
        text.starts_with('{') && matrix().is_some_and(|matrix| is_matrix(&matrix))
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let matrix: Map<String, Value> = parse(file, "LKP")?;
        let mut gathering = Gathering::default();
        for (figure, values) in &matrix {
            match values.as_array() {
                _ if figure == SOURCES => {}
                Some(values) => gather(figure, values, &mut gathering),
                None => {
                    gathering.skip(format!("`{figure}`"), "it is no list of values");
                }
            }
        }
        gathering.finish(self.name(), file.path)
    }
}

/// Lists throughout, of numbers but for their sources.
fn is_matrix(matrix: &Map<String, Value>) -> bool {
    let numbers = |value: &Value| {
        value.as_array().is_some_and(|list| list.iter().all(Value::is_number))
    };
    let mut figures = matrix.iter().filter(|(figure, _)| *figure != SOURCES).peekable();
    figures.peek().is_some()
        && figures.all(|(figure, values)| figure.contains('.') && numbers(values))
}

/// `netperf.Throughput_Mbps`: the job or monitor, and what it measured.
fn gather(figure: &str, values: &[Value], gathering: &mut Gathering) {
    let (job, metric) = figure.split_once('.').unwrap_or(("", figure));
    let heading = Heading::parse(metric);
    let job = Some(job).filter(|job| !job.is_empty());
    let record = named(job, metric, heading.unit.as_deref());
    let mut runs: Vec<f64> = values.iter().filter_map(Value::as_f64).collect();
    let lost = values.len() - runs.len();
    gathering.skip_many(format!("values of `{figure}`"), lost, "they are no numbers");
    // An execution without the figure is filled in with 0 (`matrix_fill_missing_zeros`).
    if runs.iter().any(|run| *run != 0.0) {
        let all = runs.len();
        runs.retain(|run| *run != 0.0);
        let why = "LKP writes 0 where an execution has no such figure";
        gathering.skip_many(format!("zeros of `{figure}`"), all - runs.len(), why);
    }
    gathering.invocations(record, runs.into_iter().map(|run| vec![run]).collect());
}
