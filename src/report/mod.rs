//! An analysis in words and numbers: text for people, JSON for programs.

mod json;
mod number;
mod scale;
mod text;
mod words;

pub use json::{SCHEMA, json};
pub use text::{Palette, text};
