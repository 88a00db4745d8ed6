//! The choice of a sampler: its cost is limited, and it depends on the request alone.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use crate::common::condition;
use fairdeal::bridge::Seat;
use fairdeal::draw::{Aes128Ctr, Dealer};
use fairdeal::language::{Condition, SCENARIOS, Script};
use fairdeal::population::Base;
use fairdeal::population::cases::{CaseBytes, ListingError};
use fairdeal::population::cells::{Budget, Cells, CellsError};
use fairdeal::sampler::{
    AttemptOutcome, ChoiceError, PopulationSource, SamplerChoice, SamplerMethod, Sampling,
    Workload, choose,
};

/// A takeout double of one heart: three hands, each by pattern and honours.
const TAKEOUT: &str = "hearts(west) >= 5 && hcp(west) >= 11 && hcp(west) <= 15
    && hearts(north) <= 2 && spades(north) >= 3 && clubs(north) >= 3 && diamonds(north) >= 3
    && hcp(north) >= 12 && hcp(east) <= 5 && hearts(east) <= 3";

const TWO_HANDS: &str = "shape(north, any 4333 + any 4432) && hcp(north) == 20 && hcp(south) == 3 && spades(south) >= 6";

const SPOTS: &str = "hascard(north, 2S) && spades(north) >= 8 && hcp(south) >= 16";

const WIDE: &str = "(shape(north, any 5431 + any 6421) || hcp(north) >= 15 && losers(north) <= 4)
    && (shape(east, any 5422 + any 6322) || controls(east) >= 6 || losers(east) <= 5)
    && (shape(south, any 4441 + any 5440 + any 7321) || losers(south) == 7 && controls(south) == 3)";

const LOSERS: &str =
    "losers(north) + losers(east) * 2 + losers(south) * 3 + losers(west) * 5 == 61";

const ALL: [&str; 5] = [TAKEOUT, TWO_HANDS, SPOTS, WIDE, LOSERS];

fn chosen(text: &str, workload: Workload) -> SamplerChoice {
    choose(&condition(text), &Sampling::default(), workload)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The condition of a script in fixtures/practice.
fn practice(name: &str) -> Condition {
    let text = std::fs::read_to_string(format!("fixtures/practice/{name}.dlr")).unwrap();
    Script::parse(name, &text).unwrap().bare_condition()
}

fn kind(choice: &SamplerChoice) -> &'static str {
    match choice.source {
        PopulationSource::Ready(Base::EveryDeal) => "every deal",
        PopulationSource::Listing(_) | PopulationSource::Ready(Base::Listing(_)) => "listing",
        PopulationSource::Ready(Base::Cells(_)) => "cells",
        PopulationSource::Ready(Base::Numbered(_)) => "numbers",
    }
}

/// All that a choice says, steps included.
fn summary(choice: &SamplerChoice) -> String {
    let attempts = choice.reasons.attempts.iter().map(|attempt| {
        let (granted, spent, outcome) = (attempt.granted, attempt.spent, &attempt.outcome);
        format!("{granted} {spent} {outcome:?}")
    });
    format!(
        "{} {:?} {:?} {:?} {:?}",
        kind(choice),
        choice.filter,
        choice.reasons.share,
        choice.reasons.pilot,
        attempts.collect::<Vec<_>>()
    )
}

#[test]
fn a_plan_is_the_same_with_any_number_of_threads() {
    same_with_threads(&ALL[..3], &[Workload::statistics(1_000_000)]);
}

#[test]
#[ignore = "long"]
fn every_plan_is_the_same_with_any_number_of_threads() {
    let boards = [36, 1_000_000].map(|boards| Workload::boards(boards, None));
    same_with_threads(
        &ALL,
        &[boards[0], boards[1], Workload::statistics(1_000_000)],
    );
}

fn same_with_threads(texts: &[&str], workloads: &[Workload]) {
    for &text in texts {
        for &workload in workloads {
            let with_threads = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
                let pool = pool.build().unwrap();
                pool.install(|| summary(&chosen(text, workload)))
            };
            let one = with_threads(1);
            for threads in [2, 7] {
                assert_eq!(
                    with_threads(threads),
                    one,
                    "{text}, {workload:?}, {threads} threads"
                );
            }
        }
    }
}

#[test]
fn few_common_deals_are_not_prepared_for() {
    for text in [
        TAKEOUT,
        WIDE,
        "hcp(north) >= 12",
        "losers(west) <= 6 && hcp(east) >= 10",
    ] {
        let choice = chosen(text, Workload::boards(10, None));
        assert_eq!(
            kind(&choice),
            "every deal",
            "{text}: {}",
            choice.reasons.why
        );
        assert!(!choice.filter.is_empty(), "{text}");
        let spent: u64 = choice
            .reasons
            .attempts
            .iter()
            .map(|attempt| attempt.spent)
            .sum();
        assert!(spent < 10_000_000, "{text}: {spent} steps");
    }
}

