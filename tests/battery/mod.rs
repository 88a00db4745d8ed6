//! The test battery on perfect deals.

mod null;
