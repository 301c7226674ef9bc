//! What a file says its runs were measured under, and variants told apart by it.

use super::{Reading, Record, VariantBy, VariantsBy};
use crate::error::{Error, unknown_name};

/// One thing that a record was measured under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// What the user may name to tell variants apart by it.
    pub by: VariantBy,
    /// What it was for this record.
    pub value: String,
    /// Whether it belongs to the benchmark's name where it tells no variants apart.
    pub in_name: bool,
}

impl Mark {
    /// A parameter, which is part of the benchmark's name.
    pub fn parameter(name: impl Into<String>, value: impl Into<String>) -> Self {
        let by = VariantBy::Parameter(name.into());
        Self { by, value: value.into(), in_name: true }
    }

    /// As the label of a variant, or as a part of a benchmark's name.
    fn text(&self) -> String {
        match &self.by {
            VariantBy::Parameter(name) => format!("{name}={}", self.value),
            VariantBy::Configuration(_)
            | VariantBy::Command
            | VariantBy::Column(_)
            | VariantBy::File
            | VariantBy::Inside => self.value.clone(),
        }
    }
}

impl Record {
    /// Names the benchmark by its stem and the marks that belong to its name.
    pub fn named_by(&mut self, stem: Option<String>, marks: Vec<Mark>) {
        (self.stem, self.marks) = (stem, marks);
        self.benchmark = self.name_without(None);
    }

    /// The benchmark's name without one of its marks.
    fn name_without(&self, chosen: Option<&VariantBy>) -> Option<String> {
        // A command line holds its parameters.
        let whole = chosen == Some(&VariantBy::Command);
        let rest = self.marks.iter().filter(|mark| {
            mark.in_name && !whole && Some(&mark.by) != chosen && !mark.value.is_empty()
        });
        let parts: Vec<String> =
            self.stem.iter().cloned().chain(rest.map(Mark::text)).collect();
        (!parts.is_empty()).then(|| parts.join("/"))
    }
}

impl Reading {
    /// The same with variants told apart by a mark, and all other marks in the name of
    /// the benchmark. What is not told by marks is left as it is.
    ///
    /// # Errors
    /// When a record has no such mark: those it has are named.
    pub fn told_apart_by(mut self, by: &VariantBy) -> Result<Self, Error> {
        if matches!(by, VariantBy::File | VariantBy::Inside | VariantBy::Column(_)) {
            return Ok(self);
        }
        for record in &mut self.records {
            let Some(mark) = record.marks.iter().find(|mark| mark.by == *by) else {
                return Err(missing(by, record).in_file(self.path.as_str()));
            };
            record.variant = Some(mark.text());
            record.benchmark = record.name_without(Some(by));
        }
        self.variants = VariantsBy::Structure;
        Ok(self)
    }
}

fn missing(by: &VariantBy, record: &Record) -> Error {
    let marks = record.marks.iter().map(|mark| &mark.by);
    match by {
        VariantBy::Parameter(wanted) => {
            let names = marks.filter_map(|by| match by {
                VariantBy::Parameter(name) => Some(name.as_str()),
                _ => None,
            });
            unknown_name("parameter", wanted, names)
        }
        VariantBy::Configuration(wanted) => {
            let names = marks.filter_map(|by| match by {
                VariantBy::Configuration(name) => Some(name.as_str()),
                _ => None,
            });
            unknown_name("line of configuration", wanted, names)
        }
        VariantBy::Command
        | VariantBy::Column(_)
        | VariantBy::File
        | VariantBy::Inside => Error::new("it names no commands")
            .with_hint("leave out `--variant-by`, or say `--variant-by file`"),
    }
}
