//! The program's commands: output, files and exit codes.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::common::{
    SHORT_LISTED_RUN, SHORT_RUN, code, complaint, fairdeal, fed, folder, program, rows, start,
    stderr, stdout,
};

const TABLES: [(&str, usize); 7] = [
    ("patterns.csv", 4 * 560),
    ("shapes.csv", 4 * 39),
    ("suit_lengths.csv", 4 * 4 * 14),
    ("fits.csv", 2 * 4 * 14),
    ("hcp.csv", 4 * 38),
    ("side_hcp.csv", 2 * 41),
    ("cards.csv", 4 * 52),
];

/// The sum of a table's observed counts.
fn observed(path: &Path) -> (usize, u64) {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let column = reader
        .headers()
        .unwrap()
        .iter()
        .position(|name| name == "observed")
        .unwrap();
    let counts: Vec<u64> = reader
        .records()
        .map(|row| row.unwrap()[column].parse().unwrap())
        .collect();
    (counts.len(), counts.iter().sum())
}

#[test]
fn a_run_writes_every_table_whole_and_says_what_it_was() {
    let folder = folder();
    let run = [
        "run",
        "flannery-misfit",
        "--target=1",
        "--deals",
        "200K",
        "--seed",
        "0xfa1",
        "--threads",
        "2",
        "--verbose",
    ];
    let done = fairdeal(folder.path(), &run);
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    let printed = stdout(&done);
    for part in [
        "PASS  flannery-misfit · 200,000 deals in ",
        " · seed 0xfa1",
        "1 deal in ",
        "Checked   ",
        "Score     S = ",
        "Bounds    any card at any seat",
        "Detects   ",
        "Sampler   cells, 414 cells (south,north), T = 9,855,685,017,720,615,528",
    ] {
        assert!(printed.contains(part), "{printed}");
    }
    // Windows separates folders otherwise.
    let page = "Report    reports/runs/flannery-misfit/report.html";
    assert!(printed.replace('\\', "/").contains(page), "{printed}");
    let report = folder.path().join("reports/runs/flannery-misfit");
    for (name, rows) in TABLES {
        // Each deal is in a table once for each seat, side, suit or card it has there.
        let entries = match name {
            "patterns.csv" | "shapes.csv" | "hcp.csv" => 4,
            "suit_lengths.csv" => 16,
            "fits.csv" => 8,
            "side_hcp.csv" => 2,
            _ => 52,
        };
        assert_eq!(
            observed(&report.join(name)),
            (rows, entries * 200_000),
            "{name}"
        );
        let text = fs::read_to_string(report.join(name)).unwrap();
        assert!(
            text.lines().count() == rows + 1 && text.ends_with("\r\n"),
            "{name}"
        );
    }
    let latency = fs::read_to_string(report.join("latency.csv")).unwrap();
    assert!(latency.starts_with("percentile,ns_per_deal\r\n"));
    let record: serde_json::Value =
        serde_json::from_slice(&fs::read(report.join("run.json")).unwrap()).unwrap();
    assert_eq!(record["total"], "9855685017720615528");
    assert_eq!(record["seed"], "0xfa1");
    assert_eq!(
        (&record["verdict"], &record["battery"]),
        (&"PASS".into(), &"standard".into())
    );
    assert_eq!(record["evidence"]["looks"].as_array().unwrap().len(), 5);
    assert_eq!(record["deals"], 200_000);
    assert_eq!(record["generator"], "aes128ctr");
}

#[test]
fn the_same_seed_writes_the_same_tables_with_any_threads_and_from_a_case_file() {
    let folder = folder();
    let build = ["cases", "build", "nine-spades", "-o", "nine.cases"];
    assert_eq!(code(&fairdeal(folder.path(), &build)), 0);
    let ways: [&[&str]; 4] = [
        &["nine-spades", "--sampler", "listing", "--threads", "1"],
        &["nine-spades", "--sampler", "listing", "--threads", "3"],
        &["nine.cases", "--threads", "2"],
        &["nine.cases", "--no-mmap"],
    ];
    for (number, way) in ways.iter().enumerate() {
        let out = format!("out{number}");
        let mut run = vec!["run"];
        run.extend(*way);
        run.extend([
            "--deals=150000",
            "--target=1",
            "--seed",
            "77",
            "--out",
            &out,
            "--quiet",
        ]);
        let done = fairdeal(folder.path(), &run);
        assert_eq!(code(&done), 0, "{}", stderr(&done));
        assert_eq!(stdout(&done), "");
        for (name, _) in TABLES {
            let file = |out: &str| fs::read(folder.path().join(out).join(name)).unwrap();
            assert_eq!(file(&out), file("out0"), "{name}");
        }
    }
}

#[test]
fn a_folder_that_holds_another_run_is_refused_unless_forced() {
    let folder = folder();
    let run = |seed: &str, more: &[&str]| {
        let mut run = vec![
            "run",
            "nine-spades",
            "--target=1",
            "--deals",
            "1000",
            "--seed",
            seed,
            "-q",
            "--out",
            "o",
        ];
        run.extend(more);
        fairdeal(folder.path(), &run)
    };
    assert_eq!(code(&run("1", &[])), 0);
    assert_eq!(
        code(&run("1", &[])),
        0,
        "the same run again is no other run"
    );
    let refused = run("2", &[]);
    assert_eq!(code(&refused), 64);
    assert!(complaint(&refused).contains("holds another report (seed 0x1, not 0x2)"));
    assert_eq!(code(&run("2", &["--force"])), 0);
}

#[test]
fn what_a_killed_build_leaves_is_removed_and_what_is_being_written_is_not() {
    let folder = folder();
    let parts = || {
        let entries = std::fs::read_dir(folder.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".part")).count()
    };
    let mut long = start(
        folder.path(),
        "cases build flat-three-suiter -q -o flat.cases",
    );
    while parts() == 0 {
        assert!(long.try_wait().unwrap().is_none(), "it ended");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let build = ["cases", "build", "nine-spades", "-q", "-o", "nine.cases"];
    assert_eq!(code(&fairdeal(folder.path(), &build)), 0);
    assert_eq!(parts(), 1, "a part that is being written was removed");
    long.kill().unwrap();
    long.wait().unwrap();
    assert_eq!(parts(), 1);
    assert_eq!(code(&fairdeal(folder.path(), &build)), 0);
    assert_eq!(parts(), 0);
    assert!(!folder.path().join("flat.cases").exists());
}

#[test]
fn pruning_leaves_what_is_being_written() {
    let folder = folder();
    let cache = folder.path().join("cache/fairdeal");
    std::fs::create_dir_all(&cache).unwrap();
    for name in [".fairdeal-old.part", ".fairdeal-new.part", "x.cases"] {
        std::fs::write(cache.join(name), b"1234567").unwrap();
    }
    let being_written = std::fs::File::open(cache.join(".fairdeal-new.part")).unwrap();
    being_written.lock().unwrap();
    let said = || {
        let pruned = fairdeal(folder.path(), "cases prune");
        assert_eq!(code(&pruned), 0);
        stdout(&pruned)
    };
    let first = said();
    assert!(
        first.contains("2 case files removed, 14 bytes; 1 being written, kept"),
        "{first}"
    );
    drop(being_written);
    let second = said();
    assert!(
        second.ends_with("1 case files removed, 7 bytes\n"),
        "{second}"
    );
    assert_eq!(std::fs::read_dir(&cache).unwrap().count(), 0);
}

