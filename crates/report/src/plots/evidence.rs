//! The evidence S by number of deals.

use super::axis::{PlotAxis, decimal};
use super::frame::{Beyond, Frame, GridLines, arrowhead, diamond, largest, smallest};
use super::palette::{ALARM, AXIS, RgbColour, TREND};
use super::svg::{Across, Down, UNIT};
use crate::stats::elementary::ln;

/// The levels of S with a verdict, with the width and colour of their lines.
const LEVELS: [(f64, &str, f64, RgbColour); 3] = [
    (3.0, "SUSPICIOUS", 1.0, AXIS),
    (6.0, "VERY SUSPICIOUS", 1.0, AXIS),
    (9.0, "FAIL", 1.6, ALARM),
];

/// The highest S on the axis.
const HIGHEST: f64 = 27.0;
/// The lowest S on the axis.
const LOWEST: f64 = -9.0;

/// S by the number of deals of each look, `None` where no test was possible, on a logarithmic axis: a point for every look with evidence, joined by
/// a line, the last with its value. Lines at S = 3, 6 and 9 have the names of the levels. S above
/// 27 or below −9 is an arrowhead at the edge.
pub(crate) fn evidence(looks: &[(u64, Option<f64>)]) -> String {
    let known = looks.iter().filter_map(|&(deals, s)| {
        let s = s.filter(|s| !s.is_nan())?;
        (deals > 0).then_some((deals as f64, s))
    });
    let known: Vec<(f64, f64)> = known.collect();
    let values = || known.iter().map(|(_, s)| s.clamp(LOWEST, HIGHEST));
    let high = largest(values()).unwrap_or(0.0).max(11.0) + 1.0;
    let low = (smallest(values()).unwrap_or(0.0).min(0.0) / 3.0).floor() * 3.0;
    let deals = || known.iter().map(|(deals, _)| *deals);
    let first = smallest(deals()).unwrap_or(1e4);
    let last = largest(deals()).unwrap_or(1e6).max(first * 4.0);
    let steps = if high - low > 21.0 { 6 } else { 3 };
    let ticks = (-3..=9).map(|place| f64::from(place * steps));
    let ticks = ticks.filter(|tick| (low..=high).contains(tick));
    let frame = Frame {
        height: 220,
        x: PlotAxis::log(first / 1.3, last * 1.3),
        y: PlotAxis::with_ticks(
            low,
            high,
            ticks.map(|tick| (tick, decimal(tick, 0))).collect(),
        ),
        x_title: "deals".to_owned(),
        y_title: "S".to_owned(),
        lines: GridLines::Level,
        key: Vec::new(),
    };
    let (left, right) = (first / 1.3, last * 1.3);
    // Put the names of levels at the side that the line leaves free.
    let early = known
        .iter()
        .filter(|(deals, _)| ln(deals / left) < 0.4 * ln(right / left));
    let is_early = largest(early.map(|(_, s)| *s)).is_some_and(|s| s > 2.0);
    frame.svg(|chart| {
        for (level, name, width, colour) in LEVELS {
            chart.line(&[(left, level), (right, level)], colour, width);
            let ((x, y), across) = match is_early {
                true => (chart.place(right, level), Across::Right),
                false => (chart.place(left, level), Across::Left),
            };
            let x = if is_early { x - 2 * UNIT } else { x + 4 * UNIT };
            chart
                .canvas
                .write(name, (x, y - UNIT), across, Down::Bottom);
        }
        for pair in known
            .windows(2)
            .filter(|pair| !pair.iter().all(|(_, s)| is_beyond(*s)))
        {
            chart.line(pair, TREND, 1.5);
        }
        for &(deals, s) in &known {
            let place = chart.place(deals, s);
            let canvas = &mut chart.canvas;
            match s {
                s if s > HIGHEST => arrowhead(canvas, place, Beyond::Above, ALARM),
                s if s < LOWEST => arrowhead(canvas, place, Beyond::Below, TREND),
                s if s >= 9.0 => diamond(canvas, place, ALARM),
                _ => canvas.dot(place, 2.5, TREND),
            }
        }
        if let Some(&(deals, s)) = known.last() {
            let (x, y) = chart.place(deals, s);
            let text = format!("S = {}", decimal(s, 1));
            let (y, down) = match s > HIGHEST {
                true => (y + 10 * UNIT, Down::Top),
                false => (y - 5 * UNIT, Down::Bottom),
            };
            let place = (x + 4 * UNIT, y);
            chart.canvas.write(&text, place, Across::Right, down);
        }
    })
}

/// Whether S is beyond the axis.
fn is_beyond(s: f64) -> bool {
    !(LOWEST..=HIGHEST).contains(&s)
}
