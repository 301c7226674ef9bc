//! What weakens a comparison is noticed, and what fits is left in peace.

use patchodds::analysis::{Comparison, Settings, Verdict, analyse};
use patchodds::data::{Direction, Measurements, Sample};
use patchodds::report::Palette;
use patchodds::sampler::stream;
use patchodds::warning::Warning;
use rand::rngs::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

use crate::comparisons::{dataset, only, runs, settings};

fn compare(baseline: &[f64], candidate: &[f64], settings: &Settings) -> Comparison {
    let variants = vec![("a", runs(baseline)), ("b", runs(candidate))];
    let data = dataset(Direction::LowerIsBetter, Some("ms"), variants);
    only(analyse(&data, settings).expect("an analysis"))
}

fn kinds(comparison: &Comparison) -> Vec<&'static str> {
    let all = comparison.warnings.iter().map(Warning::kind);
    // One file a variant is one invocation: said always, and no matter of the model.
    all.filter(|kind| *kind != "one_invocation").collect()
}

fn normal(rng: &mut ChaCha8Rng, n: usize) -> Vec<f64> {
    (0..n)
        .map(|_| {
            100.0
                + <StandardNormal as rand_distr::Distribution<f64>>::sample(
                    &StandardNormal,
                    rng,
                )
        })
        .collect()
}

/// The first-order autoregressive series of unit variance around `mean`.
fn autoregressive(rng: &mut ChaCha8Rng, n: usize, mean: f64, rho: f64) -> Vec<f64> {
    let mut state: f64 = StandardNormal.sample(rng);
    (0..n)
        .map(|_| {
            let fresh: f64 = StandardNormal.sample(rng);
            state = rho * state + (1.0 - rho * rho).sqrt() * fresh;
            mean + state
        })
        .collect()
}

#[test]
fn clean_comparisons_of_thirty_runs_seldom_carry_a_warning() {
    let settings = Settings::default();
    let warned = (0..200_u64)
        .into_par_iter()
        .filter(|&seed| {
            let mut rng = stream(30, seed);
            let (a, b) = (normal(&mut rng, 30), normal(&mut rng, 30));
            !kinds(&compare(&a, &b, &settings)).is_empty()
        })
        .count();
    assert!(warned <= 20, "{warned} of 200, where one in ten is the most");
}

#[test]
fn autocorrelated_runs_are_batched_and_rarely_called_slower() {
    let settings = Settings::default();
    let outcomes: Vec<(bool, bool)> = (0..120_u64)
        .into_par_iter()
        .map(|seed| {
            let mut rng = stream(28, seed);
            // The margin of 1 % is a tenth of an SD.
            let (a, b) = (
                autoregressive(&mut rng, 100, 10.0, 0.5),
                autoregressive(&mut rng, 100, 10.0, 0.5),
            );
            let ours = compare(&a, &b, &settings);
            (ours.verdict == Verdict::Slower, kinds(&ours).contains(&"autocorrelation"))
        })
        .collect();
    let slower = outcomes.iter().filter(|(slower, _)| *slower).count();
    let noticed = outcomes.iter().filter(|(_, noticed)| *noticed).count();
    assert!(slower <= 6, "{slower} of 120 are called slower, where 5 % are the most");
    assert!(noticed >= 114, "{noticed} of 120 noticed");
}

#[test]
fn the_report_speaks_of_batches_where_runs_are_batched() {
    let mut rng = stream(7, 7);
    let a = autoregressive(&mut rng, 200, 100.0, 0.6);
    let b = autoregressive(&mut rng, 200, 103.0, 0.6);
    let variants = vec![("a", runs(&a)), ("b", runs(&b))];
    let data = dataset(Direction::LowerIsBetter, Some("ms"), variants);
    let analysis = analyse(&data, &Settings::default()).expect("an analysis");
    let text = patchodds::report::text(&analysis, Palette::PLAIN, 80);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("batches such a test finds"), "{text}");
    assert!(text.contains("p < 0.0001"), "{text}");
    assert_eq!(analysis.comparisons[0].baseline.invocations, Some(1));
}

#[test]
fn too_few_autocorrelated_runs_decide_nothing() {
    let mut rng = stream(3, 8);
    let a = autoregressive(&mut rng, 40, 100.0, 0.9);
    let b: Vec<f64> = autoregressive(&mut rng, 40, 120.0, 0.9);
    let ours = compare(&a, &b, &Settings::default());
    assert!(kinds(&ours).contains(&"autocorrelation"), "{:?}", ours.warnings);
    assert_eq!(ours.verdict, Verdict::Undecided);
    assert_eq!(ours.runs_needed, None);
}

