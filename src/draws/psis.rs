//! Importance weights whose largest are smoothed by a generalized Pareto distribution.
//!
//! Vehtari, Simpson, Gelman, Yao & Gabry (2024), *Pareto smoothed importance sampling*,
//! JMLR 25(72); the fit of the tail is that of Zhang & Stephens (2009), *A new and
//! efficient estimation method for the generalized Pareto distribution*.

use crate::numerics::log_sum_exp;

/// Weights of draws, and how heavy the tail of the raw ones is.
#[derive(Debug, Clone, PartialEq)]
pub struct Smoothed {
    /// Logarithms of the weights, which sum to 1; one a draw.
    pub log_weights: Vec<f64>,
    /// The shape k of the tail: above 0.7 the weights are not to be relied on. `None`
    /// where the largest weights are equal, infinite where there are too few draws.
    pub k: Option<f64>,
}

/// A tail shorter than this has no shape that could be estimated.
const SHORTEST_TAIL: usize = 5;

/// Smooths importance ratios, given by their logarithms. `r_eff` is the effective
/// sample size over the number of draws.
pub fn psis(log_ratios: &[f64], r_eff: f64) -> Smoothed {
    let largest = log_ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut log_weights: Vec<f64> =
        log_ratios.iter().map(|ratio| ratio - largest).collect();
    let k = smooth_tail(&mut log_weights, tail_length(log_ratios.len(), r_eff));
    let total = log_sum_exp(&log_weights);
    for weight in &mut log_weights {
        *weight -= total;
    }
    Smoothed { log_weights, k }
}

/// How many of `draws` make the tail: Vehtari et al. (2024), section 3.
fn tail_length(draws: usize, r_eff: f64) -> usize {
    let draws = draws as f64;
    (0.2 * draws).min(3.0 * (draws / r_eff).sqrt()).floor() as usize
}

fn smooth_tail(log_weights: &mut [f64], length: usize) -> Option<f64> {
    if length < SHORTEST_TAIL {
        return Some(f64::INFINITY);
    }
    let mut order: Vec<usize> = (0..log_weights.len()).collect();
    order.sort_unstable_by(|a, b| log_weights[*a].total_cmp(&log_weights[*b]));
    let (body, tail) = order.split_at(order.len() - length);
    let cutoff = log_weights[*body.last()?].exp();
    let above: Vec<f64> =
        tail.iter().map(|at| log_weights[*at].exp() - cutoff).collect();
    if above.first() == above.last() {
        return None;
    }
    let tail_of = GeneralizedPareto::fit(&above);
    if tail_of.shape.is_finite() {
        for (rank, at) in tail.iter().enumerate() {
            let p = (rank as f64 + 0.5) / length as f64;
            log_weights[*at] = (cutoff + tail_of.quantile(p)).ln().min(0.0);
        }
    }
    Some(tail_of.shape)
}

/// P(X > x) = (1 + shape·x/scale)^(−1/shape).
#[derive(Debug, Clone, Copy)]
struct GeneralizedPareto {
    shape: f64,
    scale: f64,
}

impl GeneralizedPareto {
    /// The fit to ascending values above 0: Zhang & Stephens (2009), with the prior on
    /// the shape of Vehtari et al. (2024), appendix G: ten values' worth at ½.
    fn fit(ascending: &[f64]) -> Self {
        let n = ascending.len() as f64;
        let grid = 30 + n.sqrt().floor() as usize;
        let quartile = ascending[(n / 4.0 + 0.5).floor() as usize - 1];
        let largest = ascending[ascending.len() - 1];
        let shape_at =
            |b: f64| ascending.iter().map(|x| (-b * x).ln_1p()).sum::<f64>() / n;
        let candidates: Vec<(f64, f64)> = (1..=grid)
            .map(|j| {
                let spread = 1.0 - (grid as f64 / (j as f64 - 0.5)).sqrt();
                let b = 1.0 / largest + spread / (3.0 * quartile);
                let k = shape_at(b);
                (b, n * ((-b / k).ln() - k - 1.0))
            })
            .collect();
        let logs: Vec<f64> = candidates.iter().map(|(_, log)| *log).collect();
        let total = log_sum_exp(&logs);
        let b: f64 = candidates.iter().map(|(b, log)| b * (log - total).exp()).sum();
        let k = shape_at(b);
        Self { shape: (n * k + 10.0 * 0.5) / (n + 10.0), scale: -k / b }
    }

    fn quantile(self, p: f64) -> f64 {
        let log = (-p).ln_1p();
        if self.shape == 0.0 {
            -self.scale * log
        } else {
            self.scale * (-self.shape * log).exp_m1() / self.shape
        }
    }
}
