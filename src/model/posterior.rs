//! A model bound to the data of one pair: a log density that a sampler can draw from.

use rand::Rng;
use rand::rngs::ChaCha8Rng;
use rand_distr::{Distribution as _, Uniform};

use super::distribution::{Argument, Distribution, Slope, Support};
use super::expression::{Bound, Meaning, Operation, Place, unknown};
use super::likelihood::{
    self, Coordinate, Kind, Likelihood, Member, NormalPrior, Repeat, RunMoments,
};
use super::spec::PriorLine;
use super::{NESTED, PAIRED, Spec};
use crate::data::{Blocks, Moments, Pair};
use crate::error::Error;
use crate::sampler::LogDensity;

/// The most parameters a model may have: those of two variants and the shared ones.
const MOST_PARAMETERS: usize = 16;

/// Where runs are centred and what they are divided by before anything is computed, so
/// that seconds and nanoseconds give the same answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standard {
    /// What becomes 0, in the unit of the runs.
    pub centre: f64,
    /// What becomes 1, in the unit of the runs.
    pub scale: f64,
}

impl Standard {
    /// That of values which are in the unit of the runs already.
    pub const NONE: Self = Self { centre: 0.0, scale: 1.0 };

    /// The grand mean, and the pooled SD within variants.
    pub fn of(pair: &Pair<'_>) -> Self {
        Self { centre: pair.grand_mean(), scale: pair.sd_within() }
    }

    /// Moments in standardised units.
    pub fn moments(&self, moments: &Moments) -> Moments {
        Moments {
            n: moments.n,
            mean: (moments.mean - self.centre) / self.scale,
            sum_of_squares: moments.sum_of_squares / self.scale / self.scale,
        }
    }
}

/// The statistics of the data that a prior may name, in the unit of the runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistics {
    /// Mean of all runs together.
    pub grand_mean: f64,
    /// Spread of all runs together: [`Pair::sd_all`].
    pub sd_all: f64,
    /// Pooled SD within variants: [`Pair::sd_within`].
    pub sd_within: f64,
    /// Width of the last decimal place.
    pub resolution: f64,
    /// Pooled SD of the means of invocations: [`Pair::sd_between`]; for a likelihood
    /// that knows invocations, where a variant has several.
    pub sd_between: Option<f64>,
    /// Those of differences and levels of blocks; for a likelihood that knows blocks.
    pub blocks: Option<BlockStatistics>,
}

/// The statistics of blocks that a prior may name, in the unit of the runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockStatistics {
    /// Root mean square of candidate − baseline: [`Blocks::rms_difference`].
    pub rms_d: f64,
    /// Sample SD of candidate − baseline: [`Blocks::sd_difference`].
    pub sample_sd_d: f64,
    /// Sample SD of (baseline + candidate)/2: [`Blocks::sd_level`].
    pub sample_sd_s: f64,
}

impl Statistics {
    /// Those of a pair.
    pub fn of(pair: &Pair<'_>) -> Self {
        Self {
            grand_mean: pair.grand_mean(),
            sd_all: pair.sd_all(),
            sd_within: pair.sd_within(),
            resolution: pair.resolution,
            sd_between: None,
            blocks: None,
        }
    }

    /// Those of a pair, as a likelihood that knows invocations takes them.
    pub fn of_invocations(pair: &Pair<'_>) -> Self {
        Self {
            sd_within: pair.sd_within_invocations().unwrap_or_else(|| pair.sd_within()),
            sd_between: pair.sd_between(),
            ..Self::of(pair)
        }
    }

    /// Those of a pair, as a likelihood that knows blocks takes them.
    ///
    /// # Errors
    /// As [`Blocks::of`].
    pub fn of_blocks(pair: &Pair<'_>) -> Result<Self, Error> {
        let blocks = Blocks::of(pair.labels, pair.measurements)?;
        let blocks = BlockStatistics {
            rms_d: blocks.rms_difference(),
            sample_sd_d: blocks.sd_difference(),
            sample_sd_s: blocks.sd_level(),
        };
        Ok(Self { blocks: Some(blocks), ..Self::of(pair) })
    }

    /// All that there are.
    pub(super) const NAMES: [&'static str; 8] = [
        "grand_mean",
        "sd_all",
        "sd_within",
        "resolution",
        "sd_between",
        "rms_d",
        "sample_sd_d",
        "sample_sd_s",
    ];

