//! What iperf3 writes as JSON: one transfer, one run.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse, parse_line, plain};
use super::lines::Lines;
use super::{File, Format, Options};
use crate::data::{Direction, Reading};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Iperf3;

#[derive(Deserialize, Default)]
struct Transfer {
    error: Option<String>,
    #[serde(default)]
    intervals: Vec<IgnoredAny>,
    end: Option<End>,
}

/// A line of `--json-stream`.
#[derive(Deserialize)]
struct Event {
    event: String,
    data: Value,
}

#[derive(Deserialize)]
struct End {
    sum_sent: Option<Sum>,
    sum_received: Option<Sum>,
    /// The other way, with `--bidir`.
    sum_received_bidir_reverse: Option<Sum>,
    /// Over UDP.
    sum: Option<Sum>,
}

#[derive(Deserialize)]
struct Sum {
    #[serde(default)]
    bits_per_second: Number,
    #[serde(default)]
    retransmits: Number,
    #[serde(default)]
    jitter_ms: Number,
    #[serde(default)]
    lost_percent: Number,
}

impl Format for Iperf3 {
    fn name(&self) -> &'static str {
        "iperf3"
    }

    fn description(&self) -> &'static str {
        "JSON of `iperf3 -J` or `--json-stream`; each file is one run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let outline = Outline::of(file.text);
        if is_stream(&outline) {
            return true;
        }
        outline.has(&["start", "intervals"])
            && (outline.has(&["start.version"])
                || outline.has(&["start.connected"])
                || outline.has(&["intervals[].streams"])
                || outline.has(&["end"]))
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        let transfer: Transfer = if is_stream(&Outline::of(file.text)) {
            stream(file)?
        } else {
            parse(file, "iperf3")?
        };
        if let Some(why) = &transfer.error {
            return Err(Error::new(format!("the transfer failed: `{why}`"))
                .in_file(file.path)
                .with_hint("leave the file out, or measure again"));
        }
        let mut gathering = Gathering::default();
        if let Some(end) = &transfer.end {
            end.gather(&mut gathering);
        }
        let why = "those of one transfer depend on one another: all of it is one run";
        gathering.pass_over("intervals", transfer.intervals.len(), why);
        gathering.finish(self.name(), file.path)
    }
}

/// The first event says what is connected.
fn is_stream(outline: &Outline) -> bool {
    outline.has(&["event", "data.connected"]) || outline.has(&["event", "data.streams"])
}

fn stream(file: &File<'_>) -> Result<Transfer, Error> {
    let mut transfer = Transfer::default();
    let mut bytes = file.text.as_bytes();
    let mut lines = Lines::new(file.path, &mut bytes);
    while let Some(text) = lines.next()? {
        let event = parse_line::<Event>(text, "iperf3");
        let Event { event, data } =
            event.map_err(|fault| fault.at(file.path, lines.line()))?;
        match event.as_str() {
            "interval" => transfer.intervals.push(IgnoredAny),
            "end" => transfer.end = serde_json::from_value(data).ok(),
            "error" => transfer.error = Some(plain(&data)),
            _ => {}
        }
    }
    if transfer.end.is_none() && transfer.error.is_none() {
        return Err(Error::new("the transfer has no end: the file was cut off")
            .at_line(file.path, lines.line().max(1))
            .with_hint("measure again, and give the stream to its end"));
    }
    Ok(transfer)
}

impl End {
    fn gather(&self, gathering: &mut Gathering) {
        // What arrived, rather than what was sent.
        let sums = [&self.sum_received, &self.sum, &self.sum_sent];
        let mut rates =
            sums.into_iter().flatten().filter_map(|sum| sum.bits_per_second.0);
        if let Some(rate) = rates.find(|rate| *rate > 0.0) {
            gathering.run(named(None, "throughput", Some("bit/s")), rate);
        }
        let reverse = self.sum_received_bidir_reverse.as_ref();
        if let Some(rate) = reverse.and_then(|sum| sum.bits_per_second.0) {
            gathering.run(named(None, "reverse throughput", Some("bit/s")), rate);
        }
        let lower = |metric, unit, value: Option<f64>, gathering: &mut Gathering| {
            if let Some(value) = value {
                let mut record = named(None, metric, unit);
                record.direction = Some(Direction::LowerIsBetter);
                gathering.run(record, value);
            }
        };
        let sent = self.sum_sent.as_ref().and_then(|sum| sum.retransmits.0);
        lower("retransmits", None, sent, gathering);
        if let Some(sum) = &self.sum {
            lower("jitter", Some("ms"), sum.jitter_ms.0, gathering);
            lower("loss", Some("%"), sum.lost_percent.0, gathering);
        }
    }
}
