//! Same seed, same counts: with any number of threads and any cap of batches' blocks.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

mod common;

use common::{case_file, folder, scenario};
use fairdeal::cases::CaseBytes;
use fairdeal::draw::{Dealer, Generator};
use fairdeal::run;
use fairdeal::tally::Tally;

const DEALS: u64 = 300_001;

fn counts(dealer: &Dealer<'_, CaseBytes>, seed: u128, threads: usize) -> Tally {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    let generator = Generator::new(seed);
    let run = || run::run(dealer, &generator, DEALS, run::DEFAULT_BATCH, &|_| ());
    pool.install(run).unwrap().tally
}

fn same_with_any_threads(dealer: &Dealer<'_, CaseBytes>) {
    let one = counts(dealer, 5, 1);
    assert_eq!(one.deals(), DEALS);
    assert_eq!(counts(dealer, 5, 2), one);
    assert_eq!(counts(dealer, 5, 7), one);
    assert_ne!(counts(dealer, 6, 2), one);
}

#[test]
fn one_two_or_seven_threads_give_the_same_counts() {
    same_with_any_threads(&Dealer::Unconstrained);
    let folder = folder();
    let (_, file) = case_file(folder.path(), &scenario("flannery-misfit"), None);
    same_with_any_threads(&Dealer::of_cases(&file));
}

#[test]
fn a_longer_run_begins_as_a_shorter_one() {
    // Blocks are named by their first deal, so whole batches are shared.
    let generator = Generator::new(9);
    let run = |deals| {
        let dealer = Dealer::<CaseBytes>::Unconstrained;
        let outcome = run::run(&dealer, &generator, deals, run::DEFAULT_BATCH, &|_| ());
        outcome.unwrap().tally
    };
    let (short, long) = (run(1 << 16), run(1 << 17));
    let later: u64 = long.patterns(fairdeal::cards::Seat::North).iter().sum();
    assert_eq!(later, 1 << 17);
    let seat = fairdeal::cards::Seat::East;
    let shorter = short.patterns(seat).iter().zip(long.patterns(seat));
    assert!(shorter.into_iter().all(|(short, long)| short <= long));
}
