//! Whole comparisons against exact answers, at the default settings and seed.

use ndarray::Array2;
use patchodds::analysis::{Analysis, Comparison, Margin, Settings, Verdict, analyse};
use patchodds::data::{
    Dataset, Direction, DirectionSource, Measurements, Metric, Sample, Series, Summary,
    Variant,
};
use patchodds::draws::{Summary as Summarised, diagnostics, quantile};
use patchodds::model::Spec;
use patchodds::sampler::stream;
use rand::RngExt as _;
use rand_distr::{Distribution as _, Normal};
use rayon::prelude::*;
use serde_json::Value;

/// How far a Monte Carlo result may be from the exact one, in standard errors: of the
/// few hundred that are compared here, one in two million is further off by chance.
const FACTOR: f64 = 5.0;

pub(crate) fn runs(values: &[f64]) -> Measurements {
    Measurements::Runs(Sample::new(values.to_vec()).expect("finite runs"))
}

pub(crate) fn dataset(
    direction: Direction,
    unit: Option<&str>,
    variants: Vec<(&str, Measurements)>,
) -> Dataset {
    let variants = variants
        .into_iter()
        .map(|(label, measurements)| Variant {
            label: label.to_owned(),
            measurements,
            sources: vec![format!("{label}.txt")],
        })
        .collect();
    let metric = Metric {
        name: None,
        unit: unit.map(str::to_owned),
        direction,
        direction_source: DirectionSource::Option,
    };
    Dataset {
        series: vec![Series { benchmark: None, metric, variants }],
        ..Dataset::default()
    }
}

pub(crate) fn settings(model: &str) -> Settings {
    let mut settings = Settings::default();
    settings.model = Some(Spec::built_in(model).expect("a model that ships"));
    settings
}

pub(crate) fn only(analysis: Analysis) -> Comparison {
    let [comparison] = <[Comparison; 1]>::try_from(analysis.comparisons).expect("one");
    comparison
}

pub(crate) fn compare(
    direction: Direction,
    baseline: Measurements,
    candidate: Measurements,
    settings: &Settings,
) -> Comparison {
    let variants = vec![("a", baseline), ("b", candidate)];
    only(analyse(&dataset(direction, None, variants), settings).expect("a comparison"))
}

fn reference() -> Value {
    let text = include_str!("data/reference/comparisons.json");
    serde_json::from_str(text).expect("valid JSON")
}

const LOWER: Direction = Direction::LowerIsBetter;
const HIGHER: Direction = Direction::HigherIsBetter;

/// The data of a set in the reference file, with its direction.
fn data(reference: &Value, name: &str) -> (Direction, Measurements, Measurements) {
    let summary = |mean: f64, sd: f64| {
        Measurements::Summary(Summary::new(10, mean, sd).expect("a summary"))
    };
    // The Linux thread, as its `about` describes it.
    match name {
        "netdev_throughput" => {
            return (HIGHER, summary(100.0, 0.8), summary(99.04, 0.8));
        }
        "netdev_cpu" => return (LOWER, summary(100.0, 0.4), summary(99.72, 0.4)),
        _ => {}
    }
    let set = &reference["data"][name];
    let side = |key: &str| {
        let values = set[key].as_array().expect("runs").iter();
        runs(&values.map(|run| run.as_f64().expect("a number")).collect::<Vec<_>>())
    };
    let higher = set["higher_is_better"].as_bool().expect("a direction");
    (if higher { HIGHER } else { LOWER }, side("a"), side("b"))
}

const WITH_DEFAULT_MODEL: [&str; 7] = [
    "netbsd_a",
    "netbsd_b",
    "best_iq",
    "two_runs",
    "tiny_values",
    "netdev_throughput",
    "netdev_cpu",
];

pub(crate) fn draws<'a>(comparison: &'a Comparison, name: &str) -> &'a Array2<f64> {
    comparison.draws.posterior().get(name).expect("a variable").values()
}

#[track_caller]
pub(crate) fn assert_near(ours: f64, exact: f64, mcse: f64, what: &str) {
    let off = (ours - exact).abs() / mcse;
    assert!(off < FACTOR, "{what}: {ours} against {exact}, {off:.1} MCSE off");
}

