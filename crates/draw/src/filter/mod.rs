//! Expressions of dealer's language, evaluated for a whole packet of deals at a time.
//!
//! ```text
//! arena of nodes --compile--> works, each once --layout--> list of steps --kernels--> columns
//! ```
//!
//! A [`Filter`] selects the deals of a packet that satisfy a condition. [`CompiledValues`] computes the
//! values of expressions for each deal. [`Packet::append`](crate::Packet::append) collects accepted deals, so that values
//! are computed for full packets.
//!
//! The meaning is that of [`Expression::value`](crate::language::Expression::value), including errors. A part that may divide by zero
//! also has a column of the deals for which it does. Those deals are evaluated by the tree, one by
//! one, which reports the error. The same applies to all deals of an expression if the ranges of
//! its operands show that some part may exceed 32 bits; no ordinary condition does. Expressions
//! with random draws (`rnd`) are also evaluated by the tree, deal by deal. Deals must be legal, as
//! in [`Deal`](crate::bridge::Deal), with 13 cards for every seat.
//!
//! Measures are computed once for a packet, however often an expression uses them, and steps that
//! no undecided deal needs are skipped. The evaluations of Kaplan and Rubens are not computed by
//! column: they are counted hand by hand, for deals that are still undecided.

mod accept;
mod compile;
mod graph;
mod layout;
mod measure;
mod program;
#[cfg(test)]
mod tests;
mod values;

pub use accept::Filter;
pub use program::FilterScratch;
pub use values::CompiledValues;
