//! Folders that are one measurement: what is in them, in the order of names.

use std::path::{Path, PathBuf};

use super::words::unreadable;
use crate::error::Error;

/// The folders in a folder; hidden ones are not looked into.
pub(super) fn folders(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    // Links are not followed: they may lead back.
    entries(folder, |entry| Ok(entry.file_type()?.is_dir()))
}

/// The files in a folder whose names end in a suffix.
pub(super) fn files(folder: &Path, suffix: &str) -> Result<Vec<PathBuf>, Error> {
    let has_suffix = |path: &Path| path.extension().is_some_and(|own| own == suffix);
    entries(folder, |entry| Ok(has_suffix(&entry.path()) && entry.path().is_file()))
        .map_err(|error| unreadable(&folder.to_string_lossy(), &error))
}

fn entries(
    folder: &Path,
    wanted: impl Fn(&std::fs::DirEntry) -> std::io::Result<bool>,
) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if !hidden && wanted(&entry)? {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// The last part of a path.
pub(super) fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The text of a file in a folder.
pub(super) fn read_text(path: &str) -> Result<String, Error> {
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
    super::text::decode(path, bytes)
}
