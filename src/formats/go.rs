//! The text of Go benchmarks: `go test -bench`, and what else writes it, also wrapped by
//! `-json`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::gathering::{Gathering, named};
use super::json::{Outline, parse};
use super::{File, Format, Options};
use crate::data::unit::Unit;
use crate::data::{Direction, Mark, Reading, Record, VariantBy, VariantsBy};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Go;

impl Format for Go {
    fn name(&self) -> &'static str {
        "go"
    }

    fn description(&self) -> &'static str {
        "text of `go test -bench`, also with `-json`; `-count N` gives N runs"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        is_events(file.text)
            || file.text.contains("Benchmark")
                && file.text.lines().any(|l| line(l).is_some())
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let output = Output::of(file)?;
        let log = Log::of(file.path, &output)?;
        let mut gathering = Gathering::default();
        let naming = Naming::of(&log);
        let mut last: BTreeMap<(String, String), usize> = BTreeMap::new();
        for result in &log.results {
            for (value, unit) in &result.values {
                let record = naming.record(result, unit, &log);
                let benchmark = record.benchmark.clone().unwrap_or_default();
                let variant = record.variant.clone().unwrap_or_default();
                let key = (format!("{variant}\n{benchmark}"), (*unit).to_owned());
                let same_process = last.insert(key, result.process);
                let runs = gathering.runs(record);
                match runs.invocations.last_mut() {
                    Some(runs) if same_process == Some(result.process) => {
                        runs.push(*value);
                    }
                    _ => runs.invocations.push(vec![*value]),
                }
                runs.invocations_named = runs.invocations.len() > 1;
            }
        }
        for (what, why) in log.skipped {
            gathering.skip(what, why);
        }
        let mut reading = gathering.finish(self.name(), file.path)?;
        if naming.variant_keys.is_empty() {
            reading.variants = VariantsBy::Nothing;
        } else {
            reading.variants = VariantsBy::Structure;
        }
        Ok(reading)
    }
}

/// An event of `go test -json`.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    #[serde(default)]
    package: String,
    #[serde(default)]
    output: String,
}

fn is_events(text: &str) -> bool {
    let outline = Outline::of(text);
    outline.has(&["Action"]) && (outline.has(&["Output"]) || outline.has(&["Package"]))
}

/// What the tests printed.
///
/// In events, a line may come in several parts, between those of other packages, and
/// under the name of another test (golang/go issues 27764 and 66825): the parts of each
/// package are put together before anything is read.
struct Output<'a> {
    text: Cow<'a, str>,
    /// The line of the file on which each line of the text begins, if they differ.
    places: Option<Vec<usize>>,
}

impl<'a> Output<'a> {
    fn of(file: &File<'a>) -> Result<Self, Error> {
        if !is_events(file.text) {
            return Ok(Self { text: Cow::Borrowed(file.text), places: None });
        }
        let mut packages: Vec<(String, String, Vec<usize>)> = Vec::new();
        for (at, text) in file.text.lines().enumerate() {
            // What the go command itself says stands between the events.
            if !text.starts_with('{') {
                continue;
            }
            let event: Event = parse(&File { path: file.path, text }, "go test -json")
                .map_err(|error| error.at_line(file.path, at + 1))?;
            let known = packages.iter().position(|(name, ..)| *name == event.package);
            let known = known.unwrap_or(packages.len());
            if known == packages.len() {
                packages.push((event.package, String::new(), Vec::new()));
            }
            let (_, text, places) = &mut packages[known];
            for part in event.output.split_inclusive('\n') {
                if text.is_empty() || text.ends_with('\n') {
                    places.push(at + 1);
                }
                text.push_str(part);
            }
        }
        let mut whole = String::new();
        let mut all_places = Vec::new();
        for (_, text, places) in packages {
            whole.push_str(&text);
            if !text.is_empty() && !text.ends_with('\n') {
                whole.push('\n');
            }
            all_places.extend(places);
        }
        Ok(Self { text: Cow::Owned(whole), places: Some(all_places) })
    }

    /// Each line with its place in the file, counted from 1.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let place = |at: usize| match &self.places {
            Some(places) => places.get(at).copied().unwrap_or(1),
            None => at + 1,
        };
        self.text.lines().enumerate().map(move |(at, line)| (place(at), line))
    }
}

