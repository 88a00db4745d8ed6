//! The data of one look.

use super::FIRST_LOOK;
use super::expected::Expected;
use super::reference::Reference;
use super::small_sample_laws::SmallSampleLaws;
use super::table_law::{Measured, TableLaw};
use crate::tally::{Collection, Counts, SecondOrder, Tally};

/// The data that all tests of a look share.
pub(super) struct Look<'s> {
    pub(super) counts: &'s Counts,
    /// Counts of an audit's collection; empty in a run.
    pub(super) collection: &'s Collection,
    pub(super) tally: Tally,
    pub(super) expected: &'s Expected,
    pub(super) tables: &'s [Option<TableLaw>],
    /// Perfect sets, for tests with too few deals for their laws.
    pub(super) reference: Option<&'s Reference>,
    /// Whether to compute p-values, which take time, besides the statistics.
    pub(super) wants_laws: bool,
    /// The worst card and seat, computed once.
    pub(super) worst: Measured,
    /// T2a to T2d and T2, computed once.
    pub(super) second_order: Option<[Measured; 5]>,
}

impl Look<'_> {
    /// Returns the laws of small samples, if the sample is small and p-values are wanted.
    pub(super) fn small_sample_laws(&self, deals: u64) -> Option<&SmallSampleLaws> {
        let laws = self.expected.unconstrained.as_ref();
        let laws = laws.filter(|_| deals < FIRST_LOOK && self.wants_laws);
        laws.map(|laws| &laws.small_samples)
    }

    /// Returns the sums over pairs of cards within deals, if any.
    pub(super) fn within(&self) -> Option<&SecondOrder> {
        let sums = self.counts.gram.as_ref().map(|gram| &gram.within);
        sums.filter(|sums| sums.pairs() > 0)
    }
}
