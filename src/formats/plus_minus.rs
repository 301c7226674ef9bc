//! Lines as people write them into mails: `new: 12.3 ± 0.4 ms (10 runs)`.
//!
//! Such a spread may be the SD of single runs or the error of their mean; it is taken as
//! the SD, which a warning says. Only hyperfine, whose output is often pasted, says which:
//! `mean ± σ`.

use super::number::{Convention, Printed, parse};
use super::{File, Format, Options};
use crate::data::unit::Unit;
use crate::data::{Reading, Record, Skipped, Summary, Values, VariantsBy};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct PlusMinus;

impl Format for PlusMinus {
    fn name(&self) -> &'static str {
        "plus-minus"
    }

    fn description(&self) -> &'static str {
        "lines such as `new: 12.3 ± 0.4 ms (10 runs)`, or what hyperfine prints"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let mut pasted = Pasted::default();
        file.text.lines().filter_map(|line| pasted.line(line)).any(|s| s.runs.is_some())
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let mut pasted = Pasted::default();
        let mut records = Vec::new();
        let mut skipped: Vec<Skipped> = Vec::new();
        for (at, line) in file.text.lines().enumerate() {
            let Some(stated) = pasted.line(line) else { continue };
            match stated.runs {
                Some(_) => records.push(stated.record(file, at + 1)?),
                None => skipped.push(Skipped {
                    what: format!("`{}`", line.trim()),
                    count: 1,
                    why: "the number of runs is not said: write it as `(10 runs)`"
                        .into(),
                }),
            }
        }
        if records.is_empty() {
            return Err(Error::new(
                "no line of it says mean, spread and number of runs",
            )
            .in_file(file.path)
            .with_hint("write lines such as `new: 12.3 ± 0.4 ms (10 runs)`"));
        }
        let mut reading = Reading::new(self.name(), file.path, records);
        reading.skipped = skipped;
        reading.variants = VariantsBy::Structure;
        Ok(reading)
    }
}

/// What one line, or three of hyperfine's, states.
#[derive(Clone)]
struct Stated {
    label: String,
    mean: f64,
    spread: f64,
    unit: Option<String>,
    runs: Option<usize>,
    metric: Option<&'static str>,
}

impl Stated {
    fn record(self, file: &File<'_>, line: usize) -> Result<Record, Error> {
        let n = self.runs.unwrap_or(0);
        let summary = Summary::new(n, self.mean, self.spread)
            .map_err(|error| error.at_line(file.path, line))?;
        let mut record = Record::unnamed(Values::Summary(summary));
        record.variant = Some(self.label).filter(|label| !label.is_empty());
        record.metric = self.metric.map(str::to_owned);
        record.unit = self.unit;
        Ok(record)
    }
}

/// Lines as they come: hyperfine says the command before and the number of runs after.
#[derive(Default)]
struct Pasted {
    command: Option<String>,
    time: Option<Stated>,
}

impl Pasted {
    fn line(&mut self, line: &str) -> Option<Stated> {
        let line = line.trim_start_matches('>').trim();
        if let Some((_, command)) =
            line.strip_prefix("Benchmark ").and_then(|rest| rest.split_once(": "))
        {
            self.command = Some(command.to_owned());
            return None;
        }
        if line.starts_with("Range (min") {
            let mut time = self.time.take()?;
            time.runs = runs(line);
            return Some(time);
        }
        let stated = stated(line)?;
        if line.starts_with("Time (mean") {
            let label = self.command.take().unwrap_or_default();
            self.time = Some(Stated { label, metric: Some("time"), ..stated });
            return None;
        }
        Some(stated)
    }
}

fn stated(line: &str) -> Option<Stated> {
    // What hyperfine says of its columns is no figure.
    let line = line.strip_prefix("Time (mean ± σ):").unwrap_or(line);
    let signs = ["±", "+/-", "+-"];
    let (left, right) = signs.iter().find_map(|sign| line.split_once(sign))?;
    let (label, mean, first_unit) = last_number(left)?;
    let (spread, second_unit) = first_number(right)?;
    let percent = spread.unit == Some("%");
    let spread =
        if percent { spread.value / 100.0 * mean.value.abs() } else { spread.value };
    let unit = mean.unit.or(first_unit).or(second_unit.filter(|_| !percent));
    Some(Stated {
        label: label
            .trim_matches(|c: char| c.is_whitespace() || ":=|*-".contains(c))
            .into(),
        mean: mean.value,
        spread,
        unit: unit.map(str::to_owned),
        runs: runs(right),
        metric: None,
    })
}

fn printed(text: &str) -> Option<Printed<'_>> {
    parse(text, Convention::Point).ok()
}

fn is_unit(text: &str) -> bool {
    Unit::parse(text).is_some()
}

/// `new kernel: 12.3 ms`: what is before the number, it, and the unit behind it.
fn last_number(text: &str) -> Option<(&str, Printed<'_>, Option<&str>)> {
    let text = text.trim_end();
    let blank = text.char_indices().rev().find(|(_, letter)| letter.is_whitespace());
    let start = blank.map_or(0, |(at, blank)| at + blank.len_utf8());
    let (before, word) = text.split_at(start);
    if is_unit(word) && printed(word).is_none() {
        let (before, number, _) = last_number(before).filter(|_| !before.is_empty())?;
        return Some((before, number, Some(word)));
    }
    let word = word.trim_start_matches('(');
    Some((before, printed(word)?, None))
}

/// `0.4 ms (10 runs)`: the number, and the unit behind it.
fn first_number(text: &str) -> Option<(Printed<'_>, Option<&str>)> {
    let mut words =
        text.split_whitespace().map(|word| word.trim_end_matches([')', ',', ';']));
    let number = printed(words.next()?)?;
    let unit =
        number.unit.or(words.next().filter(|word| is_unit(word) || *word == "%"));
    Some((Printed { unit, ..number }, unit))
}

/// `(10 runs)`, `n=10`, `n = 10`.
fn runs(text: &str) -> Option<usize> {
    let spaced = text.replace(['(', ')', '[', ']', ',', '='], " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.windows(2).find_map(|pair| match pair {
        ["n" | "N", count] => count.parse().ok(),
        [count, what] => {
            let what = what.trim_end_matches('s');
            let known = ["run", "sample", "repetition", "rep", "iteration"];
            known.contains(&what).then(|| count.parse().ok()).flatten()
        }
        _ => None,
    })
}
