//! The deals of files, in their order, that a script is asked of instead of new deals.
//!
//! Nothing is drawn and nothing is tested: `audit` tests the deals of files. A script may ask
//! `tricks`, which each deal then answers from the table of double-dummy tricks in its file.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use rayon::prelude::*;
use serde::Serialize;

use super::boards::SourceBoard;
use super::input_files::{break_if, read_entries};
use crate::bridge::TrickTable;
use crate::draw::{DealsWithDraws, Isa, PACKET, Packet};
use crate::error::{Error, Remedy};
use crate::formats::Format;
use crate::formats::read::{EntryKind, InputEntry};
use crate::language::{DealContext, EvaluationError, Script};
use crate::observer::{Observer, Stage};
use crate::printable::{display_path, printable, thousands};
use crate::report::{CountedAnswer, Document, Folder, ProbabilityRecord, Table, statistics_tables};
use crate::run::{KeepFilter, KeptCounts};
use crate::tally::ScriptQuestions;
use crate::threads::{Threads, Workers};

/// Number of packets that are evaluated together.
const GROUP: usize = 512;

/// Number of packets that a worker takes at a time.
const SHARE: usize = 16;

/// Files of deals.
#[derive(Clone, Debug, Default)]
pub struct DealFiles {
    /// Files of deals, in reading order; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// Names of the files in messages, in the same order; by default their paths.
    pub labels: Vec<String>,
    /// Format of the files, if it is not to be detected.
    pub format: Option<Format>,
    /// Maximum number of deals read.
    pub deals: Option<u64>,
    /// Number of threads that [`ask_deal_files`] uses: all cores by default.
    pub threads: Option<Threads>,
    /// Whether the records of the boards are wanted.
    pub keeps_records: bool,
    /// Whether the files may lack tricks that the script does not ask.
    #[doc(hidden)]
    pub is_partly_solved: bool,
}

/// What a script's questions find in files of deals.
#[derive(Debug)]
pub struct DealFilesAnswers {
    /// The counts.
    pub record: DealFilesRecord,
    /// The averages and frequencies over the deals that satisfy the condition.
    pub answered: Vec<CountedAnswer>,
}

/// The deals of files, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct DealFilesRecord {
    /// Name of the script.
    pub name: String,
    /// The files.
    pub files: Vec<String>,
    /// Number of deals read.
    pub deals: u64,
    /// Number of deals that satisfy the condition.
    pub kept: u64,
    /// Number of entries that are not legal deals, which are left out.
    pub left_out: u64,
    /// The share of deals that satisfy the condition, as an estimate of their probability among
    /// all deals; `None` without a condition.
    pub probability: Option<ProbabilityRecord>,
    /// Whether the reading was stopped before the end of the files.
    pub stopped: bool,
    /// Seconds from the first byte to the last answer.
    pub seconds: f64,
}

impl DealFilesAnswers {
    /// The tables of averages and frequencies.
    pub fn tables(&self) -> Vec<Table> {
        statistics_tables(self.record.kept, &self.answered)
    }

    /// The record and the tables as JSON.
    pub fn document<'d>(&'d self, tables: &'d [Table]) -> Document<'d, DealFilesRecord> {
        Document::new(&self.record, tables)
    }
}

