//! Double-dummy tricks of dealt boards: against published results, and the same in every way that
//! the program offers.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::path::Path;

use fairdeal::bridge::{Deal, Seat, Strain, Suit, TrickTable};
use fairdeal::language::AskedTricks;
use fairdeal::observer::{Observer, Silent, Stage, StageProgress};
use fairdeal::solver::{Solver, SolverTeam};
use fairdeal::{Population, Script};

use crate::common::{code, fairdeal, folder, printed, program, stderr};

const SPADES: Strain = Strain::Trumps(Suit::Spades);

fn deals(seed: u128, count: usize) -> Vec<Deal> {
    let every = Population::every_deal();
    let deals = every.deals(seed).unwrap().take(count);
    deals.collect::<Result<_, _>>().unwrap()
}

fn solved(threads: usize, deals: &[Deal], asked: &AskedTricks) -> Vec<TrickTable> {
    let mut team = SolverTeam::new(threads).unwrap();
    team.solve(deals, asked, &Silent).unwrap()
}

#[test]
fn published_results_are_found() {
    published_results_are(8);
}

#[test]
#[ignore = "long: 40 deals"]
fn all_published_results_are_found() {
    published_results_are(1);
}

/// Solves the first deal and then one in `step`.
fn published_results_are(step: usize) {
    let text = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/solved/published.csv"),
    );
    let text = text.unwrap();
    let (mut deals, mut published) = (Vec::new(), Vec::new());
    for line in text.lines().skip(1).step_by(step) {
        let cells: Vec<&str> = line.split(',').collect();
        deals.push(cells[1].parse::<Deal>().unwrap());
        let digits: Vec<u8> = cells[2]
            .chars()
            .map(|digit| digit.to_digit(16).unwrap() as u8)
            .collect();
        let number = |seat: Seat, strain: Strain| digits[4 * strain.index() + seat.index()];
        published.push(TrickTable::new(number).unwrap());
    }
    assert_eq!(deals.len(), 40 / step);
    let found = solved(2, &deals, &AskedTricks::All);
    for ((deal, found), published) in deals.iter().zip(found).zip(published) {
        assert_eq!(found, published, "{deal}");
    }
}

#[test]
fn published_results_in_gibs_format_are_found() {
    published_results_in_gibs_format_are(4);
}

#[test]
#[ignore = "long: 20 deals"]
fn all_published_results_in_gibs_format_are_found() {
    published_results_in_gibs_format_are(20);
}

fn published_results_in_gibs_format_are(count: usize) {
    let folder = folder();
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/records/gib.txt");
    let number = count.to_string();
    let all = [
        "deal",
        "unconstrained",
        "--from",
        list.to_str().unwrap(),
        "-n",
        &number,
    ];
    let lines = printed(folder.path(), &all);
    let deals: Vec<Deal> = lines.lines().map(|line| line.parse().unwrap()).collect();
    let zrd = fairdeal(folder.path(), &[&all[..], &["--format", "zrd"]].concat());
    let (records, rest) = zrd.stdout.as_chunks::<23>();
    assert!(rest.is_empty() && records.len() == count && deals.len() == count);
    let found = solved(2, &deals, &AskedTricks::All);
    for ((deal, found), record) in deals.iter().zip(found).zip(records) {
        assert_eq!(found.bytes(), record[13..], "{deal}");
    }
}

#[test]
fn single_numbers_are_those_of_the_whole_table_with_any_team() {
    let deals = deals(7, 2);
    let whole = solved(1, &deals, &AskedTricks::All);
    let again = solved(3, &deals, &AskedTricks::All);
    assert_eq!(whole, again);
    let wanted: Vec<(Seat, Strain)> = Seat::ALL
        .into_iter()
        .flat_map(|seat| Strain::ALL.map(|strain| (seat, strain)))
        .collect();
    for few in wanted.chunks(10) {
        let single = solved(2, &deals, &AskedTricks::Some(few.to_vec()));
        for (single, whole) in single.iter().zip(&whole) {
            for &(seat, strain) in &wanted {
                let expected = match few.contains(&(seat, strain)) {
                    true => whole.tricks(seat, strain),
                    false => 0,
                };
                assert_eq!(single.tricks(seat, strain), expected);
            }
        }
    }
    assert_eq!(solved(2, &[], &AskedTricks::All), []);
    let mut alone = Solver::new();
    for (deal, table) in deals.iter().zip(whole) {
        assert_eq!(alone.table(deal, &AskedTricks::All), table);
    }
}

