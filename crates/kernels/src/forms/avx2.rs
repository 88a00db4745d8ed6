//! Forms read and filled by vectors of 256 bits, four hands at a time.
//!
//! Subsets are loaded one by one: gathers are slower than loads on many processors.

#[allow(clippy::wildcard_imports, reason = "thirty intrinsics")]
use std::arch::x86_64::*;

use super::super::deposit::ByInstruction;
use super::super::tables::{LENGTHS, PICKS, SUBSETS};
use super::super::vectors::{load_16, load_32, ones_16, store_32};
use super::super::{Aligned, DECK, PACKET, SPOTS, set_bits};
use super::{Forms, HandFields, PAIRS, REVERSED, fill_one, first_pair};

/// The two bytes of sixteen 16-bit numbers, for shuffles.
struct Bytes([[u8; 16]; 2]);

impl Bytes {
    const fn of(numbers: [u16; 16]) -> Self {
        let mut bytes = [[0; 16]; 2];
        let mut i = 0;
        while i < 16 {
            [bytes[0][i], bytes[1][i]] = numbers[i].to_le_bytes();
            i += 1;
        }
        Self(bytes)
    }

    /// The numbers at these places, in lanes of 16 bits.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn look_up(&self, places: PlaceLanes) -> __m256i {
        let [low, high] = &self.0;
        let low = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load_16(low)), places.0);
        let high = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load_16(high)), places.0);
        _mm256_or_si256(low, _mm256_slli_epi16::<8>(high))
    }
}

/// Places below 16 in lanes of 16 bits; the upper bytes select nothing.
#[derive(Clone, Copy)]
struct PlaceLanes(__m256i);

impl PlaceLanes {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(lanes: __m256i) -> Self {
        let low = _mm256_and_si256(lanes, _mm256_set1_epi16(0xF));
        Self(_mm256_or_si256(low, _mm256_set1_epi16(i16::MIN)))
    }
}

/// Tables of [`PICKS`] by k, for a number of places.
struct PicksOf {
    ways: Bytes,
    rejected: Bytes,
}

impl PicksOf {
    const fn places(n: usize) -> Self {
        let (mut ways, mut rejected) = ([0; 16], [0; 16]);
        let mut k = 0;
        while k < 16 {
            ways[k] = PICKS[16 * n + k].ways;
            rejected[k] = PICKS[16 * n + k].rejected;
            k += 1;
        }
        Self {
            ways: Bytes::of(ways),
            rejected: Bytes::of(rejected),
        }
    }
}

static OF_9: PicksOf = PicksOf::places(9);
static OF_13: PicksOf = PicksOf::places(13);

/// The start in [`SUBSETS`] of the subsets of each size.
static STARTS: Bytes = {
    let mut starts = [0; 16];
    let mut k = 0;
    while k <= 13 {
        starts[k] = PICKS[16 * 13 + k].start;
        k += 1;
    }
    Bytes::of(starts)
};

/// By the number of places: that many low bits.
static LOW_BITS: Bytes = {
    let mut low_bits = [0; 16];
    let mut n = 0;
    while n <= 13 {
        low_bits[n] = (1 << n) - 1;
        n += 1;
    }
    Bytes::of(low_bits)
};

static FIRST_PAIRS: [u8; 16] = {
    let mut first = [0; 16];
    let mut n = 0;
    while n <= 13 {
        first[n] = first_pair(n) as u8;
        n += 1;
    }
    first
};

/// C(n, k) by pair.
static BINOMIALS: [Bytes; PAIRS / 16] = {
    let mut binomials = [[0; 16]; PAIRS / 16];
    let mut n = 0;
    while n <= 13 {
        let mut k = 0;
        while k <= n / 2 {
            let pair = first_pair(n) + k;
            binomials[pair / 16][pair % 16] = PICKS[16 * n + k].ways;
            k += 1;
        }
        n += 1;
    }
    let [a, b, c, d] = binomials;
    [Bytes::of(a), Bytes::of(b), Bytes::of(c), Bytes::of(d)]
};

