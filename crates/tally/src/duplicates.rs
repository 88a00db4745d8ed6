//! Deals kept to find duplicates, subsampled by hash.
//!
//! A deal is kept while its hash has k leading zero bits. k starts at 0 and rises by one whenever
//! the maximum number of deals is kept (2^20 by default), which drops the deals that no longer
//! qualify. k is the smallest for which fewer deals qualify, so the kept deals depend only on the
//! deals, in any order and in any parts.
//!
//! A kept deal consists of its 64-bit hash and two bits for the seat of every card. Hashes are
//! compared first; only deals whose hash occurs more than once are compared by their cards.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize, Serializer};

use super::buckets::repeated;
use super::kept_deals::{KeptDeals, MOST_BITS, most_with};
use crate::bridge::Hand;
use crate::bridge::combinatorics::ORDERS_OF_FOUR;
use crate::count::Count;
use crate::draw::{Isa, PACKET, Packet};
use crate::kernels;

/// Default maximum number of kept deals. Each takes 24 bytes, and up to 8 in the filters of a look.
pub const MOST_KEPT: usize = 1 << 20;

/// Permitted maximum numbers of kept deals: fewer are hardly ever equal, more take over 128 GiB.
pub type KeptCount = Count<{ 1 << 10 }, { 1 << 32 }>;

/// Deals of one hash class in 2^k, for comparison.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "SavedDuplicates")]
pub struct DuplicateDeals {
    symmetric: bool,
    most: usize,
    deals: u64,
    bits: u32,
    kept: KeptDeals,
    /// Number of pairs of equal deals, if they were counted.
    pairs: OnceLock<u64>,
}

/// As in a checkpoint, without the hashes.
#[derive(Serialize, Deserialize)]
struct SavedDuplicates {
    symmetric: bool,
    most: usize,
    deals: u64,
    bits: u32,
    /// Two bits for every card's seat.
    #[serde(with = "super::saved::list")]
    kept: Vec<u128>,
}

impl From<SavedDuplicates> for DuplicateDeals {
    fn from(saved: SavedDuplicates) -> Self {
        let mut duplicates = Self {
            deals: saved.deals,
            bits: saved.bits.min(MOST_BITS),
            ..Self::new(saved.symmetric, saved.most)
        };
        for seats in saved.kept {
            duplicates.kept.push(duplicates.hash_of(seats), seats);
        }
        duplicates
    }
}

impl Serialize for DuplicateDeals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = SavedDuplicates {
            symmetric: self.symmetric,
            most: self.most,
            deals: self.deals,
            bits: self.bits,
            kept: self
                .kept
                .chunks()
                .flat_map(|chunk| &chunk.seats)
                .copied()
                .collect(),
        };
        saved.serialize(serializer)
    }
}

impl DuplicateDeals {
    /// Creates an empty set that finds duplicate deals, or with `symmetric` deals that are equal after
    /// an exchange of seats and suits.
    pub(crate) fn new(symmetric: bool, most: usize) -> Self {
        Self {
            symmetric,
            most,
            deals: 0,
            bits: 0,
            kept: KeptDeals::default(),
            pairs: OnceLock::new(),
        }
    }

    /// Returns an empty set for later deals, with the current k: deals that only a smaller k admits
    /// would be dropped in the end.
    pub fn next(&self) -> Self {
        Self {
            bits: self.bits,
            kept: self.kept.next(),
            ..Self::new(self.symmetric, self.most)
        }
    }

    /// Keeps the deals of a packet that qualify.
    pub fn count(&mut self, isa: Isa, packet: &Packet) {
        let mut hashes = [0; PACKET];
        self.deals += packet.deals() as u64;
        self.pairs.take();
        let mix = match self.symmetric {
            true => kernels::mix_equivalent,
            false => kernels::mix,
        };
        let qualified = mix(isa, packet, most_with(self.bits), &mut hashes);
        for i in kernels::set_bits(qualified) {
            self.kept.push(hashes[i], seats_of(packet, i));
        }
        self.rise();
    }

    /// Raises k until fewer deals than the maximum are kept.
    fn rise(&mut self) {
        while self.kept.len() >= self.most && self.bits < MOST_BITS {
            self.raise_to(self.bits + 1);
        }
    }

    fn raise_to(&mut self, bits: u32) {
        if bits > self.bits {
            self.bits = bits;
            self.kept.drop_unqualified(bits);
        }
    }

    fn hash_of(&self, seats: u128) -> u64 {
        match self.symmetric {
            true => kernels::mix_hands(hands_of(seats)),
            false => kernels::mix_seats(seats as u64, (seats >> 64) as u64),
        }
    }

    /// Returns the number of deals examined.
    pub fn deals(&self) -> u64 {
        self.deals
    }

    /// Returns k: one deal in 2^k is kept.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns the number of kept deals.
    pub fn kept(&self) -> usize {
        self.kept.len()
    }

