//! The table of contents of the specification.

// How runs are given: formats, labels, units, selection.
mod inputs;
