//! The command line as written: documents run, errors say what to do, streams and exit
//! codes are as promised.

mod documents;

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use patchodds::cli::{self, Ending, Streams};
use serde_json::Value;

const NETBSD: &str = "examples/netbsd/rfc2544.csv";

/// What one call of the program said.
struct Said {
    ending: Ending,
    out: String,
    err: String,
}

/// Two pipes and a page of 80 columns.
const PIPED: Streams =
    Streams { width: 80, out_is_terminal: false, err_is_terminal: false };

fn patchodds(args: &[&str]) -> Said {
    patchodds_on(PIPED, args)
}

fn patchodds_on(streams: Streams, args: &[&str]) -> Said {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = std::iter::once("patchodds").chain(args.iter().copied());
    let ending = cli::run(args.map(OsString::from), streams, &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    Said { ending, out: text(out), err: text(err) }
}

fn json(args: &[&str]) -> Value {
    let args: Vec<&str> = args.iter().chain(&["--format", "json"]).copied().collect();
    let said = patchodds(&args);
    assert_eq!(said.ending, Ending::Done, "{}", said.err);
    serde_json::from_str(&said.out).expect("the program writes JSON")
}

/// Columns that a line takes on a terminal; no character here is wider than one.
fn widest(text: &str) -> (usize, &str) {
    let lines = text.lines().map(|line| (line.chars().count(), line));
    lines.max_by_key(|(width, _)| *width).unwrap_or((0, ""))
}

#[test]
fn every_command_in_tests_cli_prints_what_is_written_there() {
    trycmd::TestCases::new()
        .register_bin("patchodds", Path::new(env!("CARGO_BIN_EXE_patchodds")))
        .env("COLUMNS", "80")
        .case("tests/cli/*.md");
}

#[test]
fn on_any_error_standard_output_stays_empty() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_string_lossy().into_owned()
    };
    let (old, new) = (file("old.txt", "10.1\n10.3\n"), file("new.txt", "10.4\n10.6\n"));
    let (empty, bad) = (file("empty.txt", ""), file("bad.txt", "10.1\nn/a\n"));
    let (one, uno) = (file("one.txt", "10\n"), file("uno.txt", "11\n"));
    let unwritable = folder.path().join("no/such/draws.csv");
    let unwritable = unwritable.to_string_lossy();
    let cases: &[&[&str]] = &[
        &["compare"],
        &["compare", &old],
        &["compare", "no-such.txt", &new],
        &["compare", &empty, &new],
        &["compare", &bad, &new],
        // The first file is whole: nothing of it may be shown.
        &["compare", &new, &bad],
        &["compare", &one, &uno],
        &["compare", &old, &new, "--baseline", "odl"],
        &["compare", &old, &new, "--model", "nromal"],
        &["compare", &old, &new, "--prior", "sd=lognormal(log(nois), 0.3)"],
        &["compare", &old, &new, "--margin", "a little"],
        &["compare", &old, &new, "--margin", "2ms"],
        &["compare", &old, &new, "--confidence", "2"],
        &["compare", &old, &new, "--draws", "0"],
        &["compare", &old, &new, "--save-draws", "draws.xlsx"],
        &["compare", &old, &new, "--save-draws", &unwritable],
        &["compare", "--summary", "a:n=10,mean=1", "--summary", "b:n=10,mean=1,sd=1"],
        &["compare", &old, &new, "--no-such-option"],
        &["models", "show", "nromal"],
        &["comapre", &old, &new],
    ];
    for args in cases {
        let said = patchodds(args);
        assert_eq!(said.ending, Ending::Failed, "{args:?}");
        assert_eq!(said.out, "", "{args:?}");
        assert!(said.err.starts_with("error: "), "{args:?}: {}", said.err);
    }
}

/// A reader that has gone away.
struct ClosedPipe;

impl Write for ClosedPipe {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A disk with no room left.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    for args in [vec!["compare", NETBSD], vec!["models"], vec!["--help"]] {
        let args = std::iter::once("patchodds").chain(args).map(OsString::from);
        let mut err = Vec::new();
        let ending = cli::run(args, PIPED, &mut ClosedPipe, &mut err);
        assert_eq!(ending.code(), 0);
        assert!(err.is_empty());
    }
}

