//! How much draws would move if the prior, or the likelihood, counted a little more.
//!
//! Kallioinen, Paananen, Bürkner & Vehtari (2024), *Detecting and diagnosing prior and
//! likelihood sensitivity with power-scaling*, Statistics and Computing 34(1).

use super::psis::psis;

/// The powers of section 2.3, below and above 1.
const POWERS: [f64; 2] = [0.99, 1.01];

/// From this sensitivity on, a quantity depends on the component: section 3.1.
pub const SENSITIVE: f64 = 0.05;

/// Weights of draws from the posterior in which one component is raised to a power.
#[derive(Debug, Clone)]
pub struct PowerScaled {
    /// For each of [`POWERS`], weights that sum to 1.
    weights: [Vec<f64>; 2],
}

impl PowerScaled {
    /// `log_component` is the log density of the prior, or of the likelihood, in each
    /// draw; `r_eff` the effective sample size over the number of draws.
    pub fn of(log_component: &[f64], r_eff: f64) -> Self {
        let weights = POWERS.map(|power| {
            let ratios: Vec<f64> =
                log_component.iter().map(|log| (power - 1.0) * log).collect();
            psis(&ratios, r_eff).log_weights.iter().map(|log| log.exp()).collect()
        });
        Self { weights }
    }

    /// The sensitivity of a quantity, one value a draw: the mean change of its
    /// distribution, by the cumulative Jensen–Shannon distance, a doubling of the power.
    ///
    /// `None` where all values are equal or one is not finite.
    pub fn sensitivity(&self, values: &[f64]) -> Option<f64> {
        if values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_unstable_by(|a, b| values[*a].total_cmp(&values[*b]));
        let gaps: Vec<f64> =
            order.windows(2).map(|at| values[at[1]] - values[at[0]]).collect();
        if gaps.iter().all(|gap| *gap == 0.0) {
            return None;
        }
        let slopes = [0, 1].map(|side| {
            let sorted: Vec<f64> =
                order.iter().map(|at| self.weights[side][*at]).collect();
            distance(&gaps, &sorted) / POWERS[side].log2().abs()
        });
        Some(f64::midpoint(slopes[0], slopes[1]))
    }
}

/// The cumulative Jensen–Shannon distance of weighted draws from the same without
/// weights, of values or of their negatives, whichever is larger: equations 6 to 8.
fn distance(gaps: &[f64], weights: &[f64]) -> f64 {
    let draws = weights.len() as f64;
    let sum: f64 = weights.iter().sum();
    let mut cumulated = 0.0;
    let (mut below, mut above) = (Divergence::default(), Divergence::default());
    for (i, (gap, weight)) in gaps.iter().zip(weights).enumerate() {
        cumulated += weight / sum;
        let plain = (i + 1) as f64 / draws;
        below.add(*gap, plain, cumulated);
        above.add(*gap, 1.0 - plain, (1.0 - cumulated).max(0.0));
    }
    below.distance().max(above.distance())
}

/// Sums over the gaps between values, for two distribution functions P and Q.
#[derive(Debug, Clone, Copy, Default)]
struct Divergence {
    /// Σ gap·(P log₂(P/M) + Q log₂(Q/M)), where M = (P + Q)/2.
    both: f64,
    /// Σ gap·(P + Q), the bound of the above.
    bound: f64,
}

impl Divergence {
    fn add(&mut self, gap: f64, p: f64, q: f64) {
        let middle = f64::midpoint(p, q);
        let part = |of: f64| if of > 0.0 { of * (of / middle).log2() } else { 0.0 };
        self.both += gap * (part(p) + part(q));
        self.bound += gap * (p + q);
    }

    fn distance(self) -> f64 {
        if self.bound > 0.0 { (self.both.max(0.0) / self.bound).sqrt() } else { 0.0 }
    }
}
