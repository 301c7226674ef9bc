//! What comparers were publicly reported to read wrongly, each with small data.

use super::*;

fn means(series: &Series) -> Vec<f64> {
    series.variants.iter().map(|v| v.measurements.moments().mean).collect()
}

fn google(rows: &str) -> String {
    format!(r#"{{"context": {{}}, "benchmarks": [{rows}]}}"#)
}

/// golang/go#19634: 114 of 115, 114, 115, 115, 115 was dropped as an outlier, and what was
/// left was too little to tell 115 from 79.
#[test]
fn no_outlier_is_dropped() {
    let lines = |times: [&str; 5]| {
        times.map(|time| format!("BenchmarkA 1 {time} ns/op\n")).concat()
    };
    let folder = Folder::with(&[
        ("old.txt", &lines(["115", "114", "115", "115", "9000"])),
        ("new.txt", &lines(["78.8"; 5])),
    ]);
    let dataset = folder.dataset(&["old.txt", "new.txt"], &all());
    assert_eq!(
        runs(&dataset.series[0]),
        [
            ("old", vec![vec![115.0, 114.0, 115.0, 115.0, 9000.0]]),
            ("new", vec![vec![78.8; 5]])
        ]
    );
    assert!(dataset.skipped.is_empty());
}

/// golang/go#19565: a benchmark of the old file alone entered a mean over benchmarks.
#[test]
fn a_benchmark_in_one_file_only_is_listed_and_not_compared() {
    let a = "BenchmarkA 1 100 ns/op\nBenchmarkA 1 101 ns/op\n";
    let folder = Folder::with(&[
        ("old.txt", &format!("{a}BenchmarkB 1 10000 ns/op\n")),
        ("new.txt", a),
    ]);
    let dataset = folder.dataset(&["old.txt", "new.txt"], &all());
    assert_eq!(dataset.series.len(), 1);
    assert_eq!(dataset.series[0].benchmark.as_deref(), Some("A"));
    assert_eq!(dataset.unmatched, ["`B` (ns/op): only in `old`"]);
}

/// google/benchmark#2290: a benchmark that failed entered a mean as a time of 0.
#[test]
fn a_benchmark_that_failed_is_left_out_and_named() {
    let row = |time: u8| {
        format!(r#"{{"name": "A", "run_type": "iteration", "real_time": {time}}}"#)
    };
    let failed = r#"{"name": "B", "run_type": "iteration", "error_occurred": true,
        "error_message": "no disk", "real_time": 0}"#;
    let (old, new) = (row(10), row(11));
    let folder = Folder::with(&[
        ("old.json", &google(&format!("{old},{failed}"))),
        ("new.json", &google(&format!("{new},{failed}"))),
    ]);
    let dataset = folder.dataset(&["old.json", "new.json"], &all());
    assert_eq!(dataset.series.len(), 1);
    assert_eq!(means(&dataset.series[0]), [10.0, 11.0]);
    let skipped = &dataset.skipped[0].1;
    assert_eq!(
        (skipped.what.as_str(), skipped.why.as_str()),
        ("runs of `B`", "it failed: `no disk`")
    );
}

/// google/benchmark#1401: the number of iterations was taken for the number of runs.
#[test]
fn iterations_of_the_loop_are_no_runs() {
    let row = |time: u8| {
        format!(
            r#"{{"name": "A", "run_type": "iteration", "repetitions": 3,
            "iterations": 1000000, "real_time": {time}}}"#
        )
    };
    let aggregate = r#"{"name": "A_mean", "run_name": "A", "run_type": "aggregate",
        "aggregate_name": "mean", "iterations": 3, "real_time": 99}"#;
    let file = google(&[row(1), row(2), row(3), aggregate.to_owned()].join(","));
    let folder = Folder::with(&[("old.json", &file), ("new.json", &file)]);
    let dataset = folder.dataset(&["old.json", "new.json"], &all());
    assert_eq!(runs(&dataset.series[0])[0].1, [[1.0, 2.0, 3.0]]);
}

/// dotnet/BenchmarkDotNet#2838: 29.91 ns against 29.36 ns had the ratio 0.000, taken
/// against the baseline of another set of parameters.
#[test]
fn ratios_are_within_the_same_parameters() {
    let folder = Folder::with(&[(
        "t.csv",
        "variant,size,time (ns)\nold,1,29.36\nold,1000,90000\nnew,1,29.91\n\
         new,1000,91800\n",
    )]);
    let dataset = folder.dataset(&["t.csv"], &all());
    let ratios: Vec<_> = dataset
        .series
        .iter()
        .map(|series| {
            let means = means(series);
            (series.benchmark.as_deref(), (1000.0 * means[1] / means[0]).round())
        })
        .collect();
    // 29.91/29.36 = 1.0187; 91800/90000 = 1.02.
    assert_eq!(ratios, [(Some("size=1"), 1019.0), (Some("size=1000"), 1020.0)]);
}
