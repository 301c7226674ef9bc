//! The table of contents of the specification.

/// The floors hold; every file and model has its place.
mod architecture;
/// Runs in blocks and runs with a long tail, against exact answers.
mod blocks_and_logs;
/// Simulation-based calibration of every model whose prior is proper.
mod calibration;
/// Warnings: what does not fit is noticed, what fits is left in peace.
mod checks;
/// The command line as written: documents run, exit codes, streams.
mod cli;
/// Whole comparisons against exact answers.
mod comparisons;
/// The tests beside the posterior, against SciPy and R.
mod contrast;
/// R-hat, effective sample sizes, standard errors against ArviZ and R.
mod diagnostics;
/// What each kind of draws file holds, found again by the layout that its readers follow.
mod draws_files;
/// Draws as files: what is written reads back the same, or nothing is written.
mod exports;
/// Smoothed importance weights and power-scaling sensitivities against `ArviZ`.
mod importance;
/// Every format: its fixtures mean the same data; bad lines name their place.
mod inputs;
/// Several models side by side, against closed forms.
mod model_comparison;
/// Every model: parses, has the gradient it claims, finds the truth.
mod models;
/// The schema, the width, the wording.
mod reports;
/// The Stan programs, against Stan.
mod stan;
/// Pictures, the page, the comment, the tables: whole whatever the names.
mod views;
