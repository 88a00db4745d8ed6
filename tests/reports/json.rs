//! The output of `--json`: it parses, and contains the same values as the text.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{SHORT_LISTED_RUN, code, complaint, fairdeal, folder, stderr, stdout};

/// The one document that a command prints.
fn document(folder: &Path, arguments: &[&str]) -> Value {
    let done = fairdeal(folder, arguments);
    let text = stdout(&done);
    assert!(text.ends_with('\n'), "{arguments:?}: {}", stderr(&done));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"))
}

/// The objects that a command prints, a line each.
fn lines(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let text = stdout(&fairdeal(folder, arguments));
    let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    text.lines().map(parse).collect()
}

/// Compares what is printed with a record in a folder, which also has what is known of its files.
fn holds_record(printed: &Value, mut written: Value) {
    let fields = written.as_object_mut().unwrap();
    assert!(fields.remove("counts_blake3").is_some());
    fields.remove("median_ns");
    for (name, value) in fields {
        assert_eq!(printed[name], *value, "{name}");
    }
}

/// What a command prints as text.
fn text(folder: &Path, arguments: &[&str]) -> String {
    let done = fairdeal(folder, arguments);
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    stdout(&done)
}

/// An integer with commas between thousands.
fn grouped(value: &Value) -> String {
    let digits = match value {
        Value::String(digits) => digits.clone(),
        number => number.to_string(),
    };
    let mut grouped = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[test]
fn scenarios_are_an_array_that_says_what_the_list_says() {
    let folder = folder();
    let scenarios = document(folder.path(), &["scenarios", "--json"]);
    let printed = text(folder.path(), &["scenarios", "--conditions"]);
    let scenarios = scenarios.as_array().unwrap();
    assert_eq!(scenarios.len(), 10);
    for scenario in scenarios {
        let name = format!("{} ", scenario["name"].as_str().unwrap());
        let mut rows = printed.lines().skip_while(|line| !line.starts_with(&name));
        let summary = scenario["summary"].as_str().unwrap();
        assert!(rows.next().unwrap().ends_with(summary), "{printed}");
        let size = rows.next().unwrap();
        assert!(size.contains(&grouped(&scenario["total"])), "{size}");
        if !scenario["cases"].is_null() {
            assert!(size.contains(&grouped(&scenario["cases"])), "{size}");
        }
        let condition = scenario["condition"].as_str().unwrap();
        assert!(
            condition
                .lines()
                .all(|line| printed.contains(&format!(" {line}\n")))
        );
    }
}

#[test]
fn a_case_file_is_described_alike_by_build_info_and_verify() {
    let folder = folder();
    let build = ["cases", "build", "nine-spades", "-o", "n.cases"];
    let built = document(folder.path(), &[&build[..], &["--json"]].concat());
    let info = document(folder.path(), &["cases", "info", "n.cases", "--json"]);
    let mut verified = document(folder.path(), &["cases", "verify", "n.cases", "--json"]);
    assert_eq!(built, info);
    for proved in ["sound", "cells"] {
        let proved = verified.as_object_mut().unwrap().remove(proved);
        assert_eq!(proved, Some(true.into()));
    }
    assert_eq!(verified, info);
    assert_eq!(info["total"], "556991252532000");
    assert_eq!(
        info["bytes"],
        fs::metadata(folder.path().join("n.cases")).unwrap().len()
    );
    let printed = text(folder.path(), &["cases", "info", "n.cases"]);
    for (label, value) in [
        (
            "hands           ",
            info["order"].as_str().unwrap().to_owned(),
        ),
        ("cases           ", grouped(&info["cases"])),
        ("T               ", grouped(&info["total"])),
        ("bytes           ", grouped(&info["bytes"])),
        (
            "records BLAKE3  ",
            info["records_blake3"].as_str().unwrap().to_owned(),
        ),
        (
            "section BLAKE3  ",
            info["sections_blake3"].as_str().unwrap().to_owned(),
        ),
    ] {
        let line = format!("{label}{value}\n");
        assert!(printed.contains(&line), "{line}{printed}");
    }
}

#[test]
fn cases_are_lines_with_the_columns_of_the_csv() {
    let folder = folder();
    for input in ["nine-spades", "north-3-hcp", "east-5332-34"] {
        let list = ["cases", "list", input, "--rows", "3..20"];
        let csv = text(folder.path(), &[&list[..], &["--format", "csv"]].concat());
        let json = lines(folder.path(), &[&list[..], &["--json"]].concat());
        let same = lines(folder.path(), &[&list[..], &["--format", "json"]].concat());
        assert_eq!(json, same);
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let names = reader.headers().unwrap().clone();
        let mut rows = 0;
        for (row, object) in reader.records().map(Result::unwrap).zip(&json) {
            rows += 1;
            assert_eq!(object.as_object().unwrap().len(), names.len());
            for (name, field) in names.iter().zip(&row) {
                let value = match &object[name] {
                    Value::Null => String::new(),
                    Value::String(text) => text.clone(),
                    number => number.to_string(),
                };
                assert_eq!(value, field, "{input} {name}");
            }
        }
        assert_eq!((rows, json.len()), (18, 18));
    }
}

#[test]
fn pruning_says_what_was_removed() {
    let folder = folder();
    text(folder.path(), &["cases", "list", "nine-spades"]);
    let cache = folder.path().join("cache/fairdeal");
    let kept = fs::read_dir(&cache).unwrap().next().unwrap().unwrap();
    let bytes = kept.metadata().unwrap().len();
    let pruned = document(folder.path(), &["cases", "prune", "--json"]);
    let wanted = serde_json::json!({
        "folder": cache.to_str().unwrap(), "files": 1, "bytes": bytes, "being_written": 0,
    });
    assert_eq!(pruned, wanted);
    let pruned = document(folder.path(), &["cases", "prune", "--json"]);
    assert_eq!(pruned["files"], 0);
}

#[test]
fn theory_is_theory_json_and_the_tables_that_are_printed() {
    let folder = folder();
    let out = ["theory", "nine-spades", "--out", "exact", "--json"];
    let written = document(folder.path(), &out);
    assert_eq!(written["folder"], "exact");
    assert!(written.get("shapes").is_none());
    let theory = document(folder.path(), &["theory", "nine-spades", "--json"]);
    let file = fs::read(folder.path().join("exact/theory.json")).unwrap();
    let file: Value = serde_json::from_slice(&file).unwrap();
    for (name, value) in file.as_object().unwrap() {
        assert_eq!((&theory[name], &written[name]), (value, value), "{name}");
    }
    let printed = text(folder.path(), &["theory", "nine-spades", "--exact"]);
    let one_in = theory["one_deal_in"].as_f64().unwrap();
    assert!(one_in > 9_260_199.0 && printed.contains(" (1 in 9,260,200)\n"));
    // Every row of the tables is one of the CSV's, and none that can come is left out.
    for (table, file, outcome) in [
        ("shapes", "shapes.csv", "shape"),
        ("hcp", "hcp.csv", "hcp"),
        ("suit_lengths", "suit_lengths.csv", "length"),
    ] {
        let rows = theory[table].as_array().unwrap();
        let csv = crate::common::rows(&folder.path().join("exact").join(file));
        let possible: Vec<_> = csv.iter().filter(|row| row["fraction"] != "0/1").collect();
        assert_eq!(rows.len(), possible.len(), "{table}");
        for (row, wanted) in rows.iter().zip(possible) {
            assert_eq!(row["seat"], wanted["seat"]);
            assert_eq!(row["fraction"], wanted["fraction"]);
            let outcome = row[outcome].to_string();
            assert_eq!(outcome.trim_matches('"'), wanted[table_column(table)]);
            let probability: f64 = wanted["probability"].parse().unwrap();
            // serde_json reads to within the last bit.
            let ratio = row["probability"].as_f64().unwrap() / probability;
            assert!((ratio - 1.0).abs() < 1e-15, "{row}");
        }
    }
    for mean in theory["hcp_mean"].as_array().unwrap() {
        let mean = format!("{:.12}", mean["mean"].as_f64().unwrap());
        assert!(printed.contains(&mean), "{mean}");
    }
}

/// The column of a table's outcomes.
fn table_column(table: &str) -> &'static str {
    match table {
        "shapes" => "shape",
        "hcp" => "hcp",
        _ => "length",
    }
}

