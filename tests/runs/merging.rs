//! Parts of a run, each dealt by a separate process, and the report merged from them.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use crate::common::{code, complaint, fairdeal, folder, start, stderr, stdout};

/// Tables that are not the counts' and tests' own.
const OTHERS: [&str; 3] = ["latency.csv", "parts.csv", "heterogeneity.csv"];

fn tables(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let names = paths.filter_map(|path| {
        let name = path.file_name()?.to_str()?.to_owned();
        let is_table = name.ends_with(".csv") && !OTHERS.contains(&name.as_str());
        is_table.then(|| (name, fs::read(&path).unwrap()))
    });
    let mut tables: Vec<_> = names.collect();
    tables.sort();
    assert!(tables.len() > 5, "{}", folder.display());
    tables
}

fn assert_same(folder: &Path, one: &str, other: &str) {
    let [one, other] = [one, other].map(|name| tables(&folder.join(name)));
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(&other) {
        assert!(one == other, "{} differs", one.0);
    }
}

fn record(folder: &Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(folder.join("run.json")).unwrap()).unwrap()
}

/// Deals so many parts of a run, into `NAME-1` and so on.
fn deal_parts(folder: &Path, run: &[&str], name: &str, of: u32) -> Vec<String> {
    let each = 1..=of;
    each.map(|part| {
        let (part, out) = (format!("{part}/{of}"), format!("{name}-{part}"));
        let dealt = fairdeal(
            folder,
            &[run, &["--part", &part, "--out", &out, "--quiet"]].concat(),
        );
        assert!(code(&dealt) <= 4, "{part}: {}", stderr(&dealt));
        out
    })
    .collect()
}

fn merge(folder: &Path, parts: &[String], more: &[&str]) -> std::process::Output {
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    fairdeal(folder, &[&["merge"][..], &parts, more].concat())
}

/// A merge finds the sampler again that the run chose, and not the one that `--sampler cells`
/// would find with a larger budget.
#[test]
#[ignore = "long"]
fn parts_of_a_condition_s_part_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["rebid-help-suit-try", "compete-after-their-double"] {
        let script =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fixtures/practice/{name}.dlr"));
        let run = [
            "run",
            script.to_str().unwrap(),
            "--deals",
            "10M",
            "--seed",
            "1",
        ];
        let parts = deal_parts(folder.path(), &run, name, 2);
        let merged = merge(
            folder.path(),
            &parts,
            &["--out", "merged", "--force", "--quiet"],
        );
        assert!(code(&merged) <= 4, "{name}: {}", stderr(&merged));
    }
}

#[test]
#[ignore = "long"]
fn a_merged_report_is_that_of_one_process() {
    let folder = folder();
    let script = "condition hcp(north) + hcp(south) >= 25 && spades(north) > 4\n\
                  action average \"tricks\" losers(south), frequency (hearts(east), 0, 9)\n";
    fs::write(folder.path().join("asked.dl"), script).unwrap();
    let mixed = "hcp(west) >= 20 && spades(east) >= 5";
    fs::write(folder.path().join("mixed.dl"), mixed).unwrap();
    let size = ["--deals", "2M", "--seed", "0x11", "--batch", "100k"];
    for input in [
        &["unconstrained", "--battery", "full"][..],
        &["nine-spades"],
        &["asked.dl", "--sampler", "rejection"],
        // One hand is listed, the other asked.
        &["mixed.dl"],
    ] {
        let run = [&["run"][..], input, &size].concat();
        let name = input[0].trim_end_matches(".dl");
        let whole = fairdeal(
            folder.path(),
            &[&run[..], &["--out", "whole", "--force"]].concat(),
        );
        assert_eq!(code(&whole), 0, "{}", stderr(&whole));
        let mut parts = deal_parts(folder.path(), &run, name, 5);
        parts.rotate_left(2);
        let merged = merge(folder.path(), &parts, &["-o", "merged", "--force"]);
        assert_eq!(code(&merged), 0, "{}", stderr(&merged));
        assert!(
            stdout(&merged).contains("Merged    5 parts"),
            "{}",
            stdout(&merged)
        );
        assert_same(folder.path(), "whole", "merged");
        let [whole, merged] = ["whole", "merged"].map(|name| record(&folder.path().join(name)));
        for field in [
            "verdict", "evidence", "dealt", "filter", "total", "cases", "expected",
        ] {
            assert_eq!(whole[field], merged[field], "{field}");
        }
        assert_eq!(merged["parts"].as_array().unwrap().len(), 5);
        assert_eq!(merged["parts"][1]["part"], 2, "in the order of their deals");
        assert!(!merged["between_parts"].as_array().unwrap().is_empty());
        // They are the same run, cell by cell.
        let compared = fairdeal(folder.path(), "compare whole merged");
        assert!(stdout(&compared).contains("ALIKE"), "{}", stdout(&compared));
    }
}

