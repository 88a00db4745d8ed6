//! Draws from a case file: the draws of a node, one leaf after the other.

use super::filling::{FillingWords, HandFilling};
use super::guide::Guide;
use super::portion::SplitNode;
use super::reading::RecordFields;
use super::uniform::DyadicPart;
use super::{DamagedCase, DrawError, Generator, StreamPurpose, WordSource, WordsError};
use crate::kernels::{self, CHUNK, Forms, Isa, ListedHands, PACKET, Packet, Wanted};
use crate::population::cases::CaseFile;

/// Lowest bits of numbers and totals of more than 64 bits that are compared last.
const LARGE_SHIFT: u32 = 9;

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
struct SplitLeaf<'g> {
    node: SplitNode,
    part: DyadicPart,
    numbers: Box<dyn WordSource + 'g>,
    /// The words that select the next packet's records.
    places: [u64; CHUNK],
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
        let mut leaf = SplitLeaf {
            node,
            part: DyadicPart::new(self.file.total(), node.depth(), node.index()),
            numbers: generator.words(node.stream(StreamPurpose::Numbers)),
            places: [0; CHUNK],
            filling: FillingWords::of_leaf(generator, &node),
        };
        self.fetch_ahead(&node);
        // The words of one sequence are read when they are used.
        let looks_ahead = !generator.is_one_sequence();
        let packet_of = |draws: u64| draws.min(PACKET as u64) as usize;
        let (mut left, mut early) = (node.draws(), node.early());
        self.look_ahead(packet_of(left), &mut leaf, &mut scratch.wanted)?;
        while left > 0 {
            let draws = packet_of(left);
            left -= draws as u64;
            let cases = self.find(isa, draws, &mut leaf, scratch)?;
            if left > 0 && looks_ahead {
                // The next packet's records are fetched while this packet is filled and counted.
                self.look_ahead(packet_of(left), &mut leaf, &mut scratch.wanted)?;
            }
            self.deal_packet(isa, draws, &cases, &mut leaf, scratch)?;
            scratch.packet.early = packet_of(early).min(draws);
            early -= scratch.packet.early as u64;
            scratch.packet.ends_part = left == 0;
            sink(&scratch.packet);
            if left > 0 && !looks_ahead {
                self.look_ahead(packet_of(left), &mut leaf, &mut scratch.wanted)?;
            }
        }
        Ok(())
    }

    /// Prefetches a leaf's part of the guide and, if there are few records for its number of draws,
    /// all its records, in order.
    fn fetch_ahead(&self, leaf: &SplitNode) {
        self.guide.fetch_ahead(leaf);
        let (start, _) = self.guide.range(leaf.depth(), leaf.index(), 0);
        let (_, end) = self.guide.range(leaf.depth(), leaf.index(), u64::MAX);
        if u64::from(end.saturating_sub(start)) <= 4 * leaf.draws() {
            for place in (start..=end).step_by(4) {
                kernels::prefetch(self.file.records(), place as usize);
            }
        }
    }

    /// Deals the next packet of a leaf from the upper halves of its records.
    fn deal_packet(
        &self,
        isa: Isa,
        draws: usize,
        cases: &[u64; PACKET],
        leaf: &mut SplitLeaf<'_>,
        scratch: &mut DealScratch,
    ) -> Result<(), DrawError> {
        let DealScratch {
            packet,
            forms,
            hands,
            ..
        } = scratch;
        self.reading.read(isa, draws, cases, forms)?;
        packet.from_cases = true;
        let words = &mut leaf.filling;
        self.filling.deal(isa, draws, forms, words, (hands, packet))
    }

    /// Reads the words of the leaf's next packet, and prefetches the records that they may select.
    fn look_ahead(
        &self,
        draws: usize,
        leaf: &mut SplitLeaf<'_>,
        wanted: &mut Wanted,
    ) -> Result<(), WordsError> {
        const { assert!(CHUNK == PACKET) };
        leaf.numbers.fill(&mut leaf.places)?;
        let (depth, index, records) = (leaf.node.depth(), leaf.node.index(), self.file.records());
        let ranges = wanted.starts.iter_mut().zip(&mut wanted.ends);
        for ((start, end), places) in ranges.zip(&leaf.places).take(draws) {
            (*start, *end) = self.guide.range(depth, index, *places);
            // Most ranges take one or two cache lines of four records. Weights also need the total
            // before the range.
            kernels::prefetch(records, start.saturating_sub(1) as usize);
            kernels::prefetch(records, start.midpoint(*end) as usize);
            kernels::prefetch(records, *end as usize);
            if end.saturating_sub(*start) > 8 {
                for place in (*start..*end).step_by(4).take(16) {
                    kernels::prefetch(records, place as usize);
                }
            }
        }
        Ok(())
    }

    /// Finds the records that the leaf's next numbers select, and returns their upper halves.
    fn find(
        &self,
        isa: Isa,
        draws: usize,
        leaf: &mut SplitLeaf<'_>,
        scratch: &mut DealScratch,
    ) -> Result<[u64; PACKET], DrawError> {
        let (wanted, found) = (&mut scratch.wanted, &mut scratch.packet.cases);
        let (part, places) = (&leaf.part, &leaf.places);
        let more = &mut || leaf.filling.more();
        let mut large = [0; PACKET];
        (wanted.draws, wanted.shift) = (draws, 0);
        if part.fits() {
            part.numbers(draws, places, &mut wanted.numbers, more)?;
        } else {
            wanted.shift = LARGE_SHIFT;
            let numbers = large.iter_mut().zip(&mut wanted.numbers);
            for ((large, number), places) in numbers.zip(places).take(draws) {
                *large = part.number(*places, more)?;
                *number = (*large >> LARGE_SHIFT) as u64;
            }
        }
        let records = self.file.records();
        kernels::locate(isa, bytemuck::cast_slice(records), wanted, found);
        if wanted.shift > 0 {
            // The lowest bits decide between a number and an equal total.
            for i in 0..draws {
                let exceeds = |place: u32| {
                    let record = records.get(place as usize);
                    record.is_some_and(|record| record.total() > large[i])
                };
                while found[i] > wanted.starts[i] && exceeds(found[i] - 1) {
                    found[i] -= 1;
                }
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
