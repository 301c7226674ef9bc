//! What load generators report in common: one test is one run, unless its requests failed.

use super::File;
use super::gathering::{Gathering, named};
use crate::error::Error;

/// One test, as far as its report goes.
#[derive(Debug, Default)]
pub(super) struct LoadTest {
    /// The load, as far as it is told apart.
    pub(super) benchmark: Option<String>,
    pub(super) requests: Option<f64>,
    /// Requests that were answered by an error, with what they are called.
    pub(super) failed: Vec<(&'static str, f64)>,
    /// What never became an answer.
    pub(super) lost: Vec<(&'static str, f64)>,
    /// Requests a second.
    pub(super) throughput: Option<f64>,
    /// By name, in seconds.
    pub(super) latencies: Vec<(String, f64)>,
}

impl LoadTest {
    /// Adds a latency at a percentile, such as `99` or `99.000`, of those worth a metric:
    /// the outermost rest on a request or two.
    pub(super) fn percentile(&mut self, percent: &str, seconds: f64) {
        if let Some(percent) = kept_percentile(percent) {
            self.latencies.push((format!("p{percent} latency"), seconds));
        }
    }

    /// Adds the run, or what is wrong with it.
    pub(super) fn gather(self, gathering: &mut Gathering) {
        let failed: f64 = self.failed.iter().map(|(_, count)| count).sum();
        if self.requests.is_some_and(|requests| failed >= requests) {
            let name =
                self.benchmark.map_or(String::new(), |name| format!(" `{name}`"));
            let why = if failed > 0.0 {
                format!("all of its {failed} requests failed: errors are no work done")
            } else {
                "no request was answered".to_owned()
            };
            gathering.skip(format!("test{name}"), why);
            return;
        }
        name_failures(&self.failed, "they count in throughput and latency", gathering);
        name_failures(&self.lost, "they had no answer, and no latency", gathering);
        let benchmark = self.benchmark.as_deref();
        if let Some(throughput) = self.throughput {
            let record = named(benchmark, "throughput", Some("requests/s"));
            gathering.run(record, throughput);
        }
        for (name, seconds) in &self.latencies {
            gathering.run(named(benchmark, name, Some("s")), *seconds);
        }
    }
}

/// The percentile that `99%` or `99.000000` names, where it is worth a metric.
pub(super) fn kept_percentile(percent: &str) -> Option<f64> {
    const KEPT: [f64; 4] = [50.0, 90.0, 95.0, 99.0];
    let value = percent.trim_end_matches('%').parse::<f64>().ok();
    KEPT.into_iter().find(|kept| value == Some(*kept))
}

fn name_failures(counts: &[(&'static str, f64)], why: &str, gathering: &mut Gathering) {
    for (what, count) in counts {
        // A count beyond all others is one that cannot be held.
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "saturates, and counts are whole and not negative"
        )]
        gathering.skip_many(*what, *count as usize, why);
    }
}

/// The report of a test that does not say how much was done.
pub(super) fn unfinished(tool: &str, file: &File<'_>) -> Error {
    Error::new(format!("a report of {tool} in it has no throughput: it was cut off"))
        .at_line(file.path, file.text.lines().count().max(1))
        .with_hint("give the output to its end; nothing of a cut file is read")
}
