//! Tests of all defects, and of the deals of some.

use super::random::{CARDS, ThreeHands, west};
use super::*;
use crate::bridge::{Deal, Hand, Pattern};
use crate::draw::{Block, Packet};
use crate::language::{Condition, Scenario};
use crate::population::cases::CaseFile;
use crate::population::cases::{CaseBytes, Listing, census, open, write};
use crate::population::cells::Cells;
use crate::seeds::{
    Dealing, DealingMethod, DeckOrder, Draw, Hit, KnownGenerator, SeedSearch, Shuffle,
};
use std::time::Instant;

const fn block(first_deal: u64, deals: u64) -> Block {
    Block { first_deal, deals }
}

fn named(name: &str) -> &'static Defect {
    Defect::named(name).unwrap()
}

fn hands_of(packet: &Packet) -> impl Iterator<Item = ThreeHands> {
    (0..packet.deals).map(|place| {
        let north = packet.north[place];
        [
            north,
            packet.east[place],
            packet.north_south[place] & !north,
        ]
    })
}

/// Deals a block and checks that all packets except the last are full.
fn dealt(defect: &Defect, seed: u128, block: Block) -> Vec<ThreeHands> {
    let mut deals = Vec::new();
    let mut sink = |packet: &Packet| {
        assert!(deals.len() % 128 == 0 && packet.deals > 0);
        let rest = packet.deals..;
        for column in [&packet.north_south, &packet.north, &packet.east] {
            assert!(column[rest.clone()].iter().all(|&cards| cards == 0));
        }
        deals.extend(hands_of(packet));
    };
    defect.deal(seed, block, &mut sink).unwrap();
    assert_eq!(deals.len() as u64, block.deals);
    deals
}

fn is_deal(hands: ThreeHands) -> bool {
    let [north, east, south] = hands;
    Deal::new([north, east, south, west(hands)].map(Hand::from_bits)).is_ok()
}

fn unconstrained() -> impl Iterator<Item = &'static Defect> {
    Defect::all().iter().filter(|one| one.scenario().is_none())
}

/// The case file of a defect's condition.
fn cases_of(condition: &str) -> CaseFile<CaseBytes> {
    let condition = Condition::parse("test", condition).unwrap();
    let listing = Listing::new(&condition, None).unwrap();
    let census = census(&condition, &listing).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.cases");
    write(&condition, &listing, census, &path, &|_| ()).unwrap();
    open(&path).unwrap()
}

fn dealt_cases(defect: &Defect, file: &CaseFile<CaseBytes>, block: Block) -> Vec<ThreeHands> {
    let mut deals = Vec::new();
    let mut sink = |packet: &Packet| deals.extend(hands_of(packet));
    defect.deal_cases(file, 4, block, &mut sink).unwrap();
    deals
}

#[test]
fn defects_have_names_of_their_own_and_say_what_is_expected() {
    let tests = [
        "T0", "T1", "T1max", "T2", "T4", "T5", "T6", "T7", "T8", "T8h", "T9s", "F", "place",
        "voids", "cards", "cases",
    ];
    let mut names = Vec::new();
    for defect in Defect::all() {
        let name = defect.name;
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
        assert!(name.chars().all(plain), "{name}");
        assert!(defect.predicted >= 1.0 && tests.contains(&defect.best_test));
        assert!(!defect.summary.is_empty() && !defect.summary.contains('\n'));
        assert!(std::ptr::eq(named(name), defect));
        names.push(name);
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Defect::all().len());
    assert!(Defect::named("fair").is_none());
}

#[test]
fn every_defect_deals_the_whole_deck_the_same_for_the_same_seed_and_block() {
    for defect in unconstrained() {
        let name = defect.name;
        let first = dealt(defect, 7, block(0, 300));
        assert!(first.iter().all(|&hands| is_deal(hands)), "{name}");
        assert_eq!(first, dealt(defect, 7, block(0, 300)), "{name}");
        let later = dealt(defect, 7, block(1 << 20, 300));
        assert!(later.iter().all(|&hands| is_deal(hands)), "{name}");
        // With only 65,536 deals, one may be dealt twice.
        let pairs = first.iter().zip(&later).filter(|(a, b)| a == b);
        assert!(pairs.count() < 3, "{name}: blocks differ");
        let another = dealt(defect, 8, block(0, 300));
        let seeded = defect.name != "mt19937-seeds-in-order";
        assert_eq!(first != another, seeded, "{name}: seeds differ");
        assert!(dealt(defect, 7, block(0, 0)).is_empty());
    }
}

#[test]
fn a_truncated_hand_has_twelve_cards_and_west_fourteen() {
    let deals = dealt(named("truncated-hands"), 1, block(0, 65_536));
    let wrong: Vec<ThreeHands> = deals.into_iter().filter(|&deal| !is_deal(deal)).collect();
    assert!((1..12).contains(&wrong.len()), "{}", wrong.len());
    for hands in wrong {
        let [north, east, south] = hands.map(u64::count_ones);
        assert_eq!([north, east, south], [12, 13, 13]);
        assert_eq!(west(hands).count_ones(), 14);
    }
}

