//! What tachometer writes as JSON: each sample is a run.

use serde::Deserialize;

use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse};
use super::{File, Format, Options};
use crate::data::{Mark, Reading};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Tachometer;

#[derive(Deserialize)]
struct Report {
    benchmarks: Vec<Benchmark>,
}

#[derive(Deserialize)]
struct Benchmark {
    name: String,
    /// Of the library under test; empty where there is one only.
    #[serde(default)]
    version: String,
    measurement: Option<Named>,
    browser: Option<Named>,
    /// In ms.
    samples: Vec<Number>,
}

#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    name: String,
}

impl Format for Tachometer {
    fn name(&self) -> &'static str {
        "tachometer"
    }

    fn description(&self) -> &'static str {
        "JSON of tachometer (`--json-file`); each sample is a run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        Outline::of(file.text).has(&["benchmarks[].name", "benchmarks[].samples"])
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let Report { benchmarks } = parse(file, "tachometer")?;
        let mut gathering = Gathering::default();
        for benchmark in &benchmarks {
            benchmark.gather(&mut gathering);
        }
        gathering.finish(self.name(), file.path)
    }
}

impl Benchmark {
    fn gather(&self, gathering: &mut Gathering) {
        let name = |named: &Option<Named>| {
            named.as_ref().map(|named| named.name.clone()).unwrap_or_default()
        };
        let metric = name(&self.measurement);
        let metric = if metric.is_empty() { "time" } else { &metric };
        let mut record = named(None, metric, Some("ms"));
        let marks = vec![
            Mark::parameter("version", &self.version),
            Mark::parameter("browser", name(&self.browser)),
        ];
        record.named_by(Some(self.name.clone()), marks);
        let lost = self.samples.iter().filter(|sample| sample.0.is_none()).count();
        let what = format!("samples of `{}`", self.name);
        gathering.skip_many(what, lost, "they are not finite numbers");
        gathering.extend(record, self.samples.iter().filter_map(|sample| sample.0));
    }
}
