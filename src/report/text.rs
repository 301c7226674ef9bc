//! An analysis as text for a terminal.

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use super::difference::{Difference, Resolved};
use super::number::{fixed, grouped, percent, places, signed, significant};
use super::scale::Scale;
use super::words::{self, Words};
use crate::analysis::{
    Analysis, ComparedModel, Comparison, Estimate, ModelComparison, Observed, PerDraw,
    Settings, Verdict,
};
use crate::draws::Variable;
use crate::warning::Warning;

/// How things are set off; colour adds, and never carries the meaning alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Palette {
    title: Style,
    good: Style,
    bad: Style,
    open: Style,
    dim: Style,
}

impl Palette {
    /// No styles at all.
    pub const PLAIN: Self = Self {
        title: Style::new(),
        good: Style::new(),
        bad: Style::new(),
        open: Style::new(),
        dim: Style::new(),
    };

    /// For a terminal.
    pub const COLOUR: Self = Self {
        title: Style::new().bold(),
        good: AnsiColor::Green.on_default().bold(),
        bad: AnsiColor::Red.on_default().bold(),
        open: AnsiColor::Yellow.on_default().bold(),
        dim: Style::new().dimmed(),
    };

    fn of(&self, verdict: Verdict) -> Style {
        match verdict {
            Verdict::Slower | Verdict::SlowerSizeUnclear => self.bad,
            Verdict::Faster
            | Verdict::FasterSizeUnclear
            | Verdict::Same
            | Verdict::NotSlower => self.good,
            Verdict::NotFaster | Verdict::Undecided => self.open,
        }
    }
}

/// Text is no wider than this, whatever the terminal.
pub(super) const WIDEST: usize = 80;

/// Nor narrower than this.
pub(super) const NARROWEST: usize = 48;

/// The whole analysis; each comparison ends with its verdict, contrast and notes.
pub fn text(analysis: &Analysis, palette: Palette, width: usize) -> String {
    let page = Page {
        palette,
        width: width.clamp(NARROWEST, WIDEST),
        settings: &analysis.settings,
    };
    let mut sections: Vec<String> = analysis
        .comparisons
        .iter()
        .map(|comparison| page.comparison(comparison))
        .collect();
    let left_out = words::left_out(analysis);
    for (heading, what) in
        [("not compared:", &analysis.unmatched), ("left out in reading:", &left_out)]
    {
        if !what.is_empty() {
            let lines = what.iter().map(|what| page.wrapped("  ", what));
            let lines: Vec<String> = lines.collect();
            sections.push(format!("{heading}\n{}", lines.join("\n")));
        }
    }
    sections.push(page.footer(&analysis.comparisons));
    sections.join("\n\n") + "\n"
}

struct Page<'a> {
    palette: Palette,
    width: usize,
    settings: &'a Settings,
}