#[test]
fn a_part_is_a_report_and_a_checkpoint() {
    let folder = folder();
    let run = [
        "run",
        "unconstrained",
        "--target=1",
        "--deals",
        "1M",
        "--seed",
        "3",
        "--batch",
        "64Ki",
    ];
    let part = [&run[..], &["--part", "2/3", "--out", "two"]].concat();
    let dealt = fairdeal(folder.path(), &part);
    assert_eq!(code(&dealt), 0, "{}", stderr(&dealt));
    assert!(stdout(&dealt).contains("Part      2/3: deals 327,681 to 655,360 of 1,000,000"));
    let two = folder.path().join("two");
    let found = record(&two);
    assert_eq!(found["part"]["first_deal"], 327_680);
    assert_eq!(found["dealt"], 327_680);
    assert_eq!(found["deals"], 1_000_000);
    assert!(two.join("checkpoint").exists() && !two.join("checkpoint.previous").exists());
    assert!(
        fs::read_to_string(two.join("report.html"))
            .unwrap()
            .contains("--part 2/3")
    );
    // Nothing is left to do; once more is allowed, and comes to the same.
    let before = tables(&two);
    let resumed = [
        "run",
        "unconstrained",
        "--target=1",
        "--out",
        "two",
        "--resume",
    ];
    let again = fairdeal(folder.path(), &[&resumed[..], &["--part", "2/3"]].concat());
    assert_eq!(code(&again), 0, "{}", stderr(&again));
    assert!(
        stdout(&again).contains("part 2/3 · 327,680 deals, already finished"),
        "{}",
        stdout(&again)
    );
    // What deals all of it is not satisfied with a part.
    let all = fairdeal(folder.path(), &resumed);
    assert_eq!(code(&all), 64, "{}", stdout(&all));
    assert!(
        complaint(&all).contains("part 2/3, not the whole run"),
        "{}",
        complaint(&all)
    );
    assert_eq!(code(&fairdeal(folder.path(), &part)), 0);
    assert!(tables(&two) == before);
    // Another part, and the whole run, are something else.
    for (other, named) in [
        (&["--part", "1/3"][..], "part 2/3, not part 1/3"),
        (&[], "part 2/3, not the whole run"),
    ] {
        let other = fairdeal(
            folder.path(),
            &[&run[..], other, &["--out", "two"]].concat(),
        );
        assert_eq!(code(&other), 64);
        assert!(complaint(&other).contains(named), "{}", complaint(&other));
    }
    let third = [&run[..], &["--part", "3/3", "--out", "two", "--resume"]].concat();
    let third = fairdeal(folder.path(), &third);
    assert_eq!(code(&third), 64, "{}", stderr(&third));
    // Without its checkpoint it cannot be merged.
    fs::remove_file(two.join("checkpoint")).unwrap();
    let gone = fairdeal(folder.path(), &[&part[..], &["--resume"]].concat());
    assert_eq!(code(&gone), 65);
    assert!(
        complaint(&gone).contains("without its checkpoint"),
        "{}",
        complaint(&gone)
    );
    let merged = merge(folder.path(), &["two".to_owned()], &["-o", "merged"]);
    assert_eq!(code(&merged), 65);
    assert!(complaint(&merged).contains("deal the part again with --force"));
}

#[test]
fn a_part_that_time_ends_has_no_verdict() {
    let folder = folder();
    let long = [
        "run",
        "unconstrained",
        "--target=1",
        "--deals",
        "100G",
        "--seed",
        "5",
        "--part",
        "2/3",
    ];
    let stopped = fairdeal(
        folder.path(),
        &[&long[..], &["--out", "two", "--for", "1s"]].concat(),
    );
    assert_eq!(code(&stopped), 130, "{}", stderr(&stopped));
    assert_eq!(record(&folder.path().join("two"))["stopped"], "time limit");
}