/// Asks a script's condition and questions of every deal of some files, on all workers of the
/// current pool.
///
/// # Errors
///
/// If a file cannot be read, has no deals, or has a deal without the table that the script needs;
/// or if the arithmetic of the script fails for a deal.
pub fn ask_deal_files(
    name: &str,
    script: &Script,
    request: &DealFiles,
    observer: &dyn Observer,
) -> Result<DealFilesAnswers, Error> {
    let clock = Instant::now();
    observer.allow_stop()?;
    let actions = script.actions.as_deref().unwrap_or_default();
    let terms = match script.has_condition() {
        true => script.condition.whole_deck_terms(),
        false => Vec::new(),
    };
    let keep_filter = KeepFilter::new(&terms, ScriptQuestions::of(actions), None).without_tables();
    let path = Isa::chosen();
    let mut sum = KeptCounts::default();
    let workers = Workers::take(request.threads.unwrap_or_else(Threads::all))?;
    let mut ask = |packets: &mut [ReadPacket]| {
        let shares = packets.par_chunks(SHARE).map(|packets| {
            let mut keep_counter = keep_filter.keep_counter(path);
            for read in packets {
                keep_counter.add(&read.packet);
            }
            keep_counter.finish()
        });
        let found = shares.try_reduce(KeptCounts::default, |mut one, other| {
            one.merge(&other);
            Ok(one)
        });
        sum.merge(&found.map_err(|error| evaluation_error(script, &error))?);
        Ok(ControlFlow::Continue(()))
    };
    let read = workers.install(|| read_packets(script, request, observer, &mut ask))?;
    let kept = match terms.is_empty() {
        true => read.deals,
        false => sum.kept,
    };
    let probability = || ProbabilityRecord::of_share(kept, read.deals);
    Ok(DealFilesAnswers {
        answered: CountedAnswer::all(&script.condition, actions, &sum.statistics, 0),
        record: DealFilesRecord {
            name: name.to_owned(),
            files: read.files,
            deals: read.deals,
            kept,
            left_out: read.left_out,
            probability: (!terms.is_empty()).then(probability),
            stopped: read.is_stopped,
            seconds: clock.elapsed().as_secs_f64(),
        },
    })
}

/// A deal of a file.
#[derive(Clone, Debug)]
pub struct FileDeal {
    /// The deal, with its table of double-dummy tricks.
    pub dealt: DealContext,
    /// What its file says about the board.
    pub source: SourceBoard,
}

