//! Every measurement in process, at sizes of a moment. The program's own commands are measured only
//! where `FAIRDEAL` names one.
#![allow(clippy::expect_used, reason = "a test that cannot begin has failed")]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The JSON of a measurement that keeps its promises.
fn measured(arguments: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(arguments.split(' '))
        .arg("--json")
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .expect("lab starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "lab {arguments}: {said}");
    let document: Value = serde_json::from_slice(&output.stdout).expect("lab prints JSON");
    let tables = document["tables"].as_array().expect("tables");
    assert!(!tables.is_empty(), "lab {arguments} has no table");
    for table in tables {
        let rows = table["rows"].as_array().expect("rows");
        assert!(
            !rows.is_empty(),
            "lab {arguments}: no row in {}",
            table["title"]
        );
    }
    assert_eq!(document["broken"], 0);
    document
}

#[test]
fn measurements_in_process_have_rows_and_keep_their_promises() {
    for arguments in [
        "validity --runs 10 --audits 1 --repeats 1 --repeat-runs 10 --every 60",
        "samples --sizes 16 --sets 20",
        "null --runs 10 --deals 1000 unconstrained",
        "perfect --deals 2000 --rng chacha8",
        "agreement --deals 5000 nine-spades",
        "cells --deals 1000 --generated 20000 --every 20",
        "cells --deals 1000 --generated 20000 --random 3",
        "validity --runs 10 --random 2",
        "defects deck-not-reset-52",
        "effects --boards 16 --collections 4",
        "leads --deals 8",
        "speed --list",
        "dist --list",
    ] {
        measured(arguments);
    }
}

#[test]
fn perfect_runs_have_the_evidence_of_a_self_test() {
    // The largest S of `fairdeal self-test --runs 100 --deals 64 --seed 1` on the same condition.
    let document = measured("validity --runs 100 --audits 0 --repeats 0 --every 100");
    let row = &document["tables"][0]["rows"][0];
    assert_eq!(row["condition"], "shape(north, 7600 + 6700)");
    let largest = row["largest S"].as_f64().expect("a number");
    assert!((largest - 0.3100612829892987).abs() < 1e-9, "{largest}");
}

#[test]
fn commands_of_the_program_are_measured() {
    if std::env::var_os("FAIRDEAL").is_none() {
        return;
    }
    measured("exact --every 60");
    measured("large --where nine-spades --deals 100k");
    measured("levelling --deals 100k");
    measured("practice --every 60");
    measured("speed change --divide 1000 --rounds 1");
}
