//! Kernels for tests of whole deals, in plain Rust: legality, keys of flatness and controls,
//! hashes, and moments of the seats' spot cards.
//!
//! Loops run over 16-bit lanes directly, which every compiler vectorizes. Functions are inlined
//! into their callers, as in [`portable`](super::portable).

use super::forms::Forms;
use super::lanes::lane_ones;
use super::{DECK, HONOURS, HandFields, PACKET, Packet, SPREAD_KEYS};

/// Returns the lane of a suit when a word is read as four 16-bit lanes.
const fn lane_of(suit: usize) -> usize {
    if cfg!(target_endian = "little") {
        suit
    } else {
        3 - suit
    }
}

/// Sums of the seats' numbers of some cards of a suit, and of their products, each by suit. The
/// order is: north, east and south alone; then north north, north east, north south, east east,
/// east south, south south.
pub type SuitMoments = [[u64; 4]; 9];

/// See [`illegal`](super::illegal).
#[inline(always)]
pub(super) fn illegal(packet: &Packet) -> u128 {
    let mut wrong = [0u64; PACKET];
    for (i, wrong) in wrong.iter_mut().enumerate() {
        let (both, north, east) = (packet.north_south[i], packet.north[i], packet.east[i]);
        let counts = [both, north, east].map(|hand| u64::from(hand.count_ones()));
        let outside = (both | east) & !DECK | north & !both | both & east;
        *wrong = outside | (counts[0] ^ 26) | (counts[1] ^ 13) | (counts[2] ^ 13);
    }
    let any = wrong
        .iter()
        .take(packet.deals)
        .fold(0, |any, wrong| any | wrong);
    let mut places = 0;
    if any == 0 {
        return places;
    }
    for (i, wrong) in wrong.iter().enumerate().take(packet.deals) {
        places |= u128::from(*wrong != 0) << i;
    }
    places
}

/// See [`spread_keys`](super::spread_keys).
#[inline(always)]
pub(super) fn spread_keys(packet: &Packet, keys: &mut [u64; PACKET]) {
    let lanes = bytemuck::cast_ref::<[u64; PACKET], [u16; 4 * PACKET]>;
    let (both, north, east) = (
        lanes(&packet.north_south),
        lanes(&packet.north),
        lanes(&packet.east),
    );
    // Words are read as lanes; the reverse would need lanes that are aligned as words.
    let mut squares = [0u64; PACKET];
    let of_lanes: &mut [u16; 4 * PACKET] = bytemuck::cast_mut(&mut squares);
    for (i, squares) in of_lanes.iter_mut().enumerate() {
        let [both, north, east] = [both[i], north[i], east[i]].map(|cards| cards.count_ones());
        let (south, west) = (both.wrapping_sub(north), 13u32.wrapping_sub(both + east));
        *squares = (north * north + east * east)
            .wrapping_add(south.wrapping_mul(south))
            .wrapping_add(west.wrapping_mul(west)) as u16;
    }
    for (i, key) in keys.iter_mut().enumerate() {
        let flatness = lane_sum(squares[i]);
        let [both, north, east] =
            [packet.north_south[i], packet.north[i], packet.east[i]].map(controls);
        let partners = 13 * north + both.wrapping_sub(north);
        let opponents = 13 * east + 12u64.wrapping_sub(both + east);
        let controls = (partners & 0xFFFF) << 16 | (opponents & 0xFFFF) << 32;
        *key = (flatness >> 1 | controls).wrapping_add(SPREAD_KEYS);
    }
}

/// Counts the controls of a hand: two for an ace, one for a king.
#[inline(always)]
const fn controls(hand: u64) -> u64 {
    const ACES: u64 = 0x0001_0001_0001_0001;
    lane_sum(((hand & ACES) << 1) + (hand >> 1 & ACES))
}

/// Returns the sum of four lanes, which must fit in one.
#[inline(always)]
const fn lane_sum(lanes: u64) -> u64 {
    let two = lanes + (lanes >> 32);
    (two + (two >> 16)) & 0xFFFF
}

/// See [`mix`](super::mix).
#[inline(always)]
pub(super) fn mix(packet: &Packet, most: u64, mixed: &mut [u64; PACKET]) -> u128 {
    for (i, mixed) in mixed.iter_mut().enumerate() {
        let (both, north, east) = (packet.north_south[i], packet.north[i], packet.east[i]);
        *mixed = mix_seats(DECK & !both, DECK & !(north | east));
    }
    up_to(most, mixed) & packet.places()
}

/// See [`mix_equivalent`](super::mix_equivalent).
#[inline(always)]
pub(super) fn mix_equivalent(packet: &Packet, most: u64, mixed: &mut [u64; PACKET]) -> u128 {
    for (i, mixed) in mixed.iter_mut().enumerate() {
        let (both, north, east) = (packet.north_south[i], packet.north[i], packet.east[i]);
        *mixed = mix_hands([north, east, both & !north, DECK & !(both | east)]);
    }
    up_to(most, mixed) & packet.places()
}

