//! Histograms of p-values.

use super::axis::PlotAxis;
use super::frame::{Frame, GridLines, Mark, largest};
use super::palette::{EXPECTED, OBSERVED};

/// Counts of p-values by bin.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Histogram {
    /// Bins of one width from 0 to 1, commonly 20.
    pub(crate) bins: Vec<u64>,
    /// The expected count of a bin.
    pub(crate) expected: Option<f64>,
    /// The counted unit: `tests`.
    pub(crate) counted: String,
}

/// A bar for each bin from p = 0 to p = 1, and a dark line at the expected count.
pub(crate) fn histogram(histogram: &Histogram) -> String {
    let expected = histogram
        .expected
        .filter(|count| count.is_finite() && *count >= 0.0);
    let counts = histogram.bins.iter().map(|count| *count as f64);
    let most = largest(counts.clone().chain(expected)).unwrap_or(0.0);
    let frame = Frame {
        height: 180,
        x: PlotAxis::linear(0.0, 1.0, 5),
        y: PlotAxis::from_zero(most, 4, 1.0),
        x_title: "p".to_owned(),
        y_title: histogram.counted.clone(),
        lines: GridLines::Level,
        key: match expected {
            Some(_) => vec![(Mark::Bar, "observed"), (Mark::Level, "expected")],
            None => Vec::new(),
        },
    };
    let width = 1.0 / histogram.bins.len().max(1) as f64;
    frame.svg(|chart| {
        for (bin, count) in counts.enumerate().filter(|(_, count)| *count > 0.0) {
            let (left, right) = ((bin as f64 + 0.06) * width, (bin as f64 + 0.94) * width);
            chart.bar((left, 0.0), (right, count), OBSERVED);
        }
        if let Some(level) = expected {
            chart.line(&[(0.0, level), (1.0, level)], EXPECTED, 1.8);
        }
    })
}
