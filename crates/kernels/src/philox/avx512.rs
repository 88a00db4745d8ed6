//! Philox4x32-10 with four counters in each vector of 512 bits.

#[allow(clippy::wildcard_imports, reason = "intrinsics")]
use std::arch::x86_64::*;

use super::super::CHUNK;
use super::super::vectors::store;
use super::{MULTIPLIERS, ROUNDS, counter_words, next_key};

/// Number of vectors at a time, which hides the latency of a product.
const VECTORS: usize = 8;

const _: () = assert!(CHUNK.is_multiple_of(8 * VECTORS));

/// See [`philox_words`](crate::philox_words).
///
/// A product takes the even numbers of a counter, the high half of each result and the odd numbers
/// the places of the even ones: one shuffle and one shift.
#[target_feature(enable = "avx512f")]
pub(crate) fn philox_words(key: [u32; 2], block: u32, high: [u32; 3], words: &mut [u64; CHUNK]) {
    let multipliers = alternating(MULTIPLIERS);
    let mut block = block;
    for words in words.as_chunks_mut::<{ 8 * VECTORS }>().0 {
        let mut counters = [_mm512_setzero_si512(); VECTORS];
        for counter in &mut counters {
            let [[a, high], [b, _], [c, _], [d, _]] =
                [0, 1, 2, 3].map(|i| counter_words(block.wrapping_add(i), high));
            *counter = _mm512_setr_epi64(a, high, b, high, c, high, d, high);
            block = block.wrapping_add(4);
        }
        let mut key = key;
        for _ in 0..ROUNDS {
            let keys = alternating(key);
            for counter in &mut counters {
                let products = _mm512_mul_epu32(*counter, multipliers);
                let odd = _mm512_srli_epi64::<32>(*counter);
                let turned = _mm512_shuffle_epi32::<0b00_01_10_11>(products);
                *counter = _mm512_ternarylogic_epi64::<XOR>(turned, odd, keys);
            }
            key = next_key(key);
        }
        for (words, counter) in words.as_chunks_mut::<8>().0.iter_mut().zip(counters) {
            store(words, counter);
        }
    }
}

/// The exclusive or of three operands.
const XOR: i32 = 0x96;

/// Puts both numbers in the even places of each counter.
#[inline]
#[target_feature(enable = "avx512f")]
fn alternating(numbers: [u32; 2]) -> __m512i {
    let [a, b] = numbers.map(i64::from);
    _mm512_setr_epi64(a, b, a, b, a, b, a, b)
}
