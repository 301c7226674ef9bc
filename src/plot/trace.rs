//! The draws of the difference in the order they were drawn, a lane a chain.

use super::axis::Axis;
use super::frame::{self, EDGE, WIDTH, text};
use super::scene::{Anchor, Mark, Scene};
use super::{Draw, Kind, Subject};
use crate::analysis::Comparison;
use crate::display::name::subject;
use crate::display::number::{fixed, grouped};
use crate::display::scale::Scale;
use crate::draws::Variable;

pub(super) const KIND: Kind = Kind {
    name: "trace",
    about: "the draws of the difference in order; good chains look like one another",
    draw: Draw::One(draw),
};

const TOP: f64 = 60.0;
const LEFT: f64 = 96.0;

/// Height of a lane, and what is free above it.
const LANE: f64 = 64.0;
const GAP: f64 = 14.0;

/// More chains than this are counted only.
const MOST_CHAINS: usize = 16;

/// Points of a chain; of longer ones every second, third … draw is shown.
const MOST_POINTS: usize = 600;

/// In the order of the chains, from the start again after the fourth.
pub(super) const CLASSES: [&str; 4] = ["chain1", "chain2", "chain3", "chain4"];

fn draw(_: &Subject<'_>, comparison: &Comparison) -> Option<Scene> {
    let scale = Scale::of(comparison);
    let draws = comparison.draws.posterior().get("difference").map(Variable::values)?;
    let sorted = frame::sorted(draws.iter().copied(), scale.factor);
    let [low, high] = [*sorted.first()?, *sorted.last()?];
    let iterations = draws.ncols();
    let x = Axis { values: [0.0, iterations as f64], places: [LEFT, WIDTH - EDGE] };
    let rhat = comparison.posterior("difference").and_then(|summary| summary.rhat);
    let rhat =
        rhat.map_or_else(String::new, |rhat| format!(", R-hat {}", fixed(rhat, 3)));
    let chains = draws.nrows();
    let unit = scale.unit.map_or_else(String::new, |unit| format!(" ({unit})"));
    let shown = if chains > MOST_CHAINS {
        format!(", the first {MOST_CHAINS} shown")
    } else {
        String::new()
    };
    let under =
        format!("the difference{unit} in {} chains{shown}{rhat}", grouped(chains));
    let lanes = chains.min(MOST_CHAINS) as f64;
    let base = TOP + lanes * (LANE + GAP);
    let mut scene =
        frame::titled(&subject(comparison), &under, under.clone(), base + 58.0);
    let every = iterations.div_ceil(MOST_POINTS);
    let chains = draws.rows().into_iter().zip(CLASSES.iter().cycle());
    for (i, (chain, class)) in chains.take(MOST_CHAINS).enumerate() {
        let top = TOP + GAP + i as f64 * (LANE + GAP);
        let y = Axis::around(low, high, [top + LANE, top]);
        let ends = x.places;
        let ticks = y.ticks(2).into_iter();
        scene.marks.extend(ticks.flat_map(|tick| frame::grid_line(&y, tick, ends)));
        let point = |(i, value): (usize, &f64)| {
            [x.place(i as f64), y.place(scale.factor * value)]
        };
        let points = chain.iter().enumerate().step_by(every).map(point).collect();
        scene.marks.push(Mark::Line { points, class });
        let label = format!("chain {}", i + 1);
        scene.marks.push(text([LEFT, top - 2.0], Anchor::Start, "label", label));
    }
    scene.marks.extend(frame::horizontal(&x, base, "iteration", false));
    Some(scene)
}
