//! Warnings about conditions that may not mean what they say.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use fairdeal::language::{SCENARIOS, Script};

/// The warnings about a script, each without its place, and the place.
fn warnings(text: &str) -> Vec<(usize, usize, String)> {
    let script = Script::parse("test", text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let said = script.warnings.iter().map(|warning| {
        let line = warning.to_string();
        let message = line.split(": ").nth(1).unwrap().to_owned();
        (warning.line(), warning.column(), message)
    });
    said.collect()
}

#[test]
fn each_lint_says_what_the_condition_means_and_where() {
    let cases = [
        (
            "12 <= hcp(north) <= 14",
            1,
            "a chained comparison compares 0 or 1 with `14`",
        ),
        (
            "5 > spades(west) > 3",
            1,
            "a chained comparison compares 0 or 1 with `3`",
        ),
        (
            "hcp(west) == hcp(east) == 10",
            1,
            "a chained comparison compares 0 or 1 with `10`",
        ),
        (
            "hcp(west) < 10 == hcp(east)",
            1,
            "a chained comparison compares 0 or 1 with `hcp(east)`",
        ),
        ("not hcp(north) > 12", 1, "`not` binds tighter than `>`"),
        ("!spades(north) == 5", 1, "`!` binds tighter than `==`"),
        (
            "1 && !hcp(north) + hcp(south) > 12",
            6,
            "`!` binds tighter than `+`",
        ),
        ("hcp(north) < 50", 1, "this comparison is always true"),
        ("37 >= hcp(north)", 1, "this comparison is always true"),
        ("spades(west) > 13", 1, "this comparison is always false"),
        (
            "1 || 14 == spades(west)",
            6,
            "this comparison is always false",
        ),
        (
            "hcp(north, spades) != 11",
            1,
            "this comparison is always true",
        ),
        ("losers(west) <= 12", 1, "this comparison is always true"),
        (
            "shape(west, any 4333) == 2",
            1,
            "this comparison is always false",
        ),
        (
            "aces(north) + aces(south) <= 8",
            1,
            "this comparison is always true",
        ),
        (
            "pointcount 1 hcp(west) > 4",
            14,
            "this comparison is always false",
        ),
    ];
    for (text, column, message) in cases {
        assert_eq!(warnings(text), [(1, column, message.to_owned())], "{text}");
    }
}

#[test]
fn conditions_that_mean_what_they_say_have_no_warning() {
    for text in [
        "12 <= hcp(north) && hcp(north) <= 14",
        "(12 <= hcp(north)) <= 14 || 1",
        "hcp(north) > 3 == (hcp(south) > 3)",
        "(hcp(west) == hcp(east)) == (hcp(north) > 3)",
        "not (hcp(north) > 12)",
        "(not hcp(north)) > 0",
        "balanced = shape(north, any 4333)\nstrong = hcp(north) > 15\n!balanced == strong",
        "not spades(west) && not hearts(west)",
        "hcp(north) < 37 && losers(south) < 12",
        // The author of a script sets a constant.
        "level = 2\nlevel == 1 ? hcp(north) > 9 : hcp(north) > 12",
        "condition 1",
        "1 == 1",
        "x = hcp(north) y = x > 3 y action average x",
        "predeal north SA",
        "strong = hcp(north) > 15\n!strong",
        "hcp(north) != 20",
    ] {
        let expected: &[(usize, usize, String)] = &[];
        // With brackets it is no chain, but 0 or 1 is at most 14.
        let found = warnings(text);
        match text.contains("<= 14 || 1") {
            true => assert_eq!(found[0].2, "this comparison is always true", "{text}"),
            false => assert_eq!(found, expected, "{text}"),
        }
    }
    for scenario in SCENARIOS {
        let script = Script::parse(scenario.name, scenario.text).unwrap();
        let lost = script.warnings.iter().any(|warning| warning.is_loss());
        assert!(!lost && (script.has_condition() || scenario.cases.is_none()));
    }
}

#[test]
fn names_that_nothing_uses_are_named_in_the_order_of_the_text() {
    let text = "b = hcp(north)\na = hcp(west) > 3\nc = b + 1\n\na action average c";
    assert_eq!(warnings(text), []);
    let unused = |name: &str| format!("unused name `{name}`");
    let text = "b = hcp(north)\na = hcp(west) > 3\nc = b + 1\n\na";
    assert_eq!(warnings(text), [(3, 1, unused("c"))]);
    let text = "b = hcp(north)\na = hcp(west) > 3\n  c = 1\ncondition 1";
    let three = "unused names `b` (line 1), `a` (line 2), `c` (line 3)";
    assert_eq!(warnings(text), [(1, 1, three.to_owned())]);
    let many: Vec<String> = (1..=96).map(|line| format!("n{line} = 1\n")).collect();
    let found = warnings(&(many.concat() + "condition 1"));
    assert_eq!(found.len(), 1);
    assert!(
        found[0].2.ends_with("`n10` (line 10), and 86 more"),
        "{found:?}"
    );
}

#[test]
fn a_replaced_statement_names_the_place_of_the_one_that_counts() {
    let text = "hcp(north) > 3\ncondition hcp(south) > 3\n  hcp(west) > 3";
    let replaced = |line, column| {
        format!("this condition is replaced by the one at line {line}, column {column}")
    };
    let expected = [(1, 1, replaced(2, 11)), (2, 11, replaced(3, 3))];
    assert_eq!(warnings(text), expected);
    // What a name stands for is not where the condition is.
    let text = "a = hcp(north) > 3\n\na\na";
    assert_eq!(warnings(text), [(3, 1, replaced(4, 1))]);
    // An unused definition is replaced, too.
    let of_name = "this definition is replaced by the one at line 2, column 1";
    let text = "a = hcp(north) > 3\na = hcp(south) > 3\na";
    assert_eq!(warnings(text), [(1, 1, of_name.to_owned())]);
    let script = Script::parse("test", text).unwrap();
    assert_eq!(script.condition.to_string(), "condition hcp(south) > 3");
}

#[test]
fn a_warning_shows_a_caret_and_what_to_write() {
    let script = Script::parse("my.dl", "  (12) <= (hcp(north) + 1) <= 14").unwrap();
    let shown = script.warnings[0].render(false);
    assert_eq!(
        shown,
        "warning: a chained comparison compares 0 or 1 with `14`\n \
--> my.dl:1:3\n  \
|\n\
1 |   (12) <= (hcp(north) + 1) <= 14\n  \
|   ^^^^^^^^^^^^^^^^^^^^^^^^ this comparison is 0 or 1\n  \
|\n\
help: did you mean `(12) <= (hcp(north) + 1) && (hcp(north) + 1) <= 14`?"
    );
    let script = Script::parse("my.dl", "hcp(south) == 8-9").unwrap();
    let shown = script.warnings[0].render(false);
    assert!(
        shown.ends_with("help: did you mean `hcp(south) >= 8 && hcp(south) <= 9`?"),
        "{shown}"
    );
    let script = Script::parse("my.dl", "hcp(west)\nhcp(east)").unwrap();
    let shown = script.warnings[0].render(false);
    assert!(
        shown.contains("1 | hcp(west)\n  | ^^^^^^^^^ not used\n"),
        "{shown}"
    );
    assert!(
        shown.contains("2 | hcp(east)\n  | --------- used\n"),
        "{shown}"
    );
    let error = script.warnings[0].clone().into_error().render(false);
    assert!(
        error.starts_with("error: this condition is replaced"),
        "{error}"
    );
}

#[test]
fn a_script_has_twenty_warnings_at_most() {
    let text = vec!["spades(west) > 13"; 2_000].join(" || ");
    assert_eq!(warnings(&text).len(), 20);
    let text = "a = 1\n".to_owned() + &"1\n".repeat(3_000);
    assert_eq!(warnings(&text).len(), 20);
}

#[test]
fn the_name_that_was_meant_is_suggested() {
    let help = |text: &str| {
        let error = Script::parse("test", text).expect_err(text).render(false);
        error.lines().last().unwrap().to_owned()
    };
    for (text, meant) in [
        ("hpc(north) > 3", "help: did you mean `hcp`?"),
        ("strong = 1\nstorng", "help: did you mean `strong`?"),
        (
            "void(south)",
            "help: did you mean `shape(north, any 0xxx)`?",
        ),
        ("hcp(nroth) > 3", "help: did you mean `north`?"),
        ("action pritnall", "help: did you mean `printall`?"),
        ("hcp(west) ! 20", "help: did you mean `!=`?"),
        (
            "hcp(west) = 20",
            "help: `==` compares; `name = value` defines a name",
        ),
    ] {
        assert_eq!(help(text), meant, "{text}");
    }
}
