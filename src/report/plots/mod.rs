//! Plots for the report page: plain numbers to the text of an `<svg>` element.
//!
//! Axes and ticks are plotters'; the SVG is written by a backend of our own (`svg.rs`), which
//! puts all marks of one look into one path, so that thousands of points stay small. Every
//! plot is 360 units wide, about what a phone shows: pages lay plots side by side where there
//! is room. Nothing here knows tallies or files, and nothing carries an id.
//!
//! Colours are those of `palette.rs`, which are the light scheme; `page/plots.css` replaces
//! them by variables. Numbers that are missing or no numbers are left out, and what is beyond
//! an axis is drawn at its edge with an arrowhead: no data make a plot fail.

mod axis;
mod bars;
mod evidence;
mod frame;
mod funnel;
mod heat_map;
mod histogram;
mod lines;
mod palette;
mod ratios;
mod svg;
#[cfg(test)]
mod tests;

pub(crate) use bars::{Bars, Outcome, bars};
pub(crate) use evidence::{Looked, evidence};
pub(crate) use funnel::{Deviation, Funnel, funnel};
pub(crate) use heat_map::{Block, heat_map};
pub(crate) use histogram::{Histogram, histogram};
pub(crate) use lines::{pace, percentiles};
pub(crate) use ratios::{Ratio, Ratios, half_range, ratios};

/// How counts are laid along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// From zero, in equal steps.
    Linear,
    /// In decades.
    Log,
}
