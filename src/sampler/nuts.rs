//! The No-U-Turn Sampler of `nuts-rs`, one chain a stream.

use std::collections::HashMap;
use std::time::Instant;

use ndarray::{Array3, ArrayView2, Axis};
use nuts_rs::{
    Chain, CpuLogpFunc, CpuMath, CpuMathError, DiagNutsSettings, HasDims, LogpError,
    Settings,
};
use rayon::prelude::*;

use super::{Effort, Engine, LogDensity, Trace, stream};
use crate::draws::Adaptation;
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
    settings.adapt_options.mass_matrix_options.store_mass_matrix = true;

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
    let mut tuned = Adaptation {
        step_size: 1.0,
        inverse_mass: vec![1.0; density.dim()],
        seconds: [0.0; 2],
    };
    let mut begun = Instant::now();
    for iteration in 0..effort.tune + effort.draws {
        if iteration == effort.tune {
            tuned.seconds[0] = begun.elapsed().as_secs_f64();
            begun = Instant::now();
        }
        let (position, _, stats, progress) =
            sampler.expanded_draw().map_err(|error| failed(&error))?;
        // The scales of the parameters, by whatever name.
        if let Some(scales) = stats.hamiltonian.transformation.mass_matrix_inv {
            tuned.inverse_mass = scales.iter().map(|scale| scale * scale).collect();
        }
        let Some(kept) = iteration.checked_sub(effort.tune) else { continue };
        tuned.step_size = stats.adapt.step_size.step_size_bar;
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
    tuned.seconds[1] = begun.elapsed().as_secs_f64();
    trace.adaptation = vec![tuned];
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
        whole.adaptation.extend_from_slice(&chain.adaptation);
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

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt as _;

    /// Independent normal variables of SD 1 and 10.
    struct TwoScales;

    impl LogDensity for TwoScales {
        fn dim(&self) -> usize {
            2
        }

        fn log_density(&self, position: &[f64], gradient: &mut [f64]) -> f64 {
            gradient.copy_from_slice(&[-position[0], -position[1] / 100.0]);
            -0.5 * (position[0].powi(2) + position[1].powi(2) / 100.0)
        }

        fn start(&self, rng: &mut rand::rngs::ChaCha8Rng) -> Vec<f64> {
            vec![rng.random_range(0.5..1.5), rng.random_range(5.0..15.0)]
        }
    }

    /// The inverse mass matrix is the variance of each parameter (Neal 2011, section
    /// 4.1); for a normal density the estimate from draws and gradients is exact.
    #[test]
    fn a_chain_tells_the_variances_it_settled_on() {
        let effort =
            Effort { chains: 2, draws: 50, tune: 300, target_accept: 0.9, seed: 1 };
        let trace = Nuts.sample(&TwoScales, &effort).expect("a proper density");
        assert_eq!(trace.adaptation.len(), 2);
        for chain in &trace.adaptation {
            let [one, hundred] = chain.inverse_mass[..] else { panic!("two") };
            assert!((one - 1.0).abs() < 1e-6, "{one}");
            assert!((hundred - 100.0).abs() < 1e-4, "{hundred}");
            assert!(chain.step_size > 0.1 && chain.step_size < 2.0);
        }
    }
}
