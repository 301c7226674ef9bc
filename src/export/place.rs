//! A file that appears under its name whole or not at all.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::{fs, process};

use crate::error::Error;

/// Has `write` make a file or folder beside `path`, then moves it there.
///
/// Devices and pipes are written to as they are: they hold nothing to keep whole.
/// Where `path` is a link, what it points to is replaced.
pub(crate) fn replace(
    path: &str,
    write: impl FnOnce(&Path) -> io::Result<()>,
) -> Result<(), Error> {
    let typed = path;
    let path = fs::canonicalize(typed).unwrap_or_else(|_| PathBuf::from(typed));
    let Some(beside) = beside(&path).filter(|_| !names_folder(typed, &path)) else {
        return Err(Error::new("this is a folder, not a file")
            .in_file(typed)
            .with_hint("write the name of a file in it"));
    };
    let is_device = fs::metadata(&path).is_ok_and(|found| !found.is_file());
    let done = if is_device {
        write(&path)
    } else {
        write(&beside).and_then(|()| fs::rename(&beside, &path)).inspect_err(|_| {
            // Nothing better can be done where even this fails.
            let _ = fs::remove_file(&beside);
        })
    };
    done.map_err(|error| unwritable(typed, &path, &error))
}

fn names_folder(typed: &str, path: &Path) -> bool {
    path.is_dir() || typed.ends_with(std::path::is_separator)
}

/// A hidden name in the same folder, so that moving is renaming. `None` for `/`, `..`.
fn beside(path: &Path) -> Option<PathBuf> {
    let mut name = OsString::from(".");
    name.push(path.file_name()?);
    name.push(format!(".{}.part", process::id()));
    Some(path.with_file_name(name))
}

fn unwritable(typed: &str, path: &Path, error: &io::Error) -> Error {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).display();
    let (what, hint) = match error.kind() {
        ErrorKind::NotFound => (
            format!("there is no folder `{folder}`"),
            "make the folder first, or write elsewhere".to_owned(),
        ),
        ErrorKind::NotADirectory => (
            format!("`{folder}` is not a folder"),
            "check the path, or write elsewhere".to_owned(),
        ),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => (
            format!("writing in `{folder}` is not allowed"),
            "write to a folder of your own".to_owned(),
        ),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            ("the disk is full".to_owned(), "make room, or write elsewhere".to_owned())
        }
        _ => (
            format!("cannot be written: {error}"),
            "check the path, or write elsewhere".to_owned(),
        ),
    };
    Error::new(what).in_file(typed).with_hint(hint)
}
