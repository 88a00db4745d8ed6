//! Reads an input to its end: pieces in parallel, what they hold in order.

use std::iter;
use std::ops::ControlFlow;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use rayon::prelude::*;

use super::event::Running;
use super::stream::{Buffer, Message, Stream};
use super::{EventName, Input, Parser, Piece, ReadError, What};
use crate::bridge::Seat;
use crate::formats::Format;

/// How long nothing may come before who watches is asked again.
const PATIENCE: Duration = Duration::from_millis(50);

/// What stands at a place of an input.
#[derive(Clone, Debug)]
pub struct Found<'r> {
    /// The line, or the record of a file without lines, from 1.
    pub line: u64,
    /// The number of the board, where the file tells.
    pub board: Option<u64>,
    /// Who deals, where the file tells.
    pub dealer: Option<Seat>,
    /// The event that it is from.
    pub event: &'r EventName,
    /// The deal, or why there is none.
    pub what: What,
}

/// How an input was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// The format that it is in; nothing if somebody broke off before it was known.
    pub format: Option<Format>,
    /// How many bytes were gone through, decompressed.
    pub bytes: u64,
    /// Whether that was all, and nobody broke off.
    pub is_whole: bool,
}

/// Reads an input to its end, and gives all that it holds to `sink`, in order.
///
/// Pieces are read in parallel on the current pool of threads. `watch` is told how many
/// bytes are done, after each group of pieces and several times a second if nothing
/// comes. Either may break off: what was not given yet is left.
///
/// # Errors
///
/// [`ReadError`]; what came before it has been given.
pub fn read(
    input: Input,
    format: Option<Format>,
    sink: &mut dyn FnMut(Found<'_>) -> ControlFlow<()>,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Read, ReadError> {
    let mut reader = Reader {
        stream: Stream::begin(input, format)?,
        sequence: None,
        group: Vec::new(),
        rooms: Vec::new(),
        done: 0,
        is_whole: false,
    };
    loop {
        let flow = match reader.stream.next(PATIENCE) {
            Ok(message) => {
                let gathered = reader.gather(message);
                let flow = reader.go_through(sink);
                if flow.is_continue() {
                    gathered?;
                }
                flow
            }
            Err(RecvTimeoutError::Timeout) => ControlFlow::Continue(()),
            Err(RecvTimeoutError::Disconnected) => return Err(reader.stream.broken()),
        };
        if watch(reader.done).is_break() || flow.is_break() {
            return Ok(Read {
                format: reader.sequence.map(|sequence| sequence.format),
                bytes: reader.done,
                is_whole: reader.is_whole,
            });
        }
    }
}

/// Pieces as they come, group after group.
struct Reader {
    stream: Stream,
    /// When the format is known.
    sequence: Option<Sequence>,
    /// Pieces that came together.
    group: Vec<Reading>,
    /// Pieces gone through, whose room is used again.
    rooms: Vec<Piece>,
    /// Bytes gone through.
    done: u64,
    is_whole: bool,
}

impl Reader {
    /// Takes a message and those that wait already; an error that is among them comes
    /// after the pieces.
    fn gather(&mut self, message: Result<Message, ReadError>) -> Result<(), ReadError> {
        for message in iter::once(message).chain(self.stream.waiting()) {
            match message? {
                Message::Begin(format) => self.sequence = Some(Sequence::new(format)),
                Message::Piece { bytes, last } => {
                    let room = self.rooms.pop().unwrap_or_default();
                    if let Some(sequence) = &self.sequence {
                        let parser = sequence.parser.fresh();
                        self.group.push(Reading::new(bytes, last, parser, room));
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads the group in parallel, and gives what it holds in order; breaks at the end.
    fn go_through(
        &mut self,
        sink: &mut dyn FnMut(Found<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.group.par_iter_mut().for_each(Reading::read);
        let Some(sequence) = &mut self.sequence else {
            return ControlFlow::Continue(());
        };
        for reading in self.group.drain(..) {
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

/// A piece, and what it holds if it begins afresh.
struct Reading {
    bytes: Buffer,
    last: bool,
    parser: Box<dyn Parser>,
    piece: Piece,
}

impl Reading {
    fn new(bytes: Buffer, last: bool, parser: Box<dyn Parser>, piece: Piece) -> Self {
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

/// The pieces of a file in their order.
struct Sequence {
    format: Format,
    /// As it is after the pieces so far.
    parser: Box<dyn Parser>,
    /// Places in the pieces so far.
    places: u64,
    events: Running,
}

impl Sequence {
    fn new(format: Format) -> Self {
        Self {
            format,
            parser: format.parser().expect("a format that is read"),
            places: 0,
            events: Running::default(),
        }
    }

    /// Takes the next piece, read again if it does not begin afresh; gives back the room.
    fn take(
        &mut self,
        mut reading: Reading,
        sink: &mut dyn FnMut(Found<'_>) -> ControlFlow<()>,
    ) -> (Buffer, Piece, ControlFlow<()>) {
        if self.parser.is_fresh() && !reading.piece.depends {
            self.parser = reading.parser;
        } else {
            reading.parser = std::mem::replace(&mut self.parser, reading.parser);
            reading.read();
            self.parser = reading.parser;
        }
        let mut piece = reading.piece;
        let mut entries = std::mem::take(&mut piece.entries);
        let mut flow = ControlFlow::Continue(());
        for entry in entries.drain(..) {
            let found = Found {
                line: self.places.wrapping_add(entry.place).wrapping_add(1),
                board: entry.board,
                dealer: entry.dealer,
                event: self.events.name(&piece, entry.event),
                what: entry.what,
            };
            flow = sink(found);
            if flow.is_break() {
                break;
            }
        }
        piece.entries = entries;
        self.events.end(&piece);
        self.places += piece.places;
        (reading.bytes, piece, flow)
    }
}

/// Reads a file from memory, of which so many bytes are shown one time after the other,
/// and pieces cut where the format says; for tests and fuzzing.
///
/// # Panics
///
/// If the format is only written.
pub fn read_cut(bytes: &[u8], format: Format, shown: &[usize], sink: &mut dyn FnMut(Found<'_>)) {
    let bytes = super::source::without_mark(bytes, format);
    let mut sequence = Sequence::new(format);
    let cutter = sequence.parser.fresh();
    let mut rest = bytes;
    let mut take = |piece: &[u8], last| {
        let fresh = sequence.parser.fresh();
        let mut reading = Reading::new(Buffer::of(piece), last, fresh, Piece::default());
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

/// What a file in memory holds: lines, boards, deals; for tests and fuzzing.
///
/// # Panics
///
/// If the format is only written.
#[must_use]
pub fn read_bytes(bytes: &[u8], format: Format) -> Vec<(u64, Option<u64>, What)> {
    let mut all = Vec::new();
    read_cut(bytes, format, &[], &mut |found| {
        all.push((found.line, found.board, found.what));
    });
    all
}
