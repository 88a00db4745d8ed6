//! The number of a suit's interchangeable cards at each seat.

use serde::{Deserialize, Serialize};

use crate::bridge::Hand;
use crate::draw::{Isa, Packet, count_fits};
use crate::kernels::{self, SuitMoments};

use super::add;

/// A seat has at most thirteen cards of a suit, so the largest product is 169.
const _: () = assert!(count_fits(13 * 13));

/// The sums over deals that determine the law of interchangeable cards.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FillingSums {
    deals: u64,
    moments: SuitMoments,
}

impl FillingSums {
    /// Counts the deals of a packet; `pool` holds the cards that are interchangeable within their
    /// suits.
    pub fn count(&mut self, isa: Isa, packet: &Packet, pool: Hand) {
        kernels::add_moments(isa, packet, pool.bits(), &mut self.moments);
        self.deals += packet.deals() as u64;
    }

    /// Adds the counts of other deals.
    pub fn merge(&mut self, other: &Self) {
        self.deals += other.deals;
        for (mine, theirs) in self.moments.iter_mut().zip(&other.moments) {
            add(mine, theirs);
        }
    }

    /// Returns the number of counted deals.
    pub fn deals(&self) -> u64 {
        self.deals
    }

    /// Returns sums over all deals, by suit, of the number of interchangeable cards at north, east
    /// and south, and of the products north north, north east, north south, east east, east south,
    /// south south.
    pub fn moments(&self) -> &[[u64; 4]; 9] {
        &self.moments
    }
}
