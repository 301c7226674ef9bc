//! The frequentist numbers beside a posterior: against other programs, books and threads.

#![allow(
    clippy::excessive_precision,
    clippy::unreadable_literal,
    reason = "digits as the other program printed them"
)]
#![allow(clippy::unwrap_used, reason = "a helper that cannot go on fails its test")]

use patchodds::data::{Direction, Moments, Summary};
use patchodds::frequentist::{
    BehrensFisher, TTest, cohen_d, detectable, detectable_paired, equal_variances,
    hedges_g, mann_whitney, mann_whitney_sorted, paired, power, power_paired, student,
    two_sd_rule, welch,
};
use serde_json::Value;
use std::sync::LazyLock;

use super::comparisons::{compare, runs, settings};

/// Numbers by `SciPy`, statsmodels and mpmath: see `data/README.md`.
static REFERENCE: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("data/reference/comparisons.json")).unwrap()
});

/// Every data set of the reference: its name, the baseline's runs, the candidate's.
fn data_sets() -> impl Iterator<Item = (&'static str, Vec<f64>, Vec<f64>)> {
    REFERENCE["data"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, set)| (name.as_str(), numbers(&set["a"]), numbers(&set["b"])))
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(number).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// Equal to within `relative`, of the size expected.
#[track_caller]
fn assert_near(ours: f64, expected: f64, relative: f64, what: &str) {
    let allowed = relative * expected.abs();
    assert!((ours - expected).abs() <= allowed, "{what}: {ours}, not {expected}");
}

/// Equal to within one unit of the last decimal place printed.
#[track_caller]
fn assert_prints(ours: f64, printed: &str, what: &str) {
    let places = printed.split_once('.').map_or(0, |(_, places)| places.len());
    let unit = 0.1_f64.powi(i32::try_from(places).unwrap());
    let expected: f64 = printed.parse().unwrap();
    assert!((ours - expected).abs() < 0.51 * unit, "{what}: {ours}, not {printed}");
}

/// Compares a t-test with one of the reference, or with its absence.
#[track_caller]
fn assert_t_test(ours: Option<TTest>, expected: &Value, what: &str) {
    let Some(ours) = ours else {
        assert!(expected["t"].is_null(), "{what}: none");
        return;
    };
    for (ours, key) in [
        (ours.t, "t"),
        (ours.df, "df"),
        (ours.p, "p_two_sided"),
        (ours.p_greater, "p_b_greater"),
        (ours.p_less, "p_b_less"),
    ] {
        assert_near(ours, number(&expected[key]), 1e-9, &format!("{what} {key}"));
    }
    for (ours, expected) in ours.ci.into_iter().zip(numbers(&expected["ci95"])) {
        assert_near(ours, expected, 1e-9, &format!("{what} ci"));
    }
}

#[track_caller]
fn assert_effect(ours: Option<f64>, expected: &Value, what: &str) {
    match (ours, expected.as_f64()) {
        (Some(ours), Some(expected)) => assert_near(ours, expected, 1e-9, what),
        (ours, expected) => assert_eq!(ours, expected, "{what}"),
    }
}

/// t-tests and effect sizes against one entry of the reference.
#[track_caller]
fn assert_comparison(b: &Moments, c: &Moments, expected: &Value, what: &str) {
    assert_t_test(welch(b, c), &expected["welch"], &format!("{what} welch"));
    assert_t_test(student(b, c), &expected["student"], &format!("{what} student"));
    assert_effect(cohen_d(b, c), &expected["cohen_d"], &format!("{what} d"));
    assert_effect(hedges_g(b, c), &expected["hedges_g_exact_J"], &format!("{what} g"));
}

fn summary(n: usize, mean: f64, sd: f64) -> Moments {
    Summary::new(n, mean, sd).unwrap().moments()
}

#[test]
fn t_tests_and_effect_sizes_agree_with_scipy() {
    for (name, baseline, candidate) in data_sets() {
        let expected = &REFERENCE["frequentist"][name];
        assert_comparison(
            &Moments::of(&baseline),
            &Moments::of(&candidate),
            expected,
            name,
        );
    }
}

