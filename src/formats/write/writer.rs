//! The formats by name, and the writer of a file of one.

use std::io::{self, Write};

use super::{Board, csv, dealer, duplimate, lin, pbn, rbn, text};
use crate::bridge::{Deal, Hand, Seat};
use crate::number::pavlicek;

/// How deals are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A PBN deal string a line, north first.
    Line,
    /// PBN 2.1, export format.
    Pbn,
    /// Bridge Base Online's LIN.
    Lin,
    /// Richard's Bridge Notation.
    Rbn,
    /// Duplimate's DUP: at most 99 boards.
    Dup,
    /// BRI: north's, east's and south's cards as numbers.
    Bri,
    /// DGE: four hands with suit symbols of code page 437.
    Dge,
    /// Sixteen suits, board and dealer/vulnerability, comma-separated.
    Csv,
    /// A line a deal, as dealer's `printoneline`.
    Oneline,
    /// Four lines a deal, as dealer's `printcompact`.
    Compact,
    /// Four hands beside each other, as dealer's `printall`.
    All,
    /// West's and east's hands beside each other, as dealer's `printew`.
    Ew,
    /// Each seat's hands on pages of their own, as dealer's `print`.
    Pages,
    /// Pavlicek's number a line.
    Number,
}

impl Format {
    /// All of them, with what they go by and what they are.
    const LIST: [(Self, &'static str, &'static str); 14] = [
        (Self::Line, "line", "A PBN deal string a line, north first"),
        (
            Self::Pbn,
            "pbn",
            "PBN 2.1: Portable Bridge Notation, export format",
        ),
        (Self::Lin, "lin", "LIN: Bridge Base Online"),
        (Self::Rbn, "rbn", "RBN: Richard's Bridge Notation"),
        (
            Self::Dup,
            "dup",
            "DUP: Duplimate's dealing machine, at most 99 boards",
        ),
        (
            Self::Bri,
            "bri",
            "BRI: dealing machines, three hands as card numbers",
        ),
        (
            Self::Dge,
            "dge",
            "DGE: dealing machines, four hands with suit symbols",
        ),
        (
            Self::Csv,
            "csv",
            "Sixteen suits, board number and dealer/vulnerability",
        ),
        (
            Self::Oneline,
            "oneline",
            "A line a deal, as dealer's printoneline",
        ),
        (
            Self::Compact,
            "compact",
            "Four lines a deal, as dealer's printcompact",
        ),
        (
            Self::All,
            "all",
            "Four hands beside each other, as dealer's printall",
        ),
        (
            Self::Ew,
            "ew",
            "West's and east's hands beside each other, as dealer's printew",
        ),
        (
            Self::Pages,
            "pages",
            "Each seat's hands on a page, four beside each other, as dealer's print",
        ),
        (Self::Number, "number", "Pavlicek's number of each deal"),
    ];

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::LIST.into_iter().map(|(format, ..)| format)
    }

    /// The format of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|format| format.name() == name)
    }

    /// The name: `pbn`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::LIST[self as usize].1
    }

    /// What it is, in a line.
    #[must_use]
    pub const fn description(self) -> &'static str {
        Self::LIST[self as usize].2
    }
}

/// Boards that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// More boards than a DUP file has.
    #[error("a DUP file has at most {most} boards, not {boards}", most = duplimate::MOST_DUP_BOARDS)]
    TooManyBoards {
        /// How many there are.
        boards: u64,
    },
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Writes the boards of one file.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    format: Format,
    /// Deals that wait for the end of the file.
    waiting: Vec<Deal>,
}

impl<W: Write> Writer<W> {
    /// Begins a file of at most so many boards; `generator` says who made it, where a format tells.
    ///
    /// # Errors
    ///
    /// [`FormatError`] if the format has no room for so many, or writing fails.
    pub fn new(
        mut out: W,
        format: Format,
        boards: u64,
        generator: &str,
    ) -> Result<Self, FormatError> {
        match format {
            Format::Pbn => pbn::write_head(&mut out, generator)?,
            Format::Dup if boards > duplimate::MOST_DUP_BOARDS => {
                return Err(FormatError::TooManyBoards { boards });
            }
            _ => {}
        }
        Ok(Self {
            out,
            format,
            waiting: Vec::new(),
        })
    }

    /// Writes the next board.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn write(&mut self, board: &Board) -> io::Result<()> {
        let (out, deal) = (&mut self.out, &board.deal);
        match self.format {
            Format::Line => writeln!(out, "{deal}"),
            Format::Pbn => pbn::write(out, board),
            Format::Lin => lin::write(out, board),
            Format::Rbn => rbn::write(out, board),
            Format::Bri => duplimate::write_bri(out, deal),
            Format::Dge => duplimate::write_dge(out, deal),
            Format::Csv => csv::write(out, board),
            Format::Oneline => text::write_oneline(out, deal),
            Format::Compact => text::write_compact(out, deal),
            Format::All => text::write_all(out, board),
            Format::Ew => text::write_ew(out, deal),
            // Every record has the number of boards, every page all of a seat's hands.
            Format::Dup | Format::Pages => {
                self.waiting.push(*deal);
                Ok(())
            }
            Format::Number => writeln!(out, "{}", pavlicek::encode(deal)),
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn finish(mut self) -> io::Result<()> {
        let (out, deals) = (&mut self.out, &self.waiting);
        match self.format {
            Format::Dup => {
                for deal in deals {
                    duplimate::write_dup(out, deal, deals.len())?;
                }
            }
            Format::Pages => {
                for seat in Seat::ALL {
                    let hands: Vec<Hand> = deals.iter().map(|deal| deal.hand(seat)).collect();
                    dealer::write_page(out, seat, &hands)?;
                }
            }
            _ => {}
        }
        self.out.flush()
    }
}

impl From<FormatError> for crate::error::Error {
    fn from(error: FormatError) -> Self {
        match error {
            FormatError::TooManyBoards { .. } => Self::usage(error),
            FormatError::Io(error) => Self::io(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_goes_by_its_name() {
        for (place, format) in Format::all().enumerate() {
            assert_eq!(format as usize, place);
            assert_eq!(Format::named(format.name()), Some(format));
        }
        assert_eq!(Format::named("PBN"), None);
    }
}
