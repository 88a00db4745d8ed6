//! Axes: their range, ticks and labels.

use super::svg::text_width;
use crate::printable::thousands;
use crate::stats::elementary::{ln, log10, powf};

/// The scale of an axis of counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AxisScale {
    /// From zero, in equal steps.
    Linear,
    /// In decades.
    Log,
}

/// Values along a line, with ticks. Values beyond an end map to that end.
#[derive(Clone, Debug)]
pub(super) struct PlotAxis {
    low: f64,
    high: f64,
    logarithmic: bool,
    ticks: Vec<(f64, String)>,
}

impl PlotAxis {
    /// An axis between two values, with about `steps` equal steps.
    pub(super) fn linear(low: f64, high: f64, steps: u32) -> Self {
        let (low, high) = sound(low, high, (0.0, 1.0));
        let step = round_step((high - low) / f64::from(steps.max(1)));
        let values = multiples(low, high, step);
        Self::with_values(low, high, &values, step)
    }

    /// An axis from zero to a tick at or above `highest`, in steps of at least `shortest`.
    pub(super) fn from_zero(highest: f64, steps: u32, shortest: f64) -> Self {
        let (_, highest) = sound(0.0, highest, (0.0, 1.0));
        let step = round_step(highest / f64::from(steps.max(1))).max(shortest);
        let high = (highest / step - 1e-9).ceil().max(1.0) * step;
        Self::with_values(0.0, high, &multiples(0.0, high, step), step)
    }

    fn with_values(low: f64, high: f64, values: &[f64], step: f64) -> Self {
        let ticks = values.iter().copied().zip(labels(values, step));
        Self::with_ticks(low, high, ticks.collect())
    }

    /// A logarithmic axis between two positive values. It has ticks at powers of ten; if there are
    /// fewer than three, also at 2 and 5 times these.
    pub(super) fn log(low: f64, high: f64) -> Self {
        let (low, high) = match sound(low, high, (1.0, 10.0)) {
            (low, high) if low > 0.0 => (low, high),
            _ => (1.0, 10.0),
        };
        let (first, last) = (log10(low).floor() as i32, log10(high).ceil() as i32);
        let decades = |parts: &[f64]| -> Vec<f64> {
            let all = (first..=last).flat_map(|decade| {
                parts
                    .iter()
                    .map(move |part| part * 10f64.powi(decade))
                    .collect::<Vec<f64>>()
            });
            all.filter(|value| (low * 0.999..=high * 1.001).contains(value))
                .collect()
        };
        let mut values = decades(&[1.0]);
        if values.len() < 3 {
            values = decades(&[1.0, 2.0, 5.0]);
        }
        let label = |value: f64| (value, short(value));
        Self {
            low,
            high,
            logarithmic: true,
            ticks: values.into_iter().map(label).collect(),
        }
    }

