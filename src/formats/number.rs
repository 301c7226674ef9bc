//! One printed number: its value, its last decimal place, a unit glued to it.

use crate::data::unit::Unit;

/// What `.` and `,` mean in a column of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Convention {
    /// `1,234.5`
    Point,
    /// `1.234,5`
    Comma,
}

/// A number as printed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Printed<'a> {
    /// Finite; a multiplier (`k`) is applied.
    pub(super) value: f64,
    /// The power of ten of the last decimal place.
    pub(super) place: i32,
    /// The unit glued to it.
    pub(super) unit: Option<&'a str>,
}

/// Why some text is no number that can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// Not a number at all.
    NotANumber,
    /// NaN or infinity.
    NotFinite,
    /// Above the largest number there is.
    TooLarge,
    /// A number with something behind it that is no unit.
    Suffix,
    /// Commas and points that are neither decimals nor thousands.
    Separators,
}

impl Fault {
    /// What to do about it.
    pub(super) fn hint(self) -> &'static str {
        match self {
            Self::NotANumber => {
                "every run is one number; begin a remark with `#`, and leave a run out \
                 where it has no value"
            }
            Self::NotFinite => {
                "a run that failed has no time: take it out, and say so in a `#` comment"
            }
            Self::TooLarge => "check the exponent, or choose a larger unit",
            Self::Suffix => {
                "units known here are such as `ms`, `MB/s`, `KiB`, and the multipliers \
                 `k`, `M`, `G`; take any other out"
            }
            Self::Separators => "write it without separators of thousands, as `1234.5`",
        }
    }
}

/// Reads a number under a convention.
pub(super) fn parse(text: &str, convention: Convention) -> Result<Printed<'_>, Fault> {
    if let Some(place) = plain_place(text.as_bytes()) {
        let value = finite(text)?;
        // A whole number and one with a fraction of three places may mean another
        // thing where the comma is decimal.
        if convention == Convention::Point || !text.contains('.') {
            return Ok(Printed { value, place, unit: None });
        }
    }
    if convention == Convention::Comma && !text.contains('.') {
        let plain = text.replacen(',', ".", 1);
        if let Some(place) = plain_place(plain.as_bytes()) {
            return Ok(Printed { value: finite(&plain)?, place, unit: None });
        }
    }
    let (number, suffix) = split_suffix(text);
    if number.is_empty() {
        return Err(if is_not_finite(text) {
            Fault::NotFinite
        } else {
            Fault::NotANumber
        });
    }
    let plain = plain_form(number, convention).ok_or(Fault::Separators)?;
    let place = plain_place(plain.as_bytes()).ok_or(Fault::NotANumber)?;
    let (power, unit) = read_suffix(suffix).ok_or(Fault::Suffix)?;
    if power == 0 {
        return Ok(Printed { value: finite(&plain)?, place, unit });
    }
    // By the text, so that `56.20k` is 56200 exactly.
    let (mantissa, exponent) =
        plain.split_once(['e', 'E']).unwrap_or((plain.as_str(), "0"));
    let exponent = exponent.parse::<i32>().map_err(|_| Fault::TooLarge)?;
    let value = finite(&format!("{mantissa}e{}", exponent.saturating_add(power)))?;
    Ok(Printed { value, place: place.saturating_add(power), unit })
}

fn finite(text: &str) -> Result<f64, Fault> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(Fault::TooLarge),
        Err(_) => Err(Fault::NotANumber),
    }
}

