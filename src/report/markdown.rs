//! An analysis as Markdown, to be read as a comment on a pull request.

use super::difference::Difference;
use super::number::{grouped, percent, significant};
use super::scale::Scale;
use super::words::{self, Words};
use crate::analysis::{Analysis, Comparison, Settings, Verdict};
use crate::data::DirectionSource;

/// No comment is longer: GitHub takes 65,536 characters.
pub const MOST_CHARACTERS: usize = 65_536;

/// Left for what stands around the tables.
const FRAME: usize = 2_000;

/// Left for the notes of the comparisons.
const NOTES: usize = 8_000;

/// Longer names are cut in the middle.
const LONGEST_NAME: usize = 60;

/// The analysis as a comment: the verdict, what changed, and the rest folded away.
pub fn markdown(analysis: &Analysis) -> String {
    let settings = &analysis.settings;
    let (mut changed, rest): (Vec<&Comparison>, Vec<&Comparison>) =
        analysis.comparisons.iter().partition(|one| is_change(one.verdict));
    changed.sort_by_key(|one| words::rank(one.verdict));
    let mut room = MOST_CHARACTERS - FRAME - NOTES;
    let mut blocks = vec![verdict(analysis)];
    if let [only] = analysis.comparisons.as_slice() {
        blocks.push(table(&[only], settings, &mut room));
    } else {
        if !changed.is_empty() {
            blocks.push(table(&changed, settings, &mut room));
        }
        if !rest.is_empty() {
            let summary = format!("{} with no change shown", grouped(rest.len()));
            blocks.push(folded(&summary, &table(&rest, settings, &mut room)));
        }
    }
    blocks.extend(notes(analysis));
    blocks.push(methods(analysis));
    blocks.join("\n\n") + "\n"
}

/// Whether something changed for sure.
fn is_change(verdict: Verdict) -> bool {
    match verdict {
        Verdict::Slower
        | Verdict::Faster
        | Verdict::SlowerSizeUnclear
        | Verdict::FasterSizeUnclear => true,
        Verdict::Same
        | Verdict::NotSlower
        | Verdict::NotFaster
        | Verdict::Undecided => false,
    }
}

/// A mark that is also told by its shape.
fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Slower | Verdict::SlowerSizeUnclear => "🔺",
        Verdict::Faster | Verdict::FasterSizeUnclear => "🟢",
        Verdict::Same | Verdict::NotSlower => "✅",
        Verdict::NotFaster | Verdict::Undecided => "❔",
    }
}

fn verdict(analysis: &Analysis) -> String {
    let settings = &analysis.settings;
    if let [only] = analysis.comparisons.as_slice() {
        let headline = words::headline(only, settings);
        let more = words::elaboration(only, settings);
        return format!(
            "### {} {}: {}{}\n\n{}.",
            mark(only.verdict),
            code(&words::subject(only)),
            assumption(only),
            said(&headline),
            said(&more),
        );
    }
    let worst = analysis
        .comparisons
        .iter()
        .map(|one| one.verdict)
        .min_by_key(|v| words::rank(*v));
    format!(
        "### {} {} comparisons: {}\n\nThe margin is {}; each is judged on its own, so of \
         many that did not change a few seem to.",
        worst.map_or("❔", mark),
        grouped(analysis.comparisons.len()),
        words::counts(analysis),
        escaped(&words::margin(&settings.margin)),
    )
}

fn assumption(comparison: &Comparison) -> &'static str {
    match comparison.metric.direction_source {
        DirectionSource::Assumed => "if lower is better, ",
        DirectionSource::Format | DirectionSource::Unit | DirectionSource::Option => "",
    }
}

const HEADER: &str = "\
| | benchmark | baseline | candidate | change | 95 % credible interval | P(worse) | verdict |
|---|---|--:|--:|--:|--:|--:|---|";

/// As many rows as there is room for; the last line says how many were left out.
fn table(rows: &[&Comparison], settings: &Settings, room: &mut usize) -> String {
    let mut lines = vec![HEADER.to_owned()];
    for (i, comparison) in rows.iter().enumerate() {
        let row = row(comparison, settings);
        let length = row.chars().count() + 1;
        if length > *room {
            let left = grouped(rows.len() - i);
            lines.push(format!(
                "\n{left} more do not fit in a comment; `--format csv` has them all."
            ));
            // What is shown is the head of the list, never a choice by length.
            *room = 0;
            break;
        }
        *room -= length;
        lines.push(row);
    }
    lines.join("\n")
}

