//! BigDeal's own formats: BER, BHG, CSV, RZD and CDS.
//!
//! Apart from CSV, a deal is stored as the owner of each card in deck order, or as the cards of
//! each player in turn.

mod csv;
mod readers;

pub(in crate::formats) use csv::Csv;
pub(in crate::formats) use readers::{Ber, Bhg, Cds, Rzd};
