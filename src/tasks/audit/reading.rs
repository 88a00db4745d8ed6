//! Reads the files of an audit, and counts and tests their deals.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::super::input_files::{break_if, failure_of, open_as};
use super::super::process::Pipes;
use super::command::{DealerCommand, DealerProcesses};
use super::deals_hash::DealsHash;
use super::planning::{self, BoardsBefore};
use super::saving::{SavedAudit, Saving};
use super::state::{NO_FORMAT, ReadFile, ReadState, ReadingPlace};
use super::{AuditRequest, Audited, seed_search};
use crate::audit::{AuditTests, Auditor, BoardCounts, UntestedReason};
use crate::battery::{Level, Verdict};
use crate::bridge::Deal;
use crate::error::{Error, Remedy};
use crate::formats::read::{self, BoardDetails, EntryKind, EventName, InputEntry, ReadError};
use crate::observer::{Observer, Stage, StageProgress};
use crate::printable::{display_path, printable, thousands};
use crate::report::{SourceRecord, Stopped};
use crate::run::Durability;
use crate::tally::Depth;
use crate::threads::ARE_SUPPORTED;

/// Interval between checks for a stop request while a pipe is silent.
const PATIENCE: Duration = Duration::from_millis(50);

/// Maximum number of processes that are listed one by one; later ones are listed together.
const MOST_PROCESSES: usize = 10_000;

/// Everything that was read, and the results.
pub(super) struct ReadInputs<'d> {
    pub(super) state: ReadState,
    /// Counts and tests; `None` without a deal.
    pub(super) tested: Option<AuditTests<'d>>,
    /// Whether there are exact tables.
    pub(super) has_theory: bool,
    /// Depth of the tests.
    pub(super) depth: Depth,
    pub(super) stop: Option<ReadingStop>,
    /// The first file that could not be read completely.
    pub(super) unread: Option<Error>,
}

/// How an input begins in an audit that goes on from a checkpoint.
enum InputStart {
    /// It was not read before.
    New,
    /// This number of entries is counted already.
    After(u64),
    /// All of it is counted already.
    Done,
}

/// Why reading stopped before the end.
pub(super) enum ReadingStop {
    /// A board is not a legal deal, and `--strict` was given.
    Strict(String),
    /// Enough deals are tested, or a process printed something that is not a deal.
    Enough,
    /// The audit is reported, and may be continued.
    Stopped(Stopped),
}

/// Reads all files.
///
/// With `saving`, checkpoints are saved; `saved` is the state of the one to go on from.
pub(super) fn read<'d>(
    request: &AuditRequest,
    audited: &'d Audited<'d>,
    saving: Option<&mut Saving>,
    saved: Option<SavedAudit>,
    observer: &dyn Observer,
) -> Result<ReadInputs<'d>, Error> {
    observer.allow_stop()?;
    let sizes = request.files.iter().map(std::fs::metadata);
    let bytes = sizes.map(|found| found.ok().map(|found| found.len()));
    let bytes = bytes
        .sum::<Option<u64>>()
        .filter(|_| request.command.is_none());
    let mut reader = BoardReceiver::new(request, audited, bytes, observer);
    reader.saving = saving;
    reader.resume(saved)?;
    reader.all()?;
    let BoardReceiver { read, .. } = reader;
    Ok(read)
}

/// Counts and tests deals that are given one by one, each as a separate board.
///
/// Workers are taken for each batch alone, because `deals` may use some too.
pub(super) fn read_deals<'d>(
    request: &AuditRequest,
    audited: &'d Audited<'d>,
    deals: impl IntoIterator<Item = Deal>,
    observer: &dyn Observer,
) -> Result<ReadInputs<'d>, Error> {
    let mut reader = BoardReceiver::new(request, audited, None, observer);
    reader.read.state.auditor.intake.begin();
    reader
        .read
        .state
        .files
        .push(ReadFile::new("memory", "deals"));
    let event = EventName::default();
    for (line, deal) in (1..).zip(deals) {
        let is_whole = reader.read.state.auditor.take(&InputEntry {
            line,
            board: Some(line),
            dealer: None,
            tricks: None,
            details: BoardDetails::default(),
            record: None,
            event: &event,
            what: EntryKind::Deal(deal),
        });
        if is_whole {
            request.battery.workers()?.install(|| reader.count(false))?;
        }
    }
    request.battery.workers()?.install(|| reader.end())?;
    if reader.read.state.auditor.deals() == 0 {
        return Err(Error::input("there are no deals to test"));
    }
    let BoardReceiver { read, .. } = reader;
    Ok(read)
}

