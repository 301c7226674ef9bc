//! Which variant, benchmark and metric each record belongs to.

use std::collections::BTreeSet;

use super::{Direction, Record, Selection, Source, Values, VariantBy, VariantsBy};
use crate::error::{Error, unknown_name};

/// A record with its place in the comparison.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) variant: String,
    pub(super) benchmark: Option<String>,
    pub(super) metric: Option<String>,
    pub(super) unit: Option<String>,
    pub(super) direction: Option<Direction>,
    pub(super) baseline: bool,
    pub(super) values: Values,
    /// As typed.
    pub(super) path: String,
    /// Counts the files.
    pub(super) file: usize,
}

/// All records in the order of the input, each with its variant, renamed and selected.
pub(super) fn arrange(
    sources: Vec<Source>,
    selection: &Selection,
) -> Result<Vec<Piece>, Error> {
    refuse_scattered_files(&sources, selection)?;
    let inside = inside(&sources, selection)?;
    let join = varies_inside(&sources, &inside);
    let mut pieces = Vec::new();
    let mut file = 0;
    for (source, inside) in sources.into_iter().zip(inside) {
        for reading in source.readings {
            for record in reading.records {
                let mut piece = piece(record, &source.label, inside, join);
                piece.path.clone_from(&reading.path);
                piece.file = file;
                pieces.push(piece);
            }
            file += 1;
        }
    }
    rename(&mut pieces, selection)?;
    name_and_select(pieces, selection)
}

fn piece(record: Record, label: &str, inside: bool, join: bool) -> Piece {
    let (variant, benchmark) = match (inside, record.variant) {
        (true, Some(variant)) => (variant, record.benchmark),
        (false, Some(part)) if join => {
            let name =
                record.benchmark.map_or(part.clone(), |name| format!("{name}/{part}"));
            (label.to_owned(), Some(name))
        }
        _ => (label.to_owned(), record.benchmark),
    };
    Piece {
        variant,
        benchmark,
        metric: record.metric,
        unit: record.unit,
        direction: record.direction,
        baseline: record.baseline,
        values: record.values,
        path: String::new(),
        file: 0,
    }
}

/// For each source, whether the variants are those inside it.
fn inside(sources: &[Source], selection: &Selection) -> Result<Vec<bool>, Error> {
    let is_summary = |source: &&Source| {
        let mut records = source.readings.iter().flat_map(|reading| &reading.records);
        records.any(|record| !matches!(record.values, Values::Runs(_)))
            && source.readings.len() == 1
            && source.readings[0].format == super::SUMMARY
    };
    let alone = sources.iter().filter(|source| !is_summary(source)).count() == 1;
    let names_variants = |source: &Source| {
        let mut records = source.readings.iter().flat_map(|reading| &reading.records);
        records.any(|record| record.variant.is_some())
    };
    let choose = |source: &Source| match selection.variant_by {
        Some(VariantBy::File) => false,
        Some(
            VariantBy::Inside
            | VariantBy::Column(_)
            | VariantBy::Command
            | VariantBy::Parameter(_)
            | VariantBy::Configuration(_),
        ) => names_variants(source),
        None if alone => names_variants(source),
        None => source.readings.iter().any(|reading| {
            matches!(reading.variants, VariantsBy::Column(_))
                && !reading.records.is_empty()
        }),
    };
    let chosen = |source: &Source| {
        let inside = choose(source);
        match source.readings.first() {
            Some(reading) if inside && source.labelled => {
                Err(labelled_table(&source.label, reading))
            }
            _ => Ok(inside),
        }
    };
    sources.iter().map(chosen).collect()
}

fn labelled_table(label: &str, reading: &super::Reading) -> Error {
    let how = match &reading.variants {
        VariantsBy::Column(name) => format!("names its variants in column `{name}`"),
        VariantsBy::Structure | VariantsBy::Nothing => {
            "holds several variants".to_owned()
        }
    };
    Error::new(format!("it {how} and cannot be labelled `{label}` as a whole"))
        .in_file(reading.path.as_str())
        .with_hint(
            "take the label off, or say `--variant-by file` to compare whole files",
        )
}

/// Whether some source that is one variant names several inside.
fn varies_inside(sources: &[Source], inside: &[bool]) -> bool {
    sources.iter().zip(inside).filter(|(_, inside)| !**inside).any(|(source, _)| {
        let records = source.readings.iter().flat_map(|reading| &reading.records);
        let names: BTreeSet<_> =
            records.filter_map(|record| record.variant.as_ref()).collect();
        names.len() > 1
    })
}

