//! Cells over suits give the same results as listings, also for conditions that cannot be listed.

use fairdeal::bridge::Seat;
use fairdeal::bridge::combinatorics::{DEALS, choose};
use fairdeal::draw::{Aes128Ctr, DealScratch, Dealer, Isa, Packet, Portion};
use fairdeal::language::{Condition, SCENARIOS};
use fairdeal::population::Base;
use fairdeal::population::cases::{CaseBytes, Listing, ListingError, census};
use fairdeal::population::cells::{Cells, CellsError};
use fairdeal::sampler::{
    self, AttemptOutcome, ChoiceError, PopulationSource, SamplerChoice, SamplerMethod, Sampling,
    Workload,
};

fn condition(text: &str) -> Condition {
    Condition::parse("test", text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn cells(text: &str) -> Cells {
    Cells::new(&condition(text)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

const BALANCED: &str = "any 4333 + any 4432 + any 5332";

#[test]
fn scenarios_have_their_cases_and_totals() {
    for scenario in &SCENARIOS {
        let Some(cases) = scenario.cases else {
            let none = Cells::new(&scenario.condition());
            assert_eq!(none.err(), Some(CellsError::Unconstrained));
            continue;
        };
        let cells = Cells::new(&scenario.condition()).unwrap();
        assert_eq!(cells.cases(), u128::from(cases), "{}", scenario.name);
        assert_eq!(cells.total(), scenario.total, "{}", scenario.name);
    }
}

/// Conditions with more cases than any file holds: counted by the census in minutes, and by
/// the essays' authors never.
#[test]
fn totals_of_what_no_file_holds() {
    let three_suiters = cells(&format!(
        "shape(west, {BALANCED}) && hcp(west) >= 10 && hcp(west) <= 12
         && shape(east, any 4441 + any 5440) && hcp(east) >= 11 && hcp(east) <= 15"
    ));
    assert_eq!(three_suiters.cases(), 410_794_852);
    assert_eq!(three_suiters.total(), 9_018_698_119_406_258_976);
    // Points that are mentioned, and may be any, change the cases and not T.
    for (name, seat, cases) in [
        ("flannery-misfit", "north", 1_246_832_506),
        ("balanced-28-30", "east", 231_274_104),
    ] {
        let scenario = SCENARIOS.iter().find(|known| known.name == name).unwrap();
        let alone = scenario.condition().expression().to_string();
        let with = cells(&format!("({alone}) && hcp({seat}) <= 40"));
        assert_eq!(with.cases(), cases, "{name}");
        assert_eq!(with.total(), scenario.total, "{name}");
    }
}

#[test]
fn all_shapes_of_two_hands_are_all_pairs_of_hands() {
    let both = cells("clubs(west) <= 13 && clubs(north) <= 13");
    assert_eq!(both.shapes(), 239_344);
    assert_eq!(both.total(), choose(52, 13) * choose(39, 13));
    assert_eq!(both.total() * u128::from(both.completions()), DEALS);
    let one = cells("clubs(west) <= 13");
    assert_eq!(one.total() * u128::from(one.completions()), DEALS);
    // The same by honours, and of more hands.
    for text in [
        "hcp(west) <= 40",
        "hcp(west) <= 40 && hcp(south) <= 40",
        "hcp(west) <= 40 && hcp(south) <= 40 && hcp(north) <= 40",
        "hcp(west) <= 40 && hcp(south) <= 40 && hcp(north) <= 40 && hcp(east) <= 40",
        "clubs(west) <= 13 && hcp(west) <= 40 && hcp(south) <= 40",
    ] {
        let all = cells(text);
        assert_eq!(all.chance(), (DEALS, DEALS), "{text}");
    }
}

/// One and two hands in every kind of listing: alone, by pattern, by honours, by both.
#[test]
#[ignore = "long"]
fn small_conditions_come_to_their_census() {
    for text in [
        "spades(north) == 7",
        "hcp(north) == 13",
        "hcp(north) == 13 && spades(north) == 5",
        "shape(north, any 7321 + any 6331) && hearts(south) >= 5",
        "hcp(north) >= 25 && hcp(south) <= 3",
        "hcp(north) + hcp(south) == 37",
        "hcp(north) == hcp(east) + 20",
        "spades(north) == 6 && hcp(north) == 20 && hcp(south) >= 14",
        "hcp(south) >= 14 && spades(north) == 6 && hcp(north) == 20",
        "spades(north) == 7 && hcp(south) >= 30",
        "spades(north) + spades(south) == 12 && hcp(north) >= 20",
        "aces(north) == 4 && kings(south) == 4",
        "control(north) == 10 && hascard(south, AH)",
        "top3(north, spades) == 3 && spades(north) >= 8 && top2(north, hearts) == 0",
        "loser(north) <= 2",
        "loser(north, spades) == 0 && loser(north, hearts) == 3 && spades(north) > 7",
        "loser(north) == 1 && hcp(south) == 10",
        "hcp(north) > 30 || spades(north) > 10",
        "(hcp(north) > 30 || spades(north) > 10) && hearts(east) > 3",
        "hcp(north) > 33 ? spades(north) > 3 : spades(north) > 10",
        "hcp(north, spades) == 10 && hcp(east, hearts) == 10",
        "hcp(west) >= 3 * spades(west) + 18",
        "pt9(west) >= 24 && hearts(west) == 6",
        "altcount 0 1000 100 10 1 condition pt0(north) == 2110 && pt0(south) <= 1011",
    ] {
        let condition = condition(text);
        let listing = Listing::new(&condition, None).unwrap();
        let census = census(&condition, &listing).unwrap();
        let cells = Cells::new(&condition).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(cells.total(), census.total, "{text}");
        assert_eq!(cells.cases(), u128::from(census.cases), "{text}");
    }
}

/// What is said of a hand in words that hold of every hand changes how the cells are made,
/// and not how many deals there are.
#[test]
#[ignore = "long"]
fn vacuous_words_change_nothing() {
    for text in [
        "hcp(north) >= 20 && hcp(south) <= 3",
        "spades(north) >= 8 && hcp(north) >= 15",
        "aces(north) == 2 && control(south) == 4",
        "loser(north) <= 3",
    ] {
        let (wanted, _) = cells(text).chance();
        for more in [
            "hcp(east) <= 40",
            "hcp(east) <= 40 && hcp(west) <= 40",
            "aces(west) + aces(east) <= 4",
            "hcp(north) + hcp(east) + hcp(south) + hcp(west) == 40",
        ] {
            let with = cells(&format!("{text} && {more}"));
            assert_eq!(with.chance().0, wanted, "{text} && {more}");
        }
    }
    // Of three hands by pattern, what is left is the fourth's.
    let three = cells("spades(north) == 5 && spades(east) == 4 && spades(south) == 3");
    let one = cells("spades(north) == 5 && spades(east) == 4 && spades(west) == 1");
    assert_eq!(three.total(), one.total());
    let three = cells("hcp(north) + hcp(east) + hcp(south) >= 35");
    assert_eq!(three.chance().0, cells("hcp(west) <= 5").chance().0);
}

/// Conditions of all kinds, of one to four hands.
fn some_conditions() -> Vec<String> {
    let balanced = |seat: &str| format!("shape({seat}, {BALANCED})");
    let all_balanced = ["north", "east", "south", "west"]
        .map(balanced)
        .join(" && ");
    [
        "spades(west) == 9",
        "shape(east, any 5332) && hcp(east) == 34",
        "hcp(north) == 3",
        "hcp(north) == 2 && hcp(south) <= 1",
        "spades(south) == 4 && hearts(south) == 5 && hcp(south) >= 11 && hcp(south) <= 15
            && spades(north) <= 3 && hearts(north) <= 2",
        "spades(north) == 5 && hcp(north) >= 11 && hcp(south) >= 12",
        "hcp(south) >= 12 && spades(north) == 5 && hcp(north) >= 11",
        "shape(north, 5332) && shape(east, 3433) && shape(south, 2443)",
        "shape(north, 5332) && shape(east, 3433) && shape(south, 2443)
            && hcp(north) == 12 && hcp(east) == 9 && hcp(south) == 11 && hcp(west) == 8",
        "hcp(north) == 10 && hcp(east) == 10 && hcp(south) == 10 && hcp(west) == 10",
        "hcp(north) >= 16 && hcp(east) <= 9 && hcp(south) >= 8 && hcp(west) <= 9",
        "spades(north) >= 7 && hcp(north) <= 10 && hcp(east) >= 12 && hcp(south) >= 5",
        "shape(south, any 4333) && hcp(south) >= 15 && hcp(north) <= 5 && hcp(east) >= 10
            && hcp(west) >= 3",
        "spades(north) == 7 && hearts(east) == 8 && hcp(south) >= 16",
        "aces(north) == 1 && aces(east) == 1 && aces(south) == 1 && aces(west) == 1",
        "loser(north) == 5 && spades(north) == 7 && hcp(south) <= 4 && hcp(east) == 14",
    ]
    .into_iter()
    .map(str::to_owned)
    .chain([
        all_balanced.clone(),
        format!("{all_balanced} && hcp(north) >= 15 && hcp(north) <= 17 && hcp(south) >= 10"),
    ])
    .collect()
}

#[test]
#[ignore = "long"]
fn every_deal_drawn_is_wanted_and_every_path_deals_it() {
    let generator = Aes128Ctr::new(12);
    for text in some_conditions() {
        let (condition, cells) = (condition(&text), cells(&text));
        let mut first: Option<Vec<String>> = None;
        for &isa in Isa::available() {
            let dealer = Dealer::<CaseBytes>::of_cells(&cells).unwrap().with_isa(isa);
            let portions = dealer.portions(&generator, 65_000..67_000).unwrap();
            assert!(matches!(
                portions[..],
                [Portion::Block(_), Portion::Block(_)]
            ));
            let mut deals = Vec::new();
            for portion in portions {
                let mut sink = |packet: &Packet| {
                    for place in 0..packet.deals() {
                        let deal = packet.deal(place);
                        assert!(Seat::ALL.iter().all(|seat| deal.hand(*seat).len() == 13));
                        assert_eq!(
                            condition.expression().holds(&deal),
                            Ok(true),
                            "{text}: {deal}"
                        );
                        deals.push(deal.to_string());
                    }
                };
                let mut scratch = DealScratch::default();
                dealer
                    .deal(&generator, &portion, &mut scratch, &mut sink)
                    .unwrap();
            }
            assert_eq!(deals.len(), 2_000);
            assert_eq!(
                *first.get_or_insert_with(|| deals.clone()),
                deals,
                "{text}, {isa}"
            );
        }
        let mut different = first.unwrap();
        different.sort_unstable();
        different.dedup();
        assert!(different.len() > 1_990, "{text}: {} deals", different.len());
    }
}

#[test]
#[ignore = "long"]
fn what_is_no_sum_over_suits_is_left_to_a_filter() {
    let with_cells = |text: &str| {
        let cells = Sampling::by(SamplerMethod::Cells);
        sampler::choose(&condition(text), &cells, Workload::boards(1_000_000, None))
    };
    let cells_of = |choice: &SamplerChoice| match &choice.source {
        PopulationSource::Ready(Base::Cells(cells)) => (cells.seats().to_vec(), cells.total()),
        other => panic!("{other:?}"),
    };
    let of_whole = |choice: &SamplerChoice| match &choice.reasons.attempts[0].outcome {
        AttemptOutcome::Failed(why) => why.clone(),
        other => panic!("{other:?}"),
    };
    let spot = with_cells("hascard(north, 2S) && spades(north) == 5 && hcp(south) >= 10").unwrap();
    assert_eq!(cells_of(&spot).0, [Seat::South, Seat::North]);
    assert_eq!(
        spot.filter
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
        ["hascard(north, 2S)"]
    );
    assert_eq!(of_whole(&spot), CellsError::Cards(Seat::North));
    // Too many shapes: one hand's pattern is left to the filter, or more.
    let wide = with_cells("loser(north) <= 5 && loser(south) <= 6 && loser(east) >= 8").unwrap();
    assert!(matches!(
        of_whole(&wide),
        CellsError::TooLarge(_) | CellsError::OverBudget
    ));
    assert!(!wide.filter.is_empty() && cells_of(&wide).1 > 0);
    for (text, why) in [
        ("hcp(north) == 38", CellsError::NoDeal),
        ("spades(north) + spades(south) == 14", CellsError::NoDeal),
        (
            "spades(north) == 7 && spades(east) == 7",
            CellsError::NoDeal,
        ),
        ("1", CellsError::Unconstrained),
        ("cccc(north) > 1500", CellsError::Cards(Seat::North)),
        (
            "predeal north SA\ncondition aces(south) == 4",
            CellsError::NoDeal,
        ),
    ] {
        let found = with_cells(text).map(|choice| choice.reasons.why);
        match (found, why) {
            (Err(ChoiceError::Listing(ListingError::NoDeal)), CellsError::NoDeal) => {}
            (Err(ChoiceError::NoCells(found)), why) => assert_eq!(found, why, "{text}"),
            (found, _) => panic!("{text}: {found:?}"),
        }
    }
    let failing = with_cells("12 / (hcp(north) - 12) > 1").map(|choice| choice.reasons.why);
    assert!(
        matches!(failing, Err(ChoiceError::Condition(_))),
        "{failing:?}"
    );
}
