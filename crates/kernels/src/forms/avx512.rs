//! Forms read and filled with 512-bit vectors, eight hands at a time.

#[allow(clippy::wildcard_imports, reason = "thirty intrinsics")]
use std::arch::x86_64::*;

use super::super::tables::{LENGTHS, PICKS, SUBSETS};
use super::super::vectors::{EACH_64, load, load_16, load_32, store};
use super::super::{Aligned, DECK, PACKET, SPOTS};
use super::{Forms, HandFields, ItemLayout, REVERSED};

/// Tables of [`PICKS`] for vectors: indexed by k, for one number of places.
struct PickVectors {
    ways: [u16; 32],
    rejected: [u16; 32],
}

impl PickVectors {
    const fn places(n: usize) -> Self {
        let (mut ways, mut rejected) = ([0; 32], [0; 32]);
        let mut k = 0;
        while k < 16 {
            ways[k] = PICKS[16 * n + k].ways;
            rejected[k] = PICKS[16 * n + k].rejected;
            k += 1;
        }
        Self { ways, rejected }
    }
}

static OF_9: PickVectors = PickVectors::places(9);
static OF_13: PickVectors = PickVectors::places(13);

/// Indexed by n (n + 1) / 2 + k.
struct AllPicks {
    ways: [u16; 128],
    rejected: [u16; 128],
}

static ALL: AllPicks = {
    let (mut ways, mut rejected) = ([0; 128], [0; 128]);
    let mut n = 0;
    while n <= 13 {
        let mut k = 0;
        while k <= n {
            ways[n * (n + 1) / 2 + k] = PICKS[16 * n + k].ways;
            rejected[n * (n + 1) / 2 + k] = PICKS[16 * n + k].rejected;
            k += 1;
        }
        n += 1;
    }
    AllPicks { ways, rejected }
};

/// n (n + 1) / 2, and where the subsets of each size begin.
static TRIANGLES: [u16; 32] = [
    0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0,
];
static SUBSET_STARTS: [u16; 32] = {
    let mut starts = [0; 32];
    let mut k = 0;
    while k <= 13 {
        starts[k] = PICKS[16 * 13 + k].start;
        k += 1;
    }
    starts
};

/// Looks up each 16-bit lane in a table of 128.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn look_up(table: &[u16; 128], places: __m512i) -> __m512i {
    let [a, b, c, d] = {
        let (parts, _) = table.as_chunks::<32>();
        [
            load(&parts[0]),
            load(&parts[1]),
            load(&parts[2]),
            load(&parts[3]),
        ]
    };
    let low = _mm512_permutex2var_epi16(a, places, b);
    let high = _mm512_permutex2var_epi16(c, places, d);
    let is_high = _mm512_test_epi16_mask(places, _mm512_set1_epi16(64));
    _mm512_mask_blend_epi16(is_high, low, high)
}

/// See [`read_cases`](super::super::read_cases).
#[target_feature(enable = "avx512f,avx512bw")]
pub(in super::super) fn read_cases(fields: HandFields, cases: &[u64; PACKET], forms: &mut Forms) {
    let cases = cases.as_chunks::<8>().0;
    let (lengths, honours) = (&mut forms.lengths, &mut forms.honours);
    match fields.pattern {
        None => lengths.fill(0),
        Some(bit) => {
            let shift = _mm512_set1_epi64(bit.into());
            for (lengths, cases) in lengths.as_chunks_mut::<8>().0.iter_mut().zip(cases) {
                let pattern = _mm512_srlv_epi64(load(cases), shift);
                store(lengths, gather_lengths(pattern));
            }
        }
    }
    let Some(bit) = fields.honours else {
        return honours.fill(0);
    };
    let shift = _mm512_set1_epi64(bit.into());
    let reversed = _mm512_broadcast_i32x4(load_16(&REVERSED));
    for (honours, cases) in honours.as_chunks_mut::<8>().0.iter_mut().zip(cases) {
        let map = _mm512_srlv_epi64(load(cases), shift);
        let map = _mm512_and_si512(map, _mm512_set1_epi64(0xFFFF));
        // Spades are highest, and in each suit the ace.
        let upper = _mm512_or_si512(_mm512_srli_epi64::<12>(map), _mm512_slli_epi64::<8>(map));
        let lower = _mm512_or_si512(_mm512_slli_epi64::<28>(map), _mm512_slli_epi64::<48>(map));
        let nibbles = _mm512_and_si512(_mm512_or_si512(upper, lower), _mm512_set1_epi16(0xF));
        store(honours, _mm512_shuffle_epi8(reversed, nibbles));
    }
}

