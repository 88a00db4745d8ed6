//! PBN deal strings of files: valid, incomplete or invalid.
//!
//! Nearly all of the millions of strings in a file are valid: a fast reader handles them in one
//! pass. For the others, the reader of [`crate::bridge`] reports the fault.

use super::{EntryKind, Fault};
use crate::bridge::{Deal, Ending, Hand, InvalidDeal, NotationError, Rank, Seat, Vulnerable};

/// Length of a deal string: `N:`, 52 cards, 12 dots and 3 spaces.
const DEAL_LENGTH: usize = 2 + 52 + 12 + 3;

/// Flags of a byte, above the bits of its rank.
const DOT: u32 = 1 << 16;
const SPACE: u32 = 1 << 17;
const OTHER: u32 = 1 << 18;

/// The meaning of each byte in a deal string: the bit of a rank, or a flag.
const MEANING: [u32; 256] = {
    let mut meaning = [OTHER; 256];
    let letters = Rank::LETTERS.as_bytes();
    let mut rank = 0;
    while rank < letters.len() {
        meaning[letters[rank] as usize] = 1 << rank;
        meaning[letters[rank].to_ascii_lowercase() as usize] = 1 << rank;
        rank += 1;
    }
    meaning[b'.' as usize] = DOT;
    meaning[b' ' as usize] = SPACE;
    meaning
};

/// The deal of a valid string in the usual spelling; `None` for any other string.
fn deal(text: &[u8]) -> Option<Deal> {
    let (&[first, b':'], cards) = text.split_first_chunk()? else {
        return None;
    };
    if text.len() != DEAL_LENGTH {
        return None;
    }
    // Suit after suit; each is stored after every byte, so that no branch is needed.
    let mut lanes = [0; 16];
    let (mut lane, mut ranks, mut spaces, mut seen) = (0, 0, 0, 0);
    for &byte in cards {
        let meaning = MEANING[usize::from(byte)];
        seen |= meaning;
        let ends = (meaning >> 16 | meaning >> 17) & 1;
        lanes[lane & 15] = ranks | meaning as u16;
        ranks = (ranks | meaning as u16) & (ends as u16).wrapping_sub(1);
        spaces |= (meaning >> 17 & 1) << (lane & 15);
        lane += ends as usize;
    }
    // Spaces end every fourth suit except the last; dots end the others.
    if seen & OTHER != 0 || lane != 15 || spaces != 0b1000_1000_1000 {
        return None;
    }
    let first = seat(first)?.index();
    let mut hands = [Hand::EMPTY; 4];
    for (place, suits) in lanes.chunks_exact(4).enumerate() {
        let bits = (0..4).fold(0, |bits, suit| bits | u64::from(suits[suit]) << (16 * suit));
        hands[(first + place) % 4] = Hand::from_bits(bits);
    }
    deal_of(hands)
}

/// The deal of these hands, if each has thirteen cards and they form the deck.
pub(super) fn deal_of(hands: [Hand; 4]) -> Option<Deal> {
    let dealt = hands.into_iter().fold(Hand::EMPTY, Hand::union);
    let is_deal = dealt == Hand::DECK && hands.iter().all(|hand| hand.len() == 13);
    is_deal.then(|| Deal::by_construction(hands))
}

/// The seat of this letter, in either case.
pub(super) fn seat(letter: u8) -> Option<Seat> {
    Seat::from_letter(char::from(letter.to_ascii_uppercase()))
}

/// The vulnerability of this word of PBN, BigDeal, BEN or a JSON board, in either case.
pub(super) fn vulnerable(word: &[u8]) -> Option<Vulnerable> {
    let word = word.trim_ascii().to_ascii_lowercase();
    Some(match &*word {
        b"none" | b"love" | b"-" => Vulnerable::None,
        b"ns" | b"n-s" => Vulnerable::NorthSouth,
        b"ew" | b"e-w" => Vulnerable::EastWest,
        b"all" | b"both" => Vulnerable::All,
        _ => return None,
    })
}

