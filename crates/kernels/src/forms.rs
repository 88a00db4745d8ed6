//! Hands by form: the number of cards in each suit, and the honours among them.
//!
//! A form is read from a record of a case file or from items of cells. It is then filled with
//! random cards, using 16 bits per suit.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
#[cfg(target_arch = "aarch64")]
pub(super) mod neon;

use super::lanes::{Deposit, lane_ones};
use super::tables::{HONOUR_CARDS, LENGTHS, PICKS, SUBSETS};
use super::{DECK, PACKET, SPOTS};

/// The forms of a packet's hands.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Forms {
    /// Four lengths, each in its suit's lane; 0 if only the honours are known.
    pub lengths: [u64; PACKET],
    /// Honour cards; empty if only the pattern is known.
    pub honours: [u64; PACKET],
}

impl Default for Forms {
    fn default() -> Self {
        Self {
            lengths: [0; PACKET],
            honours: [0; PACKET],
        }
    }
}

impl Forms {
    /// Returns the form of the hand at this place.
    #[inline]
    pub fn get(&self, place: usize) -> HandForm {
        HandForm {
            lengths: self.lengths[place],
            honours: self.honours[place],
        }
    }
}

/// The form of one hand, as in [`Forms`].
#[derive(Clone, Copy, Debug)]
pub struct HandForm {
    /// Four lengths, or 0.
    pub lengths: u64,
    /// Honour cards, or none.
    pub honours: u64,
}

/// Fields of a hand in the upper halves of records.
#[derive(Clone, Copy, Debug)]
pub struct HandFields {
    /// The lowest bit of the pattern, if patterns are listed.
    pub pattern: Option<u32>,
    /// The lowest bit of the honour map, if honours are listed.
    pub honours: Option<u32>,
}

/// Layout of the items of cells.
#[derive(Clone, Copy, Debug)]
pub struct ItemLayout<'a> {
    /// Number of low bits that give the holder of each honour of two suits: a plane of eight bits
    /// for each bit of the hand's number, at most two planes.
    pub holder_bits: u32,
    /// Number of hands whose honours are fixed.
    pub by_honours: usize,
    /// The shapes of each half, spades and hearts first, which the other bits index. Hand n has its
    /// two lengths from bits 8 n and 8 n + 4 on.
    pub shapes: [&'a [u32]; 2],
}

/// Number of pairs n, k of at most 13 places and k at most n / 2, rounded up.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const PAIRS: usize = 64;

/// Returns the place of n, 0 among the pairs.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const fn first_pair(n: usize) -> usize {
    // 1 + 1 + 2 + 2 + 3 ..
    n.div_ceil(2) * (n / 2 + 1)
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const _: () = assert!(first_pair(14) <= PAIRS);

/// Four honours in reverse order.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
static REVERSED: [u8; 16] = [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15];

/// See [`read_cases`](super::read_cases).
#[inline(always)]
pub(super) fn read_cases(fields: HandFields, cases: &[u64; PACKET], forms: &mut Forms) {
    for (lengths, case) in forms.lengths.iter_mut().zip(cases) {
        *lengths = match fields.pattern {
            Some(bit) => LENGTHS[(case >> bit) as usize % LENGTHS.len()],
            None => 0,
        };
    }
    for (honours, case) in forms.honours.iter_mut().zip(cases) {
        *honours = match fields.honours {
            Some(bit) => honour_cards((case >> bit) as usize),
            None => 0,
        };
    }
}

/// Returns the cards of an honour map.
#[inline(always)]
fn honour_cards(map: usize) -> u64 {
    let [low, high] = [map >> 8 & 0xFF, map & 0xFF].map(|half| u64::from(HONOUR_CARDS[half]));
    low | high << 32
}

