//! R-hat, ESS, MCSE, intervals and probabilities against other programs' numbers.
//!
//! `reference/diagnostics.json` holds those of `ArviZ` 0.23.4 and of R's `posterior`
//! 1.4.0 for the same draws; see `tests/data/README.md`.

#![allow(clippy::float_cmp, reason = "small whole numbers are exact")]

use std::fs;
use std::path::{Path, PathBuf};

use ndarray::{Array2, array};
use patchodds::draws::{
    INTERVAL, Probability, Summary, diagnostics, eti, hdi, quantile,
};
use serde_json::Value;

fn reference(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reference").join(name)
}

/// Draws of a file with a column a chain: chains × iterations.
fn draws(name: &str) -> Array2<f64> {
    let path = reference("draws").join(format!("{name}.csv"));
    let mut reader = csv::Reader::from_path(path).expect("a readable file");
    let rows: Vec<Vec<f64>> = reader
        .records()
        .map(|row| row.expect("a row").iter().map(number).collect())
        .collect();
    Array2::from_shape_fn((rows[0].len(), rows.len()), |(chain, i)| rows[i][chain])
}

fn number(field: &str) -> f64 {
    if field.is_empty() { f64::NAN } else { field.parse().expect("a number") }
}

/// A walk from whole numbers alone, the same in any language: Wichmann & Hill's first
/// generator, xᵢ = a·xᵢ₋₁ + s/30269 − 1/2.
fn walks(chains: u32, iterations: usize, a: f64) -> Array2<f64> {
    let walk = |chain: u32| {
        (0..iterations).scan((1000 * chain + 1, 0.0), move |(state, x), _| {
            *state = *state * 171 % 30269;
            *x = a * *x + (f64::from(*state) / 30269.0 - 0.5);
            Some(*x)
        })
    };
    let values = (1..=chains).flat_map(walk).collect();
    Array2::from_shape_vec((chains as usize, iterations), values).expect("that many")
}

#[track_caller]
fn assert_close(got: Option<f64>, expected: Option<f64>, relative: f64, what: &str) {
    match (got, expected) {
        (Some(got), Some(expected)) => assert!(
            (got - expected).abs() <= relative * expected.abs(),
            "{what}: {got}, expected {expected}"
        ),
        _ => assert_eq!(got, expected, "{what}"),
    }
}

/// Every number that both programs give and that we compute, by its name in the file.
fn ours(name: &str, draws: &Array2<f64>) -> Option<f64> {
    match name.split_once('/') {
        Some(("ess_quantile", p)) => diagnostics::ess_quantile(draws, number(p)),
        Some(("mcse_quantile", p)) => diagnostics::mcse_quantile(draws, number(p)),
        _ => match name {
            "rhat_rank" => diagnostics::rhat(draws),
            "ess_bulk" => diagnostics::ess_bulk(draws),
            "ess_tail" => diagnostics::ess_tail(draws),
            "ess_mean" => diagnostics::ess_mean(draws),
            "ess_median" => diagnostics::ess_median(draws),
            "mcse_mean" => diagnostics::mcse_mean(draws),
            "mcse_median" => diagnostics::mcse_median(draws),
            other => panic!("there is no diagnostic {other}"),
        },
    }
}

const NAMES: [&str; 21] = [
    "rhat_rank",
    "ess_bulk",
    "ess_tail",
    "ess_mean",
    "ess_median",
    "mcse_mean",
    "mcse_median",
    "ess_quantile/0.025",
    "ess_quantile/0.05",
    "ess_quantile/0.25",
    "ess_quantile/0.5",
    "ess_quantile/0.75",
    "ess_quantile/0.95",
    "ess_quantile/0.975",
    "mcse_quantile/0.025",
    "mcse_quantile/0.05",
    "mcse_quantile/0.25",
    "mcse_quantile/0.5",
    "mcse_quantile/0.75",
    "mcse_quantile/0.95",
    "mcse_quantile/0.975",
];