    /// Counts pairs of equal deals among the kept ones, once for each set.
    ///
    /// With `symmetric`, counts pairs that are equal after an exchange of seats and suits.
    pub fn pairs(&self) -> u64 {
        *self.pairs.get_or_init(|| self.equal_pairs())
    }

    fn equal_pairs(&self) -> u64 {
        let classes = self.kept.classes();
        let mut common: Vec<u64> = classes
            .flat_map(|class| repeated(class.iter().map(|chunk| &chunk.hashes[..])))
            .collect();
        if common.is_empty() {
            return 0;
        }
        common.sort_unstable();
        common.dedup();
        let deals = (self.kept.chunks()).flat_map(|chunk| chunk.hashes.iter().zip(&chunk.seats));
        let deals = deals.filter(|(hash, _)| common.binary_search(hash).is_ok());
        let mut forms: Vec<(u64, u128)> = deals
            .map(|(hash, seats)| match self.symmetric {
                true => (*hash, canonical(*seats)),
                false => (*hash, *seats),
            })
            .collect();
        forms.sort_unstable();
        let pairs = |same: &[(u64, u128)]| same.len() as u64 * (same.len() as u64 - 1) / 2;
        forms.chunk_by(|a, b| a == b).map(pairs).sum()
    }

    /// Adds the kept deals of another.
    pub fn merge(&mut self, mut other: Self) {
        debug_assert_eq!(self.symmetric, other.symmetric);
        self.deals += other.deals;
        self.pairs.take();
        self.raise_to(other.bits);
        other.raise_to(self.bits);
        self.kept.append(other.kept);
        self.rise();
    }
}

/// Returns two bits for every card's seat: N 0, E 1, S 2, W 3.
fn seats_of(packet: &Packet, i: usize) -> u128 {
    let deck = Hand::DECK.bits();
    let low = deck & !packet.north_south[i];
    let high = deck & !(packet.north[i] | packet.east[i]);
    u128::from(high) << 64 | u128::from(low)
}

/// Returns the cards of north, east, south and west.
fn hands_of(seats: u128) -> [u64; 4] {
    let (low, high) = (seats as u64, (seats >> 64) as u64);
    [!low & !high, low & !high, !low & high, low & high].map(|hand| hand & Hand::DECK.bits())
}

