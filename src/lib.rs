//! How likely is this patch to slow things down, and by how much?

#[doc(hidden)]
pub mod analysis;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod data;
#[doc(hidden)]
pub mod draws;
#[doc(hidden)]
pub mod error;
#[doc(hidden)]
pub mod export;
#[doc(hidden)]
pub mod formats;
#[doc(hidden)]
pub mod frequentist;
#[doc(hidden)]
pub mod model;
#[doc(hidden)]
pub mod numerics;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod sampler;
#[doc(hidden)]
pub mod warning;
