//! Readers of files of deals: files of other programs, of fairdeal, and broken ones.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use fairdeal::bridge::{Deal, Seat, Vulnerable};
use fairdeal::formats::read::{
    BoardDetails, EntryKind, Input, InputEntry, ReadError, read, read_bytes, read_cut,
};
use fairdeal::formats::{Board, Format, Writer};
use fairdeal::number::{Scheme, bigdeal};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures")
        .join(name)
}

/// What an input holds, and the format that was found.
fn all(input: Input, format: Option<Format>) -> Result<(Format, Vec<EntryKind>), ReadError> {
    let mut whats = Vec::new();
    let mut sink = |found: InputEntry<'_>| {
        whats.push(found.what);
        ControlFlow::Continue(())
    };
    let end = read(input, format, &mut sink, &mut |_| ControlFlow::Continue(()))?;
    assert!(end.is_whole);
    Ok((end.format.unwrap(), whats))
}

fn deals(whats: Vec<EntryKind>) -> Vec<Deal> {
    let whats = whats.into_iter().filter(|what| *what != EntryKind::Unused);
    let deals = whats.map(|what| match what {
        EntryKind::Deal(deal) => deal,
        other => panic!("{other:?}"),
    });
    deals.collect()
}

fn stream(bytes: Vec<u8>) -> Input {
    Input::of_reader("test", Cursor::new(bytes))
        .unwrap()
        .remove(0)
}

/// The deals of a file, in the format that is told or found.
fn deals_in(name: &str, format: Option<Format>) -> (Format, Vec<Deal>) {
    let mut inputs = Input::open(&fixture(name)).unwrap();
    assert_eq!(inputs.len(), 1);
    let (format, whats) = all(inputs.remove(0), format).unwrap();
    (format, deals(whats))
}

/// The 36 deals of BigDeal's files, by their numbers.
fn set_one() -> Vec<Deal> {
    let numbers = fs::read_to_string(fixture("records/bigdeal/set1.goe")).unwrap();
    let number = |line: &str| line.trim().replace(',', "").parse().unwrap();
    numbers
        .lines()
        .map(|line| bigdeal::decode(number(line)).unwrap())
        .collect()
}

#[test]
fn all_formats_of_bigdeal_hold_the_same_deals() {
    let expected = set_one();
    assert_eq!(expected.len(), 36);
    for (extension, format) in [
        ("pbn", None),
        ("goe", Format::named("bigdeal")),
        ("lin", None),
        ("dup", None),
        ("bri", None),
        ("dge", None),
        ("dlm", None),
        ("csv", None),
        ("ber", None),
        ("bhg", None),
        ("rzd", None),
        ("cds", None),
    ] {
        let (_, deals) = deals_in(&format!("records/bigdeal/set1.{extension}"), format);
        assert_eq!(deals, expected, "{extension}");
    }
}

