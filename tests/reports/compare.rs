//! `fairdeal compare`: comparison of two report folders.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::path::Path;

use crate::common::{code, complaint, fairdeal, folder, rows, stdout};
use serde_json::Value;

/// Runs into a folder of that name.
fn run(folder: &Path, name: &str, input: &[&str], options: &[&str]) {
    let arguments = [
        &["run"],
        input,
        &["--out", name, "--battery", "tables", "--target=1"],
        options,
    ]
    .concat();
    let output = fairdeal(folder, &arguments);
    assert!(code(&output) <= 4, "{}", crate::common::stderr(&output));
}

fn unconstrained(folder: &Path, name: &str, options: &[&str]) {
    run(folder, name, &["unconstrained"], options);
}

/// What comparing A and B says as JSON, and its exit code.
fn compared(folder: &Path, a: &str, b: &str) -> (i32, Value) {
    let output = fairdeal(folder, &["compare", a, b, "--json"]);
    let text = stdout(&output);
    let json = serde_json::from_str(&text);
    (
        code(&output),
        json.unwrap_or_else(|_| panic!("{text}{}", crate::common::stderr(&output))),
    )
}

/// Replaces the first occurrence of a text in a file of a report.
fn doctor(folder: &Path, file: &str, from: &str, to: &str) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(&path, text.replacen(from, to, 1)).unwrap();
}

/// Changes counts.json, and its checksum in run.json with it.
fn alter(folder: &Path, change: impl Fn(&mut Value)) {
    let path = folder.join("counts.json");
    let json = fs::read(&path).unwrap();
    let mut counts: Value = serde_json::from_slice(&json).unwrap();
    change(&mut counts);
    let altered = serde_json::to_vec(&counts).unwrap();
    let [old, new] = [&json, &altered].map(|bytes| blake3::hash(bytes).to_string());
    fs::write(&path, altered).unwrap();
    doctor(folder, "run.json", &old, &new);
}

/// Adds to a count in counts.json: of a table, by its subject and its cell.
fn add(counts: &mut Value, table: &str, subject: usize, cell: usize, by: i64) {
    let tables = counts["tables"].as_array_mut().unwrap();
    let of = tables.iter_mut().find(|of| of["table"] == table).unwrap();
    let count = &mut of["counts"][subject][cell];
    *count = count.as_u64().unwrap().checked_add_signed(by).into();
}

fn copy(folder: &Path, from: &str, to: &str) {
    fs::create_dir(folder.join(to)).unwrap();
    for entry in fs::read_dir(folder.join(from)).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.join(to).join(entry.file_name())).unwrap();
    }
}

#[test]
fn one_run_on_other_threads_is_identical() {
    let folder = folder();
    let here = folder.path();
    let options = ["--deals", "200000", "--seed", "5", "--threads"];
    unconstrained(here, "a", &[&options[..], &["1"]].concat());
    unconstrained(here, "b", &[&options[..], &["3"]].concat());
    let output = fairdeal(here, "compare a b");
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    assert!(
        text.contains("ALIKE  the same run twice: identical counts in all 7 tables"),
        "{text}"
    );
    assert!(text.contains("threads: 1 and 3"), "{text}");

    // Of one run, the counts are the same byte for byte, and so is their checksum.
    let [one, other] =
        ["a", "b"].map(|name| fs::read(here.join(name).join("counts.json")).unwrap());
    assert_eq!(one, other);

    // Two hands of 10 points, as one of 9 and one of 11.
    copy(here, "b", "c");
    alter(&here.join("c"), |counts| {
        for (hcp, change) in [(9, 1), (10, -2), (11, 1)] {
            add(counts, "hcp", 1, hcp, change);
        }
    });
    let (code, json) = compared(here, "a", "c");
    assert_eq!((code, &json["verdict"]), (2, &"DIFFERENT".into()));
    assert_eq!(json["relation"], "same");
    let unequal = &json["identical"]["unequal"];
    assert_eq!(unequal.as_array().unwrap().len(), 1);
    assert_eq!(
        (&unequal[0]["table"], &unequal[0]["cells"]),
        (&"hcp".into(), &3.into())
    );
    let first = unequal[0]["first"][0].as_str().unwrap();
    assert!(first.starts_with("east 9: "), "{first}");
}

