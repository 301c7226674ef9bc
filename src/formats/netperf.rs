//! What netperf prints: the classic text, omni CSV (`-o`) or key and value (`-k`).

use super::gathering::{Gathering, named};
use super::printed::{expect, head};
use super::{File, Format, Options};
use crate::data::{Direction, Reading, Record};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Netperf;

impl Format for Netperf {
    fn name(&self) -> &'static str {
        "netperf"
    }

    fn description(&self) -> &'static str {
        "text of `netperf`, also `-o` and `-k`; each test is one run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        // JSON that quotes it is of another tool.
        !file.text.trim_start().starts_with(['[', '{'])
            && head(file.text).any(|line| {
                banner(line).is_some()
                    || line.starts_with("THROUGHPUT=")
                    || is_header(&line.split(',').map(str::trim).collect::<Vec<_>>())
            })
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let mut gathering = Gathering::default();
        let mut lines = Lines { file, at: 0, all: file.text.lines().collect() };
        let mut test = None;
        while let Some(line) = lines.next() {
            if line.starts_with("THROUGHPUT=") || line.starts_with("THROUGHPUT_UNITS=")
            {
                lines.at -= 1;
                lines.keys(test.as_deref(), &mut gathering)?;
            } else if let Some(name) = banner(line) {
                test = Some(name.to_owned());
            } else if let Some(unit) = classic_unit(line) {
                lines.classic(test.as_deref(), unit, &mut gathering)?;
            } else if is_header(&line.split(',').map(str::trim).collect::<Vec<_>>()) {
                lines.fields(line, test.as_deref(), &mut gathering)?;
            }
        }
        gathering.finish(self.name(), file.path)
    }
}

/// `MIGRATED TCP STREAM TEST from 0.0.0.0 …`: the test.
fn banner(line: &str) -> Option<&str> {
    let (name, _) = line.split_once(" TEST from ")?;
    Some(name.trim_start_matches("MIGRATED ").trim())
}

/// The unit at the end of the last line of a header, as `Unit` knows it.
fn classic_unit(line: &str) -> Option<&'static str> {
    let line = line.trim_end();
    let table = line.starts_with("bytes") || line.starts_with("Size");
    [
        ("10^3bits/sec", "10^3bits/s"),
        ("10^6bits/sec", "10^6bits/s"),
        ("per sec", "Trans/s"),
    ]
    .into_iter()
    .find(|(end, _)| table && line.contains(end))
    .map(|(_, unit)| unit)
}

/// The columns of omni output that are metrics, in either spelling, with their unit.
const COLUMNS: [(&str, &str, &str, Option<&str>); 6] = [
    ("Mean Latency Microseconds", "MEAN_LATENCY", "mean latency", Some("us")),
    ("50th Percentile Latency Microseconds", "P50_LATENCY", "p50 latency", Some("us")),
    ("90th Percentile Latency Microseconds", "P90_LATENCY", "p90 latency", Some("us")),
    ("99th Percentile Latency Microseconds", "P99_LATENCY", "p99 latency", Some("us")),
    ("Local CPU Util %", "LOCAL_CPU_UTIL", "local CPU utilization", Some("%")),
    ("Remote CPU Util %", "REMOTE_CPU_UTIL", "remote CPU utilization", Some("%")),
];

/// Latencies say so themselves; a share of a processor does not.
fn less_is_better(mut record: Record) -> Record {
    let share = record.unit.as_deref() == Some("%");
    record.direction = share.then_some(Direction::LowerIsBetter);
    record
}

fn is_header(fields: &[&str]) -> bool {
    fields.contains(&"Throughput") && fields.contains(&"Throughput Units")
}

/// The lines of a file, and how many were read.
struct Lines<'a> {
    file: &'a File<'a>,
    at: usize,
    all: Vec<&'a str>,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let line = self.all.get(self.at)?;
        self.at += 1;
        Some(line)
    }

    fn cut(&self) -> Error {
        Error::new("the results end in the middle: the file was cut off")
            .at_line(self.file.path, self.at.max(1))
            .with_hint("give the output to its end; nothing of a cut file is read")
    }

    /// The line of values under a header: the first that is not blank, or for datagrams
    /// the second, which says what arrived.
    fn classic(
        &mut self,
        test: Option<&str>,
        unit: &str,
        gathering: &mut Gathering,
    ) -> Result<(), Error> {
        let line = loop {
            let line = self.next().ok_or_else(|| self.cut())?;
            if !line.trim().is_empty() {
                break line;
            }
        };
        // A request and a response have a size each; what comes after is of the CPU.
        let (line, place) = match (unit, test) {
            ("Trans/s", _) => (line, 5),
            (_, Some("UDP STREAM")) => (self.next().ok_or_else(|| self.cut())?, 3),
            _ => (line, 4),
        };
        let values: Vec<&str> = line.split_whitespace().collect();
        let value = values.get(place).ok_or_else(|| self.cut())?;
        let value = expect(value, "throughput", self.file, self.at)?;
        gathering.run(named(test, "throughput", Some(unit)), value);
        Ok(())
    }

    /// `-k`: all keys of one test.
    fn keys(
        &mut self,
        test: Option<&str>,
        gathering: &mut Gathering,
    ) -> Result<(), Error> {
        let mut unit = None;
        let mut throughput = None;
        let mut others = Vec::new();
        while let Some((key, value)) = self.next().and_then(|line| line.split_once('='))
        {
            let number = |what| expect(value, what, self.file, self.at);
            match key {
                "THROUGHPUT" if throughput.is_some() => {
                    self.at -= 1;
                    break;
                }
                "THROUGHPUT" => throughput = Some(number("throughput")?),
                "THROUGHPUT_UNITS" => unit = Some(value),
                _ => {
                    let column = COLUMNS.iter().find(|(_, known, ..)| *known == key);
                    if let Some((_, _, metric, unit)) = column {
                        others.push((*metric, *unit, number(metric)?));
                    }
                }
            }
        }
        let (Some(unit), Some(throughput)) = (unit, throughput) else {
            return Err(self.cut());
        };
        gathering.run(named(test, "throughput", Some(unit)), throughput);
        for (metric, unit, value) in others {
            gathering.run(less_is_better(named(test, metric, unit)), value);
        }
        Ok(())
    }

    /// `-o`: the line of values under the names, which a mail may have broken.
    fn fields(
        &mut self,
        header: &str,
        test: Option<&str>,
        gathering: &mut Gathering,
    ) -> Result<(), Error> {
        let mut header = header.trim_end().to_owned();
        let values = loop {
            let line = self.next().ok_or_else(|| self.cut())?;
            if line.starts_with(|letter: char| letter.is_ascii_digit()) {
                break line;
            }
            header = format!("{header} {}", line.trim());
        };
        let names: Vec<&str> = header.split(',').map(str::trim).collect();
        let values: Vec<&str> = values.split(',').map(str::trim).collect();
        if names.len() != values.len() {
            return Err(self.cut());
        }
        let value = |name: &str| {
            let at = names.iter().position(|known| *known == name)?;
            Some(values[at])
        };
        let number = |text: &str, what: &str| expect(text, what, self.file, self.at);
        let throughput = number(value("Throughput").unwrap_or_default(), "throughput")?;
        let unit = value("Throughput Units");
        gathering.run(named(test, "throughput", unit), throughput);
        for (name, _, metric, unit) in COLUMNS {
            if let Some(text) = value(name) {
                let record = less_is_better(named(test, metric, unit));
                gathering.run(record, number(text, metric)?);
            }
        }
        Ok(())
    }
}