#[test]
fn rare_deals_are_drawn_directly_however_few_are_wanted() {
    for text in [
        "hcp(north) == 37",
        "spades(north) == 13 && hearts(east) == 12",
        "shape(north, any 4333) && hcp(north) >= 33",
        "spades(north) + spades(south) == 13 && hcp(north) + hcp(south) >= 35",
    ] {
        let choice = chosen(text, Workload::boards(36, None));
        assert_eq!(kind(&choice), "cells", "{text}: {}", choice.reasons.why);
        assert!(choice.filter.is_empty(), "{text}");
    }
}

/// Where the first sample has none, nobody knows how rare they are: larger ones grant the search
/// what cells for a part of the condition take.
#[test]
fn deals_of_which_a_sample_has_none_are_searched_for_among_fewer() {
    let text = "hcp(north) > 35 && cccc(south) > 2000";
    for deals in [1, 10] {
        let choice = chosen(text, Workload::boards(deals, None));
        assert_eq!(kind(&choice), "cells", "{}", choice.reasons.why);
        assert_eq!(choice.filter.len(), 1);
        let pilot = choice.reasons.pilot.unwrap();
        assert!(pilot.kept == 0 && pilot.drawn > 1 << 16, "{pilot:?}");
    }
    // A script that draws no more than it says has no use for larger ones.
    let choice = chosen(text, Workload::boards(10, Some(10_000)));
    assert_eq!(kind(&choice), "every deal");
    assert_eq!(choice.reasons.pilot.unwrap().drawn, 1 << 11);
}

/// Few of all deals are sampled before those of the rarest hand are: its cells tell the rate.
#[test]
fn rare_boards_are_sampled_among_the_deals_of_one_hand() {
    let hand = "hcp(west) >= 28 && spades(west) >= 5";
    // North and south are alike: about half of the deals of the hand.
    let text = format!("{hand} && cccc(north) > cccc(south)");
    let choice = chosen(&text, Workload::boards(36, None));
    let PopulationSource::Ready(Base::Cells(cells)) = &choice.source else {
        panic!("{}", choice.reasons.why);
    };
    assert!(cells.condition().text().ends_with(hand));
    assert_eq!(choice.filter.len(), 1);
    let pilot = choice.reasons.pilot.unwrap();
    assert!(
        pilot.of == cells.share() && pilot.drawn <= 1 << 14,
        "{pilot:?}"
    );
    let among = pilot.rate() / cells.share();
    assert!((0.45..0.52).contains(&among), "{pilot:?}");
    // Runs, and boards that are common, are planned by rejection's rate.
    let common = "hcp(west) >= 15 && cccc(north) > cccc(south)";
    for (text, workload) in [
        (&*text, Workload::statistics(1_000)),
        (common, Workload::boards(36, None)),
    ] {
        assert!(
            chosen(text, workload).reasons.pilot.unwrap().of >= 1.0,
            "{text}"
        );
    }
}

#[test]
#[ignore = "long"]
fn many_deals_are_drawn_from_the_narrowest_cells() {
    let workload = Workload::statistics(1_000_000_000);
    for text in [
        TWO_HANDS,
        "aces(north) == 1 && aces(east) == 1 && aces(south) == 1",
    ] {
        let choice = chosen(text, workload);
        assert_ne!(kind(&choice), "every deal", "{text}");
        assert!(choice.filter.is_empty(), "{text}");
    }
    let part = chosen(SPOTS, workload);
    assert_eq!(kind(&part), "cells");
    assert_eq!(part.filter.len(), 1);
    assert_eq!(part.filter[0].to_string(), "hascard(north, 2S)");
}

/// No search takes more than it is granted, and what it is granted is bounded.
#[test]
#[ignore = "long"]
fn a_search_ends_within_its_budget() {
    for text in ALL {
        for (deals, most) in [(36, 1_200_000_000), (100_000_000, 10_000_000_000)] {
            let choice = chosen(text, Workload::boards(deals, None));
            let attempts = choice.reasons.attempts.iter();
            let spent: u64 = attempts.map(|attempt| attempt.spent).sum();
            assert!(spent <= most, "{text}: {spent} steps");
            for attempt in &choice.reasons.attempts {
                assert!(attempt.granted <= most, "{text}: {attempt:?}");
                assert!(attempt.spent <= attempt.granted, "{text}: {attempt:?}");
                if let AttemptOutcome::Failed(CellsError::OverBudget) = attempt.outcome {
                    continue;
                }
                assert!(attempt.spent < attempt.granted, "{text}: {attempt:?}");
            }
            if deals > 36 {
                break;
            }
        }
    }
}