    pub(super) fn named(&self, name: &str) -> Option<f64> {
        match name {
            "grand_mean" => Some(self.grand_mean),
            "sd_all" => Some(self.sd_all),
            "sd_within" => Some(self.sd_within),
            "resolution" => Some(self.resolution),
            "sd_between" => self.sd_between,
            "rms_d" => Some(self.blocks?.rms_d),
            "sample_sd_d" => Some(self.blocks?.sample_sd_d),
            "sample_sd_s" => Some(self.blocks?.sample_sd_s),
            _ => None,
        }
    }
}

/// A parameter of the posterior: one of the likelihood's, or a shared one that the
/// model file declares for its priors.
#[derive(Debug, Clone, PartialEq)]
pub struct Unknown {
    /// As the model file names it.
    pub name: String,
    /// 0 of the baseline, 1 of the candidate, `None` shared by both.
    pub variant: Option<usize>,
    /// What turns a standardised value into the unit that the priors speak:
    /// value = shift + factor · standardised.
    shift: f64,
    factor: f64,
}

/// One prior density, of one parameter.
#[derive(Debug, Clone)]
struct Prior {
    of: usize,
    distribution: Distribution,
    arguments: Vec<Bound>,
    /// The normalising term, where it depends on no parameter.
    constant: Option<f64>,
    /// What was taken off the location argument, and is taken off the parameter:
    /// of 1e9 plus small, the small part must keep its digits.
    origin: f64,
}

/// The posterior of one pair under one model.
pub struct Posterior {
    likelihood: Box<dyn Likelihood>,
    unknowns: Vec<Unknown>,
    coordinates: Vec<Coordinate>,
    priors: Vec<Prior>,
    /// Of what the likelihood says of runs.
    standard: Standard,
    statistics: Statistics,
}

impl Posterior {
    /// Binds a model to a pair, with the statistics of that pair.
    ///
    /// # Errors
    /// When the model and the data do not fit; the error shows the prior to blame.
    pub fn new(spec: &Spec, pair: &Pair<'_>) -> Result<Self, Error> {
        Self::of(spec, pair, None)
    }

    /// Binds a model to a pair, with statistics given: simulation-based calibration
    /// must hold them fixed over data sets.
    ///
    /// # Errors
    /// As [`Posterior::new`].
    pub fn with_statistics(
        spec: &Spec,
        pair: &Pair<'_>,
        statistics: &Statistics,
    ) -> Result<Self, Error> {
        Self::of(spec, pair, Some(statistics))
    }

    fn of(
        spec: &Spec,
        pair: &Pair<'_>,
        statistics: Option<&Statistics>,
    ) -> Result<Self, Error> {
        let seen = likelihood::seen(&spec.likelihood, pair)?;
        let pair = &match &seen {
            Some([baseline, candidate]) => {
                Pair::new(pair.labels, [baseline, candidate])?
            }
            None => pair.clone(),
        };
        let statistics = match (statistics, spec.likelihood.as_str()) {
            (Some(fixed), _) => *fixed,
            (None, NESTED) => Statistics::of_invocations(pair),
            (None, PAIRED) => Statistics::of_blocks(pair)?,
            (None, _) => Statistics::of(pair),
        };
        let standard = Standard::of(pair);
        let resolution = if spec.rounding { statistics.resolution } else { 0.0 };
        let rounded = Statistics { resolution, ..statistics };
        let likelihood = likelihood::bind(&spec.likelihood, pair, standard, &rounded)?;
        check_propriety(spec, pair, likelihood.as_ref())?;
        check_known_names(spec)?;
        check_names(spec, likelihood.as_ref())?;
        let mut posterior = Self {
            unknowns: own_unknowns(likelihood.as_ref(), standard),
            coordinates: likelihood.coordinates(),
            standard: likelihood.standard_of_runs(standard),
            likelihood,
            priors: Vec::new(),
            statistics,
        };
        posterior.add_priors(spec, &statistics)?;
        posterior.pool_shared_scales();
        Ok(posterior)
    }

