//! Files of tools that print text.

use super::*;

/// The variant, number, mean and SD of each summary, the last rounded to 9 digits.
fn summaries(reading: &Reading) -> Vec<(&str, usize, f64, f64)> {
    let summary = |record: &'_ Record| match record.values {
        Values::Summary(summary) => Some(summary),
        Values::Runs(_) | Values::Published(_) => None,
    };
    let records = reading.records.iter();
    let known = records.filter_map(|record| Some((record, summary(record)?)));
    let rounded = |value: f64| format!("{value:.8e}").parse().expect("a number");
    known
        .map(|(record, summary)| {
            let moments = summary.moments();
            let metric = record.metric.as_deref().unwrap_or_default();
            (metric, moments.n, moments.mean, rounded(moments.sd().expect("n above 1")))
        })
        .collect()
}

mod perf_stat {
    use super::*;

    #[test]
    fn repeated_executions_are_summaries_by_their_standard_errors() {
        let reading = reading("perf-stat/repeated.txt");
        // SD = SE √4: 10.5 · 2 % · 2, 10^6 · 0.5 % · 2, and 2·10^6 · 0.005 % · 2, where
        // 0.00 % is below half of its last place.
        assert_eq!(
            summaries(&reading),
            [
                ("task-clock", 4, 10.5, 0.42),
                ("instructions:u", 4, 1e6, 1e4),
                ("branches", 4, 2e6, 200.0),
            ]
        );
        let runs: Vec<_> =
            rows(&reading).into_iter().filter(|row| !row.4.is_empty()).collect();
        let faults = vec![vec![73.0; 4]];
        let elapsed = vec![vec![0.011, 0.01, 0.0105, 0.0115]];
        assert_eq!(
            runs,
            [
                (None, Some("page-faults"), Some("count"), None, faults),
                (None, Some("time elapsed"), Some("s"), None, elapsed),
            ]
        );
        assert_eq!(
            skipped(&reading),
            ["1 × counts of `cycles`: perf says `not supported`"]
        );
    }

    #[test]
    fn headings_and_commands_tell_the_variants_of_one_file() {
        let reading = reading("perf-stat/commands.txt");
        let read: Vec<_> = reading
            .records
            .iter()
            .map(|record| {
                (record.variant.as_deref(), record.metric.as_deref(), row(record).4)
            })
            .collect();
        let (old, new) = (Some("old"), Some("new"));
        assert_eq!(
            read,
            [
                (old, Some("task-clock"), vec![vec![1234.5]]),
                (old, Some("page-faults"), vec![vec![1200.0]]),
                (old, Some("time elapsed"), vec![vec![1.250_987_654]]),
                (old, Some("user"), vec![vec![1.2]]),
                (old, Some("sys"), vec![vec![0.034]]),
                (new, Some("task-clock"), vec![vec![1134.5]]),
                (new, Some("time elapsed"), vec![vec![1.150_987_654]]),
            ]
        );
    }

    #[test]
    fn fields_of_executions_that_were_appended_are_runs() {
        let reading = reading("perf-stat/appended.csv");
        assert_eq!(
            rows(&reading),
            [
                (None, Some("task-clock"), Some("msec"), None, vec![vec![1.28, 1.26]]),
                (
                    None,
                    Some("page-faults"),
                    Some("count"),
                    None,
                    vec![vec![76.0, 75.0]]
                ),
            ]
        );
        assert_eq!(
            skipped(&reading),
            ["2 × counts of `cycles`: perf says `not supported`"]
        );
    }

    #[test]
    fn a_mean_of_how_many_executions_nobody_says_is_one_run() {
        let reading = reading("perf-stat/repeated.json");
        assert_eq!(
            rows(&reading),
            [
                (None, Some("task-clock"), Some("msec"), None, vec![vec![1.198_298]]),
                (None, Some("page-faults"), Some("count"), None, vec![vec![75.0]]),
            ]
        );
        let left_out = skipped(&reading);
        assert!(
            left_out[0].starts_with("2 × spreads of events (`+-`): the number of ")
        );
        assert_eq!(left_out[1], "1 × counts of `cycles`: perf says `not counted`");
    }

    #[test]
    fn fields_with_semicolons_may_have_a_decimal_comma() {
        let text = "1,24;msec;task-clock;0,37%;1241829;100,00;0,038;CPUs utilized\n";
        assert_eq!(rows(&read(text).expect("fields"))[0].4, [[1.24]]);
    }

