//! The beta distribution function, to the last digits for parameters up to 10^7.

use super::gamma;
use std::f64::consts::PI;

/// Both tails of the Beta(a, b) distribution at x = `odds` / (1 + `odds`): P(X < x) and
/// P(X > x), each with its own digits.
///
/// The odds, not x, since 1 − x would lose what lies near 1. For a, b > 0, `odds` ≥ 0.
pub fn tails(a: f64, b: f64, odds: f64) -> [f64; 2] {
    let x = odds / (1.0 + odds);
    // On this side of the mean the continued fraction converges fast.
    if x < (a + 1.0) / (a + b + 2.0) {
        let lower = power_term(a, b, odds) * fraction(a, b, x) / a;
        [lower, 1.0 - lower]
    } else {
        let upper =
            power_term(b, a, 1.0 / odds) * fraction(b, a, 1.0 / (1.0 + odds)) / b;
        [1.0 - upper, upper]
    }
}

/// xᵃ (1 − x)ᵇ / B(a, b), with Stirling's formula taken out of the beta function, so that
/// only small numbers are left in the exponent.
fn power_term(a: f64, b: f64, odds: f64) -> f64 {
    let whole = a + b;
    // x over its mean a/(a + b), less 1; and 1 − x over its own.
    let excess = (odds * b - a) / (a * (1.0 + odds));
    let rest = (a - odds * b) / (b * (1.0 + odds));
    // Far below the mean 1 + excess would cancel, and the quotient itself is better.
    let log_share = if excess < -0.5 {
        (odds / (1.0 + odds) * (whole / a)).ln()
    } else {
        excess.ln_1p()
    };
    let exponent = a * log_share + b * rest.ln_1p() + gamma::stirling_remainder(whole)
        - gamma::stirling_remainder(a)
        - gamma::stirling_remainder(b);
    (a * b / (2.0 * PI * whole)).sqrt() * exponent.exp()
}

/// The continued fraction of DLMF 8.17.22, by the method of Lentz.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let kept = |value: f64| if value == 0.0 { f64::MIN_POSITIVE } else { value };
    let (mut c, mut d, mut product) = (1.0, 0.0, 1.0);
    // About √max(a, b) terms.
    for k in 1..100_000_u32 {
        let m = f64::from(k / 2);
        let below = a + f64::from(k);
        let term = if k % 2 == 1 {
            -(a + m) * (a + b + m) * x / ((below - 1.0) * below)
        } else {
            m * (b - m) * x / ((below - 1.0) * below)
        };
        d = 1.0 / kept(1.0 + term * d);
        c = kept(1.0 + term / c);
        let change = c * d;
        product *= change;
        if (change - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    1.0 / product
}

#[cfg(test)]
#[allow(clippy::unreadable_literal, reason = "digits as mpmath printed them")]
mod tests {
    use super::*;

    // mpmath 1.3.0 at 40 digits.
    #[test]
    fn both_tails_keep_their_digits_for_large_and_small_parameters() {
        for (a, b, odds, lower, upper) in TAILS {
            let ours = tails(a, b, odds);
            assert!((ours[0] / lower - 1.0).abs() < 1e-11, "{a} {b} {odds}: {ours:?}");
            assert!((ours[1] / upper - 1.0).abs() < 1e-11, "{a} {b} {odds}: {ours:?}");
        }
    }

    const TAILS: [(f64, f64, f64, f64, f64); 12] = [
        (0.5, 0.5, 3.0, 0.6666666666666666, 0.3333333333333333),
        (1.0, 1.0, 0.25, 0.2, 0.8),
        (1.0, 4.5, 1e-6, 4.499987625026812e-6, 0.999995500012375),
        (4.5, 1.0, 1000.0, 0.9955123482376881, 0.004487651762311892),
        (10.0, 20.0, 0.4, 0.30139331600113234, 0.6986066839988677),
        (23.0, 20.5, 5.725, 0.9999997209462349, 2.790537651258228e-7),
        (500.0, 700.0, 0.8, 0.9740463763511512, 0.025953623648848814),
        (500000.0, 500000.0, 1.002, 0.8411028962085118, 0.15889710379148825),
        (500000.0, 500000.0, 0.99, 2.515116108530788e-7, 0.9999997484883891),
        (499999.5, 1.0, 200000.0, 0.08208571686855594, 0.9179142831314441),
        (14.5, 500000.0, 1e-5, 0.0004005511563079899, 0.999599448843692),
        (5000000.0, 4000000.0, 1.2505, 0.7244579087004938, 0.2755420912995063),
    ];
}
