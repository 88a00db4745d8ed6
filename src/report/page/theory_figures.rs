//! Plots of exact theory.

use super::figures::Plot;
use crate::bridge::{Seat, Shape};
use crate::formats::capital;
use crate::printable::percent;
use crate::report::plots::{AxisScale, BarOutcome, Bars, bars};
use crate::theory::{Distribution, Theory};

/// Number of deals that the bars are of.
const DEALS: f64 = 1e6;

/// Plots of one quantity, one for all seats with the same distribution.
#[derive(Clone, Debug)]
pub(crate) struct TheoryFigure {
    pub(crate) title: &'static str,
    pub(crate) plots: Vec<Plot>,
}

/// The figures of shapes and high-card points.
#[must_use]
pub(crate) fn theory_figures(theory: &Theory) -> Vec<TheoryFigure> {
    let shapes: Vec<String> = Shape::all().map(|shape| shape.to_string()).collect();
    let points: Vec<String> = (0..38).map(|hcp| hcp.to_string()).collect();
    let of_shapes = Seat::ALL.map(|seat| theory.shapes(seat));
    let of_points = Seat::ALL.map(|seat| theory.hcp(seat));
    vec![
        figure("Shapes", "shape", &shapes, of_shapes.each_ref()),
        figure("High-card points", "HCP", &points, of_points),
    ]
}

fn figure(
    title: &'static str,
    outcome: &str,
    names: &[String],
    seats: [&Distribution; 4],
) -> TheoryFigure {
    let plots = Distribution::by_seats(seats).into_iter();
    let plots = plots.map(|(seats, of)| plot(&capital(&seats), outcome, names, of));
    TheoryFigure {
        title,
        plots: plots.collect(),
    }
}

fn plot(title: &str, outcome: &str, names: &[String], of: &Distribution) -> Plot {
    let shares = names.iter().enumerate().map(|(place, name)| {
        let share = of.probability(place);
        (name, share.ways, share.to_f64())
    });
    let possible: Vec<_> = shares.filter(|(_, ways, _)| *ways > 0).collect();
    let most = possible
        .iter()
        .max_by(|one, other| one.2.total_cmp(&other.2));
    let most = most.map_or_else(String::new, |(name, _, share)| {
        format!(" Most frequent: {name}, {}.", percent(*share, 3))
    });
    let outcomes = possible.iter().map(|(name, _, share)| BarOutcome {
        name: (*name).clone(),
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