/// The result for these hands, which must be disjoint.
pub(super) fn what(hands: [Hand; 4]) -> EntryKind {
    if let Some(deal) = deal_of(hands) {
        return EntryKind::Deal(deal);
    }
    let wrong = match Deal::new(hands) {
        Ok(deal) => return EntryKind::Deal(deal),
        Err(wrong) => wrong,
    };
    match wrong {
        InvalidDeal::WrongCount { cards: 0..13, .. } => {
            let cards = hands.iter().map(|hand| hand.len()).sum();
            // One missing card is named; for several missing cards only their number is given.
            EntryKind::Incomplete(if cards < 51 {
                Fault::Missing { cards }
            } else {
                wrong.into()
            })
        }
        _ => EntryKind::Invalid(wrong.into()),
    }
}

/// Reads a PBN deal string.
pub(super) fn read(text: &[u8]) -> EntryKind {
    if let Some(deal) = deal(text) {
        return EntryKind::Deal(deal);
    }
    match ending(text) {
        Ok(ending) => what(*ending.hands()),
        Err(wrong) => EntryKind::Invalid(wrong.into()),
    }
}

/// The hands of a PBN deal string; ranks may be lower case, and the ten may be `10`.
pub(super) fn ending(text: &[u8]) -> Result<Ending, NotationError> {
    let text = decoded(text).replace("10", "T");
    let letters = text
        .chars()
        .enumerate()
        .map(|(place, letter)| match letter {
            'a' | 'k' | 'q' | 'j' | 't' => letter.to_ascii_uppercase(),
            'n' | 'e' | 's' | 'w' if place == 0 => letter.to_ascii_uppercase(),
            // The dashes of Windows, read as Latin-1.
            '\u{96}' | '\u{97}' => '-',
            _ => letter,
        });
    letters.collect::<String>().parse()
}

/// The text of bytes: UTF-8 if valid, otherwise Latin-1, in which every byte is a character.
pub(super) fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3";

    fn said(text: &str) -> String {
        match read(text.as_bytes()) {
            EntryKind::Deal(deal) => deal.to_string(),
            EntryKind::Incomplete(fault) => format!("incomplete: {fault}"),
            EntryKind::Invalid(fault) => format!("invalid: {fault}"),
            EntryKind::Unused | EntryKind::Text => String::new(),
        }
    }

    #[test]
    fn strings_of_the_common_kind_are_read_at_once() {
        assert_eq!(deal(EXAMPLE.as_bytes()), EXAMPLE.parse().ok());
        let turned = "w:a6543.987.753.A3 8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6";
        assert_eq!(deal(turned.as_bytes()), EXAMPLE.parse().ok());
        for wrong in [
            EXAMPLE.replacen(".AKQ", " AKQ", 1),
            EXAMPLE.replacen("742 9", "742.9", 1),
            EXAMPLE.replacen("9.J53", "8.J53", 1),
            EXAMPLE.replacen("N:", "N ", 1),
            EXAMPLE.replacen("N:", "X:", 1),
        ] {
            assert_eq!(deal(wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_wrong_comes_before_what_is_missing() {
        let with = |old: &str, new: &str| said(&EXAMPLE.replacen(old, new, 1));
        assert_eq!(with("N:", "n:"), EXAMPLE);
        assert_eq!(
            with("J53", "J5"),
            "incomplete: east holds 12 cards instead of 13: H3 is in no hand"
        );
        assert_eq!(
            with("A6543.987.753.A3", "-"),
            "incomplete: only 39 of 52 cards are dealt"
        );
        assert_eq!(
            with("A6543.987.753.A3", "8..."),
            "invalid: S8 is in two hands"
        );
        assert_eq!(with("9.J53", "8.J5"), "invalid: S8 is in two hands");
        assert_eq!(
            said("N:AKQJT98765432.A.. - - -"),
            "invalid: north holds 14 cards instead of 13"
        );
    }

    #[test]
    fn bytes_that_are_no_utf_8_are_latin_1() {
        assert_eq!(decoded(b"M\xFCnchen"), "München");
        assert_eq!(decoded("München".as_bytes()), "München");
    }
}
