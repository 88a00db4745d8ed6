//! Hands under construction: cards are added one by one until they form a deal or a fault is
//! found.

use super::{EntryKind, Fault, notation, other};
use crate::bridge::{Card, Ending, Hand, InvalidDeal, NotationError, Rank, Seat, Suit};

/// Four disjoint hands; hands built by adding cards have at most thirteen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct DisjointHands([Hand; 4]);

impl DisjointHands {
    /// Adds a card.
    ///
    /// # Errors
    ///
    /// If the card was dealt before, or is the fourteenth card of the hand.
    pub(super) fn add(&mut self, seat: Seat, card: Card) -> Result<(), Fault> {
        if self.dealt().contains(card) {
            return Err(Fault::Twice { seat, card });
        }
        let hand = &mut self.0[seat.index()];
        *hand = hand.union(Hand::of(card));
        thirteen_at_most(seat, *hand)
    }

    /// Adds the ranks of a suit, in any order and in either case, the ten as `T` or `10`; a void is
    /// nothing or dashes.
    ///
    /// # Errors
    ///
    /// As for [`DisjointHands::add`], or if a letter is not a rank.
    pub(super) fn add_suit(&mut self, seat: Seat, suit: Suit, ranks: &[u8]) -> Result<(), Fault> {
        let mut rest = if is_void(ranks) { &[] } else { ranks };
        while let Some((rank, after)) = first_rank(rest) {
            let rank = rank.map_err(|letter| no_rank(seat, suit, letter))?;
            self.add(seat, Card::new(suit, rank))?;
            rest = after;
        }
        Ok(())
    }

    /// Adds a hand: its suits from spades down, separated by the byte `between`.
    ///
    /// # Errors
    ///
    /// As for [`DisjointHands::add_suit`], or if there are not four suits.
    pub(super) fn add_hand(&mut self, seat: Seat, hand: &[u8], between: u8) -> Result<(), Fault> {
        let suits = 1 + hand.iter().filter(|&&byte| byte == between).count();
        if suits != 4 {
            return Err(match between {
                b' ' => other(format!(
                    "{seat} has {suits} suits instead of 4 (a void is an empty text between two spaces)"
                )),
                _ => NotationError::Suits { seat, suits }.into(),
            });
        }
        let holdings = hand.split(|&byte| byte == between);
        for (suit, ranks) in Suit::ALL.into_iter().zip(holdings) {
            self.add_suit(seat, suit, ranks)?;
        }
        Ok(())
    }

    /// Gives the rest of the deck to the only seat without cards, if the other hands are complete.
    pub(super) fn give_rest(&mut self) {
        let rest = Hand::DECK.without(self.dealt());
        let mut empty = self.0.iter_mut().filter(|hand| hand.is_empty());
        if let (Some(hand), None) = (empty.next(), empty.next())
            && rest.len() == 13
        {
            *hand = rest;
        }
    }

    fn dealt(&self) -> Hand {
        self.0.into_iter().fold(Hand::EMPTY, Hand::union)
    }

    /// The first card with different owners in two sets of hands, and its owners; `None` for no
    /// owner.
    pub(super) fn first_difference(&self, other: &Self) -> Option<(Card, [Option<Seat>; 2])> {
        Card::all().find_map(|card| {
            let holders = [self, other].map(|hands| hands.holder(card));
            (holders[0] != holders[1]).then_some((card, holders))
        })
    }

    fn holder(&self, card: Card) -> Option<Seat> {
        let mut seats = Seat::ALL.into_iter();
        seats.find(|seat| self.0[seat.index()].contains(card))
    }

    /// The deal, or the reason why the hands are not one.
    pub(super) fn finish(self) -> EntryKind {
        notation::what(self.0)
    }
}

impl From<Ending> for DisjointHands {
    /// Converts hands of any size; [`DisjointHands::finish`] reports hands with more than thirteen cards.
    fn from(ending: Ending) -> Self {
        Self(*ending.hands())
    }
}

/// The result of reading hands: a deal, or the reason why they are not one.
pub(super) fn outcome(hands: Result<DisjointHands, Fault>) -> EntryKind {
    hands.map_or_else(EntryKind::Invalid, DisjointHands::finish)
}

fn thirteen_at_most(seat: Seat, hand: Hand) -> Result<(), Fault> {
    let cards = hand.len();
    if cards <= 13 {
        return Ok(());
    }
    let missing = None;
    Err(InvalidDeal::WrongCount {
        seat,
        cards,
        missing,
    }
    .into())
}

/// The card of this index in deck order, if there is one.
pub(super) fn card(index: usize) -> Option<Card> {
    let suit = *Suit::ALL.get(index / Rank::COUNT)?;
    let letter = Rank::LETTERS.as_bytes()[index % Rank::COUNT];
    Some(Card::new(suit, rank(letter)?))
}

/// The suit of this letter, in either case.
pub(super) fn suit(letter: u8) -> Option<Suit> {
    match letter.to_ascii_uppercase() {
        b'S' => Some(Suit::Spades),
        b'H' => Some(Suit::Hearts),
        b'D' => Some(Suit::Diamonds),
        b'C' => Some(Suit::Clubs),
        _ => None,
    }
}