#[test]
fn a_listing_that_was_kept_is_used_again_and_pruned() {
    let folder = folder();
    let run = [&SHORT_LISTED_RUN[..], &["-q"]].concat();
    assert_eq!(code(&fairdeal(folder.path(), &run)), 0);
    let kept = || {
        let files = fs::read_dir(folder.path().join("cache/fairdeal")).unwrap();
        let files = files.map(|file| file.unwrap().path());
        let is_listing = |path: &PathBuf| path.extension().is_some_and(|end| end == "cases");
        files.filter(is_listing).collect::<Vec<_>>()
    };
    let [path] = &kept()[..] else {
        panic!("one file is kept");
    };
    let written = fs::metadata(path).unwrap().modified().unwrap();
    assert_eq!(code(&fairdeal(folder.path(), &run)), 0);
    assert_eq!(fs::metadata(path).unwrap().modified().unwrap(), written);
    // A kept file that was damaged is listed again.
    fs::write(path, b"FDCASES1").unwrap();
    assert_eq!(code(&fairdeal(folder.path(), &run)), 0);
    assert_eq!(fs::metadata(path).unwrap().len(), 6352);
    let pruned = fairdeal(folder.path(), "cases prune");
    assert!(stdout(&pruned).contains("1 case files removed, 6,352 bytes"));
    assert!(kept().is_empty());
}

#[test]
fn bad_case_files_end_with_65_and_one_clear_line() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let build = ["cases", "build", "nine-spades", "-o", "sound.cases", "-q"];
    assert_eq!(code(&fairdeal(folder.path(), &build)), 0);
    let sound = fs::read(at("sound.cases")).unwrap();
    fs::write(at("cut.cases"), &sound[..4500]).unwrap();
    fs::write(at("empty.cases"), b"").unwrap();
    fs::write(at("text.cases"), b"spades(west) == 9\n").unwrap();
    let mut version = sound.clone();
    version[8] = 9;
    fs::write(at("version.cases"), &version).unwrap();
    for (name, said) in [
        ("cut.cases", "truncated"),
        ("empty.cases", "is empty"),
        ("text.cases", "is not a case file"),
        ("version.cases", "format version 9"),
        ("missing.cases", "cannot be read: "),
    ] {
        for command in [
            &["run", name][..],
            &["cases", "verify", name],
            &["cases", "info", name],
        ] {
            let refused = fairdeal(folder.path(), command);
            assert_eq!(code(&refused), 65, "{command:?}");
            let complaint = complaint(&refused);
            assert!(
                complaint.contains(name) && complaint.contains(said),
                "{complaint}"
            );
        }
    }
    let mut flipped = sound.clone();
    flipped[4096 + 100] ^= 4;
    fs::write(at("flipped.cases"), &flipped).unwrap();
    let refused = fairdeal(folder.path(), "cases verify flipped.cases");
    assert_eq!(code(&refused), 65);
    assert!(complaint(&refused).contains("flipped.cases is corrupted: case 7"));
    let sound = fairdeal(folder.path(), "cases verify sound.cases");
    assert_eq!(code(&sound), 0);
    assert!(stdout(&sound).contains("sound. 30 cases, T = 556,991,252,532,000"));
}

#[test]
fn records_that_were_altered_under_a_sound_header_stop_the_run() {
    let folder = folder();
    let build = ["cases", "build", "nine-spades", "-o", "altered.cases", "-q"];
    assert_eq!(code(&fairdeal(folder.path(), &build)), 0);
    let path = folder.path().join("altered.cases");
    let mut altered = fs::read(&path).unwrap();
    altered[4096..4096 + 30 * 16].fill(0xFF);
    fs::write(&path, altered).unwrap();
    let refused = fairdeal(folder.path(), "run altered.cases --deals 1000 -q");
    assert_eq!(code(&refused), 65);
    assert!(complaint(&refused).contains("altered.cases was modified"));
    assert!(!folder.path().join("reports/runs/altered/run.json").exists());
}

#[test]
fn bad_conditions_end_with_65_and_write_nothing() {
    let folder = folder();
    let refuse = |text: &str, said: &str| {
        let arguments = ["run", "--where", text, "--sampler", "listing"];
        let refused = fairdeal(folder.path(), &arguments);
        assert_eq!(code(&refused), 65, "{text}");
        assert!(stderr(&refused).contains(said), "{}", stderr(&refused));
    };
    refuse("hcp(west) >= 38", "no deal satisfies the condition");
    refuse(
        "spades(west) + spades(east) == 14",
        "no deal satisfies the condition",
    );
    refuse(
        "hcp(west) > 1 && hcp(east) > 1 && hcp(north) > 1",
        "a third hand",
    );
    refuse("hcp(wset) > 1", "expected north, east, south or west");
    refuse(
        "hcp(west) >= 0 && spades(west) >= 0 && hcp(east) >= 0",
        "more than the 67108864 allowed",
    );
    assert!(!folder.path().join("reports").exists());
    assert!(!folder.path().join("cache").exists());
}

#[test]
fn an_output_folder_that_cannot_be_written_fails_before_listing_and_drawing() {
    let folder = folder();
    fs::write(folder.path().join("file"), b"").unwrap();
    let run = [
        "run",
        "nine-spades",
        "--target=1",
        "--deals",
        "1T",
        "--out",
        "file/report",
    ];
    let refused = fairdeal(folder.path(), &run);
    assert_eq!(code(&refused), 74);
    assert!(complaint(&refused).contains("file/report cannot be written"));
    assert!(!folder.path().join("cache").exists());
    let build = ["cases", "build", "nine-spades", "-o", "nowhere/x.cases"];
    assert_eq!(code(&fairdeal(folder.path(), &build)), 74);
}

#[test]
fn wrong_usage_ends_with_64_and_help_with_0() {
    let folder = folder();
    for wrong in [
        &["run"][..],
        &["run", "nine-spades", "--where", "1"],
        &["run", "nine-spades", "--deals", "0"],
        &["run", "nine-spades", "--deals", "10001T"],
        &["run", "nine-spades", "--seed", "x"],
        &["run", "nine-spades", "--threads", "0"],
        &["run", "nine-spades", "--order", "north,west"],
        &["deal-me-in"],
        &[],
    ] {
        assert_eq!(code(&fairdeal(folder.path(), wrong)), 64, "{wrong:?}");
    }
    let unknown = fairdeal(folder.path(), "run no-such-scenario");
    assert_eq!(code(&unknown), 65);
    assert!(complaint(&unknown).contains("no scenario or file `no-such-scenario`"));
    let help = fairdeal(folder.path(), "--help");
    assert_eq!(code(&help), 0);
    assert!(stdout(&help).contains("fairdeal run flannery-misfit"));
    let scenarios = stdout(&fairdeal(folder.path(), "scenarios"));
    assert_eq!(scenarios.lines().count(), 10);
    assert!(
        scenarios.starts_with("unconstrained       every deal\n"),
        "{scenarios}"
    );
}

#[test]
fn more_deals_than_a_run_can_have_are_refused_in_one_line() {
    let folder = folder();
    for command in ["run", "deal"] {
        for word in ["generate", "produce"] {
            let script = format!("{word} 10000000000000001 condition spades(west) == 9");
            let done = fairdeal(folder.path(), &[command, "--where", &script]);
            assert_eq!(code(&done), 65, "{command} {script}");
            let expected = format!(
                "--where: {word} 10,000,000,000,000,001: a run has at most \
                 10,000,000,000,000,000 deals"
            );
            assert!(complaint(&done).contains(&expected), "{}", stderr(&done));
        }
    }
}

#[test]
fn conditions_come_from_files_and_standard_input_too() {
    let folder = folder();
    fs::write(folder.path().join("mine.dl"), "spades(west) == 9 # mine\n").unwrap();
    let listed = fairdeal(folder.path(), "cases list mine.dl --rows 15..");
    assert!(
        stdout(&listed).contains("58,809,465"),
        "{}",
        stdout(&listed)
    );
    let run = fairdeal(folder.path(), "run mine.dl --deals 1K -q");
    assert_eq!(code(&run), 0);
    assert!(folder.path().join("reports/runs/mine/run.json").exists());

    let list = "cases list - --format csv";
    let listed = stdout(&fed(folder.path(), list, b"spades(west) == 9"));
    assert_eq!(listed.lines().count(), 16);
    assert_eq!(
        listed.lines().nth(1),
        Some("1,west,9=2=1=1,,,,,9425130,9425130")
    );
}

