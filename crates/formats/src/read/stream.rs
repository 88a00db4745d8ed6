//! The bytes of an input, cut into pieces by a separate thread; on systems without threads, before the
//! first of them is taken.

use std::io::{self, Cursor, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use memchr::memmem;

use super::line_ends::{self, LineEnds};
use super::recoded::Recoded;
use super::utf16::Utf16;
use super::{Input, Parser, ReadError, detect, source};
use crate::Format;
use crate::threads::ARE_SUPPORTED;

/// Size in bytes at which a piece is sent; a shorter one is sent if no more bytes are available.
const PIECE: usize = 1 << 20;

/// Maximum number of waiting pieces without threads: an input of some GiB.
const MOST_PIECES: usize = 1 << 14;

/// Minimum free space in bytes for each read.
const LEAST_READ: usize = 1 << 16;

/// Minimum number of bytes for detecting a format, unless there is a whole line: longer than the
/// records of any format.
const LEAST_HEAD: usize = 256;

/// Maximum length of a record in bytes.
const LONGEST_RECORD: usize = 64 << 20;

/// A message of the thread.
pub(super) enum Message {
    /// The format; always the first message.
    Begin(Format),
    /// The next piece.
    Piece { bytes: Buffer, last: bool },
}

/// Bytes, and space behind them that is reused.
#[derive(Default)]
pub(super) struct Buffer {
    room: Vec<u8>,
    filled: usize,
}

impl Buffer {
    /// A buffer with a copy of these bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self {
            room: bytes.to_vec(),
            filled: bytes.len(),
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.room[..self.filled]
    }

    /// Reads the available bytes once; returns their number.
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

    /// Moves the bytes after the first `at` bytes to another buffer.
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
pub(super) struct PieceStream {
    name: String,
    /// Maximum number of pieces that are taken together.
    ahead: usize,
    pieces: Receiver<Result<Message, ReadError>>,
    spare: Sender<Buffer>,
}

impl PieceStream {
    /// Begins to read. The thread ends with the input, or when the stream is dropped.
    pub(super) fn begin(input: Input, format: Option<Format>) -> Result<Self, ReadError> {
        let name = input.name().to_owned();
        let ahead = 2 * rayon::current_num_threads();
        let waiting = if ARE_SUPPORTED { ahead } else { MOST_PIECES };
        let (sender, pieces) = sync_channel(waiting);
        let (spare, spares) = channel();
        let reader = StreamReader {
            name: name.clone(),
            format,
            sender,
            spares,
        };
        if ARE_SUPPORTED {
            let thread = thread::Builder::new().name("reader".to_owned());
            if let Err(source) = thread.spawn(move || reader.run(input)) {
                return Err(ReadError::Io { name, source });
            }
        } else {
            reader.run(input);
        }
        Ok(Self {
            name,
            ahead,
            pieces,
            spare,
        })
    }

    /// The next message; an error if none arrives within `patience`.
    pub(super) fn next(
        &self,
        patience: Duration,
    ) -> Result<Result<Message, ReadError>, RecvTimeoutError> {
        self.pieces.recv_timeout(patience)
    }

    /// The messages that have already arrived, at most as many as may wait.
    pub(super) fn waiting(&self) -> impl Iterator<Item = Result<Message, ReadError>> {
        self.pieces.try_iter().take(self.ahead)
    }

    /// Returns a processed buffer for reuse.
    pub(super) fn give_back(&self, buffer: Buffer) {
        // The thread may have ended and not need it.
        let _ = self.spare.send(buffer);
    }

    /// The name of the input.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The error of a thread that ended before the input.
    pub(super) fn broken(&self) -> ReadError {
        ReadError::Io {
            name: self.name.clone(),
            source: io::Error::other("reading stopped before the end"),
        }
    }
}

/// The reason why the thread stops early.
enum ThreadStop {
    /// The receiver is gone.
    Deaf,
    Failed(ReadError),
}

/// The state of the thread.
struct StreamReader {
    name: String,
    format: Option<Format>,
    sender: SyncSender<Result<Message, ReadError>>,
    spares: Receiver<Buffer>,
}

impl StreamReader {
    fn run(mut self, input: Input) {
        let read = input.read_with(|source| self.read(source));
        if let Err(error) | Ok(Err(ThreadStop::Failed(error))) = read {
            // The receiver may be gone.
            let _ = self.post(Err(error));
        }
    }

    /// Reads the input to its end; text in UTF-16 is decoded.
    fn read(&mut self, source: &mut dyn Read) -> Result<(), ThreadStop> {
        let mut mark = Vec::new();
        let read = source.take(2).read_to_end(&mut mark);
        read.map_err(|error| self.failed(error))?;
        let is_text = self.format.is_none_or(Format::is_text);
        match mark[..] {
            [0xFF, 0xFE] | [0xFE, 0xFF] if is_text => {
                let utf16 = Utf16::new(mark[0] == 0xFE);
                self.decoded(&mut Recoded::new(source, utf16))
            }
            _ => self.decoded(&mut Cursor::new(mark).chain(source)),
        }
    }

    /// Reads an input that is not in UTF-16.
    fn decoded(&mut self, source: &mut dyn Read) -> Result<(), ThreadStop> {
        let (buffer, parser) = self.begin(source)?;
        let is_text = self.format.is_some_and(Format::is_text);
        if is_text && memmem::find(buffer.bytes(), line_ends::DOUBLED).is_some() {
            let mut whole = Cursor::new(buffer.bytes()).chain(source);
            let mut source = Recoded::new(&mut whole, LineEnds::default());
            return self.pieces(Buffer::default(), &*parser, &mut source);
        }
        self.pieces(buffer, &*parser, source)
    }

    /// Sends the pieces one by one.
    fn pieces(
        &self,
        mut buffer: Buffer,
        parser: &dyn Parser,
        source: &mut dyn Read,
    ) -> Result<(), ThreadStop> {
        let mut has_ended = false;
        // Number of bytes sent, and the length at which the next cut is tried.
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
                // Not after each read: the search begins at the start of a long record each time.
                wait = length / 2 * 3;
            }
            if has_ended {
                return Ok(());
            }
            has_ended = self.fill(&mut buffer, source)?;
        }
    }

    /// Reads once; returns whether the end was reached.
    fn fill(&self, buffer: &mut Buffer, source: &mut dyn Read) -> Result<bool, ThreadStop> {
        let read = buffer.fill(source);
        let count = read.map_err(|error| self.failed(error))?;
        Ok(count == 0)
    }

    fn failed(&self, source: io::Error) -> ThreadStop {
        let name = self.name.clone();
        ThreadStop::Failed(ReadError::Io { name, source })
    }

    /// Sends a message. With threads, waits while too many are waiting.
    fn post(&self, message: Result<Message, ReadError>) -> Result<(), ThreadStop> {
        if ARE_SUPPORTED {
            let sent = self.sender.send(message);
            return sent.map_err(|_| ThreadStop::Deaf);
        }
        let sent = self.sender.try_send(message);
        sent.map_err(|_| self.failed(io::ErrorKind::FileTooLarge.into()))
    }

    /// Sends the first `cut` bytes; returns the rest.
    fn send(&self, mut bytes: Buffer, cut: usize, last: bool) -> Result<Buffer, ThreadStop> {
        let rest = bytes.split(cut, self.spares.try_recv().unwrap_or_default());
        self.post(Ok(Message::Piece { bytes, last })).map(|()| rest)
    }

    /// Reads until the format is known, and sends it. Returns the bytes so far without a byte order
    /// mark, and a parser.
    fn begin(&mut self, source: &mut dyn Read) -> Result<(Buffer, Box<dyn Parser>), ThreadStop> {
        let mut buffer = Buffer::default();
        loop {
            let has_ended = self.fill(&mut buffer, source)?;
            let most = detect::most(buffer.bytes());
            let is_all = has_ended || buffer.bytes().len() >= most;
            let head = &buffer.bytes()[..buffer.bytes().len().min(most)];
            // An incomplete line is not enough to detect the format.
            if !(is_all || head.len() >= LEAST_HEAD || head.contains(&b'\n')) {
                continue;
            }
            if let Some(program) = detect::compressor(head) {
                let name = self.name.clone();
                return Err(ThreadStop::Failed(ReadError::Compressed { name, program }));
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
                        ThreadStop::Failed(ReadError::OnlyWritten {
                            format: format.name(),
                        })
                    })?;
                    self.post(Ok(Message::Begin(format)))?;
                    self.format = Some(format);
                    return Ok((begun, parser));
                }
                _ if is_all || detect::of_others(head).is_some() => return Err(self.unknown(head)),
                _ => {}
            }
        }
    }

    /// The error of a file whose format is not recognised.
    fn unknown(&self, head: &[u8]) -> ThreadStop {
        let name = self.name.clone();
        ThreadStop::Failed(if head.is_empty() {
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

    fn too_long(&self, byte: u64, bytes: usize) -> ThreadStop {
        ThreadStop::Failed(ReadError::TooLong {
            name: self.name.clone(),
            format: self.format.map_or("", Format::name),
            byte,
            bytes: bytes as u64,
        })
    }
}
