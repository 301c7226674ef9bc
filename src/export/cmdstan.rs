//! Draws as the CSV files of `CmdStan`, one for each chain in a folder.
//!
//! The layout is that of `CmdStan` 2.37, as far as `CmdStanPy`, cmdstanr, rstan and
//! `ArviZ` read it. Its lines of settings are all there, since readers stop where some
//! are missing; those of `adapt` other than `delta` are the defaults of Stan, and say
//! nothing of how these draws were made.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::SystemTime;

use serde_json::{Map, Value, json};

use super::number::{STAN, write_number};
use super::{Kind, Writer};
use crate::draws::{Adaptation, Draws, Group, GroupName, Index, Statistic, Variable};

pub(super) const KIND: Kind = Kind {
    name: "cmdstan",
    suffixes: &[],
    about: "a folder of one CSV for each chain, for CmdStanPy, cmdstanr and rstan",
    writer: |_| Writer::Folder { mark: VARIABLES, write },
};

/// Names the variables behind the columns, since CSV of Stan has numbers for labels.
const VARIABLES: &str = "variables.json";

/// The columns that Stan's readers want first, in this order.
const SAMPLER: [(&str, Statistic); 7] = [
    ("lp__", Statistic::Lp),
    ("accept_stat__", Statistic::AcceptanceRate),
    ("stepsize__", Statistic::StepSize),
    ("treedepth__", Statistic::TreeDepth),
    ("n_leapfrog__", Statistic::NSteps),
    ("divergent__", Statistic::Diverging),
    ("energy__", Statistic::Energy),
];

fn write(draws: &Draws, folder: &Path) -> io::Result<()> {
    let columns = columns(draws);
    for chain in 0..draws.posterior().chains() {
        let name = format!("chain-{}.csv", chain + 1);
        let mut out = BufWriter::new(File::create(folder.join(&name))?);
        write_settings(&mut out, draws, chain, &name)?;
        write_header(&mut out, &columns)?;
        write_adaptation(&mut out, draws, chain)?;
        write_rows(&mut out, draws, &columns, chain)?;
        write_times(&mut out, draws, chain)?;
        out.flush()?;
    }
    let names: Map<String, Value> = columns
        .iter()
        .map(|column| {
            let name = column.variable.full_name();
            let label = column.variable.index().map(Index::label);
            (column.name.clone(), json!({ "variable": name, "label": label }))
        })
        .collect();
    fs::write(folder.join(VARIABLES), serde_json::to_vec_pretty(&names)?)
}

/// A variable under the name that Stan gives it: `mean.1`, `mean.2`.
struct Column<'a> {
    name: String,
    variable: &'a Variable,
}

/// The variables of the posterior, then those groups that Stan has names for.
///
/// `log_lik` and `lprior` are what R's loo and priorsense look for.
fn columns(draws: &Draws) -> Vec<Column<'_>> {
    let posterior = draws.posterior();
    let mut columns = Vec::new();
    for (name, elements) in posterior.arrays() {
        columns.extend(numbered(name, elements));
    }
    for (group, name) in [
        (GroupName::LogLikelihood, "log_lik"),
        (GroupName::PosteriorPredictive, "y_rep"),
        (GroupName::LogPrior, "lprior"),
    ] {
        let group = draws.group(group);
        if shape(group) == shape(posterior) {
            columns.extend(numbered(name, group.variables().iter().collect()));
        }
    }
    columns
}

fn shape(group: &Group) -> (usize, usize) {
    (group.chains(), group.iterations())
}

/// Counted from 1, unless it is one variable on its own.
fn numbered<'a>(name: &str, elements: Vec<&'a Variable>) -> Vec<Column<'a>> {
    let name = name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_");
    if let [variable] = elements[..]
        && variable.index().is_none()
    {
        return vec![Column { name, variable }];
    }
    let elements = elements.into_iter().enumerate();
    let column = |(i, variable)| Column { name: format!("{name}.{}", i + 1), variable };
    elements.map(column).collect()
}

