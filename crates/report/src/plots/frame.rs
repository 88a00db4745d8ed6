//! The frame of a plot: axes, marks and a key.

use super::axis::PlotAxis;
use super::palette::{ALARM, AXIS, EXPECTED, GRID, OBSERVED, RgbColour};
use super::svg::{Across, Canvas, Down, Pixel, TEXT, UNIT, text_width};

/// The width of every plot, in units.
pub(super) const WIDTH: i32 = 360;

/// The room above the plot, in units: titles and keys.
const ABOVE: i32 = TEXT + 12;

/// Axes with titles, grid lines and a key.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) height: i32,
    pub(super) x: PlotAxis,
    pub(super) y: PlotAxis,
    /// Below the x axis.
    pub(super) x_title: String,
    /// Above the y axis.
    pub(super) y_title: String,
    pub(super) lines: GridLines,
    /// The key, above the plot at the right.
    pub(super) key: Vec<(Mark, &'static str)>,
}

/// Which ticks have lines across the plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GridLines {
    /// Those of the x axis.
    Upright,
    /// Those of the y axis.
    Level,
}

/// The longest name of a column, in characters. Longer names get rows.
const LONGEST_UPRIGHT: usize = 3;

/// The direction in which the values of named outcomes are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction {
    /// Whether outcomes are columns; otherwise they are rows, the first at the top.
    pub(super) is_upright: bool,
}

impl Direction {
    /// Columns if all names are short.
    pub(super) fn of<'n>(mut names: impl Iterator<Item = &'n str>) -> Self {
        let is_upright = names.all(|name| name.chars().count() <= LONGEST_UPRIGHT);
        Self { is_upright }
    }

    /// A frame with the titles of names and values. `height` is that of columns.
    pub(super) fn frame(
        self,
        height: i32,
        names: PlotAxis,
        values: PlotAxis,
        [of_names, of_values]: [String; 2],
        key: Vec<(Mark, &'static str)>,
    ) -> Frame {
        let rows = names.ticks().len().min(500) as i32;
        match self.is_upright {
            true => Frame {
                height,
                x: names,
                y: values,
                x_title: of_names,
                y_title: of_values,
                lines: GridLines::Level,
                key,
            },
            false => Frame {
                height: 60 + rows * 15,
                x: values,
                y: names.reversed(),
                x_title: of_values,
                y_title: of_names,
                lines: GridLines::Upright,
                key,
            },
        }
    }

    /// The x and y of a value of the outcome at a place.
    pub(super) fn point(self, place: f64, value: f64) -> (f64, f64) {
        match self.is_upright {
            true => (place, value),
            false => (value, place),
        }
    }

    /// Where arrowheads point for values below and above the axis.
    pub(super) fn ends(self) -> [Beyond; 2] {
        match self.is_upright {
            true => [Beyond::Below, Beyond::Above],
            false => [Beyond::Before, Beyond::After],
        }
    }
}

/// A mark in a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A bar of an observed count, or of a mean.
    Bar,
    /// A bar of a mean that is excluded as the largest.
    Faint,
    /// A level line of an expectation.
    Level,
    /// An upright line of an expectation.
    Upright,
    /// A point inside its band.
    Point,
    /// A point outside.
    Outside,
}

/// A plot within its axes.
pub(super) struct Chart {
    /// The canvas, with room for titles and labels around the plot.
    pub(super) canvas: Canvas,
    x: PlotAxis,
    y: PlotAxis,
    /// The pixels of the low and the high end of the x axis.
    across: (i32, i32),
    /// Those of the y axis.
    upwards: (i32, i32),
}

impl Frame {
    /// Returns the SVG of the axes and of the marks that `draw` makes.
    pub(super) fn svg(mut self, draw: impl FnOnce(&mut Chart)) -> String {
        let left = self.y.label_width().min(WIDTH / 2) + 8;
        let right = (self.x.last_label_width() / 2 + 2).clamp(6, WIDTH / 4);
        let bottom = self.height - if self.x_title.is_empty() { 20 } else { 34 };
        self.x.thin(WIDTH - left - right, text_width);
        self.y.thin(bottom - ABOVE, |_| TEXT - 2);
        let mut chart = Chart {
            canvas: Canvas::new(WIDTH, self.height),
            x: self.x,
            y: self.y,
            across: (left * UNIT, (WIDTH - right) * UNIT - 1),
            upwards: (bottom * UNIT - 1, ABOVE * UNIT),
        };
        chart.titles(&self.y_title, &self.key);
        let middle = (left + WIDTH - right) * UNIT / 2;
        let below = (middle, self.height * UNIT);
        chart
            .canvas
            .write(&self.x_title, below, Across::Centre, Down::Bottom);
        chart.axes(self.lines);
        draw(&mut chart);
        chart.canvas.to_string()
    }
}

impl Chart {
    /// Writes the title of the y axis, and the key.
    fn titles(&mut self, title: &str, key: &[(Mark, &str)]) {
        let canvas = &mut self.canvas;
        canvas.write(title, (0, 0), Across::Left, Down::Top);
        let mut right = WIDTH;
        for &(mark, meaning) in key.iter().rev() {
            right -= text_width(meaning);
            canvas.write(meaning, (right * UNIT, 0), Across::Left, Down::Top);
            right -= 10;
            mark.draw(canvas, (right * UNIT, 5 * UNIT));
            right -= 14;
        }
    }

