//! Runs whose logarithms scatter as a normal distribution.

use rand::rngs::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::normal::Normal;
use super::{Coordinate, Likelihood, Parameter, Repeat, RunMoments};
use crate::data::{Measurements, Pair, Sample};
use crate::error::Error;
use crate::model::Standard;

/// `log run ~ Normal(mean_v, √(sd_v² + (resolution/mean)²/12))`.
///
/// What it says of the runs themselves is in their own unit, not standardised: the
/// logarithm has taken the unit out of the parameters.
#[derive(Debug, Clone)]
pub(super) struct Lognormal {
    logs: Normal,
    /// Of the logarithms.
    standard: Standard,
}

/// The logarithms of the runs of each variant.
///
/// # Errors
/// When a variant is a summary, has one run only, or a run that is not above 0.
pub(in crate::model) fn logarithms(
    pair: &Pair<'_>,
) -> Result<[Measurements; 2], Error> {
    let relative = pair.resolution / pair.grand_mean();
    let of = |v: usize| {
        let label = pair.labels[v];
        let sample = match pair.measurements[v] {
            Measurements::Runs(sample) => sample,
            Measurements::Summary(_) => {
                return Err(Error::new(format!(
                    "`{label}` is a summary, and the logarithms of its runs are not known"
                ))
                .with_hint("use `--model normal`, which needs n, mean and SD only"));
            }
        };
        if sample.len() < 2 {
            return Err(Error::new(format!(
                "`{label}` has one run, which does not tell the spread of its logarithm"
            ))
            .with_hint("use `--model normal`"));
        }
        if let Some(at) = sample.runs().iter().position(|run| *run <= 0.0) {
            let run = sample.runs()[at];
            return Err(Error::new(format!(
                "run {} of `{label}` is {run}, and only a value above 0 has a logarithm",
                at + 1
            ))
            .with_hint("use `--model normal`"));
        }
        let logs = sample.runs().iter().map(|run| run.ln()).collect();
        Ok(Measurements::Runs(Sample::new(logs)?.with_resolution(relative)))
    };
    Ok([of(0)?, of(1)?])
}

impl Lognormal {
    /// `logs` is the pair of [`logarithms`], `standard` that of the same.
    pub(super) fn new(logs: &Pair<'_>, standard: Standard, resolution: f64) -> Self {
        Self { logs: Normal::new(logs, standard, resolution), standard }
    }

    /// Mean and SD of the logarithm of a run of each variant.
    fn of_logs(&self, parameters: &[f64]) -> [RunMoments; 2] {
        self.logs.moments(parameters).map(|of| RunMoments {
            mean: self.standard.centre + self.standard.scale * of.mean,
            sd: self.standard.scale * of.sd,
        })
    }
}

/// Mean and SD of a run whose logarithm has these (Johnson, Kotz & Balakrishnan 1994,
/// chapter 14, equations 14.8a and 14.8b).
fn of_runs(log: RunMoments) -> RunMoments {
    let variance = log.sd * log.sd;
    let mean = (log.mean + variance / 2.0).exp();
    RunMoments { mean, sd: mean * variance.exp_m1().sqrt() }
}

/// The mean of `n` runs whose logarithm has these moments.
///
/// Many are drawn at once, from the lognormal distribution with the mean and the
/// variance of theirs (Fenton 1960).
fn mean_of_runs(log: RunMoments, n: usize, rng: &mut ChaCha8Rng) -> f64 {
    let mut run = |of: RunMoments| -> f64 {
        let z: f64 = StandardNormal.sample(rng);
        (of.mean + of.sd * z).exp()
    };
    if n <= MOST_SIMULATED {
        return (0..n).map(|_| run(log)).sum::<f64>() / n as f64;
    }
    let variance = ((log.sd * log.sd).exp_m1() / n as f64).ln_1p();
    let mean = log.mean + (log.sd * log.sd - variance) / 2.0;
    run(RunMoments { mean, sd: variance.sqrt() })
}

/// Runs of a repeated experiment that are drawn one by one.
const MOST_SIMULATED: usize = 100;

impl Likelihood for Lognormal {
    fn parameters(&self) -> &'static [Parameter] {
        self.logs.parameters()
    }

    fn coordinates(&self) -> Vec<Coordinate> {
        self.logs.coordinates()
    }

    fn log_density(&self, parameters: &[f64], gradient: &mut [f64]) -> f64 {
        self.logs.log_density(parameters, gradient)
    }

    fn moments(&self, parameters: &[f64]) -> [RunMoments; 2] {
        self.of_logs(parameters).map(of_runs)
    }

    /// With the Jacobian of the logarithm, so that it is the density of a run.
    fn log_density_of_runs(
        &self,
        parameters: &[f64],
        variant: usize,
        runs: &[f64],
    ) -> Option<f64> {
        let log = self.of_logs(parameters)[variant];
        let logs: Vec<f64> = runs.iter().map(|run| run.ln()).collect();
        let jacobian: f64 = logs.iter().sum();
        Some(super::normal_log_density(&logs, log.mean, log.sd * log.sd) - jacobian)
    }

    fn repeat(
        &self,
        parameters: &[f64],
        n: [usize; 2],
        rng: &mut ChaCha8Rng,
    ) -> Repeat {
        let logs = self.of_logs(parameters);
        let mut mean = |v: usize, n: usize| mean_of_runs(logs[v], n, rng);
        Repeat { means: [mean(0, n[0]), mean(1, n[1])], runs: [mean(0, 1), mean(1, 1)] }
    }

    fn standard_of_runs(&self, _standard: Standard) -> Standard {
        Standard::NONE
    }

    /// The median of a run is the exponential of the mean of its logarithm.
    fn ratio_of_medians(&self, parameters: &[f64]) -> Option<f64> {
        let [baseline, candidate] = self.of_logs(parameters);
        Some((candidate.mean - baseline.mean).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampler::stream;

    #[test]
    fn moments_of_a_lognormal_run_are_those_of_the_closed_form() {
        // CPython 3: math.exp(1.125), math.sqrt(math.expm1(0.25)).
        let of = of_runs(RunMoments { mean: 1.0, sd: 0.5 });
        assert!((of.mean - 3.080_216_848_918).abs() < 1e-11);
        assert!((of.sd / of.mean - 0.532_940_350_0).abs() < 1e-9);
    }

    #[test]
    fn means_drawn_at_once_have_the_moments_of_those_drawn_one_by_one() {
        let log = RunMoments { mean: 0.3, sd: 0.4 };
        let runs = of_runs(log);
        for n in [MOST_SIMULATED, MOST_SIMULATED + 1] {
            let mut rng = stream(7, n as u64);
            let means: Vec<f64> =
                (0..4000).map(|_| mean_of_runs(log, n, &mut rng)).collect();
            let mean = crate::numerics::mean(&means);
            let variance = crate::numerics::sum_of_squares(&means, mean) / 3999.0;
            let se = runs.sd / (n as f64).sqrt();
            assert!((mean - runs.mean).abs() < 4.0 * se / 4000_f64.sqrt(), "{n}");
            // An SD of 4,000 nearly normal values is known to 1/√8000.
            assert!((variance.sqrt() / se - 1.0).abs() < 4.0 / 8000_f64.sqrt(), "{n}");
        }
    }
}
