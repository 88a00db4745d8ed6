//! Runs that are killed, interrupted or stopped, and then resumed, from the command line.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{code, complaint, fairdeal, folder, start, stderr, stdout};

/// More deals than are dealt before somebody interrupts.
const LONG: [&str; 5] = ["--deals", "100G", "--seed", "5", "--target=1"];

/// Waits until something is there, for a minute at most.
fn wait_for(path: &Path) {
    let begun = Instant::now();
    while !path.exists() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "{}",
            path.display()
        );
        sleep(Duration::from_millis(5));
    }
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", name, &id]).status();
    assert!(sent.unwrap().success());
}

/// Every table of a report, but for how long it took.
fn report(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "csv"))
        .filter(|path| !path.ends_with("latency.csv"))
        .map(|path| (path.display().to_string(), path))
        .map(|(name, path)| {
            (
                name.rsplit('/').next().unwrap().to_owned(),
                fs::read(path).unwrap(),
            )
        })
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn assert_same(folder: &Path, first: &str, second: &str) {
    let [first, second] = [first, second].map(|name| report(&folder.join(name)));
    assert_eq!(first.len(), second.len());
    for (first, second) in first.iter().zip(&second) {
        assert!(first == second, "{} differs", first.0);
    }
}

fn record(folder: &Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(folder.join("run.json")).unwrap()).unwrap()
}

#[test]
#[ignore = "long"]
fn a_run_that_is_killed_again_and_again_comes_to_the_same_report() {
    let folder = folder();
    let run = [
        "run",
        "flannery-misfit",
        "--target=1",
        "--deals",
        "6M",
        "--seed",
        "0x11",
        "--batch",
        "2M",
    ];
    let whole = fairdeal(folder.path(), &[&run[..], &["--out", "whole"]].concat());
    assert_eq!(code(&whole), 0, "{}", stderr(&whole));
    let (mut kills, mut resumed) = (0, 0);
    let parts = [
        &run[..],
        &["--out", "parts", "--resume", "--checkpoint", "10ms"],
    ]
    .concat();
    let last = loop {
        let threads = (1 + kills % 3).to_string();
        let mut child = start(
            folder.path(),
            &[&parts[..], &["--threads", &threads]].concat(),
        );
        // Longer each time, so that the run comes to its end.
        sleep(Duration::from_millis(100 + 37 * kills));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        if output.status.code().is_some() {
            break output;
        }
        kills += 1;
        resumed += u32::from(folder.path().join("parts/checkpoint").exists());
    };
    assert_eq!(last.status.code(), Some(0), "{}", stderr(&last));
    assert!(
        kills >= 2 && resumed >= 1,
        "{kills} kills, {resumed} resumed"
    );
    assert_same(folder.path(), "whole", "parts");
    let names = ["checkpoint", "checkpoint.previous"];
    assert!(
        names
            .iter()
            .all(|name| !folder.path().join("parts").join(name).exists())
    );
    // Nothing is left to do, and other tests are another report.
    let other = [&parts[..2], &["--target=2"], &parts[3..]].concat();
    let other = fairdeal(folder.path(), &other);
    assert_eq!(code(&other), 64);
    assert!(complaint(&other).contains("finished, with battery standard, target 1"));
    let again = fairdeal(folder.path(), &parts);
    assert_eq!(code(&again), 0, "{}", stderr(&again));
    assert!(
        stdout(&again).contains("6,000,000 deals, already finished"),
        "{}",
        stdout(&again)
    );
}

