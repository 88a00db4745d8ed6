//! The dialects: detection, what each of them reads differently, and every word of their tables.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::path::{Path, PathBuf};

use fairdeal::draw::{Aes128Ctr, DealScratch, Dealer, Packet};
use fairdeal::error::Remedy;
use fairdeal::language::{Action, Dialect, Script, ScriptOptions};
use fairdeal::population::cases::CaseBytes;

fn script(text: &str) -> Script {
    Script::parse("test", text).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

fn error(text: &str) -> String {
    match Script::parse("test", text) {
        Ok(script) => panic!("{text}: {script}"),
        Err(error) => error.render(false),
    }
}

fn in_dialect(text: &str, dialect: Dialect) -> Script {
    let options = ScriptOptions {
        dialect: Some(dialect),
        ..ScriptOptions::default()
    };
    let script = Script::parse_with("test", text, &options);
    script.unwrap_or_else(|error| panic!("{}", error.render(false)))
}

/// The condition as it is written in every dialect.
fn condition(text: &str) -> String {
    let condition = script(text).condition.to_string();
    condition.trim_start_matches("condition ").to_owned()
}

fn fixtures() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/dialects");
    let entries = std::fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let scripts = paths.filter(|path| path.extension().is_some_and(|ending| ending == "dl"));
    let mut scripts: Vec<(PathBuf, String)> = scripts
        .map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()))
        .collect();
    scripts.sort();
    scripts
}

/// Values of the parameters of `parameters.dl`.
fn parameters() -> [Option<String>; 10] {
    let mut values: [Option<String>; 10] = Default::default();
    for (place, value) in ["west", "15", "any 4333 + any 4432"]
        .into_iter()
        .enumerate()
    {
        values[place] = Some(value.to_owned());
    }
    values
}

#[test]
fn every_fixture_is_read_in_its_dialect_or_says_why_not() {
    let scripts = fixtures();
    assert!(scripts.len() > 30, "{} scripts", scripts.len());
    for (path, text) in scripts {
        let head = text.lines().next().unwrap().trim_start_matches("// ");
        let (program, refusal) = head.split_once(": ").unwrap_or((head, ""));
        let options = ScriptOptions {
            parameters: parameters(),
            has_tables: true,
            ..ScriptOptions::default()
        };
        let read = Script::parse_with(&path.display().to_string(), &text, &options);
        let script = match read {
            Err(error) if !refusal.is_empty() => {
                assert!(error.to_string().contains(refusal), "{error}");
                continue;
            }
            Err(error) => panic!("{}", error.render(false)),
            Ok(script) => script,
        };
        assert_eq!(refusal, "", "{}", path.display());
        assert_eq!(script.dialect.program(), program, "{}", path.display());
        // Its dialect reads it in the same way if it is named, and the others have no such words.
        for dialect in Dialect::ALL {
            let options = ScriptOptions {
                dialect: Some(dialect),
                ..options.clone()
            };
            let again = Script::parse_with("test", &text, &options);
            match (again, script.dialect == dialect) {
                (Ok(again), true) => assert_same(&script, &again),
                (Err(error), true) => panic!("{}", error.render(false)),
                // Only `csvrpt` is a word of two successors.
                (Ok(_), false) => {
                    let is_shared = path.ends_with("csvrpt.dl") && dialect == Dialect::Dealer3;
                    assert!(script.dialect == Dialect::Dealer || is_shared, "{text}");
                }
                (Err(error), false) => {
                    let remedy = |remedy: &Remedy| match remedy {
                        Remedy::UseDialect(name) => Some(format!("use {name}")),
                        _ => None,
                    };
                    let shown = error.told(false, remedy);
                    assert!(shown.contains(script.dialect.program()), "{shown}");
                    assert!(shown.contains("help: use dealer"), "{shown}");
                }
            }
        }
    }
}

fn assert_same(script: &Script, again: &Script) {
    let parts = |script: &Script| {
        (
            script.condition.expression().clone(),
            *script.condition.predeal(),
            script.actions.clone(),
            (
                script.generate,
                script.produce,
                script.seed,
                script.start_board,
            ),
            (script.title.clone(), script.dealer, script.vulnerable),
        )
    };
    assert_eq!(parts(again), parts(script));
}

