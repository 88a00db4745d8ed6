//! Sign rows of a chunk of deals, and the number of differences between each two of them.
//!
//! A deal gives every card two bits (the seat's number), and each card has three *sign rows*: its
//! high bits, its low bits, and the places where the two differ. For 64 deals at a time, the rows
//! are words. The result is, for each row of one set and each row of another, the sum of
//! `popcount(a ^ b)` over all words.
//!
//! Let y be the running parity a_0 ^ b_0 ^ a_1 ^ b_1 .. of such a pair, bit by bit. The ones of
//! a ^ b are the places where y changes, and every second change is back to 0. Their number is
//! therefore twice the number of *falls* of y, plus one where y ends as 1. Two words, one *step*,
//! contain at most one fall per bit. With y before the step, in its middle and after it, the falls
//! are `before ^ (middle & !(before ^ after))`. All three are linear: they are kept for each row
//! separately, and a pair of rows costs one exclusive or for each, merged with the logic where
//! there are instructions with three operands. Ones are therefore counted in half as many words as
//! in the naive sum.
//!
//! Eight rows are side by side in a vector, against one row in all lanes. The lanes are sums of
//! different pairs, so nothing is added across lanes.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
#[cfg(target_arch = "aarch64")]
pub(super) mod neon;

use super::packet::boxed;

/// Number of deals that are laid out and compared at a time.
pub const GRAM_CHUNK: usize = 4096;
/// Number of sign rows of a deck: three per card.
pub const SIGN_ROWS: usize = 3 * 52;

/// Number of groups of eight rows; four places of the last group are empty.
const GROUPS: usize = SIGN_ROWS.div_ceil(8);
/// Number of deals that are transposed at a time, in eight lanes.
const UNIT: usize = 512;
/// Number of deals in a step, which is two words.
const STEP: usize = 128;
const STEPS: usize = GRAM_CHUNK / STEP;
/// Number of steps taken at a time.
const STRIDE: usize = 8;

const _: () = assert!(GRAM_CHUNK.is_multiple_of(STRIDE * STEP) && UNIT.is_multiple_of(STEP));

/// A word of eight rows, or of eight runs of deals.
type WordLanes = [u64; 8];

/// Contribution of two words to the parities of eight rows.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
struct ParityStep {
    /// Parity before the two words.
    before: WordLanes,
    /// Parity between them.
    middle: WordLanes,
    /// Exclusive or of the parities before and after them.
    change: WordLanes,
}

/// The sign rows of up to [`GRAM_CHUNK`] deals, as steps of parities.
///
/// Row 8 g + l is lane l of group g. Groups 0 to 5 hold the first rows of cards 0 to 47, the next
/// six groups the second rows, and the next six the third rows. Group 18 holds the first and second
/// rows of the last four cards, group 19 their third rows.
#[derive(Clone, Debug)]
pub struct SignRows {
    steps: usize,
    groups: Box<[[ParityStep; STEPS]; GROUPS]>,
    /// Parity of all words.
    last: Box<[WordLanes; GROUPS]>,
}

impl Default for SignRows {
    fn default() -> Self {
        Self {
            steps: 0,
            groups: boxed([ParityStep::default(); STEPS]),
            last: boxed([0; 8]),
        }
    }
}

/// Number of differences between rows: by group of the second set and row of the first.
#[derive(Clone, Debug)]
pub struct SignDifferences(Box<[[WordLanes; SIGN_ROWS]; GROUPS]>);

impl Default for SignDifferences {
    fn default() -> Self {
        Self(boxed([[0; 8]; SIGN_ROWS]))
    }
}

/// By sign row `3 * card + i`: its group and lane.
static PLACES: [(usize, usize); SIGN_ROWS] = {
    let mut places = [(0, 0); SIGN_ROWS];
    let mut row = 0;
    while row < SIGN_ROWS {
        let (card, i) = (row / 3, row % 3);
        places[row] = match (card / 8, i) {
            (6, 0 | 1) => (18, card % 8 + 4 * i),
            (6, _) => (19, card % 8),
            (eight, _) => (6 * i + eight, card % 8),
        };
        row += 1;
    }
    places
};

impl SignDifferences {
    /// Returns how often row `a` of the first set differed from row `b` of the second. Rows are in
    /// the order `3 * card + i`.
    #[inline]
    pub fn of_pair(&self, a: usize, b: usize) -> u64 {
        let ((group, lane), row) = (PLACES[b], PLACES[a]);
        self.0[group][8 * row.0 + row.1][lane]
    }

    /// Returns the same if the second set is the first and pairs were counted in one order only.
    #[inline]
    pub fn of_pair_within(&self, a: usize, b: usize) -> u64 {
        if PLACES[a] <= PLACES[b] {
            self.of_pair(a, b)
        } else {
            self.of_pair(b, a)
        }
    }
}

