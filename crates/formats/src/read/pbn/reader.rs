//! Reads games piece by piece.

use memchr::{memchr2, memchr3, memmem, memrchr2};

use super::super::text::ended_lines;
use super::super::{Entry, FilePiece, Parser};
use super::game::Games;
use super::tag;
use super::tag::Bracket;

/// Length in bytes from which a piece without an empty line is cut at a line end.
const LONG_PIECE: usize = 1 << 18;

/// Length in bytes from which a piece without a line end is cut anywhere.
const LONGEST_PIECE: usize = 1 << 20;

/// Reads games.
#[derive(Debug)]
pub(crate) struct Pbn {
    games: Games,
    inside: Inside,
    /// Whether the line has begun.
    is_line_begun: bool,
    /// Whether the line has only white space so far.
    is_line_empty: bool,
    /// Whether the last byte was a CR, which an LF may follow.
    after_cr: bool,
    /// The start of an incomplete tag.
    begun: Vec<u8>,
    /// Number of lines of this piece that have ended.
    line: u64,
}

/// The construct that contains the next byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    Nothing,
    /// A comment in braces that began on this line.
    Comment(u64),
    /// A comment to the end of the line.
    Line,
    /// An escape line, which begins with `%`.
    Escape,
    /// A string in a table.
    Quotes,
}

impl Default for Pbn {
    fn default() -> Self {
        Self {
            games: Games::default(),
            inside: Inside::Nothing,
            is_line_begun: false,
            is_line_empty: true,
            after_cr: false,
            begun: Vec::new(),
            line: 0,
        }
    }
}

impl Parser for Pbn {
    fn is_fresh(&self) -> bool {
        self.inside == Inside::Nothing
            && !self.is_line_begun
            && !self.after_cr
            && self.begun.is_empty()
            && self.games.is_fresh()
    }

    fn cut(&self, bytes: &[u8]) -> usize {
        // The end of the last empty line. All lines of a file are assumed to end the same way.
        let unix = memmem::rfind(bytes, b"\n\n").map(|at| at + 2);
        let empty = unix.or_else(|| memmem::rfind(bytes, b"\n\r\n").map(|at| at + 3));
        let line = || memrchr2(b'\n', b'\r', bytes).map(|at| at + 1);
        match empty {
            Some(end) => end,
            None if bytes.len() < LONG_PIECE => 0,
            None if bytes.len() < LONGEST_PIECE => line().unwrap_or(0),
            None => line().unwrap_or(bytes.len()),
        }
    }

    fn read(&mut self, piece: &[u8], last: bool, found: &mut FilePiece) {
        self.line = 0;
        self.games.keeps_records = found.keeps_records;
        if self.begun.is_empty() {
            self.scan(piece, last, found);
        } else {
            let mut text = std::mem::take(&mut self.begun);
            text.extend_from_slice(piece);
            self.scan(&text, last, found);
        }
        if last {
            self.end(found);
        }
        found.places += self.line;
        found.depends |= self.games.is_without_board();
        self.games.next_piece(self.line);
        if let Inside::Comment(line) = &mut self.inside {
            *line = line.wrapping_sub(self.line);
        }
    }
}

