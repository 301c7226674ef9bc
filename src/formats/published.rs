//! Results as people write them in mail: `MEAN ± SPREAD UNIT (N runs)`, a variant a line.

use super::number::{Convention, parse};
use super::printed::head;
use super::{File, Format, Options};
use crate::data::unit::Unit;
use crate::data::{Published, Reading, Record, Values, VariantsBy};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Mail;

impl Format for Mail {
    fn name(&self) -> &'static str {
        "published"
    }

    fn description(&self) -> &'static str {
        "lines such as `old: 152.4 ± 0.8 MB/s (10 runs)`; `--summary-spread` says what \
         `±` is"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        head(file.text).any(|text| line(text).is_some())
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let records: Vec<Record> = file.text.lines().filter_map(line).collect();
        if records.is_empty() {
            return Err(Error::new("no line of it is a published result")
                .in_file(file.path)
                .with_hint("write lines such as `old: 152.4 ± 0.8 MB/s (10 runs)`"));
        }
        let mut reading = Reading::new(self.name(), file.path, records);
        if reading.records.iter().any(|record| record.variant.is_some()) {
            reading.variants = VariantsBy::Structure;
        }
        Ok(reading)
    }
}

/// One result; `None` for a line that is none.
fn line(text: &str) -> Option<Record> {
    let (left, right) =
        ["±", "+/-", "+-"].iter().find_map(|sign| text.split_once(sign))?;
    let left: Vec<&str> = left.split_whitespace().collect();
    let (label, mean, unit_before) = match left.as_slice() {
        [label @ .., mean] if number(mean).is_some() => (label, *mean, None),
        [label @ .., mean, unit] if is_unit(unit) => (label, *mean, Some(*unit)),
        _ => return None,
    };
    let (mean, glued) = number(mean)?;
    let mut words = right.split_whitespace();
    let (spread, _) = number(words.next()?)?;
    let unit_after = words.next().filter(|word| is_unit(word));
    let values =
        Values::Published(Published { n: count(right)?, mean, spread: spread.abs() });
    let mut record = Record::unnamed(values);
    let label = label.join(" ");
    let label = label.trim_end_matches([':', '=', '|', ' ']);
    record.variant = (!label.is_empty()).then(|| label.to_owned());
    record.unit = unit_before.or(glued).or(unit_after).map(str::to_owned);
    Some(record)
}

fn number(text: &str) -> Option<(f64, Option<&str>)> {
    let printed = parse(text, Convention::Point).ok()?;
    Some((printed.value, printed.unit))
}

fn is_unit(word: &str) -> bool {
    Unit::parse(word).is_some()
}

/// `(10 runs)` or `n = 10`.
fn count(text: &str) -> Option<usize> {
    let words: Vec<&str> = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.windows(2).find_map(|pair| match pair {
        [count, "runs" | "run"] | ["n" | "N", count] => count.parse().ok(),
        _ => None,
    })
}
