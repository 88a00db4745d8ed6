//! Suits, ranks and cards.

use std::fmt;

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
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the name in reports and conditions: `spades`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spades => "spades",
            Self::Hearts => "hearts",
            Self::Diamonds => "diamonds",
            Self::Clubs => "clubs",
        }
    }

    /// Returns the letter: `S`.
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
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the rank with this letter; capitals only, `T` for the ten.
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
    pub fn letter(self) -> char {
        char::from(Self::LETTERS.as_bytes()[self.index()])
    }

    /// Returns whether the rank is an honour in fairdeal: A, K, Q or J.
    #[inline]
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
    #[inline]
    pub const fn new(suit: Suit, rank: Rank) -> Self {
        Self(suit as u8 * 13 + rank.0)
    }

    /// Returns the card of the lowest bit of a hand's.
    #[inline]
    pub(super) const fn lowest(bits: u64) -> Self {
        let bit = bits.trailing_zeros() as u8;
        Self(bit / 16 * 13 + bit % 16)
    }

    /// Returns the whole deck in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..52).map(Self)
    }

    /// Returns the index in deck order, 0..52.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the suit.
    #[inline]
    pub const fn suit(self) -> Suit {
        Suit::ALL[self.index() / 13]
    }

    /// Returns the rank.
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
