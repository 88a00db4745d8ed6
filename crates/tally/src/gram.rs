//! Sums of products of two signs, within a deal and between deals at a lag.
//!
//! Each card has three signs in a deal, by the two bits of its seat (north 0, east 1, south 2, west
//! 3). The first is -1 if the high bit is 1 (south or west), the second is -1 if the low bit is 1
//! (east or west), and the third is their product. The sums of all products of two signs contain
//! every first-order and second-order defect.

use serde::{Deserialize, Serialize};

use super::add;
use crate::bridge::{Card, Hand};
use crate::draw::{Isa, PACKET, Packet, count_fits};
use crate::kernels::{self, GRAM_CHUNK, SignDifferences, SignRows};

/// A product of two signs changes by one per deal, and identities sum one for each card.
const _: () = assert!(count_fits(Card::COUNT as u64));

/// Number of signs of a deal: three for each card.
pub(crate) const SIGN_ROWS: usize = kernels::SIGN_ROWS;
/// Largest distance between compared deals.
pub(crate) const LONGEST_LAG: usize = 36;

/// Counts of deals, or pairs of deals, in which the signs of two cards differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondOrder {
    pairs: u64,
    #[serde(with = "super::saved::table")]
    differing: Box<[u64; SIGN_ROWS * SIGN_ROWS]>,
}

impl Default for SecondOrder {
    fn default() -> Self {
        Self {
            pairs: 0,
            differing: bytemuck::allocation::zeroed_box(),
        }
    }
}

impl SecondOrder {
    fn of_pairs(pairs: u64, differing: impl Fn(usize, usize) -> u64) -> Self {
        let mut sums = Self {
            pairs,
            ..Self::default()
        };
        for (place, count) in sums.differing.iter_mut().enumerate() {
            *count = differing(place / SIGN_ROWS, place % SIGN_ROWS);
        }
        sums
    }

    /// Returns the number of pairs of deals, or the number of deals for sums within deals.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Returns the sum of the products of a sign of one card in the first deal and a sign of another
    /// in the second. The row of sign i, from 1 to 3, is `3 * card + i - 1`.
    ///
    /// # Panics
    ///
    /// If a row is not below 156.
    pub fn product_of_rows(&self, first: usize, second: usize) -> i64 {
        assert!(second < SIGN_ROWS, "rows are below 156");
        let differing = self.differing[SIGN_ROWS * first + second];
        self.pairs
            .wrapping_sub(differing.wrapping_mul(2))
            .cast_signed()
    }

    /// Adds the counts of other pairs.
    pub fn merge(&mut self, other: &Self) {
        self.pairs += other.pairs;
        add(&mut *self.differing, &*other.differing);
    }

    /// Returns whether sums within deals satisfy the identities of thirteen cards at each seat.
    ///
    /// `first_order` has the sum of each sign of each card over the same deals. Summed over all
    /// other cards, the products of equal signs are minus the number of deals, and the products of
    /// signs i and j are minus the sum of the card's third sign.
    pub fn identities_hold(&self, first_order: &[[i64; Card::COUNT]; 3]) -> bool {
        let deals = self.pairs.cast_signed();
        (0..SIGN_ROWS).all(|a| {
            let (card, i) = (a / 3, a % 3);
            (0..3).all(|j| {
                let others = (0..Card::COUNT).filter(|other| *other != card);
                let sum: i64 = others
                    .map(|other| self.product_of_rows(a, 3 * other + j))
                    .sum();
                let expected = if i == j {
                    deals
                } else {
                    first_order[3 - i - j][card]
                };
                sum == -expected
            })
        })
    }

    /// Returns whether sums over pairs of deals vanish when summed over all cards of either deal.
    pub fn sums_vanish(&self) -> bool {
        (0..SIGN_ROWS).all(|a| {
            (0..3).all(|j| {
                let rows = || (0..Card::COUNT).map(|card| 3 * card + j);
                let second: i64 = rows().map(|b| self.product_of_rows(a, b)).sum();
                let first: i64 = rows().map(|b| self.product_of_rows(b, a)).sum();
                first == 0 && second == 0
            })
        })
    }
}

