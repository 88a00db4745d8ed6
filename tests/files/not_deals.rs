//! Text and bytes that are not deals are never read as deals.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use fairdeal::formats::Format;
use fairdeal::formats::read::{Input, read};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Two deals, as lines of `line`.
const DEALS: [&str; 2] = [
    "N:T9.K976.A85.A943 8754.Q.T763.KQT5 AKQ3.J42.QJ9.J72 J62.AT853.K42.86",
    "N:QT5.QJT863..AK83 743.A54.T8763.J2 KJ.K92.AK52.Q965 A9862.7.QJ94.T74",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The error of reading bytes in a format that is detected.
fn refusal(bytes: &[u8]) -> String {
    let input = Input::of_reader("x", Cursor::new(bytes.to_vec()))
        .unwrap()
        .remove(0);
    let mut go_on = |_: u64| ControlFlow::Continue(());
    match read(input, None, &mut |_| ControlFlow::Continue(()), &mut go_on) {
        Ok(summary) => format!("read as {}", summary.format.unwrap().name()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn endings_in_debugging_output_are_not_deals() {
    let ending = fs::read(root().join("fixtures/field/not-deals-read-as-ew/ending.txt")).unwrap();
    assert_eq!(refusal(&ending), "x: format not recognised");
    let many = ending.repeat(20);
    assert_eq!(refusal(&many), "x: format not recognised");
}

#[test]
fn letters_digits_and_bytes_without_order_are_not_deals() {
    let unknown = "x: format not recognised";
    let numbers = "x holds numbers of an unknown numbering";
    for (text, expected) in [
        ("x".repeat(115), unknown),
        ("x".repeat(14 * 8), unknown),
        ("l".repeat(23), unknown),
        (format!("{}\n", "c".repeat(51)).repeat(40), unknown),
        (
            "Abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\n".repeat(3),
            unknown,
        ),
        ("1111222233334444".repeat(10), numbers),
        (
            "TWFuIGlzIGRpc3Rpbmd1aXNoZWQsIG5vdCBvbmx5IGJ5IGhpcyByZWFzb24sIGJ1\n".repeat(9),
            unknown,
        ),
        ("10.2.3.4 10.2.3.5 10.2.3.6 10.2.3.7\n".repeat(30), unknown),
        ("8.8.8.8 8.8.4.4 9.9.9.9 2.2.2.2\n".repeat(30), unknown),
        ("2 3 4 5|6 7 8 9|2 3 4 5|6 7 8 9\n".repeat(30), unknown),
        ("2.3.4.5|2.3.4.6|2.3.4.7|2.3.4.8\n".repeat(30), unknown),
        ("W: 3.5\nE: 4.25\nS: 5. See above.\n".repeat(10), unknown),
        (
            "1.\nfirst, shuffle, deal, and play\n2.\nA K\nQ J\nT 9\n8 7\n".repeat(5),
            unknown,
        ),
        ("md | table\nab|cd\nef|gh\n".repeat(5), unknown),
        (
            "[remote \"origin\"]\n\turl = x\n[deals \"x\"]\n".to_owned(),
            unknown,
        ),
        (
            "[Event \"?\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3\n".to_owned(),
            unknown,
        ),
        ("{\"north\": 12, \"south\": [3, 4]}\n".repeat(5), unknown),
        (
            "[{\"north\": \"Oslo\", \"south\": \"Rome\", \"east\": \"a\", \"west\": \"b\"}]"
                .to_owned(),
            unknown,
        ),
        (
            "id,deal,amount\n17,Acme,2000\n18,Globex,3000\n".to_owned(),
            unknown,
        ),
        (
            "north,east,south,west\nOslo,Riga,Rome,Bern\n".to_owned(),
            unknown,
        ),
        (
            "North hands:\nare better than south's\n".to_owned(),
            unknown,
        ),
        ("PBN is \"portable\" and \"plain\"\n".repeat(3), unknown),
        (
            "<html><body><a href=\"/shop?lin=en&s=shoes&n=new\">md|x</a></body></html>".to_owned(),
            unknown,
        ),
        ("2,3,4,5,6,7,8,9,2,3,4,5,6,7,8,9,2\n".repeat(20), numbers),
        (
            "A B C D\n\u{2660} \u{2665} \u{2666} \u{2663}\nS H D C\n-\n-\n-\n-\n".repeat(9),
            unknown,
        ),
    ] {
        assert_eq!(refusal(text.as_bytes()), expected, "{text}");
        // Other text before it changes nothing.
        let log = format!("12:00:01 started\n{text}");
        assert!(!refusal(log.as_bytes()).starts_with("read as"), "{log}");
    }
    for bytes in [vec![0xE4; 230], vec![0x1B; 140], [0x93, 0x1B].repeat(115)] {
        let said = refusal(&bytes);
        assert!(!said.starts_with("read as"), "{said}");
    }
    let rzd = "{\n           \"a\": 1,\n           \"b\": 2\n}\n";
    assert_eq!(refusal(rzd.as_bytes()), unknown);
}

/// A log that names a deal now and then is not a file of deals; a file of deals with a title is one.
#[test]
fn most_lines_must_be_deals() {
    let line = "12:00:01 worker 3 took 17 ms\n";
    let log = format!("{line}{}\n{line}{line}{}\n{line}", DEALS[0], DEALS[1]);
    assert_eq!(refusal(log.as_bytes()), "x: format not recognised");
    let file = format!("Our deals\n{}\n{}\n", DEALS[0], DEALS[1]);
    assert_eq!(refusal(file.as_bytes()), "read as line");
    let lin =
        "pn|a,b,c,d|st||md|3SAKQ3HJ42DQJ9CJ72,SJ62HAT853DK42C86,ST9HK976DA85CA943|ah|Board 1|\n";
    let page = format!("LIN looks like this:\n\n{lin}\nIt is a row of tokens.\nMore below.\n");
    assert_eq!(refusal(page.as_bytes()), "x: format not recognised");
    assert_eq!(refusal(lin.as_bytes()), "read as lin");
    // One deal with a mistake is still a deal, whose mistake is told.
    let doubled = DEALS[0].replacen("8754.", "T754.", 1);
    assert_eq!(refusal(doubled.as_bytes()), "read as line");
}

/// Files below these folders and files of the repository, which speak of deals all the time.
fn own_files() -> Vec<PathBuf> {
    let mut waiting: Vec<PathBuf> = [
        "docs",
        "crates/formats/src",
        "crates/language/src",
        "scripts",
        "python/src",
    ]
    .iter()
    .map(|folder| root().join(folder))
    .collect();
    let mut files = ["README.md", "ARCHITECTURE.md", "Cargo.lock"]
        .map(|name| root().join(name))
        .to_vec();
    while let Some(path) = waiting.pop() {
        match path.is_dir() {
            true => waiting.extend(
                fs::read_dir(path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            ),
            false => files.push(path),
        }
    }
    files.sort();
    files
}

#[test]
fn source_files_and_documents_are_not_deals() {
    let mut found = Vec::new();
    for path in own_files() {
        let bytes = fs::read(&path).unwrap();
        if let Some(format) = Format::detect(&bytes) {
            let path = path.strip_prefix(root()).unwrap();
            found.push(format!("{}: {}", path.display(), format.name()));
        }
    }
    // It shows diagrams.
    assert_eq!(found, ["crates/formats/src/read/diagram.rs: diagram"]);
}

/// A line of a made-up log, a table or a program.
fn lines() -> impl Strategy<Value = String> {
    let word = select(vec![
        "N",
        "e",
        "s",
        "w",
        "S:",
        "H",
        "\u{2660}",
        "AKQ",
        "JT9",
        "10",
        "-",
        "--",
        "A K Q",
        "5.3.2",
        "1.2.3.4",
        "|",
        "deal",
        "board",
        "Board 3",
        "dealer",
        "md|",
        "pn|x|",
        "lin=",
        "NUMBER 5",
        "[Event \"x\"]",
        "north",
        "{",
        "}",
        ",",
        ";",
        "\t",
        "    ",
        "=",
        "play H9",
        "0x1f",
        "17",
        "error:",
        "GET /x?n=1&s=2",
        "\"",
        "n 3.4",
    ]);
    vec(word, 0..9).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn made_up_text_is_not_deals(lines in vec(lines(), 1..40)) {
        let text = lines.join("\n");
        prop_assert_eq!(Format::detect(text.as_bytes()), None, "{}", text);
    }

    #[test]
    fn numbers_letters_and_bytes_are_not_deals(
        numbers in "([2-9AKQJT]{1,2}[,; ]){3,18}\n",
        letters in "[A-Za-z]{52}\n",
        hex in "([0-9a-f]{2} ){16}\n",
        bytes in vec(any::<u8>(), 200),
    ) {
        for text in [numbers.repeat(9), letters.repeat(9), hex.repeat(9)] {
            prop_assert_eq!(Format::detect(text.as_bytes()), None, "{}", text);
        }
        prop_assert_eq!(Format::detect(&bytes), None);
    }
}
