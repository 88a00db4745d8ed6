//! Differing rows, counted with 512-bit vectors.

#[allow(clippy::wildcard_imports, reason = "intrinsics")]
use std::arch::x86_64::*;

use super::super::vectors::{load, store};
use super::{
    GRAM_CHUNK, GROUPS, SIGN_ROWS, STEP, STEPS, SignDifferences, SignRows, UNIT, WordLanes,
    copy_unit, plane_of, planes_of, steps_of,
};

/// Bits of the seats of 512 deals, card by card.
type CardVectors = [__m512i; 64];

/// See [`lay_rows`](crate::lay_rows).
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn lay_rows(
    high: &[u64; GRAM_CHUNK],
    low: &[u64; GRAM_CHUNK],
    deals: usize,
    rows: &mut SignRows,
) {
    rows.steps = steps_of(deals);
    rows.last.fill([0; 8]);
    let mut planes = [[_mm512_setzero_si512(); 64]; 2];
    for unit in 0..rows.steps * STEP / UNIT {
        for (planes, column) in planes.iter_mut().zip([high, low]) {
            transpose(column, unit * UNIT, deals, planes);
        }
        let [high, low] = &planes;
        for eight in 0..6 {
            let first = turn(planes_of(eight).map(|plane| high[plane]));
            let second = turn(planes_of(eight).map(|plane| low[plane]));
            let mut third = first;
            for (first, second) in third.iter_mut().zip(second) {
                *first = _mm512_xor_si512(*first, second);
            }
            lay(rows, eight, unit, first);
            lay(rows, 6 + eight, unit, second);
            lay(rows, 12 + eight, unit, third);
        }
        let [mut both, mut third] = [[_mm512_setzero_si512(); 8]; 2];
        for i in 0..4 {
            let plane = plane_of(48 + i);
            (both[i], both[4 + i]) = (high[plane], low[plane]);
            third[i] = _mm512_xor_si512(high[plane], low[plane]);
        }
        lay(rows, 18, unit, turn(both));
        lay(rows, 19, unit, turn(third));
    }
}

/// Adds the words of eight runs of 64 deals to a group's steps.
#[inline]
#[target_feature(enable = "avx512f")]
fn lay(rows: &mut SignRows, group: usize, unit: usize, words: [__m512i; 8]) {
    let steps = &mut rows.groups[group].as_chunks_mut::<{ UNIT / STEP }>().0[unit];
    let mut before = load(&rows.last[group]);
    for (step, words) in steps.iter_mut().zip(words.as_chunks::<2>().0) {
        let middle = _mm512_xor_si512(before, words[0]);
        let change = _mm512_xor_si512(words[0], words[1]);
        store(&mut step.before, before);
        store(&mut step.middle, middle);
        store(&mut step.change, change);
        before = _mm512_xor_si512(before, change);
    }
    store(&mut rows.last[group], before);
}

/// Transposes 64 by 64 bits in each of eight lanes: deal 8 i + l becomes bit i of lane l.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn transpose(column: &[u64; GRAM_CHUNK], start: usize, deals: usize, planes: &mut CardVectors) {
    let copy;
    let unit = if start + UNIT <= deals {
        column[start..].as_chunks().0.first_chunk()
    } else {
        let mut last = [[0; 8]; 64];
        copy_unit(column, start, deals, &mut last);
        copy = last;
        Some(&copy)
    };
    let unit: &[WordLanes; 64] = unit.expect("a unit is within the deals");
    let swap_16 = _mm512_set1_epi64(0x0504_0706_0100_0302);
    let swap_8 = _mm512_set1_epi64(0x0607_0405_0203_0001);
    // In each group of 128 bits, the upper 64 take bytes from 8 on.
    let upper = _mm512_set4_epi64(0x0808_0808_0808_0808, 0, 0x0808_0808_0808_0808, 0);
    let (swap_16, swap_8) = (
        _mm512_add_epi8(swap_16, upper),
        _mm512_add_epi8(swap_8, upper),
    );
    for start in 0..8 {
        let mut words = [_mm512_setzero_si512(); 8];
        for (i, word) in words.iter_mut().enumerate() {
            *word = load(&unit[start + 8 * i]);
        }
        let [a, b, c, d, e, f, g, h] = words;
        let [a, e] = swap::<0xAAAA, 0x5555>(a, e);
        let [b, f] = swap::<0xAAAA, 0x5555>(b, f);
        let [c, g] = swap::<0xAAAA, 0x5555>(c, g);
        let [d, h] = swap::<0xAAAA, 0x5555>(d, h);
        let (odd, even) = (0xCCCC_CCCC_CCCC_CCCC, 0x3333_3333_3333_3333);
        let [a, c] = swap_bytes(a, c, swap_16, odd, even);
        let [b, d] = swap_bytes(b, d, swap_16, odd, even);
        let [e, g] = swap_bytes(e, g, swap_16, odd, even);
        let [f, h] = swap_bytes(f, h, swap_16, odd, even);
        let (odd, even) = (0xAAAA_AAAA_AAAA_AAAA, 0x5555_5555_5555_5555);
        let [a, b] = swap_bytes(a, b, swap_8, odd, even);
        let [c, d] = swap_bytes(c, d, swap_8, odd, even);
        let [e, f] = swap_bytes(e, f, swap_8, odd, even);
        let [g, h] = swap_bytes(g, h, swap_8, odd, even);
        for (i, word) in [a, b, c, d, e, f, g, h].into_iter().enumerate() {
            planes[start + 8 * i] = word;
        }
    }
    for words in planes.as_chunks_mut::<8>().0 {
        let [a, b, c, d, e, f, g, h] = *words;
        let low = 0x0F0F_0F0F_0F0F_0F0F;
        let [a, e] = swap_bits::<4>(a, e, low);
        let [b, f] = swap_bits::<4>(b, f, low);
        let [c, g] = swap_bits::<4>(c, g, low);
        let [d, h] = swap_bits::<4>(d, h, low);
        let low = 0x3333_3333_3333_3333;
        let [a, c] = swap_bits::<2>(a, c, low);
        let [b, d] = swap_bits::<2>(b, d, low);
        let [e, g] = swap_bits::<2>(e, g, low);
        let [f, h] = swap_bits::<2>(f, h, low);
        let low = 0x5555_5555_5555_5555;
        let [a, b] = swap_bits::<1>(a, b, low);
        let [c, d] = swap_bits::<1>(c, d, low);
        let [e, f] = swap_bits::<1>(e, f, low);
        let [g, h] = swap_bits::<1>(g, h, low);
        *words = [a, b, c, d, e, f, g, h];
    }
}

