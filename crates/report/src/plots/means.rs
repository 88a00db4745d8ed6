//! Bars of means, with their confidence limits.

use super::axis::PlotAxis;
use super::frame::{Direction, Mark, largest, smallest};
use super::palette::{EXPECTED, GRID, OBSERVED};

/// A mean of several that are compared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MeanBar {
    pub(crate) name: String,
    pub(crate) mean: f64,
    pub(crate) limits: [f64; 2],
    /// Whether it is excluded as the largest.
    pub(crate) is_excluded: bool,
}

/// A row for each mean: a bar from zero to the mean, faint if it is excluded, and a line from limit
/// to limit.
pub(crate) fn means(bars: &[MeanBar], [of_names, of_means]: [&str; 2]) -> String {
    let ends = || bars.iter().flat_map(|bar| bar.limits).chain([0.0]);
    let [low, high] = [smallest(ends()), largest(ends())].map(|end| end.unwrap_or(0.0));
    let names = PlotAxis::of_names(bars.iter().map(|bar| &*bar.name));
    let key = vec![
        (Mark::Bar, "may be best"),
        (Mark::Faint, "excluded"),
        (Mark::Level, "limits"),
    ];
    let rows = Direction { is_upright: false };
    let titles = [of_names, of_means].map(str::to_owned);
    let frame = rows.frame(0, names, PlotAxis::linear(low, high, 5), titles, key);
    frame.svg(|chart| {
        for (place, bar) in bars.iter().enumerate() {
            let place = place as f64;
            if !bar.mean.is_finite() {
                continue;
            }
            let colour = if bar.is_excluded { GRID } else { OBSERVED };
            chart.bar((0.0, place - 0.36), (bar.mean, place + 0.36), colour);
            let [low, high] = bar.limits;
            chart.line(&[(low, place), (high, place)], EXPECTED, 1.2);
        }
    })
}