/// Sums of products within deals, and between deals for each lag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gram {
    /// Sums within deals; empty if not requested.
    pub within: SecondOrder,
    /// Sums for each lag, in the order requested.
    pub lags: Vec<(usize, SecondOrder)>,
}

impl Gram {
    /// Returns whether these are sums at these lags.
    pub(super) fn fits(&self, lags: &[usize]) -> bool {
        self.lags.iter().map(|(lag, _)| lag).eq(lags)
    }

    /// Adds the sums of other deals.
    ///
    /// # Panics
    ///
    /// If the lags differ.
    pub fn merge(&mut self, other: &Self) {
        assert_eq!(self.lags.len(), other.lags.len(), "the lags differ");
        self.within.merge(&other.within);
        for ((lag, mine), (other_lag, theirs)) in self.lags.iter_mut().zip(&other.lags) {
            assert_eq!(lag, other_lag, "the lags differ");
            mine.merge(theirs);
        }
    }
}

/// Capacity for waiting deals: a chunk, the deals after it for the lags, and less than a packet.
const WAITING: usize = GRAM_CHUNK + LONGEST_LAG + PACKET;

/// Counts products of signs over the packets of consecutive blocks.
#[derive(Clone, Debug)]
pub struct GramTallying {
    isa: Isa,
    /// The high bits of the cards' seats, and the low bits.
    bits: Box<[[u64; WAITING]; 2]>,
    waiting: usize,
    /// Rows of the first deals of pairs, of a shorter list of first deals, and of the second deals.
    rows: [SignRows; 3],
    within: Option<GramSums>,
    lags: Vec<(usize, GramSums)>,
}

/// Counts of pairs; a table is made for the first of them.
#[derive(Clone, Debug, Default)]
struct GramSums {
    pairs: u64,
    differing: Option<SignDifferences>,
}

impl GramSums {
    fn finish(self, of_pair: fn(&SignDifferences, usize, usize) -> u64) -> SecondOrder {
        match self.differing {
            Some(differing) => SecondOrder::of_pairs(self.pairs, |a, b| of_pair(&differing, a, b)),
            None => SecondOrder::default(),
        }
    }
}

impl GramTallying {
    /// Creates a counter of products within deals, if `within`, and between deals of a block at
    /// these lags, with the kernels of `path`.
    ///
    /// # Panics
    ///
    /// If a lag is not one of 1 ..= 36.
    pub fn new(isa: Isa, lags: &[usize], within: bool) -> Self {
        let lag = |lag: &usize| {
            assert!(
                (1..=LONGEST_LAG).contains(lag),
                "lags are 1 to {LONGEST_LAG}"
            );
            (*lag, GramSums::default())
        };
        let bits = vec![[0; WAITING]; 2].into_boxed_slice();
        Self {
            isa,
            bits: bits.try_into().expect("it has this length"),
            waiting: 0,
            rows: Default::default(),
            within: within.then(GramSums::default),
            lags: lags.iter().map(lag).collect(),
        }
    }

    /// Counts the first `deals` of a packet, which follow those of the previous packet in the block.
    pub fn count(&mut self, packet: &Packet, deals: usize) {
        let [high, low] = self
            .bits
            .each_mut()
            .map(|column| &mut column[self.waiting..][..deals]);
        let deck = Hand::DECK.bits();
        for i in 0..deals {
            high[i] = deck & !(packet.north[i] | packet.east[i]);
            low[i] = deck & !packet.north_south[i];
        }
        self.waiting += deals;
        if self.waiting >= GRAM_CHUNK + LONGEST_LAG {
            self.count_chunk();
        }
    }

    /// Ends a block: no pair spans two blocks.
    pub fn end_block(&mut self) {
        while self.waiting > 0 {
            self.count_chunk();
        }
    }

    /// Returns the sums.
    pub fn finish(mut self) -> Gram {
        self.end_block();
        let lags = self.lags.into_iter();
        Gram {
            within: self.within.map_or_else(SecondOrder::default, |sums| {
                sums.finish(SignDifferences::of_pair_within)
            }),
            lags: lags
                .map(|(lag, sums)| (lag, sums.finish(SignDifferences::of_pair)))
                .collect(),
        }
    }

