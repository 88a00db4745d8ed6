//! Draws from a case file: the draws of a node, one leaf after the other.

use super::filling::{FillingWords, HandFilling};
use super::guide::Guide;
use super::portion::SplitNode;
use super::reading::RecordFields;
use super::uniform::DyadicPart;
use super::{DamagedCase, DrawError, Generator, StreamPurpose, WordSource};
use crate::kernels::{self, CHUNK, Forms, Isa, ListedHands, PACKET, Packet, Wanted};
use crate::population::cases::CaseFile;

/// A case file prepared for drawing.
#[derive(Debug)]
pub(super) struct Cases<'f, D> {
    file: &'f CaseFile<D>,
    guide: Guide<'f>,
    reading: RecordFields,
    filling: HandFilling,
}

/// Buffers that a worker reuses from packet to packet.
#[derive(Clone, Debug, Default)]
pub struct DealScratch {
    pub(super) packet: Packet,
    wanted: Wanted,
    pub(super) forms: [Forms; 3],
    pub(super) hands: ListedHands,
}

/// A leaf of the split, with its streams.
struct Leaf<'g> {
    node: SplitNode,
    part: DyadicPart,
    numbers: Box<dyn WordSource + 'g>,
    filling: FillingWords<'g>,
}

impl<'f, D: AsRef<[u8]> + Sync> Cases<'f, D> {
    /// Prepares a case file.
    pub(super) fn new(file: &'f CaseFile<D>) -> Result<Self, DrawError> {
        // A number beyond the last total has no case; a total beyond T has no number.
        let last = file.records().last().map(|record| record.total());
        if last != Some(file.total()) {
            return Err(DamagedCase::Totals.into());
        }
        let (reading, filling) = RecordFields::new(file)?;
        Ok(Self {
            file,
            guide: Guide::of(file)?,
            reading,
            filling,
        })
    }

    /// Deals the draws of a node, a packet at a time.
    pub(super) fn deal(
        &self,
        isa: Isa,
        generator: &dyn Generator,
        node: SplitNode,
        scratch: &mut DealScratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError> {
        if node.draws() == 0 {
            return Ok(());
        }
        if !node.is_leaf() {
            for half in node.halves(generator)? {
                self.deal(isa, generator, half, scratch, sink)?;
            }
            return Ok(());
        }
        let mut leaf = Leaf {
            node,
            part: DyadicPart::new(self.file.total(), node.depth(), node.index()),
            numbers: generator.words(node.stream(StreamPurpose::Numbers)),
            filling: FillingWords::of_leaf(generator, &node),
        };
        self.fetch_ahead(&node);
        let mut left = node.draws();
        while left > 0 {
            let draws = left.min(PACKET as u64) as usize;
            left -= draws as u64;
            self.deal_packet(isa, draws, &mut leaf, scratch)?;
            scratch.packet.ends_part = left == 0;
            sink(&scratch.packet);
        }
        Ok(())
    }

    /// Prefetches all records of a leaf in order, if there are few for its number of draws.
    fn fetch_ahead(&self, leaf: &SplitNode) {
        let (start, _) = self.guide.range(leaf.depth(), leaf.index(), 0);
        let (_, end) = self.guide.range(leaf.depth(), leaf.index(), u64::MAX);
        if u64::from(end.saturating_sub(start)) <= 4 * leaf.draws() {
            for place in (start..=end).step_by(4) {
                kernels::prefetch(self.file.records(), place as usize);
            }
        }
    }

    /// Deals the next packet of a leaf.
    fn deal_packet(
        &self,
        isa: Isa,
        draws: usize,
        leaf: &mut Leaf<'_>,
        scratch: &mut DealScratch,
    ) -> Result<(), DrawError> {
        let DealScratch {
            packet,
            wanted,
            forms,
            hands,
        } = scratch;
        let cases = self.find(isa, draws, leaf, wanted, &mut packet.cases)?;
        self.reading.read(isa, draws, &cases, forms)?;
        packet.from_cases = true;
        let words = &mut leaf.filling;
        self.filling.deal(isa, draws, forms, words, (hands, packet))
    }

    /// Finds the records that the leaf's next numbers select, and returns their upper halves.
    fn find(
        &self,
        isa: Isa,
        draws: usize,
        leaf: &mut Leaf<'_>,
        wanted: &mut Wanted,
        found: &mut [u32; PACKET],
    ) -> Result<[u64; PACKET], DrawError> {
        const { assert!(CHUNK == PACKET) };
        let mut places = [0; CHUNK];
        leaf.numbers.fill(&mut places)?;
        let (depth, index, part) = (leaf.node.depth(), leaf.node.index(), &leaf.part);
        let more = &mut || leaf.filling.more();
        let mut large = [0; PACKET];
        wanted.draws = draws;
        if part.fits() {
            part.numbers(draws, &places, &mut wanted.numbers, more)?;
        } else {
            for (number, places) in large.iter_mut().zip(&places).take(draws) {
                *number = part.number(*places, more)?;
            }
        }
        let records = self.file.records();
        let ranges = wanted.starts.iter_mut().zip(&mut wanted.ends);
        for ((start, end), places) in ranges.zip(&places).take(draws) {
            (*start, *end) = self.guide.range(depth, index, *places);
            // Most ranges take one or two cache lines of four records.
            kernels::prefetch(records, *start as usize);
            kernels::prefetch(records, *end as usize);
        }
        if part.fits() {
            kernels::locate(isa, bytemuck::cast_slice(records), wanted, found);
        } else {
            for i in 0..draws {
                let (start, end) = (wanted.starts[i], wanted.ends[i]);
                let near = records.get(start as usize..end as usize);
                let near = near.unwrap_or_default();
                let place = near.partition_point(|record| record.total() <= large[i]);
                found[i] = start + place as u32;
            }
        }
        let mut cases = [0; PACKET];
        for (case, found) in cases.iter_mut().zip(&*found).take(draws) {
            let record = records.get(*found as usize).ok_or(DamagedCase::Totals)?;
            *case = record.hands_bits();
        }
        Ok(cases)
    }
}
