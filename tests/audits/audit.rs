//! The command `fairdeal audit`: input, options, output and exit codes.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::io::Write;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
use std::process::Output;

use crate::common::{code, complaint, fairdeal, fed, folder, rows, start, stderr, stdout};
use fairdeal::stats::elementary::powf;

/// A file under fixtures/.
pub(crate) fn fixture(name: &str) -> String {
    format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// An audit into `report`, with a reference only where a test is of it.
fn words<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let has = |option: &str| arguments.contains(&option);
    let out: &[&str] = if has("--out") {
        &[]
    } else {
        &["--out", "report", "--force"]
    };
    let reference: &[&str] = if has("--reference") {
        &[]
    } else {
        &["--reference", "0"]
    };
    [&["audit"], out, reference, arguments].concat()
}

/// Audits files.
pub(crate) fn audit(folder: &Path, arguments: &[&str]) -> Output {
    fairdeal(folder, &words(arguments))
}

/// Audits what comes on standard input.
pub(crate) fn audit_stream(folder: &Path, input: &[u8], arguments: &[&str]) -> Output {
    fed(folder, &words(&[&["-"], arguments].concat()), input)
}

pub(crate) fn deals(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let mut all = vec!["deal"];
    all.extend(arguments);
    fairdeal(folder, &all).stdout
}

pub(crate) fn record(folder: &Path) -> serde_json::Value {
    let text = fs::read_to_string(folder.join("report/audit.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Fields of the first file in sources.csv.
fn counts(folder: &Path) -> Vec<u64> {
    let source = &record(folder)["sources"][0];
    let names = [
        "read",
        "valid",
        "incomplete",
        "invalid",
        "duplicate",
        "unused",
    ];
    let each = names.iter().map(|name| source[name].as_u64().unwrap());
    each.collect()
}

#[test]
fn results_of_a_tournament_count_each_board_once() {
    let folder = folder();
    let found = audit(folder.path(), &[&fixture("records/sm0807.pbn")]);
    assert_eq!(code(&found), 4, "{}", stdout(&found));
    assert_eq!(counts(folder.path()), [108, 108, 0, 0, 81, 0]);
    assert!(stdout(&found).contains("Replays   81 boards with the number and cards"));
    let record = record(folder.path());
    assert_eq!(record["deals"], 27);
    assert_eq!(record["sessions"], 1);
    assert_eq!(record["verdict"], "INCONCLUSIVE");
    let sessions = rows(&folder.path().join("report/sessions.csv"));
    let row = &sessions[0];
    assert_eq!(
        (&*row["first_board"], &*row["last_board"], &*row["boards"]),
        ("1", "27", "27")
    );
}

#[test]
fn a_vugraph_has_each_board_in_two_rooms() {
    let folder = folder();
    audit(folder.path(), &[&fixture("records/usbf_sf_14502.lin")]);
    assert_eq!(counts(folder.path()), [30, 30, 0, 0, 15, 0]);
    let sessions = rows(&folder.path().join("report/sessions.csv"));
    assert!(sessions[0]["event"].contains("USBF"), "{sessions:?}");
}

#[test]
fn boards_that_are_not_used_are_told_apart_from_deals() {
    let folder = folder();
    let found = audit(folder.path(), &[&fixture("records/bigdeal/set1.dlm")]);
    assert_eq!(code(&found), 4);
    assert_eq!(counts(folder.path()), [99, 36, 0, 0, 0, 63]);
}

#[test]
fn a_board_that_is_no_deal_is_told_and_the_rest_is_tested() {
    let folder = folder();
    let file = fixture("broken/doubled-card.pbn");
    let found = audit(folder.path(), &[&file]);
    assert_eq!(code(&found), 3, "{}", stdout(&found));
    assert!(stdout(&found).contains("doubled-card.pbn:8: board 2: invalid: S8 is in two hands"));
    assert!(stdout(&found).contains("INVALID  "));
    let problems = rows(&folder.path().join("report/problems.csv"));
    let row = &problems[0];
    assert_eq!(
        (&*row["line"], &*row["board"], &*row["kind"]),
        ("8", "2", "invalid")
    );
    assert_eq!(row["reason"], "S8 is in two hands");
    assert!(record(folder.path())["deals"].as_u64().unwrap() > 0);
    // With --strict nothing is reported but the first.
    fs::remove_dir_all(folder.path().join("report")).unwrap();
    let found = audit(folder.path(), &[&file, "--strict"]);
    assert_eq!(code(&found), 3);
    assert!(complaint(&found).contains("doubled-card.pbn:8: S8 is in two hands"));
    assert!(!folder.path().join("report/audit.json").exists());
}

#[test]
fn incomplete_boards_are_left_out_and_break_no_rule() {
    let folder = folder();
    let deal = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. -\n";
    let found = audit_stream(folder.path(), deal.as_bytes(), &["--format", "line"]);
    assert_eq!(code(&found), 4, "{}", stdout(&found));
    assert_eq!(counts(folder.path()), [1, 0, 1, 0, 0, 0]);
    assert!(stdout(&found).contains("no deal was tested"));
}

/// set1.pbn as boards of an event on a date.
fn set_of(date: &str) -> String {
    let set = fs::read_to_string(fixture("records/bigdeal/set1.pbn")).unwrap();
    set.replace("[Event \"?\"]", "[Event \"Club\"]")
        .replace("[Date \"?\"]", &format!("[Date \"{date}\"]"))
}

#[test]
fn boards_of_events_that_may_be_the_same_are_replays() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("day.pbn"), set_of("2026.11.23")).unwrap();
    fs::write(path.join("time.pbn"), set_of("2026.11.23 19:30")).unwrap();
    fs::write(path.join("undated.pbn"), set_of("")).unwrap();
    let bri = fixture("records/bigdeal/set1.bri");
    let found = audit(path, &["day.pbn", "time.pbn", "undated.pbn", &bri]);
    let text = stdout(&found);
    assert_eq!(code(&found), 4, "{text}");
    let record = record(path);
    assert_eq!(
        (&record["deals"], &record["undecided"]),
        (&36.into(), &0.into())
    );
    assert!(
        text.contains("36 boards of time.pbn from day.pbn"),
        "{text}"
    );
    assert!(!text.contains("question"), "{text}");
}

#[test]
fn the_same_boards_of_another_event_are_asked_about() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("one.pbn"), set_of("2026.11.23")).unwrap();
    fs::write(path.join("other.pbn"), set_of("2026.11.24")).unwrap();
    let files = ["one.pbn", "other.pbn"];
    let found = audit(path, &files);
    let text = stdout(&found);
    assert_eq!(code(&found), 4, "{text}");
    assert!(
        text.contains("Question  36 boards have the number and cards of a board of another event"),
        "{text}"
    );
    assert!(
        text.contains("36 boards of other.pbn from one.pbn"),
        "{text}"
    );
    assert_eq!(record(path)["undecided"], 36);
    assert_eq!(record(path)["deals"], 36);
    let found = audit(path, &[&files[..], &["--same-event"]].concat());
    assert_eq!(code(&found), 4, "{}", stdout(&found));
    assert_eq!(record(path)["undecided"], 0);
    let found = audit(path, &[&files[..], &["--distinct-events"]].concat());
    assert_eq!(code(&found), 2, "{}", stdout(&found));
    assert_eq!(record(path)["deals"], 72);
    let both = ["--same-event", "--distinct-events"];
    assert_eq!(code(&audit(path, &[&files[..], &both[..]].concat())), 64);
}

