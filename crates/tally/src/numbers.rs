//! Numbers of deals: their distribution between 0 and D.
//!
//! The numbers are Pavlicek's ([`pavlicek`]).
//!
//! Spacings are compared in *windows* of 2^22 numbered deals, whose positions among the numbered
//! deals of the run are fixed. A window is compared as soon as it is complete, whichever workers
//! counted its blocks. Incomplete windows are kept, so that parts of a run can be merged.

use std::collections::BTreeMap;
use std::mem;

use serde::{Deserialize, Serialize};

use crate::bridge::Hand;
use crate::bridge::combinatorics::DEALS;
use crate::draw::Packet;
use crate::number::pavlicek;

use super::add;
use super::buckets::{BUCKET_BITS, in_buckets, repeated};

/// Number of equal parts of [0, D).
pub const PLACE_CELLS: usize = 1 << 16;
/// Number of residues of a number's lowest bits.
pub const LOW_CELLS: usize = 1 << 12;
/// Number of deals whose spacings are compared together.
pub const SPACED: usize = 1 << 22;

/// Returns the sides of a deal of a packet.
fn sides(packet: &Packet, i: usize) -> DealSides {
    let north_south = Hand::from_bits(packet.north_south[i]);
    let north_east = Hand::from_bits(packet.north[i] | packet.east[i]);
    [north_south, north_east].map(|hand| Hand::DECK.without(hand))
}

/// Returns floor(number 2^64 / D): the place of a number in 64 bits.
fn place(number: u128) -> u64 {
    // D has 96 bits. With its upper 64 and the number's upper 63 bits, the quotient is at most a
    // few too small; the remainder, less than 2^99, gives the correction.
    const INVERSE: u128 = u128::MAX / ((DEALS >> 32) + 1);
    let mut place = (((number >> 33) * INVERSE) >> 63) as u64;
    let mut left = (number << 64).wrapping_sub(u128::from(place).wrapping_mul(DEALS));
    while left >= DEALS {
        place += 1;
        left -= DEALS;
    }
    place
}

/// Counts of numbers of deals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DealNumbers {
    deals: u64,
    places: Vec<u64>,
    low: Vec<u64>,
    /// Incomplete windows.
    waiting: BTreeMap<u64, Window>,
    /// The window of the current portion.
    #[serde(skip)]
    window: u64,
    windows: u64,
    equal_spacings: u64,
}

/// Consecutive 2^22 numbered deals of a run, or those counted so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Window {
    /// Number of deals, including illegal ones.
    covered: u64,
    /// Places of the legal deals.
    #[serde(with = "super::saved::list")]
    places: Vec<u64>,
}

/// Maximum number of deals that are numbered together: a block. Two megabytes of the table for
/// numbering are in use, which other counts would displace between packets.
const TOGETHER: usize = 1 << 16;

/// The cards of two sides of a deal: of east and west, and of south and west.
type DealSides = [Hand; 2];

/// Numbers deals of several packets together; `NumberTallying::finish` returns their counts.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberTallying {
    /// Deals that wait.
    sides: Vec<DealSides>,
    numbers: DealNumbers,
}

impl NumberTallying {
    /// Begins another portion of `deals` deals, with `before` numbered deals of the run before it.
    pub(super) fn begin(&mut self, before: u64, deals: u64) {
        self.numbers.begin(before, deals);
    }

    /// Counts the deals of a packet of the portion.
    pub(super) fn count(&mut self, packet: &Packet) {
        if self.sides.len() + packet.deals() > TOGETHER {
            self.end_portion();
        }
        let deals = 0..packet.deals();
        self.sides.extend(deals.map(|i| sides(packet, i)));
    }

    /// Returns the counts of the portions that were ended.
    pub(super) fn finish(self) -> DealNumbers {
        self.numbers
    }

    /// Numbers the deals that wait.
    pub(super) fn end_portion(&mut self) {
        if !self.sides.is_empty() {
            self.numbers.count(&self.sides);
            self.sides.clear();
        }
    }
}

impl DealNumbers {
    /// Begins another portion of `deals` deals, with `before` numbered deals of the run before it.
    fn begin(&mut self, before: u64, deals: u64) {
        self.window = before / SPACED as u64;
        self.waiting.entry(self.window).or_default().covered += deals;
    }

