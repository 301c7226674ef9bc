//! An analysis as one HTML file, which needs neither a network nor scripts.
//!
//! The templates in `templates/` lay it out and escape what they are given; here is what
//! they are given.

use std::convert::Infallible;

use askama::Template;
use askama::filters::{Html, Safe, escape};

use super::difference::Difference;
use super::number::{fixed, grouped, percent, significant};
use super::scale::Scale;
use super::words;
use crate::analysis::{Analysis, Comparison, Observed, Sampling, Settings, Verdict};
use crate::model::Spec;
use crate::plot::{self, Scene, Subject};

const STYLE: &str = include_str!("../../assets/report.css");
const SCRIPT: &str = include_str!("../../assets/report.js");
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Of a suite so many comparisons are told in full, the worst first; the table has all.
const MOST_IN_FULL: usize = 40;

/// How an analysis came about.
#[derive(Debug, Clone, Copy)]
pub struct Made<'a> {
    /// What was typed.
    pub command: &'a [String],
    /// Each file that was read, and the SHA-256 of its bytes in hexadecimal.
    pub inputs: &'a [(String, String)],
}

/// The analysis as a page.
///
/// # Panics
/// Never: writing to memory does not fail.
pub fn html(subject: &Subject<'_>, how: &Made<'_>) -> String {
    let page = Page::of(subject, how).render().expect("memory");
    if !page.contains(is_unprintable) {
        return page;
    }
    page.replace(is_unprintable, "\u{fffd}")
}

/// Characters that a browser would not show, or refuses.
fn is_unprintable(c: char) -> bool {
    c.is_control() && c != '\n'
}

/// HTML that is complete, its text escaped.
type Markup = Safe<String>;

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    title: String,
    suite: Option<Suite<'a>>,
    comparisons: Vec<Full<'a>>,
    /// Whether some comparisons are in the table alone.
    told_in_part: bool,
    left_out: Vec<(&'static str, Vec<Markup>)>,
    command: String,
    inputs: &'a [(String, String)],
    methods: String,
    confidence: String,
}

impl<'a> Page<'a> {
    fn of(subject: &Subject<'a>, how: &Made<'a>) -> Self {
        let analysis = subject.analysis;
        let all = &analysis.comparisons;
        let mut worst: Vec<&Comparison> = all.iter().collect();
        worst.sort_by_key(|one| words::rank(one.verdict));
        worst.truncate(MOST_IN_FULL);
        let level = if all.len() == 1 { 1 } else { 2 };
        let left_out = [
            ("Not compared", analysis.unmatched.clone()),
            ("Left out in reading", words::left_out(analysis)),
        ];
        let left_out = left_out.into_iter().filter(|(_, items)| !items.is_empty());
        let said = |items: Vec<String>| items.iter().map(|item| said(item)).collect();
        Self {
            title: title(analysis),
            suite: (all.len() != 1).then(|| Suite::of(subject)),
            told_in_part: worst.len() < all.len(),
            comparisons: worst
                .iter()
                .map(|one| Full::of(subject, one, level))
                .collect(),
            left_out: left_out.map(|(heading, items)| (heading, said(items))).collect(),
            command: how.command.join(" "),
            inputs: how.inputs,
            methods: words::methods(all, &analysis.settings),
            confidence: significant(100.0 * analysis.settings.confidence, 3),
        }
    }
}

fn title(analysis: &Analysis) -> String {
    match analysis.comparisons.as_slice() {
        [only] => format!(
            "{}: {}",
            words::subject(only),
            words::headline(only, &analysis.settings)
        ),
        many => format!("{} comparisons", grouped(many.len())),
    }
}

/// The class that a verdict is coloured by; its words say the same.
fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Slower | Verdict::SlowerSizeUnclear => "worse",
        Verdict::Faster
        | Verdict::FasterSizeUnclear
        | Verdict::Same
        | Verdict::NotSlower => "better",
        Verdict::NotFaster | Verdict::Undecided => "open",
    }
}

/// What several comparisons have before each is told.
struct Suite<'a> {
    count: String,
    verdicts: String,
    forest: Option<Figure>,
    rows: Vec<Row<'a>>,
}

impl<'a> Suite<'a> {
    fn of(subject: &Subject<'a>) -> Self {
        let analysis = subject.analysis;
        let forest = plot::kind(Some("forest"), 0).and_then(|kind| kind.scene(subject));
        let row = |one: &'a Comparison| Row::of(one, &analysis.settings);
        Self {
            count: grouped(analysis.comparisons.len()),
            verdicts: words::counts(analysis),
            forest: forest.ok().map(|scene| Figure::of(&scene)),
            rows: analysis.comparisons.iter().map(row).collect(),
        }
    }
}

/// A row of the table of all comparisons.
struct Row<'a> {
    benchmark: String,
    candidate: &'a str,
    numbers: [Cell; 3],
    class: &'static str,
    rank: u8,
    verdict: Markup,
}

/// What a cell shows, and the number it is sorted by.
struct Cell {
    text: String,
    key: Option<f64>,
}

