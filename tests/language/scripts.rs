//! Scripts in dealer's language: parsing, and printing without loss.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use fairdeal::bridge::{Deal, Hand, Seat, Side, Vulnerable};
use fairdeal::draw::{Aes128Ctr, DealScratch, Dealer, Packet};
use fairdeal::filter::{self, Filter};
use fairdeal::language::{
    Action, Condition, Dialect, FixedProperties, OutputPiece, Script, ScriptOptions,
};
use fairdeal::population::cases::CaseBytes;
use fairdeal::population::cells::Cells;
use fairdeal::theory::ValueLaw;
use proptest::prelude::*;

fn script(text: &str) -> Script {
    Script::parse("test", text).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

/// Whether two scripts say the same.
fn assert_same(script: &Script, again: &Script, text: &str) {
    assert_eq!(
        again.condition.expression(),
        script.condition.expression(),
        "{text}"
    );
    assert_eq!(
        again.condition.predeal(),
        script.condition.predeal(),
        "{text}"
    );
    assert_eq!(again.actions, script.actions, "{text}");
    let rest = |script: &Script| {
        (
            script.generate,
            script.produce,
            script.dealer,
            script.vulnerable,
        )
    };
    assert_eq!(rest(again), rest(script), "{text}");
}

/// Prints what was read, and reads it again.
fn assert_round_trip(script: &Script) {
    let printed = script.to_string();
    let again = Script::parse("printed", &printed);
    let again = again.unwrap_or_else(|error| panic!("{}", error.render(false)));
    assert_same(script, &again, &printed);
    let condition = script.condition.to_string();
    let again = Condition::parse("printed", &condition);
    let again = again.unwrap_or_else(|error| panic!("{}", error.render(false)));
    assert_eq!(again.expression(), script.condition.expression());
    assert_eq!(again.predeal(), script.condition.predeal());
}

#[test]
fn every_statement_is_read() {
    let script = script(
        "generate 5000 produce 25 dealer west vulnerable ew\n\
         predeal south SAQ542, HKJ87, D32, CAK hearts(north) == 2 east D\n\
         pointcount 6 4 2 1 -1\naltcount 3 0 0 7\n\
         strong = hcp(west) > 20 and kings(west) == 14\n\
         strong\n\
         action print(east, west), printoneline(hcp(north) + 1),\n\
         printes(\"points: \", hcp(west), \\n), average spades(west),\n\
         frequency \"fit\" (spades(west) + spades(east), 5, 9, hcp(west), -3, 20)",
    );
    assert_eq!((script.generate, script.produce), (Some(5000), Some(25)));
    assert_eq!(script.dealer, Some(Seat::West));
    assert_eq!(script.vulnerable, Some(Vulnerable::EastWest));
    let south = script.condition.predeal().hand(Seat::South);
    assert_eq!(south.to_string(), "AQ542.KJ87.32.AK");
    assert_eq!(script.condition.predeal().hand(Seat::East), Hand::EMPTY);
    assert_eq!(
        script.condition.expression().to_string(),
        "hcp(west) > 20 && pt3(west) == 14 && hearts(north) == 2"
    );
    let actions = script.actions.clone().unwrap();
    assert_eq!(actions.len(), 5);
    assert_eq!(actions[0], Action::Print(vec![Seat::East, Seat::West]));
    let Action::PrintEs(pieces) = &actions[2] else {
        panic!("{actions:?}");
    };
    assert_eq!(pieces[0], OutputPiece::Text("points: ".to_owned()));
    assert_eq!(pieces[2], OutputPiece::Text("\n".to_owned()));
    let Action::Frequency { label, axes } = &actions[4] else {
        panic!("{actions:?}");
    };
    assert_eq!(label, "fit");
    assert_eq!((axes[0].low, axes[0].high, axes[1].low), (5, 9, -3));
    assert_round_trip(&script);
}

#[test]
fn of_two_statements_one_counts_as_in_dealer_and_a_lost_condition_is_noted() {
    let script =
        script("produce 1 produce 2 hcp(west) > 3\nhcp(west) > 4\naction printall action printew");
    assert_eq!(script.produce, Some(1));
    assert_eq!(script.condition.expression().to_string(), "hcp(west) > 4");
    assert_eq!(
        script.actions,
        Some(vec![Action::PrintSide(Side::EastWest)])
    );
    let said: Vec<String> = script.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "test, line 1, column 21: this condition is replaced by the one at line 2, column 1: \
             not used",
            "test, line 3, column 1: these actions are replaced by the ones at line 3, column 17: \
             not used",
        ]
    );
    assert!(script.warnings.iter().all(|warning| warning.is_loss()));
}

