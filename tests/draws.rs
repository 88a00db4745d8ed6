//! The fast path against the slow one, and both against exhaustion.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

mod common;

use std::collections::BTreeSet;

use common::{case_file, condition, folder, scenario};
use fairdeal::cards::{Deal, Hand, Seat};
use fairdeal::cases::{CaseBytes, CaseFile};
use fairdeal::combinatorics::{choose, subset};
use fairdeal::draw::{Dealer, Generator, below, completions, deal_of_number, reference};

fn fast(file: &CaseFile<CaseBytes>, number: u128) -> Deal {
    let completions = u128::from(completions(file.header().second));
    let index = file.load_index();
    let (place, completion) = (number / completions, (number % completions) as u64);
    deal_of_number(file, &index, place, completion).unwrap()
}

#[test]
fn the_reference_path_reaches_each_of_the_756_hands_of_east_5332_34_once() {
    let folder = folder();
    let (_, file) = case_file(folder.path(), &scenario("east-5332-34"), None);
    assert_eq!(file.total(), 756);
    let completions = u128::from(completions(None));
    let mut hands: BTreeSet<Hand> = BTreeSet::new();
    for place in 0..756 {
        let deal = reference::deal_of_number(&file, place * completions).unwrap();
        let east = deal.hand(Seat::East);
        assert_eq!(east.hcp(), 34);
        assert_eq!(east.pattern().unwrap().shape().lengths(), [5, 3, 3, 2]);
        assert!(hands.insert(east), "{east} twice");
        assert_eq!(fast(&file, place * completions), deal);
    }
    assert_eq!(hands.len(), 756);
    assert_eq!(reference::deal_of_number(&file, 756 * completions), None);
}

/// Every kind of pair of hands, by what is listed of the first and the second.
const KINDS: [&str; 11] = [
    "spades(west) == 9",
    "spades(west) == 9 && diamonds(east) == 6 && clubs(east) == 6",
    "hcp(north) == 3",
    "hcp(north) == 2 && hcp(south) <= 1",
    "shape(east, any 5332) && hcp(east) == 34",
    "hcp(west) >= 33 && spades(west) >= 5 && spades(east) == 6",
    "spades(east) == 6 && hcp(west) >= 33 && spades(west) >= 5",
    "hcp(west) >= 15 && spades(west) >= 10 && hcp(south) >= 12",
    "hcp(south) >= 12 && hcp(west) >= 15 && spades(west) >= 10",
    "hcp(north) >= 28 && hearts(north) >= 8 && hcp(east) >= 8 && clubs(east) >= 6",
    "hcp(south) + hcp(east) >= 39 && spades(south) >= 9",
];

#[test]
fn the_fast_path_deals_what_the_slow_path_deals_and_back() {
    let generator = Generator::new(11);
    for (kind, text) in (0..).zip(KINDS) {
        let folder = folder();
        let (_, file) = case_file(folder.path(), &condition(text), None);
        let all = file.total() * u128::from(completions(file.header().second));
        let mut stream = generator.stream(kind);
        let drawn = (0..200).map(|_| below(&mut stream, all));
        for number in drawn.chain([0, 1, all - 2, all - 1]) {
            let slow = reference::deal_of_number(&file, number).unwrap();
            assert_eq!(fast(&file, number), slow, "{text}, number {number}");
            assert_eq!(
                reference::number_of_deal(&file, &slow),
                Some(number),
                "{text}"
            );
        }
        let any = Dealer::<CaseBytes>::Unconstrained
            .deal(&mut stream)
            .unwrap();
        assert_eq!(reference::number_of_deal(&file, &any), None, "{text}");
    }
}

#[test]
fn both_ends_of_every_case_give_deals_of_that_case() {
    for text in KINDS {
        let folder = folder();
        let (_, file) = case_file(folder.path(), &condition(text), None);
        let index = file.load_index();
        for case in (0..file.cases()).step_by(1 + file.cases() as usize / 5_000) {
            let record = file.records()[case as usize];
            let hands = record.case().unwrap();
            for number in [file.total_before(case), record.total() - 1] {
                let deal = deal_of_number(&file, &index, number, 7).unwrap();
                let listed = [
                    Some((file.header().first, hands.first)),
                    file.header().second.zip(hands.second),
                ];
                for (seat, hand) in listed.into_iter().flatten() {
                    let dealt = deal.hand(seat);
                    assert!(
                        hand.honours
                            .is_none_or(|honours| dealt.honours() == honours)
                    );
                    let pattern = dealt.pattern().map(|pattern| pattern.index());
                    assert!(hand.pattern.is_none() || hand.pattern == pattern);
                }
            }
        }
    }
}

#[test]
fn completions_number_the_splits_of_what_is_left() {
    // Two seats left: the first in order takes the 13 of 26 at that place.
    let folder = folder();
    let (_, file) = case_file(folder.path(), &scenario("nine-spades"), None);
    let index = file.load_index();
    let deal = |completion| deal_of_number(&file, &index, 0, completion).unwrap();
    let left = deal(0).hand(Seat::North).union(deal(0).hand(Seat::South));
    let mut hands = BTreeSet::new();
    for completion in (0..choose(26, 13) as u64).step_by(4_001) {
        let north = deal(completion).hand(Seat::North);
        assert_eq!(
            north,
            subset::deposit(subset::unrank(completion, 26, 13), left)
        );
        assert!(hands.insert(north));
    }
}

#[test]
fn the_first_deals_of_seed_0_never_change() {
    // Fixed for ever: a change here needs a heading in CHANGELOG.md and a new format version.
    let generator = Generator::new(0);
    let first = |dealer: &Dealer<'_, CaseBytes>, stream| {
        let mut stream = generator.stream(stream);
        [0; 2].map(|_| dealer.deal(&mut stream).unwrap().to_string())
    };
    assert_eq!(first(&Dealer::Unconstrained, 0), UNCONSTRAINED_SEED_0);
    let folder = folder();
    let (_, file) = case_file(folder.path(), &scenario("flannery-misfit"), None);
    assert_eq!(first(&Dealer::of_cases(&file), 0), FLANNERY_SEED_0);
}

const UNCONSTRAINED_SEED_0: [&str; 2] = [
    "N:T9852.53.AQ75.K6 QJ6.A2.K93.AT987 K743.KQ87.T62.43 A.JT964.J84.QJ52",
    "N:A4.KQ74.9752.A85 96.AT9.AT3.QJ963 QT872.652.K.KT74 KJ53.J83.QJ864.2",
];
const FLANNERY_SEED_0: [&str; 2] = [
    "N:4.6.AK7432.QJ765 KJT953.87.QT5.43 Q876.AQT95.96.A8 A2.KJ432.J8.KT92",
    "N:4.J7.K432.KQT984 A9.KT2.85.A76532 QJ72.AQ953.QJ9.J KT8653.864.AT76.",
];
