//! The frame of a plot: axes, marks and a key.

use super::axis::PlotAxis;
use super::palette::{ALARM, AXIS, EXPECTED, GRID, INK, OBSERVED};
use super::svg::{Area, Canvas, DrawingResult, TEXT, UNIT, svg, text_width};
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::ranged1d::AsRangedCoord;
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBColor, ShapeStyle, TextStyle};

/// The width of every plot, in units.
pub(super) const WIDTH: i32 = 360;

/// The room above the plot, in units: titles and keys.
const ABOVE: i32 = TEXT + 12;

/// A place on the canvas, in plotters' pixels.
pub(super) type Pixel = (i32, i32);

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

/// A mark in a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A bar of an observed count.
    Bar,
    /// A level line of an expectation.
    Level,
    /// An upright line of an expectation.
    Upright,
    /// A point inside its band.
    Point,
    /// A point outside.
    Outside,
}

/// plotters' own chart.
type Inner<'a> = ChartContext<'a, Canvas, Cartesian2d<PlotAxis, PlotAxis>>;

/// A plot within its axes.
pub(super) struct Chart<'a> {
    /// The whole canvas.
    pub(super) area: &'a Area,
    inner: Inner<'a>,
}

impl Frame {
    /// Returns the SVG of the axes and of the marks that `draw` makes.
    pub(super) fn svg(mut self, draw: impl FnOnce(&Chart<'_>) -> DrawingResult) -> String {
        let left = self.y.label_width().min(WIDTH / 2) + 8;
        let right = (self.x.last_label_width() / 2 + 2).clamp(6, WIDTH / 4);
        self.x.thin(WIDTH - left - right, text_width);
        self.y
            .thin(self.height - ABOVE - self.below(), |_| TEXT - 2);
        svg(WIDTH, self.height, |area| {
            self.title(area)?;
            let inner = self.axes(area, left, right)?;
            draw(&Chart { area, inner })
        })
    }

    /// The room for the x axis, in units.
    fn below(&self) -> i32 {
        if self.x_title.is_empty() { 20 } else { 34 }
    }

    fn title(&self, area: &Area) -> DrawingResult {
        write(area, &self.y_title, (0, 0), HPos::Left, VPos::Top)?;
        let mut right = WIDTH;
        for &(mark, meaning) in self.key.iter().rev() {
            right -= text_width(meaning);
            write(area, meaning, (right * UNIT, 0), HPos::Left, VPos::Top)?;
            right -= 10;
            mark.draw(area, (right * UNIT, 5 * UNIT))?;
            right -= 14;
        }
        Ok(())
    }

    fn axes<'a>(&self, area: &'a Area, left: i32, right: i32) -> DrawingResult<Inner<'a>> {
        let mut chart = ChartBuilder::on(area)
            .margin_top(ABOVE * UNIT)
            .margin_right(right * UNIT)
            .x_label_area_size(self.below() * UNIT)
            .y_label_area_size(left * UNIT)
            .build_cartesian_2d(AxisOf(self.x.clone()), AxisOf(self.y.clone()))?;
        let text = text_style();
        let mut mesh = chart.configure_mesh();
        match self.lines {
            GridLines::Upright => mesh.disable_y_mesh(),
            GridLines::Level => mesh.disable_x_mesh(),
        };
        mesh.bold_line_style(stroke(GRID, 0.8))
            .axis_style(stroke(AXIS, 1.0))
            .label_style(text.clone())
            .axis_desc_style(text)
            .set_all_tick_mark_size(3 * UNIT)
            .x_desc(self.x_title.clone())
            .draw()?;
        Ok(chart)
    }
}

/// An axis in the form that plotters requires.
struct AxisOf(PlotAxis);

impl From<AxisOf> for PlotAxis {
    fn from(axis: AxisOf) -> Self {
        axis.0
    }
}

impl AsRangedCoord for AxisOf {
    type CoordDescType = PlotAxis;
    type Value = f64;
}

