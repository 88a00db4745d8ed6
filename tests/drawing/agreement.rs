//! Comparison of 10,485,760 deals of each of the six big scenarios with exact theory, and with
//! figures that other programs computed (`fixtures/reference`).
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::collections::BTreeMap;

use crate::common::{case_file, folder, scenario};
use fairdeal::bridge::{Pattern, PatternIndex, Seat, Shape, Side, Suit};
use fairdeal::draw::{Aes128Ctr, Dealer};
use fairdeal::population::cases::CaseBytes;
use fairdeal::run;
use fairdeal::tally::Tally;
use fairdeal::theory::{Distribution, Theory};
use serde_json::Value;
use statrs::distribution::{ChiSquared, ContinuousCDF};

const DEALS: u64 = run::DEFAULT_DEALS;
/// Cells below this expectation are pooled, smallest first.
const SMALLEST_CELL: f64 = 20.0;

/// Fails if the p-value of Pearson's chi-square is below 1e-6.
fn agrees(what: &str, observed: &[u64], probabilities: &[f64]) {
    assert_eq!(observed.len(), probabilities.len(), "{what}");
    let deals: u64 = observed.iter().sum();
    assert!(deals >= DEALS, "{what}: no deal is lost");
    let sum: f64 = probabilities.iter().sum();
    assert!(
        (sum - 1.0).abs() < 1e-9,
        "{what}: probabilities sum to {sum}"
    );

    let cells = observed.iter().zip(probabilities);
    let mut cells: Vec<(f64, f64)> = cells.map(|(&o, p)| (p * deals as f64, o as f64)).collect();
    for (expected, observed) in &cells {
        assert!(
            *expected > 0.0 || *observed == 0.0,
            "{what}: the impossible happened"
        );
    }
    cells.retain(|(expected, _)| *expected > 0.0);
    cells.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut pooled: Vec<(f64, f64)> = vec![(0.0, 0.0)];
    for (expected, observed) in cells {
        match pooled.last_mut() {
            Some(cell) if cell.0 < SMALLEST_CELL => {
                *cell = (cell.0 + expected, cell.1 + observed);
            }
            _ => pooled.push((expected, observed)),
        }
    }
    let degrees = pooled.len() - 1;
    if degrees == 0 {
        return;
    }
    let statistic: f64 = pooled.iter().map(|(e, o)| (o - e).powi(2) / e).sum();
    let p = ChiSquared::new(degrees as f64).unwrap().sf(statistic);
    assert!(p > 1e-6, "{what}: p = {p:e}");
}

fn floats(distribution: &Distribution) -> Vec<f64> {
    let outcomes = 0..distribution.ways().len();
    outcomes
        .map(|outcome| distribution.probability(outcome).to_f64())
        .collect()
}

/// The counts of a scenario, and its theory.
fn dealt(name: &str, seed: u128) -> (Tally, Theory) {
    let condition = scenario(name);
    let folder = folder();
    let generator = Aes128Ctr::new(seed);
    let count = |dealer: Dealer<'_, CaseBytes>| {
        let outcome = run::run(&dealer, &generator, DEALS, run::DEFAULT_BATCH, &|_| ());
        let tally = outcome.unwrap().tally;
        assert_eq!(tally.deals(), DEALS, "exactly so many are dealt");
        tally
    };
    if name == "unconstrained" {
        return (count(Dealer::unconstrained()), Theory::unconstrained());
    }
    let (_, file) = case_file(folder.path(), &condition, None);
    file.verify().unwrap();
    (
        count(Dealer::of_cases(&file).unwrap()),
        Theory::of_cases(&file).unwrap(),
    )
}

fn marginals(name: &str) -> Value {
    let text = include_str!("../../fixtures/reference/marginals.json");
    let all: Value = serde_json::from_str(text).unwrap();
    all[name].clone()
}

/// A table of integers as strings, as fractions of its sum.
fn shares(table: &Value) -> BTreeMap<String, f64> {
    let entries = table.as_object().unwrap().iter();
    let ways = entries.map(|(name, ways)| {
        let ways: f64 = ways.as_str().unwrap().parse().unwrap();
        (name.clone(), ways)
    });
    let ways: BTreeMap<String, f64> = ways.collect();
    let sum: f64 = ways.values().sum();
    ways.into_iter()
        .map(|(name, ways)| (name, ways / sum))
        .collect()
}

