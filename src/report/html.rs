//! An analysis as one HTML file, which needs neither a network nor scripts.

use std::fmt::Write;

use super::difference::Difference;
use super::number::{fixed, grouped, percent, significant};
use super::scale::Scale;
use super::words;
use crate::analysis::{Analysis, Comparison, Observed, Settings, Verdict};
use crate::model::{PriorLine, Spec};
use crate::plot::{self, Scene, Subject};
use crate::warning::Warning;

const STYLE: &str = include_str!("../../assets/report.css");
const SCRIPT: &str = include_str!("../../assets/report.js");

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
pub fn html(subject: &Subject<'_>, how: &Made<'_>) -> String {
    let analysis = subject.analysis;
    let body = match analysis.comparisons.as_slice() {
        [only] => comparison(subject, only, "h1"),
        _ => suite(subject),
    };
    let title = title(analysis);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}{}{}{}\
         </main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        escaped(&title),
        not_compared("Not compared", &analysis.unmatched),
        not_compared("Left out in reading", &words::left_out(analysis)),
        made(analysis, how),
    )
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

fn suite(subject: &Subject<'_>) -> String {
    let analysis = subject.analysis;
    let mut html = format!(
        "<h1>{} comparisons</h1>\n<p class=\"verdict\">{}. Each is judged on its own, so \
         of many that did not change a few seem to.</p>\n",
        grouped(analysis.comparisons.len()),
        escaped(&words::counts(analysis)),
    );
    let forest = plot::kind(Some("forest"), 0).and_then(|kind| kind.scene(subject));
    if let Ok(scene) = forest {
        html.push_str(&figure(&scene));
    }
    html.push_str("<h2>All comparisons</h2>\n");
    html.push_str(&suite_table(analysis));
    let mut worst: Vec<&Comparison> = analysis.comparisons.iter().collect();
    worst.sort_by_key(|one| words::rank(one.verdict));
    for one in worst.iter().take(MOST_IN_FULL) {
        html.push_str(&comparison(subject, one, "h2"));
    }
    if worst.len() > MOST_IN_FULL {
        let _ = writeln!(
            html,
            "<p>The {MOST_IN_FULL} worst are told in full; of the others the table has \
             the results.</p>"
        );
    }
    html
}

fn suite_table(analysis: &Analysis) -> String {
    let mut html =
        "<div class=\"scroll\"><table class=\"sortable\">\n<caption>Medians of \
                    the change, with 95 % credible intervals</caption>\n<thead><tr>\
                    <th scope=\"col\">benchmark</th><th scope=\"col\">candidate</th>\
                    <th scope=\"col\" class=\"number\">change</th>\
                    <th scope=\"col\" class=\"number\">interval</th>\
                    <th scope=\"col\" class=\"number\">P(worse)</th>\
                    <th scope=\"col\">verdict</th></tr></thead>\n<tbody>\n"
            .to_owned();
    for one in &analysis.comparisons {
        html.push_str(&suite_row(one, &analysis.settings));
    }
    html + "</tbody></table></div>\n"
}

fn suite_row(one: &Comparison, settings: &Settings) -> String {
    let scale = Scale::of(one);
    let difference = Difference::of(one, &scale);
    let [change, interval] = difference.map_or_else(Default::default, |found| {
        let [low, high] = found.ends;
        let change = found.share.unwrap_or_else(|| scale.with_unit(&found.median));
        [change, scale.with_unit(&format!("{low} … {high}"))]
    });
    let relative = one.posterior("relative_change").and_then(|change| change.median);
    let key = relative.map_or_else(String::new, |key| format!(" data-key=\"{key}\""));
    let slower = one.probability.slower;
    format!(
        "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"number\"{key}>{}</td>\
         <td class=\"number\">{}</td><td class=\"number\" data-key=\"{}\">{}</td>\
         <td class=\"{}\" data-key=\"{}\">{}</td></tr>\n",
        escaped(&words::subject(one)),
        escaped(&one.candidate.label),
        escaped(&change),
        escaped(&interval),
        slower.value,
        escaped(&percent(slower.value, slower.mcse)),
        class(one.verdict),
        words::rank(one.verdict),
        said(&words::headline(one, settings)),
    )
}

/// One comparison; `level` is its heading's element, `h1` or `h2`.
fn comparison(subject: &Subject<'_>, one: &Comparison, level: &str) -> String {
    let settings = &subject.analysis.settings;
    let scale = Scale::of(one);
    let direction = words::direction(one);
    let facts = match &scale.unit {
        Some(unit) => format!("{}; {unit}, {direction}", words::variants(one)),
        None => format!("{}; {direction}", words::variants(one)),
    };
    let mut html = format!(
        "<section class=\"comparison\">\n<{level}>{}</{level}>\n<p class=\"facts\">{}</p>\n\
         <p class=\"verdict {}\"><strong>{} {}</strong> {}.</p>\n",
        escaped(&words::subject(one)),
        escaped(&facts),
        class(one.verdict),
        words::verdict_label(one),
        said(&words::headline(one, settings)),
        said(&words::elaboration(one, settings)),
    );
    html.extend(plot::posterior(subject, one).map(|scene| figure(&scene)));
    html.push_str(&numbers(one, settings, &scale));
    html.push_str(&figure(&plot::runs(subject, one)));
    html.push_str("<h3>The t-test, for contrast</h3>\n");
    let contrast = words::contrast(one, settings, &scale).join(". ");
    let _ = writeln!(html, "<p>{}.</p>", said(&contrast));
    html.push_str(&warnings(one));
    html.push_str(&model(&one.model));
    html.push_str(&sampling(one));
    html + "</section>\n"
}