#[test]
fn two_seeds_are_alike_and_written_down() {
    let folder = folder();
    let here = folder.path();
    unconstrained(here, "a", &["--deals", "400000", "--seed", "1"]);
    unconstrained(
        here,
        "b",
        &["--deals", "300000", "--seed", "2", "--batch", "100000"],
    );
    let (exit, json) = compared(here, "a", "b");
    assert_eq!((exit, &json["verdict"]), (0, &"ALIKE".into()));
    assert_eq!(json["relation"], "independent");
    assert!(json["s"].as_f64().unwrap() < 1.0);
    assert_eq!(json["detectable_effects"].as_array().unwrap().len(), 3);
    let weights = json["tests"].as_array().unwrap().iter();
    let sum: f64 = weights.map(|row| row["weight"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-9);

    let text = stdout(&fairdeal(here, "compare a b --out ab"));
    for words in [
        "ALIKE  ",
        "S = ",
        "seed: ",
        "batch: ",
        "Detects   ",
        "Speed     A ",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(text.contains(", and here"), "{text}");
    let tests = rows(&here.join("ab/homogeneity.csv"));
    assert_eq!(tests.len(), json["tests"].as_array().unwrap().len());
    let differences = rows(&here.join("ab/differences.csv"));
    assert!(!differences.is_empty() && differences.len() <= 1_000);
    for row in &differences {
        let number = |name: &str| row[name].parse::<f64>().unwrap();
        let (p, q) = (number("share_a"), number("share_b"));
        let (n, m) = (400_000.0, 300_000.0);
        let both = (number("observed_a") + number("observed_b")) / (n + m);
        let z = (p - q) / (both * (1.0 - both) * (1.0 / n + 1.0 / m)).sqrt();
        assert!((number("z") / z - 1.0).abs() < 1e-9, "{row:?}");
    }
    let written: Value =
        serde_json::from_slice(&fs::read(here.join("ab/comparison.json")).unwrap()).unwrap();
    assert_eq!(written, json);

    // The same again may replace it, another only if it must; a report is never replaced.
    assert_eq!(code(&fairdeal(here, "compare a b --out ab -q")), 0);
    let output = fairdeal(here, "compare b a --out ab");
    assert_eq!(code(&output), 64);
    assert!(complaint(&output).contains("holds another report (a comparison of a and b)"));
    assert_eq!(code(&fairdeal(here, "compare b a --out ab -q --force")), 0);
    let output = fairdeal(here, "compare a b --out ./b --force");
    assert_eq!(code(&output), 64);
    assert!(here.join("b/run.json").exists());
    unconstrained(here, "c", &["--deals", "1000", "--seed", "3"]);
    let output = fairdeal(here, "compare a b --out c");
    assert_eq!(code(&output), 64);
    assert!(here.join("c/run.json").exists());
    // A comparison is no report to compare, and a run does not take its place.
    let output = fairdeal(here, "compare a ab");
    assert_eq!(code(&output), 65);
    assert!(complaint(&output).contains("no run.json"));
    let output = fairdeal(here, "run unconstrained --deals 1000 --out ab");
    assert_eq!(code(&output), 64);
}

#[test]
fn a_defect_is_different_and_named() {
    let folder = folder();
    let here = folder.path();
    unconstrained(here, "good", &["--deals", "300000", "--seed", "1"]);
    let defect = [
        "--defect",
        "naive-shuffle-round-robin",
        "--deals",
        "300000",
        "--seed",
        "2",
    ];
    unconstrained(here, "bad", &defect);
    let (exit, json) = compared(here, "good", "bad");
    assert_eq!((exit, &json["verdict"]), (2, &"DIFFERENT".into()));
    let output = fairdeal(here, "compare good bad");
    let text = stdout(&output);
    assert!(text.starts_with("DIFFERENT  "), "{text}");
    assert!(text.contains("Evidence  cards all: "), "{text}");
    assert!(
        text.contains("cards north ") || text.contains("cards west "),
        "{text}"
    );
    assert!(
        text.contains("generator: aes128ctr and defect naive-shuffle-round-robin"),
        "{text}"
    );
}

#[test]
fn a_run_is_compared_with_an_audit() {
    let folder = folder();
    let here = folder.path();
    let deal = [
        "deal",
        "unconstrained",
        "-n",
        "50000",
        "--format",
        "line",
        "--seed",
        "8",
    ];
    let deals = fairdeal(here, &deal);
    fs::write(here.join("deals.txt"), deals.stdout).unwrap();
    let output = fairdeal(here, "audit deals.txt --out audit --battery tables");
    assert!(
        [0, 4].contains(&code(&output)),
        "{}",
        crate::common::stderr(&output)
    );
    unconstrained(here, "run", &["--deals", "200000", "--seed", "9"]);
    let (exit, json) = compared(here, "run", "audit");
    assert_eq!((exit, &json["verdict"]), (0, &"ALIKE".into()), "{json}");
    assert_eq!(json["b"]["kind"], "audit");
    assert_eq!(json["b"]["deals"], 50_000);
    assert_eq!(json["speed"]["interval"], Value::Null);
    // The same deals under another name are the same audit twice.
    fs::rename(here.join("deals.txt"), here.join("again.txt")).unwrap();
    let again = fairdeal(here, "audit again.txt --out again --battery tables");
    assert!([0, 4].contains(&code(&again)));
    let (exit, json) = compared(here, "audit", "again");
    assert_eq!((exit, &json["verdict"]), (0, &"ALIKE".into()));
    assert_eq!(json["relation"], "same");
    // Other deals under the same name are independent.
    let other = fairdeal(here, &[&deal[..6], &["--seed", "10"]].concat());
    fs::write(here.join("deals.txt"), other.stdout).unwrap();
    let output = fairdeal(here, "audit deals.txt --out other --battery tables");
    assert!([0, 4].contains(&code(&output)));
    let (exit, json) = compared(here, "audit", "other");
    assert_eq!((exit, &json["verdict"]), (0, &"ALIKE".into()));
    assert_eq!(json["relation"], "independent");

    // Of a condition, written in other words.
    let condition = "spades(west) == 9";
    let deal = [
        "deal", "--where", condition, "-n", "20000", "--format", "line", "--seed", "8",
    ];
    let deals = fairdeal(here, &deal);
    fs::write(here.join("nine.txt"), deals.stdout).unwrap();
    let audit = [
        "audit",
        "nine.txt",
        "--where",
        "spades(west)==9",
        "--out",
        "nine",
        "-q",
    ];
    assert!([0, 4].contains(&code(&fairdeal(here, &audit))));
    run(
        here,
        "west",
        &["west-nine-spades"],
        &["--deals", "50000", "--seed", "9"],
    );
    let (exit, json) = compared(here, "west", "nine");
    assert_eq!((exit, &json["verdict"]), (0, &"ALIKE".into()), "{json}");
    let subjects = json["tests"].as_array().unwrap().iter();
    let mut subjects = subjects.map(|row| row["subject"].as_str().unwrap());
    assert!(subjects.any(|subject| subject == "worst card"));
    let output = fairdeal(here, "compare run nine");
    assert_eq!(code(&output), 65);
    let text = complaint(&output);
    assert!(
        text.contains("different conditions: run has none, nine has `"),
        "{text}"
    );
}

#[test]
fn samples_of_one_seed_are_not_independent() {
    let folder = folder();
    let here = folder.path();
    unconstrained(here, "a", &["--deals", "131072", "--seed", "7"]);
    unconstrained(
        here,
        "b",
        &["--deals", "131072", "--seed", "7", "--batch", "32768"],
    );
    unconstrained(here, "c", &["--deals", "262144", "--seed", "7"]);
    for other in ["b", "c"] {
        let output = fairdeal(here, &["compare", "a", other]);
        let text = stdout(&output);
        assert!(
            text.contains("Warning   both runs have the same seed"),
            "{text}"
        );
        let (_, json) = compared(here, "a", other);
        assert_eq!(json["relation"], "dependent");
        assert_eq!(json["warnings"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn filtered_runs_and_scripts_are_compared() {
    let folder = folder();
    let here = folder.path();
    let script = "condition cccc(south) > 1200 && hearts(east) > 2\n\
                  action average \"points\" hcp(east), \
                  frequency \"length\" (spades(west), 3, 6), \
                  frequency \"both\" (hcp(north), 12, 14, hearts(east), 3, 4)\n";
    fs::write(here.join("script.dl"), script).unwrap();
    for (name, seed) in [("a", "1"), ("b", "2")] {
        run(
            here,
            name,
            &["script.dl"],
            &["--deals", "30000", "--seed", seed],
        );
    }
    let (exit, json) = compared(here, "a", "b");
    assert_eq!((exit, &json["verdict"]), (0, &"ALIKE".into()), "{json}");
    let kept: Value = serde_json::from_slice(&fs::read(here.join("a/run.json")).unwrap()).unwrap();
    assert_eq!(json["a"]["deals"], kept["filter"]["kept"]);
    let tests: Vec<&str> = json["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["test"].as_str().unwrap())
        .collect();
    for name in ["average points", "frequency length", "frequency both"] {
        assert!(tests.contains(&name), "{tests:?}");
    }
    // A script that asks less is compared as far as it goes.
    fs::write(here.join("less.dl"), script.split("action").next().unwrap()).unwrap();
    run(
        here,
        "c",
        &["less.dl"],
        &["--deals", "30000", "--seed", "3"],
    );
    let (exit, json) = compared(here, "a", "c");
    assert_eq!(exit, 0);
    assert!(
        json["warnings"][0]
            .as_str()
            .unwrap()
            .ends_with("were not compared (3)")
    );
    // The same script again is the same run, its averages too.
    run(
        here,
        "d",
        &["script.dl"],
        &["--deals", "30000", "--seed", "1", "--threads", "1"],
    );
    let (exit, json) = compared(here, "a", "d");
    assert_eq!((exit, &json["identical"]["tables"]), (0, &10.into()));
    alter(&here.join("d"), |counts| {
        assert_eq!(counts["averages"][0]["label"], "points");
        counts["averages"][0]["mean"] = 11.into();
    });
    let (exit, json) = compared(here, "a", "d");
    assert_eq!(
        (exit, &json["identical"]["unequal"][0]["table"]),
        (2, &"averages".into())
    );
}

#[test]
fn damaged_reports_are_refused_in_one_line() {
    let folder = folder();
    let here = folder.path();
    unconstrained(here, "good", &["--deals", "20000", "--seed", "1"]);
    let refused = |name: &str, words: &str| {
        for pair in [["good", name], [name, "good"]] {
            let output = fairdeal(here, &["compare", pair[0], pair[1]]);
            assert_eq!(code(&output), 65, "{name}");
            let text = complaint(&output);
            assert!(text.contains(words), "{name}: {text}");
        }
    };
    refused(
        "nowhere",
        "nowhere: no such folder: give the folder of a report of `run` or `audit`",
    );
    fs::create_dir(here.join("empty")).unwrap();
    refused("empty", "empty: no run.json");
    let damage = |name: &str, words: &str, change: &dyn Fn(&Path)| {
        copy(here, "good", name);
        change(&here.join(name));
        refused(name, words);
    };
    damage(
        "no-counts",
        "counts.json: no such file: create the report again with this version of fairdeal",
        &|path| fs::remove_file(path.join("counts.json")).unwrap(),
    );
    damage("record", "run.json: ", &|path| {
        fs::write(path.join("run.json"), "{\n\"program\": 1,\n\"deals\"").unwrap();
    });
    damage(
        "no-checksum",
        "run.json: missing field `counts_blake3`",
        &|path| {
            doctor(path, "run.json", "counts_blake3", "other");
        },
    );
    for (name, words, from, to) in [
        (
            "seconds",
            "`seconds` is invalid",
            "\"seconds\": ",
            "\"seconds\": -1",
        ),
        (
            "verdict",
            "unknown variant",
            "\"verdict\": \"",
            "\"verdict\": \"\\u001b[31m",
        ),
    ] {
        damage(name, &format!("run.json: {words}"), &|path| {
            doctor(path, "run.json", from, to);
        });
    }
    // The counts of another run, and one byte that is another.
    unconstrained(here, "other", &["--deals", "20000", "--seed", "2"]);
    let changed = "counts.json: its checksum is not the one in run.json";
    damage("swapped", changed, &|path| {
        fs::copy(here.join("other/counts.json"), path.join("counts.json")).unwrap();
    });
    damage("byte", changed, &|path| {
        let mut bytes = fs::read(path.join("counts.json")).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(path.join("counts.json"), bytes).unwrap();
    });
    damage("cut", changed, &|path| {
        fs::write(path.join("counts.json"), "").unwrap();
    });
    // With a right checksum: another version, counts that no deals have, and a name that is a
    // command to the terminal.
    for (name, words, change) in [
        (
            "version",
            "counts.json: format version 2, expected 1",
            (|counts| counts["format_version"] = 2.into()) as fn(&mut Value),
        ),
        (
            "empty-counts",
            "counts.json: invalid type: null",
            |counts| {
                *counts = Value::Null;
            },
        ),
        (
            "sum",
            "counts.json: `shapes` is not a complete table of 20000 deals",
            |counts| add(counts, "shapes", 2, 1, 1),
        ),
        (
            "escape",
            "counts.json: `frequency \\u{1b}[31m` is not a complete table of 20000 deals",
            |counts| {
                let mut frequency = counts["tables"][4].clone();
                frequency["table"] = "frequency".into();
                frequency["label"] = "\u{1b}[31m".into();
                counts["tables"].as_array_mut().unwrap().push(frequency);
            },
        ),
    ] {
        damage(name, words, &|path| alter(path, change));
    }
}

#[cfg(unix)]
#[test]
fn only_a_regular_file_of_a_limited_size_is_read_as_counts() {
    let folder = folder();
    let here = folder.path();
    unconstrained(here, "good", &["--deals", "1000", "--seed", "1"]);
    let replaced = |name: &str, words: &str, replace: &dyn Fn(&Path)| {
        copy(here, "good", name);
        let path = here.join(name).join("counts.json");
        fs::remove_file(&path).unwrap();
        replace(&path);
        let output = fairdeal(here, &["compare", "good", name]);
        assert_eq!(code(&output), 74, "{name}");
        let text = complaint(&output);
        let words = format!("{name}/counts.json cannot be read: {words}");
        assert!(text.contains(&words), "{name}: {text}");
    };
    replaced("folder", "not a regular file", &|path| {
        fs::create_dir(path).unwrap();
    });
    replaced("pipe", "not a regular file", &|path| {
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.unwrap().success());
    });
    replaced("link", "a symbolic link; remove it", &|path| {
        std::os::unix::fs::symlink("../good/counts.json", path).unwrap();
    });
    replaced("huge", "larger than 256 MiB", &|path| {
        // Sparse: it takes no room on the disk.
        fs::File::create(path).unwrap().set_len(1 << 40).unwrap();
    });
}

#[test]
fn too_few_deals_are_inconclusive() {
    let folder = folder();
    let here = folder.path();
    unconstrained(here, "a", &["--deals", "10", "--seed", "1"]);
    unconstrained(here, "b", &["--deals", "12", "--seed", "2"]);
    let output = fairdeal(here, "compare a b");
    assert_eq!(code(&output), 4);
    assert!(
        stdout(&output).starts_with("INCONCLUSIVE  too few deals"),
        "{}",
        stdout(&output)
    );
}

#[test]
#[ignore = "long"]
fn a_long_enough_run_has_a_pace_that_gives_an_interval() {
    let folder = folder();
    let here = folder.path();
    for (name, seed) in [("a", "1"), ("b", "2")] {
        unconstrained(
            here,
            name,
            &["--deals", "60M", "--seed", seed, "--threads", "1"],
        );
    }
    let record: Value =
        serde_json::from_slice(&fs::read(here.join("a/run.json")).unwrap()).unwrap();
    let pace = &record["pace"];
    let deals = pace["deals"].as_array().unwrap();
    let counted: u64 = deals.iter().map(|deals| deals.as_u64().unwrap()).sum();
    assert!(deals.len() >= 4 && counted <= 60_000_000, "{pace}");
    let (exit, json) = compared(here, "a", "b");
    assert_eq!(exit, 0);
    let speed = &json["speed"];
    let ratio = speed["ratio"].as_f64().unwrap();
    let [low, high] = [0, 1].map(|end| speed["interval"][end].as_f64().unwrap());
    assert!(low < ratio && ratio < high, "{speed}");
    assert!(speed["median_ratio"].as_f64().unwrap() > 0.0);
}