    /// The parameters, in order.
    pub fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }

    /// How moments and repeats of runs were standardised.
    pub fn standard(&self) -> Standard {
        self.standard
    }

    /// The parameters at an unconstrained position, standardised.
    pub fn parameters(&self, position: &[f64]) -> Vec<f64> {
        let mut parameters = vec![0.0; self.coordinates.len()];
        self.constrain(position, &mut parameters);
        parameters
    }

    /// Parameters in the unit of the runs.
    pub fn in_unit(&self, parameters: &[f64]) -> Vec<f64> {
        parameters
            .iter()
            .zip(&self.unknowns)
            .map(|(parameter, unknown)| unknown.shift + unknown.factor * parameter)
            .collect()
    }

    /// Mean and SD of a run of each variant, standardised.
    pub fn moments(&self, parameters: &[f64]) -> [RunMoments; 2] {
        self.likelihood.moments(parameters)
    }

    /// The statistics of the data that its priors name.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The joint log density of runs of one invocation of a variant, in the unit of the
    /// runs; `None` where runs of one variant have no density of their own.
    pub fn log_density_of_runs(
        &self,
        parameters: &[f64],
        variant: usize,
        runs: &[f64],
    ) -> Option<f64> {
        let Standard { centre, scale } = self.standard;
        let runs: Vec<f64> = runs.iter().map(|run| (run - centre) / scale).collect();
        let log = self.likelihood.log_density_of_runs(parameters, variant, &runs)?;
        Some(log - runs.len() as f64 * scale.ln())
    }

    /// New runs of each variant, in invocations of these lengths, in their unit.
    pub fn replicate(
        &self,
        parameters: &[f64],
        lengths: [&[usize]; 2],
        rng: &mut ChaCha8Rng,
    ) -> [Vec<f64>; 2] {
        let Standard { centre, scale } = self.standard;
        let runs = self.likelihood.replicate(parameters, lengths, rng);
        runs.map(|runs| runs.iter().map(|run| centre + scale * run).collect())
    }

    /// A repeat of the experiment, standardised.
    pub fn repeat(
        &self,
        parameters: &[f64],
        n: [usize; 2],
        rng: &mut ChaCha8Rng,
    ) -> Repeat {
        self.likelihood.repeat(parameters, n, rng)
    }

    /// SD of the difference of one run of each, standardised, where they are not
    /// independent.
    pub fn sd_of_difference(&self, parameters: &[f64]) -> Option<f64> {
        self.likelihood.sd_of_difference(parameters)
    }

    /// Median of a candidate run over that of a baseline run, where it is not the ratio
    /// of the means.
    pub fn ratio_of_medians(&self, parameters: &[f64]) -> Option<f64> {
        self.likelihood.ratio_of_medians(parameters)
    }

    /// The log density of the priors and of the data at standardised parameters, as
    /// Stan counts it: on the constrained scale, without Jacobian.
    pub fn log_joint(&self, parameters: &[f64]) -> f64 {
        self.log_density_of_priors(parameters) + self.log_likelihood(parameters)
    }

    /// The log density of all priors at standardised parameters, on the constrained
    /// scale and in the unit of the runs.
    pub fn log_density_of_priors(&self, parameters: &[f64]) -> f64 {
        self.log_prior(parameters, &mut vec![0.0; parameters.len()])
    }

    /// The log density of the data at standardised parameters, up to a constant.
    pub fn log_likelihood(&self, parameters: &[f64]) -> f64 {
        self.likelihood.log_density(parameters, &mut vec![0.0; parameters.len()])
    }

    /// [`Posterior::log_joint`], with its gradient by the parameters in the unit of the
    /// runs.
    pub fn log_joint_gradient(&self, parameters: &[f64]) -> (f64, Vec<f64>) {
        let mut gradient = vec![0.0; parameters.len()];
        let mut by_standardised = gradient.clone();
        let log = self.log_prior(parameters, &mut gradient)
            + self.likelihood.log_density(parameters, &mut by_standardised);
        for ((slope, more), unknown) in
            gradient.iter_mut().zip(by_standardised).zip(&self.unknowns)
        {
            *slope += more / unknown.factor;
        }
        (log, gradient)
    }

    /// Standardised parameters from those in the unit of the runs.
    pub fn standardised(&self, values: &[f64]) -> Vec<f64> {
        values
            .iter()
            .zip(&self.unknowns)
            .map(|(value, unknown)| (value - unknown.shift) / unknown.factor)
            .collect()
    }

    /// Parameters from the prior, in the unit of the runs; `None` if one is improper.
    ///
    /// A prior that reaches below 0 is cut there for a parameter above 0.
    pub fn sample_prior(&self, rng: &mut impl Rng) -> Option<Vec<f64>> {
        const TRIES: usize = 10_000;
        let mut values = vec![0.0; self.unknowns.len()];
        for prior in &self.priors {
            let arguments = prior.arguments(&values);
            let origin = prior.origin;
            let unknown = &self.unknowns[prior.of];
            let lower = match self.coordinates[prior.of] {
                Coordinate::Log { lower, .. } => unknown.shift + unknown.factor * lower,
                Coordinate::Pooled { .. } => 0.0,
                Coordinate::Shift { .. } | Coordinate::Mean { .. } => f64::NEG_INFINITY,
            };
            values[prior.of] = (0..TRIES)
                .map_while(|_| prior.distribution.sample(arguments, rng))
                .map(|value| value + origin)
                .find(|value| *value > lower)?;
        }
        Some(values)
    }

    fn add_priors(
        &mut self,
        spec: &Spec,
        statistics: &Statistics,
    ) -> Result<(), Error> {
        // A typical value of each parameter, to find that of those that depend on it.
        let centres = vec![0.0; self.coordinates.len()];
        let mut typical = self.in_unit(&self.parameters(&centres));
        let mut declared: Vec<&str> = Vec::new();
        for line in &spec.priors {
            let own = self.indices(&line.parameter);
            let variants: Vec<Option<usize>> = if own.is_empty() {
                vec![None]
            } else {
                own.iter().map(|&index| self.unknowns[index].variant).collect()
            };
            for variant in variants {
                check_scope(line, &declared, variant, &self.unknowns)?;
                check_known(line, statistics)?;
                let arguments = self.bind(line, variant, statistics);
                check_arguments(line, &arguments, &typical)?;
                if line.statement.lower.is_some()
                    && !arguments.iter().all(Bound::is_constant)
                {
                    return Err(line.error_of_whole(
                        "a prior that is cut may name no other parameter",
                    ));
                }
                let of = self.unknowns.iter().position(|unknown| {
                    unknown.name == line.parameter && unknown.variant == variant
                });
                let of = match of {
                    Some(of) => {
                        self.bound(of, line.statement.lower, &mut typical);
                        of
                    }
                    None => self.declare(line, &arguments, &mut typical),
                };
                let distribution = line.statement.distribution;
                let prior =
                    Prior::new(of, distribution, arguments, self.unknowns[of].shift);
                self.standardise_mean(&prior);
                self.start_within(&prior);
                self.priors.push(prior);
            }
            declared.push(&line.parameter);
        }
        let count = self.unknowns.len();
        if count > MOST_PARAMETERS {
            return Err(Error::new(format!(
                "the model `{}` has {count} parameters; {MOST_PARAMETERS} are the most",
                spec.name
            )));
        }
        Ok(())
    }

    /// Gives a shared scale the coordinate in which it is independent of the two that
    /// it ties, where all three priors are lognormal with fixed spreads.
    fn pool_shared_scales(&mut self) {
        for of in 0..self.unknowns.len() {
            if let Some(pooled) = self.pooled(of) {
                self.coordinates[of] = pooled;
            }
        }
    }

    fn pooled(&self, of: usize) -> Option<Coordinate> {
        let own = self.priors.iter().find(|prior| prior.of == of)?;
        let fixed = own.arguments.iter().all(Bound::is_constant);
        let shared = self.unknowns[of].variant.is_none();
        if own.distribution != Distribution::Lognormal || !fixed || !shared {
            return None;
        }
        let mut members = Vec::new();
        for prior in self.priors.iter().filter(|prior| prior.names(of)) {
            let [Bound::Apply(Operation::Log, centre), Bound::Constant(spread)] =
                prior.arguments.as_slice()
            else {
                return None;
            };
            let tied = matches!(
                self.coordinates[prior.of],
                Coordinate::Log { lower: 0.0, .. }
            );
            if prior.distribution != Distribution::Lognormal
                || **centre != [Bound::Parameter(of)]
                || !tied
            {
                return None;
            }
            members.push(Member {
                index: prior.of,
                precision: 1.0 / (spread * spread),
                factor: self.unknowns[prior.of].factor,
            });
        }
        let members = <[Member; 2]>::try_from(members).ok()?;
        let [mean, spread, _] = own.arguments(&[]);
        let inverse = 1.0 / (spread * spread);
        let tied: f64 = members.iter().map(|member| member.precision).sum();
        let precision = inverse + tied;
        Some(Coordinate::Pooled { weighted: mean * inverse, precision, members })
    }

    /// Moves the bound of a parameter above 0 to where its prior is cut.
    fn bound(&mut self, of: usize, cut: Option<f64>, typical: &mut [f64]) {
        let unknown = &self.unknowns[of];
        if let (Some(cut), Coordinate::Log { lower, .. }) =
            (cut, &mut self.coordinates[of])
        {
            let standardised = (cut - unknown.shift) / unknown.factor;
            typical[of] += unknown.factor * (standardised - *lower);
            *lower = standardised;
        }
    }

    /// Tells a mean's coordinate of a normal prior with fixed arguments.
    fn standardise_mean(&mut self, prior_of_mean: &Prior) {
        if prior_of_mean.distribution != Distribution::Normal
            || !prior_of_mean.arguments.iter().all(Bound::is_constant)
        {
            return;
        }
        let factor = self.unknowns[prior_of_mean.of].factor;
        let [expected, sd, _] = prior_of_mean.arguments(&[]);
        if let Coordinate::Mean { prior, .. } = &mut self.coordinates[prior_of_mean.of]
        {
            *prior = NormalPrior {
                expected: expected / factor,
                precision: (factor / sd).powi(2),
            };
        }
    }

    /// Centres a coordinate between the ends of a uniform prior, well away from both.
    fn start_within(&mut self, prior: &Prior) {
        if prior.distribution != Distribution::Uniform
            || !prior.arguments.iter().all(Bound::is_constant)
        {
            return;
        }
        let unknown = &self.unknowns[prior.of];
        let [low, high, _] = prior.arguments(&[]);
        let [low, high] = [low, high].map(|end| (end - unknown.shift) / unknown.factor);
        if let Coordinate::Log { centre, lower, .. } = &mut self.coordinates[prior.of] {
            let ends = [4.0 * (low - *lower).max(0.0), (high - *lower) / 4.0];
            if ends[0] < ends[1] {
                *centre = centre.exp().clamp(ends[0], ends[1]).ln();
            }
        }
    }

    fn indices(&self, name: &str) -> Vec<usize> {
        let named = |index: &usize| self.unknowns[*index].name == name;
        (0..self.unknowns.len()).filter(named).collect()
    }

    fn bind(
        &self,
        line: &PriorLine,
        variant: Option<usize>,
        statistics: &Statistics,
    ) -> Vec<Bound> {
        let meaning = |name: &str| match statistics.named(name) {
            Some(value) => Meaning::Constant(value),
            None => Meaning::Parameter(
                self.unknowns
                    .iter()
                    .position(|unknown| {
                        unknown.name == name
                            && (unknown.variant.is_none() || unknown.variant == variant)
                    })
                    .expect("check_scope knows every name"),
            ),
        };
        line.statement
            .arguments
            .iter()
            .map(|(expression, _)| expression.bind(&meaning))
            .collect()
    }

    /// Adds a shared parameter, started where its prior is typical.
    fn declare(
        &mut self,
        line: &PriorLine,
        arguments: &[Bound],
        typical: &mut Vec<f64>,
    ) -> usize {
        let distribution = line.statement.distribution;
        let (value, spread) = distribution.typical(evaluate(arguments, typical));
        let spread = if spread.is_finite() && spread > 0.0 { spread } else { 1.0 };
        let lower = line.statement.lower;
        self.coordinates.push(match (distribution.support(), lower) {
            (Support::Positive, _) => {
                let lower = lower.unwrap_or(0.0);
                Coordinate::Log { centre: value.ln(), scale: spread.min(1.0), lower }
            }
            (Support::Real | Support::Between, Some(lower)) => {
                Coordinate::Log { centre: spread.ln(), scale: 1.0, lower }
            }
            (Support::Real | Support::Between, None) => {
                Coordinate::Shift { centre: value, scale: spread }
            }
        });
        self.unknowns.push(Unknown {
            name: line.parameter.clone(),
            variant: None,
            shift: 0.0,
            factor: 1.0,
        });
        typical.push(match lower {
            Some(lower) => lower + spread,
            None => value,
        });
        self.unknowns.len() - 1
    }

    /// Parameters from a position; returns the log of the Jacobian.
    fn constrain(&self, position: &[f64], parameters: &mut [f64]) -> f64 {
        let mut log_jacobian = 0.0;
        for (i, coordinate) in self.coordinates.iter().enumerate() {
            match *coordinate {
                Coordinate::Shift { centre, scale } => {
                    parameters[i] = centre + scale * position[i];
                }
                Coordinate::Log { centre, scale, lower } => {
                    let log = centre + scale * position[i];
                    parameters[i] = lower + log.exp();
                    log_jacobian += log;
                }
                Coordinate::Mean { .. } | Coordinate::Pooled { .. } => {}
            }
        }
        for (i, coordinate) in self.coordinates.iter().enumerate() {
            if let Coordinate::Pooled { weighted, precision, members } = *coordinate {
                let tied: f64 = members
                    .iter()
                    .map(|one| {
                        one.precision * (one.factor * parameters[one.index]).ln()
                    })
                    .sum();
                let log =
                    (weighted + tied) / precision + position[i] / precision.sqrt();
                parameters[i] = log.exp();
                log_jacobian += log;
            }
            if let Coordinate::Mean { observed, n, sds, floor, prior } = *coordinate {
                let data = n / variance_of(sds, floor, parameters);
                let precision = data + prior.precision;
                let centre =
                    (data * observed + prior.precision * prior.expected) / precision;
                parameters[i] = centre + position[i] / precision.sqrt();
                log_jacobian -= 0.5 * precision.ln();
            }
        }
        log_jacobian
    }

    /// Turns the gradient by the parameters into that by the position, Jacobian
    /// included.
    fn pull_back(&self, position: &[f64], parameters: &[f64], gradient: &mut [f64]) {
        for (i, coordinate) in self.coordinates.iter().enumerate() {
            if let Coordinate::Mean { observed, n, sds, floor, prior } = *coordinate {
                let variance = variance_of(sds, floor, parameters);
                let data = n / variance;
                let precision = data + prior.precision;
                let step = 1.0 / precision.sqrt();
                let off = observed - prior.expected;
                // Of the conditional mean, of u times the step, and of log step.
                let mean_by_data = prior.precision * off / (precision * precision)
                    - position[i] * step / (2.0 * precision);
                let by_data = gradient[i] * mean_by_data - 0.5 / precision;
                for (sd, weight) in sds {
                    let by_variance = by_data * data / variance;
                    gradient[sd] -= by_variance * 2.0 * weight * parameters[sd];
                }
                gradient[i] *= step;
            }
        }
        for (i, coordinate) in self.coordinates.iter().enumerate() {
            if let Coordinate::Pooled { precision, members, .. } = *coordinate {
                let by_log = gradient[i] * parameters[i] + 1.0;
                for one in members {
                    let share = one.precision / precision;
                    gradient[one.index] += by_log * share / parameters[one.index];
                }
                gradient[i] = by_log / precision.sqrt();
            }
        }
        for (i, coordinate) in self.coordinates.iter().enumerate() {
            match *coordinate {
                Coordinate::Shift { scale, .. } => gradient[i] *= scale,
                Coordinate::Log { scale, lower, .. } => {
                    gradient[i] = (gradient[i] * (parameters[i] - lower) + 1.0) * scale;
                }
                Coordinate::Mean { .. } | Coordinate::Pooled { .. } => {}
            }
        }
    }

    /// The log prior at standardised parameters; adds its gradient by them in the unit
    /// of the runs.
    fn log_prior(&self, parameters: &[f64], gradient: &mut [f64]) -> f64 {
        let dim = parameters.len();
        let (mut values, mut offsets) =
            ([0.0; MOST_PARAMETERS], [0.0; MOST_PARAMETERS]);
        for (i, unknown) in self.unknowns.iter().enumerate() {
            offsets[i] = unknown.factor * parameters[i];
            values[i] = unknown.shift + offsets[i];
        }
        let (values, offsets) = (&values[..dim], &offsets[..dim]);
        self.priors
            .iter()
            .map(|prior| prior.log_density(values, offsets, gradient))
            .sum()
    }
}

