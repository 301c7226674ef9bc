//! The effective sample size of chains, from their autocovariances lag by lag.

use std::f64::consts::TAU;

use super::sorted::Chains;
use crate::numerics;

/// Lags summed directly before the rest is taken from a Fourier transform.
///
/// Chains that mix well need fewer lags than this, and sums are then the faster way;
/// without the transform, one bad chain of 10⁴ draws would take 10⁸ multiplications.
const DIRECT_LAGS: usize = 64;

/// Fewer iterations than this leave no pair of lags behind the first to look at: the
/// loop of R's `posterior` ends five lags before the end of the chain.
const SHORTEST: usize = 6;

/// The effective sample size of the mean of chains.
///
/// Vehtari et al. (2021), equations 10 to 13, with Geyer's (1992) initial monotone
/// sequence. `None` for constant or non-finite values and for chains below six draws.
pub(super) fn ess(chains: &Chains) -> Option<f64> {
    if chains.length() < SHORTEST || !chains.vary() {
        return None;
    }
    let mut autocovariance = Autocovariance::of(chains);
    let n = chains.length() as f64;
    let within = autocovariance.at(0) * n / (n - 1.0);
    let total = autocovariance.at(0) + variance(&autocovariance.means);
    if !total.is_normal() {
        return None; // squares of 1e-200 and 1e200 are no numbers to divide by
    }
    let time = autocorrelation_time(chains.length(), |lag| {
        1.0 - (within - autocovariance.at(lag)) / total
    });
    let size = chains.size() as f64;
    // The bound is that of Vehtari et al. (2021), section 4: antithetic chains give no
    // more than S·log10(S).
    let ess = size / time.max(1.0 / size.log10());
    ess.is_finite().then_some(ess)
}

/// The autocorrelation time of one series, in steps: 1 where they are independent.
///
/// Geyer's (1992) initial monotone sequence. `None` for constant or non-finite values and
/// below six of them.
pub fn time_of_series(values: &[f64]) -> Option<f64> {
    let chain = Chains::one(values);
    if chain.length() < SHORTEST || !chain.vary() {
        return None;
    }
    let mut autocovariance = Autocovariance::of(&chain);
    let variance = autocovariance.at(0);
    let time =
        autocorrelation_time(chain.length(), |lag| autocovariance.at(lag) / variance);
    time.is_finite().then_some(time)
}

/// τ = −1 + 2 Σ ρ over the pairs of lags that Geyer's sequences keep.
///
/// Initial positive sequence: until a pair's sum is no longer positive. Initial
/// monotone sequence: no pair counts more than one before it. The last even lag is
/// added once, which lowers the variance for antithetic chains.
fn autocorrelation_time(length: usize, mut rho: impl FnMut(usize) -> f64) -> f64 {
    let (mut lag, mut even, mut pair) = (0, 1.0, 1.0 + rho(1));
    let (mut sum, mut least) = (0.0, f64::INFINITY);
    while lag + 5 < length && pair > 0.0 {
        least = pair.min(least);
        sum += least;
        lag += 2;
        even = rho(lag);
        pair = even + rho(lag + 1);
    }
    let last = if even > 0.0 || pair >= 0.0 { even } else { 0.0 };
    -1.0 + 2.0 * sum + last
}

/// The variance of some values, with n − 1; 0 for one.
pub(super) fn variance(values: &[f64]) -> f64 {
    let squares = numerics::sum_of_squares(values, numerics::mean(values));
    squares / (values.len() - 1).max(1) as f64
}

/// Autocovariances averaged over chains, each computed when it is first wanted.
///
/// With 1/n at every lag ("biased"), as Geyer (1992) recommends.
struct Autocovariance {
    length: usize,
    means: Vec<f64>,
    centred: Vec<Vec<f64>>,
    transformed: Option<Vec<f64>>,
}

impl Autocovariance {
    fn of(chains: &Chains) -> Self {
        let means: Vec<f64> = chains.iter().map(numerics::mean).collect();
        let centred = chains.iter().zip(&means);
        let centred = centred
            .map(|(chain, mean)| chain.iter().map(|value| value - mean).collect())
            .collect();
        Self { length: chains.length(), means, centred, transformed: None }
    }

