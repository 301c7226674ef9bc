//! The Stan programs: those in `models/` are what is generated, and they have the density
//! and the gradient of ours, by Stan: `reference/stan.py` made `reference/stan.json`.

use std::fs;
use std::path::Path;

use patchodds::data::{Measurements, Pair, Sample};
use patchodds::model::{MODELS, Posterior, Spec, stan};
use serde_json::Value;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list");
    list.iter().map(|number| number.as_f64().expect("a number")).collect()
}

fn variant(runs: &Value, pooled: bool) -> Measurements {
    let invocations: Vec<Vec<f64>> =
        runs.as_array().expect("a list").iter().map(numbers).collect();
    let sample = if pooled {
        Sample::new(invocations.concat())
    } else {
        Sample::from_invocations(invocations)
    };
    Measurements::Runs(sample.expect("finite runs"))
}

#[test]
fn the_programs_in_models_are_those_that_are_generated() {
    for model in MODELS {
        let program = stan::program(&Spec::built_in(model.name).expect("it ships"));
        if std::env::var_os("BLESS").is_some() {
            let path = root().join("models").join(format!("{}.stan", model.name));
            fs::write(path, &program).expect("a file");
            continue;
        }
        assert_eq!(model.stan, program, "{}: BLESS=1 writes it", model.name);
    }
}

#[test]
fn density_and_gradient_are_those_of_stan() {
    let text = fs::read_to_string(root().join("tests/data/reference/stan.json"));
    let reference: Value =
        serde_json::from_str(&text.expect("readable")).expect("JSON");
    for model in MODELS {
        let pooled = model.name != "nested";
        let [a, b] = ["baseline", "candidate"]
            .map(|name| variant(&reference["runs"][name], pooled));
        let pair = Pair::new(["a", "b"], [&a, &b]).expect("a pair");
        let spec = Spec::built_in(model.name).expect("it ships");
        let posterior = Posterior::new(&spec, &pair).expect("it fits");
        let points = reference["models"][model.name].as_array().expect("points");
        assert_eq!(points.len(), 20);
        let mut constant = None;
        for point in points {
            let (log, theirs) =
                (point["log_prob"].as_f64(), numbers(&point["gradient"]));
            let (values, order) = in_our_order(&posterior, &point["values"]);
            let parameters = posterior.standardised(&values);
            let (ours, gradient) = posterior.log_joint_gradient(&parameters);
            let apart = ours - log.expect("a number");
            let first = *constant.get_or_insert(apart);
            assert!((apart - first).abs() < 1e-8, "{}: {apart} {first}", model.name);
            for (at, slope) in gradient.iter().enumerate() {
                let expected = theirs[order[at]];
                let tolerance = 1e-8 * (1.0 + expected.abs());
                assert!(
                    (slope - expected).abs() < tolerance,
                    "{}: parameter {at}: {slope} {expected}",
                    model.name
                );
            }
        }
    }
}

/// The values in the order of our parameters, and the place of each among Stan's.
fn in_our_order(posterior: &Posterior, values: &Value) -> (Vec<f64>, Vec<usize>) {
    let flat: Vec<(&String, usize, f64)> = values
        .as_object()
        .expect("a map")
        .iter()
        .flat_map(|(name, list)| {
            numbers(list)
                .into_iter()
                .enumerate()
                .map(move |(v, value)| (name, v, value))
        })
        .collect();
    let places = posterior.unknowns().iter().map(|unknown| {
        let is_it = |(name, v, _): &(&String, usize, f64)| {
            let plain = name.strip_suffix("_run").or(name.strip_suffix("_log"));
            let plain = plain.unwrap_or(name);
            plain == unknown.name && *v == unknown.variant.unwrap_or(0)
        };
        flat.iter().position(is_it).expect("Stan knows it")
    });
    let order: Vec<usize> = places.collect();
    (order.iter().map(|at| flat[*at].2).collect(), order)
}

#[test]
fn a_prior_from_the_command_line_reaches_the_program() {
    let mut spec = Spec::built_in("normal").expect("it ships");
    spec.override_prior("sd=normal(0, sd_within / 2) T[0, ]").expect("a prior");
    let program = stan::program(&spec);
    // In Stan `1 / 2` is 0.
    assert!(program.contains("  sd_run ~ normal(0, sd_within / 2.0);\n"), "{program}");
    assert!(program.contains("vector<lower=0>[2] sd_run;"), "{program}");
}