#[test]
fn parts_are_compared_as_samples_that_share_nothing() {
    let folder = folder();
    let run = [
        "run",
        "unconstrained",
        "--target=1",
        "--deals",
        "300K",
        "--seed",
        "6",
        "--batch",
        "64Ki",
    ];
    let whole = fairdeal(folder.path(), &[&run[..], &["--out", "whole"]].concat());
    assert_eq!(code(&whole), 0, "{}", stderr(&whole));
    let parts = deal_parts(folder.path(), &run, "p", 2);
    let compared = fairdeal(folder.path(), &["compare", &parts[0], &parts[1]]);
    assert_eq!(code(&compared), 0, "{}", stdout(&compared));
    assert!(stdout(&compared).contains("ALIKE"), "{}", stdout(&compared));
    // One shares its deals with the whole.
    let compared = fairdeal(folder.path(), &["compare", "whole", &parts[1], "--json"]);
    assert!(
        stdout(&compared).contains("\"relation\": \"dependent\""),
        "{}",
        stdout(&compared)
    );
}

#[test]
#[ignore = "long"]
fn a_part_that_is_interrupted_goes_on_and_is_merged() {
    let folder = folder();
    let run = [
        "run",
        "unconstrained",
        "--target=1",
        "--deals",
        "12M",
        "--seed",
        "8",
        "--batch",
        "1Mi",
    ];
    let whole = fairdeal(folder.path(), &[&run[..], &["--out", "whole"]].concat());
    assert_eq!(code(&whole), 0, "{}", stderr(&whole));
    let parts = deal_parts(folder.path(), &run, "part", 2);
    fs::remove_dir_all(folder.path().join("part-2")).unwrap();
    let second = [
        "--part",
        "2/2",
        "--out",
        "part-2",
        "--resume",
        "--checkpoint",
        "10ms",
    ];
    let second = [&run[..], &second, &["--threads", "1"]].concat();
    let mut kills = 0;
    loop {
        let mut child = start(folder.path(), &second);
        sleep(Duration::from_millis(120 + 60 * kills));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        if output.status.code().is_some() {
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            break;
        }
        kills += 1;
        if folder.path().join("part-2/checkpoint").exists() && kills == 3 {
            let early = merge(folder.path(), &parts, &["-o", "merged"]);
            assert_eq!(code(&early), 65);
            let complaint = complaint(&early);
            assert!(complaint.contains("unfinished: part 2/2 ("), "{complaint}");
        }
    }
    let merged = merge(folder.path(), &parts, &["-o", "merged", "--quiet"]);
    assert_eq!(code(&merged), 0, "{}", stderr(&merged));
    assert!(stdout(&merged).is_empty());
    assert_same(folder.path(), "whole", "merged");
}

#[test]
#[ignore = "long"]
fn what_is_no_whole_run_is_refused_by_name() {
    let folder = folder();
    let run = [
        "run",
        "unconstrained",
        "--target=1",
        "--deals",
        "300k",
        "--seed",
        "1",
        "--batch",
        "16Ki",
    ];
    let parts = deal_parts(folder.path(), &run, "p", 4);
    let halves = deal_parts(folder.path(), &run, "h", 2);
    let other = [&run[..6], &["2", "--batch", "16Ki"]].concat();
    let others = deal_parts(folder.path(), &other, "o", 4);
    let whole = fairdeal(folder.path(), &[&run[..], &["--out", "whole"]].concat());
    assert_eq!(code(&whole), 0);
    fs::create_dir(folder.path().join("empty")).unwrap();
    let pick = |names: &[&String]| names.iter().map(|name| (*name).clone()).collect::<Vec<_>>();
    let [whole, empty] = ["whole", "empty"].map(str::to_owned);
    for (given, wanted) in [
        (
            pick(&[&parts[0], &others[1]]),
            "o-2 and p-1 are parts of different runs (seed 0x2, not 0x1)",
        ),
        (pick(&[&parts[3], &parts[0]]), "are missing: part 2/4, 3/4"),
        (
            pick(&[&halves[0], &parts[1], &halves[1]]),
            "both have deals 81,921 to 147,456",
        ),
        (
            pick(&[&halves[1], &parts[1]]),
            "deals 1 to 81,920 of 300,000 are missing",
        ),
        (
            pick(&[&whole]),
            "no part of a run in whole (a whole run); name folders",
        ),
        (
            pick(&[&empty]),
            "no part of a run in empty (no saved state)",
        ),
    ] {
        let merged = merge(folder.path(), &given, &["-o", "merged"]);
        assert_eq!(code(&merged), 65, "{given:?}");
        assert!(
            complaint(&merged).contains(wanted),
            "{}",
            complaint(&merged)
        );
        assert!(!folder.path().join("merged/run.json").exists());
    }
    let twice = merge(
        folder.path(),
        &pick(&[&parts[1], &parts[1]]),
        &["-o", "merged"],
    );
    assert_eq!(code(&twice), 64);
    assert!(complaint(&twice).contains("p-2 is named twice"));
    // What is no part is passed over, as whoever names `night/*` wants it.
    let more = [&parts[..], &[whole, empty]].concat();
    let merged = merge(folder.path(), &more, &["-o", "merged"]);
    assert_eq!(code(&merged), 0, "{}", stderr(&merged));
    assert!(stderr(&merged).contains("skipped, not a part of a run: whole (a whole run), empty"));
    // Parts of two divisions of one run are the run, too.
    let mixed = pick(&[&halves[0], &parts[2], &parts[3]]);
    let merged = merge(folder.path(), &mixed, &["-o", "merged", "--force"]);
    assert_eq!(code(&merged), 0, "{}", stderr(&merged));
    assert_same(folder.path(), "whole", "merged");
    // The report goes nowhere where a part is.
    let into = merge(folder.path(), &parts, &["-o", "p-1", "--force"]);
    assert_eq!(code(&into), 64);
    assert!(complaint(&into).contains("p-1 is one of the parts"));
    // A part whose bytes were altered is named.
    let path = folder.path().join("p-3/checkpoint");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    let merged = merge(folder.path(), &parts, &["-o", "again"]);
    assert_eq!(code(&merged), 65);
    assert!(
        complaint(&merged).contains("p-3/checkpoint was modified"),
        "{}",
        complaint(&merged)
    );
}

