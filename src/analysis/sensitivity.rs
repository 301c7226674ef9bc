//! How much the prior, and how much the data, move a result: power-scaling.

use super::fit::Fit;
use super::prepared::Prepared;
use super::quantities::{PerDraw, Quantities};
use crate::draws::{PowerScaled, SENSITIVE, diagnostics};
use crate::warning::Warning;

/// The sensitivity of one quantity to each component of the posterior.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sensitivity {
    /// To all priors together; `None` where the quantity does not vary or is not finite.
    pub prior: Option<f64>,
    /// To the likelihood.
    pub likelihood: Option<f64>,
}

/// Sensitivities of what is reported, the statistics of the data that the priors name
/// held fixed. See [`PowerScaled`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sensitivities {
    /// Of the difference of the means.
    pub difference: Sensitivity,
    /// Of the SD of a run: baseline, candidate.
    pub sd: [Sensitivity; 2],
}

impl Sensitivities {
    pub(super) fn of(fit: &Fit, quantities: &Quantities) -> Self {
        let posterior = &fit.posterior;
        let log_prior = fit.per_draw(|one| posterior.log_density_of_priors(one));
        let log_likelihood = fit.per_draw(|one| posterior.log_likelihood(one));
        let (prior, likelihood) =
            rayon::join(|| power_scaled(&log_prior), || power_scaled(&log_likelihood));
        let of = |values: &PerDraw| {
            let values: Vec<f64> = values.iter().copied().collect();
            Sensitivity {
                prior: prior.sensitivity(&values),
                likelihood: likelihood.sensitivity(&values),
            }
        };
        let [baseline, candidate] = &quantities.sd;
        let (difference, sd) = rayon::join(
            || of(&quantities.difference),
            || rayon::join(|| of(baseline), || of(candidate)),
        );
        Self { difference, sd: sd.into() }
    }

    /// A warning where the prior matters.
    pub(super) fn warning(&self, prepared: &Prepared) -> Option<Warning> {
        let difference = self.difference.is_sensitive_to_prior();
        let leaning = (0..2).filter(|v| self.sd[*v].is_mostly_prior());
        let values = leaning.map(|v| prepared.tested[v].moments().n).min();
        let unit = prepared.unit;
        let noise = values.map(|count| (count, unit.name()));
        (difference || noise.is_some())
            .then_some(Warning::PriorMatters { difference, noise })
    }
}

/// From this share of the sensitivity to the likelihood on, a noise level is called
/// mostly prior. The threshold of 0.05 alone would do so up to thirty runs, where the
/// prior moves an SD by a per cent or two.
const MOSTLY: f64 = 2.0 / 3.0;

impl Sensitivity {
    fn is_sensitive_to_prior(self) -> bool {
        self.prior.is_some_and(|prior| prior >= SENSITIVE)
    }

    fn is_mostly_prior(self) -> bool {
        let share = self.prior.zip(self.likelihood).map(|(prior, data)| prior / data);
        self.is_sensitive_to_prior() && share.is_some_and(|share| share >= MOSTLY)
    }
}

fn power_scaled(log_component: &PerDraw) -> PowerScaled {
    let draws = log_component.len() as f64;
    let ess = diagnostics::ess_tail(log_component).unwrap_or(draws);
    let values: Vec<f64> = log_component.iter().copied().collect();
    PowerScaled::of(&values, ess / draws)
}