/// Runs `work`; returns `None` if a stop was requested before it finished.
///
/// Opening a pipe, or reading the bytes that show whether it is an archive, may block for ever, and
/// unpacking an archive may take long. So the work runs in a thread of its own, and this function
/// waits for the thread and for a stop request.
fn unless_stopped(
    name: &str,
    work: impl FnOnce() -> Result<Vec<read::Input>, ReadError> + Send + 'static,
    is_stopped: impl Fn() -> bool,
) -> Option<Result<Vec<read::Input>, ReadError>> {
    if !ARE_SUPPORTED {
        return Some(work());
    }
    let (sender, opened) = mpsc::sync_channel(1);
    let spawned = thread::Builder::new().spawn(move || {
        // The receiver is gone if a stop was requested.
        let _ = sender.send(work());
    });
    let failed = |source| {
        let name = name.to_owned();
        Some(Err(ReadError::Io { name, source }))
    };
    if let Err(source) = spawned {
        return failed(source);
    }
    loop {
        match opened.recv_timeout(PATIENCE) {
            Ok(inputs) => return Some(inputs),
            Err(RecvTimeoutError::Timeout) if !is_stopped() => {}
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => {
                return failed(io::Error::other("reading stopped before the end"));
            }
        }
    }
}

/// A file to read.
struct ReadPath {
    path: PathBuf,
    /// Its name in the report, if not its path.
    label: Option<String>,
    /// Whether it is from a named folder.
    in_folder: bool,
}

impl ReadPath {
    /// Whether it can be read only once, such as a pipe.
    fn is_stream(&self) -> bool {
        self.path.as_os_str() == "-" || fs::metadata(&self.path).is_ok_and(|found| !found.is_file())
    }
}

/// Receives boards as they are found.
struct BoardReceiver<'a, 'd> {
    request: &'a AuditRequest,
    audited: &'d Audited<'d>,
    observer: &'a dyn Observer,
    stage: Arc<dyn StageProgress>,
    /// Bytes of the earlier files.
    bytes: u64,
    read: ReadInputs<'d>,
    saving: Option<&'a mut Saving>,
    /// No board is read after this time.
    deadline: Option<Instant>,
    /// Number of the path, and of its next input.
    next: (u64, u64),
    /// The place up to which the audit had read before it was resumed.
    earlier: Option<ReadingPlace>,
    /// Number of entries of the current input that are still to be left out.
    skipped: u64,
    /// Hash of the deals of the current input.
    deals_hash: DealsHash,
    /// The pipes of the current process.
    pipes: Option<Arc<Pipes>>,
    /// Why the boards read cannot be tested.
    failure: Option<Error>,
}

impl<'a, 'd> BoardReceiver<'a, 'd> {
    /// A reader before its first file; `bytes` is the total size, if it is known.
    fn new(
        request: &'a AuditRequest,
        audited: &'d Audited<'d>,
        bytes: Option<u64>,
        observer: &'a dyn Observer,
    ) -> Self {
        let auditor = Auditor::new(request.session, request.events);
        Self {
            request,
            audited,
            observer,
            stage: observer.stage(Stage::Read, bytes).into(),
            bytes: 0,
            failure: None,
            saving: None,
            deadline: (request.time).and_then(|time| Instant::now().checked_add(time)),
            next: (0, 0),
            earlier: None,
            skipped: 0,
            deals_hash: DealsHash::default(),
            pipes: None,
            read: ReadInputs {
                state: ReadState {
                    auditor: match request.part() {
                        None => auditor,
                        Some(part) => auditor.of_part(part),
                    },
                    ..ReadState::default()
                },
                tested: None,
                has_theory: audited.population().is_some(),
                depth: request.battery.depth(),
                stop: None,
                unread: None,
            },
        }
    }

