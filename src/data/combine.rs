//! Pieces of one variant, benchmark and metric together: one unit, runs in order.

use super::arrange::Piece;
use super::unit::{Conversion, conversion};
use super::{
    BlockIds, Measurements, Runs, Sample, Selection, Summary, Values, Variant,
};
use crate::error::Error;

/// The measurements of one variant, in `unit`, and whether files became invocations.
pub(super) fn combine(
    pieces: Vec<Piece>,
    unit: Option<&str>,
    selection: &Selection,
) -> Result<(Variant, bool), Error> {
    let label = pieces.first().map(|piece| piece.variant.clone()).unwrap_or_default();
    let mut sources: Vec<String> = Vec::new();
    for piece in &pieces {
        if !sources.contains(&piece.path) {
            sources.push(piece.path.clone());
        }
    }
    if let Some(summary) =
        pieces.iter().find_map(|piece| summary(piece, unit, selection))
    {
        refuse_company(&label, pieces.len(), selection)?;
        let measurements = Measurements::Summary(summary?);
        return Ok((Variant { label, measurements, sources }, false));
    }
    let mut gathered = Gathered::new(selection);
    for piece in pieces {
        let Piece { values, unit: own, file, path, .. } = piece;
        if let Values::Runs(runs) = values {
            let conversion =
                to_unit(own.as_deref(), unit, selection).ok_or_else(|| {
                    incompatible(&label, own.as_deref(), unit).in_file(path)
                })?;
            gathered.add(runs, file, conversion);
        }
    }
    let from_files = gathered.unnamed_files > 1 && !selection.pool_files;
    let measurements = gathered.finish(&label, &sources, selection.drop_first)?;
    Ok((Variant { label, measurements, sources }, from_files))
}

/// What a piece without runs says, in the unit of the series.
fn summary(
    piece: &Piece,
    unit: Option<&str>,
    selection: &Selection,
) -> Option<Result<Summary, Error>> {
    let summary = match &piece.values {
        Values::Runs(_) => return None,
        Values::Summary(summary) => Ok(*summary),
        Values::Published(published) => published.summary(selection.summary_spread),
    };
    let own = piece.unit.as_deref();
    let convert = |summary: Summary| match to_unit(own, unit, selection) {
        // Given on the command line it has no unit, and is in that of the others.
        _ if own.is_none() => Ok(summary),
        Some(conversion) => summary.converted(conversion),
        None => Err(incompatible(&piece.variant, own, unit)),
    };
    let path = || piece.path.as_str();
    Some(summary.and_then(convert).map_err(|error| error.in_file(path())))
}

/// A summary has no runs to drop, and none to add to.
fn refuse_company(
    label: &str,
    pieces: usize,
    selection: &Selection,
) -> Result<(), Error> {
    if pieces > 1 {
        return Err(Error::new(format!("`{label}` has a summary and more"))
            .with_hint("a summary stands alone: give each variant its own label"));
    }
    if selection.drop_first > 0 {
        return Err(Error::new(format!(
            "`{label}` is a summary and has no runs to drop"
        ))
        .with_hint("leave out `--drop-first`"));
    }
    Ok(())
}

/// How values get from their own unit to that of the series; `None` when they cannot.
///
/// Without a unit of their own they are in the one the user names, if any.
fn to_unit(
    own: Option<&str>,
    unit: Option<&str>,
    selection: &Selection,
) -> Option<Conversion> {
    match (own, unit) {
        (Some(own), Some(unit)) => conversion(own, unit),
        (None, None) => conversion("", ""),
        (None, Some(unit)) => {
            let named = selection.unit.as_deref()?;
            conversion(named, unit)
        }
        (Some(_), None) => None,
    }
}

fn incompatible(label: &str, own: Option<&str>, unit: Option<&str>) -> Error {
    match (own, unit) {
        (Some(own), Some(unit)) => Error::new(format!(
            "`{label}` is in `{own}`, which cannot be converted to `{unit}`"
        ))
        .with_hint("compare like with like: choose one metric with `--metric`"),
        (_, unit) => {
            let unit = unit.unwrap_or("another unit");
            Error::new(format!(
                "`{label}` has no unit, where other runs are in `{unit}`"
            ))
            .with_hint(format!("say that it is the same: `--unit {unit}`"))
        }
    }
}

/// The invocations of one variant as they come together.
struct Gathered {
    invocations: Vec<Vec<f64>>,
    /// The block of each of their runs, while all that came name their blocks.
    blocks: Option<Vec<BlockIds>>,
    resolution: f64,
    /// The file whose runs the last invocation holds, where the file names none.
    open: Option<usize>,
    unnamed_files: usize,
    pool: bool,
}

impl Gathered {
    fn new(selection: &Selection) -> Self {
        Self {
            invocations: Vec::new(),
            blocks: Some(Vec::new()),
            resolution: f64::INFINITY,
            open: None,
            unnamed_files: 0,
            pool: selection.pool_files,
        }
    }

    fn add(&mut self, runs: Runs, file: usize, conversion: Conversion) {
        self.resolution = self.resolution.min(conversion.apply(runs.resolution));
        let named = runs.invocations_named;
        if runs.blocks.is_none() {
            self.blocks = None;
        }
        let mut blocks = runs.blocks.into_iter().flatten();
        for mut invocation in runs.invocations {
            if !conversion.is_identity() {
                for run in &mut invocation {
                    *run = conversion.apply(*run);
                }
            }
            self.push(invocation, blocks.next().unwrap_or_default(), file, named);
        }
        if named {
            self.open = None;
        }
    }

    fn push(
        &mut self,
        invocation: Vec<f64>,
        own_blocks: BlockIds,
        file: usize,
        named: bool,
    ) {
        let same_file = self.open == Some(file);
        if !named && !same_file {
            self.unnamed_files += 1;
        }
        let join = !named && self.open.is_some() && (same_file || self.pool);
        if let Some(blocks) = &mut self.blocks {
            match blocks.last_mut() {
                Some(last) if join => last.extend(own_blocks),
                _ => blocks.push(own_blocks),
            }
        }
        match self.invocations.last_mut() {
            Some(last) if join => last.extend(invocation),
            _ => self.invocations.push(invocation),
        }
        self.open = (!named).then_some(file);
    }

    fn finish(
        mut self,
        label: &str,
        sources: &[String],
        drop_first: usize,
    ) -> Result<Measurements, Error> {
        if drop_first > 0 {
            for invocation in &mut self.invocations {
                invocation.drain(..drop_first.min(invocation.len()));
            }
            for blocks in self.blocks.iter_mut().flatten() {
                blocks.drain(..drop_first.min(blocks.len()));
            }
        }
        if self.invocations.iter().all(Vec::is_empty) {
            let what =
                format!("`--drop-first {drop_first}` leaves no run of `{label}`");
            return Err(Error::new(what)
                .in_file(sources.join(", "))
                .with_hint("drop fewer runs, or measure more"));
        }
        let resolution =
            if self.resolution.is_finite() { self.resolution } else { 0.0 };
        let sample = Sample::from_printed(self.invocations, resolution)
            .map_err(|error| error.in_file(sources.join(", ")))?;
        Ok(Measurements::Runs(match self.blocks {
            Some(blocks) => sample.with_blocks(blocks.concat()),
            None => sample,
        }))
    }
}
