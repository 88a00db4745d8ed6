//! Programs that this one starts, and what they print.

use std::io::{self, Read, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::printable::printable;

/// Maximum number of bytes that a process can print ahead of the reader.
const MOST_AHEAD: usize = 32 << 20;
/// Number of bytes of standard error that a message quotes, the last ones.
const MOST_QUOTED: usize = 400;
/// Maximum size of a read from a pipe, and its capacity where the system allows it.
const CHUNK: usize = 1 << 20;
/// Time in which the standard error of a process that has ended arrives.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// A process, which is killed when this is dropped.
pub(super) struct Process {
    /// The command as it was given, with the values of the process.
    pub(super) name: String,
    pub(super) pipes: Arc<Pipes>,
    /// Its standard input, if it is sent something.
    pub(super) input: Option<ChildStdin>,
    stall: Duration,
    guard: Guard,
}

/// What a process reads from its standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcessInput {
    Empty,
    Sent,
}

/// Ends the group of a process when this program ends, also by a signal that it cannot handle.
struct Guard(Option<Child>);

impl Guard {
    /// Starts the guard of a process; there is none without a POSIX shell.
    fn of(group: u32) -> Self {
        if !cfg!(unix) {
            return Self(None);
        }
        let mut shell = Command::new("sh");
        // Its input ends with this program.
        shell.args(["-c", "read -r _ || kill -9 \"-$0\""]);
        shell.arg(group.to_string()).stdin(Stdio::piped());
        shell.stdout(Stdio::null()).stderr(Stdio::null());
        own_group(&mut shell);
        Self(shell.spawn().ok())
    }

    /// Ends the guard, and the group too unless its process has ended.
    fn end(&mut self, has_ended: bool) {
        if let Some(mut shell) = self.0.take() {
            let input = shell.stdin.take();
            if let (Some(mut input), true) = (input, has_ended) {
                // It fails if something else has ended the guard.
                let _ = input.write_all(b"\n");
            }
            let _ = shell.wait();
        }
    }
}

/// Words for a process without output for this time.
fn silent(stall: Duration) -> String {
    format!("it has printed nothing for {stall:?}")
}

/// Puts a command into a process group of its own: Ctrl-C in a terminal asks this program alone to
/// stop.
fn own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