fn write_settings(
    out: &mut impl Write,
    draws: &Draws,
    chain: usize,
    file: &str,
) -> io::Result<()> {
    let fact = |key, unknown| draws.fact(key).unwrap_or(unknown);
    let model = fact("model", "model");
    let model = model.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let now = now.replace('T', " ").replace('Z', " UTC");
    write!(
        out,
        "\
# stan_version_major = 2
# stan_version_minor = 37
# stan_version_patch = 0
# model = patchodds_{model}
# start_datetime = {now}
# method = sample (Default)
#   sample
#     num_samples = {samples}
#     num_warmup = {warmup}
#     save_warmup = 0 (Default)
#     thin = 1 (Default)
#     adapt
#       engaged = 1 (Default)
#       gamma = 0.05 (Default)
#       delta = {delta}
#       kappa = 0.75 (Default)
#       t0 = 10 (Default)
#       init_buffer = 75 (Default)
#       term_buffer = 50 (Default)
#       window = 25 (Default)
#     algorithm = hmc (Default)
#       hmc
#         engine = nuts (Default)
#           nuts
#             max_depth = 10 (Default)
#         metric = {metric}
#         metric_file =  (Default)
#         stepsize = 1 (Default)
#         stepsize_jitter = 0 (Default)
#     num_chains = 1 (Default)
# id = {id}
# data
#   file =  (Default)
# init = 2 (Default)
# random
#   seed = {seed}
# output
#   file = {file}
#   diagnostic_file =  (Default)
#   refresh = 100 (Default)
#   sig_figs = 17
# num_threads = 1 (Default)
",
        samples = draws.posterior().iterations(),
        warmup = fact("tuning_steps", "0"),
        delta = fact("target_accept", "0.9"),
        metric = if adaptation(draws, chain).is_some() { "diag_e" } else { "unit_e" },
        id = chain + 1,
        seed = fact("seed", "0"),
    )
}

fn adaptation(draws: &Draws, chain: usize) -> Option<&Adaptation> {
    draws.adaptation().get(chain)
}

fn write_header(out: &mut impl Write, columns: &[Column<'_>]) -> io::Result<()> {
    let sampler = SAMPLER.iter().map(|(name, _)| *name);
    let names = sampler.chain(columns.iter().map(|column| column.name.as_str()));
    writeln!(out, "{}", names.collect::<Vec<_>>().join(","))
}

/// Where no adaptation is known, the step size is the mean over the kept draws, which are
/// made with some jitter, and the mass matrix is left out, as `CmdStan` does where there
/// is none.
fn write_adaptation(
    out: &mut impl Write,
    draws: &Draws,
    chain: usize,
) -> io::Result<()> {
    let adaptation = adaptation(draws, chain);
    let step_size = adaptation
        .map(|known| known.step_size)
        .or_else(|| statistic(draws, Statistic::StepSize)?.values().row(chain).mean());
    writeln!(out, "# Adaptation terminated")?;
    write!(out, "# Step size = ")?;
    write_number(out, step_size.unwrap_or(1.0), &STAN)?;
    writeln!(out)?;
    let Some(Adaptation { inverse_mass, .. }) = adaptation else {
        return writeln!(out, "# No free parameters for unit metric");
    };
    writeln!(out, "# Diagonal elements of inverse mass matrix:")?;
    write!(out, "# ")?;
    for (i, element) in inverse_mass.iter().enumerate() {
        if i > 0 {
            write!(out, ", ")?;
        }
        write_number(out, *element, &STAN)?;
    }
    writeln!(out)
}

fn statistic(draws: &Draws, statistic: Statistic) -> Option<&Variable> {
    draws.group(GroupName::SampleStats).get(statistic.name())
}

fn write_rows(
    out: &mut impl Write,
    draws: &Draws,
    columns: &[Column<'_>],
    chain: usize,
) -> io::Result<()> {
    let sampler = SAMPLER.map(|(_, of)| statistic(draws, of));
    for iteration in 0..draws.posterior().iterations() {
        let sampler = sampler.iter().copied();
        let variables = columns.iter().map(|column| Some(column.variable));
        for (i, variable) in sampler.chain(variables).enumerate() {
            if i > 0 {
                write!(out, ",")?;
            }
            // What the sampler does not tell is 0, as in cmdstanr's `draws_to_csv`.
            let value = variable.map_or(0.0, |v| v.values()[[chain, iteration]]);
            write_number(out, value, &STAN)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Where no times are known they are 0.
fn write_times(out: &mut impl Write, draws: &Draws, chain: usize) -> io::Result<()> {
    let [warm_up, sampling] =
        adaptation(draws, chain).map_or([0.0; 2], |known| known.seconds);
    let total = warm_up + sampling;
    writeln!(out, "# ")?;
    writeln!(out, "#  Elapsed Time: {warm_up:.3} seconds (Warm-up)")?;
    writeln!(out, "#                {sampling:.3} seconds (Sampling)")?;
    writeln!(out, "#                {total:.3} seconds (Total)")?;
    writeln!(out, "# ")
}
