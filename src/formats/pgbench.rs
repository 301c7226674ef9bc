//! What pgbench prints, and its log of transactions (`-l`).
//!
//! A report is one run. Lines of `--progress` are runs in order, and so are the
//! latencies of a log.

use super::gathering::{Gathering, named};
use super::printed::{after, expect, first, head, number};
use super::{File, Format, Options};
use crate::data::Reading;
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Pgbench;

impl Format for Pgbench {
    fn name(&self) -> &'static str {
        "pgbench"
    }

    fn description(&self) -> &'static str {
        "text of `pgbench`, its lines of `--progress`, or its log (`-l`)"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        is_log(file.text)
            || head(file.text).any(|line| begins(line) || progress(line).is_some())
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let mut gathering = Gathering::default();
        if is_log(file.text) {
            read_log(file, &mut gathering)?;
        } else {
            read_text(file, &mut gathering)?;
        }
        gathering.finish(self.name(), file.path)
    }
}

/// `transaction type: <builtin: select only>`.
fn begins(line: &str) -> bool {
    line.starts_with(TYPE)
}

const TYPE: &str = "transaction type:";

/// What a report says.
#[derive(Default)]
struct Report {
    kind: String,
    clients: String,
    latency: Option<f64>,
    /// Whether a rate was asked for (`--rate`).
    capped: bool,
    /// The first is with the time to connect, where there are two.
    tps: Vec<f64>,
}

impl Report {
    /// The load is part of the name.
    fn benchmark(&self) -> String {
        format!("{}, {} clients", self.kind, self.clients)
    }
}

/// `progress: 5.0 s, 1234.5 tps, lat 8.1 ms stddev 1.2`: transactions a second, and the
/// mean latency in ms.
fn progress(line: &str) -> Option<(f64, Option<f64>)> {
    let mut parts = after(line, "progress:")?.split(", ");
    let rate = parts.nth(1)?.strip_suffix(" tps")?;
    let latency = parts.next().and_then(|part| part.strip_prefix("lat "));
    // Where nothing ended there is no latency.
    Some((number(rate)?, latency.and_then(|text| first(text).parse().ok())))
}

fn read_text(file: &File<'_>, gathering: &mut Gathering) -> Result<(), Error> {
    let mut reports: Vec<Report> = Vec::new();
    let mut intervals = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        if let Some(kind) = after(line, TYPE) {
            let kind = kind.trim_start_matches("<builtin: ").trim_end_matches('>');
            reports.push(Report { kind: kind.to_owned(), ..Report::default() });
        } else if let Some(interval) = progress(line) {
            intervals.push(interval);
        } else if let Some(report) = reports.last_mut() {
            report.line(line, file, at + 1, gathering)?;
        }
    }
    let whole = |report: &Report| !report.tps.is_empty();
    if !reports.iter().all(whole) {
        return Err(Error::new("a report in it has no `tps = …`: it was cut off")
            .at_line(file.path, file.text.lines().count())
            .with_hint("give the output to its end; nothing of a cut file is read"));
    }
    if intervals.is_empty() {
        for report in &reports {
            let benchmark = report.benchmark();
            let rate = report.tps.last().filter(|_| !report.capped);
            gather(Some(&benchmark), rate, report.latency, gathering);
            gathering.skip_many("throughput", usize::from(report.capped), CAPPED);
        }
        return Ok(());
    }
    if reports.len() > 1 {
        return Err(Error::new("it holds several reports beside lines of progress")
            .in_file(file.path)
            .with_hint("keep each report in a file of its own"));
    }
    let benchmark = reports.first().map(Report::benchmark);
    let capped = reports.iter().any(|report| report.capped);
    for (rate, latency) in &intervals {
        let rate = Some(rate).filter(|_| !capped);
        gather(benchmark.as_deref(), rate, *latency, gathering);
        gathering.skip_many("throughput", usize::from(capped), CAPPED);
    }
    let why = "they are the means of the lines of progress, which are the runs";
    gathering.pass_over("final figures", reports.len(), why);
    Ok(())
}

/// Why the throughput under `--rate` says nothing.
const CAPPED: &str = "a rate was asked for (`--rate`): it is no result, the latency is";

fn gather(
    benchmark: Option<&str>,
    rate: Option<&f64>,
    latency: Option<f64>,
    gathering: &mut Gathering,
) {
    if let Some(rate) = rate {
        gathering.run(named(benchmark, "throughput", Some("tps")), *rate);
    }
    if let Some(latency) = latency {
        gathering.run(named(benchmark, "mean latency", Some("ms")), latency);
    }
}

impl Report {
    fn line(
        &mut self,
        line: &str,
        file: &File<'_>,
        at: usize,
        gathering: &mut Gathering,
    ) -> Result<(), Error> {
        if let Some(clients) = after(line, "number of clients:") {
            clients.clone_into(&mut self.clients);
        } else if let Some(rate) = after(line, "tps =") {
            self.tps.push(expect(first(rate), "rate", file, at)?);
        } else if let Some(latency) = after(line, "latency average") {
            // Before version 10 there was a colon.
            let value = first(latency.trim_start_matches([' ', '=', ':']));
            self.latency = Some(expect(value, "latency", file, at)?);
        } else if line.starts_with("rate limit schedule lag:") {
            self.capped = true;
        } else if let Some(failed) = after(line, "number of failed transactions:") {
            let count = first(failed).parse().unwrap_or(0);
            gathering.skip_many("transactions", count, "they failed");
        }
        Ok(())
    }
}

/// The fields of a log: client, number, time in µs, script, and when it ended in seconds
/// and µs of the epoch; more with `--rate` or `--max-tries`.
fn transaction(line: &str) -> Option<[&str; 6]> {
    let mut fields = line.split(' ');
    let mut six = [""; 6];
    for field in &mut six {
        *field = fields.next()?;
    }
    let whole = |text: &str| text.parse::<u64>().ok();
    let [client, number, _, script, seconds, micros] = six;
    let numbers = whole(client).and(whole(number)).and(whole(script));
    // Seconds since 1970 are above this from September 2001 on.
    let epoch = whole(seconds)? >= 1_000_000_000 && whole(micros)? < 1_000_000;
    (numbers.is_some() && epoch && fields.count() <= 2).then_some(six)
}

fn is_log(text: &str) -> bool {
    text.lines().next().is_some_and(|line| transaction(line.trim_end()).is_some())
}

fn read_log(file: &File<'_>, gathering: &mut Gathering) -> Result<(), Error> {
    for (at, line) in file.text.lines().enumerate() {
        let Some([_, _, time, script, ..]) = transaction(line.trim_end()) else {
            return Err(Error::new(format!("this is no transaction: `{line}`"))
                .at_line(file.path, at + 1)
                .with_hint("give the log as `pgbench -l` wrote it, to its end"));
        };
        if ["skipped", "failed", "serialization", "deadlock"].contains(&time) {
            gathering.skip("transactions", format!("the log says `{time}`"));
            continue;
        }
        let time = expect(time, "time of a transaction", file, at + 1)?;
        let script = format!("script {script}");
        gathering.run(named(Some(&script), "latency", Some("us")), time);
    }
    Ok(())
}