/// Quantiles q2.5 … q97.5, each within its own MCSE.
fn assert_quantiles(values: &Array2<f64>, exact: &Value, what: &str) {
    let mut sorted: Vec<f64> = values.iter().copied().collect();
    sorted.sort_by(f64::total_cmp);
    for (key, p) in [
        ("q2.5", 0.025),
        ("q5", 0.05),
        ("q25", 0.25),
        ("q50", 0.5),
        ("q75", 0.75),
        ("q95", 0.95),
        ("q97.5", 0.975),
    ] {
        let mcse = diagnostics::mcse_quantile(values, p).expect("draws vary");
        let exact = exact[key].as_f64().expect("a number");
        assert_near(quantile(&sorted, p), exact, mcse, &format!("{what} {key}"));
    }
}

fn assert_mean(summary: &Summarised, exact: &Value, what: &str) {
    let mean = summary.mean.expect("a mean");
    let mcse = summary.mcse_mean.expect("an error");
    assert_near(mean, exact.as_f64().expect("a number"), mcse, what);
}

fn assert_median(comparison: &Comparison, name: &str, exact: &Value, what: &str) {
    let values = draws(comparison, name);
    let mcse = diagnostics::mcse_median(values).expect("draws vary");
    let mut sorted: Vec<f64> = values.iter().copied().collect();
    sorted.sort_by(f64::total_cmp);
    let exact = exact.as_f64().expect("a number");
    assert_near(quantile(&sorted, 0.5), exact, mcse, what);
}

#[test]
fn the_posterior_of_normal_agrees_with_exact_quadrature() {
    let reference = reference();
    for name in WITH_DEFAULT_MODEL {
        let (direction, a, b) = data(&reference, name);
        let ours = compare(direction, a, b, &settings("normal"));
        let exact = &reference["default_model"][name];
        assert_quantiles(draws(&ours, "difference"), &exact["difference"], name);
        let repeated = draws(&ours, "repeated_difference");
        assert_quantiles(repeated, &exact["predictive_mean_difference"], name);
        for (quantity, key) in [
            ("difference", &exact["difference"]["mean"]),
            ("baseline_mean", &exact["baseline_mean"]),
            ("candidate_mean", &exact["candidate_mean"]),
            ("baseline_sd", &exact["baseline_sd"]["mean"]),
            ("candidate_sd", &exact["candidate_sd"]["mean"]),
        ] {
            let summary = ours.posterior(quantity).expect("a quantity");
            assert_mean(summary, key, &format!("{name} {quantity}"));
        }
        for (variable, key) in [("sd[a]", "baseline_sd"), ("sd[b]", "candidate_sd")] {
            assert_median(&ours, variable, &exact[key]["median"], name);
        }
        let predicted = &ours.predictive;
        for (squared, key) in [
            (&predicted.squared_distance, "squared_distance_mean"),
            (&predicted.squared_distance_of_means, "squared_distance_of_means_mean"),
        ] {
            assert_mean(&squared.summary, &exact[key], &format!("{name} {key}"));
        }
        let by = ours.probability.by_margin.expect("a margin");
        for (probability, key) in [
            (ours.probability.slower, "slower"),
            (ours.probability.faster, "faster"),
            (by.slower, "slower_by_margin"),
            (by.within, "within_margin"),
            (by.faster, "faster_by_margin"),
            (ours.probability.next_run_slower, "next_run_slower"),
        ] {
            let exact = exact["probability"][key].as_f64().expect("a number");
            let what = format!("{name} P({key})");
            assert_near(probability.value, exact, probability.mcse, &what);
        }
    }
}

