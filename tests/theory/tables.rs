//! Exact tables, compared with figures of other programs, with the same tables from other orders
//! and listings, and with plain counting.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::path::Path;

use crate::common::{case_file, condition, folder, scenario};
use fairdeal::bridge::combinatorics::{DEALS, choose};
use fairdeal::bridge::{Card, Pattern, PatternIndex, Seat, Shape, Side, Suit};
use fairdeal::draw::{completions, reference};
use fairdeal::language::{Condition, Plan, SCENARIOS};
use fairdeal::theory::{Distribution, Ratio, Theory, null_laws};
use serde_json::Value;

fn theory_of(condition: &Condition, order: Option<&[Seat]>) -> Theory {
    let folder = folder();
    let (_, file) = case_file(folder.path(), condition, order);
    Theory::of_cases(&file).unwrap()
}

fn rows(name: &str) -> Vec<csv::StringRecord> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/reference");
    let mut reader = csv::Reader::from_path(fixtures.join(name)).unwrap();
    reader.records().map(Result::unwrap).collect()
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse()
        .unwrap_or_else(|_| panic!("{text} is no number"))
}

/// Equal to the digits that the reference prints.
fn close(ratio: Ratio, printed: f64, digits: f64, what: &str) {
    let exact = ratio.to_f64();
    assert!(
        (exact - printed).abs() <= digits * printed.abs().max(1e-300),
        "{what}: {exact} {printed}"
    );
}

fn seat_named(name: &str) -> Seat {
    Seat::from_name(&name.to_lowercase()).unwrap()
}

#[test]
fn nine_spades_has_the_golden_fractions_and_decimals() {
    let theory = theory_of(&scenario("nine-spades"), None);
    let (mut fractions, mut decimals) = (0, 0);
    for row in rows("golden_constrained.csv") {
        let (quantity, key, fraction, decimal) = (&row[0], &row[1], &row[2], &row[3]);
        if let Some(seat) = quantity.strip_prefix("mean HCP ") {
            assert_eq!(theory.hcp(seat_named(seat)).mean(), (10, 1));
            continue;
        }
        let ratio = if let Some(letter) = quantity.strip_prefix("P(North length in suit ") {
            let suit = Suit::ALL
                .into_iter()
                .find(|suit| letter.starts_with(suit.letter()));
            theory
                .suit_lengths(Seat::North, suit.unwrap())
                .probability(number(key))
        } else {
            let seat = quantity.trim_start_matches("P(").trim_end_matches(" HCP)");
            theory.hcp(seat_named(seat)).probability(number(key))
        };
        if fraction.is_empty() {
            decimals += 1;
        } else {
            let Ratio { ways, of } = ratio.reduced();
            assert_eq!(format!("{ways}/{of}"), fraction, "{quantity} {key}");
            fractions += 1;
        }
        close(ratio, number(decimal), 1e-15, quantity);
    }
    assert_eq!((fractions, decimals), (35, 89));
}

fn marginals() -> Value {
    serde_json::from_str(include_str!("../../fixtures/reference/marginals.json")).unwrap()
}

/// A table of the marginals, whose ways are out of `of`, outcome by outcome.
fn has_exactly(theory: &Distribution, names: impl Iterator<Item = String>, table: &Value) {
    let table = table.as_object().unwrap();
    let mut found = 0;
    let sum: u128 = table
        .values()
        .map(|ways| number::<u128>(ways.as_str().unwrap()))
        .sum();
    for (outcome, name) in names.enumerate() {
        let wanted = table
            .get(&name)
            .map_or(0, |ways| number(ways.as_str().unwrap()));
        found += usize::from(wanted != 0);
        let (a, b) = (
            theory.probability(outcome),
            Ratio {
                ways: wanted,
                of: sum,
            },
        );
        assert_eq!(a.reduced(), b.reduced(), "{name}");
    }
    assert_eq!(found, table.len());
}

fn shape_names() -> impl Iterator<Item = String> {
    Shape::all().map(|shape| shape.to_string())
}

fn pattern_names() -> impl Iterator<Item = String> {
    Pattern::all().map(|pattern| pattern.to_string())
}

