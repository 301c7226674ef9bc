//! `patchodds compare`: files to a verdict.

use clap::ArgMatches;

use super::args::{Compare, Form, Show};
use super::digest::digests;
use super::progress::with_spinner;
use super::{Ending, Said, Streams};
use crate::analysis::{Analysis, Margin, Settings, analyse, parse_run_noise};
use crate::data::{Dataset, Direction, Selection};
use crate::error::Error;
use crate::export::{self, Destination};
use crate::formats::{self, Input};
use crate::model::{PAIRED, Spec};
use crate::plot::{self, Subject};
use crate::report::{self, Made, Palette};

pub(super) fn run(
    args: &Compare,
    order: Option<&ArgMatches>,
    command: &[String],
    streams: Streams,
    quiet: bool,
) -> Result<Said, Error> {
    let settings = settings(args)?;
    let words = words(args, order);
    if words.is_empty() {
        return Err(Error::new("there is nothing to compare").with_hint(
            "name a file for each variant, such as `patchodds compare before.txt after.txt`",
        ));
    }
    let selection = selection(args)?;
    let targets = args
        .save_draws
        .iter()
        .map(|target| Destination::parse(target))
        .collect::<Result<Vec<_>, _>>()?;
    let plots = args
        .plot
        .iter()
        .map(|target| plot::Destination::parse(target))
        .collect::<Result<Vec<_>, _>>()?;
    // A wrong name is noticed before the work, not after it.
    plot::kind(args.plot_kind.as_deref(), 1)?;
    let work = || -> Result<(Dataset, Analysis), Error> {
        let dataset = formats::read_dataset(&words, &selection)?;
        let analysis = analyse(&dataset, &settings)?;
        Ok((dataset, analysis))
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.unwrap_or(0))
        .build()
        .map_err(|error| Error::new(format!("no threads to work with: {error}")))?;
    let spinner = streams.err_is_terminal && !quiet;
    let (dataset, analysis) = with_spinner(spinner, || pool.install(work))?;
    for target in &targets {
        target.write_all(&analysis.comparisons)?;
    }
    if let Some(folder) = &args.save_stan {
        export::save_stan(folder, &analysis.comparisons)?;
    }
    let subject = Subject { dataset: &dataset, analysis: &analysis };
    save_plots(&plots, args.plot_kind.as_deref(), &subject)?;
    if let Some(path) = &args.html {
        let made = Made { command, inputs: &digests(&analysis) };
        let page = report::html(&subject, &made);
        export::replace_file(path, |path| std::fs::write(path, page))?;
    }
    let results = match args.format {
        Form::Text => {
            let text = report::text(&analysis, Palette::COLOUR, streams.width);
            if args.show.contains(&Show::Runs) {
                report::dots(&subject, streams.width) + "\n" + &text
            } else {
                text
            }
        }
        Form::Json => report::json(&analysis, command),
        Form::Markdown => report::markdown(&analysis),
        Form::Csv => report::csv(&analysis),
        Form::Junit => report::junit(&analysis),
    };
    let ending =
        if analysis.is_reliable() { Ending::Done } else { Ending::NotReliable };
    Ok(Said { results, ending })
}

/// What the options mean for the analysis.
fn settings(args: &Compare) -> Result<Settings, Error> {
    let mut settings = Settings::default();
    let mut models = args.model.iter().map(|name| Spec::named(name));
    settings.model = models.next().transpose()?;
    settings.rivals = models.collect::<Result<_, _>>()?;
    if args.paired {
        settings.model = Some(Spec::built_in(PAIRED)?);
    }
    settings.priors.clone_from(&args.prior);
    settings.run_noise = args.run_noise.as_deref().map(parse_run_noise).transpose()?;
    settings.chains = args.chains;
    settings.draws = args.draws;
    settings.tune = args.tune;
    settings.seed = args.seed;
    settings.margin = Margin::parse(&args.margin)?;
    // The default is written out in the help, and is no wish of the user.
    settings.margin.stated = args.margin != Margin::default().text;
    settings.confidence = args.confidence;
    settings.future_runs = args.future_runs;
    settings.bayes_factor = args.bayes_factor;
    settings.stan = args.save_stan.is_some();
    // A predictive check needs runs as a repeat would measure them.
    settings.every_group =
        !args.save_draws.is_empty() || args.plot_kind.as_deref() == Some("predictive");
    settings.check()?;
    Ok(settings)
}

/// What the options mean for the reading.
fn selection(args: &Compare) -> Result<Selection, Error> {
    let direction = match (args.lower_is_better, args.higher_is_better) {
        (true, _) => Some(Direction::LowerIsBetter),
        (_, true) => Some(Direction::HigherIsBetter),
        (false, false) => None,
    };
    Ok(Selection {
        input_format: args.input_format.clone(),
        column: args.column.clone(),
        variant_by: args.variant_by.as_deref().map(str::parse).transpose()?,
        summary_spread: args.summary_spread.as_deref().map(str::parse).transpose()?,
        baseline: args.baseline.clone(),
        rename: args.rename.iter().map(|one| one.parse()).collect::<Result<_, _>>()?,
        benchmark: args.benchmark.clone(),
        metric: args.metric.clone(),
        unit: args.unit.clone(),
        direction,
        drop_first: args.drop_first,
        pool_files: args.pool_files,
    })
}

/// Inputs and summaries in the order in which they were typed.
fn words(args: &Compare, order: Option<&ArgMatches>) -> Vec<Input> {
    let places = |name: &str| -> Vec<usize> {
        order
            .and_then(|matches| matches.indices_of(name))
            .map(Iterator::collect)
            .unwrap_or_default()
    };
    let inputs = args.inputs.iter().cloned().map(Input::Word);
    let summaries = args.summary.iter().cloned().map(Input::Summary);
    let mut words: Vec<(usize, Input)> = places("inputs")
        .into_iter()
        .zip(inputs)
        .chain(places("summary").into_iter().zip(summaries))
        .collect();
    words.sort_by_key(|(place, _)| *place);
    words.into_iter().map(|(_, word)| word).collect()
}

fn save_plots(
    targets: &[plot::Destination<'_>],
    kind: Option<&str>,
    subject: &Subject<'_>,
) -> Result<(), Error> {
    if targets.is_empty() {
        return Ok(());
    }
    let kind = plot::kind(kind, subject.analysis.comparisons.len())?;
    let scene = kind.scene(subject)?;
    targets.iter().try_for_each(|target| target.write(&scene))
}
