//! How a comparison is made: model, sampling effort, margin, threshold.

use crate::error::Error;
use crate::model::{DEFAULT, NESTED, PAIRED, Spec};

/// The seed that is used when none is given.
pub const DEFAULT_SEED: u64 = 20_160_701;

/// What a comparison needs to be told.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Likelihood and priors; `None` lets the data choose: `nested` where some variant
    /// has several invocations and some invocation several runs, else `normal`.
    pub model: Option<Spec>,
    /// Further models, to be shown beside the first; the first decides.
    pub rivals: Vec<Spec>,
    /// Priors in place of those of the models, each `PARAMETER=PRIOR`.
    pub priors: Vec<String>,
    /// The SD between invocations of one variant, as a share of the grand mean, where
    /// it is known from elsewhere; calls for `nested`.
    pub run_noise: Option<f64>,
    /// Independent chains.
    pub chains: usize,
    /// Kept draws of each chain.
    pub draws: usize,
    /// Warm-up iterations of each chain.
    pub tune: usize,
    /// Where all randomness comes from.
    pub seed: u64,
    /// The smallest change that matters.
    pub margin: Margin,
    /// The probability from which a verdict is given.
    pub confidence: f64,
    /// Runs of each variant in the predicted experiment; those measured, if `None`.
    pub future_runs: Option<usize>,
    /// Whether the Bayes factor is wanted beside the tests.
    pub bayes_factor: bool,
    /// Whether a comparison carries its model as a Stan program, with its data.
    pub stan: bool,
    /// Whether the draws carry every group, not only the posterior and the statistics of
    /// the sampler: prior, predictives and log densities.
    pub every_group: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            model: None,
            rivals: Vec::new(),
            priors: Vec::new(),
            run_noise: None,
            chains: 4,
            draws: 1000,
            tune: 500,
            seed: DEFAULT_SEED,
            margin: Margin::default(),
            confidence: 0.95,
            future_runs: None,
            bayes_factor: false,
            stan: false,
            every_group: false,
        }
    }
}

impl Settings {
    /// Checks what has a range.
    ///
    /// # Errors
    /// When a number is out of its range.
    pub fn check(&self) -> Result<(), Error> {
        let at_least = |option: &str, value: usize, least: usize| {
            if value >= least {
                return Ok(());
            }
            Err(Error::new(format!("`{value}` is too few; {least} is the least"))
                .in_file(option))
        };
        if let (Some(_), Some(model)) = (self.run_noise, &self.model)
            && model.likelihood != NESTED
        {
            let what = format!("the model `{}` knows no invocations", model.name);
            return Err(Error::new(what)
                .in_file("--run-noise")
                .with_hint("leave out `--model`, or write `--model nested`"));
        }
        self.check_rivals()?;
        at_least("--chains", self.chains, 1)?;
        at_least("--draws", self.draws, 4)?;
        at_least("--tune", self.tune, 20)?;
        at_least("--future-runs", self.future_runs.unwrap_or(1), 1)?;
        let most = 100_000_000;
        if self.chains.saturating_mul(self.draws) > most {
            return Err(Error::new(format!("more than {most} draws in all"))
                .in_file("--draws")
                .with_hint("4 chains of 1,000 draws serve most purposes"));
        }
        if self.confidence > 0.5 && self.confidence < 1.0 {
            return Ok(());
        }
        let what = format!("`{}` should lie between 0.5 and 1", self.confidence);
        Err(Error::new(what).in_file("--confidence"))
    }

    /// Models that are compared must see the same data, each once.
    fn check_rivals(&self) -> Result<(), Error> {
        let all: Vec<&Spec> = self.model.iter().chain(&self.rivals).collect();
        for (i, one) in all.iter().enumerate() {
            if all[..i].iter().any(|earlier| earlier.name == one.name) {
                let what = format!("the model `{}` is named twice", one.name);
                return Err(Error::new(what).in_file("--model"));
            }
        }
        let paired = all.iter().any(|one| one.likelihood == PAIRED);
        if paired && all.len() > 1 {
            return Err(Error::new(
                "`paired` sees blocks where other models see runs: there is no scale on \
                 which they could be compared",
            )
            .in_file("--model")
            .with_hint("name it alone"));
        }
        Ok(())
    }
}

impl Settings {
    /// The model for data with or without several runs in several invocations.
    ///
    /// # Errors
    /// When a prior is wrong.
    pub(super) fn model_for(&self, nested: bool) -> Result<Spec, Error> {
        self.adapted(match &self.model {
            Some(model) => model.clone(),
            None if nested || self.run_noise.is_some() => Spec::built_in(NESTED)?,
            None => Spec::built_in(DEFAULT)?,
        })
    }

