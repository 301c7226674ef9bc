//! What every plot has around its marks: a title, an axis of values, words in lanes.

use super::axis::Axis;
use super::scene::{Anchor, Mark, Scene, fitted, size, width};

/// Width of every plot.
pub(super) const WIDTH: f64 = 760.0;

/// Free at the left and right edges.
pub(super) const EDGE: f64 = 24.0;

/// A line of text with its place.
pub(super) fn text(
    at: [f64; 2],
    anchor: Anchor,
    class: &'static str,
    text: impl Into<String>,
) -> Mark {
    Mark::Text { at, anchor, class, text: text.into() }
}

pub(super) fn line(from: [f64; 2], to: [f64; 2], class: &'static str) -> Mark {
    Mark::Line { points: vec![from, to], class }
}

pub(super) fn rectangle(
    [x0, y0]: [f64; 2],
    [x1, y1]: [f64; 2],
    class: &'static str,
) -> Mark {
    Mark::Area { points: vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]], class }
}

/// An empty scene with a title and a line under it, both cut to the width.
pub(super) fn titled(
    title: &str,
    under: &str,
    description: String,
    height: f64,
) -> Scene {
    let room = WIDTH - 2.0 * EDGE;
    let lane = |y, class, words: &str| {
        text([EDGE, y], Anchor::Start, class, fitted(words, class, room))
    };
    Scene {
        width: WIDTH,
        height,
        title: title.to_owned(),
        description,
        marks: vec![lane(28.0, "title", title), lane(48.0, "label", under)],
    }
}

/// A text around `x` that stays between `from` and `to`, cut where it must be.
pub(super) fn centred(x: f64, y: f64, [from, to]: [f64; 2], words: &str) -> Mark {
    let words = fitted(words, "label", to - from);
    let half = width(&words, size("label")) / 2.0;
    let x = x.clamp(from + half, (to - half).max(from + half));
    text([x, y], Anchor::Middle, "label", words)
}

/// A horizontal axis at `y`: ticks that do not touch, and its title below.
pub(super) fn horizontal(axis: &Axis, y: f64, title: &str, signed: bool) -> Vec<Mark> {
    let [from, to] = axis.places;
    let mut marks = vec![line([from, y], [to, y], "axis")];
    let ticks = if signed { axis.signed_ticks(8) } else { axis.ticks(8) };
    let mut free = f64::NEG_INFINITY;
    for (value, words) in ticks {
        let x = axis.place(value);
        marks.push(line([x, y], [x, y + 5.0], "axis"));
        let half = width(&words, size("label")) / 2.0;
        if x - half > free && x - half >= 0.0 && x + half <= WIDTH {
            free = x + half + 6.0;
            marks.push(text([x, y + 19.0], Anchor::Middle, "label", words));
        }
    }
    marks.push(centred(f64::midpoint(from, to), y + 39.0, [EDGE, WIDTH - EDGE], title));
    marks
}

/// A vertical axis at the left end of `[x, to]`: ticks with grid lines, its title above.
pub(super) fn vertical(axis: &Axis, [x, to]: [f64; 2], title: &str) -> Vec<Mark> {
    let top = axis.places[1];
    let mut marks = Vec::new();
    for tick in axis.ticks(6) {
        marks.extend(grid_line(axis, tick, [x, to]));
    }
    let title = fitted(title, "label", WIDTH - 2.0 * EDGE);
    marks.push(text([EDGE, top - 30.0], Anchor::Start, "label", title));
    marks
}

/// A tick of a vertical axis: a line from `x` to `to`, and its text left of it.
pub(super) fn grid_line(
    axis: &Axis,
    (value, words): (f64, String),
    [x, to]: [f64; 2],
) -> [Mark; 2] {
    let y = axis.place(value);
    let words = fitted(&words, "label", x - 12.0);
    [
        line([x, y], [to, y], "grid"),
        text([x - 6.0, y + 4.0], Anchor::End, "label", words),
    ]
}

/// Sorted draws, in the unit shown.
pub(super) fn sorted(values: impl IntoIterator<Item = f64>, factor: f64) -> Vec<f64> {
    let mut values: Vec<f64> = values.into_iter().map(|value| factor * value).collect();
    values.sort_unstable_by(f64::total_cmp);
    values
}
