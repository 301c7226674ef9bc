//! The table of contents of the specification.

/// Simulation-based calibration of every model whose prior is proper.
mod calibration;
/// The tests beside the posterior, against SciPy and R.
mod contrast;
/// Every model: parses, has the gradient it claims, finds the truth.
mod models;
