//! Every kernel in plain Rust, for processors without vectors, and as the reference for the other
//! paths.
//!
//! The functions are inlined into their callers, so that one source serves every instruction set
//! that a caller is compiled for.

pub(super) use super::choices::{decide, find};
pub(super) use super::forms::{fill, fill_next, read_cases, read_items};
pub(super) use super::gram::lay_rows;
use super::lanes::{Deposit, lane_ones};
pub(super) use super::per_deal::{add_moments, illegal, misfits, mix, mix_equivalent, spread_keys};
pub(super) use super::philox::philox_words;
pub(super) use super::seeds::{first_numbers, places};
pub(super) use super::selection::select;
pub(super) use super::steps::run::run_steps;
use super::tables::{DEPOSITS, SUBSETS, TO_A_HAND, TO_A_SIDE};
use super::{
    BitPlanes, CHUNK, Counters, DECK, FIRST_KEYS, HALVES_QUEUE, LAST_KEYS, ListedHands, PACKET,
    Packet, RAW_SUITS, SIDES_QUEUE, Wanted,
};
use super::{Overlap, OverlapHands, OverlapSquares, SignDifferences, SignRows, gram, overlap};

/// Defines kernels that are the portable ones, compiled for these instructions.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! compiled_for {
    ($features:literal: $($name:ident $(<$deposit:ident>)? ($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
        #[target_feature(enable = $features)]
        pub(super) fn $name($($argument: $type),*) $(-> $result)? {
            portable::$name($($deposit::new(),)? $($argument),*)
        }
    )*};
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) use compiled_for;

/// Number of deals, or pairs of rows, that plain loops take at a time.
const LANES: usize = 2;

/// See [`count_differing`](super::count_differing).
pub(super) fn count_differing(
    first: &SignRows,
    second: &SignRows,
    within: bool,
    differing: &mut SignDifferences,
) {
    gram::count_differing::<LANES>(first, second, within, differing);
}

/// See [`count_overlap`](super::count_overlap).
pub(super) fn count_overlap(hands: &OverlapHands, deals: usize, overlap: &mut Overlap) {
    overlap::count_overlap::<LANES>(hands, deals, overlap);
}

/// See [`sum_squares`](super::sum_squares).
#[inline(always)]
pub(super) fn sum_squares(
    hands: &OverlapHands,
    before: usize,
    deals: usize,
    squares: &mut OverlapSquares,
) {
    overlap::sum_squares(hands, before, deals, squares);
}

/// Deposit by tables of seven bits, for processors without such an instruction.
#[derive(Clone, Copy)]
pub(super) struct ByTable;

impl ByTable {
    pub(super) fn new() -> Self {
        Self
    }
}

/// Groups of cards that one table look-up takes: the lower seven of each suit, and the upper six.
const GROUPS: [(u32, u64); 8] = {
    let mut groups = [(0, 0); 8];
    let mut suit = 0;
    while suit < 4 {
        groups[2 * suit] = (16 * suit as u32, 0x7F);
        groups[2 * suit + 1] = (16 * suit as u32 + 7, 0x3F);
        suit += 1;
    }
    groups
};

impl Deposit for ByTable {
    #[inline(always)]
    fn deposit(self, mut subset: u64, cards: u64) -> u64 {
        let mut taken = 0;
        for (lowest, group) in GROUPS {
            let mask = cards >> lowest & group;
            let place = (mask << 7 | subset & 0x7F) as usize;
            // The table also fills the unset bits of the mask; these are dropped.
            taken |= (u64::from(DEPOSITS[place % DEPOSITS.len()]) & mask) << lowest;
            subset >>= ONES[mask as usize % ONES.len()];
        }
        taken
    }

    #[inline(always)]
    fn deposit_both(self, [mut one, mut other]: [u64; 2], cards: u64) -> [u64; 2] {
        // A group of seven cards uses seven bits: first those of the one subset for its cards, then
        // those of the other subset for the remaining cards.
        let mut taken = 0;
        for (lowest, group) in GROUPS {
            let mask = cards >> lowest & group;
            let ones = ONES[mask as usize % ONES.len()];
            let bits = one & u64::from(LOW_BITS[ones as usize % 8]) | other << ones;
            let place = (mask << 7 | bits & 0x7F) as usize;
            taken |= u64::from(DEPOSITS[place % DEPOSITS.len()]) << lowest;
            one >>= ones;
            other >>= group.count_ones() - u32::from(ones);
        }
        [taken & cards, taken & (cards ^ DECK)]
    }
}

static LOW_BITS: [u8; 8] = [0, 1, 3, 7, 15, 31, 63, 127];

static ONES: [u8; 128] = {
    let mut ones = [0; 128];
    let mut bits = 0;
    while bits < 128 {
        ones[bits] = bits.count_ones() as u8;
        bits += 1;
    }
    ones
};

