//! Numbers of deals: where they fall between 0 and D.
//!
//! A deal's number counts the deals before it when the cards are gone through in
//! the order SA HA DA CA SK .. C2 and each goes to north before east, south and
//! west (Pavlicek's mapping essay). With c cards still to come for each seat the
//! rest can be dealt in (sum c)! / product c! ways: a table of them gives the exact
//! number in 52 steps.

use std::sync::OnceLock;

use crate::cards::Hand;
use crate::combinatorics::{DEALS, choose};
use crate::draw::{PACKET, Packet};

use super::add;

/// Cells of the number's place, and of its lowest bits.
pub const PLACE_CELLS: usize = 1 << 16;
/// Cells of the number modulo their number.
pub const LOW_CELLS: usize = 1 << 12;
/// Deals whose spacings are compared together.
pub const SPACED: usize = 1 << 22;

/// Digits of a state: one more than the cards still to come for north, east, south
/// and west, so that a seat without any has a place before it, of no ways.
const STEPS: [usize; 4] = [1, 15, 15 * 15, 15 * 15 * 15];

/// What a seat's part is reckoned with: north's ways for east, west's for south.
const OTHERS: [usize; 4] = [STEPS[0], STEPS[0], STEPS[3], STEPS[3]];

/// Ways to deal the rest by state.
fn ways() -> &'static [u128] {
    static WAYS: OnceLock<Vec<u128>> = OnceLock::new();
    WAYS.get_or_init(|| {
        let of = |state: usize| {
            let [n, e, s, w] = STEPS.map(|step| (state / step % 15).checked_sub(1));
            let (Some(n), Some(e), Some(s), Some(w)) = (n, e, s, w) else {
                return 0;
            };
            choose(n + e + s + w, n) * choose(e + s + w, e) * choose(s + w, s)
        };
        (0..15 * 15 * 15 * 15).map(of).collect()
    })
}

/// The number of a deal of a packet, below D.
fn number(ways: &[u128], packet: &Packet, i: usize) -> u128 {
    let deck = Hand::DECK.bits();
    let mut low = deck & !packet.north_south[i];
    let mut high = deck & !(packet.north[i] | packet.east[i]);
    let mut state: usize = 14 * STEPS.iter().sum::<usize>();
    let mut rest = ways[state];
    let mut number = 0;
    for _ in 0..13 {
        for suit in 0..4 {
            let (odd, upper) = (low >> (16 * suit) & 1, high >> (16 * suit) & 1);
            let seat = (upper << 1 | odd) as usize;
            // The ways to give the card to a seat before: none before north, north's
            // before east, all but south's and west's before south, all but west's.
            let given = ways[state - STEPS[seat]];
            let other = ways[state - OTHERS[seat]];
            let (inner, upper) = (all_ones(odd ^ upper), all_ones(upper));
            // Subtracted where the card is south's: -x is !x + 1.
            number += ((rest - given) & upper)
                .wrapping_add(other & inner ^ upper)
                .wrapping_sub(upper);
            rest = given;
            state -= STEPS[seat];
        }
        low >>= 1;
        high >>= 1;
    }
    number
}

/// All ones for 1, zeros for 0.
fn all_ones(bit: u64) -> u128 {
    let half = bit.wrapping_neg();
    u128::from(half) << 64 | u128::from(half)
}

/// floor(number 2^64 / D): the number's place in 64 bits.
fn place(number: u128) -> u64 {
    // D has 96 bits. With its upper 64 and the number's upper 63 the quotient is too
    // small by a few at most; what is left over, less than 2^99, tells how many.
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    deals: u64,
    places: Vec<u64>,
    low: Vec<u64>,
    /// Places of deals that wait for 2^22 of them, by the first deal's number of their portion.
    waiting: Vec<(u64, Vec<u64>)>,
    batches: u64,
    equal_spacings: u64,
}

impl Numbers {
    /// The packets of another portion follow.
    pub fn begin(&mut self, first_deal: u64) {
        self.waiting.push((first_deal, Vec::new()));
    }

    /// Counts the deals of a packet.
    ///
    /// # Panics
    ///
    /// If no portion was begun.
    pub fn count(&mut self, packet: &Packet) {
        if self.places.is_empty() {
            self.places = vec![0; PLACE_CELLS];
            self.low = vec![0; LOW_CELLS];
        }
        let ways = ways();
        let (_, places) = self.waiting.last_mut().expect("a portion was begun");
        let mut numbers = [0; PACKET];
        for (i, number) in numbers.iter_mut().enumerate().take(packet.deals()) {
            *number = self::number(ways, packet, i);
        }
        // Counters lie far apart: waiting for one must not keep the next number waiting.
        for number in &numbers[..packet.deals()] {
            let place = place(*number);
            self.places[(place >> 48) as usize] += 1;
            self.low[*number as usize % LOW_CELLS] += 1;
            places.push(place);
        }
        self.deals += packet.deals() as u64;
    }

    /// Number of deals.
    #[must_use]
    pub fn deals(&self) -> u64 {
        self.deals
    }

    /// How often numbers fell in each of 2^16 equal parts of [0, D); empty before the first.
    #[must_use]
    pub fn places(&self) -> &[u64] {
        &self.places
    }

    /// How often numbers had each value of their lowest 12 bits; empty before the first.
    #[must_use]
    pub fn low(&self) -> &[u64] {
        &self.low
    }

