//! Populations of deals: case files, cells, and the choice between them.

pub(crate) mod case_files;
mod case_tables;
mod cell_numbers;
mod cells;
mod cells_listing;
mod numbered;
mod planning;
mod scenarios;
