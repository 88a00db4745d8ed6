//! AES-128 in counter mode, the default.

use ::aes::Aes128;
use ::aes::cipher::{Array, BlockCipherEncrypt, KeyInit};

use super::{Generator, StreamId, WordSource};
use crate::kernels::{CHUNK, Isa};
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::kernels::{RoundKeys, counter_words};

/// AES-128 in counter mode.
///
/// The key is the 16 bytes of the seed, highest first. Word w of a stream is the (w mod 2)-th
/// little-endian half of an encrypted 16-byte block. The block holds the first deal (8 bytes), the
/// lane (4 bytes) and w / 2 (4 bytes), all big-endian.
#[derive(Clone)]
pub struct Aes128Ctr {
    cipher: Aes128,
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    round_keys: Option<RoundKeys>,
}

impl Aes128Ctr {
    /// Returns the generator with this seed.
    pub fn new(seed: u128) -> Self {
        Self::with_isa(seed, Isa::chosen())
    }

    /// Returns the generator with this seed and these instructions. The words do not depend on
    /// them.
    pub fn with_isa(seed: u128, isa: Isa) -> Self {
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let _ = isa;
        Self {
            cipher: Aes128::new(&Array(seed.to_be_bytes())),
            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            round_keys: RoundKeys::new(isa, &seed.to_be_bytes()),
        }
    }

    /// Computes the words from this counter on.
    fn chunk(&self, first_deal: u64, counter: u64, words: &mut [u64; CHUNK]) {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        if let Some(keys) = &self.round_keys {
            return counter_words(keys, first_deal, counter, words);
        }
        // The counters are written where the words will be.
        for (i, pair) in (0..).zip(words.as_chunks_mut::<2>().0) {
            *pair = [first_deal.to_be(), counter.wrapping_add(i).to_be()];
        }
        let (blocks, _) = Array::slice_as_chunks_mut(bytemuck::cast_slice_mut(&mut words[..]));
        self.cipher.encrypt_blocks(blocks);
        for word in words {
            *word = u64::from_le(*word);
        }
    }

    /// Returns the first four words of a stream, as a seed for other generators.
    pub(super) fn key_words(&self, id: StreamId) -> [u64; 4] {
        let mut words = [0; CHUNK];
        self.chunk(id.first_deal, u64::from(id.lane) << 32, &mut words);
        [words[0], words[1], words[2], words[3]]
    }
}

impl std::fmt::Debug for Aes128Ctr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Aes128Ctr").finish_non_exhaustive()
    }
}

impl Generator for Aes128Ctr {
    fn name(&self) -> String {
        "aes128ctr".to_owned()
    }

    fn words(&self, id: StreamId) -> Box<dyn WordSource + '_> {
        let mut counter = u64::from(id.lane) << 32;
        Box::new(move |words: &mut [u64; CHUNK]| {
            self.chunk(id.first_deal, counter, words);
            counter += CHUNK as u64 / 2;
            debug_assert!(counter as u32 != 0, "the next words belong to another lane");
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_aes_128_in_counter_mode() {
        // NIST SP 800-38A, F.5.1: key, first counter block f0f1..ff, and the output blocks before
        // they are added to the plain text.
        let key = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c;
        let output = [
            0xec8c_df73_9860_7cb0_f2d2_1675_ea9e_a1e4u128,
            0x362b_7c3c_6773_5163_18a0_77d7_fc50_73ae,
            0x6a2c_c378_7889_374f_beb4_c81b_17ba_6c44,
        ];
        for &isa in Isa::available() {
            let generator = Aes128Ctr::with_isa(key, isa);
            let mut words = [0; CHUNK];
            let (high, low) = (0xf0f1_f2f3_f4f5_f6f7, 0xf8f9_fafb_fcfd_feff);
            generator.chunk(high, low, &mut words);
            for (pair, block) in words.chunks(2).zip(output) {
                let [low, high] = [pair[0], pair[1]].map(u128::from);
                assert_eq!((high << 64 | low).to_le_bytes(), block.to_be_bytes());
            }
        }
    }

    #[test]
    fn every_path_gives_the_crates_words() {
        let plain = Aes128Ctr::with_isa(0x5eed, Isa::PORTABLE);
        for &isa in Isa::available() {
            let generator = Aes128Ctr::with_isa(0x5eed, isa);
            for id in [0, 1, 0xFFFF_FFFF] {
                let id = StreamId {
                    first_deal: 7,
                    lane: id,
                };
                let (mut stream, mut expected) = (generator.words(id), plain.words(id));
                for _ in 0..3 {
                    let (mut words, mut plain_words) = ([0; CHUNK], [0; CHUNK]);
                    stream.fill(&mut words).unwrap();
                    expected.fill(&mut plain_words).unwrap();
                    assert_eq!(words, plain_words, "{isa}");
                }
            }
        }
    }

    #[test]
    fn the_first_words_of_seed_0_never_change() {
        // A change here changes every deal of every seed: announce it in CHANGELOG.md. The first
        // block is AES-128 of zeros under the zero key, a published value.
        let first = Aes128Ctr::new(0).key_words(StreamId {
            first_deal: 0,
            lane: 0,
        });
        let block = 0x66e9_4bd4_ef8a_2c3b_884c_fa59_ca34_2b2eu128.to_be_bytes();
        assert_eq!(first[0].to_le_bytes(), block[..8]);
        assert_eq!(first[1].to_le_bytes(), block[8..]);
    }
}
