//! Cards that a seat of one deal and a seat of another have in common.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;

/// The distances of the deals whose overlaps are counted; 36 boards are a club's set.
pub const LAGS: [usize; 7] = [1, 2, 3, 4, 8, 16, 36];
/// Deals that are compared with those before them at a time.
pub(crate) const OVERLAP_CHUNK: usize = 1024;
/// Deals that are kept before a chunk, in whole vectors.
pub(crate) const BEFORE: usize = 40;

const _: () = assert!(LAGS[6] <= BEFORE && BEFORE.is_multiple_of(8));

/// Hands of three seats: of a chunk's deals, and of the deals before them.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Hands(pub(crate) [[u64; BEFORE + OVERLAP_CHUNK]; 3]);

impl Default for Hands {
    fn default() -> Self {
        Self([[0; BEFORE + OVERLAP_CHUNK]; 3])
    }
}

/// By lag, seat of the earlier deal and seat of the later one.
pub(crate) type Overlap = [[[u64; 3]; 3]; LAGS.len()];

/// Deals that are compared in one go.
const GROUP: usize = 128;

/// See [`count_overlap`](super::count_overlap); `W` deals are taken at a time.
#[inline(always)]
pub(super) fn count_overlap<const W: usize>(hands: &Hands, deals: usize, overlap: &mut Overlap) {
    let deals = deals.next_multiple_of(GROUP).min(OVERLAP_CHUNK);
    for (lag, table) in LAGS.into_iter().zip(overlap) {
        for (earlier, row) in hands.0.iter().zip(table) {
            let earlier = &earlier[BEFORE - lag..][..deals];
            for (later, cards) in hands.0.iter().zip(row) {
                *cards += in_both::<W>(earlier, &later[BEFORE..][..deals]);
            }
        }
    }
}

/// Ones that two columns have in common.
#[inline(always)]
fn in_both<const W: usize>(a: &[u64], b: &[u64]) -> u64 {
    // Ones, twos, fours and eights of each place; sixteens are counted.
    let mut sums = [[0; W]; 4];
    let mut sixteens = [0u64; W];
    let rows = |column| <[u64]>::as_chunks::<W>(column).0.chunks_exact(16);
    for (a, b) in rows(a).zip(rows(b)) {
        let [ones, twos, fours, eights] = &mut sums;
        let both = |i: usize| std::array::from_fn(|lane| a[i][lane] & b[i][lane]);
        let mut two = |i: usize| carry_save(ones, [both(i), both(i + 1)]);
        let mut four = |i: usize| carry_save(twos, [two(i), two(i + 2)]);
        let mut eight = |i: usize| carry_save(fours, [four(i), four(i + 4)]);
        let carried = carry_save(eights, [eight(0), eight(8)]);
        for (sixteens, carried) in sixteens.iter_mut().zip(carried) {
            *sixteens += u64::from(carried.count_ones());
        }
    }
    let mut sum = sixteens.iter().sum::<u64>() << 4;
    for (k, words) in sums.iter().enumerate() {
        let ones: u32 = words.iter().map(|word| word.count_ones()).sum();
        sum += u64::from(ones) << k;
    }
    sum
}

use super::gram::carry_save;
