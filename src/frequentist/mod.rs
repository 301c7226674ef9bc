//! Tests of the sampling-theory kind, for contrast.
//!
//! Everywhere the baseline comes first, and a difference is candidate − baseline.

mod behrens_fisher;
mod dip;
mod effect_size;
mod f_test;
mod mann_whitney;
mod order;
mod power;
mod shape;
mod signed_rank;
mod t_test;

pub use behrens_fisher::BehrensFisher;
pub use dip::{critical_dip, dip};
pub use effect_size::{TwoSdRule, cohen_d, hedges_g, two_sd_rule};
pub use f_test::equal_variances;
pub use mann_whitney::{MannWhitney, mann_whitney, mann_whitney_sorted};
pub use order::{drift, first_run, neighbours_alike};
pub use power::{detectable, detectable_paired, power, power_paired};
pub use shape::{Shape, farthest, shape};
pub use signed_rank::{SignedRank, signed_rank};
pub use t_test::{TTest, paired, student, welch};
