//! Forms filled by vectors of 128 bits, two hands at a time. A suit's subset is spread over the
//! suit's cards in its own lane.

#[allow(clippy::wildcard_imports, reason = "twenty intrinsics")]
use std::arch::aarch64::*;

use super::super::neon::deposit::Pools;
use super::super::neon::lookup::LookupPlaces;
use super::super::neon::vectors::{load, store};
use super::super::tables::{LENGTHS, PICKS, SUBSETS};
use super::super::{DECK, PACKET, SPOTS};
use super::{Forms, HandFields, PAIRS, REVERSED, first_pair};

/// Tables of [`PICKS`] by k, for a number of places.
struct PickTables {
    ways: [u16; 16],
    rejected: [u16; 16],
}

impl PickTables {
    const fn places(n: usize) -> Self {
        let (mut ways, mut rejected) = ([0; 16], [0; 16]);
        let mut k = 0;
        while k < 16 {
            ways[k] = PICKS[16 * n + k].ways;
            rejected[k] = PICKS[16 * n + k].rejected;
            k += 1;
        }
        Self { ways, rejected }
    }
}

static OF_9: PickTables = PickTables::places(9);
static OF_13: PickTables = PickTables::places(13);

/// The start in [`SUBSETS`] of the subsets of each size.
static STARTS: [u16; 16] = {
    let mut starts = [0; 16];
    let mut k = 0;
    while k <= 13 {
        starts[k] = PICKS[16 * 13 + k].start;
        k += 1;
    }
    starts
};

static FIRST_PAIRS: [u16; 16] = {
    let mut first = [0; 16];
    let mut n = 0;
    while n <= 13 {
        first[n] = first_pair(n) as u16;
        n += 1;
    }
    first
};

/// Tables of [`PICKS`] by pair.
struct PicksByPair {
    ways: [[u16; 32]; 2],
    rejected: [[u16; 32]; 2],
}

static BY_PAIR: PicksByPair = {
    let (mut ways, mut rejected) = ([[0; 32]; 2], [[0; 32]; 2]);
    let mut n = 0;
    while n <= 13 {
        let mut k = 0;
        while k <= n / 2 {
            let pair = first_pair(n) + k;
            ways[pair / 32][pair % 32] = PICKS[16 * n + k].ways;
            rejected[pair / 32][pair % 32] = PICKS[16 * n + k].rejected;
            k += 1;
        }
        n += 1;
    }
    PicksByPair { ways, rejected }
};

/// Numbers of ways to choose cards of a suit, and the low halves below which bits are rejected.
struct Ways {
    ways: uint16x8_t,
    rejected: uint16x8_t,
}

impl Ways {
    /// To take k of n cards.
    #[inline]
    #[target_feature(enable = "neon")]
    fn of_pairs(n: uint16x8_t, k: uint16x8_t) -> Self {
        let others = vreinterpretq_s16_u16(vsubq_u16(n, k));
        let fewer = vminq_s16(vreinterpretq_s16_u16(k), others);
        let pairs = vaddq_u16(
            LookupPlaces::of(n).look_up_16(&FIRST_PAIRS),
            vreinterpretq_u16_s16(fewer),
        );
        // To take more cards than there are is an entry beyond the tables.
        let none = vreinterpretq_u16_s16(vshrq_n_s16::<15>(fewer));
        let places = LookupPlaces::of(vbslq_u16(none, vdupq_n_u16(PAIRS as u16), pairs));
        Self {
            ways: places.look_up_64(&BY_PAIR.ways),
            // Less all ones is one more.
            rejected: vsubq_u16(places.look_up_64(&BY_PAIR.rejected), none),
        }
    }

    /// Returns the subset that 16 bits select in each lane, and the lanes whose bits are accepted.
    #[inline]
    #[target_feature(enable = "neon")]
    fn pick(&self, bits: uint16x8_t, start: uint16x8_t) -> (uint16x8_t, uint16x8_t) {
        let low = vmull_u16(vget_low_u16(bits), vget_low_u16(self.ways));
        let high = vmull_high_u16(bits, self.ways);
        let [low, high] = [low, high].map(|products| vreinterpretq_u16_u32(products));
        let accepted = vcgeq_u16(vuzp1q_u16(low, high), self.rejected);
        let index = vaddq_u16(vuzp2q_u16(low, high), start);
        // The mask spares a check of each index.
        const { assert!(SUBSETS.len() == 1 << 13) };
        let index = vandq_u16(index, vdupq_n_u16(0x1FFF));
        let mut subsets = [0; 8];
        store(&mut subsets, vreinterpretq_u8_u16(index));
        let subsets = subsets.map(|index: u16| SUBSETS[usize::from(index) % SUBSETS.len()]);
        (vreinterpretq_u16_u8(load(&subsets)), accepted)
    }
}

