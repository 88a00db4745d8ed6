//! Kernels with 512-bit vectors, where they pay.
//!
//! The functions are safe: they compute with values. Only the loads and stores at the end of the
//! file touch memory, and only as whole arrays.

#[allow(clippy::wildcard_imports, reason = "sixty intrinsics")]
use std::arch::x86_64::*;

pub(super) use super::choices::avx512::{decide, find};
use super::deposit::ByInstruction;
pub(super) use super::forms::avx512::{fill, fill_next, read_cases, read_items};
pub(super) use super::gram::avx512::{count_differing, lay_rows};
pub(super) use super::overlap::avx512::count_overlap;
pub(super) use super::philox::avx512::philox_words;
use super::portable::{self, compiled_for};
use super::tables::{BY_SHARE, BY_SHARE_SHIFT, CONTROLS, POINTS, TO_A_HAND, TO_A_SIDE};
use super::vectors::{EACH_64, load, load_16, store};
use super::{
    Answers, BitPlanes, CHUNK, Counters, DrawKind, FIRST_KEYS, Forms, HALVES_QUEUE, HandFields,
    IndexTriples, Indexing, LAST_KEYS, ListedHands, NumberRows, OverlapHands, OverlapSquares,
    PACKET, Packet, RAW_SUITS, SIDES_QUEUE, SPREAD_KEYS, Series, StepColumns, Steps, SuitMoments,
    Wanted,
};

compiled_for! { "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx512bitalg,avx2,bmi1,bmi2,popcnt":
    expand<ByInstruction>(sides: &[u64; PACKET], halves: &[u32; 2 * PACKET], packet: &mut Packet);
    split<ByInstruction>(halves: &[u32; PACKET], taken: [&[u64; PACKET]; 2], hands: &mut [u64; PACKET]);
    seat(seats: [usize; 3], hands: &ListedHands, packet: &mut Packet);
    count_cards(hands: &[u64; PACKET], planes: &mut BitPlanes);
    are_hands(hands: &ListedHands, two: bool, draws: usize) -> bool;
    select<ByInstruction>(
        words: &[u64; PACKET], held: &[u64; PACKET], pools: &[u64; PACKET], hands: &mut [u64; PACKET]
    ) -> u128;
    illegal(packet: &Packet) -> u128;
    mix(packet: &Packet, most: u64, mixed: &mut [u64; PACKET]) -> u128;
    mix_equivalent(packet: &Packet, most: u64, mixed: &mut [u64; PACKET]) -> u128;
    add_moments(packet: &Packet, pool: u64, moments: &mut SuitMoments);
    misfits(hands: &[u64; PACKET], forms: &Forms, fields: HandFields) -> u128;
    run_steps(steps: &Steps, answers: &dyn Answers, packet: &Packet, columns: &mut StepColumns);
    first_numbers(series: Series, first: u64, numbers: &mut NumberRows);
    places(indexing: Indexing, which: DrawKind, numbers: &NumberRows, places: &mut IndexTriples);
    sum_squares(hands: &OverlapHands, before: usize, deals: usize, squares: &mut OverlapSquares);
}

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
        // Eight words are written; only the accepted ones count.
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
        // The upper half of the product is in the upper half, and is then shifted down.
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

/// Records that are compared at once.
const NEAR: usize = 8;

/// See [`locate`](super::locate).
#[target_feature(enable = "avx512f,popcnt")]
pub(super) fn locate(totals: &[[u64; 2]], wanted: &Wanted, found: &mut [u32; PACKET]) {
    let Some(last) = totals.len().checked_sub(NEAR) else {
        return portable::locate(totals, wanted, found);
    };
    // The lower halves of the records stand in the even places.
    let even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    let odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    let right = _mm_cvtsi32_si128(wanted.shift.cast_signed());
    let left = _mm_cvtsi32_si128(64 - wanted.shift.cast_signed());
    for (i, found) in found.iter_mut().enumerate().take(wanted.draws) {
        let (start, end) = (wanted.starts[i] as usize, wanted.ends[i] as usize);
        // Two cache lines of four records each, or the last eight records: those before the start
        // have smaller totals.
        let base = (start & !3).min(last);
        if end.saturating_sub(base) > NEAR {
            *found = portable::search(totals, wanted, i);
            continue;
        }
        // The second line is read only if the range extends to it.
        let next = base + if end > base + 4 { 4 } else { 0 };
        let fours = [base, next].map(|place| load(part::<4, _>(totals, place)));
        let low = _mm512_permutex2var_epi64(fours[0], even, fours[1]);
        let high = _mm512_permutex2var_epi64(fours[0], odd, fours[1]);
        // A shift by 64 bits gives 0.
        let totals = _mm512_or_si512(_mm512_srl_epi64(low, right), _mm512_sll_epi64(high, left));
        let number = _mm512_set1_epi64(wanted.numbers[i].cast_signed());
        let smaller = _mm512_cmple_epu64_mask(totals, number);
        // Up to the end, whatever the totals of a damaged file are.
        let before_end = (1u32 << end.saturating_sub(base)) - 1;
        *found = (base + (u32::from(smaller) & before_end).count_ones() as usize) as u32;
    }
}

