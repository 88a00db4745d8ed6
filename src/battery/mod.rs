//! What the tests of randomness are built from.

pub mod special;
