//! Kernels for processors with 256-bit vectors and with instructions that deposit bits and count
//! ones: by intrinsics where these are faster than the portable code compiled for them.

#[allow(clippy::wildcard_imports, reason = "fifty intrinsics")]
use std::arch::x86_64::*;

use super::deposit::ByInstruction;
pub(super) use super::forms::avx2::{fill, fill_next, read_cases};
pub(super) use super::gram::avx2::count_differing;
pub(super) use super::philox::avx2::philox_words;
use super::portable::{self, compiled_for};
use super::tables::{
    BY_SHARE, BY_SHARE_SHIFT, CONTROLS, Completions, POINTS, TO_A_HAND, TO_A_SIDE,
};
use super::vectors::{load_16, load_32, ones_16, ones_64, store_32};
use super::{
    Answers, BitPlanes, CHUNK, Counters, DrawKind, FIRST_KEYS, GRAM_CHUNK, HALVES_QUEUE,
    IndexTriples, Indexing, ItemLayout, LAST_KEYS, ListedHands, NumberRows, Overlap, OverlapHands,
    OverlapSquares, PACKET, Packet, RAW_SUITS, SIDES_QUEUE, SPREAD_KEYS, SelectedColumns, Series,
    SignRows, StepColumns, Steps, SuitMoments, Wanted, overlap,
};
use super::{Forms, HandFields};

compiled_for! { "avx2,bmi1,bmi2,popcnt":
    expand<ByInstruction>(sides: &[u64; PACKET], halves: &[u32; 2 * PACKET], packet: &mut Packet);
    split<ByInstruction>(halves: &[u32; PACKET], taken: [&[u64; PACKET]; 2], hands: &mut [u64; PACKET]);
    seat(seats: [usize; 3], hands: &ListedHands, packet: &mut Packet);
    read_items(layout: ItemLayout<'_>, items: [&[u32; PACKET]; 2], forms: &mut [Forms]);
    find(
        lists: &[[u32; 2]], columns: &[[u32; 3]], which: &[u32; PACKET], words: &[u64; PACKET],
        found: &mut SelectedColumns
    );
    decide(columns: &[[u32; 3]], found: &SelectedColumns, items: &mut [u32; PACKET]) -> bool;
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
    lay_rows(high: &[u64; GRAM_CHUNK], low: &[u64; GRAM_CHUNK], deals: usize, rows: &mut SignRows);
    sum_squares(hands: &OverlapHands, before: usize, deals: usize, squares: &mut OverlapSquares);
}

/// Number of deals that plain loops take at a time.
const LANES: usize = 4;

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn count_overlap(hands: &OverlapHands, deals: usize, overlap: &mut Overlap) {
    overlap::count_overlap::<LANES>(hands, deals, overlap);
}

/// [`Completions`] of 16 consecutive numbers of raw cards, in two vectors of 32-bit lanes: limits
/// in the upper halves of lanes, starts in the lower.
struct Sixteen([[u32; 8]; 2]);

impl Sixteen {
    const fn from<const N: usize>(completions: &Completions<N>, first: usize) -> Self {
        let mut lanes = [[0; 8]; 2];
        let mut i = 0;
        while i < 16 {
            let limit = completions.limits[first + i] as u32;
            lanes[i / 8][i % 8] = limit << 16 | completions.starts[first + i] as u32;
            i += 1;
        }
        Self(lanes)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn look_up(&self, places: __m256i) -> __m256i {
        let low = _mm256_permutevar8x32_epi32(load_32(&self.0[0]), places);
        let high = _mm256_permutevar8x32_epi32(load_32(&self.0[1]), places);
        // The sign selects.
        let is_high = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(places));
        let [low, high] = [low, high].map(|lanes| _mm256_castsi256_ps(lanes));
        _mm256_castps_si256(_mm256_blendv_ps(low, high, is_high))
    }
}

/// By the number of cards in three suits less this, of which 0 and 15 are never accepted.
const FEWEST_RAW: usize = 12;
static TO_A_SIDE_FROM_12: Sixteen = Sixteen::from(&TO_A_SIDE, FEWEST_RAW);
static TO_A_HAND_FROM_0: Sixteen = Sixteen::from(&TO_A_HAND, 0);

const _: () = {
    assert!(TO_A_SIDE.limits[FEWEST_RAW] == 0 && TO_A_SIDE.limits[FEWEST_RAW + 15] == 0);
    assert!(TO_A_HAND.limits[14] == 0 && TO_A_HAND.limits[15] == 0);
};

/// By a mask of eight lanes: the lanes of its bits, lowest first, a byte each.
static PACKED: [[u8; 8]; 256] = {
    let mut packed = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut place) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                packed[mask][place] = lane as u8;
                place += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    packed
};

