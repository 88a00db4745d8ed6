//! xoshiro256++, seeded separately for every stream.

use rand_xoshiro::Xoshiro256PlusPlus as Sequence;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::{Aes128Ctr, Generator, StreamId, WordSource};
use crate::kernels::CHUNK;

/// xoshiro256++. It has no counter, so the state of a stream is the first four words of
/// AES-128-CTR's stream with the same seed and id.
#[derive(Clone, Debug)]
pub(crate) struct Xoshiro256PlusPlus {
    seeds: Aes128Ctr,
}

impl Xoshiro256PlusPlus {
    /// Returns the generator with this seed.
    pub(crate) fn new(seed: u128) -> Self {
        Self {
            seeds: Aes128Ctr::new(seed),
        }
    }
}

impl Generator for Xoshiro256PlusPlus {
    fn name(&self) -> String {
        "xoshiro256++".to_owned()
    }

    fn words(&self, id: StreamId) -> Box<dyn WordSource + '_> {
        let mut state = [0; 32];
        let words = self.seeds.key_words(id);
        for (bytes, word) in state.as_chunks_mut::<8>().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
        let mut sequence = Sequence::from_seed(state);
        Box::new(move |words: &mut [u64; CHUNK]| {
            words.fill_with(|| sequence.next_u64());
            Ok(())
        })
    }
}
