//! ChaCha with eight rounds, from the `rand` crate.

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

use super::{Generator, StreamId, WordSource};
use crate::kernels::CHUNK;

/// ChaCha8 in rand's layout: a 64-bit counter and a 64-bit stream number.
///
/// The key is the 16 bytes of the seed, highest first, then 16 zeros. The stream number is the
/// first deal. The counter starts at 2^32 times the lane.
#[derive(Clone)]
pub struct ChaCha8 {
    key: [u8; 32],
}

impl std::fmt::Debug for ChaCha8 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChaCha8").finish_non_exhaustive()
    }
}

impl ChaCha8 {
    /// Returns the generator with this seed.
    pub fn new(seed: u128) -> Self {
        let mut key = [0; 32];
        key[..16].copy_from_slice(&seed.to_be_bytes());
        Self { key }
    }
}

impl Generator for ChaCha8 {
    fn name(&self) -> String {
        "chacha8".to_owned()
    }

    fn words(&self, id: StreamId) -> Box<dyn WordSource + '_> {
        let mut cipher = ChaCha8Rng::from_seed(self.key);
        cipher.set_stream(id.first_deal);
        // A block of the cipher is sixteen words of 32 bits.
        cipher.set_word_pos((u128::from(id.lane) << 32) * 16);
        Box::new(move |words: &mut [u64; CHUNK]| {
            cipher.fill_bytes(bytemuck::cast_slice_mut(words));
            for word in words {
                *word = u64::from_le(*word);
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_stream_of_the_zero_key_is_the_published_one() {
        // ChaCha8, 256-bit zero key, zero nonce: the test vectors of ECRYPT's set 1.
        let generator = ChaCha8::new(0);
        let mut words = [0; CHUNK];
        let mut stream = generator.words(StreamId {
            first_deal: 0,
            lane: 0,
        });
        stream.fill(&mut words).unwrap();
        let first = 0x3e00_ef2f_895f_40d6_7f5b_b8e8_1f09_a5a1u128.to_be_bytes();
        assert_eq!(words[0].to_le_bytes(), first[..8]);
        assert_eq!(words[1].to_le_bytes(), first[8..]);
    }
}
