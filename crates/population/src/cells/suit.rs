//! One suit: the ways to distribute its honours and other cards to the hands.

use super::terms::{ConditionTerms, Roles};
use crate::bridge::Suit;
use crate::bridge::combinatorics::choose_u64;

/// The fixed numbers of a suit by role: the lengths of hands whose patterns are fixed, and the
/// number of honours of each other hand. If there are other hands, the last entry is the number of
/// honours of the hands with patterns together.
pub(super) type Lengths = [u8; 4];

/// The holders of the four honours of a suit, or of the eight of two suits, as two bit planes.
///
/// The hand of an honour is 2 × high bit + low bit. The last hand stands for all hands whose
/// honours are not fixed. Within a suit, A K Q J are bits 3 to 0; in a pair of suits, the first
/// suit has the upper four bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Holders {
    pub(crate) low: u8,
    pub(crate) high: u8,
}

impl Holders {
    /// Returns the honours of a hand.
    #[inline]
    pub(crate) const fn of(self, role: usize) -> u8 {
        let low = if role & 1 == 0 { !self.low } else { self.low };
        let high = if role & 2 == 0 { !self.high } else { self.high };
        low & high
    }

    /// Combines the holders of two suits.
    pub(super) const fn beside(self, other: Self) -> Self {
        Self {
            low: self.low << 4 | other.low,
            high: self.high << 4 | other.high,
        }
    }

    /// Splits the holders of two suits into those of each suit.
    pub(super) fn suits(self) -> [Self; 2] {
        [4, 0].map(|shift| Self {
            low: self.low >> shift & 0xF,
            high: self.high >> shift & 0xF,
        })
    }

    /// Packs the planes into 16 bits.
    pub(crate) const fn bits(self) -> u16 {
        (self.high as u16) << 8 | self.low as u16
    }

    /// Unpacks the planes from 16 bits.
    #[inline]
    pub(crate) const fn from_bits(bits: u16) -> Self {
        Self {
            low: bits as u8,
            high: (bits >> 8) as u8,
        }
    }

    /// Returns a suit's honours of every hand.
    pub(super) fn of_suit(self) -> [u16; 4] {
        [0, 1, 2, 3].map(|role| u16::from(self.of(role) & 0xF))
    }

    /// Returns every way to give a suit's honours to this number of hands; the last stands for all
    /// other hands.
    fn all(hands: usize) -> impl Iterator<Item = Self> {
        let planes = (0..16u8).flat_map(|high| (0..16u8).map(move |low| Self { low, high }));
        planes.filter(move |holders| (hands..4).all(|role| holders.of(role) & 0xF == 0))
    }
}

/// A placement: one way to give a suit's honours to hands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub(super) holders: Holders,
    /// The vector of counts that it adds.
    pub(super) vector: u64,
    /// The number of ways to deal the rest of the suit to hands of the given lengths; 1 if no
    /// pattern is fixed.
    pub(super) ways: u64,
}

/// Returns the number of ways to complete hands of these lengths with cards of a suit; 0 if a
/// predealt honour is elsewhere.
///
/// This is the product of C(9 - spots taken, n - h) over the hands with pattern and honours, and of
/// C(13 - cards taken, n) over the following hands with a pattern alone. These are the weights of
/// docs/reference/case-file.md. Predealt cards are taken before, and count in n.
pub(super) fn ways_in_suit(roles: &Roles, suit: Suit, lengths: &Lengths, holders: Holders) -> u64 {
    let fixed = &roles.predealt[suit.index()];
    if !fixed.is_in(|role| holders.of(roles.by_honours.min(role))) {
        return 0;
    }
    let ([mut cards, mut spots], mut ways) = (fixed.free(), 1);
    for (role, &length) in lengths.iter().enumerate().take(roles.by_pattern) {
        let Some(length) = length.checked_sub(fixed.cards[role]).map(usize::from) else {
            return 0;
        };
        if role < roles.by_honours {
            let held = holders.of(role) & 0xF & !fixed.honours[role];
            let held = held.count_ones() as usize;
            let Some(taken) = length.checked_sub(held).filter(|taken| *taken <= spots) else {
                return 0;
            };
            ways *= choose_u64(spots, taken);
            spots -= taken;
        } else {
            ways *= choose_u64(cards, length);
        }
        match cards.checked_sub(length) {
            Some(left) => cards = left,
            None => return 0,
        }
    }
    ways
}

/// Returns the placements of a suit's honours in hands of these lengths; for hands without fixed
/// patterns, with these numbers of honours.
pub(super) fn placements(
    terms: &ConditionTerms<'_>,
    suit: Suit,
    lengths: &Lengths,
) -> Vec<Placement> {
    let roles = &terms.roles;
    let all = match roles.by_honours {
        // The condition does not use honours.
        0 => vec![Holders { low: 0, high: 0 }],
        hands => Holders::all(hands + 1).collect(),
    };
    let [a, b, c, together] = *lengths;
    let rest = 13 - (a + b + c).min(13);
    let placement = |holders: Holders| {
        let held = |role| (holders.of(role) & 0xF).count_ones();
        let mut others = roles.by_pattern..roles.dealt;
        let fits = others.is_empty()
            || others.all(|role| held(role) == u32::from(lengths[role]))
                && (0..roles.by_pattern).map(held).sum::<u32>() == u32::from(together);
        let ways = ways_in_suit(roles, suit, lengths, holders);
        (fits && ways > 0).then(|| Placement {
            holders,
            vector: terms.vector(suit, &[a, b, c, rest], holders.of_suit()),
            ways,
        })
    };
    all.into_iter().filter_map(placement).collect()
}

/// Returns the possible numbers of a suit if the hands with patterns have these lengths and the
/// others have any number of honours.
pub(super) fn with_honours(roles: &Roles, lengths: &Lengths) -> Vec<Lengths> {
    let cards: u8 = lengths.iter().take(roles.by_pattern).sum();
    let mut all = vec![*lengths];
    for role in roles.by_pattern..roles.dealt {
        let counts = |lengths: Lengths| {
            (0..=4).map(move |count| {
                let mut lengths = lengths;
                lengths[role] = count;
                lengths
            })
        };
        all = all.into_iter().flat_map(counts).collect();
    }
    let together = if roles.by_pattern > 0 { 4 } else { 0 };
    let with = |lengths: Lengths| {
        (0..=together).map(move |together| [lengths[0], lengths[1], lengths[2], together])
    };
    let is_possible = |lengths: &Lengths| {
        let others = &lengths[roles.by_pattern..];
        let (held, together) = (others.iter().sum::<u8>(), lengths[3]);
        held <= 4 && together <= cards && cards - together <= 9
    };
    all.into_iter().flat_map(with).filter(is_possible).collect()
}

/// Returns the maximum number of results of [`with_honours`]: at most four honours are shared by
/// the hands without patterns, those with patterns, and the others.
pub(super) fn ways_with_honours(roles: &Roles) -> u64 {
    let holders = roles.dealt - roles.by_pattern + usize::from(roles.by_pattern > 0);
    choose_u64(4 + holders, holders)
}
