//! Snapshots of the program's output, word for word: changes are visible in review.
//!
//! `INSTA_UPDATE=always cargo test --test suite snapshots::` accepts the current output.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::common::{COMMANDS, code, folder, stderr, stdout};

/// What differs from machine to machine, and what stands in its place.
const REDACTED: [(&str, &str); 4] = [
    (r"in [0-9.]+ s\b", "in [SECONDS] s"),
    (r"(?m)^Speed     .*(\n          .*)*$", "Speed     [SPEED]"),
    (r"on \d+ threads?", "on [THREADS]"),
    // Names in the cache hold the program's version.
    (r"[0-9a-f]{32}\.cases", "[HASH].cases"),
];

/// The crate's folder.
const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// What a command prints on a terminal of so many columns, with its exit code.
fn printed(folder: &Path, arguments: &[&str], width: &str) -> String {
    let mut program = crate::common::program(folder, arguments);
    let done = program.env("COLUMNS", width).output().unwrap();
    let mut text = stdout(&done);
    let error = stderr(&done);
    if !error.is_empty() {
        write!(text, "[standard error]\n{error}").unwrap();
    }
    write!(text, "[exit code {}]", code(&done)).unwrap();
    text.replace(folder.to_str().unwrap(), "[FOLDER]")
        .replace(CRATE, "[CRATE]")
}

/// Holds a text against the snapshot of this name.
fn hold(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for (pattern, stand_in) in REDACTED {
        settings.add_filter(pattern, stand_in);
    }
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Holds what a command prints on a terminal of 100 columns against its snapshot.
fn holds(name: &str, folder: &Path, arguments: &[&str]) {
    holds_at("100", name, folder, arguments);
}

fn holds_at(width: &str, name: &str, folder: &Path, arguments: &[&str]) -> String {
    let text = printed(folder, arguments, width);
    let command = shell(arguments).replace(CRATE, "[CRATE]");
    hold(name, &format!("$ fairdeal {command}\n{text}"));
    text
}

/// Copies a fixture into a folder, so that lines do not break by where the crate is; its name.
fn copied<'n>(folder: &Path, fixture: &'n str) -> &'n str {
    let (_, name) = fixture.rsplit_once('/').unwrap();
    fs::copy(
        Path::new(CRATE).join("fixtures").join(fixture),
        folder.join(name),
    )
    .unwrap();
    name
}