#[test]
fn a_summary_is_tested_as_its_runs_would_be() {
    for name in ["D2_cpu", "D2_throughput"] {
        let expected = &REFERENCE["frequentist_summaries"][name]["reading1_sd_of_each_variants_runs"];
        let side = |which: &str| {
            let of = |what: &str| number(&expected[format!("{what}_{which}")]);
            summary(10, of("mean"), of("sd"))
        };
        assert_comparison(&side("a"), &side("b"), expected, name);
    }
}

#[test]
fn a_paired_test_is_that_of_the_differences() {
    for (name, mean, sd) in [("D2_cpu", -0.28, 0.4), ("D2_throughput", -0.96, 0.8)] {
        let expected = &REFERENCE["frequentist_summaries"][name]["reading2_sd_of_paired_run_differences_one_sample"];
        assert_t_test(paired(&summary(10, mean, sd)), expected, name);
    }
}

// The thread on NetBSD's mailing list, 2016.
#[test]
fn the_netbsd_thread_printed_these_numbers() {
    let test = |baseline: [f64; 3], candidate: [f64; 3]| {
        welch(&Moments::of(&baseline), &Moments::of(&candidate)).unwrap()
    };
    let throughput = test([152.7, 151.7, 153.5], [152.0, 153.4, 153.7]);
    assert_prints(throughput.t, ".54", "t");
    assert_prints(throughput.p, ".62", "p");
    let rfc2544 = test([162.9, 162.0, 162.7], [162.7, 164.2, 162.7]);
    assert_prints(rfc2544.t, "1.2", "t");
    assert_prints(rfc2544.p, ".32", "p");
    let detectable = |n, power| detectable(n, n, 0.05, power).unwrap();
    assert_prints(detectable(3, 0.8), "3", "three runs, 80 %");
    assert_prints(detectable(3, 0.5), "2", "three runs, 50 %");
    assert_prints(detectable(30, 0.8), ".7", "thirty runs, 80 %");
}

// The data sets `sleep`, `chickwts` and `mtcars` of R, and those of the vignette of its
// package BEST. (Those of Kruschke (2013) are `best_iq` in the reference.)
const SLEEP_1: [f64; 10] = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
const SLEEP_2: [f64; 10] = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
const BEST_1: [f64; 6] = [5.77, 5.33, 4.59, 4.33, 3.66, 4.48];
const BEST_2: [f64; 6] = [3.88, 3.55, 3.29, 2.59, 2.33, 3.59];
const HORSEBEAN: [f64; 10] =
    [179.0, 160.0, 136.0, 227.0, 217.0, 168.0, 108.0, 124.0, 143.0, 140.0];
const LINSEED: [f64; 12] = [
    309.0, 229.0, 181.0, 141.0, 260.0, 203.0, 148.0, 169.0, 213.0, 257.0, 244.0, 271.0,
];
const AUTOMATIC: [f64; 19] = [
    21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3, 15.2, 10.4, 10.4, 14.7,
    21.5, 15.5, 15.2, 13.3, 19.2,
];
const MANUAL: [f64; 13] =
    [21.0, 21.0, 22.8, 32.4, 30.4, 33.9, 27.3, 26.0, 30.4, 15.8, 19.7, 15.0, 21.4];

/// t, df, p and the interval, as R prints them.
#[track_caller]
fn assert_prints_test(ours: &TTest, [t, df, p, low, high]: [&str; 5]) {
    assert_prints(ours.t, t, "t");
    assert_prints(ours.df, df, "df");
    assert_prints(ours.p, p, "p");
    assert_prints(ours.ci[0], low, "low");
    assert_prints(ours.ci[1], high, "high");
}

