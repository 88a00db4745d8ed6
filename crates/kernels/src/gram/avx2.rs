//! Differing rows, counted with 256-bit vectors.
//!
//! Without instructions that count ones or take three operands, the sums of falls take eight
//! instructions for every word. A shuffle looks up 32 counts instead: the bits of four deals of one
//! row select a table, and those of 32 other rows their places in it.

#[allow(clippy::wildcard_imports, reason = "intrinsics")]
use std::arch::x86_64::*;

use super::super::Aligned;
use super::super::vectors::{load_16, load_32, store_32};
use super::{GROUPS, ParityStep, SIGN_ROWS, STEP, SignDifferences, SignRows, turn_eight};

/// Number of vectors of rows.
const VECTORS: usize = GROUPS / 4;
/// Number of blocks of four deals in a step. Their counts fit in bytes.
const BLOCKS: usize = STEP / 4;

const _: () = assert!(GROUPS.is_multiple_of(4) && 4 * BLOCKS <= u8::MAX as usize);

/// By block of four deals: their bits in every row, one row to a byte.
type Nibbles = [[[u8; 32]; VECTORS]; BLOCKS];

/// By the bits of four deals in one row and in another: the number of deals that differ.
static DIFFERING: [[u8; 16]; 16] = {
    let mut differing = [[0; 16]; 16];
    let mut pair = 0;
    while pair < 256 {
        let (one, other) = (pair / 16, pair % 16);
        differing[one][other] = (one ^ other).count_ones() as u8;
        pair += 1;
    }
    differing
};

/// See [`count_differing`](crate::count_differing).
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(crate) fn count_differing(
    first: &SignRows,
    second: &SignRows,
    within: bool,
    differing: &mut SignDifferences,
) {
    let mut nibbles = Aligned([[[0; 32]; VECTORS]; BLOCKS]);
    // A chunk has fewer than 2^16 deals.
    let mut sums: Aligned<[RowSums; SIGN_ROWS]> = Aligned([[[0; 32]; VECTORS]; SIGN_ROWS]);
    let (nibbles, sums) = (&mut nibbles.0, &mut sums.0);
    for step in 0..first.steps.min(second.steps) {
        for (group, steps) in second.groups.iter().enumerate() {
            lay_nibbles(&steps[step], group, nibbles);
        }
        for (pair, sums) in sums.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            let words = words_of(&first.groups[pair / 4][step]);
            let words = words.map(|words| words.as_chunks::<2>().0[pair % 4]);
            // Within deals, each two rows are counted in one order.
            match if within { pair / 16 } else { 0 } {
                0 => add_rows::<0>(words, nibbles, sums),
                1 => add_rows::<1>(words, nibbles, sums),
                2 => add_rows::<2>(words, nibbles, sums),
                3 => add_rows::<3>(words, nibbles, sums),
                _ => add_rows::<4>(words, nibbles, sums),
            }
        }
    }
    for (group, differing) in differing.0.iter_mut().enumerate() {
        let rows = if within { 8 * group + 8 } else { SIGN_ROWS };
        for (differing, sums) in differing.iter_mut().zip(&*sums).take(rows) {
            let sums = &sums[group / 4].as_chunks::<8>().0[group % 4];
            for (differing, sum) in differing.iter_mut().zip(sums) {
                *differing += u64::from(*sum);
            }
        }
    }
}

/// Returns the two words of a step, each of eight rows.
#[inline]
fn words_of(step: &ParityStep) -> [[u64; 8]; 2] {
    let mut first = step.before;
    for (word, middle) in first.iter_mut().zip(step.middle) {
        *word ^= middle;
    }
    let mut second = step.change;
    for (word, first) in second.iter_mut().zip(first) {
        *word ^= first;
    }
    [first, second]
}

/// Writes the bits of a group's eight rows in a step.
#[inline]
fn lay_nibbles(step: &ParityStep, group: usize, nibbles: &mut Nibbles) {
    const LOW: u64 = 0x0F0F_0F0F_0F0F_0F0F;
    let blocks = nibbles.as_chunks_mut::<{ BLOCKS / 2 }>().0.iter_mut();
    for (words, blocks) in words_of(step).into_iter().zip(blocks) {
        let mut words = words.map(|word| [word]);
        turn_eight::<8, 1>(&mut words);
        for ([word], pair) in words.iter().zip(blocks.as_chunks_mut::<2>().0) {
            for (block, nibbles) in pair.iter_mut().zip([word & LOW, word >> 4 & LOW]) {
                let rows = &mut block[group / 4].as_chunks_mut::<8>().0[group % 4];
                *rows = nibbles.to_le_bytes();
            }
        }
    }
}

/// The sums of a row: its differences from every row.
type RowSums = [[u16; 32]; VECTORS];

/// Adds the differences of two rows, given their words in a step, from all rows of the vectors from
/// `FROM` on.
#[inline]
#[target_feature(enable = "avx2")]
fn add_rows<const FROM: usize>(words: [[u64; 2]; 2], nibbles: &Nibbles, sums: &mut [RowSums; 2]) {
    let mut counts = [[_mm256_setzero_si256(); VECTORS]; 2];
    let blocks = nibbles.as_chunks::<{ BLOCKS / 2 }>().0;
    for ([mut one, mut other], blocks) in words.into_iter().zip(blocks) {
        for block in blocks {
            let [table, other_table] = [one, other].map(|word| {
                let table = load_16(&DIFFERING[(word & 15) as usize]);
                _mm256_broadcastsi128_si256(table)
            });
            (one, other) = (one >> 4, other >> 4);
            for vector in FROM..VECTORS {
                let places = load_32(&block[vector]);
                let differing = _mm256_shuffle_epi8(table, places);
                counts[0][vector] = _mm256_add_epi8(counts[0][vector], differing);
                let differing = _mm256_shuffle_epi8(other_table, places);
                counts[1][vector] = _mm256_add_epi8(counts[1][vector], differing);
            }
        }
    }
    for (sums, counts) in sums.iter_mut().zip(counts) {
        for vector in FROM..VECTORS {
            let halves = sums[vector].as_chunks_mut::<16>().0;
            let low = _mm256_castsi256_si128(counts[vector]);
            let high = _mm256_extracti128_si256::<1>(counts[vector]);
            for (sums, counts) in halves.iter_mut().zip([low, high]) {
                let counts = _mm256_cvtepu8_epi16(counts);
                store_32(sums, _mm256_add_epi16(load_32(sums), counts));
            }
        }
    }
}
