//! Input formats: one file each, one registry, detection by content.

use std::io::Read;
use std::path::Path;

use rayon::prelude::*;

use crate::data::{
    Dataset, Reading, Record, SUMMARY, Selection, Source, Values, VariantBy, assemble,
    parse_summary,
};
use crate::error::{Error, unknown_name};

mod ab;
mod asv;
mod bencher;
mod benchmarkdotnet;
mod benchmarktools;
mod cargo_criterion;
mod catch2;
mod column;
mod critcmp;
mod criterion;
mod delimited;
mod fio;
mod folder;
mod gathering;
mod github_action;
mod go;
mod google_benchmark;
mod groups;
mod header;
mod hey;
mod hyperfine;
mod hyperfine_text;
mod iperf3;
mod jmh;
mod json;
mod k6;
mod k6_summary;
mod libtest;
mod lines;
mod lit;
mod lkp;
mod load_test;
mod nanobench;
mod ndjson;
mod netperf;
mod number;
mod numbers;
mod oha;
#[cfg(feature = "parquet")]
mod parquet;
mod perf_stat;
mod pgbench;
mod phoronix;
mod plan;
mod printed;
mod published;
mod pyperf;
mod pytest_benchmark;
mod rebench;
mod sysbench;
mod tachometer;
mod text;
mod vegeta;
mod vitest;
mod words;
mod wrk;
mod xml;

pub use delimited::write_table;
pub use lines::Lines;
pub use numbers::write_numbers;

/// A file whose bytes are text.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    /// As the user typed it, or `stdin`.
    pub path: &'a str,
    /// All of it, without a byte order mark.
    pub text: &'a str,
}

/// What the user says about the inside of files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// The column of values, by name or number from 1.
    pub column: Option<String>,
    /// The column that tells variants apart.
    pub variant_column: Option<String>,
}

/// One input format.
pub trait Format: Sync {
    /// Lower case, unique, as `--input-format` takes it.
    fn name(&self) -> &'static str;

    /// One line on what it is and who writes it.
    fn description(&self) -> &'static str;

    /// Whether the file looks like it.
    fn detect(&self, file: &File<'_>) -> bool;

    /// Reads a file of this format; anything else is an error, never a panic.
    ///
    /// # Errors
    /// With the file, the line where one is to blame, and what to do.
    fn read(&self, file: &File<'_>, options: &Options) -> Result<Reading, Error>;

    /// Reads a file as it comes, without keeping it; `None`, with nothing read, where the
    /// format needs all of it at once.
    fn read_lines(
        &self,
        _lines: &mut Lines<'_>,
        _options: &Options,
    ) -> Option<Result<Reading, Error>> {
        None
    }

    /// Reads a file whose bytes are no text; `None` where they are not of this format.
    fn read_binary(
        &self,
        _path: &str,
        _bytes: &[u8],
        _options: &Options,
    ) -> Option<Result<Reading, Error>> {
        None
    }

    /// Whether a folder is one measurement of this format, rather than files of one
    /// variant.
    fn claims(&self, _folder: &Path) -> bool {
        false
    }

    /// Reads a folder that it claims; `typed` is what the user calls it.
    ///
    /// # Errors
    /// As for a file.
    fn read_folder(&self, _folder: &Path, typed: &str) -> Result<Reading, Error> {
        Err(Error::new(format!("`{}` is no format of folders", self.name()))
            .in_file(typed)
            .with_hint("give a file"))
    }
}

/// The format that a folder as a whole belongs to.
fn claimant(folder: &Path) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.claims(folder))
}

/// Every format, in the order of detection: those that are told by a mark come first.
pub static FORMATS: &[&dyn Format] = &[
    &hyperfine::Hyperfine,
    &pytest_benchmark::PytestBenchmark,
    &pyperf::Pyperf,
    &jmh::Jmh,
    &google_benchmark::GoogleBenchmark,
    &benchmarkdotnet::BenchmarkDotNet,
    &iperf3::Iperf3,
    &fio::Fio,
    &k6::K6,
    &k6_summary::K6Summary,
    &tachometer::Tachometer,
    &lit::Lit,
    &github_action::GithubAction,
    &vitest::Vitest,
    &cargo_criterion::CargoCriterion,
    &nanobench::Nanobench,
    &rebench::ReBench,
    &criterion::Criterion,
    &critcmp::Critcmp,
    &asv::Asv,
    &benchmarktools::BenchmarkTools,
    &catch2::Catch2,
    &phoronix::Phoronix,
    &go::Go,
    &perf_stat::PerfStat,
    &libtest::Libtest,
    &wrk::Wrk,
    &hey::Hey,
    &oha::Oha,
    &vegeta::Vegeta,
    &ab::Ab,
    &pgbench::Pgbench,
    &sysbench::Sysbench,
    &netperf::Netperf,
    &hyperfine_text::HyperfineText,
    &published::Mail,
    &lkp::Lkp,
    &bencher::Bencher,
    &ndjson::JsonLines,
    #[cfg(feature = "parquet")]
    &parquet::Parquet,
    &numbers::Numbers,
    &delimited::TABS,
    &delimited::SEMICOLONS,
    &delimited::COMMAS,
];

