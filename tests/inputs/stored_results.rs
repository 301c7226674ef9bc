//! Results that tools keep for later: XML, folders, exports, tables of other programs.

use super::*;

/// Number, mean and SD of the summary that a record holds.
fn summary(record: &Record) -> (usize, f64, f64) {
    let Values::Summary(summary) = record.values else { panic!("a summary") };
    let moments = summary.moments();
    (moments.n, moments.mean, moments.sd().expect("two runs or more"))
}

fn variants(reading: &Reading) -> Vec<Option<&str>> {
    reading.records.iter().map(|record| record.variant.as_deref()).collect()
}

mod catch2 {
    use super::*;

    #[test]
    fn mean_and_sd_are_a_summary_and_what_failed_is_named() {
        let reading = reading("catch2/report.xml");
        let quick = Some("sorting/quick & small");
        assert_eq!(rows(&reading), [(quick, Some("time"), Some("ns"), None, vec![])]);
        let (n, mean, sd) = summary(&reading.records[0]);
        assert_eq!((n, mean), (5, 100.5));
        // The SD in the file is that with n: 2 · √(5/4).
        assert!((sd - 5_f64.sqrt()).abs() < 1e-12, "{sd}");
        assert_eq!(
            skipped(&reading),
            [
                "1 × the summary of `sorting/large/slow`: the SD must be above 0, not `0`",
                "1 × `sorting/broken`: it failed: no such file"
            ]
        );
    }

    #[test]
    fn a_bad_number_is_refused_with_its_line() {
        let bad = text("catch2/report.xml").replace("value=\"100.5\"", "value=\"?\"");
        assert_eq!(refusal(&bad), "f:6: the mean should be a number, not `?`");
    }

    #[test]
    fn xml_that_was_cut_names_its_last_line() {
        for name in ["catch2/report.xml", "phoronix/composite.xml"] {
            let text = text(name);
            let cut = &text[..text.len() * 3 / 4];
            let line = cut.lines().count();
            let what = "the XML ends in the middle: the file was cut off";
            assert_eq!(refusal(cut), format!("f:{line}: {what}"), "{name}");
        }
    }

    #[test]
    fn xml_of_another_tool_is_named() {
        let catch2 = by_name("catch2").expect("a format");
        let bytes = bytes("phoronix/composite.xml");
        let error = read_bytes("f", bytes, Some(catch2), &Options::default());
        let error = error.expect_err("a refusal");
        assert_eq!(
            error.to_string(),
            "f:3: this is not as Catch2 writes it: it begins with `<PhoronixTestSuite>`, \
             not `<Catch2TestRun>`"
        );
        assert!(
            error.hint().is_some_and(|hint| hint.ends_with("looks like `phoronix`"))
        );
    }
}

mod phoronix {
    use super::*;

    #[test]
    fn systems_are_variants_and_each_run_is_an_invocation() {
        let reading = reading("phoronix/composite.xml");
        let speed = Some("Packer/Level: 3 - Speed");
        let install = Some("Packer/Test Install Time");
        let (rate, seconds) = (Some("MB/s"), Some("Seconds"));
        assert_eq!(
            rows(&reading),
            [
                (
                    speed,
                    rate,
                    rate,
                    HIGHER,
                    vec![vec![134.6], vec![134.7], vec![134.5]]
                ),
                (speed, rate, rate, HIGHER, vec![vec![140.1], vec![140.3]]),
                (install, seconds, seconds, LOWER, vec![vec![19.0]]),
            ]
        );
        assert_eq!(variants(&reading), [Some("old"), Some("new"), Some("old")]);
        assert_eq!(
            skipped(&reading),
            [
                "1 × `Packer/Test Install Time`: it has no result: the test failed",
                "1 × `CPU Temperature Monitor`: it is shown as `LINE_GRAPH`: no number a run"
            ]
        );
    }

    #[test]
    fn a_bad_number_is_refused_with_its_line() {
        let bad = text("phoronix/composite.xml").replace("134.7", "n/a");
        assert_eq!(refusal(&bad), "f:27: the result should be a number, not `n/a`");
    }

    #[test]
    fn versions_of_a_program_are_told_apart_where_there_are_several() {
        let text = text("phoronix/composite.xml");
        let other = text.replacen("<AppVersion>1.5", "<AppVersion>1.6", 1);
        let reading = read(other).expect("results");
        let names = rows(&reading).into_iter().filter_map(|row| row.0);
        let names: Vec<_> = names.collect();
        assert_eq!(names[0], "Packer/1.6/Level: 3 - Speed");
        assert_eq!(names[2], "Packer/1.5/Test Install Time");
    }
}

