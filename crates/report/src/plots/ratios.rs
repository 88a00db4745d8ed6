//! Ratios of observed to expected counts, with confidence bars.

use super::axis::{PlotAxis, decimal};
use super::frame::{Chart, Direction, Mark, arrowhead, diamond};
use super::palette::{ALARM, EXPECTED, OBSERVED};
use crate::stats::elementary::log10;

/// The relative deviation of one outcome's count from its expectation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DeviationRatio {
    /// The outcome's name: `5-3-3-2`, `12`.
    pub(crate) name: String,
    /// Observed / expected - 1.
    pub(crate) deviation: f64,
    /// The lower end of the confidence bar.
    pub(crate) low: f64,
    /// The upper end.
    pub(crate) high: f64,
}

/// The ratios of several outcomes: a seat's shapes, a suit's lengths.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ratios {
    /// The outcomes in their order, about 40 at most.
    pub(crate) outcomes: Vec<DeviationRatio>,
    /// The kind of outcome: `HCP`.
    pub(crate) outcome: String,
    /// The ends of the axis: [`half_range`] of all plots of a figure.
    pub(crate) half_range: f64,
}

/// Half-ranges of the axis. The last is for samples that resolve no deviation of 10 %.
const HALF_RANGES: [f64; 12] = [
    1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 1.0,
];
/// The widest half-range of samples that resolve a deviation of 10 %. A deviation of 5 % is then at
/// least halfway from the line to the edge.
const RESOLVED: f64 = 0.1;
/// Bars this many times as wide as the narrowest need not fit.
const COMPARABLE: f64 = 4.0;

impl DeviationRatio {
    /// Whether the bar excludes the expected value.
    pub(crate) fn is_outside(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }

    fn width(&self) -> f64 {
        self.high - self.low
    }

    /// The largest distance of the bar from the line.
    fn reach(&self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    fn is_finite(&self) -> bool {
        [self.deviation, self.low, self.high]
            .iter()
            .all(|value| value.is_finite())
    }
}

/// A point for every outcome at its relative deviation, with its confidence bar, around the dark
/// line of the expectation. Bars that exclude the line have the alarm colour and a diamond. Points
/// beyond the axis are arrowheads at its edge.
pub(crate) fn ratios(ratios: &Ratios) -> String {
    let names = || ratios.outcomes.iter().map(|ratio| &*ratio.name);
    let (direction, half) = (Direction::of(names()), ratios.half_range);
    let titles = [&ratios.outcome, "deviation from expected"].map(str::to_owned);
    let key = vec![(Mark::Point, "inside"), (Mark::Outside, "outside")];
    let (names, values) = (PlotAxis::of_names(names()), deviations_axis(half));
    let frame = direction.frame(200, names, values, titles, key);
    let last = ratios.outcomes.len().max(1) as f64 - 0.5;
    frame.svg(|chart| {
        let line = [-0.5, last].map(|place| direction.point(place, 0.0));
        chart.line(&line, EXPECTED, 1.2);
        for (place, ratio) in ratios.outcomes.iter().enumerate() {
            if ratio.is_finite() {
                draw(chart, ratio, half, direction, place as f64);
            }
        }
    })
}

fn draw(chart: &mut Chart, ratio: &DeviationRatio, half: f64, direction: Direction, place: f64) {
    let at = |value: f64| direction.point(place, value.clamp(-half, half));
    let colour = if ratio.is_outside() { ALARM } else { OBSERVED };
    chart.line(&[at(ratio.low), at(ratio.high)], colour, 2.0);
    let (x, y) = at(ratio.deviation);
    let place = chart.place(x, y);
    let (canvas, [below, above]) = (&mut chart.canvas, direction.ends());
    match ratio.deviation {
        value if value > half => arrowhead(canvas, place, above, colour),
        value if value < -half => arrowhead(canvas, place, below, colour),
        _ if ratio.is_outside() => diamond(canvas, place, colour),
        _ => canvas.dot(place, 2.6, colour),
    }
}

/// The half-range of an axis that fits the bars of the most precisely measured outcomes: at most 10
/// %, or at most 100 % if every bar is wider than that.
pub(crate) fn half_range(outcomes: &[DeviationRatio]) -> f64 {
    let finite = || outcomes.iter().filter(|ratio| ratio.is_finite());
    let narrowest = finite()
        .map(DeviationRatio::width)
        .fold(f64::INFINITY, f64::min);
    let comparable = finite().filter(|ratio| ratio.width() <= COMPARABLE * narrowest);
    let needed = comparable.map(DeviationRatio::reach).fold(0.0, f64::max);
    let most = if narrowest <= 2.0 * RESOLVED {
        RESOLVED
    } else {
        1.0
    };
    let enough = HALF_RANGES.into_iter().find(|half| *half >= needed);
    enough.unwrap_or(1.0).min(most)
}

/// An axis from `-half` to `half`, with five ticks as percentages.
fn deviations_axis(half: f64) -> PlotAxis {
    let step = half / 2.0;
    let decimals = (-log10(100.0 * step) - 1e-9).ceil().max(0.0) as usize;
    let decimals = match (100.0 * step * 10f64.powi(decimals as i32)).fract() {
        fraction if fraction.min(1.0 - fraction) < 1e-6 => decimals,
        _ => decimals + 1,
    };
    let tick = |place: i32| {
        let value = f64::from(place) * step;
        let sign = if place > 0 { "+" } else { "" };
        let text = match place {
            0 => "0".to_owned(),
            _ => format!("{sign}{} %", decimal(100.0 * value, decimals)),
        };
        (value, text)
    };
    PlotAxis::with_ticks(-half, half, (-2..=2).map(tick).collect())
}
