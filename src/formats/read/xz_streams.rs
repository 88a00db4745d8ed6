//! xz streams: a decoder with a memory limit, which keeps failing after its first error.

use std::io::{self, BufRead, Read};

use lzma_rust2::XzReader;

use super::budget::invalid;

/// Memory limit of a decoder in KiB: a dictionary of 64 MiB, as `xz -9` uses, and some more.
const MOST_KIB: u32 = 65 << 10;

/// The decoded bytes of all streams of a source.
pub(super) struct XzStreams<R: Read> {
    decoder: XzReader<R>,
    has_failed: bool,
}

impl<R: BufRead> XzStreams<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            decoder: XzReader::new_mem_limit(source, true, MOST_KIB),
            has_failed: false,
        }
    }
}

impl<R: BufRead> Read for XzStreams<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.has_failed {
            return Err(invalid("the xz stream is corrupted"));
        }
        if out.is_empty() {
            return Ok(0);
        }
        let read = self.decoder.read(out);
        self.has_failed = match &read {
            Ok(_) => false,
            Err(error) => error.kind() != io::ErrorKind::Interrupted,
        };
        read.map_err(|error| match error.kind() {
            io::ErrorKind::OutOfMemory => {
                invalid("compressed with a dictionary above 64 MiB; unpack it first")
            }
            _ => error,
        })
    }
}
