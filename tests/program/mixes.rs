//! Scripts with a mix: `deal`, `--type`, `--shares` and `theory`.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::path::Path;

use serde_json::Value;

use fairdeal::Script;
use fairdeal::bridge::{Deal, Seat};

use crate::common::{code, complaint, fairdeal, folder, printed, stderr};

const LEVELS: &str = "# Levels of a raise
points = hcp(north) + hcp(south)
game = points >= 25
invitation = points >= 23
pass = 1
#mix: game 40%, invitation 40%, pass 20%
condition hearts(north) >= 5 && hearts(south) >= 3 && hcp(north) >= 11
";

/// Writes a script and returns the arguments that name it.
fn script(folder: &Path, text: &str) {
    fs::write(folder.join("levels.dl"), text).unwrap();
}

/// The place of each board's type among game, invitation and pass.
fn types(boards: &str) -> Vec<usize> {
    let script = Script::parse("levels", LEVELS).unwrap();
    let of = |line: &str| {
        let deal: Deal = line.parse().unwrap();
        let holds = |number: &usize| {
            let of_type = script.of_type(*number).unwrap();
            of_type.condition.expression().holds(&deal).unwrap()
        };
        let held: Vec<usize> = (0..3).filter(holds).collect();
        assert_eq!(held.len(), 1, "{line}");
        held[0]
    };
    boards.lines().map(of).collect()
}

fn numbers(types: &[usize]) -> [usize; 3] {
    [0, 1, 2].map(|of| types.iter().filter(|found| **found == of).count())
}

#[test]
fn a_set_has_the_shares_of_its_mix_in_random_order() {
    let folder = folder();
    script(folder.path(), LEVELS);
    let deal = |more: &[&str]| {
        let all = ["deal", "levels.dl", "-n", "36"];
        printed(folder.path(), &[&all[..], more].concat())
    };
    let boards = deal(&["--seed", "1"]);
    let found = types(&boards);
    // 14.4, 14.4 and 7.2: the seed decides who has the fifteenth.
    assert!([[15, 14, 7], [14, 15, 7]].contains(&numbers(&found)));
    assert!(!found.is_sorted());
    assert_eq!(boards, deal(&["--seed", "1"]));
    assert_ne!(boards, deal(&["--seed", "2"]));
    let mut lines: Vec<&str> = boards.lines().collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 36);
    // Other formats and options are those of any set.
    let pbn = deal(&["--seed", "1", "--format", "pbn", "--rotate", "random"]);
    assert_eq!(pbn.matches("[Deal ").count(), 36);
}

#[test]
fn one_board_of_equal_types_is_not_always_of_the_first() {
    let folder = folder();
    script(
        folder.path(),
        "points = hcp(north)\nlow = points < 9\nmiddle = points < 12\nhigh = 1\n#mix: low, middle, high\n",
    );
    let place = |seed: u32| {
        let all = ["deal", "levels.dl", "-n", "1", "--seed", &seed.to_string()];
        let boards = printed(folder.path(), &all);
        let deal: Deal = boards.trim().parse().unwrap();
        match deal.hands()[0].hcp() {
            0..9 => 0,
            9..12 => 1,
            _ => 2,
        }
    };
    assert_eq!([1, 2, 4].map(place), [0, 1, 2]);
}

#[test]
fn shares_by_chance_vary() {
    let folder = folder();
    script(folder.path(), LEVELS);
    let all = [
        "deal",
        "levels.dl",
        "-n",
        "2000",
        "--shares",
        "random",
        "--seed",
        "4",
    ];
    let [game, invitation, pass] = numbers(&types(&printed(folder.path(), &all)));
    // Within five standard deviations of 800, 800 and 400.
    assert!(
        game.abs_diff(800) < 110 && invitation.abs_diff(800) < 110,
        "{game} {invitation}"
    );
    assert!(pass.abs_diff(400) < 90, "{pass}");
    assert_ne!([game, invitation, pass], [800, 800, 400]);
}