#[test]
fn what_dealer_allows_is_allowed() {
    for text in [
        "",
        "# nothing but this\n",
        "action",
        "produce 3 action\n# average \"a\" hcp(north)\n",
        "action printall,",
        "action average (hcp(north)),average\"c\"(1),frequency\"d\"(1,0,1)",
        "action printes \"Number of hearts: \", hearts(north), \\n, printall",
        "average2 = 1 action average \"two\nlines\" average2",
        "condition hcps(north, spade) > trump trump = 3",
        "pointcount action average hcp(north)",
        "1 ? 0 ? 3 : 2 : 1",
        // As many patterns as there are shapes.
        "shape(north, 5xxx - 55xx - 5800 - 5080)",
        "shape(north, xxxx)",
        "a = 3 a (1 + 2)",
        "score(vul, x7N, 13) - score(nv, x1C, imps(-3)) > 1000",
        "predeal spades(north)==4 hearts(south)==3 north HAK, S2",
    ] {
        if text.contains("trump") {
            assert!(Script::parse("test", text).is_err(), "{text}");
            continue;
        }
        assert_round_trip(&script(text));
    }
}

/// Definitions that each use the one before twice: written out, the last has 2^60 nodes.
#[test]
fn definitions_are_shared_and_never_written_out() {
    let names: String = (1..=60)
        .map(|i| format!("d{i} = (d{} + d{}) % 13\n", i - 1, i - 1))
        .collect();
    let text = format!("d0 = hcp(north) + 1\n{names}condition d60 == 7\naction average d60");
    let condition = script(&text).condition;
    assert_eq!(condition.expression(), script(&text).condition.expression());
    let other = script(&text.replace("+ 1", "+ 2")).condition;
    assert_ne!(condition.expression(), other.expression());
    assert_eq!(
        condition.expression().implied(&FixedProperties::default()),
        None
    );
    let expression = condition.expression().to_string();
    assert!(expression.contains("too large to write out"));
    assert_round_trip(&script(&text));

    let generator = Aes128Ctr::new(1);
    let dealer = Dealer::<CaseBytes>::unconstrained();
    let filter = Filter::new(std::slice::from_ref(condition.expression()));
    assert!(filter.steps() < 300, "{}", filter.steps());
    let (mut scratch, mut found) = (filter::FilterScratch::default(), 0);
    let portion = &dealer.portions(&generator, 0..1_000).unwrap()[0];
    let mut sink = |packet: &Packet| {
        let accepted = filter.accept(dealer.isa(), packet, &mut scratch).unwrap();
        for place in 0..packet.deals() {
            let deal = packet.deal(place);
            let first = i64::from(deal.hand(Seat::North).hcp()) + 1;
            let value = (0..60).fold(first, |value, _| (value + value) % 13);
            let holds = condition.expression().holds(&deal);
            assert_eq!(holds, Ok(value == 7));
            assert_eq!(accepted >> place & 1 == 1, value == 7);
            found += u32::from(value == 7);
        }
    };
    let dealt = dealer.deal(&generator, portion, &mut DealScratch::default(), &mut sink);
    dealt.unwrap();
    assert!(found > 20, "{found} of 1,000 deals");
}

