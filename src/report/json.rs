//! An analysis as JSON: the stable names, apart from the types inside.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::words;
use crate::analysis::{
    self, Analysis, Comparison, Detectable, Estimate, MarginSize, ModelComparison,
    Observed, Sensitivities, Settings, Squared,
};
use crate::data::Skipped;
use crate::draws::{INTERVAL, Summary};
use crate::frequentist::TTest;

/// The JSON Schema that every output keeps to.
pub const SCHEMA: &str = include_str!("../../schemas/compare-1.json");

/// The analysis as pretty JSON; `command` is what was typed.
///
/// A value that cannot be known is `null`.
///
/// # Panics
/// Never: keys are text, and every number has a form in JSON.
pub fn json(analysis: &Analysis, command: &[String]) -> String {
    let document = Document {
        schema: "patchodds/compare/1",
        version: env!("CARGO_PKG_VERSION"),
        command,
        settings: SettingsOut::of(&analysis.settings),
        comparisons: analysis
            .comparisons
            .iter()
            .map(|comparison| ComparisonOut::of(comparison, &analysis.settings))
            .collect(),
        unmatched: &analysis.unmatched,
        skipped: analysis.skipped.iter().map(SkippedOut::of).collect(),
    };
    let text = serde_json::to_string_pretty(&document);
    text.expect("maps have text keys and numbers serialise") + "\n"
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    version: &'static str,
    command: &'a [String],
    settings: SettingsOut<'a>,
    comparisons: Vec<ComparisonOut<'a>>,
    unmatched: &'a [String],
    skipped: Vec<SkippedOut<'a>>,
}

/// Something that was passed over in reading.
#[derive(Serialize)]
struct SkippedOut<'a> {
    path: &'a str,
    what: &'a str,
    count: usize,
    why: &'a str,
    routine: bool,
}

impl<'a> SkippedOut<'a> {
    fn of((path, skipped): &'a (String, Skipped)) -> Self {
        let Skipped { what, count, why, routine } = skipped;
        Self { path, what, count: *count, why, routine: *routine }
    }
}

#[derive(Serialize)]
struct SettingsOut<'a> {
    chains: usize,
    draws: usize,
    tune: usize,
    seed: u64,
    margin: MarginOut<'a>,
    confidence: f64,
    interval: f64,
}

#[derive(Serialize)]
struct MarginOut<'a> {
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    relative: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    absolute: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'a str>,
}

impl<'a> SettingsOut<'a> {
    fn of(settings: &'a Settings) -> Self {
        let text = settings.margin.text.as_str();
        let margin = match &settings.margin.size {
            MarginSize::Relative(share) => {
                MarginOut { text, relative: Some(*share), absolute: None, unit: None }
            }
            MarginSize::Absolute { value, unit } => MarginOut {
                text,
                relative: None,
                absolute: Some(*value),
                unit: unit.as_deref(),
            },
        };
        Self {
            chains: settings.chains,
            draws: settings.draws,
            tune: settings.tune,
            seed: settings.seed,
            margin,
            confidence: settings.confidence,
            interval: INTERVAL,
        }
    }
}

#[derive(Serialize)]
struct ComparisonOut<'a> {
    benchmark: Option<&'a str>,
    metric: Option<&'a str>,
    unit: Option<&'a str>,
    model: &'a str,
    priors: Map<String, Value>,
    direction: &'static str,
    direction_source: &'static str,
    baseline: VariantOut<'a>,
    candidate: VariantOut<'a>,
    posterior: Map<String, Value>,
    probability: Value,
    predictive: PredictiveOut,
    loss: LossOut,
    tests: Value,
    sampling: SamplingOut<'a>,
    verdict: &'static str,
    headline: String,
    runs_needed: Option<usize>,
    prior_sensitivity: Map<String, Value>,
    models: Option<Value>,
    warnings: Vec<WarningOut>,
}

impl<'a> ComparisonOut<'a> {
    fn of(comparison: &'a Comparison, settings: &Settings) -> Self {
        let priors = comparison.model.priors.iter();
        Self {
            benchmark: comparison.benchmark.as_deref(),
            metric: comparison.metric.name.as_deref(),
            unit: comparison.metric.unit.as_deref(),
            model: &comparison.model.name,
            priors: priors
                .map(|line| (line.parameter.clone(), line.text.clone().into()))
                .collect(),
            direction: comparison.metric.direction.name(),
            direction_source: comparison.metric.direction_source.name(),
            baseline: VariantOut::of(&comparison.baseline),
            candidate: VariantOut::of(&comparison.candidate),
            posterior: posterior(comparison),
            probability: probability(comparison),
            predictive: PredictiveOut::of(comparison),
            loss: LossOut::of(comparison),
            tests: tests(comparison),
            sampling: SamplingOut::of(comparison),
            verdict: comparison.verdict.name(),
            headline: words::headline(comparison, settings),
            runs_needed: comparison.runs_needed,
            prior_sensitivity: prior_sensitivity(comparison),
            models: comparison.models.as_ref().map(models),
            warnings: comparison
                .warnings
                .iter()
                .map(|warning| WarningOut {
                    kind: warning.kind(),
                    message: warning.to_string(),
                    advice: warning.advice(),
                })
                .collect(),
        }
    }
}

