//! Files of tools that print text.

use super::*;

/// The variant, number, mean and SD of each summary, the last rounded to 9 digits.
fn summaries(reading: &Reading) -> Vec<(&str, usize, f64, f64)> {
    let summary = |record: &'_ Record| match record.values {
        Values::Summary(summary) => Some(summary),
        Values::Runs(_) => None,
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
