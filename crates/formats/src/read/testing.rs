//! Helpers for the tests of parsers: samples, and a small driver.

use proptest::collection::vec;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};

use super::{Entry, EntryKind, FilePiece, read_cut};
use crate::bridge::Deal;
use crate::bridge::combinatorics::DEALS;
use crate::number::pavlicek;
use crate::{Board, Format, Writer};

/// 36 deals by BigDeal.
pub(super) const SET1: &str = "bigdeal/set1.pbn";
/// Boards 5 to 12 by BigDeal.
pub(super) const SET4: &str = "bigdeal/set4_blind.pbn";

/// A file of `fixtures/records`.
pub(super) fn sample(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/");
    std::fs::read(format!("{folder}{name}")).unwrap()
}

/// The deals of a PBN file, read from its Deal tags alone.
pub(super) fn set(name: &str) -> Vec<Deal> {
    let text = String::from_utf8(sample(name)).unwrap();
    let tags = text
        .lines()
        .filter_map(|line| line.strip_prefix("[Deal \""));
    let deals = tags.map(|tag| tag.strip_suffix("\"]").unwrap().parse().unwrap());
    deals.collect()
}

/// The entries of a file read as one piece.
pub(super) fn whole(format: Format, bytes: &[u8]) -> Vec<Entry> {
    let mut found = FilePiece::default();
    format
        .parser()
        .expect("a format that is read")
        .read(bytes, true, &mut found);
    found.entries
}

/// The first and the last deal by number, and three between them.
pub(super) fn some_deals() -> Vec<Deal> {
    let numbers = [0, 1, 12_345_678_901_234_567_890, DEALS / 3, DEALS - 1];
    let deals = numbers.map(|number| pavlicek::decode(number).unwrap());
    deals.into()
}

/// The deals of a file.
pub(super) fn deals(format: Format, bytes: &[u8]) -> Vec<Deal> {
    let entries = whole(format, bytes).into_iter();
    let deals = entries.filter_map(|entry| match entry.what {
        EntryKind::Deal(deal) => Some(deal),
        _ => None,
    });
    deals.collect()
}

/// The entries of a file as text.
pub(super) fn said(format: Format, bytes: &[u8]) -> Vec<String> {
    let entries = whole(format, bytes).into_iter();
    let said = entries.map(|entry| match entry.what {
        EntryKind::Deal(deal) => deal.to_string(),
        EntryKind::Incomplete(fault) => format!("incomplete: {fault}"),
        EntryKind::Invalid(fault) => format!("invalid: {fault}"),
        EntryKind::Unused => "unused".to_owned(),
        EntryKind::Text => "text".to_owned(),
    });
    said.collect()
}

/// Asserts that a sample has the deals of a set, and no faults.
pub(super) fn holds_deals(format: Format, name: &str, expected: &str) {
    let bytes = sample(name);
    assert_eq!(deals(format, &bytes), set(expected), "{name}");
    for entry in whole(format, &bytes) {
        assert!(
            matches!(entry.what, EntryKind::Deal(_) | EntryKind::Unused),
            "{name}: {entry:?}"
        );
    }
}

/// All entries, when the parser sees `step` more bytes each time.
fn in_pieces(format: Format, bytes: &[u8], step: usize) -> Vec<String> {
    let shown: Vec<usize> = (step..bytes.len()).step_by(step).collect();
    let mut all = Vec::new();
    read_cut(bytes, format, &shown, &mut |found| {
        all.push(format!("{found:?}"));
    });
    all
}

/// Asserts that pieces of any size give the same entries as the whole file.
pub(super) fn cuts_change_nothing(format: Format, bytes: &[u8]) {
    let whole = in_pieces(format, bytes, bytes.len().max(1));
    for step in (1..32).chain((32..bytes.len()).step_by(197)) {
        assert!(
            in_pieces(format, bytes, step) == whole,
            "shown {step} bytes more each time"
        );
    }
}

/// Asserts that a file truncated anywhere has the same deals before the cut and causes no panic.
pub(super) fn truncations_are_read(format: Format, bytes: &[u8]) {
    let entries = whole(format, bytes);
    // Everywhere in the first records, and here and there in later ones.
    let end = bytes.len().min(4_000);
    for length in (0..end.min(900)).chain((900..end).step_by(13)) {
        let fewer = whole(format, &bytes[..length]);
        // The last two are the truncated entry and the fault of the file.
        let same = fewer.len().saturating_sub(2);
        assert_eq!(fewer[..same], entries[..same], "after {length} bytes");
    }
}

/// Asserts that random bytes, mostly typical ones of the format, are read in pieces as in whole.
pub(super) fn any_bytes_are_read(format: Format, alphabet: &'static [u8]) {
    let mut runner = TestRunner::new(Config {
        cases: 200,
        // Only proptest's macro knows the file that stores failures.
        failure_persistence: None,
        ..Config::default()
    });
    let common = vec(select(alphabet), 0..1_000);
    let any = vec(proptest::num::u8::ANY, 0..1_000);
    let tested = runner.run(&(common, any, 1..300_usize), |(common, any, step)| {
        for bytes in [common, any] {
            let whole = in_pieces(format, &bytes, bytes.len().max(1));
            assert_eq!(in_pieces(format, &bytes, step), whole);
        }
        Ok(())
    });
    tested.unwrap();
}

/// Asserts that files written by this crate are read back unchanged.
pub(super) fn round_trip(format: Format) {
    let numbers = (0..99).map(|index| index * (DEALS / 99));
    let deals: Vec<Deal> = numbers
        .map(|number| pavlicek::decode(number).unwrap())
        .collect();
    let mut file = Vec::new();
    let mut writer = Writer::new(&mut file, format, 99, "").unwrap();
    for (number, deal) in (1..).zip(&deals) {
        writer.write(&Board::new(number, *deal)).unwrap();
    }
    writer.finish().unwrap();
    assert_eq!(self::deals(format, &file), deals);
    for (number, entry) in (1..).zip(whole(format, &file)) {
        let board = Board::new(number, deals[0]);
        assert!(entry.board.is_none_or(|told| told == number));
        assert!(entry.dealer.is_none_or(|told| told == board.dealer));
        let sides = entry.details.vulnerable;
        assert!(sides.is_none_or(|told| told == board.vulnerable));
        if format.carries().dealer {
            assert!(entry.dealer.is_some() && sides.is_some());
        }
    }
}
