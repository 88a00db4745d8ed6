//! The tables as CSV: counts beside their exact expectations, or theory alone.

use super::folder::{Folder, ReportError};
use super::number::significant;
use crate::cards::{Card, Pattern, Seat, Shape, Side, Suit};
use crate::tally::{Latency, Tally};
use crate::theory::{Distribution, NullLaws, Ratio, Theory};

/// A table being written: rows of names, a count if there is one, and its probability.
struct Table {
    file: &'static str,
    writer: csv::Writer<Vec<u8>>,
    /// Deals counted; none in a table of theory alone.
    deals: Option<u64>,
}

impl Table {
    fn new(file: &'static str, names: &[&str], deals: Option<u64>) -> Self {
        let mut table = Self {
            file,
            writer: writer(),
            deals,
        };
        let numbers: &[&str] = match deals {
            Some(_) => &["observed", "expected", "probability", "z"],
            None => &["probability", "fraction"],
        };
        table.record(names.iter().chain(numbers).copied());
        table
    }

    fn record<'f>(&mut self, fields: impl Iterator<Item = &'f str>) {
        self.writer
            .write_record(fields)
            .expect("every row of a table has the same length, and memory takes all");
    }

    fn row(&mut self, names: &[&str], observed: u64, probability: Option<Ratio>) {
        let numbers: Vec<String> = match (self.deals, probability) {
            (None, ratio) => ratio.map_or_else(Vec::new, |ratio| {
                let Ratio { ways, of } = ratio.reduced();
                vec![significant(ratio.to_f64()), format!("{ways}/{of}")]
            }),
            (Some(_), None) => vec![
                observed.to_string(),
                String::new(),
                String::new(),
                String::new(),
            ],
            (Some(deals), Some(ratio)) => {
                let (expected, p) = (ratio.times(deals), ratio.to_f64());
                let z = z_score(observed, expected, p);
                vec![
                    observed.to_string(),
                    significant(expected),
                    significant(p),
                    z,
                ]
            }
        };
        self.record(
            names
                .iter()
                .copied()
                .chain(numbers.iter().map(String::as_str)),
        );
    }

    /// A row for each outcome of a distribution.
    fn rows(
        &mut self,
        names: &[&str],
        outcomes: impl Iterator<Item = String>,
        observed: Option<&[u64]>,
        theory: Option<&Distribution>,
    ) {
        for (place, outcome) in outcomes.enumerate() {
            let names: Vec<&str> = names.iter().copied().chain([outcome.as_str()]).collect();
            let observed = observed.map_or(0, |counts| counts[place]);
            self.row(
                &names,
                observed,
                theory.map(|theory| theory.probability(place)),
            );
        }
    }

    fn write(self, folder: &Folder) -> Result<(), ReportError> {
        let bytes = self.writer.into_inner();
        folder.write(
            self.file,
            &bytes.expect("memory takes all that is written to it"),
        )
    }
}

/// (observed - N p) / sqrt(N p (1 - p)); empty where the outcome is certain
/// either way and came out so, infinite where it came out otherwise.
fn z_score(observed: u64, expected: f64, probability: f64) -> String {
    let difference = observed as f64 - expected;
    let spread = (expected * (1.0 - probability)).sqrt();
    match (spread > 0.0, difference == 0.0) {
        (true, _) => significant(difference / spread),
        (false, true) => String::new(),
        (false, false) => significant(difference * f64::INFINITY),
    }
}

fn numbers(count: usize) -> impl Iterator<Item = String> {
    (0..count).map(|number| number.to_string())
}

/// Writes every table of counts into the folder, and the latency.
///
/// # Errors
///
/// [`ReportError::Io`] for the first file that cannot be written.
pub fn write_tables(
    folder: &Folder,
    tally: &Tally,
    theory: Option<&Theory>,
    latency: &Latency,
) -> Result<(), ReportError> {
    write_counts(folder, tally, theory)?;
    folder.write("latency.csv", &latency_csv(latency))
}

/// Writes every table of counts into the folder.
///
/// # Errors
///
/// As [`write_tables`].
pub fn write_counts(
    folder: &Folder,
    tally: &Tally,
    theory: Option<&Theory>,
) -> Result<(), ReportError> {
    write_common(folder, Some(tally), theory)
}

