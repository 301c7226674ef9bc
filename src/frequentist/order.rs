//! Tests of the order of runs: do they drift, start otherwise, or follow one another?

use crate::data::Moments;
use crate::numerics::normal;
use crate::numerics::student_t::StudentT;

/// Two-sided p of Spearman's rank correlation of runs with their order, by Student's t
/// with n − 2 degrees of freedom (Kendall & Gibbons 1990, section 4.15). `None` below
/// three runs, or of constant ones.
pub fn drift(runs: &[f64]) -> Option<f64> {
    let ranks = scores(runs);
    let r = correlation_with_order(&ranks)?;
    let freedom = runs.len() as f64 - 2.0;
    let t = r * (freedom / ((1.0 - r) * (1.0 + r)).max(f64::MIN_POSITIVE)).sqrt();
    Some((2.0 * StudentT::new(freedom).upper(t.abs())).min(1.0))
}

/// One-sided p that neighbours are alike: the rank version of von Neumann's ratio,
/// Bartels (1982), Journal of the American Statistical Association 77, 40–46, with his
/// normal approximation. `None` below four runs, or of constant ones.
pub fn neighbours_alike(runs: &[f64]) -> Option<f64> {
    let ranks = scores(runs);
    let squares = Moments::of(&ranks).sum_of_squares;
    if runs.len() < 4 || squares <= 0.0 {
        return None;
    }
    let steps: f64 = ranks.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    let n = runs.len() as f64;
    let variance = 4.0 * (n - 2.0) * (5.0 * n * n - 2.0 * n - 9.0)
        / (5.0 * n * (n + 1.0) * (n - 1.0) * (n - 1.0));
    Some(normal::cdf((steps / squares - 2.0) / variance.sqrt()))
}

/// Two-sided p of the first run against all others, if all are normal: its studentised
/// deleted residual is Student-t with n − 2 degrees of freedom (Cook & Weisberg 1982,
/// section 2.2.1). `None` below four runs, or where the others are constant.
pub fn first_run(runs: &[f64]) -> Option<f64> {
    let (first, others) = runs.split_first()?;
    let moments = Moments::of(others);
    let sd = moments.sd().filter(|sd| *sd > 0.0 && moments.n >= 3)?;
    let m = moments.n as f64;
    let t = (first - moments.mean) / (sd * (1.0 + 1.0 / m).sqrt());
    Some((2.0 * StudentT::new(m - 1.0).upper(t.abs())).min(1.0))
}

/// More runs than this are taken as they are: of so many, sums are normal without ranks.
const MOST_RANKED: usize = 10_000;

fn scores(runs: &[f64]) -> Vec<f64> {
    if runs.len() > MOST_RANKED { runs.to_vec() } else { ranks(runs) }
}

/// Ranks from 1, ties at the middle of their ranks.
fn ranks(runs: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..runs.len()).collect();
    order.sort_by(|&a, &b| runs[a].total_cmp(&runs[b]));
    let mut ranks = vec![0.0; runs.len()];
    let mut below = 0;
    for equal in order.chunk_by(|&a, &b| runs[a] == runs[b]) {
        let rank = below as f64 + f64::midpoint(equal.len() as f64, 1.0);
        for &at in equal {
            ranks[at] = rank;
        }
        below += equal.len();
    }
    ranks
}

fn correlation_with_order(ranks: &[f64]) -> Option<f64> {
    let moments = Moments::of(ranks);
    let n = moments.n as f64;
    if moments.n < 3 || moments.sum_of_squares <= 0.0 {
        return None;
    }
    let middle = (n - 1.0) / 2.0;
    let together: f64 =
        ranks.iter().enumerate().map(|(at, rank)| (at as f64 - middle) * rank).sum();
    let of_order = n * (n * n - 1.0) / 12.0;
    Some(together / (moments.sum_of_squares * of_order).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNS: [f64; 12] = [
        152.7, 151.7, 153.5, 152.0, 153.4, 153.7, 152.2, 152.9, 160.1, 151.1, 152.8,
        153.0,
    ];

    #[test]
    fn the_p_of_drift_is_that_of_scipy() {
        // SciPy 1.17.1: stats.spearmanr(np.arange(12), runs).
        let p = drift(&RUNS).unwrap();
        assert!((p / 0.680_597_508_286_081_7 - 1.0).abs() < 1e-9, "{p}");
    }

    #[test]
    fn alternating_runs_are_not_alike_and_rising_ones_are() {
        // By hand: the ranks of 1 … 12 in order have steps of 1, ratio 11/143, variance
        // 4·10·687/(5·12·13·121) = 0.29116, z = −3.564; Φ(−3.564) = 1.83e-4.
        let rising: Vec<f64> = (1..=12).map(f64::from).collect();
        let p = neighbours_alike(&rising).unwrap();
        assert!((p / 1.83e-4 - 1.0).abs() < 0.01, "{p}");
        let alternating: Vec<f64> =
            (0..12).map(|i| f64::from(i % 2) + f64::from(i) * 1e-3).collect();
        // Ranks 1 7 2 8 …: steps of 6 and 5, ratio 341/143, z = 0.7128; Φ(z) = 0.7620.
        assert!((neighbours_alike(&alternating).unwrap() - 0.7620).abs() < 1e-4);
    }

    #[test]
    fn a_first_run_far_off_is_noticed() {
        // By hand: others −1, 0, 1 have mean 0 and SD 1; t = 6/√(4/3) = 5.196 with 2
        // degrees of freedom, where p = 2·½(1 − t/√(2 + t²)) = 0.035099.
        let p = first_run(&[6.0, -1.0, 0.0, 1.0]).unwrap();
        let t = 6.0 / (4.0_f64 / 3.0).sqrt();
        assert!((p - (1.0 - t / (2.0 + t * t).sqrt())).abs() < 1e-12, "{p}");
    }
}
