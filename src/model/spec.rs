//! A model as its file states it: title, likelihood, priors in order.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::expression::{self, Fault, Statement};
use super::{MODELS, likelihood};
use crate::error::{Error, Excerpt, unknown_name};

/// A model: a likelihood and a prior for each of its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// Short name, as given with `--model`; of a file, its stem.
    pub name: String,
    /// One line for the person who chooses.
    pub title: String,
    /// Name of the likelihood.
    pub likelihood: String,
    /// Whether rounding to the resolution is part of a run's SD.
    pub rounding: bool,
    /// In the order in which they may name one another.
    pub priors: Vec<PriorLine>,
}

/// One line under `[priors]`.
#[derive(Debug, Clone, PartialEq)]
pub struct PriorLine {
    /// The parameter.
    pub parameter: String,
    /// The prior as written.
    pub text: String,
    /// The prior as parsed.
    pub statement: Statement,
    origin: Origin,
}

/// Where a prior was written: file or argument, line, the line's text, and where in it
/// the prior begins.
#[derive(Debug, Clone, PartialEq)]
struct Origin {
    file: String,
    line: Option<usize>,
    text: String,
    start: usize,
}

impl Origin {
    fn error(&self, fault: Fault) -> Error {
        let error = Error::new(fault.what);
        let error = match self.line {
            Some(line) => error.at_line(&self.file, line),
            None => error.in_file(&self.file),
        }
        .with_excerpt(Excerpt {
            text: self.text.clone(),
            start: self.start + fault.start,
            len: fault.len,
        });
        match fault.hint {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }
}

impl PriorLine {
    /// An error that shows the part of this prior that is to blame.
    pub fn error(&self, fault: Fault) -> Error {
        self.origin.error(fault)
    }

    /// An error that shows the whole prior.
    pub fn error_of_whole(&self, what: impl Into<String>) -> Error {
        self.origin.error(Fault {
            start: 0,
            len: self.text.chars().count(),
            what: what.into(),
            hint: None,
        })
    }
}

impl Spec {
    /// A model that ships with the program.
    ///
    /// # Errors
    /// When there is none of that name; the hint lists those that there are.
    pub fn built_in(name: &str) -> Result<Self, Error> {
        match MODELS.iter().find(|model| model.name == name) {
            Some(model) => {
                Self::parse(name, &format!("models/{name}.toml"), model.toml)
            }
            None => Err(unknown_name("model", name, MODELS.iter().map(|m| m.name))),
        }
    }

    /// The model that `--model` names: one that ships with the program, or a file.
    ///
    /// # Errors
    /// When there is neither, or the file cannot be read or is wrong.
    pub fn named(word: &str) -> Result<Self, Error> {
        let looks_like_a_file = word.contains(['/', '\\']) || has_toml_suffix(word);
        if MODELS.iter().any(|model| model.name == word) {
            return Self::built_in(word);
        }
        if !looks_like_a_file && !Path::new(word).exists() {
            let unknown = unknown_name("model", word, MODELS.iter().map(|m| m.name));
            let hint =
                format!("{}; or name a file", unknown.hint().unwrap_or_default());
            return Err(unknown.with_hint(hint));
        }
        let text = std::fs::read_to_string(word).map_err(|error| {
            Error::new(format!("the model cannot be read: {error}"))
                .in_file(word)
                .with_hint("`patchodds models` lists those that need no file")
        })?;
        let stem = Path::new(word).file_stem().map(|stem| stem.to_string_lossy());
        Self::parse(&stem.unwrap_or_default(), word, &text)
    }

    /// A model from the text of its file.
    ///
    /// # Errors
    /// With the line of what is wrong.
    pub fn parse(name: &str, file: &str, text: &str) -> Result<Self, Error> {
        let source = Source { file, text };
        let table = DeTable::parse(text).map_err(|error| source.toml_error(&error))?;
        let table = table.get_ref();
        for key in table.keys() {
            if !KEYS.contains(&key.get_ref().as_ref()) {
                let unknown = unknown_name("key", key.get_ref(), KEYS);
                return Err(source.blame(unknown, key.span()));
            }
        }
        let title = source.string(table, "title")?.get_ref().clone();
        let likelihood = source.string(table, "likelihood")?;
        if !likelihood::NAMES.contains(&likelihood.get_ref().as_str()) {
            let unknown =
                unknown_name("likelihood", likelihood.get_ref(), likelihood::NAMES);
            return Err(source.blame(unknown, likelihood.span()));
        }
        let rounding = source.flag(table, "rounding")?.unwrap_or(true);
        let priors = source.priors(table)?;
        let likelihood = likelihood.into_inner();
        Ok(Self { name: name.to_owned(), title, likelihood, rounding, priors })
    }

    /// Whether every prior has a finite integral.
    pub fn is_proper(&self) -> bool {
        self.priors.iter().all(|line| line.statement.distribution.is_proper())
    }

    /// Leaves out a prior, where there is one of that parameter.
    pub fn remove_prior(&mut self, parameter: &str) {
        self.priors.retain(|line| line.parameter != parameter);
    }

