//! Sampling of one pair: once, and once more with more effort if the first is poor.

use std::time::Instant;

use ndarray::{Array2, ArrayView1, Axis};
use rayon::prelude::*;

use crate::draws::{INTERVAL, Summary, diagnostics};
use crate::error::Error;
use crate::model::Posterior;
use crate::sampler::{Effort, Engine, Trace};

/// R-hat must be below (Vehtari et al. 2021, section 4).
pub(super) const WORST_RHAT: f64 = 1.01;
/// Bulk and tail ESS must be above (Vehtari et al. 2021, section 4).
pub(super) const LEAST_ESS: f64 = 400.0;
/// E-BFMI must be at least (`CmdStan`'s `diagnose`; Betancourt 2016).
pub(super) const LEAST_EBFMI: f64 = 0.3;

const TARGET_ACCEPT: f64 = 0.9;
const TARGET_ACCEPT_AGAIN: f64 = 0.99;
const TUNE_AGAIN: usize = 4;

/// How well sampling went.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampling {
    /// Trajectories that left the level set.
    pub divergences: usize,
    /// Trajectories cut at the maximal depth.
    pub max_treedepth: usize,
    /// E-BFMI of each chain; `None` where the energy does not vary.
    pub ebfmi: Vec<Option<f64>>,
    /// The largest R-hat of the parameters and their difference.
    pub rhat_max: Option<f64>,
    /// The smallest bulk or tail ESS of the same.
    pub ess_min: Option<f64>,
    /// Whether every threshold is met.
    pub reliable: bool,
    /// What is not, in words.
    pub reasons: Vec<String>,
    /// Whether this is the second try.
    pub again: bool,
    /// Warm-up iterations of each chain.
    pub tune: usize,
    /// The acceptance rate that the step size was adapted to.
    pub target_accept: f64,
    /// Wall time of sampling, both tries together.
    pub seconds: f64,
}

/// Draws of the parameters of one pair, and how they were made.
pub(super) struct Fit {
    /// The model bound to the pair.
    pub posterior: Posterior,
    /// Positions and statistics.
    pub trace: Trace,
    /// How well it went.
    pub sampling: Sampling,
}

impl Fit {
    /// Samples a posterior; poor draws are thrown away and drawn once more.
    ///
    /// # Errors
    /// When a chain cannot start.
    pub(super) fn new(
        posterior: Posterior,
        engine: &dyn Engine,
        effort: &Effort,
    ) -> Result<Self, Error> {
        let start = Instant::now();
        let first = Effort { target_accept: TARGET_ACCEPT, ..*effort };
        let trace = engine.sample(&posterior, &first)?;
        let mut sampling = judge(&posterior, &trace, &first);
        let mut fit_trace = trace;
        if !sampling.reliable {
            let second = Effort {
                tune: TUNE_AGAIN * effort.tune,
                target_accept: TARGET_ACCEPT_AGAIN,
                ..*effort
            };
            fit_trace = engine.sample(&posterior, &second)?;
            sampling =
                Sampling { again: true, ..judge(&posterior, &fit_trace, &second) };
        }
        sampling.seconds = start.elapsed().as_secs_f64();
        Ok(Self { posterior, trace: fit_trace, sampling })
    }

    /// Calls `each` with every draw: chain, iteration, standardised parameters.
    pub(super) fn for_each_draw(&self, mut each: impl FnMut((usize, usize), &[f64])) {
        for (chain, positions) in self.trace.positions.axis_iter(Axis(0)).enumerate() {
            for (iteration, position) in positions.axis_iter(Axis(0)).enumerate() {
                let parameters = self.posterior.parameters(&contiguous(position));
                each((chain, iteration), &parameters);
            }
        }
    }

    /// The standardised parameters of every draw, chain by chain.
    pub(super) fn all_parameters(&self) -> Vec<Vec<f64>> {
        let mut all = Vec::new();
        self.for_each_draw(|_, parameters| all.push(parameters.to_vec()));
        all
    }

