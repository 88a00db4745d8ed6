//! The steps, and the work that each does.

use fairdeal_bridge::{Seat, Strain, Suit};

/// The number of a column or, before columns are assigned, of the step that computes it.
pub type ColumnIndex = usize;

/// Computation of a column of words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WordWork {
    /// A seat's hands.
    Hand(Seat),
    /// Number of cards in each suit of these hands.
    Lengths(ColumnIndex),
    /// Points of each suit of these hands; they fit in 16 bits.
    Points(ColumnIndex, Box<[RankPoints]>),
    /// Losers of each suit.
    Losers {
        /// The hands.
        hands: ColumnIndex,
        /// Their suit lengths.
        lengths: ColumnIndex,
    },
}

/// Points of some ranks, as 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RankPoints {
    /// The ranks, as bits of a suit's holding.
    pub ranks: u16,
    /// Points of each of them.
    pub points: i16,
}

/// Points of some cards, as 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HeavyWeight {
    /// The cards, as a hand.
    pub cards: u64,
    /// Points of each of them.
    pub points: i32,
}

/// Computation of a column of values from words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MeasureWork {
    /// One suit of four.
    OfSuit(ColumnIndex, Suit),
    /// The sum of four suits, which fits in 16 bits.
    OfHand(ColumnIndex),
    /// Points that do not fit in 16 bits.
    HeavyPoints(ColumnIndex, Box<[HeavyWeight]>),
    /// Whether these hands have the card of this bit.
    Holds(ColumnIndex, u32),
    /// Whether these lengths are in the set.
    Pattern(ColumnIndex, Box<PatternBits>),
    /// Double-dummy tricks of this declarer in this strain, 0 for deals without a table.
    Tricks(Seat, Strain),
    /// The answer to a question about each hand, asked one by one ([`Answers`]).
    Ask {
        /// The hands.
        hands: ColumnIndex,
        /// Number of the question.
        question: usize,
    },
}

/// Computation of a column of values from other values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueWork {
    /// The same number in all cells.
    Number(i32),
    /// The answer to a question about each value, asked one by one ([`Answers`]).
    Ask {
        /// The values.
        values: ColumnIndex,
        /// Number of the question.
        question: usize,
    },
    /// An entry of a table; 0 for values outside it.
    Table {
        /// The values that are looked up.
        values: ColumnIndex,
        /// The value of the table's first entry.
        least: i32,
        /// The entries for `least` and the values that follow it.
        table: Box<[i32]>,
    },
    /// 1 from `least` to `most`, otherwise 0.
    Between {
        /// The values that are compared.
        values: ColumnIndex,
        /// The lower bound, included.
        least: i32,
        /// The upper bound, included.
        most: i32,
    },
    /// The value with the other sign.
    Negate(ColumnIndex),
    /// An operation on two values.
    Pair(Pairing, [ColumnIndex; 2]),
    /// The second where the first is not 0, otherwise the third.
    Choose([ColumnIndex; 3]),
}

/// Computation of a column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColumnWork {
    /// Gives words.
    Words(WordWork),
    /// Gives values, from words.
    Measure(MeasureWork),
    /// Gives values, from values.
    Values(ValueWork),
}

/// Operation on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pairing {
    /// For values that are 0 or 1.
    And,
    /// For values that are 0 or 1.
    Or,
    /// 1 if the values are equal, otherwise 0; so for all comparisons.
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// Rounds towards zero; 0 if the second value is 0.
    Divide,
    /// Has the sign of the first value; 0 if the second is 0.
    Remainder,
}

/// A set of patterns: bit S + 16 H + 256 D.
pub type PatternBits = [u32; 128];

impl ColumnWork {
    /// Visits the input columns.
    pub fn each_place(&mut self, mut visit: impl FnMut(&mut ColumnIndex)) {
        match self {
            Self::Words(WordWork::Hand(_))
            | Self::Measure(MeasureWork::Tricks(..))
            | Self::Values(ValueWork::Number(_)) => {}
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

    /// Returns whether the output column is of words.
    pub fn gives_words(&self) -> bool {
        matches!(self, Self::Words(_))
    }

    /// Returns whether the input columns are of words.
    pub fn takes_words(&self) -> bool {
        !matches!(self, Self::Values(_))
    }
}

/// One step of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Computes a column.
    Make {
        /// How it is computed.
        work: ColumnWork,
        /// The column.
        to: ColumnIndex,
    },
    /// Keeps the deals whose value is not 0, and sets aside those that fail.
    Pass {
        /// The values.
        values: ColumnIndex,
        /// Column whose cells are not 0 where a deal fails.
        failing: Option<ColumnIndex>,
    },
    /// Outputs a column and its failing cells.
    Give {
        /// The column.
        values: ColumnIndex,
        /// Column whose cells are not 0 where a deal fails.
        failing: Option<ColumnIndex>,
    },
}

impl Step {
    /// Returns whether hands or values are asked one by one.
    pub fn is_asked(&self) -> bool {
        let Self::Make { work, .. } = self else {
            return false;
        };
        matches!(
            work,
            ColumnWork::Measure(MeasureWork::Ask { .. })
                | ColumnWork::Values(ValueWork::Ask { .. })
        )
    }
}

/// Steps in order, and the number of columns that they need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// The steps.
    pub list: Vec<Step>,
    /// Number of columns of words.
    pub words: usize,
    /// Number of columns of values.
    pub values: usize,
    /// Number of results: of the steps that give a column.
    pub given: usize,
}

/// Source of the answers that steps cannot compute themselves.
pub trait Answers {
    /// Answers a question about a hand.
    fn of_hand(&self, question: usize, hand: u64) -> i32;
    /// Answers a question about a value.
    fn of_value(&self, question: usize, value: i32) -> i32;
}
