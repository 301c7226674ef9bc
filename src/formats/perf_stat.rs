//! What `perf stat` writes: text, `-x` and `-j`; one execution, or the mean of several.
//!
//! With `-r N` only the mean of each event is kept, and beside it `+- x%`. That is
//! 100 · SE/mean, where SE is the standard error of the mean of the N executions
//! (`print_noise_pct` and `rel_stddev_stats` in the sources of perf). N stands in the
//! text alone, and `--table` lists the elapsed time of each execution.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse as parse_json};
use super::number::{Convention, parse};
use super::printed::head;
use super::{File, Format, Options};
use crate::data::{Reading, Record, Summary, Values, VariantsBy};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct PerfStat;

impl Format for PerfStat {
    fn name(&self) -> &'static str {
        "perf-stat"
    }

    fn description(&self) -> &'static str {
        "`perf stat`, as text, `-x,` or `-j`; `-r N --table` keeps the elapsed times"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        Outline::of(after_remarks(file.text)).has(&["counter-value", "event"])
            || Separated::of(file.text).is_some()
            || is_text(file.text)
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let executions = if after_remarks(file.text).starts_with('{') {
            from_json(file)?
        } else if let Some(separated) = Separated::of(file.text) {
            separated.read(file)?
        } else {
            from_text(file)?
        };
        let mut gathering = Gathering::default();
        let commands: BTreeSet<_> =
            executions.iter().map(|execution| &execution.command).collect();
        let several = commands.len() > 1;
        for execution in &executions {
            execution.gather(several, &mut gathering);
        }
        let mut reading = gathering.finish(self.name(), file.path)?;
        if several {
            reading.variants = VariantsBy::Structure;
        }
        Ok(reading)
    }
}

/// One execution of a command, or the means of several.
#[derive(Debug, Default)]
struct Execution {
    /// What was executed, or the heading over it.
    command: Option<String>,
    /// How often, where that is said.
    repeats: Option<usize>,
    events: Vec<Event>,
    /// The elapsed time of each execution in seconds, as `--table` lists them.
    elapsed: Vec<f64>,
}

/// A counter, or a time.
#[derive(Debug)]
struct Event {
    name: String,
    unit: String,
    count: Count,
    spread: Spread,
}

#[derive(Debug, PartialEq)]
enum Count {
    Of(f64),
    /// `<not counted>` or `<not supported>`.
    Missing(String),
}

/// How far executions lay apart.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Spread {
    /// Not said: one execution, or all agree.
    Unsaid,
    /// The standard error of the mean in percent of it.
    Percent(f64),
    /// The standard error of the mean.
    Error(f64),
}

/// What perf calls the time from start to end.
const ELAPSED: &str = "time elapsed";

impl Execution {
    fn gather(&self, several: bool, gathering: &mut Gathering) {
        for event in &self.events {
            let mut record = named(None, &event.name, Some(event.unit()));
            record.variant = self.command.clone().filter(|_| several);
            if event.name == ELAPSED && !self.elapsed.is_empty() {
                gathering.extend(record, self.elapsed.iter().copied());
                continue;
            }
            match &event.count {
                Count::Missing(why) => {
                    let why = format!("perf says `{why}`");
                    gathering.skip(format!("counts of `{}`", event.name), why);
                }
                Count::Of(value) => {
                    event.gather(*value, self.repeats, record, gathering);
                }
            }
        }
    }
}

impl Event {
    /// As it is spelt elsewhere: perf writes none for what it counts.
    fn unit(&self) -> &str {
        if self.unit.is_empty() { "count" } else { &self.unit }
    }

    fn gather(
        &self,
        mean: f64,
        repeats: Option<usize>,
        record: Record,
        gathering: &mut Gathering,
    ) {
        let Some(n) = repeats.filter(|n| *n > 1) else {
            if self.spread != Spread::Unsaid {
                let why = "the number of executions is not said: each mean is one run \
                     (the text of `perf stat -r N`, without `-x` and `-j`, says it)";
                gathering.pass_over("spreads of events (`+-`)", 1, why);
            }
            gathering.run(record, mean);
            return;
        };
        // Without a spread all executions agree.
        if self.spread == Spread::Unsaid && self.unit.is_empty() {
            gathering.extend(record, std::iter::repeat_n(mean, n));
            return;
        }
        match Summary::new(n, mean, self.standard_error(mean) * (n as f64).sqrt()) {
            Ok(summary) => {
                let values = Values::Summary(summary);
                gathering.record(Record { values, ..record });
            }
            Err(error) => {
                gathering.skip(format!("the mean of `{}`", self.name), error.what());
            }
        }
    }

