//! Runs in blocks: the difference within a block and its level, each normal.

use rand::rngs::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{Coordinate, Kind, Likelihood, NormalPrior, Parameter, Repeat, RunMoments};
use crate::data::{Blocks, Moments};
use crate::model::Standard;

/// In each block, `candidate − baseline ~ Normal(difference, √(sd_d² + r²/6))` and,
/// independent of it, `(baseline + candidate)/2 ~ Normal(level, √(sd_s² + r²/24))`, with
/// r the resolution to which each run is rounded; in standardised units.
///
/// The level takes the noise that both runs of a block share, which then cannot hide
/// the difference.
#[derive(Debug, Clone)]
pub(super) struct Paired {
    difference: Moments,
    level: Moments,
    /// Variances of rounding, of the difference and of the level.
    rounding: [f64; 2],
    /// Sample SDs, rounding at least.
    typical: [f64; 2],
}

pub(super) const PARAMETERS: [Parameter; 4] = [
    Parameter { name: "difference", kind: Kind::Offset, shared: true },
    Parameter { name: "level", kind: Kind::Location, shared: true },
    Parameter { name: "sd_d", kind: Kind::Scale, shared: true },
    Parameter { name: "sd_s", kind: Kind::Scale, shared: true },
];

/// Places in the flat list.
const DIFFERENCE: usize = 0;
const LEVEL: usize = 1;
const SD_D: usize = 2;
const SD_S: usize = 3;

impl Paired {
    pub(super) fn new(blocks: &Blocks, standard: Standard, resolution: f64) -> Self {
        let none = Standard { centre: 0.0, ..standard };
        let variance = (resolution / standard.scale).powi(2);
        Self {
            difference: none.moments(&blocks.differences()),
            level: standard.moments(&blocks.levels()),
            rounding: [variance / 6.0, variance / 24.0],
            typical: [
                blocks.sd_difference() / standard.scale,
                blocks.sd_level() / standard.scale,
            ],
        }
    }

    /// SDs of the difference and of the level of one block, rounding included.
    fn sds(&self, parameters: &[f64]) -> [f64; 2] {
        [
            parameters[SD_D].hypot(self.rounding[0].sqrt()),
            parameters[SD_S].hypot(self.rounding[1].sqrt()),
        ]
    }
}

impl Likelihood for Paired {
    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn coordinates(&self) -> Vec<Coordinate> {
        let mean = |moments: &Moments, sd: usize, floor: f64| Coordinate::Mean {
            observed: moments.mean,
            n: moments.n as f64,
            sds: [(sd, 1.0), (sd, 0.0)],
            floor,
            prior: NormalPrior::default(),
        };
        let around = |sd: f64, n: usize| Coordinate::Log {
            centre: sd.ln(),
            scale: 1.0 / (2.0 * n as f64).sqrt(),
            lower: 0.0,
        };
        vec![
            mean(&self.difference, SD_D, self.rounding[0]),
            mean(&self.level, SD_S, self.rounding[1]),
            around(self.typical[0], self.difference.n),
            around(self.typical[1], self.level.n),
        ]
    }

    fn log_density(&self, parameters: &[f64], gradient: &mut [f64]) -> f64 {
        let parts = [
            (&self.difference, DIFFERENCE, SD_D, self.rounding[0]),
            (&self.level, LEVEL, SD_S, self.rounding[1]),
        ];
        let mut log = 0.0;
        for (moments, mean, sd, rounding) in parts {
            let n = moments.n as f64;
            let variance = parameters[sd] * parameters[sd] + rounding;
            let off = moments.mean - parameters[mean];
            let squares = moments.sum_of_squares + n * off * off;
            log -= 0.5 * n * variance.ln() + 0.5 * squares / variance;
            gradient[mean] += n * off / variance;
            gradient[sd] += parameters[sd] * (squares / variance - n) / variance;
        }
        log
    }

    /// The SD of a run is √(`sd_s`² + `sd_d`²/4), of either variant.
    fn moments(&self, parameters: &[f64]) -> [RunMoments; 2] {
        let [sd_d, sd_s] = self.sds(parameters);
        let sd = sd_s.hypot(sd_d / 2.0);
        let half = parameters[DIFFERENCE] / 2.0;
        [-half, half].map(|off| RunMoments { mean: parameters[LEVEL] + off, sd })
    }

    /// New blocks; both variants have as many runs as there are blocks.
    fn repeat(
        &self,
        parameters: &[f64],
        n: [usize; 2],
        rng: &mut ChaCha8Rng,
    ) -> Repeat {
        let [sd_d, sd_s] = self.sds(parameters);
        let mut mean_of = |blocks: usize| {
            let mut scatter = |mean: f64, sd: f64| {
                let z: f64 = StandardNormal.sample(rng);
                mean + sd / (blocks as f64).sqrt() * z
            };
            let half = scatter(parameters[DIFFERENCE], sd_d) / 2.0;
            let level = scatter(parameters[LEVEL], sd_s);
            [level - half, level + half]
        };
        Repeat { means: mean_of(n[0].min(n[1])), runs: mean_of(1) }
    }

    fn sd_of_difference(&self, parameters: &[f64]) -> Option<f64> {
        Some(self.sds(parameters)[0])
    }
}
