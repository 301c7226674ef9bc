//! Draws to files: one file a kind, one registry.

mod csv;

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::draws::Draws;
use crate::error::Error;

/// A kind of file that draws are written to.
pub trait Export: Sync {
    /// Its name, as in `KIND:PATH`; also the suffix that chooses it.
    fn name(&self) -> &'static str;

    /// Writes the draws.
    ///
    /// # Errors
    /// When the stream cannot be written.
    fn write(&self, draws: &Draws, to: &mut dyn Write) -> std::io::Result<()>;
}

/// All kinds.
pub const EXPORTS: &[&dyn Export] = &[&csv::Csv];

/// Where draws go, and in which form.
#[derive(Clone)]
pub struct Target {
    kind: &'static dyn Export,
    path: PathBuf,
    shown: String,
}

impl Target {
    /// Reads `PATH`, whose suffix chooses the kind, or `KIND:PATH`.
    ///
    /// # Errors
    /// When the kind is not known; the hint lists those that are.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let by_name = |name: &str| {
            EXPORTS.iter().find(|kind| kind.name().eq_ignore_ascii_case(name)).copied()
        };
        let (kind, path) = match text.split_once(':') {
            Some((name, path)) if by_name(name).is_some() => (by_name(name), path),
            _ => {
                let suffix =
                    Path::new(text).extension().and_then(|suffix| suffix.to_str());
                (suffix.and_then(by_name), text)
            }
        };
        let Some(kind) = kind else {
            let known: Vec<String> =
                EXPORTS.iter().map(|kind| format!("`.{}`", kind.name())).collect();
            return Err(Error::new(format!(
                "the suffix of `{text}` tells no kind of file"
            ))
            .in_file("--save-draws")
            .with_hint(format!("suffixes known: {}", known.join(", "))));
        };
        if path.is_empty() {
            return Err(Error::new(format!("`{text}` names no file"))
                .in_file("--save-draws")
                .with_hint(format!("such as `draws.{}`", kind.name())));
        }
        Ok(Self { kind, path: PathBuf::from(path), shown: path.to_owned() })
    }
}

/// Writes draws beside the target, then renames: no half-written file is ever left
/// under its name.
///
/// # Errors
/// When the file cannot be written; nothing is left behind then.
pub fn write(draws: &Draws, target: &Target) -> Result<(), Error> {
    let beside = beside(&target.path);
    let done = write_to(draws, target.kind, &beside)
        .and_then(|()| std::fs::rename(&beside, &target.path));
    done.map_err(|error| {
        let _ = std::fs::remove_file(&beside);
        Error::new(format!("the draws cannot be written: {error}"))
            .in_file(&target.shown)
            .with_hint("name a file in a folder that exists and may be written to")
    })
}

fn write_to(draws: &Draws, kind: &dyn Export, path: &Path) -> std::io::Result<()> {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    kind.write(draws, &mut file)?;
    file.flush()
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}
