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
/// use fairdeal::number::parse_number;
///
/// assert_eq!(parse_number("53,644,737"), Ok(53_644_737));
/// assert_eq!(parse_number("0xAD55_E315"), Ok(0xAD55_E315));
/// assert!(parse_number("-1").is_err());
/// ```
pub fn parse_number(text: &str) -> Result<u128, NotANumber> {
    let number = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(hex) if hex.contains('+') => None,
        Some(hex) => u128::from_str_radix(&hex.replace('_', ""), 16).ok(),
        None => parse_decimal(text),
    };
    number.ok_or_else(|| NotANumber(text.to_owned()))
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
