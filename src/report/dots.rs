//! The runs of each variant as dots on one scale, for a terminal.

use std::fmt::Write as _;

use super::scale::Scale;
use super::text::{NARROWEST, WIDEST};
use super::words;
use crate::analysis::Comparison;
use crate::data::Sample;
use crate::display::number::{grouped, significant};
use crate::plot::Subject;

/// Dots stand on one another no higher than this; of more runs each dot is several.
const HIGHEST: usize = 6;

/// Labels take no more columns than this.
const LABEL: usize = 16;

/// Significant digits of the ends of the scale.
const DIGITS: i32 = 5;

/// The runs of every comparison, in no more columns than `width`.
pub fn dots(subject: &Subject<'_>, width: usize) -> String {
    let comparisons = subject.analysis.comparisons.iter();
    let sections = comparisons.map(|one| section(one, subject.samples(one), width));
    sections.collect::<Vec<_>>().join("\n")
}

fn section(
    comparison: &Comparison,
    samples: [Option<&Sample>; 2],
    width: usize,
) -> String {
    let scale = Scale::of(comparison);
    let labels = [&comparison.baseline.label, &comparison.candidate.label]
        .map(|label| words::shortened(label, LABEL));
    let indent =
        labels.iter().map(|label| label.chars().count()).max().unwrap_or(0) + 4;
    let columns = width.clamp(NARROWEST, WIDEST) - indent;
    let runs = || samples.iter().flatten().flat_map(|sample| sample.runs());
    let low = runs().copied().fold(f64::INFINITY, f64::min);
    let high = runs().copied().fold(f64::NEG_INFINITY, f64::max);
    let counts = samples.map(|sample| {
        let runs = sample.map_or(&[][..], Sample::runs);
        counts(runs, [low, high], columns)
    });
    let tallest = counts.iter().flatten().copied().max().unwrap_or(0);
    let each = tallest.div_ceil(HIGHEST).max(1);
    let of_runs = match each {
        1 => "a dot is a run".to_owned(),
        many => format!("a dot is up to {} runs", grouped(many)),
    };
    let mut text = format!("runs of {} ({of_runs})\n\n", words::subject(comparison));
    for ((label, counts), sample) in labels.iter().zip(&counts).zip(samples) {
        if sample.is_none() {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "  {label:<0$}not known", indent - 2);
            continue;
        }
        let rows = counts.iter().map(|count| count.div_ceil(each)).max().unwrap_or(1);
        for row in (1..=rows).rev() {
            let name = if row == 1 { label } else { "" };
            let dot =
                |count: &usize| if count.div_ceil(each) >= row { '•' } else { ' ' };
            let line: String = counts.iter().map(dot).collect();
            let line = format!("  {name:<0$}{line}", indent - 2);
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    if runs().next().is_some() {
        text.push_str(&ends([low, high], &scale, indent, columns));
    }
    text
}

/// How many runs fall into each of so many equal parts.
fn counts(runs: &[f64], [low, high]: [f64; 2], columns: usize) -> Vec<usize> {
    let mut counts = vec![0; columns];
    let width = high - low;
    for run in runs {
        let share = if width > 0.0 { (run - low) / width } else { 0.5 };
        counts[(share * (columns - 1) as f64).round() as usize] += 1;
    }
    counts
}

/// The smallest and the largest run under their columns.
fn ends(ends: [f64; 2], scale: &Scale, indent: usize, columns: usize) -> String {
    let [low, high] = ends.map(|end| significant(scale.factor * end, DIGITS));
    let high = scale.with_unit(&high);
    if ends[0] == ends[1] {
        return format!("{}{high:^columns$}", " ".repeat(indent)).trim_end().to_owned()
            + "\n";
    }
    let gap = columns.saturating_sub(low.chars().count());
    format!("{}{low}{high:>gap$}\n", " ".repeat(indent))
}
