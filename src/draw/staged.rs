//! Staged rejection: which 26 cards, and which thirteen of 26, at no more than
//! a table look-up a suit.
//!
//! Thirteen cards of a suit have 2^13 subsets, and raw bits give one for each
//! suit but the last, which must complete the number of cards. Sixteen bits r
//! choose among its C subsets of that size: r is accepted below 38 C, where 38 =
//! floor(2^16 / C(13, 6)), and r / 38 is the subset. Every set of cards then has
//! the same number of accepted words, so that the accepted sets are uniform;
//! 52.3 % of the words are accepted for a side, 73.6 % of half words for a hand.

use super::generator::REJECTED_IN_A_ROW;
use super::{Words, WordsError};
use crate::kernels::{self, CHUNK, HALVES_QUEUE, PACKET, Packet, Path, SIDES_QUEUE};

/// Accepted words for sides, waiting to be dealt.
#[derive(Clone, Debug)]
pub(super) struct Sides {
    queue: [u64; SIDES_QUEUE],
    len: usize,
}

/// Accepted half words for hands, waiting to be dealt.
#[derive(Clone, Debug)]
pub(super) struct Halves {
    queue: [u32; HALVES_QUEUE],
    len: usize,
}

impl Default for Sides {
    fn default() -> Self {
        Self {
            queue: [0; SIDES_QUEUE],
            len: 0,
        }
    }
}

impl Default for Halves {
    fn default() -> Self {
        Self {
            queue: [0; HALVES_QUEUE],
            len: 0,
        }
    }
}

impl Sides {
    /// Reads chunks until so many wait, at most a packet.
    fn wait_for(
        &mut self,
        count: usize,
        path: Path,
        words: &mut dyn Words,
    ) -> Result<(), WordsError> {
        let mut chunk = [0; CHUNK];
        let mut rejected = 0;
        while self.len < count {
            words.fill(&mut chunk)?;
            let before = self.len;
            self.len = kernels::accept_sides(path, &chunk, &mut self.queue, self.len);
            rejected = if self.len == before {
                rejected + CHUNK
            } else {
                0
            };
            if rejected > REJECTED_IN_A_ROW {
                return Err(WordsError::Stuck);
            }
        }
        Ok(())
    }

    fn drop_first(&mut self, count: usize) {
        self.queue.copy_within(count..self.len, 0);
        self.len -= count;
    }
}

impl Halves {
    /// Reads chunks until so many wait, at most two packets.
    fn wait_for(
        &mut self,
        count: usize,
        path: Path,
        words: &mut dyn Words,
    ) -> Result<(), WordsError> {
        let mut chunk = [0; CHUNK];
        let mut rejected = 0;
        while self.len < count {
            words.fill(&mut chunk)?;
            let before = self.len;
            self.len = kernels::accept_halves(path, &chunk, &mut self.queue, self.len);
            rejected = if self.len == before {
                rejected + CHUNK
            } else {
                0
            };
            if rejected > REJECTED_IN_A_ROW {
                return Err(WordsError::Stuck);
            }
        }
        Ok(())
    }

    fn drop_first(&mut self, count: usize) {
        self.queue.copy_within(count..self.len, 0);
        self.len -= count;
    }

    /// Forgets what waits, before another stream is read.
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Takes thirteen of each 26 cards, for the first so many.
    pub(super) fn split(
        &mut self,
        count: usize,
        path: Path,
        words: &mut dyn Words,
        cards: &[u64; PACKET],
        hands: &mut [u64; PACKET],
    ) -> Result<(), WordsError> {
        self.wait_for(count, path, words)?;
        let halves = self.queue.first_chunk().expect("the queue is longer");
        kernels::split(path, halves, cards, hands);
        self.drop_first(count);
        Ok(())
    }
}

/// Deals of a block, a packet at a time.
///
/// Deal i of a block is made of the i-th accepted side, and of the accepted
/// halves 2 i for north's cards among north-south's and 2 i + 1 for east's
/// among east-west's.
pub(super) fn deal_block(
    path: Path,
    mut deals: u64,
    sides: &mut dyn Words,
    halves: &mut dyn Words,
    packet: &mut Packet,
    sink: &mut dyn FnMut(&Packet),
) -> Result<(), WordsError> {
    let (mut waiting_sides, mut waiting_halves) = (Sides::default(), Halves::default());
    while deals > 0 {
        packet.deals = deals.min(PACKET as u64) as usize;
        waiting_sides.wait_for(packet.deals, path, sides)?;
        waiting_halves.wait_for(2 * packet.deals, path, halves)?;
        let side = waiting_sides
            .queue
            .first_chunk()
            .expect("the queue is longer");
        let half = waiting_halves
            .queue
            .first_chunk()
            .expect("the queue is longer");
        kernels::expand(path, side, half, packet);
        waiting_sides.drop_first(packet.deals);
        waiting_halves.drop_first(2 * packet.deals);
        deals -= packet.deals as u64;
        packet.clear_rest();
        sink(packet);
    }
    Ok(())
}
