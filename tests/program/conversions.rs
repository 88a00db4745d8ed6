//! `convert` and `deal --from`: what they keep of the boards of files, and what they say about the
//! rest.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::common::{code, fairdeal, fed, folder, stderr, stdout};

fn field(name: &str) -> String {
    format!("{}/fixtures/field/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn convert(folder: &Path, arguments: &[&str]) -> Output {
    let done = fairdeal(folder, &[&["deal"][..], arguments].concat());
    assert_eq!(code(&done), 0, "{arguments:?}: {}", stderr(&done));
    done
}

/// Numbers, dealers and vulnerabilities, from `--json`.
fn labels(done: &Output) -> Vec<String> {
    let label = |line: &str| {
        let board: serde_json::Value = serde_json::from_str(line).unwrap();
        let word = |name: &str| board[name].as_str().unwrap().to_owned();
        format!(
            "{} {} {}",
            board["number"],
            word("dealer"),
            word("vulnerability")
        )
    };
    stdout(done).lines().map(label).collect()
}

#[test]
fn boards_keep_their_numbers_dealers_and_vulnerabilities() {
    let (folder, boards) = (folder(), field("convert-renumbers/boards-17-19.pbn"));
    let convert = |more: &[&str]| {
        let all = [&["unconstrained", "--from", &boards][..], more].concat();
        convert(folder.path(), &all)
    };
    let event = |name: &str| {
        format!("warning: 1 board lost its event: the format {name} does not store it\n")
    };
    let json = convert(&["--json"]);
    assert_eq!(labels(&json), ["17 north None", "19 south EW"]);
    assert_eq!(stderr(&json), "");
    assert_eq!(stdout(&json).matches("Teams, second half").count(), 1);
    let csv = convert(&["--format", "csv"]);
    let rows: Vec<String> = stdout(&csv).lines().map(str::to_owned).collect();
    assert!(rows[0].ends_with("\"17\",\"N/-\"") && rows[1].ends_with("\"19\",\"S/EW\""));
    let lin = stdout(&convert(&["--format", "lin"]));
    for part in ["qx|o17|md|3S", "ah|Board 19|sv|e|"] {
        assert!(lin.contains(part), "{lin}");
    }
    let pbn = stdout(&convert(&["--format", "pbn"]));
    for tags in ["[Board \"17\"]", "[Dealer \"S\"]\n[Vulnerable \"EW\"]"] {
        assert!(pbn.contains(tags), "{pbn}");
    }
    assert_eq!(stderr(&convert(&["--format", "rbn"])), "");
    let line = convert(&["--event", "Teams", "--format", "rbn"]);
    assert_eq!(stderr(&line), "");
    let line = convert(&[]);
    let lost = |what: &str| {
        format!("warning: 2 boards lost their {what}: the format line does not store it\n")
    };
    let (number, sides) = (lost("number"), lost("vulnerability"));
    let dealer = sides.replace(
        "2 boards lost their vulnerability",
        "1 board lost its dealer",
    );
    let sides = sides.replace("2 boards lost their", "1 board lost its");
    assert_eq!(
        stderr(&line),
        [&*number, &dealer, &sides, &event("line")].concat()
    );
    assert_eq!(stderr(&convert(&["--quiet"])), "");
}

#[test]
fn options_replace_labels_and_the_script_says_so() {
    let (folder, boards) = (folder(), field("convert-renumbers/boards-17-19.pbn"));
    let from = |condition: &str, more: &[&str]| {
        let all = [
            "--where", condition, "--from", &boards, "--event", "A", "--format", "pbn",
        ];
        let written = convert(folder.path(), &[&all[..], more].concat());
        fs::write(folder.path().join("again.pbn"), stdout(&written)).unwrap();
        let again = ["unconstrained", "--from", "again.pbn", "--json"];
        (labels(&convert(folder.path(), &again)), stderr(&written))
    };
    let options = ["--board", "3", "--dealer", "east", "--vul", "none"];
    let expected = ["3 east None", "4 east None"].map(str::to_owned);
    assert_eq!(from("1", &options), (expected.to_vec(), String::new()));
    // The dealer of the file stays with another number.
    let expected = ["3 north None", "4 south EW"].map(str::to_owned);
    assert_eq!(
        from("1", &["--board", "3"]),
        (expected.to_vec(), String::new())
    );
    let (found, said) = from("dealer south startboard 17 1", &[]);
    assert_eq!(found, ["17 south None", "18 south EW"]);
    assert_eq!(
        said,
        "warning: 1 board lost its number: the script has `startboard`\n\
         warning: 1 board lost its dealer: the script has `dealer`\n"
    );
    let (found, said) = from("spades(north) == 1", &[]);
    assert_eq!((found, &*said), (vec!["19 south EW".to_owned()], ""));
    // The labels of a file stay while the hands move.
    let (found, _) = from("1", &["--rotate", "board"]);
    assert_eq!(found, ["17 north None", "19 south EW"]);
}

#[test]
fn replays_are_left_out_and_counted() {
    let (folder, tables) = (folder(), field("convert-replays/two-tables.pbn"));
    let lin = convert(
        folder.path(),
        &["unconstrained", "--from", &tables, "--format", "lin"],
    );
    let text = stdout(&lin);
    assert_eq!(text.lines().count(), 1);
    assert!(
        text.contains("qx|o7|md|1S") && text.contains("|sv|b|"),
        "{text}"
    );
    assert_eq!(
        stderr(&lin),
        "warning: left out 1 replay, with the number and the cards of an earlier board; \
         wrote 1 board\n\
         warning: 1 board lost its event: the format lin does not store it\n\
         warning: 1 board lost its contract: the format lin does not store it\n"
    );
    assert!(text.contains("|mc|9|"), "{text}");
}

#[test]
fn a_conversion_keeps_each_table_in_pbn() {
    let (folder, tables) = (folder(), field("convert-replays/two-tables.pbn"));
    let run = |line: &[&str]| {
        let done = fairdeal(folder.path(), &[&["convert"][..], line].concat());
        assert_eq!(code(&done), 0, "{line:?}: {}", stderr(&done));
        done
    };
    let pbn = run(&[&tables, "--format", "pbn"]);
    assert_eq!(stderr(&pbn), "");
    let pbn = stdout(&pbn);
    assert_eq!(pbn.matches("[Board \"7\"]").count(), 2);
    for result in [
        "[Contract \"3NT\"]\n[Result \"9\"]",
        "[Contract \"2NT\"]\n[Result \"8\"]",
    ] {
        assert!(pbn.contains(result), "{pbn}");
    }
    let names = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    run(&[&tables, "--format", "pbn,dup,html", "-o", "tonight"]);
    assert_eq!(
        names(folder.path()),
        ["tonight.dup", "tonight.html", "tonight.pbn"]
    );
    assert_eq!(
        fs::read(folder.path().join("tonight.dup")).unwrap().len(),
        156
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("tonight.pbn")).unwrap(),
        pbn
    );
    run(&["tonight.pbn", "-o", "club.lin"]);
    run(&["tonight.pbn", "-o", "club.lin", "--force"]);
    // Standard input is read once for all formats.
    let piped = fed(
        folder.path(),
        "convert - --format pbn,lin -o piped",
        pbn.as_bytes(),
    );
    assert_eq!(code(&piped), 0, "{}", stderr(&piped));
    for (piped, alone) in [("piped.pbn", "tonight.pbn"), ("piped.lin", "club.lin")] {
        let [piped, alone] = [piped, alone].map(|name| fs::read(folder.path().join(name)).unwrap());
        assert!(piped == alone);
    }
    for (line, wanted) in [
        (&["tonight.pbn"][..], 64),
        (&["tonight.pbn", "-o", "club.xyz"], 64),
        (&["tonight.pbn", "--format", "pbn,lin"], 64),
        (&["tonight.pbn", "--format", "line,all", "-o", "x"], 64),
        (&["tonight.pbn", "-o", "club.lin"], 74),
    ] {
        let done = fairdeal(folder.path(), &[&["convert"][..], line].concat());
        assert_eq!(code(&done), wanted, "{line:?}: {}", stderr(&done));
    }
    let dealt = [
        "deal",
        "unconstrained",
        "-n",
        "4",
        "--seed",
        "1",
        "--event",
        "Cup",
        "--format",
        "pbn,lin,dup,html",
        "-o",
        "set",
    ];
    let dealt = fairdeal(folder.path(), &dealt);
    assert_eq!(
        (code(&dealt), stdout(&dealt)),
        (0, String::new()),
        "{}",
        stderr(&dealt)
    );
    let again = run(&["set.pbn", "--format", "lin"]);
    let lin = fs::read(folder.path().join("set.lin")).unwrap();
    assert_eq!(again.stdout, lin);
}

