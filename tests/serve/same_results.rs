//! The server's tables and boards are those of the commands, byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::client::{Served, escaped};
use crate::common;

/// Runs the program in a folder and returns what it prints.
fn command(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    common::fairdeal(folder, arguments).stdout
}

/// The tables of a report, without those that measure time.
fn tables(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a report");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let tables = paths.filter(|path| path.extension().is_some_and(|end| end == "csv"));
    let tables = tables.map(|path| {
        let name = path.file_name().expect("a name").to_string_lossy();
        (name.into_owned(), fs::read(&path).expect("a table"))
    });
    tables.filter(|(name, _)| name != "latency.csv").collect()
}

fn assert_same(
    mut ours: BTreeMap<String, Vec<u8>>,
    theirs: &BTreeMap<String, Vec<u8>>,
    least: usize,
) {
    assert!(theirs.len() >= least, "{:?}", theirs.keys());
    for (name, table) in theirs {
        let own = ours.remove(name).unwrap_or_default();
        let [own, table] =
            [own, table.clone()].map(|table| String::from_utf8_lossy(&table).into_owned());
        assert_eq!(own, table, "{name}");
    }
    assert!(ours.is_empty(), "{:?}", ours.keys());
}

#[test]
fn runs_have_the_tables_of_the_command() {
    let (served, folder) = (Served::start(), common::folder());
    for (condition, input) in [
        ("north-2-south-0-1", vec!["north-2-south-0-1"]),
        (
            "hcp(west) >= 20 && hearts(east) == 0\naction average \"N\" hcp(north)",
            vec![
                "--where",
                "hcp(west) >= 20 && hearts(east) == 0\naction average \"N\" hcp(north)",
            ],
        ),
    ] {
        let fields = [
            ("condition", condition),
            ("deals", "40K"),
            ("seed", "0x5eed"),
        ];
        let (_, page) = served.finish(&served.post("/runs", &fields));
        let name = page.split("/reports/").nth(1).expect("a report");
        let name = name.split('/').next().expect("a name");
        let options = [
            "--deals", "40K", "--seed", "0x5eed", "--out", "theirs", "--force", "-q",
        ];
        command(folder.path(), &[&["run"], &input[..], &options].concat());
        let theirs = tables(&folder.path().join("theirs"));
        assert_same(tables(&served.reports().join(name)), &theirs, 9);
    }
}

#[test]
fn audits_have_the_tables_of_the_command() {
    let (served, folder) = (Served::start(), common::folder());
    let options = ["-n", "40", "--seed", "3", "--format", "pbn", "-q"];
    let mut boards = command(
        folder.path(),
        &[&["deal", "unconstrained"], &options[..]].concat(),
    );
    // A board that is not a legal deal.
    boards.extend_from_slice(b"[Board \"9999\"]\n[Deal \"N:AA.. ... ... ...\"]\n\n");
    fs::write(folder.path().join("club.pbn"), &boards).expect("a file");
    command(
        folder.path(),
        &["audit", "club.pbn", "--out", "theirs", "-q"],
    );
    let (_, page) = served.finish(&served.upload(&[("club.pbn", &boards)], &[]));
    let name = page.split("/reports/").nth(1).expect("a report");
    let name = name.split('/').next().expect("a name");
    let theirs = tables(&folder.path().join("theirs"));
    assert_same(tables(&served.reports().join(name)), &theirs, 10);
}

#[test]
fn sets_have_the_bytes_of_the_command() {
    let (served, folder) = (Served::start(), common::folder());
    let mix = "game = hcp(north) + hcp(south) >= 25\npart = hcp(north) + hcp(south) == 20\n#mix: game 50%, part 50%\n";
    for (condition, format, rotate) in [
        ("hcp(north) >= 20 && hearts(south) >= 5", "pbn", ""),
        ("hcp(north) >= 20 && hearts(south) >= 5", "lin", "random"),
        ("nine-spades", "rbn", "board"),
        ("unconstrained", "dup", ""),
        ("unconstrained", "line", "partner-random"),
        ("unconstrained", "html", ""),
        (mix, "json", ""),
    ] {
        let fields = [
            ("condition", condition),
            ("boards", "24"),
            ("seed", "11"),
            ("rotate", rotate),
        ];
        let (job, page) = served.finish(&served.post("/deal", &fields));
        let ending = if format == "line" { "txt" } else { format };
        let ours = served.get(&format!("{job}/files/24-boards.{ending}"));
        assert_eq!(ours.status, 200, "{page}");
        let input = match condition.contains(' ') {
            true => vec!["--where", condition],
            false => vec![condition],
        };
        let options = ["-n", "24", "--format", format, "--seed", "11", "-q"];
        let rotation = match rotate {
            "" => vec![],
            how => vec!["--rotate", how],
        };
        let arguments = [&["deal"], &input[..], &options, &rotation].concat();
        let theirs = command(folder.path(), &arguments);
        assert!(theirs.len() > 100, "{arguments:?}");
        assert_eq!(
            String::from_utf8_lossy(&ours.body),
            String::from_utf8_lossy(&theirs),
            "{arguments:?}"
        );
    }
}

