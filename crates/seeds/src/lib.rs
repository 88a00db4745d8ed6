//! The seed dictionary: finds deals that a known program deals right after seeding.
//!
//! Deals from a good generator with too small a seed pass every statistical test, but there are few
//! of them. This module tries them all: every 32-bit seed of the generators whose seeding is
//! public, combined with the methods by which programs draw indices, shuffle and deal
//! ([`SeedSource::methods`]). There are 5.4 × 10^28 deals, so a fair deal matches one of M hypotheses
//! with a probability of at most M divided by that: 10^-16 for the whole dictionary. A single hit
//! is therefore proof.
//!
//! ```text
//! seeds -> kernels: numbers, three indices -> sieve: tables of a deal -> dictionary: card by card -> hit
//! ```
//!
//! Only deals that come right after seeding are found, unless every state of the generator is a
//! seed (Microsoft's 32 bits, Turbo Pascal, Visual Basic, and nearly the standard's 31).
//!
//! Not in the dictionary:
//!
//! - seeds of more than 32 bits, except Java's by the millisecond; this excludes the 64-bit seeds
//!   of V8 and the 128-bit seeds of SpiderMonkey, which they make where a program gives no seed;
//! - seats dealt in an order other than north, east, south, west;
//! - cards dealt from the bottom, except by [`shuffle::Shuffle::RemoveFilling`];
//! - sorting by a comparison that draws random numbers;
//! - dealers that no public source documents.

mod dictionary;
mod draw;
mod generator;
mod plan;
mod search;
mod shuffle;
mod sieve;
#[cfg(test)]
mod tests;

use fairdeal_bridge as bridge;
use fairdeal_kernels as kernels;

pub use dictionary::{DealingMethod, SeedSource};
pub use draw::Draw;
pub use generator::{KnownGenerator, SeedSequence};
pub use search::{Hit, Searched, SeedSearch, Tried};
pub use shuffle::{Dealing, DeckOrder, Shuffle};
