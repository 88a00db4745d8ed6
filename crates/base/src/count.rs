//! Integers within bounds, which are checked where they are made and nowhere else; and counts as
//! people type them.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::error::Error;
use crate::printable::thousands;

/// An integer from `LEAST` to `MOST`.
///
/// # Examples
///
/// ```
/// use fairdeal_base::count::{Count, OutOfBounds};
///
/// type DealCount = Count<1, 10_000_000_000_000_000>;
///
/// assert_eq!(DealCount::new(36)?.get(), 36);
/// let error = DealCount::new(12_000_000_000_000_000).unwrap_err();
/// assert_eq!(error.to_string(), "must be at most 10,000,000,000,000,000");
/// assert_eq!("1.5M".parse(), DealCount::new(1_500_000));
/// # Ok::<(), OutOfBounds>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count<const LEAST: u64, const MOST: u64>(u64);

/// Error: an integer is not within its bounds, or a text is not an integer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OutOfBounds(String);

impl<const LEAST: u64, const MOST: u64> Count<LEAST, MOST> {
    /// The smallest value.
    pub const LEAST: Self = Self(LEAST);
    /// The largest value.
    pub const MOST: Self = Self(MOST);

    /// Checks an integer.
    ///
    /// # Errors
    ///
    /// If it is not within the bounds.
    pub fn new(count: u64) -> Result<Self, OutOfBounds> {
        within(count, LEAST..=MOST).map(Self)
    }

    /// A constant within the bounds, which the compiler checks where it is the value of a `const`.
    ///
    /// # Panics
    ///
    /// If it is not within the bounds.
    pub const fn constant(count: u64) -> Self {
        assert!(LEAST <= count && count <= MOST, "out of bounds");
        Self(count)
    }

    /// The integer.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl OutOfBounds {
    fn below(least: u64) -> Self {
        Self(format!("must be at least {}", thousands(least)))
    }

    /// Makes an error of the library for the value with this name.
    pub fn named(self, what: &str) -> Error {
        Error::usage(self).context(what)
    }
}

fn within(count: u64, bounds: RangeInclusive<u64>) -> Result<u64, OutOfBounds> {
    if count < *bounds.start() {
        return Err(OutOfBounds::below(*bounds.start()));
    }
    match bounds.contains(&count) {
        true => Ok(count),
        false => Err(OutOfBounds(format!(
            "must be at most {}",
            thousands(*bounds.end())
        ))),
    }
}

impl<const LEAST: u64, const MOST: u64> TryFrom<u64> for Count<LEAST, MOST> {
    type Error = OutOfBounds;

    fn try_from(count: u64) -> Result<Self, OutOfBounds> {
        Self::new(count)
    }
}

impl<const LEAST: u64, const MOST: u64> FromStr for Count<LEAST, MOST> {
    type Err = OutOfBounds;

    /// Parses a count as people type it, such as `10485760`, `1.5M`, `64Mi` or `1e6`.
    fn from_str(text: &str) -> Result<Self, OutOfBounds> {
        count_between(text, LEAST..=MOST).map(Self)
    }
}

impl<const LEAST: u64, const MOST: u64> fmt::Display for Count<LEAST, MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<const LEAST: u64, const MOST: u64> fmt::Debug for Count<LEAST, MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Parses a count such as `10485760`, `10_485_760`, `1.5M`, `64Mi` or `1e6` within bounds.
///
/// K, M, G and T are powers of 1,000; Ki, Mi, Gi and Ti are powers of 1,024; case is ignored.
///
/// # Errors
///
/// A message if the text is not a count, or is out of bounds.
pub fn count_between(text: &str, bounds: RangeInclusive<u64>) -> Result<u64, OutOfBounds> {
    match signed(text).map_err(OutOfBounds)? {
        (false, count) => within(count, bounds),
        (true, _) => Err(OutOfBounds::below(*bounds.start())),
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
    let whole = parse_decimal(whole.as_bytes(), b",").ok_or_else(wrong)?;
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

/// Parses an integer below 2^128 in decimal, with underscores anywhere or separators between
/// thousands; `None` for any other text.
pub fn parse_decimal(text: &[u8], separators: &[u8]) -> Option<u128> {
    let mut number: u128 = 0;
    // Number of digits since the last separator, and whether there was one.
    let (mut group, mut is_grouped) = (0, false);
    let is_whole = |group, is_grouped| match is_grouped {
        true => group == 3,
        false => (1..=3).contains(&group),
    };
    for &byte in text {
        match byte {
            b'0'..=b'9' => {
                number = number.checked_mul(10)?;
                number = number.checked_add(u128::from(byte - b'0'))?;
                group += 1;
            }
            b'_' => {}
            _ if separators.contains(&byte) && is_whole(group, is_grouped) => {
                (group, is_grouped) = (0, true);
            }
            _ => return None,
        }
    }
    let is_number = if is_grouped { group == 3 } else { group > 0 };
    is_number.then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Deals = Count<1, 10_000_000_000_000_000>;
    type Batch = Count<1, { 64 << 30 }>;

    fn parsed<const LEAST: u64, const MOST: u64>(text: &str) -> Result<u64, String> {
        let count = text.parse::<Count<LEAST, MOST>>();
        count.map(Count::get).map_err(|error| error.to_string())
    }

    #[test]
    fn counts_have_bounds_however_they_are_made() {
        assert_eq!("10000T".parse(), Ok(Deals::MOST));
        let error = Deals::new(10_000_000_000_000_001).unwrap_err();
        assert_eq!(error.to_string(), "must be at most 10,000,000,000,000,000");
        assert_eq!("10_000_000_000_000_001".parse::<Deals>(), Err(error));
        let zero = OutOfBounds::below(1);
        assert_eq!(Deals::new(0), Err(zero.clone()));
        assert_eq!("-5".parse::<Batch>(), Err(zero));
        assert_eq!("64Gi".parse(), Ok(Batch::MOST));
        assert_eq!(
            parsed::<1_024, 2_048>("1k"),
            Err("must be at least 1,024".to_owned())
        );
        assert_eq!(
            parsed::<1, 128>("129"),
            Err("must be at most 128".to_owned())
        );
        assert_eq!(parsed::<10, 20>("9"), Err("must be at least 10".to_owned()));
        assert_eq!(
            parsed::<10, 20>("-12"),
            Err("must be at least 10".to_owned())
        );
        assert_eq!(
            parsed::<10, 20>("abc"),
            Err("not a number: `abc`".to_owned())
        );
        assert_eq!(
            parsed::<0, { u64::MAX }>("18446744073709551615"),
            Ok(u64::MAX)
        );
    }
}