/// A club's file: 27 boards at 8 tables, table by table, each of which begins with another board.
#[test]
fn a_club_file_of_216_records_is_27_boards() {
    let folder = folder();
    let set = ["unconstrained", "-n", "27", "--seed", "1", "--format"];
    let pbn = stdout(&convert(folder.path(), &[&set[..], &["pbn"]].concat()));
    let dup = convert(folder.path(), &[&set[..], &["dup"]].concat()).stdout;
    let head = pbn.find("[Event ").unwrap();
    let boards: Vec<&str> = pbn[head..].trim_end().split("\n\n").collect();
    assert_eq!(boards.len(), 27);
    let mut club = String::new();
    for table in 1..=8 {
        for place in 0..27 {
            let record = boards[(place + 3 * table) % 27];
            let named = record.replacen("[North \"?\"]", "[North \"Ann\"]", 1);
            writeln!(club, "{named}\n").unwrap();
        }
    }
    fs::write(folder.path().join("club.pbn"), club).unwrap();
    let from = ["unconstrained", "--from", "club.pbn", "--format"];
    let converted = convert(folder.path(), &[&from[..], &["dup"]].concat());
    assert_eq!(converted.stdout.len(), 27 * 156);
    assert!(converted.stdout == dup);
    assert_eq!(
        stderr(&converted),
        "warning: left out 189 replays, with the number and the cards of an earlier board; \
         wrote 27 boards\n\
         warning: 27 boards lost the names of their players: the format dup does not store them\n"
    );
    // Boards that are not all of a set cannot keep their numbers.
    let some = convert(folder.path(), &[&from[..], &["dup", "-n", "24"]].concat());
    let said = "warning: 24 boards lost their number: the format dup numbers boards from 1\n";
    assert!(stderr(&some).contains(said), "{}", stderr(&some));
    let few = [&["deal"][..], &from, &["csv", "-n", "30", "--quiet"]].concat();
    let few = fairdeal(folder.path(), &few);
    assert_eq!(code(&few), 5);
    let said = "error: found 27 of 30 deals among the 216 deals of the files\n";
    assert_eq!(stderr(&few), said);
    // In one command, each format has its boards: PBN a record of each table.
    let all = [&["deal"][..], &from, &["pbn,csv,lin", "-n30", "-oall"]].concat();
    assert_eq!(code(&fairdeal(folder.path(), &all)), 5);
    for format in ["pbn", "csv", "lin"] {
        let alone = [&["deal"][..], &from, &[format, "-n30"]].concat();
        let together = fs::read(folder.path().join(format!("all.{format}"))).unwrap();
        assert!(
            fairdeal(folder.path(), &alone).stdout == together,
            "{format}"
        );
    }
}

