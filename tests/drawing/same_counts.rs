//! The same seed gives the same counts with any number of threads and any instruction set.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use crate::common::{case_file, folder, scenario};
use fairdeal::draw::{Dealer, Isa, RawWords, SeededGenerator};
use fairdeal::population::cases::CaseBytes;
use fairdeal::run;
use fairdeal::tally::Tally;

const DEALS: u64 = 140_001;

fn counts(
    dealer: &Dealer<'_, CaseBytes>,
    rng: SeededGenerator,
    seed: u128,
    threads: usize,
) -> Tally {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    let generator = rng.with_seed(seed);
    let run = || run::run(dealer, &*generator, DEALS, run::DEFAULT_BATCH, &|_| ());
    pool.install(run).unwrap().tally
}

fn same_with_any_threads(dealer: &Dealer<'_, CaseBytes>) {
    for rng in SeededGenerator::ALL {
        let one = counts(dealer, rng, 5, 1);
        assert_eq!(one.deals(), DEALS);
        assert!(counts(dealer, rng, 5, 2) == one, "{rng:?}");
        assert!(counts(dealer, rng, 5, 7) == one, "{rng:?}");
        assert!(counts(dealer, rng, 6, 2) != one, "{rng:?}");
    }
}

#[test]
fn one_two_or_seven_threads_give_the_same_counts() {
    same_with_any_threads(&Dealer::unconstrained());
    let folder = folder();
    let (_, file) = case_file(folder.path(), &scenario("flannery-misfit"), None);
    same_with_any_threads(&Dealer::of_cases(&file).unwrap());
}

#[test]
fn every_path_gives_the_same_counts() {
    let folder = folder();
    for name in ["unconstrained", "flannery-misfit", "north-2-south-0-1"] {
        let file =
            (name != "unconstrained").then(|| case_file(folder.path(), &scenario(name), None).1);
        let dealer = || match &file {
            None => Dealer::unconstrained(),
            Some(file) => Dealer::of_cases(file).unwrap(),
        };
        let plain = counts(
            &dealer().with_isa(Isa::PORTABLE),
            SeededGenerator::Aes128Ctr,
            8,
            2,
        );
        for &isa in Isa::available() {
            let tally = counts(&dealer().with_isa(isa), SeededGenerator::Aes128Ctr, 8, 2);
            assert!(tally == plain, "{name} by {isa}");
        }
    }
}

#[test]
fn raw_words_give_the_same_counts_with_any_threads_and_must_suffice() {
    let bytes: Vec<u8> = (0..4_000_000u64)
        .flat_map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes())
        .collect();
    let folder = folder();
    let (_, file) = case_file(folder.path(), &scenario("nine-spades"), None);
    for dealer in [Dealer::unconstrained(), Dealer::of_cases(&file).unwrap()] {
        let run = |threads, deals| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let generator = RawWords::new("stdin", std::io::Cursor::new(bytes.clone()));
            let run = || run::run(&dealer, &generator, deals, run::DEFAULT_BATCH, &|_| ());
            pool.unwrap().install(run).map(|outcome| outcome.tally)
        };
        let one = run(1, DEALS).unwrap();
        assert_eq!(one.deals(), DEALS);
        assert!(run(3, DEALS).unwrap() == one);
        let ended = run(2, 5_000_000).unwrap_err().to_string();
        assert!(ended.starts_with("stdin ended after "), "{ended}");
    }
}

#[test]
fn a_longer_run_begins_as_a_shorter_one() {
    // Blocks are named by their first deal, so whole batches are shared.
    let generator = SeededGenerator::Aes128Ctr.with_seed(9);
    let run = |deals| {
        let dealer = Dealer::<CaseBytes>::unconstrained();
        let outcome = run::run(&dealer, &*generator, deals, run::DEFAULT_BATCH, &|_| ());
        outcome.unwrap().tally
    };
    let (short, long) = (run(1 << 16), run(1 << 17));
    let later: u64 = long.patterns(fairdeal::bridge::Seat::North).iter().sum();
    assert_eq!(later, 1 << 17);
    let seat = fairdeal::bridge::Seat::East;
    let shorter = short.patterns(seat).iter().zip(long.patterns(seat));
    assert!(shorter.into_iter().all(|(short, long)| short <= long));
}
