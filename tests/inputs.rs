//! Every way of giving runs means the same dataset; what is wrong is refused with its place.

use std::fmt::Write as _;
use std::path::Path;

use patchodds::data::{
    Dataset, Direction, DirectionSource, FilesAsInvocations, Measurements, Metric,
    Sample, Selection, Series, Values, Variant, VariantBy,
};
use patchodds::error::Error;
use patchodds::formats::{
    FORMATS, File, Input, Options, by_name, read_bytes, read_dataset,
    read_sources_with, write_numbers, write_table,
};
use proptest::prelude::*;
use tempfile::TempDir;

#[path = "inputs/inspect.rs"]
mod inspect;
#[path = "inputs/options.rs"]
mod options;
#[path = "inputs/public_reports.rs"]
mod public_reports;
#[path = "inputs/tools.rs"]
mod tools;

/// A folder of files.
struct Folder(TempDir);

impl Folder {
    fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary folder"));
        for (name, text) in files {
            folder.add(name, text.as_bytes());
        }
        folder
    }

    fn add(&self, name: &str, bytes: &[u8]) {
        let path = self.0.path().join(name);
        let parent = path.parent().expect("a file in a folder");
        std::fs::create_dir_all(parent).expect("a writable folder");
        std::fs::write(path, bytes).expect("a writable folder");
    }

    /// Reads words whose paths are in this folder.
    fn read(&self, words: &[&str], selection: &Selection) -> Result<Dataset, Error> {
        let inputs = words.iter().map(|word| self.input(word));
        read_dataset(&inputs.collect::<Vec<_>>(), selection)
    }

    fn input(&self, word: &str) -> Input {
        if word.contains(":n=") {
            return Input::Summary(word.to_owned());
        }
        let at = self.0.path().display();
        Input::Word(match word.split_once('=') {
            Some((label, path)) if !label.contains('/') && !path.is_empty() => {
                format!("{label}={at}/{path}")
            }
            Some(_) if word.starts_with('=') || word.ends_with('=') => word.to_owned(),
            _ => format!("{at}/{word}"),
        })
    }

    fn dataset(&self, words: &[&str], selection: &Selection) -> Dataset {
        match self.read(words, selection) {
            Ok(dataset) => dataset,
            Err(error) => panic!("{words:?}: {error}"),
        }
    }

    /// The sentence and the hint of a refusal.
    fn refusal(&self, words: &[&str], selection: &Selection) -> (String, String) {
        let error = match self.read(words, selection) {
            Err(error) => error,
            Ok(dataset) => panic!("{words:?} should be refused, not {dataset:?}"),
        };
        let folder = format!("{}/", self.0.path().display());
        let hint = error.hint().expect("a hint").replace(&folder, "");
        (error.to_string().replace(&folder, ""), hint)
    }
}

fn all() -> Selection {
    Selection::default()
}

fn runs(series: &Series) -> Vec<(&str, Vec<Vec<f64>>)> {
    let variants = series.variants.iter().map(|variant| {
        let sample = variant.measurements.sample().expect("runs");
        (variant.label.as_str(), sample.invocations().map(<[f64]>::to_vec).collect())
    });
    variants.collect()
}

/// The runs of one text, as the only file of a variant.
fn values(text: &str) -> Result<Vec<f64>, (String, String)> {
    column(text, None)
}

fn column(text: &str, column: Option<&str>) -> Result<Vec<f64>, (String, String)> {
    let options = Options { column: column.map(str::to_owned), variant_column: None };
    let reading = read_bytes("runs", text.as_bytes().to_vec(), None, &options);
    let reading = reading.map_err(|error| {
        (error.to_string(), error.hint().expect("a hint").to_owned())
    })?;
    let Values::Runs(runs) = &reading.records[0].values else {
        panic!("a summary in {text:?}");
    };
    Ok(runs.invocations.concat())
}

fn fault(text: &str) -> (String, String) {
    values(text).expect_err(text)
}

fn resolution(text: &str) -> Option<f64> {
    let reading =
        read_bytes("runs", text.as_bytes().to_vec(), None, &Options::default());
    match &reading.expect("a reading").records[0].values {
        Values::Runs(runs) => Some(runs.resolution),
        Values::Summary(_) | Values::Published(_) => None,
    }
}

mod registry {
    use super::*;

    #[test]
    fn names_are_unique_and_lower_case_and_each_format_says_what_it_is() {
        let mut names: Vec<&str> = FORMATS.iter().map(|format| format.name()).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        for format in FORMATS {
            assert!(
                format
                    .name()
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            );
            assert!(
                !format.description().contains('\n') && format.description().len() > 10
            );
        }
    }

    #[test]
    fn a_format_that_does_not_exist_is_answered_with_those_that_do() {
        let error = by_name("cvs").err().expect("a refusal");
        assert_eq!(error.to_string(), "there is no input format `cvs`");
        assert!(error.hint().is_some_and(|hint| hint.contains("did you mean `csv`?")));
    }

    #[test]
    fn a_format_named_by_the_user_replaces_detection() {
        let selection = Selection { input_format: Some("csv".into()), ..all() };
        let folder = Folder::with(&[("a", "1,5\n1,7\n"), ("b", "2,5\n2,7\n")]);
        assert_eq!(
            runs(&folder.dataset(&["a", "b"], &all()).series[0])[0].1,
            [[1.5, 1.7]]
        );
        let (what, hint) = folder.refusal(&["a", "b"], &selection);
        assert_eq!(what, "a: there are 2 columns of numbers: `1`, `2`");
        assert!(hint.contains("`--input-format numbers`"), "{hint}");
    }

    proptest! {
        #[test]
        fn no_bytes_make_a_format_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            for format in FORMATS {
                let _ = read_bytes("x", bytes.clone(), Some(*format), &Options::default());
            }
            let _ = read_bytes("x", bytes, None, &Options::default());
        }

