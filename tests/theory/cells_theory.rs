//! Exact tables from cells against those from listings, and those of four hands against those of
//! two.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use crate::common::{KINDS, case_file, condition, folder};
use fairdeal::bridge::{Card, Rank, Seat, Side, Suit};
use fairdeal::language::{Condition, SCENARIOS};
use fairdeal::population::cells::{Budget, Cells};
use fairdeal::population::counting::DealCounter;
use fairdeal::theory::{Distribution, Ratio, Theory};

fn of_cells(condition: &Condition) -> Theory {
    let cells = Cells::new(condition).unwrap_or_else(|error| panic!("{error}"));
    Theory::of_cells(&cells).unwrap_or_else(|error| panic!("{error}"))
}

fn of(text: &str) -> Theory {
    of_cells(&condition(text))
}

fn of_listing(condition: &Condition) -> Theory {
    let folder = folder();
    let (_, file) = case_file(folder.path(), condition, None);
    Theory::of_cases(&file).unwrap()
}

/// Every table of the theory.
fn tables(theory: &Theory) -> Vec<(String, Distribution)> {
    let mut tables = Vec::new();
    for seat in Seat::ALL {
        for (name, table) in [
            ("patterns", theory.patterns(seat)),
            ("HCP", theory.hcp(seat)),
            ("aces", theory.aces(seat)),
            ("controls", theory.controls(seat)),
        ] {
            tables.push((format!("{name} of {seat}"), table.clone()));
        }
    }
    for side in Side::ALL {
        tables.push((format!("HCP of {side:?}"), theory.side_hcp(side)));
        for suit in Suit::ALL {
            tables.push((format!("{suit:?} of {side:?}"), theory.fits(side, suit)));
        }
    }
    for card in Card::all() {
        tables.push((format!("{card}"), theory.card(card).clone()));
    }
    tables
}

/// The same probabilities, whatever their denominators.
fn same_fractions(one: &Theory, other: &Theory, what: &str) {
    for ((name, one), (_, other)) in tables(one).iter().zip(&tables(other)) {
        assert_eq!(one.ways().len(), other.ways().len(), "{what}: {name}");
        for outcome in 0..one.ways().len() {
            assert_eq!(
                one.probability(outcome).reduced(),
                other.probability(outcome).reduced(),
                "{what}: {name} {outcome}"
            );
        }
    }
}

/// One hand or two, by pattern, by honours and by both.
const CONDITIONS: [&str; 30] = [
    "spades(west) >= 7",
    "hcp(west) == 11",
    "hcp(south) == 25 && shape(south, any 5xxx)",
    "shape(north, any 5431) && shape(south, any 4432)",
    "shape(north, any 5431) && clubs(west) == 6",
    "spades(west) + spades(east) == 10 && hearts(west) > hearts(east)",
    "spades(west) == 12 && hearts(north) == 11",
    "aces(west) == 2 && controls(north) == 1 && hcp(north) <= 7",
    "aces(west) == 2 && controls(east) == 1 && hcp(east) <= 7",
    "hcp(north) + hcp(south) == 37",
    "hcp(east) + hcp(south) == 37 && aces(east) > aces(south)",
    "controls(north) + controls(east) == 12 && hcp(north) >= 24",
    "hcp(west) >= 30 && shape(west, any 5332) && spades(east) == 5",
    "hcp(west) >= 30 && shape(west, any 5332) && spades(south) == 5",
    "spades(south) == 5 && hcp(west) >= 30 && shape(west, any 5332)",
    "hcp(west) >= 22 && spades(west) == 8 && aces(east) == 1 && hcp(east) <= 5",
    "hcp(west) >= 22 && spades(west) == 8 && aces(north) == 1 && hcp(north) <= 5",
    "losers(north) <= 1 && spades(north) == 7 && losers(east) <= 1 && hearts(east) == 8",
    "losers(west) == 0",
    "losers(north) <= 1 && spades(north) >= 9 && losers(south) <= 2 && hearts(south) >= 8",
    "hcp(north) + hcp(east) == 39 && spades(north) == 7",
    "hcp(north) + 3 * spades(north) >= 47 && hcp(south) <= hearts(south)",
    "hcp(west) >= 28 && (spades(west) >= 8 || hcp(east) >= 9)",
    "hascard(north, AS) && hascard(north, KS) && hcp(north) <= 8 && spades(north) == 8 && hearts(north) == 5",
    "hascard(west, QH) && !hascard(south, AC) && aces(west) == 3 && aces(south) == 0 && hcp(west) >= 26",
    "top3(west, spades) == 3 && top2(east, hearts) == 2 && spades(west) >= 9 && hearts(east) >= 9",
    "hcp(north, spades) == 10 && hcp(north) == 11 && hcp(east) == 17",
    "clubs(south) == 9 && diamonds(south) == 4 && top3(south) == 3",
    "spades(north) == 13",
    "hcp(east) == 37 || hcp(east) == 36",
];