/// See [`read_items`](super::super::read_items).
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(in super::super) fn read_items(
    layout: ItemLayout<'_>,
    items: [&[u32; PACKET]; 2],
    forms: &mut [Forms],
) {
    let bits = _mm_cvtsi32_si128(layout.holder_bits.cast_signed());
    let holders_mask = _mm512_set1_epi64((1 << layout.holder_bits) - 1);
    let first_suits = _mm512_set1_epi64(0x0000_000F_0000_000F);
    let second_suits = _mm512_set1_epi64(0x000F_0000_000F_0000);
    let each_suit = _mm512_or_si512(first_suits, second_suits);
    let reversed = _mm512_broadcast_i32x4(load_16(&REVERSED));
    for group in 0..PACKET / 8 {
        let [left, right] = items.map(|items| load_32(&items.as_chunks::<8>().0[group]));
        // Places both halves side by side.
        let beside = |left: __m256i, right: __m256i| {
            let right = _mm512_slli_epi64::<32>(_mm512_cvtepu32_epi64(right));
            _mm512_or_si512(_mm512_cvtepu32_epi64(left), right)
        };
        let [left_shapes, right_shapes] = layout.shapes;
        let shapes = beside(
            gather_shapes(left_shapes, _mm256_srl_epi32(left, bits)),
            gather_shapes(right_shapes, _mm256_srl_epi32(right, bits)),
        );
        let mask = _mm512_or_si512(holders_mask, _mm512_slli_epi64::<32>(holders_mask));
        let holders = _mm512_and_si512(beside(left, right), mask);
        let upper = _mm512_srli_epi64::<8>(holders);
        for (role, forms) in (0u8..).zip(&mut *forms) {
            let shift = _mm512_set1_epi64(8 * i64::from(role));
            let shapes = _mm512_srlv_epi64(shapes, shift);
            let shapes = _mm512_and_si512(shapes, _mm512_set1_epi64(0x0000_00FF_0000_00FF));
            let lengths = _mm512_or_si512(shapes, _mm512_slli_epi64::<12>(shapes));
            let lengths = _mm512_and_si512(lengths, each_suit);
            store(&mut forms.lengths.as_chunks_mut::<8>().0[group], lengths);
            let mut honours = _mm512_setzero_si512();
            if usize::from(role) < layout.by_honours {
                // The planes, inverted for the bits that the hand's number does not have.
                let all = |bit: u8| _mm512_set1_epi64(if role & bit == 0 { -1 } else { 0 });
                let low = _mm512_xor_si512(holders, all(1));
                let held = _mm512_and_si512(low, _mm512_xor_si512(upper, all(2)));
                // The first suit is higher, and in each suit the ace.
                let first = _mm512_and_si512(_mm512_srli_epi64::<4>(held), first_suits);
                let second = _mm512_slli_epi64::<16>(held);
                let second = _mm512_and_si512(second, second_suits);
                honours = _mm512_shuffle_epi8(reversed, _mm512_or_si512(first, second));
            }
            store(&mut forms.honours.as_chunks_mut::<8>().0[group], honours);
        }
    }
}

/// Gathers eight shapes; a place beyond the shapes gives the last shape.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx2")]
fn gather_shapes(shapes: &[u32], places: __m256i) -> __m256i {
    assert!(!shapes.is_empty(), "no shapes to choose from");
    let last = i32::try_from(shapes.len() - 1).unwrap_or(i32::MAX);
    let places = _mm256_min_epu32(places, _mm256_set1_epi32(last));
    // SAFETY: every index is below the number of shapes, each of four bytes.
    #[allow(unsafe_code, reason = "gathers take pointers")]
    unsafe {
        _mm256_i32gather_epi32::<4>(shapes.as_ptr().cast(), places)
    }
}

/// Returns which of eight deals have any of these lanes, four per deal.
#[inline]
#[target_feature(enable = "avx512f,bmi2")]
fn deals_of(lanes: u32) -> u8 {
    let pairs = lanes | lanes >> 1;
    _pext_u32(pairs | pairs >> 2, EACH_64) as u8
}

/// Returns eight hands' lengths minus their honours, and those honours.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn take_and_honours(forms: &Forms, group: usize) -> (__m512i, __m512i) {
    let lengths = load(&forms.lengths.as_chunks::<8>().0[group]);
    let honours = load(&forms.honours.as_chunks::<8>().0[group]);
    (
        _mm512_sub_epi16(lengths, _mm512_popcnt_epi16(honours)),
        honours,
    )
}

/// See [`fill`](super::super::fill).
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg,bmi1,bmi2")]
pub(in super::super) fn fill(
    by_both: bool,
    forms: &Forms,
    bits: &[u64; PACKET],
    hands: &mut [u64; PACKET],
) -> u128 {
    let (picks, places, pool) = match by_both {
        true => (&OF_9, 0x01FF_01FF_01FF_01FF, SPOTS),
        false => (&OF_13, DECK, DECK),
    };
    let (ways, rejections) = (load(&picks.ways), load(&picks.rejected));
    let starts = load(&SUBSET_STARTS);
    let mut rejected = [0; PACKET / 8];
    // A subset for each suit of a deal.
    let Aligned(taken) = &mut Aligned([0; PACKET]);
    for (group, rejected) in rejected.iter_mut().enumerate() {
        let (take, honours) = take_and_honours(forms, group);
        let ways = _mm512_permutexvar_epi16(take, ways);
        let bits = load(&bits.as_chunks::<8>().0[group]);
        let lows = _mm512_mullo_epi16(bits, ways);
        let rejections = _mm512_permutexvar_epi16(take, rejections);
        *rejected = deals_of(_mm512_cmplt_epu16_mask(lows, rejections));
        let index = _mm512_mulhi_epu16(bits, ways);
        let index = _mm512_add_epi16(index, _mm512_permutexvar_epi16(take, starts));
        store(
            &mut taken.as_chunks_mut::<8>().0[group],
            gather_subsets(index),
        );
        store(&mut hands.as_chunks_mut::<8>().0[group], honours);
    }
    for (hand, taken) in hands.iter_mut().zip(taken) {
        *hand |= _pdep_u64(_pext_u64(*taken, places), pool);
    }
    u128::from_le_bytes(rejected)
}

