//! The programs in examples/ run, print the expected output, and write nothing to disk.
#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

use std::path::PathBuf;
use std::process::Command;

/// What an example prints; it is built beside the tests.
fn printed_by(example: &str) -> String {
    let test = std::env::current_exe().unwrap();
    let built: PathBuf = test.ancestors().nth(2).unwrap().join("examples");
    let program = built.join(format!("{example}{}", std::env::consts::EXE_SUFFIX));
    assert!(
        program.exists(),
        "{example} is not built: `cargo test` builds the examples, `cargo test --test` does not"
    );
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let cache = folder.path().join("cache");
    let output = Command::new(program)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("XDG_CACHE_HOME", &cache)
        .output()
        .unwrap_or_else(|error| panic!("{example}: {error}"));
    assert!(output.status.success(), "{example}: {output:?}");
    assert!(output.stderr.is_empty(), "{example}: {output:?}");
    assert!(!cache.exists(), "{example} has written a listing");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn boards_are_dealt_the_same_for_the_same_seed() {
    let boards = printed_by("deal_boards");
    assert_eq!(boards.lines().count(), 36);
    assert!(boards.lines().all(|line| line.contains("  N:")), "{boards}");
    assert_eq!(boards, printed_by("deal_boards"));
}

#[test]
fn a_condition_is_tallied_beside_its_exact_expectation() {
    let printed = printed_by("tally_condition");
    let rows = printed.lines().skip(1).map(|line| {
        let numbers = line.split_whitespace().map(|word| word.parse::<f64>());
        numbers.collect::<Result<Vec<_>, _>>().unwrap()
    });
    for row in rows {
        let [length, dealt, expected] = row[..] else {
            panic!("{printed}");
        };
        let z = (dealt - expected) / expected.max(1.0).sqrt();
        assert!(z.abs() < 5.0, "{length}: {dealt} of {expected}");
    }
}

#[test]
fn a_probability_is_an_exact_fraction() {
    let printed = printed_by("exact_probability");
    let (ways, of) = printed.lines().next().unwrap().split_once(" / ").unwrap();
    let [ways, of] = [ways, of].map(|number| number.parse::<u128>().unwrap());
    let one_in = of as f64 / ways as f64;
    assert!(printed.contains(&format!("1 in {one_in:.1}")), "{printed}");
}

#[test]
fn a_pbn_file_gets_a_verdict() {
    let printed = printed_by("audit_pbn");
    assert!(printed.contains("boards tested"), "{printed}");
    assert!(printed.contains("verdict: INCONCLUSIVE"), "{printed}");
}

#[test]
fn a_wrong_shuffle_fails() {
    let printed = printed_by("judge_generator");
    assert!(printed.contains("verdict: FAIL"), "{printed}");
}

#[test]
fn a_deal_has_its_numbers() {
    let printed = printed_by("number_deal");
    for number in [
        "40958565147961533588277623299",
        "49321653299255886550697095352",
    ] {
        assert!(printed.contains(number), "{printed}");
    }
}
