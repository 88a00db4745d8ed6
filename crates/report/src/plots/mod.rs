//! Plots for the report page: from plain numbers to the text of an `<svg>` element.
//!
//! `frame.rs` draws axes and ticks. `svg.rs` writes the SVG; it joins all marks of one look into one
//! path, so that plots with thousands of points stay small. Every plot is 360 units wide, about the
//! width of a phone; pages place plots side by side if they fit. Plots depend on no tallies or
//! files, and their elements have no ids.
//!
//! `palette.rs` has the colours of the light scheme; `page/plots.css` replaces them by variables.
//! Missing numbers and NaN are left out, and values beyond an axis become arrowheads at its edge:
//! no data make a plot fail.

mod axis;
mod bars;
mod evidence;
mod frame;
mod funnel;
mod heat_map;
mod histogram;
mod lines;
mod means;
mod palette;
mod ratios;
mod svg;
#[cfg(test)]
mod tests;

pub(crate) use axis::AxisScale;
pub(crate) use bars::{BarOutcome, Bars, bars};
pub(crate) use evidence::evidence;
pub(crate) use funnel::{Deviation, Funnel, funnel};
pub(crate) use heat_map::{HeatTable, heat_map};
pub(crate) use histogram::histogram;
pub(crate) use lines::{pace, percentiles};
pub(crate) use means::{MeanBar, means};
pub(crate) use ratios::{DeviationRatio, Ratios, half_range, ratios};