#[test]
fn the_program_survives_a_reader_that_leaves() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_patchodds"))
        .args(["compare", NETBSD])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let ended = child.wait_with_output().expect("the program ends");
    assert_eq!(ended.status.code(), Some(0));
    assert!(ended.stderr.is_empty());
}

#[test]
fn a_result_that_cannot_be_written_is_an_error() {
    let args = ["patchodds", "compare", NETBSD].map(OsString::from);
    let mut err = Vec::new();
    let ending = cli::run(args, PIPED, &mut Full, &mut err);
    assert_eq!(ending.code(), 2);
    assert!(err.starts_with(b"error: standard output: "));
}

#[test]
fn the_number_of_threads_changes_no_byte_of_the_result() {
    let result = |jobs: &str| {
        let mut result = json(&["compare", NETBSD, "--jobs", jobs]);
        // How long it took, and what was typed, are not results.
        result["command"] = Value::Null;
        result["comparisons"][0]["sampling"]["seconds"] = Value::Null;
        result.to_string()
    };
    let one = result("1");
    assert!(one.contains("\"slower\""));
    assert_eq!(one, result("2"));
    assert_eq!(one, result("3"));
}

#[test]
fn another_seed_gives_other_draws() {
    let slower = |seed: &str| {
        let result = json(&["compare", NETBSD, "--seed", seed]);
        result["comparisons"][0]["posterior"]["difference"]["mean"].clone()
    };
    assert_ne!(slower("1"), slower("2"));
    assert_eq!(slower("1"), slower("1"));
}

#[test]
fn help_fits_a_page_of_80_columns() {
    for args in [
        vec!["--help"],
        vec!["-h"],
        vec!["compare", "--help"],
        vec!["compare", "-h"],
        vec!["models", "--help"],
        vec!["models", "show", "--help"],
    ] {
        let said = patchodds(&args);
        assert_eq!(said.ending, Ending::Done);
        let (width, line) = widest(&said.out);
        assert!(width <= 80, "{args:?}: {width} columns: {line}");
    }
}

#[test]
fn short_help_fits_a_screen_and_leads_to_the_long_one() {
    for command in ["compare", "inspect", "models"] {
        let short = patchodds(&[command, "-h"]).out;
        assert!(short.lines().count() <= 50, "{command}:\n{short}");
    }
    let (short, long) =
        (patchodds(&["compare", "-h"]).out, patchodds(&["compare", "--help"]).out);
    assert!(short.contains("`--help` has more options"));
    assert!(!short.contains("--tune") && long.contains("--tune"));
}

/// The long options of a command, as its help names them.
fn long_options(command: &str) -> Vec<String> {
    let help = patchodds(&[command, "--help"]).out;
    let lines = help.lines().filter_map(|line| {
        let (_, after) = line.split_once("--")?;
        let short = line.trim_start().starts_with('-');
        let name = after.split([' ', '=']).next()?;
        short.then(|| format!("--{name}"))
    });
    lines.collect()
}

#[test]
fn completions_and_the_manual_name_every_option_of_every_command() {
    let guides = [
        (vec!["completions", "bash"], "_patchodds() {"),
        (vec!["completions", "zsh"], "#compdef patchodds"),
        (vec!["completions", "fish"], "complete -c patchodds"),
        (vec!["completions", "powershell"], "Register-ArgumentCompleter"),
        (vec!["man"], ".TH patchodds 1"),
    ];
    for (args, mark) in guides {
        let said = patchodds(&args);
        assert_eq!(said.ending, Ending::Done, "{args:?}");
        assert!(said.out.contains(mark), "{args:?}: {mark}");
        // The manual escapes its hyphens, and fish writes options without them.
        let text = said.out.replace("\\-", "-").replace("-l ", "--");
        for command in ["compare", "inspect", "models"] {
            let options = long_options(command);
            assert!(options.len() > 1, "{command}: {options:?}");
            for option in options {
                assert!(text.contains(&option), "{args:?}: {command} {option}");
            }
        }
    }
    let unknown = patchodds(&["completions", "csh"]);
    assert_eq!(unknown.ending, Ending::Failed);
    assert!(unknown.err.contains("bash") && unknown.err.contains("zsh"));
}