    /// Draws grid lines, axes, ticks and their labels.
    fn axes(&mut self, lines: GridLines) {
        let Self { canvas, x, y, .. } = self;
        let ((left, right), (bottom, top)) = (self.across, self.upwards);
        let places = |axis: &PlotAxis, ends| -> Vec<(i32, String)> {
            let ticks = axis.ticks().iter();
            ticks
                .map(|(value, label)| (axis.place(*value, ends), label.clone()))
                .collect()
        };
        let (columns, rows) = (places(x, self.across), places(y, self.upwards));
        match lines {
            GridLines::Upright => {
                for &(x, _) in &columns {
                    canvas.line(&[(x, bottom), (x, top)], GRID, 0.8);
                }
            }
            GridLines::Level => {
                for &(y, _) in &rows {
                    canvas.line(&[(left, y), (right, y)], GRID, 0.8);
                }
            }
        }
        let (beside, below) = (left - 1, bottom + 1);
        canvas.line(&[(beside, top), (beside, bottom)], AXIS, 1.0);
        for (y, label) in rows {
            canvas.write(&label, (left - 6 * UNIT, y), Across::Right, Down::Centre);
            canvas.line(&[(beside - 3 * UNIT, y), (beside, y)], AXIS, 1.0);
        }
        canvas.line(&[(left, below), (right, below)], AXIS, 1.0);
        for (x, label) in columns {
            canvas.write(&label, (x, below + 6 * UNIT), Across::Centre, Down::Top);
            canvas.line(&[(x, below), (x, below + 3 * UNIT)], AXIS, 1.0);
        }
    }

    /// Maps two values to the canvas.
    pub(super) fn place(&self, x: f64, y: f64) -> Pixel {
        (self.x.place(x, self.across), self.y.place(y, self.upwards))
    }

    fn places(&self, points: &[(f64, f64)]) -> Vec<Pixel> {
        points.iter().map(|&(x, y)| self.place(x, y)).collect()
    }

    /// A filled rectangle between two corners.
    pub(super) fn bar(&mut self, from: (f64, f64), to: (f64, f64), colour: RgbColour) {
        let (one, other) = (self.place(from.0, from.1), self.place(to.0, to.1));
        self.canvas.rectangle(one, other, colour);
    }

    /// A line through some points.
    pub(super) fn line(&mut self, points: &[(f64, f64)], colour: RgbColour, width: f64) {
        let points = self.places(points);
        self.canvas.line(&points, colour, width);
    }

    /// A filled polygon.
    pub(super) fn inside(&mut self, points: &[(f64, f64)], colour: RgbColour) {
        let points = self.places(points);
        self.canvas.polygon(&points, colour);
    }
}

impl Mark {
    /// The mark in a key, left of its meaning, around a place.
    fn draw(self, canvas: &mut Canvas, (x, y): Pixel) {
        let half = 5 * UNIT;
        match self {
            Self::Bar | Self::Faint => {
                let colour = if self == Self::Bar { OBSERVED } else { GRID };
                canvas.rectangle((x - half + 10, y - half), (x + half - 10, y + half), colour);
            }
            Self::Level => canvas.line(&[(x - half, y), (x + half, y)], EXPECTED, 2.0),
            Self::Upright => canvas.line(&[(x, y - half), (x, y + half)], EXPECTED, 2.0),
            Self::Point => canvas.dot((x, y), 2.2, OBSERVED),
            Self::Outside => diamond(canvas, (x, y), ALARM),
        }
    }
}

/// A diamond, larger than a point.
pub(super) fn diamond(canvas: &mut Canvas, (x, y): Pixel, colour: RgbColour) {
    let reach = 9 * UNIT / 2;
    let corners = [
        (x, y - reach),
        (x + reach, y),
        (x, y + reach),
        (x - reach, y),
    ];
    canvas.polygon(&corners, colour);
}

/// Where an arrowhead points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    /// Above the highest value.
    Above,
    /// Below the lowest.
    Below,
    /// Left of the lowest, on a horizontal axis.
    Before,
    /// Right of the highest, on a horizontal axis.
    After,
}

/// An arrowhead with its tip at a place, for a value beyond the axis.
pub(super) fn arrowhead(canvas: &mut Canvas, (x, y): Pixel, beyond: Beyond, colour: RgbColour) {
    let (half, long) = (4 * UNIT, 7 * UNIT);
    let [one, other] = match beyond {
        Beyond::Above => [(x - half, y + long), (x + half, y + long)],
        Beyond::Below => [(x - half, y - long), (x + half, y - long)],
        Beyond::Before => [(x + long, y - half), (x + long, y + half)],
        Beyond::After => [(x - long, y - half), (x - long, y + half)],
    };
    canvas.polygon(&[(x, y), one, other], colour);
}

/// The largest finite value.
pub(super) fn largest(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let finite = values.into_iter().filter(|value| value.is_finite());
    finite.reduce(f64::max)
}

/// The smallest finite value.
pub(super) fn smallest(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let finite = values.into_iter().filter(|value| value.is_finite());
    finite.reduce(f64::min)
}
