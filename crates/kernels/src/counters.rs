//! Counters that packets are counted in.

use super::packet::boxed;
use super::{Aligned, PACKET};

/// Sparse counters of 16 bits, one for every 16-bit key.
///
/// A key is a base plus a value: three lengths as four-bit digits (the fourth length follows from
/// them), or two hands' points as 38 a + b. Counters must be folded before any of them can reach
/// 2^16 deals.
#[derive(Clone, Debug)]
pub struct Counters {
    /// By key.
    pub counts: Box<[u16; 1 << 16]>,
    /// The keys of a packet's deals: the first four, and the last three. Kept here because clearing
    /// them would take time.
    pub(super) keys: Box<Aligned<[[u64; PACKET]; 2]>>,
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            counts: boxed(0),
            keys: Box::new(Aligned([[0; PACKET]; 2])),
        }
    }
}

/// Number of keys of three lengths: at most 0xDDD.
pub(crate) const LENGTH_KEYS: usize = 0xDDE;
/// Number of keys of two hands' points, 38 a + b.
pub(crate) const POINT_KEYS: usize = 38 * 38;
/// Base of each seat's patterns.
pub const PATTERN_BASES: [usize; 4] = [0, LENGTH_KEYS, 2 * LENGTH_KEYS, 3 * LENGTH_KEYS];
/// Base of north-south's lengths.
pub const FIT_BASE: usize = 4 * LENGTH_KEYS;
/// Base of 38 × north's points + south's.
pub const NORTH_SOUTH_BASE: usize = 5 * LENGTH_KEYS;
/// Base of 38 × east's points + west's.
pub const EAST_WEST_BASE: usize = NORTH_SOUTH_BASE + POINT_KEYS;
/// End of the keys.
pub const KEYS_END: usize = EAST_WEST_BASE + POINT_KEYS;

const _: () = assert!(KEYS_END <= 1 << 16);

/// The bases of the first four keys of a deal, lowest first: the patterns.
pub(super) const FIRST_KEYS: u64 = lanes([0, PATTERN_BASES[1], PATTERN_BASES[2], PATTERN_BASES[3]]);
/// The bases of the last three keys: the fits, north-south's points, east-west's.
pub(super) const LAST_KEYS: u64 = lanes([FIT_BASE, NORTH_SOUTH_BASE, EAST_WEST_BASE, 0]);

/// Four numbers of 16 bits, the first lowest.
const fn lanes([a, b, c, d]: [usize; 4]) -> u64 {
    a as u64 | (b as u64) << 16 | (c as u64) << 32 | (d as u64) << 48
}

/// Number of values of half a deal's flatness F, which is even and at most 676. F is the sum of the
/// squares of sixteen suit lengths.
pub const FLATNESS_COUNT: usize = 339;
/// Number of values of a hand's controls, 0 ..= 12 (A=2, K=1).
pub const CONTROL_COUNT: usize = 13;
/// Base of 13 × north's controls + south's, after the keys of the flatness.
pub const NORTH_SOUTH_CONTROLS: usize = FLATNESS_COUNT;
/// Base of 13 × east's controls + west's.
pub const EAST_WEST_CONTROLS: usize = NORTH_SOUTH_CONTROLS + CONTROL_COUNT * CONTROL_COUNT;
/// End of the keys of flatness and controls.
pub const SPREAD_END: usize = EAST_WEST_CONTROLS + CONTROL_COUNT * CONTROL_COUNT;

/// The bases of the three keys of a deal, lowest first.
pub(super) const SPREAD_KEYS: u64 =
    (NORTH_SOUTH_CONTROLS << 16) as u64 | (EAST_WEST_CONTROLS as u64) << 32;

/// Vertical counters of every bit of a column of hands: plane k holds bit k of the counts, for
/// eight rows at a time.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct BitPlanes(pub [[u64; 8]; PLANES]);

const PLANES: usize = 18;

impl BitPlanes {
    /// Number of packets that can be counted before the planes overflow.
    pub const PACKETS: usize = ((1 << PLANES) - 1) / (PACKET / 8);
}

impl Default for BitPlanes {
    fn default() -> Self {
        Self([[0; 8]; PLANES])
    }
}
