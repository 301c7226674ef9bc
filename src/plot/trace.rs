//! The draws of the difference in the order they were drawn, a line a chain.

use super::axis::Axis;
use super::frame::{self, EDGE, WIDTH};
use super::scene::{Mark, Scene};
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

const TOP: f64 = 110.0;
const BASE: f64 = 330.0;
const LEFT: f64 = 96.0;

/// Points of a chain; of longer ones every second, third … draw is shown.
const MOST_POINTS: usize = 600;

/// In the order of the chains, from the start again after the fourth.
pub(super) const CLASSES: [&str; 4] = ["chain1", "chain2", "chain3", "chain4"];

fn draw(_: &Subject<'_>, comparison: &Comparison) -> Option<Scene> {
    let scale = Scale::of(comparison);
    let draws = comparison.draws.posterior().get("difference").map(Variable::values)?;
    let sorted = frame::sorted(draws.iter().copied(), scale.factor);
    let y = Axis::around(*sorted.first()?, *sorted.last()?, [BASE, TOP]);
    let iterations = draws.ncols();
    let x = Axis { values: [0.0, iterations as f64], places: [LEFT, WIDTH - EDGE] };
    let rhat = comparison.posterior("difference").and_then(|summary| summary.rhat);
    let rhat =
        rhat.map_or_else(String::new, |rhat| format!(", R-hat {}", fixed(rhat, 3)));
    let under = format!("{} chains of the difference{rhat}", grouped(draws.nrows()));
    let mut scene = frame::titled(&subject(comparison), &under, under.clone(), 390.0);
    let unit = scale.unit.unwrap_or_else(|| "difference".to_owned());
    scene.marks.extend(frame::vertical(&y, x.places, &unit));
    let every = iterations.div_ceil(MOST_POINTS);
    for (chain, class) in draws.rows().into_iter().zip(CLASSES.iter().cycle()) {
        let point = |(i, value): (usize, &f64)| {
            [x.place(i as f64), y.place(scale.factor * value)]
        };
        let points = chain.iter().enumerate().step_by(every).map(point).collect();
        scene.marks.push(Mark::Line { points, class });
    }
    scene.marks.extend(frame::horizontal(&x, BASE, "iteration", false));
    Some(scene)
}
