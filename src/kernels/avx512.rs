//! The kernels by vectors of 512 bits, where they pay.
//!
//! The functions are safe: what they compute with are values. Memory is
//! touched by the loads and stores at the end, of whole arrays.

#[allow(clippy::wildcard_imports, reason = "sixty intrinsics")]
use std::arch::x86_64::*;

use bytemuck::Pod;

use super::avx2::{ByInstruction, compiled_for};
pub(super) use super::gram::avx512::{count_differing, lay_rows};
pub(super) use super::overlap::avx512::count_overlap;
use super::tables::{
    BY_SHARE, BY_SHARE_SHIFT, LENGTHS, PICKS, POINTS, SUBSETS, TO_A_HAND, TO_A_SIDE,
};
use super::{
    Answers, CHUNK, Columns, Counters, DECK, FIRST_KEYS, Fields, HALVES_QUEUE, Indexing, LAST_KEYS,
    Layout, ListedHands, Moments, Numbers, PACKET, Packet, Places, Planes, RAW_SUITS, SIDES_QUEUE,
    SPOTS, Said, Series, Steps, Wanted, Which, portable,
};

compiled_for! { "avx512f,avx512bw,avx512vl,avx512vpopcntdq,avx512bitalg,avx2,bmi1,bmi2,popcnt":
    expand<ByInstruction>(sides: &[u64; PACKET], halves: &[u32; 2 * PACKET], packet: &mut Packet);
    split<ByInstruction>(halves: &[u32; PACKET], cards: &[u64; PACKET], hands: &mut [u64; PACKET]);
    choose(
        lists: &[[u32; 2]; PACKET], columns: &[[u32; 3]], words: &[u64; PACKET],
        chosen: &mut [u32; PACKET], places: &mut [u32; PACKET]
    ) -> bool;
    fill_next<ByInstruction>(
        by_both: bool, cases: &[u64; PACKET], bits: &[u64; PACKET], taken: &[u64; PACKET], hands: &mut [u64; PACKET]
    ) -> u128;
    count_cards(hands: &[u64; PACKET], planes: &mut Planes);
    are_hands(hands: &ListedHands, two: bool, draws: usize) -> bool;
    illegal(packet: &Packet) -> u128;
    spread_keys(packet: &Packet, keys: &mut [u64; PACKET]);
    mix(packet: &Packet, mixed: &mut [u64; PACKET]) -> u64;
    add_moments(packet: &Packet, pool: u64, moments: &mut Moments);
    misfits(hands: &[u64; PACKET], cases: &[u64; PACKET], said: &Said) -> u128;
    run_steps(steps: &Steps, answers: &dyn Answers, packet: &Packet, columns: &mut Columns);
    first_numbers(series: Series, first: u64, numbers: &mut Numbers);
    places(indexing: Indexing, which: Which, numbers: &Numbers, places: &mut Places);
}

/// The lowest 16 bits of every 64.
const EACH_64: u32 = 0x1111_1111;
/// The lowest 16 bits of every 32.
const EACH_32: u32 = 0x5555_5555;

#[target_feature(enable = "avx512f,avx512bw,avx512vpopcntdq,popcnt")]
pub(super) fn accept_sides(
    chunk: &[u64; CHUNK],
    queue: &mut [u64; SIDES_QUEUE],
    mut len: usize,
) -> usize {
    let limits = load(first(&TO_A_SIDE.limits));
    let starts = load(first(&TO_A_SIDE.starts));
    let by_share = _mm512_set1_epi64(BY_SHARE.into());
    let raw_suits = _mm512_set1_epi64(RAW_SUITS.cast_signed());
    let low = _mm512_set1_epi64(0xFFFF);
    for words in chunk.as_chunks::<8>().0 {
        let words = load(words);
        let cards = _mm512_and_si512(words, raw_suits);
        let raw = _mm512_popcnt_epi64(cards);
        let limit = _mm512_maskz_permutexvar_epi16(EACH_64, raw, limits);
        let accepted = _mm512_cmplt_epu64_mask(_mm512_and_si512(words, low), limit);
        let start = _mm512_maskz_permutexvar_epi16(EACH_64, raw, starts);
        // Only the lowest 16 bits of each product are not 0.
        let share = _mm512_mulhi_epu16(words, by_share);
        let share = _mm512_srli_epi64::<{ BY_SHARE_SHIFT - 16 }>(share);
        let picks = _mm512_or_si512(cards, _mm512_add_epi64(share, start));
        // Eight words are written, of which the accepted ones count.
        let place = len.min(SIDES_QUEUE - 8);
        store(
            part_mut::<8, _>(queue, place),
            _mm512_maskz_compress_epi64(accepted, picks),
        );
        len += accepted.count_ones() as usize;
    }
    len
}