    fn at(&mut self, lag: usize) -> f64 {
        let sum = if lag < DIRECT_LAGS {
            self.centred.iter().map(|chain| dot(chain, &chain[lag..])).sum()
        } else {
            self.transformed.get_or_insert_with(|| lagged_products(&self.centred))[lag]
        };
        sum / (self.length * self.centred.len()) as f64
    }
}

/// Σ aᵢbᵢ over the shorter of the two, in four sums that do not wait for each other.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let a = &a[..b.len()];
    let mut sums = [0.0; 4];
    let (a_fours, b_fours) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 =
        a_fours.remainder().iter().zip(b_fours.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a_fours.zip(b_fours) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// Σ xᵢxᵢ₊ₖ for every lag k, summed over chains, by the Wiener–Khinchin theorem.
///
/// Two chains share one transform as its real and imaginary parts: the real part of
/// the transform of |z|² holds the sum of both.
fn lagged_products(chains: &[Vec<f64>]) -> Vec<f64> {
    let length = chains.iter().map(Vec::len).max().unwrap_or(0);
    // Zeros behind the values keep the circular products apart.
    let size = (2 * length).next_power_of_two();
    let mut power = vec![0.0; size];
    for pair in chains.chunks(2) {
        let mut re = padded(Some(&pair[0]), size);
        let mut im = padded(pair.get(1), size);
        fourier(&mut re, &mut im);
        for (power, (re, im)) in power.iter_mut().zip(re.iter().zip(&im)) {
            *power += re * re + im * im;
        }
    }
    let mut im = vec![0.0; size];
    fourier(&mut power, &mut im);
    power.truncate(length);
    power.into_iter().map(|sum| sum / size as f64).collect()
}

fn padded(values: Option<&Vec<f64>>, size: usize) -> Vec<f64> {
    let mut padded = values.cloned().unwrap_or_default();
    padded.resize(size, 0.0);
    padded
}

/// The discrete Fourier transform in place; the length is a power of two.
///
/// Cooley & Tukey (1965), radix 2: bit reversal, then butterflies of doubling width.
fn fourier(re: &mut [f64], im: &mut [f64]) {
    let size = re.len();
    for place in 0..size {
        let mirrored = place.reverse_bits() >> (usize::BITS - size.trailing_zeros());
        if place < mirrored {
            re.swap(place, mirrored);
            im.swap(place, mirrored);
        }
    }
    let turns: Vec<(f64, f64)> =
        (0..size / 2).map(|k| (-TAU * k as f64 / size as f64).sin_cos()).collect();
    let mut half = 1;
    while half < size {
        for start in (0..size).step_by(2 * half) {
            for k in 0..half {
                let (sin, cos) = turns[k * (size / (2 * half))];
                let (low, high) = (start + k, start + k + half);
                let (r, i) =
                    (re[high] * cos - im[high] * sin, re[high] * sin + im[high] * cos);
                (re[high], im[high]) = (re[low] - r, im[low] - i);
                (re[low], im[low]) = (re[low] + r, im[low] + i);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transform_gives_the_same_sums_as_multiplication() {
        let chain = |seed: u64| -> Vec<f64> {
            (0..150).map(|i| ((i * i * seed) % 101) as f64 / 10.0 - 5.0).collect()
        };
        // An odd number of chains: the last has no partner in its transform.
        let chains = [chain(3), chain(7), chain(11)];
        let transformed = lagged_products(&chains);
        assert_eq!(transformed.len(), 150);
        for (lag, sum) in transformed.iter().enumerate() {
            let direct: f64 =
                chains.iter().map(|chain| dot(chain, &chain[lag..])).sum();
            // Sums of 450 products up to 25, in double precision.
            assert!((sum - direct).abs() < 1e-9, "lag {lag}: {sum} and {direct}");
        }
    }

    #[test]
    fn four_sums_add_up_to_the_product_whatever_the_length() {
        let values: Vec<f64> = (1..=7).map(f64::from).collect();
        for lag in 0..7 {
            let plain: f64 =
                values.iter().zip(&values[lag..]).map(|(a, b)| a * b).sum();
            let sum = dot(&values, &values[lag..]);
            assert!((sum - plain).abs() < 0.5, "{sum} and {plain}"); // whole numbers
        }
    }
}
