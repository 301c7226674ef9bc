//! A dataset and a model to an analysis: what a comparison says, and how sure it is.

mod batches;
mod bayes_factor;
mod checks;
mod contrast;
mod elpd;
mod exported;
mod fit;
mod model_comparison;
mod prepared;
mod prior_predictive;
mod quantities;
mod runs_needed;
mod sensitivity;
mod settings;
mod verdict;

use rayon::prelude::*;

use crate::data::{
    Dataset, DirectionSource, FilesAsInvocations, Measurements, Metric, Pair, Sample,
    Series, Skipped, Variant,
};
use crate::draws::{Draws, Summary};
use crate::error::Error;
use crate::frequentist;
use crate::model::{LOGNORMAL, NESTED, PAIRED, Posterior, Spec, stan};
use crate::sampler::{Effort, Nuts};
use crate::warning::Warning;

pub use bayes_factor::BayesFactor;
pub use contrast::{
    ALPHA, Detectable, Power, ReferencePosterior, TestUnit, Tests, p_slower,
};
pub use fit::Sampling;
pub use model_comparison::{ComparedModel, Estimate, ModelComparison, Prediction};
pub use prior_predictive::{PriorPredictive, prior_predictive};
pub use quantities::{ByMargin, Loss, PerDraw, Predictive, Probabilities, Squared};
pub use runs_needed::MOST_RUNS;
pub use sensitivity::{Sensitivities, Sensitivity};
pub use settings::{DEFAULT_SEED, Margin, MarginSize, Settings, parse_run_noise};
pub use verdict::Verdict;

use exported::reported;
use fit::Fit;
use prepared::Prepared;
use quantities::{Existence, Quantities, existence};

/// Everything that was asked of a dataset.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Analysis {
    /// How it was made.
    pub settings: Settings,
    /// Each candidate against the baseline, for each series.
    pub comparisons: Vec<Comparison>,
    /// What was not compared, and why: in one variant only, or too little of it.
    pub unmatched: Vec<String>,
    /// What was passed over in reading, with the file it is in.
    pub skipped: Vec<(String, Skipped)>,
}

impl Analysis {
    /// Whether every comparison was sampled well enough.
    pub fn is_reliable(&self) -> bool {
        self.comparisons.iter().all(|comparison| comparison.sampling.reliable)
    }
}

/// One candidate against the baseline.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// What was exercised, where it has a name.
    pub benchmark: Option<String>,
    /// What was measured.
    pub metric: Metric,
    /// The model.
    pub model: Spec,
    /// The baseline, as measured.
    pub baseline: Observed,
    /// The candidate, as measured.
    pub candidate: Observed,
    /// Posterior summaries, by the names of the JSON output, in the unit of the runs.
    pub posterior: Vec<(String, Summary)>,
    /// Probabilities that compare the means.
    pub probability: Probabilities,
    /// A repeat of the experiment.
    pub predictive: Predictive,
    /// Expected losses.
    pub loss: Loss,
    /// The margin in the unit of the runs, at the baseline's posterior median.
    pub margin: Option<f64>,
    /// The other school.
    pub tests: Tests,
    /// How well sampling went.
    pub sampling: Sampling,
    /// What follows.
    pub verdict: Verdict,
    /// How many runs a variant would decide, where the verdict is undecided; `None`
    /// also where [`MOST_RUNS`] are not enough.
    pub runs_needed: Option<usize>,
    /// What weakens it.
    pub warnings: Vec<Warning>,
    /// How much prior and likelihood move the result.
    pub sensitivity: Sensitivities,
    /// Other models on the same data, where they were asked for.
    pub models: Option<ModelComparison>,
    /// The model as a Stan program with its data, where it was asked for.
    pub stan: Option<StanProgram>,
    /// Its draws.
    pub draws: Draws,
}

impl Comparison {
    /// The summary of a quantity, by its name in the JSON output.
    pub fn posterior(&self, name: &str) -> Option<&Summary> {
        self.posterior
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, summary)| summary)
    }
}

/// A model and the data of one comparison, as Stan's tools read them.
#[derive(Debug, Clone, PartialEq)]
pub struct StanProgram {
    /// The program.
    pub program: String,
    /// The data, as JSON.
    pub data: serde_json::Value,
}