impl LogDensity for Posterior {
    fn dim(&self) -> usize {
        self.coordinates.len()
    }

    fn log_density(&self, position: &[f64], gradient: &mut [f64]) -> f64 {
        let dim = self.coordinates.len();
        let mut parameters = [0.0; MOST_PARAMETERS];
        let parameters = &mut parameters[..dim];
        let log_jacobian = self.constrain(position, parameters);
        gradient.fill(0.0);
        let log_prior = self.log_prior(parameters, gradient);
        for (slope, unknown) in gradient.iter_mut().zip(&self.unknowns) {
            *slope *= unknown.factor;
        }
        let log_likelihood = self.likelihood.log_density(parameters, gradient);
        self.pull_back(position, parameters, gradient);
        log_prior + log_likelihood + log_jacobian
    }

    fn start(&self, rng: &mut ChaCha8Rng) -> Vec<f64> {
        let around = Uniform::new(-1.0, 1.0).expect("−1 is below 1");
        (0..self.dim()).map(|_| around.sample(rng)).collect()
    }
}

impl Prior {
    fn new(
        of: usize,
        distribution: Distribution,
        mut arguments: Vec<Bound>,
        shift: f64,
    ) -> Self {
        let mut origin = 0.0;
        let location = distribution.location_argument().map(|at| &mut arguments[at]);
        if let Some(Bound::Constant(location)) = location {
            *location -= shift;
            origin = shift;
        }
        let free = distribution.argument_without_norm();
        let fixed = |at: usize| Some(at) == free || arguments[at].is_constant();
        let constant = (0..arguments.len()).all(fixed).then(|| {
            // The argument that does not matter may be anything; it is not evaluated.
            let mut values = [0.0; 3];
            for (at, argument) in arguments.iter().enumerate() {
                if argument.is_constant() {
                    values[at] = argument.value(&[]);
                }
            }
            distribution.log_normaliser(values).log
        });
        Self { of, distribution, arguments, constant, origin }
    }

