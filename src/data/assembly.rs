//! What was read, brought together into what can be compared.

use super::arrange::{Piece, arrange};
use super::combine::combine;
use super::dataset::named;
use super::unit::{conversion, direction};
use super::{
    Dataset, Direction, DirectionSource, FilesAsInvocations, Metric, Selection, Series,
    Source,
};
use crate::error::{Error, unknown_name};

/// The records of one benchmark and metric.
struct Bundle {
    benchmark: Option<String>,
    metric: Option<String>,
    pieces: Vec<Piece>,
}

impl Bundle {
    /// As a message calls it.
    fn name(&self) -> String {
        named(self.benchmark.as_deref(), self.metric.as_deref())
    }

    /// The labels in it, in the order of `labels`.
    fn labels<'a>(&self, labels: &'a [String]) -> Vec<&'a str> {
        let has =
            |label: &&String| self.pieces.iter().any(|piece| piece.variant == **label);
        labels.iter().filter(has).map(String::as_str).collect()
    }
}

/// Brings all sources together under the rules of the command line.
///
/// # Errors
/// When there is nothing to compare, a name does not exist, or units do not agree.
pub fn assemble(sources: Vec<Source>, selection: &Selection) -> Result<Dataset, Error> {
    let mut dataset = Dataset::default();
    let mut other_columns: Vec<String> = Vec::new();
    for reading in sources.iter().flat_map(|source| &source.readings) {
        other_columns.extend(reading.other_columns.iter().cloned());
        let skipped = reading.skipped.iter().cloned();
        dataset.skipped.extend(skipped.map(|skipped| (reading.path.clone(), skipped)));
    }
    let pieces = arrange(sources, selection)?;
    let labels = ordered_labels(&pieces, selection)?;
    match labels.as_slice() {
        [] => {
            return Err(Error::new("there is nothing to compare")
                .with_hint("give two files, such as `old.txt new.txt`"));
        }
        [label] => return Err(one_variant(label, &pieces, &other_columns)),
        _ => {}
    }
    let bundles = bundle(pieces);
    if let Some(unit) = &selection.unit {
        refuse_foreign_unit(&bundles, unit)?;
    }
    if !bundles.iter().any(|bundle| is_comparable(bundle, &labels)) {
        return Err(nothing_in_common(&bundles, &labels));
    }
    for bundle in bundles {
        if is_comparable(&bundle, &labels) {
            let series = series(bundle, &labels, selection, &mut dataset)?;
            dataset.series.push(series);
        } else {
            let found = quoted(&bundle.labels(&labels));
            let missing = if found.contains(", ") {
                format!(", not in the baseline `{}`", labels[0])
            } else {
                String::new()
            };
            dataset
                .unmatched
                .push(format!("{}: only in {found}{missing}", bundle.name()));
        }
    }
    Ok(dataset)
}

