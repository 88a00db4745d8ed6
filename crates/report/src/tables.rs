//! Tables of counts with their exact expectations, or of theory alone.

use super::number::fraction;
use super::sample::{CountKind, Sample};
use super::table::{Cell, ColumnType, Table, TableColumn, integer, real, table_of, text};
use super::table_name::TableName;
use crate::bridge::{Card, Seat, Shape, Side, Suit};
use crate::tally::Latency;
use fairdeal_theory::{Distribution, NullLaws, Ratio, Theory};

/// Builds a table. Each row has names, a count if there is one, and its probability.
struct CountRows {
    table: Table,
    /// Deals counted; `None` for a table of theory alone.
    deals: Option<u64>,
}

impl CountRows {
    fn new(name: TableName, names: &[TableColumn], deals: Option<u64>) -> Self {
        let numbers: &[TableColumn] = match deals {
            Some(_) => &[
                integer("observed"),
                real("expected"),
                real("probability"),
                real("z"),
            ],
            None => &[real("probability"), text("fraction")],
        };
        Self {
            table: Table::new(name, &[names, numbers].concat()),
            deals,
        }
    }

    fn row(&mut self, mut names: Vec<Cell>, observed: u64, probability: Option<Ratio>) {
        let numbers: Vec<Cell> = match (self.deals, probability) {
            (None, None) => vec![Cell::Empty, Cell::Empty],
            (None, Some(ratio)) => vec![ratio.to_f64().into(), fraction(ratio).into()],
            (Some(_), None) => vec![observed.into(), Cell::Empty, Cell::Empty, Cell::Empty],
            (Some(deals), Some(ratio)) => {
                let (expected, p) = (ratio.times(deals), ratio.to_f64());
                let z = z_score(observed, expected, p);
                vec![observed.into(), expected.into(), p.into(), z.into()]
            }
        };
        names.extend(numbers);
        self.table.push(names);
    }
}

/// A table of theory alone: its names and probabilities, row by row.
fn of_theory(
    name: TableName,
    names: &[TableColumn],
    rows: impl Iterator<Item = (Vec<Cell>, Ratio)>,
) -> Table {
    let mut table = CountRows::new(name, names, None);
    rows.for_each(|(names, ratio)| table.row(names, 0, Some(ratio)));
    table.table
}

/// Returns (observed - N p) / sqrt(N p (1 - p)). For a certain or impossible outcome the result is
/// `None` if the count agrees, and infinite if it does not.
fn z_score(observed: u64, expected: f64, probability: f64) -> Option<f64> {
    let difference = observed as f64 - expected;
    let spread = (expected * (1.0 - probability)).sqrt();
    match (spread > 0.0, difference == 0.0) {
        (true, _) => Some(difference / spread),
        (false, true) => None,
        (false, false) => Some(difference * f64::INFINITY),
    }
}

/// `latency`: nanoseconds per deal, by percentile.
pub fn latency_table(latency: &Latency) -> Table {
    let percentiles = [
        0.0, 1.0, 5.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.9, 99.99, 100.0,
    ];
    let each = percentiles.into_iter();
    let rows = each.filter_map(|percentile| Some((percentile, latency.ns_at(percentile)?)));
    table_of!(TableName::Latency, rows, |(percentile, ns)| {
        real "percentile": Cell::Measured(percentile),
        real "ns_per_deal": Cell::Measured(ns),
    })
}

/// Every table of counts: `patterns`, `shapes`, `suit_lengths`, `fits`, `hcp`, `side_hcp`
/// and `cards`.
pub fn counts_tables(sample: &Sample, theory: Option<&Theory>) -> Vec<Table> {
    CountKind::ALL
        .map(|kind| table(kind, Some(sample), theory))
        .into()
}

/// Every table of theory alone: probabilities and exact fractions.
pub fn theory_tables(theory: &Theory, laws: Option<&NullLaws>) -> Vec<Table> {
    let mut tables = Vec::from(CountKind::ALL.map(|kind| table(kind, None, Some(theory))));
    for (name, value, law) in [
        (TableName::Aces, "aces", Theory::aces as fn(&_, _) -> &_),
        (TableName::Controls, "controls", Theory::controls),
    ] {
        let rows = Seat::ALL.into_iter().flat_map(|seat| {
            let outcomes = outcomes(law(theory, seat)).into_iter().enumerate();
            outcomes.map(move |(value, ratio)| (vec![seat.name().into(), value.into()], ratio))
        });
        tables.push(of_theory(name, &[text("seat"), integer(value)], rows));
    }
    if let Some(laws) = laws {
        tables.extend(laws_tables(laws));
    }
    tables
}