/// Three hands of which nearly every pattern is wanted, and what is counted differs by pattern.
const TOO_MANY: &str = "hcp(north) + spades(north) >= 12 && hcp(east) + hearts(east) >= 9
    && hcp(south) + clubs(south) >= 8";

/// The estimate of an attempt predicts its failure: little is spent for nothing.
#[test]
fn shapes_that_the_budget_does_not_cover_are_not_gone_through() {
    let granted = 200_000_000;
    let budget = Budget::new(granted, u64::MAX);
    let made = Cells::within(&condition(TOO_MANY), &budget);
    assert_eq!(made.err(), Some(CellsError::OverBudget));
    assert!(budget.spent() < granted / 50, "{} steps", budget.spent());
}

/// Ten million draws take about 2e8 steps by rejection, and everything else of a run as many: a
/// search that ends in nothing takes less than a third of that.
#[test]
#[ignore = "long"]
fn a_run_that_ends_in_rejection_was_searched_for_in_less_than_a_third_of_it() {
    let workload = Workload::statistics(10_000_000);
    for text in ALL.into_iter().chain([TOO_MANY]) {
        let choice = chosen(text, workload);
        let spent: u64 = choice
            .reasons
            .attempts
            .iter()
            .map(|attempt| attempt.spent)
            .sum();
        let most = match kind(&choice) {
            "every deal" => 120_000_000,
            // Cells keep more of the deals drawn, and may be searched for longer.
            _ => MOST_OF_A_SHORT_RUN,
        };
        assert!(spent < most, "{text}: {spent} steps");
    }
}

/// Maximum steps of a search in a run of ten million deals, with its first attempts.
const MOST_OF_A_SHORT_RUN: u64 = 1_900_000_000;

/// A narrow part that costs too much must leave enough for wider parts, and an attempt must not be
/// refused memory that is free again.
#[test]
#[ignore = "long"]
fn a_search_divides_its_budget_among_the_parts() {
    for (name, one_in) in [
        ("compete-takeout-double-short", 972.6),
        ("respond-bergen", 40.4),
        ("slam-blackwood", 5164.8),
        ("slam-gerber", 2719.7),
    ] {
        let workload = Workload::statistics(10_000_000);
        let choice = choose(&practice(name), &Sampling::default(), workload).unwrap();
        let share = choice.reasons.share.unwrap();
        assert!(
            (1.0 / share - one_in).abs() < 0.1,
            "{name}: {}",
            1.0 / share
        );
        let attempts = choice.reasons.attempts.iter();
        let spent: u64 = attempts.map(|attempt| attempt.spent).sum();
        assert!(spent < MOST_OF_A_SHORT_RUN, "{name}: {spent} steps");
    }
}

/// One hand whose cells are too costly is listed, and the filter checks the rest.
#[test]
#[ignore = "long"]
fn one_hand_is_listed_where_its_cells_are_too_costly() {
    let condition = practice("rebid-help-suit-try");
    let workload = Workload::statistics(10_000_000);
    let choice = choose(&condition, &Sampling::default(), workload).unwrap();
    let PopulationSource::Listing(part) = &choice.source else {
        panic!("{}", choice.reasons.why);
    };
    assert_eq!(part.listing.seats(), (Seat::South, None));
    assert_eq!(part.census.cases, 225_434);
    assert!(!choice.filter.is_empty());
    // Requested cells are cells.
    let choice = choose(&condition, &Sampling::by(SamplerMethod::Cells), workload).unwrap();
    assert_eq!(kind(&choice), "cells");
}

/// Exact tables are summed over all cells, which takes about a second for a million of these.
#[test]
#[ignore = "long"]
fn the_exact_tables_of_a_short_run_are_affordable() {
    let condition = practice("lead-fourth-best");
    let cells = |deals| {
        let workload = Workload::statistics(deals);
        let choice = choose(&condition, &Sampling::default(), workload).unwrap();
        let PopulationSource::Ready(Base::Cells(cells)) = choice.source else {
            panic!("{deals} deals: {}", choice.reasons.why);
        };
        cells.cells()
    };
    assert!(cells(10_000_000) <= 1_000_000);
    assert!(cells(1_000_000_000) > 1_000_000);
}