    #[test]
    fn counts_of_intervals_and_of_processors_are_refused() {
        let head = "its counts are split by";
        let tail = "they are not of whole runs";
        for (text, line, part) in [
            (
                "#  time  counts unit events\n  0.01  0.9 msec task-clock\n",
                1,
                "interval",
            ),
            ("# x\n   0.01,1.2,msec,task-clock,128,100.00,,\n", 2, "interval"),
            (
                "{\"interval\": 0.1, \"counter-value\": \"1\", \"event\": \"a\"}\n",
                1,
                "interval",
            ),
            (
                "{\"cpu\": \"0\", \"counter-value\": \"1\", \"event\": \"a\"}\n",
                1,
                "processor",
            ),
            ("CPU0,12.7,msec,task-clock,127,100.00,1,x\n", 1, "processor or thread"),
            (
                " Performance counter stats for 'system wide':\n\nCPU0  13.4 msec task-clock\n",
                3,
                "processor or thread",
            ),
        ] {
            assert_eq!(refusal(text), format!("f:{line}: {head} {part}: {tail}"));
        }
    }

    #[test]
    fn a_line_that_is_none_and_an_end_that_is_missing_are_named() {
        let text = "1,,faults,5,100.00,,\n1,,faul";
        assert_eq!(refusal(text), "f:2: this is no line of `perf stat -x,`");
        let text = " Performance counter stats for 'a':\n\n    5  faults\n";
        assert_eq!(
            refusal(text),
            "f:3: the last execution has no `seconds time elapsed`: the file was cut off"
        );
        let text = "{\"counter-value\": \"x\", \"event\": \"a\"}";
        assert_eq!(refusal(text), "f:1: the count should be a number, not `x`");
    }
}

mod libtest {
    use super::*;

    #[test]
    fn each_line_is_a_run_and_its_spread_is_no_error() {
        let reading = reading("libtest/bench.txt");
        let copy = Some("parse::tests::bench_copy");
        let sort = Some("parse::tests::bench_sort");
        let (time, unit) = (Some("time"), Some("ns/iter"));
        assert_eq!(
            rows(&reading),
            [
                (copy, time, unit, None, vec![vec![1234.0, 1240.0]]),
                (
                    copy,
                    Some("throughput"),
                    Some("MB/s"),
                    None,
                    vec![vec![810.0, 806.0]]
                ),
                (sort, time, unit, None, vec![vec![20500.25]]),
            ]
        );
        let left_out = skipped(&reading);
        assert!(
            left_out[0].starts_with("3 × spreads (`+/-`): they are the maximum less")
        );
        assert_eq!(left_out[1], "1 × `parse::tests::bench_open`: it failed");
    }

    #[test]
    fn a_line_that_was_cut_is_named() {
        let whole = "test a ... bench:  1 ns/iter (+/- 2)\n";
        for cut in ["test b ... bench:  12 ns/it", "test b ... bench:  12 ns/iter (+/-"]
        {
            assert_eq!(
                refusal(&format!("{whole}{cut}")),
                "f:2: the line ends in the middle: the file was cut off"
            );
        }
    }
}

mod load_generators {
    use super::*;

    const THROUGHPUT: Option<&str> = Some("throughput");
    const RATE: Option<&str> = Some("requests/s");
    const MEAN: Option<&str> = Some("mean latency");
    const S: Option<&str> = Some("s");

    #[test]
    fn wrk_gives_a_run_for_each_test_and_names_what_failed() {
        let reading = reading("wrk/tests.txt");
        let load = Some("2 threads, 100 connections");
        let latency = |name, value: f64| (load, Some(name), S, None, vec![vec![value]]);
        let mut read = rows(&reading);
        // Of a map by name, in no order that matters.
        read.sort_by_key(|row| row.1);
        assert_eq!(
            read,
            [
                (load, MEAN, S, None, vec![vec![0.00154, 0.00085]]),
                latency("p50 latency", 0.00143),
                latency("p90 latency", 0.00268),
                latency("p99 latency", 0.00396),
                (load, THROUGHPUT, RATE, None, vec![vec![2000.25, 2030.5]]),
            ]
        );
        assert_eq!(
            skipped(&reading),
            [
                "12 × responses that are no success: they count in throughput and latency",
                "3 × failures to read: they had no answer, and no latency",
                "7 × requests that timed out: they had no answer, and no latency",
                "1 × test `1 threads, 10000 connections`: all of its 21 requests failed: errors \
                 are no work done",
            ]
        );
    }

