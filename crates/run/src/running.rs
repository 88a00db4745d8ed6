//! A tested run: batch by batch, with a look at every power of two.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::keep_filter::{KeepCounter, KeepFilter, KeptCounts};
use super::parts::PartRange;
use super::plan::batches_between;
use super::processes::{CoordinatorMessage, Team, Turn, TurnAnswer, broadcast, reduce};
use super::shared_portions::{Counter, SharedPortions, WorkerCalls, reaching};
use super::{RunError, batches_before};
use crate::battery::{FIRST_LOOK, RunParameters};
use crate::draw::{BLOCK_DEALS, DealSource, Packet, Portion};
use crate::tally::{
    Batch, CLOSE_SHARE, CountPlan, Counting, Counts, Depth, DuplicateDeals, GROUPS, Latency,
    NUMBER_SHARE, Share,
};

/// Default sample size that a PASS requires; `--target` changes it.
pub const DEFAULT_TARGET: u64 = 1_000_000;

/// Counts of a run's complete batches, and the time its deals took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunCounts {
    /// Counts for the tests.
    pub counts: Counts,
    /// Results of the script's filter and questions.
    pub kept_counts: KeptCounts,
    /// Time per deal, by portion.
    pub latency: Latency,
}

/// Resumable state of a run or part between two portions, excluding its source and its tests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunState {
    /// Number of the run's complete batches.
    batches: u64,
    /// Number of deals in these batches.
    dealt: u64,
    /// Counts of this run or part in these batches.
    pub counted: RunCounts,
    /// Number of dealt portions of the current batches.
    portions: usize,
    /// Counts of these portions.
    in_hand: Option<PortionCounts>,
    /// For a part: its counts at each of the run's looks within it.
    passed: Vec<Passed>,
}

/// Counts of a part at one of the run's looks.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Passed {
    /// Deals of the run at that look.
    deals: u64,
    counts: Counts,
}

/// Counts of some portions; they enter the report when their batches are complete.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PortionCounts {
    share: Share,
    kept_counts: KeptCounts,
}

impl PortionCounts {
    /// Adds the counts of other portions of the same batches.
    pub(super) fn merge(&mut self, other: Self) {
        self.share.merge(other.share);
        self.kept_counts.merge(&other.kept_counts);
    }
}

/// Result of a step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunStep {
    /// The workers paused, possibly within a batch.
    Paused,
    /// Another process was told to stop, so this turn does not count.
    Stopped,
    /// More batches were counted.
    Counted,
    /// More batches were counted, and a look was made.
    Look,
    /// As `Look`, and the look ended the run.
    LastLook,
    /// All deals are counted.
    Ended,
}

/// Error: the saved state is inconsistent with the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is inconsistent with the run")]
pub struct UnsoundState;

/// The processes that deal the same run; this one is their leader.
#[derive(Clone, Copy)]
pub struct OtherProcesses<'t> {
    /// All processes.
    pub team: &'t dyn Team,
    /// Minimum number of deals per turn, after which all processes wait for each other.
    pub turn: u64,
}

/// Makes the tests of a look on the counts so far; breaks to end the run.
pub type LookCall<'l> = &'l mut (dyn FnMut(&Counts) -> ControlFlow<()> + Send);

/// Parameters of a run, which do not change while it deals.
struct RunSetup<'r, 'f> {
    source: &'r dyn DealSource,
    plan: &'r CountPlan<'f>,
    keep_filter: &'r KeepFilter,
    deals: u64,
    batch_cap: u64,
    /// The batches that this run deals.
    range: PartRange,
    /// Whether this is a part, to be merged with others.
    is_part: bool,
}

/// Counts of complete batches that are not yet added.
struct DealtBatches {
    parts: Vec<PortionCounts>,
    batches: u64,
    /// Deals of the run at their end.
    end: u64,
}

/// A run in progress: deals a given number of deals and counts them.
///
/// Tests take one thread, so the other threads deal the next batches meanwhile.
///
/// The counts depend only on the source, the filter, the number of deals and the batch cap. They do
/// not depend on pauses, resumptions or the number of processes.
pub struct Running<'r, 'f> {
    setup: RunSetup<'r, 'f>,
    others: Option<OtherProcesses<'r>>,
    state: RunState,
    /// Batches before the current ones, added while the current ones are dealt.
    waiting: Option<DealtBatches>,
    /// The current batches, if their portions are known.
    shared: Option<SharedPortions>,
}

