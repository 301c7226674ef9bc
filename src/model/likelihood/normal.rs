//! Runs that scatter as a normal distribution, by their sufficient statistics.

use rand::rngs::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{Coordinate, Kind, Likelihood, NormalPrior, Parameter, Repeat, RunMoments};
use crate::data::{Moments, Pair};
use crate::model::Standard;

/// `run ~ Normal(mean_v, √(sd_v² + resolution²/12))`, in standardised units.
///
/// A run is rounded to the resolution, which adds the variance of a uniform
/// distribution so wide (Sheppard's correction, the other way round).
#[derive(Debug, Clone)]
pub(super) struct Normal {
    moments: [Moments; 2],
    /// Pooled SD within variants.
    sd_within: f64,
    /// Variance of rounding.
    rounding: f64,
}

pub(super) const PARAMETERS: [Parameter; 2] = [
    Parameter { name: "mean", kind: Kind::Location, shared: false },
    Parameter { name: "sd", kind: Kind::Scale, shared: false },
];

/// Places in the flat list.
const MEAN: usize = 0;
const SD: usize = 2;

impl Normal {
    pub(super) fn new(pair: &Pair<'_>, standard: Standard, resolution: f64) -> Self {
        let rounding = (resolution / standard.scale).powi(2) / 12.0;
        Self {
            moments: pair.moments.map(|moments| standard.moments(&moments)),
            sd_within: pair.sd_within() / standard.scale,
            rounding,
        }
    }
}

impl Likelihood for Normal {
    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn coordinates(&self) -> Vec<Coordinate> {
        let means =
            self.moments.iter().enumerate().map(|(v, moments)| Coordinate::Mean {
                observed: moments.mean,
                n: moments.n as f64,
                sds: [(SD + v, 1.0), (SD + v, 0.0)],
                floor: self.rounding,
                prior: NormalPrior::default(),
            });
        // The posterior of log SD has a spread of about 1/√(2n); one run's worth of the
        // pooled variance stands in for what few runs do not say.
        let sds = self.moments.iter().map(|moments| {
            let n = moments.n as f64;
            let pooled = self.sd_within * self.sd_within;
            Coordinate::Log {
                centre: ((moments.sum_of_squares + pooled) / n).ln() / 2.0,
                scale: 1.0 / (2.0 * n).sqrt(),
                lower: 0.0,
            }
        });
        means.chain(sds).collect()
    }

    fn log_density(&self, parameters: &[f64], gradient: &mut [f64]) -> f64 {
        let mut log = 0.0;
        for (v, moments) in self.moments.iter().enumerate() {
            let n = moments.n as f64;
            let sd = parameters[SD + v];
            let variance = sd * sd + self.rounding;
            let off = moments.mean - parameters[MEAN + v];
            let squares = moments.sum_of_squares + n * off * off;
            log -= 0.5 * n * variance.ln() + 0.5 * squares / variance;
            gradient[MEAN + v] += n * off / variance;
            gradient[SD + v] += sd * (squares / variance - n) / variance;
        }
        log
    }

    fn moments(&self, parameters: &[f64]) -> [RunMoments; 2] {
        [0, 1].map(|v| RunMoments {
            mean: parameters[MEAN + v],
            sd: parameters[SD + v].hypot(self.rounding.sqrt()),
        })
    }

    fn log_density_of_runs(
        &self,
        parameters: &[f64],
        variant: usize,
        runs: &[f64],
    ) -> Option<f64> {
        let sd = parameters[SD + variant];
        let variance = sd * sd + self.rounding;
        Some(super::normal_log_density(runs, parameters[MEAN + variant], variance))
    }

    fn repeat(
        &self,
        parameters: &[f64],
        n: [usize; 2],
        rng: &mut ChaCha8Rng,
    ) -> Repeat {
        let variants = self.moments(parameters);
        let mut scatter = |v: usize, runs: usize| {
            let z: f64 = StandardNormal.sample(rng);
            variants[v].mean + variants[v].sd / (runs as f64).sqrt() * z
        };
        Repeat {
            means: [scatter(0, n[0]), scatter(1, n[1])],
            runs: [scatter(0, 1), scatter(1, 1)],
        }
    }
}
