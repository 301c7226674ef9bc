//! Likelihoods: the density of what was measured, one file each.

mod lognormal;
mod nested;
mod normal;
mod paired;
mod student_t;

pub use student_t::MOST_DISTINCT;

use rand::rngs::ChaCha8Rng;

use super::posterior::Statistics;
use super::{LOGNORMAL, NESTED, PAIRED, Standard};
use crate::data::{Blocks, Measurements, Pair};
use crate::error::Error;

/// A parameter of a likelihood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// As a model file names it.
    pub name: &'static str,
    /// What it measures.
    pub kind: Kind,
    /// Whether the variants share one, or each has its own.
    pub shared: bool,
}

/// How a parameter changes with the unit of the runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A place on the axis of the runs: shifts and scales with them.
    Location,
    /// A distance along it, of either sign: scales with them.
    Offset,
    /// A width, above 0: scales with them.
    Scale,
    /// A pure number above 0: the same in any unit.
    Shape,
}

/// How an unconstrained coordinate u becomes a parameter; chosen so that the posterior
/// of u is nearly a standard normal, whatever the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Coordinate {
    /// parameter = centre + scale·u
    Shift {
        /// Value at u = 0.
        centre: f64,
        /// Change per unit of u.
        scale: f64,
    },
    /// log(parameter − lower) = centre + scale·u
    Log {
        /// Logarithm of the distance from the bound at u = 0.
        centre: f64,
        /// Change of the logarithm per unit of u.
        scale: f64,
        /// The bound that the parameter stays above.
        lower: f64,
    },
    /// log parameter = its mean given the parameters whose logarithms it centres, plus
    /// its SD times u: between lognormal priors, u is exactly standard normal and
    /// independent of them (Gelman et al. 2013, equation 2.12).
    Pooled {
        /// Mean of its own lognormal prior times the inverse variance.
        weighted: f64,
        /// Inverse variance given all: its own prior's, and those of the members.
        precision: f64,
        /// Parameters that it centres, each with the inverse variance of its prior and
        /// the unit that turns it into the scale of the priors.
        members: [Member; 2],
    },
    /// A mean in units of its posterior SD at given SDs: with the data's precision
    /// a = n/(Σ weight·sd² + floor) and the prior's w,
    /// parameter = (a·observed + w·expected)/(a + w) + u/√(a + w).
    ///
    /// Under a normal prior and likelihood of the mean, u is then exactly standard
    /// normal and independent of the SDs (Gelman et al. 2013, equation 2.11).
    Mean {
        /// The observed mean.
        observed: f64,
        /// The number of values that the mean is of.
        n: f64,
        /// The SDs that a value has, each by its index, with the weight of its square.
        sds: [(usize, f64); 2],
        /// Variance that is there beside theirs.
        floor: f64,
        /// The prior of the mean where it is normal, else of precision 0.
        prior: NormalPrior,
    },
}

/// A parameter whose lognormal prior is centred on another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Member {
    /// Its index.
    pub index: usize,
    /// Inverse variance of its prior on the log scale.
    pub precision: f64,
    /// Value in the unit of the priors = factor · standardised value.
    pub factor: f64,
}

/// A normal prior with fixed mean and precision.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NormalPrior {
    /// Its mean.
    pub expected: f64,
    /// The inverse of its variance.
    pub precision: f64,
}

/// Mean and SD of the runs of one variant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunMoments {
    /// Mean of a run.
    pub mean: f64,
    /// SD of a run, rounding included.
    pub sd: f64,
}

/// New data from the same parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Repeat {
    /// Sample means of a repeated experiment: baseline, candidate.
    pub means: [f64; 2],
    /// One more run of each.
    pub runs: [f64; 2],
}

/// The density of the measurements of a pair, all in standardised units.
///
/// Parameters come as a flat list: for each of [`Likelihood::parameters`], the one of
/// the baseline, then the one of the candidate, or the one that they share.
pub trait Likelihood: Send + Sync {
    /// Its parameters, in order.
    fn parameters(&self) -> &'static [Parameter];

    /// Where the sampler should look for each of the flat list.
    fn coordinates(&self) -> Vec<Coordinate>;

    /// The log density; its gradient by the flat list is added to `gradient`.
    fn log_density(&self, parameters: &[f64], gradient: &mut [f64]) -> f64;

    /// Mean and SD of a run of each variant.
    fn moments(&self, parameters: &[f64]) -> [RunMoments; 2];

    /// A repeat of the experiment with the given numbers of runs.
    fn repeat(&self, parameters: &[f64], n: [usize; 2], rng: &mut ChaCha8Rng)
    -> Repeat;

