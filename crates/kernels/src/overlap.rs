//! Counts of the cards that a seat of one deal shares with a seat of another.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
#[cfg(target_arch = "aarch64")]
pub(super) mod neon;

use super::gram::carry_save;

/// Distances of the deals whose overlaps are counted; 36 boards are a club's set.
pub const LAGS: [usize; 7] = [1, 2, 3, 4, 8, 16, 36];
/// Number of deals that are compared with earlier deals at a time.
pub const OVERLAP_CHUNK: usize = 1024;
/// Number of deals kept before a chunk, in whole vectors.
pub const BEFORE: usize = 40;

const _: () = assert!(LAGS[6] <= BEFORE && BEFORE.is_multiple_of(8));

/// Hands of three seats: of a chunk's deals, and of the deals before them.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct OverlapHands(pub [[u64; BEFORE + OVERLAP_CHUNK]; 3]);

impl Default for OverlapHands {
    fn default() -> Self {
        Self([[0; BEFORE + OVERLAP_CHUNK]; 3])
    }
}

/// Counts by lag, seat of the earlier deal and seat of the later one.
pub type Overlap = [[[u64; 3]; 3]; LAGS.len()];

/// Sums of squares by lag.
pub type OverlapSquares = [u64; LAGS.len()];

/// Number of deals compared in one go.
const GROUP: usize = 128;

/// See [`count_overlap`](super::count_overlap); takes `W` deals at a time.
#[inline(always)]
pub(super) fn count_overlap<const W: usize>(
    hands: &OverlapHands,
    deals: usize,
    overlap: &mut Overlap,
) {
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

/// Counts the ones that two columns have in common.
#[inline(always)]
fn in_both<const W: usize>(a: &[u64], b: &[u64]) -> u64 {
    // Ones, twos, fours and eights of each place; sixteens are counted.
    let [mut ones, mut twos, mut fours, mut eights] = [[0; W]; 4];
    let mut sixteens = [0; W];
    let (a, b) = (a.as_chunks::<W>().0, b.as_chunks::<W>().0);
    for (a, b) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0) {
        let mut of_eight = [[0; W]; 2];
        let halves = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
        for (eight, (a, b)) in of_eight.iter_mut().zip(halves) {
            let two = carry_save(&mut ones, and(&a[0], &b[0]), and(&a[1], &b[1]));
            let other = carry_save(&mut ones, and(&a[2], &b[2]), and(&a[3], &b[3]));
            let four = carry_save(&mut twos, two, other);
            let two = carry_save(&mut ones, and(&a[4], &b[4]), and(&a[5], &b[5]));
            let other = carry_save(&mut ones, and(&a[6], &b[6]), and(&a[7], &b[7]));
            let other = carry_save(&mut twos, two, other);
            *eight = carry_save(&mut fours, four, other);
        }
        let carried = carry_save(&mut eights, of_eight[0], of_eight[1]);
        for (sixteens, carried) in sixteens.iter_mut().zip(carried) {
            *sixteens += u64::from(carried.count_ones());
        }
    }
    let mut sum = sixteens.iter().sum::<u64>() << 4;
    for (k, words) in [ones, twos, fours, eights].iter().enumerate() {
        let ones: u64 = words.iter().map(|word| u64::from(word.count_ones())).sum();
        sum += ones << k;
    }
    sum
}

#[inline(always)]
fn and<const W: usize>(a: &[u64; W], b: &[u64; W]) -> [u64; W] {
    let mut both = *a;
    for (both, b) in both.iter_mut().zip(b) {
        *both &= b;
    }
    both
}

/// See [`sum_squares`](super::sum_squares).
///
/// The squares of the table sum to the number of ordered pairs of cards that one hand holds in both
/// deals. Two cards are in one hand if they are in the same half by each of the three divisions of
/// the seats in two. So the sum is 169 + Σ (c - 13)², where c is the number of cards that a half of
/// one deal shares with a half of the other.
#[inline(always)]
pub(super) fn sum_squares(
    hands: &OverlapHands,
    before: usize,
    deals: usize,
    squares: &mut OverlapSquares,
) {
    for (lag, sum) in LAGS.into_iter().zip(squares) {
        let first = lag.saturating_sub(before).min(deals);
        let pairs = deals - first;
        let [earlier, later] = [lag, 0].map(|lag| {
            let columns = hands.0.each_ref();
            columns.map(|column| &column[BEFORE - lag + first..][..pairs])
        });
        let mut squares = 0;
        for i in 0..pairs {
            let [earlier, later] =
                [earlier, later].map(|[north, east, south]| halves([north[i], east[i], south[i]]));
            for one in earlier {
                for other in later {
                    let off = u64::from((one & other).count_ones().abs_diff(13));
                    squares += off * off;
                }
            }
        }
        *sum += squares;
    }
}

/// Returns a half of each division of the seats in two.
#[inline(always)]
fn halves([north, east, south]: [u64; 3]) -> [u64; 3] {
    [north | east, north | south, east | south]
}
