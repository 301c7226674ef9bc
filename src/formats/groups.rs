//! The runs of a table, gathered by variant, benchmark, parameters and metric.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher};

use csv::ByteRecord;

use super::column::{Column, Finest};
use super::delimited::{RowPlace, as_text, cell, is_number};
use super::header::Heading;
use super::plan::Plan;
use crate::data::unit::{direction, direction_of_metric};
use crate::data::{
    BlockIds, Direction, Reading, Record, Runs, Skipped, Values, VariantsBy,
};
use crate::error::Error;

/// The different texts of one column, numbered in order of appearance.
#[derive(Debug, Default)]
struct Names {
    numbers: BTreeMap<Vec<u8>, u32>,
    texts: Vec<String>,
    /// Rows in which the text is not empty.
    filled: usize,
    last: u32,
}

impl Names {
    fn number(&mut self, text: &[u8]) -> u32 {
        self.filled += usize::from(!text.is_empty());
        let last = self.last as usize;
        if self.texts.get(last).is_some_and(|known| known.as_bytes() == text) {
            return self.last;
        }
        self.last = if let Some(number) = self.numbers.get(text) {
            *number
        } else {
            // A file of 2^32 different names does not fit into memory.
            let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
            self.numbers.insert(text.to_vec(), number);
            self.texts.push(as_text(text).to_owned());
            number
        };
        self.last
    }

    fn text(&self, number: u32) -> Option<&str> {
        self.texts
            .get(number as usize)
            .map(String::as_str)
            .filter(|text| !text.is_empty())
    }

    /// Whether each row has its own time of day, commit or hash: that only tells rows
    /// apart. Any other text may be the name of something.
    fn is_identifier(&self, revision: bool) -> bool {
        let mut texts = self.texts.iter().filter(|text| !text.is_empty());
        let different = texts.clone().count();
        different > 1
            && different == self.filled
            && (revision || texts.all(|text| is_time_or_hash(text)))
    }
}

fn is_time_or_hash(text: &str) -> bool {
    let allowed =
        |letter: char| letter.is_ascii_hexdigit() || "-:.+TZ /".contains(letter);
    text.len() >= 7
        && text.chars().all(allowed)
        && text.chars().any(|letter| letter.is_ascii_digit())
}

/// The runs of one column of values in one group.
#[derive(Debug, Clone)]
struct Cell {
    invocations: Vec<Vec<f64>>,
    /// The invocation that each was in the table.
    ids: Vec<u32>,
    /// The block of each run, where blocks are named.
    blocks: Vec<BlockIds>,
    finest: Finest,
}

impl Cell {
    fn new() -> Self {
        Self {
            invocations: Vec::new(),
            ids: Vec::new(),
            blocks: Vec::new(),
            finest: Finest::NONE,
        }
    }

    /// Where the runs of an invocation are, which is new if it has none.
    fn invocation(&mut self, id: u32) -> usize {
        let at = match self.ids.last() {
            Some(last) if *last == id => self.ids.len() - 1,
            _ => {
                self.ids.iter().position(|known| *known == id).unwrap_or(self.ids.len())
            }
        };
        if at == self.ids.len() {
            self.ids.push(id);
            self.invocations.push(Vec::new());
            self.blocks.push(Vec::new());
        }
        at
    }

    fn append(&mut self, other: &Self) {
        for (from, id) in other.ids.iter().enumerate() {
            let at = self.invocation(*id);
            self.invocations[at].extend(&other.invocations[from]);
            self.blocks[at].extend(&other.blocks[from]);
        }
        self.finest = self.finest.and(other.finest);
    }
}

/// What a column of keys is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Variant,
    Benchmark,
    Parameter,
    Metric,
    Unit,
    Better,
}

/// All groups of a table, in order of appearance.
#[derive(Debug)]
pub(super) struct Groups<'a> {
    plan: &'a Plan,
    keys: Vec<(Key, usize)>,
    names: Vec<Names>,
    invocations: Names,
    index: BTreeMap<Vec<u32>, usize>,
    /// Each with its key and a cell for each column of values.
    all: Vec<(Vec<u32>, Vec<Cell>)>,
    key: Vec<u32>,
    invocation_text: Vec<u8>,
    last: usize,
    empty: Vec<usize>,
    rows: u64,
}