#[test]
fn a_printed_script_is_the_same_in_every_dialect() {
    for (path, text) in fixtures() {
        for dialect in [None].into_iter().chain(Dialect::ALL.map(Some)) {
            let options = ScriptOptions {
                dialect,
                parameters: parameters(),
                ..ScriptOptions::default()
            };
            let name = path.display().to_string();
            let Ok(script) = Script::parse_with(&name, &text, &options) else {
                continue;
            };
            let printed = script.to_string();
            let again = Script::parse("printed", &printed);
            assert_same(
                &script,
                &again.unwrap_or_else(|error| panic!("{printed}: {error}")),
            );
            // The text of the condition is read again where it is stored, without options.
            let stored = script.condition.text();
            let again = Script::parse("stored", stored);
            let again = again.unwrap_or_else(|error| panic!("{stored}: {error}"));
            assert_same(&script, &again);
            assert_eq!(again.dialect, script.dialect, "{stored}");
        }
    }
}

#[test]
fn operators_of_dealerv2_have_a_precedence_each() {
    for (text, wanted) in [
        ("hcp(north) * 3 / 2", "hcp(north) * (3 / 2)"),
        ("hcp(north) / 3 * 2", "(hcp(north) / 3) * 2"),
        ("hcp(north) / 7 % 4", "hcp(north) / (7 % 4)"),
        ("hcp(north) % 7 / 4", "(hcp(north) % 7) / 4"),
        ("hcp(north) * 3 % 2 / 5", "hcp(north) * ((3 % 2) / 5)"),
        ("hcp(north) - 3 + 2", "hcp(north) - 3 + 2"),
        ("1 == hcp(north) != 3", "1 == (hcp(north) != 3)"),
        ("1 < hcp(north) <= 3", "1 < (hcp(north) <= 3)"),
        ("1 >= hcp(north) > 3", "(1 >= hcp(north)) > 3"),
        ("1 == hcp(north) == 3", "(1 == hcp(north)) == 3"),
        ("1 < hcp(north) > 3", "1 < (hcp(north) > 3)"),
        ("hcp(north) * (3 / 2)", "hcp(north) * (3 / 2)"),
        ("(hcp(north) * 3) / 2", "(hcp(north) * 3) / 2"),
    ] {
        let v2 = format!("title \"\" {text}");
        assert_eq!(condition(&v2), wanted, "{text}");
        // Printed, it is the same for dealer.
        assert_eq!(condition(wanted), wanted);
        assert_eq!(condition(&format!("title \"\" {wanted}")), wanted);
    }
    assert_eq!(condition("hcp(north) * 3 / 2"), "(hcp(north) * 3) / 2");
    assert_eq!(condition("1 < hcp(north) > 3"), "(1 < hcp(north)) > 3");
}

#[test]
fn dealer3_negates_and_chains_whole_comparisons() {
    for (text, wanted) in [
        ("not hcp(n) > 9", "!(hcp(north) > 9)"),
        ("!hcp(n) > 9", "!(hcp(north) > 9)"),
        ("not not hcp(n) > 9", "!!(hcp(north) > 9)"),
        ("not (not hcp(n)) > 9", "!((!hcp(north)) > 9)"),
        ("(not hcp(n)) > 9", "(!hcp(north)) > 9"),
        ("not hcp(n) + 2 > 9 - 1", "!(hcp(north) + 2 > 9 - 1)"),
        ("not hcp(n) && aces(n)", "!hcp(north) && aces(north)"),
        ("2 * not hcp(n) > 9", "2 * !hcp(north) > 9"),
        ("2 == not hcp(n) + 1", "2 == (!hcp(north)) + 1"),
        ("2 == (not hcp(n) + 1)", "2 == !(hcp(north) + 1)"),
        ("not hcp(n) ? 1 : 2", "!hcp(north) ? 1 : 2"),
        (
            "hcp(n) == aces(n) == 3",
            "hcp(north) == aces(north) && aces(north) == 3",
        ),
        (
            "1 < hcp(n) <= 3 != aces(s)",
            "1 < hcp(north) && hcp(north) <= 3 && 3 != aces(south)",
        ),
        (
            "not 1 < hcp(n) <= 3",
            "!(1 < hcp(north) && hcp(north) <= 3)",
        ),
        ("(1 < hcp(n)) <= 3", "(1 < hcp(north)) <= 3"),
        (
            "1 < hcp(n) || aces(n) == 3",
            "1 < hcp(north) || aces(north) == 3",
        ),
    ] {
        assert_eq!(script(text).dialect, Dialect::Dealer3, "{text}");
        assert_eq!(condition(text), wanted, "{text}");
        assert_eq!(condition(wanted), wanted);
    }
    let north = |text: &str| text.replace("(n)", "(north)");
    assert_eq!(condition(&north("not hcp(n) > 9")), "(!hcp(north)) > 9");
}