impl<'a> Row<'a> {
    fn of(one: &'a Comparison, settings: &Settings) -> Self {
        let scale = Scale::of(one);
        let difference = Difference::of(one, &scale);
        let [change, interval] = difference.map_or_else(Default::default, |found| {
            let [low, high] = found.ends;
            let change = found.share.unwrap_or_else(|| scale.with_unit(&found.median));
            [change, scale.with_unit(&format!("{low} … {high}"))]
        });
        let relative =
            one.posterior("relative_change").and_then(|change| change.median);
        let ends = one.posterior("difference").and_then(|difference| difference.eti);
        let slower = one.probability.slower;
        let numbers = [
            Cell { text: change, key: relative },
            Cell { text: interval, key: ends.map(|[low, _]| low) },
            Cell { text: percent(slower.value, slower.mcse), key: Some(slower.value) },
        ];
        Self {
            benchmark: words::subject(one),
            candidate: &one.candidate.label,
            numbers,
            class: class(one.verdict),
            rank: words::rank(one.verdict),
            verdict: said(&words::headline(one, settings)),
        }
    }
}

/// One comparison with all that is known of it.
#[derive(Template)]
#[template(path = "comparison.html")]
struct Full<'a> {
    /// Of its heading, 1 or 2.
    level: u8,
    subject: String,
    facts: String,
    class: &'static str,
    label: &'static str,
    headline: Markup,
    elaboration: Markup,
    posterior: Option<Figure>,
    variants: [VariantRow<'a>; 2],
    numbers: Vec<(String, String)>,
    repeat: Option<Markup>,
    runs: Figure,
    contrast: Markup,
    warnings: Vec<Markup>,
    model: &'a Spec,
    sampling: &'a Sampling,
    rhat: String,
    ess: String,
}

impl<'a> Full<'a> {
    fn of(subject: &Subject<'_>, one: &'a Comparison, level: u8) -> Self {
        let settings = &subject.analysis.settings;
        let scale = Scale::of(one);
        let direction = words::direction(one);
        let facts = match &scale.unit {
            Some(unit) => format!("{}; {unit}, {direction}", words::variants(one)),
            None => format!("{}; {direction}", words::variants(one)),
        };
        let known = |value: Option<f64>, places| {
            value.map_or_else(|| "unknown".to_owned(), |value| fixed(value, places))
        };
        let repeat = words::repeat(one, &scale);
        let warnings = one.warnings.iter();
        Self {
            level,
            subject: words::subject(one),
            facts,
            class: class(one.verdict),
            label: words::verdict_label(one),
            headline: said(&words::headline(one, settings)),
            elaboration: said(&words::elaboration(one, settings)),
            posterior: plot::posterior(subject, one).map(|scene| Figure::of(&scene)),
            variants: [&one.baseline, &one.candidate]
                .map(|observed| VariantRow::of(observed, &scale)),
            numbers: numbers(one, settings, &scale),
            repeat: repeat.map(|repeat| said(&words::capitalised(&repeat))),
            runs: Figure::of(&plot::runs(subject, one)),
            contrast: said(&words::contrast(one, settings, &scale).join(". ")),
            warnings: warnings
                .map(|warning| said(&format!("{warning}; {}", warning.advice())))
                .collect(),
            model: &one.model,
            sampling: &one.sampling,
            rhat: known(one.sampling.rhat_max, 3),
            ess: known(one.sampling.ess_min, 0),
        }
    }
}

/// What was measured of one variant.
struct VariantRow<'a> {
    label: &'a str,
    runs: String,
    mean: String,
    sd: String,
}

impl<'a> VariantRow<'a> {
    fn of(observed: &'a Observed, scale: &Scale) -> Self {
        let sd = |sd: f64| scale.with_unit(&significant(scale.factor * sd, 2));
        Self {
            label: &observed.label,
            runs: grouped(observed.n),
            mean: scale.with_unit(&significant(scale.factor * observed.mean, 5)),
            sd: observed.sd.map_or_else(|| "unknown".to_owned(), sd),
        }
    }
}

fn numbers(
    one: &Comparison,
    settings: &Settings,
    scale: &Scale,
) -> Vec<(String, String)> {
    let mut numbers = Vec::new();
    if let Some(difference) = Difference::of(one, scale) {
        let share =
            difference.share.map_or_else(String::new, |share| format!(" ({share})"));
        let [low, high] = difference.ends;
        let median = scale.with_unit(&difference.median) + &share;
        let labels = format!("{} − {}", one.candidate.label, one.baseline.label);
        numbers.push((labels, median));
        let interval = scale.with_unit(&format!("{low} … {high}"));
        numbers.push(("95 % credible interval".to_owned(), interval));
    }
    numbers.extend(words::chances(one, settings));
    numbers
}

/// A picture, with what it shows in words.
#[derive(Template)]
#[template(path = "figure.html")]
struct Figure {
    picture: String,
    description: String,
}

impl Figure {
    fn of(scene: &Scene) -> Self {
        let description = scene.description.clone();
        Self { picture: plot::inline(scene), description }
    }
}

/// A sentence, its names as code.
fn said(sentence: &str) -> Markup {
    let code = |name: &str| format!("<code>{}</code>", escaped(name));
    Safe(words::marked(sentence, escaped, code))
}

fn escaped(text: &str) -> String {
    escape(text, Html)
        .map_or_else(|never: Infallible| match never {}, |safe| safe.to_string())
}