#[test]
fn boards_dealt_twice_are_evidence() {
    let folder = folder();
    let (one, other) = (
        fixture("records/bigdeal/set1.pbn"),
        fixture("records/bigdeal/set1.bri"),
    );
    let found = audit(folder.path(), &[&one, &other, "--distinct-events"]);
    assert_eq!(code(&found), 2, "{}", stdout(&found));
    let text = stdout(&found);
    assert!(
        text.contains("set1.bri has the cards of board 1 of"),
        "{text}"
    );
    assert!(text.contains("T8 duplicates"), "{text}");
    assert_eq!(rows(&folder.path().join("report/repeats.csv")).len(), 36);
    // Turned by a seat and with other names of suits they are no less the same.
    let deals = fs::read_to_string(&one).unwrap();
    let hands = deals
        .lines()
        .filter_map(|line| line.strip_prefix("[Deal \"N:"));
    let turned = hands.map(|hands| {
        let hands: Vec<String> = hands
            .trim_end_matches("\"]")
            .split(' ')
            .map(turn_suits)
            .collect();
        format!("E:{} {} {} {}\n", hands[0], hands[1], hands[2], hands[3])
    });
    fs::write(folder.path().join("turned.txt"), turned.collect::<String>()).unwrap();
    let found = audit(folder.path(), &[&one, "turned.txt"]);
    assert_eq!(code(&found), 2, "{}", stdout(&found));
    assert!(stdout(&found).contains("T8c images"));
}

/// Hearts as spades, diamonds as hearts, and on.
fn turn_suits(hand: &str) -> String {
    let mut suits: Vec<&str> = hand.split('.').collect();
    suits.rotate_left(1);
    suits.join(".")
}

#[test]
fn a_crooked_club_is_failed_by_a_thousand_boards() {
    let folder = folder();
    let options = [
        "unconstrained",
        "--defect",
        "random-unfilled-hand",
        "--seed",
        "3",
        "-n",
        "1000",
    ];
    let crooked = deals(folder.path(), &options);
    let found = audit_stream(folder.path(), &crooked, &[]);
    assert_eq!(code(&found), 2, "{}", stdout(&found));
    assert!(stdout(&found).contains("suit lengths"));
}

