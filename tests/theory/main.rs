//! Exact tables, against other programs' figures and against each other.

#[path = "../common/mod.rs"]
mod common;

mod cells_theory;
mod theory;
