//! Any bytes, read as ending-any.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| fairdeal_fuzz::read(data, "ending-any"));
