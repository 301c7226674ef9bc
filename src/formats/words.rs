//! The words of the command line as labelled files.

use std::path::{Path, PathBuf};

use super::Format;
use crate::error::Error;

/// One file to read.
#[derive(Clone)]
pub(super) struct Found {
    /// As the user typed it, or the name in the folder typed; `stdin`.
    pub(super) typed: String,
    /// Where it is; `None` for standard input.
    pub(super) path: Option<PathBuf>,
    /// The format that reads it whole, where it is a folder.
    pub(super) whole: Option<&'static dyn Format>,
}

/// One variant, or one file of several.
#[derive(Clone)]
pub(super) struct Given {
    /// Which word it was first, counted from 0.
    pub(super) word: usize,
    pub(super) label: String,
    /// Whether the user gave the label.
    pub(super) labelled: bool,
    /// What the user typed, without the label.
    typed: String,
    pub(super) files: Vec<Found>,
}

/// Reads words as files, in their order; a label that comes again adds to the first.
pub(super) fn resolve(words: &[&str]) -> Result<Vec<Given>, Error> {
    let mut all: Vec<Given> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let (label, path) = split(word, |path| Path::new(path).exists())?;
        let next = Given {
            word: at,
            label: label.unwrap_or_default().to_owned(),
            labelled: label.is_some(),
            typed: path.to_owned(),
            files: files(path)?,
        };
        let known =
            all.iter_mut().find(|known| known.labelled && known.label == next.label);
        match known {
            Some(known) if next.labelled => known.files.extend(next.files),
            _ => all.push(next),
        }
    }
    let stdin =
        all.iter().flat_map(|one| &one.files).filter(|file| file.path.is_none());
    if stdin.count() > 1 {
        return Err(Error::new("standard input is given twice")
            .in_file("-")
            .with_hint("it can be read once: give the other variant as a file"));
    }
    label_by_name(&mut all)?;
    Ok(all)
}

/// `LABEL=PATH`, or the path alone.
fn split(
    word: &str,
    exists: impl Fn(&str) -> bool,
) -> Result<(Option<&str>, &str), Error> {
    if word.is_empty() {
        return Err(
            Error::new("an argument is empty").with_hint("give the path of a file")
        );
    }
    let Some((label, path)) = word.split_once('=') else { return Ok((None, word)) };
    if label.contains(['/', '\\']) {
        return Ok((None, word));
    }
    if exists(word) {
        if !label.is_empty() && !path.is_empty() && exists(path) {
            return Err(Error::new(format!(
                "`{word}` is a file, and `{path}` is one that could be labelled `{label}`"
            ))
            .with_hint(format!("write `./{word}` for the file of that name")));
        }
        return Ok((None, word));
    }
    let example = "write `LABEL=PATH`, such as `old=old.txt`";
    if label.is_empty() {
        return Err(
            Error::new(format!("the label in `{word}` is empty")).with_hint(example)
        );
    }
    if path.is_empty() {
        return Err(
            Error::new(format!("the path in `{word}` is empty")).with_hint(example)
        );
    }
    Ok((Some(label), path))
}

/// The files that a path means: itself, those in a folder, or those that match.
fn files(typed: &str) -> Result<Vec<Found>, Error> {
    if typed == "-" {
        return Ok(vec![Found { typed: "stdin".to_owned(), path: None, whole: None }]);
    }
    let path = Path::new(typed);
    let one =
        |whole| Found { typed: typed.to_owned(), path: Some(path.to_owned()), whole };
    let found = if path.is_dir() {
        if let Some(format) = super::claimant(path) {
            return Ok(vec![one(Some(format))]);
        }
        in_folder(typed)?
    } else if !path.exists() && typed.contains(['*', '?', '[']) {
        matching(typed)?
    } else {
        return Ok(vec![one(None)]);
    };
    let mut found: Vec<Found> = found
        .into_iter()
        .map(|path| Found {
            typed: path.to_string_lossy().into_owned(),
            path: Some(path),
            whole: None,
        })
        .collect();
    found.sort_by(|a, b| a.typed.as_bytes().cmp(b.typed.as_bytes()));
    Ok(found)
}

fn in_folder(typed: &str) -> Result<Vec<PathBuf>, Error> {
    let unreadable = |error: std::io::Error| unreadable(typed, &error);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(typed).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if !hidden && entry.path().is_file() {
            found.push(entry.path());
        }
    }
    if found.is_empty() {
        return Err(Error::new("there is no file in this folder")
            .in_file(typed)
            .with_hint("folders inside are not searched, nor hidden files"));
    }
    Ok(found)
}