/// See [`read_items`](super::read_items).
#[inline(always)]
pub(super) fn read_items(layout: ItemLayout<'_>, items: [&[u32; PACKET]; 2], forms: &mut [Forms]) {
    const EACH_SUIT: u64 = 0x000F_000F_000F_000F;
    let ItemLayout {
        holder_bits: bits,
        shapes: [left_shapes, right_shapes],
        ..
    } = layout;
    let [lefts, rights] = items;
    // Both halves side by side.
    let mut shapes = [0; PACKET];
    for i in 0..PACKET {
        let left = left_shapes[(lefts[i] >> bits) as usize];
        let right = right_shapes[(rights[i] >> bits) as usize];
        shapes[i] = u64::from(left) | u64::from(right) << 32;
    }
    let mut holders = [0; PACKET];
    let mask = (1 << bits) - 1;
    for i in 0..PACKET {
        holders[i] = u64::from(lefts[i] & mask) | u64::from(rights[i] & mask) << 32;
    }
    for (role, forms) in forms.iter_mut().enumerate() {
        for (lengths, shape) in forms.lengths.iter_mut().zip(&shapes) {
            let both = shape >> (8 * role) & 0x0000_00FF_0000_00FF;
            *lengths = (both | both << 12) & EACH_SUIT;
        }
        if role >= layout.by_honours {
            forms.honours = [0; PACKET];
            continue;
        }
        // The planes, inverted for the bits that the hand's number does not have.
        let low = if role & 1 == 0 { u64::MAX } else { 0 };
        let high = if role & 2 == 0 { u64::MAX } else { 0 };
        for (honours, holders) in forms.honours.iter_mut().zip(&holders) {
            let held = (holders ^ low) & (holders >> 8 ^ high);
            // The first suit is higher, and in each suit the ace; in lanes the ace is lowest.
            let held = (held >> 4 & 0xF_0000_000F | held << 16 & 0x000F_0000_000F_0000) & EACH_SUIT;
            let swapped = held >> 1 & 0x0005_0005_0005_0005 | held << 1 & 0x000A_000A_000A_000A;
            *honours = swapped >> 2 & 0x0003_0003_0003_0003 | swapped << 2 & 0x000C_000C_000C_000C;
        }
    }
}

/// Fills a hand of this form from random bits, without the taken cards; returns `None` if the bits
/// are rejected.
///
/// Does not check whether the hand is possible at all.
#[inline(always)]
pub(super) fn fill_one<D: Deposit>(
    by: D,
    by_both: bool,
    form: HandForm,
    bits: u64,
    taken: u64,
) -> Option<u64> {
    let pool = if by_both { SPOTS } else { DECK } & !taken;
    let take = form.lengths.wrapping_sub(lane_ones(form.honours));
    let left = lane_ones(pool);
    let (mut source, mut before, mut accepted) = (0, 0, true);
    for lane in [0, 16, 32, 48] {
        let places = left >> lane & 0xF;
        source |= pick(places, take >> lane, bits >> lane, &mut accepted) << before;
        before += places;
    }
    accepted.then(|| form.honours | by.deposit(source, pool))
}

/// Returns the subset of places that 16 random bits select, and clears `accepted` if the bits are
/// rejected.
#[inline(always)]
fn pick(places: u64, take: u64, bits: u64, accepted: &mut bool) -> u64 {
    let pick = PICKS[(places << 4 & 0xF0 | take & 0xF) as usize];
    let product = (bits & 0xFFFF) as u32 * u32::from(pick.ways);
    *accepted &= product as u16 >= pick.rejected;
    let index = usize::from(pick.start) + (product >> 16) as usize;
    u64::from(SUBSETS[index % SUBSETS.len()])
}

/// See [`fill`](super::fill).
#[inline(always)]
pub(super) fn fill(
    by_both: bool,
    forms: &Forms,
    bits: &[u64; PACKET],
    hands: &mut [u64; PACKET],
) -> u128 {
    // All 13 places, or the nine above the honours.
    let (places, lowest) = if by_both { (9, 4) } else { (13, 0) };
    let mut rejected = 0;
    for i in 0..PACKET {
        let HandForm { lengths, honours } = forms.get(i);
        let take = lengths.wrapping_sub(lane_ones(honours));
        let (mut hand, mut accepted) = (honours, true);
        for lane in [0, 16, 32, 48] {
            let subset = pick(places, take >> lane, bits[i] >> lane, &mut accepted);
            hand |= subset << (lane + lowest);
        }
        hands[i] = hand;
        rejected |= u128::from(!accepted) << i;
    }
    rejected
}

/// See [`fill_next`](super::fill_next).
#[inline(always)]
pub(super) fn fill_next<D: Deposit>(
    by: D,
    by_both: bool,
    forms: &Forms,
    bits: &[u64; PACKET],
    [some, others]: [&[u64; PACKET]; 2],
    hands: &mut [u64; PACKET],
) -> u128 {
    let mut rejected = 0;
    for i in 0..PACKET {
        match fill_one(by, by_both, forms.get(i), bits[i], some[i] | others[i]) {
            Some(hand) => hands[i] = hand,
            None => rejected |= 1 << i,
        }
    }
    rejected
}
