//! Student's t distribution, to the last digits in both tails and at any df.
//!
//! That of `statrs` 0.19 subtracts logarithms of gamma functions and stops its continued
//! fraction early: at df = 4e6 its tails keep eight digits, its quantiles three.

use super::{gamma, newton};
use std::f64::consts::PI;

/// Student's t with `df` degrees of freedom, whole or not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StudentT {
    df: f64,
    /// The density at 0.
    height: f64,
}

impl StudentT {
    /// For `df` above 0.
    pub fn new(df: f64) -> Self {
        debug_assert!(df > 0.0);
        Self { df, height: gamma::half_step(0.5 * df) / (PI * df).sqrt() }
    }

    /// The density at t.
    pub fn density(&self, t: f64) -> f64 {
        let x = t.abs() / self.df.sqrt();
        // Above 1e8 the 1 is lost anyway, and the square would overflow.
        let log = if x < 1e8 { (x * x).ln_1p() } else { 2.0 * x.ln() };
        self.height * (-0.5 * (self.df + 1.0) * log).exp()
    }

    /// P(T > t).
    pub fn upper(&self, t: f64) -> f64 {
        match t {
            t if t < 0.0 && self.is_central(t) => 0.5 + self.central(-t),
            t if t < 0.0 => 1.0 - self.tail(-t),
            t if self.is_central(t) => 0.5 - self.central(t),
            t => self.tail(t),
        }
    }

    /// P(T < t).
    pub fn cdf(&self, t: f64) -> f64 {
        self.upper(-t)
    }

    /// The t that T exceeds with probability `p`, for p above 0 and below 1.
    pub fn upper_quantile(&self, p: f64) -> f64 {
        debug_assert!(p > 0.0 && p < 1.0);
        if p > 0.5 {
            return -self.upper_quantile(1.0 - p);
        }
        // Above p = 1/5 the root lies below t = 1.38, for df = 1.
        if p > 0.2 {
            let f = |t| (p - self.upper(t), self.density(t));
            return newton::increasing_root(f, [0.0, 2.0], 0.0);
        }
        self.tail_quantile(p)
    }

    /// Newton's method on ln P(T > t) against ln t: a concave curve, and for a power
    /// tail a straight line.
    fn tail_quantile(&self, p: f64) -> f64 {
        // P(T > t) is at most ½ (1 + t²/df)^(−df/2): a start beyond the root.
        let start = (self.df * (-2.0 * (2.0 * p).ln() / self.df).exp_m1()).sqrt();
        let f = |s: f64| {
            let t = s.exp();
            let upper = self.upper(t);
            ((p / upper).ln(), t * self.density(t) / upper)
        };
        let high = start.ln() + 1.0;
        newton::increasing_root(f, [-1.0, high], start.ln()).exp()
    }

    /// Where the series for the centre needs few terms and ½ minus it keeps its digits.
    fn is_central(&self, t: f64) -> bool {
        t * t <= (0.5 * self.df).min(2.0)
    }

    /// P(0 < T < t), by the series of positive terms of DLMF 8.17.8.
    fn central(&self, t: f64) -> f64 {
        let x = t * t / (self.df + t * t);
        let (mut term, mut sum) = (1.0, 1.0);
        let mut k = 0.0;
        while term > f64::EPSILON * 0.1 * sum {
            term *= (0.5 * (self.df + 1.0) + k) / (1.5 + k) * x;
            sum += term;
            k += 1.0;
        }
        t * self.density(t) * sum
    }

    /// P(T > t) for t well above 0.
    ///
    /// The incomplete beta function in the form of DLMF 8.17.7 with 15.8.1, whose
    /// F(½, 1; df/2 + 1; −df/t²) is Gauss's continued fraction (DLMF 15.7.1 with b = 0),
    /// all terms positive; as df grows it becomes Laplace's for the normal tail.
    fn tail(&self, t: f64) -> f64 {
        let density = self.density(t);
        if density == 0.0 {
            return 0.0;
        }
        density
            * (1.0 / t + t / self.df)
            * gauss_fraction(0.5 * self.df, self.df / t / t)
    }
}

/// F(½, 1; c + 1; −z), forwards by Steed's method.
fn gauss_fraction(c: f64, z: f64) -> f64 {
    let (mut ratio, mut change, mut sum) = (1.0, 1.0, 1.0);
    // A hundred terms where it is slowest: t just above √2, df large.
    for k in 1..2000_u32 {
        let n = f64::from(k / 2);
        let above = if k % 2 == 1 { (0.5 + n) * (c + n) } else { n * (c - 0.5 + n) };
        let k = f64::from(k);
        ratio = 1.0 / (1.0 + z * above / ((c + k - 1.0) * (c + k)) * ratio);
        change *= ratio - 1.0;
        sum += change;
        if change.abs() <= 0.1 * f64::EPSILON * sum {
            break;
        }
    }
    sum
}

#[cfg(test)]
#[allow(clippy::unreadable_literal, reason = "digits as mpmath printed them")]
mod tests {
    use super::*;

