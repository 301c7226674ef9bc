//! The commands in README.md and docs/ print what these documents say.
//!
//! Words must agree. Numbers that come out of draws may differ between processors in
//! their last digits, which after many steps makes other draws: a number shown may be
//! four units of its last place off, since the program never shows a place finer than
//! the MCSE. A line `...` stands for whatever comes there. With `BLESS=1` in the
//! environment the test writes the output into the documents instead.

use std::fs;
use std::path::{Path, PathBuf};

use super::patchodds;

/// One command of a `console` block.
struct Command {
    /// Its words, without `patchodds`.
    args: Vec<String>,
    code: u8,
    /// Lines of the document that hold its output.
    lines: std::ops::Range<usize>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("a readable document")
}

fn documents() -> Vec<PathBuf> {
    let root = root();
    let mut all = vec![root.join("README.md")];
    let docs = fs::read_dir(root.join("docs")).expect("a folder");
    all.extend(docs.map(|entry| entry.expect("an entry").path()));
    all.retain(|path| path.extension().is_some_and(|suffix| suffix == "md"));
    all.sort();
    all
}

/// Words as a shell takes them apart, quotes and nothing else.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        let word = words.last_mut().expect("it starts with one");
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c.is_whitespace() => words.push(String::new()),
            Some(_) | None => word.push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The commands of a document; blocks that are not `console`, and commands of other
/// programs, are for the reader.
fn commands(lines: &[&str]) -> Vec<Command> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if lines[at] != "```console" {
            at += 1;
            continue;
        }
        at += 1;
        while lines[at] != "```" {
            let Some(typed) = lines[at].strip_prefix("$ patchodds ") else {
                at += 1;
                continue;
            };
            let mut typed = typed.trim_end_matches('\\').to_owned();
            at += 1;
            while let Some(more) = lines[at].strip_prefix("> ") {
                typed += " ";
                typed += more.trim_end_matches('\\');
                at += 1;
            }
            let code = lines[at].strip_prefix("? ").map(|code| {
                at += 1;
                code.parse().expect("an exit code")
            });
            let start = at;
            while lines[at] != "```" && !lines[at].starts_with("$ ") {
                at += 1;
            }
            let lines = start..at;
            found.push(Command { args: words(&typed), code: code.unwrap_or(0), lines });
        }
    }
    found
}

/// A number in a token, with what is around it: `(+0.4` is `(`, +0.4.
struct Number<'a> {
    before: &'a str,
    after: &'a str,
    value: f64,
    /// One unit of the last place.
    unit: f64,
}

fn number(token: &str) -> Option<Number<'_>> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '−');
    let start = token.find(is_part)?;
    let end = token.rfind(|c: char| c.is_ascii_digit())? + 1;
    let text = token.get(start..end)?.replace('−', "-").replace(',', "");
    let value: f64 = text.parse().ok()?;
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let places = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len());
    let exponent: i32 = exponent.parse().ok()?;
    let unit = 10_f64.powi(exponent - i32::try_from(places).ok()?);
    Some(Number { before: &token[..start], after: &token[end..], value, unit })
}

/// Values of the JSON output have all their digits; of these two hold.
const EXACT_PLACES: f64 = 1e-6;

fn agree(shown: &str, said: &str, next: Option<&str>) -> bool {
    if shown == said {
        return true;
    }
    let (Some(shown), Some(said)) = (number(shown), number(said)) else { return false };
    if (shown.before, shown.after) != (said.before, said.after) {
        return false;
    }
    let off = (shown.value - said.value).abs();
    let unit = shown.unit.max(said.unit);
    let odds = next == Some(":");
    if odds || unit < EXACT_PLACES {
        // Odds of 100 : 1 rest on some forty draws.
        let share = if odds { 0.5 } else { 0.2 };
        return off <= share * shown.value.abs();
    }
    off <= 4.0 * unit * (1.0 + 1e-9)
}

