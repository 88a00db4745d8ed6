//! Deals kept to find duplicates, subsampled by hash.
//!
//! A deal is kept while its hash has k leading zero bits. k starts at 0 and rises by one whenever
//! the maximum number of deals is kept (2^20 by default), which drops the deals that no longer
//! qualify. k is the smallest for which fewer deals qualify, so the kept deals depend only on the
//! deals, in any order and in any parts.
//!
//! A kept deal consists of its 64-bit hash and the upper bits of its cards' seats. These determine
//! the lower bits, so only duplicate deals are equal. Deals kept to find equivalent deals consist
//! of both bits of every card's seat.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::buckets::{BUCKET_BITS, in_buckets};
use crate::bridge::Hand;
use crate::bridge::combinatorics::ORDERS_OF_FOUR;
#[cfg(test)]
use crate::bridge::{Deal, Seat};
use crate::draw::{PACKET, Packet, Path};
use crate::kernels::{self, MINIMUM_OF};

/// Default maximum number of kept deals, of sixteen bytes each.
pub const MOST_KEPT: usize = 1 << 20;

/// Permitted maximum numbers of kept deals: fewer are hardly ever equal, more take over 64 GiB.
pub(crate) const ALLOWED_KEPT: std::ops::RangeInclusive<u64> = 1 << 10..=1 << 32;
/// Maximum number of leading zero bits.
const MOST_BITS: u32 = 63;

/// Deals of one hash class in 2^k, for comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DuplicateDeals {
    symmetric: bool,
    most: usize,
    deals: u64,
    bits: u32,
    /// Duplicates are sorted up to `sorted`; equivalent deals are in the order in which they were
    /// kept.
    #[serde(with = "super::saved::list")]
    kept: Vec<u128>,
    #[serde(skip)]
    sorted: usize,
    /// The hashes of equivalent deals; empty for duplicates, and after the set was read.
    #[serde(skip)]
    hashes: Vec<u64>,
}

impl DuplicateDeals {
    /// Creates an empty set that finds duplicate deals, or with `symmetric` deals that are equal after
    /// an exchange of seats and suits.
    #[must_use]
    pub(crate) fn new(symmetric: bool, most: usize) -> Self {
        Self {
            symmetric,
            most,
            deals: 0,
            bits: 0,
            kept: Vec::new(),
            sorted: 0,
            hashes: Vec::new(),
        }
    }

    /// Returns an empty set for later deals, with the current k: deals that only a smaller k admits
    /// would be dropped in the end.
    #[must_use]
    pub(crate) fn next(&self) -> Self {
        Self {
            bits: self.bits,
            ..Self::new(self.symmetric, self.most)
        }
    }

    /// Keeps the deals of a packet that qualify.
    pub(crate) fn count(&mut self, path: Path, packet: &Packet) {
        let mut hashes = [0; PACKET];
        self.deals += packet.deals() as u64;
        let mix = match self.symmetric {
            true => kernels::mix_equivalent,
            false => kernels::mix,
        };
        let minima = mix(path, packet, &mut hashes);
        for (part, minimum) in minima.into_iter().enumerate() {
            // At a higher k, most parts have none.
            if !qualifies(minimum, self.bits) {
                continue;
            }
            let places = part * MINIMUM_OF..packet.deals();
            for (i, &hash) in places.zip(&hashes[part * MINIMUM_OF..]).take(MINIMUM_OF) {
                if qualifies(hash, self.bits) {
                    self.keep(packet, i, hash);
                }
            }
        }
    }

    /// Keeps one deal of a packet.
    fn keep(&mut self, packet: &Packet, i: usize, hash: u64) {
        let seats = seats_of(packet, i);
        if self.symmetric {
            self.kept.push(seats);
            self.hashes.push(hash);
        } else {
            self.kept.push(u128::from(hash) << 64 | seats >> 64);
        }
        if self.kept.len() >= self.most {
            self.rise();
        }
    }

    /// Raises k until fewer deals than the maximum are kept.
    fn rise(&mut self) {
        while self.kept.len() >= self.most && self.bits < MOST_BITS {
            self.raise_to(self.bits + 1);
        }
    }