        #[test]
        fn no_text_that_looks_like_a_table_makes_a_format_panic(
            text in "[0-9a-z.,;\t \n\"#%='µe+-]{0,120}",
            column in prop::option::of("[0-9a-z]{1,2}"),
        ) {
            let options = Options { column: column.clone(), variant_column: column };
            for format in FORMATS {
                let file = File { path: "x", text: &text };
                format.detect(&file);
                if let Ok(reading) = format.read(&file, &options) {
                    for record in &reading.records {
                        if let Values::Runs(runs) = &record.values {
                            prop_assert!(runs.invocations.concat().iter().all(|v| v.is_finite()));
                        }
                    }
                }
            }
        }

        #[test]
        fn no_text_that_looks_like_json_or_a_log_makes_a_format_panic(
            text in "(Benchmark|\"(results|benchmarks|command|name|times|runs|values|stats|iters)\"|[\\[\\]{}:, \n0-9eNa.-]|\"|\\\\|µ){0,60}",
        ) {
            for format in FORMATS {
                let _ = read_bytes("x", text.clone().into_bytes(), Some(*format), &Options::default());
            }
            let _ = read_bytes("x", text.into_bytes(), None, &Options::default());
        }

        #[test]
        fn numbers_that_were_written_read_back_the_same(
            values in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::ZERO, 1..50),
        ) {
            prop_assert_eq!(super::values(&write_numbers(&values)).expect("numbers"), values);
        }

        #[test]
        fn a_table_that_was_written_reads_back_the_same(
            old in prop::collection::vec(prop::collection::vec(-1e6..1e6, 1..4), 1..4),
            new in prop::collection::vec(prop::collection::vec(-1e6..1e6, 1..4), 1..4),
            label in "[a-z]{1,3}[,;\" ][a-z]{1,3}",
        ) {
            let sample = |runs: Vec<Vec<f64>>| {
                let sample = Sample::from_invocations(runs).expect("finite");
                Measurements::Runs(sample)
            };
            let variant = |label: &str, measurements| Variant {
                label: label.to_owned(),
                measurements,
                sources: vec!["x".to_owned()],
            };
            let series = Series {
                benchmark: Some("parse, json".into()),
                metric: Metric {
                    name: Some("yield".into()),
                    unit: Some("furlongs".into()),
                    direction: Direction::HigherIsBetter,
                    direction_source: DirectionSource::Format,
                },
                variants: vec![variant(&label, sample(old)), variant("new", sample(new))],
            };
            let dataset = Dataset { series: vec![series], ..Dataset::default() };
            let folder = Folder::with(&[("x", &write_table(&dataset))]);
            let mut read = folder.dataset(&["x"], &all());
            for variant in &mut read.series[0].variants {
                variant.sources = vec!["x".to_owned()];
            }
            prop_assert_eq!(read, dataset);
        }
    }
}

mod text {
    use super::*;

    #[test]
    fn byte_order_marks_and_ends_of_lines_make_no_difference() {
        for text in ["1\n2\n", "\u{feff}1\r\n2\r\n", "1\r2\r", "1\n2", "\n\n1\n\n2\n\n"]
        {
            assert_eq!(values(text), Ok(vec![1.0, 2.0]), "{text:?}");
        }
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes = "\u{feff}1\r\n2\r\n".encode_utf16().flat_map(order).collect();
            let reading =
                read_bytes("x", bytes, None, &Options::default()).expect("numbers");
            assert_eq!(reading.format, "numbers");
        }
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_line() {
        let refusal = |bytes: &[u8]| {
            let error = read_bytes("f", bytes.to_vec(), None, &Options::default());
            let error = error.expect_err("a refusal");
            assert!(error.hint().is_some(), "{error}");
            error.to_string()
        };
        assert_eq!(
            refusal(b"1\n2\0"),
            "f:2: it is binary, not text: it holds a NUL byte"
        );
        assert_eq!(refusal(b"1\n2 \xb5s\n"), "f:2: the byte 0xb5 is not UTF-8 text");
        assert_eq!(refusal(b"\xff\xfe1\0\x00"), "f: it begins like UTF-16 and is not");
        let xz = "f: it is compressed with xz, which is not read yet";
        assert_eq!(refusal(b"\xfd7zXZ\0"), xz);
    }

    #[test]
    fn a_file_without_runs_is_refused() {
        for text in ["", "\n\n", "# only a remark\n", "\u{feff}"] {
            assert_eq!(fault(text).0, "runs: there are no runs in it: it is empty");
        }
        assert_eq!(fault("variant,value\n").0, "runs: there are no runs in it");
        for text in ["hello world\nthis is prose\n", "<xml/>\n"] {
            let (what, hint) = fault(text);
            assert_eq!(what, "runs: its format is not known");
            assert!(hint.contains("`numbers`") && hint.contains("`csv`"), "{hint}");
        }
    }

    #[test]
    fn a_file_that_does_not_exist_is_named() {
        let folder = Folder::with(&[("a", "1\n2\n")]);
        let (what, _) = folder.refusal(&["a", "b.txt"], &all());
        assert_eq!(what, "b.txt: there is no such file");
    }
}

mod numbers {
    use super::*;

    #[test]
    fn remarks_blank_lines_and_blanks_around_are_passed_over() {
        let text = "# head\n  152.7\n\n151.7\t # warm\n153.5 \n";
        assert_eq!(values(text), Ok(vec![152.7, 151.7, 153.5]));
    }

    #[test]
    fn one_column_of_several_is_chosen_by_number_or_name() {
        let text = "# before after\n1.5 10\n1.7 20\n";
        assert_eq!(column(text, Some("2")), Ok(vec![10.0, 20.0]));
        assert_eq!(column(text, Some("after")), Ok(vec![10.0, 20.0]));
        assert_eq!(
            column("before after\n1 10\n2 20\n", Some("Before")),
            Ok(vec![1.0, 2.0])
        );
        let (what, hint) = fault(text);
        assert_eq!(what, "runs: there are 2 columns of numbers: `before`, `after`");
        assert_eq!(hint, "choose one: `--column before`");
        assert_eq!(
            fault("1 2\n3 4\n").0,
            "runs: there are 2 columns of numbers: `1`, `2`"
        );
        let (what, hint) = column(text, Some("3")).expect_err("two columns");
        assert_eq!(what, "runs: there is no column `3`");
        assert!(hint.contains("`before`, `after`"), "{hint}");
    }

