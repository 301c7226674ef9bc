//! Has sampling converged, and how many independent draws is it worth?
//!
//! | function | answers |
//! |---|---|
//! | [`rhat`] | do the chains agree, in location and in spread? |
//! | [`ess_bulk`] | how many independent draws is the middle worth? |
//! | [`ess_tail`] | and the 5 % and 95 % quantiles, the worse of them? |
//! | [`ess_mean`], [`ess_quantile`] | and this one figure? |
//! | [`mcse_mean`], [`mcse_quantile`] | how far off may that figure be? |
//! | [`ebfmi`] | does the energy move as freely as it should? |
//!
//! After Vehtari, Gelman, Simpson, Carpenter & Bürkner (2021), "Rank-normalization,
//! folding, and localization", Bayesian Analysis 16(2); step by step as R's `posterior`.
//! Values are chain × iteration. All give `None` for values that are constant or not
//! finite.

use ndarray::{Array2, ArrayView1, ArrayView2, Axis};
use statrs::distribution::{Beta, ContinuousCDF, Normal};

use super::order::{quantile, ranks, sorting};

/// R-hat and both effective sample sizes, from one sort of the values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Convergence {
    /// [`rhat`].
    pub rhat: Option<f64>,
    /// [`ess_bulk`].
    pub ess_bulk: Option<f64>,
    /// [`ess_tail`].
    pub ess_tail: Option<f64>,
}

impl Convergence {
    /// All three.
    pub fn of(values: ArrayView2<'_, f64>) -> Self {
        Self::of_sorted(values, &Sorted::of(values))
    }

    pub(super) fn of_sorted(values: ArrayView2<'_, f64>, sorted: &Sorted) -> Self {
        if !sorted.varies {
            return Self { rhat: None, ess_bulk: None, ess_tail: None };
        }
        let split = split_chains(sorted.z_scale(values.dim()).view());
        let median = sorted.quantile(0.5);
        let folded = values.mapv(|value| (value - median).abs());
        let folded = Sorted::of(folded.view()).z_scale(values.dim());
        let folded = rhat_basic(&split_chains(folded.view()));
        let plain = rhat_basic(&split);
        let tails = [0.05, 0.95].map(|p| ess_below(values, sorted.quantile(p)));
        Self {
            rhat: greater(plain, folded),
            ess_bulk: ess(&split),
            ess_tail: lesser(tails[0], tails[1]),
        }
    }
}

/// The larger of R-hat of the ranks and of the ranks of the folded values (equations
/// 1–4 and section 4.2 of the paper).
pub fn rhat(values: ArrayView2<'_, f64>) -> Option<f64> {
    Convergence::of(values).rhat
}

/// Effective sample size of the rank-normalised values (section 4.1).
pub fn ess_bulk(values: ArrayView2<'_, f64>) -> Option<f64> {
    Convergence::of(values).ess_bulk
}

/// The smaller effective sample size of the 5 % and the 95 % quantile (section 4.3).
pub fn ess_tail(values: ArrayView2<'_, f64>) -> Option<f64> {
    Convergence::of(values).ess_tail
}

/// Effective sample size for the mean.
pub fn ess_mean(values: ArrayView2<'_, f64>) -> Option<f64> {
    Sorted::of(values).varies.then(|| ess(&split_chains(values)))?
}

/// Effective sample size for a quantile.
pub fn ess_quantile(values: ArrayView2<'_, f64>, p: f64) -> Option<f64> {
    let sorted = Sorted::of(values);
    sorted.varies.then(|| ess_below(values, sorted.quantile(p)))?
}

/// Effective sample size for the median.
pub fn ess_median(values: ArrayView2<'_, f64>) -> Option<f64> {
    ess_quantile(values, 0.5)
}

/// Monte Carlo standard error of the mean: SD/√ESS.
pub fn mcse_mean(values: ArrayView2<'_, f64>) -> Option<f64> {
    Some(sd(values) / ess_mean(values)?.sqrt())
}

