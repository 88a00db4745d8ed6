//! Deliberately defective dealers, to prove that the tests of randomness detect them.
//!
//! A battery that passes every dealer would pass a perfect one too. Each [`Defect`] deals as some
//! program or some table of players has dealt, or could. It names the test that should detect it
//! first, and the number of deals required. Never play with these deals: they are not fair.
//!
//! ```text
//! seed, block --Random, Fair--> shuffles, generators, habits, play, choices --> packets of deals
//! case file, seed, block --Stream--> cases --> packets of deals
//! cells, seed, block --Dealer--> cells --> packets of deals
//! ```
//!
//! - `shuffles`: unfair shuffles, and seeds that are too short.
//! - `generators`: old random number generators.
//! - `habits`: deals that depend on the previous deal; riffles.
//! - `play`: deals that are played out and collected, as a start for riffles.
//! - `choices`: refused deals, wrong tables, favoured cards.
//! - `cases`: faults in dealing from a case file.
//! - `cells`: faults in dealing from cells.
//! - `random`: good random numbers, and output in packets.
//!
//! Deals are a function of seed and block: a dependence between deals starts anew with every block,
//! unless the defect's documentation says otherwise.

mod cases;
mod cells;
mod choices;
mod error;
mod fault;
mod generators;
mod habits;
mod list;
mod play;
#[cfg(test)]
mod predictions;
mod random;
mod shuffles;
mod source;
#[cfg(test)]
mod tests;

use fairdeal_bridge as bridge;
use fairdeal_draw as draw;
#[cfg(test)]
use fairdeal_language as language;
use fairdeal_population as population;
use fairdeal_seeds as seeds;
#[cfg(test)]
use fairdeal_stats as stats;
#[cfg(test)]
use fairdeal_theory as theory;

pub use error::DefectError;
pub use fault::Defect;
pub use source::Defective;

use fault::{DealingOrder, Index, PlantedFault};
