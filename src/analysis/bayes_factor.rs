//! The JZS Bayes factor: how much better a difference predicts the data than none.

use super::{TestUnit, Tests};
use crate::frequentist::TTest;

/// Scale of the Cauchy prior on the effect size under a difference, √2/2: the default of
/// R's `BayesFactor` (0.9.12), "medium".
const SCALE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Evidence for a difference over evidence for none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BayesFactor {
    /// BF₁₀: above 1 speaks for a difference.
    pub bf10: f64,
    /// Scale of the prior on the effect size.
    pub scale: f64,
}

impl BayesFactor {
    /// From the t-test of the pair: Student's, or that of the differences in blocks.
    /// `None` where there is none, or the evidence is beyond the range of numbers.
    pub(super) fn of(tests: &Tests) -> Option<Self> {
        let [baseline, candidate] = tests.n.map(|n| n as f64);
        let (test, n): (&TTest, f64) = match tests.unit {
            TestUnit::Block => (tests.paired.as_ref()?, baseline),
            TestUnit::Run | TestUnit::Invocation => {
                (tests.student.as_ref()?, baseline * candidate / (baseline + candidate))
            }
        };
        let bf10 = log_bf10(test.t, test.df, n, SCALE).exp();
        bf10.is_normal().then_some(Self { bf10, scale: SCALE })
    }
}

/// Steps of the integral over log g; the trapezoidal rule is exact to 1e-12 at this one,
/// the integrand being smooth and both its tails exponential.
const STEP: f64 = 0.02;

/// log BF₁₀ by Rouder, Speckman, Sun, Morey & Iverson (2009), Psychonomic Bulletin &
/// Review 16, 225–237, equation 1, with the scale r of the prior put in: N is the
/// effective number of values, ν the degrees of freedom, and the integral is over g.
fn log_bf10(t: f64, nu: f64, n: f64, scale: f64) -> f64 {
    let power = f64::midpoint(nu, 1.0);
    let squared = t * t / nu;
    let log_integrand = |log_g: f64| {
        let g = log_g.exp();
        let spread = n * g * scale * scale;
        // g^(−3/2) dg is g^(−1/2) d log g.
        -0.5 * spread.ln_1p()
            - power * (squared / (1.0 + spread)).ln_1p()
            - 0.5 * (std::f64::consts::TAU.ln() + log_g + 1.0 / g)
    };
    // Below, exp(−1/(2g)) has fallen to e^−1000; above, a tail of 1/g to e^−40 of where
    // the effect size that was seen is typical.
    let end = 40.0 + (1.0 + t * t).ln();
    let steps = ((end + 8.0) / STEP) as usize;
    let logs: Vec<f64> =
        (0..=steps).map(|i| log_integrand(-8.0 + STEP * i as f64)).collect();
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logs.iter().map(|log| (log - most).exp()).sum();
    most + (sum * STEP).ln() + power * squared.ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(ours: f64, exact: f64, t: f64) {
        // Six digits, and what the last printed digit of t leaves open.
        assert!((ours / exact - 1.0).abs() < 1e-5, "{ours} against {exact} at t = {t}");
    }

    #[test]
    fn bayes_factors_are_those_of_r() {
        // R's BayesFactor, ttestBF, on `sleep`: the extra sleep of ten patients under
        // two drugs, t of R's t.test to all digits, and `chickwts` horsebean, linseed.
        let independent =
            |scale| log_bf10(-1.860_813_467_486_853, 18.0, 5.0, scale).exp();
        near(independent(SCALE), 1.265_925, -1.8608);
        near(independent(1.0), 1.147_938, -1.8608);
        near(independent(2_f64.sqrt()), 0.980_115_1, -1.8608);
        let paired = |scale| log_bf10(-4.062_127_683_382_037, 9.0, 10.0, scale).exp();
        near(paired(SCALE), 17.258_88, -4.0621);
        near(paired(1.0), 18.415_21, -4.0621);
        let chicks = log_bf10(-2.934_047, 20.0, 120.0 / 22.0, SCALE).exp();
        near(chicks, 5.975_741, -2.934_047);
    }

    #[test]
    fn overwhelming_evidence_stays_a_number_on_the_log_scale() {
        assert!(log_bf10(1e6, 1e6, 5e5, SCALE).is_finite());
        assert!(log_bf10(0.0, 2e6, 5e5, SCALE) < 0.0);
    }
}