#[test]
fn each_weakness_is_named_with_the_model_to_try() {
    let settings = Settings::default();
    let mut rng = stream(5, 1);
    let clean = normal(&mut rng, 30);
    let advice = |candidate: &[f64], kind: &str| {
        let ours = compare(&clean, candidate, &settings);
        let found = ours.warnings.iter().find(|warning| warning.kind() == kind);
        found.unwrap_or_else(|| panic!("no {kind}: {:?}", ours.warnings)).advice()
    };
    let mut outliers = normal(&mut rng, 30);
    outliers[17] += 12.0;
    outliers[5] -= 11.0;
    assert!(advice(&outliers, "outliers").contains("--model robust"));
    let skewed: Vec<f64> =
        normal(&mut rng, 60).iter().map(|run| (0.8 * (run - 100.0)).exp()).collect();
    let ours = compare(&skewed, &skewed, &settings);
    let told = ours.warnings.iter().map(Warning::advice).collect::<String>();
    assert!(told.contains("--model lognormal"), "{told}");
    let mut cold = normal(&mut rng, 30);
    cold[0] += 9.0;
    assert!(advice(&cold, "warm_up").contains("--drop-first 1"));
    let drifting: Vec<f64> = normal(&mut rng, 12)
        .iter()
        .zip(0..)
        .map(|(run, i)| run + f64::from(i))
        .collect();
    assert!(advice(&drifting, "drift").contains("interleave"));
}

#[test]
fn a_step_of_the_clock_is_no_outlier() {
    // B18 of the field's reports: thousands of runs at 0.5 ms, a few at 0.6.
    let clock = |late: usize| -> Vec<f64> {
        (0..500).map(|i| if i % late == late - 1 { 0.6 } else { 0.5 }).collect()
    };
    let kinds = kinds(&compare(&clock(83), &clock(90), &Settings::default()));
    assert!(!kinds.contains(&"outliers") && kinds.contains(&"many_ties"), "{kinds:?}");
}

#[test]
fn a_student_t_that_collapses_onto_ties_says_so() {
    // B33 of the field's reports: most differences are exactly zero.
    let mut runs: Vec<f64> = vec![0.0; 30];
    runs.extend([-1.0, -1.5, -2.0, -0.5, -1.2, -0.8, -2.5, -1.1]);
    let other: Vec<f64> = runs.iter().map(|run| run + 0.1).collect();
    let ours = compare(&runs, &other, &settings("robust"));
    assert!(kinds(&ours).contains(&"tails_on_ties"), "{:?}", ours.warnings);
}

#[test]
fn below_ten_runs_the_tails_are_mostly_prior() {
    let ours = compare(&[1.0, 1.2, 1.1], &[1.3, 1.2, 1.4], &settings("robust"));
    assert!(kinds(&ours).contains(&"few_runs_for_tails"));
}

/// Values as `middle` and `spread` make them of evenly spread shares of a whole.
fn evenly(n: usize, make: impl Fn(f64) -> f64) -> Vec<f64> {
    (0..n).map(|i| make((i as f64 * 0.618_033_988_749_894_9 + 0.3) % 1.0)).collect()
}

#[test]
fn two_modes_are_recognised() {
    // B31 of the field's reports: 40 ms or 85 ms, in turn, without any change.
    let bimodal = |shift: f64| {
        evenly(
            40,
            |u| if u < 0.5 { 40.0 } else { 85.0 } + 4.0 * (7.0 * u % 1.0) + shift,
        )
    };
    for model in ["normal", "robust", "lognormal"] {
        let comparison = compare(&bimodal(0.0), &bimodal(0.3), &settings(model));
        assert!(
            kinds(&comparison).contains(&"several_modes"),
            "{:?}",
            kinds(&comparison)
        );
    }
}

#[test]
fn a_heavy_tail_is_mentioned_and_a_baseline_is_one_against_itself() {
    // B23 of the field's reports: mean 1161, median 739 against 499, 469, 100 runs each.
    let skewed = evenly(100, |u| 520.0 + 640.0 * -(1.0 - u).ln());
    let tight = evenly(100, |u| 440.0 + 118.0 * u);
    let comparison = compare(&skewed, &tight, &settings("normal"));
    let found = kinds(&comparison);
    assert!(found.contains(&"skewed") || found.contains(&"outliers"), "{found:?}");
    let ratio = comparison.posterior("ratio").and_then(|ratio| ratio.median);
    let of_means = tight.iter().sum::<f64>() / skewed.iter().sum::<f64>();
    assert!((ratio.expect("known") - of_means).abs() < 0.02, "{ratio:?} {of_means}");
    let itself = compare(&skewed, &skewed, &settings("normal"));
    let ratio = itself.posterior("ratio").and_then(|ratio| ratio.median);
    assert!((ratio.expect("known") - 1.0).abs() < 0.01, "{ratio:?}");
}

