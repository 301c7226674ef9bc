//! One line of a summary: what the draws of a variable say.

use ndarray::ArrayView2;

use super::diagnostics::{Convergence, Sorted, ess_mean};
use super::order::hdi;

/// The share of the posterior that the intervals of a summary hold.
pub const INTERVAL: f64 = 0.95;

/// Which moments of a distribution exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moments {
    /// Mean and variance.
    All,
    /// The mean, but no variance.
    MeanOnly,
    /// Neither.
    None,
}

/// Centre, spread and diagnostics of a variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// The mean, where it exists.
    pub mean: Option<f64>,
    /// The standard deviation, where it exists.
    pub sd: Option<f64>,
    /// The median.
    pub median: f64,
    /// The shortest interval that holds [`INTERVAL`] of the draws.
    pub hdi: [f64; 2],
    /// The interval that leaves out as much on either side.
    pub eti: [f64; 2],
    /// Monte Carlo standard error of the mean, where mean and variance exist.
    pub mcse_mean: Option<f64>,
    /// R-hat; unknown where the draws do not vary.
    pub rhat: Option<f64>,
    /// Bulk effective sample size; unknown where the draws do not vary.
    pub ess_bulk: Option<f64>,
    /// Tail effective sample size; unknown where the draws do not vary.
    pub ess_tail: Option<f64>,
}

impl Summary {
    /// From the draws, chain × iteration; `exists` says which moments to give.
    pub fn of(values: ArrayView2<'_, f64>, exists: Moments) -> Self {
        let sorted = Sorted::of(values);
        let Convergence { rhat, ess_bulk, ess_tail } =
            Convergence::of_sorted(values, &sorted);
        let tail = (1.0 - INTERVAL) / 2.0;
        let mean = crate::numerics::mean(&sorted.values);
        let squares = crate::numerics::sum_of_squares(&sorted.values, mean);
        let sd = (squares / (sorted.values.len() as f64 - 1.0)).sqrt();
        let (mean, sd) = match exists {
            Moments::All => (Some(mean), Some(sd)),
            Moments::MeanOnly => (Some(mean), None),
            Moments::None => (None, None),
        };
        let mcse_mean = sd.and_then(|sd| Some(sd / ess_mean(values)?.sqrt()));
        Self {
            mean,
            sd,
            median: sorted.quantile(0.5),
            hdi: hdi(&sorted.values, INTERVAL),
            eti: [sorted.quantile(tail), sorted.quantile(1.0 - tail)],
            mcse_mean,
            rhat,
            ess_bulk,
            ess_tail,
        }
    }
}
