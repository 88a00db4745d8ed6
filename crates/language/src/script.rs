//! Scripts: a condition and the actions on its deals.

use super::dialect::Dialect;
use super::measure::{PointCount, RankValues};
use super::mix::Mix;
use super::operators::BinaryOperator;
use super::tree::Expression;
use super::{Condition, ConditionError, ConditionWarning, DealContext, ScriptOptions, Span};
use crate::bridge::{Seat, Side, Strain, Suit, Vulnerable};

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
    /// The dialect that decided the meaning of the operators.
    pub dialect: Dialect,
    /// Title of the deals.
    pub title: Option<String>,
    /// Seed, unless another one is requested.
    pub seed: Option<u128>,
    /// Number of the first board.
    pub start_board: Option<u64>,
    /// The actions; `None` if the script has no `action` statement, in which case dealer prints
    /// every deal.
    pub actions: Option<Vec<Action>>,
    /// The types of deals and their shares.
    pub mix: Option<Mix>,
    /// Warnings, in the order of the text.
    pub warnings: Vec<ConditionWarning>,
    pub(super) has_condition: bool,
    /// The place of the condition's expression in the text.
    pub(super) condition_place: Option<Span>,
}

/// An action on the deals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `printall`: the four hands side by side.
    PrintAll,
    /// `printew`, `printns` and `printside`: the hands of a side next to each other.
    PrintSide(Side),
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
    /// `printrpt`: a line of items, separated by commas.
    PrintReport(Vec<ReportItem>),
    /// `csvrpt`: the same, for a CSV file.
    CsvReport(Vec<ReportItem>),
    /// `export`: hands as options of DealerV2_4 for predealt cards, in the order of
    /// [`Seat::ALL`].
    Export(Vec<Seat>),
    /// `average`: the mean of a value.
    Average {
        /// The label; may be empty.
        label: String,
        /// The value.
        value: Expression,
    },
    /// `frequency` and `bktfreq`: the distribution of one value or of a pair.
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

/// An item of `printrpt` and `csvrpt`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportItem {
    /// The hands of these seats.
    Hands(Vec<Seat>),
    /// A literal text.
    Text(String),
    /// `rnd(0)`: the number of deals printed so far, with this one.
    DealNumber,
    /// `trix`: the double-dummy tricks of these declarers in clubs, diamonds, hearts, spades and
    /// no-trumps.
    Tricks(Vec<Seat>),
    /// `parcontract`: the contract at par with this vulnerability.
    ParContract(Vulnerable),
    /// A number.
    Value(Expression),
}

/// A value, counted in cells of `width` values from `low` on; all smaller values share a cell, and
/// so do all that are larger than those of the cell which begins with `high`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The value.
    pub value: Expression,
    /// The smallest value of the first cell.
    pub low: i64,
    /// The smallest value of the last cell: `low` plus a multiple of `width`.
    pub high: i64,
    /// Number of values in a cell, at least 1; above 1 only in `bktfreq`.
    pub width: i64,
}

/// Maximum number of cells of all frequencies of a script.
pub(super) const MAX_CELLS: usize = 1 << 20;

impl Action {
    /// The values that the action evaluates.
    pub fn values(&self) -> impl Iterator<Item = &Expression> {
        let values: Vec<&Expression> = match self {
            Self::PrintAll
            | Self::PrintSide(_)
            | Self::PrintPbn
            | Self::Print(_)
            | Self::Export(_) => Vec::new(),
            Self::PrintCompact(value) | Self::PrintOneline(value) => value.iter().collect(),
            Self::PrintEs(pieces) => pieces.iter().filter_map(OutputPiece::value).collect(),
            Self::PrintReport(items) | Self::CsvReport(items) => {
                items.iter().filter_map(ReportItem::value).collect()
            }
            Self::Average { value, .. } => vec![value],
            Self::Frequency { axes, .. } => axes.iter().map(|axis| &axis.value).collect(),
        };
        values.into_iter()
    }

