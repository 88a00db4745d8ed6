//! Audits of the deals that a command prints, and audits that are killed and resumed.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::audit::{deals, record};
use crate::common::{PROGRAM, code, complaint, fairdeal, fed, folder, rows, start, stderr, stdout};

/// This program as a dealer.
fn dealer(options: &str) -> String {
    format!("{PROGRAM} deal unconstrained -n {{n}} --seed {{seed}} {options}")
}

/// An audit of a command without perfect sets.
fn audit<'w>(command: &'w str, options: &'w str) -> Vec<&'w str> {
    let fixed = [
        "audit",
        "--out=report",
        "--reference=0",
        "--command",
        command,
    ];
    fixed
        .into_iter()
        .chain(options.split_whitespace())
        .collect()
}

/// The files of a report that do not contain times.
fn tables(folder: &Path) -> Vec<(String, String)> {
    let names = [
        "counts.json",
        "sources.csv",
        "tests.csv",
        "repeats.csv",
        "sessions.csv",
        "problems.csv",
    ];
    let read = |name: &str| fs::read_to_string(folder.join("report").join(name));
    let found = names
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), read(name).ok()?)));
    found.collect()
}

#[test]
fn processes_are_read_in_order_and_each_has_its_seed() {
    let folder = folder();
    let folder = folder.path();
    let command = dealer("--format pbn");
    let options = "--seed 5 --boards 40 --deals 100 --name mine";
    let done = fairdeal(folder, &audit(&command, options));
    assert_eq!(code(&done), 4, "{}", stderr(&done));
    let sources = rows(&folder.join("report/sources.csv"));
    let read: Vec<&str> = sources.iter().map(|source| &*source["read"]).collect();
    assert_eq!(read, ["40", "40", "20"]);
    let record_ = record(folder);
    assert_eq!(record_["command"]["seed"], 5);
    assert_eq!(record_["command"]["boards"], 40);
    assert_eq!(record_["deals"], 100);
    // What a process printed is what the named command prints.
    let first = sources[0]["file"].strip_prefix(PROGRAM).unwrap();
    let printed = fairdeal(folder, first).stdout;
    fs::write(folder.join("first.pbn"), printed).unwrap();
    let before = tables(folder);
    let again = fairdeal(folder, &audit(&command, &format!("{options} --threads 1")));
    assert_eq!(code(&again), 4, "{}", stderr(&again));
    assert_eq!(tables(folder), before);
    let other = [
        "audit",
        "first.pbn",
        "--out=first",
        "--reference=0",
        "--distinct-events",
    ];
    assert_eq!(code(&fairdeal(folder, &other)), 4);
    let first = fs::read_to_string(folder.join("first/audit.json")).unwrap();
    let hash = record_["sources"][0]["blake3"].as_str().unwrap();
    assert!(first.contains(hash), "{hash}");
    // The contents are known again, under another name.
    let compared = fairdeal(folder, "compare report first");
    let told = stdout(&compared);
    let words: Vec<&str> = told.split_whitespace().collect();
    assert!(words.join(" ").contains("have the same deals"), "{told}");
    let compared = fairdeal(folder, "compare report report");
    assert!(String::from_utf8_lossy(&compared.stdout).contains("the same run twice: identical"));
    // A finished audit is not made again.
    let finished = fairdeal(folder, &audit(&command, &format!("{options} --resume")));
    assert!(String::from_utf8_lossy(&finished.stdout).contains("already finished"));
}