/// The power of ten of the last place of `-12.30e-4`; `None` when it is not of that form.
fn plain_place(text: &[u8]) -> Option<i32> {
    let mut at = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let start = at;
    let digits = |mut at: usize| {
        while text.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    at = digits(at);
    let mut count = at - start;
    let mut place = 0;
    if text.get(at) == Some(&b'.') {
        let end = digits(at + 1);
        let places = end - at - 1;
        count += places;
        place = -i32::try_from(places).ok()?;
        at = end;
    }
    if count == 0 {
        return None;
    }
    if !matches!(text.get(at), Some(b'e' | b'E')) {
        return (at == text.len()).then_some(place);
    }
    let exponent = std::str::from_utf8(&text[at + 1..]).ok()?;
    let sign = usize::from(exponent.starts_with(['+', '-']));
    if exponent.len() == sign || !exponent[sign..].bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // An exponent beyond all numbers is found when the value is.
    Some(place.saturating_add(exponent.parse::<i32>().unwrap_or(0)))
}

/// Whether a character may stand inside a printed number.
fn is_separator(letter: char) -> bool {
    matches!(letter, '.' | ',' | '_' | '\'' | '’' | '\u{a0}' | '\u{2009}' | '\u{202f}')
}

/// The number at the front and what is glued to it.
fn split_suffix(text: &str) -> (&str, &str) {
    let body = text.trim_start_matches(['+', '-', '−']);
    let sign = text.len() - body.len();
    if text[..sign].chars().count() > 1 {
        return ("", text);
    }
    let digits = body
        .find(|letter: char| !letter.is_ascii_digit() && !is_separator(letter))
        .unwrap_or(body.len());
    // A blank that separates thousands does not end a number.
    let digits = body[..digits].trim_end_matches(char::is_whitespace).len();
    if !body[..digits].contains(|letter: char| letter.is_ascii_digit()) {
        return ("", text);
    }
    let end = sign + digits + exponent_len(&body[digits..]);
    (&text[..end], text[end..].trim_start())
}

/// How long the exponent at the front is, or 0.
fn exponent_len(text: &str) -> usize {
    let Some(rest) = text.strip_prefix(['e', 'E']) else { return 0 };
    let digits = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    if count == 0 { 0 } else { 1 + (rest.len() - digits.len()) + count }
}

/// The power of ten and the unit of what is glued to a number.
fn read_suffix(suffix: &str) -> Option<(i32, Option<&str>)> {
    match suffix {
        "" => Some((0, None)),
        "k" | "K" => Some((3, None)),
        "M" => Some((6, None)),
        "G" => Some((9, None)),
        "%" => Some((0, Some("%"))),
        _ => Unit::parse(suffix).map(|_| (0, Some(suffix))),
    }
}

fn is_not_finite(text: &str) -> bool {
    let word = text.trim_start_matches(['+', '-']).to_ascii_lowercase();
    matches!(word.as_str(), "nan" | "inf" | "infinity" | "nan()" | "1.#inf" | "1.#qnan")
}

/// The number with a point for decimals and nothing between thousands.
fn plain_form(number: &str, convention: Convention) -> Option<String> {
    let (decimal, thousands) = match convention {
        Convention::Point => ('.', ','),
        Convention::Comma => (',', '.'),
    };
    let number = number.replace('−', "-");
    let exponent = number.find(['e', 'E']).unwrap_or(number.len());
    let (mantissa, exponent) = number.split_at(exponent);
    let (whole, fraction) = match mantissa.split_once(decimal) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    if fraction.is_some_and(|fraction| fraction.contains(is_separator)) {
        return None;
    }
    let whole = without_thousands(whole, thousands)?;
    Some(match fraction {
        Some(fraction) => format!("{whole}.{fraction}{exponent}"),
        None => format!("{whole}{exponent}"),
    })
}

/// Takes out one kind of separator between groups of three digits.
fn without_thousands(whole: &str, thousands: char) -> Option<String> {
    let Some(separator) = whole.chars().find(|letter| is_separator(*letter)) else {
        return Some(whole.to_owned());
    };
    let own = [',', '.'].contains(&separator);
    if own && separator != thousands {
        return None;
    }
    let mut groups = whole.split(separator);
    let first = groups.next()?.trim_start_matches(['+', '-']);
    let digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let good = (1..=3).contains(&first.len())
        && digits(first)
        && groups.all(|group| group.len() == 3 && digits(group));
    good.then(|| whole.replace(separator, ""))
}

/// What the numbers of a column say about its convention.
#[derive(Debug, Clone, Default)]
pub(super) struct Evidence {
    /// The first number, with its line, that only makes sense with a decimal point.
    point: Option<(String, usize)>,
    /// The first that only makes sense with a decimal comma.
    comma: Option<(String, usize)>,
    /// The first that makes sense with both.
    open: Option<(String, usize)>,
}

/// The only separator of digits around it that cannot be of thousands.
fn one_separator(text: &[u8]) -> Option<u8> {
    let at = text.iter().position(|byte| !byte.is_ascii_digit())?;
    let places = &text[at + 1..];
    let decimal = (1..=7).contains(&at)
        && (at > 3 || !places.is_empty() && places.len() != 3)
        && places.iter().all(u8::is_ascii_digit);
    decimal.then_some(text[at])
}

/// What is wrong with a column's separators, and the number and line to blame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unsettled {
    /// `1,234` alone.
    Open(String, usize),
    /// `12.5` and `12,5` in one column.
    Mixed(String, String, usize),
}

impl Evidence {
    /// Looks at one number.
    pub(super) fn note(&mut self, text: &str, line: impl FnOnce() -> usize) {
        // What is already known needs no second proof.
        match one_separator(text.as_bytes()) {
            Some(b',') if self.comma.is_some() => return,
            Some(b'.') if self.point.is_some() => return,
            _ => {}
        }
        let (number, _) = split_suffix(text);
        if !number.contains([',', '.']) {
            return;
        }
        let reads = |convention| {
            plain_form(number, convention)
                .is_some_and(|plain| plain_place(plain.as_bytes()).is_some())
        };
        // `0,500` is no thousands.
        let leading_zero = number.trim_start_matches(['+', '-']).starts_with('0');
        let (mut point, mut comma) =
            (reads(Convention::Point), reads(Convention::Comma));
        if leading_zero && point && comma {
            (point, comma) = (number.contains('.'), number.contains(','));
        }
        let slot = match (point, comma) {
            (true, false) => &mut self.point,
            (false, true) => &mut self.comma,
            (true, true) if number.contains(',') => &mut self.open,
            _ => return,
        };
        if slot.is_none() {
            *slot = Some((number.to_owned(), line()));
        }
    }