#[test]
#[ignore = "long"]
fn the_marginals_of_three_large_scenarios_are_exact() {
    let known = marginals();
    for (name, key, first, second) in [
        (
            "flat-three-suiter",
            "flat10_12_opp_3s_11_15",
            Seat::West,
            Seat::East,
        ),
        (
            "flannery-misfit",
            "flannery_11_15_opp_S<=3_H<=2",
            Seat::South,
            Seat::North,
        ),
        (
            "balanced-28-30",
            "balanced_28_30_opp_5+major",
            Seat::West,
            Seat::East,
        ),
    ] {
        let theory = theory_of(&scenario(name), None);
        let known = &known[key];
        has_exactly(
            theory.patterns(first),
            pattern_names(),
            &known["hand1_specific"],
        );
        has_exactly(
            &theory.shapes(first),
            shape_names(),
            &known["hand1_generic"],
        );
        has_exactly(
            &theory.shapes(second),
            shape_names(),
            &known["hand2_generic"],
        );
        if known["hand2_specific"].is_object() {
            has_exactly(
                theory.patterns(second),
                pattern_names(),
                &known["hand2_specific"],
            );
        }
        let mean = |seat: Seat| {
            let (sum, of) = theory.hcp(seat).mean();
            format!("{sum}/{of}")
        };
        let wanted = |field: &str| {
            known[field]
                .as_str()
                .and_then(|text| text.split(' ').next())
        };
        assert_eq!(Some(mean(first).as_str()), wanted("mean_hcp_hand1"));
        if let Some(text) = wanted("mean_hcp_hand2") {
            assert_eq!(mean(second), text);
        }
        let mut joint = serde_json::Map::new();
        for (pair, ways) in known["joint_hcp"].as_object().unwrap() {
            let one = pair.split(',').next().unwrap().to_owned();
            let before = joint
                .get(&one)
                .map_or(0, |sum: &Value| number(sum.as_str().unwrap()));
            let sum: u128 = before + number::<u128>(ways.as_str().unwrap());
            joint.insert(one, Value::String(sum.to_string()));
        }
        let hcp = || (0..38).map(|hcp| hcp.to_string());
        has_exactly(theory.hcp(first), hcp(), &Value::Object(joint));
        for seat in Seat::ALL
            .into_iter()
            .filter(|seat| ![first, second].contains(seat))
        {
            let shapes = &known["other_hand_generic_pattern_weights_times_C26_13"];
            has_exactly(&theory.shapes(seat), shape_names(), shapes);
            let points = &known["other_hand_hcp_weights_times_C26_13"];
            if points.is_object() {
                has_exactly(theory.hcp(seat), hcp(), points);
            }
            if let Some(text) = wanted("mean_hcp_each_other_hand") {
                assert_eq!(mean(seat), text);
            }
        }
    }
}

#[test]
fn the_tables_of_every_deal_are_those_of_the_references() {
    let theory = Theory::unconstrained();
    let hands = theory.hcp(Seat::North);
    for row in rows("tables/hcp_one_hand.csv")
        .iter()
        .chain(&rows("null-distributions/hcp.csv"))
    {
        assert_eq!(
            hands.ways()[number::<usize>(&row[0])],
            number(&row[1]),
            "{row:?}"
        );
    }
    let side = theory.side_hcp(Side::EastWest);
    let sides = rows("tables/hcp_two_hands_combined.csv");
    for row in sides.iter().chain(&rows("null-distributions/hcp_side.csv")) {
        assert_eq!(
            side.ways()[number::<usize>(&row[0])],
            number(&row[1]),
            "{row:?}"
        );
    }
    for name in [
        "tables/hand_patterns_39.csv",
        "null-distributions/pattern39.csv",
    ] {
        let (rows, column) = (rows(name), if name.starts_with('t') { 2 } else { 1 });
        assert_eq!(rows.len(), 39);
        for row in rows {
            let place = shape_names().position(|shape| shape == row[0]).unwrap();
            assert_eq!(
                theory.shapes(Seat::East).ways()[place],
                number(&row[column])
            );
        }
    }
    let patterns = theory.patterns(Seat::South);
    let ways_of = |name: &str| {
        let place = pattern_names().position(|pattern| pattern == name).unwrap();
        patterns.ways()[place]
    };
    assert_eq!(rows("tables/hand_patterns_560.csv").len(), 560);
    for row in rows("tables/hand_patterns_560.csv") {
        assert_eq!(ways_of(&row[0]), number(&row[1]));
    }
    for row in rows("null-distributions/pattern560.csv") {
        let name = [&row[1], &row[2], &row[3], &row[4]].join("=");
        assert_eq!(ways_of(&name), number(&row[5]));
    }
    let length = theory.suit_lengths(Seat::West, Suit::Hearts);
    let lengths = rows("tables/suit_length_one_hand.csv");
    for row in lengths
        .iter()
        .chain(&rows("null-distributions/suitlen.csv"))
    {
        let ratio = length.probability(number(&row[0]));
        let wanted = Ratio {
            ways: number(&row[1]),
            of: choose(52, 13),
        };
        assert_eq!(ratio.reduced(), wanted.reduced());
    }
    for row in rows("tables/aces_one_hand.csv") {
        assert_eq!(
            theory.aces(Seat::North).ways()[number::<usize>(&row[0])],
            number(&row[1])
        );
    }
    for row in rows("null-distributions/controls.csv") {
        let controls = theory.controls(Seat::North).ways()[number::<usize>(&row[0])];
        assert_eq!(controls, number(&row[1]));
    }
    assert!(Card::all().all(|card| theory.card(card).ways() == [1; 4]));
}

