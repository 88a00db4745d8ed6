//! Loads and stores of whole arrays with vectors of up to 512 bits.

#[allow(
    clippy::wildcard_imports,
    reason = "vectors and their loads and stores"
)]
use std::arch::x86_64::*;

use bytemuck::Pod;

/// The lowest 16 bits of every 64.
pub(super) const EACH_64: u32 = 0x1111_1111;

/// Loads 64 bytes.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load<T: Pod>(words: &T) -> __m512i {
    const { assert!(size_of::<T>() == 64) };
    // SAFETY: the reference is valid for reads of 64 bytes, every bit pattern is a valid vector,
    // and the load requires no alignment.
    #[allow(unsafe_code, reason = "loads take pointers")]
    unsafe {
        _mm512_loadu_si512(std::ptr::from_ref(words).cast())
    }
}

/// Loads 16 bytes.
#[inline]
#[target_feature(enable = "avx")]
pub(super) fn load_16(bytes: &[u8; 16]) -> std::arch::x86_64::__m128i {
    // SAFETY: the reference is valid for reads of 16 bytes, every bit pattern is a valid vector,
    // and the load requires no alignment.
    #[allow(unsafe_code, reason = "loads take pointers")]
    unsafe {
        _mm_loadu_si128(bytes.as_ptr().cast())
    }
}

/// Stores 16 bytes.
#[inline]
#[target_feature(enable = "avx")]
pub(super) fn store_16<T: Pod>(words: &mut T, vector: __m128i) {
    const { assert!(size_of::<T>() == 16) };
    // SAFETY: the reference is valid for writes of 16 bytes, every bit pattern is a valid word, and
    // the store requires no alignment.
    #[allow(unsafe_code, reason = "stores take pointers")]
    unsafe {
        _mm_storeu_si128(std::ptr::from_mut(words).cast(), vector);
    }
}

/// Loads 32 bytes.
#[inline]
#[target_feature(enable = "avx")]
pub(super) fn load_32<T: Pod>(words: &T) -> __m256i {
    const { assert!(size_of::<T>() == 32) };
    // SAFETY: the reference is valid for reads of 32 bytes, every bit pattern is a valid vector,
    // and the load requires no alignment.
    #[allow(unsafe_code, reason = "loads take pointers")]
    unsafe {
        _mm256_loadu_si256(std::ptr::from_ref(words).cast())
    }
}

/// Stores 32 bytes.
#[inline]
#[target_feature(enable = "avx")]
pub(super) fn store_32<T: Pod>(words: &mut T, vector: __m256i) {
    const { assert!(size_of::<T>() == 32) };
    // SAFETY: the reference is valid for writes of 32 bytes, every bit pattern is a valid word, and
    // the store requires no alignment.
    #[allow(unsafe_code, reason = "stores take pointers")]
    unsafe {
        _mm256_storeu_si256(std::ptr::from_mut(words).cast(), vector);
    }
}

/// Stores 64 bytes.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store<T: Pod>(words: &mut T, vector: __m512i) {
    const { assert!(size_of::<T>() == 64) };
    // SAFETY: the reference is valid for writes of 64 bytes, every bit pattern is a valid word, and
    // the store requires no alignment.
    #[allow(unsafe_code, reason = "stores take pointers")]
    unsafe {
        _mm512_storeu_si512(std::ptr::from_mut(words).cast(), vector);
    }
}

/// Counts the ones of each byte.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn byte_ones(words: __m256i) -> __m256i {
    let of_nibbles = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
    ));
    let nibbles = _mm256_set1_epi8(0xF);
    let low = _mm256_and_si256(words, nibbles);
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(words), nibbles);
    _mm256_add_epi8(
        _mm256_shuffle_epi8(of_nibbles, low),
        _mm256_shuffle_epi8(of_nibbles, high),
    )
}

/// Counts the ones of each 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn ones_16(words: __m256i) -> __m256i {
    _mm256_maddubs_epi16(byte_ones(words), _mm256_set1_epi8(1))
}

/// Counts the ones of each 64 bits.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn ones_64(words: __m256i) -> __m256i {
    _mm256_sad_epu8(byte_ones(words), _mm256_setzero_si256())
}