/// By byte of two hands: the byte of its suit in two honour maps, or none. Spades stand highest.
static SUIT_BYTES: [u8; 16] = [
    1, 0xFF, 1, 0xFF, 0, 0xFF, 0, 0xFF, 9, 0xFF, 9, 0xFF, 8, 0xFF, 8, 0xFF,
];
/// Shifts to the right that move the suit of each byte down.
static SUIT_SHIFTS: [i8; 16] = [-4, 0, 0, 0, -4, 0, 0, 0, -4, 0, 0, 0, -4, 0, 0, 0];

/// See [`read_cases`](super::super::read_cases).
#[target_feature(enable = "neon")]
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
    let right = vdupq_n_s64(-i64::from(bit));
    let spread = load(&SUIT_BYTES);
    let down = vreinterpretq_s8_u8(load(&SUIT_SHIFTS));
    let reversed = load(&REVERSED);
    let cases = cases.as_chunks::<2>().0;
    for (honours, cases) in forms.honours.as_chunks_mut::<2>().0.iter_mut().zip(cases) {
        let maps = vshlq_u64(vreinterpretq_u64_u8(load(cases)), right);
        let suits = vshlq_u8(vqtbl1q_u8(vreinterpretq_u8_u64(maps), spread), down);
        store(
            honours,
            vqtbl1q_u8(reversed, vandq_u8(suits, vdupq_n_u8(0xF))),
        );
    }
}

/// The lengths of two hands less their honours, and the honours.
#[inline]
#[target_feature(enable = "neon")]
fn take_and_honours(forms: &Forms, group: usize) -> (uint16x8_t, uint8x16_t) {
    let lengths = vreinterpretq_u16_u8(load(&forms.lengths.as_chunks::<2>().0[group]));
    let honours = load(&forms.honours.as_chunks::<2>().0[group]);
    let take = vsubq_u16(lengths, vpaddlq_u8(vcntq_u8(honours)));
    (vandq_u16(take, vdupq_n_u16(0xF)), honours)
}

/// Returns which of two hands have a lane that is not all ones.
#[inline]
#[target_feature(enable = "neon")]
fn without_all(lanes: uint16x8_t) -> u128 {
    let bytes = vget_lane_u64::<0>(vreinterpret_u64_u8(vmovn_u16(lanes)));
    if bytes == u64::MAX {
        return 0;
    }
    let [one, other] = [bytes as u32, (bytes >> 32) as u32];
    u128::from(one != u32::MAX) | u128::from(other != u32::MAX) << 1
}

/// See [`fill`](super::super::fill).
#[target_feature(enable = "neon")]
pub(in super::super) fn fill(
    by_both: bool,
    forms: &Forms,
    bits: &[u64; PACKET],
    hands: &mut [u64; PACKET],
) -> u128 {
    // Of the nine places above the honours, or of all thirteen.
    let (picks, lowest) = if by_both { (&OF_9, 4) } else { (&OF_13, 0) };
    let lowest = vdupq_n_s16(lowest);
    let mut rejected = 0;
    for (group, hands) in hands.as_chunks_mut::<2>().0.iter_mut().enumerate() {
        let (take, honours) = take_and_honours(forms, group);
        let places = LookupPlaces::of(take);
        let ways = Ways {
            ways: places.look_up_16(&picks.ways),
            rejected: places.look_up_16(&picks.rejected),
        };
        let bits = vreinterpretq_u16_u8(load(&bits.as_chunks::<2>().0[group]));
        let (subsets, accepted) = ways.pick(bits, places.look_up_16(&STARTS));
        rejected |= without_all(accepted) << (2 * group);
        let cards = vreinterpretq_u8_u16(vshlq_u16(subsets, lowest));
        store(hands, vorrq_u8(honours, cards));
    }
    rejected
}

/// See [`fill_next`](super::super::fill_next).
#[target_feature(enable = "neon")]
pub(in super::super) fn fill_next(
    by_both: bool,
    forms: &Forms,
    bits: &[u64; PACKET],
    [some, others]: [&[u64; PACKET]; 2],
    hands: &mut [u64; PACKET],
) -> u128 {
    let pool = vreinterpretq_u8_u64(vdupq_n_u64(if by_both { SPOTS } else { DECK }));
    let mut rejected = 0;
    for (group, hands) in hands.as_chunks_mut::<2>().0.iter_mut().enumerate() {
        let (take, honours) = take_and_honours(forms, group);
        let [some, others] = [some, others].map(|taken| load(&taken.as_chunks::<2>().0[group]));
        let cards = vbicq_u8(pool, vorrq_u8(some, others));
        let ways = Ways::of_pairs(vpaddlq_u8(vcntq_u8(cards)), take);
        let bits = vreinterpretq_u16_u8(load(&bits.as_chunks::<2>().0[group]));
        let (subsets, accepted) = ways.pick(bits, LookupPlaces::of(take).look_up_16(&STARTS));
        rejected |= without_all(accepted) << (2 * group);
        let cards = Pools::new(vreinterpretq_u64_u8(cards)).spread_in_suits(subsets);
        store(hands, vorrq_u8(honours, vreinterpretq_u8_u64(cards)));
    }
    rejected
}