/// The tables of the laws of whole deals.
fn laws_tables(laws: &NullLaws) -> Vec<Table> {
    let mut tables = Vec::new();
    for (name, value, law) in [
        (TableName::Flatness, "flatness", &laws.flatness),
        (TableName::Overlap, "overlap", &laws.overlap),
        (TableName::LongestSuit, "length", &laws.longest_suit),
        (TableName::LongestOfHand, "length", &laws.longest_of_hand),
        (TableName::BestFit, "length", &laws.best_fit),
    ] {
        let rows = outcomes(law).into_iter().enumerate();
        let rows = rows.map(|(value, ratio)| (vec![value.into()], ratio));
        tables.push(of_theory(name, &[integer(value)], rows));
    }
    let shapes: Vec<Cell> = Shape::all().map(|shape| shape.to_string().into()).collect();
    let points: Vec<Cell> = (0..38_usize).map(Cell::from).collect();
    for (name, columns, values, law) in [
        (
            TableName::JointShapes,
            ["north", "east"].map(text),
            shapes,
            &laws.joint_shapes,
        ),
        (
            TableName::JointHcp,
            ["north", "east"].map(integer),
            points,
            &laws.joint_hcp,
        ),
    ] {
        let pairs = values.iter().flat_map(|first| {
            values
                .iter()
                .map(|second| vec![first.clone(), second.clone()])
        });
        tables.push(of_theory(name, &columns, pairs.zip(outcomes(law))));
    }
    tables
}

/// The probabilities of all outcomes of a distribution.
fn outcomes(law: &Distribution) -> Vec<Ratio> {
    let outcomes = 0..law.ways().len();
    outcomes.map(|outcome| law.probability(outcome)).collect()
}

/// The table of theory alone, without impossible outcomes.
pub(super) fn possible_outcomes(kind: CountKind, theory: &Theory) -> Table {
    let mut table = table(kind, None, Some(theory));
    table.retain(|row| !row.contains(&Cell::Real(0.0)));
    table
}

fn table(kind: CountKind, sample: Option<&Sample>, theory: Option<&Theory>) -> Table {
    let counts = sample.and_then(|sample| sample.table(kind));
    let laws = theory.map(|theory| probabilities(kind, theory));
    let columns = columns(kind);
    let is_numbered = columns.last().map(|column| column.kind) == Some(ColumnType::Integer);
    let mut rows = CountRows::new(kind.table(), &columns, sample.map(|sample| sample.deals));
    let cells = kind.cells();
    for (subject, name) in kind.subjects().iter().enumerate() {
        for (cell, outcome) in cells.iter().enumerate() {
            let mut names: Vec<Cell> = name.split(' ').map(Cell::from).collect();
            names.push(match is_numbered {
                true => cell.into(),
                false => outcome.as_str().into(),
            });
            let observed = counts.map_or(0, |table| table.counts[subject][cell]);
            rows.row(names, observed, laws.as_ref().map(|of| of[subject][cell]));
        }
    }
    rows.table
}

/// The columns of a table before its numbers: a word of the subject each, and the cell.
fn columns(kind: CountKind) -> Vec<TableColumn> {
    let [seat, side, suit] = ["seat", "side", "suit"].map(text);
    match kind {
        CountKind::Patterns => vec![seat, text("pattern")],
        CountKind::Shapes => vec![seat, text("shape")],
        CountKind::SuitLengths => vec![seat, suit, integer("length")],
        CountKind::Fits => vec![side, suit, integer("length")],
        CountKind::Hcp => vec![seat, integer("hcp")],
        CountKind::SideHcp => vec![side, integer("hcp")],
        CountKind::Cards => vec![seat, text("card")],
        CountKind::Frequency => vec![text("label"), text("value")],
    }
}

/// The probabilities of a table's cells, by subject.
fn probabilities(kind: CountKind, theory: &Theory) -> Vec<Vec<Ratio>> {
    let (seats, sides) = (Seat::ALL.into_iter(), Side::ALL.into_iter());
    match kind {
        CountKind::Patterns => seats.map(|seat| outcomes(theory.patterns(seat))).collect(),
        CountKind::Shapes => seats.map(|seat| outcomes(&theory.shapes(seat))).collect(),
        CountKind::SuitLengths => seats
            .flat_map(|seat| Suit::ALL.map(|suit| outcomes(&theory.suit_lengths(seat, suit))))
            .collect(),
        CountKind::Fits => sides
            .flat_map(|side| Suit::ALL.map(|suit| outcomes(&theory.fits(side, suit))))
            .collect(),
        CountKind::Hcp => seats.map(|seat| outcomes(theory.hcp(seat))).collect(),
        CountKind::SideHcp => sides.map(|side| outcomes(&theory.side_hcp(side))).collect(),
        CountKind::Cards => {
            let held = |seat: Seat| {
                Card::all().map(move |card| theory.card(card).probability(seat.index()))
            };
            seats.map(|seat| held(seat).collect()).collect()
        }
        CountKind::Frequency => Vec::new(),
    }
}