    #[test]
    fn a_line_with_another_number_of_columns_is_refused() {
        let (what, _) = column("1 2\n3\n", Some("1")).expect_err("ragged");
        assert_eq!(what, "runs:2: this line has 1 column, the first has 2");
        assert_eq!(
            fault("1\n3 4\n").0,
            "runs:2: this line has 2 columns, the first has 1"
        );
    }

    #[test]
    fn units_glued_to_numbers_are_read_and_converted_to_the_first() {
        assert_eq!(values("12.3ms\n0.5s\n250us\n"), Ok(vec![12.3, 500.0, 0.25]));
        assert_eq!(values("152.7 Mbit/s\n1.5 Gbit/s\n"), Ok(vec![152.7, 1500.0]));
        assert_eq!(values("56.20k\n1.2M\n7\n"), Ok(vec![56200.0, 1_200_000.0, 7.0]));
        assert_eq!(
            fault("1ms\n2\n").0,
            "runs:2: the line has no unit in `2`, where the numbers before are in `ms`"
        );
        assert_eq!(
            fault("1\n2ms\n").0,
            "runs:2: the line has a unit in `2ms`, where the numbers before have none"
        );
        assert_eq!(
            fault("1ms\n2MB\n").0,
            "runs:2: the line is in `ms`, which `2MB` cannot be converted to"
        );
        let (what, hint) = fault("1ms\n2furlongs\n");
        assert_eq!(what, "runs:2: the line should be a number, not `2furlongs`");
        assert!(hint.contains("`ms`"), "{hint}");
    }

    #[test]
    fn decimal_commas_and_thousands_are_read_where_the_column_settles_them() {
        assert_eq!(values("12,5\n1.234,5\n"), Ok(vec![12.5, 1234.5]));
        assert_eq!(values("1,234\n12,5\n"), Ok(vec![1.234, 12.5]));
        assert_eq!(values("1,234\n12.5\n"), Ok(vec![1234.0, 12.5]));
        assert_eq!(values("1,234,567.5\n987,654\n"), Ok(vec![1_234_567.5, 987_654.0]));
    }

    #[test]
    fn separators_that_may_mean_two_things_are_refused_with_their_line() {
        let (what, hint) = fault("7\n1,234\n2,345\n");
        assert_eq!(what, "runs:2: `1,234` may be 1234 or 1.234");
        assert_eq!(hint, "write `1234` or `1.234`");
        let (what, _) = fault("12.5\n12,5\n");
        assert_eq!(
            what,
            "runs:2: `12.5` has a decimal point, `12,5` in the same column a decimal comma"
        );
        assert!(
            fault("100,200,300\n101,201,301\n")
                .0
                .contains("there are 3 columns of numbers")
        );
        let (what, hint) = fault("1.234.567\n1\n");
        assert_eq!(what, "runs:1: the line should be a number, not `1.234.567`");
        assert!(hint.contains("without separators"), "{hint}");
    }

    #[test]
    fn what_is_not_finite_or_no_number_is_refused_with_its_line() {
        let (what, hint) = fault("1\nnan\n");
        assert_eq!(what, "runs:2: the line should be a finite number, not `nan`");
        assert!(hint.contains("take it out"), "{hint}");
        assert_eq!(
            fault("inf\n1\n").0,
            "runs:1: the line should be a finite number, not `inf`"
        );
        assert_eq!(
            fault("1\n2\n\nfailed\n").0,
            "runs:4: the line should be a number, not `failed`"
        );
        assert_eq!(
            fault("1\n1e999\n").0,
            "runs:2: the line should be a number of at most 1.8e308, not `1e999`"
        );
    }

    #[test]
    fn a_heading_gives_the_metric_and_its_unit() {
        let folder =
            Folder::with(&[("a", "time_ms\n1\n2\n"), ("b", "# x\ntime_ms\n3\n4\n")]);
        let metric = &folder.dataset(&["a", "b"], &all()).series[0].metric;
        assert_eq!(metric.name.as_deref(), Some("time"));
        assert_eq!(metric.unit.as_deref(), Some("ms"));
        assert_eq!(metric.direction_source, DirectionSource::Unit);
    }

    #[test]
    fn the_resolution_is_the_finest_place_that_was_printed() {
        assert_eq!(resolution("152.70\n151.7\n"), Some(0.01));
        assert_eq!(resolution("1200\n1300\n"), Some(1.0));
        assert_eq!(resolution("1.5e-9\n2e-9\n"), Some(1e-10));
        assert_eq!(resolution("56.20k\n57k\n"), Some(10.0));
        assert_eq!(resolution("1.5ms\n0.25s\n"), Some(0.1)); // 0.01 s is 10 ms
    }
}

mod tables {
    use super::*;

