//! Options shared by several commands: counts, lists, threads and the cache; and when `deal` gives
//! up.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::thread;
use std::time::{Duration, SystemTime};

use fairdeal::printable::three_digits;
use fairdeal::stats::elementary::ln;

use crate::common::{COMMANDS, code, complaint, fairdeal, folder, program, stderr, stdout};

/// A condition that holds for hardly any deal, and is searched for deal by deal.
const HOPELESS: &str = "hcp(north)>35 && cccc(south)>2000";

/// Runs the program with these variables; an empty value removes one.
fn with(folder: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = program(folder, arguments);
    for (name, value) in variables {
        match *value {
            "" => command.env_remove(name),
            value => command.env(name, value),
        };
    }
    command.output().unwrap()
}

/// The first line of what was wrong with an argument.
fn refusal(folder: &Path, arguments: &[&str]) -> String {
    let done = fairdeal(folder, arguments);
    assert_eq!(code(&done), 64, "{arguments:?}: {}", stderr(&done));
    assert_eq!(stdout(&done), "", "{arguments:?}");
    stderr(&done).lines().next().unwrap().to_owned()
}

#[test]
fn counts_are_typed_alike_in_every_command() {
    let folder = folder();
    let folder = folder.path();
    let dealt = |count: &str| {
        let done = fairdeal(folder, &["deal", "nine-spades", "--seed", "1", "-n", count]);
        assert_eq!(code(&done), 0, "{count}: {}", stderr(&done));
        stdout(&done).lines().count()
    };
    for count in [
        "1k", "1K", "1e3", "0.001m", "0.001M", "1_000", "1,000", "1.0e3",
    ] {
        assert_eq!(dealt(count), 1000, "{count}");
    }
    assert_eq!(dealt("1.5Ki"), 1536);
    for count in ["1.5m", "1.5M", "1500000", "15e5"] {
        let run = [
            "run",
            "nine-spades",
            "--deals",
            count,
            "--explain",
            "--seed",
            "1",
        ];
        let done = fairdeal(folder, &run);
        assert_eq!(code(&done), 0, "{count}: {}", stderr(&done));
    }
    // Every option that takes a count, and how its error begins.
    let options: [(&[&str], &str, &str); 15] = [
        (&["run", "nine-spades"], "--deals", "--deals <N>"),
        (&["run", "nine-spades"], "--target", "--target <N>"),
        (&["run", "nine-spades"], "--keep", "--keep <N>"),
        (&["run", "nine-spades"], "--batch", "--batch <N>"),
        (&["run", "nine-spades"], "--threads", "--threads <K>"),
        (&["run", "nine-spades"], "--max-cases", "--max-cases <N>"),
        (&["self-test"], "--runs", "--runs <RUNS>"),
        (&["deal", "nine-spades"], "--deals", "--deals <N>"),
        (&["deal", "nine-spades"], "--max-tries", "--max-tries <N>"),
        (&["deal", "nine-spades"], "--board", "--board <N>"),
        (&["bench"], "--deals", "--deals <N>"),
        (&["bench"], "--rounds", "--rounds <R>"),
        (&["audit", "x"], "--session", "--session <N>"),
        (&["audit", "x"], "--reference", "--reference <SETS>"),
        (&["merge", "x", "-o", "y"], "--threads", "--threads <K>"),
    ];
    for (command, option, named) in options {
        let refused = |value: &str| {
            let argument = format!("{option}={value}");
            refusal(folder, &[command, &[&argument]].concat())
        };
        for (value, why) in [
            ("abc", "not a number: `abc`"),
            ("1.5", "`1.5` is not a whole number"),
            ("1e-1", "`1e-1` is not a whole number"),
            ("", "not a number: ``"),
        ] {
            let said = format!("error: invalid value '{value}' for '{named}': {why}");
            let missing = format!("error: a value is required for '{named}' but none was supplied");
            let found = refused(value);
            assert!(
                found == said || value.is_empty() && found == missing,
                "{found}"
            );
        }
        let least = match option {
            "--keep" => "1,024",
            "--runs" => "10",
            "--session" => "2",
            "--reference" => "0",
            _ => "1",
        };
        let said = format!("error: invalid value '-5' for '{named}': must be at least {least}");
        assert_eq!(refused("-5"), said);
        // And with a space.
        assert_eq!(refusal(folder, &[command, &[option, "-5"]].concat()), said);
    }
    let short = refusal(folder, &["deal", "nine-spades", "-n", "-5"]);
    assert_eq!(
        short,
        "error: invalid value '-5' for '--deals <N>': must be at least 1"
    );
}

