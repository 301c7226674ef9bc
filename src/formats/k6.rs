//! What k6 writes of each request, as JSON lines or CSV, read as it comes.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::gathering::{Gathering, named};
use super::json::{Number, Outline, parse_line};
use super::lines::Lines;
use super::{File, Format, Options};
use crate::data::{Reading, Record};
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct K6;

/// How the CSV begins.
const HEADER: &str = "metric_name,timestamp,metric_value";

impl Format for K6 {
    fn name(&self) -> &'static str {
        "k6"
    }

    fn description(&self) -> &'static str {
        "points of k6 (`--out json=FILE` or `--out csv=FILE`); each value of a trend is \
         a run"
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let text = file.text.trim_start();
        let outline = Outline::of(text);
        text.starts_with(HEADER)
            || (text.starts_with('{')
                && outline.has(&["metric", "type", "data"])
                && (outline.has(&["data.value"]) || outline.has(&["data.contains"])))
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        read(&mut Lines::new(file.path, &mut file.text.as_bytes()))
    }

    fn read_lines(
        &self,
        lines: &mut Lines<'_>,
        _: &Options,
    ) -> Option<Result<Reading, Error>> {
        Some(read(lines))
    }
}

fn read(lines: &mut Lines<'_>) -> Result<Reading, Error> {
    let mut points = Points::default();
    let mut columns = None;
    while let Some(text) = lines.next()? {
        if text.starts_with(HEADER) {
            columns = Some(Columns::of(text));
            continue;
        }
        let point = match &columns {
            Some(columns) => Ok(columns.point(text)),
            None => parse_line(text, "k6"),
        };
        let point = point.map_err(|fault| fault.at(lines.path(), lines.line()))?;
        points.add(point);
    }
    points.finish(lines.path())
}

/// One line: the declaration of a metric, or a value of it.
#[derive(Deserialize)]
struct Line {
    metric: String,
    #[serde(rename = "type")]
    kind: String,
    data: Data,
}

#[derive(Deserialize, Default)]
struct Data {
    #[serde(rename = "type")]
    kind: Option<String>,
    contains: Option<String>,
    #[serde(default)]
    value: Number,
    #[serde(default)]
    tags: Option<Tags>,
}

#[derive(Deserialize, Default)]
struct Tags {
    name: Option<String>,
    method: Option<String>,
    group: Option<String>,
    scenario: Option<String>,
    error_code: Option<String>,
    status: Option<String>,
    expected_response: Option<String>,
}

/// Where the CSV keeps what is needed.
struct Columns(Vec<String>);

impl Columns {
    fn of(header: &str) -> Self {
        Self(header.split(',').map(|name| name.trim().to_owned()).collect())
    }

    fn point(&self, text: &str) -> Line {
        let cells = cells(text);
        let cell = |name: &str| {
            let at = self.0.iter().position(|column| column == name)?;
            cells.get(at).filter(|cell| !cell.is_empty()).cloned()
        };
        let value = cell("metric_value").and_then(|value| value.parse::<f64>().ok());
        Line {
            metric: cell("metric_name").unwrap_or_default(),
            kind: POINT.to_owned(),
            data: Data {
                kind: None,
                contains: None,
                value: Number(value.filter(|value| value.is_finite())),
                tags: Some(Tags {
                    name: cell("name"),
                    method: cell("method"),
                    group: cell("group"),
                    scenario: cell("scenario"),
                    error_code: cell("error_code"),
                    status: cell("status"),
                    expected_response: cell("expected_response"),
                }),
            },
        }
    }
}

/// The fields of a line of CSV; a field in quotes may hold commas.
fn cells(text: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for letter in text.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            letter => {
                if let Some(cell) = cells.last_mut() {
                    cell.push(letter);
                }
            }
        }
    }
    cells
}

const POINT: &str = "Point";

/// Metrics of k6 itself that are no trends; the CSV does not say which are.
const NO_TRENDS: [&str; 14] = [
    "checks",
    "data_received",
    "data_sent",
    "dropped_iterations",
    "grpc_streams",
    "grpc_streams_msgs_received",
    "grpc_streams_msgs_sent",
    "http_req_failed",
    "http_reqs",
    "iterations",
    "vus",
    "vus_max",
    "ws_msgs_received",
    "ws_msgs_sent",
];