#[test]
fn a_modified_case_file_is_refused_and_listed_again_in_the_cache() {
    let folder = folder();
    let build = ["cases", "build", "nine-spades", "-o", "sound.cases", "-q"];
    assert_eq!(code(&fairdeal(folder.path(), &build)), 0);
    let sound = fs::read(folder.path().join("sound.cases")).unwrap();
    // One total raised by one: every record can still be decoded.
    let mut altered = sound.clone();
    altered[4096] ^= 1;
    fs::write(folder.path().join("altered.cases"), &altered).unwrap();
    for command in [
        &["run", "altered.cases", "--deals", "1000"][..],
        &["run", "altered.cases", "--deals", "1000", "--no-mmap"],
        &["theory", "altered.cases"],
        &["cases", "list", "altered.cases"],
    ] {
        let refused = fairdeal(folder.path(), command);
        assert_eq!(code(&refused), 65, "{command:?}");
        let line = complaint(&refused);
        let wanted = "altered.cases was modified after it was written: its checksum does not match";
        assert!(line.contains(wanted), "{line}");
    }
    let other = ["cases", "build", "east-5332-34", "-o", "other.cases", "-q"];
    assert_eq!(code(&fairdeal(folder.path(), &other)), 0);
    let other = fs::read(folder.path().join("other.cases")).unwrap();
    let run = [&SHORT_LISTED_RUN[..], &["--force"]].concat();
    assert_eq!(code(&fairdeal(folder.path(), &run)), 0);
    let kept = fs::read_dir(folder.path().join("cache/fairdeal")).unwrap();
    let mut kept = kept.map(|entry| entry.unwrap().path());
    let kept = kept.find(|path| path.extension().is_some_and(|end| end == "cases"));
    let kept = kept.unwrap();
    for (bytes, wrong) in [
        (&altered, "its checksum does not match"),
        (&other, "is the listing of a different condition"),
    ] {
        fs::write(&kept, bytes).unwrap();
        let run = fairdeal(folder.path(), &run);
        assert_eq!(code(&run), 0);
        let warning = stderr(&run);
        assert!(warning.contains(wrong), "{warning}");
        assert!(warning.contains("listing the condition again"), "{warning}");
        assert_eq!(fs::read(&kept).unwrap(), sound);
    }
}

#[test]
fn a_report_stays_until_the_next_one_is_made() {
    let folder = folder();
    let run = [&SHORT_RUN[..], &["-q", "--out", "kept"]].concat();
    assert_eq!(code(&fairdeal(folder.path(), &run)), 0);
    let before = fs::read(folder.path().join("kept/run.json")).unwrap();
    fs::write(folder.path().join("words"), [0; 800]).unwrap();
    let another = [
        "run",
        "nine-spades",
        "--target=1",
        "--deals",
        "1000",
        "--rng",
        "file:words",
    ];
    let another = [&another[..], &["--force", "--out", "kept"]].concat();
    let failed = fairdeal(folder.path(), &another);
    assert_eq!(code(&failed), 65);
    assert!(complaint(&failed).contains("not enough random words"));
    assert_eq!(
        fs::read(folder.path().join("kept/run.json")).unwrap(),
        before
    );
    assert_eq!(observed(&folder.path().join("kept/hcp.csv")).1, 4_000);
}

#[test]
fn a_cache_that_cannot_be_written_is_a_warning() {
    let folder = folder();
    let run = [&SHORT_LISTED_RUN[..], &["--out", "o", "--force"]].concat();
    assert_eq!(code(&fairdeal(folder.path(), &run)), 0);
    let hcp = folder.path().join("o/hcp.csv");
    let before = fs::read(&hcp).unwrap();
    fs::remove_dir_all(folder.path().join("cache")).unwrap();
    fs::write(folder.path().join("cache"), b"no folder").unwrap();
    let again = fairdeal(folder.path(), &run);
    assert_eq!(code(&again), 0, "{}", stderr(&again));
    let warning = stderr(&again);
    assert_eq!(warning.lines().count(), 1, "{warning}");
    assert!(
        warning.contains("set FAIRDEAL_CACHE") && warning.contains("listed in memory"),
        "{warning}"
    );
    assert_eq!(fs::read(&hcp).unwrap(), before);
    let boards = fairdeal(folder.path(), "deal nine-spades -n 1 --seed 1");
    assert_eq!(code(&boards), 0);
    assert_eq!(stdout(&boards).lines().count(), 1);
}

#[test]
fn files_of_other_origin_are_not_replaced() {
    let folder = folder();
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/cards.csv"), b"my own").unwrap();
    let mut run = vec![
        "run",
        "unconstrained",
        "--target=1",
        "--deals",
        "1000",
        "-q",
        "--out",
        "mine",
    ];
    let refused = fairdeal(folder.path(), &run);
    assert_eq!(code(&refused), 64);
    assert!(complaint(&refused).contains("a cards.csv without a run.json"));
    assert_eq!(
        fs::read(folder.path().join("mine/cards.csv")).unwrap(),
        b"my own"
    );
    run.push("--force");
    assert_eq!(code(&fairdeal(folder.path(), &run)), 0);
    let theory = fairdeal(folder.path(), "theory unconstrained --out mine");
    assert_eq!(code(&theory), 64);
    assert!(complaint(&theory).contains("holds another report (the counts of a run)"));

    // Theory has the same rule, and leaves nothing of earlier tables.
    fs::create_dir(folder.path().join("laws")).unwrap();
    fs::write(folder.path().join("laws/aces.csv"), b"my own").unwrap();
    let refused = fairdeal(folder.path(), "theory unconstrained --out laws");
    assert_eq!(code(&refused), 64);
    assert!(complaint(&refused).contains("a aces.csv without a theory.json"));
    let forced = ["theory", "unconstrained", "--out", "laws", "--force"];
    assert_eq!(code(&fairdeal(folder.path(), &forced)), 0);
    assert!(folder.path().join("laws/flatness.csv").exists());
    let same = ["theory", "unconstrained", "--out", "laws", "-q"];
    assert_eq!(code(&fairdeal(folder.path(), &same)), 0);
    let mut other = vec!["theory", "nine-spades", "--out", "laws", "-q"];
    let refused = fairdeal(folder.path(), &other);
    assert_eq!(code(&refused), 64);
    assert!(complaint(&refused).contains("(the theory of a different condition)"));
    assert!(folder.path().join("laws/flatness.csv").exists());
    other.push("--force");
    assert_eq!(code(&fairdeal(folder.path(), &other)), 0);
    assert!(!folder.path().join("laws/flatness.csv").exists());

    fs::create_dir(folder.path().join("folder.cases")).unwrap();
    let build = ["cases", "build", "nine-spades", "-o", "folder.cases"];
    let refused = fairdeal(folder.path(), &build);
    assert_eq!(code(&refused), 74);
    assert!(complaint(&refused).contains("not a regular file"));
}

#[test]
fn a_cause_is_said_once() {
    let folder = folder();
    for command in [
        &["cases", "info", "missing.cases"][..],
        &["cases", "build", "nine-spades", "-o", "missing/x.cases"],
        &["run", "missing.cases"],
    ] {
        let complaint = complaint(&fairdeal(folder.path(), command));
        assert_eq!(complaint.matches("(os error ").count(), 1, "{complaint}");
        assert!(!complaint.contains(".part"), "{complaint}");
    }
}

#[test]
fn a_case_file_is_built_again_in_its_own_order() {
    let folder = folder();
    let build = [
        "cases",
        "build",
        "nine-spades",
        "-o",
        "a.cases",
        "--order",
        "east,west",
        "-q",
    ];
    assert_eq!(code(&fairdeal(folder.path(), &build)), 0);
    let again = ["cases", "build", "a.cases", "-o", "b.cases", "-q"];
    assert_eq!(code(&fairdeal(folder.path(), &again)), 0);
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(bytes("a.cases"), bytes("b.cases"));
    assert_ne!(bytes("a.cases")[52..54], [3, 1]);
}

