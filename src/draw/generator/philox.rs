//! Philox4x32-10 (Salmon, Moraes, Dror, Shaw, *Parallel random numbers: as easy as 1, 2, 3*, 2011),
//! which no maintained crate provides.

use super::{Aes128Ctr, Generator, StreamId, StreamPurpose, WordSource, WordsError};
use crate::kernels::CHUNK;

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
    #[must_use]
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
        Box::new(PhiloxWords {
            key: self.key,
            id,
            block: 0,
        })
    }
}

struct PhiloxWords {
    key: [u32; 2],
    id: StreamId,
    block: u32,
}

impl WordSource for PhiloxWords {
    fn fill(&mut self, words: &mut [u64; CHUNK]) -> Result<(), WordsError> {
        let (low, high) = (self.id.first_deal as u32, (self.id.first_deal >> 32) as u32);
        for pair in words.as_chunks_mut::<2>().0 {
            let [a, b, c, d] =
                philox4x32_10([self.block, self.id.lane, low, high], self.key).map(u64::from);
            *pair = [b << 32 | a, d << 32 | c];
            self.block = self.block.wrapping_add(1);
        }
        Ok(())
    }
}

/// Applies the bijection of four words that a key selects.
fn philox4x32_10(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let ([mut a, mut b, mut c, mut d], [mut j, mut k]) = (counter, key);
    for _ in 0..10 {
        let x = u64::from(a) * 0xD251_1F53;
        let y = u64::from(c) * 0xCD9E_8D57;
        [a, b, c, d] = [
            (y >> 32) as u32 ^ b ^ j,
            y as u32,
            (x >> 32) as u32 ^ d ^ k,
            x as u32,
        ];
        j = j.wrapping_add(0x9E37_79B9);
        k = k.wrapping_add(0xBB67_AE85);
    }
    [a, b, c, d]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_answers_of_random123_come_out() {
        let zeros = philox4x32_10([0; 4], [0; 2]);
        assert_eq!(zeros, [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        let ones = philox4x32_10([u32::MAX; 4], [u32::MAX; 2]);
        assert_eq!(ones, [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        let pi = philox4x32_10(
            [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
            [0xa409_3822, 0x299f_31d0],
        );
        assert_eq!(pi, [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]);
    }
}