/// Returns the least of the 576 equivalent deals.
fn canonical(seats: u128) -> u128 {
    let hands = hands_of(seats);
    let mut least = u128::MAX;
    for order in ORDERS_OF_FOUR {
        let mut renamed = hands.map(|hand| {
            let suit = |to: usize| (hand >> (16 * u32::from(order[to])) & 0x1FFF) << (16 * to);
            suit(0) | suit(1) | suit(2) | suit(3)
        });
        renamed.sort_unstable();
        let low = renamed[1] | renamed[3];
        let high = renamed[2] | renamed[3];
        least = least.min(u128::from(high) << 64 | u128::from(low));
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::combinatorics::orders_of;
    use crate::bridge::{Deal, Seat};
    use crate::draw::{Aes128Ctr, DealScratch, Dealer};

    fn canonical_number(deal: &Deal) -> u128 {
        let [_, east, south, west] = Seat::ALL.map(|seat| deal.hand(seat).bits());
        canonical(u128::from(south | west) << 64 | u128::from(east | west))
    }

    fn packets(deals: u64) -> Vec<Packet> {
        let generator = Aes128Ctr::new(11);
        let dealer = Dealer::<Vec<u8>>::unconstrained();
        let mut packets = Vec::new();
        for portion in dealer.portions(&generator, 0..deals).unwrap() {
            let mut scratch = DealScratch::default();
            let mut sink = |packet: &Packet| packets.push(packet.clone());
            dealer
                .deal(&generator, &portion, &mut scratch, &mut sink)
                .unwrap();
        }
        packets
    }

    /// The maximum number of kept deals in these tests.
    const MOST: usize = 1 << 13;

    fn kept(symmetric: bool, packets: &[Packet]) -> DuplicateDeals {
        let mut duplicates = DuplicateDeals::new(symmetric, MOST);
        for packet in packets {
            duplicates.count(Isa::chosen(), packet);
        }
        duplicates
    }

    /// Returns the kept deals in the order of their seats.
    fn seats(duplicates: &DuplicateDeals) -> Vec<u128> {
        let seats = duplicates.kept.chunks().flat_map(|chunk| &chunk.seats);
        let mut seats: Vec<u128> = seats.copied().collect();
        seats.sort_unstable();
        seats
    }

    #[test]
    fn every_path_mixes_alike() {
        for mut packet in packets(300) {
            packet.remove(packet.places() & u128::MAX << 100);
            for mix in [kernels::mix, kernels::mix_equivalent] {
                let mut expected = [0; PACKET];
                let all = mix(Isa::PORTABLE, &packet, u64::MAX, &mut expected);
                assert_eq!(all, packet.places());
                for most in [expected[0], expected[0] - 1, u64::MAX >> 3, 0] {
                    let place = |i: usize| u128::from(expected[i] <= most) << i;
                    let least = (0..packet.deals()).fold(0, |least, i| least | place(i));
                    for isa in Isa::available() {
                        let mut mixed = [0; PACKET];
                        assert_eq!(mix(*isa, &packet, most, &mut mixed), least, "{isa}");
                        assert_eq!(mixed, expected);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_kept_does_not_depend_on_parts_or_their_order() {
        let packets = packets(14_000);
        let whole = kept(false, &packets);
        let third = packets.len() / 3;
        let mut parts = kept(false, &packets[2 * third..]);
        parts.merge(kept(false, &packets[..third]));
        parts.merge(kept(false, &packets[third..2 * third]));
        for duplicates in [&whole, &parts] {
            assert!(duplicates.kept() < MOST);
            assert_eq!(duplicates.pairs(), 0);
        }
        assert_eq!(seats(&whole), seats(&parts));
        assert_eq!((whole.bits(), whole.deals()), (parts.bits(), parts.deals()));
        assert_eq!(whole.bits(), 1);
    }

    #[test]
    fn a_set_is_read_as_it_was_written() {
        for symmetric in [false, true] {
            let written = kept(symmetric, &packets(6_000));
            let bytes = postcard::to_stdvec(&written).unwrap();
            let read: DuplicateDeals = postcard::from_bytes(&bytes).unwrap();
            assert_eq!(format!("{read:?}"), format!("{written:?}"));
        }
    }

    #[test]
    fn the_kept_deals_are_those_that_qualify_at_the_least_k() {
        let packets = packets(50_000);
        for symmetric in [false, true] {
            let most = packets.len() * PACKET / 7;
            let mut duplicates = DuplicateDeals::new(symmetric, most);
            let mut all = Vec::new();
            for packet in &packets {
                duplicates.count(Isa::chosen(), packet);
                let deals = (0..packet.deals()).map(|i| seats_of(packet, i));
                all.extend(deals.map(|seats| (duplicates.hash_of(seats), seats)));
            }
            let qualifying = |bits: u32| {
                let few = all
                    .iter()
                    .filter(move |(hash, _)| hash.leading_zeros() >= bits);
                few.map(|(_, seats)| *seats).collect::<Vec<_>>()
            };
            let least = (0..).find(|bits| qualifying(*bits).len() < most);
            assert_eq!(Some(duplicates.bits()), least);
            let mut expected = qualifying(duplicates.bits());
            expected.sort_unstable();
            assert_eq!(seats(&duplicates), expected);
        }
    }

    #[test]
    fn a_deal_that_comes_again_is_found_among_those_kept() {
        let mut packets = packets(1_280);
        packets.push(packets[3].clone());
        packets.push(packets[3].clone());
        assert_eq!(kept(false, &packets).pairs(), 3 * PACKET as u64);
    }

    #[test]
    fn images_are_equal_and_others_are_not() {
        let packets = packets(128);
        let deal = packets[0].deal(0);
        let mut images = std::collections::BTreeSet::new();
        for seats in orders_of([0, 1, 2, 3]) {
            for suits in orders_of([0, 1, 2, 3]) {
                let hands = seats.map(|seat| {
                    let bits = deal.hands()[seat].bits();
                    let suit = |to: usize| (bits >> (16 * suits[to]) & 0x1FFF) << (16 * to);
                    Hand::from_bits(suit(0) | suit(1) | suit(2) | suit(3))
                });
                let image = Deal::new(hands).unwrap();
                images.insert(image.hands().map(Hand::bits));
                assert_eq!(canonical_number(&image), canonical_number(&deal));
                let mut packet = Packet::default();
                packet.push_deal(&image);
                let symmetric = DuplicateDeals::new(true, MOST_KEPT);
                let hash = |packet| symmetric.hash_of(seats_of(packet, 0));
                assert_eq!(hash(&packet), hash(&packets[0]));
            }
        }
        assert_eq!(images.len(), 576);
        let others = (1..128).map(|i| canonical_number(&packets[0].deal(i)));
        assert!(
            others
                .into_iter()
                .all(|other| other != canonical_number(&deal))
        );
    }

    #[test]
    fn rotated_deals_are_equivalent() {
        let mut packets = packets(640);
        let mut rotated = Packet::default();
        for i in 0..PACKET {
            let [north, east, south, west] = *packets[2].deal(i).hands();
            rotated.push_deal(&Deal::new([west, north, east, south]).unwrap());
        }
        packets.push(rotated);
        let (equal, images) = (kept(false, &packets), kept(true, &packets));
        assert_eq!((equal.pairs(), images.pairs()), (0, PACKET as u64));
    }
}
