//! The tables of counts as CSV, beside their exact expectations.

use super::folder::{Folder, ReportError};
use super::number::significant;
use crate::cards::{Card, Pattern, Seat, Shape, Side, Suit};
use crate::tally::{Latency, Tally};
use crate::theory::{Distribution, Ratio, Theory};

/// A table being written: rows of names, a count and perhaps its probability.
struct Table {
    writer: csv::Writer<Vec<u8>>,
    deals: u64,
}

impl Table {
    fn new(names: &[&str], deals: u64) -> Self {
        let mut table = Self {
            writer: writer(),
            deals,
        };
        let counts = ["observed", "expected", "probability", "z"];
        table.record(names.iter().chain(&counts).copied());
        table
    }

    fn record<'f>(&mut self, fields: impl Iterator<Item = &'f str>) {
        self.writer
            .write_record(fields)
            .expect("every row of a table has the same length, and memory takes all");
    }

    fn row(&mut self, names: &[&str], observed: u64, probability: Option<Ratio>) {
        let observed_text = observed.to_string();
        let [expected, p, z] = probability.map_or_else(Default::default, |ratio| {
            let (expected, p) = (ratio.times(self.deals), ratio.to_f64());
            [
                significant(expected),
                significant(p),
                z_score(observed, expected, p),
            ]
        });
        let counts = [
            observed_text.as_str(),
            expected.as_str(),
            p.as_str(),
            z.as_str(),
        ];
        self.record(names.iter().copied().chain(counts));
    }

    /// A row for each outcome of a distribution.
    fn rows<'n>(
        &mut self,
        names: &[&str],
        outcomes: impl Iterator<Item = String> + 'n,
        observed: &[u64],
        theory: Option<&Distribution>,
    ) {
        for (place, (outcome, &observed)) in outcomes.zip(observed).enumerate() {
            let names: Vec<&str> = names.iter().copied().chain([outcome.as_str()]).collect();
            let probability = theory.map(|theory| theory.probability(place));
            self.row(&names, observed, probability);
        }
    }

    fn finish(self) -> Vec<u8> {
        self.writer
            .into_inner()
            .expect("memory takes all that is written to it")
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

/// Writes every table of counts into the folder.
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
    let deals = tally.deals();
    let numbers = |count: usize| (0..count).map(|number| number.to_string());

    let mut patterns = Table::new(&["seat", "pattern"], deals);
    let mut shapes = Table::new(&["seat", "shape"], deals);
    let mut lengths = Table::new(&["seat", "suit", "length"], deals);
    let mut hcp = Table::new(&["seat", "hcp"], deals);
    let mut cards = Table::new(&["seat", "card"], deals);
    for seat in Seat::ALL {
        let name = seat.name();
        let names = Pattern::all().map(|pattern| pattern.to_string());
        patterns.rows(
            &[name],
            names,
            tally.patterns(seat),
            theory.map(|t| t.patterns(seat)),
        );
        let names = Shape::all().map(|shape| shape.to_string());
        let expected = theory.map(|t| t.shapes(seat));
        shapes.rows(&[name], names, &tally.shapes(seat), expected.as_ref());
        for suit in Suit::ALL {
            let expected = theory.map(|t| t.suit_lengths(seat, suit));
            let observed = tally.suit_lengths(seat, suit);
            lengths.rows(
                &[name, suit.name()],
                numbers(14),
                &observed,
                expected.as_ref(),
            );
        }
        hcp.rows(
            &[name],
            numbers(38),
            tally.hcp(seat),
            theory.map(|t| t.hcp(seat)),
        );
        for card in Card::all() {
            let probability = theory.map(|t| t.card(card).probability(seat.index()));
            cards.row(
                &[name, &card.to_string()],
                tally.card(seat, card),
                probability,
            );
        }
    }
    let mut fits = Table::new(&["side", "suit", "length"], deals);
    let mut side_hcp = Table::new(&["side", "hcp"], deals);
    for side in Side::ALL {
        for suit in Suit::ALL {
            let expected = theory.map(|t| t.fits(side, suit));
            let observed = tally.fits(side, suit);
            fits.rows(
                &[side.name(), suit.name()],
                numbers(14),
                &observed,
                expected.as_ref(),
            );
        }
        let expected = theory.map(|t| t.side_hcp(side));
        side_hcp.rows(
            &[side.name()],
            numbers(41),
            &tally.side_hcp(side),
            expected.as_ref(),
        );
    }
    folder.write("patterns.csv", &patterns.finish())?;
    folder.write("shapes.csv", &shapes.finish())?;
    folder.write("suit_lengths.csv", &lengths.finish())?;
    folder.write("fits.csv", &fits.finish())?;
    folder.write("hcp.csv", &hcp.finish())?;
    folder.write("side_hcp.csv", &side_hcp.finish())?;
    folder.write("cards.csv", &cards.finish())?;
    folder.write("latency.csv", &latency_csv(latency))
}

/// RFC 4180: lines end with CR LF.
fn writer() -> csv::Writer<Vec<u8>> {
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
