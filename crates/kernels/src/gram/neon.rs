//! Differing rows, counted with 128-bit vectors.
//!
//! An instruction counts the ones of 16 bytes. The naive sum therefore takes three instructions for
//! two words: exclusive or, count, add. Falls would take seven for four words.

use std::arch::aarch64::{
    vaddq_u8, vcntq_u8, vdupq_n_u8, vdupq_n_u64, veorq_u8, vpadalq_u32, vpaddlq_u8, vpaddlq_u16,
    vreinterpretq_u8_u64, vreinterpretq_u64_u8,
};

use super::super::Aligned;
use super::super::neon::vectors::{load, store};
use super::{GROUPS, ParityStep, SIGN_ROWS, STEPS, SignDifferences, SignRows, WordLanes, xor};

/// Number of rows that are compared with eight others at a time.
const ROWS: usize = 4;
/// Number of words whose counts fit in bytes.
const WORDS: usize = 2 * super::STRIDE;

const _: () = assert!(SIGN_ROWS.is_multiple_of(ROWS) && 8 * WORDS <= u8::MAX as usize);

/// All words of eight rows.
type GroupWords = [WordLanes; 2 * STEPS];

/// See [`count_differing`](crate::count_differing).
#[target_feature(enable = "neon")]
pub(crate) fn count_differing(
    first: &SignRows,
    second: &SignRows,
    within: bool,
    differing: &mut SignDifferences,
) {
    let words = 2 * first.steps.min(second.steps);
    let Aligned(ours) = &mut Aligned([[[0; 8]; 2 * STEPS]; GROUPS]);
    for (ours, steps) in ours.iter_mut().zip(first.groups.iter()) {
        lay_words(steps, ours);
    }
    let Aligned(theirs) = &mut Aligned([[0; 8]; 2 * STEPS]);
    for (group, differing) in differing.0.iter_mut().enumerate() {
        lay_words(&second.groups[group], theirs);
        let theirs = theirs[..words].as_chunks::<WORDS>().0;
        let rows = if within { 8 * group + 8 } else { SIGN_ROWS };
        let fours = differing.as_chunks_mut::<ROWS>().0.iter_mut();
        for (four, differing) in fours.enumerate().take(rows.div_ceil(ROWS)) {
            let ours = ours[four / 2][..words].as_chunks::<WORDS>().0;
            for (ours, theirs) in ours.iter().zip(theirs) {
                add_differing(ours, four % 2, theirs, differing);
            }
        }
    }
}

/// Writes the words of eight rows, which are the changes of their parities.
#[inline]
fn lay_words(steps: &[ParityStep; STEPS], words: &mut GroupWords) {
    for (step, words) in steps.iter().zip(words.as_chunks_mut::<2>().0) {
        words[0] = xor(step.before, step.middle);
        words[1] = xor(step.change, words[0]);
    }
}

/// Adds the differences of four rows, the lower or the upper half of a group, from eight others.
#[inline]
#[target_feature(enable = "neon")]
fn add_differing(
    ours: &[WordLanes; WORDS],
    half: usize,
    theirs: &[WordLanes; WORDS],
    differing: &mut [WordLanes; ROWS],
) {
    let mut counts = [[vdupq_n_u8(0); 4]; ROWS];
    for (ours, theirs) in ours.iter().zip(theirs) {
        let theirs = [0, 1, 2, 3].map(|pair| load(&theirs.as_chunks::<2>().0[pair]));
        let ours = &ours.as_chunks::<ROWS>().0[half];
        for (word, counts) in ours.iter().zip(&mut counts) {
            let word = vreinterpretq_u8_u64(vdupq_n_u64(*word));
            for (count, theirs) in counts.iter_mut().zip(theirs) {
                *count = vaddq_u8(*count, vcntq_u8(veorq_u8(word, theirs)));
            }
        }
    }
    for (differing, counts) in differing.iter_mut().zip(counts) {
        for (sums, count) in differing.as_chunks_mut::<2>().0.iter_mut().zip(counts) {
            let sum = vreinterpretq_u64_u8(load(sums));
            let sum = vpadalq_u32(sum, vpaddlq_u16(vpaddlq_u8(count)));
            store(sums, vreinterpretq_u8_u64(sum));
        }
    }
}
