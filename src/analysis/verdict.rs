//! From probabilities to a verdict: the first rule that holds.

/// What the comparison says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Slower by more than the margin.
    Slower,
    /// Faster by more than the margin.
    Faster,
    /// Within the margin.
    Same,
    /// Slower; whether by more than the margin is open.
    SlowerSizeUnclear,
    /// Faster; whether by more than the margin is open.
    FasterSizeUnclear,
    /// Not slower by more than the margin.
    NotSlower,
    /// Not faster by more than the margin.
    NotFaster,
    /// Nothing of these is shown.
    Undecided,
}

impl Verdict {
    /// The stable name, as in the JSON output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::Same => "same",
            Self::SlowerSizeUnclear => "slower, size unclear",
            Self::FasterSizeUnclear => "faster, size unclear",
            Self::NotSlower => "not slower",
            Self::NotFaster => "not faster",
            Self::Undecided => "undecided",
        }
    }

    /// All of them, in the order of the rules.
    pub const ALL: [Self; 8] = [
        Self::Slower,
        Self::Faster,
        Self::Same,
        Self::SlowerSizeUnclear,
        Self::FasterSizeUnclear,
        Self::NotSlower,
        Self::NotFaster,
        Self::Undecided,
    ];
}

/// The probabilities that decide; those by the margin are unknown where the margin is
/// a share of a mean that may be zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Chances {
    /// P(slower).
    pub slower: f64,
    /// P(faster).
    pub faster: f64,
    /// P(slower by more than the margin), P(within it), P(faster by more than it).
    pub by_margin: Option<[f64; 3]>,
}

/// One comparison of a probability with a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Step {
    /// Which probability.
    pub what: &'static str,
    /// Its value.
    pub probability: f64,
    /// What it was compared with.
    pub threshold: f64,
}

/// The first rule that holds, and every comparison made on the way to it.
///
/// A probability reaches the threshold at equality.
pub(super) fn decide(chances: &Chances, confidence: f64) -> (Verdict, Vec<Step>) {
    let mut steps = Vec::new();
    let mut reaches = |what, probability: f64| {
        steps.push(Step { what, probability, threshold: confidence });
        probability >= confidence
    };
    if let Some([slower, within, faster]) = chances.by_margin {
        if reaches(SLOWER_BY_MARGIN, slower) {
            return (Verdict::Slower, steps);
        }
        if reaches(FASTER_BY_MARGIN, faster) {
            return (Verdict::Faster, steps);
        }
        if reaches("P(within the margin)", within) {
            return (Verdict::Same, steps);
        }
    }
    if reaches("P(slower)", chances.slower) {
        return (Verdict::SlowerSizeUnclear, steps);
    }
    if reaches("P(faster)", chances.faster) {
        return (Verdict::FasterSizeUnclear, steps);
    }
    let mut rules_out = |what, probability: f64| {
        steps.push(Step { what, probability, threshold: 1.0 - confidence });
        probability <= 1.0 - confidence
    };
    if let Some([slower, _, faster]) = chances.by_margin {
        if rules_out(SLOWER_BY_MARGIN, slower) {
            return (Verdict::NotSlower, steps);
        }
        if rules_out(FASTER_BY_MARGIN, faster) {
            return (Verdict::NotFaster, steps);
        }
    }
    (Verdict::Undecided, steps)
}

const SLOWER_BY_MARGIN: &str = "P(slower by more than the margin)";
const FASTER_BY_MARGIN: &str = "P(faster by more than the margin)";

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(slower: f64, by_margin: Option<[f64; 3]>) -> Verdict {
        decide(&Chances { slower, faster: 1.0 - slower, by_margin }, 0.95).0
    }

    #[test]
    fn the_first_rule_that_holds_decides() {
        // Each row: P(slower), then by more than the margin, within, faster by more.
        for (slower, by_margin, expected) in [
            (0.99, [0.96, 0.04, 0.0], Verdict::Slower),
            (0.01, [0.0, 0.04, 0.96], Verdict::Faster),
            (0.60, [0.02, 0.96, 0.02], Verdict::Same),
            (0.97, [0.03, 0.97, 0.0], Verdict::Same),
            (0.989, [0.457, 0.543, 0.0], Verdict::SlowerSizeUnclear), // Linux throughput
            (0.02, [0.01, 0.5, 0.49], Verdict::FasterSizeUnclear),
            (0.331, [0.045, 0.825, 0.13], Verdict::NotSlower), // NetBSD (a)
            (0.176, [0.013, 0.885, 0.103], Verdict::NotSlower), // NetBSD (b)
            (0.80, [0.30, 0.67, 0.03], Verdict::NotFaster),
            (0.50, [0.20, 0.60, 0.20], Verdict::Undecided),
        ] {
            assert_eq!(verdict(slower, Some(by_margin)), expected, "{by_margin:?}");
        }
    }

    #[test]
    fn without_a_margin_the_verdict_rests_on_the_sign() {
        assert_eq!(verdict(0.97, None), Verdict::SlowerSizeUnclear);
        assert_eq!(verdict(0.03, None), Verdict::FasterSizeUnclear);
        assert_eq!(verdict(0.50, None), Verdict::Undecided);
    }

    #[test]
    fn the_threshold_itself_is_enough() {
        assert_eq!(verdict(0.95, Some([0.95, 0.05, 0.0])), Verdict::Slower);
    }
}
