//! The guide: for each equal part of [0, T), the first record of a case file.
//!
//! A look-up takes the guide's entry for a number's part and a search among the few records up to
//! the next entry. That touches two places in memory; a binary search of the file would touch about
//! twenty. The guide is a section of the file, with one part for every two to four records up to
//! 2^24 parts. The draws do not depend on it.

use super::DrawError;
use super::portion::SplitNode;
use crate::kernels;
use crate::population::cases::CaseFile;

/// The guide of a case file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guide<'f> {
    /// There are 2^bits parts.
    bits: u32,
    /// For each part, the first record whose total exceeds the part's start; then the last record.
    starts: &'f [u32],
}

impl<'f> Guide<'f> {
    /// Returns the guide of a file.
    pub(super) fn of<D: AsRef<[u8]>>(file: &'f CaseFile<D>) -> Result<Self, DrawError> {
        let starts = file.guide();
        let parts = starts.len().checked_sub(1);
        let bits = parts.and_then(usize::checked_ilog2);
        let bits = bits.ok_or(DrawError::Cases(file.cases()))?;
        Ok(Self { bits, starts })
    }

    /// Prefetches the entries of a leaf in order, if there are few for its number of draws.
    pub(super) fn fetch_ahead(&self, leaf: &SplitNode) {
        let width = self.bits.saturating_sub(leaf.depth());
        let entries = 1u64 << width;
        if entries <= 16 * leaf.draws() {
            let start = leaf.index() << width >> leaf.depth().saturating_sub(self.bits);
            for place in (start..=start + entries).step_by(16) {
                kernels::prefetch(self.starts, place as usize);
            }
        }
    }

    /// Returns the first and the last record that can contain a number, given `index`, the first
    /// `depth` binary places of U, and `places`, the next 64.
    #[inline]
    pub(super) fn range(&self, depth: u32, index: u64, places: u64) -> (u32, u32) {
        let part = if self.bits <= depth {
            index >> (depth - self.bits)
        } else {
            let wanted = self.bits - depth;
            index << wanted | places >> (64 - wanted)
        };
        let part = part as usize;
        let [start, end] = [self.starts[part], self.starts[part + 1]];
        (u32::from_le(start), u32::from_le(end))
    }
}