fn prior_sensitivity(comparison: &Comparison) -> Map<String, Value> {
    let Sensitivities { difference, sd: [baseline, candidate] } =
        comparison.sensitivity;
    [("difference", difference), ("baseline_sd", baseline), ("candidate_sd", candidate)]
        .into_iter()
        .map(|(name, of)| {
            let both = json!({ "prior": of.prior, "likelihood": of.likelihood });
            (name.to_owned(), both)
        })
        .collect()
}

fn models(comparison: &ModelComparison) -> Value {
    let estimate = |of: Estimate| json!({ "value": of.value, "se": of.se });
    let compared: Vec<Value> = comparison
        .models
        .iter()
        .map(|model| {
            let known = model.prediction.as_ref().ok();
            json!({
                "model": model.name,
                "difference": SummaryOut::of(&model.difference),
                "slower": model.slower.value,
                "reliable": model.sampling.reliable,
                "elpd": known.map(|known| estimate(known.elpd)),
                "behind": known.map(|known| estimate(known.behind)),
                "p_loo": known.map(|known| known.p_loo),
                "pareto_k_max": known.and_then(|known| known.worst_k),
                "refits": known.map(|known| known.refits),
                "unknown": model.prediction.as_ref().err(),
            })
        })
        .collect();
    json!({
        "unit": comparison.unit,
        "units": comparison.units,
        "conclusion": words::models_conclusion(comparison),
        "compared": compared,
    })
}

#[derive(Serialize)]
struct WarningOut {
    kind: &'static str,
    message: String,
    advice: String,
}

#[derive(Serialize)]
struct VariantOut<'a> {
    label: &'a str,
    n: usize,
    invocations: Option<usize>,
    mean: f64,
    sd: Option<f64>,
    median: Option<f64>,
    min: Option<f64>,
    max: Option<f64>,
    sources: &'a [String],
}

impl<'a> VariantOut<'a> {
    fn of(observed: &'a Observed) -> Self {
        Self {
            label: &observed.label,
            n: observed.n,
            invocations: observed.invocations,
            mean: observed.mean,
            sd: observed.sd,
            median: observed.order.map(|order| order.median),
            min: observed.order.map(|order| order.min),
            max: observed.order.map(|order| order.max),
            sources: &observed.sources,
        }
    }
}

#[derive(Serialize)]
struct SummaryOut {
    mean: Option<f64>,
    sd: Option<f64>,
    median: Option<f64>,
    hdi: Option<[f64; 2]>,
    eti: Option<[f64; 2]>,
    mcse_mean: Option<f64>,
    rhat: Option<f64>,
    ess_bulk: Option<f64>,
    ess_tail: Option<f64>,
}

impl SummaryOut {
    fn of(summary: &Summary) -> Self {
        Self {
            mean: summary.mean,
            sd: summary.sd,
            median: summary.median,
            hdi: summary.hdi,
            eti: summary.eti,
            mcse_mean: summary.mcse_mean,
            rhat: summary.rhat,
            ess_bulk: summary.ess_bulk,
            ess_tail: summary.ess_tail,
        }
    }
}

fn value(of: impl Serialize) -> Value {
    serde_json::to_value(of).unwrap_or(Value::Null)
}

/// The quantities that are always there, null where one cannot be known, then those of
/// the model.
fn posterior(comparison: &Comparison) -> Map<String, Value> {
    const ALWAYS: [&str; 9] = [
        "baseline_mean",
        "candidate_mean",
        "baseline_sd",
        "candidate_sd",
        "difference",
        "relative_change",
        "ratio",
        "effect_size",
        "sd_ratio",
    ];
    let mut map = Map::new();
    for name in ALWAYS {
        let summary = comparison.posterior(name).map(SummaryOut::of);
        map.insert(name.to_owned(), value(summary));
    }
    for (name, summary) in &comparison.posterior {
        if !ALWAYS.contains(&name.as_str()) {
            map.insert(name.clone(), value(SummaryOut::of(summary)));
        }
    }
    map
}

fn probability(comparison: &Comparison) -> Value {
    let chance = &comparison.probability;
    let by = chance.by_margin.as_ref();
    let all = [
        ("slower", Some(chance.slower)),
        ("slower_by_margin", by.map(|by| by.slower)),
        ("within_margin", by.map(|by| by.within)),
        ("faster_by_margin", by.map(|by| by.faster)),
        ("faster", Some(chance.faster)),
        ("next_run_slower", Some(chance.next_run_slower)),
    ];
    let mut map = Map::new();
    let mut mcse = Map::new();
    for (name, probability) in all {
        map.insert(name.to_owned(), value(probability.map(|p| p.value)));
        mcse.insert(name.to_owned(), value(probability.map(|p| p.mcse)));
    }
    map.insert("mcse".to_owned(), Value::Object(mcse));
    Value::Object(map)
}

