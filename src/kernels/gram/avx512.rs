//! Rows that differ, counted by vectors of 512 bits.

#[allow(clippy::wildcard_imports, reason = "intrinsics")]
use std::arch::x86_64::*;

use super::super::avx512::{load, store};
use super::{Differing, GROUPS, Rows, SIGN_ROWS, STEPS};

/// Groups of the second set that are taken at a time.
const WIDTH: usize = 4;
/// Rows of the first set that are taken at a time.
const HEIGHT: usize = 4;

const _: () = assert!(GROUPS.is_multiple_of(WIDTH) && SIGN_ROWS.is_multiple_of(HEIGHT));

/// See [`count_differing`](crate::kernels::count_differing).
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,avx512bitalg,avx2,bmi1,bmi2,popcnt"
)]
pub(crate) fn count_differing(
    first: &Rows,
    second: &Rows,
    within: bool,
    differing: &mut Differing,
) {
    for group in (0..GROUPS).step_by(WIDTH) {
        let rows = if within { 8 * group } else { SIGN_ROWS };
        for row in (0..rows).step_by(HEIGHT) {
            tile::<WIDTH>(first, row, second, group, differing);
        }
        if within {
            let end = (8 * (group + WIDTH)).min(SIGN_ROWS);
            for row in (8 * group..end).step_by(HEIGHT) {
                match row / 8 - group {
                    0 => tile::<WIDTH>(first, row, second, group, differing),
                    1 => tile::<{ WIDTH - 1 }>(first, row, second, group + 1, differing),
                    2 => tile::<{ WIDTH - 2 }>(first, row, second, group + 2, differing),
                    _ => tile::<{ WIDTH - 3 }>(first, row, second, group + 3, differing),
                }
            }
        }
    }
}

/// Adds how often `HEIGHT` rows differ from those of so many groups.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn tile<const WIDE: usize>(
    first: &Rows,
    row: usize,
    second: &Rows,
    group: usize,
    differing: &mut Differing,
) {
    let half = row / HEIGHT % 2;
    let ours = &first.groups[row / 8];
    let theirs: &[_; WIDE] = part(second.groups.as_slice(), group);
    let mut falls = [[_mm512_setzero_si512(); WIDE]; HEIGHT];
    let steps = first.steps.min(second.steps).min(STEPS);
    for step in 0..steps {
        let ours = &ours[step];
        let theirs = theirs.each_ref().map(|steps| {
            let step = &steps[step];
            [&step.before, &step.middle, &step.change]
        });
        let theirs = theirs.map(|lanes| [load(lanes[0]), load(lanes[1]), load(lanes[2])]);
        for (i, falls) in falls.iter_mut().enumerate() {
            let all = |lanes: &[u64; 8]| lanes.as_chunks::<HEIGHT>().0[half][i].cast_signed();
            let before = _mm512_set1_epi64(all(&ours.before));
            let middle = _mm512_set1_epi64(all(&ours.middle));
            let change = _mm512_set1_epi64(all(&ours.change));
            for (falls, theirs) in falls.iter_mut().zip(&theirs) {
                let middle = _mm512_xor_si512(middle, theirs[1]);
                // a & !(b ^ c), then a ^ b ^ c.
                let turned = _mm512_ternarylogic_epi64::<0x90>(middle, change, theirs[2]);
                let fall = _mm512_ternarylogic_epi64::<0x96>(turned, before, theirs[0]);
                *falls = _mm512_add_epi64(*falls, _mm512_popcnt_epi64(fall));
            }
        }
    }
    let last = &first.last[row / 8].as_chunks::<HEIGHT>().0[half];
    for (g, theirs) in part::<WIDE, _>(second.last.as_slice(), group)
        .iter()
        .enumerate()
    {
        let theirs = load(theirs);
        let sums = part_mut::<HEIGHT, _>(differing.0[group + g].as_mut_slice(), row);
        for (i, sums) in sums.iter_mut().enumerate() {
            let end = _mm512_xor_si512(_mm512_set1_epi64(last[i].cast_signed()), theirs);
            let twice = _mm512_add_epi64(falls[i][g], falls[i][g]);
            let sum = _mm512_add_epi64(twice, _mm512_popcnt_epi64(end));
            store(sums, _mm512_add_epi64(load(sums), sum));
        }
    }
}

#[inline(always)]
fn part<const N: usize, T>(items: &[T], place: usize) -> &[T; N] {
    let part = items[place..].first_chunk();
    part.expect("the place leaves room for so many")
}

#[inline(always)]
fn part_mut<const N: usize, T>(items: &mut [T], place: usize) -> &mut [T; N] {
    let part = items[place..].first_chunk_mut();
    part.expect("the place leaves room for so many")
}
