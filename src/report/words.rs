//! The sentences of a comparison: verdict, contrast, odds.

use super::difference::Resolved;
use crate::analysis::{
    Analysis, ByMargin, Comparison, MOST_RUNS, Margin, ModelComparison, Settings,
    TestUnit, Verdict,
};
use crate::data::{Direction, DirectionSource, Skipped, unit};
pub(super) use crate::display::name::{shortened, subject, variants};
use crate::display::number::{
    fixed, grouped, in_words, odds, percent, signed, significant,
};
use crate::display::scale::Scale;
use crate::draws::Probability;
use crate::warning::Warning;

/// The words for worse and better: a metric that is no speed is not slower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Words {
    /// `slower` or `worse`.
    pub worse: &'static str,
    /// `faster` or `better`.
    pub better: &'static str,
    does_worsen: &'static str,
    does_not_worsen: &'static str,
    does_improve: &'static str,
    a_loss: &'static str,
    a_gain: &'static str,
}

const SPEED: Words = Words {
    worse: "slower",
    better: "faster",
    does_worsen: "slows this down",
    does_not_worsen: "does not slow this down",
    does_improve: "speeds this up",
    a_loss: "a slowdown",
    a_gain: "a speed-up",
};

const OTHER: Words = Words {
    worse: "worse",
    better: "better",
    does_worsen: "makes this worse",
    does_not_worsen: "does not make this worse",
    does_improve: "makes this better",
    a_loss: "a change for the worse",
    a_gain: "a change for the better",
};

impl Words {
    /// For speeds.
    pub(super) const SPEED: Self = SPEED;

    pub(super) fn of(comparison: &Comparison) -> Self {
        if unit::is_speed(comparison.metric.unit.as_deref()) { SPEED } else { OTHER }
    }
}

/// A sentence whose names stand between back-ticks, in a language that has a mark of its
/// own for them.
pub(super) fn marked(
    sentence: &str,
    text: impl Fn(&str) -> String,
    name: impl Fn(&str) -> String,
) -> String {
    let parts: Vec<&str> = sentence.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return text(sentence);
    }
    let name_or_text = |(i, part): (usize, &&str)| match i % 2 {
        0 => text(part),
        _ => name(part),
    };
    parts.iter().enumerate().map(name_or_text).collect()
}

/// More kinds of things that were left out than this are counted only.
const MOST_LEFT_OUT: usize = 12;

/// Measurements that were left out in reading, a sentence each.
pub(super) fn left_out(analysis: &Analysis) -> Vec<String> {
    let missed = analysis.skipped.iter().filter(|(_, skipped)| !skipped.routine);
    let mut said: Vec<String> = missed
        .map(|(path, Skipped { what, count, why, .. })| {
            format!("{} × {what} of {path}: {why}", grouped(*count))
        })
        .collect();
    if said.len() > MOST_LEFT_OUT {
        let more = said.split_off(MOST_LEFT_OUT).len();
        said.push(format!("and {more} more, which `patchodds inspect` lists"));
    }
    said
}

/// What the predictions of several models say of them.
pub(super) fn models_conclusion(comparison: &ModelComparison) -> String {
    let leading: Vec<String> =
        comparison.leading().iter().map(|model| format!("`{}`", model.name)).collect();
    let cannot_tell = "Cannot tell which model predicts better";
    if comparison.models.iter().any(|model| model.prediction.is_err()) {
        return format!("{cannot_tell}: some predictions are unknown");
    }
    if comparison.has_few_units() {
        return format!(
            "{cannot_tell}: {} {}s are too few",
            comparison.units, comparison.unit
        );
    }
    match leading.as_slice() {
        [best] => format!("{best} predicts better"),
        several if several.len() == comparison.models.len() => cannot_tell.to_owned(),
        several => {
            format!("Cannot tell {} apart; the others predict worse", in_a_row(several))
        }
    }
}

/// `a, b and c`
fn in_a_row(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// Which way is better.
pub(super) fn direction(comparison: &Comparison) -> &'static str {
    let metric = &comparison.metric;
    match (metric.direction, metric.direction_source) {
        (_, DirectionSource::Assumed) => "lower is assumed to be better",
        (Direction::LowerIsBetter, _) => "lower is better",
        (Direction::HigherIsBetter, _) => "higher is better",
    }
}