    #[test]
    fn hey_and_oha_print_a_summary_of_one_run() {
        let hey = reading("hey/report.txt");
        assert_eq!(
            rows(&hey),
            [
                (None, THROUGHPUT, RATE, None, vec![vec![394.1585]]),
                (None, MEAN, S, None, vec![vec![0.0012]]),
                (None, Some("p50 latency"), S, None, vec![vec![0.001]]),
                (None, Some("p99 latency"), S, None, vec![vec![0.0098]]),
            ]
        );
        assert_eq!(
            skipped(&hey),
            [
                "4 × responses that are no success: they count in throughput and latency",
                "6 × requests without answer: they had no answer, and no latency",
            ]
        );
        let oha = reading("hey/oha.txt");
        assert_eq!(
            rows(&oha),
            [
                (None, THROUGHPUT, RATE, None, vec![vec![59813.1234]]),
                (None, MEAN, S, None, vec![vec![0.0008]]),
                (None, Some("p50 latency"), S, None, vec![vec![0.0007]]),
            ]
        );
        assert!(oha.skipped.is_empty());
    }

    #[test]
    fn the_json_of_oha_is_one_run() {
        let reading = reading("oha/report.json");
        assert_eq!(
            rows(&reading),
            [
                (None, THROUGHPUT, RATE, None, vec![vec![59813.5]]),
                (None, MEAN, S, None, vec![vec![0.0008]]),
                (None, Some("p50 latency"), S, None, vec![vec![0.0007]]),
                (None, Some("p99 latency"), S, None, vec![vec![0.002]]),
            ]
        );
        assert_eq!(
            skipped(&reading),
            [
                "68 × responses that are no success: they count in throughput and latency",
                "50 × requests without answer: they had no answer, and no latency",
            ]
        );
    }

    #[test]
    fn the_throughput_of_vegeta_is_a_result_only_where_it_fell_behind() {
        let behind = reading("vegeta/report.txt");
        assert_eq!(
            rows(&behind),
            [
                (None, THROUGHPUT, RATE, None, vec![vec![65.87]]),
                (None, MEAN, S, None, vec![vec![0.1135]]),
                (None, Some("p50 latency"), S, None, vec![vec![0.10825]]),
                (None, Some("p90 latency"), S, None, vec![vec![0.1405]]),
                (None, Some("p95 latency"), S, None, vec![vec![0.2475]]),
                (None, Some("p99 latency"), S, None, vec![vec![0.264_815_246]]),
            ]
        );
        let why = "they count in throughput and latency";
        assert_eq!(
            skipped(&behind),
            [
                format!("500 × requests without answer: {why}"),
                format!("35 × responses that are no success: {why}"),
            ]
        );
        let kept_up = reading("vegeta/report.json");
        let metrics: Vec<_> = rows(&kept_up).iter().map(|row| row.1).collect();
        assert!(!metrics.contains(&THROUGHPUT), "{metrics:?}");
        assert!(rows(&kept_up).contains(&(None, MEAN, S, None, vec![vec![0.0025]])));
        assert_eq!(
            skipped(&kept_up),
            ["1 × throughput: it is the rate that was asked for, not a result"]
        );
    }

    #[test]
    fn an_answer_of_another_length_is_no_failure_to_ab() {
        let reading = reading("ab/report.txt");
        let load = Some("10 connections");
        assert_eq!(
            rows(&reading),
            [
                (load, THROUGHPUT, RATE, None, vec![vec![8130.08]]),
                (load, MEAN, S, None, vec![vec![0.00123]]),
                (load, Some("p50 latency"), S, None, vec![vec![0.001]]),
                (load, Some("p90 latency"), S, None, vec![vec![0.002]]),
                (load, Some("p99 latency"), S, None, vec![vec![0.003]]),
            ]
        );
        // 995 less the 993 of another length.
        let why = "they count in throughput and latency";
        assert_eq!(
            skipped(&reading),
            [
                format!("2 × requests that failed: {why}"),
                format!("4 × responses that are no success: {why}"),
            ]
        );
    }