    /// Whether a parameter is in its arguments.
    fn names(&self, parameter: usize) -> bool {
        self.arguments.iter().any(|argument| argument.names(parameter))
    }

    fn arguments(&self, values: &[f64]) -> [f64; 3] {
        evaluate(&self.arguments, values)
    }

    /// At parameters in the unit of the runs (`values`), and the same without the
    /// shift of the axis (`offsets`).
    fn log_density(
        &self,
        values: &[f64],
        offsets: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let x = if self.origin == 0.0 { values[self.of] } else { offsets[self.of] };
        let arguments = self.arguments(values);
        let outside = self.distribution.support() == Support::Positive && x <= 0.0;
        let unfit = |(kind, value): (&Argument, &f64)| {
            *kind == Argument::Positive && (value.is_nan() || *value <= 0.0)
        };
        let kinds = self.distribution.arguments();
        if outside || kinds.iter().zip(&arguments).any(unfit) {
            return f64::NEG_INFINITY;
        }
        let kernel = self.distribution.kernel(x, arguments);
        gradient[self.of] += kernel.by_x;
        let normaliser = match self.constant {
            Some(log) => Slope { log, ..Slope::default() },
            None => self.distribution.log_normaliser(arguments),
        };
        for (i, argument) in self.arguments.iter().enumerate() {
            let weight = kernel.by_args[i] + normaliser.by_args[i];
            argument.add_gradient(values, weight, gradient);
        }
        kernel.log + normaliser.log
    }
}

