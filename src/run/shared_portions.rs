//! Batches that workers share out among them, portion by portion.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::draw::{DrawError, Packet, Portion, Scratch, Source};
use crate::tally::{Batch, Latency, Surveying, Tallying};

/// Deals, at least, that the workers of a process share out before they wait for each other: what
/// takes about a second of one.
pub const DEALS_OF_A_TURN: u64 = 1 << 25;

/// Portions after which no more batches are added to them, or batches that processes share.
const PORTIONS_TOGETHER: usize = 1 << 16;

/// What a worker does with the portions that it deals.
pub(crate) trait Counter: Send {
    /// The packets of a portion of this batch follow.
    fn begin(&mut self, batch: Batch, portion: &Portion);
    /// Counts a packet of the portion.
    fn count(&mut self, packet: &Packet);
    /// The portion's last packet was counted.
    fn end(&mut self);
}

impl Counter for Tallying {
    fn begin(&mut self, _: Batch, _: &Portion) {}

    fn count(&mut self, packet: &Packet) {
        self.count(packet);
    }

    fn end(&mut self) {}
}

impl Counter for Surveying<'_> {
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

/// Small batches that are dealt together, because waiting for each would leave workers
/// idle; or a large one.
#[derive(Debug)]
pub(crate) struct SharedPortions {
    portions: Vec<(Batch, Portion)>,
    /// How many batches.
    pub(crate) batches: u64,
    /// Deals of the run by their end.
    pub(crate) end: u64,
}

/// Those of a run's batches that begin with the next one and reach so many deals, up to one
/// after which `is_end` says so: without their portions, which take time to be found.
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
    /// These portions, whose batches are none's affair here.
    pub(super) fn of(portions: Vec<(Batch, Portion)>) -> Self {
        Self {
            portions,
            batches: 0,
            end: 0,
        }
    }

    /// The next batches, up to one after which `is_end` says so; `None` if none is left.
    pub(crate) fn next(
        source: &dyn Source,
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

    /// All of them, with their batches.
    pub(super) fn all(&self) -> &[(Batch, Portion)] {
        &self.portions
    }

    /// Deals of so many portions from the first.
    pub(crate) fn deals_of(&self, portions: usize) -> u64 {
        let first = self.portions.iter().take(portions);
        first.map(|(_, portion)| portion.deals()).sum()
    }

    /// Deals the portions from a place on, on the threads of the current rayon pool, each
    /// worker with a counter of its own, until `pause` says so or none is left.
    ///
    /// Gives the place up to which all portions were dealt, and the counters.
    pub(crate) fn deal<C: Counter>(
        &self,
        source: &dyn Source,
        from: usize,
        work: &Work<'_>,
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
            let (counter, of_share) = share?;
            latency.merge(&of_share);
            counters.push(counter);
        }
        // Whoever took a portion has dealt it.
        Ok((next.into_inner().min(self.portions.len()), counters))
    }

    /// Deals portions that no other worker has taken.
    fn deal_some<C: Counter>(
        &self,
        source: &dyn Source,
        next: &AtomicUsize,
        work: &Work<'_>,
        mut counter: C,
    ) -> Result<(C, Latency), DrawError> {
        let mut scratch = Scratch::default();
        let mut latency = Latency::default();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some((batch, portion)) = self.portions.get(place) else {
                break;
            };
            let start = Instant::now();
            counter.begin(*batch, portion);
            let dealt = source.deal(portion, &mut scratch, &mut |packet| counter.count(packet));
            if let Err(error) = dealt {
                // The others stop when they come for the next.
                next.store(self.portions.len(), Ordering::Relaxed);
                return Err(error);
            }
            counter.end();
            latency.record(start.elapsed(), portion.deals());
            (work.progress)(portion.deals());
            // Not before the first: however often they pause, the run goes on.
            if (work.pause)() {
                break;
            }
        }
        Ok((counter, latency))
    }
}

/// What workers ask and tell whoever lets them work.
pub struct Work<'w> {
    /// Whether to take no more portions for now; once it is so, it stays so until the
    /// workers have stopped.
    pub pause: &'w (dyn Fn() -> bool + Sync),
    /// Is told of deals as portions are done.
    pub progress: &'w (dyn Fn(u64) + Sync),
}

impl Work<'_> {
    /// Works without a pause, and tells nobody.
    pub const QUIET: Self = Self {
        pause: &|| false,
        progress: &|_| (),
    };
}
