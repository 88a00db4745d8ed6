//! A backend for plotters that writes compact SVG.
//!
//! plotters' own SVG backend writes an element with all attributes for every mark. This backend
//! joins successive marks of one look into one path, writes a point as `M123 456h0` with round
//! ends, and writes texts last, above everything else. A unit of the plot is ten of plotters'
//! pixels, so that whole numbers are precise enough.

use super::palette::{INK, PAPER};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::style::RGBColor;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontTransform,
};
use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt::Write;
use std::rc::Rc;

/// plotters' pixels in a unit of the plot.
pub(super) const UNIT: i32 = 10;
/// The size of text, in units.
pub(super) const TEXT: i32 = 12;

/// The area that plots are drawn on.
pub(super) type Area = DrawingArea<Canvas, Shift>;
/// The result of drawing. The backend never fails, and plotters only if misused.
pub(super) type DrawingResult<T = ()> = Result<T, DrawingAreaErrorKind<Infallible>>;

/// The SVG of a drawing on an area of `width` by `height` units.
pub(super) fn svg(width: i32, height: i32, draw: impl FnOnce(&Area) -> DrawingResult) -> String {
    let canvas = Rc::new(RefCell::new(Canvas::new(width, height)));
    let drawn = draw(&DrawingArea::from(&canvas));
    debug_assert!(drawn.is_ok(), "{drawn:?}");
    canvas.take().to_string()
}

/// The drawing so far.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    size: (u32, u32),
    layers: Vec<Layer>,
    texts: String,
}

/// Successive marks of one look, as one path.
#[derive(Debug)]
struct Layer {
    look: PathStyle,
    path: String,
}

/// How a path is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PathStyle {
    Filled(RGBColor),
    Stroked(RGBColor, u32),
    /// Round points of this width.
    Dotted(RGBColor, u32),
}

impl Canvas {
    fn new(width: i32, height: i32) -> Self {
        let pixels = |units: i32| units.clamp(1, 10_000).unsigned_abs() * UNIT.unsigned_abs();
        Self {
            size: (pixels(width), pixels(height)),
            layers: Vec::new(),
            texts: String::new(),
        }
    }

    /// The path for a mark of this look: the last path, if it has the same look.
    fn path(&mut self, look: PathStyle) -> &mut String {
        if self.layers.last().is_none_or(|last| last.look != look) {
            let path = String::new();
            self.layers.push(Layer { look, path });
        }
        let last = self.layers.len() - 1;
        &mut self.layers[last].path
    }
}

impl std::fmt::Display for Canvas {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (width, height) = self.size;
        write!(
            out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" "#
        )?;
        let size = TEXT * UNIT;
        write!(
            out,
            r#"font-family="system-ui,sans-serif" font-size="{size}">"#
        )?;
        for Layer { look, path } in &self.layers {
            match *look {
                PathStyle::Filled(colour) => write!(out, r#"<path fill="{}""#, hex(colour))?,
                PathStyle::Stroked(colour, width) => write!(
                    out,
                    r#"<path fill="none" stroke="{}" stroke-width="{width}" stroke-linejoin="round""#,
                    hex(colour)
                )?,
                PathStyle::Dotted(colour, width) => write!(
                    out,
                    r#"<path fill="none" stroke="{}" stroke-width="{width}" stroke-linecap="round""#,
                    hex(colour)
                )?,
            }
            write!(out, r#" d="{path}"/>"#)?;
        }
        let (ink, paper) = (hex(INK), hex(PAPER));
        write!(
            out,
            r#"<g fill="{ink}" stroke="{paper}" stroke-width="30" stroke-linejoin="round" paint-order="stroke">{}</g></svg>"#,
            self.texts
        )
    }
}

/// A colour in CSS notation, in lower case.
pub(super) fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Escapes text for XML. Characters that XML does not allow become U+FFFD.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for symbol in text.chars() {
        match symbol {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            symbol if symbol.is_control() => safe.push('\u{fffd}'),
            symbol => safe.push(symbol),
        }
    }
    safe
}

/// Appends straight lines through some points.
fn trace(path: &mut String, points: impl IntoIterator<Item = BackendCoord>) {
    let mut from: Option<BackendCoord> = None;
    for (x, y) in points {
        // Writing to a String cannot fail.
        let _ = match from {
            None => write!(path, "M{x} {y}"),
            Some((_, last)) if last == y => write!(path, "H{x}"),
            Some((last, _)) if last == x => write!(path, "V{y}"),
            Some((x0, y0)) if y < y0 => write!(path, "l{}{}", x - x0, y - y0),
            Some((x0, y0)) => write!(path, "l{} {}", x - x0, y - y0),
        };
        from = Some((x, y));
    }
}

