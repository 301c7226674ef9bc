//! What went wrong, where, and what to do about it.

use std::fmt;

/// A place in the user's input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, as the user typed it; an argument or `stdin` where there is no file.
    pub file: String,
    /// The line, counted from 1, where one is to blame.
    pub line: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match self.line {
            Some(line) => write!(f, ":{line}"),
            None => Ok(()),
        }
    }
}

/// The line that is wrong, with the part to blame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The whole line as it stands in the file.
    pub text: String,
    /// Column of the first wrong character, counted from 0 in characters.
    pub start: usize,
    /// How many characters are wrong; at least 1.
    pub len: usize,
}

/// Something that could not be done: a sentence, its place and advice.
///
/// `Display` gives `FILE:LINE: sentence`, in lower case and without a full stop, the
/// user's own text in backticks; the line with its caret follows where there is one.
/// [`Error::hint`] says what to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    what: String,
    place: Option<Place>,
    excerpt: Option<Excerpt>,
    hint: Option<String>,
}

impl Error {
    /// An error with no place yet.
    pub fn new(what: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            what: what.into(),
            place: None,
            excerpt: None,
            hint: None,
        }))
    }

    /// Blames a whole file (or argument).
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.0.place = Some(Place { file: file.into(), line: None });
        self
    }

    /// Blames one line of a file, counted from 1.
    #[must_use]
    pub fn at_line(mut self, file: impl Into<String>, line: usize) -> Self {
        self.0.place = Some(Place { file: file.into(), line: Some(line) });
        self
    }

    /// Shows the line itself, with a caret under the part to blame.
    #[must_use]
    pub fn with_excerpt(mut self, excerpt: Excerpt) -> Self {
        self.0.excerpt = Some(excerpt);
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// The sentence alone, without its place.
    pub fn what(&self) -> &str {
        &self.0.what
    }

    /// Where it happened.
    pub fn place(&self) -> Option<&Place> {
        self.0.place.as_ref()
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.0.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.0.what)?;
        if let Some(Excerpt { text, start, len }) = &self.0.excerpt {
            write!(f, "\n  | {text}\n  | {:start$}{}", "", "^".repeat((*len).max(1)))?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// `error names` for a name that is not among those that exist.
///
/// The list keeps its order; a close spelling is offered first.
pub fn unknown_name<'a>(
    kind: &str,
    given: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Error {
    let known: Vec<&str> = known.into_iter().collect();
    let closest =
        known.iter().map(|name| (edit_distance(given, name), *name)).min().filter(
            |(distance, _)| *distance <= 2 && *distance < given.chars().count(),
        );
    let list =
        known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let hint = match (closest, known.is_empty()) {
        (_, true) => "there are none".to_owned(),
        (Some((_, name)), _) if known.len() > 1 => {
            format!("did you mean `{name}`? There are {list}")
        }
        (Some((_, name)), _) => format!("did you mean `{name}`?"),
        (None, _) if known.len() == 1 => format!("there is {list}"),
        (None, _) => format!("there are {list}"),
    };
    Error::new(format!("there is no {kind} `{given}`")).with_hint(hint)
}

/// Levenshtein's distance: insertions, deletions and substitutions of characters.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_is_answered_with_the_closest_one() {
        let error = unknown_name("model", "nromal", ["independent", "normal"]);
        assert_eq!(error.to_string(), "there is no model `nromal`");
        assert_eq!(
            error.hint(),
            Some("did you mean `normal`? There are `independent`, `normal`")
        );
    }

    #[test]
    fn the_caret_stands_under_the_wrong_part() {
        let error = Error::new("there is no distribution `foo`")
            .at_line("m.toml", 3)
            .with_excerpt(Excerpt { text: "sd = \"foo(1)\"".into(), start: 6, len: 3 });
        assert_eq!(
            error.to_string(),
            "m.toml:3: there is no distribution `foo`\n  | sd = \"foo(1)\"\n  |       ^^^"
        );
    }
}
