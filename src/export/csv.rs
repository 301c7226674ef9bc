//! Draws as a table: a column for each variable, a row for each draw.
//!
//! R: `posterior::as_draws_df(read.csv(FILE, check.names = FALSE))`.
//! Python: `pandas.read_csv(FILE, float_precision="round_trip")`.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use csv::{ByteRecord, Writer};

use super::Kind;
use crate::draws::{Draws, Group, Variable};

pub(super) const KIND: Kind = Kind {
    name: "csv",
    suffixes: &["csv"],
    about: "one table of the posterior, for R's posterior, pandas and spreadsheets",
    write,
};

/// The columns that R's `posterior` reserves: chain, iteration in it, draw over all.
const PLACE: [&str; 3] = [".chain", ".iteration", ".draw"];

fn write(draws: &Draws, path: &Path) -> io::Result<()> {
    let mut writer = Writer::from_writer(File::create(path)?);
    write_table(draws.posterior(), &mut writer)?;
    writer.flush()
}

/// Rows by chain, then iteration; all three counts start at 1.
fn write_table<W: Write>(group: &Group, writer: &mut Writer<W>) -> io::Result<()> {
    let variables = group.variables().iter();
    writer.write_record(PLACE.into_iter().chain(variables.map(Variable::full_name)))?;
    let mut row = ByteRecord::new();
    let mut field = Vec::new();
    for chain in 0..group.chains() {
        for iteration in 0..group.iterations() {
            let draw = chain * group.iterations() + iteration;
            row.clear();
            for count in [chain, iteration, draw] {
                field.clear();
                write!(field, "{}", count + 1)?;
                row.push_field(&field);
            }
            for variable in group.variables() {
                field.clear();
                write_number(&mut field, variable.values()[[chain, iteration]])?;
                row.push_field(&field);
            }
            writer.write_byte_record(&row)?;
        }
    }
    Ok(())
}

/// The shortest text that reads back as the same number; what is none as R writes it.
fn write_number(field: &mut Vec<u8>, value: f64) -> io::Result<()> {
    let size = value.abs();
    if value.is_nan() {
        write!(field, "NA")
    } else if value.is_infinite() {
        write!(field, "{}Inf", if value < 0.0 { "-" } else { "" })
    } else if size != 0.0 && !(1e-5..1e16).contains(&size) {
        write!(field, "{value:e}") // not 300 zeros
    } else {
        write!(field, "{value}")
    }
}
