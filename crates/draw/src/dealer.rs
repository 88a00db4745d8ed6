//! Drawing deals: from all deals, from a case file, from cells, or by number.

use std::ops::Range;

use super::bounded::below_u64;
use super::cells::CellDealer;
use super::complete::{CompletionTable, DamagedCase};
use super::constrained::{Cases, DealScratch};
use super::numbered;
use super::portion::{BLOCK_DEALS, Block, SplitNode, blocks};
use super::staged;
use super::{Generator, RandomStream, StreamId, StreamPurpose, WordsError};
use crate::bridge::Deal;
use crate::bridge::combinatorics::DEALS;
use crate::error::Error;
use crate::kernels::{Isa, PACKET, Packet};
use crate::population::cases::{CaseBytes, CaseFile};
use crate::population::cells::{AliasColumn, Cells, CellsError};
use crate::population::counting::NumberedDeals;
use crate::population::{Base, Population};

/// Ends of the first batches of cases in random order. Later batches end with a block.
const FIRST_BATCHES: [u64; 2] = [128, 4_096];

/// Reason why deals cannot be drawn.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DrawError {
    /// The case file was modified after it was opened.
    #[error(transparent)]
    Damaged(#[from] DamagedCase),
    /// The random words ended or could not be read.
    #[error(transparent)]
    Words(#[from] WordsError),
    /// The dealer draws from cases and the portion is a block, or the reverse.
    #[error("the portion does not belong to this dealer; deal it with the dealer that made it")]
    Portion,
    /// There are too many ways to place honours.
    #[error(transparent)]
    Cells(#[from] CellsError),
    /// The file has no cases, or more than 32 bits can number.
    #[error("cannot draw from {0} cases (supported: 1 to 4,294,967,295)")]
    Cases(u64),
}

impl DrawError {
    /// Returns the library's error, with the listing that was drawn from.
    pub fn of(self, population: &Population) -> Error {
        match self {
            Self::Damaged(damage) => population.altered(damage),
            Self::Words(error) => error.into(),
            Self::Cases(_) | Self::Cells(_) | Self::Portion => Error::input(self),
        }
    }
}

impl From<WordsError> for Error {
    fn from(error: WordsError) -> Self {
        match error {
            WordsError::Io(..) => Self::io(error),
            WordsError::Ended(..) => {
                Self::input(error).context("not enough random words; deal fewer boards")
            }
            WordsError::Stuck => Self::input(error),
        }
    }
}

/// Returns the number of ways to deal the remaining cards to the seats that a file does not list:
/// C(26,13) with two listed hands, C(39,13) C(26,13) with one.
pub fn completions<D: AsRef<[u8]>>(file: &CaseFile<D>) -> u64 {
    CompletionTable::of(file).completions()
}

/// Returns the number of different deals of a population before its filter.
pub fn different_deals(population: &Population) -> u128 {
    match population.base() {
        Base::EveryDeal => DEALS,
        Base::Listing(listed) => listed.file.total() * u128::from(completions(&listed.file)),
        Base::Cells(cells) => cells.chance().0,
        Base::Numbered(deals) => deals.total(),
    }
}

/// Deals that one worker draws at a time, with streams of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Portion {
    /// Deals in the order in which they are drawn.
    Block(Block),
    /// Draws from the cases of one part of [0, T), in order.
    Node(SplitNode),
}

impl Portion {
    /// Number of deals.
    pub fn deals(&self) -> u64 {
        match self {
            Self::Block(block) => block.deals,
            Self::Node(node) => node.draws(),
        }
    }
}

/// Draws the deals that a condition allows, exactly uniformly.
#[derive(Debug)]
pub struct Dealer<'f, D> {
    isa: Isa,
    base: ReadyBase<'f, D>,
}

