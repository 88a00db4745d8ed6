//! Parts of a run, which are dealt separately and merged into one report.

mod merge;
mod part;

pub use merge::Merging;

pub use part::{NoPart, Part, PartRange, TooFewBatches};