/// An observer that asks to stop.
struct Stopping;

impl Observer for Stopping {
    fn stage(&self, stage: Stage, of: Option<u64>) -> Box<dyn StageProgress> {
        Silent.stage(stage, of)
    }

    fn warn(&self, _: &str) {}

    fn note(&self, _: &str) {}

    fn is_stop_asked(&self) -> bool {
        true
    }
}

#[test]
fn a_team_that_was_stopped_solves_other_deals() {
    let (one, other) = (deals(7, 3), deals(8, 1));
    let mut team = SolverTeam::new(2).unwrap();
    assert_eq!(team.solve(&one, &AskedTricks::All, &Stopping), None);
    let found = team.solve(&other, &AskedTricks::All, &Silent).unwrap();
    assert_eq!(found, solved(1, &other, &AskedTricks::All));
}

#[test]
fn boards_of_a_condition_on_tricks_are_those_of_a_slow_search() {
    let folder = folder();
    let condition = "spades(south) >= 5 && tricks(south, spades) >= 9 && hcp(north) >= 8";
    let deal = [
        "deal",
        "--where",
        condition,
        "-n",
        "3",
        "--seed",
        "3",
        "--sampler",
        "auto",
    ];
    let found: Vec<Deal> = printed(folder.path(), &deal[..7])
        .lines()
        .map(|line| line.parse().unwrap())
        .collect();
    let without = "spades(south) >= 5 && hcp(north) >= 8";
    let script = Script::parse("test", without).unwrap();
    let asked = AskedTricks::Some(vec![(Seat::South, SPADES)]);
    let every = ["deal", "--where", without, "-n", "60", "--seed", "3"];
    let slow: Vec<Deal> = printed(folder.path(), &every)
        .lines()
        .map(|line| line.parse::<Deal>().unwrap())
        .filter(|deal| {
            assert!(script.condition.expression().holds(deal).unwrap());
            solved(1, &[*deal], &asked)[0].tricks(Seat::South, SPADES) >= 9
        })
        .take(3)
        .collect();
    assert_eq!(found, slow);
}

#[test]
fn deals_of_files_are_solved_where_the_file_has_no_tricks() {
    deals_of_files_are_solved(6, 2);
}

/// One thread solves eight together.
#[test]
#[ignore = "long: 26 deals"]
fn more_deals_of_files_than_are_solved_together_are_solved() {
    deals_of_files_are_solved(26, 9);
}

/// Solves those of `count` deals that satisfy a condition, at least `least`, and then the first of
/// them.
fn deals_of_files_are_solved(count: usize, least: usize) {
    let folder = folder();
    let deals = deals(5, count);
    let lines: String = deals.iter().map(|deal| format!("{deal}\n")).collect();
    fs::write(folder.path().join("deals.txt"), lines).unwrap();
    let zrd = |arguments: &[&str]| {
        let usual = ["deal", "--format", "zrd"];
        let mut command = program(folder.path(), &[&usual[..], arguments].concat());
        let done = command.env("RAYON_NUM_THREADS", "1").output().unwrap();
        assert_eq!(code(&done), 0, "{}", stderr(&done));
        done.stdout
    };
    let condition = "hcp(north) >= 12";
    let points = |deal: &Deal| deal.hand(Seat::North).hcp();
    let kept: Vec<Deal> = deals
        .into_iter()
        .filter(|deal| points(deal) >= 12)
        .collect();
    assert!(kept.len() >= least);
    let tables = solved(2, &kept, &AskedTricks::All);
    let all = ["--where", condition, "--from", "deals.txt", "--solve"];
    let solved = zrd(&all);
    assert_eq!(solved.len(), 23 * kept.len());
    for (record, table) in solved.chunks(23).zip(&tables) {
        assert_eq!(record[13..], table.bytes());
    }
    let first = zrd(&[&all[..], &["-n", "1"]].concat());
    assert_eq!(first, solved[..23]);
    // The tricks of this file are made up.
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/solved/first.pbn");
    let from = ["unconstrained", "--from", library.to_str().unwrap()];
    assert_eq!(zrd(&[&from[..], &["--solve"]].concat()), zrd(&from));
}

