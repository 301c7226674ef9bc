//! What LLVM's lit writes for the test suite: each file is one run of every test.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::gathering::{Gathering, named};
use super::json::{Outline, parse};
use super::{File, Format, Options};
use crate::data::Reading;
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Lit;

#[derive(Deserialize)]
struct Report {
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Test {
    name: String,
    #[serde(default)]
    code: String,
    #[serde(default)]
    metrics: Map<String, Value>,
}

impl Format for Lit {
    fn name(&self) -> &'static str {
        "lit"
    }

    fn description(&self) -> &'static str {
        "JSON of LLVM's lit (`lit -o FILE`, the test suite); each file is one run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let outline = Outline::of(file.text);
        outline.has(&["tests[].name", "tests[].code"])
            || outline.has(&["tests[].name", "tests[].metrics"])
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let Report { tests } = parse(file, "lit")?;
        let mut gathering = Gathering::default();
        for Test { name, code, metrics } in &tests {
            if !matches!(code.as_str(), "PASS" | "") {
                gathering.skip(format!("`{name}`"), format!("it did not pass: {code}"));
                continue;
            }
            if metrics.is_empty() {
                gathering.skip("tests without metrics", "nothing was measured");
            }
            // Others than numbers are no measurements: the hash of the program.
            let values = metrics.iter().filter_map(|(key, v)| Some((key, v.as_f64()?)));
            for (metric, value) in values {
                gathering.run(named(Some(name), metric, unit(metric)), value);
            }
        }
        gathering.finish(self.name(), file.path)
    }
}

/// `exec_time`, and `size` or `size..text`.
fn unit(metric: &str) -> Option<&'static str> {
    if metric.ends_with("_time") {
        Some("s")
    } else if metric == "size" || metric.starts_with("size.") {
        Some("B")
    } else {
        None
    }
}
