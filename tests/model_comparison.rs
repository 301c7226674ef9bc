//! Models side by side: how well each predicts, against closed forms.

use patchodds::analysis::{Comparison, ModelComparison, Prediction, Settings, analyse};
use patchodds::data::{Direction, Measurements, Pair, Sample};
use patchodds::model::{Posterior, Spec};
use patchodds::report::{self, Palette};
use patchodds::sampler::stream;
use rand_distr::{Distribution, StandardNormal};
use statrs::function::gamma::ln_gamma;

use crate::comparisons::{dataset, only, runs};

const LOWER: Direction = Direction::LowerIsBetter;

fn settings(models: &[&str]) -> Settings {
    let specs = models.iter().map(|name| Spec::built_in(name).expect("it ships"));
    let mut specs = specs.collect::<Vec<_>>().into_iter();
    let mut settings = Settings::default();
    settings.model = specs.next();
    settings.rivals = specs.collect();
    settings
}

fn compared(a: Measurements, b: Measurements, models: &[&str]) -> Comparison {
    let data = dataset(LOWER, Some("ms"), vec![("a", a), ("b", b)]);
    only(analyse(&data, &settings(models)).expect("an analysis"))
}

fn table(comparison: &Comparison) -> &ModelComparison {
    comparison.models.as_ref().expect("several models")
}

fn prediction<'a>(comparison: &'a Comparison, model: &str) -> &'a Prediction {
    let all = &table(comparison).models;
    let found = all.iter().find(|one| one.name == model).expect("it was named");
    found.prediction.as_ref().expect("a known prediction")
}

fn normal(seed: u64, n: usize, mean: f64, sd: f64) -> Vec<f64> {
    let mut rng = stream(seed, 0);
    let z = |_| -> f64 { StandardNormal.sample(&mut rng) };
    (0..n).map(z).map(|z| mean + sd * z).collect()
}

/// A sample whose last digit is far below its noise.
fn fine(values: &[f64]) -> Measurements {
    Measurements::Runs(
        Sample::new(values.to_vec()).expect("finite runs").with_resolution(0.0),
    )
}

/// The log density of each value given the others under flat means and 1/sd: Student-t
/// with n − 2 degrees of freedom around their mean, of scale s·√(1 + 1/(n − 1)) (Gelman
/// et al. 2013, section 3.2), summed.
fn exact_elpd(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let nu = n - 2.0;
    let one = |at: usize| {
        let others: Vec<f64> = values
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != at)
            .map(|(_, v)| *v)
            .collect();
        let mean = others.iter().sum::<f64>() / (n - 1.0);
        let squares: f64 = others.iter().map(|v| (v - mean).powi(2)).sum();
        let scale = (squares / nu * (1.0 + 1.0 / (n - 1.0))).sqrt();
        let t = (values[at] - mean) / scale;
        ln_gamma(f64::midpoint(nu, 1.0))
            - ln_gamma(nu / 2.0)
            - 0.5 * (nu * std::f64::consts::PI).ln()
            - scale.ln()
            - f64::midpoint(nu, 1.0) * (t * t / nu).ln_1p()
    };
    (0..values.len()).map(one).sum()
}

#[test]
fn the_elpd_of_the_reference_model_is_that_of_the_closed_form() {
    let (a, b) = (normal(1, 25, 100.0, 2.0), normal(2, 40, 101.0, 3.0));
    let exact = exact_elpd(&a) + exact_elpd(&b);
    let comparison = compared(fine(&a), fine(&b), &["reference", "normal"]);
    let found = prediction(&comparison, "reference");
    assert_eq!(found.refits, 0);
    // 4,000 draws give each of 65 densities to about 0.01, one in the tail to 0.05.
    assert!((found.elpd.value - exact).abs() < 0.15, "{} {exact}", found.elpd.value);
}

#[test]
fn a_run_that_the_weights_cannot_leave_out_is_left_out_by_sampling_again() {
    let mut a = normal(3, 9, 100.0, 1.0);
    a.push(120.0);
    let b = normal(4, 12, 100.0, 1.0);
    let exact = exact_elpd(&a) + exact_elpd(&b);
    let comparison = compared(fine(&a), fine(&b), &["reference", "robust"]);
    let found = prediction(&comparison, "reference");
    assert!(found.refits >= 1 && found.worst_k > Some(0.7), "{found:?}");
    assert!((found.elpd.value - exact).abs() < 0.3, "{} {exact}", found.elpd.value);
    let text = said(&comparison);
    assert!(text.contains("sampled again without"), "{text}");
}

fn said(comparison: &Comparison) -> String {
    let mut analysis = analyse(
        &dataset(
            LOWER,
            Some("ms"),
            vec![("x", runs(&[1.0, 2.0])), ("y", runs(&[1.0, 3.0]))],
        ),
        &Settings::default(),
    )
    .expect("an analysis");
    analysis.comparisons = vec![comparison.clone()];
    report::text(&analysis, Palette::PLAIN, 80)
}