#[test]
fn a_run_that_is_interrupted_reports_whole_batches_and_goes_on() {
    let folder = folder();
    for (name, asked) in [("INT", "a"), ("TERM", "b")] {
        let out = folder.path().join(asked);
        let run = [
            "run",
            "unconstrained",
            "--batch",
            "1M",
            "--checkpoint",
            "50ms",
        ];
        let run = [&run[..], &LONG, &["--out", asked]].concat();
        let child = start(folder.path(), &run);
        wait_for(&out.join("checkpoint"));
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
        assert!(
            stdout(&output).contains("Stopped   interrupted"),
            "{}",
            stdout(&output)
        );
        let stopped = record(&out);
        assert_eq!(stopped["stopped"], "interrupted");
        let dealt = stopped["dealt"].as_u64().unwrap();
        // The first batches double up to 2^20 deals, then each has a million.
        let look = dealt.checked_ilog2().map_or(0, |k| 1 << k);
        assert!(
            dealt.is_power_of_two() || (dealt - look).is_multiple_of(1_000_000),
            "{dealt}"
        );
        let patterns = fs::read_to_string(out.join("patterns.csv")).unwrap();
        let north = patterns.lines().filter(|line| line.starts_with("north,"));
        let counted: u64 = north
            .map(|line| line.split(',').nth(2).unwrap().parse::<u64>().unwrap())
            .sum();
        assert_eq!(counted, dealt);
        // What it says of itself needs not be said again.
        let resume = [
            "run",
            "unconstrained",
            "--target=1",
            "--resume",
            "--out",
            asked,
            "--for",
            "300ms",
        ];
        let resumed = fairdeal(folder.path(), &resume);
        assert!(code(&resumed) < 5, "{}", stderr(&resumed));
        let resumed = record(&out);
        assert_eq!(
            (&resumed["seed"], &resumed["deals"]),
            (&stopped["seed"], &stopped["deals"])
        );
        assert_eq!(resumed["stopped"], "time limit");
        assert_eq!(resumed["resumed"], 1);
        assert!(resumed["dealt"].as_u64().unwrap() >= dealt);
    }
}

#[test]
fn two_signals_at_once_are_one_request() {
    let folder = folder();
    let run = ["run", "unconstrained", "--out", "a", "--checkpoint", "20ms"];
    let child = start(folder.path(), &[&run[..], &LONG].concat());
    wait_for(&folder.path().join("a/checkpoint"));
    let id = child.id().to_string();
    let kill = Command::new("sh")
        .args(["-c", &format!("kill -s TERM {id} {id}")])
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(folder.path().join("a/run.json").exists());
    // Another program's report may take its place; then nothing is left to go on with.
    let theory = ["theory", "unconstrained", "--out", "a", "--force"];
    assert_eq!(code(&fairdeal(folder.path(), &theory)), 0);
    assert!(!folder.path().join("a/checkpoint").exists());
}

#[test]
fn a_run_whose_report_was_not_finished_is_begun_again() {
    let folder = folder();
    let run = [
        "run",
        "unconstrained",
        "--target=1",
        "--deals",
        "100k",
        "--seed",
        "3",
    ];
    for out in ["whole", "parts"] {
        let done = fairdeal(folder.path(), &[&run[..], &["--out", out]].concat());
        assert_eq!(code(&done), 0, "{}", stderr(&done));
    }
    // Too short for a checkpoint, and no room for all of its report.
    let out = folder.path().join("parts");
    fs::remove_file(out.join("run.json")).unwrap();
    fs::remove_file(out.join("tests.csv")).unwrap();
    let again = [&run[..], &["--out", "parts"]].concat();
    let resumed = [&again[..], &["--resume"]].concat();
    let refused = fairdeal(folder.path(), &again);
    assert_eq!(code(&refused), 64);
    assert!(complaint(&refused).contains("a patterns.csv without a run.json"));
    // Somebody else's record stands for somebody else's tables.
    fs::write(out.join("theory.json"), "{}").unwrap();
    assert_eq!(code(&fairdeal(folder.path(), &resumed)), 64);
    fs::remove_file(out.join("theory.json")).unwrap();
    let done = fairdeal(folder.path(), &resumed);
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    assert_same(folder.path(), "whole", "parts");
    assert!(out.join("run.json").exists());
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let folder = folder();
    // A batch of one portion for each draw of a slow filter would take long to finish.
    let run = [
        &[
            "run",
            "unconstrained",
            "--battery",
            "full",
            "--out",
            "a",
            "--checkpoint",
            "20ms",
        ][..],
        &LONG,
    ]
    .concat();
    let child = start(folder.path(), &run);
    wait_for(&folder.path().join("a/checkpoint"));
    signal(&child, "INT");
    sleep(Duration::from_millis(400));
    // Unless it is gone by now.
    let id = child.id().to_string();
    let _ = Command::new("kill").args(["-s", "INT", &id]).status();
    let output = child.wait_with_output().unwrap();
    // Ended by the second, or by the first before that came.
    assert!(
        matches!(output.status.code(), None | Some(130)),
        "{:?}",
        output.status
    );
    let resumed = fairdeal(
        folder.path(),
        "run unconstrained --resume --out a --for 100ms",
    );
    assert!(code(&resumed) < 5, "{}", stderr(&resumed));
}

