//! How many of a suit's cards that are alike each seat has.

use serde::{Deserialize, Serialize};

use crate::bridge::Hand;
use crate::draw::{Packet, Path, count_fits};
use crate::kernels::{self, Moments};

use super::add;

/// A seat has at most thirteen of a suit's cards, and their square is the largest product.
const _: () = assert!(count_fits(13 * 13));

/// What is needed of every deal to tell how exchangeable cards should have fallen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filling {
    deals: u64,
    moments: Moments,
}

impl Filling {
    /// Counts the deals of a packet; `pool` holds the cards that are alike within their suits.
    pub fn count(&mut self, path: Path, packet: &Packet, pool: Hand) {
        kernels::add_moments(path, packet, pool.bits(), &mut self.moments);
        self.deals += packet.deals() as u64;
    }

    /// Adds the counts of other deals.
    pub fn merge(&mut self, other: &Self) {
        self.deals += other.deals;
        for (mine, theirs) in self.moments.iter_mut().zip(&other.moments) {
            add(mine, theirs);
        }
    }

    /// Whether these sums can be of as many deals as were counted, of these at most.
    pub(super) fn is_sound(&self, deals: u64) -> bool {
        let most = 13 * 13 * u128::from(self.deals);
        let mut sums = self.moments.as_flattened().iter();
        self.deals <= deals && sums.all(|sum| u128::from(*sum) <= most)
    }

    /// Number of deals that were counted.
    #[must_use]
    pub fn deals(&self) -> u64 {
        self.deals
    }

    /// Sums over all deals of what north, east and south hold of a suit's
    /// exchangeable cards, then of the products north north, north east, north
    /// south, east east, east south, south south; by suit.
    #[must_use]
    pub fn moments(&self) -> &[[u64; 4]; 9] {
        &self.moments
    }
}