/// One line of results, under the configuration before it.
struct Line<'a> {
    /// Without `Benchmark`.
    name: &'a str,
    values: Vec<(f64, &'a str)>,
    config: BTreeMap<&'a str, &'a str>,
    /// Counts the processes, each of which begins with its configuration.
    process: usize,
}

/// What a file says line by line.
#[derive(Default)]
struct Log<'a> {
    results: Vec<Line<'a>>,
    directions: BTreeMap<&'a str, Direction>,
    skipped: Vec<(String, &'static str)>,
}

impl<'a> Log<'a> {
    fn of(path: &str, output: &'a Output<'_>) -> Result<Self, Error> {
        let mut log = Self::default();
        let mut config = BTreeMap::new();
        let mut process = 0;
        let mut under_way = false;
        for (at, text) in output.lines() {
            let text = text.trim_end();
            if let Some((name, values)) = line(text) {
                let values = numbers(&values, path, at)?;
                let config = config.clone();
                log.results.push(Line { name, values, config, process });
                under_way = true;
            } else if let Some((key, value)) = configuration(text) {
                // Every process begins by saying where it runs.
                let begins = matches!(key, "goos" | "goarch" | "pkg");
                process += usize::from(under_way && begins);
                under_way &= !begins;
                config.insert(key, value);
            } else if let Some(words) = text.strip_prefix("Unit ") {
                log.unit(words);
            } else if ["PASS", "FAIL", "ok "].iter().any(|end| text.starts_with(end)) {
                process += usize::from(under_way);
                under_way = false;
            }
            log.note_failure(text);
        }
        Ok(log)
    }

    /// `Unit NAME better=higher assume=exact`.
    fn unit(&mut self, words: &'a str) {
        let mut words = words.split_whitespace();
        let Some(unit) = words.next() else { return };
        for word in words {
            let direction = match word {
                "better=higher" => Direction::HigherIsBetter,
                "better=lower" => Direction::LowerIsBetter,
                "assume=exact" => {
                    let why = "its values are compared like measurements: where they \
                               repeat exactly, that is seen";
                    self.skipped.push((format!("`{word}` of `{unit}`"), why));
                    continue;
                }
                _ => continue,
            };
            self.directions.insert(unit, direction);
        }
    }

    /// A benchmark that did not end has no result, and is not to be missed in silence.
    fn note_failure(&mut self, text: &str) {
        if let Some(name) = text.trim_start().strip_prefix("--- FAIL: Benchmark") {
            let name = name.split_whitespace().next().unwrap_or_default();
            self.skipped.push((format!("`{name}`"), "it failed"));
        } else if text.starts_with("panic: ") {
            let why = "what came after it was not measured";
            self.skipped.push((format!("`{text}`"), why));
        }
    }
}

/// `BenchmarkName-8  100  12.5 ns/op  3 B/op`: the name, then values with their units.
fn line(text: &str) -> Option<(&str, Vec<(&str, &str)>)> {
    let mut words = text.strip_prefix("Benchmark")?.split_whitespace();
    let name = words.next()?;
    if text["Benchmark".len()..].starts_with(char::is_whitespace) {
        return None;
    }
    words.next()?.parse::<u64>().ok()?;
    let mut values = Vec::new();
    while let Some(value) = words.next() {
        // A line that was cut off ends without the last unit.
        let Some(unit) = words.next() else { break };
        value.parse::<f64>().ok()?;
        values.push((value, unit));
    }
    (!values.is_empty()).then_some((name, values))
}

fn numbers<'a>(
    values: &[(&str, &'a str)],
    path: &str,
    line: usize,
) -> Result<Vec<(f64, &'a str)>, Error> {
    let number = |(value, unit): &(&str, &'a str)| {
        let parsed = value.parse::<f64>().ok().filter(|value| value.is_finite());
        parsed.map(|parsed| (parsed, *unit)).ok_or_else(|| {
            Error::new(format!("`{value} {unit}` should be a finite number"))
                .at_line(path, line)
                .with_hint("take the line out: the benchmark reported no usable value")
        })
    };
    values.iter().map(number).collect()
}

/// `key: value`, where the key begins with a lower-case letter and has no blank.
fn configuration(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once(':')?;
    let lower = key.chars().next()?.is_lowercase();
    let word = !key.chars().any(|c| c.is_whitespace() || c.is_uppercase());
    let apart = value.is_empty() || value.starts_with([' ', '\t']);
    // What a program that dies says looks the same.
    let noise = matches!(key, "panic" | "fatal" | "exit");
    (lower && word && apart && !noise).then(|| (key, value.trim()))
}

/// How the parts of a file that differ become names.
struct Naming<'a> {
    /// `-8` at the end of every name.
    processors: Option<&'a str>,
    packages: bool,
    /// Keys of the configuration, other than the package, that change within the file.
    variant_keys: Vec<&'a str>,
    /// Keys that all lines are measured under the same value of.
    constant_keys: Vec<&'a str>,
}

