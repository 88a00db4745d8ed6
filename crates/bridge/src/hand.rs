//! Hands as bits: four lanes of sixteen bits, one for each suit.

use std::fmt;

use super::{Card, Honours, Pattern, Rank, Suit};

/// The cards of one suit: bit 0 is the ace, bit 12 the deuce.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Holding(u16);

impl Holding {
    /// A whole suit.
    pub const FULL: Self = Self(0x1FFF);

    /// Creates the holding with these bits; bits above bit 12 are dropped.
    #[inline]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::FULL.0)
    }

    /// Returns the bits: bit 0 is the ace, bit 12 the deuce.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Returns the number of cards.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the holding is a void.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Writes the letters of the ranks from the ace down, and returns the rest of the buffer.
    fn letters(self, mut text: &mut [u8]) -> &mut [u8] {
        let mut rest = self.0;
        while rest != 0 {
            text[0] = Rank::LETTERS.as_bytes()[rest.trailing_zeros() as usize];
            text = &mut text[1..];
            rest &= rest - 1;
        }
        text
    }
}

/// Writes the bytes of a buffer except the last `left`.
fn write_before(f: &mut fmt::Formatter<'_>, text: &[u8], left: usize) -> fmt::Result {
    let text = &text[..text.len() - left];
    f.write_str(std::str::from_utf8(text).map_err(|_| fmt::Error)?)
}

impl fmt::Display for Holding {
    /// Writes the ranks from the ace down; nothing for a void, as in PBN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; 13];
        let left = self.letters(&mut text).len();
        write_before(f, &text, left)
    }
}

/// Any set of cards, usually the thirteen of one player.
///
/// Four 16-bit lanes in a `u64`, spades in the lowest. In each lane, bits 0-3 are A K Q J and bits
/// 4-12 the nine spot cards. Ascending bits are ascending cards in deck order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hand(u64);

impl Hand {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All fifty-two cards.
    pub const DECK: Self = Self(0x1FFF_1FFF_1FFF_1FFF);
    /// The thirty-six spot cards T .. 2.
    pub const SPOTS: Self = Self(0x1FF0_1FF0_1FF0_1FF0);
    /// The sixteen honours A K Q J.
    pub const HONOURS: Self = Self(0x000F_000F_000F_000F);

    /// Creates the hand with these lanes; bits outside the deck are dropped.
    #[inline]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits & Self::DECK.0)
    }

    /// Returns the lanes.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns all cards of a suit.
    #[inline]
    pub const fn whole_suit(suit: Suit) -> Self {
        Self((Holding::FULL.0 as u64) << (16 * suit as u32))
    }

    /// Returns the number of cards.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether there are no cards.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the cards of a suit.
    #[inline]
    pub const fn holding(self, suit: Suit) -> Holding {
        Holding((self.0 >> (16 * suit as u32)) as u16)
    }

    /// Returns whether the hand contains a card.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 & Self::of(card).0 != 0
    }

    /// Returns the hand of a single card.
    #[inline]
    pub const fn of(card: Card) -> Self {
        Self(1 << (16 * card.suit() as u32 + card.rank().index() as u32))
    }

    /// Returns the cards in either hand.
    #[must_use]
    #[inline]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the cards in both hands.
    #[must_use]
    #[inline]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the cards of this hand that are not in the other.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the cards in deck order.
    #[inline]
    pub fn cards(self) -> impl Iterator<Item = Card> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let card = (bits != 0).then(|| Card::lowest(bits));
            bits &= bits.wrapping_sub(1);
            card
        })
    }

    /// Returns the four suit lengths.
    #[inline]
    pub fn lengths(self) -> [u8; 4] {
        Suit::ALL.map(|suit| self.holding(suit).0.count_ones() as u8)
    }

    /// Returns the pattern, if there are thirteen cards.
    #[inline]
    pub fn pattern(self) -> Option<Pattern> {
        Pattern::new(self.lengths())
    }

    /// Returns the honours as the 16-bit map of case files.
    #[inline]
    pub fn honours(self) -> Honours {
        Suit::ALL.into_iter().fold(Honours::NONE, |map, suit| {
            let aces_low = self.holding(suit).0 & 0xF;
            map.union(Honours::of_suit(suit, reverse_nibble(aces_low)))
        })
    }

    /// Returns the honours of a map as cards.
    #[inline]
    pub fn from_honours(honours: Honours) -> Self {
        Suit::ALL.into_iter().fold(Self::EMPTY, |hand, suit| {
            let aces_low = reverse_nibble(honours.suit(suit));
            Self(hand.0 | u64::from(aces_low) << (16 * suit as u32))
        })
    }

    /// Returns the high-card points: A=4 K=3 Q=2 J=1.
    #[inline]
    pub fn hcp(self) -> u32 {
        self.honours().hcp()
    }
}

/// Reverses a nibble: bit 0 <-> bit 3, bit 1 <-> bit 2.
#[inline]
const fn reverse_nibble(nibble: u16) -> u16 {
    const TABLE: [u16; 16] = [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15];
    TABLE[(nibble & 0xF) as usize]
}

impl fmt::Display for Hand {
    /// Writes `AKQ..432.T9`, as in a PBN deal string.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Assembled before writing, because deals are printed by the million.
        let mut text = [0; Card::COUNT + 3];
        let mut rest = &mut text[..];
        for suit in Suit::ALL {
            if suit != Suit::Spades {
                rest[0] = b'.';
                rest = &mut rest[1..];
            }
            rest = self.holding(suit).letters(rest);
        }
        let left = rest.len();
        write_before(f, &text, left)
    }
}

impl FromIterator<Card> for Hand {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards
            .into_iter()
            .fold(Self::EMPTY, |hand, card| hand.union(Self::of(card)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cards_of_a_hand_are_those_it_contains_in_deck_order() {
        let hands = (0..64).map(|bit| Hand::from_bits(0x9E37_79B9_7F4A_7C15_u64.rotate_left(bit)));
        for hand in hands.chain([Hand::EMPTY, Hand::DECK, Hand::HONOURS]) {
            let contained = Card::all().filter(|&card| hand.contains(card));
            assert!(hand.cards().eq(contained), "{hand:?}");
        }
    }
}