    #[test]
    fn a_report_that_was_cut_is_refused() {
        for (tool, name, end) in [
            ("wrk", "wrk/tests.txt", "Requests/sec"),
            ("hey", "hey/report.txt", "  Requests/sec"),
            ("ab", "ab/report.txt", "Requests per second"),
            ("vegeta", "vegeta/report.txt", "Latencies"),
        ] {
            let text = text(name);
            let (cut, _) = text.split_once(end).expect("the line");
            let line = cut.lines().count();
            assert_eq!(
                refusal(cut),
                format!(
                    "f:{line}: a report of {tool} in it has no throughput: it was cut off"
                )
            );
        }
    }
}

mod pgbench {
    use super::*;

    #[test]
    fn reports_are_runs_without_the_time_to_connect() {
        let reading = reading("pgbench/reports.txt");
        let load = Some("select only, 10 clients");
        assert_eq!(
            rows(&reading),
            [
                (
                    load,
                    Some("throughput"),
                    Some("tps"),
                    None,
                    vec![vec![8782.5, 24664.5]]
                ),
                (
                    load,
                    Some("mean latency"),
                    Some("ms"),
                    None,
                    vec![vec![1.139, 0.406]]
                ),
            ]
        );
        assert_eq!(skipped(&reading), ["2 × transactions: they failed"]);
    }

    #[test]
    fn lines_of_progress_are_runs_in_order() {
        let reading = reading("pgbench/progress.txt");
        let load = Some("TPC-B (sort of), 16 clients");
        assert_eq!(
            rows(&reading),
            [
                (
                    load,
                    Some("throughput"),
                    Some("tps"),
                    None,
                    vec![vec![7.0, 14.0, 0.0]]
                ),
                (
                    load,
                    Some("mean latency"),
                    Some("ms"),
                    None,
                    vec![vec![435.396, 1038.548]]
                ),
            ]
        );
        assert_eq!(
            skipped(&reading),
            [
                "1 × final figures: they are the means of the lines of progress, which are \
                 the runs"
            ]
        );
    }

    #[test]
    fn a_rate_that_was_asked_for_is_no_result() {
        let lag = "rate limit schedule lag: avg 6.008 (max 28.587) ms\n";
        let text =
            text("pgbench/progress.txt").replace("tps = ", &format!("{lag}tps = "));
        let reading = read(text).expect("a report");
        let metrics: Vec<_> = rows(&reading).iter().map(|row| row.1).collect();
        assert_eq!(metrics, [Some("mean latency")]);
        assert_eq!(
            skipped(&reading)[0],
            "3 × throughput: a rate was asked for (`--rate`): it is no result, the latency is"
        );
    }

    #[test]
    fn a_log_of_transactions_gives_the_latency_of_each_script() {
        let reading = reading("pgbench/transactions.log");
        let (latency, us) = (Some("latency"), Some("us"));
        assert_eq!(
            rows(&reading),
            [
                (Some("script 0"), latency, us, None, vec![vec![2241.0, 2465.0]]),
                (Some("script 1"), latency, us, None, vec![vec![1984.0]]),
            ]
        );
        assert_eq!(skipped(&reading), ["1 × transactions: the log says `skipped`"]);
        let cut = "0 199 2241 0 1175850568 995598\n0 200 24";
        assert_eq!(refusal(cut), "f:2: this is no transaction: `0 200 24`");
    }

    #[test]
    fn a_report_without_its_rate_is_refused() {
        let text = "transaction type: <builtin: select only>\nnumber of clients: 1\n";
        assert_eq!(
            refusal(text),
            "f:2: a report in it has no `tps = …`: it was cut off"
        );
    }
}

mod sysbench {
    use super::*;

    #[test]
    fn lines_of_an_interval_are_runs_in_order() {
        let reading = reading("sysbench/intervals.txt");
        let load = Some("8 threads");
        let percentile = Some("percentile of latency");
        assert_eq!(
            rows(&reading),
            [
                (
                    load,
                    Some("throughput"),
                    Some("ops/s"),
                    None,
                    vec![vec![1234.5, 1240.25]]
                ),
                (load, percentile, Some("ms"), None, vec![vec![8.9, 8.75]]),
            ]
        );
        assert_eq!(
            skipped(&reading),
            [
                "1 × final figures: they sum up the lines of `--report-interval`, which are the \
                 runs",
                "3 × transactions: they failed, and were tried again",
            ]
        );
    }

