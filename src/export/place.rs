//! A file or folder that appears under its name whole or not at all.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::{fs, process};

use crate::error::Error;

/// Has `write` make a file beside `path`, then moves it there.
///
/// Devices and pipes are written to as they are: they hold nothing to keep whole.
/// Where `path` is a link, what it points to is replaced.
pub(crate) fn replace_file(
    typed: &str,
    write: impl FnOnce(&Path) -> io::Result<()>,
) -> Result<(), Error> {
    let path = resolved(typed);
    let names_folder = path.is_dir() || typed.ends_with(std::path::is_separator);
    let Some(beside) = beside(&path, "part").filter(|_| !names_folder) else {
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

/// Has `write` fill a new folder beside `path`, then moves it there.
///
/// A folder that stands there already is replaced only where it is empty or holds the
/// file `mark`, by which it is known as one that was written before.
pub(super) fn replace_folder(
    typed: &str,
    mark: &str,
    write: impl FnOnce(&Path) -> io::Result<()>,
) -> Result<(), Error> {
    let path = resolved(typed);
    let (Some(beside), Some(old)) = (beside(&path, "part"), beside(&path, "old"))
    else {
        return Err(Error::new("this names no new folder")
            .in_file(typed)
            .with_hint("write the name of a folder to be made"));
    };
    if path.exists() && !path.is_dir() {
        return Err(Error::new("this is a file, not a folder")
            .in_file(typed)
            .with_hint("remove it, or write elsewhere"));
    }
    if path.is_dir() && !may_be_replaced(&path, mark) {
        return Err(Error::new("this folder holds other files")
            .in_file(typed)
            .with_hint("write to a folder that is empty or not there yet"));
    }
    let made = fs::create_dir(&beside).and_then(|()| write(&beside));
    made.and_then(|()| swap(&beside, &path, &old))
        .inspect_err(|_| {
            let _ = fs::remove_dir_all(&beside);
        })
        .map_err(|error| unwritable(typed, &path, &error))
}

fn may_be_replaced(folder: &Path, mark: &str) -> bool {
    let is_empty =
        fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    is_empty || folder.join(mark).is_file()
}

/// Moves a folder into its place; what stood there goes only when that has worked.
fn swap(new: &Path, path: &Path, old: &Path) -> io::Result<()> {
    if !path.exists() {
        return fs::rename(new, path);
    }
    fs::rename(path, old)?;
    fs::rename(new, path).inspect_err(|_| {
        let _ = fs::rename(old, path);
    })?;
    fs::remove_dir_all(old)
}

/// The path behind links, without a separator at its end.
fn resolved(typed: &str) -> PathBuf {
    fs::canonicalize(typed).unwrap_or_else(|_| {
        let trimmed = typed.trim_end_matches(std::path::is_separator);
        PathBuf::from(if trimmed.is_empty() { typed } else { trimmed })
    })
}

/// A hidden name in the same folder, so that moving is renaming. `None` for `/`, `..`.
fn beside(path: &Path, what: &str) -> Option<PathBuf> {
    let mut name = OsString::from(".");
    name.push(path.file_name()?);
    name.push(format!(".{}.{what}", process::id()));
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

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: &str = "mark";

    fn entries(folder: &Path) -> Vec<OsString> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name()).collect();
        names.sort();
        names
    }

    fn fill(text: &str) -> impl FnOnce(&Path) -> io::Result<()> + use<'_> {
        move |folder| fs::write(folder.join(MARK), text)
    }

    #[test]
    fn a_folder_is_replaced_whole_by_a_newer_one() {
        let around = tempfile::tempdir().unwrap();
        let place = around.path().join("fit");
        let typed = place.to_str().unwrap();
        replace_folder(typed, MARK, fill("old")).unwrap();
        fs::write(place.join("chain-5"), "of the old one").unwrap();
        replace_folder(&format!("{typed}/"), MARK, fill("new")).unwrap();
        assert_eq!(fs::read_to_string(place.join(MARK)).unwrap(), "new");
        assert_eq!((entries(around.path()).len(), entries(&place).len()), (1, 1));
    }

    #[test]
    fn a_disk_that_fills_leaves_the_old_folder_and_no_half_of_a_new_one() {
        let around = tempfile::tempdir().unwrap();
        let place = around.path().join("fit");
        let typed = place.to_str().unwrap();
        replace_folder(typed, MARK, fill("old")).unwrap();
        let full = |folder: &Path| {
            fs::write(folder.join("half"), "a")?;
            Err(io::Error::from(ErrorKind::StorageFull))
        };
        let error = replace_folder(typed, MARK, full).unwrap_err();
        assert_eq!(error.to_string(), format!("{typed}: the disk is full"));
        assert_eq!(entries(around.path()), ["fit"]);
        assert_eq!(entries(&place), [MARK]);
    }

    #[test]
    fn a_folder_of_something_else_is_not_touched() {
        let around = tempfile::tempdir().unwrap();
        fs::write(around.path().join("thesis.tex"), "years of work").unwrap();
        let typed = around.path().to_str().unwrap();
        let error = replace_folder(typed, MARK, fill("draws")).unwrap_err();
        assert_eq!(error.what(), "this folder holds other files");
        assert_eq!(entries(around.path()), ["thesis.tex"]);
    }

    #[test]
    fn an_empty_folder_is_filled_and_a_file_is_no_folder() {
        let around = tempfile::tempdir().unwrap();
        let place = around.path().join("fit");
        fs::create_dir(&place).unwrap();
        replace_folder(place.to_str().unwrap(), MARK, fill("draws")).unwrap();
        let file = place.join(MARK);
        let error = replace_folder(file.to_str().unwrap(), MARK, fill("")).unwrap_err();
        assert_eq!(error.what(), "this is a file, not a folder");
        assert_eq!(fs::read_to_string(file).unwrap(), "draws");
    }
}