    fn fixture(name: &str) -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/inputs");
        root.join(name).display().to_string()
    }

    #[test]
    fn every_form_of_the_same_runs_means_the_same_dataset() {
        let (old, new) = ([[10.1, 10.3, 10.2]], [[11.1, 11.4, 11.2]]);
        let parquet = ["long.parquet", "long-zstd.parquet"];
        let parquet = parquet.into_iter().filter(|_| cfg!(feature = "parquet"));
        let names = ["long.csv", "long-comma.csv", "wide.tsv"];
        for name in names.into_iter().chain(parquet) {
            let inputs = [Input::Word(fixture(name))];
            let dataset = read_dataset(&inputs, &all()).expect(name);
            let [series] = dataset.series.as_slice() else {
                panic!("{name}: one series")
            };
            assert_eq!(
                runs(series),
                [("old", vec![old[0].to_vec()]), ("new", vec![new[0].to_vec()])],
                "{name}"
            );
            assert_eq!(series.metric.unit.as_deref(), Some("ms"), "{name}");
            assert_eq!(series.metric.direction_source, DirectionSource::Unit, "{name}");
            for variant in &series.variants {
                let sample = variant.measurements.sample();
                assert_eq!(sample.map(Sample::resolution), Some(0.1));
            }
        }
        let words = ["numbers-old.txt", "numbers-new.txt"]
            .map(|name| Input::Word(fixture(name)));
        let error = read_dataset(&words, &all()).expect_err("two columns in one");
        assert!(error.to_string().contains("`before`, `after`"), "{error}");
    }

    #[test]
    fn a_long_table_names_variants_benchmarks_metrics_units_and_invocations() {
        let folder = Folder::with(&[(
            "t.csv",
            "# remark, with a comma\n\nBinary,Test Case,metric,value,units,fork\n\
             a,x,rate,1,MB/s,1\na,x,rate,2,MB/s,1\na,x,rate,3,MB/s,2\n\
             b,x,rate,4,MB/s,1\nb,x,rate,5,MB/s,2\na,y,rate,6,MB/s,1\n",
        )]);
        let dataset = folder.dataset(&["t.csv"], &all());
        let series = &dataset.series[0];
        assert_eq!(series.benchmark.as_deref(), Some("x"));
        assert_eq!(series.metric.name.as_deref(), Some("rate"));
        assert_eq!(series.metric.direction, Direction::HigherIsBetter);
        assert_eq!(
            runs(series),
            [("a", vec![vec![1.0, 2.0], vec![3.0]]), ("b", vec![vec![4.0], vec![5.0]])]
        );
        assert_eq!(dataset.unmatched, ["`y` (rate): only in `a`"]);
        assert!(dataset.files_as_invocations.is_empty());
    }

    #[test]
    fn several_named_columns_of_values_are_several_metrics() {
        // The columns of Node's benchmark runner.
        let folder = Folder::with(&[(
            "n.csv",
            "\"binary\",\"filename\",\"configuration\",\"rate\",\"time\"\n\
             \"old\",\"a.js\",\"n=1\",100,0.5\n\"old\",\"a.js\",\"n=2\",200,0.6\n\
             \"new\",\"a.js\",\"n=1\",110,0.4\n\"new\",\"a.js\",\"n=2\",210,0.5\n",
        )]);
        let (what, hint) = folder.refusal(&["n.csv"], &all());
        assert_eq!(
            what,
            "n.csv: the columns `binary`, `configuration` may all tell the variants apart"
        );
        assert_eq!(hint, "choose one, such as `--variant-by column:binary`");
        let by_binary = VariantBy::Column("binary".into());
        let selection = Selection { variant_by: Some(by_binary), ..all() };
        let dataset = folder.dataset(&["n.csv"], &selection);
        let found: Vec<_> = dataset
            .series
            .iter()
            .map(|s| {
                (
                    s.benchmark.as_deref(),
                    s.metric.name.as_deref(),
                    s.metric.direction.name(),
                )
            })
            .collect();
        let (one, two) = (Some("a.js/n=1"), Some("a.js/n=2"));
        assert_eq!(
            found,
            [
                (one, Some("rate"), "higher"),
                (one, Some("time"), "lower"),
                (two, Some("rate"), "higher"),
                (two, Some("time"), "lower"),
            ]
        );
    }

    #[test]
    fn a_wide_table_has_a_variant_in_each_column() {
        let folder =
            Folder::with(&[("w.csv", "run,gcc,clang\n1,1.5,2.5\n2,,2.6\n3,1.7,2.7\n")]);
        let dataset = folder.dataset(&["w.csv"], &all());
        assert_eq!(
            runs(&dataset.series[0]),
            [("gcc", vec![vec![1.5, 1.7]]), ("clang", vec![vec![2.5, 2.6, 2.7]])]
        );
        let skipped = &dataset.skipped[0].1;
        assert_eq!(
            (skipped.what.as_str(), skipped.count),
            ("empty cells in column `gcc`", 1)
        );
        let folder = Folder::with(&[("w.csv", "a,a\n1,2\n")]);
        assert_eq!(
            folder.refusal(&["w.csv"], &all()).0,
            "w.csv: two columns are called `a`"
        );
    }

    #[test]
    fn parameters_are_part_of_the_benchmark_and_never_mixed() {
        let table = "threads,time\n1,10\n2,20\n1,11\n2,21\n";
        let folder = Folder::with(&[("old.csv", table), ("new.csv", table)]);
        let dataset = folder.dataset(&["old.csv", "new.csv"], &all());
        let names: Vec<_> =
            dataset.series.iter().map(|s| s.benchmark.as_deref()).collect();
        assert_eq!(names, [Some("threads=1"), Some("threads=2")]);
        assert_eq!(runs(&dataset.series[0])[0].1, [[10.0, 11.0]]);
        // Nothing is known of `what`: it tells benchmarks apart too, one run each.
        let table = "what,time\nparse,10\nrender,20\n";
        let folder = Folder::with(&[("old.csv", table), ("new.csv", table)]);
        assert_eq!(folder.dataset(&["old.csv", "new.csv"], &all()).series.len(), 2);
    }

    #[test]
    fn times_of_day_and_commits_only_tell_rows_apart() {
        let folder = Folder::with(&[(
            "t.csv",
            "time,commit,branch,score\n2024-01-01 3:00,a0,main,1\n2024-01-02 3:00,a1,new,2\n\
             2024-01-03 3:00,a2,main,3\n",
        )]);
        let dataset = folder.dataset(&["t.csv"], &all());
        assert_eq!(runs(&dataset.series[0])[0], ("main", vec![vec![1.0, 3.0]]));
    }

    #[test]
    fn a_bad_cell_is_refused_with_its_line_and_column() {
        let folder = Folder::with(&[
            ("a.csv", "variant,time\na,1\n\na,n/a\nb,2\n"),
            ("b.csv", "variant,time\na,1\nb,2\nb\n"),
            ("c.csv", "variant,time\na,1\nb,1,2\n"),
            ("d.csv", "variant,time\na,1\n,2\n"),
            ("e.csv", "variant,time\na,1\nb,NaN\n"),
            ("f.csv", "a,12.5\na,12.6\nb,12.7\n"),
            ("g.csv", "variant,time,better\na,1,up\n"),
        ]);
        let hint = "leave the field empty where a run has no value";
        let refusal = |name: &str| folder.refusal(&[name], &all());
        let (what, given) = refusal("a.csv");
        assert_eq!(what, "a.csv:4: column `time` should be a number, not `n/a`");
        assert_eq!(given, hint);
        assert_eq!(
            refusal("b.csv").0,
            "b.csv:4: this row has 1 field, the first line has 2"
        );
        assert_eq!(
            refusal("c.csv").0,
            "c.csv:3: this row has 3 fields, the first line has 2"
        );
        assert_eq!(refusal("d.csv").0, "d.csv:3: column `variant` is empty");
        assert_eq!(
            refusal("e.csv").0,
            "e.csv:3: column `time` should be a finite number, not `NaN`"
        );
        assert_eq!(
            refusal("f.csv").0,
            "f.csv: the first line is no header: it holds the number `12.5`"
        );
        assert_eq!(
            refusal("g.csv").0,
            "g.csv:2: column `better` should be `lower` or `higher`, not `up`"
        );
    }

    #[test]
    fn columns_that_may_mean_two_things_are_refused_with_the_option_that_settles_it() {
        let folder = Folder::with(&[
            ("v.csv", "variant,alpha,beta\na,1,2\nb,3,4\n"),
            ("n.csv", "variant,benchmark\na,x\nb,y\n"),
            ("m.csv", "1,2\n3,4\n"),
        ]);
        let (what, hint) = folder.refusal(&["v.csv"], &all());
        assert_eq!(what, "v.csv: the columns `alpha`, `beta` may all be the values");
        assert_eq!(hint, "choose one, such as `--column alpha`");
        let selection = Selection { column: Some("beta".into()), ..all() };
        let series = &folder.dataset(&["v.csv"], &selection).series[0];
        assert_eq!(runs(series), [("a", vec![vec![2.0]]), ("b", vec![vec![4.0]])]);
        let (what, _) = folder.refusal(&["n.csv"], &all());
        assert_eq!(
            what,
            "n.csv: none of the columns `variant`, `benchmark` holds values"
        );
        assert_eq!(
            folder.refusal(&["m.csv"], &all()).0,
            "m.csv: there are 2 columns of numbers: `1`, `2`"
        );
        let wrong = Selection { column: Some("variant".into()), ..all() };
        assert_eq!(
            folder.refusal(&["v.csv"], &wrong).0,
            "v.csv: column `variant` does not hold numbers"
        );
    }

    #[test]
    fn quoted_thousands_and_semicolons_with_decimal_commas_are_read() {
        let table = "variant,time\na,\"1,234.5\"\nb,\"1,234\"\n";
        let folder = Folder::with(&[
            ("q.csv", table),
            ("s.csv", "variant;time\na;1,5\nb;1.234,5\n"),
            ("o.csv", "variant;time\na;7\nb;1,234\n"),
        ]);
        let read = |name| folder.dataset(&[name], &all()).series[0].clone();
        assert_eq!(
            runs(&read("q.csv")),
            [("a", vec![vec![1234.5]]), ("b", vec![vec![1234.0]])]
        );
        assert_eq!(
            runs(&read("s.csv")),
            [("a", vec![vec![1.5]]), ("b", vec![vec![1234.5]])]
        );
        assert_eq!(
            folder.refusal(&["o.csv"], &all()).0,
            "o.csv:3: `1,234` may be 1234 or 1.234"
        );
    }

    #[test]
    fn the_same_benchmark_twice_in_one_file_is_a_longer_sample() {
        let table = "variant,benchmark,value\na,x,1\na,y,2\nb,x,3\nb,y,4\na,x,5\n";
        let folder = Folder::with(&[("t.csv", table)]);
        let series = &folder.dataset(&["t.csv"], &all()).series[0];
        assert_eq!(runs(series)[0], ("a", vec![vec![1.0, 5.0]]));
    }
}

