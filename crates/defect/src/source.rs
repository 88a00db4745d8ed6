//! A defect as the source of a run.

use super::{Defect, DefectError, PlantedFault};
use crate::draw::{
    Aes128Ctr, Block, DealScratch, DealSource, Dealer, DrawError, Isa, Packet, Portion,
};
use crate::population::cases::CaseFile;
use crate::population::cells::Cells;

/// A defect with its seed and what it deals from.
#[derive(Debug)]
pub struct Defective<'f, D> {
    defect: &'static Defect,
    seed: u128,
    base: DefectBase<'f, D>,
}

/// What a defect deals from.
#[derive(Debug)]
enum DefectBase<'f, D> {
    EveryDeal,
    Cases(&'f CaseFile<D>),
    /// Cells, with a wrong list.
    Cells(Dealer<'f, D>),
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
        let base = file.map_or(DefectBase::EveryDeal, DefectBase::Cases);
        let source = Self { defect, seed, base };
        // Dealing an empty block returns every possible error.
        let none = Block {
            first_deal: 0,
            deals: 0,
        };
        source.block(none, &mut |_| ())?;
        Ok(source)
    }

    /// Creates a source of this defect's deals from cells, which should be those of
    /// [`Defect::scenario`]. Others are accepted, whether or not the fault is possible.
    ///
    /// # Errors
    ///
    /// [`DefectError`] if the defect does not deal from cells, or their lists would be too long.
    pub fn of_cells(
        defect: &'static Defect,
        seed: u128,
        cells: &'f Cells,
    ) -> Result<Self, DefectError> {
        let PlantedFault::CellList(alter) = defect.fault else {
            return Err(DefectError::NotFromCells(defect.name));
        };
        let dealer = Dealer::of_cells(cells)?.with_cell_columns(alter);
        let base = DefectBase::Cells(dealer);
        Ok(Self { defect, seed, base })
    }

    fn block(&self, block: Block, sink: &mut dyn FnMut(&Packet)) -> Result<(), DefectError> {
        match &self.base {
            DefectBase::EveryDeal => self.defect.deal(self.seed, block, sink),
            DefectBase::Cases(file) => self.defect.deal_cases(file, self.seed, block, sink),
            DefectBase::Cells(dealer) => {
                let (generator, portion) = (Aes128Ctr::new(self.seed), Portion::Block(block));
                let scratch = &mut DealScratch::default();
                Ok(dealer.deal(&generator, &portion, scratch, sink)?)
            }
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
