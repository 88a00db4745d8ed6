//! Perfect sets with the sample size of the tested deals, as a reference for statistics.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::RunError;
use super::keep_filter::KeepFilter;
use super::level_check::OneThread;
use super::running::count;
use crate::battery::{Battery, Reference};
use crate::draw::{Aes128Ctr, Dealer, Seeded};
use crate::tally::CountPlan;

/// Seed of the first set; the others follow it. It is fixed, so that equal samples have equal
/// p-values.
const FIRST_SEED: u128 = 0x5EED_0F9E_8FEC_75E7;

/// Deals a number of sets of equal size and returns the statistics of a battery's tests, on all
/// threads of the current rayon pool.
///
/// # Errors
///
/// [`RunError`] if the case file was modified.
pub fn reference<D: AsRef<[u8]> + Sync>(
    dealer: &Dealer<'_, D>,
    plan: &CountPlan<'_>,
    battery: &Battery,
    (sets, deals): (u32, u64),
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Reference, RunError> {
    let statistics = |set: u32| {
        let generator = Aes128Ctr::new(FIRST_SEED + u128::from(set));
        let source = Seeded {
            dealer,
            generator: &generator,
        };
        let mut statistics = Vec::new();
        count(
            &OneThread(&source),
            plan,
            &KeepFilter::default(),
            (deals, deals),
            &|_| (),
            &mut |counts| {
                statistics = battery.statistics(counts);
                ControlFlow::Continue(())
            },
        )?;
        progress(1);
        Ok(statistics)
    };
    let sets = (0..sets).into_par_iter().map(statistics);
    Ok(Reference::new(&sets.collect::<Result<Vec<_>, RunError>>()?))
}