/// By a mask of four lanes of 64 bits: the same, by halves of lanes.
static PACKED_64: [[u32; 8]; 16] = {
    let mut packed = [[0; 8]; 16];
    let mut mask = 0;
    while mask < 16 {
        let mut place = 0;
        while place < 4 {
            let lane = PACKED[mask][place] as u32;
            packed[mask][2 * place] = 2 * lane;
            packed[mask][2 * place + 1] = 2 * lane + 1;
            place += 1;
        }
        mask += 1;
    }
    packed
};

/// Writes the lanes of the mask to a queue, and returns its new length.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn append_64(picks: __m256i, mask: u32, queue: &mut [u64; SIDES_QUEUE], len: usize) -> usize {
    let order = load_32(&PACKED_64[mask as usize % PACKED_64.len()]);
    // Four words are written; the accepted ones count.
    let place = len.min(SIDES_QUEUE - 4);
    let four = queue[place..].first_chunk_mut::<4>();
    let four = four.expect("the place leaves room for four");
    store_32(four, _mm256_permutevar8x32_epi32(picks, order));
    len + mask.count_ones() as usize
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn accept_sides(
    chunk: &[u64; CHUNK],
    queue: &mut [u64; SIDES_QUEUE],
    mut len: usize,
) -> usize {
    let raw_suits = _mm256_set1_epi64x(RAW_SUITS.cast_signed());
    let by_share = _mm256_set1_epi32(BY_SHARE.cast_signed());
    let low = _mm256_set1_epi32(0xFFFF);
    let [fewest, most] = [FEWEST_RAW, FEWEST_RAW + 15].map(|raw| _mm256_set1_epi32(raw as i32));
    let zero = _mm256_setzero_si256();
    for eight in chunk.as_chunks::<8>().0 {
        let [a, b] = [0, 1].map(|half| load_32(&eight.as_chunks::<4>().0[half]));
        let cards = [a, b].map(|words| _mm256_and_si256(words, raw_suits));
        let raw = cards.map(|cards| ones_64(cards));
        // The lower halves of both, in the order a0 a1 b0 b1 a2 a3 b2 b3.
        let raw = lower_halves(raw[0], raw[1]);
        let numbers = _mm256_and_si256(lower_halves(a, b), low);
        let raw = _mm256_min_epi32(_mm256_max_epi32(raw, fewest), most);
        let completion = TO_A_SIDE_FROM_12.look_up(_mm256_sub_epi32(raw, fewest));
        let limits = _mm256_srli_epi32::<16>(completion);
        let accepted = _mm256_castsi256_ps(_mm256_cmpgt_epi32(limits, numbers));
        let share = _mm256_mulhi_epu16(numbers, by_share);
        let share = _mm256_srli_epi32::<{ BY_SHARE_SHIFT as i32 - 16 }>(share);
        let index = _mm256_add_epi32(share, _mm256_and_si256(completion, low));
        let mask = _mm256_movemask_ps(accepted).cast_unsigned();
        let pick = _mm256_or_si256(cards[0], _mm256_unpacklo_epi32(index, zero));
        len = append_64(pick, _pext_u32(mask, 0b0011_0011), queue, len);
        let pick = _mm256_or_si256(cards[1], _mm256_unpackhi_epi32(index, zero));
        len = append_64(pick, _pext_u32(mask, 0b1100_1100), queue, len);
    }
    len
}