/// Equal, and where they are not, the first table that differs.
fn same(one: &Theory, other: &Theory, what: &str) {
    for ((name, one), (_, other)) in tables(one).iter().zip(&tables(other)) {
        assert_eq!(one, other, "{what}: {name}");
    }
    assert!(one == other, "{what}");
}

#[test]
#[ignore = "long"]
fn cells_have_the_theory_of_their_listing() {
    for text in CONDITIONS.iter().chain(&KINDS) {
        let condition = condition(text);
        same(&of_cells(&condition), &of_listing(&condition), text);
    }
}

/// The theory of a condition whose deals are counted.
fn counted(text: &str) -> Theory {
    let counter = DealCounter::new(&condition(text)).unwrap();
    let theory = Theory::of_counted(&counter, &Budget::unlimited());
    theory.unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn compare_counted(conditions: &[&str]) {
    for text in conditions {
        same_fractions(&counted(text), &of(text), text);
    }
}

#[test]
fn counted_deals_have_the_theory_of_cells() {
    compare_counted(&["spades(west) >= 7", "hcp(north) + hcp(south) == 37"]);
}

#[test]
#[ignore = "nightly"]
fn counted_deals_of_several_hands_have_the_theory_of_cells() {
    compare_counted(&[
        "hcp(south) == 25 && shape(south, any 5xxx)",
        "hcp(west) >= 20 || spades(west) == 6 && aces(west) == 1",
        "hcp(west) >= 28 && (spades(west) >= 8 || hcp(east) >= 9)",
    ]);
}

#[test]
fn somebody_has_a_suit_as_often_as_all_four_together() {
    // No two hands have seven spades.
    let each = Seat::ALL.map(|seat| format!("spades({}) >= 7", seat.name()));
    let (either, one) = (counted(&each.join(" || ")), of(&each[0]));
    let long = |theory: &Theory, seat| {
        let lengths = theory.suit_lengths(seat, Suit::Spades);
        (7..14)
            .map(|length| lengths.probability(length))
            .collect::<Vec<_>>()
    };
    for (some, all) in long(&either, Seat::East)
        .iter()
        .zip(long(&one, Seat::North))
    {
        let quarter = Ratio {
            of: 4 * all.of,
            ..all
        };
        assert_eq!(some.reduced(), quarter.reduced());
    }
}

#[test]
fn a_table_around_predealt_cards_is_that_of_all_deals_with_them() {
    // Twelve spades leave one card to north, and any of 39 is as likely.
    let theory = counted("predeal north SAKQJT9876543 condition 1");
    let two = Card::new(Suit::Spades, Rank::from_letter('2').unwrap());
    let of_north = theory.card(two).probability(Seat::North.index());
    assert_eq!(of_north.reduced(), Ratio { ways: 1, of: 40 });
    let honours = theory.hcp(Seat::North);
    assert_eq!(
        honours.probability(10).reduced(),
        Ratio { ways: 28, of: 40 }.reduced()
    );
    assert_eq!(honours.probability(14).reduced(), Ratio { ways: 3, of: 40 });
}

#[test]
#[ignore = "long"]
fn scenarios_have_the_theory_of_their_listing() {
    for scenario in SCENARIOS.iter().filter(|known| known.cases.is_some()) {
        let condition = scenario.condition();
        same(
            &of_cells(&condition),
            &of_listing(&condition),
            scenario.name,
        );
    }
}

#[test]
#[ignore = "long"]
fn mentioning_more_hands_without_asking_anything_gives_the_same_theory() {
    let by_honours = " && hcp(N) >= 0";
    let by_pattern = " && spades(N) >= 0";
    for (text, more) in [
        ("hcp(north) >= 20 && hcp(south) >= 8", &["east"] as &[&str]),
        ("hcp(north) >= 20 && hcp(south) >= 8", &["west", "east"]),
        ("hcp(north) >= 20 && hcp(east) <= 8", &["south"]),
        ("hcp(north) >= 20 && hcp(east) <= 8", &["south", "west"]),
        ("hcp(west) == 21", &["south", "east"]),
        ("hcp(west) == 21", &["south", "east", "north"]),
        (
            "aces(east) == 3 && controls(south) == 1",
            &["west", "north"],
        ),
    ] {
        let more: String = more
            .iter()
            .map(|seat| by_honours.replace('N', seat))
            .collect();
        let wide = format!("{text}{more}");
        same_fractions(&of(text), &of(&wide), &wide);
    }
    for (text, more) in [
        (
            "shape(north, any 7600) && shape(south, any 5332)",
            &["east"] as &[&str],
        ),
        (
            "shape(north, any 7600) && shape(east, any 6430) && hcp(east) >= 12",
            &["west"],
        ),
        (
            "shape(west, 9400) && hcp(west) >= 12 && spades(east) == 3 && hearts(east) == 8",
            &["north"],
        ),
        (
            "shape(west, 9400) && hcp(west) >= 12 && spades(east) == 3 && hearts(east) == 8",
            &["north", "south"],
        ),
        (
            "shape(west, 8500) && losers(west) == 2 && losers(north) == 6 && shape(north, 35xx)",
            &["south"],
        ),
        (
            "shape(west, 8500) && losers(west) == 2 && losers(north) == 6 && shape(north, 35xx)",
            &["south", "east"],
        ),
    ] {
        let of_patterns: String = more
            .iter()
            .map(|seat| by_pattern.replace('N', seat))
            .collect();
        let of_both: String = more
            .iter()
            .map(|seat| by_honours.replace('N', seat))
            .collect();
        for more in [&of_patterns, &of_both] {
            let wide = format!("{text}{more}");
            same_fractions(&of(text), &of(&wide), &wide);
        }
    }
}

#[test]
#[ignore = "long"]
fn what_three_hands_have_the_fourth_has_not() {
    for (one, three) in [
        (
            "hcp(west) <= 3",
            "hcp(north) + hcp(east) + hcp(south) >= 37",
        ),
        (
            "aces(south) == 4",
            "aces(north) + aces(east) + aces(west) == 0",
        ),
        (
            "spades(north) == 11 && hearts(north) == 2",
            "spades(east) + spades(south) + spades(west) == 2
                && hearts(east) + hearts(south) + hearts(west) == 11",
        ),
        (
            "spades(north) == 11 && hearts(north) == 2 && hcp(north) >= 9",
            "spades(east) + spades(south) + spades(west) == 2
                && hearts(east) + hearts(south) + hearts(west) == 11
                && hcp(east) + hcp(south) + hcp(west) <= 31",
        ),
        (
            "shape(east, 7510) && hcp(east) == 12 && shape(west, 2371) && hcp(west) == 8",
            "shape(east, 7510) && hcp(east) == 12 && spades(north) + spades(south) == 4
                && hearts(north) + hearts(south) == 5 && diamonds(north) + diamonds(south) == 5
                && hcp(north) + hcp(south) == 20",
        ),
    ] {
        same_fractions(&of(one), &of(three), three);
    }
}

#[test]
fn what_is_asked_of_all_hands_alike_makes_all_seats_alike() {
    let balanced = |seat| format!("shape({seat}, any 4333 + any 4432 + any 5332)");
    let flat = ["north", "east", "south", "west"]
        .map(balanced)
        .join(" && ");
    for text in [
        "hcp(north) == 10 && hcp(east) == 10 && hcp(south) == 10 && hcp(west) == 10",
        "aces(north) == 1 && aces(east) == 1 && aces(south) == 1 && aces(west) == 1",
        &flat,
    ] {
        let theory = of(text);
        for seat in Seat::ALL {
            assert_eq!(theory.patterns(seat), theory.patterns(Seat::North));
            assert_eq!(theory.hcp(seat), theory.hcp(Seat::North));
            assert_eq!(theory.aces(seat), theory.aces(Seat::North));
            assert_eq!(theory.controls(seat), theory.controls(Seat::North));
            assert_eq!(theory.hcp(seat).mean(), (10, 1));
        }
        for suit in Suit::ALL {
            let fits = theory.fits(Side::NorthSouth, suit);
            assert_eq!(fits, theory.fits(Side::EastWest, suit));
            assert_eq!(fits, theory.fits(Side::NorthSouth, Suit::Spades));
        }
        for card in Card::all() {
            let ways = theory.card(card).ways();
            assert!(ways.iter().all(|seat| *seat == ways[0]), "{card}");
        }
    }
}

#[test]
#[ignore = "long"]
fn wide_conditions_of_more_cases_than_can_be_listed_have_one_theory() {
    for (less, more) in [
        (
            "hcp(north) >= 16 && hcp(south) >= 8",
            "spades(north) >= 0 && spades(south) >= 0",
        ),
        (
            "hcp(north) >= 16 && hcp(east) >= 8",
            "spades(north) >= 0 && spades(east) >= 0",
        ),
        (
            "hcp(north) >= 16 && hcp(south) >= 8 && hcp(north) + hcp(south) <= 30",
            "hcp(east) + hcp(west) >= 10",
        ),
    ] {
        let more = format!("{less} && {more}");
        same_fractions(&of(less), &of(&more), &more);
    }
    // Whoever has losers, the sides' tables are mirrored.
    let of_sides = [
        "loser(north) == 7 && loser(south) == 8",
        "loser(east) == 7 && loser(west) == 8",
    ];
    let [one, other] = of_sides.map(of);
    assert_eq!(
        one.side_hcp(Side::NorthSouth),
        other.side_hcp(Side::EastWest)
    );
    for suit in Suit::ALL {
        assert_eq!(
            one.fits(Side::EastWest, suit),
            other.fits(Side::NorthSouth, suit)
        );
    }
    assert_eq!(one.patterns(Seat::South), other.patterns(Seat::West));
}

/// Patterns of some hands and points of others alone: these have what spots the former leave.
#[test]
#[ignore = "long"]
fn hands_by_honours_alone_beside_hands_by_pattern_have_the_theory_of_the_latter() {
    for (text, others) in [
        ("spades(north) == 7 && hcp(north) >= 18", ["east", "south"]),
        ("spades(north) == 7 && hcp(north) >= 18", ["west", "south"]),
        ("spades(east) == 7 && hcp(east) >= 18", ["west", "north"]),
        ("shape(west, 9400) && hcp(west) >= 12", ["south", "north"]),
        (
            "shape(west, 9400) && hcp(west) >= 12 && shape(east, 3820) && hcp(east) <= 9",
            ["south", "north"],
        ),
        (
            "shape(west, 9400) && hcp(west) >= 12 && shape(north, 3820) && hcp(north) <= 9",
            ["south", "east"],
        ),
    ] {
        for more in [&others[..1], &others[1..], &others[..]] {
            let words: String = more
                .iter()
                .map(|seat| format!(" && hcp({seat}) <= 40"))
                .collect();
            let wide = format!("{text}{words}");
            same_fractions(&of(text), &of(&wide), &wide);
        }
    }
    same_fractions(
        &of("spades(north) == 7 && hcp(north) >= 18 && hcp(south) >= 9"),
        &of(
            "spades(north) == 7 && hcp(north) >= 18 && hcp(east) + hcp(west) + hcp(north) <= 31
             && hcp(south) + hcp(east) <= 40",
        ),
        "what the others do not have",
    );
}
