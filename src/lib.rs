//! fairdeal deals exactly uniform bridge hands under any constraint, and tells
//! whether dealt hands are truly random.
//!
//! A tour, in the direction in which data flows:
//!
//! ```text
//! condition text -> condition -> cases, cells -> draw -> tally --+
//!                                     |                         +-> battery -> report
//!                                     +--------> theory --------+
//! ```
//!
//! - [`cards`] and [`combinatorics`] hold the vocabulary and the counting.
//! - [`condition`] reads dealer's language and plans what is listed.
//! - [`cases`] lists every case (pattern and honours of one or two hands) with
//!   its weight, into a file that is mapped.
//! - [`cells`] does without a listing what listings do, for up to four hands: a condition as
//!   cells over suits, with exact integer weights.
//! - [`draw`] turns random bits into exactly uniform deals; [`filter`] finds those of a packet
//!   that satisfy a condition, and values expressions for them.
//! - [`sampler`] chooses how the deals of a request are found, by what each way costs.
//! - [`number`] numbers deals and endings; [`formats`] writes deals as other programs do, and
//!   reads theirs.
//! - [`tally`] counts, [`theory`] says what to expect, [`battery`] whether that is
//!   what came; [`defect`] deals so that it is not. [`seeds`] tries the seeds of known
//!   programs on deals from elsewhere.
//! - [`run`] deals millions on all cores; [`audit`] tests deals from elsewhere, for which
//!   [`seeds`] knows other dealers; [`report`] writes it down. [`bench`](mod@bench) measures how fast this
//!   machine is, and tells whether that is slower than it was.
//!
//! The program around it is `fairdeal`; see the README.
//!
//! ```
//! use fairdeal::cases::{Listing, census};
//! use fairdeal::condition::Condition;
//!
//! let condition = Condition::parse("example", "spades(west) == 9")?;
//! let listing = Listing::new(&condition, None)?;
//! let census = census(&condition, &listing)?;
//! assert_eq!((census.cases, census.total), (15, 58_809_465));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod audit;
pub mod battery;
pub mod bench;
pub mod cards;
pub mod cases;
pub mod cells;
pub mod combinatorics;
pub mod condition;
pub mod defect;
pub mod draw;
pub mod error;
pub mod filter;
mod fixed_hash;
pub mod formats;
mod kernels;
pub mod number;
pub mod observer;
pub mod population;
pub mod report;
pub mod run;
pub mod sampler;
pub mod seeds;
pub mod tally;
pub mod tasks;
pub mod theory;
mod whole;

pub use error::Error;

/// The README's example is tested with the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
