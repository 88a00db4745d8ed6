//! Bar plots of observed and expected counts.

use super::AxisScale;
use super::axis::PlotAxis;
use super::frame::{Direction, Mark, arrowhead, largest, smallest};
use super::palette::{EXPECTED, OBSERVED};
use super::svg::text_width;
use crate::stats::elementary::{log10, powf};

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
    let direction = Direction::of(bars.outcomes.iter().map(|outcome| &*outcome.name));
    let (steps, [bar, line], mark) = match direction.is_upright {
        true => (5, [0.38, 0.48], Mark::Level),
        false => (4, [0.36, 0.46], Mark::Upright),
    };
    let counts = bars.counts_axis(steps);
    let low = counts.low();
    let titles = [&bars.outcome, &bars.counted].map(Clone::clone);
    let frame = direction.frame(220, bars.names_axis(), counts, titles, bars.key(mark));
    let at = |place: f64, count: f64| direction.point(place, count);
    frame.svg(|chart| {
        for (place, count) in bars.observed() {
            chart.bar(at(place - bar, low), at(place + bar, count), OBSERVED);
        }
        for (place, count) in bars.expected() {
            if count < low {
                let (x, y) = at(place, low);
                let tip = chart.place(x, y);
                arrowhead(&mut chart.canvas, tip, direction.ends()[0], EXPECTED);
            } else {
                let ends = [at(place - line, count), at(place + line, count)];
                chart.line(&ends, EXPECTED, 1.8);
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
        let decade = |exponent: f64| powf(10.0, exponent);
        let low = decade(log10(least.max(LEAST_SHOWN)).floor());
        PlotAxis::log(low, decade(log10(most.max(low * 10.0)).ceil()))
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
