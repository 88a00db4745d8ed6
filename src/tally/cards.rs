//! Counting every card of a seat at once, with counters that stand upright.
//!
//! Plane k holds bit k of the count of every card of the deck, so that adding
//! a hand is a ripple of carries through the planes: two of them on average,
//! instead of thirteen increments.

use crate::cards::{Card, Hand};

/// How often each card was seen, up to 2^64 - 1 times.
#[derive(Clone, Debug)]
pub(super) struct CardCounter {
    planes: [u64; 64],
}

impl Default for CardCounter {
    fn default() -> Self {
        Self { planes: [0; 64] }
    }
}

impl CardCounter {
    pub(super) fn add(&mut self, hand: Hand) {
        let mut carry = hand.bits();
        for plane in &mut self.planes {
            if carry == 0 {
                break;
            }
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
    }

    pub(super) fn counts(self) -> [u64; Card::COUNT] {
        let mut counts = [0; Card::COUNT];
        for card in Card::all() {
            for (k, plane) in self.planes.iter().enumerate() {
                let bit = plane & Hand::of(card).bits() != 0;
                counts[card.index()] |= u64::from(bit) << k;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upright_counters_count_as_plain_ones_do() {
        let mut upright = CardCounter::default();
        let mut plain = [0; Card::COUNT];
        let mut bits = 0x0123_4567_89AB_CDEFu64;
        for _ in 0..1_000 {
            bits = bits
                .wrapping_mul(0x5851_F42D_4C95_7F2D)
                .wrapping_add(0x1405_7B7E_F767_814F);
            let hand = Hand::from_bits(bits);
            upright.add(hand);
            for card in hand.cards() {
                plain[card.index()] += 1;
            }
        }
        assert_eq!(upright.counts(), plain);
    }
}