#[test]
fn a_run_goes_on_until_a_verdict() {
    let folder = folder();
    let run = |until: &str, more: &[&str]| -> Output {
        let run = [
            "run",
            "unconstrained",
            "--deals",
            "400K",
            "--seed",
            "3",
            "--out",
            "a",
            "--until",
            until,
        ];
        fairdeal(folder.path(), &[&run[..], more].concat())
    };
    let passed = run("pass", &["--target", "100K"]);
    assert_eq!(code(&passed), 0, "{}", stderr(&passed));
    assert_eq!(record(&folder.path().join("a"))["dealt"], 1 << 17);
    assert_eq!(record(&folder.path().join("a"))["stopped"], "verdict");
    let whole = run("fail", &["--resume", "--target", "100K"]);
    assert_eq!(code(&whole), 0, "{}", stderr(&whole));
    assert_eq!(record(&folder.path().join("a"))["dealt"], 400_000);
    // A verdict at the last deal stops nothing.
    let last = run("pass", &["--force", "--target", "400K"]);
    assert_eq!(code(&last), 0, "{}", stderr(&last));
    assert!(record(&folder.path().join("a"))["stopped"].is_null());
    assert!(!folder.path().join("a/checkpoint").exists());
    let failed = run(
        "fail",
        &["--force", "--defect", "naive-shuffle-round-robin"],
    );
    assert_eq!(code(&failed), 2, "{}", stderr(&failed));
    assert!(record(&folder.path().join("a"))["dealt"].as_u64().unwrap() < 400_000);
}

