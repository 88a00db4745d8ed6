//! The meaning of conditions, and the errors of invalid ones.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use crate::common::condition;
use fairdeal::bridge::{Card, Deal, Hand, Rank, Seat, Suit};
use fairdeal::draw::{Aes128Ctr, Dealer};
use fairdeal::language::{Condition, HandCase, Plan, PlanError};
use fairdeal::population::cases::CaseBytes;
use proptest::prelude::*;

/// Pattern and honours of every hand of a deal.
fn facts(deal: &Deal) -> [HandCase; 4] {
    Seat::ALL.map(|seat| HandCase {
        pattern: deal.hand(seat).pattern().map(|pattern| pattern.index()),
        honours: Some(deal.hand(seat).honours()),
    })
}

fn length(hand: Hand, suit: Suit) -> i64 {
    hand.cards().filter(|card| card.suit() == suit).count() as i64
}

fn points(hand: Hand, values: &[(char, i64)]) -> i64 {
    let value = |rank: Rank| values.iter().find(|(letter, _)| *letter == rank.letter());
    hand.cards()
        .filter_map(|card| value(card.rank()))
        .map(|(_, value)| value)
        .sum()
}

const HCP: [(char, i64); 4] = [('A', 4), ('K', 3), ('Q', 2), ('J', 1)];

fn losers(hand: Hand) -> i64 {
    let of_suit = |suit| {
        let held = |letter| {
            let card = hand
                .cards()
                .find(|c| c.suit() == suit && c.rank().letter() == letter);
            i64::from(card.is_some())
        };
        match length(hand, suit) {
            0 => 0,
            1 => 1 - held('A'),
            2 => 2 - held('A') - held('K'),
            _ => 3 - held('A') - held('K') - held('Q'),
        }
    };
    Suit::ALL.into_iter().map(of_suit).sum()
}

type Meaning = fn(&Deal) -> bool;

/// Conditions, and what they mean card by card.
const MEANINGS: [(&str, Meaning); 16] = [
    ("hcp(west) >= 10 && hcp(west) <= 12", |d| {
        (10..=12).contains(&points(d.hand(Seat::West), &HCP))
    }),
    (
        "spades(north) + 2 * hearts(north) > clubs(south) * 3",
        |d| {
            let n = d.hand(Seat::North);
            length(n, Suit::Spades) + 2 * length(n, Suit::Hearts)
                > length(d.hand(Seat::South), Suit::Clubs) * 3
        },
    ),
    ("shape(east, any 4432 - 4432 + 5xx1, any 7xxx)", |d| {
        let e = Suit::ALL.map(|suit| length(d.hand(Seat::East), suit));
        let mut sorted = e;
        sorted.sort_unstable();
        (sorted == [2, 3, 4, 4] && e != [4, 4, 3, 2]) || (e[0] == 5 && e[3] == 1) || e.contains(&7)
    }),
    // C's precedence: `not` binds tighter than the comparison.
    ("not hcp(west) > 0", |d| {
        i64::from(points(d.hand(Seat::West), &HCP) == 0) > 0
    }),
    (
        "1 + 2 * 3 == 7 and 7 - 2 - 1 == 4 and 7 % 4 * 2 == 6",
        |_| true,
    ),
    ("1 < 2 == 1 && 3 > 2 > 1 == 0 && 1 || 0 && 0", |_| true),
    (
        "- 3 + 5 == 2 && -(3 + 5) == -8 && 7 / 2 == 3 && - 7 / 2 == -3",
        |_| true,
    ),
    ("0 ? 1 : 2 ? 0 : 3", |_| false),
    ("spades(west) > 4 ? hcp(west) > 9 : 0", |d| {
        let w = d.hand(Seat::West);
        length(w, Suit::Spades) > 4 && points(w, &HCP) > 9
    }),
    ("spades(east) && 12 / spades(east) >= 4", |d| {
        (1..=3).contains(&length(d.hand(Seat::East), Suit::Spades))
    }),
    ("losers(south) <= 6", |d| losers(d.hand(Seat::South)) <= 6),
    ("controls(south) == 3 || c13(south) == 13", |d| {
        let s = d.hand(Seat::South);
        points(s, &[('A', 2), ('K', 1)]) == 3
            || points(s, &[('A', 6), ('K', 4), ('Q', 2), ('J', 1)]) == 13
    }),
    (
        "top2(south, hearts) == 2 or top3(north, club) >= 2 or top4(north) > 5",
        |d| {
            let (s, n) = (d.hand(Seat::South), d.hand(Seat::North));
            let suit =
                |hand: Hand, suit| hand.cards().filter(|c| c.suit() == suit).collect::<Hand>();
            let one = |letters: &str| {
                letters
                    .chars()
                    .map(|letter| (letter, 1))
                    .collect::<Vec<_>>()
            };
            points(suit(s, Suit::Hearts), &one("AK")) == 2
                || points(suit(n, Suit::Clubs), &one("AKQ")) >= 2
                || points(n, &one("AKQJ")) > 5
        },
    ),
    (
        "hascard(west, SA) && !hascard(west, KS) || hascard(west, QD)",
        |d| {
            let has = |name: &str| {
                d.hand(Seat::West)
                    .cards()
                    .any(|card| card.to_string() == name)
            };
            (has("SA") && !has("SK")) || has("DQ")
        },
    ),
    (
        "aces(north) + kings(north) + queens(north) + jacks(north) == 4 && hcp(north, spades) > 3",
        |d| {
            let n = d.hand(Seat::North);
            let spades: Hand = n
                .cards()
                .filter(|card| card.suit() == Suit::Spades)
                .collect();
            points(n, &HCP.map(|(letter, _)| (letter, 1))) == 4 && points(spades, &HCP) > 3
        },
    ),
    (
        "# every comment\nmajor = spade(west) >= 5 // one\n  or heart(west) >= 5\n/* two\nlines */ weak = hcp(west) < 8\ncondition major and weak",
        |d| {
            let w = d.hand(Seat::West);
            let five = length(w, Suit::Spades) >= 5 || length(w, Suit::Hearts) >= 5;
            five && points(w, &HCP) < 8
        },
    ),
];

