//! Recorded deals as the source of a batch.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::BoardPlace;
use crate::bridge::{Deal, Hand};
use crate::draw::{DealScratch, DealSource, DrawError, Isa, Packet, Portion};

/// Deals of one batch in reading order.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct PendingBatch {
    /// Position of the first deal of the audit: 0, unless it is a part.
    base: u64,
    /// Number of the first deal.
    first: u64,
    /// North's, east's and south's cards.
    deals: Vec<[u64; 3]>,
    places: Vec<BoardPlace>,
}

impl PendingBatch {
    /// An empty batch of deals whose positions begin here.
    pub(super) fn at(base: u64) -> Self {
        Self {
            base,
            ..Self::default()
        }
    }

    /// Adds the next deal.
    pub(super) fn push(&mut self, deal: &Deal, place: BoardPlace) {
        let [north, east, south, _] = deal.hands().map(Hand::bits);
        self.deals.push([north, east, south]);
        self.places.push(place);
    }

    /// Numbers of the deals.
    pub(super) fn range(&self) -> Range<u64> {
        self.first..self.first + self.deals.len() as u64
    }

    /// Positions of the deals, by which those are chosen that some tests count.
    pub(super) fn positions(&self) -> Range<u64> {
        let range = self.range();
        self.base + range.start..self.base + range.end
    }

    /// Continues the numbers after the deals of another part.
    pub(super) fn follow(&mut self, other: &Self) {
        self.first += other.range().end;
    }

    /// Removes the deals, before the next batch.
    pub(super) fn clear(&mut self) {
        self.first = self.range().end;
        self.deals.clear();
        self.places.clear();
    }

    /// The deals with their places.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Deal, BoardPlace)> + '_ {
        let each = self.deals.iter().zip(&self.places);
        each.map(|(&[north, east, south], &place)| {
            let [north, east, south] = [north, east, south].map(Hand::from_bits);
            let west = Hand::DECK.without(north).without(east).without(south);
            (Deal::by_construction([north, east, south, west]), place)
        })
    }
}

impl DealSource for PendingBatch {
    fn deal(
        &self,
        portion: &Portion,
        _: &mut DealScratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError> {
        let Portion::Block(block) = portion else {
            return Err(DrawError::Portion);
        };
        let start = (block.first_deal - self.positions().start) as usize;
        let mut packet = Packet::default();
        for deals in self.deals[start..][..block.deals as usize].chunks(crate::draw::PACKET) {
            packet.clear();
            for &hands in deals {
                packet.push(hands);
            }
            sink(&packet);
        }
        Ok(())
    }

    fn isa(&self) -> Isa {
        Isa::chosen()
    }
}
