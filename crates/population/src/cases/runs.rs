//! Runs of consecutive cases that are counted together, and the search for the case of a deal.

use super::file::CaseFile;
use super::groups::WeightGroup;
use super::record::{Case, CaseRecord, Field};
use crate::bridge::{Deal, Hand, Seat};
use crate::language::HandCase;

/// A case file's records, divided into runs of 2^k consecutive cases. k is the smallest value that
/// gives at most 65,536 runs, so in a small file each case is a run of its own.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'f> {
    records: &'f [CaseRecord],
    seats: (Seat, Option<Seat>),
    /// The total before each run, little-endian.
    before: &'f [u128],
    classes: &'f [u128],
    groups: &'f [WeightGroup],
    /// k, the binary logarithm of the cases per run.
    bits: u32,
}

impl<'f> Runs<'f> {
    /// Divides the records of a file into runs.
    pub fn new<D: AsRef<[u8]>>(file: &'f CaseFile<D>) -> Self {
        Self {
            records: file.records(),
            seats: file.seats(),
            before: file.runs(),
            classes: file.weight_classes(),
            groups: file.weight_groups(),
            bits: file.header().run_bits(),
        }
    }

    /// Number of runs.
    #[inline]
    pub fn count(&self) -> usize {
        self.before.len()
    }

    /// The records.
    #[inline]
    pub fn records(&self) -> &'f [CaseRecord] {
        self.records
    }

    /// The listed seats.
    #[inline]
    pub fn seats(&self) -> (Seat, Option<Seat>) {
        self.seats
    }

    /// The first and the last case of a run, from 0.
    ///
    /// # Panics
    ///
    /// If there is no such run.
    #[inline]
    pub fn cases_of(&self, run: usize) -> (u64, u64) {
        assert!(run < self.count(), "there are {} runs", self.count());
        let end = ((run + 1) << self.bits).min(self.records.len());
        ((run << self.bits) as u64, end as u64 - 1)
    }

    /// The sum of a run's weights.
    ///
    /// # Panics
    ///
    /// If there is no such run.
    pub fn weight(&self, run: usize) -> u128 {
        let end = match self.before.get(run + 1) {
            Some(next) => u128::from_le(*next),
            None => self.records.last().map_or(0, |record| record.total()),
        };
        end.saturating_sub(u128::from_le(self.before[run]))
    }

    /// The cards of a suit that the listing treats as interchangeable: all thirteen if no hand is
    /// listed by honours, otherwise the nine spot cards.
    #[inline]
    pub fn exchangeable(&self) -> Hand {
        let by_honours = |record: &CaseRecord| {
            !record.is_off(Field::FirstHonours) || !record.is_off(Field::SecondHonours)
        };
        match self.records.first().is_some_and(by_honours) {
            true => Hand::SPOTS,
            false => Hand::DECK,
        }
    }

    /// The groups of cases of equal weight, by ascending weight.
    pub fn weight_groups(&self) -> &'f [WeightGroup] {
        self.groups
    }

    /// The sum of the weights of each class, by floor(log2 weight).
    pub fn weight_classes(&self) -> impl Iterator<Item = u128> + use<'f> {
        self.classes.iter().map(|weight| u128::from_le(*weight))
    }

    /// The weight of a case; 0 if there is no such case, or if its total does not increase.
    #[inline]
    pub fn weight_of(&self, case: u32) -> u64 {
        let total = |case: usize| self.records.get(case).map_or(0, |record| record.total());
        let before = total((case as usize).wrapping_sub(1));
        let weight = total(case as usize).checked_sub(before);
        weight
            .and_then(|weight| weight.try_into().ok())
            .unwrap_or(0)
    }

    /// The run of a case.
    #[inline]
    pub fn run_of(&self, case: u32) -> usize {
        case as usize >> self.bits
    }

    /// Finds the case of a deal, from 0, by a search in the records; `None` if the deal belongs to
    /// no case of the file.
    pub fn case_of(&self, deal: &Deal) -> Option<u64> {
        let sample = self.records.first()?;
        let held = |seat: Option<Seat>, pattern: Field, honours: Field| {
            let hand = seat.map(|seat| deal.hand(seat));
            let listed = |field| hand.filter(|_| !sample.is_off(field));
            HandCase {
                pattern: listed(pattern).and_then(|hand| Some(hand.pattern()?.index())),
                honours: listed(honours).map(|hand| hand.honours()),
            }
        };
        let (first, second) = self.seats;
        let wanted = Case {
            first: held(Some(first), Field::FirstPattern, Field::FirstHonours),
            second: Some(held(second, Field::SecondPattern, Field::SecondHonours)),
        };
        let wanted = CaseRecord::new(0, wanted).order_key();
        let place = self
            .records
            .binary_search_by_key(&wanted, |record| record.order_key());
        place.ok().map(|place| place as u64)
    }
}