    /// That of the mean. `0.00%` is a rounded one, below half of its last place.
    fn standard_error(&self, mean: f64) -> f64 {
        match self.spread {
            Spread::Unsaid => 0.0,
            Spread::Percent(percent) => percent.max(0.005) / 100.0 * mean.abs(),
            Spread::Error(error) => error,
        }
    }
}

fn is_remark(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with('#')
}

/// The text from the first line that says something.
fn after_remarks(text: &str) -> &str {
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\n') {
        if !is_remark(line) {
            break;
        }
        rest = after;
    }
    rest.trim_start()
}

/// Adds an event: to the last execution, unless that has it, which begins another.
fn add(executions: &mut Vec<Execution>, event: Event) {
    let known = |last: &Execution| last.events.iter().any(|e| e.name == event.name);
    if executions.last().is_none_or(known) {
        executions.push(Execution::default());
    }
    if let Some(last) = executions.last_mut() {
        last.events.push(event);
    }
}

/// Counts of parts of an execution are neither runs nor the whole.
fn refuse_parts(what: &str, file: &File<'_>, line: usize) -> Error {
    Error::new(format!("its counts are split by {what}: they are not of whole runs"))
        .at_line(file.path, line)
        .with_hint("count whole executions: `perf stat -r 10 --table`, without -I, -A or --per-…")
}

fn count(text: &str) -> Option<Count> {
    match text.trim().strip_prefix('<') {
        Some(words) => Some(Count::Missing(words.trim_end_matches('>').to_owned())),
        None => parse(text.trim(), Convention::Point)
            .ok()
            .filter(|printed| printed.unit.is_none())
            .map(|printed| Count::Of(printed.value)),
    }
}

/// A line of `perf stat -j`.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Line {
    counter_value: Option<String>,
    #[serde(default)]
    unit: String,
    event: Option<String>,
    #[serde(default)]
    variance: Number,
    interval: Option<f64>,
    cpu: Option<serde::de::IgnoredAny>,
    #[serde(alias = "socket", alias = "die", alias = "core", alias = "node")]
    part: Option<serde::de::IgnoredAny>,
    thread: Option<serde::de::IgnoredAny>,
}

impl Line {
    fn part(&self) -> Option<&'static str> {
        match self {
            Self { interval: Some(_), .. } => Some("interval"),
            Self { cpu: Some(_), .. } | Self { part: Some(_), .. } => Some("processor"),
            Self { thread: Some(_), .. } => Some("thread"),
            _ => None,
        }
    }
}

fn from_json(file: &File<'_>) -> Result<Vec<Execution>, Error> {
    let mut executions = Vec::new();
    for (at, text) in file.text.lines().enumerate() {
        if is_remark(text) {
            continue;
        }
        let one = File { path: file.path, text };
        let line: Line = parse_json(&one, "perf stat")
            .map_err(|error| error.at_line(file.path, at + 1))?;
        if let Some(part) = line.part() {
            return Err(refuse_parts(part, file, at + 1));
        }
        // Some metrics stand in lines of their own.
        let (Some(value), Some(name)) = (&line.counter_value, line.event) else {
            continue;
        };
        let count = count(value).ok_or_else(|| not_a_count(value, file, at + 1))?;
        let spread = line.variance.0.map_or(Spread::Unsaid, Spread::Percent);
        add(&mut executions, Event { name, unit: line.unit, count, spread });
    }
    Ok(executions)
}

fn not_a_count(text: &str, file: &File<'_>, line: usize) -> Error {
    Error::new(format!("the count should be a number, not `{text}`"))
        .at_line(file.path, line)
        .with_hint("give the file as perf wrote it; `LC_ALL=C perf stat` writes points")
}

/// The fields of `perf stat -x`: count, unit, event, the spread in percent with `-r`,
/// the time the counter ran, the share of the time it ran, a metric and its unit.
struct Separated {
    separator: char,
}

impl Separated {
    /// The separator of the first line that says something, if it is such a line.
    fn of(text: &str) -> Option<Self> {
        let line = text.lines().find(|line| !is_remark(line))?;
        let mut separators = [',', ';', '\t', '|'].into_iter();
        let separator = separators.find(|separator| {
            let fields: Vec<&str> = line.split(*separator).map(str::trim).collect();
            let whole = is_row(&fields);
            // Parts have fields of their own in front.
            whole || (1..fields.len().min(4)).any(|from| is_row(&fields[from..]))
        })?;
        Some(Self { separator })
    }

