//! Exact counts of the deals of any condition on cards, around any predealt cards.
//!
//! A condition is turned into a **formula** over sums (`formula.rs`). Each sum adds what the four
//! suits contribute, and a suit contributes a value that depends on its own cards alone: points,
//! a length, or whether a fact about the suit holds, of up to four hands. An `or` of facts is the
//! sum of the suits in which one of them holds, so it is never multiplied out. Sets of shapes are
//! the only other operands.
//!
//! - The cards of a suit are passed one by one (`passes.rs`). Cards that the condition does not
//!   distinguish are anonymous, and only counted. Holdings that lead to equal values are merged, so
//!   the number of states is that of different answers. A predealt card has one possible holder.
//! - Two suits are a half (`halves.rs`); halves with equal lengths and equal sums are merged.
//! - Pairs of halves whose lengths are those of whole hands are judged by the formula, once for
//!   each pair of different sums (`judging.rs`).
//!
//! The passes are also walked back: a number selects one of the deals (`numbered.rs`, `trail.rs`).
//!
//! Hands whose lengths do not matter take their anonymous cards from one pool (`seating.rs`).
//!
//! ```
//! use fairdeal_language::Condition;
//! use fairdeal_population::cells::Budget;
//! use fairdeal_population::counting::DealCounter;
//!
//! let text = "spades(north) == 13 || spades(east) == 13 || spades(south) == 13 || spades(west) == 13";
//! let counter = DealCounter::new(&Condition::parse("example", text)?)?;
//! let (deals, of) = counter.probability(&Budget::unlimited())?;
//! assert_eq!(of / deals, 635_013_559_600 / 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod counter;
mod error;
mod formula;
mod halves;
mod judging;
mod numbered;
mod passes;
mod seating;
mod trail;
mod way_groups;

pub use counter::DealCounter;
pub use error::CountError;
pub use numbered::NumberedDeals;
