//! The README's examples, run: every line of its console blocks is in a table here that says how
//! it is scaled down and how it ends. A new example has to be told here what is expected of it.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use crate::common::{fairdeal, folder, stdout};

/// What is expected of an example.
enum Expected {
    /// It is run with this in the place of that, more words, and ends with an exit code.
    Run {
        changes: &'static [(&'static str, &'static str)],
        more: &'static str,
        code: i32,
        /// Where its output goes, if not to standard output.
        writes: Option<&'static str>,
    },
    /// It is no command of ours.
    Other,
}

use Expected::Other;

/// Ends with this exit code, with more words.
const fn ends(code: i32, more: &'static str) -> Expected {
    changed(code, &[], more)
}

/// The same, with this in the place of that.
const fn changed(
    code: i32,
    changes: &'static [(&'static str, &'static str)],
    more: &'static str,
) -> Expected {
    Expected::Run {
        changes,
        more,
        code,
        writes: None,
    }
}

/// Verdicts of few deals: nothing speaks against them.
const INCONCLUSIVE: i32 = 4;
const FAIL: i32 = 2;

/// Few deals, and always the same.
const FEW: &str = "--deals 100K --seed 1";

/// No perfect sets for so few deals: they take a second.
const AUDIT: &str = "--reference 19";

