//! What the sampler tells of each iteration, by the names of the `InferenceData` schema.

use ndarray::Array2;

use super::variable::{Kind, Variable};

/// A statistic of one iteration of the sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistic {
    /// The log density on the unconstrained scale, Jacobian included.
    Lp,
    /// The mean acceptance probability over the trajectory.
    AcceptanceRate,
    /// The step size of the leapfrog.
    StepSize,
    /// How often the trajectory was doubled.
    TreeDepth,
    /// How many leapfrog steps were taken.
    NSteps,
    /// Whether the trajectory diverged.
    Diverging,
    /// The Hamiltonian, potential plus kinetic.
    Energy,
    /// The Hamiltonian less its value at the start of the trajectory.
    EnergyError,
    /// Whether the trajectory ended for its depth, not because it turned.
    ReachedMaxTreedepth,
}

impl Statistic {
    /// The name that the schema gives.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lp => "lp",
            Self::AcceptanceRate => "acceptance_rate",
            Self::StepSize => "step_size",
            Self::TreeDepth => "tree_depth",
            Self::NSteps => "n_steps",
            Self::Diverging => "diverging",
            Self::Energy => "energy",
            Self::EnergyError => "energy_error",
            Self::ReachedMaxTreedepth => "reached_max_treedepth",
        }
    }

    /// How its values are to be written.
    pub fn kind(self) -> Kind {
        match self {
            Self::TreeDepth | Self::NSteps => Kind::Count,
            Self::Diverging | Self::ReachedMaxTreedepth => Kind::Flag,
            Self::Lp
            | Self::AcceptanceRate
            | Self::StepSize
            | Self::Energy
            | Self::EnergyError => Kind::Real,
        }
    }

    /// The variable of these values: chains × iterations.
    pub fn variable(self, values: Array2<f64>) -> Variable {
        Variable::new(self.name(), values).of_kind(self.kind())
    }
}