#[test]
fn r_hat_ess_and_mcse_are_those_of_posterior_and_arviz() {
    let text = fs::read_to_string(reference("diagnostics.json")).unwrap();
    let programs: Value = serde_json::from_str(&text).unwrap();
    let matrices = programs["r_posterior"].as_object().unwrap();
    assert_eq!(matrices.len(), 6);
    for (matrix, by_r) in matrices {
        let draws = draws(matrix);
        let by_arviz = &programs["arviz"]["matrices"][matrix];
        for name in NAMES {
            let pointer = format!("/{name}");
            let r = by_r.pointer(&pointer).expect("a number of R").as_f64();
            let arviz = by_arviz.pointer(&pointer).expect("one of ArviZ").as_f64();
            let what = format!("{name} of {matrix}");
            // R prints 15 digits; the autocovariances differ in the last few.
            assert_close(ours(name, &draws), r, 1e-10, &what);
            // The programs differ in nothing but constant draws, which ArviZ calls all
            // independent and R not available.
            if matrix != "constant" {
                assert_close(ours(name, &draws), arviz, 1e-10, &what);
            }
        }
    }
}

#[test]
fn the_eight_schools_have_the_diagnostics_that_posterior_gives() {
    // R posterior 1.4.0 on its example_draws("eight_schools"), to ten places.
    let (mu, tau) = (draws("eight_schools_mu"), draws("eight_schools_tau"));
    for (name, of_mu, of_tau) in [
        ("rhat_rank", 1.021_923_027_5, 1.014_672_739_5),
        ("ess_bulk", 558.017_311_097_5, 246.373_392_216_0),
        ("ess_tail", 322.095_517_981_2, 202.023_422_755_8),
        ("ess_mean", 511.522_531_048_3, 280.593_619_848_4),
        ("ess_median", 515.090_814_707_5, 358.980_638_427_5),
        ("mcse_mean", 0.150_439_434_4, 0.213_452_161_4),
        ("mcse_median", 0.318_913_496_3, 0.249_961_946_3),
    ] {
        assert_close(ours(name, &mu), Some(of_mu), 1e-9, &format!("{name} of mu"));
        assert_close(ours(name, &tau), Some(of_tau), 1e-9, &format!("{name} of tau"));
    }
}

#[test]
fn chains_that_hardly_move_need_lags_beyond_those_summed_directly() {
    // R posterior 1.4.0 on the same walk; 1,001 iterations, so that the middle one of
    // an odd number is left out too.
    let slow = walks(4, 1001, 0.98);
    for (name, by_r) in [
        ("rhat_rank", 1.081_025_533_705_22),
        ("ess_bulk", 33.482_939_641_741_1),
        ("ess_tail", 35.688_971_455_787_7),
        ("ess_mean", 33.371_323_227_963_6),
        ("mcse_mean", 0.263_268_688_107_669),
        ("mcse_median", 0.228_968_638_896_565),
    ] {
        assert_close(ours(name, &slow), Some(by_r), 1e-10, name);
    }
}

#[test]
fn short_chains_stop_five_lags_before_their_end_as_in_posterior() {
    // ess_mean of R posterior 1.4.0; `ArviZ` gives other numbers for odd half chains.
    for (iterations, by_r) in [
        (14, 16.337_883_994_006_7),
        (18, 11.588_125_268_330_8),
        (22, 9.532_689_757_326_56),
    ] {
        let ess = diagnostics::ess_mean(&walks(4, iterations, 0.98));
        assert_close(ess, Some(by_r), 1e-10, &format!("{iterations} iterations"));
    }
}

#[test]
fn tied_draws_share_their_average_rank() {
    // R posterior 1.4.0 on the same whole numbers, −2 to 3.
    let tied = walks(4, 101, 0.3).mapv(|x| (4.0 * x).round_ties_even());
    for (name, by_r) in [
        ("rhat_rank", 1.013_071_399_820_17),
        ("ess_bulk", 230.968_949_238_067),
        ("ess_tail", 291.334_327_053_162),
        ("ess_mean", 236.624_098_605_708),
        ("mcse_mean", 0.084_176_706_074_098_3),
    ] {
        assert_close(ours(name, &tied), Some(by_r), 1e-10, name);
    }
}

