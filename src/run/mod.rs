//! A run: which blocks are dealt, by whom, and what comes of them.
//!
//! The counts are a function of the dealer, the number of deals, the batch cap,
//! the seed and the generator, never of the number of threads: every block has
//! a stream of its own, and tallies are only ever added.

mod plan;

pub use plan::{BLOCK_DEALS, Block, Blocks, DEFAULT_BATCH, DEFAULT_DEALS, batches};

use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::draw::{DamagedCase, Dealer, Generator};
use crate::tally::{Latency, Tally, Tallying};

/// What a run has counted and how long its deals took.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The counts.
    pub tally: Tally,
    /// Time a deal, by block.
    pub latency: Latency,
}

/// Deals exactly so many deals and counts them, on the threads of the current
/// rayon pool.
///
/// `batch_cap` bounds the size of a batch; `progress` is told of deals as
/// blocks are done.
///
/// # Errors
///
/// [`DamagedCase`] if the case file was altered during the run.
pub fn run<D: AsRef<[u8]> + Sync>(
    dealer: &Dealer<'_, D>,
    generator: &Generator,
    deals: u64,
    batch_cap: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Outcome, DamagedCase> {
    let mut outcome = Outcome::default();
    for batch in batches(deals, batch_cap) {
        let blocks: Vec<Block> = Blocks::of(batch).collect();
        let (tally, times) = blocks
            .par_iter()
            .map(|block| {
                let (tally, time) = deal_block(dealer, generator, *block)?;
                progress(block.deals);
                Ok::<_, DamagedCase>((tally, vec![(time, block.deals)]))
            })
            .try_reduce(Default::default, |mut a, mut b| {
                a.0.merge(&b.0);
                a.1.append(&mut b.1);
                Ok(a)
            })?;
        outcome.tally.merge(&tally);
        for (time, deals) in times {
            outcome.latency.record(time, deals);
        }
    }
    Ok(outcome)
}

fn deal_block<D: AsRef<[u8]>>(
    dealer: &Dealer<'_, D>,
    generator: &Generator,
    block: Block,
) -> Result<(Tally, Duration), DamagedCase> {
    let start = Instant::now();
    let mut stream = generator.stream(block.first_deal);
    let mut tallying = Tallying::default();
    for _ in 0..block.deals {
        tallying.count(&dealer.deal(&mut stream)?);
    }
    Ok((tallying.finish(), start.elapsed()))
}
