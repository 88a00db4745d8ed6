//! A deal a line: PBN deal strings, lists for double-dummy solvers, numbers.
//!
//! An empty line is nothing; any other that is no deal is found as what it is.

use super::notation::{self, fault};
use super::text::{self, LONGEST_LINE, Lines, TooLong};
use super::{Entry, InputFormat, Parser, Piece, What, number};
use crate::cards::Seat;

/// What the lines with which a list describes the deal above them begin with.
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

/// Reads a deal from each line.
#[derive(Debug)]
pub(super) struct ByLine {
    format: InputFormat,
    lines: Lines,
}

impl ByLine {
    /// A reader of [`InputFormat::Line`], [`InputFormat::Dds`] or numbers.
    pub(super) fn new(format: InputFormat) -> Self {
        let lines = Lines::default();
        Self { format, lines }
    }
}

impl Parser for ByLine {
    fn fresh(&self) -> Box<dyn Parser> {
        Box::new(Self::new(self.format))
    }

    fn is_fresh(&self) -> bool {
        self.lines.is_fresh()
    }

    fn cut(&self, bytes: &[u8]) -> usize {
        text::cut(bytes)
    }

    fn read(&mut self, piece: &[u8], last: bool, found: &mut Piece) {
        let format = self.format;
        found.places += self.lines.read(piece, last, |place, line| {
            let (what, dealer) = match line.map(<[u8]>::trim_ascii) {
                Ok(b"") => return,
                Ok(line) if format == InputFormat::Dds => match listed(line) {
                    Some(listed) => listed,
                    None => return,
                },
                Ok(line) => match format {
                    InputFormat::Number(scheme) => (number::read(line, scheme), None),
                    _ => (notation::read(line), None),
                },
                Err(TooLong) => {
                    let reason = format!("the line is longer than {LONGEST_LINE} bytes");
                    (What::Invalid(fault(reason)), None)
                }
            };
            found.entries.push(Entry {
                place,
                board: None,
                dealer,
                event: 0,
                what,
            });
        });
    }
}

/// The deal of a list's line `PBN 0 0 .. "N:..."` and its dealer, nothing if it is about
/// the deal above.
fn listed(line: &[u8]) -> Option<(What, Option<Seat>)> {
    let mut words = line.split(|byte| byte.is_ascii_whitespace());
    let label = words.next().unwrap_or_default();
    if ABOUT_DEALS.contains(&label) {
        return None;
    }
    let mut quoted = line.split(|&byte| byte == b'"').skip(1);
    let (Some(deal), Some(_), b"PBN") = (quoted.next(), quoted.next(), label) else {
        let reason = "a list's deal is PBN, numbers, and a deal string in quotes";
        return Some((What::Invalid(fault(reason)), None));
    };
    let dealer = match words.next() {
        Some([digit @ b'0'..=b'3']) => Seat::from_index(usize::from(digit - b'0')),
        _ => None,
    };
    Some((notation::read(deal), dealer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::read::read_bytes;

    const DEAL: &str = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3";

    #[test]
    fn deals_stand_in_their_lines() {
        let text = format!("{DEAL}\r\n\r\n  {DEAL} \nno deal\n\n{DEAL}");
        let found = read_bytes(text.as_bytes(), InputFormat::Line);
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
        let found = read_bytes(text.as_bytes(), InputFormat::Dds);
        let lines: Vec<u64> = found.iter().map(|&(line, ..)| line).collect();
        assert_eq!(lines, [2, 5]);
        assert!(found.iter().all(|(.., what)| matches!(what, What::Deal(_))));
        assert_eq!(
            listed(format!("PBN 1 1 \"{DEAL}\"").as_bytes()).unwrap().1,
            Some(Seat::East)
        );
        assert!(matches!(
            listed(b"PBN 0 0 \"N:").unwrap().0,
            What::Invalid(_)
        ));
    }
}
