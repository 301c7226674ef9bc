//! R-hat, effective sample sizes and standard errors against ArviZ and R's `posterior`.

use ndarray::{Array2, ArrayView2};
use patchodds::draws::diagnostics::{
    ebfmi, ess_bulk, ess_mean, ess_median, ess_quantile, ess_tail, mcse_mean,
    mcse_median, mcse_quantile, rhat,
};
use serde_json::Value;

fn reference() -> Value {
    let text = include_str!("data/reference/diagnostics.json");
    serde_json::from_str(text).expect("valid JSON")
}

/// A column a chain, a row an iteration.
fn matrix(name: &str) -> Array2<f64> {
    let path =
        format!("{}/tests/data/reference/draws/{name}.csv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("a readable file");
    let rows: Vec<Vec<f64>> = text
        .lines()
        .skip(1)
        .map(|line| {
            line.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN)).collect()
        })
        .collect();
    Array2::from_shape_fn((rows[0].len(), rows.len()), |(chain, iteration)| {
        rows[iteration][chain]
    })
}

type Diagnostic = fn(ArrayView2<'_, f64>) -> Option<f64>;

const DIAGNOSTICS: [(&str, Diagnostic); 7] = [
    ("rhat_rank", |x| rhat(x)),
    ("ess_bulk", |x| ess_bulk(x)),
    ("ess_tail", |x| ess_tail(x)),
    ("ess_mean", |x| ess_mean(x)),
    ("ess_median", |x| ess_median(x)),
    ("mcse_mean", |x| mcse_mean(x)),
    ("mcse_median", |x| mcse_median(x)),
];

fn assert_close(ours: Option<f64>, theirs: f64, tolerance: f64, what: &str) {
    let ours = ours.unwrap_or_else(|| panic!("{what} is unknown"));
    assert!(
        (ours - theirs).abs() <= tolerance * theirs.abs(),
        "{what}: {ours} against {theirs}"
    );
}

#[test]
fn diagnostics_agree_with_arviz_and_posterior() {
    let reference = reference();
    for name in ["ar1_0.9", "iid", "one_shifted_chain", "cauchy"] {
        let draws = matrix(name);
        for program in
            [&reference["arviz"]["matrices"][name], &reference["r_posterior"][name]]
        {
            for (key, diagnostic) in DIAGNOSTICS {
                let theirs = program[key].as_f64().expect("a number");
                assert_close(
                    diagnostic(draws.view()),
                    theirs,
                    1e-6,
                    &format!("{name} {key}"),
                );
            }
            for p in [0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975] {
                let key = p.to_string();
                let ess = program["ess_quantile"][&key].as_f64().expect("a number");
                let mcse = program["mcse_quantile"][&key].as_f64().expect("a number");
                let what = format!("{name} at {p}");
                assert_close(ess_quantile(draws.view(), p), ess, 1e-6, &what);
                assert_close(mcse_quantile(draws.view(), p), mcse, 1e-6, &what);
            }
        }
    }
}

#[test]
fn values_that_are_constant_or_not_finite_have_no_diagnostics() {
    // As R's posterior; ArviZ gives a constant an ESS of all its draws.
    for name in ["constant", "with_nan"] {
        let draws = matrix(name);
        for (key, diagnostic) in DIAGNOSTICS {
            assert_eq!(diagnostic(draws.view()), None, "{name} {key}");
        }
    }
}

#[test]
fn eight_schools_have_the_diagnostics_that_posterior_prints() {
    // posterior 1.4.0, example_draws("eight_schools"), 4 chains of 100; all digits that
    // ArviZ 1.3 shares.
    let (mu, tau) = (matrix("eight_schools_mu"), matrix("eight_schools_tau"));
    let expected: [(&str, Diagnostic, f64, f64); 7] = [
        ("rhat", |x| rhat(x), 1.021_923_027_5, 1.014_672_739_5),
        ("ess_bulk", |x| ess_bulk(x), 558.017_311_097_5, 246.373_392_216_0),
        ("ess_tail", |x| ess_tail(x), 322.095_517_981_2, 202.023_422_755_8),
        ("ess_mean", |x| ess_mean(x), 511.522_530_548_3, 280.593_619_848_4),
        ("ess_median", |x| ess_median(x), 515.090_814_707_5, 358.980_638_427_5),
        ("mcse_mean", |x| mcse_mean(x), 0.150_439_434_4, 0.213_452_161_4),
        ("mcse_median", |x| mcse_median(x), 0.318_913_496_3, 0.249_961_946_3),
    ];
    for (name, diagnostic, of_mu, of_tau) in expected {
        assert_close(diagnostic(mu.view()), of_mu, 1e-8, &format!("{name} of mu"));
        assert_close(diagnostic(tau.view()), of_tau, 1e-8, &format!("{name} of tau"));
    }
}

#[test]
fn draws_that_swing_about_are_worth_at_most_n_log10_n() {
    // The cap of Vehtari et al. (2021): 1,000 alternating draws give 1000 · log10(1000).
    let swinging = Array2::from_shape_fn((1, 1000), |(_, i)| {
        let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
        sign + 1e-3 * ((i * 7919) % 1000) as f64
    });
    assert_close(ess_mean(swinging.view()), 3000.0, 1e-12, "ESS");
}

#[test]
fn energy_that_wanders_has_a_low_ebfmi() {
    // 0, 1, …, 9: steps of 1, nine of them; squared deviations n(n² − 1)/12 = 82.5.
    let steady = Array2::from_shape_fn((1, 10), |(_, i)| i as f64);
    assert_close(ebfmi(steady.view())[0], 9.0 / 82.5, 1e-12, "E-BFMI");
    // Alternating 1 and −1: steps of 2, nine of them; squared deviations 10.
    let free =
        Array2::from_shape_fn((1, 10), |(_, i)| if i % 2 == 0 { 1.0 } else { -1.0 });
    assert_close(ebfmi(free.view())[0], 36.0 / 10.0, 1e-12, "E-BFMI");
    assert_eq!(ebfmi(Array2::zeros((1, 10)).view()), [None]);
}
