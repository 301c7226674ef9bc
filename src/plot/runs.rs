//! The runs of each variant in order, with the mean and where it is believed to be.

use super::axis::Axis;
use super::frame::{self, EDGE, WIDTH, line, rectangle, text};
use super::scene::{Anchor, Mark, Scene, fitted};
use super::{Draw, Kind, Subject};
use crate::analysis::{Comparison, Observed};
use crate::data::Sample;
use crate::display::name::subject;
use crate::display::number::grouped;
use crate::display::scale::Scale;

pub(super) const KIND: Kind = Kind {
    name: "runs",
    about: "the runs of each variant in order, with means and their intervals",
    draw: Draw::One(|subject, comparison| Some(draw(subject, comparison))),
};

const TOP: f64 = 118.0;
const BASE: f64 = 340.0;

/// Where the panels begin, right of the numbers.
const LEFT: f64 = 96.0;

/// Between the panels.
const GAP: f64 = 24.0;

/// Of longer series every second, third … run is shown.
const MOST_DOTS: usize = 1000;

pub(super) fn draw(subject_of: &Subject<'_>, comparison: &Comparison) -> Scene {
    let scale = Scale::of(comparison);
    let variants = [&comparison.baseline, &comparison.candidate];
    let samples = subject_of.samples(comparison);
    let intervals = ["baseline_mean", "candidate_mean"]
        .map(|name| comparison.posterior(name).and_then(|summary| summary.eti));
    let values = samples
        .iter()
        .flatten()
        .flat_map(|sample| sample.runs().iter().copied())
        .chain(intervals.iter().flatten().flatten().copied())
        .chain(variants.map(|variant| variant.mean))
        .map(|value| scale.factor * value);
    let (low, high) = values
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
    let axis = Axis::around(low, high, [BASE, TOP]);
    let under =
        "runs in order; line: mean; band: 95 % credible interval of the true mean";
    let description = format!(
        "Runs of {} and of {}",
        comparison.baseline.label, comparison.candidate.label
    );
    let mut scene = frame::titled(&subject(comparison), under, description, 384.0);
    let unit = scale.unit.clone().unwrap_or_else(|| "value".to_owned());
    let width = (WIDTH - EDGE - LEFT - GAP) / 2.0;
    let panels = [0, 1].map(|i| {
        let left = LEFT + i as f64 * (width + GAP);
        Panel {
            axis: &axis,
            factor: scale.factor,
            ends: [left, left + width],
            class: ["baseline", "candidate"][i],
        }
    });
    // The grid lies on the bands, and what was measured on both.
    let bands = panels
        .iter()
        .zip(intervals)
        .filter_map(|(panel, interval)| interval.map(|interval| panel.band(interval)));
    scene.marks.extend(bands);
    scene.marks.extend(frame::vertical(&axis, [LEFT, WIDTH - EDGE], &unit));
    for (i, panel) in panels.iter().enumerate() {
        scene.marks.extend(panel.marks(variants[i], samples[i]));
    }
    scene
}

struct Panel<'a> {
    axis: &'a Axis,
    factor: f64,
    ends: [f64; 2],
    class: &'static str,
}

impl Panel<'_> {
    fn place(&self, value: f64) -> f64 {
        self.axis.place(self.factor * value)
    }

    fn band(&self, [low, high]: [f64; 2]) -> Mark {
        let [from, to] = self.ends;
        rectangle([from, self.place(high)], [to, self.place(low)], "band")
    }

    fn marks(&self, observed: &Observed, sample: Option<&Sample>) -> Vec<Mark> {
        let [from, to] = self.ends;
        let y = self.place(observed.mean);
        let mut marks = vec![line([from, y], [to, y], "mean")];
        let mut runs = format!("{} runs", grouped(observed.n));
        match sample {
            None => runs.push_str(", none of them known"),
            Some(sample) => {
                let every = sample.len().div_ceil(MOST_DOTS);
                if every > 1 {
                    runs = format!("{runs}, one in {} shown", grouped(every));
                }
                marks.extend(self.dots(sample.runs(), every));
            }
        }
        let label = fitted(&observed.label, "title", to - from);
        marks.push(text([from, TOP - 12.0], Anchor::Start, "title", label));
        let runs = fitted(&runs, "label", to - from);
        marks.push(text([from, BASE + 24.0], Anchor::Start, "label", runs));
        marks
    }

    fn dots(&self, runs: &[f64], every: usize) -> Vec<Mark> {
        let [from, to] = self.ends;
        let step = (to - from) / runs.len() as f64;
        let radius = (0.45 * step * every as f64).clamp(1.5, 5.0);
        let dot = |(i, run): (usize, &f64)| Mark::Dot {
            at: [from + step * (i as f64 + 0.5), self.place(*run)],
            radius,
            class: self.class,
        };
        runs.iter().enumerate().step_by(every).map(dot).collect()
    }
}