#[test]
fn a_warning_tells_what_another_program_would_compute() {
    for (text, wanted) in [
        (
            "title \"\" hcp(north) * 3 / 2",
            "`/` binds tighter than `*` in DealerV2_4",
        ),
        (
            "not hcp(n) > 9",
            "`not` negates the whole of this in dealer3",
        ),
        (
            "1 < hcp(n) <= 9",
            "compares each value with the next in dealer3",
        ),
        ("ltc(n) > 300", "DealerV2_4 has no `n`: dealer3 has it"),
        ("hcp(north) > 38.5", "this comparison is always false"),
        (
            "altcount 9 4.5 3 c13(north) > 1",
            "`3` is not in hundredths",
        ),
    ] {
        let warnings = script(text).warnings;
        let found = warnings.iter().map(ToString::to_string);
        let found: Vec<String> = found.collect();
        assert!(
            found.iter().any(|text| text.contains(wanted)),
            "{text}: {found:?}"
        );
    }
    for text in [
        "title \"\" hcp(north) * (3 / 2) > 3",
        "title \"\" (hcp(north) * 3) / 2 > 3 && hcp(north) / 3 * 2 == 1",
        "not (hcp(n) > 9)",
        "1 < hcp(n) && hcp(n) <= 9",
        "hcp(north) * 3 / 2 > 4",
    ] {
        assert_eq!(script(text).warnings, [], "{text}");
    }
}

#[test]
fn a_requested_dialect_has_its_own_words_only() {
    let refused = |text: &str, dialect: Dialect| {
        let options = ScriptOptions {
            dialect: Some(dialect),
            ..ScriptOptions::default()
        };
        Script::parse_with("test", text, &options)
            .unwrap_err()
            .to_string()
    };
    for (text, wanted) in [
        ("ltc(north) < 600", "dealer has no `ltc`: DealerV2_4 has it"),
        (
            "hcp(north) < 6.5",
            "dealer has no decimals: DealerV2_4 has it",
        ),
        ("hcp(n) < 6", "dealer has no `n`: dealer3 has it"),
        ("shape{north, 5+xxx}", "dealer has no `shape{}`"),
        ("score(vul, x4Sx, 3) > 1", "dealer has no `x4Sx`"),
        (
            "printall hcp(north)",
            "dealer has no `printall`: dealer3 has it",
        ),
    ] {
        let found = refused(text, Dialect::Dealer);
        assert!(found.contains(wanted), "{found}");
    }
    let found = refused("hcp(n) < 6", Dialect::DealerV2);
    assert!(
        found.contains("DealerV2_4 has no `n`: dealer3 has it"),
        "{found}"
    );
    // Names that a script defines belong to it, in every dialect.
    for dialect in Dialect::ALL {
        in_dialect("ltc = hcp(north) n = 3 ltc > n", dialect);
    }
}

#[test]
fn a_comment_names_the_dialect_of_a_stored_text() {
    let text = "hcp(north) * 3 / 2";
    let script = in_dialect(text, Dialect::DealerV2);
    assert_eq!(
        script.condition.text(),
        format!("{text}\n# dialect: dealerv2\n")
    );
    let again = Script::parse("stored", script.condition.text()).unwrap();
    assert_eq!(again.condition.expression(), script.condition.expression());
    // It is not needed where the words tell.
    let text = "title \"\" hcp(north) * 3 / 2";
    assert_eq!(in_dialect(text, Dialect::DealerV2).condition.text(), text);
    assert_eq!(
        in_dialect("hcp(north)", Dialect::Dealer).condition.text(),
        "hcp(north)"
    );
    // The last comment counts, and an option counts more.
    let two = "# dialect: dealer3\nnot hcp(north) > 3\n# dialect: dealer\n";
    assert_eq!(self::script(two).dialect, Dialect::Dealer);
    assert_eq!(in_dialect(two, Dialect::Dealer3).dialect, Dialect::Dealer3);
}

