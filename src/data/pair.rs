//! The baseline and one candidate, with the statistics that priors may name.

use super::{Measurements, Moments, Sample};
use crate::error::Error;
use crate::numerics;

/// A pair of variants of one series, in one unit, as a model sees it.
///
/// Data statistics come from these two alone, so that a third variant changes nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair<'a> {
    /// What the user calls them: baseline, candidate.
    pub labels: [&'a str; 2],
    /// What was measured: baseline, candidate.
    pub measurements: [&'a Measurements; 2],
    /// Number, mean and spread of each.
    pub moments: [Moments; 2],
    /// The width of the last decimal place; 0 for two summaries.
    pub resolution: f64,
}

/// Share of the runs that repeat another's value from which ties, not the printed
/// places, tell the resolution.
const TIED_SHARE: f64 = 0.3;

impl<'a> Pair<'a> {
    /// Puts two variants side by side.
    ///
    /// # Errors
    /// When each has one run only, or nothing varies and no resolution is known.
    pub fn new(
        labels: [&'a str; 2],
        measurements: [&'a Measurements; 2],
    ) -> Result<Self, Error> {
        let moments = measurements.map(Measurements::moments);
        if moments.iter().all(|moments| moments.n == 1) {
            return Err(Error::new("each variant has one run only").with_hint(
                "measure each variant at least twice: one run says nothing about noise",
            ));
        }
        let resolution = resolution(measurements);
        let pair = Self { labels, measurements, moments, resolution };
        if pair.sd_within() > 0.0 {
            return Ok(pair);
        }
        Err(Error::new("all runs are equal and their resolution is not known")
            .with_hint("state the resolution of the measurement"))
    }

    /// Mean of all runs together.
    pub fn grand_mean(&self) -> f64 {
        self.moments[0].together(&self.moments[1]).mean
    }

    /// Pooled SD within variants, at least that of rounding.
    pub fn sd_within(&self) -> f64 {
        let squares: f64 =
            self.moments.iter().map(|moments| moments.sum_of_squares).sum();
        let freedom = self.moments[0].n + self.moments[1].n - 2;
        (squares / freedom as f64).sqrt().max(self.rounding_sd())
    }

    /// The largest of: the SD of all runs together, the distance of each variant's mean
    /// from the grand mean, the SD of rounding.
    ///
    /// The distances keep three runs beside 10⁵ from being shrunk.
    pub fn sd_all(&self) -> f64 {
        let all = self.moments[0].together(&self.moments[1]);
        self.moments
            .iter()
            .map(|moments| (moments.mean - all.mean).abs())
            .chain(all.sd())
            .fold(self.rounding_sd(), f64::max)
    }

    /// Pooled SD within invocations of two runs or more, at least that of rounding;
    /// `None` where no invocation has two.
    pub fn sd_within_invocations(&self) -> Option<f64> {
        let samples = self.measurements.iter().filter_map(|measured| measured.sample());
        let (mut squares, mut freedom) = (0.0, 0);
        for runs in samples.flat_map(super::Sample::invocations) {
            squares += Moments::of(runs).sum_of_squares;
            freedom += runs.len() - 1;
        }
        (freedom > 0).then(|| (squares / freedom as f64).sqrt().max(self.rounding_sd()))
    }

    /// Pooled SD of the means of invocations, at least that of rounding; `None` where
    /// no variant has two invocations.
    pub fn sd_between(&self) -> Option<f64> {
        let samples = self.measurements.iter().filter_map(|measured| measured.sample());
        let (mut squares, mut freedom) = (0.0, 0);
        for sample in samples {
            let means: Vec<f64> =
                sample.invocations().map(crate::numerics::mean).collect();
            squares += Moments::of(&means).sum_of_squares;
            freedom += means.len() - 1;
        }
        (freedom > 0).then(|| (squares / freedom as f64).sqrt().max(self.rounding_sd()))
    }

    /// SD of rounding to the resolution: that of a uniform distribution so wide.
    pub fn rounding_sd(&self) -> f64 {
        self.resolution / 12_f64.sqrt()
    }
}

/// The last decimal place as printed, or the smallest gap between distinct values where
/// many runs are tied and that is larger.
fn resolution(measurements: [&Measurements; 2]) -> f64 {
    let samples = measurements.map(Measurements::sample);
    let printed = samples.iter().flatten().map(|sample| sample.resolution());
    let Some(printed) = printed.reduce(f64::min) else { return 0.0 };
    let ascending = |v: usize| samples[v].map_or(&[][..], Sample::ascending);
    let (baseline, candidate) = rayon::join(|| ascending(0), || ascending(1));
    smallest_gap_where_tied(baseline, candidate).map_or(printed, |gap| gap.max(printed))
}

/// Of runs in ascending order, those of both variants together.
fn smallest_gap_where_tied(baseline: &[f64], candidate: &[f64]) -> Option<f64> {
    let mut tied = 0;
    let mut smallest: Option<f64> = None;
    let mut last: Option<f64> = None;
    for (value, counts) in numerics::tied([baseline, candidate]) {
        let equal = counts[0] + counts[1];
        if equal > 1 {
            tied += equal;
        }
        if let Some(last) = last.replace(value) {
            let gap = value - last;
            smallest = Some(smallest.map_or(gap, |smallest| smallest.min(gap)));
        }
    }
    let share = tied as f64 / (baseline.len() + candidate.len()) as f64;
    smallest.filter(|_| share >= TIED_SHARE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Sample, Summary};

    fn runs(values: &[f64]) -> Measurements {
        Measurements::Runs(Sample::new(values.to_vec()).unwrap())
    }

    fn pair_of<'a>(
        a: &'a Measurements,
        b: &'a Measurements,
    ) -> Result<Pair<'a>, Error> {
        Pair::new(["a", "b"], [a, b])
    }

    #[test]
    fn few_ties_leave_the_printed_resolution() {
        let (a, b) = (runs(&[1.1, 1.3, 1.5, 1.7]), runs(&[2.1, 2.1, 2.5, 2.7]));
        let pair = pair_of(&a, &b).unwrap();
        assert!((pair.resolution - 0.1).abs() < 1e-15);
    }

    #[test]
    fn many_ties_tell_a_coarser_resolution_than_the_one_printed() {
        // A timer of 16 ms steps, printed to the microsecond.
        let (a, b) = (runs(&[0.016_001, 0.016_001, 0.032_001]), runs(&[0.032_001; 3]));
        let pair = pair_of(&a, &b).unwrap();
        assert!((pair.resolution - 0.016).abs() < 1e-15);
    }

    #[test]
    fn three_far_runs_beside_many_widen_the_spread_of_all() {
        // 10^5 runs at 100, three at 200: |200 − grand mean| is 99.997.
        let many = Measurements::Summary(Summary::new(100_000, 100.0, 1.0).unwrap());
        let few = Measurements::Summary(Summary::new(3, 200.0, 1.0).unwrap());
        let pair = pair_of(&many, &few).unwrap();
        assert!((pair.sd_all() - (200.0 - (1e7 + 600.0) / 100_003.0)).abs() < 1e-9);
    }

    #[test]
    fn constant_runs_have_the_spread_of_their_last_digit() {
        let (a, b) = (runs(&[67.0; 5]), runs(&[67.0; 5]));
        let pair = pair_of(&a, &b).unwrap();
        assert!((pair.sd_within() - 1.0 / 12_f64.sqrt()).abs() < 1e-15);
    }
}