    #[test]
    fn a_throughput_that_was_asked_for_is_no_result() {
        let reading = reading("sysbench/target.txt");
        let load = Some("16 threads");
        assert_eq!(
            rows(&reading),
            [
                (load, Some("mean latency"), Some("ms"), None, vec![vec![28.97]]),
                (load, Some("p95 latency"), Some("ms"), None, vec![vec![68.05]]),
            ]
        );
        assert_eq!(
            skipped(&reading),
            [
                "1 × throughput: at most 143/sec were asked for: it is no result, the latency \
                 is"
            ]
        );
    }

    #[test]
    fn a_percentile_below_the_minimum_is_left_out() {
        // As in akopytov/sysbench#486: one event, counted in a bucket that begins below it.
        let text = text("sysbench/target.txt").replace("68.05", "7.30");
        let reading = read(text).expect("a report");
        assert_eq!(rows(&reading).len(), 1);
        let why = &reading.skipped[1].why;
        assert!(why.starts_with("it is below the smallest latency: "), "{why}");
    }

    #[test]
    fn a_report_that_was_cut_is_refused() {
        let text =
            "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\nThreads started!\n";
        assert_eq!(
            refusal(text),
            "f:3: a report of sysbench in it has no throughput: it was cut off"
        );
    }
}

mod netperf {
    use super::*;

    const THROUGHPUT: Option<&str> = Some("throughput");

    #[test]
    fn the_classic_text_gives_a_run_of_each_test() {
        let reading = reading("netperf/classic.txt");
        let megabits = Some("10^6bits/s");
        assert_eq!(
            rows(&reading),
            [
                (Some("TCP STREAM"), THROUGHPUT, megabits, None, vec![vec![28234.56]]),
                (Some("UDP STREAM"), THROUGHPUT, megabits, None, vec![vec![23103.91]]),
                (
                    Some("TCP REQUEST/RESPONSE"),
                    THROUGHPUT,
                    Some("Trans/s"),
                    None,
                    vec![vec![85236.12]]
                ),
            ]
        );
    }

    #[test]
    fn keys_that_come_again_are_another_run() {
        let reading = reading("netperf/keys.txt");
        let test = Some("TCP STREAM");
        assert_eq!(
            rows(&reading),
            [
                (
                    test,
                    THROUGHPUT,
                    Some("10^6bits/s"),
                    None,
                    vec![vec![28234.56, 28230.25]]
                ),
                (
                    test,
                    Some("local CPU utilization"),
                    Some("%"),
                    LOWER,
                    vec![vec![52.25, 52.5]]
                ),
            ]
        );
    }

    #[test]
    fn a_header_of_fields_may_be_broken_over_lines() {
        let reading = reading("netperf/omni.csv");
        let test = Some("UDP REQUEST/RESPONSE");
        let latency =
            |name, value: f64| (test, Some(name), Some("us"), None, vec![vec![value]]);
        assert_eq!(
            rows(&reading),
            [
                (test, THROUGHPUT, Some("Trans/s"), None, vec![vec![2217.06]]),
                latency("p50 latency", 442.0),
                latency("p99 latency", 589.0),
            ]
        );
    }

    #[test]
    fn results_that_end_in_the_middle_are_refused() {
        let what = "the results end in the middle: the file was cut off";
        for name in ["netperf/classic.txt", "netperf/keys.txt", "netperf/omni.csv"] {
            let text = text(name);
            let place = if name.ends_with("keys.txt") { "_UNITS" } else { "\n131072" };
            let place = if name.ends_with("csv") { ",1\n" } else { place };
            let (cut, _) = text.split_once(place).expect("the place");
            let refused = refusal(cut);
            assert!(refused.starts_with("f:") && refused.ends_with(what), "{refused}");
        }
    }
}

mod hyperfine_text {
    use super::*;

    #[test]
    fn what_is_printed_of_a_command_is_a_summary_in_seconds() {
        let reading = reading("hyperfine-text/commands.txt");
        // 100.2 ms and 1.3 ms; 1.2 s and 0.03 s.
        assert_eq!(
            summaries(&reading),
            [("time", 28, 0.1002, 0.0013), ("time", 10, 1.2, 0.03)]
        );
        assert_eq!(row(&reading.records[2]).4, [[1.5]]);
        let commands: Vec<_> =
            reading.records.iter().map(|record| record.variant.as_deref()).collect();
        let (old, new) = (Some("./old --size 10"), Some("./new --size 10"));
        assert_eq!(commands, [old, new, Some("./once")]);
        assert_eq!(
            skipped(&reading),
            [
                "1 × the summary of `./broken`: some of its runs failed, and count in its mean"
            ]
        );
    }

