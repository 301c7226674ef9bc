//! Runs within invocations, the effects of the invocations integrated out.

use rand::rngs::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{Coordinate, Kind, Likelihood, NormalPrior, Parameter, Repeat, RunMoments};
use crate::data::{Measurements, Moments, Pair};
use crate::error::Error;
use crate::model::Standard;

/// `run ~ Normal(mean_v + effect, sd_v)`, `effect ~ Normal(0, between_v)` for each
/// invocation, in standardised units.
///
/// With the effects integrated out, the mean of an invocation of n runs is
/// `Normal(mean_v, √(between_v² + sd_v²/n))`, and its sum of squares over `sd_v²` is
/// χ²(n − 1) (Searle, Casella & `McCulloch` 1992, section 3.7).
#[derive(Debug, Clone)]
pub(super) struct Nested {
    variants: [Invocations; 2],
    /// Pooled SDs, within and between invocations.
    typical: [f64; 2],
    /// Variance of rounding.
    rounding: f64,
}

pub(super) const PARAMETERS: [Parameter; 3] = [
    Parameter { name: "mean", kind: Kind::Location, shared: false },
    Parameter { name: "sd", kind: Kind::Scale, shared: false },
    Parameter { name: "between", kind: Kind::Scale, shared: false },
];

/// Places in the flat list.
const MEAN: usize = 0;
const SD: usize = 2;
const BETWEEN: usize = 4;

/// The sufficient statistics of one variant.
#[derive(Debug, Clone)]
struct Invocations {
    /// For each length of an invocation: that length, and the moments of the means of
    /// the invocations of that length.
    means: Vec<(f64, Moments)>,
    /// Sum of squares within all invocations.
    within: f64,
    /// Its degrees of freedom.
    freedom: f64,
    /// Invocations.
    count: f64,
    /// Mean of their means.
    mean: f64,
    /// Harmonic mean of their lengths.
    length: f64,
}

impl Invocations {
    fn of(invocations: &[Moments]) -> Self {
        let mut sorted = invocations.to_vec();
        sorted.sort_by_key(|invocation| invocation.n);
        let means = sorted
            .chunk_by(|a, b| a.n == b.n)
            .map(|equal| {
                let means: Vec<f64> = equal.iter().map(|one| one.mean).collect();
                (equal[0].n as f64, Moments::of(&means))
            })
            .collect();
        let all: Vec<f64> = invocations.iter().map(|one| one.mean).collect();
        let count = invocations.len() as f64;
        Self {
            means,
            within: invocations.iter().map(|one| one.sum_of_squares).sum(),
            freedom: invocations.iter().map(|one| (one.n - 1) as f64).sum(),
            count,
            mean: crate::numerics::mean(&all),
            length: count
                / invocations.iter().map(|one| 1.0 / one.n as f64).sum::<f64>(),
        }
    }
}

impl Nested {
    /// # Errors
    /// When a variant is a summary: it does not tell its invocations.
    pub(super) fn new(
        pair: &Pair<'_>,
        standard: Standard,
        resolution: f64,
        typical: [f64; 2],
    ) -> Result<Self, Error> {
        let invocations = |v: usize| match pair.measurements[v] {
            Measurements::Runs(sample) => {
                let moments: Vec<Moments> = sample
                    .invocations()
                    .map(|runs| standard.moments(&Moments::of(runs)))
                    .collect();
                Ok(Invocations::of(&moments))
            }
            Measurements::Summary(_) => Err(Error::new(format!(
                "`{}` is a summary, which does not tell its invocations",
                pair.labels[v]
            ))
            .with_hint("use `--model normal`, which needs n, mean and SD only")),
        };
        Ok(Self {
            variants: [invocations(0)?, invocations(1)?],
            typical: typical.map(|sd| sd / standard.scale),
            rounding: (resolution / standard.scale).powi(2) / 12.0,
        })
    }
}

impl Likelihood for Nested {
    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn coordinates(&self) -> Vec<Coordinate> {
        let [within, between] = self.typical;
        let means = self.variants.iter().enumerate().map(|(v, one)| Coordinate::Mean {
            observed: one.mean,
            n: one.count,
            sds: [(BETWEEN + v, 1.0), (SD + v, 1.0 / one.length)],
            floor: self.rounding / one.length,
            prior: NormalPrior::default(),
        });
        let around = |sd: f64, n: f64| Coordinate::Log {
            centre: sd.ln(),
            scale: 1.0 / (2.0 * n).sqrt(),
            lower: 0.0,
        };
        let sds = self.variants.iter().map(|one| around(within, one.freedom.max(1.0)));
        let betweens = self.variants.iter().map(|one| around(between, one.count));
        means.chain(sds).chain(betweens).collect()
    }

