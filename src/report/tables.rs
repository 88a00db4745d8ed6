//! Tables of counts with their exact expectations, or of theory alone.

use super::table::{Cell, Table, TableColumn, integer, real, text};
use super::table_name::TableName;
use crate::bridge::{Card, Pattern, Seat, Shape, Side, Suit};
use crate::tally::{Latency, Tally};
use crate::theory::{Distribution, NullLaws, Ratio, Theory};

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
            (None, Some(ratio)) => {
                let Ratio { ways, of } = ratio.reduced();
                vec![ratio.to_f64().into(), format!("{ways}/{of}").into()]
            }
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

    /// Adds a row for each outcome of a distribution.
    fn rows(
        &mut self,
        names: &[&str],
        outcomes: impl Iterator<Item = Cell>,
        observed: Option<&[u64]>,
        theory: Option<&Distribution>,
    ) {
        for (place, outcome) in outcomes.enumerate() {
            let mut names: Vec<Cell> = names.iter().map(|&name| name.into()).collect();
            names.push(outcome);
            let observed = observed.map_or(0, |counts| counts[place]);
            let probability = theory.map(|theory| theory.probability(place));
            self.row(names, observed, probability);
        }
    }
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

fn numbers(count: usize) -> impl Iterator<Item = Cell> {
    (0..count).map(Cell::from)
}

/// `latency`: nanoseconds per deal, by percentile.
#[must_use]
pub(crate) fn latency_table(latency: &Latency) -> Table {
    let percentiles = [
        0.0, 1.0, 5.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.9, 99.99, 100.0,
    ];
    let rows = percentiles.into_iter().filter_map(|percentile| {
        let ns = latency.ns_at(percentile)?;
        Some([Cell::Measured(percentile), Cell::Measured(ns)])
    });
    Table::of(
        TableName::Latency,
        [real("percentile"), real("ns_per_deal")],
        rows,
    )
}

/// Every table of counts: `patterns`, `shapes`, `suit_lengths`, `fits`, `hcp`, `side_hcp`
/// and `cards`.
#[must_use]
pub(crate) fn counts_tables(tally: &Tally, theory: Option<&Theory>) -> Vec<Table> {
    common(Some(tally), theory)
}

/// Every table of theory alone: probabilities and exact fractions.
#[must_use]
pub(crate) fn theory_tables(theory: &Theory, laws: Option<&NullLaws>) -> Vec<Table> {
    let mut tables = common(None, Some(theory));
    let mut aces = CountRows::new(TableName::Aces, &[text("seat"), integer("aces")], None);
    let mut controls = CountRows::new(
        TableName::Controls,
        &[text("seat"), integer("controls")],
        None,
    );
    for seat in Seat::ALL {
        let name = [seat.name()];
        aces.rows(&name, numbers(5), None, Some(theory.aces(seat)));
        controls.rows(&name, numbers(13), None, Some(theory.controls(seat)));
    }
    tables.extend([aces.table, controls.table]);
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
        let mut table = CountRows::new(name, &[integer(value)], None);
        table.rows(&[], numbers(law.ways().len()), None, Some(law));
        tables.push(table.table);
    }
    let shapes: Vec<Cell> = Shape::all().map(|shape| shape.to_string().into()).collect();
    let points: Vec<Cell> = numbers(38).collect();
    for (name, columns, outcomes, law) in [
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
        let mut table = CountRows::new(name, &columns, None);
        for (place, first) in outcomes.iter().enumerate() {
            for (other, second) in outcomes.iter().enumerate() {
                let ratio = law.probability(place * outcomes.len() + other);
                table.row(vec![first.clone(), second.clone()], 0, Some(ratio));
            }
        }
        tables.push(table.table);
    }
    tables
}

/// The tables that exist both for counts and for theory alone.
fn common(tally: Option<&Tally>, theory: Option<&Theory>) -> Vec<Table> {
    let deals = tally.map(Tally::deals);
    let seat = text("seat");
    let mut patterns = CountRows::new(TableName::Patterns, &[seat, text("pattern")], deals);
    let mut shapes = CountRows::new(TableName::Shapes, &[seat, text("shape")], deals);
    let columns = [seat, text("suit"), integer("length")];
    let mut lengths = CountRows::new(TableName::SuitLengths, &columns, deals);
    let mut hcp = CountRows::new(TableName::Hcp, &[seat, integer("hcp")], deals);
    let mut cards = CountRows::new(TableName::Cards, &[seat, text("card")], deals);
    for seat in Seat::ALL {
        let name = seat.name();
        let observed = tally.map(|t| &t.patterns(seat)[..]);
        let names = Pattern::all().map(|pattern| pattern.to_string().into());
        patterns.rows(&[name], names, observed, theory.map(|t| t.patterns(seat)));

        let observed = tally.map(|t| t.shapes(seat));
        let observed = observed.as_ref().map(|t| &t[..]);
        let expected = theory.map(|t| t.shapes(seat));
        let names = Shape::all().map(|shape| shape.to_string().into());
        shapes.rows(&[name], names, observed, expected.as_ref());

        for suit in Suit::ALL {
            let observed = tally.map(|t| t.suit_lengths(seat, suit));
            let observed = observed.as_ref().map(|t| &t[..]);
            let expected = theory.map(|t| t.suit_lengths(seat, suit));
            let names = [name, suit.name()];
            lengths.rows(&names, numbers(14), observed, expected.as_ref());
        }
        let observed = tally.map(|t| &t.hcp(seat)[..]);
        hcp.rows(&[name], numbers(38), observed, theory.map(|t| t.hcp(seat)));

        for card in Card::all() {
            let observed = tally.map_or(0, |t| t.card(seat, card));
            let probability = theory.map(|t| t.card(card).probability(seat.index()));
            let names = vec![name.into(), card.to_string().into()];
            cards.row(names, observed, probability);
        }
    }
    let side = text("side");
    let mut fits = CountRows::new(
        TableName::Fits,
        &[side, text("suit"), integer("length")],
        deals,
    );
    let mut side_hcp = CountRows::new(TableName::SideHcp, &[side, integer("hcp")], deals);
    for side in Side::ALL {
        for suit in Suit::ALL {
            let observed = tally.map(|t| t.fits(side, suit));
            let observed = observed.as_ref().map(|t| &t[..]);
            let expected = theory.map(|t| t.fits(side, suit));
            let names = [side.name(), suit.name()];
            fits.rows(&names, numbers(14), observed, expected.as_ref());
        }
        let observed = tally.map(|t| t.side_hcp(side));
        let observed = observed.as_ref().map(|t| &t[..]);
        let expected = theory.map(|t| t.side_hcp(side));
        side_hcp.rows(&[side.name()], numbers(41), observed, expected.as_ref());
    }
    let tables = [patterns, shapes, lengths, fits, hcp, side_hcp, cards];
    tables.map(|counts| counts.table).into()
}