/// See [`fill_next`](super::super::fill_next).
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg,bmi1,bmi2")]
pub(in super::super) fn fill_next(
    by_both: bool,
    forms: &Forms,
    bits: &[u64; PACKET],
    taken: [&[u64; PACKET]; 2],
    hands: &mut [u64; PACKET],
) -> u128 {
    let pool = if by_both { SPOTS } else { DECK };
    let (starts, triangles) = (load(&SUBSET_STARTS), load(&TRIANGLES));
    let mut rejected = [0; PACKET / 8];
    let Aligned([chosen, masks, pools]) = &mut Aligned([[0; PACKET]; 3]);
    for (group, rejected) in rejected.iter_mut().enumerate() {
        let (take, honours) = take_and_honours(forms, group);
        let [some, others] = taken.map(|taken| load(&taken.as_chunks::<8>().0[group]));
        let taken = _mm512_or_si512(some, others);
        let cards = _mm512_andnot_si512(taken, _mm512_set1_epi64(pool.cast_signed()));
        let left = _mm512_popcnt_epi16(cards);
        let place = _mm512_add_epi16(_mm512_permutexvar_epi16(left, triangles), take);
        let ways = look_up(&ALL.ways, place);
        let bits = load(&bits.as_chunks::<8>().0[group]);
        let lows = _mm512_mullo_epi16(bits, ways);
        *rejected = deals_of(_mm512_cmplt_epu16_mask(lows, look_up(&ALL.rejected, place)));
        let index = _mm512_mulhi_epu16(bits, ways);
        let index = _mm512_add_epi16(index, _mm512_permutexvar_epi16(take, starts));
        let one = _mm512_set1_epi16(1);
        let mask = _mm512_sub_epi16(_mm512_sllv_epi16(one, left), one);
        store(
            &mut chosen.as_chunks_mut::<8>().0[group],
            gather_subsets(index),
        );
        store(&mut masks.as_chunks_mut::<8>().0[group], mask);
        store(&mut pools.as_chunks_mut::<8>().0[group], cards);
        store(&mut hands.as_chunks_mut::<8>().0[group], honours);
    }
    for i in 0..PACKET {
        let source = _pext_u64(chosen[i], masks[i]);
        hands[i] |= _pdep_u64(source, pools[i]);
    }
    u128::from_le_bytes(rejected)
}

/// The subsets and one more number: each gather reads four bytes, and a subset takes two.
static PADDED: [u16; SUBSETS.len() + 2] = {
    let mut padded = [0; SUBSETS.len() + 2];
    let mut index = 0;
    while index < SUBSETS.len() {
        padded[index] = SUBSETS[index];
        index += 1;
    }
    padded
};

/// Gathers subsets of a suit by their indices, one in each 16-bit lane.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn gather_subsets(indices: __m512i) -> __m512i {
    const { assert!(SUBSETS.len() == 0x2000 && PADDED.len() > 0x2000) };
    let indices = _mm512_and_si512(indices, _mm512_set1_epi16(0x1FFF));
    let even = _mm512_and_si512(indices, _mm512_set1_epi32(0xFFFF));
    let odd = _mm512_srli_epi32::<16>(indices);
    // SAFETY: every index is below the length of the table minus one, and each entry has two bytes.
    #[allow(unsafe_code, reason = "gathers take pointers")]
    let [even, odd] = unsafe {
        let table = PADDED.as_ptr();
        [
            _mm512_i32gather_epi32::<2>(even, table.cast()),
            _mm512_i32gather_epi32::<2>(odd, table.cast()),
        ]
    };
    _mm512_mask_blend_epi16(0xAAAA_AAAA, even, _mm512_slli_epi32::<16>(odd))
}

/// Gathers the lengths of eight patterns, by the lowest ten bits of each 64-bit lane.
#[inline]
#[target_feature(enable = "avx512f")]
fn gather_lengths(patterns: __m512i) -> __m512i {
    let patterns = _mm512_and_si512(patterns, _mm512_set1_epi64(0x3FF));
    const { assert!(LENGTHS.len() == 0x400) };
    // SAFETY: every index is below the length of the table.
    #[allow(unsafe_code, reason = "gathers take pointers")]
    unsafe {
        _mm512_i64gather_epi64::<8>(patterns, LENGTHS.as_ptr().cast())
    }
}
