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
use fairdeal_theory::{Ratio, Theory};

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
    pub fn new(
        record: &'d TheoryRecord,
        probability: Ratio,
        theory: &Theory,
        answers: &[ExactAnswer],
        are_partners: bool,
        folder: Option<&Path>,
    ) -> Self {
        let printed = || PrintedTables::of(theory, answers, are_partners);
        Self {
            record,
            one_deal_in: 1.0 / probability.to_f64(),
            folder: folder.map(|folder| folder.display().to_string()),
            tables: folder.is_none().then(printed),
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
    /// The tables of the sides, if the condition mentions the two hands of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    side_hcp: Option<Table>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fits: Option<Table>,
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
    fn of(theory: &Theory, answers: &[ExactAnswer], are_partners: bool) -> Self {
        let of_sides = |kind| are_partners.then(|| possible_outcomes(kind, theory));
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
            side_hcp: of_sides(CountKind::SideHcp),
            fits: of_sides(CountKind::Fits),
            answers: NamedTables(exact_answer_tables(answers)),
        }
    }
}
