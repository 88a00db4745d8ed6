//! Philox4x32-10 (Salmon, Moraes, Dror, Shaw, *Parallel random numbers: as easy as 1, 2, 3*, 2011):
//! one counter at a time, or two or four in each vector.

use super::CHUNK;

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;

const ROUNDS: usize = 10;

/// Multipliers of a round.
const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];

/// Steps of both halves of the key between rounds.
const KEY_STEPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// See [`philox_words`](super::philox_words).
#[inline(always)]
pub(super) fn philox_words(key: [u32; 2], block: u32, high: [u32; 3], words: &mut [u64; CHUNK]) {
    let [first, second, third] = high;
    for (i, pair) in (0..).zip(words.as_chunks_mut::<2>().0) {
        let counter = [block.wrapping_add(i), first, second, third];
        let [a, b, c, d] = philox4x32_10(counter, key).map(u64::from);
        *pair = [b << 32 | a, d << 32 | c];
    }
}

/// Applies the bijection of four numbers that a key selects.
#[inline(always)]
fn philox4x32_10(counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    let [mut a, mut b, mut c, mut d] = counter;
    for _ in 0..ROUNDS {
        let x = u64::from(a) * u64::from(MULTIPLIERS[0]);
        let y = u64::from(c) * u64::from(MULTIPLIERS[1]);
        [a, b, c, d] = [
            (y >> 32) as u32 ^ b ^ key[0],
            y as u32,
            (x >> 32) as u32 ^ d ^ key[1],
            x as u32,
        ];
        key = next_key(key);
    }
    [a, b, c, d]
}

#[inline(always)]
fn next_key(key: [u32; 2]) -> [u32; 2] {
    [0, 1].map(|half| key[half].wrapping_add(KEY_STEPS[half]))
}

/// A counter as two words, the lower number of each in its lower half.
#[inline(always)]
#[cfg(target_arch = "x86_64")]
fn counter_words(block: u32, [first, second, third]: [u32; 3]) -> [i64; 2] {
    [
        (u64::from(first) << 32 | u64::from(block)).cast_signed(),
        (u64::from(third) << 32 | u64::from(second)).cast_signed(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Isa, philox_words};

    #[test]
    fn the_known_answers_of_random123_come_out() {
        let zeros = philox4x32_10([0; 4], [0; 2]);
        assert_eq!(zeros, [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        let ones = philox4x32_10([u32::MAX; 4], [u32::MAX; 2]);
        assert_eq!(ones, [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        let pi = philox4x32_10(
            [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
            [0xa409_3822, 0x299f_31d0],
        );
        assert_eq!(pi, [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]);
    }

    #[test]
    fn every_path_has_the_words_of_counter_after_counter() {
        let (key, high) = ([0xa409_3822, 0x299f_31d0], [9, 0x89AB_CDEF, 0x0123_4567]);
        // The block number of the last chunk wraps around.
        for first in [0, 64, 0x8000_0001, u32::MAX - 20] {
            for &isa in Isa::available() {
                let mut words = [0; CHUNK];
                philox_words(isa, key, first, high, &mut words);
                for (i, pair) in (0..).zip(words.as_chunks::<2>().0) {
                    let block = first.wrapping_add(i);
                    let counter = [block, high[0], high[1], high[2]];
                    let [a, b, c, d] = philox4x32_10(counter, key).map(u64::from);
                    assert_eq!(*pair, [b << 32 | a, d << 32 | c], "{isa}, block {block}");
                }
            }
        }
    }
}
