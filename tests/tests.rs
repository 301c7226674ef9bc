//! The table of contents of the specification.

/// Every model: parses, has the gradient it claims, finds the truth.
mod models;
