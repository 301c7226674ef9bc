//! Options that say what a file leaves open: what tells variants apart, what `±` is.

use patchodds::data::SpreadKind;

use super::*;

fn by(text: &str) -> Selection {
    Selection { variant_by: Some(text.parse().expect("a way")), ..all() }
}

/// The label of a variant and its runs.
type Runs<'a> = (&'a str, Vec<f64>);

/// Each benchmark with its variants.
fn found(dataset: &Dataset) -> Vec<(Option<&str>, Vec<Runs<'_>>)> {
    let series = dataset.series.iter().map(|series| {
        let variants =
            runs(series).into_iter().map(|(label, runs)| (label, runs.concat()));
        (series.benchmark.as_deref(), variants.collect())
    });
    series.collect()
}

fn command(line: &str, parameters: &str, times: &str) -> String {
    format!(
        r#"{{"command": "{line}", "mean": 1, "times": [{times}], "parameters": {{{parameters}}}}}"#
    )
}

fn hyperfine(commands: &[String]) -> String {
    format!(r#"{{"results": [{}]}}"#, commands.join(","))
}

mod variant_by {
    use super::*;

    fn modes() -> String {
        hyperfine(&[
            command("run 1 fast", r#""n": "1", "mode": "fast""#, "10, 11"),
            command("run 1 slow", r#""n": "1", "mode": "slow""#, "20, 21"),
            command("run 2 fast", r#""n": "2", "mode": "fast""#, "30, 31"),
            command("run 2 slow", r#""n": "2", "mode": "slow""#, "40, 41"),
        ])
    }

    #[test]
    fn a_parameter_tells_variants_apart_and_the_others_name_the_benchmark() {
        let folder = Folder::with(&[("h.json", &modes())]);
        let (fast, slow) = ("mode=fast", "mode=slow");
        assert_eq!(
            found(&folder.dataset(&["h.json"], &by("param:mode"))),
            [
                (Some("n=1"), vec![(fast, vec![10.0, 11.0]), (slow, vec![20.0, 21.0])]),
                (Some("n=2"), vec![(fast, vec![30.0, 31.0]), (slow, vec![40.0, 41.0])]),
            ]
        );
        let (what, hint) = folder.refusal(&["h.json"], &by("param:mood"));
        assert_eq!(what, "h.json: there is no parameter `mood`");
        assert_eq!(hint, "did you mean `mode`? There are `n`, `mode`");
    }

    #[test]
    fn commands_tell_variants_apart_in_several_files_too() {
        let one =
            |times| hyperfine(&[command("a", "", times), command("b", "", times)]);
        let folder =
            Folder::with(&[("1.json", &one("1, 2")), ("2.json", &one("3, 4"))]);
        let files = ["1.json", "2.json"];
        // Without the option each file is a variant, and the commands are benchmarks.
        let dataset = folder.dataset(&files, &all());
        assert_eq!(dataset.series.len(), 2);
        assert_eq!(dataset.series[0].benchmark.as_deref(), Some("a"));
        let dataset = folder.dataset(&files, &by("command"));
        let twice = vec![vec![1.0, 2.0], vec![3.0, 4.0]];
        assert_eq!(runs(&dataset.series[0]), [("a", twice.clone()), ("b", twice)]);
        let (what, _) = folder.refusal(&["x=1.json", "2.json"], &by("command"));
        assert_eq!(
            what,
            "1.json: it holds several variants and cannot be labelled `x` as a whole"
        );
    }

    #[test]
    fn commands_that_differ_beside_the_parameter_are_never_mixed() {
        let scan = hyperfine(&[
            command("old -j1", r#""j": "1""#, "10"),
            command("new -j1", r#""j": "1""#, "20"),
            command("old -j2", r#""j": "2""#, "30"),
            command("new -j2", r#""j": "2""#, "40"),
        ]);
        let folder = Folder::with(&[("h.json", &scan)]);
        assert_eq!(
            found(&folder.dataset(&["h.json"], &by("param:j"))),
            [
                (Some("old -j{j}"), vec![("j=1", vec![10.0]), ("j=2", vec![30.0])]),
                (Some("new -j{j}"), vec![("j=1", vec![20.0]), ("j=2", vec![40.0])]),
            ]
        );
    }

    #[test]
    fn lines_of_configuration_and_parts_of_names_tell_go_benchmarks_apart() {
        let text = "goos: linux\ntoolchain: go1.24\nBenchmarkSort/size=8/quick-4 1 5 ns/op\n\
            BenchmarkSort/size=9/quick-4 1 6 ns/op\ntoolchain: go1.25\n\
            BenchmarkSort/size=8/quick-4 1 7 ns/op\nBenchmarkSort/size=9/quick-4 1 8 ns/op\n";
        let folder = Folder::with(&[("g.txt", text)]);
        let (old, new) = ("go1.24", "go1.25");
        assert_eq!(
            found(&folder.dataset(&["g.txt"], &by("config:toolchain"))),
            [
                (Some("Sort/quick/size=8"), vec![(old, vec![5.0]), (new, vec![7.0])]),
                (Some("Sort/quick/size=9"), vec![(old, vec![6.0]), (new, vec![8.0])]),
            ]
        );
        let (eight, nine) = ("size=8", "size=9");
        assert_eq!(
            found(&folder.dataset(&["g.txt"], &by("param:size"))),
            [
                (
                    Some("Sort/quick/go1.24"),
                    vec![(eight, vec![5.0]), (nine, vec![6.0])]
                ),
                (
                    Some("Sort/quick/go1.25"),
                    vec![(eight, vec![7.0]), (nine, vec![8.0])]
                ),
            ]
        );
        let (what, hint) = folder.refusal(&["g.txt"], &by("config:cpu"));
        assert_eq!(what, "g.txt: there is no line of configuration `cpu`");
        assert_eq!(hint, "there are `toolchain`, `goos`");
    }

    #[test]
    fn each_tool_with_parameters_gives_them_up_to_the_variant() {
        let jmh = |size: u8, time: u8| {
            format!(
                r#"{{"benchmark": "a.B.c", "mode": "avgt", "params": {{"size": "{size}"}},
                "primaryMetric": {{"scoreUnit": "ns/op", "rawData": [[{time}]]}}}}"#
            )
        };
        let google = |size: u8, time: u8| {
            format!(
                r#"{{"name": "ns::B/size:{size}/7", "run_type": "iteration",
                "iterations": 9, "real_time": {time}, "time_unit": "ns"}}"#
            )
        };
        let pytest = |size: u8, time: u8| {
            format!(
                r#"{{"name": "t[{size}]", "fullname": "f.py::t[{size}]",
                "params": {{"size": {size}}}, "stats": {{"data": [{time}]}}}}"#
            )
        };
        let dotnet = |size: u8, time: u8| {
            format!(
                r#"{{"FullName": "A.B(size: {size})", "Parameters": "size={size}",
                "Measurements": [{{"IterationStage": "Result", "Operations": 1,
                "Nanoseconds": {time}}}]}}"#
            )
        };
        let one = |make: &dyn Fn(u8, u8) -> String| {
            format!("{},{}", make(1, 10), make(2, 20))
        };
        let cases = [
            (format!("[{}]", one(&jmh)), "a.B.c"),
            (format!(r#"{{"benchmarks": [{}]}}"#, one(&google)), "ns::B/7"),
            (format!(r#"{{"benchmarks": [{}]}}"#, one(&pytest)), "f.py::t"),
            (format!(r#"{{"Benchmarks": [{}]}}"#, one(&dotnet)), "A.B"),
        ];
        for (text, name) in cases {
            let folder = Folder::with(&[("f.json", &text)]);
            assert_eq!(
                found(&folder.dataset(&["f.json"], &by("param:size"))),
                [(Some(name), vec![("size=1", vec![10.0]), ("size=2", vec![20.0])])]
            );
        }
    }

    #[test]
    fn words_that_say_no_way_are_refused() {
        for text in ["host", "param:", "param", "command:x", "config: "] {
            let error = text.parse::<VariantBy>().expect_err(text);
            assert!(error.hint().is_some_and(|hint| hint.contains("`param:NAME`")));
        }
        let folder = Folder::with(&[("n", "1\n2\n")]);
        assert_eq!(folder.refusal(&["n"], &by("command")).0, "n: it names no commands");
    }
}

mod summary_spread {
    use super::*;

    const MAIL: &str = "We measured, on an idle machine:\n\n  old kernel: 100.0 ± 0.5 \
        MB/s (9 runs)\n  new kernel: 98.0 +/- 0.6 MB/s (n = 9)\n\nso it is slower.\n";

    fn sds(kind: SpreadKind) -> Vec<f64> {
        let folder = Folder::with(&[("mail.txt", MAIL)]);
        let selection = Selection { summary_spread: Some(kind), ..all() };
        let dataset = folder.dataset(&["mail.txt"], &selection);
        let variants = dataset.series[0].variants.iter();
        variants.map(|v| v.measurements.moments().sd().expect("an SD")).collect()
    }

    #[test]
    fn a_spread_of_unknown_meaning_is_asked_about() {
        let folder = Folder::with(&[("mail.txt", MAIL)]);
        let (what, hint) = folder.refusal(&["mail.txt"], &all());
        assert_eq!(what, "mail.txt: the file does not say what `± 0.5` is");
        assert!(hint.contains("`--summary-spread sd`"), "{hint}");
        assert!("sem".parse::<SpreadKind>().is_err());
    }

    #[test]
    fn it_is_what_the_user_says() {
        let close = |got: Vec<f64>, expected: [f64; 2]| {
            for (got, expected) in got.iter().zip(expected) {
                assert!((got / expected - 1.0).abs() < 1e-9, "{got} {expected}");
            }
        };
        close(sds(SpreadKind::Sd), [0.5, 0.6]);
        // Times the root of 9.
        close(sds(SpreadKind::StandardError), [1.5, 1.8]);
        // t(0.975, 8) = 2.306004135204166 (scipy 1.17, stats.t.ppf).
        close(
            sds(SpreadKind::HalfWidth),
            [1.5, 1.8].map(|sd| sd / 2.306_004_135_204_166),
        );
    }

    #[test]
    fn lines_of_a_mail_are_variants_with_their_unit() {
        let folder = Folder::with(&[("mail.txt", MAIL)]);
        let selection = Selection { summary_spread: Some(SpreadKind::Sd), ..all() };
        let dataset = folder.dataset(&["mail.txt"], &selection);
        let series = &dataset.series[0];
        let labels: Vec<_> = series.variants.iter().map(|v| v.label.as_str()).collect();
        assert_eq!(labels, ["old kernel", "new kernel"]);
        assert_eq!(series.metric.unit.as_deref(), Some("MB/s"));
        assert_eq!(series.metric.direction, Direction::HigherIsBetter);
        let moments = series.variants[1].measurements.moments();
        assert_eq!((moments.n, moments.mean), (9, 98.0));
    }

    #[test]
    fn summaries_in_different_units_of_one_kind_are_converted() {
        let folder = Folder::with(&[
            ("a", "2 ± 0.5 s (9 runs)\n"),
            ("b", "3000 ± 500 ms (9 runs)\n"),
        ]);
        let selection = Selection { summary_spread: Some(SpreadKind::Sd), ..all() };
        let dataset = folder.dataset(&["a", "b"], &selection);
        let moments = dataset.series[0].variants[1].measurements.moments();
        assert_eq!((moments.mean, moments.sd()), (3.0, Some(0.5)));
    }
}
