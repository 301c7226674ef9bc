//! Draws sorted once: quantiles, ranks and normal scores from the same order.

use ndarray::ArrayRef2;
use statrs::function::erf::erfc_inv;

/// Chains of equal length, one after another.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chains {
    length: usize,
    values: Vec<f64>,
}

impl Chains {
    /// Each chain cut in two, so that a drift within a chain shows as a difference
    /// between chains; the middle iteration of an odd number is left out.
    pub(super) fn split(draws: &ArrayRef2<f64>) -> Self {
        let length = draws.ncols() / 2;
        let mut values = Vec::with_capacity(2 * length * draws.nrows());
        for chain in draws.rows() {
            values.extend(chain.iter().take(length));
            values.extend(chain.iter().skip(chain.len() - length));
        }
        Self { length, values }
    }

    /// One chain, as it is.
    pub(super) fn one(values: &[f64]) -> Self {
        Self { length: values.len(), values: values.to_vec() }
    }

    /// The same chains with other values.
    fn map(&self, value: impl Fn(f64) -> f64) -> Self {
        let values = self.values.iter().map(|&old| value(old)).collect();
        Self { length: self.length, values }
    }

    /// Iterations of each chain.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Draws over all chains.
    pub(super) fn size(&self) -> usize {
        self.values.len()
    }

    /// The chains, one by one.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.length.max(1))
    }

    /// Whether all values are finite and not all are the same.
    pub(super) fn vary(&self) -> bool {
        self.values.iter().all(|value| value.is_finite())
            && self.values.iter().any(|&value| (value - self.values[0]).abs() > 0.0)
    }
}

/// The draws of one variable, none of them NaN, with their order.
#[derive(Debug, Clone)]
pub(super) struct Sorted {
    split: Chains,
    /// All draws in ascending order.
    ascending: Vec<f64>,
    /// The places in `split` in ascending order of their values.
    order: Vec<usize>,
}

impl Sorted {
    /// Sorts draws (chains × iterations); `None` where there are none or one is NaN.
    pub(super) fn of(draws: &ArrayRef2<f64>) -> Option<Self> {
        if draws.is_empty() || draws.iter().any(|draw| draw.is_nan()) {
            return None;
        }
        let split = Chains::split(draws);
        let mut places: Vec<(f64, usize)> =
            split.values.iter().copied().zip(0..).collect();
        if draws.ncols() % 2 == 1 {
            let middle = draws.column(draws.ncols() / 2);
            places.extend(middle.iter().map(|&draw| (draw, usize::MAX)));
        }
        places.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let ascending = places.iter().map(|place| place.0).collect();
        let order = places.into_iter().map(|place| place.1);
        let order = order.filter(|&place| place != usize::MAX).collect();
        Some(Self { split, ascending, order })
    }

    /// The same; `None` also where a draw is infinite.
    pub(super) fn finite(draws: &ArrayRef2<f64>) -> Option<Self> {
        Self::of(draws).filter(Self::is_finite)
    }

    /// Whether no draw is infinite.
    pub(super) fn is_finite(&self) -> bool {
        self.ascending[0].is_finite()
            && self.ascending[self.ascending.len() - 1].is_finite()
    }

    /// All draws in ascending order.
    pub(super) fn ascending(&self) -> &[f64] {
        &self.ascending
    }

    /// The split chains as normal scores of their ranks.
    pub(super) fn z_scale(&self) -> Chains {
        z_scale(&self.split, self.order.iter().copied())
    }

    /// The split chains of |x − median| as normal scores: they see a difference in
    /// spread. Vehtari et al. (2021), section 3.
    pub(super) fn folded_z_scale(&self) -> Chains {
        let median = quantile(&self.ascending, 0.5);
        let folded = self.split.map(|draw| (draw - median).abs());
        let order = order_of_folded(&self.order, &folded.values);
        z_scale(&folded, order.into_iter())
    }

    /// The split chains as 1 where the draw is at or below its quantile `p`, else 0.
    pub(super) fn below_quantile(&self, p: f64) -> Chains {
        let quantile = quantile(&self.ascending, p);
        self.split.map(|draw| f64::from(u8::from(draw <= quantile)))
    }
}

/// The order of |x − m|, from the order of x in linear time: the far ends of the sorted
/// values are the largest, so they are merged from outside in.
fn order_of_folded(order: &[usize], folded: &[f64]) -> Vec<usize> {
    let mut descending = Vec::with_capacity(order.len());
    let mut rest = order;
    while let ([low, ..], [.., high]) = (rest, rest) {
        if folded[*low] > folded[*high] {
            descending.push(*low);
            rest = &rest[1..];
        } else {
            descending.push(*high);
            rest = &rest[..rest.len() - 1];
        }
    }
    descending.reverse();
    descending
}

/// Φ⁻¹((r − 3/8) / (S + 1/4)) of the ranks r, ties at their average rank.
///
/// Vehtari et al. (2021), equation 14, with the offset of Blom (1958).
fn z_scale(chains: &Chains, order: impl ExactSizeIterator<Item = usize>) -> Chains {
    let size = order.len();
    let order: Vec<usize> = order.collect();
    let mut scores = vec![0.0; size];
    let mut first = 0;
    while first < size {
        let value = chains.values[order[first]];
        let rest = order[first..].iter();
        let ties = rest.take_while(|&&place| chains.values[place] <= value);
        let past = first + ties.count();
        // Ranks count from 1: the average of first + 1 … past.
        let rank = (first + 1 + past) as f64 / 2.0;
        let score = normal_score((rank - 0.375) / (size as f64 + 0.25));
        for &place in &order[first..past] {
            scores[place] = score;
        }
        first = past;
    }
    Chains { length: chains.length, values: scores }
}

/// The quantile of the standard normal distribution.
fn normal_score(p: f64) -> f64 {
    -std::f64::consts::SQRT_2 * erfc_inv(2.0 * p)
}

/// The quantile `p` of values in ascending order, never of none.
///
/// Type 7 of Hyndman & Fan (1996), the default of R and `NumPy`: linear between order
/// statistics, (n − 1)p from the first.
pub fn quantile(ascending: &[f64], p: f64) -> f64 {
    let position = (ascending.len() - 1) as f64 * p;
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the number of draws"
    )]
    let below = position.floor() as usize;
    let above = (below + 1).min(ascending.len() - 1);
    let share = position - below as f64;
    if share <= 0.0 || ascending[below] >= ascending[above] {
        return ascending[below];
    }
    (1.0 - share) * ascending[below] + share * ascending[above]
}