#[test]
fn the_posterior_of_reference_agrees_with_behrens_fisher() {
    let reference = reference();
    for name in ["netbsd_a", "netbsd_b", "best_iq", "two_runs", "tiny_values"] {
        let (direction, a, b) = data(&reference, name);
        let ours = compare(direction, a, b, &settings("reference"));
        let exact = &reference["behrens_fisher"][name];
        assert_quantiles(draws(&ours, "difference"), &exact["diff"], name);
        for (side, group) in [("a", "group_a"), ("b", "group_b")] {
            let mean = draws(&ours, &format!("mean[{side}]"));
            assert_quantiles(mean, &exact[group]["mu"], &format!("{name} mean {side}"));
            let sd = draws(&ours, &format!("sd[{side}]"));
            assert_quantiles(sd, &exact[group]["sigma"], &format!("{name} sd {side}"));
        }
        let key = if direction == LOWER { "p_gt_0" } else { "p_lt_0" };
        let slower = ours.probability.slower;
        let p = exact["diff"][key].as_f64().expect("a probability");
        assert_near(slower.value, p, slower.mcse, name);
    }
}

#[test]
fn the_posterior_of_best_agrees_with_exact_quadrature() {
    let reference = reference();
    let (direction, a, b) = data(&reference, "best_iq");
    let ours = compare(direction, a, b, &settings("best"));
    let exact = &reference["best"]["best_iq"];
    for (variable, key) in [
        ("difference", "diff"),
        ("mean[a]", "mu_a"),
        ("mean[b]", "mu_b"),
        ("scale[a]", "sigma_a"),
        ("scale[b]", "sigma_b"),
        ("nu", "nu"),
    ] {
        assert_quantiles(draws(&ours, variable), &exact[key], variable);
    }
    for (quantity, key) in [
        ("difference", "diff"),
        ("baseline_mean", "mu_a"),
        ("candidate_mean", "mu_b"),
        ("baseline_scale", "sigma_a"),
        ("candidate_scale", "sigma_b"),
        ("nu", "nu"),
    ] {
        let summary = ours.posterior(quantity).expect("a quantity");
        assert_mean(summary, &exact[key]["mean"], quantity);
    }
    let p = exact["p_slower_b"].as_f64().expect("a probability");
    assert_near(ours.probability.slower.value, p, ours.probability.slower.mcse, "P");
    // nu is below 2 with probability 0.69: a run has no SD there.
    assert!(ours.posterior("baseline_sd").is_none());
}

/// Runs of 10 invocations of 30 runs, the SD between them five times that within.
fn invocations(rng: &mut rand::rngs::ChaCha8Rng, mean: f64) -> Vec<Vec<f64>> {
    let law = Normal::new(0.0, 1.0).expect("a normal distribution");
    (0..10)
        .map(|_| {
            let own = mean + 5.0 * law.sample(rng);
            (0..30).map(|_| own + law.sample(rng)).collect()
        })
        .collect()
}

#[test]
fn nested_covers_the_truth_where_pooled_runs_do_not() {
    // True difference 0; 120 experiments: a coverage of 95 % has an error of 2 %.
    let experiments = 120;
    let covered: Vec<[bool; 2]> = (0..experiments)
        .into_par_iter()
        .map(|experiment| {
            let mut rng = stream(13, experiment);
            let [a, b] = [0, 1].map(|_| invocations(&mut rng, 100.0));
            let covers = |a: Vec<Vec<f64>>, b: Vec<Vec<f64>>, settings: &Settings| {
                let [a, b] = [a, b].map(|runs| {
                    let sample = Sample::from_invocations(runs).expect("finite runs");
                    Measurements::Runs(sample)
                });
                let ours = compare(LOWER, a, b, settings);
                let eti = ours.posterior("difference").and_then(|one| one.eti);
                let [low, high] = eti.expect("finite draws");
                low <= 0.0 && 0.0 <= high
            };
            let mut few = Settings::default();
            (few.draws, few.tune) = (250, 300);
            let flat = |runs: &Vec<Vec<f64>>| vec![runs.concat()];
            [covers(a.clone(), b.clone(), &few), covers(flat(&a), flat(&b), &few)]
        })
        .collect();
    let share = |at: usize| {
        covered.iter().filter(|one| one[at]).count() as f64 / experiments as f64
    };
    assert!((0.9..=1.0).contains(&share(0)), "nested covers {}", share(0));
    assert!(share(1) < 0.6, "pooled runs cover {}", share(1));
}

