//! Files of benchmark tools: counts, values, units, directions, invocations, what is left out.

use std::path::{Path, PathBuf};

use patchodds::data::{Direction, Reading, Record, Selection, Source, Values};
use patchodds::error::Error;
use patchodds::formats::{
    FORMATS, Input, Options, by_name, read_bytes, read_dataset, read_sources,
};

#[path = "stored_results.rs"]
mod stored_results;
#[path = "text_tools.rs"]
mod text_tools;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/inputs")
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).expect(name)
}

fn text(name: &str) -> String {
    String::from_utf8(bytes(name)).expect("UTF-8")
}

fn read(bytes: impl Into<Vec<u8>>) -> Result<Reading, Error> {
    read_bytes("f", bytes.into(), None, &Options::default())
}

fn reading(name: &str) -> Reading {
    let reading = read(bytes(name)).expect(name);
    let format = name.split('/').next().expect("a folder");
    assert_eq!(reading.format, format, "{name}");
    reading
}

fn refusal(text: &str) -> String {
    let error = read(text).expect_err("a refusal");
    assert!(error.hint().is_some(), "{error}");
    error.to_string()
}

/// Benchmark, metric, unit, direction and the runs of each invocation.
type Row<'a> = (
    Option<&'a str>,
    Option<&'a str>,
    Option<&'a str>,
    Option<Direction>,
    Vec<Vec<f64>>,
);

fn row(record: &Record) -> Row<'_> {
    let runs = match &record.values {
        Values::Runs(runs) => runs.invocations.clone(),
        Values::Summary(_) | Values::Published(_) => Vec::new(),
    };
    (
        record.benchmark.as_deref(),
        record.metric.as_deref(),
        record.unit.as_deref(),
        record.direction,
        runs,
    )
}

fn rows(reading: &Reading) -> Vec<Row<'_>> {
    reading.records.iter().map(row).collect()
}

/// What was left out, as one line each.
fn skipped(reading: &Reading) -> Vec<String> {
    let lines = reading.skipped.iter();
    lines.map(|s| format!("{} × {}: {}", s.count, s.what, s.why)).collect()
}

const LOWER: Option<Direction> = Some(Direction::LowerIsBetter);
const HIGHER: Option<Direction> = Some(Direction::HigherIsBetter);

mod every_tool {
    use super::*;

    pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                found.extend(files(&path));
            } else {
                found.push(path);
            }
        }
        found.sort();
        found
    }

    #[test]
    fn every_folder_of_fixtures_is_that_of_a_format() {
        for entry in std::fs::read_dir(folder()).expect("a folder") {
            let entry = entry.expect("an entry");
            if entry.path().is_dir() {
                let name = entry.file_name().to_string_lossy().into_owned();
                assert!(by_name(&name).is_ok(), "{name}");
            }
        }
    }

    #[test]
    fn a_file_cut_anywhere_is_an_error_or_a_smaller_reading() {
        let size = |reading: &Reading| {
            let runs = reading.records.iter().map(|record| match &record.values {
                Values::Runs(runs) => runs.len(),
                Values::Summary(_) | Values::Published(_) => 1,
            });
            runs.sum::<usize>()
        };
        for path in files(&folder()) {
            let whole = std::fs::read(&path).expect("a readable file");
            let most = read(whole.clone()).map_or(usize::MAX, |reading| size(&reading));
            for end in (0..whole.len()).step_by(50) {
                let cut = &whole[..end];
                for format in FORMATS {
                    let _ = read_bytes(
                        "f",
                        cut.to_vec(),
                        Some(*format),
                        &Options::default(),
                    );
                }
                if let Ok(reading) = read(cut) {
                    assert!(size(&reading) <= most, "{} at {end}", path.display());
                }
            }
        }
    }

    #[test]
    fn encodings_byte_order_marks_and_ends_of_lines_make_no_difference() {
        for path in files(&folder()) {
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let Ok(plain) = read(text.clone()) else { continue };
            let marked = format!("\u{feff}{text}");
            let wide = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let windows = text.replace('\n', "\r\n").into_bytes();
            for bytes in [marked.into_bytes(), wide, windows] {
                let other = read(bytes).map(|reading| reading.records);
                assert_eq!(other.as_ref(), Ok(&plain.records), "{}", path.display());
            }
        }
    }

    #[test]
    fn json_that_was_cut_names_its_last_line() {
        for name in [
            "hyperfine/commands.json",
            "google-benchmark/report.json",
            "pytest-benchmark/report.json",
            "pyperf/suite.json",
            "jmh/result.json",
            "iperf3/tcp.json",
            "critcmp/export.json",
            "asv/old.json",
            "benchmarktools/group.json",
        ] {
            let text = text(name);
            let cut = &text[..text.len() * 3 / 4];
            let line = cut.lines().count();
            let what = "the JSON ends in the middle: the file was cut off";
            assert_eq!(refusal(cut), format!("f:{line}: {what}"), "{name}");
        }
    }

    #[test]
    fn a_file_of_another_format_is_named() {
        let hyperfine = bytes("hyperfine/commands.json");
        let jmh = by_name("jmh").expect("a format");
        let error = read_bytes("f", hyperfine, Some(jmh), &Options::default());
        let error = error.expect_err("a refusal");
        assert!(error.to_string().starts_with("f:1: this is not as JMH writes it: "));
        let hint = error.hint().expect("a hint");
        assert!(hint.ends_with("; it looks like `hyperfine`"), "{hint}");
    }

    #[test]
    fn json_of_a_tool_that_is_not_read_is_named_and_other_json_by_its_keys() {
        assert_eq!(
            refusal(r#"{"metadata": {}, "results": {}, "x_values": [0.1]}"#),
            "f: it looks like the JSON of flent, which is not read yet"
        );
        assert_eq!(
            refusal(r#"{"one": {"in": 1}, "two": 2}"#),
            "f: its format is not known: it is JSON with the keys `one`, `two`"
        );
    }
}

mod compression {
    use super::*;

    #[test]
    fn gzip_and_zstd_are_unpacked_by_their_content() {
        // `printf '1\n2\n' | gzip -n` and `| zstd --no-check`.
        let gzip = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x33\xe4\x32\xe2\x02\0\x61\x78\xe1\x69\x04\0\0\0";
        let zstd = b"\x28\xb5\x2f\xfd\0\x58\x21\0\0\x31\x0a\x32\x0a";
        for packed in [gzip.as_slice(), zstd] {
            let reading = read(packed).expect("numbers");
            assert_eq!(rows(&reading)[0].4, [[1.0, 2.0]]);
        }
    }

    #[test]
    fn what_cannot_be_unpacked_is_refused() {
        for (kind, bytes) in [
            ("gzip", b"\x1f\x8b\x08\0\0\0".as_slice()),
            ("zstd", b"\x28\xb5\x2f\xfd\x20\x04\x21"),
        ] {
            let error = read(bytes).expect_err("a refusal").to_string();
            let start = format!("f: it begins like {kind} and cannot be unpacked: ");
            assert!(error.starts_with(&start), "{error}");
        }
    }
}

mod hyperfine {
    use super::*;

    #[test]
    fn commands_are_variants_and_failed_runs_are_left_out() {
        let reading = reading("hyperfine/commands.json");
        let variants: Vec<_> =
            reading.records.iter().map(|record| record.variant.as_deref()).collect();
        let (old, new) = (Some("old input"), Some("new input"));
        assert_eq!(variants, [old, old, new, new]);
        assert_eq!(
            rows(&reading),
            [
                (None, Some("time"), Some("s"), None, vec![vec![0.101, 0.102, 0.103]]),
                (
                    None,
                    Some("memory"),
                    Some("B"),
                    None,
                    vec![vec![4096.0, 8192.0, 4096.0]]
                ),
                (None, Some("time"), Some("s"), None, vec![vec![0.111, 0.112]]),
                (None, Some("memory"), Some("B"), None, vec![vec![4096.0, 4096.0]]),
            ]
        );
        assert_eq!(
            skipped(&reading),
            ["2 × runs of `new input`: the command failed: its exit code is not 0"]
        );
    }

    #[test]
    fn parameters_name_variants_and_summaries_need_the_number_of_runs() {
        let reading = reading("hyperfine/parameters.json");
        let variants: Vec<_> =
            reading.records.iter().map(|record| record.variant.as_deref()).collect();
        assert_eq!(variants, [Some("size=10"), Some("size=20")]);
        let Values::Summary(summary) = reading.records[1].values else {
            panic!("a summary")
        };
        let moments = summary.moments();
        assert_eq!((moments.n, moments.mean), (3, 1.1));
        assert_eq!(
            skipped(&reading),
            ["1 × the summary of `size=30`: the runs were not kept, nor their number"]
        );
    }

    #[test]
    fn a_command_that_took_no_time_is_refused() {
        let text =
            r#"{"results": [{"command": "x", "mean": 0, "times": [1e-5, 0.0]}]}"#;
        let what = refusal(text);
        assert!(what.starts_with("f: no run in it can be used: 2 × runs of `x`: "));
    }
}

mod go {
    use super::*;

    #[test]
    fn each_value_of_a_line_is_a_metric_and_packages_tell_benchmarks_apart() {
        let reading = reading("go/bench.txt");
        let encode = Some("example.org/codec.Encode/size-10");
        let cache = Some("example.org/codec.Cache");
        let unit = |unit| (Some(unit), Some(unit));
        let ((time, ns), (bytes, b), (allocs, a), (hits, h)) =
            (unit("ns/op"), unit("B/op"), unit("allocs/op"), unit("hits/op"));
        assert_eq!(
            rows(&reading),
            [
                (encode, time, ns, None, vec![vec![2000.0, 2010.5]]),
                (encode, bytes, b, None, vec![vec![128.0, 128.0]]),
                (encode, allocs, a, LOWER, vec![vec![2.0, 2.0]]),
                (cache, time, ns, None, vec![vec![50000.0]]),
                (cache, hits, h, HIGHER, vec![vec![0.9]]),
                (cache, Some("build-ns/op"), ns, None, vec![vec![12.0]]),
                (
                    Some("example.org/other.Encode/size-10"),
                    time,
                    ns,
                    None,
                    vec![vec![3000.0]]
                ),
            ]
        );
        assert_eq!(skipped(&reading), ["1 × `Broken-8`: it failed"]);
    }

    #[test]
    fn a_suffix_that_not_all_names_have_stays_and_a_panic_is_said() {
        let reading = reading("go/panic.txt");
        let names: Vec<_> = reading
            .records
            .iter()
            .map(|record| (record.variant.as_deref(), record.benchmark.as_deref()))
            .collect();
        let (before, after) = (Some("before"), Some("after"));
        assert_eq!(
            names,
            [(before, Some("A-8")), (before, Some("B")), (after, Some("A-8"))]
        );
        assert_eq!(
            skipped(&reading),
            [
                "1 × `panic: runtime error: index out of range [3] with length 3`: what came \
              after it was not measured"
            ]
        );
    }

    #[test]
    fn each_process_is_an_invocation() {
        let process = "goos: linux\npkg: a\nBenchmarkA-8 1 5 ns/op\nBenchmarkA-8 1 6 ns/op\nPASS\n";
        let reading = read(process.repeat(2)).expect("two processes");
        assert_eq!(rows(&reading)[0].4, [[5.0, 6.0], [5.0, 6.0]]);
    }

    #[test]
    fn metadata_of_units_gives_the_direction_and_what_is_not_heeded_is_said() {
        let text = "Unit widgets better=higher assume=exact\nBenchmarkA 1 5 widgets\n";
        let reading = read(text).expect("a benchmark");
        assert_eq!(rows(&reading)[0].3, HIGHER);
        let said = skipped(&reading);
        assert!(said[0].starts_with("1 × `assume=exact` of `widgets`: "), "{said:?}");
    }

    #[test]
    fn a_value_that_is_not_finite_is_refused_with_its_line() {
        assert_eq!(
            refusal("goos: linux\nBenchmarkA 1 NaN ns/op\n"),
            "f:2: `NaN ns/op` should be a finite number"
        );
    }
}

mod google_benchmark {
    use super::*;

    #[test]
    fn iterations_are_runs_and_aggregates_errors_and_skipped_ones_are_left_out() {
        let reading = reading("google-benchmark/report.json");
        let name = Some("BM_Copy/64");
        assert_eq!(
            rows(&reading),
            [
                (name, Some("real_time"), Some("us"), None, vec![vec![1.5, 1.6]]),
                (name, Some("cpu_time"), Some("us"), None, vec![vec![1.4, 1.5]]),
                (
                    name,
                    Some("bytes_per_second"),
                    Some("B/s"),
                    None,
                    vec![vec![4e7, 3.9e7]]
                ),
                (name, Some("hits"), None, None, vec![vec![3.0]]),
            ]
        );
        assert_eq!(
            skipped(&reading),
            [
                "1 × values of `hits` in `BM_Copy/64`: they are not finite numbers",
                "1 × aggregates (mean, median, …): they are computed from the runs",
                "1 × runs of `BM_Open`: it failed: `no such file`",
                "1 × runs of `BM_Later`: it was skipped: `not here`",
            ]
        );
    }

    #[test]
    fn a_file_of_aggregates_only_says_so() {
        let text =
            r#"{"benchmarks": [{"name": "A_mean", "real_time": 1, "iterations": 3}]}"#;
        assert_eq!(
            refusal(text),
            "f: no run in it can be used: 1 × aggregates (mean, median, …): they are \
             computed from the runs"
        );
    }
}

mod pytest_benchmark {
    use super::*;

    #[test]
    fn rounds_are_runs_already_divided_and_without_them_there_is_a_summary() {
        let reading = reading("pytest-benchmark/report.json");
        let parse = Some("tests/test_parse.py::test_parse[10]");
        let write = Some("tests/test_parse.py::test_write");
        let (time, s) = (Some("time"), Some("s"));
        assert_eq!(
            rows(&reading),
            [
                (parse, time, s, None, vec![vec![0.001, 0.003, 0.002]]),
                (write, time, s, None, vec![])
            ]
        );
        let Values::Summary(summary) = reading.records[1].values else {
            panic!("a summary")
        };
        assert_eq!(summary.moments().n, 40);
        assert_eq!(
            skipped(&reading),
            [
                "1 × the summary of `tests/test_parse.py::test_constant`: the SD must be \
              above 0, not `0`"
            ]
        );
    }

    #[test]
    fn a_list_of_rounds_that_was_cut_is_not_taken_for_all_of_them() {
        let text = r#"{"benchmarks": [{"name": "a", "stats":
            {"mean": 2.0, "stddev": 1.0, "rounds": 900, "data": [1, 2, "omitted"]}}]}"#;
        let reading = read(text).expect("a summary");
        assert!(matches!(reading.records[0].values, Values::Summary(_)));
        assert_eq!(
            skipped(&reading),
            [
                "3 × rounds of `a`: the list is not whole: mean, SD and number of all rounds \
              are used"
            ]
        );
    }
}

