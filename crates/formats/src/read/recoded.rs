//! An input whose bytes are recoded while they are read.

use std::io::{self, Read};

/// Number of bytes per read.
const CHUNK: usize = 1 << 16;

/// A recoding of bytes that come in chunks.
pub(super) trait Recoding {
    /// Appends what a chunk becomes. An empty chunk is the end.
    fn recode(&mut self, chunk: &[u8], ready: &mut Vec<u8>);
}

/// The recoded bytes of `source`.
pub(super) struct Recoded<'s, C> {
    source: &'s mut dyn Read,
    recoding: C,
    chunk: Vec<u8>,
    ready: Vec<u8>,
    /// Number of ready bytes already returned.
    given: usize,
}

impl<'s, C: Recoding> Recoded<'s, C> {
    pub(super) fn new(source: &'s mut dyn Read, recoding: C) -> Self {
        Self {
            source,
            recoding,
            chunk: vec![0; CHUNK],
            ready: Vec::new(),
            given: 0,
        }
    }
}

impl<C: Recoding> Read for Recoded<'_, C> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.given == self.ready.len() {
            let count = self.source.read(&mut self.chunk)?;
            self.given = 0;
            self.ready.clear();
            let chunk = &self.chunk[..count];
            self.recoding.recode(chunk, &mut self.ready);
            if chunk.is_empty() && self.ready.is_empty() {
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

/// Reads all of an input that returns a few bytes at a time.
#[cfg(test)]
pub(super) fn recoded_slowly(bytes: &[u8], step: usize, recoding: impl Recoding) -> String {
    struct Slowly<'b>(&'b [u8], usize);

    impl Read for Slowly<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(out.len());
            out[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    let mut read = String::new();
    let mut source = Slowly(bytes, step);
    let mut recoded = Recoded::new(&mut source, recoding);
    recoded.read_to_string(&mut read).expect("UTF-8");
    read
}