#[test]
fn text_fits_the_terminal_from_48_columns_on() {
    for width in [48, 50, 64, 80, 200] {
        let streams = Streams { width, ..PIPED };
        for args in [
            vec!["compare", NETBSD],
            vec!["compare", "old=examples/netbsd/throughput-without.txt", NETBSD],
            vec![
                "compare",
                "--higher-is-better",
                "--summary",
                "before:n=10,mean=100,sd=0.8",
                "--summary",
                "after:n=10,mean=99.04,sd=0.8",
            ],
        ] {
            let said = patchodds_on(streams, &args);
            let (widest, line) = widest(&said.out);
            assert!(widest <= width.min(80), "{widest} of {width} columns: {line}");
        }
    }
}

#[test]
fn the_variable_columns_sets_the_width() {
    let said = Command::new(env!("CARGO_BIN_EXE_patchodds"))
        .args(["compare", NETBSD])
        .env("COLUMNS", "48")
        .output()
        .expect("the program runs");
    let text = String::from_utf8(said.stdout).expect("the program writes UTF-8");
    let (width, line) = widest(&text);
    assert!((40..=48).contains(&width), "{width} columns: {line}");
}

const ESCAPE: char = '\u{1b}';
const TERMINAL: Streams =
    Streams { width: 80, out_is_terminal: true, err_is_terminal: true };

#[test]
fn colour_follows_the_option_before_the_terminal() {
    let coloured = |streams, when: &str| {
        let said = patchodds_on(streams, &["compare", NETBSD, "--color", when]);
        said.out.contains(ESCAPE)
    };
    assert!(coloured(PIPED, "always"));
    assert!(!coloured(PIPED, "auto"));
    assert!(!coloured(TERMINAL, "never"));
    let said = patchodds_on(TERMINAL, &["compare", "--color", "never"]);
    assert!(!said.err.contains(ESCAPE));
}

/// Set in the child that [`no_color_turns_colour_off_on_a_terminal`] starts.
const EXPECT_COLOUR: &str = "PATCHODDS_TEST_EXPECTS_COLOUR";

/// A test may not change its own environment, so it runs itself again in another one.
#[test]
fn no_color_turns_colour_off_on_a_terminal() {
    if let Ok(expected) = std::env::var(EXPECT_COLOUR) {
        let said = patchodds_on(TERMINAL, &["models"]);
        assert_eq!(said.ending, Ending::Done);
        let said = patchodds_on(TERMINAL, &["compare", NETBSD, "--quiet"]);
        assert_eq!(said.out.contains(ESCAPE), expected == "yes");
        return;
    }
    let again = |no_color: &str, term: &str, expected: &str| {
        let myself = std::env::current_exe().expect("the path of this test");
        let status = Command::new(myself)
            .args(["--exact", "cli::no_color_turns_colour_off_on_a_terminal"])
            .env("NO_COLOR", no_color)
            .env("TERM", term)
            .env(EXPECT_COLOUR, expected)
            .output()
            .expect("this test runs again");
        assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stdout));
    };
    again("", "xterm", "yes");
    again("1", "xterm", "no");
    again("", "dumb", "no");
}

#[test]
fn saved_draws_read_back_as_the_posterior_that_was_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("draws.csv");
    let target = path.to_string_lossy().into_owned();
    let result = json(&["compare", NETBSD, "--save-draws", &target]);
    let mut table = csv::Reader::from_path(&path).expect("a table");
    let names: Vec<String> =
        table.headers().expect("a header").iter().map(str::to_owned).collect();
    assert_eq!(names[..3], [".chain", ".iteration", ".draw"]);
    for name in ["mean[without]", "mean[with]", "sd[without]", "sd[with]", "noise"] {
        assert!(names.iter().any(|known| known == name), "{name} is not in {names:?}");
    }
    let column = names.iter().position(|name| name == "difference").expect("a column");
    let mut differences = Vec::new();
    for (i, row) in table.records().enumerate() {
        let row = row.expect("a row");
        let counts: Vec<usize> =
            (0..3).map(|at| row[at].parse().expect("1 …")).collect();
        assert_eq!(counts, [i / 1000 + 1, i % 1000 + 1, i + 1]);
        differences.push(row[column].parse::<f64>().expect("a number"));
    }
    assert_eq!(differences.len(), 4000);
    // The same numbers summed in another order: 1e-12 is rounding.
    let mean = differences.iter().sum::<f64>() / 4000.0;
    let reported = &result["comparisons"][0]["posterior"]["difference"]["mean"];
    let reported = reported.as_f64().expect("a number");
    assert!((mean / reported - 1.0).abs() < 1e-12, "{mean} against {reported}");
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(left.len(), 1, "nothing else is left behind");
}