/// The shares in the order of these names, 0 for those that are not there.
fn in_order(shares: &BTreeMap<String, f64>, names: impl Iterator<Item = String>) -> Vec<f64> {
    names
        .map(|name| shares.get(&name).copied().unwrap_or(0.0))
        .collect()
}

fn shapes_agree(what: &str, tally: &Tally, seat: Seat, table: &Value) {
    let names = Shape::all().map(|shape| shape.to_string());
    let expected = in_order(&shares(table), names);
    agrees(
        &format!("{what}, {seat}'s shapes"),
        &tally.shapes(seat),
        &expected,
    );
}

fn patterns_agree(what: &str, tally: &Tally, seat: Seat, table: &Value) {
    let names = Pattern::all().map(|pattern| pattern.to_string());
    let expected = in_order(&shares(table), names);
    agrees(
        &format!("{what}, {seat}'s patterns"),
        tally.patterns(seat),
        &expected,
    );
}

fn hcp_agrees(what: &str, tally: &Tally, seat: Seat, shares: &BTreeMap<String, f64>) {
    let expected = in_order(shares, (0..38).map(|hcp| hcp.to_string()));
    agrees(&format!("{what}, {seat}'s HCP"), tally.hcp(seat), &expected);
}

/// One hand's points from the joint table `"10,11": ways`.
fn points_of(joint: &Value, hand: usize) -> BTreeMap<String, f64> {
    let mut points = BTreeMap::new();
    for (pair, share) in shares(joint) {
        let one = pair.split(',').nth(hand).unwrap().to_owned();
        *points.entry(one).or_insert(0.0) += share;
    }
    points
}

#[test]
#[ignore = "nightly"]
fn flat_three_suiter_agrees_with_the_reference() {
    let (tally, theory) = dealt("flat-three-suiter", 101);
    agrees_with_theory("flat-three-suiter", &tally, &theory);
    let known = marginals("flat10_12_opp_3s_11_15");
    let what = "flat-three-suiter";
    patterns_agree(what, &tally, Seat::West, &known["hand1_specific"]);
    patterns_agree(what, &tally, Seat::East, &known["hand2_specific"]);
    shapes_agree(what, &tally, Seat::East, &known["hand2_generic"]);
    hcp_agrees(what, &tally, Seat::West, &points_of(&known["joint_hcp"], 0));
    hcp_agrees(what, &tally, Seat::East, &points_of(&known["joint_hcp"], 1));
    for seat in [Seat::North, Seat::South] {
        let shapes = &known["other_hand_generic_pattern_weights_times_C26_13"];
        shapes_agree(what, &tally, seat, shapes);
        let points = shares(&known["other_hand_hcp_weights_times_C26_13"]);
        hcp_agrees(what, &tally, seat, &points);
    }
}

#[test]
#[ignore = "long"]
fn flannery_misfit_agrees_with_the_reference() {
    let (tally, theory) = dealt("flannery-misfit", 102);
    agrees_with_theory("flannery-misfit", &tally, &theory);
    let known = marginals("flannery_11_15_opp_S<=3_H<=2");
    let what = "flannery-misfit";
    patterns_agree(what, &tally, Seat::South, &known["hand1_specific"]);
    shapes_agree(what, &tally, Seat::North, &known["hand2_generic"]);
    hcp_agrees(
        what,
        &tally,
        Seat::South,
        &points_of(&known["joint_hcp"], 0),
    );
    for seat in [Seat::East, Seat::West] {
        let shapes = &known["other_hand_generic_pattern_weights_times_C26_13"];
        shapes_agree(what, &tally, seat, shapes);
    }
}

#[test]
#[ignore = "nightly"]
fn balanced_28_30_agrees_with_the_reference() {
    let (tally, theory) = dealt("balanced-28-30", 103);
    agrees_with_theory("balanced-28-30", &tally, &theory);
    let known = marginals("balanced_28_30_opp_5+major");
    let what = "balanced-28-30";
    patterns_agree(what, &tally, Seat::West, &known["hand1_specific"]);
    shapes_agree(what, &tally, Seat::East, &known["hand2_generic"]);
    hcp_agrees(what, &tally, Seat::West, &points_of(&known["joint_hcp"], 0));
    for seat in [Seat::North, Seat::South] {
        let shapes = &known["other_hand_generic_pattern_weights_times_C26_13"];
        shapes_agree(what, &tally, seat, shapes);
    }
}

