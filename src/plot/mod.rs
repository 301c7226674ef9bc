//! Pictures of an analysis: a scene of marks, written as SVG or drawn as PNG.
//!
//! A new kind of plot is a file beside this one with a `KIND` in it, and its entry in
//! [`KINDS`].

use crate::analysis::{Analysis, Comparison};
use crate::data::{Dataset, Sample, Series};
use crate::error::{Error, unknown_name};
use crate::export;

mod axis;
mod density;
mod forest;
mod frame;
#[cfg(feature = "png")]
mod png;
mod posterior;
mod predictive;
mod rank;
mod runs;
mod scene;
mod svg;
mod trace;

pub use scene::{Anchor, Mark, Scene};
pub use svg::{document, inline};

/// What is plotted: an analysis, and the runs it was made of.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The runs.
    pub dataset: &'a Dataset,
    /// What follows from them.
    pub analysis: &'a Analysis,
}

impl<'a> Subject<'a> {
    /// The runs of the baseline and of the candidate; `None` of a summary.
    pub(crate) fn samples(&self, comparison: &Comparison) -> [Option<&'a Sample>; 2] {
        let is_of = |series: &&Series| {
            series.benchmark == comparison.benchmark
                && series.metric == comparison.metric
        };
        let series = self.dataset.series.iter().find(is_of);
        let sample = |label: &str| {
            let mut variants = series?.variants.iter();
            variants.find(|variant| variant.label == label)?.measurements.sample()
        };
        [sample(&comparison.baseline.label), sample(&comparison.candidate.label)]
    }
}

/// What a kind of plot shows.
enum Draw {
    /// One comparison; `None` where it has nothing to show.
    One(fn(&Subject<'_>, &Comparison) -> Option<Scene>),
    /// All of them.
    All(fn(&Subject<'_>) -> Option<Scene>),
}

/// A kind of plot.
pub struct Kind {
    /// Its name, as in `--plot-kind NAME`; lower case.
    pub name: &'static str,
    /// What it shows, in a line.
    pub about: &'static str,
    draw: Draw,
}

/// Every kind there is; the first shows one comparison, the second many.
pub const KINDS: &[&Kind] = &[
    &posterior::KIND,
    &forest::KIND,
    &runs::KIND,
    &predictive::KIND,
    &trace::KIND,
    &rank::KIND,
];

/// The kind of this name, or that which suits the number of comparisons.
///
/// # Errors
/// When there is no such kind; the hint lists those that exist.
pub fn kind(name: Option<&str>, comparisons: usize) -> Result<&'static Kind, Error> {
    let Some(name) = name else {
        return Ok(if comparisons == 1 { KINDS[0] } else { KINDS[1] });
    };
    let found = KINDS.iter().find(|kind| kind.name == name);
    found.copied().ok_or_else(|| {
        unknown_name("kind of plot", name, KINDS.iter().map(|kind| kind.name))
    })
}

impl Kind {
    /// The picture.
    ///
    /// # Errors
    /// When this kind shows one comparison and there are several, or nothing to show.
    pub fn scene(&self, subject: &Subject<'_>) -> Result<Scene, Error> {
        let comparisons = subject.analysis.comparisons.as_slice();
        let scene = match (&self.draw, comparisons) {
            (Draw::All(draw), _) => draw(subject),
            (Draw::One(draw), [only]) => draw(subject, only),
            (Draw::One(_), _) => {
                return Err(Error::new(format!(
                    "a plot of kind `{}` shows one comparison, and there are {}",
                    self.name,
                    comparisons.len()
                ))
                .in_file("--plot")
                .with_hint(
                    "choose one with `--benchmark` and `--metric`, or take \
                     `--plot-kind forest`",
                ));
            }
        };
        scene.ok_or_else(|| {
            Error::new(format!("a plot of kind `{}` has nothing to show", self.name))
                .in_file("--plot")
                .with_hint("take another `--plot-kind`")
        })
    }
}

/// The picture of one comparison that stands for it in a report.
pub fn posterior(subject: &Subject<'_>, comparison: &Comparison) -> Option<Scene> {
    posterior::draw(subject, comparison)
}

/// The runs of one comparison.
pub fn runs(subject: &Subject<'_>, comparison: &Comparison) -> Scene {
    runs::draw(subject, comparison)
}

/// Where a plot is to be written, and as what.
#[derive(Debug, Clone, Copy)]
pub struct Destination<'a> {
    path: &'a str,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Svg,
    Png,
}

impl<'a> Destination<'a> {
    /// Reads a path, whose ending says the form.
    ///
    /// # Errors
    /// When it ends in neither `.svg` nor `.png`.
    pub fn parse(path: &'a str) -> Result<Self, Error> {
        let suffix = std::path::Path::new(path).extension();
        let suffix = suffix.map(|suffix| suffix.to_string_lossy().to_lowercase());
        let form = match suffix.as_deref() {
            Some("svg") => Form::Svg,
            Some("png") if cfg!(feature = "png") => Form::Png,
            Some("png") => {
                return Err(Error::new("this build writes no PNG")
                    .in_file(path)
                    .with_hint("write `.svg`, or build with the feature `png`"));
            }
            _ => {
                return Err(Error::new(
                    "the ending of this name says no kind of picture",
                )
                .in_file(path)
                .with_hint("end the name in `.svg` or `.png`"));
            }
        };
        Ok(Self { path, form })
    }

    /// Writes the picture whole, or not at all.
    ///
    /// # Errors
    /// When the file cannot be written; nothing is left behind then.
    pub fn write(&self, scene: &Scene) -> Result<(), Error> {
        let bytes = match self.form {
            Form::Svg => document(scene).into_bytes(),
            Form::Png => png(scene).map_err(|error| error.in_file(self.path))?,
        };
        export::replace_file(self.path, |path| std::fs::write(path, &bytes))
    }
}

/// The picture as a PNG file.
///
/// # Errors
/// When it is too large to draw, or this build draws none.
#[cfg(feature = "png")]
pub fn png(scene: &Scene) -> Result<Vec<u8>, Error> {
    png::draw(&document(scene))
}

/// The picture as a PNG file.
///
/// # Errors
/// Always: this build draws none.
#[cfg(not(feature = "png"))]
pub fn png(_: &Scene) -> Result<Vec<u8>, Error> {
    Err(Error::new("this build writes no PNG"))
}