fn colour_of(color: BackendColor) -> RGBColor {
    let (red, green, blue) = color.rgb;
    RGBColor(red, green, blue)
}

fn is_seen(color: BackendColor) -> bool {
    color.alpha > 0.0
}

type PaintResult = Result<(), DrawingErrorKind<Infallible>>;

impl DrawingBackend for Canvas {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> PaintResult {
        Ok(())
    }

    fn present(&mut self) -> PaintResult {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> PaintResult {
        self.draw_rect(point, (point.0 + 1, point.1 + 1), &color, true)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> PaintResult {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> PaintResult {
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        if fill {
            return self.fill_polygon(corners, style);
        }
        self.draw_path(corners.into_iter().chain([(left, top)]), style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        points: I,
        style: &S,
    ) -> PaintResult {
        if is_seen(style.color()) {
            let look = PathStyle::Stroked(colour_of(style.color()), style.stroke_width());
            trace(self.path(look), points);
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> PaintResult {
        if !is_seen(style.color()) {
            return Ok(());
        }
        let colour = colour_of(style.color());
        // Writing to a String cannot fail.
        let _ = if fill {
            let path = self.path(PathStyle::Dotted(colour, 2 * radius));
            write!(path, "M{x} {y}h0")
        } else {
            let (left, across) = (x - radius as i32, 2 * radius);
            let path = self.path(PathStyle::Stroked(colour, style.stroke_width()));
            write!(
                path,
                "M{left} {y}a{radius} {radius} 0 1 0 {across} 0a{radius} {radius} 0 1 0-{across} 0"
            )
        };
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> PaintResult {
        if is_seen(style.color()) {
            trace(
                self.path(PathStyle::Filled(colour_of(style.color()))),
                corners,
            );
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> PaintResult {
        if text.is_empty() || !is_seen(style.color()) {
            return Ok(());
        }
        let anchor = match style.anchor().h_pos {
            HPos::Left => "",
            HPos::Center => r#" text-anchor="middle""#,
            HPos::Right => r#" text-anchor="end""#,
        };
        // Distance from the anchor to the baseline in common fonts, relative to the font size.
        let down = match style.anchor().v_pos {
            VPos::Top => 0.76,
            VPos::Center => 0.35,
            VPos::Bottom => -0.22,
        };
        let down = (down * style.size()).round() as i32;
        let (turn, x, y) = match style.transform() {
            FontTransform::None => (None, x, y + down),
            FontTransform::Rotate90 => (Some(90), x - down, y),
            FontTransform::Rotate180 => (Some(180), x, y - down),
            FontTransform::Rotate270 => (Some(-90), x + down, y),
        };
        let turn = turn.map_or(String::new(), |angle| {
            format!(r#" transform="rotate({angle} {x} {y})""#)
        });
        let colour = match colour_of(style.color()) {
            INK => String::new(),
            other => format!(r#" fill="{}""#, hex(other)),
        };
        // Writing to a String cannot fail.
        let _ = write!(
            self.texts,
            r#"<text x="{x}" y="{y}"{anchor}{colour}{turn}>{}</text>"#,
            escaped(text)
        );
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let width = f64::from(text_width(text)) / f64::from(TEXT) * style.size();
        Ok((width.max(0.0) as u32, style.size().max(0.0) as u32))
    }
}

/// Estimates the width of a text in units, for the widest common screen font.
pub(super) fn text_width(text: &str) -> i32 {
    let hundredths = |symbol: char| match symbol {
        ' ' | '\u{a0}' | '.' | ',' | ':' | ';' | '\'' | '|' | 'i' | 'j' | 'l' => 32,
        'f' | 'r' | 't' | '-' | '(' | ')' => 40,
        'm' | 'w' | '%' | '\u{2212}' | '+' | '=' | '∞' => 84,
        symbol if symbol.is_ascii_uppercase() => 72,
        symbol if symbol.is_ascii() => 63,
        _ => 90,
    };
    let width: i64 = text.chars().map(hundredths).map(i64::from).sum();
    let width = width * i64::from(TEXT) / 100 + 1;
    i32::try_from(width).unwrap_or(i32::MAX).min(1_000_000)
}
