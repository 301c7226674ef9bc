//! A scene as SVG text: a document of its own, or part of a page that styles it.

use std::fmt::Write;

use super::scene::{Anchor, Mark, Scene};
use crate::display::xml::escaped;

/// The looks of each class on white. Hues are Okabe and Ito's (2008), told apart by
/// people of any colour vision; worse is also the darker of the areas.
const STYLE: &str = "\
text{font-family:'DejaVu Sans',Verdana,sans-serif;font-size:12px;fill:#222}\
.title{font-size:16px}\
.page{fill:#fff}\
.axis{stroke:#555;fill:none}\
.grid{stroke:#e3e3e3;fill:none}\
.zero{stroke:#222;stroke-width:1.5;stroke-dasharray:5 3;fill:none}\
.margin{fill:#ececec}\
.density{fill:#9ccbe8}\
.worse{fill:#c04f00}\
.outline{stroke:#222;stroke-width:1.2;fill:none}\
.interval{stroke:#222;stroke-width:3;fill:none}\
.median{fill:#222}\
.baseline{fill:#fff;stroke:#0072b2;stroke-width:1.5}\
.candidate{fill:#c04f00;stroke:#c04f00}\
.band{fill:#d5d5d5}\
.mean{stroke:#222;stroke-width:2;fill:none}\
.bar{fill:#7fb2d3}\
.measured{stroke:#c04f00;stroke-width:2.5;fill:none}\
.chain1{stroke:#0072b2;fill:none}\
.chain2{stroke:#d55e00;fill:none}\
.chain3{stroke:#009e73;fill:none}\
.chain4{stroke:#777;fill:none}";

/// A whole SVG file.
pub fn document(scene: &Scene) -> String {
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" {}\n\
         <style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
        number(scene.width),
        number(scene.height),
        opening(scene),
    );
    text.push_str(&body(scene));
    text
}

/// An SVG element for an HTML page; `style` of the page says how its classes look.
pub fn inline(scene: &Scene) -> String {
    format!("<svg class=\"plot\" {}\n{}", opening(scene), body(scene))
}

fn opening(scene: &Scene) -> String {
    format!(
        "viewBox=\"0 0 {} {}\" role=\"img\">\n<title>{}</title>\n<desc>{}</desc>",
        number(scene.width),
        number(scene.height),
        escaped(&scene.title),
        escaped(&scene.description),
    )
}

fn body(scene: &Scene) -> String {
    let mut text: String = scene.marks.iter().map(mark).collect();
    text.push_str("</svg>\n");
    text
}

fn mark(mark: &Mark) -> String {
    match mark {
        Mark::Line { points, class } => {
            format!("<polyline class=\"{class}\" points=\"{}\"/>\n", list(points))
        }
        Mark::Area { points, class } => {
            format!("<polygon class=\"{class}\" points=\"{}\"/>\n", list(points))
        }
        Mark::Dot { at: [x, y], radius, class } => format!(
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n",
            number(*x),
            number(*y),
            number(*radius)
        ),
        Mark::Text { at: [x, y], anchor, class, text } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            format!(
                "<text class=\"{class}\" x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\">{}</text>\n",
                number(*x),
                number(*y),
                escaped(text)
            )
        }
    }
}

fn list(points: &[[f64; 2]]) -> String {
    let mut text = String::new();
    for [x, y] in points {
        let gap = if text.is_empty() { "" } else { " " };
        write!(text, "{gap}{},{}", number(*x), number(*y)).expect("memory has room");
    }
    text
}

/// A tenth of a pixel is enough.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
