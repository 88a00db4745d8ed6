//! AES-128 in counter mode. The crate `aes` is its reference.

#[allow(clippy::wildcard_imports, reason = "ten intrinsics")]
use std::arch::aarch64::*;

use super::super::isa::NeonCipher;
use super::super::{CHUNK, Isa};
use super::vectors::{load, store};

/// The keys of the eleven rounds, and the proof that the processor has the instructions.
#[derive(Clone, Copy, Debug)]
pub struct NeonRoundKeys {
    keys: [uint8x16_t; 11],
    _cipher: NeonCipher,
}

impl NeonRoundKeys {
    /// Returns the round keys of a key; `None` if the path has no instructions for the cipher.
    pub fn new(isa: Isa, key: &[u8; 16]) -> Option<Self> {
        let cipher = isa.cipher()?;
        // SAFETY: a cipher exists only where the processor has these instructions.
        #[allow(unsafe_code, reason = "the processor was asked")]
        let keys = unsafe { expand(key) };
        Some(Self {
            keys,
            _cipher: cipher,
        })
    }
}

/// Writes the words of 64 cipher blocks, starting at this counter block. The counter block is
/// `high` and `low`, both big-endian; `low` counts up.
pub fn counter_words(round_keys: &NeonRoundKeys, high: u64, low: u64, words: &mut [u64; CHUNK]) {
    // SAFETY: round keys exist only where the processor has these instructions.
    #[allow(unsafe_code, reason = "the processor was asked")]
    unsafe {
        encrypt(&round_keys.keys, high, low, words);
    }
}

#[target_feature(enable = "neon,aes")]
fn expand(key: &[u8; 16]) -> [uint8x16_t; 11] {
    const ROUND_CONSTANTS: [u32; 10] = [1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x1B, 0x36];
    let mut keys = [load(key); 11];
    let mut columns: [[u8; 4]; 4] = bytemuck::cast(*key);
    for (key, constant) in keys[1..].iter_mut().zip(ROUND_CONSTANTS) {
        let mut column = substituted(u32::from_le_bytes(columns[3])).rotate_right(8) ^ constant;
        for next in &mut columns {
            column ^= u32::from_le_bytes(*next);
            *next = column.to_le_bytes();
        }
        *key = load(&columns);
    }
    keys
}

/// Substitutes each byte of a column.
#[inline]
#[target_feature(enable = "neon,aes")]
fn substituted(column: u32) -> u32 {
    // With four equal columns, shifting the rows changes nothing.
    let state = vreinterpretq_u8_u32(vdupq_n_u32(column));
    vgetq_lane_u32::<0>(vreinterpretq_u32_u8(vaeseq_u8(state, vdupq_n_u8(0))))
}

/// Number of blocks encrypted at a time, which hides the latency of a round.
const TOGETHER: usize = 8;

#[target_feature(enable = "neon,aes")]
fn encrypt(keys: &[uint8x16_t; 11], high: u64, low: u64, words: &mut [u64; CHUNK]) {
    // An instruction adds the key before it substitutes, so the last key is added by itself.
    let [middle @ .., before_last, last] = *keys;
    let mut counter = vcombine_u64(vcreate_u64(high), vcreate_u64(low));
    let one = vcombine_u64(vcreate_u64(0), vcreate_u64(1));
    for words in words.as_chunks_mut::<{ 2 * TOGETHER }>().0 {
        let mut blocks = [vdupq_n_u8(0); TOGETHER];
        for block in &mut blocks {
            *block = vrev64q_u8(vreinterpretq_u8_u64(counter));
            counter = vaddq_u64(counter, one);
        }
        for key in middle {
            for block in &mut blocks {
                *block = vaesmcq_u8(vaeseq_u8(*block, key));
            }
        }
        for (block, words) in blocks.iter().zip(words.as_chunks_mut::<2>().0) {
            store(words, veorq_u8(vaeseq_u8(*block, before_last), last));
        }
    }
}

#[cfg(test)]
mod tests {
    use ::aes::Aes128;
    use ::aes::cipher::{Array, BlockCipherEncrypt, KeyInit};

    use super::*;

    #[test]
    fn the_words_are_the_crates() {
        let key = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3cu128.to_be_bytes();
        let cipher = Aes128::new(&Array(key));
        for isa in Isa::available() {
            let Some(keys) = NeonRoundKeys::new(*isa, &key) else {
                continue;
            };
            for (high, low) in [(0, 0), (7, u64::MAX - 20), (u64::MAX, 1 << 32)] {
                let mut words = [0; CHUNK];
                counter_words(&keys, high, low, &mut words);
                for (i, pair) in (0..).zip(words.as_chunks::<2>().0) {
                    let counter = u128::from(high) << 64 | u128::from(low.wrapping_add(i));
                    let mut block = Array(counter.to_be_bytes());
                    cipher.encrypt_block(&mut block);
                    let words = pair.map(u64::to_le_bytes).concat();
                    assert_eq!(words, block.as_slice(), "{isa}, block {i}");
                }
            }
        }
    }
}
