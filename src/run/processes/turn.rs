//! What each of many processes deals in a turn, and what it sends back.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::draw::{DrawError, Source};
use crate::run::plan::batches_between;
use crate::run::shared_portions::SharedPortions;
use crate::run::survey::Dealt;
use crate::tally::{Batch, Latency, Twins};

/// What the leader tells all processes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::run) enum Order {
    /// To deal, each its share.
    Deal(Turn),
    /// That the run is over.
    End,
}

/// Batches of a run that follow each other, or portions of them, to be dealt by all processes.
///
/// Each deals one stretch of them: so most batches, and most windows of numbers, are whole
/// where they are counted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::run) struct Turn {
    /// The number of the first batch.
    pub(in crate::run) batch: u64,
    /// Deals of the run, from the first batch's first to the last batch's last.
    pub(in crate::run) deals: Range<u64>,
    /// Most deals of a batch.
    pub(in crate::run) batch_cap: u64,
    /// Which portions of these batches; all of them if none are named.
    pub(in crate::run) portions: Option<Range<usize>>,
    /// Deals of these portions.
    pub(in crate::run) count: u64,
    /// Which deals are kept to find equal ones, and images of each other.
    pub(in crate::run) kept: [Twins; 2],
}

/// What some processes made of their shares of a turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::run) struct Answer {
    /// What they dealt; none if one of them was told to stop.
    pub(in crate::run) dealt: Option<Dealt>,
    /// How long its portions took.
    pub(in crate::run) latency: Latency,
    /// Seconds of the slowest.
    pub(in crate::run) seconds: f64,
}

impl Turn {
    /// The batches.
    fn batches(&self) -> impl Iterator<Item = (Batch, Range<u64>)> + use<> {
        let batches = batches_between(self.deals.start, self.deals.end, self.batch_cap);
        (self.batch..).zip(batches).map(|(number, range)| {
            let deals = range.end - range.start;
            (Batch { number, deals }, range)
        })
    }

    /// What one of so many processes deals.
    pub(in crate::run) fn share(
        &self,
        source: &dyn Source,
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

impl Answer {
    /// Adds that of other processes.
    pub(in crate::run) fn merge(&mut self, other: Self) {
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