#[test]
fn both_signs_of_zero_are_tied() {
    let zeros = |zero: f64| {
        walks(4, 101, 0.3).mapv(|x| if x.abs() < 0.2 { zero * x.signum() } else { x })
    };
    let (signed, unsigned) = (zeros(0.0), zeros(0.0).mapv(|x| x + 0.0));
    assert!(signed.iter().any(|&x| x == 0.0 && x.is_sign_negative()));
    assert_eq!(Summary::of(&signed, INTERVAL), Summary::of(&unsigned, INTERVAL));
}

#[test]
fn antithetic_chains_are_worth_no_more_than_s_log_s() {
    // The bound of Vehtari et al. (2021), section 4: 3,000 = 1,000·log10(1,000).
    let one_chain = walks(1, 1000, -0.95);
    assert_close(diagnostics::ess_mean(&one_chain), Some(3000.0), 1e-12, "one chain");
    let alternating = Array2::from_shape_fn((4, 2500), |(_, i)| f64::from(i % 2 == 0));
    assert_close(
        diagnostics::ess_mean(&alternating),
        Some(40_000.0),
        1e-12,
        "0, 1, 0, 1",
    );
}

#[test]
fn a_unit_changes_no_ess_and_scales_the_mcse() {
    let seconds = draws("ar1_0.9").mapv(|x| x + 20.0);
    let scaled = seconds.mapv(|x| x * 2f64.powi(-30)); // exact: a power of two
    for name in NAMES {
        let factor = if name.starts_with("mcse") { 2f64.powi(-30) } else { 1.0 };
        let expected = ours(name, &seconds).map(|value| value * factor);
        assert_close(ours(name, &scaled), expected, 1e-12, name);
    }
}

#[test]
fn nothing_is_known_of_draws_that_are_constant_infinite_too_few_or_none() {
    let mut infinite = draws("iid");
    infinite[[0, 2]] = f64::INFINITY;
    let constant = Array2::from_elem((4, 100), 0.1);
    for draws in [infinite, constant, walks(4, 3, 0.0), Array2::zeros((0, 0))] {
        for name in NAMES {
            assert_eq!(ours(name, &draws), None, "{name} of {draws}");
        }
    }
}

#[test]
fn chains_that_stand_still_at_different_values_have_an_infinite_r_hat() {
    let stuck = Array2::from_shape_fn((4, 100), |(chain, _)| (chain * chain) as f64);
    assert_eq!(diagnostics::rhat(&stuck), Some(f64::INFINITY));
}

#[test]
fn the_error_of_a_probability_is_that_of_the_mean_of_its_indicator() {
    // R posterior 1.4.0: mcse_mean(x > 0) and mean(x > 0).
    for (matrix, value, mcse) in [
        ("iid", 0.485, 0.016_703_087_436_206_8),
        ("ar1_0.9", 0.49625, 0.065_764_105_033_531_4),
    ] {
        let event = draws(matrix).mapv(|x| x > 0.0);
        let probability = Probability::of(&event, None).unwrap();
        assert_close(Some(probability.value), Some(value), 1e-15, matrix);
        assert_close(Some(probability.mcse), Some(mcse), 1e-10, matrix);
        assert_eq!(diagnostics::mcse_probability(&event), Some(probability.mcse));
    }
}