#[test]
fn fair_boards_are_inconclusive_and_placed_among_perfect_sets() {
    let folder = folder();
    let fair = deals(
        folder.path(),
        &[
            "unconstrained",
            "--seed",
            "4",
            "-n",
            "200",
            "--format",
            "pbn",
        ],
    );
    let found = audit_stream(folder.path(), &fair, &["--reference", "99"]);
    assert_eq!(code(&found), 4, "{}", stdout(&found));
    assert!(stdout(&found).contains("Detects   "));
    let reference = rows(&folder.path().join("report/reference.csv"));
    let of = |test: &str| {
        reference
            .iter()
            .find(|row| row["test"] == test)
            .unwrap()
            .clone()
    };
    let row = of("T2 second order");
    assert_eq!(row["sets"], "99");
    // A test without a law for so few has the p-value of its place.
    assert_eq!(row["log10_p"], row["reference_log10_p"]);
    let at_least: u32 = row["at_least"].parse().unwrap();
    let at_most: u32 = row["at_most"].parse().unwrap();
    assert!(at_least + at_most >= 99);
    // Those with one have a p-value that is near it.
    let row = of("T1 card-seat");
    let p: Vec<f64> = ["log10_p", "reference_log10_p"]
        .map(|field| powf(10.0, row[field].parse().unwrap()))
        .to_vec();
    assert!((p[0] - p[1]).abs() < 0.2, "{row:?}");
}

#[test]
fn what_is_counted_depends_on_neither_pieces_nor_threads_nor_compression() {
    let folder = folder();
    let pbn = deals(
        folder.path(),
        &[
            "unconstrained",
            "--seed",
            "5",
            "-n",
            "9000",
            "--format",
            "pbn",
        ],
    );
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&pbn).unwrap();
    let compressed = gzip.finish().unwrap();
    fs::write(folder.path().join("deals"), &pbn).unwrap();
    let tables = || {
        let names = ["patterns.csv", "cards.csv", "tests.csv", "bounds.csv"];
        names.map(|name| fs::read_to_string(folder.path().join("report").join(name)).unwrap())
    };
    let found = audit(
        folder.path(),
        &["deals", "--reference", "0", "--threads", "2"],
    );
    assert_eq!(code(&found), 4, "{}", stdout(&found));
    let expected = tables();
    assert!(expected[0].contains("north,4=4=3=2"));
    audit(
        folder.path(),
        &["deals", "--reference", "0", "--threads", "1"],
    );
    assert_eq!(tables(), expected);
    audit_stream(folder.path(), &compressed, &["--reference", "0"]);
    assert_eq!(tables(), expected);
}

#[test]
fn a_stream_says_at_every_doubling_what_it_is_like() {
    let folder = folder();
    let input = deals(
        folder.path(),
        &["unconstrained", "--seed", "6", "-n", "70000"],
    );
    let found = audit_stream(folder.path(), &input, &["--stream"]);
    let text = stdout(&found);
    let looks: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("deals  S ="))
        .collect();
    let deals = ["16,384", "32,768", "65,536", "70,000"];
    assert_eq!(looks.len(), deals.len(), "{text}");
    for (look, deals) in looks.iter().zip(deals) {
        assert!(look.trim_start().starts_with(deals), "{look}");
        assert!(look.ends_with("no evidence so far"), "{look}");
    }
    // Numbers are deals too, if their scheme is told.
    let input = deals_as_numbers(folder.path());
    let found = audit_stream(folder.path(), &input, &["--stream", "--format", "andrews"]);
    assert_eq!(code(&found), 4, "{}", stdout(&found));
    assert_eq!(record(folder.path())["deals"], 100);
    let found = audit_stream(folder.path(), &input, &[]);
    assert_eq!(code(&found), 65);
    assert!(
        complaint(&found).contains("--format"),
        "{}",
        complaint(&found)
    );
}

fn deals_as_numbers(folder: &Path) -> Vec<u8> {
    let text = deals(folder, &["unconstrained", "--seed", "6", "-n", "100"]);
    let lines = String::from_utf8(text).unwrap();
    let encoded = lines.lines().map(|line| {
        let deal: fairdeal::bridge::Deal = line.parse().unwrap();
        format!("{}\n", fairdeal::number::andrews::encode(&deal))
    });
    encoded.collect::<String>().into_bytes()
}

#[test]
fn deals_of_a_condition_are_compared_with_its_theory() {
    let folder = folder();
    let text = "spades(west) == 9 && diamonds(east) == 6 && clubs(east) == 6";
    let fair = deals(
        folder.path(),
        &["--where", text, "--seed", "7", "-n", "20000"],
    );
    let found = audit_stream(folder.path(), &fair, &["--where", text]);
    assert_eq!(code(&found), 4, "{}", stdout(&found));
    let report = folder.path().join("report");
    assert!(report.join("case_groups.csv").exists());
    let tests = rows(&report.join("tests.csv"));
    for test in ["C case runs", "C filling", "C interchange", "C card table"] {
        let row = tests.iter().find(|row| row["test"] == test);
        assert_eq!(row.map(|row| &*row["verdict"]), Some("ok"), "{test}");
    }
    // The same by the scenario's name; one deal that is none of it is told.
    let mut text = fair;
    text.extend(deals(
        folder.path(),
        &["unconstrained", "--seed", "8", "-n", "1"],
    ));
    let found = audit_stream(folder.path(), &text, &["--condition", "nine-spades"]);
    assert_eq!(code(&found), 3, "{}", stdout(&found));
    assert!(
        stdout(&found).contains("standard input:20001: foreign: does not satisfy the condition")
    );
}