    /// An axis of names: the first at 0, the next at 1.
    pub(super) fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let named = |(place, name): (usize, &str)| (place as f64, name.to_owned());
        let ticks: Vec<_> = names.into_iter().enumerate().map(named).collect();
        Self::with_ticks(-0.5, ticks.len().max(1) as f64 - 0.5, ticks)
    }

    /// An axis between two values, with these ticks.
    pub(super) fn with_ticks(low: f64, high: f64, ticks: Vec<(f64, String)>) -> Self {
        let (low, high) = sound(low, high, (0.0, 1.0));
        Self {
            low,
            high,
            logarithmic: false,
            ticks,
        }
    }

    /// Returns the axis reversed: the highest value where the lowest was.
    pub(super) fn reversed(self) -> Self {
        Self {
            low: self.high,
            high: self.low,
            ..self
        }
    }

    /// The lowest value.
    pub(super) fn low(&self) -> f64 {
        self.low
    }

    /// The width of the widest label, in units.
    pub(super) fn label_width(&self) -> i32 {
        let widths = self.ticks.iter().map(|(_, label)| text_width(label));
        widths.max().unwrap_or(0)
    }

    /// The width of the last label, in units.
    pub(super) fn last_label_width(&self) -> i32 {
        self.ticks.last().map_or(0, |(_, label)| text_width(label))
    }

    /// Removes labels until the rest do not touch on an axis of `length` units: all except every
    /// second, fifth, tenth .. label. `taken` is the room that a label takes.
    pub(super) fn thin(&mut self, length: i32, taken: impl Fn(&str) -> i32) {
        let centre = |(value, label): &(f64, String)| (self.share(*value), taken(label));
        let places: Vec<(f64, i32)> = self.ticks.iter().map(centre).collect();
        let stands_free = |stride: usize| {
            let kept: Vec<(f64, i32)> = places.iter().step_by(stride).copied().collect();
            kept.windows(2).all(|pair| {
                let between = (pair[1].0 - pair[0].0).abs() * f64::from(length);
                between >= f64::from(pair[0].1 + pair[1].1) / 2.0 + 4.0
            })
        };
        let strides = [1, 2, 5, 10, 20, 50, 100];
        let stride = strides.into_iter().find(|&stride| stands_free(stride));
        let stride = stride.unwrap_or(usize::MAX);
        for (place, (_, label)) in self.ticks.iter_mut().enumerate() {
            if !place.is_multiple_of(stride) {
                label.clear();
            }
        }
    }

    /// The ticks: values and their labels, of which some are empty.
    pub(super) fn ticks(&self) -> &[(f64, String)] {
        &self.ticks
    }

    /// Maps a value to the pixels between those of the low and the high end.
    pub(super) fn place(&self, value: f64, (low, high): (i32, i32)) -> i32 {
        low + (f64::from(high - low) * self.share(value)).round() as i32
    }

    /// The position of a value, from 0 at the low end to 1 at the high end.
    fn share(&self, value: f64) -> f64 {
        let share = if self.logarithmic {
            (ln(value) - ln(self.low)) / (ln(self.high) - ln(self.low))
        } else {
            (value - self.low) / (self.high - self.low)
        };
        if share.is_nan() {
            0.0
        } else {
            share.clamp(0.0, 1.0)
        }
    }
}

/// Returns `low` and `high` if they can be the ends of an axis (finite and in order), else
/// `otherwise`.
fn sound(low: f64, high: f64, otherwise: (f64, f64)) -> (f64, f64) {
    let apart = high - low;
    if apart.is_finite() && apart > high.abs().max(low.abs()) * 1e-12 {
        (low, high)
    } else {
        otherwise
    }
}

/// The smallest of 1, 2, 5, 10, 20, 50 .. that is at least `least`.
fn round_step(least: f64) -> f64 {
    let decade = powf(10.0, log10(least).floor());
    let steps = [1.0, 2.0, 5.0].map(|part| part * decade);
    let long_enough = steps.into_iter().find(|step| *step >= least * (1.0 - 1e-9));
    long_enough.unwrap_or(10.0 * decade)
}

/// All multiples of a step between two values.
fn multiples(low: f64, high: f64, step: f64) -> Vec<f64> {
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    let count = (last - first).clamp(0.0, 100.0) as u32;
    (0..=count)
        .map(|place| (first + f64::from(place)) * step)
        .collect()
}

const PREFIXES: [(f64, &str); 5] = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];

/// The labels of ticks, all in one unit: 2,500; 10 k.
fn labels(values: &[f64], step: f64) -> Vec<String> {
    let largest = values
        .iter()
        .fold(0.0, |most: f64, value| most.max(value.abs()));
    let prefix = PREFIXES.into_iter().find(|(size, _)| largest >= *size);
    let (size, prefix) = match prefix {
        Some((size, prefix)) if largest >= 1e4 => (size, prefix),
        _ => (1.0, ""),
    };
    let decimals = (0..12).find(|&decimals| {
        let steps = step / size * 10f64.powi(decimals);
        (steps - steps.round()).abs() < 1e-6 * steps
    });
    let label = |value: &f64| match (decimals, prefix) {
        _ if *value == 0.0 => "0".to_owned(),
        (Some(decimals), "") => decimal(*value, decimals as usize),
        (Some(decimals), prefix) if largest < 1e18 => {
            format!("{}\u{a0}{prefix}", decimal(value / size, decimals as usize))
        }
        _ => power_of_ten(*value),
    };
    values.iter().map(label).collect()
}

/// Formats a number with decimals, commas between thousands, and a minus sign; a huge one as a
/// power of ten.
pub(super) fn decimal(value: f64, decimals: usize) -> String {
    if value.abs() >= 1e15 {
        return if value.is_finite() {
            power_of_ten(value)
        } else {
            infinity(value)
        };
    }
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let whole = whole.parse::<u128>().map_or(whole.to_owned(), thousands);
    let is_zero = text.chars().all(|symbol| matches!(symbol, '0' | '.'));
    match value < 0.0 && !is_zero {
        true => format!("\u{2212}{whole}{fraction}"),
        false => format!("{whole}{fraction}"),
    }
}

