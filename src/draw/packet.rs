//! Deals of a packet, one by one, and seats given to columns.

use crate::bridge::{Deal, Hand, Seat};
use crate::kernels::{PACKET, Packet};
use crate::language::{DealWithDraws, Draws};

impl Packet {
    /// One of the deals, from 0.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    #[must_use]
    pub fn deal(&self, place: usize) -> Deal {
        assert!(place < self.deals, "a packet has {} deals", self.deals);
        let [both, north, east] = [&self.north_south, &self.north, &self.east]
            .map(|column| Hand::from_bits(column[place]));
        let west = Hand::DECK.without(both).without(east);
        Deal::by_construction([north, east, both.without(north), west])
    }

    /// One of the deals, from 0, with its random draws: those of its seed, or without seeds of
    /// its cards.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    #[must_use]
    pub fn deal_with_draws(&self, place: usize) -> DealWithDraws {
        let deal = self.deal(place);
        let seed = self.seeds.get(place);
        let draws = seed.map_or_else(|| Draws::of_cards(&deal), |seed| Draws::new(*seed));
        DealWithDraws { deal, draws }
    }

    /// Gives the deals seeds for their random draws, one each.
    pub(crate) fn set_seeds(&mut self, seeds: &[[u64; 2]]) {
        assert_eq!(seeds.len(), self.deals, "a seed for each deal");
        self.seeds.clear();
        self.seeds.extend_from_slice(seeds);
    }

    /// Number of deals, at most 128.
    #[must_use]
    pub fn deals(&self) -> usize {
        self.deals
    }

    /// The places of its deals: bit i for deal i.
    #[must_use]
    pub fn places(&self) -> u128 {
        u128::MAX.checked_shr(128 - self.deals as u32).unwrap_or(0)
    }

    /// Takes every deal out.
    pub(crate) fn clear(&mut self) {
        self.deals = 0;
        self.from_cases = false;
        self.seeds.clear();
        self.clear_rest();
    }

    /// Adds one deal by the cards of north, east and south; south has no card of
    /// north's, and west what they leave.
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
    pub(crate) fn push_deal(&mut self, deal: &Deal) {
        let [north, east, south, _] = deal.hands().map(Hand::bits);
        self.push([north, east, south]);
    }

    /// Adds a deal with the seed of its draws.
    pub(crate) fn push_with_draws(&mut self, deal: &DealWithDraws) {
        self.push_deal(&deal.deal);
        self.seeds.push(deal.draws.seed());
    }

    /// Takes out the deals at the set bits; the others keep their order.
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
            kept += 1;
        }
        self.seeds.truncate(kept);
        self.deals = kept;
        self.clear_rest();
    }

    /// Adds another packet's deals at the set bits, in their order, until there are 128;
    /// gives the places of those that are left over.
    ///
    /// # Panics
    ///
    /// If a set bit is beyond the other's deals.
    pub fn append(&mut self, other: &Self, mut places: u128) -> u128 {
        let beyond = places.checked_shr(other.deals as u32).unwrap_or(0);
        assert!(beyond == 0, "a packet has {} deals", other.deals);
        if self.deals == 0 {
            self.from_cases = other.from_cases;
            self.seeds.clear();
        }
        debug_assert_eq!(self.from_cases, other.from_cases, "drawn alike");
        while places != 0 && self.deals < PACKET {
            let (from, to) = (places.trailing_zeros() as usize, self.deals);
            self.north_south[to] = other.north_south[from];
            self.north[to] = other.north[from];
            self.east[to] = other.east[from];
            self.cases[to] = other.cases[from];
            self.seeds.extend(other.seeds.get(from));
            self.deals += 1;
            places &= places - 1;
        }
        places
    }

    /// The column of a seat's hands; beyond the deals it means nothing.
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

    /// Empties the columns beyond the deals.
    pub(super) fn clear_rest(&mut self) {
        for column in [&mut self.north_south, &mut self.north, &mut self.east] {
            column[self.deals..].fill(0);
        }
    }
}
