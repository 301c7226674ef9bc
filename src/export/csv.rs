//! Draws as a table: a column for each variable, a row for each draw.
//!
//! R: `posterior::as_draws_df(read.csv(FILE, check.names = FALSE))`.
//! Python: `pandas.read_csv(FILE, float_precision="round_trip")`.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use csv::ByteRecord;

use super::number::{R, write_number};
use super::{Kind, Writer};
use crate::draws::{Draws, Group, Variable};

pub(super) const KIND: Kind = Kind {
    name: "csv",
    suffixes: &["csv"],
    about: "one table of the posterior, for R's posterior, pandas and spreadsheets",
    writer: |_| Writer::File(write),
};

/// The columns that R's `posterior` reserves: chain, iteration in it, draw over all.
pub(super) const PLACE: [&str; 3] = [".chain", ".iteration", ".draw"];

fn write(draws: &Draws, path: &Path) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(File::create(path)?);
    write_table(draws.posterior(), &mut writer)?;
    writer.flush()
}

/// Rows by chain, then iteration; all three counts start at 1.
fn write_table<W: Write>(group: &Group, writer: &mut csv::Writer<W>) -> io::Result<()> {
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
                write_number(&mut field, variable.values()[[chain, iteration]], &R)?;
                row.push_field(&field);
            }
            writer.write_byte_record(&row)?;
        }
    }
    Ok(())
}
