//! Case files that others alter while deals are drawn from them.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

mod common;

use std::fs::File;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

use common::{code, complaint, fairdeal, folder, start};

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
        std::thread::sleep(Duration::from_secs(2));
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
