//! Counter-based streams: AES-128 in counter mode, one stream a block of deals.
//!
//! The seed's sixteen bytes, highest first, are the key. Word w of stream s is
//! the (w mod 2)-th half, little-endian, of the cipher of the 16-byte block
//! that holds s and then w / 2, both big-endian. No state passes from one
//! block of deals to another, so any worker can deal any of them.

use aes::Aes128;
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};

/// Cipher blocks made at a time.
const BLOCKS: usize = 32;
const WORDS: usize = 2 * BLOCKS;

/// Where random words come from: one seed, 2^64 streams of 2^65 words.
#[derive(Clone)]
pub struct Generator {
    cipher: Aes128,
}

impl Generator {
    /// The generator's name in options and reports.
    pub const NAME: &'static str = "aes128ctr";

    /// The generator of this seed.
    #[must_use]
    pub fn new(seed: u128) -> Self {
        Self {
            cipher: Aes128::new(&Array(seed.to_be_bytes())),
        }
    }

    /// One of its streams, from its first word.
    #[must_use]
    pub fn stream(&self, number: u64) -> Stream<'_> {
        Stream {
            cipher: &self.cipher,
            number,
            next_block: 0,
            words: [0; WORDS],
            next_word: WORDS,
        }
    }
}

/// A stream of random words.
pub struct Stream<'g> {
    cipher: &'g Aes128,
    number: u64,
    next_block: u64,
    words: [u64; WORDS],
    next_word: usize,
}

impl Stream<'_> {
    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        if self.next_word == WORDS {
            self.refill();
        }
        let word = self.words[self.next_word];
        self.next_word += 1;
        word
    }

    #[cold]
    fn refill(&mut self) {
        let first = self.next_block;
        let mut blocks: [_; BLOCKS] = std::array::from_fn(|i| {
            let counter = u128::from(self.number) << 64 | u128::from(first + i as u64);
            Array(counter.to_be_bytes())
        });
        self.cipher.encrypt_blocks(&mut blocks);
        for (words, block) in self.words.chunks_exact_mut(2).zip(&blocks) {
            let both = u128::from_le_bytes(block.0);
            words[0] = both as u64;
            words[1] = (both >> 64) as u64;
        }
        self.next_block += BLOCKS as u64;
        self.next_word = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(seed: u128, stream: u64, from: usize, count: usize) -> Vec<u64> {
        let generator = Generator::new(seed);
        let mut stream = generator.stream(stream);
        (0..from + count)
            .map(|_| stream.next_u64())
            .skip(from)
            .collect()
    }

    #[test]
    fn the_words_are_those_of_aes_128_in_counter_mode() {
        // NIST SP 800-38A, F.5.1: key, first counter block f0f1..ff, and the
        // output blocks before they are added to the plain text.
        let key = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c;
        let generator = Generator::new(key);
        let mut stream = Stream {
            next_block: 0xf8f9_fafb_fcfd_feff,
            ..generator.stream(0xf0f1_f2f3_f4f5_f6f7)
        };
        let output = [
            0xec8c_df73_9860_7cb0_f2d2_1675_ea9e_a1e4u128,
            0x362b_7c3c_6773_5163_18a0_77d7_fc50_73ae,
            0x6a2c_c378_7889_374f_beb4_c81b_17ba_6c44,
        ];
        for block in output {
            let words = [stream.next_u64(), stream.next_u64()];
            let [low, high] = words.map(u128::from);
            assert_eq!((high << 64 | low).to_le_bytes(), block.to_be_bytes());
        }
    }

    #[test]
    fn streams_of_one_seed_and_seeds_of_one_stream_differ() {
        let first = words(0, 0, 0, 100);
        assert_eq!(first, words(0, 0, 0, 100));
        assert_eq!(first[70..], words(0, 0, 70, 30));
        assert_ne!(first, words(0, 1, 0, 100));
        assert_ne!(first, words(1, 0, 0, 100));
    }

    #[test]
    fn the_first_words_of_seed_0_never_change() {
        // A change here changes every deal of every seed: it needs a heading in CHANGELOG.md.
        // The first block is AES-128 of zeros under the zero key, a published value.
        let first = words(0, 0, 0, 2);
        let block = 0x66e9_4bd4_ef8a_2c3b_884c_fa59_ca34_2b2eu128.to_be_bytes();
        assert_eq!(first[0].to_le_bytes(), block[..8]);
        assert_eq!(first[1].to_le_bytes(), block[8..]);
    }
}
