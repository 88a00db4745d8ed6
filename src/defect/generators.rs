//! Old random number generators, each driving a Fisher-Yates shuffle. The deck is dealt thirteen
//! cards at a time, which reveals them sooner.
//!
//! All except the Mersenne Twister are linear congruential: the next state is the last one times a
//! constant, plus a constant, modulo a power of two. Bit k of the state repeats after at most 2^(k
//! + 1) numbers.

use super::random::{Output, Random, ShuffledDeck};
use super::{DealingOrder, Index};
use crate::draw::Block;

/// Numbers used by a shuffle.
const A_DEAL: u64 = 51;

/// RANDU: multiplies by 65,539 modulo 2^31, from an odd seed; states stay odd. Triples of
/// successive numbers lie on fifteen planes.
pub(super) fn randu(index: Index, random: &mut Random, block: Block, out: &mut Output<'_>) {
    let mut state = random.bits() as u32 & 0x7FFF_FFFF | 1;
    shuffle_all(block, out, |cards| {
        state = state.wrapping_mul(65_539) & 0x7FFF_FFFF;
        match index {
            Index::HighBits => ((u64::from(state) * u64::from(cards)) >> 31) as u32,
            Index::LowBits => state % cards,
        }
    });
}

/// The example of the C standard, with its whole state as output, as in the simplest of glibc's
/// generators: the lowest bit alternates.
pub(super) fn ansi_rand(random: &mut Random, block: Block, out: &mut Output<'_>) {
    let mut state = random.bits() as u32 & 0x7FFF_FFFF;
    shuffle_all(block, out, |cards| {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345) & 0x7FFF_FFFF;
        state % cards
    });
}

/// `srand(time(NULL))`, a deal a second, `rand() % n`: consecutive seeds give similar deals.
pub(super) fn ms_rand_by_time(seed: u128, block: Block, out: &mut Output<'_>) {
    let start = of_run(seed).bits() as u32;
    for number in block.first_deal..block.first_deal + block.deals {
        let mut state = start.wrapping_add(number as u32);
        let mut deck = ShuffledDeck::SORTED;
        deck.fisher_yates(|cards| {
            state = state.wrapping_mul(214_013).wrapping_add(2_531_011);
            ((state >> 16 & 0x7FFF) % cards) as usize
        });
        out.push(deck.hands(DealingOrder::Blocks));
    }
}

/// Microsoft's recurrence with all 32 bits of its state, seeded once for the whole run: each block
/// continues where the previous one ended.
pub(super) fn ms_rand_stream(seed: u128, block: Block, out: &mut Output<'_>) {
    let step = Affine {
        factor: 214_013,
        term: 2_531_011,
    };
    let start = of_run(seed).bits();
    let mut state = step.times(block.first_deal.wrapping_mul(A_DEAL)).of(start) as u32;
    shuffle_all(block, out, |cards| {
        state = step.of(u64::from(state)) as u32;
        ((u64::from(state) * u64::from(cards)) >> 32) as u32
    });
}

/// `srand48` once for the whole run, then `lrand48() % n`: 31 of 48 bits.
pub(super) fn lrand48_stream(seed: u128, block: Block, out: &mut Output<'_>) {
    let step = Affine {
        factor: 0x5_DEEC_E66D,
        term: 11,
    };
    let start = (of_run(seed).bits() & 0xFFFF_FFFF) << 16 | 0x330E;
    let mut state = step.times(block.first_deal.wrapping_mul(A_DEAL)).of(start);
    shuffle_all(block, out, |cards| {
        state = step.of(state);
        (state >> 17 & 0x7FFF_FFFF) as u32 % cards
    });
}

/// Shuffles deal i with a Mersenne Twister seeded by `init_genrand(i)`, whatever the run's seed:
/// `genrand_int32() % n`.
pub(super) fn mt19937_in_order(block: Block, out: &mut Output<'_>) {
    for number in block.first_deal..block.first_deal + block.deals {
        let mut words = Mt19937::new(number as u32);
        let mut deck = ShuffledDeck::SORTED;
        deck.fisher_yates(|cards| (words.next() % cards) as usize);
        out.push(deck.hands(DealingOrder::Blocks));
    }
}

