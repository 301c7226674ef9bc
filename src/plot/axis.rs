//! A scale from values to places, with ticks at round numbers.

use crate::display::number::{fixed, signed};

/// A stretch of values on a stretch of the picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    /// Values at the ends.
    pub values: [f64; 2],
    /// Places of the ends.
    pub places: [f64; 2],
}

impl Axis {
    /// An axis over these values with some air at both ends, never empty.
    pub(super) fn around(low: f64, high: f64, places: [f64; 2]) -> Self {
        let size = low.abs().max(high.abs()).max(f64::MIN_POSITIVE);
        let air = (0.05 * (high - low)).max(1e-9 * size);
        Self { values: [low - air, high + air], places }
    }

    /// Where a value lies, held within the picture.
    pub(super) fn place(&self, value: f64) -> f64 {
        let [low, high] = self.values;
        let [from, to] = self.places;
        from + (to - from) * ((value - low) / (high - low)).clamp(0.0, 1.0)
    }

    /// Whether a value lies on it.
    pub(super) fn holds(&self, value: f64) -> bool {
        (self.values[0]..=self.values[1]).contains(&value)
    }

    /// Round values, `most` or fewer, with their text.
    pub(super) fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        self.ticks_with(most, fixed)
    }

    /// The same with signs.
    pub(super) fn signed_ticks(&self, most: usize) -> Vec<(f64, String)> {
        self.ticks_with(most, signed)
    }

    fn ticks_with(
        &self,
        most: usize,
        text: fn(f64, i32) -> String,
    ) -> Vec<(f64, String)> {
        let [low, high] = self.values;
        let (step, decimals) = step((high - low) / most.max(1) as f64);
        // An end that is a tick stays one when a division rounds it off.
        let slack = 1e-9;
        let (first, last) =
            ((low / step - slack).ceil(), (high / step + slack).floor());
        let count = (last - first).max(0.0) as usize;
        (0..=count.min(most))
            .map(|i| step * (first + i as f64))
            .map(|value| (value, text(value, decimals)))
            .collect()
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is no smaller than `least`, with
/// the decimal places it needs.
fn step(least: f64) -> (f64, i32) {
    let power = least.log10().floor();
    let unit = 10_f64.powf(power);
    let factor =
        [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * unit >= least * 0.999_999);
    let factor = factor.unwrap_or(10.0);
    let decimals = if factor == 10.0 { -(power as i32) - 1 } else { -(power as i32) };
    (factor * unit, decimals.max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(low: f64, high: f64) -> Vec<String> {
        let axis = Axis { values: [low, high], places: [0.0, 100.0] };
        axis.ticks(6).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_and_have_the_places_they_need() {
        assert_eq!(texts(-1.1, 2.4), ["−1", "0", "1", "2"]);
        assert_eq!(texts(0.0, 0.6), ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6"]);
        assert_eq!(
            texts(152.0, 155.0),
            ["152.0", "152.5", "153.0", "153.5", "154.0", "154.5", "155.0"]
        );
        assert_eq!(texts(0.0, 4500.0), ["0", "1000", "2000", "3000", "4000"]);
    }

    #[test]
    fn values_beyond_the_ends_stay_in_the_picture() {
        let axis = Axis { values: [0.0, 1.0], places: [100.0, 0.0] };
        assert_eq!(axis.place(0.25), 75.0);
        assert_eq!(axis.place(7.0), 0.0);
    }
}
