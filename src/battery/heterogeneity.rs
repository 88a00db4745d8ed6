//! T10 between samples that were dealt apart: machines, or parts of a run.

use serde::{Deserialize, Serialize};

use super::Battery;
use super::cells::{Cells, Measured};
use super::plan::{Subject, Test};
use super::second_order;
use crate::cards::{Seat, Side};
use crate::tally::Tally;

/// Fewest deals of a sample whose cards are compared with those of others: then chi-square
/// is the law.
const LEAST_DEALS: u64 = 1 << 14;

/// Whether samples differ from each other by more than chance: the sum of their chi-squares
/// less that of all together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heterogeneity {
    /// What is compared.
    pub quantity: String,
    /// Of whom.
    pub subject: String,
    /// The statistic.
    pub statistic: f64,
    /// Its degrees of freedom.
    pub dof: f64,
    /// log10 of its p-value.
    pub log10_p: f64,
}

impl Battery {
    /// Whether samples of the deals that are tested differ from each other. None if there are
    /// fewer than two, or too few deals in one of them to tell.
    ///
    /// Their sum was tested: its verdict is the run's, and this adds nothing to it, but
    /// tells which of the tables one sample alone has wrong.
    #[must_use]
    pub fn heterogeneity(&self, samples: &[Tally]) -> Vec<Heterogeneity> {
        let smallest = samples.iter().map(Tally::deals).min().unwrap_or(0);
        let mut found = Vec::new();
        let mut add = |quantity: &str, subject: &str, measured: Option<Measured>| {
            let Some((measured, dof)) = measured.and_then(|it| it.dof.map(|dof| (it, dof))) else {
                return;
            };
            found.push(Heterogeneity {
                quantity: quantity.to_owned(),
                subject: subject.to_owned(),
                statistic: measured.statistic,
                dof,
                log10_p: measured.log10_p,
            });
        };
        if self.expected.whole.is_some() && smallest >= LEAST_DEALS {
            let measured = second_order::card_seat_heterogeneity(samples);
            add("seats of cards", "all", measured);
        }
        let table = |test, subject, counts: &dyn Fn(&Tally) -> Vec<u64>| {
            let law = self.expected.table(test, subject)?;
            let counts: Vec<Vec<u64>> = samples.iter().map(counts).collect();
            let counts: Vec<&[u64]> = counts.iter().map(|counts| &counts[..]).collect();
            Cells::new(&law).heterogeneity(&counts)
        };
        for seat in Seat::ALL {
            let (name, subject) = (seat.name(), Subject::Seat(seat));
            let shapes = |tally: &Tally| tally.shapes(seat).to_vec();
            add("shapes", name, table(Test::Shapes, subject, &shapes));
            let points = |tally: &Tally| tally.hcp(seat).to_vec();
            add("HCP", name, table(Test::Points, subject, &points));
        }
        for side in Side::ALL {
            let points = |tally: &Tally| tally.side_hcp(side).to_vec();
            let measured = table(Test::SidePoints, Subject::Side(side), &points);
            add("HCP", side.name(), measured);
        }
        found
    }
}
