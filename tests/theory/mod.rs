//! Exact tables, compared with figures of other programs and with each other.

mod cells_theory;
mod counting;
mod leads;
mod tables;
