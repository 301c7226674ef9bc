//! Numbers as people read them: no more digits than are known.

/// Decimal places such that the last one is no finer than `uncertainty`.
///
/// 0.03 gives 1 (tenths are coarser than three hundredths), 4.0 gives −1.
pub(crate) fn places(uncertainty: f64) -> i32 {
    if !(uncertainty > 0.0 && uncertainty.is_finite()) {
        return 12;
    }
    // The last place is 10^−places, the smallest power of ten at or above it.
    let exponent = (uncertainty.log10() - 1e-9).ceil();
    -(exponent.clamp(-12.0, 300.0) as i32)
}

/// A value to so many decimal places; a negative number rounds before the point.
pub(crate) fn fixed(value: f64, places: i32) -> String {
    let text = if places >= 0 {
        format!("{value:.*}", places.unsigned_abs() as usize)
    } else {
        let step = 10_f64.powi(-places);
        format!("{:.0}", (value / step).round() * step)
    };
    let zero = !text.contains(|c: char| ('1'..='9').contains(&c));
    let text = if zero { text.trim_start_matches('-') } else { &text };
    text.replace('-', "−")
}

/// The same with a sign in front of every value but zero.
pub(crate) fn signed(value: f64, places: i32) -> String {
    let text = fixed(value, places);
    let zero = !text.contains(|c: char| ('1'..='9').contains(&c));
    if text.starts_with('−') || zero { text } else { format!("+{text}") }
}

/// A value to so many significant digits, without an exponent where that is readable.
pub(crate) fn significant(value: f64, digits: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return fixed(value, 0);
    }
    // 0.0999… has the digits of 0.100 once rounded.
    let places = usize::try_from(digits - 1).unwrap_or(0);
    let rounded: f64 = format!("{value:.places$e}").parse().unwrap_or(value);
    let exponent = rounded.abs().log10().floor();
    if (-5.0..15.0).contains(&exponent) {
        return fixed(value, digits - 1 - exponent as i32);
    }
    format!("{value:.places$e}").replace('-', "−")
}

/// A probability in per cent, never 0 or 100: `18 %`, `> 99.9 %`.
///
/// The last place shown is no finer than the MCSE.
pub(crate) fn percent(probability: f64, mcse: f64) -> String {
    let places = places(100.0 * mcse).clamp(0, 1);
    let step = 10_f64.powi(-places);
    let shown = (100.0 * probability / step).round() * step;
    if shown >= 100.0 - step / 2.0 {
        return format!("> {} %", fixed(100.0 - step, places));
    }
    if shown <= step / 2.0 {
        return format!("< {} %", fixed(step, places));
    }
    format!("{} %", fixed(shown, places))
}

/// Odds of something against its contrary, within what `draws` draws can tell.
pub(crate) fn odds(probability: f64, draws: usize) -> String {
    let most = 10_f64.powf((draws as f64 / 4.0).max(10.0).log10().floor());
    let ratio = probability / (1.0 - probability);
    if ratio >= most {
        return format!("more than {most:.0} : 1");
    }
    match ratio {
        _ if ratio < 1.15 => "about even".to_owned(),
        _ if ratio < 3.0 => format!("{ratio:.1} : 1"),
        _ if ratio < 20.0 => format!("{ratio:.0} : 1"),
        _ => {
            let step = 10_f64.powf(ratio.log10().floor());
            format!("{:.0} : 1", (ratio / step).round() * step)
        }
    }
}

/// A count in words up to twelve, as in running text.
pub(crate) fn in_words(count: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
        "ten", "eleven", "twelve",
    ];
    WORDS.get(count).map_or_else(|| grouped(count), |word| (*word).to_owned())
}

/// A count with its thousands apart: `10,000`.
pub(crate) fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_place_is_never_finer_than_the_uncertainty() {
        assert_eq!(places(0.03), 1);
        assert_eq!(places(0.1), 1);
        assert_eq!(places(0.11), 0);
        assert_eq!(places(4.0), -1);
        assert_eq!(fixed(1234.0, -2), "1200");
        assert_eq!(fixed(-0.04, 1), "0.0");
        assert_eq!(signed(0.66, 1), "+0.7");
        assert_eq!(signed(-1.25, 1), "−1.2");
        assert_eq!(signed(0.0, 0), "0");
    }

    #[test]
    fn significant_digits_survive_small_and_large_values() {
        assert_eq!(significant(162.5333, 5), "162.53");
        assert_eq!(significant(0.000_123_4, 2), "0.00012");
        assert_eq!(significant(2.95e-9, 3), "2.95e−9");
        assert_eq!(significant(12345.0, 3), "12300");
        assert_eq!(significant(0.099_999_999, 2), "0.10");
    }

    #[test]
    fn a_probability_is_never_0_or_100_per_cent() {
        assert_eq!(percent(1.0, 0.0002), "> 99.9 %");
        assert_eq!(percent(0.9996, 0.0003), "> 99.9 %");
        assert_eq!(percent(0.0, 0.0002), "< 0.1 %");
        assert_eq!(percent(0.18, 0.007), "18 %");
        assert_eq!(percent(0.997, 0.004), "> 99 %");
        assert_eq!(percent(0.042, 0.0005), "4.2 %");
    }

    #[test]
    fn three_draws_in_four_are_odds_of_three_to_one() {
        assert_eq!(odds(0.75, 4000), "3 : 1"); // 3/4 against 1/4
        assert_eq!(odds(0.5, 4000), "about even");
        assert_eq!(odds(0.6, 4000), "1.5 : 1");
        assert_eq!(odds(0.989, 4000), "90 : 1"); // 989/11 = 89.9
        assert_eq!(odds(1.0, 4000), "more than 1000 : 1");
    }

    #[test]
    fn counts_are_words_up_to_twelve() {
        assert_eq!(in_words(3), "three");
        assert_eq!(in_words(30), "30");
        assert_eq!(grouped(10_000), "10,000");
        assert_eq!(grouped(1_000_000), "1,000,000");
    }
}
