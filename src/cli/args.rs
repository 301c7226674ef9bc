//! What may be typed: strings, paths and choices, validated one by one.

use clap::{Args, Parser, Subcommand, ValueEnum};

/// How likely is this patch to slow things down, and by how much?
#[derive(Debug, Parser)]
#[command(name = "patchodds", version, propagate_version = true, max_term_width = 80)]
#[command(after_help = "`patchodds COMMAND --help` says more, with examples.")]
pub(super) struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// When to colour text
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN", hide_short_help = true)]
    pub color: Colour,

    /// Print results only, no notes on standard error
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// When to colour text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Colour {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Compare(Box<Compare>),
    Inspect(Inspect),
    Models(Models),
    /// Print completions for a shell: `source <(patchodds completions bash)`
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page: `patchodds man | man -l -`
    Man,
}

/// Compare the benchmark measurements of two or more variants
///
/// The first label is the baseline; every other variant is compared with it. A file
/// holds numbers, one a line, or a table (CSV, TSV, semicolons) with a column for each
/// variant or with columns such as `variant,benchmark,metric,value,unit`, or is what a
/// benchmark tool wrote: hyperfine, Go, Criterion, perf stat, fio, k6 and thirty more.
/// `patchodds inspect` shows how it is read.
#[derive(Debug, Args)]
#[command(
    after_help = "`--help` has more options, and examples.",
    after_long_help = EXAMPLES
)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub(super) struct Compare {
    /// Files, folders, quoted globs, or `-`; one label repeated makes invocations of it
    #[arg(value_name = "[LABEL=]PATH", help_heading = "Input")]
    pub inputs: Vec<String>,

    /// Published statistics instead of runs: `LABEL:n=10,mean=99,sd=0.8` (or `se=`, `ci95=`)
    #[arg(long, value_name = "LABEL:…", help_heading = "Input")]
    pub summary: Vec<String>,

    /// Which variant the others are compared with [default: the first]
    #[arg(long, value_name = "LABEL", help_heading = "Input")]
    pub baseline: Option<String>,

    /// Read every file as this format [default: by its content]
    #[arg(long, value_name = "NAME", hide_short_help = true, help_heading = "Input")]
    pub input_format: Option<String>,

    /// Which column of a file of columns: its number or its name
    #[arg(long, value_name = "N|NAME", hide_short_help = true, help_heading = "Input")]
    pub column: Option<String>,

    /// What tells variants apart: `file`, `inside`, `command`, `param:NAME`, `config:KEY` or `column:NAME`
    #[arg(long, value_name = "WHAT", hide_short_help = true, help_heading = "Input")]
    pub variant_by: Option<String>,

    /// What `±` is in files that do not say: `sd`, `se` or `ci95`
    #[arg(long, value_name = "KIND", hide_short_help = true, help_heading = "Input")]
    pub summary_spread: Option<String>,

    /// Compare benchmarks that match, or name the only one
    #[arg(long, value_name = "PATTERN", help_heading = "Input")]
    pub benchmark: Option<String>,

    /// Compare this metric, or name the only one
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub metric: Option<String>,

    /// The unit of the runs, or the unit to convert them to
    #[arg(long, value_name = "UNIT", help_heading = "Input")]
    pub unit: Option<String>,

    /// Smaller values are better: times, sizes
    #[arg(long, conflicts_with = "higher_is_better", help_heading = "Input")]
    pub lower_is_better: bool,

    /// Larger values are better: throughput, rates
    #[arg(long, help_heading = "Input")]
    pub higher_is_better: bool,

    /// Call a variant otherwise
    #[arg(
        long,
        value_name = "OLD=NEW",
        hide_short_help = true,
        help_heading = "Input"
    )]
    pub rename: Vec<String>,

    /// Leave out the first runs of each invocation
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Input")]
    pub drop_first: usize,

    /// Read the files of one label as one series of runs, not as invocations
    #[arg(long, hide_short_help = true, help_heading = "Input")]
    pub pool_files: bool,

    /// A model by name (`patchodds models` lists them), or a file [default: by the data];
    /// repeated, they are shown side by side, and the first decides
    #[arg(long, value_name = "NAME|FILE", help_heading = "Model")]
    pub model: Vec<String>,

    /// Runs were measured in blocks, one of each variant: the same as `--model paired`
    #[arg(long, conflicts_with_all = ["model", "run_noise"], hide_short_help = true, help_heading = "Model")]
    pub paired: bool,

    /// The SD between invocations of one variant, known from elsewhere: `2%`
    #[arg(long, value_name = "P%", help_heading = "Model")]
    pub run_noise: Option<String>,

    /// Replace one prior: `sd=lognormal(log(noise), 0.3)`
    #[arg(
        long,
        value_name = "PARAMETER=PRIOR",
        hide_short_help = true,
        help_heading = "Model"
    )]
    pub prior: Vec<String>,

    /// The smallest change that matters: per cent, or a value in the unit
    #[arg(long, value_name = "SIZE", default_value = "1%", help_heading = "Decision")]
    pub margin: String,

    /// The probability from which a verdict is given
    #[arg(long, value_name = "P", default_value_t = 0.95, help_heading = "Decision")]
    pub confidence: f64,

    /// Runs of each variant in the predicted experiment [default: as measured]
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = "Decision")]
    pub future_runs: Option<usize>,

    /// Also give the JZS Bayes factor for a difference of the means
    #[arg(long, hide_short_help = true, help_heading = "Decision")]
    pub bayes_factor: bool,

    /// Independent chains
    #[arg(
        long,
        value_name = "N",
        default_value_t = 4,
        hide_short_help = true,
        help_heading = "Sampling"
    )]
    pub chains: usize,

    /// Kept draws of each chain
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        hide_short_help = true,
        help_heading = "Sampling"
    )]
    pub draws: usize,

    /// Warm-up iterations of each chain (a benchmark's own warm-up: `--drop-first`)
    #[arg(
        long,
        value_name = "N",
        default_value_t = 500,
        hide_short_help = true,
        help_heading = "Sampling"
    )]
    pub tune: usize,

    /// Where all randomness comes from: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = crate::analysis::DEFAULT_SEED, hide_short_help = true, help_heading = "Sampling")]
    pub seed: u64,

    /// Threads to work with; changes no result [default: one per core]
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = "Sampling")]
    pub jobs: Option<usize>,

    /// The form of the result
    #[arg(long, value_enum, default_value_t = Form::Text, value_name = "FORM", help_heading = "Output")]
    pub format: Form,

    /// Write the draws, by suffix (`.csv`, `.parquet`, `.zarr`, `.zarr.zip`, `.nc`, `.json`)
    /// or as `KIND:PATH`; `cmdstan:FOLDER` for Stan's tools
    ///
    /// `KIND:FOLDER/` with a slash at its end writes one for each fit, and an `index.json`.
    #[arg(long, value_name = "PATH", help_heading = "Output")]
    pub save_draws: Vec<String>,

    /// Write the model as a Stan program, and its data as JSON, into this folder
    #[arg(
        long,
        value_name = "FOLDER",
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub save_stan: Option<String>,

    /// Show the runs as well, a dot each, in the text
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub show: Vec<Show>,

    /// Write a picture, by suffix: `.svg` or `.png`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub plot: Vec<String>,

    /// What the picture shows: `posterior`, `forest`, `runs`, `predictive`, `trace` or
    /// `rank` [default: by the number of comparisons]
    #[arg(
        long,
        value_name = "KIND",
        requires = "plot",
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub plot_kind: Option<String>,

    /// Write a report for a browser: one file, which needs no network
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<String>,
}

