//! The honours of a hand as a 16-bit map, and the 38 lists of maps by HCP.
//!
//! Bit 15 = SA, 14 = SK, 13 = SQ, 12 = SJ, 11 = HA .. 0 = CJ, as in the dealing-with-constraints
//! essay. 65,399 of the 65,536 maps fit in thirteen cards; they are listed in ascending order of
//! HCP, and within one total in descending order.

use std::fmt;
use std::sync::LazyLock;

use super::{Card, Rank, Suit};

/// Number of maps that fit in a hand.
pub const HONOURS_COUNT: usize = 65_399;
/// Number of HCP totals of a hand, 0..=37.
pub const HCP_COUNT: usize = 38;

/// The set of honours of a hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Honours(u16);

impl Honours {
    /// The empty map.
    pub const NONE: Self = Self(0);

    /// Creates the map with these bits.
    #[inline]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Returns the bits: bit 15 = SA .. bit 0 = CJ.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Creates the map with these four bits of one suit, A K Q J from bit 3 down.
    #[inline]
    pub const fn of_suit(suit: Suit, nibble: u16) -> Self {
        Self((nibble & 0xF) << Self::shift(suit))
    }

    /// Creates the map of one honour; `None` for a spot card.
    #[inline]
    pub const fn of_card(card: Card) -> Option<Self> {
        if card.rank().is_honour() {
            Some(Self::of_suit(card.suit(), 8 >> card.rank().index()))
        } else {
            None
        }
    }

    /// Returns the four bits of a suit, A K Q J from bit 3 down.
    #[inline]
    pub const fn suit(self, suit: Suit) -> u16 {
        self.0 >> Self::shift(suit) & 0xF
    }

    #[inline]
    const fn shift(suit: Suit) -> u32 {
        12 - 4 * suit as u32
    }

    /// Returns the number of honours.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether there are no honours.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of honours in each suit.
    #[inline]
    pub fn counts(self) -> [u8; 4] {
        Suit::ALL.map(|suit| self.suit(suit).count_ones() as u8)
    }

    /// Returns whether the honours fit in thirteen cards.
    #[inline]
    pub const fn fits_in_a_hand(self) -> bool {
        self.len() <= 13
    }

    /// Returns the high-card points: A=4 K=3 Q=2 J=1.
    #[inline]
    pub const fn hcp(self) -> u32 {
        self.weighted([4, 3, 2, 1])
    }

    /// Returns the sum over the honours of the values of A K Q J.
    #[inline]
    pub const fn weighted(self, values: [u32; 4]) -> u32 {
        (self.0 & 0x8888).count_ones() * values[0]
            + (self.0 & 0x4444).count_ones() * values[1]
            + (self.0 & 0x2222).count_ones() * values[2]
            + (self.0 & 0x1111).count_ones() * values[3]
    }

    /// Returns the honours of both maps.
    #[must_use]
    #[inline]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether the maps have no common card.
    #[inline]
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// Returns all maps that fit in a hand, by ascending HCP, then descending.
    pub fn all() -> impl Iterator<Item = Self> {
        LISTS.maps.iter().map(|&bits| Self(bits))
    }

    /// Returns the maps with an HCP total, descending; none from 38 on.
    pub fn with_hcp(hcp: usize) -> impl Iterator<Item = Self> {
        let list = match (LISTS.starts.get(hcp), LISTS.starts.get(hcp + 1)) {
            (Some(&start), Some(&end)) => &LISTS.maps[start..end],
            _ => &[],
        };
        list.iter().map(|&bits| Self(bits))
    }
}

impl fmt::Display for Honours {
    /// Writes `A-K-Q-J A-K A-Q -` by suit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(32);
        for suit in Suit::ALL {
            if suit != Suit::Spades {
                text.push(' ');
            }
            let held = |rank: &Rank| self.suit(suit) & (8 >> rank.index()) != 0;
            let before = text.len();
            for rank in Rank::all().take(4).filter(held) {
                if text.len() > before {
                    text.push('-');
                }
                text.push(rank.letter());
            }
            if text.len() == before {
                text.push('-');
            }
        }
        f.pad(&text)
    }
}

struct Lists {
    maps: Box<[u16]>,
    /// Start of each HCP total, and the end of the last.
    starts: [usize; HCP_COUNT + 1],
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let mut maps: Vec<u16> = (0..=u16::MAX)
        .filter(|&bits| Honours(bits).fits_in_a_hand())
        .collect();
    maps.sort_by_key(|&bits| (Honours(bits).hcp(), std::cmp::Reverse(bits)));
    let starts = std::array::from_fn(|hcp| {
        maps.partition_point(|&bits| (Honours(bits).hcp() as usize) < hcp)
    });
    Lists {
        maps: maps.into_boxed_slice(),
        starts,
    }
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_65399_maps_in_38_lists_the_longest_4658_at_20_hcp() {
        assert_eq!(Honours::all().count(), HONOURS_COUNT);
        let lengths: Vec<usize> = (0..HCP_COUNT)
            .map(|hcp| Honours::with_hcp(hcp).count())
            .collect();
        assert_eq!(lengths.iter().sum::<usize>(), HONOURS_COUNT);
        assert_eq!(lengths.iter().max(), Some(&4_658));
        assert_eq!(lengths[20], 4_658);
        assert_eq!(lengths[..6], [1, 4, 10, 24, 51, 96]);
        assert_eq!(lengths[32..], [439, 268, 148, 64, 25, 4]);
        assert_eq!(Honours::with_hcp(38).count(), 0);
    }

    #[test]
    fn a_list_descends_and_holds_only_its_own_hcp() {
        for hcp in 0..HCP_COUNT {
            let list: Vec<Honours> = Honours::with_hcp(hcp).collect();
            assert!(list.is_sorted_by(|a, b| a > b));
            assert!(list.iter().all(|map| map.hcp() as usize == hcp));
        }
    }

    #[test]
    fn honours_are_written_by_suit() {
        assert_eq!(
            Honours::from_bits(0xFEEA).to_string(),
            "A-K-Q-J A-K-Q A-K-Q A-Q"
        );
        assert_eq!(Honours::from_bits(0x4001).to_string(), "K - - J");
        assert_eq!(Honours::NONE.to_string(), "- - - -");
    }
}
