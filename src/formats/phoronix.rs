//! What the Phoronix Test Suite keeps of a run (`composite.xml`): a variant each system.

use std::collections::BTreeSet;

use super::gathering::{Gathering, named};
use super::printed::expect;
use super::xml::{Element, parse_root, root};
use super::{File, Format, Options};
use crate::data::{Direction, Reading, VariantsBy};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Phoronix;

const ROOT: &str = "PhoronixTestSuite";

impl Format for Phoronix {
    fn name(&self) -> &'static str {
        "phoronix"
    }

    fn description(&self) -> &'static str {
        "`composite.xml` of the Phoronix Test Suite; each system is a variant"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        root(file.text).is_some_and(|name| name == ROOT)
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let suite = parse_root(file, "the Phoronix Test Suite", &[ROOT])?;
        let results: Vec<&Element> = suite.all("Result").collect();
        let mut gathering = Gathering::default();
        for result in &results {
            gather(result, &name(result, &results), file, &mut gathering)?;
        }
        let mut reading = gathering.finish(self.name(), file.path)?;
        reading.variants = VariantsBy::Structure;
        Ok(reading)
    }
}

/// Title and description, and the version of the program where there are several.
fn name(result: &Element, all: &[&Element]) -> String {
    let title = result.text_of("Title");
    let same = all.iter().filter(|other| other.text_of("Title") == title);
    let versions: BTreeSet<_> =
        same.filter_map(|result| result.text_of("AppVersion")).collect();
    let version = result.text_of("AppVersion").filter(|_| versions.len() > 1);
    let parts = [title, version, result.text_of("Description")];
    parts.into_iter().flatten().collect::<Vec<_>>().join("/")
}

fn gather(
    result: &Element,
    name: &str,
    file: &File<'_>,
    gathering: &mut Gathering,
) -> Result<(), Error> {
    let scale = result.text_of("Scale");
    let mut record = named(Some(name), scale.unwrap_or("value"), scale);
    record.direction = match result.text_of("Proportion") {
        Some("HIB") => Some(Direction::HigherIsBetter),
        Some("LIB") => Some(Direction::LowerIsBetter),
        _ => None,
    };
    let graph = result.text_of("DisplayFormat").unwrap_or("BAR_GRAPH");
    let is_number = graph.ends_with("BAR_GRAPH");
    for entry in result.all("Data").flat_map(|data| data.all("Entry")) {
        record.variant = entry.text_of("Identifier").map(str::to_owned);
        // Where there was one run, it is the value and is not written again.
        let kept = ["RawString", "Value"].into_iter();
        let Some(kept) = kept
            .filter_map(|name| entry.child(name))
            .find(|child| !child.text.is_empty())
        else {
            gathering.skip(format!("`{name}`"), "it has no result: the test failed");
            continue;
        };
        if !is_number {
            let why = format!("it is shown as `{graph}`: no number a run");
            gathering.skip(format!("`{name}`"), why);
            continue;
        }
        let runs = kept.text.split(':').filter(|text| !text.trim().is_empty());
        // Each run is an execution of the test.
        let runs = runs.map(|text| Ok(vec![expect(text, "result", file, kept.line)?]));
        let runs = runs.collect::<Result<_, Error>>()?;
        gathering.invocations(record.clone(), runs);
    }
    Ok(())
}
