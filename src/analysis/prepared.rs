//! Two variants as the model and the tests see them.

use super::TestUnit;
use super::batches::Batches;
use super::settings::Settings;
use crate::data::{Blocks, Measurements, Sample, Variant};
use crate::error::Error;
use crate::model::{LOGNORMAL, NESTED, PAIRED, Spec};
use crate::warning::Warning;

/// The variants of one comparison, made ready for a model.
#[derive(Debug, Clone)]
pub(super) struct Prepared {
    /// The model.
    pub model: Spec,
    /// As the report counts them: baseline, candidate.
    pub variants: [Variant; 2],
    /// Their runs by invocation, or by batch where neighbours are alike.
    measured: [Measurements; 2],
    /// Whether runs were put into batches.
    pub batched: bool,
    /// Whether neighbours are alike and the runs too few to say how much.
    pub undecidable: bool,
    /// What a value in the tests is.
    pub unit: TestUnit,
    /// The values that the tests see, and models that know no invocations.
    pub tested: [Measurements; 2],
    /// Runs side by side, where the model pairs them.
    pub blocks: Option<Blocks>,
    /// What was noticed on the way.
    pub warnings: Vec<Warning>,
}

impl Prepared {
    /// # Errors
    /// When a prior is wrong, or the data are not what the model needs.
    pub(super) fn of(
        variants: [&Variant; 2],
        settings: &Settings,
    ) -> Result<Self, Error> {
        let batches = if is_nested(variants) {
            Batches::default()
        } else {
            Batches::of(variants)?
        };
        let batched = batches.variants.is_some();
        let kept = batches.variants.unwrap_or_else(|| variants.map(Clone::clone));
        let grouped = kept.each_ref();
        let model = settings.model_for(is_nested(grouped))?;
        if model.likelihood == PAIRED {
            return Self::paired(variants, model);
        }
        if model.likelihood == LOGNORMAL {
            variants.into_iter().try_for_each(check_positive)?;
        }
        let (unit, tested) = if is_nested(grouped) {
            let means = [means(grouped[0])?, means(grouped[1])?];
            (TestUnit::Invocation, means)
        } else {
            let runs = variants.map(|variant| variant.measurements.clone());
            (TestUnit::Run, runs)
        };
        Ok(Self {
            model,
            variants: variants.map(Clone::clone),
            measured: kept.map(|variant| variant.measurements),
            batched,
            undecidable: batches.too_few,
            unit,
            tested,
            blocks: None,
            warnings: batches.warnings,
        })
    }

    fn paired(variants: [&Variant; 2], model: Spec) -> Result<Self, Error> {
        let labels = variants.map(|variant| variant.label.as_str());
        let measured = variants.map(|variant| &variant.measurements);
        let blocks = Blocks::of(labels, measured)?;
        let [baseline, candidate] = blocks.samples();
        let tested =
            [baseline, candidate].map(|sample| Measurements::Runs(sample.clone()));
        let whole = |v: usize| Variant {
            measurements: tested[v].clone(),
            ..variants[v].clone()
        };
        let mut warnings = Vec::new();
        if blocks.dropped() > 0 {
            warnings.push(Warning::BlocksDropped { runs: blocks.dropped() });
        }
        if !blocks.named() {
            warnings.push(Warning::BlocksByOrder);
        }
        Ok(Self {
            model,
            variants: [whole(0), whole(1)],
            measured: tested.clone(),
            batched: false,
            undecidable: false,
            unit: TestUnit::Block,
            tested,
            blocks: Some(blocks),
            warnings,
        })
    }

    /// What the model sees.
    pub(super) fn modelled(&self) -> [&Measurements; 2] {
        if self.model.likelihood == NESTED {
            self.measured.each_ref()
        } else {
            [&self.tested[0], &self.tested[1]]
        }
    }

    /// The runs by invocation, or by batch.
    pub(super) fn grouped(&self) -> [&Measurements; 2] {
        self.measured.each_ref()
    }

    /// What the user calls them.
    pub(super) fn labels(&self) -> [&str; 2] {
        [&self.variants[0].label, &self.variants[1].label]
    }
}

/// Whether some variant has several invocations, and some invocation several runs.
fn is_nested(variants: [&Variant; 2]) -> bool {
    let samples = variants.map(|variant| variant.measurements.sample());
    let mut invocations = samples.iter().flatten().flat_map(|one| one.invocations());
    let several = samples.iter().flatten().any(|one| one.invocations().len() > 1);
    several && invocations.any(|runs| runs.len() > 1)
}

/// Every run has a logarithm.
fn check_positive(variant: &Variant) -> Result<(), Error> {
    let runs = variant.measurements.sample().map_or(&[][..], Sample::runs);
    match runs.iter().position(|run| *run <= 0.0) {
        None => Ok(()),
        Some(at) => Err(Error::new(format!(
            "run {} of `{}` is {}, and only a value above 0 has a logarithm",
            at + 1,
            variant.label,
            runs[at]
        ))
        .in_file(variant.sources.join(", "))
        .with_hint("leave out `--model lognormal`")),
    }
}

/// The means of the invocations of a variant.
fn means(variant: &Variant) -> Result<Measurements, Error> {
    match &variant.measurements {
        Measurements::Runs(sample) => Ok(Measurements::Runs(invocation_means(sample)?)),
        Measurements::Summary(_) => Err(Error::new(format!(
            "`{}` is a summary, and the other variant has several invocations",
            variant.label
        ))
        .with_hint("give the runs of both, or pool the files with `--pool-files`")),
    }
}

/// The mean of each invocation; m rounded runs have a mean rounded m times as fine.
fn invocation_means(sample: &Sample) -> Result<Sample, Error> {
    let longest = sample.invocations().map(<[f64]>::len).max().unwrap_or(1);
    let means = sample.invocations().map(crate::numerics::mean).collect();
    Ok(Sample::new(means)?.with_resolution(sample.resolution() / longest as f64))
}