impl<'r, 'f> Running<'r, 'f> {
    /// A run of `deals` deals in batches of at most `batch_cap`, before its first deal.
    pub fn new(
        source: &'r dyn DealSource,
        plan: &'r CountPlan<'f>,
        keep_filter: &'r KeepFilter,
        (deals, batch_cap): (u64, u64),
    ) -> Self {
        let state = RunState {
            batches: 0,
            dealt: 0,
            counted: RunCounts {
                counts: plan.empty(),
                kept_counts: KeptCounts::default(),
                latency: Latency::default(),
            },
            portions: 0,
            in_hand: None,
            passed: Vec::new(),
        };
        let setup = RunSetup {
            source,
            plan,
            keep_filter,
            deals,
            batch_cap,
            range: PartRange::whole(deals, batch_cap),
            is_part: false,
        };
        Self {
            setup,
            others: None,
            state,
            waiting: None,
            shared: None,
        }
    }

    /// Restricts the run to some of its batches and keeps the counts at each of the run's looks.
    /// The result is a part, which [`Merging`](super::Merging) joins with the others.
    #[must_use]
    pub fn part(mut self, range: PartRange) -> Self {
        (self.state.batches, self.state.dealt) = (range.batches.start, range.deals.start);
        (self.setup.range, self.setup.is_part) = (range, true);
        self
    }

    /// Shares the run with other processes, which [`Running::serve`].
    #[must_use]
    pub fn with_other_processes(mut self, others: OtherProcesses<'r>) -> Self {
        self.others = Some(others);
        self
    }

    /// Whether other processes deal this run too.
    pub fn is_led(&self) -> bool {
        self.others.is_some()
    }

    /// Resumes the run from a state.
    ///
    /// # Errors
    ///
    /// [`RunError::State`] if the state is inconsistent with this run; [`RunError::Draw`] if the
    /// portions of the current batches cannot be determined.
    pub fn resumed(mut self, state: RunState) -> Result<Self, RunError> {
        if !self.setup.fits(&state) {
            return Err(UnsoundState.into());
        }
        self.state = state;
        if self.state.portions == 0 && self.state.in_hand.is_none() {
            return Ok(self);
        }
        self.select_portions()?;
        let (portions, dealt) = (self.state.portions, self.state.in_hand.as_ref());
        let fits = dealt.is_some_and(|dealt| {
            dealt.share.fits(self.setup.plan) && dealt.kept_counts.fits(self.setup.keep_filter)
        });
        match &self.shared {
            Some(shared) if fits && portions < shared.all().len() => Ok(self),
            _ => Err(UnsoundState.into()),
        }
    }

    /// The current state.
    pub fn state(&self) -> &RunState {
        &self.state
    }

    /// The current state, for merging.
    pub fn into_state(self) -> RunState {
        self.state
    }

    /// Number of deals in complete batches.
    pub fn counted(&self) -> u64 {
        self.state.dealt - self.setup.range.deals.start
    }

    /// Number of deals so far, including those of the current batches in the state.
    pub fn dealt(&self) -> u64 {
        let shared = self.shared.as_ref();
        let in_hand = shared.map_or(0, |shared| shared.deals_of(self.state.portions));
        self.counted() + in_hand
    }

    /// Counts of the complete batches.
    pub fn finish(self) -> RunCounts {
        self.state.counted
    }

    /// Whether all deals are counted.
    pub fn is_over(&self) -> bool {
        self.setup.is_over(&self.state)
    }

