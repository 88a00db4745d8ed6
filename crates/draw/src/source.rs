//! Sources of the deals of a run.

use std::ops::Range;

use super::{
    DealScratch, Dealer, DrawError, Generator, Isa, Packet, Portion, RandomStream, StreamId,
    StreamPurpose, WordsError, blocks,
};

/// Deals of a run, portion by portion: a dealer with its generator, or a deliberately broken
/// dealer.
///
/// A portion's deals depend only on the portion, so that any worker can deal it.
pub trait DealSource: Sync {
    /// Returns the portions of a batch for the workers. Together they are the whole batch: its
    /// blocks, unless a source splits it otherwise.
    ///
    /// # Errors
    ///
    /// [`DrawError`] if the words come from a file or pipe that ends or cannot be read.
    fn portions(&self, batch: Range<u64>) -> Result<Vec<Portion>, DrawError> {
        Ok(blocks(batch).map(Portion::Block).collect())
    }

    /// Deals a portion, a packet at a time.
    ///
    /// # Errors
    ///
    /// [`DrawError`] if the case file was modified, or the words ended.
    fn deal(
        &self,
        portion: &Portion,
        scratch: &mut DealScratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError>;

    /// Returns the instruction set that the source uses.
    fn isa(&self) -> Isa;

    /// Returns whether one thread must deal all portions in order.
    fn is_one_sequence(&self) -> bool {
        false
    }
}

/// A dealer with its random words.
#[derive(Debug)]
pub struct Seeded<'a, 'f, D> {
    /// The dealer.
    pub dealer: &'a Dealer<'f, D>,
    /// Its random words.
    pub generator: &'a dyn Generator,
}

impl<D: AsRef<[u8]> + Sync> DealSource for Seeded<'_, '_, D> {
    fn portions(&self, batch: Range<u64>) -> Result<Vec<Portion>, DrawError> {
        Ok(self.dealer.portions(self.generator, batch)?)
    }

    fn deal(
        &self,
        portion: &Portion,
        scratch: &mut DealScratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError> {
        self.dealer.deal(self.generator, portion, scratch, sink)
    }

    fn isa(&self) -> Isa {
        self.dealer.isa()
    }

    fn is_one_sequence(&self) -> bool {
        self.generator.is_one_sequence()
    }
}

/// Deals of a source, with seeds for their random draws (`rnd`) if a script has any.
///
/// A portion's seeds are a separate stream with two words per deal, in the order of the deals. Like
/// the cards, they depend only on the seed of the run and on the portion.
#[derive(Debug)]
pub struct WithDraws<'a, S: ?Sized> {
    source: &'a S,
    generator: &'a dyn Generator,
    has_draws: bool,
}

impl<'a, S: ?Sized> WithDraws<'a, S> {
    /// Adds seeds from the generator's words to the deals of this source.
    pub fn new(source: &'a S, generator: &'a dyn Generator, has_draws: bool) -> Self {
        Self {
            source,
            generator,
            has_draws,
        }
    }
}

impl<S: DealSource + ?Sized> DealSource for WithDraws<'_, S> {
    fn portions(&self, batch: Range<u64>) -> Result<Vec<Portion>, DrawError> {
        self.source.portions(batch)
    }

    fn deal(
        &self,
        portion: &Portion,
        scratch: &mut DealScratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError> {
        if !self.has_draws {
            return self.source.deal(portion, scratch, sink);
        }
        let id = match portion {
            Portion::Block(block) => block.stream(StreamPurpose::Draws),
            Portion::Node(node) => node.stream(StreamPurpose::Draws),
        };
        // All seeds first: if words are read from a file, the words of the deals come after them.
        let seeds = seeds(self.generator, id, portion.deals())?;
        let (mut dealt, mut packet) = (0, Packet::default());
        self.source.deal(portion, scratch, &mut |bare| {
            packet.clear();
            packet.append(bare, bare.places());
            packet.set_seeds(&seeds[dealt..][..bare.deals()]);
            dealt += bare.deals();
            sink(&packet);
        })
    }

    fn isa(&self) -> Isa {
        self.source.isa()
    }

    fn is_one_sequence(&self) -> bool {
        self.source.is_one_sequence()
    }
}

/// Returns seeds for the random draws of this number of deals.
pub fn seeds(
    generator: &dyn Generator,
    id: StreamId,
    deals: u64,
) -> Result<Vec<[u64; 2]>, WordsError> {
    let mut stream = RandomStream::new(generator, id);
    let mut seed = |_| Ok([stream.next_u64()?, stream.next_u64()?]);
    (0..deals).map(&mut seed).collect()
}
