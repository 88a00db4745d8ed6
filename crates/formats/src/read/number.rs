//! Deals from lines of numbers.

use super::notation::{self, decoded};
use super::{EntryKind, Fault, other};
use crate::bridge::Ending;
use crate::number::{Coding, OutOfRange, Scheme, from_hex, number_of, zbs};

/// Reads a line with a number of this scheme, or with four words for zbs.
pub(super) fn read(line: &[u8], scheme: Scheme) -> EntryKind {
    let beyond = |OutOfRange { number, count }| {
        other(format!(
            "{number} is above the largest number, {}",
            count - 1
        ))
    };
    let ending = match scheme.coding() {
        Coding::Deals { decode, .. } => number(line)
            .and_then(|number| decode(number).map_err(beyond))
            .map(Ending::from),
        Coding::Endings { decode, .. } => {
            number(line).and_then(|number| decode(number).map_err(beyond))
        }
        Coding::Words => words(line),
    };
    match ending {
        Ok(ending) => notation::what(*ending.hands()),
        Err(fault) => EntryKind::Invalid(fault),
    }
}

/// A number in decimal, optionally with commas or spaces between thousands and underscores
/// anywhere; or in hex after `0x`.
fn number(line: &[u8]) -> Result<u128, Fault> {
    number_of(line, b", ").ok_or_else(|| {
        let text = decoded(line);
        other(format!(
            "`{}` is not a number below 2^128 (decimal, or hex with 0x)",
            shortened(&text).escape_debug()
        ))
    })
}

/// The start of a text, short enough for an error message.
fn shortened(text: &str) -> &str {
    const LONGEST: usize = 60;
    let end = text.char_indices().nth(LONGEST).map(|(end, _)| end);
    &text[..end.unwrap_or(text.len())]
}

/// The hands of four words in hex, with or without `0x`.
fn words(line: &[u8]) -> Result<Ending, Fault> {
    let text = decoded(line);
    let words = text.split_ascii_whitespace().map(|word| {
        let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
        let digits = digits.unwrap_or(word);
        let number = from_hex(digits.as_bytes()).and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| {
            let word = shortened(word).escape_debug();
            other(format!("`{word}` is not a 32-bit word in hex"))
        })
    });
    let words: Vec<u32> = words.collect::<Result<_, _>>()?;
    let count = words.len();
    let words = words.try_into().map_err(|_| {
        other(format!(
            "{count} words instead of 4: spades, hearts, diamonds, clubs"
        ))
    })?;
    zbs::decode(words).map_err(|wrong| other(wrong.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::pavlicek;

    #[test]
    fn numbers_are_written_in_several_ways() {
        for text in [
            "15141025",
            "15,141,025",
            "15 141 025",
            "15_141_025",
            "0xE708A1",
            "0X00e708a1",
        ] {
            assert_eq!(number(text.as_bytes()), Ok(15_141_025), "{text}");
        }
        let most = u128::MAX.to_string();
        assert_eq!(number(most.as_bytes()), Ok(u128::MAX));
        assert_eq!(
            number(format!("{:#x}", u128::MAX).as_bytes()),
            Ok(u128::MAX)
        );
    }

    #[test]
    fn what_is_no_number_is_said() {
        let above = "340282366920938463463374607431768211456";
        let wrong = [
            "", "0x", "0x_", "-1", "+1", "1,5", "1,,000", ",1", "1,", "12a", above,
        ];
        for text in wrong {
            assert!(number(text.as_bytes()).is_err(), "{text}");
        }
        assert!(number(format!("0x1{:032x}", 0).as_bytes()).is_err());
        assert_eq!(
            number(b"seed").unwrap_err().to_string(),
            "`seed` is not a number below 2^128 (decimal, or hex with 0x)"
        );
        let EntryKind::Invalid(fault) = read(
            crate::bridge::combinatorics::DEALS.to_string().as_bytes(),
            Scheme::Andrews,
        ) else {
            panic!("it is beyond");
        };
        assert!(
            fault
                .to_string()
                .ends_with(" is above the largest number, 53644737765488792839237439999")
        );
    }

    #[test]
    fn words_are_four_in_hex() {
        let deal = pavlicek::decode(12_345_678_901_234_567_890).unwrap();
        let words = zbs::encode(&deal.into());
        for text in [
            words.map(|word| format!("{word:#010X}")).join(" "),
            words.map(|word| format!("{word:x}")).join("\t"),
        ] {
            assert_eq!(read(text.as_bytes(), Scheme::Zbs), EntryKind::Deal(deal));
        }
        assert!(matches!(read(b"1 2 3", Scheme::Zbs), EntryKind::Invalid(_)));
    }
}