    #[test]
    fn a_mean_without_its_number_of_runs_is_refused() {
        let text = text("hyperfine-text/commands.txt");
        let (cut, _) = text.split_once("  Range").expect("a range");
        assert_eq!(refusal(cut), "f:2: the number of runs is not said below it");
        let (cut, _) = text.split_once("0.2 ms").expect("a mean");
        assert_eq!(
            refusal(cut),
            "f:2: this should be a time such as `100.2 ms`, not `10`"
        );
    }

    #[test]
    fn quoted_in_a_mail_it_reads_the_same() {
        let text = text("hyperfine-text/commands.txt");
        let quoted = format!("> {}\n", text.trim_end().replace('\n', "\n> "));
        assert_eq!(
            rows(&read(quoted).expect("a mail")),
            rows(&read(text).expect("a text"))
        );
    }
}

mod go_json {
    use super::*;

    #[test]
    fn events_are_put_together_by_package() {
        let reading = reading("go/events.json");
        let (sort, copy) = (Some("example.org/a.Sort"), Some("example.org/b.Copy"));
        let (unit, skip) =
            (Some("ns/op"), "1 × `panic: index out of range`: what came after");
        assert_eq!(
            rows(&reading),
            [
                (sort, unit, unit, None, vec![vec![1250.0, 1260.5]]),
                (copy, unit, unit, None, vec![vec![31.25]]),
            ]
        );
        assert!(skipped(&reading)[0].starts_with(skip), "{:?}", skipped(&reading));
    }

    #[test]
    fn a_fault_is_on_the_line_of_its_event() {
        let event = |output: &str| {
            format!(
                "{{\"Action\":\"output\",\"Package\":\"a\",\"Output\":\"{output}\"}}\n"
            )
        };
        let text = event("goos: linux\\n")
            + &event("BenchmarkA-2 ")
            + &event("1 NaN ns/op\\n");
        assert_eq!(refusal(&text), "f:2: `NaN ns/op` should be a finite number");
        let cut = event("goos: linux\\n") + "{\"Action\":\"out";
        assert_eq!(
            refusal(&cut),
            "f:2: the JSON ends in the middle: the file was cut off"
        );
    }
}

mod without_runs {
    use super::*;

    #[test]
    fn the_csv_of_hyperfine_lacks_the_number_of_runs() {
        let text =
            "command,mean,stddev,median,user,system,min,max\nold,1,0.1,1,1,0,0.9,1.1\n";
        assert_eq!(
            refusal(text),
            "f:1: this CSV of hyperfine has means and SDs, but not the number of runs"
        );
    }

    #[test]
    fn requests_that_ab_sorted_are_no_runs() {
        let text =
            "starttime\tseconds\tctime\tdtime\tttime\twait\nFri\t1\t2\t2\t4\t2\n";
        assert_eq!(
            refusal(text),
            "f:1: these are the requests of one test, sorted by how long they took"
        );
    }
}

/// Fixtures of these tools, spoilt at one place, as files get spoilt.
mod spoilt {
    use super::*;
    use proptest::prelude::*;

    fn fixtures() -> Vec<String> {
        let files = every_tool::files(&folder()).into_iter();
        // What is no text is spoilt beside its own format.
        files.filter_map(|path| std::fs::read_to_string(path).ok()).collect()
    }

    proptest! {
        #[test]
        fn no_spoilt_fixture_makes_a_format_panic_or_gives_what_is_not_finite(
            which in any::<prop::sample::Index>(),
            from in any::<prop::sample::Index>(),
            length in 0..40usize,
            instead in "[-0-9.,:;%()=\\[\\]±µ a-zE\n]{0,8}",
        ) {
            let texts = fixtures();
            let mut letters: Vec<char> = which.get(&texts).chars().collect();
            let from = from.index(letters.len());
            let to = (from + length).min(letters.len());
            letters.splice(from..to, instead.chars());
            let text: String = letters.into_iter().collect();
            for format in FORMATS {
                let options = Options::default();
                let reading = read_bytes("f", text.clone().into_bytes(), Some(*format), &options);
                for record in reading.into_iter().flat_map(|reading| reading.records) {
                    let all = row(&record).4.concat();
                    prop_assert!(all.iter().all(|value| value.is_finite()), "{all:?}");
                }
            }
        }
    }
}