/// Bits of the seats of up to 512 deals, card by card: deal 8 i + l is bit i of lane l.
type CardPlanes = [WordLanes; 64];

/// Performs three of the six stages of a transposition of 64 by 64 bits in every lane: those that
/// exchange words `STRIDE` .. `4 * STRIDE` apart.
#[inline(always)]
fn exchange<const STRIDE: usize>(planes: &mut CardPlanes) {
    for start in 0..8 {
        let start = if STRIDE == 1 { 8 * start } else { start };
        let mut words = [[0; 8]; 8];
        for i in 0..8 {
            words[i] = planes[start + STRIDE * i];
        }
        turn_eight::<STRIDE, 8>(&mut words);
        for i in 0..8 {
            planes[start + STRIDE * i] = words[i];
        }
    }
}

/// Transposes eight words of each lane, as eight rows of eight runs of `STRIDE` bits.
#[inline(always)]
fn turn_eight<const STRIDE: usize, const W: usize>(words: &mut [[u64; W]; 8]) {
    for apart in [4, 2, 1] {
        let bits = STRIDE * apart;
        // The lower half of each group of 2 * bits.
        let mask = u64::MAX / ((1 << bits) + 1);
        for low in 0..8 {
            if low & apart == 0 {
                let (mut a, mut b) = (words[low], words[low + apart]);
                for (a, b) in a.iter_mut().zip(&mut b) {
                    let turned = (*a >> bits ^ *b) & mask;
                    *a ^= turned << bits;
                    *b ^= turned;
                }
                (words[low], words[low + apart]) = (a, b);
            }
        }
    }
}

/// Returns the plane of a card.
const fn plane_of(card: usize) -> usize {
    16 * (card / 13) + card % 13
}

/// Returns the planes of eight cards.
const fn planes_of(eight: usize) -> [usize; 8] {
    let (mut planes, mut i) = ([0; 8], 0);
    while i < 8 {
        planes[i] = plane_of(8 * eight + i);
        i += 1;
    }
    planes
}

/// Transposes eight planes of eight lanes.
#[inline(always)]
fn turn(planes: &CardPlanes, eight: [usize; 8]) -> [WordLanes; 8] {
    let mut turned = [[0; 8]; 8];
    for i in 0..8 {
        for lane in 0..8 {
            turned[lane][i] = planes[eight[i]][lane];
        }
    }
    turned
}

#[inline(always)]
fn xor(mut a: WordLanes, b: WordLanes) -> WordLanes {
    for (a, b) in a.iter_mut().zip(b) {
        *a ^= b;
    }
    a
}

/// Copies the deals of a unit, with zeros for missing deals.
#[inline(always)]
fn copy_unit(column: &[u64; GRAM_CHUNK], start: usize, deals: usize, planes: &mut CardPlanes) {
    let end = deals.clamp(start, start + UNIT);
    let deals = &column[start..end];
    let (present, missing) = planes.as_flattened_mut().split_at_mut(deals.len());
    present.copy_from_slice(deals);
    missing.fill(0);
}

/// Returns the number of steps for this number of deals.
const fn steps_of(deals: usize) -> usize {
    deals.div_ceil(STEP * STRIDE) * STRIDE
}

/// See [`lay_rows`](super::lay_rows).
#[inline(always)]
pub(super) fn lay_rows(
    high: &[u64; GRAM_CHUNK],
    low: &[u64; GRAM_CHUNK],
    deals: usize,
    rows: &mut SignRows,
) {
    rows.steps = steps_of(deals);
    rows.last.fill([0; 8]);
    let mut planes = [[[0; 8]; 64]; 2];
    for unit in 0..rows.steps * STEP / UNIT {
        for (planes, column) in planes.iter_mut().zip([high, low]) {
            copy_unit(column, unit * UNIT, deals, planes);
            exchange::<8>(planes);
            exchange::<1>(planes);
        }
        let [high, low] = &planes;
        for eight in 0..6 {
            let first = turn(high, planes_of(eight));
            let second = turn(low, planes_of(eight));
            let mut third = first;
            for (first, second) in third.iter_mut().zip(second) {
                *first = xor(*first, second);
            }
            lay(rows, eight, unit, &first);
            lay(rows, 6 + eight, unit, &second);
            lay(rows, 12 + eight, unit, &third);
        }
        let mut spare = [[0; 8]; 64];
        for i in 0..4 {
            let plane = plane_of(48 + i);
            (spare[i], spare[4 + i]) = (high[plane], low[plane]);
            spare[8 + i] = xor(high[plane], low[plane]);
        }
        lay(rows, 18, unit, &turn(&spare, [0, 1, 2, 3, 4, 5, 6, 7]));
        lay(
            rows,
            19,
            unit,
            &turn(&spare, [8, 9, 10, 11, 12, 13, 14, 15]),
        );
    }
}

