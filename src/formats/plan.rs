//! What each column of a table is for.

use csv::ByteRecord;

use super::Options;
use super::delimited::{as_text, is_number};
use super::header::{Heading, Role, find, list};
use crate::data::VariantsBy;
use crate::error::Error;

/// What the head of a table looks like.
#[derive(Debug)]
pub(super) struct Profile {
    headings: Vec<Heading>,
    has_header: bool,
    tallies: Vec<Tally>,
}

/// What was seen of one column.
#[derive(Debug, Clone, Default)]
struct Tally {
    filled: usize,
    numbers: usize,
    last: Option<f64>,
    /// Whether all values can be seconds since 1970, in order.
    epoch: bool,
}

impl Profile {
    pub(super) fn new(headings: Vec<Heading>, has_header: bool) -> Self {
        let tally = Tally { epoch: true, ..Tally::default() };
        let tallies = vec![tally; headings.len()];
        Self { headings, has_header, tallies }
    }

    pub(super) fn note(&mut self, row: &ByteRecord) {
        for (cell, tally) in row.iter().map(<[u8]>::trim_ascii).zip(&mut self.tallies) {
            if cell.is_empty() {
                continue;
            }
            tally.filled += 1;
            tally.numbers += usize::from(is_number(cell));
            let value = as_text(cell).parse::<f64>().ok();
            tally.epoch &= value.is_some_and(|value| {
                value >= 1e8 && tally.last.is_none_or(|last| value > last)
            });
            tally.last = value;
        }
    }

    /// Whether there is nothing below the header.
    pub(super) fn is_empty(&self) -> bool {
        self.tallies.iter().all(|tally| tally.filled == 0)
    }

    /// Whether a column holds numbers: most of what is in it, so that one bad cell is
    /// found as such.
    fn is_numeric(&self, index: usize) -> bool {
        let tally = &self.tallies[index];
        tally.filled > 0 && tally.numbers * 2 >= tally.filled
    }

    fn role(&self, index: usize) -> Role {
        let heading = &self.headings[index];
        let role = heading.role(self.is_numeric(index));
        let tally = &self.tallies[index];
        let clock = heading.unit.is_none() && tally.filled > 1 && tally.epoch;
        match role {
            Role::NamedValue if clock && heading.stem.eq_ignore_ascii_case("time") => {
                Role::Order
            }
            // Nothing in it, and nothing known of it.
            Role::Other | Role::Value | Role::NamedValue if tally.filled == 0 => {
                Role::Order
            }
            role => role,
        }
    }
}

/// A column of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ValueColumn {
    pub(super) column: usize,
    /// In the wide form, the variant that its values are of.
    pub(super) variant: Option<String>,
    pub(super) metric: Option<String>,
    pub(super) unit: Option<String>,
}

/// What to take from each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) variant: Option<usize>,
    pub(super) variants: VariantsBy,
    pub(super) benchmark: Vec<usize>,
    /// Parameters, and text of which nothing is known.
    pub(super) parameters: Vec<usize>,
    pub(super) metric: Option<usize>,
    pub(super) unit: Option<usize>,
    pub(super) better: Option<usize>,
    pub(super) invocation: Vec<usize>,
    /// The column that says in which block a run was measured.
    pub(super) block: Option<usize>,
    /// Whether each variant has a column, so that a row is a block.
    pub(super) wide: bool,
    pub(super) values: Vec<ValueColumn>,
    /// Numbers that nothing is known of, beside the values.
    pub(super) ignored: Vec<usize>,
}

/// Columns by role.
struct Columns<'a> {
    profile: &'a Profile,
    roles: Vec<Role>,
}

impl Columns<'_> {
    fn of(&self, role: Role) -> Vec<usize> {
        (0..self.roles.len()).filter(|index| self.roles[*index] == role).collect()
    }

    fn names(&self, columns: &[usize]) -> String {
        list(columns.iter().map(|index| self.profile.headings[*index].name.as_str()))
    }

    /// Numbers that nothing is known of.
    fn other_numbers(&self) -> Vec<usize> {
        let mut others = self.of(Role::Other);
        others.retain(|index| self.profile.is_numeric(*index));
        others
    }

    /// Makes the column that the user chose the only one of values.
    fn take_as_values(&mut self, wanted: &str) -> Result<(), Error> {
        let chosen = find(&self.profile.headings, wanted)?;
        self.refuse_words(chosen)?;
        for role in &mut self.roles {
            if matches!(role, Role::Value | Role::NamedValue) {
                *role = Role::Order;
            }
        }
        self.roles[chosen] = Role::Value;
        Ok(())
    }

    /// The column that the user chose for the values should hold some.
    fn refuse_words(&self, chosen: usize) -> Result<(), Error> {
        let profile = self.profile;
        if profile.is_numeric(chosen) || profile.tallies[chosen].filled == 0 {
            return Ok(());
        }
        let all = 0..profile.headings.len();
        let numeric: Vec<usize> =
            all.filter(|index| profile.is_numeric(*index)).collect();
        let name = &profile.headings[chosen].name;
        Err(Error::new(format!("column `{name}` does not hold numbers"))
            .with_hint(format!("columns of numbers are {}", self.names(&numeric))))
    }

    /// A column of values of a metric that its name gives.
    fn value(&self, column: usize) -> ValueColumn {
        let heading = &self.profile.headings[column];
        ValueColumn {
            column,
            variant: None,
            metric: heading.metric(),
            unit: heading.unit.clone(),
        }
    }

    /// The one column of a role that allows no second.
    fn single(&self, role: Role, what: &str) -> Result<Option<usize>, Error> {
        match self.of(role).as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(*one)),
            several => {
                let names = self.names(several);
                Err(Error::new(format!("the columns {names} all name the {what}"))
                    .with_hint("keep one of them, or give the others another header"))
            }
        }
    }
}

