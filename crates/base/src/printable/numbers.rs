//! Numbers as text.

use super::thousands;
use fairdeal_stats::elementary::{log10, powf};

/// Returns the number of decimals that shows this number of significant digits of a value, at most
/// 12.
pub fn decimals(value: f64, digits: i32) -> usize {
    match value {
        0.0 => 0,
        value => (digits - 1 - log10(value.abs()).floor() as i32).clamp(0, 12) as usize,
    }
}

/// Formats a number with 17 significant digits, enough to restore the same `f64`. Trailing zeros
/// are left out, and very small or large numbers get an exponent (as C's `%.17g`).
pub fn significant(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return format!("{number}");
    }
    let scientific = format!("{number:.16e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if (-5..17).contains(&exponent) {
        let decimals = (16 - exponent) as usize;
        trimmed(&format!("{number:.decimals$}"))
    } else {
        format!("{}e{exponent}", trimmed(mantissa))
    }
}

/// Formats a number for people, with at most this number of significant digits. Whole numbers have
/// commas between thousands and keep all digits; numbers below 0.0001 and from 10^15 on have an
/// exponent.
///
/// `1.08e-7`, `0.0123`, `61.1`, `9,260,200`.
pub fn rounded(number: f64, digits: usize) -> String {
    if !number.is_finite() {
        return number.to_string();
    }
    if number == 0.0 {
        return "0".to_owned();
    }
    let precision = digits.saturating_sub(1);
    let scientific = format!("{number:.precision$e}");
    let exponent = scientific
        .split_once('e')
        .map_or("", |(_, exponent)| exponent);
    match exponent.parse::<i32>().unwrap_or(0) {
        exponent if (15..).contains(&exponent) || exponent < -4 => scientific,
        exponent if exponent + 1 >= digits as i32 => {
            let sign = if number < 0.0 { "-" } else { "" };
            format!("{sign}{}", thousands(number.abs().round() as u64))
        }
        exponent => {
            let decimals = (precision as i32 - exponent) as usize;
            format!("{number:.decimals$}")
        }
    }
}

/// Formats a share as a percentage with this number of significant digits: `1.64 %`.
pub fn percent(share: f64, digits: usize) -> String {
    format!("{} %", rounded(100.0 * share, digits))
}

/// Formats the inverse of a probability: `1 in 61.13`, `1 in 9,260,200`.
pub fn one_in(probability: f64) -> String {
    format!("1 in {}", rounded(1.0 / probability, 4))
}

/// Formats a number with three significant digits, as [`rounded`].
pub fn three_digits(number: f64) -> String {
    rounded(number, 3)
}

/// Formats the number with this decimal logarithm, with three significant digits: `0.00420`,
/// `1.25e-3337`. From 1,000,000 on it has an exponent.
pub fn three_digits_log10(log10: f64) -> String {
    if log10.is_nan() || (-300.0..300.0).contains(&log10) {
        return match powf(10.0, log10) {
            number if number >= 1e6 => format!("{number:.2e}"),
            number => three_digits(number),
        };
    }
    if log10.is_infinite() {
        return if log10 > 0.0 { "infinite" } else { "0" }.to_owned();
    }
    let exponent = log10.floor();
    match format!("{:.2}", powf(10.0, log10 - exponent)).as_str() {
        "10.00" => format!("1.00e{:.0}", exponent + 1.0),
        mantissa => format!("{mantissa}e{exponent:.0}"),
    }
}

/// Formats a probability with its inverse: `1.08e-7 (1 in 9,260,200)`.
pub fn probability(p: f64) -> String {
    match p {
        p if p > 0.0 && p < 1.0 => {
            format!("{} ({})", three_digits(p), one_in(p))
        }
        p => three_digits(p),
    }
}

/// Formats the bounds of a probability, both in the same form: `8.94e-5 to 1.12e-4`.
pub fn interval([low, high]: [f64; 2]) -> String {
    match low > 0.0 && low < 1e-4 {
        true => format!("{low:.2e} to {high:.2e}"),
        false => format!("{} to {}", three_digits(low), three_digits(high)),
    }
}

/// Formats the inverse of a probability that is known within bounds, with the digits that they
/// allow: `about 1 in 22,000`, or with another noun than 1, such as `1 deal`.
pub fn about_one_in(one: &str, p: f64, [low, high]: [f64; 2]) -> String {
    let inverse = 1.0 / p;
    let digits = if high - low < 0.1 * p { 2 } else { 1 };
    let inverse = match inverse < 1e15 {
        // Whole numbers keep all digits, so they are rounded first.
        true => format!("{inverse:.digits$e}").parse().unwrap_or(inverse),
        false => inverse,
    };
    format!("about {one} in {}", rounded(inverse, digits + 1))
}

/// Formats a bound of a number of deals: `65 deals`, `1.20e12 deals`.
pub fn number_of_deals(number: f64) -> String {
    match number {
        ..1e6 => format!("{} deals", thousands(number as u64)),
        _ => format!("{number:.2e} deals"),
    }
}

/// Returns the number of decimals that show two digits of a standard error, at most 12; `None` for
/// an error of 0.
pub fn error_decimals(error: f64) -> Option<usize> {
    (error > 0.0).then(|| decimals(error, 2))
}