#[test]
fn several_runs_in_several_invocations_call_for_nested() {
    let grouped = |mean: f64| {
        let runs = vec![vec![mean, mean + 0.1], vec![mean + 1.0, mean + 1.2]];
        Measurements::Runs(Sample::from_invocations(runs).expect("finite runs"))
    };
    let ours = compare(LOWER, grouped(10.0), grouped(10.5), &Settings::default());
    assert_eq!(ours.model.name, "nested");
    let singles = |mean: f64| {
        let runs = vec![vec![mean], vec![mean + 1.0], vec![mean + 0.5]];
        Measurements::Runs(Sample::from_invocations(runs).expect("finite runs"))
    };
    let ours = compare(LOWER, singles(10.0), singles(10.5), &Settings::default());
    assert_eq!(ours.model.name, "normal");
    assert!(ours.warnings.iter().all(|warning| warning.kind() != "one_invocation"));
}

#[test]
fn stated_noise_between_invocations_widens_the_answer() {
    // 30 runs a side within 0.1 %, one invocation; 2 % between invocations.
    let side = |mean: f64| {
        let runs: Vec<f64> =
            (0..30).map(|i| mean + 0.1 * f64::from(i % 5 - 2)).collect();
        runs
    };
    let plain =
        compare(LOWER, runs(&side(100.0)), runs(&side(101.5)), &Settings::default());
    assert!(plain.probability.slower.value > 0.999);
    let mut stated = Settings::default();
    stated.run_noise = Some(0.02);
    let ours = compare(LOWER, runs(&side(100.0)), runs(&side(101.5)), &stated);
    assert_eq!(ours.model.name, "nested");
    // Of two means with 2 % noise each, a difference of 1.5 is half an SD off.
    assert!((0.5..0.9).contains(&ours.probability.slower.value));
}

#[test]
fn under_reference_moments_that_do_not_exist_are_unknown() {
    let moments = |n: usize| {
        let values = [152.7, 151.7, 153.5, 152.1, 152.9];
        let side = || runs(&values[..n]);
        let ours = compare(LOWER, side(), side(), &settings("reference"));
        let difference = ours.posterior("difference").expect("a difference").to_owned();
        [difference.mean, difference.sd, difference.mcse_mean].map(|one| one.is_some())
    };
    // Student-t with n − 1 degrees of freedom: a mean above 1, a variance above 2.
    assert_eq!(moments(2), [false, false, false]);
    assert_eq!(moments(3), [true, false, false]);
    assert_eq!(moments(4), [true, true, true]);
}

#[test]
fn the_netbsd_thread_gets_its_answer_at_the_default_settings() {
    // Exact: 0.33109 and 0.17613 (tests/data/reference/comparisons.json).
    let reference = reference();
    for (name, exact) in [("netbsd_a", 0.331), ("netbsd_b", 0.176)] {
        let (direction, a, b) = data(&reference, name);
        let ours = compare(direction, a, b, &Settings::default());
        assert!((ours.probability.slower.value - exact).abs() < 0.02);
        assert_eq!(ours.verdict, Verdict::NotSlower);
    }
}

#[test]
fn the_linux_thread_is_slower_of_unclear_size_and_uses_no_more_cpu() {
    let reference = reference();
    let (direction, a, b) = data(&reference, "netdev_throughput");
    let throughput = compare(direction, a, b, &Settings::default());
    assert_eq!(throughput.verdict, Verdict::SlowerSizeUnclear);
    let rule = throughput.tests.two_sd_rule.expect("two SDs");
    assert!(!rule.beyond);
    let (direction, a, b) = data(&reference, "netdev_cpu");
    assert_eq!(compare(direction, a, b, &Settings::default()).verdict, Verdict::Same);
}

#[test]
fn draws_of_the_difference_are_nearly_independent() {
    let reference = reference();
    for name in WITH_DEFAULT_MODEL {
        for seed in [1, 2, 3] {
            let (direction, a, b) = data(&reference, name);
            let mut settings = settings("normal");
            settings.seed = seed;
            let ours = compare(direction, a, b, &settings);
            let ess = ours.posterior("difference").and_then(|one| one.ess_bulk);
            let ess = ess.expect("draws vary");
            let least = if name == "two_runs" { 2000.0 } else { 3000.0 };
            assert!(ess >= least, "{name}: {ess}");
            assert_eq!(ours.sampling.divergences, 0, "{name}");
            assert!(ours.sampling.reliable, "{name}: {:?}", ours.sampling.reasons);
        }
    }
}

