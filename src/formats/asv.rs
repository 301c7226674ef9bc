//! What airspeed velocity (asv) keeps of a commit, or a folder of commits as variants.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::folder::{files, name_of, read_text};
use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse, plain};
use super::{File, Format, Options};
use crate::data::{Mark, Reading, Record, Summary, Values, VariantsBy};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Asv;

/// The results of one commit on one machine.
#[derive(Deserialize)]
struct Results {
    #[serde(default)]
    commit_hash: String,
    /// That of the commit.
    #[serde(default)]
    date: Number,
    /// Since version 2, in which each benchmark is a list.
    #[serde(default)]
    result_columns: Vec<String>,
    #[serde(rename = "results")]
    benchmarks: Map<String, Value>,
}

/// What `benchmarks.json` says of one benchmark.
#[derive(Deserialize, Default)]
struct About {
    unit: Option<String>,
    #[serde(default)]
    param_names: Vec<String>,
}

type Abouts = BTreeMap<String, About>;

/// The files beside results: the benchmarks of all machines, and the machine.
const BENCHMARKS: &str = "benchmarks.json";
const MACHINE: &str = "machine.json";

impl Format for Asv {
    fn name(&self) -> &'static str {
        "asv"
    }

    fn description(&self) -> &'static str {
        "results of asv: one commit (JSON), or a folder of them, a variant each commit"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let outline = Outline::of(file.text);
        outline.has(&["results", "commit_hash"]) || outline.has(&["result_columns"])
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let results: Results = parse(file, "asv")?;
        let mut gathering = Gathering::default();
        results.gather(file.path, &Abouts::new(), &[], None, &mut gathering)?;
        gathering.finish(self.name(), file.path)
    }

    fn claims(&self, folder: &Path) -> bool {
        let has = |name| folder.join(name).is_file();
        has(MACHINE) || (has(BENCHMARKS) && !machines(folder).is_empty())
    }

    fn read_folder(&self, folder: &Path, typed: &str) -> Result<Reading, Error> {
        let abouts = abouts(folder)?;
        let mut commits = commits(folder)?;
        let date = |results: &Results| results.date.0.unwrap_or(f64::INFINITY);
        // The oldest commit is the baseline, unless the user says otherwise.
        commits.sort_by(|(one, a), (other, b)| {
            date(a).total_cmp(&date(b)).then_with(|| one.cmp(other))
        });
        let varying = varying(commits.iter().map(|(path, _)| path.as_path()));
        let mut gathering = Gathering::default();
        for (path, results) in &commits {
            let commit: String = results.commit_hash.chars().take(SHORT).collect();
            let marks = marks(path, &varying);
            let path = path.to_string_lossy();
            results.gather(&path, &abouts, &marks, Some(commit), &mut gathering)?;
        }
        let mut reading = gathering.finish(self.name(), typed)?;
        reading.variants = VariantsBy::Structure;
        Ok(reading)
    }
}

/// How much of a commit's hash names it; asv's own files are named so.
const SHORT: usize = 8;

/// The folders of machines in a folder of results.
fn machines(folder: &Path) -> Vec<PathBuf> {
    let mut machines = super::folder::folders(folder).unwrap_or_default();
    machines.retain(|machine| machine.join(MACHINE).is_file());
    machines
}

/// What is known of the benchmarks, in this folder or in the one around it.
fn abouts(folder: &Path) -> Result<Abouts, Error> {
    let around = folder.parent().map(|around| around.join(BENCHMARKS));
    let places = [Some(folder.join(BENCHMARKS)), around];
    let Some(path) = places.into_iter().flatten().find(|path| path.is_file()) else {
        return Ok(Abouts::new());
    };
    let path = path.to_string_lossy();
    let text = read_text(&path)?;
    let all: BTreeMap<String, Value> =
        parse(&File { path: &path, text: &text }, "asv")?;
    // Beside the benchmarks, `version` is a number.
    let about = |value| serde_json::from_value(value).unwrap_or_default();
    Ok(all.into_iter().map(|(name, value)| (name, about(value))).collect())
}

fn commits(folder: &Path) -> Result<Vec<(PathBuf, Results)>, Error> {
    let mut folders = machines(folder);
    if folder.join(MACHINE).is_file() {
        folders.push(folder.to_owned());
    }
    let mut commits = Vec::new();
    for folder in folders {
        for path in files(&folder, "json")? {
            if [BENCHMARKS, MACHINE].contains(&name_of(&path).as_str()) {
                continue;
            }
            let text = path.to_string_lossy();
            let file = File { path: &text, text: &read_text(&text)? };
            let results = parse(&file, "asv")?;
            commits.push((path, results));
        }
    }
    Ok(commits)
}

/// Machine and environment, which stand in the path of a file.
fn place(path: &Path) -> [(&'static str, String); 2] {
    let machine = path.parent().map(name_of).unwrap_or_default();
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let stem = stem.unwrap_or_default();
    let environment = stem.split_once('-').map_or("", |(_, rest)| rest).to_owned();
    [("machine", machine), ("env", environment)]
}

/// Which of machine and environment differ among the files.
fn varying<'a>(paths: impl Iterator<Item = &'a Path>) -> Vec<&'static str> {
    let mut seen: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (what, name) in paths.flat_map(place) {
        seen.entry(what).or_default().insert(name);
    }
    seen.into_iter()
        .filter(|(_, names)| names.len() > 1)
        .map(|(what, _)| what)
        .collect()
}

