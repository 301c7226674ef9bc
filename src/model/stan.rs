//! A model as a Stan program, and the data of one pair as that program reads them.
//!
//! Names are those of the model file, but for `mean`, `sd` and `scale` of a run, which
//! Stan has functions for.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::distribution::{Distribution, Support};
use super::likelihood::{self, Kind, Parameter};
use super::spec::PriorLine;
use super::{LOGNORMAL, NESTED, PAIRED, Spec, Statistics};
use crate::data::{Blocks, Measurements, Moments, Pair};
use crate::error::Error;

/// The program of a model.
pub fn program(spec: &Spec) -> String {
    let parts = Parts::of(spec);
    let statistics = statistics_named(spec);
    let mut text =
        format!("// {}: the model `{}` of patchodds.\n", spec.title, spec.name);
    if !statistics.is_empty() {
        let of_what = match spec.likelihood.as_str() {
            LOGNORMAL => "are of the logarithms",
            _ => "come with the data",
        };
        let names = statistics.join(", ");
        let _ = writeln!(text, "// Data statistics ({names}) {of_what}.");
    }
    text.push_str("data {\n");
    text.push_str(parts.data);
    for name in statistics {
        let bound = if name == "grand_mean" { "" } else { "<lower=0>" };
        let _ = writeln!(text, "  real{bound} {name};");
    }
    text.push_str("}\n");
    block(&mut text, "transformed data", parts.transformed_data);
    text.push_str("parameters {\n");
    for line in &spec.priors {
        let _ = writeln!(text, "  {}", declaration(spec, line));
    }
    text.push_str("}\n");
    block(&mut text, "transformed parameters", &parts.transformed_parameters);
    text.push_str("model {\n");
    for line in &spec.priors {
        let _ = writeln!(text, "  {}", prior(spec, line));
    }
    text.push_str(parts.likelihood);
    text.push_str("}\n");
    block(&mut text, "generated quantities", parts.generated);
    text
}

/// The data of a pair, with the statistics that the priors name.
///
/// # Errors
/// When a variant is a summary: the program reads runs.
pub fn data(
    spec: &Spec,
    pair: &Pair<'_>,
    statistics: &Statistics,
) -> Result<Value, Error> {
    let mut map = Map::new();
    let runs = |v: usize| match pair.measurements[v] {
        Measurements::Runs(sample) => Ok(sample),
        Measurements::Summary(_) => Err(Error::new(format!(
            "`{}` is a summary, and a Stan program reads runs",
            pair.labels[v]
        ))
        .in_file("--save-stan")),
    };
    let samples = [runs(0)?, runs(1)?];
    match spec.likelihood.as_str() {
        NESTED => {
            let invocations: Vec<(usize, Moments)> = (0..2)
                .flat_map(|v| {
                    samples[v].invocations().map(move |runs| (v + 1, Moments::of(runs)))
                })
                .collect();
            let of = |value: fn(&(usize, Moments)) -> Value| -> Value {
                invocations.iter().map(value).collect()
            };
            map.insert("J".into(), invocations.len().into());
            map.insert("variant".into(), of(|(v, _)| (*v).into()));
            map.insert("n".into(), of(|(_, moments)| moments.n.into()));
            map.insert("y_mean".into(), of(|(_, moments)| moments.mean.into()));
            let squares = of(|(_, moments)| moments.sum_of_squares.into());
            map.insert("y_squares".into(), squares);
        }
        PAIRED => {
            let blocks = Blocks::of(pair.labels, pair.measurements)?;
            let [baseline, candidate] = blocks.samples();
            map.insert("N".into(), baseline.len().into());
            map.insert("y_baseline".into(), json!(baseline.runs()));
            map.insert("y_candidate".into(), json!(candidate.runs()));
        }
        _ => {
            for (name, sample) in ["baseline", "candidate"].iter().zip(samples) {
                map.insert(format!("N_{name}"), sample.len().into());
                map.insert(format!("y_{name}"), json!(sample.runs()));
            }
        }
    }
    for name in statistics_named(spec) {
        map.insert(name.into(), json!(statistics.named(name)));
    }
    Ok(Value::Object(map))
}

