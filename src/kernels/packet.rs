//! Packets of deals, and buffers aligned to cache lines.

use super::PACKET;
use crate::bridge::TrickTable;

/// A buffer aligned to cache lines. A vector that crosses two lines is loaded and stored twice.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Aligned<T>(pub(crate) T);

/// Allocates on the heap, because a hundred kilobytes do not belong on a stack.
pub(super) fn boxed<T: Clone, const N: usize>(item: T) -> Box<[T; N]> {
    let items = vec![item; N].into_boxed_slice();
    items.try_into().ok().expect("it has this length")
}

/// Up to 128 deals as columns of cards, in the lanes of [`Hand`](crate::bridge::Hand).
///
/// South has the cards of `north_south` that north does not have; west has the rest of the deck.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Packet {
    /// Number of deals; the columns are empty beyond them.
    pub(crate) deals: usize,
    pub(crate) north_south: [u64; PACKET],
    pub(crate) north: [u64; PACKET],
    pub(crate) east: [u64; PACKET],
    /// The record that each deal was drawn from, if it was drawn from cases.
    pub(crate) cases: [u32; PACKET],
    pub(crate) from_cases: bool,
    /// Seeds of the deals' random draws; empty if nothing needs draws.
    pub(crate) seeds: Vec<[u64; 2]>,
    /// Tables of the deals' double-dummy tricks; empty if they are unknown.
    pub(crate) tricks: Vec<TrickTable>,
}

impl Default for Packet {
    fn default() -> Self {
        Self {
            deals: 0,
            north_south: [0; PACKET],
            north: [0; PACKET],
            east: [0; PACKET],
            cases: [0; PACKET],
            from_cases: false,
            seeds: Vec::new(),
            tricks: Vec::new(),
        }
    }
}
