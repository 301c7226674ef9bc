//! The No-U-Turn Sampler of `nuts-rs`, one chain a stream.

use std::collections::HashMap;

use ndarray::{Array3, ArrayView2, Axis};
use nuts_rs::{
    Chain, CpuLogpFunc, CpuMath, CpuMathError, DiagNutsSettings, HasDims, LogpError,
    Settings,
};
use rayon::prelude::*;

use super::{Effort, Engine, LogDensity, Trace, stream};
use crate::error::Error;

/// NUTS (Hoffman & Gelman 2014, with the multinomial sampling of Betancourt 2017) and a
/// diagonal mass matrix, by the crate `nuts-rs`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nuts;

/// Starts tried before a chain gives up.
const STARTS: usize = 100;

impl Engine for Nuts {
    fn sample(
        &self,
        density: &dyn LogDensity,
        effort: &Effort,
    ) -> Result<Trace, Error> {
        let chains: Vec<Trace> = (0..effort.chains)
            .into_par_iter()
            .map(|chain| sample_chain(density, effort, chain))
            .collect::<Result<_, _>>()?;
        Ok(join(&chains, effort, density.dim()))
    }
}

fn sample_chain(
    density: &dyn LogDensity,
    effort: &Effort,
    chain: usize,
) -> Result<Trace, Error> {
    let failed = |error: &dyn std::fmt::Display| {
        Error::new(format!("chain {} cannot sample: {error}", chain + 1))
    };
    let mut settings = DiagNutsSettings::default();
    settings.num_tune = effort.tune as u64;
    settings.num_draws = effort.draws as u64;
    settings.adapt_options.step_size_settings.target_accept = effort.target_accept;

    let mut rng = stream(effort.seed, chain as u64);
    let math = CpuMath::new(Target(density));
    let mut sampler = settings
        .new_chain(chain as u64, math, &mut rng)
        .map_err(|error| failed(&error))?;
    let mut last = None;
    let started = (0..STARTS).any(|_| {
        last = sampler.set_position(&density.start(&mut rng)).err();
        last.is_none()
    });
    if let (false, Some(error)) = (started, last) {
        return Err(failed(&error));
    }

    let mut trace = Trace::empty(1, effort.draws, density.dim());
    for iteration in 0..effort.tune + effort.draws {
        let (position, _, stats, progress) =
            sampler.expanded_draw().map_err(|error| failed(&error))?;
        let Some(kept) = iteration.checked_sub(effort.tune) else { continue };
        let at = (0, kept);
        for (to, from) in trace
            .positions
            .index_axis_mut(Axis(1), kept)
            .iter_mut()
            .zip(position.iter())
        {
            *to = *from;
        }
        trace.lp[at] = stats.point.logp;
        trace.energy[at] = stats.point.energy;
        trace.energy_error[at] = stats.point.energy_error;
        trace.acceptance_rate[at] = stats.adapt.step_size.mean_tree_accept;
        trace.step_size[at] = progress.step_size;
        trace.tree_depth[at] = stats.depth as f64;
        trace.n_steps[at] = progress.num_steps as f64;
        trace.diverging[at] = progress.diverging;
        trace.reached_max_treedepth[at] = stats.maxdepth_reached;
    }
    Ok(trace)
}

fn join(chains: &[Trace], effort: &Effort, dim: usize) -> Trace {
    let mut whole = Trace::empty(effort.chains, effort.draws, dim);
    for (i, chain) in chains.iter().enumerate() {
        whole.positions.index_axis_mut(Axis(0), i).assign(&one(&chain.positions));
        for (to, from) in [
            (&mut whole.lp, &chain.lp),
            (&mut whole.energy, &chain.energy),
            (&mut whole.energy_error, &chain.energy_error),
            (&mut whole.acceptance_rate, &chain.acceptance_rate),
            (&mut whole.step_size, &chain.step_size),
            (&mut whole.tree_depth, &chain.tree_depth),
            (&mut whole.n_steps, &chain.n_steps),
        ] {
            to.row_mut(i).assign(&from.row(0));
        }
        whole.diverging.row_mut(i).assign(&chain.diverging.row(0));
        whole
            .reached_max_treedepth
            .row_mut(i)
            .assign(&chain.reached_max_treedepth.row(0));
    }
    whole
}

fn one(positions: &Array3<f64>) -> ArrayView2<'_, f64> {
    positions.index_axis(Axis(0), 0)
}

/// Our density in the words of `nuts-rs`.
struct Target<'a>(&'a dyn LogDensity);

/// The density is zero or not a number here: the trajectory diverges.
#[derive(Debug, thiserror::Error)]
#[error("the density is not finite")]
struct NotFinite;

impl LogpError for NotFinite {
    fn is_recoverable(&self) -> bool {
        true
    }
}

impl HasDims for Target<'_> {
    fn dim_sizes(&self) -> HashMap<String, u64> {
        HashMap::from([("unconstrained_parameter".to_owned(), self.0.dim() as u64)])
    }
}

impl CpuLogpFunc for Target<'_> {
    type LogpError = NotFinite;
    type FlowParameters = ();
    type ExpandedVector = Vec<f64>;

    fn dim(&self) -> usize {
        self.0.dim()
    }

    fn logp(
        &mut self,
        position: &[f64],
        gradient: &mut [f64],
    ) -> Result<f64, NotFinite> {
        let lp = self.0.log_density(position, gradient);
        let finite = lp.is_finite() && gradient.iter().all(|slope| slope.is_finite());
        if finite { Ok(lp) } else { Err(NotFinite) }
    }

    fn expand_vector<R: rand::Rng + ?Sized>(
        &mut self,
        _rng: &mut R,
        _position: &[f64],
    ) -> Result<Vec<f64>, CpuMathError> {
        Ok(Vec::new())
    }
}
