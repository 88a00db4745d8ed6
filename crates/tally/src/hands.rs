//! Hands of the first deals, to find those that return, at any seat.

use std::iter;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::buckets::repeated;
use crate::bridge::{Hand, Seat};
use crate::draw::{BLOCK_DEALS, Packet};

/// Number of deals whose hands are kept. Hands that return more rarely than once in some thousand
/// deals are not found among them.
pub(crate) const HAND_DEALS: u64 = BLOCK_DEALS;

/// The four hands of every kept deal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Hands {
    #[serde(with = "super::saved::list")]
    hands: Vec<u64>,
    /// Numbers of hands that returned, if they were counted.
    #[serde(skip)]
    returned: OnceLock<[u64; 2]>,
}

impl Hands {
    /// Keeps the hands of a packet.
    pub fn count(&mut self, packet: &Packet) {
        self.returned.take();
        for i in 0..packet.deals() {
            let (both, north, east) = (packet.north_south[i], packet.north[i], packet.east[i]);
            let west = Hand::DECK.bits() & !(both | east);
            self.hands.extend([north, east, both & !north, west]);
        }
    }

    /// Adds the hands of other deals.
    pub fn merge(&mut self, other: &Self) {
        if !other.hands.is_empty() {
            self.returned.take();
            self.hands.extend_from_slice(&other.hands);
        }
    }

    /// Returns the number of deals.
    pub fn deals(&self) -> u64 {
        (self.hands.len() / Seat::ALL.len()) as u64
    }

    /// Returns the number of hands that an earlier deal had at any seat: of hands that are equal,
    /// and of hands that are equal up to renamed suits. Hands of one deal that are equal up to
    /// renamed suits count once.
    pub fn returned(&self) -> [u64; 2] {
        *self.returned.get_or_init(|| {
            let mut forms = Vec::with_capacity(self.hands.len());
            for hands in self.hands.as_chunks::<4>().0 {
                let of_deal = in_order(hands.map(without_suits));
                forms.push(of_deal[0]);
                forms.extend(
                    (1..4)
                        .filter(|&i| of_deal[i] != of_deal[i - 1])
                        .map(|i| of_deal[i]),
                );
            }
            let mut renamed = repeated(iter::once(&forms[..]));
            renamed.sort_unstable();
            // Equal hands are also equal up to renamed suits.
            let may_return = |hand: &u64| renamed.binary_search(&without_suits(*hand)).is_ok();
            let hands: Vec<u64> = match renamed[..] {
                [] => Vec::new(),
                _ => self.hands.iter().copied().filter(may_return).collect(),
            };
            [repeated(iter::once(&hands[..])), renamed].map(|hands| hands.len() as u64)
        })
    }
}

/// Returns the same hand for hands that are equal up to renamed suits: its suits in order.
fn without_suits(hand: u64) -> u64 {
    let suits = in_order([0, 16, 32, 48].map(|lane| hand >> lane & 0xFFFF));
    suits.into_iter().fold(0, |hand, suit| hand << 16 | suit)
}

/// Sorts four numbers without branches.
fn in_order(mut numbers: [u64; 4]) -> [u64; 4] {
    for [low, high] in [[0, 1], [2, 3], [0, 2], [1, 3], [1, 2]] {
        let (one, other) = (numbers[low], numbers[high]);
        (numbers[low], numbers[high]) = (one.min(other), one.max(other));
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::Deal;

    fn hands(deals: &[[Hand; 4]]) -> Hands {
        let mut packet = Packet::default();
        for hands in deals {
            packet.push_deal(&Deal::new(*hands).unwrap());
        }
        let mut kept = Hands::default();
        kept.count(&packet);
        kept
    }

    /// The cards of a lane's upper nine and another lane's lower four, and so on around.
    fn deal(shift: usize) -> [Hand; 4] {
        std::array::from_fn(|seat| {
            let [long, short] = [seat, seat + shift].map(|suit| 16 * (suit % 4));
            Hand::from_bits(0x1FF0 << long | 0xF << short)
        })
    }

    #[test]
    fn hands_return_at_any_seat_and_in_other_suits() {
        let first = deal(0);
        let [n, e, s, w] = first;
        // All hands of the first deal are one suit, so they are equal up to renamed suits.
        assert_eq!(hands(&[first]).returned(), [0, 0]);
        assert_eq!(hands(&[first, [w, n, e, s]]).returned(), [4, 1]);
        // A hand of nine cards and four has equals in the same deal only.
        assert_eq!(hands(&[first, deal(1)]).returned(), [0, 0]);
        assert_eq!(hands(&[deal(2), first, deal(1)]).returned(), [0, 1]);
        let mut merged = hands(&[first]);
        assert_eq!(merged.returned(), [0, 0]);
        merged.merge(&hands(&[first, first]));
        assert_eq!((merged.returned(), merged.deals()), ([8, 2], 3));
    }

    #[test]
    fn kept_hands_are_read_as_they_were_written() {
        let written = hands(&[deal(0), deal(0)]);
        let bytes = postcard::to_stdvec(&written).unwrap();
        let read: Hands = postcard::from_bytes(&bytes).unwrap();
        assert_eq!((read.deals(), read.returned()), (2, [4, 1]));
    }
}
