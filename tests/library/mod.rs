//! The public library interface.

mod extremes;
mod facade;
