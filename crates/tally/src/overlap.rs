//! Cards that keep their seat, or move from one seat to another, between deals at a lag.

use std::iter;

use serde::{Deserialize, Serialize};

use super::add;
use crate::bridge::{Deal, Seat};
use crate::draw::{Isa, Packet, count_fits};
use crate::kernels::{self, BEFORE, OVERLAP_CHUNK, Overlap, OverlapHands, OverlapSquares};

pub use crate::kernels::LAGS;

/// Two deals have at most thirteen cards in common at a seat of one and a seat of the other, and the
/// squares of a table sum to at most 676.
const _: () = assert!(count_fits(676));

/// For several lags, the number of cards that each seat holds in the earlier deal and each seat
/// holds in the later one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overlaps {
    pairs: [u64; LAGS.len()],
    cards: [[[u64; 4]; 4]; LAGS.len()],
    squares: Squares,
}

/// For several lags, the sums of squares of the tables of single pairs of deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Squares {
    pairs: [u64; LAGS.len()],
    /// Less 169 for each pair.
    sums: OverlapSquares,
}

/// Counts overlaps packet by packet; `OverlapTallying::finish` returns them.
///
/// Only deals of the same block are compared.
#[derive(Clone, Debug)]
pub struct OverlapTallying {
    isa: Isa,
    /// Hands of north, east and south; the first up to 40 deals are already counted.
    hands: Box<OverlapHands>,
    /// Number of deals that wait, and number of deals of the block that are counted.
    waiting: usize,
    counted: u64,
    pairs: [u64; LAGS.len()],
    overlap: Overlap,
    /// Whether tables of single pairs are squared in this block.
    squared: bool,
    squares: Squares,
}

impl OverlapTallying {
    /// Creates a counter with the kernels of `path`.
    pub fn new(isa: Isa) -> Self {
        Self {
            isa,
            hands: Box::default(),
            waiting: 0,
            counted: 0,
            pairs: [0; LAGS.len()],
            overlap: Overlap::default(),
            squared: true,
            squares: Squares::default(),
        }
    }

    /// Begins a block, and says whether to square the tables of its pairs.
    pub(crate) fn begin_block(&mut self, squared: bool) {
        self.squared = squared;
    }

    /// Compares the deals of a packet with earlier deals of the block.
    pub fn count(&mut self, packet: &Packet) {
        let deals = packet.deals();
        if self.waiting + deals > OVERLAP_CHUNK {
            self.compare();
        }
        let start = BEFORE + self.waiting;
        let [north, east, south] = self
            .hands
            .0
            .each_mut()
            .map(|column| &mut column[start..][..deals]);
        north.copy_from_slice(&packet.north[..deals]);
        east.copy_from_slice(&packet.east[..deals]);
        let sides = packet.north_south.iter().zip(&packet.north);
        for (south, (both, north)) in south.iter_mut().zip(sides) {
            *south = both & !north;
        }
        self.waiting += deals;
    }

    /// Ends a block: deals of different blocks are not compared.
    pub fn end_block(&mut self) {
        self.compare();
        let squared = self.squared.then_some(&mut self.squares.pairs);
        for all in iter::once(&mut self.pairs).chain(squared) {
            for (pairs, lag) in all.iter_mut().zip(LAGS) {
                *pairs += self.counted.saturating_sub(lag as u64);
            }
        }
        self.counted = 0;
        for column in &mut self.hands.0 {
            column[..BEFORE].fill(0);
        }
    }

    /// Returns the counts.
    pub fn finish(mut self) -> Overlaps {
        self.end_block();
        let mut cards = [[[0; 4]; 4]; LAGS.len()];
        for ((table, counted), pairs) in cards.iter_mut().zip(&self.overlap).zip(self.pairs) {
            // Each hand has thirteen cards, so rows and columns have known sums.
            let all = 13 * pairs;
            let [north, east, south, west] = Seat::ALL.map(Seat::index);
            for (row, counted) in table.iter_mut().zip(counted) {
                row[..west].copy_from_slice(counted);
                row[west] = all.wrapping_sub(counted.iter().sum());
            }
            table[west] = [north, east, south, west].map(|seat| {
                let held = table[..west].iter().map(|row| row[seat]);
                held.fold(all, u64::wrapping_sub)
            });
        }
        Overlaps {
            pairs: self.pairs,
            cards,
            squares: self.squares,
        }
    }

    /// Compares waiting deals with those before them.
    fn compare(&mut self) {
        if self.waiting == 0 {
            return;
        }
        let end = BEFORE + self.waiting;
        for column in &mut self.hands.0 {
            column[end..].fill(0);
        }
        kernels::count_overlap(self.isa, &self.hands, self.waiting, &mut self.overlap);
        if self.squared {
            let before = self.counted as usize;
            let sums = &mut self.squares.sums;
            kernels::sum_squares(self.isa, &self.hands, before, self.waiting, sums);
        }
        for column in &mut self.hands.0 {
            column.copy_within(self.waiting..end, 0);
        }
        self.counted += self.waiting as u64;
        self.waiting = 0;
    }
}

impl Overlaps {
    /// Adds one pair of deals at the lag [`LAGS`]`[lag]`; a collection may define its pairs
    /// otherwise.
    ///
    /// # Panics
    ///
    /// If there are fewer lags.
    pub fn add(&mut self, lag: usize, first: &Deal, second: &Deal) {
        self.pairs[lag] += 1;
        self.squares.pairs[lag] += 1;
        let mut squares = 0;
        for (row, held) in self.cards[lag].iter_mut().zip(first.hands()) {
            for (cards, holds) in row.iter_mut().zip(second.hands()) {
                let both = u64::from(held.intersection(*holds).len());
                *cards += both;
                squares += both * both;
            }
        }
        self.squares.sums[lag] += squares - 169;
    }

