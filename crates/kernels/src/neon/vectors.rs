//! Loads and stores of whole arrays, also by lanes of 16 bits.

use std::arch::aarch64::{
    uint8x16_t, uint8x16x2_t, uint8x16x4_t, uint16x8_t, uint16x8x2_t, uint16x8x4_t, vld1q_u8,
    vld1q_u8_x2, vld1q_u8_x4, vld1q_u16, vld2q_u16, vld4q_u16, vst1q_u8, vst1q_u16, vst2q_u16,
    vst4q_u16,
};

use bytemuck::Pod;

/// Loads 16 bytes.
#[inline]
#[target_feature(enable = "neon")]
pub(in super::super) fn load<T: Pod>(words: &T) -> uint8x16_t {
    const { assert!(size_of::<T>() == 16) };
    // SAFETY: the reference is valid for reads of 16 bytes, every bit pattern is a valid vector,
    // and the load requires no alignment.
    #[allow(unsafe_code, reason = "loads take pointers")]
    unsafe {
        vld1q_u8(std::ptr::from_ref(words).cast())
    }
}

/// Loads 32 bytes, as a table of two vectors.
#[inline]
#[target_feature(enable = "neon")]
pub(in super::super) fn load_32<T: Pod>(words: &T) -> uint8x16x2_t {
    const { assert!(size_of::<T>() == 32) };
    // SAFETY: the reference is valid for reads of 32 bytes, every bit pattern is a valid vector,
    // and the load requires no alignment.
    #[allow(unsafe_code, reason = "loads take pointers")]
    unsafe {
        vld1q_u8_x2(std::ptr::from_ref(words).cast())
    }
}

/// Loads 64 bytes, as a table of four vectors.
#[inline]
#[target_feature(enable = "neon")]
pub(in super::super) fn load_64<T: Pod>(words: &T) -> uint8x16x4_t {
    const { assert!(size_of::<T>() == 64) };
    // SAFETY: the reference is valid for reads of 64 bytes, every bit pattern is a valid vector,
    // and the load requires no alignment.
    #[allow(unsafe_code, reason = "loads take pointers")]
    unsafe {
        vld1q_u8_x4(std::ptr::from_ref(words).cast())
    }
}

/// Stores 16 bytes.
#[inline]
#[target_feature(enable = "neon")]
pub(in super::super) fn store<T: Pod>(words: &mut T, vector: uint8x16_t) {
    const { assert!(size_of::<T>() == 16) };
    // SAFETY: the reference is valid for writes of 16 bytes, every bit pattern is a valid word, and
    // the store requires no alignment.
    #[allow(unsafe_code, reason = "stores take pointers")]
    unsafe {
        vst1q_u8(std::ptr::from_mut(words).cast(), vector);
    }
}

/// Loads eight numbers.
#[inline]
#[target_feature(enable = "neon")]
pub(in super::super) fn load_lanes(numbers: &[u16; 8]) -> uint16x8_t {
    // SAFETY: the reference is valid for reads of eight numbers.
    #[allow(unsafe_code, reason = "loads take pointers")]
    unsafe {
        vld1q_u16(numbers.as_ptr())
    }
}

/// Stores eight numbers.
#[inline]
#[target_feature(enable = "neon")]
pub(in super::super) fn store_lanes(numbers: &mut [u16; 8], vector: uint16x8_t) {
    // SAFETY: the reference is valid for writes of eight numbers.
    #[allow(unsafe_code, reason = "stores take pointers")]
    unsafe {
        vst1q_u16(numbers.as_mut_ptr(), vector);
    }
}

/// Loads the lower halves of eight words, and their upper halves.
#[inline]
#[target_feature(enable = "neon")]
pub(in super::super) fn load_halves(words: &[u64; 4]) -> uint16x8x2_t {
    // SAFETY: the reference is valid for reads of 32 bytes, every bit pattern is a valid vector,
    // and the alignment of the words is that of their halves at least.
    #[allow(unsafe_code, reason = "loads take pointers")]
    unsafe {
        vld2q_u16(words.as_ptr().cast())
    }
}

/// Stores the lower halves of eight words, and their upper halves.
#[inline]
#[target_feature(enable = "neon")]
pub(in super::super) fn store_halves(words: &mut [u32; 8], halves: uint16x8x2_t) {
    // SAFETY: the reference is valid for writes of 32 bytes, every bit pattern is a valid word, and
    // the alignment of the words is that of their halves at least.
    #[allow(unsafe_code, reason = "stores take pointers")]
    unsafe {
        vst2q_u16(words.as_mut_ptr().cast(), halves);
    }
}

/// Loads each suit of eight hands, the lowest lane first.
#[inline]
#[target_feature(enable = "neon")]
pub(in super::super) fn load_suits(hands: &[u64; 8]) -> uint16x8x4_t {
    // SAFETY: the reference is valid for reads of 64 bytes, every bit pattern is a valid vector,
    // and the alignment of the hands is that of their lanes at least.
    #[allow(unsafe_code, reason = "loads take pointers")]
    unsafe {
        vld4q_u16(hands.as_ptr().cast())
    }
}

/// Stores each suit of eight hands, the lowest lane first.
#[inline]
#[target_feature(enable = "neon")]
pub(in super::super) fn store_suits(hands: &mut [u64; 8], suits: uint16x8x4_t) {
    // SAFETY: the reference is valid for writes of 64 bytes, every bit pattern is a valid hand, and
    // the alignment of the hands is that of their lanes at least.
    #[allow(unsafe_code, reason = "stores take pointers")]
    unsafe {
        vst4q_u16(hands.as_mut_ptr().cast(), suits);
    }
}