/// Exchanges the upper halves of 64 bits of one vector with the lower halves of the other.
#[inline]
#[target_feature(enable = "avx512f")]
fn swap<const ODD: u16, const EVEN: u16>(a: __m512i, b: __m512i) -> [__m512i; 2] {
    [
        _mm512_mask_shuffle_epi32::<0xB1>(a, ODD, b),
        _mm512_mask_shuffle_epi32::<0xB1>(b, EVEN, a),
    ]
}

/// Exchanges the odd bytes, or pairs of bytes, of one vector with the even ones of the other.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn swap_bytes(a: __m512i, b: __m512i, swapped: __m512i, odd: u64, even: u64) -> [__m512i; 2] {
    [
        _mm512_mask_shuffle_epi8(a, odd, b, swapped),
        _mm512_mask_shuffle_epi8(b, even, a, swapped),
    ]
}

/// Exchanges the upper bits of one vector with the lower bits of the other.
#[inline]
#[target_feature(enable = "avx512f")]
fn swap_bits<const BITS: u32>(a: __m512i, b: __m512i, low: i64) -> [__m512i; 2] {
    let low = _mm512_set1_epi64(low);
    // Selects the second where the first has a 1 bit, and the third elsewhere.
    [
        _mm512_ternarylogic_epi64::<0xCA>(low, a, _mm512_slli_epi64::<BITS>(b)),
        _mm512_ternarylogic_epi64::<0xCA>(low, _mm512_srli_epi64::<BITS>(a), b),
    ]
}

/// Transposes eight words of eight lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn turn(words: [__m512i; 8]) -> [__m512i; 8] {
    let [a, b, c, d, e, f, g, h] = words;
    let [s0, s2, s4, s6] = turn_pairs([
        _mm512_unpacklo_epi64(a, b),
        _mm512_unpacklo_epi64(c, d),
        _mm512_unpacklo_epi64(e, f),
        _mm512_unpacklo_epi64(g, h),
    ]);
    let [s1, s3, s5, s7] = turn_pairs([
        _mm512_unpackhi_epi64(a, b),
        _mm512_unpackhi_epi64(c, d),
        _mm512_unpackhi_epi64(e, f),
        _mm512_unpackhi_epi64(g, h),
    ]);
    [s0, s1, s2, s3, s4, s5, s6, s7]
}

/// Transposes four words of four lanes of 128 bits.
#[inline]
#[target_feature(enable = "avx512f")]
fn turn_pairs([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let low = _mm512_shuffle_i64x2::<0x44>(a, b);
    let high = _mm512_shuffle_i64x2::<0xEE>(a, b);
    let other_low = _mm512_shuffle_i64x2::<0x44>(c, d);
    let other_high = _mm512_shuffle_i64x2::<0xEE>(c, d);
    [
        _mm512_shuffle_i64x2::<0x88>(low, other_low),
        _mm512_shuffle_i64x2::<0xDD>(low, other_low),
        _mm512_shuffle_i64x2::<0x88>(high, other_high),
        _mm512_shuffle_i64x2::<0xDD>(high, other_high),
    ]
}

/// Number of groups of the second set that are taken at a time.
const WIDTH: usize = 4;
/// Number of rows of the first set that are taken at a time.
const HEIGHT: usize = 4;

const _: () = assert!(GROUPS.is_multiple_of(WIDTH) && SIGN_ROWS.is_multiple_of(HEIGHT));

/// See [`count_differing`](crate::count_differing).
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,avx512bitalg,avx2,bmi1,bmi2,popcnt"
)]
pub(crate) fn count_differing(
    first: &SignRows,
    second: &SignRows,
    within: bool,
    differing: &mut SignDifferences,
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

/// Adds the number of differences between `HEIGHT` rows and those of `WIDE` groups.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn tile<const WIDE: usize>(
    first: &SignRows,
    row: usize,
    second: &SignRows,
    group: usize,
    differing: &mut SignDifferences,
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
    part.expect("the slice is long enough")
}

#[inline(always)]
fn part_mut<const N: usize, T>(items: &mut [T], place: usize) -> &mut [T; N] {
    let part = items[place..].first_chunk_mut();
    part.expect("the slice is long enough")
}