#[test]
fn a_file_is_replaced_only_by_the_same_cases_or_with_force() {
    let folder = folder();
    let path = folder.path().join("x.cases");
    let build = |scenario: &str, more: &[&str]| {
        let all = ["cases", "build", scenario, "-o", "x.cases", "-q"];
        fairdeal(folder.path(), &[&all[..], more].concat())
    };
    fs::write(&path, b"my own").unwrap();
    let refused = build("nine-spades", &[]);
    assert_eq!(code(&refused), 64);
    assert_eq!(
        complaint(&refused),
        "error: x.cases is a file that is not a case file: choose another file with --out, or \
         overwrite it with --force\n"
    );
    assert_eq!(fs::read(&path).unwrap(), b"my own");
    assert_eq!(code(&build("nine-spades", &["--force"])), 0);
    let nine = fs::read(&path).unwrap();
    assert_eq!(code(&build("nine-spades", &[])), 0);
    let refused = build("club-length", &["--from-cells"]);
    assert_eq!(code(&refused), 64);
    assert!(complaint(&refused).contains("x.cases is the case file of a different condition"));
    let refused = build("nine-spades", &["--order", "east,west"]);
    assert_eq!(code(&refused), 64);
    assert!(complaint(&refused).contains("the same condition in a different order"));
    assert_eq!(fs::read(&path).unwrap(), nine);
}

#[test]
fn an_empty_condition_is_refused() {
    let folder = folder();
    fs::write(folder.path().join("empty.dl"), b"\n").unwrap();
    let refused = fairdeal(folder.path(), "run empty.dl");
    assert_eq!(code(&refused), 65);
    assert!(complaint(&refused).contains("no condition in empty.dl"));
}

#[test]
fn theory_is_printed_or_written_with_exact_fractions() {
    let folder = folder();
    let printed = stdout(&fairdeal(folder.path(), "theory nine-spades"));
    assert!(
        printed.starts_with("Probability  1.08e-7 (1 in 9,260,200)\n"),
        "{printed}"
    );
    assert!(printed.contains("\nFraction  2090808005/19361299901576766\n"));
    assert!(
        printed.contains("\nmean           10.000        10.000        10.000\n"),
        "{printed}"
    );
    assert!(printed.contains("\nShape      north, south          east          west\n"));
    let exact = stdout(&fairdeal(folder.path(), "theory nine-spades --exact"));
    assert!(exact.contains("40.24570024570025 %"), "{exact}");
    assert!(exact.contains("10.000000000000\n"), "{exact}");
    let done = fairdeal(folder.path(), "theory nine-spades --out exact");
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    let lengths = fs::read_to_string(folder.path().join("exact/suit_lengths.csv")).unwrap();
    let two = "north,spades,2,0.40245700245700244,819/2035\r\n";
    assert!(
        lengths.starts_with("seat,suit,length,probability,fraction\r\n"),
        "{lengths}"
    );
    assert!(lengths.contains(two));
    for (name, rows) in TABLES
        .into_iter()
        .chain([("aces.csv", 20), ("controls.csv", 52)])
    {
        let text = fs::read_to_string(folder.path().join("exact").join(name)).unwrap();
        assert_eq!(text.lines().count(), rows + 1, "{name}");
    }
    let done = fairdeal(folder.path(), "theory unconstrained --out every");
    assert_eq!(code(&done), 0);
    let joint = fs::read_to_string(folder.path().join("every/joint_shapes.csv")).unwrap();
    assert_eq!(joint.lines().count(), 39 * 39 + 1);
}

#[test]
fn a_run_lays_the_exact_expectation_beside_every_count() {
    let folder = folder();
    let run = [
        "run",
        "north-2-south-0-1",
        "--target=1",
        "--deals",
        "50K",
        "--seed",
        "3",
        "-q",
        "--out",
        "out",
    ];
    assert_eq!(code(&fairdeal(folder.path(), &run)), 0);
    for (name, _) in TABLES {
        let mut reader = csv::Reader::from_path(folder.path().join("out").join(name)).unwrap();
        let columns = reader.headers().unwrap().clone();
        let at = |name: &str| columns.iter().position(|column| column == name).unwrap();
        let (observed, expected, z) = (at("observed"), at("expected"), at("z"));
        let mut sum = 0.0;
        for row in reader.records() {
            let row = row.unwrap();
            let (o, e): (f64, f64) = (
                row[observed].parse().unwrap(),
                row[expected].parse().unwrap(),
            );
            sum += e;
            if row[z].is_empty() {
                assert!(o == e, "{name}: {row:?}");
            } else if e > 50.0 {
                assert!(
                    row[z].parse::<f64>().unwrap().abs() < 6.0,
                    "{name}: {row:?}"
                );
            }
        }
        assert!(
            (sum / 50_000.0).fract() < 1e-6 || (sum / 50_000.0).fract() > 1.0 - 1e-6,
            "{name}"
        );
    }
}

#[test]
fn every_generator_deals_and_is_on_record() {
    let folder = folder();
    let mut tables = Vec::new();
    for rng in ["aes128ctr", "chacha8", "philox4x32", "xoshiro256++"] {
        let out = format!("out-{rng}");
        let arguments = [
            "run",
            "nine-spades",
            "--target=1",
            "--deals",
            "20000",
            "--seed",
            "3",
        ];
        let output = fairdeal(
            folder.path(),
            &[&arguments[..], &["--rng", rng, "--out", &out]].concat(),
        );
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let record = fs::read_to_string(folder.path().join(&out).join("run.json")).unwrap();
        assert!(
            record.contains(&format!("\"generator\": \"{rng}\"")),
            "{record}"
        );
        tables.push(fs::read(folder.path().join(&out).join("cards.csv")).unwrap());
    }
    tables.dedup();
    assert_eq!(tables.len(), 4);
}

#[test]
fn raw_words_are_dealt_from_until_they_end() {
    let folder = folder();
    let words = |step: &dyn Fn(u64) -> u64| -> Vec<u8> {
        let states = (0..100_000u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        states.flat_map(|state| step(state).to_le_bytes()).collect()
    };
    // SplitMix64, and its state alone.
    let mixed = words(&|word| {
        let word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ word >> 31
    });
    fs::write(folder.path().join("words"), mixed).unwrap();
    fs::write(folder.path().join("steps"), words(&|word| word)).unwrap();
    let run = |arguments: &[&str]| {
        let given = ["run", "unconstrained", "--target=1", "--rng", "file:words"];
        fairdeal(folder.path(), &[&given[..], arguments].concat())
    };
    let done = run(&["--deals", "10000", "--out", "a"]);
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    assert!(stdout(&done).contains("file:words"), "{}", stdout(&done));
    let again = run(&["--deals", "10000", "--out", "b", "--threads", "2"]);
    assert_eq!(code(&again), 0);
    let table = |out: &str| fs::read(folder.path().join(out).join("patterns.csv")).unwrap();
    assert_eq!(table("a"), table("b"));
    let steps = [
        "run",
        "unconstrained",
        "--target=1",
        "--rng",
        "file:steps",
        "--deals",
        "10000",
    ];
    assert_eq!(code(&fairdeal(folder.path(), &steps)), 2);
    // The words may have been others: the report stays.
    let refused = run(&["--deals", "10000", "--out", "a"]);
    assert_eq!(code(&refused), 64);

    let ended = run(&["--deals", "1M", "--out", "c"]);
    assert_eq!(code(&ended), 65);
    assert!(complaint(&ended).contains("file:words ended after"));
    assert!(!folder.path().join("c/run.json").exists());
    assert_eq!(code(&run(&["--seed", "1"])), 64);
    // Words that are always rejected are told from a damaged case file.
    fs::write(folder.path().join("zeros"), vec![0; 1 << 20]).unwrap();
    for input in ["unconstrained", "nine-spades", "north-3-hcp"] {
        let zeros = [
            "run",
            input,
            "--rng",
            "file:zeros",
            "--deals",
            "100",
            "--out",
            "z",
        ];
        let zeros = fairdeal(folder.path(), &zeros);
        assert_eq!(code(&zeros), 65, "{input}");
        assert!(
            complaint(&zeros).contains("the words are not random"),
            "{}",
            stderr(&zeros)
        );
    }
    let missing = ["run", "unconstrained", "--rng", "file:nowhere"];
    let missing = fairdeal(folder.path(), &missing);
    assert_eq!(code(&missing), 65);
    assert!(complaint(&missing).contains("nowhere"));
    let unknown = fairdeal(folder.path(), "run unconstrained --rng mt19937");
    assert_eq!(code(&unknown), 64);
    assert!(stderr(&unknown).contains("philox4x32"));
    let both = fairdeal(folder.path(), "run - --rng stdin");
    assert_eq!(code(&both), 64);
}

#[test]
fn deals_are_printed_in_random_order_and_again_for_the_same_seed() {
    let folder = folder();
    let deal = |arguments: &[&str]| fairdeal(folder.path(), &[&["deal"], arguments].concat());
    let first = deal(&["flannery-misfit", "-n", "200", "--seed", "7"]);
    assert_eq!(code(&first), 0, "{}", stderr(&first));
    let lines: Vec<String> = stdout(&first).lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 200);
    for line in &lines {
        // South, third from north: four spades, five hearts.
        let south = line.strip_prefix("N:").unwrap().split(' ').nth(2).unwrap();
        let lengths: Vec<usize> = south.split('.').map(str::len).collect();
        assert_eq!(lengths[..2], [4, 5], "{line}");
    }
    assert!(!lines.is_sorted());
    assert_eq!(
        stdout(&deal(&["flannery-misfit", "-n", "200", "--seed", "7"])),
        stdout(&first)
    );
    let any = deal(&["unconstrained"]);
    assert_eq!(stdout(&any).lines().count(), 10);
    assert!(stderr(&any).starts_with("seed 0x"));
}

