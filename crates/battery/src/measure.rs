//! Measures every planned test at one look, from the counts.

use super::look::Look;
use super::plan::PlannedTest;
use super::row::Statistic;
use super::sign_sums::first_order_sums;
use super::table_law::{Measured, randomised_log10};
use crate::bridge::{Card, Seat};
use crate::tally::{Counts, Tally};

impl Look<'_> {
    /// Returns the result of a test if it has enough deals.
    pub(super) fn measure(&self, index: usize, planned: &PlannedTest) -> Option<Measured> {
        let measured = self.unbounded(index, planned)?;
        if measured.deals >= planned.test.least() {
            return Some(measured);
        }
        let placed = self.reference?.place(index, measured.statistic)?;
        Some(placed.measure(measured))
    }

    /// Returns the result of a test, whether or not its law holds yet.
    pub(super) fn unbounded(&self, index: usize, planned: &PlannedTest) -> Option<Measured> {
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
        planned: &PlannedTest,
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
pub(super) fn identities_hold(counts: &Counts, tally: &Tally) -> bool {
    let cards = Card::all().all(|card| {
        let held = Seat::ALL.map(|seat| tally.card(seat, card));
        held.iter().sum::<u64>() == tally.deals()
    });
    let gram = counts.gram.as_ref().is_none_or(|gram| {
        gram.within.identities_hold(&first_order_sums(&gram.within))
            && gram.lags.iter().all(|(_, sums)| sums.sums_vanish())
    });
    cards && gram && counts.overlaps.identities_hold()
}
