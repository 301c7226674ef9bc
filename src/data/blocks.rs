//! Runs of two variants that were measured side by side, block by block.

use std::collections::BTreeMap;

use super::{Measurements, Moments, Sample};
use crate::error::Error;

/// Which block each run of a sample belongs to, as the file says it: equal numbers are
/// the same block.
pub type BlockIds = Vec<u64>;

/// Runs of baseline and candidate, a pair for each block.
#[derive(Debug, Clone, PartialEq)]
pub struct Blocks {
    baseline: Sample,
    candidate: Sample,
    /// Blocks that one variant has no run of.
    dropped: usize,
    /// Whether a file named them; otherwise the order of the runs is theirs.
    named: bool,
}

impl Blocks {
    /// Puts the runs of two variants side by side.
    ///
    /// # Errors
    /// When a variant is a summary, blocks are not named and the numbers of runs differ,
    /// a block has two runs of one variant, or fewer than two blocks are whole.
    pub fn of(
        labels: [&str; 2],
        measurements: [&Measurements; 2],
    ) -> Result<Self, Error> {
        let [baseline, candidate] = samples(labels, measurements)?;
        let blocks = match (baseline.blocks(), candidate.blocks()) {
            (Some(b), Some(c)) => by_name(labels, [(baseline, b), (candidate, c)])?,
            (None, None) => by_order(labels, [baseline, candidate])?,
            // Where runs of one variant failed, its blocks are the places in its order.
            (Some(b), None) => {
                by_name(labels, [(baseline, b), (candidate, &places(candidate))])?
            }
            (None, Some(c)) => {
                by_name(labels, [(baseline, &places(baseline)), (candidate, c)])?
            }
        };
        if blocks.baseline.len() < 2 {
            return Err(Error::new(format!(
                "only {} block has a run of both `{}` and `{}`",
                blocks.baseline.len(),
                labels[0],
                labels[1]
            ))
            .with_hint("measure two blocks or more, or compare without `--paired`"));
        }
        Ok(blocks)
    }

    /// The runs of baseline and candidate, block by block.
    pub fn samples(&self) -> [&Sample; 2] {
        [&self.baseline, &self.candidate]
    }

    /// How many blocks were left out since one variant has no run of them.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Whether a file named the blocks; otherwise they follow from the order.
    pub fn named(&self) -> bool {
        self.named
    }

    /// Candidate − baseline, of each block.
    pub fn difference_of_each(&self) -> Vec<f64> {
        self.pairs().map(|(b, c)| c - b).collect()
    }

    /// Moments of candidate − baseline.
    pub fn differences(&self) -> Moments {
        Moments::of(&self.difference_of_each())
    }

    /// Moments of (baseline + candidate)/2.
    pub fn levels(&self) -> Moments {
        let levels: Vec<f64> = self.pairs().map(|(b, c)| f64::midpoint(b, c)).collect();
        Moments::of(&levels)
    }

    /// Sample SD of the differences, at least that of rounding: two runs, rounded each.
    pub fn sd_difference(&self) -> f64 {
        let sd = self.differences().sd().unwrap_or(0.0);
        sd.max(self.resolution() / 6_f64.sqrt())
    }

    /// Sample SD of the levels, at least that of rounding.
    pub fn sd_level(&self) -> f64 {
        let sd = self.levels().sd().unwrap_or(0.0);
        sd.max(self.resolution() / 24_f64.sqrt())
    }

    /// Root mean square of the differences, at least their sample SD.
    pub fn rms_difference(&self) -> f64 {
        let moments = self.differences();
        let squares = moments.sum_of_squares / moments.n as f64;
        moments.mean.hypot(squares.sqrt()).max(self.sd_difference())
    }

    fn resolution(&self) -> f64 {
        self.baseline.resolution().max(self.candidate.resolution())
    }

    fn pairs(&self) -> impl Iterator<Item = (f64, f64)> {
        let runs = self.baseline.runs().iter().copied();
        runs.zip(self.candidate.runs().iter().copied())
    }
}

fn samples<'a>(
    labels: [&str; 2],
    measurements: [&'a Measurements; 2],
) -> Result<[&'a Sample; 2], Error> {
    let of = |v: usize| {
        measurements[v].sample().ok_or_else(|| {
            Error::new(format!("`{}` is a summary, which has no blocks", labels[v]))
                .with_hint("compare without `--paired`")
        })
    };
    Ok([of(0)?, of(1)?])
}