    /// Counts the pairs whose first deals are the next chunk, or the rest if it is shorter.
    fn count_chunk(&mut self) {
        let (isa, waiting) = (self.isa, self.waiting);
        let deals = waiting.min(GRAM_CHUNK);
        let lay = |start: usize, deals: usize, rows: &mut SignRows| {
            let [high, low] = self.bits.each_ref().map(|column| {
                let chunk = column[start..].first_chunk();
                chunk.expect("a chunk follows whatever waits")
            });
            kernels::lay_rows(isa, high, low, deals, rows);
        };
        let [first, fewer, second] = &mut self.rows;
        lay(0, deals, first);
        if let Some(within) = &mut self.within {
            within.pairs += deals as u64;
            let differing = within.differing.get_or_insert_default();
            kernels::count_differing(isa, first, first, true, differing);
        }
        for (lag, sums) in &mut self.lags {
            // At the end of a block, the last deals have no second deal.
            let pairs = GRAM_CHUNK.min(waiting.saturating_sub(*lag));
            if pairs == 0 {
                continue;
            }
            lay(*lag, pairs, second);
            let first = if pairs == deals {
                &*first
            } else {
                lay(0, pairs, fewer);
                &*fewer
            };
            sums.pairs += pairs as u64;
            let differing = sums.differing.get_or_insert_default();
            kernels::count_differing(isa, first, second, false, differing);
        }
        for column in self.bits.as_mut_slice() {
            column.copy_within(deals..waiting, 0);
        }
        self.waiting -= deals;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::Deal;
    use crate::draw::{Aes128Ctr, DealScratch, Dealer};

    /// Deals blocks with these numbers of deals.
    fn blocks(deals: &[u64]) -> Vec<Vec<Packet>> {
        let generator = Aes128Ctr::new(1);
        let dealer = Dealer::<Vec<u8>>::unconstrained();
        let block = |(i, deals): (usize, &u64)| {
            let mut packets = Vec::new();
            let start = i as u64 * 65_536;
            for portion in dealer.portions(&generator, start..start + deals).unwrap() {
                let mut keep = |packet: &Packet| packets.push(packet.clone());
                let scratch = &mut DealScratch::default();
                dealer
                    .deal(&generator, &portion, scratch, &mut keep)
                    .unwrap();
            }
            packets
        };
        deals.iter().enumerate().map(block).collect()
    }

    fn counted(isa: Isa, lags: &[usize], within: bool, blocks: &[Vec<Packet>]) -> Gram {
        let mut tallying = GramTallying::new(isa, lags, within);
        for block in blocks {
            block
                .iter()
                .for_each(|packet| tallying.count(packet, packet.deals()));
            tallying.end_block();
        }
        tallying.finish()
    }

    /// Returns the 156 signs of a deal from the seat of every card.
    fn signs(deal: &Deal) -> [i64; SIGN_ROWS] {
        let seat_of = |card: Card| {
            deal.hands()
                .iter()
                .position(|hand| hand.contains(card))
                .unwrap()
        };
        let seats: Vec<usize> = Card::all().map(seat_of).collect();
        std::array::from_fn(|row| {
            let sign = |bit: usize| 1 - 2 * (seats[row / 3] >> bit & 1) as i64;
            [sign(1), sign(0), sign(1) * sign(0)][row % 3]
        })
    }

    fn signs_of_block(packets: &[Packet]) -> Vec<[i64; SIGN_ROWS]> {
        let deals = packets
            .iter()
            .flat_map(|packet| (0..packet.deals()).map(|i| packet.deal(i)));
        deals.map(|deal| signs(&deal)).collect()
    }

    /// Checks product by product; lag 0 is within deals. Of many deals, every eleventh row of the
    /// first deals.
    fn assert_is_naive(sums: &SecondOrder, lag: usize, blocks: &[Vec<Packet>], whence: &str) {
        let every = if sums.pairs() < 3_000 { 1 } else { 11 };
        let mut pairs = 0;
        let mut products = vec![0; SIGN_ROWS * SIGN_ROWS];
        for block in blocks {
            let deals = signs_of_block(block);
            for (first, second) in deals.iter().zip(deals.iter().skip(lag)) {
                pairs += 1;
                for (products, a) in products.chunks_mut(SIGN_ROWS).zip(first).step_by(every) {
                    for (product, b) in products.iter_mut().zip(second) {
                        *product += a * b;
                    }
                }
            }
        }
        assert_eq!(sums.pairs(), pairs, "{whence}");
        for (place, product) in products.into_iter().enumerate() {
            let (a, b) = (place / SIGN_ROWS, place % SIGN_ROWS);
            if a % every == 0 {
                assert_eq!(
                    sums.product_of_rows(a, b),
                    product,
                    "{whence}, rows {a} and {b}"
                );
            }
        }
    }

    #[test]
    fn every_path_sums_as_one_product_after_the_other_does() {
        let chunk = GRAM_CHUNK as u64;
        let all = super::super::LAGS.as_slice();
        let ends = [1, LONGEST_LAG].as_slice();
        let cases: [(&[u64], &[usize]); 7] = [
            (&[1], all),
            (&[127, 128, 129], all),
            (&[1024 + 36], all),
            (&[3, 36, 37, 700], all),
            (&[chunk + 1, 1], ends),
            (&[2 * chunk + 37, 1025], ends),
            (&[], all),
        ];
        for (case, (deals, lags)) in cases.into_iter().enumerate() {
            let blocks = blocks(deals);
            for &isa in Isa::available() {
                let gram = counted(isa, lags, true, &blocks);
                let whence = format!("{isa}, blocks of {deals:?}");
                if isa == Isa::PORTABLE {
                    assert_is_naive(&gram.within, 0, &blocks, &format!("{whence}, within"));
                    // Naive sums are slow: each case checks some lags.
                    let some = |(i, _): &(usize, _)| (i + case) % 6 == 0 || *i == 6 || lags == ends;
                    for (_, (lag, sums)) in gram.lags.iter().enumerate().filter(some) {
                        assert_is_naive(sums, *lag, &blocks, &format!("{whence}, lag {lag}"));
                    }
                } else {
                    assert!(
                        gram == counted(Isa::PORTABLE, lags, true, &blocks),
                        "{whence}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_identities_hold_and_notice_a_change() {
        let blocks = blocks(&[300, 4200]);
        let mut first_order = [[0; Card::COUNT]; 3];
        for signs in blocks.iter().flat_map(|block| signs_of_block(block)) {
            for (row, sign) in signs.into_iter().enumerate() {
                first_order[row % 3][row / 3] += sign;
            }
        }
        let gram = counted(Isa::chosen(), &[1], true, &blocks);
        let (mut within, (_, mut lag)) = (gram.within, gram.lags[0].clone());
        assert!(within.identities_hold(&first_order) && lag.sums_vanish());
        within.differing[SIGN_ROWS * 5 + 17] += 1;
        lag.differing[SIGN_ROWS * 5 + 17] += 1;
        assert!(!within.identities_hold(&first_order) && !lag.sums_vanish());
    }

    #[test]
    fn parts_merge_into_the_whole() {
        let blocks = blocks(&[300, 200]);
        let (one, other) = blocks.split_at(1);
        let isa = Isa::chosen();
        let mut merged = counted(isa, &[1, 2], true, one);
        merged.merge(&counted(isa, &[1, 2], true, other));
        assert!(merged == counted(isa, &[1, 2], true, &blocks));
        let without = counted(isa, &[2], false, &blocks);
        assert_eq!(
            (without.within.pairs(), &without.lags[0]),
            (0, &merged.lags[1])
        );
    }

    #[test]
    fn products_are_found_by_sign_and_card() {
        let blocks = blocks(&[1]);
        let gram = counted(Isa::chosen(), &[], true, &blocks);
        let signs = signs(&blocks[0][0].deal(0));
        for (a, b) in Card::all().zip(Card::all().skip(20)) {
            let [first, second] = [3 * a.index() + 1, 3 * b.index() + 2];
            let product = signs[first] * signs[second];
            assert_eq!(gram.within.product_of_rows(first, second), product);
        }
    }

    #[test]
    #[should_panic(expected = "lags are 1 to 36")]
    fn a_lag_that_is_too_long_is_refused() {
        _ = GramTallying::new(Isa::PORTABLE, &[37], false);
    }
}