#[test]
fn a_condition_that_nobody_knows_still_fills_hands_fairly_or_not() {
    let folder = folder();
    let condition = "hcp(north) >= 15 && hcp(north) <= 17 && shape(north, 5332)";
    let options = ["--where", condition, "--seed", "9", "-n", "16384"];
    let fair = deals(folder.path(), &options);
    let found = audit_stream(
        folder.path(),
        &fair,
        &["--any-condition", "--alike", "east,west"],
    );
    assert_eq!(code(&found), 4, "{}", stdout(&found));
    let tests = rows(&folder.path().join("report/tests.csv"));
    assert_eq!(tests.len(), 5, "{tests:?}");
    assert!(
        record(folder.path())["expected"]
            .as_str()
            .unwrap()
            .starts_with("none")
    );
    // Without knowing of a condition they are rightly failed.
    assert_eq!(code(&audit_stream(folder.path(), &fair, &[])), 2);
    // East has all of the small spades that he can have: nobody dealt that.
    let crooked = String::from_utf8(fair)
        .unwrap()
        .lines()
        .map(sort_spots)
        .collect::<String>();
    let found = audit_stream(folder.path(), crooked.as_bytes(), &["--any-condition"]);
    assert_eq!(code(&found), 2, "{}", stdout(&found));
    assert!(stdout(&found).contains("(C filling"));
}

/// Every seat keeps the number of its spots of spades; north gets the highest.
fn sort_spots(line: &str) -> String {
    let mut hands: Vec<Vec<String>> = line[2..]
        .split(' ')
        .map(|hand| hand.split('.').map(str::to_owned).collect())
        .collect();
    let mut spots: Vec<char> = "T98765432".chars().collect();
    for hand in &mut hands {
        let honours: String = hand[0].chars().filter(|c| "AKQJ".contains(*c)).collect();
        let count = hand[0].len() - honours.len();
        hand[0] = honours + &spots.drain(..count).collect::<String>();
    }
    let hands: Vec<String> = hands.iter().map(|suits| suits.join(".")).collect();
    format!("N:{}\n", hands.join(" "))
}

#[test]
fn sessions_are_found_by_the_numbers_of_their_boards() {
    let folder = folder();
    let mut text = String::new();
    for session in 0..4 {
        let seed = format!("{session}");
        let options = [
            "unconstrained",
            "--seed",
            &seed,
            "-n",
            "24",
            "--format",
            "pbn",
        ];
        text += &String::from_utf8(deals(folder.path(), &options)).unwrap();
    }
    let found = audit_stream(folder.path(), text.as_bytes(), &[]);
    assert_eq!(code(&found), 4, "{}", stdout(&found));
    assert!(stdout(&found).contains("Sessions  4 of 24 boards"));
    let tests = rows(&folder.path().join("report/tests.csv"));
    let has = |test: &str, subject: &str| {
        let row = tests
            .iter()
            .find(|row| row["test"] == test && row["subject"] == subject);
        row.is_some_and(|row| row["looks"] == "1")
    };
    assert!(has("F sessions picked", "all"));
    assert!(has("voids sessions picked", "all"));
    assert!(has("T6 overlap", "same board, previous session"));
}

#[test]
fn an_audit_that_cannot_be_made_says_why() {
    let folder = folder();
    let said = |arguments: &[&str]| {
        let found = audit(folder.path(), arguments);
        (code(&found), complaint(&found))
    };
    let (exit, text) = said(&["nowhere.pbn"]);
    assert_eq!(exit, 65);
    assert!(text.contains("nowhere.pbn"), "{text}");
    fs::write(folder.path().join("poem.txt"), "roses are red\n").unwrap();
    let (exit, text) = said(&["poem.txt"]);
    assert_eq!(exit, 65);
    assert!(
        text.contains("poem.txt") && text.contains("--format"),
        "{text}"
    );
    fs::write(folder.path().join("empty"), "").unwrap();
    assert_eq!(said(&["empty"]).0, 65);
    let exit = |arguments: &[&str]| code(&audit(folder.path(), arguments));
    assert_eq!(exit(&["poem.txt", "--format", "pdf"]), 64);
    assert_eq!(exit(&[]), 64);
    // The report of an audit of other files stays.
    let file = fixture("records/bigdeal/set1.pbn");
    let into = |file: &str| code(&audit(folder.path(), &[file, "--out", "kept"]));
    assert_eq!(into(&file), 4);
    assert_eq!(into(&file), 4);
    assert_eq!(into(&fixture("records/bigdeal/set1.lin")), 64);
}