mod pyperf {
    use super::*;

    #[test]
    fn processes_are_invocations_and_warm_up_and_calibration_are_left_out() {
        let reading = reading("pyperf/suite.json");
        let (parse, peak) = (Some("parse"), Some("peak"));
        assert_eq!(
            rows(&reading),
            [
                (
                    parse,
                    Some("time"),
                    Some("s"),
                    None,
                    vec![vec![0.010, 0.012], vec![0.011, 0.013]]
                ),
                (
                    peak,
                    Some("memory"),
                    Some("B"),
                    None,
                    vec![vec![4096.0], vec![8192.0]]
                ),
            ]
        );
        assert_eq!(
            skipped(&reading),
            [
                "4 × warm-up values: they are warm-up",
                "1 × calibration runs: they have no values"
            ]
        );
    }
}

mod jmh {
    use super::*;

    #[test]
    fn forks_are_invocations_and_the_unit_gives_the_direction() {
        let reading = reading("jmh/result.json");
        let quick = Some("org.example.Sort.quick/size=10");
        assert_eq!(
            rows(&reading),
            [
                (
                    quick,
                    Some("throughput"),
                    Some("ops/ms"),
                    HIGHER,
                    vec![vec![2.0, 2.5], vec![2.25]]
                ),
                (
                    quick,
                    Some("gc.alloc.rate"),
                    Some("MB/sec"),
                    LOWER,
                    vec![vec![100.0, 101.0], vec![102.0, 103.0]]
                ),
                (
                    Some("org.example.Sort.quick/threads=4"),
                    Some("sampled time"),
                    Some("us/op"),
                    LOWER,
                    // (2 + 3 × 4) / 4 and 3: the means of the iterations.
                    vec![vec![3.5, 3.0]]
                ),
                (
                    Some("org.example.Sort.byHand"),
                    Some("time"),
                    Some("s/op"),
                    LOWER,
                    vec![vec![0.5, 0.625]]
                ),
            ]
        );
        assert_eq!(
            skipped(&reading),
            [
                "1 × iterations of `throughput` of `org.example.Sort.quick/size=10`: they \
                 are not finite numbers",
                "1 × `asm` of `org.example.Sort.quick/size=10`: it has no iterations"
            ]
        );
    }
}