impl<'a> Groups<'a> {
    pub(super) fn new(plan: &'a Plan) -> Self {
        let one = |key, column: Option<usize>| column.map(|column| (key, column));
        let many = |key, columns: &[usize]| -> Vec<_> {
            columns.iter().map(|column| (key, *column)).collect()
        };
        let mut keys: Vec<(Key, usize)> = Vec::new();
        keys.extend(one(Key::Variant, plan.variant));
        keys.extend(many(Key::Benchmark, &plan.benchmark));
        keys.extend(many(Key::Parameter, &plan.parameters));
        keys.extend(one(Key::Metric, plan.metric));
        keys.extend(one(Key::Unit, plan.unit));
        keys.extend(one(Key::Better, plan.better));
        Self {
            plan,
            names: keys.iter().map(|_| Names::default()).collect(),
            keys,
            invocations: Names::default(),
            index: BTreeMap::new(),
            all: Vec::new(),
            key: Vec::new(),
            invocation_text: Vec::new(),
            last: 0,
            empty: vec![0; plan.values.len()],
            rows: 0,
        }
    }

    /// Takes one row.
    pub(super) fn add(
        &mut self,
        row: &ByteRecord,
        columns: &mut [Column],
        place: &RowPlace<'_>,
    ) -> Result<(), Error> {
        self.read_key(row, place)?;
        let invocation = self.invocation(row);
        let block = self.block(row);
        let group = self.group();
        for (i, value) in self.plan.values.iter().enumerate() {
            let cell = cell(row, value.column);
            if cell.is_empty() {
                self.empty[i] += 1;
                continue;
            }
            let (run, finest) =
                columns[i].read(as_text(cell)).map_err(|(what, hint)| {
                    let hint = if is_number(cell) || hint.contains("units") {
                        hint
                    } else {
                        "leave the field empty where a run has no value".to_owned()
                    };
                    let name = place.column(value.column);
                    place.error(format!("column `{name}` {what}")).with_hint(hint)
                })?;
            let cell = &mut self.all[group].1[i];
            let at = cell.invocation(invocation);
            cell.invocations[at].push(run);
            cell.blocks[at].extend(block);
            cell.finest = cell.finest.and(finest);
        }
        Ok(())
    }

    /// What the row says of its variant, benchmark and so on.
    fn read_key(
        &mut self,
        row: &ByteRecord,
        place: &RowPlace<'_>,
    ) -> Result<(), Error> {
        self.key.clear();
        for ((key, column), names) in self.keys.iter().zip(&mut self.names) {
            let cell = cell(row, *column);
            match key {
                Key::Variant if cell.is_empty() => {
                    let name = place.column(*column);
                    return Err(place
                        .error(format!("column `{name}` is empty"))
                        .with_hint("name the variant of each run"));
                }
                Key::Better if !cell.is_empty() && better(as_text(cell)).is_none() => {
                    let (name, text) = (place.column(*column), as_text(cell));
                    return Err(place
                        .error(format!("column `{name}` should be `lower` or `higher`, not `{text}`"))
                        .with_hint("say which way is better, or leave it empty"));
                }
                _ => self.key.push(names.number(cell)),
            }
        }
        Ok(())
    }

    /// The block of a row: what its column says, or the row itself where each variant
    /// has a column.
    fn block(&mut self, row: &ByteRecord) -> Option<u64> {
        self.rows += 1;
        match self.plan.block {
            Some(column) => {
                // The hasher's keys are fixed, so that files agree on a name.
                let mut hasher = DefaultHasher::new();
                hasher.write(cell(row, column));
                Some(hasher.finish())
            }
            None if self.plan.wide => Some(self.rows),
            None => None,
        }
    }

