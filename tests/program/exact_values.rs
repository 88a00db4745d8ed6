//! Exact values of averages and frequencies, printed by `theory` and beside the counts of `run`.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::path::Path;
use std::str::FromStr;

use crate::common::{code, fairdeal, folder, printed, stderr, stdout};
use num_bigint::BigUint;
use serde_json::Value;

/// Copies a script that was reported from the field.
fn field(folder: &Path, name: &str, script: &str) {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/field");
    fs::copy(fixtures.join(name).join(script), folder.join(script)).unwrap();
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(folder, arguments)).unwrap()
}

#[test]
fn theory_prints_the_exact_average_of_a_script() {
    let folder = folder();
    field(folder.path(), "theory-actions", "aces.dl");
    let shown = printed(folder.path(), "theory aces.dl");
    let expected = "\nAverage\ntwo aces   36.963719  267950/7249\n";
    assert!(shown.contains(expected), "{shown}");
    let shown = printed(folder.path(), "theory aces.dl --exact");
    let expected = "\ntwo aces   36.963719133673607  267950/7249\n";
    assert!(shown.contains(expected), "{shown}");
    let record = json(folder.path(), &["theory", "aces.dl", "--json"]);
    assert_eq!(record["averages"][0]["fraction"], "267950/7249");
    printed(folder.path(), "theory aces.dl --out exact");
    let table = fs::read_to_string(folder.path().join("exact/averages.csv")).unwrap();
    let expected = "label,mean,fraction,no_exact\r\ntwo aces,36.963719133673607,267950/7249,\r\n";
    assert_eq!(table, expected);
}

#[test]
#[ignore = "long"]
fn theory_counts_the_deals_of_an_or_of_four_hands() {
    let folder = folder();
    field(folder.path(), "theory-someone-void", "void.dl");
    let shown = printed(folder.path(), "theory void.dl --exact");
    // The complement of math.stackexchange.com/questions/3443423.
    for expected in [
        "57049169166848494652711/310444084291023106708550",
        "0.18376632718621",
    ] {
        assert!(shown.contains(expected), "{shown}");
    }
}

#[test]
fn what_is_known_of_the_deals_changes_their_probabilities() {
    let folder = folder();
    let json = |options: &[&str]| json(folder.path(), &[&["theory", "--json"], options].concat());
    let nine = "spades(north) + spades(south) == 9";
    // Four cards of a suit are with east and west: C(4,2) C(22,11) of C(26,13).
    let shown = printed(
        folder.path(),
        &["theory", "--where", "spades(east) == 2", "--given", nine],
    );
    assert!(shown.contains("Fraction  234/575\n"), "{shown}");
    // Division is by the probability of what is known; terms may name any hands.
    for (condition, given) in [
        (
            "hcp(north) + hcp(south) >= 25",
            "hcp(north) >= 15 && hcp(north) <= 17",
        ),
        (
            "hcp(north) >= 20 || hcp(south) >= 20",
            "hcp(north) + hcp(south) >= 30",
        ),
        (
            "aces(north) == 2",
            "aces(north) + aces(east) >= 2 && aces(south) == 0",
        ),
    ] {
        let value = |document: &Value| {
            let text = document["probability"]["fraction"]
                .as_str()
                .unwrap()
                .to_owned();
            let (ways, of) = text.split_once('/').unwrap();
            (
                BigUint::from_str(ways).unwrap(),
                BigUint::from_str(of).unwrap(),
            )
        };
        let divided = json(&["--where", condition, "--given", given]);
        assert_eq!(divided["given"], given);
        let (ways, of) = value(&divided);
        let (both, deals) = value(&json(&["--where", &format!("({condition}) && ({given})")]));
        let (known, all) = value(&json(&["--where", given]));
        assert_eq!(
            ways * known * deals,
            of * both * all,
            "{condition} given {given}"
        );
    }
    let refused = [
        (
            &["--given", "hcp(north) > 37"][..],
            "no deal satisfies the condition",
        ),
        (&["--given", nine, "--order", "west"], "cannot be used with"),
        (&["--given", "spades(wset) == 1"], "--given:1:8"),
        (&["--given", "rnd(2) == 1"], "what is given"),
    ];
    for (options, message) in refused {
        let command = [&["theory", "--where", "hcp(west) > 20"], options].concat();
        let done = fairdeal(folder.path(), &command);
        assert!(stderr(&done).contains(message), "{}", stderr(&done));
        assert_ne!(code(&done), 0);
    }
}

#[test]
fn a_condition_without_exact_theory_has_an_estimate() {
    let folder = folder();
    let drawn = "rnd(4) == 0 && hcp(north) >= 0";
    let done = fairdeal(folder.path(), &["theory", "--where", drawn]);
    let shown = stdout(&done);
    assert!(shown.starts_with("Probability  about 0.2"), "{shown}");
    for part in [
        "at 99.9 % confidence, from 131,072 deals",
        "is drawn for each deal",
        "--deals 100M",
    ] {
        assert!(shown.contains(part), "{shown}");
    }
    let given = ["--given", "spades(north) == 5"];
    for options in [&[][..], &given] {
        let command = [&["theory", "--where", drawn, "--json"], options].concat();
        let record = json(folder.path(), &command);
        let bounds = &record["probability"]["bounds"];
        let [low, high] = [0, 1].map(|place| bounds[place].as_f64().unwrap());
        assert!(low < 0.25 && 0.25 < high && high - low < 0.01, "{record}");
        assert!(record["probability"]["fraction"].is_null(), "{record}");
    }
    // Among the deals with the predealt cards.
    let around = format!("predeal north SA condition hascard(north, SA) && {drawn}");
    let record = json(folder.path(), &["theory", "--where", &around, "--json"]);
    let share = record["probability"]["value"].as_f64().unwrap();
    assert!((share - 0.25).abs() < 0.01, "{record}");
    // Tables need exact values.
    let done = fairdeal(folder.path(), &["theory", "--where", drawn, "--out", "t"]);
    assert_eq!(code(&done), 65);
    assert!(!folder.path().join("t").exists());
}