    /// Whether the action asks double-dummy tricks.
    fn needs_table(&self) -> bool {
        let mut items = self.items().iter();
        items.any(ReportItem::needs_table) || self.values().any(Expression::needs_table)
    }

    /// The items of `printrpt` and `csvrpt`.
    pub(super) fn items(&self) -> &[ReportItem] {
        match self {
            Self::PrintReport(items) | Self::CsvReport(items) => items,
            _ => &[],
        }
    }
}

impl OutputPiece {
    fn value(&self) -> Option<&Expression> {
        match self {
            Self::Text(_) => None,
            Self::Value(value) => Some(value),
        }
    }
}

impl DealContext {
    /// The tricks of these declarers, each in the order of [`ReportItem::STRAINS`].
    ///
    /// # Panics
    ///
    /// If the deal has no table.
    pub fn tricks_of<'s>(&self, seats: &'s [Seat]) -> impl Iterator<Item = u8> + use<'s> {
        let table = self.table();
        let of_seat =
            move |seat: &Seat| ReportItem::STRAINS.map(|strain| table.tricks(*seat, strain));
        seats.iter().flat_map(of_seat)
    }
}

impl ReportItem {
    /// The strains of `trix`, in their order.
    pub const STRAINS: [Strain; Strain::COUNT] = [
        Strain::Trumps(Suit::Clubs),
        Strain::Trumps(Suit::Diamonds),
        Strain::Trumps(Suit::Hearts),
        Strain::Trumps(Suit::Spades),
        Strain::NoTrumps,
    ];

    /// Whether the item is about double-dummy tricks.
    pub(super) fn needs_table(&self) -> bool {
        matches!(self, Self::Tricks(_) | Self::ParContract(_))
    }

    fn value(&self) -> Option<&Expression> {
        match self {
            Self::Hands(_)
            | Self::Text(_)
            | Self::DealNumber
            | Self::Tricks(_)
            | Self::ParContract(_) => None,
            Self::Value(value) => Some(value),
        }
    }
}

impl Axis {
    /// Number of cells: those with a smallest value, one below and one above.
    pub fn cells(&self) -> usize {
        let named = match self.width {
            1 => self.high - self.low,
            width => (self.high - self.low) / width,
        };
        (named + 3) as usize
    }

    /// The smallest value of each cell, without the first and the last cell, which are open.
    pub fn beginnings(&self) -> impl Iterator<Item = i64> + use<> {
        let (low, width) = (self.low, self.width);
        (0..self.cells() - 2).map(move |place| low + place as i64 * width)
    }

    /// The name of a cell: its smallest value, or `low` or `high` for an open one.
    pub fn name(&self, cell: usize) -> String {
        match cell {
            0 => "low".to_owned(),
            cell if cell + 1 >= self.cells() => "high".to_owned(),
            cell => (self.low + (cell as i64 - 1) * self.width).to_string(),
        }
    }

