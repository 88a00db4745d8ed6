//! Inputs that change their format: two files joined, or a program that prints deals in one format and
//! then in another.
//!
//! A format is detected once, and its parser reads no deals of another format. So the text before the
//! first deal, and the text after the last deal of each piece, must not have deals of another format.
//! A single deal does not count: a script may print every deal in two formats.

use memchr::{memchr2_iter, memrchr2};

use super::{Entry, EntryKind, FilePiece};
use crate::Format;

/// Fewest deals in another format that are a change.
const LEAST_DEALS: usize = 2;

/// Bytes without a deal that are kept, and examined.
const MOST_BYTES: usize = 1 << 16;

/// Where the format of an input changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FormatChange {
    pub(super) from: Format,
    pub(super) to: Format,
    /// The line of the first deal after the change, from 1.
    pub(super) line: u64,
    /// Number of lines up to the last deal before it.
    pub(super) lines: u64,
}

/// The text of an input since its last deal.
#[derive(Debug)]
pub(super) struct TextBetween {
    format: Format,
    text: Vec<u8>,
    /// The line where the text begins, from 0.
    line: u64,
    /// Whether there was a deal before it.
    is_after_deal: bool,
}

impl TextBetween {
    /// The text at the beginning of an input.
    pub(super) fn new(format: Format) -> Self {
        Self {
            format,
            text: Vec::new(),
            line: 0,
            is_after_deal: false,
        }
    }

    /// Takes the next piece, which has `before` lines before it. Returns the change of the format in
    /// it.
    pub(super) fn take(
        &mut self,
        piece: &FilePiece,
        bytes: &[u8],
        before: u64,
    ) -> Option<FormatChange> {
        let is_deal = |entry: &&Entry| matches!(entry.what, EntryKind::Deal(_) | EntryKind::Unused);
        let mut deals = piece.entries.iter().filter(is_deal);
        let Some(first) = deals.next() else {
            return self.add(bytes);
        };
        let last = deals.next_back().unwrap_or(first);
        if !self.is_after_deal {
            let found = self.add(&bytes[..start_of_line(bytes, first.place)]);
            if let Some(FormatChange { to: earlier, .. }) = found {
                return Some(FormatChange {
                    from: earlier,
                    to: self.format,
                    line: before.wrapping_add(first.place).wrapping_add(1),
                    lines: 0,
                });
            }
            self.is_after_deal = true;
        }
        self.text.clear();
        // An entry of an earlier piece has a place that is wrapped below 0.
        let next = (last.place as i64 + 1).max(0) as u64;
        self.line = before + next;
        self.add(&bytes[start_of_last_lines(bytes, piece.places.saturating_sub(next))..])
    }

    /// Adds text without deals of the format, and examines it.
    fn add(&mut self, bytes: &[u8]) -> Option<FormatChange> {
        let room = MOST_BYTES - self.text.len();
        self.text.extend(&bytes[..bytes.len().min(room)]);
        if room == 0 || self.text.trim_ascii().is_empty() {
            return None;
        }
        let to = Format::detect(&self.text)?;
        // Links may be anywhere in a text.
        let may_change = to != self.format && ![to, self.format].contains(&Format::Links);
        let mut parser = to.parser().filter(|_| may_change)?;
        let mut found = FilePiece::default();
        parser.read(&self.text, true, &mut found);
        let deals = found.entries.iter();
        let mut deals = deals.filter(|entry| matches!(entry.what, EntryKind::Deal(_)));
        let line = self.line + deals.next()?.place + 1;
        (deals.count() + 1 >= LEAST_DEALS).then_some(FormatChange {
            from: self.format,
            to,
            line,
            lines: self.line,
        })
    }
}

/// Where a line begins, counted from 0; 0 for one of an earlier piece.
fn start_of_line(bytes: &[u8], line: u64) -> usize {
    if line == 0 || line > bytes.len() as u64 {
        return 0;
    }
    let is_end = |at: &usize| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n');
    let mut ends = memchr2_iter(b'\n', b'\r', bytes).filter(is_end);
    ends.nth(line as usize - 1)
        .map_or(bytes.len(), |end| end + 1)
}

/// Where the last lines begin, this number of which have an end.
fn start_of_last_lines(bytes: &[u8], lines: u64) -> usize {
    let (mut start, mut end) = (bytes.len(), bytes.len());
    for _ in 0..=lines {
        let Some(at) = memrchr2(b'\n', b'\r', &bytes[..end]) else {
            return 0;
        };
        (start, end) = (at + 1, at);
        if bytes[..=at].ends_with(b"\r\n") {
            end -= 1;
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_begin_after_ends_of_three_kinds() {
        let text = b"one\ntwo\r\nthree\rfour\n\nsix";
        for (line, start) in [(0, 0), (1, 4), (2, 9), (3, 15), (4, 20), (5, 21), (6, 24)] {
            assert_eq!(start_of_line(text, line), start, "{line}");
            let lines = 5_u64.checked_sub(line);
            let last = lines.map(|lines| start_of_last_lines(text, lines));
            assert_eq!(last.unwrap_or(24), start, "{line}");
        }
        assert_eq!(start_of_line(text, 0_u64.wrapping_sub(2)), 0);
        assert_eq!(start_of_last_lines(text, 9), 0);
        assert_eq!((start_of_line(b"", 0), start_of_last_lines(b"", 0)), (0, 0));
    }
}
