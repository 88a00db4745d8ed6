//! A canvas that writes compact SVG.
//!
//! It joins successive marks of one look into one path, writes a point as `M123 456h0` with round
//! ends, and writes texts last, above everything else. A unit of the plot is ten pixels, so that
//! whole numbers are precise enough.

use super::palette::{INK, PAPER, RgbColour};
use std::fmt::Write;

/// Pixels in a unit of the plot.
pub(super) const UNIT: i32 = 10;
/// The size of text, in units.
pub(super) const TEXT: i32 = 12;

/// A place on the canvas, in pixels.
pub(super) type Pixel = (i32, i32);

/// The drawing so far.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    size: Pixel,
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
    Filled(RgbColour),
    Stroked(RgbColour, i32),
    /// Round points of this width.
    Dotted(RgbColour, i32),
}

/// The side of a text that its place is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Across {
    Left,
    Centre,
    Right,
}

/// The height of a text that its place is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Down {
    Top,
    Centre,
    Bottom,
}

impl Canvas {
    /// An empty canvas of `width` by `height` units.
    pub(super) fn new(width: i32, height: i32) -> Self {
        let pixels = |units: i32| units.clamp(1, 10_000) * UNIT;
        Self {
            size: (pixels(width), pixels(height)),
            ..Self::default()
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

    /// A line through some points; its width is in units.
    pub(super) fn line(&mut self, points: &[Pixel], colour: RgbColour, width: f64) {
        trace(self.path(PathStyle::Stroked(colour, pixels(width))), points);
    }

    /// A filled polygon.
    pub(super) fn polygon(&mut self, corners: &[Pixel], colour: RgbColour) {
        trace(self.path(PathStyle::Filled(colour)), corners);
    }

    /// A filled rectangle between two opposite corners.
    pub(super) fn rectangle(&mut self, one: Pixel, other: Pixel, colour: RgbColour) {
        let (left, right) = (one.0.min(other.0), one.0.max(other.0));
        let (top, bottom) = (one.1.min(other.1), one.1.max(other.1));
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        self.polygon(&corners, colour);
    }

    /// A round point; its radius is in units.
    pub(super) fn dot(&mut self, (x, y): Pixel, radius: f64, colour: RgbColour) {
        let path = self.path(PathStyle::Dotted(colour, 2 * pixels(radius)));
        // Writing to a String cannot fail.
        let _ = write!(path, "M{x} {y}h0");
    }

    /// A text at a place.
    pub(super) fn write(&mut self, text: &str, (x, y): Pixel, across: Across, down: Down) {
        if text.is_empty() {
            return;
        }
        let anchor = match across {
            Across::Left => "",
            Across::Centre => r#" text-anchor="middle""#,
            Across::Right => r#" text-anchor="end""#,
        };
        // From the place to the baseline in common fonts, relative to the size of the text.
        let y = y + match down {
            Down::Top => pixels(0.76 * f64::from(TEXT)),
            Down::Centre => pixels(0.35 * f64::from(TEXT)),
            Down::Bottom => -pixels(0.22 * f64::from(TEXT)),
        };
        let text = escaped(text);
        // Writing to a String cannot fail.
        let _ = write!(self.texts, r#"<text x="{x}" y="{y}"{anchor}>{text}</text>"#);
    }
}

/// A length of some units in pixels.
fn pixels(units: f64) -> i32 {
    (units * f64::from(UNIT)).round() as i32
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
pub(super) fn hex(RgbColour(red, green, blue): RgbColour) -> String {
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
fn trace(path: &mut String, points: &[Pixel]) {
    let mut from: Option<Pixel> = None;
    for &(x, y) in points {
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
