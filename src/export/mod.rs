//! Draws as files: one file for each kind, one registry.
//!
//! A new kind is a file beside this one with a `KIND` in it, and its entry in [`KINDS`].

use std::io;
use std::path::Path;

use crate::analysis::Comparison;
use crate::draws::Draws;
use crate::error::{Error, unknown_name};

mod cmdstan;
mod collection;
mod csv;
mod json;
#[cfg(feature = "netcdf")]
mod netcdf;
mod number;
#[cfg(feature = "parquet")]
mod parquet;
mod place;
mod stan;
mod tree;
mod zarr;

pub use stan::save_stan;

pub(crate) use place::replace_file;

/// A kind of file that draws can be written as.
#[derive(Debug)]
pub struct Kind {
    /// Its name, as in `KIND:PATH`; lower case.
    pub name: &'static str,
    /// The endings of a file's name that ask for it, without the dot; lower case.
    pub suffixes: &'static [&'static str],
    /// What it is and who reads it, in a line.
    pub about: &'static str,
    /// How it is written under this name.
    writer: fn(&str) -> Writer,
}

/// Writes something new, which is then moved into its place.
enum Writer {
    /// Makes a file at the path.
    File(fn(&Draws, &Path) -> io::Result<()>),
    /// Fills a folder; the file `mark` in it tells that it may be replaced.
    Folder { mark: &'static str, write: fn(&Draws, &Path) -> io::Result<()> },
}

/// Every kind there is.
pub const KINDS: &[&Kind] = &[
    &csv::KIND,
    #[cfg(feature = "parquet")]
    &parquet::KIND,
    &zarr::KIND,
    #[cfg(feature = "netcdf")]
    &netcdf::KIND,
    &json::KIND,
    &cmdstan::KIND,
];

/// Where draws are to be written, and as what.
#[derive(Debug, Clone, Copy)]
pub struct Destination<'a> {
    kind: &'static Kind,
    path: &'a str,
    is_collection: bool,
}

impl<'a> Destination<'a> {
    /// Reads `PATH`, whose ending says the kind, or `KIND:PATH`, or `KIND:FOLDER/` for
    /// one file for each fit.
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
            Some(kind) => {
                let is_collection = path.ends_with(std::path::is_separator);
                Ok(Self { kind, path, is_collection })
            }
            // A path may hold a colon: `runs/12:30.csv`, `C:\draws.csv`.
            None => Self::by_suffix(argument).map_err(|error| {
                if is_word(name) { unknown_kind(name) } else { error }
            }),
        }
    }

    fn by_suffix(path: &'a str) -> Result<Self, Error> {
        // The shell completes the name of a folder with a separator.
        let name = path.trim_end_matches(std::path::is_separator).to_lowercase();
        let ends_in = |suffix: &&str| {
            let stem = name.strip_suffix(*suffix);
            stem.and_then(|stem| stem.strip_suffix('.')).is_some_and(is_name)
        };
        match KINDS.iter().find(|kind| kind.suffixes.iter().any(ends_in)) {
            Some(kind) => Ok(Self { kind, path, is_collection: false }),
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

    /// Whether this is a folder of one file for each fit.
    pub fn is_collection(&self) -> bool {
        self.is_collection
    }

    /// Writes the draws of one fit. What stood there before is replaced in one step at
    /// the end, so that nothing half-written is ever found under the name.
    ///
    /// # Errors
    /// When the file cannot be written; nothing is left behind then.
    pub fn write(&self, draws: &Draws) -> Result<(), Error> {
        match (self.kind.writer)(self.path) {
            Writer::File(write) => {
                place::replace_file(self.path, |path| write(draws, path))
            }
            Writer::Folder { mark, write } => {
                place::replace_folder(self.path, mark, |path| write(draws, path))
            }
        }
    }

    /// Writes the draws of some comparisons: one to a file, or a folder of them all.
    ///
    /// # Errors
    /// When nothing can be written there, or one file should hold several fits.
    pub fn write_all(&self, comparisons: &[Comparison]) -> Result<(), Error> {
        if self.is_collection {
            return place::replace_folder(self.path, collection::INDEX, |folder| {
                collection::write(self.kind, comparisons, folder)
            });
        }
        let [comparison] = comparisons else {
            let (count, kind) = (comparisons.len(), self.kind.name);
            return Err(Error::new(format!(
                "one file holds the draws of one comparison, and there are {count}"
            ))
            .in_file("--save-draws")
            .with_hint(format!(
                "choose one with `--benchmark` and `--metric`, or write `{kind}:FOLDER/`"
            )));
        };
        self.write(&comparison.draws)
    }
}

/// Whether this can be a file's name, or a path to one, before its ending.
fn is_name(stem: &str) -> bool {
    !stem.is_empty() && !stem.ends_with(std::path::is_separator)
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
