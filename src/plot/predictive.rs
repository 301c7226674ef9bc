//! What a repeat of the experiment would show, and what this one did.

use super::axis::Axis;
use super::density::Density;
use super::frame::{self, EDGE, WIDTH, centred, line};
use super::scene::{Mark, Scene};
use super::{Draw, Kind, Subject};
use crate::analysis::Comparison;
use crate::display::name::subject;
use crate::display::number::{grouped, places, signed};
use crate::display::scale::Scale;
use crate::draws::{Variable, quantile};

pub(super) const KIND: Kind = Kind {
    name: "predictive",
    about: "the difference that a repeat would measure, beside the one measured",
    draw: Draw::One(draw),
};

const TOP: f64 = 100.0;
const BASE: f64 = 290.0;

fn draw(_: &Subject<'_>, comparison: &Comparison) -> Option<Scene> {
    let scale = Scale::of(comparison);
    let posterior = comparison.draws.posterior();
    let draws = posterior.get("repeated_difference").map(Variable::values)?;
    let draws = frame::sorted(draws.iter().copied(), scale.factor);
    let measured =
        scale.factor * (comparison.candidate.mean - comparison.baseline.mean);
    let (low, high) = (quantile(&draws, 0.002), quantile(&draws, 0.998));
    let axis =
        Axis::around(low.min(measured), high.max(measured), [EDGE, WIDTH - EDGE]);
    let density = Density::of(&draws, axis.values)?;
    let [low, high] = [0.025, 0.975].map(|p| quantile(&draws, p));
    let digits = places((high - low) / 100.0);
    let ends = [low, high].map(|end| signed(end, digits));
    let measured_text =
        format!("measured {}", scale.with_unit(&signed(measured, digits)));
    let caption = format!("95 % of repeats between {} and {}", ends[0], ends[1]);
    let under = format!(
        "{} − {}, the means of {} and {} new runs",
        comparison.candidate.label,
        comparison.baseline.label,
        grouped(comparison.predictive.n[1]),
        grouped(comparison.predictive.n[0]),
    );
    let description = format!("{caption}; {measured_text}");
    let mut scene = frame::titled(&subject(comparison), &under, description, 394.0);
    let curve: Vec<[f64; 2]> = density
        .points()
        .into_iter()
        .map(|(value, tall)| [axis.place(value), BASE - tall * (BASE - TOP)])
        .collect();
    let mut points = vec![[axis.places[0], BASE]];
    points.extend(&curve);
    points.push([axis.places[1], BASE]);
    let x = axis.place(measured);
    let y = BASE + 14.0;
    scene.marks.extend([
        Mark::Area { points, class: "density" },
        Mark::Line { points: curve, class: "outline" },
        line([x, TOP - 8.0], [x, BASE], "measured"),
        centred(x, TOP - 16.0, axis.places, &measured_text),
        line([axis.place(low), y], [axis.place(high), y], "interval"),
        centred(axis.place(f64::midpoint(low, high)), y + 20.0, axis.places, &caption),
    ]);
    let title = scale
        .unit
        .map_or("difference".to_owned(), |unit| format!("difference ({unit})"));
    scene.marks.extend(frame::horizontal(&axis, BASE + 44.0, &title, true));
    Some(scene)
}
