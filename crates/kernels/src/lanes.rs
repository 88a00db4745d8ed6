//! Counting and spreading cards within the lanes of suits.

use super::DECK;

/// Deposits low bits in the set bits of `cards`, lowest first.
///
/// A value of an implementing type proves that the processor supports its method.
pub(super) trait Deposit: Copy {
    fn deposit(self, subset: u64, cards: u64) -> u64;

    /// Deposits one subset in these 26 cards and the other in the remaining 26.
    #[inline(always)]
    fn deposit_both(self, subsets: [u64; 2], cards: u64) -> [u64; 2] {
        let [one, other] = subsets;
        [self.deposit(one, cards), self.deposit(other, cards ^ DECK)]
    }
}

/// Counts the cards in each lane.
#[inline(always)]
pub(super) const fn lane_ones(cards: u64) -> u64 {
    let pairs = cards - (cards >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    (bytes + (bytes >> 8)) & 0x001F_001F_001F_001F
}
