//! A run in parts: each is dealt by itself, and one report is made of all of them.

mod merge;
mod part;

pub use merge::Merging;
pub use part::{MOST_PARTS, NoPart, Part, Stretch, TooFewBatches};