mod criterion {
    use super::*;

    fn tree() -> Vec<Source> {
        let input = Input::Word(folder().join("criterion").display().to_string());
        read_sources(&[input], &Selection::default()).expect("a tree")
    }

    #[test]
    fn a_folder_is_read_whole_with_its_baselines_as_variants() {
        let sources = tree();
        let reading = &sources[0].readings[0];
        let (time, ns) = (Some("time"), Some("ns"));
        let (old, sort) = (Some("old"), Some("sort/20"));
        assert_eq!(
            rows(reading),
            [
                (old, time, ns, None, vec![vec![500.0, 505.0]]),
                (old, time, ns, None, vec![vec![510.0, 500.0]]),
                (sort, time, ns, None, vec![vec![100.0, 101.0, 100.0]]),
                (sort, time, ns, None, vec![vec![110.0, 110.0]]),
            ]
        );
        let marks: Vec<_> = reading
            .records
            .iter()
            .map(|record| (record.variant.as_deref(), record.baseline))
            .collect();
        let (base, new) = ((Some("base"), true), (Some("new"), false));
        assert_eq!(marks, [base, new, base, new]);
        assert_eq!(
            skipped(reading),
            ["1 × samples: they have no time or no iterations"]
        );
    }

    #[test]
    fn base_is_the_baseline_of_a_comparison() {
        let input = Input::Word(folder().join("criterion").display().to_string());
        let dataset = read_dataset(&[input], &Selection::default()).expect("a tree");
        for series in &dataset.series {
            assert_eq!(series.variants[0].label, "base");
        }
        assert_eq!(dataset.series.len(), 2);
    }

