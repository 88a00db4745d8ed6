//! A script's part in a run, beside the tests: its filter and its questions.

use serde::{Deserialize, Serialize};

use crate::draw::{DealsWithDraws, Isa, PACKET, Packet};
use crate::filter::{Filter, FilterScratch};
use crate::language::{DealContext, EvaluationError, Expression};
use crate::tally::{ScriptAnswers, ScriptQuestions, TableChoice, Tally, Tallying};

/// A filter, and questions about the deals that pass it.
#[derive(Debug)]
pub struct KeepFilter {
    filter: Option<Filter>,
    questions: ScriptQuestions,
    /// Number of kept deals after which a run may end.
    enough: Option<u64>,
    /// Whether kept deals are counted in tables.
    has_tables: bool,
}

/// Counts of the kept deals, and the answers to the questions about them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct KeptCounts {
    /// Tables of the kept deals; empty if every deal is kept.
    pub tally: Tally,
    /// Answers to the questions about them.
    pub statistics: ScriptAnswers,
    /// Number of kept deals.
    pub kept: u64,
}

impl Default for KeepFilter {
    /// Keeps every deal and asks nothing.
    fn default() -> Self {
        Self::new(&[], ScriptQuestions::of(&[]), None)
    }
}

impl KeepFilter {
    /// Keeps the deals that satisfy all terms, and asks these questions about them.
    ///
    /// A run ends with the first complete batches in which `enough` deals were kept.
    pub fn new(terms: &[Expression], questions: ScriptQuestions, enough: Option<u64>) -> Self {
        Self {
            filter: (!terms.is_empty()).then(|| Filter::new(terms)),
            questions,
            enough,
            has_tables: true,
        }
    }

    /// The same filter without tables of the kept deals.
    #[must_use]
    pub fn without_tables(self) -> Self {
        Self {
            has_tables: false,
            ..self
        }
    }

    /// Whether it keeps every deal and asks nothing.
    pub(crate) fn is_idle(&self) -> bool {
        self.filter.is_none() && self.questions.is_empty()
    }

    /// Whether there is a filter.
    pub fn filters(&self) -> bool {
        self.filter.is_some()
    }

    /// Whether a run may end before all its deals are dealt.
    pub(super) fn has_goal(&self) -> bool {
        self.filters() && self.enough.is_some()
    }

    /// Whether this number of kept deals ends a run.
    pub(super) fn is_enough(&self, kept: u64) -> bool {
        self.filters() && self.enough.is_some_and(|enough| kept >= enough)
    }

    /// Starts a worker's share of the work.
    pub fn keep_counter(&self, isa: Isa) -> KeepCounter<'_> {
        KeepCounter {
            filter: self.filter.as_ref(),
            isa,
            scratch: FilterScratch::default(),
            waiting: Packet::default(),
            tallying: (self.filters() && self.has_tables)
                .then(|| Tallying::new(TableChoice::ALL, isa)),
            answer_counter: AnswerCounter::new(&self.questions, isa),
            kept: 0,
            failed: None,
        }
    }
}

impl KeptCounts {
    /// Whether these have the shape of this filter's counts.
    pub(super) fn fits(&self, keep_filter: &KeepFilter) -> bool {
        self.statistics.fit(&keep_filter.questions)
    }

    /// Adds the results of another worker.
    pub fn merge(&mut self, other: &Self) {
        self.tally.merge(&other.tally);
        self.statistics.merge(&other.statistics);
        self.kept += other.kept;
    }
}

/// Evaluates questions about deals, a packet at a time.
#[derive(Debug)]
pub struct AnswerCounter<'q> {
    questions: &'q ScriptQuestions,
    isa: Isa,
    scratch: FilterScratch,
    statistics: ScriptAnswers,
    /// Deals that wait for a full packet.
    waiting: Packet,
}

impl<'q> AnswerCounter<'q> {
    /// Starts without any deals.
    pub fn new(questions: &'q ScriptQuestions, isa: Isa) -> Self {
        Self {
            questions,
            isa,
            scratch: FilterScratch::default(),
            statistics: ScriptAnswers::new(questions),
            waiting: Packet::default(),
        }
    }

    /// Adds one deal, which is evaluated when its packet is full.
    ///
    /// # Errors
    ///
    /// [`EvaluationError`] if an expression cannot be evaluated for some deal so far.
    pub fn ask(&mut self, deal: &DealContext) -> Result<(), EvaluationError> {
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

    /// Evaluates every deal of a packet.
    fn ask_all(&mut self, packet: &Packet) -> Result<(), EvaluationError> {
        if !self.questions.is_empty() {
            let values = self.questions.values();
            let columns = values.columns(self.isa, packet, &mut self.scratch)?;
            self.statistics
                .count(self.questions, packet.deals(), |value| &columns[value]);
        }
        Ok(())
    }

    /// Returns the answers for all deals.
    ///
    /// # Errors
    ///
    /// As [`AnswerCounter::ask`].
    pub fn answers(mut self) -> Result<ScriptAnswers, EvaluationError> {
        self.settle()?;
        Ok(self.statistics)
    }
}

/// Filters and counts the packets of one worker.
pub struct KeepCounter<'s> {
    filter: Option<&'s Filter>,
    isa: Isa,
    scratch: FilterScratch,
    /// Kept deals that wait for a full packet.
    waiting: Packet,
    /// `None` without tables of the kept deals, or without a filter: the tables are then those of
    /// all deals, which `Counts` has.
    tallying: Option<Tallying>,
    answer_counter: AnswerCounter<'s>,
    kept: u64,
    failed: Option<EvaluationError>,
}

impl KeepCounter<'_> {
    /// Filters and counts a packet; does nothing after a failure.
    pub fn add(&mut self, packet: &Packet) {
        if self.failed.is_none() {
            let added = match self.filter {
                None => self.answer_counter.ask_all(packet),
                Some(filter) => self.keep(filter, packet),
            };
            self.failed = added.err();
        }
    }

    fn keep(&mut self, filter: &Filter, packet: &Packet) -> Result<(), EvaluationError> {
        let mut passed = filter.accept(self.isa, packet, &mut self.scratch)?;
        self.kept += u64::from(passed.count_ones());
        while passed != 0 {
            passed = self.waiting.append(packet, passed);
            if self.waiting.deals() == PACKET {
                self.settle()?;
            }
        }
        Ok(())
    }

    /// Counts the waiting deals.
    fn settle(&mut self) -> Result<(), EvaluationError> {
        if let Some(tallying) = &mut self.tallying {
            tallying.count(&self.waiting);
        }
        self.answer_counter.ask_all(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }

    /// Returns the results.
    pub fn finish(mut self) -> Result<KeptCounts, EvaluationError> {
        if self.failed.is_none() {
            self.failed = self.settle().err();
        }
        match self.failed {
            Some(error) => Err(error),
            None => Ok(KeptCounts {
                tally: self.tallying.map_or_else(Tally::default, Tallying::finish),
                statistics: self.answer_counter.answers()?,
                kept: self.kept,
            }),
        }
    }
}
