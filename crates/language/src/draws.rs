//! Random draws of a deal: the values of `rnd`.

use crate::bridge::{Deal, Hand, TrickTable};

/// The random draws of one deal, independent of its cards and of other deals.
///
/// A run takes a seed of 128 bits for each deal from its random streams. Each draw is a
/// function of that seed and of the draw's number alone, by BLAKE3's extended output. So a
/// script may use any draw, in any order and any number of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws([u64; 2]);

impl Draws {
    /// The draws of a seed.
    #[inline]
    pub const fn new(seed: [u64; 2]) -> Self {
        Self(seed)
    }

    /// The seed.
    #[inline]
    pub const fn seed(self) -> [u64; 2] {
        self.0
    }

    /// Draws derived from the cards, for deals that were not drawn by a run.
    pub fn of_cards(deal: &Deal) -> Self {
        let [north, east, south, _] = deal.hands().map(Hand::bits);
        Self([north ^ south.rotate_left(24), east ^ south.rotate_right(24)])
    }

    /// The value of `rnd(sides, number)`: 0 to `sides` - 1, each with the same probability.
    ///
    /// # Panics
    ///
    /// If `sides` is 0.
    pub(crate) fn value(self, sides: u32, number: u32) -> u32 {
        assert!(sides > 0, "`rnd` needs at least one value");
        let mut key = [0; 32];
        for (place, word) in key.chunks_exact_mut(8).zip(self.0) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let mut hasher = blake3::Hasher::new_keyed(&key);
        hasher.update(&number.to_le_bytes());
        let mut words = hasher.finalize_xof();
        let sides = u64::from(sides);
        // Below the largest multiple of `sides`, all remainders are equally frequent.
        let beyond = u64::MAX - (u64::MAX % sides + 1) % sides;
        loop {
            let mut bytes = [0; 8];
            words.fill(&mut bytes);
            let word = u64::from_le_bytes(bytes);
            if word <= beyond {
                return (word % sides) as u32;
            }
        }
    }
}

/// A deal with its random draws and, if they are known, its double-dummy tricks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DealContext {
    /// The deal.
    pub deal: Deal,
    /// Its draws.
    pub draws: Draws,
    /// Its tricks.
    pub tricks: Option<TrickTable>,
}

impl DealContext {
    /// A deal with these tricks, if they are known, and with draws that follow from its cards.
    pub fn of_cards(deal: Deal, tricks: Option<TrickTable>) -> Self {
        Self {
            deal,
            draws: Draws::of_cards(&deal),
            tricks,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_side_comes_equally_often() {
        for (sides, deals) in [(2, 20_000), (6, 60_000), (100, 100_000)] {
            let mut counts = vec![0_u32; sides as usize];
            for deal in 0..deals {
                counts[Draws::new([deal, 7]).value(sides, 1) as usize] += 1;
            }
            let expected = deals as f64 / f64::from(sides);
            let each = counts
                .iter()
                .map(|&count| (f64::from(count) - expected).powi(2) / expected);
            let (chi_square, freedom) = (each.sum::<f64>(), f64::from(sides) - 1.0);
            let spread = (2.0 * freedom).sqrt();
            assert!(
                (chi_square - freedom).abs() < 5.0 * spread,
                "{sides}: {chi_square}"
            );
        }
        assert_eq!(Draws::new([1, 2]).value(1, 9), 0);
        assert!(Draws::new([1, 2]).value(u32::MAX, 9) < u32::MAX);
    }

    /// Pins the draws of one seed: if they change, the random streams have changed.
    #[test]
    fn draws_of_a_seed_stay_the_same() {
        let draws = Draws::new([1, 2]);
        let values = [1, 2, 3, 4].map(|number| draws.value(100, number));
        // Computed with the Python package blake3.
        assert_eq!(values, [45, 85, 52, 95]);
        assert_eq!(Draws::new([2, 1]).value(1_000_000, 1), 607_143);
    }
}
