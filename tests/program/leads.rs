//! `lead` and `contracts`: the same table with any number of threads, means against slow counts,
//! requests that are refused.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::path::Path;

use fairdeal::Script;
use fairdeal::bridge::{Deal, Seat, Strain, Suit};
use fairdeal::language::AskedTricks;
use fairdeal::solver::Solver;
use serde_json::Value;

use crate::common::{code, complaint, fairdeal, folder, printed, stderr};

const HAND: &str = "west=KQ4.J9652.T8.643";
const CONDITION: &str = "hcp(south) >= 15 && hcp(north) >= 8";

/// The words of a table of leads, with others after them.
fn lead<'w>(others: &[&'w str]) -> Vec<&'w str> {
    let usual = [
        "lead",
        "--where",
        CONDITION,
        "--hand",
        HAND,
        "--contract",
        "3NT",
        "--by",
        "south",
        "--seed",
        "1",
    ];
    [&usual[..], others].concat()
}

fn json(folder: &Path, words: &[&str]) -> Value {
    let words = [words, &["--json", "--quiet"]].concat();
    serde_json::from_str(&printed(folder, &words)).unwrap()
}

#[test]
fn a_table_of_leads_does_not_depend_on_threads() {
    let folder = folder();
    let table = |threads| {
        let others = ["-n", "9", "--threads", threads];
        let mut found = json(folder.path(), &lead(&others));
        for name in ["threads", "seconds", "host"] {
            found.as_object_mut().unwrap().remove(name).unwrap();
        }
        found
    };
    let found = table("1");
    assert_eq!(found, table("3"));
    assert_eq!(found["compared"], 9);
    let leads = found["leads"].as_array().unwrap();
    assert_eq!(leads.len(), 10);
    for row in leads {
        let number = |name: &str| row[name].as_f64().unwrap();
        assert!(number("low") <= number("tricks") && number("tricks") <= number("high"));
        // Nine tricks are needed: those of both sides are thirteen.
        let over = number("overtricks") - number("undertricks");
        assert!((13.0 - number("tricks") - 9.0 - over).abs() < 1e-9, "{row}");
    }
    let sum = |name: &str| {
        leads
            .iter()
            .map(|row| row[name].as_f64().unwrap())
            .sum::<f64>()
    };
    assert!((sum("matchpoints") - 5.0).abs() < 1e-9 && sum("imps").abs() < 1e-9);
}

#[test]
#[ignore = "long: 64 deals"]
fn a_decision_comes_at_a_look() {
    let folder = folder();
    // A wide margin, so that it comes at the first.
    let found = json(
        folder.path(),
        &lead(&["--within", "4", "--confidence", "0.9"]),
    );
    assert_eq!(
        (&found["finding"], &found["compared"]),
        (&"equal".into(), &64.into())
    );
    assert_eq!(found["best"].as_array().unwrap().len(), 1);
    assert_eq!(found["best"][0], found["leads"][0]["lead"]);
}

