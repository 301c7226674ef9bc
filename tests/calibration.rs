//! Simulation-based calibration: parameters out of the prior, data out of the
//! parameters, and the rank of the truth among the draws must be uniform.
//!
//! Talts et al. (2018), "Validating Bayesian inference algorithms with simulation-based
//! calibration". The statistics of the data are held fixed in simulation and fit alike:
//! priors that look at the data would otherwise know the answer.

use ndarray::Axis;
use patchodds::data::{Measurements, Pair, Sample};
use patchodds::model::{BlockStatistics, Posterior, Spec, Statistics};
use patchodds::sampler::{Effort, Engine, Nuts, stream};
use rand::rngs::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal, StudentT};
use rayon::prelude::*;
use statrs::distribution::{ChiSquared, ContinuousCDF};

const FIXED: Statistics = Statistics {
    grand_mean: 0.0,
    sd_all: 1.0,
    sd_within: 1.0,
    resolution: 0.0,
    sd_between: Some(1.0),
    blocks: Some(BlockStatistics { rms_d: 1.0, sample_sd_d: 1.0, sample_sd_s: 1.0 }),
};

/// Runs of baseline and candidate in every simulated experiment.
const RUNS: [usize; 2] = [5, 3];

/// Invocations of three runs, for the model that knows them.
const INVOCATIONS: [usize; 2] = [4, 3];

/// Draws among which the truth is ranked; with a rank of 0 to 99 there are 10 equal bins.
const RANKED: usize = 99;
const BINS: usize = 10;

fn prior_of(model: &Spec) -> Posterior {
    let any = [1.0, 2.0].map(|step| {
        Measurements::Runs(Sample::new(vec![1.0, 1.0 + step]).expect("finite runs"))
    });
    let pair = Pair::new(["a", "b"], [&any[0], &any[1]]).expect("two runs each");
    Posterior::with_statistics(model, &pair, &FIXED).expect("a model that fits")
}

/// One value of each parameter, and the difference of the means.
fn with_difference(posterior: &Posterior, values: &[f64]) -> Vec<f64> {
    let unknowns = posterior.unknowns();
    if unknowns.iter().any(|unknown| unknown.name == "difference") {
        return values.to_vec();
    }
    let index = |variant: usize| {
        let at = unknowns.iter().position(|unknown| {
            unknown.name == "mean" && unknown.variant == Some(variant)
        });
        at.expect("a mean of each variant")
    };
    let difference = values[index(1)] - values[index(0)];
    values.iter().copied().chain([difference]).collect()
}

/// One experiment, the runs of each variant in its invocations.
fn simulate(
    model: &Spec,
    posterior: &Posterior,
    truth: &[f64],
    rng: &mut ChaCha8Rng,
) -> Vec<Measurements> {
    let value = |name: &str, variant: usize| {
        let unknowns = posterior.unknowns();
        let at = unknowns.iter().position(|known| {
            known.name == name && known.variant.is_none_or(|own| own == variant)
        });
        truth[at.expect("a parameter of the model")]
    };
    let normal = |rng: &mut ChaCha8Rng| -> f64 { StandardNormal.sample(rng) };
    let one = |variant: usize, rng: &mut ChaCha8Rng| -> Vec<Vec<f64>> {
        let mean = value("mean", variant);
        match model.likelihood.as_str() {
            "student_t" => {
                let law = StudentT::new(value("nu", variant)).expect("above 0");
                let scale = value("scale", variant);
                vec![
                    (0..RUNS[variant])
                        .map(|_| mean + scale * law.sample(rng))
                        .collect(),
                ]
            }
            "nested" => (0..INVOCATIONS[variant])
                .map(|_| {
                    let own = mean + value("between", variant) * normal(rng);
                    (0..3).map(|_| own + value("sd", variant) * normal(rng)).collect()
                })
                .collect(),
            "lognormal" => {
                let sd = value("sd", variant);
                let runs = (0..RUNS[variant]).map(|_| (mean + sd * normal(rng)).exp());
                vec![runs.collect()]
            }
            _ => {
                let sd = value("sd", variant);
                vec![(0..RUNS[variant]).map(|_| mean + sd * normal(rng)).collect()]
            }
        }
    };
    if model.likelihood == "paired" {
        return blocks(value("difference", 0), value("level", 0), || {
            (value("sd_d", 0) * normal(rng), value("sd_s", 0) * normal(rng))
        });
    }
    [0, 1]
        .map(|variant| {
            let sample = Sample::from_invocations(one(variant, rng));
            Measurements::Runs(sample.expect("finite runs"))
        })
        .to_vec()
}

/// Runs in blocks, from what each block adds to the difference and to the level.
fn blocks(
    difference: f64,
    level: f64,
    mut noise: impl FnMut() -> (f64, f64),
) -> Vec<Measurements> {
    let (mut baseline, mut candidate) = (Vec::new(), Vec::new());
    for _ in 0..RUNS[0] {
        let (off, up) = noise();
        let half = f64::midpoint(difference, off);
        baseline.push(level + up - half);
        candidate.push(level + up + half);
    }
    [baseline, candidate]
        .map(|runs| Measurements::Runs(Sample::new(runs).expect("finite runs")))
        .to_vec()
}

