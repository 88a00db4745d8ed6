//! Reading of a whole input: pieces in parallel, their entries in order.

use std::iter;
use std::mem;
use std::ops::ControlFlow;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use rayon::prelude::*;

use super::changes::{FormatChange, TextBetween};
use super::event::CurrentEvent;
use super::stream::{Buffer, Message, PieceStream};
use super::{BoardDetails, Entry, EntryKind, EventName, FilePiece, Input, Parser, ReadError};
use crate::Format;
use crate::bridge::{Seat, TrickTable};
use crate::record::BoardRecord;

/// Maximum time between two calls of `watch` while no data arrives.
const PATIENCE: Duration = Duration::from_millis(50);

/// An entry of an input.
#[derive(Clone, Debug)]
pub struct InputEntry<'r> {
    /// The line, or the record in a file without lines, from 1.
    pub line: u64,
    /// The board number, if the file has one.
    pub board: Option<u64>,
    /// The dealer, if the file names one.
    pub dealer: Option<Seat>,
    /// The double-dummy tricks, if the file has all of them.
    pub tricks: Option<TrickTable>,
    /// What else the file says about the board.
    pub details: BoardDetails,
    /// The record of the board, if records are kept and the file has more than its cards.
    pub record: Option<Box<BoardRecord>>,
    /// The event of the board.
    pub event: &'r EventName,
    /// The deal, or the reason why there is none.
    pub what: EntryKind,
}

/// Summary of reading an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadSummary {
    /// The format; `None` if reading was stopped before it was known.
    pub format: Option<Format>,
    /// Number of decompressed bytes processed.
    pub bytes: u64,
    /// Whether the input was read to its end, not stopped.
    pub is_whole: bool,
}

