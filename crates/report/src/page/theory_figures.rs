//! Plots of exact theory.

use super::figures::Plot;
use crate::formats::capital;
use crate::plots::{AxisScale, BarOutcome, Bars, bars};
use crate::printable::percent;
use fairdeal_theory::{Ratio, SeatQuantity, SeatTable, Theory};

/// Number of deals that the bars are of.
const DEALS: f64 = 1e6;

/// Plots of one quantity, one for all seats with the same distribution.
#[derive(Clone, Debug)]
pub struct TheoryFigure {
    /// The quantity.
    pub title: &'static str,
    /// The plots.
    pub plots: Vec<Plot>,
}

/// The figures of shapes and high-card points.
pub fn theory_figures(theory: &Theory) -> Vec<TheoryFigure> {
    let figure = |table: &SeatTable| {
        let (title, outcome) = match table.quantity {
            SeatQuantity::Shape => ("Shapes", "shape"),
            SeatQuantity::Hcp => ("High-card points", "HCP"),
            SeatQuantity::Length(_) | SeatQuantity::SideHcp | SeatQuantity::Fit => return None,
        };
        let columns = table.columns.iter().enumerate();
        let plots = columns.map(|(column, (seats, _))| {
            let shares = table
                .rows()
                .map(|(value, chances)| (value, chances[column]));
            plot(&capital(seats), outcome, shares)
        });
        Some(TheoryFigure {
            title,
            plots: plots.collect(),
        })
    };
    theory.by_seat().iter().filter_map(figure).collect()
}

fn plot<'v>(title: &str, outcome: &str, shares: impl Iterator<Item = (&'v str, Ratio)>) -> Plot {
    let possible = shares.filter(|(_, share)| share.ways > 0);
    let possible: Vec<_> = possible
        .map(|(value, share)| (value, share.to_f64()))
        .collect();
    let most = possible
        .iter()
        .max_by(|one, other| one.1.total_cmp(&other.1));
    let most = most.map_or_else(String::new, |(value, share)| {
        format!(" Most frequent: {value}, {}.", percent(*share, 3))
    });
    let outcomes = possible.iter().map(|(value, share)| BarOutcome {
        name: (*value).to_owned(),
        observed: (DEALS * share).round() as u64,
        expected: None,
    });
    let shown = Bars {
        outcomes: outcomes.collect(),
        outcome: outcome.to_owned(),
        counted: "deals in a million".to_owned(),
        scale: AxisScale::Linear,
    };
    Plot {
        title: title.to_owned(),
        alt: format!("{title}.{most}"),
        svg: bars(&shown),
    }
}
