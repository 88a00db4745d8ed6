//! A game of PBN: the tags about its deal.

use super::kept::{KeptParts, text_of};
use super::result_table::ResultTable;
use super::tag::{Flaw, Tag, unescaped};
use crate::bridge::Seat;
use crate::read::notation::{self, decoded};
use crate::read::{BoardDetails, Entry, EntryKind, Event, FilePiece, other};

/// The tags that a game has only once: a second one begins the next game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Name {
    Event,
    Site,
    Date,
    Round,
    Board,
    Dealer,
    Deal,
    West,
    North,
    East,
    South,
    Vulnerable,
    Scoring,
    Declarer,
    Contract,
    Result,
}

/// A name of at most eight letters, in either case, as a number: comparing slices one by one takes
/// longer than all other work on a tag.
const fn key(name: &[u8]) -> u64 {
    let mut key = 0;
    let mut place = 0;
    while place < name.len() && place < 8 {
        key = key << 8 | (name[place] | 0x20) as u64;
        place += 1;
    }
    key
}

impl Name {
    /// All names except Vulnerable, the only one that is too long for a [`key`].
    const SHORT: [(u64, Self); 15] = [
        (key(b"Event"), Self::Event),
        (key(b"Site"), Self::Site),
        (key(b"Date"), Self::Date),
        (key(b"Round"), Self::Round),
        (key(b"Board"), Self::Board),
        (key(b"Dealer"), Self::Dealer),
        (key(b"Deal"), Self::Deal),
        (key(b"West"), Self::West),
        (key(b"North"), Self::North),
        (key(b"East"), Self::East),
        (key(b"South"), Self::South),
        (key(b"Scoring"), Self::Scoring),
        (key(b"Declarer"), Self::Declarer),
        (key(b"Contract"), Self::Contract),
        (key(b"Result"), Self::Result),
    ];

    fn of(name: &[u8]) -> Option<Self> {
        if name.len() > 8 {
            return name
                .eq_ignore_ascii_case(b"Vulnerable")
                .then_some(Self::Vulnerable);
        }
        let key = key(name);
        let found = Self::SHORT.iter().find(|&&(short, _)| short == key);
        found.map(|&(_, name)| name)
    }

    const fn bit(self) -> u16 {
        1 << self as u8
    }
}

/// The current game, and the values that continue from earlier games.
#[derive(Debug, Default)]
pub(super) struct Games {
    game: Game,
    /// The last Board tag with a value of its own; `Some(None)` if that was not a number.
    board: Option<Option<u64>>,
    /// Parts of an event (`##`) that apply until they are replaced.
    standing: [Option<Box<str>>; 4],
    /// Whether records are kept.
    pub(super) keeps_records: bool,
}

/// The part of a game read so far.
#[derive(Debug, Default)]
struct Game {
    /// A bit for each [`Name`] seen.
    seen: u16,
    event: Event,
    board: Option<u64>,
    dealer: Option<Seat>,
    details: BoardDetails,
    /// The line of the first Board tag.
    board_line: u64,
    /// The Deal tag and its line.
    deal: Option<(u64, EntryKind)>,
    /// The double-dummy tricks.
    table: Option<ResultTable>,
    /// What a conversion keeps.
    kept: KeptParts,
}

impl Games {
    /// Whether there is no state that the next piece needs.
    pub(super) fn is_fresh(&self) -> bool {
        let is_empty = self.game.seen == 0 && self.game.kept.is_empty();
        is_empty && self.standing.iter().all(Option::is_none)
    }

    /// Whether no game had a board number of its own.
    pub(super) const fn is_without_board(&self) -> bool {
        self.board.is_none()
    }

    /// Handles a tag with this text at a line of the piece.
    pub(super) fn tag(
        &mut self,
        Tag { name, value, .. }: Tag<'_>,
        text: &[u8],
        line: u64,
        found: &mut FilePiece,
    ) {
        if let Some(table) = &mut self.game.table {
            table.close();
        }
        let Some(name) = Name::of(name) else {
            if self.keeps_records {
                self.game
                    .kept
                    .section(name, value.unwrap_or_default(), text);
            }
            let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
            if self.game.seen != 0 && is(ResultTable::NAME) {
                self.game.table = Some(ResultTable::new(value.unwrap_or_default()));
            }
            let is_play = is(b"Auction") || is(b"Play") || is(b"ScoreTable");
            self.game.details.has_play |= self.game.seen != 0 && is_play;
            return;
        };
        if self.game.seen & name.bit() != 0 {
            self.end(found);
        }
        self.game.seen |= name.bit();
        self.game.kept.end_section();
        if name == Name::Deal {
            self.game.deal = Some((line, deal(value)));
            return;
        }
        let value = value.unwrap_or_default();
        if self.keeps_records && !matches!(value, b"?" | b"") {
            self.keep(name, value);
        }
        match name {
            Name::Event | Name::Site | Name::Date | Name::Round => {
                self.event_part(name as usize, value);
            }
            Name::Board => {
                self.game.board_line = line;
                self.game.board = self.board_number(value, found);
            }
            Name::Dealer => {
                self.game.dealer = match value {
                    &[letter] => notation::seat(letter),
                    _ => None,
                };
            }
            Name::Vulnerable => self.game.details.vulnerable = notation::vulnerable(value),
            Name::West | Name::North | Name::East | Name::South => {
                self.game.details.has_names |= is_known(value);
            }
            Name::Declarer | Name::Contract | Name::Result => {
                self.game.details.has_play |= is_known(value);
            }
            Name::Scoring | Name::Deal => {}
        }
    }