/// What was measured of one variant.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    /// The variant.
    pub label: String,
    /// Runs.
    pub n: usize,
    /// Invocations they came out of; unknown for a summary.
    pub invocations: Option<usize>,
    /// Mean of the runs.
    pub mean: f64,
    /// SD of the runs; unknown for one run.
    pub sd: Option<f64>,
    /// Median, smallest and largest run; unknown for a summary.
    pub order: Option<Order>,
    /// Where the values came from.
    pub sources: Vec<String>,
}

/// Order statistics of some runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Order {
    /// The middle one, or halfway between the two middle ones.
    pub median: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

impl Observed {
    fn of(variant: &Variant) -> Self {
        let moments = variant.measurements.moments();
        let sample = variant.measurements.sample();
        Self {
            label: variant.label.clone(),
            n: moments.n,
            invocations: sample.map(|sample| sample.invocations().len()),
            mean: moments.mean,
            sd: moments.sd(),
            order: sample.map(Order::of),
            sources: variant.sources.clone(),
        }
    }
}

impl Order {
    fn of(sample: &Sample) -> Self {
        let runs = sample.ascending();
        let middle = runs.len() / 2;
        let median = match runs.len() % 2 {
            0 => f64::midpoint(runs[middle - 1], runs[middle]),
            _ => runs[middle],
        };
        Self { median, min: runs[0], max: runs[runs.len() - 1] }
    }
}

/// Compares each candidate of each series with its baseline.
///
/// # Errors
/// When the settings are out of range, or the model does not fit the data.
pub fn analyse(dataset: &Dataset, settings: &Settings) -> Result<Analysis, Error> {
    settings.check()?;
    let mut comparisons = Vec::new();
    let mut unmatched = dataset.unmatched.clone();
    let mut first_refused = None;
    for series in &dataset.series {
        let Some((baseline, candidates)) = series.variants.split_first() else {
            continue;
        };
        for candidate in candidates {
            let mut comparison = match compare(series, [baseline, candidate], settings)
            {
                Ok(comparison) => comparison,
                Err(error) if holds_too_little(baseline, candidate) => {
                    unmatched.push(format!(
                        "{} of `{}`: {}",
                        series.name(),
                        candidate.label,
                        error.what()
                    ));
                    first_refused = first_refused.or(Some(error));
                    continue;
                }
                Err(error) => return Err(error),
            };
            let files = files_as_invocations(dataset, [baseline, candidate]);
            comparison.warnings.splice(0..0, files);
            comparisons.push(comparison);
        }
    }
    match first_refused {
        Some(error) if comparisons.is_empty() => Err(error),
        _ => Ok(Analysis {
            settings: settings.clone(),
            comparisons,
            unmatched,
            skipped: dataset.skipped.clone(),
        }),
    }
}

/// Whether two variants hold too little for any model.
fn holds_too_little(baseline: &Variant, candidate: &Variant) -> bool {
    let labels = [baseline.label.as_str(), &candidate.label];
    Pair::new(labels, [&baseline.measurements, &candidate.measurements]).is_err()
}

fn files_as_invocations(dataset: &Dataset, variants: [&Variant; 2]) -> Vec<Warning> {
    let concerns = |one: &&FilesAsInvocations| {
        variants.iter().any(|variant| variant.label == one.variant)
    };
    dataset
        .files_as_invocations
        .iter()
        .filter(concerns)
        .map(|one| Warning::FilesAsInvocations {
            label: one.variant.clone(),
            files: one.files,
        })
        .collect()
}

fn compare(
    series: &Series,
    variants: [&Variant; 2],
    settings: &Settings,
) -> Result<Comparison, Error> {
    let metric = &series.metric;
    let prepared = Prepared::of(variants, settings)?;
    let tested = Pair::new(prepared.labels(), prepared.tested.each_ref())?;
    let pair = Pair::new(prepared.labels(), prepared.modelled())?;
    let posterior = Posterior::new(&prepared.model, &pair)?;
    let effort = effort(settings);
    let (fit, tests) = rayon::join(
        || Fit::new(posterior, &Nuts, &effort),
        || match &prepared.blocks {
            Some(blocks) => Tests::of_blocks(&tested, blocks),
            None => Tests::of(&tested, prepared.unit, metric.direction),
        },
    );
    let fit = fit?;
    let n = pair.moments.map(|moments| moments.n);
    let n_future = settings.future_runs.map_or(n, |runs| [runs; 2]);
    let quantities = Quantities::of(&fit, n_future, blur(&pair, metric), settings.seed);
    Compared { series, prepared: &prepared, settings, pair: &pair, fit: &fit }.conclude(
        &quantities,
        n_future,
        tests,
    )
}

