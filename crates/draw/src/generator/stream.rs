//! Streams of random words.

use std::fmt;
use std::sync::Arc;

use crate::kernels::CHUNK;

/// Identifier of a stream: the number of the first deal of a block or batch, and the purpose of the
/// words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamId {
    /// Number of the first deal in the run.
    pub first_deal: u64,
    /// Purpose and node: see [`StreamPurpose`].
    pub lane: u32,
}

/// Purpose of a stream's words. Each purpose has 2^28 lanes: one for each node of a batch's split,
/// or lane 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum StreamPurpose {
    /// Selection of the 26 cards of north-south.
    Sides = 0,
    /// Selection of 13 of 26 cards.
    Halves = 1,
    /// Number of a node's draws in its left half.
    Split = 2,
    /// Numbers that select cases or cells.
    Numbers = 3,
    /// Cards of the listed hands.
    Cards = 4,
    /// Bits that are rarely needed, in the order of use.
    More = 5,
    /// Random order of deals.
    Order = 6,
    /// Anything else, one deal or number at a time.
    Plain = 7,
    /// Seeds of the deals' random draws (`rnd`).
    Draws = 8,
    /// Seats by which the hands of boards move (`--rotate`).
    Turns = 9,
    /// Types of the deals of a mix.
    Types = 10,
    /// Keys of generators that are seeded with words of the default generator.
    Key = 15,
}

impl StreamId {
    /// Returns the stream with this purpose for a block or batch, or for one of its nodes.
    ///
    /// # Panics
    ///
    /// In debug builds, if the node's number takes more than 28 bits.
    pub const fn new(first_deal: u64, purpose: StreamPurpose, node: u32) -> Self {
        debug_assert!(node < 1 << 28);
        Self {
            first_deal,
            lane: (purpose as u32) << 28 | node,
        }
    }
}

/// Number of consecutive rejected words after which a draw gives up. With random words, the lowest
/// acceptance rate is three in ten.
pub(crate) const REJECTED_IN_A_ROW: usize = 10_000;

/// Reason why random words are not available.
#[derive(Clone, Debug, thiserror::Error)]
pub enum WordsError {
    /// A file or pipe of words ended before the run did. Holds its name and the number of words.
    #[error("{0} ended after {1} words (128 are read at a time)")]
    Ended(String, u64),
    /// More consecutive words were rejected than a random source would cause.
    #[error("the words are not random; {REJECTED_IN_A_ROW} in a row were rejected")]
    Stuck,
    /// A file or pipe could not be read.
    #[error("{0} cannot be read")]
    Io(String, #[source] Arc<std::io::Error>),
}

/// The words of one stream, in order.
pub trait WordSource {
    /// Fills the chunk with the next words.
    ///
    /// # Errors
    ///
    /// [`WordsError`] if the words come from a file or pipe that ends or cannot be read.
    fn fill(&mut self, words: &mut [u64; CHUNK]) -> Result<(), WordsError>;
}

impl<F: FnMut(&mut [u64; CHUNK]) -> Result<(), WordsError>> WordSource for F {
    fn fill(&mut self, words: &mut [u64; CHUNK]) -> Result<(), WordsError> {
        self(words)
    }
}

/// A source of independent streams of uniform random words.
pub trait Generator: fmt::Debug + Send + Sync {
    /// Returns the name in options and reports.
    fn name(&self) -> String;

    /// Returns a stream, from its first word.
    fn words(&self, id: StreamId) -> Box<dyn WordSource + '_>;

    /// Returns whether all streams are taken from one sequence in the order of use, so that one
    /// thread must deal the whole run.
    fn is_one_sequence(&self) -> bool {
        false
    }
}

impl<G: Generator + ?Sized> Generator for &G {
    fn name(&self) -> String {
        (**self).name()
    }

    fn words(&self, id: StreamId) -> Box<dyn WordSource + '_> {
        (**self).words(id)
    }

    fn is_one_sequence(&self) -> bool {
        (**self).is_one_sequence()
    }
}

/// The words of a stream, one by one.
pub struct RandomStream<'g> {
    words: Box<dyn WordSource + 'g>,
    chunk: [u64; CHUNK],
    next: usize,
}

impl fmt::Debug for RandomStream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").finish_non_exhaustive()
    }
}

impl<'g> RandomStream<'g> {
    /// Returns the stream with this id.
    pub fn new(generator: &'g dyn Generator, id: StreamId) -> Self {
        Self {
            words: generator.words(id),
            chunk: [0; CHUNK],
            next: CHUNK,
        }
    }

    /// Returns the next 64 random bits.
    ///
    /// # Errors
    ///
    /// [`WordsError`] if the words come from a file or pipe that ends or cannot be read.
    #[inline]
    pub fn next_u64(&mut self) -> Result<u64, WordsError> {
        if self.next == CHUNK {
            self.words.fill(&mut self.chunk)?;
            self.next = 0;
        }
        let word = self.chunk[self.next];
        self.next += 1;
        Ok(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeededGenerator;

    fn words(generator: &dyn Generator, id: StreamId, count: usize) -> Vec<u64> {
        let mut stream = RandomStream::new(generator, id);
        (0..count).map(|_| stream.next_u64().unwrap()).collect()
    }

    #[test]
    fn streams_seeds_and_generators_differ_and_repeat() {
        let id = |first_deal, lane| StreamId { first_deal, lane };
        let mut seen = Vec::new();
        for kind in SeededGenerator::ALL {
            for seed in [0, 1, 1 << 64, u128::MAX] {
                let generator = kind.with_seed(seed);
                assert_eq!(generator.name(), kind.name());
                for id in [id(0, 0), id(0, 1), id(1, 0), id(1 << 40, 1 << 31)] {
                    let first = words(&*generator, id, 130);
                    assert_eq!(first, words(&*generator, id, 130));
                    seen.push(first[..2].to_vec());
                    seen.push(first[128..].to_vec());
                }
            }
        }
        let all = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), all);
    }

    #[test]
    fn every_bit_of_every_generator_is_set_half_the_time() {
        // A limit of five standard deviations for 64 × 4 counts fails for one seed in 7,000.
        const WORDS: usize = 1 << 14;
        for kind in SeededGenerator::ALL {
            let generator = kind.with_seed(3);
            let words = words(
                &*generator,
                StreamId::new(0, StreamPurpose::Plain, 0),
                WORDS,
            );
            for bit in 0..64 {
                let ones = words.iter().filter(|word| *word >> bit & 1 == 1).count();
                assert!(
                    ones.abs_diff(WORDS / 2) < 5 * 64,
                    "{kind:?}, bit {bit}: {ones}"
                );
            }
        }
    }
}