fn row(comparison: &Comparison, settings: &Settings) -> String {
    let scale = Scale::of(comparison);
    let difference = Difference::of(comparison, &scale);
    let (change, interval) = difference.map_or_else(
        || (String::new(), String::new()),
        |found| {
            let change = scale.with_unit(&found.median);
            let share = found.share.map(|share| format!(" ({share})"));
            let [low, high] = found.ends;
            (change + &share.unwrap_or_default(), format!("{low} … {high}"))
        },
    );
    let mean =
        |value: f64| escaped(&scale.with_unit(&significant(scale.factor * value, 5)));
    let slower = comparison.probability.slower;
    format!(
        "| {} | {} | {} | {} | {} | {interval} | {} | {} |",
        mark(comparison.verdict),
        code(&words::subject(comparison)),
        mean(comparison.baseline.mean),
        mean(comparison.candidate.mean),
        escaped(&change),
        escaped(&percent(slower.value, slower.mcse)),
        said(&words::headline(comparison, settings)),
    )
}

fn folded(summary: &str, text: &str) -> String {
    format!("<details><summary>{summary}</summary>\n\n{text}\n\n</details>")
}

/// What weakens the results, each thing once.
fn notes(analysis: &Analysis) -> Option<String> {
    let mut counted: Vec<(String, usize)> = Vec::new();
    for warning in analysis.comparisons.iter().flat_map(|one| &one.warnings) {
        let text = format!("{warning}; {}", warning.advice());
        match counted.iter_mut().find(|(known, _)| *known == text) {
            Some((_, count)) => *count += 1,
            None => counted.push((text, 1)),
        }
    }
    let unmatched =
        analysis.unmatched.iter().map(|what| format!("not compared: {what}"));
    let left_out = words::left_out(analysis);
    let left_out = left_out.iter().map(|what| format!("left out in reading: {what}"));
    counted.extend(unmatched.chain(left_out).map(|what| (what, 1)));
    if counted.is_empty() {
        return None;
    }
    let mut lines = Vec::new();
    let mut room = NOTES;
    for (i, (text, count)) in counted.iter().enumerate() {
        let times =
            if *count > 1 { format!(" ({count} times)") } else { String::new() };
        let line = format!("- {}{times}", said(text));
        let length = line.chars().count() + 1;
        if length + 100 > room {
            lines.push(format!("- and {} more", grouped(counted.len() - i)));
            break;
        }
        room -= length;
        lines.push(line);
    }
    let notes = if counted.len() == 1 { "note" } else { "notes" };
    let summary = format!("{} {notes}", grouped(counted.len()));
    Some(folded(&summary, &lines.join("\n")))
}

fn methods(analysis: &Analysis) -> String {
    let Words { worse, .. } =
        analysis.comparisons.first().map_or(Words::SPEED, Words::of);
    let mut variants: Vec<String> =
        analysis.comparisons.iter().map(words::variants).collect();
    variants.dedup();
    variants.truncate(3);
    format!(
        "<sub>{}; means of the runs, posterior medians of the change; a verdict needs a \
         probability of {} %; P(worse) is the chance that the candidate is {worse}; {}; \
         patchodds {}</sub>",
        variants.iter().map(|one| code(one)).collect::<Vec<_>>().join(", "),
        significant(100.0 * analysis.settings.confidence, 3),
        escaped(&words::methods(&analysis.comparisons, &analysis.settings)),
        env!("CARGO_PKG_VERSION"),
    )
}

/// A name as code, which GitHub searches for no mentions, issues or emoji.
fn code(name: &str) -> String {
    format!("<code>{}</code>", escaped(&words::shortened(name, LONGEST_NAME)))
}

/// A sentence, its names as code.
fn said(sentence: &str) -> String {
    words::marked(sentence, escaped, code)
}

/// Text that means itself, in a table too.
///
/// A character reference never makes structure (`CommonMark`, section 6.2). The empty
/// comment keeps `@name` and `#1` from becoming links, which GitHub makes of the text
/// that is shown.
fn escaped(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let alphanumeric = |at: Option<usize>| {
        at.and_then(|at| chars.get(at)).is_some_and(|c| c.is_alphanumeric())
    };
    let mut out = String::with_capacity(text.len());
    for (i, &c) in chars.iter().enumerate() {
        // Inside a word it emphasises nothing.
        let inside = alphanumeric(i.checked_sub(1)) && alphanumeric(Some(i + 1));
        match c {
            '_' if inside => out.push('_'),
            '@' | '#' => {
                out.push(c);
                out.push_str("<!-- -->");
            }
            '&' | '<' | '>' | '|' | '`' | '*' | '_' | '[' | ']' | '\\' | '~' | '$'
            | '!' => {
                out.push_str("&#");
                out.push_str(&u32::from(c).to_string());
                out.push(';');
            }
            _ if c.is_control() => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}
