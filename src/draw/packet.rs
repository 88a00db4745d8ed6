//! Access to the deals of a packet one by one, and conversion between seats and columns.

use crate::bridge::{Deal, Hand, Seat, TrickTable};
use crate::kernels::{PACKET, Packet};
use crate::language::{DealContext, Draws};

impl Packet {
    /// Returns the deal at this place, from 0.
    ///
    /// # Panics
    ///
    /// If there are fewer deals.
    #[must_use]
    pub fn deal(&self, place: usize) -> Deal {
        assert!(place < self.deals, "a packet has {} deals", self.deals);
        let [both, north, east] = [&self.north_south, &self.north, &self.east]
            .map(|column| Hand::from_bits(column[place]));
        let west = Hand::DECK.without(both).without(east);
        Deal::by_construction([north, east, both.without(north), west])
    }

    /// Returns the deal at this place, from 0, with its tricks, if they are known, and its random
    /// draws. Draws follow from the deal's
    /// seed or, without seeds, from its cards.
    ///
    /// # Panics
    ///
    /// If there are fewer deals.
    pub(crate) fn deal_with_draws(&self, place: usize) -> DealContext {
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

    /// Gives each deal the seed of its random draws.
    pub(crate) fn set_seeds(&mut self, seeds: &[[u64; 2]]) {
        assert_eq!(seeds.len(), self.deals, "one seed per deal");
        self.seeds.clear();
        self.seeds.extend_from_slice(seeds);
    }

    /// Returns the number of deals, at most 128.
    #[must_use]
    pub fn deals(&self) -> usize {
        self.deals
    }

    /// Returns the places of the deals: bit i for deal i.
    pub(crate) fn places(&self) -> u128 {
        u128::MAX.checked_shr(128 - self.deals as u32).unwrap_or(0)
    }

    /// Removes all deals.
    pub(crate) fn clear(&mut self) {
        self.deals = 0;
        self.from_cases = false;
        self.seeds.clear();
        self.tricks.clear();
        self.clear_rest();
    }

    /// Adds a deal, given the cards of north, east and south. These must not overlap; west has the
    /// remaining cards.
    ///
    /// # Panics
    ///
    /// If there are 128 deals already.
    pub(crate) fn push(&mut self, [north, east, south]: [u64; 3]) {
        let place = self.deals;
        self.north_south[place] = north | south;
        self.north[place] = north;
        self.east[place] = east;
        self.deals += 1;
    }

    /// Adds a deal.
    ///
    /// # Panics
    ///
    /// If there are 128 deals already.
    pub fn push_deal(&mut self, deal: &Deal) {
        let [north, east, south, _] = deal.hands().map(Hand::bits);
        self.push([north, east, south]);
    }

    /// Adds a deal with the seed of its draws.
    pub(crate) fn push_with_draws(&mut self, deal: &DealContext) {
        self.push_deal(&deal.deal);
        self.seeds.push(deal.draws.seed());
        self.tricks.extend(deal.tricks);
    }

    /// Adds a deal of a file, with its tricks if all deals of the packet have them.
    pub(crate) fn push_read(&mut self, deal: &Deal, tricks: Option<TrickTable>) {
        self.push_deal(deal);
        self.tricks.extend(tricks);
    }

    /// Removes the deals at the set bits. The others keep their order.
    pub(crate) fn remove(&mut self, places: u128) {
        let mut kept = 0;
        for place in (0..self.deals).filter(|place| places >> place & 1 == 0) {
            self.north_south[kept] = self.north_south[place];
            self.north[kept] = self.north[place];
            self.east[kept] = self.east[place];
            self.cases[kept] = self.cases[place];
            if let Some(seed) = self.seeds.get(place).copied() {
                self.seeds[kept] = seed;
            }
            if let Some(tricks) = self.tricks.get(place).copied() {
                self.tricks[kept] = tricks;
            }
            kept += 1;
        }
        self.seeds.truncate(kept);
        self.tricks.truncate(kept);
        self.deals = kept;
        self.clear_rest();
    }

    /// Adds another packet's deals at the set bits, in their order, up to 128 deals, and returns
    /// the places of those that did not fit.
    ///
    /// # Panics
    ///
    /// If a set bit is beyond the other packet's deals.
    pub fn append(&mut self, other: &Self, mut places: u128) -> u128 {
        let beyond = places.checked_shr(other.deals as u32).unwrap_or(0);
        assert!(beyond == 0, "a packet has {} deals", other.deals);
        if self.deals == 0 {
            self.from_cases = other.from_cases;
            self.seeds.clear();
            self.tricks.clear();
        }
        debug_assert_eq!(
            self.from_cases, other.from_cases,
            "both packets are from cases, or neither is"
        );
        while places != 0 && self.deals < PACKET {
            let (from, to) = (places.trailing_zeros() as usize, self.deals);
            self.north_south[to] = other.north_south[from];
            self.north[to] = other.north[from];
            self.east[to] = other.east[from];
            self.cases[to] = other.cases[from];
            self.seeds.extend(other.seeds.get(from));
            self.tricks.extend(other.tricks.get(from));
            self.deals += 1;
            places &= places - 1;
        }
        places
    }

    /// Returns the column of a seat's hands. Entries beyond the deals are meaningless.
    pub(crate) fn hands(&self, seat: Seat) -> [u64; PACKET] {
        std::array::from_fn(|i| {
            let (both, north, east) = (self.north_south[i], self.north[i], self.east[i]);
            match seat {
                Seat::North => north,
                Seat::East => east,
                Seat::South => both & !north,
                Seat::West => Hand::DECK.bits() & !(both | east),
            }
        })
    }

    /// Clears the columns beyond the deals.
    pub(super) fn clear_rest(&mut self) {
        for column in [&mut self.north_south, &mut self.north, &mut self.east] {
            column[self.deals..].fill(0);
        }
    }
}
