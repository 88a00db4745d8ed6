//! CSV, and other tables with a board per row: fields between commas, semicolons or tabs.
//!
//! A header row names the columns: a deal string, a hand of each seat, or a suit of each seat;
//! and the board number and the dealer. Without one, a row has sixteen suits, from north's spades
//! to west's clubs, with the board number and dealer/vulnerability behind them or before them, or
//! the hands of north, east, south and west. Rows without a field are skipped.

mod fields;
mod header;
mod rows;

pub(crate) use rows::Csv;
pub(super) use rows::is_row;
