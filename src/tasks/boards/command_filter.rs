//! Deals that a program accepts or refuses.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::super::process::{Process, ProcessInput};
use crate::bridge::Deal;
use crate::error::Error;
use crate::language::DealContext;
use crate::population::Population;
use crate::population::cases::CaseBytes;
use crate::printable::printable;
use crate::run::{DealStream, SearchEvent};

/// Number of deals for each process that it works on or that wait for it.
const AHEAD: usize = 4;

/// Maximum number of unanswered deals of a process; their lines fit every pipe.
const MOST_ASKED: usize = 16;

/// Maximum length of an answer in bytes.
const LONGEST_ANSWER: usize = 80;

/// Time to wait for an answer before a search reports itself.
const PATIENCE: Duration = Duration::from_millis(20);

/// Default number of deals in a row that a program refuses before a search gives up.
const MOST_REFUSED: u64 = 1_000_000;

/// A program that accepts or refuses deals, one process for each thread.
///
/// Each process reads a deal a line, in the format `line`, and answers each with a line `1` or `0`.
/// Its answer must depend on the deal alone: which process is asked does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterCommand {
    /// The command as it was given.
    pub text: String,
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Time without an answer after which a process has failed.
    pub stall: Duration,
}

/// The deals of a population that a program was asked about, up to the last board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterCounts {
    /// The type of a mix.
    pub deal_type: Option<String>,
    /// Number of deals that satisfy the condition.
    pub asked: u64,
    /// Number of them that were accepted.
    pub accepted: u64,
}

/// The processes of a filter, which all types of a mix share.
pub(super) struct FilterProcesses {
    processes: Vec<FilterProcess>,
    /// Number of deals asked.
    asked: u64,
    /// Answers that have not been taken.
    answers: BTreeMap<u64, bool>,
}

/// A deal that a process was asked about: its number, and the index of the process.
type AskedDeal = (u64, usize);

struct FilterProcess {
    process: Process,
    stall: Duration,
    /// Numbers of the deals without an answer.
    asked: VecDeque<u64>,
    /// The last answer, or the first question after it.
    since: Instant,
    /// The line that it has begun.
    line: Vec<u8>,
}

impl FilterProcesses {
    /// Starts this number of processes.
    ///
    /// # Errors
    ///
    /// If one cannot be started.
    pub(super) fn start(command: &FilterCommand, number: usize) -> Result<Self, Error> {
        let stall = command.stall;
        let processes = (0..number).map(|_| {
            let words = command.words.iter().cloned();
            let process = Process::start(&command.text, words, ProcessInput::Sent, stall)?;
            Ok(FilterProcess {
                process,
                stall,
                asked: VecDeque::new(),
                since: Instant::now(),
                line: Vec::new(),
            })
        });
        Ok(Self {
            processes: processes.collect::<Result<_, Error>>()?,
            asked: 0,
            answers: BTreeMap::new(),
        })
    }

    /// Asks the process with the fewest questions.
    fn ask(&mut self, deal: &Deal) -> Result<AskedDeal, Error> {
        let least = |place: &usize| self.processes[*place].asked.len();
        let place = (0..self.processes.len()).min_by_key(least).unwrap_or(0);
        let process = &mut self.processes[place];
        while process.asked.len() >= MOST_ASKED {
            process.read(&mut self.answers)?;
        }
        let number = self.asked;
        self.asked += 1;
        process.ask(number, deal);
        Ok((number, place))
    }

    /// The answer to a question, or `None` after a short wait.
    fn take(&mut self, (number, place): AskedDeal) -> Result<Option<bool>, Error> {
        let begun = Instant::now();
        loop {
            if let Some(answer) = self.answers.remove(&number) {
                return Ok(Some(answer));
            }
            if begun.elapsed() >= PATIENCE {
                return Ok(None);
            }
            self.processes[place].read(&mut self.answers)?;
        }
    }
}

impl FilterProcess {
    fn ask(&mut self, number: u64, deal: &Deal) {
        if self.asked.is_empty() {
            self.since = Instant::now();
        }
        self.asked.push_back(number);
        if let Some(input) = &mut self.process.input {
            // A process that has ended is found when its answer is read.
            let _ = input.write_all(format!("{deal}\n").as_bytes());
        }
    }

    /// Reads answers, after a short wait at most.
    fn read(&mut self, answers: &mut BTreeMap<u64, bool>) -> Result<(), Error> {
        let pipes = &self.process.pipes;
        let printed = pipes.printed_within(PATIENCE, (self.since, self.stall));
        let printed = printed.map_err(|message| {
            let advice = match message.starts_with("it ended") {
                true => String::new(),
                false => " (a program that answers must flush its output after each line)".into(),
            };
            self.failed(&(message + &advice))
        })?;
        for byte in printed {
            match byte {
                b'\n' => {
                    self.answer(answers)?;
                    self.line.clear();
                }
                _ if self.line.len() >= LONGEST_ANSWER => return Err(self.wrong()),
                _ => self.line.push(byte),
            }
        }
        Ok(())
    }