#[test]
fn numbers_are_a_line_for_each_line_bad_ones_too() {
    let folder = folder();
    let decode = [
        "number", "decode", "--scheme", "andrews", "0", "7", "--json",
    ];
    let decoded = lines(folder.path(), &decode);
    let plain = text(folder.path(), &decode[..6]);
    assert_eq!(decoded[1]["input"], "7");
    let deals: Vec<_> = decoded
        .iter()
        .map(|line| line["deal"].as_str().unwrap())
        .collect();
    assert_eq!(deals, plain.lines().collect::<Vec<_>>());
    let encode = ["number", "encode", "--scheme", "andrews", "--json"];
    let done = fairdeal(
        folder.path(),
        &[&encode[..], &[deals[1], "N:AKQ", "", deals[0]]].concat(),
    );
    assert_eq!(code(&done), 65);
    let lines: Vec<Value> = stdout(&done)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(
        lines[0],
        serde_json::json!({"input": deals[1], "number": "7"})
    );
    assert_eq!(lines[1]["number"], Value::Null);
    let reason = lines[1]["error"].as_str().unwrap();
    assert!(stderr(&done).contains(reason));
    assert_eq!(lines[2], serde_json::json!({"input": null, "number": null}));
    assert_eq!(lines[3]["number"], "0");
}

