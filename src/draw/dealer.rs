//! Drawing deals: from every deal there is, from a case file, or from cells.

use std::ops::Range;

use super::bounded::below_u64;
use super::complete::{DamagedCase, Table};
use super::constrained::{self, Cases};
use super::factored::Factored;
use super::portion::{BLOCK_DEALS, Block, Node, blocks};
use super::staged;
use super::{Generator, Purpose, Stream, StreamId, WordsError};
use crate::bridge::Deal;
use crate::error::Error;
use crate::kernels::{PACKET, Packet, Path};
use crate::population::cases::{CaseBytes, CaseFile};
use crate::population::cells::{Cells, Unfactored};
use crate::population::{Base, Population};

/// Where the first batches of cases in random order end; the others end with blocks.
const FIRST_BATCHES: [u64; 2] = [128, 4_096];

/// Deals that cannot be drawn.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DrawError {
    /// The case file was altered after it was opened.
    #[error(transparent)]
    Damaged(#[from] DamagedCase),
    /// The random words ended or could not be read.
    #[error(transparent)]
    Words(#[from] WordsError),
    /// A block is dealt from cases, or a part of a split without any.
    #[error("the portion belongs to another dealer")]
    Portion,
    /// There are too many ways to lay honours.
    #[error(transparent)]
    Cells(#[from] Unfactored),
    /// There are more cases than records have numbers of 32 bits, or none.
    #[error("no deal can be drawn from {0} cases")]
    Cases(u64),
}

impl DrawError {
    /// The library's error, with the listing that was drawn from.
    #[must_use]
    pub fn of(self, population: &Population) -> Error {
        match self {
            Self::Damaged(damage) => population.altered(damage),
            Self::Words(WordsError::Io(..)) => Error::io(self),
            Self::Words(WordsError::Ended(..)) => {
                Error::input(self).context("not enough random words; deal fewer boards")
            }
            Self::Words(WordsError::Stuck) | Self::Cases(_) | Self::Cells(_) | Self::Portion => {
                Error::input(self)
            }
        }
    }
}

/// In how many ways the seats that a file does not list can be dealt the rest:
/// C(26,13) beside two listed hands, C(39,13) C(26,13) beside one, fewer where some
/// of their cards are predealt.
#[must_use]
pub fn completions<D: AsRef<[u8]>>(file: &CaseFile<D>) -> u64 {
    Table::of(file).completions()
}

/// What one worker deals at a time, with streams of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Portion {
    /// Deals in their true order.
    Block(Block),
    /// Draws from the cases of one part of the way to T, in order.
    Node(Node),
}

impl Portion {
    /// Number of deals.
    #[must_use]
    pub fn deals(&self) -> u64 {
        match self {
            Self::Block(block) => block.deals,
            Self::Node(node) => node.draws(),
        }
    }
}

/// Deals exactly uniformly what a condition allows.
#[derive(Debug)]
pub struct Dealer<'f, D> {
    path: Path,
    base: ReadyBase<'f, D>,
}

/// The base of a population, made ready to be drawn from.
#[derive(Debug)]
enum ReadyBase<'f, D> {
    EveryDeal,
    Cases(Cases<'f, D>),
    Cells(Box<Factored<'f>>),
}

/// What a worker keeps from packet to packet.
#[derive(Clone, Debug, Default)]
pub struct Scratch(constrained::Scratch);

impl<'p> Dealer<'p, CaseBytes> {
    /// A dealer of a population before its filter, made ready for about so many deals.
    ///
    /// # Errors
    ///
    /// [`DrawError`] if the listing has no cases, too many, or a damaged one, or the lists of cells
    /// would be too long.
    pub fn new(population: &'p Population, deals: u64) -> Result<Self, DrawError> {
        match population.base() {
            Base::EveryDeal => Ok(Self::unconstrained()),
            Base::Listed(listed) => Self::of_cases(&listed.file, deals),
            Base::Factored(cells) => Self::of_cells(cells),
        }
    }
}

impl<D> Dealer<'_, D> {
    /// A dealer of every deal.
    #[must_use]
    pub fn unconstrained() -> Self {
        Self {
            path: Path::chosen(),
            base: ReadyBase::EveryDeal,
        }
    }

    /// The same deals by these instructions.
    #[must_use]
    pub fn with_path(mut self, path: Path) -> Self {
        self.path = path;
        self
    }

    /// By which instructions it deals.
    #[must_use]
    pub fn path(&self) -> Path {
        self.path
    }

    /// Bytes that the dealer keeps in memory beside the file: its guide, or the lists of
    /// cells.
    #[must_use]
    pub fn guide_bytes(&self) -> usize {
        match &self.base {
            ReadyBase::EveryDeal => 0,
            ReadyBase::Cases(cases) => cases.guide_bytes(),
            ReadyBase::Cells(cells) => cells.bytes(),
        }
    }
}

