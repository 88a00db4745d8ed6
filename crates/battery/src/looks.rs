//! The battery at its looks: measures every test, combines the evidence, and gives a verdict.

use std::sync::Arc;

use rayon::prelude::*;

use super::bounds;
use super::detectable::DetectableEffects;
use super::evidence::{BatteryState, LookRecord, OtherTests, TestState};
use super::expected::Expected;
use super::look::Look;
use super::measure;
use super::parameters::RunParameters;
use super::plan::{self, PlannedTest};
use super::reference::{PerfectSetPosition, Reference};
use super::row::Statistic;
use super::statistics::cases::CaseGroup;
use super::statistics::{card_seat, second_order};
use super::table_law::{Measured, TableLaw};
use super::verdict::{Evidence, LEAST_TARGET, Level, TestRow, Verdict, strongest};
use crate::bridge::{Card, Seat};
use crate::stats::elementary::log10;
use crate::stats::log10_sum;
use crate::tally::{Collection, Counts, Tally};

/// Maximum number of tests that a verdict names.
const MOST_STRONGEST: usize = 3;

/// A battery of tests with its evidence so far.
#[derive(Clone, Debug)]
pub struct Battery {
    pub(super) terms: RunParameters,
    pub(super) expected: Arc<Expected>,
    pub(super) planned: Vec<PlannedTest>,
    laws: Arc<TestLaws>,
    reference: Option<Reference>,
    pub(super) seen: BatteryState,
}

/// Exact laws as floating point, computed once.
#[derive(Debug)]
struct TestLaws {
    /// One for each test that is a table.
    tables: Vec<Option<TableLaw>>,
    /// The probability of each card at each seat.
    seats: Vec<[f64; 4]>,
}

impl TestLaws {
    fn new(planned: &[PlannedTest], expected: &Expected) -> Self {
        let table = |planned: &PlannedTest| match planned.test.row().statistic {
            Statistic::Table(table) => (table.law)(expected, planned.subject),
            Statistic::Of(_) => None,
        };
        let seats = Card::all().map(|card| {
            let law = expected.theory.card(card);
            Seat::ALL.map(|seat| law.probability(seat.index()).to_f64())
        });
        Self {
            tables: planned.iter().map(table).collect(),
            seats: seats.collect(),
        }
    }
}

/// Returns whether redundant counts agree: each seat has thirteen cards of every deal, by the seats
/// of cards, by sums over pairs of cards, and by comparisons between deals.
pub fn counts_agree(counts: &Counts) -> bool {
    measure::identities_hold(counts, &counts.tally())
}

impl Battery {
    /// Creates the battery for these parameters, which fix its tests and weights.
    pub fn new(terms: RunParameters, expected: Arc<Expected>) -> Self {
        let mut planned = plan::planned(&terms);
        planned.retain(|planned| {
            let row = planned.test.row();
            row.is_uncertain(&expected, planned.subject, &terms)
        });
        let sum: f64 = planned.iter().map(|planned| planned.weight).sum();
        for planned in &mut planned {
            planned.weight /= sum;
        }
        Self {
            laws: Arc::new(TestLaws::new(&planned, &expected)),
            seen: BatteryState {
                states: vec![TestState::new(); planned.len()],
                ..BatteryState::default()
            },
            terms,
            expected,
            planned,
            reference: None,
        }
    }

    /// Restores the state of earlier looks.
    ///
    /// # Errors
    ///
    /// [`OtherTests`] if the state has another number of tests.
    pub fn having_seen(mut self, seen: BatteryState) -> Result<Self, OtherTests> {
        if seen.states.len() != self.planned.len() {
            return Err(OtherTests);
        }
        self.seen = seen;
        Ok(self)
    }

    /// Returns the state after the looks so far.
    pub fn seen(&self) -> &BatteryState {
        &self.seen
    }

    /// Sets perfect sets as reference for tests with too few deals for their laws.
    #[must_use]
    pub fn with_reference(mut self, reference: Reference) -> Self {
        self.reference = Some(reference);
        self
    }