    fn read(&self, file: &File<'_>) -> Result<Vec<Execution>, Error> {
        let mut executions = Vec::new();
        for (at, line) in file.text.lines().enumerate() {
            let fields: Vec<&str> = line.split(self.separator).map(str::trim).collect();
            // Some metrics stand in lines of their own, without a count.
            if is_remark(line) || fields[0].is_empty() {
                continue;
            }
            if !is_row(&fields) {
                return Err(self.refusal(line, &fields, file, at + 1));
            }
            let value = self.point(fields[0]);
            let count =
                count(&value).ok_or_else(|| not_a_count(&value, file, at + 1))?;
            let spread = fields[3].strip_suffix('%').map(|percent| self.point(percent));
            let spread = spread.and_then(|percent| percent.parse().ok());
            let event = Event {
                name: fields[2].to_owned(),
                unit: fields[1].to_owned(),
                count,
                spread: spread.map_or(Spread::Unsaid, Spread::Percent),
            };
            add(&mut executions, event);
        }
        Ok(executions)
    }

    /// A number with a decimal point, where the language of the user has a comma.
    fn point(&self, text: &str) -> String {
        if self.separator == ',' { text.to_owned() } else { text.replace(',', ".") }
    }

    fn refusal(
        &self,
        line: &str,
        fields: &[&str],
        file: &File<'_>,
        at: usize,
    ) -> Error {
        let within = (1..fields.len().min(4)).any(|from| is_row(&fields[from..]));
        // The time of an interval is written in a column of its own width.
        match fields[0].parse::<f64>() {
            Ok(_) if within && line.starts_with(' ') => {
                refuse_parts("interval", file, at)
            }
            Err(_) if within => refuse_parts("processor or thread", file, at),
            _ => {
                let separator = self.separator;
                Error::new(format!("this is no line of `perf stat -x{separator}`"))
                    .at_line(file.path, at)
                    .with_hint(
                        "give the file as perf wrote it, to its end; events with commas \
                         and decimal commas need `-x';'`",
                    )
            }
        }
    }
}

/// Whether fields are those of an event of a whole execution.
fn is_row(fields: &[&str]) -> bool {
    let [value, unit, event, third, rest @ ..] = fields else { return false };
    let share = if third.ends_with('%') { rest.get(1) } else { rest.first() };
    let number = |text: &str| text.replace(',', ".").parse::<f64>().is_ok();
    let letters = |text: &str| text.bytes().any(|byte| byte.is_ascii_alphabetic());
    (number(value) || value.starts_with("<not "))
        && (unit.is_empty() || letters(unit))
        && letters(event)
        && share.is_some_and(|share| number(share))
}

const HEADER: &str = "Performance counter stats for ";

/// Whether a line ends an execution: `0.0323 seconds time elapsed`.
fn is_elapsed(line: &str) -> bool {
    line.contains(" seconds time elapsed")
}

fn is_text(text: &str) -> bool {
    head(text).any(|line| line.contains(HEADER) || is_elapsed(line))
        || text.lines().take(3).any(is_head_of_intervals)
}

/// The header of `perf stat -I`.
fn is_head_of_intervals(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.starts_with(&["#", "time", "counts"])
}

/// Reads the text, in which other text may stand between executions.
fn from_text(file: &File<'_>) -> Result<Vec<Execution>, Error> {
    let mut text = Text {
        convention: convention(file.text),
        executions: Vec::new(),
        open: false,
        heading: None,
    };
    for (at, line) in file.text.lines().enumerate() {
        if is_head_of_intervals(line) {
            return Err(refuse_parts("interval", file, at + 1));
        }
        text.line(line).map_err(|part| refuse_parts(part, file, at + 1))?;
    }
    if text.open {
        return Err(Error::new(
            "the last execution has no `seconds time elapsed`: the file was cut off",
        )
        .at_line(file.path, file.text.lines().count())
        .with_hint("give the output to its end; nothing of a cut file is read"));
    }
    Ok(text.executions)
}

/// What `.` and `,` mean: the elapsed time has many decimals, and no thousands.
fn convention(text: &str) -> Convention {
    let elapsed = text.lines().find(|line| is_elapsed(line)).unwrap_or_default();
    let value = elapsed.split_whitespace().next().unwrap_or_default();
    if value.contains(',') { Convention::Comma } else { Convention::Point }
}

/// The text as it is read.
struct Text {
    convention: Convention,
    executions: Vec<Execution>,
    /// Whether the last execution is still under way.
    open: bool,
    /// The last line that was no part of an execution.
    heading: Option<String>,
}

