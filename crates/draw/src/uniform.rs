//! Uniform integers below T in increasing order: floor(U T) for a uniform real U.
//!
//! Each integer below T is floor(U T) for an interval of U of the same length, exactly 1 / T, and
//! the integers increase with U. U is an infinite binary fraction. Its first places give the part
//! of [0, 1) into which the draw falls (a batch is split by them). The next 64 places are one word
//! (two words if T is 2^64 or more). If later places could still decide between two integers, more
//! words are read. No draw is rejected or rounded.

use super::WordsError;
use super::generator::REJECTED_IN_A_ROW;
use crate::kernels::PACKET;

/// A dyadic part [X, X + 1) / 2^depth of [0, 1), scaled to [0, T).
#[derive(Clone, Copy, Debug)]
pub(super) struct DyadicPart {
    total: u128,
    depth: u32,
    /// X T: the part begins at this value / 2^depth.
    start: u128,
}

impl DyadicPart {
    /// T must be below 2^74, and the depth at most 40.
    pub(super) fn new(total: u128, depth: u32, index: u64) -> Self {
        debug_assert!(total >> 74 == 0 && depth <= 40 && index >> depth == 0);
        Self {
            total,
            depth,
            start: u128::from(index) * total,
        }
    }

    /// Computes [`DyadicPart::number`] for the first `draws` values of U at once, where T leaves room in
    /// 64 bits.
    pub(super) fn numbers(
        &self,
        draws: usize,
        places: &[u64; PACKET],
        numbers: &mut [u64; PACKET],
        more: &mut impl FnMut() -> Result<u64, WordsError>,
    ) -> Result<(), WordsError> {
        debug_assert!(self.fits());
        let mut undecided = [false; PACKET];
        if self.first_places(places, numbers, &mut undecided) {
            for i in (0..draws).filter(|&i| undecided[i]) {
                numbers[i] = self.number(places[i], more)? as u64;
            }
        }
        Ok(())
    }

    /// Computes the numbers as far as these places decide. Returns whether any number could still
    /// increase, and marks which.
    fn first_places(
        &self,
        places: &[u64; PACKET],
        numbers: &mut [u64; PACKET],
        undecided: &mut [bool; PACKET],
    ) -> bool {
        let (total, depth) = (self.total as u64, self.depth);
        let mask = (1 << depth) - 1;
        let (base, fraction) = ((self.start >> depth) as u64, self.start as u64 & mask);
        let mut any = false;
        for i in 0..PACKET {
            let (high, low) = product(places[i], total.into());
            let sum = fraction + high as u64;
            numbers[i] = base + (sum >> depth);
            // Later places can only complete the last fraction.
            let is_last = (sum + 1) & mask == 0;
            let can_rise = low.checked_add(total).is_none();
            undecided[i] = is_last & can_rise;
            any |= undecided[i];
        }
        any
    }

    /// Returns whether the numbers, and the sums on the way to them, fit in 64 bits.
    pub(super) fn fits(&self) -> bool {
        self.total < (1 << 64) - (1 << 41)
    }

    /// Returns floor(U T), where U continues with these 64 places, and then with `more`.
    #[inline]
    pub(super) fn number(
        &self,
        places: u64,
        more: &mut impl FnMut() -> Result<u64, WordsError>,
    ) -> Result<u128, WordsError> {
        // places T = high 2^64 + low, and (X + places / 2^64) T = sum + low / 2^64.
        let (high, low) = product(places, self.total);
        let sum = self.start + high;
        let number = sum >> self.depth;
        let fraction = (sum & ((1 << self.depth) - 1)) << 64 | u128::from(low);
        if self.total >> 64 == 0 {
            // Later places add less than T / 2^64, which is less than 1. They may close the gap.
            let gap = (1 << (self.depth + 64)) - fraction;
            let rises = gap < self.total && fills(gap, self.total, more)?;
            return Ok(number + u128::from(rises));
        }
        // With a larger T the next 64 places are always needed.
        let (high, low) = product(more()?, self.total);
        let sum = fraction + high;
        let number = number + (sum >> (self.depth + 64));
        let gap = (1 << (self.depth + 64)) - (sum & ((1 << (self.depth + 64)) - 1));
        // Later places cannot close a gap above 2^10 times 2^64.
        let rises = gap >> 11 == 0 && {
            let gap = (gap << 64) - u128::from(low);
            gap < self.total && fills(gap, self.total, more)?
        };
        Ok(number + u128::from(rises))
    }
}

/// Returns whether V T is at least the gap, for a uniform real V with these places. The gap is
/// below T.
fn fills(
    mut gap: u128,
    total: u128,
    more: &mut impl FnMut() -> Result<u64, WordsError>,
) -> Result<bool, WordsError> {
    for _ in 0..REJECTED_IN_A_ROW {
        let (high, low) = product(more()?, total);
        if high >= gap {
            return Ok(true);
        }
        let left = gap - high;
        // Later places cannot close a gap above 2^74.
        if left >> 11 != 0 {
            return Ok(false);
        }
        gap = (left << 64) - u128::from(low);
        if gap >= total {
            return Ok(false);
        }
    }
    Err(WordsError::Stuck)
}

