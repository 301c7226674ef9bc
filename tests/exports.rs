//! Draws as files: what is written reads back the same, or nothing is written.

use std::fs;
use std::path::Path;

use ndarray::Array2;
use patchodds::draws::{Dimension, Draws, GroupName, Kind, Statistic, Variable};
use patchodds::error::Error;
use patchodds::export::{Destination, KINDS};

/// Two chains of three iterations whose values have no short decimal form.
fn thirds() -> Array2<f64> {
    Array2::from_shape_fn((2, 3), |(chain, i)| (1 + 3 * chain + i) as f64 / 3.0)
}

fn posterior(variables: impl IntoIterator<Item = Variable>) -> Draws {
    let mut draws = Draws::default();
    for variable in variables {
        draws.group_mut(GroupName::Posterior).push(variable);
    }
    draws
}

fn save(draws: &Draws, path: &Path) -> Result<(), Error> {
    Destination::parse(path.to_str().expect("UTF-8"))?.write(draws)
}

/// The text that is written for these draws.
fn text_of(draws: &Draws) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("draws.csv");
    save(draws, &path).expect("a writable file");
    fs::read_to_string(path).expect("a readable file")
}

/// Header and rows of a CSV file.
fn table(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let mut rows = reader.records().map(|row| {
        row.expect("a row").iter().map(str::to_owned).collect::<Vec<String>>()
    });
    (rows.next().expect("a header"), rows.collect())
}

#[test]
fn kinds_have_lower_case_names_and_suffixes_that_nobody_else_has() {
    let mut names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    let mut suffixes: Vec<&str> =
        KINDS.iter().flat_map(|kind| kind.suffixes).copied().collect();
    for name in names.iter().chain(&suffixes) {
        let is_plain =
            |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'.';
        assert!(name.bytes().all(is_plain), "{name}");
    }
    let (kinds, all) = (names.len(), suffixes.len());
    names.sort_unstable();
    names.dedup();
    suffixes.sort_unstable();
    suffixes.dedup();
    assert_eq!((names.len(), suffixes.len()), (kinds, all));
    assert!(KINDS.iter().all(|kind| !kind.about.is_empty()));
}

#[test]
fn the_csv_starts_with_chain_iteration_and_draw_and_is_sorted_by_them() {
    let text = text_of(&posterior([Variable::new("difference", thirds())]));
    assert_eq!(
        text,
        "\
.chain,.iteration,.draw,difference
1,1,1,0.3333333333333333
1,2,2,0.6666666666666666
1,3,3,1
2,1,4,1.3333333333333333
2,2,5,1.6666666666666667
2,3,6,2
"
    );
}

#[test]
fn every_finite_number_reads_back_bit_for_bit() {
    let numbers = [
        0.1,
        -0.0,
        1.0 / 3.0,
        5e-324,
        f64::MIN_POSITIVE,
        f64::MAX,
        -f64::EPSILON,
        1e-5,
        9.999_999_999_999_999e-6,
        1e16,
        9_007_199_254_740_993.0,
        1_234_567_890.123_456_7,
    ];
    let values = Array2::from_shape_vec((2, 6), numbers.to_vec()).unwrap();
    let (_, rows) = table(&text_of(&posterior([Variable::new("x", values)])));
    let read: Vec<u64> =
        rows.iter().map(|row| row[3].parse::<f64>().unwrap().to_bits()).collect();
    assert_eq!(read, numbers.map(f64::to_bits));
    assert!(rows.iter().all(|row| row[3].len() <= 24), "no 300 zeros: {rows:?}");
}

#[test]
fn numbers_that_are_none_are_written_as_r_reads_them() {
    let values = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    let values = Array2::from_shape_vec((1, 3), values.to_vec()).unwrap();
    let (_, rows) = table(&text_of(&posterior([Variable::new("x", values)])));
    let read: Vec<&str> = rows.iter().map(|row| row[3].as_str()).collect();
    assert_eq!(read, ["NA", "Inf", "-Inf"]);
}

#[test]
fn hostile_labels_make_one_column_each_and_keep_their_originals() {
    let hostile =
        ["a,b", "a_b", "a[b", "x]", "say \"hi\"", "two\nlines", "", "-O2 é", "a_b"];
    let variant = Dimension::new("variant", hostile);
    let safe = variant.indices().iter();
    let mean = safe.map(|index| Variable::indexed("mean", index, thirds()));
    let draws = posterior(mean);
    let (header, rows) = table(&text_of(&draws));
    assert_eq!(
        header[3..],
        [
            "mean[a_b_2]",
            "mean[a_b]",
            "mean[a_b_3]",
            "mean[x_]",
            "mean[say \"hi\"]",
            "mean[two\nlines]",
            "mean[]",
            "mean[-O2 é]",
            "mean[a_b_4]"
        ]
    );
    assert!(rows.len() == 6 && rows.iter().all(|row| row.len() == 3 + hostile.len()));
    let labels = draws.posterior().variables().iter();
    let labels: Vec<&str> = labels.filter_map(|v| Some(v.index()?.label())).collect();
    assert_eq!(labels, hostile);
}

#[test]
fn a_group_is_gathered_into_arrays_by_plain_name() {
    let variant = Dimension::new("variant", ["base", "patch"]);
    let [base, patch] = variant.indices() else { panic!("two variants") };
    let draws = posterior([
        Variable::indexed("mean", base, thirds()),
        Variable::new("difference", thirds()),
        Variable::indexed("mean", patch, thirds()),
    ]);
    let names = |elements: Vec<&Variable>| -> Vec<String> {
        elements.into_iter().map(|v| v.full_name().to_owned()).collect()
    };
    let arrays: Vec<(&str, Vec<String>)> = draws
        .posterior()
        .arrays()
        .into_iter()
        .map(|(name, elements)| (name, names(elements)))
        .collect();
    let expected = [
        ("mean", vec!["mean[base]".to_owned(), "mean[patch]".to_owned()]),
        ("difference", vec!["difference".to_owned()]),
    ];
    assert_eq!(arrays, expected);
    assert_eq!(patch.dimension(), "variant");
}

