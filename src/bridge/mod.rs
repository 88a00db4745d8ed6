//! Basic types: seats, suits, ranks, cards, hands and deals.
//!
//! This module does not depend on conditions, cases or random numbers. It defines two orders that
//! the rest of the crate relies on: the **deck order** SA SK .. S2 HA .. C2, in which a card's
//! index is 0..52, and the orders of patterns and honours in [`pattern`] and [`honours`].

pub mod combinatorics;
mod deal;
mod ending;
mod hand;
pub mod honours;
mod notation;
pub mod pattern;

pub use deal::{Deal, InvalidDeal};
pub use ending::Ending;
pub use hand::{Hand, Holding};
pub use honours::Honours;
pub use notation::NotationError;
pub use pattern::{Pattern, PatternIndex, Shape, ShapeIndex};

use std::fmt;

/// A seat at the table, clockwise from north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Seat {
    /// North, 0 in files.
    North = 0,
    /// East, 1 in files.
    East = 1,
    /// South, 2 in files.
    South = 2,
    /// West, 3 in files.
    West = 3,
}

impl Seat {
    /// The four seats clockwise from north, the order of every report.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// Returns every pair of these seats, in their order.
    #[must_use]
    pub fn pairs_of(seats: &[Self]) -> Vec<[Self; 2]> {
        let with_later = |(place, &seat): (usize, &Self)| {
            let later = seats[place + 1..].iter();
            later.map(move |&other| [seat, other])
        };
        seats.iter().enumerate().flat_map(with_later).collect()
    }

    /// Returns the index in [`Seat::ALL`], 0..4.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the seat with this index; `None` from 4 on.
    #[must_use]
    pub fn from_index(index: usize) -> Option<Self> {
        Self::ALL.get(index).copied()
    }

    /// Returns the name in reports and conditions: `north`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::North => "north",
            Self::East => "east",
            Self::South => "south",
            Self::West => "west",
        }
    }

    /// Returns the seat with this name, as in conditions and options.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|seat| seat.name() == name)
    }

    /// Returns the letter: `N`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::North => 'N',
            Self::East => 'E',
            Self::South => 'S',
            Self::West => 'W',
        }
    }

    /// Returns the seat with this letter; capitals only.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|seat| seat.letter() == letter)
    }

    /// Returns the seat across the table.
    #[must_use]
    pub const fn partner(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }

    /// Returns the side of the seat.
    #[must_use]
    pub const fn side(self) -> Side {
        match self {
            Self::North | Self::South => Side::NorthSouth,
            Self::East | Self::West => Side::EastWest,
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A pair of partners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    /// North and south.
    NorthSouth = 0,
    /// East and west.
    EastWest = 1,
}

impl Side {
    /// Both sides, in the order of every report.
    pub const ALL: [Self; 2] = [Self::NorthSouth, Self::EastWest];

    /// Returns the index in [`Side::ALL`].
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the name in reports: `north-south`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NorthSouth => "north-south",
            Self::EastWest => "east-west",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One of the four suits, spades first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Suit {
    /// Spades.
    Spades = 0,
    /// Hearts.
    Hearts = 1,
    /// Diamonds.
    Diamonds = 2,
    /// Clubs.
    Clubs = 3,
}

impl Suit {
    /// The suits from spades down, the order of patterns and honours.
    pub const ALL: [Self; 4] = [Self::Spades, Self::Hearts, Self::Diamonds, Self::Clubs];

    /// Returns the index in [`Suit::ALL`], 0..4.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the name in reports and conditions: `spades`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spades => "spades",
            Self::Hearts => "hearts",
            Self::Diamonds => "diamonds",
            Self::Clubs => "clubs",
        }
    }

    /// Returns the letter: `S`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Spades => 'S',
            Self::Hearts => 'H',
            Self::Diamonds => 'D',
            Self::Clubs => 'C',
        }
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A card's rank: 0 is the ace, 12 the deuce. The first four are the honours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(u8);

impl Rank {
    /// Number of ranks.
    pub const COUNT: usize = 13;

    /// The letters of the ranks from the ace down.
    pub const LETTERS: &'static str = "AKQJT98765432";

    /// Returns all thirteen ranks, the ace first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..13).map(Self)
    }

    /// Returns the index, counted from the ace down, 0..13.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the rank with this letter; capitals only, `T` for the ten.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let place = match letter {
            'A' => 0,
            'K' => 1,
            'Q' => 2,
            'J' => 3,
            'T' => 4,
            '2'..='9' => 5 + (b'9' - letter as u8),
            _ => return None,
        };
        Some(Self(place))
    }

    /// Returns the letter.
    #[must_use]
    pub fn letter(self) -> char {
        char::from(Self::LETTERS.as_bytes()[self.index()])
    }

    /// Returns whether the rank is an honour in fairdeal: A, K, Q or J.
    #[must_use]
    pub const fn is_honour(self) -> bool {
        self.0 < 4
    }
}

/// A card: its index in deck order, 0 = SA .. 51 = C2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card(u8);

impl Card {
    /// Number of cards in a deck.
    pub const COUNT: usize = 52;

    /// Returns the card of a suit and a rank.
    #[must_use]
    pub const fn new(suit: Suit, rank: Rank) -> Self {
        Self(suit as u8 * 13 + rank.0)
    }

    /// Returns the whole deck in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..52).map(Self)
    }

    /// Returns the index in deck order, 0..52.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the suit.
    #[must_use]
    #[inline]
    pub const fn suit(self) -> Suit {
        Suit::ALL[self.index() / 13]
    }

    /// Returns the rank.
    #[must_use]
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank(self.0 % 13)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.suit().letter(), self.rank().letter())
    }
}

/// The vulnerable sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vulnerable {
    /// Neither.
    None,
    /// North-south.
    NorthSouth,
    /// East-west.
    EastWest,
    /// Both.
    All,
}

impl Vulnerable {
    /// Returns the name in PBN.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::NorthSouth => "NS",
            Self::EastWest => "EW",
            Self::All => "All",
        }
    }
}
