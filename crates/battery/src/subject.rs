//! What a test is about: a seat, a suit, a lag, or all deals.

use super::parameters::RunParameters;
use crate::bridge::{Seat, Side, Suit};
use crate::tally::BoardValue;

/// The subject of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TestSubject {
    All,
    Seat(Seat),
    Side(Side),
    SeatSuit(Seat, Suit),
    SideSuit(Side, Suit),
    Suit(Suit),
    Seats([Seat; 2]),
    Lag(usize),
    /// Boards with those of the same number in the previous session.
    SessionBefore,
    Contrast(Contrast),
    /// The dealer's seat and the next ones, from 0.
    AfterDealer(usize),
    /// The boards of a session by a value.
    Board(BoardValue),
}

impl TestSubject {
    /// Returns all deals as the only subject.
    pub(super) fn all(_: &RunParameters) -> Vec<Self> {
        vec![Self::All]
    }

    /// Returns all deals as the only subject, or no subject.
    pub(super) fn all_if(is_made: bool) -> Vec<Self> {
        is_made.then_some(Self::All).into_iter().collect()
    }

    /// Returns every seat.
    pub(super) fn seats(_: &RunParameters) -> Vec<Self> {
        Seat::ALL.map(Self::Seat).to_vec()
    }

    /// Returns every suit of every seat.
    pub(super) fn seat_suits(_: &RunParameters) -> Vec<Self> {
        let suits = |seat| Suit::ALL.map(|suit| Self::SeatSuit(seat, suit));
        Seat::ALL.into_iter().flat_map(suits).collect()
    }

    /// Returns the lags at which most deals of a sequence have a predecessor.
    pub(super) fn lags(terms: &RunParameters, lags: impl Iterator<Item = usize>) -> Vec<Self> {
        let reached = lags.filter(|lag| terms.longest > 2 * *lag as u64);
        reached.map(Self::Lag).collect()
    }

    /// Returns the seat of a test of a single seat.
    pub(super) fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            _ => None,
        }
    }
}

impl std::fmt::Display for TestSubject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Seat(seat) => f.write_str(seat.name()),
            Self::Side(side) => f.write_str(side.name()),
            Self::SeatSuit(seat, suit) => write!(f, "{} {}", seat.name(), suit.name()),
            Self::SideSuit(side, suit) => write!(f, "{} {}", side.name(), suit.name()),
            Self::Suit(suit) => f.write_str(suit.name()),
            Self::Seats([one, other]) => write!(f, "{} and {}", one.name(), other.name()),
            Self::Lag(lag) => write!(f, "lag {lag}"),
            Self::SessionBefore => f.write_str("same board, previous session"),
            Self::Contrast(contrast) => f.write_str(contrast.name()),
            Self::AfterDealer(place) => {
                let names = ["dealer", "left of dealer", "partner of dealer"];
                f.write_str(names.get(*place).unwrap_or(&"right of dealer"))
            }
            Self::Board(BoardValue::Flatness) => f.write_str("flatness"),
            Self::Board(BoardValue::SidePoints) => f.write_str("HCP of north-south"),
        }
    }
}

/// Selected pairs of cards, counted when both are in one hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contrast {
    /// Neighbours in a suit.
    SuitNeighbours,
    /// Cards of the same rank.
    SameRank,
    /// Neighbours in the deck, including those of two suits.
    DeckNeighbours,
    /// Aces and kings.
    AcesAndKings,
}

impl Contrast {
    pub(super) const ALL: [Self; 4] = [
        Self::SuitNeighbours,
        Self::SameRank,
        Self::DeckNeighbours,
        Self::AcesAndKings,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::SuitNeighbours => "suit neighbours",
            Self::SameRank => "same rank",
            Self::DeckNeighbours => "deck neighbours",
            Self::AcesAndKings => "aces and kings",
        }
    }
}