#[test]
fn conditions_mean_what_they_say_card_by_card() {
    let generator = Aes128Ctr::new(31);
    let dealer = Dealer::<CaseBytes>::unconstrained();
    let deals = dealer.in_random_order(&generator, 0..20_000).unwrap();
    let parsed = MEANINGS.map(|(text, meaning)| (text, condition(text), meaning));
    for deal in deals {
        let facts = facts(&deal);
        for (text, condition, meaning) in &parsed {
            let holds = condition.expression().holds(&facts).unwrap();
            assert_eq!(holds, meaning(&deal), "{text} on {deal}");
        }
    }
}

#[test]
fn what_is_wrong_is_shown_with_its_place_and_what_was_expected() {
    let cases = [
        (
            "hcp(nroth) >= 10",
            1,
            5,
            "expected north, east, south or west",
        ),
        ("hcp(west >= 10", 1, 4, "this `(` has no closing bracket"),
        (
            "hcp(west) >=",
            1,
            13,
            "expected a value such as `hcp(west)` or `10`",
        ),
        ("hcp(west)\n  and hcp(east", 2, 10, "add `)` after it"),
        ("(hcp(west) > 3", 1, 1, "this `(` has no closing bracket"),
        ("hcp(west) > 3) && 1", 1, 14, "has no opening bracket"),
        ("shape(east, any 4442)", 1, 17, "sum to 14"),
        ("shape(east, 54x)", 1, 13, "four digits or `x`"),
        ("shape(east any 4432)", 1, 12, "an operator (found `any`)"),
        ("spades(west) = 9", 1, 14, "expected `==` (found `=`)"),
        ("1 & 2", 1, 3, "expected `&&` (found `&`)"),
        ("1 | 2", 1, 3, "expected `||` (found `|`)"),
        ("1 && & 2", 1, 6, "or `10` (found `&`)"),
        ("hcp(west) ! 20", 1, 11, "expected an operator (found `!`)"),
        (
            "(hcp(west)) ! 20",
            1,
            13,
            "expected an operator (found `!`)",
        ),
        (
            "a = hcp(west) ! 20",
            1,
            15,
            "expected an operator (found `!`)",
        ),
        ("a = 1\nb = a\na = 2", 3, 1, "already defined"),
        ("a = 1\na = a + 1", 2, 1, "already defined"),
        ("HandType_a = 1\nHandType_a = 1", 2, 1, "already defined"),
        ("hcp = 3", 1, 1, "is a reserved word"),
        ("strong && 1", 1, 1, "unknown name `strong`"),
        ("spades(west, hearts)", 1, 1, "expected one seat"),
        ("hascard(west)", 1, 1, "expected a seat and a card"),
        ("hascard(west, 1S)", 1, 15, "`1S` is not a card"),
        ("tricks(west, spades) > 9", 1, 1, "can solve deals"),
        ("rnd(0) > 1", 1, 5, "`0` is not a constant of 1 or more"),
        (
            "rnd(hcp(west)) > 1",
            1,
            5,
            "`hcp(west)` is not a constant of 1 or more",
        ),
        ("rnd() > 1", 1, 5, "or `10` (found `)`)"),
        ("rnd = 1", 1, 1, "`rnd` is a reserved word"),
        ("trixes(west) > 9", 1, 1, "unknown function `trixes`"),
        ("trix(west) > 9", 1, 1, "unknown function `trix`"),
        ("quality(west)", 1, 1, "expected a seat and a suit"),
        ("score(vul, x8S, 9)", 1, 12, "a contract such as x3N"),
        ("score(green, x3N, 9)", 1, 7, "expected vul or nv"),
        ("produce ten", 1, 9, "expected a number (found `ten`)"),
        ("hcp(west) > produce", 1, 13, "or `10` (found `produce`)"),
        ("vulnerable green", 1, 12, "expected none, NS, EW or all"),
        ("dealer wets", 1, 8, "expected north, east, south or west"),
        ("predeal north SAKA", 1, 15, "SA is predealt twice"),
        ("predeal north SAK, H1", 1, 20, "`H1` is not a holding"),
        ("predeal north SAKxQ", 1, 15, "`SAKxQ` is not a holding"),
        (
            "predeal north S9xxxxxxxx",
            1,
            15,
            "9 spot cards of one suit",
        ),
        (
            "predeal north,S2",
            1,
            14,
            "expected a holding such as `north S2` (found `,`)",
        ),
        (
            "predeal north SAKQJT98765432 north HA",
            1,
            36,
            "fourteenth card",
        ),
        ("pointcount 1 2 3 4 5 6 7 8 9 1 2 3 4 5", 1, 38, "13 ranks"),
        ("altcount 10 1", 1, 10, "expected 0 to 9"),
        (
            "action frequency (hcp(west), 9, 1)",
            1,
            33,
            "invalid range 9 to 1",
        ),
        ("action average \"open", 1, 16, "this string is not closed"),
        (
            "action printall hcp(west), printew",
            1,
            26,
            "expected an operator (found `,`)",
        ),
        ("west", 1, 1, "`west` alone is not a value"),
        ("3 /* open", 1, 3, "this comment is not closed"),
        ("3 § 4", 1, 3, "unexpected character `§`"),
        ("hcp(west) => 3", 1, 11, "`=>` is not an operator"),
        ("hcp(west) =< 3", 1, 11, "`=<` is not an operator"),
        ("99999999999 > 1", 1, 1, "too large"),
        ("))", 1, 1, "this `)` has no opening bracket"),
        (
            "action average hcp(west), evalcontract(west)",
            1,
            27,
            "`evalcontract` is not supported here",
        ),
        ("action printal", 1, 8, "unknown action `printal`"),
    ];
    for (text, line, column, expected) in cases {
        let error = Condition::parse("test", text).expect_err(text);
        assert_eq!(
            (error.line(), error.column()),
            (line, column),
            "{text}: {error}"
        );
        assert!(error.to_string().contains(expected), "{text}: {error}");
        let shown = error.render(false);
        assert!(shown.contains('^') && shown.contains("test:"), "{shown}");
    }
}

