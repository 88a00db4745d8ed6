//! A run that is tested: batch by batch, with a look at every power of two.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::batches;
use crate::battery::Terms;
use crate::draw::{BLOCK_DEALS, DrawError, Portion, Scratch, Source};
use crate::tally::{
    CLOSE_SHARE, Depth, Latency, NUMBER_SHARE, Share, Survey, SurveyPlan, Surveying,
};

/// Deals of the first look.
pub const FIRST_LOOK: u64 = 1 << 14;

/// Deals that PASS takes unless `--target` says otherwise.
pub const DEFAULT_TARGET: u64 = 1 << 20;

/// What a run has counted, and how long its deals took.
#[derive(Clone, Debug)]
pub struct Surveyed {
    /// Everything that tests look at.
    pub survey: Survey,
    /// Time a deal, by portion.
    pub latency: Latency,
}

/// What a battery has to know of such a run before its first deal.
#[must_use]
pub fn terms(plan: &SurveyPlan<'_>, deals: u64, batch_cap: u64, target: u64) -> Terms {
    let listed = plan.runs().map(|runs| runs.seats());
    let of_blocks = |share: u64| {
        let period = share * BLOCK_DEALS;
        deals / period * BLOCK_DEALS + (deals % period).min(BLOCK_DEALS)
    };
    let of_batches = |share: u64| {
        let lengths = batches(deals, batch_cap).map(|batch| batch.end - batch.start);
        lengths.step_by(share as usize).sum()
    };
    let (close, numbered) = match (plan.depth(), listed) {
        (Depth::Tables, _) => (0, 0),
        (Depth::Full, None) => (deals, deals),
        (Depth::Full, Some(_)) => (deals, 0),
        (Depth::Standard, None) => (of_blocks(CLOSE_SHARE), of_blocks(NUMBER_SHARE)),
        (Depth::Standard, Some(_)) => (of_batches(CLOSE_SHARE), 0),
    };
    Terms {
        depth: plan.depth(),
        deals,
        target,
        close,
        numbered,
        kept: plan.kept(),
        batches: batches(deals, batch_cap).take(2).count() as u64,
        listed,
    }
}

/// Deals exactly so many deals, on the threads of the current rayon pool, and
/// counts them into a survey.
///
/// `look` is called with it at 2^14, 2^15, 2^16 .. deals and at the end, always
/// after a whole batch, and may end the run there; `progress` is told of deals as portions are done. The
/// survey is a function of the source, the number of deals and the cap alone.
///
/// # Errors
///
/// [`DrawError`] if the case file was altered during the run, or the random
/// words ended.
pub fn survey(
    source: &dyn Source,
    plan: &SurveyPlan<'_>,
    (deals, batch_cap): (u64, u64),
    progress: &(dyn Fn(u64) + Sync),
    look: &mut dyn FnMut(&Survey) -> ControlFlow<()>,
) -> Result<Surveyed, DrawError> {
    let mut surveyed = Surveyed {
        survey: plan.survey(),
        latency: Latency::default(),
    };
    for (number, batch) in (0..).zip(batches(deals, batch_cap)) {
        let end = batch.end;
        let length = end - batch.start;
        let portions = source.portions(batch)?;
        let next = AtomicUsize::new(0);
        let work = || {
            let surveying = Surveying::new(plan, &surveyed.survey, (number, length), source.path());
            work(source, &portions, &next, progress, surveying)
        };
        let shares = if source.is_one_sequence() || portions.len() == 1 {
            vec![work()]
        } else {
            rayon::broadcast(|_| work())
        };
        let mut counted = Vec::with_capacity(shares.len());
        for share in shares {
            let (share, latency) = share?;
            surveyed.latency.merge(&latency);
            counted.push(share);
        }
        surveyed.survey.add_batch(counted);
        if end == deals || end >= FIRST_LOOK && end.is_power_of_two() {
            surveyed.survey.settle();
            if look(&surveyed.survey).is_break() {
                break;
            }
        }
    }
    Ok(surveyed)
}

/// Deals portions that no other worker has taken, until none is left.
fn work(
    source: &dyn Source,
    portions: &[Portion],
    next: &AtomicUsize,
    progress: &(dyn Fn(u64) + Sync),
    mut surveying: Surveying<'_>,
) -> Result<(Share, Latency), DrawError> {
    let mut scratch = Scratch::default();
    let mut latency = Latency::default();
    while let Some(portion) = portions.get(next.fetch_add(1, Ordering::Relaxed)) {
        let start = Instant::now();
        surveying.begin(portion);
        let dealt = source.deal(portion, &mut scratch, &mut |packet| surveying.count(packet));
        if let Err(error) = dealt {
            // The others stop when they come for the next.
            next.store(portions.len(), Ordering::Relaxed);
            return Err(error);
        }
        surveying.end();
        latency.record(start.elapsed(), portion.deals());
        progress(portion.deals());
    }
    Ok((surveying.finish(), latency))
}
