//! The runs of one variant: finite, never empty, in order, grouped by invocation.

use std::sync::{Arc, OnceLock};

use super::BlockIds;
use super::unit::Conversion;
use crate::error::Error;
use crate::numerics;

/// The runs of one variant, one benchmark and one metric, in the order of measurement.
///
/// Never empty, and every value is finite. Runs out of one process, fork, boot or file
/// form an invocation. One column of numbers, 8 bytes a run, and as many again once they
/// are asked for in ascending order; copies share both.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    runs: Arc<Column>,
    /// Where each invocation ends, as an index into `runs`; the last is `runs.len()`.
    ends: Vec<usize>,
    resolution: f64,
    /// The block of each run.
    blocks: Option<BlockIds>,
}

#[derive(Debug)]
struct Column {
    in_order: Vec<f64>,
    ascending: OnceLock<Vec<f64>>,
}

impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        self.in_order == other.in_order
    }
}

impl Sample {
    /// Runs of one invocation. The resolution is that of the values' shortest decimal
    /// form; [`Sample::with_resolution`] states another.
    ///
    /// # Errors
    /// When there is no run, or one is not finite.
    pub fn new(runs: Vec<f64>) -> Result<Self, Error> {
        Self::from_invocations(vec![runs])
    }

    /// Runs of several invocations, in order. Empty invocations are left out.
    ///
    /// # Errors
    /// When there is no run, or one is not finite.
    pub fn from_invocations(invocations: Vec<Vec<f64>>) -> Result<Self, Error> {
        let mut sample = Self::from_printed(invocations, 0.0)?;
        sample.resolution = finest_resolution(sample.runs().iter().copied());
        Ok(sample)
    }

    /// Runs of several invocations whose last decimal place was seen as they were read.
    ///
    /// # Errors
    /// When there is no run, or one is not finite.
    pub fn from_printed(
        invocations: Vec<Vec<f64>>,
        resolution: f64,
    ) -> Result<Self, Error> {
        let mut ends = Vec::with_capacity(invocations.len());
        let mut runs: Vec<f64> = Vec::new();
        for invocation in invocations.into_iter().filter(|runs| !runs.is_empty()) {
            if runs.is_empty() {
                runs = invocation;
            } else {
                runs.extend(invocation);
            }
            ends.push(runs.len());
        }
        if runs.is_empty() {
            return Err(Error::new("there are no runs"));
        }
        if let Some(value) = runs.iter().find(|value| !value.is_finite()) {
            return Err(Error::new(format!(
                "a run must be a finite number, not `{value}`"
            )));
        }
        let runs = Column { in_order: runs, ascending: OnceLock::new() };
        Ok(Self { runs: Arc::new(runs), ends, resolution, blocks: None })
    }

    /// States the width of the last decimal place as printed, in the unit of the runs.
    #[must_use]
    pub fn with_resolution(mut self, resolution: f64) -> Self {
        debug_assert!(resolution.is_finite() && resolution >= 0.0);
        self.resolution = resolution;
        self
    }

    /// States which block each run belongs to.
    #[must_use]
    pub fn with_blocks(mut self, blocks: BlockIds) -> Self {
        debug_assert_eq!(blocks.len(), self.len());
        self.blocks = Some(blocks);
        self
    }

    /// The block of each run, in order, where the input names blocks.
    pub fn blocks(&self) -> Option<&BlockIds> {
        self.blocks.as_ref()
    }

    /// All runs, in order.
    pub fn runs(&self) -> &[f64] {
        &self.runs.in_order
    }

    /// All runs, the smallest first; sorted when first asked for.
    pub fn ascending(&self) -> &[f64] {
        self.runs.ascending.get_or_init(|| {
            let mut runs = self.runs().to_vec();
            runs.sort_unstable_by(f64::total_cmp);
            runs
        })
    }

    /// How many runs; at least one.
    #[allow(clippy::len_without_is_empty, reason = "a sample is never empty")]
    pub fn len(&self) -> usize {
        self.runs().len()
    }