/// The probabilities that compare the means, each with its words.
pub(super) fn chances(
    comparison: &Comparison,
    settings: &Settings,
) -> Vec<(String, String)> {
    let Words { worse, better, .. } = Words::of(comparison);
    let margin = margin(&settings.margin);
    let chance = &comparison.probability;
    let shown = |p: Probability| percent(p.value, p.mcse);
    let mut rows = vec![(format!("chance that it is {worse}"), shown(chance.slower))];
    if let Some(by) = &chance.by_margin {
        rows.push((format!("{worse} by more than {margin}"), shown(by.slower)));
        rows.push((format!("within ± {margin}"), shown(by.within)));
        rows.push((format!("{better} by more than {margin}"), shown(by.faster)));
    }
    rows
}

/// What a repeat of the experiment would show, in a sentence without its full stop.
pub(super) fn repeat(comparison: &Comparison, scale: &Scale) -> Option<String> {
    let predicted = &comparison.predictive.mean_difference;
    let places = Resolved::of(predicted, scale.factor).ends;
    let [low, high] = predicted.eti?.map(|end| signed(scale.factor * end, places));
    let n = comparison.predictive.n;
    let what = if n == [comparison.baseline.n, comparison.candidate.n] {
        "a repeat of this experiment".to_owned()
    } else {
        format!("an experiment of {} runs each", grouped(n[0]))
    };
    Some(format!("{what} would show a difference of {low} … {high}"))
}

/// What is worst stands first.
pub(super) fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Slower => 0,
        Verdict::SlowerSizeUnclear => 1,
        Verdict::Faster => 2,
        Verdict::FasterSizeUnclear => 3,
        Verdict::NotFaster => 4,
        Verdict::Undecided => 5,
        Verdict::NotSlower => 6,
        Verdict::Same => 7,
    }
}

/// How many comparisons have each verdict: `2 slower; 38 same`.
pub(super) fn counts(analysis: &Analysis) -> String {
    let counts: Vec<String> = Verdict::ALL
        .iter()
        .filter_map(|verdict| {
            let all = analysis.comparisons.iter();
            let count = all.filter(|one| one.verdict == *verdict).count();
            (count > 0).then(|| format!("{} {}", grouped(count), verdict.name()))
        })
        .collect();
    counts.join("; ")
}

/// The sampling in a line: what the results hang on besides the data.
pub(super) fn methods(comparisons: &[Comparison], settings: &Settings) -> String {
    let mut models: Vec<&str> =
        comparisons.iter().map(|one| one.model.name.as_str()).collect();
    models.sort_unstable();
    models.dedup();
    let Settings { chains, draws, tune, seed, .. } = settings;
    format!(
        "model {}; {chains} chains of {} draws after {tune} of warm-up, seed {seed}",
        models.join(", "),
        grouped(*draws)
    )
}

/// The margin as it is printed: `1 %`, `2ms`.
pub(super) fn margin(margin: &Margin) -> String {
    let text = margin.text.trim();
    let unit =
        text.find(|c: char| c == '%' || (c.is_alphabetic() && c != 'e' && c != 'E'));
    match unit.map(|at| text.split_at(at)) {
        Some((value, unit)) => format!("{} {}", value.trim(), unit.trim()),
        None => text.to_owned(),
    }
}

/// The verdict in a few words: `not slower by more than 1 %`.
pub(super) fn headline(comparison: &Comparison, settings: &Settings) -> String {
    let Words { worse, better, .. } = Words::of(comparison);
    let margin = margin(&settings.margin);
    let chance = &comparison.probability;
    match comparison.verdict {
        Verdict::Slower => format!("{worse} by more than {margin}"),
        Verdict::Faster => format!("{better} by more than {margin}"),
        Verdict::Same if chance.slower.value >= settings.confidence => {
            format!("{worse}, by less than the margin of {margin}")
        }
        Verdict::Same if chance.faster.value >= settings.confidence => {
            format!("{better}, by less than the margin of {margin}")
        }
        Verdict::Same => format!("the same within ± {margin}"),
        Verdict::SlowerSizeUnclear => format!("{worse}, size unclear"),
        Verdict::FasterSizeUnclear => format!("{better}, size unclear"),
        Verdict::NotSlower => format!("not {worse} by more than {margin}"),
        Verdict::NotFaster => format!("not {better} by more than {margin}"),
        Verdict::Undecided => "undecided".to_owned(),
    }
}

/// What introduces the verdict; an assumed direction is part of it.
pub(super) fn verdict_label(comparison: &Comparison) -> &'static str {
    match comparison.metric.direction_source {
        DirectionSource::Assumed => "Verdict, if lower is better:",
        DirectionSource::Format | DirectionSource::Unit | DirectionSource::Option => {
            "Verdict:"
        }
    }
}