#[test]
fn the_first_boards_of_a_seed_are_the_same_for_any_number_by_every_sampler() {
    let folder = folder();
    let script = "hcp(north) >= 15 && shape(north, any 4333)";
    let filtered = "hcp(north) >= 15 && top3(north, spades) == 2 && hascard(east, C2)";
    let predealt = "predeal north SAKQ\nhcp(north) >= 15";
    fs::write(folder.path().join("predealt.dl"), predealt).unwrap();
    let populations: [&[&str]; 9] = [
        &["unconstrained"],
        &["nine-spades"],
        &["predealt.dl"],
        &["--where", script, "--sampler", "listing"],
        &["--where", script, "--sampler", "cells"],
        &["--where", script, "--sampler", "rejection"],
        &["--where", filtered, "--sampler", "cells"],
        &["--where", filtered, "--sampler", "numbers"],
        &["--where", filtered, "--sampler", "rejection"],
    ];
    for population in populations {
        let deal = |count: u32| {
            let count = count.to_string();
            let options: &[&str] = &["--seed", "1", "-n", &count];
            let output = fairdeal(folder.path(), &[&["deal"], population, options].concat());
            assert_eq!(code(&output), 0, "{population:?} {}", stderr(&output));
            stdout(&output)
        };
        let most = deal(5_000);
        for count in [1, 36, 127, 128, 129, 4_097] {
            let first = deal(count);
            assert_eq!(first.lines().count() as u32, count, "{population:?}");
            assert!(most.starts_with(&first), "{count} of {population:?}");
        }
    }
}

#[test]
fn reports_of_one_name_go_beside_each_other() {
    let folder = folder();
    let here = folder.path();
    for name in ["a", "b"] {
        fs::create_dir(here.join(name)).unwrap();
    }
    let scripts = ["a/x.dl", "b/x.dl", "Descr.1c", "Descr.2nt"];
    for (place, script) in scripts.iter().enumerate() {
        fs::write(here.join(script), format!("hcp(north) == {place}\n")).unwrap();
    }
    let run = |script: &str, more: &[&str]| {
        let run = ["run", script, "--deals", "1000", "--json"];
        let done = fairdeal(here, &[&run[..], more].concat());
        assert_eq!(code(&done), 0, "{}", stderr(&done));
        let record: serde_json::Value = serde_json::from_str(&stdout(&done)).unwrap();
        record["condition"].as_str().unwrap().to_owned()
    };
    let condition = |report: &str| {
        let record = fs::read(here.join("reports/runs").join(report).join("run.json")).unwrap();
        let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
        record["condition"].as_str().unwrap().to_owned()
    };
    for script in scripts {
        run(script, &["--seed", "1"]);
    }
    for (report, place) in [("x", 0), ("x-2", 1), ("Descr.1c", 2), ("Descr.2nt", 3)] {
        assert!(
            condition(report).contains(&format!("== {place}")),
            "{report}"
        );
    }
    // The same run again replaces its report, and another goes beside it.
    run("a/x.dl", &["--seed", "1"]);
    assert!(!here.join("reports/runs/x-3").exists());
    run("a/x.dl", &["--seed", "2"]);
    assert!(condition("x-3").contains("== 0"));
    run("b/x.dl", &["--seed", "3", "--force"]);
    assert!(condition("x").contains("== 1") && !here.join("reports/runs/x-4").exists());
    // A folder that is named is refused.
    let run = [
        "run",
        "a/x.dl",
        "--deals",
        "1000",
        "--seed",
        "4",
        "--out",
        "reports/runs/x",
    ];
    let refused = fairdeal(here, &run);
    assert_eq!(code(&refused), 64);
    assert!(complaint(&refused).contains("reports/runs/x holds another report ("));
}

#[test]
fn a_bench_prints_ratios_and_writes_csv() {
    let folder = folder();
    let bench = [
        "bench",
        "--deals",
        "20000",
        "--rounds",
        "1",
        "--threads",
        "2",
        "--csv",
        "b.csv",
    ];
    let output = fairdeal(folder.path(), &bench);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("naive"), "{}", stdout(&output));
    let mut reader = csv::Reader::from_path(folder.path().join("b.csv")).unwrap();
    let programs: Vec<String> = reader
        .records()
        .map(|row| row.unwrap()[0].to_owned())
        .collect();
    assert_eq!(programs, ["naive", "naive", "fairdeal", "fairdeal"]);
}

#[test]
fn any_path_that_is_forced_gives_the_same_tables() {
    let folder = folder();
    let tables = |path: &str| {
        let run = format!("run unconstrained --deals 30000 --seed 5 --target 1 --out {path}");
        let mut run = program(folder.path(), &run);
        let output = run.env("FAIRDEAL_PATH", path).output().unwrap();
        assert_eq!(code(&output), 0);
        fs::read(folder.path().join(path).join("cards.csv")).unwrap()
    };
    let plain = tables("portable");
    for path in fairdeal::draw::Isa::available() {
        assert_eq!(tables(path.name()), plain, "{path}");
    }
    let mut unknown = program(folder.path(), "scenarios");
    let unknown = unknown.env("FAIRDEAL_PATH", "sse9").output().unwrap();
    assert_eq!(code(&unknown), 64);
    assert!(complaint(&unknown).contains("portable"));
}

