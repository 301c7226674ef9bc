//! What is said of an analysis: the schema, the width, and the wording that today's
//! comparers get wrong.

use insta::assert_snapshot;
use patchodds::analysis::{Analysis, Settings, analyse};
use patchodds::data::{Direction, Measurements, Sample, Summary};
use patchodds::model::{MODELS, Spec};
use patchodds::report::{self, Palette, SCHEMA};
use serde_json::Value;

use super::comparisons::{dataset, runs};

const LOWER: Direction = Direction::LowerIsBetter;
const HIGHER: Direction = Direction::HigherIsBetter;

fn analysis(
    direction: Direction,
    unit: Option<&str>,
    baseline: Measurements,
    candidate: Measurements,
    model: &str,
) -> Analysis {
    let mut settings = Settings::default();
    settings.model = Some(Spec::built_in(model).expect("a model that ships"));
    let variants = vec![("before", baseline), ("after", candidate)];
    analyse(&dataset(direction, unit, variants), &settings).expect("a comparison")
}

fn said(direction: Direction, unit: Option<&str>, a: &[f64], b: &[f64]) -> String {
    let analysis = analysis(direction, unit, runs(a), runs(b), "normal");
    report::text(&analysis, Palette::PLAIN, 80)
}

/// All pairs of data kinds that end in an output.
fn corners() -> Vec<(Direction, Option<&'static str>, Measurements, Measurements)> {
    let summary = |mean: f64| {
        Measurements::Summary(Summary::new(10, mean, 0.8).expect("valid data"))
    };
    let grouped = |mean: f64| {
        let one = |shift: f64| vec![mean + shift, mean - shift, mean + 2.0 * shift];
        let runs = vec![one(0.1), one(0.2), one(0.3)];
        Measurements::Runs(Sample::from_invocations(runs).expect("valid data"))
    };
    vec![
        (
            HIGHER,
            Some("Mbit/s"),
            runs(&[152.7, 151.7, 153.5]),
            runs(&[152.0, 153.4, 153.7]),
        ),
        (LOWER, Some("s"), runs(&[2.8e-9, 2.5e-9]), runs(&[3.3e-9, 3.2e-9])),
        (LOWER, None, runs(&[67.0; 5]), runs(&[67.0; 5])),
        (LOWER, Some("B"), runs(&[5.0; 4]), runs(&[5.5; 4])),
        (LOWER, None, runs(&[10.0, 10.2, 10.1]), runs(&[15.0])),
        (LOWER, None, runs(&[-0.2, 0.1, 0.3]), runs(&[0.2, 0.4, 0.1])),
        (
            LOWER,
            Some("ms"),
            runs(&[1e9, 1e9 + 0.01, 1e9 + 0.02]),
            runs(&[1e9, 1e9 + 0.03]),
        ),
        (HIGHER, None, summary(100.0), summary(99.04)),
        (LOWER, Some("ms"), grouped(10.0), grouped(11.0)),
    ]
}

#[test]
fn every_output_keeps_to_the_schema() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("valid JSON");
    let schema = jsonschema::validator_for(&schema).expect("a valid schema");
    for model in MODELS {
        for (direction, unit, a, b) in corners() {
            let mut settings = Settings::default();
            settings.model =
                Some(Spec::built_in(model.name).expect("a model that ships"));
            let data = dataset(direction, unit, vec![("before", a), ("after", b)]);
            // `reference` refuses constant runs and single ones.
            let Ok(analysis) = analyse(&data, &settings) else { continue };
            let json = report::json(&analysis, &["patchodds".to_owned()]);
            let value: Value = serde_json::from_str(&json).expect("valid JSON");
            let faults: Vec<String> = schema
                .iter_errors(&value)
                .map(|e| format!("{e} at {}", e.instance_path()))
                .collect();
            assert_eq!(faults, Vec::<String>::new(), "{} {unit:?}", model.name);
        }
    }
}

#[test]
fn the_schema_rejects_what_it_does_not_name() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("valid JSON");
    let schema = jsonschema::validator_for(&schema).expect("a valid schema");
    let analysis =
        analysis(LOWER, None, runs(&[1.0, 1.2]), runs(&[1.1, 1.3]), "normal");
    let json = report::json(&analysis, &[]);
    let mut value: Value = serde_json::from_str(&json).expect("valid JSON");
    assert!(schema.is_valid(&value));
    value["comparisons"][0]["verdict"] = "perhaps".into();
    assert!(!schema.is_valid(&value));
}

