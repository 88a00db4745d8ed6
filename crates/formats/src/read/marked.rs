//! Hands with a suit's letter or symbol before its ranks: `SAKQ3HJ42DQJ9CJ72`, `♠AKQ3 ♥J42 ♦QJ9 ♣J72`.

use super::cards::{DisjointHands, dash, first_rank, no_rank, suit};
use super::records::quoted;
use super::{Fault, other};
use crate::bridge::{Card, Seat, Suit};

/// The suit whose symbol begins a text, and the symbol's length in bytes.
pub(super) fn symbol(text: &[u8]) -> Option<(Suit, usize)> {
    // U+2660 to U+2667: four black or white symbols, then the other four.
    let &[0xE2, 0x99, last, ..] = text else {
        return None;
    };
    let suit = match last {
        0xA0 | 0xA4 => Suit::Spades,
        0xA1 | 0xA5 => Suit::Hearts,
        0xA2 | 0xA6 => Suit::Diamonds,
        0xA3 | 0xA7 => Suit::Clubs,
        _ => return None,
    };
    // A selector of the symbol's style may follow.
    let selector = matches!(text[3..], [0xEF, 0xB8, 0x8E | 0x8F, ..]);
    Some((suit, if selector { 6 } else { 3 }))
}

/// The suit whose letter or symbol begins a text, and its length in bytes.
pub(super) fn marker(text: &[u8]) -> Option<(Suit, usize)> {
    let letter = || Some((suit(*text.first()?)?, 1));
    symbol(text).or_else(letter)
}

/// Adds a hand: each suit's letter or symbol followed by its ranks, or by nothing or dashes for a
/// void. Spaces and colons are skipped.
pub(super) fn add_hand(hands: &mut DisjointHands, seat: Seat, text: &[u8]) -> Result<(), Fault> {
    let (mut now, mut rest) = (None, text);
    // Whether the suit has no card yet.
    let mut is_empty = false;
    while let Some((rank, after)) = first_rank(rest) {
        if let Some((suit, length)) = marker(rest) {
            (now, is_empty) = (Some(suit), true);
            rest = &rest[length..];
            continue;
        }
        if is_empty && dash(rest) > 0 {
            rest = &rest[dash(rest)..];
            continue;
        }
        match (rank, now) {
            (Err(b' ' | b':'), _) => {}
            (Ok(rank), Some(suit)) => {
                is_empty = false;
                hands.add(seat, Card::new(suit, rank))?;
            }
            (Ok(rank), None) => {
                let rank = rank.letter();
                return Err(other(format!(
                    "`{rank}` in {seat}'s hand comes before any suit"
                )));
            }
            (Err(letter), Some(suit)) => return Err(no_rank(seat, suit, letter)),
            (Err(letter), None) => {
                let letter = quoted(&[letter]);
                return Err(other(format!(
                    "{seat}'s hand begins with {letter}, which is not a suit"
                )));
            }
        }
        rest = after;
    }
    Ok(())
}

/// Whether a text is a hand with each suit's letter or symbol once, spades first.
pub(super) fn is_hand(text: &[u8]) -> bool {
    let mut suits = Suit::ALL.into_iter();
    let mut rest = text;
    while !rest.is_empty() {
        rest = match marker(rest) {
            Some((suit, length)) if suits.next() == Some(suit) => &rest[length..],
            Some(_) => return false,
            None if rest.len() == text.len() => return false,
            None => match (dash(rest), first_rank(rest)) {
                (0, Some((Ok(_), after))) => after,
                (0, _) => return false,
                (length, _) => &rest[length..],
            },
        };
    }
    suits.next().is_none()
}

/// Adds a hand in any spelling: four suits with letters or symbols, between dots or between
/// spaces.
pub(super) fn add_spelt(hands: &mut DisjointHands, seat: Seat, text: &[u8]) -> Result<(), Fault> {
    let count = |between: u8| text.iter().filter(|&&byte| byte == between).count();
    if marker(text).is_some() {
        add_hand(hands, seat, text)
    } else if count(b'.') == 3 {
        hands.add_hand(seat, text, b'.')
    } else if count(b' ') == 3 {
        hands.add_hand(seat, text, b' ')
    } else if text.is_empty() || text == b"-" {
        Ok(())
    } else {
        Err(other(format!("{} is not {seat}'s hand", quoted(text))))
    }
}

#[cfg(test)]
mod tests {
    use super::super::EntryKind;
    use super::super::cards::outcome;
    use super::*;

    const DEAL: &str = "N:KQ73.K9843.T532. AT98.6.Q96.AJT74 52.A5.A84.K86532 J64.QJT72.KJ7.Q9";

    fn read(texts: [&str; 4]) -> String {
        let mut hands = DisjointHands::default();
        let added = Seat::ALL.into_iter().zip(texts);
        let mut added = added.map(|(seat, text)| add_spelt(&mut hands, seat, text.as_bytes()));
        match added.find_map(Result::err) {
            Some(fault) => fault.to_string(),
            None => match outcome(Ok(hands)) {
                EntryKind::Deal(deal) => deal.to_string(),
                other => format!("{other:?}"),
            },
        }
    }

    #[test]
    fn hands_are_spelt_in_several_ways() {
        let rest = [
            "SAT98H6DQ96CAJT74",
            "♠52 ♥A5 ♦A84 ♣K86532",
            "J64 QJT72 KJ7 Q9",
        ];
        for north in [
            "SKQ73HK9843DT532C",
            "S:KQ73 H:K9843 D:10532 C:-",
            "♠KQ73♥K9843♦10532♣—",
            "♤\u{FE0F} KQ73 ♡\u{FE0F} K9843 ♢ T532 ♧",
            "kq73.k9843.t532.--",
            "KQ73 K9843 T532 -",
        ] {
            assert_eq!(read([north, rest[0], rest[1], rest[2]]), DEAL, "{north}");
        }
        let wrong = |north| read([north, rest[0], rest[1], rest[2]]);
        assert_eq!(wrong("KQ73"), "`KQ73` is not north's hand");
        assert_eq!(
            wrong("SKX"),
            "`X` in north's spades is not a rank (A K Q J T 9 .. 2)"
        );
    }

    #[test]
    fn a_hand_has_each_suit_once() {
        for hand in ["♠T9♥K976♦A85♣A943", "SHDC", "s-h-d-cAKQ", "♠10♥♦—♣"] {
            assert!(is_hand(hand.as_bytes()), "{hand}");
        }
        for other in [
            "",
            "S",
            "SAHKDQ",
            "HSDC",
            "SHDCS",
            "xSHDC",
            "SHDC.",
            "♠♠♥♦♣",
        ] {
            assert!(!is_hand(other.as_bytes()), "{other}");
        }
    }
}