#[test]
fn verdicts_are_exit_codes_and_every_test_has_its_row() {
    let folder = folder();
    let run = |arguments: &[&str]| {
        let given = [
            "run", "--seed", "3", "--deals", "40000", "--force", "--out", "r",
        ];
        fairdeal(folder.path(), &[&given[..], arguments].concat())
    };
    let passed = run(&["unconstrained", "--target", "40000"]);
    assert_eq!(code(&passed), 0, "{}", stdout(&passed));
    let tests = rows(&folder.path().join("r/tests.csv"));
    let weights: f64 = tests
        .iter()
        .map(|row| row["weight"].parse::<f64>().unwrap())
        .sum();
    assert!((weights - 1.0).abs() < 1e-12);
    let looks = |test: &str| {
        tests
            .iter()
            .find(|row| row["test"] == test)
            .map(|row| row["looks"].clone())
    };
    assert_eq!(looks("T1 card-seat").as_deref(), Some("3"));
    assert_eq!(looks("T2 second order").as_deref(), Some("3"));
    assert_eq!(looks("T7 cross"), None);
    assert!(tests.iter().all(|row| row["verdict"] == "ok"));
    let bounds = rows(&folder.path().join("r/bounds.csv"));
    assert!(
        bounds
            .iter()
            .any(|row| row["quantity"] == "card at a seat" && row["confidence"] == "0.999")
    );

    let few = run(&["unconstrained", "--target", "50000"]);
    assert_eq!(code(&few), 4);
    assert!(stdout(&few).contains("INCONCLUSIVE"), "{}", stdout(&few));
    assert!(stdout(&few).contains("\nDetects   "), "{}", stdout(&few));

    let broken = run(&["unconstrained", "--defect", "naive-shuffle-blocks"]);
    assert_eq!(code(&broken), 2);
    assert!(
        stdout(&broken).contains("(T1 card-seat): p = ")
            && stdout(&broken).contains("largest deviation: C2 with west: 3"),
        "{}",
        stdout(&broken)
    );
    let short = run(&["unconstrained", "--defect", "truncated-hands"]);
    assert_eq!(code(&short), 3);
    assert!(
        stdout(&short).contains("are not legal"),
        "{}",
        stdout(&short)
    );
    let suspicious = rows(&folder.path().join("r/tests.csv"));
    assert!(!suspicious.is_empty());

    let tables = run(&["nine-spades", "--target=1", "--battery", "tables"]);
    assert_eq!(code(&tables), 0);
    assert!(
        stdout(&tables).contains("Left out  "),
        "{}",
        stdout(&tables)
    );
    let cases = run(&["nine-spades", "--target=1", "--sampler", "listing"]);
    assert_eq!(code(&cases), 0, "{}", stdout(&cases));
    let groups = rows(&folder.path().join("r/case_groups.csv"));
    let drawn: u64 = groups
        .iter()
        .map(|row| row["observed"].parse::<u64>().unwrap())
        .sum();
    assert_eq!(
        (drawn, groups.last().unwrap()["last_case"].as_str()),
        (40_000, "30")
    );
}

#[test]
fn defects_are_named_and_refused_where_they_cannot_happen() {
    let folder = folder();
    let run = |arguments: &[&str]| fairdeal(folder.path(), &[&["run"], arguments].concat());
    let unknown = run(&["unconstrained", "--defect", "help"]);
    assert_eq!((code(&unknown), stderr(&unknown)), (0, String::new()));
    assert!(
        stdout(&unknown).contains("\nsattolo-blocks "),
        "{}",
        stdout(&unknown)
    );
    let needs_cases = run(&["unconstrained", "--defect", "case-weight-5-percent"]);
    assert_eq!(code(&needs_cases), 64);
    assert!(complaint(&needs_cases).contains("spades(west)"));
    let needs_none = run(&["nine-spades", "--defect", "sattolo-blocks"]);
    assert_eq!(code(&needs_none), 64);
    let condition = "shape(north, 5332) && spades(north) == 5 && hcp(north) >= 15";
    let of_cases = ["deal", "--where", condition, "--defect", "honours-swapped"];
    let listed = fairdeal(folder.path(), &[&of_cases[..], &["-n", "3"]].concat());
    assert_eq!(code(&listed), 0, "{}", stderr(&listed));
    let from_cells = [&of_cases[..], &["--sampler", "cells", "--seed", "1"]].concat();
    let from_cells = fairdeal(folder.path(), &from_cells);
    assert_eq!(code(&from_cells), 64);
    assert!(complaint(&from_cells).contains("leave out --sampler"));
    let both = run(&[
        "unconstrained",
        "--defect",
        "sattolo-blocks",
        "--rng",
        "chacha8",
    ]);
    assert_eq!(code(&both), 64);
}

/// A self-test of `runs` runs of 1,024 deals of a condition.
fn self_test(folder: &Path, condition: &str, runs: u32) -> Output {
    let test = format!("self-test --runs {runs} --deals 1024 --seed 1 --json --where");
    let mut words: Vec<&str> = test.split(' ').collect();
    words.push(condition);
    fairdeal(folder, &words)
}

#[test]
fn a_self_test_finds_statistics_by_their_laws() {
    let folder = folder();
    let arguments = [
        "self-test",
        "--runs=10",
        "--seed",
        "1",
        "--deals",
        "16384",
        "--out",
        "null",
    ];
    let done = fairdeal(folder.path(), &arguments);
    assert_eq!(code(&done), 0, "{}", stdout(&done));
    assert!(
        stdout(&done).contains("S >= 3 in 0 of 10"),
        "{}",
        stdout(&done)
    );
    let rows = rows(&folder.path().join("null/self_test.csv"));
    assert!(
        rows.iter()
            .any(|row| row["test"] == "T2 second order" && row["expected_mean"] == "11469")
    );
    let nothing = fairdeal(folder.path(), "run");
    assert_eq!(code(&nothing), 64);
    assert!(complaint(&nothing).contains("no INPUT"));
}

const EXAMPLE: &str = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3";

/// `fairdeal number` with arguments by spaces, and a text on standard input.
fn number(arguments: &str, input: &str) -> Output {
    let command = format!("number {arguments}");
    fed(folder().path(), &command, input.as_bytes())
}

#[test]
fn a_deal_has_a_number_in_every_scheme_and_comes_back() {
    for (scheme, expected) in [
        ("pavlicek", "40958565147961533588277623299"),
        ("pavlicek-suits", "49396184872049253508808625505"),
        ("andrews", "49321653299255886550697095352"),
        ("bigdeal", "47150147403223551779705348886"),
        ("ending", "40958565147961533588277623299"),
        ("ending-any", "40958565147961533588277623299"),
        ("base5", "689165832077139003367169717649880534"),
        ("zbs", "0xBA332585 0xB2626949 0xAB00A0BC 0x9B15CC84"),
    ] {
        let encoded = number(&format!("encode --scheme {scheme} {EXAMPLE}"), "");
        assert_eq!(stdout(&encoded), format!("{expected}\n"), "{scheme}");
        let decoded = number(&format!("decode --scheme {scheme} {expected}"), "");
        assert_eq!(stdout(&decoded), format!("{EXAMPLE}\n"), "{scheme}");
        let piped = number(&format!("decode --scheme {scheme}"), expected);
        assert_eq!(stdout(&piped), format!("{EXAMPLE}\n"), "{scheme}");
    }
}

#[test]
fn numbers_may_be_hex_and_begin_at_one() {
    let page = number(
        &format!("encode --scheme andrews --one-based --hex {EXAMPLE}"),
        "",
    );
    assert_eq!(stdout(&page), "0x9F5DEA56E1AA3EA2F605B0B9\n");
    let deal = "49_321_653_299_255_886_550_697_095_352\r\n49,321,653,299,255,886,550,697,095,352";
    let decoded = number("decode --scheme andrews -f -", deal);
    assert_eq!(stdout(&decoded), format!("{EXAMPLE}\n{EXAMPLE}\n"));
    let last = number(
        "decode --scheme pavlicek --one-based 53644737765488792839237440000",
        "",
    );
    assert!(stdout(&last).starts_with("N:432.432.432.5432 "));
}

#[test]
fn bad_lines_are_named_and_the_others_are_translated() {
    let folder = folder();
    let file = folder.path().join("deals.txt");
    let doubled = EXAMPLE.replace("9.J53", "8.J53");
    let thin = EXAMPLE.replace("9.J53", ".J53");
    let long = "9".repeat(10_000);
    let text = format!(
        "\u{feff}[Deal \"{EXAMPLE}\"]\n\n{doubled}\n{thin}\n{long}\nN:AK... - - Q...\n{EXAMPLE}"
    );
    fs::write(&file, text).unwrap();
    let arguments = format!("encode --scheme pavlicek -f {}", file.display());
    let output = number(&arguments, "");
    assert_eq!(code(&output), 65);
    let right = "40958565147961533588277623299";
    assert_eq!(stdout(&output), format!("{right}\n\n\n\n\n\n{right}\n"));
    let name = file.display();
    let expected = [
        format!("error: {name}:3: S8 is in two hands"),
        format!("error: {name}:4: east holds 12 cards instead of 13: S9 is in no hand"),
        format!("error: {name}:5: longer than 4096 bytes"),
        format!("error: {name}:6: north holds 2 cards instead of 13: SJ is in no hand"),
        "error: 4 of 7 lines could not be converted: they are empty in the output".to_owned(),
    ];
    let said = stderr(&output);
    let said: Vec<&str> = said.lines().collect();
    assert_eq!(said, expected);
}

