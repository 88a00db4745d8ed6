//! Any bytes as a file that may be compressed, an archive or in UTF-16.
//!
//! The first byte chooses the signature of a supported kind, or none, which is put before the other
//! bytes.
#![no_main]

use std::io::Cursor;
use std::ops::ControlFlow;

use fairdeal::formats::read::{Input, read};
use libfuzzer_sys::fuzz_target;

const SIGNS: [&[u8]; 5] = [
    b"",
    b"PK\x03\x04",
    b"\x1F\x8B\x08",
    b"\xFF\xFE",
    b"\xFE\xFF",
];

fuzz_target!(|data: &[u8]| {
    let Some((&sign, bytes)) = data.split_first() else {
        return;
    };
    let whole = [SIGNS[usize::from(sign) % SIGNS.len()], bytes].concat();
    let Ok(inputs) = Input::of_reader("fuzz", Cursor::new(whole)) else {
        return;
    };
    for input in inputs {
        for input in input.unpack().unwrap_or_default() {
            // Errors are allowed.
            let _ = read(input, None, &mut |_| ControlFlow::Continue(()), &mut |_| {
                ControlFlow::Continue(())
            });
        }
    }
});
