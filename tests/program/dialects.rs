//! Scripts of dealer's successors on the command line: output, seeds, parameters and files.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::path::Path;

use crate::common::{code, complaint, fairdeal, folder, stderr, stdout};

/// Runs a command in a folder with the script `script.dl`, and returns its standard output.
fn printed(folder: &Path, script: &str, command: &[&str]) -> String {
    fs::write(folder.join("script.dl"), script).unwrap();
    let done = fairdeal(folder, command);
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    stdout(&done)
}

/// The deals of a script, one a line, as `n S.H.D.C e S.H.D.C s S.H.D.C w S.H.D.C`.
fn deals(folder: &Path, script: &str, rest: &[&str]) -> Vec<String> {
    let command = ["deal", "script.dl", "--format", "oneline", "-n", "3"];
    let lines = printed(folder, script, &[&command, rest].concat());
    lines.lines().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn the_seed_of_a_script_deals_unless_another_is_given() {
    let folder = folder();
    let folder = folder.path();
    let script = "seed 77 hcp(north) >= 15";
    let with_seed = deals(folder, script, &[]);
    assert_eq!(with_seed.len(), 3);
    assert_eq!(deals(folder, script, &["--seed", "77"]), with_seed);
    assert_eq!(
        deals(folder, "hcp(north) >= 15", &["--seed", "77"]),
        with_seed
    );
    assert_ne!(deals(folder, script, &["--seed", "78"]), with_seed);
    let run = ["run", "script.dl", "--deals", "10K", "--json"];
    let json: serde_json::Value = serde_json::from_str(&printed(folder, script, &run)).unwrap();
    assert_eq!(json["seed"], "0x4d");
}

#[test]
fn reports_print_items_as_dealerv2_does() {
    let folder = folder();
    let folder = folder.path();
    let script = "seed 5 hcp(north) >= 20\n\
         action printrpt(rnd(0), \"points\", hcp(north), NS, west, deal), export(EW), printns";
    let dealt = deals(folder, script, &[]);
    let output = printed(
        folder,
        script,
        &["deal", "script.dl", "--dealer-output", "-n", "3"],
    );
    for (place, deal) in dealt.iter().enumerate() {
        let words: Vec<&str> = deal.split(' ').collect();
        let [north, east, south, west] = [1, 3, 5, 7].map(|place| words[place]);
        let points = north
            .chars()
            .map(|card| "JQKA".find(card).map_or(0, |at| at + 1));
        let report = format!(
            " {},'points',{},n {north} s {south} ,w {west} ,{deal} \n",
            place + 1,
            points.sum::<usize>()
        );
        assert!(output.contains(&report), "{report}{output}");
        let exported = |hand: &str| {
            let suits = hand.split('.').zip("SHDC".chars());
            let held = suits.filter(|(ranks, _)| !ranks.is_empty());
            let held = held.map(|(ranks, suit)| format!("{suit}{ranks}"));
            held.collect::<Vec<String>>().join(",")
        };
        let line = format!("-E {}  -W {} \n", exported(east), exported(west));
        assert!(output.contains(&line), "{line}{output}");
        // The side's hands, south first.
        let spades = |hand: &str| {
            let ranks = hand.split('.').next().unwrap().chars();
            let spaced: String = ranks.flat_map(|rank| [rank, ' ']).collect();
            if spaced.is_empty() {
                "- ".to_owned()
            } else {
                spaced
            }
        };
        let line = format!("\n{:20}{}\n", spades(south), spades(north));
        assert!(output.contains(&line), "{line}{output}");
    }
}

#[test]
fn a_run_writes_the_rows_of_csvrpt() {
    let folder = folder();
    let folder = folder.path();
    let script = "seed 9 condition hcp(north) >= 18 && hascard(east, S2)\n\
         action csvrpt(rnd(0), hcp(north), \"a, b\", EW), csvrpt(2 * losers(north))";
    // The same sampler, whatever the number of deals.
    let dealt = deals(folder, script, &["--sampler", "rejection"]);
    let run = [
        "run",
        "script.dl",
        "--deals",
        "20K",
        "--sampler",
        "rejection",
        "--out",
        "report",
        "--quiet",
    ];
    printed(folder, script, &run);
    let mut reader = csv::Reader::from_path(folder.join("report/csvrpt.csv")).unwrap();
    let names: Vec<String> = reader
        .headers()
        .unwrap()
        .iter()
        .map(str::to_owned)
        .collect();
    assert_eq!(
        names,
        ["number", "hcp(north)", "text", "EW", "2 * losers(north)"]
    );
    let rows: Vec<csv::StringRecord> = reader.into_records().map(Result::unwrap).collect();
    let json = fs::read_to_string(folder.join("report/run.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["filter"]["kept"], rows.len());
    for (place, row) in rows.iter().enumerate() {
        assert_eq!(row[0], (place + 1).to_string());
        assert!(row[1].parse::<u32>().unwrap() >= 18);
        assert_eq!(&row[2], "a, b");
    }
    for (row, deal) in rows.iter().zip(&dealt) {
        let words: Vec<&str> = deal.split(' ').collect();
        assert_eq!(row[3], format!("e {} w {}", words[3], words[7]));
    }
    // A script without it leaves no file of an earlier one.
    let run = [
        "run",
        "script.dl",
        "--deals",
        "20K",
        "--out",
        "report",
        "--quiet",
        "--force",
    ];
    printed(folder, "hcp(north) >= 18", &run);
    assert!(!folder.join("report/csvrpt.csv").exists());
}

#[test]
fn parameters_and_dialects_are_options_of_all_that_read_conditions() {
    let folder = folder();
    let folder = folder.path();
    let script = "hcp($0) >= $1 * 2 / 2";
    let parameters = ["--param", "0=west", "--param=1=11", "--seed", "3"];
    let dealt = deals(folder, script, &parameters);
    assert_eq!(deals(folder, "hcp(west) >= 11", &["--seed", "3"]), dealt);
    let exact = |script: &str, options: &[&str]| {
        let command = ["theory", "script.dl", "-q", "--json"];
        printed(folder, script, &[&command, options].concat())
    };
    let probability = |text: &str| {
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        json["probability"].clone()
    };
    let v2 = exact("hcp(north) * 5 / 2 > 30", &["--dialect", "dealerv2"]);
    assert_eq!(
        probability(&v2),
        probability(&exact("hcp(north) > 15", &[]))
    );
    let plain = exact("hcp(north) * 5 / 2 > 30", &[]);
    assert_eq!(
        probability(&plain),
        probability(&exact("hcp(north) > 12", &[]))
    );
    for command in [
        &["run", "script.dl"][..],
        &["theory", "script.dl"],
        &["deal", "script.dl"],
        &["bench", "script.dl"],
        &["cases", "list", "script.dl"],
        &["audit", "none.pbn", "--condition", "script.dl"],
        &[
            "number",
            "encode",
            "--scheme",
            "cells",
            "--input",
            "script.dl",
            "1",
        ],
    ] {
        fs::write(folder.join("script.dl"), "ltc($4) < 5.5").unwrap();
        let done = fairdeal(folder, command);
        assert_eq!(code(&done), 65, "{command:?}");
        assert!(
            stderr(&done).contains("--param 4=VALUE"),
            "{}",
            stderr(&done)
        );
        let options = ["--param", "4=west", "--dialect", "dealer"];
        let done = fairdeal(folder, &[command, &options].concat());
        assert_eq!(code(&done), 65, "{command:?}");
        let said = stderr(&done);
        assert!(said.contains("dealer has no script parameters"), "{said}");
    }
    for (input, options, said) in [
        (
            "script.dl",
            &["--param=4=west", "--param=4=east"][..],
            "--param sets $4 twice",
        ),
        (
            "script.dl",
            &["--param=4=west", "--param=0=x"],
            "script.dl has no parameter $0",
        ),
        (
            "x.cases",
            &["--param=4=west"],
            "x.cases has no parameter $4",
        ),
        (
            "flannery-misfit",
            &["--param=4=west"],
            "flannery-misfit has no parameter $4",
        ),
    ] {
        let done = fairdeal(folder, &[&["deal", input], options].concat());
        assert_eq!(code(&done), 64, "{options:?}");
        assert!(complaint(&done).contains(said), "{}", stderr(&done));
    }
    for wrong in ["10=x", "x=1", "3", "=2"] {
        let done = fairdeal(folder, &["deal", "script.dl", "--param", wrong]);
        assert_eq!(code(&done), 64, "{wrong}");
    }
}

#[test]
fn a_run_in_a_requested_dialect_is_resumed_and_compared_by_its_text() {
    let folder = folder();
    let folder = folder.path();
    let script = "not hcp(north) > 9";
    let run = [
        "run",
        "script.dl",
        "--deals",
        "20K",
        "--seed",
        "4",
        "--quiet",
        "--dialect",
        "dealer3",
    ];
    printed(folder, script, &[&run[..], &["--out", "one"]].concat());
    let json = fs::read_to_string(folder.join("one/run.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        json["condition"],
        "not hcp(north) > 9\n# dialect: dealer3\n"
    );
    // The same deals as those of the condition with brackets.
    let bracketed = [
        "run",
        "script.dl",
        "--deals",
        "20K",
        "--seed",
        "4",
        "--quiet",
        "--out",
        "two",
    ];
    printed(folder, "not (hcp(north) > 9)", &bracketed);
    for table in ["hcp.csv", "patterns.csv"] {
        let [one, two] =
            ["one", "two"].map(|name| fs::read(folder.join(name).join(table)).unwrap());
        assert_eq!(one, two, "{table}");
    }
}

#[test]
fn the_first_board_and_the_title_are_those_of_the_script() {
    let folder = folder();
    let folder = folder.path();
    let script = "title \"Slam \\ tries\" startboard 17 seed 1 action printpbn";
    let command = ["deal", "script.dl", "--dealer-output", "-n", "2"];
    let output = printed(folder, script, &command);
    assert!(
        output.contains("[Description \"Slam \\\\ tries\"]\n"),
        "{output}"
    );
    assert!(output.contains("[Board \"17\"]\n") && output.contains("[Board \"18\"]\n"));
    let output = printed(folder, script, &[&command[..], &["--board", "5"]].concat());
    assert!(output.contains("[Board \"5\"]\n"), "{output}");
}
