//! The draws of many fits in one folder, with a list of what is what.

use std::fs;
use std::io;
use std::path::Path;

use serde::Serialize;

use super::{Kind, Writer};
use crate::analysis::Comparison;

/// The list; a folder that holds it is one of ours.
pub(super) const INDEX: &str = "index.json";

/// Longer names are cut: some file systems end at 255 bytes.
const LONGEST_NAME: usize = 60;

#[derive(Serialize)]
struct Index<'a> {
    schema: &'static str,
    kind: &'static str,
    fits: Vec<Entry<'a>>,
}

/// One fit, by the names of the JSON output.
#[derive(Serialize)]
struct Entry<'a> {
    file: String,
    benchmark: Option<&'a str>,
    metric: Option<&'a str>,
    unit: Option<&'a str>,
    baseline: &'a str,
    candidate: &'a str,
    model: &'a str,
}

pub(super) fn write(
    kind: &'static Kind,
    comparisons: &[Comparison],
    folder: &Path,
) -> io::Result<()> {
    let mut fits = Vec::new();
    for (i, comparison) in comparisons.iter().enumerate() {
        let file = file_name(kind, i + 1, comparison);
        let path = folder.join(&file);
        match (kind.writer)(&file) {
            Writer::File(write) => write(&comparison.draws, &path)?,
            Writer::Folder { write, .. } => {
                fs::create_dir(&path)?;
                write(&comparison.draws, &path)?;
            }
        }
        fits.push(Entry {
            file,
            benchmark: comparison.benchmark.as_deref(),
            metric: comparison.metric.name.as_deref(),
            unit: comparison.metric.unit.as_deref(),
            baseline: &comparison.baseline.label,
            candidate: &comparison.candidate.label,
            model: &comparison.model.name,
        });
    }
    let index = Index { schema: "patchodds/draws/1", kind: kind.name, fits };
    fs::write(folder.join(INDEX), serde_json::to_vec_pretty(&index)?)
}

/// The place in the list keeps names apart; the words are for people.
fn file_name(kind: &Kind, number: usize, comparison: &Comparison) -> String {
    let benchmark = comparison.benchmark.as_deref();
    let metric = comparison.metric.name.as_deref();
    let words = [benchmark, metric, Some(comparison.candidate.label.as_str())];
    let mut name = format!("{number:04}");
    for word in words.into_iter().flatten() {
        name.push('-');
        name.extend(word.chars().map(plain));
    }
    name.truncate(LONGEST_NAME); // plain letters are one byte each
    if let Some(suffix) = kind.suffixes.first() {
        name.push('.');
        name.push_str(suffix);
    }
    name
}

/// What every file system takes.
fn plain(letter: char) -> char {
    if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' }
}
