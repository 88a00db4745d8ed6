//! Whatever deals the portions of a run.

use std::ops::Range;

use super::{Dealer, DrawError, Generator, Packet, Path, Portion, Scratch, blocks};

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