fn places(sample: &Sample) -> BlockIds {
    (0..sample.len() as u64).collect()
}

fn by_order(labels: [&str; 2], samples: [&Sample; 2]) -> Result<Blocks, Error> {
    let [b, c] = samples.map(Sample::len);
    if b != c {
        return Err(Error::new(format!(
            "`{}` has {b} runs and `{}` has {c}, so their order makes no pairs",
            labels[0], labels[1]
        ))
        .with_hint(
            "name the blocks in a column `block`, or compare without `--paired`",
        ));
    }
    let series = |sample: &Sample| {
        Ok(Sample::new(sample.runs().to_vec())?.with_resolution(sample.resolution()))
    };
    Ok(Blocks {
        baseline: series(samples[0])?,
        candidate: series(samples[1])?,
        dropped: 0,
        named: false,
    })
}

fn by_name(
    labels: [&str; 2],
    samples: [(&Sample, &BlockIds); 2],
) -> Result<Blocks, Error> {
    let mut maps = [BTreeMap::new(), BTreeMap::new()];
    for ((map, (sample, ids)), label) in maps.iter_mut().zip(samples).zip(labels) {
        for (id, run) in ids.iter().zip(sample.runs()) {
            if map.insert(*id, *run).is_some() {
                return Err(Error::new(format!(
                    "a block has two runs of `{label}`, and a pair has one of each"
                ))
                .with_hint(
                    "name each block once a variant, or compare without `--paired`",
                ));
            }
        }
    }
    let [baseline, candidate] = &maps;
    let mut whole = [Vec::new(), Vec::new()];
    // In the order in which the baseline was measured.
    for id in samples[0].1 {
        if let Some(run) = candidate.get(id) {
            whole[0].push(baseline[id]);
            whole[1].push(*run);
        }
    }
    let count = whole[0].len();
    if count == 0 {
        return Err(Error::new(format!(
            "`{}` and `{}` have no block in common",
            labels[0], labels[1]
        ))
        .with_hint("check the column `block`, or compare without `--paired`"));
    }
    let [b, c] = whole;
    Ok(Blocks {
        baseline: Sample::new(b)?.with_resolution(samples[0].0.resolution()),
        candidate: Sample::new(c)?.with_resolution(samples[1].0.resolution()),
        dropped: baseline.len() + candidate.len() - 2 * count,
        named: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(runs: &[f64], blocks: &[u64]) -> Measurements {
        let sample = Sample::new(runs.to_vec()).unwrap().with_blocks(blocks.to_vec());
        Measurements::Runs(sample)
    }

    #[test]
    fn a_block_without_a_run_on_one_side_is_left_out() {
        let a = named(&[1.0, 2.0, 3.0, 4.0], &[7, 8, 9, 10]);
        let b = named(&[31.0, 11.0, 41.0, 51.0], &[9, 7, 10, 11]);
        let blocks = Blocks::of(["a", "b"], [&a, &b]).unwrap();
        assert_eq!(blocks.difference_of_each(), [10.0, 28.0, 37.0]);
        assert_eq!(blocks.dropped(), 2);
    }

    #[test]
    fn without_names_equal_numbers_pair_by_order_and_others_do_not() {
        let runs =
            |runs: &[f64]| Measurements::Runs(Sample::new(runs.to_vec()).unwrap());
        let (a, b) = (runs(&[1.0, 2.0]), runs(&[1.5, 3.0]));
        let blocks = Blocks::of(["a", "b"], [&a, &b]).unwrap();
        assert_eq!(blocks.difference_of_each(), [0.5, 1.0]);
        let c = runs(&[1.0, 2.0, 3.0]);
        assert!(Blocks::of(["a", "b"], [&a, &c]).is_err());
    }

    #[test]
    fn a_block_that_comes_twice_is_no_pair() {
        let a = named(&[1.0, 2.0], &[7, 7]);
        let b = named(&[1.0, 2.0], &[7, 8]);
        assert!(Blocks::of(["a", "b"], [&a, &b]).is_err());
    }
}