fn marks(path: &Path, varying: &[&str]) -> Vec<Mark> {
    let place = place(path).into_iter().filter(|(what, _)| varying.contains(what));
    place.map(|(what, name)| Mark::parameter(what, name)).collect()
}

impl Results {
    fn gather(
        &self,
        path: &str,
        abouts: &Abouts,
        marks: &[Mark],
        commit: Option<String>,
        gathering: &mut Gathering,
    ) -> Result<(), Error> {
        for (name, value) in &self.benchmarks {
            let outcome = Outcome::of(value, &self.result_columns);
            let grid = outcome.grid().ok_or_else(|| {
                let count = outcome.values.len();
                Error::new(format!("`{name}` has {count} values, not one a parameter"))
                    .in_file(path)
                    .with_hint("measure again: the file is not whole")
            })?;
            let nothing = About::default();
            let about = abouts.get(name).unwrap_or(&nothing);
            for (at, combination) in grid.iter().enumerate() {
                let mut record = record(name, about);
                let parameters =
                    combination.iter().enumerate().map(|(place, value)| {
                        // As asv calls them itself where nobody named them.
                        let name = about.param_names.get(place).cloned();
                        let name =
                            name.unwrap_or_else(|| format!("param{}", place + 1));
                        Mark::parameter(name, value.trim_matches('\''))
                    });
                let marks = parameters.chain(marks.iter().cloned()).collect();
                record.named_by(Some(name.clone()), marks);
                record.variant.clone_from(&commit);
                outcome.gather(at, record, gathering);
            }
        }
        Ok(())
    }
}

/// By the name of the function, as asv tells the kinds of benchmarks apart.
fn record(name: &str, about: &About) -> Record {
    let function = name.rsplit('.').next().unwrap_or_default().to_lowercase();
    let (metric, unit) = if function.starts_with("time") {
        ("time", Some("s"))
    } else if ["mem", "peakmem"].iter().any(|kind| function.starts_with(kind)) {
        ("memory", Some("B"))
    } else {
        ("value", None)
    };
    // Only what is tracked has a unit of its own; `unit` is asv's word for none.
    let own = about.unit.as_deref().filter(|own| unit.is_none() && *own != "unit");
    named(None, metric, unit.or(own))
}

/// One benchmark: a value for each combination of its parameters.
struct Outcome {
    values: Vec<Option<f64>>,
    parameters: Vec<Vec<String>>,
    samples: Vec<Value>,
    statistics: Vec<Value>,
}

impl Outcome {
    /// From a list under `columns`, from an object, or from the value alone.
    fn of(value: &Value, columns: &[String]) -> Self {
        let field = |name: &str| match value {
            Value::Array(cells) => {
                let at = columns.iter().position(|column| column == name);
                at.and_then(|at| cells.get(at))
            }
            Value::Object(fields) => fields.get(name),
            only => (name == "result").then_some(only),
        };
        let list = |value: Option<&Value>| match value {
            Some(Value::Array(list)) => list.clone(),
            Some(one) => vec![one.clone()],
            None => Vec::new(),
        };
        let parameters = list(field("params"));
        let parameters = parameters
            .iter()
            .map(|values| values.as_array().into_iter().flatten().map(plain).collect());
        Self {
            // A list that failed as a whole is no list.
            values: list(field("result").or(Some(&Value::Null)))
                .iter()
                .map(Value::as_f64)
                .collect(),
            parameters: parameters.collect(),
            samples: list(field("samples")),
            statistics: list(field("stats")),
        }
    }

    /// The combinations of parameters, the last fastest; `None` where there is not one
    /// for each value.
    fn grid(&self) -> Option<Vec<Vec<&str>>> {
        let failed = self.values == [None];
        let sizes = self.parameters.iter().map(Vec::len);
        let product = sizes.into_iter().try_fold(1_usize, usize::checked_mul);
        if product != Some(self.values.len()) {
            return failed.then(|| vec![Vec::new()]);
        }
        let combination = |index: usize| {
            let mut rest = index;
            let mut values: Vec<&str> = Vec::with_capacity(self.parameters.len());
            for parameter in self.parameters.iter().rev() {
                values.push(&parameter[rest % parameter.len()]);
                rest /= parameter.len();
            }
            values.reverse();
            values
        };
        Some((0..self.values.len()).map(combination).collect())
    }

    /// The samples, else their mean and SD, else the one value that was kept.
    fn gather(&self, at: usize, record: Record, gathering: &mut Gathering) {
        let name = record.benchmark.clone().unwrap_or_default();
        let samples = self.samples.get(at).and_then(Value::as_array);
        let samples: Vec<f64> =
            samples.into_iter().flatten().filter_map(Value::as_f64).collect();
        if !samples.is_empty() {
            gathering.extend(record, samples);
            return;
        }
        if let Some(summary) = self.statistics.get(at).and_then(summary) {
            gathering.record(Record { values: Values::Summary(summary), ..record });
            return;
        }
        match self.values[at] {
            Some(value) => {
                if record.metric.as_deref() == Some("time") {
                    let why = "asv kept their median, which is one run: measure with \
                               `asv run --record-samples`";
                    gathering.pass_over("lists of samples", 1, why);
                }
                gathering.run(record, value);
            }
            None => gathering.skip(format!("`{name}`"), "it failed, or was skipped"),
        }
    }
}

/// Mean, SD and number, as version 1 kept them.
fn summary(statistics: &Value) -> Option<Summary> {
    let number = |name| statistics.get(name).and_then(Value::as_f64);
    let n = number("repeat")? as usize;
    Summary::new(n, number("mean")?, number("std")?).ok()
}