    fn log_density(&self, parameters: &[f64], gradient: &mut [f64]) -> f64 {
        let mut log = 0.0;
        for (v, one) in self.variants.iter().enumerate() {
            let (sd, between) = (parameters[SD + v], parameters[BETWEEN + v]);
            let run = sd * sd + self.rounding;
            // Within invocations.
            log -= 0.5 * one.freedom * run.ln() + 0.5 * one.within / run;
            gradient[SD + v] += sd * (one.within / run - one.freedom) / run;
            // Between them.
            for (length, means) in &one.means {
                let variance = between * between + run / length;
                let off = means.mean - parameters[MEAN + v];
                let count = means.n as f64;
                let squares = means.sum_of_squares + count * off * off;
                log -= 0.5 * count * variance.ln() + 0.5 * squares / variance;
                let by_variance = 0.5 * (squares / variance - count) / variance;
                gradient[MEAN + v] += count * off / variance;
                gradient[BETWEEN + v] += by_variance * 2.0 * between;
                gradient[SD + v] += by_variance * 2.0 * sd / length;
            }
        }
        log
    }

    /// The SD of a run of an invocation not yet seen: √(sd² + between²).
    fn moments(&self, parameters: &[f64]) -> [RunMoments; 2] {
        [0, 1].map(|v| {
            let sd = parameters[SD + v].hypot(self.rounding.sqrt());
            RunMoments {
                mean: parameters[MEAN + v],
                sd: sd.hypot(parameters[BETWEEN + v]),
            }
        })
    }

    /// Of an invocation of n runs with mean ȳ: the n − 1 deviations within have variance
    /// sd², and √n·ȳ has variance sd² + n·between² (Searle, Casella & `McCulloch` 1992,
    /// section 3.7).
    fn log_density_of_runs(
        &self,
        parameters: &[f64],
        variant: usize,
        runs: &[f64],
    ) -> Option<f64> {
        let of = Moments::of(runs);
        let n = of.n as f64;
        let run = parameters[SD + variant].powi(2) + self.rounding;
        let whole = run + n * parameters[BETWEEN + variant].powi(2);
        let off = of.mean - parameters[MEAN + variant];
        let squares = of.sum_of_squares / run + n * off * off / whole;
        let logs = (n - 1.0) * run.ln() + whole.ln() + n * std::f64::consts::TAU.ln();
        Some(-0.5 * (logs + squares))
    }

    fn replicate(
        &self,
        parameters: &[f64],
        lengths: [&[usize]; 2],
        rng: &mut ChaCha8Rng,
    ) -> [Vec<f64>; 2] {
        let mut scatter = |mean: f64, sd: f64| -> f64 {
            let z: f64 = StandardNormal.sample(rng);
            mean + sd * z
        };
        [0, 1].map(|v| {
            let sd = parameters[SD + v].hypot(self.rounding.sqrt());
            let mut runs = Vec::new();
            for &length in lengths[v] {
                let mean = scatter(parameters[MEAN + v], parameters[BETWEEN + v]);
                runs.extend((0..length).map(|_| scatter(mean, sd)));
            }
            runs
        })
    }

    /// New invocations, as many and as long as were measured; with another number of
    /// runs, as many of them in one-run invocations.
    fn repeat(
        &self,
        parameters: &[f64],
        n: [usize; 2],
        rng: &mut ChaCha8Rng,
    ) -> Repeat {
        let variants = self.moments(parameters);
        let mut scatter = |v: usize, sd: f64| {
            let z: f64 = StandardNormal.sample(rng);
            variants[v].mean + sd * z
        };
        let error = |v: usize| {
            let one = &self.variants[v];
            let (sd, between) = (parameters[SD + v], parameters[BETWEEN + v]);
            let run = sd * sd + self.rounding;
            let measured =
                one.means.iter().map(|(n, means)| n * means.n as f64).sum::<f64>();
            if n[v] as f64 != measured {
                return variants[v].sd / (n[v] as f64).sqrt();
            }
            // The sample mean weighs an invocation by its length.
            let variance: f64 = one
                .means
                .iter()
                .map(|(length, means)| {
                    let weight = length / measured;
                    means.n as f64
                        * weight
                        * weight
                        * (between * between + run / length)
                })
                .sum();
            variance.sqrt()
        };
        Repeat {
            means: [scatter(0, error(0)), scatter(1, error(1))],
            runs: [scatter(0, variants[0].sd), scatter(1, variants[1].sd)],
        }
    }
}
