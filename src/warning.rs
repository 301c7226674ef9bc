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
    /// The SDs of the variants differ by more than a model with tied SDs expects.
    NoiseDiffers {
        /// The larger SD over the smaller.
        ratio: f64,
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
            Self::NoiseDiffers { .. } => "noise_differs",
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
            Self::NoiseDiffers { .. } => "try `--model independent`".into(),
            Self::SummarySd { .. } => {
                "if it is the standard error of the mean, write `se=` in place of `sd=`"
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
            Self::NoiseDiffers { ratio } => write!(
                f,
                "one variant is {ratio:.1} times as noisy as the other: under tied noise \
                 levels the interval may cover only 85 %"
            ),
            Self::SummarySd { labels } => {
                let labels: Vec<String> =
                    labels.iter().map(|label| format!("`{label}`")).collect();
                write!(
                    f,
                    "the SD of {} is taken as that of single runs; published figures often \
                     mean the error of the mean, which is smaller",
                    labels.join(" and ")
                )
            }
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