#[test]
fn r_prints_the_same_t_tests_of_its_own_examples() {
    let of = |runs: &[f64]| Moments::of(runs);
    let test = welch(&of(&SLEEP_2), &of(&SLEEP_1)).unwrap();
    assert_prints_test(&test, ["-1.8608", "17.776", "0.07939", "-3.3655", "0.2055"]);
    let test = student(&of(&SLEEP_2), &of(&SLEEP_1)).unwrap();
    assert_prints_test(&test, ["-1.8608", "18", "0.07919", "-3.363874", "0.203874"]);
    let differences: Vec<f64> =
        SLEEP_1.iter().zip(SLEEP_2).map(|(a, b)| a - b).collect();
    let test = paired(&of(&differences)).unwrap();
    assert_prints_test(&test, ["-4.0621", "9", "0.002833", "-2.4598858", "-0.7001142"]);
    let test = welch(&of(&LINSEED), &of(&HORSEBEAN)).unwrap();
    assert_prints_test(
        &test,
        ["-3.017175", "19.76872", "0.006869064", "-99.0597", "-18.0403"],
    );
    let test = student(&of(&LINSEED), &of(&HORSEBEAN)).unwrap();
    assert_prints(test.t, "-2.934047", "t");
    assert_prints(test.p, "0.008205119", "p");
    let test = welch(&of(&MANUAL), &of(&AUTOMATIC)).unwrap();
    assert_prints_test(
        &test,
        ["-3.767123", "18.33225", "0.001373638", "-11.280194", "-3.209684"],
    );
}

#[test]
fn one_run_or_none_that_vary_leave_no_test() {
    let one = Moments::of(&[3.0]);
    let two = Moments::of(&[1.0, 2.0]);
    let constant = Moments::of(&[5.0, 5.0]);
    assert_eq!(welch(&one, &two), None);
    assert_eq!(welch(&two, &one), None);
    assert_eq!(student(&one, &one), None);
    assert_eq!(student(&one, &two).map(|test| test.df), Some(1.0));
    assert_eq!(paired(&one), None);
    assert_eq!(hedges_g(&one, &two), None);
    assert_eq!(two_sd_rule(&one, &two), None);
    assert_eq!(equal_variances(&one, &two), None);
    assert_eq!(BehrensFisher::new(&one, &two), None);
    assert_eq!(BehrensFisher::new(&two, &one), None);
    assert_eq!(power(1.0, 1, 1, 0.05), None);
    assert_eq!(detectable(1, 1, 0.05, 0.8), None);
    assert_eq!(welch(&constant, &constant), None);
    assert_eq!(student(&constant, &constant), None);
    assert_eq!(cohen_d(&constant, &constant), None);
    assert_eq!(two_sd_rule(&constant, &constant), None);
    assert_eq!(equal_variances(&constant, &constant), None);
    assert_eq!(BehrensFisher::new(&constant, &constant), None);
}

// Squares of these SDs underflow, their ratios do not.
#[test]
fn a_unit_of_1e_100_changes_no_test() {
    let scaled = |runs: &[f64], unit: f64| {
        Moments::of(&runs.iter().map(|run| run * unit).collect::<Vec<_>>())
    };
    let at = |unit| welch(&scaled(&SLEEP_1, unit), &scaled(&SLEEP_2, unit)).unwrap();
    for unit in [1e-100, 1e100] {
        assert_near(at(unit).p, at(1.0).p, 1e-12, "p");
        assert_near(at(unit).df, at(1.0).df, 1e-12, "df");
    }
}

#[test]
fn runs_whose_squares_overflow_leave_no_test() {
    let (b, c) = (Moments::of(&[1e200, -1e200]), Moments::of(&[1e200, 2e200]));
    assert_eq!(welch(&b, &c), None);
    assert_eq!(student(&b, &c), None);
    assert_eq!(hedges_g(&b, &c), None);
    assert_eq!(two_sd_rule(&b, &c), None);
    assert_eq!(equal_variances(&b, &c), None);
    assert_eq!(BehrensFisher::new(&b, &c), None);
}