#[test]
fn text_fits_the_width_of_the_terminal() {
    for (direction, unit, a, b) in corners() {
        let analysis = analysis(direction, unit, a, b, "normal");
        for width in [48, 60, 80, 200] {
            let text = report::text(&analysis, Palette::PLAIN, width);
            let widest =
                text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            assert!(widest <= width.min(80), "{widest} columns of {width}:\n{text}");
        }
    }
}

#[test]
fn styles_change_nothing_but_the_looks() {
    let (direction, unit, a, b) = corners().swap_remove(0);
    let analysis = analysis(direction, unit, a, b, "normal");
    let plain = report::text(&analysis, Palette::PLAIN, 80);
    let styled = report::text(&analysis, Palette::COLOUR, 80);
    assert_ne!(plain, styled);
    assert_eq!(anstream::adapter::strip_str(&styled).to_string(), plain);
}

#[test]
fn no_number_is_nan_or_infinite_in_words() {
    for (direction, unit, a, b) in corners() {
        let analysis = analysis(direction, unit, a, b, "normal");
        let text = report::text(&analysis, Palette::PLAIN, 80);
        assert!(!text.contains("NaN") && !text.contains(" inf"), "{text}");
    }
}

/// golang/go#19634: benchstat dropped 114 as an outlier, and had too few values left.
#[test]
fn constant_runs_on_one_side_are_a_clear_change_and_no_run_is_dropped() {
    let text =
        said(LOWER, Some("ns"), &[115.0, 114.0, 115.0, 115.0, 115.0], &[78.8; 5]);
    assert!(text.contains("Verdict: faster by more than 1 %."), "{text}");
    assert!(text.contains("(−31."), "{text}"); // 78.8/114.8 − 1 = −31.36 %
    assert!(text.contains("before      5"), "{text}");
}

/// google/benchmark#617: two repetitions a side, p = 0.22, "9+ recommended".
#[test]
fn two_runs_a_side_say_that_the_noise_is_mostly_prior() {
    let text = said(LOWER, Some("ns"), &[10.0, 10.4], &[10.3, 10.9]);
    let note = "`before` has 2 runs: what its noise is comes mostly from the prior";
    assert!(text.replace("\n  ", " ").contains(note), "{text}");
    assert!(text.contains("95 % credible interval"), "{text}");
}

/// psf/pyperf#203, sharkdp/hyperfine#523: a bare ± is read as an interval of the mean.
#[test]
fn every_spread_is_named_and_there_is_no_bare_plus_minus() {
    for (direction, unit, a, b) in corners() {
        let analysis = analysis(direction, unit, a, b, "normal");
        let text = report::text(&analysis, Palette::PLAIN, 80);
        assert!(text.contains("sd of a run"), "{text}");
        for (at, _) in text.match_indices('±') {
            let margin = &text[at..];
            assert!(margin.starts_with("± 1 %"), "a bare ± in\n{text}");
        }
    }
}

/// sharkdp/hyperfine PR 83: the same binary twice was printed as "1.03x faster".
#[test]
fn nothing_is_called_faster_that_is_not_shown_to_be() {
    let text = said(
        LOWER,
        Some("s"),
        &[1.00, 1.04, 0.97, 1.02, 0.99],
        &[0.99, 1.01, 0.96, 1.03, 0.98],
    );
    let verdict = text.lines().find(|line| line.contains("Verdict"));
    assert!(!verdict.unwrap_or_default().contains(": faster"), "{text}");
}

/// A metric that is no speed gets no slower.
#[test]
fn sizes_are_worse_or_better_never_slower() {
    let text = said(LOWER, Some("KiB"), &[512.0, 514.0, 513.0], &[530.0, 533.0, 531.0]);
    assert!(text.contains("Verdict: worse by more than 1 %"), "{text}");
    assert!(!text.contains("slow"), "{text}");
}

#[test]
fn a_million_draws_that_agree_are_never_certain() {
    let text = said(LOWER, None, &[1.0, 1.01, 0.99], &[100.0, 100.1, 99.9]);
    assert!(text.contains("> 99.9 %") && !text.contains("100 %"), "{text}");
    assert!(text.contains("more than 1000 : 1"), "{text}");
}

#[test]
fn the_netbsd_report_reads_like_this() {
    // Digits are those that the draws support: the same on every machine.
    let (direction, unit, a, b) = corners().swap_remove(0);
    let analysis = analysis(direction, unit, a, b, "normal");
    let text = report::text(&analysis, Palette::PLAIN, 80);
    let without_strip: Vec<&str> = text
        .lines()
        .filter(|line| !line.contains('█') && !line.contains('─'))
        .collect();
    assert_snapshot!(without_strip.join("\n"));
}
