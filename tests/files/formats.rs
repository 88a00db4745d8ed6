//! Writers of other programs' formats, compared with files of those programs.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;

use fairdeal::bridge::{Deal, TrickTable};
use fairdeal::formats::read::{EntryKind, read_cut};
use fairdeal::formats::{Board, BoardRecord, Format, FormatError, Writer};
use fairdeal::number::pavlicek;

/// A file that BigDeal wrote.
fn theirs(extension: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/records/bigdeal");
    fs::read(format!("{folder}/set1.{extension}")).unwrap()
}

/// The 36 boards of those files, from the tags of one of them.
fn boards() -> Vec<Board> {
    let text = String::from_utf8(theirs("pbn")).unwrap();
    let deals = text
        .lines()
        .filter_map(|line| line.strip_prefix("[Deal \""));
    let deals = deals.map(|deal| deal.strip_suffix("\"]").unwrap().parse::<Deal>().unwrap());
    (1..)
        .zip(deals)
        .map(|(number, deal)| Board::new(number, deal))
        .collect()
}

fn written(format: Format, boards: &[Board]) -> Vec<u8> {
    let mut out = Vec::new();
    let count = boards.len() as u64;
    let mut writer = Writer::new(&mut out, format, count, "Big Deal version 2.0").unwrap();
    for board in boards {
        writer.write(board).unwrap();
    }
    writer.finish().unwrap();
    out
}

#[test]
fn files_are_those_that_bigdeal_writes_byte_for_byte() {
    let boards = boards();
    assert_eq!(boards.len(), 36);
    for (format, extension) in [
        (Format::Pbn, "pbn"),
        (Format::Lin, "lin"),
        (Format::Dup, "dup"),
        (Format::Bri, "bri"),
        (Format::Dge, "dge"),
        (Format::Csv, "csv"),
    ] {
        let (ours, theirs) = (written(format, &boards), theirs(extension));
        let first = ours
            .iter()
            .zip(&theirs)
            .position(|(ours, theirs)| ours != theirs);
        assert_eq!(first, None, "{extension}: the first byte that differs");
        assert_eq!(ours.len(), theirs.len(), "{extension}");
    }
}

#[test]
fn deals_look_as_dealer_prints_them() {
    // Seed 1 of dealer, which printed these.
    let deal = |text: &str| text.parse::<Deal>().unwrap();
    let boards = [
        "N:2.T98.K752.KJT84 5.J7642.986.9763 AQ8.AQ5.QJT.AQ52 KJT97643.K3.A43.",
        "N:Q7432.Q63.983.J4 .J92.QT6.A986532 KJT95.K854.K5.KT A86.AT7.AJ742.Q7",
    ];
    let boards: Vec<Board> = (1..)
        .zip(boards)
        .map(|(number, text)| Board::new(number, deal(text)))
        .collect();
    let text = |format| String::from_utf8(written(format, &boards)).unwrap();
    assert_eq!(
        text(Format::All),
        "   1.\n\
         2                   5                   A Q 8               K J T 9 7 6 4 3 \n\
         T 9 8               J 7 6 4 2           A Q 5               K 3 \n\
         K 7 5 2             9 8 6               Q J T               A 4 3 \n\
         K J T 8 4           9 7 6 3             A Q 5 2             - \n\
         \n   2.\n\
         Q 7 4 3 2           -                   K J T 9 5           A 8 6 \n\
         Q 6 3               J 9 2               K 8 5 4             A T 7 \n\
         9 8 3               Q T 6               K 5                 A J 7 4 2 \n\
         J 4                 A 9 8 6 5 3 2       K T                 Q 7 \n\n"
    );
    assert_eq!(
        text(Format::Ew),
        "K J T 9 7 6 4 3     5 \nK 3                 J 7 6 4 2 \n\
         A 4 3               9 8 6 \n-                   9 7 6 3 \n\n\
         A 8 6               - \nA T 7               J 9 2 \n\
         A J 7 4 2           Q T 6 \nQ 7                 A 9 8 6 5 3 2 \n\n"
    );
    assert_eq!(
        text(Format::Oneline),
        "n 2.T98.K752.KJT84 e 5.J7642.986.9763 s AQ8.AQ5.QJT.AQ52 w KJT97643.K3.A43. \n\
         n Q7432.Q63.983.J4 e .J92.QT6.A986532 s KJT95.K854.K5.KT w A86.AT7.AJ742.Q7 \n"
    );
    assert_eq!(
        text(Format::Compact).lines().take(5).collect::<Vec<_>>(),
        [
            "n 2.T98.K752.KJT84",
            "e 5.J7642.986.9763",
            "s AQ8.AQ5.QJT.AQ52",
            "w KJT97643.K3.A43.",
            "n Q7432.Q63.983.J4"
        ]
    );
    let rbn = text(Format::Rbn);
    assert!(rbn.starts_with(
        "B 1\nH N:2.T98.K752.KJT84:5.J7642.986.9763:AQ8.AQ5.QJT.AQ52:\nA NZ:\n\nB 2\n"
    ));
    let number = pavlicek::encode(&boards[0].deal);
    assert_eq!(
        text(Format::Number(fairdeal::number::Scheme::Pavlicek))
            .lines()
            .next(),
        Some(&*number.to_string())
    );
    assert_eq!(
        text(Format::Line).lines().next(),
        Some(&*boards[0].deal.to_string())
    );
}