#[test]
fn boards_are_the_deals_that_other_formats_have() {
    let folder = folder();
    let deal = ["deal", "nine-spades", "-n", "20", "--seed", "5"];
    let boards = lines(folder.path(), &[&deal[..], &["--json"]].concat());
    let plain = text(folder.path(), &deal);
    assert_eq!(boards.len(), 20);
    for (place, (board, line)) in boards.iter().zip(plain.lines()).enumerate() {
        let hands = ["north", "east", "south", "west"].map(|seat| board[seat].as_str().unwrap());
        assert_eq!(format!("N:{}", hands.join(" ")), line);
        assert_eq!(board["number"], place as u64 + 1);
    }
    assert_eq!(
        (&boards[1]["dealer"], &boards[1]["vulnerability"]),
        (&"east".into(), &"NS".into())
    );
    let defective = ["deal", "unconstrained", "-n", "2", "--seed", "5", "--json"];
    let defect = ["--defect", "naive-shuffle-round-robin"];
    assert_eq!(
        lines(folder.path(), &[&defective[..], &defect].concat()).len(),
        2
    );
}

#[test]
fn an_explanation_says_what_is_listed_asked_and_kept() {
    let folder = folder();
    let condition = "hcp(west) >= 15 && hcp(west) <= 17 && tens(north) >= 2 && spades(east) >= 5";
    let explain = [
        "run",
        "--where",
        condition,
        "--order",
        "west",
        "--explain",
        "--seed",
        "3",
        "--target",
        "1",
    ];
    let printed = text(folder.path(), &explain);
    let found = document(folder.path(), &[&explain[..], &["--json"]].concat());
    // The second finds the listing of a part as the first did.
    let acceptance = &found["acceptance"];
    for part in [
        format!("{} cases", grouped(&found["listed"]["cases"])),
        format!("T = {} ", grouped(&found["listed"]["total"])),
        format!("one deal in {:.6} ", found["one_deal_in"].as_f64().unwrap()),
        format!("filter      {}\n", found["filter"][0].as_str().unwrap()),
        format!(
            "acceptance  {:.6} +- {:.6}: {} of {} ",
            acceptance["share"].as_f64().unwrap(),
            acceptance["standard_error"].as_f64().unwrap(),
            acceptance["kept"],
            acceptance["drawn"]
        ),
        format!(
            "considered  {} of {}: ",
            found["considered"][0]["sampler"].as_str().unwrap(),
            found["considered"][0]["hands"].as_str().unwrap()
        ),
    ] {
        assert!(printed.contains(&part), "{part}\n{printed}");
    }
    let whole = document(
        folder.path(),
        &["run", "nine-spades", "--explain", "--json"],
    );
    assert_eq!(whole["filter"], serde_json::json!([]));
    assert_eq!(whole["acceptance"], Value::Null);
    let all = document(
        folder.path(),
        &["run", "unconstrained", "--explain", "--json"],
    );
    assert_eq!(all["listed"], Value::Null);
}