/// Monte Carlo standard error of a quantile (section 4.4 of the paper): half the width
/// of the interval between the quantiles that lie one standard error around it.
pub fn mcse_quantile(values: ArrayView2<'_, f64>, p: f64) -> Option<f64> {
    let sorted = Sorted::of(values);
    if !sorted.varies {
        return None;
    }
    let ess = ess_below(values, sorted.quantile(p))?;
    let law = Beta::new(ess * p + 1.0, ess * (1.0 - p) + 1.0).ok()?;
    let count = sorted.values.len() as f64;
    let at = |index: f64| sorted.values[(index.clamp(1.0, count) - 1.0) as usize];
    let low = at((law.inverse_cdf(ONE_SD_BELOW) * count).floor());
    let high = at((law.inverse_cdf(1.0 - ONE_SD_BELOW) * count).ceil());
    Some((high - low) / 2.0)
}

/// Φ(−1): the share of a normal distribution below mean − SD.
const ONE_SD_BELOW: f64 = 0.158_655_253_931_457_05;

/// Monte Carlo standard error of the median.
pub fn mcse_median(values: ArrayView2<'_, f64>) -> Option<f64> {
    mcse_quantile(values, 0.5)
}

/// The estimated Bayesian fraction of missing information of each chain: the mean
/// squared step of the energy over its variance (Betancourt 2016, equation 14 of
/// "Diagnosing suboptimal cotangent disintegrations").
pub fn ebfmi(energy: ArrayView2<'_, f64>) -> Vec<Option<f64>> {
    energy.axis_iter(Axis(0)).map(ebfmi_of_chain).collect()
}

fn ebfmi_of_chain(energy: ArrayView1<'_, f64>) -> Option<f64> {
    let mean = energy.mean()?;
    let spread: f64 = energy.iter().map(|value| (value - mean).powi(2)).sum();
    let steps: f64 =
        energy.iter().zip(energy.iter().skip(1)).map(|(a, b)| (b - a).powi(2)).sum();
    let known = spread > 0.0 && spread.is_finite() && steps.is_finite();
    known.then(|| steps / spread)
}

/// Values in order, whatever their chain.
pub(super) struct Sorted {
    pub(super) values: Vec<f64>,
    flat: Vec<f64>,
    order: Vec<u32>,
    /// Whether all are finite and not all equal.
    pub(super) varies: bool,
}

impl Sorted {
    pub(super) fn of(values: ArrayView2<'_, f64>) -> Self {
        let flat: Vec<f64> = values.iter().copied().collect();
        let order = sorting(&flat);
        let values: Vec<f64> = order.iter().map(|&at| flat[at as usize]).collect();
        let varies = match values.as_slice() {
            [first, .., last] => first.is_finite() && last.is_finite() && first < last,
            _ => false,
        };
        Self { values, flat, order, varies }
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        quantile(&self.values, p)
    }

    /// Normal scores of the ranks, with the offset of Blom (1958).
    fn z_scale(&self, shape: (usize, usize)) -> Array2<f64> {
        let count = self.flat.len() as f64;
        let normal = Normal::standard();
        let mut scores = ranks(&self.flat, &self.order);
        let mut last = (f64::NAN, f64::NAN);
        for &at in &self.order {
            let rank = scores[at as usize];
            if rank != last.0 {
                last = (rank, normal.inverse_cdf((rank - 0.375) / (count + 0.25)));
            }
            scores[at as usize] = last.1;
        }
        Array2::from_shape_vec(shape, scores).expect("as many scores as values")
    }
}

/// Each chain in two halves, the middle iteration left out of an odd number.
fn split_chains(values: ArrayView2<'_, f64>) -> Vec<Vec<f64>> {
    let half = values.ncols() / 2;
    let rest = values.ncols() - half;
    values
        .axis_iter(Axis(0))
        .flat_map(|chain| {
            let chain: Vec<f64> = chain.iter().copied().collect();
            [chain[..half].to_vec(), chain[rest..].to_vec()]
        })
        .collect()
}

