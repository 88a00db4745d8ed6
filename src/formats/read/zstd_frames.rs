//! Zstandard streams (RFC 8878): frames one after the other, decoded in turn.
//!
//! The decoder is that of ruzstd, which decodes one frame. This module adds following frames,
//! skippable frames, and the check of each frame's checksum.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The decoded bytes of all frames of `source`.
///
/// A frame may require a window of at most 128 MiB (ruzstd's limit).
///
/// # Errors
///
/// Reading fails with [`io::ErrorKind::InvalidData`] where the stream is truncated, is not
/// Zstandard, or does not match its checksum.
pub(super) struct ZstdFrames<R> {
    source: R,
    decoder: FrameDecoder,
    is_in_frame: bool,
}

impl<R: BufRead> ZstdFrames<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            source,
            decoder: FrameDecoder::new(),
            is_in_frame: false,
        }
    }

    /// Reads the header of the next frame with data. Returns whether there is one.
    fn begin_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let mut skipped = self.source.by_ref().take(length.into());
                    if io::copy(&mut skipped, &mut io::sink())? < length.into() {
                        return Err(invalid("the last frame is truncated"));
                    }
                }
                Err(error) => return Err(invalid(error)),
            }
        }
        Ok(false)
    }

    /// Compares the frame's data with its checksum, if it has one.
    fn check_frame(&self) -> io::Result<()> {
        let expected = self.decoder.get_checksum_from_data();
        if expected.is_some() && expected != self.decoder.get_calculated_checksum() {
            return Err(invalid("the data do not match their checksum"));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for ZstdFrames<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.is_in_frame {
                self.is_in_frame = self.begin_frame()?;
                if !self.is_in_frame {
                    return Ok(0);
                }
            }
            let decoder = &mut self.decoder;
            while decoder.can_collect() == 0 && !decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                decoder
                    .decode_blocks(&mut self.source, one)
                    .map_err(invalid)?;
            }
            let read = decoder.read(out)?;
            if read > 0 {
                return Ok(read);
            }
            self.check_frame()?;
            self.is_in_frame = false;
        }
    }
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

#[cfg(test)]
mod tests {
    use std::{fs, iter};

    use proptest::prelude::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn encoded(bytes: &[u8]) -> Vec<u8> {
        compress_to_vec(bytes, CompressionLevel::Fastest)
    }

    fn decoded(stream: &[u8]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        ZstdFrames::new(stream).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// fixtures/records/zstd was made by the reference implementation, see fixtures/README.md.
    #[test]
    fn files_of_the_reference_implementation_are_decoded() {
        let records = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/records");
        let expected = fs::read(format!("{records}/sm0807.pbn")).unwrap();
        for name in ["level-1", "level-22-no-check", "blocks"] {
            let stream = fs::read(format!("{records}/zstd/{name}.zst")).unwrap();
            assert_eq!(decoded(&stream).unwrap(), expected, "{name}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn frames_are_decoded_one_after_the_other(
            parts in prop::collection::vec((any::<u8>(), 0_usize..200_000), 0..4),
        ) {
            let (mut expected, mut stream) = (Vec::new(), Vec::new());
            for (step, length) in parts {
                let part: Vec<u8> = iter::successors(Some(u64::from(step)), |last| {
                    Some(last.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(step.into()))
                })
                .map(|word| (word >> 60) as u8)
                .take(length)
                .collect();
                stream.extend(encoded(&part));
                // A skippable frame of five bytes.
                stream.extend([0x50, 0x2a, 0x4d, 0x18, 5, 0, 0, 0, 1, 2, 3, 4, 5]);
                expected.extend(part);
            }
            prop_assert_eq!(decoded(&stream).unwrap(), expected);
        }

        #[test]
        fn any_bytes_are_decoded_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let with_magic = [&[0x28, 0xb5, 0x2f, 0xfd], &bytes[..]].concat();
            let _ = decoded(&with_magic);
        }
    }

    #[test]
    fn truncated_and_corrupted_streams_are_errors() {
        let text: Vec<u8> = (0_u32..5_000).flat_map(u32::to_le_bytes).collect();
        let whole = encoded(&text);
        for end in 1..whole.len() {
            assert!(decoded(&whole[..end]).is_err(), "{end}");
        }
        let mut corrupted = whole.clone();
        *corrupted.last_mut().unwrap() ^= 1;
        assert_eq!(
            decoded(&corrupted).unwrap_err().to_string(),
            "the data do not match their checksum"
        );
        assert!(decoded(&[&whole[..], b"and more"].concat()).is_err());
        let unfinished = [&whole[..], &[0x50, 0x2a, 0x4d, 0x18, 5, 0, 0, 0, 1]].concat();
        assert!(decoded(&unfinished).is_err());
    }
}
