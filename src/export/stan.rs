//! A model as Stan's tools read it: a folder with the program and its data.

use std::fs;
use std::path::Path;

use super::place;
use crate::analysis::Comparison;
use crate::error::Error;

/// The program; a folder that holds it is one of ours.
const PROGRAM: &str = "model.stan";

/// Writes `model.stan` and `data.json` of one comparison into a folder of their own.
///
/// # Errors
/// When there are several comparisons, or the folder cannot be written.
pub fn save_stan(folder: &str, comparisons: &[Comparison]) -> Result<(), Error> {
    let [Comparison { stan: Some(stan), .. }] = comparisons else {
        let count = comparisons.len();
        let what = format!(
            "one program reads the data of one comparison, and there are {count}"
        );
        return Err(Error::new(what)
            .in_file("--save-stan")
            .with_hint("choose one with `--benchmark` and `--metric`"));
    };
    place::replace_folder(folder, PROGRAM, |path: &Path| {
        fs::write(path.join(PROGRAM), &stan.program)?;
        fs::write(path.join("data.json"), format!("{:#}\n", stan.data))
    })
}