mod critcmp {
    use super::*;

    #[test]
    fn the_number_of_samples_follows_from_sd_and_standard_error() {
        let reading = reading("critcmp/export.json");
        let sort = Some("sort/20");
        assert_eq!(rows(&reading), [(sort, Some("time"), Some("ns"), None, vec![])]);
        // 100 samples: the standard error in the file is √(99/100) · 4/√100.
        assert_eq!(summary(&reading.records[0]), (100, 100.0, 4.0));
        assert_eq!(
            skipped(&reading),
            [
                "2 × lists of samples: critcmp keeps none: their number is what SD and \
                 standard error imply",
                "1 × the summary of `sort/none`: its standard error is 0"
            ]
        );
    }
}

mod asv {
    use super::*;

    fn results(path: &str) -> Vec<Source> {
        let input = Input::Word(folder().join(path).display().to_string());
        read_sources(&[input], &Selection::default()).expect("results")
    }

    #[test]
    fn a_folder_is_read_whole_with_its_commits_as_variants_the_oldest_first() {
        for path in ["asv/results", "asv/results/box"] {
            let sources = results(path);
            let reading = &sources[0].readings[0];
            let sum = Some("work.time_sum");
            let grid = Some("work.Sorting.time_sorted/n=10/kind=tuple");
            let (time, s) = (Some("time"), Some("s"));
            let found = rows(reading);
            let runs = vec![vec![2.5e-5, 2.75e-5, 3e-5, 2.625e-5]];
            assert!(found.contains(&(sum, time, s, None, runs)), "{found:?}");
            let runs = vec![vec![2e-6, 2.25e-6]];
            assert!(found.contains(&(grid, time, s, None, runs)), "{found:?}");
            let list = (Some("work.mem_list"), Some("memory"), Some("B"));
            let size = (Some("work.track_size"), Some("value"), Some("items"));
            for ((benchmark, metric, unit), value) in [(list, 856.0), (size, 42.0)] {
                let row = (benchmark, metric, unit, None, vec![vec![value]]);
                assert_eq!(found.iter().filter(|found| **found == row).count(), 2);
            }
            let (old, new) = (Some("f3aa8292"), Some("085f0ef7"));
            let variants = variants(reading);
            assert_eq!(variants.first(), Some(&old));
            assert!(variants.contains(&new), "{variants:?}");
            assert_eq!(
                skipped(reading),
                [
                    "2 × `work.time_broken`: it failed, or was skipped",
                    "2 × `work.Sorting.time_sorted/n=100/kind=tuple`: it failed, or was \
                     skipped",
                ]
            );
        }
    }

    #[test]
    fn the_environment_is_named_where_there_are_several() {
        let copy = tempfile::tempdir().expect("a folder");
        let name = "f3aa8292-virtualenv-py3.11.json";
        let from = folder().join("asv/results/box");
        for to in [name, "f3aa8292-virtualenv-py3.12.json", "machine.json"] {
            let from = from.join(if to.starts_with('f') { name } else { to });
            std::fs::copy(from, copy.path().join(to)).expect("a writable folder");
        }
        let input = Input::Word(copy.path().display().to_string());
        let sources = read_sources(&[input], &Selection::default()).expect("results");
        let found = rows(&sources[0].readings[0]);
        let sum = Some("work.time_sum/env=virtualenv-py3.12");
        assert!(found.iter().any(|row| row.0 == sum), "{found:?}");
    }

    #[test]
    fn the_first_layout_keeps_summaries_or_one_value() {
        let reading = reading("asv/old.json");
        let (time, s) = (Some("time"), Some("s"));
        assert_eq!(
            rows(&reading),
            [
                (Some("time_plain"), time, s, None, vec![vec![0.5]]),
                (
                    Some("peakmem_all"),
                    Some("memory"),
                    Some("B"),
                    None,
                    vec![vec![344.0]]
                ),
                (Some("time_grid/param1=1"), time, s, None, vec![]),
                (Some("time_grid/param1=2"), time, s, None, vec![vec![0.75]]),
            ]
        );
        let (n, mean, sd) = summary(&reading.records[2]);
        assert_eq!((n, mean), (10, 0.26));
        assert!((sd - 0.02).abs() < 1e-15, "{sd}");
        assert_eq!(
            skipped(&reading),
            [
                "2 × lists of samples: asv kept their median, which is one run: measure with \
                 `asv run --record-samples`",
                "1 × `time_skipped`: it failed, or was skipped",
                "1 × `time_failed`: it failed, or was skipped",
            ]
        );
    }

