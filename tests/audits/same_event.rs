//! Files that are records of one event: their conflicts are named and not tested, and equal deals of
//! other files are evidence.

#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::path::Path;

use fairdeal::Deal;
use fairdeal::audit::{BoardDifference, EventRule, Intake};
use fairdeal::bridge::Hand;
use fairdeal::bridge::combinatorics::DEALS;
use fairdeal::formats::read::{BoardDetails, EntryKind, EventName, InputEntry};
use fairdeal::number::pavlicek;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::audit::{audit, fixture, record};
use crate::common::{code, folder, rows, stdout};

/// Audits two files of fixtures/field/same-event/.
fn audit_field(folder: &Path, other: &str, options: &[&str]) -> (i32, String) {
    let files = ["a.pbn", other].map(|name| fixture(&format!("field/same-event/{name}")));
    for (file, name) in files.iter().zip(["a.pbn", "other.pbn"]) {
        fs::copy(file, folder.join(name)).unwrap();
    }
    let found = audit(folder, &[&["a.pbn", "other.pbn"], options].concat());
    (code(&found), stdout(&found))
}

#[test]
fn two_records_of_one_event_with_two_numbers_exchanged_are_asked_about() {
    let folder = folder();
    let (code, text) = audit_field(folder.path(), "b-two-numbers-swapped.pbn", &[]);
    assert_eq!(code, 4, "{text}");
    let of = record(folder.path());
    assert_eq!(of["deals"], 36);
    assert_eq!(of["sources"][1]["duplicate"], 34);
    assert_eq!(of["sources"][1]["conflict"], 2);
    let named = [
        "board 8 of other.pbn has the cards of board 7 of a.pbn",
        "board 7 of other.pbn has the cards of board 8 of a.pbn",
    ];
    let conflicts = serde_json::json!({ "count": 2, "first": named });
    assert_eq!(of["conflicts"], conflicts);
    assert_eq!(
        of["repeats"],
        serde_json::json!({ "count": 0, "first": [] })
    );
    assert!(named.iter().all(|board| text.contains(board)), "{text}");
    let question = "Question  if these are records of one event, use --same-event";
    assert!(text.contains(question), "{text}");
    let table = rows(&folder.path().join("report/conflicts.csv"));
    let cells = ["file", "board", "first_file", "first_board", "difference"];
    let cells = cells.map(|column| &*table[0][column]);
    assert_eq!(cells, ["other.pbn", "8", "a.pbn", "7", "number"]);
    // The answer that they are one event leaves the list, but no question.
    let same = ["--same-event"];
    let (code, text) = audit_field(folder.path(), "b-two-numbers-swapped.pbn", &same);
    assert_eq!(code, 4, "{text}");
    assert!(!text.contains("Question"), "{text}");
    assert_eq!(record(folder.path())["conflicts"], conflicts);
}

#[test]
fn two_records_of_one_event_with_one_card_exchanged_are_asked_about() {
    let folder = folder();
    let (code, text) = audit_field(folder.path(), "c-one-card-exchanged.pbn", &[]);
    assert_eq!(code, 4, "{text}");
    let of = record(folder.path());
    assert_eq!(
        (&of["deals"], &of["sources"][1]["duplicate"]),
        (&36.into(), &35.into())
    );
    let named = "board 20 of other.pbn has 2 cards at other seats than board 20 of a.pbn";
    assert_eq!(
        of["conflicts"],
        serde_json::json!({ "count": 1, "first": [named] })
    );
    assert!(text.contains(named), "{text}");
    // The answer that they are distinct events makes the equal deals evidence, which is named.
    let distinct = ["--distinct-events"];
    let (code, text) = audit_field(folder.path(), "c-one-card-exchanged.pbn", &distinct);
    assert_eq!(code, 2, "{text}");
    let of = record(folder.path());
    assert_eq!(
        (&of["deals"], &of["conflicts"]["count"]),
        (&72.into(), &0.into())
    );
    assert_eq!(of["repeats"]["count"], 35);
    assert_eq!(of["repeats"]["first"].as_array().unwrap().len(), 10);
    let tenth = "board 10 of other.pbn has the cards of board 10 of a.pbn";
    assert_eq!(of["repeats"]["first"][9], tenth);
    assert!(text.contains("and 25 more in repeats.csv"), "{text}");
}

/// A board of a file: its number and deal.
type FileBoard = (u64, Deal);

/// Reads files of boards without events, and returns the intake and the number of tested deals.
fn read_files(rule: EventRule, files: &[Vec<FileBoard>]) -> (Intake, u64) {
    let (mut intake, event) = (Intake::new(None, rule), EventName::default());
    for file in files {
        intake.begin();
        for (line, (number, deal)) in (1..).zip(file) {
            intake.take(&InputEntry {
                line,
                board: Some(*number),
                dealer: None,
                tricks: None,
                details: BoardDetails::default(),
                record: None,
                event: &event,
                what: EntryKind::Deal(*deal),
            });
        }
    }
    intake.end();
    let tested: u64 = intake.counts.iter().map(|counts| counts.tested()).sum();
    let mut ready = 0;
    while intake.next_tested().is_some() {
        ready += 1;
    }
    assert_eq!(ready, tested);
    (intake, tested)
}

/// Tested deals, conflicts and repeats of these files.
fn found(rule: EventRule, files: &[Vec<FileBoard>]) -> [u64; 3] {
    let (intake, tested) = read_files(rule, files);
    [tested, intake.conflict_count, intake.repeat_count]
}

/// Different deals, numbered from 1.
fn boards(random: &mut ChaCha8Rng, count: u64) -> Vec<FileBoard> {
    let deal = |number| {
        let deal = pavlicek::decode(random.random_range(0..DEALS)).unwrap();
        (number, deal)
    };
    (1..=count).map(deal).collect()
}

