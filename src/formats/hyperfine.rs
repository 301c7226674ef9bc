//! What hyperfine exports as JSON: a variant for each command.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse, plain};
use super::{File, Format, Options};
use crate::data::{Mark, Reading, Record, Summary, Values, VariantBy, VariantsBy};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Hyperfine;

#[derive(Deserialize)]
struct Export {
    results: Vec<Command>,
}

#[derive(Deserialize)]
struct Command {
    #[serde(rename = "command")]
    line: String,
    #[serde(default)]
    mean: Number,
    #[serde(default)]
    stddev: Number,
    times: Option<Vec<Number>>,
    memory_usage_byte: Option<Vec<Number>>,
    exit_codes: Option<Vec<Option<i64>>>,
    parameters: Option<Map<String, Value>>,
}

impl Format for Hyperfine {
    fn name(&self) -> &'static str {
        "hyperfine"
    }

    fn description(&self) -> &'static str {
        "JSON of `hyperfine --export-json`; each command is a variant"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let outline = Outline::of(file.text);
        is_csv(file.text)
            || outline.has(&["results[].command"])
                && (outline.has(&["results[].mean"])
                    || outline.has(&["results[].times"]))
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        if is_csv(file.text) {
            return Err(without_number_of_runs(file));
        }
        let Export { results } = parse(file, "hyperfine")?;
        let names = names(&results);
        // Where commands of one set of parameters differ otherwise, each is another
        // benchmark.
        let templates = names.iter().zip(&results).any(|(name, command)| {
            *name == command.line && !command.parameters().is_empty()
        });
        let mut gathering = Gathering::default();
        for (command, name) in results.iter().zip(names) {
            let stem = templates.then(|| command.template());
            command.gather(&name, stem.as_ref(), &mut gathering);
        }
        let mut reading = gathering.finish(self.name(), file.path)?;
        reading.variants = VariantsBy::Structure;
        Ok(reading)
    }
}

/// The header of `--export-csv`; parameters have columns behind it.
fn is_csv(text: &str) -> bool {
    text.starts_with("command,mean,stddev,median,user,system,min,max")
}

/// The CSV has means and SDs, which say nothing without the number of runs.
fn without_number_of_runs(file: &File<'_>) -> Error {
    Error::new("this CSV of hyperfine has means and SDs, but not the number of runs")
        .at_line(file.path, 1)
        .with_hint(
            "export the runs with `--export-json`; or, if you know their number, give each \
             command as `--summary 'LABEL:n=10,mean=…,sd=…'`",
        )
}

/// What each variant is called: by its parameters where these tell all apart, so that
/// files of different commands can be matched; else by its command.
fn names(commands: &[Command]) -> Vec<String> {
    let by_parameters: Vec<String> = commands.iter().map(Command::parameters).collect();
    let distinct: BTreeSet<&String> = by_parameters.iter().collect();
    if distinct.len() == commands.len() && !by_parameters.iter().any(String::is_empty) {
        return by_parameters;
    }
    commands.iter().map(|command| command.line.clone()).collect()
}

impl Command {
    /// `size=10, mode=fast`.
    fn parameters(&self) -> String {
        let pairs = self.parameters.iter().flatten();
        let pairs = pairs.map(|(name, value)| format!("{name}={}", plain(value)));
        pairs.collect::<Vec<_>>().join(", ")
    }

    /// The command line with its parameters taken out, the longest values first.
    fn template(&self) -> String {
        let mut parameters: Vec<(&String, String)> =
            self.parameters.iter().flatten().map(|(n, v)| (n, plain(v))).collect();
        parameters.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
        let filled = parameters.iter().filter(|(_, value)| !value.is_empty());
        filled.fold(self.line.clone(), |line, (name, value)| {
            line.replace(value, &format!("{{{name}}}"))
        })
    }

    /// The command line, and its parameters.
    fn marks(&self) -> Vec<Mark> {
        let command =
            Mark { by: VariantBy::Command, value: self.line.clone(), in_name: false };
        let parameters = self.parameters.iter().flatten();
        let parameters =
            parameters.map(|(name, value)| Mark::parameter(name, plain(value)));
        std::iter::once(command).chain(parameters).collect()
    }

    fn gather(&self, name: &str, stem: Option<&String>, gathering: &mut Gathering) {
        let template = |metric, unit| {
            let mut record = named(None, metric, Some(unit));
            record.variant = Some(name.to_owned());
            record.stem = stem.cloned();
            record.marks = self.marks();
            record
        };
        let Some(times) = &self.times else {
            self.gather_summary(name, template("time", "s"), gathering);
            return;
        };
        if times.contains(&Number(Some(0.0))) {
            // The start-up of the shell is subtracted, down to 0.
            let why = "some took no time: the command failed, or is too short to be \
                 timed through a shell (`hyperfine -N`)";
            gathering.skip_many(format!("runs of `{name}`"), times.len(), why);
            return;
        }
        let failed = |run: usize| {
            let codes = self.exit_codes.as_ref();
            codes.and_then(|codes| codes.get(run)).is_some_and(|code| *code != Some(0))
        };
        // Where some are missing, the others still belong beside those of the same place.
        let gaps =
            times.iter().enumerate().any(|(run, time)| failed(run) || time.0.is_none());
        if gaps {
            for (run, time) in times.iter().enumerate() {
                let runs = format!("runs of `{name}`");
                match time.0 {
                    _ if failed(run) => gathering
                        .skip(runs, "the command failed: its exit code is not 0"),
                    None => gathering.skip(runs, "the time is not a finite number"),
                    Some(time) => {
                        gathering.run_in_block(template("time", "s"), time, run as u64);
                    }
                }
            }
        } else {
            let times = times.iter().filter_map(|time| time.0);
            gathering.extend(template("time", "s"), times);
        }
        let memory = self.memory_usage_byte.iter().flatten().enumerate();
        let memory =
            memory.filter(|(run, _)| !failed(*run)).filter_map(|(_, bytes)| bytes.0);
        gathering.extend(template("memory", "B"), memory);
    }

    /// Without the runs, mean and SD say enough only if their number is known.
    fn gather_summary(&self, name: &str, record: Record, gathering: &mut Gathering) {
        let count = self.exit_codes.as_ref().map(Vec::len);
        let summary = match (count, self.mean.0, self.stddev.0) {
            (None, _, _) => Err("the runs were not kept, nor their number".to_owned()),
            (Some(n), Some(mean), Some(sd)) => {
                Summary::new(n, mean, sd).map_err(|error| error.what().to_owned())
            }
            (Some(_), _, _) => {
                Err("the runs were not kept, nor mean and SD".to_owned())
            }
        };
        match summary {
            Ok(summary) => {
                let values = Values::Summary(summary);
                gathering.record(Record { values, ..record });
            }
            Err(why) => gathering.skip(format!("the summary of `{name}`"), why),
        }
    }
}