#[test]
fn one_type_is_chosen_by_its_name() {
    let folder = folder();
    script(folder.path(), LEVELS);
    let all = [
        "deal",
        "levels.dl",
        "-n",
        "20",
        "--seed",
        "1",
        "--type",
        "invitation",
    ];
    assert_eq!(numbers(&types(&printed(folder.path(), &all))), [0, 20, 0]);
    let refused = |arguments: &[&str]| {
        let done = fairdeal(folder.path(), arguments);
        assert_eq!(code(&done), 64, "{arguments:?}");
        complaint(&done)
    };
    let known = refused(&["deal", "levels.dl", "--type", "slam"]);
    assert!(
        known.contains("no type `slam`; it has game, invitation, pass"),
        "{known}"
    );
    let none = refused(&["deal", "nine-spades", "--type", "game"]);
    assert!(none.contains("has no mix"), "{none}");
    let shares = refused(&["deal", "nine-spades", "--shares", "exact"]);
    assert!(shares.contains("--shares is for a mix"), "{shares}");
    let many = refused(&["cases", "build", "levels.dl", "-o", "x.cases"]);
    assert!(many.contains("choose one with --type"), "{many}");
    let explain = refused(&["run", "levels.dl", "--explain"]);
    assert!(
        explain.contains("--explain needs one type of the mix"),
        "{explain}"
    );
    let output = refused(&["deal", "levels.dl", "--dealer-output"]);
    assert!(
        output.contains("--dealer-output needs one type of the mix"),
        "{output}"
    );
}

