//! Line plots: latency by percentile, speed by time.

use super::axis::PlotAxis;
use super::frame::{Frame, GridLines, largest, smallest};
use super::palette::TREND;
use crate::stats::elementary::log10;

/// A line of nanoseconds per deal by percentile; each point is a percentile and a time. The axis of
/// percentiles gives the same room to 0 to 90 %, to 90 to 99 %, and to each further nine: 99.9 %,
/// 99.99 %. If the slowest time is more than 30 times the fastest, the axis of times is
/// logarithmic.
pub(crate) fn percentiles(points: &[(f64, f64)]) -> String {
    let nines = |percentile: f64| -log10(1.0 - percentile.clamp(0.0, 100.0) / 100.0);
    let sound = sound(points);
    let last = largest(sound.iter().map(|(percentile, _)| nines(*percentile)));
    // 100 % would be infinitely far away: it is drawn at the end of the axis.
    let last = last.unwrap_or(1.0).ceil().clamp(1.0, 12.0);
    let most = largest(sound.iter().map(|(_, ns)| *ns)).unwrap_or(0.0);
    let least = smallest(sound.iter().map(|(_, ns)| *ns)).unwrap_or(0.0);
    let is_wide = least > 0.0 && most > 30.0 * least;
    let x = PlotAxis::with_ticks(0.0, last, (0..=last as u32).map(nines_label).collect());
    let y = match is_wide {
        true => PlotAxis::log(least / 1.2, most * 1.2),
        false => PlotAxis::from_zero(most, 4, 0.0),
    };
    let points = sound
        .iter()
        .map(|(percentile, ns)| (nines(*percentile), *ns));
    line(200, [x, y], ["percentile", "ns per deal"], points)
}

/// The points that are finite and not negative.
fn sound(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let is_sound = |(x, y): &&(f64, f64)| x.is_finite() && y.is_finite() && *y >= 0.0;
    points.iter().filter(is_sound).copied().collect()
}

/// A line through points, with the axes and their titles.
fn line(
    height: i32,
    [x, y]: [PlotAxis; 2],
    titles: [&str; 2],
    points: impl Iterator<Item = (f64, f64)>,
) -> String {
    let [x_title, y_title] = titles.map(str::to_owned);
    let frame = Frame {
        height,
        x,
        y,
        x_title,
        y_title,
        lines: GridLines::Level,
        key: Vec::new(),
    };
    frame.svg(|chart| chart.line(&points.collect::<Vec<_>>(), TREND, 2.0))
}

/// The tick of a number of nines, labelled in per cent: 0, 90, 99, 99.9.
fn nines_label(nines: u32) -> (f64, String) {
    let label = match nines {
        0 => "0".to_owned(),
        1 => "90".to_owned(),
        2 => "99".to_owned(),
        nines => format!("99.{}", "9".repeat(nines as usize - 2)),
    };
    (f64::from(nines), label)
}

/// A line of deals per second by the time since the run began; each point is a time in seconds and
/// a rate. The axis of rates begins at zero; the axis of times is in seconds, minutes or hours.
pub(crate) fn pace(points: &[(f64, f64)]) -> String {
    let sound = sound(points);
    let seconds = || sound.iter().map(|(second, _)| *second);
    let last = largest(seconds()).unwrap_or(1.0);
    let (unit, name) = match last {
        last if last >= 10_800.0 => (3_600.0, "hours"),
        last if last >= 300.0 => (60.0, "minutes"),
        _ => (1.0, "seconds"),
    };
    let first = smallest(seconds()).unwrap_or(0.0).min(0.0);
    let x = PlotAxis::linear(first / unit, last / unit, 5);
    let most = largest(sound.iter().map(|(_, pace)| *pace)).unwrap_or(0.0);
    let y = PlotAxis::from_zero(most, 4, 0.0);
    let points = sound.iter().map(|(second, pace)| (second / unit, *pace));
    line(180, [x, y], [name, "deals per second"], points)
}
