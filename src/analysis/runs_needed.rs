//! How many runs an undecided comparison would need.

use rand::RngExt as _;
use rand::rngs::ChaCha8Rng;
use rand_distr::{ChiSquared, Distribution, StandardNormal};
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::quantities::{PerDraw, Quantities};
use super::verdict::{Chances, Verdict, decide};
use crate::data::Direction;
use crate::sampler::{AFTER_SAMPLING, stream};

/// The largest number of runs a variant that is tried.
pub const MOST_RUNS: usize = 10_000;

/// The share of simulated experiments that must reach another verdict.
const ASSURANCE: f64 = 0.8;

/// Experiments simulated at each number of runs; the share's standard error is 0.01.
const EXPERIMENTS: usize = 1600;

/// The smallest number of runs a variant for which fresh data, simulated from this
/// posterior, are decided in 80 % of cases; `None` where 10,000 are not enough.
///
/// Each simulated experiment takes its truth from a draw, and its sample means and SDs
/// from their exact distributions; its verdict follows from Welch's approximation of
/// the posterior, which from three runs on is as wide as the default model's.
pub(super) fn runs_needed(
    quantities: &Quantities,
    direction: Direction,
    margin: Option<&PerDraw>,
    confidence: f64,
    seed: u64,
) -> Option<usize> {
    let truths = truths(quantities, direction, margin, seed);
    let enough = |n: usize| {
        let mut rng = stream(seed, AFTER_SAMPLING + 2);
        let decided = truths
            .iter()
            .filter(|truth| {
                truth.experiment(n, confidence, &mut rng) != Verdict::Undecided
            })
            .count();
        decided as f64 >= ASSURANCE * truths.len() as f64
    };
    if !enough(MOST_RUNS) {
        return None;
    }
    let (mut too_few, mut many) = (2, MOST_RUNS);
    if enough(too_few) {
        return Some(too_few);
    }
    while many - too_few > 1 {
        let middle = usize::midpoint(too_few, many);
        if enough(middle) {
            many = middle;
        } else {
            too_few = middle;
        }
    }
    Some(many)
}

/// One state of the world.
struct Truth {
    slowdown: f64,
    sd: [f64; 2],
    margin: Option<f64>,
}

fn truths(
    quantities: &Quantities,
    direction: Direction,
    margin: Option<&PerDraw>,
    seed: u64,
) -> Vec<Truth> {
    let slowdown = quantities.slowdown(direction);
    let (chains, draws) = slowdown.dim();
    let mut rng = stream(seed, AFTER_SAMPLING + 1);
    (0..EXPERIMENTS)
        .map(|_| {
            let at = (rng.random_range(0..chains), rng.random_range(0..draws));
            Truth {
                slowdown: slowdown[at],
                // In blocks, only the difference within one scatters.
                sd: match &quantities.block_sd {
                    Some(sd) => [sd[at], 0.0],
                    None => [quantities.sd[0][at], quantities.sd[1][at]],
                },
                margin: margin.map(|margin| margin[at]),
            }
        })
        .collect()
}

impl Truth {
    fn experiment(&self, n: usize, confidence: f64, rng: &mut ChaCha8Rng) -> Verdict {
        let freedom = (n - 1) as f64;
        let chi = ChiSquared::new(freedom).expect("n is 2 or more");
        let mut squared_errors = [0.0; 2];
        let mut slowdown = self.slowdown;
        for (v, sd) in self.sd.iter().enumerate() {
            let z: f64 = StandardNormal.sample(rng);
            slowdown += sd / (n as f64).sqrt() * z;
            squared_errors[v] = sd * sd * chi.sample(rng) / freedom / n as f64;
        }
        let se = (squared_errors[0] + squared_errors[1]).sqrt();
        let df =
            se.powi(4) / squared_errors.iter().map(|e| e * e / freedom).sum::<f64>();
        let Ok(t) = StudentsT::new(0.0, 1.0, df) else { return Verdict::Undecided };
        let above = |limit: f64| t.cdf((slowdown - limit) / se);
        let by_margin = self.margin.map(|margin| {
            let (slower, not_faster) = (above(margin), above(-margin));
            [slower, not_faster - slower, 1.0 - not_faster]
        });
        let slower = above(0.0);
        decide(&Chances { slower, faster: 1.0 - slower, by_margin }, confidence).0
    }
}
