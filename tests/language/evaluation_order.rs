//! Every sampler evaluates a condition as the language defines: a term of `&&` is evaluated only
//! where all terms before it hold.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use crate::common::{case_file, code, condition, fairdeal, folder, stderr};
use fairdeal::draw::{Aes128Ctr, DealScratch, Dealer, Isa, Packet};
use fairdeal::filter::{self, Filter};
use fairdeal::language::Condition;
use fairdeal::population::cases::{self, CaseBytes, Census, Listing, ListingError};
use fairdeal::population::cells::{Cells, CellsError};
use fairdeal::theory::Theory;

/// Conditions whose guards stand in another term, and what they mean without a division.
const GUARDED: [[&str; 2]; 12] = [
    // The term of two hands guards a term of counts: cells used to evaluate counts first.
    [
        "spades(north) * hcp(east) > 20 && hcp(north) / hcp(east) > 3",
        "spades(north) * hcp(east) > 20 && hcp(north) >= 4 * hcp(east)",
    ],
    // One hand's term guards the other hand's.
    [
        "spades(east) >= 1 && 5 / (13 - spades(west)) >= 5",
        "spades(east) >= 1 && spades(west) == 12",
    ],
    // A guard of the pattern, a division of honours, and the other way round.
    [
        "spades(north) >= 9 && 90 / (40 - hcp(north)) > 5",
        "spades(north) >= 9 && hcp(north) >= 25",
    ],
    [
        "hcp(north) >= 22 && 90 / (13 - spades(north)) > 20",
        "hcp(north) >= 22 && spades(north) >= 9",
    ],
    [
        "spades(north) > 8 && hcp(north) % (spades(north) - 8) == 1 && hcp(north) > 20",
        "hcp(north) > 20 && (spades(north) == 10 && hcp(north) % 2 == 1
            || spades(north) == 11 && hcp(north) % 3 == 1
            || spades(north) == 12 && hcp(north) % 4 == 1
            || spades(north) == 13 && hcp(north) % 5 == 1)",
    ],
    // A guard of both hands' counts.
    [
        "hcp(north) - hcp(south) > 30 && 60 / (hcp(north) - hcp(south) - 30) > 15",
        "hcp(north) - hcp(south) > 30 && hcp(north) - hcp(south) <= 33",
    ],
    // Guards joined by `||`, and in brackets.
    [
        "hcp(east) > 30 && (hcp(north) == 0 || 40 / hcp(north) > 19)",
        "hcp(east) > 30 && hcp(north) <= 2",
    ],
    [
        "(spades(north) > 8 && (hcp(north) > 3 && 5 / (hcp(north) - 3) > 0)) && hcp(south) > 20",
        "spades(north) > 8 && hcp(north) > 3 && hcp(north) <= 8 && hcp(south) > 20",
    ],
    // A guard that two hands keep by the cards that there are.
    [
        "spades(north) >= 8 && 10 / (14 - spades(north) - spades(south)) > 1",
        "spades(north) >= 8 && spades(north) + spades(south) >= 9",
    ],
    // Overflow counts as division by zero does.
    [
        "hcp(north) < 1 && hcp(south) < 2 && hcp(north) * 2000000000 * 2000000000 * 9 == 0",
        "hcp(north) < 1 && hcp(south) < 2",
    ],
    // A term that no deal reaches.
    [
        "spades(north) > 9 && (hcp(north) < 2 || 0 && 1 / 0)",
        "spades(north) > 9 && hcp(north) < 2",
    ],
    // Choices evaluate one branch.
    [
        "hcp(north) > 29 && (spades(north) > 3 ? 9 / (spades(north) - 3) > 2 : spades(north) < 1)",
        "hcp(north) > 29 && (spades(north) < 1 || spades(north) > 3 && spades(north) <= 6)",
    ],
];