    /// Takes the answer of the current line.
    fn answer(&mut self, answers: &mut BTreeMap<u64, bool>) -> Result<(), Error> {
        let is_accepted = match self.line.trim_ascii() {
            b"1" => true,
            b"0" => false,
            _ => return Err(self.wrong()),
        };
        let Some(number) = self.asked.pop_front() else {
            return Err(self.failed("it has printed more answers than it was asked"));
        };
        self.since = Instant::now();
        answers.insert(number, is_accepted);
        Ok(())
    }

    fn wrong(&self) -> Error {
        let line = String::from_utf8_lossy(&self.line);
        self.failed(&format!(
            "it has printed `{}`: expected a line `1` or `0` for each deal",
            printable(line.trim())
        ))
    }

    fn failed(&self, message: &str) -> Error {
        let name = &self.process.name;
        let failure = Error::input(format!("`{}`: {message}", printable(name)));
        match self.process.pipes.complaint() {
            Some(complaint) => failure.with_advice(&complaint),
            None => failure,
        }
    }
}

/// The deals of a stream, without those that a program refuses.
pub(super) struct FilteredDeals<'s> {
    stream: DealStream<'s, CaseBytes>,
    population: &'s Population,
    /// The program; `None` accepts all.
    processes: Option<Arc<Mutex<FilterProcesses>>>,
    /// Deals that it was asked about, in their order.
    asked: VecDeque<(AskedDeal, DealContext)>,
    /// Whether the first of them had no answer when it was last looked for.
    is_waiting: bool,
    /// Number of deals that were accepted, and refused.
    accepted: u64,
    refused: u64,
    /// Number of deals refused since the last that was accepted, and the number after which it
    /// gives up.
    misses: u64,
    most_misses: u64,
}

impl fmt::Debug for FilteredDeals<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FilteredDeals").finish_non_exhaustive()
    }
}

impl<'s> FilteredDeals<'s> {
    /// The deals of a stream from this population; the search gives up after `most_misses` of them
    /// in a row that are refused.
    pub(super) fn new(
        stream: DealStream<'s, CaseBytes>,
        population: &'s Population,
        processes: Option<Arc<Mutex<FilterProcesses>>>,
        most_misses: Option<u64>,
    ) -> Self {
        Self {
            stream,
            population,
            processes,
            asked: VecDeque::new(),
            is_waiting: false,
            accepted: 0,
            refused: 0,
            misses: 0,
            most_misses: most_misses.unwrap_or(MOST_REFUSED),
        }
    }

    /// Number of deals tried: of those that were refused since the last board, if there are any.
    pub(super) fn misses(&self) -> u64 {
        match self.misses {
            0 => self.stream.misses(),
            misses => misses,
        }
    }

    /// The stream before the program.
    pub(super) fn stream(&self) -> &DealStream<'s, CaseBytes> {
        &self.stream
    }

    pub(super) fn gave_up(&self) -> bool {
        self.misses >= self.most_misses || self.stream.gave_up()
    }

    /// Numbers of deals asked and accepted.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.accepted + self.refused, self.accepted)
    }

    fn step(&mut self) -> Result<Option<SearchEvent<DealContext>>, Error> {
        let drawn = |stream: &mut DealStream<'s, CaseBytes>| {
            let next = stream.next().transpose();
            next.map_err(|error| error.of(self.population))
        };
        let Some(processes) = &self.processes else {
            return drawn(&mut self.stream);
        };
        if self.misses >= self.most_misses {
            return Ok(None);
        }
        let mut processes = processes.lock().unwrap_or_else(PoisonError::into_inner);
        // While it waits it draws no more, so that the deals drawn do not depend on time.
        while !self.is_waiting && self.asked.len() < AHEAD * processes.processes.len() {
            match drawn(&mut self.stream)? {
                Some(SearchEvent::Next(deal)) => {
                    let question = processes.ask(&deal.deal)?;
                    self.asked.push_back((question, deal));
                }
                misses @ Some(_) if self.asked.is_empty() => return Ok(misses),
                Some(_) | None => break,
            }
        }
        let Some((question, deal)) = self.asked.pop_front() else {
            return Ok(None);
        };
        let answer = processes.take(question)?;
        self.is_waiting = answer.is_none();
        match answer {
            None => self.asked.push_front((question, deal)),
            Some(true) => {
                (self.accepted, self.misses) = (self.accepted + 1, 0);
                return Ok(Some(SearchEvent::Next(deal)));
            }
            Some(false) => (self.refused, self.misses) = (self.refused + 1, self.misses + 1),
        }
        Ok(Some(SearchEvent::Misses(self.misses)))
    }
}

impl Iterator for FilteredDeals<'_> {
    type Item = Result<SearchEvent<DealContext>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}