#[test]
fn only_one_run_at_a_time_writes_to_a_folder() {
    let folder = folder();
    let run = [
        &["run", "unconstrained", "--out", "a", "--checkpoint", "20ms"][..],
        &LONG,
    ]
    .concat();
    let mut child = start(folder.path(), &run);
    wait_for(&folder.path().join("a/checkpoint"));
    for more in [&["--force"][..], &["--resume"], &[]] {
        let other = fairdeal(folder.path(), &[&run[..], more].concat());
        assert_eq!(code(&other), 64);
        assert!(
            complaint(&other).contains("being written by another run"),
            "{}",
            stderr(&other)
        );
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // The lock went with the process; the run is still there.
    let again = fairdeal(folder.path(), &run);
    assert_eq!(code(&again), 64);
    assert!(complaint(&again).contains("--resume"), "{}", stderr(&again));
    let audit = fairdeal(folder.path(), "theory unconstrained --out a");
    assert_eq!(code(&audit), 64, "{}", stderr(&audit));
}

#[test]
fn a_checkpoint_of_another_run_is_refused_with_the_difference() {
    let folder = folder();
    let stop = ["run", "nine-spades", "--out", "a", "--for", "100ms"];
    let stopped = fairdeal(folder.path(), &[&stop[..], &LONG].concat());
    assert!(code(&stopped) < 5, "{}", stderr(&stopped));
    for (input, more, difference) in [
        ("nine-spades", &["--seed", "6"][..], "seed 0x5, not 0x6"),
        ("nine-spades", &["--deals", "99G"], "deals 100000000000"),
        ("nine-spades", &["--batch", "1M"], "batch 67108864"),
        ("nine-spades", &["--rng", "chacha8"], "generator aes128ctr"),
        ("nine-spades", &["--battery", "full"], "battery standard"),
        (
            "nine-spades",
            &["--keep", "5000"],
            "deals kept 1048576, not 5000",
        ),
        ("nine-spades", &["--target", "7"], "target 1"),
        (
            "nine-spades",
            &["--order", "east,west"],
            "sampler cells, not a listing",
        ),
        ("north-3-hcp", &[], "different condition"),
        ("unconstrained", &[], "different condition"),
    ] {
        let run = ["run", input, "--out", "a", "--resume", "--target", "1"];
        let run = if difference == "target 1" {
            &run[..5]
        } else {
            &run
        };
        let other = fairdeal(folder.path(), &[run, more].concat());
        assert_eq!(code(&other), 64, "{more:?} {}", stderr(&other));
        assert!(complaint(&other).contains(difference), "{}", stderr(&other));
    }
    let listed = ["--sampler", "listing", "--out", "b"];
    let run = ["run", "nine-spades", "--for", "100ms"];
    let stopped = fairdeal(folder.path(), &[&run[..], &listed, &LONG].concat());
    assert!(code(&stopped) < 5, "{}", stderr(&stopped));
    let run = ["run", "nine-spades", "--target=1", "--out", "b", "--resume"];
    let other = fairdeal(
        folder.path(),
        &[&run[..], &["--order", "east,west"]].concat(),
    );
    assert_eq!(code(&other), 64, "{}", stderr(&other));
    let difference = "order west,east, not east,west";
    assert!(complaint(&other).contains(difference), "{}", stderr(&other));
    let raw = [
        "run",
        "nine-spades",
        "--target=1",
        "--out",
        "a",
        "--resume",
        "--rng",
        "file:/dev/zero",
    ];
    assert_eq!(code(&fairdeal(folder.path(), &raw)), 64);
}

#[test]
fn a_damaged_checkpoint_gives_way_to_the_one_before() {
    let folder = folder();
    let run = [
        "run",
        "unconstrained",
        "--out",
        "a",
        "--deals",
        "400K",
        "--batch",
        "64Ki",
        "--seed",
        "8",
    ];
    let stopped = [
        &run[..],
        &["--checkpoint", "1ms", "--until", "pass", "--target", "200K"],
    ]
    .concat();
    let stopped = fairdeal(folder.path(), &stopped);
    assert_eq!(code(&stopped), 0, "{}", stderr(&stopped));
    let [now, before] =
        ["a/checkpoint", "a/checkpoint.previous"].map(|name| folder.path().join(name));
    let mut bytes = fs::read(&now).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&now, &bytes).unwrap();
    let keep = fs::read(&before).unwrap();
    fs::write(&before, &keep[..keep.len() / 2]).unwrap();
    let resume = [&run[..], &["--resume", "--target", "200K"]].concat();
    let none = fairdeal(folder.path(), &resume);
    assert_eq!(code(&none), 65);
    let said = complaint(&none);
    assert!(
        said.contains("checksum") && said.contains("bytes instead of"),
        "{said}"
    );
    fs::write(&before, &keep).unwrap();
    let resumed = fairdeal(folder.path(), &resume);
    assert_eq!(code(&resumed), 0, "{}", stderr(&resumed));
    assert!(
        stderr(&resumed).contains("resumes from the previous checkpoint"),
        "{}",
        stderr(&resumed)
    );
    let whole = [
        &run[..2],
        &["--out", "whole"],
        &run[4..],
        &["--target", "200K"],
    ]
    .concat();
    assert_eq!(code(&fairdeal(folder.path(), &whole)), 0);
    assert_same(folder.path(), "whole", "a");
}

#[test]
fn a_case_file_that_changes_stops_the_run() {
    let folder = folder();
    let build = [
        "cases",
        "build",
        "--where",
        "hcp(west) >= 15 && spades(west) >= 9",
        "-o",
        "w.cases",
    ];
    assert_eq!(code(&fairdeal(folder.path(), &build)), 0);
    let file = folder.path().join("w.cases");
    let bytes = fs::read(&file).unwrap();
    let run = ["run", "w.cases", "--checkpoint", "20ms", "--out", "a"];
    let run = [&run[..], &LONG].concat();
    let resume = [
        "run",
        "w.cases",
        "--checkpoint",
        "20ms",
        "--out",
        "a",
        "--resume",
    ];
    let child = start(folder.path(), &run);
    while !folder.path().join("a/checkpoint").exists() {
        sleep(Duration::from_millis(5));
    }
    let mut altered = bytes.clone();
    let end = altered.len() - 1;
    altered[end] ^= 1;
    fs::write(&file, &altered).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(65), "{}", stderr(&output));
    assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
    fs::write(&file, &bytes).unwrap();
    let resumed = fairdeal(folder.path(), &[&resume[..], &["--for", "50ms"]].concat());
    assert!(code(&resumed) < 5, "{}", stderr(&resumed));
}

/// The contents of run.json in a folder.
fn run_json(folder: &Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(folder.join("run.json")).unwrap()).unwrap()
}

