//! Kernels for AArch64 with vectors of 128 bits: by intrinsics where these are faster than the
//! portable code compiled for them.
//!
//! Loads and stores that take several vectors apart by lanes put the same suit of eight hands into
//! one vector. There is no instruction that deposits bits: `deposit` does it for two deals at once.

mod aes;
pub(super) mod deposit;
pub(super) mod lookup;
pub(super) mod vectors;

#[allow(clippy::wildcard_imports, reason = "thirty intrinsics")]
use std::arch::aarch64::*;

pub use aes::{NeonRoundKeys, counter_words};

pub(super) use super::forms::neon::{fill, fill_next, read_cases};
pub(super) use super::gram::neon::count_differing;
pub(super) use super::overlap::neon::count_overlap;

use self::deposit::Pools;
use self::lookup::LookupPlaces;
use self::vectors::{
    load, load_halves, load_lanes, load_suits, store, store_halves, store_lanes, store_suits,
};
use super::counters::{EAST_WEST_BASE, FIT_BASE, KEYS_END, NORTH_SOUTH_BASE, PATTERN_BASES};
use super::portable::{self, compiled_for};
use super::selection::draw_set;
use super::tables::{BY_SHARE, BY_SHARE_SHIFT, Completions, POINTS, TO_A_HAND, TO_A_SIDE};
use super::{
    Answers, BitPlanes, CHUNK, Counters, DECK, DrawKind, Forms, GRAM_CHUNK, HALVES_QUEUE,
    HandFields, IndexTriples, Indexing, ItemLayout, ListedHands, NumberRows, OverlapHands,
    OverlapSquares, PACKET, Packet, SIDES_QUEUE, SelectedColumns, Series, SignRows, StepColumns,
    Steps, SuitMoments, Wanted,
};

compiled_for! { "neon":
    seat(seats: [usize; 3], hands: &ListedHands, packet: &mut Packet);
    read_items(layout: ItemLayout<'_>, items: [&[u32; PACKET]; 2], forms: &mut [Forms]);
    find(
        lists: &[[u32; 2]], columns: &[[u32; 3]], which: &[u32; PACKET], words: &[u64; PACKET],
        found: &mut SelectedColumns
    );
    decide(columns: &[[u32; 3]], found: &SelectedColumns, items: &mut [u32; PACKET]) -> bool;
    count_cards(hands: &[u64; PACKET], planes: &mut BitPlanes);
    are_hands(hands: &ListedHands, two: bool, draws: usize) -> bool;
    locate(totals: &[[u64; 2]], wanted: &Wanted, found: &mut [u32; PACKET]);
    lay_rows(high: &[u64; GRAM_CHUNK], low: &[u64; GRAM_CHUNK], deals: usize, rows: &mut SignRows);
    illegal(packet: &Packet) -> u128;
    spread_keys(packet: &Packet, keys: &mut [u64; PACKET]);
    mix(packet: &Packet, most: u64, mixed: &mut [u64; PACKET]) -> u128;
    mix_equivalent(packet: &Packet, most: u64, mixed: &mut [u64; PACKET]) -> u128;
    add_moments(packet: &Packet, pool: u64, moments: &mut SuitMoments);
    misfits(hands: &[u64; PACKET], forms: &Forms, fields: HandFields) -> u128;
    run_steps(steps: &Steps, answers: &dyn Answers, packet: &Packet, columns: &mut StepColumns);
    first_numbers(series: Series, first: u64, numbers: &mut NumberRows);
    places(indexing: Indexing, which: DrawKind, numbers: &NumberRows, places: &mut IndexTriples);
    philox_words(key: [u32; 2], block: u32, high: [u32; 3], words: &mut [u64; CHUNK]);
    sum_squares(hands: &OverlapHands, before: usize, deals: usize, squares: &mut OverlapSquares);
}

/// [`Completions`] of 16 consecutive numbers of raw cards. All other numbers are rejected.
struct SixteenCompletions {
    first: u16,
    limits: [u16; 16],
    starts: [u16; 16],
}

impl SixteenCompletions {
    const fn from<const N: usize>(completions: &Completions<N>, first: usize) -> Self {
        let (mut limits, mut starts) = ([0; 16], [0; 16]);
        let mut raw = 0;
        while raw < N {
            if first <= raw && raw < first + 16 {
                limits[raw - first] = completions.limits[raw];
                starts[raw - first] = completions.starts[raw];
            } else {
                assert!(completions.limits[raw] == 0);
            }
            raw += 1;
        }
        Self {
            first: first as u16,
            limits,
            starts,
        }
    }

    /// Returns which numbers are accepted, and the place of the subset that each selects.
    #[inline]
    #[target_feature(enable = "neon")]
    fn complete(&self, raw: uint16x8_t, numbers: uint16x8_t) -> (uint16x8_t, uint16x8_t) {
        // Beyond the table the limit is 0.
        let places = LookupPlaces::of(vsubq_u16(raw, vdupq_n_u16(self.first)));
        let (limits, starts) = (
            places.look_up_16(&self.limits),
            places.look_up_16(&self.starts),
        );
        let by_share = vdupq_n_u16(BY_SHARE as u16);
        let low = vmull_u16(vget_low_u16(numbers), vget_low_u16(by_share));
        let high = vmull_high_u16(numbers, by_share);
        let upper = vuzp2q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high));
        (
            vcltq_u16(numbers, limits),
            vsraq_n_u16::<{ BY_SHARE_SHIFT as i32 - 16 }>(starts, upper),
        )
    }
}

