//! What a script asks of the deals of a run, beside the tests: which are kept, and what
//! their values are.

use serde::{Deserialize, Serialize};

use crate::draw::{PACKET, Packet, Path};
use crate::filter::{Filter, Scratch};
use crate::language::{DealWithDraws, EvaluationError, Expression};
use crate::tally::{Questions, Statistics, TableChoice, Tally, Tallying};

/// A filter and the questions about the deals that pass it.
#[derive(Debug)]
pub struct Sieve {
    filter: Option<Filter>,
    questions: Questions,
    /// Kept deals after which a run may end.
    enough: Option<u64>,
}

/// What a sieve kept.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Sifted {
    /// The tables of the deals kept; empty where every deal is.
    pub tally: Tally,
    /// The answers to the questions about them.
    pub statistics: Statistics,
    /// How many were kept.
    pub kept: u64,
}

impl Default for Sieve {
    /// Keeps every deal, and asks nothing.
    fn default() -> Self {
        Self::new(&[], Questions::of(&[]), None)
    }
}

impl Sieve {
    /// Keeps the deals that satisfy all terms, and asks these questions of them.
    ///
    /// A run ends with the first whole batches in which `enough` were kept.
    #[must_use]
    pub fn new(terms: &[Expression], questions: Questions, enough: Option<u64>) -> Self {
        Self {
            filter: (!terms.is_empty()).then(|| Filter::new(terms)),
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

    /// Whether a run may end before all its deals are dealt.
    pub(super) fn has_goal(&self) -> bool {
        self.filters() && self.enough.is_some()
    }

    /// Whether so many deals kept are enough to end a run.
    pub(super) fn is_enough(&self, kept: u64) -> bool {
        self.filters() && self.enough.is_some_and(|enough| kept >= enough)
    }

    /// A worker's part of the work.
    pub(super) fn sifter(&self, path: Path) -> Sifter<'_> {
        Sifter {
            filter: self.filter.as_ref(),
            path,
            scratch: Scratch::default(),
            waiting: Packet::default(),
            tallying: self
                .filters()
                .then(|| Tallying::new(TableChoice::ALL, path)),
            asking: Asking::new(&self.questions, path),
            kept: 0,
            failed: None,
        }
    }
}

impl Sifted {
    /// Whether this can be what a sieve kept of so many deals.
    pub(super) fn is_sound(&self, sieve: &Sieve, deals: u64) -> bool {
        let asked = if sieve.filters() { self.kept } else { deals };
        let tabled = if sieve.filters() { self.kept } else { 0 };
        self.kept <= deals
            && self.tally.is_sound()
            && self.tally.deals() == tabled
            && self.statistics.is_sound(&sieve.questions, asked)
    }

    /// Adds what another worker kept.
    pub(super) fn merge(&mut self, other: &Self) {
        self.tally.merge(&other.tally);
        self.statistics.merge(&other.statistics);
        self.kept += other.kept;
    }
}

/// Asks questions of deals, a packet at a time.
#[derive(Debug)]
pub struct Asking<'q> {
    questions: &'q Questions,
    path: Path,
    scratch: Scratch,
    statistics: Statistics,
    /// Single deals until there are enough for a packet.
    waiting: Packet,
}

impl<'q> Asking<'q> {
    /// No deal has been asked yet.
    #[must_use]
    pub fn new(questions: &'q Questions, path: Path) -> Self {
        Self {
            questions,
            path,
            scratch: Scratch::default(),
            statistics: Statistics::new(questions),
            waiting: Packet::default(),
        }
    }

    /// Asks one deal, at the latest when all are answered.
    ///
    /// # Errors
    ///
    /// [`EvaluationError`] if a value of some deal so far has no result.
    pub fn ask(&mut self, deal: &DealWithDraws) -> Result<(), EvaluationError> {
        self.waiting.push_with_draws(deal);
        if self.waiting.deals() == PACKET {
            self.settle()?;
        }
        Ok(())
    }

    fn settle(&mut self) -> Result<(), EvaluationError> {
        let waiting = std::mem::take(&mut self.waiting);
        self.ask_all(&waiting)
    }

    /// Asks every deal of a packet.
    fn ask_all(&mut self, packet: &Packet) -> Result<(), EvaluationError> {
        if !self.questions.is_empty() {
            let values = self.questions.values();
            let columns = values.columns(self.path, packet, &mut self.scratch)?;
            self.statistics
                .count(self.questions, packet.deals(), |value| &columns[value]);
        }
        Ok(())
    }

    /// The answers of all deals.
    ///
    /// # Errors
    ///
    /// As [`Asking::ask`].
    pub fn answers(mut self) -> Result<Statistics, EvaluationError> {
        self.settle()?;
        Ok(self.statistics)
    }
}

/// Sifts the packets of one worker.
pub(super) struct Sifter<'s> {
    filter: Option<&'s Filter>,
    path: Path,
    scratch: Scratch,
    /// Kept deals until a packet is full.
    waiting: Packet,
    /// Without a filter the tables are those of all deals, which are not made twice.
    tallying: Option<Tallying>,
    asking: Asking<'s>,
    kept: u64,
    failed: Option<EvaluationError>,
}

impl Sifter<'_> {
    /// Sifts a packet; after a failure nothing more.
    pub(super) fn sift(&mut self, packet: &Packet) {
        if self.failed.is_none() {
            let sifted = match self.filter {
                None => self.asking.ask_all(packet),
                Some(filter) => self.filter(filter, packet),
            };
            self.failed = sifted.err();
        }
    }

    fn filter(&mut self, filter: &Filter, packet: &Packet) -> Result<(), EvaluationError> {
        let mut passed = filter.accept(self.path, packet, &mut self.scratch)?;
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
        if let Some(tallying) = &mut self.tallying {
            tallying.count(&self.waiting);
        }
        self.asking.ask_all(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }

    /// What was kept.
    pub(super) fn finish(mut self) -> Result<Sifted, EvaluationError> {
        if self.failed.is_none() {
            self.failed = self.settle().err();
        }
        match self.failed {
            Some(error) => Err(error),
            None => Ok(Sifted {
                tally: self.tallying.map_or_else(Tally::default, Tallying::finish),
                statistics: self.asking.answers()?,
                kept: self.kept,
            }),
        }
    }
}
