//! Line ends of files that were converted twice: CR CR LF becomes CR LF.

use std::io::{self, Read};

/// The doubled line end.
pub(super) const DOUBLED: &[u8] = b"\r\r\n";

/// Number of bytes per read.
const CHUNK: usize = 1 << 16;

/// The bytes of `source` without the first CR of each CR CR LF.
pub(super) struct LineEnds<'s> {
    source: &'s mut dyn Read,
    chunk: Vec<u8>,
    /// Number of CRs at the end of the bytes read, which an LF may follow.
    returns: usize,
    ready: Vec<u8>,
    /// Number of ready bytes already returned.
    given: usize,
}

impl<'s> LineEnds<'s> {
    pub(super) fn new(source: &'s mut dyn Read) -> Self {
        Self {
            source,
            chunk: vec![0; CHUNK],
            returns: 0,
            ready: Vec::new(),
            given: 0,
        }
    }

    /// Reads the next bytes. Returns whether there may be more.
    fn advance(&mut self) -> io::Result<bool> {
        let count = self.source.read(&mut self.chunk)?;
        self.given = 0;
        self.ready.clear();
        for &byte in &self.chunk[..count] {
            if byte == b'\r' {
                self.returns += 1;
                continue;
            }
            let returns = match byte {
                b'\n' if self.returns >= 2 => self.returns - 1,
                _ => self.returns,
            };
            self.ready.resize(self.ready.len() + returns, b'\r');
            self.ready.push(byte);
            self.returns = 0;
        }
        if count == 0 {
            self.ready.resize(std::mem::take(&mut self.returns), b'\r');
        }
        Ok(count > 0)
    }
}

impl Read for LineEnds<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.given == self.ready.len() {
            if !self.advance()? && self.ready.is_empty() {
                return Ok(0);
            }
        }
        let rest = &self.ready[self.given..];
        let count = rest.len().min(out.len());
        out[..count].copy_from_slice(&rest[..count]);
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns a few bytes at a time.
    struct Slowly<'b>(&'b [u8], usize);

    impl Read for Slowly<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(out.len());
            out[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    proptest! {
        #[test]
        fn a_return_too_many_is_left_out_wherever_reads_end(
            text in "[ab\r\n]{0,40}", step in 1_usize..5,
        ) {
            let mut read = String::new();
            let mut source = Slowly(text.as_bytes(), step);
            LineEnds::new(&mut source).read_to_string(&mut read).unwrap();
            prop_assert_eq!(read, text.replace("\r\r\n", "\r\n"));
        }
    }
}
