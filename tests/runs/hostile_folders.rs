//! Links, pipes, devices and huge files where the program reads its own files, and limits of the
//! system on the files that it writes.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use crate::common::{PROGRAM, SHORT_LISTED_RUN, SHORT_RUN, code, complaint, fairdeal, folder};

fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}

/// Puts something else at the place of a file, and returns what is said of it.
type Swap = (fn(&Path), &'static str);

/// A link to a device, a pipe, a link out of the folder, and a sparse file of 1 TiB.
const SWAPS: [Swap; 4] = [
    (
        |path| symlink("/dev/zero", path).unwrap(),
        "a symbolic link; remove it",
    ),
    (pipe, "not a regular file"),
    (
        |path| symlink("../precious", path).unwrap(),
        "a symbolic link; remove it",
    ),
    (
        |path| File::create(path).unwrap().set_len(1 << 40).unwrap(),
        "MiB, the most for such a file",
    ),
];

// A record linked to /dev/zero took 6 GB of memory, and a pipe never ended.
#[test]
fn what_is_not_a_plain_file_of_a_report_is_one_line() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    for name in ["a", "b"] {
        let run = [&SHORT_RUN[..], &["-q", "--out", name]].concat();
        assert_eq!(code(&fairdeal(folder.path(), &run)), 0);
    }
    fs::copy(at("b/run.json"), at("precious")).unwrap();
    for file in ["run.json", "counts.json"] {
        let path = at("b").join(file);
        let before = fs::read(&path).unwrap();
        for (swap, said) in SWAPS {
            fs::remove_file(&path).unwrap();
            swap(&path);
            let refused = fairdeal(folder.path(), "compare a b");
            let line = complaint(&refused);
            let wanted = format!("error: b/{file} cannot be read: ");
            assert!(line.starts_with(&wanted) && line.contains(said), "{line}");
            assert_eq!(code(&refused), 74, "{line}");
        }
        fs::remove_file(&path).unwrap();
        fs::write(&path, before).unwrap();
    }
    for (swap, said) in SWAPS {
        let record = at("b/run.json");
        fs::remove_file(&record).unwrap();
        swap(&record);
        let run = [&SHORT_RUN[..], &["-q", "--out", "b"]].concat();
        let line = complaint(&fairdeal(folder.path(), &run));
        let wanted = "b holds another report (its run.json cannot be read: ";
        assert!(line.contains(wanted) && line.contains(said), "{line}");
    }
    let links = [SWAPS[0], SWAPS[1], SWAPS[3]];
    for (swap, said) in links {
        let _ = fs::remove_dir_all(at("c"));
        fs::create_dir(at("c")).unwrap();
        swap(&at("c/checkpoint"));
        let run = [
            "run",
            "nine-spades",
            "--target=1",
            "-q",
            "--out",
            "c",
            "--resume",
        ];
        let line = complaint(&fairdeal(folder.path(), &run));
        let is_said = line.contains(said) || line.contains("not a checkpoint");
        assert!(line.contains("c/checkpoint") && is_said, "{line}");
    }
}

// The marker of a listing's last use created the target of a link, and waited at a pipe.
#[test]
fn the_marker_of_a_listing_follows_no_link_and_waits_at_no_pipe() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let run = [&SHORT_LISTED_RUN[..], &["-q"]].concat();
    assert_eq!(code(&fairdeal(folder.path(), &run)), 0);
    let kept = fs::read_dir(at("cache/fairdeal")).unwrap();
    let mut kept = kept.map(|entry| entry.unwrap().path());
    let mark = kept.find(|path| path.extension().is_some_and(|end| end == "used"));
    let mark = mark.unwrap();
    fs::write(at("precious"), b"precious").unwrap();
    let long_ago = SystemTime::UNIX_EPOCH;
    let precious = File::options().append(true).open(at("precious")).unwrap();
    precious.set_modified(long_ago).unwrap();
    for target in [at("precious"), at("missing")] {
        fs::remove_file(&mark).unwrap();
        symlink(&target, &mark).unwrap();
        assert_eq!(code(&fairdeal(folder.path(), &run)), 0);
    }
    assert!(!at("missing").exists());
    let touched = fs::metadata(at("precious")).unwrap().modified().unwrap();
    assert_eq!(touched, long_ago);
    fs::remove_file(&mark).unwrap();
    pipe(&mark);
    assert_eq!(code(&fairdeal(folder.path(), &run)), 0);
}

// SIGXFSZ ended the program without a word.
#[test]
fn a_file_beyond_the_limit_of_the_system_is_one_line() {
    let folder = folder();
    let limited = |arguments: &str| {
        let program = PROGRAM;
        let output = Command::new("sh")
            .args(["-c", &format!("ulimit -f 8; exec {program} {arguments}")])
            .current_dir(folder.path())
            .env("XDG_CACHE_HOME", folder.path().join("cache"))
            .env("NO_COLOR", "1")
            .output();
        output.unwrap()
    };
    let deal = limited("deal unconstrained -n 1000 --seed 1 --format pbn >boards.pbn");
    assert_eq!((deal.status.code(), deal.stdout.len()), (Some(74), 0));
    let line = complaint(&deal);
    assert!(line.contains("File too large"), "{line}");
    let run = limited("run unconstrained --deals 1000 --seed 1 -q --out out");
    assert_eq!(run.status.code(), Some(74));
    let line = complaint(&run);
    let is_named = line.starts_with("error: out/") && line.contains("cannot be written");
    assert!(is_named && line.contains("File too large"), "{line}");
}