/// The lower halves of lanes of 64 bits, of the first vector and of the second in turn, two each.
#[inline]
#[target_feature(enable = "avx2")]
fn lower_halves(a: __m256i, b: __m256i) -> __m256i {
    let [a, b] = [a, b].map(|lanes| _mm256_castsi256_ps(lanes));
    _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(a, b))
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn accept_halves(
    chunk: &[u64; CHUNK],
    queue: &mut [u32; HALVES_QUEUE],
    mut len: usize,
) -> usize {
    let by_share = _mm256_set1_epi32((BY_SHARE << 16).cast_signed());
    let places = _mm256_set1_epi32(0x1FFF);
    for words in chunk.as_chunks::<4>().0 {
        let halves = load_32(words);
        let cards = _mm256_and_si256(halves, places);
        let completion = TO_A_HAND_FROM_0.look_up(ones_16(cards));
        let limits = _mm256_srli_epi32::<16>(completion);
        let accepted = _mm256_cmpgt_epi32(limits, _mm256_srli_epi32::<16>(halves));
        let mask = _mm256_movemask_ps(_mm256_castsi256_ps(accepted)).cast_unsigned();
        // In the upper halves of lanes, as the start that is added.
        let share = _mm256_mulhi_epu16(halves, by_share);
        let share = _mm256_srli_epi16::<{ BY_SHARE_SHIFT as i32 - 16 }>(share);
        let index = _mm256_add_epi32(share, _mm256_slli_epi32::<16>(completion));
        let picks = _mm256_or_si256(cards, index);
        let order = u64::from_le_bytes(PACKED[mask as usize % PACKED.len()]);
        let order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(order.cast_signed()));
        let place = len.min(HALVES_QUEUE - 8);
        let eight = queue[place..].first_chunk_mut::<8>();
        let eight = eight.expect("the place leaves room for eight");
        store_32(eight, _mm256_permutevar8x32_epi32(picks, order));
        len += mask.count_ones() as usize;
    }
    len
}

/// Records that are compared at once.
const NEAR: usize = 8;

/// See [`locate`](super::locate).
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn locate(totals: &[[u64; 2]], wanted: &Wanted, found: &mut [u32; PACKET]) {
    let Some(last) = totals.len().checked_sub(NEAR) else {
        return portable::locate(totals, wanted, found);
    };
    // Comparisons are of signed numbers.
    let sign = _mm256_set1_epi64x(i64::MIN);
    let right = _mm_cvtsi32_si128(wanted.shift.cast_signed());
    let left = _mm_cvtsi32_si128(64 - wanted.shift.cast_signed());
    for (i, found) in found.iter_mut().enumerate().take(wanted.draws) {
        let (start, end) = (wanted.starts[i] as usize, wanted.ends[i] as usize);
        if end.saturating_sub(start) > NEAR {
            *found = portable::search(totals, wanted, i);
            continue;
        }
        // Eight records from the start, or the last eight: those before it have smaller totals.
        let base = start.min(last);
        let near = totals[base..].first_chunk::<NEAR>();
        let near = near.expect("eight records follow").as_chunks::<2>().0;
        let number = _mm256_xor_si256(_mm256_set1_epi64x(wanted.numbers[i].cast_signed()), sign);
        let larger = [0, 2].map(|pair| {
            let (first, second) = (load_32(&near[pair]), load_32(&near[pair + 1]));
            let low = _mm256_unpacklo_epi64(first, second);
            let high = _mm256_unpackhi_epi64(first, second);
            // A shift by 64 bits gives 0.
            let totals =
                _mm256_or_si256(_mm256_srl_epi64(low, right), _mm256_sll_epi64(high, left));
            _mm256_cmpgt_epi64(_mm256_xor_si256(totals, sign), number)
        });
        let larger = _mm256_packs_epi32(larger[0], larger[1]);
        // Four bits a record.
        let larger = _mm256_movemask_epi8(larger).count_ones() / 4;
        // Limited to the end, whatever the totals of a damaged file are.
        *found = (base + NEAR - larger as usize).min(end) as u32;
    }
}

/// Sums the points of the honours of four hands by this table, in the low 16 bits of each.
#[inline]
#[target_feature(enable = "avx2")]
fn points(hands: __m256i, table: __m256i) -> __m256i {
    // The high byte of every lane is 0, and so are its points.
    let honours = _mm256_and_si256(hands, _mm256_set1_epi16(0xF));
    _mm256_sad_epu8(_mm256_shuffle_epi8(table, honours), _mm256_setzero_si256())
}