    #[test]
    fn one_sample_alone_is_read_as_a_file() {
        let reading = reading("criterion/sort/20/base/sample.json");
        assert_eq!(rows(&reading)[0].4, [[100.0, 101.0, 100.0]]);
        let cut = r#"{"sampling_mode":"Flat","iters":[1.0,2.0],"times":[1.0]}"#;
        assert_eq!(refusal(cut), "f: there are 1 times and 2 numbers of iterations");
    }
}

mod benchmarkdotnet {
    use super::*;

    #[test]
    fn results_are_runs_and_launches_are_invocations() {
        let reading = reading("benchmarkdotnet/report-full.json");
        assert_eq!(
            rows(&reading),
            [
                (
                    Some("Demo.Sort.Quick(Size: 10)"),
                    Some("time"),
                    Some("ns/op"),
                    None,
                    vec![vec![100.0, 102.0], vec![101.0]]
                ),
                (
                    Some("Demo.Sort.Slow(Size=10)"),
                    Some("time"),
                    Some("ns/op"),
                    None,
                    vec![]
                ),
            ]
        );
        let Values::Summary(summary) = reading.records[1].values else {
            panic!("a summary")
        };
        assert_eq!((summary.moments().n, summary.moments().mean), (15, 500.0));
        assert_eq!(
            skipped(&reading),
            [
                "2 × other measurements: only results count, not pilot, warm-up and overhead"
            ]
        );
    }
}

