//! Scripts: a condition and the actions on its deals.

use super::measure::{Measure, PointCount, RankValues};
use super::mix::Mix;
use super::tree::Expression;
use super::{Condition, ConditionWarning};
use crate::bridge::{Seat, Vulnerable};

/// A script in dealer's language.
///
/// `generate` and `produce` are upper limits; a run ends when it reaches one of them.
#[derive(Clone, Debug)]
pub struct Script {
    /// The condition.
    pub condition: Condition,
    /// Maximum number of deals generated.
    pub generate: Option<u64>,
    /// Maximum number of deals that satisfy the condition.
    pub produce: Option<u64>,
    /// Dealer, for formats that record one.
    pub dealer: Option<Seat>,
    /// Vulnerability, for formats that record it.
    pub vulnerable: Option<Vulnerable>,
    /// The actions; `None` if the script has no `action` statement, in which case dealer prints
    /// every deal.
    pub actions: Option<Vec<Action>>,
    /// The types of deals and their shares.
    pub mix: Option<Mix>,
    /// Warnings, in the order of the text.
    pub warnings: Vec<ConditionWarning>,
    pub(super) has_condition: bool,
}

/// An action on the deals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `printall`: the four hands side by side.
    PrintAll,
    /// `printew`: the hands of west and east side by side.
    PrintEw,
    /// `printpbn`: PBN.
    PrintPbn,
    /// `printcompact`: four lines and an optional value.
    PrintCompact(Option<Expression>),
    /// `printoneline`: a line and an optional value.
    PrintOneline(Option<Expression>),
    /// `print(east, west)`: each of these hands on its own pages.
    Print(Vec<Seat>),
    /// `printes`: texts and values.
    PrintEs(Vec<OutputPiece>),
    /// `average`: the mean of a value.
    Average {
        /// The label; may be empty.
        label: String,
        /// The value.
        value: Expression,
    },
    /// `frequency`: the distribution of one value or of a pair.
    Frequency {
        /// The label; may be empty.
        label: String,
        /// One value, or two.
        axes: Vec<Axis>,
    },
}

/// A piece of the output of `printes`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputPiece {
    /// A literal text.
    Text(String),
    /// A number.
    Value(Expression),
}

/// A value, counted from `low` to `high`; all smaller values share a cell, and so do all larger
/// ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The value.
    pub value: Expression,
    /// The smallest value with a cell of its own.
    pub low: i64,
    /// The largest value with a cell of its own; at least `low`.
    pub high: i64,
}

/// Maximum number of cells of all frequencies of a script.
pub(super) const MAX_CELLS: usize = 1 << 20;

impl Action {
    /// The values that the action evaluates.
    pub fn values(&self) -> impl Iterator<Item = &Expression> {
        let (one, pieces, axes): (Option<&Expression>, &[OutputPiece], &[Axis]) = match self {
            Self::PrintAll | Self::PrintEw | Self::PrintPbn | Self::Print(_) => (None, &[], &[]),
            Self::PrintCompact(value) | Self::PrintOneline(value) => (value.as_ref(), &[], &[]),
            Self::PrintEs(pieces) => (None, pieces, &[]),
            Self::Average { value, .. } => (Some(value), &[], &[]),
            Self::Frequency { axes, .. } => (None, &[], axes),
        };
        let pieces = pieces.iter().filter_map(|piece| match piece {
            OutputPiece::Text(_) => None,
            OutputPiece::Value(value) => Some(value),
        });
        let axes = axes.iter().map(|axis| &axis.value);
        one.into_iter().chain(pieces).chain(axes)
    }
}

impl Axis {
    /// Number of cells: one for each value, one below and one above.
    #[must_use]
    pub fn cells(&self) -> usize {
        (self.high - self.low + 3) as usize
    }

    /// The cell of a value: 0 below `low`, the last above `high`.
    #[must_use]
    pub(crate) fn cell(&self, value: i64) -> usize {
        (value.clamp(self.low - 1, self.high + 1) - (self.low - 1)) as usize
    }
}

/// Values of the ranks in `hcp` and `pt0` to `pt9`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PointValues {
    pub(super) hcp: RankValues,
    pub(super) alternative: [RankValues; 10],
}

impl Default for PointValues {
    fn default() -> Self {
        Self {
            hcp: PointCount::Hcp.usual(),
            alternative: std::array::from_fn(|number| {
                PointCount::Alternative(number as u8).usual()
            }),
        }
    }
}

impl PointValues {
    pub(super) fn values(&self, count: PointCount) -> &RankValues {
        const CONTROLS: RankValues = [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        match count {
            PointCount::Hcp => &self.hcp,
            PointCount::Controls => &CONTROLS,
            PointCount::Alternative(number) => &self.alternative[usize::from(number % 10)],
        }
    }
}

impl Script {
    /// Whether a statement restricts the deals: `condition`, with or without the word, or
    /// `predeal`. A script without one accepts every deal.
    #[must_use]
    pub fn has_condition(&self) -> bool {
        self.has_condition
    }

    /// Whether the condition or an action uses random draws (`rnd`).
    #[must_use]
    pub fn has_draws(&self) -> bool {
        let actions = self.actions.iter().flatten();
        let mut values = actions.flat_map(Action::values);
        self.condition.has_draws() || values.any(Expression::has_draws)
    }

    /// Whether the condition or an action asks double-dummy tricks, so that each deal needs a table.
    #[must_use]
    pub fn needs_tables(&self) -> bool {
        let actions = self.actions.iter().flatten();
        let values = actions.flat_map(Action::values);
        let mut all = values.chain([self.condition.expression()]);
        all.any(|value| {
            let mentioned = value.mentioned();
            mentioned
                .iter()
                .any(|(_, measure)| matches!(measure, Measure::Tricks(_)))
        })
    }

    /// Whether the script has at most a condition: no limits, dealer, vulnerability, actions or mix.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        let limits = self.generate.is_none() && self.produce.is_none();
        let board = self.dealer.is_none() && self.vulnerable.is_none();
        limits && board && self.actions.is_none() && self.mix.is_none()
    }

    /// The condition without the rest of the script, so that scripts with the same condition
    /// share a listing.
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
