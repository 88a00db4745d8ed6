//! Boards on sheets of paper.

use std::io::{self, Write};

use askama::Template;

use super::diagram::{BoardShown, HandShown, TricksShown};
use crate::bridge::Seat;
use crate::record::BoardRecord;
use crate::write::Board;

/// How boards are laid out on sheets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLayout {
    /// Number of boards on a sheet, from 1 to [`PageLayout::MOST_BOARDS`]: one above the other up to
    /// two, in two columns up to six, otherwise in three.
    pub boards: usize,
    /// Seats whose hands have a sheet of their own each, before the sheet with all hands.
    pub alone: Vec<Seat>,
    /// Whether types, tricks, par and comments are on sheets of their own, after all hands.
    pub has_answers: bool,
    /// The size of the sheets.
    pub paper: Paper,
}

/// A size of paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paper {
    /// 210 mm by 297 mm.
    #[default]
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

impl Paper {
    /// All sizes, with their names and descriptions.
    pub const ALL: [(Self, &'static str, &'static str); 2] = [
        (Self::A4, "a4", "210 mm by 297 mm"),
        (Self::Letter, "letter", "8.5 by 11 inches"),
    ];

    /// What the style sheet of A4 is followed by.
    const fn styles(self) -> &'static str {
        match self {
            Self::A4 => "",
            Self::Letter => "@page { size: letter; }\n@media print { .sheet { height: 254mm; } }\n",
        }
    }
}

impl PageLayout {
    /// Maximum number of boards on a sheet.
    pub const MOST_BOARDS: usize = 18;

    /// The class of a sheet, by the number of its boards.
    const fn class(&self) -> &'static str {
        match self.boards {
            1 => "one",
            2 => "two",
            3..=4 => "four",
            5..=6 => "compact six",
            7..=12 => "compact twelve",
            13..=15 => "compact fifteen",
            _ => "compact eighteen",
        }
    }
}

impl Default for PageLayout {
    /// Four boards on a sheet of A4, with all hands.
    fn default() -> Self {
        Self {
            boards: 4,
            alone: Vec::new(),
            has_answers: false,
            paper: Paper::A4,
        }
    }
}

/// The head of the file.
#[derive(Template)]
#[template(path = "head.html", config = "src/write/html/askama.toml")]
struct HeadPart<'a> {
    title: &'a str,
    paper: Paper,
}

/// A sheet.
#[derive(Template)]
#[template(path = "sheet.html", config = "src/write/html/askama.toml")]
struct SheetPart<'a> {
    title: &'a str,
    boards: &'a [BoardShown],
    layout: &'static str,
    /// The seat whose hands are shown alone, and the player if all boards have the same.
    alone: Option<Seat>,
    player: &'a str,
    /// Whether types, tricks, par and comments are on another sheet.
    has_answers: bool,
}

/// Sheets of answers.
#[derive(Template)]
#[template(path = "answers.html", config = "src/write/html/askama.toml")]
struct AnswersPart<'a> {
    title: &'a str,
    answers: &'a [BoardAnswer],
}

/// The answer to a board.
#[derive(Clone, Debug)]
struct BoardAnswer {
    board: u64,
    facts: String,
    deal_type: String,
    tricks: Option<TricksShown>,
    comment: String,
}

impl AnswersPart<'_> {
    fn has_types(&self) -> bool {
        self.answers.iter().any(|of| !of.deal_type.is_empty())
    }

    fn has_tricks(&self) -> bool {
        self.answers.iter().any(|of| of.tricks.is_some())
    }

    fn has_comments(&self) -> bool {
        self.answers.iter().any(|of| !of.comment.is_empty())
    }
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
    answers: Vec<BoardAnswer>,
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
        if !self.answers.is_empty() {
            let (title, answers) = (&*self.title, &*self.answers);
            write_part(out, &AnswersPart { title, answers })?;
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
        let (title, paper) = (&*self.title, self.layout.paper);
        write_part(out, &HeadPart { title, paper })
    }

    /// Writes the sheets of the waiting boards.
    fn write_sheets(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let has_answers = self.layout.has_answers;
        if has_answers {
            let answers = self.waiting.iter_mut().map(|board| BoardAnswer {
                board: board.number,
                facts: format!("{}, {}", board.dealer, board.vulnerable),
                deal_type: std::mem::take(&mut board.deal_type),
                tricks: board.tricks.take(),
                comment: std::mem::take(&mut board.comment),
            });
            self.answers.extend(answers);
        }
        let alone = self.layout.alone.iter().copied();
        for alone in alone.map(Some).chain([None]) {
            let player = alone.map_or("", |seat| {
                let first = &self.waiting[0].players[seat.index()];
                let is_same = |board: &BoardShown| board.players[seat.index()] == *first;
                if self.waiting.iter().all(is_same) {
                    first
                } else {
                    ""
                }
            });
            let sheet = SheetPart {
                title: &self.title,
                boards: &self.waiting,
                layout: self.layout.class(),
                alone,
                player,
                has_answers,
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