#[test]
fn draws_that_all_agree_leave_an_error_of_about_one_in_their_number() {
    // The SD of Beta(a, 1) is √(a/(a + 2))/(a + 1), here with a = 4,001.
    let sd = (4001.0 / 4003.0_f64).sqrt() / 4002.0;
    for always in [true, false] {
        let event = Array2::from_elem((4, 1000), always);
        let probability = Probability::of(&event, None).unwrap();
        assert_close(Some(probability.value), Some(f64::from(always)), 0.0, "share");
        assert_close(Some(probability.mcse), Some(sd), 1e-12, "all agree");
        assert_eq!(diagnostics::mcse_probability(&event), None);
    }
    // One dissenter: √(p(1 − p)/S) with p = 1/4,000 is 1/4,000 too; the ESS of a lone 1
    // among zeros is S but for half a per cent.
    let mut event = Array2::from_elem((4, 1000), false);
    event[[1, 300]] = true;
    let probability = Probability::of(&event, None).unwrap();
    assert_close(Some(probability.mcse), Some(1.0 / 4000.0), 5e-3, "one dissenter");
}

#[test]
fn draws_that_all_agree_count_for_no_more_than_the_quantity_behind_them() {
    let event = Array2::from_elem((4, 1000), true);
    let mcse = |ess| Probability::of(&event, ess).unwrap().mcse;
    assert_close(
        Some(mcse(Some(38.0))),
        Some((39.0 / 41.0_f64).sqrt() / 40.0),
        1e-12,
        "",
    );
    assert_close(Some(mcse(Some(9000.0))), Some(mcse(None)), 0.0, "no more than all");
}

#[test]
fn a_few_draws_that_differ_do_not_look_unanimous() {
    // Two chains of two: too short for an ESS. The SD of Beta(3, 3) is √(1/28).
    let probability =
        Probability::of(&array![[true, false], [false, true]], None).unwrap();
    assert_close(
        Some(probability.mcse),
        Some((1.0 / 28.0_f64).sqrt()),
        1e-12,
        "2 in 4",
    );
    assert_eq!(Probability::of(&Array2::from_elem((4, 0), true), None), None);
}

#[test]
fn e_bfmi_is_the_energy_change_of_one_step_over_the_spread() {
    // Steps 1 and 2: 1 + 4; around the mean 7/3: 16/9 + 1/9 + 25/9 = 42/9.
    let energies = array![[1.0, 2.0, 4.0], [5.0, 5.0, 5.0], [1.0, f64::NAN, 2.0]];
    let fractions = diagnostics::ebfmi(&energies);
    assert_close(fractions[0], Some(5.0 / (42.0 / 9.0)), 1e-14, "three energies");
    assert_eq!(fractions[1..], [None, None]);
}

#[test]
fn e_bfmi_is_arviz_s_chain_by_chain() {
    // az.bfmi of ArviZ 0.23.4.
    let by_arviz = [
        0.184_656_150_038_224_47,
        0.197_055_530_910_110_97,
        0.237_749_103_054_472_4,
        0.107_343_891_052_252_4,
    ];
    let fractions = diagnostics::ebfmi(&draws("ar1_0.9"));
    assert_eq!(fractions.len(), 4);
    for (ours, by_arviz) in fractions.into_iter().zip(by_arviz) {
        assert_close(ours, Some(by_arviz), 1e-12, "E-BFMI");
    }
}

#[test]
fn a_quantile_lies_between_its_two_order_statistics() {
    // Type 7: (n − 1)p = 0.75 from the first, and 1.5, and 3.
    let values = [1.0, 2.0, 4.0, 8.0];
    let got = [0.0, 0.25, 0.5, 1.0].map(|p| quantile(&values, p));
    assert_eq!(got, [1.0, 1.75, 3.0, 8.0]);
    assert_eq!([0.0, 0.3, 1.0].map(|p| quantile(&[7.0], p)), [7.0; 3]);
}