/// One sentence more on the verdict: the odds, and what stays open.
pub(super) fn elaboration(comparison: &Comparison, settings: &Settings) -> String {
    let words = Words::of(comparison);
    let margin = margin(&settings.margin);
    let chance = &comparison.probability;
    let draws = settings.chains * settings.draws;
    let patch = format!("`{}`", comparison.candidate.label);
    let by = |part: fn(&ByMargin) -> crate::draws::Probability| {
        chance.by_margin.as_ref().map(part)
    };
    let shown = |part: Option<crate::draws::Probability>| {
        part.map_or_else(|| "unknown".to_owned(), |p| percent(p.value, p.mcse))
    };
    let (slower_by, faster_by) = (by(|by| by.slower), by(|by| by.faster));
    let odds_of = |p: f64| odds(p, draws);
    match comparison.verdict {
        Verdict::Slower => format!(
            "The odds are {} that {patch} {} by more than that",
            odds_of(slower_by.map_or(chance.slower.value, |p| p.value)),
            words.does_worsen
        ),
        Verdict::Faster => format!(
            "The odds are {} that {patch} {} by more than that",
            odds_of(faster_by.map_or(chance.faster.value, |p| p.value)),
            words.does_improve
        ),
        Verdict::Same => format!(
            "{} of more than {margin} either way is unlikely ({} {}, {} {})",
            "A change",
            shown(slower_by),
            words.worse,
            shown(faster_by),
            words.better
        ),
        Verdict::SlowerSizeUnclear | Verdict::FasterSizeUnclear => {
            let slower = comparison.verdict == Verdict::SlowerSizeUnclear;
            let (p, does, by) = if slower {
                (chance.slower, words.does_worsen, slower_by)
            } else {
                (chance.faster, words.does_improve, faster_by)
            };
            let odds = odds_of(p.value);
            match by {
                Some(by) => format!(
                    "The odds are {odds} that {patch} {does}; whether by more than \
                     {margin} is open ({})",
                    percent(by.value, by.mcse)
                ),
                None => format!(
                    "The odds are {odds} that {patch} {does}; by how many per cent cannot \
                     be said, since the baseline mean may be zero"
                ),
            }
        }
        Verdict::NotSlower => {
            let (p, does) = if chance.slower.value > 0.5 {
                (chance.slower.value, words.does_worsen)
            } else {
                (1.0 - chance.slower.value, words.does_not_worsen)
            };
            let but = if chance.slower.value > 0.5 { "but" } else { "and" };
            format!(
                "The odds are {} that {patch} {does}, {but} {} of more than {margin} is \
                 unlikely ({})",
                odds_of(p),
                words.a_loss,
                shown(slower_by)
            )
        }
        Verdict::NotFaster => format!(
            "{} of more than {margin} is unlikely ({}); {} of more than {margin} is not \
             ruled out ({})",
            capitalised(words.a_gain),
            shown(faster_by),
            words.a_loss,
            shown(slower_by)
        ),
        Verdict::Undecided => undecided(comparison, &margin),
    }
}

fn undecided(comparison: &Comparison, margin: &str) -> String {
    let too_few = |warning: &Warning| {
        matches!(warning, Warning::Autocorrelated { batches: None, .. })
    };
    if comparison.warnings.iter().any(too_few) {
        return "Neighbouring runs are alike, so these say less of the noise than their \
                number promises"
            .to_owned();
    }
    if comparison.probability.by_margin.is_none() {
        return "These runs do not tell which variant is better".to_owned();
    }
    let open =
        format!("These runs leave changes of more than {margin} open either way");
    match comparison.runs_needed {
        Some(n) => format!(
            "{open}; {} runs of each variant would tell in four cases out of five",
            grouped(n)
        ),
        None => format!(
            "{open}, and {} runs of each variant would not tell either in four cases out \
             of five",
            grouped(MOST_RUNS)
        ),
    }
}

pub(super) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + chars.as_str()
    })
}

/// The level of a test at which equal means are called rejected.
const ALPHA: f64 = 0.05;