#[test]
fn equal_deals_without_numbers_stay_unless_none_may_repeat() {
    let folder = folder();
    let one = "N:T9.K976.A85.A943 8754.Q.T763.KQT5 AKQ3.J42.QJ9.J72 J62.AT853.K42.86\n";
    fs::write(folder.path().join("twice.txt"), one.repeat(2)).unwrap();
    let from = ["unconstrained", "--from", "twice.txt"];
    let both = convert(folder.path(), &from);
    assert_eq!(
        (stdout(&both), stderr(&both)),
        (one.repeat(2), String::new())
    );
    let different = convert(folder.path(), &[&from[..], &["--no-repeats"]].concat());
    assert_eq!(stdout(&different), one);
    assert_eq!(
        stderr(&different),
        "warning: left out 1 repeated deal, with the cards of an earlier board; wrote 1 board\n"
    );
}

#[test]
fn a_result_that_is_not_a_number_is_lost_in_lin() {
    let folder = folder();
    let boards = fs::read_to_string(field("convert-renumbers/boards-17-19.pbn")).unwrap();
    let boards = boards.replacen("[Deal ", "[Result \"EW 9\"]\n[Deal ", 1);
    fs::write(folder.path().join("boards.pbn"), boards).unwrap();
    let told = |format| {
        let done = fairdeal(
            folder.path(),
            &["convert", "boards.pbn", "--format", format],
        );
        assert_eq!(code(&done), 0, "{}", stderr(&done));
        stderr(&done)
    };
    let lost = "1 board lost its result, which is not a number: the format lin does not store it";
    assert!(told("lin").contains(lost), "{}", told("lin"));
    assert_eq!(told("pbn"), "");
}