/// From the cards of a side and of north and east, returns in the second 16 bits `by` times the
/// points of north, plus those of the side; and in the third `by` times those of east, less those of
/// the side, from which the caller's base takes the sign.
#[inline]
#[target_feature(enable = "avx2")]
fn pairs_of_points(hands: [__m256i; 3], table: __m256i, by: i16) -> __m256i {
    let [both, north, east] = hands.map(|hands| points(hands, table));
    let hands = _mm256_or_si256(
        _mm256_slli_epi64::<16>(north),
        _mm256_slli_epi64::<32>(east),
    );
    let hands = _mm256_mullo_epi16(hands, _mm256_set1_epi16(by));
    let side = _mm256_sub_epi64(_mm256_slli_epi64::<16>(both), _mm256_slli_epi64::<32>(both));
    _mm256_add_epi64(hands, side)
}

/// See [`count`](super::count).
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn count(packet: &Packet, with_fits: bool, counters: &mut Counters) {
    let table = _mm256_broadcastsi128_si256(load_16(&POINTS));
    let digits = _mm256_set1_epi64x(0x0000_0100_0010_0001);
    let first_base = FIRST_KEYS.wrapping_add(0xDDD << 48);
    let first_base = _mm256_set1_epi64x(first_base.cast_signed());
    let last_base = _mm256_set1_epi64x(LAST_KEYS.wrapping_add(40 << 32).cast_signed());
    let columns = [&packet.north_south, &packet.north, &packet.east];
    let [both, north, east] = columns.map(|column| column.as_chunks::<4>().0);
    let mut left = packet.deals;
    for ((both, north), east) in both.iter().zip(north).zip(east) {
        let hands = [load_32(both), load_32(north), load_32(east)];
        // Three digits of lengths, still in two parts of 32 bits.
        let keys = hands.map(|hands| _mm256_madd_epi16(ones_16(hands), digits));
        let [both_key, north_key, east_key] = keys;
        let north_east = _mm256_add_epi32(north_key, _mm256_slli_epi32::<16>(east_key));
        // South has the side's less north's, west the deck's less side's and east's.
        let sides = _mm256_sub_epi32(both_key, _mm256_slli_epi32::<16>(both_key));
        let south_west = _mm256_sub_epi16(sides, north_east);
        let low = _mm256_add_epi16(north_east, _mm256_srli_epi64::<32>(north_east));
        let high = _mm256_add_epi16(south_west, _mm256_slli_epi64::<32>(south_west));
        let patterns = _mm256_blend_epi32::<0b1010_1010>(low, high);
        let mut keys = [[0; 4]; 2];
        store_32(&mut keys[0], _mm256_add_epi16(patterns, first_base));

        let fit = _mm256_add_epi32(both_key, _mm256_srli_epi64::<32>(both_key));
        let last = _mm256_blend_epi16::<0b0001_0001>(pairs_of_points(hands, table, 37), fit);
        store_32(&mut keys[1], _mm256_add_epi64(last, last_base));
        portable::add(&keys, left, with_fits, &mut counters.counts);
        left = left.saturating_sub(4);
    }
}

/// See [`spread_keys`](super::spread_keys).
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn spread_keys(packet: &Packet, keys: &mut [u64; PACKET]) {
    let table = _mm256_broadcastsi128_si256(load_16(&CONTROLS));
    let base = _mm256_set1_epi64x(SPREAD_KEYS.wrapping_add(12 << 32).cast_signed());
    let columns = [&packet.north_south, &packet.north, &packet.east];
    let [both, north, east] = columns.map(|column| column.as_chunks::<4>().0);
    let hands = both.iter().zip(north).zip(east);
    for (keys, ((both, north), east)) in keys.as_chunks_mut::<4>().0.iter_mut().zip(hands) {
        let hands = [load_32(both), load_32(north), load_32(east)];
        let [both, north, east] = hands.map(|hands| ones_16(hands));
        let south = _mm256_sub_epi16(both, north);
        let west = _mm256_sub_epi16(_mm256_sub_epi16(_mm256_set1_epi16(13), both), east);
        // Of two suits each.
        let [n, e, s, w] =
            [north, east, south, west].map(|lengths| _mm256_madd_epi16(lengths, lengths));
        let squares = _mm256_add_epi32(_mm256_add_epi32(n, e), _mm256_add_epi32(s, w));
        let squares = _mm256_add_epi32(squares, _mm256_srli_epi64::<32>(squares));
        let halves = _mm256_srli_epi32::<1>(squares);
        let flatness = _mm256_and_si256(halves, _mm256_set1_epi64x(0xFFFF));

        let controls = _mm256_add_epi64(pairs_of_points(hands, table, 12), base);
        store_32(keys, _mm256_add_epi64(controls, flatness));
    }
}
