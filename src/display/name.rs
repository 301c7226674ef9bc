//! The names of what is compared.

use crate::analysis::Comparison;
use crate::data::unit;

/// What is compared, by benchmark and metric or else by the variants.
pub(crate) fn subject(comparison: &Comparison) -> String {
    match (&comparison.benchmark, &comparison.metric.name) {
        (Some(benchmark), Some(metric)) if benchmark != metric => {
            format!("{benchmark}: {metric}")
        }
        (Some(name), _) | (None, Some(name)) => name.clone(),
        (None, None) => variants(comparison),
    }
}

/// The variants: `with against without`.
pub(crate) fn variants(comparison: &Comparison) -> String {
    format!("{} against {}", comparison.candidate.label, comparison.baseline.label)
}

/// Worse and better: a metric that is no speed is not slower.
pub(crate) fn worse_and_better(comparison: &Comparison) -> [&'static str; 2] {
    if unit::is_speed(comparison.metric.unit.as_deref()) {
        ["slower", "faster"]
    } else {
        ["worse", "better"]
    }
}

/// A name of so many characters at most, cut in the middle: ends tell names apart.
pub(crate) fn shortened(name: &str, most: usize) -> String {
    let chars: Vec<char> = name.chars().collect();
    if chars.len() <= most {
        return name.to_owned();
    }
    let kept = most.saturating_sub(1);
    let (head, tail) = (kept.div_ceil(2), kept / 2);
    let ends = [&chars[..head], &chars[chars.len() - tail..]];
    ends.map(|end| end.iter().collect::<String>()).join("…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_keeps_both_ends() {
        assert_eq!(shortened("abcdefgh", 8), "abcdefgh");
        assert_eq!(shortened("abcdefghi", 8), "abcd…ghi");
        assert_eq!(shortened("ää/öö", 3), "ä…ö");
    }
}