mod iperf3 {
    use super::*;

    #[test]
    fn a_transfer_is_one_run_of_what_was_received() {
        let reading = reading("iperf3/tcp.json");
        assert_eq!(
            rows(&reading),
            [
                (None, Some("throughput"), Some("bit/s"), None, vec![vec![9.4e8]]),
                (None, Some("retransmits"), None, LOWER, vec![vec![3.0]]),
            ]
        );
        assert_eq!(
            skipped(&reading),
            [
                "2 × intervals: those of one transfer depend on one another: all of it is one \
              run"
            ]
        );
    }

    #[test]
    fn a_stream_says_the_same_and_the_other_way_is_a_metric_of_its_own() {
        let reading = reading("iperf3/stream.json");
        let rate = Some("bit/s");
        assert_eq!(
            rows(&reading),
            [
                (None, Some("throughput"), rate, None, vec![vec![9.4e8]]),
                (None, Some("reverse throughput"), rate, None, vec![vec![5e8]]),
                (None, Some("retransmits"), None, LOWER, vec![vec![3.0]]),
            ]
        );
        assert_eq!(reading.skipped[0].count, 2);
        let text = text("iperf3/stream.json");
        let lines: Vec<&str> = text.lines().take(3).collect();
        let what = "f:3: the transfer has no end: the file was cut off";
        assert_eq!(refusal(&lines.join("\n")), what);
        let failed =
            format!("{}\n{{\"event\": \"error\", \"data\": \"gone\"}}", lines[0]);
        assert_eq!(refusal(&failed), "f: the transfer failed: `gone`");
    }

    #[test]
    fn a_transfer_that_failed_is_refused_with_its_reason() {
        let text = r#"{"start": {"version": "iperf 3.18"}, "intervals": [], "end": {},
            "error": "unable to connect"}"#;
        assert_eq!(refusal(text), "f: the transfer failed: `unable to connect`");
    }
}

mod fio {
    use super::*;

    #[test]
    fn an_execution_is_one_run_of_each_direction_that_was_used() {
        let reading = reading("fio/job.json");
        let read = Some("rand/read");
        assert_eq!(
            rows(&reading),
            [
                (read, Some("bandwidth"), Some("B/s"), None, vec![vec![2_048_000.0]]),
                (read, Some("iops"), Some("iops"), None, vec![vec![500.5]]),
                (read, Some("mean latency"), Some("ns"), None, vec![vec![2500.25]]),
            ]
        );
        assert_eq!(
            skipped(&reading),
            [
                "1 × job `rand#2`: it failed: error 5",
                "1 × the rest of the execution: fio was interrupted"
            ]
        );
    }

    #[test]
    fn some_percentiles_are_metrics_and_histograms_are_left_out() {
        let reading = reading("fio/percentiles.json");
        let latencies: Vec<_> =
            rows(&reading).into_iter().skip(2).map(|row| (row.1, row.4)).collect();
        assert_eq!(
            latencies,
            [
                (Some("mean latency"), vec![vec![2100.5]]),
                (Some("p50 completion latency"), vec![vec![1900.0]]),
                (Some("p90 completion latency"), vec![vec![3000.0]]),
                (Some("p95 completion latency"), vec![vec![4000.0]]),
                (Some("p99 completion latency"), vec![vec![8000.0]]),
            ]
        );
        assert_eq!(
            skipped(&reading),
            ["1 × histograms of `seq/write`: requests of one execution depend on one \
                 another"]
        );
    }

    #[test]
    fn words_before_the_json_do_not_move_the_line_of_an_error() {
        let cut = "fio: hello\n\n{\n\"fio version\": \"3\",\n\"jobs\": [";
        assert_eq!(
            refusal(cut),
            "f:5: the JSON ends in the middle: the file was cut off"
        );
    }
}

mod k6 {
    use super::*;

    const REQUEST: Option<&str> = Some("GET https://example.org/");
    const DURATION: Option<&str> = Some("http_req_duration");

