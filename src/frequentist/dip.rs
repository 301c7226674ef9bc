//! How far values are from having one mode: Hartigan & Hartigan (1985), *The dip test of
//! unimodality*, Annals of Statistics 13(1).

/// The largest distance of the distribution function of some values, the smallest first,
/// from the nearest one with a single mode, by the steps of section 4 of the paper; 0 of no
/// values.
///
/// Tied values are spread evenly over the step to which they are rounded, their
/// `resolution`, since a tie is no mode; of 0, they stay where they are.
pub fn dip(ascending: &[f64], resolution: f64) -> f64 {
    debug_assert!(ascending.is_sorted());
    let n = ascending.len();
    if n == 0 {
        return 0.0;
    }
    let steps = Steps::of(ascending, resolution);
    let (mut low, mut high) = (0, steps.at.len() - 1);
    let mut largest: f64 = 1.0;
    loop {
        let convex = Hull::of(&steps, low, high, Side::Below);
        let concave = Hull::of(&steps, low, high, Side::Above);
        let (apart, [left, right]) = widest(&convex, &concave);
        if apart <= largest {
            break;
        }
        let below = (low..=left).map(|i| steps.below(i) + 1.0 - convex.at(i));
        let above = (right..=high).map(|i| concave.at(i) - steps.below(i));
        largest = below.chain(above).fold(largest, f64::max);
        if (left, right) == (low, high) {
            break;
        }
        (low, high) = (left, right);
    }
    largest / (2.0 * n as f64)
}

/// The dip that five in a thousand uniform samples of this size exceed; `None` below 10.
pub fn critical_dip(n: usize) -> Option<f64> {
    // Quantiles of 1,000,001 simulated samples each, as the Python package diptest
    // 0.12.0 tabulates them (Maechler's R package, `qDiptab`).
    const TABLE: [(f64, f64); 12] = [
        (10.0, 0.167_195),
        (15.0, 0.142_452),
        (20.0, 0.126_552),
        (30.0, 0.106_505),
        (50.0, 0.085_285),
        (100.0, 0.062_043),
        (200.0, 0.044_959),
        (500.0, 0.028_899),
        (1000.0, 0.020_649),
        (2000.0, 0.014_689),
        (5000.0, 0.009_342),
        (10_000.0, 0.006_61),
    ];
    let size = n as f64;
    if size < TABLE[0].0 {
        return None;
    }
    // The dip shrinks with the root of the size.
    let scaled = |(size, dip): (f64, f64)| size.sqrt() * dip;
    let above = TABLE.iter().position(|row| row.0 >= size);
    let value = match above {
        None => scaled(TABLE[TABLE.len() - 1]),
        Some(0) => scaled(TABLE[0]),
        Some(at) => {
            let (lower, upper) = (TABLE[at - 1], TABLE[at]);
            let share = (size - lower.0) / (upper.0 - lower.0);
            scaled(lower) + share * (scaled(upper) - scaled(lower))
        }
    };
    Some(value / size.sqrt())
}

/// The corners of a distribution function in counts: where values lie on a line, only the
/// ends of it.
struct Steps {
    /// In ascending order.
    at: Vec<f64>,
    /// How many values lie before each.
    before: Vec<usize>,
}

impl Steps {
    fn of(ascending: &[f64], resolution: f64) -> Self {
        let mut steps = Self { at: Vec::new(), before: Vec::new() };
        let mut before = 0;
        for tied in ascending.chunk_by(|a, b| a == b) {
            let count = tied.len();
            let half = resolution / 2.0 * (1.0 - 1.0 / count as f64);
            steps.push(tied[0] - half, before);
            if count > 1 {
                steps.push(tied[0] + half, before + count - 1);
            }
            before += count;
        }
        steps
    }

    /// Neighbours that are closer than the resolution stay in order.
    fn push(&mut self, at: f64, before: usize) {
        let last = self.at.last().copied().unwrap_or(at);
        self.at.push(at.max(last));
        self.before.push(before);
    }

    fn below(&self, i: usize) -> f64 {
        self.before[i] as f64
    }
}

/// Which side of the distribution function a hull touches.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    /// The greatest convex function below it.
    Below,
    /// The least concave function above it.
    Above,
}

/// A piecewise linear function, by its knots among the corners.
struct Hull<'a> {
    steps: &'a Steps,
    knots: Vec<usize>,
    side: Side,
}

impl<'a> Hull<'a> {
    fn of(steps: &'a Steps, low: usize, high: usize, side: Side) -> Self {
        let mut hull = Self { steps, knots: Vec::new(), side };
        for i in low..=high {
            while let [.., a, b] = hull.knots[..]
                && hull.bends_wrongly(a, b, i)
            {
                hull.knots.pop();
            }
            hull.knots.push(i);
        }
        hull
    }

    /// The distribution function at a value, in counts: before its step or after it.
    fn count(&self, i: usize) -> f64 {
        match self.side {
            Side::Below => self.steps.below(i),
            Side::Above => self.steps.below(i) + 1.0,
        }
    }