/// Conditions of three and four hands.
const GUARDED_OF_MORE_HANDS: [[&str; 2]; 3] = [
    [
        "hcp(east) * hcp(south) > 0 && hcp(north) / hcp(east) > 2 && hcp(north) % hcp(south) == 0
            && hcp(south) == 6",
        "hcp(east) > 0 && hcp(north) >= 3 * hcp(east) && hcp(north) % 6 == 0 && hcp(south) == 6",
    ],
    [
        "spades(north) > 4 && spades(south) > 4 && 7 / (4 - spades(east) - spades(west)) > 2
            && hcp(east) > 9",
        "spades(north) > 4 && spades(south) > 4 && spades(east) + spades(west) > 1
            && spades(east) + spades(west) < 4 && hcp(east) > 9",
    ],
    [
        "aces(west) == 1 && aces(north) > 0 && aces(east) > 0 && 1 / (3 - aces(south) - aces(north))
            && 1 / (2 - aces(south))",
        "aces(west) == 1 && aces(north) == 1 && aces(east) == 1 && aces(south) == 1",
    ],
];

/// Conditions that some deal reaches with a division by zero, and where.
const FAILING: [[&str; 2]; 10] = [
    [
        "hcp(north) / hcp(east) > 8 && hcp(east) > 0",
        "hcp(north) / hcp(east)",
    ],
    // Terms after it rule the deals out, too late.
    [
        "1 / (hcp(north) - spades(north)) >= 0 && hcp(north) == 20 && spades(north) == 5",
        "1 / (hcp(north) - spades(north))",
    ],
    [
        "10 / (spades(north) - 3) >= 1 && hcp(north) > 33",
        "10 / (spades(north) - 3)",
    ],
    [
        "40 % hcp(north) > 4 && hcp(north) > 0 && hcp(east) > 30",
        "40 % hcp(north)",
    ],
    [
        "hcp(east) > 33 && 3 / spades(north) < 2 && spades(north) > 0",
        "3 / spades(north)",
    ],
    // The guard leaves one case open.
    [
        "hcp(north) + hcp(east) == 39 && 10 / (36 - hcp(east)) >= 0",
        "10 / (36 - hcp(east))",
    ],
    [
        "spades(north) >= 9 && spades(south) >= 1 && 5 / (12 - spades(north)) > 0",
        "5 / (12 - spades(north))",
    ],
    ["hcp(north) > 30 && 1 / 0", "1 / 0"],
    [
        "hcp(north) > 30 && hcp(east) > 2 && (1 / 0 || 1) && 0",
        "1 / 0",
    ],
    [
        "hcp(north) > 30 && 5 / hcp(west) >= 0 && hcp(west) > 3 && hcp(south) < 1",
        "5 / hcp(west)",
    ],
];

/// The condition as one term, which the tree evaluates in the language's order.
fn as_one_term(text: &str) -> Condition {
    condition(&format!("({text}) || 0"))
}

fn listed(condition: &Condition) -> Result<Census, ListingError> {
    Listing::new(condition, None).and_then(|listing| cases::census(condition, &listing))
}

/// What the error of a condition points at.
fn place_of(condition: &Condition, rendered: &str) -> String {
    let line = rendered.lines().find(|line| line.contains('^')).unwrap();
    let (start, end) = (line.find('^').unwrap(), line.rfind('^').unwrap());
    let source = rendered
        .lines()
        .find(|line| line.starts_with("1 |"))
        .unwrap();
    assert!(source.contains(condition.text()), "{rendered}");
    source[start..=end].to_owned()
}

/// Deals of every kind that a filter accepts.
fn accepts_what_the_language_accepts(condition: &Condition) {
    let terms = [condition.expression().clone()];
    let filter = Filter::new(&terms);
    let mut scratch = filter::FilterScratch::default();
    let mut compare = |packet: &Packet| {
        for isa in Isa::available() {
            let accepted = filter.accept(*isa, packet, &mut scratch);
            let wanted = (0..packet.deals()).try_fold(0u128, |wanted, place| {
                let holds = condition.expression().holds(&packet.deal(place));
                holds.map(|holds| wanted | u128::from(holds) << place)
            });
            assert_eq!(accepted, wanted, "{}", condition.text());
        }
    };
    let generator = Aes128Ctr::new(3);
    let dealer = Dealer::<CaseBytes>::unconstrained();
    for portion in dealer.portions(&generator, 0..4_096).unwrap() {
        let mut scratch = DealScratch::default();
        dealer
            .deal(&generator, &portion, &mut scratch, &mut compare)
            .unwrap();
    }
}