    /// Replaces one prior, or adds one that the others may name: `sd=lognormal(0, 1)`.
    ///
    /// # Errors
    /// When the words are not `PARAMETER=DISTRIBUTION(…)`.
    pub fn override_prior(&mut self, words: &str) -> Result<(), Error> {
        let argument = "--prior";
        let Some((parameter, prior)) = words.split_once('=') else {
            return Err(Error::new(format!("`{words}` is not PARAMETER=PRIOR"))
                .in_file(argument)
                .with_hint("such as `--prior 'sd=lognormal(log(noise), 0.3)'`"));
        };
        let origin = Origin {
            file: argument.to_owned(),
            line: None,
            text: words.to_owned(),
            start: parameter.chars().count() + 1,
        };
        let line = prior_line(parameter.trim(), prior, origin)?;
        match self.priors.iter_mut().find(|known| known.parameter == line.parameter) {
            Some(known) => *known = line,
            None => self.priors.insert(0, line),
        }
        Ok(())
    }
}

fn has_toml_suffix(word: &str) -> bool {
    Path::new(word)
        .extension()
        .is_some_and(|suffix| suffix.eq_ignore_ascii_case("toml"))
}

/// The keys of a model file.
const KEYS: [&str; 4] = ["title", "likelihood", "rounding", "priors"];

fn prior_line(parameter: &str, text: &str, origin: Origin) -> Result<PriorLine, Error> {
    match expression::parse(text) {
        Ok(statement) => Ok(PriorLine {
            parameter: parameter.to_owned(),
            text: text.to_owned(),
            statement,
            origin,
        }),
        Err(fault) => Err(origin.error(fault)),
    }
}

/// The text of a model file, to blame its lines.
struct Source<'a> {
    file: &'a str,
    text: &'a str,
}

impl Source<'_> {
    /// The line (from 1) that holds a byte, its text, and the byte's column in
    /// characters.
    fn line_of(&self, byte: usize) -> (usize, &str, usize) {
        let byte = byte.min(self.text.len());
        let start = self.text[..byte].rfind('\n').map_or(0, |newline| newline + 1);
        let number = self.text[..start].matches('\n').count() + 1;
        let line = self.text[start..].lines().next().unwrap_or_default();
        (number, line, self.text[start..byte].chars().count())
    }

    fn blame(&self, error: Error, span: std::ops::Range<usize>) -> Error {
        let (number, text, start) = self.line_of(span.start);
        let len = text.chars().count().saturating_sub(start).min(span.len());
        error.at_line(self.file, number).with_excerpt(Excerpt {
            text: text.to_owned(),
            start,
            len,
        })
    }

    fn toml_error(&self, error: &toml::de::Error) -> Error {
        let what = error.message().to_lowercase();
        let what = what.trim_end_matches('.').replace('\n', "; ");
        self.blame(Error::new(what), error.span().unwrap_or(0..1))
    }

    fn missing(&self, key: &str) -> Error {
        Error::new(format!("the model has no `{key}`"))
            .in_file(self.file)
            .with_hint("`patchodds models show normal` prints a model to start from")
    }

    fn string(&self, table: &DeTable<'_>, key: &str) -> Result<Spanned<String>, Error> {
        let value = table.get(key).ok_or_else(|| self.missing(key))?;
        match value.get_ref() {
            DeValue::String(text) => Ok(Spanned::new(value.span(), text.to_string())),
            _ => Err(self.blame(
                Error::new(format!("`{key}` should be a text in quotes")),
                value.span(),
            )),
        }
    }

    fn flag(&self, table: &DeTable<'_>, key: &str) -> Result<Option<bool>, Error> {
        match table.get(key).map(|value| (value.get_ref(), value.span())) {
            None => Ok(None),
            Some((DeValue::Boolean(flag), _)) => Ok(Some(*flag)),
            Some((_, span)) => Err(self.blame(
                Error::new(format!("`{key}` should be `true` or `false`")),
                span,
            )),
        }
    }

    fn priors(&self, table: &DeTable<'_>) -> Result<Vec<PriorLine>, Error> {
        let priors = table.get("priors").ok_or_else(|| self.missing("priors"))?;
        let DeValue::Table(lines) = priors.get_ref() else {
            let error = Error::new("`priors` should be a table: `[priors]`");
            return Err(self.blame(error, priors.span()));
        };
        let mut written: Vec<_> = lines.iter().collect();
        written.sort_by_key(|(parameter, _)| parameter.span().start);
        written
            .into_iter()
            .map(|(parameter, prior)| {
                let DeValue::String(text) = prior.get_ref() else {
                    let what = format!("`{}` should be a text", parameter.get_ref());
                    let error =
                        Error::new(what).with_hint("such as `\"normal(0, 1)\"`");
                    return Err(self.blame(error, prior.span()));
                };
                // The span starts at the opening quote.
                let (number, line, start) = self.line_of(prior.span().start + 1);
                let origin = Origin {
                    file: self.file.to_owned(),
                    line: Some(number),
                    text: line.to_owned(),
                    start,
                };
                prior_line(parameter.get_ref(), text, origin)
            })
            .collect()
    }
}