    #[test]
    fn values_that_do_not_fit_their_parameters_are_refused() {
        let text = r#"{"commit_hash": "a", "results": {"time_a":
            {"params": [["1", "2"]], "result": [1, 2, 3]}}}"#;
        assert_eq!(refusal(text), "f: `time_a` has 3 values, not one a parameter");
    }
}

mod benchmarktools {
    use super::*;

    #[test]
    fn samples_of_trials_are_runs_under_the_names_of_their_groups() {
        let reading = reading("benchmarktools/group.json");
        let (median, quick) = (Some("sort/median"), Some("sort/quick"));
        let (time, ns) = (Some("time"), Some("ns"));
        let (memory, bytes) = (Some("memory"), Some("B"));
        assert_eq!(
            rows(&reading),
            [
                (median, time, ns, None, vec![vec![101.0]]),
                (quick, time, ns, None, vec![vec![100.5, 101.5, 102.5]]),
                (quick, memory, bytes, LOWER, vec![vec![128.0]]),
                (quick, Some("allocations"), None, LOWER, vec![vec![3.0]]),
            ]
        );
        assert_eq!(
            skipped(&reading),
            [
                "1 × `TrialRatio` `odd`: it is no measurement",
                "1 × samples of an estimate: save the trial itself: its estimate is one run",
                "1 × samples of `sort/quick`: they are not finite numbers",
            ]
        );
    }
}

mod lkp {
    use super::*;

    #[test]
    fn each_execution_is_a_run_and_zeros_that_fill_a_gap_are_left_out() {
        let reading = reading("lkp/matrix.json");
        let (job, kernel) = (Some("netperf"), Some("dmesg"));
        let each = |runs: &[f64]| runs.iter().map(|run| vec![*run]).collect::<Vec<_>>();
        assert_eq!(
            rows(&reading),
            [
                (
                    job,
                    Some("Throughput_Mbps"),
                    Some("Mbps"),
                    None,
                    each(&[2360.5, 2371.25])
                ),
                (
                    job,
                    Some("time.elapsed_time"),
                    None,
                    None,
                    each(&[302.12, 302.25, 302.5])
                ),
                (kernel, Some("errors"), None, None, each(&[0.0, 0.0, 0.0])),
            ]
        );
        assert_eq!(
            skipped(&reading),
            [
                "1 × zeros of `netperf.Throughput_Mbps`: LKP writes 0 where an execution has \
                 no such figure"
            ]
        );
    }
}

mod k6_summary {
    use super::*;

    #[test]
    fn a_test_is_one_run_in_both_layouts() {
        for name in ["k6-summary/export.json", "k6-summary/handle.json"] {
            let reading = reading(name);
            let latency = |name, s| (None, Some(name), Some("s"), None, vec![vec![s]]);
            let rate = Some("requests/s");
            assert_eq!(
                rows(&reading),
                [
                    (None, Some("throughput"), rate, None, vec![vec![250.5]]),
                    latency("mean latency", 0.004),
                    latency("p50 latency", 0.002),
                    latency("p90 latency", 0.008),
                    latency("p95 latency", 0.016),
                ],
                "{name}"
            );
            assert_eq!(
                skipped(&reading),
                [
                    "10 × requests that failed: they count in throughput and latency",
                    "1 × other metrics: of a summary, HTTP requests are read; `--out \
                     json=FILE` keeps the rest"
                ]
            );
        }
    }

    #[test]
    fn a_test_in_which_all_requests_failed_is_no_run() {
        let text = text("k6-summary/export.json")
            .replace("\"passes\": 10,", "\"passes\": 1000,");
        let what = refusal(&text);
        assert!(what.contains("all of its 1000 requests failed"), "{what}");
    }
}

mod tachometer {
    use super::*;

