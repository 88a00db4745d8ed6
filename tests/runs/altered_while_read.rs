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

fn build(folder: &Path) {
    let built = fairdeal(folder, &["cases", "build", "club-length", "-o", "x.cases"]);
    assert_eq!(code(&built), 0);
}

#[test]
fn a_file_cut_short_ends_a_run_with_one_line() {
    for threads in ["1", "8"] {
        let folder = folder();
        build(folder.path());
        let run = run_without_end(folder.path(), &["--threads", threads]);
        // Whether it is still being opened by then or drawn from, the end is the same.
        sleep(Duration::from_secs(2));
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
    build(folder.path());
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

#[test]
fn bytes_altered_with_the_clock_set_back_are_found_by_the_checksums() {
    let folder = folder();
    let condition = condition("hcp(north) >= 10 && hcp(north) <= 20 && shape(north, any 5332)");
    let (path, file) = case_file(folder.path(), &condition, None);
    file.check_unchanged().unwrap();
    let bytes = fs::read(&path).unwrap();
    // Neither page is one of those that are always looked at.
    let places = [5000, bytes.len() - 5000];
    for place in places {
        let alter = |byte: u8| {
            let writer = File::options().write(true).open(&path).unwrap();
            let written = writer.metadata().unwrap().modified().unwrap();
            sleep(Duration::from_millis(20));
            writer.write_all_at(&[byte], place as u64).unwrap();
            writer.set_modified(written).unwrap();
        };
        alter(bytes[place] ^ 1);
        let altered = file.check_unchanged().unwrap_err().to_string();
        assert!(
            altered.contains("the checksum of its content does not match"),
            "{altered}"
        );
        alter(bytes[place]);
        file.check_unchanged().unwrap();
    }
}

// Pruning removed the file that a run dealt from, which ended the run.
#[test]
fn pruning_keeps_the_file_that_a_run_deals_from() {
    let folder = folder();
    let prune = |more: &[&str]| {
        let pruned = fairdeal(folder.path(), &[&["cases", "prune"], more].concat());
        assert_eq!(code(&pruned), 0);
        stdout(&pruned)
    };
    let other = ["cases", "list", "nine-spades"];
    assert_eq!(code(&fairdeal(folder.path(), &other)), 0);
    let run = run_that_saves(folder.path(), &["club-length", "--sampler", "cases"]);
    let said = prune(&[]);
    assert!(
        said.ends_with(": 1 case files removed, 4,592 bytes; 1 in use, kept\n"),
        "{said}"
    );
    let pruned: serde_json::Value = serde_json::from_str(&prune(&["--json"])).unwrap();
    assert_eq!(
        (&pruned["files"], &pruned["in_use"]),
        (&0.into(), &1.into())
    );
    wait_for_checkpoint(folder.path(), SystemTime::now());
    interrupt(folder.path(), run);
    let said = prune(&[]);
    assert!(said.contains(": 1 case files removed, "), "{said}");
    assert!(!said.contains("in use"), "{said}");
}

// A file that is being read can be built again: a new one takes its name.
#[test]
fn a_file_in_use_is_replaced() {
    let folder = folder();
    let condition = condition("hcp(north) == 3");
    let (path, file) = case_file(folder.path(), &condition, None);
    let build = ["cases", "build", "nine-spades", "-q", "--force", "-o"];
    let named = [path.to_str().unwrap()];
    assert_eq!(
        code(&fairdeal(folder.path(), &[&build[..], &named].concat())),
        0
    );
    assert!(file.records_are_sound());
    let replaced = file.check_unchanged().unwrap_err().to_string();
    assert!(
        replaced.contains("it was replaced by another file"),
        "{replaced}"
    );
}
