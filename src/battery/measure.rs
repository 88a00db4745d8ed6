//! Measures every planned test at one look, from the counts.

use super::FIRST_LOOK;
use super::expected::Expected;
use super::plan::Planned;
use super::row::Statistic;
use super::sign_sums::first_order_sums;
use super::small_sample_laws::SmallSampleLaws;
use super::table_law::{Measured, TableLaw, randomised_log10};
use crate::bridge::{Card, Seat};
use crate::tally::{Collection, SecondOrder, Survey, Tally};

/// The data that all tests of a look share.
pub(super) struct Look<'s> {
    pub(super) survey: &'s Survey,
    /// Counts of an audit's collection; empty in a run.
    pub(super) collection: &'s Collection,
    pub(super) tally: Tally,
    pub(super) expected: &'s Expected,
    pub(super) tables: &'s [Option<TableLaw>],
    /// Perfect sets, for tests with too few deals for their laws.
    pub(super) reference: Option<&'s super::Reference>,
    /// Whether to compute p-values, which take time, besides the statistics.
    pub(super) wants_laws: bool,
    /// The worst card and seat, computed once.
    pub(super) worst: Measured,
    /// T2a to T2d and T2, computed once.
    pub(super) second_order: Option<[Measured; 5]>,
}

impl Look<'_> {
    /// Returns the result of a test if it has enough deals.
    pub(super) fn measure(&self, index: usize, planned: &Planned) -> Option<Measured> {
        let measured = self.unbounded(index, planned)?;
        if measured.deals >= planned.test.least() {
            return Some(measured);
        }
        let placed = self.reference?.place(index, measured.statistic)?;
        Some(placed.measure(measured))
    }

    /// Returns the laws of small samples, if the sample is small and p-values are wanted.
    pub(super) fn small_sample_laws(&self, deals: u64) -> Option<&SmallSampleLaws> {
        let laws = self.expected.unconstrained.as_ref();
        let laws = laws.filter(|_| deals < FIRST_LOOK && self.wants_laws);
        laws.map(|laws| &laws.small_samples)
    }

    /// Returns the sums over pairs of cards within deals, if any.
    pub(super) fn within(&self) -> Option<&SecondOrder> {
        let sums = self.survey.gram.as_ref().map(|gram| &gram.within);
        sums.filter(|sums| sums.pairs() > 0)
    }

    /// Returns the result of a test, whether or not its law holds yet.
    pub(super) fn unbounded(&self, index: usize, planned: &Planned) -> Option<Measured> {
        let subject = planned.subject;
        match planned.test.row().statistic {
            Statistic::Of(measure) => measure(self, subject),
            Statistic::Table(table) => {
                let counts = (table.counts)(self, subject)?;
                let law = self.tables[index].as_ref()?;
                law.measure(&counts, |cell| (table.cell)(subject, cell))
            }
        }
    }

    /// Returns log10 of a p-value of a table's counts that is exactly uniform; `None` for tests
    /// that are not one table.
    pub(super) fn randomised_log10(
        &self,
        index: usize,
        planned: &Planned,
        uniform: &mut dyn FnMut() -> f64,
    ) -> Option<f64> {
        let row = planned.test.row();
        let cells = match row.statistic {
            Statistic::Of(_) => (row.cells)(self)?,
            Statistic::Table(table) => {
                let counts = (table.counts)(self, planned.subject)?;
                self.tables[index].as_ref()?.cells(&counts)
            }
        };
        randomised_log10(&cells, uniform)
    }
}

/// Adds up the counts of several seats.
pub(super) fn summed<const N: usize>(counts: [Vec<u64>; N]) -> Vec<u64> {
    let mut sums: Vec<u64> = Vec::new();
    for counts in counts {
        sums.resize(counts.len(), 0);
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    sums
}

/// Returns whether the sums satisfy the identities of legal deals.
pub(super) fn identities_hold(survey: &Survey, tally: &Tally) -> bool {
    let cards = Card::all().all(|card| {
        let held = Seat::ALL.map(|seat| tally.card(seat, card));
        held.iter().sum::<u64>() == tally.deals()
    });
    let gram = survey.gram.as_ref().is_none_or(|gram| {
        gram.within.identities_hold(&first_order_sums(&gram.within))
            && gram.lags.iter().all(|(_, sums)| sums.sums_vanish())
    });
    cards && gram && survey.overlaps.identities_hold()
}
