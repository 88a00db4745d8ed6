//! fairdeal deals exactly uniform bridge hands under any constraint, and tells
//! whether dealt hands are truly random.
//!
//! # In a few calls
//!
//! A [`Script`] in dealer's language says which deals are wanted. Its [`Population`] can be dealt
//! from, its exact tables are known without drawing a card, and a run of it ends in a verdict:
//!
//! ```
//! use fairdeal::{Level, Script, Seat};
//!
//! let script = Script::parse("strong notrump", "hcp(north) >= 15 && hcp(north) <= 17")?;
//! for deal in script.population()?.deals(2026)?.take(36) {
//!     println!("{}", deal?);
//! }
//! let exact = script.theory()?;
//! println!("1 in {:.3}, mean HCP of south {:?}", 1.0 / exact.probability.to_f64(),
//!     exact.theory.hcp(Seat::South).mean());
//! let report = script.run(100_000, 2026)?;
//! assert!(report.level != Level::Fail);
//! # Ok::<(), fairdeal::Error>(())
//! ```
//!
//! Deals from anywhere are tested by [`audit()`] and [`audit_files`]. Errors are one opaque type,
//! [`Error`], with predicates. The folder `examples/` has six short programs.
//!
//! # The rooms
//!
//! In the direction in which data flows:
//!
//! ```text
//! language -> population -> draw -> filter -> tally --+
//!                 |                                   +-> battery -> run, audit -> report -> compare
//!                 +-------------> theory -------------+
//! ```
//!
//! - [`bridge`] holds cards, hands and deals, and counts subsets.
//! - [`language`] reads dealer's language and plans what is listed.
//! - [`population`] is what deals are drawn from: every deal, a listing, cells, each with a filter.
//!   [`population::cases`] lists every case (pattern and honours of one or two hands) with its
//!   weight, into a file that is mapped; [`population::cells`] does without a listing what listings
//!   do, for up to four hands: a condition as cells over suits, with exact integer weights.
//! - [`draw`] turns random bits into exactly uniform deals; [`filter`] finds those of a packet
//!   that satisfy a condition, and values expressions for them.
//! - [`sampler`] chooses how the deals of a request are found, by what each way costs.
//! - [`number`] numbers deals and endings; [`formats`] writes deals as other programs do, and
//!   reads theirs.
//! - [`tally`] counts, [`theory`] says what to expect, [`battery`] whether that is
//!   what came; [`defect`] deals so that it is not. [`seeds`] tries the seeds of known
//!   programs on deals from elsewhere.
//! - [`run`] deals millions on all cores; [`audit`](mod@audit) tests deals from elsewhere, for which
//!   [`seeds`] knows other dealers; [`report`] writes it down, and [`compare`] reads two reports again. [`bench`](mod@bench) measures how fast this
//!   machine is, and tells whether that is slower than it was.
//! - [`tasks`] carries out whole requests, from folder and checkpoints to the report;
//!   [`observer`] is how it is listened to and stopped.
//!
//! The program around it is `fairdeal`; see the README.

mod atomic_file;
pub mod audit;
pub mod battery;
pub mod bench;
pub mod bridge;
pub mod compare;
pub mod defect;
pub mod draw;
pub mod error;
mod facade;
pub mod filter;
mod fixed_hash;
pub mod formats;
mod kernels;
pub mod language;
pub mod number;
pub mod observer;
pub mod population;
pub mod report;
pub mod run;
pub mod sampler;
pub mod seeds;
pub mod stats;
pub mod tally;
pub mod tasks;
pub mod theory;

pub use battery::Level;
pub use bridge::{Card, Deal, Hand, Seat, Suit};
pub use error::Error;
pub use facade::{Deals, audit, audit_files};
pub use language::Script;
pub use population::Population;
pub use sampler::Need;

/// The README's example is tested with the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
