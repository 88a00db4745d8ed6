//! Old random number generators, each driving a Fisher-Yates shuffle. The deck is dealt thirteen
//! cards at a time, which reveals them sooner.
//!
//! All except the Mersenne Twister are linear congruential: the next state is the last one times a
//! constant, plus a constant, modulo a power of two. Bit k of the state repeats after at most 2^(k
//! + 1) numbers.

use super::random::{Random, ShuffledDeck, Task, ThreeHands};
use super::{DealingOrder, Index};
use crate::draw::Block;
use crate::seeds::{KnownGenerator, SeedSequence};

/// Numbers used by a shuffle.
const A_DEAL: u64 = 51;

/// RANDU: multiplies by 65,539 modulo 2^31, from an odd seed; states stay odd. Triples of
/// successive numbers lie on fifteen planes.
pub(super) fn randu(index: Index, task: &mut Task<'_>) {
    let mut state = task.random.bits() as u32 & 0x7FFF_FFFF | 1;
    shuffle_all(task, |cards| {
        state = state.wrapping_mul(65_539) & 0x7FFF_FFFF;
        match index {
            Index::HighBits => ((u64::from(state) * u64::from(cards)) >> 31) as u32,
            Index::LowBits => state % cards,
        }
    });
}

/// The example of the C standard, with its whole state as output, as in the simplest of glibc's
/// generators: the lowest bit alternates.
pub(super) fn ansi_rand(task: &mut Task<'_>) {
    let seed = task.random.bits() & 0x7FFF_FFFF;
    let mut words = SeedSequence::new(KnownGenerator::StandardWhole, seed as i64);
    shuffle_all(task, |cards| words.next() % cards);
}

/// `srand(time(NULL))`, a deal a second, `rand() % n`: consecutive seeds give similar deals.
pub(super) fn ms_rand_by_time(task: &mut Task<'_>) {
    let start = Random::of_run(task.seed).bits() as u32;
    seeded_in_order(KnownGenerator::Microsoft, start, task);
}

/// Microsoft's recurrence with all 32 bits of its state, seeded once for the whole run: each block
/// continues where the previous one ended.
pub(super) fn ms_rand_stream(task: &mut Task<'_>) {
    let step = Affine {
        factor: 214_013,
        term: 2_531_011,
    };
    let state = step
        .at_block(task.block)
        .of(Random::of_run(task.seed).bits()) as u32;
    let mut words = SeedSequence::new(KnownGenerator::MicrosoftWhole, state.into());
    shuffle_all(task, |cards| {
        ((u64::from(words.next()) * u64::from(cards)) >> 32) as u32
    });
}

/// `srand48` once for the whole run, then `lrand48() % n`: 31 of 48 bits.
pub(super) fn lrand48_stream(task: &mut Task<'_>) {
    let step = Affine {
        factor: 0x5_DEEC_E66D,
        term: 11,
    };
    let start = (Random::of_run(task.seed).bits() & 0xFFFF_FFFF) << 16 | 0x330E;
    let mut words = SeedSequence::Linear48(step.at_block(task.block).of(start));
    shuffle_all(task, |cards| words.bits(31) as u32 % cards);
}

/// Shuffles deal i with a Mersenne Twister seeded by `init_genrand(i)`, whatever the run's seed:
/// `genrand_int32() % n`.
pub(super) fn mt19937_in_order(task: &mut Task<'_>) {
    seeded_in_order(KnownGenerator::Twister, 0, task);
}

/// Shuffles deal i with `number % n` of a generator seeded by `start + i`.
fn seeded_in_order(generator: KnownGenerator, start: u32, task: &mut Task<'_>) {
    let mut number = start.wrapping_add(task.block.first_deal as u32);
    task.each(|_| {
        let mut words = SeedSequence::new(generator, number.into());
        number = number.wrapping_add(1);
        shuffled(|cards| words.next() % cards)
    });
}

fn shuffle_all(task: &mut Task<'_>, mut index: impl FnMut(u32) -> u32) {
    task.each(|_| shuffled(&mut index));
}

fn shuffled(mut index: impl FnMut(u32) -> u32) -> ThreeHands {
    let mut deck = ShuffledDeck::SORTED;
    deck.fisher_yates(|cards| index(cards) as usize);
    deck.hands(DealingOrder::Blocks)
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

    /// Returns the steps before the first deal of a block as one step.
    fn at_block(self, block: Block) -> Self {
        self.times(block.first_deal.wrapping_mul(A_DEAL))
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

#[cfg(test)]
mod tests {
    use super::*;

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
