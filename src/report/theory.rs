//! Exact theory as JSON.

use std::path::Path;

use serde::Serialize;

use super::number::fraction;
use super::record::TheoryRecord;
use super::statistics::ExactAnswer;
use crate::bridge::{Seat, Shape, Suit};
use crate::theory::{Distribution, Ratio, Theory};

/// The output of `theory` as JSON.
#[derive(Serialize)]
pub struct TheoryDocument<'d> {
    #[serde(flatten)]
    record: &'d TheoryRecord,
    /// The inverse of the probability of the condition.
    one_deal_in: f64,
    /// The folder with the tables, if they were written to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    #[serde(flatten)]
    tables: Option<PrintedTables>,
}

impl<'d> TheoryDocument<'d> {
    /// The record, with the tables unless they were written to a folder.
    #[must_use]
    pub fn new(
        record: &'d TheoryRecord,
        probability: Ratio,
        theory: &Theory,
        answers: &[ExactAnswer],
        folder: Option<&Path>,
    ) -> Self {
        Self {
            record,
            one_deal_in: 1.0 / probability.to_f64(),
            folder: folder.map(|folder| folder.display().to_string()),
            tables: folder.is_none().then(|| PrintedTables::of(theory, answers)),
        }
    }
}

/// The tables that are printed, with the columns of the CSV of the same names.
#[derive(Serialize)]
struct PrintedTables {
    shapes: Vec<OutcomeRow>,
    hcp: Vec<OutcomeRow>,
    hcp_mean: Vec<MeanHcp>,
    suit_lengths: Vec<OutcomeRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    averages: Vec<AverageRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    frequencies: Vec<FrequencyRows>,
}

/// A script's average; without an exact mean, the reason why.
#[derive(Serialize)]
struct AverageRow {
    label: String,
    mean: Option<f64>,
    fraction: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_exact: Option<String>,
}

/// A script's frequency; without exact probabilities, the reason why.
#[derive(Serialize)]
struct FrequencyRows {
    label: String,
    values: Vec<ValueRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_exact: Option<String>,
}

/// A value of a frequency.
#[derive(Serialize)]
struct ValueRow {
    value: String,
    probability: f64,
    fraction: String,
}

/// A possible outcome.
#[derive(Serialize)]
struct OutcomeRow {
    seat: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    suit: Option<&'static str>,
    #[serde(flatten)]
    outcome: OutcomeName,
    probability: f64,
    fraction: String,
}

/// The outcome, under the name of its column.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum OutcomeName {
    Shape(String),
    Hcp(usize),
    Length(usize),
}

/// The mean of a seat's HCP.
#[derive(Serialize)]
struct MeanHcp {
    seat: &'static str,
    mean: f64,
    fraction: String,
}

impl PrintedTables {
    fn of(theory: &Theory, answers: &[ExactAnswer]) -> Self {
        let names: Vec<String> = Shape::all().map(|shape| shape.to_string()).collect();
        let shape = |place: usize| OutcomeName::Shape(names[place].clone());
        let (mut shapes, mut hcp, mut suit_lengths) = (Vec::new(), Vec::new(), Vec::new());
        for seat in Seat::ALL {
            shapes.extend(rows(seat, None, &theory.shapes(seat), shape));
            hcp.extend(rows(seat, None, theory.hcp(seat), OutcomeName::Hcp));
            for suit in Suit::ALL {
                let lengths = theory.suit_lengths(seat, suit);
                suit_lengths.extend(rows(seat, Some(suit), &lengths, OutcomeName::Length));
            }
        }
        let hcp_mean = Seat::ALL.map(|seat| {
            let (sum, of) = theory.hcp(seat).mean();
            MeanHcp {
                seat: seat.name(),
                mean: sum as f64 / of as f64,
                fraction: format!("{sum}/{of}"),
            }
        });
        Self {
            shapes,
            hcp,
            hcp_mean: hcp_mean.into(),
            suit_lengths,
            averages: averages(answers),
            frequencies: frequencies(answers),
        }
    }
}

fn averages(answers: &[ExactAnswer]) -> Vec<AverageRow> {
    let averages = answers.iter().filter(|answer| answer.axes.is_none());
    let row = |answer: &ExactAnswer| AverageRow {
        label: answer.label.clone(),
        mean: answer.mean(),
        fraction: answer.mean_fraction(),
        no_exact: answer.reason().map(|why| why.to_string()),
    };
    averages.map(row).collect()
}

fn frequencies(answers: &[ExactAnswer]) -> Vec<FrequencyRows> {
    let frequencies = answers.iter().filter(|answer| answer.axes.is_some());
    let rows = |answer: &ExactAnswer| {
        let shares = answer.shares().unwrap_or_default();
        let values = answer.cells().into_iter().zip(shares);
        let value = |(value, share): (String, Ratio)| ValueRow {
            value,
            probability: share.to_f64(),
            fraction: fraction(share),
        };
        FrequencyRows {
            label: answer.label.clone(),
            values: values.map(value).collect(),
            no_exact: answer.reason().map(|why| why.to_string()),
        }
    };
    frequencies.map(rows).collect()
}

/// The possible outcomes of a seat.
fn rows(
    seat: Seat,
    suit: Option<Suit>,
    distribution: &Distribution,
    outcome: impl Fn(usize) -> OutcomeName,
) -> Vec<OutcomeRow> {
    let ratios =
        (0..distribution.ways().len()).map(|place| (place, distribution.probability(place)));
    let possible = ratios.filter(|(_, ratio)| ratio.ways > 0);
    let row = |(place, ratio): (usize, Ratio)| OutcomeRow {
        seat: seat.name(),
        suit: suit.map(Suit::name),
        outcome: outcome(place),
        probability: ratio.to_f64(),
        fraction: fraction(ratio),
    };
    possible.map(row).collect()
}