// .28 % and .96 % lower, SD .4 % and .8 %: the Linux thread of 2005.
#[test]
fn both_differences_of_the_linux_thread_are_within_two_sds() {
    let rule = |change, sd| {
        two_sd_rule(&summary(10, 100.0, sd), &summary(10, 100.0 + change, sd)).unwrap()
    };
    let cpu = rule(-0.28, 0.4);
    assert_near(cpu.ratio, -0.7, 1e-12, "cpu");
    assert!(!cpu.beyond);
    let throughput = rule(-0.96, 0.8);
    assert_near(throughput.ratio, -1.2, 1e-12, "throughput");
    assert!(!throughput.beyond);
    assert!(rule(-0.81, 0.4).beyond);
}

// SDs 3 and 4: √((9 + 16)/2) = 3.5355…, whatever the numbers of runs.
#[test]
fn the_two_sd_rule_weighs_both_variances_alike() {
    let rule = two_sd_rule(&summary(3, 0.0, 3.0), &summary(300, 7.5, 4.0)).unwrap();
    assert_near(rule.ratio, 7.5 / 12.5_f64.sqrt(), 1e-12, "ratio");
    assert!(rule.beyond);
}

#[test]
fn mann_whitney_agrees_with_scipy_exact_or_corrected() {
    for (name, baseline, candidate) in data_sets() {
        let ours = mann_whitney(&baseline, &candidate);
        let expected = &REFERENCE["frequentist"][name]["mann_whitney"];
        assert_eq!(Some(ours.exact), expected["ties"].as_bool().map(|ties| !ties));
        assert_near(ours.u, number(&expected["U_b"]), 0.0, name);
        let p = if ours.exact {
            &expected["exact"]["p_two_sided_doubled"]
        } else {
            &expected["asymptotic_continuity"]["p_two_sided"]
        };
        assert_near(ours.p, number(p), 1e-9, name);
    }
}

// R: wilcox.test(c(4, 5, 6), c(1, 2, 3)) prints W = 9, p-value = 0.1.
#[test]
fn three_runs_all_above_three_others_have_p_of_one_in_ten() {
    let test = mann_whitney(&[1.0, 2.0, 3.0], &[6.0, 4.0, 5.0]);
    assert_near(test.u, 9.0, 0.0, "U");
    assert_near(test.p, 0.1, 1e-15, "p");
    assert!(test.exact);
    let reversed = mann_whitney(&[6.0, 4.0, 5.0], &[1.0, 2.0, 3.0]);
    assert_near(reversed.u, 0.0, 0.0, "U");
    assert_near(reversed.p, 0.1, 1e-15, "p");
}

// scipy.stats.mannwhitneyu 1.17.1, method="exact", then "asymptotic".
#[test]
fn fifty_runs_on_one_side_are_the_first_to_be_approximated() {
    let even = |n: i32| (0..n).map(|i| f64::from(2 * i)).collect::<Vec<_>>();
    let odd = (0..49).map(|i| f64::from(2 * i + 21)).collect::<Vec<_>>();
    let small = mann_whitney_sorted(&even(49), &odd);
    assert!(small.exact);
    assert_near(small.u, 1660.0, 0.0, "U");
    assert_near(small.p, 0.0009595747152989116, 1e-12, "exact p");
    let large = mann_whitney_sorted(&even(50), &odd);
    assert!(!large.exact);
    assert_near(large.u, 1670.0, 0.0, "U");
    assert_near(large.p, 0.0018654842806406766, 1e-12, "approximate p");
}

#[test]
fn runs_that_are_all_equal_show_nothing() {
    let test = mann_whitney(&[5.0; 3], &[5.0; 4]);
    assert_near(test.u, 6.0, 0.0, "U");
    assert_near(test.p, 1.0, 0.0, "p");
}

// 0 and −0 are one value, though the order of sorting tells them apart.
#[test]
fn minus_zero_ties_with_zero() {
    let test = mann_whitney(&[0.0, -0.0], &[-0.0, 0.0]);
    assert_near(test.u, 2.0, 0.0, "U");
    assert_near(test.p, 1.0, 0.0, "p");
}

