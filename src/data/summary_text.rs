//! Published summaries, as they are written on the command line.

use super::{SpreadKind, Summary};
use crate::error::{Error, unknown_name};

const EXAMPLE: &str = "write it as `LABEL:n=10,mean=99.04,sd=0.8` (or `se=0.25`, \
    `ci95=0.57`, `ci95=98.47..99.61` in place of `sd=`)";

/// The parts of a summary that say how far values scatter.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Spread {
    Sd(f64),
    StandardError(f64),
    HalfWidth(f64),
    Interval(f64, f64),
}

/// Reads `LABEL:n=10,mean=99.04,sd=0.8`; the label may hold `:` itself.
///
/// # Errors
/// When a part is missing, given twice, not known or no number: the part is named.
pub fn parse_summary(text: &str) -> Result<(String, Summary), Error> {
    let error = |what: String| Error::new(what).in_file("--summary").with_hint(EXAMPLE);
    let (label, parts) = split_label(text)
        .ok_or_else(|| error(format!("`{text}` has no `LABEL:` in front of `n=`")))?;
    if label.is_empty() {
        return Err(error(format!("the label in `{text}` is empty")));
    }
    let (mut n, mut mean, mut spread) = (None, None, None);
    for part in parts.split(',') {
        let Some((key, value)) = part.split_once('=') else {
            return Err(error(format!("`{part}` should be `NAME=NUMBER`")));
        };
        let (key, value) = (key.trim(), value.trim());
        let twice = match key {
            "n" => n.replace(count(value, part).map_err(error)?).is_some(),
            "mean" => mean.replace(number(value, part).map_err(error)?).is_some(),
            "sd" | "se" | "ci95" => {
                spread.replace(self::spread(key, value, part).map_err(error)?).is_some()
            }
            _ => {
                let known = ["n", "mean", "sd", "se", "ci95"];
                return Err(unknown_name("part", key, known).in_file("--summary"));
            }
        };
        if twice && !matches!(key, "n" | "mean") {
            return Err(error(format!("`{part}` is a second measure of spread")));
        }
        if twice {
            return Err(error(format!("`{part}` is given twice")));
        }
    }
    let missing = |name: &str| error(format!("`{name}` is missing in `{text}`"));
    let n = n.ok_or_else(|| missing("n="))?;
    let mean = mean.ok_or_else(|| missing("mean="))?;
    let spread = spread.ok_or_else(|| missing("sd="))?;
    let stated_as_sd = matches!(spread, Spread::Sd(_));
    let summary = sd_of(spread, n, mean).map_err(error).and_then(|sd| {
        Summary::new(n, mean, sd).map_err(|error| error.in_file("--summary"))
    })?;
    let summary = if stated_as_sd { summary.stated_as_sd() } else { summary };
    Ok((label.to_owned(), summary))
}

/// At the last `:` before the first part, so that labels may hold `:`.
fn split_label(text: &str) -> Option<(&str, &str)> {
    let part = |rest: &str| {
        let name = rest.split(['=', ',']).next().unwrap_or_default().trim();
        matches!(name, "n" | "mean" | "sd" | "se" | "ci95") && rest.contains('=')
    };
    text.match_indices(':')
        .rfind(|(at, _)| part(&text[at + 1..]))
        .or_else(|| text.match_indices(':').next_back())
        .map(|(at, _)| (text[..at].trim(), text[at + 1..].trim()))
}

fn count(value: &str, part: &str) -> Result<usize, String> {
    value.parse().map_err(|_| format!("`{part}` should be a whole number of runs"))
}

fn number(value: &str, part: &str) -> Result<f64, String> {
    value
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite())
        .ok_or_else(|| format!("`{part}` should be a number"))
}

fn spread(key: &str, value: &str, part: &str) -> Result<Spread, String> {
    if let ("ci95", Some((low, high))) = (key, value.split_once("..")) {
        let (low, high) = (number(low, part)?, number(high, part)?);
        return if low < high {
            Ok(Spread::Interval(low, high))
        } else {
            Err(format!("`{part}` should go from the lower to the higher end"))
        };
    }
    let value = number(value, part)?;
    Ok(match key {
        "sd" => Spread::Sd(value),
        "se" => Spread::StandardError(value),
        _ => Spread::HalfWidth(value),
    })
}