mod words {
    use super::*;

    #[test]
    fn a_label_a_stem_or_a_folder_names_the_variant() {
        let folder = Folder::with(&[
            ("old.txt", "1\n2\n"),
            ("new.txt", "3\n4\n"),
            ("p/run.txt", "5\n6\n"),
            ("q/run.txt", "7\n8\n"),
        ]);
        let labels = |words: &[&str]| {
            let dataset = folder.dataset(words, &all());
            let variants = &dataset.series[0].variants;
            variants.iter().map(|variant| variant.label.clone()).collect::<Vec<_>>()
        };
        assert_eq!(labels(&["old.txt", "new.txt"]), ["old", "new"]);
        assert_eq!(labels(&["b=old.txt", "a=new.txt"]), ["b", "a"]);
        assert_eq!(labels(&["p/run.txt", "q/run.txt"]), ["p/run", "q/run"]);
        assert_eq!(labels(&["p", "old.txt"]), ["p", "old"]);
        assert_eq!(labels(&["p/*.txt", "q/*.txt"]), ["p", "q"]);
        let (what, hint) = folder.refusal(&["old.txt", "old.txt"], &all());
        assert_eq!(what, "`old.txt` is given twice");
        assert_eq!(hint, "give each its own label, such as `one=PATH two=PATH`");
    }

