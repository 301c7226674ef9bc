//! What a repeat of the experiment would show, and what this one did: the difference, and
//! where they are known the runs.

use super::axis::Axis;
use super::density::Density;
use super::frame::{self, EDGE, WIDTH, centred, line, text};
use super::scene::{Anchor, Mark, Scene, fitted};
use super::{Draw, Kind, Subject};
use crate::analysis::Comparison;
use crate::display::name::subject;
use crate::display::number::{grouped, places, signed};
use crate::display::scale::Scale;
use crate::draws::{DataArray, DataName, GroupName, Variable, quantile};

pub(super) const KIND: Kind = Kind {
    name: "predictive",
    about: "what a repeat would measure, difference and runs, beside what was measured",
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
    let x = axis.place(measured);
    let y = BASE + 14.0;
    scene.marks.extend(curve(&density, &axis, [BASE, BASE - TOP]));
    scene.marks.extend([
        line([x, TOP - 8.0], [x, BASE], "measured"),
        centred(x, TOP - 16.0, axis.places, &measured_text),
        line([axis.place(low), y], [axis.place(high), y], "interval"),
        centred(axis.place(f64::midpoint(low, high)), y + 20.0, axis.places, &caption),
    ]);
    let unit = scale.unit.as_deref();
    let title =
        unit.map_or("difference".to_owned(), |unit| format!("difference ({unit})"));
    scene.marks.extend(frame::horizontal(&axis, BASE + 44.0, &title, true));
    if let Some(lanes) = lanes(comparison, scale.factor) {
        add_runs(&mut scene, &lanes, unit);
    }
    Some(scene)
}

/// The runs of one variant: as a repeat would measure them, and as they were measured.
struct Lane<'a> {
    label: &'a str,
    /// In ascending order.
    replicated: Vec<f64>,
    measured: Vec<f64>,
}

/// More replicated runs than this tell no more of their density.
const MOST_REPLICATED: usize = 200_000;

/// The runs of both variants, where the draws have them.
fn lanes(comparison: &Comparison, factor: f64) -> Option<[Lane<'_>; 2]> {
    let draws = &comparison.draws;
    let array = |group, name: &str| {
        let mut arrays = draws.data().filter(|(one, _)| *one == group);
        let arrays = arrays.next().map_or(&[][..], |(_, arrays)| arrays);
        arrays.iter().find(|array| array.name() == name).map(DataArray::values)
    };
    let measured = array(DataName::ObservedData, "runs")?;
    let variant = array(DataName::ConstantData, "variant_of_run")?;
    let new = draws.group(GroupName::PosteriorPredictive).variables();
    if new.len() != measured.len() || new.is_empty() {
        return None;
    }
    let every = (new.len() * new[0].values().len()).div_ceil(MOST_REPLICATED);
    let of = |v: usize| (0..new.len()).filter(move |run| variant[*run] == v as f64);
    let lane = |v: usize, label| Lane {
        label,
        replicated: frame::sorted(
            of(v).flat_map(|run| new[run].values().iter().copied().step_by(every)),
            factor,
        ),
        measured: of(v).map(|run| factor * measured[run]).collect(),
    };
    Some([lane(0, &comparison.baseline.label), lane(1, &comparison.candidate.label)])
}

/// Height of the curve of a lane, and of what is under it.
const TALL: f64 = 60.0;
const DOTS: f64 = 22.0;

/// Of more measured runs every second, third … is shown.
const MOST_DOTS: usize = 500;

fn add_runs(scene: &mut Scene, lanes: &[Lane<'_>; 2], unit: Option<&str>) {
    let all = || lanes.iter().flat_map(|lane| &lane.measured).copied();
    let ends = |p| lanes.iter().map(move |lane| quantile(&lane.replicated, p));
    let low = ends(0.002).chain(all()).fold(f64::INFINITY, f64::min);
    let high = ends(0.998).chain(all()).fold(f64::NEG_INFINITY, f64::max);
    let axis = Axis::around(low, high, [EDGE, WIDTH - EDGE]);
    let room = WIDTH - 2.0 * EDGE;
    let mut top = scene.height + 12.0;
    for (lane, class) in lanes.iter().zip(["baseline", "candidate"]) {
        let words = fitted(
            &format!("runs of {}: curve, as a repeat; dots, as measured", lane.label),
            "label",
            room,
        );
        scene.marks.push(text([EDGE, top], Anchor::Start, "label", words));
        let base = top + 10.0 + TALL;
        if let Some(density) = Density::of(&lane.replicated, axis.values) {
            scene.marks.extend(curve(&density, &axis, [base, TALL]));
        }
        let every = lane.measured.len().div_ceil(MOST_DOTS);
        let dots = lane.measured.iter().enumerate().step_by(every);
        scene.marks.extend(dots.map(|(i, run)| Mark::Dot {
            // In three rows, so that equal runs are seen apart.
            at: [axis.place(*run), base + 7.0 + 5.0 * (i % 3) as f64],
            radius: 3.0,
            class,
        }));
        top = base + DOTS + 24.0;
    }
    let title = unit.map_or("run".to_owned(), |unit| format!("run ({unit})"));
    scene.marks.extend(frame::horizontal(&axis, top - 16.0, &title, false));
    scene.height = top + 38.0;
}

/// The area under a density and its outline, on a base line and so tall.
fn curve(density: &Density, axis: &Axis, [base, tall]: [f64; 2]) -> [Mark; 2] {
    let outline: Vec<[f64; 2]> = density
        .points()
        .into_iter()
        .map(|(value, height)| [axis.place(value), base - height * tall])
        .collect();
    let mut points = vec![[axis.places[0], base]];
    points.extend(&outline);
    points.push([axis.places[1], base]);
    [
        Mark::Area { points, class: "density" },
        Mark::Line { points: outline, class: "outline" },
    ]
}
