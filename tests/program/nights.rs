//! `fairdeal night`: tasks, nights that are compared, and nights that are interrupted.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{PROGRAM, code, complaint, fairdeal, folder, printed, stderr, stdout};

/// A file with a run and an audit of a command.
fn tasks(folder: &Path) {
    let text = format!(
        r#"folder = "all"
keep = 2
options = ["--target", "1000", "--deals", "1100"]

[[task]]
name = "spades"
run = ["nine-spades", "--deals", "1200"]

[[task]]
name = "dealer"
audit = ["--command", "{PROGRAM} deal unconstrained -n {{n}} --seed {{seed}} --format pbn",
    "--reference", "0", "--boards", "600", "--seed", "3"]
"#
    );
    fs::write(folder.join("nights.toml"), text).unwrap();
}

fn results(line: &str) -> Vec<Value> {
    assert_eq!(line.lines().count(), 1, "{line}");
    serde_json::from_str(line).unwrap()
}

#[test]
fn nights_are_compared_and_their_evidence_is_combined() {
    let folder = folder();
    let folder = folder.path();
    tasks(folder);
    let mut names = Vec::new();
    let mut combined = 0.0;
    for number in 0..3 {
        let done = fairdeal(folder, "night nights.toml --json");
        assert!([0, 4].contains(&code(&done)), "{}", stderr(&done));
        let results = results(&stdout(&done));
        let named: Vec<&str> = results
            .iter()
            .map(|result| result["task"].as_str().unwrap())
            .collect();
        assert_eq!(named, ["spades", "dealer"]);
        let [run, audit] = &results[..] else {
            panic!("two tasks")
        };
        assert_eq!(
            (&run["deals"], &audit["deals"]),
            (&1200.into(), &1100.into())
        );
        combined += run["s"].as_f64().unwrap_or(0.0);
        assert!((run["combined_s"].as_f64().unwrap() - combined).abs() < 1e-9);
        // The audit has the same seed every night, so later nights are no new evidence.
        let first = audit["s"].as_f64().unwrap_or(0.0);
        assert!((audit["combined_s"].as_f64().unwrap() - first).abs() < 1e-9);
        let compared = &audit["compared"];
        match number {
            0 => assert!(compared.is_null()),
            _ => assert_eq!(compared[0], "ALIKE"),
        }
        names.push(run["night"].as_str().unwrap().to_owned());
    }
    let all = folder.join("all");
    assert!(!all.join(&names[0]).exists() && all.join(&names[1]).exists());
    assert!(all.join("latest").exists() && all.join("latest/dealer/sources.csv").exists());
    let page = fs::read_to_string(all.join("index.html")).unwrap();
    assert!(names.iter().all(|name| page.contains(name)), "{page}");
    // What is printed for a person.
    let lines = stdout(&fairdeal(folder, "night nights.toml"));
    assert_eq!(lines.lines().count(), 2, "{lines}");
}

#[test]
fn a_seed_of_any_earlier_night_is_no_new_evidence() {
    let folder = folder();
    let folder = folder.path();
    let night = |seed: u32| {
        let text = format!(
            "options = [\"--target\", \"1000\", \"--deals\", \"1100\"]\n\
             [[task]]\nname = \"a\"\nrun = [\"unconstrained\", \"--seed\", \"{seed}\"]\n"
        );
        fs::write(folder.join("a.toml"), text).unwrap();
        let done = fairdeal(folder, "night a.toml --json");
        let result = results(&stdout(&done)).remove(0);
        ["s", "combined_s"].map(|name| result[name].as_f64().unwrap())
    };
    let (first, second, third) = (night(1), night(2), night(1));
    assert!((second[1] - first[1] - second[0]).abs() < 1e-9);
    assert!((third[0] - first[0]).abs() < 1e-9 && (third[1] - second[1]).abs() < 1e-9);
}

#[test]
fn a_night_goes_on_with_the_tasks_that_are_not_done() {
    let folder = folder();
    let folder = folder.path();
    tasks(folder);
    let path = folder.join("nights.toml");
    let sound = fs::read_to_string(&path).unwrap();
    fs::write(&path, sound.replace(PROGRAM, "./missing")).unwrap();
    let failed = fairdeal(folder, "night nights.toml --quiet");
    assert_eq!(code(&failed), 65);
    assert!(
        stderr(&failed).contains("task `dealer` ended with exit code 65"),
        "{}",
        stderr(&failed)
    );
    let results = || -> Value {
        serde_json::from_str(&fs::read_to_string(folder.join("all/nights.json")).unwrap()).unwrap()
    };
    assert!(results()["unfinished"].is_string());
    fs::write(&path, &sound).unwrap();
    let done = fairdeal(folder, "night nights.toml --quiet");
    assert!([0, 4].contains(&code(&done)), "{}", stderr(&done));
    let results = results();
    let nights: Vec<&Value> = results["results"].as_array().unwrap().iter().collect();
    assert_eq!(
        (nights.len(), &nights[0]["night"]),
        (2, &nights[1]["night"])
    );
    assert!(results["unfinished"].is_null());
}

#[test]
fn a_wrong_file_is_refused_before_the_night() {
    let folder = folder();
    let folder = folder.path();
    for (text, exit, words) in [
        ("folder = 3", 65, "line 1"),
        ("[[task]]\nname = \"a\"\nruns = []", 65, "line 3"),
        (
            "[[task]]\nname = \"a/b\"\nrun = []",
            64,
            "a name has letters",
        ),
        ("[[task]]\nname = \"a\"", 64, "either `run` or `audit`"),
        (
            "[[task]]\nname = \"a\"\nrun = [\"--nothing\"]",
            64,
            "task `a`: unexpected argument",
        ),
    ] {
        fs::write(folder.join("a.toml"), text).unwrap();
        let done = fairdeal(folder, "night a.toml");
        assert_eq!(code(&done), exit, "{text}");
        assert!(complaint(&done).contains(words), "{}", stderr(&done));
    }
    fs::write(folder.join("a.toml"), "task = []").unwrap();
    for (scheduler, words) in [
        ("cron", "30 6 * * * "),
        ("systemd", "OnCalendar=*-*-* 06:30"),
        ("windows", "/ST 06:30"),
    ] {
        let lines = printed(
            folder,
            &format!("night a.toml --at 6:30 --schedule {scheduler}"),
        );
        assert!(lines.contains(words), "{lines}");
    }
}

#[test]
fn folders_that_are_not_nights_are_never_removed() {
    let folder = folder();
    let folder = folder.path();
    tasks(folder);
    fs::create_dir_all(folder.join("all")).unwrap();
    fs::create_dir(folder.join("kept")).unwrap();
    let nights = r#"{ "unfinished": "../kept", "results": [] }"#;
    fs::write(folder.join("all/nights.json"), nights).unwrap();
    let refused = fairdeal(folder, "night nights.toml");
    assert_eq!(code(&refused), 65);
    let told = stderr(&refused);
    assert!(
        told.contains("`../kept` is not the name of a night"),
        "{told}"
    );
    assert!(folder.join("kept").exists());
}