/// A definition means what its text would mean in its place, wherever it is used.
#[test]
#[ignore = "long"]
fn definitions_mean_what_is_written_out() {
    let with_names = "strong = hcp(north) >= 16 || losers(north) <= 4 && spades(north) >= 6
        weak = !strong && hcp(north) <= 9
        fit = spades(north) + spades(south) >= 8
        condition fit && (weak ? hcp(south) >= 12 : !strong || fit) && !(weak && strong)";
    let (strong, fit) = (
        "(hcp(north) >= 16 || losers(north) <= 4 && spades(north) >= 6)",
        "(spades(north) + spades(south) >= 8)",
    );
    let weak = format!("(!{strong} && hcp(north) <= 9)");
    let written_out = format!(
        "{fit} && ({weak} ? hcp(south) >= 12 : !{strong} || {fit}) && !({weak} && {strong})"
    );
    let one = script(with_names).condition;
    let other = script(&written_out).condition;
    assert_eq!(one.expression(), other.expression());
    let of = |condition: &Condition| Cells::new(condition).unwrap().chance();
    assert_eq!(of(&one), of(&other));
    let fixed = FixedProperties {
        patterns: [true, false, false, false],
        honours: [true, false, false, false],
    };
    assert_eq!(
        one.expression().implied(&fixed),
        other.expression().implied(&fixed)
    );
}

#[test]
#[ignore = "long"]
fn no_script_takes_long_to_read() {
    let shapes = vec!["any 4333"; 2_000].join(" + ");
    let definitions = |terms: usize| {
        let names = (0..terms).map(|name| format!("x{name} = {}", vec!["c"; 20].join(" + ")));
        names.collect::<Vec<_>>().join("\n")
    };
    let large = [
        format!(
            "s = shape(west, {shapes})\ncondition {}",
            vec!["s"; 90].join(" or ")
        ),
        format!(
            "c = {}\n{}",
            vec!["hcp(west)"; 900].join(" + "),
            definitions(300)
        ),
        format!("action {}", ["frequency (1, 0, 900000)"; 3].join(", ")),
        format!("d = {}\naction {}", vec!["hcp(east)"; 990].join(" + "), {
            let sums = vec![format!("average {}", vec!["d"; 90].join(" + ")); 20];
            sums.join(", ")
        }),
    ];
    for text in large {
        assert_eq!(
            Script::parse("test", &text).is_err(),
            text.contains("frequency"),
            "{}",
            &text[..60]
        );
    }
    // As many terms as a chain may have, and every law of a value is found or not, in time.
    let chain = vec!["hcp(west) == 11"; 990].join(" || ");
    let script = script(&format!("{chain} action average hcp(west)"));
    let values: Vec<_> = script.actions.as_ref().unwrap()[0].values().collect();
    let law = ValueLaw::of(&script.condition, &values);
    assert_eq!(law.ok().and_then(|law| law.mean()), Some(11.0));
}