fn block(text: &mut String, name: &str, content: &str) {
    if !content.is_empty() {
        let _ = write!(text, "{name} {{\n{content}}}\n");
    }
}

/// The statistics that the priors and the likelihood read.
fn statistics_named(spec: &Spec) -> Vec<&'static str> {
    let named = |name: &str| {
        let arguments = spec.priors.iter().flat_map(|line| &line.statement.arguments);
        let mut names = arguments.flat_map(|(argument, _)| argument.names());
        names.any(|(known, _)| known == name)
    };
    Statistics::NAMES
        .into_iter()
        .filter(|name| named(name) || (*name == "resolution" && spec.rounding))
        .collect()
}

/// As the program calls a parameter.
fn stan_name(spec: &Spec, parameter: &str) -> String {
    let of_run = if spec.likelihood == LOGNORMAL { "log" } else { "run" };
    match parameter {
        "mean" | "sd" | "scale" => format!("{parameter}_{of_run}"),
        word if RESERVED.contains(&word) => format!("{word}_"),
        other => other.to_owned(),
    }
}

/// Words of the language that a parameter of a model file might be called by.
const RESERVED: [&str; 14] = [
    "for", "in", "while", "if", "else", "real", "int", "vector", "matrix", "array",
    "lower", "upper", "offset", "target",
];

/// An expression of the model file with the names of the program; there `1 / 2` would be
/// 0, a division of whole numbers.
fn renamed(spec: &Spec, text: &str) -> String {
    let own: Vec<&str> =
        spec.priors.iter().map(|line| line.parameter.as_str()).collect();
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() || matches!(c, '_' | '.') {
            word.push(c);
            continue;
        }
        let divides = out.trim_end().ends_with('/');
        if own.contains(&word.as_str()) {
            out.push_str(&stan_name(spec, &word));
        } else {
            out.push_str(&word);
        }
        if divides && !word.is_empty() && word.chars().all(|c| c.is_ascii_digit()) {
            out.push_str(".0");
        }
        word.clear();
        out.push(c);
    }
    out.trim_end().to_owned()
}

fn own(spec: &Spec, line: &PriorLine) -> Option<&'static Parameter> {
    let all = likelihood::parameters_of(&spec.likelihood);
    all.iter().find(|parameter| parameter.name == line.parameter)
}

/// `vector<lower=0>[2] sd_run;`
fn declaration(spec: &Spec, line: &PriorLine) -> String {
    let distribution = line.statement.distribution;
    let own = own(spec, line);
    let bounds = if let (Distribution::Uniform, Some([low, high])) =
        (distribution, arguments(spec, line))
    {
        format!("<lower={low}, upper={high}>")
    } else {
        let above_zero = match own.map(|parameter| parameter.kind) {
            Some(kind) => matches!(kind, Kind::Scale | Kind::Shape),
            None => distribution.support() == Support::Positive,
        };
        match (line.statement.lower, above_zero) {
            (Some(lower), _) => format!("<lower={lower}>"),
            (None, true) => "<lower=0>".into(),
            (None, false) => String::new(),
        }
    };
    let name = stan_name(spec, &line.parameter);
    if own.is_some_and(|parameter| !parameter.shared) {
        format!("vector{bounds}[2] {name};")
    } else {
        format!("real{bounds} {name};")
    }
}

/// The two arguments of a distribution that has two, in the names of the program.
fn arguments(spec: &Spec, line: &PriorLine) -> Option<[String; 2]> {
    let inside = line.text.split_once('(')?.1.rsplit_once(')')?.0;
    let mut depth = 0;
    let comma = inside.find(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })?;
    let (low, high) = inside.split_at(comma);
    Some([low, &high[1..]].map(|text| renamed(spec, text.trim())))
}

/// `sd_run ~ lognormal(log(noise), 0.7);`
fn prior(spec: &Spec, line: &PriorLine) -> String {
    let name = stan_name(spec, &line.parameter);
    let several = own(spec, line).is_some_and(|parameter| !parameter.shared);
    match line.statement.distribution {
        Distribution::Flat => format!("// {name} has a flat prior"),
        Distribution::FlatLog if several => format!("target += -sum(log({name}));"),
        Distribution::FlatLog => format!("target += -log({name});"),
        Distribution::Uniform => format!("// {name} is uniform between its bounds"),
        _ => {
            // A cut at a constant is in the declaration, and changes only a constant.
            let text = line.text.split(" T[").next().unwrap_or(&line.text);
            format!("{name} ~ {};", renamed(spec, text.trim()))
        }
    }
}

