//! Logs on standard error, for programs that start fairdeal.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::path::Path;
use std::process::Output;

use fairdeal::utc::day_number;
use serde_json::Value;

#[cfg(unix)]
use crate::common::program;
use crate::common::{code, fairdeal, folder, stderr, stdout};

/// Standard error, every line of which is an object with the five fields.
fn log(done: &Output) -> Vec<Value> {
    let text = stderr(done);
    let parse = |line: &str| -> Value {
        let value: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        let names: Vec<&str> = value
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let wanted = ["fields", "level", "message", "target", "timestamp"];
        assert_eq!(names, wanted, "{line}");
        let stamp = value["timestamp"].as_str().unwrap();
        assert!(stamp.ends_with('Z') && day_number(&stamp[..10]).is_some());
        value
    };
    text.lines().map(parse).collect()
}

/// The messages of a log.
fn messages(log: &[Value]) -> Vec<&str> {
    log.iter()
        .map(|line| line["message"].as_str().unwrap())
        .collect()
}

/// The first line with this message.
fn line<'l>(log: &'l [Value], message: &str) -> &'l Value {
    log.iter()
        .find(|line| line["message"] == message)
        .unwrap_or_else(|| panic!("no {message}: {log:?}"))
}

/// The looks of a log, as a report has them.
fn looks(log: &[Value]) -> Value {
    let looks = log.iter().filter(|line| line["message"] == "look");
    let each = looks.map(|line| {
        let fields = &line["fields"];
        serde_json::json!([fields["deals"], fields["s"]])
    });
    each.collect()
}

fn record(folder: &Path, name: &str) -> Value {
    serde_json::from_slice(&fs::read(folder.join(name)).unwrap()).unwrap()
}

const RUN: [&str; 13] = [
    "run",
    "nine-spades",
    "--target=1",
    "--sampler",
    "listing",
    "--deals",
    "200K",
    "--seed",
    "7",
    "--out",
    "o",
    "--force",
    "--no-mmap",
];

