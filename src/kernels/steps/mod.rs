//! Flat lists of steps over columns of 128 cells: how expressions are valued for a whole packet.
//!
//! There are two kinds of columns: of words, 64 bits that hold a hand or four numbers of 16
//! bits, one a suit; and of values, 32 bits. Every step gives one column, made of the columns
//! of steps before it. What the steps mean, which columns they take and that no value leaves
//! its bits is settled by whoever makes the list ([`filter`](crate::filter)); here nothing can
//! fail, whatever stands in a column.

mod columns;
pub(super) mod run;
#[cfg(test)]
mod tests;

pub(crate) use columns::Columns;

use crate::bridge::{Seat, Suit};

/// The number of a column, or, before columns are given out, of the step that gives it.
pub(crate) type Place = usize;

/// What gives a column of words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WordWork {
    /// A seat's hands.
    Hand(Seat),
    /// How many cards of each suit these hands have.
    Lengths(Place),
    /// Points of each suit of these hands; they fit 16 bits.
    Points(Place, Box<[Weight]>),
    /// Losers of each suit.
    Losers {
        /// Of these hands.
        hands: Place,
        /// Which are so long.
        lengths: Place,
    },
}

/// What some ranks are worth, as 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Weight {
    /// The ranks, as a holding of theirs.
    pub(crate) ranks: u16,
    /// What each of them is worth.
    pub(crate) points: i16,
}

/// What some cards are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HeavyWeight {
    /// The cards, as a hand.
    pub(crate) cards: u64,
    /// What each of them is worth.
    pub(crate) points: i32,
}

/// What gives a column of values, taken from words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MeasureWork {
    /// One suit of four.
    OfSuit(Place, Suit),
    /// The sum of four suits, which fits 16 bits.
    OfHand(Place),
    /// Points that are too many for 16 bits.
    HeavyPoints(Place, Box<[HeavyWeight]>),
    /// Whether these hands have the card of this bit.
    Holds(Place, u32),
    /// Whether these lengths are in the set.
    Pattern(Place, Box<PatternBits>),
    /// What is asked elsewhere of every hand, one by one.
    Ask {
        hands: Place,
        /// Which question.
        question: usize,
    },
}

/// What gives a column of values, taken from other values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ValueWork {
    /// The same number everywhere.
    Number(i32),
    /// What is asked elsewhere of every value, one by one.
    Ask {
        values: Place,
        /// Which question.
        question: usize,
    },
    /// From a table; 0 for values outside.
    Table {
        values: Place,
        /// The value that comes first in the table.
        least: i32,
        /// What is given for it and those that follow.
        table: Box<[i32]>,
    },
    /// 1 from `least` to `most`, else 0.
    Between {
        values: Place,
        least: i32,
        most: i32,
    },
    Negate(Place),
    Pair(Pairing, [Place; 2]),
    /// The second where the first is not 0, else the third.
    Choose([Place; 3]),
}

/// What gives a column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Work {
    /// Of words.
    Words(WordWork),
    /// Of values, taken from words.
    Measure(MeasureWork),
    /// Of values, taken from values.
    Values(ValueWork),
}

/// How two values make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pairing {
    /// Of values that are 0 or 1.
    And,
    /// Of values that are 0 or 1.
    Or,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Plus,
    Minus,
    Times,
    /// Towards zero; 0 if the second is.
    Divide,
    /// With the sign of the first; 0 if the second is.
    Remainder,
}

/// A set of patterns: bit S + 16 H + 256 D.
pub(crate) type PatternBits = [u32; 128];

impl Work {
    /// Visits the columns that are taken.
    pub(crate) fn each_place(&mut self, mut visit: impl FnMut(&mut Place)) {
        match self {
            Self::Words(WordWork::Hand(_)) | Self::Values(ValueWork::Number(_)) => {}
            Self::Words(WordWork::Lengths(place) | WordWork::Points(place, _))
            | Self::Measure(
                MeasureWork::OfSuit(place, _)
                | MeasureWork::OfHand(place)
                | MeasureWork::HeavyPoints(place, _)
                | MeasureWork::Holds(place, _)
                | MeasureWork::Pattern(place, _)
                | MeasureWork::Ask { hands: place, .. },
            )
            | Self::Values(
                ValueWork::Ask { values: place, .. }
                | ValueWork::Table { values: place, .. }
                | ValueWork::Between { values: place, .. }
                | ValueWork::Negate(place),
            ) => visit(place),
            Self::Words(WordWork::Losers { hands, lengths }) => {
                [hands, lengths].into_iter().for_each(visit);
            }
            Self::Values(ValueWork::Pair(_, places)) => places.iter_mut().for_each(visit),
            Self::Values(ValueWork::Choose(places)) => places.iter_mut().for_each(visit),
        }
    }

    /// Whether the column that is given is of words.
    pub(crate) fn gives_words(&self) -> bool {
        matches!(self, Self::Words(_))
    }

    /// Whether the columns that are taken are of words.
    pub(crate) fn takes_words(&self) -> bool {
        !matches!(self, Self::Values(_))
    }
}

/// One step of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Makes a column.
    Make { work: Work, to: Place },
    /// Lets pass the deals whose value is not 0, and sets aside those that fail.
    Pass {
        values: Place,
        failing: Option<Place>,
    },
    /// Gives a column away, and says which of its cells fail.
    Give {
        values: Place,
        failing: Option<Place>,
    },
}

/// Steps in their order, and how many columns they need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Steps {
    pub(crate) list: Vec<Step>,
    pub(crate) words: usize,
    pub(crate) values: usize,
    pub(crate) given: usize,
}

/// Whom steps ask what they cannot find out themselves.
pub(crate) trait Answers {
    /// Something about a hand.
    fn of_hand(&self, question: usize, hand: u64) -> i32;
    /// Something about a value.
    fn of_value(&self, question: usize, value: i32) -> i32;
}
