//! Runs whose neighbours are alike, in batches that are not.

use super::checks::SUSPECT;
use crate::data::{Measurements, Sample, Variant};
use crate::draws::time_of_series;
use crate::error::Error;
use crate::frequentist;
use crate::warning::Warning;

/// Fewest runs whose autocorrelation is looked at.
const FEWEST: usize = 20;

/// Autocorrelation time above which neighbours are alike.
const LONG: f64 = 1.5;

/// Batches are this many autocorrelation times long, or longer.
const TIMES: f64 = 2.0;

/// Fewer batches say too little of their own spread.
const FEWEST_BATCHES: usize = 10;

/// What becomes of two variants whose runs stand in the order of measurement.
#[derive(Debug, Clone, Default)]
pub(super) struct Batches {
    /// The variants with batches for invocations, where they are needed.
    pub variants: Option<[Variant; 2]>,
    /// Whether they are needed and the runs are too few.
    pub too_few: bool,
    /// For each variant whose neighbours are alike.
    pub warnings: Vec<Warning>,
}

impl Batches {
    /// # Errors
    /// Never, since batches of runs are runs.
    pub(super) fn of(variants: [&Variant; 2]) -> Result<Self, Error> {
        let times = variants.map(autocorrelation_time);
        let Some(longest) = times.iter().flatten().copied().reduce(f64::max) else {
            return Ok(Self::default());
        };
        let length = (TIMES * longest).ceil() as usize;
        let fits = |variant: &Variant| variant.measurements.moments().n / length;
        let too_few = variants
            .iter()
            .zip(&times)
            .any(|(variant, time)| time.is_some() && fits(variant) < FEWEST_BATCHES);
        let warning = |(variant, time): (&&Variant, &Option<f64>)| {
            Some(Warning::Autocorrelated {
                label: variant.label.clone(),
                time: (*time)?,
                batches: (!too_few).then(|| (fits(variant), length)),
                needed: length * FEWEST_BATCHES,
            })
        };
        let warnings = variants.iter().zip(&times).filter_map(warning).collect();
        if too_few {
            return Ok(Self { variants: None, too_few, warnings });
        }
        let batched = |variant: &Variant| {
            let whole = fits(variant) >= FEWEST_BATCHES;
            in_batches(variant, if whole { length } else { 1 })
        };
        let variants = Some([batched(variants[0])?, batched(variants[1])?]);
        Ok(Self { variants, too_few, warnings })
    }
}

/// That of the runs in their order, where neighbours are alike beyond chance.
fn autocorrelation_time(variant: &Variant) -> Option<f64> {
    let runs = variant.measurements.sample().filter(|one| one.len() >= FEWEST)?.runs();
    let alike = frequentist::neighbours_alike(runs)? < SUSPECT;
    alike.then(|| time_of_series(runs)).flatten().filter(|time| *time > LONG)
}

/// The same runs, `length` of them an invocation; the last takes what remains.
fn in_batches(variant: &Variant, length: usize) -> Result<Variant, Error> {
    let Measurements::Runs(sample) = &variant.measurements else {
        return Ok(variant.clone());
    };
    let runs = sample.runs();
    let count = (runs.len() / length).max(1);
    let batch = |at: usize| {
        let end = if at + 1 == count { runs.len() } else { (at + 1) * length };
        runs[at * length..end].to_vec()
    };
    let invocations = (0..count).map(batch).collect();
    let sample = Sample::from_printed(invocations, sample.resolution())?;
    Ok(Variant { measurements: Measurements::Runs(sample), ..variant.clone() })
}
