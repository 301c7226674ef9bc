//! Newton's method that never leaves its bracket.

/// Where an increasing function crosses zero between `low` and `high`.
///
/// `f` gives value and slope. A step that would leave the bracket is replaced by its
/// bisection, so that any start and any slope will do; near the root the steps are
/// Newton's, and the search ends with the first one below 1e-13.
pub fn increasing_root(
    f: impl Fn(f64) -> (f64, f64),
    bracket: [f64; 2],
    start: f64,
) -> f64 {
    let [mut low, mut high] = bracket;
    let mut x = start.clamp(low, high);
    // Bisection alone needs some 60 steps; more means that two neighbours alternate.
    for _ in 0..200 {
        let (value, slope) = f(x);
        if value > 0.0 {
            high = x;
        } else {
            low = x;
        }
        let newton = x - value / slope;
        let next = if newton >= low && newton <= high {
            newton
        } else {
            f64::midpoint(low, high)
        };
        let step = (next - x).abs();
        x = next;
        if step <= 1e-13 * x.abs().max(1.0) {
            break;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_without_slope_still_finds_the_root() {
        // x³ = 8, from 0 where Newton's step is infinite.
        let root =
            increasing_root(|x| (x.powi(3) - 8.0, 3.0 * x * x), [-5.0, 100.0], 0.0);
        assert!((root - 2.0).abs() < 1e-14, "{root}");
    }
}
