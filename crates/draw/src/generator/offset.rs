//! Streams of one generator for several populations.

use super::{Generator, StreamId, WordSource};

/// Bits of a stream's first deal that number the deal; those above number the population.
const DEAL_BITS: u32 = 56;
const _: () = assert!(crate::MOST_DEALS < 1 << DEAL_BITS);

/// The streams of a generator for one of up to 256 populations that share it: deals with the same
/// number have different streams in different populations. Population 0 has the usual streams.
///
/// A generator with one sequence keeps it, in the order of use.
#[derive(Debug)]
pub struct OffsetStreams<'g> {
    generator: &'g dyn Generator,
    population: u8,
}

impl<'g> OffsetStreams<'g> {
    /// Returns the streams of the population with this number.
    pub fn new(generator: &'g dyn Generator, population: u8) -> Self {
        Self {
            generator,
            population,
        }
    }
}

impl Generator for OffsetStreams<'_> {
    fn name(&self) -> String {
        self.generator.name()
    }

    fn words(&self, id: StreamId) -> Box<dyn WordSource + '_> {
        debug_assert!(id.first_deal >> DEAL_BITS == 0);
        let first_deal = u64::from(self.population) << DEAL_BITS | id.first_deal;
        self.generator.words(StreamId { first_deal, ..id })
    }

    fn is_one_sequence(&self) -> bool {
        self.generator.is_one_sequence()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Aes128Ctr, RandomStream, StreamPurpose};

    #[test]
    fn every_population_has_streams_of_its_own() {
        let generator = Aes128Ctr::new(1);
        let word = |generator: &dyn Generator| {
            let id = StreamId::new(1 << 16, StreamPurpose::Plain, 0);
            RandomStream::new(generator, id).next_u64().unwrap()
        };
        let words = (0..=255).map(|population| word(&OffsetStreams::new(&generator, population)));
        let words: Vec<u64> = words.collect();
        assert_eq!(words[0], word(&generator));
        let different: std::collections::BTreeSet<u64> = words.iter().copied().collect();
        assert_eq!(different.len(), 256);
    }
}