static TO_A_SIDE_FROM_12: SixteenCompletions = SixteenCompletions::from(&TO_A_SIDE, 12);
static TO_A_HAND_FROM_0: SixteenCompletions = SixteenCompletions::from(&TO_A_HAND, 0);

const _: () = assert!(BY_SHARE <= u16::MAX as u32);

/// By a mask of eight lanes: the bytes of its lanes, lowest first.
static PACKED: [[u8; 16]; 256] = {
    let mut packed = [[0; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut place) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                packed[mask][2 * place] = 2 * lane;
                packed[mask][2 * place + 1] = 2 * lane + 1;
                place += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    packed
};

/// Returns the order that moves the accepted lanes to the front, and their number.
#[inline]
#[target_feature(enable = "neon")]
fn packing(accepted: uint16x8_t) -> (uint8x16_t, usize) {
    // A bit of the mask for each lane, and one to count.
    const MARKS: [u16; 8] = [0x101, 0x102, 0x104, 0x108, 0x110, 0x120, 0x140, 0x180];
    let marks = vaddvq_u16(vandq_u16(accepted, load_lanes(&MARKS)));
    (
        load(&PACKED[usize::from(marks as u8)]),
        usize::from(marks >> 8),
    )
}

#[inline]
#[target_feature(enable = "neon")]
fn packed(lanes: uint16x8_t, order: uint8x16_t) -> uint16x8_t {
    vreinterpretq_u16_u8(vqtbl1q_u8(vreinterpretq_u8_u16(lanes), order))
}

/// Returns N places of a queue, from its length on or else the last ones.
#[inline(always)]
fn next<T, const N: usize>(queue: &mut [T], len: usize) -> &mut [T; N] {
    let place = len.min(queue.len() - N);
    let next = queue[place..].first_chunk_mut();
    next.expect("the place leaves room for them")
}

#[target_feature(enable = "neon")]
pub(super) fn accept_sides(
    chunk: &[u64; CHUNK],
    queue: &mut [u64; SIDES_QUEUE],
    mut len: usize,
) -> usize {
    let suit = vdupq_n_u16(0x1FFF);
    for words in chunk.as_chunks::<8>().0 {
        let uint16x8x4_t(numbers, a, b, c) = load_suits(words);
        let [a, b, c] = [a, b, c].map(|lanes| vandq_u16(lanes, suit));
        let [x, y, z] = [a, b, c].map(|suit| vcntq_u8(vreinterpretq_u8_u16(suit)));
        let raw = vpaddlq_u8(vaddq_u8(vaddq_u8(x, y), z));
        let (accepted, index) = TO_A_SIDE_FROM_12.complete(raw, numbers);
        let (order, count) = packing(accepted);
        let [d, a, b, c] = [index, a, b, c].map(|lanes| packed(lanes, order));
        // Eight words are written; the accepted ones count.
        store_suits(next(queue, len), uint16x8x4_t(d, a, b, c));
        len += count;
    }
    len
}

#[target_feature(enable = "neon")]
pub(super) fn accept_halves(
    chunk: &[u64; CHUNK],
    queue: &mut [u32; HALVES_QUEUE],
    mut len: usize,
) -> usize {
    let suit = vdupq_n_u16(0x1FFF);
    for words in chunk.as_chunks::<4>().0 {
        let uint16x8x2_t(cards, numbers) = load_halves(words);
        let cards = vandq_u16(cards, suit);
        let raw = vpaddlq_u8(vcntq_u8(vreinterpretq_u8_u16(cards)));
        let (accepted, index) = TO_A_HAND_FROM_0.complete(raw, numbers);
        let (order, count) = packing(accepted);
        let halves = uint16x8x2_t(packed(cards, order), packed(index, order));
        store_halves(next(queue, len), halves);
        len += count;
    }
    len
}

/// Returns the 13 of 26 places of two selections, each in half a word.
#[inline(always)]
fn two_halves([one, other]: [u32; 2]) -> u64 {
    portable::half(one) | portable::half(other) << 32
}

/// See [`expand`](super::expand).
#[target_feature(enable = "neon")]
pub(super) fn expand(sides: &[u64; PACKET], halves: &[u32; 2 * PACKET], packet: &mut Packet) {
    let deck = vdupq_n_u64(DECK);
    let columns = [&mut packet.north_south, &mut packet.north, &mut packet.east];
    let [both, north, east] = columns.map(|column| column.as_chunks_mut::<2>().0.iter_mut());
    let halves = halves.as_chunks::<2>().0.as_chunks::<2>().0;
    let picks = sides.as_chunks::<2>().0.iter().zip(halves);
    for (((both, north), east), (sides, halves)) in both.zip(north).zip(east).zip(picks) {
        *both = sides.map(portable::side);
        let partners = vreinterpretq_u64_u8(load(both));
        let opponents = veorq_u64(partners, deck);
        let halves = vreinterpretq_u64_u8(load(&halves.map(two_halves)));
        let first = vandq_u64(halves, vdupq_n_u64(0xFFFF_FFFF));
        let second = vshrq_n_u64::<32>(halves);
        let hand = Pools::new(partners).spread(first);
        store(north, vreinterpretq_u8_u64(hand));
        let hand = Pools::new(opponents).spread(second);
        store(east, vreinterpretq_u8_u64(hand));
    }
}

/// See [`split`](super::split).
#[target_feature(enable = "neon")]
pub(super) fn split(
    halves: &[u32; PACKET],
    [some, others]: [&[u64; PACKET]; 2],
    hands: &mut [u64; PACKET],
) {
    let deck = vdupq_n_u64(DECK);
    let taken = some
        .as_chunks::<2>()
        .0
        .iter()
        .zip(others.as_chunks::<2>().0);
    let picks = halves.as_chunks::<2>().0.iter().zip(taken);
    for (hands, (halves, (some, others))) in hands.as_chunks_mut::<2>().0.iter_mut().zip(picks) {
        let taken = vreinterpretq_u64_u8(vorrq_u8(load(some), load(others)));
        let sources = load(&halves.map(portable::half));
        let pools = Pools::new(vbicq_u64(deck, taken));
        let cards = pools.spread(vreinterpretq_u64_u8(sources));
        store(hands, vreinterpretq_u8_u64(cards));
    }
}

/// See [`select`](super::select).
#[target_feature(enable = "neon")]
pub(super) fn select(
    words: &[u64; PACKET],
    held: &[u64; PACKET],
    pools: &[u64; PACKET],
    hands: &mut [u64; PACKET],
) -> u128 {
    let mut rejected = 0;
    for i in 0..PACKET {
        let set = draw_set(words[i], held[i], pools[i]);
        rejected |= u128::from(set.is_none()) << i;
        hands[i] = set.unwrap_or(0);
    }
    let sources = held.as_chunks::<2>().0.iter().zip(pools.as_chunks::<2>().0);
    for (hands, (held, pools)) in hands.as_chunks_mut::<2>().0.iter_mut().zip(sources) {
        let pools = Pools::new(vreinterpretq_u64_u8(load(pools)));
        let cards = pools.spread(vreinterpretq_u64_u8(load(hands)));
        store(hands, vorrq_u8(load(held), vreinterpretq_u8_u64(cards)));
    }
    rejected
}

/// Returns the lengths of spades, hearts and diamonds as three digits of four bits.
#[inline]
#[target_feature(enable = "neon")]
fn length_keys(hands: uint16x8x4_t) -> uint16x8_t {
    let uint16x8x4_t(s, h, d, _) = hands;
    let [s, h, d] = [s, h, d].map(|suit| vcntq_u8(vreinterpretq_u8_u16(suit)));
    // The two bytes of a suit have at most eight cards each, and thirteen in total.
    let two = vpaddlq_u8(vsliq_n_u8::<4>(s, h));
    vsliq_n_u16::<8>(two, vpaddlq_u8(d))
}

/// Counts the high-card points.
#[inline]
#[target_feature(enable = "neon")]
fn points(hands: uint16x8x4_t, table: uint8x16_t) -> uint16x8_t {
    let uint16x8x4_t(s, h, d, c) = hands;
    let honours = vdupq_n_u8(0xF);
    let [majors, minors] = [(s, h), (d, c)].map(|(low, high)| {
        let both = vreinterpretq_u8_u16(vsliq_n_u16::<8>(low, high));
        vqtbl1q_u8(table, vandq_u8(both, honours))
    });
    vpaddlq_u8(vaddq_u8(majors, minors))
}

/// See [`count`](super::count).
#[target_feature(enable = "neon")]
pub(super) fn count(packet: &Packet, with_fits: bool, counters: &mut Counters) {
    const { assert!(KEYS_END <= 1 << 16 && PATTERN_BASES[0] == 0) };
    let base = |base: usize| vdupq_n_u16(base as u16);
    let table = load(&POINTS);
    let columns = [&packet.north_south, &packet.north, &packet.east];
    let [both, north, east] = columns.map(|column| column.as_chunks::<8>().0);
    let mut left = packet.deals;
    for ((both, north), east) in both.iter().zip(north).zip(east) {
        let hands = [load_suits(both), load_suits(north), load_suits(east)];
        let [both, north, east] = hands.map(|hands| length_keys(hands));
        // South has the side's cards less north's, west the deck's less the side's and east's.
        let south = vsubq_u16(both, north);
        let west = vsubq_u16(base(PATTERN_BASES[3] + 0xDDD), vaddq_u16(both, east));
        let mut keys = [[0; 8]; 7];
        let [a, b, c, d, e, f, g] = &mut keys;
        store_lanes(a, north);
        store_lanes(b, vaddq_u16(east, base(PATTERN_BASES[1])));
        store_lanes(c, vaddq_u16(south, base(PATTERN_BASES[2])));
        store_lanes(d, west);
        store_lanes(g, vaddq_u16(both, base(FIT_BASE)));
        // 38 n + (b - n) is 37 n + b; 38 e + (40 - b - e) is 37 e + 40 - b.
        let [both, north, east] = hands.map(|hands| points(hands, table));
        let by = vdupq_n_u16(37);
        store_lanes(
            e,
            vmlaq_u16(vaddq_u16(both, base(NORTH_SOUTH_BASE)), north, by),
        );
        store_lanes(
            f,
            vmlaq_u16(vsubq_u16(base(EAST_WEST_BASE + 40), both), east, by),
        );
        let keys = if with_fits { &keys[..] } else { &keys[..6] };
        if left >= 8 {
            add(keys, 8, counters);
        } else {
            add(keys, left, counters);
        }
        left = left.saturating_sub(8);
    }
}

/// Counts the keys of the first deals.
#[inline(always)]
fn add(keys: &[[u16; 8]], deals: usize, counters: &mut Counters) {
    for keys in keys {
        for key in keys.iter().take(deals) {
            let count = &mut counters.counts[usize::from(*key)];
            *count = count.wrapping_add(1);
        }
    }
}
