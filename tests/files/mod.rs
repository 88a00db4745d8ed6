//! Deal numbers and file formats of other programs.

mod archives;
mod conversions;
mod formats;
mod kinds;
mod not_deals;
mod numbers;
mod readers;
