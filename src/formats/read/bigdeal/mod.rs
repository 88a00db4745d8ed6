//! BigDeal's own formats: BER, BHG, RZD and CDS.
//!
//! A deal is stored as the owner of each card in deck order, or as the cards of
//! each player in turn.

mod readers;

pub(in crate::formats) use readers::{Ber, Bhg, Cds, Rzd};