#[test]
fn a_dup_file_of_a_hundred_boards_is_refused() {
    let refused = Writer::new(Vec::new(), Format::Dup, 100, "").unwrap_err();
    assert!(matches!(
        refused,
        FormatError::TooManyBoards { boards: 100 }
    ));
    assert!(Writer::new(Vec::new(), Format::Dup, 99, "").is_ok());
}

/// The boards with made-up tables of tricks.
fn solved() -> Vec<Board> {
    let mut boards = boards();
    for (place, board) in boards.iter_mut().enumerate() {
        board.tricks = TrickTable::new(|seat, strain| {
            ((place + 4 * seat.index() + 3 * strain.index()) % 14) as u8
        });
    }
    boards
}

#[test]
fn tricks_are_read_as_they_were_written() {
    let boards = solved();
    for format in [Format::Zrd, Format::Pbn] {
        let file = written(format, &boards);
        let mut read = Vec::new();
        read_cut(&file, format, &[100, 5_000, 9_999], &mut |entry| {
            let EntryKind::Deal(deal) = entry.what else {
                panic!("{:?}", entry.what);
            };
            read.push((deal, entry.tricks));
        });
        let expected: Vec<_> = boards
            .iter()
            .map(|board| (board.deal, board.tricks))
            .collect();
        assert_eq!(read, expected, "{}", format.name());
    }
}

#[test]
fn a_board_without_tricks_is_refused_where_the_format_stores_them() {
    let mut writer = Writer::new(Vec::new(), Format::Zrd, 36, "").unwrap();
    let [first, second] = [solved()[0], boards()[1]];
    writer.write(&first).unwrap();
    let refused = writer.write(&second).unwrap_err();
    assert!(matches!(refused, FormatError::NoTricks { board: 2 }));
}

#[test]
fn the_hundredth_board_of_a_dup_file_is_refused() {
    let board = boards()[0];
    let mut writer = Writer::new(Vec::new(), Format::Dup, 0, "").unwrap();
    for _ in 0..99 {
        writer.write(&board).unwrap();
    }
    let refused = writer.write(&board).unwrap_err();
    assert!(matches!(
        refused,
        FormatError::TooManyBoards { boards: 100 }
    ));
}

#[test]
fn labels_and_comments_stand_in_the_tags_and_tokens_of_their_formats() {
    let labels = BoardRecord {
        event: ["Cup \"A\"", "Hall \\ 2", "2026.11.26", ""].map(Into::into),
        scoring: "IMP".into(),
        names: ["Ann", "Bo|b", "Cy", "Dee"].map(Into::into),
        ..BoardRecord::default()
    };
    let text = |format, comment: &str| {
        let mut out = Vec::new();
        let writer = Writer::new(&mut out, format, 1, "fairdeal").unwrap();
        let mut writer = writer.with_labels(labels.clone());
        writer.write_with(&solved()[0], comment, "").unwrap();
        writer.finish().unwrap();
        String::from_utf8(out).unwrap()
    };
    let pbn = text(Format::Pbn, "two\nlines } and a brace");
    for part in [
        "[Event \"Cup \\\"A\\\"\"]\n[Site \"Hall \\\\ 2\"]\n[Date \"2026.11.26\"]\n",
        "[West \"Dee\"]\n[North \"Ann\"]\n[East \"Bo|b\"]\n[South \"Cy\"]\n",
        "[Scoring \"IMP\"]\n",
        "{two lines and a brace}\n[OptimumScore \"NS ",
        "[OptimumResultTable \"Declarer;Denomination\\2R;Result\\2R\"]\nN NT  0\nN  S  3\n",
    ] {
        assert!(pbn.contains(part), "{part}: {pbn}");
    }
    let long = text(
        Format::Pbn,
        &format!("{} {}", "word % ".repeat(500), "é".repeat(999)),
    );
    for line in long.lines().skip(3) {
        assert!(line.len() <= 254 && !line.starts_with('%'), "{line}");
    }
    assert_eq!(long.matches("word").count(), 500);
    assert_eq!(long.matches('é').count(), 999);
    let lin = text(Format::Lin, " a | b\n");
    assert!(lin.starts_with("qx|o1|pn|Cy,Dee,Ann,Bo b|md|3"), "{lin}");
    assert!(lin.ends_with("|sv|0|nt|a b|pg||\n"), "{lin}");
    assert!(text(Format::Lin, "").ends_with("|sv|0|pg||\n"));
}

/// The documents name every format, and the number of formats that are read.
#[test]
fn documents_name_every_format() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let formats = fs::read_to_string(format!("{root}docs/reference/deal-formats.md")).unwrap();
    for format in Format::read().chain(Format::written()) {
        let name = format!("`{}`", format.name());
        assert!(formats.contains(&name), "{name}");
    }
    let readme = fs::read_to_string(format!("{root}README.md")).unwrap();
    let count = format!("in any of {} formats", Format::read().count());
    assert!(readme.contains(&count), "{count}");
}