    /// The cell of a value: 0 below `low`, the last above the others.
    #[inline]
    pub fn cell(&self, value: i64) -> usize {
        let end = self.high + self.width;
        let above = value.clamp(self.low - 1, end) - self.low;
        match self.width {
            1 => (above + 1) as usize,
            width => (above.div_euclid(width) + 1) as usize,
        }
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
    /// Returns the script of one type of its mix: its condition holds, and no earlier one does.
    ///
    /// # Errors
    ///
    /// [`ConditionError`] if the printed script is too long to be parsed.
    ///
    /// # Panics
    ///
    /// If the script has no type with this number.
    pub fn of_type(&self, number: usize) -> Result<Self, ConditionError> {
        let types = self.mix.as_ref().map_or(&[][..], Mix::types);
        let all = Some(self.condition.expression()).filter(|_| self.has_condition());
        let of_types = types[..=number].iter().rev().map(|of| &of.condition);
        // In one arena, so that all share the parts of the script.
        let wanted = Expression::made_of(of_types.chain(all), |tree, ids| {
            let (earlier, all) = ids[1..].split_at(number);
            let wanted = earlier.iter().rev().fold(ids[0], |wanted, other| {
                let other = tree.not(*other);
                tree.join(BinaryOperator::And, other, wanted)
            });
            let all = all.iter();
            all.fold(wanted, |wanted, all| {
                tree.join(BinaryOperator::And, *all, wanted)
            })
        });
        let of_type = Self {
            condition: self.condition.with_expression(wanted),
            mix: None,
            has_condition: true,
            ..self.clone()
        };
        // Read again, so that the places of actions are those in its text.
        let options = ScriptOptions {
            has_tables: self.needs_tables(),
            ..ScriptOptions::default()
        };
        Self::parse_with(self.condition.name(), &of_type.to_string(), &options)
    }

    /// Whether a statement restricts the deals: `condition`, with or without the word, or
    /// `predeal`. A script without one accepts every deal.
    pub fn has_condition(&self) -> bool {
        self.has_condition
    }

    /// Whether the condition or an action uses random draws (`rnd`).
    pub fn has_draws(&self) -> bool {
        let actions = self.actions.iter().flatten();
        let mut values = actions.flat_map(Action::values);
        self.condition.has_draws() || values.any(Expression::has_draws)
    }

    /// Whether the condition or an action asks double-dummy tricks, so that each deal needs a table.
    pub fn needs_tables(&self) -> bool {
        let mut actions = self.actions.iter().flatten();
        self.condition.expression().needs_table() || actions.any(Action::needs_table)
    }

    /// The items of every `csvrpt`, side by side.
    pub fn csv_report(&self) -> Vec<ReportItem> {
        let items = self
            .actions
            .iter()
            .flatten()
            .filter_map(|action| match action {
                Action::CsvReport(items) => Some(items),
                _ => None,
            });
        items.flatten().cloned().collect()
    }

    /// Whether the script has at most a condition: no limits, dealer, vulnerability, actions or mix.
    pub fn is_bare(&self) -> bool {
        let limits = self.generate.is_none() && self.produce.is_none();
        let board = self.dealer.is_none() && self.vulnerable.is_none();
        let labels = self.title.is_none() && self.seed.is_none() && self.start_board.is_none();
        limits && board && labels && self.actions.is_none() && self.mix.is_none()
    }

    /// The condition without the rest of the script, so that scripts with the same condition
    /// share a listing.
    pub fn bare_condition(&self) -> Condition {
        if self.is_bare() {
            return self.condition.clone();
        }
        let wanted = self.condition.expression().clone();
        let alone = self.condition.narrowed_to(Some(wanted));
        alone.unwrap_or_else(|_| self.condition.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_in_the_cell_that_begins_at_it_or_below() {
        for (low, high, width) in [(3, 9, 1), (-7, 8, 5), (500, 600, 50), (0, 0, 1), (4, 4, 7)] {
            let value = Expression::number(0);
            let axis = Axis {
                value,
                low,
                high,
                width,
            };
            let beginnings: Vec<i64> = axis.beginnings().collect();
            assert_eq!(beginnings.len() + 2, axis.cells());
            assert_eq!(
                (beginnings[0], *beginnings.last().expect("a cell")),
                (low, high)
            );
            for value in (low - 20..high + 20).chain([i64::MIN, i64::MAX]) {
                let slow = beginnings.iter().filter(|first| **first <= value).count();
                let is_above = i128::from(value) >= i128::from(high) + i128::from(width);
                let slow = slow + usize::from(is_above);
                assert_eq!(axis.cell(value), slow, "{value} of {low} {high} {width}");
                let name = axis.name(slow);
                match slow {
                    0 => assert_eq!(name, "low"),
                    slow if slow + 1 == axis.cells() => assert_eq!(name, "high"),
                    slow => assert_eq!(name, beginnings[slow - 1].to_string()),
                }
            }
        }
    }
}
