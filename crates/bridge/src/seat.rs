//! Seats, sides and vulnerability.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A seat at the table, clockwise from north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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
    pub fn pairs_of(seats: &[Self]) -> Vec<[Self; 2]> {
        let with_later = |(place, &seat): (usize, &Self)| {
            let later = seats[place + 1..].iter();
            later.map(move |&other| [seat, other])
        };
        seats.iter().enumerate().flat_map(with_later).collect()
    }

    /// Returns the index in [`Seat::ALL`], 0..4.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the seat with this index; `None` from 4 on.
    #[inline]
    pub fn from_index(index: usize) -> Option<Self> {
        Self::ALL.get(index).copied()
    }

    /// Returns the name in reports and conditions: `north`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::North => "north",
            Self::East => "east",
            Self::South => "south",
            Self::West => "west",
        }
    }

    /// Returns the seat with this name, as in conditions and options.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|seat| seat.name() == name)
    }

    /// Returns the letter: `N`.
    pub const fn letter(self) -> char {
        match self {
            Self::North => 'N',
            Self::East => 'E',
            Self::South => 'S',
            Self::West => 'W',
        }
    }

    /// Returns the seat with this letter; capitals only.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|seat| seat.letter() == letter)
    }

    /// Returns the seat across the table.
    #[must_use]
    #[inline]
    pub const fn partner(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }

    /// Returns the seat after this number of steps clockwise.
    #[must_use]
    #[inline]
    pub const fn turned(self, turns: usize) -> Self {
        Self::ALL[(self.index() + turns % 4) % 4]
    }

    /// Returns the side of the seat.
    #[inline]
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
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the letters of the seats: `NS` or `EW`.
    pub const fn letters(self) -> &'static str {
        match self {
            Self::NorthSouth => "NS",
            Self::EastWest => "EW",
        }
    }

    /// Returns the name in reports: `north-south`.
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

/// The vulnerable sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// Returns whether this side is vulnerable.
    #[inline]
    pub const fn is_of(self, side: Side) -> bool {
        match self {
            Self::None => false,
            Self::NorthSouth => matches!(side, Side::NorthSouth),
            Self::EastWest => matches!(side, Side::EastWest),
            Self::All => true,
        }
    }

    /// Returns the vulnerability after the hands have moved by this number of seats.
    #[must_use]
    #[inline]
    pub const fn turned(self, turns: usize) -> Self {
        match (self, turns % 2) {
            (Self::NorthSouth, 1) => Self::EastWest,
            (Self::EastWest, 1) => Self::NorthSouth,
            (same, _) => same,
        }
    }

    /// Returns the word in DealerV2_4: `none`, `ns`, `ew` or `both`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::NorthSouth => "ns",
            Self::EastWest => "ew",
            Self::All => "both",
        }
    }

    /// Returns the name in PBN.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::NorthSouth => "NS",
            Self::EastWest => "EW",
            Self::All => "All",
        }
    }
}
