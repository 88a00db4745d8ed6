//! AES-128 in counter mode: four blocks to a vector, two, or one, by what the processor has.
//!
//! The crate `aes` is its reference, and the fallback for all other processors. It takes more than
//! twice the time for blocks that are counted up and thrown away.

#[allow(clippy::wildcard_imports, reason = "twenty-five intrinsics")]
use std::arch::x86_64::*;

use super::isa::Cipher;
use super::vectors::{load_16, store_16, store_32};
use super::{CHUNK, Isa};

/// The keys of the eleven rounds, and the instructions that use them.
#[derive(Clone, Copy, Debug)]
pub struct RoundKeys {
    cipher: Cipher,
    keys: [__m128i; 11],
}

impl RoundKeys {
    /// Returns the round keys of a key; `None` if the path has no instructions for the cipher.
    pub fn new(isa: Isa, key: &[u8; 16]) -> Option<Self> {
        isa.cipher().map(|cipher| Self::with(cipher, key))
    }

    fn with(cipher: Cipher, key: &[u8; 16]) -> Self {
        // SAFETY: a cipher exists only where the processor has these instructions.
        #[allow(unsafe_code, reason = "the processor was asked")]
        let keys = unsafe { expand(key) };
        Self { cipher, keys }
    }
}

/// Writes the words of 64 cipher blocks, starting at this counter block. The counter block is
/// `high` and `low`, both big-endian; `low` counts up.
pub fn counter_words(round_keys: &RoundKeys, high: u64, low: u64, words: &mut [u64; CHUNK]) {
    let keys = &round_keys.keys;
    // SAFETY: a cipher exists only where the processor has its instructions.
    #[allow(unsafe_code, reason = "the processor was asked")]
    unsafe {
        match round_keys.cipher {
            Cipher::Four => encrypt_by_four(keys, high, low, words),
            Cipher::Two => encrypt_by_two(keys, high, low, words),
            Cipher::One => encrypt_by_one(keys, high, low, words),
        }
    }
}

#[target_feature(enable = "avx,aes")]
fn expand(key: &[u8; 16]) -> [__m128i; 11] {
    #[inline]
    #[target_feature(enable = "avx,aes")]
    fn next<const ROUND: i32>(key: __m128i) -> __m128i {
        let word = _mm_shuffle_epi32::<0xFF>(_mm_aeskeygenassist_si128::<ROUND>(key));
        let key = _mm_xor_si128(key, _mm_slli_si128::<4>(key));
        let key = _mm_xor_si128(key, _mm_slli_si128::<8>(key));
        _mm_xor_si128(key, word)
    }
    let k0 = load_16(key);
    let k1 = next::<0x01>(k0);
    let k2 = next::<0x02>(k1);
    let k3 = next::<0x04>(k2);
    let k4 = next::<0x08>(k3);
    let k5 = next::<0x10>(k4);
    let k6 = next::<0x20>(k5);
    let k7 = next::<0x40>(k6);
    let k8 = next::<0x80>(k7);
    let k9 = next::<0x1B>(k8);
    let k10 = next::<0x36>(k9);
    [k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10]
}

/// Number of vectors encrypted at a time, which hides the latency of a round.
const TOGETHER: usize = 8;

/// Reverses the bytes of each 64 bits.
#[inline]
#[target_feature(enable = "avx")]
fn swapping() -> __m128i {
    _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8)
}

#[target_feature(enable = "avx512f,avx512bw,vaes")]
fn encrypt_by_four(keys: &[__m128i; 11], high: u64, low: u64, words: &mut [u64; CHUNK]) {
    // A closure would not be compiled for these instructions, and be called for every key.
    let mut wide = [_mm512_setzero_si512(); 11];
    for (wide, key) in wide.iter_mut().zip(keys) {
        *wide = _mm512_broadcast_i32x4(*key);
    }
    let [first, middle @ .., last] = wide;
    let swapped = _mm512_broadcast_i32x4(swapping());
    let high = high.cast_signed();
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| low.wrapping_add(i).cast_signed());
    let mut counter = _mm512_setr_epi64(high, a, high, b, high, c, high, d);
    let four = _mm512_setr_epi64(0, 4, 0, 4, 0, 4, 0, 4);
    for words in words.as_chunks_mut::<{ 8 * TOGETHER }>().0 {
        let mut blocks = [counter; TOGETHER];
        for block in &mut blocks {
            *block = _mm512_xor_si512(_mm512_shuffle_epi8(counter, swapped), first);
            counter = _mm512_add_epi64(counter, four);
        }
        for key in middle {
            for block in &mut blocks {
                *block = _mm512_aesenc_epi128(*block, key);
            }
        }
        for (block, words) in blocks.iter().zip(words.as_chunks_mut::<8>().0) {
            super::vectors::store(words, _mm512_aesenclast_epi128(*block, last));
        }
    }
}

