//! Deals of packets together with their random draws.

use crate::kernels::Packet;
use crate::language::{DealContext, Draws};

/// Access to the deals of a packet together with their random draws.
pub trait DealsWithDraws {
    /// Returns the deal at this place, from 0, with its tricks, if they are known, and its random
    /// draws. Draws follow from the deal's seed or, without seeds, from its cards.
    ///
    /// # Panics
    ///
    /// If there are fewer deals.
    fn deal_with_draws(&self, place: usize) -> DealContext;

    /// Adds a deal with the seed of its draws.
    ///
    /// # Panics
    ///
    /// If there are 128 deals already.
    fn push_with_draws(&mut self, deal: &DealContext);
}

impl DealsWithDraws for Packet {
    fn deal_with_draws(&self, place: usize) -> DealContext {
        let deal = self.deal(place);
        let seed = self.seeds.get(place);
        let draws = seed.map_or_else(|| Draws::of_cards(&deal), |seed| Draws::new(*seed));
        let tricks = self.tricks.get(place).copied();
        DealContext {
            deal,
            draws,
            tricks,
        }
    }

    fn push_with_draws(&mut self, deal: &DealContext) {
        self.push_deal(&deal.deal);
        self.seeds.push(deal.draws.seed());
        self.tricks.extend(deal.tricks);
    }
}
