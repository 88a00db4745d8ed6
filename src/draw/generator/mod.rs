//! Where random words come from: counter-based streams by name, or a file of words.

mod aes;
mod chacha;
mod philox;
mod raw;
mod xoshiro;

pub use aes::Aes128Ctr;
pub use chacha::ChaCha8;
pub use philox::Philox4x32;
pub use raw::RawWords;
pub use xoshiro::Xoshiro256PlusPlus;

use std::fmt;
use std::sync::Arc;

use crate::kernels::CHUNK;

/// One of the streams of a generator: a block or batch, by its first deal's
/// number in the run, and what the words are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamId {
    /// Number of the first deal.
    pub first_deal: u64,
    /// What for: see [`Purpose`].
    pub lane: u32,
}

/// What a stream's words are for. Each purpose has 2^28 lanes: one for each
/// node of a batch's split, or lane 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Purpose {
    /// Which 26 cards are north-south's.
    Sides = 0,
    /// Which thirteen of 26 cards are whose.
    Halves = 1,
    /// How many of a node's draws fall in its left half.
    Split = 2,
    /// Numbers that select cases.
    Numbers = 3,
    /// Cards of the listed hands.
    Cards = 4,
    /// Bits that are seldom needed, in the order in which they are.
    More = 5,
    /// Putting deals into random order.
    Order = 6,
    /// Whatever else is drawn, one deal or number at a time.
    Plain = 7,
    /// Seeds of the deals' random draws (`rnd`).
    Draws = 8,
    /// Keys of generators that take the default one's words for a seed.
    Key = 15,
}

impl StreamId {
    /// The stream for this purpose of a block or batch, or of one of its nodes.
    ///
    /// # Panics
    ///
    /// In debug builds, if the node's number takes more than 28 bits.
    #[must_use]
    pub const fn new(first_deal: u64, purpose: Purpose, node: u32) -> Self {
        debug_assert!(node < 1 << 28);
        Self {
            first_deal,
            lane: (purpose as u32) << 28 | node,
        }
    }
}

/// Rejected words, one after the other, after which no more are tried. The
/// least that is accepted of random words anywhere is three in ten.
pub(super) const REJECTED_IN_A_ROW: usize = 10_000;

/// Random words cannot be had.
#[derive(Clone, Debug, thiserror::Error)]
pub enum WordsError {
    /// A file or pipe of words came to its end before the run did.
    #[error("{0} ended after {1} words (128 are read at a time)")]
    Ended(String, u64),
    /// So many words in a row were rejected that no source of random words gives them.
    #[error("the words are not random; {REJECTED_IN_A_ROW} in a row were rejected")]
    Stuck,
    /// A file or pipe could not be read.
    #[error("{0} cannot be read")]
    Io(String, #[source] Arc<std::io::Error>),
}

/// The words of one stream, in order.
pub trait Words {
    /// The next words.
    ///
    /// # Errors
    ///
    /// [`WordsError`] where they are read and not computed.
    fn fill(&mut self, words: &mut [u64; CHUNK]) -> Result<(), WordsError>;
}

/// A source of independent streams of uniform random words.
pub trait Generator: fmt::Debug + Send + Sync {
    /// Its name in options and reports.
    fn name(&self) -> String;

    /// One of its streams, from its first word.
    fn words(&self, id: StreamId) -> Box<dyn Words + '_>;

    /// Whether all streams are cut from one sequence in the order in which
    /// they are asked for, so that a run has to be dealt by one thread.
    fn is_one_sequence(&self) -> bool {
        false
    }
}

/// The generators that a seed makes, by name; the first is the default.
pub const GENERATORS: [&str; 4] = ["aes128ctr", "chacha8", "philox4x32", "xoshiro256++"];

/// The generator of this name and seed, if there is one of that name.
#[must_use]
pub fn seeded(name: &str, seed: u128) -> Option<Box<dyn Generator>> {
    Some(match name {
        "aes128ctr" => Box::new(Aes128Ctr::new(seed)),
        "chacha8" => Box::new(ChaCha8::new(seed)),
        "philox4x32" => Box::new(Philox4x32::new(seed)),
        "xoshiro256++" => Box::new(Xoshiro256PlusPlus::new(seed)),
        _ => return None,
    })
}

/// Words of a stream one by one.
pub struct Stream<'g> {
    words: Box<dyn Words + 'g>,
    chunk: [u64; CHUNK],
    next: usize,
}

impl fmt::Debug for Stream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").finish_non_exhaustive()
    }
}

impl<'g> Stream<'g> {
    /// The stream of that id.
    #[must_use]
    pub fn new(generator: &'g dyn Generator, id: StreamId) -> Self {
        Self {
            words: generator.words(id),
            chunk: [0; CHUNK],
            next: CHUNK,
        }
    }

    /// The next 64 random bits.
    ///
    /// # Errors
    ///
    /// [`WordsError`] where words are read and not computed.
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

    fn words(generator: &dyn Generator, id: StreamId, count: usize) -> Vec<u64> {
        let mut stream = Stream::new(generator, id);
        (0..count).map(|_| stream.next_u64().unwrap()).collect()
    }

    #[test]
    fn streams_seeds_and_generators_differ_and_repeat() {
        let id = |first_deal, lane| StreamId { first_deal, lane };
        let mut seen = Vec::new();
        for name in GENERATORS {
            for seed in [0, 1, 1 << 64, u128::MAX] {
                let generator = seeded(name, seed).unwrap();
                assert_eq!(generator.name(), name);
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
        assert!(seeded("mt19937", 0).is_none());
    }

    #[test]
    #[cfg_attr(miri, ignore = "statistics need many words")]
    fn every_bit_of_every_generator_is_set_half_the_time() {
        // Five standard deviations of 64 × 4 counts are one failure in 7,000 seeds.
        const WORDS: usize = 1 << 14;
        for name in GENERATORS {
            let generator = seeded(name, 3).unwrap();
            let words = words(&*generator, StreamId::new(0, Purpose::Plain, 0), WORDS);
            for bit in 0..64 {
                let ones = words.iter().filter(|word| *word >> bit & 1 == 1).count();
                assert!(
                    ones.abs_diff(WORDS / 2) < 5 * 64,
                    "{name}, bit {bit}: {ones}"
                );
            }
        }
    }
}