/// Words and numbers; how lines break, and the strip of the density, say nothing more.
fn tokens(text: &str) -> Vec<String> {
    let drawn = |c: char| ('▁'..='█').contains(&c) || c == '─';
    let words = text.split(|c: char| c.is_whitespace() || drawn(c));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn agree_at(shown: &[String], said: &[String]) -> bool {
    shown.len() <= said.len()
        && shown.iter().zip(said).enumerate().all(|(i, (shown_one, said_one))| {
            agree(shown_one, said_one, shown.get(i + 1).map(String::as_str))
        })
}

/// Whether the output is what is shown, any number of tokens at each `...`.
fn is_shown(shown: &str, said: &str) -> bool {
    let said = tokens(said);
    let parts: Vec<Vec<String>> = shown
        .split_inclusive('\n')
        .collect::<Vec<_>>()
        .split(|line| line.trim() == "...")
        .map(|lines| tokens(&lines.concat()))
        .collect();
    let last = parts.len() - 1;
    let mut at = 0;
    for (i, part) in parts.iter().enumerate() {
        let mut starts = match (i, last) {
            (0, _) => 0..1,
            (_, _) if i == last && !part.is_empty() => {
                let start = said.len().saturating_sub(part.len()).max(at);
                start..start + 1
            }
            _ => at..said.len() + 1,
        };
        let Some(start) =
            starts.find(|start| agree_at(part, said.get(*start..).unwrap_or_default()))
        else {
            return false;
        };
        at = start + part.len();
    }
    parts[last].is_empty() && last > 0 || at == said.len()
}

#[test]
fn every_command_in_the_documents_prints_what_they_say() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    for path in documents() {
        let text = fs::read_to_string(&path).expect("a readable document");
        let lines: Vec<&str> = text.lines().collect();
        let mut blessed: Vec<String> =
            lines.iter().map(|line| (*line).to_owned()).collect();
        for command in commands(&lines).into_iter().rev() {
            let args: Vec<&str> = command.args.iter().map(String::as_str).collect();
            let said = patchodds(&args);
            let all = said.out + &said.err;
            let shown = lines[command.lines.clone()].join("\n");
            let place = format!("{}:{}", path.display(), command.lines.start);
            if said.ending.code() != command.code {
                wrong.push(format!("{place}: exit code {}", said.ending.code()));
            }
            if bless && !shown.lines().any(|line| line == "...") {
                let end = all.trim_end().lines().map(str::to_owned);
                blessed.splice(command.lines, end);
            } else if !is_shown(&shown, &all) {
                wrong.push(format!("{place}: shown:\n{shown}\nsaid:\n{all}"));
            }
        }
        if bless {
            fs::write(&path, blessed.join("\n") + "\n").expect("a writable document");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_first_command_of_the_readme_runs_the_program_and_the_second_its_tests() {
    let readme = readme();
    let lines: Vec<&str> = readme.lines().collect();
    let mut typed = lines.iter().filter(|line| line.starts_with("cargo "));
    let first = typed.next().expect("a first command");
    let (cargo, args) = first.split_once(" -- ").expect("arguments of the program");
    assert_eq!(cargo, "cargo run --release");
    assert_eq!(words(args), commands(&lines)[0].args, "the same, by its own name");
    assert_eq!(typed.next(), Some(&"cargo test"));
}

#[test]
fn every_table_in_the_readme_can_be_compared() {
    let readme = readme();
    let blocks = readme.split("```csv\n").skip(1);
    let folder = tempfile::tempdir().expect("a folder");
    let mut count = 0;
    for block in blocks {
        let (table, _) = block.split_once("```").expect("a closed block");
        let path = folder.path().join("runs.csv");
        fs::write(&path, table).expect("a writable file");
        let said = patchodds(&["compare", &path.to_string_lossy()]);
        assert_eq!(said.ending.code(), 0, "{table}{}", said.err);
        count += 1;
    }
    assert!(count >= 2, "a wide and a long table");
}

#[test]
fn a_wrong_word_or_a_number_too_far_off_is_found() {
    assert!(is_shown("slower  18 %\n", "slower 18 %\n"));
    assert!(is_shown("slower  18 %\n", "slower 21 %\n"));
    assert!(!is_shown("slower  18 %\n", "slower 23 %\n"));
    assert!(!is_shown("slower  18 %\n", "faster 18 %\n"));
    assert!(!is_shown("slower  18 %\n", "slower 18 % more\n"));
    assert!(is_shown("…  −2.0 … +3.2\n", "… −1.9 … +3.3\n"));
    assert!(!is_shown("…  −2.0 … +3.2\n", "… −2.0 … −3.2\n"));
    assert!(is_shown("odds are 100 : 1\n", "odds are 90 : 1\n"));
    assert!(is_shown("a\n...\nd\n", "a b c d\n"));
    assert!(is_shown("...\nb\n...\n", "a b c\n"));
    assert!(!is_shown("a\n...\nd\n", "a b c\n"));
    assert!(!is_shown("...\nx\n...\n", "a b c\n"));
}
