//! Scripts in dealer's language: listings, filters, statistics and printed output.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;

use crate::common::{code, complaint, fairdeal, folder, rows, stderr, stdout};

fn number(row: &std::collections::BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap()
}

#[test]
fn averages_and_frequencies_are_written_beside_their_exact_values() {
    let folder = folder();
    fs::write(
        folder.path().join("script.dl"),
        "produce 200000
         condition hcp(west) == 12
         action average \"points\" hcp(west), average spades(west), average \"tens\" tens(west),
         frequency \"hearts\" (hearts(west), 2, 4), frequency (hcp(west), 12, 13, aces(west), 0, 1)",
    )
    .unwrap();
    let out = fairdeal(folder.path(), "run script.dl --seed 1 --out o");
    assert_eq!(code(&out), 0, "{}", stderr(&out));
    assert!(stdout(&out).contains("points         12.000 ± 0.000   (exact 12.000)"));
    let averages = rows(&folder.path().join("o/averages.csv"));
    let labels: Vec<&str> = averages.iter().map(|row| row["label"].as_str()).collect();
    assert_eq!(labels, ["points", "spades(west)", "tens"]);
    assert!(averages.iter().all(|row| row["n"] == "200000"));
    assert_eq!(averages[1]["exact"], "3.25");
    assert_eq!(averages[2]["exact"], "");
    let off = number(&averages[1], "mean") - 3.25;
    assert!(off.abs() < 5.0 * number(&averages[1], "stderr"));

    let frequencies = rows(&folder.path().join("o/frequencies.csv"));
    let of = |label: &str| {
        let rows = frequencies.iter().filter(move |row| row["label"] == label);
        rows.collect::<Vec<_>>()
    };
    let hearts = of("hearts");
    let values: Vec<&str> = hearts.iter().map(|row| row["value"].as_str()).collect();
    assert_eq!(values, ["low", "2", "3", "4", "high"]);
    let sum = |column: &str| hearts.iter().map(|row| number(row, column)).sum::<f64>();
    assert_eq!(sum("observed"), 200_000.0);
    assert!((sum("probability") - 1.0).abs() < 1e-14 && (sum("expected") - 2e5).abs() < 1e-6);
    for row in &hearts {
        let (expected, p) = (number(row, "expected"), number(row, "probability"));
        let z = (number(row, "observed") - expected) / (expected * (1.0 - p)).sqrt();
        assert!(z.abs() < 5.0, "{row:?}");
    }
    let joint = of("hcp(west), aces(west)");
    assert_eq!(joint.len(), 16);
    assert_eq!(
        (joint[4]["value"].as_str(), joint[5]["value"].as_str()),
        ("12 low", "12 0")
    );
}

