//! What weakens a result, as values: the report decides how to say it.

use std::fmt;

/// Something the reader of a result should know; [`Warning::advice`] says what to do.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// Nothing says which way is better.
    DirectionAssumed,
    /// A variant has one or two runs.
    TooFewRuns {
        /// The variant.
        label: String,
        /// Its number of runs.
        n: usize,
    },
    /// All runs of each variant come out of one invocation.
    OneInvocation,
    /// The means of invocations were compared, not the runs.
    InvocationMeans {
        /// Invocations of the baseline and of the candidate.
        invocations: [usize; 2],
    },
    /// Several files under one label were read as invocations.
    FilesAsInvocations {
        /// The variant.
        label: String,
        /// How many files.
        files: usize,
    },
    /// Some runs have no partner in their block.
    BlocksDropped {
        /// How many runs were left out for it.
        runs: usize,
    },
    /// No block was named: the first run of one belongs to the first of the other.
    BlocksByOrder,
    /// Runs that follow one another are alike.
    Autocorrelated {
        /// The variant.
        label: String,
        /// Their autocorrelation time, in runs.
        time: f64,
        /// Number and length of the batches that act as invocations; `None` where the
        /// runs are too few for ten.
        batches: Option<(usize, usize)>,
        /// Runs that would make ten batches.
        needed: usize,
    },
    /// Later runs differ from earlier ones.
    Drift {
        /// The variant.
        label: String,
    },
    /// The first run differs from all others.
    WarmUp {
        /// The variant.
        label: String,
    },
    /// What was measured is not shaped as the model has it.
    DoesNotFit {
        /// What does not fit, in words.
        what: String,
        /// How it differs.
        misfit: Misfit,
        /// The model to try, where there is one.
        model: Option<&'static str>,
    },
    /// Runs scatter by less than the step in which they are measured.
    ManyTies {
        /// The variant.
        label: String,
    },
    /// Most runs are equal, and a Student-t distribution sees nothing else.
    TailsOnTies {
        /// The variant.
        label: String,
    },
    /// Too few runs to tell the weight of the tails.
    FewRunsForTails {
        /// The variant.
        label: String,
        /// Its number of runs.
        n: usize,
    },
    /// Distinct runs were put into narrow bins.
    Binned {
        /// The variant.
        label: String,
        /// How many distinct runs it has.
        distinct: usize,
    },
    /// The SDs of the variants differ by more than a model with tied SDs expects.
    NoiseDiffers {
        /// The larger SD over the smaller.
        ratio: f64,
    },
    /// The prior moves the result.
    PriorMatters {
        /// Whether it moves the difference of the means.
        difference: bool,
        /// Number and name of the values from which the noise level of a variant comes,
        /// where it is mostly prior: 3, `run`.
        noise: Option<(usize, &'static str)>,
    },
    /// Summaries were given by their SD, which the source may have meant otherwise.
    SummarySd {
        /// The variants.
        labels: Vec<String>,
    },
    /// The probability that decides is within 2 MCSE of the threshold.
    CloseCall {
        /// Which probability, in words.
        what: &'static str,
        /// Its value.
        probability: f64,
        /// What it was compared with.
        threshold: f64,
    },
    /// The baseline mean may be zero, so that no change can be given in per cent.
    NoRelativeChange {
        /// The baseline.
        label: String,
    },
    /// Sampling missed its quality thresholds twice.
    NotReliable {
        /// What was missed, in words.
        reasons: Vec<String>,
    },
}

/// How values differ from those of a normal distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misfit {
    /// Some are too far from the others.
    Outliers,
    /// One side is longer than the other.
    Skewed,
    /// Both sides are longer.
    HeavyTails,
    /// They gather around more than one value.
    SeveralModes,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Outliers => "have outliers under this model",
            Self::Skewed => "are more skewed than this model expects",
            Self::HeavyTails => "have heavier tails than this model expects",
            Self::SeveralModes => {
                "gather around two values or more, and a mean lies between them"
            }
        })
    }
}

