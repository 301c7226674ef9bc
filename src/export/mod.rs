//! Draws as files: one file for each kind, one registry.
//!
//! A new kind is a file beside this one with a `KIND` in it, and its entry in [`KINDS`].

use std::path::Path;

use crate::draws::Draws;
use crate::error::{Error, unknown_name};

mod csv;
mod place;

pub(crate) use place::replace;

/// A kind of file that draws can be written as.
#[derive(Debug)]
pub struct Kind {
    /// Its name, as in `KIND:PATH`; lower case.
    pub name: &'static str,
    /// The endings of a file's name that ask for it, without the dot; lower case.
    pub suffixes: &'static [&'static str],
    /// What it is and who reads it, in a line.
    pub about: &'static str,
    /// Writes a new file or folder at the path, which is then moved into its place.
    write: fn(&Draws, &Path) -> std::io::Result<()>,
}

/// Every kind there is.
pub const KINDS: &[&Kind] = &[&csv::KIND];

/// Where draws are to be written, and as what.
#[derive(Debug, Clone, Copy)]
pub struct Destination<'a> {
    kind: &'static Kind,
    path: &'a str,
}

impl<'a> Destination<'a> {
    /// Reads `PATH`, whose ending says the kind, or `KIND:PATH`.
    ///
    /// # Errors
    /// When there is no such kind; the hint lists those that exist.
    pub fn parse(argument: &'a str) -> Result<Self, Error> {
        let Some((name, path)) = argument.split_once(':') else {
            return Self::by_suffix(argument);
        };
        match KINDS.iter().find(|kind| kind.name == name) {
            Some(_) if path.is_empty() => Err(Error::new(format!(
                "`{argument}` names no file"
            ))
            .with_hint(format!("write the path behind the colon: `{name}:PATH`"))),
            Some(kind) => Ok(Self { kind, path }),
            // A path may hold a colon: `runs/12:30.csv`, `C:\draws.csv`.
            None => Self::by_suffix(argument).map_err(|error| {
                if is_word(name) { unknown_kind(name) } else { error }
            }),
        }
    }

    fn by_suffix(path: &'a str) -> Result<Self, Error> {
        let suffix = Path::new(path).extension().and_then(|suffix| suffix.to_str());
        let suffix = suffix.map(str::to_lowercase);
        let asked = |kind: &&&Kind| {
            suffix.as_deref().is_some_and(|suffix| kind.suffixes.contains(&suffix))
        };
        match KINDS.iter().find(asked) {
            Some(kind) => Ok(Self { kind, path }),
            None => Err(unknown_suffix(path)),
        }
    }

    /// The kind of file.
    pub fn kind(&self) -> &'static Kind {
        self.kind
    }

    /// The path, as typed.
    pub fn path(&self) -> &'a str {
        self.path
    }

    /// Writes the draws. What stood there before is replaced in one step at the end, so
    /// that no half-written file is ever found under the name.
    ///
    /// # Errors
    /// When the file cannot be written; nothing is left behind then.
    pub fn write(&self, draws: &Draws) -> Result<(), Error> {
        place::replace(self.path, |path| (self.kind.write)(draws, path))
    }
}

/// Whether this can be meant as a kind; a single letter is a drive.
fn is_word(text: &str) -> bool {
    text.len() > 1 && text.chars().all(|letter| letter.is_ascii_alphanumeric())
}

fn unknown_kind(name: &str) -> Error {
    unknown_name("kind of draws file", name, KINDS.iter().map(|kind| kind.name))
}

fn unknown_suffix(path: &str) -> Error {
    let suffixes = KINDS.iter().flat_map(|kind| kind.suffixes);
    let suffixes: Vec<String> = suffixes.map(|suffix| format!("`.{suffix}`")).collect();
    let names: Vec<String> =
        KINDS.iter().map(|kind| format!("`{}:PATH`", kind.name)).collect();
    Error::new("the ending of this name says no kind of draws file")
        .in_file(path)
        .with_hint(format!(
            "end the name in {}, or write {}",
            suffixes.join(", "),
            names.join(", ")
        ))
}
