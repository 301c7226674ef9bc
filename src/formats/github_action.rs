//! The own JSON of github-action-benchmark: each value is one run, its range is left out.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse};
use super::{File, Format, Options};
use crate::data::Reading;
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct GithubAction;

#[derive(Deserialize)]
struct Entry {
    name: String,
    unit: String,
    value: Number,
    range: Option<IgnoredAny>,
}

impl Format for GithubAction {
    fn name(&self) -> &'static str {
        "github-action-benchmark"
    }

    fn description(&self) -> &'static str {
        "JSON of `customSmallerIsBetter` and `customBiggerIsBetter`; each value is one run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        Outline::of(file.text).has(&["[].name", "[].unit", "[].value"])
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let entries: Vec<Entry> = parse(file, "github-action-benchmark")?;
        let mut gathering = Gathering::default();
        for Entry { name, unit, value, range } in &entries {
            match value.0 {
                Some(value) => {
                    gathering.run(named(Some(name), unit, Some(unit)), value);
                }
                None => gathering.skip(format!("`{name}`"), "it has no finite value"),
            }
            if range.is_some() {
                gathering.skip("ranges", "the file does not say what they are");
            }
        }
        gathering.finish(self.name(), file.path)
    }
}
