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
    /// Its row of the catalogue.
    pub(super) fn row(self) -> &'static Row {
        &CATALOGUE[self as usize]
    }

    /// The quantity that it examines, for players.
    #[must_use]
    pub fn looks_at(self) -> &'static str {
        self.row().looks_at
    }

    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether its statistic is a standard normal one.
    #[must_use]
    pub fn is_normal(self) -> bool {
        self.row().null_law == NullLaw::Normal
    }

    /// Whether its p-value is an upper bound: a smallest p-value times the number of tests, the
    /// exact tail of a small count, or the inverse of an e-value.
    #[must_use]
    pub fn has_bound(self) -> bool {
        self.row().null_law == NullLaw::Bound
    }

    /// Least deals or pairs of a look at the test.
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

/// The deals of a run that a test looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    All,
    /// Those whose pairs of cards are counted.
    Close,
    /// Those whose numbers are counted.
    Numbered,
}

/// The knowledge about a condition that a test needs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Knowledge {
    /// Nothing but which seats it treats alike.
    Nothing,
    /// The exact tables.
    Tables,
    /// The case of every deal too.
    Cases,
}

impl Knowledge {
    /// The knowledge about constrained deals; `None` for unconstrained ones.
    fn of(structure: &Structure) -> Option<Self> {
        match structure {
            Structure::EveryDeal => None,
            Structure::Unknown(_) => Some(Self::Nothing),
            Structure::Factored(_) => Some(Self::Tables),
            Structure::Listed(..) => Some(Self::Cases),
        }
    }
}

/// A test that is multinomial counts with exact probabilities.
#[derive(Clone, Copy)]
pub(super) struct Table {
    /// The law, from theory.
    pub(super) law: fn(&Expected, Subject) -> Option<TableLaw>,
    /// The counts, from the survey.
    pub(super) counts: fn(&Look<'_>, Subject) -> Option<Vec<u64>>,
    /// The name of a cell, for people.
    pub(super) cell: fn(Subject, usize) -> String,
}

/// How a test is measured.
#[derive(Clone, Copy)]
pub(super) enum Statistic {
    Table(Table),
    Of(fn(&Look<'_>, Subject) -> Option<Measured>),
}

/// A row of the catalogue.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) test: Test,
    /// Its name in reports, which docs/methodology.md explains.
    pub(super) name: &'static str,
    /// The quantity that it examines, for players.
    pub(super) looks_at: &'static str,
    pub(super) null_law: NullLaw,
    /// Least deals, or pairs of deals, for the law.
    pub(super) least: u64,
    /// Whether fewer deals are placed among perfect sets.
    pub(super) is_referred: bool,
    pub(super) reach: Reach,
    /// The least depth at which it is made.
    pub(super) depth: Depth,
    /// Its group where any deal can be dealt; `None` if it is not made there.
    pub(super) unconstrained: Option<Group>,
    /// Its group for constrained deals, and the knowledge that it needs.
    pub(super) constrained: Option<(Group, Knowledge)>,
    pub(super) subjects: fn(&Terms) -> Vec<Subject>,
    /// Whether there is anything to test by the law: certain outcomes are no evidence. That a
    /// table has two possible cells is asked of every table.
    pub(super) allows: fn(&Expected, Subject, &Terms) -> bool,
    pub(super) statistic: Statistic,
    /// Multinomial counts with their probabilities, of a test that has them and is no [`Table`].
    pub(super) cells: fn(&Look<'_>) -> Option<Cells>,
    /// Whether its statistic bounds how far all deals depart from fair ones.
    pub(super) bounds_departure: bool,
    /// The smallest defect of its kind that it would have detected.
    pub(super) detectable: fn(&Detection<'_>) -> Option<Detectable>,
}

impl Row {
    /// Its group in a run with these terms; `None` if it is not planned there.
    pub(super) fn group(&self, terms: &Terms) -> Option<Group> {
        let is_deep_enough = self.depth == Depth::Tables || terms.depth != Depth::Tables;
        match Knowledge::of(&terms.structure) {
            None => self.unconstrained.filter(|_| is_deep_enough),
            Some(known) => {
                let (group, needed) = self.constrained?;
                // Tests that need no knowledge are made at any depth where they are all there is.
                let is_deep_enough = is_deep_enough || known == Knowledge::Nothing;
                (known >= needed && is_deep_enough).then_some(group)
            }
        }
    }

    /// Deals that the test examines by the end, if every deal counts.
    pub(super) fn reached(&self, terms: &Terms) -> u64 {
        match self.reach {
            Reach::All => terms.deals,
            Reach::Close => terms.close,
            Reach::Numbered => terms.numbered,
        }
    }

    /// Whether the law leaves anything to test.
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
