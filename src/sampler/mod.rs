//! Any log density to draws, by an engine behind a small trait.

mod nuts;

use ndarray::{Array2, Array3};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::draws::Adaptation;
use crate::error::Error;

pub use nuts::Nuts;

/// A density on ℝᵈ, known up to a constant, with its gradient.
pub trait LogDensity: Sync {
    /// The number of dimensions, d.
    fn dim(&self) -> usize;

    /// The logarithm of the density at `position`; its gradient goes into `gradient`.
    ///
    /// Both slices have [`LogDensity::dim`] entries. A result that is not finite means
    /// that the position has no density; the gradient is then not used.
    fn log_density(&self, position: &[f64], gradient: &mut [f64]) -> f64;

    /// A place to start a chain: dispersed, and nowhere the gradient is zero.
    fn start(&self, rng: &mut ChaCha8Rng) -> Vec<f64>;
}

/// How to sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Independent chains.
    pub chains: usize,
    /// Kept draws of each chain.
    pub draws: usize,
    /// Warm-up iterations of each chain, thrown away.
    pub tune: usize,
    /// The acceptance rate that the step size is adapted to.
    pub target_accept: f64,
    /// Where all randomness comes from.
    pub seed: u64,
}

/// What an engine yields: positions and statistics, chain × iteration (× dimension).
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// Unconstrained positions, chain × iteration × dimension.
    pub positions: Array3<f64>,
    /// Log density at each position.
    pub lp: Array2<f64>,
    /// The Hamiltonian at each position.
    pub energy: Array2<f64>,
    /// Its error over the trajectory that led there.
    pub energy_error: Array2<f64>,
    /// Mean acceptance rate of the trajectory.
    pub acceptance_rate: Array2<f64>,
    /// Leapfrog step size.
    pub step_size: Array2<f64>,
    /// Doublings of the trajectory.
    pub tree_depth: Array2<f64>,
    /// Leapfrog steps of the trajectory.
    pub n_steps: Array2<f64>,
    /// Whether the trajectory left the level set.
    pub diverging: Array2<bool>,
    /// Whether the trajectory was cut at the maximal depth.
    pub reached_max_treedepth: Array2<bool>,
    /// What each chain settled on.
    pub adaptation: Vec<Adaptation>,
}

impl Trace {
    fn empty(chains: usize, draws: usize, dim: usize) -> Self {
        let numbers = || Array2::zeros((chains, draws));
        let flags = || Array2::from_elem((chains, draws), false);
        Self {
            positions: Array3::zeros((chains, draws, dim)),
            lp: numbers(),
            energy: numbers(),
            energy_error: numbers(),
            acceptance_rate: numbers(),
            step_size: numbers(),
            tree_depth: numbers(),
            n_steps: numbers(),
            diverging: flags(),
            reached_max_treedepth: flags(),
            adaptation: Vec::new(),
        }
    }

    /// Trajectories that left the level set, all chains together.
    pub fn divergences(&self) -> usize {
        self.diverging.iter().filter(|diverging| **diverging).count()
    }

    /// Trajectories cut at the maximal depth, all chains together.
    pub fn cut_trajectories(&self) -> usize {
        self.reached_max_treedepth.iter().filter(|reached| **reached).count()
    }
}

/// What turns a log density into draws.
pub trait Engine: Sync {
    /// Draws from `density`; the same effort gives the same bytes on any number of
    /// threads.
    ///
    /// # Errors
    /// When the density has no finite value where a chain starts.
    fn sample(&self, density: &dyn LogDensity, effort: &Effort)
    -> Result<Trace, Error>;
}

/// The random numbers of one purpose: a stream of its own out of one seed.
///
/// Chains take the streams from 0 on; what is drawn after sampling takes those from
/// [`AFTER_SAMPLING`] on.
pub fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    rng
}

/// The first stream that no chain uses.
pub const AFTER_SAMPLING: u64 = 1 << 32;
