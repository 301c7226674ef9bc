//! Tests of the shape of a sample: is it as symmetric, and are its tails and its farthest
//! value as usual, as those of a normal distribution?
//!
//! The statistics do not change when values are shifted or scaled. So their
//! distribution under a normal model is free of its mean and SD, and these p values are
//! its posterior predictive ones too.

use crate::data::Moments;
use crate::numerics::normal;
use crate::numerics::student_t::StudentT;

/// Skewness and kurtosis of a sample, each with the p value of a test of normality.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// Third standardised moment, with n as divisor; 0 of a normal distribution.
    pub skewness: f64,
    /// Two-sided p of the skewness: D'Agostino (1970), Biometrika 57, 679–681.
    pub p_skewness: f64,
    /// Fourth standardised moment less 3, with n as divisor.
    pub excess_kurtosis: f64,
    /// Two-sided p of the kurtosis: Anscombe & Glynn (1983), Biometrika 70, 227–234.
    pub p_kurtosis: f64,
}

/// Fewest values of which the two approximations are fair.
const FEWEST: usize = 8;

/// The shape of a sample; `None` below eight values, or of a constant one.
pub fn shape(values: &[f64]) -> Option<Shape> {
    let moments = Moments::of(values);
    if moments.n < FEWEST || moments.sum_of_squares <= 0.0 {
        return None;
    }
    let n = moments.n as f64;
    let sd = (moments.sum_of_squares / n).sqrt();
    let standardised = |power: i32| {
        let sum: f64 =
            values.iter().map(|x| ((x - moments.mean) / sd).powi(power)).sum();
        sum / n
    };
    let (skewness, kurtosis) = (standardised(3), standardised(4));
    Some(Shape {
        skewness,
        p_skewness: two_sided(z_of_skewness(skewness, n)),
        excess_kurtosis: kurtosis - 3.0,
        p_kurtosis: two_sided(z_of_kurtosis(kurtosis, n)),
    })
}

fn two_sided(z: f64) -> f64 {
    2.0 * normal::cdf(-z.abs())
}

/// D'Agostino (1970): a Johnson `S_U` curve made normal.
fn z_of_skewness(skewness: f64, n: f64) -> f64 {
    let y = skewness * ((n + 1.0) * (n + 3.0) / (6.0 * (n - 2.0))).sqrt();
    let beta = 3.0 * (n * n + 27.0 * n - 70.0) * (n + 1.0) * (n + 3.0)
        / ((n - 2.0) * (n + 5.0) * (n + 7.0) * (n + 9.0));
    let w2 = (2.0 * (beta - 1.0)).sqrt() - 1.0;
    let alpha = (2.0 / (w2 - 1.0)).sqrt();
    (y / alpha).asinh() / (0.5 * w2.ln()).sqrt()
}

/// Anscombe & Glynn (1983), equations 4 and 5: the cube root of a ratio made normal.
fn z_of_kurtosis(kurtosis: f64, n: f64) -> f64 {
    let expected = 3.0 * (n - 1.0) / (n + 1.0);
    let variance = 24.0 * n * (n - 2.0) * (n - 3.0)
        / ((n + 1.0) * (n + 1.0) * (n + 3.0) * (n + 5.0));
    let x = (kurtosis - expected) / variance.sqrt();
    let beta = 6.0 * (n * n - 5.0 * n + 2.0) / ((n + 7.0) * (n + 9.0))
        * (6.0 * (n + 3.0) * (n + 5.0) / (n * (n - 2.0) * (n - 3.0))).sqrt();
    let a = 6.0 + 8.0 / beta * (2.0 / beta + (1.0 + 4.0 / (beta * beta)).sqrt());
    let ratio = (1.0 - 2.0 / a) / (1.0 + x * (2.0 / (a - 4.0)).sqrt());
    (1.0 - 2.0 / (9.0 * a) - ratio.cbrt()) / (2.0 / (9.0 * a)).sqrt()
}

/// The p value of the farthest value of a sample: Grubbs (1950), Annals of Mathematical
/// Statistics 21, 27–58, by its Bonferroni bound. Distance and SD allow for values that
/// are rounded to `resolution`. `None` below three values, or of a constant sample.
pub fn farthest(values: &[f64], resolution: f64) -> Option<f64> {
    let moments = Moments::of(values);
    let sd = moments.sd()?.hypot(resolution / 12_f64.sqrt());
    if moments.n < 3 || moments.sum_of_squares <= 0.0 {
        return None;
    }
    let n = moments.n as f64;
    let far = values.iter().map(|x| (x - moments.mean).abs()).fold(0.0, f64::max);
    let distance = (far - resolution / 2.0).max(0.0) / sd;
    let room = (n - 1.0) * (n - 1.0) - n * distance * distance;
    if room <= 0.0 {
        return Some(0.0);
    }
    let t = distance * (n * (n - 2.0) / room).sqrt();
    Some((2.0 * n * StudentT::new(n - 2.0).upper(t)).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNS: [f64; 12] = [
        152.7, 151.7, 153.5, 152.0, 153.4, 153.7, 152.2, 152.9, 160.1, 151.1, 152.8,
        153.0,
    ];

    #[test]
    fn shapes_are_those_of_scipy() {
        // SciPy 1.17.1: stats.skew, skewtest, kurtosis, kurtosistest.
        let shape = shape(&RUNS).unwrap();
        let near = |ours: f64, exact: f64| {
            assert!((ours / exact - 1.0).abs() < 1e-9, "{ours}");
        };
        near(shape.skewness, 2.401_722_334_721_683);
        near(shape.p_skewness, 0.000_216_268_632_867_513_9);
        near(shape.excess_kurtosis, 5.041_907_342_445_898);
        near(shape.p_kurtosis, 0.000_686_455_692_697_019);
    }

    #[test]
    fn the_farthest_value_has_the_p_of_grubbs() {
        // SciPy 1.17.1: min(1, 2 n stats.t.sf(t, n − 2)) at t = 8.846078869125444.
        let p = farthest(&RUNS, 0.0).unwrap();
        assert!((p / 5.797_214_063_509_566e-5 - 1.0).abs() < 1e-9, "{p}");
        // A single step of a coarse clock is no outlier, however small the SD.
        let mut clock = [0.5; 200];
        clock[17] = 0.6;
        assert!(farthest(&clock, 0.0).unwrap() < 1e-9);
        assert!(farthest(&clock, 0.1).unwrap() > 0.1);
    }
}