#[test]
fn a_run_of_a_mix_tests_each_type_and_the_mix() {
    let folder = folder();
    let cheap = "game = hcp(north) >= 15
        invitation = hcp(north) >= 12
        pass = 1
        #mix: game 40%, invitation 40%, pass 20%
        condition spades(north) == 6";
    script(folder.path(), cheap);
    let run = [
        "run",
        "levels.dl",
        "--deals",
        "5000",
        "--seed",
        "1",
        "--target=1",
        "--out",
        "mix",
    ];
    let shown = printed(folder.path(), &run);
    let mut last = shown.lines().rev();
    assert!(last.next().unwrap().ends_with("mix.json"), "{shown}");
    let types = last.by_ref().find(|line| line.starts_with("Types"));
    assert!(
        types.unwrap().contains("game PASS (2,000 deals)"),
        "{shown}"
    );
    let verdict = "PASS  levels · 5,000 deals of 3 types";
    assert!(last.next().unwrap().starts_with(verdict), "{shown}");
    let read = |report: &str, file: &str| {
        let path = folder.path().join(report).join(file);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    for (name, deals) in [("game", "2000"), ("invitation", "2000"), ("pass", "1000")] {
        let alone = [
            "run",
            "levels.dl",
            "--type",
            name,
            "--seed",
            "1",
            "--deals",
            deals,
            "--target=1",
        ];
        printed(folder.path(), &[&alone[..], &["--out", name]].concat());
        for file in ["hcp.csv", "patterns.csv", "tests.csv"] {
            assert_eq!(
                read(&format!("mix/{name}"), file),
                read(name, file),
                "{name}"
            );
        }
    }
    let record = read("mix", "mix.json");
    let mix: Value = serde_json::from_slice(&record).unwrap();
    assert_eq!(mix["verdict"], "PASS");
    assert_eq!(mix["dealt"], 5_000);
    let dealt = mix["types"].as_array().unwrap().iter();
    let dealt: Vec<_> = dealt
        .map(|of| {
            (
                of["folder"].as_str().unwrap(),
                of["dealt"].as_u64().unwrap(),
            )
        })
        .collect();
    let expected = [("game", 2_000), ("invitation", 2_000), ("pass", 1_000)];
    assert_eq!(dealt, expected);
    // The same command again changes nothing but times; another seed is another run.
    let again = printed(folder.path(), &[&run[..], &["--json"]].concat());
    assert_eq!(again.as_bytes(), read("mix", "mix.json"));
    assert_eq!(record, read("mix", "mix.json"));
    // In a resumed mix, some types have not started.
    fs::create_dir(folder.path().join("begun")).unwrap();
    fs::rename(folder.path().join("game"), folder.path().join("begun/game")).unwrap();
    let resumed = [&run[..7], &["--out", "begun", "--resume"]].concat();
    printed(folder.path(), &resumed);
    assert_eq!(record, read("begun", "mix.json"));
    let other = [
        "run",
        "levels.dl",
        "--deals",
        "5000",
        "--seed",
        "2",
        "--target=1",
        "--out",
        "mix",
    ];
    let refused = fairdeal(folder.path(), &other);
    assert_eq!(code(&refused), 64);
    let longer = [
        "run",
        "levels.dl",
        "--deals=6000",
        "--seed=1",
        "--target=1",
        "--out=mix",
    ];
    assert_eq!(code(&fairdeal(folder.path(), &longer)), 64);
    assert_eq!(record, read("mix", "mix.json"));
    printed(folder.path(), &[&other[..], &["--force"]].concat());
    let mix: Value = serde_json::from_slice(&read("mix", "mix.json")).unwrap();
    assert_eq!(
        (&mix["seed"], &mix["dealt"]),
        (&"0x2".into(), &5_000.into())
    );
    // Without --out, the same run has one folder, and another run another.
    for (seed, folders) in [("1", 1), ("1", 1), ("2", 2)] {
        let beside = ["run", "levels.dl", "--deals", "2000", "--seed", seed];
        printed(folder.path(), &beside);
        let there = fs::read_dir(folder.path().join("reports/runs")).unwrap();
        assert_eq!(there.count(), folders);
    }
    let single = ["run", "unconstrained", "--deals", "2000", "--out", "mix"];
    assert_eq!(code(&fairdeal(folder.path(), &single)), 64);
    assert!(
        complaint(&refused).contains("another report (seed 0x1, not 0x2)"),
        "{}",
        stderr(&refused)
    );
}

#[test]
fn theory_has_the_natural_share_of_each_type() {
    let folder = folder();
    script(folder.path(), LEVELS);
    let shown = printed(folder.path(), "theory levels.dl");
    assert!(
        shown.contains("in the mix") && shown.contains("invitation"),
        "{shown}"
    );
    let json = printed(folder.path(), "theory levels.dl --json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let types = json["types"].as_array().unwrap();
    assert_eq!(types.len(), 3);
    assert_eq!(types[0]["share"], "2/5");
    // The probability of a type over that of the condition is its natural share.
    let ratio = |text: &serde_json::Value| {
        let (ways, of) = text.as_str().unwrap().split_once('/').unwrap();
        ways.parse::<f64>().unwrap() / of.parse::<f64>().unwrap()
    };
    let mut sum = 0.0;
    for of in types {
        let natural = ratio(&of["natural_share"]);
        sum += natural;
        assert!(
            (ratio(&of["probability"]["fraction"])
                / ratio(&json["probability"]["fraction"])
                / natural
                - 1.0)
                .abs()
                < 1e-12
        );
    }
    assert!((sum - 1.0).abs() < 1e-12, "{sum}");
}

#[test]
fn theory_lists_the_types_of_what_it_cannot_count() {
    let folder = folder();
    // Three hands, and a product that nests deeper than a formula to be counted.
    let factor = |hand| format!("(cccc({hand}) > 1000)");
    let too_many = ["north", "south", "east"].map(factor).join(" * ");
    let too_many = vec![too_many; 80].join(" * ");
    let types = format!("strong = hcp(north) == 37\nrest = {too_many}\n#mix: strong 1, rest 2\n");
    for (text, probability) in [
        // The condition is not counted: of the types, each that is.
        (format!("{types}condition {too_many}\n"), None),
        // Every deal satisfies it.
        (types, Some("1/1")),
    ] {
        script(folder.path(), &text);
        let shown = printed(folder.path(), "theory levels.dl");
        assert!(shown.contains("in the mix"), "{shown}");
        let of_rest = shown.lines().find(|line| line.starts_with("rest"));
        let words: Vec<&str> = of_rest.unwrap().split_whitespace().collect();
        assert_eq!(words, ["rest", "2/3", "not", "exact"]);
        let json = printed(folder.path(), "theory levels.dl --json");
        let json: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["probability"]["fraction"].as_str(), probability);
        let [strong, rest] = json["types"].as_array().unwrap().as_slice() else {
            panic!("{json}");
        };
        assert_eq!(
            (&strong["share"], &rest["share"]),
            (&"1/3".into(), &"2/3".into())
        );
        assert!(rest.get("natural_share").is_none(), "{rest}");
        let why = rest["why"].as_str().unwrap();
        assert!(why.contains("too many deals"), "{why}");
        if probability.is_some() {
            assert_eq!(strong["natural_share"], strong["probability"]["fraction"]);
        }
    }
}

#[test]
fn sets_without_repeats_have_different_deals_of_each_type() {
    let folder = folder();
    script(
        folder.path(),
        "suit = spades(north) == 13\nother = 1\n#mix: suit, other\n",
    );
    let all = [
        "deal",
        "levels.dl",
        "-n",
        "20",
        "--seed",
        "1",
        "--no-repeats",
    ];
    let boards = printed(folder.path(), &all);
    let suits = boards
        .lines()
        .filter(|line| line.starts_with("N:AKQJT98765432"));
    assert_eq!((suits.count(), boards.lines().count()), (10, 20));
    let done = fairdeal(folder.path(), &[&all[..], &["--shares", "random"]].concat());
    assert_eq!(code(&done), 64);
    let few = "one = spades(north) == 13 && hearts(east) == 13 && clubs(south) == 13\n\
               other = 1\n#mix: one, other\n";
    script(folder.path(), few);
    let done = fairdeal(folder.path(), &all);
    assert!(
        complaint(&done).contains("type `one`"),
        "{}",
        complaint(&done)
    );
}

#[test]
fn an_error_in_a_value_is_shown_in_its_script() {
    let folder = folder();
    // The value is beyond the end of the condition of a type.
    let value = "hcp(north) / (hcp(south) - hcp(south))";
    let printed = format!("{LEVELS}{:200}action printes({value})", "");
    script(folder.path(), &printed);
    let lin = ["--format", "lin", "--comment"];
    let done = fairdeal(folder.path(), &[&["deal", "levels.dl"], &lin[..]].concat());
    assert_eq!(code(&done), 65);
    assert!(
        stderr(&done).contains("division by zero"),
        "{}",
        stderr(&done)
    );
    let averaged = format!("{LEVELS}{:200}action average {value}", "");
    script(folder.path(), &averaged);
    let done = fairdeal(folder.path(), "run levels.dl --type game -n 1000");
    assert_eq!(code(&done), 65);
    assert!(
        stderr(&done).contains("division by zero"),
        "{}",
        stderr(&done)
    );
}

#[test]
fn a_type_without_deals_is_named() {
    let folder = folder();
    let none = LEVELS.replace("game = points >= 25", "game = points >= 41");
    script(folder.path(), &none);
    let done = fairdeal(folder.path(), "deal levels.dl -n 4");
    assert_eq!(code(&done), 65);
    assert!(
        complaint(&done).contains("type `game`"),
        "{}",
        complaint(&done)
    );
    let shown = printed(folder.path(), "theory levels.dl");
    assert!(shown.contains("0/1"), "{shown}");
}

/// Types with dealer3's names, from the south hand's points.
const BANDS: &str = "HandType_weak = hcp(south) < 8
HandType_middle = hcp(south) < 13
HandType_strong = 1
HandType_weak_Share = 2
HandType_middle_Share = 3
HandType_strong_Share = 5
condition spades(south) >= 4
";

const BAND_NAMES: [&str; 3] = ["weak", "middle", "strong"];

/// The name of the type of a deal.
fn band(deal: &str) -> &'static str {
    let deal: Deal = deal.parse().unwrap();
    match deal.hand(Seat::South).hcp() {
        0..8 => "weak",
        8..13 => "middle",
        _ => "strong",
    }
}