#[test]
#[ignore = "long"]
fn a_term_is_evaluated_only_where_those_before_it_hold() {
    for [text, plain] in GUARDED {
        let (guarded, plain) = (condition(text), condition(plain));
        let wanted = listed(&plain).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(wanted.cases > 0, "{text}");
        assert_eq!(
            listed(&guarded).map(|census| census.total),
            Ok(wanted.total),
            "{text}"
        );
        let one = Cells::new(&as_one_term(text)).unwrap();
        assert_eq!(
            one.chance().0,
            Cells::new(&plain).unwrap().chance().0,
            "{text}"
        );
        let cells = Cells::new(&guarded).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(cells.total(), wanted.total, "{text}");
        assert_eq!(cells.chance(), one.chance(), "{text}");
        let division = cases::divide(&guarded, None, u64::MAX).unwrap();
        assert!(division.filter.is_empty(), "{text}");
        accepts_what_the_language_accepts(&guarded);
    }
}

#[test]
fn terms_of_four_hands_are_evaluated_in_order() {
    are_evaluated_in_order(&GUARDED_OF_MORE_HANDS[2]);
}

#[test]
#[ignore = "long"]
fn terms_of_more_hands_are_evaluated_in_order() {
    GUARDED_OF_MORE_HANDS[..2]
        .iter()
        .for_each(are_evaluated_in_order);
}

fn are_evaluated_in_order([text, plain]: &[&str; 2]) {
    let (guarded, plain) = (condition(text), condition(plain));
    let made = Cells::new(&guarded).unwrap_or_else(|error| panic!("{text}: {error}"));
    let wanted = Cells::new(&plain).unwrap();
    assert_eq!(made.chance(), wanted.chance(), "{text}");
    match Cells::new(&as_one_term(text)) {
        Ok(one) => assert_eq!(one.chance(), wanted.chance(), "{text}"),
        Err(why) => assert!(matches!(why, CellsError::TooLarge(_)), "{text}: {why}"),
    }
    accepts_what_the_language_accepts(&guarded);
}

#[test]
#[ignore = "long"]
fn theory_of_guarded_terms_is_that_of_terms_without_division() {
    for [text, plain] in &GUARDED[..5] {
        let theory = |text: &str| Theory::of_cells(&Cells::new(&condition(text)).unwrap()).unwrap();
        let of_cells = theory(text);
        let folder = folder();
        let (_, file) = case_file(folder.path(), &condition(text), None);
        let of_cases = Theory::of_cases(&file).unwrap();
        let plain = theory(plain);
        for seat in fairdeal::bridge::Seat::ALL {
            let hcp = |theory: &Theory| theory.hcp(seat).ways().to_vec();
            assert_eq!(hcp(&of_cells), hcp(&plain), "{text}");
            assert_eq!(hcp(&of_cases), hcp(&plain), "{text}");
        }
    }
}

#[test]
fn an_error_that_some_deal_reaches_is_an_error_of_every_sampler() {
    for [text, place] in FAILING {
        let failing = condition(text);
        let of_cells = match Cells::new(&failing) {
            Err(CellsError::Arithmetic(error)) => failing.evaluation_error(&error),
            other => panic!("{text}: {:?}", other.map(|cells| cells.total())),
        };
        assert_eq!(place_of(&failing, &of_cells.render(false)), place, "{text}");
        let whole = Cells::new(&as_one_term(text)).err();
        assert!(
            matches!(whole, Some(CellsError::Arithmetic(_))),
            "{text}: {whole:?}"
        );
        match listed(&failing) {
            Err(ListingError::Condition(error)) => assert_eq!(error, of_cells, "{text}"),
            // Of three hands.
            Err(ListingError::Plan(_)) => {}
            other => panic!("{text}: {other:?}"),
        }
        accepts_what_the_language_accepts(&failing);
    }
}

#[test]
fn commands_report_the_error_at_its_place() {
    let home = folder();
    for sampler in ["listing", "cells", "auto", "rejection"] {
        let text = "10 / (spades(north) - 3) >= 1 && hcp(north) > 33";
        let output = fairdeal(
            home.path(),
            &["deal", "-n", "1", "--sampler", sampler, "--where", text],
        );
        assert_eq!(code(&output), 65, "{sampler}");
        let said = stderr(&output);
        assert!(
            said.contains("division by zero for some hands"),
            "{sampler}: {said}"
        );
        assert!(said.contains("--where:1:1"), "{sampler}: {said}");
    }
}
