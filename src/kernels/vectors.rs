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
#[target_feature(enable = "avx512f")]
pub(super) fn load_16(bytes: &[u8; 16]) -> std::arch::x86_64::__m128i {
    // SAFETY: the reference is valid for reads of 16 bytes, every bit pattern is a valid vector,
    // and the load requires no alignment.
    #[allow(unsafe_code, reason = "loads take pointers")]
    unsafe {
        _mm_loadu_si128(bytes.as_ptr().cast())
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
