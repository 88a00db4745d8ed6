//! Pipes into `audit -`: every format that `deal` writes, and every output of dealer.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;

use fairdeal::formats::Format;

use super::audit::{audit_stream, deals, record};
use crate::common::{code, complaint, fairdeal, fed, folder, rows, stderr, stdout};

/// Boards that are piped.
const BOARDS: &str = "40";

/// Deals with tables of tricks.
const LIBRARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/solved/library.zrd");

/// Counts of the one source of the audit that was made last.
fn counts(folder: &std::path::Path, names: &[&str]) -> Vec<u64> {
    let record = record(folder);
    let source = &record["sources"][0];
    let counts = names.iter().map(|name| source[name].as_u64().unwrap());
    counts.collect()
}

#[test]
fn audit_reads_every_format_that_deal_writes() {
    let folder = folder();
    let folder = folder.path();
    let mut seen = 0;
    for format in Format::written() {
        let name = format.name();
        let arguments = match format {
            // For paper.
            Format::Html => continue,
            // Needs deals with double-dummy tricks.
            Format::Zrd => ["unconstrained", "-n", BOARDS, "--from", LIBRARY, "--format"],
            _ => ["unconstrained", "-n", BOARDS, "--seed", "1", "--format"],
        };
        let file = deals(folder, &[&arguments[..], &[name]].concat());
        // The numbers of all schemes look alike.
        let named = matches!(format, Format::Number(_));
        let options: &[&str] = if named { &["--format", name] } else { &[] };
        let options = [options, &["--reference", "0"]].concat();
        let audited = audit_stream(folder, &file, &options);
        assert_eq!(code(&audited), 4, "{name}: {}", stderr(&audited));
        assert_eq!(record(folder)["sources"][0]["format"], name);
        let wanted = match format {
            // East's and west's hands are all there is.
            Format::Ew => [40, 0, 40, 0, 0],
            _ => [40, 40, 0, 0, 0],
        };
        let names = ["read", "valid", "incomplete", "invalid", "text"];
        assert_eq!(counts(folder, &names), wanted, "{name}");
        seen += 1;
    }
    assert_eq!(seen, 23);
    let file = deals(
        folder,
        &["unconstrained", "-n", BOARDS, "--seed", "1", "--json"],
    );
    let audited = audit_stream(folder, &file, &["--reference", "0"]);
    assert_eq!(code(&audited), 4, "{}", stderr(&audited));
    assert_eq!(counts(folder, &["read", "valid"]), [40, 40]);
}

#[test]
fn labels_of_boards_are_read_as_they_were_written() {
    let folder = folder();
    let folder = folder.path();
    for name in ["pbn", "lin", "csv", "json"] {
        let deal = [
            "unconstrained",
            "-n",
            "3",
            "--seed",
            "1",
            "--format",
            name,
            "--dealer",
            "W",
            "--vul",
            "both",
            "--board",
            "17",
        ];
        let file = deals(folder, &deal);
        let audited = audit_stream(folder, &file, &["--reference", "0"]);
        assert_eq!(code(&audited), 4, "{name}: {}", stderr(&audited));
        // Boards 17, 18 and 19 have the dealers north, east and south.
        let text = stdout(&audited);
        let says = "3 boards with a different dealer than the board number implies";
        assert!(text.contains(says), "{name}: {text}");
        let told = match name {
            "pbn" => "[Board \"19\"]",
            "lin" => "|ah|Board 19|sv|b|",
            "csv" => "\"19\",\"W/All\"",
            _ => "\"number\":19,\"dealer\":\"west\",\"vulnerability\":\"All\"",
        };
        let file = String::from_utf8(file).unwrap();
        assert!(file.contains(told), "{name}: {file}");
    }
}

