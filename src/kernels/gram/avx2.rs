//! Differing rows, counted with 256-bit vectors.

#[allow(clippy::wildcard_imports, reason = "intrinsics")]
use std::arch::x86_64::*;

use super::super::vectors::{load_32, ones_64, store_32};
use super::{ParityStep, SIGN_ROWS, STRIDE, SignDifferences, SignRows};

/// See [`count_differing`](crate::kernels::count_differing).
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(crate) fn count_differing(
    first: &SignRows,
    second: &SignRows,
    within: bool,
    differing: &mut SignDifferences,
) {
    let steps = first.steps.min(second.steps);
    for (group, differing) in differing.0.iter_mut().enumerate() {
        let rows = if within { 8 * group + 8 } else { SIGN_ROWS };
        let theirs = second.groups[group][..steps].as_chunks().0;
        let ends = second.last[group].as_chunks::<4>().0;
        for (row, differing) in differing.iter_mut().enumerate().take(rows) {
            let ours = first.groups[row / 8][..steps].as_chunks().0;
            let end = all(first.last[row / 8][row % 8]);
            let halves = differing.as_chunks_mut::<4>().0.iter_mut().zip(ends);
            for (half, (differing, ends)) in halves.enumerate() {
                let falls = count_falls(ours, row % 8, theirs, half);
                let end = ones_64(_mm256_xor_si256(end, load_32(ends)));
                let sum = _mm256_add_epi64(_mm256_add_epi64(falls, falls), end);
                store_32(differing, _mm256_add_epi64(load_32(differing), sum));
            }
        }
    }
}

/// Counts the falls of the parity of one row and each of four others.
#[inline]
#[target_feature(enable = "avx2")]
fn count_falls(
    ours: &[[ParityStep; STRIDE]],
    lane: usize,
    theirs: &[[ParityStep; STRIDE]],
    half: usize,
) -> __m256i {
    let (lane, half) = (lane % 8, half % 2);
    // Ones, twos and fours of each place; eights are counted.
    let [mut ones, mut twos, mut fours, mut eights] = [_mm256_setzero_si256(); 4];
    for (ours, theirs) in ours.iter().zip(theirs) {
        let mut of_four = [_mm256_setzero_si256(); 2];
        let fours_of = ours
            .as_chunks::<4>()
            .0
            .iter()
            .zip(theirs.as_chunks::<4>().0);
        for (four, (ours, theirs)) in of_four.iter_mut().zip(fours_of) {
            let a = falls(&ours[0], lane, &theirs[0], half);
            let b = falls(&ours[1], lane, &theirs[1], half);
            let two = carry_save(&mut ones, a, b);
            let a = falls(&ours[2], lane, &theirs[2], half);
            let b = falls(&ours[3], lane, &theirs[3], half);
            let other = carry_save(&mut ones, a, b);
            *four = carry_save(&mut twos, two, other);
        }
        let carried = carry_save(&mut fours, of_four[0], of_four[1]);
        eights = _mm256_add_epi64(eights, ones_64(carried));
    }
    let sum = _mm256_add_epi64(_mm256_slli_epi64::<1>(eights), ones_64(fours));
    let sum = _mm256_add_epi64(_mm256_slli_epi64::<1>(sum), ones_64(twos));
    _mm256_add_epi64(_mm256_slli_epi64::<1>(sum), ones_64(ones))
}

/// Marks the falls of the parities of one row and four others.
#[inline]
#[target_feature(enable = "avx2")]
fn falls(ours: &ParityStep, lane: usize, theirs: &ParityStep, half: usize) -> __m256i {
    let part = |lanes: &[u64; 8]| load_32(&lanes.as_chunks::<4>().0[half]);
    let before = _mm256_xor_si256(all(ours.before[lane]), part(&theirs.before));
    let middle = _mm256_xor_si256(all(ours.middle[lane]), part(&theirs.middle));
    let change = _mm256_xor_si256(all(ours.change[lane]), part(&theirs.change));
    _mm256_xor_si256(before, _mm256_andnot_si256(change, middle))
}

/// Adds two words to a sum, and returns the carry.
#[inline]
#[target_feature(enable = "avx2")]
fn carry_save(sum: &mut __m256i, a: __m256i, b: __m256i) -> __m256i {
    let either = _mm256_xor_si256(a, b);
    let carried = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(either, *sum));
    *sum = _mm256_xor_si256(*sum, either);
    carried
}

/// Repeats a word four times.
#[inline]
#[target_feature(enable = "avx2")]
fn all(word: u64) -> __m256i {
    _mm256_set1_epi64x(word.cast_signed())
}
