//! The table of contents of the specification.