#[test]
fn characters_of_books_are_explained() {
    for (text, label) in [
        ("hcp(west) ≥ 3", "^ write `>=`"),
        ("hcp(west) ≤ 3", "^ write `<=`"),
        ("hcp(west) != 3 && hcp(east) ≠ 3", "^ write `!=`"),
        ("hcp(west) – 3 > 0", "^ write `-`"),
        ("action average “points” hcp(west)", "^ write `\"`"),
        ("hcp(west) => 3", "^^ write `>=`"),
        ("hcp(west) =< 3", "^^ write `<=`"),
    ] {
        let error = Condition::parse("test", text).expect_err(text);
        assert!(
            error.render(false).contains(label),
            "{}",
            error.render(false)
        );
    }
}

#[test]
fn a_caret_stands_under_the_place() {
    let error = Condition::parse("my.dl", "hcp(wset) > 3").unwrap_err();
    let shown = error.render(false);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "error: `wset` is not a seat");
    assert_eq!(lines[1], " --> my.dl:1:5");
    assert_eq!(lines[3], "1 | hcp(wset) > 3");
    assert_eq!(lines[4], "  |     ^^^^ expected north, east, south or west");
    assert!(shown.ends_with("help: did you mean `west`?"), "{shown}");
}

#[test]
fn a_defined_name_before_a_bracket_is_no_call() {
    let text = "balanced = shape(west, any 4333) && hcp(west) > 30\nstrong = balanced\n(strong || hcp(west) > 33)";
    let bracketed = condition(text);
    let plain = condition("shape(west, any 4333) && hcp(west) > 30 || hcp(west) > 33");
    assert_eq!(
        crate::common::census(&bracketed, None),
        crate::common::census(&plain, None)
    );
    let many: String = (0..300)
        .map(|i| format!("a{i} = hcp(west) ? {i} : 0\n"))
        .collect();
    assert!(Condition::parse("test", &(many + "a7 < 9")).is_ok());
}

