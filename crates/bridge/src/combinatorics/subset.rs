//! Subsets and their indices in the squashed order.
//!
//! The squashed (colexicographic) order compares the largest members first, so a subset's index is
//! the sum of C(x_i, i) over its members x_1 < x_2 < .. (Andrews, *Encoding Bridge Deals*, formula
//! (*)). As bits, subsets of one size are in squashed order if their numbers ascend.

use super::choose_u64;
use crate::Hand;

/// Returns the subset of k members with this index among the n lowest bits.
///
/// # Panics
///
/// If n exceeds 52; in debug builds if the index is not below C(n, k).
pub fn unrank(mut index: u64, n: usize, k: usize) -> u64 {
    debug_assert!(index < choose_u64(n, k));
    let mut subset = 0;
    let mut place = n;
    for size in (1..=k).rev() {
        // The largest member is the largest x with C(x, size) <= index.
        loop {
            place -= 1;
            let below = choose_u64(place, size);
            if below <= index {
                index -= below;
                subset |= 1 << place;
                break;
            }
        }
    }
    subset
}

/// Returns the index of a subset among those of its size, in squashed order.
///
/// # Panics
///
/// If a member exceeds 52.
pub fn rank(subset: u64) -> u64 {
    (0..64)
        .filter(|place| subset >> place & 1 == 1)
        .enumerate()
        .map(|(below, place)| choose_u64(place, below + 1))
        .sum()
}

/// Spreads the low bits of `subset` over the set bits of `cards`, lowest first.
///
/// Bit i of `subset` tells whether the i-th card of `cards` is taken.
pub fn deposit(subset: u64, cards: Hand) -> Hand {
    debug_assert!(subset >> cards.len() == 0);
    let mut taken = 0;
    let mut rest = cards.bits();
    let mut subset = subset;
    while subset != 0 {
        let lowest = rest & rest.wrapping_neg();
        taken |= lowest & (subset & 1).wrapping_neg();
        rest ^= lowest;
        subset >>= 1;
    }
    Hand::from_bits(taken)
}

/// Inverts [`deposit`]: bit i tells whether the i-th card of `cards` is taken.
pub fn extract(taken: Hand, cards: Hand) -> u64 {
    let mut subset = 0;
    for (place, card) in cards.cards().enumerate() {
        subset |= u64::from(taken.contains(card)) << place;
    }
    subset
}

/// Number of cards in a suit.
pub const SUIT: usize = 13;

/// All subsets of thirteen positions by size, and within a size in squashed order.
///
/// The order does not depend on the number of positions: the subsets of the lowest n come first.
pub static SUBSETS: [u16; 1 << SUIT] = {
    let mut subsets = [0; 1 << SUIT];
    let mut place = 0;
    let mut size = 0;
    while size <= SUIT as u32 {
        let mut subset = 0u16;
        while subset < 1 << SUIT {
            if subset.count_ones() == size {
                subsets[place] = subset;
                place += 1;
            }
            subset += 1;
        }
        size += 1;
    }
    subsets
};

/// Start of the subsets of each size in [`SUBSETS`], and the end of the last.
pub const STARTS: [u16; SUIT + 2] = {
    let mut starts = [0; SUIT + 2];
    let mut size = 0;
    while size <= SUIT {
        starts[size + 1] = starts[size] + choose_u64(SUIT, size) as u16;
        size += 1;
    }
    starts
};

/// Returns the same as [`unrank`] from a table, for subsets of a suit (n at most 13).
///
/// The order does not depend on n: subsets of the lowest cards come first.
///
/// # Panics
///
/// If k exceeds 13 or the index is not below C(13, k).
#[inline]
pub fn unrank_in_suit(index: u64, k: usize) -> u64 {
    let of_size = usize::from(STARTS[k])..usize::from(STARTS[k + 1]);
    u64::from(SUBSETS[of_size][index as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_squashed_order_of_3_subsets_of_6_is_the_essays() {
        let sets: Vec<u64> = (0..20).map(|index| unrank(index, 6, 3)).collect();
        let members = |set: &[u32]| set.iter().map(|&x| 1u64 << x).sum::<u64>();
        assert_eq!(sets[0], members(&[0, 1, 2]));
        assert_eq!(sets[15], members(&[2, 3, 5]));
        assert_eq!(sets[19], members(&[3, 4, 5]));
        assert!(sets.is_sorted());
        assert_eq!(
            sets.iter().map(|&set| rank(set)).collect::<Vec<_>>(),
            (0..20).collect::<Vec<_>>()
        );
    }

    #[test]
    fn every_subset_of_a_suit_is_reached_once_by_table_and_by_formula() {
        for n in 0..=13 {
            for k in 0..=n {
                for index in 0..choose_u64(n, k) {
                    let subset = unrank(index, n, k);
                    assert_eq!(subset.count_ones() as usize, k);
                    assert_eq!(rank(subset), index);
                    assert_eq!(unrank_in_suit(index, k), subset);
                }
            }
        }
    }

    #[test]
    fn the_ends_of_the_large_orders_are_right() {
        for (n, k) in [(52, 13), (39, 13), (36, 12), (26, 13)] {
            let last = choose_u64(n, k) - 1;
            assert_eq!(unrank(0, n, k), (1 << k) - 1);
            assert_eq!(unrank(last, n, k), ((1 << k) - 1) << (n - k));
            assert_eq!(rank(unrank(last / 3, n, k)), last / 3);
        }
    }

    #[test]
    fn deposit_takes_the_ith_card_for_bit_i() {
        let cards = Hand::from_bits(0x0003_0000_1010_0009);
        assert_eq!(deposit(0, cards), Hand::EMPTY);
        assert_eq!(deposit(0b11_1111, cards), cards);
        assert_eq!(deposit(0b00_0101, cards).bits(), 0x0000_0000_0010_0001);
        assert_eq!(deposit(0b10_0010, cards).bits(), 0x0002_0000_0000_0008);
        for subset in 0..64 {
            assert_eq!(extract(deposit(subset, cards), cards), subset);
        }
    }
}
