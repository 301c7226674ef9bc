//! Values under their names, in the order of a file, with what was passed over.

use std::collections::BTreeMap;

use crate::data::{Reading, Record, Runs, Skipped, Values, finest_resolution};
use crate::error::Error;

/// What values are of; each differs in one of these.
type Key = (Option<String>, Option<String>, Option<String>, Option<String>);

/// What a file says, as it is read.
#[derive(Debug, Default)]
pub(super) struct Gathering {
    /// Each with the runs that replace its values, if there are any.
    records: Vec<(Record, Runs)>,
    places: BTreeMap<Key, usize>,
    skipped: Vec<Skipped>,
}

/// Runs that are still to come, of a resolution that is still to be found.
fn no_runs() -> Runs {
    Runs {
        invocations: Vec::new(),
        invocations_named: false,
        resolution: f64::INFINITY,
        blocks: None,
    }
}

/// A record of runs that are still to come.
pub(super) fn named(
    benchmark: Option<&str>,
    metric: &str,
    unit: Option<&str>,
) -> Record {
    let mut record = Record::unnamed(Values::Runs(no_runs()));
    record.benchmark = benchmark.map(str::to_owned);
    record.metric = Some(metric.to_owned());
    record.unit = unit.map(str::to_owned);
    record
}

impl Gathering {
    /// Adds one run to the last invocation of its name.
    pub(super) fn run(&mut self, name: Record, value: f64) {
        self.extend(name, [value]);
    }

    /// Adds runs to the last invocation of their name.
    pub(super) fn extend(
        &mut self,
        name: Record,
        values: impl IntoIterator<Item = f64>,
    ) {
        let runs = self.runs(name);
        match runs.invocations.last_mut() {
            Some(last) => last.extend(values),
            None => runs.invocations.push(values.into_iter().collect()),
        }
    }

    /// Adds one run to the last invocation of its name, with the block it belongs to.
    pub(super) fn run_in_block(&mut self, name: Record, value: f64, block: u64) {
        let runs = self.runs(name);
        let blocks = runs.blocks.get_or_insert_default();
        if let (Some(last), Some(blocks)) =
            (runs.invocations.last_mut(), blocks.last_mut())
        {
            last.push(value);
            blocks.push(block);
        } else {
            runs.invocations.push(vec![value]);
            blocks.push(vec![block]);
        }
    }

    /// Adds invocations to those of the same name.
    pub(super) fn invocations(&mut self, name: Record, invocations: Vec<Vec<f64>>) {
        let runs = self.runs(name);
        runs.invocations.extend(invocations);
        runs.invocations_named = true;
    }

    /// The runs of that name: those before, or none yet.
    pub(super) fn runs(&mut self, name: Record) -> &mut Runs {
        let key = (
            name.variant.clone(),
            name.benchmark.clone(),
            name.metric.clone(),
            name.unit.clone(),
        );
        let at = *self.places.entry(key).or_insert(self.records.len());
        if at == self.records.len() {
            self.records.push((name, no_runs()));
        }
        &mut self.records[at].1
    }

    /// Adds what is complete, such as a summary.
    pub(super) fn record(&mut self, record: Record) {
        self.records.push((record, no_runs()));
    }

    /// Counts what is no measurement that is missed.
    pub(super) fn pass_over(
        &mut self,
        what: impl Into<String>,
        count: usize,
        why: impl Into<String>,
    ) {
        if count > 0 {
            let (what, why) = (what.into(), why.into());
            self.count(Skipped { what, count, why, routine: true });
        }
    }

    /// Counts one thing that was passed over.
    pub(super) fn skip(&mut self, what: impl Into<String>, why: impl Into<String>) {
        self.skip_many(what, 1, why);
    }

    /// Counts several things that were passed over.
    pub(super) fn skip_many(
        &mut self,
        what: impl Into<String>,
        count: usize,
        why: impl Into<String>,
    ) {
        if count > 0 {
            let (what, why) = (what.into(), why.into());
            self.count(Skipped { what, count, why, routine: false });
        }
    }

    fn count(&mut self, one: Skipped) {
        let same =
            |known: &&mut Skipped| known.what == one.what && known.why == one.why;
        match self.skipped.iter_mut().find(same) {
            Some(known) => known.count += one.count,
            None => self.skipped.push(one),
        }
    }

    /// All of it, or why there is nothing.
    pub(super) fn finish(
        self,
        format: &'static str,
        path: &str,
    ) -> Result<Reading, Error> {
        let mut records = Vec::with_capacity(self.records.len());
        for (record, mut runs) in self.records {
            if !runs.is_empty() {
                runs.invocations.retain(|runs| !runs.is_empty());
                settle_resolution(&mut runs);
                records.push(Record { values: Values::Runs(runs), ..record });
            } else if !matches!(record.values, Values::Runs(_)) {
                records.push(record);
            }
        }
        if records.is_empty() {
            return Err(nothing(&self.skipped).in_file(path));
        }
        let mut reading = Reading::new(format, path, records);
        reading.skipped = self.skipped;
        Ok(reading)
    }
}

fn settle_resolution(runs: &mut Runs) {
    if runs.resolution.is_infinite() {
        runs.resolution = finest_resolution(runs.invocations.iter().flatten().copied());
    }
}

fn nothing(skipped: &[Skipped]) -> Error {
    let Some(first) = skipped.first() else {
        return Error::new("there are no runs in it")
            .with_hint("measure first, and give the file that the tool wrote");
    };
    let more = match skipped.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let Skipped { what, count, why, .. } = first;
    Error::new(format!("no run in it can be used: {count} × {what}: {why}{more}"))
        .with_hint("measure again, with each run kept")
}