    /// Deals on the threads of the current rayon pool until more batches are counted, or until the
    /// workers pause. With other processes, deals one turn. Calls `look` where tests are due.
    ///
    /// # Errors
    ///
    /// [`RunError`] if the case file was modified during the run, the random words ended, the
    /// filter's arithmetic failed for some deal, or another process runs a different version.
    pub fn step(
        &mut self,
        work: &WorkerCalls<'_>,
        look: LookCall<'_>,
    ) -> Result<RunStep, RunError> {
        if self.is_over() {
            return Ok(RunStep::Ended);
        }
        if let Some(others) = self.others {
            return self.lead(others, work, look);
        }
        loop {
            if self.shared.is_none() {
                self.select_portions()?;
            }
            let is_ended = AtomicBool::new(false);
            let calls = WorkerCalls {
                pause: &|| is_ended.load(Ordering::Relaxed) || (work.pause)(),
                ..*work
            };
            let kept = self.state.counted.counts.kept();
            let (setup, shared, from) = (&self.setup, self.shared.as_ref(), self.state.portions);
            let (state, waiting) = (&mut self.state, self.waiting.take());
            if waiting.is_none() && shared.is_none() {
                return Ok(RunStep::Ended);
            }
            let look = &mut *look;
            let add = || {
                let added = setup.add(state, waiting?, look);
                is_ended.store(added == RunStep::LastLook, Ordering::Relaxed);
                Some(added)
            };
            let deal = || shared.map(|shared| setup.deal(shared, from, &kept, &calls));
            let (added, dealt) = rayon::join(add, deal);
            let is_whole = match dealt.transpose()? {
                Some((dealt, parts, latency)) => {
                    self.state.counted.latency.merge(&latency);
                    self.keep(dealt, parts)
                }
                None => true,
            };
            match added {
                Some(step) => return Ok(step),
                None if !is_whole => return Ok(RunStep::Paused),
                // A goal decides which batch is the last.
                None if self.setup.keep_filter.has_goal() => return Ok(self.settle(look)),
                None => {}
            }
        }
    }

    /// Adds batches that are dealt but not counted, such as before the state is saved.
    pub fn settle(&mut self, look: LookCall<'_>) -> RunStep {
        match self.waiting.take() {
            Some(batches) => self.setup.add(&mut self.state, batches, look),
            None => RunStep::Paused,
        }
    }

    /// Keeps the counts of the current batches, whose first `dealt` portions are dealt. Returns
    /// whether these are all.
    fn keep(&mut self, dealt: usize, parts: Vec<PortionCounts>) -> bool {
        let whole = self.shared.take_if(|shared| dealt == shared.all().len());
        let Some(shared) = whole else {
            self.state.portions = dealt;
            self.state.keep(parts);
            return false;
        };
        self.complete(parts, shared.batches, shared.end);
        true
    }

    /// Completes the current batches.
    fn complete(&mut self, parts: Vec<PortionCounts>, batches: u64, end: u64) {
        debug_assert!(self.waiting.is_none());
        let earlier = self.state.in_hand.take();
        self.state.portions = 0;
        self.waiting = Some(DealtBatches {
            parts: earlier.into_iter().chain(parts).collect(),
            batches,
            end,
        });
    }

    /// The batches after the complete ones.
    fn following(&self) -> impl Iterator<Item = (u64, Range<u64>)> + use<> {
        let (batches, dealt) = match &self.waiting {
            Some(waiting) => (self.state.batches + waiting.batches, waiting.end),
            None => (self.state.batches, self.state.dealt),
        };
        let following = batches_between(dealt, self.setup.range.deals.end, self.setup.batch_cap);
        (batches..).zip(following)
    }

    /// Selects the next batches and their portions, as in a run of one process.
    fn select_portions(&mut self) -> Result<(), RunError> {
        let is_end = |end| is_look(end, self.setup.deals);
        self.shared = SharedPortions::next(self.setup.source, &mut self.following(), is_end)?;
        Ok(())
    }

    /// Returns the next turn of about `least` deals, and its number of batches. `None` at the end of
    /// the run.
    fn next_turn(&mut self, least: u64) -> Result<Option<(Turn, u64)>, RunError> {
        // A filter with a goal ends the run with the batches that reach it. These are the same for
        // any number of processes.
        let is_as_one = self.setup.keep_filter.has_goal() || self.state.portions > 0;
        let is_end = |end| is_look(end, self.setup.deals);
        let reached = reaching(&mut self.following(), is_end, least);
        let RunState { batches, dealt, .. } = self.state;
        let mut turn = Turn {
            batch: batches,
            deals: dealt..reached.last().map_or(dealt, |(_, range)| range.end),
            batch_cap: self.setup.batch_cap,
            portions: None,
            count: 0,
            kept: self.state.counted.counts.kept(),
        };
        turn.count = turn.deals.end - dealt;
        // A batch larger than a turn is split into several turns, by the portions of a single
        // process.
        if is_as_one || reached.len() == 1 && turn.count > least {
            if self.shared.is_none() {
                self.select_portions()?;
            }
            let Some(shared) = &self.shared else {
                return Ok(None);
            };
            let (all, from) = (shared.all(), self.state.portions);
            let (mut to, mut count) = (from, 0);
            while to < all.len() && count < least {
                count += all[to].1.deals();
                to += 1;
            }
            turn.deals.end = shared.end;
            (turn.portions, turn.count) = (Some(from..to), count);
        }
        Ok(Some((turn, reached.len() as u64)))
    }

