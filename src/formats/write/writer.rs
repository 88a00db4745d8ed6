//! The writer of boards in one format.

use std::io::{self, Write};

use super::{Board, duplimate, number, pbn};
use crate::bridge::Deal;
use crate::formats::Format;
use crate::number::Scheme;

/// The writer of a format's files.
#[derive(Clone, Copy, Debug)]
pub(in crate::formats) enum BoardWriter {
    /// Board by board.
    Boards(fn(&mut dyn Write, &Board) -> io::Result<()>),
    /// Board by board, each with the name of its event if there is one.
    OfEvent(fn(&mut dyn Write, &Board, Option<&str>) -> io::Result<()>),
    /// All boards at the end of the file.
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
    #[error(
        "fairdeal reads `{format}` but does not write it; `deal --format help` lists the formats"
    )]
    OnlyRead {
        /// The format's name.
        format: &'static str,
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
    /// The name of the event, for formats that store it.
    event: Option<String>,
    /// Deals that wait for the end of the file.
    waiting: Vec<Deal>,
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
        match format {
            Format::Pbn => pbn::write_head(&mut out, generator)?,
            Format::Dup if boards > duplimate::MOST_DUP_BOARDS => {
                return Err(FormatError::TooManyBoards { boards });
            }
            _ => {}
        }
        Ok(Self {
            out,
            writer,
            event: None,
            waiting: Vec::new(),
        })
    }

    /// The same writer, with this event for the boards.
    #[must_use]
    pub fn with_event(self, event: Option<&str>) -> Self {
        let event = event.map(str::to_owned);
        Self { event, ..self }
    }

    /// Writes the next board.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn write(&mut self, board: &Board) -> io::Result<()> {
        match self.writer {
            BoardWriter::Boards(write) => write(&mut self.out, board),
            BoardWriter::OfEvent(write) => write(&mut self.out, board, self.event.as_deref()),
            BoardWriter::Numbers(scheme) => number::write(&mut self.out, scheme, &board.deal),
            BoardWriter::File(_) => {
                self.waiting.push(board.deal);
                Ok(())
            }
        }
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
        if let BoardWriter::File(write) = self.writer {
            write(&mut self.out, &self.waiting)?;
        }
        self.out.flush()
    }
}

impl From<FormatError> for crate::error::Error {
    fn from(error: FormatError) -> Self {
        match error {
            FormatError::TooManyBoards { .. } | FormatError::OnlyRead { .. } => Self::usage(error),
            FormatError::Io(error) => Self::io(error),
        }
    }
}