#[test]
fn shapes_at_every_hcp_are_those_of_the_references() {
    // One listing by honours alone for each total; its ways are hands.
    let rows = rows("tables/pattern_by_hcp.csv");
    assert_eq!(rows.len(), 39);
    for hcp in 0..38 {
        let theory = theory_of(&condition(&format!("hcp(west) == {hcp}")), None);
        let shapes = theory.shapes(Seat::West);
        for row in &rows {
            let place = shape_names().position(|shape| shape == row[0]).unwrap();
            assert_eq!(
                shapes.ways()[place],
                number(&row[hcp + 1]),
                "{} at {hcp}",
                &row[0]
            );
        }
    }
}

#[test]
fn the_null_laws_are_those_of_the_references() {
    let laws = null_laws();
    // Decimals of the references carry 16 digits or so.
    let agree = |law: &Distribution, name: &str, digits: f64| {
        let mut rest = law.ways().iter().filter(|ways| **ways != 0).count();
        for row in rows(name) {
            let outcome = number::<usize>(&row[0]);
            close(
                law.probability(outcome),
                number(&row[1]),
                digits,
                &format!("{name} {outcome}"),
            );
            rest -= usize::from(law.ways()[outcome] != 0);
        }
        assert_eq!(rest, 0, "{name} lists every outcome");
    };
    agree(&laws.flatness, "null-distributions/F_dist.csv", 1e-14);
    agree(&laws.overlap, "null-distributions/V_dist.csv", 1e-14);
    agree(
        &laws.longest_suit,
        "null-distributions/longest_suit_in_deal.csv",
        1e-14,
    );
    agree(&laws.best_fit, "null-distributions/fit_dist.csv", 1e-14);
    for row in rows("tables/best_fit_26.csv") {
        assert_eq!(
            laws.best_fit.ways()[number::<usize>(&row[0])],
            number(&row[1])
        );
    }
    for row in rows("tables/longest_suit.csv") {
        assert_eq!(
            laws.longest_of_hand.ways()[number::<usize>(&row[0])],
            number(&row[1])
        );
    }
    // Mean 3380/17 and variance 2530944/14161 of F, mean 13 and variance 169/17 of V.
    assert_eq!(laws.flatness.mean(), (3380, 17));
    assert_eq!(laws.overlap.mean(), (13, 1));
    assert_eq!(laws.flatness.of(), DEALS);
    // Each of sixteen suits is empty in C(39,13) of C(52,13) hands; twelve are in the
    // 24 deals of a suit a hand, and eleven in none.
    let mean = Ratio {
        ways: 16 * choose(39, 13),
        of: choose(52, 13),
    };
    let mean = mean.reduced();
    assert_eq!(laws.voids.mean(), (mean.ways, mean.of));
    assert_eq!(laws.voids.of(), DEALS);
    assert_eq!(laws.voids.ways()[11..], [0, 24]);
    // The references' joint tables have a row for each outcome of the first
    // seat; shapes there descend from 13-0-0-0.
    let matrix = |name: &str| -> Vec<Vec<f64>> {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/reference");
        let text = std::fs::read_to_string(fixtures.join(name)).unwrap();
        text.lines()
            .map(|line| line.split(',').map(number).collect())
            .collect()
    };
    let order: Vec<usize> = rows("null-distributions/pattern39.csv")
        .iter()
        .map(|row| shape_names().position(|shape| shape == row[0]).unwrap())
        .collect();
    for (i, row) in matrix("null-distributions/joint39_NE.csv")
        .iter()
        .enumerate()
    {
        for (j, &p) in row.iter().enumerate() {
            let ratio = laws.joint_shapes.probability(order[i] * 39 + order[j]);
            close(ratio, p, 2e-14, "joint shapes");
        }
    }
    for (i, row) in matrix("null-distributions/joint_hcp_NE.csv")
        .iter()
        .enumerate()
    {
        for (j, &p) in row.iter().enumerate() {
            close(
                laws.joint_hcp.probability(i * 38 + j),
                p,
                2e-14,
                "joint HCP",
            );
        }
    }
}

