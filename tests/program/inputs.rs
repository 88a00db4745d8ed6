//! Inputs with a mistake: the exact message and exit code of each.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;

use crate::common::{code, fairdeal, folder, stderr, stdout};

/// A command, its exit code and everything that it prints on standard error.
type Case<'a> = (&'a [&'a str], i32, &'a str);

fn assert_all(cases: &[Case<'_>]) {
    let folder = folder();
    fs::create_dir(folder.path().join("empty")).unwrap();
    fs::write(folder.path().join("comments.dl"), "# no condition yet\n").unwrap();
    fs::write(folder.path().join("blank.dl"), "\n").unwrap();
    let replaced = "hcp(north) > 3\nhcp(west) > 3\n";
    fs::write(folder.path().join("replaced.dl"), replaced).unwrap();
    for (command, expected, said) in cases {
        let done = fairdeal(folder.path(), *command);
        assert_eq!(stderr(&done), *said, "{command:?}");
        assert_eq!(code(&done), *expected, "{command:?}");
    }
}

const CHAINED: &str = "a chained comparison compares 0 or 1 with `14`
 --> --where:1:1
  |
1 | 12 <= hcp(north) <= 14
  | ^^^^^^^^^^^^^^^^ this comparison is 0 or 1
  |
help: did you mean `12 <= hcp(north) && hcp(north) <= 14`?
";

#[test]
fn a_chained_comparison_is_a_warning_and_with_strict_an_error() {
    let chained = "12 <= hcp(north) <= 14";
    let (warning, error) = (format!("warning: {CHAINED}"), format!("error: {CHAINED}"));
    assert_all(&[
        (&["theory", "--where", chained], 0, &warning),
        (&["theory", "--where", chained, "-q"], 0, ""),
        (&["theory", "--where", chained, "--strict"], 65, &error),
        (
            &["deal", "--where", chained, "-n", "1", "--seed", "1"],
            0,
            &warning,
        ),
        (&["deal", "--where", chained, "--strict"], 65, &error),
        (
            &[
                "run", "--where", chained, "--deals", "1K", "--seed", "1", "-q",
            ],
            0,
            "",
        ),
        (&["run", "--where", chained, "--strict"], 65, &error),
        (
            &["cases", "build", "--where", chained, "-o", "a.cases", "-q"],
            0,
            "",
        ),
        (
            &[
                "cases", "build", "--where", chained, "-o", "b.cases", "--strict",
            ],
            65,
            &error,
        ),
        (
            &["cases", "list", "--where", chained, "--rows", "..1"],
            0,
            &warning,
        ),
        (
            &["cases", "list", "--where", chained, "--strict"],
            65,
            &error,
        ),
        (
            &["audit", "empty", "--where", chained, "--strict"],
            65,
            &error,
        ),
        (
            &[
                "number", "decode", "--scheme", "cells", "--where", chained, "--strict", "0",
            ],
            65,
            &error,
        ),
    ]);
}

#[test]
fn no_condition_at_all_is_an_error() {
    let none = |name: &str| {
        format!(
            "error: no condition in {name}; for every deal, write `condition 1` or use the scenario \
             `unconstrained`\n"
        )
    };
    assert_all(&[
        (&["deal", "--where", ""], 65, &none("--where")),
        (&["run", "--where", ""], 65, &none("--where")),
        (
            &["deal", "--where", "x = hcp(north) > 30"],
            65,
            &none("--where"),
        ),
        (&["theory", "--where", "# later"], 65, &none("--where")),
        (&["deal", "comments.dl"], 65, &none("comments.dl")),
        (&["run", "blank.dl"], 65, &none("blank.dl")),
        // These say what to do with every deal.
        (&["deal", "--where", "produce 1", "--seed", "1"], 0, ""),
        (
            &["deal", "--where", "condition 1", "-n", "1", "--seed", "1"],
            0,
            "",
        ),
        (
            &[
                "deal",
                "--where",
                "predeal north SA",
                "-n",
                "1",
                "--seed",
                "1",
            ],
            0,
            "",
        ),
    ]);
}

#[test]
fn a_negation_that_binds_tighter_than_it_looks_is_named_before_what_comes_of_it() {
    let said = "\
warning: `not` binds tighter than `>`
 --> --where:1:1
  |
1 | not hcp(north) > 12
  | ^^^^^^^^^^^^^^ this is 0 or 1, not the negated `>`
  |
help: write `not (hcp(north) > 12)` to negate all of it
error: no deal satisfies the condition
";
    assert_all(&[(&["theory", "--where", "not hcp(north) > 12"], 65, said)]);
}

#[test]
fn a_comparison_that_is_always_true_or_false_is_a_warning_each() {
    let said = "\
warning: this comparison is always true
 --> --where:1:1
  |
1 | hcp(north) < 50 && spades(west) > 13
  | ^^^^^^^^^^^^^^^ `hcp(north)` is 0 to 37
warning: this comparison is always false
 --> --where:1:20
  |
1 | hcp(north) < 50 && spades(west) > 13
  |                    ^^^^^^^^^^^^^^^^^ `spades(west)` is 0 to 13
error: no deal satisfies the condition
";
    let condition = "hcp(north) < 50 && spades(west) > 13";
    let errors = said.replace("warning:", "error:");
    let (errors, _) = errors.split_once("error: no deal").unwrap();
    assert_all(&[
        (&["theory", "--where", condition], 65, said),
        (&["theory", "--where", condition, "--strict"], 65, errors),
    ]);
}

#[test]
fn mistakes_in_a_condition_say_what_was_expected() {
    let at = |message: &str, column: usize, line: &str, under: &str| {
        format!("error: {message}\n --> --where:1:{column}\n  |\n1 | {line}\n  | {under}\n")
    };
    let with_help = |text: String, help: &str| format!("{text}  |\nhelp: {help}\n");
    let cases = [
        (
            "hcp(west)>20 & hcp(east)>3",
            at(
                "expected `&&` (found `&`)",
                14,
                "hcp(west)>20 & hcp(east)>3",
                "             ^",
            ),
        ),
        (
            "hcp(west)>20 | hcp(east)>3",
            at(
                "expected `||` (found `|`)",
                14,
                "hcp(west)>20 | hcp(east)>3",
                "             ^",
            ),
        ),
        (
            "hcp(west) = 20",
            with_help(
                at(
                    "expected `==` (found `=`)",
                    11,
                    "hcp(west) = 20",
                    "          ^",
                ),
                "`==` compares; `name = value` defines a name",
            ),
        ),
        (
            "hcp(west) ! 20",
            with_help(
                at(
                    "expected an operator (found `!`)",
                    11,
                    "hcp(west) ! 20",
                    "          ^",
                ),
                "did you mean `!=`?",
            ),
        ),
        (
            "hcp(west) > 20)",
            at(
                "this `)` has no opening bracket",
                15,
                "hcp(west) > 20)",
                "              ^ remove it, or add `(` before it",
            ),
        ),
        (
            "(hcp(west) > 20",
            at(
                "this `(` has no closing bracket",
                1,
                "(hcp(west) > 20",
                "^ add `)` after it",
            ),
        ),
        (
            "predeal north,S2",
            at(
                "expected a holding such as `north S2` (found `,`)",
                14,
                "predeal north,S2",
                "             ^",
            ),
        ),
    ];
    for (condition, said) in &cases {
        assert_all(&[(&["deal", "--where", condition], 65, said)]);
    }
}

#[test]
fn a_replaced_condition_is_shown_with_the_one_that_counts() {
    let said = "\
warning: this condition is replaced by the one at line 2, column 1
 --> replaced.dl:1:1
  |
1 | hcp(north) > 3
  | ^^^^^^^^^^^^^^ not used
2 | hcp(west) > 3
  | ------------- used
  |
help: `&&` joins conditions; a script has one
";
    let error = said.replace("warning:", "error:");
    let on_command_line = error.replace("replaced.dl", "--where");
    let deal = ["deal", "replaced.dl", "-n", "1", "--seed", "1"];
    assert_all(&[
        (&deal, 0, said),
        (&[&deal[..], &["--strict"]].concat(), 65, &error),
        // On a command line nobody means two.
        (
            &["deal", "--where", "hcp(north) > 3\nhcp(west) > 3"],
            65,
            &on_command_line,
        ),
    ]);
}

#[test]
fn an_unknown_scenario_is_not_a_list_of_all() {
    let unknown = |name: &str, hint: &str| format!("error: no scenario or file `{name}`; {hint}\n");
    let list = "`fairdeal scenarios` lists the scenarios";
    assert_all(&[
        (
            &["run", "nine-spade"],
            65,
            &unknown("nine-spade", "did you mean `nine-spades`?"),
        ),
        (
            &["theory", "flannery"],
            65,
            &unknown("flannery", "did you mean `flannery-misfit`?"),
        ),
        (
            &["run", "no-such-scenario"],
            65,
            &unknown("no-such-scenario", list),
        ),
    ]);
}

#[test]
fn rows_beyond_a_listing_and_folders_without_deals_are_errors() {
    assert_all(&[
        (
            &["cases", "list", "nine-spades", "--rows", "40..50"],
            64,
            "error: the listing has 30 rows\n",
        ),
        (&["cases", "list", "nine-spades", "--rows", "30..50"], 0, ""),
        (&["audit", "empty"], 65, "error: `empty`: no deals found\n"),
    ]);
    let folder = folder();
    let last = ["cases", "list", "nine-spades", "--rows", "30..50"];
    let listed = stdout(&fairdeal(folder.path(), &last));
    assert_eq!(listed.lines().count(), 2, "{listed}");
}