fn variance_of(sds: [(usize, f64); 2], floor: f64, parameters: &[f64]) -> f64 {
    sds.iter()
        .map(|(sd, weight)| weight * parameters[*sd] * parameters[*sd])
        .sum::<f64>()
        + floor
}

fn evaluate(arguments: &[Bound], values: &[f64]) -> [f64; 3] {
    let mut numbers = [0.0; 3];
    for (number, argument) in numbers.iter_mut().zip(arguments) {
        *number = argument.value(values);
    }
    numbers
}

/// The likelihood's own parameters, of baseline and candidate.
fn own_unknowns(likelihood: &dyn Likelihood, standard: Standard) -> Vec<Unknown> {
    let of = |parameter: &likelihood::Parameter, variant: Option<usize>| {
        let (shift, factor) = match parameter.kind {
            Kind::Location => (standard.centre, standard.scale),
            Kind::Offset | Kind::Scale => (0.0, standard.scale),
            Kind::Shape => (0.0, 1.0),
        };
        Unknown { name: parameter.name.to_owned(), variant, shift, factor }
    };
    likelihood
        .parameters()
        .iter()
        .flat_map(|parameter| {
            let variants: &[Option<usize>] =
                if parameter.shared { &[None] } else { &[Some(0), Some(1)] };
            variants.iter().map(|variant| of(parameter, *variant))
        })
        .collect()
}

