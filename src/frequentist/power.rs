//! How likely a t-test of this size finds a true difference.

use crate::numerics::student_t::StudentT;
use crate::numerics::{newton, noncentral_t};

/// A two-sided t-test yet to be made.
struct Plan {
    /// Beyond this, on either side, the test rejects.
    critical: f64,
    df: f64,
    /// What one SD of true difference adds to t.
    t_per_sd: f64,
}

impl Plan {
    /// Student's test of two samples; `None` below three runs together.
    ///
    /// t per SD is √(n₁n₂/(n₁ + n₂)), the root of half the harmonic mean, as in
    /// Cohen (1988), Statistical power analysis, section 2.3.
    fn two_samples(n1: usize, n2: usize, alpha: f64) -> Option<Self> {
        let (a, b) = (n1 as f64, n2 as f64);
        Self::new(a + b - 2.0, (a * b / (a + b)).sqrt(), alpha)
    }

    /// Student's test of the differences in `n` blocks; `None` below two.
    fn paired(n: usize, alpha: f64) -> Option<Self> {
        Self::new(n as f64 - 1.0, (n as f64).sqrt(), alpha)
    }

    fn new(df: f64, t_per_sd: f64, alpha: f64) -> Option<Self> {
        (df > 0.0 && t_per_sd > 0.0 && alpha > 0.0 && alpha < 1.0).then(|| Self {
            critical: StudentT::new(df).upper_quantile(0.5 * alpha),
            df,
            t_per_sd,
        })
    }

    /// The probability of rejection, in both tails, where t is shifted by `shift`.
    fn power(&self, shift: f64) -> f64 {
        noncentral_t::upper(self.critical, self.df, shift)
            + noncentral_t::upper(self.critical, self.df, -shift)
    }

    /// The derivative of [`Plan::power`].
    fn power_slope(&self, shift: f64) -> f64 {
        noncentral_t::upper_slope(self.critical, self.df, shift)
            - noncentral_t::upper_slope(self.critical, self.df, -shift)
    }

    /// The true difference, in SDs, that is found with probability `power`.
    fn detectable(&self, power: f64) -> Option<f64> {
        // With no difference at all the power is alpha.
        if power >= 1.0 || power <= self.power(0.0) {
            return None;
        }
        let mut high = self.critical + 1.0;
        while self.power(high) < power {
            high *= 2.0;
        }
        let f = |shift: f64| (self.power(shift) - power, self.power_slope(shift));
        let shift = newton::increasing_root(f, [0.0, high], self.critical);
        Some(shift / self.t_per_sd)
    }
}

/// The probability that Student's two-sided test at `alpha` rejects equal means, where the
/// true difference is `effect` SDs of a run (equal in both variants).
///
/// By the noncentral t distribution, both tails. `None` below three runs together, or for
/// an alpha outside (0, 1).
pub fn power(effect: f64, n1: usize, n2: usize, alpha: f64) -> Option<f64> {
    let plan = Plan::two_samples(n1, n2, alpha)?;
    Some(plan.power(effect * plan.t_per_sd))
}

/// The true difference, in SDs of a run, that Student's two-sided test at `alpha` finds
/// with probability `power`: the inverse of [`power()`].
///
/// `None` below three runs together, and for a power that is not between alpha and 1.
pub fn detectable(n1: usize, n2: usize, alpha: f64, power: f64) -> Option<f64> {
    Plan::two_samples(n1, n2, alpha)?.detectable(power)
}

/// The probability that the paired two-sided test at `alpha` rejects a mean difference of
/// zero, where the true one is `effect` SDs of a difference within a block.
///
/// `None` below two blocks, or for an alpha outside (0, 1).
pub fn power_paired(effect: f64, blocks: usize, alpha: f64) -> Option<f64> {
    let plan = Plan::paired(blocks, alpha)?;
    Some(plan.power(effect * plan.t_per_sd))
}

/// The true mean difference, in SDs of a difference within a block, that the paired
/// two-sided test at `alpha` finds with probability `power`.
///
/// `None` below two blocks, and for a power that is not between alpha and 1.
pub fn detectable_paired(blocks: usize, alpha: f64, power: f64) -> Option<f64> {
    Plan::paired(blocks, alpha)?.detectable(power)
}
