//! An analysis in words and numbers: text for people, JSON for programs, and between
//! them Markdown, CSV and `JUnit`.

mod csv;
mod difference;
mod dots;
mod html;
mod inspect;
mod json;
mod junit;
mod markdown;
mod prior_predictive;
mod text;
mod words;

use crate::display::{number, scale};

pub use csv::csv;
pub use dots::dots;
pub use html::{Made, html};
pub use inspect::{inspect_json, inspect_text};
pub use json::{SCHEMA, json};
pub use junit::junit;
pub use markdown::{MOST_CHARACTERS, markdown};
pub use prior_predictive::prior_predictive;
pub use text::{Palette, text};
