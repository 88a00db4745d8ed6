//! What one worker deals at a time: a block, or a part of a batch's split.

use std::ops::Range;

use super::{Generator, Purpose, StreamId, WordsError};
use crate::kernels::CHUNK;

/// Most deals of a block, the unit of randomness.
pub const BLOCK_DEALS: u64 = 65_536;

/// Most deals of a run: a year and a half of one core's, at 5 ns a deal. Whatever is counted
/// of them fits in its integers, and blocks begin below it.
pub const MOST_DEALS: u64 = 10_000_000_000_000_000;

/// Whether a counter of 64 bits, with or without a sign, takes so much of every deal of the
/// longest run: counters that grow by more than one a deal assert it where they are.
pub(crate) const fn count_fits(most_of_a_deal: u64) -> bool {
    match MOST_DEALS.checked_mul(most_of_a_deal) {
        Some(count) => count <= i64::MAX as u64,
        None => false,
    }
}

/// Consecutive deals with streams of their own, named by the first deal's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Number of the first deal in the run, from 0.
    pub first_deal: u64,
    /// Number of deals.
    pub deals: u64,
}

impl Block {
    /// One of its streams.
    #[must_use]
    pub fn stream(&self, purpose: Purpose) -> StreamId {
        StreamId::new(self.first_deal, purpose, 0)
    }
}

/// The blocks of a batch: cut at the multiples of 65,536 deals and the batch's ends.
pub fn blocks(batch: Range<u64>) -> impl Iterator<Item = Block> {
    let mut start = batch.start;
    std::iter::from_fn(move || {
        if start >= batch.end {
            return None;
        }
        let end = ((start / BLOCK_DEALS + 1) * BLOCK_DEALS).min(batch.end);
        let block = Block {
            first_deal: start,
            deals: end - start,
        };
        start = end;
        Some(block)
    })
}

/// Most draws of a leaf of the split, where the numbers themselves are drawn.
const LEAF_DRAWS: u64 = 4_096;

/// As deep as nodes have numbers of 28 bits.
const DEEPEST: u32 = 27;

/// The draws of a batch that fall in [index, index + 1) / 2^depth of the way to T.
///
/// To draw numbers in order, the count that falls in the left half of a part
/// is binomial: the ones among as many random bits as there are draws, exactly.
/// Every node has a stream of its own, so that any worker can take any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    first_deal: u64,
    depth: u32,
    index: u64,
    draws: u64,
}

impl Node {
    /// The part `index` of 2^depth of the batch that begins with this deal, with
    /// so many draws; `None` if there is no such part.
    #[must_use]
    pub fn new(first_deal: u64, depth: u32, index: u64, draws: u64) -> Option<Self> {
        (depth <= DEEPEST && index >> depth == 0).then_some(Self {
            first_deal,
            depth,
            index,
            draws,
        })
    }

    /// All of a batch.
    #[must_use]
    pub fn root(batch: &Range<u64>) -> Self {
        Self {
            first_deal: batch.start,
            depth: 0,
            index: 0,
            draws: batch.end.saturating_sub(batch.start),
        }
    }

    /// How often [0, 1) was halved.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Which part of that size.
    #[must_use]
    pub fn index(&self) -> u64 {
        self.index
    }

    /// How many draws fall in it.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// Whether it is small enough to draw the numbers.
    #[must_use]
    pub fn is_leaf(&self) -> bool {
        self.draws <= LEAF_DRAWS || self.depth == DEEPEST
    }

    /// One of its streams.
    #[must_use]
    pub fn stream(&self, purpose: Purpose) -> StreamId {
        StreamId::new(
            self.first_deal,
            purpose,
            1 << self.depth | self.index as u32,
        )
    }

