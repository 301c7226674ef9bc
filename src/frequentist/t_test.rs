//! The t-tests of two means.

use crate::data::Moments;
use crate::numerics::student_t::StudentT;

/// A t-test of the difference of two means, candidate − baseline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TTest {
    /// The difference in standard errors.
    pub t: f64,
    /// Degrees of freedom; whole for Student's test, rarely for Welch's.
    pub df: f64,
    /// Two-sided p.
    pub p: f64,
    /// One-sided p against the alternative that the candidate's mean is greater.
    pub p_greater: f64,
    /// One-sided p against the alternative that the candidate's mean is less.
    pub p_less: f64,
    /// The 95 % confidence interval of the difference, in the unit of the runs.
    pub ci: [f64; 2],
}

impl TTest {
    /// From a difference and its standard error; `None` where that is 0.
    fn new(difference: f64, standard_error: f64, df: f64) -> Option<Self> {
        // Not `> 0.0` alone: an overflow must not pass for a result.
        if !(standard_error > 0.0 && standard_error.is_finite()) {
            return None;
        }
        let t = difference / standard_error;
        let student = StudentT::new(df);
        let reach = student.upper_quantile(0.025) * standard_error;
        Some(Self {
            t,
            df,
            p: (2.0 * student.upper(t.abs())).min(1.0),
            p_greater: student.upper(t),
            p_less: student.cdf(t),
            ci: [difference - reach, difference + reach],
        })
    }
}

/// Welch's test, which lets the variances differ.
///
/// Welch (1947), Biometrika 34, 28–35, with the degrees of freedom of Satterthwaite
/// (1946), Biometrics Bulletin 2, 110–114. `None` where a side has one run only, or both
/// are constant.
pub fn welch(baseline: &Moments, candidate: &Moments) -> Option<TTest> {
    let squared_error = |side: &Moments| Some(side.variance()? / side.n as f64);
    let (ours, theirs) = (squared_error(candidate)?, squared_error(baseline)?);
    let whole = ours + theirs;
    // As a share, since fourth powers of tiny values would underflow.
    let share = ours / whole;
    let df = 1.0
        / (share * share / (candidate.n - 1) as f64
            + (1.0 - share) * (1.0 - share) / (baseline.n - 1) as f64);
    if whole == 0.0 {
        return None;
    }
    TTest::new(candidate.mean - baseline.mean, whole.sqrt(), df)
}

/// Student's test, which takes the variances as equal.
///
/// Student (1908), Biometrika 6, 1–25, in the form of Fisher (1925), Metron 5, 90–104.
/// `None` below three runs together, or where both sides are constant.
pub fn student(baseline: &Moments, candidate: &Moments) -> Option<TTest> {
    let pooled = pooled_variance(baseline, candidate)?;
    let inverse_runs = 1.0 / baseline.n as f64 + 1.0 / candidate.n as f64;
    let df = (baseline.n + candidate.n - 2) as f64;
    TTest::new(candidate.mean - baseline.mean, (pooled * inverse_runs).sqrt(), df)
}

/// Student's test of the mean of differences within blocks, candidate − baseline.
///
/// `None` below two blocks, or where all differences are the same.
pub fn paired(differences: &Moments) -> Option<TTest> {
    let squared_error = differences.variance()? / differences.n as f64;
    TTest::new(differences.mean, squared_error.sqrt(), (differences.n - 1) as f64)
}

/// The variance within variants, in the unit squared; `None` below three runs together,
/// or where it overflows.
pub(super) fn pooled_variance(baseline: &Moments, candidate: &Moments) -> Option<f64> {
    let df = (baseline.n + candidate.n).checked_sub(2).filter(|df| *df > 0)?;
    let variance = (baseline.sum_of_squares + candidate.sum_of_squares) / df as f64;
    variance.is_finite().then_some(variance)
}