/// The format of that name.
///
/// # Errors
/// When there is none: the names are listed.
pub fn by_name(name: &str) -> Result<&'static dyn Format, Error> {
    FORMATS.iter().copied().find(|format| format.name() == name).ok_or_else(|| {
        unknown_name("input format", name, FORMATS.iter().map(|format| format.name()))
    })
}

/// The format that the content looks like.
///
/// # Errors
/// When it is like none, or when there is nothing in it.
pub fn detect(file: &File<'_>) -> Result<&'static dyn Format, Error> {
    let says_nothing = |line: &str| line.is_empty() || line.starts_with('#');
    if file.text.lines().map(str::trim).all(says_nothing) {
        return Err(Error::new("there are no runs in it: it is empty")
            .in_file(file.path)
            .with_hint("give one number a line, or a CSV table"));
    }
    recognised(file).ok_or_else(|| {
        let outline = json::Outline::of(file.text);
        if let Some(error) = unknown_json(&outline) {
            return error.in_file(file.path);
        }
        let names = header::list(FORMATS.iter().map(|format| format.name()));
        Error::new("its format is not known").in_file(file.path).with_hint(format!(
            "give one number a line or a CSV table; if it is one of {names}, say so \
             with `--input-format`"
        ))
    })
}

/// The first format that knows the file for its own.
fn recognised(file: &File<'_>) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.detect(file))
}

/// How many keys of a file are named.
const SHOWN: usize = 6;

/// JSON of another tool, or of none that is known: what it looks like.
fn unknown_json(outline: &json::Outline) -> Option<Error> {
    if let Some(tool) = json::tool_not_read(outline) {
        let what = format!("it looks like the JSON of {tool}, which is not read yet");
        return Some(
            Error::new(what).with_hint("give one number a line, or a CSV table"),
        );
    }
    let keys = header::list(outline.top().take(SHOWN));
    (!keys.is_empty()).then(|| {
        let names = header::list(FORMATS.iter().map(|format| format.name()));
        let what = format!("its format is not known: it is JSON with the keys {keys}");
        Error::new(what).with_hint(format!(
            "give the file of a benchmark tool; if it is one of {names}, say so with \
             `--input-format`"
        ))
    })
}

/// Reads the bytes of one file.
///
/// # Errors
/// As those of its format, or when it has none.
pub fn read_bytes(
    path: &str,
    bytes: Vec<u8>,
    format: Option<&'static dyn Format>,
    options: &Options,
) -> Result<Reading, Error> {
    let may_be = |own: &&&dyn Format| format.is_none_or(|f| f.name() == own.name());
    let mut formats = FORMATS.iter().filter(may_be);
    let binary = formats.find_map(|own| own.read_binary(path, &bytes, options));
    let reading = match binary {
        Some(reading) => reading?,
        None => read_text(path, bytes, format, options)?,
    };
    if reading.records.is_empty() {
        return Err(Error::new("there are no runs in it")
            .in_file(path)
            .with_hint("give one number a line, or a CSV table"));
    }
    Ok(reading)
}

fn read_text(
    path: &str,
    bytes: Vec<u8>,
    format: Option<&'static dyn Format>,
    options: &Options,
) -> Result<Reading, Error> {
    let text = text::decode(path, bytes)?;
    let file = File { path, text: &text };
    match format {
        None => detect(&file)?.read(&file, options),
        Some(format) => format
            .read(&file, options)
            .map_err(|error| looks_like(error, &file, format.name())),
    }
}

/// A file that was read as what the user said, and failed, may be of another format.
fn looks_like(error: Error, file: &File<'_>, named: &str) -> Error {
    match detect(file) {
        Ok(other) if other.name() != named => {
            let hint = error.hint().unwrap_or("check `--input-format`").to_owned();
            error.with_hint(format!("{hint}; it looks like `{}`", other.name()))
        }
        _ => error,
    }
}

/// One input, as the command line gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// `[LABEL=]PATH`, or `-` for standard input.
    Word(String),
    /// `LABEL:n=10,mean=99.04,sd=0.8`.
    Summary(String),
}

/// Reads all inputs, and standard input where one is `-`, into what can be compared.
///
/// # Errors
/// When one cannot be read, or nothing can be compared: never a partial result.
pub fn read_dataset(inputs: &[Input], selection: &Selection) -> Result<Dataset, Error> {
    assemble(read_sources(inputs, selection)?, selection)
}

/// Reads all inputs, and standard input where one is `-`, as they are.
///
/// # Errors
/// When one cannot be read.
pub fn read_sources(
    inputs: &[Input],
    selection: &Selection,
) -> Result<Vec<Source>, Error> {
    read_sources_with(inputs, selection, &mut std::io::stdin())
}

