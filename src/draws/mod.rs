//! What sampling yields: draws, diagnostics, summaries.
//!
//! *Iteration* counts within a chain, *draw* across chains; a *variable* is one column
//! of numbers, a parameter or what was computed from parameters. The words are those of
//! R's `posterior`.

mod adaptation;
mod autocovariance;
mod data_array;
pub mod diagnostics;
mod dimension;
mod group;
mod power_scaling;
mod probability;
mod psis;
mod sample_stats;
mod sorted;
mod summary;
mod variable;

pub use adaptation::Adaptation;
pub use autocovariance::time_of_series;
pub use data_array::{DataArray, DataName};
pub use dimension::{Dimension, Index};
pub use group::{Draws, Group, GroupName};
pub use power_scaling::{PowerScaled, SENSITIVE};
pub use probability::Probability;
pub use psis::{Smoothed, psis};
pub use sample_stats::Statistic;
pub use sorted::quantile;
pub use summary::{INTERVAL, Summary, eti, hdi};
pub use variable::{Kind, Variable};
