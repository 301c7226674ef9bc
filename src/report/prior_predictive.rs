//! What a model expects before it has seen the runs, as text.

use std::fmt::Write as _;

use super::number::{grouped, significant};
use crate::analysis::PriorPredictive;

/// A table for each comparison.
pub fn prior_predictive(all: &[PriorPredictive]) -> String {
    let tables: Vec<String> = all.iter().map(table).collect();
    tables.join("\n")
}

fn table(of: &PriorPredictive) -> String {
    let [baseline, candidate] = &of.labels;
    let name = of.benchmark.as_deref().or(of.metric.name.as_deref());
    let pair = format!("{candidate} against {baseline}");
    let unit =
        of.metric.unit.as_ref().map_or_else(String::new, |unit| format!(" ({unit})"));
    let mut text = match name {
        Some(name) => format!("{name}: {pair}{unit}\n"),
        None => format!("{pair}{unit}\n"),
    };
    let _ = writeln!(
        text,
        "before it has seen the runs, the model `{}` expects\n",
        of.model
    );
    let rows: Vec<[String; 4]> =
        [header()].into_iter().chain(of.quantiles.iter().map(row)).collect();
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
    };
    let widths = [0, 1, 2, 3].map(width);
    for [what, low, middle, high] in &rows {
        let _ = writeln!(
            text,
            "  {what:<w0$}  {low:>w1$}  {middle:>w2$}  {high:>w3$}",
            w0 = widths[0],
            w1 = widths[1],
            w2 = widths[2],
            w3 = widths[3]
        );
    }
    text
}

fn header() -> [String; 4] {
    ["", "2.5 %", "median", "97.5 %"].map(str::to_owned)
}

fn row((what, quantiles): &(String, [f64; 3])) -> [String; 4] {
    let [low, middle, high] = quantiles.map(shown);
    [what.clone(), low, middle, high]
}

/// Three digits: a prior is not known to more.
fn shown(value: f64) -> String {
    if value.abs() >= 1000.0 && value.abs() < 1e15 {
        let sign = if value < 0.0 { "−" } else { "" };
        return format!("{sign}{}", grouped(value.abs().round() as usize));
    }
    if value.is_infinite() {
        return if value < 0.0 { "−∞" } else { "∞" }.to_owned();
    }
    significant(value, 3)
}
