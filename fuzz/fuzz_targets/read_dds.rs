//! Any bytes, read as dds.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| fairdeal_fuzz::read(data, "dds"));