#[test]
#[ignore = "long"]
fn a_seed_that_everybody_can_try_is_found() {
    let folder = folder();
    let options = [
        "unconstrained",
        "--defect",
        "mt19937-seeds-in-order",
        "-n",
        "40",
    ];
    let input = deals(folder.path(), &options);
    let found = audit_stream(
        folder.path(),
        &input,
        &["--seed-search", "10m", "--reference", "0"],
    );
    assert_eq!(code(&found), 2, "{}", stdout(&found));
    assert!(stdout(&found).contains("standard input:1 is dealt from seed 0"));
    assert!(stdout(&found).contains("on 1 deal, until a seed was found"));
    assert!(stdout(&found).contains("1 of 1 deals from known seeds"));
    assert_eq!(record(folder.path())["seed_search"]["deals"], 1);
}

/// Audits boards of a defect; returns whether they FAIL, and what is printed.
fn audited_defect(defect: &str, boards: u64, options: &[&str]) -> (bool, String) {
    let folder = folder();
    let boards = boards.to_string();
    let dealt = [
        "unconstrained",
        "--defect",
        defect,
        "-n",
        &boards,
        "--seed",
        "36",
    ];
    let input = deals(folder.path(), &dealt);
    let options = [options, &["--reference", "0"]].concat();
    let found = audit_stream(folder.path(), &input, &options);
    (code(&found) == 2, stdout(&found))
}

#[test]
fn a_hand_that_returns_and_a_session_in_order_are_seen() {
    for (defect, boards, test) in [
        ("returning-hand-of-36", 312, "T8h equal hands"),
        ("sessions-by-flatness", 576, "place neighbours, flatness"),
        (
            "strong-board-17",
            36_000,
            "place number, HCP of north-south",
        ),
    ] {
        let (fails, text) = audited_defect(defect, boards, &["--session", "36"]);
        assert!(fails && text.contains(test), "{defect}: {text}");
    }
}

#[test]
#[ignore = "long"]
fn what_a_player_would_see_is_seen_in_eight_times_the_predicted_boards() {
    use fairdeal::defect::Defect;

    for (defect, most, sessions) in [
        ("returning-hand", 500, false),
        ("returning-hand-of-36", 500, false),
        ("travelling-hand", 1_008, false),
        ("sticky-cards", 100_000, false),
        ("tricks-3-riffles-cut", 200_000, false),
        ("overhand-10", 2_000, false),
        ("overhand-20", 50_000, false),
        ("duplicate-5-riffles-blocks", 20_000, false),
        ("strong-dealer-1-in-10", 30_000, true),
        ("favoured-halves-1-in-10", 30_000, true),
        ("strong-board-17", 50_000, true),
        ("sessions-by-flatness", 1_008, true),
        ("sessions-by-points", 1_008, true),
        ("voids-removed-1-in-20", 100_000, true),
    ] {
        let predicted = Defect::named(defect).unwrap().predicted;
        let boards = most.min((8.0 * predicted) as u64);
        let options: &[&str] = if sessions { &["--session", "36"] } else { &[] };
        let (fails, text) = audited_defect(defect, boards, options);
        assert!(fails, "{defect}, {boards} boards: {text}");
    }
}

#[test]
#[ignore = "long"]
fn a_few_deals_are_enough_to_be_looked_at() {
    let folder = folder();
    for count in ["1", "2", "15", "16", "36"] {
        let options = [
            "unconstrained",
            "--seed",
            "1",
            "-n",
            count,
            "--format",
            "pbn",
        ];
        let input = deals(folder.path(), &options);
        let found = audit_stream(folder.path(), &input, &["--reference", "20"]);
        assert_eq!(code(&found), 4, "{count}: {}", stdout(&found));
    }
    // One session is one too.
    let tests = rows(&folder.path().join("report/tests.csv"));
    let picked = tests.iter().find(|row| row["test"] == "F sessions picked");
    assert_eq!(picked.map(|row| &*row["looks"]), Some("1"));
    // Of two files, the second session is beside the first.
    let set = fixture("records/bigdeal/set1.pbn");
    fs::write(folder.path().join("one.pbn"), input_of(folder.path(), "2")).unwrap();
    audit(folder.path(), &[&set, "one.pbn"]);
    let tests = rows(&folder.path().join("report/tests.csv"));
    assert!(
        tests
            .iter()
            .any(|row| row["subject"] == "same board, previous session")
    );
}

fn input_of(folder: &Path, seed: &str) -> Vec<u8> {
    deals(
        folder,
        &[
            "unconstrained",
            "--seed",
            seed,
            "-n",
            "36",
            "--format",
            "pbn",
        ],
    )
}

