//! A program that deals: its processes, with a seed each, and what they print.

use std::collections::VecDeque;
use std::io::{self, Read, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::printable::printable;
use crate::report::CommandIdentity;
use crate::run::Part;

/// Maximum number of bytes that a process can print ahead of the reader.
const MOST_AHEAD: usize = 32 << 20;
/// Number of bytes of standard error that a message quotes, the last ones.
const MOST_QUOTED: usize = 400;
/// Maximum size of a read from a pipe, and its capacity where the system allows it.
const CHUNK: usize = 1 << 20;
/// Time in which the standard error of a process that has ended arrives.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// A program that is started as often as needed, each time with another seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealerCommand {
    /// The command as it was given.
    pub text: String,
    /// The program and its arguments, in which `{seed}` and `{n}` are replaced.
    pub words: Vec<String>,
    /// The number that determines the seeds, below 2^30; by default a fresh one.
    pub seed: Option<u32>,
    /// Number of boards that each process is asked for.
    pub boards: u64,
    /// Time without output after which a process has failed.
    pub stall: Duration,
    /// The part of the audit, if other machines read the other processes.
    pub part: Option<Part>,
}

impl DealerCommand {
    /// Largest number that determines seeds.
    pub const MOST_SEED: u32 = (1 << 30) - 1;
    /// Default number of boards that each process is asked for.
    pub const DEFAULT_BOARDS: u64 = 50_000;

    /// Whether a process can be started again to deal the same boards.
    pub(super) fn is_seeded(&self) -> bool {
        self.words.iter().any(|word| word.contains("{seed}"))
    }

    /// Chooses a fresh number for the seeds, unless there is one.
    pub(super) fn choose_seed(&mut self) -> Result<(), Error> {
        if self.seed.is_none() {
            let mut bytes = [0; 4];
            getrandom::fill(&mut bytes).map_err(|error| Error::io(error.to_string()))?;
            self.seed = Some(u32::from_le_bytes(bytes) & Self::MOST_SEED);
        }
        Ok(())
    }

    pub(super) fn identity(&self) -> CommandIdentity {
        CommandIdentity {
            command: self.text.clone(),
            seed: self.seed.unwrap_or_default(),
            boards: self.boards,
            part: self.part,
        }
    }

    /// The share of these deals that this part tests.
    pub(super) fn share(&self, deals: u64) -> u64 {
        self.part.map_or(deals, |part| part.share(deals))
    }

    /// A text of the command with the values of a process.
    fn filled(&self, text: &str, process: u64) -> String {
        // The parts take turns, so that no two have a process in common.
        let process = match self.part {
            None => process,
            Some(part) => process * part.of() + part.number() - 1,
        };
        let seed = seed_of(self.seed.unwrap_or_default(), process);
        text.replace("{seed}", &seed.to_string())
            .replace("{n}", &self.boards.to_string())
    }
}

/// The seed of a process, from 1 to 2^30, which most programs accept. No two of 2^30 processes have
/// the same, and those of consecutive processes are unrelated.
fn seed_of(first: u32, process: u64) -> u32 {
    const MASK: u32 = DealerCommand::MOST_SEED;
    // Each step is a bijection of 30 bits: a shift that is added, or a product with an odd number.
    let mut mixed = first.wrapping_add(process as u32) & MASK;
    for factor in [0x2C1B_3C6D, 0x297A_2D39] {
        mixed ^= mixed >> 15;
        mixed = mixed.wrapping_mul(factor) & MASK;
    }
    (mixed ^ mixed >> 15) + 1
}

/// The processes of a command, of which some deal ahead of the reader.
pub(super) struct DealerProcesses<'c> {
    command: &'c DealerCommand,
    /// Number of processes that deal at the same time.
    most: usize,
    /// Number of processes that are enough, if all print the boards that they are asked for.
    enough: u64,
    next: u64,
    running: VecDeque<Process>,
}

impl<'c> DealerProcesses<'c> {
    /// The processes from number `next` on, for this number of deals.
    pub(super) fn new(
        command: &'c DealerCommand,
        most: usize,
        deals: Option<u64>,
        next: u64,
    ) -> Self {
        let enough = deals.map_or(u64::MAX, |deals| deals.div_ceil(command.boards));
        Self {
            command,
            most,
            enough,
            next,
            running: VecDeque::new(),
        }
    }

    /// The next process in order.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub(super) fn next(&mut self) -> Result<Process, Error> {
        while self.running.is_empty() || self.running.len() < self.most && self.next < self.enough {
            self.running
                .push_back(Process::start(self.command, self.next)?);
            self.next += 1;
        }
        Ok(self.running.pop_front().expect("one is running"))
    }
}

/// A process, which is killed when this is dropped.
pub(super) struct Process {
    /// Its number, from 0.
    pub(super) number: u64,
    /// The command with the values of the process.
    pub(super) name: String,
    pub(super) pipes: Arc<Pipes>,
    stall: Duration,
    guard: Guard,
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

/// Puts a command into a process group of its own: Ctrl-C in a terminal asks this program alone to
/// stop.
fn own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

impl Process {
    fn start(command: &DealerCommand, number: u64) -> Result<Self, Error> {
        let name = command.filled(&command.text, number);
        let mut words = command
            .words
            .iter()
            .map(|word| command.filled(word, number));
        let mut program = Command::new(words.next().unwrap_or_default());
        program.args(words).stdin(Stdio::null());
        program.stdout(Stdio::piped()).stderr(Stdio::piped());
        own_group(&mut program);
        let failed = |error: io::Error| {
            let name = printable(&name).into_owned();
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
            number,
            name: name.clone(),
            pipes: Arc::clone(&pipes),
            stall: command.stall,
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
        let stalled = || {
            Err(io::Error::other(format!(
                "it has printed nothing for {stall:?}"
            )))
        };
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn processes_have_different_seeds_of_thirty_bits() {
        for first in [0, 5, DealerCommand::MOST_SEED] {
            let seeds: BTreeSet<u32> = (0..10_000).map(|process| seed_of(first, process)).collect();
            assert_eq!(seeds.len(), 10_000);
            assert!(seeds.first() >= Some(&1) && seeds.last() <= Some(&(1 << 30)));
        }
        // Their highest bits differ.
        let high: BTreeSet<u32> = (0..64).map(|process| seed_of(7, process) >> 24).collect();
        assert!(high.len() > 20, "{}", high.len());
    }
}