/// The base of a population, prepared for drawing.
#[derive(Debug)]
enum ReadyBase<'f, D> {
    EveryDeal,
    Cases(Cases<'f, D>),
    Cells(Box<CellDealer<'f>>),
    Numbered(&'f NumberedDeals),
}

impl<'p> Dealer<'p, CaseBytes> {
    /// Returns a dealer for a population before its filter.
    ///
    /// # Errors
    ///
    /// [`DrawError`] if the listing has no cases, too many cases, or a damaged case, or if the
    /// lists of cells would be too long.
    pub fn new(population: &'p Population) -> Result<Self, DrawError> {
        match population.base() {
            Base::EveryDeal => Ok(Self::unconstrained()),
            Base::Listing(listed) => Self::of_cases(&listed.file),
            Base::Cells(cells) => Self::of_cells(cells),
            Base::Numbered(deals) => Ok(Self::of(ReadyBase::Numbered(deals))),
        }
    }
}

impl<D> Dealer<'_, D> {
    /// Returns a dealer that draws from all deals.
    pub fn unconstrained() -> Self {
        Self::of(ReadyBase::EveryDeal)
    }

    /// Alters the list from which cells or left halves are chosen, for planted defects. Other
    /// dealers stay as they are.
    #[doc(hidden)]
    #[must_use]
    pub fn with_cell_columns(mut self, alter: fn(&mut [AliasColumn])) -> Self {
        if let ReadyBase::Cells(cells) = &mut self.base {
            alter(cells.top_columns());
        }
        self
    }

    /// Selects the instruction set. The deals are the same.
    #[must_use]
    pub fn with_isa(mut self, isa: Isa) -> Self {
        self.isa = isa;
        self
    }

    /// Returns the instruction set that the dealer uses.
    pub fn isa(&self) -> Isa {
        self.isa
    }

    /// Returns the memory in bytes of the lists of cells; 0 for other dealers.
    pub fn guide_bytes(&self) -> usize {
        match &self.base {
            ReadyBase::EveryDeal | ReadyBase::Cases(_) | ReadyBase::Numbered(_) => 0,
            ReadyBase::Cells(cells) => cells.bytes(),
        }
    }
}

impl<'f, D> Dealer<'f, D> {
    fn of(base: ReadyBase<'f, D>) -> Self {
        let isa = Isa::chosen();
        Self { isa, base }
    }

    /// Returns a dealer that draws from cells.
    ///
    /// # Errors
    ///
    /// [`DrawError`] if the lists of the cells would be too long.
    pub fn of_cells(cells: &'f Cells) -> Result<Self, DrawError> {
        Ok(Self::of(ReadyBase::Cells(Box::new(CellDealer::new(
            cells,
        )?))))
    }
}

impl<'f, D: AsRef<[u8]> + Sync> Dealer<'f, D> {
    /// Returns a dealer that draws from a case file.
    ///
    /// # Errors
    ///
    /// [`DrawError`] if the file has no cases or too many, or if its first case is damaged.
    pub fn of_cases(file: &'f CaseFile<D>) -> Result<Self, DrawError> {
        Ok(Self::of(ReadyBase::Cases(Cases::new(file)?)))
    }

    /// Returns the portions of a batch for the workers. Together they are the whole batch.
    ///
    /// # Errors
    ///
    /// [`WordsError`] if the words come from a file or pipe that ends or cannot be read.
    pub fn portions(
        &self,
        generator: &dyn Generator,
        batch: Range<u64>,
    ) -> Result<Vec<Portion>, WordsError> {
        Ok(match &self.base {
            ReadyBase::EveryDeal | ReadyBase::Cells(_) | ReadyBase::Numbered(_) => {
                blocks(batch).map(Portion::Block).collect()
            }
            ReadyBase::Cases(_) => {
                let nodes = SplitNode::root(&batch).portions(generator)?;
                nodes.into_iter().map(Portion::Node).collect()
            }
        })
    }

    /// Deals a portion, a packet at a time.
    ///
    /// # Errors
    ///
    /// [`DrawError`] if the case file was modified, or the words ended.
    pub fn deal(
        &self,
        generator: &dyn Generator,
        portion: &Portion,
        scratch: &mut DealScratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError> {
        match (portion, &self.base) {
            (Portion::Block(block), ReadyBase::Cells(cells)) => {
                cells.deal(self.isa, generator, block, scratch, sink)
            }
            (Portion::Block(block), ReadyBase::Numbered(deals)) => {
                numbered::deal_block(deals, generator, block, &mut scratch.packet, sink)
            }
            (Portion::Block(block), ReadyBase::EveryDeal) => {
                let stream = |purpose| generator.words(block.stream(purpose));
                let (mut sides, mut halves) =
                    (stream(StreamPurpose::Sides), stream(StreamPurpose::Halves));
                let (deals, packet) = (block.deals, &mut scratch.packet);
                staged::deal_block(self.isa, deals, &mut *sides, &mut *halves, packet, sink)?;
                Ok(())
            }
            (Portion::Node(node), ReadyBase::Cases(cases)) => {
                cases.deal(self.isa, generator, *node, scratch, sink)
            }
            _ => Err(DrawError::Portion),
        }
    }

    /// Returns whether the deals of a portion are in random order as they are dealt. Draws from cases
    /// come in the order of the cases.
    pub fn deals_in_order(&self) -> bool {
        !matches!(self.base, ReadyBase::Cases(_))
    }

    /// Returns the end of the batch that [`Dealer::in_random_order`] deals from deal `start` on:
    /// `limit`, or a few deals later.
    ///
    /// The first deals are therefore the same for every number of deals requested. From blocks, a
    /// batch is a number of whole packets. Cases are drawn for a whole batch at once, so the first
    /// batches are small: the first deals come soon.
    pub fn end_of_order(&self, start: u64, limit: u64) -> u64 {
        let end_of_block = (start / BLOCK_DEALS + 1) * BLOCK_DEALS;
        match &self.base {
            ReadyBase::EveryDeal | ReadyBase::Cells(_) | ReadyBase::Numbered(_) => {
                let packets = limit.saturating_sub(start).div_ceil(PACKET as u64);
                end_of_block.min(start.saturating_add(packets.saturating_mul(PACKET as u64)))
            }
            ReadyBase::Cases(_) => {
                let first = FIRST_BATCHES.into_iter().find(|&end| start < end);
                first.unwrap_or(end_of_block)
            }
        }
    }

    /// Returns the deals of a batch in random order.
    ///
    /// The order is independent of the cases, so that people and programs can read the deals one
    /// after the other.
    ///
    /// # Errors
    ///
    /// The same as [`Dealer::deal`].
    pub fn in_random_order(
        &self,
        generator: &dyn Generator,
        batch: Range<u64>,
    ) -> Result<Vec<Deal>, DrawError> {
        let first_deal = batch.start;
        let mut deals = Vec::with_capacity((batch.end - batch.start) as usize);
        let mut scratch = DealScratch::default();
        for portion in self.portions(generator, batch)? {
            self.deal(generator, &portion, &mut scratch, &mut |packet| {
                deals.extend((0..packet.deals).map(|i| packet.deal(i)));
            })?;
        }
        if matches!(self.base, ReadyBase::Cases(_)) {
            let id = StreamId::new(first_deal, StreamPurpose::Order, 0);
            let mut stream = RandomStream::new(generator, id);
            for last in (1..deals.len()).rev() {
                let chosen = below_u64(|| stream.next_u64(), last as u64 + 1)?;
                deals.swap(last, chosen as usize);
            }
        }
        Ok(deals)
    }
}
