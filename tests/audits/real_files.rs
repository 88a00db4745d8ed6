//! Real-life files, in fixtures/records-real/, get the right verdict for their boards; a board that
//! is played at several tables counts once.

use std::fs;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::Path;

use fairdeal::audit::{EventRule, Intake};
use fairdeal::bridge::Deal;
use fairdeal::formats::read::{Input, read};
use fairdeal::number::pavlicek;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::common::{code, fairdeal, folder, stdout};

/// What fixtures/records-real/expected.csv says of a path.
struct Expected {
    path: String,
    boards: u64,
    distinct: u64,
    left_out: usize,
    undecided: u64,
    code: i32,
}

#[allow(clippy::unwrap_used, reason = "tests")]
fn expected(fixtures: &Path) -> Vec<Expected> {
    let mut table = csv::Reader::from_path(fixtures.join("expected.csv")).unwrap();
    let rows = table.records().map(|row| {
        let row = row.unwrap();
        let number = |index: usize| row[index].parse::<u64>().unwrap();
        Expected {
            path: row[0].to_owned(),
            boards: number(1),
            distinct: number(2),
            left_out: number(3) as usize,
            undecided: number(4),
            code: number(5) as i32,
        }
    });
    rows.collect()
}

#[test]
fn every_shape_of_file_gets_its_verdict() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/records-real");
    let folder = folder();
    let all = expected(&fixtures);
    for one in &all {
        let path = fixtures.join(&one.path);
        let found = fairdeal(
            folder.path(),
            &[
                "audit",
                path.to_str().unwrap(),
                "--out",
                "report",
                "--force",
                "--reference",
                "0",
            ],
        );
        let text = stdout(&found);
        let name = &one.path;
        assert_eq!(code(&found), one.code, "{name}: {text}");
        let record = fs::read_to_string(folder.path().join("report/audit.json")).unwrap();
        let record: serde_json::Value = serde_json::from_str(&record).unwrap();
        let sources = record["sources"].as_array().unwrap();
        let of = |field: &str| -> u64 {
            let each = sources.iter().map(|source| source[field].as_u64().unwrap());
            each.sum()
        };
        assert_eq!(
            (of("read"), of("valid")),
            (one.boards, one.boards),
            "{name}: {text}"
        );
        let without = sources.iter().filter(|source| source["read"] == 0).count();
        assert_eq!(without, one.left_out, "{name}: {text}");
        assert_eq!(record["undecided"], one.undecided, "{name}");
        let repeats = one.code == 2;
        assert_eq!(
            record["deals"],
            one.distinct + u64::from(repeats),
            "{name}: {text}"
        );
    }
    // Nothing lies there that no row speaks of.
    for entry in fs::read_dir(&fixtures).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_known = name == "expected.csv" || all.iter().any(|one| one.path == name);
        assert!(is_known, "{name}");
    }
}

/// The boards of one event as a table writes them, some parts of the event left out.
fn table_file(random: &mut ChaCha8Rng, boards: &[(u64, Deal)]) -> String {
    const EVENT: [(&str, &str); 4] = [
        ("Event", "Autumn Teams"),
        ("Site", "Lyon"),
        ("Date", "2013.11.23"),
        ("Round", "2"),
    ];
    let mut file = String::new();
    for (number, deal) in boards {
        for (tag, value) in EVENT {
            let value = match random.random_range(0..4) {
                0 => "",
                1 => "?",
                _ => value,
            };
            let time = if tag == "Date" && !value.is_empty() && random.random() {
                format!(
                    " {:02}:{:02}",
                    random.random_range(0..24),
                    random.random_range(0..60)
                )
            } else {
                String::new()
            };
            let time = if value == "?" { "" } else { &time };
            file += &format!("[{tag} \"{value}{time}\"]\n");
        }
        file += &format!("[Board \"{number}\"]\n[Deal \"{deal}\"]\n\n");
    }
    file
}

#[test]
fn boards_replayed_at_up_to_forty_tables_are_one_board_each() {
    for seed in 0..200 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let count = random.random_range(1..=6);
        let boards: Vec<(u64, Deal)> = (1..=count)
            .map(|number| {
                let deal = random.random_range(0..fairdeal::bridge::combinatorics::DEALS);
                (number, pavlicek::decode(deal).unwrap())
            })
            .collect();
        let mut intake = Intake::new(None, EventRule::default());
        let tables = random.random_range(1..=40);
        for _ in 0..tables {
            intake.begin();
            let file = table_file(&mut random, &boards);
            for input in Input::of_reader("table", Cursor::new(file.into_bytes())).unwrap() {
                read(
                    input,
                    None,
                    &mut |found| {
                        intake.take(&found);
                        ControlFlow::Continue(())
                    },
                    &mut |_| ControlFlow::Continue(()),
                )
                .unwrap();
            }
        }
        let tested: u64 = intake.counts.iter().map(|counts| counts.tested()).sum();
        assert_eq!(tested, count, "seed {seed}, {tables} tables");
        assert_eq!(
            (intake.repeat_count, intake.undecided_count),
            (0, 0),
            "seed {seed}"
        );
    }
}
