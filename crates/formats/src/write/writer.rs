//! The writer of boards in one format.

use std::io::{self, Write};

#[cfg(feature = "html")]
use super::html::{PageLayout, Sheets};
use super::{Board, duplimate, number, pbn, zrd};
use crate::Format;
use crate::bridge::Deal;
use crate::error::Remedy;
use crate::number::Scheme;
use crate::record::BoardRecord;

/// The writer of a format's files.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BoardWriter {
    /// Board by board.
    Boards(fn(&mut dyn Write, &Board) -> io::Result<()>),
    /// Board by board, with records.
    Recorded(fn(&mut dyn Write, &Board, &BoardRecord) -> io::Result<()>),
    /// As [`BoardWriter::Recorded`]; some parts apply until they are replaced.
    Continued(fn(&mut dyn Write, &Board, &BoardRecord, &mut [bool; 6]) -> io::Result<()>),
    /// Board by board, each with its double-dummy tricks.
    Solved,
    /// Sheet by sheet.
    #[cfg(feature = "html")]
    Sheets,
    /// All boards at the end of the file, in which their places are their numbers.
    File(fn(&mut dyn Write, &[Deal]) -> io::Result<()>),
    /// Numbers, deal by deal.
    Numbers(Scheme),
}

/// The reason why boards cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// There are more boards than a DUP file can have.
    #[error("a DUP file has at most {most} boards, not {boards}", most = duplimate::MOST_DUP_BOARDS)]
    TooManyBoards {
        /// Number of boards.
        boards: u64,
    },
    /// The format can be read but not written.
    #[error("fairdeal reads `{format}` but does not write it")]
    OnlyRead {
        /// The format's name.
        format: &'static str,
    },
    /// The format stores double-dummy tricks, and those of a board are unknown.
    #[error(
        "board {board} has no double-dummy tricks, which the format stores: take the deals from a \
         file that has them"
    )]
    NoTricks {
        /// The board number.
        board: u64,
    },
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Writes the boards of one file.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    writer: BoardWriter,
    /// Maximum number of boards.
    most: u64,
    /// What all boards share.
    labels: BoardRecord,
    /// The parts that apply until they are replaced and that the last board has.
    has_part: [bool; 6],
    #[cfg(feature = "html")]
    sheets: Sheets,
    /// Boards that wait for the end of the file.
    waiting: Vec<Board>,
}

impl<W: Write> Writer<W> {
    /// Begins a file of at most `boards` boards; `generator` is the program's name, for formats
    /// that store it.
    ///
    /// # Errors
    ///
    /// [`FormatError`] if the format cannot store that many boards, or writing fails.
    pub fn new(
        mut out: W,
        format: Format,
        boards: u64,
        generator: &str,
    ) -> Result<Self, FormatError> {
        let writer = format.writer().ok_or(FormatError::OnlyRead {
            format: format.name(),
        })?;
        let most = format.most_boards();
        if boards > most {
            return Err(FormatError::TooManyBoards { boards });
        }
        if format == Format::Pbn {
            pbn::write_head(&mut out, generator)?;
        }
        Ok(Self {
            out,
            writer,
            most,
            labels: BoardRecord::default(),
            has_part: [false; 6],
            #[cfg(feature = "html")]
            sheets: Sheets::default(),
            waiting: Vec::new(),
        })
    }

    /// The same writer, with these labels for the boards.
    #[must_use]
    pub fn with_labels(self, labels: BoardRecord) -> Self {
        Self { labels, ..self }
    }

    /// The same writer, with this layout for pages of hands.
    #[cfg(feature = "html")]
    #[must_use]
    pub fn with_layout(mut self, layout: PageLayout) -> Self {
        self.sheets.layout = layout;
        self
    }

    /// Writes the next board with the labels of the file.
    ///
    /// # Errors
    ///
    /// [`FormatError`] if the format stores double-dummy tricks and the board has none, or if
    /// writing fails.
    pub fn write(&mut self, board: &Board) -> Result<(), FormatError> {
        self.write_with(board, "", "")
    }

    /// Writes the next board with the labels of the file, a comment and the type of its deal, for
    /// formats that store them.
    ///
    /// # Errors
    ///
    /// As [`Writer::write`].
    pub fn write_with(
        &mut self,
        board: &Board,
        comment: &str,
        deal_type: &str,
    ) -> Result<(), FormatError> {
        let mut labels = std::mem::take(&mut self.labels);
        if *labels.comment != *comment {
            labels.comment = comment.into();
        }
        if *labels.deal_type != *deal_type {
            labels.deal_type = deal_type.into();
        }
        let written = self.write_record(board, &labels);
        self.labels = labels;
        written
    }

    /// Writes the next board with its record, as far as the format stores it.
    ///
    /// # Errors
    ///
    /// As [`Writer::write`].
    pub fn write_record(&mut self, board: &Board, record: &BoardRecord) -> Result<(), FormatError> {
        let out = &mut self.out;
        match self.writer {
            BoardWriter::Boards(write) => write(out, board)?,
            BoardWriter::Recorded(write) => write(out, board, record)?,
            BoardWriter::Continued(write) => write(out, board, record, &mut self.has_part)?,
            BoardWriter::Numbers(scheme) => number::write(out, scheme, &board.deal)?,
            BoardWriter::Solved => {
                let number = board.number;
                let unknown = FormatError::NoTricks { board: number };
                let tricks = board.tricks.ok_or(unknown)?;
                zrd::write(out, board, tricks)?;
            }
            #[cfg(feature = "html")]
            BoardWriter::Sheets => self.sheets.add(out, board, record)?,
            BoardWriter::File(_) => {
                let boards = self.waiting.len() as u64 + 1;
                if boards > self.most {
                    return Err(FormatError::TooManyBoards { boards });
                }
                self.waiting.push(*board);
            }
        }
        Ok(())
    }

    /// Writes out the boards so far, where the format allows it.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn finish(mut self) -> io::Result<()> {
        match self.writer {
            BoardWriter::File(write) => {
                let numbers: Vec<u64> = self.waiting.iter().map(|board| board.number).collect();
                if is_numbered_by_place(&numbers) {
                    self.waiting.sort_by_key(|board| board.number);
                }
                let deals: Vec<Deal> = self.waiting.iter().map(|board| board.deal).collect();
                write(&mut self.out, &deals)?;
            }
            #[cfg(feature = "html")]
            BoardWriter::Sheets => self.sheets.finish(&mut self.out, &self.labels)?,
            _ => {}
        }
        self.out.flush()
    }
}

/// Whether these are the numbers from 1 on, in any order, so that boards in their order have their
/// places as numbers.
pub fn is_numbered_by_place(numbers: &[u64]) -> bool {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq(1..=numbers.len() as u64)
}

impl From<FormatError> for crate::error::Error {
    fn from(error: FormatError) -> Self {
        match error {
            FormatError::TooManyBoards { .. } => Self::usage(error),
            FormatError::OnlyRead { .. } => {
                Self::usage(error).with_remedy(Remedy::ChooseWrittenFormat)
            }
            FormatError::NoTricks { .. } => Self::input(error),
            FormatError::Io(error) => Self::io(error),
        }
    }
}
