//! A row of the catalogue: the properties of a test.

use super::detectable::{DetectableEffect, Detection, Outcome};
use super::expected::Expected;
use super::look::Look;
use super::parameters::RunParameters;
use super::power::detectable_excess;
use super::subject::TestSubject;
use super::table_law::{CountProbabilities, Measured, TableLaw};
use crate::bridge::{Seat, Suit};
use crate::population::Structure;
use crate::stats::dirichlet_mixture_log10;
use crate::tally::Depth;

/// Tests that share a weight because they examine the same quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestGroup {
    Duplicates,
    CardSeat,
    SecondOrder,
    Lags,
    Flatness,
    Patterns,
    Points,
    Numbers,
    Places,
    Cases,
    Tables,
    Filling,
    Interchange,
    CardTable,
}

/// The law that turns a statistic into a p-value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NullLaw {
    /// The statistic is standard normal.
    Normal,
    /// The p-value is an upper bound.
    Bound,
    /// Any other: chi-squares, exact tails, e-values.
    Other,
}

/// The deals of a run that a test examines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    All,
    /// Deals whose pairs of cards are counted.
    Close,
    /// Deals whose numbers are counted.
    Numbered,
}

/// The knowledge about a condition that a test needs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Knowledge {
    /// Only the interchangeable seats.
    Nothing,
    /// The exact tables and, from cells, the group of every deal.
    Tables,
    /// The exact tables, and the case of every deal.
    Cases,
}

impl Knowledge {
    /// Returns the knowledge about constrained deals; `None` for unconstrained deals.
    fn of(structure: &Structure) -> Option<Self> {
        match structure {
            Structure::EveryDeal => None,
            Structure::Unknown(_) => Some(Self::Nothing),
            Structure::Cells(_) => Some(Self::Tables),
            Structure::Listing(..) => Some(Self::Cases),
        }
    }
}

/// A test of multinomial counts with exact probabilities.
#[derive(Clone, Copy)]
pub(super) struct MultinomialTest {
    /// Returns the law, from theory.
    pub(super) law: fn(&Expected, TestSubject) -> Option<TableLaw>,
    /// Returns the counts.
    pub(super) counts: fn(&Look<'_>, TestSubject) -> Option<Vec<u64>>,
    /// Names a cell in reports.
    pub(super) cell: fn(TestSubject, usize) -> String,
}

impl MultinomialTest {
    /// Returns the smallest detectable relative excess of a cell, for the first subject and
    /// unconstrained deals.
    ///
    /// For any count of this cell, the e-value is smallest if the other cells have their expected
    /// proportions, which this assumes.
    pub(super) fn detectable(
        &self,
        detection: &Detection<'_>,
        cell: usize,
        outcome: Outcome,
    ) -> Option<DetectableEffect> {
        let subject = detection.subject;
        let first = [
            TestSubject::Seat(Seat::North),
            TestSubject::SeatSuit(Seat::North, Suit::Spades),
        ];
        if !first.contains(&subject) || !detection.any_deal() {
            return None;
        }
        let law = (self.law)(detection.expected, subject)?;
        let (p, deals) = (law.probabilities[cell], detection.deals);
        let excess = detectable_excess(deals, p, |count| {
            let others = (deals - count) as f64 / (1.0 - p);
            let expected = law.probabilities.iter().map(|of| (others * of).round());
            let mut counts: Vec<u64> = expected.map(|count| count as u64).collect();
            counts[cell] = count;
            dirichlet_mixture_log10(&counts, &law.probabilities) >= detection.needed_e
        })?;
        Some(DetectableEffect::Excess {
            outcome,
            probability: p,
            excess,
        })
    }
}

/// How a test computes its result.
#[derive(Clone, Copy)]
pub(super) enum Statistic {
    Table(MultinomialTest),
    Of(fn(&Look<'_>, TestSubject) -> Option<Measured>),
}

/// A row of the catalogue.
#[derive(Clone, Copy)]
pub(super) struct CatalogueRow {
    /// Name in reports, explained in docs/methodology.md.
    pub(super) name: &'static str,
    /// The quantity that the test examines, in players' words.
    pub(super) looks_at: &'static str,
    pub(super) null_law: NullLaw,
    /// Minimum deals, or pairs of deals, for the law.
    pub(super) least: u64,
    /// Whether smaller samples are compared with perfect sets.
    pub(super) is_referred: bool,
    pub(super) reach: Reach,
    /// The least depth that includes the test.
    pub(super) depth: Depth,
    /// Group for unconstrained deals; `None` if the test is not planned for them.
    pub(super) unconstrained: Option<TestGroup>,
    /// Group for constrained deals, and the knowledge that the test needs.
    pub(super) constrained: Option<(TestGroup, Knowledge)>,
    pub(super) subjects: fn(&RunParameters) -> Vec<TestSubject>,
    /// Whether the law leaves anything to test: certain outcomes are not evidence. Every table
    /// needs two possible cells besides.
    pub(super) allows: fn(&Expected, TestSubject, &RunParameters) -> bool,
    pub(super) statistic: Statistic,
    /// Multinomial counts with their probabilities, for tests that have them but are not a
    /// [`MultinomialTest`].
    pub(super) cells: fn(&Look<'_>) -> Option<CountProbabilities>,
    /// Whether the statistic bounds the departure of deals from fair ones.
    pub(super) bounds_departure: bool,
    /// Returns the smallest defect of its kind that the test would have detected.
    pub(super) detectable: fn(&Detection<'_>) -> Option<DetectableEffect>,
}

impl CatalogueRow {
    /// Returns the group in a run with these parameters; `None` if the test is not planned.
    pub(super) fn group(&self, terms: &RunParameters) -> Option<TestGroup> {
        let is_deep_enough = self.depth == Depth::Tables || terms.depth != Depth::Tables;
        match Knowledge::of(&terms.structure) {
            None => self.unconstrained.filter(|_| is_deep_enough),
            Some(known) => {
                let (group, needed) = self.constrained?;
                // A test that needs no knowledge is planned at any depth if the condition is
                // unknown.
                let is_deep_enough = is_deep_enough || known == Knowledge::Nothing;
                (known >= needed && is_deep_enough).then_some(group)
            }
        }
    }

    /// Returns the number of deals that the test examines by the end, if every deal counts.
    pub(super) fn reached(&self, terms: &RunParameters) -> u64 {
        match self.reach {
            Reach::All => terms.deals,
            Reach::Close => terms.close,
            Reach::Numbered => terms.numbered,
        }
    }

    /// Returns whether the law leaves anything to test.
    pub(super) fn is_uncertain(
        &self,
        expected: &Expected,
        subject: TestSubject,
        terms: &RunParameters,
    ) -> bool {
        let law = match self.statistic {
            Statistic::Table(table) => (table.law)(expected, subject),
            Statistic::Of(_) => None,
        };
        let is_certain = law.is_some_and(|law| law.is_certain());
        !is_certain && (self.allows)(expected, subject, terms)
    }
}