#[test]
fn lists_of_values_are_printed_by_help_and_end_with_0() {
    let folder = folder();
    let lists: [(&[&str], &str); 15] = [
        (&["run", "--defect"], "naive-shuffle-round-robin"),
        (&["run", "--rng"], "file:PATH"),
        (&["run", "--battery"], "standard"),
        (&["run", "--until"], "very-suspicious"),
        (&["run", "--sampler"], "cells"),
        (&["run", "--table-format"], "parquet"),
        (&["run", "--log"], "debug"),
        (&["run", "--log-format"], "json"),
        (&["deal", "--format"], "oneline"),
        (&["deal", "--defect"], "sattolo-blocks"),
        (&["audit", "--format"], "dlm"),
        (&["number", "encode", "--scheme"], "zbs"),
        (&["bench", "--tables"], "fits"),
        (&["cases", "list", "--format"], "csv"),
        (&["completions"], "zsh"),
    ];
    for (command, name) in lists {
        let done = fairdeal(folder.path(), &[command, &["help"]].concat());
        assert_eq!(code(&done), 0, "{command:?}: {}", stderr(&done));
        assert_eq!(stderr(&done), "", "{command:?}");
        let text = stdout(&done);
        let is_listed = |line: &str| line.split(' ').next() == Some(name);
        assert!(text.lines().any(is_listed), "{command:?}: {text}");
        for line in text.lines() {
            assert!(line.chars().count() <= 80 && !line.ends_with(' '), "{line}");
        }
        // Another name is wrong usage, and so is `help` where there is no list.
        if command != ["run", "--rng"] {
            let refused = refusal(folder.path(), &[command, &["nonsense"]].concat());
            assert!(refused.contains("invalid value 'nonsense'"), "{refused}");
        }
    }
    let done = fairdeal(folder.path(), "run --deals help");
    assert_eq!(code(&done), 64);
}

#[test]
fn help_fits_80_columns_and_has_a_short_form() {
    let folder = folder();
    for command in COMMANDS {
        let [short, long] = ["-h", "--help"].map(|option| {
            let arguments = [command, &[option]].concat();
            let wide = [("COLUMNS", "200")];
            let done = with(folder.path(), &wide, &arguments);
            assert_eq!(code(&done), 0);
            let text = stdout(&done);
            for line in text.lines() {
                assert!(line.chars().count() <= 80, "{command:?} {option}: {line}");
            }
            text
        });
        assert!(short.lines().count() <= long.lines().count(), "{command:?}");
        let is_main = command.len() < 2 && !matches!(command, ["scenarios"] | ["number"]);
        if is_main {
            assert!(long.contains("\nExamples:\n  fairdeal "), "{command:?}");
        }
    }
    for command in ["run", "audit", "deal"] {
        let help = stdout(&fairdeal(folder.path(), &[command, "-h"]));
        assert!(help.contains("\nOutput:\n"), "{help}");
        assert!(help.contains("(see more with '--help')"), "{help}");
        // An option takes at most three lines.
        assert!(
            help.lines().count() < 110,
            "{command}: {}",
            help.lines().count()
        );
    }
}

#[test]
fn the_same_options_have_the_same_letters() {
    let folder = folder();
    let long = |command: &[&str]| stdout(&fairdeal(folder.path(), &[command, &["-h"]].concat()));
    for command in COMMANDS {
        let help = long(command);
        for (name, spelt) in [
            ("--deals", "  -n, --deals <N>"),
            ("--out", "  -o, --out <"),
            ("--quiet", "  -q, --quiet"),
        ] {
            if help.contains(&format!(" {name}")) && help.contains(&format!("{name}  ")) {
                assert!(help.contains(spelt), "{command:?}: {name}");
            }
        }
    }
    for command in ["run", "audit", "theory", "merge"] {
        assert!(
            long(&[command]).contains("--table-format <FORMAT>"),
            "{command}"
        );
    }
    // What this was called before.
    let build = ["cases", "build", "nine-spades", "--output", "n.cases", "-q"];
    assert_eq!(code(&fairdeal(folder.path(), &build)), 0);
}