    /// The runs of each invocation, in order.
    pub fn invocations(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.ends.iter().enumerate().map(|(i, &end)| {
            let start = if i == 0 { 0 } else { self.ends[i - 1] };
            &self.runs()[start..end]
        })
    }

    /// The width of the last decimal place as printed, in the unit of the runs.
    pub fn resolution(&self) -> f64 {
        self.resolution
    }

    /// Number, mean and spread of the runs.
    pub fn moments(&self) -> Moments {
        Moments::of(self.runs())
    }
}

/// Number, mean and sum of squared deviations: all that a normal likelihood needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// How many values; at least one.
    pub n: usize,
    /// Their arithmetic mean, in the unit of the values.
    pub mean: f64,
    /// The sum of squared deviations from the mean, in the unit squared.
    pub sum_of_squares: f64,
}

impl Moments {
    /// Those of some values; never of none.
    pub fn of(values: &[f64]) -> Self {
        let mean = numerics::mean(values);
        let sum_of_squares = numerics::sum_of_squares(values, mean);
        Self { n: values.len(), mean, sum_of_squares }
    }

    /// The sample variance, with n − 1; `None` for one value.
    pub fn variance(&self) -> Option<f64> {
        (self.n > 1).then(|| self.sum_of_squares / (self.n - 1) as f64)
    }

    /// The sample standard deviation, with n − 1; `None` for one value.
    pub fn sd(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// Those of both groups of values together.
    #[must_use]
    pub fn together(&self, other: &Self) -> Self {
        let n = self.n + other.n;
        let share = other.n as f64 / n as f64;
        let apart = other.mean - self.mean;
        Self {
            n,
            mean: self.mean + share * apart,
            sum_of_squares: self.sum_of_squares
                + other.sum_of_squares
                + apart * apart * self.n as f64 * share,
        }
    }
}

/// Summary statistics, when no runs were kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    n: usize,
    mean: f64,
    sd: f64,
    stated_as_sd: bool,
}

impl Summary {
    /// From the number of runs, their mean and their standard deviation.
    ///
    /// # Errors
    /// When n is below 2, the mean is not finite, or the SD is not above 0.
    pub fn new(n: usize, mean: f64, sd: f64) -> Result<Self, Error> {
        if n < 2 {
            return Err(Error::new(format!(
                "a summary needs n of 2 or more, not `{n}`"
            ))
            .with_hint("one run has no SD: give the run itself in a file"));
        }
        if !mean.is_finite() {
            return Err(Error::new(format!("the mean must be a number, not `{mean}`")));
        }
        if !(sd.is_finite() && sd > 0.0) {
            return Err(Error::new(format!("the SD must be above 0, not `{sd}`")).with_hint(
                "a published SD of 0 is a rounded one: give half of its last decimal place",
            ));
        }
        Ok(Self { n, mean, sd, stated_as_sd: false })
    }

    /// The same, of which a person said that its spread is the SD of single runs; where a
    /// format says so there is nothing to doubt.
    #[must_use]
    pub fn stated_as_sd(self) -> Self {
        Self { stated_as_sd: true, ..self }
    }

    /// The same in another unit.
    pub(super) fn converted(self, to: Conversion) -> Result<Self, Error> {
        let converted = Self::new(self.n, to.apply(self.mean), to.apply(self.sd))?;
        Ok(Self { stated_as_sd: self.stated_as_sd, ..converted })
    }

    /// Whether a person gave the spread as the SD of single runs, which a source that
    /// says `±` may not have meant.
    pub fn is_stated_as_sd(&self) -> bool {
        self.stated_as_sd
    }

    /// Number, mean and spread.
    pub fn moments(&self) -> Moments {
        let sum_of_squares = self.sd * self.sd * (self.n - 1) as f64;
        Moments { n: self.n, mean: self.mean, sum_of_squares }
    }
}