#[test]
fn a_process_that_fails_ends_the_audit_with_one_line() {
    let folder = folder();
    let folder = folder.path();
    let script = "#!/bin/sh
[ $2 = late ] && [ -e first ] && { echo two >&2; exit 9; }
touch first
[ $2 = other ] && [ -e second ] && exec DEALER --seed $1 -n 30 --format lin
touch second
DEALER --seed $1 -n 30 --format pbn
case $2 in
die) printf '[Board \"31\"]\\n[Deal \"N:AK'; echo boom >&2; exit 7;;
hang) exec sleep 100;;
flood) yes noise | head -c 3000000 >&2; exit 1;;
half) printf '[Board \"31\"]\\n[Deal \"N:AK';;
start) printf '[Boa';;
end) printf '[Result \"?';;
noise) yes noise | head -c 3000000 >&2;;
change) DEALER --seed 4 -n 30 --format lin;;
killed) kill -9 $$;;
esac
";
    let path = folder.join("dealer.sh");
    let script = script.replace("DEALER", &format!("{PROGRAM} deal unconstrained"));
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    for (how, exit, words, tested) in [
        (
            "die",
            65,
            "exit status: 7: its standard error ends with `boom`",
            30,
        ),
        ("hang", 65, "it has printed nothing for 1s", 30),
        (
            "flood",
            65,
            "exit status: 1: its standard error ends with `",
            30,
        ),
        (
            "half",
            65,
            "it ended within line 486, which has no line end",
            30,
        ),
        (
            "start",
            65,
            "it ended within line 485, which has no line end",
            30,
        ),
        (
            "end",
            65,
            "it ended within line 485, which has no line end",
            30,
        ),
        ("change", 65, "changes from pbn to lin at line 485", 30),
        ("killed", 65, "signal: 9", 30),
        (
            "late",
            65,
            "exit status: 9: its standard error ends with `two`",
            30,
        ),
        ("other", 65, "prints lin; earlier processes print pbn", 60),
    ] {
        let options = "--boards 30 --deals 90 --stall 1s --threads 1 --quiet --force";
        _ = fs::remove_file(folder.join("first"));
        _ = fs::remove_file(folder.join("second"));
        let done = fairdeal(
            folder,
            &audit(&format!("./dealer.sh {{seed}} {how}"), options),
        );
        let line = complaint(&done);
        assert!(line.contains(words) && line.len() < 1_000, "{how}: {line}");
        assert_eq!(record(folder)["deals"], tested, "{how}");
        assert_eq!(code(&done), exit, "{how}");
    }
    let noise = audit(
        "./dealer.sh {seed} noise",
        "--boards 30 --deals 90 --quiet --force",
    );
    let done = fairdeal(folder, &noise);
    assert_eq!((code(&done), stderr(&done)), (4, String::new()));
    assert_eq!(record(folder)["deals"], 90);
    for (command, words) in [
        ("./missing", "cannot be started"),
        ("true", "is empty"),
        ("echo a", "format not recognised"),
        ("sh -c 'echo bad >&2; exit 3'", "`bad`"),
    ] {
        let done = fairdeal(folder, &audit(command, "--deals 90 --quiet --force"));
        assert_eq!(code(&done), 65, "{command}");
        assert!(
            complaint(&done).contains(words),
            "{command}: {}",
            stderr(&done)
        );
    }
}

#[test]
fn a_process_that_failed_is_started_again_with_its_seed() {
    let folder = folder();
    let folder = folder.path();
    let script = format!(
        "#!/bin/sh
[ -e bad ] && [ $(($1 % 2)) = 1 ] && {{ {} --seed $1 -n 20 --format pbn; exit 4; }}
exec {0} --seed $1 -n 50 --format pbn
",
        format_args!("{PROGRAM} deal unconstrained")
    );
    let path = folder.join("dealer.sh");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let audit = |options: &str| {
        let fixed = "--boards 50 --deals 200 --quiet";
        let options = format!("{fixed} {options}");
        code(&fairdeal(folder, &audit("./dealer.sh {seed}", &options)))
    };
    assert_eq!(audit("--seed 1"), 4);
    let whole = tables(folder);
    fs::write(folder.join("bad"), "").unwrap();
    assert_eq!(audit("--seed 1 --force"), 65);
    assert_eq!(record(folder)["deals"], 70);
    fs::remove_file(folder.join("bad")).unwrap();
    assert_eq!(audit("--resume"), 4);
    assert_eq!(tables(folder), whole);
}

/// Kills an audit at moments of its life and resumes it to its end; compares its tables with those
/// of an audit that was not killed.
fn killed_and_resumed(folder: &Path, command: &[&str], kills: u64) {
    let done = fairdeal(folder, &[command, &["--quiet"]].concat());
    assert!([0, 2, 4].contains(&code(&done)), "{}", stderr(&done));
    let whole = tables(folder);
    fs::remove_dir_all(folder.join("report")).unwrap();
    let resume = [command, &["--quiet", "--resume", "--checkpoint=1ms"]].concat();
    for kill in 0..kills {
        let mut child = start(folder, &resume);
        drop(child.stdin.take());
        let mut turns = 0;
        while !folder.join("report/checkpoint").exists()
            && child.try_wait().unwrap().is_none()
            && turns < 5_000
        {
            thread::sleep(Duration::from_millis(2));
            turns += 1;
        }
        thread::sleep(Duration::from_millis(kill * 37 % 400));
        _ = child.kill();
        child.wait().unwrap();
    }
    let done = fairdeal(folder, &resume);
    assert!([0, 2, 4].contains(&code(&done)), "{}", stderr(&done));
    for ((name, found), (_, expected)) in tables(folder).iter().zip(&whole) {
        assert_eq!(found, expected, "{name}");
    }
    assert!(!folder.join("report/checkpoint").exists());
}

