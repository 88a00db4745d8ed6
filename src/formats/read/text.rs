//! The lines of a file that comes in pieces: ended by LF, CR LF or CR.

use memchr::{memchr2, memrchr, memrchr2};

/// Longer lines are no deals and no numbers.
pub(super) const LONGEST_LINE: usize = 4096;

/// Pieces of which no line ends are cut anywhere from here on.
const LONGEST_PIECE: usize = 1 << 20;

/// A line is longer than [`LONGEST_LINE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// What is left of the piece before.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// The beginning of a line, no more of it than tells that it is too long.
    begun: Vec<u8>,
    /// The last byte was a CR, which an LF may follow.
    after_cr: bool,
}

impl Lines {
    /// Whether the next piece begins a line.
    pub(super) fn is_fresh(&self) -> bool {
        self.begun.is_empty() && !self.after_cr
    }

    /// Goes through the lines that end in a piece, and the rest if it is the last; tells
    /// their places from 0, and gives how many ended.
    pub(super) fn read(
        &mut self,
        mut piece: &[u8],
        last: bool,
        mut line: impl FnMut(u64, Result<&[u8], TooLong>),
    ) -> u64 {
        if !piece.is_empty() && std::mem::take(&mut self.after_cr) {
            piece = piece.strip_prefix(b"\n").unwrap_or(piece);
        }
        let mut place = 0;
        while let Some(end) = memchr2(b'\n', b'\r', piece) {
            self.line(&piece[..end], |text| line(place, text));
            place += 1;
            self.after_cr = !last && piece[end] == b'\r' && end + 1 == piece.len();
            let length = if piece[end..].starts_with(b"\r\n") {
                2
            } else {
                1
            };
            piece = &piece[end + length..];
        }
        if last {
            self.line(piece, |text| line(place, text));
        } else {
            let room = (LONGEST_LINE + 1).saturating_sub(self.begun.len());
            self.begun
                .extend_from_slice(&piece[..piece.len().min(room)]);
        }
        place
    }

    /// The line that ends with these bytes.
    fn line(&mut self, end: &[u8], line: impl FnOnce(Result<&[u8], TooLong>)) {
        let checked = |text: &[u8]| text.len() <= LONGEST_LINE;
        if self.begun.is_empty() {
            line(if checked(end) { Ok(end) } else { Err(TooLong) });
            return;
        }
        let room = (LONGEST_LINE + 1).saturating_sub(self.begun.len());
        self.begun.extend_from_slice(&end[..end.len().min(room)]);
        let text = &self.begun[..];
        line(if checked(text) {
            Ok(text)
        } else {
            Err(TooLong)
        });
        self.begun.clear();
    }
}

/// How many bytes end with a line's end; 0 if there is none yet.
pub(super) fn cut(bytes: &[u8]) -> usize {
    let end = memrchr(b'\n', bytes).or_else(|| memrchr2(b'\r', b'\n', bytes));
    match end {
        Some(end) => end + 1,
        None if bytes.len() >= LONGEST_PIECE => bytes.len(),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pieces: &[&[u8]]) -> Vec<(u64, Option<String>)> {
        let (mut lines, mut found, mut places) = (Lines::default(), Vec::new(), 0);
        for (place, piece) in pieces.iter().enumerate() {
            let last = place + 1 == pieces.len();
            places += lines.read(piece, last, |place, line| {
                let text = line.map(|line| String::from_utf8_lossy(line).into_owned());
                found.push((places + place, text.ok()));
            });
        }
        found
    }

    #[test]
    fn lines_are_the_same_wherever_they_are_cut() {
        let text = b"one\ntwo\r\nthree\rfour\r\n\r\nsix";
        let whole = lines(&[text]);
        assert_eq!(whole.len(), 6);
        assert_eq!(whole[5], (5, Some("six".to_owned())));
        for first in 0..=text.len() {
            for second in first..=text.len() {
                let cut = [&text[..first], &text[first..second], &text[second..]];
                assert_eq!(lines(&cut), whole, "cut at {first} and {second}");
            }
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_not_kept() {
        let long = vec![b'x'; LONGEST_LINE];
        assert!(lines(&[&long[..], b""])[0].1.is_some());
        assert_eq!(lines(&[&long[..], b"x", &long[..], b"\ny"])[0], (0, None));
        assert_eq!(lines(&[&long[..], b"x\ny"])[1], (1, Some("y".to_owned())));
    }
}