    /// Returns every test's statistic, whether or not its law holds yet. For tables this is log10
    /// of the e-value, because few of their cells can be tested one by one.
    pub fn statistics(&self, counts: &Counts) -> Vec<Option<f64>> {
        self.measured(counts, |look, index, planned| {
            Some(look.unbounded(index, planned)?.placed_by())
        })
    }

    /// Returns a number of each test by the counts, without p-values.
    fn measured(
        &self,
        counts: &Counts,
        mut measure: impl FnMut(&Look<'_>, usize, &PlannedTest) -> Option<f64>,
    ) -> Vec<Option<f64>> {
        let collection = Collection::default();
        let look = Look {
            wants_laws: false,
            ..self.look_at(counts, counts.tally(), &collection)
        };
        let tests = self.planned.iter().enumerate();
        tests
            .map(|(index, planned)| measure(&look, index, planned))
            .collect()
    }

    /// Returns log10 of p-values that are exactly uniform on perfect deals, in the order of the
    /// rows, for tests that are one table of counts. The p-value of a small count has steps;
    /// `uniform` returns numbers from [0, 1) to draw a point within a step.
    pub fn randomised_log10(
        &self,
        counts: &Counts,
        mut uniform: impl FnMut() -> f64,
    ) -> Vec<Option<f64>> {
        self.measured(counts, |look, index, planned| {
            look.randomised_log10(index, planned, &mut uniform)
        })
    }

    fn look_at<'s>(
        &'s self,
        counts: &'s Counts,
        tally: Tally,
        collection: &'s Collection,
    ) -> Look<'s> {
        let gram = counts.gram.as_ref().map(|gram| &gram.within);
        Look {
            worst: card_seat::worst_of(&tally, |card, seat| {
                self.laws.seats[card.index()][seat.index()]
            }),
            second_order: gram
                .filter(|sums| sums.pairs() > 0)
                .map(second_order::parts),
            counts,
            collection,
            tally,
            expected: &self.expected,
            tables: &self.laws.tables,
            reference: self.reference.as_ref(),
            wants_laws: true,
        }
    }

    /// Measures every test on the counts so far, and returns S.
    ///
    /// Call it at 2^14, 2^15, 2^16 .. deals and at the declared end; below 2^14 deals, at the end
    /// only. Every look costs weight.
    pub fn look(&mut self, counts: &Counts) -> f64 {
        self.look_at_collection(counts, &Collection::default())
    }

    /// Performs a [`look`](Self::look) of an audit, with the data of its collection.
    pub fn look_at_collection(&mut self, counts: &Counts, collection: &Collection) -> f64 {
        let tally = counts.tally();
        self.check(counts, &tally);
        let deals = tally.deals();
        let look = self.look_at(counts, tally, collection);
        let measured: Vec<Option<Measured>> = self
            .planned
            .par_iter()
            .enumerate()
            .map(|(index, planned)| look.measure(index, planned))
            .collect();
        for (state, measured) in self.seen.states.iter_mut().zip(measured) {
            if let Some(measured) = measured {
                if measured.impossible && self.seen.invalid.is_none() {
                    self.seen.invalid = Some(measured.effect.clone());
                }
                state.look(measured, &self.terms);
            }
        }
        let weighted: Vec<f64> = self.weighted().collect();
        let s = log10_sum(&weighted);
        self.seen.looks.push(LookRecord { deals, s });
        s
    }

    /// T0: checks for illegal deals, deals that do not satisfy the condition, and inconsistent
    /// counts.
    fn check(&mut self, counts: &Counts, tally: &Tally) {
        let reason = if counts.illegal > 0 {
            Some(format!(
                "{} of {} deals are not legal: each card once, 13 to a seat",
                counts.illegal,
                counts.illegal + tally.deals()
            ))
        } else if counts.foreign > 0 {
            Some(format!(
                "{} of {} deals do not satisfy the condition",
                counts.foreign,
                counts.foreign + tally.deals()
            ))
        } else if !measure::identities_hold(counts, tally) {
            Some("the counts contradict each other".to_owned())
        } else {
            None
        };
        // The latest reason has the current numbers.
        self.seen.invalid = reason.or(self.seen.invalid.take());
    }

    /// Returns log10 of weight times e-value for each test.
    fn weighted(&self) -> impl Iterator<Item = f64> + '_ {
        let each = self.planned.iter().zip(&self.seen.states);
        each.map(|(planned, state)| log10(planned.weight) + state.log10_e)
    }

    /// Returns S at every look so far.
    pub fn looks(&self) -> &[LookRecord] {
        &self.seen.looks
    }

    /// Returns the largest S so far.
    pub fn largest(&self) -> f64 {
        let each = self.seen.looks.iter().map(|look| look.s);
        each.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns the last look; before the first, a look at 0 deals.
    fn last(&self) -> LookRecord {
        let none = LookRecord {
            deals: 0,
            s: f64::NEG_INFINITY,
        };
        self.seen.looks.last().copied().unwrap_or(none)
    }

    /// Returns the position of every test's last statistic among perfect sets, in the order of the
    /// rows.
    pub fn placed(&self) -> Vec<Option<PerfectSetPosition>> {
        let place = |(index, state): (usize, &TestState)| {
            let last = state.last.as_ref()?;
            self.reference.as_ref()?.place(index, last.placed_by())
        };
        self.seen.states.iter().enumerate().map(place).collect()
    }

    /// Returns a row for every test.
    pub fn rows(&self) -> Vec<TestRow> {
        let each = self
            .planned
            .iter()
            .zip(&self.seen.states)
            .zip(self.weighted());
        each.map(|((planned, state), weighted)| {
            let last = state.last.as_ref();
            TestRow {
                test: planned.test,
                subject: planned.subject.to_string(),
                statistic: last.map(|last| last.statistic),
                dof: last.and_then(|last| last.dof),
                log10_p: last.map(|last| last.log10_p),
                log10_e: last.map(|_| state.log10_e),
                evidence_log10_p: state.evidence_log10_p(),
                weight: planned.weight,
                looks: state.looks,
                level: Level::of_evidence(weighted),
                effect: match state.strongest() {
                    Some(look) if look.is_even && look.log10_p <= -1.0 => "too uniform".to_owned(),
                    Some(look) => look.effect.clone(),
                    None => String::new(),
                },
            }
        })
        .collect()
    }

    /// Returns groups of cases in file order with their draws, if draws of cases were counted.
    pub fn case_groups(&self, counts: &Counts) -> Vec<CaseGroup> {
        match &self.expected.cases {
            Some(laws) if counts.cases.deals() > 0 => laws.groups(&counts.cases),
            _ => Vec::new(),
        }
    }

    /// Returns the expectations of the counts.
    pub fn expected(&self) -> &Expected {
        &self.expected
    }

    /// Returns the level of the verdict at the last look.
    pub fn level(&self) -> Level {
        let deals = self.last().deals;
        match (&self.seen.invalid, Level::of_evidence(self.largest())) {
            (Some(_), _) => Level::Invalid,
            (None, Level::Pass) if deals < self.terms.target.max(LEAST_TARGET) => {
                Level::Inconclusive
            }
            (None, level) => level,
        }
    }

    /// Returns the verdict so far.
    pub fn verdict(&self, counts: &Counts) -> Verdict {
        let (LookRecord { deals, s }, largest) = (self.last(), self.largest());
        let decides =
            |look: &&LookRecord| Level::of_evidence(look.s) == Level::of_evidence(largest);
        let reached = self.seen.looks.iter().find(decides);
        let rows = self.rows();
        Verdict {
            level: self.level(),
            s,
            largest,
            deals,
            looks: self.seen.looks.len(),
            tests: rows.iter().filter(|row| row.looks > 0).count(),
            reached: reached.filter(|_| largest >= 3.0).map(|look| look.deals),
            invalid: self.seen.invalid.clone(),
            strongest: strongest(&rows)
                .into_iter()
                .take(MOST_STRONGEST)
                .map(Evidence::new)
                .collect(),
            bounds: bounds::bounds(self, counts),
            detectable: DetectableEffects::of(self),
            left_out: plan::left_out(&self.terms),
            target: self.terms.target,
        }
    }
}