/// √((B/W + n − 1)/n), B and W the variance between and within chains.
fn rhat_basic(chains: &[Vec<f64>]) -> Option<f64> {
    let n = chains.first().map(Vec::len).filter(|n| *n > 1)? as f64;
    let means: Vec<f64> = chains.iter().map(|chain| mean(chain)).collect();
    let within = mean(
        &chains.iter().zip(&means).map(|(c, m)| variance(c, *m)).collect::<Vec<_>>(),
    );
    let between = n * variance(&means, mean(&means));
    let rhat = ((between / within + n - 1.0) / n).sqrt();
    rhat.is_finite().then_some(rhat)
}

/// Effective sample size by Geyer's initial monotone sequence (Geyer 1992; section 3.2
/// of the paper).
fn ess(chains: &[Vec<f64>]) -> Option<f64> {
    let n = chains.first().map(Vec::len).filter(|n| *n > 2)?;
    let count = (chains.len() * n) as f64;
    let means: Vec<f64> = chains.iter().map(|chain| mean(chain)).collect();
    let centred: Vec<Vec<f64>> = chains
        .iter()
        .zip(&means)
        .map(|(chain, mean)| chain.iter().map(|value| value - mean).collect())
        .collect();
    let lagged = |lag: usize| {
        centred.iter().map(|chain| autocovariance(chain, lag)).sum::<f64>()
            / chains.len() as f64
    };
    let biased = lagged(0);
    let within = biased * n as f64 / (n as f64 - 1.0);
    let mut total = biased;
    if chains.len() > 1 {
        total += variance(&means, mean(&means));
    }
    if total.is_nan() || total <= 0.0 {
        return None;
    }
    let rho = |lag: usize| 1.0 - (within - lagged(lag)) / total;
    let tau = initial_monotone(n, rho).max(1.0 / count.log10());
    Some(count / tau)
}

/// The integrated autocorrelation time from autocorrelations taken in pairs: as long as
/// the sum of a pair is positive, and never larger than that of the pair before.
fn initial_monotone(n: usize, rho: impl Fn(usize) -> f64) -> f64 {
    let mut pairs = vec![[1.0, rho(1)]];
    let mut last = pairs[0];
    while 2 * pairs.len() < n.saturating_sub(3) && last[0] + last[1] > 0.0 {
        let lag = 2 * pairs.len();
        last = [rho(lag), rho(lag + 1)];
        pairs.push(last);
    }
    // The last pair ends the sum; its even term counts once where it is positive.
    let ending = pairs.pop().map_or(0.0, |[even, _]| even.max(0.0));
    let mut bound = f64::INFINITY;
    let mut sum = 0.0;
    for [even, odd] in pairs {
        bound = bound.min(even + odd);
        sum += bound;
    }
    -1.0 + 2.0 * sum + ending
}

/// The autocovariance at a lag, divided by n (biased, as Geyer 1992 asks).
fn autocovariance(centred: &[f64], lag: usize) -> f64 {
    let products = centred.iter().zip(&centred[lag..]).map(|(a, b)| a * b);
    products.sum::<f64>() / centred.len() as f64
}

/// Effective sample size of the share of values at or below a limit.
fn ess_below(values: ArrayView2<'_, f64>, limit: f64) -> Option<f64> {
    let below = values.mapv(|value| f64::from(value <= limit));
    ess(&split_chains(below.view()))
}

fn sd(values: ArrayView2<'_, f64>) -> f64 {
    let flat: Vec<f64> = values.iter().copied().collect();
    variance(&flat, mean(&flat)).sqrt()
}

fn mean(values: &[f64]) -> f64 {
    crate::numerics::mean(values)
}

fn variance(values: &[f64], mean: f64) -> f64 {
    crate::numerics::sum_of_squares(values, mean) / (values.len() as f64 - 1.0)
}

fn greater(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    Some(a?.max(b.unwrap_or(f64::NEG_INFINITY)))
}

fn lesser(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    Some(a?.min(b?))
}
