//! Hands as bits: four lanes of sixteen bits, one a suit.

use std::fmt;

use super::{Card, Honours, Pattern, Rank, Suit};

/// The cards of one suit: bit 0 is the ace, bit 12 the deuce.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Holding(u16);

impl Holding {
    /// A whole suit.
    pub const FULL: Self = Self(0x1FFF);

    /// The holding with these bits; those above bit 12 are dropped.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::FULL.0)
    }

    /// Bit 0 the ace .. bit 12 the deuce.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Number of cards.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is no card: a void.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Writes the letters of the ranks from the ace down; gives what is left of the text.
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

/// Writes the first bytes of a text of which so many are left.
fn write_before(f: &mut fmt::Formatter<'_>, text: &[u8], left: usize) -> fmt::Result {
    let text = &text[..text.len() - left];
    f.write_str(std::str::from_utf8(text).map_err(|_| fmt::Error)?)
}

impl fmt::Display for Holding {
    /// The ranks from the ace down; nothing for a void, as in PBN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; 13];
        let left = self.letters(&mut text).len();
        write_before(f, &text, left)
    }
}

/// Any set of cards, usually the thirteen of one player.
///
/// Four 16-bit lanes in a `u64`, spades in the lowest; in a lane bits 0-3 are
/// A K Q J and bits 4-12 the nine spot cards. Ascending bits are ascending
/// cards in deck order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hand(u64);

impl Hand {
    /// No card.
    pub const EMPTY: Self = Self(0);
    /// All fifty-two.
    pub const DECK: Self = Self(0x1FFF_1FFF_1FFF_1FFF);
    /// The thirty-six spot cards T .. 2.
    pub const SPOTS: Self = Self(0x1FF0_1FF0_1FF0_1FF0);
    /// The sixteen honours A K Q J.
    pub const HONOURS: Self = Self(0x000F_000F_000F_000F);

    /// The hand with these lanes; bits outside the deck are dropped.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits & Self::DECK.0)
    }

    /// The lanes.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The whole of one suit.
    #[must_use]
    pub const fn whole_suit(suit: Suit) -> Self {
        Self((Holding::FULL.0 as u64) << (16 * suit as u32))
    }

    /// Number of cards.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is no card.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards of one suit.
    #[must_use]
    pub const fn holding(self, suit: Suit) -> Holding {
        Holding((self.0 >> (16 * suit as u32)) as u16)
    }

    /// Whether the card is in it.
    #[must_use]
    pub const fn contains(self, card: Card) -> bool {
        self.0 & Self::of(card).0 != 0
    }

    /// The hand of that one card.
    #[must_use]
    pub const fn of(card: Card) -> Self {
        Self(1 << (16 * card.suit() as u32 + card.rank().index() as u32))
    }

    /// The cards in either.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The cards in both.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The cards of this one that are not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The cards in deck order.
    pub fn cards(self) -> impl Iterator<Item = Card> {
        Card::all().filter(move |&card| self.contains(card))
    }

    /// The four suit lengths.
    #[must_use]
    pub fn lengths(self) -> [u8; 4] {
        Suit::ALL.map(|suit| self.holding(suit).0.count_ones() as u8)
    }

    /// The pattern, if there are thirteen cards.
    #[must_use]
    pub fn pattern(self) -> Option<Pattern> {
        Pattern::new(self.lengths())
    }

    /// The honours as the 16-bit map of the case files.
    #[must_use]
    pub fn honours(self) -> Honours {
        Suit::ALL.into_iter().fold(Honours::NONE, |map, suit| {
            let aces_low = self.holding(suit).0 & 0xF;
            map.union(Honours::of_suit(suit, reverse_nibble(aces_low)))
        })
    }

    /// The honours of that map as cards.
    #[must_use]
    pub fn from_honours(honours: Honours) -> Self {
        Suit::ALL.into_iter().fold(Self::EMPTY, |hand, suit| {
            let aces_low = reverse_nibble(honours.suit(suit));
            Self(hand.0 | u64::from(aces_low) << (16 * suit as u32))
        })
    }

    /// High-card points: A=4 K=3 Q=2 J=1.
    #[must_use]
    pub fn hcp(self) -> u32 {
        self.honours().hcp()
    }
}

/// Turns A-lowest into A-highest and back: bit 0 <-> bit 3, bit 1 <-> bit 2.
const fn reverse_nibble(nibble: u16) -> u16 {
    const TABLE: [u16; 16] = [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15];
    TABLE[(nibble & 0xF) as usize]
}

impl fmt::Display for Hand {
    /// `AKQ..432.T9` as in a PBN deal string.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Put together before it is written: deals are printed by the million.
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
