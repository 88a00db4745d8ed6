//! Comparison of the search with methods that deal one number at a time, and with other programs'
//! decks.

use super::dictionary::DealingMethod;
use super::draw::Draw;
use super::draw::SeedColumn;
use super::generator::KnownGenerator;
use super::generator::SeedSequence;
use super::plan::SearchPlan;
use super::search::{Hit, Searched};
use super::shuffle::{Dealing, DeckOrder, Shuffle};
use super::sieve::{FinishTables, SourceChecks};
use super::*;
use crate::bridge::Deal;
use crate::kernels::{Isa, NUMBERS, SEEDS, first_numbers};
use fairdeal_draw::{Aes128Ctr, DealScratch, DealSource, Dealer, Packet, Seeded};

/// Seeds of all sizes, some with the sign bit, the last divisible by [`SEEDS`] or not.
const SOME: [i64; 6] = [0, 1, 4_242, 1_234_567_890, 2_147_483_600, 4_000_000_000];

fn method(generator: KnownGenerator, draw: Draw, shuffle: Shuffle) -> DealingMethod {
    DealingMethod {
        generator,
        draw,
        shuffle,
        deck_order: DeckOrder::SpadesDown,
        dealing: Dealing::Thirteen,
    }
}

fn search_near(deals: &[Deal], around: i64, reach: i64) -> Searched {
    let search = SeedSearch {
        deals,
        ..SeedSearch::default()
    };
    let plan = plan_of(&((around - reach).max(0)..around + reach), |_| true);
    search.planned(&plan, &|| false, &|_, _| ())
}