fn infinity(value: f64) -> String {
    match value {
        value if value.is_nan() => "?".to_owned(),
        value if value < 0.0 => "\u{2212}∞".to_owned(),
        _ => "∞".to_owned(),
    }
}

/// The label of one tick of a logarithmic axis: 0.01, 5, 20 k, 10⁻⁶.
fn short(value: f64) -> String {
    if !(1e-3..1e18).contains(&value) {
        return power_of_ten(value);
    }
    let prefix = PREFIXES.into_iter().find(|(size, _)| value >= size * 0.999);
    let (size, prefix) = prefix.unwrap_or((1.0, ""));
    let decimals = (-log10(value / size) - 1e-9).ceil().max(0.0) as usize;
    match decimal(value / size, decimals) {
        number if prefix.is_empty() => number,
        number => format!("{number}\u{a0}{prefix}"),
    }
}

fn power_of_ten(value: f64) -> String {
    let power = (log10(value.abs()) + 1e-9).floor();
    let first = (value / powf(10.0, power)).round();
    let exponent = power.to_string();
    let raised = exponent.chars().map(|digit| match digit {
        '-' => '\u{207b}',
        '1' => '\u{b9}',
        '2' => '\u{b2}',
        '3' => '\u{b3}',
        digit => {
            let digit = digit.to_digit(10).unwrap_or(0);
            char::from_u32(0x2070 + digit).unwrap_or('?')
        }
    });
    let raised: String = raised.collect();
    match first {
        1.0 => format!("10{raised}"),
        first => format!("{}·10{raised}", decimal(first, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels_of(axis: &PlotAxis) -> Vec<String> {
        axis.ticks
            .iter()
            .map(|(_, label)| label.replace('\u{a0}', " "))
            .collect()
    }

    #[test]
    fn ticks_are_round_and_end_at_or_above_the_highest() {
        assert_eq!(
            labels_of(&PlotAxis::from_zero(870.0, 5, 1.0)),
            ["0", "200", "400", "600", "800", "1,000"]
        );
        assert_eq!(
            labels_of(&PlotAxis::from_zero(1e15, 4, 1.0)),
            ["0", "0.5 P", "1.0 P"]
        );
        assert_eq!(
            labels_of(&PlotAxis::from_zero(23_000.0, 5, 1.0)),
            ["0", "5 k", "10 k", "15 k", "20 k", "25 k"]
        );
        assert_eq!(labels_of(&PlotAxis::from_zero(1.0, 5, 1.0)), ["0", "1"]);
        assert_eq!(
            labels_of(&PlotAxis::linear(-4.2, 4.2, 5)),
            ["\u{2212}4", "\u{2212}2", "0", "2", "4"]
        );
    }

    #[test]
    fn decades_have_names_from_the_smallest_to_the_largest() {
        assert_eq!(
            labels_of(&PlotAxis::log(1e-5, 1e3)),
            [
                "10⁻⁵", "10⁻⁴", "0.001", "0.01", "0.1", "1", "10", "100", "1 k"
            ]
        );
        assert_eq!(
            labels_of(&PlotAxis::log(9e3, 3e5)),
            ["10 k", "20 k", "50 k", "100 k", "200 k"]
        );
    }

    #[test]
    fn labels_that_would_touch_are_left_out_evenly() {
        let mut axis = PlotAxis::of_names(["10", "11", "12", "13", "14"]);
        axis.thin(60, text_width);
        assert_eq!(labels_of(&axis), ["10", "", "12", "", "14"]);
    }

    #[test]
    fn ends_that_are_no_numbers_give_some_axis_all_the_same() {
        for (low, high) in [
            (0.0, 0.0),
            (f64::NAN, 1.0),
            (3.0, f64::INFINITY),
            (5.0, 1.0),
            (-1e308, 1e308),
        ] {
            for axis in [
                PlotAxis::linear(low, high, 5),
                PlotAxis::from_zero(high, 5, 1.0),
                PlotAxis::log(low, high),
            ] {
                assert!(
                    axis.low < axis.high && (axis.high - axis.low).is_finite(),
                    "{axis:?}"
                );
                assert!(!axis.ticks.is_empty() && axis.ticks.len() < 50, "{axis:?}");
            }
        }
    }
}