/// The deal with a card of north and one of east exchanged.
fn with_cards_exchanged(deal: &Deal) -> Deal {
    let [north, east, south, west] = *deal.hands();
    let [of_north, of_east] = [north, east].map(|hand| Hand::of(hand.cards().next().unwrap()));
    let north = north.without(of_north).union(of_east);
    let east = east.without(of_east).union(of_north);
    Deal::new([north, east, south, west]).unwrap()
}

#[test]
fn the_order_of_the_files_does_not_matter() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let all = boards(&mut random, 36);
    let mut swapped = all.clone();
    (swapped[6].0, swapped[7].0) = (8, 7);
    let few = all[..10].to_vec();
    let mut files = vec![all, swapped, few];
    for _ in 0..6 {
        // Boards 7 and 8 of the file that is read later contradict the earlier one.
        assert_eq!(found(EventRule::Compatible, &files), [36, 2, 0]);
        files.shuffle(&mut random);
    }
}

#[test]
fn a_few_equal_deals_of_different_events_are_evidence() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let one = boards(&mut random, 36);
    // Half of the boards, less one, are replays; another is a repeat.
    let mut other = boards(&mut random, 36);
    other[..17].copy_from_slice(&one[..17]);
    other[30].1 = one[20].1;
    let files = [one, other];
    assert_eq!(found(EventRule::Compatible, &files), [36 + 19, 0, 1]);
    assert_eq!(found(EventRule::Distinct, &files), [72, 0, 18]);
}

#[test]
fn repeats_within_a_file_are_evidence_beside_another_record_of_its_event() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let first = boards(&mut random, 36);
    // The second session repeats four deals of the first; another file has the first only.
    let mut both = boards(&mut random, 72);
    both[..36].copy_from_slice(&first);
    for index in 0..4 {
        both[40 + index].1 = first[index].1;
    }
    let files = [first.clone(), both.clone()];
    assert_eq!(found(EventRule::Compatible, &files), [72, 0, 4]);
    let files = [both, first.clone()];
    assert_eq!(found(EventRule::Compatible, &files), [72, 0, 4]);
    // A session with numbers of its own in one file.
    let mut second = boards(&mut random, 36);
    second[9].1 = first[3].1;
    let file = [first, second].concat();
    assert_eq!(found(EventRule::Compatible, &[file]), [72, 0, 1]);
}

#[test]
fn two_records_in_one_file_are_recognised_by_their_numbers() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let one = boards(&mut random, 24);
    let mut other = one.clone();
    other[4].1 = with_cards_exchanged(&one[4].1);
    (other[10].1, other[11].1) = (one[11].1, one[10].1);
    let file = [one, other].concat();
    let (intake, tested) = read_files(EventRule::Compatible, &[file]);
    assert_eq!((tested, intake.repeat_count), (24, 0));
    let differences = intake.conflicts.iter().map(|conflict| conflict.difference);
    let differences: Vec<BoardDifference> = differences.collect();
    let number = BoardDifference::Number;
    assert_eq!(differences, [BoardDifference::Cards(2), number, number]);
}

#[test]
fn a_night_is_compared_with_its_own_boards_of_a_season() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let nights: Vec<Vec<FileBoard>> = (0..10).map(|_| boards(&mut random, 20)).collect();
    let mut night = nights[6].clone();
    night[2].1 = with_cards_exchanged(&nights[6][2].1);
    night.extend(boards(&mut random, 22).split_off(20));
    let (intake, tested) = read_files(EventRule::Compatible, &[nights.concat(), night]);
    assert_eq!((tested, intake.repeat_count), (202, 0));
    let [conflict] = &intake.conflicts[..] else {
        panic!("{:?}", intake.conflicts)
    };
    assert_eq!(
        (conflict.earlier.number, conflict.earlier.place.line),
        (3, 123)
    );
}

#[test]
fn the_first_boards_of_a_large_file_decide_about_all() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let all = boards(&mut random, 20_000);
    let mut other = all.clone();
    for index in [100, 19_000] {
        (other[index].1, other[index + 1].1) = (all[index + 1].1, all[index].1);
    }
    assert_eq!(found(EventRule::Compatible, &[all, other]), [20_000, 4, 0]);
}

#[test]
fn collections_of_records_with_up_to_five_conflicts_a_file_have_no_repeats() {
    for seed in 0..1_000 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let count = random.random_range(10..=40);
        let all = boards(&mut random, count);
        let mut files = vec![all.clone()];
        let mut planted = 0;
        for _ in 0..random.random_range(1..=5) {
            let mut file = all.clone();
            let mut places: Vec<usize> = (0..file.len()).collect();
            places.shuffle(&mut random);
            for place in places.into_iter().take(random.random_range(0..=5)) {
                match random.random_range(0..3) {
                    0 => file[place].0 = 100 + place as u64,
                    1 => file[place].1 = with_cards_exchanged(&all[place].1),
                    _ => file[place].1 = boards(&mut random, 1)[0].1,
                }
                planted += 1;
            }
            files.push(file);
        }
        let (intake, tested) = read_files(EventRule::Compatible, &files);
        assert_eq!((tested, intake.repeat_count), (count, 0), "seed {seed}");
        let replays: u64 = intake.counts.iter().map(|counts| counts.duplicate).sum();
        let boards = files.iter().map(Vec::len).sum::<usize>() as u64;
        assert_eq!(
            intake.conflict_count,
            boards - count - replays,
            "seed {seed}"
        );
        // Conflicts that two files share are replays in the second.
        assert!(intake.conflict_count <= planted, "seed {seed}");
    }
}
