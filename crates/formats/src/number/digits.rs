//! Parsing of integers that people type.

use crate::count::parse_decimal;

/// The error for a text that is not a number below 2^128.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a number below 2^128 (decimal, or hex with 0x)", .0.escape_debug())]
pub struct NotANumber(String);

/// Parses an integer below 2^128 in decimal or, after `0x`, in hex: a deal's number, or a seed.
///
/// # Errors
///
/// [`NotANumber`] for any other text.
///
/// # Examples
///
/// ```
/// use fairdeal_formats::number::parse_number;
///
/// assert_eq!(parse_number("53,644,737"), Ok(53_644_737));
/// assert_eq!(parse_number("0xAD55_E315"), Ok(0xAD55_E315));
/// assert!(parse_number("-1").is_err());
/// ```
pub fn parse_number(text: &str) -> Result<u128, NotANumber> {
    number_of(text.as_bytes(), b",").ok_or_else(|| NotANumber(text.to_owned()))
}

/// The number in hex after `0x`, or in decimal as [`parse_decimal`] reads it.
pub fn number_of(text: &[u8], separators: &[u8]) -> Option<u128> {
    match text {
        [b'0', b'x' | b'X', hex @ ..] => from_hex(hex),
        _ => parse_decimal(text, separators),
    }
}

/// The number of hexadecimal digits, with underscores anywhere.
pub fn from_hex(digits: &[u8]) -> Option<u128> {
    let mut digits = digits.iter().filter(|&&byte| byte != b'_').peekable();
    digits.peek()?;
    digits.try_fold(0u128, |number, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(number.checked_mul(16)? | u128::from(digit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_128_bits_in_decimal_or_hex() {
        assert_eq!(parse_number("42"), Ok(42));
        assert_eq!(parse_number("53,644,737,765"), Ok(53_644_737_765));
        assert_eq!(parse_number("0xAD55_E315"), Ok(0xAD55_E315));
        assert_eq!(
            parse_number("0xffffffffffffffffffffffffffffffff"),
            Ok(u128::MAX)
        );
        for wrong in [
            "",
            "0x",
            "-1",
            "+1",
            "1,00",
            "0x1ffffffffffffffffffffffffffffffff",
            "seed",
        ] {
            assert!(parse_number(wrong).is_err(), "{wrong}");
        }
    }
}
