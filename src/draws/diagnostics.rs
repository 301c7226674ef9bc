//! Whether the chains agree, and how much their draws are worth.
//!
//! | function | what it says |
//! |---|---|
//! | [`rhat`] | do the chains agree in place and in spread? below 1.01 |
//! | [`ess_bulk`] | independent draws that the middle is worth; above 400 |
//! | [`ess_tail`] | the same for the 5 % and 95 % quantiles, the worse of both |
//! | [`ess_mean`], [`ess_median`], [`ess_quantile`] | the same for one estimate |
//! | [`mcse_mean`], [`mcse_median`], [`mcse_quantile`] | standard error of that estimate |
//! | [`mcse_probability`] | standard error of the share of draws in which something holds |
//! | [`ebfmi`] | does the sampler reach all energies? per chain, at least 0.3 |
//!
//! Definitions are those of Vehtari, Gelman, Simpson, Carpenter & Bürkner (2021),
//! *Rank-normalization, folding, and localization*, as R's `posterior` computes them.
//! Draws are chains × iterations. `None` where a draw is not finite, all are the same,
//! or the chains are too short (R-hat: below four iterations, ESS: below twelve).

use ndarray::ArrayRef2;
use statrs::distribution::{Beta, ContinuousCDF};

use super::autocovariance::{ess, variance};
use super::sorted::{Chains, Sorted};
use crate::numerics;

/// The quantiles between which the tail is not: Vehtari et al. (2021), section 4.3.
const TAILS: [f64; 2] = [0.05, 0.95];

/// Φ(−1) and Φ(1): one standard error to each side, with the digits of R's `posterior`.
const ONE_SIGMA: [f64; 2] = [0.158_655_3, 0.841_344_7];

/// The potential scale reduction factor, the larger of those of rank-normalised split
/// chains and of folded ones.
///
/// Infinite where each half chain stands still, but not all at the same value.
pub fn rhat(draws: &ArrayRef2<f64>) -> Option<f64> {
    rhat_of(&Sorted::finite(draws)?)
}

/// The effective sample size for the middle of the distribution.
pub fn ess_bulk(draws: &ArrayRef2<f64>) -> Option<f64> {
    ess(&Sorted::finite(draws)?.z_scale())
}

/// The effective sample size for the 5 % or the 95 % quantile, the smaller one.
pub fn ess_tail(draws: &ArrayRef2<f64>) -> Option<f64> {
    ess_tail_of(&Sorted::finite(draws)?)
}

/// The effective sample size for the mean.
pub fn ess_mean(draws: &ArrayRef2<f64>) -> Option<f64> {
    ess(&Chains::split(draws))
}

/// The effective sample size for the quantile `p`, between 0 and 1.
pub fn ess_quantile(draws: &ArrayRef2<f64>, p: f64) -> Option<f64> {
    ess_quantile_of(&Sorted::finite(draws)?, p)
}

/// The effective sample size for the median.
pub fn ess_median(draws: &ArrayRef2<f64>) -> Option<f64> {
    ess_quantile(draws, 0.5)
}

/// The Monte Carlo standard error of the mean, SD/√ESS, in the unit of the draws.
pub fn mcse_mean(draws: &ArrayRef2<f64>) -> Option<f64> {
    let ess = ess_mean(draws)?;
    let all: Vec<f64> = draws.iter().copied().collect();
    Some((variance(&all) / ess).sqrt())
}

/// The Monte Carlo standard error of the quantile `p`, in the unit of the draws.
pub fn mcse_quantile(draws: &ArrayRef2<f64>, p: f64) -> Option<f64> {
    mcse_quantile_of(&Sorted::finite(draws)?, p)
}

/// The Monte Carlo standard error of the median, in the unit of the draws.
pub fn mcse_median(draws: &ArrayRef2<f64>) -> Option<f64> {
    mcse_quantile(draws, 0.5)
}

/// The Monte Carlo standard error of the share of draws in which an event holds.
///
/// `None` where it holds in all draws or in none: see
/// [`Probability`](super::Probability) for what can be said then.
pub fn mcse_probability(event: &ArrayRef2<bool>) -> Option<f64> {
    mcse_mean(&event.mapv(|holds| f64::from(u8::from(holds))))
}

/// The fraction of missing information of each chain, by its energies:
/// Σ(Eᵢ − Eᵢ₋₁)² / Σ(Eᵢ − Ē)².
///
/// Betancourt (2016), *Diagnosing suboptimal cotangent disintegrations*, section 3.1;
/// as `ArviZ`, chain by chain. Energies: chains × iterations.
pub fn ebfmi(energies: &ArrayRef2<f64>) -> Vec<Option<f64>> {
    let chains = energies.rows().into_iter();
    chains.map(|chain| ebfmi_of_chain(&chain.to_vec())).collect()
}

fn ebfmi_of_chain(energies: &[f64]) -> Option<f64> {
    // Steps of nothing but 0 are energies that stand still.
    let steps: f64 = energies.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    let spread = numerics::sum_of_squares(energies, numerics::mean(energies));
    (steps > 0.0 && spread > 0.0 && steps.is_finite()).then(|| steps / spread)
}

pub(super) fn rhat_of(sorted: &Sorted) -> Option<f64> {
    rhat_with(sorted, &sorted.z_scale())
}

/// R-hat where the normal scores of the split chains are known already.
pub(super) fn rhat_with(sorted: &Sorted, bulk: &Chains) -> Option<f64> {
    Some(split_rhat(bulk)?.max(split_rhat(&sorted.folded_z_scale())?))
}

pub(super) fn ess_tail_of(sorted: &Sorted) -> Option<f64> {
    let [low, high] = TAILS.map(|p| ess_quantile_of(sorted, p));
    Some(low?.min(high?))
}

fn ess_quantile_of(sorted: &Sorted, p: f64) -> Option<f64> {
    ess(&sorted.below_quantile(p))
}

/// Half the distance between the order statistics that lie one standard error below
/// and above: Vehtari et al. (2021), section 4.4.
pub(super) fn mcse_quantile_of(sorted: &Sorted, p: f64) -> Option<f64> {
    let ess = ess_quantile_of(sorted, p)?;
    let share = Beta::new(ess * p + 1.0, ess * (1.0 - p) + 1.0).ok()?;
    let ascending = sorted.ascending();
    let size = ascending.len();
    let [low, high] = ONE_SIGMA.map(|p| share.inverse_cdf(p) * size as f64);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the number of draws"
    )]
    // The order statistics are counted from 1.
    let (low, high) = (low.floor().max(1.0) as usize, high.ceil() as usize);
    Some((ascending[high.min(size) - 1] - ascending[low.min(size) - 1]) / 2.0)
}

/// √((B/W + n − 1)/n): Gelman et al. (2013), *Bayesian Data Analysis*, equation 11.4.
fn split_rhat(chains: &Chains) -> Option<f64> {
    if chains.length() < 2 || !chains.vary() {
        return None;
    }
    let n = chains.length() as f64;
    let means: Vec<f64> = chains.iter().map(numerics::mean).collect();
    let variances: Vec<f64> = chains.iter().map(variance).collect();
    let (between, within) = (n * variance(&means), numerics::mean(&variances));
    Some(((between / within + n - 1.0) / n).sqrt()).filter(|rhat| !rhat.is_nan())
}
