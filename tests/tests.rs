//! The table of contents of the specification.

/// Simulation-based calibration of every model whose prior is proper.
mod calibration;
/// The tests beside the posterior, against SciPy and R.
mod contrast;
/// R-hat, effective sample sizes, standard errors against ArviZ and R.
mod diagnostics;
/// Every format: its fixtures mean the same data; bad lines name their place.
mod inputs;
/// Every model: parses, has the gradient it claims, finds the truth.
mod models;
