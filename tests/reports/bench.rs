//! `fairdeal bench --save` and `--against`: saving, finding and comparing measurements. The tests
//! do not depend on the speed of the machine.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::common::{code, complaint, fairdeal, folder, rows, stderr, stdout};

const SAVED: &str = "reports/bench";

fn bench(folder: &Path, more: &[&str]) -> Output {
    let mut arguments = vec!["bench", "--deals", "8Ki", "--threads", "2"];
    arguments.extend(more);
    fairdeal(folder, &arguments)
}

fn json(output: &Output) -> serde_json::Value {
    assert_eq!(stderr(output), "");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A copy of a saved measurement in which the engine took as many times as long, round by
/// round, while the naive program took as long.
fn forge(saved: &Path, name: &str, factor: impl Fn(usize) -> f64) -> PathBuf {
    let forged = saved.parent().unwrap().join(name);
    fs::create_dir(&forged).unwrap();
    fs::copy(saved.join("bench.json"), forged.join("bench.json")).unwrap();
    let record = forged.join("bench.json");
    let mut found: serde_json::Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
    for row in found["measurements"].as_array_mut().unwrap() {
        if row["program"] == "fairdeal" {
            let factor = factor(row["round"].as_u64().unwrap() as usize);
            for (field, factor) in [
                ("cpu_ns_per_deal", factor),
                ("wall_ns_per_deal", factor),
                ("ratio_to_naive", 1.0 / factor),
            ] {
                row[field] = (row[field].as_f64().unwrap() * factor).into();
            }
        }
    }
    fs::write(record, found.to_string()).unwrap();
    forged
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

/// Verdicts by threads.
fn verdicts(document: &serde_json::Value) -> Vec<String> {
    let rows = document["against"]["rows"].as_array().unwrap();
    rows.iter()
        .map(|row| row["verdict"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_measurement_is_saved_whole_small_and_once() {
    let folder = folder();
    let done = bench(
        folder.path(),
        &[
            "nine-spades",
            "--rounds",
            "3",
            "--save",
            "base",
            "--csv",
            "rows.csv",
            "--json",
        ],
    );
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    let saved = folder.path().join(SAVED).join("base");
    let files = [
        "bench.json",
        "latency-1.hgrm",
        "latency-2.hgrm",
        "latency.hlog",
        "rounds.csv",
        "rows.csv",
    ];
    assert_eq!(names(&saved), files);
    let bytes: u64 = files
        .iter()
        .map(|name| fs::metadata(saved.join(name)).unwrap().len())
        .sum();
    assert!(bytes < 50_000, "{bytes}");
    let asked = fs::read(folder.path().join("rows.csv")).unwrap();
    assert_eq!(fs::read(saved.join("rows.csv")).unwrap(), asked);
    assert_eq!(rows(&saved.join("rows.csv")).len(), 4);
    assert_eq!(rows(&saved.join("rounds.csv")).len(), 3 * 4);
    let log = fs::read_to_string(saved.join("latency.hlog")).unwrap();
    for tag in ["Tag=threads=1,", "Tag=threads=2,"] {
        assert_eq!(log.matches(tag).count(), 3, "{log}");
    }

    let record: serde_json::Value =
        serde_json::from_slice(&fs::read(saved.join("bench.json")).unwrap()).unwrap();
    let document = json(&done);
    for (name, value) in record.as_object().unwrap() {
        assert_eq!(&document[name], value, "{name}");
    }
    assert_eq!(
        (&record["input"], &record["deals"], &record["rounds"]),
        (&"nine-spades".into(), &8_192.into(), &3.into())
    );
    let condition = record["condition"].as_str().unwrap();
    assert!(condition.contains("spades(west) == 9"), "{condition}");
    assert_eq!(document["rows"].as_array().unwrap().len(), 4);
    assert_eq!(document["saved"], "reports/bench/base");
    assert!(document["against"].is_null());

    let again = bench(folder.path(), &["--rounds", "1", "--save", "base"]);
    assert_eq!(code(&again), 64);
    assert!(complaint(&again).contains("choose another name"));
    // Without a name it is the time and the input's.
    let unnamed = bench(folder.path(), &["--rounds", "1", "--save"]);
    assert_eq!(code(&unnamed), 0, "{}", stderr(&unnamed));
    let names = names(&folder.path().join(SAVED));
    assert!(names[0].ends_with("Z-unconstrained"), "{names:?}");
    assert!(stdout(&unnamed).contains(&names[0]));
}

#[test]
fn what_is_slower_than_it_was_is_told_and_nothing_else() {
    let folder = folder();
    let done = bench(folder.path(), &["--rounds", "5", "--save", "measured"]);
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    let measured = folder.path().join(SAVED).join("measured");
    let against = |more: &[&str]| {
        let mut arguments = vec!["--rounds", "5", "--json", "--against"];
        arguments.extend(more);
        bench(folder.path(), &arguments)
    };
    // Earlier measurements of an engine a hundred times as fast, then as slow.
    for (name, factor, expected, exit) in
        [("fast", 0.01, "slower", 1), ("slow", 100.0, "faster", 0)]
    {
        forge(&measured, name, |round| {
            factor * (1.0 + 1e-4 * round as f64)
        });
        let found = against(&[name]);
        assert_eq!(code(&found), exit, "{}", stdout(&found));
        let document = json(&found);
        assert_eq!(verdicts(&document), [expected; 2]);
        assert_eq!(document["against"]["between"], false);
        // A folder does as well.
        let path = format!("{SAVED}/{name}");
        let found = against(&[&path]);
        assert_eq!(code(&found), exit);
    }
    // Three measurements, each wilder than any machine: the noise is that between them.
    fs::remove_dir_all(measured.parent().unwrap().join("fast")).unwrap();
    fs::remove_dir_all(measured.parent().unwrap().join("slow")).unwrap();
    forge(&measured, "nights-1", |_| 8.0);
    forge(&measured, "nights-2", |_| 0.125);
    // A copy counts once.
    forge(&measured, "nights-3", |_| 1.0);
    let found = against(&[]);
    assert_eq!(code(&found), 0);
    let document = json(&found);
    assert_eq!(verdicts(&document), ["as before"; 2]);
    assert_eq!(document["against"]["between"], true);
    assert_eq!(document["against"]["rows"][0]["measurements"], 3);
    let printed = bench(
        folder.path(),
        &["--rounds", "5", "--against", "--save", "next"],
    );
    assert_eq!(code(&printed), 0);
    let text = stdout(&printed);
    for part in [
        "against 3 saved measurements: noise between measurements",
        "as before (detectable: ",
        "saved in reports/bench/next",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn too_few_rounds_are_no_pass() {
    let folder = folder();
    let rounds = ["--rounds", "2", "--threads", "1"];
    let one = |more: &[&str]| {
        let mut arguments = vec!["bench", "--deals", "8Ki"];
        arguments.extend(rounds.iter().chain(more));
        fairdeal(folder.path(), &arguments)
    };
    assert_eq!(code(&one(&["--save", "two"])), 0);
    let found = one(&["--against", "two"]);
    assert_eq!(code(&found), 0);
    assert!(
        stdout(&found).contains("too few rounds to tell (--rounds 5)"),
        "{}",
        stdout(&found)
    );
}

#[test]
fn what_is_of_something_else_or_damaged_is_one_line() {
    let folder = folder();
    let root = folder.path().join(SAVED);
    let refused = |more: &[&str], part: &str| {
        let done = bench(folder.path(), more);
        assert_eq!(code(&done), 65, "{more:?}: {}", stdout(&done));
        let complaint = complaint(&done);
        assert!(complaint.contains(part), "{complaint}");
    };
    refused(
        &["--against"],
        "none of the 0 measurements in reports/bench",
    );
    refused(&["--against", "base"], "base is not a saved measurement");
    assert_eq!(
        code(&bench(folder.path(), &["--rounds", "1", "--save", "base"])),
        0
    );
    refused(
        &["--against", "--tables", "fits"],
        "none of the 1 measurements",
    );
    refused(
        &["--against=base", "--tables", "fits"],
        "base cannot be compared: tables all, not fits",
    );
    refused(
        &["nine-spades", "--against=base"],
        "base cannot be compared: a different condition (unconstrained, not nine-spades)",
    );

    let other = forge(&root.join("base"), "other", |_| 1.0);
    let record = fs::read_to_string(other.join("bench.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    let processor = record["host"]["processor"].as_str().unwrap();
    edit(&other.join("bench.json"), processor, "Z80");
    refused(&["--against", "other"], "processor Z80");
    fs::remove_dir_all(root.join("base")).unwrap();
    refused(&["--against"], "none of the 1 measurements");
    edit(&other.join("bench.json"), "Z80", processor);

    let record = other.join("bench.json");
    let whole = fs::read_to_string(&record).unwrap();
    let mut zero: serde_json::Value = serde_json::from_str(&whole).unwrap();
    zero["measurements"][3]["ratio_to_naive"] = 0.into();
    for (text, part) in [
        (
            whole[..whole.len() / 2].to_owned(),
            "is not a complete measurement",
        ),
        (zero.to_string(), "a time or ratio is not a positive number"),
        (
            "\u{1b}[2J,a\n1,2\n".to_owned(),
            "is not a complete measurement",
        ),
    ] {
        fs::write(&record, text).unwrap();
        refused(&["--against"], part);
    }
    fs::write(&record, b"\xff\xfe\0").unwrap();
    refused(&["--against"], "is not a complete measurement");
    fs::write(other.join("bench.json"), "{}").unwrap();
    refused(
        &["--against", "other"],
        "bench.json is not a complete measurement",
    );
    refused(&["--against"], "bench.json is not a complete measurement");
    let usage = bench(folder.path(), &["--save", "nine-spades"]);
    assert_eq!(code(&usage), 64);
    assert!(
        stderr(&usage).contains("this is an INPUT"),
        "{}",
        stderr(&usage)
    );
}
