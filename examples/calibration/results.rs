//! What the study found: read from its CSV, as a table in Markdown and as a picture.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;

use patchodds::plot::{Anchor, Mark, Scene};
use serde::Deserialize;

/// A line of the CSV.
#[derive(Debug, Deserialize)]
pub(crate) struct Row {
    scenario: String,
    n: usize,
    effect: String,
    method: String,
    coverage: f64,
    width: f64,
}

/// Reads `docs/calibration.csv`, or what else was kept of a study.
pub(crate) fn read(path: &str) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut reader = csv::Reader::from_path(path)?;
    let rows: Result<Vec<Row>, _> = reader.deserialize().collect();
    let mut rows = rows?;
    // Coverage hardly depends on the effect.
    rows.retain(|row| row.effect == "0");
    Ok(rows)
}

/// Kinds of data in the order of the file.
fn scenarios(rows: &[Row]) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    rows.iter()
        .map(|row| row.scenario.as_str())
        .filter(|name| seen.insert(*name))
        .collect()
}

const METHODS: [&str; 11] = [
    "Welch",
    "Student",
    "reference",
    "normal",
    "independent",
    "robust",
    "lognormal",
    "best",
    "paired",
    "nested",
    "as shipped",
];

/// A row for each kind of data and number of runs: coverage in per cent, and the width of
/// the interval as a multiple of Welch's.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut text = format!("| data | n | {} |\n", METHODS.join(" | "));
    writeln!(text, "|---|--:|{}", "--:|".repeat(METHODS.len())).expect("memory");
    for scenario in scenarios(rows) {
        let sizes: BTreeSet<usize> = rows
            .iter()
            .filter(|row| row.scenario == scenario)
            .map(|row| row.n)
            .collect();
        for n in sizes {
            let cell = |method: &&str| {
                let is_it = |row: &&Row| {
                    row.scenario == scenario
                        && row.n == n
                        && row.method.trim_end_matches(", run noise stated") == *method
                };
                rows.iter().find(is_it).map_or_else(String::new, |row| {
                    format!("{:.1} ({:.2})", 100.0 * row.coverage, row.width)
                })
            };
            let cells: Vec<String> = METHODS.iter().map(cell).collect();
            writeln!(text, "| {scenario} | {n} | {} |", cells.join(" | "))
                .expect("memory");
        }
    }
    text
}

const WIDTH: f64 = 640.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 610.0;
const TOP: f64 = 60.0;
const LANE: f64 = 84.0;
const GAP: f64 = 46.0;

/// Per cent at the bottom and at the top of a lane; what is outside lies on its edge.
const ENDS: [f64; 2] = [80.0, 100.0];

/// What a comparison does by itself: the first of these that a kind of data has.
const DEFAULT: [&str; 3] = ["as shipped", "nested", "normal"];

/// A lane for each kind of data: coverage over the number of runs.
pub(crate) fn picture(rows: &[Row]) -> Scene {
    let scenarios = scenarios(rows);
    let height = TOP + (LANE + GAP) * scenarios.len() as f64 + 20.0;
    let words = |at, class, text: &str| Mark::Text {
        at,
        anchor: Anchor::Start,
        class,
        text: text.to_owned(),
    };
    let mut marks = vec![
        words(
            [24.0, 28.0],
            "title",
            "How often 95 % intervals hold the true difference",
        ),
        words(
            [24.0, 48.0],
            "label",
            "filled: the default; hollow: Welch; by runs a side; on the lower edge: below 80 %",
        ),
    ];
    for (i, scenario) in scenarios.iter().enumerate() {
        let top = TOP + 24.0 + (LANE + GAP) * i as f64;
        lane(&mut marks, rows, scenario, top);
    }
    Scene {
        width: WIDTH,
        height,
        title: "Coverage of 95 % intervals".into(),
        description:
            "Coverage of the default model and of Welch's interval, by kind of \
                      data and number of runs a side"
                .into(),
        marks,
    }
}

fn lane(marks: &mut Vec<Mark>, rows: &[Row], scenario: &str, top: f64) {
    let y = |percent: f64| {
        let share = (percent - ENDS[0]) / (ENDS[1] - ENDS[0]);
        top + LANE * (1.0 - share.clamp(0.0, 1.0))
    };
    let label =
        |at, anchor, text: String| Mark::Text { at, anchor, class: "label", text };
    marks.push(label([24.0, top - 10.0], Anchor::Start, scenario.to_owned()));
    marks.push(Mark::Area {
        points: vec![
            [LEFT, y(97.0)],
            [RIGHT, y(97.0)],
            [RIGHT, y(93.0)],
            [LEFT, y(93.0)],
        ],
        class: "band",
    });
    for tick in [80.0, 90.0, 95.0, 100.0] {
        let points = vec![[LEFT, y(tick)], [RIGHT, y(tick)]];
        marks.push(Mark::Line {
            points,
            class: if tick == 95.0 { "mean" } else { "grid" },
        });
        let text = format!("{tick:.0}{}", if tick == 100.0 { " %" } else { "" });
        marks.push(label([LEFT - 8.0, y(tick) + 4.0], Anchor::End, text));
    }
    let of = |n: usize, method: &str| {
        rows.iter()
            .find(|row| row.scenario == scenario && row.n == n && row.method == method)
            .map(|row| 100.0 * row.coverage)
    };
    let sizes: BTreeSet<usize> =
        rows.iter().filter(|row| row.scenario == scenario).map(|row| row.n).collect();
    let step = (RIGHT - LEFT) / sizes.len() as f64;
    for (i, n) in sizes.into_iter().enumerate() {
        let x = LEFT + step * (i as f64 + 0.5);
        marks.push(label([x, top + LANE + 16.0], Anchor::Middle, n.to_string()));
        let default = DEFAULT.iter().find_map(|method| of(n, method));
        for (percent, class, shift) in
            [(of(n, "Welch"), "baseline", 7.0), (default, "candidate", -7.0)]
        {
            let dot =
                |percent| Mark::Dot { at: [x + shift, y(percent)], radius: 5.0, class };
            marks.extend(percent.map(dot));
        }
    }
}