/// Conditions by what they tell apart.
const TELLING: [&str; 8] = [
    "spades(west) > 4",
    "hcp(west) > 9 && shape(south, any 4432)",
    "losers(west) < 7",
    "hascard(north, TS) || hascard(north, 7H)",
    "tens(north) + aces(south) >= 3",
    "altcount 3 0 0 0 0 0 2 0 1\npt3(east, hearts) > 2",
    "cccc(north) > 1200",
    "predeal west S5, H2 quality(north, clubs) > 200 && hcp(north, clubs) > 5",
];

#[test]
fn cards_that_are_exchangeable_change_nothing_when_they_change_places() {
    let all = fairdeal::Population::every_deal();
    let deals: Vec<Deal> = all
        .deals(11)
        .unwrap()
        .take(2_000)
        .map(Result::unwrap)
        .collect();
    for text in TELLING {
        let condition = condition(text).without_predeal().unwrap();
        let exchangeable = condition.exchangeable();
        let mut held = [0; 2];
        for deal in &deals {
            let holds = condition.expression().holds(deal).unwrap();
            held[usize::from(holds)] += 1;
            for suit in Suit::ALL {
                let cards = exchangeable.cards().filter(|card| card.suit() == suit);
                let cards: Vec<_> = cards.collect();
                for pair in cards.windows(2) {
                    let swapped = swapped(deal, pair[0], pair[1]);
                    let still = condition.expression().holds(&swapped).unwrap();
                    assert_eq!(still, holds, "{text}: {deal} {pair:?}");
                }
            }
        }
        assert!(
            text.contains("predeal") || !held.contains(&0),
            "{text}: {held:?}"
        );
    }
}

/// The deal in which two cards have changed places.
fn swapped(deal: &Deal, one: Card, other: Card) -> Deal {
    let (one, other) = (Hand::of(one), Hand::of(other));
    let hands = deal.hands().map(|hand| {
        let has = [one, other].map(|card| !hand.intersection(card).is_empty());
        match has {
            [true, false] => hand.without(one).union(other),
            [false, true] => hand.without(other).union(one),
            _ => hand,
        }
    });
    Deal::new(hands).unwrap()
}

