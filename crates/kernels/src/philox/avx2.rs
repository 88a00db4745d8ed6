//! Philox4x32-10 with two counters in each vector of 256 bits.

#[allow(clippy::wildcard_imports, reason = "intrinsics")]
use std::arch::x86_64::*;

use super::super::CHUNK;
use super::super::vectors::store_32;
use super::{MULTIPLIERS, ROUNDS, counter_words, next_key};

/// Number of vectors at a time, which hides the latency of a product.
const VECTORS: usize = 8;

const _: () = assert!(CHUNK.is_multiple_of(4 * VECTORS));

/// See [`philox_words`](crate::philox_words), and `avx512` for the order of the numbers.
#[target_feature(enable = "avx2")]
pub(crate) fn philox_words(key: [u32; 2], block: u32, high: [u32; 3], words: &mut [u64; CHUNK]) {
    let multipliers = alternating(MULTIPLIERS);
    let mut block = block;
    for words in words.as_chunks_mut::<{ 4 * VECTORS }>().0 {
        let mut counters = [_mm256_setzero_si256(); VECTORS];
        for counter in &mut counters {
            let [[a, high], [b, _]] = [0, 1].map(|i| counter_words(block.wrapping_add(i), high));
            *counter = _mm256_setr_epi64x(a, high, b, high);
            block = block.wrapping_add(2);
        }
        let mut key = key;
        for _ in 0..ROUNDS {
            let keys = alternating(key);
            for counter in &mut counters {
                let products = _mm256_mul_epu32(*counter, multipliers);
                let odd = _mm256_srli_epi64::<32>(*counter);
                let turned = _mm256_shuffle_epi32::<0b00_01_10_11>(products);
                *counter = _mm256_xor_si256(turned, _mm256_xor_si256(odd, keys));
            }
            key = next_key(key);
        }
        for (words, counter) in words.as_chunks_mut::<4>().0.iter_mut().zip(counters) {
            store_32(words, counter);
        }
    }
}

/// Puts both numbers in the even places of each counter.
#[inline]
#[target_feature(enable = "avx2")]
fn alternating(numbers: [u32; 2]) -> __m256i {
    let [a, b] = numbers.map(i64::from);
    _mm256_setr_epi64x(a, b, a, b)
}
