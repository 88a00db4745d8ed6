//! `rnd`: random draws that a seed reproduces for each deal, and that filter deals like any other
//! value.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::path::Path;

use crate::common::{code, fairdeal, folder, rows, stderr, stdout};

const SCRIPT: &str = "hcp(west) >= 20 && rnd(100) < 50
action average \"die\" rnd(6), frequency \"two coins\" (rnd(2) + rnd(2), 0, 2)";

const TABLES: [&str; 4] = ["averages.csv", "frequencies.csv", "hcp.csv", "cards.csv"];

/// A run of the script by a sampler, and what it wrote.
fn run(folder: &Path, out: &str, sampler: &str, more: &[&str]) -> Vec<Vec<u8>> {
    let run = [
        "run",
        "--where",
        SCRIPT,
        "--deals",
        "100K",
        "--batch",
        "64Ki",
        "--seed",
        "11",
        "-q",
        "--sampler",
        sampler,
        "--out",
        out,
    ];
    let done = fairdeal(folder, &[&run[..], more].concat());
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    let file = |name: &&str| fs::read(folder.join(out).join(name)).unwrap();
    TABLES.iter().map(file).collect()
}

fn number(row: &std::collections::BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap()
}

#[test]
fn a_seed_repeats_the_draws_by_every_sampler_and_with_any_threads() {
    let folder = folder();
    for sampler in ["auto", "cells", "rejection"] {
        let one = run(
            folder.path(),
            &format!("{sampler}-1"),
            sampler,
            &["--threads", "1"],
        );
        let three = run(
            folder.path(),
            &format!("{sampler}-3"),
            sampler,
            &["--threads", "3"],
        );
        assert_eq!(one, three, "{sampler}");
        let other = run(
            folder.path(),
            &format!("{sampler}-x"),
            sampler,
            &["--rng", "chacha8"],
        );
        assert_ne!(one, other, "{sampler}");
    }
    // The share of a fair coin, the mean of a die, and two coins that are independent.
    let report = folder.path().join("cells-1");
    let record: serde_json::Value =
        serde_json::from_slice(&fs::read(report.join("run.json")).unwrap()).unwrap();
    let kept = record["filter"]["kept"].as_u64().unwrap();
    let off = kept as f64 - 50_000.0;
    assert!(off.abs() < 5.0 * 25_000_f64.sqrt(), "{kept}");
    let averages = rows(&report.join("averages.csv"));
    let off = number(&averages[0], "mean") - 2.5;
    assert!(
        off.abs() < 5.0 * number(&averages[0], "stderr"),
        "{averages:?}"
    );
    assert_eq!(averages[0]["exact"], "");
    let frequencies = rows(&report.join("frequencies.csv"));
    let count = |value: &str| {
        let row = frequencies
            .iter()
            .find(|row| row["value"] == value)
            .unwrap();
        number(row, "observed")
    };
    for (value, share) in [("0", 0.25), ("1", 0.5), ("2", 0.25)] {
        let expected = kept as f64 * share;
        assert!(
            (count(value) - expected).abs() < 5.0 * expected.sqrt(),
            "{frequencies:?}"
        );
    }
}

#[test]
fn parts_of_a_run_draw_what_the_whole_run_draws() {
    let folder = folder();
    let whole = run(folder.path(), "whole", "auto", &[]);
    for part in ["1/2", "2/2"] {
        let out = format!("part-{}", &part[..1]);
        run(folder.path(), &out, "auto", &["--part", part]);
    }
    let merge = ["merge", "part-1", "part-2", "-o", "merged", "-q"];
    let done = fairdeal(folder.path(), &merge);
    assert!([0, 4].contains(&code(&done)), "{}", stderr(&done));
    let merged = folder.path().join("merged");
    let merged = TABLES.map(|name| fs::read(merged.join(name)).unwrap());
    assert_eq!(merged.to_vec(), whole);
}

