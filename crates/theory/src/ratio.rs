//! Exact probabilities, and their only conversion to floating point.

use crate::bridge::combinatorics::DEALS;
use crate::bridge::{Seat, Side};

/// An exact fraction in [0, 1].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// Favourable ways.
    pub ways: u128,
    /// All ways: above 0, below 2^127.
    pub of: u128,
}

impl From<(u128, u128)> for Ratio {
    fn from((ways, of): (u128, u128)) -> Self {
        Self { ways, of }
    }
}

/// Quotient bits that determine the rounding to the 53 bits of an `f64`.
const QUOTIENT_BITS: u32 = 55;

impl Ratio {
    /// Returns the fraction in lowest terms.
    #[must_use]
    pub fn reduced(self) -> Self {
        let (ways, of) = reduced(self.ways, self.of);
        Self { ways, of }
    }

    /// Returns the number of deals with this probability among all deals.
    pub fn deals(self) -> u128 {
        self.share_of(DEALS)
    }

    /// Returns this share of a number that the reduced denominator divides.
    fn share_of(self, whole: u128) -> u128 {
        let Self { ways, of } = self.reduced();
        ways * (whole / of)
    }

    /// Returns the nearest `f64`, ties to even.
    pub fn to_f64(self) -> f64 {
        self.times(1)
    }

    /// Returns the nearest `f64` to the fraction times `deals`, ties to even.
    ///
    /// # Panics
    ///
    /// If the fraction is above 1, or its denominator is 0 or needs more than 127 bits.
    pub fn times(self, deals: u64) -> f64 {
        assert!(self.of > 0 && self.of >> 127 == 0 && self.ways <= self.of);
        // ways × deals in 192 bits: high × 2^64 + low.
        let low = (self.ways & u128::from(u64::MAX)) * u128::from(deals);
        let high = (self.ways >> 64) * u128::from(deals) + (low >> 64);
        let low = low & u128::from(u64::MAX);
        if high == 0 && low == 0 {
            return 0.0;
        }
        // Long division, several bits at a time. The quotient is at most `deals`, so the numerator's
        // first 128 bits are below the denominator.
        let most_bits = self.of.leading_zeros().min(u64::BITS - 1);
        let (mut quotient, mut left) = (0u64, high);
        let mut append = |quotient: &mut u64, bits: u32, digits: u128| {
            let part = left << bits | digits;
            left = part % self.of;
            *quotient = *quotient << bits | (part / self.of) as u64;
            left != 0
        };
        let mut waiting = u64::BITS;
        let mut inexact = false;
        while waiting > 0 {
            let bits = most_bits.min(waiting);
            waiting -= bits;
            inexact = append(&mut quotient, bits, low >> waiting & ((1 << bits) - 1));
        }
        let mut exponent = 0;
        while quotient >> (QUOTIENT_BITS - 1) == 0 {
            let missing = QUOTIENT_BITS - (u64::BITS - quotient.leading_zeros());
            let bits = most_bits.min(missing);
            inexact = append(&mut quotient, bits, 0);
            exponent += u64::from(bits);
        }
        // The remainder only breaks ties: a last bit of 1 represents it.
        let mantissa = (quotient | u64::from(inexact)) as f64;
        mantissa / power_of_two(exponent)
    }
}

/// Divides both by their greatest common divisor.
pub(super) fn reduced(numerator: u128, denominator: u128) -> (u128, u128) {
    let (mut a, mut b) = (numerator, denominator);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (numerator / a.max(1), denominator / a.max(1))
}

fn power_of_two(exponent: u64) -> f64 {
    f64::from_bits((1023 + exponent) << 52)
}

/// Exact probabilities of outcomes: ways out of all ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    ways: Vec<u128>,
    of: u128,
}

impl Distribution {
    /// The different distributions among those of the four seats, each with the names of its seats,
    /// such as `north, south` or `any seat`.
    pub(super) fn by_seats(seats: [&Self; 4]) -> Vec<(String, &Self)> {
        let mut columns: Vec<(Vec<&str>, &Self)> = Vec::new();
        for (seat, distribution) in Seat::ALL.into_iter().zip(seats) {
            match columns.iter_mut().find(|(_, other)| *other == distribution) {
                Some((names, _)) => names.push(seat.name()),
                None => columns.push((vec![seat.name()], distribution)),
            }
        }
        let columns = columns.into_iter().map(|(names, distribution)| {
            let name = match names.len() {
                4 => "any seat".to_owned(),
                _ => names.join(", "),
            };
            (name, distribution)
        });
        columns.collect()
    }

    /// Creates a distribution with these ways.
    ///
    /// # Panics
    ///
    /// If the ways do not sum to `of` exactly.
    pub fn new(ways: Vec<u128>, of: u128) -> Self {
        Self::checked(ways, of).expect("probabilities sum to 1")
    }

