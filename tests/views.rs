//! What is drawn and written for people to look at: pictures, the page, the comment, the
//! tables; none of it breaks on a name, on its length, or on how many there are.

use std::fmt::Write as _;

use patchodds::analysis::{Analysis, Settings, analyse};
use patchodds::data::{
    Dataset, Direction, DirectionSource, Measurements, Metric, Sample, Series, Variant,
};
use patchodds::plot::{self, KINDS, Mark, Scene, Subject};
use patchodds::report::{self, Made};

/// Names that mean something to HTML, Markdown, XML or CSV.
const HOSTILE: [&str; 6] = [
    "<script>alert(1)</script>",
    "a|b\n\"c\" & 'd'",
    "`code` *bold* _under_ [link](https://example.com) @user #1",
    "]]> <!-- --> --",
    "=1+1",
    "\u{1}\u{7}\u{202e}right to left",
];

fn measured(shift: f64) -> Measurements {
    let runs = [0.3, -0.2, 0.1, 0.4, -0.5].map(|noise| 100.0 + shift + noise);
    Measurements::Runs(Sample::new(runs.to_vec()).expect("finite runs"))
}

fn series(name: &str, labels: [&str; 2], shift: f64) -> Series {
    let variants = labels.into_iter().zip([0.0, shift]).map(|(label, shift)| Variant {
        label: label.into(),
        measurements: measured(shift),
        sources: vec!["runs.csv".into()],
    });
    Series {
        benchmark: Some(name.into()),
        metric: Metric {
            name: Some("time".into()),
            unit: Some("ms".into()),
            direction: Direction::LowerIsBetter,
            direction_source: DirectionSource::Option,
        },
        variants: variants.collect(),
    }
}

fn dataset(series: Vec<Series>) -> Dataset {
    let mut dataset = Dataset::default();
    dataset.series = series;
    dataset
}

fn analysed(dataset: &Dataset) -> Analysis {
    let mut settings = Settings::default();
    // Few draws: it is not the numbers that are looked at.
    (settings.chains, settings.draws, settings.tune) = (2, 600, 200);
    settings.every_group = dataset.series.len() == 1;
    analyse(dataset, &settings).expect("comparisons")
}

/// Many comparisons out of one, which is sampled once.
fn many(count: usize, name: impl Fn(usize) -> String) -> (Dataset, Analysis) {
    let data = dataset(vec![series("one", ["before", "after"], 3.0)]);
    let mut analysis = analysed(&data);
    let one = analysis.comparisons.remove(0);
    let named = |i| {
        let mut copy = one.clone();
        copy.benchmark = Some(name(i));
        copy
    };
    analysis.comparisons = (0..count).map(named).collect();
    (data, analysis)
}

fn page(dataset: &Dataset, analysis: &Analysis) -> String {
    let command = ["patchodds".to_owned(), "<b>".to_owned()];
    let inputs = [("<i>.csv".to_owned(), "00ff".to_owned())];
    let made = Made { command: &command, inputs: &inputs };
    report::html(&Subject { dataset, analysis }, &made)
}

fn hostile() -> (Dataset, Analysis) {
    let named = HOSTILE.iter().enumerate().map(|(i, name)| {
        series(name, ["before", HOSTILE[(i + 1) % HOSTILE.len()]], 3.0)
    });
    let data = dataset(named.collect());
    let analysis = analysed(&data);
    (data, analysis)
}

/// Every kind of picture of one comparison, and that of several.
fn scenes(dataset: &Dataset, analysis: &Analysis) -> Vec<(&'static str, Scene)> {
    let subject = Subject { dataset, analysis };
    let scenes = KINDS
        .iter()
        .filter_map(|kind| kind.scene(&subject).ok().map(|scene| (kind.name, scene)));
    scenes.collect()
}

fn overlap(a: [f64; 4], b: [f64; 4]) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// Texts in a scene that touch one another or leave the picture.
fn misplaced(scene: &Scene) -> Vec<String> {
    let texts: Vec<(&str, [f64; 4])> = scene
        .marks
        .iter()
        .filter_map(|mark| match mark {
            Mark::Text { text, .. } => Some((text.as_str(), mark.text_box()?)),
            Mark::Line { .. } | Mark::Area { .. } | Mark::Dot { .. } => None,
        })
        .filter(|(text, _)| !text.is_empty())
        .collect();
    let mut found = Vec::new();
    for (i, (text, frame)) in texts.iter().enumerate() {
        let [left, top, right, bottom] = *frame;
        if left < 0.0 || top < 0.0 || right > scene.width || bottom > scene.height {
            found.push(format!("`{text}` leaves the picture: {frame:?}"));
        }
        for (other, box_of_other) in &texts[i + 1..] {
            if overlap(*frame, *box_of_other) {
                found.push(format!("`{text}` touches `{other}`"));
            }
        }
    }
    found
}