#[test]
#[cfg(not(feature = "parquet"))]
fn a_program_without_parquet_says_how_to_build_it() {
    let folder = folder();
    for command in [&["run", "unconstrained"], &["audit", "club.pbn"]] {
        assert_eq!(
            refusal(
                folder.path(),
                &[command, &["--table-format", "parquet"][..]].concat()
            ),
            "error: invalid value 'parquet' for '--table-format <FORMAT>': this program was built \
             without Parquet; build it with --features parquet"
        );
    }
}

#[test]
fn quiet_and_json_print_the_document_alone() {
    let folder = folder();
    let nine = ["cases", "build", "nine-spades", "-o", "nine.cases", "-q"];
    assert_eq!(code(&fairdeal(folder.path(), &nine)), 0);
    let deals = fairdeal(folder.path(), "deal unconstrained -n 20 --seed 1");
    fs::write(folder.path().join("deals.txt"), &deals.stdout).unwrap();
    let run = [
        "run",
        "nine-spades",
        "--target=1",
        "--deals",
        "2K",
        "--seed",
        "1",
        "--out",
    ];
    let commands: [(&[&str], &[&str], i32); 10] = [
        (&run, &["a"], 0),
        (&run, &["b"], 0),
        (&["run", "nine-spades", "--explain", "--seed", "1"], &[], 0),
        (
            &["self-test", "--runs=10", "--deals", "1Ki", "--seed", "1"],
            &[],
            0,
        ),
        (&["compare", "a", "b"], &[], 0),
        (&["theory", "nine-spades"], &[], 0),
        (&["cases", "build", "nine-spades", "-o", "x.cases"], &[], 0),
        (&["cases", "verify", "nine.cases"], &[], 0),
        (&["audit", "deals.txt", "--reference", "0"], &[], 4),
        (&["deal", "nine-spades", "-n", "1", "--seed", "1"], &[], 0),
    ];
    for (command, more, wanted) in commands {
        let all = [command, more, &["--quiet", "--json"]].concat();
        let done = fairdeal(folder.path(), &all);
        // A self-test so short may fail its own level now and then, but not its output.
        assert!(
            code(&done) == wanted || command.contains(&"self-test"),
            "{command:?}: {}",
            stderr(&done)
        );
        assert_eq!(stderr(&done), "", "{command:?}");
        let text = stdout(&done);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(value.is_object(), "{command:?}");
    }
}