    #[test]
    fn a_label_again_a_folder_and_a_pattern_are_invocations_in_the_order_of_bytes() {
        let folder = Folder::with(&[
            ("old/b.txt", "3\n4\n"),
            ("old/a.txt", "1\n2\n"),
            ("old/.hidden", "99\n"),
            ("old/deeper/c.txt", "98\n"),
            ("new.txt", "5\n6\n"),
            ("new2.txt", "7\n8\n"),
        ]);
        let expected = [
            ("old", vec![vec![1.0, 2.0], vec![3.0, 4.0]]),
            ("new", vec![vec![5.0, 6.0], vec![7.0, 8.0]]),
        ];
        for old in ["old=old", "old=old/*"] {
            let words = [old, "new=new.txt", "new=new2.txt"];
            let dataset = folder.dataset(&words, &all());
            assert_eq!(runs(&dataset.series[0]), expected, "{old}");
            let note = |variant: &str| FilesAsInvocations {
                variant: variant.into(),
                files: 2,
            };
            assert_eq!(dataset.files_as_invocations, [note("old"), note("new")]);
            let pooled = Selection { pool_files: true, ..all() };
            let dataset = folder.dataset(&words, &pooled);
            assert_eq!(
                runs(&dataset.series[0])[0],
                ("old", vec![vec![1.0, 2.0, 3.0, 4.0]])
            );
            assert!(dataset.files_as_invocations.is_empty());
        }
    }

    #[test]
    fn a_word_that_can_be_read_in_two_ways_is_refused() {
        let folder = Folder::with(&[("b", "1\n2\n"), ("c", "3\n4\n")]);
        // The path that is tried is relative: the whole word must be one.
        let (what, _) = folder.refusal(&["=x", "b"], &all());
        assert_eq!(what, "the label in `=x` is empty");
        let (what, hint) = folder.refusal(&["a=", "b"], &all());
        assert_eq!(what, "the path in `a=` is empty");
        assert_eq!(hint, "write `LABEL=PATH`, such as `old=old.txt`");
        folder.add("x=y", b"5\n6\n");
        let dataset = folder.dataset(&["b", "./x=y"], &all());
        assert_eq!(dataset.series[0].variants[1].label, "x=y");
    }

    #[test]
    fn a_pattern_or_folder_without_files_is_refused() {
        let folder = Folder::with(&[("a", "1\n"), ("empty/.hidden", "1\n")]);
        let (what, _) = folder.refusal(&["a", "no*.txt"], &all());
        assert_eq!(what, "no*.txt: no file matches this pattern");
        let (what, _) = folder.refusal(&["a", "empty"], &all());
        assert_eq!(what, "empty: there is no file in this folder");
    }

    #[test]
    fn standard_input_is_read_once_under_its_own_label() {
        let word = |text: &str| Input::Word(text.to_owned());
        let mut stdin = "1\n2\n".as_bytes();
        let sources =
            read_sources_with(&[word("-")], &all(), &mut stdin).expect("numbers");
        assert_eq!(sources[0].label, "stdin");
        assert_eq!(sources[0].readings[0].path, "stdin");
        let error = read_sources_with(&[word("-"), word("a=-")], &all(), &mut stdin);
        assert_eq!(
            error.expect_err("twice").to_string(),
            "-: standard input is given twice"
        );
    }

    #[test]
    fn many_files_of_one_run_each_get_the_hint_with_quotes() {
        let names = ["a", "b", "c", "d", "e"];
        let folder = Folder::with(&names.map(|name| (name, "1\n")));
        let (what, hint) = folder.refusal(&names, &all());
        assert_eq!(what, "5 files of one run each would be 5 variants");
        assert!(hint.contains("old='old/*.txt'"), "{hint}");
        assert_eq!(folder.dataset(&names[..4], &all()).series[0].variants.len(), 4);
    }
}

mod assembly {
    use super::*;

    #[test]
    fn what_varies_inside_several_sources_joins_the_benchmark() {
        let wide = "parse,render\n1,2\n3,4\n";
        let folder = Folder::with(&[("old.csv", wide), ("new.csv", wide)]);
        let dataset = folder.dataset(&["old.csv", "new.csv"], &all());
        let names: Vec<_> =
            dataset.series.iter().map(|s| s.benchmark.as_deref()).collect();
        assert_eq!(names, [Some("parse"), Some("render")]);
        assert_eq!(dataset.series[0].variants[1].label, "new");
        // `name` alone names benchmarks when there are several files.
        let named = "name,time\nparse,1\nparse,2\nrender,3\n";
        let folder = Folder::with(&[("old.csv", named), ("new.csv", named)]);
        assert_eq!(folder.dataset(&["old.csv", "new.csv"], &all()).series.len(), 2);
        assert_eq!(
            folder.dataset(&["old.csv"], &all()).series[0].variants[1].label,
            "render"
        );
    }

    #[test]
    fn tables_with_a_variant_column_are_concatenated_and_take_no_label() {
        let folder = Folder::with(&[
            ("mon.csv", "variant,time\na,1\nb,2\n"),
            ("tue.csv", "variant,time\nb,3\na,4\n"),
        ]);
        let dataset = folder.dataset(&["mon.csv", "tue.csv"], &all());
        assert_eq!(
            runs(&dataset.series[0]),
            [("a", vec![vec![1.0], vec![4.0]]), ("b", vec![vec![2.0], vec![3.0]])]
        );
        let (what, hint) = folder.refusal(&["x=mon.csv", "tue.csv"], &all());
        assert_eq!(
            what,
            "mon.csv: it names its variants in column `variant` and cannot be labelled `x` as a whole"
        );
        assert!(hint.contains("`--variant-by file`"), "{hint}");
        let by_file = Selection { variant_by: Some(VariantBy::File), ..all() };
        let dataset = folder.dataset(&["x=mon.csv", "tue.csv"], &by_file);
        assert_eq!(dataset.series[0].benchmark.as_deref(), Some("a"));
        assert_eq!(runs(&dataset.series[0])[0], ("x", vec![vec![1.0]]));
    }