impl<'a> Naming<'a> {
    fn of(log: &Log<'a>) -> Self {
        let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for result in &log.results {
            for (key, value) in &result.config {
                values.entry(key).or_default().insert(value);
            }
        }
        let in_all = |key: &str| log.results.iter().all(|r| r.config.contains_key(key));
        let varies = |key: &str| {
            values.get(key).is_some_and(|values| values.len() > 1)
                // What began to be said in the middle tells nothing apart.
                && in_all(key)
        };
        let when = ["pkg", "date", "time", "timestamp", "runstamp"];
        let variant_keys =
            values.keys().copied().filter(|key| varies(key) && !when.contains(key));
        let constant = |key: &&str| in_all(key) && !varies(key) && !when.contains(key);
        Self {
            processors: processors(&log.results),
            packages: varies("pkg"),
            variant_keys: variant_keys.collect(),
            constant_keys: values.keys().copied().filter(constant).collect(),
        }
    }

    fn record(&self, result: &Line<'a>, unit: &str, log: &Log<'_>) -> Record {
        let name = self
            .processors
            .and_then(|suffix| result.name.strip_suffix(suffix))
            .unwrap_or(result.name);
        let name = match result.config.get("pkg") {
            Some(package) if self.packages => format!("{package}.{name}"),
            _ => name.to_owned(),
        };
        let mut record = named(Some(&name), unit, Some(known_unit(unit)));
        let built_in = (unit == "allocs/op").then_some(Direction::LowerIsBetter);
        record.direction = log.directions.get(unit).copied().or(built_in);
        let values = self.variant_keys.iter().filter_map(|key| result.config.get(key));
        let variant = values.copied().collect::<Vec<_>>().join(" ");
        record.variant = (!self.variant_keys.is_empty()).then_some(variant);
        let (stem, parameters) = parameters(&name);
        record.stem = Some(stem);
        record.marks = parameters;
        let lines = [(&self.variant_keys, true), (&self.constant_keys, false)];
        for (key, in_name) in lines
            .into_iter()
            .flat_map(|(keys, varies)| keys.iter().map(move |k| (k, varies)))
        {
            let value = result.config.get(key).copied().unwrap_or_default().to_owned();
            let by = VariantBy::Configuration((*key).to_owned());
            record.marks.push(Mark { by, value, in_name });
        }
        record
    }
}

/// `Sort/size=10/quick`: the name without its parameters, and these.
fn parameters(name: &str) -> (String, Vec<Mark>) {
    let (pairs, words): (Vec<&str>, Vec<&str>) =
        name.split('/').partition(|part| part.split_once('=').is_some());
    let marks = pairs.iter().filter_map(|part| part.split_once('='));
    let marks = marks.map(|(key, value)| Mark::parameter(key, value));
    (words.join("/"), marks.collect())
}

/// The suffix `-N` that all names have in common. On one processor Go writes none, so
/// that names which end in a number of their own differ from those around them.
fn processors<'a>(results: &[Line<'a>]) -> Option<&'a str> {
    let suffix = |name: &'a str| {
        let (stem, number) = name.rsplit_once('-')?;
        let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        (digits && !stem.is_empty()).then(|| &name[stem.len()..])
    };
    let mut suffixes = results.iter().map(|result| suffix(result.name));
    let first = suffixes.next()??;
    suffixes.all(|suffix| suffix == Some(first)).then_some(first)
}

/// The unit in `ns/op` or at the end of `build-real-ns/op`; else the whole.
fn known_unit(text: &str) -> &str {
    let known = |text: &&str| Unit::parse(text).is_some();
    let end = text.rsplit_once('-').map(|(_, end)| end).filter(known);
    end.filter(|_| !known(&text)).unwrap_or(text)
}