#[test]
fn a_levelled_script_deals_the_shares_of_its_mix() {
    let folder = folder();
    script(folder.path(), BANDS);
    let write = "deal levels.dl --write-levelled plain.dl";
    let shown = printed(folder.path(), write);
    for name in BAND_NAMES {
        assert!(shown.contains(name), "{shown}");
    }
    assert_ne!(code(&fairdeal(folder.path(), write)), 0);
    assert_eq!(shown, printed(folder.path(), &[write, "--force"].join(" ")));
    let told = printed(folder.path(), "deal plain.dl --check bbo");
    assert!(told.contains("has all words"), "{told}");
    let boards = printed(folder.path(), "deal plain.dl -n 20000 --seed 1");
    for (name, share) in BAND_NAMES.into_iter().zip([0.2, 0.3, 0.5]) {
        let found = boards.lines().filter(|line| band(line) == name).count();
        let variance: f64 = 20_000.0 * share * (1.0 - share);
        let difference = found as f64 - 20_000.0 * share;
        assert!(difference.abs() < 5.0 * variance.sqrt(), "{name}: {found}");
    }
}

#[test]
fn a_mix_without_exact_shares_is_not_levelled() {
    let folder = folder();
    let refused = |text: &str| {
        script(folder.path(), text);
        let done = fairdeal(folder.path(), "deal levels.dl --write-levelled plain.dl");
        assert!([64, 65].contains(&code(&done)), "{text}");
        assert!(!folder.path().join("plain.dl").exists());
        stderr(&done)
    };
    let by_chance = "one = rnd(2) == 0\nother = 1\n#mix: one, other\ncondition 1\n";
    let told = refused(by_chance);
    assert!(told.contains("no exact tables"), "{told}");
    let told = refused("condition hcp(north) > 9\n");
    assert!(told.contains("no mix to level"), "{told}");
    let none = LEVELS.replace("game = points >= 25", "game = points >= 41");
    let told = refused(&none);
    assert!(told.contains("no deal is of the type `game`"), "{told}");
}