#[test]
fn the_second_thread_deals_what_the_first_has_dealt_wherever_blocks_are_cut() {
    let defect = named("two-threads-one-seed");
    let whole = dealt(defect, 3, block(1 << 16, 1 << 16));
    let stretches: Vec<&[ThreeHands]> = whole.chunks(1 << 14).collect();
    assert_eq!(stretches[0], stretches[1]);
    assert_eq!(stretches[2], stretches[3]);
    assert_ne!(stretches[0], stretches[2]);
    let start = (1 << 16) + 10_000;
    assert_eq!(
        dealt(defect, 3, block(start, 20_000)),
        whole[10_000..30_000]
    );
}

#[test]
fn streams_that_are_seeded_once_go_on_from_block_to_block() {
    for name in ["ms-rand-stream", "lrand48-stream", "ms-rand-by-time"] {
        let whole = dealt(named(name), 5, block(0, 1_000));
        assert_eq!(dealt(named(name), 5, block(700, 300)), whole[700..]);
    }
}

#[test]
fn repeated_deals_and_hands_are_as_many_as_they_should_be() {
    let mut deals = dealt(named("reused-deals"), 2, block(0, 65_536));
    deals.sort_unstable();
    deals.dedup();
    // 65.5 ± 8.1.
    assert!(
        (25..106).contains(&(65_536 - deals.len())),
        "{}",
        deals.len()
    );

    let deals = dealt(named("north-again-1-in-100"), 2, block(0, 65_536));
    let again = deals.windows(2).filter(|pair| pair[0][0] == pair[1][0]);
    // 655 ± 25.5.
    let again = again.count();
    assert!((528..783).contains(&again), "{again}");
}

/// The number of deals in which this seat has this card.
fn held(deals: &[ThreeHands], card: usize, seat: usize) -> usize {
    let has = |hands: &&ThreeHands| {
        let [north, east, south] = **hands;
        [north, east, south, west(**hands)][seat] & CARDS[card] != 0
    };
    deals.iter().filter(has).count()
}

#[test]
fn north_has_the_ace_of_spades_5_percent_too_often_and_all_else_fairly() {
    let deals = dealt(named("spade-ace-north-5-percent"), 6, block(0, 1 << 18));
    let expected = |count: usize, p: f64| {
        let deals = deals.len() as f64;
        (count as f64 - deals * p).abs() < 5.0 * (deals * p * (1.0 - p)).sqrt()
    };
    assert!(expected(held(&deals, 0, 0), 0.2625));
    assert!(!expected(held(&deals, 0, 0), 0.25));
    for seat in 1..4 {
        assert!(expected(held(&deals, 0, seat), 0.7375 / 3.0));
    }
}

#[test]
fn the_naive_shuffle_deals_as_its_matrix_says() {
    let deals = dealt(named("naive-shuffle-blocks"), 3, block(0, 1 << 17));
    let matrix = predictions::naive().seats(DealingOrder::Blocks);
    for (card, chances) in matrix.iter().enumerate() {
        for (seat, p) in chances.iter().enumerate() {
            let count = held(&deals, card, seat) as f64;
            let deals = deals.len() as f64;
            assert!((count - deals * p).abs() < 5.0 * (deals * p * (1.0 - p)).sqrt());
        }
    }
}

#[test]
fn cases_and_no_cases_are_not_confused() {
    let swapped = named("honours-swapped");
    let refused = swapped.deal(0, block(0, 1), &mut |_| ());
    assert!(matches!(refused, Err(DefectError::NeedsCases { .. })));

    let file = cases_of(named("case-weight-5-percent").scenario().unwrap());
    let refused = swapped.deal_cases(&file, 0, block(0, 1), &mut |_| ());
    assert!(matches!(refused, Err(DefectError::OtherCases { .. })));
    let naive = named("naive-shuffle-blocks");
    let refused = naive.deal_cases(&file, 0, block(0, 1), &mut |_| ());
    assert!(matches!(refused, Err(DefectError::NeedsNoCases(_))));

    let lost = named("cell-alias-lost");
    let refused = lost.deal_cases(&file, 0, block(0, 1), &mut |_| ());
    assert!(matches!(refused, Err(DefectError::FromCells(_))));
    let condition = Condition::parse("test", lost.scenario().unwrap()).unwrap();
    let cells = Cells::new(&condition).unwrap();
    let refused = Defective::<CaseBytes>::of_cells(naive, 0, &cells);
    assert!(matches!(refused, Err(DefectError::NotFromCells(_))));
}

