//! Overlaps counted with 128-bit vectors: ones are counted in bytes.

use std::arch::aarch64::{
    vaddq_u8, vaddvq_u64, vandq_u8, vcntq_u8, vdupq_n_u8, vdupq_n_u64, vpadalq_u32, vpaddlq_u8,
    vpaddlq_u16,
};

use super::super::neon::vectors::load;
use super::{BEFORE, GROUP, LAGS, OVERLAP_CHUNK, Overlap, OverlapHands};

/// Number of vectors whose counts fit in bytes.
const VECTORS: usize = 16;

const _: () = assert!(8 * VECTORS <= u8::MAX as usize && GROUP.is_multiple_of(2 * VECTORS));

/// See [`count_overlap`](crate::count_overlap).
#[target_feature(enable = "neon")]
pub(crate) fn count_overlap(hands: &OverlapHands, deals: usize, overlap: &mut Overlap) {
    let deals = deals.next_multiple_of(GROUP).min(OVERLAP_CHUNK);
    for (lag, table) in LAGS.into_iter().zip(overlap) {
        count_lag(hands, lag, deals, table);
    }
}

#[target_feature(enable = "neon")]
fn count_lag(hands: &OverlapHands, lag: usize, deals: usize, table: &mut [[u64; 3]; 3]) {
    let mut sums = [[vdupq_n_u64(0); 3]; 3];
    let [[a, b, c], [d, e, f]] = [lag, 0].map(|lag| {
        let columns = hands.0.each_ref();
        columns.map(|column| {
            let vectors = column[BEFORE - lag..][..deals].as_chunks::<2>().0;
            vectors.as_chunks::<VECTORS>().0
        })
    });
    for (((((a, b), c), d), e), f) in a.iter().zip(b).zip(c).zip(d).zip(e).zip(f) {
        let mut counts = [[vdupq_n_u8(0); 3]; 3];
        for i in 0..VECTORS {
            let later = [load(&d[i]), load(&e[i]), load(&f[i])];
            for (earlier, counts) in [a, b, c].into_iter().zip(&mut counts) {
                let earlier = load(&earlier[i]);
                for (later, count) in later.iter().zip(counts) {
                    *count = vaddq_u8(*count, vcntq_u8(vandq_u8(earlier, *later)));
                }
            }
        }
        for (sum, count) in sums
            .as_flattened_mut()
            .iter_mut()
            .zip(counts.as_flattened())
        {
            *sum = vpadalq_u32(*sum, vpaddlq_u16(vpaddlq_u8(*count)));
        }
    }
    for (cards, sum) in table.as_flattened_mut().iter_mut().zip(sums.as_flattened()) {
        *cards += vaddvq_u64(*sum);
    }
}