#[test]
fn independent_does_not_diverge_from_three_runs_on() {
    let reference = reference();
    for name in ["netbsd_a", "netbsd_b", "best_iq", "tiny_values", "netdev_throughput"]
    {
        for seed in [1, 2, 3] {
            let (direction, a, b) = data(&reference, name);
            let mut settings = settings("independent");
            settings.seed = seed;
            let ours = compare(direction, a, b, &settings);
            assert_eq!(ours.sampling.divergences, 0, "{name} with seed {seed}");
        }
    }
}

#[test]
fn constant_runs_are_compared_by_their_resolution() {
    // 5.0 six times against runs near 5.16 that print 14 places.
    let reference = reference();
    let (direction, a, b) = data(&reference, "constant_baseline");
    let ours = compare(direction, a, b, &settings("normal"));
    assert!(ours.probability.slower.value > 0.98);
    assert_eq!(ours.tests.welch.map(|welch| welch.p < 0.05), Some(true));
    let (direction, a, b) = data(&reference, "constant_both");
    let ours = compare(direction, a, b, &settings("normal"));
    assert!(ours.tests.welch.is_none());
    assert_eq!(ours.verdict, Verdict::Slower);
}

#[test]
fn constant_counts_one_apart_differ_from_five_runs_a_side_on() {
    let counts = |value: f64| runs(&[value; 5]);
    let ours =
        compare(LOWER, counts(1_000_000.0), counts(1_000_001.0), &settings("normal"));
    assert!(ours.probability.slower.value > 0.99);
    assert_eq!(ours.verdict, Verdict::Same); // by far less than 1 %
    let same = compare(LOWER, counts(67.0), counts(67.0), &settings("normal"));
    assert_eq!(same.verdict, Verdict::Same);
}

#[test]
fn one_run_on_one_side_is_compared_with_a_warning() {
    let many = || runs(&[10.0, 10.2, 10.1, 9.9]);
    for model in ["normal", "independent"] {
        let ours = compare(LOWER, many(), runs(&[15.0]), &settings(model));
        assert!(ours.tests.welch.is_none() && ours.tests.behrens_fisher.is_none());
        assert!(ours.probability.slower.value > 0.8, "{model}");
        let kinds: Vec<_> =
            ours.warnings.iter().map(patchodds::warning::Warning::kind).collect();
        assert!(kinds.contains(&"too_few_runs"), "{model}: {kinds:?}");
    }
}

#[test]
fn one_run_a_side_and_constant_runs_under_reference_are_refused() {
    let refusal = |a: &[f64], b: &[f64], model: &str| {
        let variants = vec![("a", runs(a)), ("b", runs(b))];
        let error = analyse(&dataset(LOWER, None, variants), &settings(model));
        error.expect_err("a refusal").to_string()
    };
    assert_eq!(refusal(&[1.0], &[2.0], "normal"), "each variant has one run only");
    assert_eq!(
        refusal(&[5.0, 5.0], &[1.0, 2.0], "reference"),
        "under the model `reference` the posterior is improper: `a` has runs that are \
         all equal"
    );
    assert_eq!(
        refusal(&[5.0, 5.1], &[1.0], "reference"),
        "under the model `reference` the posterior is improper: `b` has one run only"
    );
}

#[test]
fn a_small_change_on_a_large_value_keeps_its_digits() {
    // 1e9 plus thousandths: the difference is 0.004, the noise 0.001.
    let base = 1e9;
    let a = runs(&[base, base + 0.001, base + 0.002, base + 0.001]);
    let b = runs(&[base + 0.004, base + 0.005, base + 0.006, base + 0.005]);
    let ours = compare(LOWER, a, b, &settings("normal"));
    let difference = ours.posterior("difference").expect("a difference");
    let median = difference.median.expect("finite draws");
    assert!((median - 0.004).abs() < 0.0005, "{median}");
    assert!(ours.probability.slower.value > 0.99);
}