    fn invocation(&mut self, row: &ByteRecord) -> u32 {
        match self.plan.invocation.as_slice() {
            [] => 0,
            [one] => self.invocations.number(cell(row, *one)),
            several => {
                self.invocation_text.clear();
                for column in several {
                    self.invocation_text.extend_from_slice(cell(row, *column));
                    self.invocation_text.push(b'\n');
                }
                self.invocations.number(&self.invocation_text)
            }
        }
    }

    fn group(&mut self) -> usize {
        if self.all.get(self.last).is_some_and(|(key, _)| *key == self.key) {
            return self.last;
        }
        self.last = if let Some(known) = self.index.get(&self.key) {
            *known
        } else {
            let cells = vec![Cell::new(); self.plan.values.len()];
            self.index.insert(self.key.clone(), self.all.len());
            self.all.push((self.key.clone(), cells));
            self.all.len() - 1
        };
        self.last
    }

    /// What the table says as a whole.
    pub(super) fn finish(
        mut self,
        format: &'static str,
        path: &str,
        headings: &[Heading],
        columns: &[Column],
    ) -> Reading {
        let identifiers = self.merge_identifiers(headings);
        let skipped = self.skipped(headings, &identifiers);
        let joined = self.joined_parameters();
        let mut reading =
            Reading::new(format, path, self.records(headings, columns, &joined));
        reading.skipped = skipped;
        reading.variants = self.plan.variants.clone();
        let may_name =
            |(key, _): &&(Key, usize)| matches!(key, Key::Benchmark | Key::Parameter);
        reading.other_columns = self
            .keys
            .iter()
            .filter(may_name)
            .map(|(_, column)| headings[*column].name.clone())
            .collect();
        if reading.variants == VariantsBy::Nothing && self.plan.variant.is_some() {
            reading.variants = VariantsBy::Structure;
        }
        reading
    }

    fn skipped(&self, headings: &[Heading], identifiers: &[usize]) -> Vec<Skipped> {
        let mut skipped = Vec::new();
        for (value, &count) in self.plan.values.iter().zip(&self.empty) {
            if count > 0 {
                skipped.push(Skipped {
                    what: format!(
                        "empty cells in column `{}`",
                        headings[value.column].name
                    ),
                    count,
                    why: "no run there".to_owned(),
                    routine: false,
                });
            }
        }
        for column in &self.plan.ignored {
            skipped.push(Skipped {
                what: format!("column `{}`", headings[*column].name),
                count: 1,
                why: "it is not among the values; `--column` takes it instead"
                    .to_owned(),
                routine: true,
            });
        }
        for &key in identifiers {
            skipped.push(Skipped {
                what: format!("column `{}`", headings[self.keys[key].1].name),
                count: 1,
                why: "it only tells rows apart".to_owned(),
                routine: true,
            });
        }
        skipped
    }

    /// Takes out of the keys the parameters that differ in every row, and merges what
    /// only they told apart; each such group holds one row, so order is kept.
    fn merge_identifiers(&mut self, headings: &[Heading]) -> Vec<usize> {
        let identifiers: Vec<usize> = (0..self.keys.len())
            .filter(|&at| {
                let (key, column) = self.keys[at];
                let revision = headings[column].is_revision();
                key == Key::Parameter && self.names[at].is_identifier(revision)
            })
            .collect();
        if identifiers.is_empty() {
            return identifiers;
        }
        let mut index: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
        let mut merged: Vec<(Vec<u32>, Vec<Cell>)> = Vec::new();
        for (mut key, cells) in std::mem::take(&mut self.all) {
            for &at in &identifiers {
                key[at] = u32::MAX;
            }
            if let Some(&known) = index.get(&key) {
                for (to, from) in merged[known].1.iter_mut().zip(&cells) {
                    to.append(from);
                }
            } else {
                index.insert(key.clone(), merged.len());
                merged.push((key, cells));
            }
        }
        self.all = merged;
        identifiers
    }