    /// Leads a turn: announces it, deals a share, and gathers the others' counts.
    fn lead(
        &mut self,
        others: OtherProcesses<'_>,
        work: &WorkerCalls<'_>,
        look: LookCall<'_>,
    ) -> Result<RunStep, RunError> {
        let Some((turn, reached)) = self.next_turn(others.turn.max(1))? else {
            return Ok(RunStep::Ended);
        };
        let begun = Instant::now();
        broadcast(
            others.team,
            Some(CoordinatorMessage::Deal(Box::new(turn.clone()))),
        )?;
        let (mut bytes, clock) = (0, Instant::now());
        // Progress is reported when all processes have dealt.
        let quietly = WorkerCalls {
            progress: &|_| (),
            ..*work
        };
        let mine = self.answer(others.team, &turn, &quietly)?;
        let dealing = clock.elapsed();
        let answer = reduce(others.team, mine, TurnAnswer::merge, |came| bytes += came)?;
        let Some(TurnAnswer {
            dealt: Some(dealt),
            latency,
            seconds,
        }) = answer
        else {
            return Ok(RunStep::Stopped);
        };
        let (deals, total) = (turn.count, begun.elapsed().as_secs_f64());
        let (processes, mine) = (others.team.processes(), dealing.as_secs_f64());
        let gathering = total - seconds.max(mine);
        tracing::debug!(
            target: "run", deals, processes, dealing = seconds, gathering, bytes, "turn"
        );
        (work.progress)(deals);
        self.state.counted.latency.merge(&latency);
        let is_whole = match (&turn.portions, &self.shared) {
            (Some(portions), Some(shared)) => {
                self.state.portions = portions.end;
                portions.end == shared.all().len()
            }
            _ => true,
        };
        if !is_whole {
            self.state.keep(vec![dealt]);
            return Ok(RunStep::Paused);
        }
        let (batches, end) = match self.shared.take() {
            Some(shared) => (shared.batches, shared.end),
            None => (reached, turn.deals.end),
        };
        self.complete(vec![dealt], batches, end);
        Ok(self.settle(look))
    }

    /// Deals the share of this process.
    fn answer(
        &self,
        team: &dyn Team,
        turn: &Turn,
        work: &WorkerCalls<'_>,
    ) -> Result<TurnAnswer, RunError> {
        let clock = Instant::now();
        let share = turn.share(self.setup.source, team.place(), team.processes())?;
        let (dealt, parts, latency) = self.setup.deal(&share, 0, &turn.kept, work)?;
        let is_whole = dealt == share.all().len();
        let mut parts = parts.into_iter();
        let first = parts.next();
        let dealt = first.filter(|_| is_whole).map(|mut dealt| {
            parts.for_each(|part| dealt.merge(part));
            dealt
        });
        let seconds = clock.elapsed().as_secs_f64();
        Ok(TurnAnswer {
            dealt,
            latency,
            seconds,
        })
    }

    /// Deals the leader's turns until the run ends, on the threads of the current rayon pool.
    ///
    /// # Errors
    ///
    /// As [`Running::step`].
    pub fn serve(&self, team: &dyn Team, work: &WorkerCalls<'_>) -> Result<(), RunError> {
        while let CoordinatorMessage::Deal(turn) = broadcast(team, None)? {
            let mine = self.answer(team, &turn, work)?;
            reduce(team, mine, TurnAnswer::merge, |_| ())?;
        }
        Ok(())
    }

    /// Tells the other processes, if any, that the run has ended.
    ///
    /// # Errors
    ///
    /// None: the leader receives nothing.
    pub fn dismiss(&self) -> Result<(), RunError> {
        if let Some(others) = self.others {
            broadcast(others.team, Some(CoordinatorMessage::End))?;
        }
        Ok(())
    }
}

impl RunSetup<'_, '_> {
    /// Whether all deals are counted.
    fn is_over(&self, state: &RunState) -> bool {
        state.dealt == self.range.deals.end
            || self.keep_filter.is_enough(state.counted.kept_counts.kept)
    }