#[test]
fn densities_of_runs_are_those_of_scipy() {
    // SciPy 1.17.1: norm, t(4.5), lognorm(0.3, scale = e^2.2) .logpdf([10.2, 9.1]).sum()
    // at 10 and 0.5; multivariate_normal.logpdf([10.2, 9.1, 10.6], 10, 0.25 I + 0.49).
    let cases: [(&str, &[f64], &[f64], f64); 4] = [
        ("independent", &[10.0, 0.5], &[10.2, 9.1], -2.151_582_705_289_455_6),
        ("robust", &[10.0, 0.5, 4.5], &[10.2, 9.1], -2.149_298_458_473_968_5),
        ("lognormal", &[2.2, 0.3], &[10.2, 9.1], -4.044_189_258_220_419),
        ("nested", &[10.0, 0.5, 0.7], &[10.2, 9.1, 10.6], -4.055_985_709_488_203),
    ];
    for (model, values, data, expected) in cases {
        let grouped = |shift: f64| {
            let one = |more: f64| vec![10.0 + shift + more, 9.5 + more, 10.2 - more];
            let runs = vec![one(shift / 7.0), one(shift / 11.0)];
            let sample = Sample::from_invocations(runs).expect("finite runs");
            Measurements::Runs(sample.with_resolution(0.0))
        };
        let (a, b) = (grouped(0.3), grouped(0.7));
        let pair = Pair::new(["a", "b"], [&a, &b]).expect("a pair");
        let posterior =
            Posterior::new(&Spec::built_in(model).expect("it ships"), &pair)
                .expect("fits");
        // The likelihood's own come first: each for both variants, or one for both.
        let mut all: Vec<f64> = Vec::new();
        for unknown in posterior.unknowns() {
            let at = match unknown.name.as_str() {
                "mean" => 0,
                "sd" | "scale" => 1,
                "nu" | "between" => 2,
                _ => usize::MAX,
            };
            all.push(values.get(at).copied().unwrap_or(1.0));
        }
        let parameters = posterior.standardised(&all);
        for v in 0..2 {
            let found =
                posterior.log_density_of_runs(&parameters, v, data).expect("known");
            assert!((found - expected).abs() < 1e-9, "{model}: {found} {expected}");
        }
    }
}

#[test]
fn a_lognormal_model_predicts_skewed_runs_better_in_any_unit() {
    let logs = |seed| normal(seed, 100, 4.6, 0.7);
    let runs_in = |logs: Vec<f64>, unit: f64| -> Vec<f64> {
        logs.iter().map(|log| unit * log.exp()).collect()
    };
    let behind = |unit: f64| {
        let (a, b) = (runs_in(logs(5), unit), runs_in(logs(6), unit));
        let comparison = compared(fine(&a), fine(&b), &["normal", "lognormal"]);
        assert_eq!(table(&comparison).unit, "run");
        let leading: Vec<&str> = table(&comparison)
            .leading()
            .iter()
            .map(|model| model.name.as_str())
            .collect();
        assert_eq!(leading, ["lognormal"]);
        prediction(&comparison, "normal").behind.value
    };
    let (large, small) = (behind(1.0), behind(1e-9));
    assert!(large > 20.0, "{large}");
    assert!((large - small).abs() < 0.1, "{large} {small}");
}

#[test]
fn with_nested_among_them_models_predict_whole_invocations() {
    let mut rng = stream(9, 0);
    let mut invocations = |mean: f64| {
        let mut z = || -> f64 { StandardNormal.sample(&mut rng) };
        let all = (0..12).map(|_| {
            let centre = mean + 3.0 * z();
            (0..6).map(|_| centre + 0.5 * z()).collect()
        });
        Measurements::Runs(Sample::from_invocations(all.collect()).expect("runs"))
    };
    let (a, b) = (invocations(100.0), invocations(101.0));
    let comparison = compared(a, b, &["nested", "normal"]);
    let models = table(&comparison);
    assert_eq!((models.unit, models.units), ("invocation", 24));
    assert_eq!(models.leading().len(), 1);
    let normal = prediction(&comparison, "normal");
    assert!(normal.behind.value > 50.0, "{normal:?}");
    // Runs pooled over invocations claim far more than they know.
    let width = |at: usize| {
        let [low, high] = models.models[at].difference.eti.expect("an interval");
        high - low
    };
    assert!(width(1) < 0.7 * width(0), "{} {}", width(1), width(0));
}

#[test]
fn models_that_predict_alike_are_not_told_apart() {
    let comparison = compared(
        fine(&normal(11, 30, 100.0, 1.0)),
        fine(&normal(12, 30, 100.0, 1.0)),
        &["normal", "robust", "lognormal"],
    );
    assert_eq!(table(&comparison).leading().len(), 3);
    assert!(said(&comparison).contains("Cannot tell which model predicts better."));
}

#[test]
fn fewer_than_twenty_units_tell_nothing() {
    let mut a = normal(13, 9, 100.0, 1.0);
    a[4] = 300.0;
    let b = normal(14, 9, 100.0, 1.0);
    let comparison = compared(fine(&a), fine(&b), &["normal", "robust"]);
    assert!(prediction(&comparison, "normal").behind.value > 4.0);
    assert_eq!(table(&comparison).leading().len(), 2);
    assert!(said(&comparison).contains("18 runs are too few"));
}

#[test]
fn blocks_are_compared_with_nothing_and_no_model_with_itself() {
    let data = dataset(
        LOWER,
        None,
        vec![("a", runs(&[1.0, 2.0, 3.0])), ("b", runs(&[1.5, 2.5, 3.0]))],
    );
    let error = |models: &[&str]| analyse(&data, &settings(models)).unwrap_err();
    assert!(error(&["paired", "normal"]).to_string().contains("no scale"));
    assert!(error(&["normal", "robust", "normal"]).to_string().contains("named twice"));
}

#[test]
fn above_ten_thousand_runs_no_prediction_is_made() {
    let many = normal(15, 5001, 100.0, 1.0);
    let comparison = compared(fine(&many), fine(&many), &["normal", "independent"]);
    let first = &table(&comparison).models[0];
    assert!(first.prediction.as_ref().is_err_and(|why| why.contains("10000")));
}