    #[test]
    fn samples_are_runs_and_versions_can_be_the_variants() {
        let reading = reading("tachometer/results.json");
        let (fcp, ms) = (Some("fcp"), Some("ms"));
        let (main, patch) = (
            Some("render/version=main/browser=chrome"),
            Some("render/version=patch/browser=chrome"),
        );
        assert_eq!(
            rows(&reading),
            [
                (main, fcp, ms, None, vec![vec![10.5, 11.5]]),
                (patch, fcp, ms, None, vec![vec![12.5, 13.5]]),
            ]
        );
        assert_eq!(
            skipped(&reading),
            ["1 × samples of `render`: they are not finite numbers"]
        );
        let by = patchodds::data::VariantBy::Parameter("version".into());
        let reading = reading.told_apart_by(&by).expect("versions");
        assert_eq!(variants(&reading), [Some("version=main"), Some("version=patch")]);
    }
}

mod lit {
    use super::*;

    #[test]
    fn metrics_of_tests_that_passed_are_one_run_each() {
        let reading = reading("lit/results.json");
        let sieve = Some("test-suite :: Shootout/sieve.test");
        let (s, b) = (Some("s"), Some("B"));
        assert_eq!(
            rows(&reading),
            [
                (sieve, Some("compile_time"), s, None, vec![vec![0.25]]),
                (sieve, Some("exec_time"), s, None, vec![vec![1.125]]),
                (sieve, Some("size"), b, None, vec![vec![4096.0]]),
                (sieve, Some("size..text"), b, None, vec![vec![2048.0]]),
            ]
        );
        assert_eq!(
            skipped(&reading),
            [
                "1 × `test-suite :: Shootout/lists.test`: it did not pass: FAIL",
                "1 × tests without metrics: nothing was measured",
            ]
        );
    }
}

mod bencher {
    use super::*;

    #[test]
    fn values_are_one_run_each_and_bounds_are_left_out() {
        let reading = reading("bencher/bmf.json");
        let (parse, write) = (Some("parse"), Some("write"));
        assert_eq!(
            rows(&reading),
            [
                (parse, Some("heap"), None, None, vec![vec![4096.0]]),
                (parse, Some("latency"), Some("ns"), None, vec![vec![88.5]]),
                (write, Some("throughput"), Some("ops/s"), None, vec![vec![1200.5]]),
            ]
        );
        assert_eq!(
            skipped(&reading),
            ["1 × pairs of bounds: the file does not say what they are bounds of"]
        );
    }
}

mod github_action {
    use super::*;

    #[test]
    fn values_are_one_run_each_and_ranges_are_left_out() {
        let reading = reading("github-action-benchmark/custom.json");
        let (ms, bytes) = (Some("ms"), Some("Bytes"));
        assert_eq!(
            rows(&reading),
            [
                (Some("parse"), ms, ms, None, vec![vec![12.5]]),
                (Some("size"), bytes, bytes, None, vec![vec![4096.0]]),
            ]
        );
        assert_eq!(
            skipped(&reading),
            [
                "1 × ranges: the file does not say what they are",
                "1 × `cache`: it has no finite value",
            ]
        );
    }
}

#[cfg(feature = "parquet")]
mod parquet {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_spoilt_table_makes_it_panic_or_gives_what_is_not_finite(
            places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        ) {
            let mut table = bytes("long.parquet");
            for (place, byte) in places {
                let at = place.index(table.len());
                table[at] = byte;
            }
            for record in read(table).into_iter().flat_map(|reading| reading.records) {
                let all = row(&record).4.concat();
                prop_assert!(all.iter().all(|value| value.is_finite()), "{all:?}");
            }
        }
    }

    #[test]
    fn a_table_that_was_cut_or_is_none_is_refused() {
        let whole = bytes("long.parquet");
        let error = read(&whole[..whole.len() / 2]).expect_err("a refusal");
        let start = "f: it begins like Parquet and cannot be read: ";
        assert!(error.to_string().starts_with(start), "{error}");
        let packed = read(bytes("long-brotli.parquet")).expect_err("a refusal");
        let what = "f: it is compressed with brotli, which is not read";
        assert_eq!(packed.to_string(), what);
        let parquet = by_name("parquet").expect("a format");
        let table = bytes("long.csv");
        let error = read_bytes("f", table, Some(parquet), &Options::default());
        let error = error.expect_err("a refusal");
        let what = "f: this is no Parquet: it does not begin with `PAR1`";
        assert_eq!(error.to_string(), what);
        assert!(error.hint().is_some_and(|hint| hint.ends_with("looks like `csv`")));
    }
}