    #[test]
    fn the_baseline_is_the_first_variant_or_the_one_named() {
        let folder = Folder::with(&[("a", "1\n2\n"), ("b", "3\n4\n"), ("c", "5\n6\n")]);
        let labels = |selection: &Selection| {
            let dataset = folder.dataset(&["a", "b", "c"], selection);
            let variants = &dataset.series[0].variants;
            variants.iter().map(|variant| variant.label.clone()).collect::<Vec<_>>()
        };
        assert_eq!(labels(&all()), ["a", "b", "c"]);
        assert_eq!(
            labels(&Selection { baseline: Some("c".into()), ..all() }),
            ["c", "a", "b"]
        );
        let renamed = Selection {
            rename: vec!["b=main".parse().expect("a renaming")],
            baseline: Some("main".into()),
            ..all()
        };
        assert_eq!(labels(&renamed), ["main", "a", "c"]);
        let unknown = Selection { baseline: Some("d".into()), ..all() };
        let (what, hint) = folder.refusal(&["a", "b", "c"], &unknown);
        assert_eq!(what, "--baseline: there is no variant `d`");
        assert!(hint.contains("`a`, `b`, `c`"), "{hint}");
        let unknown =
            Selection { rename: vec!["d=e".parse().expect("a renaming")], ..all() };
        assert_eq!(folder.refusal(&["a", "b"], &unknown).0, "there is no variant `d`");
        let clash =
            Selection { rename: vec!["a=b".parse().expect("a renaming")], ..all() };
        assert_eq!(
            folder.refusal(&["a", "b"], &clash).0,
            "two variants would be called `b`"
        );
    }

    #[test]
    fn benchmark_metric_and_unit_name_what_is_unnamed_and_select_what_is_named() {
        let folder = Folder::with(&[("a", "1\n2\n"), ("b", "3\n4\n")]);
        let names = Selection {
            benchmark: Some("boot".into()),
            metric: Some("time".into()),
            unit: Some("ms".into()),
            ..all()
        };
        let series = &folder.dataset(&["a", "b"], &names).series[0];
        assert_eq!(series.benchmark.as_deref(), Some("boot"));
        assert_eq!(series.metric.name.as_deref(), Some("time"));
        assert_eq!(series.metric.unit.as_deref(), Some("ms"));
        assert_eq!(series.metric.direction_source, DirectionSource::Unit);

        let table = "variant,benchmark,time_ms\na,x/1,1\nb,x/1,2\na,x/2,3\nb,x/2,4\na,y,5\nb,y,6\n";
        let folder = Folder::with(&[("t.csv", table)]);
        let some =
            |pattern: &str| Selection { benchmark: Some(pattern.into()), ..all() };
        assert_eq!(folder.dataset(&["t.csv"], &some("x*")).series.len(), 2);
        assert_eq!(folder.dataset(&["t.csv"], &some("y")).series.len(), 1);
        let (what, hint) = folder.refusal(&["t.csv"], &some("z*"));
        assert_eq!(what, "there is no benchmark `z*`");
        assert!(hint.contains("`x/1`"), "{hint}");
        let unknown = Selection { metric: Some("size".into()), ..all() };
        assert_eq!(folder.refusal(&["t.csv"], &unknown).0, "there is no metric `size`");
        let seconds = Selection { unit: Some("s".into()), ..some("y") };
        let series = &folder.dataset(&["t.csv"], &seconds).series[0];
        assert_eq!(series.metric.unit.as_deref(), Some("s"));
        assert_eq!(runs(series), [("a", vec![vec![0.005]]), ("b", vec![vec![0.006]])]);
        let sample = series.variants[0].measurements.sample().expect("runs");
        assert_eq!(Some(sample.resolution()), Some(0.001));
        let foreign = Selection { unit: Some("MB".into()), ..all() };
        assert_eq!(
            folder.refusal(&["t.csv"], &foreign).0,
            "--unit: `ms` cannot be converted to `MB`"
        );
    }

    #[test]
    fn units_of_one_kind_are_converted_to_the_first_and_others_refused() {
        let folder = Folder::with(&[
            ("a", "1ms\n2ms\n"),
            ("b", "0.003s\n0.004s\n"),
            ("c", "5MB\n6MB\n"),
            ("d", "7\n8\n"),
        ]);
        let series = &folder.dataset(&["a", "b"], &all()).series[0];
        assert_eq!(
            runs(series),
            [("a", vec![vec![1.0, 2.0]]), ("b", vec![vec![3.0, 4.0]])]
        );
        let (what, _) = folder.refusal(&["a", "c"], &all());
        assert_eq!(what, "c: `c` is in `MB`, which cannot be converted to `ms`");
        let (what, hint) = folder.refusal(&["a", "d"], &all());
        assert_eq!(what, "d: `d` has no unit, where other runs are in `ms`");
        assert_eq!(hint, "say that it is the same: `--unit ms`");
        let named = Selection { unit: Some("ms".into()), ..all() };
        assert_eq!(
            folder.dataset(&["a", "d"], &named).series[0].metric.unit.as_deref(),
            Some("ms")
        );
    }

    #[test]
    fn a_direction_is_known_given_or_assumed_and_not_contradicted_lightly() {
        let folder = Folder::with(&[
            ("a", "1\n2\n"),
            ("b", "3\n4\n"),
            ("c", "throughput [MB/s]\n5\n6\n"),
            ("d", "throughput [MB/s]\n7\n8\n"),
        ]);
        let metric = |words: &[&str], selection: &Selection| {
            let metric = &folder.dataset(words, selection).series[0].metric;
            (metric.direction.name(), metric.direction_source.name())
        };
        let lower = Selection { direction: Some(Direction::LowerIsBetter), ..all() };
        let higher = Selection { direction: Some(Direction::HigherIsBetter), ..all() };
        assert_eq!(metric(&["a", "b"], &all()), ("lower", "assumed"));
        assert_eq!(metric(&["a", "b"], &higher), ("higher", "option"));
        assert_eq!(metric(&["c", "d"], &all()), ("higher", "unit"));
        assert_eq!(metric(&["c", "d"], &higher), ("higher", "unit"));
        let (what, hint) = folder.refusal(&["c", "d"], &lower);
        assert_eq!(
            what,
            "`throughput` is known to be better when higher, against `--lower-is-better`"
        );
        assert!(hint.contains("`--metric throughput`"), "{hint}");
        let meant = Selection { metric: Some("throughput".into()), ..lower };
        assert_eq!(metric(&["c", "d"], &meant), ("lower", "option"));
    }

