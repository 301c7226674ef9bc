//! The floors: a module uses only floors below its own.

use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up; those of one row may not use one another.
const FLOORS: [&[&str]; 13] = [
    &["error", "warning", "numerics"],
    &["data"],
    &["frequentist", "draws"],
    &["sampler"],
    &["model"],
    &["formats"],
    &["analysis"],
    &["export"],
    &["display"],
    &["plot"],
    &["report"],
    &["cli"],
    &["main", "lib"],
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|e| e.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            all.push(path);
        }
    }
    all
}

/// The top-level module that a file belongs to.
fn module(path: &Path) -> String {
    let inside = path.strip_prefix(source()).expect("a file of src");
    let first = inside.components().next().expect("a name");
    let first = Path::new(first.as_os_str());
    first.file_stem().expect("a stem").to_string_lossy().into_owned()
}

fn floor(module: &str) -> usize {
    let floor = FLOORS.iter().position(|floor| floor.contains(&module));
    floor.unwrap_or_else(|| panic!("`{module}` stands on no floor"))
}

/// The modules named after `crate::` in the program text, tests at its foot left out.
fn used(text: &str) -> Vec<String> {
    let program = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    program
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| {
            line.match_indices("crate::").map(move |(at, _)| &line[at + 7..])
        })
        .map(|rest| {
            rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
        })
        .filter(|name: &String| !name.is_empty())
        .collect()
}

#[test]
fn every_module_uses_only_floors_below_its_own() {
    for path in files(&source()) {
        let text = fs::read_to_string(&path).expect("a readable file");
        let own = module(&path);
        for other in used(&text) {
            let below = floor(&other) < floor(&own);
            assert!(below || other == own, "{} uses `{other}`", path.display());
        }
    }
}

#[test]
fn every_file_says_in_its_first_line_what_it_is_for() {
    for path in files(&source()) {
        let text = fs::read_to_string(&path).expect("a readable file");
        let documented = text.starts_with("//! ") || text.starts_with("#![doc = ");
        assert!(documented, "{}", path.display());
    }
}

#[test]
fn every_model_file_is_registered_and_has_its_stan_twin() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut stems: Vec<String> = files(&folder)
        .iter()
        .map(|path| path.file_name().expect("a name").to_string_lossy().into_owned())
        .collect();
    let mut registered: Vec<String> = patchodds::model::MODELS
        .iter()
        .flat_map(|model| {
            [format!("{}.stan", model.name), format!("{}.toml", model.name)]
        })
        .collect();
    stems.sort();
    registered.sort();
    assert_eq!(stems, registered);
}