/// Every name in a prior is a statistic or has a prior itself.
fn check_known_names(spec: &Spec) -> Result<(), Error> {
    let declared: Vec<&str> =
        spec.priors.iter().map(|line| line.parameter.as_str()).collect();
    for line in &spec.priors {
        for (name, place) in
            line.statement.arguments.iter().flat_map(|(one, _)| one.names())
        {
            if !declared.contains(&name) && !Statistics::NAMES.contains(&name) {
                let known = declared.iter().copied().chain(Statistics::NAMES).collect();
                return Err(line.error(unknown("name", name, place, known)));
            }
        }
    }
    Ok(())
}

/// Every parameter of the likelihood has a prior, and every other prior is named by one.
fn check_names(spec: &Spec, likelihood: &dyn Likelihood) -> Result<(), Error> {
    let own: Vec<&str> =
        likelihood.parameters().iter().map(|known| known.name).collect();
    for name in &own {
        if !spec.priors.iter().any(|line| line.parameter == *name) {
            return Err(Error::new(format!(
                "the model `{}` has no prior for `{name}`",
                spec.name
            ))
            .with_hint(format!("add a line `{name} = \"…\"` under `[priors]`")));
        }
    }
    for line in &spec.priors {
        let named = spec.priors.iter().any(|other| {
            let mut arguments = other.statement.arguments.iter();
            arguments.any(|(argument, _)| {
                argument.names().iter().any(|(name, _)| *name == line.parameter)
            })
        });
        if Statistics::NAMES.contains(&line.parameter.as_str()) {
            let name = &line.parameter;
            return Err(line
                .error_of_whole(format!(
                    "`{name}` is a statistic of the data, no parameter"
                ))
                .with_hint("give the parameter another name"));
        }
        if !named && !own.contains(&line.parameter.as_str()) {
            let unknown = crate::error::unknown_name(
                "parameter",
                &line.parameter,
                own.iter().copied(),
            );
            let hint = unknown.hint().unwrap_or_default();
            return Err(line
                .error_of_whole(format!(
                    "there is no parameter `{}` in this model",
                    line.parameter
                ))
                .with_hint(format!("{hint}; or let another prior name it")));
        }
    }
    Ok(())
}

