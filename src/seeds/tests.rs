//! The search against methods that deal one number at a time, against other programs'
//! decks, and against this crate's own defects.

use super::dictionary::methods;
use super::draw::Column;
use super::draw::Draw;
use super::generator::Generator;
use super::generator::Sequence;
use super::shuffle::{Dealing, DeckOrder, Shuffle};
use super::*;
use crate::defect::Defect;
use crate::draw::{Block, Packet};
use std::time::Instant;

/// Seeds of all sizes, some with the sign bit, the last divisible by [`SEEDS`] or not.
const SOME: [i64; 6] = [0, 1, 4_242, 1_234_567_890, 2_147_483_600, 4_000_000_000];

fn method(generator: Generator, draw: Draw, shuffle: Shuffle) -> Method {
    Method {
        generator,
        draw,
        shuffle,
        deck_order: DeckOrder::SpadesDown,
        dealing: Dealing::Thirteen,
    }
}

fn search_near(deals: &[Deal], around: i64, reach: i64) -> Searched {
    let search = Search {
        deals,
        ..Search::default()
    };
    let plan = Plan::of(&((around - reach).max(0)..around + reach));
    search.planned(&plan, &|| false, &|_, _| ())
}

#[test]
fn numbers_side_by_side_are_those_of_each_seed() {
    for source in dictionary::SOURCES {
        let (generator, every) = (source.generator, source.draw.every());
        let mut numbers = [[0; SEEDS]; NUMBERS];
        for &path in Path::available() {
            for first in SOME {
                let first = generator.seed(first as u32);
                first_numbers(path, generator.series(every), first as u64, &mut numbers);
                for lane in [0, 1, SEEDS - 1] {
                    let mut sequence = Sequence::new(generator, first + lane as i64);
                    for (place, row) in numbers.iter().enumerate() {
                        let bits = match generator {
                            Generator::Standard | Generator::Microsoft => 15,
                            Generator::Gnu | Generator::StandardWhole => 31,
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
    for source in dictionary::SOURCES {
        let series = source.generator.series(source.draw.every());
        for first in SOME {
            let first = source.generator.seed(first as u32);
            first_numbers(Path::chosen(), series, first as u64, &mut numbers);
            for (number, method) in source.methods().enumerate() {
                let lane = number % SEEDS;
                let numbers = &numbers;
                let deal = method.deal(first + lane as i64);
                let looks = Looks::of(source);
                let left = |lane| {
                    let column = Column { numbers, lane };
                    looks.leaves(method.shuffle, &deal, column) >> (number % 8) & 1
                };
                assert_eq!(left(lane), 1, "{method}");
                // The GNU C library takes 0 as 1.
                assert_eq!(left(lane ^ 2), 0, "{method}");
            }
        }
    }
}

#[test]
fn every_path_packs_the_same_places() {
    let portable = Path::PORTABLE;
    let mut numbers = [[0; SEEDS]; NUMBERS];
    for looks in dictionary::SOURCES.iter().map(Looks::of) {
        for first in SOME {
            looks.numbers(portable, first, &mut numbers);
            let expected = looks.places(portable, &numbers);
            for &path in Path::available() {
                assert_eq!(looks.places(path, &numbers), expected);
            }
        }
    }
}

/// A deal of every shuffle of every source, in turns from all deck orders and
/// dealings.
#[test]
fn planted_deals_of_every_shuffle_are_found() {
    let mut seed: i64 = 1;
    let mut finish = 0;
    for (number, source) in dictionary::SOURCES.iter().enumerate() {
        let methods: Vec<Method> = source.methods().collect();
        for shuffle in methods.chunks(8) {
            finish += 3;
            let method = shuffle[finish % 8];
            seed = (seed * 48_271) % 0x7FFF_FFFF;
            let deals = [method.deal(seed)];
            let search = Search {
                deals: &deals,
                ..Search::default()
            };
            let plan = Plan::of(&(seed - 100..seed + 100)).only(number);
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
    let java = method(Generator::Java, Draw::NextInt, Shuffle::LastDown);
    let gnu = method(Generator::Gnu, Draw::Remainder, Shuffle::Growing);
    let all = Plan::all(None);
    for (method, seed) in [(java, -1), (java, i64::from(i32::MIN)), (gnu, 0xFFFF_FFFF)] {
        let planned = all.rounds().flatten().find(|chunk| {
            dictionary::SOURCES[chunk.source].generator == method.generator
                && dictionary::SOURCES[chunk.source].draw == method.draw
                && chunk.range.contains(&seed)
        });
        let mut chunk = planned.unwrap();
        let near = (seed - 500).max(chunk.range.start)..(seed + 500).min(chunk.range.end);
        chunk.range = near;
        let sieves = [Sieve::new(&method.deal(seed))];
        let looks = Looks::of(&dictionary::SOURCES[chunk.source]);
        let deal = 0;
        assert_eq!(chunk.search(&looks, &sieves), [Hit { deal, method, seed }]);
    }
}

/// The GNU C library takes 0 as 1: two seeds deal the same deal.
#[test]
fn a_deal_that_two_seeds_deal_is_found_once() {
    let gnu = method(Generator::Gnu, Draw::Remainder, Shuffle::LastDown);
    let deals = [gnu.deal(0)];
    let searched = search_near(&deals, 0, 100);
    let seeds: Vec<i64> = searched.hits.iter().map(|hit| hit.seed).collect();
    assert_eq!(seeds, [0, 1]);
    assert_eq!(searched.deals_found(), 1);
    // The same deal in two files is two deals that were looked for.
    let twice = search_near(&[deals[0], deals[0]], 0, 100);
    assert_eq!((twice.hits.len(), twice.deals_found()), (4, 2));
    assert_eq!(twice.tried, 2 * searched.tried);
}

#[test]
fn nothing_is_found_in_fair_deals() {
    let dealer = Defect::named("reused-deals").unwrap();
    let deals = first_deals(dealer, 7, 3);
    let searched = search_near(&deals, 1_700_000_000, 20_000);
    assert!(searched.hits.is_empty() && searched.complete);
    let methods = methods().count() as u128;
    assert_eq!(searched.tried, methods * 40_000 * 3);
    assert!(searched.tried < 1 << 32);
}

#[test]
fn a_search_without_time_says_that_it_is_not_complete() {
    let deals = [method(Generator::Gnu, Draw::Remainder, Shuffle::Growing).deal(5)];
    let searched = Search {
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
    let java = method(Generator::Java, Draw::NextInt, Shuffle::LastDown);
    let deals = [java.deal(second * 1_000 + 321)];
    let plan = Plan::milliseconds(second - 60..second + 60);
    let search = Search {
        deals: &deals,
        days: None,
    };
    let searched = search.planned(&plan, &|| false, &|_, _| ());
    assert_eq!(searched.hits.len(), 1);
    assert_eq!(searched.hits[0].seed, second * 1_000 + 321);
}

#[test]
fn the_whole_search_tries_every_seed_once() {
    let plan = Plan::all(None);
    let mut seeds = vec![0; dictionary::SOURCES.len()];
    for chunk in plan.rounds().flatten() {
        seeds[chunk.source] += chunk.seeds();
    }
    let all = dictionary::SOURCES
        .iter()
        .map(|source| source.generator.seeds());
    assert_eq!(seeds, all.collect::<Vec<_>>());
    assert_eq!(plan.seeds(), seeds.iter().sum::<u64>());
}

fn first_deals(defect: &Defect, seed: u128, deals: u64) -> Vec<Deal> {
    let mut dealt = Vec::new();
    let block = Block {
        first_deal: 0,
        deals,
    };
    let mut sink = |packet: &Packet| {
        dealt.extend((0..packet.deals()).map(|place| packet.deal(place)));
    };
    let done = defect.deal(seed, block, &mut Packet::default(), &mut sink);
    done.unwrap();
    dealt
}

/// The 32 bits of a run's own first word, with which these defects begin.
fn seed_of_run(seed: u128) -> i64 {
    i64::from(crate::defect::first_word(seed) as u32)
}

#[test]
fn defects_that_no_statistic_sees_are_found() {
    for (name, generator, draw) in [
        ("ms-rand-stream", Generator::MicrosoftWhole, Draw::Scaled),
        ("ms-rand-by-time", Generator::Microsoft, Draw::Remainder),
        ("lrand48-stream", Generator::Unix48, Draw::Remainder),
        (
            "mt19937-seeds-in-order",
            Generator::Twister,
            Draw::Remainder,
        ),
    ] {
        let defect = Defect::named(name).unwrap();
        let mut seed = seed_of_run(11);
        if generator == Generator::Twister {
            seed = 0;
        }
        let deals = first_deals(defect, 11, 2);
        let searched = search_near(&deals, seed, 2_000);
        let hit = Hit {
            deal: 0,
            method: method(generator, draw, Shuffle::LastDown),
            seed,
        };
        assert!(searched.hits.contains(&hit), "{name}: {:?}", searched.hits);
    }
}

/// As Java 17, Python 3.11 and GCC 12 shuffle 0 .. 51.
#[test]
fn decks_are_those_of_other_programs() {
    let order =
        |generator, draw, shuffle, seed| method(generator, draw, shuffle).order(seed)[..8].to_vec();
    let (down, filling) = (Shuffle::LastDown, Shuffle::RemoveFilling);
    let java = [15, 39, 34, 35, 32, 1, 21, 4];
    assert_eq!(order(Generator::Java, Draw::NextInt, down, 42), java);
    let negative = [9, 50, 33, 14, 49, 45, 19, 23];
    assert_eq!(order(Generator::Java, Draw::NextInt, down, -7), negative);
    let python = [49, 9, 37, 22, 2, 38, 19, 11];
    assert_eq!(order(Generator::Python, Draw::Bits, down, 1), python);
    let sample = [8, 36, 48, 4, 16, 7, 31, 28];
    assert_eq!(order(Generator::Python, Draw::Bits, filling, 1), sample);
    let growing = Shuffle::Growing;
    let random_shuffle = [4, 51, 11, 15, 24, 35, 17, 36];
    assert_eq!(
        order(Generator::Gnu, Draw::Remainder, growing, 1),
        random_shuffle
    );
    let std_shuffle = [49, 20, 23, 33, 24, 4, 6, 41];
    assert_eq!(
        order(Generator::Twister, Draw::Pairs, growing, 1),
        std_shuffle
    );
}

/// Processor seconds that this program has used so far, on all cores.
fn processor_seconds() -> f64 {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    used.tv_sec as f64 + used.tv_nsec as f64 / 1e9
}

/// Not part of the tests: `cargo test --release --lib time_of -- --ignored --nocapture`
/// measures so many `MILLIONS` of seeds of every source.
#[test]
#[ignore = "measures"]
#[allow(clippy::print_stdout, reason = "it measures")]
fn the_time_of_a_search() {
    let deals = first_deals(Defect::named("reused-deals").unwrap(), 7, 1);
    let millions = std::env::var("MILLIONS").map_or(16, |text| text.parse().unwrap());
    let mut total = 0.0;
    for (number, source) in dictionary::SOURCES.iter().enumerate() {
        let search = Search {
            deals: &deals,
            ..Search::default()
        };
        let first = 1 << 30;
        let plan = Plan::of(&(first..first + (millions << 20))).only(number);
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

/// Not part of the tests: makes the whole search for the deals of
/// [`defects_that_no_statistic_sees_are_found`], as if nothing were known of them.
#[test]
#[ignore = "takes minutes"]
#[allow(clippy::print_stdout, reason = "it measures")]
fn the_defects_are_found_by_the_whole_search() {
    for name in ["mt19937-seeds-in-order", "ms-rand-stream", "lrand48-stream"] {
        let deals = first_deals(Defect::named(name).unwrap(), 11, 1);
        let begun = Instant::now();
        let searched = Search {
            deals: &deals,
            days: None,
        }
        .run(&|| false, &|_, _| ());
        let seconds = begun.elapsed().as_secs_f64();
        println!("{name}: {seconds:.0} s, {:e} tried", searched.tried as f64);
        for Hit { method, seed, .. } in &searched.hits {
            println!("  seed {seed}: {method}");
        }
        assert!(!searched.hits.is_empty(), "{name}");
    }
}
