//! Every number below T times the number of completions is one deal of the cells, and every deal
//! has such a number.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::sync::OnceLock;

use crate::common::{condition, scenario};
use fairdeal::bridge::{Deal, Hand};
use fairdeal::draw::{Aes128Ctr, Dealer};
use fairdeal::language::{Condition, SCENARIOS};
use fairdeal::number::OutOfRange;
use fairdeal::number::cells::{CellNumbering, NotTheCondition};
use fairdeal::population::cells::Cells;
use proptest::prelude::*;

/// Of few deals, but for the hands that nothing is said of: one to four hands, by patterns and
/// by honours, honours first and last.
const SMALL: [&str; 13] = [
    "shape(east, any 5332) && hcp(east) == 34",
    "spades(west) == 12",
    "hcp(north) == 37",
    "hcp(north) >= 36",
    "spades(west) == 12 && hearts(east) == 12",
    "hcp(west) >= 35 && spades(west) == 4 && spades(east) == 9 && hearts(east) == 4",
    "spades(east) == 9 && hearts(east) == 4 && hcp(west) >= 35 && spades(west) == 4",
    "hcp(west) >= 36 && hcp(east) >= 3 && diamonds(east) == 9 && clubs(east) >= 3",
    "losers(west) <= 1 && spades(west) == 13 && losers(east) <= 1 && hearts(east) == 12",
    "spades(west) == 13 && hearts(east) >= 12 && diamonds(south) >= 12",
    "spades(west) == 13 && hcp(east) >= 11 && hearts(east) >= 12 && diamonds(south) >= 12",
    "spades(west) >= 12 && hearts(east) >= 12 && diamonds(south) >= 12 && clubs(north) == 13",
    "clubs(north) >= 12 && spades(west) >= 12 && hearts(east) >= 12 && hcp(east) <= 9 \
     && diamonds(south) >= 12 && hcp(south) + hcp(west) >= 19",
];

/// Of many.
const LARGE: [&str; 11] = [
    "hcp(north) >= 16 && hcp(east) <= 9 && hcp(south) >= 8 && hcp(west) <= 9",
    "hcp(south) == 12",
    "hcp(west) + hcp(east) == 20",
    "hcp(west) >= 15 && hcp(north) <= hcp(west) && aces(east) == 1",
    "losers(north) == 7 && losers(south) == 8",
    "aces(south) >= 2 && spades(north) >= 5",
    "spades(north) + spades(south) >= 9 && hcp(north) + hcp(south) >= 20",
    "shape(north, 5332) && shape(east, 3433) && shape(south, 2443) && hcp(north) == 12 \
     && hcp(east) == 9 && hcp(south) == 11 && hcp(west) == 8",
    "shape(east, any 7222) && hearts(north) >= 7 && shape(west, any 5431) && hcp(west) >= 12",
    "shape(north, any 4333 + any 4432) && shape(south, any 4333 + any 5332) \
     && hcp(north) >= 15 && hcp(north) <= 17",
    "hcp(north) + spades(north) >= 16 && hearts(south) > hearts(north)",
];

fn cells(condition: &Condition) -> Cells {
    Cells::new(condition).unwrap_or_else(|error| panic!("{}: {error}", condition.text()))
}

/// Numbers to deals of the condition, and back.
fn there_and_back(cells: &Cells, numbering: &CellNumbering<'_>, number: u128) -> Deal {
    let deal = numbering.decode(number).unwrap();
    let expression = cells.condition().expression();
    assert!(expression.holds(&deal).unwrap(), "{number}: {deal}");
    assert_eq!(numbering.encode(&deal), Ok(number), "{deal}");
    deal
}