    /// Keeps the value of a tag about one table.
    fn keep(&mut self, name: Name, value: &[u8]) {
        let record = &mut self.game.kept.record;
        let kept = match name {
            Name::North => &mut record.names[0],
            Name::East => &mut record.names[1],
            Name::South => &mut record.names[2],
            Name::West => &mut record.names[3],
            Name::Scoring => &mut record.scoring,
            Name::Declarer => &mut record.declarer,
            Name::Contract => &mut record.contract,
            Name::Result => &mut record.result,
            _ => return,
        };
        *kept = text_of(value);
    }

    /// Handles text outside of tags and comments.
    pub(super) fn text(&mut self, text: &[u8]) {
        if let Some(table) = &mut self.game.table {
            table.add(text);
        }
        if self.keeps_records {
            self.game.kept.text(text);
        }
    }

    /// Handles text in quotes outside of tags.
    pub(super) fn quoted(&mut self, text: &[u8]) {
        if self.keeps_records {
            self.game.kept.text(text);
        }
    }

    /// Handles text within a comment.
    pub(super) fn comment(&mut self, text: &[u8]) {
        if self.keeps_records {
            self.game.kept.comment(text);
        }
    }

    /// Sets a part of the event: `#` repeats the last value, `##` and a text applies to all later
    /// games.
    fn event_part(&mut self, part: usize, value: &[u8]) {
        self.game.event.0[part] = match value {
            b"?" | b"" => {
                self.standing[part] = None;
                Some(Box::default())
            }
            b"#" | b"##" => None,
            [b'#', b'#', value @ ..] => {
                let value = decoded(&unescaped(value)).into_boxed_str();
                self.standing[part] = Some(value.clone());
                Some(value)
            }
            value => {
                self.standing[part] = None;
                Some(decoded(&unescaped(value)).into_boxed_str())
            }
        };
    }

    /// The number in a Board tag.
    fn board_number(&mut self, value: &[u8], found: &mut FilePiece) -> Option<u64> {
        if value != b"#" {
            let text = std::str::from_utf8(value.trim_ascii());
            let number = text.ok().and_then(|text| text.parse().ok());
            self.board = Some(number);
        }
        found.depends |= self.board.is_none();
        self.board.flatten()
    }

    /// Ends the game: reports its deal, or that it has none.
    pub(super) fn end(&mut self, found: &mut FilePiece) {
        if self.game.seen == 0 {
            // A comment before an empty line is about no game.
            self.game.kept = KeptParts::default();
            return;
        }
        let mut game = std::mem::take(&mut self.game);
        for (place, name) in [Name::Event, Name::Site, Name::Date, Name::Round]
            .iter()
            .enumerate()
        {
            if game.seen & name.bit() == 0 {
                game.event.0[place] = Some(self.standing[place].clone().unwrap_or_default());
            }
        }
        let event = found.event(game.event);
        let (place, what) = match game.deal {
            Some(deal) => deal,
            None if game.seen & Name::Board.bit() != 0 => {
                let which = game
                    .board
                    .map_or_else(String::new, |number| format!(" {number}"));
                let reason = format!("board{which} has no Deal tag");
                (game.board_line, EntryKind::Incomplete(other(reason)))
            }
            None => return,
        };
        let tricks = game.table.as_ref().and_then(ResultTable::tricks);
        let record = match &what {
            EntryKind::Deal(deal) if self.keeps_records => {
                let record = game.kept.into_record(game.dealer, deal, tricks.is_some());
                Some(Box::new(record))
            }
            _ => None,
        };
        found.entries.push(Entry {
            place,
            board: game.board,
            dealer: game.dealer,
            event,
            details: game.details,
            tricks,
            record,
            what,
        });
    }

    /// Moves line numbers from the piece that ends, which has `lines` lines, to the next piece.
    pub(super) fn next_piece(&mut self, lines: u64) {
        self.game.board_line = self.game.board_line.wrapping_sub(lines);
        if let Some((line, _)) = &mut self.game.deal {
            *line = line.wrapping_sub(lines);
        }
    }
}

/// Whether a tag's value says something.
fn is_known(value: &[u8]) -> bool {
    !matches!(value.trim_ascii(), b"" | b"?" | b"-")
}

/// Reads the value of a Deal tag.
fn deal(value: Result<&[u8], Flaw>) -> EntryKind {
    match value {
        Ok(b"" | b"?") => EntryKind::Incomplete(other("the Deal tag is empty")),
        Ok(b"#") => EntryKind::Invalid(other("a Deal tag cannot be `#` (the previous deal)")),
        Ok(text) => notation::read(text),
        Err(flaw) => EntryKind::Invalid(other(flaw.reason())),
    }
}