/// Two files, the second of which has boards of the first: replays and repeats.
fn files(folder: &Path, boards: &str) {
    let first = deals(
        folder,
        &[
            "unconstrained",
            "--seed",
            "3",
            "-n",
            boards,
            "--format",
            "pbn",
        ],
    );
    let second = deals(
        folder,
        &[
            "unconstrained",
            "--seed",
            "4",
            "-n",
            boards,
            "--format",
            "lin",
        ],
    );
    fs::write(folder.join("a.pbn"), &first).unwrap();
    fs::write(folder.join("b.lin"), &second).unwrap();
    let half = String::from_utf8(first).unwrap();
    fs::write(
        folder.join("c.pbn"),
        half.replace("[Board \"1", "[Board \"2"),
    )
    .unwrap();
}

const FILES: [&str; 7] = [
    "audit",
    "a.pbn",
    "b.lin",
    "c.pbn",
    "--out=report",
    "--reference=0",
    "--session=36",
];

#[test]
fn a_killed_audit_of_files_ends_with_the_same_tables() {
    let folder = folder();
    files(folder.path(), "3000");
    killed_and_resumed(folder.path(), &FILES, 2);
}

#[test]
fn a_killed_audit_of_a_command_ends_with_the_same_tables() {
    let folder = folder();
    let command = dealer("--format pbn");
    let options = "--seed 11 --boards 1500 --deals 5000";
    killed_and_resumed(folder.path(), &audit(&command, options), 2);
}

#[test]
#[ignore = "long"]
fn audits_that_are_killed_thirty_times_end_with_the_same_tables() {
    let folder = folder();
    let folder = folder.path();
    files(folder, "200000");
    killed_and_resumed(folder, &FILES, 30);
    fs::remove_dir_all(folder.join("report")).unwrap();
    let command = dealer("--format pbn");
    let options = "--seed 11 --boards 70000 --deals 1M";
    killed_and_resumed(folder, &audit(&command, options), 30);
}

#[test]
fn a_stopped_audit_goes_on_and_notices_a_modified_file() {
    let folder = folder();
    let folder = folder.path();
    let defect = "unconstrained --defect random-unfilled-hand --seed 3 -n 20000 --format pbn";
    let defect: Vec<&str> = defect.split_whitespace().collect();
    let boards = deals(folder, &defect);
    fs::write(folder.join("a.pbn"), &boards).unwrap();
    let command = "audit a.pbn --out report --reference 0 --quiet";
    let stop = || {
        let until = format!("{command} --until suspicious --force");
        assert_eq!(code(&fairdeal(folder, &until)), 2);
        let record = record(folder);
        assert_eq!(record["stopped"], "verdict");
        assert_eq!(record["deals"], 16_384);
    };
    stop();
    // Unfinished work is not replaced.
    assert_eq!(code(&fairdeal(folder, command)), 64);
    let resume = format!("{command} --resume");
    assert_eq!(code(&fairdeal(folder, &resume)), 2);
    assert_eq!(record(folder)["deals"], 20_000);
    stop();
    let text = String::from_utf8(boards.clone()).unwrap();
    fs::write(
        folder.join("a.pbn"),
        text.replacen("[Deal \"N:", "[Deal \"E:", 1),
    )
    .unwrap();
    let modified = fairdeal(folder, &resume);
    assert_eq!(code(&modified), 65);
    assert!(complaint(&modified).contains("a.pbn was modified"));
    // The boards of a pipe follow those that are counted.
    let pipe = "audit - --out piped --reference 0 --quiet";
    let fed = |options: &str| fed(folder, &format!("{pipe} {options}"), &boards);
    assert_eq!(code(&fed("--until suspicious")), 2);
    assert_eq!(code(&fed("--resume --distinct-events")), 64);
    assert_eq!(code(&fed("--resume")), 2);
    let sources = rows(&folder.join("piped/sources.csv"));
    let read: Vec<&str> = sources.iter().map(|source| &*source["read"]).collect();
    assert_eq!(read, ["16384", "20000"]);
}