#[test]
fn parameters_replace_all_but_strings_and_comments() {
    let options = |values: &[(usize, &str)]| {
        let mut options = ScriptOptions::default();
        for (number, value) in values {
            options.parameters[*number] = Some((*value).to_owned());
        }
        options
    };
    let text = "title \"$1\" // $2\n# $3\n/* $4 */ hcp($0) $9 shape{$0, $5:d>c}";
    let values = [(0, "west"), (9, ">= 3 &&"), (5, "(5xxx)")];
    let script = Script::parse_with("test", text, &options(&values)).unwrap();
    assert_eq!(script.title.as_deref(), Some("$1"));
    assert_eq!(script.dialect, Dialect::DealerV2);
    let wanted = "hcp(west) >= 3 && shape{west, (5xxx):d>c}";
    let end = script
        .condition
        .text()
        .lines()
        .last()
        .unwrap()
        .trim_start_matches("/* $4 */ ");
    assert_eq!(end, wanted);
    // Even if nothing else of the script is of DealerV2_4.
    let script = Script::parse_with("test", "hcp(west) * 3 / $1", &options(&[(1, "2")])).unwrap();
    assert_eq!(
        script.condition.to_string(),
        "condition hcp(west) * (3 / 2)"
    );
    let again = Script::parse("stored", script.condition.text()).unwrap();
    assert_eq!(again.condition.expression(), script.condition.expression());

    // A dollar sign elsewhere is not a parameter.
    let plain = self::script("action printes(\"$5\") # $6\n");
    assert_eq!(plain.dialect, Dialect::Dealer);

    let missing = Script::parse_with("test", "hcp(west) > $7", &options(&[(1, "2")]));
    let remedy = |remedy: &Remedy| Some(format!("{remedy:?}"));
    let missing = missing.unwrap_err().told(false, remedy);
    assert!(missing.contains("`$7` has no value"), "{missing}");
    assert!(missing.contains("help: SetParameter(7)"), "{missing}");
    assert!(error("hcp(west) > $").contains("unexpected character `$`"));
    // A value is not replaced again, and the whole text stays within the limit.
    let nested = Script::parse_with("test", "$0", &options(&[(0, "$0")]));
    assert!(
        nested
            .unwrap_err()
            .to_string()
            .contains("unexpected character")
    );
    let long = "x".repeat(1 << 10);
    let many = "$0 ".repeat(1 << 10);
    let long = Script::parse_with("test", &many, &options(&[(0, &long)]));
    assert!(long.unwrap_err().to_string().contains("longer than 1 MiB"));
}

#[test]
fn decimals_are_whole_hundredths() {
    for (decimal, hundredths) in [
        ("4.5", "450"),
        (".25", "25"),
        ("12.", "1200"),
        ("0.07", "7"),
        ("00.10", "10"),
        ("1.15", "115"),
        ("21474836.47", "2147483647"),
    ] {
        let wanted = format!("cccc(north) > {hundredths}");
        assert_eq!(condition(&format!("cccc(north) > {decimal}")), wanted);
    }
    for (wrong, message) in [
        ("4.615", "more than two decimals"),
        ("21474836.48", "too large"),
        ("99999999999999999999.5", "too large"),
        ("1.2.3", "`1.2.3` is not a number"),
        ("1..", "`1..` is not a number"),
        (".", "unexpected character"),
    ] {
        let found = error(&format!("cccc(north) > {wrong}"));
        assert!(found.contains(message), "{wrong}: {found}");
    }
    for text in [
        "produce 4.5",
        "startboard 1.",
        "seed 1.5",
        "predeal spades(north) == 4.5",
        "altcount 4.5 1",
        "startboard 0",
    ] {
        error(text);
    }
    assert_eq!(
        script("altcount 9 4.5 3 -1.25 pt9(north) > 3")
            .condition
            .to_string(),
        script("altcount 9 450 3 -125 pt9(north) > 3")
            .condition
            .to_string()
    );
}

