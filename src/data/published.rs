//! A published `mean ± spread` of which the source does not say what the spread is.

use std::str::FromStr;

use super::Summary;
use crate::error::Error;
use crate::numerics::student_t::StudentT;

/// What a measure of spread says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpreadKind {
    /// The standard deviation of single runs.
    Sd,
    /// The standard error of the mean.
    StandardError,
    /// Half of a 95 % confidence interval of the mean.
    HalfWidth,
}

impl SpreadKind {
    /// The SD of single runs that this spread of `n` runs stands for.
    pub fn sd(self, spread: f64, n: usize) -> f64 {
        let root = (n as f64).sqrt();
        match self {
            Self::Sd => spread,
            Self::StandardError => spread * root,
            // Half of the interval is t(0.975, n − 1) standard errors.
            Self::HalfWidth => {
                let freedom = n.saturating_sub(1).max(1) as f64;
                spread * root / StudentT::new(freedom).upper_quantile(0.025)
            }
        }
    }
}

impl FromStr for SpreadKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "sd" => Ok(Self::Sd),
            "se" => Ok(Self::StandardError),
            "ci95" => Ok(Self::HalfWidth),
            _ => Err(Error::new(format!("`{text}` is no measure of spread"))
                .in_file("--summary-spread")
                .with_hint(CHOICES)),
        }
    }
}

const CHOICES: &str = "`--summary-spread sd` for the SD of single runs, `se` for the \
    standard error of the mean, `ci95` for half of its 95 % confidence interval";

/// Number, mean and spread as somebody wrote them down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// How many runs.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// What stands behind `±`.
    pub spread: f64,
}

impl Published {
    /// The summary, once it is known what the spread is.
    ///
    /// # Errors
    /// When nobody said so, or the numbers make no summary.
    pub fn summary(self, kind: Option<SpreadKind>) -> Result<Summary, Error> {
        let Self { n, mean, spread } = self;
        let Some(kind) = kind else {
            let what = format!("the file does not say what `± {spread}` is");
            return Err(Error::new(what).with_hint(CHOICES));
        };
        let summary = Summary::new(n, mean, kind.sd(spread, n))?;
        Ok(match kind {
            SpreadKind::Sd => summary.stated_as_sd(),
            SpreadKind::StandardError | SpreadKind::HalfWidth => summary,
        })
    }
}
