//! How large a difference is beside the noise of single runs.

use super::t_test::pooled_variance;
use crate::data::Moments;
use crate::numerics::gamma;

/// Cohen's d: the difference in pooled SDs within variants.
///
/// Cohen (1988), Statistical power analysis for the behavioral sciences, chapter 2.
/// `None` below three runs together, or where both sides are constant.
pub fn cohen_d(baseline: &Moments, candidate: &Moments) -> Option<f64> {
    let sd = pooled_variance(baseline, candidate)?.sqrt();
    (sd > 0.0).then(|| (candidate.mean - baseline.mean) / sd)
}

/// Hedges' g: Cohen's d without its bias.
///
/// The exact factor Γ(m/2) / (√(m/2) Γ((m − 1)/2)) of Hedges (1981), Journal of
/// Educational Statistics 6, 107–128, with m = n₁ + n₂ − 2, not its approximation
/// 1 − 3/(4m − 1). `None` as for d, and for m = 1, where d has no mean.
pub fn hedges_g(baseline: &Moments, candidate: &Moments) -> Option<f64> {
    let d = cohen_d(baseline, candidate)?;
    let df = (baseline.n + candidate.n - 2) as f64;
    (df > 1.0).then(|| d * gamma::half_step(0.5 * (df - 1.0)) / (0.5 * df).sqrt())
}

/// The rule of thumb that calls a difference noise below twice the SD of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoSdRule {
    /// The difference in SDs of a run.
    pub ratio: f64,
    /// Whether it is above 2 in size.
    pub beyond: bool,
}

/// The two-SD rule: the difference over `√((s_b² + s_c²)/2)`.
///
/// `None` where a side has one run only, or both are constant.
pub fn two_sd_rule(baseline: &Moments, candidate: &Moments) -> Option<TwoSdRule> {
    let sd = f64::midpoint(baseline.variance()?, candidate.variance()?).sqrt();
    let ratio = (candidate.mean - baseline.mean) / sd;
    (sd > 0.0 && sd.is_finite())
        .then_some(TwoSdRule { ratio, beyond: ratio.abs() > 2.0 })
}
