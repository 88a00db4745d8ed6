//! Deals as diagrams around the compass.

use crate::bridge::{Deal, Hand, Seat, Suit};
use crate::printable::printable;

/// A deal with its name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Diagram {
    pub(super) name: String,
    pub(super) hands: Vec<HandShown>,
}

/// A hand by suits.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HandShown {
    /// `north`
    pub(super) seat: &'static str,
    /// `North`
    pub(super) title: String,
    pub(super) hcp: u32,
    /// Class, sign and cards of each suit.
    pub(super) suits: Vec<(&'static str, char, String)>,
}

/// The sign of a suit.
fn sign(suit: Suit) -> char {
    match suit {
        Suit::Spades => '♠',
        Suit::Hearts => '♥',
        Suit::Diamonds => '♦',
        Suit::Clubs => '♣',
    }
}

/// A word with a capital letter.
pub(super) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn shown(seat: Seat, hand: Hand) -> HandShown {
    let suits = Suit::ALL.map(|suit| {
        let of_suit = hand.cards().filter(|card| card.suit() == suit);
        let ranks: Vec<String> = of_suit
            .map(|card| match card.rank().letter() {
                'T' => "10".to_owned(),
                letter => letter.to_string(),
            })
            .collect();
        let ranks = match ranks.is_empty() {
            true => "—".to_owned(),
            false => ranks.join(" "),
        };
        (suit.name(), sign(suit), ranks)
    });
    HandShown {
        seat: seat.name(),
        title: capital(seat.name()),
        hcp: hand.hcp(),
        suits: suits.into(),
    }
}

pub(super) fn diagrams(samples: &[(String, Deal)]) -> Vec<Diagram> {
    let each = samples.iter().map(|(name, deal)| Diagram {
        name: printable(name).into_owned(),
        hands: Seat::ALL.map(|seat| shown(seat, deal.hand(seat))).into(),
    });
    each.collect()
}