impl Chart<'_> {
    /// Maps two values to the canvas.
    pub(super) fn place(&self, x: f64, y: f64) -> Pixel {
        self.inner.plotting_area().map_coordinate(&(x, y))
    }

    /// A filled rectangle between two corners.
    pub(super) fn bar(&self, from: (f64, f64), to: (f64, f64), colour: RGBColor) -> DrawingResult {
        let bar = Rectangle::new([from, to], colour.filled());
        self.inner.plotting_area().draw(&bar)
    }

    /// A line through some points.
    pub(super) fn line(
        &self,
        points: Vec<(f64, f64)>,
        colour: RGBColor,
        width: f64,
    ) -> DrawingResult {
        let line = PathElement::new(points, stroke(colour, width));
        self.inner.plotting_area().draw(&line)
    }

    /// A filled polygon.
    pub(super) fn inside(&self, points: Vec<(f64, f64)>, colour: RGBColor) -> DrawingResult {
        let inside = Polygon::new(points, colour.filled());
        self.inner.plotting_area().draw(&inside)
    }

    /// Text on the canvas.
    pub(super) fn write(
        &self,
        text: &str,
        place: Pixel,
        across: HPos,
        down: VPos,
    ) -> DrawingResult {
        write(self.area, text, place, across, down)
    }
}

impl Mark {
    /// The mark in a key, left of its meaning, around a place.
    fn draw(self, area: &Area, (x, y): Pixel) -> DrawingResult {
        let half = 5 * UNIT;
        match self {
            Self::Bar => {
                let corners = [(x - half + 10, y - half), (x + half - 10, y + half)];
                area.draw(&Rectangle::new(corners, OBSERVED.filled()))
            }
            Self::Level => {
                let ends = vec![(x - half, y), (x + half, y)];
                area.draw(&PathElement::new(ends, stroke(EXPECTED, 2.0)))
            }
            Self::Upright => {
                let ends = vec![(x, y - half), (x, y + half)];
                area.draw(&PathElement::new(ends, stroke(EXPECTED, 2.0)))
            }
            Self::Point => dot(area, (x, y), 2.2, OBSERVED),
            Self::Outside => diamond(area, (x, y), ALARM),
        }
    }
}

/// A round point, its radius in units.
pub(super) fn dot(area: &Area, place: Pixel, radius: f64, colour: RGBColor) -> DrawingResult {
    let radius = (radius * f64::from(UNIT)).round() as i32;
    area.draw(&Circle::new(place, radius, colour.filled()))
}

/// A diamond, larger than a point.
pub(super) fn diamond(area: &Area, (x, y): Pixel, colour: RGBColor) -> DrawingResult {
    let reach = 9 * UNIT / 2;
    let corners = vec![
        (x, y - reach),
        (x + reach, y),
        (x, y + reach),
        (x - reach, y),
    ];
    area.draw(&Polygon::new(corners, colour.filled()))
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
pub(super) fn arrowhead(
    area: &Area,
    (x, y): Pixel,
    beyond: Beyond,
    colour: RGBColor,
) -> DrawingResult {
    let (half, long) = (4 * UNIT, 7 * UNIT);
    let feet = match beyond {
        Beyond::Above => [(x - half, y + long), (x + half, y + long)],
        Beyond::Below => [(x - half, y - long), (x + half, y - long)],
        Beyond::Before => [(x + long, y - half), (x + long, y + half)],
        Beyond::After => [(x - long, y - half), (x - long, y + half)],
    };
    area.draw(&Polygon::new(
        vec![(x, y), feet[0], feet[1]],
        colour.filled(),
    ))
}

/// Text at a place of the canvas.
pub(super) fn write(
    area: &Area,
    text: &str,
    place: Pixel,
    across: HPos,
    down: VPos,
) -> DrawingResult {
    area.draw_text(text, &text_style().pos(Pos::new(across, down)), place)
}

/// A line style: colour, and width in units.
pub(super) fn stroke(colour: RGBColor, width: f64) -> ShapeStyle {
    colour.stroke_width((width * f64::from(UNIT)).round() as u32)
}

fn text_style() -> TextStyle<'static> {
    let font = ("sans-serif", TEXT * UNIT).into_font();
    TextStyle::from(font).color(&INK)
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
