//! A whole script of dealer's: a condition, and what to do with its deals.

use super::measure::{Count, Values};
use super::tree::Expression;
use super::{Condition, ConditionWarning};
use crate::bridge::{Seat, Vulnerable};

/// A script in dealer's language.
///
/// `generate` and `produce` are upper limits; the first that is reached ends a run.
#[derive(Clone, Debug)]
pub struct Script {
    /// Which deals are wanted.
    pub condition: Condition,
    /// At most so many deals are generated.
    pub generate: Option<u64>,
    /// At most so many deals that satisfy the condition.
    pub produce: Option<u64>,
    /// Who deals, where a format tells.
    pub dealer: Option<Seat>,
    /// Who is vulnerable, where a format tells.
    pub vulnerable: Option<Vulnerable>,
    /// What to do with each deal; `None` where the script does not say, and dealer prints
    /// them all.
    pub actions: Option<Vec<Action>>,
    /// What may not mean what it says, in the order of the text.
    pub warnings: Vec<ConditionWarning>,
    pub(super) has_condition: bool,
}

/// Something to do with the deals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `printall`: the four hands beside each other.
    PrintAll,
    /// `printew`: west's and east's hands beside each other.
    PrintEw,
    /// `printpbn`: PBN.
    PrintPbn,
    /// `printcompact`: four lines, and perhaps a value.
    PrintCompact(Option<Expression>),
    /// `printoneline`: a line, and perhaps a value.
    PrintOneline(Option<Expression>),
    /// `print(east, west)`: these hands on pages of their own.
    Print(Vec<Seat>),
    /// `printes`: texts and values.
    PrintEs(Vec<Piece>),
    /// `average`: the mean of a value.
    Average {
        /// What it is called; empty if it has no name.
        label: String,
        /// The value.
        value: Expression,
    },
    /// `frequency`: how often a value, or a pair of them, comes.
    Frequency {
        /// What it is called; empty if it has no name.
        label: String,
        /// One value, or two.
        axes: Vec<Axis>,
    },
}

/// A piece of what `printes` prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// As it stands.
    Text(String),
    /// A number.
    Value(Expression),
}

/// A value, counted from `low` to `high`; what is less or more is counted together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The value.
    pub value: Expression,
    /// The least that is counted by itself.
    pub low: i64,
    /// The greatest; at least `low`.
    pub high: i64,
}

/// Most cells of all frequencies of a script.
pub(super) const MAX_CELLS: usize = 1 << 20;

impl Action {
    /// The values that it asks for.
    pub fn values(&self) -> impl Iterator<Item = &Expression> {
        let (one, pieces, axes): (Option<&Expression>, &[Piece], &[Axis]) = match self {
            Self::PrintAll | Self::PrintEw | Self::PrintPbn | Self::Print(_) => (None, &[], &[]),
            Self::PrintCompact(value) | Self::PrintOneline(value) => (value.as_ref(), &[], &[]),
            Self::PrintEs(pieces) => (None, pieces, &[]),
            Self::Average { value, .. } => (Some(value), &[], &[]),
            Self::Frequency { axes, .. } => (None, &[], axes),
        };
        let pieces = pieces.iter().filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Value(value) => Some(value),
        });
        let axes = axes.iter().map(|axis| &axis.value);
        one.into_iter().chain(pieces).chain(axes)
    }
}

impl Axis {
    /// Number of cells: one a value, one below and one above.
    #[must_use]
    pub fn cells(&self) -> usize {
        (self.high - self.low + 3) as usize
    }

    /// The cell of a value: 0 below `low`, the last above `high`.
    #[must_use]
    pub fn cell(&self, value: i64) -> usize {
        (value.clamp(self.low - 1, self.high + 1) - (self.low - 1)) as usize
    }
}

/// What the ranks are worth in `hcp` and `pt0` to `pt9`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) hcp: Values,
    pub(super) alternative: [Values; 10],
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            hcp: Count::Hcp.usual(),
            alternative: std::array::from_fn(|number| Count::Alternative(number as u8).usual()),
        }
    }
}

impl Counts {
    pub(super) fn values(&self, count: Count) -> &Values {
        const CONTROLS: Values = [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        match count {
            Count::Hcp => &self.hcp,
            Count::Controls => &CONTROLS,
            Count::Alternative(number) => &self.alternative[usize::from(number % 10)],
        }
    }
}

impl Script {
    /// Whether a statement restricts the deals: `condition`, with or without the word, or
    /// `predeal`. A script without one wants every deal.
    #[must_use]
    pub fn has_condition(&self) -> bool {
        self.has_condition
    }

    /// Whether it says only which deals are wanted, and not what to do with them.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        let limits = self.generate.is_none() && self.produce.is_none();
        let board = self.dealer.is_none() && self.vulnerable.is_none();
        limits && board && self.actions.is_none()
    }

    /// The condition by itself: scripts that want the same deals share a listing, whatever else they
    /// say.
    #[must_use]
    pub fn bare_condition(&self) -> Condition {
        if self.is_bare() {
            return self.condition.clone();
        }
        let wanted = self.condition.expression().clone();
        let alone = self.condition.narrowed_to(Some(wanted));
        alone.unwrap_or_else(|_| self.condition.clone())
    }
}