/// Formats a mean, its standard error and the exact mean, all with the decimals that show two
/// digits of the error: `12.035`, `0.033`, `12.041`.
pub fn with_error(mean: f64, error: f64, exact: Option<f64>) -> (String, String, Option<String>) {
    let decimals = error_decimals(error).unwrap_or(6);
    let text = |number: f64| format!("{number:.decimals$}");
    (text(mean), text(error), exact.map(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_three_digits() {
        let numbers = [
            (0.0, "0"),
            (0.016_36, "0.0164"),
            (61.13, "61.1"),
            (9.996, "10.0"),
            (999.7, "1,000"),
            (12_345.6, "12,346"),
            (1.079_89e-7, "1.08e-7"),
            (-2.5, "-2.50"),
            (3.2e18, "3.20e18"),
        ];
        for (number, text) in numbers {
            assert_eq!(three_digits(number), text);
        }
        assert_eq!(three_digits_log10(-3_336.904_564), "1.25e-3337");
        assert_eq!(three_digits_log10(-2.376_75), "0.00420");
        assert_eq!(three_digits_log10(3_325.999_9), "1.00e3326");
        assert_eq!(three_digits_log10(8.684_6), "4.84e8");
        assert_eq!(three_digits_log10(f64::INFINITY), "infinite");
        assert_eq!(three_digits_log10(f64::NEG_INFINITY), "0");
    }

    #[test]
    fn probabilities_have_their_inverse() {
        assert_eq!(probability(1.0 / 9_260_199.8), "1.08e-7 (1 in 9,260,200)");
        assert_eq!(probability(0.016_36), "0.0164 (1 in 61.12)");
        assert_eq!(probability(1.0), "1.00");
        assert_eq!(probability(0.0), "0");
    }

    #[test]
    fn estimates_have_the_digits_of_their_bounds() {
        assert_eq!(interval([8.94e-5, 1.115_2e-4]), "8.94e-5 to 1.12e-4");
        assert_eq!(interval([0.117_3, 0.228_9]), "0.117 to 0.229");
        assert_eq!(interval([0.0, 1.2e-5]), "0 to 1.20e-5");
        let three_hits = 3.0 / 65_536.0;
        let about = about_one_in("1", three_hits, [1.6e-6, 2.3e-4]);
        assert_eq!(about, "about 1 in 22,000");
        let about = about_one_in("1 deal", 0.007_262, [0.006_94, 0.007_592]);
        assert_eq!(about, "about 1 deal in 138");
        assert_eq!(number_of_deals(65.1), "65 deals");
        assert_eq!(number_of_deals(1.2e12), "1.20e12 deals");
    }

    #[test]
    fn a_mean_has_two_digits_of_its_error() {
        let decimals = [0.033, 0.33, 3.3, 33.0, 0.0].map(error_decimals);
        assert_eq!(decimals, [Some(3), Some(2), Some(1), Some(0), None]);
    }

    #[test]
    fn means_have_the_decimals_of_their_errors() {
        assert_eq!(
            with_error(12.034_7, 0.032_9, Some(12.041_2)),
            ("12.035".into(), "0.033".into(), Some("12.041".into()))
        );
        assert_eq!(
            with_error(1_234.5, 57.0, None),
            ("1234".into(), "57".into(), None)
        );
        assert_eq!(
            with_error(7.0, 0.0, None),
            ("7.000000".into(), "0.000000".into(), None)
        );
    }

    #[test]
    fn numbers_for_people_have_few_digits() {
        let numbers = [
            (1.0799e-7, "1.08e-7"),
            (0.0123456, "0.0123"),
            (0.000_123_456, "0.000123"),
            (9.996, "10.0"),
            (61.128, "61.1"),
            (999.6, "1,000"),
            (-0.5, "-0.500"),
            (-1234.5, "-1,235"),
            (9_260_199.8, "9,260,200"),
            (5.36e28, "5.36e28"),
            (0.0, "0"),
            (f64::INFINITY, "inf"),
        ];
        for (number, wanted) in numbers {
            assert_eq!(rounded(number, 3), wanted, "{number}");
        }
        assert_eq!(percent(0.016_359, 3), "1.64 %");
        assert_eq!(one_in(0.016_359), "1 in 61.13");
        assert_eq!(one_in(1.0 / 9_260_199.8), "1 in 9,260,200");
    }

    #[test]
    fn seventeen_digits_give_back_the_same_number() {
        let numbers = [
            0.1,
            1.0 / 3.0,
            2_621_440.0,
            6.3e-12,
            1e16,
            1e17,
            -2.5,
            123_456.789,
            1e-5,
        ];
        for number in numbers {
            assert_eq!(significant(number).parse::<f64>(), Ok(number));
        }
        assert_eq!(significant(2_621_440.0), "2621440");
        assert_eq!(significant(0.25), "0.25");
        assert_eq!(significant(1.0 / 3.0), "0.33333333333333331");
        assert_eq!(significant(0.0), "0");
        assert_eq!(
            significant(4.0 / 635_013_559_600.0),
            "6.2990780897964311e-12"
        );
    }
}
