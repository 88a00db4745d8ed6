//! Audits of deals that must satisfy a condition on any number of hands.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::path::Path;

use super::audit::{audit_stream, deals, fixture, record};
use crate::common::{code, folder, rows, stderr, stdout};

const INCONCLUSIVE: i32 = 4;
const FAIL: i32 = 2;
const INVALID: i32 = 3;

/// Three hands, lengths and honours: cells, and no listing.
const THREE_HANDS: &str = "hcp(north) >= 15 && hcp(south) >= 10 && hcp(east) <= 5";

/// Cells of these are made, but their tables take longer than planning may.
const DEAR: &str = "hcp(north) >= 15 && hcp(north) <= 17 \
                    && shape(north, any 4333 + any 4432 + any 5332) \
                    && hcp(south) >= 10 && hcp(east) <= 5";

/// The names of the tests that were made.
fn tests(folder: &Path) -> Vec<String> {
    let tests = rows(&folder.join("report/tests.csv"));
    tests.iter().map(|row| row["test"].clone()).collect()
}

#[test]
fn deals_of_three_hands_are_compared_with_exact_tables() {
    let folder = folder();
    let options = ["--where", THREE_HANDS, "--seed", "7", "-n", "3000"];
    let fair = deals(folder.path(), &options);
    let options = ["--where", THREE_HANDS, "--reference", "9"];
    let found = audit_stream(folder.path(), &fair, &options);
    assert_eq!(code(&found), INCONCLUSIVE, "{}", stdout(&found));
    assert_eq!(record(folder.path())["expected"], "exact");
    let made = tests(folder.path());
    assert!(made.contains(&"C card table".to_owned()), "{made:?}");
    // Cells have groups that are counted, and no cases whose weights are known.
    assert!(made.contains(&"C case runs".to_owned()), "{made:?}");
    assert!(!made.contains(&"C weight classes".to_owned()), "{made:?}");

    // A dealer that deals only a part of them.
    let narrower = format!("{THREE_HANDS} && hcp(west) <= 7");
    let options = ["--where", &narrower, "--seed", "7", "-n", "2000"];
    let biased = deals(folder.path(), &options);
    let found = audit_stream(
        folder.path(),
        &biased,
        &["--where", THREE_HANDS, "--reference", "0"],
    );
    assert_eq!(code(&found), FAIL, "{}", stdout(&found));

    // One deal that does not satisfy it.
    let mut text = fair;
    text.extend(deals(
        folder.path(),
        &["unconstrained", "--seed", "8", "-n", "1"],
    ));
    for battery in ["standard", "tables"] {
        let options = [
            "--where",
            THREE_HANDS,
            "--reference",
            "0",
            "--battery",
            battery,
        ];
        let found = audit_stream(folder.path(), &text, &options);
        assert_eq!(code(&found), INVALID, "{}", stdout(&found));
        let told = "standard input:3001: foreign: does not satisfy the condition";
        assert!(stdout(&found).contains(told), "{}", stdout(&found));
    }
}

#[test]
fn tables_that_take_too_long_are_left_out_and_exact_asks_for_them() {
    let folder = folder();
    let dealt = deals(folder.path(), &["--where", DEAR, "--seed", "5", "-n", "40"]);
    let found = audit_stream(folder.path(), &dealt, &["--where", DEAR]);
    assert_eq!(code(&found), INCONCLUSIVE, "{}", stdout(&found));
    assert!(
        stderr(&found).contains("--exact lifts the limit"),
        "{}",
        stderr(&found)
    );
    assert!(!tests(folder.path()).contains(&"C card table".to_owned()));

    let options = ["--where", THREE_HANDS, "--exact", "--reference", "0"];
    let found = audit_stream(folder.path(), &dealt, &options);
    assert_eq!(code(&found), INCONCLUSIVE, "{}", stdout(&found));
    assert_eq!(record(folder.path())["expected"], "exact");
}

#[test]
fn a_condition_on_spot_cards_leaves_the_tests_that_need_no_tables() {
    let folder = folder();
    let text = "hascard(north, 7S) && cccc(south) > 1200";
    let options = ["--where", text, "--seed", "3", "-n", "4000"];
    let fair = deals(folder.path(), &options);
    let found = audit_stream(folder.path(), &fair, &["--where", text]);
    assert_eq!(code(&found), INCONCLUSIVE, "{}", stdout(&found));
    assert!(
        stderr(&found).contains("no exact tables"),
        "{}",
        stderr(&found)
    );
    let expected = record(folder.path())["expected"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(expected.starts_with("none: "), "{expected}");
    // East and west are not mentioned; every card matters to south.
    assert_eq!(tests(folder.path()), ["C interchange"]);

    let found = audit_stream(folder.path(), &fair, &["--where", "hascard(north, 6S)"]);
    assert_eq!(code(&found), INVALID, "{}", stdout(&found));
}

#[test]
fn cards_that_others_fixed_are_terms_to_an_audit() {
    let folder = folder();
    let script = folder.path().join("fixed.dl");
    fs::write(
        &script,
        "predeal north SAK, HA\ncondition hcp(south) >= 10\n",
    )
    .unwrap();
    let name = script.to_str().unwrap();
    let fair = deals(folder.path(), &[name, "--seed", "3", "-n", "3000"]);
    let found = audit_stream(folder.path(), &fair, &["--condition", name]);
    assert_eq!(code(&found), INCONCLUSIVE, "{}", stdout(&found));
    assert_eq!(record(folder.path())["expected"], "exact");

    let others = ["--where", "hcp(south) >= 10", "--seed", "3", "-n", "30"];
    let found = audit_stream(
        folder.path(),
        &deals(folder.path(), &others),
        &["--condition", name],
    );
    assert_eq!(code(&found), INVALID, "{}", stdout(&found));
}

/// Every practice script's own deals satisfy it, and nothing is held against them.
#[test]
#[ignore = "long"]
fn deals_of_every_practice_script_pass_the_audit_of_their_script() {
    let folder = folder();
    let mut scripts: Vec<_> = fs::read_dir(fixture("practice"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "dlr"))
        .collect();
    scripts.sort();
    assert!(scripts.len() > 60);
    for script in scripts {
        let name = script.to_str().unwrap();
        let dealt = deals(
            folder.path(),
            &[name, "--seed", "1", "-n", "36", "--format", "oneline"],
        );
        let found = audit_stream(folder.path(), &dealt, &["--condition", name]);
        assert_eq!(
            code(&found),
            INCONCLUSIVE,
            "{name}: {}{}",
            stdout(&found),
            stderr(&found)
        );
    }
}
