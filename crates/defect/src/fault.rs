//! Defects: names, faults, and dealing with them.

use super::error::DefectError;
use super::random::Task;
use super::{cases, cells, list};
use crate::draw::{Block, Packet};
use crate::population::cases::CaseFile;
use crate::population::cells::AliasColumn;

/// A deliberately defective dealer.
#[derive(Debug)]
pub struct Defect {
    /// Its name in options and reports: `naive-shuffle-blocks`.
    pub name: &'static str,
    /// A description of the fault, in one line.
    pub summary: &'static str,
    pub(super) fault: PlantedFault,
    /// The test that detects it with the fewest deals, by its short name: `T1` (card and
    /// seat), `T1max` (one card at one seat), `T2` (pairs of cards), `T4` (patterns), `T5`
    /// (points), `T6` and `T7` (this deal and the previous one), `T8` (duplicate deals), `T8h`
    /// (equal hands), `T9s` (deals of known seeds), `F` (flatness), `T0` (whole deals), `place` and
    /// `voids` (boards of sessions in audits), `cards` and `cases` (of a condition).
    pub best_test: &'static str,
    /// The number of deals from which that test should have p <= 10^-6; infinite if no test
    /// of the deals detects it in a run of any feasible length.
    pub predicted: f64,
}

/// The order in which a shuffled deck is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DealingOrder {
    /// One card to each seat in turn.
    RoundRobin,
    /// Thirteen cards to north, then thirteen to east ..
    Blocks,
}

/// What is wrong.
#[derive(Clone, Copy, Debug)]
pub(super) enum PlantedFault {
    /// The deals of a block.
    Deals(fn(&mut Task<'_>)),
    /// North's honours in spades and clubs are exchanged.
    HonoursSwapped,
    /// The heaviest case weighs 5 % too much.
    CaseWeight,
    /// The list from which cells are chosen.
    CellList(fn(&mut [AliasColumn])),
}

/// The bits of a generator's state that make an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Index {
    /// State × cards / 2^31.
    HighBits,
    /// State modulo cards.
    LowBits,
}

impl PartialEq for Defect {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Defect {}

impl Defect {
    /// Returns all defects, in the order of the method's list.
    pub fn all() -> &'static [Self] {
        list::ALL
    }

    /// Returns the defect with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().iter().find(|defect| defect.name == name)
    }

    /// Returns the condition whose cases show it, in dealer's language; `None` for defects without
    /// a condition.
    pub fn scenario(&self) -> Option<&'static str> {
        match self.fault {
            PlantedFault::HonoursSwapped => Some(cases::HONOURS_SWAPPED),
            PlantedFault::CaseWeight => Some(cases::CASE_WEIGHT),
            PlantedFault::CellList(_) => Some(cells::CONDITION),
            PlantedFault::Deals(_) => None,
        }
    }

    /// Returns whether the defect deals from the cells of a condition.
    pub fn is_of_cells(&self) -> bool {
        matches!(self.fault, PlantedFault::CellList(_))
    }

    /// Deals a block, in order, in packets.
    ///
    /// # Errors
    ///
    /// [`DefectError::NeedsCases`] if [`Defect::scenario`] is a condition.
    pub(crate) fn deal(
        &self,
        seed: u128,
        block: Block,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DefectError> {
        if let Some(condition) = self.scenario() {
            let name = self.name;
            return Err(DefectError::NeedsCases { name, condition });
        }
        let mut task = Task::new(seed, block, sink);
        if let PlantedFault::Deals(deal) = self.fault {
            deal(&mut task);
        }
        task.finish();
        Ok(())
    }

    /// Whether every deal is legal: thirteen cards per seat, each card once.
    pub fn deals_are_legal(&self) -> bool {
        self.name != "truncated-hands"
    }

    /// Deals a block from the cases of a condition, in random order, in packets.
    ///
    /// The file should be that of [`Defect::scenario`]. Other conditions are accepted if the fault
    /// is possible under them.
    ///
    /// # Errors
    ///
    /// [`DefectError`] if the defect does not deal from cases, or not from these, or the file was
    /// modified after it was opened.
    pub(crate) fn deal_cases<D: AsRef<[u8]> + Sync>(
        &self,
        file: &CaseFile<D>,
        seed: u128,
        block: Block,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DefectError> {
        let mut task = Task::new(seed, block, sink);
        match self.fault {
            PlantedFault::HonoursSwapped => {
                let other = DefectError::OtherCases {
                    name: self.name,
                    condition: cases::HONOURS_SWAPPED,
                };
                cases::honours_swapped(file, &mut task, &other)?;
            }
            PlantedFault::CaseWeight => cases::case_weight(file, &mut task)?,
            PlantedFault::CellList(_) => return Err(DefectError::FromCells(self.name)),
            PlantedFault::Deals(_) => return Err(DefectError::NeedsNoCases(self.name)),
        }
        task.finish();
        Ok(())
    }
}
