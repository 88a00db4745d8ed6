//! Whatever deals the portions of a run.

use std::ops::Range;

use super::{
    Dealer, DrawError, Generator, Packet, Path, Portion, Purpose, Scratch, Stream, StreamId,
    WordsError, blocks,
};

/// Deals of a run, portion by portion: a dealer with its generator, or one that
/// is broken on purpose.
///
/// A portion's deals follow from the portion alone, so that any worker may deal it.
pub trait Source: Sync {
    /// What the workers are to deal of a batch, which together is all of it: its blocks,
    /// unless a source knows better.
    ///
    /// # Errors
    ///
    /// [`DrawError`] where random words are read and not computed.
    fn portions(&self, batch: Range<u64>) -> Result<Vec<Portion>, DrawError> {
        Ok(blocks(batch).map(Portion::Block).collect())
    }

    /// Deals a portion, a packet at a time.
    ///
    /// # Errors
    ///
    /// [`DrawError`] if the case file was altered, or the words ended.
    fn deal(
        &self,
        portion: &Portion,
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError>;

    /// The instructions it uses.
    fn path(&self) -> Path;

    /// Whether all portions have to be dealt in order, by one thread.
    fn is_one_sequence(&self) -> bool {
        false
    }
}

/// A dealer and the words that it deals by.
#[derive(Debug)]
pub struct Seeded<'a, 'f, D> {
    /// The dealer.
    pub dealer: &'a Dealer<'f, D>,
    /// Its random words.
    pub generator: &'a dyn Generator,
}

impl<D: AsRef<[u8]> + Sync> Source for Seeded<'_, '_, D> {
    fn portions(&self, batch: Range<u64>) -> Result<Vec<Portion>, DrawError> {
        Ok(self.dealer.portions(self.generator, batch)?)
    }

    fn deal(
        &self,
        portion: &Portion,
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError> {
        self.dealer.deal(self.generator, portion, scratch, sink)
    }

    fn path(&self) -> Path {
        self.dealer.path()
    }

    fn is_one_sequence(&self) -> bool {
        self.generator.is_one_sequence()
    }
}

/// Deals of a source, with seeds for their random draws if a script has any (`rnd`).
///
/// A portion's seeds are a stream of their own, two words a deal in the order in which the
/// deals are dealt: functions of the seed of the run and the portion, as the cards are.
#[derive(Debug)]
pub struct WithDraws<'a, S: ?Sized> {
    source: &'a S,
    generator: &'a dyn Generator,
    has_draws: bool,
}

impl<'a, S: ?Sized> WithDraws<'a, S> {
    /// The deals of this source; the words of seeds are the generator's.
    pub fn new(source: &'a S, generator: &'a dyn Generator, has_draws: bool) -> Self {
        Self {
            source,
            generator,
            has_draws,
        }
    }
}

impl<S: Source + ?Sized> Source for WithDraws<'_, S> {
    fn portions(&self, batch: Range<u64>) -> Result<Vec<Portion>, DrawError> {
        self.source.portions(batch)
    }

    fn deal(
        &self,
        portion: &Portion,
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError> {
        if !self.has_draws {
            return self.source.deal(portion, scratch, sink);
        }
        let id = match portion {
            Portion::Block(block) => block.stream(Purpose::Draws),
            Portion::Node(node) => node.stream(Purpose::Draws),
        };
        // All of them first: of words that are read, the deals' come after.
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

    fn path(&self) -> Path {
        self.source.path()
    }

    fn is_one_sequence(&self) -> bool {
        self.source.is_one_sequence()
    }
}

/// Seeds for the random draws of this number of deals.
pub(crate) fn seeds(
    generator: &dyn Generator,
    id: StreamId,
    deals: u64,
) -> Result<Vec<[u64; 2]>, WordsError> {
    let mut stream = Stream::new(generator, id);
    let mut seed = |_| Ok([stream.next_u64()?, stream.next_u64()?]);
    (0..deals).map(&mut seed).collect()
}
