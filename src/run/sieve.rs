//! What a script asks of the deals of a run, beside the tests: which are kept, and what
//! their values are.

use crate::condition::{EvaluationError, Expression};
use crate::draw::{PACKET, Packet, Path};
use crate::filter::{self, Filter, Values};
use crate::tally::{Questions, Statistics, TableChoice, Tally, Tallying};

/// A filter and the questions about the deals that pass it.
#[derive(Debug, Default)]
pub struct Sieve {
    filter: Option<Filter>,
    questions: Questions,
    values: Values,
    /// Kept deals after which a run may end.
    enough: Option<u64>,
}

/// What a sieve kept.
#[derive(Clone, Debug, Default)]
pub struct Sifted {
    /// The tables of the deals kept; empty where every deal is.
    pub tally: Tally,
    /// The answers to the questions about them.
    pub statistics: Statistics,
    /// How many were kept.
    pub kept: u64,
}

impl Sieve {
    /// Keeps the deals that satisfy all terms, and asks these questions of them.
    ///
    /// A run ends with the first whole batches in which `enough` were kept.
    #[must_use]
    pub fn new(terms: &[Expression], questions: Questions, enough: Option<u64>) -> Self {
        Self {
            filter: (!terms.is_empty()).then(|| Filter::new(terms)),
            values: Values::new(questions.values()),
            questions,
            enough,
        }
    }

    /// Whether it keeps every deal and asks nothing.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.filter.is_none() && self.questions.is_empty()
    }

    /// Whether some deals may not be kept.
    #[must_use]
    pub fn filters(&self) -> bool {
        self.filter.is_some()
    }

    /// Whether so many deals kept are enough to end a run.
    pub(super) fn is_enough(&self, kept: u64) -> bool {
        self.filters() && self.enough.is_some_and(|enough| kept >= enough)
    }

    /// A worker's part of the work.
    pub(super) fn sifter(&self, path: Path) -> Sifter<'_> {
        Sifter {
            sieve: self,
            path,
            filtering: filter::Scratch::default(),
            valuing: filter::Scratch::default(),
            waiting: Packet::default(),
            tallying: Tallying::new(TableChoice::ALL, path),
            statistics: Statistics::new(&self.questions),
            kept: 0,
            failed: None,
        }
    }
}

impl Sifted {
    /// Adds what another worker kept.
    pub(super) fn merge(&mut self, other: &Self) {
        self.tally.merge(&other.tally);
        self.statistics.merge(&other.statistics);
        self.kept += other.kept;
    }
}

/// Sifts the packets of one worker.
pub(super) struct Sifter<'s> {
    sieve: &'s Sieve,
    path: Path,
    filtering: filter::Scratch,
    valuing: filter::Scratch,
    /// Kept deals until a packet is full.
    waiting: Packet,
    tallying: Tallying,
    statistics: Statistics,
    kept: u64,
    failed: Option<EvaluationError>,
}

impl Sifter<'_> {
    /// Sifts a packet; after a failure nothing more.
    pub(super) fn sift(&mut self, packet: &Packet) {
        if self.failed.is_some() {
            return;
        }
        let sifted = match &self.sieve.filter {
            None => self.ask(packet),
            Some(filter) => self.filter(filter, packet),
        };
        self.failed = sifted.err();
    }

    fn filter(&mut self, filter: &Filter, packet: &Packet) -> Result<(), EvaluationError> {
        let mut passed = filter.accept(self.path, packet, &mut self.filtering)?;
        self.kept += u64::from(passed.count_ones());
        while passed != 0 {
            passed = self.waiting.append(packet, passed);
            if self.waiting.deals() == PACKET {
                self.settle()?;
            }
        }
        Ok(())
    }

    /// Counts the deals that wait.
    fn settle(&mut self) -> Result<(), EvaluationError> {
        let waiting = std::mem::take(&mut self.waiting);
        self.tallying.count(&waiting);
        self.ask(&waiting)?;
        self.waiting = waiting;
        self.waiting.clear();
        Ok(())
    }

    /// Asks the questions of every deal of a packet.
    fn ask(&mut self, packet: &Packet) -> Result<(), EvaluationError> {
        if self.sieve.questions.is_empty() {
            return Ok(());
        }
        let columns = self.sieve.values.columns(self.path, packet, &mut self.valuing)?;
        self.statistics
            .count(&self.sieve.questions, packet.deals(), |value| &columns[value]);
        Ok(())
    }

    /// What was kept.
    pub(super) fn finish(mut self) -> Result<Sifted, EvaluationError> {
        if self.failed.is_none() && self.waiting.deals() > 0 {
            self.failed = self.settle().err();
        }
        match self.failed {
            Some(error) => Err(error),
            None => Ok(Sifted {
                tally: self.tallying.finish(),
                statistics: self.statistics,
                kept: self.kept,
            }),
        }
    }
}