/// Beginnings of the names of k6's own trends, all of which are times.
const TIMES: [&str; 7] = [
    "http_req_",
    "iteration_duration",
    "group_duration",
    "grpc_req_duration",
    "ws_connecting",
    "ws_session_duration",
    "browser_",
];

/// What a metric is.
#[derive(Clone)]
enum Metric {
    Trend(Option<&'static str>),
    NoTrend,
}

impl Metric {
    fn declared(data: &Data) -> Self {
        match (data.kind.as_deref(), data.contains.as_deref()) {
            (Some("trend"), Some("time")) => Self::Trend(Some("ms")),
            (Some("trend"), Some("data")) => Self::Trend(Some("B")),
            (Some("trend"), _) => Self::Trend(None),
            (_, _) => Self::NoTrend,
        }
    }

    /// What is known of a metric that was not declared.
    fn known(name: &str) -> Self {
        if NO_TRENDS.contains(&name) {
            return Self::NoTrend;
        }
        let time = TIMES.iter().any(|start| name.starts_with(start));
        Self::Trend(time.then_some("ms"))
    }
}

/// The values of each metric and name, as they come.
#[derive(Default)]
struct Points {
    metrics: BTreeMap<String, Metric>,
    places: BTreeMap<(String, String), usize>,
    all: Vec<(Record, Vec<f64>)>,
    skipped: BTreeMap<(String, String), usize>,
    /// By name: points of metrics that hold no runs.
    passed_over: BTreeMap<String, usize>,
}

impl Points {
    fn add(&mut self, line: Line) {
        let Line { metric: name, kind, data } = line;
        if kind != POINT {
            self.metrics.insert(name, Metric::declared(&data));
            return;
        }
        let metric = self.metrics.get(&name).cloned();
        let unit = match metric.unwrap_or_else(|| Metric::known(&name)) {
            Metric::Trend(unit) => unit,
            Metric::NoTrend => {
                *self.passed_over.entry(name).or_default() += 1;
                return;
            }
        };
        let tags = data.tags.unwrap_or_default();
        let benchmark = tags.benchmark();
        if let Some(why) = tags.failure() {
            self.skip(format!("`{name}` of `{benchmark}`"), why);
            return;
        }
        let Some(value) = data.value.0 else {
            self.skip(format!("points of `{name}`"), "they are not finite".to_owned());
            return;
        };
        let key = (name, benchmark);
        let at = if let Some(at) = self.places.get(&key) {
            *at
        } else {
            let benchmark = Some(key.1.as_str()).filter(|name| !name.is_empty());
            self.all.push((named(benchmark, &key.0, unit), Vec::new()));
            self.places.insert(key, self.all.len() - 1);
            self.all.len() - 1
        };
        self.all[at].1.push(value);
    }

    fn skip(&mut self, what: String, why: String) {
        *self.skipped.entry((what, why)).or_default() += 1;
    }

    fn finish(self, path: &str) -> Result<Reading, Error> {
        let mut gathering = Gathering::default();
        for (record, values) in self.all {
            gathering.runs(record).invocations.push(values);
        }
        for ((what, why), count) in self.skipped {
            gathering.skip_many(what, count, why);
        }
        for (name, count) in self.passed_over {
            let why = "a count, gauge or rate is no run: trends are kept";
            gathering.pass_over(format!("points of `{name}`"), count, why);
        }
        gathering.finish("k6", path)
    }
}

impl Tags {
    /// Scenario and group where there is more than the default, and the request.
    fn benchmark(&self) -> String {
        let scenario = self.scenario.as_deref().filter(|name| *name != "default");
        let group = self.group.as_deref().map(|name| name.trim_start_matches("::"));
        let request = self.name.as_ref().map(|name| match &self.method {
            Some(method) => format!("{method} {name}"),
            None => name.clone(),
        });
        let parts = [scenario, group, request.as_deref()].into_iter().flatten();
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        parts.join("/")
    }

    /// Why a request has no time that counts.
    fn failure(&self) -> Option<String> {
        let status = self.status.as_deref().unwrap_or_default();
        match (self.error_code.as_deref(), self.expected_response.as_deref()) {
            (Some(code), _) if !matches!(code, "" | "0") => {
                Some(format!("the request failed: error {code}"))
            }
            (_, Some("false")) => {
                Some(format!("the response was not expected: status {status}"))
            }
            (_, _) => None,
        }
    }
}