/// What was measured of one variant: runs, or a summary of runs that were not kept.
#[derive(Debug, Clone, PartialEq)]
pub enum Measurements {
    /// The runs themselves.
    Runs(Sample),
    /// Number, mean and SD.
    Summary(Summary),
}

impl Measurements {
    /// Number, mean and spread of the runs.
    pub fn moments(&self) -> Moments {
        match self {
            Self::Runs(sample) => sample.moments(),
            Self::Summary(summary) => summary.moments(),
        }
    }

    /// The runs, where they were kept.
    pub fn sample(&self) -> Option<&Sample> {
        match self {
            Self::Runs(sample) => Some(sample),
            Self::Summary(_) => None,
        }
    }
}

/// The width of the last decimal place of the shortest text that reads back as `value`.
///
/// Zero says nothing of its places: as 1, the width of its only digit.
pub fn shortest_resolution(value: f64) -> f64 {
    width_of_place(decimal_places(value))
}

/// The finest of [`shortest_resolution`] among values; without any the largest number.
pub fn finest_resolution(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut finest = None;
    let mut places_in_one = f64::NAN;
    for value in values {
        if !fits(value, places_in_one) {
            finest = finest.max(Some(decimal_places(value)));
            places_in_one = finest.and_then(exact_power).unwrap_or(f64::NAN);
        }
    }
    finest.map_or(f64::MAX, width_of_place)
}

/// How many places behind the decimal point the shortest text has that reads back as
/// `value`.
fn decimal_places(value: f64) -> u32 {
    let text = format!("{value:e}");
    let Some((mantissa, exponent)) = text.split_once('e') else { return 0 };
    let places = mantissa.split_once('.').map_or(0, |(_, places)| places.len());
    let places = i32::try_from(places).unwrap_or(i32::MAX);
    // Trailing zeros of a whole number are digits as measured: 1200 is to the unit.
    (places - exponent.parse::<i32>().unwrap_or(0)).max(0).unsigned_abs()
}

fn width_of_place(places: u32) -> f64 {
    format!("1e-{places}").parse().unwrap_or(f64::MIN_POSITIVE)
}

/// The power of ten that is a number without rounding.
fn exact_power(places: u32) -> Option<f64> {
    (places <= 22).then(|| format!("1e{places}").parse().ok()).flatten()
}

/// Whether so many decimal places, of which `power` make one, are surely enough to write
/// `value`; quick, and `false` where it cannot tell.
///
/// A whole number below 2⁵³ and the power are exact, so their quotient is rounded as the
/// text with that many places would be; where it is `value`, no shortest text has more.
fn fits(value: f64, power: f64) -> bool {
    const EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
    let whole = (value * power).round();
    whole.abs() < EXACT && whole / power == value
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{finest_resolution, shortest_resolution};

    fn one_by_one(values: &[f64]) -> f64 {
        values.iter().map(|value| shortest_resolution(*value)).fold(f64::MAX, f64::min)
    }

    proptest! {
        #[test]
        fn the_finest_resolution_is_that_of_the_value_with_most_places(
            values in prop::collection::vec(
                prop_oneof![
                    (any::<i32>(), 0_i32..30).prop_map(|(whole, places)| {
                        format!("{whole}e-{places}").parse::<f64>().expect("a number")
                    }),
                    any::<f64>().prop_filter("finite", |value| value.is_finite()),
                ],
                0..20,
            )
        ) {
            prop_assert_eq!(finest_resolution(values.iter().copied()), one_by_one(&values));
        }
    }

    #[test]
    fn the_places_of_the_shortest_text_count() {
        let places =
            [(0.1, 0.1), (0.25, 0.01), (1200.0, 1.0), (0.0, 1.0), (1.5e-9, 1e-10)];
        for (value, width) in places {
            assert_eq!(shortest_resolution(value), width, "{value}");
            assert_eq!(finest_resolution([value, 0.0, value]), width, "{value}");
        }
        // Far from exact: 3 × 0.1 needs seventeen digits.
        assert_eq!(finest_resolution([0.1, 3.0 * 0.1]), 1e-17);
    }
}
