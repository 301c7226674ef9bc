//! What sampling yields: draws, diagnostics, summaries.
//!
//! *Iteration* counts within a chain, *draw* across chains; a *variable* is one column
//! of numbers, a parameter or what was computed from parameters. The words are those of
//! R's `posterior`.

pub mod diagnostics;
mod dimension;
mod group;
mod order;
mod probability;
mod sample_stats;
mod summary;
mod variable;

pub use dimension::{Dimension, Index};
pub use group::{Draws, Group, GroupName};
pub use order::{hdi, quantile};
pub use probability::Probability;
pub use sample_stats::Statistic;
pub use summary::{INTERVAL, Moments, Summary};
pub use variable::{Kind, Variable};