#[test]
fn a_filter_leaves_expectations_empty_and_says_so() {
    let folder = folder();
    let condition = "hcp(west) >= 20 && hcp(north) > 7 && cccc(east) > 400";
    let arguments = [
        "run", "--where", condition, "--deals", "100K", "--seed", "2", "--out", "o",
    ];
    let out = fairdeal(folder.path(), &arguments);
    assert_eq!(code(&out), 0, "{}", stderr(&out));
    let text = stdout(&out);
    assert!(text.contains(" deals kept of 100,000 drawn in "), "{text}");
    assert!(text.contains("about 1 deal in "), "{text}");
    let record = fs::read_to_string(folder.path().join("o/run.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["deals"], 100_000);
    let expected = record["expected"].as_str().unwrap();
    assert!(expected.starts_with("none: "), "{expected}");
    assert!(
        record["listed"]
            .as_str()
            .unwrap()
            .contains("hcp(west) >= 20")
    );
    let kept = record["filter"]["kept"].as_u64().unwrap();
    assert!(kept > 1_000 && kept < 90_000);
    let hcp = rows(&folder.path().join("o/hcp.csv"));
    let west = hcp.iter().filter(|row| row["seat"] == "west");
    assert_eq!(
        west.map(|row| number(row, "observed")).sum::<f64>(),
        kept as f64
    );
    assert!(
        hcp.iter()
            .all(|row| row["expected"].is_empty() && row["z"].is_empty())
    );
    // The whole run again, by rejection, with another identity.
    let mut again = arguments.to_vec();
    again.extend(["--sampler", "rejection"]);
    assert!(complaint(&fairdeal(folder.path(), &again)).contains("different listing"));
}

#[test]
fn tables_of_deals_kept_by_rejection_have_exact_expectations() {
    let folder = folder();
    let condition = "hcp(north) >= 12 && hcp(south) >= 9";
    let arguments = [
        "run",
        "--where",
        condition,
        "--deals",
        "60K",
        "--seed",
        "3",
        "--sampler",
        "rejection",
    ];
    let out = fairdeal(folder.path(), &[&arguments[..], &["--out", "o"]].concat());
    assert_eq!(code(&out), 0, "{}", stderr(&out));
    let record = fs::read_to_string(folder.path().join("o/run.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["expected"], "exact");
    let filter = &record["filter"];
    let [kept, drawn] = ["kept", "drawn"].map(|name| filter[name].as_u64().unwrap() as f64);
    let [low, high] = [0, 1].map(|bound| filter["acceptance"][bound].as_f64().unwrap());
    assert!(low < kept / drawn && kept / drawn < high && high - low < 0.02);
    let theory = ["theory", "--where", condition, "--out", "t", "--quiet"];
    assert_eq!(code(&fairdeal(folder.path(), &theory)), 0);
    for table in ["hcp.csv", "shapes.csv", "cards.csv", "side_hcp.csv"] {
        let [found, exact] = ["o", "t"].map(|name| rows(&folder.path().join(name).join(table)));
        assert_eq!(found.len(), exact.len(), "{table}");
        for (found, exact) in found.iter().zip(&exact) {
            assert_eq!(found["probability"], exact["probability"], "{table}");
            let is_possible = !found["z"].is_empty();
            let z = if is_possible { number(found, "z") } else { 0.0 };
            // Of rare outcomes a single deal is far from its expectation.
            let is_common = number(found, "expected") > 5.0;
            assert!(z.abs() < 6.0 || !is_common, "{table}: {found:?}");
        }
    }
    // Asked for nothing exact, the tables have no expectations.
    let out = fairdeal(
        folder.path(),
        &[&arguments[..], &["--out", "n", "--no-exact"]].concat(),
    );
    assert_eq!(code(&out), 0, "{}", stderr(&out));
    let hcp = rows(&folder.path().join("n/hcp.csv"));
    assert!(hcp.iter().all(|row| row["expected"].is_empty()));
}

#[test]
fn a_run_ends_after_the_whole_batches_that_produce_enough() {
    let folder = folder();
    fs::write(
        folder.path().join("few.dl"),
        "produce 5000 condition hcp(west) + hcp(north) >= 21 && tens(east) >= 1",
    )
    .unwrap();
    let out = fairdeal(folder.path(), "run few.dl --seed 3 --out o --json");
    assert_eq!(code(&out), 0, "{}", stderr(&out));
    let record: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let drawn = record["filter"]["drawn"].as_u64().unwrap();
    assert!(drawn.is_power_of_two() && drawn < 10_485_760, "{drawn}");
    assert!(record["filter"]["kept"].as_u64().unwrap() >= 5_000);
    assert_eq!(record["produce"], 5_000);
}

#[test]
fn predealt_cards_are_dealt_and_tested() {
    let folder = folder();
    fs::write(
        folder.path().join("hand.dl"),
        "predeal south SAQ542, HKJ87, D32, CAK
         condition hcp(west) > 11
         action average \"mine\" hcp(south), average \"theirs\" hcp(west) + hcp(east)",
    )
    .unwrap();
    let run = "run hand.dl --deals 100K --target 1 --seed 4 --out o";
    let out = fairdeal(folder.path(), run);
    assert_eq!(code(&out), 0, "{}", stderr(&out));
    assert!(stdout(&out).contains("Checked "), "{}", stdout(&out));
    let averages = rows(&folder.path().join("o/averages.csv"));
    assert_eq!(number(&averages[0], "mean"), 17.0);
    assert_eq!(number(&averages[0], "exact"), 17.0);
    let (mean, exact) = (number(&averages[1], "mean"), number(&averages[1], "exact"));
    assert!((mean - exact).abs() < 5.0 * number(&averages[1], "stderr"));
    let cards = rows(&folder.path().join("o/cards.csv"));
    let ace = cards
        .iter()
        .find(|row| row["seat"] == "south" && row["card"] == "SA");
    assert_eq!(ace.unwrap()["observed"], "100000");
}

#[test]
fn exact_values_are_left_out_or_worked_out_as_asked() {
    let folder = folder();
    let script = "condition hcp(west) == 12 action average hcp(west), average spades(west)";
    fs::write(folder.path().join("script.dl"), script).unwrap();
    let run = |options: &[&str]| {
        let arguments = [
            "run",
            "script.dl",
            "--deals",
            "2000",
            "--seed",
            "1",
            "--out",
            "o",
        ];
        let arguments = [&arguments[..], &["--force"], options].concat();
        let out = fairdeal(folder.path(), &arguments);
        assert_eq!(code(&out), 0, "{}", stderr(&out));
        let averages = rows(&folder.path().join("o/averages.csv"));
        let exact = averages.iter().map(|row| row["exact"].clone());
        exact.collect::<Vec<String>>()
    };
    assert_eq!(run(&["--no-exact"]), ["", ""]);
    assert_eq!(run(&["--exact"]), ["12", "3.25"]);
    assert_eq!(run(&[]), ["12", "3.25"]);
}

#[test]
fn a_plan_is_explained_before_anything_is_dealt() {
    let folder = folder();
    let condition = "shape(west, any 4333) && hcp(west) > 20 && cccc(north) + cccc(south) > 3000";
    let arguments = ["run", "--where", condition, "--explain", "--seed", "5"];
    let out = fairdeal(folder.path(), &arguments);
    assert_eq!(code(&out), 0, "{}", stderr(&out));
    let text = stdout(&out);
    for expected in [
        "cells       shape(west, any 4333) && hcp(west) > 20\n",
        "filter      cccc(north) + cccc(south) > 3000\n",
        "acceptance  0.00",
        "considered  rejection: ",
        "cells of west by pattern and honours: ",
    ] {
        assert!(text.contains(expected), "{text}");
    }
    assert!(!folder.path().join("reports").exists());
    let out = fairdeal(folder.path(), "run nine-spades --explain");
    assert!(
        stdout(&out).contains("acceptance  1, exactly"),
        "{}",
        stdout(&out)
    );
    assert!(stdout(&out).contains("30 cases, T = 556,991,252,532,000"));
}

#[test]
fn actions_print_what_dealer_prints() {
    let folder = folder();
    fs::write(
        folder.path().join("script.dl"),
        "predeal north SAKQJT98765432 east HAKQJT98765432 south DAKQJT98765432
         produce 2 dealer east vulnerable NS
         action printes(\"spades \", spades(north), \"!\", \\n), printoneline(hcp(west) * 3),
         print(north), average \"diamonds\" diamonds(south) - 1,
         frequency \"clubs\" (clubs(west), 12, 14), printew",
    )
    .unwrap();
    let out = fairdeal(folder.path(), "deal script.dl --dealer-output --seed 7");
    assert_eq!(code(&out), 0, "{}", stderr(&out));
    let text = stdout(&out);
    let deal = "spades 13!\n\
        n AKQJT98765432... e .AKQJT98765432.. s ..AKQJT98765432. w ...AKQJT98765432 30\n\
        -                   - \n\
        -                   A K Q J T 9 8 7 6 5 4 3 2 \n\
        -                   - \n\
        A K Q J T 9 8 7 6 5 4 3 2 - \n\n";
    let page = "\n\nNorth hands:\n\n\n\n   1.                  2.               \n\
        A K Q J T 9 8 7 6 5 4 3 2 A K Q J T 9 8 7 6 5 4 3 2 \n\
        -                   - \n-                   - \n-                   - \n\n\u{c}";
    let rest = "diamonds: 12\nFrequency clubs:\n   12\t       0\n   13\t       2\n   14\t       0\n\
        Generated 2 hands\nProduced 2 hands\nInitial random seed 7\nTime needed ";
    let expected = format!("{deal}{deal}{page}{rest}");
    assert!(text.starts_with(&expected), "{text}");

    let out = fairdeal(folder.path(), "deal script.dl --format pbn -n 1");
    let text = stdout(&out);
    assert!(
        text.contains("[Dealer \"E\"]\n[Vulnerable \"NS\"]"),
        "{text}"
    );
    assert_eq!(text.matches("[Board").count(), 1);
    let out = fairdeal(folder.path(), "deal script.dl");
    assert_eq!(stdout(&out).lines().count(), 2, "what the script produces");
}

#[test]
fn operators_have_the_values_that_dealer_gives_them() {
    let folder = folder();
    fs::write(
        folder.path().join("order.dl"),
        "produce 1
         qc = 1 ? 0 ? 3 : 2 : 1
         le = 5 > 3 < 1
         ta = 10 % 8 / 2
         action printes(qc, le, ta, !0 * 2, 2 - -1, 0 && 0 || 1, (0-7) / 2, (0-7) % 2, \\n)",
    )
    .unwrap();
    let out = fairdeal(folder.path(), "deal order.dl --dealer-output");
    assert_eq!(
        stdout(&out).lines().next(),
        Some("20123 1-3-1".replace(' ', "").as_str())
    );
}

#[test]
fn what_dealer_would_take_silently_is_told() {
    let folder = folder();
    let out = fairdeal(
        folder.path(),
        &["deal", "--where", "hcp(west) > 3 hcp(east) > 3"],
    );
    assert_eq!(code(&out), 65);
    assert!(
        stderr(&out).contains("this condition is replaced by the one at line"),
        "{}",
        stderr(&out)
    );
    fs::write(
        folder.path().join("two.dl"),
        "hcp(west) > 3 hcp(east) > 30 produce 1",
    )
    .unwrap();
    let out = fairdeal(folder.path(), "deal two.dl --seed 1");
    assert_eq!(code(&out), 0);
    assert!(
        stderr(&out).contains("replaced by the one at line 1, column 15")
            && stderr(&out).contains("two.dl:1:1"),
        "{}",
        stderr(&out)
    );

    // A script that is never satisfied, which no exact sampler can tell, ends at its limit.
    fs::write(
        folder.path().join("never.dl"),
        "generate 100000 condition tens(north) + tens(south) == 4 && tens(east) == rnd(2) + 1",
    )
    .unwrap();
    let out = fairdeal(folder.path(), "deal never.dl --seed 1");
    assert!(stdout(&out).is_empty());
    assert_eq!(code(&out), 5);
    assert!(
        stderr(&out)
            .contains("error: found 0 of 10 deals among the 100,000 that the script generates"),
        "{}",
        stderr(&out)
    );
    // Arithmetic that fails for some deal is shown where it stands.
    let failing = "10 / tens(north) + hcp(west) + hcp(east) > 3";
    let out = fairdeal(folder.path(), &["deal", "--where", failing, "--seed", "1"]);
    assert_eq!(code(&out), 65);
    assert!(
        stderr(&out).contains("division by zero"),
        "{}",
        stderr(&out)
    );
}
