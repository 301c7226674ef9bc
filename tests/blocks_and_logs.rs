//! Comparisons of runs in blocks and of runs with a long tail, against exact answers.

use patchodds::analysis::{Comparison, TestUnit, Verdict, analyse};
use patchodds::data::{Dataset, Direction, Measurements, Sample};
use patchodds::draws::{diagnostics, quantile};
use patchodds::warning::Warning;
use serde_json::Value;

use crate::comparisons::{assert_near, dataset, draws, only, runs, settings};

fn reference() -> Value {
    let text = include_str!("data/reference/blocks_and_logs.json");
    serde_json::from_str(text).expect("JSON")
}

fn values(of: &Value) -> Vec<f64> {
    let list = of.as_array().expect("a list");
    list.iter().map(|value| value.as_f64().expect("a number")).collect()
}

fn pair(baseline: Measurements, candidate: Measurements) -> Dataset {
    let variants = vec![("old", baseline), ("new", candidate)];
    dataset(Direction::LowerIsBetter, None, variants)
}

fn compare(dataset: &Dataset, model: &str) -> Comparison {
    only(analyse(dataset, &settings(model)).expect("an analysis"))
}

fn assert_quantiles(comparison: &Comparison, name: &str, exact: &Value) {
    let of = draws(comparison, name);
    let mut sorted: Vec<f64> = of.iter().copied().collect();
    sorted.sort_unstable_by(f64::total_cmp);
    for (key, exact) in exact.as_object().expect("quantiles") {
        let p: f64 = key.parse().expect("a probability");
        let mcse = diagnostics::mcse_quantile(of, p).expect("draws vary");
        let exact = exact.as_f64().expect("a number");
        assert_near(quantile(&sorted, p), exact, mcse, &format!("{name} {key}"));
    }
}

#[test]
fn the_posterior_of_paired_agrees_with_exact_quadrature() {
    let reference = reference();
    let exact = &reference["paired"];
    let data = pair(runs(&values(&reference["old"])), runs(&values(&reference["new"])));
    let ours = compare(&data, "paired");
    let difference = ours.posterior("difference").expect("always there");
    let number = |name: &str| exact[name].as_f64().expect("a number");
    let mcse = difference.mcse_mean.expect("an error");
    assert_near(difference.mean.expect("a mean"), number("mean"), mcse, "mean");
    let slower = ours.probability.slower;
    assert_near(slower.value, number("p_greater"), slower.mcse, "P(slower)");
    // Rounding hides no mean here: the SD of a run is far above the resolution.
    assert_quantiles(&ours, "difference", &exact["quantiles"]);
    assert!(ours.posterior("sd_ratio").is_none());
}

#[test]
fn the_posterior_of_lognormal_agrees_with_exact_quadrature() {
    let reference = reference();
    let exact = &reference["lognormal"];
    let skewed = &reference["skewed"];
    let data = pair(runs(&values(&skewed[0])), runs(&values(&skewed[1])));
    let ours = compare(&data, "lognormal");
    let slower = ours.probability.slower;
    let p = exact["p_greater"].as_f64().expect("a number");
    assert_near(slower.value, p, slower.mcse, "P(slower)");
    assert_quantiles(&ours, "ratio", &exact["ratio"]);
    assert_quantiles(&ours, "ratio_of_medians", &exact["ratio_of_medians"]);
    // Moments of arithmetic means are of no use, and are not given.
    let difference = ours.posterior("difference").expect("always there");
    assert_eq!([difference.mean, difference.sd, difference.mcse_mean], [None; 3]);
    assert!(difference.median.is_some() && difference.eti.is_some());
    assert_eq!(ours.loss.take, None);
}

#[test]
fn a_lognormal_verdict_is_the_same_in_any_unit() {
    let reference = reference();
    let skewed = &reference["skewed"];
    let at = |factor: f64| {
        let scaled = |side: &Value| {
            let runs = values(side).iter().map(|run| run * factor).collect();
            let sample = Sample::new(runs).expect("finite runs");
            Measurements::Runs(sample.with_resolution(0.1 * factor))
        };
        compare(&pair(scaled(&skewed[0]), scaled(&skewed[1])), "lognormal")
    };
    let (seconds, nanoseconds) = (at(1.0), at(1e9));
    let (here, there) = (seconds.probability.slower, nanoseconds.probability.slower);
    assert_near(here.value, there.value, here.mcse.hypot(there.mcse), "P(slower)");
}

#[test]
fn what_both_runs_of_a_block_share_cancels() {
    // Blocks differ by several units, the variants by 0.3 in each.
    let reference = reference();
    let [old, new] =
        [&reference["old"], &reference["new"]].map(|side| runs(&values(side)));
    let data = pair(old, new);
    let paired = compare(&data, "paired");
    let apart = compare(&data, "normal");
    assert_eq!(paired.verdict, Verdict::Slower);
    assert_eq!(apart.verdict, Verdict::Undecided);
    assert_eq!(paired.tests.unit, TestUnit::Block);
    // R: t.test(new, old, paired = TRUE): differences 0.3 0.2 0.4 0.2 0.4 have mean 0.3
    // and SD 0.1, so t = 0.3/(0.1/√5) = 6.708 with 4 degrees of freedom.
    let test = paired.tests.paired.expect("differences vary");
    assert!((test.t - 0.3 / (0.1 / 5_f64.sqrt())).abs() < 1e-9);
    assert_eq!(test.df, 4.0);
    // All five differences are above 0, two pairs of them tied.
    assert_eq!(paired.tests.signed_rank.expect("not all are zero").v, 15.0);
    assert_eq!(paired.tests.welch, None);
}

#[test]
fn two_identical_columns_in_blocks_are_the_same() {
    // B37 of the field's reports: zero variance of the differences breaks other tools.
    let column = [10.1, 12.3, 9.2, 11.0, 10.7, 10.9, 11.3, 9.9];
    let ours = compare(&pair(runs(&column), runs(&column)), "paired");
    assert_eq!(ours.verdict, Verdict::Same);
    assert_eq!(ours.tests.paired, None);
    assert_eq!(ours.tests.signed_rank, None);
}

#[test]
fn a_failed_run_drops_its_whole_block() {
    let blocks = |runs: &[f64], blocks: &[u64]| {
        let sample = Sample::new(runs.to_vec()).expect("finite runs");
        Measurements::Runs(sample.with_blocks(blocks.to_vec()))
    };
    let old = blocks(&[10.1, 12.3, 9.2, 11.0], &[1, 2, 3, 4]);
    let new = blocks(&[10.4, 9.6, 11.2], &[1, 3, 4]);
    let ours = compare(&pair(old, new), "paired");
    assert_eq!([ours.baseline.n, ours.candidate.n], [3, 3]);
    assert!(ours.warnings.contains(&Warning::BlocksDropped { runs: 1 }));
}

#[test]
fn unequal_numbers_without_blocks_are_refused_under_paired() {
    let data = pair(runs(&[1.0, 1.2, 1.1]), runs(&[1.3, 1.2]));
    let error = analyse(&data, &settings("paired")).expect_err("no pairs");
    assert!(error.to_string().contains("3 runs"), "{error}");
}

#[test]
fn a_run_that_is_not_above_zero_has_no_logarithm() {
    let data = pair(runs(&[1.0, 1.2, 0.0]), runs(&[1.3, 1.2, 1.4]));
    let error = analyse(&data, &settings("lognormal")).expect_err("no logarithm");
    assert!(error.to_string().contains("old.txt: run 3 of `old` is 0"), "{error}");
}