#[test]
fn numbers_side_by_side_are_those_of_each_seed() {
    for source in dictionary::SOURCES {
        let (generator, every) = (source.generator, source.draw.every());
        let mut numbers = [[0; SEEDS]; NUMBERS];
        for &isa in Isa::available() {
            for first in SOME {
                let first = generator.seed(first as u32);
                first_numbers(isa, generator.series(every), first as u64, &mut numbers);
                for lane in [0, 1, SEEDS - 1] {
                    let mut sequence = SeedSequence::new(generator, first + lane as i64);
                    for (place, row) in numbers.iter().enumerate() {
                        let bits = match generator {
                            KnownGenerator::Standard | KnownGenerator::Microsoft => 15,
                            KnownGenerator::Gnu | KnownGenerator::StandardWhole => 31,
                            KnownGenerator::Php | KnownGenerator::PhpLegacy => 31,
                            KnownGenerator::MinStd | KnownGenerator::DotNet => 31,
                            KnownGenerator::VisualBasic => 24,
                            _ => 32,
                        };
                        let number = sequence.next();
                        let said = row[lane] >> (32 - bits);
                        assert_eq!(said, number, "{source:?} {first} + {lane}, {place}");
                        for _ in 1..every {
                            sequence.next();
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn the_deck_of_a_seed_is_never_refused() {
    let mut numbers = [[0; SEEDS]; NUMBERS];
    for (turn, source) in dictionary::SOURCES.iter().enumerate() {
        let series = source.generator.series(source.draw.every());
        // Some of the seeds for each source, and all for all sources together.
        for first in [turn, turn + 3].map(|turn| SOME[turn % SOME.len()]) {
            let first = source.generator.seed(first as u32);
            first_numbers(Isa::chosen(), series, first as u64, &mut numbers);
            for (number, method) in source.methods().enumerate() {
                let lane = number % SEEDS;
                let numbers = &numbers;
                let deal = method.deal(first + lane as i64);
                let looks = SourceChecks::of(source);
                let left = |lane| {
                    let column = SeedColumn { numbers, lane };
                    looks.leaves(method.shuffle, &deal, column) >> (number % 8) & 1
                };
                assert_eq!(left(lane), 1, "{method}");
                // The GNU C library takes 0 as 1. Equal keys are decided by the exact deal.
                let lane = lane ^ 2;
                let column = SeedColumn { numbers, lane };
                let is_sure =
                    method.shuffle != Shuffle::Sorted || column.sorted(source.indexing()).is_some();
                assert!(left(lane) == 0 || !is_sure, "{method}");
            }
        }
    }
}

#[test]
fn every_path_packs_the_same_places() {
    let portable = Isa::PORTABLE;
    let mut numbers = [[0; SEEDS]; NUMBERS];
    for looks in dictionary::SOURCES.iter().map(SourceChecks::of) {
        for first in SOME {
            looks.numbers(portable, first, &mut numbers);
            let expected = looks.places(portable, &numbers);
            for &isa in Isa::available() {
                assert_eq!(looks.places(isa, &numbers), expected);
            }
        }
    }
}

/// A deal of every shuffle of every source, with all deck orders and dealings in turn.
#[test]
fn planted_deals_of_every_shuffle_are_found() {
    let mut seed: i64 = 1;
    let mut finish = 0;
    for (number, source) in dictionary::SOURCES.iter().enumerate() {
        let methods: Vec<DealingMethod> = source.methods().collect();
        for shuffle in methods.chunks(8) {
            finish += 3;
            let method = shuffle[finish % 8];
            seed = (seed * 48_271) % 0x7FFF_FFFF;
            let deals = [method.deal(seed)];
            let search = SeedSearch {
                deals: &deals,
                ..SeedSearch::default()
            };
            let plan = plan_of(&(seed - 100..seed + 100), |source| source == number);
            let searched = search.planned(&plan, &|| false, &|_, _| ());
            let hit = Hit {
                deal: 0,
                method,
                seed,
            };
            assert!(searched.hits.contains(&hit), "{method}, {seed}");
            assert!(
                searched
                    .hits
                    .iter()
                    .all(|hit| hit.method.deal(hit.seed) == deals[0])
            );
        }
    }
}

#[test]
fn the_last_seeds_and_javas_negative_ones_are_found() {
    let java = method(KnownGenerator::Java, Draw::NextInt, Shuffle::LastDown);
    let gnu = method(KnownGenerator::Gnu, Draw::Remainder, Shuffle::Growing);
    let all = SearchPlan::all(None);
    for (method, seed) in [(java, -1), (java, i64::from(i32::MIN)), (gnu, 0xFFFF_FFFF)] {
        let planned = all.rounds().flatten().find(|chunk| {
            dictionary::SOURCES[chunk.source].generator == method.generator
                && dictionary::SOURCES[chunk.source].draw == method.draw
                && chunk.range.contains(&seed)
        });
        let mut chunk = planned.unwrap();
        let near = (seed - 500).max(chunk.range.start)..(seed + 500).min(chunk.range.end);
        chunk.range = near;
        let sieves = [FinishTables::new(&method.deal(seed))];
        let looks = SourceChecks::of(&dictionary::SOURCES[chunk.source]);
        let deal = 0;
        assert_eq!(chunk.search(&looks, &sieves), [Hit { deal, method, seed }]);
    }
}

/// The GNU C library takes 0 as 1: two seeds deal the same deal.
#[test]
fn a_deal_that_two_seeds_deal_is_found_once() {
    let gnu = method(KnownGenerator::Gnu, Draw::Remainder, Shuffle::LastDown);
    let deals = [gnu.deal(0)];
    let searched = search_near(&deals, 0, 100);
    let seeds: Vec<i64> = searched.hits.iter().map(|hit| hit.seed).collect();
    assert_eq!(seeds, [0, 1]);
    assert_eq!(searched.deals_found(), 1);
    // The same deal in two files counts as two deals to search for.
    let twice = search_near(&[deals[0], deals[0]], 0, 100);
    assert_eq!((twice.hits.len(), twice.deals_found()), (4, 2));
    assert_eq!(twice.tried, 2 * searched.tried);
}

#[test]
fn nothing_is_found_in_fair_deals() {
    let deals = fair_deals(3);
    let searched = search_near(&deals, 1_700_000_000, 1_000);
    assert!(searched.hits.is_empty() && searched.complete);
    let methods = methods().count() as u128;
    assert_eq!(searched.tried, methods * 2_000 * 3);
    assert!(searched.tried < 1 << 32);
}

#[test]
fn a_search_without_time_says_that_it_is_not_complete() {
    let deals = [method(KnownGenerator::Gnu, Draw::Remainder, Shuffle::Growing).deal(5)];
    let searched = SeedSearch {
        deals: &deals,
        days: None,
    }
    .run(&|| true, &|_, _| ());
    assert!(searched.hits.is_empty() && !searched.complete);
    assert_eq!(searched.tried, 0);
}

#[test]
fn a_millisecond_of_a_day_is_a_seed_of_javas() {
    let second = 1_700_000_000;
    let java = method(KnownGenerator::Java, Draw::NextInt, Shuffle::LastDown);
    let deals = [java.deal(second * 1_000 + 321)];
    let plan = SearchPlan::milliseconds(second - 60..second + 60);
    let search = SeedSearch {
        deals: &deals,
        days: None,
    };
    let searched = search.planned(&plan, &|| false, &|_, _| ());
    assert_eq!(searched.hits.len(), 1);
    assert_eq!(searched.hits[0].seed, second * 1_000 + 321);
}

#[test]
fn the_whole_search_tries_every_seed_once() {
    let plan = SearchPlan::all(None);
    let mut seeds = vec![0; dictionary::SOURCES.len()];
    for chunk in plan.rounds().flatten() {
        seeds[chunk.source] += chunk.seeds();
    }
    let all = dictionary::SOURCES
        .iter()
        .map(|source| source.generator.seeds());
    assert_eq!(seeds, all.collect::<Vec<_>>());
    assert_eq!(plan.seeds(), seeds.iter().sum::<u64>());
    // docs/methodology.md: the whole search finds a fair deal with a probability of 1e-16 at most.
    let hypotheses = dictionary::SOURCES.iter().zip(&seeds);
    let hypotheses =
        hypotheses.map(|(source, &seeds)| source.methods().count() as f64 * seeds as f64);
    let bound = hypotheses.sum::<f64>() / 53_644_737_765_488_792_839_237_440_000.0;
    assert!(bound < 1.1e-16, "{bound}");
}

fn fair_deals(deals: u64) -> Vec<Deal> {
    let dealer = Dealer::<Vec<u8>>::unconstrained();
    let source = Seeded {
        dealer: &dealer,
        generator: &Aes128Ctr::new(7),
    };
    let mut dealt = Vec::new();
    for portion in source.portions(0..deals).unwrap() {
        let mut sink = |packet: &Packet| {
            dealt.extend((0..packet.deals()).map(|place| packet.deal(place)));
        };
        let done = source.deal(&portion, &mut DealScratch::default(), &mut sink);
        done.unwrap();
    }
    dealt
}

/// As Java 17, Python 3.11, GCC 12 and Perl 5.36 (`List::Util`) shuffle 0 .. 51.
#[test]
fn decks_are_those_of_other_programs() {
    let order =
        |generator, draw, shuffle, seed| method(generator, draw, shuffle).order(seed)[..8].to_vec();
    let (down, filling) = (Shuffle::LastDown, Shuffle::RemoveFilling);
    let java = [15, 39, 34, 35, 32, 1, 21, 4];
    assert_eq!(order(KnownGenerator::Java, Draw::NextInt, down, 42), java);
    let negative = [9, 50, 33, 14, 49, 45, 19, 23];
    assert_eq!(
        order(KnownGenerator::Java, Draw::NextInt, down, -7),
        negative
    );
    let python = [49, 9, 37, 22, 2, 38, 19, 11];
    assert_eq!(order(KnownGenerator::Python, Draw::Bits, down, 1), python);
    let sample = [8, 36, 48, 4, 16, 7, 31, 28];
    assert_eq!(
        order(KnownGenerator::Python, Draw::Bits, filling, 1),
        sample
    );
    let growing = Shuffle::Growing;
    let random_shuffle = [4, 51, 11, 15, 24, 35, 17, 36];
    assert_eq!(
        order(KnownGenerator::Gnu, Draw::Remainder, growing, 1),
        random_shuffle
    );
    let perl = [18, 12, 38, 28, 34, 30, 13, 10];
    assert_eq!(order(KnownGenerator::Unix48, Draw::Scaled, down, 1), perl);
    let std_shuffle = [49, 20, 23, 33, 24, 4, 6, 41];
    assert_eq!(
        order(KnownGenerator::Twister, Draw::Pairs, growing, 1),
        std_shuffle
    );
}

/// As NumPy 2.4.6 shuffles `arange(52)`: `RandomState(seed).shuffle` and `permutation`, like Ruby
/// 3.1.2 with `shuffle(random: Random.new(seed))`; `default_rng(seed).shuffle` and `permutation`;
/// and the `argsort` of 52 numbers of `random`.
#[test]
fn decks_are_those_of_numpy_and_ruby() {
    use KnownGenerator::{NumPy, NumPyDoubles, Twister};
    let (down, sorted) = (Shuffle::LastDown, Shuffle::Sorted);
    for (generator, draw, shuffle, seed, first) in [
        (
            Twister,
            Draw::Masked,
            down,
            1,
            [31, 2, 42, 32, 30, 45, 33, 38],
        ),
        (
            Twister,
            Draw::Masked,
            down,
            4_000_000_000,
            [37, 50, 7, 9, 19, 21, 23, 38],
        ),
        (
            NumPy,
            Draw::Masked,
            down,
            1,
            [27, 6, 31, 15, 35, 16, 23, 22],
        ),
        (
            NumPy,
            Draw::Masked,
            down,
            4_000_000_000,
            [47, 48, 28, 3, 23, 10, 40, 35],
        ),
        (
            NumPyDoubles,
            Draw::Scaled,
            sorted,
            1,
            [9, 36, 39, 31, 16, 2, 48, 28],
        ),
        (
            NumPyDoubles,
            Draw::Scaled,
            sorted,
            4_000_000_000,
            [48, 7, 0, 38, 19, 3, 47, 41],
        ),
        (
            Twister,
            Draw::Double,
            sorted,
            1,
            [2, 38, 50, 14, 27, 26, 5, 30],
        ),
        (
            Twister,
            Draw::Double,
            sorted,
            4_000_000_000,
            [12, 19, 3, 49, 2, 7, 38, 44],
        ),
        // Python 3.11: `sort(key=lambda card: random.random())`.
        (
            KnownGenerator::Python,
            Draw::Double,
            sorted,
            1,
            [13, 35, 20, 9, 26, 19, 8, 42],
        ),
    ] {
        let method = method(generator, draw, shuffle);
        assert_eq!(method.order(seed)[..8], first, "{method}, {seed}");
    }
}

/// Printed by NumPy 2.4.6: `integers(0, n)` of `default_rng(seed)` for n = 52, 51, 50 ..
#[test]
fn indices_are_those_of_numpys_integers() {
    for (seed, printed) in [
        (1, [24, 26, 37, 46, 1, 6, 37, 42]),
        (4_000_000_000, [49, 7, 23, 31, 46, 37, 20, 8]),
    ] {
        let mut sequence = SeedSequence::new(KnownGenerator::NumPy, seed);
        let mut bound = 53;
        let drawn = printed.map(|_| {
            bound -= 1;
            Draw::Lemire.below(KnownGenerator::NumPy, &mut sequence, bound)
        });
        assert_eq!(drawn, printed);
    }
}

/// As PHP 8.2.36 shuffles `range(0, 51)`: by `shuffle`, by `mt_rand() % n`, and after
/// `mt_srand(seed, MT_RAND_PHP)`, the mode from before 7.1, by `mt_rand(0, n - 1)` and `mt_rand() %
/// n`.
#[test]
fn decks_are_those_of_php() {
    use Draw::{Remainder, Scaled};
    use KnownGenerator::{Php, PhpLegacy, Twister};
    for (generator, draw, seed, first) in [
        (Twister, Remainder, 1, [49, 22, 48, 34, 13, 12, 1, 15]),
        (
            Twister,
            Remainder,
            4_000_000_000,
            [21, 40, 30, 16, 1, 23, 10, 19],
        ),
        (Php, Remainder, 1, [24, 30, 36, 6, 37, 23, 43, 7]),
        (
            Php,
            Remainder,
            4_000_000_000,
            [47, 14, 33, 5, 50, 8, 29, 36],
        ),
        (PhpLegacy, Scaled, 1, [6, 20, 18, 3, 26, 4, 50, 34]),
        (
            PhpLegacy,
            Scaled,
            4_000_000_000,
            [44, 49, 1, 33, 39, 36, 37, 14],
        ),
        (PhpLegacy, Remainder, 1, [45, 5, 49, 27, 4, 34, 11, 50]),
        (
            PhpLegacy,
            Remainder,
            4_000_000_000,
            [19, 37, 24, 35, 20, 36, 28, 47],
        ),
    ] {
        let method = method(generator, draw, Shuffle::LastDown);
        assert_eq!(method.order(seed)[..8], first, "{method}, {seed}");
    }
}

/// As Mono 6.8.0, whose `System.Random` is Microsoft's reference source, shuffles by
/// `Next(n)` and sorts by `Next()`.
#[test]
fn decks_are_those_of_dot_net() {
    let (down, sorted) = (Shuffle::LastDown, Shuffle::Sorted);
    for (shuffle, seed, first) in [
        (down, 0, [20, 33, 3, 15, 39, 8, 30, 32]),
        (down, 42, [16, 49, 29, 31, 21, 42, 24, 11]),
        (down, -7, [9, 43, 8, 41, 50, 46, 20, 40]),
        (down, 0x7FFF_FFFF, [20, 33, 3, 15, 39, 8, 30, 32]),
        (sorted, 0, [15, 36, 23, 29, 42, 48, 30, 4]),
        (sorted, 42, [37, 43, 17, 33, 26, 44, 22, 47]),
        (sorted, -7, [27, 19, 25, 6, 3, 43, 35, 34]),
    ] {
        let method = method(KnownGenerator::DotNet, Draw::Scaled, shuffle);
        assert_eq!(method.order(seed)[..8], first, "{method}, {seed}");
    }
}

/// As engines shuffle 0 .. 51 by `Math.floor(Math.random() * n)`: Node 20.20.2 (V8 11.3) and
/// 26.10.0 (V8 14.6) with `--random-seed`, Bun 1.4.5 (JavaScriptCore) with
/// `BUN_JSC_forcedWeakRandomSeed`.
#[test]
fn decks_are_those_of_javascript_engines() {
    use KnownGenerator::{V8, V8Sum, WebKit};
    for (generator, seed, first) in [
        (V8, 1, [35, 9, 1, 4, 40, 12, 50, 5]),
        (V8, 42, [16, 9, 21, 22, 34, 48, 6, 8]),
        (V8, 2_000_000_000, [8, 31, 17, 7, 11, 25, 42, 41]),
        (V8Sum, 1, [30, 27, 20, 37, 5, 18, 12, 19]),
        (V8Sum, 42, [28, 3, 35, 0, 48, 5, 31, 36]),
        (V8Sum, 2_000_000_000, [18, 35, 21, 42, 20, 3, 23, 25]),
        (WebKit, 1, [28, 13, 17, 10, 42, 26, 31, 41]),
        (WebKit, 42, [11, 25, 37, 39, 14, 30, 24, 10]),
        (WebKit, 4_000_000_000, [4, 18, 21, 46, 44, 29, 12, 13]),
    ] {
        let method = method(generator, Draw::Scaled, Shuffle::LastDown);
        assert_eq!(method.order(seed)[..8], first, "{method}, {seed}");
    }
}

/// As GCC 12.2 shuffles by `std::shuffle` with `std::default_random_engine`.
#[test]
fn decks_are_those_of_the_default_engine_of_cpp() {
    let method = method(KnownGenerator::MinStd, Draw::DividedPairs, Shuffle::Growing);
    let one = [34, 28, 38, 6, 41, 33, 4, 37];
    assert_eq!(method.order(1)[..8], one);
    assert_eq!(method.order(0)[..8], one);
    let large = [43, 48, 38, 41, 29, 28, 33, 14];
    assert_eq!(method.order(4_000_000_000)[..8], large);
}

/// Returns the processor seconds that this program has used so far, on all cores.
#[cfg(unix)]
fn processor_seconds() -> f64 {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    used.tv_sec as f64 + used.tv_nsec as f64 / 1e9
}

/// Not part of the tests: `cargo test --release -p fairdeal-seeds time_of -- --ignored --nocapture` measures
/// `MILLIONS` million seeds of every source.
#[test]
#[cfg(unix)]
#[ignore = "measures"]
#[allow(clippy::print_stdout, reason = "it measures")]
fn the_time_of_a_search() {
    let deals = fair_deals(1);
    let millions = std::env::var("MILLIONS").map_or(16, |text| text.parse().unwrap());
    let mut total = 0.0;
    for (number, source) in dictionary::SOURCES.iter().enumerate() {
        let search = SeedSearch {
            deals: &deals,
            ..SeedSearch::default()
        };
        let first = 1 << 30;
        let plan = plan_of(&(first..first + (millions << 20)), |source| {
            source == number
        });
        let begun = processor_seconds();
        let searched = search.planned(&plan, &|| false, &|_, _| ());
        let rate = plan.seeds() as f64 / (processor_seconds() - begun);
        assert!(searched.complete && searched.hits.is_empty());
        let whole = source.generator.seeds() as f64 / rate;
        total += whole;
        let (name, draw) = (source.generator.name(), source.draw.name());
        let rate = rate / 1e6;
        println!("{rate:6.1} M seeds/s a core, {whole:5.0} s for all: {name}, {draw}");
    }
    let count = methods().count();
    println!("{total:.0} s of a core for everything, {count} methods");
}

/// All methods of the dictionary.
fn methods() -> impl Iterator<Item = DealingMethod> {
    dictionary::SOURCES
        .iter()
        .flat_map(|source| source.methods())
}

/// The same seeds for some of the sources.
fn plan_of(range: &std::ops::Range<i64>, is_wanted: impl Fn(usize) -> bool) -> SearchPlan {
    let sources = (0..dictionary::SOURCES.len()).filter(|source| is_wanted(*source));
    SearchPlan {
        stages: sources.map(|source| (source, range.clone())).collect(),
    }
}
