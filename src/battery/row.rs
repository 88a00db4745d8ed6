//! A row of the catalogue: the properties of a test.

use super::bounds::{Detectable, Detection};
use super::catalogue::{CATALOGUE, Group, Test};
use super::expected::Expected;
use super::measure::Look;
use super::plan::{Subject, Terms};
use super::table_law::{Cells, Measured, TableLaw};
use crate::population::Structure;
use crate::tally::Depth;

impl Test {
    /// Returns the test's row of the catalogue.
    pub(super) fn row(self) -> &'static Row {
        &CATALOGUE[self as usize]
    }

    /// Returns the quantity that the test examines, in players' words.
    #[must_use]
    pub fn looks_at(self) -> &'static str {
        self.row().looks_at
    }

    /// Returns the name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns whether the statistic is standard normal.
    #[must_use]
    pub fn is_normal(self) -> bool {
        self.row().null_law == NullLaw::Normal
    }

    /// Returns whether the p-value is an upper bound: the smallest p-value times the number of
    /// tests, the exact tail of a small count, or the inverse of an e-value.
    #[must_use]
    pub fn has_bound(self) -> bool {
        self.row().null_law == NullLaw::Bound
    }

    /// Returns the minimum number of deals, or pairs of deals, for a look at the test.
    pub(super) fn least(self) -> u64 {
        self.row().least
    }
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
    /// The exact tables.
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
            Structure::Factored(_) => Some(Self::Tables),
            Structure::Listed(..) => Some(Self::Cases),
        }
    }
}

/// A test of multinomial counts with exact probabilities.
#[derive(Clone, Copy)]
pub(super) struct Table {
    /// Returns the law, from theory.
    pub(super) law: fn(&Expected, Subject) -> Option<TableLaw>,
    /// Returns the counts, from the survey.
    pub(super) counts: fn(&Look<'_>, Subject) -> Option<Vec<u64>>,
    /// Names a cell in reports.
    pub(super) cell: fn(Subject, usize) -> String,
}

/// How a test computes its result.
#[derive(Clone, Copy)]
pub(super) enum Statistic {
    Table(Table),
    Of(fn(&Look<'_>, Subject) -> Option<Measured>),
}

/// A row of the catalogue.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) test: Test,
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
    pub(super) unconstrained: Option<Group>,
    /// Group for constrained deals, and the knowledge that the test needs.
    pub(super) constrained: Option<(Group, Knowledge)>,
    pub(super) subjects: fn(&Terms) -> Vec<Subject>,
    /// Whether the law leaves anything to test: certain outcomes are not evidence. Every table
    /// needs two possible cells besides.
    pub(super) allows: fn(&Expected, Subject, &Terms) -> bool,
    pub(super) statistic: Statistic,
    /// Multinomial counts with their probabilities, for tests that have them but are not a
    /// [`Table`].
    pub(super) cells: fn(&Look<'_>) -> Option<Cells>,
    /// Whether the statistic bounds the departure of deals from fair ones.
    pub(super) bounds_departure: bool,
    /// Returns the smallest defect of its kind that the test would have detected.
    pub(super) detectable: fn(&Detection<'_>) -> Option<Detectable>,
}

impl Row {
    /// Returns the group in a run with these parameters; `None` if the test is not planned.
    pub(super) fn group(&self, terms: &Terms) -> Option<Group> {
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
    pub(super) fn reached(&self, terms: &Terms) -> u64 {
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
        subject: Subject,
        terms: &Terms,
    ) -> bool {
        let law = match self.statistic {
            Statistic::Table(table) => (table.law)(expected, subject),
            Statistic::Of(_) => None,
        };
        let is_certain = law.is_some_and(|law| law.is_certain());
        !is_certain && (self.allows)(expected, subject, terms)
    }
}