#[test]
fn solved_boards_carry_their_tables() {
    let folder = folder();
    let deal = ["deal", "unconstrained", "-n", "2", "--seed", "9", "--solve"];
    let pbn = printed(folder.path(), &[&deal[..], &["--format", "pbn"]].concat());
    fs::write(folder.path().join("boards.pbn"), &pbn).unwrap();
    assert_eq!(pbn.matches("[OptimumResultTable").count(), 2);
    let zrd = fairdeal(folder.path(), &[&deal[..], &["--format", "zrd"]].concat());
    assert_eq!(zrd.stdout.len(), 2 * 23);
    let tables = solved(1, &deals(9, 2), &AskedTricks::All);
    let bytes: Vec<&[u8]> = zrd.stdout.chunks(23).map(|deal| &deal[13..]).collect();
    for (bytes, table) in bytes.iter().zip(&tables) {
        assert_eq!(*bytes, table.bytes());
    }
    // The PBN has the same tables: read again and written as zrd.
    let again = [
        "deal",
        "--from",
        "boards.pbn",
        "--where",
        "1",
        "--format",
        "zrd",
    ];
    assert_eq!(fairdeal(folder.path(), &again).stdout, zrd.stdout);
    // With tricks for one declarer only, no table is complete.
    let few = [
        "deal",
        "--where",
        "tricks(south, notrump) >= 7",
        "-n",
        "2",
        "--seed",
        "9",
    ];
    let few = printed(folder.path(), &[&few[..], &["--format", "pbn"]].concat());
    assert!(!few.contains("OptimumResultTable"));
}

const SCRIPT: &str = "produce 4
condition hcp(south) >= 15 && dds(south, notrump) >= 8
action average \"tricks\" tricks(south, notrump), frequency \"par\" (par(NS, both), -500, 700),
  evalcontract(NS, z3N, vul), csvrpt(deal, trix(south), parcontract(ns))
";

#[test]
fn a_stopped_run_goes_on_to_the_same_files() {
    let folder = folder();
    let path = folder.path();
    let script = SCRIPT.replace("produce 4", "produce 2");
    fs::write(path.join("script.dl"), &script).unwrap();
    let run = ["solve", "script.dl", "--seed", "5"];
    let whole = printed(path, &[&run[..], &["--out", "whole"]].concat());
    assert!(whole.starts_with("DONE"), "{whole}");
    let files = [
        "deals.zrd",
        "averages.csv",
        "frequencies.csv",
        "tricks.csv",
        "csvrpt.csv",
    ];
    let read = |name: &str, file: &str| fs::read(path.join(name).join(file)).unwrap();
    // Cut off within a deal, as a kill may leave it.
    fs::create_dir(path.join("cut")).unwrap();
    let zrd = read("whole", "deals.zrd");
    let half = zrd.len() / 23 / 2 * 23 + 7;
    for (kept, name) in [(0, "a"), (half, "b"), (zrd.len(), "c")] {
        fs::create_dir(path.join(name)).unwrap();
        fs::write(path.join(name).join("deals.zrd"), &zrd[..kept]).unwrap();
        let record = String::from_utf8(read("whole", "solved.json")).unwrap();
        let record = record.replace("\"stopped\": null", "\"stopped\": \"interrupted\"");
        fs::write(path.join(name).join("solved.json"), record).unwrap();
        let kept_out = fairdeal(path, &[&run[..], &["--out", name]].concat());
        assert_eq!(code(&kept_out), 64, "{}", stderr(&kept_out));
        let resume = ["solve", "script.dl", "--resume", "--out", name];
        printed(path, &resume);
        for file in files {
            assert_eq!(read("whole", file), read(name, file), "{name} {file}");
        }
    }
    // A time limit stops it before the end.
    let short = printed(
        path,
        &[&run[..], &["--out", "short", "--for", "1ms"]].concat(),
    );
    assert!(short.starts_with("STOPPED"), "{short}");
    printed(path, "solve script.dl --resume --out short");
    assert_eq!(read("whole", "deals.zrd"), read("short", "deals.zrd"));
    // Another script is another run.
    fs::write(path.join("script.dl"), script.replace("15", "16")).unwrap();
    let other = fairdeal(path, "solve script.dl --resume --out a");
    assert_eq!(code(&other), 64, "{}", stderr(&other));
}

