//! What all other crates of fairdeal share, and nothing about conditions or drawing.
//!
//! - [`error`] is the error of the whole library: a kind, its context, and a remedy that each surface has words for.
//! - [`printable`] makes text for people; [`count`] reads and bounds the integers that they type; [`utc`] has times.
//! - [`observer`] reports long work to its caller, and [`threads`] has the workers that do it.
//! - [`regular_file`] and [`atomic_file`] read and write the program's own files.
//! - [`fixed_hash`] has hash maps that are the same in every run.

pub mod atomic_file;
pub mod count;
pub mod error;
pub mod fixed_hash;
pub mod observer;
pub mod printable;
pub mod regular_file;
mod remedy;
pub mod threads;
pub mod utc;