#[test]
fn nine_spades_agrees_with_the_reference() {
    let (tally, theory) = dealt("nine-spades", 104);
    agrees_with_theory("nine-spades", &tally, &theory);
    let mut known: BTreeMap<(String, usize), f64> = BTreeMap::new();
    let text = include_str!("../../fixtures/reference/golden_constrained.csv");
    for row in csv::Reader::from_reader(text.as_bytes()).records() {
        let row = row.unwrap();
        if let Ok(outcome) = row[1].parse() {
            known.insert((row[0].to_owned(), outcome), row[3].parse().unwrap());
        }
    }
    let expected = |quantity: &str, outcomes: usize| -> Vec<f64> {
        let share = |outcome| known.get(&(quantity.to_owned(), outcome)).copied();
        (0..outcomes)
            .map(|outcome| share(outcome).unwrap_or(0.0))
            .collect()
    };
    for suit in Suit::ALL {
        let expected = expected(&format!("P(North length in suit {})", suit.letter()), 14);
        for seat in [Seat::North, Seat::South] {
            let what = format!("nine-spades, {seat}'s {suit}");
            agrees(&what, &tally.suit_lengths(seat, suit), &expected);
        }
    }
    for (name, seats) in [
        ("P(West HCP)", &[Seat::West][..]),
        ("P(East HCP)", &[Seat::East]),
        ("P(North HCP)", &[Seat::North, Seat::South]),
    ] {
        for &seat in seats {
            agrees(
                &format!("nine-spades, {seat}'s HCP"),
                tally.hcp(seat),
                &expected(name, 38),
            );
        }
    }
}

/// Every table against exact theory.
fn agrees_with_theory(what: &str, tally: &Tally, theory: &Theory) {
    for seat in Seat::ALL {
        let table = |name: &str| format!("{what}, {seat}'s {name}");
        agrees(
            &table("patterns"),
            tally.patterns(seat),
            &floats(theory.patterns(seat)),
        );
        agrees(
            &table("shapes"),
            &tally.shapes(seat),
            &floats(&theory.shapes(seat)),
        );
        agrees(&table("HCP"), tally.hcp(seat), &floats(theory.hcp(seat)));
        for suit in Suit::ALL {
            let expected = floats(&theory.suit_lengths(seat, suit));
            agrees(
                &table(suit.name()),
                &tally.suit_lengths(seat, suit),
                &expected,
            );
        }
    }
    for side in Side::ALL {
        let expected = floats(&theory.side_hcp(side));
        agrees(
            &format!("{what}, {side}'s HCP"),
            &tally.side_hcp(side),
            &expected,
        );
        for suit in Suit::ALL {
            let expected = floats(&theory.fits(side, suit));
            agrees(
                &format!("{what}, {side}'s {suit}"),
                &tally.fits(side, suit),
                &expected,
            );
        }
    }
    for card in fairdeal::bridge::Card::all() {
        let seats = Seat::ALL.map(|seat| tally.card(seat, card));
        agrees(
            &format!("{what}, the seat of {card}"),
            &seats,
            &floats(theory.card(card)),
        );
    }
}

#[test]
fn unconstrained_deals_agree_with_closed_forms() {
    let (tally, theory) = dealt("unconstrained", 105);
    assert_eq!(theory, Theory::unconstrained());
    agrees_with_theory("unconstrained", &tally, &theory);
}

#[test]
#[ignore = "long"]
fn club_length_is_no_setting_at_all() {
    let (tally, theory) = dealt("club-length", 106);
    agrees_with_theory("club-length", &tally, &theory);
    // Its ways have other denominators; the closed forms give the same chances.
    agrees_with_theory(
        "club-length, closed forms",
        &tally,
        &Theory::unconstrained(),
    );
}

#[test]
fn the_closed_forms_are_those_of_the_references() {
    let theory = Theory::unconstrained();
    let hand = |hcp: usize| theory.hcp(Seat::North).ways()[hcp];
    assert_eq!(
        (hand(0), hand(1), hand(37)),
        (2_310_789_600, 5_006_710_800, 4)
    );
    let flat = Shape::all().next().unwrap();
    assert_eq!(flat.to_string(), "4-3-3-3");
    assert_eq!(theory.shapes(Seat::West).ways()[0], 66_905_856_160);
    assert_eq!(
        PatternIndex::all().count(),
        theory.patterns(Seat::East).ways().len()
    );
    let side = theory.side_hcp(Side::NorthSouth);
    assert_eq!(side.ways()[..2], [254_186_856, 2_403_221_184]);
    assert_eq!(side, theory.side_hcp(Side::EastWest));
}