/// One of each kind of listing, and joint ones.
const CONDITIONS: [&str; 14] = [
    "spades(west) >= 7",
    "shape(north, any 5431) && shape(south, any 4432)",
    "shape(north, any 5431) && clubs(west) == 6",
    "hcp(west) == 11",
    "aces(west) == 2 && controls(north) == 1 && hcp(north) <= 7",
    "aces(west) == 2 && controls(east) == 1 && hcp(east) <= 7",
    "hcp(south) == 25 && shape(south, any 5xxx)",
    "hcp(west) >= 30 && shape(west, any 5332) && spades(east) == 5",
    "hcp(west) >= 30 && shape(west, any 5332) && spades(south) == 5",
    "hcp(west) >= 22 && spades(west) == 8 && aces(east) == 1 && hcp(east) <= 5",
    "hcp(west) >= 22 && spades(west) == 8 && aces(north) == 1 && hcp(north) <= 5",
    "losers(north) <= 1 && spades(north) == 7 && losers(east) <= 1 && hearts(east) == 8",
    "spades(west) + spades(east) == 10 && hearts(west) > hearts(east)",
    "hcp(north) + hcp(east) == 39 && spades(north) == 7",
];

#[test]
fn hcp_of_the_four_seats_sum_to_40_and_to_10_each_under_shapes_alone() {
    hcp_sum_to_40(
        &CONDITIONS[..4]
            .iter()
            .map(|text| condition(text))
            .collect::<Vec<_>>(),
    );
}

#[test]
#[ignore = "long"]
fn hcp_of_the_four_seats_sum_to_40_under_every_condition() {
    let all = CONDITIONS.iter().map(|text| condition(text));
    hcp_sum_to_40(
        &all.chain([scenario("north-2-south-0-1")])
            .collect::<Vec<_>>(),
    );
}