#[test]
fn formats_are_found_by_what_files_hold() {
    for (name, format) in [
        ("bigdeal/set1.pbn", "pbn"),
        ("bigdeal/set4_blind.pbn", "pbn"),
        ("sm0807.pbn", "pbn"),
        ("bigdeal/set1.lin", "lin"),
        ("bigdeal/set4_blind.lin", "lin"),
        ("usbf_sf_14502.lin", "lin"),
        ("bigdeal/set1.dup", "dup"),
        ("bigdeal/set4_blind.dup", "dup"),
        ("bigdeal/set1.bri", "bri"),
        ("bigdeal/set1.dge", "dge"),
        ("bigdeal/set1.dlm", "dlm"),
        ("bigdeal/set4_blind.dlm", "dlm"),
        ("bigdeal/set1.ber", "ber"),
        ("bigdeal/set1.bhg", "bhg"),
        ("bigdeal/set1.csv", "csv"),
        ("bigdeal/set1.rzd", "rzd"),
        ("bigdeal/set1.cds", "cds"),
        ("dealer-oneline-500.txt", "oneline"),
        ("deal-l-200.txt", "deal"),
    ] {
        let head = fs::read(fixture("records").join(name)).unwrap();
        let found = Format::detect(&head).map(Format::name);
        assert_eq!(found, Some(format), "{name}");
    }
    for (head, format) in [
        ("; c\n{ [Deal\n} \n[ Deal \"N:\n", Some("pbn")),
        ("D 2005\nE Cup\n\nB 1\nH N:A..K.:", Some("rbn")),
        ("\u{feff}\n\nW:AKQ... - - -\n", Some("line")),
        ("NUMBER 1\nPBN 0 0 4 4 \"DEAL\"\n", Some("dds")),
        ("123\n456\n", None),
        ("0x12 0x34 0x56 0x78\n", None),
        ("id,board,deal\n1,1,DEAL\n", Some("csv")),
        ("id,board,deal\n1,1,2000\n", None),
        ("https://a.example/?lin=pn%7C", None),
        ("some text\n", None),
        ("", None),
    ] {
        let head = head.replace("DEAL", &set_one()[0].to_string());
        let found = Format::detect(head.as_bytes()).map(Format::name);
        assert_eq!(found, format, "{head}");
    }
}

#[test]
fn records_of_other_programs_are_read_without_loss() {
    let (format, deals) = deals_in("records/sm0807.pbn", None);
    assert_eq!((format, deals.len()), (Format::Pbn, 108));
    let first = "N:8765.KJ2.K54.973 QJT3.Q953.J3.QJ5 92.8764.986.KT86 AK4.AT.AQT72.A42";
    assert_eq!(deals[0].to_string(), first);
    for (name, format, count) in [
        ("usbf_sf_14502.lin", "lin", 30),
        ("dealer-oneline-500.txt", "oneline", 500),
        ("deal-l-200.txt", "deal", 200),
        ("bigdeal/set4_blind.lin", "lin", 8),
        ("bigdeal/set4_blind.dup", "dup", 8),
    ] {
        let (found, deals) = deals_in(&format!("records/{name}"), None);
        assert_eq!((found.name(), deals.len()), (format, count), "{name}");
    }
    let blind = deals_in("records/bigdeal/set4_blind.pbn", None).1;
    let numbers = deals_in("records/bigdeal/set4_blind.goe", Format::named("bigdeal")).1;
    assert_eq!(blind, numbers);
    let set = fs::read(fixture("records/bigdeal/set1.pbn")).unwrap();
    let boards = read_bytes(&set, Format::Pbn)
        .into_iter()
        .map(|(line, board, _)| (line, board));
    let expected = (0..36).map(|place| (15 + 16 * place, Some(place + 1)));
    assert!(boards.eq(expected));
}

#[test]
fn richard_pavliceks_own_hands_are_read() {
    let mut rows = csv::Reader::from_path(fixture("records/rbn-hands.csv")).unwrap();
    let mut count = 0;
    for row in rows.records() {
        let row = row.unwrap();
        let found = read_bytes(format!("H {}\n", &row[0]).as_bytes(), Format::Rbn);
        match &found[0].2 {
            EntryKind::Deal(deal) => assert_eq!(deal.to_string(), row[1], "{}", &row[0]),
            EntryKind::Incomplete(_) => assert_eq!(&row[1], "", "{}", &row[0]),
            // Two of them only show how hands are spelt: D7 is in both.
            EntryKind::Invalid(fault) if fault.to_string() == "D7 is in two hands" => {
                assert!(row[0].contains("::"));
            }
            other => panic!("{}: {other:?}", &row[0]),
        }
        count += 1;
    }
    assert_eq!(count, 14);
}

