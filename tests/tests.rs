//! The table of contents of the specification.

/// The tests beside the posterior, against SciPy and R.
mod contrast;
/// Every model: parses, has the gradient it claims, finds the truth.
mod models;