#[test]
fn what_cannot_be_read_does_not_lose_what_can() {
    let folder = folder();
    let (good, path) = (fixture("records/bigdeal/set1.pbn"), folder.path());
    // Archives hold other things too.
    let mut zip = zip::ZipWriter::new(fs::File::create(path.join("records.zip")).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in [
        ("README.txt", b"hand records".to_vec()),
        ("empty.pbn", Vec::new()),
        ("set.pbn", fs::read(&good).unwrap()),
    ] {
        zip.start_file(name, options).unwrap();
        zip.write_all(&bytes).unwrap();
    }
    zip.finish().unwrap();
    let found = audit(path, &["records.zip"]);
    assert_eq!(code(&found), 4, "{}", stdout(&found));
    let sources = rows(&path.join("report/sources.csv"));
    let formats: Vec<&str> = sources.iter().map(|row| &*row["format"]).collect();
    assert_eq!(formats, ["none", "none", "pbn"]);
    // Of several files one is damaged: it is told, and the others are tested.
    let whole = fs::read(path.join("records.zip")).unwrap();
    fs::write(path.join("cut.zip"), &whole[..whole.len() / 2]).unwrap();
    let found = audit(path, &["cut.zip", &good]);
    assert_eq!(code(&found), 65);
    assert!(
        complaint(&found).contains("cut.zip"),
        "{}",
        complaint(&found)
    );
    assert_eq!(record(path)["deals"], 36);
    // So it is in an archive.
    let mut zip = zip::ZipWriter::new(fs::File::create(path.join("outer.zip")).unwrap());
    let cut = whole[..whole.len() / 2].to_vec();
    for (name, bytes) in [("cut.zip", cut), ("set.pbn", fs::read(&good).unwrap())] {
        zip.start_file(name, options).unwrap();
        zip.write_all(&bytes).unwrap();
    }
    zip.finish().unwrap();
    let found = audit(path, &["outer.zip"]);
    assert_eq!(code(&found), 65);
    let said = complaint(&found);
    assert!(
        said.contains("outer.zip:cut.zip cannot be unpacked"),
        "{said}"
    );
    assert_eq!(record(path)["deals"], 36);
    fs::remove_dir_all(path.join("report")).unwrap();
    assert_eq!(code(&audit(path, &["cut.zip"])), 65);
    assert!(!path.join("report/audit.json").exists());
}

#[test]
fn whoever_stops_listening_still_gets_a_verdict() {
    let folder = folder();
    let options = [
        "unconstrained",
        "--defect",
        "random-unfilled-hand",
        "--seed",
        "3",
        "-n",
        "40000",
    ];
    fs::write(
        folder.path().join("crooked"),
        deals(folder.path(), &options),
    )
    .unwrap();
    let mut child = start(folder.path(), "audit crooked --stream --out report");
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(2));
    assert_eq!(record(folder.path())["verdict"], "FAIL");
}

#[cfg(unix)]
#[test]
fn an_interrupted_audit_reports_what_it_has_read() {
    let folder = folder();
    let input = deals(
        folder.path(),
        &["unconstrained", "--seed", "3", "-n", "20000"],
    );
    let mut child = start(folder.path(), "audit - --stream --out report");
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&input).unwrap();
    stdin.flush().unwrap();
    // The first look has been printed, and nobody ends the pipe.
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut out, &mut line).unwrap();
    assert!(line.contains("16,384 deals"), "{line}");
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let record = record(folder.path());
    assert_eq!(record["stopped"], "interrupted");
    assert!(record["deals"].as_u64().unwrap() >= 16_384);
    drop(stdin);
}

#[test]
fn folders_are_read_and_files_that_are_named_twice_once() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir_all(path.join("club/2026")).unwrap();
    fs::write(path.join("club/2026/one.pbn"), input_of(path, "1")).unwrap();
    fs::write(path.join("club/two.pbn"), input_of(path, "2")).unwrap();
    fs::write(path.join("club/notes.txt"), "nobody came").unwrap();
    let found = audit(path, &["club", "club/two.pbn", "./club/2026/one.pbn"]);
    assert_eq!(code(&found), 4, "{}", stdout(&found));
    assert_eq!(record(path)["deals"], 72);
    let sources = rows(&path.join("report/sources.csv"));
    let files = sources.iter().map(|row| row["file"].replace('\\', "/"));
    assert_eq!(
        files.collect::<Vec<String>>(),
        ["club/2026/one.pbn", "club/notes.txt", "club/two.pbn"]
    );
    assert!(
        stdout(&found).contains("No deals  club/notes.txt"),
        "{}",
        stdout(&found)
    );
}