    // mpmath 1.3.0 at 40 digits.
    #[test]
    fn both_tails_keep_their_digits_at_any_df() {
        for (df, t, expected) in TAILS {
            let student = StudentT::new(df);
            let ours = student.upper(t);
            assert!((ours / expected - 1.0).abs() < 1e-12, "{df} {t}: {ours}");
            let lower = student.cdf(t);
            assert!((lower + expected - 1.0).abs() < 1e-15, "{df} {t}: {lower}");
        }
    }

    // mpmath 1.3.0 at 40 digits.
    #[test]
    fn quantiles_keep_their_digits_at_any_df() {
        for (df, p, expected) in QUANTILES {
            let student = StudentT::new(df);
            let ours = student.upper_quantile(p);
            assert!((ours / expected - 1.0).abs() < 1e-12, "{df} {p}: {ours}");
            // 1 − p is rounded to 1e-16.
            let mirrored = student.upper_quantile(1.0 - p);
            assert!(
                (mirrored / expected + 1.0).abs() < 1e-12 + 1e-16 / p,
                "{df} {p}: {mirrored}"
            );
        }
    }

    #[test]
    fn nothing_lies_beyond_infinity() {
        for df in [1.0, 7.5, 4e6] {
            assert!(StudentT::new(df).upper(f64::INFINITY) <= 0.0);
            assert!(StudentT::new(df).cdf(f64::INFINITY) >= 1.0);
        }
    }

    const TAILS: [(f64, f64, f64); 36] = [
        (1.0, 0.001, 0.4996816902199194),
        (1.0, 0.7, 0.30559988778578523),
        (1.0, 1.41, 0.1963612383574656),
        (1.0, 1.42, 0.1953009868452635),
        (1.0, 12.5, 0.025410673666115897),
        (1.0, 10000.0, 3.183098851227577e-5),
        (2.0, 0.001, 0.49964644669779507),
        (2.0, 0.7, 0.2781965123164327),
        (2.0, 1.41, 0.14697448339995606),
        (2.0, 1.42, 0.14572551978734452),
        (2.0, 12.5, 0.003169604051772342),
        (2.0, 10000.0, 4.999999925000001e-9),
        (3.99985, 0.001, 0.4996250009323767),
        (3.99985, 0.7, 0.261250763071018),
        (3.99985, 1.41, 0.11567590825972422),
        (3.99985, 1.42, 0.11431633934014795),
        (3.99985, 12.5, 0.00011783391025573168),
        (3.99985, 10000.0, 3.003659188003846e-16),
        (63.04, 0.001, 0.49960263668763477),
        (63.04, 0.7, 0.24325130173787357),
        (63.04, 1.41, 0.08172730861636592),
        (63.04, 1.42, 0.08026720331009361),
        (63.04, 12.5, 5.073569557277732e-19),
        (20000.0, 0.001, 0.4996010627728388),
        (20000.0, 0.7, 0.24196772319514845),
        (20000.0, 1.41, 0.07927761678161821),
        (20000.0, 1.42, 0.07781163409895965),
        (20000.0, 9.0, 1.227241448845882e-19),
        (4000000.0, 0.001, 0.4996010578110228),
        (4000000.0, 0.7, 0.24196367257812534),
        (4000000.0, 1.41, 0.07926988033049295),
        (4000000.0, 1.42, 0.07780387949486234),
        (4000000.0, 9.0, 1.1290626537612425e-19),
        (1.0, 1000000000000.0, 3.1830988618379067e-13),
        (5.0, -1.2, 0.8580544716469489),
        (5.0, -3.0, 0.9849503760512687),
    ];

    const QUANTILES: [(f64, f64, f64); 25] = [
        (1.0, 1e-10, 3183098861.837907),
        (1.0, 0.025, 12.706204736174705),
        (1.0, 0.19, 1.471455315819969),
        (1.0, 0.21, 1.2891922317850668),
        (1.0, 0.499, 0.003141602989056159),
        (2.56, 1e-10, 7220.0358185610685),
        (2.56, 0.025, 3.5154197355927654),
        (2.56, 0.19, 1.0567932947639997),
        (2.56, 0.21, 0.9569332402470812),
        (2.56, 0.499, 0.0027578279946024486),
        (17.7765, 1e-10, 12.834594791635688),
        (17.7765, 0.025, 2.1028170140075426),
        (17.7765, 0.19, 0.900291823057285),
        (17.7765, 0.21, 0.8255519539593931),
        (17.7765, 0.499, 0.0025421134251150668),
        (87.0, 1e-10, 7.2028500288759005),
        (87.0, 0.025, 1.9876082815890712),
        (87.0, 0.19, 0.8823853762669908),
        (87.0, 0.21, 0.8102627659339431),
        (87.0, 0.499, 0.002513844107498382),
        (4000000.0, 1e-10, 6.361357388912417),
        (4000000.0, 0.025, 1.959964577608038),
        (4000000.0, 0.19, 0.8778963922070292),
        (4000000.0, 0.21, 0.8064213301963273),
        (4000000.0, 0.499, 0.002506631056237187),
    ];
}