/// The random numbers that all blocks of a run share.
fn of_run(seed: u128) -> Random {
    let whole = Block {
        first_deal: 0,
        deals: 0,
    };
    Random::of_block(seed, whole)
}

/// The first word of [`of_run`].
#[cfg(test)]
pub(crate) fn first_word(seed: u128) -> u64 {
    of_run(seed).bits()
}

fn shuffle_all(block: Block, out: &mut Output<'_>, mut index: impl FnMut(u32) -> u32) {
    for _ in 0..block.deals {
        let mut deck = ShuffledDeck::SORTED;
        deck.fisher_yates(|cards| index(cards) as usize);
        out.push(deck.hands(DealingOrder::Blocks));
    }
}

/// A step of a linear congruential generator modulo 2^64, and so of any smaller
/// power of two.
#[derive(Clone, Copy, Debug)]
struct Affine {
    factor: u64,
    term: u64,
}

impl Affine {
    fn of(self, state: u64) -> u64 {
        self.factor.wrapping_mul(state).wrapping_add(self.term)
    }

    /// Returns this number of steps as one step, by squaring.
    fn times(self, mut steps: u64) -> Self {
        let (mut all, mut square) = (Self { factor: 1, term: 0 }, self);
        while steps > 0 {
            if steps & 1 == 1 {
                all = square.after(all);
            }
            square = square.after(square);
            steps >>= 1;
        }
        all
    }

    fn after(self, first: Self) -> Self {
        Self {
            factor: self.factor.wrapping_mul(first.factor),
            term: self.of(first.term),
        }
    }
}

/// The first words of Matsumoto and Nishimura's twister: only the part of its 624-word state that
/// one deal needs.
struct Mt19937 {
    state: [u32; Self::SHIFT + A_DEAL as usize + 1],
    next: usize,
}

impl Mt19937 {
    const SHIFT: usize = 397;

    fn new(seed: u32) -> Self {
        let mut state = [seed; Self::SHIFT + A_DEAL as usize + 1];
        let mut last = seed;
        for (place, word) in state.iter_mut().enumerate().skip(1) {
            last = (last ^ last >> 30).wrapping_mul(1_812_433_253);
            last = last.wrapping_add(place as u32);
            *word = last;
        }
        Self { state, next: 0 }
    }

    fn next(&mut self) -> u32 {
        let place = self.next;
        self.next += 1;
        let mixed = self.state[place] & 0x8000_0000 | self.state[place + 1] & 0x7FFF_FFFF;
        let twist = if mixed & 1 == 1 { 0x9908_B0DF } else { 0 };
        let mut word = self.state[place + Self::SHIFT] ^ mixed >> 1 ^ twist;
        word ^= word >> 11;
        word ^= word << 7 & 0x9D2C_5680;
        word ^= word << 15 & 0xEFC6_0000;
        word ^ word >> 18
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_twister_gives_its_well_known_first_words() {
        let mut words = Mt19937::new(5_489);
        let first: Vec<u32> = (0..3).map(|_| words.next()).collect();
        assert_eq!(first, [3_499_211_612, 581_869_302, 3_890_346_734]);
        // There are enough words for a deal.
        assert!((3..A_DEAL).all(|_| words.next() > 0));
    }

    #[test]
    fn many_steps_in_one_are_many_steps() {
        let step = Affine {
            factor: 0x5_DEEC_E66D,
            term: 11,
        };
        let mut state = 0x1234_330E;
        for steps in 0..100 {
            assert_eq!(step.times(steps).of(0x1234_330E), state);
            state = step.of(state);
        }
        // srand48(0), lrand48(): 366850414 (0.170828036 × 2^31).
        assert_eq!(step.of(0x330E) << 16 >> 33, 366_850_414);
    }
}
