//! What Catch2 writes as XML: mean and SD of each benchmark, without its samples.

use super::gathering::{Gathering, named};
use super::printed::expect;
use super::xml::{Element, parse_root, root};
use super::{File, Format, Options};
use crate::data::{Reading, Record, Summary, Values};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Catch2;

/// The outermost element, since version 3 and before.
const ROOTS: [&str; 2] = ["Catch2TestRun", "Catch"];

impl Format for Catch2 {
    fn name(&self) -> &'static str {
        "catch2"
    }

    fn description(&self) -> &'static str {
        "XML of Catch2's benchmarks (`--reporter xml`): mean and SD of each"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        root(file.text).is_some_and(|name| ROOTS.contains(&name.as_str()))
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let run = parse_root(file, "Catch2", &ROOTS)?;
        let mut gathering = Gathering::default();
        gather(&run, "", file, &mut gathering)?;
        gathering.finish(self.name(), file.path)
    }
}

/// The benchmarks of a test, and of the sections in it.
fn gather(
    test: &Element,
    path: &str,
    file: &File<'_>,
    gathering: &mut Gathering,
) -> Result<(), Error> {
    for child in &test.children {
        let name = child.attribute("name").unwrap_or_default();
        let name = if path.is_empty() { name.into() } else { format!("{path}/{name}") };
        match child.name.as_str() {
            "BenchmarkResults" => benchmark(child, &name, file, gathering)?,
            "TestCase" | "Section" => gather(child, &name, file, gathering)?,
            // That of version 2, named after the program.
            "Group" => gather(child, path, file, gathering)?,
            _ => {}
        }
    }
    Ok(())
}

fn benchmark(
    results: &Element,
    name: &str,
    file: &File<'_>,
    gathering: &mut Gathering,
) -> Result<(), Error> {
    if let Some(failed) = results.child("failed") {
        let why = failed.attribute("message").unwrap_or("it does not say why");
        gathering.skip(format!("`{name}`"), format!("it failed: {why}"));
        return Ok(());
    }
    let number = |element: Option<&Element>, attribute, what| {
        let text = element.and_then(|element| element.attribute(attribute));
        let line = element.unwrap_or(results).line;
        expect(text.unwrap_or_default(), what, file, line)
    };
    let samples = number(Some(results), "samples", "number of samples")?;
    let mean = number(results.child("mean"), "value", "mean")?;
    let sd = number(results.child("standardDeviation"), "value", "SD")?;
    // Catch2 divides by n (`standard_deviation` in its catch_stats.cpp).
    let sd = sd * (samples / (samples - 1.0)).sqrt();
    match Summary::new(samples as usize, mean, sd) {
        Ok(summary) => {
            let values = Values::Summary(summary);
            let record = named(Some(name), "time", Some("ns"));
            gathering.record(Record { values, ..record });
        }
        Err(error) => gathering.skip(format!("the summary of `{name}`"), error.what()),
    }
    Ok(())
}
