//! Staged rejection: selects 26 cards, and 13 of 26 cards, with about one table look-up per suit.
//!
//! A suit of 13 cards has 2^13 subsets. Raw bits select the subset for each suit except the last,
//! which must complete the number of cards. Sixteen bits r select among the C subsets of that size:
//! r is accepted if it is below 38 C, where 38 = floor(2^16 / C(13, 6)), and r / 38 is the subset.
//! Every set of cards then has the same number of accepted words, so the accepted sets are uniform.
//! The acceptance rate is 52.3 % of the words for a side, and 73.6 % of half words for a hand.

use super::generator::REJECTED_IN_A_ROW;
use super::{WordSource, WordsError};
use crate::kernels::{self, Aligned, CHUNK, HALVES_QUEUE, Isa, PACKET, Packet, SIDES_QUEUE};

/// Accepted selections that wait to be dealt, oldest first.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Waiting<T, const N: usize> {
    queue: [T; N],
    len: usize,
    /// The last words that were read.
    chunk: Aligned<[u64; CHUNK]>,
}

impl<T: Copy + Default, const N: usize> Default for Waiting<T, N> {
    fn default() -> Self {
        Self {
            queue: [T::default(); N],
            len: 0,
            chunk: Aligned([0; CHUNK]),
        }
    }
}

/// A kernel that appends the selections it accepts from a chunk, and returns the new length.
type Accept<T, const N: usize> = fn(Isa, &[u64; CHUNK], &mut [T; N], usize) -> usize;

impl<T: Copy, const N: usize> Waiting<T, N> {
    /// Reads chunks until `count` selections wait. The queue must have room for one more chunk.
    fn wait_for(
        &mut self,
        count: usize,
        isa: Isa,
        words: &mut dyn WordSource,
        accept: Accept<T, N>,
    ) -> Result<(), WordsError> {
        let Aligned(chunk) = &mut self.chunk;
        let mut rejected = 0;
        while self.len < count {
            words.fill(chunk)?;
            let before = self.len;
            self.len = accept(isa, chunk, &mut self.queue, before);
            let none = self.len == before;
            rejected = if none { rejected + CHUNK } else { 0 };
            if rejected > REJECTED_IN_A_ROW {
                return Err(WordsError::Stuck);
            }
        }
        Ok(())
    }

    /// Returns the first M selections. If fewer wait, the others are meaningless.
    fn first<const M: usize>(&self) -> &[T; M] {
        const { assert!(M <= N) };
        self.queue.first_chunk().expect("the queue is longer")
    }

    fn drop_first(&mut self, count: usize) {
        self.queue.copy_within(count..self.len, 0);
        self.len -= count;
    }
}

/// Selections of 13 of 26 places.
#[derive(Clone, Debug, Default)]
pub(super) struct HalfSelections(Waiting<u32, HALVES_QUEUE>);

impl HalfSelections {
    /// For each of the first deals, selects 13 of the 26 cards that are in neither hand.
    pub(super) fn split(
        &mut self,
        isa: Isa,
        count: usize,
        words: &mut dyn WordSource,
        taken: [&[u64; PACKET]; 2],
        hands: &mut [u64; PACKET],
    ) -> Result<(), WordsError> {
        self.0.wait_for(count, isa, words, kernels::accept_halves)?;
        kernels::split(isa, self.0.first(), taken, hands);
        self.0.drop_first(count);
        Ok(())
    }
}

/// Deals a block, a packet at a time.
///
/// Deal i of a block is made of accepted side i and of two accepted halves: half 2 i selects
/// north's cards among north-south's, and half 2 i + 1 east's among east-west's.
pub(super) fn deal_block(
    isa: Isa,
    mut deals: u64,
    sides: &mut dyn WordSource,
    halves: &mut dyn WordSource,
    packet: &mut Packet,
    sink: &mut dyn FnMut(&Packet),
) -> Result<(), WordsError> {
    let mut of_sides = Waiting::<u64, SIDES_QUEUE>::default();
    let mut of_halves = Waiting::<u32, HALVES_QUEUE>::default();
    packet.from_cases = false;
    while deals > 0 {
        packet.deals = deals.min(PACKET as u64) as usize;
        of_sides.wait_for(packet.deals, isa, sides, kernels::accept_sides)?;
        of_halves.wait_for(2 * packet.deals, isa, halves, kernels::accept_halves)?;
        kernels::expand(isa, of_sides.first(), of_halves.first(), packet);
        of_sides.drop_first(packet.deals);
        of_halves.drop_first(2 * packet.deals);
        deals -= packet.deals as u64;
        packet.clear_rest();
        sink(packet);
    }
    Ok(())
}
