//! Hands by their form: so many cards of each suit, and which honours among them.
//!
//! A form is read from a record of a case file or from items of cells, and then filled with
//! random cards, 16 bits a suit.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;

use super::lanes::{Deposit, lane_ones};
use super::tables::{HONOUR_CARDS, LENGTHS, PICKS, SUBSETS};
use super::{DECK, PACKET, SPOTS};

/// The forms of a packet's hands.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Forms {
    /// Four lengths, each in its suit's lane; 0 if the hands are by honours alone.
    pub(crate) lengths: [u64; PACKET],
    /// Cards; none if the hands are by pattern alone.
    pub(crate) honours: [u64; PACKET],
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
    pub(crate) fn get(&self, place: usize) -> Form {
        Form {
            lengths: self.lengths[place],
            honours: self.honours[place],
        }
    }
}

/// The form of one hand, as [`Forms`] have it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) lengths: u64,
    pub(crate) honours: u64,
}

/// Where the upper halves of records hold a hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    /// The lowest bit of its pattern, if that is listed.
    pub(crate) pattern: Option<u32>,
    /// The lowest bit of its honour map, if that is.
    pub(crate) honours: Option<u32>,
}

/// What items of cells say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ItemLayout<'a> {
    /// How many of the low bits say who has the honours of two suits: a plane of eight for
    /// each bit of the hand's number, two planes at most.
    pub(crate) holder_bits: u32,
    /// How many hands have their honours fixed.
    pub(crate) by_honours: usize,
    /// What the other bits are a place in, by half, spades and hearts first: of the n-th hand
    /// both lengths, from bits 8 n and 8 n + 4 on.
    pub(crate) shapes: [&'a [u32]; 2],
}

/// See [`read_cases`](super::read_cases).
#[inline(always)]
pub(super) fn read_cases(fields: Fields, cases: &[u64; PACKET], forms: &mut Forms) {
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

/// The cards of an honour map.
#[inline(always)]
pub(super) fn honour_cards(map: usize) -> u64 {
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
    // Both halves beside each other.
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
        // The planes less those that the hand is not in.
        let low = if role & 1 == 0 { u64::MAX } else { 0 };
        let high = if role & 2 == 0 { u64::MAX } else { 0 };
        for (honours, holders) in forms.honours.iter_mut().zip(&holders) {
            let held = (holders ^ low) & (holders >> 8 ^ high);
            // The first suit's stand higher, and in each suit the ace; in lanes it is lowest.
            let held = (held >> 4 & 0xF_0000_000F | held << 16 & 0x000F_0000_000F_0000) & EACH_SUIT;
            let swapped = held >> 1 & 0x0005_0005_0005_0005 | held << 1 & 0x000A_000A_000A_000A;
            *honours = swapped >> 2 & 0x0003_0003_0003_0003 | swapped << 2 & 0x000C_000C_000C_000C;
        }
    }
}

/// A hand of this form by these random bits, none of its cards among those that are taken;
/// `None` if the bits are rejected.
///
/// Whether the hand is possible at all is not looked at.
#[inline(always)]
pub(super) fn fill_one<D: Deposit>(
    by: D,
    by_both: bool,
    form: Form,
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

/// The subset of so many places that 16 random bits draw, unless they are rejected.
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
    // Of all thirteen places, or of nine above the honours.
    let (places, lowest) = if by_both { (9, 4) } else { (13, 0) };
    let mut rejected = 0;
    for i in 0..PACKET {
        let Form { lengths, honours } = forms.get(i);
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
