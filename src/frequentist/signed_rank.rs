//! Wilcoxon's signed-rank test: do differences within blocks tend to one side of zero?

use crate::numerics::normal;

/// Below this number of differences, and without ties or zeros, p is exact; as R's
/// `wilcox.test`.
const EXACT_BELOW: usize = 50;

/// The signed-rank test of Wilcoxon (1945), Biometrics Bulletin 1, 80–83.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignedRank {
    /// V: the sum of the ranks of the differences above zero.
    pub v: f64,
    /// Two-sided p.
    pub p: f64,
    /// Whether p is exact, not a normal approximation.
    pub exact: bool,
}

/// The test, on differences in any order; zeros are left out. `None` if all are zero.
///
/// Exact by the number of subsets of ranks with a given sum below 50 differences without
/// ties and zeros, else by the normal approximation, corrected for ties and continuity:
/// as R's `wilcox.test`.
pub fn signed_rank(differences: &[f64]) -> Option<SignedRank> {
    let mut nonzero: Vec<f64> =
        differences.iter().copied().filter(|difference| *difference != 0.0).collect();
    let n = nonzero.len();
    if n == 0 {
        return None;
    }
    nonzero.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    let (mut v, mut ties, mut below) = (0.0, 0.0, 0);
    for equal in nonzero.chunk_by(|a, b| a.abs() == b.abs()) {
        let count = equal.len() as f64;
        let rank = below as f64 + f64::midpoint(count, 1.0);
        v += rank * equal.iter().filter(|difference| **difference > 0.0).count() as f64;
        ties += count * (count * count - 1.0);
        below += equal.len();
    }
    let exact = ties == 0.0 && n == differences.len() && n < EXACT_BELOW;
    let p =
        if exact { exact_p(v as usize, n) } else { approximate_p(v, n as f64, ties) };
    Some(SignedRank { v, p, exact })
}

/// Twice the smaller tail of the distribution of V, from the number of subsets of
/// 1 … n with each sum.
fn exact_p(v: usize, n: usize) -> f64 {
    let most = n * (n + 1) / 2;
    let mut subsets = vec![0.0_f64; most + 1];
    subsets[0] = 1.0;
    for rank in 1..=n {
        for sum in (rank..=most).rev() {
            subsets[sum] += subsets[sum - rank];
        }
    }
    let all = 2_f64.powi(i32::try_from(n).unwrap_or(i32::MAX));
    let tail: f64 = subsets[..=v.min(most - v)].iter().sum();
    (2.0 * tail / all).min(1.0)
}

/// Lehmann (1975), Nonparametrics, section 3.2, with his correction for ties.
fn approximate_p(v: f64, n: f64, ties: f64) -> f64 {
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
    let away = ((v - n * (n + 1.0) / 4.0).abs() - 0.5).max(0.0);
    2.0 * normal::cdf(-away / variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_ties_p_is_exact() {
        // SciPy 1.17.1, stats.wilcoxon(d, method="exact") of the changes of the depression
        // scores in Hollander & Wolfe (1973), page 29: smaller rank sum 5, p = 0.0390625.
        let differences = [0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01];
        let test = signed_rank(&differences).unwrap();
        assert!(test.exact);
        assert_eq!(test.v, 40.0); // 45 − 5
        assert!((test.p - 0.039_062_5).abs() < 1e-15);
    }

    #[test]
    fn ties_and_zeros_are_corrected_for() {
        // SciPy 1.17.1, stats.wilcoxon(d, correction=True, method="approx",
        // zero_method="wilcox"): smaller rank sum 6, p = 0.031976819386712034.
        let differences =
            [1.0, 2.0, -3.0, 0.0, 5.0, 5.0, -1.0, 7.0, 8.0, 9.0, 0.0, 3.0];
        let test = signed_rank(&differences).unwrap();
        assert!(!test.exact);
        assert!((test.p - 0.031_976_819_386_712_034).abs() < 1e-12);
    }

    #[test]
    fn differences_that_are_all_zero_have_no_test() {
        assert_eq!(signed_rank(&[0.0; 4]), None);
    }
}