#[test]
fn all_that_bridge_base_refuses_is_listed_with_its_line() {
    let folder = folder();
    let text = "# A comment of its own line\nfew = ltc(north) < 600 # losers\ntitle \"T\"\n\
                many = hcp(south) > 0.11\ncondition few && many\n";
    script(folder.path(), text);
    let done = fairdeal(folder.path(), "deal levels.dl --check bbo");
    assert_eq!(code(&done), 65);
    let told = stderr(&done);
    for problem in [
        "levels.dl:2:7",
        "dealer has no `ltc`",
        "levels.dl:2:24",
        "a comment behind other text",
        "levels.dl:3:1",
        "dealer has no `title`",
        "levels.dl:4:21",
        "dealer has no decimals",
    ] {
        assert!(told.contains(problem), "{problem}: {told}");
    }
    assert_eq!(told.matches("levels.dl:").count(), 4, "{told}");
}

/// The types that a set of boards tells in a format, between these texts.
fn told_types<'b>(boards: &'b str, [before, after]: [&str; 2]) -> Vec<&'b str> {
    let told = boards.split(before).skip(1);
    told.map(|rest| rest.split(after).next().unwrap()).collect()
}

#[test]
fn boards_tell_their_types_in_every_format_that_has_a_place_for_them() {
    let folder = folder();
    script(folder.path(), BANDS);
    let deal = |format: &str, more: &[&str]| {
        let all = ["deal", "levels.dl", "-n", "36", "--seed", "1", "--format"];
        printed(folder.path(), &[&all[..], &[format], more].concat())
    };
    let pbn = deal("pbn", &[]);
    let types = told_types(&pbn, ["[HandType \"", "\"]"]);
    let bands: Vec<&str> = deal("line", &[]).lines().map(band).collect();
    assert_eq!(types, bands);
    let numbers = BAND_NAMES.map(|name| types.iter().filter(|of| **of == name).count());
    assert_eq!(numbers, [7, 11, 18]);
    let (json, lin, csv) = (deal("json", &[]), deal("lin", &[]), deal("csv", &[]));
    assert_eq!(told_types(&json, ["\"type\":\"", "\""]), types);
    assert_eq!(told_types(&lin, ["|nt|", "|"]), types);
    let last = csv.lines().map(|line| line.rsplit(',').next().unwrap());
    let last: Vec<&str> = last.map(|field| field.trim_matches('"')).collect();
    assert_eq!(last, types);
    // A conversion keeps them.
    fs::write(folder.path().join("set.pbn"), &pbn).unwrap();
    let converted = printed(folder.path(), "convert set.pbn --format json");
    assert_eq!(told_types(&converted, ["\"type\":\"", "\""]), types);
}

#[test]
fn an_interleaved_set_brings_each_type_before_any_again() {
    let folder = folder();
    script(folder.path(), BANDS);
    let all = "deal levels.dl -n 36 --seed 1 --interleave";
    let boards = printed(folder.path(), all);
    let bands: Vec<&str> = boards.lines().map(band).collect();
    let numbers = BAND_NAMES.map(|name| bands.iter().filter(|of| **of == name).count());
    assert_eq!(numbers, [7, 11, 18]);
    let mut first = bands[..3].to_vec();
    first.sort_unstable();
    assert_eq!(first, ["middle", "strong", "weak"]);
    let halves = bands.chunks(18).map(|half| {
        let rare = half.iter().filter(|of| **of == "weak");
        rare.count()
    });
    assert!(halves.min() >= Some(3), "{bands:?}");
}
