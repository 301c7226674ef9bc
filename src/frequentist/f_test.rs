//! The F-test of equal variances.

use crate::data::Moments;
use crate::numerics::beta;

/// Two-sided p of the F-test that both variants have the same variance.
///
/// Twice the smaller tail of `s_c²/s_b²`, as R's `var.test`; Snedecor & Cochran (1989),
/// Statistical Methods, section 6.12. `None` where a side has one run only, both are
/// constant, or the squares overflow.
pub fn equal_variances(baseline: &Moments, candidate: &Moments) -> Option<f64> {
    if baseline.n < 2 || candidate.n < 2 {
        return None;
    }
    let (theirs, ours) = (baseline.sum_of_squares, candidate.sum_of_squares);
    if !(theirs.is_finite() && ours.is_finite()) {
        return None;
    }
    match (theirs > 0.0, ours > 0.0) {
        (false, false) => return None,
        (false, true) | (true, false) => return Some(0.0),
        (true, true) => {}
    }
    // SS_c / (SS_c + SS_b) is Beta((n_c − 1)/2, (n_b − 1)/2), whatever the variance.
    let half_df = |side: &Moments| 0.5 * (side.n - 1) as f64;
    let [lower, upper] =
        beta::tails(half_df(candidate), half_df(baseline), ours / theirs);
    Some((2.0 * lower.min(upper)).min(1.0))
}
