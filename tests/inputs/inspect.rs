//! What `inspect` says of files, in text and in JSON.

use std::path::Path;

use patchodds::data::{Selection, Source};
use patchodds::formats::{Input, read_sources};
use patchodds::report::{inspect_json, inspect_text};

fn sources(name: &str) -> Vec<Source> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/inputs");
    let input = Input::Word(folder.join(name).display().to_string());
    read_sources(&[input], &Selection::default()).expect(name)
}

#[test]
fn json_has_the_names_of_the_design() {
    let sources = sources("hyperfine/commands.json");
    let text = inspect_json(&sources, &Selection::default());
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["schema"], "patchodds/inspect/1");
    let file = &json["files"][0];
    assert_eq!(file["format"], "hyperfine");
    assert_eq!(file["comparable"], true);
    let time = serde_json::json!({
        "benchmark": null, "metric": "time", "unit": "s", "direction": "lower",
        "variants": [
            {"label": "old input", "invocations": 1, "runs": 3, "summary": false, "mean": 0.102},
            {"label": "new input", "invocations": 1, "runs": 2, "summary": false, "mean": 0.1115},
        ]
    });
    assert_eq!(file["benchmarks"][0], time);
    assert_eq!(file["skipped"][0]["count"], 2);
}

#[test]
fn one_variant_alone_is_fine_and_not_comparable() {
    let sources = sources("pyperf/suite.json");
    let text = inspect_json(&sources, &Selection::default());
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["files"][0]["comparable"], false);
    assert_eq!(json["files"][0]["benchmarks"][0]["variants"][0]["invocations"], 2);
}

#[test]
fn text_says_what_was_read_and_what_was_left_out() {
    let text = inspect_text(&sources("pyperf/suite.json"), &Selection::default());
    for part in [
        "(pyperf; one side of a comparison)",
        "parse: time",
        "4 in 2 invocations",
        "11.50",
        "4 × warm-up values: they are warm-up",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn what_a_published_spread_is_can_be_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mail.txt");
    let lines = "old: 100.0 ± 0.5 MB/s (9 runs)\nnew: 98.0 ± 0.6 MB/s (9 runs)\n";
    std::fs::write(&path, lines).expect("a writable folder");
    let input = [Input::Word(path.display().to_string())];
    for (spread, comparable) in [(None, false), (Some("sd"), true)] {
        let summary_spread = spread.map(|kind| kind.parse().expect("a kind"));
        let selection = Selection { summary_spread, ..Selection::default() };
        let sources = read_sources(&input, &selection).expect("a mail");
        let json: serde_json::Value =
            serde_json::from_str(&inspect_json(&sources, &selection)).expect("JSON");
        assert_eq!(json["files"][0]["comparable"], comparable);
    }
}
