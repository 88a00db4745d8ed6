//! Kinds of files as people have them: each with its format, its boards and its first deal.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use fairdeal::formats::read::{EntryKind, Input, InputEntry, read};

use crate::common::folder;

fn fixture(name: &str) -> PathBuf {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    fixtures.join(name)
}

/// A file: its format, and each board as its number and its deal, or what is wrong.
fn boards(name: &str) -> (String, Vec<String>) {
    let path = fixture(name);
    let mut boards = Vec::new();
    let mut sink = |found: InputEntry<'_>| {
        let number = found
            .board
            .map_or("-".to_owned(), |board| board.to_string());
        match found.what {
            EntryKind::Deal(deal) => boards.push(format!("{number} {deal}")),
            EntryKind::Incomplete(fault) => boards.push(format!("{number} incomplete: {fault}")),
            EntryKind::Invalid(fault) => boards.push(format!("{number} invalid: {fault}")),
            EntryKind::Unused | EntryKind::Text => {}
        }
        ControlFlow::Continue(())
    };
    let input = Input::open(&path).unwrap().remove(0);
    match read(input, None, &mut sink, &mut |_| ControlFlow::Continue(())) {
        Ok(summary) => (summary.format.unwrap().name().to_owned(), boards),
        Err(error) => (error.to_string(), boards),
    }
}

const ANN: &str = "N:T9.K976.A85.A943 8754.Q.T763.KQT5 AKQ3.J42.QJ9.J72 J62.AT853.K42.86";

/// The board of `page.html`.
const PAGE: &str = "N:752..KQJT864.A94 K3.AJT543.5.J865 AQJ8.KQ87.A7.KQ2 T964.962.932.T73";

/// The deals of Deal 3.1.9 with its seed 5, the first ten of which are in most files.
const FIRST: &str = "N:QT5.QJT863..AK83 743.A54.T8763.J2 KJ.K92.AK52.Q965 A9862.7.QJ94.T74";
const SECOND: &str = "N:J43.K97.AQ43.A83 Q872.T5.986.QJT5 A.AQJ862.KJT2.K9 KT965.43.75.7642";

/// Deal's format okb has the same deals with other seats.
const OKB: [&str; 2] = [
    "N:KJ.K92.AK52.Q965 A9862.7.QJ94.T74 743.A54.T8763.J2 QT5.QJT863..AK83",
    "N:A.AQJ862.KJT2.K9 KT965.43.75.7642 Q872.T5.986.QJT5 J43.K97.AQ43.A83",
];

/// Each of these files was not recognised, or not read as legal deals.
#[test]
fn each_kind_of_file_is_read() {
    let void = "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85";
    for (name, format, expected) in [
        ("field/void-dash/void.pbn", "pbn", format!("1 {void}")),
        ("field/utf16/board.pbn", "pbn", format!("1 {ANN}")),
        ("field/lin-wrapped/wrapped.lin", "lin", format!("1 {ANN}")),
        ("field/csv-header/boards.csv", "csv", format!("1 {ANN}")),
        ("field/json-array/boards.json", "json", format!("1 {ANN}")),
        (
            "field/redeal-default/short.txt",
            "redeal",
            format!("- {ANN}"),
        ),
        ("field/html-links/page.html", "links", format!("7 {PAGE}")),
        (
            "field/html-links/bbo-page.html",
            "links",
            format!("1 {ANN}"),
        ),
    ] {
        assert_eq!(boards(name), (format.to_owned(), vec![expected]), "{name}");
    }
}

/// The files have the number of boards given, all legal, and these as their first two.
#[test]
fn files_of_other_programs_are_read_whole() {
    let symbols = [
        "N:J984.Q87.AT754.9 Q73.3.KQ63.AK874 AT6.A54.982.QJT5 K52.KJT962.J.632",
        "",
    ];
    for (name, format, count, numbered, first) in [
        ("deal-default-20.txt", "diagram", 20, false, [FIRST, SECOND]),
        ("deal-symbols-3.txt", "diagram", 3, false, symbols),
        ("deal-okb-5.txt", "diagram", 5, false, OKB),
        ("redeal-long-5.txt", "diagram", 5, false, [FIRST, SECOND]),
        ("diagrams-book.txt", "diagram", 4, true, [FIRST, SECOND]),
        ("diagrams-mail.txt", "diagram", 3, false, [FIRST, SECOND]),
        ("deal-ddline-10.txt", "ddline", 10, false, [FIRST, SECOND]),
        ("redeal-10.txt", "redeal", 10, false, [FIRST, SECOND]),
        ("board-list-semicolon.csv", "csv", 10, true, [FIRST, SECOND]),
        ("board-list-tab.tsv", "csv", 10, true, [FIRST, SECOND]),
        ("four-hands-header.csv", "csv", 10, true, [FIRST, SECOND]),
        ("four-hands.csv", "csv", 10, true, [FIRST, SECOND]),
        ("four-hands-spaces.csv", "csv", 10, false, [FIRST, SECOND]),
        ("viewer-links.html", "links", 10, true, [FIRST, SECOND]),
        ("viewer-links.csv", "links", 10, true, [FIRST, SECOND]),
        ("boards-array.json", "json", 10, true, [FIRST, SECOND]),
    ] {
        let (found, boards) = boards(&format!("records/{name}"));
        assert_eq!(
            (&found[..], boards.len()),
            (format, count),
            "{name}: {boards:?}"
        );
        for (place, board) in boards.iter().enumerate() {
            let (number, deal) = board.split_once(' ').unwrap();
            let expected = if numbered {
                (place + 1).to_string()
            } else {
                "-".to_owned()
            };
            assert_eq!(number, expected, "{name}");
            assert!(deal.starts_with("N:"), "{name}: {deal}");
            if let Some(expected) = first.get(place).filter(|first| !first.is_empty()) {
                assert_eq!(deal, *expected, "{name}");
            }
        }
    }
}

#[test]
fn text_in_utf_16_of_either_order_is_read_as_utf_8() {
    let folder = folder();
    let name = "records/diagrams-book.txt";
    let text = fs::read(fixture(name)).unwrap();
    let text = format!("\u{FEFF}{}", String::from_utf8(text).unwrap().repeat(200));
    let orders = [u16::to_le_bytes, u16::to_be_bytes];
    for (number, order) in orders.into_iter().enumerate() {
        let path = folder.path().join(format!("{number}.txt"));
        let bytes: Vec<u8> = text.encode_utf16().flat_map(order).collect();
        fs::write(&path, bytes).unwrap();
        let (format, found) = boards(path.to_str().unwrap());
        assert_eq!((&format[..], found.len()), ("diagram", 800));
        assert_eq!(found[..4], boards(name).1);
    }
}
