//! Double-dummy tricks in scripts: `dds`, `par`, `trix`, `parcontract` and `evalcontract`.

use fairdeal::bridge::{Deal, Seat, Strain, Suit, TrickTable, Vulnerable};
use fairdeal::language::{Action, AskedTricks, DealContext, Par, Script, ScriptOptions, par};

const SPADES: Strain = Strain::Trumps(Suit::Spades);

fn script(text: &str) -> Script {
    let options = ScriptOptions {
        has_tables: true,
        ..ScriptOptions::default()
    };
    Script::parse_with("test", text, &options).unwrap_or_else(|error| panic!("{error}"))
}

/// A deal with any numbers of tricks: every declarer takes the same in a strain as the partner, and
/// the other side takes the rest.
fn solved(north_south: [u8; 5]) -> DealContext {
    let deal: Deal = "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"
        .parse()
        .expect("a deal");
    let tricks = TrickTable::new(|seat, strain| match seat {
        Seat::North | Seat::South => north_south[strain.index()],
        Seat::East | Seat::West => 13 - north_south[strain.index()],
    });
    DealContext::of_cards(deal, tricks)
}

/// The labels and values of all averages for a deal.
fn averages(script: &Script, deal: &DealContext) -> Vec<(String, i64)> {
    let actions = script.actions.iter().flatten();
    let values = actions.filter_map(|action| match action {
        Action::Average { label, value } => {
            Some((label.clone(), value.value(deal).expect("a value")))
        }
        _ => None,
    });
    values.collect()
}

#[test]
fn a_contract_is_evaluated_by_its_averages() {
    let script = script("action evalcontract(NS, z2S, nv)");
    for spades in 0..=13 {
        let tricks = i64::from(spades);
        let score = match tricks {
            8.. => 110 + 30 * (tricks - 8),
            _ => 50 * (tricks - 8),
        };
        let game = (10..12).contains(&tricks);
        let slam = tricks >= 12;
        // 420 instead of 170, and 450 instead of 200, are 6 IMPs; 980 instead of 230 are 13.
        let expected = [
            ("2S by NS: score", score),
            ("2S by NS: made, %", 100 * i64::from(tricks >= 8)),
            ("2S by NS: game missed, %", 100 * i64::from(game)),
            ("2S by NS: IMPs lost to game", 6 * i64::from(game)),
            ("2S by NS: slam missed, %", 100 * i64::from(slam)),
            ("2S by NS: IMPs lost to slam", 13 * i64::from(slam)),
        ];
        let expected = expected.map(|(label, value)| (label.to_owned(), value));
        assert_eq!(averages(&script, &solved([7, spades, 7, 7, 7])), expected);
    }
    let labels = |text| -> Vec<String> {
        let all = averages(&self::script(text), &solved([6; 5]));
        all.into_iter().map(|(label, _)| label).collect()
    };
    assert_eq!(
        labels("action evalcontract(EW, z3Nxx, vul)"),
        [
            "3NTxx vul by EW: score",
            "3NTxx vul by EW: made, %",
            "3NTxx vul by EW: slam missed, %",
            "3NTxx vul by EW: IMPs lost to slam"
        ]
    );
    assert_eq!(labels("action evalcontract(EW, x7C, vul)").len(), 2);
}

#[test]
fn par_is_that_of_the_side_that_bids_first() {
    let both_make_one_notrump = |seat, _| u8::from(seat == Seat::North || seat == Seat::East) * 7;
    let mut deal = solved([6; 5]);
    deal.tricks = TrickTable::new(both_make_one_notrump);
    for vulnerable in [
        Vulnerable::None,
        Vulnerable::NorthSouth,
        Vulnerable::EastWest,
        Vulnerable::All,
    ] {
        let word = match vulnerable {
            Vulnerable::None => "none",
            Vulnerable::NorthSouth => "ns",
            Vulnerable::EastWest => "ew",
            Vulnerable::All => "both",
        };
        for (side, seat, sign) in [("NS", Seat::North, 1), ("EW", Seat::East, -1)] {
            let value = script(&format!("par({side}, {word}) + 1"));
            let table = deal.tricks.expect("a table");
            let expected = sign * par(table, seat, vulnerable) + 1;
            let found = value.condition.expression().value(&deal);
            assert_eq!(found.expect("a value"), expected, "{side} {word}");
            assert_eq!(expected, 91);
        }
    }
    assert_eq!(
        script("par(EW)").condition.to_string(),
        "condition par(EW, none)"
    );
    let table = solved([7, 10, 5, 5, 5]).tricks.expect("a table");
    let found = Par::new(table, Seat::North, Vulnerable::EastWest);
    assert_eq!(found.score, 420);
    assert_eq!(found.contract.expect("a contract").to_string(), "4S by NS");
}

#[test]
fn tricks_are_asked_under_every_name() {
    let deal = solved([5, 6, 7, 8, 9]);
    let names = ["tricks", "trick", "dds"];
    for name in names {
        let value = script(&format!("{name}(west, club) * 100 + {name}(south, spades)"));
        let found = value.condition.expression().value(&deal).expect("a value");
        assert_eq!(found, 406);
        assert_eq!(
            value.asked_tricks(),
            Some(AskedTricks::Some(vec![
                (Seat::South, SPADES),
                (Seat::West, Strain::Trumps(Suit::Clubs))
            ]))
        );
    }
}

#[test]
fn words_of_tricks_print_as_they_are_read() {
    for text in [
        "condition par(NS, both) > 3 && tricks(north, notrumps) == par(EW, none)",
        "action printrpt(trix(north), trix(NS), trix(deal), parcontract(both), deal)",
        "action csvrpt(parcontract(none), trix(west))",
        "action evalcontract(NS, z2Sx, vul), average \"t\" dds(east, hearts)",
    ] {
        let first = script(text);
        let printed = first.to_string();
        assert_eq!(script(&printed).to_string(), printed);
        assert_eq!(script(&printed).actions, first.actions, "{printed}");
    }
    // Names of other programs' words stay free for definitions.
    assert_eq!(
        script("trix = hcp(north) dds = 3 condition trix > dds").asked_tricks(),
        None
    );
}

#[test]
fn wrong_arguments_are_shown() {
    let options = ScriptOptions {
        has_tables: true,
        ..ScriptOptions::default()
    };
    for (text, message, label) in [
        ("par(north)", "`north` is not a side", "expected NS or EW"),
        (
            "par(NS, vul)",
            "`vul` is not a vulnerability",
            "expected none, ns, ew or both",
        ),
        (
            "par(NS, ns, ew)",
            "wrong number of arguments for `par`",
            "expected a side and, optionally, who is vulnerable",
        ),
        (
            "action evalcontract(NS, z4S)",
            "wrong number of arguments for `evalcontract`",
            "expected a side, a contract and a vulnerability",
        ),
        (
            "action evalcontract(NS, 4S, vul)",
            "`4S` is not a contract",
            "expected a contract such as x3N or x4S",
        ),
        (
            "action printrpt(trix(mouse))",
            "`mouse` is neither a side nor a seat",
            "expected NS, EW, north, east, south or west",
        ),
    ] {
        let error = Script::parse_with("test", text, &options).expect_err(text);
        let shown = error.to_string();
        assert!(shown.contains(message) && shown.contains(label), "{shown}");
    }
    for text in ["tricks(south, spades) > 9", "action csvrpt(trix(north))"] {
        let error = Script::parse("test", text).expect_err(text).to_string();
        assert!(
            error.contains("only `deal` and `solve` can solve deals"),
            "{error}"
        );
    }
}