#[test]
fn what_no_deal_satisfies_is_refused_at_once() {
    for text in [
        "hcp(north) >= 38",
        "aces(north) + aces(south) + aces(east) + aces(west) != 4",
        "spades(north) + spades(south) == 14",
        "aces(north) + aces(east) > 4",
        "0",
        "predeal north SA condition hascard(south, SA) && hcp(south) == 37 && aces(south) == 4",
    ] {
        let workload = Workload::boards(36, None);
        let found = choose(&condition(text), &Sampling::default(), workload)
            .map(|choice| choice.reasons.why);
        assert!(
            matches!(found, Err(ChoiceError::Listing(ListingError::NoDeal))),
            "{text}: {found:?}"
        );
    }
}

/// Every deal of a condition is among those that any sampler draws from, and passes its filter.
#[test]
fn no_sampler_leaves_out_a_deal() {
    leaves_out_none_of(8_000, 8);
}

#[test]
#[ignore = "long"]
fn no_sampler_leaves_out_one_of_many_deals() {
    leaves_out_none_of(400_000, 1);
}

/// Compares the samplers of every `step`th condition with the condition.
fn leaves_out_none_of(deals: u64, step: usize) {
    let generator = Aes128Ctr::new(5);
    let dealer = Dealer::<CaseBytes>::unconstrained();
    let deals = dealer.in_random_order(&generator, 0..deals).unwrap();
    for text in ALL.into_iter().step_by(step) {
        let whole = condition(text);
        let wanted: Vec<_> = deals
            .iter()
            .filter(|deal| whole.expression().holds(*deal).unwrap())
            .collect();
        for workload in [
            Workload::statistics(1_000),
            Workload::statistics(10_000_000),
            Workload::boards(100_000, None),
        ] {
            let choice = choose(&whole, &Sampling::default(), workload).unwrap();
            let drawn_from: Option<&Condition> = match &choice.source {
                PopulationSource::Ready(Base::EveryDeal | Base::Listing(_)) => None,
                PopulationSource::Listing(part) => Some(&part.condition),
                PopulationSource::Ready(Base::Cells(cells)) => Some(cells.condition()),
                PopulationSource::Ready(Base::Numbered(deals)) => Some(deals.condition()),
            };
            for deal in &wanted {
                let is_drawn =
                    drawn_from.is_none_or(|part| part.expression().holds(*deal).unwrap());
                assert!(is_drawn, "{text}: {deal:?}");
                let passes = choice.filter.iter().all(|term| term.holds(*deal).unwrap());
                assert!(passes, "{text}: {deal:?}");
            }
            // And the other way round: what is drawn and passes is wanted.
            for deal in &deals[..deals.len() / 2] {
                let is_drawn = drawn_from.is_none_or(|part| part.expression().holds(deal).unwrap());
                let passes = choice.filter.iter().all(|term| term.holds(deal).unwrap());
                if is_drawn && passes {
                    assert!(whole.expression().holds(deal).unwrap(), "{text}: {deal:?}");
                }
            }
        }
    }
}

/// A budget decides by what cells take, to the step.
#[test]
#[ignore = "long"]
fn cells_are_made_within_what_they_take_and_not_within_less() {
    for text in [
        "hcp(north) == 20",
        TWO_HANDS,
        "hcp(north) >= 15 && hcp(east) >= 10 && spades(south) >= 6",
        "aces(north) == 1 && aces(east) == 1 && aces(south) == 1 && aces(west) == 1",
        "12 / (hcp(north) - 40) < 1 && hcp(east) == 12",
    ] {
        let condition = condition(text);
        let budget = Budget::new(u64::MAX, u64::MAX);
        let total = Cells::within(&condition, &budget).unwrap().total();
        let steps = budget.spent();
        assert!(steps > 1_000, "{text}");
        let enough = Cells::within(&condition, &Budget::new(steps, u64::MAX));
        assert_eq!(enough.map(|cells| cells.total()), Ok(total), "{text}");
        for (steps, bytes) in [(steps - 1, u64::MAX), (steps / 2, u64::MAX), (steps, 100)] {
            let made = Cells::within(&condition, &Budget::new(steps, bytes));
            assert_eq!(made.err(), Some(CellsError::OverBudget), "{text}");
        }
    }
}

#[test]
fn runs_of_scenarios_use_cells_however_many_deals_are_wanted() {
    for scenario in SCENARIOS
        .iter()
        .filter(|scenario| scenario.name != "unconstrained")
    {
        for deals in [1, 10_000_000_000] {
            let workload = Workload::statistics(deals);
            let choice = choose(&scenario.condition(), &Sampling::default(), workload).unwrap();
            assert_eq!(kind(&choice), "cells", "{}", scenario.name);
            assert!(choice.filter.is_empty(), "{}", scenario.name);
        }
    }
}