/// What a likelihood adds to each block.
struct Parts {
    data: &'static str,
    transformed_data: &'static str,
    transformed_parameters: String,
    likelihood: &'static str,
    generated: &'static str,
}

const TWO_SAMPLES: &str = "  int<lower=1> N_baseline;
  int<lower=1> N_candidate;
  vector[N_baseline] y_baseline;
  vector[N_candidate] y_candidate;
";

const DIFFERENCE: &str = "  real difference = mean_run[2] - mean_run[1];
";

impl Parts {
    fn of(spec: &Spec) -> Self {
        // Before rounding to the resolution, and after it.
        let rounded = |name: &str| {
            let variance =
                if spec.rounding { " + square(resolution) / 12" } else { "" };
            format!("  vector[2] rounded = sqrt(square({name}){variance});\n")
        };
        match spec.likelihood.as_str() {
            "student_t" => Self {
                data: TWO_SAMPLES,
                transformed_data: "",
                transformed_parameters: rounded("scale_run"),
                likelihood: "  y_baseline ~ student_t(nu, mean_run[1], rounded[1]);
  y_candidate ~ student_t(nu, mean_run[2], rounded[2]);
",
                generated: DIFFERENCE,
            },
            LOGNORMAL => Self {
                data: "  int<lower=1> N_baseline;
  int<lower=1> N_candidate;
  vector<lower=0>[N_baseline] y_baseline;
  vector<lower=0>[N_candidate] y_candidate;
",
                transformed_data: "",
                transformed_parameters: rounded("sd_log"),
                likelihood: "  y_baseline ~ lognormal(mean_log[1], rounded[1]);
  y_candidate ~ lognormal(mean_log[2], rounded[2]);
",
                generated: "  vector[2] mean_run = exp(mean_log + square(rounded) / 2);
  real difference = mean_run[2] - mean_run[1];
  real ratio_of_medians = exp(mean_log[2] - mean_log[1]);
",
            },
            NESTED => Self {
                data: "  int<lower=1> J;                          // invocations of both variants
  array[J] int<lower=1, upper=2> variant;  // 1 baseline, 2 candidate
  array[J] int<lower=1> n;                 // runs of each invocation
  vector[J] y_mean;                        // mean of each invocation
  vector<lower=0>[J] y_squares;            // sum of squares within it
",
                transformed_data: "",
                transformed_parameters: rounded("sd_run"),
                likelihood: "  for (j in 1:J) {
    int v = variant[j];
    real run = square(rounded[v]);
    y_mean[j] ~ normal(mean_run[v], sqrt(square(between[v]) + run / n[j]));
    target += -0.5 * (n[j] - 1) * log(run) - 0.5 * y_squares[j] / run;
  }
",
                generated: DIFFERENCE,
            },
            PAIRED => Self {
                data: "  int<lower=2> N;  // blocks
  vector[N] y_baseline;
  vector[N] y_candidate;
",
                transformed_data: "  vector[N] d = y_candidate - y_baseline;
  vector[N] s = (y_baseline + y_candidate) / 2;
",
                transformed_parameters: if spec.rounding {
                    "  real rounded_d = sqrt(square(sd_d) + square(resolution) / 6);
  real rounded_s = sqrt(square(sd_s) + square(resolution) / 24);
"
                    .into()
                } else {
                    "  real rounded_d = sd_d;
  real rounded_s = sd_s;
"
                    .into()
                },
                likelihood: "  d ~ normal(difference, rounded_d);
  s ~ normal(level, rounded_s);
",
                generated:
                    "  vector[2] mean_run = [level - difference / 2, level + difference / 2]';
",
            },
            _ => Self {
                data: TWO_SAMPLES,
                transformed_data: "",
                transformed_parameters: rounded("sd_run"),
                likelihood: "  y_baseline ~ normal(mean_run[1], rounded[1]);
  y_candidate ~ normal(mean_run[2], rounded[2]);
",
                generated: DIFFERENCE,
            },
        }
    }
}