    /// For each benchmark, the parameters that vary within one variant of it: what they
    /// say is part of its name. One that follows from the others only describes them.
    fn joined_parameters(&self) -> BTreeSet<(Vec<u32>, usize)> {
        let parameters =
            (0..self.keys.len()).filter(|&at| self.keys[at].0 == Key::Parameter);
        let mut joined = BTreeSet::new();
        for parameter in parameters {
            let mut seen: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
            for (key, _) in &self.all {
                let base = self.part(key, |kind| kind != Key::Parameter);
                if *seen.entry(base).or_insert(key[parameter]) != key[parameter] {
                    joined.insert((
                        self.part(key, |kind| kind == Key::Benchmark),
                        parameter,
                    ));
                }
            }
        }
        joined
    }

    /// The part of a key that columns of some kinds make.
    fn part(&self, key: &[u32], wanted: impl Fn(Key) -> bool) -> Vec<u32> {
        let pairs = self.keys.iter().zip(key);
        pairs
            .filter(|((kind, _), _)| wanted(*kind))
            .map(|(_, number)| *number)
            .collect()
    }

    /// Whether blocks say more than the order of the runs does.
    fn has_blocks(&self) -> bool {
        let gaps = self.empty.iter().any(|count| *count > 0);
        self.plan.block.is_some() || (self.plan.wide && gaps)
    }

    fn records(
        &mut self,
        headings: &[Heading],
        columns: &[Column],
        joined: &BTreeSet<(Vec<u32>, usize)>,
    ) -> Vec<Record> {
        let groups = std::mem::take(&mut self.all);
        let has_blocks = self.has_blocks();
        let mut records = Vec::new();
        for (key, cells) in groups {
            for (i, cell) in cells.into_iter().enumerate() {
                if cell.invocations.is_empty() {
                    continue;
                }
                let values = Values::Runs(Runs {
                    invocations: cell.invocations,
                    invocations_named: !self.plan.invocation.is_empty(),
                    resolution: cell.finest.width(),
                    blocks: has_blocks.then_some(cell.blocks),
                });
                let mut record = Record::unnamed(values);
                self.name(&mut record, &key, headings, joined);
                let value = &self.plan.values[i];
                record.variant = record.variant.or_else(|| value.variant.clone());
                record.metric = record.metric.or_else(|| value.metric.clone());
                record.unit = record.unit.or_else(|| columns[i].unit.clone());
                let known = record.unit.as_deref().and_then(direction).is_some();
                if record.direction.is_none() && !known {
                    record.direction =
                        record.metric.as_deref().and_then(direction_of_metric);
                }
                records.push(record);
            }
        }
        records
    }

    /// What the keys of a group say of its record.
    fn name(
        &self,
        record: &mut Record,
        key: &[u32],
        headings: &[Heading],
        joined: &BTreeSet<(Vec<u32>, usize)>,
    ) {
        let mut benchmark: Vec<String> = Vec::new();
        let own = self.part(key, |kind| kind == Key::Benchmark);
        for (at, (kind, column)) in self.keys.iter().enumerate() {
            let Some(text) = self.names[at].text(key[at]) else { continue };
            match kind {
                Key::Variant => record.variant = Some(text.to_owned()),
                Key::Benchmark => benchmark.push(text.to_owned()),
                Key::Parameter if joined.contains(&(own.clone(), at)) => {
                    let number = is_number(text.as_bytes());
                    let name = &headings[*column].name;
                    benchmark.push(if number {
                        format!("{name}={text}")
                    } else {
                        text.to_owned()
                    });
                }
                Key::Parameter => {}
                Key::Metric => record.metric = Some(text.to_owned()),
                Key::Unit => record.unit = Some(text.to_owned()),
                Key::Better => record.direction = better(text),
            }
        }
        record.benchmark = (!benchmark.is_empty()).then(|| benchmark.join("/"));
    }
}

fn better(text: &str) -> Option<Direction> {
    match text.to_lowercase().as_str() {
        "lower" | "less" | "smaller" => Some(Direction::LowerIsBetter),
        "higher" | "more" | "larger" => Some(Direction::HigherIsBetter),
        _ => None,
    }
}