impl Page<'_> {
    fn comparison(&self, comparison: &Comparison) -> String {
        let scale = Scale::of(comparison);
        let mut blocks = Vec::new();
        let unreliable = comparison
            .warnings
            .iter()
            .find(|warning| matches!(warning, Warning::NotReliable { .. }));
        if let Some(warning) = unreliable {
            blocks.push(self.note("NOT RELIABLE", warning));
        }
        blocks.push(self.title(comparison, &scale));
        blocks.push(variants(comparison, &scale));
        blocks.push(self.difference(comparison, &scale));
        blocks.push(self.verdict(comparison));
        let contrast = words::contrast(comparison, self.settings, &scale);
        blocks.push(self.wrapped("  ", &(contrast.join(". ") + ".")));
        if let Some(models) = &comparison.models {
            blocks.push(self.models(models, comparison, &scale));
        }
        let notes: Vec<String> = comparison
            .warnings
            .iter()
            .filter(|warning| !matches!(warning, Warning::NotReliable { .. }))
            .map(|warning| self.note("note", warning))
            .collect();
        if !notes.is_empty() {
            blocks.push(notes.join("\n"));
        }
        blocks.join("\n\n")
    }

    fn wrapped(&self, indent: &str, text: &str) -> String {
        let options = textwrap::Options::new(self.width)
            .initial_indent(indent)
            .subsequent_indent(indent)
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        // A number stays with its unit and its sign.
        let text = bound(text);
        textwrap::fill(&text, options).replace('\u{a0}', " ")
    }

    fn note(&self, kind: &str, warning: &Warning) -> String {
        self.wrapped("  ", &format!("{kind}: {warning}; {}", warning.advice()))
    }

    fn title(&self, comparison: &Comparison, scale: &Scale) -> String {
        let name = words::subject(comparison);
        let better = words::direction(comparison);
        let facts = match &scale.unit {
            Some(unit) => format!("{unit}, {better}"),
            None => better.to_owned(),
        };
        let Palette { title, dim, .. } = self.palette;
        let one_line = textwrap::core::display_width(&format!("{name} ({facts})"));
        let between = if one_line <= self.width { " " } else { "\n" };
        format!("{title}{name}{title:#}{between}{dim}({facts}){dim:#}")
    }

    fn difference(&self, comparison: &Comparison, scale: &Scale) -> String {
        let mut lines = vec![self.headline(comparison, scale)];
        lines.extend(density(comparison, scale, self.width));
        lines.extend(self.chances(comparison));
        lines.push(self.repeat(comparison, scale));
        lines.join("\n")
    }

    /// `with − without  +0.66 Mbit/s (+0.4 %), 95 % credible interval −1.2 … +2.5`
    fn headline(&self, comparison: &Comparison, scale: &Scale) -> String {
        let labels =
            format!("{} − {}", comparison.candidate.label, comparison.baseline.label);
        let Some(difference) = Difference::of(comparison, scale) else {
            return format!("  {labels}   unknown: the draws are not finite");
        };
        let middle = scale.with_unit(&difference.median);
        let share =
            difference.share.map_or_else(String::new, |share| format!(" ({share})"));
        let [low, high] = difference.ends;
        let interval = format!("95 % credible interval {low} … {high}");
        let one = format!("  {labels}   {middle}{share}   {interval}");
        if textwrap::core::display_width(&one) <= self.width {
            return one;
        }
        self.wrapped("  ", &format!("{labels}: {middle}{share},"))
            + "\n"
            + &self.wrapped("  ", &interval)
    }

    fn chances(&self, comparison: &Comparison) -> Vec<String> {
        let rows = words::chances(comparison, self.settings);
        let widest =
            rows.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0);
        let number = rows.iter().map(|(_, p)| p.chars().count()).max().unwrap_or(0);
        rows.into_iter()
            .map(|(what, p)| format!("    {what:<widest$}  {p:>number$}"))
            .collect()
    }

    fn repeat(&self, comparison: &Comparison, scale: &Scale) -> String {
        let sentence = words::repeat(comparison, scale);
        sentence.map_or_else(String::new, |sentence| self.wrapped("    ", &sentence))
    }

    fn verdict(&self, comparison: &Comparison) -> String {
        let label = words::verdict_label(comparison);
        let headline = words::headline(comparison, self.settings);
        let more = words::elaboration(comparison, self.settings);
        let plain = format!("{label} {headline}. {more}.");
        let wrapped = self.wrapped("  ", &plain);
        // Style goes in after wrapping, and only where the words are still in one line.
        let style = self.palette.of(comparison.verdict);
        wrapped.replacen(&headline, &format!("{style}{headline}{style:#}"), 1)
    }

    /// A row for each model, and what their predictions say of them.
    fn models(
        &self,
        models: &ModelComparison,
        comparison: &Comparison,
        scale: &Scale,
    ) -> String {
        let Words { worse, .. } = Words::of(comparison);
        let mut table = plain_table();
        let k = "worst k";
        table.set_header([
            "model",
            "difference",
            "95 % interval",
            worse,
            "elpd",
            "behind",
            k,
        ]);
        for model in &models.models {
            table.add_row(model_row(model, scale));
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        let unit = models.unit;
        let mut sentences = vec![format!(
            "The elpd says how well each of {} {unit}s is predicted from the others; larger \
             is better",
            grouped(models.units)
        )];
        for model in &models.models {
            match &model.prediction {
                Err(why) => {
                    sentences
                        .push(format!("That of `{}` is unknown: {why}", model.name));
                }
                Ok(known) if known.refits > 0 => sentences.push(format!(
                    "`{}` was sampled again without {} of them, where k was above 0.7",
                    model.name,
                    grouped(known.refits)
                )),
                Ok(_) => {}
            }
        }
        sentences.push(words::models_conclusion(models));
        indented(&table) + "\n" + &self.wrapped("  ", &(sentences.join(". ") + "."))
    }

    fn footer(&self, comparisons: &[Comparison]) -> String {
        let Palette { dim, .. } = self.palette;
        let line = self.wrapped("  ", &words::methods(comparisons, self.settings));
        format!("{dim}{line}{dim:#}")
    }
}