#[test]
fn what_cannot_be_dealt_in_parts_is_refused() {
    let folder = folder();
    let script = "produce 1000\ncondition hcp(north) > 20 && losers(east) < 6";
    fs::write(folder.path().join("enough.dl"), script).unwrap();
    let size = ["--deals", "1M", "--part", "1/3"];
    for (arguments, wanted) in [
        (
            &["unconstrained"][..],
            "the parts of a run need the same seed; give it with --seed",
        ),
        (
            &["unconstrained", "--seed", "1", "--part", "4/3"],
            "a part is I/N",
        ),
        (
            &["unconstrained", "--seed", "1", "--part", "1/9"],
            "fewer than 9 parts; use a smaller --batch for all parts",
        ),
        (
            &["unconstrained", "--seed", "1", "--until", "fail"],
            "--until",
        ),
        (
            &["unconstrained", "--rng", "file:/dev/zero"],
            "random words from a file or stream",
        ),
    ] {
        let size = match arguments.contains(&"--part") {
            true => &size[..2],
            false => &size[..],
        };
        let run = fairdeal(folder.path(), &[&["run"], arguments, size].concat());
        assert_eq!(code(&run), 64, "{arguments:?}");
        assert!(stderr(&run).contains(wanted), "{}", stderr(&run));
    }
    let produced = [
        "run",
        "enough.dl",
        "--sampler",
        "rejection",
        "--seed",
        "1",
        "--part",
        "1/2",
    ];
    let produced = fairdeal(folder.path(), &produced);
    assert_eq!(code(&produced), 64, "{}", stderr(&produced));
    assert!(complaint(&produced).contains("kept enough"));
}

#[test]
fn the_case_file_is_found_again() {
    let folder = folder();
    let built = fairdeal(folder.path(), "cases build nine-spades -o n.cases");
    assert_eq!(code(&built), 0, "{}", stderr(&built));
    let run = [
        "run",
        "n.cases",
        "--target=1",
        "--deals",
        "200k",
        "--seed",
        "4",
        "--batch",
        "16Ki",
    ];
    let parts = deal_parts(folder.path(), &run, "p", 2);
    let merged = merge(folder.path(), &parts, &["-o", "there"]);
    assert_eq!(code(&merged), 0, "{}", stderr(&merged));
    fs::rename(
        folder.path().join("n.cases"),
        folder.path().join("moved.cases"),
    )
    .unwrap();
    // Named, or listed again.
    let merged = merge(
        folder.path(),
        &parts,
        &["-o", "named", "--cases", "moved.cases"],
    );
    assert_eq!(code(&merged), 0, "{}", stderr(&merged));
    let merged = merge(folder.path(), &parts, &["-o", "again"]);
    assert_eq!(code(&merged), 0, "{}", stderr(&merged));
    assert_same(folder.path(), "there", "named");
    assert_same(folder.path(), "there", "again");
    let built = fairdeal(
        folder.path(),
        "cases build north-2-south-0-1 -o other.cases",
    );
    assert_eq!(code(&built), 0, "{}", stderr(&built));
    let other = merge(
        folder.path(),
        &parts,
        &["-o", "other", "--cases", "other.cases"],
    );
    assert_eq!(code(&other), 65);
    assert!(complaint(&other).contains("other.cases is not the case file of the run"));
}
