//! The draws of a comparison in the groups in which they are exported.

use ndarray::Array2;

use super::Compared;
use super::fit::Fit;
use super::quantities::{PerDraw, Quantities};
use crate::data::{Measurements, Sample};
use crate::draws::{
    DataArray, DataName, Dimension, Draws, GroupName, Kind, Statistic, Variable,
};
use crate::model::{LOGNORMAL, NESTED, Spec};
use crate::sampler::{AFTER_SAMPLING, stream};

/// The name under which a parameter is reported; `None` of one that is a quantity
/// already.
pub(super) fn reported(parameter: &str, model: &Spec) -> Option<String> {
    match (parameter, model.likelihood.as_str()) {
        ("mean" | "sd", LOGNORMAL) => Some(format!("log_{parameter}")),
        ("mean" | "sd" | "difference", _) => None,
        (other, _) => Some(other.to_owned()),
    }
}

/// Groups with a value for each run and draw hold no more values than this.
const MOST_VALUES: usize = 50_000_000;

/// Random numbers of replicated runs, of draws of the prior, and of their runs.
const STREAMS: [u64; 2] = [AFTER_SAMPLING + 1, AFTER_SAMPLING + 2];

/// The name of the runs, where a group has a value for each.
const RUNS: &str = "runs";

impl Compared<'_> {
    /// The draws as they are exported.
    pub(super) fn draws(&self, quantities: &Quantities, has_relative: bool) -> Draws {
        let Self { prepared, settings, fit, .. } = *self;
        let mut draws = Draws::default();
        let labels = Dimension::new("variant", prepared.labels());
        let posterior = draws.group_mut(GroupName::Posterior);
        for variable in variables(quantities, &labels, &prepared.model, has_relative) {
            posterior.push(variable);
        }
        let statistics = draws.group_mut(GroupName::SampleStats);
        for variable in sample_stats(fit) {
            statistics.push(variable);
        }
        draws.note("inference_library", "patchodds");
        draws.note("inference_library_version", env!("CARGO_PKG_VERSION"));
        draws.note("model", &prepared.model.name);
        draws.note("seed", settings.seed.to_string());
        draws.note("tuning_steps", fit.sampling.tune.to_string());
        draws.note("target_accept", fit.sampling.target_accept.to_string());
        draws.set_adaptation(fit.trace.adaptation.clone());
        if settings.every_group {
            self.add_data(&mut draws);
            self.add_densities(&mut draws);
            self.add_replicates(&mut draws);
            self.add_prior(&mut draws, &labels);
        }
        draws
    }

    /// The runs that the model saw, and the variant of each.
    fn add_data(&self, draws: &mut Draws) {
        let prepared = self.prepared;
        let samples = prepared.modelled().map(|measured| measured.sample());
        let runs = samples.map(|sample| sample.map_or(&[][..], Sample::runs));
        let counts = runs.map(<[f64]>::len);
        if counts.contains(&0) {
            return;
        }
        let dimension = runs_of(prepared.labels(), counts);
        let observed = DataArray::new(RUNS, &dimension, runs.concat());
        draws.push_data(DataName::ObservedData, observed);
        let variant = [vec![0.0; counts[0]], vec![1.0; counts[1]]].concat();
        let variant = DataArray::new("variant_of_run", &dimension, variant);
        draws.push_data(DataName::ConstantData, variant.of_kind(Kind::Count));
    }

    /// The log density of the priors, and that of each run or invocation.
    fn add_densities(&self, draws: &mut Draws) {
        let Self { prepared, fit, .. } = *self;
        let posterior = &fit.posterior;
        let log_prior = fit.per_draw(|one| posterior.log_density_of_priors(one));
        let name = GroupName::LogPrior;
        draws.group_mut(name).push(Variable::new("log_prior", log_prior));
        let units = Units::of(prepared.modelled(), &prepared.model);
        if !self.has_room_for(units.points.len(), draws) {
            return;
        }
        let densities = fit.per_draw_and(units.points.len(), |parameters, values| {
            for (value, (v, runs)) in values.iter_mut().zip(&units.points) {
                // Of blocks there is none.
                let log = posterior.log_density_of_runs(parameters, *v, runs);
                *value = log.unwrap_or(f64::NAN);
            }
        });
        if densities.first().is_some_and(|first| first.iter().all(|one| one.is_nan())) {
            return;
        }
        let dimension = units.dimension(prepared.labels());
        let group = draws.group_mut(GroupName::LogLikelihood);
        for (index, values) in dimension.indices().iter().zip(densities) {
            group.push(Variable::indexed(units.name, index, values));
        }
    }

    /// The whole experiment again, once a draw.
    fn add_replicates(&self, draws: &mut Draws) {
        let Self { prepared, fit, settings, .. } = *self;
        let lengths = lengths(prepared.modelled());
        let runs = lengths.each_ref().map(|lengths| lengths.iter().sum::<usize>());
        if !self.has_room_for(runs[0] + runs[1], draws) {
            return;
        }
        let lengths = [lengths[0].as_slice(), &lengths[1]];
        let mut rng = stream(settings.seed, STREAMS[0]);
        let replicates = fit.per_draw_and(runs[0] + runs[1], |parameters, values| {
            let new = fit.posterior.replicate(parameters, lengths, &mut rng);
            values.copy_from_slice(&new.concat());
        });
        let dimension = runs_of(prepared.labels(), runs);
        let group = draws.group_mut(GroupName::PosteriorPredictive);
        for (index, values) in dimension.indices().iter().zip(replicates) {
            group.push(Variable::indexed(RUNS, index, values));
        }
    }

    /// Parameters from the prior, and what they would make of the experiment; nothing
    /// where the prior is improper.
    fn add_prior(&self, draws: &mut Draws, labels: &Dimension) {
        let Self { prepared, fit, settings, .. } = *self;
        let posterior = &fit.posterior;
        let shape = fit.shape();
        let lengths = lengths(prepared.modelled());
        let runs = lengths.each_ref().map(|lengths| lengths.iter().sum::<usize>());
        let replicated = self.has_room_for(runs[0] + runs[1], draws);
        let lengths = [lengths[0].as_slice(), &lengths[1]];
        let mut rng = stream(settings.seed, STREAMS[1]);
        let zeros = || Array2::zeros(shape);
        let (mut means, mut sds) = ([zeros(), zeros()], [zeros(), zeros()]);
        let mut new = vec![zeros(); if replicated { runs[0] + runs[1] } else { 0 }];
        let standard = posterior.standard();
        for chain in 0..shape.0 {
            for iteration in 0..shape.1 {
                let Some(values) = posterior.sample_prior(&mut rng) else { return };
                let parameters = posterior.standardised(&values);
                let at = (chain, iteration);
                for (v, of) in posterior.moments(&parameters).into_iter().enumerate() {
                    means[v][at] = standard.centre + standard.scale * of.mean;
                    sds[v][at] = standard.scale * of.sd;
                }
                if replicated {
                    let runs = posterior.replicate(&parameters, lengths, &mut rng);
                    for (values, run) in new.iter_mut().zip(runs.concat()) {
                        values[at] = run;
                    }
                }
            }
        }
        let difference = &means[1] - &means[0];
        let prior = draws.group_mut(GroupName::Prior);
        for (name, values) in [("mean", means), ("sd", sds)] {
            for (index, values) in labels.indices().iter().zip(values) {
                prior.push(Variable::indexed(name, index, values));
            }
        }
        prior.push(Variable::new("difference", difference));
        let dimension = runs_of(prepared.labels(), runs);
        let group = draws.group_mut(GroupName::PriorPredictive);
        for (index, values) in dimension.indices().iter().zip(new) {
            group.push(Variable::indexed(RUNS, index, values));
        }
    }

    /// Whether a group with so many values a draw is kept; a note says where not.
    fn has_room_for(&self, values: usize, draws: &mut Draws) -> bool {
        let (chains, iterations) = self.fit.shape();
        let fits = values.saturating_mul(chains * iterations) <= MOST_VALUES;
        if !fits && !draws.metadata().iter().any(|(key, _)| key == LEFT_OUT) {
            let what = format!("groups with a value for each run: over {MOST_VALUES}");
            draws.note(LEFT_OUT, what);
        }
        fits
    }
}

