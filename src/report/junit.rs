//! An analysis as `JUnit` XML, which every CI server shows: a test case a comparison.

use std::fmt::Write;

use super::words;
use crate::analysis::{Analysis, Comparison, Settings, Verdict};
use crate::data::DirectionSource;
use crate::display::xml::escaped;

/// What a comparison is as a test.
enum Outcome {
    Passed,
    /// Slower by more than the margin.
    Failed,
    /// The comparison itself cannot be relied on, for this reason.
    Broken(&'static str),
}

impl Outcome {
    fn of(comparison: &Comparison) -> Self {
        if !comparison.sampling.reliable {
            return Self::Broken("sampling is not reliable");
        }
        if comparison.metric.direction_source == DirectionSource::Assumed {
            return Self::Broken("which way is better is not known");
        }
        match comparison.verdict {
            Verdict::Slower => Self::Failed,
            Verdict::Faster
            | Verdict::Same
            | Verdict::SlowerSizeUnclear
            | Verdict::FasterSizeUnclear
            | Verdict::NotSlower
            | Verdict::NotFaster
            | Verdict::Undecided => Self::Passed,
        }
    }
}

/// The analysis as `JUnit` XML: a failure where the verdict is `slower`, an error where
/// the comparison cannot be relied on.
pub fn junit(analysis: &Analysis) -> String {
    let cases: Vec<(&Comparison, Outcome)> =
        analysis.comparisons.iter().map(|one| (one, Outcome::of(one))).collect();
    let count = |wanted: fn(&Outcome) -> bool| {
        cases.iter().filter(|(_, outcome)| wanted(outcome)).count()
    };
    let totals = format!(
        "name=\"patchodds\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{}\"",
        cases.len(),
        count(|outcome| matches!(outcome, Outcome::Failed)),
        count(|outcome| matches!(outcome, Outcome::Broken(_))),
        seconds(cases.iter().map(|(one, _)| one.sampling.seconds).sum()),
    );
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites {totals}>\n  <testsuite {totals} skipped=\"0\">\n"
    );
    for (comparison, outcome) in &cases {
        xml.push_str(&case(comparison, outcome, &analysis.settings));
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn case(comparison: &Comparison, outcome: &Outcome, settings: &Settings) -> String {
    let headline = words::headline(comparison, settings);
    let more = words::elaboration(comparison, settings);
    let said = escaped(&format!("{headline}. {more}."));
    let mut xml = format!(
        "    <testcase name=\"{}\" classname=\"{}\" time=\"{}\">\n",
        escaped(&words::subject(comparison)),
        escaped(&words::variants(comparison)),
        seconds(comparison.sampling.seconds),
    );
    let done = match outcome {
        Outcome::Passed => Ok(()),
        Outcome::Failed => writeln!(
            xml,
            "      <failure message=\"{}\" type=\"{}\">{said}</failure>",
            escaped(&headline),
            comparison.verdict.name(),
        ),
        Outcome::Broken(why) => {
            writeln!(
                xml,
                "      <error message=\"{why}\" type=\"error\">{said}</error>"
            )
        }
    };
    done.expect("text in memory has room");
    format!("{xml}      <system-out>{said}</system-out>\n    </testcase>\n")
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.3}")
}