#[target_feature(enable = "avx2,vaes")]
fn encrypt_by_two(keys: &[__m128i; 11], high: u64, low: u64, words: &mut [u64; CHUNK]) {
    let mut wide = [_mm256_setzero_si256(); 11];
    for (wide, key) in wide.iter_mut().zip(keys) {
        *wide = _mm256_broadcastsi128_si256(*key);
    }
    let [first, middle @ .., last] = wide;
    let swapped = _mm256_broadcastsi128_si256(swapping());
    let high = high.cast_signed();
    let [a, b] = [0, 1].map(|i| low.wrapping_add(i).cast_signed());
    let mut counter = _mm256_setr_epi64x(high, a, high, b);
    let two = _mm256_setr_epi64x(0, 2, 0, 2);
    for words in words.as_chunks_mut::<{ 4 * TOGETHER }>().0 {
        let mut blocks = [counter; TOGETHER];
        for block in &mut blocks {
            *block = _mm256_xor_si256(_mm256_shuffle_epi8(counter, swapped), first);
            counter = _mm256_add_epi64(counter, two);
        }
        for key in middle {
            for block in &mut blocks {
                *block = _mm256_aesenc_epi128(*block, key);
            }
        }
        for (block, words) in blocks.iter().zip(words.as_chunks_mut::<4>().0) {
            store_32(words, _mm256_aesenclast_epi128(*block, last));
        }
    }
}

#[target_feature(enable = "avx,aes")]
fn encrypt_by_one(keys: &[__m128i; 11], high: u64, low: u64, words: &mut [u64; CHUNK]) {
    let [first, middle @ .., last] = *keys;
    let swapped = swapping();
    let mut counter = _mm_set_epi64x(low.cast_signed(), high.cast_signed());
    let one = _mm_set_epi64x(1, 0);
    for words in words.as_chunks_mut::<{ 2 * TOGETHER }>().0 {
        let mut blocks = [counter; TOGETHER];
        for block in &mut blocks {
            *block = _mm_xor_si128(_mm_shuffle_epi8(counter, swapped), first);
            counter = _mm_add_epi64(counter, one);
        }
        for key in middle {
            for block in &mut blocks {
                *block = _mm_aesenc_si128(*block, key);
            }
        }
        for (block, words) in blocks.iter().zip(words.as_chunks_mut::<2>().0) {
            store_16(words, _mm_aesenclast_si128(*block, last));
        }
    }
}

#[cfg(test)]
mod tests {
    use ::aes::Aes128;
    use ::aes::cipher::{Array, BlockCipherEncrypt, KeyInit};

    use super::*;

    #[test]
    fn every_width_of_a_vector_gives_the_crates_words() {
        let key = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3cu128.to_be_bytes();
        let cipher = Aes128::new(&Array(key));
        let counters = [(0, 0), (7, u64::MAX - 20), (u64::MAX, 1 << 32)];
        let widths = Isa::available().iter().filter_map(|isa| isa.cipher());
        for width in widths.flat_map(|widest| widest.and_narrower()) {
            for (high, low) in counters {
                let mut words = [0; CHUNK];
                counter_words(&RoundKeys::with(*width, &key), high, low, &mut words);
                for (i, pair) in (0..).zip(words.as_chunks::<2>().0) {
                    let counter = u128::from(high) << 64 | u128::from(low.wrapping_add(i));
                    let mut block = Array(counter.to_be_bytes());
                    cipher.encrypt_block(&mut block);
                    let words = pair.map(u64::to_le_bytes).concat();
                    assert_eq!(words, block.as_slice(), "{width:?}, block {i}");
                }
            }
        }
    }
}
