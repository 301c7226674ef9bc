//! Numbers in the lines that tools print: with units glued on, or an error with the line.

use super::File;
use super::number::{Convention, parse};
use crate::error::Error;

/// Units of time as tools glue them to a number, as powers of ten of seconds.
const POWERS: [(&str, i32); 8] = [
    ("ns", -9),
    ("us", -6),
    ("µs", -6),
    ("μs", -6),
    ("ms", -3),
    ("secs", 0),
    ("sec", 0),
    ("s", 0),
];

/// Longer ones, in seconds.
const MULTIPLES: [(&str, f64); 2] = [("m", 60.0), ("h", 3600.0)];

/// A finite number, such as `1,234.5`; a unit behind it is passed over.
pub(super) fn number(text: &str) -> Option<f64> {
    parse(text, Convention::Point).ok().map(|printed| printed.value)
}

/// The number in a line where there has to be one.
pub(super) fn expect(
    text: &str,
    what: &str,
    file: &File<'_>,
    line: usize,
) -> Result<f64, Error> {
    number(text).ok_or_else(|| {
        Error::new(format!("the {what} should be a number, not `{text}`"))
            .at_line(file.path, line)
            .with_hint("give the output as the tool wrote it, to its end")
    })
}

/// `216.67ms`, `1.51 s` or `1m30.5s` in seconds.
///
/// By the text, so that the last decimal place stays what it was.
pub(super) fn seconds(text: &str) -> Option<f64> {
    let mut total = None;
    let mut rest = text.trim();
    while !rest.is_empty() {
        let unit = rest.find(char::is_alphabetic)?;
        let end = rest[unit..].find(|c: char| !c.is_alphabetic());
        let end = end.map_or(rest.len(), |end| unit + end);
        let part = one_unit(rest[..unit].trim(), &rest[unit..end])?;
        total = Some(total.map_or(part, |total: f64| total + part));
        rest = &rest[end..];
    }
    total
}

fn one_unit(amount: &str, unit: &str) -> Option<f64> {
    if !amount.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    let power = POWERS.iter().find(|(name, _)| *name == unit);
    let value = if let Some((_, power)) = power {
        format!("{amount}e{power}").parse::<f64>().ok()?
    } else {
        let (_, multiple) = MULTIPLES.iter().find(|(name, _)| *name == unit)?;
        amount.parse::<f64>().ok()? * multiple
    };
    value.is_finite().then_some(value)
}

/// How much of a file is looked at to tell whose it is.
const HEAD: usize = 1 << 16;

/// The beginning, enough to tell whose it is: large files of other formats are not
/// searched to their end.
pub(super) fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(HEAD)]
}

/// The lines at the beginning.
pub(super) fn head(text: &str) -> impl Iterator<Item = &str> {
    beginning(text).lines()
}

/// The text after `key` at the start of a line, blanks around it taken off.
pub(super) fn after<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.trim().strip_prefix(key).map(str::trim)
}

/// The first word, or nothing.
pub(super) fn first(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_seconds_whatever_unit_is_glued_on() {
        assert_eq!(seconds("216.67ms"), Some(0.21667));
        assert_eq!(seconds("635.91us"), Some(0.000_635_91));
        assert_eq!(seconds("90.438129µs"), Some(0.000_090_438_129));
        assert_eq!(seconds("1.51 s"), Some(1.51));
        assert_eq!(seconds("0.0012 secs"), Some(0.0012));
        assert_eq!(seconds("1.50m"), Some(90.0));
        assert_eq!(seconds("1m30.5s"), Some(90.5));
        for text in ["", "ms", "1.5", "-1ms", "1.5.2s", "1.84k", "nans"] {
            assert_eq!(seconds(text), None, "{text:?}");
        }
    }
}
