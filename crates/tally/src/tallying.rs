//! Counting packets: counters of kernel keys, and their conversion to tables.

use super::{SIDE_HCP_COUNT, TableChoice, Tally, TallyTables};
use crate::bridge::honours::HCP_COUNT;
use crate::bridge::{Card, Hand, PatternIndex, Seat};
use crate::draw::{Isa, PACKET, Packet};
use crate::kernels::{
    self, BitPlanes, Counters, EAST_WEST_BASE, FIT_BASE, KEYS_END, NORTH_SOUTH_BASE, PATTERN_BASES,
};

/// Number of deals after which the 16-bit counters are folded, before any can overflow.
pub(super) const FOLD_DEALS: usize = (u16::MAX as usize / PACKET) * PACKET;

/// Counts packets of deals; `Tallying::finish` returns the tally.
#[derive(Clone, Debug)]
pub struct Tallying {
    isa: Isa,
    choice: TableChoice,
    deals: u64,
    counters: Counters,
    /// Number of deals that are not folded.
    waiting: usize,
    sums: Vec<u64>,
    /// Planes of north's cards, of east's cards, and of the union of north's and south's cards.
    planes: [BitPlanes; 3],
    packets: usize,
    cards: [[u64; Card::COUNT]; 3],
}

impl Tallying {
    /// Creates a counter of these tables with the kernels of `path`.
    pub fn new(choice: TableChoice, isa: Isa) -> Self {
        Self {
            isa,
            choice,
            deals: 0,
            counters: Counters::default(),
            waiting: 0,
            sums: vec![0; KEYS_END],
            planes: Default::default(),
            packets: 0,
            cards: [[0; Card::COUNT]; 3],
        }
    }

    /// Counts the deals of a packet.
    pub fn count(&mut self, packet: &Packet) {
        if self.waiting + packet.deals > FOLD_DEALS {
            self.fold();
        }
        self.deals += packet.deals as u64;
        self.waiting += packet.deals;
        kernels::count(self.isa, packet, self.choice.fits, &mut self.counters);
        if self.choice.cards {
            if self.packets == BitPlanes::PACKETS {
                self.fold_cards();
            }
            self.packets += 1;
            let columns = [&packet.north, &packet.east, &packet.north_south];
            for (planes, hands) in self.planes.iter_mut().zip(columns) {
                kernels::count_cards(self.isa, hands, planes);
            }
        }
    }

    fn fold(&mut self) {
        for (sum, counter) in self.sums.iter_mut().zip(self.counters.counts.iter_mut()) {
            *sum += u64::from(*counter);
            *counter = 0;
        }
        self.waiting = 0;
    }

    fn fold_cards(&mut self) {
        for (planes, counts) in self.planes.iter_mut().zip(&mut self.cards) {
            for (count, card) in counts.iter_mut().zip(Card::all()) {
                let card = Hand::of(card).bits();
                for (k, plane) in planes.0.iter().enumerate() {
                    let ones = plane.iter().filter(|row| *row & card != 0).count();
                    *count += (ones as u64) << k;
                }
            }
            *planes = BitPlanes::default();
        }
        self.packets = 0;
    }

