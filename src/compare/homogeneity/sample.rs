//! The counts of a sample, table by table, with the names and orders of its cells.

use crate::report::TableName;
use std::fmt;

use crate::bridge::{Card, Pattern, Seat, Shape, Side, Suit};

/// The kind of a table of counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountKind {
    /// The 560 patterns of each seat.
    Patterns,
    /// The 39 shapes of each seat.
    Shapes,
    /// Lengths of a suit at a seat.
    SuitLengths,
    /// Lengths of a suit at a side.
    Fits,
    /// HCP of a seat.
    Hcp,
    /// HCP of a side.
    SideHcp,
    /// Cards by seat: 13 per seat and deal.
    Cards,
    /// A frequency of a script.
    Frequency,
}

impl CountKind {
    /// The tables that every report of a run or an audit has.
    pub(crate) const ALL: [Self; 7] = [
        Self::Patterns,
        Self::Shapes,
        Self::SuitLengths,
        Self::Fits,
        Self::Hcp,
        Self::SideHcp,
        Self::Cards,
    ];

    /// Its name, and that of its file without the extension.
    #[must_use]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Patterns => TableName::Patterns.name(),
            Self::Shapes => TableName::Shapes.name(),
            Self::SuitLengths => TableName::SuitLengths.name(),
            Self::Fits => TableName::Fits.name(),
            Self::Hcp => TableName::Hcp.name(),
            Self::SideHcp => TableName::SideHcp.name(),
            Self::Cards => TableName::Cards.name(),
            Self::Frequency => "frequency",
        }
    }

    /// The names of its columns before the counts: those of the subject, then that of the cell.
    #[must_use]
    pub(crate) fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Patterns => &["seat", "pattern"],
            Self::Shapes => &["seat", "shape"],
            Self::SuitLengths => &["seat", "suit", "length"],
            Self::Fits => &["side", "suit", "length"],
            Self::Hcp => &["seat", "hcp"],
            Self::SideHcp => &["side", "hcp"],
            Self::Cards => &["seat", "card"],
            Self::Frequency => &["label", "value"],
        }
    }

    /// Its subjects, in order, with a word for each column. A script's frequency has no subject.
    #[must_use]
    pub(crate) fn subjects(self) -> Vec<String> {
        let seats = || Seat::ALL.into_iter().map(Seat::name);
        let sides = || Side::ALL.into_iter().map(Side::name);
        let by_suit = |whose: &str| Suit::ALL.map(|suit| format!("{whose} {}", suit.name()));
        match self {
            Self::SuitLengths => seats().flat_map(by_suit).collect(),
            Self::Fits => sides().flat_map(by_suit).collect(),
            Self::SideHcp => sides().map(str::to_owned).collect(),
            Self::Patterns | Self::Shapes | Self::Hcp | Self::Cards => {
                seats().map(str::to_owned).collect()
            }
            Self::Frequency => Vec::new(),
        }
    }

    /// A subject's cells, in order. The cells of a script's frequency depend on the script.
    #[must_use]
    pub(crate) fn cells(self) -> Vec<String> {
        let numbers = |count: u32| (0..count).map(|number| number.to_string()).collect();
        match self {
            Self::Patterns => Pattern::all().map(|pattern| pattern.to_string()).collect(),
            Self::Shapes => Shape::all().map(|shape| shape.to_string()).collect(),
            Self::SuitLengths | Self::Fits => numbers(14),
            Self::Hcp => numbers(38),
            Self::SideHcp => numbers(41),
            Self::Cards => Card::all().map(|card| card.to_string()).collect(),
            Self::Frequency => Vec::new(),
        }
    }

    /// The number that a deal adds to the sum of a subject's cells.
    #[must_use]
    pub(crate) fn of_each_deal(self) -> u64 {
        match self {
            Self::Cards => 13,
            _ => 1,
        }
    }

    /// Whether a subject's counts are those of another in reverse order: east-west hold the cards
    /// that north-south do not hold.
    pub(super) fn is_mirrored(self, subject: usize) -> bool {
        match self {
            Self::Fits => subject >= Suit::ALL.len(),
            Self::SideHcp => subject > 0,
            _ => false,
        }
    }
}

/// A table of counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountTable {
    /// The kind of the table.
    pub kind: CountKind,
    /// The label of a script's frequency.
    pub label: String,
    /// The subjects.
    pub subjects: Vec<String>,
    /// The cells of each subject.
    pub cells: Vec<String>,
    /// Counts by subject and cell.
    pub counts: Vec<Vec<u64>>,
}

impl fmt::Display for CountTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        match self.label.as_str() {
            "" => Ok(()),
            label => write!(f, " {label}"),
        }
    }
}

impl CountTable {
    /// Whether two tables have the same cells.
    #[must_use]
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let shape = |table: &Self| (table.kind, table.subjects.len());
        shape(self) == shape(other) && self.label == other.label && self.cells == other.cells
    }
}

/// An average of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptMean {
    /// Its label.
    pub label: String,
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

/// The counts of a number of independent deals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// Deals in every table.
    pub deals: u64,
    /// The tables, those of `CountKind::ALL` first.
    pub tables: Vec<CountTable>,
    /// A script's averages.
    pub means: Vec<ScriptMean>,
}

impl Sample {
    /// The table of this kind, which every report has.
    pub(super) fn table(&self, kind: CountKind) -> Option<&CountTable> {
        self.tables.iter().find(|table| table.kind == kind)
    }
}
