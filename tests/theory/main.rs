//! Exact tables, compared with figures of other programs and with each other.

#[path = "../common/mod.rs"]
mod common;

mod cells_theory;
mod theory;
