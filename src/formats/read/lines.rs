//! Formats with one deal per line: PBN deal strings, lists for double-dummy solvers, output of
//! dealing programs, JSON and numbers.
//!
//! Empty lines are skipped; any other line that is not a deal is reported with the reason.

use super::records::{BoardRecord, push};
use super::text::{each_line, whole_lines};
use super::{BoardDetails, FilePiece, Parser, json, notation, number, printed, solved};
use crate::bridge::{Seat, Vulnerable};
use crate::number::Scheme;

/// First words of the lines in a list that describe the deal above them.
const ABOUT_DEALS: [&[u8]; 8] = [
    b"NUMBER",
    b"FUT",
    b"TABLE",
    b"PAR",
    b"PAR2",
    b"DEALERPAR",
    b"PLAY",
    b"TRACE",
];

/// Reads a deal from each line, in one of the formats with one deal per line.
#[derive(Clone, Copy, Debug)]
pub(in crate::formats) enum ByLine {
    /// PBN deal strings.
    DealStrings,
    /// Lists for double-dummy solvers.
    Lists,
    /// Lines of GIB's lists.
    Gib,
    /// Lines of `.ben` files.
    Ben,
    /// Lines of dealer's `printoneline`.
    Oneline,
    /// Lines of `deal -l`.
    DealList,
    /// JSON objects.
    Json,
    /// Numbers.
    Numbers(Scheme),
}

impl Parser for ByLine {
    fn fresh(&self) -> Box<dyn Parser> {
        Box::new(*self)
    }

    fn is_fresh(&self) -> bool {
        true
    }

    fn cut(&self, bytes: &[u8]) -> usize {
        whole_lines(bytes)
    }

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

impl ByLine {
    /// The record of a line; `None` if the line describes no deal.
    fn line(&self, line: &[u8]) -> Option<BoardRecord> {
        let trimmed = line.trim_ascii();
        Some(match *self {
            Self::DealStrings if trimmed.get(1) != Some(&b':') => solved::bare(trimmed),
            Self::DealStrings => notation::read(trimmed).into(),
            Self::Gib => solved::gib(trimmed),
            Self::Ben => solved::ben(trimmed),
            Self::Lists => return listed(trimmed),
            Self::Oneline => printed::oneline(trimmed)?.into(),
            // Not trimmed: a void at either end of a hand is an empty text beside a space.
            Self::DealList => printed::deal_list(line).into(),
            Self::Json => json::read(trimmed),
            Self::Numbers(scheme) => number::read(trimmed, scheme).into(),
        })
    }
}

/// The deal and the dealer of a list's line `PBN 0 0 .. "N:..."`; `None` if the line describes
/// the deal above.
fn listed(line: &[u8]) -> Option<BoardRecord> {
    let mut words = line.split(|byte| byte.is_ascii_whitespace());
    let label = words.next().unwrap_or_default();
    if ABOUT_DEALS.contains(&label) {
        return None;
    }
    let mut quoted = line.split(|&byte| byte == b'"').skip(1);
    let (Some(deal), Some(_), b"PBN") = (quoted.next(), quoted.next(), label) else {
        let reason = "expected `PBN`, numbers and a deal string in quotes";
        return Some(BoardRecord::invalid(reason));
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
    Some(BoardRecord {
        dealer,
        details: BoardDetails {
            vulnerable,
            ..BoardDetails::default()
        },
        ..BoardRecord::from(notation::read(deal))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Format;
    use crate::formats::read::{What, read_bytes};

    const DEAL: &str = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3";

    #[test]
    fn deals_stand_in_their_lines() {
        let text = format!("{DEAL}\r\n\r\n  {DEAL} \nno deal\n\n{DEAL}");
        let found = read_bytes(text.as_bytes(), Format::Line);
        let lines: Vec<u64> = found.iter().map(|&(line, ..)| line).collect();
        assert_eq!(lines, [1, 3, 4, 6]);
        let deal = What::Deal(DEAL.parse().unwrap());
        assert!([0, 1, 3].iter().all(|&place| found[place].2 == deal));
        let What::Invalid(fault) = &found[2].2 else {
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
        assert!(found.iter().all(|(.., what)| matches!(what, What::Deal(_))));
        assert_eq!(
            listed(format!("PBN 1 1 \"{DEAL}\"").as_bytes())
                .unwrap()
                .dealer,
            Some(Seat::East)
        );
        assert!(matches!(
            listed(b"PBN 0 0 \"N:").unwrap().what,
            What::Invalid(_)
        ));
    }
}
