//! Overlaps by vectors of 512 bits.

#[allow(clippy::wildcard_imports, reason = "intrinsics")]
use std::arch::x86_64::*;

use super::super::avx512::load;
use super::{BEFORE, Hands, LAGS, OVERLAP_CHUNK, Overlap};

/// See [`count_overlap`](crate::kernels::count_overlap).
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,avx512bitalg,avx2,bmi1,bmi2,popcnt"
)]
pub(crate) fn count_overlap(hands: &Hands, deals: usize, overlap: &mut Overlap) {
    lag::<{ LAGS[0] }>(hands, deals, &mut overlap[0]);
    lag::<{ LAGS[1] }>(hands, deals, &mut overlap[1]);
    lag::<{ LAGS[2] }>(hands, deals, &mut overlap[2]);
    lag::<{ LAGS[3] }>(hands, deals, &mut overlap[3]);
    lag::<{ LAGS[4] }>(hands, deals, &mut overlap[4]);
    lag::<{ LAGS[5] }>(hands, deals, &mut overlap[5]);
    lag::<{ LAGS[6] }>(hands, deals, &mut overlap[6]);
}

#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn lag<const LAG: usize>(hands: &Hands, deals: usize, table: &mut [[u64; 3]; 3]) {
    let zero = _mm512_setzero_si512();
    // Parities of each place, and how often two ones were carried.
    let mut ones = [[zero; 3]; 3];
    let mut twos = [[zero; 3]; 3];
    let (earlier, later) = (
        hands
            .0
            .each_ref()
            .map(|column| column[BEFORE - LAG..][..OVERLAP_CHUNK].as_chunks::<16>().0),
        hands
            .0
            .each_ref()
            .map(|column| column[BEFORE..].as_chunks::<16>().0),
    );
    let groups = deals.div_ceil(16).min(OVERLAP_CHUNK / 16);
    for group in 0..groups {
        let later = later.map(|column| halves(&column[group]));
        for (seat, column) in earlier.iter().enumerate() {
            let earlier = halves(&column[group]);
            for (other, later) in later.iter().enumerate() {
                let before = ones[seat][other];
                // a ^ (b & c), twice.
                let middle = _mm512_ternarylogic_epi64::<0x78>(before, earlier[0], later[0]);
                let after = _mm512_ternarylogic_epi64::<0x78>(middle, earlier[1], later[1]);
                // Where the parity falls: b ? !c : a.
                let carried = _mm512_ternarylogic_epi64::<0x74>(before, middle, after);
                let carried = _mm512_popcnt_epi64(carried);
                twos[seat][other] = _mm512_add_epi64(twos[seat][other], carried);
                ones[seat][other] = after;
            }
        }
    }
    for (seat, row) in table.iter_mut().enumerate() {
        for (other, cards) in row.iter_mut().enumerate() {
            let last = _mm512_popcnt_epi64(ones[seat][other]);
            let twice = _mm512_add_epi64(twos[seat][other], twos[seat][other]);
            *cards += _mm512_reduce_add_epi64(_mm512_add_epi64(twice, last)).cast_unsigned();
        }
    }
}

/// Two vectors.
#[inline]
#[target_feature(enable = "avx512f")]
fn halves(words: &[u64; 16]) -> [__m512i; 2] {
    let (halves, _) = words.as_chunks::<8>();
    [load(&halves[0]), load(&halves[1])]
}
