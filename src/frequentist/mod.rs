//! Tests of the sampling-theory kind, for contrast.