/// The key of the note that says what is missing.
const LEFT_OUT: &str = "left_out";

/// What a likelihood tells the density of: runs, or invocations of them.
pub(super) struct Units<'a> {
    /// Their name.
    pub name: &'static str,
    /// Variant and runs of each.
    pub points: Vec<(usize, &'a [f64])>,
}

impl<'a> Units<'a> {
    /// Those that a model knows in what it sees.
    fn of(seen: [&'a Measurements; 2], model: &Spec) -> Self {
        if model.likelihood == NESTED {
            Self::invocations(seen)
        } else {
            Self::runs(seen)
        }
    }

    /// Single runs.
    pub(super) fn runs(seen: [&'a Measurements; 2]) -> Self {
        let points = seen.into_iter().enumerate().flat_map(|(v, measured)| {
            let runs = measured.sample().map_or(&[][..], Sample::runs);
            runs.chunks(1).map(move |run| (v, run))
        });
        Self { name: RUNS, points: points.collect() }
    }

    /// Whole invocations.
    pub(super) fn invocations(seen: [&'a Measurements; 2]) -> Self {
        let points = seen.into_iter().enumerate().flat_map(|(v, measured)| {
            let samples = measured.sample().into_iter();
            samples.flat_map(Sample::invocations).map(move |runs| (v, runs))
        });
        Self { name: "invocations", points: points.collect() }
    }

    /// Whether they are single runs.
    pub(super) fn are_runs(&self) -> bool {
        self.name == RUNS
    }

    fn dimension(&self, labels: [&str; 2]) -> Dimension {
        let counts = [0, 1].map(|v| self.points.iter().filter(|at| at.0 == v).count());
        let name = if self.are_runs() { "run" } else { "invocation" };
        counted(name, labels, counts)
    }
}

fn runs_of(labels: [&str; 2], counts: [usize; 2]) -> Dimension {
    counted("run", labels, counts)
}

/// `old:1`, `old:2`, …, `new:1`, …
fn counted(name: &str, labels: [&str; 2], counts: [usize; 2]) -> Dimension {
    let all = labels.iter().zip(counts).flat_map(|(label, count)| {
        (1..=count).map(move |number| format!("{label}:{number}"))
    });
    Dimension::new(name, all)
}

/// Lengths of the invocations of each variant; of one where only a summary is known.
fn lengths(seen: [&Measurements; 2]) -> [Vec<usize>; 2] {
    seen.map(|measured| match measured.sample() {
        Some(sample) => sample.invocations().map(<[f64]>::len).collect(),
        None => vec![measured.moments().n],
    })
}

/// Parameters and what is computed from them.
fn variables(
    quantities: &Quantities,
    labels: &Dimension,
    model: &Spec,
    has_relative: bool,
) -> Vec<Variable> {
    let mut all = Vec::new();
    for (name, values) in [("mean", &quantities.mean), ("sd", &quantities.sd)] {
        for (index, values) in labels.indices().iter().zip(values) {
            all.push(Variable::indexed(name, index, values.clone()));
        }
    }
    for (name, variant, values) in &quantities.parameters {
        let Some(part) = reported(name, model) else { continue };
        all.push(match variant {
            None => Variable::new(&part, values.clone()),
            Some(variant) => {
                let index = &labels.indices()[*variant];
                Variable::indexed(&part, index, values.clone())
            }
        });
    }
    let mut derive =
        |name: &str, values: PerDraw| all.push(Variable::new(name, values));
    derive("difference", quantities.difference.clone());
    derive("effect_size", quantities.effect_size());
    derive("repeated_difference", quantities.repeated_difference.clone());
    if !quantities.same_sd {
        derive("sd_ratio", quantities.sd_ratio());
    }
    if has_relative {
        derive("relative_change", quantities.relative_change());
        derive("ratio", quantities.ratio());
    }
    if let Some(ratio) = &quantities.ratio_of_medians {
        derive("ratio_of_medians", ratio.clone());
    }
    all
}

fn sample_stats(fit: &Fit) -> Vec<Variable> {
    let trace = &fit.trace;
    let flags = |values: &Array2<bool>| values.mapv(f64::from);
    [
        (Statistic::Lp, trace.lp.clone()),
        (Statistic::AcceptanceRate, trace.acceptance_rate.clone()),
        (Statistic::StepSize, trace.step_size.clone()),
        (Statistic::TreeDepth, trace.tree_depth.clone()),
        (Statistic::NSteps, trace.n_steps.clone()),
        (Statistic::Diverging, flags(&trace.diverging)),
        (Statistic::Energy, trace.energy.clone()),
        (Statistic::EnergyError, trace.energy_error.clone()),
        (Statistic::ReachedMaxTreedepth, flags(&trace.reached_max_treedepth)),
    ]
    .into_iter()
    .map(|(statistic, values)| statistic.variable(values))
    .collect()
}