/// Writes every table of theory alone: probabilities and exact fractions.
///
/// # Errors
///
/// As [`write_tables`].
pub fn write_theory(
    folder: &Folder,
    theory: &Theory,
    laws: Option<&NullLaws>,
) -> Result<(), ReportError> {
    write_common(folder, None, Some(theory))?;
    let mut aces = Table::new("aces.csv", &["seat", "aces"], None);
    let mut controls = Table::new("controls.csv", &["seat", "controls"], None);
    for seat in Seat::ALL {
        aces.rows(&[seat.name()], numbers(5), None, Some(theory.aces(seat)));
        controls.rows(
            &[seat.name()],
            numbers(13),
            None,
            Some(theory.controls(seat)),
        );
    }
    aces.write(folder)?;
    controls.write(folder)?;
    let Some(laws) = laws else {
        return Ok(());
    };
    for (file, name, law) in [
        ("flatness.csv", "flatness", &laws.flatness),
        ("overlap.csv", "overlap", &laws.overlap),
        ("longest_suit.csv", "length", &laws.longest_suit),
        ("longest_of_hand.csv", "length", &laws.longest_of_hand),
        ("best_fit.csv", "length", &laws.best_fit),
    ] {
        let mut table = Table::new(file, &[name], None);
        table.rows(&[], numbers(law.ways().len()), None, Some(law));
        table.write(folder)?;
    }
    let shapes: Vec<String> = Shape::all().map(|shape| shape.to_string()).collect();
    let points: Vec<String> = numbers(38).collect();
    for (file, names, outcomes, law) in [
        (
            "joint_shapes.csv",
            ["north", "east"],
            &shapes,
            &laws.joint_shapes,
        ),
        ("joint_hcp.csv", ["north", "east"], &points, &laws.joint_hcp),
    ] {
        let mut table = Table::new(file, &names, None);
        for (place, first) in outcomes.iter().enumerate() {
            for (other, second) in outcomes.iter().enumerate() {
                let ratio = law.probability(place * outcomes.len() + other);
                table.row(&[first, second], 0, Some(ratio));
            }
        }
        table.write(folder)?;
    }
    Ok(())
}

/// The tables that counts and theory share.
fn write_common(
    folder: &Folder,
    tally: Option<&Tally>,
    theory: Option<&Theory>,
) -> Result<(), ReportError> {
    let deals = tally.map(Tally::deals);
    let mut patterns = Table::new("patterns.csv", &["seat", "pattern"], deals);
    let mut shapes = Table::new("shapes.csv", &["seat", "shape"], deals);
    let mut lengths = Table::new("suit_lengths.csv", &["seat", "suit", "length"], deals);
    let mut hcp = Table::new("hcp.csv", &["seat", "hcp"], deals);
    let mut cards = Table::new("cards.csv", &["seat", "card"], deals);
    for seat in Seat::ALL {
        let name = seat.name();
        let observed = tally.map(|t| &t.patterns(seat)[..]);
        let names = Pattern::all().map(|pattern| pattern.to_string());
        patterns.rows(&[name], names, observed, theory.map(|t| t.patterns(seat)));

        let (observed, expected) = (
            tally.map(|t| t.shapes(seat)),
            theory.map(|t| t.shapes(seat)),
        );
        let names = Shape::all().map(|shape| shape.to_string());
        shapes.rows(
            &[name],
            names,
            observed.as_ref().map(|t| &t[..]),
            expected.as_ref(),
        );

        for suit in Suit::ALL {
            let observed = tally.map(|t| t.suit_lengths(seat, suit));
            let expected = theory.map(|t| t.suit_lengths(seat, suit));
            let observed = observed.as_ref().map(|t| &t[..]);
            lengths.rows(
                &[name, suit.name()],
                numbers(14),
                observed,
                expected.as_ref(),
            );
        }
        let observed = tally.map(|t| &t.hcp(seat)[..]);
        hcp.rows(&[name], numbers(38), observed, theory.map(|t| t.hcp(seat)));

        for card in Card::all() {
            let observed = tally.map_or(0, |t| t.card(seat, card));
            let probability = theory.map(|t| t.card(card).probability(seat.index()));
            cards.row(&[name, &card.to_string()], observed, probability);
        }
    }
    let mut fits = Table::new("fits.csv", &["side", "suit", "length"], deals);
    let mut side_hcp = Table::new("side_hcp.csv", &["side", "hcp"], deals);
    for side in Side::ALL {
        for suit in Suit::ALL {
            let observed = tally.map(|t| t.fits(side, suit));
            let expected = theory.map(|t| t.fits(side, suit));
            let observed = observed.as_ref().map(|t| &t[..]);
            fits.rows(
                &[side.name(), suit.name()],
                numbers(14),
                observed,
                expected.as_ref(),
            );
        }
        let observed = tally.map(|t| t.side_hcp(side));
        let expected = theory.map(|t| t.side_hcp(side));
        let observed = observed.as_ref().map(|t| &t[..]);
        side_hcp.rows(&[side.name()], numbers(41), observed, expected.as_ref());
    }
    for table in [patterns, shapes, lengths, fits, hcp, side_hcp, cards] {
        table.write(folder)?;
    }
    Ok(())
}

/// RFC 4180: lines end with CR LF.
pub(super) fn writer() -> csv::Writer<Vec<u8>> {
    csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new())
}

fn latency_csv(latency: &Latency) -> Vec<u8> {
    let mut text = String::from("percentile,ns_per_deal\r\n");
    let percentiles = [
        0.0, 1.0, 5.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.9, 99.99, 100.0,
    ];
    for percentile in percentiles {
        if let Some(ns) = latency.ns_at(percentile) {
            text.push_str(&format!("{percentile},{ns}\r\n"));
        }
    }
    text.into_bytes()
}
