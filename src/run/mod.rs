//! A run: which portions are dealt, by whom, and what comes of them.
//!
//! The counts are a function of the dealer, the number of deals, the batch cap,
//! the seed and the generator, never of the number of threads or the processor:
//! every portion has streams of its own, and tallies are only ever added.

mod naive;
mod plan;
mod self_test;
mod survey;

pub use naive::shuffle;
pub use plan::{DEFAULT_BATCH, DEFAULT_DEALS, LARGEST_BATCH, batches};
pub use self_test::{Calibration, NullRow, self_test};
pub use survey::{DEFAULT_TARGET, FIRST_LOOK, Surveyed, survey, terms};

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::draw::{Dealer, DrawError, Generator, Portion, Scratch};
use crate::tally::{Latency, TableChoice, Tally, Tallying};

/// Deals, at least, that workers share out before they wait for each other.
const DEALS_TOGETHER: u64 = 1 << 25;

/// Portions after which no more batches are added to them.
const PORTIONS_TOGETHER: usize = 1 << 16;

/// What a run has counted and how long its deals took.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The counts.
    pub tally: Tally,
    /// Time a deal, by portion: a block, or as many draws of a batch's split.
    pub latency: Latency,
}

/// Deals exactly so many deals and counts them into all tables, on the threads
/// of the current rayon pool.
///
/// `batch_cap` bounds the size of a batch; `progress` is told of deals as
/// portions are done. A generator that is one sequence is dealt by one thread.
///
/// # Errors
///
/// [`DrawError`] if the case file was altered during the run, or the random
/// words ended.
pub fn run<D: AsRef<[u8]> + Sync>(
    dealer: &Dealer<'_, D>,
    generator: &dyn Generator,
    deals: u64,
    batch_cap: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Outcome, DrawError> {
    run_into(
        TableChoice::ALL,
        dealer,
        generator,
        deals,
        batch_cap,
        progress,
    )
}

/// [`run`] into some of the tables: for measurements.
///
/// # Errors
///
/// As [`run`].
pub fn run_into<D: AsRef<[u8]> + Sync>(
    tables: TableChoice,
    dealer: &Dealer<'_, D>,
    generator: &dyn Generator,
    deals: u64,
    batch_cap: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Outcome, DrawError> {
    let mut outcome = Outcome::default();
    let mut batches = batches(deals, batch_cap).peekable();
    while batches.peek().is_some() {
        // Small batches are dealt together: waiting for each would leave workers idle.
        let mut portions = Vec::new();
        let mut together = 0;
        let most = if generator.is_one_sequence() {
            1
        } else {
            DEALS_TOGETHER
        };
        while together < most
            && portions.len() < PORTIONS_TOGETHER
            && let Some(batch) = batches.next()
        {
            together += batch.end - batch.start;
            portions.append(&mut dealer.portions(generator, batch)?);
        }
        let next = AtomicUsize::new(0);
        let work = || {
            let tallying = Tallying::new(tables, dealer.path());
            work(dealer, generator, &portions, &next, progress, tallying)
        };
        let shares = if generator.is_one_sequence() || portions.len() == 1 {
            vec![work()]
        } else {
            rayon::broadcast(|_| work())
        };
        for share in shares {
            let share = share?;
            outcome.tally.merge(&share.tally);
            outcome.latency.merge(&share.latency);
        }
    }
    Ok(outcome)
}

/// Deals portions that no other worker has taken, until none is left.
fn work<D: AsRef<[u8]> + Sync>(
    dealer: &Dealer<'_, D>,
    generator: &dyn Generator,
    portions: &[Portion],
    next: &AtomicUsize,
    progress: &(dyn Fn(u64) + Sync),
    mut tallying: Tallying,
) -> Result<Outcome, DrawError> {
    let mut scratch = Scratch::default();
    let mut latency = Latency::default();
    while let Some(portion) = portions.get(next.fetch_add(1, Ordering::Relaxed)) {
        let start = Instant::now();
        let dealt = dealer.deal(generator, portion, &mut scratch, &mut |packet| {
            tallying.count(packet);
        });
        if let Err(error) = dealt {
            // The others stop when they come for the next.
            next.store(portions.len(), Ordering::Relaxed);
            return Err(error);
        }
        latency.record(start.elapsed(), portion.deals());
        progress(portion.deals());
    }
    Ok(Outcome {
        tally: tallying.finish(),
        latency,
    })
}
