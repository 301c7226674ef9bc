//! An analysis in words and numbers: text for people, JSON for programs.

mod inspect;
mod json;
mod number;
mod prior_predictive;
mod scale;
mod text;
mod words;

pub use inspect::{inspect_json, inspect_text};
pub use json::{SCHEMA, json};
pub use prior_predictive::prior_predictive;
pub use text::{Palette, text};
