//! Reads the files of an audit, and counts and tests their deals.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::super::input_files::{failure_of, open_as};
use super::{AuditRequest, Audited, planning, seed_search};
use crate::audit::{AuditTests, Auditor, BoardCounts, UntestedReason};
use crate::battery::{Level, Verdict};
use crate::bridge::Deal;
use crate::error::Error;
use crate::formats::read::{self, BoardDetails, EntryKind, EventName, InputEntry, ReadError};
use crate::observer::{Observer, Stage, StageProgress};
use crate::printable::{display_path, printable, thousands};
use crate::report::{SeedSearchRecord, SourceRecord};
use crate::tally::Depth;

/// Interval between checks for a stop request while a pipe is silent.
const PATIENCE: Duration = Duration::from_millis(50);

/// Everything that was read, and the results.
pub(super) struct ReadInputs<'d> {
    pub(super) auditor: Auditor,
    /// Counts and tests; `None` without a deal.
    pub(super) tested: Option<AuditTests<'d>>,
    /// Files and their formats; `none` for a file in an archive that has no deals.
    files: Vec<(String, &'static str)>,
    /// Files of folders and archives that contain no deals.
    pub(super) left_out: Vec<String>,
    pub(super) seeds: Option<SeedSearchRecord>,
    /// Whether there are exact tables.
    pub(super) has_theory: bool,
    /// Depth of the tests.
    pub(super) depth: Depth,
    pub(super) stop: Option<ReadingStop>,
    /// The first file that could not be read completely.
    pub(super) unread: Option<Error>,
}

/// Why reading stopped before the end.
pub(super) enum ReadingStop {
    /// A board is not a legal deal, and `--strict` was given.
    Strict(String),
    /// A stop was requested.
    Interrupted,
}