    /// Batches of 2^22 deals whose spacings were compared, and how many were equal
    /// to the one before in order of size.
    #[must_use]
    pub fn equal_spacings(&self) -> (u64, u64) {
        (self.batches, self.equal_spacings)
    }

    /// Adds the counts of deals that come after these.
    pub fn merge(&mut self, other: &Self) {
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
        self.batches += other.batches;
        self.equal_spacings += other.equal_spacings;
        self.waiting.extend_from_slice(&other.waiting);
    }

    /// Compares the spacings of every 2^22 deals that wait, in the order of their
    /// portions; no earlier deal may come later.
    pub fn compare_spacings(&mut self) {
        let waiting: usize = self.waiting.iter().map(|(_, places)| places.len()).sum();
        if waiting < SPACED {
            return;
        }
        self.waiting.sort_by_key(|(first_deal, _)| *first_deal);
        let last = self.waiting.last().map_or(0, |(first_deal, _)| *first_deal);
        let mut places: Vec<u64> = self
            .waiting
            .drain(..)
            .flat_map(|(_, places)| places)
            .collect();
        while places.len() >= SPACED {
            let rest = places.split_off(SPACED);
            self.equal_spacings += equal_spacings(std::mem::replace(&mut places, rest));
            self.batches += 1;
        }
        self.waiting.push((last, places));
    }
}

/// Spacings of the sorted numbers, of 62 bits, that are equal to another.
fn equal_spacings(mut places: Vec<u64>) -> u64 {
    for place in &mut places {
        *place >>= 2;
    }
    places.sort_unstable();
    let mut spacings: Vec<u64> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    spacings.sort_unstable();
    spacings
        .windows(2)
        .filter(|pair| pair[0] == pair[1])
        .count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Deal;

    /// The number by recursion on what is left, card by card.
    fn slow(owners: &[usize], left: [usize; 4]) -> u128 {
        let Some((&seat, rest)) = owners.split_first() else {
            return 0;
        };
        let ways = |mut left: [usize; 4], seat: usize| {
            if left[seat] == 0 {
                return 0;
            }
            left[seat] -= 1;
            let [n, e, s, w] = left;
            choose(n + e + s + w, n) * choose(e + s + w, e) * choose(s + w, s)
        };
        let before: u128 = (0..seat).map(|seat| ways(left, seat)).sum();
        let mut next = left;
        next[seat] -= 1;
        before + slow(rest, next)
    }

    fn packet_of(owner: impl Fn(usize, usize) -> usize) -> Packet {
        let mut hands = [0u64; 4];
        for rank in 0..13 {
            for suit in 0..4 {
                hands[owner(rank, suit)] |= 1 << (16 * suit + rank);
            }
        }
        let mut packet = Packet::default();
        packet.push_deal(&Deal::new(hands.map(Hand::from_bits)).unwrap());
        packet
    }

    #[test]
    #[cfg_attr(miri, ignore = "its table takes long, and nothing here is unsafe")]
    fn the_first_deal_is_0_and_the_last_one_less_than_all() {
        // Thirteen cards each in the order of the numbering.
        let first = packet_of(|rank, suit| (4 * rank + suit) / 13);
        let last = packet_of(|rank, suit| 3 - (4 * rank + suit) / 13);
        assert_eq!(number(ways(), &first, 0), 0);
        assert_eq!(number(ways(), &last, 0), DEALS - 1);
    }

    #[test]
    #[cfg_attr(miri, ignore = "its table takes long, and nothing here is unsafe")]
    fn the_worked_example_has_its_number() {
        // From the mapping essay's page of examples.
        let text = "8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3";
        let ranks = "AKQJT98765432";
        let mut owner = [[0; 4]; 13];
        for (seat, hand) in text.split(' ').enumerate() {
            for (suit, holding) in hand.split('.').enumerate() {
                for rank in holding.chars() {
                    owner[ranks.find(rank).unwrap()][suit] = seat;
                }
            }
        }
        let packet = packet_of(|rank, suit| owner[rank][suit]);
        assert_eq!(
            number(ways(), &packet, 0),
            40_958_565_147_961_533_588_277_623_299
        );
    }

    #[test]
    #[cfg_attr(miri, ignore = "its table takes long, and nothing here is unsafe")]
    fn numbers_are_those_of_the_slow_way() {
        let mut seed = 1u64;
        for _ in 0..500 {
            let mut seats: Vec<usize> = (0..52).map(|card| card % 4).collect();
            for last in (1..52).rev() {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                seats.swap(last, (seed >> 33) as usize % (last + 1));
            }
            let packet = packet_of(|rank, suit| seats[4 * rank + suit]);
            let expected = slow(&seats, [13; 4]);
            assert_eq!(number(ways(), &packet, 0), expected);
            let floor = num_bigint::BigUint::from(expected) * (1u128 << 64);
            assert_eq!(num_bigint::BigUint::from(place(expected)), floor / DEALS);
        }
    }

    #[test]
    fn equal_spacings_are_counted_once_for_every_repeat() {
        let places = [0, 4, 8, 12, 40, 44].map(|place: u64| place << 2).to_vec();
        // Spacings 4 4 4 28 4: three of them equal another before it.
        assert_eq!(equal_spacings(places), 3);
    }
}
