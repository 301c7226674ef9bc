//! Runs with outliers: a Student-t distribution, by its distinct values.

use rand::rngs::ChaCha8Rng;
use rand_distr::{ChiSquared, Distribution, StandardNormal};
use statrs::function::gamma::{digamma, ln_gamma};

use super::{Coordinate, Kind, Likelihood, NormalPrior, Parameter, Repeat, RunMoments};
use crate::data::{Measurements, Pair};
use crate::error::Error;
use crate::model::Standard;

/// `run ~ Student-t(nu, mean_v, √(scale_v² + resolution²/12))`, in standardised units.
#[derive(Debug, Clone)]
pub(super) struct StudentT {
    samples: [Weighted; 2],
    /// Pooled SD within variants.
    sd_within: f64,
    /// Variance of rounding.
    rounding: f64,
}

pub(super) const PARAMETERS: [Parameter; 3] = [
    Parameter { name: "mean", kind: Kind::Location, shared: false },
    Parameter { name: "scale", kind: Kind::Scale, shared: false },
    Parameter { name: "nu", kind: Kind::Shape, shared: true },
];

/// Places in the flat list.
const MEAN: usize = 0;
const SCALE: usize = 2;
const NU: usize = 4;

/// Above so many distinct values they are binned.
pub const MOST_DISTINCT: usize = 10_000;

/// Bins have this share of the pooled SD as their width.
const BIN: f64 = 0.01;

/// Distinct values of a sample with how often each occurs.
#[derive(Debug, Clone)]
struct Weighted {
    /// Values that occur once.
    single: Vec<f64>,
    /// Values that occur more than once, with their number.
    repeated: Vec<(f64, f64)>,
    n: f64,
    median: f64,
}

impl Weighted {
    fn of(ascending: &[f64], standard: Standard, sd_within: f64) -> Self {
        let mut values: Vec<f64> = ascending
            .iter()
            .map(|run| (run - standard.centre) / standard.scale)
            .collect();
        let n = values.len() as f64;
        let median = values[values.len() / 2];
        let distinct = values.chunk_by(|a, b| a == b).count();
        if distinct > MOST_DISTINCT {
            let width = BIN * sd_within;
            for value in &mut values {
                *value = (*value / width).round() * width;
            }
        }
        let (mut single, mut repeated) = (Vec::new(), Vec::new());
        for equal in values.chunk_by(|a, b| a == b) {
            match equal {
                [value] => single.push(*value),
                _ => repeated.push((equal[0], equal.len() as f64)),
            }
        }
        Self { single, repeated, n, median }
    }

    /// Σ log(1 + z²/ν) over the runs, Σ z/(ν + z²) and Σ z²/(ν + z²).
    fn sums(&self, mean: f64, sd: f64, nu: f64) -> [f64; 3] {
        let mut logs = LogProduct::default();
        let (mut pull, mut share) = (0.0, 0.0);
        for value in &self.single {
            let z = (value - mean) / sd;
            let inverse = 1.0 / (nu + z * z);
            logs.multiply(1.0 + z * z / nu);
            pull += z * inverse;
            share += z * z * inverse;
        }
        let mut log = logs.log();
        for (value, weight) in &self.repeated {
            let z = (value - mean) / sd;
            let inverse = weight / (nu + z * z);
            log += weight * (z * z / nu).ln_1p();
            pull += z * inverse;
            share += z * z * inverse;
        }
        [log, pull, share]
    }
}

/// The logarithm of a product of factors of 1 or more, taken in blocks: one logarithm
/// for many factors.
struct LogProduct {
    product: f64,
    log: f64,
}

impl Default for LogProduct {
    fn default() -> Self {
        Self { product: 1.0, log: 0.0 }
    }
}

impl LogProduct {
    /// A product beyond this is put away before it overflows.
    const FULL: f64 = 1e150;

    fn multiply(&mut self, factor: f64) {
        self.product *= factor;
        if self.product > Self::FULL {
            self.log += self.product.ln();
            self.product = 1.0;
        }
    }

    fn log(self) -> f64 {
        self.log + self.product.ln()
    }
}

impl StudentT {
    /// # Errors
    /// When a variant is a summary: the tails are in the runs.
    pub(super) fn new(
        pair: &Pair<'_>,
        standard: Standard,
        resolution: f64,
    ) -> Result<Self, Error> {
        let sd_within = pair.sd_within() / standard.scale;
        let sample = |v: usize| match pair.measurements[v] {
            Measurements::Runs(sample) if sample.len() < 2 => Err(Error::new(format!(
                "`{}` has one run, which cannot tell tails from noise",
                pair.labels[v]
            ))
            .with_hint("use `--model normal`")),
            Measurements::Runs(sample) => {
                Ok(Weighted::of(sample.ascending(), standard, sd_within))
            }
            Measurements::Summary(_) => Err(Error::new(format!(
                "`{}` is a summary, and the tails of a distribution are in its runs",
                pair.labels[v]
            ))
            .with_hint("use `--model normal`, which needs n, mean and SD only")),
        };
        let rounding = (resolution / standard.scale).powi(2) / 12.0;
        Ok(Self { samples: [sample(0)?, sample(1)?], sd_within, rounding })
    }
}