#[test]
fn a_lesson_has_the_bytes_of_the_command() {
    let (served, folder) = (Served::start(), common::folder());
    let script = "weak = hcp(north) <= 7\nother = 1\n#mix: weak 1, other 1\naction printes(\"north: \", hcp(north))\n";
    std::fs::write(folder.path().join("lesson.dl"), script).expect("a file");
    let fields = [
        ("condition", script),
        ("boards", "6"),
        ("seed", "11"),
        ("event", "Lesson 1"),
        ("names", "Ann, Bo,Cy,Dee"),
        ("types", "interleave"),
        ("dealer", "south"),
        ("vulnerable", "ew"),
        ("first", "3"),
        ("comments", "1"),
        ("no_repeats", "1"),
        ("solve", "1"),
        ("per_page", "18"),
        ("paper", "letter"),
        ("answers", "1"),
        ("alone", "south"),
        ("alone", "north"),
    ];
    let (job, page) = served.finish(&served.post("/deal", &fields));
    assert!(page.contains("<dt>weak</dt><dd>3 boards</dd>"), "{page}");
    assert!(page.contains("No DUP file"), "{page}");
    for (format, ending, sheets) in [
        ("html", "html", true),
        ("pbn", "pbn", false),
        ("json", "json", false),
    ] {
        let ours = served.get(&format!("{job}/files/Lesson-1-6-boards.{ending}"));
        let usual = "deal lesson.dl -n 6 --seed 11 -q --event Lesson_1 --names Ann,Bo,Cy,Dee --interleave \
                     --dealer south --vul ew --board 3 --comment --no-repeats --solve --format";
        let more = "--per-page 18 --paper letter --answers --show north,south";
        let words = usual.split_whitespace().chain([format]);
        let words = words.chain(more.split_whitespace().filter(|_| sheets));
        // JSON has no tricks.
        let words = words.filter(|word| *word != "--solve" || format != "json");
        let words: Vec<String> = words
            .map(|word| word.replace("Lesson_1", "Lesson 1"))
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let theirs = command(folder.path(), &words);
        assert!(theirs.len() > 100, "{words:?}");
        assert_eq!(
            String::from_utf8_lossy(&ours.body),
            String::from_utf8_lossy(&theirs),
            "{words:?}"
        );
    }
    // The same form again.
    let form = page.split("href=\"/deal?").nth(1).expect("a link");
    let form = form
        .split('"')
        .next()
        .expect("a link")
        .replace("&#38;", "&");
    let form = served.get(&format!("/deal?{form}")).text();
    for filled in [
        "value=\"Lesson 1\"",
        "value=\"Ann, Bo,Cy,Dee\"",
        "value=\"interleave\" selected",
        "value=\"south\" checked",
        "value=\"letter\" selected",
        "value=\"18\" selected",
    ] {
        assert!(form.contains(filled), "{filled}: {form}");
    }
    assert!(form.contains("#mix: weak 1, other 1"), "{form}");
}

#[test]
fn theory_has_the_tables_of_the_command() {
    let (served, folder) = (Served::start(), common::folder());
    for condition in [
        "unconstrained",
        "nine-spades",
        "hcp(north) + hcp(south) >= 26",
    ] {
        let page = served.get(&format!("/theory?condition={}", escaped(condition)));
        let text = match page.status {
            303 => served.finish(&page).1,
            _ => page.text(),
        };
        let links = text.split("href=\"/jobs/").skip(1);
        let links: Vec<&str> = links
            .filter_map(|link| link.split('"').next())
            .filter(|link| link.contains("/tables/a-"))
            .collect();
        let ours = links.iter().map(|link| {
            let name = link.rsplit("/a-").next().expect("a name").to_owned();
            (name, served.get(&format!("/jobs/{link}")).body)
        });
        let input = match condition.contains(' ') {
            true => vec!["--where", condition],
            false => vec![condition],
        };
        let options = ["--out", "theirs", "--force", "-q"];
        command(folder.path(), &[&["theory"], &input[..], &options].concat());
        let theirs = tables(&folder.path().join("theirs"));
        assert_same(ours.collect(), &theirs, 9);
        fs::remove_dir_all(folder.path().join("theirs")).expect("a folder");
    }
}

#[test]
fn leads_and_contracts_have_the_tables_of_the_commands() {
    let (served, folder) = (Served::start(), common::folder());
    let condition = "hcp(south) >= 15 && hcp(north) >= 8";
    let hand = "KQ4.J9652.T8.643";
    let usual = [
        ("condition", condition),
        ("seat", "west"),
        ("hand", hand),
        ("vulnerable", "ns"),
        ("deals", "3"),
        ("seed", "7"),
    ];
    let west = format!("west={hand}");
    let words = [
        "--where", condition, "--hand", &west, "--vul=ns", "-n3", "--seed=7", "-q",
    ];
    for (table, fields, options) in [
        (
            "leads",
            [
                ("question", "lead"),
                ("contract", "3NT"),
                ("declarer", "south"),
            ],
            &["lead", "--contract=3NT", "--by=south", "--out=lead"][..],
        ),
        (
            "contracts",
            [
                ("question", "contract"),
                ("contract", "2S"),
                ("declarer", "ew"),
            ],
            &["contracts", "--against=2S", "--side=ew", "--out=contracts"],
        ),
    ] {
        let (job, page) = served.finish(&served.post("/leads", &[&usual[..], &fields].concat()));
        assert!(page.contains("<p class=\"extent\">3 deals</p>"), "{page}");
        let address = format!("{job}/tables/{table}.csv");
        assert!(page.contains(&format!("<a href=\"{address}\">")), "{page}");
        let found = served.get(&address);
        assert_eq!(found.status, 200, "{address}");
        command(folder.path(), &[options, &words].concat());
        let theirs = folder.path().join(options[0]).join(format!("{table}.csv"));
        assert_eq!(found.body, fs::read(theirs).expect("a table"), "{table}");
    }
}