#[inline(always)]
pub(super) fn accept_sides(
    chunk: &[u64; CHUNK],
    queue: &mut [u64; SIDES_QUEUE],
    mut len: usize,
) -> usize {
    let raw = column(chunk, |word| all_ones(word & RAW_SUITS));
    for (&word, raw) in chunk.iter().zip(raw) {
        let (raw, number) = (raw as usize, u32::from(word as u16));
        queue[len % SIDES_QUEUE] = word & RAW_SUITS | u64::from(TO_A_SIDE.index(raw, number));
        len += usize::from(TO_A_SIDE.accepts(raw, number));
    }
    len
}

#[inline(always)]
pub(super) fn accept_halves(
    chunk: &[u64; CHUNK],
    queue: &mut [u32; HALVES_QUEUE],
    mut len: usize,
) -> usize {
    // The raw cards of both halves of a word are counted at once.
    let raw = column(chunk, |word| lane_ones(word & 0x0000_1FFF_0000_1FFF));
    for (&word, raw) in chunk.iter().zip(raw) {
        for shift in [0, 32] {
            let (half, raw) = ((word >> shift) as u32, (raw >> shift) as usize);
            let number = half >> 16;
            queue[len % HALVES_QUEUE] = half & 0x1FFF | TO_A_HAND.index(raw, number) << 16;
            len += usize::from(TO_A_HAND.accepts(raw, number));
        }
    }
    len
}

/// Returns the 26 cards of a selection.
#[inline(always)]
pub(super) fn side(pick: u64) -> u64 {
    pick & RAW_SUITS | u64::from(SUBSETS[pick as usize % SUBSETS.len()])
}

/// Returns the 13 of 26 places of a selection.
#[inline(always)]
pub(super) fn half(pick: u32) -> u64 {
    let upper = SUBSETS[(pick >> 16) as usize % SUBSETS.len()];
    u64::from(pick & 0x1FFF) | u64::from(upper) << 13
}

#[inline(always)]
pub(super) fn expand<D: Deposit>(
    by: D,
    sides: &[u64; PACKET],
    halves: &[u32; 2 * PACKET],
    packet: &mut Packet,
) {
    for (i, pair) in halves.as_chunks::<2>().0.iter().enumerate() {
        let north_south = side(sides[i]);
        packet.north_south[i] = north_south;
        let [one, other] = *pair;
        [packet.north[i], packet.east[i]] = by.deposit_both([half(one), half(other)], north_south);
    }
}

#[inline(always)]
pub(super) fn split<D: Deposit>(
    by: D,
    halves: &[u32; PACKET],
    [some, others]: [&[u64; PACKET]; 2],
    hands: &mut [u64; PACKET],
) {
    for i in 0..PACKET {
        hands[i] = by.deposit(half(halves[i]), DECK & !(some[i] | others[i]));
    }
}

#[inline(always)]
pub(super) fn seat(seats: [usize; 3], hands: &ListedHands, packet: &mut Packet) {
    let ListedHands {
        lead,
        follow,
        third,
    } = hands;
    let columns = [lead, follow, third];
    let give = |seat: usize, column: &mut [u64; PACKET]| match columns.get(seats[seat]) {
        Some(hands) => *column = **hands,
        None => {
            for (i, hand) in column.iter_mut().enumerate() {
                *hand = DECK & !(lead[i] | follow[i] | third[i]);
            }
        }
    };
    give(0, &mut packet.north);
    give(1, &mut packet.east);
    give(2, &mut packet.north_south);
    for (both, north) in packet.north_south.iter_mut().zip(&packet.north) {
        *both |= north;
    }
}

/// Applies the same function to every word. Loops of one step are vectorized where possible.
#[inline(always)]
fn column<const N: usize>(words: &[u64; N], step: impl Fn(u64) -> u64) -> [u64; N] {
    let mut column = [0; N];
    for (result, word) in column.iter_mut().zip(words) {
        *result = step(*word);
    }
    column
}

/// Counts the cards in all lanes.
#[inline(always)]
const fn all_ones(cards: u64) -> u64 {
    cards.count_ones() as u64
}

/// Returns the lengths of spades, hearts and diamonds as three digits of four bits.
#[inline(always)]
const fn length_key(cards: u64) -> u64 {
    let lengths = lane_ones(cards);
    (lengths | lengths >> 12 | lengths >> 24) & 0xFFF
}

/// Counts the high-card points.
#[inline(always)]
const fn points(cards: u64) -> u64 {
    const ACES: u64 = 0x0001_0001_0001_0001;
    // The king and the queen count 1 and 2, then the king 2 more.
    let lanes = (cards >> 1 & (3 * ACES)) + (cards & (2 * ACES)) + ((cards & ACES) << 2);
    let lanes = lanes + (cards >> 3 & ACES);
    let two = lanes + (lanes >> 32);
    (two + (two >> 16)) & 0xFF
}