#[derive(Serialize)]
struct PredictiveOut {
    mean_difference: MeanDifferenceOut,
    squared_distance: SquaredOut,
    squared_distance_of_means: SquaredOut,
}

#[derive(Serialize)]
struct MeanDifferenceOut {
    n: [usize; 2],
    #[serde(flatten)]
    summary: SummaryOut,
}

#[derive(Serialize)]
struct SquaredOut {
    #[serde(flatten)]
    summary: SummaryOut,
    mean_at_zero_difference: Option<f64>,
}

impl PredictiveOut {
    fn of(comparison: &Comparison) -> Self {
        let predictive = &comparison.predictive;
        let squared = |squared: &Squared| SquaredOut {
            summary: SummaryOut::of(&squared.summary),
            mean_at_zero_difference: squared.mean_at_zero_difference,
        };
        Self {
            mean_difference: MeanDifferenceOut {
                n: predictive.n,
                summary: SummaryOut::of(&predictive.mean_difference),
            },
            squared_distance: squared(&predictive.squared_distance),
            squared_distance_of_means: squared(&predictive.squared_distance_of_means),
        }
    }
}

#[derive(Serialize)]
struct LossOut {
    take: Option<f64>,
    refuse: Option<f64>,
    take_relative: Option<f64>,
    refuse_relative: Option<f64>,
}

impl LossOut {
    fn of(comparison: &Comparison) -> Self {
        let loss = &comparison.loss;
        Self {
            take: loss.take,
            refuse: loss.refuse,
            take_relative: loss.take_relative,
            refuse_relative: loss.refuse_relative,
        }
    }
}

#[derive(Serialize)]
struct DetectableOut {
    sd: f64,
    absolute: f64,
    relative: Option<f64>,
}

impl DetectableOut {
    fn of(detectable: &Detectable) -> Self {
        Self {
            sd: detectable.sd,
            absolute: detectable.absolute,
            relative: detectable.relative,
        }
    }
}

fn tests(comparison: &Comparison) -> Value {
    let tests = &comparison.tests;
    let direction = comparison.metric.direction;
    let t_test = |test: &Option<TTest>| {
        test.as_ref().map(|test| {
            serde_json::json!({
                "t": test.t,
                "df": test.df,
                "p": test.p,
                "p_slower": analysis::p_slower(test, direction),
                "ci": test.ci,
            })
        })
    };
    serde_json::json!({
        "unit": tests.unit.name(),
        "welch": t_test(&tests.welch),
        "student": t_test(&tests.student),
        "paired": t_test(&tests.paired),
        "signed_rank": tests.signed_rank.as_ref().map(|test| {
            serde_json::json!({ "v": test.v, "p": test.p, "exact": test.exact })
        }),
        "mann_whitney": tests.mann_whitney.as_ref().map(|test| {
            serde_json::json!({ "u": test.u, "p": test.p, "exact": test.exact })
        }),
        "cohen_d": tests.cohen_d,
        "hedges_g": tests.hedges_g,
        "two_sd_rule": tests.two_sd_rule.as_ref().map(|rule| {
            serde_json::json!({
                "difference_in_sd": rule.ratio,
                "beyond": rule.beyond,
            })
        }),
        "power": tests.power.as_ref().map(|power| {
            serde_json::json!({
                "alpha": analysis::ALPHA,
                "detectable_80": DetectableOut::of(&power.detectable_80),
                "detectable_50": DetectableOut::of(&power.detectable_50),
            })
        }),
        "bayes_factor": tests.bayes_factor.map(|factor| {
            serde_json::json!({ "bf10": factor.bf10, "r": factor.scale })
        }),
        "behrens_fisher": tests.behrens_fisher.as_ref().map(|exact| {
            serde_json::json!({ "p_slower": exact.p_slower, "eti": exact.eti })
        }),
    })
}

#[derive(Serialize)]
struct SamplingOut<'a> {
    divergences: usize,
    max_treedepth: usize,
    ebfmi: &'a [Option<f64>],
    rhat_max: Option<f64>,
    ess_min: Option<f64>,
    reliable: bool,
    rerun: bool,
    seconds: f64,
}

impl<'a> SamplingOut<'a> {
    fn of(comparison: &'a Comparison) -> Self {
        let sampling = &comparison.sampling;
        Self {
            divergences: sampling.divergences,
            max_treedepth: sampling.max_treedepth,
            ebfmi: &sampling.ebfmi,
            rhat_max: sampling.rhat_max,
            ess_min: sampling.ess_min,
            reliable: sampling.reliable,
            rerun: sampling.again,
            seconds: sampling.seconds,
        }
    }
}
