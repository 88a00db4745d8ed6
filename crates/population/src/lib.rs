//! The population that deals are drawn from: one type for every sampler.
//!
//! A [`Population`] has a *base* that deals are drawn from directly, and a *filter* that checks the
//! rest of the condition on each deal. The base is every deal, the cases of a listing (in a file or
//! in memory, possibly with predealt cards), cells over suits, or numbered deals. Dealers, theory, counts and
//! expected laws are all built from a population: `Dealer::new`, `Theory::of`, `CountPlan::of`,
//! `Expected::of`.
//!
//! [`Listings`] makes listings and stores them: in memory, in a folder, or in the user's cache.

mod base;
mod cache;
pub mod cases;
pub mod cells;
mod checked;
pub mod counting;
mod filtered;
mod listings;

use fairdeal_base::{atomic_file, error, fixed_hash, observer, printable, regular_file};
use fairdeal_bridge as bridge;
#[cfg(test)]
use fairdeal_kernels as kernels;
use fairdeal_language as language;

pub use base::{
    Base, CELLS, LISTING, NUMBERS, PopulationIdentity, REJECTION, Structure, listing_size,
};
pub use cache::Pruned;
pub use filtered::Population;
pub use listings::{
    CountedListing, DEFAULT_CACHE_LIMIT, Listings, OpenListing, order_of, seats_of, write_cases,
};