impl Text {
    /// Reads a line; the error is what counts are split by.
    fn line(&mut self, line: &str) -> Result<(), &'static str> {
        if let Some((_, what)) = line.split_once(HEADER) {
            let (command, repeats) = header(what);
            self.executions.push(Execution {
                command,
                repeats,
                ..Execution::default()
            });
            self.open = true;
        } else if let Some(time) = self.individual(line) {
            self.last().elapsed.push(time);
        } else if let Some(event) = self.time(line) {
            let ends = event.name == ELAPSED;
            self.last().events.push(event);
            // The times of user and system come after.
            self.open &= !ends;
        } else if (self.open || line.starts_with(' '))
            && let Some(event) = self.event(line)?
        {
            self.begin_unless_open();
            self.last().events.push(event);
        } else {
            let heading = line.trim_matches(|c: char| !c.is_alphanumeric());
            if !heading.is_empty() && !self.open {
                self.heading = Some(heading.to_owned());
            }
        }
        Ok(())
    }

    fn begin_unless_open(&mut self) {
        if !self.open {
            let command = self.heading.take();
            self.executions.push(Execution { command, ..Execution::default() });
            self.open = true;
        }
    }

    fn last(&mut self) -> &mut Execution {
        if self.executions.is_empty() {
            self.executions.push(Execution::default());
        }
        self.executions.last_mut().expect("one was pushed if there was none")
    }

    fn number(&self, text: &str) -> Option<f64> {
        parse(text, self.convention).ok().map(|printed| printed.value)
    }

    /// `0.0322778 (+0.0001828) #`, a line of `--table`.
    fn individual(&self, line: &str) -> Option<f64> {
        let (value, rest) = line.trim().split_once(" (")?;
        let (difference, _) = rest.split_once(") #")?;
        self.number(difference.trim())?;
        self.number(value.trim())
    }

    /// `0.0323 +- 0.0001 seconds time elapsed  ( +-  0.40% )`.
    fn time(&self, line: &str) -> Option<Event> {
        let (value, what) = line.trim().split_once(" seconds ")?;
        let name = what.split_once('(').map_or(what, |(name, _)| name).trim();
        if ![ELAPSED, "user", "sys"].contains(&name) {
            return None;
        }
        let (mean, error) = match value.split_once("+-") {
            Some((mean, error)) => (mean, Some(error.trim())),
            None => (value, None),
        };
        let spread = error.and_then(|error| self.number(error));
        Some(Event {
            name: name.to_owned(),
            unit: "s".to_owned(),
            count: Count::Of(self.number(mean.trim())?),
            spread: spread.map_or(Spread::Unsaid, Spread::Error),
        })
    }

    /// `1.06 msec task-clock   #  0.033 CPUs utilized   ( +-  4.28% )  (38.47%)`.
    fn event(&self, line: &str) -> Result<Option<Event>, &'static str> {
        let head = line.split(['#', '(']).next().unwrap_or_default();
        let (missing, head) = match head.trim_start().strip_prefix('<') {
            Some(rest) => match rest.split_once('>') {
                Some((why, rest)) => (Some(why), rest),
                None => return Ok(None),
            },
            None => (None, head),
        };
        let words: Vec<&str> = head.split_whitespace().collect();
        if let [name, value, .., _] = words.as_slice()
            && self.open
            && self.number(name).is_none()
            && (self.number(value).is_some() || value.starts_with('<'))
        {
            return Err("processor or thread");
        }
        let (count, words) = match (missing, words.as_slice()) {
            (Some(why), words) => (Count::Missing(why.to_owned()), words),
            (None, [value, words @ ..]) => match self.number(value) {
                Some(value) => (Count::Of(value), words),
                None => return Ok(None),
            },
            (None, []) => return Ok(None),
        };
        let (unit, name) = match words {
            [name] => ("", *name),
            [unit, name] => (*unit, *name),
            _ => return Ok(None),
        };
        let spread = self.percent(line);
        let (unit, name) = (unit.to_owned(), name.to_owned());
        Ok(Some(Event { name, unit, count, spread }))
    }

    /// `( +-  4.28% )`.
    fn percent(&self, line: &str) -> Spread {
        let after = line.split_once("( +-").map(|(_, after)| after);
        let percent = after.and_then(|after| after.split_once('%'));
        let value = percent.and_then(|(percent, _)| self.number(percent.trim()));
        value.map_or(Spread::Unsaid, Spread::Percent)
    }
}

/// `'sleep 0.03' (5 runs):`, the command and how often it ran.
fn header(text: &str) -> (Option<String>, Option<usize>) {
    let text = text.trim().trim_end_matches(':');
    let (command, repeats) = match text.rsplit_once(" (") {
        Some((command, runs)) if runs.ends_with(" runs)") => {
            (command, runs.trim_end_matches(" runs)").parse().ok())
        }
        _ => (text, None),
    };
    (Some(command.trim_matches('\'').to_owned()), repeats)
}
