//! `squaredeal`: tournaments whose boards anyone can check.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use fairdeal::Deal;
use serde_json::Value;

use crate::common::{code, fairdeal, folder, stderr, stdout};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/squaredeal")
}

/// The World Bridge Games of 2024 in this folder: description, keys, and the boards that were
/// played, as a file of numbered PBN for each session.
fn games(folder: &Path) {
    for name in ["wbg2024.sqd", "wbg2024.sqk"] {
        fs::copy(fixtures().join(name), folder.join(name)).unwrap();
    }
}

fn run(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let done = fairdeal(folder, &[&["squaredeal"], arguments].concat());
    (code(&done), stdout(&done) + &stderr(&done))
}

fn dealt(folder: &Path, arguments: &[&str]) -> String {
    let (code, out) = run(folder, &[&["deal"], arguments].concat());
    assert_eq!(code, 0, "{out}");
    out
}

#[test]
fn the_boards_of_a_championship_are_dealt_again() {
    let folder = folder();
    games(folder.path());
    // The published boards are in the order of the files' names.
    let mut lines = Vec::new();
    for phase in ["7", "3", "1", "5", "4", "6", "2"] {
        let options = ["--phase", phase, "--joined", "--format", "line"];
        let out = dealt(
            folder.path(),
            &[&["wbg2024.sqd", "wbg2024.sqk"], &options[..]].concat(),
        );
        lines.extend(
            out.lines()
                .map(|line| line.trim_start_matches("N:").to_owned()),
        );
    }
    let published = fs::read_to_string(fixtures().join("wbg2024-deals.txt")).unwrap();
    let published: Vec<&str> = published.lines().map(str::trim_end).collect();
    assert_eq!(lines.len(), 1_186);
    assert_eq!(lines, published);
}

#[test]
fn hand_records_are_compared_board_by_board() {
    let folder = folder();
    games(folder.path());
    let event = ["wbg2024.sqd", "wbg2024.sqk"];
    dealt(folder.path(), &[&event[..], &["-o", "boards"]].concat());
    let mut names: Vec<String> = fs::read_dir(folder.path().join("boards"))
        .unwrap()
        .map(|entry| format!("boards/{}", entry.unwrap().file_name().to_str().unwrap()))
        .collect();
    names.sort();
    assert_eq!(names.len(), 90);
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    let verify = |files: &[&str]| {
        let (code, text) = run(
            folder.path(),
            &[&["verify"], &event[..], files, &["--json"]].concat(),
        );
        (
            code,
            serde_json::from_str::<Value>(&text).unwrap_or_else(|_| panic!("{text}")),
        )
    };
    let (code, whole) = verify(&all);
    assert_eq!((code, &whole["given"]), (0, &1_186.into()), "{whole}");
    let (code, text) = run(folder.path(), &[&["verify"], &event[..], &all[..]].concat());
    assert_eq!(code, 0);
    assert!(text.contains("all boards agree"), "{text}");
    assert!(text.contains("272 of 272 agree"), "{text}");

    // A session that is missing, and a board of another.
    let (code, found) = verify(&["boards/FIN1.pbn"]);
    assert_eq!((code, &found["agrees"]), (1, &true.into()));
    assert_eq!(found["phases"][6]["absent"][0], "FIN2");
    let session = fs::read_to_string(folder.path().join("boards/FIN1.pbn")).unwrap();
    let boards: Vec<&str> = session.split("[Event ").collect();
    let rest = [&boards[..1], &boards[2..]].concat().join("[Event ");
    fs::write(folder.path().join("rest.pbn"), rest).unwrap();
    let (code, found) = verify(&["rest.pbn"]);
    assert_eq!(code, 1);
    assert_eq!(
        found["phases"][6]["incomplete"][0],
        serde_json::json!(["FIN1", [1]])
    );

    // The order changed: each board has the cards of the other.
    let tag = |board: usize| {
        let (_, rest) = boards[board].split_once("[Deal \"").unwrap();
        rest.split('"').next().unwrap()
    };
    let swapped = session
        .replace(tag(3), "X")
        .replace(tag(4), tag(3))
        .replace('X', tag(4));
    fs::write(folder.path().join("swapped.pbn"), swapped).unwrap();
    let (code, found) = verify(&["swapped.pbn"]);
    assert_eq!(code, 2);
    assert_eq!(found["wrong"][0]["board"], 3);
    assert_eq!(
        found["wrong"][0]["fault"],
        "it has the cards of board 4 of FIN1"
    );
    // Two cards of a board are exchanged.
    let changed = tag(5)
        .replacen('A', "X", 1)
        .replacen('K', "A", 1)
        .replace('X', "K");
    fs::write(
        folder.path().join("changed.pbn"),
        session.replace(tag(5), &changed),
    )
    .unwrap();
    let (code, found) = verify(&["changed.pbn"]);
    assert_eq!(code, 2);
    let fault = found["wrong"][0]["fault"].as_str().unwrap();
    let expected = format!(
        "it is no board of this tournament; FIN1 has {} there",
        tag(5)
    );
    assert_eq!(fault, expected);

    // Another key, or another value.
    let keys = fs::read_to_string(folder.path().join("wbg2024.sqk")).unwrap();
    fs::write(
        folder.path().join("wbg2024.sqk"),
        keys.replacen("hrz", "hrx", 1),
    )
    .unwrap();
    let (code, found) = verify(&["boards/FIN1.pbn"]);
    assert_eq!((code, &found["hash_agrees"]), (2, &false.into()));
    let (code, text) = run(folder.path(), &[&["deal"], &event[..]].concat());
    assert_eq!(code, 65, "{text}");
    games(folder.path());
    let description = fs::read_to_string(folder.path().join("wbg2024.sqd")).unwrap();
    let other = description.replace("43275.91", "43275.92");
    fs::write(folder.path().join("wbg2024.sqd"), other).unwrap();
    let (code, found) = verify(&["boards/FIN1.pbn"]);
    assert_eq!((code, found["wrong"].as_array().unwrap().len()), (2, 16));
}

