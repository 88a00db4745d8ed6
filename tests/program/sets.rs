//! Sets to play, and the deals of files: `deal --format html`, names, comments, rotation,
//! `--no-repeats` and `--from`.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::common::{code, complaint, fairdeal, folder, stderr, stdout};

/// The output of a command that must succeed.
fn printed(arguments: &[&str]) -> String {
    crate::common::printed(folder().path(), arguments)
}

/// A file of the fixtures.
fn fixture(name: &str) -> String {
    format!("{}/fixtures/solved/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A value of the fixtures' expected.csv.
fn expected(quantity: &str) -> f64 {
    let text = fs::read_to_string(fixture("expected.csv")).unwrap();
    let line = text.lines().find_map(|line| {
        let (name, value) = line.rsplit_once(',')?;
        (name == quantity).then(|| value.parse().unwrap())
    });
    line.unwrap()
}

/// The hands of each board, north first, from `--json`.
fn hands(text: &str) -> Vec<[String; 4]> {
    let line = |line: &str| {
        let board: serde_json::Value = serde_json::from_str(line).unwrap();
        ["north", "east", "south", "west"].map(|seat| board[seat].as_str().unwrap().to_owned())
    };
    text.lines().map(line).collect()
}

#[test]
fn hands_are_printed_on_sheets() {
    let all = ["deal", "unconstrained", "-n", "9", "--seed", "1"];
    let page = |more: &[&str]| printed(&[&all, &["--format", "html"][..], more].concat());
    let sheets = |page: &str| page.matches("<section class=\"sheet").count();
    let four = page(&["--event", "Club & <night>"]);
    assert!(four.starts_with("<!DOCTYPE html>") && four.ends_with("</html>\n"));
    assert_eq!(sheets(&four), 3);
    assert_eq!(four.matches("<article").count(), 9);
    assert_eq!(four.matches("<div class=\"hand ").count(), 36);
    assert!(
        four.contains("<h1>Club &#38; &#60;night&#62;</h1>"),
        "{four}"
    );
    assert!(four.contains("Dealer West · Vulnerable all"));
    // Every rank of every hand.
    let ranks = four
        .split("</span>")
        .skip(1)
        .filter(|text| text.contains("</p>"));
    let ranks = ranks.filter_map(|text| text.split_once("</p>").map(|(ranks, _)| ranks));
    let ranks = ranks.flat_map(|ranks| ranks.split(' '));
    let is_rank = |rank: &&str| {
        "A K Q J 10 9 8 7 6 5 4 3 2"
            .split(' ')
            .any(|one| one == *rank)
    };
    assert_eq!(ranks.filter(is_rank).count(), 9 * 52);
    assert_eq!(sheets(&page(&["--per-page", "2"])), 5);
    let alone = page(&["--per-page", "2", "--show", "S", "--names", "Ann,Bo,Cy,Dee"]);
    assert_eq!(sheets(&alone), 10);
    assert_eq!(
        alone.matches("south&#39;s hands").count(),
        0,
        "names of seats need no escape"
    );
    assert_eq!(alone.matches("south's hands").count(), 5);
    assert_eq!(alone.matches("<div class=\"hand south\"").count(), 18);
    assert_eq!(alone.matches("<div class=\"hand north\"").count(), 9);
    assert_eq!(alone.matches(">Cy</p>").count(), 18);
    assert!(!alone.contains("<table>"), "the tricks are unknown");
}

#[test]
fn hand_records_are_compact_and_answers_have_sheets_of_their_own() {
    let page = |more: &[&str]| {
        let script = "weak = hcp(north) <= 7\nother = 1\n#mix: weak 1, other 1\n";
        let folder = folder();
        fs::write(folder.path().join("mix.dl"), script).unwrap();
        let all = [
            "deal", "mix.dl", "-n", "16", "--seed", "1", "--format", "html",
        ];
        crate::common::printed(folder.path(), &[&all[..], more].concat())
    };
    let players = [
        "--per-page",
        "16",
        "--show",
        "n,e,s,w",
        "--answers",
        "--names",
        "Ann,Bo,Cy,Dee",
    ];
    let found = page(&[&players[..], &["--paper", "letter"]].concat());
    assert_eq!(
        found
            .matches("<section class=\"sheet compact eighteen")
            .count(),
        5
    );
    assert_eq!(found.matches("<section class=\"answers\"").count(), 1);
    assert!(found.contains("@page { size: letter; }"));
    for (seat, name) in [
        ("north", "Ann"),
        ("east", "Bo"),
        ("south", "Cy"),
        ("west", "Dee"),
    ] {
        assert!(
            found.contains(&format!("Hands · {seat}: {name}</p>")),
            "{seat}"
        );
        let hands = found
            .matches(&format!("<div class=\"hand {seat}\""))
            .count();
        assert_eq!(hands, 32, "alone, and on the sheet of all hands");
    }
    // The types are among the answers alone.
    let (hands, answers) = found.split_once("<section class=\"answers\"").unwrap();
    assert!(!hands.contains("weak") && !hands.contains("other</p>"));
    assert_eq!(answers.matches("<td>weak</td>").count(), 8);
    assert_eq!(answers.matches("<tr><th scope=\"row\">").count(), 16);
    assert!(!answers.contains("Par"), "the tricks are unknown");
    let usual = page(&[]);
    assert!(usual.contains("@page { size: A4;") && !usual.contains("letter"));
    assert_eq!(usual.matches(" · weak</p>").count(), 8);
    for (per_page, class) in [
        ("6", "six"),
        ("12", "twelve"),
        ("15", "fifteen"),
        ("18", "eighteen"),
    ] {
        let compact = page(&["--per-page", per_page]);
        assert!(
            compact.contains(&format!("class=\"sheet compact {class}\"")),
            "{per_page}"
        );
    }
}

#[test]
fn answers_have_par_and_what_each_side_can_make() {
    let library = fixture("library.zrd");
    let deal = ["deal", "unconstrained", "-n", "1", "--from", &library];
    let page = printed(&[&deal[..], &["--format", "html", "--answers"]].concat());
    let pbn = printed(&[&deal[..], &["--format", "pbn"]].concat());
    let answers = page.split_once("<section class=\"answers\"").unwrap().1;
    let row = answers.split("<tr>").nth(2).unwrap();
    let cells: Vec<&str> = row
        .split("<td>")
        .map(|cell| cell.split('<').next().unwrap())
        .collect();
    // The same contracts from the rows of PBN: declarer, strain, tricks.
    let makes = |seats: [&str; 2]| {
        let tricks = |seat: &str, strain: &str| -> i32 {
            let of = |line: &&str| {
                let words: Vec<&str> = line.split_whitespace().collect();
                words.len() == 3 && words[0] == seat && words[1] == strain
            };
            let line = pbn.lines().find(of).unwrap();
            line.split_whitespace().last().unwrap().parse().unwrap()
        };
        let strains = [("NT", "NT"), ("S", "♠"), ("H", "♥"), ("D", "♦"), ("C", "♣")];
        let makes = strains.iter().filter_map(|(strain, sign)| {
            let [one, other] = seats.map(|seat| tricks(seat, strain));
            let level = one.max(other) - 6;
            (level > 0).then(|| match one - other {
                0 => format!("{level}{sign}"),
                1.. => format!("{level}{sign} by {}", seats[0]),
                _ => format!("{level}{sign} by {}", seats[1]),
            })
        });
        let makes: Vec<String> = makes.collect();
        if makes.is_empty() {
            "nothing".to_owned()
        } else {
            makes.join(", ")
        }
    };
    assert_eq!(cells[3..], [makes(["N", "S"]), makes(["E", "W"])]);
    assert!(cells[2].starts_with("N-S +") || cells[2].starts_with("E-W +") || cells[2] == "0");
}

#[test]
fn names_and_comments_are_in_lin_and_pbn() {
    let script = "hcp(north) >= 15 \
                  action printes(\"North has \", hcp(north), \" | {points}\", \\n)";
    let deal = [
        "deal",
        "--where",
        script,
        "-n",
        "3",
        "--seed",
        "1",
        "--comment",
    ];
    let named = |format| {
        let more = ["--names", "Ann,Bo \"B\",Cy,Dee", "--format", format];
        printed(&[&deal[..], &more].concat())
    };
    let lin = named("lin");
    assert_eq!(lin.lines().count(), 3);
    for line in lin.lines() {
        assert!(line.contains("|pn|Cy,Dee,Ann,Bo \"B\"|md|"), "{line}");
        let (_, comment) = line.split_once("|nt|North has ").unwrap();
        let points: u32 = comment
            .split_once(" {points}|pg||")
            .unwrap()
            .0
            .parse()
            .unwrap();
        assert!(points >= 15, "{line}");
    }
    let pbn = named("pbn");
    assert_eq!(
        pbn.matches("[North \"Ann\"]\n[East \"Bo \\\"B\\\"\"]\n")
            .count(),
        3
    );
    assert_eq!(pbn.matches("{North has ").count(), 3);
    assert_eq!(pbn.matches(" | points}\n").count(), 3);
    // The files can be read again.
    let folder = folder();
    for (name, text) in [("set.lin", &lin), ("set.pbn", &pbn)] {
        fs::write(folder.path().join(name), text).unwrap();
        let again = fairdeal(
            folder.path(),
            &["deal", "unconstrained", "--from", name, "--json"],
        );
        let first = printed(&[&deal[..7], &["--json"]].concat());
        assert_eq!(hands(&stdout(&again)), hands(&first), "{}", stderr(&again));
    }
}

#[test]
fn hands_move_from_board_to_board() {
    let all = [
        "deal",
        "--where",
        "hcp(north) >= 20",
        "-n",
        "64",
        "--seed",
        "3",
        "--json",
    ];
    let rotated = |how| hands(&printed(&[&all[..], &["--rotate", how]].concat()));
    let still = hands(&printed(&all));
    let turn = |board: &[String; 4], by: usize| {
        let mut turned = board.clone();
        turned.rotate_right(by);
        turned
    };
    let mut seen: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for how in ["board", "random", "partner-board", "partner-random"] {
        for (place, (one, other)) in still.iter().zip(rotated(how)).enumerate() {
            let by = (0..4).find(|by| turn(one, *by) == other).unwrap();
            seen.entry(how).or_default().insert(by);
            match how {
                "board" => assert_eq!(by, place % 4),
                "partner-board" => assert_eq!(by, 2 * (place % 2)),
                _ => {}
            }
        }
    }
    let all = |turns: &[usize]| turns.iter().copied().collect::<BTreeSet<_>>();
    assert_eq!(seen["random"], all(&[0, 1, 2, 3]));
    assert_eq!(seen["partner-random"], all(&[0, 2]));
    // The strong hand is the dealer's, and a dealer that is stated moves with the hands.
    let strong = [
        "deal",
        "--where",
        "hcp(north) >= 20",
        "-n",
        "8",
        "--format",
        "pbn",
    ];
    let strong = [
        &strong[..],
        &["--rotate", "board", "--dealer", "N", "--vul", "ns"],
    ]
    .concat();
    let pbn = printed(&strong);
    let tags = |name: &str| {
        let tags = pbn
            .lines()
            .filter_map(|line| line.strip_prefix(name)?.strip_suffix("\"]"));
        tags.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(tags("[Dealer \""), "N E S W N E S W");
    assert_eq!(tags("[Vulnerable \""), "NS EW NS EW NS EW NS EW");
}

#[test]
fn a_set_without_repeats_has_different_deals() {
    // Four cards are left, two for south and two for west: six deals.
    let few = "predeal north SAKQJT98765432 east CAKQJT98765432 \
               south HAKQJT987654 west DAKQJT987654";
    let script = [
        "deal",
        "--where",
        few,
        "--seed",
        "1",
        "--max-tries",
        "2000",
        "--json",
    ];
    let deal = |n, more: &[&str]| {
        let folder = folder();
        fairdeal(folder.path(), &[&script[..], &["-n", n], more].concat())
    };
    let repeated: BTreeSet<_> = hands(&stdout(&deal("40", &[]))).into_iter().collect();
    assert_eq!(repeated.len(), 6);
    let done = deal("6", &["--no-repeats"]);
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    let different: BTreeSet<_> = hands(&stdout(&done)).into_iter().collect();
    assert_eq!(different, repeated);
    let refused = deal("7", &["--no-repeats"]);
    assert_eq!(code(&refused), 65);
    assert!(complaint(&refused).contains("at most 6 different deals satisfy the condition"));
    let folder = folder();
    let refused = fairdeal(
        folder.path(),
        "deal unconstrained -n 10000001 --no-repeats --seed 1",
    );
    assert_eq!(code(&refused), 64);
    let told = "error: a set of different deals has at most 10,000,000 boards, not 10,000,001";
    assert_eq!(complaint(&refused).trim_end(), told);
}

#[test]
fn a_library_answers_a_script_with_its_tricks() {
    let library = fixture("library.zrd");
    let script = "action average \"south in notrumps\" tricks(south, notrumps), \
                  average \"four spades\" tricks(north, spades) >= 10, \
                  frequency \"west in clubs\" (tricks(west, clubs), 0, 13) \
                  hcp(north) >= 0";
    let ask = ["run", "--where", script, "--from", &library, "--json"];
    let found: serde_json::Value = serde_json::from_str(&printed(&ask)).unwrap();
    let deals = expected("deals");
    assert_eq!(found["deals"], deals as u64);
    let mean = |place: usize| found["averages"][place]["mean"].as_f64().unwrap();
    let sum = expected("sum of south's tricks in notrumps");
    assert!((mean(0) - sum / deals).abs() < 1e-9);
    let games = expected("north makes 4 spades");
    assert!((mean(1) - games / deals).abs() < 1e-9);
    let six = &found["frequencies"].as_array().unwrap()[7];
    assert_eq!(six["value"], "6");
    assert_eq!(
        six["observed"],
        expected("west's tricks in clubs are 6") as u64
    );
    // With a condition, and with one worker.
    let script = "action average tricks(south, notrump) hcp(north) >= 12";
    for threads in ["1", "2"] {
        let ask = [
            "run",
            "--where",
            script,
            "--from",
            &library,
            "--threads",
            threads,
            "--json",
        ];
        let found: serde_json::Value = serde_json::from_str(&printed(&ask)).unwrap();
        let kept = expected("north has 12 points");
        assert_eq!(found["kept"], kept as u64);
        let mean = found["averages"][0]["mean"].as_f64().unwrap();
        let sum = expected("the same with north's 12 points");
        assert!((mean - sum / kept).abs() < 1e-9);
        let share = &found["probability"];
        let bounds = share["bounds"].as_array().unwrap();
        let [low, high] = [&bounds[0], &bounds[1]].map(|bound| bound.as_f64().unwrap());
        assert!(low < kept / deals && kept / deals < high && high - low < 0.2);
    }
    let told = printed(&["run", "--where", script, "--from", &library]);
    assert!(told.starts_with("DONE  condition-"), "{told}");
    assert!(
        told.contains(" of 500 deals satisfy the condition"),
        "{told}"
    );
}

#[test]
fn the_deals_of_a_file_are_written_in_another_format() {
    let (zrd, pbn) = (fixture("library.zrd"), fixture("first.pbn"));
    let folder = folder();
    let deal = |more: &[&str]| {
        fairdeal(
            folder.path(),
            &[&["deal", "unconstrained"][..], more].concat(),
        )
    };
    // The first boards of one file are those of the other, with their tricks.
    let records = deal(&["--from", &pbn, "--format", "zrd"]);
    assert_eq!(code(&records), 0, "{}", stderr(&records));
    assert_eq!(records.stdout, fs::read(&zrd).unwrap()[..16 * 23]);
    let games = stdout(&deal(&["--from", &zrd, "--format", "pbn", "-n", "16"]));
    assert_eq!(games.matches("[OptimumScore \"NS ").count(), 16);
    fs::write(folder.path().join("again.pbn"), games).unwrap();
    let again = deal(&["--from", "again.pbn", "--format", "zrd"]);
    assert_eq!(again.stdout, records.stdout);
    let page = stdout(&deal(&["--from", &zrd, "--format", "html", "-n", "4"]));
    assert_eq!(
        page.matches("<caption>Double-dummy tricks</caption>")
            .count(),
        4
    );
    // With its contract, or 0.
    let pars = page.split("<p>Par ").skip(1);
    let pars: Vec<&str> = pars.map(|part| part.split('<').next().unwrap()).collect();
    assert_eq!(pars.len(), 4);
    assert!(
        pars.iter().all(|par| *par == "0" || par.contains(" by ")),
        "{pars:?}"
    );
    // Tricks move with the hands.
    let turned = deal(&[
        "--from",
        &pbn,
        "--format",
        "zrd",
        "--rotate",
        "partner-board",
    ]);
    fs::write(folder.path().join("turned.zrd"), &turned.stdout).unwrap();
    let back = [
        "--from",
        "turned.zrd",
        "--format",
        "zrd",
        "--rotate",
        "partner-board",
    ];
    assert_eq!(deal(&back).stdout, records.stdout);
    assert_ne!(turned.stdout, records.stdout);
    let matching = [
        "deal",
        "--where",
        "tricks(north, spades) >= 10",
        "--from",
        &zrd,
    ];
    let done = fairdeal(folder.path(), &[&matching[..], &["--json"]].concat());
    let count = hands(&stdout(&done)).len() as f64;
    assert_eq!(count, expected("north makes 4 spades"));
    let many = fairdeal(
        folder.path(),
        &[&matching[..], &["-n", "501", "-q"]].concat(),
    );
    assert_eq!(code(&many), 5);
    assert!(complaint(&many).contains("among the 500 deals of the files"));
}

#[test]
fn what_a_library_cannot_answer_is_told() {
    let folder = folder();
    let bare = format!(
        "{}/fixtures/records/bigdeal/set1.lin",
        env!("CARGO_MANIFEST_DIR")
    );
    let zrd = fixture("library.zrd");
    let tricks = "tricks(north, spades) >= 10";
    for (arguments, told) in [
        (
            &["run", "--where", tricks, "--from", &bare][..],
            "set1.lin:1: the deal has no table of double-dummy tricks",
        ),
        (
            &["deal", "unconstrained", "--from", &bare, "--format", "zrd"],
            "board 1 has no double-dummy tricks",
        ),
        (
            &["deal", "unconstrained", "--format", "zrd", "--seed", "1"],
            "error: the format zrd stores double-dummy tricks: add --solve",
        ),
        (
            &["deal", "unconstrained", "--format", "lin", "--solve"],
            "--solve is not supported by the format lin: use pbn, html, zrd",
        ),
        (
            &["deal", "unconstrained", "--from", &zrd, "--format", "dup"],
            "a DUP file has at most 99 boards, not 100",
        ),
        (
            &["theory", "--where", tricks],
            "only `deal` and `solve` can solve deals",
        ),
        (
            &["run", "unconstrained", "--from", &zrd, "--seed", "1"],
            "cannot be used with '--",
        ),
        (
            &["run", "unconstrained", "--from", &zrd, "--keep", "1Ki"],
            "cannot be used with '--",
        ),
        (
            &["run", "unconstrained", "--from", &zrd, "--no-exact"],
            "cannot be used with '--",
        ),
        (
            &[
                "deal",
                "unconstrained",
                "--from",
                &zrd,
                "--sampler",
                "rejection",
            ],
            "cannot be used with '--",
        ),
        (
            &["deal", "unconstrained", "--date", "tomorrow"],
            "not a date such as 2026.11.22 or 2026.??.??: `tomorrow`",
        ),
        (
            &["run", "--where", "tricks(north) > 1", "--from", &zrd],
            "expected a declarer and a strain",
        ),
        (
            &["run", "--where", "tricks(north, x) > 1", "--from", &zrd],
            "expected spades, hearts, diamonds, clubs or notrumps",
        ),
        (
            &["deal", "unconstrained", "--format", "line", "--show", "S"],
            "--show is not supported by the format line: use html",
        ),
        (
            &[
                "deal",
                "unconstrained",
                "--format",
                "lin",
                "--names",
                "Ann,Bo",
            ],
            "expected four names separated by commas, found 2",
        ),
    ] {
        let refused = fairdeal(folder.path(), arguments);
        assert!([64, 65].contains(&code(&refused)), "{arguments:?}");
        assert!(
            stderr(&refused).contains(told),
            "{arguments:?}: {}",
            stderr(&refused)
        );
    }
}

#[test]
fn deal_takes_dealers_letters_and_says_what_it_leaves_out() {
    let folder = folder();
    let script = "hcp(north) >= 10 action average \"points\" hcp(north)";
    fs::write(folder.path().join("ask.dl"), script).unwrap();
    let deal = |arguments: &[&str]| {
        let done = fairdeal(folder.path(), &[&["deal", "ask.dl"], arguments].concat());
        assert_eq!(code(&done), 0, "{}", stderr(&done));
        (stdout(&done), stderr(&done))
    };
    let (boards, told) = deal(&["-p", "4", "-s", "7"]);
    assert_eq!(boards.lines().count(), 4);
    assert!(told.contains("--dealer-output also prints"), "{told}");
    let long = ["--deals", "4", "--seed", "7", "--quiet"];
    assert_eq!(deal(&long), (boards, String::new()));
    let (printed, told) = deal(&["-p", "4", "-s", "7", "--dealer-output"]);
    assert!(printed.contains("points"), "{printed}");
    assert!(!told.contains("also prints"), "{told}");
}