/// Reads an input to its end, and passes all its entries to `sink` in order.
///
/// Pieces are read in parallel on the current thread pool. `watch` is called with the number of
/// processed bytes after each group of pieces, and several times a second while no data arrives.
/// Both can stop the reading by returning `Break`; entries not yet passed on are dropped.
///
/// # Errors
///
/// [`ReadError`]; the entries before the error have been passed to `sink`.
pub fn read(
    input: Input,
    format: Option<Format>,
    sink: &mut dyn FnMut(InputEntry<'_>) -> ControlFlow<()>,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<ReadSummary, ReadError> {
    read_pieces(input, format, false, sink, watch)
}

/// As [`read`], with the records of the boards.
///
/// # Errors
///
/// As [`read`].
pub fn read_records(
    input: Input,
    format: Option<Format>,
    sink: &mut dyn FnMut(InputEntry<'_>) -> ControlFlow<()>,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<ReadSummary, ReadError> {
    read_pieces(input, format, true, sink, watch)
}

fn read_pieces(
    input: Input,
    format: Option<Format>,
    keeps_records: bool,
    sink: &mut dyn FnMut(InputEntry<'_>) -> ControlFlow<()>,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<ReadSummary, ReadError> {
    let mut reader = PieceReader {
        is_detected: format.is_none(),
        stream: PieceStream::begin(input, format)?,
        keeps_records,
        sequence: None,
        rooms: Vec::new(),
        done: 0,
        is_whole: false,
    };
    // Pieces that are read, whose entries are passed on while those after them are read.
    let mut before = Vec::new();
    loop {
        let patience = match before.is_empty() {
            true => PATIENCE,
            false => Duration::ZERO,
        };
        let (mut group, arrived) = reader.gather(patience);
        let mut flow = rayon::in_place_scope(|scope| {
            scope.spawn(|_| group.par_iter_mut().for_each(ReadPiece::read));
            reader.pass_on(before, sink)
        });
        reader.changed()?;
        if let (ControlFlow::Continue(()), Err(error)) = (flow, arrived) {
            flow = reader.pass_on(mem::take(&mut group), sink);
            reader.changed()?;
            if flow.is_continue() {
                return Err(error);
            }
        }
        if watch(reader.done).is_break() || flow.is_break() {
            return Ok(ReadSummary {
                format: reader.sequence.map(|sequence| sequence.format),
                bytes: reader.done,
                is_whole: reader.is_whole,
            });
        }
        before = group;
    }
}

/// Reads the pieces of a stream, group by group.
struct PieceReader {
    stream: PieceStream,
    /// Whether the format is detected, and so may change.
    is_detected: bool,
    keeps_records: bool,
    /// `None` until the format is known.
    sequence: Option<PieceSequence>,
    /// Processed pieces, whose memory is reused.
    rooms: Vec<FilePiece>,
    /// Number of bytes processed.
    done: u64,
    is_whole: bool,
}

impl PieceReader {
    /// Takes the pieces that have arrived, after waiting for the first one. An error comes after
    /// the pieces before it.
    fn gather(&mut self, patience: Duration) -> (Vec<ReadPiece>, Result<(), ReadError>) {
        let mut group = Vec::new();
        let first = match self.stream.next(patience) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => return (group, Ok(())),
            Err(RecvTimeoutError::Disconnected) => return (group, Err(self.stream.broken())),
        };
        for message in iter::once(first).chain(self.stream.waiting()) {
            match message {
                Ok(Message::Begin(format)) => {
                    let mut sequence = PieceSequence::new(format);
                    let is_watched = self.is_detected && format.is_text();
                    sequence.between = is_watched.then(|| TextBetween::new(format));
                    self.sequence = Some(sequence);
                }
                Ok(Message::Piece { bytes, last }) => {
                    let mut room = self.rooms.pop().unwrap_or_default();
                    room.keeps_records = self.keeps_records;
                    if let Some(sequence) = &self.sequence {
                        let parser = fresh(sequence.format);
                        group.push(ReadPiece::new(bytes, last, parser, room));
                    }
                }
                Err(error) => return (group, Err(error)),
            }
        }
        (group, Ok(()))
    }

    /// Fails if the input goes on in another format.
    fn changed(&self) -> Result<(), ReadError> {
        let change = self.sequence.as_ref().and_then(|sequence| sequence.change);
        change.map_or(Ok(()), |FormatChange { from, to, line, .. }| {
            let name = self.stream.name().to_owned();
            Err(ReadError::Changed {
                name,
                from,
                to,
                line,
            })
        })
    }

    /// Passes on the entries of a group in order; breaks at the end of the input.
    fn pass_on(
        &mut self,
        group: Vec<ReadPiece>,
        sink: &mut dyn FnMut(InputEntry<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(sequence) = &mut self.sequence else {
            return ControlFlow::Continue(());
        };
        for reading in group {
            let (length, last) = (reading.bytes.bytes().len(), reading.last);
            let (bytes, room, flow) = sequence.take(reading, sink);
            self.stream.give_back(bytes);
            self.rooms.push(room);
            self.done += length as u64;
            flow?;
            if last {
                self.is_whole = true;
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// A piece, and its contents as read by a fresh parser.
struct ReadPiece {
    bytes: Buffer,
    last: bool,
    parser: Box<dyn Parser>,
    piece: FilePiece,
}

impl ReadPiece {
    fn new(bytes: Buffer, last: bool, parser: Box<dyn Parser>, piece: FilePiece) -> Self {
        Self {
            bytes,
            last,
            parser,
            piece,
        }
    }

    fn read(&mut self) {
        self.piece.clear();
        self.parser
            .read(self.bytes.bytes(), self.last, &mut self.piece);
    }
}

/// A parser at the beginning of a record of a format that is read.
fn fresh(format: Format) -> Box<dyn Parser> {
    format.parser().expect("a format that is read")
}

/// The pieces of a file in order.
struct PieceSequence {
    format: Format,
    /// The parser, in its state after the pieces so far.
    parser: Box<dyn Parser>,
    /// Number of places (lines or records) in the pieces so far.
    places: u64,
    events: CurrentEvent,
    last_record: LastRecord,
    /// The text since the last deal, if the format may change.
    between: Option<TextBetween>,
    /// The change, after which nothing is passed on.
    change: Option<FormatChange>,
}

impl PieceSequence {
    fn new(format: Format) -> Self {
        Self {
            format,
            parser: fresh(format),
            places: 0,
            events: CurrentEvent::default(),
            last_record: LastRecord::default(),
            between: None,
            change: None,
        }
    }

    /// Takes the next piece, and reads it again if it needs earlier state. Returns its memory for
    /// reuse.
    fn take(
        &mut self,
        mut reading: ReadPiece,
        sink: &mut dyn FnMut(InputEntry<'_>) -> ControlFlow<()>,
    ) -> (Buffer, FilePiece, ControlFlow<()>) {
        if self.parser.is_fresh() && !reading.piece.depends {
            self.parser = reading.parser;
        } else {
            reading.parser = mem::replace(&mut self.parser, reading.parser);
            reading.read();
            self.parser = reading.parser;
        }
        let mut piece = reading.piece;
        let between = self.between.as_mut();
        let change = between.and_then(|text| text.take(&piece, reading.bytes.bytes(), self.places));
        let end = change.map_or(u64::MAX, |change| change.lines);
        let mut entries = mem::take(&mut piece.entries);
        let mut flow = ControlFlow::Continue(());
        for mut entry in entries.drain(..) {
            let line = self.places.wrapping_add(entry.place).wrapping_add(1);
            if line > end {
                break;
            }
            let event = self.events.name(&piece, entry.event);
            if piece.keeps_records {
                self.last_record.finish(&mut entry, event);
            }
            let found = InputEntry {
                line,
                board: entry.board,
                dealer: entry.dealer,
                tricks: entry.tricks,
                details: entry.details,
                record: entry.record,
                event,
                what: entry.what,
            };
            flow = sink(found);
            if flow.is_break() {
                break;
            }
        }
        piece.entries = entries;
        if flow.is_continue() && change.is_some() {
            self.change = change;
            flow = ControlFlow::Break(());
        }
        self.events.end(&piece);
        self.places += piece.places;
        (reading.bytes, piece, flow)
    }
}

/// Values that the next record may repeat by `#`: players and scoring.
#[derive(Default)]
struct LastRecord([Box<str>; 5]);

impl LastRecord {
    /// Completes the record of an entry.
    fn finish(&mut self, entry: &mut Entry, event: &EventName) {
        let EntryKind::Deal(deal) = &entry.what else {
            return;
        };
        if event.is_known() {
            entry.record.get_or_insert_default().event = event.parts();
        }
        let Some(record) = &mut entry.record else {
            return;
        };
        let values = record.names.iter_mut().chain([&mut record.scoring]);
        for (value, last) in values.zip(&mut self.0) {
            match &**value {
                "#" => value.clone_from(last),
                value if *value != **last => *last = value.into(),
                _ => {}
            }
        }
        record.finish(entry.dealer, deal);
    }
}

/// Reads a file from memory that becomes available in steps: `shown` has the number of available
/// bytes at each step. Pieces are cut as usual, and records are kept. For tests and fuzzing.
///
/// # Panics
///
/// If the format cannot be read.
pub fn read_cut(
    bytes: &[u8],
    format: Format,
    shown: &[usize],
    sink: &mut dyn FnMut(InputEntry<'_>),
) {
    let bytes = super::source::without_mark(bytes, format);
    let mut sequence = PieceSequence::new(format);
    let cutter = fresh(format);
    let mut rest = bytes;
    let mut take = |piece: &[u8], last| {
        let room = FilePiece {
            keeps_records: true,
            ..FilePiece::default()
        };
        let parser = fresh(format);
        let mut reading = ReadPiece::new(Buffer::of(piece), last, parser, room);
        reading.read();
        let _ = sequence.take(reading, &mut |found| {
            sink(found);
            ControlFlow::Continue(())
        });
    };
    for &shown in shown {
        let hidden = bytes.len().saturating_sub(shown);
        let cut = cutter.cut(&rest[..rest.len().saturating_sub(hidden)]);
        if cut > 0 {
            take(&rest[..cut], false);
            rest = &rest[cut..];
        }
    }
    take(rest, true);
}

/// The entries of a file in memory: line, board number, deal. For tests and fuzzing.
///
/// # Panics
///
/// If the format cannot be read.
pub fn read_bytes(bytes: &[u8], format: Format) -> Vec<(u64, Option<u64>, EntryKind)> {
    let mut all = Vec::new();
    read_cut(bytes, format, &[], &mut |found| {
        all.push((found.line, found.board, found.what));
    });
    all
}
