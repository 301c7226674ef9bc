//! Every model: parses, has the gradient it claims, finds the truth.

use patchodds::data::{Measurements, Pair, Sample};
use patchodds::model::{MODELS, Posterior, Spec};
use patchodds::sampler::{LogDensity, stream};

fn runs(values: &[f64]) -> Measurements {
    Measurements::Runs(Sample::new(values.to_vec()).expect("finite runs"))
}

/// Pairs that reach the corners: few runs, equal runs, tiny and huge values, far apart.
fn corners() -> Vec<[Measurements; 2]> {
    vec![
        [runs(&[152.7, 151.7, 153.5]), runs(&[152.0, 153.4, 153.7])],
        [runs(&[9.77, 9.76]), runs(&[11.08, 11.46])],
        [runs(&[2.8e-9, 2.5e-9, 3.1e-9]), runs(&[3.3e-9, 3.2e-9, 3.4e-9])],
        [runs(&[1e9, 1e9 + 0.001, 1e9 + 0.002]), runs(&[1e9, 1e9 + 0.004])],
        [runs(&[1.0, 1.1, 0.9]), runs(&[1e6, 1e6 + 3.0])],
    ]
}

/// Pairs that only proper priors can take.
fn degenerate_corners() -> Vec<[Measurements; 2]> {
    vec![
        [runs(&[5.0; 6]), runs(&[5.1, 5.3, 5.2])],
        [runs(&[67.0; 5]), runs(&[67.0; 5])],
        [runs(&[10.0, 10.4, 10.2]), runs(&[10.9])],
    ]
}

/// Invocations of equal and of different lengths, one alone, and some without noise.
fn nested_corners() -> Vec<[Measurements; 2]> {
    let grouped = |invocations: &[&[f64]]| {
        let runs = invocations.iter().map(|runs| runs.to_vec()).collect();
        Measurements::Runs(Sample::from_invocations(runs).expect("finite runs"))
    };
    vec![
        [
            grouped(&[&[10.1, 10.2], &[10.5, 10.4], &[9.9, 10.0]]),
            grouped(&[&[10.3, 10.2], &[10.9, 11.0]]),
        ],
        [grouped(&[&[1e-9, 1.1e-9, 1.2e-9], &[1.4e-9]]), grouped(&[&[2e-9, 2.1e-9]])],
        [grouped(&[&[5.0, 5.0], &[5.0, 5.0]]), grouped(&[&[6.0, 6.0], &[7.0]])],
    ]
}

fn assert_gradient(posterior: &Posterior, position: &[f64], what: &str) {
    let mut gradient = vec![0.0; position.len()];
    let mut unused = gradient.clone();
    assert!(posterior.log_density(position, &mut gradient).is_finite(), "{what}");
    for i in 0..position.len() {
        let mut at = |h: f64| {
            let mut moved = position.to_vec();
            moved[i] += h;
            posterior.log_density(&moved, &mut unused)
        };
        // Five points: an error of order h⁴.
        let h = 1e-3;
        let numeric =
            (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
        let tolerance = 1e-6 * (1.0 + gradient[i].abs());
        assert!(
            (gradient[i] - numeric).abs() < tolerance,
            "{what}: coordinate {i} at {position:?}: {} against {numeric}",
            gradient[i]
        );
    }
}

#[test]
fn gradients_agree_with_finite_differences_also_in_the_corners() {
    for model in MODELS {
        let spec = Spec::built_in(model.name).unwrap();
        let pairs = match model.name {
            "nested" => nested_corners(),
            "reference" => corners(),
            "paired" => {
                let mut pairs = [corners(), degenerate_corners()].concat();
                let runs = |one: &Measurements| one.moments().n;
                pairs.retain(|[a, b]| runs(a) == runs(b));
                pairs
            }
            "best" | "robust" | "lognormal" => {
                // One run cannot tell tails from noise, nor a logarithm's spread.
                let mut pairs = [corners(), degenerate_corners()].concat();
                pairs.pop();
                pairs
            }
            _ => [corners(), degenerate_corners()].concat(),
        };
        for (i, [a, b]) in pairs.iter().enumerate() {
            let pair = Pair::new(["a", "b"], [a, b]).unwrap();
            let posterior = Posterior::new(&spec, &pair).unwrap();
            let mut rng = stream(11, i as u64);
            for _ in 0..8 {
                let near = posterior.start(&mut rng);
                let far: Vec<f64> = near.iter().map(|u| 4.0 * u).collect();
                let what = format!("{} on pair {i}", model.name);
                assert_gradient(&posterior, &near, &what);
                // Far out, the uniform priors of `best` end.
                let mut unused = vec![0.0; far.len()];
                if posterior.log_density(&far, &mut unused).is_finite() {
                    assert_gradient(&posterior, &far, &what);
                }
            }
        }
    }
}