impl Pbn {
    /// Scans bytes, except for an incomplete tag at their end.
    fn scan(&mut self, text: &[u8], last: bool, found: &mut FilePiece) {
        let mut rest = text;
        if !text.is_empty() && std::mem::take(&mut self.after_cr) {
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some(&byte) = rest.first() {
            let length = match self.inside {
                Inside::Nothing if byte == b'[' => match self.bracket(rest, last, found) {
                    Some(length) => length,
                    None => {
                        self.begun.extend_from_slice(rest);
                        return;
                    }
                },
                Inside::Nothing => self.step(rest, found),
                _ => self.step_inside(rest, found),
            };
            rest = &rest[length..];
        }
    }

    /// Continues within a comment or a string; returns the number of bytes consumed.
    fn step_inside(&mut self, rest: &[u8], found: &mut FilePiece) -> usize {
        let end = match self.inside {
            Inside::Comment(_) => memchr3(b'}', b'\n', b'\r', rest),
            Inside::Quotes => memchr3(b'"', b'\n', b'\r', rest),
            Inside::Line | Inside::Escape | Inside::Nothing => memchr2(b'\n', b'\r', rest),
        };
        self.is_line_begun = true;
        let text = &rest[..end.unwrap_or(rest.len())];
        match self.inside {
            Inside::Comment(_) | Inside::Line => self.games.comment(text),
            Inside::Quotes => self.games.quoted(text),
            Inside::Escape | Inside::Nothing => {}
        }
        let Some(end) = end else {
            return rest.len();
        };
        if let byte @ (b'\n' | b'\r') = rest[end] {
            match self.inside {
                Inside::Comment(_) => self.games.comment(b" "),
                _ => self.inside = Inside::Nothing,
            }
            // A line within a comment is not empty.
            self.is_line_empty = false;
            return end + self.line_end(byte, &rest[end..], found);
        }
        if self.inside == Inside::Quotes {
            self.games.quoted(b"\"");
        }
        self.inside = Inside::Nothing;
        end + 1
    }

    /// Continues outside of comments and strings, up to a byte that may begin one; returns the
    /// number of bytes consumed.
    fn step(&mut self, rest: &[u8], found: &mut FilePiece) -> usize {
        let begins_line = !self.is_line_begun;
        let byte = rest[0];
        if matches!(byte, b'\n' | b'\r') {
            return self.line_end(byte, rest, found);
        }
        self.is_line_begun = true;
        if matches!(byte, b' ' | b'\t') {
            self.games.text(b" ");
            return 1;
        }
        self.is_line_empty = false;
        if matches!(byte, b';' | b'{') {
            self.games.comment(b" ");
        }
        match byte {
            b'%' if begins_line => self.inside = Inside::Escape,
            b';' => self.inside = Inside::Line,
            b'{' => self.inside = Inside::Comment(self.line),
            b'"' => {
                self.games.quoted(b"\"");
                self.inside = Inside::Quotes;
            }
            _ => {
                let begins = |byte: &u8| matches!(byte, b'\n' | b'\r' | b'[' | b'{' | b';' | b'"');
                let length = rest.iter().position(begins).unwrap_or(rest.len());
                self.games.text(&rest[..length]);
                return length;
            }
        }
        1
    }

    /// Ends a line, and the game if the line is empty.
    fn line_end(&mut self, byte: u8, rest: &[u8], found: &mut FilePiece) -> usize {
        if self.is_line_empty {
            self.games.end(found);
        }
        self.games.text(b"\n");
        self.line += 1;
        self.is_line_begun = false;
        // No line of a comment that continues is empty.
        self.is_line_empty = self.inside == Inside::Nothing;
        if byte == b'\n' {
            return 1;
        }
        self.after_cr = rest.len() == 1;
        if rest.get(1) == Some(&b'\n') { 2 } else { 1 }
    }

    /// Handles the tag that begins here; `None` if it is incomplete.
    fn bracket(&mut self, rest: &[u8], last: bool, found: &mut FilePiece) -> Option<usize> {
        self.is_line_begun = true;
        self.is_line_empty = false;
        match tag::read(rest, last) {
            Bracket::Tag(tag) => {
                self.games.tag(tag, &rest[..tag.length], self.line, found);
                self.line += ended_lines(&rest[..tag.length]);
                Some(tag.length)
            }
            Bracket::Only => Some(1),
            Bracket::More => None,
        }
    }

    /// Ends the file.
    fn end(&mut self, found: &mut FilePiece) {
        self.games.end(found);
        if let Inside::Comment(line) = self.inside {
            found.entries.push(Entry {
                place: line,
                event: found.events.len().saturating_sub(1),
                ..Entry::invalid("a comment that begins with `{` is not closed by `}`")
            });
        }
    }
}