fn hcp_sum_to_40(conditions: &[Condition]) {
    let means = |theory: &Theory| Seat::ALL.map(|seat| theory.hcp(seat).mean());
    for condition in conditions {
        let theory = theory_of(condition, None);
        let means = means(&theory);
        let of = means.iter().map(|mean| mean.1).max().unwrap();
        let common = means
            .iter()
            .fold(1, |all, (_, of)| all / gcd(all, *of) * of);
        let sum: u128 = means.iter().map(|(sum, of)| sum * (common / of)).sum();
        assert_eq!(sum, 40 * common, "{} {of}", condition.text());
        let shapes_alone = match Plan::new(condition, None).unwrap() {
            Plan::Listed { first, second } => {
                !first.by_honours && second.is_none_or(|second| !second.by_honours)
            }
            _ => false,
        };
        if shapes_alone {
            assert_eq!(means, [(10, 1); 4], "{}", condition.text());
        }
        let cards = Card::all().map(|card| theory.card(card).ways().len());
        assert!(cards.into_iter().all(|seats| seats == 4));
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Every probability in lowest terms: what two theories of the same deals share.
fn fractions(theory: &Theory) -> Vec<(u128, u128)> {
    let mut tables: Vec<Distribution> = Vec::new();
    for seat in Seat::ALL {
        tables.push(theory.patterns(seat).clone());
        tables.push(theory.hcp(seat).clone());
        tables.push(theory.aces(seat).clone());
        tables.push(theory.controls(seat).clone());
    }
    for side in Side::ALL {
        tables.push(theory.side_hcp(side));
        tables.extend(Suit::ALL.map(|suit| theory.fits(side, suit)));
    }
    tables.extend(Card::all().map(|card| theory.card(card).clone()));
    let ratios = tables.iter().flat_map(|table| {
        (0..table.ways().len()).map(|outcome| table.probability(outcome).reduced())
    });
    ratios.map(|ratio| (ratio.ways, ratio.of)).collect()
}

#[test]
#[ignore = "long"]
fn the_other_order_of_hands_gives_the_same_theory() {
    let conditions = CONDITIONS.map(condition).into_iter();
    let scenarios = SCENARIOS
        .iter()
        .filter(|known| known.cases.is_some_and(|n| n < 10_000_000));
    for condition in conditions.chain(scenarios.map(|known| known.condition())) {
        let Ok(Plan::Listed {
            first,
            second: Some(second),
        }) = Plan::new(&condition, None)
        else {
            continue;
        };
        let swapped = [second.seat, first.seat];
        let (one, other) = (
            theory_of(&condition, None),
            theory_of(&condition, Some(&swapped)),
        );
        assert_eq!(fractions(&one), fractions(&other), "{}", condition.text());
    }
}

/// Mentioning suit lengths or honours without asking anything of them lists the hand by both, which
/// takes quite other ways through the theory.
const LISTED_TWICE: [(&str, &str); 9] = [
    ("spades(west) == 9", "spades(west) == 9 && hcp(west) >= 0"),
    ("hcp(west) == 33", "hcp(west) == 33 && clubs(west) <= 13"),
    (
        "spades(west) == 12 && hearts(north) == 11",
        "spades(west) == 12 && hearts(north) == 11 && hcp(north) >= 0",
    ),
    (
        "spades(west) == 12 && hearts(east) == 11",
        "spades(west) == 12 && hcp(west) >= 0 && hearts(east) == 11 && aces(east) >= 0",
    ),
    (
        "hcp(west) >= 35 && hcp(north) == 3",
        "hcp(west) >= 35 && clubs(west) <= 13 && hcp(north) == 3",
    ),
    (
        "hcp(west) >= 35 && hcp(east) == 3",
        "hcp(west) >= 35 && hcp(east) == 3 && clubs(east) <= 13",
    ),
    (
        "hcp(west) == 36 && hcp(east) == 3",
        "hcp(west) == 36 && hcp(east) == 3 && clubs(east) <= 13 && clubs(west) <= 13",
    ),
    (
        "spades(west) == 11",
        "spades(west) == 11 && spades(east) <= 13",
    ),
    ("hcp(north) == 2", "hcp(north) == 2 && aces(west) <= 4"),
];

fn have_the_same_theory(pairs: &[(&str, &str)]) {
    for (less, more) in pairs {
        let [less, more] = [less, more].map(|text| theory_of(&condition(text), None));
        assert_eq!(fractions(&less), fractions(&more));
    }
}

#[test]
fn listing_more_of_a_hand_gives_the_same_theory() {
    have_the_same_theory(&LISTED_TWICE[..3]);
}

#[test]
#[ignore = "long"]
fn listing_more_of_two_hands_and_of_every_deal_gives_the_same_theory() {
    have_the_same_theory(&LISTED_TWICE[3..]);
    let every = theory_of(&condition("clubs(west) <= 13 && clubs(north) <= 13"), None);
    assert_eq!(fractions(&every), fractions(&Theory::unconstrained()));
    let any_honours = theory_of(&condition("hcp(east) >= 0"), None);
    assert_eq!(fractions(&any_honours), fractions(&Theory::unconstrained()));
}

/// Plain counting: how the cards that are left can fall to a hand of thirteen,
/// card by card, by lengths and by points.
struct Falls {
    by_lengths: std::collections::BTreeMap<[u8; 4], u128>,
    by_hcp: [u128; 41],
    /// By card: ways in which the hand holds it.
    by_card: Vec<(Card, u128)>,
    all: u128,
}

fn hcp_of(card: Card) -> usize {
    "JQKA"
        .find(card.rank().letter())
        .map_or(0, |place| place + 1)
}

fn falls(left: &[Card]) -> Falls {
    // ways[k][points]: sets of k cards so far.
    let mut ways = vec![[0u128; 41]; 14];
    ways[0][0] = 1;
    let mut lengths = std::collections::BTreeMap::from([([0u8; 4], 1u128)]);
    for &card in left {
        for k in (0..13).rev() {
            for points in (0..41 - hcp_of(card)).rev() {
                ways[k + 1][points + hcp_of(card)] += ways[k][points];
            }
        }
        let mut longer = lengths.clone();
        for (held, ways) in lengths {
            let mut held = held;
            held[card.suit().index()] += 1;
            if held.iter().sum::<u8>() <= 13 {
                *longer.entry(held).or_default() += ways;
            }
        }
        lengths = longer;
    }
    lengths.retain(|held, _| held.iter().sum::<u8>() == 13);
    let all: u128 = ways[13].iter().sum();
    let each = all * 13 / left.len() as u128;
    Falls {
        by_lengths: lengths,
        by_hcp: ways[13],
        by_card: left.iter().map(|&card| (card, each)).collect(),
        all,
    }
}

#[test]
#[ignore = "long"]
fn plain_counting_over_every_side_gives_the_same_theory() {
    let small = [
        "spades(west) == 12 && hearts(west) == 1",
        "spades(west) == 13 && hearts(north) == 12 && clubs(north) == 1",
        "spades(west) == 13 && hearts(east) == 12 && clubs(east) == 1",
        "hcp(west) == 37",
        "hcp(north) >= 36",
        "shape(east, any 5332) && hcp(east) == 34",
        "hcp(west) == 37 && shape(west, any 4333) && hearts(south) == 10 && diamonds(south) == 3",
        "hearts(east) == 10 && diamonds(east) == 3 && hcp(west) == 37 && clubs(west) <= 13",
        "hcp(west) == 37 && spades(west) == 4 && hcp(east) == 1 && hearts(east) == 10",
        "hcp(north) == 37 && spades(north) == 4 && hcp(east) == 1 && hearts(east) == 10",
        "hcp(west) + hcp(east) == 38 && hcp(west) == 37 && spades(west) == 4 && hearts(east) == 10",
    ];
    for text in small {
        let folder = folder();
        let (_, file) = case_file(folder.path(), &condition(text), None);
        assert!(file.total() < 4_000, "{text}: T = {}", file.total());
        let theory = Theory::of_cases(&file).unwrap();
        let (first, second) = (file.header().first, file.header().second);
        let is_listed = |seat: Seat| seat == first || Some(seat) == second;
        let other = Seat::ALL
            .into_iter()
            .find(|&seat| !is_listed(seat))
            .unwrap();

        // Ways out of T times C(cards left, 13), all seats alike.
        let mut patterns = vec![vec![0u128; 560]; 4];
        let mut hcp = vec![vec![0u128; 41]; 4];
        let mut side_hcp = vec![0u128; 41];
        let mut fits = vec![vec![0u128; 14]; 4];
        let mut cards = vec![[0u128; 52]; 4];
        let mut of = 0;
        for place in 0..file.total() {
            let number = place * u128::from(completions(&file));
            let deal = reference::deal_of_number(&file, number).unwrap();
            let held: Vec<Card> = Seat::ALL
                .into_iter()
                .filter(|&seat| is_listed(seat))
                .flat_map(|seat| deal.hand(seat).cards().collect::<Vec<_>>())
                .collect();
            let left: Vec<Card> = Card::all().filter(|card| !held.contains(card)).collect();
            let falls = falls(&left);
            of += falls.all;
            let index = |lengths: [u8; 4]| Pattern::new(lengths).unwrap().index().get();
            let points = |seat: Seat| deal.hand(seat).cards().map(hcp_of).sum::<usize>();
            for seat in Seat::ALL {
                if is_listed(seat) {
                    patterns[seat.index()][index(deal.hand(seat).lengths())] += falls.all;
                    hcp[seat.index()][points(seat)] += falls.all;
                    for card in deal.hand(seat).cards() {
                        cards[seat.index()][card.index()] += falls.all;
                    }
                } else {
                    for (&lengths, ways) in &falls.by_lengths {
                        patterns[seat.index()][index(lengths)] += ways;
                    }
                    for (points, ways) in falls.by_hcp.iter().enumerate() {
                        hcp[seat.index()][points] += ways;
                    }
                    for (card, ways) in &falls.by_card {
                        cards[seat.index()][card.index()] += ways;
                    }
                }
            }
            // The side of the first hand.
            let partner = first.partner();
            let own = deal.hand(first).lengths();
            if is_listed(partner) {
                side_hcp[points(first) + points(partner)] += falls.all;
                let partners = deal.hand(partner).lengths();
                for suit in 0..4 {
                    fits[suit][usize::from(own[suit] + partners[suit])] += falls.all;
                }
            } else {
                for (more, ways) in falls.by_hcp.iter().enumerate().filter(|(_, w)| **w != 0) {
                    side_hcp[points(first) + more] += ways;
                }
                for (lengths, ways) in &falls.by_lengths {
                    for suit in 0..4 {
                        fits[suit][usize::from(own[suit] + lengths[suit])] += ways;
                    }
                }
            }
        }
        let same = |counted: &[u128], theory: &Distribution, what: &str| {
            for (outcome, &ways) in counted.iter().enumerate().take(theory.ways().len()) {
                let counted = Ratio { ways, of };
                let exact = theory.probability(outcome);
                assert_eq!(
                    counted.reduced(),
                    exact.reduced(),
                    "{text}: {what} {outcome}"
                );
            }
        };
        for seat in Seat::ALL {
            same(&patterns[seat.index()], theory.patterns(seat), "pattern");
            same(&hcp[seat.index()], theory.hcp(seat), "HCP");
            for card in Card::all() {
                let ways = cards[seat.index()][card.index()];
                let exact = theory.card(card).probability(seat.index());
                assert_eq!(
                    Ratio { ways, of }.reduced(),
                    exact.reduced(),
                    "{text}: {seat} {card}"
                );
            }
        }
        same(&side_hcp, &theory.side_hcp(first.side()), "side HCP");
        for suit in Suit::ALL {
            same(&fits[suit.index()], &theory.fits(first.side(), suit), "fit");
        }
        assert_eq!(theory.patterns(other).of(), of, "{text}");
    }
}

#[test]
#[ignore = "long"]
fn ten_million_completions_of_one_side_are_counted_one_by_one() {
    // West all aces, kings and queens and the spade jack, east the other ten
    // hearts and three low diamonds: each of the 10,400,600 completions of a
    // side is dealt and counted.
    let folder = folder();
    let text = "hcp(west) == 37 && spades(west) == 4 && hcp(east) == 1 && hearts(east) == 10
        && diamonds(east) == 3";
    let (_, file) = case_file(folder.path(), &condition(text), None);
    let theory = Theory::of_cases(&file).unwrap();
    let sides = file.total();
    assert!(sides <= 100, "{sides}");
    // One side suffices where the others only differ in which diamonds east has.
    let deal = reference::deal_of_number(&file, 0).unwrap();
    let mut left: Vec<Card> = deal.hand(Seat::North).cards().collect();
    left.extend(deal.hand(Seat::South).cards());
    left.sort();
    let mut patterns = vec![0u64; 560];
    let mut points = [0u64; 38];
    let mut set: u32 = (1 << 13) - 1;
    while set < 1 << 26 {
        let mut lengths = [0u8; 4];
        let mut hcp = 0;
        let mut rest = set;
        while rest != 0 {
            let card = left[rest.trailing_zeros() as usize];
            lengths[card.suit().index()] += 1;
            hcp += hcp_of(card);
            rest &= rest - 1;
        }
        patterns[Pattern::new(lengths).unwrap().index().get()] += 1;
        points[hcp] += 1;
        // The next larger number with as many bits.
        let lowest = set & set.wrapping_neg();
        let carried = set + lowest;
        set = (((carried ^ set) >> 2) / lowest) | carried;
    }
    let of = 10_400_600;
    let north = theory.patterns(Seat::North);
    for index in PatternIndex::all() {
        let counted = Ratio {
            ways: patterns[index.get()].into(),
            of,
        };
        assert_eq!(north.probability(index.get()).reduced(), counted.reduced());
    }
    for (hcp, &ways) in points.iter().enumerate() {
        let counted = Ratio {
            ways: ways.into(),
            of,
        };
        assert_eq!(
            theory.hcp(Seat::North).probability(hcp).reduced(),
            counted.reduced()
        );
    }
}