#[test]
fn files_of_a_folder_without_deals_are_left_out() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir_all(path.join("club")).unwrap();
    fs::write(path.join("club/one.pbn"), input_of(path, "1")).unwrap();
    // A program that begins like nothing, a picture, a page that looks like PBN, numbers.
    fs::write(path.join("club/a.pbn"), b"MZ\x90\0\x03\0\0\0[Event\0\0").unwrap();
    fs::write(path.join("club/b.pbn"), b"\x7FELF\x02\x01\x01\0\0\0\0").unwrap();
    fs::write(path.join("club/c.lin"), b"some\0bytes\nmd|3\0|\n").unwrap();
    fs::write(path.join("club/d.md"), "[a link](to a page)\nno deals\n").unwrap();
    fs::write(
        path.join("club/e.pbn"),
        "[Event \"x\"]\n[Deal \"nothing\"]\n",
    )
    .unwrap();
    fs::write(path.join("club/f.txt"), "123\n456\n").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("..", path.join("club/up")).unwrap();
    let found = audit(path, &["club"]);
    let text = stdout(&found);
    assert_eq!(code(&found), 4, "{text} {}", stderr(&found));
    assert_eq!(record(path)["deals"], 36);
    for name in ["a.pbn", "b.pbn", "c.lin", "d.md", "e.pbn", "f.txt"] {
        let shown = text.replace('\\', "/");
        assert!(shown.contains(&format!("club/{name}")), "{name}: {text}");
    }
    assert!(
        stderr(&found).contains("--format pavlicek"),
        "{}",
        stderr(&found)
    );
    // By itself, each is an error.
    for name in ["a.pbn", "b.pbn", "c.lin", "d.md", "f.txt"] {
        assert_eq!(code(&audit(path, &[&format!("club/{name}")])), 65, "{name}");
    }
    assert_eq!(code(&audit(path, &["club/e.pbn"])), 3);
}

#[cfg(unix)]
#[test]
fn an_audit_of_a_silent_pipe_ends_at_the_first_signal() {
    let folder = folder();
    let path = folder.path();
    let made = Command::new("mkfifo").arg(path.join("fifo")).status();
    assert!(made.unwrap().success());
    for (signal, input) in [
        ("-INT", "-"),
        ("-TERM", "-"),
        ("-INT", "fifo"),
        ("-TERM", "fifo"),
    ] {
        let mut child = start(path, &format!("audit {input} --out report --force"));
        // Nothing tells that it waits.
        std::thread::sleep(std::time::Duration::from_millis(300));
        let pid = child.id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status();
        assert!(sent.unwrap().success());
        let patience = std::time::Instant::now();
        let code = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status.code();
            }
            assert!(patience.elapsed().as_secs() < 20, "{signal} {input}");
            std::thread::sleep(std::time::Duration::from_millis(5));
        };
        assert_eq!(code, Some(130), "{signal} {input}");
    }
}

#[test]
#[ignore = "long"]
fn boards_that_files_do_not_number_are_parted_into_sessions() {
    let folder = folder();
    let options = [
        "unconstrained",
        "--defect",
        "wildest-of-3-sessions",
        "--seed",
        "2",
        "-n",
        "3600",
    ];
    let input = deals(folder.path(), &options);
    let found = audit_stream(folder.path(), &input, &["--session", "36"]);
    assert_eq!(code(&found), 2, "{}", stdout(&found));
    assert!(stdout(&found).contains("Sessions  100 of 36 boards"));
    let tests = rows(&folder.path().join("report/tests.csv"));
    let picked = tests.iter().find(|row| row["test"] == "F sessions picked");
    assert_eq!(picked.map(|row| &*row["verdict"]), Some("FAIL"));
    // Too many boards of one event are no session, and that is said.
    let input = deals(
        folder.path(),
        &[
            "unconstrained",
            "--seed",
            "2",
            "-n",
            "200",
            "--format",
            "pbn",
        ],
    );
    let found = audit_stream(folder.path(), &input, &[]);
    assert!(stdout(&found).contains("Sessions  none: more than 128 consecutive boards"));
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let folder = folder();
    let file = fixture("records/bigdeal/set1.pbn");
    for options in [
        &["--any-condition", "--alike", "north,north"][..],
        &["--alike", "north,south"],
        &["--any-condition", "--seed-search", "1s"],
        &["--seed-search", "soon"],
        &["--where", "hcp(west) > 3", "--condition", "nine-spades"],
    ] {
        let mut all = vec![&*file];
        all.extend(options);
        assert_eq!(code(&audit(folder.path(), &all)), 64, "{options:?}");
    }
    // What tables have no law for is not tested, and no verdict is made of nothing.
    let found = audit(folder.path(), &[&file, "--any-condition"]);
    assert_eq!(code(&found), 4);
    assert!(
        stdout(&found).contains("no test was possible"),
        "{}",
        stdout(&found)
    );
}

/// A name with a terminal's command and an end of line, as no club has it.
#[cfg(unix)]
const HOSTILE: &str = "a\x1b[31mb\nc.pbn";
/// The same as it is printed.
#[cfg(unix)]
const HOSTILE_SHOWN: &str = "a\\u{1b}[31mb\\nc.pbn";

/// Whether a text has the hostile name as it is printed, and no command of it.
#[cfg(unix)]
fn is_shown(text: &str) -> bool {
    text.contains("a\\u{1b}[31mb\\nc") && !text.contains('\x1b') && !text.contains("b\nc")
}