    /// Returns the counts; tables that were not chosen are 0.
    pub fn finish(mut self) -> Tally {
        self.fold();
        self.fold_cards();
        let mut tables = Box::new(TallyTables::default());
        for (seat, base) in PATTERN_BASES.into_iter().enumerate() {
            for index in PatternIndex::all() {
                let [s, h, d, _] = index.pattern().lengths().map(usize::from);
                tables.patterns[seat][index.get()] = self.sums[base + (s | h << 4 | d << 8)];
            }
        }
        let digits = |key: usize| [key & 0xF, key >> 4 & 0xF, key >> 8];
        for (key, &count) in self.sums[FIT_BASE..NORTH_SOUTH_BASE].iter().enumerate() {
            let [s, h, d] = digits(key);
            if count > 0 {
                let lengths = [s, h, d, 26 - s - h - d];
                let (mut least, mut most) = (13, 0);
                for (suit, length) in lengths.into_iter().enumerate() {
                    tables.north_south_lengths[suit][length] += count;
                    (least, most) = (least.min(length), most.max(length));
                }
                tables.best_fits[0][most] += count;
                tables.best_fits[1][13 - least] += count;
            }
        }
        let partners = [
            (NORTH_SOUTH_BASE, Seat::North),
            (EAST_WEST_BASE, Seat::East),
        ];
        for (base, seat) in partners {
            for first in 0..HCP_COUNT {
                for second in 0..HCP_COUNT.min(SIDE_HCP_COUNT - first) {
                    let count = self.sums[base + HCP_COUNT * first + second];
                    tables.hcp[seat.index()][first] += count;
                    tables.hcp[seat.partner().index()][second] += count;
                    if seat == Seat::North {
                        tables.north_south_hcp[first + second] += count;
                    }
                }
            }
        }
        let [north, east, both] = self.cards;
        let south = std::array::from_fn(|card| both[card] - north[card]);
        tables.cards = [north, east, south];
        Tally {
            deals: self.deals,
            tables,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NaiveTallying;
    use crate::bridge::{Deal, Suit};
    use crate::draw::{Aes128Ctr, DealScratch, Dealer};

    /// Returns the cards as they are dealt, thirteen to each seat.
    fn deck_of(deal: &Deal) -> [Card; Card::COUNT] {
        let cards: Vec<Card> = deal.hands().iter().flat_map(|hand| hand.cards()).collect();
        cards.try_into().unwrap()
    }

    fn deals_counted(deals: u64, isa: Isa) -> (Tally, Tally) {
        let generator = Aes128Ctr::new(1);
        let dealer = Dealer::<Vec<u8>>::unconstrained();
        let mut tallying = Tallying::new(TableChoice::ALL, isa);
        let mut naive = NaiveTallying::new(TableChoice::ALL);
        for portion in dealer.portions(&generator, 0..deals).unwrap() {
            let mut sink = |packet: &Packet| {
                tallying.count(packet);
                (0..packet.deals()).for_each(|i| naive.count(&deck_of(&packet.deal(i))));
            };
            let scratch = &mut DealScratch::default();
            dealer
                .deal(&generator, &portion, scratch, &mut sink)
                .unwrap();
        }
        (tallying.finish(), naive.finish())
    }

    #[test]
    fn every_path_counts_as_one_card_after_the_other_does() {
        let deals = 70_001;
        for &isa in Isa::available() {
            let (tally, naive) = deals_counted(deals, isa);
            assert!(tally == naive, "{isa}");
        }
    }

    #[test]
    fn counters_are_folded_before_any_is_full() {
        // The same deal repeatedly: it increments the same counters every time.
        let deals = 200_000;
        for &isa in Isa::available() {
            let mut packet = Packet {
                deals: PACKET,
                ..Packet::default()
            };
            let suit = |suit| Hand::whole_suit(suit).bits();
            packet.north = [suit(Suit::Spades); PACKET];
            packet.north_south = [suit(Suit::Spades) | suit(Suit::Diamonds); PACKET];
            packet.east = [suit(Suit::Hearts); PACKET];
            let mut tallying = Tallying::new(TableChoice::ALL, isa);
            for _ in 0..deals / PACKET {
                tallying.count(&packet);
            }
            let tally = tallying.finish();
            let all = tally.deals();
            for seat in Seat::ALL {
                assert_eq!(tally.patterns(seat).iter().max(), Some(&all), "{isa}");
                assert_eq!(tally.hcp(seat)[10], all);
            }
            assert_eq!(tally.card(Seat::South, Card::all().nth(26).unwrap()), all);
            assert_eq!(tally.card(Seat::North, Card::all().nth(26).unwrap()), 0);
        }
    }

    #[test]
    fn tables_that_are_not_chosen_stay_empty() {
        let choice = TableChoice {
            fits: false,
            cards: false,
        };
        let mut tallying = Tallying::new(choice, Isa::chosen());
        let mut packet = Packet {
            deals: 1,
            ..Packet::default()
        };
        packet.north[0] = Hand::whole_suit(Suit::Clubs).bits();
        packet.north_south[0] = packet.north[0] | Hand::whole_suit(Suit::Spades).bits();
        packet.east[0] = Hand::whole_suit(Suit::Hearts).bits();
        tallying.count(&packet);
        let tables = tallying.finish().tables;
        assert_eq!(tables.cards, [[0; Card::COUNT]; 3]);
        assert_eq!(tables.north_south_lengths, [[0; 14]; 4]);
        assert_eq!(tables.north_south_hcp[20], 1);
    }
}
