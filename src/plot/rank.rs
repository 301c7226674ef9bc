//! The ranks of each chain's draws among all: bars of one height where chains agree.

use super::frame::{self, EDGE, WIDTH, line, rectangle, text};
use super::scene::{Anchor, Scene};
use super::{Draw, Kind, Subject};
use crate::analysis::{Comparison, PerDraw};
use crate::display::name::subject;
use crate::draws::Variable;

/// Vehtari, Gelman, Simpson, Carpenter & Bürkner (2021), section 4.3.
pub(super) const KIND: Kind = Kind {
    name: "rank",
    about: "the ranks of each chain's draws; good chains have bars of one height",
    draw: Draw::One(draw),
};

const BINS: usize = 20;
const TOP: f64 = 72.0;
const TALL: f64 = 64.0;
const LEFT: f64 = 100.0;

fn draw(_: &Subject<'_>, comparison: &Comparison) -> Option<Scene> {
    let draws = comparison.draws.posterior().get("difference").map(Variable::values)?;
    let counts = counts(draws);
    let expected = draws.ncols() as f64 / BINS as f64;
    let bottom = TOP + (TALL + 12.0) * counts.len() as f64;
    let under = "ranks of the difference among all draws; line: what is expected";
    let description = format!("Rank histograms of {} chains", counts.len());
    let mut scene =
        frame::titled(&subject(comparison), under, description, bottom + 40.0);
    let width = (WIDTH - EDGE - LEFT) / BINS as f64;
    for (i, bins) in counts.iter().enumerate() {
        let base = TOP + (TALL + 12.0) * i as f64 + TALL;
        let tall = |count: f64| (0.5 * TALL * count / expected).min(TALL);
        for (bin, count) in bins.iter().enumerate() {
            let x = LEFT + width * bin as f64;
            let top = base - tall(*count);
            scene.marks.push(rectangle([x + 1.0, top], [x + width - 1.0, base], "bar"));
        }
        let y = base - tall(expected);
        scene.marks.push(line([LEFT, y], [WIDTH - EDGE, y], "mean"));
        let words = format!("chain {}", i + 1);
        scene.marks.push(text([EDGE, base - 4.0], Anchor::Start, "label", words));
    }
    scene.marks.push(text([LEFT, bottom + 16.0], Anchor::Start, "label", "lowest"));
    let end = [WIDTH - EDGE, bottom + 16.0];
    scene.marks.push(text(end, Anchor::End, "label", "highest"));
    Some(scene)
}

/// How many draws of each chain fall into each part of the ranks.
fn counts(draws: &PerDraw) -> Vec<[f64; BINS]> {
    let mut order: Vec<(f64, usize)> = draws
        .rows()
        .into_iter()
        .enumerate()
        .flat_map(|(chain, row)| row.into_iter().map(move |value| (*value, chain)))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total = order.len();
    let mut counts = vec![[0.0; BINS]; draws.nrows()];
    for (rank, (_, chain)) in order.into_iter().enumerate() {
        counts[chain][rank * BINS / total] += 1.0;
    }
    counts
}
