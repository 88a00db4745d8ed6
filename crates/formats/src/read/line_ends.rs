//! Line ends of files that were converted twice: CR CR LF becomes CR LF.

use super::recoded::Recoding;

/// The doubled line end.
pub(super) const DOUBLED: &[u8] = b"\r\r\n";

/// Leaves out the first CR of each CR CR LF.
#[derive(Default)]
pub(super) struct LineEnds {
    /// Number of CRs at the end of the bytes read, which an LF may follow.
    returns: usize,
}

impl Recoding for LineEnds {
    fn recode(&mut self, chunk: &[u8], ready: &mut Vec<u8>) {
        for &byte in chunk {
            if byte == b'\r' {
                self.returns += 1;
                continue;
            }
            let returns = match byte {
                b'\n' if self.returns >= 2 => self.returns - 1,
                _ => self.returns,
            };
            ready.resize(ready.len() + returns, b'\r');
            ready.push(byte);
            self.returns = 0;
        }
        if chunk.is_empty() {
            ready.resize(std::mem::take(&mut self.returns), b'\r');
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
        fn a_return_too_many_is_left_out_wherever_reads_end(
            text in "[ab\r\n]{0,40}", step in 1_usize..5,
        ) {
            let read = recoded_slowly(text.as_bytes(), step, LineEnds::default());
            prop_assert_eq!(read, text.replace("\r\r\n", "\r\n"));
        }
    }
}
