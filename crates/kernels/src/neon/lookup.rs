//! Tables of 16-bit entries, looked up by lanes of 16 bits.

use std::arch::aarch64::{
    uint8x16_t, uint16x8_t, vdupq_n_u8, vdupq_n_u16, vmlaq_u16, vqtbl2q_u8, vqtbl4q_u8, vqtbx4q_u8,
    vreinterpretq_u8_u16, vreinterpretq_u16_u8, vsubq_u8,
};

use super::vectors::{load_32, load_64};

/// The two bytes of an entry for each lane.
#[derive(Clone, Copy)]
pub(in super::super) struct LookupPlaces(uint8x16_t);

impl LookupPlaces {
    /// Returns the places of entries from -64 to 127. Entries that a table does not have are 0.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(in super::super) fn of(entries: uint16x8_t) -> Self {
        // Twice the entry in the lower byte, and one more in the upper.
        let bytes = vmlaq_u16(vdupq_n_u16(0x100), entries, vdupq_n_u16(0x202));
        Self(vreinterpretq_u8_u16(bytes))
    }

    #[inline]
    #[target_feature(enable = "neon")]
    pub(in super::super) fn look_up_16(self, table: &[u16; 16]) -> uint16x8_t {
        vreinterpretq_u16_u8(vqtbl2q_u8(load_32(table), self.0))
    }

    #[inline]
    #[target_feature(enable = "neon")]
    pub(in super::super) fn look_up_64(self, [low, high]: &[[u16; 32]; 2]) -> uint16x8_t {
        let entries = vqtbl4q_u8(load_64(low), self.0);
        let beyond = vsubq_u8(self.0, vdupq_n_u8(64));
        vreinterpretq_u16_u8(vqtbx4q_u8(entries, load_64(high), beyond))
    }
}