#[inline(always)]
pub(super) fn count(packet: &Packet, with_fits: bool, counters: &mut Counters) {
    let Counters { counts, keys } = counters;
    let keys = &mut keys.0;
    // Large arrays are not mapped over, because they would be moved.
    let north = column(&packet.north, length_key);
    let east = column(&packet.east, length_key);
    let both = column(&packet.north_south, length_key);
    for i in 0..PACKET {
        // South is the side minus north; west is the rest of the deck minus east.
        let south = both[i].wrapping_sub(north[i]);
        let west = 0xDDDu64.wrapping_sub(both[i]).wrapping_sub(east[i]);
        let patterns = north[i] | east[i] << 16 | south << 32 | west << 48;
        keys[0][i] = patterns.wrapping_add(FIRST_KEYS);
        keys[1][i] = both[i].wrapping_add(LAST_KEYS);
    }
    let north = column(&packet.north, points);
    let east = column(&packet.east, points);
    let both = column(&packet.north_south, points);
    for i in 0..PACKET {
        // 37 n is 32 n + 4 n + n.
        let [n, e] = [north[i], east[i]].map(|n| (n << 5) + (n << 2) + n);
        let points = (n + both[i]) << 16 | (e + 40).wrapping_sub(both[i]) << 32;
        keys[1][i] = keys[1][i].wrapping_add(points);
    }
    add(keys, packet.deals, with_fits, counts);
}

/// Counts the seven keys of every deal, or all except the key of the fits.
#[inline(always)]
pub(super) fn add<const N: usize>(
    keys: &[[u64; N]; 2],
    deals: usize,
    with_fits: bool,
    counts: &mut [u16; 1 << 16],
) {
    let mut add = |key: u64| {
        let count = &mut counts[usize::from(key as u16)];
        *count = count.wrapping_add(1);
    };
    let rows = keys[0].iter().zip(&keys[1]).take(deals);
    for (first, last) in rows {
        for key in [
            *first,
            first >> 16,
            first >> 32,
            first >> 48,
            last >> 16,
            last >> 32,
        ] {
            add(key);
        }
        if with_fits {
            add(*last);
        }
    }
}

/// Adds two rows of bits to the sums, and returns the carry.
#[inline(always)]
fn carry_save(sums: &mut [u64; 8], a: &[u64; 8], b: &[u64; 8]) -> [u64; 8] {
    let mut carried = [0; 8];
    for i in 0..8 {
        let either = a[i] ^ b[i];
        carried[i] = (a[i] & b[i]) | (either & sums[i]);
        sums[i] ^= either;
    }
    carried
}

#[inline(always)]
pub(super) fn count_cards(hands: &[u64; PACKET], planes: &mut BitPlanes) {
    const { assert!(PACKET == 16 * 8) };
    let (rows, _) = hands.as_chunks::<8>();
    let [ones, twos, fours, eights, higher @ ..] = &mut planes.0;
    let mut of_eight = [[0; 8]; 2];
    for (eight, rows) in of_eight.iter_mut().zip(rows.chunks_exact(8)) {
        let mut of_four = [[0; 8]; 2];
        for (four, rows) in of_four.iter_mut().zip(rows.chunks_exact(4)) {
            let a = carry_save(ones, &rows[0], &rows[1]);
            let b = carry_save(ones, &rows[2], &rows[3]);
            *four = carry_save(twos, &a, &b);
        }
        *eight = carry_save(fours, &of_four[0], &of_four[1]);
    }
    let mut carried = carry_save(eights, &of_eight[0], &of_eight[1]);
    for plane in higher {
        for (bits, carried) in plane.iter_mut().zip(&mut carried) {
            (*bits, *carried) = (*bits ^ *carried, *bits & *carried);
        }
    }
}

/// See [`are_hands`](super::are_hands).
#[inline(always)]
pub(super) fn are_hands(hands: &ListedHands, two: bool, draws: usize) -> bool {
    let mut wrong = 0;
    for i in 0..PACKET {
        let (lead, follow) = (hands.lead[i], hands.follow[i]);
        let follow_cards = if two { 13 } else { 0 };
        let cards = (lead.count_ones() ^ 13) | (follow.count_ones() ^ follow_cards);
        let differ = u64::from(cards) | lead & follow | (lead | follow) & !DECK;
        wrong |= if i < draws { differ } else { 0 };
    }
    wrong == 0
}

/// See [`locate`](super::locate).
#[inline(always)]
pub(super) fn locate(totals: &[[u64; 2]], wanted: &Wanted, found: &mut [u32; PACKET]) {
    for (i, found) in found.iter_mut().enumerate().take(wanted.draws) {
        *found = search(totals, wanted, i);
    }
}

/// Finds the record of one number, in steps whose count does not depend on the totals: misses of
/// the cache overlap with those of the next numbers.
#[inline(always)]
pub(super) fn search(totals: &[[u64; 2]], wanted: &Wanted, i: usize) -> u32 {
    let (start, end) = (wanted.starts[i], wanted.ends[i]);
    let records = totals.get(start as usize..end as usize).unwrap_or_default();
    let place = records.partition_point(|[low, high]| {
        let record = u128::from(u64::from_le(*high)) << 64 | u128::from(u64::from_le(*low));
        (record >> wanted.shift) as u64 <= wanted.numbers[i]
    });
    start + place as u32
}