#[test]
fn a_comment_before_a_lin_board_is_kept() {
    let folder = folder();
    let folder = folder.path();
    let deal = "md|3S52HA5DA84CK86532,SJ64HQJT72DKJ7CQ9,SKQ73HK9843DT532C|sv|0|";
    let text = format!("qx|o1|nt|before it|{deal}nt|after it|pg||\nqx|o2|{deal}pg||\n");
    fs::write(folder.join("a.lin"), text).unwrap();
    let done = fairdeal(folder, "convert a.lin -o a.json");
    assert_eq!((code(&done), stderr(&done)), (0, String::new()));
    let boards = fs::read_to_string(folder.join("a.json")).unwrap();
    let lines: Vec<&str> = boards.lines().collect();
    assert!(lines[0].contains("\"before it after it\""), "{boards}");
    assert!(!lines[1].contains("comment"), "{boards}");
}

#[test]
fn deals_of_every_record_survive_another_format() {
    deals_of_every_record_survive(4);
}

#[test]
#[ignore = "long"]
fn deals_of_every_record_survive_other_formats() {
    deals_of_every_record_survive(1);
}

/// Files of clubs, of other programs and from the field, in one kind of format in `step`, and back.
fn deals_of_every_record_survive(step: usize) {
    let folder = folder();
    let oneline = |file: &str| {
        let done = fairdeal(
            folder.path(),
            &[
                "convert",
                file,
                "--format",
                "oneline",
                "-o",
                "deals.line",
                "--force",
                "--quiet",
            ],
        );
        let path = folder.path().join("deals.line");
        let deals = fs::read_to_string(&path).unwrap_or_default();
        let _ = fs::remove_file(path);
        let deals: BTreeSet<String> = deals.lines().map(str::to_owned).collect();
        (code(&done), deals)
    };
    let root = env!("CARGO_MANIFEST_DIR");
    let records = fs::read_dir(format!("{root}/fixtures/records")).unwrap();
    let records = records.map(|entry| entry.unwrap().path());
    let field = [
        "convert-renumbers/boards-17-19.pbn",
        "convert-replays/two-tables.pbn",
        "html-links/page.html",
        "html-links/bbo-page.html",
        "json-array/boards.json",
        "lin-wrapped/wrapped.lin",
        "void-dash/void.pbn",
        "utf16/board.pbn",
    ];
    let field = field.map(|name| PathBuf::from(self::field(name)));
    let mut compared = 0;
    for file in records.filter(|file| file.is_file()).chain(field) {
        let file = file.to_str().unwrap();
        let (code, deals) = oneline(file);
        // A table of single hands is refused.
        let is_deals = !file.ends_with("rbn-hands.csv");
        assert_eq!(
            (code == 0, !deals.is_empty()),
            (is_deals, is_deals),
            "{file}"
        );
        if !is_deals {
            continue;
        }
        let formats = ["pbn", "lin", "rbn", "json"].into_iter();
        for format in formats.skip(compared % step).step_by(step) {
            let again = format!("again.{format}");
            let convert = ["convert", file, "-o", &again, "--force", "--quiet"];
            let done = fairdeal(folder.path(), &convert);
            assert_eq!(self::code(&done), 0, "{file} {format}: {}", stderr(&done));
            assert!(oneline(&again) == (0, deals.clone()), "{file} {format}");
            compared += 1;
        }
    }
    assert!(compared >= 4 * 20 / step, "{compared}");
}