/// Every name in a prior is a statistic or a parameter declared above it.
fn check_scope(
    line: &PriorLine,
    declared: &[&str],
    variant: Option<usize>,
    unknowns: &[Unknown],
) -> Result<(), Error> {
    let names = line.statement.arguments.iter().flat_map(|(one, _)| one.names());
    for (name, place) in names {
        if Statistics::NAMES.contains(&name) {
            continue;
        }
        if !declared.contains(&name) {
            let known = declared.iter().copied().chain(Statistics::NAMES).collect();
            let mut fault = unknown("name", name, place, known);
            let later = unknowns.iter().any(|unknown| unknown.name == name);
            if later {
                fault.hint = Some(format!("move the line of `{name}` above this one"));
            }
            return Err(line.error(fault));
        }
        let of_variants =
            |known: &&Unknown| known.name == name && known.variant.is_some();
        if variant.is_none() && unknowns.iter().any(|known| of_variants(&known)) {
            let what = format!("`{name}` is one of each variant, this one is shared");
            return Err(line.error(place.fault(what)));
        }
    }
    Ok(())
}

/// Every statistic that is named can be computed from these data.
fn check_known(line: &PriorLine, statistics: &Statistics) -> Result<(), Error> {
    let names = line.statement.arguments.iter().flat_map(|(one, _)| one.names());
    for (name, place) in names {
        if statistics.named(name).is_some() || !Statistics::NAMES.contains(&name) {
            continue;
        }
        let (what, hint) = if name == "sd_between" {
            (
                "no variant has two invocations, so this is not known",
                "state the noise between invocations, such as `--run-noise 2%`",
            )
        } else {
            ("only a model of blocks knows this", "use `--model paired`")
        };
        let mut fault = place.fault(what);
        fault.hint = Some(hint.into());
        return Err(line.error(fault));
    }
    Ok(())
}

/// Every argument that is known before sampling is in range.
fn check_arguments(
    line: &PriorLine,
    arguments: &[Bound],
    typical: &[f64],
) -> Result<(), Error> {
    let kinds = line.statement.distribution.arguments();
    let places = line.statement.arguments.iter().map(|(_, place)| *place);
    for ((argument, kind), place) in arguments.iter().zip(kinds).zip(places) {
        let value = argument.value(typical);
        if let Some(what) = out_of_range(*kind, value) {
            let mut fault = Place::fault(place, what);
            fault.hint =
                Some("numbers in a prior are in the unit of the runs".to_owned());
            return Err(line.error(fault));
        }
    }
    let uniform = line.statement.distribution == Distribution::Uniform;
    let ends = evaluate(arguments, typical);
    if uniform && ends[0] >= ends[1] {
        let what = format!("nothing lies between {} and {}", ends[0], ends[1]);
        return Err(line.error_of_whole(what));
    }
    Ok(())
}

fn out_of_range(kind: Argument, value: f64) -> Option<String> {
    match kind {
        _ if !value.is_finite() => {
            Some("this is no finite number for these data".into())
        }
        Argument::Positive if value <= 0.0 => {
            Some(format!("this must be above 0, and is {value} for these data"))
        }
        Argument::Positive | Argument::Real => None,
    }
}

/// Improper priors leave a proper posterior only if runs vary on each side.
fn check_propriety(
    spec: &Spec,
    pair: &Pair<'_>,
    likelihood: &dyn Likelihood,
) -> Result<(), Error> {
    let own = likelihood.parameters();
    let improper = |line: &&PriorLine| !line.statement.distribution.is_proper();
    let Some(line) = spec.priors.iter().find(improper) else { return Ok(()) };
    if !own.iter().any(|parameter| parameter.name == line.parameter) {
        return Err(line
            .error_of_whole("the posterior would be improper: no data speak to this")
            .with_hint(
                "give it a proper prior, such as `lognormal(log(sd_within), 2)`",
            ));
    }
    for (label, moments) in pair.labels.iter().zip(&pair.moments) {
        let why = match moments.n {
            1 => "has one run only",
            _ if moments.sum_of_squares == 0.0 => "has runs that are all equal",
            _ => continue,
        };
        return Err(Error::new(format!(
            "under the model `{}` the posterior is improper: `{label}` {why}",
            spec.name
        ))
        .with_hint("use `--model normal`, whose priors are proper"));
    }
    Ok(())
}