#[test]
fn a_million_runs_a_side_in_two_heaps_overflow_nothing() {
    let n = 1_000_000;
    let test = mann_whitney_sorted(&vec![1.0; n], &vec![2.0; n]);
    assert_near(test.u, 1e12, 0.0, "U");
    assert!(test.p <= f64::MIN_POSITIVE && !test.exact);
    // One run differs: U is n/2 above its mean, σ² = n²/4, so z = 1 − 1/n.
    let mut candidate = vec![1.0; n];
    candidate[n - 1] = 2.0;
    let test = mann_whitney_sorted(&vec![1.0; n], &candidate);
    // mpmath 1.3.0: erfc((1 − 1e-6)/√2).
    assert_near(test.p, 0.31731099180460511, 1e-12, "p");
}

#[test]
fn power_agrees_with_statsmodels() {
    for row in REFERENCE["power"]["table"].as_array().unwrap() {
        let n = usize::try_from(row["n_per_group"].as_u64().unwrap()).unwrap();
        let effect = number(&row["effect"]);
        let expected = number(&row["student_power"]);
        for effect in [effect, -effect] {
            let ours = power(effect, n, n, 0.05).unwrap();
            assert_near(ours, expected, 1e-9, &format!("{n} {effect}"));
        }
    }
}

#[test]
fn the_detectable_difference_agrees_with_statsmodels() {
    for row in REFERENCE["power"]["effect_for_power"].as_array().unwrap() {
        let n = usize::try_from(row["n_per_group"].as_u64().unwrap()).unwrap();
        for percent in [50_u32, 80, 90] {
            let expected = number(&row[format!("student_{percent}")]);
            let ours = detectable(n, n, 0.05, f64::from(percent) / 100.0).unwrap();
            assert_near(ours, expected, 1e-9, &format!("{n} {percent} %"));
        }
    }
}

#[test]
fn the_detectable_difference_is_found_as_often_as_asked() {
    for (n1, n2) in [(1, 2), (2, 2), (3, 40), (1000, 7), (1_000_000, 2_000_000)] {
        for wanted in [0.06, 0.5, 0.8, 0.999] {
            let effect = detectable(n1, n2, 0.05, wanted).unwrap();
            let found = power(effect, n1, n2, 0.05).unwrap();
            assert_near(found, wanted, 1e-10, &format!("{n1} {n2}"));
        }
        let nothing = power(0.0, n1, n2, 0.05).unwrap();
        assert_near(nothing, 0.05, 1e-11, "no difference is found as often as alpha");
        assert_eq!(detectable(n1, n2, 0.05, 0.04), None);
        assert_eq!(detectable(n1, n2, 0.05, 1.0), None);
    }
}

// statsmodels 0.15.0, TTestIndPower.power(effect, n1, 0.05, ratio=n2/n1).
#[test]
fn unequal_numbers_of_runs_count_by_their_harmonic_mean() {
    for (effect, n1, n2, expected) in [
        (0.5, 10, 30, 0.26642712285096265),
        (1.2, 4, 100, 0.6447744608018681),
        (0.02, 20_000, 80_000, 0.7156083670838457),
    ] {
        let ours = power(effect, n1, n2, 0.05).unwrap();
        assert_near(ours, expected, 1e-9, &format!("{n1} {n2}"));
    }
}

// statsmodels 0.15.0, TTestPower.power(0.25, 30, 0.05); SciPy 1.17.1, the root of nct by
// brentq for ten blocks.
#[test]
fn blocks_have_the_power_of_one_sample() {
    assert_near(
        power_paired(0.25, 30, 0.05).unwrap(),
        0.2629625267626904,
        1e-9,
        "power",
    );
    let ours = detectable_paired(10, 0.05, 0.8).unwrap();
    assert_near(ours, 0.996001371455444, 1e-9, "detectable");
}

