//! Funnel plots: deviations of counts by their expectations.

use super::axis::{PlotAxis, decimal};
use super::frame::{
    Beyond, Chart, Frame, GridLines, Mark, WIDTH, arrowhead, diamond, largest, smallest,
};
use super::palette::{ALARM, AXIS, BAND, BAND_INSIDE, OBSERVED};
use super::svg::{Across, Down, Pixel, TEXT, UNIT, text_width};

/// One count, measured in standard deviations.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Deviation {
    /// The expected count.
    pub(crate) expected: f64,
    /// The deviation in standard deviations.
    pub(crate) z: f64,
    /// The outcome.
    pub(crate) name: String,
    /// Whether it lies outside the band.
    pub(crate) is_outside: bool,
}

/// Counts, with the band that holds all of them with 99.9 % confidence.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Funnel {
    /// The counts.
    pub(crate) points: Vec<Deviation>,
    /// The lower edge of the band: expected count and z, from left to right.
    pub(crate) lower: Vec<(f64, f64)>,
    /// The upper edge.
    pub(crate) upper: Vec<(f64, f64)>,
}

/// Maximum number of named points.
const MOST_NAMED: usize = 5;

/// A point for every count: the expected count on a logarithmic x axis, z on the y axis. The band
/// is grey between two lines. Points inside it are small and round; points outside are larger
/// diamonds in the alarm colour, and the five farthest from zero have names. The y axis extends to
/// at most three times the width of the band at the largest expected count, so that the band leaves
/// the plot at small ones. Points outside the band and beyond the axis are arrowheads at the edge.
/// Counts without expectation or without z are not drawn.
pub(crate) fn funnel(funnel: &Funnel) -> String {
    let shown: Vec<&Deviation> = funnel
        .points
        .iter()
        .filter(|point| is_shown(point))
        .collect();
    let (left, right) = funnel.reach(&shown);
    let high = funnel.highest(&shown);
    let frame = Frame {
        height: 260,
        x: PlotAxis::log(left, right),
        y: PlotAxis::linear(-high, high, 6),
        x_title: "expected count".to_owned(),
        y_title: "z".to_owned(),
        lines: GridLines::Level,
        key: vec![(Mark::Point, "inside the band"), (Mark::Outside, "outside")],
    };
    frame.svg(|chart| {
        let within = |edge: &[(f64, f64)]| -> Vec<(f64, f64)> {
            let points = edge.iter();
            points.map(|&(x, z)| (x, z.clamp(-high, high))).collect()
        };
        let (lower, upper) = (within(&funnel.lower), within(&funnel.upper));
        let around = upper.iter().chain(lower.iter().rev());
        let around: Vec<(f64, f64)> = around.copied().collect();
        chart.inside(&around, BAND_INSIDE);
        chart.line(&[(left, 0.0), (right, 0.0)], AXIS, 0.8);
        let (mut outside, inside): (Vec<&Deviation>, Vec<&Deviation>) =
            shown.iter().copied().partition(|point| point.is_outside);
        for point in inside {
            let place = chart.place(point.expected, point.z.clamp(-high, high));
            chart.canvas.dot(place, 1.3, OBSERVED);
        }
        chart.line(&lower, BAND, 1.2);
        chart.line(&upper, BAND, 1.2);
        for point in &outside {
            let place = chart.place(point.expected, point.z);
            match point.z {
                z if z > high => arrowhead(&mut chart.canvas, place, Beyond::Above, ALARM),
                z if z < -high => arrowhead(&mut chart.canvas, place, Beyond::Below, ALARM),
                _ => diamond(&mut chart.canvas, place, ALARM),
            }
        }
        let marks = outside
            .iter()
            .map(|point| chart.place(point.expected, point.z));
        let marks: Vec<Pixel> = marks.collect();
        outside.sort_by(|a, b| b.z.abs().total_cmp(&a.z.abs()));
        outside.truncate(MOST_NAMED);
        let ends = (chart.place(right, high).1, chart.place(right, -high).1);
        name_points(chart, &outside, &marks, ends);
    })
}

fn is_shown(point: &Deviation) -> bool {
    point.expected.is_finite() && point.expected > 0.0 && !point.z.is_nan()
}