#[test]
fn a_resumed_run_draws_from_the_sampler_of_its_checkpoint() {
    let folder = folder();
    let run = ["run", "nine-spades", "--out", "b", "--for", "100ms"];
    let listed = [&run[..], &["--sampler", "listing"], &LONG].concat();
    let stopped = fairdeal(folder.path(), &listed);
    assert!(code(&stopped) < 5, "{}", stderr(&stopped));
    let planning = serde_json::json!({
        "method": "listing", "order": null, "max_cases": 67_108_864,
        "deals": 100_000_000_000_u64, "draws": null, "purpose": "statistics", "fixed": null,
    });
    assert_eq!(run_json(&folder.path().join("b"))["planning"], planning);
    let resumed = fairdeal(folder.path(), &[&run[..], &["--resume"]].concat());
    assert!(code(&resumed) < 5, "{}", stderr(&resumed));
    let record = run_json(&folder.path().join("b"));
    assert_eq!(
        (&record["resumed"], &record["order"]),
        (&1.into(), &"west,east".into())
    );
    assert_eq!(record["planning"], planning);
}

#[test]
fn a_time_alone_ends_a_run() {
    let folder = folder();
    let run = [
        "run",
        "unconstrained",
        "--target=1",
        "--seed",
        "1",
        "--out",
        "a",
    ];
    let run = |more: &[&str]| fairdeal(folder.path(), &[&run[..], more].concat());
    let stopped = run(&["--for", "200ms"]);
    assert!(code(&stopped) < 5, "{}", stderr(&stopped));
    let printed = stdout(&stopped);
    let line = printed.lines().find(|line| line.starts_with("Stopped"));
    assert!(line.unwrap().contains("time limit"), "{printed}");
    assert!(!printed.contains("10,000,000,000,000,000"), "{printed}");
    let record = run_json(&folder.path().join("a"));
    assert_eq!(record["stopped"], "time limit");
    assert_eq!(record["deals"], 10_000_000_000_000_000_u64);
    assert_eq!(record["planning"]["deals"], 1_000_000);
    // It goes on until another time, and not without one.
    let endless = run(&["--resume"]);
    assert_eq!(code(&endless), 64);
    assert!(complaint(&endless).contains("give a time limit again"));
    let other = run(&["--resume", "--deals", "10M"]);
    assert_eq!(code(&other), 64, "{}", stderr(&other));
    let resumed = run(&["--resume", "--for", "100ms"]);
    assert!(code(&resumed) < 5, "{}", stderr(&resumed));
    let record = run_json(&folder.path().join("a"));
    assert_eq!(
        (&record["resumed"], &record["stopped"]),
        (&1.into(), &"time limit".into())
    );
    // Both limit: whichever comes first.
    let whole = run(&["--for", "1h", "--deals", "20000", "--force"]);
    assert!(code(&whole) < 5, "{}", stderr(&whole));
    let record = run_json(&folder.path().join("a"));
    assert_eq!(
        (&record["dealt"], &record["stopped"]),
        (&20_000.into(), &().into())
    );
    let limited = [
        "run",
        "--where",
        "generate 20000 1",
        "--for",
        "1h",
        "--out",
        "g",
    ];
    let limited = fairdeal(folder.path(), &limited);
    assert!(code(&limited) < 5, "{}", stderr(&limited));
    assert_eq!(run_json(&folder.path().join("g"))["dealt"], 20_000);
    let part = run(&["--for", "1s", "--part", "1/2", "--force"]);
    assert_eq!(code(&part), 64);
    assert!(complaint(&part).contains("a part needs the number of deals of all parts"));
}

#[test]
fn a_time_alone_ends_each_type_of_a_mix() {
    let folder = folder();
    let mix = "strong = hcp(north) > 11\nweak = 1\n#mix: strong, weak\nproduce 10\n";
    fs::write(folder.path().join("m.dl"), mix).unwrap();
    let run = ["run", "m.dl", "--for", "200ms", "--seed", "1", "--out", "m"];
    for more in [&[][..], &["--resume"]] {
        let stopped = fairdeal(folder.path(), &[&run[..], more].concat());
        assert!(code(&stopped) < 5, "{}", stderr(&stopped));
        for of in ["strong", "weak"] {
            let record = run_json(&folder.path().join("m").join(of));
            assert_eq!(record["stopped"], "time limit");
            assert_eq!(record["deals"], 10_000_000_000_000_000_u64);
        }
    }
}
