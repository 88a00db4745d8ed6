//! A defect as the source of a run.

use super::{Defect, DefectError};
use crate::draw::{Block, DealScratch, DealSource, DrawError, Isa, Packet, Portion};
use crate::population::cases::CaseFile;

/// A defect with its seed and its case file, if it needs one.
#[derive(Debug)]
pub struct Defective<'f, D> {
    defect: &'static Defect,
    seed: u128,
    file: Option<&'f CaseFile<D>>,
}

impl<'f, D: AsRef<[u8]> + Sync> Defective<'f, D> {
    /// Creates a source of this defect's deals.
    ///
    /// # Errors
    ///
    /// [`DefectError`] if the defect needs cases and there are none, if it cannot be used with
    /// cases, or if it is not possible with these.
    pub fn new(
        defect: &'static Defect,
        seed: u128,
        file: Option<&'f CaseFile<D>>,
    ) -> Result<Self, DefectError> {
        let source = Self { defect, seed, file };
        // Dealing an empty block returns every possible error.
        let none = Block {
            first_deal: 0,
            deals: 0,
        };
        source.block(none, &mut |_| ())?;
        Ok(source)
    }

    fn block(&self, block: Block, sink: &mut dyn FnMut(&Packet)) -> Result<(), DefectError> {
        match self.file {
            None => self.defect.deal(self.seed, block, sink),
            Some(file) => self.defect.deal_cases(file, self.seed, block, sink),
        }
    }
}

impl<D: AsRef<[u8]> + Sync> DealSource for Defective<'_, D> {
    fn deal(
        &self,
        portion: &Portion,
        _: &mut DealScratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError> {
        let Portion::Block(block) = portion else {
            return Err(DrawError::Portion);
        };
        let dealt = self.block(*block, sink);
        dealt.map_err(|error| match error {
            DefectError::Draw(error) => error,
            _ => DrawError::Portion,
        })
    }

    fn isa(&self) -> Isa {
        Isa::chosen()
    }
}