/// The ranks of the truth in one experiment: simulated from `truth_model`, fitted by
/// `fitted_model`.
fn ranks(truth_model: &Spec, fitted_model: &Spec, experiment: u64) -> Vec<usize> {
    let mut rng = stream(2018, experiment);
    let prior = prior_of(truth_model);
    let truth = prior.sample_prior(&mut rng).expect("a proper prior");
    let measured = simulate(truth_model, &prior, &truth, &mut rng);
    let truth = with_difference(&prior, &truth);
    let pair = Pair::new(["a", "b"], [&measured[0], &measured[1]]).expect("many runs");
    let posterior =
        Posterior::with_statistics(fitted_model, &pair, &FIXED).expect("it fits");
    let thin = 6;
    let effort = Effort {
        chains: 1,
        draws: thin * RANKED,
        tune: 400,
        target_accept: 0.9,
        seed: experiment,
    };
    let trace = Nuts.sample(&posterior, &effort).expect("a start");
    let mut below = vec![0; truth.len()];
    let positions = trace.positions.index_axis(Axis(0), 0).to_owned();
    for position in positions.axis_iter(Axis(0)).step_by(thin) {
        let values = posterior.in_unit(&posterior.parameters(&position.to_vec()));
        for (count, (value, truth)) in below
            .iter_mut()
            .zip(with_difference(&posterior, &values).iter().zip(&truth))
        {
            *count += usize::from(value < truth);
        }
    }
    below
}

/// The smallest p value, over parameters, of the chi-squared test of uniform ranks.
fn least_p(truth_model: &Spec, fitted_model: &Spec, experiments: u64) -> f64 {
    let all: Vec<Vec<usize>> = (0..experiments)
        .into_par_iter()
        .map(|experiment| ranks(truth_model, fitted_model, experiment))
        .collect();
    let expected = experiments as f64 / BINS as f64;
    let law = ChiSquared::new((BINS - 1) as f64).expect("nine degrees of freedom");
    (0..all[0].len())
        .map(|parameter| {
            let mut counts = [0.0; BINS];
            for ranks in &all {
                counts[ranks[parameter] * BINS / (RANKED + 1)] += 1.0;
            }
            let chi: f64 =
                counts.iter().map(|count| (count - expected).powi(2) / expected).sum();
            1.0 - law.cdf(chi)
        })
        .fold(1.0, f64::min)
}

fn built_in(name: &str) -> Spec {
    Spec::built_in(name).expect("a model that ships")
}

/// Of eight parameters or fewer, one below this comes by chance once in 1,200 seeds.
const SUSPECT: f64 = 1e-4;

#[test]
fn ranks_of_the_truth_are_uniform_under_normal() {
    let model = built_in("normal");
    assert!(least_p(&model, &model, 300) > SUSPECT);
}

#[test]
fn ranks_of_the_truth_are_uniform_under_independent() {
    let model = built_in("independent");
    assert!(least_p(&model, &model, 300) > SUSPECT);
}

#[test]
fn ranks_of_the_truth_are_uniform_under_robust() {
    let model = built_in("robust");
    assert!(least_p(&model, &model, 300) > SUSPECT);
}

#[test]
fn ranks_of_the_truth_are_uniform_under_nested() {
    let model = built_in("nested");
    assert!(least_p(&model, &model, 300) > SUSPECT);
}

#[test]
fn ranks_of_the_truth_are_uniform_under_lognormal() {
    let mut model = built_in("lognormal");
    // Narrower than shipped, in simulation and fit alike: exp(300) is no run.
    model.override_prior("mean=normal(grand_mean, sd_all)").unwrap();
    model.override_prior("noise=lognormal(log(sd_within), 0.5)").unwrap();
    assert!(least_p(&model, &model, 300) > SUSPECT);
    // A log SD that is tied too tightly is noticed.
    let mut broken = model.clone();
    broken.override_prior("sd=lognormal(log(noise), 0.2)").unwrap();
    assert!(least_p(&model, &broken, 300) < SUSPECT);
}

#[test]
fn ranks_of_the_truth_are_uniform_under_paired() {
    let model = built_in("paired");
    assert!(least_p(&model, &model, 300) > SUSPECT);
    let mut broken = model.clone();
    broken.override_prior("sd_d=lognormal(log(sample_sd_d), 1)").unwrap();
    assert!(least_p(&model, &broken, 300) < SUSPECT);
}

#[test]
fn calibration_notices_models_that_are_broken_on_purpose() {
    let model = built_in("normal");
    for broken in [
        "sd=lognormal(log(noise), 0.2)", // ties the noise too tightly
        "noise=lognormal(log(sd_within), 1)", // knows the noise too well
        "mean=normal(grand_mean, 3 * sd_all)", // shrinks the means
    ] {
        let mut fitted = model.clone();
        fitted.override_prior(broken).unwrap();
        assert!(least_p(&model, &fitted, 300) < SUSPECT, "{broken} goes unnoticed");
    }
}

#[test]
#[ignore = "minutes"]
fn ranks_of_the_truth_are_uniform_over_many_experiments() {
    for name in ["normal", "independent", "robust", "nested", "paired"] {
        let model = built_in(name);
        assert!(least_p(&model, &model, 10_000) > SUSPECT, "{name}");
    }
}
