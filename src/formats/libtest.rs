//! What `cargo bench` prints for `#[bench]`: each line is one run.
//!
//! The figure is the median of the samples, and `+/-` is their maximum less their
//! minimum (`fmt_bench_samples` in the sources of Rust's `test` crate), which is no
//! measure of how far a median would be off another time.

use super::gathering::{Gathering, named};
use super::printed::{expect, first, head};
use super::{File, Format, Options};
use crate::data::Reading;
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Libtest;

impl Format for Libtest {
    fn name(&self) -> &'static str {
        "libtest"
    }

    fn description(&self) -> &'static str {
        "text of `cargo bench` with `#[bench]`; each line is one run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        head(file.text).any(|line| bench(line).is_some())
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let mut gathering = Gathering::default();
        for (at, line) in file.text.lines().enumerate() {
            if let Some((name, result)) = bench(line) {
                gather(name, result, file, at + 1, &mut gathering)?;
            } else if let Some(name) = failed(line) {
                gathering.skip(format!("`{name}`"), "it failed");
            }
        }
        gathering.finish(self.name(), file.path)
    }
}

/// `test tests::sort ... bench:   1,234 ns/iter (+/- 56)`.
fn bench(line: &str) -> Option<(&str, &str)> {
    let (name, result) = line.strip_prefix("test ")?.split_once("... bench:")?;
    Some((name.trim(), result))
}

fn failed(line: &str) -> Option<&str> {
    let (name, result) = line.strip_prefix("test ")?.split_once(" ... ")?;
    (result == "FAILED").then(|| name.trim())
}

fn gather(
    name: &str,
    result: &str,
    file: &File<'_>,
    line: usize,
    gathering: &mut Gathering,
) -> Result<(), Error> {
    let mut words = result.split_whitespace();
    let value = expect(words.next().unwrap_or_default(), "time", file, line)?;
    let unit = words.next().filter(|unit| unit.ends_with("/iter"));
    let Some(unit) = unit.filter(|_| result.contains(')')) else {
        return Err(Error::new("the line ends in the middle: the file was cut off")
            .at_line(file.path, line)
            .with_hint("give the output to its end; nothing of a cut file is read"));
    };
    gathering.run(named(Some(name), "time", Some(unit)), value);
    let why = "they are the maximum less the minimum of one execution: execute it \
         several times to have several runs";
    gathering.pass_over("spreads (`+/-`)", 1, why);
    if let Some((_, rate)) = result.split_once(" = ") {
        let value = expect(first(rate), "throughput", file, line)?;
        let unit = rate.split_whitespace().nth(1);
        gathering.run(named(Some(name), "throughput", unit), value);
    }
    Ok(())
}