#[test]
fn changing_the_unit_changes_no_verdict_and_no_probability() {
    let reference = reference();
    let ours = |factor: f64| {
        let (direction, a, b) = data(&reference, "netbsd_a");
        let scaled = |side: &Measurements| {
            let sample = side.sample().expect("runs");
            let values = sample.runs().iter().map(|run| run * factor).collect();
            let scaled = Sample::new(values).expect("finite runs");
            Measurements::Runs(scaled.with_resolution(0.1 * factor))
        };
        compare(direction, scaled(&a), scaled(&b), &settings("normal"))
    };
    let plain = ours(1.0);
    for factor in [1e-9, 1e-3, 1e6, 1e12] {
        let scaled = ours(factor);
        assert_eq!(scaled.verdict, plain.verdict);
        assert_eq!(scaled.probability.slower.value, plain.probability.slower.value);
    }
}

#[test]
fn swapping_the_variants_inverts_the_odds() {
    let (a, b) = ([152.7, 151.7, 153.5], [152.0, 153.4, 153.7]);
    let there = compare(LOWER, runs(&a), runs(&b), &settings("normal"));
    let back = compare(LOWER, runs(&b), runs(&a), &settings("normal"));
    let (there, back) = (there.probability.slower, back.probability.faster);
    assert_near(there.value, back.value, there.mcse.hypot(back.mcse), "swapped");
}

#[test]
fn a_third_variant_changes_nothing() {
    let (a, b) = ([152.7, 151.7, 153.5], [152.0, 153.4, 153.7]);
    let pair = compare(LOWER, runs(&a), runs(&b), &settings("normal"));
    let far = runs(&[1.0, 500.0, 2.0]);
    let three = vec![("a", runs(&a)), ("far", far), ("b", runs(&b))];
    let all = analyse(&dataset(LOWER, None, three), &settings("normal")).unwrap();
    assert_eq!(all.comparisons.len(), 2);
    // All but the time that the chains took.
    let groups = |of: &Comparison| -> Vec<_> {
        of.draws.groups().map(|(name, group)| (name, group.clone())).collect()
    };
    assert_eq!(groups(&all.comparisons[1]), groups(&pair));
}

#[test]
fn three_far_runs_are_not_shrunk_towards_a_hundred_thousand() {
    let many = Measurements::Summary(Summary::new(100_000, 100.0, 1.0).unwrap());
    let few = runs(&[199.0, 200.0, 201.0]);
    let ours = compare(LOWER, many, few, &settings("normal"));
    assert!(ours.probability.slower.value > 0.999);
    let difference =
        ours.posterior("difference").and_then(|one| one.median).expect("finite draws");
    assert!((difference - 100.0).abs() < 2.0, "{difference}");
}

#[test]
fn a_baseline_that_may_be_zero_has_no_relative_change() {
    let (a, b) = (runs(&[-0.2, 0.1, 0.3, -0.1]), runs(&[0.2, 0.4, 0.1, 0.3]));
    let variants = || vec![("a", a.clone()), ("b", b.clone())];
    let ours =
        only(analyse(&dataset(LOWER, None, variants()), &settings("normal")).unwrap());
    assert!(ours.posterior("relative_change").is_none());
    assert!(ours.probability.by_margin.is_none());
    assert!(ours.loss.take.is_some() && ours.loss.take_relative.is_none());
    let mut stated = settings("normal");
    stated.margin = Margin::parse("1%").unwrap();
    let error = analyse(&dataset(LOWER, None, variants()), &stated).unwrap_err();
    assert!(error.hint().is_some_and(|hint| hint.contains("in the unit")));
    let mut absolute = settings("normal");
    absolute.margin = Margin::parse("0.5").unwrap();
    let ours = only(analyse(&dataset(LOWER, None, variants()), &absolute).unwrap());
    assert!(ours.probability.by_margin.is_some());
}