/// The standard deviation of the runs.
fn sd_of(spread: Spread, n: usize, mean: f64) -> Result<f64, String> {
    match spread {
        Spread::Sd(sd) => Ok(sd),
        Spread::StandardError(se) => Ok(SpreadKind::StandardError.sd(se, n)),
        Spread::HalfWidth(half) => Ok(SpreadKind::HalfWidth.sd(half, n)),
        Spread::Interval(low, high) if (low..=high).contains(&mean) => {
            Ok(SpreadKind::HalfWidth.sd((high - low) / 2.0, n))
        }
        Spread::Interval(low, high) => {
            Err(format!("the mean `{mean}` is outside of `ci95={low}..{high}`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sd(text: &str) -> Option<f64> {
        parse_summary(text).expect("a summary").1.moments().sd()
    }

    fn refusal(text: &str) -> String {
        let error = parse_summary(text).expect_err("a refusal");
        assert!(error.hint().is_some(), "{text}");
        error.to_string()
    }

    #[test]
    fn a_label_may_hold_colons_and_equals_signs() {
        let (label, summary) =
            parse_summary("gcc:13:O=2:n=10,mean=99.04,sd=0.8").expect("a summary");
        assert_eq!(label, "gcc:13:O=2");
        let known = Summary::new(10, 99.04, 0.8).expect("a summary").stated_as_sd();
        assert_eq!(summary, known);
    }

    #[test]
    fn standard_errors_and_intervals_become_the_sd() {
        // se * sqrt(n).
        assert_eq!(sd("a:n=4,mean=1,se=0.5"), Some(1.0));
        // t(0.975, 9) = 2.262157162798205 (scipy 1.x, stats.t.ppf).
        let expected = 0.5 * 10_f64.sqrt() / 2.262_157_162_798_205;
        for text in ["a:n=10,mean=1,ci95=0.5", "a:n=10,mean=1.1,ci95=0.5..1.5"] {
            let sd = sd(text).expect("two runs or more");
            assert!((sd / expected - 1.0).abs() < 1e-9, "{text}: {sd}");
        }
    }

    #[test]
    fn each_bad_summary_is_refused_with_the_part_to_blame() {
        let cases = [
            ("n=10,mean=1,sd=1", "`n=10,mean=1,sd=1` has no `LABEL:` in front of `n=`"),
            (":n=10,mean=1,sd=1", "the label in `:n=10,mean=1,sd=1` is empty"),
            ("a:n=ten,mean=1,sd=1", "`n=ten` should be a whole number of runs"),
            ("a:n=10,mean=1ms,sd=1", "`mean=1ms` should be a number"),
            ("a:n=10,mean=nan,sd=1", "`mean=nan` should be a number"),
            ("a:n=10,mean=99,04,sd=1", "`04` should be `NAME=NUMBER`"),
            ("a:n=10,mean=1", "`sd=` is missing in `a:n=10,mean=1`"),
            ("a:mean=1,sd=1", "`n=` is missing in `a:mean=1,sd=1`"),
            ("a:n=10,sd=1", "`mean=` is missing in `a:n=10,sd=1`"),
            ("a:n=9,n=9,mean=1,sd=1", "`n=9` is given twice"),
            ("a:n=9,mean=1,sd=1,se=2", "`se=2` is a second measure of spread"),
            ("a:n=9,mean=1,var=1", "there is no part `var`"),
            ("a:n=1,mean=1,sd=1", "a summary needs n of 2 or more, not `1`"),
            ("a:n=1,mean=1,ci95=1", "a summary needs n of 2 or more, not `1`"),
            ("a:n=9,mean=1,sd=0", "the SD must be above 0, not `0`"),
            (
                "a:n=9,mean=1,ci95=3..2",
                "`ci95=3..2` should go from the lower to the higher end",
            ),
            ("a:n=9,mean=1,ci95=2..3", "the mean `1` is outside of `ci95=2..3`"),
        ];
        for (text, what) in cases {
            assert_eq!(refusal(text), format!("--summary: {what}"), "{text}");
        }
    }
}