    /// The models to be shown side by side; none where there is only one.
    ///
    /// # Errors
    /// When a prior is wrong.
    pub(super) fn side_by_side(&self) -> Result<Vec<Spec>, Error> {
        if self.rivals.is_empty() {
            return Ok(Vec::new());
        }
        let all = self.model.iter().chain(&self.rivals);
        all.map(|model| self.adapted(model.clone())).collect()
    }

    /// A model with what the options say of its priors.
    fn adapted(&self, mut model: Spec) -> Result<Spec, Error> {
        if let (Some(share), NESTED) = (self.run_noise, model.likelihood.as_str()) {
            model.remove_prior("spread");
            model.override_prior(&format!(
                "between=lognormal(log({share} * abs(grand_mean)), 0.7)"
            ))?;
        }
        for prior in &self.priors {
            model.override_prior(prior)?;
        }
        Ok(model)
    }
}

/// Reads `--run-noise 2%`.
///
/// # Errors
/// When it is no percentage above 0.
pub fn parse_run_noise(text: &str) -> Result<f64, Error> {
    let share =
        text.trim().strip_suffix('%').and_then(|share| share.trim().parse().ok());
    let known = share.filter(|share: &f64| share.is_finite() && *share > 0.0);
    known.map(|share| share / 100.0).ok_or_else(|| {
        Error::new(format!("`{text}` is no percentage above 0"))
            .in_file("--run-noise")
            .with_hint("such as `--run-noise 2%`")
    })
}

/// The smallest change that matters.
#[derive(Debug, Clone, PartialEq)]
pub struct Margin {
    /// As the user wrote it.
    pub text: String,
    /// What it means.
    pub size: MarginSize,
    /// Whether the user stated it.
    pub stated: bool,
}

/// A margin, as a share of the baseline mean or in a unit.
#[derive(Debug, Clone, PartialEq)]
pub enum MarginSize {
    /// A share of the baseline mean: 0.01 is 1 %.
    Relative(f64),
    /// A value, in the unit named or else in that of the runs.
    Absolute {
        /// The value.
        value: f64,
        /// The unit, where one is named.
        unit: Option<String>,
    },
}

impl Default for Margin {
    fn default() -> Self {
        Self { text: "1%".into(), size: MarginSize::Relative(0.01), stated: false }
    }
}

impl Margin {
    /// Reads `1%`, `0.5` or `2ms`.
    ///
    /// # Errors
    /// When it is no number above 0 with a unit or `%`.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let wrong = || {
            Error::new(format!("`{text}` is no margin"))
                .in_file("--margin")
                .with_hint("give a percentage such as `1%`, or a value such as `2ms`")
        };
        let digits = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
        let exponent = |rest: &str| {
            let after = rest.strip_prefix(['e', 'E'])?;
            let signed = after.strip_prefix(['-', '+']).unwrap_or(after);
            let digits = signed.chars().take_while(char::is_ascii_digit).count();
            (digits > 0).then_some(rest.len() - signed.len() + digits)
        };
        let mantissa = text.find(|c| !digits(c)).unwrap_or(text.len());
        let end = mantissa + exponent(&text[mantissa..]).unwrap_or(0);
        let value: f64 = text[..end].parse().map_err(|_| wrong())?;
        if !value.is_finite() || value <= 0.0 {
            return Err(wrong());
        }
        let size = match text[end..].trim() {
            "%" => MarginSize::Relative(value / 100.0),
            "" => MarginSize::Absolute { value, unit: None },
            unit if unit.starts_with(|c: char| c.is_ascii_digit()) => {
                return Err(wrong());
            }
            unit => MarginSize::Absolute { value, unit: Some(unit.to_owned()) },
        };
        Ok(Self { text: text.to_owned(), size, stated: true })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_shares_or_values_with_a_unit() {
        let size = |text: &str| Margin::parse(text).map(|margin| margin.size);
        assert_eq!(size("1%"), Ok(MarginSize::Relative(0.01)));
        assert_eq!(size("0.5 %"), Ok(MarginSize::Relative(0.005)));
        let absolute = |value, unit: Option<&str>| {
            Ok(MarginSize::Absolute { value, unit: unit.map(str::to_owned) })
        };
        assert_eq!(size("2ms"), absolute(2.0, Some("ms")));
        assert_eq!(size("1e-3"), absolute(0.001, None));
        assert_eq!(size("1e-3 s"), absolute(0.001, Some("s")));
        for wrong in ["", "x", "-1%", "0", "inf", "1.2.3", "%"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
