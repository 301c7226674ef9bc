//! What hyperfine prints, as it is pasted into mails: a summary of each command.
//!
//! Its `σ` is the SD of single runs, and the number of runs stands a line below.

use super::gathering::{Gathering, named};
use super::printed::{after, head, seconds};
use super::{File, Format, Options};
use crate::data::{Reading, Summary, Values, VariantsBy};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct HyperfineText;

const MEAN: &str = "Time (mean ± σ):";

/// What stands in its place where there was one run.
const SINGLE: &str = "Time (abs ≡):";

impl Format for HyperfineText {
    fn name(&self) -> &'static str {
        "hyperfine-text"
    }

    fn description(&self) -> &'static str {
        "what `hyperfine` prints: mean, σ and number of runs of each command"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let is_time = |line: &str| {
            let line = unquoted(line);
            line.starts_with(MEAN) || line.starts_with(SINGLE)
        };
        head(file.text).any(is_time)
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let mut commands: Vec<Command> = Vec::new();
        for (at, line) in file.text.lines().enumerate() {
            let line = unquoted(line);
            let header = line.strip_prefix("Benchmark ").and_then(command);
            if header.is_some() || commands.is_empty() {
                let name = header.map(str::to_owned);
                commands.push(Command { name, ..Command::default() });
            }
            if let Some(command) = commands.last_mut() {
                command.line(line, file, at + 1)?;
            }
        }
        let mut gathering = Gathering::default();
        for command in commands.into_iter().filter(|command| command.line > 0) {
            command.gather(file, &mut gathering)?;
        }
        let mut reading = gathering.finish(self.name(), file.path)?;
        reading.variants = VariantsBy::Structure;
        Ok(reading)
    }
}

/// Without the marks of a quotation in a mail.
fn unquoted(line: &str) -> &str {
    line.trim_start_matches(['>', ' ']).trim_end()
}

/// `1: ./old --size 10`; before version 1.13 `#1: …`.
fn command(header: &str) -> Option<&str> {
    let (number, command) = header.split_once(": ")?;
    number.trim_start_matches('#').parse::<u32>().ok()?;
    Some(command)
}

/// What is said of one command; times are in seconds.
#[derive(Default)]
struct Command {
    name: Option<String>,
    /// The line of its time, counted from 1, or 0.
    line: usize,
    mean: f64,
    /// `None` where there was one run.
    sd: Option<f64>,
    runs: Option<usize>,
    failed: bool,
}

impl Command {
    fn line(&mut self, line: &str, file: &File<'_>, at: usize) -> Result<(), Error> {
        let time = |text: &str| {
            let text = text.split('[').next().unwrap_or_default().trim();
            seconds(text).ok_or_else(|| not_a_time(text, file, at))
        };
        if let Some(rest) = after(line, MEAN) {
            let (mean, sd) =
                rest.split_once('±').ok_or_else(|| not_a_time(rest, file, at))?;
            (self.line, self.mean, self.sd) = (at, time(mean)?, Some(time(sd)?));
        } else if let Some(rest) = after(line, SINGLE) {
            (self.line, self.mean) = (at, time(rest)?);
        } else if line.starts_with("Range (min … max):") {
            let words = line.strip_suffix(" runs").unwrap_or_default();
            self.runs = words.rsplit(' ').next().and_then(|count| count.parse().ok());
        } else if line.contains("Ignoring non-zero exit code") {
            self.failed = true;
        }
        Ok(())
    }

    fn gather(self, file: &File<'_>, gathering: &mut Gathering) -> Result<(), Error> {
        let name = self.name.as_deref().unwrap_or("command");
        if self.failed {
            let why = "some of its runs failed, and count in its mean";
            gathering.skip(format!("the summary of `{name}`"), why);
            return Ok(());
        }
        let mut record = named(None, "time", Some("s"));
        record.variant.clone_from(&self.name);
        let Some(sd) = self.sd else {
            gathering.run(record, self.mean);
            return Ok(());
        };
        let Some(runs) = self.runs else {
            return Err(Error::new("the number of runs is not said below it")
                .at_line(file.path, self.line)
                .with_hint("give the line `Range (min … max): … 10 runs` too"));
        };
        match Summary::new(runs, self.mean, sd) {
            Ok(summary) => record.values = Values::Summary(summary),
            Err(error) => {
                gathering.skip(format!("the summary of `{name}`"), error.what());
                return Ok(());
            }
        }
        gathering.record(record);
        Ok(())
    }
}

fn not_a_time(text: &str, file: &File<'_>, line: usize) -> Error {
    Error::new(format!("this should be a time such as `100.2 ms`, not `{text}`"))
        .at_line(file.path, line)
        .with_hint("give the output as hyperfine printed it, to its end")
}