/// Reads all files.
pub(super) fn read<'d>(
    request: &AuditRequest,
    audited: &'d Audited<'d>,
    observer: &dyn Observer,
) -> Result<ReadInputs<'d>, Error> {
    observer.allow_stop()?;
    let sizes = request.files.iter().map(std::fs::metadata);
    let bytes = sizes.map(|found| found.ok().map(|found| found.len()));
    let mut reader = BoardReceiver::new(request, audited, bytes.sum(), observer);
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
    reader.read.auditor.intake.begin();
    reader.read.files.push(("memory".to_owned(), "deals"));
    let event = EventName::default();
    for (line, deal) in (1..).zip(deals) {
        let is_whole = reader.read.auditor.take(&InputEntry {
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
    if reader.read.auditor.deals() == 0 {
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
    observer: &dyn Observer,
) -> Option<Result<Vec<read::Input>, ReadError>> {
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
            Err(RecvTimeoutError::Timeout) if !observer.is_stop_asked() => {}
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

/// Receives boards as they are found.
struct BoardReceiver<'a, 'd> {
    request: &'a AuditRequest,
    audited: &'d Audited<'d>,
    observer: &'a dyn Observer,
    stage: Arc<dyn StageProgress>,
    /// Bytes of the earlier files.
    bytes: u64,
    read: ReadInputs<'d>,
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
        Self {
            request,
            audited,
            observer,
            stage: observer.stage(Stage::Read, bytes).into(),
            bytes: 0,
            failure: None,
            read: ReadInputs {
                auditor: Auditor::new(request.session, request.events),
                tested: None,
                files: Vec::new(),
                left_out: Vec::new(),
                seeds: None,
                has_theory: audited.population().is_some(),
                depth: request.battery.depth(),
                stop: None,
                unread: None,
            },
        }
    }

    /// Reads all files, then tests the last batch.
    fn all(&mut self) -> Result<(), Error> {
        for ReadPath {
            path,
            label,
            in_folder,
        } in self.paths()?
        {
            let shown = label.clone();
            let name = shown.unwrap_or_else(|| path.to_string_lossy().into_owned());
            match unless_stopped(&name, move || open_as(&path, label), self.observer) {
                None => self.read.stop = Some(ReadingStop::Interrupted),
                Some(Err(error)) => self.cannot_read(error, !in_folder)?,
                Some(Ok(inputs)) => {
                    let is_alone = !in_folder && inputs.len() == 1;
                    for input in inputs {
                        self.unpacked(input, in_folder, is_alone)?;
                        if self.read.stop.is_some() {
                            break;
                        }
                    }
                }
            }
            if self.read.stop.is_some() {
                break;
            }
        }
        if matches!(self.read.stop, Some(ReadingStop::Strict(_))) {
            return Ok(());
        }
        self.end()?;
        let counts = self.read.auditor.intake.counts.iter();
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

    /// Ends the last input, and tests the last batches.
    fn end(&mut self) -> Result<(), Error> {
        self.read.auditor.intake.end();
        while self.read.auditor.collect() {
            self.count(false)?;
        }
        match self.read.auditor.deals() {
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
        match unless_stopped(&name, move || input.unpack(), self.observer) {
            None => self.read.stop = Some(ReadingStop::Interrupted),
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
                self.begin(name);
                self.cannot_read(error, is_alone)?;
            }
        }
        Ok(())
    }

    /// Starts an input of this name.
    fn begin(&mut self, name: String) {
        self.read.auditor.intake.begin();
        self.read.files.push((name, "none"));
    }

    /// Reads one input.
    ///
    /// A file in a folder or an archive is skipped if it contains no deals.
    fn one(&mut self, input: read::Input, in_folder: bool, is_alone: bool) -> Result<(), Error> {
        let is_among_others = in_folder || input.is_in_archive();
        self.begin(input.name().to_owned());
        tracing::debug!(target: "audit", file = input.name(), "file opened");
        let (before, mut reached) = (self.bytes, 0);
        let (observer, stage) = (self.observer, Arc::clone(&self.stage));
        let found = read::read(
            input,
            self.request.format,
            &mut |found| self.take(&found),
            &mut |bytes| {
                reached = bytes;
                stage.reached(before + bytes, None);
                match observer.is_stop_asked() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            },
        );
        self.bytes += reached;
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        if self.observer.is_stop_asked() && self.read.stop.is_none() {
            self.read.stop = Some(ReadingStop::Interrupted);
        }
        match found {
            Ok(done) => {
                if let (Some(file), Some(format)) = (self.read.files.last_mut(), done.format) {
                    file.1 = format.name();
                }
                self.log_file();
                if is_among_others && self.read.auditor.intake.leave_out_without_deals() {
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
        if let Some((file, format)) = self.read.files.last_mut() {
            *format = "none";
            self.read.left_out.push(file.clone());
        }
    }

    /// Logs the result of the last file.
    fn log_file(&self) {
        let counts = self.read.auditor.intake.counts.last();
        if let (Some((file, format)), Some(counts)) = (self.read.files.last(), counts) {
            let (boards, invalid) = (counts.read, counts.invalid);
            tracing::info!(target: "audit", file, format, boards, invalid, "file read");
        }
    }

    /// Records a file that cannot be read; fails if it is the only file, or with `--strict`.
    fn cannot_read(&mut self, error: ReadError, is_alone: bool) -> Result<(), Error> {
        let failure = failure_of(error);
        let is_all = is_alone && self.request.files.len() == 1 && self.read.total().read == 0;
        if self.request.strict || is_all {
            return Err(failure);
        }
        self.observer.problem(&failure);
        self.read.unread.get_or_insert(failure);
        Ok(())
    }

    fn take(&mut self, found: &InputEntry<'_>) -> ControlFlow<()> {
        if self.request.strict
            && let EntryKind::Invalid(fault) = &found.what
        {
            let name = self.read.files.last().map_or("", |(name, _)| name);
            let stop = format!("{name}:{}: {fault}", found.line);
            let stop = printable(&stop).into_owned();
            self.read.stop = Some(ReadingStop::Strict(stop));
            return ControlFlow::Break(());
        }
        if self.read.auditor.take(found)
            && let Err(failure) = self.count(false)
        {
            self.failure = Some(failure);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Counts the batch and makes a look if one is due.
    fn count(&mut self, is_last: bool) -> Result<(), Error> {
        if self.read.tested.is_none() {
            let known = is_last.then(|| self.read.auditor.deals());
            let intake = &self.read.auditor.intake;
            let reference = match self.read.stop {
                None => self.request.reference.get() as u32,
                // After an interruption, nobody waits for perfect sets.
                Some(_) => 0,
            };
            let planned = planning::plan(
                self.request,
                self.audited,
                intake,
                known,
                reference,
                self.observer,
            )?;
            (self.read.depth, self.read.tested) = (planned.depth, Some(planned.tested));
            self.search();
        }
        let Some(tested) = &mut self.read.tested else {
            return Ok(());
        };
        let looked = tested.count(&mut self.read.auditor, is_last);
        let looked = looked.map_err(Error::input)?;
        let Some(s) = looked else { return Ok(()) };
        let level = Level::of_evidence(tested.battery().largest());
        self.stage.looked(s, level.so_far());
        let (deals, so_far) = (self.read.auditor.deals(), level.so_far());
        tracing::info!(target: "audit", deals, s, so_far, "look");
        self.observer.looked(deals, s, so_far)?;
        Ok(())
    }

    /// Searches the known seeds for the first deals, if requested.
    fn search(&mut self) {
        let first = &self.read.auditor.intake.first_deals;
        if let (Some(_), Some(tested)) = (self.request.seed_search, &mut self.read.tested) {
            let names = self.read.files.iter().map(|(name, _)| &**name);
            let names: Vec<&str> = names.collect();
            let (record, found) = seed_search::search(self.request, first, &names, self.observer);
            self.read.seeds = Some(record);
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
        self.files.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Counts of boards of each file.
    pub(super) fn sources(&self) -> Vec<SourceRecord> {
        let each = self.files.iter().zip(&self.auditor.intake.counts);
        each.map(|((name, format), counts)| SourceRecord {
            file: name.clone(),
            format: format.to_string(),
            counts: *counts,
        })
        .collect()
    }

    /// Counts of boards of all files.
    pub(super) fn total(&self) -> BoardCounts {
        let mut total = BoardCounts::default();
        for counts in &self.auditor.intake.counts {
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
            let problems = &self.auditor.intake.problems;
            let first = problems
                .iter()
                .find(|problem| problem.kind == UntestedReason::Invalid);
            let first = first.map_or_else(String::new, |problem| {
                let name = &names[problem.place.input as usize];
                let first = format!(": {name}:{}: {}", problem.place.line, problem.reason);
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
        if self.auditor.intake.has_question() && verdict.level == Level::Pass {
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