impl Plan {
    /// From the head of the table and what the user says; `varying` tells which of some
    /// columns hold more than one value.
    pub(super) fn of(
        profile: &Profile,
        options: &Options,
        varying: impl Fn(&[usize]) -> Result<Vec<usize>, Error>,
    ) -> Result<Self, Error> {
        let roles = (0..profile.headings.len()).map(|index| profile.role(index));
        let mut columns = Columns { profile, roles: roles.collect() };
        if let Some(wanted) = &options.column {
            columns.take_as_values(wanted)?;
        }
        if !profile.has_header {
            return headerless(&columns, options);
        }
        refuse_missing_header(&columns)?;
        let (variant, variants) = choose_variant(&mut columns, options, varying)?;
        let metric = columns.single(Role::Metric, "metric")?;
        let wide = variant.is_none() && options.column.is_none();
        let (values, wide) = choose_values(&columns, wide, metric)?;
        let taken = |index: &usize| values.iter().any(|value| value.column == *index);
        let mut parameters = columns.of(Role::Parameter);
        parameters.extend(columns.of(Role::Other));
        parameters.retain(|index| !taken(index));
        let unknown_number = |index: &usize| {
            columns.roles[*index] == Role::Other && profile.is_numeric(*index)
        };
        let ignored = parameters.iter().copied().filter(unknown_number).collect();
        parameters.retain(|index| !unknown_number(index));
        parameters.sort_unstable();
        Ok(Self {
            variant,
            variants: if wide { VariantsBy::Structure } else { variants },
            benchmark: columns.of(Role::Benchmark),
            parameters,
            metric,
            unit: columns.single(Role::Unit, "unit")?,
            better: columns.single(Role::Better, "direction")?,
            invocation: columns.of(Role::Invocation),
            block: columns.single(Role::Block, "block")?,
            wide,
            values,
            ignored,
        })
    }
}

/// A table of numbers without names: one column of them is taken.
fn headerless(columns: &Columns<'_>, options: &Options) -> Result<Plan, Error> {
    let width = columns.roles.len();
    if let Some(wanted) = &options.variant_column {
        let what = format!("there is no header line, so no column `{wanted}`");
        return Err(Error::new(what)
            .with_hint("begin with a header line such as `variant,value`"));
    }
    let chosen = match (&options.column, width) {
        (Some(wanted), _) => find(&columns.profile.headings, wanted)?,
        (None, 1) => 0,
        (None, _) => {
            let all: Vec<usize> = (0..width).collect();
            let names = columns.names(&all);
            return Err(Error::new(format!("there are {width} columns of numbers: {names}"))
                .with_hint(
                    "choose one with `--column 1`, or put the names of variants in a header \
                     line; numbers with a decimal comma need `--input-format numbers`",
                ));
        }
    };
    Ok(Plan {
        variant: None,
        variants: VariantsBy::Nothing,
        benchmark: Vec::new(),
        parameters: Vec::new(),
        metric: None,
        unit: None,
        better: None,
        invocation: Vec::new(),
        block: None,
        wide: false,
        values: vec![ValueColumn {
            column: chosen,
            variant: None,
            metric: None,
            unit: None,
        }],
        ignored: Vec::new(),
    })
}

/// A first line with numbers among words, above a column of words, is no header.
fn refuse_missing_header(columns: &Columns<'_>) -> Result<(), Error> {
    let headings = &columns.profile.headings;
    let number = headings.iter().position(|heading| is_number(heading.name.as_bytes()));
    let words_below = (0..headings.len()).any(|index| {
        columns.roles[index] == Role::Other
            && columns.profile.tallies[index].filled > 0
            && !columns.profile.is_numeric(index)
    });
    match number {
        Some(index) if words_below => {
            let name = &headings[index].name;
            Err(Error::new(format!(
                "the first line is no header: it holds the number `{name}`"
            ))
            .with_hint("begin with a header line such as `variant,value`"))
        }
        _ => Ok(()),
    }
}

