//! Duplimate's DLM: ninety-nine boards; the file states the range of used boards.
//!
//! `Board 07=` is followed by 26 letters and a checksum of three digits. Each letter gives the
//! owners of the next two cards of the deck: `a` to `p` encode 4 times the first owner plus the
//! second. The checksum is the XOR of the letters' codes and the board number. Unused boards
//! have a dummy deal, in which each hand is a whole suit.

use super::cards::{DisjointHands, outcome};
use super::records::{push, quoted};
use super::text::each_line;
use super::{Entry, EntryKind, Fault, FilePiece, Parser, other};
use crate::bridge::{Card, Seat};

/// The start of a board's line.
const BOARD: &[u8] = b"Board ";
/// The dummy deal: north has the spades, east the hearts, south the diamonds, west the clubs.
const DUMMY: &[u8] = b"aaaaaabffffffkkkkkklpppppp";

/// Duplimate's DLM.
#[derive(Debug, Default)]
pub(crate) struct Dlm {
    /// The first and the last used board, as stated in the file.
    used: [Option<u64>; 2],
}

impl Parser for Dlm {
    fn is_fresh(&self) -> bool {
        self.used == [None; 2]
    }

    fn read(&mut self, piece: &[u8], _last: bool, found: &mut FilePiece) {
        each_line(piece, found, |found, line| {
            if let Some(record) = self.line(line.trim_ascii()) {
                push(found, record);
            }
        });
    }
}

impl Dlm {
    /// The record of a line; `None` if the line is not about a deal.
    fn line(&mut self, line: &[u8]) -> Option<Entry> {
        if line.is_empty() {
            return None;
        }
        if line.starts_with(b"[") && line.ends_with(b"]") {
            self.used = [None; 2];
            return None;
        }
        let Some(equals) = line.iter().position(|&byte| byte == b'=') else {
            let line = quoted(line);
            return Some(Entry::invalid(format!(
                "{line} is neither [section] nor name=value"
            )));
        };
        let (name, value) = (&line[..equals], &line[equals + 1..]);
        match name {
            b"From board" => self.used[0] = number(value),
            b"To board" => self.used[1] = number(value),
            _ => {
                let name = name.strip_prefix(BOARD)?;
                let Some(board) = number(name) else {
                    let name = quoted(name);
                    return Some(Entry::invalid(format!("{name} is not a board number")));
                };
                return Some(self.board(board, value));
            }
        }
        None
    }

    fn board(&self, board: u64, value: &[u8]) -> Entry {
        let what = match letters(board, value) {
            Err(fault) => EntryKind::Invalid(fault),
            Ok(DUMMY) if !self.uses(board) => EntryKind::Unused,
            Ok(letters) => outcome(owned(letters)),
        };
        Entry {
            board: Some(board),
            ..what.into()
        }
    }

    /// Whether the file uses this board, or states no range.
    fn uses(&self, board: u64) -> bool {
        let [first, last] = self.used;
        first.is_none_or(|first| first <= board) && last.is_none_or(|last| board <= last)
    }
}

fn number(digits: &[u8]) -> Option<u64> {
    str::from_utf8(digits.trim_ascii()).ok()?.parse().ok()
}

/// The letters of a board, if they and the checksum are valid.
fn letters(board: u64, value: &[u8]) -> Result<&[u8], Fault> {
    let Some((letters, told)) = value
        .split_at_checked(DUMMY.len())
        .filter(|(_, told)| told.len() == 3)
    else {
        let length = value.len();
        return Err(other(format!(
            "{length} characters instead of 29: 26 letters and a checksum of three digits"
        )));
    };
    if let Some(&wrong) = letters
        .iter()
        .find(|letter| !(b'a'..=b'p').contains(letter))
    {
        let letter = quoted(&[wrong]);
        return Err(other(format!(
            "{letter} is not a letter for the owners of two cards (a to p)"
        )));
    }
    let sum = letters
        .iter()
        .fold(board, |sum, &letter| sum ^ u64::from(letter));
    if number(told) != Some(sum) {
        let told = quoted(told);
        return Err(other(format!(
            "checksum {told} does not match the deal ({sum:03})"
        )));
    }
    Ok(letters)
}

/// The hands, from letters with two owners each, north 0 to west 3, in deck order.
fn owned(letters: &[u8]) -> Result<DisjointHands, Fault> {
    let owners = letters.iter().flat_map(|&letter| {
        let pair = usize::from(letter - b'a');
        [pair / 4, pair % 4]
    });
    let mut hands = DisjointHands::default();
    for (card, owner) in Card::all().zip(owners) {
        hands.add(Seat::ALL[owner], card)?;
    }
    Ok(hands)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{self, SET1, SET4, said};
    use super::*;
    use crate::Format as F;

    #[test]
    fn bigdeals_files_hold_the_deals_of_its_pbn_and_boards_not_used() {
        for (sample, set, first) in [
            ("bigdeal/set1.dlm", SET1, 1),
            ("bigdeal/set4_blind.dlm", SET4, 5),
        ] {
            let entries = testing::whole(F::Dlm, &testing::sample(sample));
            assert_eq!(entries.len(), 99);
            let boards = entries.iter().map(|entry| entry.board.unwrap());
            assert_eq!(Vec::from_iter(boards), Vec::from_iter(1..=99));
            testing::holds_deals(F::Dlm, sample, set);
            let used = entries
                .iter()
                .filter(|entry| entry.what != EntryKind::Unused);
            assert_eq!(used.clone().next().unwrap().board, Some(first));
            assert_eq!(used.count(), testing::set(set).len());
        }
    }

    #[test]
    fn a_dummy_deal_is_a_deal_on_a_board_that_is_used() {
        let deal = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432";
        let line = b"Board 02=aaaaaabffffffkkkkkklpppppp012\n";
        assert_eq!(said(F::Dlm, line), [deal]);
        let with = |head: &[u8]| said(F::Dlm, &[head, line].concat());
        assert_eq!(with(b"From board=1\nTo board=2\n"), [deal]);
        assert_eq!(with(b"From board=3\nTo board=4\n"), ["unused"]);
        assert_eq!(with(b"[Document]\r\nTo board=1\r\n"), ["unused"]);
        assert_eq!(with(b"To board=1\n[Document]\n"), [deal]);
    }

    #[test]
    fn cuts_change_nothing() {
        let sample = testing::sample("bigdeal/set4_blind.dlm");
        testing::cuts_change_nothing(F::Dlm, &sample);
        testing::truncations_are_read(F::Dlm, &sample);
        testing::any_bytes_are_read(F::Dlm, b"Board 0123456789=abcdefghijklmnop\n");
    }
}