/// log of Γ((ν+1)/2) / (Γ(ν/2)·√(πν)): the density of a standard one at 0.
fn log_norm(nu: f64) -> f64 {
    ln_gamma(f64::midpoint(nu, 1.0))
        - ln_gamma(nu / 2.0)
        - 0.5 * (std::f64::consts::PI * nu).ln()
}

impl Likelihood for StudentT {
    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn coordinates(&self) -> Vec<Coordinate> {
        let means =
            self.samples.iter().enumerate().map(|(v, sample)| Coordinate::Mean {
                observed: sample.median,
                n: sample.n,
                sds: [(SCALE + v, 1.0), (SCALE + v, 0.0)],
                floor: self.rounding,
                prior: NormalPrior::default(),
            });
        let scales = self.samples.iter().map(|sample| Coordinate::Log {
            centre: self.sd_within.ln(),
            scale: 1.0 / sample.n.sqrt(),
            lower: 0.0,
        });
        let nu = Coordinate::Log { centre: 10_f64.ln(), scale: 1.0, lower: 0.0 };
        means.chain(scales).chain([nu]).collect()
    }

    /// n·(log Γ((ν+1)/2) − log Γ(ν/2) − ½ log(πν) − log s) − (ν+1)/2 · Σ log(1 + z²/ν).
    fn log_density(&self, parameters: &[f64], gradient: &mut [f64]) -> f64 {
        let nu = parameters[NU];
        let half = f64::midpoint(nu, 1.0);
        let norm = log_norm(nu);
        let norm_by_nu = 0.5 * (digamma(half) - digamma(nu / 2.0) - 1.0 / nu);
        let mut log = 0.0;
        for (v, sample) in self.samples.iter().enumerate() {
            let scale = parameters[SCALE + v];
            let variance = scale * scale + self.rounding;
            let sd = variance.sqrt();
            let [logs, pull, share] = sample.sums(parameters[MEAN + v], sd, nu);
            log += sample.n * (norm - sd.ln()) - half * logs;
            gradient[MEAN + v] += (nu + 1.0) * pull / sd;
            let by_log_sd = (nu + 1.0) * share - sample.n;
            gradient[SCALE + v] += by_log_sd * scale / variance;
            gradient[NU] += sample.n * norm_by_nu - 0.5 * logs + half * share / nu;
        }
        log
    }

    /// At ν ≤ 2 a run has no SD: infinite here, unknown in the report.
    fn moments(&self, parameters: &[f64]) -> [RunMoments; 2] {
        let nu = parameters[NU];
        let widen = if nu > 2.0 { (nu / (nu - 2.0)).sqrt() } else { f64::INFINITY };
        [0, 1].map(|v| RunMoments {
            mean: parameters[MEAN + v],
            sd: parameters[SCALE + v].hypot(self.rounding.sqrt()) * widen,
        })
    }

    fn log_density_of_runs(
        &self,
        parameters: &[f64],
        variant: usize,
        runs: &[f64],
    ) -> Option<f64> {
        let (mean, nu) = (parameters[MEAN + variant], parameters[NU]);
        let variance = parameters[SCALE + variant].powi(2) + self.rounding;
        let kernel: f64 =
            runs.iter().map(|run| ((run - mean).powi(2) / variance / nu).ln_1p()).sum();
        let norm = log_norm(nu) - 0.5 * variance.ln();
        Some(runs.len() as f64 * norm - f64::midpoint(nu, 1.0) * kernel)
    }

    fn repeat(
        &self,
        parameters: &[f64],
        n: [usize; 2],
        rng: &mut ChaCha8Rng,
    ) -> Repeat {
        let nu = parameters[NU];
        let chi = ChiSquared::new(nu).expect("nu is above 0");
        let mut mean_of = |v: usize, runs: usize| {
            let scale = parameters[SCALE + v].hypot(self.rounding.sqrt());
            // A run is normal given its own variance; their mean is too. Above so many
            // runs, the variances of a part stand for those of all.
            let drawn = runs.min(MOST_SIMULATED);
            let variances: f64 = (0..drawn).map(|_| nu / chi.sample(rng)).sum();
            let z: f64 = StandardNormal.sample(rng);
            let share = (variances / drawn as f64 / runs as f64).sqrt();
            parameters[MEAN + v] + scale * share * z
        };
        Repeat {
            means: [mean_of(0, n[0]), mean_of(1, n[1])],
            runs: [mean_of(0, 1), mean_of(1, 1)],
        }
    }
}

/// Runs of a repeated experiment whose variances are drawn one by one.
const MOST_SIMULATED: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_of_a_product_is_the_sum_of_logarithms() {
        let factors: Vec<f64> = (1..2000).map(|i| 1.0 + f64::from(i).powi(3)).collect();
        let mut product = LogProduct::default();
        for factor in &factors {
            product.multiply(*factor);
        }
        let sum: f64 = factors.iter().map(|factor| factor.ln()).sum();
        assert!((product.log() - sum).abs() < 1e-9 * sum);
    }
}
