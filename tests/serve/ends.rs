//! The program ends by a signal with every run saved.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use super::client::{finish, get, post};
use crate::common;

/// Starts the program; returns it and its address.
fn start(folder: &Path) -> (Child, SocketAddr) {
    let mut program = common::start(folder, "serve --port 0 --folder reports --quiet");
    let mut line = String::new();
    let mut output = BufReader::new(program.stdout.take().expect("its output"));
    output.read_line(&mut line).expect("its address");
    let address = line.trim().strip_prefix("http://").expect("an address");
    let address = address.trim_end_matches('/').parse().expect("an address");
    (program, address)
}

fn end(mut program: Child, signal: &str) {
    let id = program.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status();
    assert!(sent.expect("kill").success());
    assert_eq!(program.wait().expect("its end").code(), Some(0));
}

#[test]
fn a_signal_saves_a_run_that_goes_on_to_the_same_counts() {
    let folder = common::folder();
    let (program, address) = start(folder.path());
    let deals = "6M";
    let fields = [
        ("condition", "nine-spades"),
        ("deals", deals),
        ("seed", "9"),
        ("battery", "tables"),
    ];
    let started = post(address, "/runs", &fields);
    let job = started.header("location").to_owned();
    let begun = Instant::now();
    while !get(address, &job).text().contains("deals/s") {
        assert!(begun.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(20));
    }
    end(program, "-INT");
    let report = folder.path().join("reports/nine-spades");
    assert!(report.join("checkpoint").exists());
    let left = fs::read_dir(folder.path().join("reports")).expect("the folder");
    assert_eq!(left.count(), 1, "temporary files are removed");
    let (program, address) = start(folder.path());
    assert!(get(address, "/runs").text().contains("Resume nine-spades"));
    let resumed = post(address, "/runs/nine-spades/resume", &[]);
    let (_, page) = finish(address, &resumed);
    assert!(page.contains("6,000,000 deals"), "{page}");
    end(program, "-TERM");
    let run = format!("run nine-spades --deals {deals} --seed 9 --battery tables");
    common::fairdeal(folder.path(), &(run + " --out theirs --quiet"));
    for table in ["patterns.csv", "cards.csv", "tests.csv", "hcp.csv"] {
        let [ours, theirs] = [&report, &folder.path().join("theirs")]
            .map(|report| fs::read_to_string(report.join(table)).expect("a table"));
        assert_eq!(ours, theirs, "{table}");
    }
}

#[test]
fn a_port_in_use_is_one_clear_line() {
    let folder = common::folder();
    let (program, address) = start(folder.path());
    let second = common::fairdeal(folder.path(), &format!("serve --port {}", address.port()));
    let message = String::from_utf8_lossy(&second.stderr).into_owned();
    assert_eq!(second.status.code(), Some(74), "{message}");
    assert!(
        message.contains("choose another port with --port"),
        "{message}"
    );
    assert_eq!(message.lines().count(), 1, "{message}");
    end(program, "-TERM");
}
