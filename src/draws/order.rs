//! Order statistics of draws: quantiles, ranks, the shortest interval.

/// The quantile of sorted values by linear interpolation (Hyndman & Fan 1996, type 7,
/// the default of R and `NumPy`).
///
/// # Panics
/// Where there is no value.
pub fn quantile(sorted: &[f64], p: f64) -> f64 {
    let last = sorted.len() - 1;
    let at = p * last as f64;
    let below = (at.floor() as usize).min(last);
    let above = (below + 1).min(last);
    sorted[below] + (at - below as f64) * (sorted[above] - sorted[below])
}

/// The shortest interval that holds ⌈share · S⌉ of S sorted values; the first of equals.
///
/// # Panics
/// Where there is no value.
pub fn hdi(sorted: &[f64], share: f64) -> [f64; 2] {
    // 0.95 · 4000 is a hair above 3800 in binary.
    let held = ((share * sorted.len() as f64 - 1e-9).ceil() as usize).max(1);
    let mut best = [sorted[0], sorted[held - 1]];
    for interval in sorted.windows(held) {
        if interval[held - 1] - interval[0] < best[1] - best[0] {
            best = [interval[0], interval[held - 1]];
        }
    }
    best
}

/// Indices that sort the values.
pub(super) fn sorting(values: &[f64]) -> Vec<u32> {
    let count = u32::try_from(values.len()).expect("settings keep draws below 10⁸");
    let mut order: Vec<u32> = (0..count).collect();
    order.sort_unstable_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
    order
}

/// Ranks from 1; equal values share the mean of theirs. `order` sorts the values.
pub(super) fn ranks(values: &[f64], order: &[u32]) -> Vec<f64> {
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    let equal = |a: &u32, b: &u32| values[*a as usize] == values[*b as usize];
    for ties in order.chunk_by(equal) {
        let rank = before as f64 + f64::midpoint(1.0, ties.len() as f64);
        for &at in ties {
            ranks[at as usize] = rank;
        }
        before += ties.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_interpolate_between_neighbours() {
        // R 4.3: quantile(c(1, 2, 4, 8), c(0, .25, .5, 1), type = 7)
        let values = [1.0, 2.0, 4.0, 8.0];
        let quantiles = [0.0, 0.25, 0.5, 1.0].map(|p| quantile(&values, p));
        assert_eq!(quantiles, [1.0, 1.75, 3.0, 8.0]);
        assert_eq!(quantile(&[3.0], 0.4), 3.0);
    }

    #[test]
    fn the_hdi_is_the_shortest_interval_that_holds_its_share() {
        // Four of five values: from 1 to 4 is as wide as 3, from 0 to 3 as wide as 3;
        // the first counts.
        assert_eq!(hdi(&[0.0, 1.0, 2.0, 3.0, 4.0], 0.8), [0.0, 3.0]);
        assert_eq!(hdi(&[0.0, 5.0, 6.0, 7.0, 8.0], 0.8), [5.0, 8.0]);
        assert_eq!(hdi(&[1.0], 0.95), [1.0, 1.0]);
    }

    #[test]
    fn ties_share_their_mean_rank() {
        let values = [2.0, 1.0, 2.0, 3.0];
        assert_eq!(ranks(&values, &sorting(&values)), [2.5, 1.0, 2.5, 4.0]);
    }
}
