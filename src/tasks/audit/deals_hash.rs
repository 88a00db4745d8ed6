//! The hash of the deals of an input.

use crate::bridge::{Deal, Seat};

/// Number of bytes that are hashed at a time: many blocks, in wide registers.
const CHUNK: usize = 1 << 14;

/// BLAKE3 of the cards of deals: the hands of north, east and south, eight bytes each.
#[derive(Default)]
pub(super) struct DealsHash {
    hasher: blake3::Hasher,
    waiting: Vec<u8>,
}

impl DealsHash {
    /// Adds a deal.
    pub(super) fn add(&mut self, deal: &Deal) {
        for seat in [Seat::North, Seat::East, Seat::South] {
            let cards = deal.hand(seat).bits();
            self.waiting.extend_from_slice(&cards.to_le_bytes());
        }
        if self.waiting.len() >= CHUNK {
            self.hash();
        }
    }

    /// Returns the hash of the deals so far.
    pub(super) fn value(&mut self) -> blake3::Hash {
        self.hash();
        self.hasher.finalize()
    }

    /// Begins again, without a deal.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
        self.hasher.reset();
    }

    fn hash(&mut self) {
        self.hasher.update(&self.waiting);
        self.waiting.clear();
    }
}