/// The form of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// For people
    Text,
    /// For programs; the schema is part of the documentation
    Json,
    /// For a comment on a pull request
    Markdown,
    /// For spreadsheets: one row a comparison
    Csv,
    /// For CI servers: a test a comparison, which fails where the verdict is slower
    Junit,
}

/// What may be shown besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Show {
    /// The runs of each variant, on one scale
    Runs,
}

/// The form of what was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum InspectForm {
    /// For people
    Text,
    /// For programs
    Json,
}

/// Show what is read from files, before anything is concluded
///
/// Lists benchmarks, metrics, units, directions, variants with their runs, and what is
/// left out and why. A file with one variant only is fine here.
#[derive(Debug, Args)]
pub(super) struct Inspect {
    /// Files, folders, quoted globs, or `-`
    #[arg(value_name = "[LABEL=]PATH", help_heading = "Input")]
    pub inputs: Vec<String>,

    /// Read every file as this format [default: by its content]
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub input_format: Option<String>,

    /// Which column of a file of columns: its number or its name
    #[arg(long, value_name = "N|NAME", help_heading = "Input")]
    pub column: Option<String>,

    /// What tells variants apart: `file`, `inside`, `command`, `param:NAME`, `config:KEY` or `column:NAME`
    #[arg(long, value_name = "WHAT", help_heading = "Input")]
    pub variant_by: Option<String>,

    /// What `±` is in files that do not say: `sd`, `se` or `ci95`
    #[arg(long, value_name = "KIND", help_heading = "Input")]
    pub summary_spread: Option<String>,

    /// The form of the result
    #[arg(long, value_enum, default_value_t = InspectForm::Text, value_name = "FORM", help_heading = "Output")]
    pub format: InspectForm,
}

/// List the models, or show one
#[derive(Debug, Args)]
pub(super) struct Models {
    #[command(subcommand)]
    pub action: Option<ModelsAction>,
}

#[derive(Debug, Subcommand)]
pub(super) enum ModelsAction {
    /// Print a model's file
    Show {
        /// One of `patchodds models`
        name: String,
        /// Print the same model as a Stan program
        #[arg(long)]
        stan: bool,
        /// Print what the model expects of these measurements before it sees them
        #[arg(long, num_args = 1.., value_name = "[LABEL=]PATH", conflicts_with = "stan")]
        prior_predictive: Vec<String>,
    },
}

const EXAMPLES: &str = "\
Examples:
  Two files of numbers, one a line; the first is the baseline:
    patchodds compare before.txt after.txt

  Throughput, where more is better, and names for the variants:
    patchodds compare --higher-is-better old=a.txt new=b.txt

  What two runs of a benchmark tool wrote, or the baselines that Criterion keeps:
    patchodds compare old=before.json new=after.json
    patchodds compare target/criterion

  Several invocations (files) of each variant:
    patchodds compare old='old/*.txt' new='new/*.txt'

  Published statistics only:
    patchodds compare --summary before:n=10,mean=100,sd=0.8 \\
                      --summary after:n=10,mean=99.04,sd=0.8 --higher-is-better

  A picture, a page for a browser, a comment for a pull request:
    patchodds compare before.txt after.txt --plot difference.svg
    patchodds compare before.txt after.txt --html report.html
    patchodds compare before.txt after.txt --format markdown > comment.md

  For a program, and the draws for R or Python:
    patchodds compare before.txt after.txt --format json --save-draws draws.csv

Exit codes: 0 done; 2 could not be done; 3 sampling is not reliable.";