    /// What the column as a whole says.
    pub(super) fn settle(self) -> Result<Convention, Unsettled> {
        match (self.point, self.comma, self.open) {
            (Some((one, first)), Some((other, second)), _) => {
                let line = first.max(second);
                Err(Unsettled::Mixed(one, other, line))
            }
            (None, Some(_), _) => Ok(Convention::Comma),
            (None, None, Some((number, line))) => Err(Unsettled::Open(number, line)),
            (Some(_), None, _) | (None, None, None) => Ok(Convention::Point),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(f64, i32, Option<&str>), Fault> {
        parse(text, Convention::Point).map(|read| (read.value, read.place, read.unit))
    }

    #[test]
    fn the_last_place_is_that_of_the_text() {
        assert_eq!(read("152.70"), Ok((152.7, -2, None)));
        assert_eq!(read("1.5e-9"), Ok((1.5e-9, -10, None)));
        assert_eq!(read("1200"), Ok((1200.0, 0, None)));
        assert_eq!(read("-.5"), Ok((-0.5, -1, None)));
        assert_eq!(read("5."), Ok((5.0, 0, None)));
        assert_eq!(read("56.20k"), Ok((56200.0, 1, None)));
        assert_eq!(read("12.3ms"), Ok((12.3, -1, Some("ms"))));
        assert_eq!(read("152.7 Mbit/s"), Ok((152.7, -1, Some("Mbit/s"))));
        assert_eq!(read("1,234,567.25"), Ok((1_234_567.25, -2, None)));
        assert_eq!(read("1_234"), Ok((1234.0, 0, None)));
        assert_eq!(read("1 234 567,5").ok(), None);
        assert_eq!(read("1\u{a0}234.5"), Ok((1234.5, -1, None)));
        assert_eq!(read("−3"), Ok((-3.0, 0, None)));
        assert_eq!(read("12.5%"), Ok((12.5, -1, Some("%"))));
    }

    #[test]
    fn what_is_no_number_is_told_apart() {
        for (text, fault) in [
            ("", Fault::NotANumber),
            ("n/a", Fault::NotANumber),
            ("-", Fault::NotANumber),
            (".", Fault::NotANumber),
            ("--5", Fault::NotANumber),
            ("nan", Fault::NotFinite),
            ("-Infinity", Fault::NotFinite),
            ("1e999", Fault::TooLarge),
            ("1e99999999999", Fault::TooLarge),
            ("1e308G", Fault::TooLarge),
            ("12.3furlongs", Fault::Suffix),
            ("1.2.3", Fault::Separators),
            ("12,34,567", Fault::Separators),
            ("0x1f", Fault::Suffix),
        ] {
            assert_eq!(read(text), Err(fault), "{text}");
        }
    }

    #[test]
    fn a_decimal_comma_is_read_where_the_column_settles_it() {
        let settle = |column: &[&str]| {
            let mut evidence = Evidence::default();
            for (line, text) in column.iter().enumerate() {
                evidence.note(text, || line + 1);
            }
            evidence.settle()
        };
        assert_eq!(settle(&["12,5", "1.234,5"]), Ok(Convention::Comma));
        assert_eq!(settle(&["1,234", "12,5"]), Ok(Convention::Comma));
        assert_eq!(settle(&["0,123", "1,234"]), Ok(Convention::Comma));
        assert_eq!(settle(&["1,234", "12.5"]), Ok(Convention::Point));
        assert_eq!(settle(&["1,234", "1,234,567"]), Ok(Convention::Point));
        assert_eq!(settle(&["1.234", "5"]), Ok(Convention::Point));
        assert_eq!(
            settle(&["7", "1,234", "1.234"]),
            Err(Unsettled::Open("1,234".into(), 2))
        );
        assert_eq!(
            settle(&["12.5", "12,5"]),
            Err(Unsettled::Mixed("12.5".into(), "12,5".into(), 2))
        );
        let comma = |text| parse(text, Convention::Comma).map(|read| read.value);
        assert_eq!(comma("1.234,5"), Ok(1234.5));
        assert_eq!(comma("1.234"), Ok(1234.0));
        assert_eq!(comma("12,5ms"), Ok(12.5));
        assert_eq!(comma("7"), Ok(7.0));
        assert_eq!(comma("12.5"), Err(Fault::Separators));
    }
}