#[test]
fn the_statistics_of_the_sampler_bear_the_names_of_the_schema() {
    // The sample_stats page of the InferenceData schema.
    let stats = [
        (Statistic::Lp, "lp", Kind::Real),
        (Statistic::AcceptanceRate, "acceptance_rate", Kind::Real),
        (Statistic::StepSize, "step_size", Kind::Real),
        (Statistic::TreeDepth, "tree_depth", Kind::Count),
        (Statistic::NSteps, "n_steps", Kind::Count),
        (Statistic::Diverging, "diverging", Kind::Flag),
        (Statistic::Energy, "energy", Kind::Real),
        (Statistic::EnergyError, "energy_error", Kind::Real),
        (Statistic::ReachedMaxTreedepth, "reached_max_treedepth", Kind::Flag),
    ];
    let mut draws = Draws::default();
    for (statistic, name, kind) in stats {
        let variable = statistic.variable(thirds());
        assert_eq!((variable.full_name(), variable.kind()), (name, kind));
        draws.group_mut(GroupName::SampleStats).push(variable);
    }
    let groups: Vec<&str> = draws.groups().map(|(name, _)| name.name()).collect();
    assert_eq!(groups, ["sample_stats"]);
    assert_eq!(draws.posterior().chains(), 0); // a group that is not there is empty
}

#[test]
#[should_panic(expected = "there are two variables `difference`")]
fn a_name_is_taken_only_once() {
    posterior([1, 2].map(|_| Variable::new("difference", thirds())));
}

#[test]
#[should_panic(expected = "`ratio` has other chains or iterations")]
fn all_variables_of_a_group_have_one_shape() {
    let other = Array2::zeros((2, 4));
    posterior([Variable::new("difference", thirds()), Variable::new("ratio", other)]);
}

#[test]
fn the_ending_or_a_kind_before_the_colon_says_what_is_written() {
    for (argument, kind, path) in [
        ("fit.csv", "csv", "fit.csv"),
        ("FIT.CSV", "csv", "FIT.CSV"),
        ("csv:fit.txt", "csv", "fit.txt"),
        ("csv:C:\\fit", "csv", "C:\\fit"),
        ("C:\\fit.csv", "csv", "C:\\fit.csv"),
        ("runs/12:30.csv", "csv", "runs/12:30.csv"),
        ("fit.zarr", "zarr", "fit.zarr"),
        ("fit.zarr/", "zarr", "fit.zarr/"), // as a shell completes it
        ("fit.zarr.zip", "zarr", "fit.zarr.zip"),
        ("zarr:fit.zip", "zarr", "fit.zip"),
        ("fit.json", "json", "fit.json"),
        ("cmdstan:fit", "cmdstan", "fit"),
    ] {
        let destination = Destination::parse(argument).unwrap();
        assert_eq!((destination.kind().name, destination.path()), (kind, path));
        assert!(!destination.is_collection());
    }
    for argument in ["csv:fits/", "cmdstan:fits/", "zarr:fits/"] {
        assert!(Destination::parse(argument).unwrap().is_collection());
    }
}

#[test]
fn an_unknown_kind_or_ending_is_answered_with_those_that_exist() {
    for (argument, message) in [
        ("fit.xls", "fit.xls: the ending of this name says no kind of draws file"),
        ("fit", "fit: the ending of this name says no kind of draws file"),
        (".csv", ".csv: the ending of this name says no kind of draws file"),
        ("a/.csv", "a/.csv: the ending of this name says no kind of draws file"),
        ("fit.zip", "fit.zip: the ending of this name says no kind of draws file"),
        ("cvs:fit", "there is no kind of draws file `cvs`"),
        ("csv:", "`csv:` names no file"),
    ] {
        let error = Destination::parse(argument).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(error.hint().is_some_and(|hint| hint.contains("csv")), "{error:?}");
    }
}

#[test]
fn a_file_in_no_folder_is_an_error_with_its_place_and_advice() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let path = missing.join("draws.csv");
    let draws = posterior([Variable::new("difference", thirds())]);
    let error = save(&draws, &path).unwrap_err();
    let (path, missing) = (path.display(), missing.display());
    assert_eq!(error.to_string(), format!("{path}: there is no folder `{missing}`"));
    assert_eq!(error.hint(), Some("make the folder first, or write elsewhere"));
}

#[test]
fn a_folder_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("draws.csv");
    fs::create_dir(&path).unwrap();
    let draws = posterior([Variable::new("difference", thirds())]);
    let error = save(&draws, &path).unwrap_err();
    assert_eq!(error.what(), "this is a folder, not a file");
}

#[test]
fn an_older_file_is_replaced_and_nothing_else_is_left_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("draws.csv");
    fs::write(&path, "a longer text than that of the draws\n".repeat(100)).unwrap();
    save(&posterior([Variable::new("difference", thirds())]), &path).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 7);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_link_still_points_to_the_file_that_was_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("real.csv"), folder.path().join("link.csv"));
    fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    save(&posterior([Variable::new("difference", thirds())]), &link).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&file).unwrap().starts_with(".chain"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_is_written_to_and_stays_a_device() {
    let draws = posterior([Variable::new("difference", thirds())]);
    Destination::parse("csv:/dev/null").unwrap().write(&draws).unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    let error = Destination::parse("csv:/dev/full").unwrap().write(&draws).unwrap_err();
    assert_eq!(error.to_string(), "/dev/full: the disk is full");
}