fn figure(scene: &Scene) -> String {
    format!(
        "<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n",
        plot::inline(scene),
        escaped(&scene.description)
    )
}

fn numbers(one: &Comparison, settings: &Settings, scale: &Scale) -> String {
    let mut html = "<h3>Numbers</h3>\n<table>\n<thead><tr><th scope=\"col\">variant</th>\
                    <th scope=\"col\" class=\"number\">runs</th>\
                    <th scope=\"col\" class=\"number\">mean</th>\
                    <th scope=\"col\" class=\"number\">SD of a run</th></tr></thead>\n<tbody>\n"
        .to_owned();
    for observed in [&one.baseline, &one.candidate] {
        html.push_str(&variant(observed, scale));
    }
    html.push_str("</tbody></table>\n<table>\n<tbody>\n");
    if let Some(difference) = Difference::of(one, scale) {
        let share =
            difference.share.map_or_else(String::new, |share| format!(" ({share})"));
        let [low, high] = difference.ends;
        let median = scale.with_unit(&difference.median) + &share;
        let labels = format!("{} − {}", one.candidate.label, one.baseline.label);
        html.push_str(&pair(&labels, &median));
        let interval = scale.with_unit(&format!("{low} … {high}"));
        html.push_str(&pair("95 % credible interval", &interval));
    }
    for (what, chance) in words::chances(one, settings) {
        html.push_str(&pair(&what, &chance));
    }
    html.push_str("</tbody></table>\n");
    if let Some(repeat) = words::repeat(one, scale) {
        let _ = writeln!(html, "<p>{}.</p>", said(&words::capitalised(&repeat)));
    }
    html
}

fn variant(observed: &Observed, scale: &Scale) -> String {
    let sd = observed.sd.map_or_else(
        || "unknown".to_owned(),
        |sd| scale.with_unit(&significant(scale.factor * sd, 2)),
    );
    let mean = scale.with_unit(&significant(scale.factor * observed.mean, 5));
    format!(
        "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td>\
         <td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
        escaped(&observed.label),
        grouped(observed.n),
        escaped(&mean),
        escaped(&sd),
    )
}

fn pair(what: &str, value: &str) -> String {
    format!(
        "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td></tr>\n",
        escaped(what),
        escaped(value)
    )
}

fn warnings(one: &Comparison) -> String {
    if one.warnings.is_empty() {
        return String::new();
    }
    let said = |warning: &Warning| format!("{warning}; {}", warning.advice());
    let items = list(one.warnings.iter().map(said));
    format!("<h3>What weakens this</h3>\n{items}")
}

fn model(model: &Spec) -> String {
    let prior = |line: &PriorLine| format!("{} ~ {}", line.parameter, line.text);
    let priors = list(model.priors.iter().map(prior));
    format!(
        "<details><summary>Model and priors</summary>\n<p>Model <code>{}</code>: {}. Before \
         the runs are seen, its parameters are taken to be:</p>\n{priors}\
         </details>\n",
        escaped(&model.name),
        escaped(&model.title),
    )
}

fn sampling(one: &Comparison) -> String {
    let sampling = &one.sampling;
    let known = |value: Option<f64>, places| {
        value.map_or_else(|| "unknown".to_owned(), |value| fixed(value, places))
    };
    let verdict = if sampling.reliable { "reliable" } else { "not reliable" };
    let mut html =
        format!("<details><summary>Sampling: {verdict}</summary>\n<table><tbody>\n");
    html.push_str(&pair(
        "largest R-hat (below 1.01 is good)",
        &known(sampling.rhat_max, 3),
    ));
    html.push_str(&pair(
        "smallest effective sample size (above 400 is good)",
        &known(sampling.ess_min, 0),
    ));
    html.push_str(&pair("divergent transitions", &grouped(sampling.divergences)));
    html + "</tbody></table>\n</details>\n"
}

fn not_compared(heading: &str, what: &[String]) -> String {
    if what.is_empty() {
        return String::new();
    }
    let items = list(what.iter().cloned());
    format!("<h2>{heading}</h2>\n{items}")
}

fn made(analysis: &Analysis, how: &Made<'_>) -> String {
    let mut inputs = String::new();
    for (path, digest) in how.inputs {
        let _ = writeln!(inputs, "{digest}  {}", escaped(path));
    }
    if !inputs.is_empty() {
        inputs = format!("<p>SHA-256 of what was read:</p>\n<pre>{inputs}</pre>\n");
    }
    format!(
        "<footer>\n<h2>How this was made</h2>\n<pre>{}</pre>\n{inputs}<p>patchodds {}; {}; \
         a verdict needs a probability of {} %.</p>\n</footer>\n",
        escaped(&how.command.join(" ")),
        env!("CARGO_PKG_VERSION"),
        escaped(&words::methods(&analysis.comparisons, &analysis.settings)),
        significant(100.0 * analysis.settings.confidence, 3),
    )
}

fn list(items: impl Iterator<Item = String>) -> String {
    let mut html = "<ul>\n".to_owned();
    for item in items {
        html.push_str("<li>");
        html.push_str(&said(&item));
        html.push_str("</li>\n");
    }
    html + "</ul>\n"
}

/// A sentence, its names as code.
fn said(sentence: &str) -> String {
    words::marked(sentence, escaped, |name| format!("<code>{}</code>", escaped(name)))
}

/// Text for an element or an attribute between double quotes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ if c.is_control() && c != '\n' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}
