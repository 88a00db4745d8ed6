//! AES-128 in counter mode, four blocks per vector.
//!
//! Tests compare it with the crate `aes`, which all other processors use. That crate takes more
//! than twice the time for blocks that are counted up and thrown away.

use std::arch::x86_64::{
    __m128i, __m512i, _mm_aeskeygenassist_si128, _mm_loadu_si128, _mm_setr_epi8, _mm_shuffle_epi32,
    _mm_slli_si128, _mm_xor_si128, _mm512_add_epi64, _mm512_aesenc_epi128,
    _mm512_aesenclast_epi128, _mm512_broadcast_i32x4, _mm512_setr_epi64, _mm512_shuffle_epi8,
    _mm512_storeu_si512, _mm512_xor_si512,
};

use super::{CHUNK, Path};

/// The keys of the eleven rounds, each repeated four times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundKeys([__m512i; 11]);

impl RoundKeys {
    /// Returns the round keys of a key, or `None` if the path has no vector cipher.
    pub(crate) fn new(path: Path, key: &[u8; 16]) -> Option<Self> {
        // SAFETY: the path has these instructions.
        #[allow(unsafe_code, reason = "the processor was asked")]
        path.has_vector_aes().then(|| unsafe { expand(key) })
    }
}

/// Computes the words of the 64 cipher blocks from this counter block on. The counter block is
/// `high` and `low`, both big-endian; `low` counts up.
pub(crate) fn counter_words(keys: &RoundKeys, high: u64, low: u64, words: &mut [u64; CHUNK]) {
    // SAFETY: round keys exist only where the processor has these instructions.
    #[allow(unsafe_code, reason = "the processor was asked")]
    unsafe {
        encrypt(keys, high, low, words);
    }
}

#[target_feature(enable = "avx512f,aes")]
fn expand(key: &[u8; 16]) -> RoundKeys {
    #[inline]
    #[target_feature(enable = "avx512f,aes")]
    fn next<const ROUND: i32>(key: __m128i) -> __m128i {
        let word = _mm_shuffle_epi32::<0xFF>(_mm_aeskeygenassist_si128::<ROUND>(key));
        let key = _mm_xor_si128(key, _mm_slli_si128::<4>(key));
        let key = _mm_xor_si128(key, _mm_slli_si128::<8>(key));
        _mm_xor_si128(key, word)
    }
    // SAFETY: the reference is valid for reads of 16 bytes, every bit pattern is a valid vector,
    // and the load requires no alignment.
    #[allow(unsafe_code, reason = "loads take pointers")]
    let k0 = unsafe { _mm_loadu_si128(key.as_ptr().cast()) };
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
    let mut keys = RoundKeys([_mm512_broadcast_i32x4(k0); 11]);
    let all = [k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10];
    for (four, key) in keys.0.iter_mut().zip(all) {
        *four = _mm512_broadcast_i32x4(key);
    }
    keys
}

#[target_feature(enable = "avx512f,avx512bw,vaes")]
fn encrypt(keys: &RoundKeys, high: u64, low: u64, words: &mut [u64; CHUNK]) {
    let [first, middle @ .., last] = &keys.0;
    let swapped = _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
    let swapped = _mm512_broadcast_i32x4(swapped);
    let high = high.cast_signed();
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| low.wrapping_add(i).cast_signed());
    let mut counter = _mm512_setr_epi64(high, a, high, b, high, c, high, d);
    let four = _mm512_setr_epi64(0, 4, 0, 4, 0, 4, 0, 4);
    // Eight vectors at a time hide the latency of a round.
    for words in words.as_chunks_mut::<64>().0 {
        let mut blocks = [counter; 8];
        for block in &mut blocks {
            *block = _mm512_xor_si512(_mm512_shuffle_epi8(counter, swapped), *first);
            counter = _mm512_add_epi64(counter, four);
        }
        for key in middle {
            for block in &mut blocks {
                *block = _mm512_aesenc_epi128(*block, *key);
            }
        }
        for (block, words) in blocks.iter().zip(words.as_chunks_mut::<8>().0) {
            let words: &mut [u64; 8] = words;
            // SAFETY: the reference is valid for writes of 64 bytes, every bit pattern is a valid
            // word, and the store requires no alignment.
            #[allow(unsafe_code, reason = "stores take pointers")]
            unsafe {
                _mm512_storeu_si512(
                    words.as_mut_ptr().cast(),
                    _mm512_aesenclast_epi128(*block, *last),
                );
            }
        }
    }
}