/// Shapes in braces, each with the same patterns in dealer's own notation.
#[test]
fn shapes_in_braces_are_lists_of_shapes() {
    for (braces, list) in [
        ("4432", "4432"),
        ("5xxx + x5xx - 55xx", "5xxx + x5xx - 55xx"),
        ("2-xxx", "0xxx + 1xxx + 2xxx"),
        ("x[3-5]x[13]", "x3x1 + x4x1 + x5x1 + x3x3 + x4x3 + x5x3"),
        ("(4432)", "any 4432"),
        ("5s(431)", "any 5431 - 1xxx - 3xxx - 4xxx"),
        ("5(431)", "any 5431 - 1xxx - 3xxx - 4xxx"),
        ("4c3h(xx)", "x3x4"),
        ("5M(xxx)", "5xxx + x5xx"),
        ("5M5m(xx)", "5x5x + 5xx5 + x55x + x5x5"),
        (
            "5Mxxx + 4m(4xx)",
            "5xxx + x5xx + 4x4x + 4xx4 + x44x + x4x4 + xx44",
        ),
        ("4s4h(xx):d>c", "4450 + 4441 + 4432"),
        (
            "4+s4+h(xx):d>c,h+s==10",
            "6421 + 6430 + 5521 + 5530 + 4621 + 4630",
        ),
        ("5332:s>h or h>d", "5332"),
        ("(5332):s==5,h*2>=c+3-1", "5332 + 5323"),
        (
            "(5332):(s==5 or h==5) and d==3",
            "5332 + 5233 - 5233 + 5233 + 3532 + 2533",
        ),
        ("4432 - 4432 + 4333", "4333"),
        ("- 4432 + 4333", "4333"),
        ("x4xx:M>c,s==5", "54xx - 5404 + 5404"),
    ] {
        let of = |text: &str| condition(&format!("shape{text}"));
        let in_braces = of(&format!("{{ north , {braces} }}"));
        assert_eq!(in_braces, of(&format!("(north, {list})")), "{braces}");
    }
}

#[test]
fn at_least_covers_suits_of_ten_cards_and_more() {
    let written = condition("shape{north, 9+xxx}");
    let wanted = condition("spades(north) >= 9");
    let holds = |text: &str, spades: u32| {
        let deal = fairdeal::bridge::Deal::new(hands_with(spades)).unwrap();
        script(text).condition.expression().value(&deal).unwrap() == 1
    };
    for spades in 8..=13 {
        assert_eq!(holds(&written, spades), holds(&wanted, spades), "{spades}");
    }
}

/// Hands of a deal in which north has this number of spades, and hearts otherwise.
fn hands_with(spades: u32) -> [fairdeal::bridge::Hand; 4] {
    use fairdeal::bridge::Hand;
    let cards: Vec<_> = Hand::DECK.cards().collect();
    let is_north = |place: &usize| {
        let place = *place as u32;
        place < spades || (13..26 - spades).contains(&place)
    };
    let (north, others): (Vec<usize>, Vec<usize>) = (0..52).partition(is_north);
    let hand = |places: &[usize]| {
        let hands = places.iter().map(|&place| Hand::of(cards[place]));
        hands.fold(Hand::EMPTY, Hand::union)
    };
    let mut others = others.chunks(13).map(hand);
    let mut next = || others.next().unwrap();
    [hand(&north), next(), next(), next()]
}

#[test]
fn wrong_shapes_in_braces_show_their_place() {
    for (text, wanted) in [
        ("shape{north, 4431}", "no hand has the shape `4431`"),
        ("shape{north, 54}", "2 suit lengths instead of 4"),
        ("shape{north, 5(441)}", "no hand has the shape `5(441)`"),
        ("shape{norht, 5xxx}", "`norht` is not a seat"),
        ("shape{5xxx}", "`5xxx` is not a seat"),
        ("shape{north, 5yxx}", "unexpected `y` in a shape"),
        ("shape{north, 5s4s(xx)}", "two lengths for one suit"),
        ("shape{north, 5M4h(xx)}", "two lengths for one suit"),
        (
            "shape{north, x5s(xx)}",
            "a suit letter after a length without one",
        ),
        ("shape{north, 5[5-3]xx}", "an empty range"),
        ("shape{north, (4432}", "the shape ends here"),
        ("shape{north, (44)(32)}", "unexpected `(`"),
        ("shape{north, 4432:s>}", "the shape ends here"),
        ("shape{north, 4432:s>q}", "unexpected `q`"),
        ("shape{north, 4432:s>99999999999}", "too large"),
        ("shape{north, 4432:s>é}", "unexpected `é`"),
        ("shape{north, }", "0 suit lengths instead of 4"),
        ("shape{north, 5xxx +4xxx}", "unexpected `+`"),
        ("shape{north, 5xxx", "this `{` is not closed"),
    ] {
        let found = error(text);
        assert!(found.contains(wanted), "{text}: {found}");
    }
    let deep = format!(
        "shape{{north, 4432:{}s>0{}}}",
        "(".repeat(40),
        ")".repeat(40)
    );
    assert!(error(&deep).contains("unexpected `(`"));
    let many = "shape{north, 4432 - 4432 + 4333} || ".repeat(3_000) + "1";
    assert!(error(&many).contains("longer than 65,536 bytes"));
}