#[test]
fn a_run_logs_what_it_does_and_its_looks_are_those_of_the_report() {
    let folder = folder();
    let json = ["--log-format", "json"];
    let done = fairdeal(folder.path(), &[&RUN[..], &json].concat());
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    let lines = log(&done);
    let said = messages(&lines);
    assert_eq!(
        said[..3],
        ["listing begun", "listing finished", "run started"]
    );
    let end = &said[said.len() - 2..];
    assert_eq!(end, ["report written", "finished"]);
    let run = record(folder.path(), "o/run.json");
    assert_eq!(looks(&lines), run["evidence"]["looks"]);
    let started = &line(&lines, "run started")["fields"];
    for (field, value) in [
        ("name", &"nine-spades".into()),
        ("deals", &run["deals"]),
        ("seed", &run["seed"]),
        ("generator", &run["generator"]),
        ("threads", &run["threads"]),
        ("total", &run["total"]),
        ("case_file", &run["case_file"]["path"]),
    ] {
        assert_eq!(&started[field], value, "{field}");
    }
    let finished = &line(&lines, "finished")["fields"];
    assert_eq!(finished["verdict"], run["verdict"]);
    assert_eq!(finished["s"], run["evidence"]["largest_s"]);
    assert_eq!(finished["deals"], run["dealt"]);
    // The second finds its listing in the cache.
    let again = log(&fairdeal(folder.path(), &[&RUN[..], &json].concat()));
    assert_eq!(messages(&again)[0], "case file taken from the cache");
    // Nothing but standard error is another.
    let plain = fairdeal(folder.path(), &RUN);
    assert_eq!(stderr(&plain), "");
    let timeless = |text: &str| text.lines().skip(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(timeless(&stdout(&done)), timeless(&stdout(&plain)));
}

#[test]
fn an_interrupted_run_logs_its_checkpoint_and_where_it_goes_on() {
    let folder = folder();
    let run = [
        "run",
        "unconstrained",
        "--target=1",
        "--deals",
        "100G",
        "--out",
        "o",
        "--log-format",
        "json",
    ];
    let stopped = fairdeal(folder.path(), &[&run[..], &["--for", "1s"]].concat());
    let lines = log(&stopped);
    assert_eq!(line(&lines, "stopped")["fields"]["why"], "time limit");
    let is_saved = |line: &&Value| line["message"] == "checkpoint saved";
    let last = lines.iter().rfind(is_saved).unwrap();
    let file = fs::metadata(folder.path().join("o/checkpoint")).unwrap();
    assert_eq!(last["fields"]["bytes"], file.len());
    let resumed = fairdeal(
        folder.path(),
        &[&run[..], &["--resume", "--for", "1s"]].concat(),
    );
    let lines = log(&resumed);
    let from = line(&lines, "resumed from a checkpoint");
    assert!(from["fields"]["deals"].as_u64().unwrap() > 0);
}

#[test]
fn an_audit_logs_its_files_and_its_looks() {
    let folder = folder();
    let deals = fairdeal(folder.path(), "deal unconstrained -n 70000 --seed 5");
    fs::write(folder.path().join("deals.txt"), deals.stdout).unwrap();
    let audit = ["audit", "deals.txt", "--out", "o", "--log-format", "json"];
    let lines = log(&fairdeal(folder.path(), &audit));
    let audit = record(folder.path(), "o/audit.json");
    assert_eq!(looks(&lines), audit["evidence"]["looks"]);
    let read = &line(&lines, "file read")["fields"];
    assert_eq!(
        (&read["file"], &read["format"]),
        (&"deals.txt".into(), &audit["sources"][0]["format"])
    );
    assert_eq!(read["boards"], 70_000);
    let finished = &line(&lines, "finished")["fields"];
    assert_eq!(finished["verdict"], audit["verdict"]);
}

#[test]
fn every_line_of_every_failure_is_an_object_too() {
    let folder = folder();
    let at = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    at("bad.dl", "hcp(west) >=");
    at("two.dl", "hcp(west) >= 15\nproduce 2\nhcp(east) >= 15\n");
    let bad = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/broken/doubled-card.pbn"
    );
    let failing: [(&[&str], i32, &str); 8] = [
        (&["run", "--no-such-option"], 64, "ERROR"),
        (&["no-such-command"], 64, "ERROR"),
        (&["run", "no-such-scenario"], 65, "ERROR"),
        (&["cases", "info", "none.cases"], 65, "ERROR"),
        (&["theory", "bad.dl"], 65, "ERROR"),
        (
            &["number", "encode", "--scheme", "andrews", "N:AKQ"],
            65,
            "ERROR",
        ),
        (&["audit", bad, "--strict", "--out", "o"], 3, "ERROR"),
        (&["deal", "two.dl", "--seed", "1"], 0, "WARN"),
    ];
    for (arguments, wanted, level) in failing {
        for format in [&["--log-format", "json"][..], &["--log-format=json"]] {
            let all = [arguments, format, &["--log", "error"]].concat();
            let done = fairdeal(folder.path(), &all);
            assert_eq!(code(&done), wanted, "{arguments:?} {}", stderr(&done));
            let lines = log(&done);
            assert!(!lines.is_empty(), "{arguments:?}");
            for line in lines {
                assert_eq!(line["level"], level, "{line}");
                let message = line["message"].as_str().unwrap();
                assert!(!message.starts_with("error:") && !message.starts_with("warning:"));
            }
        }
    }
}

#[test]
fn what_is_said_without_logs_is_said_in_the_same_words_with_them() {
    let folder = folder();
    let failing = ["cases", "info", "none.cases"];
    let plain = fairdeal(folder.path(), &failing);
    let text = fairdeal(folder.path(), &[&failing[..], &["--log", "debug"]].concat());
    assert_eq!(stderr(&plain), stderr(&text));
    let json = fairdeal(
        folder.path(),
        &[&failing[..], &["--log-format", "json"]].concat(),
    );
    let message = log(&json)[0]["message"].as_str().unwrap().to_owned();
    assert_eq!(stderr(&plain), format!("error: {message}\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_written_stops_no_run() {
    let folder = folder();
    for format in ["text", "json"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let run = [&RUN[..], &["--log-format", format]].concat();
        let done = program(folder.path(), &run).stderr(full).output().unwrap();
        assert_eq!(code(&done), 0, "{}", stdout(&done));
    }
}

#[test]
fn a_log_of_text_has_the_events_of_one_in_json_and_levels_choose_among_them() {
    let folder = folder();
    let text = |level: &str| {
        let done = fairdeal(folder.path(), &[&RUN[..], &["--log", level]].concat());
        stderr(&done)
    };
    let info = text("info");
    for part in [
        " INFO  cases: listing finished bytes=",
        " INFO  run: run started ",
        " INFO  run: look deals=16384 s=",
        " INFO  run: finished deals=200000 ",
    ] {
        assert!(info.contains(part), "{info}");
    }
    assert_eq!(text("warn"), "");
    assert_eq!(text("error"), "");
}
