//! fairdeal deals exactly uniform bridge hands under any constraint, and tests whether dealt hands
//! are truly random.
//!
//! # Quick start
//!
//! A [`Script`] in dealer's language describes the deals. Its [`Population`] can be drawn from, its
//! exact tables are computed without drawing a card, and a run of it returns a verdict:
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
//! [`audit()`] and [`audit_files`] test deals from other sources. Errors are one opaque type,
//! [`Error`], with predicates. The folder `examples/` has six short programs.
//!
//! # Modules
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
//! - [`language`] reads dealer's language and plans listings.
//! - [`population`] is the set of deals to draw from: every deal, a listing or cells, each with a
//!   filter. [`population::cases`] writes every case (pattern and honours of one or two hands) with
//!   its weight into a memory-mapped file. [`population::cells`] factors a condition on up to four
//!   hands by suit, with exact integer weights, instead of listing cases.
//! - [`draw`] turns random bits into exactly uniform deals.
//! - [`sampler`] chooses the sampler for a request by cost.
//! - [`number`] numbers deals and endings; [`formats`] reads and writes the formats of other
//!   programs.
//! - [`squaredeal`] deals and verifies the boards of tournaments by SquareDeal.
//! - [`tally`] counts, [`theory`] computes exact laws, and [`battery`] tests the counts against
//!   them.
//! - [`run`] deals millions on all cores; [`audit`](mod@audit) tests deals from other sources;
//!   [`report`] writes tables, records and pages.
//!
//! Modules that only the program uses are public but not documented here: `tasks` carries out whole
//! requests, `observer` reports their progress, `compare` reads two reports again, `bench` measures
//! speed, `defect` deals with planted defects, `filter` selects deals that satisfy a condition,
//! `stats` has special functions, `serve` is the web application, `printable` prints untrusted file
//! names, and `utc` has times and dates.
//!
//! The command-line program is `fairdeal`; see the README.

#[doc(hidden)]
pub mod bench;
mod facade;
#[cfg(feature = "pages")]
#[doc(hidden)]
pub mod serve;
#[doc(hidden)]
pub mod tasks;

#[doc(inline)]
pub use fairdeal_audit as audit;
use fairdeal_base::{atomic_file, fixed_hash, regular_file};
#[doc(inline)]
pub use fairdeal_base::{count, error, threads};
#[doc(hidden)]
pub use fairdeal_base::{observer, printable, utc};
#[doc(inline)]
pub use fairdeal_battery as battery;
#[doc(inline)]
pub use fairdeal_bridge as bridge;
#[doc(hidden)]
pub use fairdeal_defect as defect;
#[doc(inline)]
pub use fairdeal_draw as draw;
#[doc(hidden)]
pub use fairdeal_draw::filter;
#[doc(inline)]
pub use fairdeal_draw::sampler;
#[doc(inline)]
pub use fairdeal_formats as formats;
#[doc(inline)]
pub use fairdeal_formats::number;
#[doc(inline)]
pub use fairdeal_language as language;
#[doc(inline)]
pub use fairdeal_population as population;
#[doc(inline)]
pub use fairdeal_report as report;
#[doc(hidden)]
pub use fairdeal_report::compare;
#[doc(inline)]
pub use fairdeal_run as run;
use fairdeal_seeds as seeds;
#[doc(hidden)]
pub use fairdeal_solver as solver;
#[doc(inline)]
pub use fairdeal_squaredeal as squaredeal;
#[doc(hidden)]
pub use fairdeal_stats as stats;
#[doc(inline)]
pub use fairdeal_tally as tally;
#[doc(inline)]
pub use fairdeal_theory as theory;

pub use battery::Level;
#[doc(inline)]
pub use bridge::{Card, Deal, Hand, Seat, Suit};
pub use error::Error;
pub use facade::{Population, Script, audit, audit_files};
pub use run::DealRow;
pub use sampler::Workload;

/// Tests the example of the guide's chapter on the library.
#[cfg(doctest)]
#[doc = include_str!("../docs/guide/library.md")]
struct LibraryGuide;
