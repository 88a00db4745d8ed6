//! Counts and tests the deals that were read, a batch at a time.

use std::iter;

use serde::{Deserialize, Serialize};

use super::SessionSize;
use super::boards::UntestedReason;
use super::intake::Intake;
use super::place::BoardPlace;
use super::recorded::PendingBatch;
use super::replays::EventRule;
use crate::battery::{Battery, BatteryState, counts_agree};
use crate::bridge::Deal;
use crate::draw::{DealSource, DrawError};
use crate::formats::read::InputEntry;
use crate::run::{Part, SharedPortions, WorkerCalls, batch_from, is_look};
use crate::tally::{Collection, CountPlan, Counting, Counts, Latency, Seeds};

/// Maximum batch size, in deals: forty million bytes wait for counting.
pub const BATCH_DEALS: u64 = 1 << 20;

/// Number of sample deals in a report.
const SAMPLES: usize = 4;

/// Number of deals that tests are planned for if the total is unknown.
pub const MOST_DEALS: u64 = 1 << 40;

/// Distance between the positions of the first deals of two parts, which are those of different
/// deals.
const PART_DEALS: u64 = 1 << 36;

/// Deals that were read and wait to be tested, a batch at a time.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Auditor {
    /// Counts of boards, problems and sessions.
    pub intake: Intake,
    recorded: PendingBatch,
    /// Number of the batch.
    batch: u64,
    /// The first deals that are tested.
    first: Vec<(BoardPlace, Deal)>,
}

impl Auditor {
    /// An auditor before its first board. Sessions have `session` consecutive boards, or follow
    /// from events and board numbers. `rule` separates replays from boards of other events.
    pub fn new(session: Option<SessionSize>, rule: EventRule) -> Self {
        Self {
            intake: Intake::new(session, rule),
            ..Self::default()
        }
    }

    /// The auditor of a part of an audit.
    #[must_use]
    pub fn of_part(self, part: Part) -> Self {
        Self {
            recorded: PendingBatch::at((part.number() - 1) * PART_DEALS),
            ..self
        }
    }

    /// Adds the boards of the next part, all of whose deals are counted.
    pub fn append(&mut self, part: Self) {
        let inputs = self.intake.counts.len() as u32;
        let more = SAMPLES - self.first.len();
        let first = part.first.into_iter().take(more);
        let moved = first.map(|(place, deal)| (place.after(inputs), deal));
        self.first.extend(moved);
        self.recorded.follow(&part.recorded);
        self.intake.append(part.intake);
    }

    /// Takes the next entry. Returns whether the batch is complete and must be counted before the
    /// next entry.
    pub fn take(&mut self, found: &InputEntry<'_>) -> bool {
        self.intake.take(found);
        self.collect()
    }

    /// Adds the deals that are ready to the batch. Returns whether it is complete and must be
    /// counted; then there may be more deals.
    pub fn collect(&mut self) -> bool {
        while let Some((place, deal)) = self.intake.next_tested() {
            if self.first.len() < SAMPLES {
                self.first.push((place, deal));
            }
            self.recorded.push(&deal, place);
            let dealt = self.recorded.range();
            if dealt.end == batch_from(dealt.start, BATCH_DEALS).end {
                return true;
            }
        }
        false
    }

    /// The first tested deals, and where they were read.
    pub fn first(&self) -> &[(BoardPlace, Deal)] {
        &self.first
    }

    /// Number of deals to be tested so far.
    pub fn deals(&self) -> u64 {
        self.recorded.range().end
    }
}

/// Counts batches and makes looks.
#[derive(Debug)]
pub struct AuditTests<'p> {
    plan: CountPlan<'p>,
    battery: Battery,
    state: CountedState,
}

/// The counts so far, without the tests.
#[derive(Debug, Serialize, Deserialize)]
struct CountedState {
    counts: Counts,
    collection: Collection,
}

impl CountedState {
    /// Adds the counts of the next part.
    fn append(&mut self, part: Self) {
        self.counts.append(part.counts);
        let (mine, theirs) = (&mut self.collection, part.collection);
        mine.sessions.merge(theirs.sessions);
        mine.session_overlaps.merge(&theirs.session_overlaps);
        mine.places.merge(&theirs.places);
    }
}

/// The counts and the evidence of [`AuditTests`] as they are read from a checkpoint.
#[derive(Debug, Deserialize)]
pub struct SavedTests(CountedState, BatteryState);

impl<'p> AuditTests<'p> {
    /// Starts without any deals.
    pub fn new(plan: CountPlan<'p>, battery: Battery) -> Self {
        let counts = plan.empty();
        Self {
            plan,
            battery,
            state: CountedState {
                counts,
                collection: Collection::default(),
            },
        }
    }