    /// How [`Likelihood::moments`] and [`Likelihood::repeat`] are standardised, where
    /// the parameters are by `standard`.
    fn standard_of_runs(&self, standard: Standard) -> Standard {
        standard
    }

    /// The joint log density of runs of one invocation of a variant, normalised; runs as
    /// [`Likelihood::standard_of_runs`] has them. `None` where runs of one variant have
    /// no density of their own.
    fn log_density_of_runs(
        &self,
        _parameters: &[f64],
        _variant: usize,
        _runs: &[f64],
    ) -> Option<f64> {
        None
    }

    /// New runs of each variant, with invocations of these lengths; standardised as
    /// those of [`Likelihood::repeat`].
    fn replicate(
        &self,
        parameters: &[f64],
        lengths: [&[usize]; 2],
        rng: &mut ChaCha8Rng,
    ) -> [Vec<f64>; 2] {
        let n = lengths.map(|lengths| lengths.iter().sum::<usize>());
        let mut runs = n.map(Vec::with_capacity);
        for i in 0..n[0].max(n[1]) {
            let pair = self.repeat(parameters, [1, 1], rng).runs;
            for v in 0..2 {
                if i < n[v] {
                    runs[v].push(pair[v]);
                }
            }
        }
        runs
    }

    /// SD of the difference of one run of each; `None` where they are independent, so
    /// that it follows from their SDs.
    fn sd_of_difference(&self, _parameters: &[f64]) -> Option<f64> {
        None
    }

    /// Median of a candidate run over that of a baseline run; `None` where the median
    /// is the mean.
    fn ratio_of_medians(&self, _parameters: &[f64]) -> Option<f64> {
        None
    }
}

/// The log density of values that are independent and normal.
fn normal_log_density(values: &[f64], mean: f64, variance: f64) -> f64 {
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let n = values.len() as f64;
    -0.5 * (n * (std::f64::consts::TAU * variance).ln() + squares / variance)
}

/// What a likelihood sees of a pair where that is not the pair itself: logarithms, or
/// the runs of whole blocks.
///
/// # Errors
/// When the data are not what it needs.
pub(super) fn seen(
    name: &str,
    pair: &Pair<'_>,
) -> Result<Option<[Measurements; 2]>, Error> {
    match name {
        LOGNORMAL => lognormal::logarithms(pair).map(Some),
        PAIRED => {
            let blocks = Blocks::of(pair.labels, pair.measurements)?;
            Ok(Some(blocks.samples().map(|sample| Measurements::Runs(sample.clone()))))
        }
        _ => Ok(None),
    }
}

/// Names of all likelihoods.
pub const NAMES: [&str; 5] = ["normal", "student_t", NESTED, LOGNORMAL, PAIRED];

/// The parameters of the likelihood of that name; none of a name that there is not.
pub fn parameters_of(name: &str) -> &'static [Parameter] {
    match name {
        "normal" | LOGNORMAL => &normal::PARAMETERS,
        "student_t" => &student_t::PARAMETERS,
        NESTED => &nested::PARAMETERS,
        PAIRED => &paired::PARAMETERS,
        _ => &[],
    }
}

/// The likelihood of that name for these data, as `seen` prepares them.
///
/// # Errors
/// When there is none of that name, or the data are not what it needs.
pub fn bind(
    name: &str,
    pair: &Pair<'_>,
    standard: Standard,
    statistics: &Statistics,
) -> Result<Box<dyn Likelihood>, Error> {
    match name {
        "normal" => {
            Ok(Box::new(normal::Normal::new(pair, standard, statistics.resolution)))
        }
        "student_t" => {
            let bound =
                student_t::StudentT::new(pair, standard, statistics.resolution)?;
            Ok(Box::new(bound))
        }
        NESTED => {
            let between = statistics.sd_between.unwrap_or(statistics.sd_within);
            let typical = [statistics.sd_within, between];
            let bound =
                nested::Nested::new(pair, standard, statistics.resolution, typical)?;
            Ok(Box::new(bound))
        }
        LOGNORMAL => {
            let bound =
                lognormal::Lognormal::new(pair, standard, statistics.resolution);
            Ok(Box::new(bound))
        }
        PAIRED => {
            let blocks = Blocks::of(pair.labels, pair.measurements)?;
            let bound = paired::Paired::new(&blocks, standard, statistics.resolution);
            Ok(Box::new(bound))
        }
        _ => Err(crate::error::unknown_name("likelihood", name, NAMES)),
    }
}