    /// Goes on from a saved state.
    fn resume(&mut self, saved: Option<SavedAudit>) -> Result<(), Error> {
        let Some((mut state, tests)) = saved else {
            return Ok(());
        };
        if self.request.command.is_some() {
            // The process that failed is started again.
            state.unread = None;
        }
        self.earlier = Some(state.place.clone());
        self.read.unread = state.unread.clone().map(Error::input);
        self.read.state = state;
        if let Some(tests) = tests {
            self.plan(None, 0)?;
            let planned = self.read.tested.take();
            let resumed = planned.and_then(|planned| planned.resumed(tests));
            let other = || Error::input("the checkpoint cannot be resumed: it has different tests");
            self.read.tested = Some(resumed.ok_or_else(other)?);
        }
        Ok(())
    }

    /// Why to stop now, if a condition holds.
    fn stopped(&self) -> Option<ReadingStop> {
        Stopped::now(self.observer, self.deadline).map(ReadingStop::Stopped)
    }

    /// Runs `work` as [`unless_stopped`]; without a result, the reading is stopped.
    fn unless_stopped(
        &mut self,
        name: &str,
        work: impl FnOnce() -> Result<Vec<read::Input>, ReadError> + Send + 'static,
    ) -> Option<Result<Vec<read::Input>, ReadError>> {
        let done = unless_stopped(name, work, || self.stopped().is_some());
        if done.is_none() {
            self.read.stop = self.stopped();
        }
        done
    }

    /// Reads all files or processes, then tests the last batch.
    fn all(&mut self) -> Result<(), Error> {
        match &self.request.command {
            Some(command) => self.processes(command)?,
            None => self.files()?,
        }
        if matches!(self.read.stop, Some(ReadingStop::Strict(_))) {
            return Ok(());
        }
        // `merge` reads the checkpoints of parts.
        if self.read.can_go_on(self.request) || self.request.part().is_some() {
            self.save()?;
        }
        self.end()?;
        let counts = self.read.state.auditor.intake.counts.iter();
        match self.read.unread.take() {
            // There is nothing else to report.
            Some(failure) if counts.map(|counts| counts.read).sum::<u64>() == 0 => Err(failure),
            None if self.read.total().read == 0 && self.read.stop.is_none() => {
                let names = match self.read.names() {
                    // Folders without files.
                    none if none.is_empty() => self
                        .request
                        .files
                        .iter()
                        .map(|path| display_path(path))
                        .collect(),
                    names => names,
                };
                Err(Error::input(format!(
                    "{}: no deals found",
                    first_names(&names)
                )))
            }
            unread => {
                self.read.unread = unread;
                Ok(())
            }
        }
    }

