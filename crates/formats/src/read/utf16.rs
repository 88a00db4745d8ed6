//! Text in UTF-16, as UTF-8.

use super::recoded::Recoding;

/// Decodes UTF-16 without a byte order mark. What is not a character becomes U+FFFD.
pub(super) struct Utf16 {
    is_big_endian: bool,
    /// Bytes that have not been decoded: at most half a unit after half a pair of units.
    waiting: Vec<u8>,
}

impl Utf16 {
    pub(super) fn new(is_big_endian: bool) -> Self {
        let waiting = Vec::new();
        Self {
            is_big_endian,
            waiting,
        }
    }
}

impl Recoding for Utf16 {
    fn recode(&mut self, chunk: &[u8], ready: &mut Vec<u8>) {
        self.waiting.extend_from_slice(chunk);
        let (units, odd) = self.waiting.as_chunks();
        let is_end = chunk.is_empty();
        let unit = match self.is_big_endian {
            true => u16::from_be_bytes,
            false => u16::from_le_bytes,
        };
        let units = match units {
            [before @ .., last] if !is_end && matches!(unit(*last), 0xD800..0xDC00) => before,
            all => all,
        };
        let characters = char::decode_utf16(units.iter().map(|bytes| unit(*bytes)));
        let characters = characters.map(|decoded| decoded.unwrap_or(char::REPLACEMENT_CHARACTER));
        let cut = (is_end && !odd.is_empty()).then_some(char::REPLACEMENT_CHARACTER);
        let text: String = characters.chain(cut).collect();
        ready.extend_from_slice(text.as_bytes());
        match is_end {
            true => self.waiting.clear(),
            false => drop(self.waiting.drain(..2 * units.len())),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::read::recoded::recoded_slowly;

    proptest! {
        #[test]
        fn text_is_decoded_wherever_reads_end(
            units in prop::collection::vec(prop_oneof![any::<u16>(), 0xD7FF_u16..0xE001], 0..20),
            step in 1_usize..5,
            is_big_endian: bool,
            is_cut: bool,
        ) {
            let bytes_of = |unit: &u16| match is_big_endian {
                true => unit.to_be_bytes(),
                false => unit.to_le_bytes(),
            };
            let mut bytes: Vec<u8> = units.iter().flat_map(bytes_of).collect();
            let mut text = String::from_utf16_lossy(&units);
            if is_cut {
                bytes.push(b'a');
                text.push(char::REPLACEMENT_CHARACTER);
            }
            prop_assert_eq!(recoded_slowly(&bytes, step, Utf16::new(is_big_endian)), text);
        }
    }
}