/// Arguments as they are typed.
fn shell(arguments: &[&str]) -> String {
    let quoted = arguments.iter().map(|argument| {
        match argument.contains(|c: char| c.is_whitespace() || "*()<>|&".contains(c)) {
            true => format!("'{argument}'"),
            false => (*argument).to_owned(),
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

const FILTERED: &str = "hcp(west) >= 15 && tens(north) >= 2 && spades(east) >= 5";

const SCRIPT: &str = "\
x = hcp(north) + hcp(south)
produce 2000
action average \"side\" x, average spades(north),
       frequency \"hcp\" (hcp(north), 0, 10),
       frequency (spades(north), 0, 5, hearts(north), 0, 5)
hcp(north) >= 12
";

#[test]
fn runs_print_what_they_dealt_and_their_verdict() {
    let folder = folder();
    let rest = ["--seed", "7", "--threads", "2"];
    let run = ["run", "nine-spades", "--deals", "200K", "--target", "100K"];
    holds("run", folder.path(), &[&run[..], &rest].concat());
    let run = ["run", "--where", FILTERED, "--deals", "100K"];
    holds(
        "run_with_a_filter",
        folder.path(),
        &[&run[..], &rest].concat(),
    );
    let run = ["run", "unconstrained", "--deals", "100K", "--defect"];
    let defect = ["naive-shuffle-round-robin"];
    let run = [&run[..], &defect, &["--seed", "7", "--out", "o"]].concat();
    holds("run_of_a_defect", folder.path(), &run);
    fs::write(folder.path().join("script.dl"), SCRIPT).unwrap();
    let run = ["run", "script.dl", "--deals", "5000"];
    holds(
        "run_of_a_script",
        folder.path(),
        &[&run[..], &rest].concat(),
    );
}

#[test]
fn summaries_fit_a_terminal_of_60_columns() {
    summaries_fit(&["60"]);
}

#[test]
#[ignore = "long"]
fn summaries_fit_terminals_of_80_and_120_columns() {
    summaries_fit(&["80", "120"]);
}

fn summaries_fit(widths: &[&str]) {
    let folder = folder();
    let here = folder.path();
    fs::write(here.join("script.dl"), SCRIPT).unwrap();
    let records = copied(folder.path(), "records/sm0807.pbn");
    let compared = [("a", "7"), ("b", "8")];
    for (out, seed) in compared {
        let run = ["run", "unconstrained", "--deals", "50K", "--seed", seed];
        printed(here, &[&run[..], &["--out", out]].concat(), "80");
    }
    let script = [
        "run",
        "script.dl",
        "--deals",
        "20K",
        "--seed",
        "7",
        "--force",
    ];
    let defect = ["run", "unconstrained", "--deals", "100K", "--seed", "7"];
    let defect = [
        &defect[..],
        &["--defect", "naive-shuffle-blocks", "--force"],
    ]
    .concat();
    let audit = [
        "audit",
        records,
        "--reference",
        "99",
        "--out",
        "o",
        "--force",
    ];
    for width in widths {
        for (name, arguments) in [
            ("script", &script[..]),
            ("script_verbose", &[&script[..], &["--verbose"]].concat()),
            ("defect", &defect),
            ("audit", &audit),
            ("compare", &["compare", "a", "b"]),
            ("theory", &["theory", "north-3-hcp"]),
            ("scenarios", &["scenarios"]),
        ] {
            let text = holds_at(width, &format!("{name}_{width}"), here, arguments);
            let most = width.parse().unwrap();
            // Names of files are not broken.
            let is_wide = |line: &&str| line.chars().count() > most && line.contains(' ');
            let wide = text.lines().map(str::trim).find(is_wide);
            assert_eq!(wide, None, "{name} in {width} columns");
        }
    }
}

#[test]
fn explanations_say_what_is_listed_and_asked() {
    let folder = folder();
    let explain = ["run", "--where", FILTERED, "--explain", "--seed", "7"];
    holds("explain_a_filter", folder.path(), &explain);
    let explain = ["run", "nine-spades", "--explain"];
    holds("explain", folder.path(), &explain);
    let explain = ["run", "nine-spades", "--sampler", "listing", "--explain"];
    holds("explain_a_listing", folder.path(), &explain);
}

#[test]
fn audits_print_what_was_read_and_the_verdict() {
    let folder = folder();
    let records = copied(folder.path(), "records/sm0807.pbn");
    let arguments = ["audit", records, "--reference", "99", "--out", "o"];
    holds("audit", folder.path(), &arguments);
    let broken = copied(folder.path(), "broken/doubled-card.pbn");
    let arguments = ["audit", broken, "--reference", "0", "--out", "p"];
    holds("audit_of_no_deal", folder.path(), &arguments);
}

#[test]
fn tables_and_lists_are_printed() {
    let folder = folder();
    let build = ["cases", "build", "nine-spades", "-o", "nine.cases"];
    for (name, arguments) in [
        ("scenarios", &["scenarios"][..]),
        ("scenarios_conditions", &["scenarios", "--conditions"]),
        ("theory", &["theory", "nine-spades"]),
        ("cases_build", &build),
        ("cases_info", &["cases", "info", "nine.cases"]),
        ("cases_verify", &["cases", "verify", "nine.cases"]),
        ("cases_list", &["cases", "list", "nine-spades"]),
        (
            "cases_list_csv",
            &["cases", "list", "north-3-hcp", "--format", "csv"],
        ),
        (
            "cases_list_json",
            &["cases", "list", "north-3-hcp", "--json", "--rows", "1..3"],
        ),
        ("deal", &["deal", "nine-spades", "-n", "4", "--seed", "7"]),
        (
            "deal_all",
            &[
                "deal",
                "nine-spades",
                "-n",
                "2",
                "--seed",
                "7",
                "--format",
                "all",
            ],
        ),
        (
            "deal_json",
            &["deal", "nine-spades", "-n", "2", "--seed", "7", "--json"],
        ),
        (
            "number_decode",
            &["number", "decode", "--scheme", "andrews", "0", "1", "0xfa1"],
        ),
        (
            "number_encode",
            &[
                "number",
                "encode",
                "--scheme",
                "pavlicek",
                "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3",
                "N:AKQ",
            ],
        ),
    ] {
        holds(name, folder.path(), arguments);
    }
}

#[test]
fn errors_say_where_and_what_to_do() {
    let folder = folder();
    let at = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    at(
        "bad.dl",
        "# Four spades.\nspades(west) == 4 && hpc(east) > 10\n",
    );
    at("two.dl", "hcp(west) >= 15\nproduce 2\nhcp(east) >= 15\n");
    at("cut.cases", "FDCASES1");
    for (name, arguments) in [
        (
            "error_64_option",
            &["run", "nine-spades", "--deels", "1K"][..],
        ),
        ("error_64_no_input", &["run"]),
        ("error_64_value", &["run", "nine-spades", "--deals", "ten"]),
        (
            "error_64_order",
            &["theory", "nine-spades", "--order", "north,south"],
        ),
        ("error_65_condition", &["theory", "bad.dl"]),
        (
            "error_65_where",
            &["run", "--where", "hcp(west) >= 15 hcp(east)"],
        ),
        ("error_65_input", &["cases", "list", "no-such-scenario"]),
        ("error_65_case_file", &["cases", "verify", "cut.cases"]),
        ("error_65_no_deals", &["audit", "bad.dl"]),
        ("warning", &["deal", "two.dl", "--seed", "1"]),
    ] {
        holds(name, folder.path(), arguments);
    }
}

#[test]
fn help_of_every_command_shows_every_option() {
    let folder = folder();
    for command in ["run", "audit", "deal"] {
        let name = format!("short_help_{command}");
        holds(&name, folder.path(), &[command, "-h"]);
    }
    for command in COMMANDS {
        let name = ["help"].iter().chain(command).copied();
        let name = name.collect::<Vec<_>>().join("_");
        holds(&name, folder.path(), &[command, &["--help"]].concat());
    }
    // Every command is among them.
    let help = printed(folder.path(), &["--help"], "100");
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    for line in listed.take_while(|line| !line.is_empty()) {
        let name = line.split_whitespace().next().unwrap();
        let is_held = COMMANDS
            .iter()
            .any(|command| command.first() == Some(&name));
        assert!(is_held || name == "help", "{name}");
    }
}

#[test]
fn the_header_row_of_every_csv_is_as_it_was() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("script.dl"), SCRIPT).unwrap();
    let deals = printed(
        path,
        &["deal", "unconstrained", "-n", "200", "--seed", "1"],
        "100",
    );
    let deals = deals.replace("[exit code 0]", "");
    // The first comes again, so that there are repeats.
    let first = deals.lines().next().unwrap().to_owned();
    fs::write(path.join("deals.txt"), format!("{deals}{first}\n")).unwrap();
    let run = ["--deals", "20000", "--seed", "1", "--quiet", "--out"];
    let mut headers = String::new();
    for (name, arguments) in [
        (
            "unconstrained",
            [&["run", "unconstrained"][..], &run].concat(),
        ),
        ("constrained", [&["run", "nine-spades"][..], &run].concat()),
        (
            "listed",
            [&["run", "nine-spades", "--sampler", "listing"][..], &run].concat(),
        ),
        (
            "part",
            [&["run", "unconstrained", "--part", "1/1"][..], &run].concat(),
        ),
        ("merged", vec!["merge", "part", "--quiet", "--out"]),
        ("script", [&["run", "script.dl"][..], &run].concat()),
        (
            "self-test",
            vec![
                "self-test",
                "--runs=10",
                "--deals",
                "1024",
                "--seed",
                "1",
                "--quiet",
                "--out",
            ],
        ),
        (
            "audit",
            vec![
                "audit",
                "deals.txt",
                "--session",
                "36",
                "--reference",
                "9",
                "--quiet",
                "--out",
            ],
        ),
        ("theory", vec!["theory", "nine-spades", "--quiet", "--out"]),
        (
            "theory-of-all",
            vec!["theory", "unconstrained", "--quiet", "--out"],
        ),
    ] {
        printed(path, &[&arguments[..], &[name]].concat(), "100");
        writeln!(headers, "{name}").unwrap();
        let files = fs::read_dir(path.join(name)).unwrap();
        let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        files.sort();
        for file in files {
            if file.extension().is_some_and(|ending| ending == "csv") {
                let text = fs::read_to_string(&file).unwrap();
                let header = text.split("\r\n").next().unwrap();
                let file = file.file_name().unwrap().display();
                writeln!(headers, "  {file}: {header}").unwrap();
            }
        }
    }
    hold("csv_headers", &headers);
}