#[test]
fn probabilities_by_the_margin_sum_to_one() {
    let reference = reference();
    for name in WITH_DEFAULT_MODEL {
        let (direction, a, b) = data(&reference, name);
        let ours = compare(direction, a, b, &settings("normal"));
        let by = ours.probability.by_margin.expect("a margin");
        let sum = by.slower.value + by.within.value + by.faster.value;
        assert!((sum - 1.0).abs() < 1e-12, "{name}");
    }
}

#[test]
fn the_expected_losses_differ_by_the_mean_slowdown() {
    // E[max(0, x)] − E[max(0, −x)] = E[x].
    let (a, b) = (runs(&[10.0, 10.4, 10.1]), runs(&[10.3, 10.8, 10.2]));
    let ours = compare(LOWER, a, b, &settings("normal"));
    let loss = ours.loss.take.unwrap() - ours.loss.refuse.unwrap();
    let mean = ours.posterior("difference").unwrap().mean.unwrap();
    assert!((loss - mean).abs() < 1e-12);
}

#[test]
fn sampling_that_cannot_be_trusted_says_so() {
    let mut settings = settings("normal");
    settings.draws = 20;
    settings.tune = 20;
    let ours =
        compare(LOWER, runs(&[1.0, 1.1, 1.2]), runs(&[1.3, 1.2, 1.1]), &settings);
    assert!(!ours.sampling.reliable && ours.sampling.again);
    assert!(ours.warnings.iter().any(|warning| warning.kind() == "not_reliable"));
}

#[test]
fn fresh_data_of_the_named_size_decide_in_four_cases_out_of_five() {
    let noisy = [98.0, 102.0, 100.0, 99.0, 101.0, 103.0, 97.0];
    let shifted = noisy.map(|run| run + 0.1);
    let ours = compare(LOWER, runs(&noisy), runs(&shifted), &settings("normal"));
    assert_eq!(ours.verdict, Verdict::Undecided);
    let n = ours.runs_needed.expect("a number of runs");
    // The whole comparison, on data simulated from this posterior: a share of 0.8 is
    // known to 0.045 from 80 experiments.
    let decided = |n: usize| {
        let experiments = 80;
        let mut rng = stream(7, n as u64);
        let fresh: Vec<[Measurements; 2]> = (0..experiments)
            .map(|_| {
                let at = (rng.random_range(0..4), rng.random_range(0..1000));
                ["a", "b"].map(|side| {
                    let mean = draws(&ours, &format!("mean[{side}]"))[at];
                    let sd = draws(&ours, &format!("sd[{side}]"))[at];
                    let law = Normal::new(mean, sd).expect("a normal distribution");
                    let runs = (0..n).map(|_| law.sample(&mut rng)).collect();
                    Measurements::Runs(Sample::new(runs).expect("finite runs"))
                })
            })
            .collect();
        let verdict = |[a, b]: [Measurements; 2]| {
            let mut settings = settings("normal");
            (settings.draws, settings.tune) = (200, 300);
            compare(LOWER, a, b, &settings).verdict
        };
        let decided =
            fresh.into_iter().map(verdict).filter(|one| *one != Verdict::Undecided);
        decided.count() as f64 / f64::from(experiments)
    };
    let (enough, half) = (decided(n), decided(n / 2));
    assert!((0.66..0.94).contains(&enough), "{enough} at {n} runs");
    assert!(half < enough, "{half} at half of them");
}

#[test]
fn means_of_invocations_are_compared_where_invocations_hold_several_runs() {
    let grouped = |means: [f64; 3]| {
        let runs = means.map(|mean| vec![mean - 0.01, mean, mean + 0.01]);
        Measurements::Runs(Sample::from_invocations(runs.to_vec()).unwrap())
    };
    let ours = compare(
        LOWER,
        grouped([10.0, 10.5, 9.5]),
        grouped([10.2, 10.7, 9.7]),
        &settings("normal"),
    );
    let welch = ours.tests.welch.expect("three means a side");
    // scipy.stats.ttest_ind([10.2, 10.7, 9.7], [10, 10.5, 9.5], equal_var=False)
    assert!((welch.t - 0.489_897_948_556_633_8).abs() < 1e-9, "{}", welch.t);
    assert!(ours.warnings.iter().any(|warning| warning.kind() == "invocation_means"));
}