#[target_feature(enable = "avx512f,avx512bw,avx512vpopcntdq,popcnt")]
pub(super) fn accept_halves(
    chunk: &[u64; CHUNK],
    queue: &mut [u32; HALVES_QUEUE],
    mut len: usize,
) -> usize {
    let limits = load(&TO_A_HAND.limits);
    let starts = load(&TO_A_HAND.starts);
    let by_share = _mm512_set1_epi32((BY_SHARE << 16).cast_signed());
    let places = _mm512_set1_epi32(0x1FFF);
    for words in chunk.as_chunks::<8>().0 {
        let halves = load(words);
        let cards = _mm512_and_si512(halves, places);
        let raw = _mm512_popcnt_epi32(cards);
        let limit = _mm512_maskz_permutexvar_epi16(EACH_32, raw, limits);
        let accepted = _mm512_cmplt_epu32_mask(_mm512_srli_epi32::<16>(halves), limit);
        let start = _mm512_maskz_permutexvar_epi16(EACH_32, raw, starts);
        // The product's upper half stands in the upper half, then goes down.
        let share = _mm512_srli_epi32::<BY_SHARE_SHIFT>(_mm512_mulhi_epu16(halves, by_share));
        let index = _mm512_slli_epi32::<16>(_mm512_add_epi32(share, start));
        let picks = _mm512_or_si512(cards, index);
        let place = len.min(HALVES_QUEUE - 16);
        store(
            part_mut::<16, _>(queue, place),
            _mm512_maskz_compress_epi32(accepted, picks),
        );
        len += accepted.count_ones() as usize;
    }
    len
}

/// Tables of [`PICKS`] for vectors: by k for a number of places.
struct PicksOf {
    ways: [u16; 32],
    rejected: [u16; 32],
}

impl PicksOf {
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

static OF_9: PicksOf = PicksOf::places(9);
static OF_13: PicksOf = PicksOf::places(13);

/// By n (n + 1) / 2 + k.
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

/// n (n + 1) / 2, and where the subsets of so many begin.
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

/// What 16-bit lanes look up in a table of 128.
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

/// A hand's lengths less its honours, in lanes, and those honours.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn lengths_and_honours(cases: __m512i, fields: Fields, with_honours: bool) -> (__m512i, __m512i) {
    let pattern = _mm512_srlv_epi64(cases, _mm512_set1_epi64(fields.pattern.into()));
    let lengths = gather_lengths(pattern);
    if !with_honours {
        return (lengths, _mm512_setzero_si512());
    }
    let map = _mm512_srlv_epi64(cases, _mm512_set1_epi64(fields.honours.into()));
    let map = _mm512_and_si512(map, _mm512_set1_epi64(0xFFFF));
    // Spades stand highest, and in each suit the ace.
    let upper = _mm512_or_si512(_mm512_srli_epi64::<12>(map), _mm512_slli_epi64::<8>(map));
    let lower = _mm512_or_si512(_mm512_slli_epi64::<28>(map), _mm512_slli_epi64::<48>(map));
    let nibbles = _mm512_and_si512(_mm512_or_si512(upper, lower), _mm512_set1_epi16(0xF));
    let reversed = _mm512_broadcast_i32x4(load_16(&[
        0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15,
    ]));
    let held = _mm512_shuffle_epi8(reversed, nibbles);
    (_mm512_sub_epi16(lengths, _mm512_popcnt_epi16(held)), held)
}

