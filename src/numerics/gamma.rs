//! Quotients of gamma functions, without the cancellation of two large logarithms.

/// From here on the asymptotic series below are exact to the last place.
const LARGE: f64 = 15.25;

/// Γ(a + ½) / Γ(a), for a > 0.
///
/// Where a is large, with w = a − ¼ and DLMF 5.11.8 for Γ(w + ¾) and Γ(w + ¼), whose
/// even Bernoulli polynomials agree and whose odd ones are Euler numbers E:
/// √w · exp(−Σ E₂ⱼ / (4j (4w)²ʲ)). Below that by Γ(a + 1) = a Γ(a).
pub fn half_step(a: f64) -> f64 {
    let (mut a, mut shift) = (a, 1.0);
    while a < LARGE {
        shift *= a / (a + 0.5);
        a += 1.0;
    }
    let w = a - 0.25;
    let x = 1.0 / (16.0 * w * w);
    // E₂ … E₁₀ = −1, 5, −61, 1385, −50521.
    let series = x
        * (1.0 / 4.0
            - x * (5.0 / 8.0
                - x * (61.0 / 12.0 - x * (1385.0 / 16.0 - x * (50521.0 / 20.0)))));
    shift * w.sqrt() * series.exp()
}

/// What Stirling's formula leaves out: ln Γ(a) − [(a − ½) ln a − a + ½ ln 2π], for a > 0.
///
/// The series of DLMF 5.11.1; below 16 by Γ(a + 1) = a Γ(a).
pub fn stirling_remainder(a: f64) -> f64 {
    let (mut a, mut shift) = (a, 0.0);
    while a < LARGE {
        shift += (a + 0.5) * (1.0 / a).ln_1p() - 1.0;
        a += 1.0;
    }
    let x = 1.0 / (a * a);
    let series = 1.0 / 12.0
        - x * (1.0 / 360.0 - x * (1.0 / 1260.0 - x * (1.0 / 1680.0 - x / 1188.0)));
    shift + series / a
}

#[cfg(test)]
#[allow(clippy::unreadable_literal, reason = "digits as mpmath printed them")]
mod tests {
    use super::*;

    // mpmath 1.3.0 at 40 digits.
    #[test]
    fn a_half_step_keeps_its_digits_at_any_size() {
        for (a, expected) in HALF_STEPS {
            let ours = half_step(a);
            assert!((ours / expected - 1.0).abs() < 5e-15, "{a}: {ours}");
        }
    }

    // mpmath 1.3.0 at 40 digits.
    #[test]
    fn stirling_leaves_out_what_it_should() {
        for (a, expected) in REMAINDERS {
            let ours = stirling_remainder(a);
            assert!((ours - expected).abs() < 1e-14, "{a}: {ours}");
        }
    }

    const HALF_STEPS: [(f64, f64); 8] = [
        (0.5, 0.5641895835477563),
        (1.0, 0.886226925452758),
        (7.25, 2.646592452491488),
        (14.9, 3.8278103024562364),
        (15.25, 3.873252126354484),
        (100.0, 9.987507861262518),
        (499999.5, 707.1062508563069),
        (2000000.0, 1414.2134739847502),
    ];

    const REMAINDERS: [(f64, f64); 9] = [
        (0.5, 0.15342640972002736),
        (1.0, 0.08106146679532726),
        (1.5, 0.05481412105191765),
        (7.25, 0.011487002684428697),
        (14.9, 0.00559200251225083),
        (15.25, 0.005463698605892325),
        (100.0, 0.0008333305556349147),
        (499999.5, 1.6666683333347777e-7),
        (2000000.0, 4.166666666666632e-8),
    ];
}