    /// Whether the middle one of three knots is no corner to the right side.
    fn bends_wrongly(&self, a: usize, b: usize, c: usize) -> bool {
        let rise = |from: usize, to: usize| self.count(to) - self.count(from);
        let at = &self.steps.at;
        let run = |from: usize, to: usize| at[to] - at[from];
        let turn = rise(a, b) * run(b, c) - rise(b, c) * run(a, b);
        match self.side {
            Side::Below => turn >= 0.0,
            Side::Above => turn <= 0.0,
        }
    }

    fn at(&self, i: usize) -> f64 {
        let at = &self.steps.at;
        let above = self.knots.partition_point(|knot| *knot < i);
        let right = self.knots[above.min(self.knots.len() - 1)];
        if right <= i || above == 0 {
            return self.count(right);
        }
        let left = self.knots[above - 1];
        let run = at[right] - at[left];
        if run == 0.0 {
            return self.count(right);
        }
        let share = (at[i] - at[left]) / run;
        self.count(left) + share * (self.count(right) - self.count(left))
    }
}

/// Where the two hulls are farthest apart, and by how much: the modal interval.
fn widest(convex: &Hull<'_>, concave: &Hull<'_>) -> (f64, [usize; 2]) {
    let apart = |i: usize| concave.at(i) - convex.at(i);
    let farthest = |knots: &[usize]| {
        let distances = knots.iter().map(|knot| (apart(*knot), *knot));
        distances
            .fold((0.0, knots[0]), |best, one| if one.0 > best.0 { one } else { best })
    };
    let (at_convex, at_concave) = (farthest(&convex.knots), farthest(&concave.knots));
    if at_convex.0 > at_concave.0 {
        let next = concave.knots.iter().find(|knot| **knot >= at_convex.1);
        (at_convex.0, [at_convex.1, *next.unwrap_or(&at_convex.1)])
    } else {
        let last = convex.knots.iter().rev().find(|knot| **knot <= at_concave.1);
        (at_concave.0, [*last.unwrap_or(&at_concave.1), at_concave.1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The golden-ratio sequence, bent: the same values were given to diptest.
    fn values(n: usize, bend: &dyn Fn(f64) -> f64) -> Vec<f64> {
        (1..=n).map(|i| bend((i as f64 * 0.618_033_988_749_894_9) % 1.0)).collect()
    }

    fn sorted(mut values: Vec<f64>) -> Vec<f64> {
        values.sort_unstable_by(f64::total_cmp);
        values
    }

    #[test]
    fn dips_are_those_of_diptest() {
        let steps = |u: f64| f64::from(u8::from(u > 0.4) + u8::from(u > 0.8)) / 2.0;
        let bends: [&dyn Fn(f64) -> f64; 6] = [
            &|u| u,
            &|u| u.powi(3),
            &|u| u + if u > 0.5 { 2.0 } else { 0.0 },
            &|u| (1.0 - u).ln() - u.ln(),
            &|u| (7.0 * u).floor(),
            &|u| u.powi(2) + steps(u),
        ];
        // Python package diptest 0.12.0, `dipstat`.
        let expected = [
            (
                12,
                [
                    0.053_824_836_145_860,
                    0.047_812_306_312_138,
                    0.211_372_875_703_132,
                    0.050_903_555_339_800,
                    0.083_333_333_333_333,
                    0.137_483_271_334_469,
                ],
            ),
            (
                50,
                [
                    0.020_882_505_650_240,
                    0.014_753_793_201_118,
                    0.202_661_851_986_391,
                    0.016_826_590_576_312,
                    0.080_000_000_000_000,
                    0.105_428_530_708_948,
                ],
            ),
            (
                301,
                [
                    0.004_116_568_313_555,
                    0.003_145_228_393_553,
                    0.199_960_578_927_256,
                    0.003_593_701_700_047,
                    0.073_089_700_996_678,
                    0.103_082_420_716_223,
                ],
            ),
        ];
        for (n, dips) in expected {
            for (case, (bend, expected)) in bends.into_iter().zip(dips).enumerate() {
                let ours = dip(&sorted(values(n, bend)), 0.0);
                assert!(
                    (ours - expected).abs() < 1e-12,
                    "{n}, {case}: {ours} {expected}"
                );
            }
        }
    }

    /// Ties that are spread are as if each value had been given where it is spread to.
    #[test]
    fn ties_are_spread_over_their_step() {
        let rounded = |u: f64| (40.0 * (u + u.powi(3))).round();
        let values = sorted(values(400, &rounded));
        let spread = values.chunk_by(|a, b| a == b).flat_map(|tied| {
            let count = tied.len() as f64;
            (0..tied.len()).map(move |i| tied[0] + (i as f64 + 0.5) / count - 0.5)
        });
        let spread: Vec<f64> = spread.collect();
        let (ours, expected) = (dip(&values, 1.0), dip(&spread, 0.0));
        assert!((ours - expected).abs() < 1e-12, "{ours} {expected}");
        assert!(dip(&values, 0.0) > 1.5 * ours, "{ours}");
    }

    #[test]
    fn critical_values_lie_between_those_of_the_table() {
        assert_eq!(critical_dip(9), None);
        assert!((critical_dip(50).unwrap() - 0.085_285).abs() < 1e-12);
        let between = critical_dip(75).unwrap();
        assert!(
            between < critical_dip(50).unwrap() && between > critical_dip(100).unwrap()
        );
        assert!((critical_dip(40_000).unwrap() - 0.006_61 / 2.0).abs() < 1e-12);
    }
}