    /// Its two halves.
    ///
    /// # Errors
    ///
    /// [`WordsError`] where words are read and not computed.
    pub fn halves(&self, generator: &dyn Generator) -> Result<[Self; 2], WordsError> {
        let mut words = generator.words(self.stream(Purpose::Split));
        let mut chunk = [0; CHUNK];
        let mut left = 0;
        let mut bits = self.draws;
        while bits > 0 {
            words.fill(&mut chunk)?;
            for word in chunk {
                let taken = bits.min(64);
                // The lowest bits of the last word.
                let mask = u64::MAX.checked_shr(64 - taken as u32).unwrap_or(0);
                left += u64::from((word & mask).count_ones());
                bits -= taken;
            }
        }
        let half = |right: u64, draws| Self {
            depth: self.depth + 1,
            index: 2 * self.index + right,
            draws,
            ..*self
        };
        Ok([half(0, left), half(1, self.draws - left)])
    }

    /// The parts of at most a block's draws into which it is split, in order.
    ///
    /// # Errors
    ///
    /// [`WordsError`] where words are read and not computed.
    pub fn portions(self, generator: &dyn Generator) -> Result<Vec<Self>, WordsError> {
        if self.draws == 0 {
            return Ok(Vec::new());
        }
        if self.draws <= BLOCK_DEALS || self.depth == DEEPEST {
            return Ok(vec![self]);
        }
        let [left, right] = self.halves(generator)?;
        let (left, right) = if generator.is_one_sequence() {
            (left.portions(generator), right.portions(generator))
        } else {
            rayon::join(|| left.portions(generator), || right.portions(generator))
        };
        let mut portions = left?;
        portions.append(&mut right?);
        Ok(portions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Aes128Ctr, Stream};

    #[test]
    fn blocks_are_65536_deals_cut_at_the_batch_ends() {
        let deals = |batch| blocks(batch).map(|block| block.deals).collect::<Vec<_>>();
        assert_eq!(deals(0..16_384), [16_384]);
        assert_eq!(deals(16_384..32_768), [16_384]);
        assert_eq!(deals(65_536..200_000), [65_536, 65_536, 3_392]);
        assert_eq!(deals(60_000..70_000), [5_536, 4_464]);
        assert!(deals(7..7).is_empty());
    }

    #[test]
    fn the_left_half_has_as_many_draws_as_bits_are_set() {
        let generator = Aes128Ctr::new(3);
        let large = if cfg!(miri) { 8_193 } else { 100_000 };
        for draws in [1, 2, 63, 64, 65, 128, 8_191, 8_192, large] {
            let node = Node {
                first_deal: 5,
                depth: 2,
                index: 3,
                draws,
            };
            let mut stream = Stream::new(&generator, node.stream(Purpose::Split));
            let mut left = 0;
            let mut word = 0;
            for bit in 0..draws {
                if bit % 64 == 0 {
                    word = stream.next_u64().unwrap();
                }
                left += word & 1;
                word >>= 1;
            }
            let [first, second] = node.halves(&generator).unwrap();
            assert_eq!((first.draws, second.draws), (left, draws - left));
            assert_eq!([first.index, second.index], [6, 7]);
            assert_eq!([first.depth, second.depth], [3, 3]);
        }
    }

    #[test]
    fn portions_follow_each_other_and_hold_every_draw_once() {
        let generator = Aes128Ctr::new(4);
        let end = if cfg!(miri) { 200_000 } else { 1_500_000 };
        let portions = Node::root(&(1_000..end)).portions(&generator).unwrap();
        let draws: u64 = portions.iter().map(|node| node.draws).sum();
        assert_eq!(draws, end - 1_000);
        let start = |node: &Node| node.index << (DEEPEST - node.depth);
        let end = |node: &Node| (node.index + 1) << (DEEPEST - node.depth);
        assert_eq!(start(&portions[0]), 0);
        assert_eq!(portions.last().map(end), Some(1 << DEEPEST));
        assert!(
            portions
                .windows(2)
                .all(|pair| end(&pair[0]) == start(&pair[1]))
        );
    }
}