impl Process {
    /// Starts the program of these words, which fails after silence of the time `stall`.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub(super) fn start(
        name: &str,
        mut words: impl Iterator<Item = String>,
        input: ProcessInput,
        stall: Duration,
    ) -> Result<Self, Error> {
        let mut program = Command::new(words.next().unwrap_or_default());
        program.args(words).stdin(match input {
            ProcessInput::Empty => Stdio::null(),
            ProcessInput::Sent => Stdio::piped(),
        });
        program.stdout(Stdio::piped()).stderr(Stdio::piped());
        own_group(&mut program);
        let failed = |error: io::Error| {
            let name = printable(name).into_owned();
            Error::input(format!("`{name}` cannot be started: {error}"))
        };
        let mut child = program.spawn().map_err(failed)?;
        let (output, errors) = (child.stdout.take(), child.stderr.take());
        let guard = Guard::of(child.id());
        let pipes = Arc::new(Pipes {
            child: Mutex::new(child),
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let process = Self {
            name: name.to_owned(),
            input: pipes.child().stdin.take(),
            pipes: Arc::clone(&pipes),
            stall,
            guard,
        };
        if let (Some(output), Some(errors)) = (output, errors) {
            // A small pipe works too.
            #[cfg(target_os = "linux")]
            let _ = rustix::pipe::fcntl_setpipe_size(&output, CHUNK);
            drain(&pipes, output, Pipes::printed, |state| {
                state.output_ended = true;
            })
            .and_then(|()| {
                drain(&pipes, errors, Pipes::complained, |state| {
                    state.errors_ended = true;
                })
            })
            .map_err(failed)?;
        }
        Ok(process)
    }

    /// What it prints.
    pub(super) fn output(&self) -> ProcessOutput {
        ProcessOutput {
            pipes: Arc::clone(&self.pipes),
            stall: self.stall,
            bytes: Vec::new(),
            read: 0,
            last_line: LastLine::default(),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.pipes.lock().is_closed = true;
        self.pipes.changed.notify_all();
        let mut child = self.pipes.child();
        let has_ended = matches!(child.try_wait(), Ok(Some(_)));
        self.guard.end(has_ended);
        // It may have ended.
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Reads a pipe to its end in a thread of its own. `take` says whether more bytes are wanted.
fn drain(
    pipes: &Arc<Pipes>,
    mut pipe: impl Read + Send + 'static,
    take: fn(&Pipes, &[u8]) -> bool,
    end: fn(&mut PipeState),
) -> io::Result<()> {
    let pipes = Arc::clone(pipes);
    let drained = thread::Builder::new().spawn(move || {
        let mut chunk = vec![0; CHUNK];
        loop {
            match pipe.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
                Ok(count) if take(&pipes, &chunk[..count]) => {}
                Ok(_) => break,
            }
        }
        end(&mut pipes.lock());
        pipes.changed.notify_all();
    });
    drained.map(drop)
}

/// A process and what it has printed, shared by the threads that read its pipes.
pub(super) struct Pipes {
    child: Mutex<Child>,
    state: Mutex<PipeState>,
    changed: Condvar,
}

#[derive(Default)]
struct PipeState {
    /// Bytes of standard output that are not read yet.
    output: Vec<u8>,
    output_ended: bool,
    /// The last bytes of standard error.
    errors: Vec<u8>,
    errors_ended: bool,
    /// Whether reading has ended.
    is_closed: bool,
}

impl Pipes {
    fn lock(&self) -> MutexGuard<'_, PipeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `is_done`, or for this time. Returns the state, and whether it is done.
    fn wait(
        &self,
        time: Duration,
        is_done: impl Fn(&PipeState) -> bool,
    ) -> (MutexGuard<'_, PipeState>, bool) {
        let waited = self
            .changed
            .wait_timeout_while(self.lock(), time, |state| !is_done(state));
        let (state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        (state, !timeout.timed_out())
    }

    /// Keeps bytes of standard output, as soon as there is room. Returns whether they are wanted.
    fn printed(&self, bytes: &[u8]) -> bool {
        let is_full = |state: &mut PipeState| state.output.len() > MOST_AHEAD && !state.is_closed;
        let waited = self.changed.wait_while(self.lock(), is_full);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        state.output.extend_from_slice(bytes);
        self.changed.notify_all();
        !state.is_closed
    }

    /// Keeps the last bytes of standard error.
    fn complained(&self, bytes: &[u8]) -> bool {
        let mut state = self.lock();
        state.errors.extend_from_slice(bytes);
        let excess = state.errors.len().saturating_sub(MOST_QUOTED);
        state.errors.drain(..excess);
        true
    }

    /// What was printed since the last time, after at most this time; fails if the process has
    /// ended, or has printed nothing since `begun`, for longer than its silence may last.
    pub(super) fn printed_within(
        &self,
        time: Duration,
        (begun, stall): (Instant, Duration),
    ) -> Result<Vec<u8>, String> {
        let is_done = |state: &PipeState| state.output_ended || !state.output.is_empty();
        let (mut state, is_done) = self.wait(time, is_done);
        let output = std::mem::take(&mut state.output);
        drop(state);
        self.changed.notify_all();
        match (is_done, output.is_empty()) {
            (false, _) if begun.elapsed() >= stall => Err(silent(stall)),
            (true, true) => Err(match self.end(stall) {
                Ok(Some(status)) => format!("it ended with {status}"),
                Ok(None) => silent(stall),
                Err(error) => error.to_string(),
            }),
            _ => Ok(output),
        }
    }

    /// The end of the standard error so far, to be quoted; `None` if it is empty.
    pub(super) fn complaint(&self) -> Option<String> {
        let (state, _) = self.wait(LAST_WORDS, |state| state.errors_ended);
        let text = String::from_utf8_lossy(&state.errors);
        let text = text.trim();
        (!text.is_empty()).then(|| format!("its standard error ends with `{text}`"))
    }

    /// The exit status; `None` if the process does not end within this time.
    fn end(&self, time: Duration) -> io::Result<Option<ExitStatus>> {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child().try_wait()? {
                return Ok(Some(status));
            }
            if begun.elapsed() >= time || self.lock().is_closed {
                return Ok(None);
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Standard output of a process. Fails at its end if the process does, or within a line, so that
/// what it printed last is not taken for a board.
pub(super) struct ProcessOutput {
    pipes: Arc<Pipes>,
    stall: Duration,
    bytes: Vec<u8>,
    read: usize,
    last_line: LastLine,
}

/// What is known of the last line of an output.
#[derive(Default)]
struct LastLine {
    /// Number of complete lines.
    before: u64,
    last: Option<u8>,
    is_binary: bool,
}

impl LastLine {
    /// Takes more bytes of the output.
    fn read(&mut self, bytes: &[u8]) {
        // Compressed by gzip, an archive, or records of numbers.
        let is_compressed = self.last.is_none() && bytes.starts_with(&[0x1F, 0x8B]);
        self.is_binary = self.is_binary || is_compressed || bytes.contains(&0);
        self.before += memchr::memchr_iter(b'\n', bytes).count() as u64;
        self.last = bytes.last().copied().or(self.last);
    }

    /// The number of the line that has no end; `None` if the output is complete. JSON and HTML show
    /// their own end, and records without lines have a known length.
    fn incomplete(&self) -> Option<u64> {
        let is_complete = self.is_binary
            || self.before == 0
            || self.last.is_none_or(|last| b"\n}]>".contains(&last));
        (!is_complete).then_some(self.before + 1)
    }
}

impl Read for ProcessOutput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let stall = self.stall;
        let stalled = || Err(io::Error::other(silent(stall)));
        if self.read == self.bytes.len() {
            self.read = 0;
            self.bytes.clear();
            let is_done = |state: &PipeState| state.output_ended || !state.output.is_empty();
            let (mut state, is_done) = self.pipes.wait(stall, is_done);
            if !is_done {
                return stalled();
            }
            std::mem::swap(&mut state.output, &mut self.bytes);
            drop(state);
            self.last_line.read(&self.bytes);
            self.pipes.changed.notify_all();
        }
        if self.bytes.is_empty() {
            return match self.pipes.end(stall)? {
                None => stalled(),
                Some(status) if status.success() => match self.last_line.incomplete() {
                    None => Ok(0),
                    Some(line) => {
                        let message = format!("it ended within line {line}, which has no line end");
                        Err(io::Error::other(message))
                    }
                },
                Some(status) => Err(io::Error::other(format!("it ended with {status}"))),
            };
        }
        let rest = &self.bytes[self.read..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.read += count;
        Ok(count)
    }
}