/// Reads all inputs as they are, with `-` from `stdin`.
///
/// # Errors
/// When one cannot be read.
pub fn read_sources_with(
    inputs: &[Input],
    selection: &Selection,
    stdin: &mut dyn Read,
) -> Result<Vec<Source>, Error> {
    let words = inputs.iter().filter_map(|input| match input {
        Input::Word(word) => Some(word.as_str()),
        Input::Summary(_) => None,
    });
    let labelled = words::resolve(&words.collect::<Vec<_>>())?;
    let files: Vec<&words::Found> =
        labelled.iter().flat_map(|one| &one.files).collect();
    let mut readings = read_files(&files, selection, stdin)?.into_iter();
    let files = labelled.into_iter().map(|one| {
        let readings = readings.by_ref().take(one.files.len()).collect();
        (one.word, Source { label: one.label, labelled: one.labelled, readings })
    });
    in_order(inputs, files)
}

/// Reads files in parallel, each as one of the formats.
fn read_files(
    files: &[&words::Found],
    selection: &Selection,
    stdin: &mut dyn Read,
) -> Result<Vec<Reading>, Error> {
    let format = selection.input_format.as_deref().map(by_name).transpose()?;
    let options = Options {
        column: selection.column.clone(),
        variant_column: match &selection.variant_by {
            Some(VariantBy::Column(name)) => Some(name.clone()),
            _ => None,
        },
    };
    let mut piped = Vec::new();
    if files.iter().any(|file| file.path.is_none()) {
        stdin
            .read_to_end(&mut piped)
            .map_err(|error| words::unreadable("stdin", &error))?;
    }
    let told_apart = |reading: Reading| match &selection.variant_by {
        Some(by) => reading.told_apart_by(by),
        None => Ok(reading),
    };
    let read = |found: &&words::Found| {
        if let Some((path, format)) = found.path.as_deref().zip(found.whole) {
            return told_apart(format.read_folder(path, &found.typed)?);
        }
        let reading = match &found.path {
            Some(path) => read_path(path, &found.typed, format, &options),
            None => read_bytes(&found.typed, piped.clone(), format, &options),
        };
        told_apart(reading?)
    };
    // All are read before the first error is looked for, so that it is always the same.
    let readings: Vec<Result<Reading, Error>> = files.par_iter().map(read).collect();
    readings.into_iter().collect()
}

/// Reads a file: line by line where it is large and its format can.
fn read_path(
    path: &Path,
    typed: &str,
    format: Option<&'static dyn Format>,
    options: &Options,
) -> Result<Reading, Error> {
    let unreadable = |error: std::io::Error| words::unreadable(typed, &error);
    let mut file = std::fs::File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    (&mut file).take(HEAD).read_to_end(&mut bytes).map_err(unreadable)?;
    let is_large = bytes.len() as u64 == HEAD;
    if is_large && let Some(format) = format.or_else(|| detect_head(typed, &bytes)) {
        let whole = bytes.as_slice().chain(&mut file);
        let mut input = std::io::BufReader::new(text::unpacked(typed, &bytes, whole)?);
        let mut lines = Lines::new(typed, &mut input);
        if let Some(reading) = format.read_lines(&mut lines, options) {
            return reading;
        }
    }
    file.read_to_end(&mut bytes).map_err(unreadable)?;
    read_bytes(typed, bytes, format, options)
}

/// How much of a file tells whether it can be read line by line.
const HEAD: u64 = 1 << 16;

/// The format that the first lines look like.
fn detect_head(path: &str, bytes: &[u8]) -> Option<&'static dyn Format> {
    let mut head = Vec::new();
    // What was packed ends in the middle; what came before the end is enough.
    let _ = text::unpacked(path, bytes, bytes).ok()?.take(HEAD).read_to_end(&mut head);
    let end = head.iter().rposition(|byte| *byte == b'\n')?;
    let text = std::str::from_utf8(&head[..end]).ok()?;
    let file = File { path, text: text.trim_start_matches('\u{feff}') };
    recognised(&file)
}

/// Files and summaries in the order of the command line. A label that comes again was
/// added to its first place.
fn in_order(
    inputs: &[Input],
    files: impl Iterator<Item = (usize, Source)>,
) -> Result<Vec<Source>, Error> {
    let mut files = files.peekable();
    let mut word = 0;
    let mut sources: Vec<Source> = Vec::new();
    for input in inputs {
        match input {
            Input::Word(_) => {
                sources
                    .extend(files.next_if(|(at, _)| *at == word).map(|(_, file)| file));
                word += 1;
            }
            Input::Summary(text) => {
                let (label, summary) = parse_summary(text)?;
                let record = Record::unnamed(Values::Summary(summary));
                let readings = vec![Reading::new(SUMMARY, "--summary", vec![record])];
                sources.push(Source { label, labelled: true, readings });
            }
        }
    }
    Ok(sources)
}
