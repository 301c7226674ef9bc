//! A picture as marks in a plane: x to the right, y downwards.

/// A picture with its words for those who do not see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Width in units, about pixels.
    pub width: f64,
    /// Height in units.
    pub height: f64,
    /// What it is, in a few words.
    pub title: String,
    /// What can be seen in it.
    pub description: String,
    /// The marks; later ones lie on top.
    pub marks: Vec<Mark>,
}

/// Something drawn. Its class says what it means; the style gives it its looks.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A line through points.
    Line {
        /// The points.
        points: Vec<[f64; 2]>,
        /// What it means.
        class: &'static str,
    },
    /// A filled area within points.
    Area {
        /// Its corners.
        points: Vec<[f64; 2]>,
        /// What it means.
        class: &'static str,
    },
    /// A dot.
    Dot {
        /// Its middle.
        at: [f64; 2],
        /// Its radius.
        radius: f64,
        /// What it means.
        class: &'static str,
    },
    /// Words.
    Text {
        /// Where the anchor lies on the base line.
        at: [f64; 2],
        /// Which part of the text lies there.
        anchor: Anchor,
        /// `title` or `label`; see `size`.
        class: &'static str,
        /// What is written.
        text: String,
    },
}

/// The part of a text that lies at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// The start.
    Start,
    /// The middle.
    Middle,
    /// The end.
    End,
}

impl Mark {
    /// The box that a text takes, as left, top, right, bottom; `None` of other marks.
    pub fn text_box(&self) -> Option<[f64; 4]> {
        let Self::Text { at: [x, y], anchor, class, text } = self else { return None };
        let size = size(class);
        let width = width(text, size);
        let left = match anchor {
            Anchor::Start => *x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        Some([left, y - 0.8 * size, left + width, y + 0.25 * size])
    }
}

/// The size of text of a class.
pub(super) fn size(class: &str) -> f64 {
    if class == "title" { 16.0 } else { 12.0 }
}

/// The width of a text, at or above what common sans-serif fonts take.
///
/// The advances are those of `DejaVu` Sans, the widest of them, rounded up by groups.
pub(super) fn width(text: &str, size: f64) -> f64 {
    size * text.chars().map(advance).sum::<f64>()
}

fn advance(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' => 0.34,
        ' ' | '.' | ',' | ':' | ';' | '!' | 'I' | '/' | '(' | ')' | '[' | ']' | '-'
        | 'f' | 't' | 'r' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' | '—' => 1.01,
        '<' | '>' | '=' | '+' | '−' | '±' => 0.84,
        'A'..='Z' => 0.79,
        '\u{0}'..='\u{24f}' => 0.64,
        '\u{250}'..='\u{10ff}' => 0.9,
        _ => 1.1,
    }
}

/// A text that takes no more than `room`, shortened in the middle where it must be.
pub(super) fn fitted(text: &str, class: &str, room: f64) -> String {
    let mut most = text.chars().count();
    let mut shown = text.to_owned();
    while most > 1 && width(&shown, size(class)) > room {
        most -= 1;
        shown = crate::display::name::shortened(text, most);
    }
    shown
}