/// A value, as a text.
fn value() -> impl Strategy<Value = String> {
    let seat = || prop::sample::select(vec!["north", "east", "south", "west"]);
    let suit = || prop::sample::select(vec!["spades", "heart", "diamonds", "club"]);
    let points = prop::sample::select(vec![
        "hcp", "control", "losers", "pt0", "pt9", "tens", "c13", "top5", "aces",
    ]);
    let shapes = prop::sample::select(vec![
        "any 4333",
        "54xx + any 0xxx - 5440",
        "xxxx",
        "4333 - 4333",
        "x111",
        "any 7xxx, 6xxx",
    ]);
    let card = prop::sample::select(vec!["AS", "2C", "TD", "9H", "KC"]);
    let leaf = prop_oneof![
        (0i32..50).prop_map(|number| number.to_string()),
        (suit(), seat()).prop_map(|(suit, seat)| format!("{suit}({seat})")),
        (points.clone(), seat()).prop_map(|(count, seat)| format!("{count}({seat})")),
        (points, seat(), suit()).prop_map(|(count, seat, suit)| format!("{count}({seat}, {suit})")),
        (seat(), shapes).prop_map(|(seat, shape)| format!("shape({seat}, {shape})")),
        (seat(), card).prop_map(|(seat, card)| format!("hascard({seat}, {card})")),
        seat().prop_map(|seat| format!("cccc({seat})")),
        (1..100u32).prop_map(|sides| format!("rnd({sides})")),
        (1..100u32, 1..9u32).prop_map(|(sides, number)| format!("rnd({sides}, {number})")),
        (seat(), suit()).prop_map(|(seat, suit)| format!("quality({seat}, {suit})")),
    ];
    leaf.prop_recursive(6, 40, 3, |inner| {
        let operator = prop::sample::select(vec![
            "&&", "||", "and", "or", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%",
        ]);
        prop_oneof![
            (inner.clone(), operator, inner.clone(), any::<bool>()).prop_map(
                |(left, operator, right, brackets)| match brackets {
                    true => format!("({left} {operator} {right})"),
                    false => format!("{left} {operator} {right}"),
                }
            ),
            inner.clone().prop_map(|value| format!("!{value}")),
            inner.clone().prop_map(|value| format!("not ({value})")),
            inner.clone().prop_map(|value| format!("-({value})")),
            inner.clone().prop_map(|value| format!("imps({value})")),
            inner
                .clone()
                .prop_map(|value| format!("score(vul, x4S, {value})")),
            (inner.clone(), inner.clone(), inner)
                .prop_map(|(test, yes, no)| format!("({test} ? {yes} : {no})")),
        ]
    })
}

/// So many deals, every time the same.
fn deals(count: u64) -> Vec<Deal> {
    let dealer = Dealer::<CaseBytes>::unconstrained();
    dealer
        .in_random_order(&Aes128Ctr::new(77), 0..count)
        .unwrap()
}

/// Definitions of which each uses some of the last three, by numbers: written out, the last one has
/// thousands of nodes.
fn any_definitions() -> impl Strategy<Value = String> {
    const OPERATORS: [&str; 11] = ["+", "-", "<", "<=", ">", "==", "!=", "&&", "||", "%", "/"];
    let step = (0..3_usize, 0..3_usize, 0..3_usize, 0..14_usize, 0..9_usize);
    prop::collection::vec(step, 20..40).prop_map(|steps| {
        let atoms = ["hcp(north)", "spades(east) >= 5", "hascard(west, SA) + 2"];
        let mut text: String = (0..3)
            .map(|number| format!("n{number} = {}\n", atoms[number]))
            .collect();
        for (place, (a, b, c, first, second)) in steps.into_iter().enumerate() {
            let [a, b, c] = [a, b, c].map(|back| format!("n{}", place + 2 - back));
            let value = match (OPERATORS.get(first), OPERATORS[second]) {
                // Not zero, and not too large.
                (Some(&("%" | "/")), _) => format!("{a} % 9 - {b} / 7"),
                (Some(one), other) => format!("{a} {one} {b} {other} {c}"),
                (None, _) if first == 11 => format!("!{a} - -{b}"),
                (None, _) if first == 12 => format!("!({a} && {b}) == {c}"),
                (None, other) => format!("({a} ? {b} : {c} {other} {a}) + {b}"),
            };
            text += &format!("n{} = {value}\n", place + 3);
        }
        let last = text.lines().count() - 1;
        let [before, other] = [last - 1, last - 4].map(|number| format!("n{number}"));
        text += &format!("condition n{last} && {before}\n");
        text + &format!("action average {before} + 1, frequency ({other}, 0, 3)")
    })
}