/// What Debian's dealer prints for six deals, with a script's text, averages and frequencies.
#[test]
fn audit_reads_every_layout_that_dealer_prints() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/dealer-output");
    let folder = folder();
    // Name, format, legal deals, incomplete ones, lines of text.
    let wanted = [
        ("print", "pages", 6, 0, 0),
        ("print-two", "pages", 0, 6, 0),
        ("printall", "all", 6, 0, 0),
        ("printall-text", "all", 6, 0, 14),
        ("printcompact", "compact", 6, 0, 0),
        ("printcompact-text", "compact", 6, 0, 14),
        ("printcompact-value", "compact", 6, 0, 0),
        ("printew", "ew", 0, 6, 0),
        ("printew-text", "ew", 0, 6, 14),
        ("printoneline", "oneline", 6, 0, 0),
        ("printoneline-text", "oneline", 6, 0, 14),
        ("printoneline-value", "oneline", 6, 0, 0),
        ("printpbn", "pbn", 6, 0, 0),
        // PBN ignores lines that are not tags.
        ("printpbn-text", "pbn", 6, 0, 0),
        ("text-first", "compact", 6, 0, 15),
    ];
    let mut files: Vec<String> = fs::read_dir(fixtures)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let mut names = wanted.map(|(name, ..)| format!("{name}.txt"));
    names.sort();
    assert_eq!(files, names);
    for (name, format, valid, incomplete, text) in wanted {
        let file = fs::read(format!("{fixtures}/{name}.txt")).unwrap();
        let audited = audit_stream(folder.path(), &file, &["--reference", "0"]);
        assert_eq!(code(&audited), 4, "{name}: {}", stderr(&audited));
        assert_eq!(record(folder.path())["sources"][0]["format"], format);
        let names = ["read", "valid", "incomplete", "invalid", "text"];
        assert_eq!(
            counts(folder.path(), &names),
            [6, valid, incomplete, 0, text],
            "{name}"
        );
        let said = format!("{text} lines between the boards skipped, such as text");
        assert_eq!(stdout(&audited).contains(&said), text > 0, "{name}");
    }
}

#[test]
fn a_script_that_prints_no_deals_has_none() {
    let folder = folder();
    let script = "produce 3 action printes (\"n \", hcp(north), \\n)";
    let deal = ["deal", "--where", script, "--dealer-output", "--seed", "1"];
    let file = fairdeal(folder.path(), &deal).stdout;
    let audited = audit_stream(folder.path(), &file, &["--format", "oneline"]);
    assert_eq!(code(&audited), 65, "{}", stdout(&audited));
    assert_eq!(
        stderr(&audited),
        "error: `standard input`: no deals found\n"
    );
}

#[test]
fn an_input_that_changes_its_format_is_read_up_to_the_change() {
    let folder = folder();
    let folder = folder.path();
    let boards = |seed: &str, format: &str| {
        let words = format!("deal unconstrained -n 6 --seed {seed} --format {format} --quiet");
        fairdeal(folder, &words).stdout
    };
    for (from, to, boards_read, line) in [
        ("pbn", "lin", 6, 101),
        ("lin", "pbn", 6, 21),
        ("oneline", "pbn", 6, 21),
        ("oneline", "lin", 6, 7),
        ("rbn", "csv", 6, 25),
        ("json", "compact", 6, 7),
        ("compact", "oneline", 6, 25),
        // The parser of PBN read no boards before the change.
        ("csv", "pbn", 0, 21),
    ] {
        let joined = [boards("1", from), boards("2", to)].concat();
        let audit = "audit - --out report --force --quiet --reference 0";
        let done = fed(folder, audit, &joined);
        assert_eq!(code(&done), 65, "{from} {to}: {}", stderr(&done));
        let wanted =
            format!("standard input changes from {from} to {to} at line {line}; split it there");
        let said = complaint(&done);
        assert!(said.contains(&wanted), "{from} {to}: {said}");
        if boards_read > 0 {
            let sources = rows(&folder.join("report/sources.csv"));
            assert_eq!(sources[0]["format"], from);
            let read = [&sources[0]["read"], &sources[0]["valid"]];
            assert_eq!(read, [&boards_read.to_string(); 2], "{from} {to}");
        }
        // Whoever names the format wants the boards of this format alone.
        if (from, to) == ("oneline", "lin") {
            let named = fed(folder, &format!("{audit} --format oneline"), &joined);
            assert_eq!(code(&named), 4, "{}", stderr(&named));
        }
    }
    // A script may print each deal in two formats.
    let (one, other) = (boards("1", "compact"), boards("1", "oneline"));
    let compact = one
        .split_inclusive(|byte| *byte == b'\n')
        .collect::<Vec<_>>();
    let lines = other.split_inclusive(|byte| *byte == b'\n');
    let both = compact
        .chunks(4)
        .zip(lines)
        .flat_map(|(four, line)| [&four.concat(), line].concat());
    let both: Vec<u8> = both.collect();
    let done = fed(folder, "audit - --out both --quiet --reference 0", &both);
    assert_eq!(code(&done), 4, "{}", stderr(&done));
}
