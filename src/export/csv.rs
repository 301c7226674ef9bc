//! A tidy table for R and Python: a row a draw, a column a variable.

use std::io::{self, Write};

use super::Export;
use crate::draws::{Draws, Variable};

/// `.chain,.iteration,.draw` as R's `posterior` reserves them, counted from 1, then the
/// variables of the posterior at full precision.
pub(super) struct Csv;

impl Export for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn write(&self, draws: &Draws, to: &mut dyn Write) -> io::Result<()> {
        let posterior = draws.posterior();
        let variables = posterior.variables();
        let mut table = csv::Writer::from_writer(to);
        let reserved = [".chain", ".iteration", ".draw"];
        let names = variables.iter().map(Variable::full_name);
        table.write_record(reserved.into_iter().chain(names))?;
        for chain in 0..posterior.chains() {
            for iteration in 0..posterior.iterations() {
                let draw = chain * posterior.iterations() + iteration;
                let counts =
                    [chain, iteration, draw].map(|count| (count + 1).to_string());
                let cells =
                    variables.iter().map(|one| cell(one.values()[(chain, iteration)]));
                table.write_record(counts.into_iter().chain(cells))?;
            }
        }
        table.flush()
    }
}

/// The shortest text that reads back as the same number, with R's words for the rest.
fn cell(value: f64) -> String {
    match value {
        _ if value.is_nan() => "NA".to_owned(),
        f64::INFINITY => "Inf".to_owned(),
        f64::NEG_INFINITY => "-Inf".to_owned(),
        // Very small and very large values are shorter with an exponent.
        _ if value != 0.0 && !(1e-5..1e17).contains(&value.abs()) => {
            format!("{value:e}")
        }
        _ => value.to_string(),
    }
}
