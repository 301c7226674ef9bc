//! What a model expects before it has seen the runs.

use rand::rngs::ChaCha8Rng;

use super::prepared::Prepared;
use super::settings::Settings;
use crate::data::{Dataset, Metric, Pair};
use crate::draws::quantile;
use crate::error::Error;
use crate::model::Posterior;
use crate::sampler::{AFTER_SAMPLING, stream};

/// What the prior of one comparison makes of the experiment.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PriorPredictive {
    /// What was exercised, where it has a name.
    pub benchmark: Option<String>,
    /// What was measured.
    pub metric: Metric,
    /// Baseline and candidate.
    pub labels: [String; 2],
    /// The name of the model.
    pub model: String,
    /// Quantiles of each quantity, in the unit of the runs: 2.5 %, 50 %, 97.5 %.
    pub quantiles: Vec<(String, [f64; 3])>,
}

/// Draws of the prior for each quantile.
const DRAWS: usize = 4000;

/// For each comparison of a dataset, what its model expects.
///
/// # Errors
/// When the model does not fit the data, or its prior is improper.
pub fn prior_predictive(
    dataset: &Dataset,
    settings: &Settings,
) -> Result<Vec<PriorPredictive>, Error> {
    settings.check()?;
    let mut all = Vec::new();
    for series in &dataset.series {
        let Some((baseline, candidates)) = series.variants.split_first() else {
            continue;
        };
        for candidate in candidates {
            let prepared = Prepared::of([baseline, candidate], settings)?;
            let pair = Pair::new(prepared.labels(), prepared.modelled())?;
            let posterior = Posterior::new(&prepared.model, &pair)?;
            let mut rng = stream(settings.seed, AFTER_SAMPLING);
            let labels = prepared.labels();
            let quantiles =
                quantiles(&posterior, labels, &mut rng).ok_or_else(|| {
                    let what =
                        format!("the prior of `{}` is improper", prepared.model.name);
                    Error::new(what)
                        .with_hint("it expects nothing, and so predicts nothing")
                })?;
            all.push(PriorPredictive {
                benchmark: series.benchmark.clone(),
                metric: series.metric.clone(),
                labels: labels.map(str::to_owned),
                model: prepared.model.name.clone(),
                quantiles,
            });
        }
    }
    Ok(all)
}

fn quantiles(
    posterior: &Posterior,
    [baseline, candidate]: [&str; 2],
    rng: &mut ChaCha8Rng,
) -> Option<Vec<(String, [f64; 3])>> {
    let mut columns: Vec<(String, Vec<f64>)> = [
        format!("mean of `{baseline}`"),
        format!("mean of `{candidate}`"),
        "difference of the means".to_owned(),
        format!("sd of a run of `{baseline}`"),
        format!("sd of a run of `{candidate}`"),
        format!("a run of `{baseline}`"),
        format!("a run of `{candidate}`"),
    ]
    .map(|name| (name, Vec::with_capacity(DRAWS)))
    .into();
    let standard = posterior.standard();
    for _ in 0..DRAWS {
        let parameters = posterior.standardised(&posterior.sample_prior(rng)?);
        let of = posterior.moments(&parameters);
        let runs = posterior.replicate(&parameters, [&[1], &[1]], rng);
        let place = |value: f64| standard.centre + standard.scale * value;
        let row = [
            place(of[0].mean),
            place(of[1].mean),
            standard.scale * (of[1].mean - of[0].mean),
            standard.scale * of[0].sd,
            standard.scale * of[1].sd,
            runs[0][0],
            runs[1][0],
        ];
        for ((_, values), value) in columns.iter_mut().zip(row) {
            values.push(value);
        }
    }
    let of = |mut values: Vec<f64>| {
        values.sort_unstable_by(f64::total_cmp);
        [0.025, 0.5, 0.975].map(|p| quantile(&values, p))
    };
    Some(columns.into_iter().map(|(name, values)| (name, of(values))).collect())
}