#[test]
fn a_run_answers_as_the_library_of_its_deals() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("script.dl"), SCRIPT).unwrap();
    let run = [
        "solve",
        "script.dl",
        "--seed",
        "6",
        "--json",
        "--out",
        "run",
    ];
    let solved: serde_json::Value = serde_json::from_str(&printed(path, &run)).unwrap();
    assert_eq!(solved["kept"], 4);
    let ask = ["run", "script.dl", "--from", "run/deals.zrd", "--json"];
    let asked: serde_json::Value = serde_json::from_str(&printed(path, &ask)).unwrap();
    assert_eq!(asked["kept"], 4);
    for table in ["averages", "frequencies"] {
        assert_eq!(solved[table], asked[table]);
        assert!(
            solved[table]
                .as_array()
                .is_some_and(|rows| !rows.is_empty())
        );
    }
    // dealer's output has the same average.
    let as_dealer = ["deal", "script.dl", "--seed", "6", "--dealer-output"];
    let output = printed(path, &as_dealer);
    let mean = solved["averages"][0]["mean"].as_f64().unwrap();
    assert!(
        output.contains(
            &format!("tricks: {mean:.6}")
                .trim_end_matches('0')
                .to_owned()[..10]
        ),
        "{output}"
    );
}

#[test]
fn a_run_for_few_tricks_keeps_no_library() {
    let folder = folder();
    let path = folder.path();
    let text = "produce 2 action average \"t\" tricks(west, hearts)";
    fs::write(path.join("few.dl"), text).unwrap();
    printed(path, "solve few.dl --seed 1 --out few");
    assert!(path.join("few/deals.partly-solved").exists());
    assert!(!path.join("few/tricks.csv").exists());
    printed(path, "solve few.dl --seed 1 --out all --all");
    assert_eq!(fs::read(path.join("all/deals.zrd")).unwrap().len(), 2 * 23);
    let averages = |name: &str| fs::read(path.join(name).join("averages.csv")).unwrap();
    assert_eq!(averages("few"), averages("all"));
}

#[test]
fn predealt_cards_and_cells_go_with_tricks() {
    let folder = folder();
    let path = folder.path();
    let script = "predeal south SAKQ condition hcp(south) > 15 && hcp(north) < 9 \
                  action average \"t\" tricks(south, spades)";
    let run = [
        "solve", "--where", script, "--deals", "4", "--seed", "1", "--out",
    ];
    printed(path, &[&run[..], &["auto"]].concat());
    printed(path, &[&run[..], &["cells", "--sampler", "cells"]].concat());
    for name in ["auto", "cells"] {
        assert!(path.join(name).join("averages.csv").exists());
    }
}

#[test]
fn a_search_among_solved_deals_gives_up() {
    let folder = folder();
    let never = [
        "deal",
        "--where",
        "par(NS) + par(EW) != 0",
        "-n",
        "1",
        "--seed",
        "4",
    ];
    let gave_up = fairdeal(folder.path(), &[&never[..], &["--max-tries", "3"]].concat());
    assert_eq!(code(&gave_up), 5, "{}", stderr(&gave_up));
    assert!(
        stderr(&gave_up).contains("gave up after 3 tries"),
        "{}",
        stderr(&gave_up)
    );
}

#[test]
fn what_is_not_solved_for_is_refused() {
    let folder = folder();
    let path = folder.path();
    let text = "produce 3 action average \"t\" tricks(west, hearts)";
    fs::write(path.join("few.dl"), text).unwrap();
    printed(path, "solve few.dl --seed 1 --out few");
    let ask = [
        "run",
        "--where",
        "tricks(east, clubs) > 1",
        "--from",
        "few/deals.partly-solved",
    ];
    let refused = fairdeal(path, &ask);
    assert_eq!(code(&refused), 65);
    assert!(
        stderr(&refused).contains("solve it again with --all"),
        "{}",
        stderr(&refused)
    );
    // Deals that were lost are solved again, with a warning.
    fs::remove_file(path.join("few/deals.partly-solved")).unwrap();
    let again = fairdeal(path, "solve few.dl --resume --out few");
    assert!(
        stderr(&again).contains("0 of the 3 deals that were solved"),
        "{}",
        stderr(&again)
    );
}
