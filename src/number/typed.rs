//! Counts as people type them.

use std::ops::RangeInclusive;

use super::parse_decimal;
use crate::printable::grouped;

/// Parses a count such as `10485760`, `10_485_760`, `1.5M`, `64Mi` or `1e6` within bounds.
///
/// K, M, G and T are powers of 1,000; Ki, Mi, Gi and Ti are powers of 1,024; case is ignored.
///
/// # Errors
///
/// A message if the text is not a count, or is out of bounds.
pub fn count_between(text: &str, bounds: RangeInclusive<u64>) -> Result<u64, String> {
    let (least, most) = (grouped(*bounds.start()), grouped(*bounds.end()));
    match signed(text)? {
        (false, count) if bounds.contains(&count) => Ok(count),
        (false, count) if count > *bounds.end() => Err(format!("must be at most {most}")),
        _ => Err(format!("must be at least {least}")),
    }
}

/// Splits a count into its sign and its value; true means negative.
fn signed(text: &str) -> Result<(bool, u64), String> {
    match text.strip_prefix('-') {
        None => Ok((false, unsigned(text)?)),
        Some(rest) => match unsigned(rest) {
            Ok(count) => Ok((true, count)),
            Err(_) => Err(format!("not a number: `{text}`")),
        },
    }
}

fn unsigned(text: &str) -> Result<u64, String> {
    let wrong = || format!("not a number: `{text}`");
    let is_unit = |c: char| c.is_ascii_alphabetic() && !c.eq_ignore_ascii_case(&'e');
    let (number, suffix) = text.split_at(text.find(is_unit).unwrap_or(text.len()));
    let unit = unit(suffix).ok_or_else(wrong)?;
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().map_err(|_| wrong())?),
        None => (number, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if mantissa.ends_with('.') || !is_digits(fraction) || fraction.len() > 30 {
        return Err(wrong());
    }
    let whole = parse_decimal(whole).ok_or_else(wrong)?;
    let too_large = || format!("`{text}` does not fit in 64 bits");
    // In units of the last digit.
    let digits = whole.checked_mul(10u128.pow(fraction.len() as u32));
    let digits = digits.and_then(|digits| digits.checked_add(fraction.parse().unwrap_or(0)));
    let digits = digits.and_then(|digits| digits.checked_mul(unit));
    let digits = digits.ok_or_else(too_large)?;
    let exponent = exponent.saturating_sub(fraction.len() as i32);
    let scale = 10u128.checked_pow(exponent.unsigned_abs());
    let count = match (scale, exponent < 0) {
        (Some(scale), false) => digits.checked_mul(scale).ok_or_else(too_large)?,
        (Some(scale), true) if digits % scale == 0 => digits / scale,
        (None, false) if digits > 0 => return Err(too_large()),
        (None, _) if digits == 0 => 0,
        _ => return Err(format!("`{text}` is not a whole number")),
    };
    u64::try_from(count).map_err(|_| too_large())
}

/// The multiplier of a suffix.
fn unit(suffix: &str) -> Option<u128> {
    let powers = ["", "k", "m", "g", "t"];
    let suffix = suffix.to_ascii_lowercase();
    let (base, letter): (u128, _) = match suffix.strip_suffix('i') {
        Some("") => return None,
        Some(letter) => (1024, letter),
        None => (1000, &*suffix),
    };
    let power = powers.iter().position(|known| *known == letter)?;
    Some(base.pow(power as u32))
}
