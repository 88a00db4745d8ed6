//! Batches whose portions are shared among workers.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::draw::{DealScratch, DealSource, DrawError, Packet, Portion};
use crate::tally::{Batch, Counting, Latency, Tallying};

/// Minimum number of deals that the workers of a process share before they wait for each other:
/// about one second of one worker.
pub const DEALS_OF_A_TURN: u64 = 1 << 25;

/// Number of portions, or of batches shared by processes, after which no more batches are added.
const PORTIONS_TOGETHER: usize = 1 << 16;

/// A worker's counter of the portions that it deals.
pub trait Counter: Send {
    /// Starts a portion of this batch.
    fn begin(&mut self, batch: Batch, portion: &Portion);
    /// Counts a packet of the portion.
    fn count(&mut self, packet: &Packet);
    /// Ends the portion.
    fn end(&mut self);
}

impl Counter for Tallying {
    fn begin(&mut self, _: Batch, _: &Portion) {}

    fn count(&mut self, packet: &Packet) {
        self.count(packet);
    }

    fn end(&mut self) {}
}

impl Counter for Counting<'_> {
    fn begin(&mut self, batch: Batch, portion: &Portion) {
        self.begin(batch, portion);
    }

    fn count(&mut self, packet: &Packet) {
        self.count(packet);
    }

    fn end(&mut self) {
        self.end();
    }
}

/// Small batches that are dealt together, because waiting after each would leave workers idle; or
/// one large batch.
#[derive(Debug)]
pub struct SharedPortions {
    portions: Vec<(Batch, Portion)>,
    /// Number of batches.
    pub(crate) batches: u64,
    /// Deals of the run at their end.
    pub(crate) end: u64,
}

/// Takes the next batches until they have at least `least` deals or `is_end` holds after one of
/// them. Does not determine their portions, which takes time.
pub(super) fn reaching(
    batches: &mut impl Iterator<Item = (u64, Range<u64>)>,
    is_end: impl Fn(u64) -> bool,
    least: u64,
) -> Vec<(u64, Range<u64>)> {
    let (mut reached, mut deals) = (Vec::new(), 0);
    for (number, batch) in batches {
        deals += batch.end - batch.start;
        let end = batch.end;
        reached.push((number, batch));
        if deals >= least || reached.len() >= PORTIONS_TOGETHER || is_end(end) {
            break;
        }
    }
    reached
}

impl SharedPortions {
    /// Wraps portions whose batches are not counted here.
    pub(super) fn of(portions: Vec<(Batch, Portion)>) -> Self {
        Self {
            portions,
            batches: 0,
            end: 0,
        }
    }

    /// Takes the next batches, up to one after which `is_end` holds; `None` if none remain.
    pub fn next(
        source: &dyn DealSource,
        batches: &mut impl Iterator<Item = (u64, Range<u64>)>,
        is_end: impl Fn(u64) -> bool,
    ) -> Result<Option<Self>, DrawError> {
        let mut together = Self {
            portions: Vec::new(),
            batches: 0,
            end: 0,
        };
        let mut deals = 0;
        for (number, batch) in batches {
            let whole = Batch {
                number,
                deals: batch.end - batch.start,
            };
            together.batches += 1;
            together.end = batch.end;
            deals += whole.deals;
            let portions = source.portions(batch)?.into_iter();
            let portions = portions.map(|portion| (whole, portion));
            together.portions.extend(portions);
            if source.is_one_sequence()
                || deals >= DEALS_OF_A_TURN
                || together.portions.len() >= PORTIONS_TOGETHER
                || is_end(together.end)
            {
                break;
            }
        }
        Ok((together.batches > 0).then_some(together))
    }

    /// All portions, with their batches.
    pub(super) fn all(&self) -> &[(Batch, Portion)] {
        &self.portions
    }

    /// Number of deals in the first portions.
    pub(crate) fn deals_of(&self, portions: usize) -> u64 {
        let first = self.portions.iter().take(portions);
        first.map(|(_, portion)| portion.deals()).sum()
    }

    /// Deals the portions from `from` on, on the threads of the current rayon pool, each worker
    /// with its own counter, until `pause` returns true or none remain.
    ///
    /// Returns the first portion that was not dealt, and the counters.
    pub fn deal<C: Counter>(
        &self,
        source: &dyn DealSource,
        from: usize,
        work: &WorkerCalls<'_>,
        counter: impl Fn() -> C + Sync,
        latency: &mut Latency,
    ) -> Result<(usize, Vec<C>), DrawError> {
        let next = AtomicUsize::new(from);
        let deal = || self.deal_some(source, &next, work, counter());
        let shares = if source.is_one_sequence() || self.portions.len() == 1 {
            vec![deal()]
        } else {
            rayon::broadcast(|_| deal())
        };
        let mut counters = Vec::with_capacity(shares.len());
        for share in shares {
            let (counter, times) = share?;
            for (elapsed, deals) in times {
                latency.record(elapsed, deals);
            }
            counters.push(counter);
        }
        // Every portion that was taken has been dealt.
        Ok((next.into_inner().min(self.portions.len()), counters))
    }

    /// Deals portions that no other worker has taken. Returns the counter, and the time and number
    /// of deals of each portion.
    fn deal_some<C: Counter>(
        &self,
        source: &dyn DealSource,
        next: &AtomicUsize,
        work: &WorkerCalls<'_>,
        mut counter: C,
    ) -> Result<(C, Vec<(Duration, u64)>), DrawError> {
        let mut scratch = DealScratch::default();
        let mut times = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some((batch, portion)) = self.portions.get(place) else {
                break;
            };
            let start = Instant::now();
            counter.begin(*batch, portion);
            let dealt = source.deal(portion, &mut scratch, &mut |packet| counter.count(packet));
            if let Err(error) = dealt {
                // The others stop when they take the next portion.
                next.store(self.portions.len(), Ordering::Relaxed);
                return Err(error);
            }
            counter.end();
            times.push((start.elapsed(), portion.deals()));
            (work.progress)(portion.deals());
            // Checked after each portion, so that a run advances however often it pauses.
            if (work.pause)() {
                break;
            }
        }
        Ok((counter, times))
    }
}

/// The workers' connection to their caller.
pub struct WorkerCalls<'w> {
    /// Returns whether to stop taking portions. Once true, it must stay true until the workers have
    /// stopped.
    pub pause: &'w (dyn Fn() -> bool + Sync),
    /// Receives the number of deals of each finished portion.
    pub progress: &'w (dyn Fn(u64) + Sync),
}

impl WorkerCalls<'_> {
    /// Never pauses, and reports no progress.
    pub const QUIET: Self = Self {
        pause: &|| false,
        progress: &|_| (),
    };
}