/// The rule of `ltc` in dealer's own words.
fn rule_of_ltc(seat: &str, suit: &str) -> String {
    let letter = suit[..1].to_uppercase();
    let has = |ranks: &str, other: &str| {
        let one = |rank: char| format!("hascard({seat}, {rank}{letter})");
        let held = ranks.chars().map(one);
        let missing = other.chars().map(|rank| format!("!{}", one(rank)));
        held.chain(missing).collect::<Vec<String>>().join(" && ")
    };
    let length = format!("{suit}({seat})");
    let half_less = [
        format!("{length} == 1 && {}", has("K", "")),
        format!("{length} == 2 && {}", has("AQ", "")),
        format!("{length} >= 3 && {}", has("AKJ", "Q")),
        format!("{length} >= 3 && {}", has("AQJ", "K")),
        format!("{length} >= 3 && {}", has("AJT", "KQ")),
        format!("{length} >= 3 && {}", has("KJT", "AQ")),
    ]
    .join(" || ");
    let half_more = format!("{length} >= 3 && {}", has("Q", "AKJ"));
    format!("(100 * losers({seat}, {suit}) - 50 * ({half_less}) + 50 * ({half_more}))")
}

#[test]
fn losers_with_halves_follow_their_rule() {
    let mut deals = Vec::new();
    let dealer = Dealer::<CaseBytes>::unconstrained();
    let generator = Aes128Ctr::new(26);
    let mut packet = Packet::default();
    for block in 0..80 {
        let mut scratch = DealScratch::default();
        let portion = fairdeal::draw::Portion::Block(fairdeal::draw::Block {
            first_deal: block * 128,
            deals: 128,
        });
        let source = fairdeal::draw::Seeded {
            dealer: &dealer,
            generator: &generator,
        };
        use fairdeal::draw::DealSource;
        let mut keep = |dealt: &Packet| packet = dealt.clone();
        source.deal(&portion, &mut scratch, &mut keep).unwrap();
        deals.extend((0..packet.deals()).map(|place| packet.deal(place)));
    }
    let suits = ["spades", "hearts", "diamonds", "clubs"];
    for seat in ["north", "east", "south", "west"] {
        let of_suit = suits.map(|suit| rule_of_ltc(seat, suit));
        let mut pairs: Vec<(String, String)> = suits
            .iter()
            .zip(&of_suit)
            .map(|(suit, rule)| (format!("ltc({seat}, {suit})"), rule.clone()))
            .collect();
        pairs.push((format!("ltc({seat})"), of_suit.join(" + ")));
        for (ltc, rule) in pairs {
            let [ltc_value, rule] = [&ltc, &rule].map(|text| script(text).condition);
            for deal in &deals {
                let values = [&ltc_value, &rule].map(|it| it.expression().value(deal).unwrap());
                assert_eq!(values[0], values[1], "{ltc}: {deal}");
            }
        }
    }
}

#[test]
fn buckets_have_a_width() {
    let axes = |text: &str| match &script(text).actions.unwrap()[..] {
        [Action::Frequency { axes, .. }] => axes.clone(),
        other => panic!("{other:?}"),
    };
    let axis = &axes("action bktfreq (cccc(north), 5.00, 6.20, 0.50)")[0];
    assert_eq!((axis.low, axis.high, axis.width), (500, 600, 50));
    assert_eq!(axis.beginnings().collect::<Vec<i64>>(), [500, 550, 600]);
    let names: Vec<String> = (0..axis.cells()).map(|cell| axis.name(cell)).collect();
    assert_eq!(names, ["low", "500", "550", "600", "high"]);
    assert_eq!(
        axes("action bktfreq (hcp(north), 3, 9, 1)"),
        axes("action frequency (hcp(north), 3, 9)")
    );
    for wrong in [
        "action bktfreq (hcp(north), 3, 9, 0)",
        "action bktfreq (hcp(north), 3, 9, -1)",
        "action bktfreq (hcp(north), 9, 3, 1)",
        "action bktfreq (hcp(north), 3, 9)",
        "action frequency (hcp(north), 3, 9, 1)",
        "action bktfreq (hcp(north), 0, 1048577, 1)",
    ] {
        error(wrong);
    }
    axes("action bktfreq (hcp(north), -2147483647, 2147483647, 10000)");
}