/// In the baseline and in another variant.
fn is_comparable(bundle: &Bundle, labels: &[String]) -> bool {
    let found = bundle.labels(labels);
    found.len() >= 2 && found[0] == labels[0]
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The baseline, then the others in the order of the input.
fn ordered_labels(
    pieces: &[Piece],
    selection: &Selection,
) -> Result<Vec<String>, Error> {
    let mut labels: Vec<String> = Vec::new();
    for piece in pieces {
        if !labels.contains(&piece.variant) {
            labels.push(piece.variant.clone());
        }
    }
    let baseline = if let Some(wanted) = &selection.baseline {
        labels.iter().position(|label| label == wanted).ok_or_else(|| {
            let known = labels.iter().map(String::as_str);
            unknown_name("variant", wanted, known).in_file("--baseline")
        })?
    } else {
        let marked = pieces.iter().find(|piece| piece.baseline);
        let label = marked.map(|piece| &piece.variant);
        labels.iter().position(|known| Some(known) == label).unwrap_or(0)
    };
    if let Some(front) = labels.get_mut(..=baseline) {
        front.rotate_right(1);
    }
    Ok(labels)
}

fn bundle(pieces: Vec<Piece>) -> Vec<Bundle> {
    let mut bundles: Vec<Bundle> = Vec::new();
    let mut index = std::collections::BTreeMap::new();
    for piece in pieces {
        let key = (piece.benchmark.clone(), piece.metric.clone());
        let at = *index.entry(key).or_insert(bundles.len());
        if at == bundles.len() {
            let (benchmark, metric) = (piece.benchmark.clone(), piece.metric.clone());
            bundles.push(Bundle { benchmark, metric, pieces: Vec::new() });
        }
        bundles[at].pieces.push(piece);
    }
    bundles
}

fn series(
    bundle: Bundle,
    labels: &[String],
    selection: &Selection,
    dataset: &mut Dataset,
) -> Result<Series, Error> {
    let unit = unit_of(&bundle, selection);
    let (direction, direction_source) =
        direction_of(&bundle, unit.as_deref(), selection)?;
    let found =
        bundle.labels(labels).into_iter().map(str::to_owned).collect::<Vec<_>>();
    let Bundle { benchmark, metric: name, mut pieces } = bundle;
    let mut variants = Vec::new();
    for label in found {
        let (own, rest) = pieces.into_iter().partition(|piece| piece.variant == label);
        pieces = rest;
        let (variant, from_files) = combine(own, unit.as_deref(), selection)?;
        if from_files {
            note_files(dataset, &label, variant.sources.len());
        }
        variants.push(variant);
    }
    let metric = Metric { name, unit, direction, direction_source };
    Ok(Series { benchmark, metric, variants })
}

fn note_files(dataset: &mut Dataset, label: &str, files: usize) {
    let notes = &mut dataset.files_as_invocations;
    match notes.iter_mut().find(|note| note.variant == label) {
        Some(note) => note.files = note.files.max(files),
        None => notes.push(FilesAsInvocations { variant: label.to_owned(), files }),
    }
}

/// The user's unit where it fits, else the first that the input names.
fn unit_of(bundle: &Bundle, selection: &Selection) -> Option<String> {
    let first = bundle.pieces.iter().find_map(|piece| piece.unit.as_ref());
    let wanted = selection.unit.as_ref();
    match (first, wanted) {
        (Some(first), Some(wanted)) if conversion(first, wanted).is_none() => {
            Some(first.clone())
        }
        (first, wanted) => wanted.or(first).cloned(),
    }
}

/// A unit that nothing can be converted to is a mistake.
fn refuse_foreign_unit(bundles: &[Bundle], wanted: &str) -> Result<(), Error> {
    let units =
        || bundles.iter().flat_map(|bundle| &bundle.pieces).map(|piece| &piece.unit);
    let fits = |unit: &Option<String>| {
        unit.as_ref().is_none_or(|unit| conversion(unit, wanted).is_some())
    };
    match units().flatten().next() {
        Some(unit) if !units().any(fits) => {
            Err(Error::new(format!("`{unit}` cannot be converted to `{wanted}`"))
                .in_file("--unit")
                .with_hint("choose a unit of the same kind, or leave `--unit` out"))
        }
        _ => Ok(()),
    }
}

fn direction_of(
    bundle: &Bundle,
    unit: Option<&str>,
    selection: &Selection,
) -> Result<(Direction, DirectionSource), Error> {
    let mut stated = bundle.pieces.iter().filter_map(|piece| piece.direction);
    let by_format = stated.next();
    if by_format.is_some_and(|first| stated.any(|other| other != first)) {
        return Err(Error::new(format!(
            "{}: one file says that lower is better, another that higher is",
            bundle.name()
        ))
        .with_hint("compare files of one kind, or give the metrics different names"));
    }
    let known = by_format
        .map(|direction| (direction, DirectionSource::Format))
        .or_else(|| Some((direction(unit?)?, DirectionSource::Unit)));
    match (known, selection.direction) {
        (Some((known, _)), Some(wanted)) if known != wanted => {
            if selection.metric.is_none() {
                return Err(contradiction(bundle, known, wanted));
            }
            Ok((wanted, DirectionSource::Option))
        }
        (Some(known), _) => Ok(known),
        (None, Some(wanted)) => Ok((wanted, DirectionSource::Option)),
        (None, None) => Ok((Direction::LowerIsBetter, DirectionSource::Assumed)),
    }
}

fn contradiction(bundle: &Bundle, known: Direction, wanted: Direction) -> Error {
    let (known, wanted) = (known.name(), wanted.name());
    let metric = bundle.metric.as_deref().unwrap_or("NAME");
    Error::new(format!(
        "{} is known to be better when {known}, against `--{wanted}-is-better`",
        bundle.name()
    ))
    .with_hint(format!(
        "leave the option out; if it is meant, name the metric too: `--metric {metric}`"
    ))
}

fn one_variant(label: &str, pieces: &[Piece], other_columns: &[String]) -> Error {
    let mut paths: Vec<&str> = pieces.iter().map(|piece| piece.path.as_str()).collect();
    paths.dedup();
    let names = quoted(&other_columns.iter().map(String::as_str).collect::<Vec<_>>());
    let hint = match other_columns.first() {
        Some(first) => format!(
            "give a second file, or say which column tells variants apart (there are \
             {names}): `--variant-by column:{first}`"
        ),
        None => {
            "give a second file to compare with, such as `old.txt new.txt`".to_owned()
        }
    };
    Error::new(format!("there is one variant only, `{label}`"))
        .in_file(paths.join(", "))
        .with_hint(hint)
}

fn nothing_in_common(bundles: &[Bundle], labels: &[String]) -> Error {
    const SHOWN: usize = 4;
    let found = labels.iter().map(|label| {
        let has = |bundle: &&Bundle| {
            bundle.pieces.iter().any(|piece| piece.variant == *label)
        };
        let mut names: Vec<String> =
            bundles.iter().filter(has).map(Bundle::name).collect();
        let more = names.len().saturating_sub(SHOWN);
        names.truncate(SHOWN);
        if more > 0 {
            names.push(format!("{more} more"));
        }
        format!("`{label}` has {}", names.join(", "))
    });
    let found = found.collect::<Vec<_>>().join("; ");
    Error::new(format!(
        "no benchmark is in `{}` and in another variant: {found}",
        labels[0]
    ))
    .with_hint(
        "name the baseline with `--baseline`, or give files of the same benchmarks",
    )
}
