//! Formats with one deal per line: PBN deal strings, lists for double-dummy solvers, output of
//! dealing programs, and numbers.
//!
//! Empty lines are skipped; any other line that is not a deal is reported with the reason.

use super::records::push;
use super::text::each_line;
use super::{
    BoardDetails, Entry, EntryKind, FilePiece, Parser, notation, number, other, printed, solved,
};
use crate::bridge::{Seat, Vulnerable};
use crate::number::Scheme;

/// First words of the lines in a list that describe the deal above them.
const ABOUT_DEALS: [&[u8]; 7] = [
    b"FUT",
    b"TABLE",
    b"PAR",
    b"PAR2",
    b"DEALERPAR",
    b"PLAY",
    b"TRACE",
];

/// The start of the head of a list, before its number of deals.
const HEAD: &[u8] = b"NUMBER";

/// Reads a deal from each line, in one of the formats with one deal per line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ByLine {
    /// PBN deal strings.
    DealStrings,
    /// Lines of GIB's lists.
    Gib,
    /// Lines of `.ben` files.
    Ben,
    /// Lines of dealer's `printoneline`.
    Oneline,
    /// Lines of `deal -l`.
    DealList,
    /// Lines of Deal's `ddline`.
    DdLine,
    /// Lines of redeal.
    Redeal,
    /// Numbers.
    Numbers(Scheme),
}

impl Parser for ByLine {
    fn read(&mut self, piece: &[u8], _last: bool, found: &mut FilePiece) {
        each_line(piece, found, |found, line| {
            if !line.trim_ascii().is_empty()
                && let Some(record) = self.line(line)
            {
                push(found, record);
            }
        });
    }
}

/// Reads lists for double-dummy solvers, whose heads tell their numbers of deals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DealLists {
    /// The number of deals in the heads so far, if there was one.
    told: Option<u64>,
    /// Number of deals after the first head.
    seen: u64,
}

impl Parser for DealLists {
    fn is_fresh(&self) -> bool {
        self.told.is_none()
    }

    fn read(&mut self, piece: &[u8], last: bool, found: &mut FilePiece) {
        each_line(piece, found, |found, line| {
            let line = line.trim_ascii();
            if let Some(number) = line.strip_prefix(HEAD) {
                let number = str::from_utf8(number.trim_ascii()).ok();
                let told: Option<u64> = number.and_then(|number| number.parse().ok());
                let before = self.told.unwrap_or(0);
                self.told = told.map(|told| before.saturating_add(told)).or(self.told);
            } else if !line.is_empty()
                && let Some(record) = listed(line)
            {
                self.seen += u64::from(self.told.is_some());
                push(found, record);
            }
        });
        if let Some(told) = self.told.filter(|&told| last && told != self.seen) {
            let seen = self.seen;
            let reason = format!("the head says {told} deals, but the list has {seen}");
            push(found, EntryKind::Incomplete(other(reason)).into());
        }
    }
}

impl ByLine {
    /// The record of a line; `None` if the line describes no deal.
    fn line(&self, line: &[u8]) -> Option<Entry> {
        let trimmed = line.trim_ascii();
        Some(match *self {
            Self::DealStrings => solved::deal_string(trimmed),
            Self::Gib => solved::gib(trimmed),
            Self::Ben => solved::ben(trimmed),
            Self::Oneline => printed::oneline(trimmed)?.into(),
            // Not trimmed: a void at either end of a hand is an empty text beside a space.
            Self::DealList => printed::deal_list(line).into(),
            Self::DdLine => solved::ddline(trimmed),
            Self::Redeal => printed::redeal(trimmed).into(),
            Self::Numbers(scheme) => number::read(trimmed, scheme).into(),
        })
    }
}

/// The deal and the dealer of a list's line `PBN 0 0 .. "N:..."`; `None` if the line describes
/// the deal above.
fn listed(line: &[u8]) -> Option<Entry> {
    let mut words = line.split(|byte| byte.is_ascii_whitespace());
    let label = words.next().unwrap_or_default();
    if ABOUT_DEALS.contains(&label) {
        return None;
    }
    let mut quoted = line.split(|&byte| byte == b'"').skip(1);
    let (Some(deal), Some(_), b"PBN") = (quoted.next(), quoted.next(), label) else {
        let reason = "expected `PBN`, numbers and a deal string in quotes";
        return Some(Entry::invalid(reason));
    };
    let dealer = match words.next() {
        Some([digit @ b'0'..=b'3']) => Seat::from_index(usize::from(digit - b'0')),
        _ => None,
    };
    // The numbers of the solver.
    let vulnerable = match words.next() {
        Some(b"0") => Some(Vulnerable::None),
        Some(b"1") => Some(Vulnerable::All),
        Some(b"2") => Some(Vulnerable::NorthSouth),
        Some(b"3") => Some(Vulnerable::EastWest),
        _ => None,
    };
    Some(Entry {
        dealer,
        details: BoardDetails {
            vulnerable,
            ..BoardDetails::default()
        },
        ..Entry::from(notation::read(deal))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;
    use crate::read::{EntryKind, read_bytes};

    const DEAL: &str = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3";

    #[test]
    fn deals_stand_in_their_lines() {
        let text = format!("{DEAL}\r\n\r\n  {DEAL} \nno deal\n\n{DEAL}");
        let found = read_bytes(text.as_bytes(), Format::Line);
        let lines: Vec<u64> = found.iter().map(|&(line, ..)| line).collect();
        assert_eq!(lines, [1, 3, 4, 6]);
        let deal = EntryKind::Deal(DEAL.parse().unwrap());
        assert!([0, 1, 3].iter().all(|&place| found[place].2 == deal));
        let EntryKind::Invalid(fault) = &found[2].2 else {
            panic!("{found:?}");
        };
        assert_eq!(fault.to_string(), "a deal begins with N:, E:, S: or W:");
    }

    #[test]
    fn lists_have_lines_about_their_deals() {
        let text =
            format!("NUMBER 2\nPBN 0 0 4 4 \"{DEAL}\"\nFUT 1 2\nTABLE 5\nPBN 1 1 \"{DEAL}\"\n");
        let found = read_bytes(text.as_bytes(), Format::Dds);
        let lines: Vec<u64> = found.iter().map(|&(line, ..)| line).collect();
        assert_eq!(lines, [2, 5]);
        assert!(
            found
                .iter()
                .all(|(.., what)| matches!(what, EntryKind::Deal(_)))
        );
        let short = text.replace("NUMBER 2", "NUMBER 1000");
        let found = read_bytes(short.as_bytes(), Format::Dds);
        assert_eq!(found.len(), 3);
        let EntryKind::Incomplete(fault) = &found[2].2 else {
            panic!("{found:?}");
        };
        assert_eq!(
            fault.to_string(),
            "the head says 1000 deals, but the list has 2"
        );
        let both = format!("{text}{text}");
        assert_eq!(read_bytes(both.as_bytes(), Format::Dds).len(), 4);
        super::super::testing::cuts_change_nothing(Format::Dds, short.as_bytes());
        assert_eq!(
            listed(format!("PBN 1 1 \"{DEAL}\"").as_bytes())
                .unwrap()
                .dealer,
            Some(Seat::East)
        );
        assert!(matches!(
            listed(b"PBN 0 0 \"N:").unwrap().what,
            EntryKind::Invalid(_)
        ));
    }
}
