//! The table of contents of the specification.

// The frequentist numbers shown beside a posterior, against SciPy, statsmodels, mpmath, R.
mod contrast;
