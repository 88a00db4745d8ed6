//! Counts of a run without tests.

use super::plan::batches;
use super::shared_portions::{SharedPortions, WorkerCalls};
use crate::draw::{Dealer, DrawError, Generator, Seeded};
use crate::tally::{Latency, TableChoice, Tally, Tallying};

/// Counts of a run, and the time its deals took.
#[derive(Clone, Debug, Default)]
pub struct CountedRun {
    /// The counts.
    pub tally: Tally,
    /// Time per deal, by portion: a block, or the same number of draws of a batch's split.
    pub latency: Latency,
}

/// Deals `deals` deals and counts them into all tables, on the threads of the current rayon pool.
///
/// `batch_cap` limits the size of a batch; `progress` receives the number of deals of each finished
/// portion. A generator that is one sequence is dealt by one thread.
///
/// # Errors
///
/// [`DrawError`] if the case file was modified during the run, or the random words ended.
pub fn run<D: AsRef<[u8]> + Sync>(
    dealer: &Dealer<'_, D>,
    generator: &dyn Generator,
    deals: u64,
    batch_cap: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<CountedRun, DrawError> {
    run_into(
        TableChoice::ALL,
        dealer,
        generator,
        deals,
        batch_cap,
        progress,
    )
}

/// Deals as [`run`] does, but counts into some of the tables only: for measurements.
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
) -> Result<CountedRun, DrawError> {
    let source = Seeded { dealer, generator };
    let mut outcome = CountedRun::default();
    let mut batches = (0..).zip(batches(deals, batch_cap));
    let work = WorkerCalls {
        progress,
        ..WorkerCalls::QUIET
    };
    while let Some(together) = SharedPortions::next(&source, &mut batches, |_| false)? {
        let counter = || Tallying::new(tables, dealer.isa());
        let (_, counted) = together.deal(&source, 0, &work, counter, &mut outcome.latency)?;
        for tallying in counted {
            outcome.tally.merge(&tallying.finish());
        }
    }
    Ok(outcome)
}