#[test]
fn deals_are_kept_by_their_draws_and_printed_with_them() {
    let folder = folder();
    let deal = |condition: &str, more: &[&str]| {
        let deal = ["deal", "--where", condition, "--seed", "5", "-n", "400"];
        let done = fairdeal(folder.path(), &[&deal[..], more].concat());
        assert_eq!(code(&done), 0, "{}", stderr(&done));
        stdout(&done)
    };
    // Of the same deals, those whose coin shows 1 and those whose coin shows 0.
    let reject = ["--sampler", "rejection"];
    let one = deal("rnd(2)", &reject);
    let zero = deal("!rnd(2)", &reject);
    assert_eq!(one, deal("rnd(2)", &reject));
    let all = fairdeal(
        folder.path(),
        &[
            "deal",
            "--where",
            "rnd(2) >= 0",
            "--seed",
            "5",
            "-n",
            "800",
            "--sampler",
            "rejection",
        ],
    );
    let all = stdout(&all);
    let is_in = |text: &str, line: &str| text.lines().any(|other| other == line);
    let (mut ones, mut zeros) = (0, 0);
    for line in all.lines().take(600) {
        assert!(is_in(&one, line) != is_in(&zero, line), "{line}");
        ones += u32::from(is_in(&one, line));
        zeros += u32::from(is_in(&zero, line));
    }
    assert!(ones > 240 && zeros > 240, "{ones} {zeros}");

    // A name is one draw however often it is used; `rnd` twice is two.
    let same = "coin = rnd(2)\ncondition hcp(west) > 24 && coin == rnd(2, 1)\n\
                action printes(coin, rnd(2, 1), \" \", rnd(6), \\n)";
    let printed = deal(same, &["--dealer-output"]);
    let lines: Vec<&str> = printed.lines().take(400).collect();
    assert!(
        lines.iter().all(|line| ["00", "11"].contains(&&line[..2])),
        "{printed}"
    );
    let faces: std::collections::BTreeSet<&str> = lines.iter().map(|line| &line[3..]).collect();
    assert_eq!(
        faces.into_iter().collect::<Vec<_>>(),
        ["0", "1", "2", "3", "4", "5"]
    );
}

#[test]
fn a_listing_or_exact_cells_stay_the_source_and_the_draw_is_a_filter() {
    let folder = folder();
    for (text, sampler) in [
        ("spades(west) == 9 && rnd(10) == 3", "auto"),
        ("hcp(west) > 15 && hcp(north) > 9 && rnd(10) == 3", "cells"),
    ] {
        let explain = ["run", "--where", text, "--sampler", sampler, "--explain"];
        let explained = fairdeal(folder.path(), &explain);
        assert_eq!(code(&explained), 0, "{}", stderr(&explained));
        let said = stdout(&explained);
        assert!(said.contains("rnd(10, 1) == 3"), "{said}");
    }
}

#[test]
fn exact_values_are_refused_with_the_reason() {
    let folder = folder();
    fs::write(folder.path().join("a.pbn"), "").unwrap();
    let refused = |command: &[&str], message: &str, label: &str| {
        let done = fairdeal(folder.path(), command);
        let expected = format!(
            "error: {message}\n --> --where:1:19\n  |\n1 | hcp(west) > 20 && rnd(100) < 50\n  \
             |                   ^^^^^^^^ {label}\n"
        );
        assert_eq!(stderr(&done), expected, "{command:?}");
        assert_eq!(code(&done), 65, "{command:?}");
    };
    let condition = "hcp(west) > 20 && rnd(100) < 50";
    let message = "this condition has no listing and no exact tables";
    let label = "`rnd` is drawn for each deal, not computed from its cards";
    refused(
        &["theory", "--where", condition, "--out", "exact"],
        message,
        label,
    );
    refused(&["cases", "list", "--where", condition], message, label);
    refused(
        &["run", "--where", condition, "--sampler", "listing"],
        message,
        label,
    );
    refused(
        &["audit", "a.pbn", "--where", condition],
        "an audit cannot check `rnd`",
        "drawn for each deal, and not recorded with it",
    );
}