    #[test]
    fn trends_are_runs_and_failed_requests_and_counts_are_left_out() {
        let reading = reading("k6/points.json");
        let login = Some("spike/login/GET https://example.org/");
        assert_eq!(
            rows(&reading),
            [
                (REQUEST, DURATION, Some("ms"), None, vec![vec![12.5, 13.25]]),
                (login, DURATION, Some("ms"), None, vec![vec![20.0]]),
                (None, Some("page_size"), Some("B"), None, vec![vec![512.0]]),
            ]
        );
        assert_eq!(
            skipped(&reading),
            [
                "1 × `http_req_duration` of `GET https://example.org/`: the request failed: \
                 error 1050",
                "2 × points of `http_reqs`: a count, gauge or rate is no run: trends are kept"
            ]
        );
    }

    #[test]
    fn the_csv_says_the_same() {
        let reading = reading("k6/points.csv");
        assert_eq!(
            rows(&reading),
            [(REQUEST, DURATION, Some("ms"), None, vec![vec![12.5, 13.25]])]
        );
        assert_eq!(skipped(&reading).len(), 2);
    }

    #[test]
    fn a_file_that_is_larger_than_its_head_is_read_as_it_comes_packed_or_not() {
        let text = text("k6/points.json");
        let point = text.lines().nth(1).expect("a point");
        let many = format!("{text}{}", format!("{point}\n").repeat(1000));
        let folder = tempfile::tempdir().expect("a folder");
        let mut packed =
            flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, many.as_bytes()).expect("memory");
        let packed = packed.finish().expect("memory");
        for bytes in [many.as_bytes(), &packed] {
            let path = folder.path().join("k6.json");
            std::fs::write(&path, bytes).expect("a writable folder");
            let input = Input::Word(path.display().to_string());
            let sources = read_sources(&[input], &Selection::default());
            let reading = &sources.expect("points")[0].readings[0];
            assert_eq!(rows(reading)[0].4[0].len(), 1002);
        }
    }

    #[test]
    fn a_line_that_is_cut_is_refused_with_its_number() {
        let text = text("k6/points.json");
        let cut = &text[..text.trim_end().len() - 5];
        let line = text.lines().count();
        let what = "the JSON ends in the middle: the file was cut off";
        assert_eq!(refusal(cut), format!("f:{line}: {what}"));
    }
}

mod ndjson {
    use super::*;

    #[test]
    fn objects_are_rows_and_nested_keys_are_columns() {
        let reading = reading("ndjson/rows.json");
        let variants: Vec<_> =
            reading.records.iter().map(|record| record.variant.as_deref()).collect();
        assert_eq!(variants, [Some("old"), Some("new")]);
        let (bench, time, ms) = (Some("parse"), Some("stats.time"), Some("ms"));
        assert_eq!(
            rows(&reading),
            [
                (bench, time, ms, None, vec![vec![1.5, 1.25]]),
                (bench, time, ms, None, vec![vec![2.5]]),
            ]
        );
        assert_eq!(
            skipped(&reading),
            ["1 × empty cells in column `stats.time_ms`: no run there"]
        );
    }

    #[test]
    fn a_bad_row_is_refused_with_its_line() {
        let start = "{\"variant\": \"a\", \"time\": 1}\n\n{\"variant\": \"b\", ";
        let what = "f:3: column `time` should be a number, not `n/a`";
        assert_eq!(
            refusal(&format!("{start}\"time\": \"n/a\"}}\n{start}\"time\": 2}}")),
            what
        );
        let cut = format!("{start}\"time\": 1}}\n{{\"variant\"");
        assert_eq!(
            refusal(&cut),
            "f:4: the JSON ends in the middle: the file was cut off"
        );
    }
}

mod vitest {
    use super::*;

