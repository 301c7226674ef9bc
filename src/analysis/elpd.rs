//! How well a model predicts runs that it has not seen: leave-one-out cross-validation.
//!
//! Vehtari, Gelman & Gabry (2017), *Practical Bayesian model evaluation using
//! leave-one-out cross-validation and WAIC*, Statistics and Computing 27, by
//! Pareto-smoothed importance weights; where those are not to be relied on, by sampling
//! again without the unit in question.

use ndarray::Axis;
use rayon::prelude::*;

use super::exported::Units;
use super::fit::Fit;
use crate::data::{Measurements, Pair, Sample};
use crate::draws::{diagnostics, psis};
use crate::error::Error;
use crate::model::{Posterior, Spec};
use crate::numerics::log_sum_exp;
use crate::sampler::{Effort, Nuts};

/// Above this shape of their tail, weights are not to be relied on (Vehtari et al. 2024,
/// section 3.2.4, for 2,200 draws and more).
const WORST_K: f64 = 0.7;

/// More units than this take too long.
pub(super) const MOST_UNITS: usize = 10_000;

/// The expected log predictive density of each unit, in the order of the data.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Elpd {
    /// Each, given all other units.
    pub pointwise: Vec<f64>,
    /// What the same draws say of the units that they have seen, less the above, summed:
    /// the effective number of parameters.
    pub p_loo: f64,
    /// The largest shape of the tails of the weights.
    pub worst_k: Option<f64>,
    /// Units that were left out by sampling again.
    pub refits: usize,
}

/// A model with its draws and the data that it saw.
pub(super) struct Fitted<'a> {
    pub spec: &'a Spec,
    pub pair: &'a Pair<'a>,
    pub fit: &'a Fit,
    pub effort: Effort,
}

impl Elpd {
    /// # Errors
    /// When a unit can be left out by neither way; the error says why.
    pub(super) fn of(fitted: &Fitted<'_>, units: &Units<'_>) -> Result<Self, Error> {
        let posterior = &fitted.fit.posterior;
        let draws = fitted.fit.all_parameters();
        let r_eff = relative_ess(fitted.fit);
        let unknown = || Error::new("this model gives no density of single runs");
        let smoothed: Vec<(f64, f64, Option<f64>)> = units
            .points
            .par_iter()
            .map(|(v, runs)| {
                let logs: Option<Vec<f64>> = draws
                    .iter()
                    .map(|one| posterior.log_density_of_runs(one, *v, runs))
                    .collect();
                let logs = logs.ok_or_else(unknown)?;
                let ratios: Vec<f64> = logs.iter().map(|log| -log).collect();
                let weights = psis(&ratios, r_eff);
                let seen = log_sum_exp(&logs) - (logs.len() as f64).ln();
                let weighted: Vec<f64> =
                    logs.iter().zip(&weights.log_weights).map(|(a, b)| a + b).collect();
                Ok((log_sum_exp(&weighted), seen, weights.k))
            })
            .collect::<Result<_, Error>>()?;
        let mut pointwise: Vec<f64> = smoothed.iter().map(|one| one.0).collect();
        let bad: Vec<usize> = (0..smoothed.len())
            .filter(|at| smoothed[*at].2.is_some_and(|k| k > WORST_K))
            .collect();
        let exact: Vec<f64> = bad
            .par_iter()
            .map(|at| fitted.without(units, *at))
            .collect::<Result<_, Error>>()?;
        for (at, log) in bad.iter().zip(exact) {
            pointwise[*at] = log;
        }
        Ok(Self {
            p_loo: smoothed.iter().zip(&pointwise).map(|(one, log)| one.1 - log).sum(),
            worst_k: smoothed.iter().filter_map(|one| one.2).reduce(f64::max),
            refits: bad.len(),
            pointwise,
        })
    }
}

impl Fitted<'_> {
    /// The log density of one unit under draws that have not seen it. The priors stay
    /// those of all the data.
    fn without(&self, units: &Units<'_>, at: usize) -> Result<f64, Error> {
        let (v, runs) = units.points[at];
        let before = units.points[..at].iter().filter(|one| one.0 == v).count();
        let left =
            left_out(self.pair.measurements[v], units, before).ok_or_else(|| {
                Error::new(format!(
                    "nothing of `{}` would be left",
                    self.pair.labels[v]
                ))
            })?;
        let mut measurements = self.pair.measurements;
        measurements[v] = &left;
        let pair = Pair::new(self.pair.labels, measurements)?;
        let statistics = self.fit.posterior.statistics();
        let posterior = Posterior::with_statistics(self.spec, &pair, statistics)?;
        let fit = Fit::new(posterior, &Nuts, &self.effort)?;
        let logs: Vec<f64> = fit
            .all_parameters()
            .iter()
            .filter_map(|one| fit.posterior.log_density_of_runs(one, v, runs))
            .collect();
        Ok(log_sum_exp(&logs) - (logs.len() as f64).ln())
    }
}

/// A sample without its unit number `at`; `None` where it is the only one.
fn left_out(
    measured: &Measurements,
    units: &Units<'_>,
    at: usize,
) -> Option<Measurements> {
    let sample = measured.sample()?;
    let mut invocations: Vec<Vec<f64>> =
        sample.invocations().map(<[f64]>::to_vec).collect();
    if units.are_runs() {
        let mut place = at;
        for runs in &mut invocations {
            if place < runs.len() {
                runs.remove(place);
                break;
            }
            place -= runs.len();
        }
    } else {
        invocations.remove(at);
    }
    Sample::from_printed(invocations, sample.resolution()).ok().map(Measurements::Runs)
}

/// Effective over actual number of draws, the mean over the coordinates.
fn relative_ess(fit: &Fit) -> f64 {
    let (chains, iterations) = fit.shape();
    let draws = (chains * iterations) as f64;
    let coordinates = fit.trace.positions.axis_iter(Axis(2));
    let sizes: Vec<f64> = coordinates
        .map(|values| {
            diagnostics::ess_mean(&values.to_owned()).unwrap_or(draws) / draws
        })
        .collect();
    crate::numerics::mean(&sizes)
}
