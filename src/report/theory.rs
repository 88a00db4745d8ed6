//! Exact theory as JSON.

use std::path::Path;

use serde::Serialize;

use super::number::fraction;
use super::record::TheoryRecord;
use super::sample::CountKind;
use super::statistics::ExactAnswer;
use super::table::Table;
use super::tables::possible_outcomes;
use crate::bridge::Seat;
use crate::theory::{Ratio, Theory};

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
    shapes: Table,
    hcp: Table,
    hcp_mean: Vec<MeanHcp>,
    suit_lengths: Table,
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

/// The mean of a seat's HCP.
#[derive(Serialize)]
struct MeanHcp {
    seat: &'static str,
    mean: f64,
    fraction: String,
}

impl PrintedTables {
    fn of(theory: &Theory, answers: &[ExactAnswer]) -> Self {
        let hcp_mean = Seat::ALL.map(|seat| {
            let (sum, of) = theory.hcp(seat).mean();
            MeanHcp {
                seat: seat.name(),
                mean: sum as f64 / of as f64,
                fraction: format!("{sum}/{of}"),
            }
        });
        Self {
            shapes: possible_outcomes(CountKind::Shapes, theory),
            hcp: possible_outcomes(CountKind::Hcp, theory),
            hcp_mean: hcp_mean.into(),
            suit_lengths: possible_outcomes(CountKind::SuitLengths, theory),
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