/// Whether a text has nothing but dashes: hyphens, or dashes in UTF-8 or of Windows.
pub(super) fn is_void(text: &[u8]) -> bool {
    let mut rest = text;
    while !rest.is_empty() {
        match dash(rest) {
            0 => return false,
            length => rest = &rest[length..],
        }
    }
    true
}

/// Length in bytes of the dash that begins a text; 0 if none does.
pub(super) fn dash(text: &[u8]) -> usize {
    match text {
        [b'-' | 0x96 | 0x97, ..] => 1,
        [0xE2, 0x80, 0x93 | 0x94, ..] => 3,
        _ => 0,
    }
}

/// The first rank of a text, or the letter that is not a rank, and the rest of the text.
pub(super) fn first_rank(text: &[u8]) -> Option<(Result<Rank, u8>, &[u8])> {
    if let Some(after) = text.strip_prefix(b"10") {
        return Some((rank(b'T').ok_or(b'1'), after));
    }
    let (&letter, after) = text.split_first()?;
    Some((rank(letter).ok_or(letter), after))
}

fn rank(letter: u8) -> Option<Rank> {
    Rank::from_letter(char::from(letter.to_ascii_uppercase()))
}

/// The fault of a letter among the ranks of a suit that is not a rank.
pub(super) fn no_rank(seat: Seat, suit: Suit, letter: u8) -> Fault {
    let letter = char::from(letter);
    NotationError::Rank { seat, suit, letter }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HANDS: [&str; 4] = [
        "kq73.K9843.1053 2.",
        "AT98.6.Q96.AJT74",
        "52.A5.A84.K86532",
        "J64.QJT72.KJ7.Q9",
    ];

    fn hands(texts: &[&str]) -> Result<DisjointHands, Fault> {
        let mut hands = DisjointHands::default();
        for (seat, text) in Seat::ALL.into_iter().zip(texts) {
            hands.add_hand(seat, text.replace(' ', "").as_bytes(), b'.')?;
        }
        Ok(hands)
    }

    fn said(texts: &[&str]) -> String {
        match outcome(hands(texts)) {
            EntryKind::Deal(deal) => deal.to_string(),
            EntryKind::Incomplete(fault) | EntryKind::Invalid(fault) => fault.to_string(),
            EntryKind::Unused | EntryKind::Text => String::new(),
        }
    }

    #[test]
    fn a_deal_is_read_with_small_letters_and_tens_as_two_digits() {
        let deal = "N:KQ73.K9843.T532. AT98.6.Q96.AJT74 52.A5.A84.K86532 J64.QJT72.KJ7.Q9";
        assert_eq!(said(&HANDS), deal);
        let mut three = hands(&HANDS[..3]).unwrap();
        three.give_rest();
        assert_eq!(three, hands(&HANDS).unwrap());
    }

    #[test]
    fn the_rest_goes_to_no_seat_unless_it_is_a_hand() {
        let mut two = hands(&HANDS[..2]).unwrap();
        two.give_rest();
        assert_eq!(two, hands(&HANDS[..2]).unwrap());
        let mut short = hands(&[HANDS[0], HANDS[1], "52.A5.A84.K8653"]).unwrap();
        short.give_rest();
        assert_eq!(
            short.finish(),
            EntryKind::Incomplete(Fault::Missing { cards: 38 })
        );
    }

    #[test]
    fn what_is_wrong_is_said_exactly() {
        let with = |hand| said(&[HANDS[0], hand]);
        assert_eq!(with("AT98.6.Q96.AJT74"), "only 26 of 52 cards are dealt");
        assert_eq!(
            with("KT98.6.Q96.AJT74"),
            "SK appears twice, the second time in east's hand"
        );
        assert_eq!(
            with("AT98.66.Q96.AJT7"),
            "H6 appears twice, the second time in east's hand"
        );
        assert_eq!(
            with("AT98.6.Q96.AJT742"),
            "east holds 14 cards instead of 13"
        );
        assert_eq!(
            with("AT98.6.Q96"),
            "east has 3 suits instead of 4 (a void is an empty text between two dots)"
        );
        assert_eq!(
            with("AX98.6.Q96.AJT742"),
            "`X` in east's spades is not a rank (A K Q J T 9 .. 2)"
        );
    }

    #[test]
    fn a_void_may_be_dashes() {
        let deal = said(&HANDS);
        for void in [&b"-"[..], b"--", b"---", "\u{2014}".as_bytes(), b"\x96"] {
            let mut hands = DisjointHands::default();
            for (seat, text) in Seat::ALL.into_iter().zip(HANDS) {
                let text = text.replace(' ', "");
                let mut text = text.into_bytes();
                if text.ends_with(b".") {
                    text.extend(void);
                }
                hands.add_hand(seat, &text, b'.').unwrap();
            }
            let EntryKind::Deal(read) = hands.finish() else {
                panic!("{void:?}");
            };
            assert_eq!(read.to_string(), deal);
        }
    }

    #[test]
    fn every_index_has_its_card() {
        for known in Card::all() {
            assert_eq!(card(known.index()), Some(known));
        }
        assert_eq!(card(52), None);
    }
}