    /// One value a draw, of its standardised parameters.
    pub(super) fn per_draw(&self, of: impl Fn(&[f64]) -> f64) -> Array2<f64> {
        let mut values = Array2::zeros(self.shape());
        self.for_each_draw(|at, parameters| values[at] = of(parameters));
        values
    }

    /// So many values a draw, which `fill` writes from its standardised parameters.
    pub(super) fn per_draw_and(
        &self,
        count: usize,
        mut fill: impl FnMut(&[f64], &mut [f64]),
    ) -> Vec<Array2<f64>> {
        let mut all = vec![Array2::zeros(self.shape()); count];
        let mut row = vec![0.0; count];
        self.for_each_draw(|at, parameters| {
            fill(parameters, &mut row);
            for (values, value) in all.iter_mut().zip(&row) {
                values[at] = *value;
            }
        });
        all
    }

    /// Chains and iterations.
    pub(super) fn shape(&self) -> (usize, usize) {
        self.trace.lp.dim()
    }
}

fn contiguous(position: ArrayView1<'_, f64>) -> Vec<f64> {
    position.iter().copied().collect()
}

fn judge(posterior: &Posterior, trace: &Trace, effort: &Effort) -> Sampling {
    let mut rhat_max: Option<f64> = None;
    let mut ess_min: Option<f64> = None;
    let summaries: Vec<Summary> = watched(posterior, trace)
        .par_iter()
        .map(|values| Summary::of(values, INTERVAL))
        .collect();
    for of in summaries {
        rhat_max = worst(rhat_max, of.rhat, f64::max);
        ess_min = worst(ess_min, of.ess_bulk, f64::min);
        ess_min = worst(ess_min, of.ess_tail, f64::min);
    }
    let ebfmi = diagnostics::ebfmi(&trace.energy);
    let divergences = trace.divergences();
    let mut reasons = Vec::new();
    if divergences > 0 {
        reasons.push(format!("{divergences} divergent trajectories"));
    }
    match rhat_max {
        Some(rhat) if rhat < WORST_RHAT => {}
        Some(rhat) => reasons.push(format!("R-hat of {rhat:.3} (should be < 1.01)")),
        None => reasons.push("R-hat unknown".to_owned()),
    }
    match ess_min {
        Some(ess) if ess > LEAST_ESS => {}
        Some(ess) => reasons.push(format!("ESS of {ess:.0} (should be > 400)")),
        None => reasons.push("ESS unknown".to_owned()),
    }
    if let Some(lowest) = ebfmi.iter().flatten().copied().reduce(f64::min)
        && lowest < LEAST_EBFMI
    {
        reasons.push(format!("E-BFMI of {lowest:.2} (should be 0.3 or more)"));
    }
    Sampling {
        divergences,
        max_treedepth: trace.cut_trajectories(),
        ebfmi,
        rhat_max,
        ess_min,
        reliable: reasons.is_empty(),
        reasons,
        again: false,
        tune: effort.tune,
        target_accept: effort.target_accept,
        seconds: 0.0,
    }
}

fn worst(
    so_far: Option<f64>,
    next: Option<f64>,
    pick: fn(f64, f64) -> f64,
) -> Option<f64> {
    match (so_far, next) {
        (Some(a), Some(b)) => Some(pick(a, b)),
        (a, b) => a.or(b),
    }
}

/// Every coordinate (ranks do not care for the scale), and the difference of the means.
fn watched(posterior: &Posterior, trace: &Trace) -> Vec<Array2<f64>> {
    let mut watched: Vec<Array2<f64>> =
        trace.positions.axis_iter(Axis(2)).map(|values| values.to_owned()).collect();
    let difference = Array2::from_shape_fn(trace.lp.dim(), |(chain, iteration)| {
        let position = trace.positions.index_axis(Axis(0), chain);
        let position = contiguous(position.index_axis(Axis(0), iteration));
        let [baseline, candidate] = posterior.moments(&posterior.parameters(&position));
        candidate.mean - baseline.mean
    });
    watched.push(difference);
    watched
}