#[test]
fn theory_of_partners_has_tables_of_both_hands_together() {
    let folder = folder();
    let condition = "hcp(north) >= 15 && hcp(south) >= 10 && spades(south) == 4";
    let shown = printed(folder.path(), &["theory", "--where", condition]);
    let (_, together) = shown
        .split_once("HCP        north-south together\n")
        .unwrap();
    assert!(together.starts_with("25   "), "{together}");
    assert!(together.contains("\nTogether        spades"), "{together}");
    let record = json(folder.path(), &["theory", "--where", condition, "--json"]);
    assert_eq!(record["side_hcp"][0]["side"], "north-south");
    assert_eq!(record["side_hcp"][0]["hcp"], 25);
    assert!(record["fits"].is_array());
    for other in ["hcp(north) >= 15", "hcp(north) + hcp(east) >= 30"] {
        let shown = printed(folder.path(), &["theory", "--where", other]);
        assert!(!shown.contains("together"), "{shown}");
    }
}

#[test]
fn theory_prints_the_exact_distribution_of_a_frequency() {
    let folder = folder();
    let script = "aces(north) >= 3 action frequency \"aces\" (aces(north), 0, 4), \
                  average \"tens\" tens(south)";
    fs::write(folder.path().join("script.dl"), script).unwrap();
    // C(4,3) C(48,10) and C(48,9) hands with three and four aces: 4 x 39 to 10.
    let shown = printed(folder.path(), "theory script.dl");
    assert!(
        shown.contains("\naces\n3              93.98 %\n4              6.024 %\n"),
        "{shown}"
    );
    let why = "\ntens       no exact value: it or the condition depends on spot cards\n";
    assert!(shown.contains(why), "{shown}");
    let record = json(folder.path(), &["theory", "script.dl", "--json"]);
    let values = &record["frequencies"];
    assert_eq!(values[4]["fraction"], "78/83");
    assert_eq!(values[5]["fraction"], "5/83");
    assert_eq!(
        (&values[5]["label"], &values[5]["value"]),
        (&"aces".into(), &"4".into())
    );
    let why = "it or the condition depends on spot cards";
    assert_eq!(record["averages"][0]["no_exact"], why);
}

#[test]
fn each_average_of_a_run_has_its_exact_value_or_the_reason() {
    let folder = folder();
    let script = "aces(north) == 4 && aces(south) == 0 && hcp(south) >= 18 action \
                  average \"one\" hcp(north) + hcp(south), average \"two\" hcp(north) - hcp(south), \
                  average \"three\" hcp(north) * hcp(south), average \"spots\" tens(south), \
                  average \"thirds\" hcp(north) + hcp(south) + hcp(east), \
                  frequency \"tens\" (tens(south), 0, 4)";
    fs::write(folder.path().join("script.dl"), script).unwrap();
    let run = [
        "run",
        "script.dl",
        "--deals",
        "2000",
        "--seed",
        "1",
        "--out",
        "out",
    ];
    let shown = printed(folder.path(), &run);
    assert_eq!(shown.matches("(exact ").count(), 3, "{shown}");
    for why in [
        "no exact value: it or the condition depends on spot cards",
        "no exact value: with the condition it depends on more than two hands",
        "\n      no exact value: it or the condition depends on spot cards\n",
    ] {
        assert!(shown.contains(why), "{why}: {shown}");
    }
    let table = fs::read_to_string(folder.path().join("out/averages.csv")).unwrap();
    assert!(
        table.starts_with("label,mean,stderr,n,exact,no_exact\r\n"),
        "{table}"
    );
    let thirds = table
        .lines()
        .find(|line| line.starts_with("thirds,"))
        .unwrap();
    let why = ",,with the condition it depends on more than two hands";
    assert!(thirds.ends_with(why), "{thirds}");
    let page = fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    assert!(page.contains("none: it or the condition depends on spot cards"));
    assert!(page.contains("No exact value: it or the condition depends on spot cards."));
}

#[test]
fn theory_of_a_mix_around_fixed_cards_counts_the_deals_of_its_types() {
    let folder = folder();
    let script = "predeal north SAKQJ\nlong = spades(north) > 5\nrest = hcp(south) > 9\n\
                  #mix: long 2, rest 1\n";
    fs::write(folder.path().join("mix.dl"), script).unwrap();
    let record = json(folder.path(), &["theory", "mix.dl", "--json"]);
    let command = [
        "theory",
        "--where",
        "predeal north SAKQJ condition spades(north) > 5",
        "--json",
    ];
    let long = json(folder.path(), &command);
    assert_eq!(record["types"][0]["probability"], long["probability"]);
}
