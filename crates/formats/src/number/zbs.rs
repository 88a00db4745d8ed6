//! Any diagram as four words of 32 bits, one for each suit (*Mapping Bridge Endings*, and its
//! author's ZBS format).
//!
//! The thirteen cards of a suit are digits of a number below 5^13: 0 if the card is unused, and 1
//! to 4 for north, east, south and west; the ace is the least significant. The highest bit is a
//! flag. The essay sets it in a word that is part of a deal, and so does [`encode`] in all four
//! words. The author's page of the format says that the flag means that the next word belongs to
//! the same deal, so that clubs do not have it. [`decode`] reads both variants.

use crate::bridge::{Ending, Hand, Suit};

/// 5^13, the number of words of a suit: 31 bits.
pub const SUIT_COUNT: u32 = 5u32.pow(13);

/// The flag in a word that is part of a deal.
pub const FLAG: u32 = 1 << 31;

const _: () = assert!(SUIT_COUNT == 1_220_703_125 && SUIT_COUNT < FLAG);

/// The error for four words that are not a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordError {
    /// A word, without its flag, is not below 5^13.
    #[error(
        "the word of the {suit}, {word:#010X}, is not below 5^13 = {SUIT_COUNT} without its flag"
    )]
    TooLarge {
        /// The suit of the word.
        suit: Suit,
        /// The word with its flag.
        word: u32,
    },
    /// One of the first three words has no flag.
    #[error(
        "the word of the {suit}, {word:#010X}, is not flagged as part of a deal: add 0x80000000"
    )]
    NoFlag {
        /// The suit of the word.
        suit: Suit,
        /// The word.
        word: u32,
    },
}

/// Returns the words of spades, hearts, diamonds and clubs, all with the flag.
pub fn encode(ending: &Ending) -> [u32; 4] {
    Suit::ALL.map(|suit| {
        let lanes = ending
            .hands()
            .map(|hand| u64::from(hand.holding(suit).bits()));
        let digits = (0..13).rev();
        let number = digits.fold(0, |number, rank| {
            5 * number + super::base5::digit(&lanes, rank)
        });
        number as u32 | FLAG
    })
}

/// Returns the words of [`encode`] as a line: `0x` and eight digits each.
pub(crate) fn text(ending: &Ending) -> String {
    encode(ending).map(|word| format!("{word:#010X}")).join(" ")
}

/// Returns the diagram of these words, spades first.
///
/// # Errors
///
/// [`WordError`] if one of the first three has no flag, or a word is too large.
pub fn decode(words: [u32; 4]) -> Result<Ending, WordError> {
    let mut hands = [0; 5];
    for (suit, word) in Suit::ALL.into_iter().zip(words) {
        if word & FLAG == 0 && suit != Suit::Clubs {
            return Err(WordError::NoFlag { suit, word });
        }
        let mut number = word & !FLAG;
        if number >= SUIT_COUNT {
            return Err(WordError::TooLarge { suit, word });
        }
        for rank in 0..13 {
            hands[(number % 5) as usize] |= 1 << (16 * suit.index() + rank);
            number /= 5;
        }
    }
    let [_, north, east, south, west] = hands;
    let hands = [north, east, south, west].map(Hand::from_bits);
    Ok(Ending::by_construction(hands))
}