    /// Returns the number of pairs of deals at the lag [`LAGS`]`[lag]`.
    ///
    /// # Panics
    ///
    /// If there are fewer lags.
    pub fn pairs(&self, lag: usize) -> u64 {
        self.pairs[lag]
    }

    /// Returns the number of cards that `first` holds in the first deal and `second` in the second,
    /// over all pairs at the lag [`LAGS`]`[lag]`.
    ///
    /// # Panics
    ///
    /// If there are fewer lags.
    pub fn cards(&self, lag: usize, first: Seat, second: Seat) -> u64 {
        self.cards[lag][first.index()][second.index()]
    }

    /// Returns the table of one lag, by seat of the first deal and seat of the second.
    ///
    /// # Panics
    ///
    /// If there are fewer lags.
    pub fn table(&self, lag: usize) -> &[[u64; 4]; 4] {
        &self.cards[lag]
    }

    /// Returns the number of pairs of deals at the lag [`LAGS`]`[lag]` whose tables are squared, and
    /// the sum of these squares.
    ///
    /// # Panics
    ///
    /// If there are fewer lags.
    pub fn squares(&self, lag: usize) -> (u64, u64) {
        let pairs = self.squares.pairs[lag];
        (pairs, 169 * pairs + self.squares.sums[lag])
    }

    /// Adds the counts of other pairs.
    pub fn merge(&mut self, other: &Self) {
        let mine = self.cards.as_flattened_mut().as_flattened_mut();
        add(mine, other.cards.as_flattened().as_flattened());
        add(&mut self.pairs, &other.pairs);
        add(&mut self.squares.pairs, &other.squares.pairs);
        add(&mut self.squares.sums, &other.squares.sums);
    }

    /// Returns whether every row and column of every table sums to thirteen cards per pair.
    pub fn identities_hold(&self) -> bool {
        self.cards.iter().zip(self.pairs).all(|(table, pairs)| {
            let all = 13 * u128::from(pairs);
            (0..4).all(|seat| {
                let sum = |count: &dyn Fn(usize) -> u64| {
                    (0..4).map(|i| u128::from(count(i))).sum::<u128>()
                };
                sum(&|i| table[seat][i]) == all && sum(&|i| table[i][seat]) == all
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::Deal;
    use crate::draw::{Aes128Ctr, DealScratch, Dealer};

    fn block(start: u64, deals: u64) -> Vec<Packet> {
        let generator = Aes128Ctr::new(2);
        let dealer = Dealer::<Vec<u8>>::unconstrained();
        let mut packets = Vec::new();
        for portion in dealer.portions(&generator, start..start + deals).unwrap() {
            let mut keep = |packet: &Packet| packets.push(packet.clone());
            let scratch = &mut DealScratch::default();
            dealer
                .deal(&generator, &portion, scratch, &mut keep)
                .unwrap();
        }
        packets
    }

    fn counted(isa: Isa, blocks: &[Vec<Packet>]) -> Overlaps {
        let mut tallying = OverlapTallying::new(isa);
        for block in blocks {
            block.iter().for_each(|packet| tallying.count(packet));
            tallying.end_block();
        }
        tallying.finish()
    }

    /// Counts one pair of hands after the other.
    fn naive(blocks: &[Vec<Packet>]) -> Overlaps {
        let mut overlaps = Overlaps::default();
        for block in blocks {
            let deals = block
                .iter()
                .flat_map(|packet| (0..packet.deals()).map(|i| packet.deal(i)));
            let deals: Vec<Deal> = deals.collect();
            for (i, lag) in LAGS.into_iter().enumerate() {
                for (first, second) in deals.iter().zip(deals.iter().skip(lag)) {
                    overlaps.add(i, first, second);
                }
            }
        }
        overlaps
    }

    #[test]
    fn every_path_counts_as_one_hand_after_the_other_does() {
        let chunk = OVERLAP_CHUNK as u64;
        let cases: [&[u64]; 10] = [
            &[1],
            &[36],
            &[37],
            &[127],
            &[128],
            &[129],
            &[chunk],
            &[chunk + 1],
            &[2048 + 36],
            &[5000, 3, 36, 37, 700, 65_536],
        ];
        for deals in cases {
            let blocks: Vec<_> = deals
                .iter()
                .enumerate()
                .map(|(i, deals)| block(65_536 * i as u64, *deals))
                .collect();
            let naive = naive(&blocks);
            assert!(naive.identities_hold());
            for &isa in Isa::available() {
                assert_eq!(counted(isa, &blocks), naive, "{isa}, blocks of {deals:?}");
            }
        }
    }

    #[test]
    fn parts_merge_into_the_whole() {
        let blocks = [block(0, 300), block(65_536, 200)];
        let isa = Isa::chosen();
        let mut merged = counted(isa, &blocks[..1]);
        merged.merge(&counted(isa, &blocks[1..]));
        let whole = counted(isa, &blocks);
        assert_eq!(merged, whole);
        assert_eq!(whole.pairs(6), 300 - 36 + 200 - 36);
        assert_eq!(whole.cards(6, Seat::East, Seat::West), whole.table(6)[1][3]);
    }

    #[test]
    fn the_identities_notice_a_change() {
        let mut overlaps = counted(Isa::chosen(), &[block(0, 300)]);
        overlaps.cards[2][1][3] += 1;
        assert!(!overlaps.identities_hold());
    }
}