#[test]
fn a_report_of_leads_has_the_table_and_the_record() {
    let folder = folder();
    let command = lead(&[
        "-n", "5", "--best", "imps", "--out", "report", "--vul", "ns",
    ]);
    let shown = printed(folder.path(), &command);
    for part in [
        "DONE  ",
        " · 5 deals in ",
        "Question  lead of west against 3NT by south, vulnerable: ns",
        "may have the best mean of imps, 99 % confidence",
        "Report    report/report.html",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let record = fs::read(folder.path().join("report/candidates.json")).unwrap();
    let record: Value = serde_json::from_slice(&record).unwrap();
    assert_eq!(record["compared"], 5);
    let table = fs::read_to_string(folder.path().join("report/leads.csv")).unwrap();
    let header = table.lines().next().unwrap();
    let wanted = "lead,tricks,set,matchpoints,imps,overtricks,undertricks,stderr,low,high,remains";
    assert_eq!(header, wanted);
    assert_eq!(table.lines().count(), 11);
    let page = fs::read_to_string(folder.path().join("report/report.html")).unwrap();
    for part in [
        "<h1>Lead of west against 3NT by south, vulnerable: ns</h1>",
        "<p class=\"word\">Not decided</p>",
        "may have the best mean of imps, 99 % confidence</p>",
        "<a href=\"leads.csv\">leads.csv</a>",
        "<th scope=\"row\">SKQ</th>",
        "aria-label=\"Mean of imps of 10 leads, 0 excluded as the best.",
        "<svg",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    // The same work goes into the same folder, and other work does not.
    assert_eq!(code(&fairdeal(folder.path(), &command)), 0);
    let other = lead(&["-n", "5", "--out", "report"]);
    assert_eq!(code(&fairdeal(folder.path(), &other)), 64);
}

#[test]
fn contracts_have_the_means_of_the_solved_deals() {
    let folder = folder();
    let condition = "spades(north) >= 5 && hcp(north) >= 12 && hcp(south) >= 6";
    let usual = [
        "contracts",
        "--where",
        condition,
        "--side",
        "ns",
        "--seed",
        "7",
        "-n",
        "3",
    ];
    let found = json(folder.path(), &[&usual[..], &["--against", "2S"]].concat());
    let population = Script::parse("test", condition)
        .unwrap()
        .population()
        .unwrap();
    let deals: Vec<Deal> = population
        .deals(7)
        .unwrap()
        .take(3)
        .collect::<Result<_, _>>()
        .unwrap();
    let mut solver = Solver::new();
    let tables = (deals.iter()).map(|deal| solver.table(deal, &AskedTricks::All));
    let tables: Vec<_> = tables.collect();
    let spades = Strain::Trumps(Suit::Spades);
    let tricks = tables.iter().map(|table| {
        let [north, south] = [Seat::North, Seat::South].map(|seat| table.tricks(seat, spades));
        f64::from(north.max(south))
    });
    let tricks: Vec<f64> = tricks.collect();
    let rows = found["contracts"].as_array().unwrap();
    assert_eq!(rows.len(), 35);
    let row = |name: &str| rows.iter().find(|row| row["contract"] == name).unwrap();
    for (name, needed) in [("1S", 7.0), ("3S", 9.0), ("6S", 12.0)] {
        let made = tricks.iter().filter(|tricks| **tricks >= needed).count();
        assert_eq!(row(name)["made"], made as f64 / 3.0, "{name}");
        assert_eq!(row(name)["tricks"], tricks.iter().sum::<f64>() / 3.0);
    }
    assert_eq!(row("2S")["imps"], 0.0);
    assert_eq!(found["criterion"], "imps");
    let by_south = json(folder.path(), &[&usual[..], &["--by", "south"]].concat());
    let south = tables
        .iter()
        .map(|table| f64::from(table.tricks(Seat::South, spades)));
    let rows = by_south["contracts"].as_array().unwrap();
    let row = rows.iter().find(|row| row["contract"] == "4S").unwrap();
    assert_eq!(row["tricks"], south.sum::<f64>() / 3.0);
    assert_eq!(
        (&row["imps"], &by_south["criterion"]),
        (&Value::Null, &"score".into())
    );
}

#[test]
fn tables_that_make_no_sense_are_refused() {
    let folder = folder();
    let contract = ["--contract", "4S", "--by", "south"];
    let bare = ["lead", "unconstrained"];
    let unknown = fairdeal(folder.path(), &[&bare[..], &contract].concat());
    assert_eq!(code(&unknown), 64);
    let said = complaint(&unknown);
    for part in ["one hand", "only 0 cards of west are predealt", "--hand"] {
        assert!(said.contains(part), "{said}");
    }
    for (others, code_wanted, part) in [
        (
            &["--leader", "north"][..],
            64,
            "against south, west leads, not north",
        ),
        (
            &["--hand", HAND, "--hand", "north=KQ4.J9652.T8.643"],
            64,
            "contradicts",
        ),
        (
            &["--hand", "west=KQ4.J9652.T8.64"],
            64,
            "12 cards instead of 13",
        ),
        (
            &["--hand", HAND, "--confidence", "1"],
            64,
            "not a confidence",
        ),
        (
            &["--hand", HAND, "--within", "0"],
            64,
            "not a positive number",
        ),
        (
            &["--hand", HAND, "--within", "NaN"],
            64,
            "not a positive number",
        ),
        (&["--hand", HAND, "--deals", "0"], 64, "must be at least 1"),
    ] {
        let done = fairdeal(folder.path(), &[&bare[..], &contract, others].concat());
        assert_eq!(code(&done), code_wanted, "{others:?}: {}", stderr(&done));
        assert!(
            stderr(&done).contains(part),
            "{others:?}: {}",
            stderr(&done)
        );
    }
    let contracts = ["contracts", "unconstrained", "--side", "ns"];
    for (others, part) in [
        (&["--best", "imps"][..], "IMPs need a contract"),
        (&["--by", "west"], "not a seat of north-south"),
        (&["--against", "8S"], "not a contract"),
    ] {
        let done = fairdeal(folder.path(), &[&contracts[..], others].concat());
        assert_eq!(code(&done), 64, "{others:?}");
        assert!(
            stderr(&done).contains(part),
            "{others:?}: {}",
            stderr(&done)
        );
    }
}

#[test]
fn tables_end_by_time_and_at_the_last_deal() {
    let folder = folder();
    let done = fairdeal(folder.path(), &lead(&["--for", "1ms", "--json"]));
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    let found: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(found["stopped"], "time limit");
    let script = format!("generate 2\npredeal west SKQ4,HJ9652,DT8,C643\ncondition {CONDITION}");
    fs::write(folder.path().join("few.dl"), script).unwrap();
    let words = "lead few.dl --contract 3NT --by south --seed 1 --sampler rejection --json";
    let done = fairdeal(folder.path(), words);
    assert_eq!(code(&done), 5, "{}", stderr(&done));
    let found: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(found["stopped"], "no more deals");
}
