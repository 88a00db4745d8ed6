//! The bytes of an input as they come, cut into pieces by a thread of their own.

use std::io::{self, Cursor, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use memchr::memmem;

use super::line_ends::{self, LineEnds};
use super::{Input, Parser, ReadError, detect, source};
use crate::formats::Format;

/// A piece is sent when it has so many bytes, or when no more are there.
const PIECE: usize = 1 << 20;

/// Room for at least so many bytes is offered to a reader.
const LEAST_READ: usize = 1 << 16;

/// So many bytes, or a line, are waited for before a format is looked for: longer than
/// the records of any format.
const LEAST_HEAD: usize = 256;

/// By so many bytes the format is known, or is not.
const HEAD: usize = 1 << 16;

/// No record of any format is longer.
const LONGEST_RECORD: usize = 64 << 20;

/// What the thread sends.
pub(super) enum Message {
    /// The format, first of all.
    Begin(Format),
    /// The next piece.
    Piece { bytes: Buffer, last: bool },
}

/// Bytes, and room behind them that is used again.
#[derive(Default)]
pub(super) struct Buffer {
    room: Vec<u8>,
    filled: usize,
}

impl Buffer {
    /// A copy of these bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self {
            room: bytes.to_vec(),
            filled: bytes.len(),
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.room[..self.filled]
    }

    /// Reads once, as much as there is; gives how much that was.
    fn fill(&mut self, source: &mut dyn Read) -> io::Result<usize> {
        let wanted = PIECE.max(self.filled + LEAST_READ);
        if self.room.len() < wanted {
            self.room.resize(wanted, 0);
        }
        loop {
            match source.read(&mut self.room[self.filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => {
                    let count = read?;
                    self.filled += count;
                    return Ok(count);
                }
            }
        }
    }

    /// Takes what is after so many bytes to another buffer.
    fn split(&mut self, at: usize, mut rest: Self) -> Self {
        let bytes = &self.bytes()[at..];
        if rest.room.len() < bytes.len() {
            rest.room.resize(PIECE.max(bytes.len()), 0);
        }
        rest.room[..bytes.len()].copy_from_slice(bytes);
        rest.filled = bytes.len();
        self.filled = at;
        rest
    }
}

/// The pieces of an input.
pub(super) struct Stream {
    name: String,
    /// How many pieces may wait.
    ahead: usize,
    pieces: Receiver<Result<Message, ReadError>>,
    spare: Sender<Buffer>,
}

impl Stream {
    /// Begins to read; the thread ends with the input, or when nobody wants more of it.
    pub(super) fn begin(input: Input, format: Option<Format>) -> Result<Self, ReadError> {
        let name = input.name().to_owned();
        let ahead = 2 * rayon::current_num_threads();
        let (sender, pieces) = sync_channel(ahead);
        let (spare, spares) = channel();
        let reader = Reader {
            name: name.clone(),
            format,
            sender,
            spares,
        };
        let spawned = thread::Builder::new()
            .name("reader".to_owned())
            .spawn(move || reader.run(input));
        match spawned {
            Ok(_) => Ok(Self {
                name,
                ahead,
                pieces,
                spare,
            }),
            Err(source) => Err(ReadError::Io { name, source }),
        }
    }

    /// The next message, or that none came in this time.
    pub(super) fn next(
        &self,
        patience: Duration,
    ) -> Result<Result<Message, ReadError>, RecvTimeoutError> {
        self.pieces.recv_timeout(patience)
    }

    /// The messages that are there already, not more than may be kept.
    pub(super) fn waiting(&self) -> impl Iterator<Item = Result<Message, ReadError>> {
        self.pieces.try_iter().take(self.ahead)
    }

    /// Gives back a buffer that is done with.
    pub(super) fn give_back(&self, buffer: Buffer) {
        // Nobody needs it when all has been read.
        let _ = self.spare.send(buffer);
    }

    /// The thread ended before the input did.
    pub(super) fn broken(&self) -> ReadError {
        ReadError::Io {
            name: self.name.clone(),
            source: io::Error::other("reading stopped before the end"),
        }
    }
}

/// Why the thread stops before the end.
enum Stop {
    /// Nobody listens any more.
    Deaf,
    Failed(ReadError),
}

/// The thread's side.
struct Reader {
    name: String,
    format: Option<Format>,
    sender: SyncSender<Result<Message, ReadError>>,
    spares: Receiver<Buffer>,
}

impl Reader {
    fn run(mut self, input: Input) {
        let read = input.read_with(|source| self.read(source));
        if let Err(error) | Ok(Err(Stop::Failed(error))) = read {
            // Nobody may be there to hear it.
            let _ = self.sender.send(Err(error));
        }
    }

    /// Reads to the end.
    fn read(&mut self, source: &mut dyn Read) -> Result<(), Stop> {
        let (buffer, parser) = self.begin(source)?;
        let is_text = self.format.is_some_and(Format::is_text);
        if is_text && memmem::find(buffer.bytes(), line_ends::DOUBLED).is_some() {
            let mut whole = Cursor::new(buffer.bytes()).chain(source);
            let mut source = LineEnds::new(&mut whole);
            return self.pieces(Buffer::default(), &*parser, &mut source);
        }
        self.pieces(buffer, &*parser, source)
    }

    /// Sends piece after piece.
    fn pieces(
        &self,
        mut buffer: Buffer,
        parser: &dyn Parser,
        source: &mut dyn Read,
    ) -> Result<(), Stop> {
        let mut has_ended = false;
        // Bytes sent, and how many to wait for before cutting is tried again.
        let (mut sent, mut wait) = (0, 0);
        loop {
            let length = buffer.bytes().len();
            let cut = match length {
                _ if has_ended => length,
                _ if length < wait => 0,
                _ => parser.cut(buffer.bytes()),
            };
            if cut > 0 || has_ended {
                buffer = self.send(buffer, cut, has_ended)?;
                (sent, wait) = (sent + cut as u64, 0);
            } else if length >= LONGEST_RECORD {
                return Err(self.too_long(sent, length));
            } else if length >= PIECE && length >= wait {
                // A long record is not searched from its beginning for each read.
                wait = length / 2 * 3;
            }
            if has_ended {
                return Ok(());
            }
            has_ended = self.fill(&mut buffer, source)?;
        }
    }

    /// Reads once; gives whether the end was reached.
    fn fill(&self, buffer: &mut Buffer, source: &mut dyn Read) -> Result<bool, Stop> {
        let read = buffer.fill(source);
        let count = read.map_err(|source| {
            let name = self.name.clone();
            Stop::Failed(ReadError::Io { name, source })
        })?;
        Ok(count == 0)
    }

    /// Sends so many bytes; gives those that are left.
    fn send(&self, mut bytes: Buffer, cut: usize, last: bool) -> Result<Buffer, Stop> {
        let rest = bytes.split(cut, self.spares.try_recv().unwrap_or_default());
        let sent = self.sender.send(Ok(Message::Piece { bytes, last }));
        sent.map(|()| rest).map_err(|_| Stop::Deaf)
    }

    /// Reads until the format is known, and says which it is; a mark is taken off.
    fn begin(&mut self, source: &mut dyn Read) -> Result<(Buffer, Box<dyn Parser>), Stop> {
        let mut buffer = Buffer::default();
        loop {
            let is_all = self.fill(&mut buffer, source)? || buffer.bytes().len() >= HEAD;
            let head = &buffer.bytes()[..buffer.bytes().len().min(HEAD)];
            // Of a line that has only begun, nothing can be told.
            if !(is_all || head.len() >= LEAST_HEAD || head.contains(&b'\n')) {
                continue;
            }
            let found = || match detect::of_others(head) {
                None => Format::detect(head),
                Some(_) => None,
            };
            match self.format.or_else(found) {
                Some(format) if !head.is_empty() => {
                    let mark = head.len() - source::without_mark(head, format).len();
                    let begun = buffer.split(mark, Buffer::default());
                    let parser = format.parser().ok_or_else(|| {
                        Stop::Failed(ReadError::OnlyWritten {
                            format: format.name(),
                        })
                    })?;
                    let sent = self.sender.send(Ok(Message::Begin(format)));
                    sent.map_err(|_| Stop::Deaf)?;
                    self.format = Some(format);
                    return Ok((begun, parser));
                }
                _ if is_all || detect::of_others(head).is_some() => return Err(self.unknown(head)),
                _ => {}
            }
        }
    }

    /// Why a beginning is that of no format.
    fn unknown(&self, head: &[u8]) -> Stop {
        let name = self.name.clone();
        Stop::Failed(if head.is_empty() {
            ReadError::Empty { name }
        } else if let Some(what) = detect::of_others(head) {
            ReadError::Other { name, what }
        } else if detect::is_numbers(head) {
            ReadError::Numbers { name }
        } else if head.contains(&0) {
            let what = "binary data, not a file of deals";
            ReadError::Other { name, what }
        } else {
            ReadError::Unknown { name }
        })
    }

    fn too_long(&self, byte: u64, bytes: usize) -> Stop {
        Stop::Failed(ReadError::TooLong {
            name: self.name.clone(),
            format: self.format.map_or("", Format::name),
            byte,
            bytes: bytes as u64,
        })
    }
}