#[test]
fn no_text_of_a_picture_touches_another_at_any_length_of_label() {
    for length in [1, 12, 40, 300] {
        let long = |c: char| c.to_string().repeat(length);
        let (name, labels) = (long('W'), [long('M'), long('m')]);
        let one = series(&name, [labels[0].as_str(), labels[1].as_str()], 0.4);
        let data = dataset(vec![one]);
        let analysis = analysed(&data);
        let scenes = scenes(&data, &analysis);
        assert_eq!(scenes.len(), KINDS.len(), "every kind draws one comparison");
        for (kind, scene) in scenes {
            assert_eq!(misplaced(&scene), [""; 0], "{kind} at {length}");
        }
    }
}

#[test]
fn forests_of_any_size_keep_their_words_apart() {
    for count in [2, 40, 300] {
        let (data, analysis) = many(count, |i| format!("bench/{i}/{}", "x".repeat(i)));
        let forest = plot::kind(Some("forest"), count).expect("a kind");
        let scene = forest
            .scene(&Subject { dataset: &data, analysis: &analysis })
            .expect("rows");
        assert_eq!(misplaced(&scene), [""; 0], "{count} rows");
    }
}

/// A renderer without the font drops words and says nothing, so ink is looked for where
/// each word should be.
#[cfg(feature = "png")]
#[test]
fn every_word_of_a_picture_leaves_ink_in_its_png() {
    let data = dataset(vec![series("parse", ["before", "after"], 0.4)]);
    let analysis = analysed(&data);
    for (kind, scene) in scenes(&data, &analysis) {
        let png = plot::png(&scene).expect("a picture");
        let picture = resvg::tiny_skia::Pixmap::decode_png(&png).expect("a PNG");
        let scale = f64::from(picture.width()) / scene.width;
        for mark in &scene.marks {
            let (Mark::Text { text, .. }, Some(frame)) = (mark, mark.text_box()) else {
                continue;
            };
            let [left, top, right, bottom] = frame.map(|side| (side * scale) as u32);
            let dark =
                |x, y| picture.pixel(x, y).is_some_and(|pixel| pixel.red() < 0x60);
            let ink = (top..bottom).any(|y| (left..right).any(|x| dark(x, y)));
            assert!(ink || text.trim().is_empty(), "{kind}: no ink for `{text}`");
        }
    }
}

#[test]
fn pictures_are_xml_whatever_the_names() {
    let (data, analysis) = hostile();
    for (kind, scene) in scenes(&data, &analysis) {
        let text = plot::document(&scene);
        assert!(!text.contains("<script"), "{kind}");
        resvg::usvg::Tree::from_str(&text, &resvg::usvg::Options::default())
            .unwrap_or_else(|error| panic!("{kind}: {error}"));
    }
}

/// Tags, in order, of what is between `<` and `>`; text is gone.
fn tags(html: &str) -> Vec<&str> {
    html.split('<').skip(1).filter_map(|part| part.split('>').next()).collect()
}

#[test]
fn names_bring_no_elements_into_the_page() {
    let (data, analysis) = hostile();
    let page = page(&data, &analysis);
    assert_eq!(page.matches("<script").count(), 1, "our own");
    assert!(page.contains("&#60;script&#62;alert(1)&#60;/script&#62;"));
    assert!(page.contains("<pre>patchodds &#60;b&#62;</pre>"));
    assert!(page.contains("00ff  &#60;i&#62;.csv"));
    for own in ["a|b", "alert(1)", "]]&#62;"] {
        assert!(page.contains(own), "`{own}` is not shown");
    }
    assert!(!page.contains(['\u{1}', '\u{7}']));
    // The same page with tame names has the same elements.
    let tame = HOSTILE.iter().map(|_| series("tame", ["before", "after"], 3.0));
    let tame = dataset(tame.collect());
    let elements = |page: &str| -> Vec<String> {
        let body = page.split_once("<body>").expect("a body").1;
        let body = body.split_once("<script>").expect("our own").0;
        let names = tags(body)
            .into_iter()
            .map(|tag| tag.split([' ', '\n']).next().unwrap_or_default().to_owned());
        names.filter(|name| !name.ends_with("code")).collect()
    };
    assert_eq!(elements(&page), elements(&self::page(&tame, &analysed(&tame))));
}