#[test]
fn the_heaviest_case_is_dealt_5_percent_too_often() {
    const DEALS: u64 = 1 << 17;
    let defect = named("case-weight-5-percent");
    let text = Scenario::named("nine-spades").unwrap().text;
    assert!(text.contains(defect.scenario().unwrap()));
    let file = cases_of(text);
    let deals = dealt_cases(defect, &file, block(0, DEALS));
    assert!(deals.iter().all(|&hands| is_deal(hands)));
    // West 9=2=1=1 opposite 0=1=6=6.
    let heaviest = |hands: &&ThreeHands| {
        let lengths = |cards| Hand::from_bits(cards).lengths();
        lengths(west(**hands)) == [9, 2, 1, 1] && lengths(hands[1]) == [0, 1, 6, 6]
    };
    let count = deals.iter().filter(heaviest).count() as f64;
    let fair = 0.158_918_918_918_918_9;
    let expected = fair * 1.05 / (1.0 + fair * 0.05) * DEALS as f64;
    assert!((count - expected).abs() < 500.0, "{count}, {expected}");
    assert!(count - fair * DEALS as f64 > 500.0);
}

#[test]
fn swapped_honours_change_cards_but_neither_patterns_nor_points() {
    const DEALS: u64 = 40_000;
    let defect = named("honours-swapped");
    let file = cases_of(defect.scenario().unwrap());
    let deals = dealt_cases(defect, &file, block(0, DEALS));
    let pattern = Pattern::new([5, 3, 3, 2]);
    let mut points = [0u32; 18];
    for &hands in &deals {
        assert!(is_deal(hands));
        let north = Hand::from_bits(hands[0]);
        assert_eq!(north.pattern(), pattern);
        points[north.hcp() as usize] += 1;
    }
    // Expected from the cases: hands of 15, 16 and 17 points by their weights.
    let mut before = 0;
    let mut fair = [0.0; 18];
    let mut spades = 0.0;
    for record in file.records() {
        let weight = (record.total() - before) as f64 / file.total() as f64;
        before = record.total();
        let honours = record.case().unwrap().first.honours.unwrap();
        fair[honours.hcp() as usize] += weight;
        spades += weight * f64::from(honours.suit(crate::bridge::Suit::Spades) >> 3);
    }
    let far = |count: usize, p: f64| {
        let deals = DEALS as f64;
        (count as f64 - deals * p).abs() / (deals * p * (1.0 - p)).sqrt()
    };
    for hcp in 15..18 {
        assert!(far(points[hcp] as usize, fair[hcp]) < 5.0);
    }
    assert_eq!(points.iter().sum::<u32>(), DEALS as u32);
    assert!(far(held(&deals, 0, 0), spades) > 20.0);
    // The points of the other hands depend on the remaining ranks, not on their suits.
    let mean = deals
        .iter()
        .map(|hands| f64::from(Hand::from_bits(hands[1]).hcp()));
    let left = 40.0 - (15..18).map(|hcp| hcp as f64 * fair[hcp]).sum::<f64>();
    let mean = mean.sum::<f64>() / DEALS as f64;
    assert!((mean - left / 3.0).abs() < 0.1, "{mean}, {}", left / 3.0);
}

/// The low 32 bits of a run's first word, which these defects take as their seed.
fn seed_of_run(seed: u128) -> i64 {
    i64::from(super::random::Random::of_run(seed).bits() as u32)
}

fn first_deal(defect: &Defect, seed: u128) -> Deal {
    let hands = dealt(defect, seed, block(0, 1))[0];
    let [north, east, south] = hands;
    Deal::new([north, east, south, west(hands)].map(Hand::from_bits)).unwrap()
}

#[test]
fn defects_that_no_statistic_sees_are_in_the_seed_dictionary() {
    // Stopped at once, for the names of all sources.
    let sources = SeedSearch::default().run(&|| true, &|_, _| ()).sources;
    for (name, generator, draw) in [
        (
            "ms-rand-stream",
            KnownGenerator::MicrosoftWhole,
            Draw::Scaled,
        ),
        (
            "ms-rand-by-time",
            KnownGenerator::Microsoft,
            Draw::Remainder,
        ),
        ("lrand48-stream", KnownGenerator::Unix48, Draw::Remainder),
        (
            "mt19937-seeds-in-order",
            KnownGenerator::Twister,
            Draw::Remainder,
        ),
    ] {
        let mut seed = seed_of_run(11);
        if generator == KnownGenerator::Twister {
            seed = 0;
        }
        let method = DealingMethod {
            generator,
            draw,
            shuffle: Shuffle::LastDown,
            deck_order: DeckOrder::SpadesDown,
            dealing: Dealing::Thirteen,
        };
        assert_eq!(first_deal(named(name), 11), method.deal(seed), "{name}");
        let mut methods = sources.iter().flat_map(|tried| tried.source.methods());
        assert!(methods.any(|known| known == method), "{name}");
    }
}

/// Not part of the tests: makes the whole search for the deals of
/// [`defects_that_no_statistic_sees_are_in_the_seed_dictionary`], as if nothing were known about them.
#[test]
#[ignore = "takes minutes"]
#[allow(clippy::print_stdout, reason = "it measures")]
fn the_defects_are_found_by_the_whole_search() {
    for name in ["mt19937-seeds-in-order", "ms-rand-stream", "lrand48-stream"] {
        let deals = [first_deal(named(name), 11)];
        let begun = Instant::now();
        let searched = SeedSearch {
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