#[test]
fn what_a_condition_leaves_alike_is_known() {
    let exchangeable = |text: &str| condition(text).exchangeable().len();
    assert_eq!(exchangeable("spades(west) > 4"), 52);
    assert_eq!(exchangeable("hcp(west) > 9"), 36);
    assert_eq!(exchangeable("losers(west) < 7"), 40);
    assert_eq!(exchangeable("hascard(north, TS) || hascard(north, 7H)"), 50);
    assert_eq!(exchangeable("cccc(north) > 1200"), 0);
    assert_eq!(exchangeable("predeal west S5 spades(north) > 2"), 51);
    let unmentioned = condition("predeal west S5 hcp(north) > 2").unmentioned();
    assert_eq!(unmentioned, [Seat::East, Seat::South]);
}

#[test]
fn an_x_of_a_predealt_holding_is_a_spot_card() {
    let spots = condition("predeal north SQT9xx, HA south Dxxx hcp(west) >= 3");
    let terms = condition(
        "predeal north SQT9, HA condition spades(north) == 5 && !hascard(north, SA)
            && !hascard(north, SK) && !hascard(north, SJ) && diamonds(south) == 3
            && top5(south, diamonds) == 0 && hcp(west) >= 3",
    );
    assert_eq!(spots.predeal(), terms.predeal());
    let written = condition(&spots.to_string());
    assert_eq!(written.predeal(), spots.predeal());
    let mut held = 0;
    let dealer = Dealer::<CaseBytes>::unconstrained();
    for deal in dealer
        .in_random_order(&Aes128Ctr::new(3), 0..20_000)
        .unwrap()
    {
        let of = |condition: &Condition| condition.expression().holds(&deal).unwrap();
        assert_eq!(of(&spots), of(&terms));
        assert_eq!(of(&spots), of(&written));
        held += u32::from(of(&spots));
    }
    assert!(held > 0);
}

#[test]
fn without_predeal_the_same_deals_are_allowed() {
    let fixed = condition("predeal north SA, HK west D2 condition hcp(south) > 3");
    let free = fixed.without_predeal().unwrap();
    assert!(free.predeal().is_empty());
    let again = condition(free.text());
    let all = fairdeal::Population::every_deal();
    for deal in all.deals(5).unwrap().take(20_000) {
        let deal = deal.unwrap();
        let expected = fixed.predeal().is_in(&deal) && fixed.expression().holds(&deal).unwrap();
        assert_eq!(free.expression().holds(&deal), Ok(expected));
        assert_eq!(again.expression().holds(&deal), Ok(expected));
    }
}

#[test]
fn a_third_hand_is_refused_by_name() {
    let three = condition("hcp(west) > 9 && hcp(east) > 9 && spades(north) > 4");
    let Err(PlanError::Condition(error)) = Plan::new(&three, None) else {
        panic!("three hands were planned");
    };
    assert_eq!((error.line(), error.column()), (1, 35));
    assert!(
        error.to_string().contains("north would be a third hand"),
        "{error}"
    );
    assert!(
        error
            .to_string()
            .contains("a listing has two hands at most"),
        "{error}"
    );
}

#[test]
fn an_order_must_name_the_hands_of_the_condition() {
    let two = condition("hcp(west) > 9 && hcp(east) > 9");
    assert!(Plan::new(&two, Some(&[Seat::East, Seat::West])).is_ok());
    for order in [
        &[Seat::East][..],
        &[Seat::East, Seat::North],
        &[Seat::East, Seat::East],
        &[],
    ] {
        let refused = Plan::new(&two, Some(order));
        assert!(matches!(refused, Err(PlanError::Order { .. })), "{order:?}");
    }
}

