//! One variable in a few numbers.

use ndarray::ArrayRef2;

use super::autocovariance::{ess, variance};
use super::diagnostics;
use super::sorted::{Sorted, quantile};
use crate::numerics;

/// The share of the posterior that an interval holds unless another is asked for.
pub const INTERVAL: f64 = 0.95;

/// Centre, spread, credible intervals, and what the draws behind them are worth.
///
/// All in the unit of the draws, but for R-hat (a ratio) and ESS (draws). `None` where
/// a number does not exist or cannot be told from the draws.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Summary {
    /// The mean.
    pub mean: Option<f64>,
    /// The standard deviation, with S − 1.
    pub sd: Option<f64>,
    /// The median.
    pub median: Option<f64>,
    /// The shortest interval with the share asked for: from, to.
    pub hdi: Option<[f64; 2]>,
    /// The interval with equal tails outside: from, to.
    pub eti: Option<[f64; 2]>,
    /// Monte Carlo standard error of the mean.
    pub mcse_mean: Option<f64>,
    /// Monte Carlo standard error of the median.
    pub mcse_median: Option<f64>,
    /// Rank-normalised split R-hat.
    pub rhat: Option<f64>,
    /// Effective sample size of the bulk.
    pub ess_bulk: Option<f64>,
    /// Effective sample size of the tails.
    pub ess_tail: Option<f64>,
}

impl Summary {
    /// Summarises draws (chains × iterations), intervals holding the share `interval`.
    ///
    /// Where a draw is NaN nothing is known. Where one is infinite the median and
    /// intervals stand, as far as they are finite themselves.
    pub fn of(draws: &ArrayRef2<f64>, interval: f64) -> Self {
        let Some(sorted) = Sorted::of(draws) else { return Self::default() };
        let order = Self::of_order(sorted.ascending(), interval);
        if !sorted.is_finite() {
            return order;
        }
        let bulk = sorted.z_scale();
        let mean = numerics::mean(sorted.ascending());
        let sd = variance(sorted.ascending()).sqrt();
        Self {
            mean: Some(mean).filter(|mean| mean.is_finite()),
            sd: Some(sd).filter(|sd| sd.is_finite() && draws.len() > 1),
            mcse_mean: diagnostics::mcse_mean(draws),
            mcse_median: diagnostics::mcse_quantile_of(&sorted, 0.5),
            rhat: diagnostics::rhat_with(&sorted, &bulk),
            ess_bulk: ess(&bulk),
            ess_tail: diagnostics::ess_tail_of(&sorted),
            ..order
        }
    }

    /// Says that the distribution has no moments: the mean and SD of draws from it are
    /// numbers, but estimate nothing.
    #[must_use]
    pub fn without_moments(self) -> Self {
        Self { mean: None, sd: None, mcse_mean: None, ..self }
    }

    /// Says that the distribution has a mean, but no SD; nor has the mean a standard
    /// error then.
    #[must_use]
    pub fn without_sd(self) -> Self {
        Self { sd: None, mcse_mean: None, ..self }
    }

    /// What the order of the draws tells.
    fn of_order(ascending: &[f64], interval: f64) -> Self {
        let finite = |limits: &[f64; 2]| limits.iter().all(|limit| limit.is_finite());
        let median = quantile(ascending, 0.5);
        Self {
            median: Some(median).filter(|median| median.is_finite()),
            hdi: Some(hdi(ascending, interval)).filter(finite),
            eti: Some(eti(ascending, interval)).filter(finite),
            ..Self::default()
        }
    }
}

/// The shortest interval that holds ⌈`share` · S⌉ of the draws, the first of equals.
///
/// Chen & Shao (1999), section 2. Draws in ascending order, never none.
pub fn hdi(ascending: &[f64], share: f64) -> [f64; 2] {
    let size = ascending.len();
    // 0.07 · 100 is 7.000000000000001 in binary, which is 7.
    let held = (share * size as f64 * (1.0 - 1e-12)).ceil();
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 1 and the number of draws"
    )]
    let held = (held as usize).clamp(1, size);
    let mut shortest = [ascending[0], ascending[held - 1]];
    for window in ascending.windows(held) {
        let candidate = [window[0], window[held - 1]];
        if candidate[1] - candidate[0] < shortest[1] - shortest[0] {
            shortest = candidate;
        }
    }
    shortest
}

/// The interval with equal tails, between quantiles of type 7.
///
/// Draws in ascending order, never none.
pub fn eti(ascending: &[f64], share: f64) -> [f64; 2] {
    let tail = (1.0 - share) / 2.0;
    [quantile(ascending, tail), quantile(ascending, 1.0 - tail)]
}