    /// Creates a distribution with these ways, if they sum to `of` exactly.
    pub fn checked(ways: Vec<u128>, of: u128) -> Option<Self> {
        let sum = ways
            .iter()
            .try_fold(0u128, |sum, &ways| sum.checked_add(ways));
        (sum == Some(of) && of > 0).then_some(Self { ways, of })
    }

    /// Returns the mean of the outcomes' numbers, as a reduced fraction.
    ///
    /// # Panics
    ///
    /// If the sum overflows 128 bits, which is impossible for 40 outcomes of at most 2^120 ways.
    pub fn mean(&self) -> (u128, u128) {
        let sum = (0..)
            .zip(&self.ways)
            .map(|(outcome, ways)| outcome * ways)
            .sum();
        reduced(sum, self.of)
    }

    /// Returns the ways of each outcome.
    pub fn ways(&self) -> &[u128] {
        &self.ways
    }

    /// Returns all ways.
    pub fn of(&self) -> u128 {
        self.of
    }

    /// Returns the probability of an outcome.
    ///
    /// # Panics
    ///
    /// If there is no such outcome.
    pub fn probability(&self, outcome: usize) -> Ratio {
        Ratio {
            ways: self.ways[outcome],
            of: self.of,
        }
    }

    /// Returns north-south's distribution as that of a side: east-west's is the complement.
    pub(super) fn for_side(&self, side: Side) -> Self {
        let mut seen = self.clone();
        if side == Side::EastWest {
            seen.ways.reverse();
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_fractions_round_as_the_processor_does() {
        for of in 1..=200u32 {
            for ways in 0..=of {
                let ratio = Ratio {
                    ways: ways.into(),
                    of: of.into(),
                };
                assert_eq!(
                    ratio.to_f64(),
                    f64::from(ways) / f64::from(of),
                    "{ways}/{of}"
                );
            }
        }
    }

    #[test]
    fn ties_go_to_even_and_what_is_left_over_breaks_them() {
        let half_way = (1u128 << 53) + 1;
        let of = 1u128 << 53;
        let above_one = |ways: u128, of: u128| {
            // (2^53 + 1) / 2^54 is between two `f64` values of the half below 1.
            Ratio { ways, of }.to_f64()
        };
        assert_eq!(above_one(half_way, of << 1), 0.5);
        assert_eq!(above_one(half_way + 2, of << 1), 0.5 + 2f64.powi(-52));
        assert_eq!(
            above_one((half_way << 60) + 1, of << 61),
            0.5 + 2f64.powi(-53)
        );
    }

    /// The nearest `f64` by big integers: the quotient with 60 bits or more, and its remainder.
    fn times_slowly(ratio: Ratio, deals: u64) -> f64 {
        use num_bigint::BigUint;
        let (product, of) = (BigUint::from(ratio.ways) * deals, BigUint::from(ratio.of));
        let zeros = 60 + of.bits().saturating_sub(product.bits());
        let shifted = product << zeros;
        let (quotient, left) = (&shifted / &of, &shifted % &of);
        // 60 bits, and one for the rest.
        let cut = quotient.bits().saturating_sub(60);
        let digits = &quotient >> cut;
        let is_inexact = &digits << cut != quotient || left != BigUint::ZERO;
        let digits = u64::try_from(digits).unwrap() << 1 | u64::from(is_inexact);
        digits as f64 * 2f64.powi(cut as i32 - 1 - zeros as i32)
    }

    #[test]
    fn products_are_those_of_big_integers() {
        let mut word = 1u64;
        let mut next = || {
            word = word.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
            word ^ word >> 31
        };
        for _ in 0..30_000 {
            let wide = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
            let of = (wide(next(), next()) >> 1 >> (next() % 120)).max(1);
            let ways = (wide(next(), next()) >> (next() % 128)) % (of + 1);
            let ratio = Ratio { ways, of };
            for deals in [1, next() >> (next() % 64), u64::MAX] {
                let expected = times_slowly(ratio, deals);
                assert_eq!(ratio.times(deals), expected, "{ways} / {of} x {deals}");
            }
        }
    }

    #[test]
    fn large_products_keep_every_bit() {
        let d = crate::bridge::combinatorics::DEALS;
        let quarter = Ratio { ways: d / 4, of: d };
        assert_eq!(quarter.times(10_485_760), 2_621_440.0);
        assert_eq!(quarter.times(1_000_000_000_000_000), 250_000_000_000_000.0);
        let rare = Ratio {
            ways: 4,
            of: 635_013_559_600,
        };
        assert_eq!(rare.to_f64(), 4.0 / 635_013_559_600.0);
        assert_eq!(Ratio { ways: d, of: d }.times(u64::MAX), u64::MAX as f64);
        assert_eq!(Ratio { ways: 0, of: d }.times(7), 0.0);
    }
}
