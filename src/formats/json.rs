//! JSON as benchmark tools write it: lenient where they are, a line in every error.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde_json::Value;
use serde_json::error::Category;

use super::File;
use crate::error::Error;

/// Reads a whole file; `tool` is who should have written it.
///
/// Bare `NaN` and `Infinity`, which JSON does not know, are read as `null`.
pub(super) fn parse<T: DeserializeOwned>(
    file: &File<'_>,
    tool: &str,
) -> Result<T, Error> {
    lenient(file.text).map_err(|error| refusal(file, tool, &error))
}

/// Reads JSON, and what would be JSON with `null` for its bare `NaN`.
fn lenient<T: DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    match serde_json::from_str(text) {
        Err(error) if error.is_syntax() => match without_literals(text) {
            Some(text) => serde_json::from_str(&text),
            None => Err(error),
        },
        parsed => parsed,
    }
}

/// Reads one line of a file of JSON lines.
pub(super) fn parse_line<T: DeserializeOwned>(
    text: &str,
    tool: &str,
) -> Result<T, Fault> {
    lenient(text).map_err(|error| Fault::of(tool, &error))
}

fn refusal(file: &File<'_>, tool: &str, error: &serde_json::Error) -> Error {
    Fault::of(tool, error).at(file.path, error.line().max(1))
}

/// What is wrong with some JSON, wherever that stands.
#[derive(Debug)]
pub(super) struct Fault {
    what: String,
    hint: &'static str,
}

impl Fault {
    fn of(tool: &str, error: &serde_json::Error) -> Self {
        let message = error.to_string();
        let what = message.rfind(" at line ").map_or(&*message, |end| &message[..end]);
        let (what, hint) = match error.classify() {
            Category::Eof => (
                "the JSON ends in the middle: the file was cut off".to_owned(),
                "write it again, or copy all of it; nothing of a cut file is read",
            ),
            Category::Syntax | Category::Io => (
                format!("this is no JSON: {what}"),
                "give the file as the tool wrote it, without text before or after",
            ),
            Category::Data => (
                format!("this is not as {tool} writes it: {what}"),
                "give the file as the tool wrote it",
            ),
        };
        Self { what, hint }
    }

    /// An error in a line of a file.
    pub(super) fn at(self, path: &str, line: usize) -> Error {
        Error::new(self.what).at_line(path, line).with_hint(self.hint)
    }
}

/// The text with `null` for each bare `NaN`, `inf` or `-Infinity`; `None` without any.
fn without_literals(text: &str) -> Option<String> {
    let mut clean = String::with_capacity(text.len());
    let mut kept = 0;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'"' {
            at = string_end(bytes, at);
            continue;
        }
        let signed = usize::from(matches!(bytes[at], b'-' | b'+'));
        let letters =
            bytes[at + signed..].iter().take_while(|b| b.is_ascii_alphabetic());
        let end = at + signed + letters.count();
        let word = bytes[at + signed..end].to_ascii_lowercase();
        if matches!(word.as_slice(), b"nan" | b"inf" | b"infinity") {
            clean.push_str(&text[kept..at]);
            clean.push_str("null");
            kept = end;
        }
        at = end.max(at + 1);
    }
    clean.push_str(&text[kept..]);
    (kept > 0).then_some(clean)
}

/// The place after the string that begins at `at`.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < bytes.len() {
        match bytes[end] {
            b'"' => return end + 1,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
    bytes.len()
}

/// A number where tools also write `null`, `"NaN"` or digits in quotes; `None` when
/// there is no finite one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Number(pub(super) Option<f64>);

impl<'de> serde::Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_f64<E>(self, value: f64) -> Result<Number, E> {
        Ok(Number(Some(value).filter(|value| value.is_finite())))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Number, E> {
        Ok(Number(Some(value as f64)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Number, E> {
        Ok(Number(Some(value as f64)))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Number, E> {
        match text.trim().parse::<f64>() {
            Ok(value) => self.visit_f64(value),
            Err(_) => Ok(Number(None)),
        }
    }

    fn visit_unit<E>(self) -> Result<Number, E> {
        Ok(Number(None))
    }
}

/// A value as text: a string without its quotes.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::Array(_)
        | Value::Object(_) => value.to_string(),
    }
}

/// How much of a file is looked at to tell whose it is.
const HEAD: usize = 1 << 16;

/// Which keys the head of a file has, by their path: `results[].command`.
#[derive(Debug)]
pub(super) struct Outline(BTreeSet<String>);

impl Outline {
    /// That of a text; empty when it does not begin like JSON.
    pub(super) fn of(text: &str) -> Self {
        let mut keys = BTreeSet::new();
        let text = text.trim_start();
        if text.starts_with(['{', '[']) {
            collect_keys(&text.as_bytes()[..text.len().min(HEAD)], &mut keys);
        }
        Self(keys)
    }

    /// Whether it has all these keys.
    pub(super) fn has(&self, paths: &[&str]) -> bool {
        paths.iter().all(|path| self.0.contains(*path))
    }

    /// Whether there is such a key somewhere inside.
    pub(super) fn mentions(&self, key: &str) -> bool {
        self.0.iter().any(|path| {
            path.strip_suffix(key).is_some_and(|before| before.ends_with('.'))
        })
    }

    /// The keys of the outermost object, or of those in the outermost list.
    pub(super) fn top(&self) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .map(|path| path.strip_prefix("[].").unwrap_or(path))
            .filter(|path| !path.contains(['.', '[']))
    }
}

