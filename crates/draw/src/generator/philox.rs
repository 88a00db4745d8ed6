//! Philox4x32-10 (Salmon, Moraes, Dror, Shaw, *Parallel random numbers: as easy as 1, 2, 3*, 2011),
//! which no maintained crate provides.

use super::{Aes128Ctr, Generator, StreamId, StreamPurpose, WordSource};
use crate::kernels::{CHUNK, Isa, philox_words};

/// Philox4x32 with ten rounds.
///
/// The 64-bit key is the first word of AES-128-CTR's key stream for the same seed. The counter's
/// four words, from the lowest, are the block number, the lane and the two halves of the first
/// deal. A block is two words of 64 bits.
#[derive(Clone, Debug)]
pub(crate) struct Philox4x32 {
    key: [u32; 2],
}

impl Philox4x32 {
    /// Returns the generator with this seed.
    pub(crate) fn new(seed: u128) -> Self {
        let [key, ..] = Aes128Ctr::new(seed).key_words(StreamId::new(0, StreamPurpose::Key, 0));
        Self {
            key: [key as u32, (key >> 32) as u32],
        }
    }
}

impl Generator for Philox4x32 {
    fn name(&self) -> String {
        "philox4x32".to_owned()
    }

    fn words(&self, id: StreamId) -> Box<dyn WordSource + '_> {
        let StreamId { first_deal, lane } = id;
        let high = [lane, first_deal as u32, (first_deal >> 32) as u32];
        let (key, isa, mut block) = (self.key, Isa::chosen(), 0_u32);
        Box::new(move |words: &mut [u64; CHUNK]| {
            philox_words(isa, key, block, high, words);
            block = block.wrapping_add(CHUNK as u32 / 2);
            Ok(())
        })
    }
}