#[test]
#[ignore = "long"]
fn each_number_below_t_is_another_way_to_deal_the_hands() {
    for text in SMALL {
        let cells = cells(&condition(text));
        let numbering = CellNumbering::new(&cells);
        let (total, ways) = (cells.total(), u128::from(cells.completions()));
        assert!((1..1_000_000).contains(&total), "{text}: {total}");
        assert_eq!(numbering.count(), total * ways);
        let mut all: Vec<Vec<Hand>> = Vec::new();
        for place in 0..total {
            let number = place * ways + place * 7_919 % ways;
            let deal = there_and_back(&cells, &numbering, number);
            all.push(cells.seats().iter().map(|&seat| deal.hand(seat)).collect());
        }
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len() as u128, total, "{text}");
        // What is left over is dealt by the rest of the number.
        let rests = (0..ways).step_by((ways / 1_000).max(1) as usize);
        let deals = rests.map(|rest| there_and_back(&cells, &numbering, total / 2 * ways + rest));
        let mut deals: Vec<Deal> = deals.collect();
        let count = deals.len();
        deals.sort_unstable();
        deals.dedup();
        assert_eq!(deals.len(), count, "{text}");
    }
}

fn scenarios() -> impl Iterator<Item = Condition> {
    SCENARIOS
        .iter()
        .map(fairdeal::language::Scenario::condition)
        .filter(|condition| Cells::new(condition).is_ok())
}

/// The large conditions and the scenarios, made once.
fn large() -> &'static [Cells] {
    static LARGE_CELLS: OnceLock<Vec<Cells>> = OnceLock::new();
    LARGE_CELLS.get_or_init(|| {
        let texts = LARGE.iter().map(|text| condition(text));
        let all: Vec<Cells> = texts.chain(scenarios()).map(|it| cells(&it)).collect();
        assert_eq!(all.len(), LARGE.len() + 9);
        all
    })
}

/// Their numberings.
fn numberings() -> &'static [CellNumbering<'static>] {
    static NUMBERINGS: OnceLock<Vec<CellNumbering<'static>>> = OnceLock::new();
    NUMBERINGS.get_or_init(|| large().iter().map(CellNumbering::new).collect())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_number_is_a_deal_of_its_condition_and_back(word: u128) {
        for (cells, numbering) in large().iter().zip(numberings()) {
            there_and_back(cells, numbering, word % numbering.count());
        }
    }
}

#[test]
fn the_first_number_and_the_last_are_deals_and_the_next_is_none() {
    for (cells, numbering) in large().iter().zip(numberings()) {
        let count = numbering.count();
        for number in [0, 1, count / 2, count - 2, count - 1] {
            there_and_back(cells, numbering, number);
        }
        for number in [count, count + 1, u128::MAX] {
            assert_eq!(numbering.decode(number), Err(OutOfRange { number, count }));
        }
    }
}

#[test]
fn any_deal_has_a_number_if_it_satisfies_the_condition_and_none_otherwise() {
    let deals = Dealer::<&[u8]>::unconstrained()
        .in_random_order(&Aes128Ctr::new(3), 0..800)
        .unwrap();
    let (mut with, mut without) = (0, 0);
    for (cells, numbering) in large().iter().zip(numberings()) {
        for deal in &deals {
            let holds = cells.condition().expression().holds(deal).unwrap();
            match numbering.encode(deal) {
                Ok(number) => {
                    assert!(holds, "{deal}");
                    assert_eq!(numbering.decode(number), Ok(*deal));
                    with += 1;
                }
                Err(NotTheCondition) => {
                    assert!(!holds, "{}: {deal}", cells.condition().text());
                    without += 1;
                }
            }
        }
    }
    assert!(with > 400 && without > 400, "{with} {without}");
}

#[test]
fn the_numbers_of_a_condition_stay_what_they_are() {
    let condition = scenario("flat-three-suiter");
    let cells = cells(&condition);
    let numbering = CellNumbering::new(&cells);
    let number = 12_345_678_901_234_567_890_123_456;
    let deal = there_and_back(&cells, &numbering, number % numbering.count());
    assert_eq!(
        deal.to_string(),
        "N:652.K843.QJ.AJT8 AK84.9752.K953.K QT3.T6.762.Q9752 J97.AQJ.AT84.643"
    );
}
