//! The exact distribution of every table, as integers.
//!
//! Theory depends on the population only, not on deals or counts: [`Theory::of`] computes it from a
//! case file, from cells, or for unconstrained deals. [`Theory::of_counted`] counts the deals of any
//! condition on cards, around any predealt cards.
//!
//! The tables of listed hands follow from the weights of cases. The tables of the other hands
//! follow from groups of cases that leave the same cards (the constraint essay: "all unused cards
//! are then distributed randomly"):
//!
//! - An unlisted hand has pattern x in the product of C(r_s, x_s) ways out of C(26,13), with r_s
//!   remaining cards of suit s (out of C(39,13) if only one hand is listed).
//! - Its points come from the generating function of the remaining honours, (1 + u)^spots × product
//!   of (1 + u t^points), as the coefficient of u^13.
//! - A hand listed by pattern only holds any n_s of the cards that the other listed hand leaves,
//!   and a hand listed by honours only any 13 - |h| of the spots.
//!
//! Sums are `u128`. T of one or two hands has at most 73 bits and C(39,13) has 33, and no larger
//! product occurs. T of four hands has 96 bits and is multiplied by at most 36. The ways of every
//! table are checked to sum to its denominator exactly, so probabilities sum to 1 before rounding.

mod case_law;
mod cells;
mod counted;
mod four_hands;
mod lengths;
mod null;
mod pass;
mod points;
mod ratio;
mod seat_table;
mod seats;
mod summary;
mod tables;
mod unconstrained;
mod values;

use fairdeal_base::error;
use fairdeal_bridge as bridge;
use fairdeal_language as language;
use fairdeal_population as population;

pub use case_law::CaseLaw;
pub use null::{NullLaws, null_laws};
pub use ratio::{Distribution, Ratio};
pub use seat_table::{SeatQuantity, SeatTable};
pub use values::{NoLaw, ValueLaw};

pub use tables::{Theory, TheoryError};
