//! Any bytes as a file of deals. The first byte chooses the format.
#![no_main]

use fairdeal::formats::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some((&format, bytes)) = data.split_first() {
        let formats: Vec<Format> = Format::read().collect();
        fairdeal_fuzz::read(bytes, formats[usize::from(format) % formats.len()]);
    }
});