/// Returns the places of the words that are not above `most`.
#[inline(always)]
fn up_to(most: u64, words: &[u64; PACKET]) -> u128 {
    let mut halves = [0; 2];
    for (half, words) in halves.iter_mut().zip(words.as_chunks::<64>().0) {
        for (i, word) in words.iter().enumerate() {
            *half |= u64::from(*word <= most) << i;
        }
    }
    u128::from(halves[1]) << 64 | u128::from(halves[0])
}

/// Mixes four hands into a word that does not depend on the order of seats and suits.
///
/// Sixteen holdings are mixed and summed along every hand and every suit; these sums are mixed and
/// summed again. Deals that are not equivalent may share a word.
#[inline(always)]
pub(super) const fn mix_hands(hands: [u64; 4]) -> u64 {
    let mut suits = [0u64; 4];
    let mut sum = 0u64;
    let mut seat = 0;
    while seat < 4 {
        let (mut row, mut suit) = (0u64, 0);
        while suit < 4 {
            let holding = hands[seat] >> (16 * suit) & 0x1FFF;
            let mixed = (holding + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let mixed = (mixed ^ mixed >> 29).wrapping_mul(holding | 1 << 40 | 1);
            row = row.wrapping_add(mixed);
            suits[suit] = suits[suit].wrapping_add(mixed);
            suit += 1;
        }
        sum = sum.wrapping_add(finish(row));
        seat += 1;
    }
    let mut suit = 0;
    while suit < 4 {
        sum = sum.wrapping_add(finish(suits[suit] ^ 0xB504_F333_F9DE_6485));
        suit += 1;
    }
    finish(sum)
}

#[inline(always)]
const fn finish(word: u64) -> u64 {
    let word = (word ^ word >> 32).wrapping_mul(0xBB67_AE85_84CA_A73B);
    let word = (word ^ word >> 29).wrapping_mul(0x3C6E_F372_FE94_F82B);
    word ^ word >> 32
}

/// Mixes the lower and upper bits of every card's seat (N 0, E 1, S 2, W 3) into a word. With the
/// same upper bits, different lower bits give different words.
#[inline(always)]
pub(super) const fn mix_seats(low: u64, high: u64) -> u64 {
    // Odd multipliers, from the fractions of the golden ratio and of roots.
    let high = high.wrapping_mul(0xB504_F333_F9DE_6485).rotate_left(32);
    let word = low.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ high;
    let word = (word ^ word >> 32).wrapping_mul(0xBB67_AE85_84CA_A73B);
    (word ^ word >> 29).wrapping_mul(0x3C6E_F372_FE94_F82B)
}

/// See [`add_moments`](super::add_moments).
#[inline(always)]
pub(super) fn add_moments(packet: &Packet, pool: u64, moments: &mut SuitMoments) {
    let lanes = |column: &[u64; PACKET]| -> [u16; 4 * PACKET] {
        let mut pooled = *column;
        for cards in &mut pooled {
            *cards &= pool;
        }
        bytemuck::cast(pooled)
    };
    let (both, north, east) = (
        lanes(&packet.north_south),
        lanes(&packet.north),
        lanes(&packet.east),
    );
    // Sixteen rows of at most 169 each fit in 16 bits.
    let mut sums = [[0u16; 32]; 9];
    for row in 0..4 * PACKET / 32 {
        for lane in 0..32 {
            let i = 32 * row + lane;
            let [both, north, east] =
                [both[i], north[i], east[i]].map(|cards| cards.count_ones() as u16);
            let south = both.wrapping_sub(north);
            let terms = [
                north,
                east,
                south,
                north.wrapping_mul(north),
                north.wrapping_mul(east),
                north.wrapping_mul(south),
                east.wrapping_mul(east),
                east.wrapping_mul(south),
                south.wrapping_mul(south),
            ];
            for (sums, term) in sums.iter_mut().zip(terms) {
                sums[lane] = sums[lane].wrapping_add(term);
            }
        }
    }
    for (moments, sums) in moments.iter_mut().zip(&sums) {
        for (suit, moment) in moments.iter_mut().enumerate() {
            let of_suit = sums.iter().skip(lane_of(suit)).step_by(4);
            *moment += of_suit.map(|&sum| u64::from(sum)).sum::<u64>();
        }
    }
}

/// See [`misfits`](super::misfits).
#[inline(always)]
pub(super) fn misfits(hands: &[u64; PACKET], forms: &Forms, fields: HandFields) -> u128 {
    let mut wrong = [0u64; PACKET];
    if fields.pattern.is_some() {
        for ((wrong, hand), lengths) in wrong.iter_mut().zip(hands).zip(&forms.lengths) {
            *wrong |= lane_ones(*hand) ^ lengths;
        }
    }
    if fields.honours.is_some() {
        for ((wrong, hand), honours) in wrong.iter_mut().zip(hands).zip(&forms.honours) {
            *wrong |= hand & HONOURS ^ honours;
        }
    }
    if wrong.iter().fold(0, |all, wrong| all | wrong) == 0 {
        return 0;
    }
    let mut places = 0;
    for (i, wrong) in wrong.iter().enumerate() {
        places |= u128::from(*wrong != 0) << i;
    }
    places
}