    /// Deals portions from `from` on, on all threads. Returns the first portion that was not dealt,
    /// the counts of each thread and the time per deal.
    fn deal(
        &self,
        shared: &SharedPortions,
        from: usize,
        kept: &[DuplicateDeals; 2],
        work: &WorkerCalls<'_>,
    ) -> Result<(usize, Vec<PortionCounts>, Latency), RunError> {
        let (plan, keep_filter, path) = (self.plan, self.keep_filter, self.source.isa());
        let counter = || PortionCounting {
            counting: Counting::new(plan, kept, path),
            keep_counter: (!keep_filter.is_idle()).then(|| keep_filter.keep_counter(path)),
        };
        let mut latency = Latency::default();
        let (dealt, counted) = shared.deal(self.source, from, work, counter, &mut latency)?;
        let parts = counted.into_iter().map(PortionCounting::finish);
        Ok((dealt, parts.collect::<Result<_, RunError>>()?, latency))
    }

    /// Adds complete batches, and makes the look after them if there is one.
    fn add(&self, state: &mut RunState, batches: DealtBatches, look: LookCall<'_>) -> RunStep {
        state.add(batches);
        let is_over = self.is_over(state);
        if !is_over && !is_look(state.dealt, self.deals) {
            return RunStep::Counted;
        }
        if self.is_part && !is_over {
            let (deals, counts) = (state.dealt, state.counted.counts.clone());
            state.passed.push(Passed { deals, counts });
        }
        // A part that starts shortly before a look has too few deals for tests then.
        let counted = state.dealt - self.range.deals.start;
        let is_tested = is_over || counted >= FIRST_LOOK;
        match is_tested && look(&state.counted.counts).is_break() {
            true => RunStep::LastLook,
            false => RunStep::Look,
        }
    }

    /// Whether a state ends at a batch of this run and has the shape of its counts. Their values
    /// are those that a run wrote: the checkpoint has a checksum.
    fn fits(&self, state: &RunState) -> bool {
        let (start, end) = (self.range.deals.start, self.range.deals.end);
        // A part has counts for each look within its dealt batches.
        let looks = match self.is_part {
            true => looks_within(start, state.dealt, end),
            false => Vec::new(),
        };
        let passed = state.passed.iter();
        (start..=end).contains(&state.dealt)
            && batches_before(state.dealt, self.deals, self.batch_cap) == Some(state.batches)
            && state.counted.counts.fits(self.plan)
            && state.counted.kept_counts.fits(self.keep_filter)
            && passed.clone().map(|passed| passed.deals).eq(looks)
            && passed.clone().all(|passed| passed.counts.fits(self.plan))
    }
}

impl RunState {
    /// Keeps the counts from before a pause.
    fn keep(&mut self, parts: Vec<PortionCounts>) {
        for part in parts {
            match &mut self.in_hand {
                Some(kept) => kept.merge(part),
                none => *none = Some(part),
            }
        }
    }

    /// Adds the counts of complete batches.
    fn add(&mut self, dealt: DealtBatches) {
        let mut shares = Vec::with_capacity(dealt.parts.len());
        for part in dealt.parts {
            shares.push(part.share);
            self.counted.kept_counts.merge(&part.kept_counts);
        }
        self.counted.counts.add(shares);
        self.batches += dealt.batches;
        self.dealt = dealt.end;
    }

    /// Returns the counts at each look within a part, the end of the part in deals of the run, and
    /// the counts of the part.
    pub(super) fn into_parts(self) -> (impl Iterator<Item = Counts>, u64, RunCounts) {
        let passed = self.passed.into_iter();
        (passed.map(|passed| passed.counts), self.dealt, self.counted)
    }
}

/// Counts for the tests and for a script.
struct PortionCounting<'p> {
    counting: Counting<'p>,
    keep_counter: Option<KeepCounter<'p>>,
}

impl PortionCounting<'_> {
    fn finish(self) -> Result<PortionCounts, RunError> {
        let kept_counts = self.keep_counter.map(KeepCounter::finish).transpose()?;
        Ok(PortionCounts {
            share: self.counting.finish(),
            kept_counts: kept_counts.unwrap_or_default(),
        })
    }
}

impl Counter for PortionCounting<'_> {
    fn begin(&mut self, batch: Batch, portion: &Portion) {
        self.counting.begin(batch, portion);
    }

    fn count(&mut self, packet: &Packet) {
        self.counting.count(packet);
        if let Some(keep_counter) = &mut self.keep_counter {
            keep_counter.add(packet);
        }
    }

    fn end(&mut self) {
        self.counting.end();
    }
}