/// The column that tells variants apart; others that might become parameters.
fn choose_variant(
    columns: &mut Columns<'_>,
    options: &Options,
    varying: impl Fn(&[usize]) -> Result<Vec<usize>, Error>,
) -> Result<(Option<usize>, VariantsBy), Error> {
    let rank = |role: &Role| match role {
        Role::Variant(rank) => Some(*rank),
        _ => None,
    };
    let headings = &columns.profile.headings;
    let named = options.variant_column.as_ref();
    let chosen = match (named, columns.roles.iter().filter_map(rank).min()) {
        (Some(wanted), _) => Some(find(headings, wanted)?),
        (None, None) => None,
        (None, Some(best)) => Some(best_candidate(columns, best, varying)?),
    };
    let chosen_rank = chosen.and_then(|index| rank(&columns.roles[index]));
    let has_benchmark = !columns.of(Role::Benchmark).is_empty();
    for (index, role) in columns.roles.iter_mut().enumerate() {
        if Some(index) == chosen {
            *role = Role::Variant(0);
        } else if rank(role).is_some() {
            // Beside a better word, `name` is that of the benchmark.
            let name = headings[index].stem.eq_ignore_ascii_case("name");
            *role =
                if name && !has_benchmark { Role::Benchmark } else { Role::Parameter };
        }
    }
    let Some(index) = chosen else { return Ok((None, VariantsBy::Nothing)) };
    // `name` or `command` alone may as well name benchmarks: several such files are not
    // concatenated.
    let sure =
        named.is_some() || has_benchmark || chosen_rank.is_some_and(|rank| rank < 2);
    let by = if sure {
        VariantsBy::Column(headings[index].name.clone())
    } else {
        VariantsBy::Structure
    };
    Ok((Some(index), by))
}

/// Of several columns with equally good names, the one that varies.
fn best_candidate(
    columns: &Columns<'_>,
    rank: u8,
    varying: impl Fn(&[usize]) -> Result<Vec<usize>, Error>,
) -> Result<usize, Error> {
    let candidates = columns.of(Role::Variant(rank));
    if let [one] = candidates.as_slice() {
        return Ok(*one);
    }
    match varying(&candidates)?.as_slice() {
        [] => Ok(candidates[0]),
        [one] => Ok(*one),
        several => {
            let first = &columns.profile.headings[several[0]].name;
            Err(Error::new(format!(
                "the columns {} may all tell the variants apart",
                columns.names(several)
            ))
            .with_hint(format!("choose one, such as `--variant-by column:{first}`")))
        }
    }
}

/// The columns of values, and whether each is a variant.
fn choose_values(
    columns: &Columns<'_>,
    may_be_wide: bool,
    metric: Option<usize>,
) -> Result<(Vec<ValueColumn>, bool), Error> {
    let plain = columns.of(Role::Value);
    let mut named = columns.of(Role::NamedValue);
    let mut others = columns.other_numbers();
    // A unit makes a column one of values, unless each column may be a variant.
    if !may_be_wide || !named.is_empty() {
        let has_unit = |index: &usize| columns.profile.headings[*index].unit.is_some();
        let (with, without) = others.into_iter().partition(has_unit);
        let with: Vec<usize> = with;
        named.extend(with);
        named.sort_unstable();
        others = without;
    }
    let several = |candidates: &[usize]| {
        let first = &columns.profile.headings[candidates[0]].name;
        Error::new(format!(
            "the columns {} may all be the values",
            columns.names(candidates)
        ))
        .with_hint(format!("choose one, such as `--column {first}`"))
    };
    let chosen = match (plain.len(), named.len(), others.len()) {
        (1, _, _) => plain,
        (0, 0, 1) => others,
        (0, 0, 2..) if may_be_wide => return Ok((wide(columns, &others)?, true)),
        (0, 0, 2..) => return Err(several(&others)),
        (0, 0, 0) => return Err(no_values(columns)),
        (0, 2.., _) if metric.is_some() => return Err(several(&named)),
        (0, _, _) => named,
        (_, _, _) => return Err(several(&plain)),
    };
    let values = chosen.into_iter().map(|column| columns.value(column));
    Ok((values.collect(), false))
}

/// A variant a column. A unit at the end of the names counts where all have one.
fn wide(columns: &Columns<'_>, others: &[usize]) -> Result<Vec<ValueColumn>, Error> {
    let headings = &columns.profile.headings;
    let units = others.iter().all(|index| headings[*index].unit.is_some());
    let name = |index: usize| {
        let heading = &headings[index];
        if units { heading.stem.clone() } else { heading.name.clone() }
    };
    for (at, &index) in others.iter().enumerate() {
        if others[..at].iter().any(|&other| name(other) == name(index)) {
            return Err(Error::new(format!(
                "two columns are called `{}`",
                name(index)
            ))
            .with_hint("give each variant its own name"));
        }
    }
    let value = |&column: &usize| ValueColumn {
        column,
        variant: Some(name(column)),
        metric: None,
        unit: headings[column].unit.clone().filter(|_| units),
    };
    Ok(others.iter().map(value).collect())
}

fn no_values(columns: &Columns<'_>) -> Error {
    let all: Vec<usize> = (0..columns.roles.len()).collect();
    Error::new(format!("none of the columns {} holds values", columns.names(&all)))
        .with_hint("name a column `value`, or choose one with `--column NAME`")
}
