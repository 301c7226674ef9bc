//! Sums and special functions that keep their digits.

pub mod beta;
pub mod gamma;
pub mod newton;
pub mod noncentral_t;
pub mod normal;
pub mod student_t;
pub mod trapezoid;

/// The arithmetic mean, in two passes.
///
/// The second pass adds the mean of the residuals, which removes the rounding of the
/// first: 1e9 plus small keeps its small part. `NaN` for no values.
pub fn mean(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let first = values.iter().sum::<f64>() / n;
    first + values.iter().map(|value| value - first).sum::<f64>() / n
}

/// The distinct values of two lists, each in ascending order, from the smallest on, with how
/// often each list has it.
pub fn tied(lists: [&[f64]; 2]) -> impl Iterator<Item = (f64, [usize; 2])> {
    let mut rest = lists;
    std::iter::from_fn(move || {
        let firsts = rest.iter().filter_map(|values| values.first()).copied();
        let value = firsts.reduce(f64::min)?;
        let counts = rest.each_mut().map(|values| {
            let count = values.iter().take_while(|one| **one <= value).count();
            *values = &values[count..];
            count
        });
        Some((value, counts))
    })
}

/// The sum of squared deviations from `mean`, with the correction of Chan, Golub &
/// `LeVeque` (1983), equation 1.7, for a mean that is rounded.
pub fn sum_of_squares(values: &[f64], mean: f64) -> f64 {
    let (squares, residual) =
        values.iter().fold((0.0, 0.0), |(squares, residual), value| {
            let deviation = value - mean;
            (squares + deviation * deviation, residual + deviation)
        });
    (squares - residual * residual / values.len() as f64).max(0.0)
}

/// The logarithm of a sum of exponentials, without overflow; −∞ for none.
pub fn log_sum_exp(logs: &[f64]) -> f64 {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest.is_infinite() {
        return largest;
    }
    largest + logs.iter().map(|log| (log - largest).exp()).sum::<f64>().ln()
}
