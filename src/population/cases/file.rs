//! The case file seen as records, whoever owns its bytes.

use std::sync::OnceLock;

use super::case_weights::CaseWeights;
use super::deck::Deck;
use super::header::{DamagedFile, Header, RECORD_BYTES, checksum};
use super::record::CaseRecord;
use crate::language::{Condition, Predeal};

/// A case file whose header has been checked.
///
/// Generic over the bytes' owner: a map, a vector, a slice. Opening is O(1) in
/// the number of cases: it checks the header, its checksum and the length, so
/// that every record can be reached. [`CaseFile::verify`] checks the rest.
///
/// # What a changing file can do
///
/// A mapped file that another program alters while it is read shows the
/// altered bytes: what is read is checked whenever it is used, so that altered
/// bytes give an error or hands of another case, never a read outside the map or
/// another undefined behaviour of this crate. [`CaseFile::records_are_sound`] finds
/// every alteration made before it is asked. Shortening a
/// mapped file is the one thing that a map cannot prevent: touching a page
/// beyond the new end ends the process with SIGBUS, in silence unless
/// [`leave_when_cut_short`](super::leave_when_cut_short) was called. Files are therefore
/// replaced by renaming and never altered in place, and [`read`](super::read)
/// makes a copy in memory that no one can alter.
#[derive(Debug)]
pub struct CaseFile<D> {
    header: Header,
    /// What the header's condition says of predealt cards.
    predeal: Predeal,
    /// Made when it is first asked for.
    weights: OnceLock<CaseWeights>,
    bytes: D,
}

/// Where a number below T falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located {
    /// The case, from 0.
    pub case: u64,
    /// The record.
    pub record: CaseRecord,
    /// The number less the total before the case: below the case's weight.
    pub rest: u128,
    /// The case's weight: by how much the totals rise.
    pub weight: u128,
}

impl<D: AsRef<[u8]>> CaseFile<D> {
    /// Checks the header and takes the bytes.
    ///
    /// # Errors
    ///
    /// [`DamagedFile`] if the bytes are not a whole case file of this version,
    /// or do not start on a multiple of 16 bytes, as maps and vectors of
    /// records do, or their condition fixes cards that cannot be read.
    pub fn new(bytes: D) -> Result<Self, DamagedFile> {
        let header = Header::from_file(bytes.as_ref())?;
        if bytemuck::try_cast_slice::<u8, u128>(bytes.as_ref()).is_err() {
            return Err(DamagedFile::Field("the bytes are not aligned to 16"));
        }
        let predeal = predeal_of(&header.condition)?;
        Ok(Self {
            header,
            predeal,
            weights: OnceLock::new(),
            bytes,
        })
    }

    /// What the header says.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The cards that its condition fixes before any are dealt.
    #[must_use]
    pub fn predeal(&self) -> &Predeal {
        &self.predeal
    }

    /// The deck that its cases are dealt from.
    #[must_use]
    pub fn deck(&self) -> Deck {
        Deck::new(&self.predeal, self.header.first, self.header.second)
    }

    /// Number of cases.
    #[must_use]
    pub fn cases(&self) -> u64 {
        self.header.cases
    }

    /// T, the sum of the weights.
    #[must_use]
    pub fn total(&self) -> u128 {
        self.header.total
    }

    /// The place of what is counted of its weights.
    pub(super) fn weights(&self) -> &OnceLock<CaseWeights> {
        &self.weights
    }

    /// Who owns the bytes.
    pub(super) fn owner(&self) -> &D {
        &self.bytes
    }

    /// Bytes of the whole file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    pub(super) fn record_bytes(&self) -> &[u8] {
        &self.bytes()[self.header.records_offset() as usize..self.header.index_offset() as usize]
    }

    pub(super) fn index_bytes(&self) -> &[u8] {
        &self.bytes()[self.header.index_offset() as usize..]
    }

    /// All records, not copied.
    #[must_use]
    pub fn records(&self) -> &[CaseRecord] {
        // Alignment and length were checked on opening.
        bytemuck::cast_slice(self.record_bytes())
    }

    /// The index: entry i is the total before record i times the interval.
    pub(super) fn index(&self) -> impl ExactSizeIterator<Item = u128> + '_ {
        let (entries, _) = self.index_bytes().as_chunks::<{ RECORD_BYTES as usize }>();
        entries.iter().map(|entry| u128::from_le_bytes(*entry))
    }

    /// The index in memory, for [`CaseFile::locate`]: 16 bytes for every 65,536 cases.
    #[must_use]
    pub fn load_index(&self) -> Vec<u128> {
        self.index().collect()
    }

    /// The case that this number below T selects: the first whose cumulative
    /// total exceeds it.
    ///
    /// Searches the in-memory index (from [`CaseFile::load_index`]), then the
    /// records of one interval. `None` if the number is not below T, or the
    /// file was altered so that no record fits.
    #[must_use]
    pub fn locate(&self, index: &[u128], number: u128) -> Option<Located> {
        if number >= self.total() {
            return None;
        }
        let entry = index
            .partition_point(|&before| before <= number)
            .checked_sub(1)?;
        let records = self.records();
        let start = entry * self.header.interval as usize;
        let end = (start + self.header.interval as usize).min(records.len());
        let interval = records.get(start..end)?;
        let place = interval.partition_point(|record| record.total() <= number);
        let record = *interval.get(place)?;
        let before = if place == 0 {
            index[entry]
        } else {
            interval[place - 1].total()
        };
        Some(Located {
            case: (start + place) as u64,
            record,
            rest: number.checked_sub(before)?,
            weight: record.total().checked_sub(before)?,
        })
    }

    /// Whether the records are those that the header was written for: their
    /// checksum, on all cores.
    #[must_use]
    pub fn records_are_sound(&self) -> bool {
        checksum(self.record_bytes()) == self.header.records_hash
    }

    /// The cumulative total before a case, from 0; T for the end.
    ///
    /// # Panics
    ///
    /// If there are fewer cases.
    #[must_use]
    pub fn total_before(&self, case: u64) -> u128 {
        match case.checked_sub(1) {
            None => 0,
            Some(previous) => self.records()[previous as usize].total(),
        }
    }
}

/// The cards that a condition fixes. Only a condition that has the word is read for
/// them: what else a stranger's file says is not needed to deal from it.
fn predeal_of(condition: &str) -> Result<Predeal, DamagedFile> {
    if !condition.contains("predeal") {
        return Ok(Predeal::NONE);
    }
    Condition::parse("condition of the case file", condition)
        .map(|condition| *condition.predeal())
        .map_err(|_| DamagedFile::Field("its condition fixes cards, and cannot be read"))
}
