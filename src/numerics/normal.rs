//! The standard normal distribution.

use std::f64::consts::{PI, SQRT_2};

/// The density at z.
pub fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

/// P(Z < z), with full relative accuracy far out on the left.
///
/// By `libm`: the function of `statrs` keeps ten digits (8e-11 at z = −1.96).
pub fn cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

#[cfg(test)]
#[allow(clippy::unreadable_literal, reason = "digits as mpmath printed them")]
mod tests {
    use super::*;

    // mpmath 1.3.0 at 40 digits.
    #[test]
    fn the_far_tail_keeps_its_digits() {
        for (z, expected) in TAILS {
            let ours = cdf(z);
            // One rounding of z costs z² of its size.
            let allowed = 1e-15 * (1.0 + z * z);
            assert!((ours / expected - 1.0).abs() < allowed, "{z}: {ours}");
        }
    }

    const TAILS: [(f64, f64); 11] = [
        (-37.0, 5.725571222524577e-300),
        (-20.5, 1.0764673258790961e-93),
        (-8.0, 6.220960574271784e-16),
        (-3.3, 0.0004834241423837775),
        (-1.96, 0.024997895148220435),
        (-0.6, 0.2742531177500736),
        (-0.001, 0.49960105778608893),
        (0.0, 0.5),
        (0.4, 0.6554217416103242),
        (2.5, 0.9937903346742238),
        (6.0, 0.9999999990134123),
    ];
}
