//! The exact posterior of the difference under the reference prior.

use crate::data::Moments;
use crate::numerics::student_t::StudentT;
use crate::numerics::{newton, trapezoid};

/// Nodes end where the density of the mixing variable is e⁻³⁶ = 2e-16 of its highest.
const DEPTH: f64 = 36.0;

/// The Behrens–Fisher distribution: the posterior of candidate mean − baseline mean under
/// flat priors on the means and 1/sd on the standard deviations.
///
/// Each mean is ȳ + s/√n · t with n − 1 degrees of freedom, independently: Box & Tiao
/// (1973), Bayesian Inference in Statistical Analysis, section 2.5. Their difference is a
/// mixture of Student's t with n₁ + n₂ − 2 degrees of freedom over a beta variable: Ruben
/// (1960), Journal of the Royal Statistical Society B 22, 188–194.
#[derive(Debug, Clone, PartialEq)]
pub struct BehrensFisher {
    /// The observed difference, about which the distribution is symmetric.
    centre: f64,
    student: StudentT,
    /// The first is the mixture's middle.
    parts: Vec<Part>,
}

/// One Student's t of the mixture.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Part {
    scale: f64,
    weight: f64,
}

impl BehrensFisher {
    /// From both variants. A constant side is a point: the other's t alone is left.
    ///
    /// `None` where a side has one run only, both are constant, or the squares overflow.
    pub fn new(baseline: &Moments, candidate: &Moments) -> Option<Self> {
        if baseline.n < 2 || candidate.n < 2 {
            return None;
        }
        let centre = candidate.mean - baseline.mean;
        let sides = [Side::of(baseline), Side::of(candidate)];
        if !sides.iter().all(|side| side.spread.is_finite()) {
            return None;
        }
        let alone = |side: Side| Self {
            centre,
            student: StudentT::new(side.df),
            parts: vec![Part { scale: (side.spread / side.df).sqrt(), weight: 1.0 }],
        };
        match sides.map(|side| side.spread > 0.0) {
            [false, false] => None,
            [true, false] => Some(alone(sides[0])),
            [false, true] => Some(alone(sides[1])),
            [true, true] => Some(Self {
                centre,
                student: StudentT::new(sides[0].df + sides[1].df),
                parts: mixture(sides),
            }),
        }
    }

    /// P(difference < x), with x in the unit of the runs.
    pub fn cdf(&self, x: f64) -> f64 {
        self.upper(self.centre - x)
    }

    /// P(difference > 0).
    pub fn p_greater(&self) -> f64 {
        self.upper(-self.centre)
    }

    /// The value below which the difference lies with probability `p`, in the unit of the
    /// runs; for p above 0 and below 1.
    pub fn quantile(&self, p: f64) -> f64 {
        if p < 0.5 {
            self.centre - self.upper_quantile(p)
        } else {
            self.centre + self.upper_quantile(1.0 - p)
        }
    }

    /// The 95 % equal-tailed credible interval, in the unit of the runs.
    pub fn eti(&self) -> [f64; 2] {
        let reach = self.upper_quantile(0.025);
        [self.centre - reach, self.centre + reach]
    }

    /// P(difference > centre + `away`).
    fn upper(&self, away: f64) -> f64 {
        let part = |part: &Part| part.weight * self.student.upper(away / part.scale);
        self.parts.iter().map(part).sum()
    }

    /// The density at centre + `away`.
    fn density(&self, away: f64) -> f64 {
        let density = |part: &Part| self.student.density(away / part.scale);
        self.parts.iter().map(|part| part.weight / part.scale * density(part)).sum()
    }

    /// How far above the centre the tail of probability `p` ≤ ½ begins: Newton's method on
    /// the logarithms of both, as the tails are those of a power.
    fn upper_quantile(&self, p: f64) -> f64 {
        if p >= 0.5 {
            return 0.0;
        }
        let narrow = self.student.upper_quantile(p);
        // That of the mixture lies between those of its narrowest and its widest part.
        let scales = || self.parts.iter().map(|part| part.scale);
        let low = (narrow * scales().fold(f64::INFINITY, f64::min)).ln();
        let high = (narrow * scales().fold(0.0, f64::max)).ln();
        let f = |log: f64| {
            let away = log.exp();
            let upper = self.upper(away);
            ((p / upper).ln(), away * self.density(away) / upper)
        };
        newton::increasing_root(f, [low, high], (narrow * self.parts[0].scale).ln())
            .exp()
    }
}

/// What the posterior needs of one variant.
#[derive(Debug, Clone, Copy)]
struct Side {
    df: f64,
    /// df · s²/n: over χ² with `df` degrees of freedom, the posterior of σ²/n.
    spread: f64,
}

impl Side {
    fn of(moments: &Moments) -> Self {
        let spread = moments.sum_of_squares / moments.n as f64;
        Self { df: (moments.n - 1) as f64, spread }
    }
}

/// The scales and weights of the mixture.
///
/// The two χ² are a sum and the share U of the first in it, U ~ Beta(df₁/2, df₂/2),
/// independent. Given U the difference is a t of df₁ + df₂ with the squared scale
/// (spread₁/U + spread₂/(1 − U))/(df₁ + df₂). In v, the log odds of U less their mode, the
/// integrand is analytic for imaginary parts below π, and its ends fall exponentially:
/// the trapezoidal rule gives all digits.
fn mixture([first, second]: [Side; 2]) -> Vec<Part> {
    let df = first.df + second.df;
    let (share, rest) = (first.df / df, second.df / df);
    // ln of U over that at the mode is −ln(share + rest e⁻ᵛ); of 1 − U, −ln(rest + share eᵛ).
    let log_density = |v: f64| {
        let of_first = (share + rest * (-v).exp()).ln();
        let of_second = (rest + share * v.exp()).ln();
        -0.5 * (first.df * of_first + second.df * of_second)
    };
    // Half the SD of the log odds where both df are large.
    let sd = (2.0 / first.df + 2.0 / second.df).sqrt();
    let nodes = trapezoid::rule(log_density, (0.45 * sd).min(0.25), DEPTH);
    let odds = first.df / second.df;
    let part = |node: &trapezoid::Node| {
        let odds = odds * node.at.exp();
        let spread = first.spread * (1.0 + 1.0 / odds) + second.spread * (1.0 + odds);
        Part { scale: (spread / df).sqrt(), weight: node.weight }
    };
    nodes.iter().map(part).collect()
}