fn matching(typed: &str) -> Result<Vec<PathBuf>, Error> {
    let options = glob::MatchOptions {
        require_literal_separator: true,
        require_literal_leading_dot: true,
        ..glob::MatchOptions::new()
    };
    let paths = glob::glob_with(typed, options).map_err(|error| {
        Error::new(format!("it is no pattern: {}", error.msg))
            .in_file(typed)
            .with_hint("`*` stands for any text, `?` for a letter, `[*]` for a star")
    })?;
    let mut found = Vec::new();
    for path in paths {
        let path = path.map_err(|error| unreadable(typed, error.error()))?;
        if path.is_file() {
            found.push(path);
        }
    }
    if found.is_empty() {
        return Err(Error::new("no file matches this pattern")
            .in_file(typed)
            .with_hint("check the folder and the pattern; keep it in quotes"));
    }
    Ok(found)
}

/// A file or folder that cannot be read.
pub(super) fn unreadable(path: &str, error: &std::io::Error) -> Error {
    let (what, hint) = match error.kind() {
        std::io::ErrorKind::NotFound => (
            "there is no such file".to_owned(),
            "check the path; labels are written `LABEL=PATH`",
        ),
        std::io::ErrorKind::PermissionDenied => {
            ("it may not be read".to_owned(), "check its permissions")
        }
        _ => (
            format!("it cannot be read: {}", error.to_string().to_lowercase()),
            "check the path",
        ),
    };
    Error::new(what).in_file(path).with_hint(hint)
}

/// Labels what has none by its stem, with as much of its folder as makes it unique.
fn label_by_name(all: &mut [Given]) -> Result<(), Error> {
    let names: Vec<Vec<String>> = all
        .iter()
        .map(|one| if one.labelled { vec![one.label.clone()] } else { names(one) })
        .collect();
    let name = |of: usize, depth: usize| {
        let names = &names[of];
        names[depth.min(names.len() - 1)].as_str()
    };
    let mut depths = vec![0; all.len()];
    let deepest = names.iter().map(Vec::len).max().unwrap_or(0);
    for _ in 0..deepest {
        let clashing: Vec<usize> = (0..all.len())
            .filter(|&of| {
                (0..all.len()).any(|other| {
                    other != of && name(of, depths[of]) == name(other, depths[other])
                })
            })
            .collect();
        for of in clashing {
            depths[of] += 1;
        }
    }
    for of in 0..all.len() {
        let label = name(of, depths[of]).to_owned();
        if (0..of).any(|other| all[other].label == label) {
            return Err(Error::new(format!("`{}` is given twice", all[of].typed))
                .with_hint("give each its own label, such as `one=PATH two=PATH`"));
        }
        all[of].label = label;
    }
    Ok(())
}

/// What it may be called, from short to long; never empty.
fn names(one: &Given) -> Vec<String> {
    if one.typed == "-" {
        return vec!["stdin".to_owned()];
    }
    let path = Path::new(&one.typed);
    let name = |part: Option<&std::ffi::OsStr>| {
        part.map(|part| part.to_string_lossy().into_owned())
            .filter(|part| !part.is_empty())
    };
    let folder = path.is_dir();
    let stem = if folder { name(path.file_name()) } else { name(path.file_stem()) };
    let stem = match stem {
        // A pattern such as `old/*.txt` is called by its folder.
        Some(stem) if stem.contains('*') => {
            name(path.parent().and_then(Path::file_name)).unwrap_or(stem)
        }
        Some(stem) => stem,
        None => one.typed.clone(),
    };
    let mut names = vec![stem.clone()];
    let mut long = stem;
    for parent in path.ancestors().skip(1) {
        if let Some(part) = name(parent.file_name()) {
            long = format!("{part}/{long}");
            names.push(long.clone());
        }
    }
    if let Some(whole) = name(path.file_name()) {
        names.push(whole);
    }
    names.push(one.typed.clone());
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_split_at_its_first_equals_sign_unless_it_is_a_path() {
        let none = |_: &str| false;
        assert_eq!(split("a=b=c", none), Ok((Some("a"), "b=c")));
        assert_eq!(split("./a=b", none), Ok((None, "./a=b")));
        assert_eq!(split("d\\a=b", none), Ok((None, "d\\a=b")));
        assert_eq!(split("a=d/b", none), Ok((Some("a"), "d/b")));
        let whole = |path: &str| path == "a=b";
        assert_eq!(split("a=b", whole), Ok((None, "a=b")));
    }

    #[test]
    fn a_word_with_two_readings_is_refused_with_the_way_to_write_it() {
        let error = split("a=b", |_| true).expect_err("both exist");
        assert_eq!(
            error.to_string(),
            "`a=b` is a file, and `b` is one that could be labelled `a`"
        );
        assert_eq!(error.hint(), Some("write `./a=b` for the file of that name"));
    }
}
