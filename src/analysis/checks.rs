//! Does the model fit what was measured? Each misfit is a warning with what to do.
//!
//! A check needs ten values and a p value below [`SUSPECT`], so that comparisons of
//! thirty runs that fit carry a warning in fewer than one case in ten.

use super::TestUnit;
use super::prepared::Prepared;
use crate::data::{Measurements, Pair, Sample, unit};
use crate::frequentist;
use crate::model::{LOGNORMAL, PAIRED};
use crate::warning::{Misfit, Warning};

/// Fewest values that a check looks at.
const FEWEST: usize = 10;

/// Below this p a check fails.
pub(super) const SUSPECT: f64 = 0.005;

/// Skewness and excess kurtosis below these matter to no mean, however many the runs.
const SLIGHT_SKEWNESS: f64 = 0.5;
const SLIGHT_KURTOSIS: f64 = 1.0;

/// A dip below this is no second mode that anybody would see.
const SLIGHT_DIP: f64 = 0.02;

/// Runs below which the tails of a Student-t model are mostly prior.
const FEWEST_FOR_TAILS: usize = 10;

/// From this share of equal runs on, a Student-t distribution collapses onto them.
const COLLAPSING: f64 = 0.5;

/// All checks of one comparison.
pub(super) fn checks(
    prepared: &Prepared,
    pair: &Pair<'_>,
    unit: Option<&str>,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for (v, variant) in prepared.variants.iter().enumerate() {
        let Some(sample) = variant.measurements.sample() else { continue };
        let label = &variant.label;
        warnings.extend(of_order(label, in_order(prepared, v, sample)));
        if is_coarse(sample, pair, unit) {
            warnings.push(Warning::ManyTies { label: label.clone() });
        }
        if prepared.model.likelihood == "student_t" {
            warnings.extend(of_tails(label, sample));
        }
    }
    warnings.extend(of_shape(prepared, pair));
    warnings
}

/// The runs of one invocation, or one value for each of several.
fn in_order<'a>(prepared: &'a Prepared, v: usize, sample: &'a Sample) -> &'a [f64] {
    match &prepared.tested[v] {
        Measurements::Runs(means) if sample.invocations().len() > 1 => means.runs(),
        _ => sample.runs(),
    }
}

fn of_order(label: &str, runs: &[f64]) -> Option<Warning> {
    let suspect = |p: Option<f64>| p.is_some_and(|p| p < SUSPECT);
    if runs.len() < FEWEST {
        return None;
    }
    if suspect(frequentist::first_run(runs)) {
        return Some(Warning::WarmUp { label: label.to_owned() });
    }
    suspect(frequentist::drift(runs))
        .then(|| Warning::Drift { label: label.to_owned() })
}

/// Whether runs scatter by less than the step in which they are measured; counts are
/// whole anyway.
fn is_coarse(sample: &Sample, pair: &Pair<'_>, unit: Option<&str>) -> bool {
    let sd = sample.moments().sd().unwrap_or(0.0);
    let whole = || sample.runs().iter().all(|run| run.fract() == 0.0);
    sample.len() >= FEWEST && sd < pair.resolution && !(unit::is_count(unit) && whole())
}

fn of_tails(label: &str, sample: &Sample) -> Vec<Warning> {
    let label = label.to_owned();
    let n = sample.len();
    if n < FEWEST_FOR_TAILS {
        return vec![Warning::FewRunsForTails { label, n }];
    }
    let sorted = sample.ascending();
    let equal = |run: &[f64]| run.len();
    let most = sorted.chunk_by(|a, b| a == b).map(equal).max().unwrap_or(0);
    if most as f64 >= COLLAPSING * n as f64 {
        return vec![Warning::TailsOnTies { label }];
    }
    let distinct = sorted.chunk_by(|a, b| a == b).count();
    if distinct > crate::model::likelihood::MOST_DISTINCT {
        return vec![Warning::Binned { label, distinct }];
    }
    Vec::new()
}

