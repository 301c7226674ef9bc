//! The density of draws, smoothed by a Gaussian kernel.

/// Points at which it is known.
const POINTS: usize = 256;

/// A density over equally spaced values.
pub(super) struct Density {
    low: f64,
    step: f64,
    heights: Vec<f64>,
}

impl Density {
    /// `None` where the draws are all alike.
    ///
    /// The bandwidth is Silverman's (1986, equation 3.31): 0.9 min(SD, IQR/1.34) n^(−1/5).
    /// Draws are counted in columns first, so that millions cost no more than thousands.
    pub(super) fn of(sorted: &[f64], [low, high]: [f64; 2]) -> Option<Self> {
        let at = |p| crate::draws::quantile(sorted, p);
        let spread = (at(0.75) - at(0.25)) / 1.34;
        let bandwidth = 0.9 * spread * (sorted.len() as f64).powf(-0.2);
        let step = (high - low) / (POINTS - 1) as f64;
        if !(bandwidth > 0.0 && step > 0.0 && step.is_finite()) {
            return None;
        }
        let mut counts = vec![0.0; POINTS];
        for value in sorted {
            let column = ((value - low) / step).round();
            if (0.0..POINTS as f64).contains(&column) {
                counts[column as usize] += 1.0;
            }
        }
        let kernel = kernel((bandwidth / step).max(0.5));
        let heights = (0..POINTS).map(|i| weighted(&counts, i, &kernel)).collect();
        Some(Self { low, step, heights })
    }

    /// Its points, with heights between 0 and 1.
    pub(super) fn points(&self) -> Vec<(f64, f64)> {
        let highest = self.heights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let point = |(i, height): (usize, &f64)| {
            (self.low + self.step * i as f64, height / highest)
        };
        self.heights.iter().enumerate().map(point).collect()
    }
}

/// Weights at distances 0, 1, 2 … columns.
fn kernel(bandwidth: f64) -> Vec<f64> {
    let reach = (4.0 * bandwidth).ceil().min(POINTS as f64) as usize;
    (0..=reach).map(|d| (-0.5 * (d as f64 / bandwidth).powi(2)).exp()).collect()
}

fn weighted(counts: &[f64], at: usize, kernel: &[f64]) -> f64 {
    let from = at.saturating_sub(kernel.len() - 1);
    let to = (at + kernel.len()).min(counts.len());
    (from..to).map(|i| counts[i] * kernel[at.abs_diff(i)]).sum()
}
