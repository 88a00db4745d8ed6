//! Boards on sheets of paper.

use std::io::{self, Write};

use askama::Template;

use super::diagram::{BoardShown, HandShown};
use crate::bridge::Seat;
use crate::record::BoardRecord;
use crate::write::Board;

/// How boards are laid out on sheets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageLayout {
    /// Number of boards on a sheet, at least 1: one above the other up to two, otherwise in two
    /// columns.
    pub boards: usize,
    /// A seat whose hands have a sheet of their own, before the sheet with all hands.
    pub first: Option<Seat>,
}

impl Default for PageLayout {
    /// Four boards on a sheet, with all hands.
    fn default() -> Self {
        Self {
            boards: 4,
            first: None,
        }
    }
}

/// The head of the file.
#[derive(Template)]
#[template(path = "head.html", config = "src/write/html/askama.toml")]
struct HeadPart<'a> {
    title: &'a str,
}

/// A sheet.
#[derive(Template)]
#[template(path = "sheet.html", config = "src/write/html/askama.toml")]
struct SheetPart<'a> {
    title: &'a str,
    boards: &'a [BoardShown],
    layout: &'static str,
    /// The seat whose hands are shown alone.
    alone: Option<Seat>,
}

/// The style sheet.
const STYLES: &str = include_str!("hands.css");

/// The end of the file.
const END: &str = "</main>\n</body>\n</html>\n";

impl SheetPart<'_> {
    /// The hands of a board that this sheet shows, each with its player's name.
    fn shown<'b>(
        &self,
        board: &'b BoardShown,
    ) -> impl Iterator<Item = (&'b HandShown, &'b str)> + use<'b> {
        let alone = self.alone;
        let hands = board
            .hands
            .iter()
            .zip(board.players.iter().map(|name| &**name));
        hands.filter(move |(hand, _)| alone.is_none_or(|seat| seat.name() == hand.seat))
    }
}

/// The boards of a file, sheet by sheet.
#[derive(Clone, Debug, Default)]
pub(in crate::write) struct Sheets {
    pub(in crate::write) layout: PageLayout,
    /// Boards of the next sheet.
    waiting: Vec<BoardShown>,
    /// The event of the first board.
    title: Box<str>,
    is_begun: bool,
}

impl Sheets {
    /// Adds a board, and writes the sheet that it fills.
    pub(in crate::write) fn add(
        &mut self,
        out: &mut dyn Write,
        board: &Board,
        record: &BoardRecord,
    ) -> io::Result<()> {
        self.begin(out, record)?;
        self.waiting.push(BoardShown::new(board, record));
        match self.waiting.len() >= self.layout.boards {
            true => self.write_sheets(out),
            false => Ok(()),
        }
    }

    /// Writes the last sheet and the end of the file.
    pub(in crate::write) fn finish(
        &mut self,
        out: &mut dyn Write,
        labels: &BoardRecord,
    ) -> io::Result<()> {
        self.begin(out, labels)?;
        if !self.waiting.is_empty() {
            self.write_sheets(out)?;
        }
        out.write_all(END.as_bytes())
    }

    /// Writes the head of the file, once.
    fn begin(&mut self, out: &mut dyn Write, first: &BoardRecord) -> io::Result<()> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Ok(());
        }
        self.title = match &*first.event[0] {
            "" => "Hands".into(),
            event => event.into(),
        };
        write_part(out, &HeadPart { title: &self.title })
    }

    /// Writes the sheets of the waiting boards.
    fn write_sheets(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let layout = match self.layout.boards {
            1 => "one",
            2 => "two",
            _ => "four",
        };
        for alone in self.layout.first.map(Some).into_iter().chain([None]) {
            let sheet = SheetPart {
                title: &self.title,
                boards: &self.waiting,
                layout,
                alone,
            };
            write_part(out, &sheet)?;
        }
        self.waiting.clear();
        Ok(())
    }
}

fn write_part(out: &mut dyn Write, part: &impl Template) -> io::Result<()> {
    let text = part.render().map_err(io::Error::other)?;
    out.write_all(text.as_bytes())?;
    out.write_all(b"\n")
}
