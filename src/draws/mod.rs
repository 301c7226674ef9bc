//! What sampling yields: draws, diagnostics, summaries.