#[test]
fn rounding_is_part_of_the_uncertainty() {
    // B11 of the field's reports: about 2.2 ns, printed with two decimals.
    let printed: [f64; 10] =
        [2.23, 2.22, 2.22, 2.21, 2.23, 2.22, 2.20, 2.22, 2.21, 2.23];
    let interval = |runs: &[f64]| {
        let comparison = compare(runs, runs, &settings("normal"));
        let [low, high] =
            comparison.posterior("difference").and_then(|one| one.eti).expect("known");
        high - low
    };
    // To one decimal: all the same, and nothing is known to better than 0.1.
    let coarse: Vec<f64> =
        printed.iter().map(|run| (run * 10.0).round() / 10.0).collect();
    assert!(interval(&printed) > 0.01, "{}", interval(&printed));
    assert!(interval(&coarse) > 0.1, "{}", interval(&coarse));
}

#[test]
fn one_invocation_says_that_it_does_not_know_the_next() {
    // B20 of the field's reports: the same code run again is "improved".
    let comparison = compare(
        &evenly(50, |u| 100.0 + u),
        &evenly(50, |u| 95.0 + u),
        &settings("normal"),
    );
    assert_eq!(comparison.verdict, Verdict::Faster);
    assert!(comparison.warnings.contains(&Warning::OneInvocation));
    let mut stated = Settings::default();
    stated.run_noise = Some(0.05);
    let wide = compare(&evenly(50, |u| 100.0 + u), &evenly(50, |u| 95.0 + u), &stated);
    assert!(!matches!(wide.verdict, Verdict::Faster | Verdict::Slower), "{wide:?}");
}

#[test]
fn three_probabilities_sum_to_one_and_a_wide_posterior_is_no_difference() {
    // B35 of the field's reports.
    let comparison = compare(
        &[100.0, 140.0, 60.0, 120.0, 80.0],
        &[110.0, 150.0, 70.0, 130.0, 90.0],
        &settings("normal"),
    );
    let by = comparison.probability.by_margin.expect("a baseline above 0");
    let sum = by.slower.value + by.within.value + by.faster.value;
    assert!((sum - 1.0).abs() < 1e-12);
    // Little of it lies within the margin, and that is no sign of a difference.
    assert!(by.within.value < 0.05, "{}", by.within.value);
    assert_eq!(comparison.verdict, Verdict::Undecided);
}

#[test]
fn three_runs_leave_the_noise_to_the_prior_and_thirty_do_not() {
    let few = compare(&[10.0, 10.4, 10.1], &[10.6, 10.2, 10.9], &settings("normal"));
    let said = few.warnings.iter().find(|one| one.kind() == "prior_matters");
    let said = said.expect("a warning").to_string();
    assert!(said.starts_with("with 3 runs the noise level is mostly prior"), "{said}");
    let mut rng = stream(31, 0);
    let (a, b) = (normal(&mut rng, 30), normal(&mut rng, 30));
    let many = compare(&a, &b, &settings("normal"));
    assert!(!kinds(&many).contains(&"prior_matters"));
    // A prior that contradicts the runs moves the difference at any number of them.
    let mut strong = settings("normal");
    strong.priors = vec!["mean=normal(0, 30)".into()];
    let pulled = compare(&a, &b, &strong);
    assert!(pulled.sensitivity.difference.prior > many.sensitivity.difference.prior);
}

#[test]
fn invocations_not_runs_carry_the_noise_level() {
    // B26 of the field's reports: three forks of five tight iterations each.
    let forks = |centres: [f64; 3]| -> Measurements {
        let one = |centre: f64| evenly(5, |u| centre + 0.02 * u);
        Measurements::Runs(
            Sample::from_invocations(centres.map(one).to_vec()).expect("finite runs"),
        )
    };
    let variants =
        vec![("a", forks([10.0, 10.9, 9.6])), ("b", forks([10.4, 11.3, 10.1]))];
    let data = dataset(Direction::LowerIsBetter, Some("ms"), variants);
    let comparison = only(analyse(&data, &Settings::default()).expect("an analysis"));
    assert_eq!(comparison.model.name, "nested");
    // Runs alone would be sure: the difference is 0.43, their error 0.002.
    assert!(comparison.probability.slower.value < 0.95);
}