// Windows has no such names.
#[cfg(unix)]
#[test]
fn names_of_files_are_printed_without_their_commands() {
    let folder = folder();
    let path = folder.path();
    let set = fs::read(fixture("records/bigdeal/set1.pbn")).unwrap();
    // Files with problems, repeats and another file's boards, in a folder and in archives.
    let broken = b"[Board \"1\"]\n[Deal \"N:AKQ 2 3 4\"]\n\n";
    let hostile_folder = path.join("d\x1b]0;x\x07\n");
    fs::create_dir(&hostile_folder).unwrap();
    fs::write(path.join(HOSTILE), [&set[..], broken].concat()).unwrap();
    fs::write(hostile_folder.join(HOSTILE), &set).unwrap();
    let found = audit(path, &[HOSTILE, hostile_folder.to_str().unwrap()]);
    assert_eq!(code(&found), 3, "{}", stdout(&found));
    let text = stdout(&found);
    assert!(is_shown(&text), "{text}");
    assert!(text.contains("d\\u{1b}]0;x\\u{7}\\n"), "{text}");
    // The page has it too, and JSON the name itself.
    assert!(is_shown(
        &fs::read_to_string(path.join("report/report.html")).unwrap()
    ));
    assert_eq!(record(path)["sources"][0]["file"], HOSTILE);
    // Errors: a file that is none, an archive that is none, an entry that cannot be read.
    fs::write(path.join(HOSTILE), "nothing known\n").unwrap();
    let found = audit(path, &[HOSTILE]);
    assert_eq!(
        (code(&found), is_shown(&stderr(&found))),
        (65, true),
        "{}",
        stderr(&found)
    );
    fs::write(path.join(HOSTILE), b"PK\x03\x04").unwrap();
    let found = audit(path, &[HOSTILE]);
    assert_eq!(
        (code(&found), is_shown(&stderr(&found))),
        (65, true),
        "{}",
        stderr(&found)
    );
    let found = audit(path, &["missing\x1b[31mb\nc"]);
    assert_eq!(code(&found), 65);
    assert!(complaint(&found).contains("missing\\u{1b}[31mb\\nc"));
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in [("empty\x1b[31mb\nc", &b""[..]), (HOSTILE, &set)] {
        let mut header = tar::Header::new_gnu();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(bytes.len() as u64);
        header.set_cksum();
        archive.append(&header, bytes).unwrap();
    }
    let found = audit_stream(path, &archive.into_inner().unwrap(), &["--reference", "0"]);
    assert_eq!(code(&found), 4, "{}", stderr(&found));
    assert!(is_shown(&stdout(&found)), "{}", stdout(&found));
    assert!(stdout(&found).contains("empty\\u{1b}[31mb\\nc"));
    let strict = fs::write(path.join(HOSTILE), [&set[..], broken].concat());
    strict.unwrap();
    let found = audit(path, &[HOSTILE, "--strict"]);
    let all = stdout(&found) + &stderr(&found);
    assert!(all.contains(HOSTILE_SHOWN) && is_shown(&all), "{all}");
}

// Windows has no such names.
#[cfg(unix)]
#[test]
fn names_of_scripts_and_reports_are_printed_without_their_commands() {
    let folder = folder();
    let path = folder.path();
    let script = format!("{HOSTILE}.dl");
    let said = |arguments: &[&str]| {
        let found = fairdeal(path, arguments);
        let all = stdout(&found) + &stderr(&found);
        assert!(is_shown(&all), "{arguments:?}: {all}");
    };
    fs::write(path.join(&script), "hcp(north) >> 20\n").unwrap();
    said(&["run", &script]);
    fs::write(path.join(&script), "spades(north) >= 9\n").unwrap();
    let short = ["--deals", "100", "--seed", "1"];
    said(&[&["run", &script, "--out", HOSTILE][..], &short].concat());
    // It is there already, which is said.
    said(&[&["run", &script, "--out", HOSTILE][..], &short].concat());
    let html = fs::read_to_string(path.join(HOSTILE).join("report.html")).unwrap();
    assert!(!html.contains('\x1b'));
    said(&["compare", HOSTILE, HOSTILE]);
    said(&["compare", HOSTILE, "a\x1b[31mb\nc"]);
    said(&["theory", &script, "--out", HOSTILE]);
    said(&["cases", "verify", &format!("{HOSTILE}.cases")]);
    said(&[
        "number", "decode", "--scheme", "pavlicek", "--file", HOSTILE,
    ]);
    said(&["merge", HOSTILE, "--out", "merged"]);
    said(&["self-test", &script, "--runs=10", "--deals", "1024"]);
    // A log has it in quotes.
    let script = format!("./{script}");
    let log = fairdeal(
        path,
        &[
            &["run", &script, "--log", "debug", "--out", "logged"],
            &short[..],
        ]
        .concat(),
    );
    assert!(!stderr(&log).contains('\x1b') && !stdout(&log).contains('\x1b'));
}