/// Multiplies a word by a number below 2^74, and returns the product as 2^64 high + low.
#[inline]
fn product(word: u64, number: u128) -> (u128, u64) {
    let low = u128::from(word) * u128::from(number as u64);
    let high = u128::from(word) * (number >> 64) + (low >> 64);
    (high, low as u64)
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use proptest::prelude::*;

    use super::*;

    /// Computes floor(U T) with integers of any size, for the given places with zeros after them.
    fn exactly(total: u128, depth: u32, index: u64, places: &[u64]) -> u128 {
        let mut u = BigUint::from(index);
        for word in places {
            u = (u << 64) + *word;
        }
        let number = (u * total) >> (u64::from(depth) + 64 * places.len() as u64);
        number.try_into().unwrap()
    }

    fn fast(total: u128, depth: u32, index: u64, places: &[u64]) -> u128 {
        let mut rest = places[1..].iter().copied().chain(std::iter::repeat(0));
        let mut more = || Ok(rest.next().unwrap());
        let part = DyadicPart::new(total, depth, index);
        let number = part.number(places[0], &mut more).unwrap();
        if part.fits() {
            let mut rest = places[1..].iter().copied().chain(std::iter::repeat(0));
            let mut numbers = [0; PACKET];
            let mut more = || Ok(rest.next().unwrap());
            let first = [places[0]; PACKET];
            part.numbers(1, &first, &mut numbers, &mut more).unwrap();
            assert_eq!(u128::from(numbers[0]), number);
        }
        number
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn numbers_are_floors_of_u_times_t(
            bits in 0u32..74,
            total: u128,
            depth in 0u32..=40,
            index: u64,
            places in prop::collection::vec(any::<u64>(), 1..6),
        ) {
            let total = (total & ((1 << bits) - 1)).max(1);
            let index = index & ((1 << depth) - 1);
            let number = fast(total, depth, index, &places);
            prop_assert_eq!(number, exactly(total, depth, index, &places));
            prop_assert!(number < total);
        }

        /// Values of U slightly above or below an integer / T, where all the places count.
        #[test]
        fn numbers_are_right_beside_every_boundary(
            bits in 1u32..74,
            total: u128,
            number: u128,
            depth in 0u32..=10,
            off in -2i32..=2,
        ) {
            let total = (total & ((1 << bits) - 1)).max(1);
            let number = number % total;
            // ceil(number 2^(depth + 320) / T) is the smallest U of five words for this number.
            let scale = depth + 320;
            let scaled = (BigUint::from(number) << scale) + total - 1u32;
            let u = scaled / total;
            let u = (u + 2u32 + off.unsigned_abs() * u32::from(off > 0)).max(BigUint::from(4u32));
            let u = u - 2u32 - off.unsigned_abs() * u32::from(off < 0);
            prop_assume!((u.bits() as u32) <= scale);
            let word = |place: u32| -> u64 {
                ((&u >> (64 * place)) % (BigUint::from(1u32) << 64u32)).try_into().unwrap()
            };
            let places: Vec<u64> = (0..5).rev().map(word).collect();
            let index: u64 = (&u >> 320u32).try_into().unwrap();
            prop_assert_eq!(
                fast(total, depth, index, &places),
                exactly(total, depth, index, &places)
            );
        }
    }

    #[test]
    fn totals_beside_64_bits_are_right_on_both_ways() {
        // Up to 2^64 - 2^41, many numbers are made at once; from 2^64 on, a second word is needed.
        for total in [
            (1 << 64) - (1 << 41) - 1,
            (1 << 64) - (1 << 41),
            (1 << 64) - 1,
            1 << 64,
            (1 << 64) + 1,
            (1 << 74) - 1,
        ] {
            for depth in [0, 1, 13, 40] {
                let last = (1 << depth) - 1;
                for index in [0, last / 3, last] {
                    for first in [0, 1, u64::MAX / 3, u64::MAX - 1, u64::MAX] {
                        for second in [0, 1 << 63, u64::MAX] {
                            let places = [first, second, u64::MAX, 7];
                            let number = fast(total, depth, index, &places);
                            assert_eq!(number, exactly(total, depth, index, &places));
                            assert!(number < total);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn small_totals_have_boundaries_within_the_first_word() {
        // 2^64 = 3 × 6148914691236517205 + 1: the word of that quotient decides nothing.
        let third = u64::MAX / 3;
        assert_eq!(fast(3, 0, 0, &[third - 1, u64::MAX]), 0);
        assert_eq!(fast(3, 0, 0, &[third, 0]), 0);
        assert_eq!(fast(3, 0, 0, &[third, third + 1]), 1);
        assert_eq!(fast(3, 0, 0, &[third, third, third, third + 1]), 1);
        assert_eq!(fast(3, 0, 0, &[third, third, third, third]), 0);
        assert_eq!(fast(3, 0, 0, &[third + 1, 0]), 1);
    }
}