#[test]
fn behrens_fisher_agrees_with_quadrature() {
    for (name, baseline, candidate) in data_sets() {
        let expected = &REFERENCE["behrens_fisher"][name]["diff"];
        let ours =
            BehrensFisher::new(&Moments::of(&baseline), &Moments::of(&candidate));
        let Some(ours) = ours else {
            assert!(expected["p_gt_0"].is_null(), "{name}: none");
            continue;
        };
        assert_near(ours.p_greater(), number(&expected["p_gt_0"]), 1e-9, name);
        assert_near(ours.cdf(0.0), number(&expected["p_lt_0"]), 1e-9, name);
        for percent in ["2.5", "5", "25", "50", "75", "95", "97.5"] {
            let expected = number(&expected[format!("q{percent}")]);
            let quantile = ours.quantile(percent.parse::<f64>().unwrap() / 100.0);
            assert_near(quantile, expected, 1e-9, &format!("{name} {percent} %"));
        }
        for (end, expected) in
            ours.eti().into_iter().zip(numbers(&expected["central95"]))
        {
            assert_near(end, expected, 1e-9, name);
        }
    }
}

// mpmath 1.3.0: the convolution of two t densities, 20 digits, both ways round.
#[test]
fn behrens_fisher_holds_from_two_runs_to_a_million_and_for_any_ratio_of_noise() {
    for (n_b, error_b, n_c, error_c, x, expected) in [
        (3, 1.0, 3, 1.0, -0.5, 0.60215030822606075),
        (3, 1.0, 2, 0.001, 3.0, 0.047845899313141315),
        (2, 1.0, 4, 20.0, 7.0, 0.37976264552337833),
        (2, 0.01, 1000, 1.0, 1.5, 0.06934787622258405),
        (5, 2.0, 1_000_000, 1.0, 2.2, 0.18995315928418969),
        (30, 1.0, 100, 1.0, 2.5, 0.042017948156084237),
        (1_000_000, 1.0, 1_000_000, 0.3, 1.7, 0.05173030808927847),
        (2, 1.0, 1_000_000, 0.001, 40.0, 0.0079560899169932041),
    ] {
        // A side whose mean has the standard error `error`.
        let side = |n: usize, error: f64| summary(n, 0.0, error * (n as f64).sqrt());
        let (b, c) = (side(n_b, error_b), side(n_c, error_c));
        let what = format!("{n_b} {error_b} {n_c} {error_c}");
        for ours in [BehrensFisher::new(&b, &c), BehrensFisher::new(&c, &b)] {
            let ours = ours.unwrap();
            assert_near(ours.cdf(-x), expected, 1e-11, &what);
            assert_near(ours.quantile(expected), -x, 1e-10, &what);
            assert_near(ours.quantile(1.0 - expected), x, 1e-10, &what);
        }
    }
}

// A Cauchy variable plus another is a Cauchy variable with the sum of their scales.
#[test]
fn two_runs_a_side_make_a_cauchy_posterior() {
    for error in [1.0, 1e-3, 1e-9] {
        let side = |error: f64| summary(2, 0.0, error * 2.0_f64.sqrt());
        let ours = BehrensFisher::new(&side(1.0), &side(error)).unwrap();
        let scale = 1.0 + error;
        for p in [1e-6, 0.025, 0.25, 0.49] {
            let exact = -scale / (std::f64::consts::PI * p).tan();
            assert_near(ours.quantile(p), exact, 1e-9, &format!("{error} {p}"));
            assert_near(ours.cdf(exact), p, 1e-9, &format!("{error} {p}"));
        }
    }
}

// Exact quadrature of the reference posterior, to the digits printed.
#[test]
fn published_examples_have_these_posteriors() {
    let check = |candidate: &[f64], baseline: &[f64], eti: [&str; 2], p: &str| {
        let ours = BehrensFisher::new(&Moments::of(baseline), &Moments::of(candidate));
        let ours = ours.unwrap();
        assert_prints(ours.eti()[0], eti[0], "low");
        assert_prints(ours.eti()[1], eti[1], "high");
        assert_prints(ours.p_greater(), p, "P(difference > 0)");
    };
    check(&BEST_1, &BEST_2, ["0.47382", "2.5028"], "0.994668");
    check(&SLEEP_2, &SLEEP_1, ["-0.32934", "3.4893"], "0.951043");
    check(&[10.1, 10.3, 10.2], &[10.6, 10.9, 10.5], ["-1.0701", "0.13672"], "0.040907");
    check(&[10.0, 10.1, 10.2], &[10.3, 10.4, 10.8], ["-1.1308", "0.33085"], "0.074833");
    check(&[10.0, 10.1], &[10.3, 10.5], ["-2.2559", "1.5559"], "0.128881");
    let (_, placebo, drug) = data_sets().find(|(name, ..)| *name == "best_iq").unwrap();
    check(&drug, &placebo, ["-0.3738", "3.4893"], "0.943990");
}

