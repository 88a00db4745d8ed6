//! The deals of a condition have the numbers below their total, each its own.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::collections::BTreeSet;

use crate::common::{condition, folder, printed};
use fairdeal::bridge::{Deal, Hand};
use fairdeal::draw::{Aes128Ctr, RandomStream, StreamId, StreamPurpose, below};
use fairdeal::population::cells::Budget;
use fairdeal::population::counting::{CountError, NumberedDeals};

/// Eight cards are left: S T 9 2, H Q 8, D 3 and C T 7, one for north and three for west.
const ENDING: &str = "predeal north SKJ7, HAKT43, D5, CAQ5 east SQ53, H2, DAT9, CK943 \
     south S6, HJ965, DK8762, C2 west SA84, H7, DQJ4, CJ86 condition ";

fn numbered(text: &str) -> NumberedDeals {
    let made = NumberedDeals::new(&condition(text), &Budget::unlimited());
    made.unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The deals of all numbers, all different.
fn all_deals(deals: &NumberedDeals) -> BTreeSet<[Hand; 4]> {
    let deal = |number| *deals.deal(number).unwrap().hands();
    let all: BTreeSet<[Hand; 4]> = (0..deals.total()).map(deal).collect();
    assert_eq!(all.len() as u128, deals.total());
    assert_eq!(deals.deal(deals.total()), None);
    all
}

#[test]
fn numbers_reach_every_deal_of_an_ending_once() {
    let every = all_deals(&numbered(&format!("{ENDING} 1")));
    assert_eq!(every.len(), 1_680);
    for asked in [
        "hascard(north, 2S) || hascard(east, TS) || hascard(south, 3D) || hascard(west, 7C)",
        "tens(east) == 1 && hcp(west) >= 9",
        "spades(north) == 4 || spades(east) == 4 || spades(south) == 3 || spades(west) == 5",
        "shape(north, any 5xxx) || shape(west, any 5431 + any 4432)",
        "shape(south, any 6xxx) && (hcp(south) >= 6 || hascard(south, TC))",
        "top5(west, spades) >= 2 || quality(south, diamonds) > 300",
        "cccc(west) >= 850 && spades(north) + hearts(south) != 8",
        "hcp(east) + hcp(west) >= 18 || tens(north) + tens(south) == 4",
        "hearts(west) > 1 && 10 / hearts(west) > 4",
    ] {
        let asked = condition(&format!("{ENDING} {asked}"));
        let holds = |hands: &&[Hand; 4]| asked.expression().holds(&Deal::new(**hands).unwrap());
        let wanted: BTreeSet<[Hand; 4]> = every
            .iter()
            .filter(|hands| holds(hands) == Ok(true))
            .copied()
            .collect();
        assert!(
            !wanted.is_empty() && wanted.len() < every.len(),
            "{}",
            asked.text()
        );
        assert_eq!(
            all_deals(&numbered(asked.text())),
            wanted,
            "{}",
            asked.text()
        );
    }
}

#[test]
fn deals_of_random_numbers_satisfy_their_condition() {
    for text in [
        "1",
        "hcp(north) + tens(north) == 0",
        "spades(north) == 0 || spades(east) == 0 || spades(south) == 0 || spades(west) == 0",
        "hascard(north, ST) && hascard(east, 9H) && hascard(south, 2C) && hascard(west, 5D)",
        "predeal north SAKQJ2 south ST98 condition spades(west) == 2 || hascard(west, 9H)",
        "tens(north) == 4 && hcp(south) >= 20",
    ] {
        let (deals, condition) = (numbered(text), condition(text));
        let generator = Aes128Ctr::new(5);
        let id = StreamId::new(0, StreamPurpose::Plain, 0);
        let mut stream = RandomStream::new(&generator, id);
        let mut numbers = vec![0, deals.total() - 1];
        numbers.extend((0..200).map(|_| below(&mut stream, deals.total()).unwrap()));
        for number in numbers {
            let deal = deals.deal(number).unwrap();
            assert!(Deal::new(*deal.hands()).is_ok(), "{text}: {number}");
            assert_eq!(
                condition.expression().holds(&deal),
                Ok(true),
                "{text}: {number}"
            );
            assert!(condition.predeal().is_in(&deal), "{text}: {number}");
        }
    }
}

/// The first deals of a seed never change.
#[test]
fn the_deals_of_a_seed_are_pinned() {
    let folder = folder();
    let text = "predeal north SAQ, C2 south HKJ condition hascard(west, 9S) || tens(west) >= 2";
    let deals = printed(
        folder.path(),
        &[
            "deal",
            "-n2",
            "--where",
            text,
            "--sampler=numbers",
            "--seed=1",
            "--format=oneline",
        ][..],
    );
    assert_eq!(
        deals,
        "n AKQ92.Q.K3.J6432 e J6.97542.QT62.95 s 7543.KJT3.A75.Q7 w T8.A86.J984.AKT8 \n\
         n AQT6.AQT8.5.AJ32 e J743.952.KT764.Q s K5.KJ763.AQ3.876 w 982.4.J982.KT954 \n"
    );
}

#[test]
fn conditions_without_deals_and_of_no_cards_have_no_numbers() {
    let new = |text| NumberedDeals::new(&condition(text), &Budget::unlimited()).map(|_| ());
    assert_eq!(new("hcp(north) > 37"), Err(CountError::NoDeal));
    assert_eq!(new("rnd(2) == 1"), Err(CountError::NotCards));
    let few = Budget::new(100, 1 << 20);
    let too_large = NumberedDeals::new(&condition("tens(north) == 4"), &few);
    assert!(matches!(too_large, Err(CountError::TooLarge(_))));
}

#[test]
fn a_run_of_numbered_deals_has_an_exact_probability_and_tests() {
    let folder = folder();
    let command = [
        "run",
        "--where",
        "hcp(north) + tens(north) == 0",
        "--sampler=numbers",
        "--deals=2K",
        "--seed=1",
        "--target=1",
        "--json",
        "-o",
        "counted",
    ];
    let found: serde_json::Value =
        serde_json::from_str(&printed(folder.path(), &command[..])).unwrap();
    // C(32, 13) of C(52, 13) hands, as in the published odds.
    assert_eq!(found["probability"]["fraction"], "5394/9860459");
    assert_eq!(found["expected"], "exact");
    let planned = &found["planning"]["method"];
    assert_eq!(planned, "numbers");
}
