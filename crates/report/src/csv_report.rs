//! The rows of a script's `csvrpt`, as CSV.

use super::table::{csv_text, writer};
use crate::bridge::Seat;
use crate::language::{Condition, DealContext, EvaluationError, ReportItem};

/// Size at which no more rows are added: 64 MiB.
const MOST_BYTES: usize = 64 << 20;

/// A row of items for each deal, under a row of their names.
#[derive(Debug)]
pub struct CsvReport(csv::Writer<Vec<u8>>);

impl CsvReport {
    /// A file with the names of the columns: the text of a value in the script, `text` for a text,
    /// `number` for the number of the deal, and `deal`, a side or a seat for hands.
    pub fn new(items: &[ReportItem], condition: &Condition) -> Self {
        let names = items.iter().flat_map(|item| match item {
            ReportItem::Hands(_) | ReportItem::ParContract(_) => vec![item.to_string()],
            ReportItem::Text(_) => vec!["text".to_owned()],
            ReportItem::DealNumber => vec!["number".to_owned()],
            ReportItem::Tricks(seats) => {
                let names = seats.iter().flat_map(|seat| {
                    ReportItem::STRAINS.map(|strain| format!("{} {strain}", seat.letter()))
                });
                names.collect()
            }
            ReportItem::Value(value) => vec![condition.text_of(value).to_owned()],
        });
        let mut report = Self(writer());
        report.write(names.collect());
        report
    }

    /// Adds the row of a deal, whose number counts from 1.
    ///
    /// # Errors
    ///
    /// If the arithmetic of a value fails.
    pub fn add(
        &mut self,
        items: &[ReportItem],
        number: u64,
        deal: &DealContext,
    ) -> Result<(), EvaluationError> {
        let mut row = Vec::new();
        for item in items {
            match item {
                ReportItem::Hands(seats) => row.push(hands(deal, seats)),
                ReportItem::Text(text) => row.push(csv_text(text)),
                ReportItem::DealNumber => row.push(number.to_string()),
                ReportItem::Tricks(seats) => {
                    row.extend(deal.tricks_of(seats).map(|tricks| tricks.to_string()));
                }
                ReportItem::ParContract(vulnerable) => row.push(deal.par_contract(*vulnerable)),
                ReportItem::Value(value) => row.push(value.value(deal)?.to_string()),
            }
        }
        self.write(row);
        Ok(())
    }

    /// Whether the file has reached its maximum size, however long its rows are.
    pub fn is_full(&self) -> bool {
        self.0.get_ref().len() >= MOST_BYTES
    }

    /// The contents of the file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0.into_inner().expect("writing to memory cannot fail")
    }

    fn write(&mut self, row: Vec<String>) {
        let written = self.0.write_record(row);
        written.expect("writing to memory cannot fail");
    }
}

/// Hands as `n S.H.D.C s S.H.D.C`.
fn hands(deal: &DealContext, seats: &[Seat]) -> String {
    let hands = seats.iter().map(|&seat| {
        let letter = seat.letter().to_ascii_lowercase();
        format!("{letter} {}", deal.deal.hand(seat))
    });
    hands.collect::<Vec<String>>().join(" ")
}
