//! Flat lists of steps over columns of 128 cells: the evaluation of expressions for a whole packet.
//!
//! There are two types of columns: words, which are 64 bits that hold a hand or four 16-bit numbers
//! (one per suit), and values of 32 bits. Every step computes one column from the columns of
//! earlier steps. The maker of the list decides what the steps mean and
//! which columns they use, and ensures that no value overflows its bits. Here nothing can fail,
//! whatever a column contains.

mod columns;
pub(super) mod run;
mod step;
#[cfg(test)]
mod tests;

pub use columns::StepColumns;

pub use step::{
    Answers, ColumnIndex, ColumnWork, HeavyWeight, MeasureWork, Pairing, PatternBits, RankPoints,
    Step, Steps, ValueWork, WordWork,
};