impl Funnel {
    /// The smallest and largest expected counts, with a margin.
    fn reach(&self, shown: &[&Deviation]) -> (f64, f64) {
        let edges = self
            .lower
            .iter()
            .chain(&self.upper)
            .map(|(expected, _)| *expected);
        let all = || {
            let points = shown.iter().map(|point| point.expected);
            points
                .chain(edges.clone())
                .filter(|expected| *expected > 0.0)
        };
        let least = smallest(all()).unwrap_or(1.0);
        let most = largest(all()).unwrap_or(100.0);
        (least / 1.4, most * 1.4)
    }

    /// The highest z on the axis.
    fn highest(&self, shown: &[&Deviation]) -> f64 {
        // The width at the largest expected count. At small ones the band is many times as wide,
        // and the other points would be too close together.
        let last = [&self.lower, &self.upper].map(|edge| edge.last().map(|(_, z)| z.abs()));
        let band = largest(last.into_iter().flatten()).unwrap_or(4.0);
        let band = band.clamp(1.0, 1e6);
        let farthest = largest(shown.iter().map(|point| point.z.abs())).unwrap_or(0.0);
        (1.5 * band).max((1.1 * farthest).min(3.0 * band))
    }
}

/// The distances, in lines, by which a name is moved to avoid overlaps: away from zero first.
const MOVES: [i32; 9] = [0, 1, 2, -1, 3, -2, 4, -3, 5];
/// The distance of a name from its point, in pixels.
const APART: i32 = 8 * UNIT;

/// Writes names beside points, each at the first of several places where it touches no other name
/// and no mark. A thin line joins a moved name to its point. `ends` are the top and bottom of the
/// plot.
fn name_points(chart: &mut Chart, points: &[&Deviation], marks: &[Pixel], ends: Pixel) {
    let half = TEXT * UNIT / 2 + UNIT;
    let mut taken: Vec<PlotArea> = marks.iter().map(|&mark| PlotArea::around(mark)).collect();
    for point in points {
        let mark = chart.place(point.expected, point.z);
        let text = named(point);
        let width = text_width(&text) * UNIT;
        let is_left = mark.0 + APART + width > WIDTH * UNIT;
        let left = if is_left {
            mark.0 - APART - width
        } else {
            mark.0 + APART
        };
        let outwards = if point.z > 0.0 { -1 } else { 1 };
        let spaces = MOVES.into_iter().map(|lines| {
            let middle = mark.1 + outwards * lines * 2 * half;
            let middle = middle.clamp(ends.0 + half, (ends.1 - half).max(ends.0 + half));
            PlotArea {
                left,
                right: left + width,
                top: middle - half,
                bottom: middle + half,
            }
        });
        let mut free = spaces.filter(|space| !taken.iter().any(|other| other.touches(space)));
        let Some(space) = free.next() else { continue };
        let middle = space.top + half;
        let (from, across) = match is_left {
            true => (space.right, Across::Right),
            false => (space.left, Across::Left),
        };
        if (middle - mark.1).abs() > half {
            chart.canvas.line(&[mark, (from, middle)], AXIS, 0.6);
        }
        chart
            .canvas
            .write(&text, (from, middle), across, Down::Centre);
        taken.push(space);
    }
}

/// A point's name, cut to 28 characters, and its z.
fn named(point: &Deviation) -> String {
    let name: String = point.name.chars().take(28).collect();
    let sign = if point.z > 0.0 { "+" } else { "" };
    format!("{name} {sign}{}", decimal(point.z, 1))
}

/// A part of the canvas, in pixels.
#[derive(Clone, Copy, Debug)]
struct PlotArea {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
}

impl PlotArea {
    /// The space of a mark.
    fn around((x, y): Pixel) -> Self {
        let reach = 4 * UNIT;
        Self {
            left: x - reach,
            right: x + reach,
            top: y - reach,
            bottom: y + reach,
        }
    }

    fn touches(&self, other: &Self) -> bool {
        let beside = self.right <= other.left || other.right <= self.left;
        let apart = self.bottom <= other.top || other.bottom <= self.top;
        !beside && !apart
    }
}