#[test]
fn the_small_examples_have_these_t_tests() {
    let check = |candidate: &[f64], baseline: &[f64], printed: [&str; 5]| {
        let ours = welch(&Moments::of(baseline), &Moments::of(candidate)).unwrap();
        assert_prints_test(&ours, printed);
    };
    check(&BEST_1, &BEST_2, ["3.76242", "9.6093", "0.00397705", "0.60205", "2.3746"]);
    check(
        &SLEEP_2,
        &SLEEP_1,
        ["1.86081", "17.7765", "0.0793941", "-0.20548", "3.3655"],
    );
    check(
        &[10.1, 10.3, 10.2],
        &[10.6, 10.9, 10.5],
        ["-3.5", "2.876404", "0.0421716", "-0.901496", "-0.031837"],
    );
    check(
        &[10.0, 10.1, 10.2],
        &[10.3, 10.4, 10.8],
        ["-2.44949", "2.56", "0.106367", "-0.97407", "0.17407"],
    );
    check(
        &[10.0, 10.1],
        &[10.3, 10.5],
        ["-3.1305", "1.4706", "0.129048", "-1.0419", "0.34185"],
    );
    let (_, placebo, drug) = data_sets().find(|(name, ..)| *name == "best_iq").unwrap();
    check(&drug, &placebo, ["1.62219", "63.0389", "0.109754", "-0.36118", "3.4767"]);
}

// mpmath 1.3.0 at 30 digits: twice the smaller tail of the incomplete beta function.
#[test]
fn the_f_test_tells_unequal_variances() {
    for (name, expected) in [
        ("netbsd_a", 0.99389002036659878),
        ("netbsd_b", 0.4589041095890411),
        ("best_iq", 1.0316645261922477e-7),
        ("tiny_values", 0.072986060451080908),
        ("two_runs", 0.041936111264347695),
    ] {
        let (_, baseline, candidate) =
            data_sets().find(|(set, ..)| *set == name).unwrap();
        let (b, c) = (Moments::of(&baseline), Moments::of(&candidate));
        assert_near(equal_variances(&b, &c).unwrap(), expected, 1e-10, name);
        assert_near(equal_variances(&c, &b).unwrap(), expected, 1e-10, name);
    }
}

#[test]
fn a_constant_side_against_a_noisy_one_has_no_equal_variance() {
    let (constant, noisy) = (Moments::of(&[5.0; 6]), Moments::of(&[1.0, 2.0]));
    assert_eq!(equal_variances(&constant, &noisy), Some(0.0));
    assert_eq!(equal_variances(&noisy, &constant), Some(0.0));
}

/// R's `sleep`: extra hours of sleep of ten patients under two drugs.
const SLEEP: [[f64; 10]; 2] = [
    [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
];

#[test]
fn bayes_factors_are_those_of_r_and_shown_only_when_asked_for() {
    // R's BayesFactor 0.9.12, r = √2/2: ttestBF(sleep), independent and paired.
    for (model, expected) in [("normal", 1.265_925), ("paired", 17.258_88)] {
        let mut settings = settings(model);
        let [a, b] = SLEEP.map(|drug| runs(&drug));
        let without =
            compare(Direction::HigherIsBetter, a.clone(), b.clone(), &settings);
        assert_eq!(without.tests.bayes_factor, None);
        settings.bayes_factor = true;
        let with = compare(Direction::HigherIsBetter, a, b, &settings);
        let bf10 = with.tests.bayes_factor.expect("known").bf10;
        assert!((bf10 / expected - 1.0).abs() < 1e-6, "{model}: {bf10}");
    }
}