#[target_feature(enable = "avx512f,avx512bw,avx512bitalg,bmi1,bmi2")]
pub(super) fn fill(
    layout: &Layout,
    cases: &[u64; PACKET],
    bits: &[[u64; PACKET]; 2],
    hands: &mut ListedHands,
) -> u128 {
    let mut rejected = [0u8; PACKET / 8];
    let mut reject = |group: usize, lanes: u32| {
        // A deal is rejected if any of its four lanes is.
        let pairs = lanes | lanes >> 1;
        rejected[group] |= _pext_u32(pairs | pairs >> 2, EACH_64) as u8;
    };
    let groups = || (0..PACKET / 8).zip(cases.as_chunks::<8>().0);
    let starts = load(&SUBSET_STARTS);
    // Indices of the subsets, four to a deal.
    let mut indices = [0; PACKET];

    let (picks, pool) = if layout.lead_by_both {
        (&OF_9, SPOTS)
    } else {
        (&OF_13, DECK)
    };
    let places = if layout.lead_by_both {
        0x01FF_01FF_01FF_01FF
    } else {
        DECK
    };
    let (ways, rejections) = (load(&picks.ways), load(&picks.rejected));
    for (group, cases) in groups() {
        let (take, held) = lengths_and_honours(load(cases), layout.lead, layout.lead_by_both);
        let ways = _mm512_permutexvar_epi16(take, ways);
        let bits = load(&bits[0].as_chunks::<8>().0[group]);
        let lows = _mm512_mullo_epi16(bits, ways);
        let lanes = _mm512_cmplt_epu16_mask(lows, _mm512_permutexvar_epi16(take, rejections));
        reject(group, lanes);
        let index = _mm512_mulhi_epu16(bits, ways);
        let index = _mm512_add_epi16(index, _mm512_permutexvar_epi16(take, starts));
        store(&mut indices.as_chunks_mut::<8>().0[group], index);
        store(&mut hands.lead.as_chunks_mut::<8>().0[group], held);
    }
    for (lead, index) in hands.lead.iter_mut().zip(&indices) {
        *lead |= _pdep_u64(_pext_u64(subsets(*index), places), pool);
    }
    let Some(fields) = layout.follow else {
        hands.follow = [0; PACKET];
        return u128::from_le_bytes(rejected);
    };

    let pool = if layout.follow_by_both { SPOTS } else { DECK };
    let mut masks = [0; PACKET];
    for (group, cases) in groups() {
        let (take, held) = lengths_and_honours(load(cases), fields, layout.follow_by_both);
        let lead = load(&hands.lead.as_chunks::<8>().0[group]);
        let left = _mm512_andnot_si512(lead, _mm512_set1_epi64(pool.cast_signed()));
        let left = _mm512_popcnt_epi16(left);
        let place = _mm512_add_epi16(_mm512_permutexvar_epi16(left, load(&TRIANGLES)), take);
        let ways = look_up(&ALL.ways, place);
        let bits = load(&bits[1].as_chunks::<8>().0[group]);
        let lows = _mm512_mullo_epi16(bits, ways);
        let lanes = _mm512_cmplt_epu16_mask(lows, look_up(&ALL.rejected, place));
        reject(group, lanes);
        let index = _mm512_mulhi_epu16(bits, ways);
        let index = _mm512_add_epi16(index, _mm512_permutexvar_epi16(take, starts));
        let one = _mm512_set1_epi16(1);
        let mask = _mm512_sub_epi16(_mm512_sllv_epi16(one, left), one);
        store(&mut indices.as_chunks_mut::<8>().0[group], index);
        store(&mut masks.as_chunks_mut::<8>().0[group], mask);
        store(&mut hands.follow.as_chunks_mut::<8>().0[group], held);
    }
    for i in 0..PACKET {
        let source = _pext_u64(subsets(indices[i]), masks[i]);
        hands.follow[i] |= _pdep_u64(source, pool & !hands.lead[i]);
    }
    u128::from_le_bytes(rejected)
}

/// Four subsets of a suit, by four indices.
#[inline(always)]
fn subsets(indices: u64) -> u64 {
    let subset = |lane: u32| {
        let index = (indices >> lane) as usize % SUBSETS.len();
        u64::from(SUBSETS[index]) << lane
    };
    subset(0) | subset(16) | subset(32) | subset(48)
}

#[target_feature(enable = "avx512f,popcnt")]
pub(super) fn locate(totals: &[[u64; 2]], wanted: &Wanted, found: &mut [u32; PACKET]) {
    let Some(last) = totals.len().checked_sub(8) else {
        return portable::locate(totals, wanted, found);
    };
    // Totals stand in the even places.
    let even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    for (i, found) in found.iter_mut().enumerate().take(wanted.draws) {
        let number = _mm512_set1_epi64(wanted.numbers[i].cast_signed());
        let (mut start, end) = (wanted.starts[i] as usize, wanted.ends[i] as usize);
        loop {
            // Eight records, the last eight if fewer are left: those before the
            // start have smaller totals too.
            let base = start.min(last);
            let (fours, _) = part(totals, base).as_chunks::<4>();
            let totals = _mm512_permutex2var_epi64(load(&fours[0]), even, load(&fours[1]));
            let smaller = _mm512_cmple_epu64_mask(totals, number).count_ones() as usize;
            start = base + smaller;
            if smaller < 8 || start >= end || base == last {
                break;
            }
        }
        // Totals that do not rise are no reason to look elsewhere.
        *found = start.min(end) as u32;
    }
}

/// High-card points of eight hands, in the low 16 bits of each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn points(hands: __m512i, table: __m512i) -> __m512i {
    // The high byte of every lane is 0, and so are its points.
    let honours = _mm512_and_si512(hands, _mm512_set1_epi16(0xF));
    _mm512_sad_epu8(_mm512_shuffle_epi8(table, honours), _mm512_setzero_si512())
}