/// Passes the deals of files that satisfy a script's condition to `sink`, in their order, with
/// their tables, until it breaks. Returns the number of deals read.
///
/// # Errors
///
/// As [`ask_deal_files`], and the errors of `sink`.
pub fn read_deals(
    script: &Script,
    request: &DealFiles,
    observer: &dyn Observer,
    sink: &mut dyn FnMut(FileDeal) -> Result<ControlFlow<()>, Error>,
) -> Result<u64, Error> {
    let filter = crate::filter::Filter::new(&script.condition.whole_deck_terms());
    let (path, mut scratch) = (Isa::chosen(), crate::filter::FilterScratch::default());
    let read = read_packets(script, request, observer, &mut |packets| {
        for read in packets {
            let accepted = filter.accept(path, &read.packet, &mut scratch);
            let accepted = accepted.map_err(|error| evaluation_error(script, &error))?;
            for place in (0..read.packet.deals()).filter(|place| accepted >> place & 1 == 1) {
                let mut dealt = read.packet.deal_with_draws(place);
                dealt.tricks = read.tables[place];
                let source = std::mem::take(&mut read.sources[place]);
                if sink(FileDeal { dealt, source })?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(read.deals)
}

/// An arithmetic error, with its place in the text of the script.
fn evaluation_error(script: &Script, error: &EvaluationError) -> Error {
    script.condition.evaluation_error(error).into()
}

/// Deals of files, at most [`PACKET`].
#[derive(Clone, Debug, Default)]
struct ReadPacket {
    packet: Packet,
    /// The table of each deal, where its file has one.
    tables: Vec<Option<TrickTable>>,
    /// What the files say about each.
    sources: Vec<SourceBoard>,
}

/// Receives groups of packets.
type GroupSink<'s> = &'s mut dyn FnMut(&mut [ReadPacket]) -> Result<ControlFlow<()>, Error>;

/// What was read.
#[derive(Default)]
struct ReadFiles {
    files: Vec<String>,
    /// Whether reading was stopped before the end.
    is_stopped: bool,
    deals: u64,
    left_out: u64,
}

/// Reads the deals of all files, and passes them on in groups of packets.
fn read_packets(
    script: &Script,
    request: &DealFiles,
    observer: &dyn Observer,
    sink: GroupSink<'_>,
) -> Result<ReadFiles, Error> {
    let sizes = request.files.iter().map(std::fs::metadata);
    let bytes = sizes.map(|found| found.ok().map(|found| found.len())).sum();
    let stage = observer.stage(Stage::Read, bytes);
    for path in &request.files {
        let is_partly = path
            .file_name()
            .is_some_and(|name| name == Folder::PARTLY_SOLVED_DEALS);
        if is_partly && !request.is_partly_solved {
            let message = format!(
                "{} has only the tricks that its run asked",
                display_path(path)
            );
            return Err(Error::input(message).with_remedy(Remedy::SolveRun));
        }
    }
    let mut reader = DealReader {
        needs_tables: script.needs_tables(),
        most: request.deals.unwrap_or(u64::MAX),
        sink,
        group: Vec::new(),
        used: 0,
        read: ReadFiles::default(),
        first_left_out: None,
        is_done: false,
        failure: None,
    };
    let found = read_entries(
        &request.files,
        &request.labels,
        request.format,
        request.keeps_records,
        &mut |_, name, entry| reader.take(entry, name),
        &mut |bytes| {
            stage.reached(bytes, None);
            break_if(observer.is_stop_asked())
        },
    );
    drop(stage);
    if let Some(failure) = reader.failure.take() {
        return Err(failure);
    }
    reader.read.files = found?;
    reader.read.is_stopped = observer.is_stop_asked();
    reader.finish(observer)
}

/// Receives the entries of files.
struct DealReader<'s> {
    needs_tables: bool,
    /// Maximum number of deals.
    most: u64,
    sink: GroupSink<'s>,
    /// Packets, of which the first `used` are full and the next is being filled.
    group: Vec<ReadPacket>,
    used: usize,
    read: ReadFiles,
    /// The first entry that is not a legal deal.
    first_left_out: Option<String>,
    /// Whether no more deals are wanted.
    is_done: bool,
    failure: Option<Error>,
}

impl DealReader<'_> {
    fn take(&mut self, entry: InputEntry<'_>, name: &str) -> ControlFlow<()> {
        match entry.what {
            EntryKind::Deal(deal) => {
                if self.needs_tables && entry.tricks.is_none() {
                    let place = printable(name);
                    let message = format!(
                        "{place}:{}: the deal has no table of double-dummy tricks, which the \
                         script needs",
                        entry.line
                    );
                    self.failure = Some(Error::input(message).with_remedy(Remedy::SolveDeals));
                    return ControlFlow::Break(());
                }
                if self.used == self.group.len() {
                    self.group.push(ReadPacket::default());
                }
                let filled = &mut self.group[self.used];
                let tricks = entry.tricks.filter(|_| self.needs_tables);
                filled.packet.push_read(&deal, tricks);
                filled.tables.push(entry.tricks);
                filled.sources.push(entry.into());
                self.read.deals += 1;
                self.used += usize::from(filled.packet.deals() == PACKET);
                self.is_done = self.read.deals == self.most;
                if self.used == GROUP {
                    self.pass_on();
                }
            }
            EntryKind::Incomplete(ref fault) | EntryKind::Invalid(ref fault) => {
                self.read.left_out += 1;
                self.first_left_out
                    .get_or_insert_with(|| format!("{}:{}: {fault}", printable(name), entry.line));
            }
            EntryKind::Unused | EntryKind::Text => {}
        }
        break_if(self.is_done)
    }

    /// Passes on the packets so far.
    fn pass_on(&mut self) {
        let filled = self.group.iter().filter(|read| read.packet.deals() > 0);
        let filled = filled.count();
        match (self.sink)(&mut self.group[..filled]) {
            Ok(flow) => self.is_done |= flow.is_break(),
            Err(failure) => {
                self.failure = Some(failure);
                self.is_done = true;
            }
        }
        for read in &mut self.group[..filled] {
            read.packet.clear();
            read.tables.clear();
            read.sources.clear();
        }
        self.used = 0;
    }

    /// Passes on the last packets.
    fn finish(mut self, observer: &dyn Observer) -> Result<ReadFiles, Error> {
        if self.group.iter().any(|read| read.packet.deals() > 0) {
            self.pass_on();
        }
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let left_out = self.read.left_out;
        if let Some(first) = &self.first_left_out {
            observer.warn(&format!(
                "entries that are not legal deals were left out: {}, the first at {first}",
                thousands(left_out)
            ));
        }
        if self.read.deals == 0 {
            return Err(Error::input("no deals found"));
        }
        Ok(self.read)
    }
}
