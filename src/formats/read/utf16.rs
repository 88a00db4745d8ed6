//! Text in UTF-16 that begins with a byte order mark, decoded while it is read.

use std::io::{self, Read};

/// Number of bytes per read.
const CHUNK: usize = 1 << 16;

/// The order of the bytes of a unit of UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// The order in a text that begins with these bytes; `None` without a byte order mark.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0xFF, 0xFE, ..] => Some(Self::Little),
            [0xFE, 0xFF, ..] => Some(Self::Big),
            _ => None,
        }
    }

    fn unit(self, pair: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(pair),
            Self::Big => u16::from_be_bytes(pair),
        }
    }
}

/// The bytes of `source` in UTF-8. What is not UTF-16 becomes U+FFFD.
pub(super) struct Utf16<'s> {
    source: &'s mut dyn Read,
    order: ByteOrder,
    /// Bytes that are not decoded yet; up to three of them wait for the rest of a character.
    raw: Vec<u8>,
    ready: Vec<u8>,
    /// Number of ready bytes already returned.
    given: usize,
}

impl<'s> Utf16<'s> {
    pub(super) fn new(source: &'s mut dyn Read, order: ByteOrder) -> Self {
        Self {
            source,
            order,
            raw: Vec::new(),
            ready: Vec::new(),
            given: 0,
        }
    }

    /// Reads and decodes the next bytes. Returns whether there may be more.
    fn advance(&mut self) -> io::Result<bool> {
        let begun = self.raw.len();
        self.raw.resize(begun + CHUNK, 0);
        let read = self.source.read(&mut self.raw[begun..]);
        self.raw.truncate(begun + *read.as_ref().unwrap_or(&0));
        let is_last = read? == 0;
        (self.given, self.ready) = (0, Vec::new());
        let whole = if is_last {
            self.raw.len()
        } else {
            self.complete()
        };
        let units = self.raw[..whole].chunks(2).map(|pair| match *pair {
            [one, two] => self.order.unit([one, two]),
            _ => char::REPLACEMENT_CHARACTER as u16,
        });
        for letter in char::decode_utf16(units) {
            let letter = letter.unwrap_or(char::REPLACEMENT_CHARACTER);
            self.ready
                .extend(letter.encode_utf8(&mut [0; 4]).as_bytes());
        }
        self.raw.drain(..whole);
        Ok(!is_last)
    }

    /// Number of bytes that end with a complete character.
    fn complete(&self) -> usize {
        let whole = self.raw.len() / 2 * 2;
        match self.raw[..whole] {
            [.., one, two] if (0xD800..0xDC00).contains(&self.order.unit([one, two])) => whole - 2,
            _ => whole,
        }
    }
}

impl Read for Utf16<'_> {
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
        fn text_is_decoded_wherever_reads_end(text in "[a♠é😀\n]{0,40}", step in 1_usize..7) {
            for order in [ByteOrder::Little, ByteOrder::Big] {
                let bytes: Vec<u8> = text.encode_utf16().flat_map(|unit| match order {
                    ByteOrder::Little => unit.to_le_bytes(),
                    ByteOrder::Big => unit.to_be_bytes(),
                }).collect();
                let mut decoded = String::new();
                let mut source = Slowly(&bytes, step);
                Utf16::new(&mut source, order).read_to_string(&mut decoded).unwrap();
                prop_assert_eq!(&decoded, &text);
            }
        }

        #[test]
        fn any_bytes_become_text(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let mut decoded = String::new();
            let mut source = Slowly(&bytes, 3);
            Utf16::new(&mut source, ByteOrder::Little).read_to_string(&mut decoded).unwrap();
            let units: Vec<u16> = bytes
                .chunks(2)
                .map(|pair| match *pair {
                    [one, two] => u16::from_le_bytes([one, two]),
                    _ => 0xFFFD,
                })
                .collect();
            prop_assert_eq!(decoded, String::from_utf16_lossy(&units));
        }
    }
}
