//! Parsing of deals and endings from PBN deal strings.
//!
//! `N:AKQ.432.T98.7654 ... ... ...`: the first seat, then the four hands clockwise from it. A hand
//! is its spades, hearts, diamonds and clubs, separated by dots, with ranks in any order and
//! nothing or dashes for a void. A hand without cards is `-`.

use std::str::FromStr;

use super::{Card, Deal, Ending, Hand, InvalidDeal, Rank, Seat, Suit};

/// The error for a text that is not a deal or an ending.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// The text does not begin with a seat.
    #[error("a deal begins with N:, E:, S: or W:")]
    NoSeat,
    /// The number of hands is not four.
    #[error("{hands} hands instead of 4")]
    Hands {
        /// Number of hands.
        hands: usize,
    },
    /// The number of suits in a hand is not four.
    #[error("{seat} has {suits} suits instead of 4 (a void is an empty text between two dots)")]
    Suits {
        /// The seat.
        seat: Seat,
        /// Number of suits.
        suits: usize,
    },
    /// A character is not a rank.
    #[error("`{}` in {seat}'s {suit} is not a rank (A K Q J T 9 .. 2)", letter.escape_debug())]
    Rank {
        /// The seat.
        seat: Seat,
        /// The suit.
        suit: Suit,
        /// The character.
        letter: char,
    },
    /// A card occurs twice in a hand.
    #[error("{seat} holds {card} twice")]
    Twice {
        /// The seat.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// The hands are readable but not a deal: a card is in two hands, or a hand does not have
    /// thirteen cards.
    #[error(transparent)]
    Deal(#[from] InvalidDeal),
}

/// The characters of a void that is not an empty text: a hyphen, and the dashes of printed texts.
const DASHES: [char; 3] = ['-', '\u{2013}', '\u{2014}'];

impl Hand {
    /// Parses the hand of a seat, of any number of cards: `AKQ.432.T98.7654`.
    ///
    /// # Errors
    ///
    /// [`NotationError`] for the first problem in the text.
    pub fn parse(seat: Seat, text: &str) -> Result<Self, NotationError> {
        if text == "-" {
            return Ok(Self::EMPTY);
        }
        let suits = text.split('.').count();
        if suits != 4 {
            return Err(NotationError::Suits { seat, suits });
        }
        let mut hand = Self::EMPTY;
        for (suit, holding) in Suit::ALL.into_iter().zip(text.split('.')) {
            let is_void = holding.chars().all(|letter| DASHES.contains(&letter));
            for letter in holding.chars().filter(|_| !is_void) {
                let rank = Rank::from_letter(letter);
                let rank = rank.ok_or(NotationError::Rank { seat, suit, letter })?;
                let card = Card::new(suit, rank);
                if hand.contains(card) {
                    return Err(NotationError::Twice { seat, card });
                }
                hand = hand.union(Self::of(card));
            }
        }
        Ok(hand)
    }
}

impl FromStr for Ending {
    type Err = NotationError;

    /// # Errors
    ///
    /// [`NotationError`] for the first problem in the text.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut letters = text.trim().chars();
        let first = letters.next().and_then(Seat::from_letter);
        let rest = letters.as_str().strip_prefix(':');
        let (first, rest) = first.zip(rest).ok_or(NotationError::NoSeat)?;
        let count = rest.split_ascii_whitespace().count();
        if count != 4 {
            return Err(NotationError::Hands { hands: count });
        }
        let clockwise = Seat::ALL.into_iter().cycle().skip(first.index());
        let mut hands = [Hand::EMPTY; 4];
        for (seat, text) in clockwise.zip(rest.split_ascii_whitespace()) {
            hands[seat.index()] = Hand::parse(seat, text)?;
        }
        Ok(Self::new(hands)?)
    }
}

impl FromStr for Deal {
    type Err = NotationError;

    /// # Errors
    ///
    /// [`NotationError`] for the first problem in the text.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        Ok(text.parse::<Ending>()?.try_into()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3";

    #[test]
    fn a_deal_is_written_as_it_was_read() {
        let deal: Deal = EXAMPLE.parse().unwrap();
        assert_eq!(deal.to_string(), EXAMPLE);
        assert_eq!(Ending::from(deal).to_string(), EXAMPLE);
    }

    #[test]
    fn the_first_seat_and_the_order_of_ranks_do_not_matter() {
        let turned = "S:TJQK27.26.84T.6K A6543.789.357.3A 8.AKQT4.AJ6.247T  9.J53.KQ92.589JQ";
        assert_eq!(turned.parse::<Deal>().unwrap().to_string(), EXAMPLE);
    }

    #[test]
    fn a_void_may_be_dashes() {
        let deal: Deal = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
            .parse()
            .unwrap();
        for void in ["-", "--", "---", "\u{2013}", "\u{2014}"] {
            let text = format!(
                "N:AKQJT98765432.{void}.{void}.{void} {void}.AKQJT98765432.. \
                 ..AKQJT98765432.{void} .{void}.{void}.AKQJT98765432"
            );
            assert_eq!(text.parse(), Ok(deal), "{void}");
        }
        let both = "N:AKQJT9876543-2... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432";
        assert_eq!(
            both.parse::<Deal>().unwrap_err().to_string(),
            "`-` in north's spades is not a rank (A K Q J T 9 .. 2)"
        );
    }

    #[test]
    fn every_rank_has_its_letter() {
        for rank in Rank::all() {
            assert_eq!(Rank::from_letter(rank.letter()), Some(rank));
        }
        assert_eq!(Rank::from_letter('1'), None);
    }

    #[test]
    fn an_ending_has_fewer_cards_and_hands_without_any() {
        let ending: Ending = "W:K9.K9.9. - Q82..J.A ...".parse().unwrap();
        assert_eq!(ending.to_string(), "N:- Q82..J.A - K9.K9.9.");
        assert_eq!(ending.sizes(), [0, 5, 0, 5]);
        let none = Ending::default();
        assert_eq!(none.to_string().parse(), Ok(none));
    }

    #[test]
    fn what_is_wrong_is_said_exactly() {
        let said = |text: &str| text.parse::<Deal>().unwrap_err().to_string();
        let with = |old: &str, new: &str| said(&EXAMPLE.replacen(old, new, 1));
        assert_eq!(said("AKQ"), "a deal begins with N:, E:, S: or W:");
        assert_eq!(with("N:", "X:"), "a deal begins with N:, E:, S: or W:");
        assert_eq!(said("N:"), "0 hands instead of 4");
        assert_eq!(with(" A6543.987.753.A3", ""), "3 hands instead of 4");
        assert_eq!(
            with("9.J53.", "9J53."),
            "east has 3 suits instead of 4 (a void is an empty text between two dots)"
        );
        assert_eq!(
            with("J53", "\u{7}53"),
            "`\\u{7}` in east's hearts is not a rank (A K Q J T 9 .. 2)"
        );
        assert_eq!(with("J53", "5J53"), "east holds H5 twice");
        assert_eq!(with("9.J53", "8.J53"), "S8 is in two hands");
        assert_eq!(
            with("9.J53", "9.J5"),
            "east holds 12 cards instead of 13: H3 is in no hand"
        );
        assert_eq!(
            with("9.J53", ".J5"),
            "east holds 11 cards instead of 13: S9 is in no hand"
        );
        // Moves the king of diamonds from east to north.
        assert_eq!(
            said(
                &EXAMPLE
                    .replacen("KQ92", "Q92", 1)
                    .replacen("AJ6", "AKJ6", 1)
            ),
            "north holds 14 cards instead of 13"
        );
    }
}