/// The t-test in a sentence, and why it differs from the posterior where it does.
pub(super) fn contrast(
    comparison: &Comparison,
    settings: &Settings,
    display: &Scale,
) -> Vec<String> {
    let tests = &comparison.tests;
    let mut sentences = Vec::new();
    let (name, test) = match tests.unit {
        TestUnit::Run | TestUnit::Invocation => ("Welch", &tests.welch),
        TestUnit::Block => ("paired", &tests.paired),
    };
    match test {
        Some(welch) => {
            let rejected =
                if welch.p < ALPHA { "are rejected" } else { "are not rejected" };
            sentences.push(format!(
                "For contrast: {name} t = {}, df = {}, p {}: equal means {rejected} at 5 %",
                fixed(welch.t, 2),
                significant(welch.df, 3),
                p_value(welch.p)
            ));
            sentences.extend(disagreement(comparison, settings, welch.p));
        }
        None if tests.unit == TestUnit::Block => sentences.push(
            "For contrast: a paired t-test needs blocks whose differences vary"
                .to_owned(),
        ),
        None => sentences.push(
            "For contrast: a t-test needs two runs of each variant, which differ"
                .to_owned(),
        ),
    }
    if let Some(rule) = &tests.two_sd_rule
        && !rule.beyond
        && shows_a_difference(comparison, settings)
    {
        sentences.push(format!(
            "The rule of two SDs calls it noise ({} SD): it compares a difference of means \
             with the scatter of single runs, and so never gains from more runs",
            fixed(rule.ratio.abs(), 1)
        ));
    }
    if test.is_some() {
        sentences.extend(power(comparison, display));
    }
    if settings.bayes_factor {
        sentences.push(bayes_factor(comparison));
    }
    sentences
}

/// From this factor on, evidence says more than a little (Jeffreys 1961, appendix B).
const SUBSTANTIAL: f64 = 3.0;

fn bayes_factor(comparison: &Comparison) -> String {
    let Some(factor) = comparison.tests.bayes_factor else {
        return "A Bayes factor is not known for these data".to_owned();
    };
    let (odds, which) = if factor.bf10 >= 1.0 {
        (factor.bf10, "for a difference")
    } else {
        (1.0 / factor.bf10, "against a difference")
    };
    let little = if odds < SUBSTANTIAL { ", which says little" } else { "" };
    format!(
        "Bayes factor (JZS, r = {}): {} {which}{little}",
        fixed(factor.scale, 3),
        significant(odds, 3)
    )
}

fn shows_a_difference(comparison: &Comparison, settings: &Settings) -> bool {
    let chance = &comparison.probability;
    chance.slower.value.max(chance.faster.value) >= settings.confidence
}

fn disagreement(
    comparison: &Comparison,
    settings: &Settings,
    p: f64,
) -> Option<String> {
    let shown = shows_a_difference(comparison, settings);
    let sentence = match (p < ALPHA, shown) {
        (true, true) if comparison.verdict == Verdict::Same => {
            "A difference is shown, and it is smaller than the margin: both hold"
        }
        (true, true) | (false, false) => return None,
        (false, true) => {
            "The posterior asks which way the means differ and the test whether they do: \
             a chance of 95 % one way is about p = 0.10 both ways"
        }
        (true, false) => {
            "The posterior is less sure than the test, since it also weighs how uncertain \
             the noise itself is"
        }
    };
    Some(sentence.to_owned())
}

fn power(comparison: &Comparison, display: &Scale) -> Option<String> {
    let power = comparison.tests.power?;
    let what = comparison.tests.n;
    let batches = comparison.warnings.iter().any(|warning| {
        matches!(warning, Warning::Autocorrelated { batches: Some(_), .. })
    });
    let units = match comparison.tests.unit {
        _ if batches => "batches",
        TestUnit::Run => "runs",
        TestUnit::Invocation => "invocations",
        TestUnit::Block => "blocks",
    };
    let blocks = comparison.tests.unit == TestUnit::Block;
    let of = if blocks { " of a block" } else { "" };
    let runs = if what[0] == what[1] {
        format!("{} {units}", in_words(what[0]))
    } else {
        format!("{} and {} {units}", in_words(what[0]), in_words(what[1]))
    };
    let found = power.detectable_80;
    let size = if found.absolute > 0.0 {
        format!(
            " ({})",
            display.with_unit(&significant(found.absolute * display.factor, 2))
        )
    } else {
        String::new()
    };
    Some(format!(
        "With {runs} such a test finds a true difference of {} SD{of}{size} four times in five",
        significant(found.sd, 2)
    ))
}

/// A p value to two significant digits with its sign, never 0: `= 0.32`, `< 0.0001`.
fn p_value(p: f64) -> String {
    if p < 1e-4 { "< 0.0001".to_owned() } else { format!("= {}", significant(p, 2)) }
}
