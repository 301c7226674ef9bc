//! Several models on the same data, side by side; none is chosen.

use super::elpd::{Elpd, Fitted, MOST_UNITS};
use super::exported::Units;
use super::fit::{Fit, Sampling};
use super::prepared::Prepared;
use super::quantities::{Probabilities, Quantities};
use super::{TestUnit, blur};
use crate::data::{Metric, Pair};
use crate::draws::{INTERVAL, Probability, Summary};
use crate::error::Error;
use crate::model::{NESTED, Posterior, Spec};
use crate::sampler::{Effort, Nuts};

/// Below this difference two models predict alike (Sivula, Magnusson, Matamoros &
/// Vehtari 2020, *Uncertainty in Bayesian leave-one-out cross-validation based model
/// comparison*, section 6).
const LEAST_DIFFERENCE: f64 = 4.0;

/// With fewer units than this, the standard error of a difference says little.
const FEWEST_UNITS: usize = 20;

/// A difference must exceed so many of its standard errors.
const ERRORS: f64 = 2.0;

/// Models side by side, in the order in which they were named.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelComparison {
    /// What is predicted, one at a time: `run`, `invocation`, `invocation mean`.
    pub unit: &'static str,
    /// How many there are.
    pub units: usize,
    /// The models.
    pub models: Vec<ComparedModel>,
}

/// What one model says, and how well it predicts.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedModel {
    /// Its name.
    pub name: String,
    /// The difference of the means.
    pub difference: Summary,
    /// P(slower).
    pub slower: Probability,
    /// How well sampling went.
    pub sampling: Sampling,
    /// How well it predicts, or why that is unknown.
    pub prediction: Result<Prediction, String>,
}

/// The expected log predictive density of all units, each given the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// Their sum; larger is better.
    pub elpd: Estimate,
    /// The effective number of parameters.
    pub p_loo: f64,
    /// How far below the best model; 0 for the best.
    pub behind: Estimate,
    /// The largest shape of the tails of the weights.
    pub worst_k: Option<f64>,
    /// Units for which the model was sampled again.
    pub refits: usize,
}

/// A sum over units, with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The sum.
    pub value: f64,
    /// Its standard error.
    pub se: f64,
}

impl Estimate {
    /// Of independent terms: Vehtari, Gelman & Gabry (2017), equations 23 and 24.
    fn of_sum(terms: &[f64]) -> Self {
        let mean = crate::numerics::mean(terms);
        let n = terms.len() as f64;
        let variance =
            crate::numerics::sum_of_squares(terms, mean) / (n - 1.0).max(1.0);
        Self { value: n * mean, se: (n * variance).sqrt() }
    }
}

impl ModelComparison {
    /// Fits each model to the same data.
    ///
    /// # Errors
    /// When a model does not fit the data.
    pub(super) fn of(
        specs: &[Spec],
        prepared: &Prepared,
        metric: &Metric,
        effort: &Effort,
    ) -> Result<Self, Error> {
        let nested = specs.iter().any(|spec| spec.likelihood == NESTED);
        let seen = if nested { prepared.grouped() } else { prepared.tested.each_ref() };
        let pair = Pair::new(prepared.labels(), seen)?;
        let units = if nested { Units::invocations(seen) } else { Units::runs(seen) };
        let mut models = Vec::new();
        let mut pointwise = Vec::new();
        for spec in specs {
            let fit = Fit::new(Posterior::new(spec, &pair)?, &Nuts, effort)?;
            let fitted = Fitted { spec, pair: &pair, fit: &fit, effort: *effort };
            let elpd = match units.points.len() {
                0 => Err("a summary does not tell its runs".to_owned()),
                count if count > MOST_UNITS => {
                    Err(format!("more than {MOST_UNITS} {}", units.name))
                }
                _ => Elpd::of(&fitted, &units).map_err(|error| error.to_string()),
            };
            let runs = pair.moments.map(|moments| moments.n);
            let quantities =
                Quantities::of(&fit, runs, blur(&pair, metric), effort.seed);
            let chances = Probabilities::of(&quantities, metric.direction, None);
            pointwise.push(elpd.as_ref().ok().map(|elpd| elpd.pointwise.clone()));
            models.push(ComparedModel {
                name: spec.name.clone(),
                difference: Summary::of(&quantities.difference, INTERVAL),
                slower: chances.slower,
                sampling: fit.sampling,
                prediction: elpd.map(|elpd| Prediction {
                    elpd: Estimate::of_sum(&elpd.pointwise),
                    p_loo: elpd.p_loo,
                    behind: Estimate { value: 0.0, se: 0.0 },
                    worst_k: elpd.worst_k,
                    refits: elpd.refits,
                }),
            });
        }
        set_behind(&mut models, &pointwise);
        let unit = match (nested, prepared.unit) {
            (true, _) => "invocation",
            (false, TestUnit::Invocation) => "invocation mean",
            (false, _) => "run",
        };
        Ok(Self { unit, units: units.points.len(), models })
    }

    /// The models that no other predicts clearly better than, the best first; empty
    /// where nothing is known.
    pub fn leading(&self) -> Vec<&ComparedModel> {
        let mut leading: Vec<(f64, &ComparedModel)> = self
            .models
            .iter()
            .filter_map(|model| {
                let behind = model.prediction.as_ref().ok()?.behind;
                (!self.tells(behind)).then_some((behind.value, model))
            })
            .collect();
        leading.sort_by(|a, b| a.0.total_cmp(&b.0));
        leading.into_iter().map(|(_, model)| model).collect()
    }

    /// Whether there are too few units to tell models apart.
    pub fn has_few_units(&self) -> bool {
        self.units < FEWEST_UNITS
    }

    /// Whether a difference is one that these data can tell.
    fn tells(&self, behind: Estimate) -> bool {
        !self.has_few_units()
            && behind.value >= LEAST_DIFFERENCE
            && behind.value > ERRORS * behind.se
    }
}

/// How far each model is behind the best, unit by unit.
fn set_behind(models: &mut [ComparedModel], pointwise: &[Option<Vec<f64>>]) {
    let sum = |terms: &Vec<f64>| terms.iter().sum::<f64>();
    let Some(best) =
        pointwise.iter().flatten().max_by(|a, b| sum(a).total_cmp(&sum(b)))
    else {
        return;
    };
    for (model, own) in models.iter_mut().zip(pointwise) {
        if let (Ok(prediction), Some(own)) = (&mut model.prediction, own) {
            let apart: Vec<f64> = best.iter().zip(own).map(|(a, b)| a - b).collect();
            prediction.behind = Estimate::of_sum(&apart);
        }
    }
}