/// Parameters of a run that a battery needs before the first deal.
///
/// # Panics
///
/// If there are more than [`MOST_DEALS`](super::MOST_DEALS).
pub fn terms(plan: &CountPlan<'_>, deals: u64, batch_cap: u64, target: u64) -> RunParameters {
    terms_of_part(plan, &PartRange::whole(deals, batch_cap), batch_cap, target)
}

/// Parameters of some of a run's batches.
pub fn terms_of_part(
    plan: &CountPlan<'_>,
    range: &PartRange,
    batch_cap: u64,
    target: u64,
) -> RunParameters {
    let listed = plan.runs().is_some();
    let of_blocks = |share: u64| {
        let period = share * BLOCK_DEALS;
        let before = |deals: u64| deals / period * BLOCK_DEALS + (deals % period).min(BLOCK_DEALS);
        before(range.deals.end) - before(range.deals.start)
    };
    let within = batches_between(range.deals.start, range.deals.end, batch_cap);
    let (mut compared, mut groups) = (0.0, [0; GROUPS]);
    if listed {
        for (number, batch) in (range.batches.start..).zip(within) {
            let deals = batch.end - batch.start;
            let batch = Batch { number, deals };
            groups[(number % GROUPS as u64) as usize] += deals;
            if plan.is_compared(batch) {
                compared += deals as f64 * (deals - 1) as f64 / 2.0;
            }
        }
    }
    let deals = range.count();
    let (close, numbered) = match (plan.depth(), plan.is_whole()) {
        (Depth::Tables, _) => (0, 0),
        (Depth::Full, true) => (deals, deals),
        (Depth::Full, false) => (deals, 0),
        (Depth::Standard, true) => (of_blocks(CLOSE_SHARE), of_blocks(NUMBER_SHARE)),
        (Depth::Standard, false) => (of_blocks(CLOSE_SHARE), 0),
    };
    RunParameters {
        depth: plan.depth(),
        deals,
        target,
        close,
        numbered,
        kept: plan.kept(),
        longest: deals.min(batch_cap).min(BLOCK_DEALS),
        compared,
        batches: (range.batches.end - range.batches.start).min(2),
        smallest_group: groups
            .into_iter()
            .filter(|deals| *deals > 0)
            .min()
            .unwrap_or(0),
        structure: plan.structure().clone(),
        sessions: 0,
        dealt: 0,
        session_pairs: 0,
        seeds: false,
        referred: false,
        open: false,
    }
}

/// Deals a run of `size.0` deals in batches of at most `size.1`, on the threads of the current
/// rayon pool, and counts them.
///
/// `look` is called with the counts at 2^14, 2^15, 2^16 .. deals and at the end, always after a
/// complete batch, and may end the run. A filter that has kept enough deals ends it too. `progress`
/// receives the number of deals of each finished portion. [`Running`] can also be paused.
///
/// # Errors
///
/// As [`Running::step`].
pub fn count(
    source: &dyn DealSource,
    plan: &CountPlan<'_>,
    keep_filter: &KeepFilter,
    size: (u64, u64),
    progress: &(dyn Fn(u64) + Sync),
    look: LookCall<'_>,
) -> Result<RunCounts, RunError> {
    let work = WorkerCalls {
        progress,
        ..WorkerCalls::QUIET
    };
    let mut running = Running::new(source, plan, keep_filter, size);
    while !matches!(
        running.step(&work, look)?,
        RunStep::LastLook | RunStep::Ended
    ) {}
    Ok(running.finish())
}

/// Whether a run of `deals` deals has a look after deal `end`.
pub fn is_look(end: u64, deals: u64) -> bool {
    end == deals || is_global_look(end)
}

/// Whether any longer run has a look after this number of deals.
pub(super) fn is_global_look(end: u64) -> bool {
    end >= FIRST_LOOK && end.is_power_of_two()
}

/// The looks of a run after `start` and up to `dealt`, within a part that ends at `end`.
fn looks_within(start: u64, dealt: u64, end: u64) -> Vec<u64> {
    let looks = (0..u64::BITS).map(|power| 1 << power);
    looks
        .filter(|look| is_global_look(*look) && *look > start && *look <= dealt && *look < end)
        .collect()
}
