//! The colours of plots. Each has exactly one use, so that `page/plots.css` can replace it by a
//! variable with another value in the dark scheme.

/// A colour: red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RgbColour(pub(super) u8, pub(super) u8, pub(super) u8);

/// Text.
pub(super) const INK: RgbColour = RgbColour(0x1b, 0x1c, 0x1e);
/// The background: halos of text, marks on strong cells.
pub(super) const PAPER: RgbColour = RgbColour(0xfe, 0xfe, 0xfe);
/// Axes and reference lines.
pub(super) const AXIS: RgbColour = RgbColour(0x6f, 0x71, 0x75);
/// Grid lines.
pub(super) const GRID: RgbColour = RgbColour(0xdf, 0xe0, 0xe2);
/// Observed counts: bars and points.
pub(super) const OBSERVED: RgbColour = RgbColour(0x6a, 0x93, 0xc2);
/// Expectations: marks across bars, lines.
pub(super) const EXPECTED: RgbColour = RgbColour(0x16, 0x17, 0x18);
/// Trend lines.
pub(super) const TREND: RgbColour = RgbColour(0x24, 0x63, 0xa9);
/// Deviations outside the confidence range.
pub(super) const ALARM: RgbColour = RgbColour(0xc2, 0x41, 0x0d);
/// The edges of a band.
pub(super) const BAND: RgbColour = RgbColour(0x75, 0x78, 0x7d);
/// The inside of a band.
pub(super) const BAND_INSIDE: RgbColour = RgbColour(0xf1, 0xf2, 0xf3);

/// The diverging colours, from blue (far too few) through neutral to orange (far too many). Readers
/// who confuse red and green can tell blue from orange, and every step outwards has more contrast.
pub(super) const DIVERGING: [RgbColour; 9] = [
    RgbColour(0x0a, 0x44, 0x85),
    RgbColour(0x3c, 0x7b, 0xbe),
    RgbColour(0x8c, 0xb6, 0xdf),
    RgbColour(0xca, 0xdf, 0xf1),
    RgbColour(0xf2, 0xf2, 0xf0),
    RgbColour(0xfa, 0xdd, 0xbe),
    RgbColour(0xee, 0xa9, 0x68),
    RgbColour(0xc5, 0x66, 0x14),
    RgbColour(0x84, 0x37, 0x01),
];
