//! The posterior of the difference: its density, zero, the margin, and where it is worse.

use super::axis::Axis;
use super::density::Density;
use super::frame::{self, EDGE, WIDTH, centred, line, rectangle, text};
use super::scene::{Anchor, Mark, Scene, fitted};
use super::{Draw, Kind, Subject};
use crate::analysis::Comparison;
use crate::data::Direction;
use crate::display::name::{subject, worse_and_better};
use crate::display::number::{percent, places, signed};
use crate::display::scale::Scale;
use crate::draws::{Variable, quantile};

pub(super) const KIND: Kind = Kind {
    name: "posterior",
    about: "the difference of the means, with the margin and P(slower) shaded",
    draw: Draw::One(draw),
};

const TOP: f64 = 118.0;
const BASE: f64 = 300.0;

pub(super) fn draw(_: &Subject<'_>, comparison: &Comparison) -> Option<Scene> {
    let scale = Scale::of(comparison);
    let draws = comparison.draws.posterior().get("difference").map(Variable::values)?;
    let draws = frame::sorted(draws.iter().copied(), scale.factor);
    let margin = comparison.margin.map(|margin| scale.factor * margin);
    let axis = axis(&draws, margin);
    let density = Density::of(&draws, axis.values)?;
    let interval = [0.025, 0.5, 0.975].map(|p| quantile(&draws, p));
    let [low, median, high] = interval;
    let digits = places((high - low) / 100.0);
    let shown = interval.map(|value| signed(value, digits));
    let unit = scale.unit.clone().unwrap_or_default();
    let caption =
        format!("{} {unit}, 95 % credible {} … {}", shown[1], shown[0], shown[2]);
    let labels =
        format!("{} − {}", comparison.candidate.label, comparison.baseline.label);
    let [worse, _] = worse_and_better(comparison);
    let slower = comparison.probability.slower;
    let description = format!(
        "Density of {labels}: {caption}; probability of {worse} {}",
        percent(slower.value, slower.mcse)
    );
    let mut scene = frame::titled(&subject(comparison), &labels, description, 404.0);
    let marks = &mut scene.marks;
    if let Some(margin) = margin {
        let [left, right] = [-margin, margin].map(|end| axis.place(end));
        marks.push(rectangle([left, TOP - 8.0], [right, BASE], "margin"));
    }
    marks.extend(areas(&density, &axis, comparison.metric.direction));
    marks.push(outline(&density, &axis));
    marks.extend(chances(comparison));
    if axis.holds(0.0) {
        let x = axis.place(0.0);
        marks.push(line([x, TOP - 8.0], [x, BASE], "zero"));
        let words = margin.map_or("no change".to_owned(), |margin| {
            let digits = places(margin / 30.0);
            let margin = signed(margin, digits).replacen('+', "± ", 1);
            format!("no change, margin {margin} {unit}")
        });
        marks.push(centred(x, TOP - 16.0, axis.places, words.trim_end()));
    }
    let y = BASE + 14.0;
    marks.push(line([axis.place(low), y], [axis.place(high), y], "interval"));
    marks.push(Mark::Dot { at: [axis.place(median), y], radius: 5.0, class: "median" });
    marks.push(centred(axis.place(median), y + 20.0, axis.places, &caption));
    let title = match &scale.unit {
        Some(unit) => format!("difference of the means ({unit})"),
        None => "difference of the means".to_owned(),
    };
    marks.extend(frame::horizontal(&axis, BASE + 46.0, &title, true));
    Some(scene)
}

/// Nearly all draws; zero and the margin too where that leaves the density readable.
fn axis(draws: &[f64], margin: Option<f64>) -> Axis {
    let (low, high) = (quantile(draws, 0.002), quantile(draws, 0.998));
    let most = 2.0 * (high - low);
    let mut ends = [low, high];
    for value in [0.0].into_iter().chain(margin).chain(margin.map(|margin| -margin)) {
        let wider = [ends[0].min(value), ends[1].max(value)];
        if wider[1] - wider[0] <= most {
            ends = wider;
        }
    }
    Axis::around(ends[0], ends[1], [EDGE, WIDTH - EDGE])
}

fn height(density: f64) -> f64 {
    BASE - density * (BASE - TOP)
}

/// The density left and right of zero, each in the class of what it means; both end on
/// the line between them.
fn areas(density: &Density, axis: &Axis, direction: Direction) -> Vec<Mark> {
    let sides = match direction {
        Direction::LowerIsBetter => ["density", "worse"],
        Direction::HigherIsBetter => ["worse", "density"],
    };
    let points = with_zero(density.points());
    let side = |class, keeps: fn(f64) -> bool| {
        let inside: Vec<[f64; 2]> = points
            .iter()
            .copied()
            .filter(|(value, _)| keeps(*value))
            .map(|(value, tall)| [axis.place(value), height(tall)])
            .collect();
        let (first, last) = (inside.first()?[0], inside.last()?[0]);
        let mut points = vec![[first, BASE]];
        points.extend(inside);
        points.push([last, BASE]);
        Some(Mark::Area { points, class })
    };
    [side(sides[0], |value| value <= 0.0), side(sides[1], |value| value >= 0.0)]
        .into_iter()
        .flatten()
        .collect()
}

/// The points of a curve, and its point at zero where it passes there.
fn with_zero(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let after = points.partition_point(|(value, _)| *value < 0.0);
    if let (Some(&(left, low)), Some(&(right, high))) =
        (after.checked_sub(1).and_then(|before| points.get(before)), points.get(after))
    {
        let share = -left / (right - left);
        points.insert(after, (0.0, low + share * (high - low)));
    }
    points
}

fn outline(density: &Density, axis: &Axis) -> Mark {
    let points = density.points().into_iter();
    let points = points.map(|(value, tall)| [axis.place(value), height(tall)]);
    Mark::Line { points: points.collect(), class: "outline" }
}

/// The chance on each side, with the side that it lies on.
fn chances(comparison: &Comparison) -> [Mark; 2] {
    let [worse, better] = worse_and_better(comparison);
    let chance = &comparison.probability;
    let said = |word: &str, p: crate::draws::Probability| {
        format!("{word} {}", percent(p.value, p.mcse))
    };
    let (left, right) = match comparison.metric.direction {
        Direction::LowerIsBetter => {
            (said(better, chance.faster), said(worse, chance.slower))
        }
        Direction::HigherIsBetter => {
            (said(worse, chance.slower), said(better, chance.faster))
        }
    };
    let room = WIDTH / 2.0 - 2.0 * EDGE;
    let fit = |words: String| fitted(&words, "title", room);
    [
        text([EDGE, 80.0], Anchor::Start, "title", fit(format!("← {left}"))),
        text([WIDTH - EDGE, 80.0], Anchor::End, "title", fit(format!("{right} →"))),
    ]
}