#[test]
fn a_self_test_has_a_row_for_every_test() {
    let folder = folder();
    let test = ["self-test", "--runs=10", "--deals", "2048", "--seed", "1"];
    let found = document(
        folder.path(),
        &[&test[..], &["--json", "--out", "o"]].concat(),
    );
    let rows = crate::common::rows(&folder.path().join("o/self_test.csv"));
    let tests = found["tests"].as_array().unwrap();
    assert_eq!(tests.len(), rows.len());
    for (test, row) in tests.iter().zip(&rows) {
        assert_eq!(test.as_object().unwrap().len(), row.len());
        assert!(row.keys().all(|column| test.get(column).is_some()));
        assert_eq!(
            (&test["test"], &test["subject"]),
            (
                &row["test"].as_str().into(),
                &row["subject"].as_str().into()
            )
        );
    }
    assert_eq!(
        (&found["runs"], &found["deals"]),
        (&10.into(), &2048.into())
    );
    assert!(["PASS", "SUSPICIOUS"].contains(&found["verdict"].as_str().unwrap()));
}

#[test]
fn a_run_s_document_has_its_answers_bounds_and_tests_typed() {
    let folder = folder();
    let script = "hcp(west) == 12\naction average \"aces\" aces(west),\n\
                  frequency \"hearts\" (hearts(west), 2, 4)\n";
    fs::write(folder.path().join("script.dl"), script).unwrap();
    let run = [
        "run",
        "script.dl",
        "--deals",
        "30K",
        "--seed",
        "1",
        "--out",
        "o",
        "--json",
    ];
    let found = document(folder.path(), &run);
    let written = fs::read(folder.path().join("o/run.json")).unwrap();
    let written: Value = serde_json::from_slice(&written).unwrap();
    holds_record(&found, written);
    let probability = found["probability"]["value"].as_f64().unwrap();
    assert!((probability - 0.080_268_1).abs() < 1e-6, "{probability}");
    let fraction = found["probability"]["fraction"].as_str().unwrap();
    let (ways, of) = fraction.split_once('/').unwrap();
    let [ways, of] = [ways, of].map(|number| number.parse::<f64>().unwrap());
    assert!((ways / of - probability).abs() < 1e-15);
    for (table, file) in [
        ("averages", "averages.csv"),
        ("frequencies", "frequencies.csv"),
        ("bounds", "bounds.csv"),
        ("tests", "tests.csv"),
    ] {
        let rows = found[table].as_array().unwrap();
        let csv = crate::common::rows(&folder.path().join("o").join(file));
        assert_eq!(rows.len(), csv.len(), "{table}");
        for (row, wanted) in rows.iter().zip(&csv) {
            for (column, value) in row.as_object().unwrap() {
                let wanted = &wanted[column.as_str()];
                match value {
                    Value::Null => assert_eq!(wanted, ""),
                    Value::String(text) => assert_eq!(text, wanted),
                    number => {
                        let [number, wanted] = [number.as_f64().unwrap(), wanted.parse().unwrap()];
                        assert!((number - wanted).abs() <= 1e-15 * wanted.abs(), "{column}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_stream_is_a_line_a_look_and_then_the_audit() {
    let folder = folder();
    let deals = text(
        folder.path(),
        &["deal", "unconstrained", "-n", "70000", "--seed", "5"],
    );
    fs::write(folder.path().join("deals.txt"), deals).unwrap();
    let audit = ["audit", "deals.txt", "--stream", "--json", "--out", "o"];
    let lines = lines(folder.path(), &audit);
    let (record, looks) = lines.split_last().unwrap();
    let written = fs::read(folder.path().join("o/audit.json")).unwrap();
    let written: Value = serde_json::from_slice(&written).unwrap();
    holds_record(record, written.clone());
    let wanted = written["evidence"]["looks"].as_array().unwrap();
    assert_eq!(looks.len(), wanted.len());
    for (look, wanted) in looks.iter().zip(wanted) {
        assert_eq!((&look["deals"], &look["s"]), (&wanted[0], &wanted[1]));
        assert_eq!(look["so_far"], "no evidence so far");
    }
}

#[test]
fn what_fails_says_so_in_one_line_and_prints_nothing() {
    let folder = folder();
    fs::write(folder.path().join("no.cases"), "FDCASES1 and no more").unwrap();
    let failing: [(&[&str], i32); 9] = [
        (&["cases", "info", "none.cases", "--json"], 65),
        (&["cases", "verify", "no.cases", "--json"], 65),
        (&["cases", "list", "unconstrained", "--json"], 65),
        (
            &["cases", "build", "unconstrained", "-o", "o.cases", "--json"],
            65,
        ),
        (&["theory", "no-such-scenario", "--json"], 65),
        (&["deal", "no.cases", "--json"], 65),
        (
            &["number", "decode", "--scheme", "cases", "--json", "0"],
            64,
        ),
        (&["run", "no-such-scenario", "--explain", "--json"], 65),
        (&["audit", "none.pbn", "--stream", "--json"], 65),
    ];
    for (arguments, wanted) in failing {
        let done = fairdeal(folder.path(), arguments);
        assert_eq!(code(&done), wanted, "{arguments:?}");
        assert_eq!(stdout(&done), "", "{arguments:?}");
        complaint(&done);
    }
}

// T of cells counts deals of some hands up to their completion: without the hands and the
// completions nobody could read it.
#[test]
fn cells_in_run_json_name_their_hands_and_tell_how_many_deals_there_are() {
    let folder = folder();
    // The chance of each is known: of two seats' aces and of all four, of one suit's length.
    let choose = |n: u128, k: u128| (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1));
    let four_aces = (choose(48, 9), choose(52, 13));
    let one_each = (choose(13, 1).pow(4), choose(52, 4));
    let ten_spades = (choose(13, 10) * choose(39, 3), choose(52, 13));
    let no_aces = (choose(48, 26), choose(52, 26));
    for (condition, hands, (ways, of)) in [
        ("aces(west) == 4", &["west"][..], four_aces),
        ("spades(east) == 10", &["east"], ten_spades),
        ("aces(east) + aces(north) == 0", &["east", "north"], no_aces),
        (
            "aces(west) == 1 && aces(east) == 1 && aces(south) == 1",
            &["west", "east", "south"],
            one_each,
        ),
        (
            "aces(west) == 1 && aces(east) == 1 && aces(south) == 1 && aces(north) == 1",
            &["west", "east", "south"],
            one_each,
        ),
    ] {
        let run = ["run", "--where", condition, "--sampler", "cells"];
        let more = ["--deals", "20000", "--seed", "1", "--force", "--json"];
        let run = [&run[..], &more, &["--out", "out"]].concat();
        let run = document_of_run(folder.path(), &run);
        let cells = &run["cells"];
        assert_eq!(cells["hands"], serde_json::json!(hands), "{condition}");
        assert_eq!(cells["total"], run["total"]);
        assert!(cells["cells"].as_u64().unwrap() > 0);
        let number = |field: &str| -> u128 { cells[field].as_str().unwrap().parse().unwrap() };
        let deals = number("total") * number("completions");
        // deals / D = ways / of, without rounding.
        let all = num_bigint::BigUint::from(fairdeal::bridge::combinatorics::DEALS);
        assert_eq!(
            all * ways,
            num_bigint::BigUint::from(deals) * of,
            "{condition}"
        );
    }
    // Of a case file, whose hands are its order, there are no cells.
    let run = [&SHORT_LISTED_RUN[..], &["--json"]].concat();
    let listed = document_of_run(folder.path(), &run);
    assert_eq!(
        (&listed["order"], &listed["cells"]),
        (&"west,east".into(), &Value::Null)
    );
}

/// What a run prints, whatever its verdict.
fn document_of_run(folder: &Path, run: &[&str]) -> Value {
    serde_json::from_str(&stdout(&fairdeal(folder, run))).unwrap()
}