    /// Counts deals of the portion.
    ///
    /// # Panics
    ///
    /// If no portion was begun.
    fn count(&mut self, deals: &[DealSides]) {
        if self.places.is_empty() {
            self.places = vec![0; PLACE_CELLS];
            self.low = vec![0; LOW_CELLS];
        }
        let window = self.waiting.get_mut(&self.window);
        let places = &mut window.expect("a portion was begun").places;
        let before = places.len();
        places.extend(deals.iter().map(|[east_west, south_west]| {
            let number = pavlicek::number_of_sides(*east_west, *south_west);
            self.low[number as usize % LOW_CELLS] += 1;
            place(number)
        }));
        // These counters fill a cache: they would displace the table for numbering.
        for place in &places[before..] {
            self.places[(place >> 48) as usize] += 1;
        }
        self.deals += deals.len() as u64;
    }

    /// Returns the number of deals.
    pub fn deals(&self) -> u64 {
        self.deals
    }

    /// Returns the count of each of 2^16 equal parts of [0, D); empty before the first deal.
    pub fn places(&self) -> &[u64] {
        &self.places
    }

    /// Returns the count of each value of the lowest 12 bits; empty before the first deal.
    pub fn low(&self) -> &[u64] {
        &self.low
    }

    /// Returns the number of compared windows of 2^22 deals, and the number of spacings that equal
    /// the previous one in ascending order.
    pub fn equal_spacings(&self) -> (u64, u64) {
        (self.windows, self.equal_spacings)
    }

    /// Adds the counts of other deals of the run.
    pub fn merge(&mut self, other: &Self) {
        for (number, window) in &other.waiting {
            let mine = self.waiting.entry(*number).or_default();
            mine.covered += window.covered;
            mine.places.extend_from_slice(&window.places);
        }
        if other.deals == 0 {
            return;
        }
        self.deals += other.deals;
        if self.places.is_empty() {
            self.places = vec![0; PLACE_CELLS];
            self.low = vec![0; LOW_CELLS];
        }
        add(&mut self.places, &other.places);
        add(&mut self.low, &other.low);
        self.windows += other.windows;
        self.equal_spacings += other.equal_spacings;
    }

    /// Drops incomplete windows.
    pub(super) fn forget_waiting(&mut self) {
        self.waiting.clear();
    }

    /// Compares the spacings of complete windows. A window with an illegal deal is dropped.
    pub(crate) fn compare_spacings(&mut self) {
        self.waiting.retain(|_, window| {
            let is_whole = window.covered >= SPACED as u64;
            if is_whole && window.places.len() == SPACED {
                self.equal_spacings += equal_spacings(mem::take(&mut window.places));
                self.windows += 1;
            }
            !is_whole
        });
    }
}

/// Returns the number of spacings of the sorted numbers, of 62 bits, that are equal to another.
fn equal_spacings(mut places: Vec<u64>) -> u64 {
    for place in &mut places {
        *place >>= 2;
    }
    // In order, by their upper bits first.
    let sorted = in_buckets(&places, |place| place >> (62 - BUCKET_BITS));
    let spacings: Vec<u64> = sorted.windows(2).map(|pair| pair[1] - pair[0]).collect();
    repeated(std::iter::once(&spacings[..])).len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deal_of_a_packet_has_its_number() {
        let deal = pavlicek::decode(DEALS / 3).unwrap();
        let mut packet = Packet::default();
        packet.push_deal(&deal);
        let [east_west, south_west] = sides(&packet, 0);
        let number = pavlicek::number_of_sides(east_west, south_west);
        assert_eq!(number, DEALS / 3);
    }

    #[test]
    fn the_place_of_a_number_is_its_share_of_all() {
        let steps = (0..=10_000).map(|step| (DEALS - 1) / 10_000 * step);
        for number in steps.chain(0..100).chain(DEALS - 100..DEALS) {
            let floor = num_bigint::BigUint::from(number) * (1u128 << 64);
            assert_eq!(num_bigint::BigUint::from(place(number)), floor / DEALS);
        }
    }

    #[test]
    fn equal_spacings_are_counted_once_for_every_repeat() {
        let places = [0, 4, 8, 12, 40, 44].map(|place: u64| place << 2).to_vec();
        // Spacings 4 4 4 28 4: three of them equal another before it.
        assert_eq!(equal_spacings(places), 3);
    }

    #[test]
    fn spacings_in_buckets_are_those_of_sorted_numbers() {
        let mut word = 7u64;
        let places = std::iter::repeat_with(|| {
            word = word.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
            // Few upper bits, so that spacings are equal by the thousand.
            word >> 40 << 38
        });
        let places: Vec<u64> = places.take(200_000).collect();
        let mut sorted: Vec<u64> = places.iter().map(|place| place >> 2).collect();
        sorted.sort_unstable();
        let mut spacings: Vec<u64> = sorted.windows(2).map(|pair| pair[1] - pair[0]).collect();
        spacings.sort_unstable();
        let equal = spacings.windows(2).filter(|pair| pair[0] == pair[1]);
        assert_eq!(equal_spacings(places), equal.count() as u64);
    }
}