const EXAMPLES: [(&str, Expected); 53] = [
    (
        "fairdeal run unconstrained --deals 1T --seed 7 --part 3/7 --out parts/3 --resume",
        changed(INCONCLUSIVE, &[("1T", "100K"), ("3/7", "1/1")], ""),
    ),
    ("fairdeal merge parts/* -o whole", ends(INCONCLUSIVE, "")),
    ("cargo build --release --features mpi", Other),
    (
        "mpirun -n 64 fairdeal run flat-three-suiter --deals 10T --out night",
        Other,
    ),
    (
        "mpirun -n 48 fairdeal run flat-three-suiter --out night --resume",
        Other,
    ),
    (
        "cargo run --release -- run flannery-misfit",
        changed(INCONCLUSIVE, &[("cargo run --release --", "fairdeal")], FEW),
    ),
    ("cargo test", Other),
    ("fairdeal scenarios", ends(0, "")),
    (
        "fairdeal run nine-spades --deals 100M --seed 42",
        changed(INCONCLUSIVE, &[("100M", "100K")], ""),
    ),
    (
        "fairdeal run --where 'hcp(west) >= 20 && hearts(east) == 0'",
        ends(INCONCLUSIVE, FEW),
    ),
    (
        "fairdeal run unconstrained --deals 10G --rng philox4x32 --battery full",
        changed(INCONCLUSIVE, &[("10G", "100K")], "--seed 1"),
    ),
    (
        "fairdeal run unconstrained --defect naive-shuffle-round-robin",
        ends(FAIL, FEW),
    ),
    (
        "fairdeal run --self-test",
        changed(
            0,
            &[("--self-test", "--self-test=10")],
            "--deals 2048 --seed 1",
        ),
    ),
    (
        "fairdeal run --where 'hcp(west) > 15 && hcp(north) > 9 && cccc(east) > 500'",
        ends(INCONCLUSIVE, FEW),
    ),
    ("fairdeal deal flannery-misfit -n 36", ends(0, "")),
    (
        "fairdeal deal unconstrained -n 36 --format dup > tonight.dup",
        Expected::Run {
            changes: &[],
            more: "",
            code: 0,
            writes: Some("tonight.dup"),
        },
    ),
    (
        "fairdeal number decode --scheme andrews 0x9F5DEA56E1AA3EA2F605B0B8",
        ends(0, ""),
    ),
    (
        "fairdeal number encode --scheme pavlicek < deals.txt",
        ends(0, ""),
    ),
    ("fairdeal audit club-2026-*.pbn", ends(INCONCLUSIVE, AUDIT)),
    (
        "fairdeal run unconstrained --deals 1G --out aes",
        changed(INCONCLUSIVE, &[("1G", "200K")], "--seed 1"),
    ),
    (
        "fairdeal run unconstrained --deals 1G --rng chacha8 --out chacha",
        changed(INCONCLUSIVE, &[("1G", "200K")], "--seed 1"),
    ),
    ("fairdeal compare aes chacha", ends(0, "")),
    (
        "fairdeal run unconstrained --deals 10M --seed 1 --out nights/1 --format parquet",
        changed(INCONCLUSIVE, &[("10M", "100K")], ""),
    ),
    (
        "fairdeal run unconstrained --deals 10M --seed 2 --out nights/2 --format parquet",
        changed(INCONCLUSIVE, &[("10M", "100K")], ""),
    ),
    (
        "fairdeal bench",
        ends(0, "--deals 100K --rounds 1 --threads 1"),
    ),
    (
        "fairdeal bench --save",
        ends(0, "--deals 64Ki --rounds 2 --threads 1"),
    ),
    // Where something was saved; two rounds never say that one is slower.
    (
        "fairdeal bench --against",
        changed(
            0,
            &[(
                "fairdeal bench",
                "fairdeal bench --save --deals 64Ki --rounds 2 --threads 1 > kept && fairdeal bench",
            )],
            "--deals 64Ki --rounds 2 --threads 1",
        ),
    ),
    ("fairdeal theory nine-spades", ends(0, "")),
    ("fairdeal theory nine-spades --out exact", ends(0, "")),
    (
        "fairdeal theory --where 'aces(north) == 1 && aces(east) == 1 && aces(south) == 1 && aces(west) == 1'",
        ends(0, ""),
    ),
    ("fairdeal cases list nine-spades", ends(0, "")),
    ("fairdeal cases build mine.dl -o mine.cases", ends(0, "")),
    ("fairdeal cases verify mine.cases", ends(0, "")),
    ("fairdeal run script.dl", ends(INCONCLUSIVE, FEW)),
    ("fairdeal run script.dl --explain", ends(0, "")),
    ("fairdeal deal script.dl --dealer-output", ends(0, "")),
    ("fairdeal deal script.dl --format pbn", ends(0, "")),
    (
        "fairdeal run unconstrained --deals 10T --battery full --out night",
        ends(INCONCLUSIVE, "--for 1s --target 10T --seed 1"),
    ),
    (
        "fairdeal run unconstrained --out night --resume",
        ends(INCONCLUSIVE, "--for 1s"),
    ),
    (
        "fairdeal run unconstrained --out night --resume --for 8h",
        changed(INCONCLUSIVE, &[("8h", "1s")], ""),
    ),
    (
        "fairdeal run flannery-misfit --deals 100G --until suspicious",
        changed(INCONCLUSIVE, &[("100G", "100K")], "--seed 1"),
    ),
    (
        "fairdeal run unconstrained --deals 10T --out night --quiet --log info",
        Expected::Run {
            changes: &[("--out night", "--out night --for 1s --target 10T --seed 1")],
            more: "2> log.txt",
            code: INCONCLUSIVE,
            writes: Some("log.txt"),
        },
    ),
    (
        "fairdeal run unconstrained --out night --resume --quiet --log-format json",
        Expected::Run {
            changes: &[("--resume", "--resume --for 1s")],
            more: "2> log.json",
            code: INCONCLUSIVE,
            writes: Some("log.json"),
        },
    ),
    ("crontab -l", Other),
    (
        "cp scripts/systemd/fairdeal-overnight.* ~/.config/systemd/user/ && systemctl --user daemon-reload",
        Other,
    ),
    (
        "systemctl --user enable --now fairdeal-overnight.timer && loginctl enable-linger",
        Other,
    ),
    (
        "fairdeal audit club-2026-*.pbn records.zip",
        ends(INCONCLUSIVE, AUDIT),
    ),
    (
        "dealer -s 1 any.dl | fairdeal audit --stream -",
        // Whoever runs this may not have dealer.
        changed(
            INCONCLUSIVE,
            &[(
                "dealer -s 1 any.dl",
                "fairdeal deal unconstrained -n 20000 --seed 1 --format oneline",
            )],
            "",
        ),
    ),
    (
        "fairdeal audit practice.lin --where 'hcp(south) >= 15'",
        ends(INCONCLUSIVE, AUDIT),
    ),
    (
        "fairdeal audit lessons.pbn --any-condition --alike east,west",
        ends(INCONCLUSIVE, AUDIT),
    ),
    (
        "fairdeal audit numbers.txt --format andrews",
        ends(INCONCLUSIVE, AUDIT),
    ),
    (
        "fairdeal audit club.pbn --seed-search 1h",
        changed(INCONCLUSIVE, &[("1h", "1s")], AUDIT),
    ),
    (
        "fairdeal audit deals.txt --session 36",
        ends(INCONCLUSIVE, AUDIT),
    ),
];

