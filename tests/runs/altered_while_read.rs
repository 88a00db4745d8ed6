//! Case files that other processes modify, touch or prune while deals are drawn from them.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use crate::common::{case_file, code, complaint, condition, fairdeal, folder, start, stdout};

/// More deals than can be drawn before the file is altered.
const WITHOUT_END: &str = "1T";

/// A run from `x.cases` that goes on until it is ended.
fn run_without_end(folder: &Path, more: &[&str]) -> Child {
    let run = ["run", "x.cases", "--deals", WITHOUT_END, "--seed", "1"];
    let out = ["--quiet", "--force", "--out", "out"];
    start(folder, &[&run[..], &out, more].concat())
}

fn build(folder: &Path, scenario: &str) {
    let built = format!("cases build {scenario} -q --force -o x.cases");
    assert_eq!(code(&fairdeal(folder, &built)), 0);
}

#[test]
fn a_file_cut_short_ends_a_run_with_one_line() {
    for threads in ["1", "8"] {
        let folder = folder();
        build(folder.path(), "club-length");
        let run = run_without_end(folder.path(), &["--threads", threads]);
        // Whether it is still being opened by then or drawn from, the end is the same.
        sleep(Duration::from_millis(700));
        let path = folder.path().join("x.cases");
        let file = File::options().write(true).open(path).unwrap();
        file.set_len(4096).unwrap();
        let output = run.wait_with_output().unwrap();
        let complaint = complaint(&output);
        assert!(
            [65, 74].contains(&code(&output)),
            "{complaint}, {:?}",
            output.status
        );
        assert!(output.stdout.is_empty());
        assert!(!folder.path().join("out/run.json").exists());
    }
}

/// A run that saves where it stands all the time, and has begun to.
fn run_that_saves(folder: &Path, input: &[&str]) -> Child {
    let run = ["run", "--deals", WITHOUT_END, "--seed", "1", "-q"];
    let more = ["--checkpoint", "50ms", "--out", "out"];
    let child = start(folder, &[&run[..], input, &more].concat());
    wait_for_checkpoint(folder, SystemTime::UNIX_EPOCH);
    child
}

/// Interrupts a run, which is still dealing and writes its report.
fn interrupt(folder: &Path, run: Child) {
    let sent = Command::new("kill").arg(run.id().to_string()).status();
    assert!(sent.unwrap().success());
    let output = run.wait_with_output().unwrap();
    assert_eq!(code(&output), 130, "{output:?}");
    assert!(folder.join("out/run.json").exists());
}

/// Waits for a checkpoint that is newer than this, for a minute at most.
fn wait_for_checkpoint(folder: &Path, than: SystemTime) {
    let begun = Instant::now();
    let written = || fs::metadata(folder.join("out/checkpoint")).and_then(|file| file.modified());
    while !written().is_ok_and(|time| time > than) {
        assert!(begun.elapsed() < Duration::from_secs(60), "no checkpoint");
        sleep(Duration::from_millis(5));
    }
}

// A `chmod` ended the run, though not one byte had changed.
#[test]
fn a_run_goes_on_when_its_file_is_touched_and_not_altered() {
    let folder = folder();
    build(folder.path(), "nine-spades");
    let path = folder.path().join("x.cases");
    let changes: [&dyn Fn(); 2] = [
        &|| fs::set_permissions(&path, Permissions::from_mode(0o400)).unwrap(),
        &|| fs::hard_link(&path, folder.path().join("link.cases")).unwrap(),
    ];
    for change in changes {
        let run = run_that_saves(folder.path(), &["x.cases"]);
        change();
        wait_for_checkpoint(folder.path(), SystemTime::now());
        interrupt(folder.path(), run);
        fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
}

// Pruning or replacing the file that a run deals from must not end the run.
#[test]
fn a_run_goes_on_when_its_file_is_removed_or_replaced() {
    let folder = folder();
    let run = run_that_saves(folder.path(), &["nine-spades", "--sampler", "listing"]);
    let pruned = fairdeal(folder.path(), "cases prune");
    assert!(stdout(&pruned).contains(": 1 case files removed, "));
    wait_for_checkpoint(folder.path(), SystemTime::now());
    interrupt(folder.path(), run);
    fs::remove_dir_all(folder.path().join("out")).unwrap();
    build(folder.path(), "nine-spades");
    let run = run_that_saves(folder.path(), &["x.cases"]);
    build(folder.path(), "east-5332-34");
    wait_for_checkpoint(folder.path(), SystemTime::now());
    interrupt(folder.path(), run);
}

#[test]
fn a_write_to_the_file_is_noticed() {
    let folder = folder();
    let condition = condition("hcp(north) == 3");
    let (path, file) = case_file(folder.path(), &condition, None);
    assert!(file.is_unchanged());
    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    assert!(file.is_unchanged());
    sleep(Duration::from_millis(20));
    let writer = File::options().write(true).open(&path).unwrap();
    writer.write_all_at(&[1], 4100).unwrap();
    assert!(!file.is_unchanged());
}