proptest! {
    #[test]
    fn a_long_script_is_printed_with_names_for_its_shared_parts(text in any_definitions()) {
        let script = script(&text);
        assert_round_trip(&script);
        let printed = script.to_string();
        prop_assert!(printed.contains("part1 = ") && printed.len() < 10_000, "{}", printed);
        for dialect in Dialect::ALL {
            let options = ScriptOptions { dialect: Some(dialect), ..ScriptOptions::default() };
            let again = Script::parse_with("printed", &printed, &options).unwrap();
            prop_assert_eq!(again.condition.expression(), script.condition.expression());
        }
    }

    #[test]
    fn what_is_implied_holds_where_the_condition_does(
        condition in value(),
        kinds in prop::array::uniform4((any::<bool>(), any::<bool>())),
    ) {
        let condition = script(&format!("condition {condition}")).condition;
        let fixed = FixedProperties {
            patterns: kinds.map(|kind| kind.0),
            honours: kinds.map(|kind| kind.1),
        };
        if let Some(implied) = condition.expression().implied(&fixed) {
            prop_assert!(fixed.tells_value(&implied));
            for deal in deals(200) {
                if condition.expression().holds(&deal) == Ok(true) {
                    // Arithmetic may fail that the condition would not have come to.
                    prop_assert_ne!(implied.holds(&deal), Ok(false), "{} for {}", implied, deal);
                }
            }
        }
    }

    #[test]
    fn a_part_of_a_condition_has_a_text_that_says_it(
        condition in value(),
    ) {
        let script = script(&format!("condition {condition}"));
        let narrowed = script.condition.narrowed_to(Some(script.condition.expression().clone()));
        let narrowed = narrowed.unwrap();
        prop_assert_eq!(narrowed.expression(), script.condition.expression());
        prop_assert_eq!(narrowed.text(), script.condition.to_string());
    }

    #[test]
    fn a_printed_script_is_the_same_script(
        (condition, average, low) in (value(), value(), -9i32..9),
        counts in prop::collection::vec(-3i32..7, 0..=13),
        number in 0u8..10,
        produce in prop::option::of(any::<u64>()),
    ) {
        let counts: Vec<String> = counts.iter().map(i32::to_string).collect();
        let counts = counts.join(" ");
        let produce = produce.map(|deals| format!("produce {deals}")).unwrap_or_default();
        let text = format!(
            "{produce}\npointcount {counts}\naltcount {number} {counts}\n\
             predeal west S{low_card}, HAK\nfirst = {condition}\ncondition first\n\
             action average \"mean\" ({average}), frequency ({average}, {low}, 9), printcompact(first)",
            low_card = 2 + number % 8,
        );
        assert_round_trip(&script(&text));
    }
}

#[test]
fn tricks_are_read_for_deals_with_tables_only() {
    let options = ScriptOptions {
        has_tables: true,
        ..ScriptOptions::default()
    };
    let parse = |text: &str| Script::parse_with("test", text, &options);
    for (text, printed) in [
        ("trick(west, spade) > 9", "tricks(west, spades) > 9"),
        ("tricks(north, nt) == 3", "tricks(north, notrumps) == 3"),
        (
            "10 <= tricks(south, notrump)",
            "10 <= tricks(south, notrumps)",
        ),
    ] {
        let script = parse(text).unwrap();
        assert!(script.needs_tables());
        let expression = script.condition.expression();
        assert_eq!(expression.to_string(), printed);
        let again = parse(printed).unwrap();
        assert_eq!(again.condition.expression(), expression);
        // Nothing is dealt for such a script.
        let refused = Script::parse("test", text).unwrap_err().render(false);
        assert!(
            refused.contains("only `deal` and `solve` can solve deals"),
            "{refused}"
        );
        let refused = fairdeal::Script::from(script).population();
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("needs solved deals"), "{refused}");
    }
    assert!(!parse("hcp(west) > 9").unwrap().needs_tables());
    let action = parse("action average tricks(east, hearts) hcp(west) > 9").unwrap();
    assert!(action.needs_tables());
    for (text, wrong) in [
        ("tricks(west) > 9", "expected a declarer and a strain"),
        ("tricks(west, 3) > 9", "is not a strain"),
        ("tricks(spades, west) > 9", "is not a seat"),
        ("tricks(west, heartz) > 9", "did you mean `hearts`?"),
        ("tricks = 3 hcp(west) > 9", "is a reserved word"),
    ] {
        let told = parse(text).unwrap_err().render(false);
        assert!(told.contains(wrong), "{text}: {told}");
    }
}
