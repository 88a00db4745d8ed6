//! Histograms of p-values.

use super::axis::PlotAxis;
use super::frame::{Frame, GridLines, Mark, largest};
use super::palette::{EXPECTED, OBSERVED};

/// The counts of p-values in bins of one width: a bar for each bin from p = 0 to p = 1, and a dark
/// line at the mean count, which is expected of every bin.
pub(crate) fn histogram(bins: &[u64]) -> String {
    let counts = bins.iter().map(|count| *count as f64);
    let expected = counts.clone().sum::<f64>() / bins.len().max(1) as f64;
    let most = largest(counts.clone()).unwrap_or(0.0);
    let frame = Frame {
        height: 180,
        x: PlotAxis::linear(0.0, 1.0, 5),
        y: PlotAxis::from_zero(most, 4, 1.0),
        x_title: "p".to_owned(),
        y_title: "tests".to_owned(),
        lines: GridLines::Level,
        key: vec![(Mark::Bar, "observed"), (Mark::Level, "expected")],
    };
    let width = 1.0 / bins.len().max(1) as f64;
    frame.svg(|chart| {
        for (bin, count) in counts.enumerate().filter(|(_, count)| *count > 0.0) {
            let (left, right) = ((bin as f64 + 0.06) * width, (bin as f64 + 0.94) * width);
            chart.bar((left, 0.0), (right, count), OBSERVED);
        }
        chart.line(&[(0.0, expected), (1.0, expected)], EXPECTED, 1.8);
    })
}