#[test]
fn a_process_that_hangs_does_not_outlive_a_killed_audit() {
    let folder = folder();
    let folder = folder.path();
    let script = "#!/bin/sh\nsleep 100 & echo $! > pid.new\nmv pid.new pid\nwait\n";
    let path = folder.join("dealer.sh");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let mut child = start(folder, &audit("./dealer.sh {seed}", "--threads 1"));
    let until = |what: &dyn Fn() -> bool| {
        let turns = (0..5_000).take_while(|_| !what());
        assert!(
            turns
                .inspect(|_| thread::sleep(Duration::from_millis(2)))
                .count()
                < 5_000
        );
    };
    until(&|| folder.join("pid").exists());
    let pid = fs::read_to_string(folder.join("pid")).unwrap();
    let is_running = || {
        let done = Command::new("kill").args(["-0", pid.trim()]).output();
        done.unwrap().status.success()
    };
    assert!(is_running());
    child.kill().unwrap();
    child.wait().unwrap();
    until(&|| !is_running());
}

/// Audits a command as a whole, and in three parts that are merged; the counts must be equal.
fn merged(folder: &Path, command: &str, options: &str, exit: i32) {
    let of = |out: &str, part: &str| {
        let options = format!("--seed 11 --boards 40 --deals 1200 --out {out} {options} {part}");
        let mut words = audit(command, &options);
        words.retain(|word| *word != "--out=report");
        let done = fairdeal(folder, &words);
        assert_eq!(code(&done), exit, "{}", stderr(&done));
    };
    of("whole", "");
    for part in 1..=3 {
        of(&format!("parts/{part}"), &format!("--part {part}/3"));
    }
    let merge = "merge parts/1 parts/3 parts/2 -o merged --quiet --force";
    assert_eq!(code(&fairdeal(folder, merge)), exit);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("merged/counts.json"), read("whole/counts.json"));
}

#[test]
fn parts_under_a_condition_merge_into_the_whole() {
    let folder = folder();
    let folder = folder.path();
    let command = dealer("--format pbn").replace("unconstrained", "--where 'hcp(north) >= 15'");
    for (condition, exit) in [("hcp(north)>=15", 4), ("hcp(north)>=16", 3)] {
        let options = format!("--where {condition} --force");
        merged(folder, &command, &options, exit);
        let kinds = |name: &str| {
            let rows = rows(&folder.join(name)).into_iter();
            rows.map(|row| row["kind"].clone()).collect::<Vec<_>>()
        };
        let kinds = [kinds("whole/problems.csv"), kinds("merged/problems.csv")];
        assert_eq!(kinds[0], kinds[1], "{condition}");
        assert_eq!(kinds[0].iter().any(|kind| kind == "foreign"), exit == 3);
        let record = fs::read_to_string(folder.join("merged/audit.json")).unwrap();
        let record: Value = serde_json::from_str(&record).unwrap();
        assert_eq!(record["expected"], "exact");
    }
}

#[test]
fn parts_share_no_seed_and_merge_into_the_whole() {
    let folder = folder();
    let folder = folder.path();
    let command = dealer("--format pbn");
    merged(folder, &command, "", 4);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let sorted = |name: &str| {
        let text = read(name);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let sources = sorted("merged/sources.csv");
    assert_eq!(sources, sorted("whole/sources.csv"));
    assert_eq!(sources.len(), 31);
    let sessions = |name: &str| {
        let mut rows = rows(&folder.join(name));
        let mut rows: Vec<String> = rows
            .iter_mut()
            .map(|row| row.remove("flatness_z").unwrap())
            .collect();
        rows.sort();
        rows
    };
    assert_eq!(
        sessions("merged/sessions.csv"),
        sessions("whole/sessions.csv")
    );
    // A finished part is not read again.
    let options = "--seed 11 --boards 40 --deals 1200 --out parts/2 --part 2/3 --resume";
    let mut words = audit(&command, options);
    words.retain(|word| *word != "--out=report");
    let again = fairdeal(folder, &words);
    assert!(
        stdout(&again).contains("already finished"),
        "{}",
        stderr(&again)
    );
    let record: Value = serde_json::from_str(&read("parts/2/audit.json")).unwrap();
    assert_eq!(record["command"]["part"]["part"], 2);
    let record: Value = serde_json::from_str(&read("merged/audit.json")).unwrap();
    assert_eq!(record["parts"][2]["deals"], 400);
    let refused = |words: &str, expected: &str| {
        let done = fairdeal(folder, words);
        assert_eq!(code(&done), 65, "{}", stderr(&done));
        assert!(complaint(&done).contains(expected), "{}", stderr(&done));
    };
    refused("merge parts/1 parts/3 -o two", "part 2/3 is missing");
    refused("merge parts/1 parts/1 -o two", "are both part 1/3");
    refused("merge parts/1 whole -o two", "no report of a part");
    fs::remove_file(folder.join("parts/2/checkpoint")).unwrap();
    refused("merge parts/1 parts/2 parts/3 -o two", "is missing");
}
