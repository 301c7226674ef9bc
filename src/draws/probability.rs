//! The share of draws in which an event holds, with what it may be off by.

use ndarray::ArrayRef2;

use super::diagnostics::mcse_probability;

/// A posterior probability, estimated from draws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Probability {
    /// The share of draws in which the event holds.
    pub value: f64,
    /// Its Monte Carlo standard error; above 0.
    pub mcse: f64,
}

impl Probability {
    /// From the event in each draw (chains × iterations); `None` for no draws.
    ///
    /// Draws that all agree do not make an event certain, but leave nothing to estimate
    /// an error from. The error is then the posterior SD of the share after `n`
    /// independent draws, of Beta(n + 1, 1): about 1/n, a third of the 95 % bound 3/n
    /// (the "rule of three", Hanley & Lippman-Hand 1983). It joins on smoothly, for one
    /// dissenter in n gives 1/n as well.
    ///
    /// `ess` is what the draws are worth there: the effective sample size of the
    /// quantity that the event is about. Without it each draw counts as one, which
    /// flatters chains that mix badly. Where draws differ the event's own is used.
    pub fn of(event: &ArrayRef2<bool>, ess: Option<f64>) -> Option<Self> {
        if event.is_empty() {
            return None;
        }
        let draws = event.len() as f64;
        let value = event.iter().filter(|&&holds| holds).count() as f64 / draws;
        let worth = ess.map_or(draws, |ess| ess.min(draws));
        let mcse = mcse_probability(event).unwrap_or_else(|| sd_of_share(value, worth));
        Some(Self { value, mcse })
    }
}

/// The posterior SD of a share seen in `n` independent draws under a flat prior, that
/// of Beta(share · n + 1, (1 − share) · n + 1).
fn sd_of_share(share: f64, n: f64) -> f64 {
    let (a, b) = (share * n + 1.0, (1.0 - share) * n + 1.0);
    (a * b / (a + b + 1.0)).sqrt() / (a + b)
}
