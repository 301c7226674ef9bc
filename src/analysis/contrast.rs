//! The tests of the other school, for contrast.

use rayon::join;

use super::BayesFactor;

use crate::data::{Blocks, Direction, Measurements, Moments, Pair};
use crate::draws::INTERVAL;
use crate::frequentist::{
    self, BehrensFisher, MannWhitney, SignedRank, TTest, TwoSdRule,
};

/// What a value in a test is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestUnit {
    /// A run.
    Run,
    /// The mean of an invocation.
    Invocation,
    /// The difference within a block.
    Block,
}

impl TestUnit {
    /// `run`, `invocation` or `block`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Invocation => "invocation",
            Self::Block => "block",
        }
    }
}

/// All tests of one pair; `None` where one is not defined for its data.
#[derive(Debug, Clone, PartialEq)]
pub struct Tests {
    /// What a value is.
    pub unit: TestUnit,
    /// Values of baseline and candidate.
    pub n: [usize; 2],
    /// Of the differences within blocks.
    pub paired: Option<TTest>,
    /// Ranks of the differences within blocks.
    pub signed_rank: Option<SignedRank>,
    /// Unequal variances.
    pub welch: Option<TTest>,
    /// Equal variances.
    pub student: Option<TTest>,
    /// Ranks; needs runs.
    pub mann_whitney: Option<MannWhitney>,
    /// Difference over the pooled SD within variants; in blocks, over the SD of the
    /// differences.
    pub cohen_d: Option<f64>,
    /// The same, unbiased.
    pub hedges_g: Option<f64>,
    /// Difference over the root mean square of the SDs.
    pub two_sd_rule: Option<TwoSdRule>,
    /// What the t-test would find at this number of runs.
    pub power: Option<Power>,
    /// The exact posterior under the reference prior.
    pub behrens_fisher: Option<ReferencePosterior>,
    /// Where it was asked for.
    pub bayes_factor: Option<BayesFactor>,
}

/// The level of the test whose power is given.
pub const ALPHA: f64 = 0.05;

/// True differences that the two-sided t-test finds with some power at [`ALPHA`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Power {
    /// Found 80 % of the time.
    pub detectable_80: Detectable,
    /// Found 50 % of the time.
    pub detectable_50: Detectable,
}

/// A true difference, in three ways.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Detectable {
    /// In SDs of a run.
    pub sd: f64,
    /// In the unit of the runs, at the pooled SD within variants.
    pub absolute: f64,
    /// As a share of the baseline mean; unknown where that is 0.
    pub relative: Option<f64>,
}

/// The Behrens-Fisher posterior, summarised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReferencePosterior {
    /// P(slower).
    pub p_slower: f64,
    /// The equal-tailed 95 % interval of the difference.
    pub eti: [f64; 2],
}

impl Tests {
    /// All tests of a pair.
    pub fn of(pair: &Pair<'_>, unit: TestUnit, direction: Direction) -> Self {
        let [baseline, candidate] = &pair.moments;
        let ((welch, student), (mann_whitney, behrens_fisher)) = join(
            || {
                (
                    frequentist::welch(baseline, candidate),
                    frequentist::student(baseline, candidate),
                )
            },
            || {
                (
                    mann_whitney(pair.measurements),
                    reference_posterior(baseline, candidate, direction),
                )
            },
        );
        Self {
            unit,
            n: pair.moments.map(|moments| moments.n),
            paired: None,
            signed_rank: None,
            welch,
            student,
            mann_whitney,
            cohen_d: frequentist::cohen_d(baseline, candidate),
            hedges_g: frequentist::hedges_g(baseline, candidate),
            two_sd_rule: frequentist::two_sd_rule(baseline, candidate),
            power: power(baseline, candidate),
            behrens_fisher,
            bayes_factor: None,
        }
    }
}

impl Tests {
    /// The tests of runs in blocks: of the differences alone.
    pub fn of_blocks(pair: &Pair<'_>, blocks: &Blocks) -> Self {
        let differences = blocks.difference_of_each();
        let moments = blocks.differences();
        let power = |power: f64| {
            let sd = frequentist::detectable_paired(moments.n, ALPHA, power)?;
            let absolute = sd * moments.sd()?;
            let baseline = pair.moments[0].mean;
            let relative = (baseline != 0.0).then(|| absolute / baseline.abs());
            Some(Detectable { sd, absolute, relative })
        };
        let power = power(0.8).zip(power(0.5)).map(|(detectable_80, detectable_50)| {
            Power { detectable_80, detectable_50 }
        });
        Self {
            unit: TestUnit::Block,
            n: [moments.n; 2],
            paired: frequentist::paired(&moments),
            signed_rank: frequentist::signed_rank(&differences),
            welch: None,
            student: None,
            mann_whitney: None,
            cohen_d: moments.sd().filter(|sd| *sd > 0.0).map(|sd| moments.mean / sd),
            hedges_g: None,
            two_sd_rule: None,
            power,
            behrens_fisher: None,
            bayes_factor: None,
        }
    }
}

/// The one-sided p value whose alternative is that the candidate is slower.
pub fn p_slower(test: &TTest, direction: Direction) -> f64 {
    match direction {
        Direction::LowerIsBetter => test.p_greater,
        Direction::HigherIsBetter => test.p_less,
    }
}

fn mann_whitney(measurements: [&Measurements; 2]) -> Option<MannWhitney> {
    let [baseline, candidate] = measurements.map(Measurements::sample);
    let (baseline, candidate) = (baseline?.ascending(), candidate?.ascending());
    Some(frequentist::mann_whitney_sorted(baseline, candidate))
}

fn reference_posterior(
    baseline: &Moments,
    candidate: &Moments,
    direction: Direction,
) -> Option<ReferencePosterior> {
    let exact = BehrensFisher::new(baseline, candidate)?;
    let greater = exact.p_greater();
    let tail = (1.0 - INTERVAL) / 2.0;
    Some(ReferencePosterior {
        p_slower: match direction {
            Direction::LowerIsBetter => greater,
            Direction::HigherIsBetter => 1.0 - greater,
        },
        eti: [exact.quantile(tail), exact.quantile(1.0 - tail)],
    })
}

fn power(baseline: &Moments, candidate: &Moments) -> Option<Power> {
    let within = pooled_sd(baseline, candidate)?;
    let detectable = |power: f64| {
        let sd = frequentist::detectable(baseline.n, candidate.n, ALPHA, power)?;
        let absolute = sd * within;
        let relative = (baseline.mean != 0.0).then(|| absolute / baseline.mean.abs());
        Some(Detectable { sd, absolute, relative })
    };
    Some(Power { detectable_80: detectable(0.8)?, detectable_50: detectable(0.5)? })
}

fn pooled_sd(baseline: &Moments, candidate: &Moments) -> Option<f64> {
    let freedom = (baseline.n + candidate.n).checked_sub(2).filter(|df| *df > 0)?;
    let squares = baseline.sum_of_squares + candidate.sum_of_squares;
    Some((squares / freedom as f64).sqrt())
}
