//! Flatness of whole deals, and controls of hands.

use serde::{Deserialize, Serialize};

use crate::draw::{Isa, PACKET, Packet};
use crate::kernels::{self, CONTROL_COUNT, EAST_WEST_CONTROLS, NORTH_SOUTH_CONTROLS, SPREAD_END};

use super::tallying::FOLD_DEALS;
use super::{FLATNESS_COUNT, add};

/// Counts of flatness and controls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spread {
    #[serde(with = "super::saved::table")]
    flatness: Box<[u64; FLATNESS_COUNT]>,
    /// Index 13 north + south, and 13 east + west.
    #[serde(with = "super::saved::table")]
    controls: Box<[[u64; CONTROL_COUNT * CONTROL_COUNT]; 2]>,
}

impl Default for Spread {
    fn default() -> Self {
        Self {
            flatness: Box::new([0; FLATNESS_COUNT]),
            controls: Box::new([[0; CONTROL_COUNT * CONTROL_COUNT]; 2]),
        }
    }
}

/// Number of 16-bit counters, one for every key.
const COUNTERS: usize = SPREAD_END.next_power_of_two();

/// Counts packets of deals; `SpreadTallying::finish` returns the counts.
#[derive(Clone, Debug)]
pub(super) struct SpreadTallying {
    isa: Isa,
    /// The keys of a packet's deals.
    keys: Box<[u64; PACKET]>,
    counters: Box<[u16; COUNTERS]>,
    /// Number of deals that are not folded.
    waiting: usize,
    spread: Spread,
}

impl SpreadTallying {
    /// Creates a counter with the kernels of `path`.
    pub(super) fn new(isa: Isa) -> Self {
        Self {
            isa,
            keys: Box::new([0; PACKET]),
            counters: Box::new([0; COUNTERS]),
            waiting: 0,
            spread: Spread::default(),
        }
    }

    /// Counts the deals of a packet.
    pub(super) fn count(&mut self, packet: &Packet) {
        if self.waiting + packet.deals() > FOLD_DEALS {
            self.fold();
        }
        self.waiting += packet.deals();
        kernels::spread_keys(self.isa, packet, &mut self.keys);
        for key in &self.keys[..packet.deals()] {
            for key in [*key, key >> 16, key >> 32] {
                let counter = &mut self.counters[key as usize % COUNTERS];
                *counter = counter.wrapping_add(1);
            }
        }
    }

    /// Returns the counts.
    pub(super) fn finish(mut self) -> Spread {
        self.fold();
        self.spread
    }

    fn fold(&mut self) {
        let [north_south, east_west] = &mut *self.spread.controls;
        let tables = [
            (0, &mut self.spread.flatness[..]),
            (NORTH_SOUTH_CONTROLS, north_south),
            (EAST_WEST_CONTROLS, east_west),
        ];
        for (base, table) in tables {
            for (count, counter) in table.iter_mut().zip(&self.counters[base..]) {
                *count += u64::from(*counter);
            }
        }
        self.counters.fill(0);
        self.waiting = 0;
    }
}

impl Spread {
    /// Returns the count of each F, indexed by F / 2.
    pub fn flatness(&self) -> &[u64; FLATNESS_COUNT] {
        &self.flatness
    }

    /// Returns the count of each number of controls at a seat.
    pub fn controls(&self, seat: crate::bridge::Seat) -> [u64; CONTROL_COUNT] {
        use crate::bridge::Seat;
        let joint = &self.controls[usize::from(matches!(seat, Seat::East | Seat::West))];
        let mut counts = [0; CONTROL_COUNT];
        for (key, count) in joint.iter().enumerate() {
            let controls = match seat {
                Seat::North | Seat::East => key / CONTROL_COUNT,
                Seat::South | Seat::West => key % CONTROL_COUNT,
            };
            counts[controls] += count;
        }
        counts
    }

    /// Adds the counts of another.
    pub fn merge(&mut self, other: &Self) {
        add(&mut *self.flatness, &*other.flatness);
        for (mine, theirs) in self.controls.iter_mut().zip(&*other.controls) {
            add(mine, theirs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::{Hand, Seat, Suit};

    #[test]
    fn the_same_deal_many_times_fills_no_counter() {
        let deals = 2 * FOLD_DEALS + 3 * PACKET;
        let suit = |suit| Hand::whole_suit(suit).bits();
        // Each seat has a whole suit.
        let packet = Packet {
            deals: PACKET,
            north: [suit(Suit::Spades); PACKET],
            north_south: [suit(Suit::Spades) | suit(Suit::Diamonds); PACKET],
            east: [suit(Suit::Hearts); PACKET],
            ..Packet::default()
        };
        for isa in Isa::available() {
            let mut tallying = SpreadTallying::new(*isa);
            for _ in 0..deals / PACKET {
                tallying.count(&packet);
            }
            let spread = tallying.finish();
            let all = deals as u64;
            assert_eq!(spread.flatness()[4 * 169 / 2], all, "{isa}");
            for seat in Seat::ALL {
                assert_eq!(spread.controls(seat)[3], all, "{isa}");
            }
        }
    }
}