/// Many files of one run each are the runs of a variant, not a variant each.
fn refuse_scattered_files(
    sources: &[Source],
    selection: &Selection,
) -> Result<(), Error> {
    let one_run = |record: &Record| match &record.values {
        Values::Runs(runs) => runs.len() == 1 && record.variant.is_none(),
        Values::Summary(_) | Values::Published(_) => false,
    };
    let scattered = |source: &&Source| {
        !source.labelled
            && source.readings.len() == 1
            && source.readings[0].records.iter().all(one_run)
    };
    let count = sources.iter().filter(scattered).count();
    if count <= 4 || selection.variant_by == Some(VariantBy::File) {
        return Ok(());
    }
    Err(Error::new(format!("{count} files of one run each would be {count} variants"))
        .with_hint(
            "give all runs of a variant one label and a quoted pattern: \
             old='old/*.txt' new='new/*.txt'",
        ))
}

fn labels(pieces: &[Piece]) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for piece in pieces {
        if !labels.contains(&piece.variant) {
            labels.push(piece.variant.clone());
        }
    }
    labels
}

fn rename(pieces: &mut [Piece], selection: &Selection) -> Result<(), Error> {
    let labels = labels(pieces);
    let mut renamed = labels.clone();
    for rename in &selection.rename {
        let at =
            labels.iter().position(|label| *label == rename.old).ok_or_else(|| {
                unknown_name("variant", &rename.old, labels.iter().map(String::as_str))
            })?;
        renamed[at].clone_from(&rename.new);
    }
    for (at, name) in renamed.iter().enumerate() {
        if renamed[..at].contains(name) {
            return Err(Error::new(format!("two variants would be called `{name}`"))
                .with_hint("rename to a label that no other variant has"));
        }
    }
    for piece in pieces {
        if let Some(at) = labels.iter().position(|label| *label == piece.variant) {
            piece.variant.clone_from(&renamed[at]);
        }
    }
    Ok(())
}

/// `--benchmark` and `--metric`: name what is unnamed, else select. What is still
/// unnamed belongs to the only name there is.
fn name_and_select(
    mut pieces: Vec<Piece>,
    selection: &Selection,
) -> Result<Vec<Piece>, Error> {
    if let Some(wanted) = &selection.benchmark {
        let pattern = glob::Pattern::new(wanted).map_err(|error| {
            Error::new(format!("`--benchmark {wanted}` is no pattern: {}", error.msg))
                .with_hint(
                    "`*` stands for any text, `?` for a letter, `[*]` for a star",
                )
        })?;
        let fits = |name: &str| name == wanted || pattern.matches(name);
        select("benchmark", wanted, &mut pieces, |piece| &mut piece.benchmark, fits)?;
    }
    adopt(&mut pieces, |piece| &mut piece.benchmark);
    if let Some(wanted) = &selection.metric {
        select(
            "metric",
            wanted,
            &mut pieces,
            |piece| &mut piece.metric,
            |name| name == wanted,
        )?;
    }
    adopt(&mut pieces, |piece| &mut piece.metric);
    Ok(pieces)
}

fn select(
    kind: &str,
    wanted: &str,
    pieces: &mut Vec<Piece>,
    field: impl Fn(&mut Piece) -> &mut Option<String>,
    fits: impl Fn(&str) -> bool,
) -> Result<(), Error> {
    let mut known: Vec<String> = Vec::new();
    for piece in pieces.iter_mut() {
        if let Some(name) = field(piece).as_ref().filter(|name| !known.contains(name)) {
            known.push(name.clone());
        }
    }
    if !known.is_empty() && !known.iter().any(|name| fits(name)) {
        return Err(unknown_name(kind, wanted, known.iter().map(String::as_str)));
    }
    pieces.retain_mut(|piece| field(piece).as_deref().is_none_or(&fits));
    // A pattern that selected names among some is no name for the rest.
    if known.is_empty() {
        for piece in pieces {
            field(piece).get_or_insert_with(|| wanted.to_owned());
        }
    }
    Ok(())
}

fn adopt(pieces: &mut [Piece], field: impl Fn(&mut Piece) -> &mut Option<String>) {
    let names: BTreeSet<String> =
        pieces.iter_mut().filter_map(|piece| field(piece).clone()).collect();
    if names.len() != 1 {
        return;
    }
    for piece in pieces {
        *field(piece) = names.first().cloned();
    }
}