impl Warning {
    /// A stable name, as in the JSON output.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::DirectionAssumed => "direction_assumed",
            Self::TooFewRuns { .. } => "too_few_runs",
            Self::OneInvocation => "one_invocation",
            Self::InvocationMeans { .. } => "invocation_means",
            Self::FilesAsInvocations { .. } => "files_as_invocations",
            Self::BlocksDropped { .. } => "blocks_dropped",
            Self::BlocksByOrder => "blocks_by_order",
            Self::Autocorrelated { .. } => "autocorrelation",
            Self::Drift { .. } => "drift",
            Self::WarmUp { .. } => "warm_up",
            Self::DoesNotFit { misfit: Misfit::Outliers, .. } => "outliers",
            Self::DoesNotFit { misfit: Misfit::Skewed, .. } => "skewed",
            Self::DoesNotFit { misfit: Misfit::HeavyTails, .. } => "heavy_tails",
            Self::DoesNotFit { misfit: Misfit::SeveralModes, .. } => "several_modes",
            Self::ManyTies { .. } => "many_ties",
            Self::TailsOnTies { .. } => "tails_on_ties",
            Self::FewRunsForTails { .. } => "few_runs_for_tails",
            Self::Binned { .. } => "binned",
            Self::NoiseDiffers { .. } => "noise_differs",
            Self::PriorMatters { .. } => "prior_matters",
            Self::SummarySd { .. } => "summary_sd",
            Self::CloseCall { .. } => "close_call",
            Self::NoRelativeChange { .. } => "no_relative_change",
            Self::NotReliable { .. } => "not_reliable",
        }
    }

    /// What to do about it.
    pub fn advice(&self) -> String {
        match self {
            Self::DirectionAssumed => {
                "say `--lower-is-better` or `--higher-is-better`".into()
            }
            Self::TooFewRuns { n: 1, .. } => "measure at least three runs".into(),
            Self::TooFewRuns { .. } => {
                "measure more runs: the noise level is mostly prior here".into()
            }
            Self::OneInvocation => {
                "repeat each measurement in several invocations, one file each under one \
                 label, or state that noise with `--run-noise 2%`"
                    .into()
            }
            Self::InvocationMeans { .. } => {
                "for runs that are independent across files, give one file per variant"
                    .into()
            }
            Self::FilesAsInvocations { .. } => {
                "`--pool-files` reads them as one series of runs".into()
            }
            Self::BlocksDropped { .. } => {
                "measure one run of each variant in every block".into()
            }
            Self::BlocksByOrder => {
                "if that is not how they were measured, name the blocks in a column `block`"
                    .into()
            }
            Self::Autocorrelated { batches: Some(_), .. } => {
                "leave more time between runs, or start a new process for each".into()
            }
            Self::Autocorrelated { batches: None, needed, .. } => {
                format!("measure {needed} runs of each variant or more")
            }
            Self::Drift { .. } => {
                "interleave the variants, so that both drift alike, and compare with \
                 `--paired`"
                    .into()
            }
            Self::WarmUp { .. } => {
                "if it was a warm-up, leave it out with `--drop-first 1`".into()
            }
            Self::DoesNotFit { misfit: Misfit::SeveralModes, .. } => {
                "find out what tells them apart, and compare like with like".into()
            }
            Self::DoesNotFit { model: Some(model), .. } => {
                format!("try `--model {model}`")
            }
            Self::DoesNotFit { model: None, .. } => {
                "look at the runs before you trust the interval".into()
            }
            Self::ManyTies { .. } => {
                "measure with a finer clock, or more work in each run".into()
            }
            Self::TailsOnTies { .. } => "use `--model normal`".into(),
            Self::FewRunsForTails { .. } => {
                "measure ten runs or more, or use `--model normal`".into()
            }
            Self::Binned { .. } => "nothing to do: the bins change no digit shown".into(),
            Self::NoiseDiffers { .. } => "try `--model independent`".into(),
            Self::PriorMatters { .. } => {
                "measure more runs, or state what you know with `--prior`".into()
            }
            Self::SummarySd { .. } => {
                "if it is the standard error of the mean, write `se=` in place of `sd=`, \
                 or `--summary-spread se`"
                    .into()
            }
            Self::CloseCall { .. } => "raise `--draws`, or measure more runs".into(),
            Self::NoRelativeChange { .. } => {
                "give `--margin` as a value in the unit of the runs".into()
            }
            Self::NotReliable { .. } => {
                "raise `--tune` and `--draws`, or choose another `--model`".into()
            }
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DirectionAssumed => f.write_str("lower is assumed to be better"),
            Self::TooFewRuns { label, n: 1 } => {
                write!(f, "`{label}` has one run, which says nothing about its noise")
            }
            Self::TooFewRuns { label, n } => write!(
                f,
                "`{label}` has {n} runs: what its noise is comes mostly from the prior"
            ),
            Self::OneInvocation => f.write_str(
                "all runs of each variant come from one invocation, so noise between \
                 invocations is not included",
            ),
            Self::InvocationMeans { invocations: [baseline, candidate] } => write!(
                f,
                "the means of {baseline} and {candidate} invocations are compared, not \
                 single runs"
            ),
            Self::FilesAsInvocations { label, files } => {
                write!(f, "{files} files read as {files} invocations of `{label}`")
            }
            Self::BlocksDropped { runs: 1 } => {
                f.write_str("1 run was left out: its block has no run of the other variant")
            }
            Self::BlocksDropped { runs } => write!(
                f,
                "{runs} runs were left out: their blocks have no run of the other variant"
            ),
            Self::BlocksByOrder => f.write_str(
                "runs are paired in the order in which they stand, the first with the first",
            ),
            Self::Autocorrelated { label, time, batches, .. } => {
                write!(
                    f,
                    "neighbouring runs of `{label}` are alike, over about {time:.1} runs: "
                )?;
                match batches {
                    Some((count, length)) => {
                        write!(f, "{count} batches of {length} stand for invocations")
                    }
                    None => f.write_str("too few runs to say how much noise there is"),
                }
            }
            Self::Drift { label } => {
                write!(f, "the runs of `{label}` drift from the first to the last")
            }
            Self::WarmUp { label } => {
                write!(f, "the first run of `{label}` is unlike all others")
            }
            Self::DoesNotFit { what, misfit, .. } => write!(f, "{what} {misfit}"),
            Self::ManyTies { label } => write!(
                f,
                "the runs of `{label}` scatter by less than the step in which they are \
                 measured"
            ),
            Self::TailsOnTies { label } => write!(
                f,
                "half of the runs of `{label}` or more are equal, and a Student-t \
                 distribution collapses onto them"
            ),
            Self::FewRunsForTails { label, n } => write!(
                f,
                "`{label}` has {n} runs: the weight of the tails is mostly prior"
            ),
            Self::Binned { label, distinct } => write!(
                f,
                "the {distinct} distinct runs of `{label}` are binned to a hundredth of \
                 their SD"
            ),
            Self::NoiseDiffers { ratio } => write!(
                f,
                "one variant is {ratio:.1} times as noisy as the other: under tied noise \
                 levels the interval may cover only 85 %"
            ),
            Self::PriorMatters { difference, noise } => {
                f.write_str(&prior_matters(*difference, *noise))
            }
            Self::SummarySd { labels } => f.write_str(&summary_sd(labels)),
            Self::CloseCall { what, probability, threshold } => write!(
                f,
                "a close call: {what} is {:.1} %, next to the threshold of {:.1} %",
                100.0 * probability,
                100.0 * threshold
            ),
            Self::NoRelativeChange { label } => write!(
                f,
                "the mean of `{label}` may be zero, so no change is given in per cent"
            ),
            Self::NotReliable { reasons } => {
                write!(f, "sampling is not reliable: {}", reasons.join(", "))
            }
        }
    }
}

fn prior_matters(difference: bool, noise: Option<(usize, &str)>) -> String {
    let noise = noise.map(|(count, unit)| {
        let s = if count == 1 { "" } else { "s" };
        format!("with {count} {unit}{s} the noise level is mostly prior")
    });
    let difference =
        difference.then(|| "the prior moves the difference of the means".to_owned());
    let parts: Vec<String> = noise.into_iter().chain(difference).collect();
    parts.join(", and ")
}

fn summary_sd(labels: &[String]) -> String {
    let labels: Vec<String> = labels.iter().map(|label| format!("`{label}`")).collect();
    format!(
        "the SD of {} is taken as that of single runs; published figures often mean the \
         error of the mean, which is smaller",
        labels.join(" and ")
    )
}