/// C(n, k) for n at most 13 in lanes of 16 bits; 0 for k below 0 or above n.
#[inline]
#[target_feature(enable = "avx2")]
fn binomials(n: __m256i, k: __m256i) -> __m256i {
    let fewer = _mm256_min_epi16(k, _mm256_sub_epi16(n, k));
    let first = _mm256_broadcastsi128_si256(load_16(&FIRST_PAIRS));
    let pairs = _mm256_add_epi16(_mm256_shuffle_epi8(first, n), fewer);
    // Negative lanes select nothing, and the upper bytes of the others neither.
    let none = _mm256_or_si256(_mm256_srai_epi16::<15>(fewer), _mm256_set1_epi16(i16::MIN));
    let mut sum = _mm256_setzero_si256();
    for (part, bytes) in (0..).zip(&BINOMIALS) {
        // From 16 on, and below 0, a byte's highest bit is set, which selects nothing.
        let places = _mm256_sub_epi16(pairs, _mm256_set1_epi16(16 * part));
        let places = _mm256_adds_epu8(places, _mm256_set1_epi16(0x70));
        let places = PlaceLanes(_mm256_or_si256(places, none));
        sum = _mm256_or_si256(sum, bytes.look_up(places));
    }
    sum
}

/// See [`read_cases`](super::super::read_cases).
#[target_feature(enable = "avx2")]
pub(in super::super) fn read_cases(fields: HandFields, cases: &[u64; PACKET], forms: &mut Forms) {
    match fields.pattern {
        None => forms.lengths.fill(0),
        Some(bit) => {
            for (lengths, case) in forms.lengths.iter_mut().zip(cases) {
                *lengths = LENGTHS[(case >> bit) as usize % LENGTHS.len()];
            }
        }
    }
    let Some(bit) = fields.honours else {
        return forms.honours.fill(0);
    };
    let shift = _mm_cvtsi32_si128(bit.cast_signed());
    let reversed = _mm256_broadcastsi128_si256(load_16(&REVERSED));
    let cases = cases.as_chunks::<4>().0;
    for (honours, cases) in forms.honours.as_chunks_mut::<4>().0.iter_mut().zip(cases) {
        let map = _mm256_srl_epi64(load_32(cases), shift);
        let map = _mm256_and_si256(map, _mm256_set1_epi64x(0xFFFF));
        // Spades stand highest, and in each suit the ace.
        let upper = _mm256_or_si256(_mm256_srli_epi64::<12>(map), _mm256_slli_epi64::<8>(map));
        let lower = _mm256_or_si256(_mm256_slli_epi64::<28>(map), _mm256_slli_epi64::<48>(map));
        let nibbles = _mm256_and_si256(_mm256_or_si256(upper, lower), _mm256_set1_epi16(0xF));
        store_32(honours, _mm256_shuffle_epi8(reversed, nibbles));
    }
}

/// Loads the subset of each index, in lanes of 16 bits.
#[inline(always)]
fn load_subsets(indices: &[u64; PACKET], subsets: &mut [u64; PACKET]) {
    let indices: &[u16; 4 * PACKET] = bytemuck::cast_ref(indices);
    let subsets: &mut [u16; 4 * PACKET] = bytemuck::cast_mut(subsets);
    for (subset, index) in subsets.iter_mut().zip(indices) {
        *subset = SUBSETS[usize::from(*index) % SUBSETS.len()];
    }
}

/// Returns the lengths of four hands less their honours, and the honours.
#[inline]
#[target_feature(enable = "avx2")]
fn take_and_honours(forms: &Forms, group: usize) -> (__m256i, __m256i) {
    let lengths = load_32(&forms.lengths.as_chunks::<4>().0[group]);
    let honours = load_32(&forms.honours.as_chunks::<4>().0[group]);
    (_mm256_sub_epi16(lengths, ones_16(honours)), honours)
}

/// The hands of four that have a lane which is not all ones.
#[inline]
#[target_feature(enable = "avx2")]
fn without_all(lanes: __m256i) -> u32 {
    let all = _mm256_cmpeq_epi64(lanes, _mm256_set1_epi64x(-1));
    _mm256_movemask_pd(_mm256_castsi256_pd(all)).cast_unsigned() ^ 0xF
}

