//! What the draws say of a pair: means, SDs, differences, chances, losses.

use ndarray::{Array2, Zip};
use rand::RngExt as _;

use super::fit::Fit;
use crate::data::Direction;
use crate::draws::{INTERVAL, Probability, Summary, diagnostics, quantile};
use crate::sampler::{AFTER_SAMPLING, stream};

/// One value a draw, chain × iteration.
pub type PerDraw = Array2<f64>;

/// Quantities of the pair, one value a draw, in the unit of the runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantities {
    /// Mean of a run: baseline, candidate.
    pub mean: [PerDraw; 2],
    /// SD of a run: baseline, candidate.
    pub sd: [PerDraw; 2],
    /// Candidate mean − baseline mean.
    pub difference: PerDraw,
    /// Sample means of a repeated experiment, candidate − baseline.
    pub repeated_difference: PerDraw,
    /// Next run of the candidate − next run of the baseline.
    pub next_run_difference: PerDraw,
    /// The model's own parameters, named, in the unit that its priors speak.
    pub parameters: Vec<(String, Option<usize>, PerDraw)>,
    /// Median of a candidate run over that of a baseline run, where the model tells
    /// medians from means.
    pub ratio_of_medians: Option<PerDraw>,
    /// SD of the difference of one run of each, where they are measured in blocks.
    pub block_sd: Option<PerDraw>,
    /// Whether the model gives both variants one SD.
    pub same_sd: bool,
}

/// The share of the baseline mean's posterior that must leave 0 out before a change is
/// given relative to it.
const SURELY: f64 = 0.999;

impl Quantities {
    /// Reads them off the draws. `blurred` is, for each variant, the width within which
    /// rounding hides its mean, or 0.
    pub(super) fn of(fit: &Fit, n: [usize; 2], blurred: [f64; 2], seed: u64) -> Self {
        let shape = fit.shape();
        let zeros = || Array2::zeros(shape);
        let mut all = Self {
            mean: [zeros(), zeros()],
            sd: [zeros(), zeros()],
            difference: zeros(),
            repeated_difference: zeros(),
            next_run_difference: zeros(),
            parameters: fit
                .posterior
                .unknowns()
                .iter()
                .map(|unknown| (unknown.name.clone(), unknown.variant, zeros()))
                .collect(),
            ratio_of_medians: None,
            block_sd: None,
            same_sd: false,
        };
        let standard = fit.posterior.standard();
        let mut rng = stream(seed, AFTER_SAMPLING);
        fit.for_each_draw(|at, parameters| {
            let moments = fit.posterior.moments(parameters);
            let repeat = fit.posterior.repeat(parameters, n, &mut rng);
            let blur = blurred.map(|width| width * (rng.random::<f64>() - 0.5));
            // Differences are taken before the centre is added: of 1e9 plus small, the
            // small part keeps its digits.
            let apart = |[baseline, candidate]: [f64; 2]| {
                standard.scale * (candidate - baseline) + blur[1] - blur[0]
            };
            all.difference[at] = apart(moments.map(|moments| moments.mean));
            all.repeated_difference[at] = apart(repeat.means);
            all.next_run_difference[at] = apart(repeat.runs);
            for v in 0..2 {
                all.mean[v][at] =
                    standard.centre + standard.scale * moments[v].mean + blur[v];
                all.sd[v][at] = standard.scale * moments[v].sd;
            }
            if let Some(ratio) = fit.posterior.ratio_of_medians(parameters) {
                all.ratio_of_medians.get_or_insert_with(zeros)[at] = ratio;
            }
            if let Some(sd) = fit.posterior.sd_of_difference(parameters) {
                all.block_sd.get_or_insert_with(zeros)[at] = standard.scale * sd;
                all.same_sd = true;
            }
            let in_unit = fit.posterior.in_unit(parameters);
            for ((_, _, values), value) in all.parameters.iter_mut().zip(in_unit) {
                values[at] = value;
            }
        });
        all
    }

    /// Whether the baseline mean surely is not 0.
    pub fn has_relative(&self) -> bool {
        let mut sorted: Vec<f64> = self.mean[0].iter().copied().collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let tail = (1.0 - SURELY) / 2.0;
        let (low, high) = (quantile(&sorted, tail), quantile(&sorted, 1.0 - tail));
        low > 0.0 || high < 0.0
    }

    /// Difference over the baseline mean.
    pub fn relative_change(&self) -> PerDraw {
        over(&self.difference, &self.mean[0])
    }

    /// Candidate mean over the baseline mean.
    pub fn ratio(&self) -> PerDraw {
        over(&self.mean[1], &self.mean[0])
    }

    /// Difference over √((`sd_b²` + `sd_c²)/2`).
    pub fn effect_size(&self) -> PerDraw {
        Zip::from(&self.difference).and(&self.sd[0]).and(&self.sd[1]).map_collect(
            |difference, b, c| difference / f64::midpoint(b * b, c * c).sqrt(),
        )
    }

    /// Candidate SD over the baseline SD.
    pub fn sd_ratio(&self) -> PerDraw {
        over(&self.sd[1], &self.sd[0])
    }

    /// How much slower the candidate is, in the unit of the runs.
    pub fn slowdown(&self, direction: Direction) -> PerDraw {
        &self.difference * direction.slowdown_sign()
    }
}

fn over(numerator: &PerDraw, denominator: &PerDraw) -> PerDraw {
    numerator / denominator
}

/// Which moments of a quantity exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Existence {
    /// Mean and variance.
    All,
    /// The mean, but no variance.
    MeanOnly,
    /// Neither.
    None,
}

