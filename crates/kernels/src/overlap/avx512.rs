//! Overlaps counted with 512-bit vectors.

#[allow(clippy::wildcard_imports, reason = "intrinsics")]
use std::arch::x86_64::*;

use super::super::vectors::load;
use super::{BEFORE, LAGS, OVERLAP_CHUNK, Overlap, OverlapHands};

/// See [`count_overlap`](crate::count_overlap).
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,avx512bitalg,avx2,bmi1,bmi2,popcnt"
)]
pub(crate) fn count_overlap(hands: &OverlapHands, deals: usize, overlap: &mut Overlap) {
    lag::<{ LAGS[0] }>(hands, deals, &mut overlap[0]);
    lag::<{ LAGS[1] }>(hands, deals, &mut overlap[1]);
    lag::<{ LAGS[2] }>(hands, deals, &mut overlap[2]);
    lag::<{ LAGS[3] }>(hands, deals, &mut overlap[3]);
    lag::<{ LAGS[4] }>(hands, deals, &mut overlap[4]);
    lag::<{ LAGS[5] }>(hands, deals, &mut overlap[5]);
    lag::<{ LAGS[6] }>(hands, deals, &mut overlap[6]);
}

#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn lag<const LAG: usize>(hands: &OverlapHands, deals: usize, table: &mut [[u64; 3]; 3]) {
    let mut sums = [[_mm512_setzero_si512(); 3]; 3];
    let [[a, b, c], [d, e, f]] = [LAG, 0].map(|lag| {
        let columns = hands.0.each_ref();
        columns.map(|column| column[BEFORE - lag..][..OVERLAP_CHUNK].as_chunks::<8>().0)
    });
    let columns = a.iter().zip(b).zip(c).zip(d).zip(e).zip(f);
    for (((((a, b), c), d), e), f) in columns.take(deals.div_ceil(8)) {
        let later = [load(d), load(e), load(f)];
        for (earlier, sums) in [a, b, c].into_iter().zip(&mut sums) {
            let earlier = load(earlier);
            for (later, sum) in later.iter().zip(sums) {
                // A carry-save form would need as many instructions.
                let both = _mm512_popcnt_epi64(_mm512_and_si512(earlier, *later));
                *sum = _mm512_add_epi64(*sum, both);
            }
        }
    }
    for (cards, sum) in table.as_flattened_mut().iter_mut().zip(sums.as_flattened()) {
        *cards += _mm512_reduce_add_epi64(*sum).cast_unsigned();
    }
}
