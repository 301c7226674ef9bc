//! Pareto-smoothed weights and power-scaling sensitivities against arviz-stats 0.8.0:
//! `reference/importance.py` made `reference/importance.json`.

use std::fs;
use std::path::Path;

use patchodds::draws::{PowerScaled, psis};
use serde_json::Value;

fn reference() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/reference/importance.json");
    serde_json::from_str(&fs::read_to_string(path).expect("readable")).expect("JSON")
}

/// The golden-ratio sequence: frac(i · 0.618…), i = 1 … n.
fn uniform(n: usize) -> Vec<f64> {
    (1..=n).map(|i| (i as f64 * 0.618_033_988_749_894_9) % 1.0).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn count(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a count")).expect("small")
}

#[test]
fn the_largest_weights_and_their_tail_are_those_of_arviz() {
    for case in reference()["smoothed"].as_array().expect("a list") {
        let shape = number(&case["shape"]);
        let ratios: Vec<f64> =
            uniform(count(&case["n"])).iter().map(|u| -shape * (-u).ln_1p()).collect();
        let smoothed = psis(&ratios, number(&case["r_eff"]));
        let k = smoothed.k.expect("a tail");
        assert!((k - number(&case["k"])).abs() < 1e-9, "{k} {case}");
        let mut weights = smoothed.log_weights.clone();
        weights.sort_by(|a, b| b.total_cmp(a));
        let largest = case["largest_log_weights"].as_array().expect("a list");
        for (ours, theirs) in weights.iter().zip(largest) {
            assert!((ours - number(theirs)).abs() < 1e-9, "{ours} {theirs}");
        }
        let first = number(&case["log_weight_of_first"]);
        assert!((smoothed.log_weights[0] - first).abs() < 1e-9);
        let sum: f64 = smoothed.log_weights.iter().map(|log| log.exp()).sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }
}

#[test]
fn equal_ratios_have_no_tail_and_equal_weights() {
    let smoothed = psis(&[3.0; 100], 1.0);
    assert_eq!(smoothed.k, None);
    assert!(smoothed.log_weights.iter().all(|log| (log + 100_f64.ln()).abs() < 1e-12));
}

#[test]
fn too_few_draws_have_no_tail_to_rely_on() {
    assert_eq!(psis(&[0.0, 1.0, 2.0], 1.0).k, Some(f64::INFINITY));
}

#[test]
fn sensitivities_are_those_of_arviz() {
    for case in reference()["sensitivity"].as_array().expect("a list") {
        let draws: Vec<f64> =
            uniform(count(&case["n"])).iter().map(|u| u.ln() - (-u).ln_1p()).collect();
        let (mean, sd) = (number(&case["mean"]), number(&case["sd"]));
        let logs: Vec<f64> =
            draws.iter().map(|x| -0.5 * ((x - mean) / sd).powi(2)).collect();
        let ours = PowerScaled::of(&logs, 1.0).sensitivity(&draws).expect("known");
        let theirs = number(&case["sensitivity"]);
        assert!((ours - theirs).abs() < 1e-9 * theirs.max(1.0), "{ours} {theirs}");
    }
}

#[test]
fn what_does_not_vary_has_no_sensitivity() {
    let scaled = PowerScaled::of(&uniform(100), 1.0);
    assert_eq!(scaled.sensitivity(&[1.0; 100]), None);
    assert_eq!(scaled.sensitivity(&[f64::NAN; 100]), None);
}
