//! Bar plots of observed and expected counts.

use super::AxisScale;
use super::axis::PlotAxis;
use super::frame::{Beyond, Frame, GridLines, Mark, arrowhead, largest, smallest};
use super::palette::{EXPECTED, OBSERVED};
use super::svg::text_width;

/// One outcome of several.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BarOutcome {
    /// Its name: `5-3-3-2`, `12`.
    pub(crate) name: String,
    /// The observed count.
    pub(crate) observed: u64,
    /// The expected count; `None` where no law is known.
    pub(crate) expected: Option<f64>,
}

/// The outcomes of one subject: a seat's shapes, a suit's lengths.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bars {
    /// The outcomes in their order, about 40 at most.
    pub(crate) outcomes: Vec<BarOutcome>,
    /// The kind of outcome: `HCP`.
    pub(crate) outcome: String,
    /// The counted unit: `deals`.
    pub(crate) counted: String,
    /// The scale of the counts.
    pub(crate) scale: AxisScale,
}

/// The longest name of a column, in characters. Longer names get rows.
const LONGEST_UPRIGHT: usize = 3;
/// Smaller expectations are drawn at the edge of a logarithmic axis.
const LEAST_SHOWN: f64 = 0.1;

/// A bar of the observed count for every outcome, with a dark mark across it at the expected count.
/// Outcomes with short names (numbers) are columns; if their names would collide, some are left out
/// at even distances. Other outcomes are rows. On a logarithmic axis bars begin at the smallest
/// decade with a count, an outcome that was not observed has no bar, and an expectation below 0.1
/// is an arrowhead at the edge.
///
/// Each series is an SVG of its own, so that a page can place the plots of four seats side by side
/// or below each other.
pub(crate) fn bars(bars: &Bars) -> String {
    let is_upright = |outcome: &BarOutcome| outcome.name.chars().count() <= LONGEST_UPRIGHT;
    if bars.outcomes.iter().all(is_upright) {
        columns(bars)
    } else {
        rows(bars)
    }
}

fn columns(bars: &Bars) -> String {
    let y = bars.counts_axis(5);
    let low = y.low();
    let frame = Frame {
        height: 220,
        x: bars.names_axis(),
        y,
        x_title: bars.outcome.clone(),
        y_title: bars.counted.clone(),
        lines: GridLines::Level,
        key: bars.key(Mark::Level),
    };
    frame.svg(|chart| {
        for (at, count) in bars.observed() {
            chart.bar((at - 0.38, low), (at + 0.38, count), OBSERVED);
        }
        for (at, count) in bars.expected() {
            if count < low {
                let place = chart.place(at, low);
                arrowhead(&mut chart.canvas, place, Beyond::Below, EXPECTED);
            } else {
                chart.line(&[(at - 0.48, count), (at + 0.48, count)], EXPECTED, 1.8);
            }
        }
    })
}

fn rows(bars: &Bars) -> String {
    let x = bars.counts_axis(4);
    let low = x.low();
    let rows = i32::try_from(bars.outcomes.len()).unwrap_or(i32::MAX / 100);
    let frame = Frame {
        height: 60 + rows.min(500) * 15,
        x,
        y: bars.names_axis().reversed(),
        x_title: bars.counted.clone(),
        y_title: bars.outcome.clone(),
        lines: GridLines::Upright,
        key: bars.key(Mark::Upright),
    };
    frame.svg(|chart| {
        for (at, count) in bars.observed() {
            chart.bar((low, at - 0.36), (count, at + 0.36), OBSERVED);
        }
        for (at, count) in bars.expected() {
            if count < low {
                let place = chart.place(low, at);
                arrowhead(&mut chart.canvas, place, Beyond::Before, EXPECTED);
            } else {
                chart.line(&[(count, at - 0.46), (count, at + 0.46)], EXPECTED, 1.8);
            }
        }
    })
}

impl Bars {
    fn names_axis(&self) -> PlotAxis {
        let cut = |name: &str| -> String {
            match name.char_indices().nth(24) {
                Some((end, _)) => format!("{}…", &name[..end]),
                None => name.to_owned(),
            }
        };
        let names: Vec<String> = self
            .outcomes
            .iter()
            .map(|outcome| cut(&outcome.name))
            .collect();
        PlotAxis::of_names(names.iter().map(String::as_str))
    }

    fn counts_axis(&self, steps: u32) -> PlotAxis {
        let counts = || {
            let both = |outcome: &BarOutcome| [outcome.expected, Some(outcome.observed as f64)];
            self.outcomes.iter().flat_map(both).flatten()
        };
        let most = largest(counts()).unwrap_or(0.0);
        if self.scale == AxisScale::Linear {
            return PlotAxis::from_zero(most, steps, 1.0);
        }
        let least = smallest(counts().filter(|count| *count > 0.0)).unwrap_or(1.0);
        let decade = |exponent: f64| 10f64.powf(exponent);
        let low = decade(least.max(LEAST_SHOWN).log10().floor());
        PlotAxis::log(low, decade(most.max(low * 10.0).log10().ceil()))
    }

    fn key(&self, mark: Mark) -> Vec<(Mark, &'static str)> {
        let is_known = self
            .outcomes
            .iter()
            .any(|outcome| outcome.expected.is_some());
        let is_short = text_width(&self.outcome) < 150 && text_width(&self.counted) < 150;
        match (is_known, is_short) {
            (true, true) => vec![(Mark::Bar, "observed"), (mark, "expected")],
            _ => Vec::new(),
        }
    }

    /// The places and counts of observed outcomes.
    fn observed(&self) -> impl Iterator<Item = (f64, f64)> {
        let all = self.outcomes.iter().enumerate();
        all.filter(|(_, outcome)| outcome.observed > 0)
            .map(|(place, outcome)| (place as f64, outcome.observed as f64))
    }

    /// The places and expected counts of outcomes.
    fn expected(&self) -> impl Iterator<Item = (f64, f64)> {
        let all = self.outcomes.iter().enumerate();
        all.filter_map(|(place, outcome)| Some((place as f64, outcome.expected?)))
            .filter(|(_, count)| count.is_finite() && *count >= 0.0)
    }
}