#[test]
fn a_tournament_is_prepared_valued_dealt_and_verified() {
    let folder = folder();
    let new = [
        "new",
        "spring",
        "--name",
        "Spring Pairs",
        "--value-name",
        "a value",
    ];
    let phases = [
        "--phase",
        "2:3x7:S#:Session #/2",
        "--phase",
        "0:?:X##:Extra #",
    ];
    let (code, text) = run(folder.path(), &[&new[..], &phases].concat());
    assert_eq!(code, 0, "{text}");
    let (code, text) = run(folder.path(), &[&new[..], &phases].concat());
    assert_eq!(code, 74, "{text}");
    let dotted = [
        "new",
        "spring.2027",
        "--name",
        "x",
        "--value-name",
        "y",
        "--phase",
        "1:2:S:s",
    ];
    assert_eq!(run(folder.path(), &dotted).0, 0);
    for name in ["spring.2027.sqd", "spring.2027.sqk"] {
        assert!(folder.path().join(name).exists(), "{name}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let keys = fs::metadata(folder.path().join("spring.sqk")).unwrap();
        assert_eq!(keys.permissions().mode() & 0o077, 0);
    }
    let description = fs::read_to_string(folder.path().join("spring.sqd")).unwrap();
    assert!(
        description.contains("SN 2:1-7,8-14,15-21:S#:Session #/2\r\n"),
        "{description}"
    );
    let (code, text) = run(
        folder.path(),
        &["deal", "spring.sqd", "spring.sqk", "--phase", "1"],
    );
    assert_eq!(code, 65, "{text}");
    assert!(text.contains("has no value"), "{text}");
    let (code, text) = run(folder.path(), &["value", "spring.sqd", "44,882.13"]);
    assert_eq!((code, &*text), (0, "spring.sqd: the value is 4488213\n"));
    assert_eq!(run(folder.path(), &["value", "spring.sqd", "1"]).0, 65);
    let event = ["spring.sqd", "spring.sqk"];
    let one = [&event[..], &["--phase", "1"]].concat();
    dealt(folder.path(), &one);
    assert_eq!(run(folder.path(), &[&["deal"], &one[..]].concat()).0, 74);
    dealt(
        folder.path(),
        &[&one[..], &["--reserve", "--force"]].concat(),
    );
    let extra = [
        "--phase",
        "2",
        "--session",
        "5",
        "--boards",
        "17-20",
        "--format",
        "lin",
    ];
    dealt(folder.path(), &[&event[..], &extra].concat());
    for (refused, words) in [
        (&["--phase", "2"][..], "does not say how many sessions"),
        (
            &["--phase", "2", "--session", "5"],
            "does not say which boards",
        ),
        (&["--phase", "1", "--session", "3"], "has 2 sessions"),
        (&["--phase", "3"], "no such phase"),
    ] {
        let (code, text) = run(folder.path(), &[&["deal"], &event[..], refused].concat());
        assert!(code == 64 && text.contains(words), "{text}");
    }
    let files = ["S1.pbn", "S2.pbn", "X05.lin"];
    let (code, text) = run(folder.path(), &[&["verify"], &event[..], &files].concat());
    assert_eq!(code, 0, "{text}");
    let (code, text) = run(
        folder.path(),
        &[&["verify"], &event[..], &["S1-reserve.pbn"]].concat(),
    );
    assert!(code == 1 && text.contains("7 of the reserve set"), "{text}");
}

#[test]
fn an_audit_compares_boards_with_their_tournament_on_its_first_page() {
    let folder = folder();
    let at = folder.path();
    games(at);
    let event = ["wbg2024.sqd", "wbg2024.sqk"];
    dealt(at, &[&event[..], &["-o", "boards"]].concat());
    let audit = |arguments: &[&str]| {
        let options = ["--out=report", "--force", "--reference=0"];
        let done = fairdeal(at, &[&["audit"], arguments, &options].concat());
        (code(&done), stdout(&done) + &stderr(&done))
    };
    let record = || -> Value {
        serde_json::from_slice(&fs::read(at.join("report/audit.json")).unwrap()).unwrap()
    };
    let first_page = || {
        let page = fs::read_to_string(at.join("report/report.html")).unwrap();
        let (_, summary) = page.split_once("<section class=\"summary\"").unwrap();
        let (summary, _) = summary.split_once("</section>").unwrap();
        (page.clone(), summary.to_owned())
    };
    let files = [event[0], event[1], "boards/FIN1.pbn", "boards/FIN2.pbn"];
    let heading = ["--organiser=A <Club>", "--date=20 March 2027"];
    let (exit, text) = audit(&[&files[..], &heading].concat());
    assert_eq!(exit, 4, "{text}");
    assert!(text.contains("Proof"), "{text}");
    let (page, summary) = first_page();
    let name = record()["squaredeal"]["tournament"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(page.contains(&format!("<h1>{name}</h1>")), "{name}");
    for told in [
        "A &#60;Club&#62;",
        "20 March 2027",
        "No evidence against fair dealing was found in 32 boards.",
        "all 32 boards given are those of keys and value",
        "other boards of the tournament were not given",
        "Tests of 32 boards can show a stacked deck",
        "boards/FIN1.pbn",
    ] {
        assert!(summary.contains(told), "{told}: {summary}");
    }
    for symbol in ["INCONCLUSIVE", "S = ", "p = "] {
        assert!(!summary.contains(symbol), "{symbol}");
    }
    // Two boards have changed places, and one has another number.
    let session = fs::read_to_string(at.join("boards/FIN1.pbn")).unwrap();
    let swapped = session
        .replace("[Board \"1\"]", "[Board \"X\"]")
        .replace("[Board \"2\"]", "[Board \"1\"]")
        .replace("[Board \"X\"]", "[Board \"2\"]");
    let swapped = swapped.replace("[Board \"9\"]", "[Board \"99\"]");
    fs::write(at.join("swapped.pbn"), swapped).unwrap();
    let titled = ["swapped.pbn", "--title=The final"];
    let (_, text) = audit(&[&event[..], &titled].concat());
    assert!(text.contains("fails: 3 of the 16 boards"), "{text}");
    let (page, summary) = first_page();
    assert!(page.contains("<h1>The final</h1>"));
    assert!(summary.contains("swapped.pbn:"), "{summary}");
    assert_eq!(record()["squaredeal"]["agrees"], false);
    for (given, words) in [
        (&["wbg2024.sqd", "swapped.pbn"][..], "needs its keys (.sqk)"),
        (&["wbg2024.sqk", "swapped.pbn"], "need a description (.sqd)"),
        (&event, "add their files"),
    ] {
        let (exit, text) = audit(given);
        assert!(exit == 64 && text.contains(words), "{exit}: {text}");
    }
}

#[test]
fn the_dialogue_asks_for_what_is_not_given() {
    use std::io::Write as _;
    use std::process::Stdio;
    let folder = folder();
    let mut child = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .current_dir(folder.path())
        .args(["squaredeal", "new", "asked", "--value-name", "a value"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let answers = "Autumn Teams\n2\n20\nA#\nRound #\nx\n1\nb\nc\n1\n?\nF\nFinal\n\n";
    child
        .stdin
        .take()
        .unwrap()
        .write_all(answers.as_bytes())
        .unwrap();
    let done = child.wait_with_output().unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    assert!(String::from_utf8_lossy(&done.stderr).contains("`x` is not a number from 0 to 9999"));
    let description = fs::read_to_string(folder.path().join("asked.sqd")).unwrap();
    for line in ["TN Autumn Teams", "SN 2:20:A#:Round #", "SN 1:?:F:Final"] {
        assert!(description.contains(line), "{description}");
    }
    let keys = fs::read_to_string(folder.path().join("asked.sqk")).unwrap();
    assert_eq!(keys.lines().count(), 3);
    assert!(
        keys.lines()
            .all(|line| line.split_once(':').unwrap().1.len() == 60)
    );
}

/// Compares the boards of random tournaments with those of the second implementation.
fn compare_with_python(seeds: Range<u32>) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/make/squaredeal.py");
    let all = folder();
    let mut python = Command::new("python3");
    let bounds = [seeds.start, seeds.end].map(|seed| seed.to_string());
    let done = python.arg(&script).arg("random").args(bounds);
    let done = done.arg(all.path()).output().unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    for seed in seeds {
        let folder = all.path().join(seed.to_string());
        for word in ["original", "reserve"] {
            let theirs = fs::read_to_string(folder.join(word)).unwrap();
            let mut sessions: Vec<[&str; 2]> = Vec::new();
            let mut ours = String::new();
            for line in theirs.lines() {
                let words: Vec<&str> = line.splitn(4, ' ').collect();
                let place = [words[0], words[1]];
                if sessions.last() != Some(&place) {
                    sessions.push(place);
                    let [phase, session] = place;
                    let mut options =
                        vec!["t.sqd", "t.sqk", "--phase", phase, "--session", session];
                    options.extend(["--joined", "--format", "pbn"]);
                    options.extend((word == "reserve").then_some("--reserve"));
                    let dealt = dealt(&folder, &options);
                    let value = |line: &str| line.split('"').nth(1).unwrap().to_owned();
                    for line in dealt.lines() {
                        if line.starts_with("[Board ") {
                            ours += &format!("{phase} {session} {} ", value(line));
                        } else if line.starts_with("[Deal ") {
                            // The first hand is the dealer's.
                            let deal: Deal = value(line).parse().unwrap();
                            ours += &format!("{}\n", &deal.to_string()[2..]);
                        }
                    }
                }
            }
            assert_eq!(ours, theirs, "seed {seed}, {word}");
        }
    }
}

#[test]
fn random_tournaments_are_those_of_the_second_implementation() {
    compare_with_python(0..4);
}

#[test]
#[ignore = "long: a thousand tournaments"]
fn a_thousand_random_tournaments_are_those_of_the_second_implementation() {
    compare_with_python(12..1_012);
}
