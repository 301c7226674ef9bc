//! A probability estimated by a share of draws.

use ndarray::ArrayView2;

use super::diagnostics::ess_mean;

/// The share of draws of which something is true, with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Probability {
    /// The share.
    pub value: f64,
    /// Its Monte Carlo standard error.
    pub mcse: f64,
}

impl Probability {
    /// From a flag a draw, chain × iteration.
    ///
    /// Where all S draws agree, the standard error is the SD of a Beta(S + ½, ½)
    /// distribution, the posterior of a share under Jeffreys' prior: about 0.7/S.
    pub fn of(flags: ArrayView2<'_, bool>) -> Self {
        let numbers = flags.mapv(f64::from);
        let count = numbers.len() as f64;
        let value = numbers.sum() / count;
        let spread = (value * (1.0 - value) * count / (count - 1.0)).sqrt();
        let mcse = if let Some(ess) = ess_mean(numbers.view()) {
            spread / ess.sqrt()
        } else {
            let (a, b) = (count + 0.5, 0.5);
            (a * b / ((a + b).powi(2) * (a + b + 1.0))).sqrt()
        };
        Self { value, mcse }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    #[test]
    fn draws_that_all_agree_leave_an_error_of_about_0_7_over_s() {
        // SD of Beta(4000.5, 0.5): √(ab/((a+b)²(a+b+1))) = √2000.25/(4001·√4002)
        let all = Probability::of(Array2::from_elem((4, 1000), true).view());
        assert_eq!(all.value, 1.0);
        let exact = 2000.25_f64.sqrt() / (4001.0 * 4002.0_f64.sqrt());
        assert!((all.mcse - exact).abs() < 1e-15);
    }

    #[test]
    fn alternating_draws_are_half_true() {
        let flags = Array2::from_shape_fn((4, 1000), |(_, i)| i % 2 == 0);
        assert_eq!(Probability::of(flags.view()).value, 0.5);
    }
}