#[test]
fn the_hdi_is_the_shortest_interval_and_the_first_of_equals() {
    // ⌈0.5 · 5⌉ = 3 of five: 0 to 3, 2 to 4 and 3 to 9; the second is shortest.
    assert_eq!(hdi(&[0.0, 2.0, 3.0, 4.0, 9.0], 0.5), [2.0, 4.0]);
    // Exactly half of four is two: 1 to 2 and 4 to 5 are equally short.
    assert_eq!(hdi(&[1.0, 2.0, 4.0, 5.0], 0.5), [1.0, 2.0]);
    assert_eq!(hdi(&[7.0], 0.95), [7.0, 7.0]);
    assert_eq!(hdi(&[1.0, 2.0], 1.0), [1.0, 2.0]);
}

#[test]
fn the_hdi_holds_seven_of_a_hundred_at_seven_per_cent() {
    // In binary 0.07 · 100 is a little above 7.
    let values: Vec<f64> = (0..100).map(f64::from).collect();
    assert_eq!(hdi(&values, 0.07), [0.0, 6.0]);
}

#[test]
fn an_equal_tailed_interval_leaves_as_much_on_either_side() {
    // 0 … 100: the quantile p is 100p.
    let values: Vec<f64> = (0..=100).map(f64::from).collect();
    let [low, high] = eti(&values, 0.95);
    assert_close(Some(low), Some(2.5), 1e-12, "low");
    assert_close(Some(high), Some(97.5), 1e-12, "high");
}

#[test]
fn a_summary_is_made_of_the_diagnostics_and_intervals_above() {
    let draws = draws("iid");
    let summary = Summary::of(&draws, INTERVAL);
    let mut sorted: Vec<f64> = draws.iter().copied().collect();
    sorted.sort_by(f64::total_cmp);
    // The mean and SD of diagnostics.json, by NumPy.
    assert_close(summary.mean, Some(-0.055_376_272_336_155_34), 1e-13, "mean");
    assert_close(summary.sd, Some(1.058_738_328_260_203_6), 1e-13, "sd");
    let expected = Summary {
        mean: summary.mean,
        sd: summary.sd,
        median: Some(quantile(&sorted, 0.5)),
        hdi: Some(hdi(&sorted, 0.95)),
        eti: Some(eti(&sorted, 0.95)),
        mcse_mean: diagnostics::mcse_mean(&draws),
        mcse_median: diagnostics::mcse_median(&draws),
        rhat: diagnostics::rhat(&draws),
        ess_bulk: diagnostics::ess_bulk(&draws),
        ess_tail: diagnostics::ess_tail(&draws),
    };
    assert_eq!(summary, expected);
}

#[test]
fn where_moments_do_not_exist_the_order_of_the_draws_still_speaks() {
    let whole = Summary::of(&draws("cauchy"), INTERVAL);
    let expected = Summary { mean: None, sd: None, mcse_mean: None, ..whole };
    assert_eq!(whole.without_moments(), expected);
    assert_eq!(whole.without_sd(), Summary { mean: whole.mean, ..expected });
    assert!(whole.median.is_some() && whole.hdi.is_some() && whole.ess_tail.is_some());
}

#[test]
fn constant_draws_have_a_centre_and_no_spread_but_no_diagnostics() {
    let summary = Summary::of(&draws("constant"), INTERVAL);
    let expected = Summary {
        mean: Some(3.25),
        sd: Some(0.0),
        median: Some(3.25),
        hdi: Some([3.25; 2]),
        eti: Some([3.25; 2]),
        ..Summary::default()
    };
    assert_eq!(summary, expected);
}

#[test]
fn a_nan_leaves_nothing_and_an_infinity_leaves_the_order() {
    assert_eq!(Summary::of(&draws("with_nan"), INTERVAL), Summary::default());
    let infinite = array![[1.0, 2.0, 3.0, 4.0, f64::INFINITY]];
    let expected = Summary {
        median: Some(3.0),
        hdi: Some([1.0, 4.0]), // ⌈0.8 · 5⌉ = 4
        ..Summary::default()
    };
    // The upper limit of the equal-tailed one, (n − 1)p = 3.6, leans on the infinity.
    assert_eq!(Summary::of(&infinite, 0.8), expected);
}
