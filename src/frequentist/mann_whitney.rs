//! The Mann–Whitney test: does one variant tend to larger runs than the other?

use crate::numerics::{self, normal};

/// Below this number of runs on both sides, and without ties, p is exact; as R's
/// `wilcox.test`.
const EXACT_BELOW: usize = 50;

/// The Mann–Whitney U test (Wilcoxon's rank sum).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MannWhitney {
    /// The candidate's U: pairs in which its run is the larger, ties counting half.
    pub u: f64,
    /// Two-sided p; 1 where all runs are equal, since no other order of them exists.
    pub p: f64,
    /// Whether p is exact, not a normal approximation.
    pub exact: bool,
}

/// The test, on runs in any order; never of none.
pub fn mann_whitney(baseline: &[f64], candidate: &[f64]) -> MannWhitney {
    let (baseline, candidate) = rayon::join(|| sorted(baseline), || sorted(candidate));
    mann_whitney_sorted(&baseline, &candidate)
}

/// The test, on runs in ascending order; never of none.
///
/// Exact by the U recurrence for fewer than 50 runs on either side without ties, else by the
/// normal approximation, corrected for ties and continuity: as R's `wilcox.test`.
pub fn mann_whitney_sorted(baseline: &[f64], candidate: &[f64]) -> MannWhitney {
    debug_assert!(baseline.is_sorted() && candidate.is_sorted());
    let (n_b, n_c) = (baseline.len(), candidate.len());
    let merged = Merged::of(baseline, candidate);
    let exact = merged.ties == 0 && n_b < EXACT_BELOW && n_c < EXACT_BELOW;
    let p = if exact {
        // Without ties twice U is even.
        exact_p(usize::try_from(merged.twice_u / 2).expect("at most 49²"), n_b, n_c)
    } else {
        approximate_p(&merged, n_b, n_c)
    };
    MannWhitney { u: merged.twice_u as f64 / 2.0, p, exact }
}

fn sorted(runs: &[f64]) -> Vec<f64> {
    let mut runs = runs.to_vec();
    runs.sort_unstable_by(f64::total_cmp);
    runs
}

/// What one walk over both sorted sides finds.
struct Merged {
    /// Twice the candidate's U: a whole number also with ties.
    twice_u: u64,
    /// Σ (t³ − t) over groups of t equal runs; above 10^6 runs beyond 64 bits.
    ties: u128,
}

impl Merged {
    fn of(baseline: &[f64], candidate: &[f64]) -> Self {
        let mut below = 0;
        let mut merged = Self { twice_u: 0, ties: 0 };
        for (_, [equal_b, equal_c]) in numerics::tied([baseline, candidate]) {
            merged.twice_u += (equal_c * (2 * below + equal_b)) as u64;
            let group = (equal_b + equal_c) as u128;
            merged.ties += group * group * group - group;
            below += equal_b;
        }
        merged
    }
}

/// Two-sided p by the exact distribution of U without ties: twice the smaller tail.
///
/// The number of orders of `m` and `n` runs with a given U is a coefficient of
/// Π (1 − qⁿ⁺ⁱ)/(1 − qⁱ), i = 1 … m, which solves the recurrence of Mann & Whitney (1947),
/// Annals of Mathematical Statistics 18, 50–60. Whole numbers up to C(98, 49) = 2.5e28.
fn exact_p(u: usize, m: usize, n: usize) -> f64 {
    // U is symmetric about mn/2.
    let u = u.min(m * n - u);
    let mut orders = vec![0_i128; u + 1];
    orders[0] = 1;
    for i in 1..=m {
        for k in (n + i..=u).rev() {
            orders[k] -= orders[k - n - i];
        }
        for k in i..=u {
            orders[k] += orders[k - i];
        }
    }
    let all = (1..=m as i128).fold(1, |all, i| all * (n as i128 + i) / i);
    let tail: i128 = orders.iter().sum();
    (2.0 * (tail as f64 / all as f64)).min(1.0)
}

/// Two-sided p by the normal approximation, corrected for ties and continuity.
///
/// Lehmann (1975), Nonparametrics, section 1.4.
fn approximate_p(merged: &Merged, n_b: usize, n_c: usize) -> f64 {
    let (m, n) = (n_b as u128, n_c as u128);
    let all = m + n;
    // In whole numbers: where nearly all runs are tied the two cubes all but cancel.
    let untied = all * all * all - all - merged.ties;
    if untied == 0 {
        return 1.0;
    }
    let pairs = m as f64 * n as f64;
    let variance = pairs / 12.0 * untied as f64 / (all as f64 * (all - 1) as f64);
    let away = (merged.twice_u as f64 - pairs).abs() / 2.0;
    let z = (away - 0.5).max(0.0) / variance.sqrt();
    2.0 * normal::cdf(-z)
}