    /// What a checkpoint keeps, read as [`SavedTests`]; `None` if the counts contradict each other.
    pub fn saved(&self) -> Option<impl Serialize + '_> {
        counts_agree(&self.state.counts).then(|| (&self.state, self.battery.seen()))
    }

    /// Goes on from a saved state; `None` if it is that of other tests.
    pub fn resumed(self, saved: SavedTests) -> Option<Self> {
        let SavedTests(state, seen) = saved;
        let fits = state.counts.fits(&self.plan);
        let battery = self.battery.having_seen(seen).ok().filter(|_| fits)?;
        Some(Self {
            battery,
            state,
            ..self
        })
    }

    /// Counts the auditor's batch on the threads of the current rayon pool, and makes a look at
    /// 2^14, 2^15, 2^16 .. deals and at the end. Returns S after a look.
    ///
    /// # Errors
    ///
    /// None that audited deals can cause.
    pub fn count(
        &mut self,
        auditor: &mut Auditor,
        is_last: bool,
    ) -> Result<Option<f64>, DrawError> {
        self.count_batch(auditor)?;
        let is_due = is_last || is_look(auditor.deals(), u64::MAX);
        Ok(is_due.then(|| self.look()))
    }

    /// Makes a look. Returns S.
    pub fn look(&mut self) -> f64 {
        let CountedState { counts, collection } = &self.state;
        self.battery.look_at_collection(counts, collection)
    }

    /// Adds the deals of a saved part of the audit, and counts those that wait in its auditor.
    /// Returns whether the saved counts are those of these tests.
    pub fn append(
        &mut self,
        auditor: &mut Auditor,
        saved: Option<SavedTests>,
    ) -> Result<bool, DrawError> {
        let empty = || CountedState {
            counts: self.plan.empty(),
            collection: Collection::default(),
        };
        let part = saved.map_or_else(empty, |SavedTests(state, _)| state);
        if !part.counts.fits(&self.plan) {
            return Ok(false);
        }
        let before = std::mem::replace(&mut self.state, part);
        auditor.intake.end();
        while auditor.collect() {
            self.count_batch(auditor)?;
        }
        self.count_batch(auditor)?;
        let part = std::mem::replace(&mut self.state, before);
        self.state.append(part);
        Ok(true)
    }

    /// Takes over the counts of other tests with the same plan.
    pub fn counted_by(self, other: Self) -> Self {
        Self {
            state: other.state,
            ..self
        }
    }

    /// Counts the auditor's batch, and the sessions that have ended.
    fn count_batch(&mut self, auditor: &mut Auditor) -> Result<(), DrawError> {
        let Auditor {
            intake,
            recorded,
            batch,
            ..
        } = auditor;
        let range = recorded.range();
        let CountedState { counts, collection } = &mut self.state;
        let (plan, foreign) = (&self.plan, counts.foreign);
        if !range.is_empty() {
            let mut one = iter::once((*batch, recorded.positions()));
            if let Some(shared) = SharedPortions::next(recorded, &mut one, |_| true)? {
                let kept = counts.kept();
                let counter = || Counting::new(plan, &kept, recorded.isa());
                let (work, latency) = (&WorkerCalls::QUIET, &mut Latency::default());
                let (_, shares) = shared.deal(recorded, 0, work, counter, latency)?;
                counts.add(shares.into_iter().map(Counting::finish).collect());
            }
            *batch += 1;
        }
        if counts.foreign > foreign {
            report_foreign(plan, recorded, intake);
        }
        for session in intake.fetch_sessions() {
            collection.sessions.add(&session);
        }
        collection.session_overlaps = intake.overlaps().clone();
        collection.places = intake.places().clone();
        recorded.clear();
        Ok(())
    }

    /// The counts.
    pub fn counts(&self) -> &Counts {
        &self.state.counts
    }

    /// The tests.
    pub fn battery(&self) -> &Battery {
        &self.battery
    }

    /// The counts and the tests.
    pub fn into_parts(self) -> (Counts, Battery) {
        (self.state.counts, self.battery)
    }

    /// Adds the result of a seed search.
    pub fn found_seeds(&mut self, seeds: Seeds) {
        self.state.collection.seeds = seeds;
    }
}

/// Records deals that do not satisfy the condition.
fn report_foreign(plan: &CountPlan<'_>, recorded: &PendingBatch, intake: &mut Intake) {
    for (deal, place) in recorded.iter() {
        if intake.is_full() {
            break;
        }
        if !plan.is_member(&deal) {
            let reason = format!("does not satisfy the condition: {deal}");
            intake.report(place, None, UntestedReason::Foreign, reason);
        }
    }
}