/// How hard to sample.
fn effort(settings: &Settings) -> Effort {
    Effort {
        chains: settings.chains,
        draws: settings.draws,
        tune: settings.tune,
        target_accept: 0.0,
        seed: settings.seed,
    }
}

/// A pair with its fit, from which the rest follows.
struct Compared<'a> {
    series: &'a Series,
    prepared: &'a Prepared,
    settings: &'a Settings,
    pair: &'a Pair<'a>,
    fit: &'a Fit,
}

impl Compared<'_> {
    fn stan(&self) -> Result<StanProgram, Error> {
        let model = &self.prepared.model;
        let statistics = self.fit.posterior.statistics();
        Ok(StanProgram {
            program: stan::program(model),
            data: stan::data(model, self.pair, statistics)?,
        })
    }

    fn model_comparison(&self) -> Result<Option<ModelComparison>, Error> {
        let specs = self.settings.side_by_side()?;
        let metric = &self.series.metric;
        let of = || {
            let effort = effort(self.settings);
            ModelComparison::of(&specs, self.prepared, metric, &effort)
        };
        (!specs.is_empty()).then(of).transpose()
    }

    fn conclude(
        &self,
        quantities: &Quantities,
        n_future: [usize; 2],
        mut tests: Tests,
    ) -> Result<Comparison, Error> {
        let Self { series, prepared, settings, pair, fit } = *self;
        let model = prepared.model.clone();
        let variants = prepared.variants.each_ref();
        let metric = &series.metric;
        let direction = metric.direction;
        let has_relative = quantities.has_relative();
        let margin =
            margin_per_draw(settings, metric, quantities, has_relative, variants[0])?;
        let probability = Probabilities::of(quantities, direction, margin.as_ref());
        let chances = verdict::Chances {
            slower: probability.slower.value,
            faster: probability.faster.value,
            by_margin: probability
                .by_margin
                .map(|by| [by.slower.value, by.within.value, by.faster.value]),
        };
        let (verdict, steps) = if prepared.undecidable {
            (Verdict::Undecided, Vec::new())
        } else {
            verdict::decide(&chances, settings.confidence)
        };
        let runs_needed = (verdict == Verdict::Undecided && !prepared.undecidable)
            .then(|| {
                runs_needed::runs_needed(
                    quantities,
                    direction,
                    margin.as_ref(),
                    settings.confidence,
                    settings.seed,
                )
            })
            .flatten();
        let exists = Exists::of(&model, pair);
        if settings.bayes_factor {
            tests.bayes_factor = BayesFactor::of(&tests);
        }
        let mut warnings = prepared.warnings.clone();
        warnings.extend(self::warnings(series, prepared, pair, &tests));
        warnings.extend(checks::checks(prepared, pair, metric.unit.as_deref()));
        if !has_relative {
            let label = variants[0].label.clone();
            warnings.push(Warning::NoRelativeChange { label });
        }
        let sensitivity = Sensitivities::of(fit, quantities);
        warnings.extend(sensitivity.warning(prepared));
        warnings.extend(close_call(&steps, &probability));
        if !fit.sampling.reliable {
            let reasons = fit.sampling.reasons.clone();
            warnings.push(Warning::NotReliable { reasons });
        }
        Ok(Comparison {
            benchmark: series.benchmark.clone(),
            metric: metric.clone(),
            baseline: Observed::of(variants[0]),
            candidate: Observed::of(variants[1]),
            posterior: summaries(quantities, &model, exists, has_relative),
            predictive: Predictive::of(quantities, n_future, exists.difference),
            loss: Loss::of(
                quantities,
                direction,
                exists.difference != Existence::None,
                has_relative,
            ),
            probability,
            margin: margin.map(|margin| median(&margin)),
            tests,
            sampling: fit.sampling.clone(),
            verdict,
            runs_needed,
            warnings,
            sensitivity,
            models: self.model_comparison()?,
            stan: settings.stan.then(|| self.stan()).transpose()?,
            draws: self.draws(quantities, has_relative),
            model,
        })
    }
}