#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
pub(super) fn count(packet: &Packet, with_fits: bool, counters: &mut Counters) {
    let mut keys = [[0; PACKET]; 2];
    let [first_keys, last_keys] = &mut keys;
    let table = _mm512_broadcast_i32x4(load_16(&POINTS));
    let digits = _mm512_set1_epi64(0x0000_0100_0010_0001);
    let first_base = _mm512_set1_epi64(FIRST_KEYS.wrapping_add(0xDDD << 48).cast_signed());
    let last_base = _mm512_set1_epi64(LAST_KEYS.wrapping_add(40 << 32).cast_signed());
    let columns = [&packet.north_south, &packet.north, &packet.east];
    let [both, north, east] = columns.map(|column| column.as_chunks::<8>().0);
    let stores = first_keys.as_chunks_mut::<8>().0.iter_mut();
    for (i, (first_keys, last_keys)) in stores.zip(last_keys.as_chunks_mut::<8>().0).enumerate() {
        let [both, north, east] = [load(&both[i]), load(&north[i]), load(&east[i])];
        // Three digits of lengths, still in two parts of 32 bits.
        let north_key = _mm512_madd_epi16(_mm512_popcnt_epi16(north), digits);
        let east_key = _mm512_madd_epi16(_mm512_popcnt_epi16(east), digits);
        let both_key = _mm512_madd_epi16(_mm512_popcnt_epi16(both), digits);
        let north_east = _mm512_add_epi32(north_key, _mm512_slli_epi32::<16>(east_key));
        // South has the side's less north's, west the deck's less side's and east's.
        let sides = _mm512_sub_epi32(both_key, _mm512_slli_epi32::<16>(both_key));
        let south_west = _mm512_sub_epi16(sides, north_east);
        let low = _mm512_add_epi16(north_east, _mm512_srli_epi64::<32>(north_east));
        let high = _mm512_add_epi16(south_west, _mm512_slli_epi64::<32>(south_west));
        let patterns = _mm512_mask_blend_epi32(0xAAAA, low, high);
        store(first_keys, _mm512_add_epi16(patterns, first_base));

        let fit = _mm512_add_epi32(both_key, _mm512_srli_epi64::<32>(both_key));
        let [both, north, east] = [
            points(both, table),
            points(north, table),
            points(east, table),
        ];
        let hands = _mm512_or_si512(
            _mm512_slli_epi64::<16>(north),
            _mm512_slli_epi64::<32>(east),
        );
        let hands = _mm512_mullo_epi16(hands, _mm512_set1_epi16(37));
        let partners =
            _mm512_sub_epi64(_mm512_slli_epi64::<16>(both), _mm512_slli_epi64::<32>(both));
        let keys = _mm512_add_epi16(_mm512_mask_blend_epi16(EACH_64, hands, fit), last_base);
        store(last_keys, _mm512_add_epi64(keys, partners));
    }
    portable::add(&keys, packet.deals, with_fits, counters);
}

/// Loads 64 bytes.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load<T: Pod>(words: &T) -> __m512i {
    const { assert!(size_of::<T>() == 64) };
    // SAFETY: the reference is valid for reads of 64 bytes, any bits of which
    // are a vector, and the load asks for no alignment.
    #[allow(unsafe_code, reason = "loads take pointers")]
    unsafe {
        _mm512_loadu_si512(std::ptr::from_ref(words).cast())
    }
}

/// The lengths of eight patterns, by the lowest ten bits of each lane of 64.
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

/// Loads 16 bytes.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_16(bytes: &[u8; 16]) -> std::arch::x86_64::__m128i {
    // SAFETY: the reference is valid for reads of 16 bytes, any bits of which
    // are a vector, and the load asks for no alignment.
    #[allow(unsafe_code, reason = "loads take pointers")]
    unsafe {
        _mm_loadu_si128(bytes.as_ptr().cast())
    }
}

/// Stores 64 bytes.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store<T: Pod>(words: &mut T, vector: __m512i) {
    const { assert!(size_of::<T>() == 64) };
    // SAFETY: the reference is valid for writes of 64 bytes, any bits of which
    // are words, and the store asks for no alignment.
    #[allow(unsafe_code, reason = "stores take pointers")]
    unsafe {
        _mm512_storeu_si512(std::ptr::from_mut(words).cast(), vector);
    }
}

/// The first half of a table that only other paths need whole.
const fn first(table: &[u16; 64]) -> &[u16; 32] {
    match table.first_chunk() {
        Some(half) => half,
        None => panic!("64 are more than 32"),
    }
}

#[inline(always)]
fn part<T>(items: &[T], place: usize) -> &[T; 8] {
    let part = items[place..].first_chunk();
    part.expect("the place leaves room for so many")
}

#[inline(always)]
fn part_mut<const N: usize, T>(items: &mut [T], place: usize) -> &mut [T; N] {
    let part = items[place..].first_chunk_mut();
    part.expect("the place leaves room for so many")
}