#[test]
fn a_folder_of_draws_holds_one_file_for_each_fit_and_says_which() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = folder.path().join("runs.csv");
    std::fs::write(&table, "old,new,a/b c\n1,2,3\n1.1,2.2,3.1\n1.2,2.1,3.2\n")
        .expect("a writable file");
    let fits = folder.path().join("fits");
    let target = format!("csv:{}/", fits.display());
    let table = table.to_string_lossy().into_owned();
    json(&["compare", &table, "--save-draws", &target]);
    let index = std::fs::read_to_string(fits.join("index.json")).expect("an index");
    let index: serde_json::Value = serde_json::from_str(&index).expect("JSON");
    assert_eq!(index["schema"], "patchodds/draws/1");
    let listed = index["fits"].as_array().expect("a list");
    let candidates: Vec<&str> =
        listed.iter().filter_map(|fit| fit["candidate"].as_str()).collect();
    assert_eq!(candidates, ["new", "a/b c"]);
    for fit in listed {
        let file = fit["file"].as_str().expect("a name");
        let header = std::fs::read_to_string(fits.join(file)).expect("a table");
        let column = format!("mean[{}]", fit["candidate"].as_str().expect("a label"));
        assert!(header.lines().next().is_some_and(|line| line.contains(&column)));
    }
    assert_eq!(std::fs::read_dir(&fits).expect("a folder").count(), 3);
}

#[test]
fn standard_input_can_be_one_of_the_variants() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_patchodds"))
        .args(["compare", "examples/netbsd/throughput-without.txt", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"152.0\n153.4\n153.7\n").expect("a reader");
    drop(stdin);
    let ended = child.wait_with_output().expect("the program ends");
    assert_eq!(ended.status.code(), Some(0));
    let text = String::from_utf8(ended.stdout).expect("the program writes UTF-8");
    assert!(text.contains("stdin − throughput-without"), "{text}");
}

#[test]
fn what_was_left_out_or_is_too_little_stands_beside_the_result() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_string_lossy().into_owned()
    };
    let hyperfine = |codes: &str| {
        format!(
            r#"{{"results": [{{"command": "sort", "mean": 1.0, "times": [1.0, 1.1, 1.2, 9.0],
                "exit_codes": {codes}}}]}}"#
        )
    };
    let old = write("old.json", &hyperfine("[0, 0, 0, 0]"));
    let new = write("new.json", &hyperfine("[0, 0, 0, 1]"));
    let text = patchodds(&["compare", &old, &new]).out;
    let tail = text.split_once("left out in reading:\n").expect("a list").1;
    let tail: String = tail.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(tail.starts_with("1 × runs of `sort` of "), "{tail}");
    assert!(tail.contains("the command failed: its exit code is not 0"), "{tail}");
    let skipped = &json(&["compare", &old, &new])["skipped"];
    assert_eq!(skipped[0]["path"], new.as_str());
    assert_eq!(
        (&skipped[0]["count"], &skipped[0]["routine"]),
        (&1.into(), &false.into())
    );
    // One series holds too little; the other is compared all the same.
    let table = "variant,benchmark,value\na,x,1\nb,x,2\n\
                 a,y,1.0\na,y,1.1\na,y,1.2\nb,y,2.0\nb,y,2.1\nb,y,2.2\n";
    let both = json(&["compare", &write("both.csv", table)]);
    assert_eq!(both["comparisons"].as_array().map(Vec::len), Some(1));
    assert_eq!(both["unmatched"][0], "`x` of `b`: each variant has one run only");
    let one = write("one.csv", "variant,benchmark,value\na,x,1\nb,x,2\n");
    assert_eq!(patchodds(&["compare", &one]).ending, Ending::Failed);
}