    #[test]
    fn samples_are_runs_and_without_them_there_is_a_summary() {
        let reading = reading("vitest/report.json");
        let (time, ms) = (Some("time"), Some("ms"));
        assert_eq!(
            rows(&reading),
            [
                (
                    Some("sort.bench.ts > sort > quick"),
                    time,
                    ms,
                    None,
                    vec![vec![0.5, 0.25, 0.75]]
                ),
                (Some("sort.bench.ts > sort > slow"), time, ms, None, vec![]),
            ]
        );
        let Values::Summary(summary) = reading.records[1].values else {
            panic!("a summary")
        };
        assert_eq!((summary.moments().n, summary.moments().sd()), (40, Some(0.5)));
        assert_eq!(
            skipped(&reading),
            [
                "1 × the summary of `sort.bench.ts > sort > broken`: neither samples nor mean, \
              SD and number are kept"
            ]
        );
    }

    #[test]
    fn tasks_of_tinybench_are_read_in_both_layouts() {
        let new =
            r#"[{"name": "a", "result": {"latency": {"samples": [1, 2]}, "hz": 1}}]"#;
        let old = r#"[{"name": "a", "result": {"samples": [1, 2], "hz": 1}}]"#;
        for text in [new, old] {
            let reading = read(text).expect("tasks");
            let expected = vec![vec![1.0, 2.0]];
            assert_eq!(
                rows(&reading),
                [(Some("a"), Some("time"), Some("ms"), None, expected)]
            );
        }
    }
}

mod cargo_criterion {
    use super::*;

    #[test]
    fn values_are_divided_by_their_iterations() {
        let reading = reading("cargo-criterion/messages.json");
        // 1000/10 and 2020/20.
        let runs = vec![vec![100.0, 101.0]];
        assert_eq!(
            rows(&reading),
            [(Some("sort/20"), Some("time"), Some("ns"), None, runs)]
        );
        assert_eq!(
            skipped(&reading),
            ["1 × samples of `sort/20`: they have no value or no iterations"]
        );
    }

    #[test]
    fn a_message_that_is_not_whole_is_refused_with_its_line() {
        let text = "{\"reason\": \"warming-up\"}\n{\"reason\": \"benchmark-complete\", \
            \"id\": \"a\", \"iteration_count\": [1, 2], \"measured_values\": [1]}\n";
        assert_eq!(refusal(text), "f:2: `a` has 1 values and 2 numbers of iterations");
    }
}

mod nanobench {
    use super::*;

    #[test]
    fn epochs_are_runs_of_one_unit_and_absent_counters_are_left_out() {
        let reading = reading("nanobench/render.json");
        let name = Some("hash/fnv");
        assert_eq!(
            rows(&reading),
            [
                // 2e-7 s and 4e-7 s for 4 bytes.
                (name, Some("time"), Some("s/byte"), None, vec![vec![5e-8, 1e-7]]),
                (name, Some("instructions"), None, LOWER, vec![vec![20.0, 21.0]]),
            ]
        );
    }
}

mod rebench {
    use super::*;

    #[test]
    fn executors_are_variants_and_arguments_that_vary_name_the_benchmark() {
        let reading = reading("rebench/new.data");
        let variants: Vec<_> =
            reading.records.iter().map(|record| record.variant.as_deref()).collect();
        assert_eq!(variants, [Some("Old"), Some("New"), Some("New")]);
        let (total, ms) = (Some("total"), Some("ms"));
        let (small, large) = (Some("Sort/extraArgs=100"), Some("Sort/extraArgs=200"));
        assert_eq!(
            rows(&reading),
            [
                (small, total, ms, None, vec![vec![10.5, 10.25], vec![11.5]]),
                (small, total, ms, None, vec![vec![20.5]]),
                (large, total, ms, None, vec![vec![30.0]]),
            ]
        );
    }

    #[test]
    fn files_without_a_header_have_the_columns_of_their_time() {
        let reading = reading("rebench/old.data");
        let runs = vec![vec![10.5, 10.25]];
        assert_eq!(
            rows(&reading),
            [(Some("Sort"), Some("total"), Some("ms"), None, runs)]
        );
    }

    #[test]
    fn a_value_that_is_no_number_is_refused_with_its_line() {
        let text = "#!/usr/bin/rebench\n[2014]\tfailed\tms\ttotal\tSort\tOld\n";
        assert_eq!(
            refusal(text),
            "f:2: the value should be a finite number, not `failed`"
        );
    }
}
