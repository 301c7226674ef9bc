//! Many comparisons under one another: the relative change of each, with its interval.

use super::axis::Axis;
use super::frame::{self, EDGE, WIDTH, line, rectangle, text};
use super::scene::{Anchor, Mark, Scene, fitted};
use super::{Draw, Kind, Subject};
use crate::analysis::{Comparison, MarginSize};
use crate::display::name::{subject, variants};
use crate::display::number::{grouped, places, signed};

pub(super) const KIND: Kind = Kind {
    name: "forest",
    about: "the relative change of every comparison, with the margin",
    draw: Draw::All(draw),
};

/// More rows are left out, which the line under the title says.
const MOST_ROWS: usize = 300;

const TOP: f64 = 72.0;
const ROW: f64 = 22.0;
const NAMES: f64 = 220.0;
const VALUES: f64 = 200.0;

struct Row {
    name: String,
    /// In per cent: the ends of the 95 % interval around the median.
    change: [f64; 3],
    class: &'static str,
}

fn draw(subject_of: &Subject<'_>) -> Option<Scene> {
    let analysis = subject_of.analysis;
    let comparisons = &analysis.comparisons;
    let all: Vec<Row> = rows(comparisons);
    let rows = &all[..all.len().min(MOST_ROWS)];
    let margin = match analysis.settings.margin.size {
        MarginSize::Relative(share) => Some(100.0 * share),
        MarginSize::Absolute { .. } => None,
    };
    let axis = axis(rows, margin)?;
    let bottom = TOP + ROW * rows.len() as f64;
    let under = under(comparisons, rows.len(), margin);
    let description = format!("Relative change of {} comparisons", grouped(rows.len()));
    let mut scene =
        frame::titled("relative change", &under, description, bottom + 56.0);
    if let Some(margin) = margin {
        let [left, right] = [-margin, margin].map(|end| axis.place(end));
        scene.marks.push(rectangle([left, TOP], [right, bottom], "margin"));
    }
    let zero = axis.place(0.0);
    scene.marks.push(line([zero, TOP], [zero, bottom], "zero"));
    for (i, row) in rows.iter().enumerate() {
        scene.marks.extend(marks(row, &axis, TOP + ROW * (i as f64 + 0.5)));
    }
    let title = "change of the mean (%)";
    scene.marks.extend(frame::horizontal(&axis, bottom, title, true));
    Some(scene)
}

fn rows(comparisons: &[Comparison]) -> Vec<Row> {
    let one_pair = comparisons.iter().all(|one| {
        (&one.baseline.label, &one.candidate.label)
            == (&comparisons[0].baseline.label, &comparisons[0].candidate.label)
    });
    comparisons
        .iter()
        .filter_map(|one| {
            let change = one.posterior("relative_change")?;
            let [low, high] = change.eti?;
            let name = match (&one.benchmark, &one.metric.name) {
                (None, None) => variants(one),
                _ if one_pair => subject(one),
                _ => format!("{} ({})", subject(one), one.candidate.label),
            };
            let slower = one.probability.slower.value > 0.5;
            Some(Row {
                name,
                change: [low, change.median?, high].map(|value| 100.0 * value),
                class: if slower { "candidate" } else { "baseline" },
            })
        })
        .collect()
}

fn under(comparisons: &[Comparison], shown: usize, margin: Option<f64>) -> String {
    let mut under =
        "dot: median, filled where worse is likelier; line: 95 %".to_owned();
    if let Some(margin) = margin {
        let margin = signed(margin, places(margin / 30.0)).replacen('+', "± ", 1);
        under = format!("{under}; band: {margin} %");
    }
    let left = comparisons.len() - shown;
    if left > 0 {
        under = format!("{under}; {} not shown", grouped(left));
    }
    under
}

/// Where most intervals lie: one that is very wide must not flatten all others.
fn axis(rows: &[Row], margin: Option<f64>) -> Option<Axis> {
    let end = |i: usize, p: f64| {
        let ends = frame::sorted(rows.iter().map(|row| row.change[i]), 1.0);
        (!ends.is_empty()).then(|| crate::draws::quantile(&ends, p))
    };
    let medians = [end(1, 0.0)?, end(1, 1.0)?];
    let margin = margin.unwrap_or(0.0);
    let low = end(0, 0.1)?.min(medians[0]).min(-margin);
    let high = end(2, 0.9)?.max(medians[1]).max(margin);
    Some(Axis::around(low, high, [EDGE + NAMES, WIDTH - EDGE - VALUES]))
}

fn marks(row: &Row, axis: &Axis, y: f64) -> Vec<Mark> {
    let [low, median, high] = row.change;
    let digits = places((high - low) / 100.0).clamp(0, 3);
    let [least, middle, most] = row.change.map(|value| signed(value, digits));
    let values = format!("{middle} ({least} … {most})");
    let room = VALUES - 12.0;
    vec![
        line([axis.place(low), y], [axis.place(high), y], "interval"),
        Mark::Dot { at: [axis.place(median), y], radius: 5.0, class: row.class },
        text(
            [EDGE, y + 4.0],
            Anchor::Start,
            "label",
            fitted(&row.name, "label", NAMES - 12.0),
        ),
        text(
            [WIDTH - EDGE, y + 4.0],
            Anchor::End,
            "label",
            fitted(&values, "label", room),
        ),
    ]
}