impl Existence {
    /// The summary of some draws, without the moments that do not exist.
    pub(super) fn summary(self, values: &PerDraw) -> Summary {
        let all = Summary::of(values, INTERVAL);
        match self {
            Self::All => all,
            Self::MeanOnly => all.without_sd(),
            Self::None => all.without_moments(),
        }
    }
}

/// Which moments of a quantity exist, after n runs of each side under improper priors.
///
/// There the mean of a variant is Student-t with n − 1 degrees of freedom (Box & Tiao
/// 1973, section 2.5), which has a mean above 1 of them and a variance above 2.
pub(super) fn existence(proper: bool, n: usize) -> Existence {
    match n {
        _ if proper => Existence::All,
        0..=2 => Existence::None,
        3 => Existence::MeanOnly,
        _ => Existence::All,
    }
}

/// The probabilities of design and report, each with its MCSE.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Probabilities {
    /// P(slower).
    pub slower: Probability,
    /// P(faster).
    pub faster: Probability,
    /// By more than the margin; unknown where the margin is a share of a mean that may
    /// be zero.
    pub by_margin: Option<ByMargin>,
    /// P(the next candidate run is slower than the next baseline run).
    pub next_run_slower: Probability,
}

/// Probabilities that compare the difference with the margin; they sum to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ByMargin {
    /// P(slower by more than the margin).
    pub slower: Probability,
    /// P(within ± the margin).
    pub within: Probability,
    /// P(faster by more than the margin).
    pub faster: Probability,
}

impl Probabilities {
    /// From the draws; `margin` is one value a draw, in the unit of the runs.
    ///
    /// # Panics
    /// Where there are no draws, which the settings do not allow.
    pub fn of(
        quantities: &Quantities,
        direction: Direction,
        margin: Option<&PerDraw>,
    ) -> Self {
        let slowdown = quantities.slowdown(direction);
        let next = &quantities.next_run_difference * direction.slowdown_sign();
        let ess = diagnostics::ess_bulk(&slowdown);
        let share = |flags: &Array2<bool>| {
            Probability::of(flags, ess).expect("settings ask for some draws")
        };
        let by_margin = margin.map(|margin| {
            let side = |holds: fn(f64, f64) -> bool| {
                let flags = Zip::from(&slowdown)
                    .and(margin)
                    .map_collect(|slowdown, margin| holds(*slowdown, *margin));
                share(&flags)
            };
            ByMargin {
                slower: side(|slowdown, margin| slowdown > margin),
                within: side(|slowdown, margin| slowdown.abs() <= margin),
                faster: side(|slowdown, margin| slowdown < -margin),
            }
        });
        Self {
            slower: share(&slowdown.mapv(|value| value > 0.0)),
            faster: share(&slowdown.mapv(|value| value < 0.0)),
            by_margin,
            next_run_slower: share(&next.mapv(|value| value > 0.0)),
        }
    }
}

/// The expected loss of each decision, in the unit of a run and as a share of the
/// baseline mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loss {
    /// E[max(0, slowdown)]: what taking the patch costs.
    pub take: Option<f64>,
    /// E[max(0, speed-up)]: what refusing it costs.
    pub refuse: Option<f64>,
    /// The first as a share of the baseline mean.
    pub take_relative: Option<f64>,
    /// The second as a share of the baseline mean.
    pub refuse_relative: Option<f64>,
}

impl Loss {
    /// From the draws; `None` where the difference has no mean.
    pub fn of(
        quantities: &Quantities,
        direction: Direction,
        has_mean: bool,
        has_relative: bool,
    ) -> Self {
        let slowdown = quantities.slowdown(direction);
        let relative = over(&slowdown, &quantities.mean[0].mapv(f64::abs));
        let part = |values: &PerDraw, sign: f64, known: bool| {
            known.then(|| values.mapv(|value| (sign * value).max(0.0)).mean()).flatten()
        };
        Self {
            take: part(&slowdown, 1.0, has_mean),
            refuse: part(&slowdown, -1.0, has_mean),
            take_relative: part(&relative, 1.0, has_mean && has_relative),
            refuse_relative: part(&relative, -1.0, has_mean && has_relative),
        }
    }
}

/// What a repeat of the whole experiment would show.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictive {
    /// Runs of the baseline and of the candidate in it.
    pub n: [usize; 2],
    /// Difference of its two sample means.
    pub mean_difference: Summary,
    /// That difference, squared.
    pub squared_distance: Squared,
    /// The difference of the true means, squared.
    pub squared_distance_of_means: Squared,
}

/// A squared distance, which is above 0 even between equal variants.
#[derive(Debug, Clone, PartialEq)]
pub struct Squared {
    /// Its distribution.
    pub summary: Summary,
    /// Its mean if the distance were centred on zero: what noise alone would give.
    pub mean_at_zero_difference: Option<f64>,
}

impl Predictive {
    /// From the draws.
    pub(super) fn of(
        quantities: &Quantities,
        n: [usize; 2],
        exists: Existence,
    ) -> Self {
        let squared = |values: &PerDraw| {
            // The square has a mean only where the distance has a variance.
            let exists = match exists {
                Existence::All => Existence::All,
                Existence::MeanOnly | Existence::None => Existence::None,
            };
            Squared {
                summary: exists.summary(&values.mapv(|value| value * value)),
                mean_at_zero_difference: match exists {
                    Existence::All => Some(values.var(0.0)),
                    Existence::MeanOnly | Existence::None => None,
                },
            }
        };
        Self {
            n,
            mean_difference: exists.summary(&quantities.repeated_difference),
            squared_distance: squared(&quantities.repeated_difference),
            squared_distance_of_means: squared(&quantities.difference),
        }
    }
}
