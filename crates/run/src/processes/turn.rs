//! The work of each process in a turn, and its answer.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::draw::{DealSource, DrawError};
use crate::plan::batches_between;
use crate::running::PortionCounts;
use crate::shared_portions::SharedPortions;
use crate::tally::{Batch, DuplicateDeals, Latency};

/// The leader's message to all processes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum CoordinatorMessage {
    /// Each process deals its share.
    Deal(Box<Turn>),
    /// The run has ended.
    End,
}

/// Consecutive batches of a run, or portions of them, that all processes deal together.
///
/// Each process deals consecutive portions, so that most batches and most windows of consecutive
/// deals are complete where they are counted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Turn {
    /// Number of the first batch.
    pub(crate) batch: u64,
    /// Deals of the run in all these batches.
    pub(crate) deals: Range<u64>,
    /// Maximum batch size in deals.
    pub(crate) batch_cap: u64,
    /// The portions to deal; `None` for all.
    pub(crate) portions: Option<Range<usize>>,
    /// Number of deals in these portions.
    pub(crate) count: u64,
    /// Which deals are kept for finding duplicate and equivalent deals.
    pub(crate) kept: [DuplicateDeals; 2],
}

/// Counts of some processes' shares of a turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TurnAnswer {
    /// The counts; `None` if one of the processes was told to stop.
    pub(crate) dealt: Option<PortionCounts>,
    /// Time per deal, by portion.
    pub(crate) latency: Latency,
    /// Seconds of the slowest process.
    pub(crate) seconds: f64,
}

impl Turn {
    /// The batches of the turn.
    fn batches(&self) -> impl Iterator<Item = (Batch, Range<u64>)> + use<> {
        let batches = batches_between(self.deals.start, self.deals.end, self.batch_cap);
        (self.batch..).zip(batches).map(|(number, range)| {
            let deals = range.end - range.start;
            (Batch { number, deals }, range)
        })
    }

    /// The share of one of `processes` processes.
    pub(crate) fn share(
        &self,
        source: &dyn DealSource,
        place: usize,
        processes: usize,
    ) -> Result<SharedPortions, DrawError> {
        let bound = |place: usize| {
            let bound = u128::from(self.count) * place as u128 / processes as u128;
            u64::try_from(bound).expect("no more than all deals")
        };
        let wanted = bound(place)..bound(place + 1);
        let (mut mine, mut before, mut index) = (Vec::new(), 0, 0);
        for (batch, range) in self.batches() {
            let ends = before + batch.deals;
            if self.portions.is_none() && (ends <= wanted.start || wanted.end <= before) {
                before = ends;
                continue;
            }
            for portion in source.portions(range)? {
                let portions = self.portions.as_ref();
                let is_named = portions.is_none_or(|portions| portions.contains(&index));
                index += 1;
                if is_named {
                    let begins = before;
                    before += portion.deals();
                    if wanted.contains(&begins) {
                        mine.push((batch, portion));
                    }
                }
            }
        }
        Ok(SharedPortions::of(mine))
    }
}

impl TurnAnswer {
    /// Merges the answer of other processes.
    pub(crate) fn merge(&mut self, other: Self) {
        self.dealt = match (self.dealt.take(), other.dealt) {
            (Some(mut mine), Some(theirs)) => {
                mine.merge(theirs);
                Some(mine)
            }
            _ => None,
        };
        self.latency.merge(&other.latency);
        self.seconds = self.seconds.max(other.seconds);
    }
}
