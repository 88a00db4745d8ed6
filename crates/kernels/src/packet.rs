//! Packets of deals, and buffers aligned to cache lines.

use fairdeal_bridge::{Deal, Hand, Seat, TrickTable};

use super::PACKET;

/// A buffer aligned to cache lines. A vector that crosses two lines is loaded and stored twice.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Aligned<T>(pub T);

/// Allocates on the heap, because a hundred kilobytes do not belong on a stack.
#[inline]
pub(super) fn boxed<T: Clone, const N: usize>(item: T) -> Box<[T; N]> {
    let items = vec![item; N].into_boxed_slice();
    items.try_into().ok().expect("it has this length")
}

/// Up to 128 deals as columns of cards, in the lanes of [`Hand`].
///
/// South has the cards of `north_south` that north does not have; west has the rest of the deck.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Packet {
    /// Number of deals; the columns are empty beyond them.
    pub deals: usize,
    /// Cards of north and south together.
    pub north_south: [u64; PACKET],
    /// Cards of north.
    pub north: [u64; PACKET],
    /// Cards of east.
    pub east: [u64; PACKET],
    /// The record, or the group of cells, that each deal was drawn from, if it was drawn from cases.
    pub cases: [u32; PACKET],
    /// Whether the deals were drawn from cases, of a listing or of cells.
    pub from_cases: bool,
    /// Number of the first deals that are among the first eighth of their batch's draws, if they were
    /// drawn from cases.
    pub early: usize,
    /// Whether these are the last draws of a part of the cases: the draws before them, up to those
    /// of the part before, and no others are from this part.
    pub ends_part: bool,
    /// Seeds of the deals' random draws; empty if nothing needs draws.
    pub seeds: Vec<[u64; 2]>,
    /// Tables of the deals' double-dummy tricks; empty if they are unknown.
    pub tricks: Vec<TrickTable>,
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
            early: 0,
            ends_part: false,
            seeds: Vec::new(),
            tricks: Vec::new(),
        }
    }
}

impl Packet {
    /// Returns the deal at this place, from 0.
    ///
    /// # Panics
    ///
    /// If there are fewer deals.
    #[inline(always)] // A deal returned through memory is read in other sizes: a stall for each.
    pub fn deal(&self, place: usize) -> Deal {
        assert!(place < self.deals, "a packet has {} deals", self.deals);
        let [both, north, east] = [&self.north_south, &self.north, &self.east]
            .map(|column| Hand::from_bits(column[place]));
        let west = Hand::DECK.without(both).without(east);
        Deal::by_construction([north, east, both.without(north), west])
    }

    /// Gives each deal the seed of its random draws.
    #[inline]
    pub fn set_seeds(&mut self, seeds: &[[u64; 2]]) {
        assert_eq!(seeds.len(), self.deals, "one seed per deal");
        self.seeds.clear();
        self.seeds.extend_from_slice(seeds);
    }

    /// Returns the number of deals, at most 128.
    #[inline]
    pub fn deals(&self) -> usize {
        self.deals
    }

    /// Returns the places of the deals: bit i for deal i.
    #[inline]
    pub fn places(&self) -> u128 {
        u128::MAX.checked_shr(128 - self.deals as u32).unwrap_or(0)
    }

    /// Removes all deals.
    #[inline]
    pub fn clear(&mut self) {
        self.deals = 0;
        self.from_cases = false;
        self.early = 0;
        self.ends_part = false;
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
    #[inline]
    pub fn push(&mut self, [north, east, south]: [u64; 3]) {
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
    #[inline]
    pub fn push_deal(&mut self, deal: &Deal) {
        let [north, east, south, _] = deal.hands().map(Hand::bits);
        self.push([north, east, south]);
    }

    /// Adds a deal of a file, with its tricks if all deals of the packet have them.
    #[inline]
    pub fn push_read(&mut self, deal: &Deal, tricks: Option<TrickTable>) {
        self.push_deal(deal);
        self.tricks.extend(tricks);
    }

    /// Removes the deals at the set bits. The others keep their order.
    pub fn remove(&mut self, places: u128) {
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
        let early = u128::MAX.checked_shr(128 - self.early as u32).unwrap_or(0);
        self.early -= (places & early).count_ones() as usize;
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
            self.early = 0;
            self.ends_part = other.ends_part;
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
    pub fn hands(&self, seat: Seat) -> [u64; PACKET] {
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
    #[inline]
    pub fn clear_rest(&mut self) {
        for column in [&mut self.north_south, &mut self.north, &mut self.east] {
            column[self.deals..].fill(0);
        }
    }
}
