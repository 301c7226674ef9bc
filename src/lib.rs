#![doc = include_str!("../README.md")]

pub mod analysis;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod data;
mod display;
#[doc(hidden)]
pub mod draws;
pub mod error;
#[doc(hidden)]
pub mod export;
pub mod formats;
#[doc(hidden)]
pub mod frequentist;
#[doc(hidden)]
pub mod model;
#[doc(hidden)]
pub mod numerics;
#[doc(hidden)]
pub mod plot;
pub mod report;
#[doc(hidden)]
pub mod sampler;
pub mod warning;
