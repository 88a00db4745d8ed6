//! Random words from a file or a pipe, to test other generators.

use std::fmt;
use std::io::{self, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Generator, StreamId, WordSource, WordsError};
use crate::kernels::CHUNK;

/// Raw 64-bit words, little-endian, read once from the first to the last.
///
/// The streams take 128 words each when they need them, in the order in which one thread deals. The
/// assignment of words is therefore the same for every instruction set.
pub struct RawWords {
    name: String,
    source: Mutex<RawReader>,
}

struct RawReader {
    reader: Box<dyn Read + Send>,
    words: u64,
}

impl RawWords {
    /// Takes words from this reader; `name` is for reports and errors.
    pub fn new(name: &str, reader: impl Read + Send + 'static) -> Self {
        Self {
            name: name.to_owned(),
            source: Mutex::new(RawReader {
                reader: Box::new(BufReader::with_capacity(1 << 20, reader)),
                words: 0,
            }),
        }
    }
}

impl fmt::Debug for RawWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RawWords").field(&self.name).finish()
    }
}

impl Generator for RawWords {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn words(&self, _: StreamId) -> Box<dyn WordSource + '_> {
        Box::new(|words: &mut [u64; CHUNK]| {
            let name = &self.name;
            let source = &mut *self.source.lock().unwrap_or_else(PoisonError::into_inner);
            match source.reader.read_exact(bytemuck::cast_slice_mut(words)) {
                Ok(()) => {
                    source.words += CHUNK as u64;
                    for word in words {
                        *word = u64::from_le(*word);
                    }
                    Ok(())
                }
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    Err(WordsError::Ended(name.clone(), source.words))
                }
                Err(error) => Err(WordsError::Io(name.clone(), Arc::new(error))),
            }
        })
    }

    fn is_one_sequence(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RandomStream, StreamPurpose};

    #[test]
    fn streams_share_the_words_128_at_a_time_until_they_end() {
        let bytes: Vec<u8> = (0..300u64).flat_map(u64::to_le_bytes).collect();
        let generator = RawWords::new("file:words", io::Cursor::new(bytes));
        let id = StreamId::new(0, StreamPurpose::Plain, 0);
        let mut one = RandomStream::new(&generator, id);
        let mut other = RandomStream::new(&generator, id);
        assert_eq!(one.next_u64().unwrap(), 0);
        assert_eq!(other.next_u64().unwrap(), 128);
        assert_eq!(one.next_u64().unwrap(), 1);
        let end = (0..127).find_map(|_| one.next_u64().err());
        let message = end.unwrap().to_string();
        assert_eq!(
            message,
            "file:words ended after 256 words (128 are read at a time)"
        );
    }
}
