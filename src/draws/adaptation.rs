//! What the sampler settled on while it warmed up.

/// The tuning of one chain, which its kept draws were made with.
#[derive(Debug, Clone, PartialEq)]
pub struct Adaptation {
    /// The step size of the leapfrog.
    pub step_size: f64,
    /// The diagonal of the inverse mass matrix, one entry for each unconstrained
    /// parameter.
    pub inverse_mass: Vec<f64>,
    /// Wall time of warming up and of the kept draws.
    pub seconds: [f64; 2],
}