/// Adds the words of eight runs of 64 deals to a group's steps.
#[inline(always)]
fn lay(rows: &mut SignRows, group: usize, unit: usize, words: &[WordLanes; 8]) {
    let steps = &mut rows.groups[group].as_chunks_mut::<{ UNIT / STEP }>().0[unit];
    let parity = &mut rows.last[group];
    for (step, words) in steps.iter_mut().zip(words.as_chunks::<2>().0) {
        step.before = *parity;
        step.middle = xor(*parity, words[0]);
        step.change = xor(words[0], words[1]);
        *parity = xor(step.middle, words[1]);
    }
}

/// Adds two words to a sum, and returns the carry.
#[inline(always)]
pub(super) fn carry_save<const W: usize>(sum: &mut [u64; W], a: [u64; W], b: [u64; W]) -> [u64; W] {
    let mut carried = [0; W];
    for i in 0..W {
        let either = a[i] ^ b[i];
        carried[i] = (a[i] & b[i]) | (either & sum[i]);
        sum[i] ^= either;
    }
    carried
}

/// See [`count_differing`](super::count_differing); takes `W` lanes at a time.
#[inline(always)]
pub(super) fn count_differing<const W: usize>(
    first: &SignRows,
    second: &SignRows,
    within: bool,
    differing: &mut SignDifferences,
) {
    let steps = first.steps.min(second.steps);
    for (group, differing) in differing.0.iter_mut().enumerate() {
        let rows = if within { 8 * group + 8 } else { SIGN_ROWS };
        for (row, differing) in differing.iter_mut().enumerate().take(rows) {
            let ours = first.groups[row / 8][..steps].as_chunks().0;
            let theirs = second.groups[group][..steps].as_chunks().0;
            let end = first.last[row / 8][row % 8];
            let ends = second.last[group].as_chunks::<W>().0;
            let parts = differing.as_chunks_mut::<W>().0;
            for (part, (differing, ends)) in parts.iter_mut().zip(ends).enumerate() {
                let falls = count_falls::<W>(ours, row % 8, theirs, part);
                for i in 0..W {
                    differing[i] += 2 * falls[i] + u64::from((end ^ ends[i]).count_ones());
                }
            }
        }
    }
}

/// Counts the falls of the parity of one row and each of `W` others.
#[inline(always)]
fn count_falls<const W: usize>(
    ours: &[[ParityStep; STRIDE]],
    lane: usize,
    theirs: &[[ParityStep; STRIDE]],
    part: usize,
) -> [u64; W] {
    // Ones, twos and fours of each place; eights are counted.
    let [mut ones, mut twos, mut fours] = [[0; W]; 3];
    let mut eights = [0; W];
    for (ours, theirs) in ours.iter().zip(theirs) {
        let [a, b] = two_falls(&ours[0..2], lane, &theirs[0..2], part);
        let two = carry_save(&mut ones, a, b);
        let [a, b] = two_falls(&ours[2..4], lane, &theirs[2..4], part);
        let other = carry_save(&mut ones, a, b);
        let four = carry_save(&mut twos, two, other);
        let [a, b] = two_falls(&ours[4..6], lane, &theirs[4..6], part);
        let two = carry_save(&mut ones, a, b);
        let [a, b] = two_falls(&ours[6..8], lane, &theirs[6..8], part);
        let other = carry_save(&mut ones, a, b);
        let other = carry_save(&mut twos, two, other);
        let carried = carry_save(&mut fours, four, other);
        for (eights, carried) in eights.iter_mut().zip(carried) {
            *eights += u64::from(carried.count_ones());
        }
    }
    let mut falls = [0; W];
    for i in 0..W {
        let ones = u64::from(ones[i].count_ones());
        let twos = u64::from(twos[i].count_ones());
        let fours = u64::from(fours[i].count_ones());
        falls[i] = ones + (twos << 1) + (fours << 2) + (eights[i] << 3);
    }
    falls
}

/// Marks the falls of parities in two steps.
#[inline(always)]
fn two_falls<const W: usize>(
    ours: &[ParityStep],
    lane: usize,
    theirs: &[ParityStep],
    part: usize,
) -> [[u64; W]; 2] {
    let a = falls_of(&ours[0], lane, &theirs[0], part);
    let b = falls_of(&ours[1], lane, &theirs[1], part);
    [a, b]
}

/// Marks the falls of the parities of one row and `W` others.
#[inline(always)]
fn falls_of<const W: usize>(
    ours: &ParityStep,
    lane: usize,
    theirs: &ParityStep,
    part: usize,
) -> [u64; W] {
    let before = theirs.before.as_chunks::<W>().0[part];
    let middle = theirs.middle.as_chunks::<W>().0[part];
    let change = theirs.change.as_chunks::<W>().0[part];
    let mut falls = [0; W];
    for i in 0..W {
        let kept = !(change[i] ^ ours.change[lane]);
        falls[i] = before[i] ^ ours.before[lane] ^ ((middle[i] ^ ours.middle[lane]) & kept);
    }
    falls
}