#[test]
fn the_page_asks_for_nothing_from_outside_and_says_what_it_was_made_of() {
    let data = dataset(vec![series("parse", ["before", "after"], 3.0)]);
    let page = page(&data, &analysed(&data));
    for outside in ["src=", "href=", "url(", "@import", "http:"] {
        let found = page.replace("http://www.w3.org/2000/svg", "").contains(outside);
        assert!(!found, "`{outside}` in the page");
    }
    assert!(page.starts_with("<!doctype html>\n<html lang=\"en\">"));
    assert!(page.contains("<caption>") || page.contains("<th scope=\"row\">"));
    assert_eq!(page.matches("<h1>").count(), 1);
    assert_eq!(page.matches("<title>").count(), 1 + page.matches("<svg").count());
    assert!(page.contains(&format!("patchodds {}", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn a_forest_plot_shows_both_ends_of_every_interval() {
    // So little noise that there are three decimal places to show.
    let mut quiet = series("quiet", ["before", "after"], 0.0);
    for (variant, mean) in quiet.variants.iter_mut().zip([100.0, 89.3]) {
        let runs = (0..6).map(|i| mean + 0.05 * f64::from(i)).collect();
        variant.measurements = Measurements::Runs(Sample::new(runs).expect("runs"));
    }
    let data = dataset(vec![quiet, series("noisy", ["before", "after"], -9.0)]);
    let analysis = analysed(&data);
    let kind = KINDS.iter().find(|kind| kind.name == "forest").expect("a kind");
    let subject = Subject { dataset: &data, analysis: &analysis };
    let scene = kind.scene(&subject).expect("a plot");
    let values = scene.marks.iter().filter_map(|mark| match mark {
        Mark::Text { text, .. } if text.contains('…') => Some(text.as_str()),
        _ => None,
    });
    let values: Vec<&str> = values.collect();
    assert_eq!(values.len(), 2, "{values:?}");
    for value in values {
        let numbers = value.split([' ', '(', ')', '…']).filter(|part| !part.is_empty());
        let numbers: Vec<&str> = numbers.collect();
        let whole = |number: &&str| number.replace('−', "-").parse::<f64>().is_ok();
        assert!(numbers.len() == 3 && numbers.iter().all(whole), "{value}");
    }
}

#[test]
fn two_thousand_comparisons_make_a_page_of_some_megabytes() {
    let (data, analysis) = many(2000, |i| format!("bench/{i}"));
    let page = page(&data, &analysis);
    // A row for each in the table, and forty told in full.
    assert_eq!(page.matches("<th scope=\"row\">bench/").count(), 2000);
    assert_eq!(page.matches("<section").count(), 40);
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
}

/// GitHub takes 65,536 characters for a comment.
#[test]
fn a_comment_fits_github_with_a_thousand_comparisons_of_long_names() {
    for count in [1, 3, 1000] {
        let (_, analysis) =
            many(count, |i| format!("bench/{i}/{}", "long&|".repeat(60)));
        let comment = report::markdown(&analysis);
        let length = comment.chars().count();
        assert!(length <= 65_536, "{length} characters of {count} comparisons");
        assert!(comment.starts_with("### "));
        assert_eq!(
            comment.matches("<details>").count(),
            comment.matches("</details>").count()
        );
        let rows = comment.lines().filter(|line| line.starts_with("| 🔺")).count();
        assert!(rows >= count.min(50), "{rows} rows of {count}");
        if rows < count {
            assert!(comment.contains(&format!("{} more do not fit", count - rows)));
        }
    }
}

#[test]
fn names_bring_no_structure_into_the_comment() {
    let (_, analysis) = hostile();
    let comment = report::markdown(&analysis);
    assert!(!comment.contains("<script"));
    assert!(!comment.contains("@user") && !comment.contains("#1 "));
    for row in comment.lines().filter(|line| line.starts_with("| ")) {
        // Eight cells, so nine bars, escaped ones not counted.
        assert_eq!(row.matches('|').count(), 9, "{row}");
    }
}

/// Fields as RFC 4180 has them, read back by the crate `csv`.
#[test]
fn the_table_for_spreadsheets_has_a_row_for_each_comparison_and_the_numbers_of_json() {
    let (_, analysis) = hostile();
    let text = report::csv(&analysis);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let column =
        |name: &str| header.iter().position(|one| one == name).expect("a column");
    let json: serde_json::Value =
        serde_json::from_str(&report::json(&analysis, &[])).expect("JSON");
    let rows: Vec<csv::StringRecord> =
        reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), HOSTILE.len());
    for ((row, name), one) in
        rows.iter().zip(HOSTILE).zip(json["comparisons"].as_array().expect("a list"))
    {
        assert_eq!(row[column("benchmark")].trim_start_matches('\''), name);
        for (cell, value) in [
            ("baseline_mean", &one["baseline"]["mean"]),
            ("difference", &one["posterior"]["difference"]["median"]),
            ("difference_low", &one["posterior"]["difference"]["eti"][0]),
            ("p_slower", &one["probability"]["slower"]),
            ("p_slower_by_margin", &one["probability"]["slower_by_margin"]),
            ("welch_p", &one["tests"]["welch"]["p"]),
        ] {
            let cell: f64 = row[column(cell)].parse().expect("a number");
            assert_eq!(Some(cell), value.as_f64());
        }
    }
}

/// A failure where the verdict is `slower`, and no other.
#[test]
fn junit_counts_what_is_slower_as_a_failure() {
    let shifts = [("slow", 3.0), ("same", 0.0), ("fast", -3.0)];
    let mut all: Vec<Series> = shifts
        .iter()
        .map(|(name, by)| series(name, ["before", "after"], *by))
        .collect();
    let mut guessed = series("guessed", ["before", "after"], 3.0);
    guessed.metric.direction_source = DirectionSource::Assumed;
    all.push(guessed);
    all.push(series(HOSTILE[0], ["before", HOSTILE[1]], 3.0));
    let xml = report::junit(&analysed(&dataset(all)));
    let tree = resvg::usvg::roxmltree::Document::parse(&xml).expect("well-formed XML");
    let suite =
        tree.descendants().find(|one| one.has_tag_name("testsuite")).expect("one");
    assert_eq!(suite.attribute("tests"), Some("5"));
    assert_eq!(suite.attribute("failures"), Some("2"));
    assert_eq!(suite.attribute("errors"), Some("1"), "the direction is a guess");
    let mut outcomes = String::new();
    for case in tree.descendants().filter(|one| one.has_tag_name("testcase")) {
        let what = case
            .children()
            .find(resvg::usvg::roxmltree::Node::is_element)
            .expect("an outcome");
        let name = case.attribute("name").expect("a name");
        writeln!(outcomes, "{name}: {}", what.tag_name().name()).expect("memory");
    }
    assert_eq!(
        outcomes,
        "slow: time: failure\nsame: time: system-out\nfast: time: system-out\n\
         guessed: time: error\n<script>alert(1)</script>: time: failure\n"
    );
}

#[test]
fn runs_as_dots_are_one_each_on_one_scale_in_any_terminal() {
    let data = dataset(vec![series(&"W".repeat(90), ["before", "after"], 0.4)]);
    let analysis = analysed(&data);
    let subject = Subject { dataset: &data, analysis: &analysis };
    for width in [20, 48, 80, 300] {
        let text = report::dots(&subject, width);
        assert_eq!(text.matches('•').count(), 10, "five runs of each variant");
        let rows = text.lines().skip(2);
        assert!(
            rows.map(|row| row.chars().count()).all(|row| row <= width.clamp(48, 80))
        );
    }
    // The smallest run of all stands in the first column, the largest in the last.
    let text = report::dots(&subject, 80);
    let column = |row: &str, last: bool| {
        let mut places = row
            .char_indices()
            .filter(|(_, c)| *c == '•')
            .map(|(at, _)| row[..at].chars().count());
        if last { places.next_back() } else { places.next() }
    };
    let rows: Vec<&str> = text.lines().filter(|row| row.contains('•')).collect();
    assert_eq!(rows.iter().filter_map(|row| column(row, false)).min(), Some(10));
    assert_eq!(rows.iter().filter_map(|row| column(row, true)).max(), Some(79));
    assert!(text.contains("99.5") && text.contains("100.80 ms"), "{text}");
}