fn collect_keys(bytes: &[u8], keys: &mut BTreeSet<String>) {
    /// How deep keys are kept.
    const DEPTH: usize = 5;
    let mut path = String::new();
    // How long the path is outside of each open bracket, and inside of it.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let inside = open.last().map_or(0, |(_, inside)| *inside);
        match bytes[at] {
            b'"' => {
                let end = string_end(bytes, at);
                let blanks =
                    bytes[end..].iter().take_while(|b| b.is_ascii_whitespace());
                let next = end + blanks.count();
                if bytes.get(next) == Some(&b':') && open.len() <= DEPTH {
                    let key = String::from_utf8_lossy(&bytes[at + 1..end - 1]);
                    path.truncate(inside);
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(&key);
                    keys.insert(path.clone());
                }
                at = end;
                continue;
            }
            b'{' => open.push((path.len(), path.len())),
            b'[' => {
                let outside = path.len();
                path.push_str("[]");
                open.push((outside, path.len()));
            }
            b'}' | b']' => path.truncate(open.pop().map_or(0, |(outside, _)| outside)),
            b',' => path.truncate(inside),
            _ => {}
        }
        at += 1;
    }
}

/// Tools whose JSON is known and not read, by a key that is theirs.
const NOT_READ: [(&str, &[&str]); 2] =
    [("flent", &["metadata", "x_values"]), ("mitata", &["benchmarks", "layout"])];

/// The tool that a JSON file of no format that is read looks like.
pub(super) fn tool_not_read(outline: &Outline) -> Option<&'static str> {
    NOT_READ.iter().find(|(_, keys)| outline.has(keys)).map(|(tool, _)| *tool)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Vec<Number>, String> {
        parse(&File { path: "f", text }, "it").map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_no_finite_number_is_none_however_it_is_written() {
        let text =
            "[1, 2.5, \"3\", NaN, -Infinity, inf, null, \"NaN\", \"+INF\", \"…\"]";
        let expected = [Some(1.0), Some(2.5), Some(3.0)];
        let values: Vec<_> =
            parsed(text).expect("a list").iter().map(|number| number.0).collect();
        assert_eq!(values[..3], expected);
        assert_eq!(values[3..], [None; 7]);
    }

    #[test]
    fn literals_inside_of_strings_stay() {
        assert_eq!(
            without_literals(r#"{"NaN \" NaN": NaN}"#).as_deref(),
            Some(r#"{"NaN \" NaN": null}"#)
        );
        assert_eq!(without_literals("µNaN"), Some("µnull".to_owned()));
        assert_eq!(without_literals(r#"{"a": "Infinity"}"#), None);
    }

    #[test]
    fn an_error_names_its_line() {
        let cut = "f:2: the JSON ends in the middle: the file was cut off";
        assert_eq!(parsed("[1,\n2"), Err(cut.to_owned()));
        assert_eq!(
            parsed("[1,\n}"),
            Err("f:2: this is no JSON: expected value".into())
        );
        let other = parsed("[1,\n{}]").expect_err("no number");
        assert!(other.starts_with("f:2: this is not as it writes it: "), "{other}");
    }

    #[test]
    fn the_outline_gives_keys_by_their_path() {
        let outline =
            Outline::of(r#" [{"a": {"b": [1, {"c": "d:"}]}, "e" : 1}, {"f": "#);
        for path in ["[].a", "[].a.b", "[].a.b[].c", "[].e", "[].f"] {
            assert!(outline.has(&[path]), "{path} in {outline:?}");
        }
        assert_eq!(outline.top().collect::<Vec<_>>(), ["a", "e", "f"]);
        assert!(Outline::of("1\n2\n").0.is_empty());
    }
}