#[test]
fn deal_explains_how_deals_are_found() {
    let folder = folder();
    let explain = |command: &str, more: &[&str]| {
        let all = [
            &[command, "--where", HOPELESS, "--explain", "--seed", "1"][..],
            more,
        ]
        .concat();
        let done = fairdeal(folder.path(), &all);
        assert_eq!(code(&done), 0, "{}", stderr(&done));
        stdout(&done)
    };
    let text = explain("deal", &[]);
    for part in [
        "sampler     ",
        "filter      cccc(south) > 2000",
        "acceptance  none of ",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let value: serde_json::Value = serde_json::from_str(&explain("deal", &["--json"])).unwrap();
    assert_eq!(value["filter"][0], "cccc(south) > 2000");
    // So few deals are not worth what a run would spend on finding them.
    assert!(explain("run", &[]).contains("sampler     "));
}

#[test]
fn deal_gives_up_after_a_number_of_tries_with_a_bound() {
    let folder = folder();
    let deal = |more: &[&str]| {
        let all = [&["deal", "--seed", "1"][..], more].concat();
        fairdeal(folder.path(), &all)
    };
    let reject = ["--where", "hearts(north) == 13", "--sampler", "rejection"];
    let done = deal(&[&reject[..], &["--max-tries", "1M", "-n", "3"]].concat());
    assert_eq!((code(&done), stdout(&done)), (5, String::new()));
    let said = stderr(&done);
    let last = said.lines().last().unwrap();
    assert_eq!(
        last,
        "error: found 0 of 3 deals and gave up after 1,000,000 tries in a row without one; below \
         6.91e-6 of all deals satisfy the condition (99.9 % confidence); raise --max-tries to search \
         longer"
    );
    // The rule is a function of the request: the same again ends in the same place.
    let again = deal(&[&reject[..], &["--max-tries", "1M", "-n", "3"]].concat());
    assert_eq!(stderr(&again), said);
    // Of a listing with a filter, the bound is for all deals.
    let done = deal(&["--where", HOPELESS, "--max-tries", "1e5", "-q"]);
    assert_eq!(code(&done), 5);
    let said = stderr(&done);
    let last = said.lines().last().unwrap();
    assert!(
        last.starts_with("error: found 0 of 10 deals and gave up after 100,000 tries in a row"),
        "{last}"
    );
    let share = last
        .split("below ")
        .nth(1)
        .unwrap()
        .split(' ')
        .next()
        .unwrap();
    let share: f64 = share.parse().unwrap();
    assert!(share < 1e-8, "{last}");
    // Deals that were found are printed, and the bound allows for each row of tries.
    let rare = [
        "--where",
        "hearts(north) >= 9",
        "--sampler",
        "rejection",
        "-n",
        "1G",
    ];
    let done = deal(&[&rare[..], &["--max-tries", "20000"]].concat());
    assert_eq!(code(&done), 5);
    let found = stdout(&done).lines().count();
    assert!(found > 0);
    let bound = three_digits(ln(1000.0 * (found + 1) as f64) / 20_000.0);
    let said = format!(
        "error: found {found} of 1,000,000,000 deals and gave up after 20,000 tries in a row without \
         another; below {bound} of all deals satisfy the condition (99.9 % confidence); raise \
         --max-tries to search longer"
    );
    assert_eq!(stderr(&done).lines().last().unwrap(), said);
    // The script's own limit.
    let script = "generate 20000 condition hearts(north) == 13";
    let done = deal(&["--where", script, "--sampler", "rejection"]);
    assert_eq!(code(&done), 5);
    assert_eq!(
        stderr(&done).lines().last().unwrap(),
        "error: found 0 of 10 deals among the 20,000 that the script generates; below 0.000345 of all \
         deals satisfy the condition (99.9 % confidence)"
    );
    // Around fixed cards, of the deals that have them.
    let script = "predeal north SAKQJ condition hearts(north) == 9 && clubs(south) == 13";
    let done = deal(&[
        "--where",
        script,
        "--sampler",
        "rejection",
        "--max-tries",
        "1000",
    ]);
    assert_eq!(code(&done), 5);
    assert!(
        stderr(&done).contains("below 0.00691 of all deals with the predealt cards satisfy"),
        "{}",
        stderr(&done)
    );
}

#[test]
fn boards_have_the_labels_that_are_asked_for_or_are_refused() {
    let folder = folder();
    let deal = |format: &str, more: &[&str]| {
        let fixed = [
            "deal",
            "nine-spades",
            "-n",
            "2",
            "--seed",
            "1",
            "--format",
            format,
        ];
        fairdeal(folder.path(), &[&fixed[..], more].concat())
    };
    let pbn = deal(
        "pbn",
        &[
            "--dealer",
            "s",
            "--vul",
            "EW",
            "--event",
            "Club \"A\"",
            "--board",
            "9",
        ],
    );
    assert_eq!(code(&pbn), 0, "{}", stderr(&pbn));
    let text = stdout(&pbn);
    for (tag, value) in [
        ("Event", "Club \\\"A\\\""),
        ("Dealer", "S"),
        ("Vulnerable", "EW"),
    ] {
        let line = format!("[{tag} \"{value}\"]");
        assert_eq!(
            text.lines().filter(|found| **found == line).count(),
            2,
            "{text}"
        );
    }
    assert!(text.contains("[Board \"9\"]") && text.contains("[Board \"10\"]"));
    // Board 9 is dealt by north, with east-west vulnerable, if nothing else is said.
    let lin = stdout(&deal("lin", &["--board", "9"]));
    assert!(lin.starts_with("qx|o9|md|3"), "{lin}");
    assert!(lin.contains("|ah|Board 9|sv|e|"), "{lin}");
    let rbn = stdout(&deal("rbn", &["--event", "Club", "--board", "5"]));
    assert!(rbn.starts_with("E Club\nB 5\nH N:"), "{rbn}");
    assert!(stdout(&deal("all", &["--board", "40"])).starts_with("  40.\n"));
    let script = "produce 1 dealer east action printpbn";
    let dealer = [
        "deal",
        "--where",
        script,
        "--dealer-output",
        "--seed",
        "1",
        "--event",
        "Club",
        "--vul",
        "none",
        "--board",
        "3",
    ];
    let dealer = stdout(&fairdeal(folder.path(), &dealer));
    for line in [
        "[Event \"Club\"]",
        "[Board \"3\"]",
        "[Dealer \"E\"]",
        "[Vulnerable \"None\"]",
    ] {
        assert!(dealer.contains(line), "{dealer}");
    }
    for (format, option, value, supported) in [
        ("line", "--dealer", "n", "pbn, lin, html, rbn, csv, json"),
        ("dup", "--vul", "ns", "pbn, lin, html, rbn, csv, json"),
        ("lin", "--event", "x", "pbn, html, rbn, json"),
        (
            "oneline",
            "--board",
            "2",
            "pbn, lin, html, rbn, csv, all, json",
        ),
    ] {
        let done = deal(format, &[option, value]);
        assert_eq!((code(&done), stdout(&done)), (64, String::new()));
        assert_eq!(
            stderr(&done),
            format!("error: {option} is not supported by the format {format}: use {supported}\n")
        );
    }
    for (option, value, why) in [
        (
            "--dealer",
            "x",
            "not a seat (north, east, south or west): `x`",
        ),
        (
            "--vul",
            "us",
            "not a vulnerability (none, ns, ew or all): `us`",
        ),
        ("--event", "a\nb", "must be one line of text"),
    ] {
        let done = deal("pbn", &[option, value]);
        assert_eq!(code(&done), 64);
        assert!(stderr(&done).contains(why), "{}", stderr(&done));
    }
}

#[test]
fn far_too_many_threads_are_capped_with_one_warning() {
    let folder = folder();
    let most = 4 * thread::available_parallelism().unwrap().get();
    let run = [
        "run",
        "nine-spades",
        "--deals",
        "2K",
        "--seed",
        "1",
        "--target",
        "1",
    ];
    let by_option = [&run[..], &["--out", "a", "--threads", "100000"]].concat();
    let done = fairdeal(folder.path(), &by_option);
    assert_eq!(code(&done), 0);
    let capped = format!("using {most} threads, 4 per processor\n");
    assert_eq!(
        stderr(&done),
        format!("warning: --threads 100000: {capped}")
    );
    let record = fs::read(folder.path().join("a/run.json")).unwrap();
    let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
    assert_eq!(record["threads"], most);
    let variable = [("RAYON_NUM_THREADS", "100000")];
    let done = with(
        folder.path(),
        &variable,
        &[&run[..], &["--out", "b"]].concat(),
    );
    assert_eq!(code(&done), 0);
    assert_eq!(
        stderr(&done),
        format!("warning: RAYON_NUM_THREADS=100000: {capped}")
    );
    // As many as are allowed are no reason for a warning.
    let text = most.to_string();
    let allowed = [("RAYON_NUM_THREADS", &*text)];
    let all = [&run[..], &["--out", "c", "--threads", &text]].concat();
    let done = with(folder.path(), &allowed, &all);
    assert_eq!((code(&done), stderr(&done)), (0, String::new()));
}

/// The listings of a cache, by when they were used last, with their sizes.
fn listings(cache: &Path) -> Vec<(PathBuf, u64)> {
    let Ok(entries) = fs::read_dir(cache) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_listing = |path: &PathBuf| path.extension().is_some_and(|end| end == "cases");
    let mut all: Vec<_> = paths
        .filter(is_listing)
        .map(|path| {
            // One that another process is about to mark counts from when it was written.
            let used = fs::metadata(path.with_extension("used"));
            let used = used.or_else(|_| fs::metadata(&path)).unwrap();
            let bytes = fs::metadata(&path).unwrap().len();
            (used.modified().unwrap(), path, bytes)
        })
        .collect();
    all.sort();
    all.into_iter()
        .map(|(_, path, bytes)| (path, bytes))
        .collect()
}

/// Makes the use of a listing look older.
fn age(path: &Path, seconds: u64) {
    let mark = fs::File::options()
        .append(true)
        .open(path.with_extension("used"))
        .unwrap();
    mark.set_modified(SystemTime::now() - Duration::from_secs(seconds))
        .unwrap();
}

#[test]
fn the_cache_keeps_the_listings_that_were_used_last_within_its_limit() {
    let folder = folder();
    let cache = folder.path().join("mine");
    let list = |condition: &str, limit: &str| {
        let variables = [("FAIRDEAL_CACHE", "mine"), ("FAIRDEAL_CACHE_LIMIT", limit)];
        let list = ["cases", "list", "--where", condition, "--rows", "1..1"];
        let done = with(folder.path(), &variables, &list);
        assert_eq!(code(&done), 0, "{}", stderr(&done));
        stderr(&done)
    };
    // Without a limit of its own it is 2 GiB.
    let [first, second, third] = [9, 10, 11].map(|length| format!("spades(west) == {length}"));
    assert_eq!(list(&first, ""), "");
    assert_eq!(list(&second, ""), "");
    assert!(!folder.path().join("cache").exists());
    let [(one, bytes), (other, more)] = &listings(&cache)[..] else {
        panic!("two listings");
    };
    assert_eq!(bytes / 4096, 1);
    age(one, 200);
    age(other, 100);
    // Using the first makes the second the one that goes.
    assert_eq!(list(&first, ""), "");
    assert_eq!(listings(&cache)[1].0, *one);
    // At the edge of the limit all three stay; a byte less and one goes.
    assert_eq!(list(&third, "1Gi"), "");
    let all: u64 = listings(&cache).iter().map(|(_, bytes)| bytes).sum();
    assert_eq!(listings(&cache).len(), 3);
    let newest = listings(&cache)[2].clone();
    fs::remove_file(&newest.0).unwrap();
    assert_eq!(list(&third, &all.to_string()), "");
    assert_eq!(listings(&cache).len(), 3);
    let newest = listings(&cache)[2].clone();
    fs::remove_file(&newest.0).unwrap();
    assert_eq!(list(&third, &(all - 1).to_string()), "");
    let left: Vec<PathBuf> = listings(&cache).into_iter().map(|(path, _)| path).collect();
    assert_eq!(left, [one.clone(), newest.0.clone()]);
    assert!(!other.with_extension("used").exists(), "{more}");
    // A listing larger than the limit is used once, and nothing else is left.
    let said = list(&second, "4000");
    assert_eq!(
        said,
        format!(
            "warning: the listing takes {more} bytes and the cache holds at most 4000: it is \
             removed after use (raise FAIRDEAL_CACHE_LIMIT to keep it)\n"
        )
    );
    assert_eq!(listings(&cache), []);
    // With no room at all, nothing is written.
    fs::remove_dir_all(&cache).unwrap();
    assert_eq!(list(&second, "0"), "");
    assert!(!cache.exists());
    let wrong = with(
        folder.path(),
        &[("FAIRDEAL_CACHE_LIMIT", "2Gx")],
        &["cases", "list", "nine-spades"],
    );
    assert_eq!(code(&wrong), 64);
    assert_eq!(
        complaint(&wrong),
        "error: FAIRDEAL_CACHE_LIMIT: not a number: `2Gx` (such as 2Gi, 500M or 0)\n"
    );
}

#[test]
fn processes_that_share_a_small_cache_do_not_disturb_each_other() {
    let folder = folder();
    let path = folder.path();
    // Each has a listing of its own, and room is for one.
    thread::scope(|scope| {
        let workers: Vec<_> = (7..13)
            .map(|length| {
                scope.spawn(move || {
                    let condition = format!("spades(west) == {length}");
                    let variables = [
                        ("FAIRDEAL_CACHE", "shared"),
                        ("FAIRDEAL_CACHE_LIMIT", "5000"),
                    ];
                    let out = format!("r{length}");
                    let run = [
                        "run",
                        "--where",
                        &condition,
                        "--sampler",
                        "listing",
                        "--deals",
                        "30K",
                        "--seed",
                        "1",
                        "-q",
                        "--target",
                        "1",
                        "--out",
                        &out,
                    ];
                    for _ in 0..3 {
                        let done = with(path, &variables, &[&run[..], &["--force"]].concat());
                        assert_eq!((code(&done), stderr(&done)), (0, String::new()));
                    }
                })
            })
            .collect();
        for worker in workers {
            worker.join().unwrap();
        }
    });
    let kept: u64 = listings(&path.join("shared"))
        .iter()
        .map(|(_, bytes)| bytes)
        .sum();
    assert!(kept <= 5000, "{kept}");
}

#[test]
fn boards_of_scenarios_are_dealt_without_a_listing() {
    let folder = folder();
    let scenarios = fairdeal(folder.path(), "scenarios --names");
    for scenario in stdout(&scenarios).lines() {
        let deal = ["deal", scenario, "-n", "36", "--seed", "1"];
        let done = with(folder.path(), &[("FAIRDEAL_CACHE", "cache")], &deal);
        assert_eq!((code(&done), stdout(&done).lines().count()), (0, 36));
    }
    assert!(!folder.path().join("cache").exists());
}

#[test]
fn a_cache_that_cannot_be_written_is_memory_and_one_warning() {
    let folder = folder();
    fs::write(folder.path().join("file"), "").unwrap();
    let deal = [
        "deal",
        "nine-spades",
        "-n",
        "1",
        "--seed",
        "1",
        "--sampler",
        "listing",
    ];
    let cause = fs::create_dir_all(folder.path().join("file/cache")).unwrap_err();
    let done = with(folder.path(), &[("FAIRDEAL_CACHE", "file/cache")], &deal);
    assert_eq!(code(&done), 0);
    assert_eq!(stdout(&done).lines().count(), 1);
    assert_eq!(
        stderr(&done),
        format!(
            "warning: cannot create the cache folder file/cache: {cause}; the condition is listed \
             in memory (set FAIRDEAL_CACHE to a folder that can be written)\n"
        )
    );
    // The deals are the same.
    let kept = with(folder.path(), &[("FAIRDEAL_CACHE", "good")], &deal);
    assert_eq!(stdout(&kept), stdout(&done));
    assert_eq!(listings(&folder.path().join("good")).len(), 1);
}

#[test]
fn completions_and_manual_pages_name_every_command() {
    let folder = folder();
    for (shell, part) in [
        ("bash", "_fairdeal()"),
        ("zsh", "#compdef fairdeal"),
        ("fish", "complete -c fairdeal"),
        ("elvish", "edit:completion"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let done = fairdeal(folder.path(), &["completions", shell]);
        assert_eq!(code(&done), 0, "{}", stderr(&done));
        let script = stdout(&done);
        assert!(script.contains(part), "{shell}");
        for name in ["seed-search", "dealer-output", "table-format", "prune"] {
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
    let page = stdout(&fairdeal(folder.path(), "man"));
    assert!(page.contains(".TH fairdeal 1"), "{page}");
    let done = fairdeal(folder.path(), "man --out pages");
    assert_eq!((code(&done), stdout(&done)), (0, String::new()));
    let names = COMMANDS.map(|command| {
        let name = ["fairdeal"].iter().chain(command).copied();
        name.collect::<Vec<_>>().join("-") + ".1"
    });
    for name in &names {
        let page = fs::read_to_string(folder.path().join("pages").join(name)).unwrap();
        let title = name.strip_suffix(".1").unwrap();
        assert!(page.contains(&format!(".TH {title} 1")), "{name}: {page}");
        assert!(page.contains("SYNOPSIS"), "{name}");
    }
    let written = fs::read_dir(folder.path().join("pages")).unwrap().count();
    assert_eq!(written, names.len());
}

#[test]
fn rows_of_a_listing_are_those_that_are_asked_for() {
    let folder = folder();
    let list = |rows: &str| {
        fairdeal(
            folder.path(),
            &["cases", "list", "nine-spades", "--rows", rows],
        )
    };
    let done = list("40..50");
    assert_eq!((code(&done), stdout(&done)), (64, String::new()));
    assert_eq!(complaint(&done), "error: the listing has 30 rows\n");
    assert_eq!(stdout(&list("30..50")).lines().count(), 2);
}