    fn raise_to(&mut self, bits: u32) {
        if bits <= self.bits {
            return;
        }
        self.bits = bits;
        if self.symmetric {
            self.restore_hashes();
            let hashes = self.hashes.iter();
            let mut stays = hashes.map(|hash| qualifies(*hash, bits));
            self.kept.retain(|_| stays.next().unwrap_or(false));
            self.hashes.retain(|hash| qualifies(*hash, bits));
            return;
        }
        let stays = |deal: &u128| qualifies(hash_of(*deal), bits);
        // The sorted deals are ordered by hash.
        let sorted = self.kept[..self.sorted].partition_point(stays);
        let (mut place, end) = (0, self.sorted);
        self.kept.retain(|deal| {
            let stays = if place < end {
                place < sorted
            } else {
                stays(deal)
            };
            place += 1;
            stays
        });
        self.sorted = sorted;
    }

    /// The hashes of equivalent deals, computed again if they are missing.
    fn hashes(&self) -> Cow<'_, [u64]> {
        match self.hashes.len() == self.kept.len() {
            true => Cow::Borrowed(&self.hashes),
            false => self.kept.iter().map(|seats| class_hash(*seats)).collect(),
        }
    }

    fn restore_hashes(&mut self) {
        if self.symmetric && self.hashes.len() != self.kept.len() {
            self.hashes = self.hashes().into_owned();
        }
    }

    /// Returns the number of deals examined.
    #[must_use]
    pub fn deals(&self) -> u64 {
        self.deals
    }

    /// Returns k: one deal in 2^k is kept.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns the number of kept deals.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.kept.len()
    }

    /// Prepares the kept deals for [`DuplicateDeals::pairs`].
    pub(crate) fn sort(&mut self) {
        self.restore_hashes();
        if !self.symmetric && self.sorted < self.kept.len() {
            let bits = self.bits;
            // The first bits of all hashes are 0, and the next ones are evenly spread.
            let bucket_of = |deal: u128| hash_of(deal) << bits >> (u64::BITS - BUCKET_BITS);
            let sorted = in_buckets(&self.kept[self.sorted..], bucket_of);
            self.kept[self.sorted..].copy_from_slice(&sorted);
            // Two sorted runs: the stable sort merges them.
            self.kept.sort();
            self.sorted = self.kept.len();
        }
    }

    /// Counts pairs of equal deals among the kept ones, which must be prepared.
    ///
    /// With `symmetric`, counts pairs that are equal after an exchange of seats and suits.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        if !self.symmetric {
            debug_assert_eq!(self.sorted, self.kept.len());
            return equal_pairs(&self.kept);
        }
        let (bits, hashes) = (self.bits, self.hashes());
        let bucket_of = |hash: u64| hash << bits >> (u64::BITS - BUCKET_BITS);
        let ordered = in_buckets(&hashes, bucket_of);
        let neighbours = ordered.windows(2).filter(|pair| pair[0] == pair[1]);
        let mut common: Vec<u64> = neighbours.map(|pair| pair[0]).collect();
        common.dedup();
        if common.is_empty() {
            return 0;
        }
        // Few deals share a hash, and nearly all of them are equivalent.
        let deals = hashes.iter().zip(&self.kept);
        let deals = deals.filter(|(hash, _)| common.binary_search(hash).is_ok());
        let mut forms: Vec<(u64, u128)> = deals
            .map(|(hash, seats)| (*hash, canonical(*seats)))
            .collect();
        forms.sort_unstable();
        equal_pairs(&forms)
    }

    /// Returns whether this set has the right kind and maximum, and every kept deal qualifies.
    pub(super) fn is_sound(&self, symmetric: bool, most: usize, deals: u64) -> bool {
        self.symmetric == symmetric
            && self.most == most
            && self.deals <= deals
            && self.bits <= MOST_BITS
            && (self.kept.len() < most || self.bits == MOST_BITS)
            && self.kept.len() as u64 <= self.deals
            && self.kept.iter().all(|deal| {
                let hash = if symmetric {
                    class_hash(*deal)
                } else {
                    hash_of(*deal)
                };
                qualifies(hash, self.bits)
            })
    }

    /// Adds the kept deals of another.
    pub(crate) fn merge(&mut self, other: &Self) {
        debug_assert_eq!(self.symmetric, other.symmetric);
        self.deals += other.deals;
        self.raise_to(other.bits);
        let bits = self.bits;
        if self.symmetric {
            self.restore_hashes();
            let hashes = other.hashes();
            let deals = other.kept.iter().zip(&*hashes);
            for (seats, hash) in deals.filter(|(_, hash)| qualifies(**hash, bits)) {
                self.kept.push(*seats);
                self.hashes.push(*hash);
            }
        } else {
            let kept = other.kept.iter().copied();
            self.kept
                .extend(kept.filter(|deal| qualifies(hash_of(*deal), bits)));
        }
        self.rise();
    }
}

