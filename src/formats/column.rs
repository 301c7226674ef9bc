//! The numbers of one column: one unit, and the finest place printed.

use super::number::{Convention, Evidence, Fault, Printed, Unsettled, parse};
use crate::data::unit::{Conversion, conversion};
use crate::data::{Record, Runs, Values};
use crate::error::Error;

/// The finest last decimal place among some numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Finest {
    /// As a power of ten, for numbers in the unit of their column.
    place: i32,
    /// As a width, for numbers that were converted to it.
    converted: f64,
}

impl Finest {
    pub(super) const NONE: Self = Self { place: i32::MAX, converted: f64::INFINITY };

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            place: self.place.min(other.place),
            converted: self.converted.min(other.converted),
        }
    }

    /// As a width in the unit of the column.
    pub(super) fn width(self) -> f64 {
        let place = if self.place == i32::MAX {
            f64::INFINITY
        } else {
            power_of_ten(self.place)
        };
        place.min(self.converted).min(f64::MAX)
    }
}

fn power_of_ten(place: i32) -> f64 {
    format!("1e{}", place.clamp(-330, 308)).parse().unwrap_or(0.0)
}

/// How the numbers of one column are read.
#[derive(Debug, Clone)]
pub(super) struct Column {
    convention: Convention,
    /// From the header, else from the first number.
    pub(super) unit: Option<String>,
    in_header: bool,
    started: bool,
    /// The last unit that was glued to a number and differs from the column's.
    glued: Option<(String, Conversion)>,
}

/// What is wrong with a number, and what to do about it.
pub(super) type Complaint = (String, String);

impl Column {
    /// With the unit that the header gives.
    pub(super) fn new(convention: Convention, unit: Option<String>) -> Self {
        let in_header = unit.is_some();
        Self { convention, unit, in_header, started: false, glued: None }
    }

    /// The value of one number in the column's unit, and its last place.
    pub(super) fn read(&mut self, text: &str) -> Result<(f64, Finest), Complaint> {
        let printed = parse(text, self.convention).map_err(|fault| {
            let what = match fault {
                Fault::NotFinite => "should be a finite number, not",
                Fault::TooLarge => "should be a number of at most 1.8e308, not",
                Fault::NotANumber | Fault::Suffix | Fault::Separators => {
                    "should be a number, not"
                }
            };
            (format!("{what} `{text}`"), fault.hint().to_owned())
        })?;
        if !self.started {
            self.started = true;
            if !self.in_header {
                self.unit = printed.unit.map(str::to_owned);
            }
        }
        match (printed.unit, &self.unit) {
            (None, None) => Ok(as_it_is(printed)),
            (None, Some(_)) if self.in_header => Ok(as_it_is(printed)),
            (Some(given), Some(own)) if given == own => Ok(as_it_is(printed)),
            (Some(given), Some(_)) => self.convert(text, printed, given),
            (None, Some(own)) => Err((
                format!(
                    "has no unit in `{text}`, where the numbers before are in `{own}`"
                ),
                "give each number its unit, or none".to_owned(),
            )),
            (Some(_), None) => Err((
                format!("has a unit in `{text}`, where the numbers before have none"),
                "give each number its unit, or none".to_owned(),
            )),
        }
    }

    fn convert(
        &mut self,
        text: &str,
        printed: Printed<'_>,
        given: &str,
    ) -> Result<(f64, Finest), Complaint> {
        let own = self.unit.as_deref().unwrap_or_default();
        if self.glued.as_ref().is_none_or(|(unit, _)| unit != given) {
            let conversion = conversion(given, own).ok_or_else(|| {
                (
                    format!("is in `{own}`, which `{text}` cannot be converted to"),
                    "one column holds one kind of quantity".to_owned(),
                )
            })?;
            self.glued = Some((given.to_owned(), conversion));
        }
        let conversion = self.glued.as_ref().map(|(_, conversion)| *conversion);
        let apply = |value| conversion.map_or(value, |known| known.apply(value));
        let value = apply(printed.value);
        if !value.is_finite() {
            return Err((
                format!("should be a number of at most 1.8e308, not `{text}`"),
                Fault::TooLarge.hint().to_owned(),
            ));
        }
        let converted = apply(power_of_ten(printed.place));
        Ok((value, Finest { place: i32::MAX, converted }))
    }
}

fn as_it_is(printed: Printed<'_>) -> (f64, Finest) {
    (printed.value, Finest { place: printed.place, converted: f64::INFINITY })
}

/// What the separators of a column mean; an error names the line and the way out.
pub(super) fn settle(path: &str, evidence: Evidence) -> Result<Convention, Error> {
    evidence.settle().map_err(|unsettled| match unsettled {
        Unsettled::Open(number, line) => {
            let (whole, point) = (number.replace(',', ""), number.replace(',', "."));
            Error::new(format!("`{number}` may be {whole} or {point}"))
                .at_line(path, line)
                .with_hint(format!("write `{whole}` or `{point}`"))
        }
        Unsettled::Mixed(one, other, line) => Error::new(format!(
            "`{one}` has a decimal point, `{other}` in the same column a decimal comma"
        ))
        .at_line(path, line)
        .with_hint("write all numbers with a decimal point"),
    })
}

/// A record of runs of one invocation.
pub(super) fn one_invocation(runs: Vec<f64>, finest: Finest) -> Record {
    Record::unnamed(Values::Runs(Runs {
        invocations: vec![runs],
        invocations_named: false,
        resolution: finest.width(),
        blocks: None,
    }))
}