/// The commands of the README's console blocks, block by block.
fn blocks() -> Vec<Vec<String>> {
    let readme = include_str!("../../README.md");
    let blocks = readme.split("```console\n").skip(1);
    let commands = blocks.map(|block| {
        let block = block.split("```").next().unwrap();
        let lines = block.lines().filter_map(|line| line.strip_prefix("$ "));
        lines.map(command).collect()
    });
    commands.collect()
}

/// A line without its comment.
fn command(line: &str) -> String {
    line.split(" # ").next().unwrap().trim_end().to_owned()
}

/// Writes the files that the examples name.
fn prepare(folder: &Path) {
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    let deals = |arguments: &[&str]| {
        let done = fairdeal(folder, &[&["deal", "--seed", "1"], arguments].concat());
        assert!(!done.stdout.is_empty(), "{arguments:?}");
        done.stdout
    };
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/records");
    let record = |name: &str| fs::read(records.join(name)).unwrap();
    for name in ["club-2026-01.pbn", "club.pbn", "lessons.pbn"] {
        write(name, &record("sm0807.pbn"));
    }
    write("club-2026-02.pbn", &record("bigdeal/set1.pbn"));
    let mut archive = zip::ZipWriter::new(fs::File::create(folder.join("records.zip")).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    archive.start_file("usbf.lin", options).unwrap();
    archive.write_all(&record("usbf_sf_14502.lin")).unwrap();
    archive.finish().unwrap();
    let hands = ["--where", "hcp(south) >= 15", "-n", "40", "--format", "lin"];
    write("practice.lin", &deals(&hands));
    write("deals.txt", &deals(&["unconstrained", "-n", "72"]));
    let encode = ["number", "encode", "--scheme", "andrews", "-f", "deals.txt"];
    write("numbers.txt", stdout(&fairdeal(folder, &encode)).as_bytes());
    write("mine.dl", b"spades(west) == 9\n");
    let script = "produce 20\naction average \"north\" hcp(north), printcompact\nhcp(west) >= 20\n";
    write("script.dl", script.as_bytes());
}

/// Runs a command line as a shell does, with the program on the path.
fn run(folder: &Path, line: &str) -> std::process::Output {
    let program = Path::new(env!("CARGO_BIN_EXE_fairdeal")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program.display()))
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .output()
        .unwrap()
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: cargo test --release")]
fn every_example_of_the_readme_ends_as_it_says() {
    let mut seen = Vec::new();
    for commands in blocks() {
        let folder = folder();
        prepare(folder.path());
        for command in commands {
            let Some((known, expected)) = EXAMPLES.iter().find(|(line, _)| *line == command) else {
                panic!("`{command}` is an example that nothing is expected of: tell EXAMPLES");
            };
            seen.push(*known);
            if let Expected::Run {
                changes,
                more,
                code,
                writes,
            } = expected
            {
                let mut line = command.clone();
                for (old, new) in *changes {
                    assert!(line.contains(old), "{line} has no {old}");
                    line = line.replace(old, new);
                }
                let line = format!("{line} {more}");
                // Each line is typed where no report is in its way.
                let _ = fs::remove_dir_all(folder.path().join("reports"));
                let done = run(folder.path(), &line);
                let error = String::from_utf8_lossy(&done.stderr);
                assert_eq!(done.status.code(), Some(*code), "{line}: {error}");
                let output = match writes {
                    None => done.stdout,
                    Some(file) => fs::read(folder.path().join(file)).unwrap(),
                };
                assert!(!output.is_empty(), "{line} says nothing");
            }
        }
    }
    for (line, _) in &EXAMPLES {
        assert!(seen.contains(line), "{line} is no example any more");
    }
}