/// Binds numbers to what follows or goes before them, so that no line breaks there.
fn bound(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let chars: Vec<char> = text.chars().collect();
    for (i, &c) in chars.iter().enumerate() {
        let before = i.checked_sub(1).map(|j| chars[j]);
        let after = chars.get(i + 1).copied();
        let joins = |c: Option<char>| {
            matches!(c, Some('%' | '…' | '±' | '=' | ':' | '<' | '>'))
        };
        let colon_of_odds = before == Some(':') && i >= 2 && chars[i - 2] == ' ';
        let sticky = c == ' '
            && (joins(after)
                || (joins(before) && (before != Some(':') || colon_of_odds)));
        out.push(if sticky { '\u{a0}' } else { c });
    }
    out
}

fn plain_table() -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled);
    table
}

/// Cells are padded by one column, which makes an indent of two.
fn indented(table: &Table) -> String {
    let lines: Vec<String> =
        table.lines().map(|line| format!(" {}", line.trim_end())).collect();
    lines.join("\n")
}

fn model_row(model: &ComparedModel, scale: &Scale) -> [String; 7] {
    let resolved = Resolved::of(&model.difference, scale.factor);
    let shown = |value: Option<f64>, places| {
        let unknown = "unknown".to_owned();
        value.map_or(unknown, |value| signed(scale.factor * value, places))
    };
    let interval = model.difference.eti.map_or_else(String::new, |[low, high]| {
        let [low, high] = [low, high].map(|end| shown(Some(end), resolved.ends));
        format!("{low} … {high}")
    });
    let chance = percent(model.slower.value, model.slower.mcse);
    let known = model.prediction.as_ref().ok();
    let number = |text: Option<String>| text.unwrap_or_else(|| "?".to_owned());
    let behind = |at: Estimate| match at.value {
        0.0 => "0".to_owned(),
        value => format!("{} ± {}", fixed(value, 1), fixed(at.se, 1)),
    };
    [
        model.name.clone(),
        shown(model.difference.median, resolved.middle),
        interval,
        chance,
        number(known.map(|known| fixed(known.elpd.value, 1))),
        number(known.map(|known| behind(known.behind))),
        number(known.and_then(|known| known.worst_k).map(|k| fixed(k, 2))),
    ]
}