    fn files(&mut self) -> Result<(), Error> {
        for (number, file) in (0..).zip(self.paths()?) {
            let earlier = self.earlier.as_ref();
            if earlier.is_some_and(|earlier| number < earlier.path) {
                continue;
            }
            if file.is_stream() {
                // What it gave is counted, and it goes on.
                self.earlier = None;
            }
            self.next = (number, 0);
            let ReadPath {
                path,
                label,
                in_folder,
            } = file;
            let shown = label.clone();
            let name = shown.unwrap_or_else(|| path.to_string_lossy().into_owned());
            match self.unless_stopped(&name, move || open_as(&path, label)) {
                None => {}
                Some(Err(error)) => self.cannot_read(error, !in_folder)?,
                Some(Ok(inputs)) => self.inputs(inputs, in_folder)?,
            }
            if self.read.stop.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Reads the inputs of a file or a process.
    fn inputs(&mut self, inputs: Vec<read::Input>, in_folder: bool) -> Result<(), Error> {
        let is_alone = !in_folder && inputs.len() == 1;
        for input in inputs {
            self.unpacked(input, in_folder, is_alone)?;
            if self.read.stop.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Reads what the processes of a command print, in the order of their numbers, until enough
    /// deals are tested or one fails.
    fn processes(&mut self, command: &DealerCommand) -> Result<(), Error> {
        let first = match &self.earlier {
            None => 0,
            // Without its seed, a process cannot be started again.
            Some(earlier) if earlier.entries.is_none() || !command.is_seeded() => earlier.path + 1,
            Some(earlier) => earlier.path,
        };
        let workers = self.request.battery.threads().get();
        let mut processes = DealerProcesses::new(command, workers, self.request.share(), first);
        while self.read.stop.is_none() && self.read.unread.is_none() && !self.is_enough() {
            let (number, process) = match processes.next() {
                Ok(next) => next,
                Err(failure) => return self.failed(failure, true),
            };
            self.next = (number, 0);
            self.pipes = Some(Arc::clone(&process.pipes));
            let (name, output) = (process.name.clone(), process.output());
            let open = move || read::Input::of_reader(&name, output);
            match self.unless_stopped(&process.name, open) {
                None => {}
                Some(Err(error)) => self.cannot_read(error, true)?,
                Some(Ok(inputs)) => self.inputs(inputs, false)?,
            }
            if self.read.total().read == 0 && self.read.stop.is_none() {
                let name = printable(&process.name);
                let failure = Error::input(format!("`{name}` prints no deals"));
                return self.failed(failure, true);
            }
            let files = &self.read.state.files;
            if let (Some(before), Some(now)) = (files.first(), files.last())
                && ![NO_FORMAT, &*before.format].contains(&&*now.format)
            {
                let (before, now, name) = (&before.format, &now.format, printable(&process.name));
                let message = format!("`{name}` prints {now}; earlier processes print {before}");
                self.failed(Error::input(message), false)?;
            }
        }
        Ok(())
    }

    /// Whether the deals that were asked for are tested.
    fn is_enough(&self) -> bool {
        let deals = self.request.share();
        deals.is_some_and(|deals| self.read.state.auditor.deals() >= deals)
    }

    /// Ends the last input, and tests the last batches.
    fn end(&mut self) -> Result<(), Error> {
        self.read.state.auditor.intake.end();
        while self.read.state.auditor.collect() {
            self.count(false)?;
        }
        match self.read.state.auditor.deals() {
            0 => Ok(()),
            _ => self.count(true),
        }
    }

    /// The named files and the files of named folders, each once.
    fn paths(&self) -> Result<Vec<ReadPath>, Error> {
        let mut paths = Vec::new();
        for (place, path) in self.request.files.iter().enumerate() {
            if path.is_dir() {
                let files = files_in(path);
                paths.extend(files?.into_iter().map(|path| ReadPath {
                    path,
                    label: None,
                    in_folder: true,
                }));
            } else {
                paths.push(ReadPath {
                    path: path.clone(),
                    label: self.request.labels.get(place).cloned(),
                    in_folder: false,
                });
            }
        }
        let mut seen = BTreeSet::new();
        let mut again = 0;
        paths.retain(|ReadPath { path, .. }| {
            // Standard input and missing files have no canonical path.
            let first = fs::canonicalize(path).map_or(true, |path| seen.insert(path));
            again += usize::from(!first);
            first
        });
        if again > 0 {
            self.observer.note(&format!(
                "repeated file names skipped: {again}; each file is read once"
            ));
        }
        Ok(paths)
    }

    /// Reads an input; for an archive within an archive, reads the files in it.
    fn unpacked(
        &mut self,
        input: read::Input,
        in_folder: bool,
        is_alone: bool,
    ) -> Result<(), Error> {
        if !input.is_in_archive() {
            return self.one(input, in_folder, is_alone);
        }
        let name = input.name().to_owned();
        match self.unless_stopped(&name, move || input.unpack()) {
            None => {}
            Some(Ok(inputs)) => {
                let is_alone = is_alone && inputs.len() == 1;
                for input in inputs {
                    self.one(input, in_folder, is_alone)?;
                    if self.read.stop.is_some() {
                        break;
                    }
                }
            }
            Some(Err(error)) => {
                if matches!(self.start(), InputStart::New) {
                    self.begin(&name);
                    self.read.state.place.entries = None;
                    self.cannot_read(error, is_alone)?;
                }
            }
        }
        Ok(())
    }

    /// How the next input begins.
    fn start(&mut self) -> InputStart {
        let (path, input) = self.next;
        self.next.1 += 1;
        let Some(earlier) = &self.earlier else {
            return InputStart::New;
        };
        match (
            (path, input).cmp(&(earlier.path, earlier.input)),
            earlier.entries,
        ) {
            (Ordering::Less, _) | (Ordering::Equal, None) => InputStart::Done,
            (Ordering::Equal, Some(entries)) => InputStart::After(entries),
            (Ordering::Greater, _) => InputStart::New,
        }
    }

    /// Begins the input that was started last, under this name.
    fn begin(&mut self, name: &str) {
        let state = &mut self.read.state;
        state.auditor.intake.begin();
        state.files.push(ReadFile::new(name, NO_FORMAT));
        let (path, next) = self.next;
        state.place = ReadingPlace {
            path,
            input: next - 1,
            entries: Some(0),
            hash: [0; 32],
        };
    }

    /// Saves a checkpoint.
    fn save(&mut self) -> Result<(), Error> {
        let ReadInputs {
            state,
            tested,
            stop,
            ..
        } = &mut self.read;
        let Some(saving) = &mut self.saving else {
            return Ok(());
        };
        if self.skipped == 0 {
            state.place.hash = *self.deals_hash.value().as_bytes();
        }
        // A stop request must end the program at once.
        let durability = match stop {
            Some(ReadingStop::Stopped(Stopped::Interrupted)) => Durability::Unsynced,
            _ => Durability::Synced,
        };
        saving.save(state, tested.as_ref(), durability)
    }

    /// Reads one input.
    ///
    /// A file in a folder or an archive is skipped if it contains no deals.
    fn one(&mut self, input: read::Input, in_folder: bool, is_alone: bool) -> Result<(), Error> {
        let is_among_others = in_folder || input.is_in_archive();
        self.deals_hash.clear();
        self.skipped = match self.start() {
            InputStart::Done => return Ok(()),
            InputStart::After(entries) => {
                let earlier = self.read.state.files.last();
                if earlier.is_some_and(|earlier| earlier.name != input.name()) {
                    self.differs();
                }
                entries
            }
            InputStart::New => {
                self.begin(input.name());
                0
            }
        };
        tracing::debug!(target: "audit", file = input.name(), "file opened");
        let (format, before, mut reached) = (self.request.format, self.bytes, 0);
        let found = {
            let this = RefCell::new(&mut *self);
            let take = &mut |found: InputEntry<'_>| this.borrow_mut().take(&found);
            read::read(input, format, take, &mut |bytes| {
                reached = bytes;
                this.borrow_mut().watch(before + bytes)
            })
        };
        self.bytes += reached;
        if found.is_ok() && self.skipped > 0 && self.read.stop.is_none() {
            self.differs();
        }
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        if self.read.stop.is_none() {
            self.read.stop = self.stopped();
        }
        if let Some(file) = self.read.state.files.last_mut() {
            file.hash = self.deals_hash.value().to_string();
        }
        if self.read.stop.is_none() && (found.is_ok() || self.pipes.is_none()) {
            self.read.state.place.entries = None;
        }
        let format = match &found {
            Ok(done) => done.format,
            Err(ReadError::Changed { from, .. }) => Some(*from),
            Err(_) => None,
        };
        if let (Some(file), Some(format)) = (self.read.state.files.last_mut(), format) {
            format.name().clone_into(&mut file.format);
        }
        match found {
            Ok(_) => {
                self.log_file();
                if is_among_others && self.read.state.auditor.intake.leave_out_without_deals() {
                    self.leave_out();
                }
                Ok(())
            }
            // Files of numbers need a scheme, which cannot be named for one file of many.
            Err(error @ (ReadError::Numbers { .. } | ReadError::Compressed { .. }))
                if is_among_others =>
            {
                if let Some(remedy) = error.remedy() {
                    self.observer.advise(&error.to_string(), &remedy);
                }
                self.leave_out();
                Ok(())
            }
            // Archives contain other files too; sources.csv records that they have no deals.
            Err(ReadError::Unknown { .. } | ReadError::Empty { .. } | ReadError::Other { .. })
                if is_among_others =>
            {
                self.leave_out();
                Ok(())
            }
            Err(error) => self.cannot_read(error, is_alone),
        }
    }

    /// Records that the last file has no deals.
    fn leave_out(&mut self) {
        if let Some(file) = self.read.state.files.last_mut() {
            NO_FORMAT.clone_into(&mut file.format);
            self.read.state.left_out.push(file.name.clone());
        }
    }

    /// Logs the result of the last file.
    fn log_file(&self) {
        let counts = self.read.state.auditor.intake.counts.last();
        if let (Some(file), Some(counts)) = (self.read.state.files.last(), counts) {
            let (boards, invalid) = (counts.read, counts.invalid);
            let (file, format) = (&*file.name, &*file.format);
            tracing::info!(target: "audit", file, format, boards, invalid, "file read");
        }
    }

    /// Records a file or a process that cannot be read.
    fn cannot_read(&mut self, error: ReadError, is_alone: bool) -> Result<(), Error> {
        if self.read.stop.is_some() {
            // Its process was ended.
            return Ok(());
        }
        self.failed(failure_of(error), is_alone)
    }

    /// Records the failure of an input; fails if it is the only one, or with `--strict`.
    fn failed(&mut self, failure: Error, is_alone: bool) -> Result<(), Error> {
        let failure = self.with_complaint(failure);
        let is_one = self.request.files.len() == 1 || self.request.command.is_some();
        let is_all = is_alone && is_one && self.read.total().read == 0;
        if self.request.strict || is_all {
            return Err(failure);
        }
        self.observer.problem(&failure);
        self.read
            .state
            .unread
            .get_or_insert_with(|| failure.to_string());
        self.read.unread.get_or_insert(failure);
        Ok(())
    }

    /// Adds what the current process wrote to standard error.
    fn with_complaint(&self, failure: Error) -> Error {
        match self.pipes.as_ref().and_then(|pipes| pipes.complaint()) {
            Some(complaint) => failure.with_advice(&complaint),
            None => failure,
        }
    }

    /// Saves a checkpoint if one is due, and breaks if reading must stop. All entries that were
    /// passed on so far are counted.
    fn watch(&mut self, bytes: u64) -> ControlFlow<()> {
        self.stage.reached(bytes, None);
        if self.read.stop.is_none() {
            self.read.stop = self.stopped();
        }
        let is_due = self.saving.as_ref().is_some_and(|saving| saving.is_due());
        if self.read.stop.is_none() && is_due && self.skipped == 0 {
            self.failure = self.failure.take().or(self.save().err());
        }
        break_if(self.read.stop.is_some() || self.failure.is_some())
    }

    /// Leaves out an entry that is counted already. Breaks if the input is not the one of which
    /// they were counted.
    fn skip(&mut self) -> ControlFlow<()> {
        self.skipped -= 1;
        let hash = self.earlier.as_ref().map(|earlier| earlier.hash);
        if self.skipped == 0 && hash != Some(*self.deals_hash.value().as_bytes()) {
            self.differs();
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// The current input is not the one that was read before the audit was resumed.
    fn differs(&mut self) {
        let name = self.read.state.files.last().map_or("", |file| &file.name);
        let name = printable(name);
        self.skipped = 0;
        if self.pipes.is_some() {
            self.observer.warn(&format!(
                "`{name}` does not print the boards that it printed before the interruption: they \
                 stay counted, and the audit goes on with the next process"
            ));
            return;
        }
        let modified = Error::input(format!("{name} was modified since the checkpoint"));
        self.failure = Some(modified.with_remedy(Remedy::StartAgain));
    }

    fn take(&mut self, found: &InputEntry<'_>) -> ControlFlow<()> {
        if let EntryKind::Deal(deal) = &found.what {
            self.deals_hash.add(deal);
        }
        if self.skipped > 0 {
            return self.skip();
        }
        if self.request.strict
            && let EntryKind::Invalid(fault) = &found.what
        {
            let name = self.read.state.files.last().map_or("", |file| &file.name);
            let stop = format!("{name}:{}: {fault}", found.line);
            let stop = printable(&stop).into_owned();
            self.read.stop = Some(ReadingStop::Strict(stop));
            return ControlFlow::Break(());
        }
        if let Some(entries) = &mut self.read.state.place.entries {
            *entries += 1;
        }
        if self.read.state.auditor.take(found)
            && let Err(failure) = self.count(false)
        {
            self.failure = Some(failure);
            return ControlFlow::Break(());
        }
        if let (Some(_), EntryKind::Invalid(fault) | EntryKind::Incomplete(fault)) =
            (&self.pipes, &found.what)
        {
            let name = self.read.state.files.last().map_or("", |file| &file.name);
            let failure = Error::input(format!("line {} of `{name}`: {fault}", found.line));
            let failure = self.with_complaint(failure);
            self.observer.problem(&failure);
            self.read.stop = Some(ReadingStop::Enough);
            if let EntryKind::Incomplete(_) = found.what {
                self.read.unread = Some(failure);
            }
        } else if self.is_enough() {
            self.read.stop = Some(ReadingStop::Enough);
        }
        break_if(self.read.stop.is_some())
    }

    /// Plans the tests by the number of deals, if it is known.
    fn plan(&mut self, known: Option<u64>, reference: u32) -> Result<(), Error> {
        let planned = planning::plan(
            self.request,
            self.audited,
            self.read.state.planned,
            known,
            reference,
            self.observer,
        )?;
        (self.read.depth, self.read.tested) = (planned.depth, Some(planned.tested));
        Ok(())
    }

    /// Counts the batch and makes a look if one is due.
    fn count(&mut self, is_last: bool) -> Result<(), Error> {
        if self.read.tested.is_none() {
            let known = is_last.then(|| self.read.state.auditor.deals());
            let intake = &self.read.state.auditor.intake;
            self.read.state.planned = BoardsBefore::of(intake);
            let reference = match self.read.stop {
                // After an interruption, nobody waits for perfect sets.
                Some(ReadingStop::Stopped(Stopped::Interrupted)) => 0,
                _ => self.request.reference.get() as u32,
            };
            self.plan(known, reference)?;
            self.search();
        }
        let Some(tested) = &mut self.read.tested else {
            return Ok(());
        };
        let looked = tested.count(&mut self.read.state.auditor, is_last);
        let looked = looked.map_err(Error::input)?;
        let Some(s) = looked else { return Ok(()) };
        let level = Level::of_evidence(tested.battery().largest());
        self.stage.looked(s, level.so_far());
        let (deals, so_far) = (self.read.state.auditor.deals(), level.so_far());
        tracing::info!(target: "audit", deals, s, so_far, "look");
        self.observer.looked(deals, s, so_far)?;
        let until = self.request.until.filter(|_| !is_last);
        if until.is_some_and(|until| until.is_reached(tested.battery().level())) {
            self.read.stop = Some(ReadingStop::Stopped(Stopped::Verdict));
        }
        Ok(())
    }

    /// Searches the known seeds for the first deals, if requested.
    fn search(&mut self) {
        let first = &self.read.state.auditor.intake.first_deals;
        if let (Some(_), Some(tested)) = (self.request.seed_search, &mut self.read.tested) {
            let names = self.read.state.files.iter().map(|file| &*file.name);
            let names: Vec<&str> = names.collect();
            let (record, found) = seed_search::search(self.request, first, &names, self.observer);
            self.read.state.seeds = Some(record);
            tested.found_seeds(found);
        }
    }
}

/// The regular files of a folder and its subfolders, in the order of their names. A folder reached
/// twice through links is read once.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let (mut files, mut seen) = (Vec::new(), BTreeSet::new());
    gather_files(folder, &mut seen, &mut files)?;
    Ok(files)
}

fn gather_files(
    folder: &Path,
    seen: &mut BTreeSet<PathBuf>,
    files: &mut Vec<PathBuf>,
) -> Result<(), Error> {
    let failed = |error| Error::of(display_path(folder), error);
    if !seen.insert(fs::canonicalize(folder).map_err(failed)?) {
        return Ok(());
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        entries.push(entry.map_err(failed)?.path());
    }
    entries.sort();
    for path in entries {
        if path.is_dir() {
            gather_files(&path, seen, files)?;
        } else if path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

impl ReadInputs<'_> {
    /// Names of the files that were read.
    pub(super) fn names(&self) -> Vec<String> {
        self.state
            .files
            .iter()
            .map(|file| file.name.clone())
            .collect()
    }

    /// Counts of boards of each file, or of each process of a command.
    pub(super) fn sources(&self, command: Option<&DealerCommand>) -> Vec<SourceRecord> {
        let each = self
            .state
            .files
            .iter()
            .zip(&self.state.auditor.intake.counts);
        let each = each.map(|(file, counts)| SourceRecord {
            file: file.name.clone(),
            format: file.format.clone(),
            blake3: file.hash.clone(),
            counts: *counts,
        });
        let mut sources: Vec<SourceRecord> = each.collect();
        if command.is_some() && sources.len() > MOST_PROCESSES {
            let more = sources.split_off(MOST_PROCESSES);
            let mut counts = BoardCounts::default();
            more.iter().for_each(|source| counts.add(&source.counts));
            sources.push(SourceRecord {
                file: format!("{} more processes", thousands(more.len() as u64)),
                format: more[0].format.clone(),
                blake3: String::new(),
                counts,
            });
        }
        sources
    }

    /// Why the audit stopped before its end.
    pub(super) fn stopped(&self) -> Option<Stopped> {
        match self.stop {
            Some(ReadingStop::Stopped(stopped)) => Some(stopped),
            _ => None,
        }
    }

    /// Whether the audit ended before its end and can be resumed.
    pub(super) fn can_go_on(&self, request: &AuditRequest) -> bool {
        self.stopped().is_some() || request.command.is_some() && self.unread.is_some()
    }

    /// Counts of boards of all files.
    pub(super) fn total(&self) -> BoardCounts {
        let mut total = BoardCounts::default();
        for counts in &self.state.auditor.intake.counts {
            total.add(counts);
        }
        total
    }

    /// The level of the verdict.
    pub(super) fn level(&self, verdict: Option<&Verdict>) -> Level {
        match verdict {
            Some(verdict) => verdict.level,
            None if self.total().invalid > 0 => Level::Invalid,
            None => Level::Inconclusive,
        }
    }

    /// The verdict; `None` if no deal was tested.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        let tested = self.tested.as_ref()?;
        let mut verdict = tested.battery().verdict(tested.counts());
        let (invalid, names) = (self.total().invalid, self.names());
        if invalid > 0 && verdict.invalid.is_none() {
            let problems = &self.state.auditor.intake.problems;
            let first = problems
                .iter()
                .find(|problem| problem.kind == UntestedReason::Invalid);
            let first = first.map_or_else(String::new, |problem| {
                let name = &names[problem.place.input as usize];
                let board = problem.board;
                let board = board.map_or_else(String::new, |board| format!("board {board}, "));
                let (line, reason) = (problem.place.line, &problem.reason);
                let first = format!(": {board}{name}:{line}: {reason}");
                printable(&first).into_owned()
            });
            verdict.level = Level::Invalid;
            let boards = match invalid {
                1 => "1 board is not a legal deal".to_owned(),
                many => format!("{} boards are not legal deals", thousands(many)),
            };
            verdict.invalid = Some(boards + &first);
        }
        // A PASS requires that the user decides about boards that were left out.
        if self.state.auditor.intake.has_question() && verdict.level == Level::Pass {
            verdict.level = Level::Inconclusive;
        }
        Some(verdict)
    }
}

/// The first names of a list, and the number of the others.
fn first_names(names: &[String]) -> String {
    const MOST: usize = 10;
    let quoted = names.iter().take(MOST).map(|name| format!("`{name}`"));
    let first = quoted.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST) {
        0 => first,
        more => format!("{first} and {} more", thousands(more as u64)),
    }
}
