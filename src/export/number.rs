//! Numbers as text that reads back bit for bit.

use std::io::{self, Write};

/// Writes a number in the fewest digits that tell it from all others, by the names that
/// a reader has for what is none.
pub(super) fn write_number(
    out: &mut impl Write,
    value: f64,
    none: &Words,
) -> io::Result<()> {
    let size = value.abs();
    if value.is_nan() {
        write!(out, "{}", none.nan)
    } else if value.is_infinite() {
        write!(out, "{}{}", if value < 0.0 { "-" } else { "" }, none.infinity)
    } else if size != 0.0 && !(1e-5..1e16).contains(&size) {
        write!(out, "{value:e}") // not 300 zeros
    } else {
        write!(out, "{value}")
    }
}

/// What a reader calls numbers that are none.
pub(super) struct Words {
    pub nan: &'static str,
    pub infinity: &'static str,
}

/// As R's `read.csv` and pandas read them.
pub(super) const R: Words = Words { nan: "NA", infinity: "Inf" };

/// As `CmdStan` writes them.
pub(super) const STAN: Words = Words { nan: "nan", infinity: "inf" };