/// The width within which rounding hides the mean of each variant: rounding does not
/// average out where the scatter is below the resolution, except for counts, which are
/// whole anyway.
fn blur(pair: &Pair<'_>, metric: &Metric) -> [f64; 2] {
    let whole = pair
        .measurements
        .iter()
        .filter_map(|measured| measured.sample())
        .all(|sample| sample.runs().iter().all(|run| run.fract() == 0.0));
    let counted = crate::data::unit::is_count(metric.unit.as_deref());
    pair.moments.map(|moments| match moments.sd() {
        Some(sd) if sd < pair.resolution && !(whole && counted) => pair.resolution,
        _ => 0.0,
    })
}

fn margin_per_draw(
    settings: &Settings,
    metric: &Metric,
    quantities: &Quantities,
    has_relative: bool,
    baseline: &Variant,
) -> Result<Option<PerDraw>, Error> {
    let constant = |value: f64| Some(quantities.difference.mapv(|_| value));
    match &settings.margin.size {
        MarginSize::Relative(share) if has_relative => {
            Ok(Some(quantities.mean[0].mapv(|mean| share * mean.abs())))
        }
        MarginSize::Relative(_) if settings.margin.stated => Err(Error::new(format!(
            "a margin of {} has no size: the mean of `{}` may be zero",
            settings.margin.text, baseline.label
        ))
        .in_file("--margin")
        .with_hint("give the margin as a value in the unit of the runs")),
        MarginSize::Relative(_) => Ok(None),
        MarginSize::Absolute { value, unit: None } => Ok(constant(*value)),
        MarginSize::Absolute { value, unit: Some(unit) } => {
            let runs = metric.unit.as_deref();
            let conversion =
                runs.and_then(|runs| crate::data::unit::conversion(unit, runs));
            match conversion {
                Some(conversion) => Ok(constant(conversion.apply(*value))),
                None => Err(Error::new(format!(
                    "the margin is in `{unit}`, the runs are in {}",
                    runs.map_or("no known unit".to_owned(), |runs| format!("`{runs}`"))
                ))
                .in_file("--margin")
                .with_hint("give it in the unit of the runs, or in per cent")),
            }
        }
    }
}

fn median(values: &PerDraw) -> f64 {
    let mut sorted: Vec<f64> = values.iter().copied().collect();
    sorted.sort_unstable_by(f64::total_cmp);
    crate::draws::quantile(&sorted, 0.5)
}

/// Which moments exist.
#[derive(Clone, Copy)]
struct Exists {
    variant: [Existence; 2],
    difference: Existence,
}

impl Exists {
    fn of(model: &Spec, pair: &Pair<'_>) -> Self {
        if model.likelihood == LOGNORMAL {
            // The exponential of a mean that is Student-t has no moments; here the prior
            // cuts its tail, too far out to be of use.
            return Self { variant: [Existence::None; 2], difference: Existence::None };
        }
        let proper = model.is_proper();
        let n = pair.moments.map(|moments| moments.n);
        Self {
            variant: n.map(|n| existence(proper, n)),
            difference: existence(proper, n[0].min(n[1])),
        }
    }
}

fn summaries(
    quantities: &Quantities,
    model: &Spec,
    exists: Exists,
    has_relative: bool,
) -> Vec<(String, Summary)> {
    let mut list: Vec<(String, PerDraw, Existence)> = vec![
        ("baseline_mean".into(), quantities.mean[0].clone(), exists.variant[0]),
        ("candidate_mean".into(), quantities.mean[1].clone(), exists.variant[1]),
        ("baseline_sd".into(), quantities.sd[0].clone(), exists.variant[0]),
        ("candidate_sd".into(), quantities.sd[1].clone(), exists.variant[1]),
        ("difference".into(), quantities.difference.clone(), exists.difference),
        ("effect_size".into(), quantities.effect_size(), exists.difference),
    ];
    if !quantities.same_sd {
        list.push(("sd_ratio".into(), quantities.sd_ratio(), exists.variant[1]));
    }
    if let Some(ratio) = &quantities.ratio_of_medians {
        list.push(("ratio_of_medians".into(), ratio.clone(), Existence::None));
    }
    if has_relative {
        // Of a ratio whose denominator has some density at 0, no moment exists.
        list.push((
            "relative_change".into(),
            quantities.relative_change(),
            Existence::None,
        ));
        list.push(("ratio".into(), quantities.ratio(), Existence::None));
    }
    for (name, variant, values) in &quantities.parameters {
        let Some(part) = reported(name, model) else { continue };
        let name = match variant {
            None => part,
            Some(variant) => {
                format!("{}_{part}", ["baseline", "candidate"][*variant])
            }
        };
        list.push((name, values.clone(), Existence::All));
    }
    // At ν ≤ 2 a run has no SD, and nothing that is made of it is known.
    list.retain(|(_, values, _)| values.iter().all(|value| value.is_finite()));
    list.into_par_iter()
        .map(|(name, values, exists)| (name, exists.summary(&values)))
        .collect()
}

