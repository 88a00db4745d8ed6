//! Runs of consecutive cases that are counted together, and the search for the case of a deal.

use std::sync::OnceLock;

use super::case_weights::{CaseWeights, EqualWeights};
use super::file::CaseFile;
use super::record::{Case, CaseRecord, Field};
use crate::bridge::{Deal, Hand, Seat};
use crate::language::{HandCase, Predeal};

/// Maximum number of runs of a case file.
pub(crate) const MOST_RUNS: usize = 1 << 16;

/// A case file's records, divided into runs of 2^k consecutive cases. k is the smallest value that
/// gives at most 65,536 runs, so in a small file each case is a run of its own.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'f> {
    records: &'f [CaseRecord],
    seats: (Seat, Option<Seat>),
    predeal: Predeal,
    weights: &'f OnceLock<CaseWeights>,
    /// k, the binary logarithm of the cases per run.
    bits: u32,
}

impl<'f> Runs<'f> {
    /// Divides the records of a file into runs.
    #[must_use]
    pub fn new<D: AsRef<[u8]>>(file: &'f CaseFile<D>) -> Self {
        let records = file.records();
        let least = records.len().div_ceil(MOST_RUNS).max(1);
        Self {
            records,
            seats: file.seats(),
            predeal: *file.predeal(),
            weights: file.weights(),
            bits: least.next_power_of_two().ilog2(),
        }
    }

    /// Number of runs.
    #[must_use]
    #[inline]
    pub fn count(&self) -> usize {
        self.records.len().div_ceil(1 << self.bits)
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

    /// The predealt cards.
    #[inline]
    pub fn predeal(&self) -> &Predeal {
        &self.predeal
    }

    /// The first and the last case of a run, from 0.
    ///
    /// # Panics
    ///
    /// If there is no such run.
    #[must_use]
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
    #[must_use]
    pub fn weight(&self, run: usize) -> u128 {
        let (first, last) = self.cases_of(run);
        let before = match first.checked_sub(1) {
            None => 0,
            Some(previous) => self.records[previous as usize].total(),
        };
        self.records[last as usize].total().saturating_sub(before)
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

    /// The groups of cases of equal weight.
    #[inline]
    pub fn equal_weights(&self) -> &'f EqualWeights {
        &self.weights().equal
    }

    /// The sum of the weights of each class, by floor(log2 weight).
    #[inline]
    pub fn weight_classes(&self) -> &'f [u128] {
        &self.weights().classes
    }

    /// The counts of the file's weights, computed on first use in one pass over the records.
    fn weights(&self) -> &'f CaseWeights {
        let records = self.records;
        self.weights.get_or_init(|| CaseWeights::of(records))
    }

    /// The weight of a case; 0 if there is no such case, or if its total does not increase.
    #[inline]
    pub fn weight_of(&self, case: u32) -> u128 {
        let total = |case: u32| self.records.get(case as usize).map(|record| record.total());
        let before = case.checked_sub(1).map_or(Some(0), total);
        match (before, total(case)) {
            (Some(before), Some(total)) => total.saturating_sub(before),
            _ => 0,
        }
    }

    /// The run of a case.
    #[inline]
    pub fn run_of(&self, case: u32) -> usize {
        case as usize >> self.bits
    }

    /// Finds the case of a deal, from 0, by a search in the records; `None` if the deal belongs to
    /// no case of the file, or a hand lacks a card that is predealt to it.
    #[must_use]
    pub fn case_of(&self, deal: &Deal) -> Option<u64> {
        if !self.predeal.is_in(deal) {
            return None;
        }
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
