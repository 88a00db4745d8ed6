//! Batches that workers share out among them, portion by portion.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::draw::{DrawError, Packet, Portion, Scratch, Source};
use crate::tally::{Batch, Latency, Surveying, Tallying};

/// Deals, at least, that workers share out before they wait for each other.
const DEALS_TOGETHER: u64 = 1 << 25;

/// Portions after which no more batches are added to them.
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

/// Deals the next batches, on the threads of the current rayon pool, each worker
/// with a counter of its own: small batches together, up to one after which
/// `is_end` says so, because waiting for each would leave workers idle.
///
/// Gives the deals dealt by then and the counters; `None` if no batch is left.
pub(crate) fn deal_together<C: Counter>(
    source: &dyn Source,
    batches: &mut impl Iterator<Item = (u64, Range<u64>)>,
    is_end: impl Fn(u64) -> bool,
    counter: impl Fn() -> C + Sync,
    progress: &(dyn Fn(u64) + Sync),
    latency: &mut Latency,
) -> Result<Option<(u64, Vec<C>)>, DrawError> {
    let mut portions = Vec::new();
    let mut together = 0;
    let mut dealt = None;
    for (number, batch) in batches {
        let end = batch.end;
        dealt = Some(end);
        let whole = Batch {
            number,
            deals: end - batch.start,
        };
        together += whole.deals;
        let of_batch = source.portions(batch)?;
        portions.extend(of_batch.into_iter().map(|portion| (whole, portion)));
        if source.is_one_sequence()
            || together >= DEALS_TOGETHER
            || portions.len() >= PORTIONS_TOGETHER
            || is_end(end)
        {
            break;
        }
    }
    let Some(dealt) = dealt else {
        return Ok(None);
    };
    let next = AtomicUsize::new(0);
    let work = || work(source, &portions, &next, progress, counter());
    let shares = if source.is_one_sequence() || portions.len() == 1 {
        vec![work()]
    } else {
        rayon::broadcast(|_| work())
    };
    let mut counters = Vec::with_capacity(shares.len());
    for share in shares {
        let (counter, of_share) = share?;
        latency.merge(&of_share);
        counters.push(counter);
    }
    Ok(Some((dealt, counters)))
}

/// Deals portions that no other worker has taken, until none is left.
fn work<C: Counter>(
    source: &dyn Source,
    portions: &[(Batch, Portion)],
    next: &AtomicUsize,
    progress: &(dyn Fn(u64) + Sync),
    mut counter: C,
) -> Result<(C, Latency), DrawError> {
    let mut scratch = Scratch::default();
    let mut latency = Latency::default();
    while let Some((batch, portion)) = portions.get(next.fetch_add(1, Ordering::Relaxed)) {
        let start = Instant::now();
        counter.begin(*batch, portion);
        let dealt = source.deal(portion, &mut scratch, &mut |packet| counter.count(packet));
        if let Err(error) = dealt {
            // The others stop when they come for the next.
            next.store(portions.len(), Ordering::Relaxed);
            return Err(error);
        }
        counter.end();
        latency.record(start.elapsed(), portion.deals());
        progress(portion.deals());
    }
    Ok((counter, latency))
}