/// An F-test below this, or an SD ratio above [`NOISE_RATIO`], says the noise differs.
const NOISE_P: f64 = 0.01;
const NOISE_RATIO: f64 = 5.0;

fn warnings(
    series: &Series,
    prepared: &Prepared,
    pair: &Pair<'_>,
    tests: &Tests,
) -> Vec<Warning> {
    let (model, variants) = (&prepared.model, prepared.variants.each_ref());
    let mut warnings = Vec::new();
    if series.metric.direction_source == DirectionSource::Assumed {
        warnings.push(Warning::DirectionAssumed);
    }
    for (variant, moments) in variants.iter().zip(&pair.moments) {
        if moments.n < 3 {
            let label = variant.label.clone();
            warnings.push(Warning::TooFewRuns { label, n: moments.n });
        }
    }
    let stated_as_sd = |variant: &&Variant| match &variant.measurements {
        Measurements::Summary(summary) => summary.is_stated_as_sd(),
        Measurements::Runs(_) => false,
    };
    let labels: Vec<String> = variants
        .into_iter()
        .filter(stated_as_sd)
        .map(|variant| variant.label.clone())
        .collect();
    if !labels.is_empty() {
        warnings.push(Warning::SummarySd { labels });
    }
    let samples = variants.map(|variant| variant.measurements.sample());
    let invocations = samples.map(|sample| sample.map(|one| one.invocations().len()));
    let knows_invocations = model.likelihood == NESTED && !prepared.batched;
    if tests.unit == TestUnit::Invocation
        && model.likelihood != NESTED
        && !prepared.batched
    {
        warnings.push(Warning::InvocationMeans { invocations: tests.n });
    } else if invocations == [Some(1), Some(1)]
        && !knows_invocations
        && model.likelihood != PAIRED
    {
        warnings.push(Warning::OneInvocation);
    }
    warnings.extend(noise_differs(model, pair));
    warnings
}

fn noise_differs(model: &Spec, pair: &Pair<'_>) -> Option<Warning> {
    if model.name != crate::model::DEFAULT {
        return None;
    }
    let sd = |v: usize| Some(pair.moments[v].sd()?.hypot(pair.rounding_sd()));
    let (baseline, candidate) = (sd(0)?, sd(1)?);
    let ratio = baseline.max(candidate) / baseline.min(candidate);
    let p = frequentist::equal_variances(&pair.moments[0], &pair.moments[1]);
    let constant = pair.moments.iter().any(|moments| moments.sum_of_squares == 0.0);
    let unlikely = !constant && p.is_some_and(|p| p < NOISE_P);
    (ratio > NOISE_RATIO || unlikely).then_some(Warning::NoiseDiffers { ratio })
}

/// The probability that decided is within this many MCSE of the threshold.
const CLOSE: f64 = 2.0;

fn close_call(steps: &[verdict::Step], probability: &Probabilities) -> Option<Warning> {
    let mcse = |step: &verdict::Step| {
        let by = probability.by_margin;
        [Some(probability.slower), Some(probability.faster)]
            .into_iter()
            .chain([
                by.map(|by| by.slower),
                by.map(|by| by.within),
                by.map(|by| by.faster),
            ])
            .flatten()
            .find(|known| known.value.to_bits() == step.probability.to_bits())
            .map_or(0.0, |known| known.mcse)
    };
    let close = steps
        .iter()
        .find(|step| (step.probability - step.threshold).abs() < CLOSE * mcse(step))?;
    Some(Warning::CloseCall {
        what: close.what,
        probability: close.probability,
        threshold: close.threshold,
    })
}
