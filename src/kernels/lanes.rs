//! Counting and spreading cards within the lanes of suits.

use super::DECK;

/// Spreads low bits over the set bits of `cards`, lowest first.
///
/// A value says that the way to do so can be gone here.
pub(super) trait Deposit: Copy {
    fn deposit(self, subset: u64, cards: u64) -> u64;

    /// Of these 26 cards and of the other 26, thirteen each.
    #[inline(always)]
    fn deposit_both(self, subsets: [u64; 2], cards: u64) -> [u64; 2] {
        let [one, other] = subsets;
        [self.deposit(one, cards), self.deposit(other, cards ^ DECK)]
    }
}

/// Number of cards in each lane.
#[inline(always)]
pub(super) const fn lane_ones(cards: u64) -> u64 {
    let pairs = cards - (cards >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    (bytes + (bytes >> 8)) & 0x001F_001F_001F_001F
}
