//! What Criterion keeps of a benchmark: a folder of samples, a variant a baseline.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::folder::{folders, name_of, read_text};
use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse};
use super::words::unreadable;
use super::{File, Format, Options};
use crate::data::{Reading, Record, Runs, VariantsBy, shortest_resolution};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Criterion;

/// Iterations and their time in ns, sample by sample.
#[derive(Deserialize)]
#[serde(untagged)]
enum Sample {
    Named {
        iters: Vec<Number>,
        times: Vec<Number>,
    },
    /// Before version 0.4.
    Bare(Vec<Number>, Vec<Number>),
}

#[derive(Deserialize)]
struct About {
    full_id: Option<String>,
    title: Option<String>,
}

impl Format for Criterion {
    fn name(&self) -> &'static str {
        "criterion"
    }

    fn description(&self) -> &'static str {
        "Criterion's folders (`target/criterion`), a variant each baseline, or one \
         `sample.json`"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let outline = Outline::of(file.text);
        outline.has(&["iters", "times"]) || outline.has(&["sampling_mode"])
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let mut gathering = Gathering::default();
        sample(file)?.gather(named(None, "time", Some("ns")), &mut gathering);
        gathering.finish(self.name(), file.path)
    }

    fn claims(&self, folder: &Path) -> bool {
        has_sample(folder, DEPTH)
    }

    fn read_folder(&self, folder: &Path, typed: &str) -> Result<Reading, Error> {
        let mut samples = Vec::new();
        find(folder, DEPTH, &mut samples).map_err(|error| unreadable(typed, &error))?;
        samples.sort_by_key(|path| order(path));
        let mut gathering = Gathering::default();
        for path in &samples {
            read_sample(path, folder, &mut gathering)?;
        }
        let mut reading = gathering.finish(self.name(), typed)?;
        reading.variants = VariantsBy::Structure;
        Ok(reading)
    }
}

/// Group, function, value, baseline: how far below the folder samples are.
const DEPTH: usize = 5;

/// Folders that hold no measurements of their own.
const DERIVED: [&str; 2] = ["change", "report"];

/// Folders below, in the order of their names.
fn below(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = folders(folder)?;
    found.retain(|folder| !DERIVED.contains(&name_of(folder).as_str()));
    Ok(found)
}

fn is_baseline(folder: &Path) -> bool {
    let has = |name: &str| folder.join(name).is_file();
    has("sample.json") && (has("benchmark.json") || has("estimates.json"))
}

fn has_sample(folder: &Path, depth: usize) -> bool {
    if is_baseline(folder) {
        return true;
    }
    let below = if depth == 0 { Vec::new() } else { below(folder).unwrap_or_default() };
    below.iter().any(|folder| has_sample(folder, depth - 1))
}

fn find(
    folder: &Path,
    depth: usize,
    samples: &mut Vec<PathBuf>,
) -> std::io::Result<()> {
    if is_baseline(folder) {
        samples.push(folder.to_owned());
    } else if depth > 0 {
        for folder in below(folder)? {
            find(&folder, depth - 1, samples)?;
        }
    }
    Ok(())
}

/// By benchmark; of each the baseline first, what was measured last at the end.
fn order(baseline: &Path) -> (PathBuf, u8, String) {
    let name = name_of(baseline);
    let rank = match name.as_str() {
        "base" => 0,
        "new" => 2,
        _ => 1,
    };
    (baseline.parent().unwrap_or(baseline).to_owned(), rank, name)
}

fn read_sample(
    folder: &Path,
    root: &Path,
    gathering: &mut Gathering,
) -> Result<(), Error> {
    let benchmark = benchmark(folder, root)?;
    let mut record = named(Some(&benchmark), "time", Some("ns"));
    let baseline = name_of(folder);
    record.baseline = baseline == "base";
    record.variant = Some(baseline);
    let path = folder.join("sample.json");
    let path = path.to_string_lossy();
    sample(&File { path: &path, text: &read_text(&path)? })?.gather(record, gathering);
    Ok(())
}

/// As Criterion calls it, else as the folders are called.
fn benchmark(folder: &Path, root: &Path) -> Result<String, Error> {
    let about = folder.join("benchmark.json");
    if about.is_file() {
        let path = about.to_string_lossy();
        let about: About =
            parse(&File { path: &path, text: &read_text(&path)? }, "Criterion")?;
        if let Some(name) = about.full_id.or(about.title) {
            return Ok(name);
        }
    }
    let above = folder.parent().unwrap_or(folder);
    let inside = above.strip_prefix(root).unwrap_or(above);
    let inside = if inside.as_os_str().is_empty() {
        Path::new(above.file_name().unwrap_or_default())
    } else {
        inside
    };
    let parts = inside.iter().map(|part| part.to_string_lossy());
    Ok(parts.collect::<Vec<_>>().join("/"))
}

fn sample(file: &File<'_>) -> Result<Sample, Error> {
    let sample: Sample = parse(file, "Criterion")?;
    let (Sample::Named { iters, times } | Sample::Bare(iters, times)) = &sample;
    if iters.len() == times.len() {
        return Ok(sample);
    }
    let (iters, times) = (iters.len(), times.len());
    Err(Error::new(format!(
        "there are {times} times and {iters} numbers of iterations"
    ))
    .in_file(file.path)
    .with_hint("run the benchmark again: the file is not whole"))
}

impl Sample {
    /// One run a sample: its time for one iteration.
    fn gather(&self, record: Record, gathering: &mut Gathering) {
        let (Self::Named { iters, times } | Self::Bare(iters, times)) = self;
        let mut runs = Vec::with_capacity(times.len());
        let mut resolution = f64::INFINITY;
        for (iters, time) in iters.iter().zip(times) {
            let each = iters.0.zip(time.0);
            match each
                .filter(|(iters, time)| *iters > 0.0 && (time / iters).is_finite())
            {
                Some((iters, time)) => {
                    runs.push(time / iters);
                    resolution = resolution.min(shortest_resolution(time) / iters);
                }
                None => gathering.skip("samples", "they have no time or no iterations"),
            }
        }
        if !runs.is_empty() {
            let all: &mut Runs = gathering.runs(record);
            all.invocations.push(runs);
            all.resolution = all.resolution.min(resolution);
        }
    }
}