impl<'f, D> Dealer<'f, D> {
    /// A dealer of what cells stand for.
    ///
    /// # Errors
    ///
    /// [`DrawError`] if their lists would be too long.
    pub fn of_cells(cells: &'f Cells) -> Result<Self, DrawError> {
        Ok(Self {
            path: Path::chosen(),
            base: ReadyBase::Cells(Box::new(Factored::new(cells)?)),
        })
    }
}

impl<'f, D: AsRef<[u8]> + Sync> Dealer<'f, D> {
    /// A dealer of the file's deals, made ready for about so many.
    ///
    /// # Errors
    ///
    /// [`DrawError`] if the file has no cases or too many, or its first is damaged.
    pub fn of_cases(file: &'f CaseFile<D>, deals: u64) -> Result<Self, DrawError> {
        Ok(Self {
            path: Path::chosen(),
            base: ReadyBase::Cases(Cases::new(file, deals)?),
        })
    }

    /// What the workers are to deal of a batch, which together is all of it.
    ///
    /// # Errors
    ///
    /// [`WordsError`] where words are read and not computed.
    pub fn portions(
        &self,
        generator: &dyn Generator,
        batch: Range<u64>,
    ) -> Result<Vec<Portion>, WordsError> {
        Ok(match &self.base {
            ReadyBase::EveryDeal | ReadyBase::Cells(_) => {
                blocks(batch).map(Portion::Block).collect()
            }
            ReadyBase::Cases(_) => {
                let nodes = Node::root(&batch).portions(generator)?;
                nodes.into_iter().map(Portion::Node).collect()
            }
        })
    }

    /// Deals a portion, a packet at a time.
    ///
    /// # Errors
    ///
    /// [`DrawError`] if the case file was altered, or the words ended.
    pub fn deal(
        &self,
        generator: &dyn Generator,
        portion: &Portion,
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError> {
        match (portion, &self.base) {
            (Portion::Block(block), ReadyBase::Cells(cells)) => {
                cells.deal(self.path, generator, block, &mut scratch.0, sink)
            }
            (Portion::Block(block), ReadyBase::EveryDeal) => {
                let stream = |purpose| generator.words(block.stream(purpose));
                let (mut sides, mut halves) = (stream(Purpose::Sides), stream(Purpose::Halves));
                let (deals, packet) = (block.deals, &mut scratch.0.packet);
                staged::deal_block(self.path, deals, &mut *sides, &mut *halves, packet, sink)?;
                Ok(())
            }
            (Portion::Node(node), ReadyBase::Cases(cases)) => {
                cases.deal(self.path, generator, *node, &mut scratch.0, sink)
            }
            _ => Err(DrawError::Portion),
        }
    }

    /// Where a batch for [`Dealer::in_random_order`] ends that begins with deal `start`, so that the
    /// first deals are the same however many are asked for: `limit`, or some deals later.
    ///
    /// Deals in their true order come in whole packets of a block. Cases are drawn for a whole batch
    /// together, and so few for the first batches that few deals are had soon.
    #[must_use]
    pub fn end_of_order(&self, start: u64, limit: u64) -> u64 {
        let end_of_block = (start / BLOCK_DEALS + 1) * BLOCK_DEALS;
        match &self.base {
            ReadyBase::EveryDeal | ReadyBase::Cells(_) => {
                let packets = limit.saturating_sub(start).div_ceil(PACKET as u64);
                end_of_block.min(start.saturating_add(packets.saturating_mul(PACKET as u64)))
            }
            ReadyBase::Cases(_) => {
                let first = FIRST_BATCHES.into_iter().find(|&end| start < end);
                first.unwrap_or(end_of_block)
            }
        }
    }

    /// The deals of a batch in random order.
    ///
    /// Every deal of a run comes in an order that says nothing of the cases: for
    /// people and programs that read them one after the other.
    ///
    /// # Errors
    ///
    /// As [`Dealer::deal`].
    pub fn in_random_order(
        &self,
        generator: &dyn Generator,
        batch: Range<u64>,
    ) -> Result<Vec<Deal>, DrawError> {
        let first_deal = batch.start;
        let mut deals = Vec::with_capacity((batch.end - batch.start) as usize);
        let mut scratch = Scratch::default();
        for portion in self.portions(generator, batch)? {
            self.deal(generator, &portion, &mut scratch, &mut |packet| {
                deals.extend((0..packet.deals).map(|i| packet.deal(i)));
            })?;
        }
        if matches!(self.base, ReadyBase::Cases(_)) {
            let id = StreamId::new(first_deal, Purpose::Order, 0);
            let mut stream = Stream::new(generator, id);
            for last in (1..deals.len()).rev() {
                let chosen = below_u64(|| stream.next_u64(), last as u64 + 1)?;
                deals.swap(last, chosen as usize);
            }
        }
        Ok(deals)
    }
}
