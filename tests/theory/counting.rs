//! Counted deals against an independent program and published odds.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use fairdeal::bridge::combinatorics::{DEALS, choose};
use fairdeal::language::Condition;
use fairdeal::population::cells::Budget;
use fairdeal::population::counting::{CountError, DealCounter};

/// Written by `fixtures/make/exact_conditions.py`.
const EXACT: &str = include_str!("../../fixtures/reference/exact-conditions.csv");

/// The reduced probability of a condition.
fn probability(text: &str) -> Result<(u128, u128), CountError> {
    let condition = Condition::parse("test", text).unwrap_or_else(|error| panic!("{error}"));
    let counted = DealCounter::new(&condition)?.probability(&Budget::unlimited())?;
    Ok(reduced(counted))
}

fn reduced((ways, of): (u128, u128)) -> (u128, u128) {
    let (mut a, mut b) = (ways, of);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (ways / a, of / a)
}

/// Compares every so many conditions from this one on.
fn compare(first: usize, step: usize) {
    let mut reader = csv::Reader::from_reader(EXACT.as_bytes());
    let mut conditions = 0;
    for row in reader.records().skip(first).step_by(step) {
        let row = row.unwrap();
        let wanted = (row[1].parse().unwrap(), row[2].parse().unwrap());
        assert_eq!(probability(&row[0]), Ok(wanted), "{}", &row[0]);
        conditions += 1;
    }
    assert!(conditions * step >= 110, "{conditions}");
}

#[test]
fn some_conditions_have_the_probabilities_of_another_program() {
    compare(2, 9);
}

#[test]
#[ignore = "long"]
fn all_conditions_have_the_probabilities_of_another_program() {
    compare(0, 1);
}

#[test]
fn published_odds_are_exact() {
    let one_in = |text: &str| {
        let (ways, of) = probability(text).unwrap();
        of as f64 / ways as f64
    };
    let near = |text: &str, wanted: f64, digits: f64| {
        assert!(
            (one_in(text) - wanted).abs() <= digits,
            "{text}: {}",
            one_in(text)
        );
    };
    // A Yarborough: 347,373,600 of C(52,13) hands.
    near("hcp(north) + tens(north) == 0", 1828.0, 0.1);
    // A void, and a hand of one suit.
    let void =
        "spades(north) == 0 || hearts(north) == 0 || diamonds(north) == 0 || clubs(north) == 0";
    near(void, 1.0 / 0.051_065_5, 0.001);
    near(&void.replace("== 0", "== 13"), 158_753_389_900.0, 0.5);
    // Five cards between two closed hands: 3-2, 4-1 and 5-0.
    let hands = "predeal north SAKQJ2, HA432, DA32, C2 south ST98, HKQJ, DKQJ, CAKQJ condition ";
    let around = |split: &str| format!("{hands}{split}");
    for (split, wanted) in [
        ("spades(west) == 2 || spades(west) == 3", (78, 115)),
        ("spades(west) == 1 || spades(west) == 4", (13, 46)),
        ("spades(west) == 0 || spades(west) == 5", (9, 230)),
    ] {
        assert_eq!(probability(&around(split)), Ok(wanted), "{split}");
    }
    // The same, once both have played six other cards.
    let played = "west HT98, D654 east H765, DT98 condition";
    let ending = hands.replace("condition", played);
    let split = "spades(west) == 2 || spades(west) == 3";
    let wanted = Ok((105, 143));
    assert_eq!(probability(&format!("{ending}{split}")), wanted);
}

#[test]
fn somebody_has_no_card_above_a_nine() {
    // There are 32 such cards, so two hands may have none else, and three may not.
    let hand = choose(32, 13);
    let one = hand * choose(39, 13) * choose(26, 13);
    let two = hand * choose(19, 13) * choose(26, 13);
    let wanted = reduced((4 * one - 6 * two, DEALS));
    let over_seats = |fact: &str| {
        let facts = ["north", "east", "south", "west"].map(|seat| fact.replace("SEAT", seat));
        probability(&facts.join(" || "))
    };
    assert_eq!(over_seats("hcp(SEAT) + tens(SEAT) == 0"), Ok(wanted));
    assert_eq!(over_seats("hcp(SEAT) == 0 && tens(SEAT) < 1"), Ok(wanted));
    assert_eq!(over_seats("!(0 < hcp(SEAT) + tens(SEAT))"), Ok(wanted));
}

#[test]
fn arithmetic_that_fails_for_a_deal_is_an_error() {
    let fails = |text| matches!(probability(text), Err(CountError::Arithmetic(_)));
    assert!(fails("10 / spades(north) > 2"));
    assert!(fails("spades(north) >= 0 && 10 % tens(north) == 1"));
    assert!(!fails("spades(north) > 0 && 10 / spades(north) > 2"));
    let wanted = probability("spades(north) > 0 && spades(north) <= 3");
    assert_eq!(
        probability("spades(north) > 0 && 10 / spades(north) > 2"),
        wanted
    );
}

#[test]
fn what_is_no_property_of_the_cards_is_refused() {
    assert_eq!(probability("rnd(2) == 1"), Err(CountError::NotCards));
    assert_eq!(probability("hcp(north) > 40").map(|(ways, _)| ways), Ok(0));
}
