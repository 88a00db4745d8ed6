//! Exact theory as JSON.

use std::path::Path;

use serde::Serialize;

use super::document::NamedTables;
use super::record::TheoryRecord;
use super::sample::CountKind;
use super::statistics::{ExactAnswer, exact_answer_tables};
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
    hcp_mean: [MeanHcp; 4],
    suit_lengths: Table,
    #[serde(flatten)]
    answers: NamedTables<Table>,
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
            hcp_mean,
            suit_lengths: possible_outcomes(CountKind::SuitLengths, theory),
            answers: NamedTables(exact_answer_tables(answers)),
        }
    }
}
