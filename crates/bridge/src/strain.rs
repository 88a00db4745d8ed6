//! Strains: no-trumps, or a suit as trumps.

use std::fmt;

use super::Suit;

/// The strain of a contract.
///
/// Strains are ordered as players list them: no-trumps, spades, hearts, diamonds, clubs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strain {
    /// No-trumps.
    NoTrumps,
    /// A suit as trumps.
    Trumps(Suit),
}

impl Strain {
    /// Number of strains.
    pub const COUNT: usize = 5;

    /// The strains from no-trumps down to clubs.
    pub const ALL: [Self; Self::COUNT] = [
        Self::NoTrumps,
        Self::Trumps(Suit::Spades),
        Self::Trumps(Suit::Hearts),
        Self::Trumps(Suit::Diamonds),
        Self::Trumps(Suit::Clubs),
    ];

    /// Returns the index in [`Strain::ALL`], 0..5.
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Self::NoTrumps => 0,
            Self::Trumps(suit) => 1 + suit.index(),
        }
    }

    /// Returns the name in PBN: `NT`, `S`, `H`, `D`, `C`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoTrumps => "NT",
            Self::Trumps(Suit::Spades) => "S",
            Self::Trumps(Suit::Hearts) => "H",
            Self::Trumps(Suit::Diamonds) => "D",
            Self::Trumps(Suit::Clubs) => "C",
        }
    }
}

impl fmt::Display for Strain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
