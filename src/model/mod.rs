//! Models: priors and a likelihood, bound to the data of one pair of variants.

pub mod distribution;
pub mod expression;
pub mod likelihood;
mod posterior;
mod spec;
pub mod stan;

pub use posterior::{BlockStatistics, Posterior, Standard, Statistics};
pub use spec::{PriorLine, Spec};

/// A model that ships with the program.
#[derive(Debug, Clone, Copy)]
pub struct BuiltIn {
    /// As given with `--model`.
    pub name: &'static str,
    /// The file of the model, as it stands in `models/`.
    pub toml: &'static str,
    /// The same model as a Stan program.
    pub stan: &'static str,
}

macro_rules! built_in {
    ($name:literal) => {
        BuiltIn {
            name: $name,
            toml: include_str!(concat!("../../models/", $name, ".toml")),
            stan: include_str!(concat!("../../models/", $name, ".stan")),
        }
    };
}

/// The name of the model that is used when none is named.
pub const DEFAULT: &str = "normal";

/// The model, and the likelihood, of runs in invocations.
pub const NESTED: &str = "nested";

/// The model, and the likelihood, of runs whose logarithms are normal.
pub const LOGNORMAL: &str = "lognormal";

/// The model, and the likelihood, of runs in blocks.
pub const PAIRED: &str = "paired";

/// All models that ship with the program, the default first.
pub const MODELS: &[BuiltIn] = &[
    built_in!("normal"),
    built_in!("independent"),
    built_in!("reference"),
    built_in!("nested"),
    built_in!("robust"),
    built_in!("lognormal"),
    built_in!("paired"),
    built_in!("best"),
];