/// See [`fill`](super::super::fill).
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in super::super) fn fill(
    by_both: bool,
    forms: &Forms,
    bits: &[u64; PACKET],
    hands: &mut [u64; PACKET],
) -> u128 {
    // Of the nine places above the honours, or of all thirteen.
    let (picks, lowest) = if by_both { (&OF_9, 4) } else { (&OF_13, 0) };
    let mut rejected = 0;
    let Aligned([indices, subsets]) = &mut Aligned([[0; PACKET]; 2]);
    for group in 0..PACKET / 4 {
        let (take, honours) = take_and_honours(forms, group);
        let places = PlaceLanes::new(take);
        let ways = picks.ways.look_up(places);
        let bits = load_32(&bits.as_chunks::<4>().0[group]);
        let lows = _mm256_mullo_epi16(bits, ways);
        let largest = _mm256_max_epu16(lows, picks.rejected.look_up(places));
        let accepted = _mm256_cmpeq_epi16(largest, lows);
        rejected |= u128::from(without_all(accepted)) << (4 * group);
        let index = _mm256_add_epi16(_mm256_mulhi_epu16(bits, ways), STARTS.look_up(places));
        store_32(&mut indices.as_chunks_mut::<4>().0[group], index);
        store_32(&mut hands.as_chunks_mut::<4>().0[group], honours);
    }
    load_subsets(indices, subsets);
    for (hand, subset) in hands.iter_mut().zip(subsets) {
        *hand |= *subset << lowest;
    }
    rejected
}

/// See [`fill_next`](super::super::fill_next).
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in super::super) fn fill_next(
    by_both: bool,
    forms: &Forms,
    bits: &[u64; PACKET],
    [some, others]: [&[u64; PACKET]; 2],
    hands: &mut [u64; PACKET],
) -> u128 {
    let pool = if by_both { SPOTS } else { DECK };
    let pool = _mm256_set1_epi64x(pool.cast_signed());
    let mut doubtful = 0;
    let Aligned([indices, subsets, masks, pools]) = &mut Aligned([[0; PACKET]; 4]);
    for group in 0..PACKET / 4 {
        let (take, honours) = take_and_honours(forms, group);
        let [some, others] = [some, others].map(|taken| load_32(&taken.as_chunks::<4>().0[group]));
        let cards = _mm256_andnot_si256(_mm256_or_si256(some, others), pool);
        let left = ones_16(cards);
        let ways = binomials(left, take);
        let bits = load_32(&bits.as_chunks::<4>().0[group]);
        let lows = _mm256_mullo_epi16(bits, ways);
        // What 2^16 leaves, divided by the ways, is below the ways: few lows are.
        let largest = _mm256_max_epu16(lows, _mm256_max_epu16(ways, _mm256_set1_epi16(1)));
        let accepted = _mm256_cmpeq_epi16(largest, lows);
        doubtful |= u128::from(without_all(accepted)) << (4 * group);
        let starts = STARTS.look_up(PlaceLanes::new(take));
        let index = _mm256_add_epi16(_mm256_mulhi_epu16(bits, ways), starts);
        let mask = LOW_BITS.look_up(PlaceLanes::new(left));
        store_32(&mut indices.as_chunks_mut::<4>().0[group], index);
        store_32(&mut masks.as_chunks_mut::<4>().0[group], mask);
        store_32(&mut pools.as_chunks_mut::<4>().0[group], cards);
        store_32(&mut hands.as_chunks_mut::<4>().0[group], honours);
    }
    load_subsets(indices, subsets);
    for i in 0..PACKET {
        let source = _pext_u64(subsets[i], masks[i]);
        hands[i] |= _pdep_u64(source, pools[i]);
    }
    let mut rejected = 0;
    for i in set_bits(doubtful) {
        let by = ByInstruction::new();
        match fill_one(by, by_both, forms.get(i), bits[i], some[i] | others[i]) {
            Some(hand) => hands[i] = hand,
            None => rejected |= 1 << i,
        }
    }
    rejected
}
