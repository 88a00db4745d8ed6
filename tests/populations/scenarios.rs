//! The ten scenarios: the specified number of cases and T, in either order of hands.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use crate::common::{census, condition, scenario};
use fairdeal::bridge::Seat;
use fairdeal::bridge::combinatorics::{DEALS, choose};
use fairdeal::language::{Plan, SCENARIOS};
use fairdeal::population::cases::{Census, Listing, ListingError};

#[test]
fn every_scenario_has_its_cases_and_its_total() {
    for known in SCENARIOS {
        let condition = known.condition();
        match known.cases {
            None => {
                assert!(matches!(
                    Plan::new(&condition, None),
                    Ok(Plan::Unconstrained)
                ));
                assert_eq!(known.total, DEALS);
            }
            Some(cases) => {
                let total = known.total;
                assert_eq!(
                    census(&condition, None),
                    Census { cases, total },
                    "{}",
                    known.name
                );
            }
        }
    }
}

#[test]
fn the_other_order_of_hands_gives_as_many_cases_and_the_same_total() {
    for known in SCENARIOS {
        let condition = known.condition();
        let Ok(Plan::Listed {
            first,
            second: Some(second),
        }) = Plan::new(&condition, None)
        else {
            continue;
        };
        let swapped: [Seat; 2] = [second.seat, first.seat];
        let census = census(&condition, Some(&swapped));
        assert_eq!(
            (Some(census.cases), census.total),
            (known.cases, known.total)
        );
    }
}

#[test]
fn hands_are_listed_in_the_order_of_the_conditions_text() {
    let seats = |name| Listing::new(&scenario(name), None).unwrap().seats();
    assert_eq!(seats("flannery-misfit"), (Seat::South, Some(Seat::North)));
    assert_eq!(seats("nine-spades"), (Seat::West, Some(Seat::East)));
    let through_a_name = condition("weak = hcp(north) < 5\nspades(east) > 6 && weak");
    let listing = Listing::new(&through_a_name, None).unwrap();
    assert_eq!(listing.seats(), (Seat::East, Some(Seat::North)));
}

#[test]
#[ignore = "long"]
fn a_condition_and_its_opposite_share_out_all_pairs_of_hands() {
    let conditions = [
        "spades(west) + spades(east) >= 8",
        "hcp(west) + hcp(east) >= 25",
        "hcp(west) > hcp(east) || hearts(west) == 0",
        "(spades(west) >= 5 ? hcp(east) : controls(east)) % 3 == 1",
        "losers(north) <= 5 && aces(south) * 4 < hcp(north)",
        "hascard(north, SA) && hascard(south, SK)",
        "shape(north, any 4432) != shape(south, any 5xxx - any 5xx0)",
    ];
    for text in conditions {
        let yes = census(&condition(text), None).total;
        let no = census(&condition(&format!("!({text})")), None).total;
        assert_eq!(yes + no, choose(52, 13) * choose(39, 13), "{text}");
    }
}

#[test]
fn known_chances_come_out() {
    // 26 cards of two partners, 8 or more of them spades.
    let fit: u128 = (8..=13).map(|n| choose(13, n) * choose(39, 26 - n)).sum();
    let total = census(&condition("spades(north) + spades(south) >= 8"), None).total;
    assert_eq!(total, fit * choose(26, 13));
    // A hand with all four aces, and one with no honour at all.
    assert_eq!(
        census(&condition("aces(west) == 4"), None).total,
        choose(48, 9)
    );
    assert_eq!(
        census(&condition("hcp(west) == 0"), None).total,
        choose(36, 13)
    );
    // Both partners without the spade ace.
    let neither = condition("!hascard(north, SA) && !hascard(south, SA)");
    assert_eq!(
        census(&neither, None).total,
        choose(51, 13) * choose(38, 13)
    );
    // Fewer losers than one: the ace, king and queen of every suit held, or short enough.
    let losers = census(&condition("losers(east) == 0"), None).total;
    assert_eq!(losers, losers_by_hand());
}

/// Hands without losers, suit by suit: a void, a bare ace, AK alone, or AKQ and others.
fn losers_by_hand() -> u128 {
    let suit = |length: usize| match length {
        0..=2 => 1,
        longer => choose(10, longer - 3),
    };
    let mut ways = 0;
    for s in 0..=13 {
        for h in 0..=13 - s {
            for d in 0..=13 - s - h {
                ways += suit(s) * suit(h) * suit(d) * suit(13 - s - h - d);
            }
        }
    }
    ways
}

#[test]
#[ignore = "long"]
fn a_listing_of_any_size_is_counted_exactly() {
    // Nothing is excluded: every pair of pattern and honours of two hands.
    let everything =
        condition("hcp(west) >= 0 && spades(west) >= 0 && hcp(east) >= 0 && spades(east) >= 0");
    let all = census(&everything, None);
    assert_eq!(all.total, choose(52, 13) * choose(39, 13));
    let refused = all.within(fairdeal::population::cases::DEFAULT_MAX_CASES);
    let Err(ListingError::TooManyCases { cases, .. }) = refused else {
        panic!("{} cases were allowed", all.cases);
    };
    assert_eq!(cases, all.cases);
    // The listing that the constraint essay could not hold.
    let larger = condition(
        "shape(west, any 4333 + any 4432 + any 5332) && hcp(west) >= 10 && hcp(west) <= 12
         && shape(east, any 4441 + any 5440) && hcp(east) >= 11 && hcp(east) <= 15",
    );
    let total = 9_018_698_119_406_258_976;
    assert_eq!(
        census(&larger, None),
        Census {
            cases: 410_794_852,
            total
        }
    );
}

#[test]
fn what_no_deal_satisfies_is_said() {
    let none = [
        "0",
        "spades(west) == 14",
        "hcp(west) == 5 && 1 > 2",
        "hcp(west) >= 21 && hcp(east) >= 21",
        "spades(west) + spades(east) > 13",
        "hascard(west, SA) && hascard(east, SA)",
    ];
    for text in none {
        let condition = condition(text);
        let counted = Listing::new(&condition, None)
            .and_then(|listing| fairdeal::population::cases::census(&condition, &listing));
        assert_eq!(counted, Err(ListingError::NoDeal), "{text}");
    }
}
