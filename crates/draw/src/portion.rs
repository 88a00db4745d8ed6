//! Units of work of one worker: a block, or a node of a batch's split.

use std::ops::Range;

use super::{Generator, StreamId, StreamPurpose, WordsError};
use crate::count::Count;
use crate::kernels::CHUNK;

/// Maximum number of deals in a block, the unit of randomness.
pub const BLOCK_DEALS: u64 = 65_536;

/// Maximum number of deals in a run: a year and a half on one core, at 5 ns a deal. All counts of
/// such a run fit in their integers, and blocks begin below it.
pub const MOST_DEALS: u64 = 10_000_000_000_000_000;

/// A number of deals of a run.
pub type DealCount = Count<1, MOST_DEALS>;

/// Returns whether a 64-bit counter, signed or unsigned, has room for `most_of_a_deal` from each
/// deal of the longest run. Counters that grow by more than one per deal assert it where they are
/// defined.
pub const fn count_fits(most_of_a_deal: u64) -> bool {
    match MOST_DEALS.checked_mul(most_of_a_deal) {
        Some(count) => count <= i64::MAX as u64,
        None => false,
    }
}

/// Consecutive deals with their own streams, named by the first deal's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Number of the first deal in the run, from 0.
    pub first_deal: u64,
    /// Number of deals.
    pub deals: u64,
}

impl Block {
    /// Returns the block's stream with this purpose.
    pub(crate) fn stream(&self, purpose: StreamPurpose) -> StreamId {
        StreamId::new(self.first_deal, purpose, 0)
    }
}

/// Splits a batch into blocks, at the multiples of 65,536 deals.
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

/// Maximum number of draws in a leaf of the split, where the numbers themselves are drawn.
const LEAF_DRAWS: u64 = 4_096;

/// Of this number of draws of a batch, one is early.
pub const EARLY_SHARE: u64 = 8;

/// Maximum depth, so that node numbers fit in 28 bits.
const DEEPEST: u32 = 27;

/// The draws of a batch that fall in [index, index + 1) / 2^depth of [0, T).
///
/// To draw numbers in order, the number of draws in the left half of a part must be binomial. It is
/// the number of ones among as many random bits as there are draws, which is exact. Every node has
/// its own stream, so that any worker can take any node.
///
/// The bits are those of the draws, in their order, and a half keeps the order of its draws. The
/// *early* draws of a batch are its first eighth: in each node they come first, and together they
/// are as many independent draws from [0, T).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitNode {
    first_deal: u64,
    depth: u32,
    index: u64,
    draws: u64,
    early: u64,
}

impl SplitNode {
    /// Returns part `index` of 2^depth of the batch that begins with this deal, with `draws` draws;
    /// `None` if there is no such part.
    pub fn new(first_deal: u64, depth: u32, index: u64, draws: u64) -> Option<Self> {
        (depth <= DEEPEST && index >> depth == 0).then_some(Self {
            first_deal,
            depth,
            index,
            draws,
            early: draws / EARLY_SHARE,
        })
    }

    /// Returns the node of a whole batch.
    pub(crate) fn root(batch: &Range<u64>) -> Self {
        let draws = batch.end.saturating_sub(batch.start);
        Self {
            first_deal: batch.start,
            depth: 0,
            index: 0,
            draws,
            early: draws / EARLY_SHARE,
        }
    }

    /// Returns how often [0, 1) was halved.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the number of the part among those of its size.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// Returns the number of draws in the part.
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// Returns the number of the part's first draws that are early.
    pub(crate) fn early(&self) -> u64 {
        self.early
    }

    /// Returns the number of the first deal of the batch.
    pub fn first_deal(&self) -> u64 {
        self.first_deal
    }

    /// Returns whether the part is small enough to draw the numbers themselves.
    pub(crate) fn is_leaf(&self) -> bool {
        self.draws <= LEAF_DRAWS || self.depth == DEEPEST
    }

    /// Returns the node's stream with this purpose.
    pub fn stream(&self, purpose: StreamPurpose) -> StreamId {
        StreamId::new(
            self.first_deal,
            purpose,
            1 << self.depth | self.index as u32,
        )
    }

    /// Returns the two halves.
    ///
    /// # Errors
    ///
    /// [`WordsError`] if the words come from a file or pipe that ends or cannot be read.
    pub fn halves(&self, generator: &dyn Generator) -> Result<[Self; 2], WordsError> {
        let mut words = generator.words(self.stream(StreamPurpose::Split));
        let mut chunk = [0; CHUNK];
        let (mut left, mut early_left) = (0, 0);
        let (mut bits, mut early_bits) = (self.draws, self.early);
        // The lowest of 64 bits, and their number.
        let lowest = |bits: u64| {
            let taken = bits.min(64);
            (u64::MAX.checked_shr(64 - taken as u32).unwrap_or(0), taken)
        };
        while bits > 0 {
            words.fill(&mut chunk)?;
            for word in chunk {
                for (left, bits) in [(&mut left, &mut bits), (&mut early_left, &mut early_bits)] {
                    let (mask, taken) = lowest(*bits);
                    *left += u64::from((word & mask).count_ones());
                    *bits -= taken;
                }
            }
        }
        let half = |right: u64, draws, early| Self {
            depth: self.depth + 1,
            index: 2 * self.index + right,
            draws,
            early,
            ..*self
        };
        Ok([
            half(0, left, early_left),
            half(1, self.draws - left, self.early - early_left),
        ])
    }

    /// Splits the node into parts with at most one block's number of draws each, in order.
    ///
    /// # Errors
    ///
    /// [`WordsError`] if the words come from a file or pipe that ends or cannot be read.
    pub(crate) fn portions(self, generator: &dyn Generator) -> Result<Vec<Self>, WordsError> {
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
    use crate::{Aes128Ctr, RandomStream};

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
        for draws in [1, 2, 63, 64, 65, 128, 8_191, 8_192, 100_000] {
            let node = SplitNode {
                first_deal: 5,
                depth: 2,
                index: 3,
                draws,
                early: draws / 3,
            };
            let mut stream = RandomStream::new(&generator, node.stream(StreamPurpose::Split));
            let (mut left, mut early) = (0, 0);
            let mut word = 0;
            for bit in 0..draws {
                if bit % 64 == 0 {
                    word = stream.next_u64().unwrap();
                }
                left += word & 1;
                early += word & u64::from(bit < draws / 3);
                word >>= 1;
            }
            let [first, second] = node.halves(&generator).unwrap();
            assert_eq!((first.draws, second.draws), (left, draws - left));
            assert_eq!((first.early, second.early), (early, draws / 3 - early));
            assert_eq!([first.index, second.index], [6, 7]);
            assert_eq!([first.depth, second.depth], [3, 3]);
        }
    }

    #[test]
    fn portions_follow_each_other_and_hold_every_draw_once() {
        let generator = Aes128Ctr::new(4);
        let end = 1_500_000;
        let portions = SplitNode::root(&(1_000..end)).portions(&generator).unwrap();
        let draws: u64 = portions.iter().map(|node| node.draws).sum();
        assert_eq!(draws, end - 1_000);
        let start = |node: &SplitNode| node.index << (DEEPEST - node.depth);
        let end = |node: &SplitNode| (node.index + 1) << (DEEPEST - node.depth);
        assert_eq!(start(&portions[0]), 0);
        assert_eq!(portions.last().map(end), Some(1 << DEEPEST));
        assert!(
            portions
                .windows(2)
                .all(|pair| end(&pair[0]) == start(&pair[1]))
        );
    }
}
