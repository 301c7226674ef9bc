//! An analysis as a table for spreadsheets: one row a comparison.

use ::csv::Writer;

use crate::analysis::{Analysis, ByMargin, Comparison};

/// The names of the columns; values are in the unit of the runs.
const COLUMNS: [&str; 29] = [
    "benchmark",
    "metric",
    "unit",
    "direction",
    "baseline",
    "candidate",
    "baseline_runs",
    "candidate_runs",
    "baseline_mean",
    "candidate_mean",
    "baseline_sd",
    "candidate_sd",
    "difference",
    "difference_low",
    "difference_high",
    "relative_change",
    "relative_change_low",
    "relative_change_high",
    "margin",
    "p_slower",
    "p_slower_by_margin",
    "p_within_margin",
    "p_faster_by_margin",
    "welch_t",
    "welch_p",
    "verdict",
    "model",
    "reliable",
    "warnings",
];

/// The analysis as CSV; what cannot be known is an empty field.
///
/// Differences are posterior medians with the ends of their 95 % credible intervals.
///
/// # Panics
/// Never: a table in memory has room, and is text.
pub fn csv(analysis: &Analysis) -> String {
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS).expect("memory can be written");
    for comparison in &analysis.comparisons {
        writer.write_record(row(comparison)).expect("memory can be written");
    }
    let bytes = writer.into_inner().expect("memory can be written");
    String::from_utf8(bytes).expect("fields are text")
}

fn row(comparison: &Comparison) -> [String; COLUMNS.len()] {
    let Comparison { baseline, candidate, metric, .. } = comparison;
    let chance = &comparison.probability;
    let by = |part: fn(&ByMargin) -> f64| number(chance.by_margin.as_ref().map(part));
    let [difference, low, high] = interval(comparison, "difference");
    let [relative, relative_low, relative_high] =
        interval(comparison, "relative_change");
    let warnings: Vec<&str> =
        comparison.warnings.iter().map(crate::warning::Warning::kind).collect();
    let welch = comparison.tests.welch.as_ref();
    [
        text(comparison.benchmark.as_deref()),
        text(metric.name.as_deref()),
        text(metric.unit.as_deref()),
        metric.direction.name().to_owned(),
        text(Some(&baseline.label)),
        text(Some(&candidate.label)),
        baseline.n.to_string(),
        candidate.n.to_string(),
        number(Some(baseline.mean)),
        number(Some(candidate.mean)),
        number(baseline.sd),
        number(candidate.sd),
        difference,
        low,
        high,
        relative,
        relative_low,
        relative_high,
        number(comparison.margin),
        number(Some(chance.slower.value)),
        by(|by| by.slower.value),
        by(|by| by.within.value),
        by(|by| by.faster.value),
        number(welch.map(|test| test.t)),
        number(welch.map(|test| test.p)),
        comparison.verdict.name().to_owned(),
        text(Some(&comparison.model.name)),
        comparison.sampling.reliable.to_string(),
        warnings.join(" "),
    ]
}

/// The median and the ends of the 95 % interval.
fn interval(comparison: &Comparison, name: &str) -> [String; 3] {
    let summary = comparison.posterior(name);
    let ends = summary.and_then(|summary| summary.eti);
    [
        number(summary.and_then(|summary| summary.median)),
        number(ends.map(|[low, _]| low)),
        number(ends.map(|[_, high]| high)),
    ]
}

/// The shortest text that reads back as the same number.
fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// A name that no spreadsheet takes for a formula: an apostrophe goes in front of those
/// that begin like one.
fn text(name: Option<&str>) -> String {
    let name = name.unwrap_or_default();
    if name.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        return format!("'{name}");
    }
    name.to_owned()
}
