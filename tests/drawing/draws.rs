//! The fast path against the slow path, and both against complete enumeration.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::collections::BTreeSet;

use crate::common::{case_file, folder, kinds, scenario};
use fairdeal::bridge::combinatorics::{choose, subset};
use fairdeal::bridge::{Deal, Hand, Seat};
use fairdeal::draw::{
    Aes128Ctr, Dealer, RandomStream, StreamId, StreamPurpose, below, completions, deal_of_number,
    reference,
};
use fairdeal::population::cases::{CaseBytes, CaseFile};

fn fast(file: &CaseFile<CaseBytes>, number: u128) -> Deal {
    let completions = u128::from(completions(file));
    let (place, completion) = (number / completions, (number % completions) as u64);
    deal_of_number(file, place, completion).unwrap()
}

#[test]
fn the_reference_path_reaches_each_of_the_756_hands_of_east_5332_34_once() {
    let folder = folder();
    let (_, file) = case_file(folder.path(), &scenario("east-5332-34"), None);
    assert_eq!(file.total(), 756);
    let completions = u128::from(completions(&file));
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

#[test]
#[ignore = "long"]
fn the_fast_path_deals_what_the_slow_path_deals_and_back() {
    let generator = Aes128Ctr::new(11);
    let any_deals = Dealer::<CaseBytes>::unconstrained();
    let any_deals = any_deals
        .in_random_order(&generator, 0..kinds().len() as u64)
        .unwrap();
    for ((kind, (text, file)), any) in (0..).zip(kinds()).zip(any_deals) {
        let all = file.total() * u128::from(completions(file));
        let mut stream =
            RandomStream::new(&generator, StreamId::new(kind, StreamPurpose::Plain, 0));
        let drawn = (0..200).map(|_| below(&mut stream, all).unwrap());
        let drawn: Vec<u128> = drawn.collect();
        for number in drawn.into_iter().chain([0, 1, all - 2, all - 1]) {
            let slow = reference::deal_of_number(file, number).unwrap();
            assert_eq!(fast(file, number), slow, "{text}, number {number}");
            assert_eq!(
                reference::number_of_deal(file, &slow),
                Some(number),
                "{text}"
            );
        }
        assert_eq!(reference::number_of_deal(file, &any), None, "{text}");
    }
}

#[test]
fn both_ends_of_every_case_give_deals_of_that_case() {
    for (_, file) in kinds() {
        for case in (0..file.cases()).step_by(1 + file.cases() as usize / 60) {
            let record = file.records()[case as usize];
            let hands = record.case().unwrap();
            for number in [file.total_before(case), record.total() - 1] {
                let deal = deal_of_number(file, number, 7).unwrap();
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
    let deal = |completion| deal_of_number(&file, 0, completion).unwrap();
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
    // Fixed for ever: a change here needs a heading in CHANGELOG.md and another version of the streams.
    let generator = Aes128Ctr::new(0);
    let first = |dealer: &Dealer<'_, CaseBytes>| -> Vec<String> {
        let deals = dealer.in_random_order(&generator, 0..1_000).unwrap();
        deals.iter().take(2).map(Deal::to_string).collect()
    };
    assert_eq!(first(&Dealer::unconstrained()), UNCONSTRAINED_SEED_0);
    let folder = folder();
    let (_, file) = case_file(folder.path(), &scenario("flannery-misfit"), None);
    let dealer = Dealer::of_cases(&file).unwrap();
    assert_eq!(first(&dealer), FLANNERY_SEED_0);
}

const UNCONSTRAINED_SEED_0: [&str; 2] = [
    "N:A82.KJT92.K84.A9 Q7543.Q5.Q95.T87 K.8763.J72.KJ543 JT96.A4.AT63.Q62",
    "N:KT943.A64.Q7.Q82 A76.K973.AKJ8.J4 5.QJT52.9654.A53 QJ82.8.T32.KT976",
];
const FLANNERY_SEED_0: [&str; 2] = [
    "N:T63.4.AT986.6532 AK8.KQ872.Q5.T87 Q754.AT653..AQ94 J92.J9.KJ7432.KJ",
    "N:J32.8.K7432.A962 T9864.765.86.K43 KQ75.KT432.AJT.8 A.AQJ9.Q95.QJT75",
];