#[test]
fn what_is_written_is_read_again() {
    let expected = set_one();
    for (format, input) in [
        (Format::Pbn, "pbn"),
        (Format::Line, "line"),
        (Format::Rbn, "rbn"),
        (Format::Number(Scheme::Pavlicek), "number"),
    ] {
        let mut out = Vec::new();
        let mut writer = Writer::new(&mut out, format, 36, "a \"test\" \\").unwrap();
        for (number, deal) in (1..).zip(&expected) {
            writer.write(&Board::new(number, *deal)).unwrap();
        }
        writer.finish().unwrap();
        let input = Format::named(input).unwrap();
        let found = read_bytes(&out, input);
        assert_eq!(
            deals(found.into_iter().map(|(.., what)| what).collect()),
            expected
        );
        let has_boards = matches!(format, Format::Pbn | Format::Rbn);
        let mut number = 0;
        read_cut(&out, input, &[100, 1_000, 3_000], &mut |found| {
            number += 1;
            assert_eq!(found.board, has_boards.then_some(number), "{format:?}");
            let dealer = Board::new(number, expected[0]).dealer;
            assert_eq!(found.dealer, has_boards.then_some(dealer));
            assert!(!found.event.is_known());
        });
    }
}

#[test]
fn what_is_broken_is_said_with_its_place_and_the_rest_is_read() {
    let mut table = csv::Reader::from_path(fixture("broken/expected.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    let mut files: Vec<String> = vec!["expected.csv".to_owned()];
    for rows in rows.chunk_by(|one, other| one[0] == other[0]) {
        let name = &rows[0][0];
        let format = Format::named(&rows[0][1]).unwrap();
        let bytes = fs::read(fixture("broken").join(name)).unwrap();
        let found = read_bytes(&bytes, format);
        let wrong = found.iter().filter_map(|(line, board, what)| {
            let (kind, reason) = match what {
                EntryKind::Deal(_) => return None,
                EntryKind::Incomplete(fault) => ("incomplete", fault.to_string()),
                EntryKind::Invalid(fault) => ("invalid", fault.to_string()),
                EntryKind::Unused => ("unused", String::new()),
                EntryKind::Text => ("text", String::new()),
            };
            let board = board.map_or_else(String::new, |board| board.to_string());
            Some([line.to_string(), board, kind.to_owned(), reason])
        });
        let expected = rows
            .iter()
            .map(|row| [2, 3, 4, 5].map(|at| row[at].to_owned()));
        assert_eq!(Vec::from_iter(wrong), Vec::from_iter(expected), "{name}");
        assert!(
            found.len() > rows.len() || found.len() == 1,
            "{name} has deals too"
        );
        files.push(name.to_owned());
    }
    let mut there: Vec<String> = fs::read_dir(fixture("broken"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    files.sort();
    assert_eq!(there, files);
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

#[test]
fn compressed_files_and_archives_are_read() {
    let expected = set_one();
    let pbn = fs::read(fixture("records/bigdeal/set1.pbn")).unwrap();
    let (first, second) = pbn.split_at(5_000);
    for bytes in [gzip(&pbn), [gzip(first), gzip(second)].concat()] {
        let (_, whats) = all(stream(bytes), None).unwrap();
        assert_eq!(deals(whats), expected);
    }
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    zip.add_directory("b", options).unwrap();
    zip.start_file("b/1.pbn", options).unwrap();
    zip.write_all(&pbn).unwrap();
    zip.start_file("a.pbn.gz", options).unwrap();
    zip.write_all(&gzip(&pbn)).unwrap();
    let bytes = zip.finish().unwrap().into_inner();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no-name");
    fs::write(&path, &bytes).unwrap();
    for inputs in [
        Input::open(&path).unwrap(),
        Input::of_reader("no-name", Cursor::new(bytes)).unwrap(),
    ] {
        let names: Vec<&str> = inputs.iter().map(Input::name).collect();
        assert!(names[0].ends_with("no-name:b/1.pbn") && names[1].ends_with("no-name:a.pbn.gz"));
        for input in inputs {
            assert_eq!(deals(all(input, None).unwrap().1), expected);
        }
    }
}

#[test]
fn inputs_that_cannot_be_read_say_what_to_do() {
    let said = |bytes: &[u8], format| all(stream(bytes.to_vec()), format).unwrap_err().to_string();
    assert_eq!(said(b"", None), "test is empty");
    assert!(said(b"hello\n", None).ends_with("format not recognised"));
    assert!(
        said(b"\xFF\xD8\xFF\xE0 a photograph", None).ends_with("is an image, not a file of deals")
    );
    for format in [None, Some(Format::Pbn)] {
        let xz = said(b"\xFD7zXZ\0 packed", format);
        assert_eq!(xz, "test is compressed by xz, which is unsupported");
    }
    assert!(said(b"7z\xBC\xAF packed", None).ends_with("unpack it first"));
    assert!(said(b"12,345\n", None).ends_with("holds numbers of an unknown numbering"));
    let pbn = fs::read(fixture("records/bigdeal/set1.pbn")).unwrap();
    let cut = gzip(&pbn);
    assert!(said(&cut[..cut.len() / 2], None).starts_with("test cannot be read"));
    let missing = Input::open(Path::new("/no/such/file")).unwrap_err();
    assert!(
        missing
            .to_string()
            .starts_with("/no/such/file cannot be read")
    );
    assert!(Input::of_reader("zip", &b"PK\x05\x06"[..]).is_err());
}

/// A pipe of which nothing comes until it is sent, and no end until then.
struct Pipe {
    sent: mpsc::Receiver<Vec<u8>>,
    left: Vec<u8>,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left.is_empty() {
            self.left = self.sent.recv().unwrap_or_default();
        }
        let count = self.left.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.left[..count]);
        self.left.drain(..count);
        Ok(count)
    }
}

#[test]
fn a_slow_pipe_is_read_as_it_comes_and_may_be_left() {
    let (sender, sent) = mpsc::channel();
    let deal = set_one()[0];
    let tags = format!("[Board \"1\"]\n[Deal \"{deal}\"]\n\n");
    sender.send(tags.clone().into_bytes()).unwrap();
    let left = Vec::new();
    let pipe = Pipe { sent, left };
    let input = Input::of_reader("pipe", pipe).unwrap().remove(0);
    let (mut count, begin) = (0, Instant::now());
    let seen = std::cell::Cell::new(0);
    let mut sink = |_: InputEntry<'_>| {
        count += 1;
        seen.set(count);
        ControlFlow::Continue(())
    };
    // The sender stays: the pipe never ends.
    let end = read(input, None, &mut sink, &mut |_| {
        if seen.get() == 1 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    let end = end.unwrap();
    assert!(!end.is_whole && end.bytes == tags.len() as u64);
    assert!(begin.elapsed() < Duration::from_secs(60));
    drop(sender);
}

#[test]
fn a_long_file_is_read_in_parallel_as_in_one_piece() {
    let expected = set_one();
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out, Format::Pbn, 40_000, "long").unwrap();
    for (number, deal) in (1..=40_000).zip(expected.iter().cycle()) {
        writer.write(&Board::new(number, *deal)).unwrap();
    }
    writer.finish().unwrap();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&out).unwrap();
    assert!(File::open(file.path()).unwrap().metadata().unwrap().len() > 8 << 20);
    let (mut number, mut watched) = (0, 0);
    let mut sink = |found: InputEntry<'_>| {
        assert_eq!(found.line, 15 + 16 * number);
        assert_eq!(
            found.what,
            EntryKind::Deal(expected[(number % 36) as usize])
        );
        number += 1;
        assert_eq!(found.board, Some(number));
        assert_eq!(found.dealer, Seat::from_index((number as usize + 3) % 4));
        ControlFlow::Continue(())
    };
    let mut watch = |bytes| {
        watched = bytes;
        ControlFlow::Continue(())
    };
    let input = Input::open(file.path()).unwrap().remove(0);
    let end = read(input, None, &mut sink, &mut watch).unwrap();
    assert!(end.is_whole && end.bytes == out.len() as u64 && watched == end.bytes);
    assert_eq!(number, 40_000);
}

#[test]
#[ignore = "long"]
fn a_long_record_is_read_in_a_long_file() {
    let deal = "1S52HA5DA84CK86532,SJ64HQJT72DKJ7CQ9,SKQ73HK9843DT532C";
    let talk = "word ".repeat(600_000);
    let mut text = format!("qx|o1|md|{deal}|nt|{talk}|pg||\n");
    let boards = 600_000;
    for number in 2..=boards {
        text += &format!("qx|o{number}|md|{deal}|rh||ah|Board {number}|sv|o|pg||\npc|c2|pc|c3|\n");
    }
    assert!(text.len() > 64 << 20);
    let (format, whats) = all(stream(text.into_bytes()), None).unwrap();
    assert_eq!((format, whats.len()), (Format::Lin, boards));
}

#[test]
fn files_with_old_line_ends_are_read() {
    let list = fs::read_to_string(fixture("records/deal-l-200.txt")).unwrap();
    let (_, whats) = all(stream(list.replace('\n', "\r").into_bytes()), None).unwrap();
    assert_eq!(deals(whats).len(), 200);
}

/// The vulnerability that a file names, and whether it names players and has calls or results.
#[test]
fn files_name_vulnerability_players_and_play() {
    const DEAL: &str = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3";
    let hands = &DEAL[2..];
    let suits: Vec<String> = hands
        .split([' ', '.'])
        .map(|suit| format!("\"{suit}\""))
        .collect();
    let csv = format!("{},\"7\",\"S/All\"\n", suits.join(","));
    let json = format!(
        r#"{{"number":7,"dealer":"south","vulnerability":"EW","north":"{}","east":"{}","south":"{}","west":"{}"}}"#,
        hands.split(' ').next().unwrap(),
        hands.split(' ').nth(1).unwrap(),
        hands.split(' ').nth(2).unwrap(),
        hands.split(' ').nth(3).unwrap()
    );
    let pbn = |tags: &str| format!("[Board \"7\"]\n[Dealer \"S\"]\n{tags}\n[Deal \"{DEAL}\"]\n");
    let all = Some(Vulnerable::All);
    for (format, text, expected) in [
        (
            Format::Pbn,
            pbn("[Vulnerable \"Both\"]"),
            (all, false, false),
        ),
        (
            Format::Pbn,
            pbn("[West \"?\"]\n[Vulnerable \"All\"]"),
            (all, false, false),
        ),
        (
            Format::Pbn,
            pbn("[North \"Ann\"]\n[Contract \"?\"]"),
            (None, true, false),
        ),
        (Format::Pbn, pbn("[Contract \"3NT\"]"), (None, false, true)),
        (
            Format::Pbn,
            pbn("[Event \"A\"]") + "[Auction \"S\"]\nPass\n",
            (None, false, true),
        ),
        (Format::Csv, csv, (all, false, false)),
        (
            Format::Json,
            json,
            (Some(Vulnerable::EastWest), false, false),
        ),
        (
            Format::Ben,
            format!("S N-S {hands}\n"),
            (Some(Vulnerable::NorthSouth), false, false),
        ),
        (
            Format::Ben,
            format!("S None {hands} PASS 1C\n"),
            (Some(Vulnerable::None), false, true),
        ),
        (
            Format::Dds,
            format!("PBN 2 1 4 4 \"{DEAL}\"\n"),
            (all, false, false),
        ),
    ] {
        let mut found = Vec::new();
        read_cut(text.as_bytes(), format, &[], &mut |entry| {
            let BoardDetails {
                vulnerable,
                has_names,
                has_play,
            } = entry.details;
            assert_eq!(entry.dealer, Some(Seat::South), "{text}");
            found.push((vulnerable, has_names, has_play));
        });
        assert_eq!(found, [expected], "{text}");
    }
}