#[test]
fn what_is_listed_of_a_hand_is_what_is_mentioned_of_it() {
    let by = |text: &str| {
        let condition = condition(text);
        let Ok(Plan::Listed { first, second }) = Plan::new(&condition, None) else {
            panic!("{text} lists nothing");
        };
        let second = second.map(|hand| (hand.by_pattern, hand.by_honours));
        ((first.by_pattern, first.by_honours), second)
    };
    let (pattern, honours, both) = ((true, false), (false, true), (true, true));
    assert_eq!(by("clubs(west) <= 13"), (pattern, None));
    assert_eq!(by("aces(west) == 2"), (honours, None));
    assert_eq!(by("losers(west) == 2"), (both, None));
    assert_eq!(
        by("hcp(west) > 1 && hascard(east, HJ)"),
        (honours, Some(honours))
    );
    assert_eq!(
        by("spades(west) > 1 && hascard(east, HJ)"),
        (pattern, Some(both))
    );
    assert_eq!(
        by("hcp(west) > 1 && shape(east, any 5xxx)"),
        (both, Some(pattern))
    );
    assert_eq!(
        by("hcp(west) > spades(west) && control(east)"),
        (both, Some(honours))
    );
}

#[test]
fn arithmetic_that_fails_is_an_error_only_where_such_hands_can_be() {
    let fails = condition("10 / (spades(west) - 3) > 1");
    let error = fairdeal::population::cases::Listing::new(&fails, None).unwrap_err();
    assert!(error.to_string().contains("division by zero"), "{error}");
    // A term before it rules the failing hands out, in this hand or the other.
    let guarded = [
        "spades(west) != 3 && 10 / (spades(west) - 3) >= 1",
        "hcp(west) > 10 && 5 / (spades(west) - 13) >= 0",
        "spades(east) >= 1 && 5 / (13 - spades(west)) >= 1",
    ];
    for text in guarded {
        assert!(
            crate::common::census(&condition(text), None).cases > 0,
            "{text}"
        );
    }
    // Two hands never have more than 13 spades, so 14 less both is never 0.
    let sound = condition("10 / (14 - spades(west) - spades(east)) > 1");
    assert!(crate::common::census(&sound, None).cases > 0);
}

#[test]
fn no_size_or_depth_of_text_exhausts_the_stack() {
    let deep = [
        "(".repeat(100_000),
        "(".repeat(150) + "1" + &")".repeat(150),
        "!".repeat(100_000) + "1",
        "1".to_owned() + &"+1".repeat(9_000),
        "1".to_owned() + &"&&1".repeat(9_000),
        "1?1:".repeat(6_000) + "1",
        "a0 = 1\n".to_owned()
            + &(1..100)
                .map(|i| format!("a{i} = a{0} + a{0}\n", i - 1))
                .collect::<String>()
            + "a99",
        "x".repeat(2 << 20),
    ];
    for text in deep {
        if let Err(error) = Condition::parse("test", &text) {
            assert!(!error.to_string().is_empty());
        }
    }
    let prefixed = ("!".repeat(150) + "(").repeat(50);
    assert!(Condition::parse("test", &prefixed).is_err());
    assert!(Condition::parse("test", &("(".repeat(150) + "1" + &")".repeat(150))).is_ok());
}

proptest! {
    #[test]
    fn any_text_is_a_condition_or_an_error_with_a_place(text in any::<String>()) {
        if let Err(error) = Condition::parse("test", &text) {
            prop_assert!(error.line() <= text.matches('\n').count() + 1);
            prop_assert!(!error.render(false).is_empty());
        }
    }

    #[test]
    fn any_words_of_the_language_are_a_condition_or_an_error(words in prop::collection::vec(
        prop::sample::select(vec![
            "hcp", "spades", "shape", "any", "(", ")", ",", "west", "east", "4432", "54xx", "+",
            "-", "*", "/", "%", "<", ">=", "==", "=", "&&", "or", "not", "?", ":", "10", "a",
            "condition", "# x\n", "/*", "*/", "hascard", "SA", "\n",
        ]), 0..40))
    {
        let text = words.join(" ");
        match Condition::parse("test", &text) {
            Ok(condition) => {
                let _ = Plan::new(&condition, None);
            }
            Err(error) => prop_assert!(!error.render(true).is_empty()),
        }
    }
}