fn variants(comparison: &Comparison, scale: &Scale) -> String {
    let mut table = plain_table();
    table.set_header(["variant", "runs", "mean", "sd of a run"]);
    let spread = [&comparison.baseline, &comparison.candidate]
        .iter()
        .filter_map(|observed| observed.sd)
        .filter(|sd| *sd > 0.0)
        .fold(f64::INFINITY, f64::min);
    let places = if spread.is_finite() {
        (places(scale.factor.abs() * spread) + 2).max(0)
    } else {
        let size = scale.factor.abs() * comparison.baseline.mean.abs();
        (3 - size.max(1e-300).log10().floor() as i32).max(0)
    };
    for observed in [&comparison.baseline, &comparison.candidate] {
        table.add_row(row(observed, scale, places));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    indented(&table)
}

fn row(observed: &Observed, scale: &Scale, places: i32) -> [String; 4] {
    let runs = match observed.invocations {
        Some(invocations) if invocations > 1 && invocations < observed.n => {
            format!("{} in {}", grouped(observed.n), grouped(invocations))
        }
        _ => grouped(observed.n),
    };
    let sd = observed.sd.map_or_else(
        || "unknown".to_owned(),
        |sd| if sd == 0.0 { "0".to_owned() } else { significant(scale.factor * sd, 2) },
    );
    [observed.label.clone(), runs, fixed(scale.factor * observed.mean, places), sd]
}

/// Eight heights of a bar.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Columns of the density strip.
const STRIP: usize = 56;

/// The density of the difference as bars, over an axis that marks zero.
fn density(comparison: &Comparison, scale: &Scale, width: usize) -> Vec<String> {
    let Some(values) =
        comparison.draws.posterior().get("difference").map(Variable::values)
    else {
        return Vec::new();
    };
    let columns = STRIP.min(width.saturating_sub(8));
    let Some((low, high)) = span(values) else { return Vec::new() };
    let mut counts = vec![0.0; columns];
    let column = |value: f64| {
        let at = (value - low) / (high - low) * columns as f64;
        (at >= 0.0 && at < columns as f64).then_some(at as usize)
    };
    for at in values.iter().filter_map(|value| column(*value)) {
        counts[at] += 1.0;
    }
    let heights = smooth(&smooth(&counts));
    let highest = heights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let bars: String = heights
        .iter()
        .map(|height| match (8.0 * height / highest).ceil() as usize {
            0 => ' ',
            eighths => BARS[eighths.min(8) - 1],
        })
        .collect();
    let axis = axis(columns, column(0.0), scale.factor * low, scale.factor * high);
    vec![format!("    {}", bars.trim_end()), format!("    {axis}")]
}

/// Weights of ¼, ½, ¼, as a strip of a few thousand draws is ragged.
fn smooth(heights: &[f64]) -> Vec<f64> {
    let at = |i: usize| heights.get(i).copied().unwrap_or(0.0);
    (0..heights.len())
        .map(|i| 0.5 * at(i) + 0.25 * (i.checked_sub(1).map_or(0.0, at) + at(i + 1)))
        .collect()
}

/// A line under the bars: its ends in numbers, and where zero is.
fn axis(columns: usize, zero: Option<usize>, low: f64, high: f64) -> String {
    let places = places((high - low) / 20.0);
    let (low, high) = (signed(low, places), signed(high, places));
    let mut line: Vec<char> = vec!['─'; columns];
    let put = |line: &mut Vec<char>, at: usize, text: &str| {
        for (i, c) in text.chars().enumerate() {
            if let Some(cell) = line.get_mut(at + i) {
                *cell = c;
            }
        }
    };
    put(&mut line, 0, &format!("{low} "));
    let start = columns.saturating_sub(high.chars().count() + 1);
    put(&mut line, start, &format!(" {high}"));
    let free = low.chars().count() + 1..start;
    if let Some(zero) = zero
        && free.contains(&zero)
    {
        line[zero] = '0';
    }
    line.into_iter().collect()
}

/// Where nearly all draws lie; `None` where they are all equal.
fn span(values: &PerDraw) -> Option<(f64, f64)> {
    let mut sorted: Vec<f64> = values.iter().copied().collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let low = crate::draws::quantile(&sorted, 0.005);
    let high = crate::draws::quantile(&sorted, 0.995);
    (high > low).then_some((low, high))
}