    #[test]
    fn the_first_runs_of_each_invocation_are_dropped_but_never_all() {
        let folder =
            Folder::with(&[("a", "9\n1\n2\n"), ("a2", "8\n3\n"), ("b", "9\n4\n")]);
        let words = ["x=a", "x=a2", "b"];
        let one = Selection { drop_first: 1, ..all() };
        assert_eq!(
            runs(&folder.dataset(&words, &one).series[0]),
            [("x", vec![vec![1.0, 2.0], vec![3.0]]), ("b", vec![vec![4.0]])]
        );
        let two = Selection { drop_first: 2, ..all() };
        let (what, _) = folder.refusal(&words, &two);
        assert_eq!(what, "b: `--drop-first 2` leaves no run of `b`");
    }

    #[test]
    fn one_variant_or_no_benchmark_in_common_is_refused_with_what_was_found() {
        let folder = Folder::with(&[
            ("a", "1\n2\n"),
            ("b.csv", "benchmark,time\nx,1\n"),
            ("c.csv", "benchmark,time\ny,1\nz,2\n"),
        ]);
        let (what, hint) = folder.refusal(&["a"], &all());
        assert_eq!(what, "a: there is one variant only, `a`");
        assert!(hint.contains("second file"), "{hint}");
        let (what, hint) = folder.refusal(&["c.csv"], &all());
        assert_eq!(what, "c.csv: there is one variant only, `c`");
        assert!(hint.contains("`--variant-by column:benchmark`"), "{hint}");
        let (what, _) = folder.refusal(&["b.csv", "c.csv"], &all());
        assert_eq!(
            what,
            "no benchmark is in `b` and in another variant: `b` has `x` (time); `c` has `y` (time), `z` (time)"
        );
    }

    #[test]
    fn what_tells_variants_apart_can_be_named_and_must_exist() {
        let folder = Folder::with(&[
            ("t.csv", "host,time\nx,1\ny,2\n"),
            ("n.txt", "1\n2\n"),
            ("m.csv", "1,2\n3,4\n"),
        ]);
        let by = |text: &str| {
            let variant_by = Some(text.parse::<VariantBy>().expect("a way"));
            Selection { variant_by, ..all() }
        };
        let series = &folder.dataset(&["t.csv"], &by("column:host")).series[0];
        assert_eq!(runs(series), [("x", vec![vec![1.0]]), ("y", vec![vec![2.0]])]);
        let (what, hint) = folder.refusal(&["t.csv"], &by("column:hots"));
        assert_eq!(what, "t.csv: there is no column `hots`");
        assert_eq!(hint, "did you mean `host`? There are `host`, `time`");
        let (what, _) = folder.refusal(&["n.txt"], &by("column:host"));
        assert_eq!(what, "n.txt: plain numbers have no column `host` of variants");
        let (what, _) = folder.refusal(&["m.csv"], &by("column:host"));
        assert_eq!(what, "m.csv: there is no header line, so no column `host`");
        assert!("host".parse::<VariantBy>().is_err());
        assert_eq!(folder.refusal(&[], &all()).0, "there is nothing to compare");
    }

    #[test]
    fn summaries_and_runs_mix_in_the_order_of_the_command_line() {
        let folder = Folder::with(&[("a", "1ms\n2ms\n"), ("b", "3ms\n4ms\n")]);
        let summary = "published:n=10,mean=2.5,sd=0.5";
        let dataset = folder.dataset(&["a", summary, "b"], &all());
        let series = &dataset.series[0];
        let labels: Vec<_> = series.variants.iter().map(|v| v.label.as_str()).collect();
        assert_eq!(labels, ["a", "published", "b"]);
        assert_eq!(series.metric.unit.as_deref(), Some("ms"));
        assert_eq!(series.variants[1].measurements.moments().n, 10);
        assert!(series.variants[1].measurements.sample().is_none());
        let (what, _) = folder.refusal(&["published=a", summary, "b"], &all());
        assert_eq!(what, "`published` has a summary and more");
        let drop = Selection { drop_first: 1, ..all() };
        let (what, _) = folder.refusal(&["a", summary], &drop);
        assert_eq!(what, "`published` is a summary and has no runs to drop");
        let only = ["x:n=10,mean=100,sd=0.8", "y:n=10,mean=99.04,sd=0.8"];
        assert_eq!(folder.dataset(&only, &all()).series[0].variants.len(), 2);
    }

    #[test]
    fn the_files_of_the_worked_example_are_read() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/netbsd");
        let word = |name: &str| Input::Word(root.join(name).display().to_string());
        let inputs = [word("throughput-without.txt"), word("throughput-with.txt")];
        let dataset = read_dataset(&inputs, &all()).expect("two files");
        let expected = [
            ("throughput-without", vec![vec![152.7, 151.7, 153.5]]),
            ("throughput-with", vec![vec![152.0, 153.4, 153.7]]),
        ];
        assert_eq!(runs(&dataset.series[0]), expected);
        let dataset = read_dataset(&[word("rfc2544.csv")], &all()).expect("a table");
        let expected = [
            ("without", vec![vec![162.9, 162.0, 162.7]]),
            ("with", vec![vec![162.7, 164.2, 162.7]]),
        ];
        assert_eq!(runs(&dataset.series[0]), expected);
    }

    #[test]
    fn a_million_runs_a_file_are_kept_in_order() {
        let mut text = String::new();
        for i in 0..1_000_000 {
            let _ = writeln!(text, "{}.{:03}", 1000 + i % 7, i % 1000);
        }
        let folder = Folder::with(&[("a", &text), ("b", &text)]);
        let dataset = folder.dataset(&["a", "b"], &all());
        let sample = dataset.series[0].variants[1].measurements.sample().expect("runs");
        assert_eq!((sample.len(), sample.resolution()), (1_000_000, 0.001));
        // 999,999 is 7 times 142,857.
        assert_eq!(sample.runs().last().copied(), Some(1000.999));
    }
}