/// What is compared with a normal distribution: runs, means of invocations, logarithms
/// or differences within blocks.
fn of_shape(prepared: &Prepared, pair: &Pair<'_>) -> Vec<Warning> {
    let likelihood = prepared.model.likelihood.as_str();
    if likelihood == "student_t" {
        return (0..2).filter_map(|v| of_modes(prepared, v, pair.resolution)).collect();
    }
    if let (PAIRED, Some(blocks)) = (likelihood, &prepared.blocks) {
        let misfit = misfit(&sorted(blocks.difference_of_each()), pair.resolution);
        let what = "the differences within blocks".to_owned();
        return misfit
            .map(|misfit| Warning::DoesNotFit { what, misfit, model: None })
            .into_iter()
            .collect();
    }
    let invocations = prepared.unit == TestUnit::Invocation;
    let of = |v: usize| {
        let values = prepared.tested[v].sample()?.ascending();
        let logs = || values.iter().map(|run| run.ln()).collect::<Vec<f64>>();
        let relative = pair.resolution / pair.grand_mean();
        let misfit = match likelihood {
            LOGNORMAL => misfit(&logs(), relative),
            _ => misfit(values, pair.resolution),
        }?;
        let model = match likelihood {
            _ if invocations || misfit == Misfit::SeveralModes => None,
            LOGNORMAL => Some("robust"),
            _ if values.iter().all(|run| *run > 0.0)
                && self::misfit(&logs(), relative).is_none() =>
            {
                Some(LOGNORMAL)
            }
            _ => Some("robust"),
        };
        let label = &prepared.variants[v].label;
        let what = if invocations {
            format!("the invocations of `{label}`")
        } else {
            format!("the runs of `{label}`")
        };
        Some(Warning::DoesNotFit { what, misfit, model })
    };
    // Of a million runs they take longer than sampling.
    let (baseline, candidate) = rayon::join(|| of(0), || of(1));
    [baseline, candidate].into_iter().flatten().collect()
}

/// Two modes are wrong for a Student-t distribution too.
fn of_modes(prepared: &Prepared, v: usize, resolution: f64) -> Option<Warning> {
    let values = prepared.tested[v].sample()?.ascending();
    let coarse = crate::data::Moments::of(values).sd()? < resolution;
    (!coarse && has_several_modes(values, resolution)).then(|| Warning::DoesNotFit {
        what: format!("the runs of `{}`", prepared.variants[v].label),
        misfit: Misfit::SeveralModes,
        model: None,
    })
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_unstable_by(f64::total_cmp);
    values
}

/// How values, the smallest first, differ from normal ones, where they do.
fn misfit(values: &[f64], resolution: f64) -> Option<Misfit> {
    let shape = frequentist::shape(values).filter(|_| values.len() >= FEWEST)?;
    let sd = crate::data::Moments::of(values).sd()?;
    if sd < resolution {
        return None; // rounding makes the shape
    }
    if has_several_modes(values, resolution) {
        return Some(Misfit::SeveralModes);
    }
    let far = frequentist::farthest(values, resolution).is_some_and(|p| p < SUSPECT);
    if shape.p_skewness < SUSPECT && shape.skewness.abs() > SLIGHT_SKEWNESS {
        Some(if far { Misfit::Outliers } else { Misfit::Skewed })
    } else if far {
        Some(Misfit::Outliers)
    } else if shape.p_kurtosis < SUSPECT && shape.excess_kurtosis > SLIGHT_KURTOSIS {
        Some(Misfit::HeavyTails)
    } else {
        None
    }
}

/// The dip test, at the level of [`SUSPECT`], of values with the smallest first.
fn has_several_modes(values: &[f64], resolution: f64) -> bool {
    let critical = frequentist::critical_dip(values.len()).unwrap_or(f64::INFINITY);
    frequentist::dip(values, resolution) > critical.max(SLIGHT_DIP)
}
