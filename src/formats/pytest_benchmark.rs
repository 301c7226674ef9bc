//! What pytest-benchmark writes as JSON, with all rounds or without.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse, plain};
use super::{File, Format, Options};
use crate::data::{Mark, Reading, Record, Summary, Values};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct PytestBenchmark;

#[derive(Deserialize)]
struct Report {
    benchmarks: Vec<Benchmark>,
}

#[derive(Deserialize)]
struct Benchmark {
    name: String,
    fullname: Option<String>,
    params: Option<Map<String, Value>>,
    stats: Stats,
}

#[derive(Deserialize)]
struct Stats {
    /// Seconds, already divided by the iterations of a round.
    data: Option<Vec<Number>>,
    #[serde(default)]
    mean: Number,
    #[serde(default)]
    stddev: Number,
    #[serde(default)]
    rounds: Number,
}

impl Format for PytestBenchmark {
    fn name(&self) -> &'static str {
        "pytest-benchmark"
    }

    fn description(&self) -> &'static str {
        "JSON of pytest-benchmark (`--benchmark-json`, or saved with its data)"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        Outline::of(file.text).has(&["benchmarks[].stats", "benchmarks[].name"])
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let Report { benchmarks } = parse(file, "pytest-benchmark")?;
        let mut gathering = Gathering::default();
        for benchmark in &benchmarks {
            benchmark.gather(&mut gathering);
        }
        gathering.finish(self.name(), file.path)
    }
}

impl Benchmark {
    fn gather(&self, gathering: &mut Gathering) {
        let name = self.fullname.as_ref().unwrap_or(&self.name);
        let mut record = named(Some(name), "time", Some("s"));
        // `test_parse[10]`: the parameters stand in brackets.
        record.stem = name.split('[').next().map(str::to_owned);
        let params = self.params.iter().flatten();
        record.marks =
            params.map(|(key, value)| Mark::parameter(key, plain(value))).collect();
        let data = self.stats.data.as_deref().unwrap_or_default();
        let whole = |rounds: f64| rounds == data.len() as f64;
        if !data.is_empty() && self.stats.rounds.0.is_none_or(whole) {
            let lost = data.iter().filter(|round| round.0.is_none()).count();
            let what = format!("rounds of `{name}`");
            gathering.skip_many(what, lost, "the time is not a finite number");
            gathering.extend(record, data.iter().filter_map(|round| round.0));
            return;
        }
        // A part of the rounds, chosen by whoever cut the list, is no sample of them.
        let why = "the list is not whole: mean, SD and number of all rounds are used";
        gathering.skip_many(format!("rounds of `{name}`"), data.len(), why);
        match self.stats.summary() {
            Ok(summary) => {
                let values = Values::Summary(summary);
                gathering.record(Record { values, ..record });
            }
            Err(why) => gathering.skip(format!("the summary of `{name}`"), why),
        }
    }
}

impl Stats {
    fn summary(&self) -> Result<Summary, String> {
        let (Some(mean), Some(sd), Some(n)) =
            (self.mean.0, self.stddev.0, self.rounds.0)
        else {
            return Err("neither rounds nor their mean, SD and number are kept".into());
        };
        Summary::new(n as usize, mean, sd).map_err(|error| error.what().to_owned())
    }
}