#[test]
fn numbers_that_are_none_and_options_that_do_not_go_together_are_refused() {
    let folder = folder();
    for (arguments, wrong, exit) in [
        (
            "decode --scheme andrews 53644737765488792839237440000",
            "53644737765488792839237440000 is above the largest number, 53644737765488792839237439999",
            65,
        ),
        (
            "decode --scheme andrews --one-based 0",
            "numbers start at 1 with --one-based",
            65,
        ),
        ("decode --scheme andrews -7", "`-7` is not a number", 65),
        ("decode --scheme zbs 1 2 3", "3 words instead of 4", 65),
        (
            "decode --scheme zbs 1 2 3 4",
            "0x00000001, is not flagged as part of a deal",
            65,
        ),
        (
            "decode --scheme zbs 0xFFFFFFFF 2 3 4",
            "is not below 5^13",
            65,
        ),
        (
            "encode --scheme ending N:AK... - - -",
            "east holds 0 cards and north 2",
            65,
        ),
        (
            "encode --scheme ending N:- - - -",
            "no hand holds a card",
            65,
        ),
        (
            "encode --scheme ending-any N:AKQJT98765432.A.. - - -",
            "north holds 14 cards, more than 13",
            65,
        ),
        ("decode --scheme cases 0", "use --cases FILE", 64),
        (
            "decode --scheme andrews --cases some.cases 0",
            "--cases FILE is only for --scheme cases",
            64,
        ),
        ("decode --scheme cells 0", "use --where 'CONDITION'", 64),
        (
            "decode --scheme bigdeal --input nine-spades 0",
            "--where and --input are only for --scheme cells",
            64,
        ),
        (
            "decode --scheme cells --input -",
            "standard input is the condition",
            64,
        ),
        (
            "decode --scheme cells --input nine-spades --where 1 0",
            "cannot be used with",
            64,
        ),
        (
            "decode --scheme cells --input unconstrained 0",
            "unconstrained has no cells: the condition mentions no hand",
            65,
        ),
        (
            "decode --scheme cells --where hcp(west)==37 --one-based 0",
            "numbers start at 1",
            65,
        ),
        (
            "decode --scheme cells --where hcp(west)>37 0",
            "no deal satisfies the condition",
            65,
        ),
        (
            "decode --scheme zbs --one-based 0",
            "zbs does not support --one-based",
            64,
        ),
        ("decode --scheme gray 0", "possible values", 64),
        (
            "decode --scheme andrews -f nowhere.txt",
            "no file nowhere.txt",
            65,
        ),
        (
            "decode --scheme cases --cases nowhere.cases 0",
            "nowhere.cases",
            65,
        ),
    ] {
        let mut all = vec!["number"];
        all.extend(arguments.split_whitespace());
        let output = fairdeal(folder.path(), &all);
        assert_eq!(code(&output), exit, "{arguments}");
        assert!(
            stderr(&output).contains(wrong),
            "{arguments}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn whoever_asks_line_by_line_is_answered_before_the_next() {
    use std::io::{BufRead, BufReader, Write};
    let folder = folder();
    let mut child = start(folder.path(), "number decode --scheme andrews");
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    // The next question has begun when the answer to the first is awaited.
    for (asked, begins) in [
        ("0\n5", "N:AKQJT98765432... "),
        ("\n6", "N:AKQJT98765432... "),
    ] {
        input.write_all(asked.as_bytes()).unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert!(answer.starts_with(begins), "{answer}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn words_without_quotes_make_a_deal_and_spoil_no_other() {
    let right = "49321653299255886550697095352\n";
    let folder = folder();
    let encode = |deals: &[&str]| {
        let arguments = [&["number", "encode", "--scheme", "andrews"], deals].concat();
        fairdeal(folder.path(), &arguments)
    };
    let hands: Vec<&str> = EXAMPLE.split(' ').collect();
    assert_eq!(stdout(&encode(&hands)), right);
    for wrong in ["bad deal", "junk", EXAMPLE.strip_prefix("N:").unwrap()] {
        let output = encode(&[EXAMPLE, wrong, EXAMPLE]);
        assert_eq!(stdout(&output), format!("{right}\n{right}"), "{wrong}");
        assert!(
            stderr(&output).starts_with("error: argument 2: "),
            "{wrong}"
        );
    }
    fs::write(folder.path().join("deals.txt"), EXAMPLE).unwrap();
    let hint = stderr(&encode(&["deals.txt"]));
    assert!(
        hint.contains("to read the file of this name, use -f"),
        "{hint}"
    );
}

#[test]
fn a_file_that_is_missing_is_told_and_the_next_is_read() {
    let folder = folder();
    let mark = "\u{feff}";
    let spaces = " ".repeat(4_095);
    fs::write(
        folder.path().join("a.txt"),
        format!("{mark}0{spaces}garbage\n0{spaces}\n"),
    )
    .unwrap();
    let arguments = [
        "number",
        "decode",
        "--scheme",
        "andrews",
        "-f",
        "nowhere.txt",
        "-f",
        "a.txt",
    ];
    let output = fairdeal(folder.path(), &arguments);
    assert_eq!(code(&output), 65);
    assert!(
        stdout(&output).starts_with("\nN:AKQJT98765432... "),
        "{}",
        stdout(&output)
    );
    let said = stderr(&output);
    let said: Vec<&str> = said.lines().collect();
    let expected = [
        "error: a.txt:1: longer than 4096 bytes",
        "error: no file nowhere.txt",
        "error: 1 of 2 lines could not be converted: they are empty in the output",
    ];
    assert_eq!(said, expected);
}

#[cfg(target_os = "linux")]
#[test]
fn numbers_that_cannot_be_written_are_no_fault_of_the_input() {
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let folder = folder();
    let mut decode = program(folder.path(), "number decode --scheme andrews 0");
    let output = decode.stdout(full).output().unwrap();
    assert_eq!(code(&output), 74);
    assert!(!complaint(&output).contains("argument"));
}

#[test]
fn deals_of_a_condition_have_numbers_without_a_listing() {
    let folder = folder();
    let text = "hcp(north) + hcp(south) >= 37 && hcp(east) <= 1 && hcp(west) >= 2";
    let number = |direction: &str, line: &str| {
        let scheme = ["--scheme", "cells", "--where", text];
        let arguments = [&["number", direction][..], &scheme, &[line]].concat();
        fairdeal(folder.path(), &arguments)
    };
    for line in ["0", "1", "12345678901234567890"] {
        let deal = stdout(&number("decode", line));
        assert_eq!(stdout(&number("encode", &deal)), format!("{line}\n"));
    }
    let beyond = number("decode", "53644737765488792839237440000");
    assert_eq!(code(&beyond), 65);
    assert!(stderr(&beyond).contains("is above the largest number"));
    let other = number("encode", EXAMPLE);
    assert_eq!(code(&other), 65);
    assert!(stderr(&other).contains("the deal does not satisfy the condition"));
    // Of a scenario, and of a case file the condition in it.
    let build = ["cases", "build", "nine-spades", "-o", "nine.cases"];
    assert_eq!(code(&fairdeal(folder.path(), &build)), 0);
    let deals = ["nine-spades", "nine.cases"].map(|name| {
        let decode = ["number", "decode", "--scheme", "cells", "--input", name];
        stdout(&fairdeal(folder.path(), &[&decode[..], &["7"]].concat()))
    });
    assert!(deals[0] == deals[1] && deals[0].starts_with("N:"));
}

#[test]
fn deals_of_a_case_file_have_numbers_of_their_own() {
    let folder = folder();
    let build = ["cases", "build", "nine-spades", "-o", "nine.cases"];
    assert_eq!(code(&fairdeal(folder.path(), &build)), 0);
    let decode = [
        "number",
        "decode",
        "--scheme",
        "cases",
        "--cases",
        "nine.cases",
    ];
    let ends = ["0", "611654221779000", "611654221779001"];
    // T × C(26,13) numbers.
    let output = fairdeal(folder.path(), &[&decode[..], &ends[..2]].concat());
    let deals = stdout(&output);
    assert_eq!(deals.lines().count(), 2, "{}", stderr(&output));
    for line in deals.lines() {
        let encode = [
            "number",
            "encode",
            "--scheme",
            "cases",
            "--cases",
            "nine.cases",
            line,
        ];
        let number = stdout(&fairdeal(folder.path(), &encode));
        assert!(ends.contains(&number.trim()), "{line}: {number}");
    }
    let other = [
        "number",
        "encode",
        "--scheme",
        "cases",
        "--cases",
        "nine.cases",
        EXAMPLE,
    ];
    let output = fairdeal(folder.path(), &other);
    assert_eq!(code(&output), 65);
    assert!(stderr(&output).contains("the listing has no case with this deal"));
    let path = folder.path().join("nine.cases");
    let mut bytes = fs::read(&path).unwrap();
    let end = bytes.len();
    bytes[end - 100] ^= 1;
    fs::write(&path, bytes).unwrap();
    let output = fairdeal(folder.path(), &other);
    assert_eq!(code(&output), 65);
    assert!(complaint(&output).contains("nine.cases was modified"));
}

#[test]
fn deals_come_in_the_format_that_is_asked_for() {
    let folder = folder();
    let deal = |format: &str, deals: &str| {
        let arguments = [
            "deal",
            "nine-spades",
            "-n",
            deals,
            "--seed",
            "1",
            "--format",
            format,
        ];
        fairdeal(folder.path(), &arguments)
    };
    let lines = stdout(&deal("line", "3"));
    let pbn = stdout(&deal("pbn", "3"));
    let of_tags: String = pbn
        .lines()
        .filter_map(|line| line.strip_prefix("[Deal \"")?.strip_suffix("\"]"))
        .map(|deal| format!("{deal}\n"))
        .collect();
    assert_eq!(of_tags, lines);
    assert!(pbn.contains("[Board \"3\"]"));
    let numbers = deal("number", "3");
    let decoded = number("decode --scheme pavlicek", &stdout(&numbers));
    assert_eq!(stdout(&decoded), lines);
    assert_eq!(deal("dup", "3").stdout.len(), 3 * 156);
    assert_eq!(code(&deal("dup", "100")), 64);
    assert!(complaint(&deal("dup", "100")).contains("at most 99 boards, not 100"));
    assert_eq!(code(&deal("gib", "3")), 64);
}

#[test]
fn perfect_runs_that_failed_do_not() {
    // Two cases of equal weight: their coincidences are a chi-square of one degree of freedom,
    // and a normal law made p = 10^-29.9 of a p-value of 10^-4.5.
    let folder = folder();
    let condition = ["--where", "shape(north, 7600 + 6700)"];
    let run = [
        "run", "--deals", "16384", "--seed", "507004", "--out", "two",
    ];
    let done = fairdeal(folder.path(), &[&run[..], &condition].concat());
    assert_eq!(code(&done), 0, "{}", stdout(&done));
    // Of 400 such runs three reached S = 3.
    let done = self_test(folder.path(), "spades(north)==13 && hearts(east)==12", 400);
    let found: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(found["reached"][1], 0, "{found}");
    assert_eq!((code(&done), &found["verdict"]), (0, &"PASS".into()));
}

#[test]
fn a_self_test_without_exact_tables_makes_the_tests_that_need_none() {
    let folder = folder();
    let condition = "cccc(north) >= 1500 && spades(south) >= 5";
    let test = "self-test --sampler numbers --runs 10 --deals 1024 --seed 1 --json --where";
    let mut words: Vec<&str> = test.split(' ').collect();
    words.push(condition);
    let done = fairdeal(folder.path(), &words);
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("only tests that need none"), "{said}");
    assert_eq!(code(&done), 0, "{said}");
    let found: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    let tests = found["tests"].as_array().unwrap();
    let has = |name: &str| tests.iter().any(|row| row["test"] == name);
    // East and west are interchangeable.
    assert!(has("C interchange") && !has("T5 hcp"), "{tests:?}");
}

#[test]
#[ignore = "long"]
fn a_right_battery_passes_its_self_test_on_discrete_counts() {
    // Kolmogorov's test took the steps of two-cell tables for a fault: 10^-7 at 3,000 runs.
    let folder = folder();
    for condition in ["hcp(north)>=34", "spades(west)>=11", "hcp(north)==37"] {
        let done = self_test(folder.path(), condition, 600);
        assert_eq!(code(&done), 0, "{}", stdout(&done));
    }
}

/// The rows of bounds.csv for cells: quantity and bound.
fn cell_bounds(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("bounds.csv")).unwrap();
    let rows = text
        .lines()
        .skip(1)
        .filter(|row| row.contains(" at a seat"));
    rows.map(str::to_owned).collect()
}

#[test]
fn bounds_do_not_depend_on_how_many_deals_were_planned() {
    let folder = folder();
    let at = folder.path();
    let run = [
        "run",
        "unconstrained",
        "--seed=1",
        "--batch=65536",
        "--battery=tables",
        "-q",
    ];
    let whole = [&run[..], &["--deals=131072", "--out=whole"]].concat();
    assert!([0, 4].contains(&code(&fairdeal(at, &whole))));
    // The same first deals, of a run of eight times as many.
    let part = [&run[..], &["--deals=1048576", "--part=1/8", "--out=part"]].concat();
    assert!([0, 4].contains(&code(&fairdeal(at, &part))));
    let bounds = cell_bounds(&at.join("whole"));
    assert_eq!(bounds.len(), 3);
    assert_eq!(cell_bounds(&at.join("part")), bounds);
}

#[test]
fn no_target_gives_a_pass_below_a_thousand_deals() {
    let folder = folder();
    let run = |deals: &str| {
        let command = [
            "run",
            "unconstrained",
            "--deals",
            deals,
            "--target",
            "1",
            "--seed",
            "1",
        ];
        let done = fairdeal(folder.path(), &[&command[..], &["--out", deals]].concat());
        (code(&done), stdout(&done))
    };
    for (deals, expected, word) in [("999", 4, "INCONCLUSIVE"), ("1000", 0, "PASS")] {
        let (code, shown) = run(deals);
        assert_eq!(code, expected, "{shown}");
        assert!(shown.starts_with(word), "{shown}");
        assert!(shown.contains("target lowered to 1,000 deals"), "{shown}");
    }
}

#[test]
fn the_demo_deals_tests_and_catches_a_broken_dealer() {
    let folder = folder();
    // A second one overwrites the reports of the first.
    for _ in 0..2 {
        let done = fairdeal(folder.path(), "demo --out shown");
        assert_eq!((code(&done), stderr(&done)), (0, String::new()));
        let printed = stdout(&done);
        for part in [
            "\n$ fairdeal deal ",
            "\nPASS  ",
            "\nFAIL  ",
            "/broken/report.html",
        ] {
            assert!(printed.contains(part), "{part}: {printed}");
        }
        assert!(folder.path().join("shown/fair/report.html").exists());
    }
    let done = fairdeal(folder.path(), &[] as &[&str]);
    assert_eq!((code(&done), stdout(&done)), (64, String::new()));
    for line in stderr(&done).lines() {
        assert!(line.len() <= 80, "{line}");
    }
    assert!(stderr(&done).contains("  fairdeal demo "));
}