/// Sums the points of the honours of eight hands by this table, in the low 16 bits of each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn points(hands: __m512i, table: __m512i) -> __m512i {
    // The high byte of every lane is 0, and so are its points.
    let honours = _mm512_and_si512(hands, _mm512_set1_epi16(0xF));
    _mm512_sad_epu8(_mm512_shuffle_epi8(table, honours), _mm512_setzero_si512())
}

/// From the cards of a side and of north and east, returns in the second 16 bits `by` times the
/// points of north, plus those of the side; and in the third `by` times those of east, less those of
/// the side, from which the caller's base takes the sign.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn pairs_of_points([both, north, east]: [__m512i; 3], table: __m512i, by: i16) -> __m512i {
    let [both, north, east] = [
        points(both, table),
        points(north, table),
        points(east, table),
    ];
    let hands = _mm512_or_si512(
        _mm512_slli_epi64::<16>(north),
        _mm512_slli_epi64::<32>(east),
    );
    let hands = _mm512_mullo_epi16(hands, _mm512_set1_epi16(by));
    let side = _mm512_sub_epi64(_mm512_slli_epi64::<16>(both), _mm512_slli_epi64::<32>(both));
    _mm512_add_epi64(hands, side)
}

#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
pub(super) fn count(packet: &Packet, with_fits: bool, counters: &mut Counters) {
    let Counters { counts, keys } = counters;
    let [first_keys, last_keys] = &mut keys.0;
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
        // South is the side minus north; west is the deck minus the side and east.
        let sides = _mm512_sub_epi32(both_key, _mm512_slli_epi32::<16>(both_key));
        let south_west = _mm512_sub_epi16(sides, north_east);
        let low = _mm512_add_epi16(north_east, _mm512_srli_epi64::<32>(north_east));
        let high = _mm512_add_epi16(south_west, _mm512_slli_epi64::<32>(south_west));
        let patterns = _mm512_mask_blend_epi32(0xAAAA, low, high);
        store(first_keys, _mm512_add_epi16(patterns, first_base));

        let fit = _mm512_add_epi32(both_key, _mm512_srli_epi64::<32>(both_key));
        let pairs = pairs_of_points([both, north, east], table, 37);
        let keys = _mm512_mask_blend_epi16(EACH_64, pairs, fit);
        store(last_keys, _mm512_add_epi64(keys, last_base));
    }
    portable::add(&keys.0, packet.deals, with_fits, counts);
}

/// See [`spread_keys`](super::spread_keys).
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
pub(super) fn spread_keys(packet: &Packet, keys: &mut [u64; PACKET]) {
    let table = _mm512_broadcast_i32x4(load_16(&CONTROLS));
    let base = _mm512_set1_epi64(SPREAD_KEYS.wrapping_add(12 << 32).cast_signed());
    let thirteen = _mm512_set1_epi16(13);
    let columns = [&packet.north_south, &packet.north, &packet.east];
    let [both, north, east] = columns.map(|column| column.as_chunks::<8>().0);
    for (i, keys) in keys.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let [both, north, east] = [load(&both[i]), load(&north[i]), load(&east[i])];
        let both_lengths = _mm512_popcnt_epi16(both);
        let [north_lengths, east_lengths] = [north, east].map(|hands| _mm512_popcnt_epi16(hands));
        let south = _mm512_sub_epi16(both_lengths, north_lengths);
        let others = _mm512_sub_epi16(thirteen, both_lengths);
        let west = _mm512_sub_epi16(others, east_lengths);
        // Of two suits each.
        let [n, e, s, w] = [north_lengths, east_lengths, south, west]
            .map(|lengths| _mm512_madd_epi16(lengths, lengths));
        let squares = _mm512_add_epi32(_mm512_add_epi32(n, e), _mm512_add_epi32(s, w));
        let squares = _mm512_add_epi32(squares, _mm512_srli_epi64::<32>(squares));
        let flatness = _mm512_maskz_srli_epi32::<1>(EACH_32 as u16, squares);

        let pairs = pairs_of_points([both, north, east], table, 12);
        let controls = _mm512_add_epi64(pairs, base);
        store(keys, _mm512_add_epi64(controls, flatness));
    }
}

/// Returns the first half of a table; only other paths need the whole table.
const fn first(table: &[u16; 64]) -> &[u16; 32] {
    match table.first_chunk() {
        Some(half) => half,
        None => panic!("the table has at least 32 entries"),
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