/// Returns whether a hash begins with this number of zeros.
fn qualifies(hash: u64, bits: u32) -> bool {
    hash >> (MOST_BITS - bits) >> 1 == 0
}

/// Returns the hash of a deal kept to find duplicates.
fn hash_of(deal: u128) -> u64 {
    (deal >> 64) as u64
}

fn equal_pairs<T: PartialEq>(sorted: &[T]) -> u64 {
    let pairs = |same: &[T]| same.len() as u64 * (same.len() as u64 - 1) / 2;
    sorted.chunk_by(|a, b| a == b).map(pairs).sum()
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

/// Returns a hash that is invariant under exchanges of seats and suits. Deals that are not
/// equivalent may share a hash, and are compared by [`canonical`].
fn class_hash(seats: u128) -> u64 {
    kernels::mix_hands(hands_of(seats))
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
fn canonical_number(deal: &Deal) -> u128 {
    let [_, east, south, west] = Seat::ALL.map(|seat| deal.hand(seat).bits());
    canonical(u128::from(south | west) << 64 | u128::from(east | west))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::combinatorics::orders_of;
    use crate::draw::{Aes128Ctr, DealScratch, Dealer};

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

    fn kept(symmetric: bool, packets: &[Packet]) -> DuplicateDeals {
        let mut duplicates = DuplicateDeals::new(symmetric, MOST_KEPT);
        for packet in packets {
            duplicates.count(Path::chosen(), packet);
        }
        duplicates
    }

    #[test]
    fn every_path_mixes_alike() {
        for mut packet in packets(300) {
            packet.remove(packet.places() & u128::MAX << 100);
            for mix in [kernels::mix, kernels::mix_equivalent] {
                let mut expected = [0; PACKET];
                let minima = mix(Path::PORTABLE, &packet, &mut expected);
                for (minimum, part) in minima.iter().zip(expected.chunks(MINIMUM_OF)) {
                    assert_eq!(Some(minimum), part.iter().min());
                }
                for path in Path::available() {
                    let mut mixed = [0; PACKET];
                    assert_eq!(mix(*path, &packet, &mut mixed), minima);
                    assert_eq!(mixed, expected);
                }
            }
        }
    }

    #[test]
    fn what_is_kept_does_not_depend_on_parts_or_their_order() {
        let packets = packets(if cfg!(miri) { 1_000 } else { 2_500_000 });
        let mut whole = kept(false, &packets);
        let third = packets.len() / 3;
        let mut parts = kept(false, &packets[2 * third..]);
        parts.sort();
        parts.merge(&kept(false, &packets[..third]));
        parts.sort();
        parts.merge(&kept(false, &packets[third..2 * third]));
        for duplicates in [&mut whole, &mut parts] {
            duplicates.sort();
            assert!(duplicates.kept.len() < MOST_KEPT);
            assert!(duplicates.kept.is_sorted());
        }
        assert_eq!(whole, parts);
        assert_eq!(whole.pairs(), 0);
        assert!(cfg!(miri) || whole.bits() == 2);
    }

    #[test]
    fn a_deal_that_comes_again_is_found_among_those_kept() {
        let mut packets = packets(1_280);
        packets.push(packets[3].clone());
        packets.push(packets[3].clone());
        let mut duplicates = kept(false, &packets);
        duplicates.sort();
        assert_eq!(duplicates.pairs(), 3 * PACKET as u64);
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow under Miri; contains no unsafe code")]
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
                let hash = |packet| class_hash(seats_of(packet, 0));
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
        let mut equal = kept(false, &packets);
        let mut images = kept(true, &packets);
        equal.sort();
        images.sort();
        assert_eq!((equal.pairs(), images.pairs()), (0, PACKET as u64));
    }
}
